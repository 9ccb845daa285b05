//! Translates a case to another version of its operator: the same node at another opset. A parameter that is an
//! attribute in one version and an input in the other is converted. An attribute that the other version does not have
//! is left out.

use plumbline_generator::Case;
use plumbline_oracle::Operand;
use plumbline_spec::{AttributeKind, Formal, FormalOption, OperatorVersion, TypeStr};
use plumbline_tensor::onnx::{AttributeProto, GraphProto, NodeProto, OperatorSetIdProto, ValueInfoProto};
use plumbline_tensor::{DType, Model, Tensor, Value, tensor_from_proto};

/// A node with its attributes, inputs and outputs.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    /// The attributes of the node.
    pub attributes: Vec<AttributeProto>,
    /// The inputs of the node by position.
    pub inputs: Vec<Option<Value>>,
    /// The outputs of the node by position. The name is empty for an output that is left out.
    pub outputs: Vec<String>,
    /// Values that graph attributes refer to by name, and that are not inputs of the node.
    pub outer: Vec<(String, Value)>,
    /// Attributes that were left out because the version does not have them.
    pub dropped: Vec<String>,
}

/// Attributes and inputs that were renamed, as (operator, earlier name, later name).
const RENAMED: &[(&str, &str, &str)] = &[("Pad", "paddings", "pads"), ("Pad", "value", "constant_value")];

/// Returns whether two names in different versions of an operator mean the same parameter. For example, `k` and `K` do.
fn same_parameter(operator: &str, a: &str, b: &str) -> bool {
    let renamed = |&(o, old, new): &(&str, &str, &str)| o == operator && (old == a && new == b || old == b && new == a);
    a.eq_ignore_ascii_case(b) || RENAMED.iter().any(renamed)
}

impl Setting {
    /// Returns the setting of a case's only node, or `None` if the case has several nodes or one of its values cannot
    /// be read.
    pub fn read(case: &Case) -> Option<Setting> {
        let graph = case.model.graph();
        let [node] = graph.node.as_slice() else { return None };
        let names = case.model.input_names();
        let value = |name: &String| -> Option<Option<Value>> {
            if name.is_empty() {
                return Some(None);
            }
            if let Some(at) = names.iter().position(|n| n == name) {
                return Some(Some(case.inputs.get(at)?.clone()));
            }
            let initializer = graph.initializer.iter().find(|t| t.name.as_deref() == Some(name))?;
            Some(Some(tensor_from_proto(initializer).ok()?.into()))
        };
        let inputs = node.input.iter().map(value).collect::<Option<Vec<_>>>()?;
        let initializers = graph.initializer.iter().filter_map(|t| t.name.as_deref());
        let around = names.iter().copied().chain(initializers).map(str::to_owned).filter(|n| !node.input.contains(n));
        let outer = around.map(|name| Some((value(&name)??, name))).map(|found| found.map(|(v, name)| (name, v)));
        let outer = outer.collect::<Option<Vec<_>>>()?;
        let (attributes, outputs) = (node.attribute.clone(), node.output.clone());
        Some(Setting { attributes, inputs, outputs, outer, dropped: vec![] })
    }

    /// Translates the setting to another version. Returns `None` if that version has no place for one of the inputs or
    /// outputs, or if an input or attribute cannot be converted.
    pub fn moved(&self, from: &OperatorVersion, to: &OperatorVersion) -> Option<Setting> {
        let (outputs, outer) = (self.outputs.clone(), self.outer.clone());
        let mut moved = Setting { attributes: vec![], inputs: vec![], outputs, outer, dropped: vec![] };
        if self.outputs.len() as u64 > u64::from(to.max_outputs) {
            return None;
        }
        for (position, value) in self.inputs.iter().enumerate() {
            let Some(value) = value else { continue };
            let formal = from.input_at(position)?;
            if position > 0 && tile(self, from, to).is_some() {
                continue;
            }
            if let Some(at) = input_place(from, to, position) {
                moved.give(at, value.clone())?;
            } else {
                let attribute = to.attributes.iter().find(|a| same_parameter(&to.id.name, &a.name, &formal.name))?;
                moved.set(to_attribute(&attribute.name, attribute.kind, value.clone())?)?;
            }
        }
        if let Some(repeats) = tile(self, from, to) {
            moved.give(1, repeats.into())?;
        }
        for attribute in &self.attributes {
            let name = attribute.name.as_deref()?;
            let kind = from.attribute(name)?.kind;
            let same = |other: &str| same_parameter(&to.id.name, other, name);
            if let Some(other) = to.attributes.iter().find(|a| same(&a.name)) {
                moved.set(converted(attribute, &other.name, kind, other.kind)?)?;
            } else if let Some(at) = to.inputs.iter().position(|i| same(&i.name)) {
                let dtype = moved.dtype_of(to, &to.inputs[at])?;
                moved.give(at, to_input(attribute, kind, dtype)?.into())?;
            } else {
                moved.dropped.push(name.to_owned());
            }
        }
        // An input that is not given becomes an empty name if a given input follows. The inputs after the last given
        // one are dropped.
        while moved.inputs.last().is_some_and(Option::is_none) {
            moved.inputs.pop();
        }
        Some(moved)
    }

    fn set(&mut self, attribute: AttributeProto) -> Option<()> {
        let twice = self.attributes.iter().any(|a| a.name == attribute.name);
        (!twice).then(|| self.attributes.push(attribute))
    }

    fn give(&mut self, at: usize, value: Value) -> Option<()> {
        while self.inputs.len() <= at {
            self.inputs.push(None);
        }
        let place = self.inputs.get_mut(at)?;
        if place.is_some() {
            return None;
        }
        *place = Some(value);
        Some(())
    }

    /// Returns the element type of an input, the first of these that exists: the only type that the input may have, the
    /// type of another input with the same type variable, and int64 if the input may have it.
    fn dtype_of(&self, version: &OperatorVersion, formal: &Formal) -> Option<DType> {
        if let [TypeStr::Tensor(dtype)] = version.types_of(formal).as_slice() {
            return Some(*dtype);
        }
        let twin = |(at, value): (usize, &Option<Value>)| {
            let bound = version.input_at(at).is_some_and(|f| f.type_ == formal.type_);
            value.as_ref().filter(|_| bound).and_then(Value::as_tensor).map(Tensor::dtype)
        };
        let free = version.types_of(formal).contains(&TypeStr::Tensor(DType::Int64)).then_some(DType::Int64);
        self.inputs.iter().enumerate().find_map(twin).or(free)
    }

    /// Returns a model of this node, and the inputs of the model.
    pub fn model(&self, version: &OperatorVersion) -> (Model, Vec<Value>) {
        let domain = version.id.domain_in_models();
        let mut node = NodeProto {
            op_type: Some(version.id.name.clone()),
            domain: Some(domain.to_owned()),
            attribute: self.attributes.clone(),
            output: self.outputs.clone(),
            ..NodeProto::default()
        };
        let mut graph = GraphProto::default();
        let mut values = Vec::new();
        for (position, value) in self.inputs.iter().enumerate() {
            let Some(value) = value else {
                node.input.push(String::new());
                continue;
            };
            let name = format!("input_{position}");
            let type_ = Some(value.kind().to_proto());
            graph.input.push(ValueInfoProto { name: Some(name.clone()), r#type: type_, ..ValueInfoProto::default() });
            node.input.push(name);
            values.push(value.clone());
        }
        for (name, value) in &self.outer {
            let type_ = Some(value.kind().to_proto());
            graph.input.push(ValueInfoProto { name: Some(name.clone()), r#type: type_, ..ValueInfoProto::default() });
            values.push(value.clone());
        }
        let named = self.outputs.iter().filter(|name| !name.is_empty());
        graph.output = named.map(|n| ValueInfoProto { name: Some(n.clone()), ..ValueInfoProto::default() }).collect();
        graph.node.push(node);
        let mut model = Model::default();
        let version = Some(i64::from(version.since()));
        model.proto.opset_import = vec![OperatorSetIdProto { domain: Some(domain.to_owned()), version }];
        model.proto.graph = Some(graph);
        (model, values)
    }

    /// Returns the positions of the inputs that have the same type as the first input. These are the data, and the
    /// other inputs are parameters.
    pub fn data(&self, version: &OperatorVersion) -> Vec<usize> {
        let Some(first) = version.inputs.first() else { return vec![] };
        let is_data = |at: &usize| version.input_at(*at).is_some_and(|f| f.type_ == first.type_);
        (0..self.inputs.len()).filter(is_data).filter(|&at| self.inputs[at].is_some()).collect()
    }
}

/// Converts the inputs `tiles` and `axis` of Tile-1 to the input `repeats` of Tile-6.
fn tile(setting: &Setting, from: &OperatorVersion, to: &OperatorVersion) -> Option<Tensor> {
    if from.id.name != "Tile" || from.since() >= 6 || to.since() < 6 {
        return None;
    }
    let tensor = |at: usize| setting.inputs.get(at)?.as_ref()?.as_tensor();
    let [rank, tiles, axis] = [tensor(0)?.rank() as f64, tensor(1)?.f64_at(0), tensor(2)?.f64_at(0)];
    let whole = |x: f64, most: f64| x.fract() == 0.0 && (0.0..most).contains(&x);
    if !whole(tiles, 1e9) || !whole(axis, rank) {
        return None;
    }
    let mut repeats = vec![1; rank as usize];
    repeats[axis as usize] = tiles as i64;
    Some(Tensor::from_i64s(&repeats))
}

/// Returns the position of an input in another version: that of the input with the same name. If the other version
/// has neither an input nor an attribute with this name, but a new input at the same position, returns the same
/// position.
fn input_place(from: &OperatorVersion, to: &OperatorVersion, position: usize) -> Option<usize> {
    let formal = from.input_at(position)?;
    if let Some(at) = to.inputs.iter().position(|i| same_parameter(&to.id.name, &i.name, &formal.name)) {
        // The inputs of a variadic parameter are consecutive.
        let own = from.inputs.iter().position(|i| i.name == formal.name)?;
        let further = position - own;
        return (further == 0 || to.inputs[at].option == FormalOption::Variadic).then_some(at + further);
    }
    let other = to.input_at(position)?;
    let new = from.inputs.iter().all(|i| !same_parameter(&to.id.name, &i.name, &other.name));
    let attribute = to.attributes.iter().any(|a| same_parameter(&to.id.name, &a.name, &formal.name));
    (new && !attribute).then_some(position)
}

/// Converts an attribute to the name and kind that the other version has for the same parameter.
fn converted(attribute: &AttributeProto, name: &str, from: AttributeKind, to: AttributeKind) -> Option<AttributeProto> {
    let mut converted = AttributeProto { name: Some(name.to_owned()), ..attribute.clone() };
    match (from, to) {
        (from, to) if from == to => {}
        // Cast-1 has the name of an element type where later versions have its number.
        (AttributeKind::String, AttributeKind::Int) => {
            let text = String::from_utf8(attribute.s.clone()?).ok()?;
            converted = int_attribute(name, i64::from(DType::from_name(&text)?.code()));
        }
        (AttributeKind::Int, AttributeKind::String) => {
            let dtype = DType::ALL.into_iter().find(|d| Some(i64::from(d.code())) == attribute.i)?;
            let s = Some(dtype.name().to_uppercase().into_bytes());
            converted = AttributeProto { s, r#type: Some(3), i: None, ..converted };
        }
        _ => return None,
    }
    Some(converted)
}

fn int_attribute(name: &str, value: i64) -> AttributeProto {
    AttributeProto { name: Some(name.to_owned()), r#type: Some(2), i: Some(value), ..AttributeProto::default() }
}

/// Converts an attribute to an input. FLOAT and an axis become a scalar; INTS, and any other INT for an integer type, become
/// one-dimensional tensors. Other attributes are not converted.
fn to_input(attribute: &AttributeProto, kind: AttributeKind, dtype: DType) -> Option<Tensor> {
    let integers = |shape: Vec<usize>, values: &[i64]| {
        let wide: Vec<i128> = values.iter().map(|&v| i128::from(v)).collect();
        Tensor::from_i128s(dtype, shape, &wide).ok()
    };
    match kind {
        AttributeKind::Float => Tensor::from_f64s(dtype, vec![], &[f64::from(attribute.f.unwrap_or(0.0))]).ok(),
        AttributeKind::Int if dtype.is_integer() => {
            let shape = if attribute.name.as_deref() == Some("axis") { vec![] } else { vec![1] };
            integers(shape, &[attribute.i.unwrap_or(0)])
        }
        AttributeKind::Ints if dtype.is_integer() => integers(vec![attribute.ints.len()], &attribute.ints),
        AttributeKind::Ints => {
            let values: Vec<f64> = attribute.ints.iter().map(|&v| v as f64).collect();
            Tensor::from_f64s(dtype, vec![values.len()], &values).ok()
        }
        _ => None,
    }
}

/// Converts an input to an attribute if that loses nothing.
fn to_attribute(name: &str, kind: AttributeKind, value: Value) -> Option<AttributeProto> {
    let operand = Operand::from(&value);
    let tensor = &operand.tensor().ok()?.tensor;
    let base = AttributeProto { name: Some(name.to_owned()), ..AttributeProto::default() };
    let integer = |index: usize| {
        if tensor.dtype().is_float() {
            let value = tensor.f64_at(index);
            return (value.fract() == 0.0 && value.abs() < 1e15).then_some(value as i64);
        }
        i64::try_from(tensor.i128_at(index)).ok()
    };
    match kind {
        AttributeKind::Float if tensor.len() == 1 && tensor.dtype().is_float() => {
            let value = tensor.f64_at(0);
            let exact = f64::from(value as f32) == value || value.is_nan();
            exact.then_some(AttributeProto { f: Some(value as f32), r#type: Some(1), ..base })
        }
        AttributeKind::Int if tensor.len() == 1 => Some(int_attribute(name, integer(0)?)),
        AttributeKind::Ints if tensor.rank() == 1 => {
            let ints = (0..tensor.len()).map(integer).collect::<Option<Vec<_>>>()?;
            Some(AttributeProto { ints, r#type: Some(7), ..base })
        }
        _ => None,
    }
}

//! What an operator computes, as the body of a function: the elements of each buffer that belong to the tensor, then the
//! statements of the operator's meaning, and those of its fused activation.

use std::collections::BTreeSet;

use plumbline_spec::directml::{
    Condition, DirectMl, FUSED_ACTIVATION, FeatureLevel, Field, FieldKind, Meaning, Operator, SCALE_BIAS,
    TensorDataType,
};
use plumbline_tensor::onnx::{AttributeProto, NodeProto};
use plumbline_tensor::{DType, Tensor, tensor_to_proto};

use crate::declarations::attribute;

use super::description::{Attribute, Drawn, DrawnTensor, Fused, dtype};

/// The fields of a drawn description, as its meaning sees them.
pub(super) struct Fields<'a> {
    pub operator: &'static Operator,
    pub fields: &'a [(&'static Field, Drawn)],
    pub level: FeatureLevel,
}

/// Returns the name of a buffer in the function.
pub(super) fn buffer_name(name: &str) -> String {
    format!("{name}_buffer")
}

/// Returns the names of the tensors of a field in the model: that of the field, with a number in an array.
pub(super) fn tensor_names(field: &Field, count: usize) -> Vec<String> {
    match field.type_.is_array() {
        true => (0..count).map(|at| format!("{}_{at}", field.name)).collect(),
        false => vec![field.name.clone()],
    }
}

impl<'a> Fields<'a> {
    fn get(&self, name: &str) -> Option<&'a Drawn> {
        self.fields.iter().find(|(field, _)| field.name == name).map(|(_, drawn)| drawn)
    }

    fn attribute(&self, name: &str) -> Option<&'a Attribute> {
        match self.get(name)? {
            Drawn::Attribute(attribute) => Some(attribute),
            _ => None,
        }
    }

    fn tensor(&self, name: &str) -> Option<&'a DrawnTensor> {
        match self.get(name)? {
            Drawn::Tensors(tensors) => tensors.first(),
            _ => None,
        }
    }

    /// Returns the element type of the numbers in `FLOAT` fields: that of the first output.
    fn element_type(&self) -> DType {
        let mut outputs = self.operator.outputs();
        let first = outputs.find_map(|field| self.tensor(&field.name));
        first.and_then(|tensor| dtype(tensor.data_type)).unwrap_or(DType::Float)
    }

    /// Returns the first meaning whose conditions hold.
    pub fn meaning(&self) -> Option<&'static Meaning> {
        let mut names = Vec::new();
        for (field, drawn) in self.fields {
            if let Drawn::Attribute(Attribute::Name(value)) = drawn {
                names.push((&field.name, value));
            }
        }
        DirectMl::embedded().meanings(self.operator).find(|meaning| {
            names.iter().all(|(field, value)| meaning.covers(field, value))
                && meaning.when.iter().all(|condition| self.holds(condition))
        })
    }

    fn holds(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Enumeration(field, value) => {
                matches!(self.attribute(field), Some(Attribute::Name(name)) if name == value)
            }
            Condition::Bool(field, value) => {
                matches!(self.attribute(field), Some(Attribute::Bool(given)) if given == value)
            }
            Condition::Given(field, given) => self.get(field).is_some_and(|drawn| *drawn != Drawn::Absent) == *given,
            Condition::Float(tensor, float) => {
                self.tensor(tensor).is_some_and(|tensor| tensor.data_type.is_float() == *float)
            }
            Condition::Level(level) => self.level >= *level,
        }
    }

    /// Returns the nodes of the function. `None` if the operator has no meaning for these values.
    pub fn nodes(&self) -> Option<Vec<NodeProto>> {
        let mut nodes = Vec::new();
        let scales = matches!(self.attribute(SCALE_BIAS), Some(Attribute::ScaleBias { .. }));
        for (field, drawn) in self.fields {
            let (FieldKind::InputTensor, Drawn::Tensors(tensors)) = (field.kind, drawn) else { continue };
            for (name, tensor) in tensor_names(field, tensors.len()).iter().zip(tensors) {
                let computed = if scales && name == "InputTensor" { "unscaled".to_owned() } else { name.clone() };
                nodes.extend(gathered(tensor, name, &computed));
            }
        }
        if let (true, Some(Attribute::ScaleBias { scale, bias })) = (scales, self.attribute(SCALE_BIAS)) {
            let dtype = dtype(self.tensor("InputTensor")?.data_type)?;
            for (name, number) in [("Scale", scale), ("Bias", bias)] {
                nodes.push(constant(name, floats(dtype, vec![], &[*number])?));
            }
            let step = DirectMl::embedded().scale_bias()?.nodes.iter().map(|statement| statement.filled(&|_| None));
            let mut step = step.collect::<Result<Vec<_>, _>>().ok()?;
            rename_inputs(&mut step, &|name| (name == "InputTensor").then(|| "unscaled".to_owned()));
            nodes.extend(step);
        }
        let mut of_meaning = self.statements()?;
        let fused = match self.attribute(FUSED_ACTIVATION) {
            Some(Attribute::Operator(fused)) => Some(fused),
            _ => None,
        };
        if let Some(fused) = fused {
            let result = "OutputTensor";
            rename_all(&mut of_meaning, &|name| (name == result).then(|| "before_activation".to_owned()));
            nodes.extend(of_meaning);
            let fields: Vec<(&'static Field, Drawn)> = fused
                .operator
                .fields
                .iter()
                .map(|field| {
                    let given = fused.fields.iter().find(|(name, _)| *name == field.name);
                    (field, given.map_or(Drawn::Absent, |(_, value)| Drawn::Attribute(value.clone())))
                })
                .collect();
            let inner = Fields { operator: fused.operator, fields: &fields, level: self.level };
            let mut activation = inner.statements_of(self.element_type())?;
            rename_all(&mut activation, &|name| match name {
                "InputTensor" => Some("before_activation".to_owned()),
                "OutputTensor" | "" => None,
                other => Some(format!("activation_{other}")),
            });
            nodes.extend(activation);
        } else {
            nodes.extend(of_meaning);
        }
        Some(nodes)
    }

    fn statements(&self) -> Option<Vec<NodeProto>> {
        self.statements_of(self.element_type())
    }

    /// Returns the statements of the meaning that are not left out, with a constant for each operand that is no tensor.
    fn statements_of(&self, floating: DType) -> Option<Vec<NodeProto>> {
        let meaning = self.meaning()?;
        let is_absent = |name: &String| self.get(name) == Some(&Drawn::Absent);
        let given = meaning.absent.iter().filter(|(name, _)| is_absent(name));
        let mut constants: Vec<NodeProto> =
            given.map(|(name, value)| constant(name, Tensor::from_i64(*value))).collect();
        let is_replaced = |name: &String| meaning.absent.contains_key(name) && is_absent(name);
        let operands = |name: &String| if is_replaced(name) { vec![name.clone()] } else { self.operands(name) };
        let mut statements = Vec::new();
        let mut seen = BTreeSet::new();
        let (mut computed, mut left_out) = (BTreeSet::new(), BTreeSet::new());
        for statement in &meaning.nodes {
            if statement.when.as_ref().is_some_and(|when| !self.holds(when)) {
                left_out.extend(statement.results());
                continue;
            }
            let mut node = statement.filled(&|name| self.text(name)).ok()?;
            node.input = node.input.iter().flat_map(operands).collect();
            for name in node.input.iter_mut().filter(|name| left_out.contains(*name) && !computed.contains(*name)) {
                name.clear();
            }
            if ["Concat", "Sum"].contains(&node.op_type()) {
                node.input.retain(|name| !name.is_empty());
            }
            while node.input.last().is_some_and(String::is_empty) {
                node.input.pop();
            }
            let takes_nothing = node.op_type() == "Constant";
            if !takes_nothing && node.input.first().is_none_or(String::is_empty) {
                left_out.extend(node.output);
                continue;
            }
            node.output = node.output.iter().flat_map(operands).collect();
            if node.output.iter().all(String::is_empty) {
                continue;
            }
            computed.extend(node.output.iter().cloned());
            for name in &node.input {
                if let Some(attribute) = self.attribute(name).filter(|_| seen.insert(name.clone())) {
                    constants.push(constant(name, value(attribute, floating)?));
                }
            }
            statements.push(node);
        }
        constants.extend(statements);
        Some(constants)
    }

    /// Returns what an operand stands for: all tensors of an array, or nothing if an optional tensor is left out.
    fn operands(&self, name: &str) -> Vec<String> {
        let found = self.fields.iter().find(|(field, _)| field.name == name && field.is_tensor());
        match found {
            Some((field, Drawn::Tensors(tensors))) => tensor_names(field, tensors.len()),
            // The tensors of an operator that is fused are not given, and are not left out either.
            Some((field, Drawn::Absent)) if field.optional => vec![String::new()],
            _ => vec![name.to_owned()],
        }
    }

    /// Returns the text of a placeholder.
    fn text(&self, name: &str) -> Option<String> {
        let Some((field, property)) = name.split_once('.') else { return self.attribute(name)?.text() };
        let ints = |values: Vec<i64>| Attribute::Ints(values).text();
        match (property, self.attribute(field)) {
            ("First", Some(Attribute::Ints(values))) => return values.first().map(i64::to_string),
            ("Activations", Some(Attribute::Operators(called))) => return activations(called),
            ("Direction", Some(Attribute::Name(name))) => return direction(name),
            _ => {}
        }
        let tensor = self.tensor(field)?;
        match property {
            "Sizes" => ints(tensor.sizes.iter().map(|&size| i64::from(size)).collect()),
            "Dimensions" => ints((0..tensor.sizes.len() as i64).collect()),
            "DataType" => Some(dtype(tensor.data_type)?.code().to_string()),
            "Bits" => Some(unsigned(tensor.data_type)?.code().to_string()),
            "Along" => {
                let (Some(Attribute::Int(axis)), Some(Drawn::Tensors(tensors))) =
                    (self.attribute("Axis"), self.get(field))
                else {
                    return None;
                };
                let along = |tensor: &DrawnTensor| tensor.sizes.get(*axis as usize).map(|&size| i64::from(size));
                ints(tensors.iter().map(along).collect::<Option<_>>()?)
            }
            _ => None,
        }
    }
}

/// Returns the attributes by which ONNX's recurrent operators name activations and give their constants. `None` if one of
/// the activations is none of theirs.
fn activations(called: &[Fused]) -> Option<String> {
    let (mut names, mut alphas, mut betas) = (Vec::new(), Vec::new(), Vec::new());
    for fused in called {
        let number = |name: &str| match fused.fields.iter().find(|(field, _)| field == name) {
            Some((_, Attribute::Float(value))) => Some(format!("{value:?}")),
            _ => None,
        };
        let (name, constants) = match fused.operator.short_name().trim_start_matches("ACTIVATION_") {
            "IDENTITY" => ("Affine", vec!["1.0".to_owned(), "0.0".to_owned()]),
            "LINEAR" => ("Affine", vec![number("Alpha")?, number("Beta")?]),
            "SCALED_TANH" => ("ScaledTanh", vec![number("Alpha")?, number("Beta")?]),
            "HARD_SIGMOID" => ("HardSigmoid", vec![number("Alpha")?, number("Beta")?]),
            "ELU" => ("Elu", vec![number("Alpha")?]),
            "LEAKY_RELU" => ("LeakyRelu", vec![number("Alpha")?]),
            "THRESHOLDED_RELU" => ("ThresholdedRelu", vec![number("Alpha")?]),
            "RELU" => ("Relu", vec![]),
            "SIGMOID" => ("Sigmoid", vec![]),
            "SOFTPLUS" if number("Steepness")? == "1.0" => ("Softplus", vec![]),
            "SOFTSIGN" => ("Softsign", vec![]),
            "TANH" => ("Tanh", vec![]),
            _ => return None,
        };
        names.push(format!("\"{name}\""));
        let mut constants = constants.into_iter();
        alphas.extend(constants.next());
        betas.extend(constants.next());
    }
    let lists = [("activations", names), ("activation_alpha", alphas), ("activation_beta", betas)];
    let lists = lists.iter().filter(|(_, values)| !values.is_empty());
    Some(lists.map(|(name, values)| format!("{name} = [{}]", values.join(", "))).collect::<Vec<_>>().join(", "))
}

/// Returns what ONNX calls a `DML_RECURRENT_NETWORK_DIRECTION`, as text of an attribute.
fn direction(name: &str) -> Option<String> {
    let found = match name.rsplit('_').next()? {
        "FORWARD" => "forward",
        "BACKWARD" => "reverse",
        "BIDIRECTIONAL" => "bidirectional",
        _ => return None,
    };
    Some(format!("\"{found}\""))
}

/// Returns the unsigned type with as many bits.
fn unsigned(data_type: TensorDataType) -> Option<DType> {
    match data_type.bits()? {
        8 => Some(DType::Uint8),
        16 => Some(DType::Uint16),
        32 => Some(DType::Uint32),
        64 => Some(DType::Uint64),
        _ => None,
    }
}

/// Returns the nodes that take the elements of a tensor out of its buffer.
fn gathered(tensor: &DrawnTensor, name: &str, computed: &str) -> Vec<NodeProto> {
    let offsets: Vec<i64> = tensor.offsets().into_iter().map(|at| at as i64).collect();
    let sizes: Vec<i64> = tensor.sizes.iter().map(|&size| i64::from(size)).collect();
    let (places, flat, shape) = (format!("{name}_places"), format!("{name}_flat"), format!("{name}_sizes"));
    let mut nodes = vec![
        constant(&places, Tensor::from_i64s(&offsets)),
        constant(&shape, Tensor::from_i64s(&sizes)),
        node("Reshape", &[&flat, &shape], computed),
    ];
    let buffer = buffer_name(name);
    match dtype(tensor.data_type).filter(|dtype| dtype.bits() == Some(4)) {
        // Gather does not take elements of 4 bits.
        Some(narrow) => {
            let (wide, taken) = (format!("{buffer}_wide"), format!("{name}_wide"));
            let way = [cast(&buffer, DType::Int8, &wide), node("Gather", &[&wide, &places], &taken)];
            nodes.splice(1..1, way.into_iter().chain([cast(&taken, narrow, &flat)]));
        }
        None => nodes.insert(1, node("Gather", &[&buffer, &places], &flat)),
    }
    nodes
}

fn cast(input: &str, to: DType, output: &str) -> NodeProto {
    let to = AttributeProto { i: Some(to.code().into()), ..attribute("to", 2) };
    NodeProto { attribute: vec![to], ..node("Cast", &[input], output) }
}

fn node(operator: &str, inputs: &[&str], output: &str) -> NodeProto {
    NodeProto {
        op_type: Some(operator.to_owned()),
        input: inputs.iter().map(|input| (*input).to_owned()).collect(),
        output: vec![output.to_owned()],
        ..NodeProto::default()
    }
}

fn constant(name: &str, tensor: Tensor) -> NodeProto {
    let value = AttributeProto { t: Some(tensor_to_proto(&tensor, "")), ..attribute("value", 4) };
    NodeProto { attribute: vec![value], ..node("Constant", &[], name) }
}

/// Returns numbers as elements. An integer type has only whole numbers.
fn floats(dtype: DType, shape: Vec<usize>, values: &[f32]) -> Option<Tensor> {
    if !dtype.is_float() {
        let values: Option<Vec<i128>> = values.iter().map(|v| (v.fract() == 0.0).then_some(*v as i128)).collect();
        return Tensor::from_i128s(dtype, shape, &values?).ok();
    }
    let values: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
    Tensor::from_f64s(dtype, shape, &values).ok()
}

/// Returns the value of a field as an operand.
fn value(attribute: &Attribute, floating: DType) -> Option<Tensor> {
    match attribute {
        Attribute::Int(value) => Some(Tensor::from_i64(*value)),
        Attribute::Ints(values) => Some(Tensor::from_i64s(values)),
        Attribute::Float(value) => floats(floating, vec![], &[*value]),
        Attribute::Floats(values) => floats(floating, vec![values.len()], values),
        Attribute::Bool(value) => Tensor::from_bits(DType::Bool, vec![], std::iter::once(u64::from(*value))).ok(),
        Attribute::Scalar(data_type, bits) => scalar(*data_type, *bits),
        Attribute::Name(_)
        | Attribute::Size2d { .. }
        | Attribute::ScaleBias { .. }
        | Attribute::Operator(_)
        | Attribute::Operators(_) => None,
    }
}

fn scalar(data_type: TensorDataType, bits: u64) -> Option<Tensor> {
    Tensor::from_bits(dtype(data_type)?, vec![], std::iter::once(bits)).ok()
}

fn rename_inputs(nodes: &mut [NodeProto], new: &dyn Fn(&str) -> Option<String>) {
    for name in nodes.iter_mut().flat_map(|node| &mut node.input) {
        if let Some(new) = new(name) {
            *name = new;
        }
    }
}

fn rename_all(nodes: &mut [NodeProto], new: &dyn Fn(&str) -> Option<String>) {
    rename_inputs(nodes, new);
    for name in nodes.iter_mut().flat_map(|node| &mut node.output) {
        if let Some(new) = new(name) {
            *name = new;
        }
    }
}

//! Forms: the different ways to put the same node and values into a model.
//!
//! A recipe draws the types, attributes and values of a case. What a backend does depends on the form as well: it folds
//! constants, packs weights, plans for extents that it does not know, and inlines functions. So only every second valid
//! case of a cell stays as its recipe drew it; the others take turns among the remaining forms. A feature of the case
//! names the form.

mod defaults;

use plumbline_spec::{Spec, TypeStr};
use plumbline_tensor::onnx::{
    AttributeProto, FunctionProto, GraphProto, NodeProto, TensorProto, TensorShapeProto, TensorShapeProtoDimension,
    TensorShapeProtoDimensionValue, TypeProtoValue, ValueInfoProto,
};
use plumbline_tensor::{DType, Value, tensor_to_proto};

use crate::body::takes;
use crate::case::{Case, Form};
use crate::declarations::{IR_OF_FREE_INITIALIZERS, import, opset_of_release};

/// The first IR version in which a model can hold functions of its own.
const IR_OF_FUNCTIONS: i64 = 8;

/// The domain of the function that wraps a case.
const FUNCTION_DOMAIN: &str = "plumbline";

/// Names for extents, given out in this order.
const EXTENTS: [&str; 8] = ["N", "C", "H", "W", "M", "K", "L", "P"];

/// The shape of an output; `None` for an extent that the specification leaves open.
pub type OutputShape = Vec<Option<usize>>;

/// How much a model declares about the extents of its outputs. It always declares their rank, as ONNX asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Declared {
    Numbers,
    Names,
    Nothing,
}

impl Case {
    /// Returns the forms that this case can have.
    pub fn forms(&self) -> Vec<Form> {
        Form::ALL.into_iter().filter(|form| self.has_form(*form)).collect()
    }

    fn has_form(&self, form: Form) -> bool {
        let proto = &self.model.proto;
        let free = proto.ir_version >= Some(IR_OF_FREE_INITIALIZERS);
        let tensors = || self.inputs.iter().filter_map(Value::as_tensor);
        match form {
            Form::AsDrawn => true,
            // A negative case keeps its form: another form could add a second reason to refuse it.
            _ if self.violates.is_some() => false,
            Form::Initializers => free && tensors().next().is_some(),
            Form::DefaultInputs => tensors().next().is_some(),
            Form::Weights => self.inputs.first().is_some_and(|v| v.as_tensor().is_some()) && tensors().nth(1).is_some(),
            Form::ConstantNodes => self.constant_opset().is_some_and(|opset| {
                let constant = |t: &plumbline_tensor::Tensor| takes("Constant", opset, &TypeStr::Tensor(t.dtype()));
                tensors().any(constant)
            }),
            Form::SymbolicExtents => self.inputs.iter().enumerate().any(|(at, v)| has_names(at, v)),
            Form::Function => true,
            Form::GivenDefaults => !self.left_to_default().is_empty(),
        }
    }

    /// Returns the `ai.onnx` opset of the `Constant` nodes that are added beside the operator.
    fn constant_opset(&self) -> Option<u32> {
        let proto = &self.model.proto;
        let imported = proto.opset_import.iter().find(|i| i.domain.as_deref().unwrap_or("").is_empty());
        match imported.and_then(|i| i.version) {
            Some(version) => u32::try_from(version).ok(),
            None => opset_of_release(&self.version.domain, self.version.since).and_then(|v| u32::try_from(v).ok()),
        }
    }

    /// Returns the form of case `index` of a cell. Negative cases and every second valid case are as drawn. The rest of
    /// the valid cases take turns among the other forms, as far as a case can have them.
    pub(crate) fn form_at(&self, index: u64, cell: u64) -> Form {
        if index.is_multiple_of(2) {
            return Form::AsDrawn;
        }
        let others = &Form::ALL[1..];
        let turn = ((index / 2).wrapping_add(cell) % others.len() as u64) as usize;
        let from_turn = others[turn..].iter().chain(&others[..turn]);
        from_turn.copied().find(|form| self.has_form(*form)).unwrap_or_default()
    }

    /// Puts the model and the inputs into the case's form, and declares the outputs: always their rank, and their
    /// extents where the hash of the id says so. `outputs` has the shape of each output that is a tensor; an extent
    /// that the specification leaves open is `None`.
    pub fn in_form(mut self, outputs: &[Option<OutputShape>]) -> Case {
        let h = crate::cell::hash(&crate::plan::seed_of(&self.id)).rotate_left(17);
        self.declare_outputs(outputs, h);
        match self.form {
            Form::AsDrawn => {}
            Form::Initializers => self.make_constant(false, |_| true),
            Form::DefaultInputs => self.make_constant(true, |_| true),
            Form::Weights => {
                self.make_constant(false, |at| at > 0);
                if names_beside_weights(h) {
                    self.name_all_extents(h & 8 != 0);
                }
            }
            Form::ConstantNodes => self.make_constant_nodes(),
            Form::SymbolicExtents => self.name_all_extents(h & 8 != 0),
            Form::Function => self.wrap_in_function(),
            Form::GivenDefaults => {
                let left = self.left_to_default();
                if let Some(node) = self.graph_mut().node.last_mut() {
                    node.attribute.extend(left);
                }
            }
        }
        self
    }

    /// Turns these inputs of the operator into initializers, for a backend that accepts them only as constants. Inputs
    /// that are not tensors, or that the case leaves out, stay as they are.
    pub fn with_constants(mut self, names: &[String]) -> Case {
        let Some(last) = self.model.graph().node.last() else { return self };
        // If a function wraps the operator, the inputs have the same names inside and outside of it. The function
        // takes only the inputs that the case gives, so an input's place in the call may differ from its place in the
        // operator.
        let functions = &self.model.proto.functions;
        let wrapped = functions.iter().find(|f| f.domain == last.domain && f.name == last.op_type);
        let node = wrapped.and_then(|function| function.node.last()).unwrap_or(last);
        let Some(version) = Spec::embedded().version(&self.version) else { return self };
        let mut wanted: Vec<String> = Vec::new();
        for (at, name) in node.input.iter().enumerate() {
            let formal = version.inputs.get(at).or(version.inputs.last());
            if formal.is_some_and(|f| names.contains(&f.name)) {
                wanted.push(name.clone());
            }
        }
        let inputs: Vec<String> = self.model.input_names().into_iter().map(str::to_owned).collect();
        self.make_constant(false, |at| inputs.get(at).is_some_and(|name| wanted.contains(name)));
        self
    }

    fn graph_mut(&mut self) -> &mut GraphProto {
        self.model.proto.graph.get_or_insert_default()
    }

    /// Removes the tensors at the `wanted` places from the run-time inputs, and returns them.
    fn take_tensors(&mut self, wanted: impl Fn(usize) -> bool) -> Vec<TensorProto> {
        let names: Vec<String> = self.model.input_names().into_iter().map(str::to_owned).collect();
        let (mut taken, mut left) = (Vec::new(), Vec::new());
        for (at, (name, value)) in names.iter().zip(std::mem::take(&mut self.inputs)).enumerate() {
            match value {
                Value::Tensor(tensor) if wanted(at) => taken.push(tensor_to_proto(&tensor, name)),
                other => left.push(other),
            }
        }
        self.inputs = left;
        taken
    }

    /// Turns the `wanted` inputs into initializers. If `as_inputs` is set, and always before IR version 4, they also
    /// stay inputs of the graph.
    fn make_constant(&mut self, as_inputs: bool, wanted: impl Fn(usize) -> bool) {
        let free = self.model.proto.ir_version >= Some(IR_OF_FREE_INITIALIZERS);
        let taken = self.take_tensors(wanted);
        let graph = self.graph_mut();
        if free && !as_inputs {
            graph.input.retain(|i| !taken.iter().any(|t| t.name == i.name));
        }
        graph.initializer.extend(taken);
    }

    fn make_constant_nodes(&mut self) {
        let Some(opset) = self.constant_opset() else { return };
        let possible: Vec<bool> = (self.inputs.iter())
            .map(|v| v.as_tensor().is_some_and(|t| takes("Constant", opset, &TypeStr::Tensor(t.dtype()))))
            .collect();
        let taken = self.take_tensors(|at| possible[at]);
        let imports = &mut self.model.proto.opset_import;
        if !imports.iter().any(|i| i.domain.as_deref().unwrap_or("").is_empty()) {
            imports.push(import("", i64::from(opset)));
        }
        let graph = self.graph_mut();
        graph.input.retain(|i| !taken.iter().any(|t| t.name == i.name));
        let constant = |tensor: TensorProto| {
            let name = tensor.name.clone().unwrap_or_default();
            let value = AttributeProto {
                name: Some("value".to_owned()),
                t: Some(TensorProto { name: None, ..tensor }),
                r#type: Some(4),
                ..AttributeProto::default()
            };
            NodeProto {
                op_type: Some("Constant".to_owned()),
                output: vec![name],
                attribute: vec![value],
                ..NodeProto::default()
            }
        };
        graph.node.splice(0..0, taken.into_iter().map(constant));
    }

    /// Replaces extents of the inputs that come at run time by the names that `name_of` gives them. Returns whether there
    /// are any.
    pub fn name_extents(&mut self, mut name_of: impl FnMut(usize) -> Option<String>) -> bool {
        let given: Vec<String> = self.model.input_names().into_iter().map(str::to_owned).collect();
        let wanted = |i: &&mut ValueInfoProto| i.name.as_ref().is_some_and(|name| given.contains(name));
        let named: Vec<bool> = self.inputs.iter().enumerate().map(|(at, value)| has_names(at, value)).collect();
        let inputs = self.graph_mut().input.iter_mut().filter(wanted);
        let mut some = false;
        for (_, info) in inputs.enumerate().filter(|(at, _)| named.get(*at) == Some(&true)) {
            let Some(TypeProtoValue::TensorType(tensor)) = info.r#type.as_mut().and_then(|t| t.value.as_mut()) else {
                continue;
            };
            for dim in tensor.shape.iter_mut().flat_map(|shape| &mut shape.dim) {
                let Some(TensorShapeProtoDimensionValue::DimValue(extent)) = dim.value else { continue };
                if let Some(name) = usize::try_from(extent).ok().and_then(&mut name_of) {
                    dim.value = Some(TensorShapeProtoDimensionValue::DimParam(name));
                    some = true;
                }
            }
        }
        some
    }

    /// Replaces the extents of the inputs by names. If `shared` is set, equal extents get the same name; otherwise each
    /// extent gets a name of its own.
    fn name_all_extents(&mut self, shared: bool) {
        let mut seen: Vec<usize> = Vec::new();
        self.name_extents(|extent| {
            let at = match seen.iter().position(|e| shared && *e == extent) {
                Some(at) => at,
                None => {
                    seen.push(extent);
                    seen.len() - 1
                }
            };
            Some(EXTENTS.get(at).map_or_else(|| format!("D{at}"), |name| (*name).to_owned()))
        });
    }

    /// Moves the nodes into a function that the model defines. One node stays in the graph: the call of that function.
    fn wrap_in_function(&mut self) {
        let name = self.version.name.clone();
        let proto = &mut self.model.proto;
        proto.ir_version = Some(proto.ir_version.unwrap_or(0).max(IR_OF_FUNCTIONS));
        let mut function = FunctionProto {
            name: Some(format!("Wrapped{name}")),
            domain: Some(FUNCTION_DOMAIN.to_owned()),
            opset_import: proto.opset_import.clone(),
            ..FunctionProto::default()
        };
        proto.opset_import.push(import(FUNCTION_DOMAIN, 1));
        let graph = proto.graph.get_or_insert_default();
        let inputs = graph.input.iter().filter_map(|i| i.name.clone());
        let constants = graph.initializer.iter().filter_map(|t| t.name.clone());
        for name in inputs.chain(constants) {
            if !function.input.contains(&name) {
                function.input.push(name);
            }
        }
        function.output = graph.output.iter().filter_map(|o| o.name.clone()).collect();
        let call = NodeProto {
            op_type: function.name.clone(),
            domain: function.domain.clone(),
            input: function.input.clone(),
            output: function.output.clone(),
            ..NodeProto::default()
        };
        function.node = std::mem::replace(&mut graph.node, vec![call]);
        proto.functions.push(function);
    }

    /// Declares the shapes of those outputs that have none yet.
    fn declare_outputs(&mut self, shapes: &[Option<OutputShape>], h: u64) {
        // If the inputs have named extents, the extents of the outputs are not declared as numbers.
        let named = self.form == Form::SymbolicExtents
            || self.form == Form::Weights && names_beside_weights(h)
            || self.model.graph().input.iter().any(has_named_extent);
        let declared = match h % 4 {
            0 | 1 if !named => Declared::Numbers,
            0 | 2 => Declared::Names,
            _ => Declared::Nothing,
        };
        let mut names = 0;
        for (info, shape) in self.graph_mut().output.iter_mut().zip(shapes) {
            let Some(TypeProtoValue::TensorType(tensor)) = info.r#type.as_mut().and_then(|t| t.value.as_mut()) else {
                continue;
            };
            let (None, Some(shape)) = (&tensor.shape, shape) else { continue };
            let dim = |extent: &Option<usize>| {
                let value = match declared {
                    Declared::Numbers => extent.map(|extent| TensorShapeProtoDimensionValue::DimValue(extent as i64)),
                    Declared::Names => {
                        names += 1;
                        Some(TensorShapeProtoDimensionValue::DimParam(format!("out_{names}")))
                    }
                    Declared::Nothing => None,
                };
                TensorShapeProtoDimension { value, denotation: None }
            };
            tensor.shape = Some(TensorShapeProto { dim: shape.iter().map(dim).collect() });
        }
    }
}

/// Returns whether an extent of an input has a name.
fn has_named_extent(info: &ValueInfoProto) -> bool {
    let Some(TypeProtoValue::TensorType(tensor)) = info.r#type.as_ref().and_then(|t| t.value.as_ref()) else {
        return false;
    };
    let is_name =
        |dim: &TensorShapeProtoDimension| matches!(dim.value, Some(TensorShapeProtoDimensionValue::DimParam(_)));
    tensor.shape.iter().flat_map(|shape| &shape.dim).any(is_name)
}

/// Returns whether the extents of an input may be names. Lists of integers after the first input are sizes, axes and
/// the like, and exporters know how long they are.
fn has_names(at: usize, value: &Value) -> bool {
    value.as_tensor().is_some_and(|t| {
        let list = t.rank() == 1 && [DType::Int32, DType::Int64].contains(&t.dtype());
        t.rank() > 0 && !(at > 0 && list)
    })
}

/// Returns whether a case with constant weights names the extents of its other inputs.
fn names_beside_weights(h: u64) -> bool {
    h & 4 != 0
}

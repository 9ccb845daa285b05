//! Forms: the ways in which one and the same node and its values stand in a model.
//!
//! A recipe draws what a case is about: the operator, its types, attributes and values. A backend sees more than that. It folds what is
//! constant, packs weights, plans for extents that it does not know, inlines functions. So every second case of a cell is put into one of the
//! forms that its opset and IR version allow, in turn, and the features of the case name it.

mod defaults;

use plumbline_spec::{Spec, TypeStr};
use plumbline_tensor::onnx::{
    AttributeProto, FunctionProto, GraphProto, NodeProto, TensorProto, TensorShapeProto, TensorShapeProtoDimension,
    TensorShapeProtoDimensionValue, TypeProtoValue, ValueInfoProto,
};
use plumbline_tensor::{DType, Value, tensor_to_proto};

use crate::body::takes;
use crate::case::{Case, IR_OF_FREE_INITIALIZERS, import, opset_of_release};

/// IR version from which a model holds functions of its own.
const IR_OF_FUNCTIONS: i64 = 8;

/// Domain of the function that a case is wrapped in.
const FUNCTION_DOMAIN: &str = "plumbline";

/// Names for extents, in the order in which they appear.
const EXTENTS: [&str; 8] = ["N", "C", "H", "W", "M", "K", "L", "P"];

/// How the inputs, attributes and node of a case are put into a model. The operator, the types and the values are the same in every form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// As the recipe drew it: inputs come at run time, but for a few that hold shapes, axes or counts.
    #[default]
    AsDrawn,
    /// All tensors are initializers that are not inputs of the graph (from IR version 4), so that the whole graph can be folded.
    Initializers,
    /// All tensors are inputs of the graph that have an initializer as their default.
    DefaultInputs,
    /// All tensors but the first are initializers, as the weights of a layer are.
    Weights,
    /// All tensors come from `Constant` nodes.
    ConstantNodes,
    /// The extents of the inputs have names instead of numbers, one name for equal extents.
    SymbolicExtents,
    /// The node stands in a function of the model's own (from IR version 8).
    Function,
    /// Attributes that the case leaves to their defaults are given with the same values.
    GivenDefaults,
}

impl Form {
    /// All forms, the plainest first.
    pub const ALL: [Form; 8] = [
        Form::AsDrawn,
        Form::Initializers,
        Form::DefaultInputs,
        Form::Weights,
        Form::ConstantNodes,
        Form::SymbolicExtents,
        Form::Function,
        Form::GivenDefaults,
    ];

    /// Its name in features and reports.
    pub fn name(self) -> &'static str {
        match self {
            Form::AsDrawn => "as drawn",
            Form::Initializers => "initializers",
            Form::DefaultInputs => "inputs with initializers",
            Form::Weights => "constant weights",
            Form::ConstantNodes => "constant nodes",
            Form::SymbolicExtents => "symbolic extents",
            Form::Function => "function",
            Form::GivenDefaults => "defaults given",
        }
    }

    /// The feature of a case in this form.
    pub fn feature(self) -> String {
        format!("form {}", self.name())
    }
}

impl std::fmt::Display for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The extents of an output, as far as they are certain.
pub type OutputShape = Vec<Option<usize>>;

/// How much a model says of the extents of its outputs. Their rank it always says, as ONNX asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Declared {
    Numbers,
    Names,
    Nothing,
}

impl Case {
    /// The forms that this case can have.
    pub fn forms(&self) -> Vec<Form> {
        Form::ALL.into_iter().filter(|form| self.has_form(*form)).collect()
    }

    fn has_form(&self, form: Form) -> bool {
        let proto = &self.model.proto;
        let free = proto.ir_version >= Some(IR_OF_FREE_INITIALIZERS);
        let tensors = || self.inputs.iter().filter_map(Value::as_tensor);
        match form {
            Form::AsDrawn => true,
            // What is invalid stays as it was drawn: a form must not add a second reason to refuse it.
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

    /// The opset of `ai.onnx` that nodes beside the operator are of.
    fn constant_opset(&self) -> Option<u32> {
        let proto = &self.model.proto;
        let imported = proto.opset_import.iter().find(|i| i.domain.as_deref().unwrap_or("").is_empty());
        match imported.and_then(|i| i.version) {
            Some(version) => u32::try_from(version).ok(),
            None => opset_of_release(&self.version.domain, self.version.since).and_then(|v| u32::try_from(v).ok()),
        }
    }

    /// The form of case `index` of a cell: every second case is as drawn, and the others take turns at what else there is.
    pub(crate) fn form_at(&self, index: u64, cell: u64) -> Form {
        if index.is_multiple_of(2) {
            return Form::AsDrawn;
        }
        let others = &Form::ALL[1..];
        let turn = ((index / 2).wrapping_add(cell) % others.len() as u64) as usize;
        let from_turn = others[turn..].iter().chain(&others[..turn]);
        from_turn.copied().find(|form| self.has_form(*form)).unwrap_or_default()
    }

    /// The model and inputs in the case's form, with the outputs declared: rank, and where the id draws it so, extents. `outputs` has the
    /// shape of each output that is a tensor, in which an extent is missing that the specification leaves open.
    pub fn in_form(mut self, outputs: &[Option<OutputShape>]) -> Case {
        let h = crate::plan::hash(&crate::plan::seed_of(&self.id)).rotate_left(17);
        self.declare_outputs(outputs, h);
        match self.form {
            Form::AsDrawn => {}
            Form::Initializers => self.make_constant(false, |_| true),
            Form::DefaultInputs => self.make_constant(true, |_| true),
            Form::Weights => {
                self.make_constant(false, |at| at > 0);
                if names_beside_weights(h) {
                    self.name_extents(h & 8 != 0);
                }
            }
            Form::ConstantNodes => self.make_constant_nodes(),
            Form::SymbolicExtents => self.name_extents(h & 8 != 0),
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

    /// The model and inputs with these inputs of the operator as initializers, for a backend that takes them no other way. Those that
    /// are no tensors, or that the case leaves out, stay as they are.
    pub fn with_constants(mut self, names: &[String]) -> Case {
        let Some(node) = self.model.graph().node.last() else { return self };
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

    /// Takes the inputs whose place is `wanted` and that are tensors out of those that come at run time.
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

    /// Makes initializers of inputs. Before IR version 4 they are inputs of the graph as well, whatever `as_inputs` says.
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

    /// Gives the extents of the inputs names in place of numbers: the same for equal ones where `shared`, otherwise one for each.
    fn name_extents(&mut self, shared: bool) {
        let given: Vec<String> = self.model.input_names().into_iter().map(str::to_owned).collect();
        let mut seen: Vec<i64> = Vec::new();
        let wanted = |i: &&mut ValueInfoProto| i.name.as_ref().is_some_and(|name| given.contains(name));
        let named: Vec<bool> = self.inputs.iter().enumerate().map(|(at, value)| has_names(at, value)).collect();
        let inputs = self.graph_mut().input.iter_mut().filter(wanted);
        for (_, info) in inputs.enumerate().filter(|(at, _)| named.get(*at) == Some(&true)) {
            let Some(TypeProtoValue::TensorType(tensor)) = info.r#type.as_mut().and_then(|t| t.value.as_mut()) else {
                continue;
            };
            for dim in tensor.shape.iter_mut().flat_map(|shape| &mut shape.dim) {
                let Some(TensorShapeProtoDimensionValue::DimValue(extent)) = dim.value else { continue };
                let at = match seen.iter().position(|e| shared && *e == extent) {
                    Some(at) => at,
                    None => {
                        seen.push(extent);
                        seen.len() - 1
                    }
                };
                let name = EXTENTS.get(at).map_or_else(|| format!("D{at}"), |name| (*name).to_owned());
                dim.value = Some(TensorShapeProtoDimensionValue::DimParam(name));
            }
        }
    }

    /// Moves the nodes into a function of the model's own; the graph has one node, which calls it.
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

    /// Declares the shapes of the outputs that have none yet.
    fn declare_outputs(&mut self, shapes: &[Option<OutputShape>], h: u64) {
        // Where the extents of the inputs have names, those of the outputs are not fixed either.
        let named = self.form == Form::SymbolicExtents || self.form == Form::Weights && names_beside_weights(h);
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

/// Whether the extents of an input may have names. Lists of integers behind the first input are sizes, axes and the like, whose length exporters
/// know.
fn has_names(at: usize, value: &Value) -> bool {
    value.as_tensor().is_some_and(|t| {
        let list = t.rank() == 1 && [DType::Int32, DType::Int64].contains(&t.dtype());
        t.rank() > 0 && !(at > 0 && list)
    })
}

/// Whether a case with constant weights names the extents of its other inputs.
fn names_beside_weights(h: u64) -> bool {
    h & 4 != 0
}

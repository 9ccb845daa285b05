//! Test cases, and how a finished draw becomes one.

use std::collections::BTreeMap;

use plumbline_spec::Label;
use plumbline_spec::{FormalOption, OperatorId, Opsets, Release};
use plumbline_tensor::onnx::{
    GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorShapeProto, TensorShapeProtoDimension,
    TensorShapeProtoDimensionValue, TypeProtoValue, ValueInfoProto,
};
use plumbline_tensor::{Model, Value, ValueKind, tensor_to_proto};

use crate::choices::Sequence;
use crate::draw::Draw;
use crate::form::Form;

/// A model of one operator, with the values of its inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The stable id: `Min-13/T=float16/17@0`. The id of a negative case also names the violated constraint
    /// (`Min-13/T=float16/shapes-broadcast/3@0`).
    pub id: String,
    /// The operator version that the case tests.
    pub version: OperatorId,
    /// The type that each type variable is bound to: `T` -> `float16`. Types other than tensors are written in full:
    /// `seq(tensor(float))`.
    pub types: BTreeMap<String, String>,
    /// The model.
    pub model: Model,
    /// The input values, in the order of [`Model::input_names`].
    pub inputs: Vec<Value>,
    /// The features of this case, by name: properties that coverage counts.
    pub features: Vec<String>,
    /// The constraint that the case violates, if it is negative.
    pub violates: Option<Label>,
    /// The form that [`Case::in_form`] puts the model into.
    pub form: Form,
    /// The choices that the case was drawn with.
    pub choices: Sequence,
}

/// One input as a recipe gives it.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub formal: String,
    pub value: Option<Value>,
    /// The name of the value of the enclosing graph that the node takes, for an input without a value of its own. Empty
    /// for an input that is left out.
    pub around: String,
    pub constant: bool,
}

/// The IR version from which on an initializer need not also be a graph input.
pub(crate) const IR_OF_FREE_INITIALIZERS: i64 = 4;

impl Draw<'_> {
    /// Builds the case from what has been drawn.
    pub(crate) fn into_case(mut self, id: String) -> Case {
        let version = self.version;
        self.note_given();
        let mut model = ModelProto {
            ir_version: Some(ir_version(&version.id.domain, version.since())),
            opset_import: opset_import(
                &version.id.domain,
                version.since(),
                !self.before.is_empty() || self.attributes.iter().any(|a| a.g.is_some()),
            ),
            producer_name: Some("plumbline".to_owned()),
            ..ModelProto::default()
        };
        let mut graph = GraphProto { name: Some(version.id.to_string()), ..GraphProto::default() };
        let mut node = NodeProto {
            op_type: Some(version.id.name.clone()),
            attribute: std::mem::take(&mut self.attributes),
            ..NodeProto::default()
        };
        if version.id.domain != "ai.onnx" {
            node.domain = Some(version.id.domain.clone());
        }
        let mut inputs = Vec::new();
        for formal in &version.inputs {
            let given: Vec<Input> = self.inputs.iter().filter(|i| i.formal == formal.name).cloned().collect();
            let variadic = formal.option == FormalOption::Variadic;
            if given.is_empty() && !variadic {
                node.input.push(String::new());
            }
            for (number, input) in given.into_iter().enumerate() {
                let name = if variadic { format!("{}_{number}", formal.name) } else { formal.name.clone() };
                let Some(value) = input.value else {
                    node.input.push(input.around);
                    continue;
                };
                node.input.push(name.clone());
                let initializer = input.constant && model.ir_version >= Some(IR_OF_FREE_INITIALIZERS);
                match (&value, initializer) {
                    (Value::Tensor(tensor), true) => graph.initializer.push(tensor_to_proto(tensor, &name)),
                    _ => {
                        graph.input.push(value_info(&name, &value.kind(), shape_of(&value)));
                        inputs.push(value);
                    }
                }
            }
        }
        while node.input.last().is_some_and(String::is_empty) {
            node.input.pop();
        }
        for Input { formal: name, value, constant, .. } in std::mem::take(&mut self.outer) {
            let initializer = constant && model.ir_version >= Some(IR_OF_FREE_INITIALIZERS);
            match (value, initializer) {
                (Some(Value::Tensor(tensor)), true) => graph.initializer.push(tensor_to_proto(&tensor, &name)),
                (Some(value), _) => {
                    graph.input.push(value_info(&name, &value.kind(), shape_of(&value)));
                    inputs.push(value);
                }
                (None, _) => {}
            }
        }
        let single = version.outputs.iter().filter(|o| o.option != FormalOption::Variadic).count();
        let named = self.outputs.clone().unwrap_or_else(|| vec![true; single.max(1)]);
        for (position, named) in named.into_iter().enumerate() {
            if !named {
                node.output.push(String::new());
                continue;
            }
            let formal = version.outputs.get(position).or(version.outputs.last());
            let mut name = formal.map_or("output".to_owned(), |o| o.name.clone());
            if formal.is_some_and(|o| o.option == FormalOption::Variadic) {
                name = format!("{name}_{position}");
            }
            // Some operators have an output with the same name as an input.
            if node.input.contains(&name) {
                name.push_str("_out");
            }
            let kind = self.output_kind(position);
            graph.output.push(value_info(&name, &kind, None));
            node.output.push(name);
        }
        while node.output.last().is_some_and(String::is_empty) {
            node.output.pop();
        }
        graph.node = std::mem::take(&mut self.before);
        graph.node.push(node);
        model.graph = Some(graph);
        let types =
            self.binding.iter().map(|(variable, bound)| (variable.clone(), short_type(&bound.to_string()))).collect();
        Case {
            id,
            version: version.id.clone(),
            types,
            model: Model { proto: model },
            inputs,
            features: self.features,
            violates: self.violates,
            form: Form::AsDrawn,
            choices: self.choices.into_made(),
        }
    }

    /// Notes the features that follow from the specification alone: whether each attribute and each optional input is
    /// given or left out, and the rank of the first input.
    fn note_given(&mut self) {
        for attribute in &self.version.attributes {
            let given = self.attributes.iter().any(|a| a.name.as_deref() == Some(&attribute.name));
            self.feature(&format!("attribute {} {}", attribute.name, if given { "given" } else { "omitted" }));
        }
        for formal in self.version.inputs.iter().filter(|f| f.option == FormalOption::Optional) {
            let given = self.inputs.iter().any(|i| i.formal == formal.name && i.value.is_some());
            self.feature(&format!("input {} {}", formal.name, if given { "given" } else { "omitted" }));
        }
        let rank = self.inputs.first().and_then(|i| i.value.as_ref()).and_then(Value::as_tensor).map(|t| t.rank());
        if let Some(rank) = rank {
            self.feature(&format!("rank {rank}"));
        }
        self.note_sizes();
    }
}

impl Draw<'_> {
    /// Notes the features that describe the sizes of the inputs.
    fn note_sizes(&mut self) {
        let values = self.inputs.iter().chain(&self.outer).filter_map(|input| input.value.as_ref());
        let shapes: Vec<Vec<usize>> = values.flat_map(shapes_in).collect();
        let any = |of: fn(&[usize]) -> bool| shapes.iter().any(|shape| of(shape));
        let sizes: [(&str, bool); 5] = [
            ("empty extent", any(|shape| shape.contains(&0))),
            ("an extent of 8 to 65", any(|shape| shape.iter().any(|extent| (8..=65).contains(extent)))),
            ("an extent beyond 1,024", any(|shape| shape.iter().any(|&extent| extent > 1024))),
            ("more than 65,536 elements", any(|shape| shape.iter().product::<usize>() > 65_536)),
            ("more than six dimensions", any(|shape| shape.len() > 6)),
        ];
        sizes.into_iter().filter(|(_, has)| *has).for_each(|(name, _)| self.feature(name));
    }
}

/// Returns the short name of a type: `tensor(float16)` becomes `float16`; other types stay as they are.
pub fn short_type(type_: &str) -> String {
    match type_.strip_prefix("tensor(").and_then(|t| t.strip_suffix(')')) {
        Some(dtype) => dtype.to_owned(),
        None => type_.to_owned(),
    }
}

fn shape_of(value: &Value) -> Option<&[usize]> {
    value.as_tensor().map(|t| t.shape())
}

/// Returns the shapes of all tensors in a value. A map counts as a list with one element for each key.
fn shapes_in(value: &Value) -> Vec<Vec<usize>> {
    match value {
        Value::Tensor(tensor) => vec![tensor.shape().to_vec()],
        Value::Sequence { items, .. } => items.iter().flat_map(shapes_in).collect(),
        Value::Optional { item, .. } => item.iter().flat_map(|item| shapes_in(item)).collect(),
        Value::Map { items, .. } => vec![vec![items.len()]],
        Value::SparseTensor(tensor) => vec![tensor.shape().to_vec()],
    }
}

/// Returns the oldest release of ONNX that has this opset. The releases do not count the opsets of `ai.onnx.preview`;
/// for these it is the newest release. They list the training operators under their later domain, `ai.onnx.training`.
fn release(domain: &str, since: u32) -> Option<&'static Release> {
    let opsets = Opsets::embedded();
    let domain = if domain == "ai.onnx.preview.training" { "ai.onnx.training" } else { domain };
    let preview = || opsets.releases.last().filter(|_| domain == "ai.onnx.preview");
    opsets.release_of(domain, i64::from(since)).or_else(preview)
}

/// Returns the IR version of that release, which every reader of the opset understands.
fn ir_version(domain: &str, since: u32) -> i64 {
    release(domain, since).map_or(3, |release| release.ir)
}

/// Returns the opset of `ai.onnx` in the release that has this opset of another domain.
pub(crate) fn opset_of_release(domain: &str, since: u32) -> Option<i64> {
    release(domain, since).and_then(|r| r.opsets.get("ai.onnx")).copied()
}

/// Returns the import of one version of a domain, for a model.
pub(crate) fn import(domain: &str, version: i64) -> OperatorSetIdProto {
    OperatorSetIdProto { domain: Some(domain.to_owned()), version: Some(version) }
}

/// Returns the imports of a model. The first is the opset of the operator. An operator of another domain may also need
/// the `ai.onnx` opset of the same release, for other nodes and for graphs in attributes (`graphs`), and in
/// `ai.onnx.preview` for function bodies.
fn opset_import(domain: &str, since: u32, graphs: bool) -> Vec<OperatorSetIdProto> {
    if domain == "ai.onnx" {
        return vec![import("", i64::from(since))];
    }
    let mut imports = vec![import(domain, i64::from(since))];
    let release = release(domain, since).filter(|_| graphs || domain == "ai.onnx.preview");
    imports.extend(release.and_then(|r| r.opsets.get("ai.onnx")).map(|&version| import("", version)));
    imports
}

/// Returns the declaration of a graph's input or output: its name, its type and, for a tensor, its shape if that is
/// known.
pub fn value_info(name: &str, kind: &ValueKind, shape: Option<&[usize]>) -> ValueInfoProto {
    let mut type_ = kind.to_proto();
    if let (Some(TypeProtoValue::TensorType(tensor)), Some(shape)) = (&mut type_.value, shape) {
        let dim = |&extent: &usize| TensorShapeProtoDimension {
            value: Some(TensorShapeProtoDimensionValue::DimValue(extent as i64)),
            denotation: None,
        };
        tensor.shape = Some(TensorShapeProto { dim: shape.iter().map(dim).collect() });
    }
    ValueInfoProto { name: Some(name.to_owned()), r#type: Some(type_), ..ValueInfoProto::default() }
}

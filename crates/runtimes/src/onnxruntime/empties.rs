//! Empty sequences and optionals without a value as inputs. ONNX Runtime's interface cannot make them, but its operators
//! `SequenceEmpty` and `Optional` can. So a model gets such values from nodes of its own: an input with an empty value is
//! no longer an input, and its name is that of the output of a node at the start of the graph. All other nodes stay as
//! they are.

use std::ffi::CString;

use plumbline_spec::canonical_domain;
use plumbline_tensor::onnx::{AttributeProto, NodeProto, TypeProtoValue};
use plumbline_tensor::{Model, Value, ValueKind, onnx};

use super::status::Error;
use super::values::to_ort;
use super::{api, refusal};
use crate::Refusal;

/// The oldest opsets of `ai.onnx` with the operators that make empty values.
const SEQUENCE_EMPTY: i64 = 11;
const OPTIONAL: i64 = 15;

/// The codes of `AttributeProto.AttributeType`.
const INT: i32 = 2;
const TYPE_PROTO: i32 = 13;

/// Returns whether nodes have to make this value, because ONNX Runtime's interface cannot.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Sequence { items, .. } => items.is_empty(),
        Value::Optional { item, .. } => item.as_ref().is_none_or(|item| is_empty(item)),
        _ => false,
    }
}

/// A session of a model in which nodes make some of the inputs.
pub(super) struct WithEmpties {
    /// The places of these inputs.
    places: Vec<usize>,
    nodes: Vec<NodeProto>,
    session: api::Session,
}

impl WithEmpties {
    /// Loads a model in which nodes make the empty values among these inputs. `names` are the names of the model's
    /// inputs. With `plain`, the model is loaded without graph optimizations.
    pub(super) fn new(
        runtime: &api::Runtime,
        model: &Model,
        names: &[CString],
        inputs: &[Value],
        plain: bool,
    ) -> Result<WithEmpties, Refusal> {
        let places: Vec<usize> = (0..inputs.len()).filter(|&place| is_empty(&inputs[place])).collect();
        let makers = places.iter().map(|&place| makers(&names[place].to_string_lossy(), &inputs[place], model));
        let nodes = makers.collect::<Result<Vec<_>, _>>()?.concat();
        let bytes = with_nodes(model, &nodes).to_bytes();
        let loaded = if plain { runtime.plain(&bytes) } else { None };
        match loaded.unwrap_or_else(|| runtime.session(&bytes)) {
            Ok(session) => Ok(WithEmpties { places, nodes, session }),
            Err(error) => Err(refusal_of_model(runtime, model, &nodes, error)),
        }
    }

    /// Returns whether nodes make exactly the inputs that are empty. The type of an empty value is that of its input.
    pub(super) fn fits(&self, inputs: &[Value]) -> bool {
        let empty_item = |value: &Value| matches!(value, Value::Optional { item: Some(_), .. }) && is_empty(value);
        !inputs.iter().any(empty_item)
            && (0..inputs.len()).all(|place| self.places.contains(&place) == is_empty(&inputs[place]))
    }

    /// Runs the model on the inputs that no node makes.
    pub(super) fn run(
        &self,
        runtime: &api::Runtime,
        model: &Model,
        names: &[CString],
        inputs: &[Value],
        outputs: &[CString],
    ) -> Result<Vec<api::OwnedValue>, Refusal> {
        let given = names.iter().cloned().zip(inputs).enumerate().filter(|(place, _)| !self.places.contains(place));
        let given = given.map(|(_, (name, value))| Ok((name, to_ort(value)?))).collect::<Result<Vec<_>, Refusal>>()?;
        self.session.run(&given, outputs).map_err(|error| refusal_of_model(runtime, model, &self.nodes, error))
    }
}

/// Returns the nodes that make an empty value of this name.
fn makers(name: &str, value: &Value, model: &Model) -> Result<Vec<NodeProto>, Refusal> {
    let kind = value.kind();
    let node = |op_type: &str, inputs: &[String], output: &str, attribute: Option<AttributeProto>| NodeProto {
        op_type: Some(op_type.to_owned()),
        input: inputs.to_vec(),
        output: vec![output.to_owned()],
        attribute: attribute.into_iter().collect(),
        ..NodeProto::default()
    };
    let has_opset = |oldest: i64| {
        let opset =
            model.proto.opset_import.iter().find(|i| canonical_domain(i.domain.as_deref().unwrap_or("")) == "ai.onnx");
        opset.is_some_and(|import| import.version.unwrap_or(0) >= oldest)
    };
    let cannot = |why: &str| {
        Refusal::unsupported(format!("ONNX Runtime's interface has no way to make an empty {kind}, and {why}"))
    };
    match value {
        Value::Sequence { element: ValueKind::Tensor(dtype), .. } if has_opset(SEQUENCE_EMPTY) => {
            let dtype = AttributeProto {
                name: Some("dtype".to_owned()),
                i: Some(dtype.code().into()),
                r#type: Some(INT),
                ..AttributeProto::default()
            };
            Ok(vec![node("SequenceEmpty", &[], name, Some(dtype))])
        }
        Value::Optional { item: Some(item), .. } if has_opset(OPTIONAL) => {
            // No name of a graph that Plumbline draws begins like this.
            let inner = format!("__plumbline_item_of_{name}");
            let mut all = makers(&inner, item, model)?;
            all.push(node("Optional", &[inner], name, None));
            Ok(all)
        }
        Value::Optional { item: None, element } if has_opset(OPTIONAL) => {
            let declared =
                declared(model, name).and_then(|declared| match declared.r#type.as_ref()?.value.as_ref()? {
                    TypeProtoValue::OptionalType(optional) => optional.elem_type.clone(),
                    _ => None,
                });
            let of = AttributeProto {
                name: Some("type".to_owned()),
                tp: Some(declared.unwrap_or_else(|| Box::new(element.to_proto()))),
                r#type: Some(TYPE_PROTO),
                ..AttributeProto::default()
            };
            Ok(vec![node("Optional", &[], name, Some(of))])
        }
        Value::Sequence { element: ValueKind::Tensor(_), .. } | Value::Optional { .. } => {
            Err(cannot("the model's opset has no operator that makes one"))
        }
        _ => Err(cannot("no operator makes one")),
    }
}

/// Returns what the model declares for an input.
fn declared<'a>(model: &'a Model, name: &str) -> Option<&'a onnx::ValueInfoProto> {
    model.graph().input.iter().find(|input| input.name.as_deref() == Some(name))
}

/// Returns the model with these nodes before its own, and without the inputs whose names are those of their outputs.
fn with_nodes(model: &Model, nodes: &[NodeProto]) -> Model {
    let mut model = model.clone();
    if let Some(graph) = &mut model.proto.graph {
        let is_made = |input: &onnx::ValueInfoProto| {
            nodes.iter().flat_map(|node| &node.output).any(|o| Some(o) == input.name.as_ref())
        };
        graph.input.retain(|input| !is_made(input));
        graph.node.splice(0..0, nodes.iter().cloned());
    }
    model
}

/// Returns the refusal of a model with these nodes, or an unsupported one if ONNX Runtime does not run these nodes alone
/// either.
fn refusal_of_model(runtime: &api::Runtime, model: &Model, nodes: &[NodeProto], error: Error) -> Refusal {
    let outputs = nodes.iter().flat_map(|node| &node.output).filter_map(|name| declared(model, name)).cloned();
    let graph = onnx::GraphProto {
        name: Some("empties".to_owned()),
        node: nodes.to_vec(),
        output: outputs.collect(),
        ..onnx::GraphProto::default()
    };
    let names: Vec<String> = graph.output.iter().filter_map(|output| output.name.clone()).collect();
    let alone = Model { proto: onnx::ModelProto { graph: Some(graph), functions: vec![], ..model.proto.clone() } };
    let run = || {
        let names = names.iter().map(|name| api::name(name)).collect::<Result<Vec<_>, _>>()?;
        runtime.session(&alone.to_bytes())?.run(&[], &names)
    };
    match run() {
        Ok(_) => refusal(error),
        Err(error) => {
            Refusal::unsupported(format!("ONNX Runtime cannot make an empty value: {}", error.message().trim()))
        }
    }
}

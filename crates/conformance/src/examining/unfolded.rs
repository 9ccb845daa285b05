//! What a node computes inside, as the main graph of a model, so that each of the inner nodes can run alone.

use plumbline_generator::{Case, value_info};
use plumbline_tensor::onnx::{GraphProto, NodeProto};
use plumbline_tensor::{DType, Model, Tensor, Value, tensor_from_proto};

/// Returns the branch that an `If` takes, or the first trip of a `Loop`, with its inputs. `None` if the case has another
/// node or several, or if it computes nothing inside.
pub(super) fn unfolded(case: &Case) -> Option<(Model, Vec<Value>)> {
    let graph = case.model.graph();
    let [node] = graph.node.as_slice() else { return None };
    let value = |name: &String| {
        let at = case.model.input_names().iter().position(|input| input == name);
        let constant = || graph.initializer.iter().find(|proto| proto.name.as_ref() == Some(name));
        at.and_then(|at| case.inputs.get(at).cloned())
            .or_else(|| tensor_from_proto(constant()?).ok().map(Value::Tensor))
    };
    let scalar = |at: usize| {
        let value = node.input.get(at).and_then(value)?;
        value.as_tensor().filter(|tensor| tensor.len() == 1).map(|tensor| tensor.i128_at(0))
    };
    let (body, own) = match node.op_type.as_deref()? {
        "If" => (body(node, if scalar(0)? != 0 { "then_branch" } else { "else_branch" })?, vec![]),
        "Loop" if scalar(0) != Some(0) && scalar(1) != Some(0) => {
            let trip = Tensor::from_i128s(DType::Int64, vec![], &[0]).ok()?;
            let holds = Tensor::from_i128s(DType::Bool, vec![], &[1]).ok()?;
            let carried = node.input.iter().skip(2).map(value).collect::<Option<Vec<_>>>()?;
            (body(node, "body")?, [vec![trip.into(), holds.into()], carried].concat())
        }
        _ => return None,
    };
    let mut model = case.model.clone();
    let inner = model.proto.graph.as_mut()?;
    inner.node.clone_from(&body.node);
    inner.initializer.extend_from_slice(&body.initializer);
    for (info, value) in body.input.iter().zip(&own) {
        inner.input.push(value_info(info.name.as_deref()?, &value.kind(), None));
    }
    Some((model, [case.inputs.clone(), own].concat()))
}

fn body<'a>(node: &'a NodeProto, name: &str) -> Option<&'a GraphProto> {
    let attribute = node.attribute.iter().find(|attribute| attribute.name.as_deref() == Some(name))?;
    attribute.g.as_deref()
}

//! What a node computes inside, as the main graph of a model, so that each of the inner nodes can run alone.

use plumbline_generator::{Case, value_info};
use plumbline_tensor::onnx::{GraphProto, NodeProto};
use plumbline_tensor::{DType, Model, Tensor, Value, tensor_from_proto};

use crate::cases::moved;

/// Returns the branch that an `If` takes, or the first trip of a `Loop` or a `Scan`, with its inputs. `None` if the case
/// has another node or several, or if it computes nothing inside.
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
        "Scan" => {
            let body = body(node, "body")?;
            // In opset 8, an input for the lengths of sequences comes first, and the others have a batch axis.
            let is_batched = body.input.len() + 1 == node.input.len();
            let given = node.input.iter().skip(usize::from(is_batched)).map(value).collect::<Option<Vec<_>>>()?;
            (body, first_trip(node, given, is_batched)?)
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

/// Returns what the body of a `Scan` gets in its first trip: the state, and one element of each input that it goes over.
/// With a batch axis, that of the first batch.
fn first_trip(node: &NodeProto, given: Vec<Value>, is_batched: bool) -> Option<Vec<Value>> {
    let attribute = |name: &str| node.attribute.iter().find(|attribute| attribute.name.as_deref() == Some(name));
    let scanned = usize::try_from(attribute("num_scan_inputs")?.i?).ok()?;
    let carried = given.len().checked_sub(scanned)?;
    let of_input = |name: &str, at: usize| attribute(name).and_then(|list| list.ints.get(at)).copied().unwrap_or(0);
    let directions = if is_batched { "directions" } else { "scan_input_directions" };
    let first = |(at, value): (usize, Value)| {
        let Some(place) = at.checked_sub(carried) else {
            return if is_batched {
                element_along(value.as_tensor()?, 0, false).map(Value::Tensor)
            } else {
                Some(value)
            };
        };
        let mut tensor = value.as_tensor()?.clone();
        if is_batched {
            tensor = element_along(&tensor, 0, false)?;
        }
        let axis = if is_batched { 0 } else { of_input("scan_input_axes", place) };
        let axis = if axis < 0 { axis + tensor.rank() as i64 } else { axis };
        element_along(&tensor, usize::try_from(axis).ok()?, of_input(directions, place) == 1).map(Value::Tensor)
    };
    given.into_iter().enumerate().map(first).collect()
}

/// Returns the first or the last part of a tensor along an axis, without this axis.
fn element_along(tensor: &Tensor, axis: usize, is_last: bool) -> Option<Tensor> {
    let extent = *tensor.shape().get(axis)?;
    let at = if is_last { extent.checked_sub(1)? } else { 0 };
    let mut shape = tensor.shape().to_vec();
    shape.remove(axis);
    let inner: usize = shape[axis..].iter().product();
    moved(tensor, shape, |flat| (flat / inner * extent + at) * inner + flat % inner).filter(|_| extent > 0)
}

fn body<'a>(node: &'a NodeProto, name: &str) -> Option<&'a GraphProto> {
    let attribute = node.attribute.iter().find(|attribute| attribute.name.as_deref() == Some(name))?;
    attribute.g.as_deref()
}

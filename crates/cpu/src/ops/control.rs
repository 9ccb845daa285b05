//! If and Loop, and functions that Scan shares with them.

use plumbline_tensor::{DType, ValueKind};

use super::axes::axis;
use super::layout::joined;
use crate::array::{Array, Held, affordable};
use crate::body::{Body, Declared};
use crate::node::{Node, Operator, Outputs};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("If", if_), ("Loop", loop_)];

/// Largest number of steps of a loop. A loop with more steps is refused.
const MOST_STEPS: i64 = 1 << 20;

/// Largest number of elements that the steps of a loop may gather. A loop that gathers more is refused.
const MOST_GATHERED: usize = 1 << 26;

fn elements_of(held: &Held) -> usize {
    match held {
        Held::Array(array) => array.len(),
        Held::Other(_) => 1,
    }
}

/// Returns the tensor in a value, and refuses other values.
pub fn array(held: &Held) -> Result<&Array, Refusal> {
    match held {
        Held::Array(array) => Ok(array),
        Held::Other(value) => Err(Refusal::invalid(format!("found {}, expected a tensor", value.kind()))),
    }
}

/// Returns the only element of a condition.
fn truth(held: &Held) -> Result<bool, Refusal> {
    match array(held)? {
        one if one.dtype() == DType::Bool && one.len() == 1 => Ok(one.slice::<u8>()[0] != 0),
        other => Err(Refusal::invalid(format!(
            "a condition has type {} and shape {:?}, expected one bool",
            other.dtype(),
            other.shape()
        ))),
    }
}

fn if_(node: &Node) -> Outputs {
    let (then, otherwise) = (node.body("then_branch")?, node.body("else_branch")?);
    let counts = [then.outputs().len(), otherwise.outputs().len()];
    if counts != [node.output_places(); 2] {
        return Err(Refusal::invalid(format!(
            "the branches have {counts:?} outputs, expected as many as the node has"
        )));
    }
    for (a, b) in then.outputs().iter().zip(otherwise.outputs()) {
        let types = a.kind.is_some() && b.kind.is_some() && a.kind != b.kind;
        let shapes = node.since() < 11 && a.shape.is_some() && b.shape.is_some() && a.shape != b.shape;
        if types || shapes {
            return Err(Refusal::invalid("the branches declare an output with different types or shapes"));
        }
    }
    if truth(node.held(0)?)? { then.run(&[]) } else { otherwise.run(&[]) }
}

/// Checks that values keep their types from one step to the next.
pub fn same_types(before: &[Held], after: &[Held]) -> Result<(), Refusal> {
    match before.iter().zip(after).find(|(a, b)| a.kind() != b.kind()) {
        None => Ok(()),
        Some((a, b)) => {
            Err(Refusal::invalid(format!("a carried value changes its type from {} to {}", a.kind(), b.kind())))
        }
    }
}

/// Stacks tensors along a new axis. There must be at least one tensor.
pub fn stacked(arrays: &[&Array], axis: usize) -> Outputs {
    let beside = |array: &&Array| {
        let mut shape = array.shape().to_vec();
        shape.insert(axis.min(shape.len()), 1);
        array.reshaped(&shape)
    };
    let arrays = arrays.iter().map(beside).collect::<Result<Vec<_>, _>>()?;
    joined(&arrays.iter().collect::<Vec<_>>(), axis)
}

/// Stacks the tensors of all steps along a new axis. Without a step, the new axis has extent 0, and the body must
/// declare the type and the shape of the output.
pub fn gathered(elements: &[Held], declared: &Declared, at: i64) -> Outputs {
    let arrays = elements.iter().map(array).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = arrays.first() else {
        let (Some(ValueKind::Tensor(dtype)), Some(shape)) = (&declared.kind, &declared.shape) else {
            return Err(Refusal::unsupported(
                "there is no iteration, and the body does not declare the type and shape of its output",
            ));
        };
        let mut shape = shape.clone();
        shape.insert(axis(at, shape.len() + 1)?, 0);
        return Ok(vec![Array::zeros(*dtype, &shape)?.into()]);
    };
    if arrays.iter().any(|array| array.dtype() != first.dtype()) {
        return Err(Refusal::invalid("the elements of a scan output have different types"));
    }
    affordable(&[&[arrays.len()], first.shape()].concat())?;
    stacked(&arrays, axis(at, first.rank() + 1)?)
}

/// Returns an input that has a single element, or `None` if the input is left out.
fn only<'a>(node: &Node<'a>, at: usize) -> Result<Option<&'a Array>, Refusal> {
    match node.optional(at)? {
        Some(array) if array.len() != 1 => {
            Err(Refusal::invalid(format!("input {at} has shape {:?}, expected one element", array.shape())))
        }
        array => Ok(array),
    }
}

/// Returns the first inputs of a loop body: the number of the step and the condition. Each is a scalar, unless the body
/// declares it with shape [1].
fn counters(body: &dyn Body, step: i64, goes_on: bool) -> Result<Vec<Held>, Refusal> {
    let shape = |at: usize| if body.inputs()[at].shape.as_deref() == Some(&[1]) { &[1][..] } else { &[] };
    let number = Array::from_elements(DType::Int64, shape(0), &[step])?;
    Ok(vec![number.into(), Array::from_elements(DType::Bool, shape(1), &[u8::from(goes_on)])?.into()])
}

/// Computes Loop. If the input `cond` is left out, the condition that the body returns is ignored.
fn loop_(node: &Node) -> Outputs {
    let body = node.body("body")?;
    let most = only(node, 0)?.map(|most| most.slice::<i64>()[0]);
    let condition = only(node, 1)?.map(|condition| condition.slice::<u8>()[0] != 0);
    let mut values = (2..node.inputs().len()).map(|at| node.held(at).cloned()).collect::<Result<Vec<_>, _>>()?;
    let (count, takes, gives) = (values.len(), body.inputs().len(), body.outputs().len());
    if takes != count + 2 || gives < count + 1 || node.output_places() > gives - 1 {
        return Err(Refusal::invalid(format!(
            "the body has {takes} inputs and {gives} outputs, which do not fit {count} carried values and {} outputs \
             of the node",
            node.output_places()
        )));
    }
    let declared = &body.outputs()[count + 1..];
    let mut gathering: Vec<Vec<Held>> = vec![Vec::new(); declared.len()];
    let mut goes_on = condition.unwrap_or(true);
    let (mut step, mut gathered_elements) = (0, 0);
    while goes_on && most.is_none_or(|most| step < most) {
        if step >= MOST_STEPS {
            return Err(Refusal::unsupported(format!(
                "the loop runs more than {MOST_STEPS} iterations, the limit of this backend"
            )));
        }
        let mut inputs = counters(body, step, goes_on)?;
        inputs.extend(values.iter().cloned());
        let mut outputs = body.run(&inputs)?;
        let elements = outputs.split_off(count + 1);
        let holds = truth(&outputs.remove(0))?;
        goes_on = condition.is_none() || holds;
        same_types(&values, &outputs)?;
        values = outputs;
        gathered_elements += elements.iter().map(elements_of).sum::<usize>();
        if gathered_elements > MOST_GATHERED {
            return Err(Refusal::unsupported(format!(
                "the loop gathers more than {MOST_GATHERED} elements, the limit of this backend"
            )));
        }
        gathering.iter_mut().zip(elements).for_each(|(all, element)| all.push(element));
        step += 1;
    }
    for (elements, declared) in gathering.iter().zip(declared) {
        values.extend(gathered(elements, declared, 0)?);
    }
    Ok(values)
}

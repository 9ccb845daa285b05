//! Operators that create, read, change and map sequences.

use std::sync::Arc;

use plumbline_tensor::{DType, Value, ValueKind};

use super::axes::within;
use crate::array::{Array, Held};
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::{Refusal, is_type_of};

pub const OPERATORS: &[(&str, Operator)] = &[
    ("SequenceAt", sequence_at),
    ("SequenceConstruct", sequence_construct),
    ("SequenceEmpty", sequence_empty),
    ("SequenceErase", sequence_erase),
    ("SequenceInsert", sequence_insert),
    ("SequenceLength", sequence_length),
    ("SequenceMap", sequence_map),
];

/// Returns the element type and the elements of a sequence.
pub fn sequence<'a>(node: &Node<'a>, at: usize) -> Result<(&'a ValueKind, &'a [Value]), Refusal> {
    match node.held(at)? {
        Held::Other(value) => match value.as_ref() {
            Value::Sequence { element, items } => Ok((element, items)),
            other => Err(Refusal::invalid(format!("input {at} is {}, expected a sequence", other.kind()))),
        },
        Held::Array(array) => {
            Err(Refusal::invalid(format!("input {at} is a tensor of {}, expected a sequence", array.dtype())))
        }
    }
}

/// Returns a sequence of these values as the only output.
pub fn sequence_of(element: ValueKind, items: &[Held]) -> Outputs {
    let items = items.iter().map(Held::to_value).collect::<Result<Vec<_>, _>>()?;
    of_values(element, items)
}

fn of_values(element: ValueKind, items: Vec<Value>) -> Outputs {
    let sequence = Value::sequence(element, items);
    let sequence = sequence.ok_or_else(|| Refusal::invalid("elements of a sequence have different types"))?;
    Ok(vec![Held::Other(Arc::new(sequence))])
}

fn sequence_construct(node: &Node) -> Outputs {
    let items = (0..node.inputs().len()).map(|at| node.held(at)?.to_value()).collect::<Result<Vec<_>, _>>()?;
    match items.first().map(Value::kind) {
        Some(element) => of_values(element, items),
        None => Err(Refusal::invalid("no input is given, so the type of the sequence is not known")),
    }
}

fn sequence_empty(node: &Node) -> Outputs {
    let code = node.optional_int("dtype").unwrap_or(i64::from(DType::Float.code()));
    let element = DType::from_code(code).map(ValueKind::Tensor);
    let allowed = |element: &ValueKind| {
        let kind = ValueKind::Sequence(Box::new(element.clone()));
        node.version.types.values().flatten().any(|fact| is_type_of(fact, &kind))
    };
    match element.filter(allowed) {
        Some(element) => of_values(element, Vec::new()),
        None => Err(Refusal::invalid(format!("`dtype` is {code}, which is not a type of this operator"))),
    }
}

/// Reads input `at` as a position in a sequence of `count` elements. Returns `None` if the input is left out.
fn position(node: &Node, at: usize, count: usize) -> Result<Option<usize>, Refusal> {
    match node.optional(at)? {
        None => Ok(None),
        Some(given) if given.len() == 1 && given.rank() <= 1 => {
            within(given.to_i64s()?[0], count, "position").map(Some)
        }
        Some(given) => Err(Refusal::invalid(format!("`position` has shape {:?}, expected [] or [1]", given.shape()))),
    }
}

fn sequence_at(node: &Node) -> Outputs {
    let (_, items) = sequence(node, 0)?;
    let at = position(node, 1, items.len())?.ok_or_else(|| Refusal::invalid("`position` is missing"))?;
    Ok(vec![Held::from_value(&items[at])?])
}

fn sequence_erase(node: &Node) -> Outputs {
    let (element, items) = sequence(node, 0)?;
    let at = position(node, 1, items.len())?.or(items.len().checked_sub(1));
    let mut items = items.to_vec();
    items.remove(at.ok_or_else(|| Refusal::invalid("the sequence is empty, so nothing can be erased"))?);
    of_values(element.clone(), items)
}

/// Computes SequenceInsert. A negative position counts from the end of the input sequence. The length of that sequence
/// is also a valid position.
fn sequence_insert(node: &Node) -> Outputs {
    let (element, items) = sequence(node, 0)?;
    let count = items.len();
    let is_count = |at: &Array| at.rank() <= 1 && at.to_i64s().is_ok_and(|at| at == [count as i64]);
    let at_end = node.optional(2)?.is_none_or(is_count);
    let at = if at_end { None } else { position(node, 2, count)? };
    let mut items = items.to_vec();
    items.insert(at.unwrap_or(count), node.held(1)?.to_value()?);
    of_values(element.clone(), items)
}

fn sequence_length(node: &Node) -> Outputs {
    one(Array::from_elements(DType::Int64, &[], &[sequence(node, 0)?.1.len() as i64])?)
}

/// Computes SequenceMap: runs the body once for each position, on the elements that the sequences have at that
/// position. An input that is a tensor is passed unchanged to every run.
fn sequence_map(node: &Node) -> Outputs {
    let body = node.body("body")?;
    let inputs = (0..node.inputs().len()).map(|at| node.held(at)).collect::<Result<Vec<_>, _>>()?;
    let (takes, gives) = (body.inputs().len(), body.outputs().len());
    if takes != inputs.len() || gives != node.output_places() {
        return Err(Refusal::invalid(format!(
            "the body has {takes} inputs and {gives} outputs, expected as many as the node has"
        )));
    }
    let count = sequence(node, 0)?.1.len();
    let mut found: Vec<Vec<Held>> = vec![Vec::with_capacity(count); gives];
    for place in 0..count {
        let element = |held: &&Held| match held {
            Held::Other(value) => match value.as_sequence() {
                Some(items) if items.len() == count => Held::from_value(&items[place]),
                _ => Err(Refusal::invalid(format!(
                    "an input of type {} is not a sequence of {count} elements, although input 0 is",
                    value.kind()
                ))),
            },
            tensor => Ok((*tensor).clone()),
        };
        let outputs = body.run(&inputs.iter().map(element).collect::<Result<Vec<_>, _>>()?)?;
        found.iter_mut().zip(outputs).for_each(|(all, output)| all.push(output));
    }
    let mut outputs = Vec::with_capacity(gives);
    for (items, declared) in found.iter().zip(body.outputs()) {
        let element = items.first().map(Held::kind).or_else(|| declared.kind.clone());
        let element = element.ok_or_else(|| {
            Refusal::unsupported("the sequence is empty, and the body does not declare the type of its output")
        })?;
        outputs.extend(sequence_of(element, items)?);
    }
    Ok(outputs)
}

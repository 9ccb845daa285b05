//! Operators on optional values.

use std::sync::Arc;

use plumbline_tensor::{DType, Value, ValueKind};

use crate::array::{Array, Held};
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::{Refusal, is_type_of};

pub const OPERATORS: &[(&str, Operator)] = &[
    ("Optional", optional),
    ("OptionalGetElement", optional_get_element),
    ("OptionalHasElement", optional_has_element),
];

/// Computes Optional. If there is an input, the optional has the input's type, even if the attribute `type` names
/// another type.
fn optional(node: &Node) -> Outputs {
    let named = node.given("type").map(|given| given.tp.as_deref().and_then(ValueKind::from_proto));
    let allowed = |kind: &ValueKind| {
        let types = node.version.inputs.first().map(|input| node.version.types_of(input)).unwrap_or_default();
        types.iter().any(|fact| is_type_of(fact, kind))
    };
    if named.as_ref().is_some_and(|kind| !kind.as_ref().is_some_and(allowed)) {
        return Err(Refusal::invalid("`type` is not a type that an optional holds"));
    }
    let value = match (node.inputs().first(), named.flatten()) {
        (Some(Some(held)), _) => Value::some(held.to_value()?),
        (_, Some(kind)) => Value::none(kind),
        _ => return Err(Refusal::invalid("neither the input nor `type` is given")),
    };
    Ok(vec![Held::Other(Arc::new(value))])
}

/// Returns the element of the optional input, or `None` if the optional is empty or the input is left out. An input
/// that is not an optional counts as its own element.
fn element(node: &Node) -> Result<Option<Held>, Refusal> {
    match node.inputs().first() {
        Some(Some(Held::Other(value))) => match value.as_optional() {
            Some(item) => item.map(Held::from_value).transpose(),
            None => Ok(Some(Held::Other(value.clone()))),
        },
        Some(other) => Ok(other.clone()),
        None => Ok(None),
    }
}

fn optional_has_element(node: &Node) -> Outputs {
    one(Array::from_elements(DType::Bool, &[], &[u8::from(element(node)?.is_some())])?)
}

fn optional_get_element(node: &Node) -> Outputs {
    Ok(vec![element(node)?.ok_or_else(|| Refusal::invalid("the optional is empty"))?])
}

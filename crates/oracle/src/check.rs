//! Checks the rules that hold for every operator: arity, attributes and types, as the specification has them.

use plumbline_spec::{AttributeKind, Formal, FormalOption, TypeStr};
use plumbline_tensor::ValueKind;
use plumbline_tensor::onnx::AttributeProto;

use super::call::Call;
use super::shape;
use crate::Refusal;

/// Checks a call by the facts of its operator version.
pub fn check(call: &Call) -> Result<(), Refusal> {
    if !call.version().is_callable() {
        return Err(Refusal::invalid("the operator is deprecated at this opset"));
    }
    arity(call)?;
    attributes(call)?;
    types(call)?;
    sizes(call)
}

/// Refuses tensors that are too large, so that no kernel has to worry about the product of extents.
fn sizes(call: &Call) -> Result<(), Refusal> {
    let mut tensors = call.operands().iter().flatten().filter_map(|operand| operand.tensor().ok());
    tensors.try_for_each(|tensor| shape::affordable(tensor.shape()).map(|_| ()))
}

fn arity(call: &Call) -> Result<(), Refusal> {
    let version = call.version();
    let inputs = call.node().input.len();
    if (inputs as u64) < u64::from(version.min_inputs) || inputs as u64 > u64::from(version.max_inputs) {
        return Err(Refusal::invalid(format!(
            "{inputs} inputs, {} to {} are allowed",
            version.min_inputs, version.max_inputs
        )));
    }
    let outputs = call.output_count();
    if (outputs as u64) < u64::from(version.min_outputs) || outputs as u64 > u64::from(version.max_outputs) {
        return Err(Refusal::invalid(format!(
            "{outputs} outputs, {} to {} are allowed",
            version.min_outputs, version.max_outputs
        )));
    }
    for (position, formal) in version.inputs.iter().enumerate() {
        let missing = call.operands().get(position).is_none_or(Option::is_none);
        if formal.option == FormalOption::Single && missing {
            return Err(Refusal::invalid(format!("input `{}` is missing", formal.name)));
        }
    }
    Ok(())
}

fn attributes(call: &Call) -> Result<(), Refusal> {
    let version = call.version();
    for attribute in &call.node().attribute {
        let name = attribute.name.as_deref().unwrap_or("");
        let Some(fact) = version.attribute(name) else {
            return Err(Refusal::invalid(format!("attribute `{name}` is not one of {}", version.id)));
        };
        if let Some(found) = kind_of(attribute)
            && found != fact.kind
        {
            return Err(Refusal::invalid(format!("attribute `{name}` is {found:?}, not {:?}", fact.kind)));
        }
    }
    match version.attributes.iter().find(|a| a.required && !call.has_attribute(&a.name)) {
        Some(missing) => Err(Refusal::invalid(format!("attribute `{}` is missing", missing.name))),
        None => Ok(()),
    }
}

/// Returns the kind that an attribute of a node declares; `None` for old models that leave it out.
fn kind_of(attribute: &AttributeProto) -> Option<AttributeKind> {
    Some(match attribute.r#type? {
        1 => AttributeKind::Float,
        2 => AttributeKind::Int,
        3 => AttributeKind::String,
        4 => AttributeKind::Tensor,
        5 => AttributeKind::Graph,
        6 => AttributeKind::Floats,
        7 => AttributeKind::Ints,
        8 => AttributeKind::Strings,
        9 => AttributeKind::Tensors,
        10 => AttributeKind::Graphs,
        11 => AttributeKind::SparseTensor,
        12 => AttributeKind::SparseTensors,
        13 => AttributeKind::TypeProto,
        14 => AttributeKind::TypeProtos,
        _ => return None,
    })
}

fn types(call: &Call) -> Result<(), Refusal> {
    let version = call.version();
    let mut bound: Vec<(&str, ValueKind)> = Vec::new();
    for (position, operand) in call.operands().iter().enumerate() {
        let Some(operand) = operand else { continue };
        let formals = &version.inputs;
        let last = formals.last().filter(|f| f.option == FormalOption::Variadic);
        let Some(formal) = formals.get(position).or(last) else { continue };
        let kind = operand.kind();
        if !allowed(call, formal, &kind) {
            return Err(Refusal::invalid(format!(
                "input `{}` is {kind}, which {} does not take",
                formal.name, version.id
            )));
        }
        if !version.types.contains_key(&formal.type_) || !formal.homogeneous {
            continue;
        }
        match bound.iter().find(|(variable, _)| *variable == formal.type_) {
            Some((_, earlier)) if *earlier != kind => {
                return Err(Refusal::invalid(format!(
                    "input `{}` is {kind}, but {} is {earlier} already",
                    formal.name, formal.type_
                )));
            }
            Some(_) => {}
            None => bound.push((&formal.type_, kind)),
        }
    }
    Ok(())
}

fn allowed(call: &Call, formal: &Formal, kind: &ValueKind) -> bool {
    match call.version().types.get(&formal.type_) {
        Some(types) => types.iter().any(|t| same(t, kind)),
        None => call.version().types_of(formal).iter().any(|t| same(t, kind)),
    }
}

/// Returns whether a type of the specification is the type of a value.
fn same(fact: &TypeStr, kind: &ValueKind) -> bool {
    match (fact, kind) {
        (TypeStr::Tensor(a), ValueKind::Tensor(b)) => a == b,
        (TypeStr::Sequence(a), ValueKind::Sequence(b)) | (TypeStr::Optional(a), ValueKind::Optional(b)) => same(a, b),
        (TypeStr::Map(k, a), ValueKind::Map(l, b)) => k == l && same(a, b),
        _ => fact.to_string() == kind.to_string(),
    }
}

//! The rules that hold for every operator: arity, attributes and types, as the specification has them.

use plumbline_spec::{AttributeKind, FormalOption, OperatorVersion, TypeStr};
use plumbline_tensor::ValueKind;
use plumbline_tensor::onnx::NodeProto;

use crate::Refusal;

/// Checks a node against the signature of its operator version. `inputs` has the type of each input, and `None` for an
/// input that is left out.
///
/// # Errors
/// The operator is deprecated; the node has inputs, outputs, attributes or types that the version does not allow; a
/// required input or attribute is missing; or an attribute is given twice or has a string that is not UTF-8.
pub fn check(version: &OperatorVersion, node: &NodeProto, inputs: &[Option<ValueKind>]) -> Result<(), Refusal> {
    if !version.is_callable() {
        return Err(Refusal::invalid("the operator is deprecated at this opset"));
    }
    arity(version, node, inputs)?;
    attributes(version, node)?;
    types(version, inputs)
}

fn arity(version: &OperatorVersion, node: &NodeProto, inputs: &[Option<ValueKind>]) -> Result<(), Refusal> {
    let within = |what: &str, found: usize, least: u32, most: u32| match found as u64 {
        count if count < u64::from(least) || count > u64::from(most) => {
            Err(Refusal::invalid(format!("{found} {what} are given, {least} to {most} are allowed")))
        }
        _ => Ok(()),
    };
    within("inputs", node.input.len(), version.min_inputs, version.max_inputs)?;
    within("outputs", node.output.len(), version.min_outputs, version.max_outputs)?;
    for (position, formal) in version.inputs.iter().enumerate() {
        let missing = inputs.get(position).is_none_or(Option::is_none);
        if formal.option == FormalOption::Single && missing {
            return Err(Refusal::invalid(format!("input `{}` is missing", formal.name)));
        }
        // Only an optional input may be left out between others.
        if formal.option == FormalOption::Variadic
            && let Some(number) = inputs.iter().skip(position).position(Option::is_none)
        {
            return Err(Refusal::invalid(format!("input {number} of `{}` is missing", formal.name)));
        }
    }
    Ok(())
}

fn attributes(version: &OperatorVersion, node: &NodeProto) -> Result<(), Refusal> {
    for (at, attribute) in node.attribute.iter().enumerate() {
        let name = attribute.name.as_deref().unwrap_or("");
        let Some(fact) = version.attribute(name) else {
            return Err(Refusal::invalid(format!("{} has no attribute `{name}`", version.id)));
        };
        if node.attribute[..at].iter().any(|earlier| earlier.name == attribute.name) {
            return Err(Refusal::invalid(format!("attribute `{name}` is given twice")));
        }
        // Old models leave the type out.
        let number = attribute.r#type.unwrap_or(0);
        let found = usize::try_from(number).ok().and_then(|number| KINDS.get(number.wrapping_sub(1)));
        if number != 0 && found != Some(&fact.kind) {
            let found = found.map_or_else(|| format!("of the unknown type {number}"), AttributeKind::to_string);
            return Err(Refusal::invalid(format!("attribute `{name}` is {found}, expected {}", fact.kind)));
        }
        // `AttributeProto` requires UTF-8 in its fields `s` and `strings`.
        if attribute.s.iter().chain(&attribute.strings).any(|text| std::str::from_utf8(text).is_err()) {
            return Err(Refusal::invalid(format!("attribute `{name}` has a string that is not UTF-8")));
        }
    }
    let given = |name: &str| node.attribute.iter().any(|attribute| attribute.name.as_deref() == Some(name));
    match version.attributes.iter().find(|fact| fact.required && !given(&fact.name)) {
        Some(missing) => Err(Refusal::invalid(format!("attribute `{}` is missing", missing.name))),
        None => Ok(()),
    }
}

/// The kinds of attributes in the order of `AttributeProto.AttributeType`, which begins with 1.
const KINDS: [AttributeKind; 14] = [
    AttributeKind::Float,
    AttributeKind::Int,
    AttributeKind::String,
    AttributeKind::Tensor,
    AttributeKind::Graph,
    AttributeKind::Floats,
    AttributeKind::Ints,
    AttributeKind::Strings,
    AttributeKind::Tensors,
    AttributeKind::Graphs,
    AttributeKind::SparseTensor,
    AttributeKind::SparseTensors,
    AttributeKind::TypeProto,
    AttributeKind::TypeProtos,
];

fn types(version: &OperatorVersion, inputs: &[Option<ValueKind>]) -> Result<(), Refusal> {
    let mut bound: Vec<(&str, &ValueKind)> = Vec::new();
    for (position, kind) in inputs.iter().enumerate() {
        let (Some(kind), Some(formal)) = (kind, version.input_at(position)) else { continue };
        let allowed = match version.types.get(&formal.type_) {
            Some(types) => types.iter().any(|t| is_type_of(t, kind)),
            None => version.types_of(formal).iter().any(|t| is_type_of(t, kind)),
        };
        if !allowed {
            let message = format!("input `{}` is {kind}, which {} does not take", formal.name, version.id);
            return Err(Refusal::invalid(message));
        }
        if !version.types.contains_key(&formal.type_) || !formal.homogeneous {
            continue;
        }
        match bound.iter().find(|(variable, _)| *variable == formal.type_) {
            Some((variable, earlier)) if *earlier != kind => {
                let message = format!("input `{}` is {kind}, but {variable} is {earlier} already", formal.name);
                return Err(Refusal::invalid(message));
            }
            Some(_) => {}
            None => bound.push((&formal.type_, kind)),
        }
    }
    Ok(())
}

/// Returns whether a type of the specification is the type of a value.
pub fn is_type_of(fact: &TypeStr, kind: &ValueKind) -> bool {
    match (fact, kind) {
        (TypeStr::Tensor(a), ValueKind::Tensor(b)) | (TypeStr::SparseTensor(a), ValueKind::SparseTensor(b)) => a == b,
        (TypeStr::Sequence(a), ValueKind::Sequence(b)) | (TypeStr::Optional(a), ValueKind::Optional(b)) => {
            is_type_of(a, b)
        }
        (TypeStr::Map(key, a), ValueKind::Map(own, b)) => key == own && is_type_of(a, b),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use plumbline_spec::Spec;
    use plumbline_tensor::DType;
    use plumbline_tensor::onnx::AttributeProto;

    use super::*;

    #[test]
    fn an_attribute_is_given_once() {
        let version = Spec::embedded().resolve("ai.onnx", "LeakyRelu", 16).unwrap();
        let alpha = AttributeProto { name: Some("alpha".to_owned()), f: Some(0.5), ..AttributeProto::default() };
        let checked = |attribute: Vec<AttributeProto>| {
            let (input, output) = (vec!["x".to_owned()], vec!["y".to_owned()]);
            let node = NodeProto { input, output, attribute, ..NodeProto::default() };
            check(version, &node, &[Some(ValueKind::Tensor(DType::Float))]).map_err(|refusal| refusal.to_string())
        };
        assert_eq!(checked(vec![alpha.clone()]), Ok(()));
        assert_eq!(checked(vec![alpha.clone(), alpha]), Err("attribute `alpha` is given twice".to_owned()));
    }
}

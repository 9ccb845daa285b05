use plumbline_tensor::ValueKind;

use crate::prelude::*;

/// Wraps the input in an optional. Without an input, returns an empty optional of the type that the attribute `type`
/// names.
///
/// Versions 15 and 28 have the same meaning. The attribute is required if there is no input
/// (`type-given-without-input`), and names a type that an optional may hold (`type-allowed`).
pub fn optional(call: &Call) -> Answer {
    let named = match call.attribute("type") {
        None => None,
        Some(attribute) => {
            let kind = attribute.tp.as_deref().and_then(ValueKind::from_proto);
            let kind = kind.ok_or_else(|| Refusal::violates(rule::TYPE_ALLOWED, "`type` is not a valid type"))?;
            let formal = call.version().inputs.first().map(|i| call.version().types_of(i)).unwrap_or_default();
            if !formal.iter().any(|t| t.to_string() == kind.to_string()) {
                return Err(Refusal::violates(
                    rule::TYPE_ALLOWED,
                    format!("`type` is {kind}, which an optional of this version does not hold"),
                ));
            }
            Some(kind)
        }
    };
    let item = call.optional_operand("input");
    let given = item.map(Operand::kind);
    if given.is_some() && named.is_some() && given != named {
        call.leaves_open(rule::TYPE_BESIDE_INPUT);
    }
    // The type of the input, if there is one, takes precedence over `type`.
    let element = given.or(named);
    let element = element
        .ok_or_else(|| Refusal::violates(rule::TYPE_GIVEN_WITHOUT_INPUT, "neither the input nor `type` is given"))?;
    Ok(vec![Operand::Optional { element, item: item.cloned().map(Box::new) }])
}

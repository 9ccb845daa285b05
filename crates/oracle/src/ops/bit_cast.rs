use plumbline_spec::TypeStr;

use crate::prelude::*;

/// Reinterprets the bits of each element as another type.
///
/// The only version is 26. Constraints: the target type (`to-type-allowed`), which has as many bits as the input type
/// (`bit-widths-equal`). Bits that are no valid bool: `bool-bits`. The bits stay unchanged, but any NaN is accepted in
/// place of a NaN (`nan`).
pub fn bit_cast(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    let to = DType::from_code(call.int("to")?);
    let allowed = call.version().types.get("T2");
    let to = to.filter(|&to| allowed.is_some_and(|types| types.contains(&TypeStr::Tensor(to))));
    let to =
        to.ok_or_else(|| Refusal::violates(rule::TO_TYPE_ALLOWED, "`to` is not a type that this version converts to"))?;
    if to.bits() != input.dtype().bits() {
        return Err(Refusal::violates(
            rule::BIT_WIDTHS_EQUAL,
            format!("{} and {to} have different numbers of bits", input.dtype()),
        ));
    }
    if !input.is_certain() {
        return Err(Refusal::unsupported(
            "the oracle accepts more than one value for an element of the input, so its bits are not known",
        ));
    }
    one(Tensor::new(to, input.shape().to_vec(), input.tensor.data().clone())?.into())
}

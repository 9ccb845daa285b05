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
    if !input.has_certain_bits() {
        return Err(Refusal::unsupported("the oracle accepts different bits for an element of the input"));
    }
    one(Tensor::new(to, input.shape().to_vec(), input.tensor.data().clone())?.into())
}

#[cfg(test)]
mod tests {
    use crate::Oracle;
    use crate::testing::floats;
    use plumbline_graph::RefusalKind;
    use plumbline_tensor::{Model, Tensor};

    /// A NaN that is computed may have any of the bits of NaN, and the sign of a zero that is computed may not count.
    #[test]
    fn bits_are_known_of_what_is_given_and_not_of_every_result() {
        let refused = |node: &str, x: Tensor| {
            let dtype = x.dtype();
            let text = format!(
                "<ir_version: 13, opset_import: [\"\" : 26]> g ({dtype}[1] a) => (int32[1] y) {{ b = {node} \
                 y = BitCast <to = 6> (b) }}"
            );
            let model: Model = text.parse().expect("the model is valid");
            let answer = Oracle::default().evaluate(&model, &[x.into()]);
            answer.map(|_| ()).map_err(|refusal| refusal.kind)
        };
        let nan = || floats(&[1], &[f32::NAN]);
        assert_eq!(refused("Identity (a)", nan()), Ok(()));
        assert_eq!(refused("Abs (a)", nan()), Err(RefusalKind::Unsupported));
        assert_eq!(refused("Abs (a)", floats(&[1], &[2.5])), Ok(()));
        assert_eq!(refused("Mul (a, a)", floats(&[1], &[0.0])), Err(RefusalKind::Unsupported));
    }
}

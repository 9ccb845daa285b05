//! Lowers RotaryEmbedding: SPLIT separates the first and the second elements of the pairs, products and sums rotate
//! them, and JOIN puts the results together.

use super::context::{Lowering, stretched};
use super::error::LoweringError;
use super::parts::{divided, joined};
use super::view::View;
use super::{Rule, Views};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Rule)] = &[("RotaryEmbedding", rotary)];

/// Splits a tensor into two parts along an axis.
fn split(lower: &mut Lowering, x: &View, axis: usize, first: u32) -> Result<[View; 2], LoweringError> {
    let parts = divided(lower, x, axis, &[first.into(), (x.sizes[axis] - first).into()])?;
    <[View; 2]>::try_from(parts).map_err(|_| Refusal::failed("SPLIT does not have two outputs").into())
}

/// Returns the cosine or sine of each pair, broadcast to these sizes. The cache has a row for each token, or positions
/// select its rows.
fn cached(
    lower: &mut Lowering,
    at: usize,
    tokens: [u32; 3],
    by_heads: bool,
    sizes: &[u32],
) -> Result<View, LoweringError> {
    let (cache, ids) = (lower.input(at)?, lower.optional(3)?);
    let invalid = |sizes: &[u32]| {
        Refusal::invalid(format!("a cache or `position_ids` has shape {sizes:?}, which does not fit `X`"))
    };
    let rows = match ids {
        Some(ids) if ids.sizes != tokens[..2] => return Err(invalid(&ids.sizes).into()),
        Some(ids) if cache.rank() == 2 && cache.sizes[1] == tokens[2] => {
            let call = lower.call("GATHER").read("InputTensor", &cache).read("IndicesTensor", &ids).leading();
            let call = call.write("OutputTensor", cache.data_type, &tokens).axis("Axis", 0);
            call.set("IndexDimensions", ids.rank()).one()?
        }
        None if cache.sizes == tokens => cache,
        _ => return Err(invalid(&cache.sizes).into()),
    };
    let [batch, sequence, pairs] = tokens;
    stretched(&rows.reshaped(&if by_heads { [batch, 1, sequence, pairs] } else { [batch, sequence, 1, pairs] }), sizes)
}

fn rotary(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let heads = u32::try_from(lower.node.optional_int("num_heads").unwrap_or(0)).unwrap_or(0);
    let (whole, batch, sequence) = match *x.sizes.as_slice() {
        [batch, _, sequence, _] => (x.clone(), batch, sequence),
        [batch, sequence, all] if heads > 0 && all % heads == 0 => {
            (x.reshaped(&[batch, sequence, heads, all / heads]), batch, sequence)
        }
        _ => {
            return Err(Refusal::invalid(format!(
                "`X` has shape {:?}, expected rank 4, or rank 3 with a last extent that `num_heads` = {heads} divides",
                x.sizes
            ))
            .into());
        }
    };
    let (size, wanted) = (whole.sizes[3], lower.node.int("rotary_embedding_dim"));
    let turned = if wanted == 0 { size } else { u32::try_from(wanted).unwrap_or(0) };
    if turned == 0 || turned > size || turned % 2 != 0 {
        return Err(Refusal::invalid(format!(
            "`rotary_embedding_dim` is {wanted} and the head size {size}; the number of rotated elements must be \
             positive, even and at most the head size"
        ))
        .into());
    }
    let (part, rest) = match turned == size {
        true => (whole.clone(), None),
        false => {
            let [part, rest] = split(lower, &whole, 3, turned)?;
            (part, Some(rest))
        }
    };
    let [a, b, c] = [whole.sizes[0], whole.sizes[1], whole.sizes[2]];
    // The two elements of a pair lie side by side (interleaved), or one in each half.
    let (axis, pairs) = match lower.node.int("interleaved") {
        0 => (3, [a, b, c, 2, turned / 2]),
        _ => (4, [a, b, c, turned / 2, 2]),
    };
    let sizes = [a, b, c, turned / 2];
    let halves = split(lower, &part.reshaped(&pairs), axis, 1)?;
    let [one, other] = [halves[0].reshaped(&sizes), halves[1].reshaped(&sizes)];
    let (tokens, by_heads) = ([batch, sequence, turned / 2], x.rank() == 4);
    let cos = cached(lower, 1, tokens, by_heads, &sizes)?;
    let sin = cached(lower, 2, tokens, by_heads, &sizes)?;
    let mut product = |a: &View, b: &View| lower.binary("ELEMENT_WISE_MULTIPLY", [a, b], a.data_type);
    let products = [product(&one, &cos)?, product(&other, &sin)?, product(&one, &sin)?, product(&other, &cos)?];
    let one = lower.binary("ELEMENT_WISE_SUBTRACT", [&products[0], &products[1]], x.data_type)?;
    let other = lower.binary("ELEMENT_WISE_ADD", [&products[2], &products[3]], x.data_type)?;
    let mut half = pairs;
    half[axis] = 1;
    let part = joined(lower, &[one.reshaped(&half), other.reshaped(&half)], axis)?.reshaped(&[a, b, c, turned]);
    let y = match rest {
        Some(rest) => joined(lower, &[part, rest], 3)?,
        None => part,
    };
    Ok(vec![y.reshaped(&x.sizes)])
}

use crate::prelude::*;

/// Moves blocks of the depth to the spatial axes, so that height and width grow by the factor `blocksize`.
///
/// Version 1 has only the order DCR (`depth-order`); version 11 adds the mode CRD (`mode-known`). Constraints: the
/// input has rank 4 (`rank-four`), `blocksize` is positive (`blocksize-positive`), and its square divides the depth
/// (`blocksize-divides-depth`).
pub fn depth_to_space(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    let (block, depth_first) = block(call)?;
    let &[n, c, h, w] = input.shape() else {
        return Err(Refusal::violates(rule::RANK_FOUR, format!("the input has rank {}, expected 4", input.rank())));
    };
    // A product that overflows is larger than any depth, and divides only 0.
    let area = block.saturating_mul(block);
    if c % area != 0 {
        return Err(Refusal::violates(
            rule::BLOCKSIZE_DIVIDES_DEPTH,
            format!("{block} x {block} does not divide a depth of {c}"),
        ));
    }
    let depth = c / area;
    let shape = vec![n, depth, h.saturating_mul(block), w.saturating_mul(block)];
    one(input.moved(shape, |at| {
        let within = at[2] % block * block + at[3] % block;
        let channel = if depth_first { within * depth + at[1] } else { at[1] * area + within };
        vec![at[0], channel, at[2] / block, at[3] / block]
    })?)
}

/// Returns `blocksize`, and whether the mode is DCR. In that mode, the position within a block is the outer part of the
/// depth.
pub(crate) fn block(call: &Call) -> Result<(usize, bool), Refusal> {
    let block = call.int("blocksize")?;
    let size = usize::try_from(block).ok().filter(|&b| b > 0);
    let size = size.ok_or_else(|| {
        Refusal::violates(rule::BLOCKSIZE_POSITIVE, format!("`blocksize` is {block}, expected a positive number"))
    })?;
    match call.optional_string("mode").as_deref() {
        None | Some("DCR") => Ok((size, true)),
        Some("CRD") => Ok((size, false)),
        Some(other) => {
            Err(Refusal::violates(rule::MODE_KNOWN, format!("`mode` is `{other}`, expected `DCR` or `CRD`")))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Limit;
    use crate::testing::{floats, run};
    use plumbline_spec::rule;

    #[test]
    fn any_block_divides_a_depth_of_zero() {
        let of = |shape: &[usize], values: &[f32]| {
            run("DepthToSpace <blocksize = 4294967296>", 13, &[floats(shape, values)], 1)
        };
        let large = of(&[1, 0, 1, 1], &[]).unwrap_err();
        assert_eq!((large.label, large.limit), (None, Some(Limit::TensorElements)));
        assert!(large.message.ends_with("is larger than the oracle takes"), "{large}");
        let empty = &of(&[1, 0, 0, 0], &[]).expect("the node is valid")[0];
        assert_eq!(empty.shape(), [1, 0, 0, 0]);
        let refusal = of(&[1, 1, 1, 1], &[1.0]).unwrap_err();
        assert_eq!(refusal.label, Some(rule::BLOCKSIZE_DIVIDES_DEPTH));
    }
}

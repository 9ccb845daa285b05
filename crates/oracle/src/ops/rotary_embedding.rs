use crate::families::heads::Heads;
use crate::prelude::*;

/// Rotates pairs of elements of each head. The angle depends on the position of the token; the caches hold its cosine
/// and sine.
///
/// The only version is 23. Constraints: the rank (`rank-three-or-four`), `num_heads` (`head-counts-divide`), the shapes
/// of the caches (`cache-shapes-fit`) and of `position_ids` (`position-ids-shape-fits`), the positions
/// (`positions-in-range`), and `rotary_embedding_dim` (`rotary-embedding-dim-fits`). Elements of a head after the first
/// `rotary_embedding_dim` stay as they are: `unrotated-elements`. In releases before 1.19.1, the rows of the caches may
/// be longer (`long-caches`).
///
/// Values of `interleaved` other than 0 and 1: `other-flag-values`.
pub fn rotary_embedding(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let heads = match x.rank() {
        4 => Heads::unpacked(x),
        3 => Heads::packed(x, call.optional_int("num_heads"), rule::HEAD_COUNTS_DIVIDE)?,
        rank => {
            return Err(Refusal::violates(rule::RANK_THREE_OR_FOUR, format!("`X` has rank {rank}, expected 3 or 4")));
        }
    };
    let wanted = call.int("rotary_embedding_dim")?;
    let rotated = if wanted == 0 { heads.size } else { usize::try_from(wanted).unwrap_or(usize::MAX) };
    if rotated > heads.size || rotated % 2 != 0 {
        return Err(Refusal::violates(
            rule::ROTARY_EMBEDDING_DIM_FITS,
            format!(
                "`rotary_embedding_dim` {wanted} (0 means all) does not select an even number of a head's {} elements",
                heads.size
            ),
        ));
    }
    let half = rotated / 2;
    let (cos, sin) = (call.tensor("cos_cache")?, call.tensor("sin_cache")?);
    let rows = positions(call, &heads, cos)?;
    let interleaved = call.flag("interleaved");
    let expected = match call.given("position_ids") {
        true => vec![cos.extent(0), half],
        false => vec![heads.batch, heads.sequence, half],
    };
    let long = |cache: &Expected| {
        let last = expected.len() - 1;
        cache.rank() == expected.len() && cache.shape()[..last] == expected[..last] && cache.extent(last) > half
    };
    let unlike: Vec<&Expected> = [cos, sin].into_iter().filter(|cache| cache.shape() != expected).collect();
    if !unlike.is_empty() && call.follows(rule::LONG_CACHES) && unlike.iter().all(|cache| long(cache)) {
        call.leaves_open(rule::LONG_CACHES);
    } else if let Some(cache) = unlike.first() {
        return Err(Refusal::violates(
            rule::CACHE_SHAPES_FIT,
            format!("a cache has shape {:?}, expected {expected:?}", cache.shape()),
        ));
    }
    let mut numbers: Vec<Number> = x.numbers().collect();
    for (b, h, s) in heads.rows() {
        for k in 0..half {
            let (one, other) = if interleaved { (2 * k, 2 * k + 1) } else { (k, k + half) };
            let (one, other) = (heads.index(b, h, s, one), heads.index(b, h, s, other));
            let row = rows[b * heads.sequence + s];
            let at = |cache: &Expected| cache.number(row * cache.extent(cache.rank() - 1) + k);
            let (cos, sin, x1, x2) = (at(cos), at(sin), x.number(one), x.number(other));
            numbers[one] = cos * x1 - sin * x2;
            numbers[other] = sin * x1 + cos * x2;
        }
    }
    call.answer(x.shape().to_vec(), numbers)
}

/// Returns, for each token of each batch, its row in the caches.
fn positions(call: &Call, heads: &Heads, cos: &Expected) -> Result<Vec<usize>, Refusal> {
    let tokens = heads.batch * heads.sequence;
    let rank = if call.given("position_ids") { 2 } else { 3 };
    if cos.rank() != rank {
        return Err(Refusal::violates(
            rule::CACHE_SHAPES_FIT,
            format!("a cache has rank {}, expected {rank}", cos.rank()),
        ));
    }
    let Some(ids) = call.optional_ints("position_ids")? else { return Ok((0..tokens).collect()) };
    let shape = call.tensor("position_ids")?.shape();
    if shape != [heads.batch, heads.sequence] {
        return Err(Refusal::violates(
            rule::POSITION_IDS_SHAPE_FITS,
            format!("`position_ids` has shape {shape:?}, expected [batch size, sequence length]"),
        ));
    }
    let most = cos.extent(0);
    let row = |&id: &i64| {
        let row = usize::try_from(id).ok().filter(|&row| row < most);
        row.ok_or_else(|| Refusal::violates(rule::POSITIONS_IN_RANGE, format!("position {id} is outside [0, {most})")))
    };
    ids.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::{answer_of_refused, floats, run};

    #[test]
    fn halves_or_adjacent_pairs_are_rotated() {
        let x = floats(&[1, 1, 4], &[1.0, 2.0, 3.0, 4.0]);
        let (cos, sin) = (floats(&[1, 1, 2], &[0.0, 1.0]), floats(&[1, 1, 2], &[1.0, 0.0]));
        let inputs = [x, cos, sin];
        let halves = &run("RotaryEmbedding <num_heads = 1>", 23, &inputs, 1).expect("the node is valid")[0];
        assert_eq!(halves.tensor.to_f64s(), [-3.0, 2.0, 1.0, 4.0]);
        let pairs =
            &run("RotaryEmbedding <num_heads = 1, interleaved = 1>", 23, &inputs, 1).expect("the node is valid")[0];
        assert_eq!(pairs.tensor.to_f64s(), [-2.0, 1.0, 3.0, 4.0]);
    }

    #[test]
    fn the_first_text_takes_longer_caches() {
        let x = floats(&[1, 1, 1, 2], &[1.0, 2.0]);
        let (long, short) = (floats(&[1, 1, 2], &[0.0, 9.0]), floats(&[1, 1, 1], &[1.0]));
        let inputs = [x, long.clone(), short];
        assert_eq!(answer_of_refused("1.19", "RotaryEmbedding", 23, &inputs), Some(vec![-2.0, 1.0]));
        assert_eq!(answer_of_refused("1.19.1", "RotaryEmbedding", 23, &inputs), None);
        let scalar = [inputs[0].clone(), long, floats(&[], &[1.0])];
        assert_eq!(answer_of_refused("1.19", "RotaryEmbedding", 23, &scalar), None);
    }
}

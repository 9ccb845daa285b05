//! The masks of Attention: which keys a query sees, and what is added to their scores. The rules are Attention's.

use crate::families::heads::Heads;
use crate::prelude::*;

/// Everything that decides whether a query sees a key.
pub struct Masks<'a> {
    mask: Option<Mask<'a>>,
    /// For each batch, the number of keys that come before its first query, by which the diagonal is shifted.
    offsets: Vec<i64>,
    /// For each batch, the number of keys that are not padding.
    valid: Vec<i64>,
    causal: bool,
    left: i64,
    right: i64,
}

struct Mask<'a> {
    tensor: &'a Expected,
    /// The extents of the tensor, padded with leading ones to four dimensions.
    shape: [usize; 4],
}

impl Mask<'_> {
    /// Returns the index of the element for these coordinates, or `None` for keys beyond the end of a mask that is
    /// shorter than the keys.
    fn at(&self, at: [usize; 4]) -> Option<usize> {
        if at[3] >= self.shape[3] && self.shape[3] != 1 {
            return None;
        }
        let inside = |d: usize| if self.shape[d] == 1 { 0 } else { at[d] };
        Some((0..4).fold(0, |index, d| index * self.shape[d] + inside(d)))
    }
}

impl<'a> Masks<'a> {
    /// Reads the masks of a call. There are `total` keys, and `past` of them precede the queries. The rules are
    /// `attn-mask-broadcasts`, `nonpad-kv-seqlen-fits`, `nonpad-kv-seqlen-in-range`, `mask-of-one-key`,
    /// `causal-diagonal` (in releases before 1.23 `causal-upper-left`) and `mask-beside-causal`.
    pub fn read(call: &Call<'a>, q: &Heads, total: usize, past: usize) -> Result<Masks<'a>, Refusal> {
        let mask = match call.optional_tensor("attn_mask")? {
            Some(tensor) => Some(settled(mask(call, tensor, q, total)?)?),
            None => None,
        };
        let nonpad = call.optional_ints("nonpad_kv_seqlen")?;
        if let Some(lengths) = &nonpad {
            let shape = call.tensor("nonpad_kv_seqlen")?.shape();
            let alone = !["past_key", "past_value"].iter().any(|name| call.given(name));
            let alone = alone && !["present_key", "present_value"].iter().any(|name| call.wants_output(name));
            if shape != [q.batch] || !alone {
                return Err(Refusal::violates(
                    rule::NONPAD_KV_SEQLEN_FITS,
                    format!("`nonpad_kv_seqlen` has shape {shape:?}: expected [{}], and no past or present", q.batch),
                ));
            }
            if !lengths.iter().all(|n| (0..=total as i64).contains(n)) {
                return Err(Refusal::violates(
                    rule::NONPAD_KV_SEQLEN_IN_RANGE,
                    format!("`nonpad_kv_seqlen` is {lengths:?}, expected lengths in [0, {total}]"),
                ));
            }
            let longest = lengths.iter().max().copied().unwrap_or(0);
            let short = mask.as_ref().is_some_and(|m| m.shape[3] != 1 && (m.shape[3] as i64) < longest);
            if short {
                return Err(Refusal::violates(
                    rule::ATTN_MASK_BROADCASTS,
                    "the last extent of `attn_mask` is less than the largest length in `nonpad_kv_seqlen`",
                ));
            }
        }
        let offset = |&n: &i64| n - q.sequence as i64;
        let mut offsets: Vec<i64> = match &nonpad {
            Some(lengths) => lengths.iter().map(offset).collect(),
            None => vec![past as i64; q.batch],
        };
        let causal = call.flag("is_causal");
        if causal && offsets.iter().any(|&offset| offset != 0) && call.follows(rule::CAUSAL_UPPER_LEFT) {
            offsets.fill(0);
        }
        if causal && mask.is_some() && call.follows(rule::MASK_BESIDE_CAUSAL) {
            call.leaves_open(rule::MASK_BESIDE_CAUSAL);
        }
        Ok(Masks {
            mask,
            offsets,
            valid: nonpad.unwrap_or_else(|| vec![total as i64; q.batch]),
            causal,
            left: call.optional_int("left_window_size").unwrap_or(-1),
            right: call.optional_int("right_window_size").unwrap_or(-1),
        })
    }

    /// Returns whether a query sees a key.
    pub fn allows(&self, batch: usize, head: usize, query: usize, key: usize) -> bool {
        let (j, position) = (key as i64, query as i64 + self.offsets[batch]);
        let window = (self.left < 0 || j >= position.saturating_sub(self.left))
            && (self.right < 0 || j <= position.saturating_add(self.right));
        let masked = self.mask.as_ref().is_some_and(|mask| match mask.at([batch, head, query, key]) {
            None => true,
            Some(at) if mask.tensor.dtype() == DType::Bool => mask.tensor.number(at).mid() == 0.0,
            Some(at) => mask.tensor.number(at).mid() == f64::NEG_INFINITY,
        });
        j < self.valid[batch] && (!self.causal || j <= position) && window && !masked
    }

    /// Returns the number that the mask adds to the score of a query and a key.
    pub fn bias(&self, batch: usize, head: usize, query: usize, key: usize, dtype: DType) -> Number {
        let mask = self.mask.as_ref().filter(|mask| mask.tensor.dtype() != DType::Bool);
        match mask.and_then(|mask| Some(mask.tensor.number(mask.at([batch, head, query, key])?))) {
            Some(number) => number,
            None => Number::constant(0.0, dtype),
        }
    }
}

/// Refuses a mask if it is open whether it allows a key.
fn settled(mask: Mask) -> Result<Mask, Refusal> {
    let may_mask = |x: Number| !x.is_point() && (x.dtype() == DType::Bool || x.widest().low == f64::NEG_INFINITY);
    match mask.tensor.numbers().any(may_mask) {
        true => Err(Refusal::unsupported("`attn_mask` decides about a key, but the oracle accepts both decisions")),
        false => Ok(mask),
    }
}

/// Reads a mask that broadcasts to (batch, heads, queries, keys). From version 24 on it may be shorter than the number
/// of keys.
fn mask<'a>(call: &Call, tensor: &'a Expected, q: &Heads, total: usize) -> Result<Mask<'a>, Refusal> {
    let refuse = |why: String| Err(Refusal::violates(rule::ATTN_MASK_BROADCASTS, why));
    if tensor.dtype() != DType::Bool && tensor.dtype() != q.tensor.dtype() {
        return refuse(format!("`attn_mask` has type {}, expected bool or the type of `Q`", tensor.dtype()));
    }
    if tensor.rank() > 4 {
        return refuse(format!("`attn_mask` has rank {}, expected at most 4", tensor.rank()));
    }
    let mut shape = [1; 4];
    shape[4 - tensor.rank()..].copy_from_slice(tensor.shape());
    let full = [q.batch, q.heads, q.sequence, total];
    let short = call.since() >= 24 && shape[3] < total;
    if short && shape[3] == 1 {
        return Err(Refusal::leaves_open(
            rule::MASK_OF_ONE_KEY,
            "the last extent of `attn_mask` is 1: the mask may broadcast to all keys, or be padded",
        ));
    }
    let fits = (0..4).all(|d| shape[d] == 1 || shape[d] == full[d] || d == 3 && short);
    if fits {
        Ok(Mask { tensor, shape })
    } else {
        refuse(format!("`attn_mask` of shape {:?} does not broadcast to {full:?}", tensor.shape()))
    }
}

/// Tests by older texts. Those by the newest text are beside the kernel of Attention.
#[cfg(test)]
mod tests {
    use crate::Judged;
    use crate::testing::{answers_by, floats, refusable_by, run_by_both};
    use plumbline_tensor::{DType, Tensor};

    #[test]
    fn older_texts_begin_the_diagonal_at_the_first_key() {
        let one = |x: f32| floats(&[1, 1, 1, 1], &[x]);
        let mask = floats(&[1, 2], &[0.0, 0.0]);
        let inputs = [one(0.0), one(1.0), one(20.0), mask, one(1.0), one(10.0)];
        let node = "Attention <is_causal = 1>";
        let (new, old) = run_by_both("1.22", node, 24, &inputs, 3).expect("the node is valid");
        assert_eq!(new[0].tensor, one(15.0));
        assert_eq!(old.expect("the texts differ")[0].tensor, one(10.0));
        // By the text of version 23, there is a mask or a causal mask.
        assert_eq!(refusable_by("1.22", node, 24, &inputs, 3), None);
        assert!(refusable_by("1.22", node, 23, &inputs, 3).is_some_and(|rule| rule.contains("mask-beside-causal")));
        assert_eq!(refusable_by("1.23", node, 23, &inputs, 3), None);
    }

    #[test]
    fn a_row_without_keys_is_nan_by_older_texts() {
        let x = floats(&[1, 1, 1, 1], &[1.0]);
        let mask = Tensor::from_bits(DType::Bool, vec![1, 1], [0].into_iter()).expect("the shape has one element");
        let inputs = [x.clone(), x.clone(), x.clone(), mask];
        for version in [23, 24] {
            let (new, old) = run_by_both("1.22", "Attention", version, &inputs, 1).expect("the node is valid");
            assert_eq!(new[0].judge(&floats(&[1, 1, 1, 1], &[0.0]), 0), Judged::Accepted);
            let old = old.expect("the texts differ");
            assert_eq!(old[0].judge(&floats(&[1, 1, 1, 1], &[f32::NAN]), 0), Judged::Accepted);
            assert_eq!(old[0].judge(&floats(&[1, 1, 1, 1], &[0.0]), 0), Judged::Wrong);
        }
        assert!(run_by_both("1.22", "Attention", 25, &inputs, 1).expect("the node is valid").1.is_none());
    }

    #[test]
    fn older_texts_add_the_mask_before_the_cap() {
        let x = floats(&[1, 1, 1, 1], &[0.0]);
        let inputs = [x.clone(), x.clone(), x, floats(&[1, 1], &[3.0])];
        let shown = |mode: u8| {
            let node = format!("Attention <softcap = 1.0, qk_matmul_output_mode = {mode}>");
            let (new, old) = run_by_both("1.21", &node, 23, &inputs, 4).expect("the node is valid");
            [new, old.expect("the texts differ")].map(|outputs| outputs[3].tensor.to_f64s()[0])
        };
        assert_eq!(shown(1), [0.0, 3.0]);
        assert_eq!(shown(2), [3.0, f64::from(3f32.tanh())]);
    }

    /// The cap turns the score of a masked key into -1, so that the key has a weight of 1 / (1 + e); or the key takes no
    /// part.
    #[test]
    fn a_masked_key_may_have_a_weight_by_older_texts() {
        let q = floats(&[1, 1, 1, 1], &[0.0]);
        let (k, v) = (floats(&[1, 1, 2, 1], &[1.0, 1.0]), floats(&[1, 1, 2, 1], &[0.0, 1.0]));
        let inputs = [q, k, v, floats(&[1, 2], &[0.0, f32::NEG_INFINITY])];
        let node = "Attention <softcap = 1.0>";
        let found: Vec<f64> = answers_by("1.21", node, 23, &inputs).concat();
        assert_eq!(found[..2], [0.0, 0.0]);
        assert!((found[2] - 1.0 / (1.0 + std::f64::consts::E)).abs() < 1e-6 && found.len() == 3, "{found:?}");
        assert_eq!(answers_by("1.22", node, 23, &inputs), [[0.0]]);
    }

    #[test]
    fn the_scale_counts_twice_by_the_first_text() {
        let x = floats(&[1, 1, 1, 1], &[1.0]);
        let inputs = [x.clone(), x.clone(), x];
        let (new, old) = run_by_both("1.18", "Attention <scale = 4.0>", 23, &inputs, 4).expect("the node is valid");
        assert_eq!(new[3].tensor.to_f64s(), [4.0]);
        assert_eq!(old.expect("the texts differ")[3].tensor.to_f64s(), [16.0]);
        assert!(run_by_both("1.19", "Attention <scale = 4.0>", 23, &inputs, 4).expect("the node is valid").1.is_none());
    }
}

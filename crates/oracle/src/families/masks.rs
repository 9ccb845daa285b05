//! The masks of Attention: which keys a query sees, and what is added to their scores. The rules are Attention's.

use crate::families::heads::Heads;
use crate::prelude::*;

/// Everything that decides whether a query sees a key.
pub struct Masks<'a> {
    mask: Option<Mask<'a>>,
    /// For each batch, the number of keys that come before its first query.
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
    /// `attn-mask-broadcasts`, `nonpad-kv-seqlen-fits` and `mask-of-one-key`.
    pub fn read(call: &Call<'a>, q: &Heads, total: usize, past: usize) -> Result<Masks<'a>, Refusal> {
        let mask = match call.optional_tensor("attn_mask")? {
            Some(tensor) => Some(mask(call, tensor, q, total)?),
            None => None,
        };
        let nonpad = call.optional_ints("nonpad_kv_seqlen")?;
        if let Some(lengths) = &nonpad {
            let shape = call.tensor("nonpad_kv_seqlen")?.shape();
            let alone = !["past_key", "past_value"].iter().any(|name| call.given(name));
            let alone = alone && !["present_key", "present_value"].iter().any(|name| call.wants_output(name));
            let inside = lengths.iter().all(|&n| (0..=total as i64).contains(&n));
            if shape != [q.batch] || !alone || !inside {
                return Err(Refusal::violates(
                    rule::NONPAD_KV_SEQLEN_FITS,
                    format!(
                        "`nonpad_kv_seqlen` is {lengths:?}, of shape {shape:?}: expected one length from 0 to {total} \
                         for each batch, and no past or present"
                    ),
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
        let offsets = match &nonpad {
            Some(lengths) => lengths.iter().map(offset).collect(),
            None => vec![past as i64; q.batch],
        };
        Ok(Masks {
            mask,
            offsets,
            valid: nonpad.unwrap_or_else(|| vec![total as i64; q.batch]),
            causal: call.flag("is_causal"),
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

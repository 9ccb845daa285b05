//! Attention and RotaryEmbedding.

use plumbline_tensor::DType;

use super::normalization::{narrowed, wide};
use crate::array::{Array, affordable};
use crate::element::{Float, Number, with_float};
use crate::kernels::lanes::{laid, pieces};
use crate::kernels::product::{Matrix, multiply};
use crate::node::{Node, Operator, Outputs, one};
use crate::view::View;
use plumbline_graph::Refusal;

/// The operators of this file by name.
pub const OPERATORS: &[(&str, Operator)] = &[("Attention", attention), ("RotaryEmbedding", rotary_embedding)];

/// A tensor of heads in float64, with sizes batch, heads, length and head size. Its numbers are in the order of these
/// sizes, whatever the layout of the input.
struct Heads {
    sizes: [usize; 4],
    numbers: Vec<f64>,
}

/// Returns a positive integer attribute.
pub fn positive(node: &Node, name: &str) -> Result<usize, Refusal> {
    let Some(given) = node.optional_int(name) else {
        return Err(Refusal::invalid(format!("`{name}` is missing, expected a positive number")));
    };
    let wrong = || Refusal::invalid(format!("`{name}` is {given}, expected a positive number"));
    usize::try_from(given).ok().filter(|&n| n > 0).ok_or_else(wrong)
}

impl Heads {
    /// Reads an input. With rank 4 the heads are an axis before the length; with rank 3 they are parts of the last
    /// extent, and `count` is the name of the attribute that gives their number.
    fn read(node: &Node, at: usize, count: &str) -> Result<Heads, Refusal> {
        let data = node.input(at)?;
        let wrong = || {
            Refusal::invalid(format!(
                "input {at} has shape {:?}, expected rank 4, or rank 3 with a last extent that `{count}` divides",
                data.shape()
            ))
        };
        let numbers = wide(data)?;
        match *data.shape() {
            [batch, heads, length, size] => Ok(Heads { sizes: [batch, heads, length, size], numbers }),
            [batch, length, hidden] => {
                let heads = positive(node, count)?;
                if hidden % heads != 0 {
                    return Err(wrong());
                }
                let size = hidden / heads;
                let view = View::packed(&numbers, &[batch, length, heads, size]);
                let numbers = laid(&view.permuted(&[0, 2, 1, 3])).into_owned();
                Ok(Heads { sizes: [batch, heads, length, size], numbers })
            }
            _ => Err(wrong()),
        }
    }

    /// Puts the past, if there is one, before these heads along the axis of the length.
    fn behind(self, past: Option<&Array>) -> Result<Heads, Refusal> {
        let Some(past) = past else { return Ok(self) };
        let [batch, heads, length, size] = self.sizes;
        let earlier = match *past.shape() {
            [b, h, earlier, s] if (b, h, s) == (batch, heads, size) => earlier,
            ref other => {
                return Err(Refusal::invalid(format!(
                    "the past has shape {other:?}, which does not fit the heads of shape {:?}",
                    self.sizes
                )));
            }
        };
        let sizes = [batch, heads, earlier + length, size];
        let mut numbers = Vec::with_capacity(affordable(&sizes)?);
        let before = wide(past)?;
        for head in 0..batch * heads {
            numbers.extend_from_slice(&before[head * earlier * size..(head + 1) * earlier * size]);
            numbers.extend_from_slice(&self.numbers[head * length * size..(head + 1) * length * size]);
        }
        Ok(Heads { sizes, numbers })
    }

    fn head(&self, batch: usize, head: usize) -> &[f64] {
        let count = self.sizes[2] * self.sizes[3];
        &self.numbers[(batch * self.sizes[1] + head) * count..][..count]
    }
}

/// The mask and the limits that decide which keys a query sees. They become a bias of scores, which is minus infinity
/// if the query does not see the key.
pub struct Masks {
    /// The bias from the mask input, broadcast to all scores of the first `known` keys.
    given: Option<Vec<f64>>,
    /// Number of keys that the mask input covers.
    pub known: usize,
    causal: bool,
    /// How many keys a query sees before the key at its own position, and how many behind it. `None` means no limit.
    windows: [Option<i64>; 2],
    /// For each batch, the number of valid keys, and the number of keys before the first query.
    keys: Vec<(usize, i64)>,
}

/// Reads the mask inputs and attributes of a node. `sizes` are the numbers of batches, heads, queries and keys, and
/// `past` is the number of past keys among them.
pub fn read_masks(node: &Node, sizes: [usize; 4], past: usize) -> Result<Masks, Refusal> {
    let [batch, heads, queries, keys] = sizes;
    let mut masks = Masks {
        given: None,
        known: keys,
        causal: node.int("is_causal") != 0,
        windows: [None; 2],
        keys: vec![(keys, past as i64); batch],
    };
    for (window, name) in masks.windows.iter_mut().zip(["left_window_size", "right_window_size"]) {
        *window = match node.optional_int(name) {
            None | Some(-1) => None,
            Some(size @ 0..) => Some(size),
            Some(other) => return Err(Refusal::invalid(format!("`{name}` is {other}, expected -1 or more"))),
        };
    }
    if let Some(counts) = node.optional(6)? {
        let has_present = node.names_output(1) || node.names_output(2);
        if counts.shape() != [batch] || node.optional(4)?.is_some() || has_present {
            return Err(Refusal::invalid(
                "`nonpad_kv_seqlen` is given together with a past input or present output, or does not have one length \
                 for each batch",
            ));
        }
        masks.keys.clear();
        for &count in counts.slice::<i64>() {
            match usize::try_from(count) {
                Ok(count) if count <= keys => masks.keys.push((count, count as i64 - queries as i64)),
                _ => {
                    return Err(Refusal::invalid(format!(
                        "`nonpad_kv_seqlen` has {count}, expected 0 to {keys}, the number of keys"
                    )));
                }
            }
        }
    }
    let Some(mask) = node.optional(3)? else { return Ok(masks) };
    let numbers = match mask.dtype() {
        DType::Bool => mask.slice::<u8>().iter().map(|&seen| if seen != 0 { 0.0 } else { f64::NEG_INFINITY }).collect(),
        dtype if dtype == node.input(0)?.dtype() => wide(mask)?,
        other => {
            return Err(Refusal::invalid(format!("`attn_mask` has type {other}, expected bool or the type of `Q`")));
        }
    };
    let counted = node.optional(6)?.map(|_| masks.keys.iter().map(|&(count, _)| count));
    let least = counted.and_then(Iterator::max).unwrap_or(0);
    let short = node.since() >= 24;
    masks.known = match mask.shape().last() {
        Some(&last) if short && last != 1 && last < keys && last >= least => last,
        _ => keys,
    };
    let shape = [batch, heads, queries, masks.known];
    masks.given = match View::packed(&numbers, mask.shape()).broadcast(&shape) {
        Some(view) => Some(laid(&view).into_owned()),
        None => {
            return Err(Refusal::invalid(format!(
                "`attn_mask` of shape {:?} does not broadcast to {shape:?}",
                mask.shape()
            )));
        }
    };
    Ok(masks)
}

impl Masks {
    /// Returns whether the limits hide a key from a query. The values of the mask input do not matter for this.
    pub fn hides(&self, batch: usize, query: usize, key: usize) -> bool {
        let (count, before) = self.keys[batch];
        let (place, key_place) = (query as i64 + before, key as i64);
        key >= count
            || key >= self.known
            || (self.causal && key_place > place)
            || self.windows[0].is_some_and(|size| key_place < place.saturating_sub(size))
            || self.windows[1].is_some_and(|size| key_place > place.saturating_add(size))
    }

    /// Returns the bias of the score of a query and a key. `row` is the index of the query among the queries of all
    /// batches and heads.
    pub fn bias(&self, batch: usize, row: usize, query: usize, key: usize) -> f64 {
        match &self.given {
            _ if self.hides(batch, query, key) => f64::NEG_INFINITY,
            Some(given) => given[row * self.known + key],
            None => 0.0,
        }
    }
}

/// Turns the scores of a query into weights. If the query sees no key, all weights are 0.
pub fn softmax(scores: &mut [f64]) {
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY && !scores.iter().any(|x| x.is_nan()) {
        return scores.fill(0.0);
    }
    scores.iter_mut().for_each(|x| *x = (*x - most).exp());
    let sum: f64 = scores.iter().sum();
    scores.iter_mut().for_each(|x| *x /= sum);
}

fn attention(node: &Node) -> Outputs {
    let dtype = node.input(0)?.dtype();
    let ranks = [node.input(0)?.rank(), node.input(1)?.rank(), node.input(2)?.rank()];
    let (past_key, past_value) = (node.optional(4)?, node.optional(5)?);
    if ranks[1..] != [ranks[0]; 2] {
        return Err(Refusal::invalid(format!("`Q`, `K` and `V` have ranks {ranks:?}, expected equal ranks")));
    }
    if past_key.is_some() != past_value.is_some() {
        return Err(Refusal::invalid("only one of the inputs `past_key` and `past_value` is given"));
    }
    if node.names_output(1) != node.names_output(2) {
        return Err(Refusal::invalid("only one of the outputs `present_key` and `present_value` is named"));
    }
    let q = Heads::read(node, 0, "q_num_heads")?;
    let (k, v) = (Heads::read(node, 1, "kv_num_heads")?, Heads::read(node, 2, "kv_num_heads")?);
    let [batch, heads, queries, size] = q.sizes;
    let [_, key_heads, length, _] = k.sizes;
    if k.sizes != [batch, key_heads, length, size] || v.sizes[..3] != k.sizes[..3] {
        return Err(Refusal::invalid(format!(
            "the shapes of queries {:?}, keys {:?} and values {:?} do not fit together",
            q.sizes, k.sizes, v.sizes
        )));
    }
    if key_heads == 0 || heads % key_heads != 0 {
        return Err(Refusal::invalid(format!(
            "`Q` has {heads} heads, which is not a multiple of the {key_heads} heads of `K`"
        )));
    }
    let (k, v) = (k.behind(past_key)?, v.behind(past_value)?);
    let (keys, value_size) = (k.sizes[2], v.sizes[3]);
    if v.sizes[2] != keys {
        return Err(Refusal::invalid(format!(
            "there are {keys} keys and {} values, expected as many values as keys",
            v.sizes[2]
        )));
    }
    let masks = read_masks(node, [batch, heads, queries, keys], keys - length)?;
    let mode = node.int("qk_matmul_output_mode");
    if !(0..=3).contains(&mode) {
        return Err(Refusal::invalid(format!("`qk_matmul_output_mode` is {mode}, expected 0 to 3")));
    }
    let precision = node.optional_int("softmax_precision");
    if precision.is_some_and(|code| !matches!(code, 1 | 10 | 11 | 16)) {
        return Err(Refusal::invalid("`softmax_precision` is not float, float16, double or bfloat16"));
    }
    let scale = node.optional_float("scale").map_or_else(|| 1.0 / (size as f64).sqrt(), f64::from);
    let softcap = f64::from(node.float("softcap"));
    let mut scores = vec![0.0; affordable(&[batch, heads, queries, keys])?];
    let mut shown = vec![0.0; scores.len()];
    let mut out = vec![0.0; affordable(&[batch, heads, queries, value_size])?];
    for at in 0..batch * heads {
        let (n, head) = (at / heads, at % heads);
        let own = head / (heads / key_heads);
        let scores = &mut scores[at * queries * keys..(at + 1) * queries * keys];
        let shown = &mut shown[at * queries * keys..(at + 1) * queries * keys];
        let query = Matrix::new(q.head(n, head), queries, size);
        multiply(scores, query, Matrix::new(k.head(n, own), keys, size).turned());
        scores.iter_mut().for_each(|x| *x *= scale);
        if mode == 0 {
            shown.copy_from_slice(scores);
        }
        if softcap != 0.0 {
            scores.iter_mut().for_each(|x| *x = softcap * (*x / softcap).tanh());
        }
        if mode == 1 {
            shown.copy_from_slice(scores);
        }
        for (row, scores) in scores.chunks_mut(keys.max(1)).enumerate() {
            for (key, score) in scores.iter_mut().enumerate() {
                *score += masks.bias(n, at * queries + row, row, key);
            }
        }
        if mode == 2 {
            shown.copy_from_slice(scores);
        }
        scores.chunks_mut(keys.max(1)).for_each(softmax);
        with_float!(dtype, T => {
            scores.iter_mut().for_each(|x| *x = T::from_double(*x).to_f64());
            Ok(())
        })?;
        if mode == 3 {
            shown.copy_from_slice(scores);
        }
        let out = &mut out[at * queries * value_size..(at + 1) * queries * value_size];
        multiply(out, Matrix::new(scores, queries, keys), Matrix::new(v.head(n, own), keys, value_size));
    }
    let y = match ranks[0] {
        4 => narrowed(dtype, &[batch, heads, queries, value_size], &out)?,
        _ => {
            let view = View::packed(&out, &[batch, heads, queries, value_size]);
            let joined = laid(&view.permuted(&[0, 2, 1, 3])).into_owned();
            narrowed(dtype, &[batch, queries, heads * value_size], &joined)?
        }
    };
    Ok(vec![
        y.into(),
        narrowed(dtype, &k.sizes, &k.numbers)?.into(),
        narrowed(node.input(2)?.dtype(), &v.sizes, &v.numbers)?.into(),
        narrowed(dtype, &[batch, heads, queries, keys], &shown)?.into(),
    ])
}

/// Rotates pairs of elements by angles; the caches hold the cosines and sines of these angles.
fn rotary_embedding(node: &Node) -> Outputs {
    let (x, cos, sin, positions) = (node.input(0)?, node.input(1)?, node.input(2)?, node.optional(3)?);
    let wrong = || {
        Refusal::invalid(format!(
            "an input of shape {:?} does not fit `num_heads`, `rotary_embedding_dim`, `position_ids` or the caches of \
             shape {:?}",
            x.shape(),
            cos.shape()
        ))
    };
    // The sizes of batch, heads, sequence and head, in the order of the input's layout.
    let (sizes, sequence_at) = match *x.shape() {
        [batch, heads, sequence, size] => ([batch, heads, sequence, size], 2),
        [batch, sequence, hidden] => {
            let heads = positive(node, "num_heads")?;
            if hidden % heads != 0 {
                return Err(wrong());
            }
            ([batch, sequence, heads, hidden / heads], 1)
        }
        _ => return Err(wrong()),
    };
    let (batch, sequence, size) = (sizes[0], sizes[sequence_at], sizes[3]);
    let turned = match usize::try_from(node.int("rotary_embedding_dim")) {
        Ok(0) => size,
        Ok(turned) => turned,
        Err(_) => return Err(wrong()),
    };
    if cos.shape() != sin.shape() {
        let (cos, sin) = (cos.shape(), sin.shape());
        return Err(Refusal::invalid(format!("the caches have shapes {cos:?} and {sin:?}, expected equal shapes")));
    }
    if turned % 2 != 0 || turned > size {
        return Err(wrong());
    }
    let half = turned / 2;
    // The row of the caches for each position of each sequence.
    let rows: Vec<usize> = match positions {
        Some(positions) => {
            let &[count, last] = cos.shape() else { return Err(wrong()) };
            if last != half || positions.shape() != [batch, sequence] {
                return Err(wrong());
            }
            let row = |&at: &i64| usize::try_from(at).ok().filter(|&at| at < count).ok_or_else(wrong);
            positions.slice::<i64>().iter().map(row).collect::<Result<_, _>>()?
        }
        None if cos.shape() == [batch, sequence, half] => (0..batch * sequence).collect(),
        None => return Err(wrong()),
    };
    let interleaved = node.int("interleaved") != 0;
    one(with_float!(x.dtype(), T => Array::filled(x.dtype(), x.shape(), |out| {
        let (data, cos, sin) = (x.slice::<T>(), cos.slice::<T>(), sin.slice::<T>());
        out.data.copy_from_slice(data);
        pieces(out.data, size, |at, out: &mut [T]| {
            let data = &data[at * size..(at + 1) * size];
            let (n, place) = match sequence_at {
                1 => (at / sizes[2] / sequence, at / sizes[2] % sequence),
                _ => (at / sequence / sizes[1], at % sequence),
            };
            let row = rows[n * sequence + place] * half;
            for i in 0..half {
                let (first, second) = if interleaved { (2 * i, 2 * i + 1) } else { (i, i + half) };
                let (a, b) = (data[first].wide(), data[second].wide());
                let (cos, sin) = (cos[row + i].wide(), sin[row + i].wide());
                out[first] = T::narrow(cos * a - sin * b);
                out[second] = T::narrow(sin * a + cos * b);
            }
        });
        Ok(())
    }))?)
}

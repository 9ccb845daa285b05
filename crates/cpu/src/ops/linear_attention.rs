//! LinearAttention, computed in float64. Each key head has a state of shape (d_k, d_v), which the tokens update in
//! turn.

use super::attention::positive;
use super::normalization::{narrowed, state, wide};
use crate::array::{Array, affordable};
use crate::node::{Node, Operator, Outputs};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("LinearAttention", linear_attention)];

/// What one token does to the state of one head: it multiplies the state by `decay`, corrects the value if there is
/// a `rate`, and adds the outer product of `key` and the value.
struct Token<'a> {
    key: &'a [f64],
    value: &'a [f64],
    /// The factors by which the rows of the state are multiplied first. Empty if the update rule has no decay.
    decay: Vec<f64>,
    /// `beta`, the learning rate of the delta rules, which subtract from the value what the state already has for the
    /// key. `None` for the other rules.
    rate: Option<f64>,
}

impl Token<'_> {
    /// Updates the state, which has a row for each element of a key.
    fn update(&self, state: &mut [f64]) {
        let width = self.value.len();
        let mut new = self.value.to_vec();
        for (row, factor) in state.chunks_mut(width).zip(&self.decay) {
            row.iter_mut().for_each(|x| *x *= factor);
        }
        if let Some(rate) = self.rate {
            let known = times(self.key, state, width);
            new.iter_mut().zip(known).for_each(|(new, known)| *new = rate * (*new - known));
        }
        for (row, key) in state.chunks_mut(width).zip(self.key) {
            row.iter_mut().zip(&new).for_each(|(x, new)| *x += key * new);
        }
    }
}

/// Multiplies a row vector by a matrix of this width.
fn times(row: &[f64], matrix: &[f64], width: usize) -> Vec<f64> {
    let mut out = vec![0.0; width];
    for (factor, line) in row.iter().zip(matrix.chunks(width)) {
        out.iter_mut().zip(line).for_each(|(out, x)| *out += factor * x);
    }
    out
}

/// Reads `decay` or `beta`, an input of shape (batch, sequence, length). `tokens` are the first two extents, and the
/// length must be one of `lengths`. `at` is the index of the input. Returns the numbers and the length.
fn gate(
    node: &Node,
    (at, name): (usize, &str),
    tokens: [usize; 2],
    lengths: [usize; 2],
) -> Result<(Vec<f64>, usize), Refusal> {
    let array = node.input(at)?;
    match array.shape() {
        [batch, steps, length] if [*batch, *steps] == tokens && lengths.contains(length) => Ok((wide(array)?, *length)),
        shape => Err(Refusal::invalid(format!(
            "`{name}` has shape {shape:?}, expected rank 3, beginning with {tokens:?} and ending with one of \
             {lengths:?}"
        ))),
    }
}

fn linear_attention(node: &Node) -> Outputs {
    let (query, key, value) = (node.input(0)?, node.input(1)?, node.input(2)?);
    let (q_heads, kv_heads) = (positive(node, "q_num_heads")?, positive(node, "kv_num_heads")?);
    let wrong = || {
        Refusal::invalid(format!(
            "the shapes of `query` {:?}, `key` {:?} and `value` {:?} do not fit each other or the numbers of heads",
            query.shape(),
            key.shape(),
            value.shape()
        ))
    };
    let (&[batch, steps, q], &[_, _, k], &[_, _, v]) = (query.shape(), key.shape(), value.shape()) else {
        return Err(wrong());
    };
    let tokens = [batch, steps];
    let whole = q_heads % kv_heads == 0 && q % q_heads == 0 && k % kv_heads == 0 && v % kv_heads == 0;
    if !whole || q / q_heads != k / kv_heads || key.shape()[..2] != tokens || value.shape()[..2] != tokens {
        return Err(wrong());
    }
    let (size, width) = (k / kv_heads, v / kv_heads);
    let (gated, delta) = match node.string("update_rule")? {
        "linear" => (false, false),
        "gated" => (true, false),
        "delta" => (false, true),
        "gated_delta" => (true, true),
        other => {
            return Err(Refusal::invalid(format!(
                "`update_rule` is `{other}`, expected `linear`, `gated`, `delta` or `gated_delta`"
            )));
        }
    };
    let (decay, decay_length) = if gated { gate(node, (4, "decay"), tokens, [kv_heads, k])? } else { (Vec::new(), 0) };
    let (beta, beta_length) = if delta { gate(node, (5, "beta"), tokens, [kv_heads, 1])? } else { (Vec::new(), 0) };
    let state_shape = [batch, kv_heads, size, width];
    let mut states = state(node, 3, &state_shape)?;
    let (q, k, v) = (wide(query)?, wide(key)?, wide(value)?);
    let scale = match f64::from(node.float("scale")) {
        0.0 => 1.0 / (size as f64).sqrt(),
        scale => scale,
    };
    let shape = [batch, steps, q_heads * width];
    let mut out = vec![0.0; affordable(&shape)?];
    for (at, state) in states.chunks_mut((size * width).max(1)).enumerate() {
        let (sequence, head) = (at / kv_heads, at % kv_heads);
        for row in sequence * steps..(sequence + 1) * steps {
            let factor = |i: usize| if decay_length == kv_heads { head } else { head * size + i };
            let decays = if gated { size } else { 0 };
            let token = Token {
                key: &k[(row * kv_heads + head) * size..][..size],
                value: &v[(row * kv_heads + head) * width..][..width],
                decay: (0..decays).map(|i| decay[row * decay_length + factor(i)].exp()).collect(),
                rate: delta.then(|| beta[row * beta_length + if beta_length == 1 { 0 } else { head }]),
            };
            token.update(state);
            let group = q_heads / kv_heads;
            for query in (row * kv_heads + head) * group..(row * kv_heads + head + 1) * group {
                let read = times(&q[query * size..][..size], state, width);
                out[query * width..][..width].iter_mut().zip(read).for_each(|(out, x)| *out = scale * x);
            }
        }
    }
    let kept = node.optional(3)?.map_or(query.dtype(), Array::dtype);
    Ok(vec![narrowed(query.dtype(), &shape, &out)?.into(), narrowed(kept, &state_shape, &states)?.into()])
}

//! Lowers LinearAttention, one token after the other in float32. A graph has no loop, so its length grows with the
//! sequence.

use super::context::{Lowering, scalar, stretched};
use super::error::{LoweringError, Unsupported};
use super::matrix::{Turned, multiplied};
use super::parts::{divided, joined};
use super::view::View;
use super::{Rule, Views};
use plumbline_graph::Refusal;
use plumbline_spec::directml::TensorDataType::Float32;

pub const OPERATORS: &[(&str, Rule)] = &[("LinearAttention", linear_attention)];

/// The longest sequence that the lowering unrolls, in tokens.
const MOST_TOKENS: u32 = 1024;

/// Casts an input to float32 and splits it along its length into one tensor of these sizes for each token.
fn tokens(lower: &mut Lowering, at: usize, sizes: [u32; 4]) -> Result<Vec<View>, LoweringError> {
    let given = lower.input(at)?;
    let view = lower.cast(&given, Float32)?;
    let count: u32 = sizes.iter().product();
    let &[batch, length, width] = view.sizes.as_slice() else { return Err(wrong(at, &given)) };
    if batch * width != count {
        return Err(wrong(at, &given));
    }
    if length == 1 {
        return Ok(vec![view.reshaped(&sizes)]);
    }
    Ok(divided(lower, &view, 1, &vec![1; length as usize])?.iter().map(|token| token.reshaped(&sizes)).collect())
}

fn wrong(at: usize, view: &View) -> LoweringError {
    Refusal::invalid(format!(
        "input {at} has shape {:?}, which does not fit the other inputs and the numbers of heads",
        view.sizes
    ))
    .into()
}

/// Returns a number of heads from this attribute.
fn heads(lower: &Lowering, name: &str) -> Result<u32, LoweringError> {
    let heads = u32::try_from(lower.node.int(name)).ok().filter(|&heads| heads > 0);
    heads.ok_or_else(|| Refusal::invalid(format!("`{name}` must be positive")).into())
}

/// The sizes of the node's tensors: `own` is the number of key heads, and `group` the number of query heads for each of
/// them.
struct Sizes {
    batch: u32,
    length: u32,
    own: u32,
    group: u32,
    key: u32,
    value: u32,
}

impl Sizes {
    fn read(lower: &mut Lowering) -> Result<Sizes, LoweringError> {
        let (q, k, v) = (lower.input(0)?, lower.input(1)?, lower.input(2)?);
        let (all, own) = (heads(lower, "q_num_heads")?, heads(lower, "kv_num_heads")?);
        let [&[batch, length, of_q], &[_, _, of_k], &[_, _, of_v]] = [&q, &k, &v].map(|view| view.sizes.as_slice())
        else {
            return Err(Refusal::invalid("`query`, `key` and `value` must have 3 dimensions").into());
        };
        let fits = [&k, &v].iter().all(|view| view.sizes[..2] == q.sizes[..2]);
        if !fits || all % own != 0 || of_k % own != 0 || of_v % own != 0 || of_q % all != 0 || of_q / all != of_k / own
        {
            return Err(Refusal::invalid(
                "the shapes or numbers of heads of queries, keys and values do not fit together",
            )
            .into());
        }
        if length > MOST_TOKENS {
            let message =
                format!("has {length} tokens; a graph has no loop, so the lowering unrolls at most {MOST_TOKENS}");
            return Err(Unsupported::value("`query`", message).into());
        }
        Ok(Sizes { batch, length, own, group: all / own, key: of_k / own, value: of_v / own })
    }

    /// Reads `decay` or `beta`, which has one number for each key head. With `rows`, it may instead have one number for
    /// each row of each head's state. Without `rows`, it may instead have a single number for all heads.
    fn gate(&self, lower: &mut Lowering, at: usize, rows: bool) -> Result<Vec<View>, LoweringError> {
        let given = lower.input(at)?;
        let (batch, own) = (self.batch, self.own);
        if given.rank() != 3 || given.sizes[..2] != [batch, self.length] {
            return Err(wrong(at, &given));
        }
        match given.sizes.last() {
            Some(&width) if width == own => tokens(lower, at, [batch, own, 1, 1]),
            Some(&width) if rows && width == own * self.key => tokens(lower, at, [batch, own, self.key, 1]),
            Some(1) if !rows => tokens(lower, at, [batch, 1, 1, 1]),
            _ => Err(wrong(at, &given)),
        }
    }
}

fn linear_attention(lower: &mut Lowering) -> Views {
    let sizes = Sizes::read(lower)?;
    let &Sizes { batch, length, own, group, key, value } = &sizes;
    let (gated, corrected) = match lower.node.string("update_rule")? {
        "linear" => (false, false),
        "gated" => (true, false),
        "delta" => (false, true),
        "gated_delta" => (true, true),
        other => return Err(Refusal::invalid(format!("`update_rule` is `{other}`, which is unknown")).into()),
    };
    let data_type = lower.input(0)?.data_type;
    let q = tokens(lower, 0, [batch, own, group, key])?;
    let (k, v) = (tokens(lower, 1, [batch, own, key, 1])?, tokens(lower, 2, [batch, own, 1, value])?);
    let decay = if gated { Some(sizes.gate(lower, 4, true)?) } else { None };
    let beta = if corrected { Some(sizes.gate(lower, 5, false)?) } else { None };
    let past = lower.optional(3)?;
    if let Some(past) = past.as_ref().filter(|past| past.sizes != [batch, own, key, value]) {
        return Err(wrong(3, past));
    }
    let stored = past.as_ref().map_or(data_type, |past| past.data_type);
    let mut state = past.map(|past| lower.cast(&past, Float32)).transpose()?;
    if state.is_none() && (decay.is_some() || beta.is_some()) {
        // The state starts with explicit zeros, because their products with NaN or infinities matter.
        let zero = lower.constant("nothing", Float32, scalar(Float32, 0.0));
        state = Some(lower.packed(stretched(&zero, &[batch, own, key, value])?)?);
    }
    let scale = match lower.node.float("scale") {
        0.0 => (1.0 / f64::from(key).sqrt()) as f32,
        scale => scale,
    };
    let mut outputs = Vec::new();
    for at in 0..length as usize {
        if let (Some(decay), Some(before)) = (&decay, &state) {
            let fade = lower.unary("ELEMENT_WISE_EXP", &decay[at])?;
            state = Some(lower.binary("ELEMENT_WISE_MULTIPLY", [before, &fade], Float32)?);
        }
        let mut update = v[at].clone();
        if let Some(beta) = &beta {
            if let Some(state) = &state {
                let known = multiplied(lower, [&k[at].transposed(&[0, 1, 3, 2]), state], Turned::Neither, 1.0, None)?;
                update = lower.binary("ELEMENT_WISE_SUBTRACT", [&update, &known], Float32)?;
            }
            update = lower.binary("ELEMENT_WISE_MULTIPLY", [&update, &beta[at]], Float32)?;
        }
        let new = multiplied(lower, [&k[at], &update], Turned::Neither, 1.0, state.as_ref())?;
        let output = multiplied(lower, [&q[at], &new], Turned::Neither, scale, None)?;
        outputs.push(output.reshaped(&[batch, 1, own * group * value]));
        state = Some(new);
    }
    let state = state.ok_or_else(|| Refusal::failed("the queries have no tokens"))?;
    let whole = joined(lower, &outputs, 1)?;
    Ok(vec![lower.cast(&whole, data_type)?, lower.cast(&state, stored)?])
}

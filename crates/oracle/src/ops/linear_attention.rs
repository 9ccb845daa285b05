use crate::accumulation;
use crate::families::heads::Heads;
use crate::families::scores::{kept_or_stored, step};
use crate::prelude::*;

/// Computes linear attention: each head of `key` and `value` keeps a state, a matrix of shape (d_k, d_v). Each token
/// adds the outer product of its key and value to the state; then its queries are multiplied by the state. The gated
/// update rules first multiply each row of the state by the exponential of `decay`; the delta update rules add only the
/// part of the value that the state does not yet have for the key, times `beta`. `chunk_size` does not change the
/// result.
///
/// The only version is 27. Constraints: ranks and heads (`head-counts-divide`), shapes (`query-key-value-agree`),
/// `past_state` (`past-state-fits`), `decay` (`decay-fits`), `beta` (`beta-fits`), and `update_rule`
/// (`update-rule-known`). The type of `present_state` without a `past_state`: `present-state-type`; infinities, NaN and
/// steps that overflow: `intermediate-overflow`.
pub fn linear_attention(call: &Call) -> Answer {
    let rule = call.string("update_rule")?;
    if !["linear", "gated", "delta", "gated_delta"].contains(&rule.as_str()) {
        return Err(Refusal::violates(
            rule::UPDATE_RULE_KNOWN,
            format!("`update_rule` is `{rule}`, expected `linear`, `gated`, `delta` or `gated_delta`"),
        ));
    }
    let (gated, corrected) = (rule.starts_with("gated"), rule.ends_with("delta"));
    let [q, k, v] = inputs(call)?;
    let (d_k, d_v, group) = (k.size, v.size, q.heads / k.heads);
    let past = call.optional_tensor("past_state")?;
    let state_shape = vec![k.batch, k.heads, d_k, d_v];
    shape::affordable(&state_shape)?;
    if let Some(other) = past.filter(|p| p.shape() != state_shape) {
        return Err(Refusal::violates(
            rule::PAST_STATE_FITS,
            format!("`past_state` has shape {:?}, expected {state_shape:?}", other.shape()),
        ));
    }
    let decay = gate(call, "decay", gated, &k, &[k.heads, k.heads * d_k], rule::DECAY_FITS)?;
    let beta = gate(call, "beta", corrected, &k, &[k.heads, 1], rule::BETA_FITS)?;
    let (dtype, state_dtype) = (q.tensor.dtype(), past.map_or(q.tensor.dtype(), Expected::dtype));
    let number = |x: &Heads, b, h, t, d| x.tensor.number(x.index(b, h, t, d));
    let root = |precision: DType| {
        let of = |x: f64| Number::constant(x, precision);
        of(1.0) / of(d_k as f64).sqrt()
    };
    let scale = match f64::from(call.float("scale")?) {
        0.0 => root(dtype).hull(kept_or_stored(root(accumulation(dtype)), dtype)),
        scale => Real::constant(scale, dtype).widened(0.5).into(),
    };
    let mut state: Vec<Number> = match past {
        Some(past) => past.numbers().map(|x| x.at_precision(dtype)).collect(),
        None => vec![Number::constant(0.0, dtype); state_shape.iter().product()],
    };
    let mut output = vec![Number::constant(0.0, dtype); q.batch * q.sequence * q.heads * d_v];
    for (b, h, t) in k.rows() {
        let cell = |i: usize, j: usize| ((b * k.heads + h) * d_k + i) * d_v + j;
        let key: Vec<Number> = (0..d_k).map(|i| number(&k, b, h, t, i)).collect();
        if let Some(decay) = &decay {
            for i in 0..d_k {
                let fade = step([decay.at(b, t, h, i, k.heads)], dtype, |[x]| x.exp());
                (0..d_v).for_each(|j| state[cell(i, j)] = state[cell(i, j)] * fade);
            }
        }
        for j in 0..d_v {
            let mut value = number(&v, b, h, t, j);
            if let Some(beta) = &beta {
                let known = dot((0..d_k).map(|i| (state[cell(i, j)], key[i])), dtype);
                value = beta.at(b, t, h, 0, k.heads) * (value - known);
            }
            for i in 0..d_k {
                state[cell(i, j)] = state[cell(i, j)] + key[i] * value;
            }
            for head in h * group..(h + 1) * group {
                let read = dot((0..d_k).map(|i| (state[cell(i, j)], number(&q, b, head, t, i))), dtype);
                output[q.index(b, head, t, 0) / d_k.max(1) * d_v + j] = read * scale;
            }
        }
    }
    // If the recurrence overflows, an implementation that processes tokens in chunks may overflow in other steps. Its
    // result then is an infinity of either sign, or NaN (`intermediate-overflow`).
    let settled = |x: Number| {
        let Real { low, mid, high, nan, .. } = x.real();
        let finite = mid.is_finite() && low.is_finite() && high.is_finite() && !nan;
        let other = |x: Number, value: f64| x.or(x.like(value), rule::INTERMEDIATE_OVERFLOW);
        if finite { x } else { other(other(other(x, f64::NAN), f64::INFINITY), f64::NEG_INFINITY) }
    };
    let stored = |x: Number| if state_dtype == dtype { x } else { x.to_float(state_dtype) };
    let present = state.into_iter().map(|x| settled(stored(x)));
    several([
        Expected::from_numbers(dtype, vec![q.batch, q.sequence, q.heads * d_v], output.into_iter().map(settled))?,
        Expected::from_numbers(state_dtype, state_shape, present)?,
    ])
}

fn dot(pairs: impl Iterator<Item = (Number, Number)>, dtype: DType) -> Number {
    let terms: Vec<Number> = pairs.flat_map(|(a, b)| [a, b]).collect();
    let of = |terms: Vec<Real>| {
        let mut sum = Accumulator::new(dtype);
        terms.chunks_exact(2).for_each(|pair| sum.add_product(pair[0], pair[1]));
        sum.finish_inside()
    };
    Number::from(of(terms.iter().map(Number::real).collect())).opened_by(&terms, of)
}

/// Reads `query`, `key` and `value` as tensors of heads, and checks their shapes.
fn inputs<'a>(call: &Call<'a>) -> Result<[Heads<'a>; 3], Refusal> {
    let [q, k, v] = ["query", "key", "value"].map(|name| call.tensor(name));
    let (q, k, v) = (q?, k?, v?);
    if [q, k, v].iter().any(|x| x.rank() != 3) {
        return Err(Refusal::violates(
            rule::HEAD_COUNTS_DIVIDE,
            format!("the inputs have ranks {}, {} and {}, expected 3", q.rank(), k.rank(), v.rank()),
        ));
    }
    let (of_q, of_kv) = (call.optional_int("q_num_heads"), call.optional_int("kv_num_heads"));
    let [q, k, v] = [
        Heads::packed(q, of_q, rule::HEAD_COUNTS_DIVIDE)?,
        Heads::packed(k, of_kv, rule::HEAD_COUNTS_DIVIDE)?,
        Heads::packed(v, of_kv, rule::HEAD_COUNTS_DIVIDE)?,
    ];
    if q.heads % k.heads != 0 {
        return Err(Refusal::violates(
            rule::HEAD_COUNTS_DIVIDE,
            format!("`query` has {} heads, which is not a multiple of the {} heads of `key`", q.heads, k.heads),
        ));
    }
    let alike = [k, v].iter().all(|x| x.batch == q.batch && x.sequence == q.sequence);
    if !alike || q.size != k.size {
        return Err(Refusal::violates(
            rule::QUERY_KEY_VALUE_AGREE,
            format!(
                "the shapes of `query`, `key` and `value` do not fit together: {:?}",
                [q, k, v].map(|x| x.tensor.shape())
            ),
        ));
    }
    Ok([q, k, v])
}

/// The `decay` or `beta` of each token: one number for all heads, one per head, or one per element of a key.
struct Gate<'a> {
    tensor: &'a Expected,
    /// The last extent of the tensor.
    last: usize,
}

impl Gate<'_> {
    fn at(&self, batch: usize, token: usize, head: usize, element: usize, heads: usize) -> Number {
        let row = batch * self.tensor.extent(1) + token;
        let each = self.last / heads.max(1);
        let within = match self.last {
            1 => 0,
            last if last == heads => head,
            _ => head * each + element,
        };
        self.tensor.number(row * self.last + within)
    }
}

/// Reads `decay` or `beta`, of shape (batch, sequence, one of `widths`). Returns `None` if the update rule does not use
/// it (`wanted` is false); an input that is given nevertheless is ignored.
fn gate<'a>(
    call: &Call<'a>,
    name: &str,
    wanted: bool,
    k: &Heads,
    widths: &[usize],
    label: Label,
) -> Result<Option<Gate<'a>>, Refusal> {
    let tensor = match (call.optional_tensor(name)?, wanted) {
        (Some(tensor), true) => tensor,
        (None, true) => return Err(Refusal::violates(label, format!("`{name}` is missing"))),
        (_, false) => return Ok(None),
    };
    match *tensor.shape() {
        [b, t, last] if b == k.batch && t == k.sequence && widths.contains(&last) => Ok(Some(Gate { tensor, last })),
        _ => Err(Refusal::violates(
            label,
            format!(
                "`{name}` has shape {:?}, expected [{}, {}, n] where n is one of {widths:?}",
                tensor.shape(),
                k.batch,
                k.sequence
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use crate::Judged;
    use crate::testing::{floats, run};

    #[test]
    fn the_state_grows_by_products_of_keys_and_values() {
        let q = floats(&[1, 2, 2], &[1.0, 2.0, 1.0, 2.0]);
        let (k, v) = (floats(&[1, 2, 1], &[1.0, 3.0]), floats(&[1, 2, 2], &[5.0, 7.0, 1.0, 0.0]));
        let node = r#"LinearAttention <q_num_heads = 2, kv_num_heads = 1, update_rule = "linear">"#;
        let y = run(node, 27, &[q, k, v], 2).expect("the node is valid");
        // The states are [5, 7] and [8, 7]; two query heads read each of them.
        assert_eq!(y[0].tensor.to_f64s(), [5.0, 7.0, 10.0, 14.0, 8.0, 7.0, 16.0, 14.0]);
        assert_eq!((y[1].shape(), y[1].tensor.to_f64s()), (&[1, 1, 1, 2][..], vec![8.0, 7.0]));
    }

    /// The state overflows in float. The output is infinite by the recurrence, but an implementation that multiplies
    /// the query by the key first gets 1e30.
    #[test]
    fn a_state_that_overflows_leaves_the_output_open() {
        let [q, k, v] = [1e-30, 1e30, 1e30].map(|x| floats(&[1, 1, 1], &[x]));
        let node = r#"LinearAttention <q_num_heads = 1, kv_num_heads = 1, update_rule = "linear", scale = 1.0>"#;
        let y = run(node, 27, &[q, k, v], 2).expect("the node is valid");
        let judged = |found: f32| y[0].judge(&floats(&[1, 1, 1], &[found]), 0);
        for found in [1e30, f32::INFINITY, f32::NAN] {
            assert!(!matches!(judged(found), Judged::Wrong), "{found}");
        }
        assert!(matches!(judged(1e29), Judged::Wrong));
    }
}

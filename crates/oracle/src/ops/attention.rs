use std::cell::LazyCell;
use std::collections::VecDeque;

use crate::families::heads::Heads;
use crate::families::keys_and_values::{Keys, Values};
use crate::families::masks::Masks;
use crate::families::normalization::constant;
use crate::families::scores::{Scale, Weighing, step};
use crate::prelude::*;

/// Computes attention: scaled products of queries and keys, optionally capped and masked, their softmax, and sums of
/// the values weighted by it.
///
/// Version 24 adds `nonpad_kv_seqlen` and masks that are shorter than the keys; version 25 adds windows.
///
/// Constraints: the ranks (`rank-three-or-four`), the numbers of heads (`head-counts-divide`), the shapes of `Q`, `K`
/// and `V` (`query-key-value-agree`), the number of query heads (`query-heads-multiple`), past and present that come in
/// pairs (`past-and-present-paired`), the mask (`attn-mask-broadcasts`), `nonpad_kv_seqlen` (`nonpad-kv-seqlen-fits`,
/// `nonpad-kv-seqlen-in-range`), and attribute values (`attribute-values-known`).
///
/// A query without an unmasked key gives zeros (`fully-masked-row`); in releases before 1.23 NaN (`masked-row-is-nan`).
/// Infinities and NaN: `infinite-scores`; the order of steps that overflow: `scaling-order`; the order of capping and
/// masking: `softcap-and-mask-order`, in releases before 1.22 `mask-before-softcap`; a scale that counts twice in
/// releases before 1.19: `scale-twice`; `V` of another type than `Q`: `mixed-types`; a mask of extent 1 for several
/// keys: `mask-of-one-key`; numbers of heads given for rank 4: `redundant-head-counts`.
///
/// Values of `is_causal` other than 0 and 1: `other-flag-values`. The type in which the factor of the scores is
/// computed: `scale-precision`.
pub fn attention(call: &Call) -> Answer {
    let [q, k, v] = heads(call)?;
    if let (Some(past_key), Some(past_value)) = past(call, &k, &v)? {
        return attend(call, q, k.behind(Some(past_key))?, v.behind(Some(past_value))?, past_key.extent(2));
    }
    attend(call, q, k.behind(None)?, v.behind(None)?, 0)
}

/// Reads `Q`, `K` and `V` as tensors of heads, and checks their shapes.
fn heads<'a>(call: &Call<'a>) -> Result<[Heads<'a>; 3], Refusal> {
    let [q, k, v] = ["Q", "K", "V"].map(|name| call.tensor(name));
    let (q, k, v) = (q?, k?, v?);
    let of = |x: &'a Expected, attribute: &str| match x.rank() {
        4 => Ok(Heads::unpacked(x)),
        _ => Heads::packed(x, call.optional_int(attribute), rule::HEAD_COUNTS_DIVIDE),
    };
    if q.rank() != 3 && q.rank() != 4 || k.rank() != q.rank() || v.rank() != q.rank() {
        return Err(Refusal::violates(
            rule::RANK_THREE_OR_FOUR,
            format!(
                "`Q`, `K` and `V` have ranks {}, {} and {}, expected 3 or 4 for all of them",
                q.rank(),
                k.rank(),
                v.rank()
            ),
        ));
    }
    if q.rank() == 4 && ["q_num_heads", "kv_num_heads"].iter().any(|name| call.optional_int(name).is_some()) {
        return Err(Refusal::leaves_open(
            rule::REDUNDANT_HEAD_COUNTS,
            "a number of heads is given, although the inputs have rank 4",
        ));
    }
    let (q, k, v) = (of(q, "q_num_heads")?, of(k, "kv_num_heads")?, of(v, "kv_num_heads")?);
    let fits = q.batch == k.batch && k.batch == v.batch && k.heads == v.heads && k.sequence == v.sequence;
    if !fits || q.size != k.size {
        let shapes = [q, k, v].map(|x| x.tensor.shape());
        return Err(Refusal::violates(
            rule::QUERY_KEY_VALUE_AGREE,
            format!("the shapes of `Q`, `K` and `V` do not fit together: {shapes:?}"),
        ));
    }
    if k.heads == 0 || q.heads % k.heads != 0 {
        return Err(Refusal::violates(
            rule::QUERY_HEADS_MULTIPLE,
            format!("`Q` has {} heads, which is not a multiple of the {} heads of `K`", q.heads, k.heads),
        ));
    }
    Ok([q, k, v])
}

/// The number of queries whose scores are computed together.
const ROWS: usize = 64;

type Past<'a> = (Option<&'a Expected>, Option<&'a Expected>);

/// Returns `past_key` and `past_value`, both or neither, and checks that their shapes fit `k` and `v`
/// (`past-and-present-paired`). It also checks that `present_key` and `present_value` are both named or both left out.
fn past<'a>(call: &Call<'a>, k: &Heads, v: &Heads) -> Result<Past<'a>, Refusal> {
    let (key, value) = (call.optional_tensor("past_key")?, call.optional_tensor("past_value")?);
    let refuse = |why: &str| Err(Refusal::violates(rule::PAST_AND_PRESENT_PAIRED, why.to_owned()));
    if call.wants_output("present_key") != call.wants_output("present_value") {
        return refuse("only one of the outputs `present_key` and `present_value` is named");
    }
    match (key, value) {
        (None, None) => {}
        (Some(key), Some(value)) => {
            let fits = |past: &Expected, of: &Heads| matches!(past.shape(), &[b, h, _, d] if b == of.batch && h == of.heads && d == of.size);
            if !fits(key, k) || !fits(value, v) || key.extent(2) != value.extent(2) {
                return refuse(&format!(
                    "`past_key` {:?} and `past_value` {:?} do not fit the keys {:?} and the values {:?}",
                    key.shape(),
                    value.shape(),
                    k.tensor.shape(),
                    v.tensor.shape()
                ));
            }
        }
        _ => return refuse("only one of `past_key` and `past_value` is given"),
    }
    Ok((key, value))
}

/// Computes all outputs. `keys` and `values` have the shape (batch, heads, tokens, size). Their first `past` tokens
/// come from `past_key` and `past_value`.
fn attend(call: &Call, q: Heads, keys: Expected, values: Expected, past: usize) -> Answer {
    let (dtype, total) = (q.tensor.dtype(), keys.extent(2));
    let (key, value) = (Heads::unpacked(&keys), Heads::unpacked(&values));
    let settings = Settings::read(call, dtype, q.size)?;
    let masks = Masks::read(call, &q, total, past)?;
    let weighing = Weighing {
        precision: settings.precision,
        dtype,
        infinite: rule::INFINITE_SCORES,
        nothing: rule::INFINITE_SCORES,
    };
    if values.dtype() != dtype {
        call.leaves_open(rule::MIXED_TYPES);
    }
    let group = q.heads / key.heads;
    let row = |x: &Heads, b: usize, h: usize, s: usize| -> Vec<Number> {
        (0..x.size).map(|d| x.tensor.number(x.index(b, h, s, d))).collect()
    };
    let mut output = vec![Number::constant(0.0, dtype); q.batch * q.heads * q.sequence * value.size];
    let shows_a_step = call.wants_output("qk_matmul_output") && (1..=2).contains(&settings.mode);
    let masks_first = (settings.softcap != 0.0 || shows_a_step) && call.follows(rule::MASK_BEFORE_SOFTCAP);
    // By one reading of the older text, the score of a masked key is capped as well, and the key has a weight.
    let leaks = masks_first && settings.softcap != 0.0 && call.reading(rule::MASK_BEFORE_SOFTCAP, 2) == 1;
    let of_nothing = || if call.follows(rule::MASKED_ROW_IS_NAN) { f64::NAN } else { 0.0 };
    let empty = LazyCell::new(|| Number::constant(of_nothing(), dtype));
    let mut shown = Vec::with_capacity(shape::affordable(&[q.batch, q.heads, q.sequence, total])?);
    let scale = &settings.scale;
    let keys_of = |b: usize, h: usize| {
        let rows = (0..total).map(|j| row(&key, b, h / group, j)).collect();
        Keys::new(rows, q.sequence, scale, dtype)
    };
    let values_of = |b: usize, h: usize| {
        let element = |d: usize, j: usize| values.number(value.index(b, h / group, j, d));
        let lanes = (0..value.size).map(|d| (0..total).map(|j| element(d, j)).collect()).collect();
        Values::new(lanes, q.sequence, dtype)
    };
    let mut head = None;
    let mut rows = VecDeque::new();
    for (b, h, i) in q.rows() {
        if i == 0 {
            head = None;
        }
        let (keys, lanes) = head.get_or_insert_with(|| (keys_of(b, h), values_of(b, h)));
        if i % ROWS == 0 {
            let queries: Vec<_> = (i..(i + ROWS).min(q.sequence)).map(|i| row(&q, b, h, i)).collect();
            rows = keys.scores(&queries, scale, dtype, rule::SCALING_ORDER).into();
        }
        let raw: Vec<Number> = rows.pop_front().unwrap_or_default();
        let capped = |&x: &Number| if masks_first { x } else { settings.capped(x) };
        let capped: Vec<Number> = raw.iter().map(capped).collect();
        let masked: Vec<bool> = (0..total).map(|j| !masks.allows(b, h, i, j)).collect();
        let infinity = |j: usize| {
            let masked = capped[j].like(f64::NEG_INFINITY);
            if finite(capped[j]) { masked } else { masked.or(masked.like(f64::NAN), rule::INFINITE_SCORES) }
        };
        let biased = |j: usize| if masked[j] { infinity(j) } else { capped[j] + masks.bias(b, h, i, j, dtype) };
        let biased: Vec<Number> = (0..total).map(biased).collect();
        let is_capped = |j: usize| masks_first && (leaks || !masked[j]);
        let score = |j: usize| if is_capped(j) { settings.capped(biased[j]) } else { biased[j] };
        let scores: Vec<Number> = (0..total).map(score).collect();
        let masked = if leaks { vec![false; total] } else { masked };
        let nothing = total > 0 && masked.iter().all(|&m| m);
        // A masked score that is infinite or NaN may still make the row NaN.
        let stray = capped.iter().zip(&masked).any(|(x, masked)| *masked && !finite(*x));
        let open = |x: Number| if stray { x.or(x.like(f64::NAN), rule::INFINITE_SCORES) } else { x };
        let zero = Number::constant(0.0, dtype);
        let (weights, shares) = match nothing {
            true => (vec![*empty; total], None),
            false => weighing.weights(&scores, &masked),
        };
        let weights: Vec<Number> = weights.into_iter().map(open).collect();
        let size = value.size;
        let sums = match nothing {
            true => vec![],
            false => lanes.weighted((&weights, shares.as_ref()), &masked, dtype, rule::INFINITE_SCORES),
        };
        for (d, lane) in lanes.lanes.iter().enumerate() {
            let at = if q.tensor.rank() == 3 {
                (b * q.sequence + i) * q.heads + h
            } else {
                (b * q.heads + h) * q.sequence + i
            };
            output[at * size + d] = match nothing {
                // In a row without an unmasked key, an implementation may multiply the values by weights of 0. That
                // gives NaN if a value is infinite or NaN, or becomes infinite in the type of `Q`.
                true if empty.mid() == 0.0 && lane.iter().any(|v| !remains_finite(v.to_float(dtype))) => {
                    zero.or(zero.like(f64::NAN), rule::INFINITE_SCORES)
                }
                true => open(*empty),
                false => sums[d],
            };
        }
        shown.extend(match settings.mode {
            0 => raw,
            1 if masks_first => biased,
            1 => capped,
            2 => scores,
            _ => weights,
        });
    }
    several([
        Expected::from_numbers(dtype, q.shape(q.heads, q.sequence, value.size), output)?,
        keys.clone(),
        values.clone(),
        Expected::from_numbers(dtype, vec![q.batch, q.heads, q.sequence, total], shown)?,
    ])
}

/// Returns whether only finite values are accepted.
fn remains_finite(x: Number) -> bool {
    x.mid().is_finite() && (x.is_point() || !x.may_be_infinite_or_nan())
}

/// Returns whether a score stays finite in its type, however it is computed.
fn finite(score: Number) -> bool {
    let nearest = score.real().nearest();
    score.latitude.is_none() && !nearest.nan && nearest.low.is_finite() && nearest.high.is_finite()
}

/// The attributes that do not concern masks.
struct Settings {
    /// The factor of the scores.
    scale: Scale,
    /// The cap of the scores; 0 for none.
    softcap: f32,
    /// The type in which the softmax is computed.
    precision: DType,
    /// `qk_matmul_output_mode`, 0 to 3.
    mode: i64,
}

impl Settings {
    fn read(call: &Call, dtype: DType, size: usize) -> Result<Settings, Refusal> {
        let scale = Scale::read(call, size, dtype);
        let scale = if scale.value != 1.0 && call.follows(rule::SCALE_TWICE) { scale.squared() } else { scale };
        let mode = call.int("qk_matmul_output_mode")?;
        let precision = match call.optional_int("softmax_precision") {
            None => dtype,
            Some(code) => DType::from_code(code)
                .filter(|p| matches!(p, DType::Float | DType::Double | DType::Float16 | DType::Bfloat16))
                .ok_or_else(|| {
                    Refusal::violates(
                        rule::ATTRIBUTE_VALUES_KNOWN,
                        format!("`softmax_precision` is {code}, which is not float, float16, double or bfloat16"),
                    )
                })?,
        };
        if !(0..=3).contains(&mode) {
            return Err(Refusal::violates(
                rule::ATTRIBUTE_VALUES_KNOWN,
                format!("`qk_matmul_output_mode` is {mode}, expected 0 to 3"),
            ));
        }
        let windows = ["left_window_size", "right_window_size"].map(|name| call.optional_int(name).unwrap_or(-1));
        if windows.iter().any(|&w| w < -1) {
            return Err(Refusal::violates(
                rule::ATTRIBUTE_VALUES_KNOWN,
                format!("`left_window_size` and `right_window_size` are {windows:?}, expected -1 or more"),
            ));
        }
        let softcap = call.float("softcap")?;
        Ok(Settings { scale, softcap, precision, mode })
    }

    /// Computes `softcap * tanh(x / softcap)`, or returns `x` if there is no cap.
    fn capped(&self, x: Number) -> Number {
        if self.softcap == 0.0 {
            return x;
        }
        let (dtype, cap) = (x.dtype(), Number::from(constant(self.softcap, x.dtype())));
        let ratio = step([x, cap], dtype, |[x, cap]| x / cap);
        let shape = step([ratio], dtype, |[ratio]| ratio.tanh());
        step([cap, shape], dtype, |[cap, shape]| cap * shape)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};
    use crate::{Expected, Judged};
    use plumbline_tensor::Tensor;

    #[test]
    fn equal_keys_average_their_values() {
        let q = floats(&[1, 1, 2, 1], &[1.0, 3.0]);
        let k = floats(&[1, 1, 2, 1], &[2.0, 2.0]);
        let v = floats(&[1, 1, 2, 1], &[10.0, 20.0]);
        let y = run("Attention", 23, &[q.clone(), k.clone(), v.clone()], 1).expect("the node is valid");
        assert_eq!(y[0].tensor, floats(&[1, 1, 2, 1], &[15.0, 15.0]));
        let y = run("Attention <is_causal = 1>", 23, &[q.clone(), k.clone(), v.clone()], 1).expect("the node is valid");
        assert_eq!(y[0].tensor, floats(&[1, 1, 2, 1], &[10.0, 15.0]));
        let mask = Tensor::from_bits(plumbline_tensor::DType::Bool, vec![2, 2], [0, 1, 0, 0].into_iter())
            .expect("the shape has four elements");
        let y = run("Attention", 23, &[q, k, v, mask], 1).expect("the node is valid");
        assert_eq!(y[0].tensor, floats(&[1, 1, 2, 1], &[20.0, 0.0]));
        assert_eq!(y[0].latitude.len(), 0);
    }

    #[test]
    fn packed_query_heads_share_a_key_head() {
        // Two query heads share one key head. A zero query gives all keys the same weight.
        let q = floats(&[1, 1, 2], &[0.0, 0.0]);
        let kv = floats(&[1, 2, 1], &[4.0, 8.0]);
        let y = run("Attention <q_num_heads = 2, kv_num_heads = 1>", 24, &[q, kv.clone(), kv], 4)
            .expect("the node is valid");
        assert_eq!((y[0].shape(), y[0].tensor.to_f64s()), (&[1, 1, 2][..], vec![6.0, 6.0]));
        assert_eq!((y[1].shape(), y[3].shape()), (&[1, 1, 2, 1][..], &[1, 2, 1, 2][..]));
    }

    /// Without a mask, scores of minus infinity give NaN by the formula of Softmax. An implementation may also leave
    /// out keys that have no weight.
    #[test]
    fn a_row_of_scores_of_minus_infinity_is_nan_or_zero() {
        let (q, k) = (floats(&[1, 1, 1, 1], &[1.0]), floats(&[1, 1, 2, 1], &[f32::NEG_INFINITY, f32::NEG_INFINITY]));
        let v = floats(&[1, 1, 2, 1], &[5.0, 7.0]);
        let y = run("Attention", 23, &[q, k, v], 1).expect("the node is valid");
        let judged = |found: f32| y[0].judge(&floats(&[1, 1, 1, 1], &[found]), 0);
        assert_eq!(judged(f32::NAN), Judged::Accepted);
        assert!(matches!(judged(0.0), Judged::Latitude(_)));
        assert_eq!(judged(5.0), Judged::Wrong);
    }

    /// The products of query and keys overflow in float, so the result may be NaN. It may also be the result without
    /// overflow, which an implementation gets with a wider type or, if `scale` is small, by scaling before the product.
    #[test]
    fn whether_scores_overflow_may_depend_on_the_order_of_scaling() {
        let q = floats(&[1, 1, 1, 3], &[-0.5, f32::MAX, 0.0]);
        let k = floats(&[1, 1, 2, 3], &[-3.5, 2.0, -2.0, 2.0, -2.0, 0.5]);
        let v = floats(&[1, 1, 2, 1], &[9.0, 7.0]);
        for attributes in ["", "<softmax_precision = 10>", "<scale = 4.0>", "<softcap = 0.0, scale = 0.1>"] {
            let y = run(&format!("Attention {attributes}"), 23, &[q.clone(), k.clone(), v.clone()], 1)
                .expect("the node is valid");
            let judged = |found: f32| y[0].judge(&floats(&[1, 1, 1, 1], &[found]), 0);
            assert_ne!(judged(f32::NAN), Judged::Wrong, "{attributes}");
            assert_ne!(judged(9.0), Judged::Wrong, "{attributes}");
            assert_eq!(judged(10.0), Judged::Wrong, "{attributes}");
        }
    }

    /// A masked value may be left out or multiplied by a weight of 0. An unmasked value always counts.
    #[test]
    fn masked_values_and_scores_that_are_not_finite_may_be_left_out() {
        let q = floats(&[1, 1, 2, 1], &[1.0, 1.0]);
        let v = floats(&[1, 1, 2, 1], &[10.0, f32::INFINITY]);
        let k = floats(&[1, 1, 2, 1], &[0.0, 0.0]);
        let y = run("Attention <is_causal = 1>", 23, &[q.clone(), k, v], 1).expect("the node is valid");
        let judged = |y: &Expected, found: [f32; 2], at: usize| y.judge(&floats(&[1, 1, 2, 1], &found), at);
        assert_eq!(judged(&y[0], [10.0, 0.0], 0), Judged::Accepted);
        assert!(matches!(judged(&y[0], [f32::NAN, 0.0], 0), Judged::Latitude(_)));
        assert_eq!(judged(&y[0], [11.0, 0.0], 0), Judged::Wrong);
        assert_eq!(judged(&y[0], [0.0, f32::INFINITY], 1), Judged::Accepted);
        assert_eq!(judged(&y[0], [0.0, f32::NAN], 1), Judged::Wrong);
        // An infinite score makes its row NaN. In the first row it is masked, so that it may also be left out.
        let (k, v) = (floats(&[1, 1, 2, 1], &[0.0, f32::INFINITY]), floats(&[1, 1, 2, 1], &[10.0, 20.0]));
        let y = run("Attention <is_causal = 1>", 23, &[q, k, v], 1).expect("the node is valid");
        assert_eq!(judged(&y[0], [10.0, f32::NAN], 0), Judged::Accepted);
        assert!(matches!(judged(&y[0], [f32::NAN, f32::NAN], 0), Judged::Latitude(_)));
        assert_eq!(judged(&y[0], [10.0, 20.0], 1), Judged::Wrong);
    }
}

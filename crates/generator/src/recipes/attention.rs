//! Draws queries, keys and values, with or without heads packed into the last axis. In some cases several query heads
//! share keys and values. Also draws past keys and values, bool and float masks that broadcast in several ways, masks
//! that are shorter than the keys, and the number of keys before the padding.

use crate::draw::large::{MOST_ELEMENTS, MOST_SINGLE_PRODUCTS};
use crate::prelude::*;

/// The extents from which the shapes of Q, K and V follow.
#[derive(Clone, Copy, Debug)]
struct Extents {
    batch: usize,
    kv_heads: usize,
    group: usize,
    queries: usize,
    keys: usize,
    size: usize,
    v_size: usize,
    packed: bool,
}

impl Extents {
    fn heads(&self) -> usize {
        self.kv_heads * self.group
    }

    fn shape(&self, heads: usize, tokens: usize, size: usize) -> Vec<usize> {
        match self.packed {
            true => vec![self.batch, tokens, heads * size],
            false => vec![self.batch, heads, tokens, size],
        }
    }
}

/// Draws heads of 64 or 128 elements and about a thousand keys.
fn large_extents(draw: &mut Draw) -> Extents {
    let kv_heads = draw.choose(&[1, 2]);
    let group = draw.choose(&[1, 2]);
    let [size] = draw.tiles([129], usize::MAX);
    let [v_size] = draw.tiles([129], usize::MAX);
    let [keys] = draw.tiles([1025], MOST_ELEMENTS / (kv_heads * size.max(v_size)));
    let [queries] = draw.tiles([129], MOST_SINGLE_PRODUCTS / (kv_heads * group * keys * (size + v_size)));
    draw.note_large("attention");
    Extents { batch: 1, kv_heads, group, queries, keys, size, v_size, packed: draw.flag() }
}

fn extents(draw: &mut Draw) -> Extents {
    if draw.is_large() {
        return large_extents(draw);
    }
    let mut extents = Extents {
        batch: draw.choose(&[1, 2, 3]),
        kv_heads: draw.choose(&[1, 2, 3]),
        group: draw.choose(&[1, 2, 1, 3]),
        queries: draw.choose(&[2, 1, 3, 4]),
        keys: draw.choose(&[3, 2, 5, 1, 4]),
        size: draw.choose(&[2, 4, 3, 1]),
        v_size: draw.choose(&[2, 3, 1, 5]),
        packed: draw.flag(),
    };
    let e = &mut extents;
    let mut larger = [e.keys, e.queries, e.size, e.v_size, e.batch];
    draw.enlarge(&mut larger, e.heads());
    [e.keys, e.queries, e.size, e.v_size, e.batch] = larger;
    if extents.packed {
        draw.feature("packed heads");
    }
    if extents.group > 1 {
        draw.feature("queries in groups");
    }
    if extents.queries == 1 {
        draw.feature("one query");
    }
    extents
}

fn values(draw: &mut Draw) -> Values {
    if draw.is_large() {
        return draw.choose(&[Values::Between(-1.0, 1.0), Values::Powers]);
    }
    let ways = [
        Values::Between(-1.0, 1.0),
        Values::Between(-3.0, 3.0),
        Values::Integers,
        Values::Between(-1.0, 1.0),
        Values::Mostly(-2.0, 2.0),
    ];
    draw.choose(&ways)
}

/// Gives Q, K and V, and the head counts if the heads are packed.
fn give(draw: &mut Draw, e: &Extents) {
    let dtype = draw.dtype("T1");
    if draw.below(4) > 0 {
        draw.bind("T2", dtype);
    }
    if draw.dtype("T2") != dtype {
        draw.feature("values of another type");
    }
    let values = values(draw);
    draw.tensor("Q", &e.shape(e.heads(), e.queries, e.size), values);
    draw.tensor("K", &e.shape(e.kv_heads, e.keys, e.size), values);
    draw.tensor("V", &e.shape(e.kv_heads, e.keys, e.v_size), values);
    if e.packed {
        draw.int_attribute("q_num_heads", e.heads() as i64);
        draw.int_attribute("kv_num_heads", e.kv_heads as i64);
    }
}

/// Draws a mask. A bool mask is mostly true; some elements of a float mask are minus infinity.
fn mask(draw: &mut Draw, dtype: DType, shape: &[usize]) -> Tensor {
    let count: usize = shape.iter().product();
    let choices = draw.block(count, 8);
    if dtype == DType::Bool {
        draw.feature("a mask of bool");
        let bits = choices.into_iter().map(|c| u64::from(c < 6));
        return Tensor::from_bits(dtype, shape.to_vec(), bits)
            .expect("there are as many values as the shape has elements");
    }
    draw.feature("a mask of floats");
    let elements = draw.elements(dtype, shape, Values::Between(-3.0, 3.0)).to_f64s();
    let number = |(c, x): (u64, f64)| if c == 7 { f64::NEG_INFINITY } else { x };
    let values: Vec<f64> = choices.into_iter().zip(elements).map(number).collect();
    Tensor::from_f64s(dtype, shape.to_vec(), &values).expect("there are as many values as the shape has elements")
}

/// Returns the type of the mask. If the cell does not bind it, it is either bool or the type of Q. Returns `None` if
/// the cell binds another type.
fn mask_type(draw: &mut Draw) -> Option<DType> {
    let dtype = match draw.binding.get("U").map(|t| t.leaf_dtype()) {
        Some(bound) if bound.is_float() => {
            draw.bind("T1", bound);
            bound
        }
        Some(bound) => bound,
        None => {
            let of_q = draw.dtype("T1");
            let chosen = draw.choose(&[DType::Bool, of_q]);
            draw.bind("U", chosen);
            chosen
        }
    };
    (dtype == DType::Bool || dtype == draw.dtype("T1")).then_some(dtype)
}

pub fn attention(draw: &mut Draw) {
    let of_mask = mask_type(draw);
    let e = extents(draw);
    give(draw, &e);
    let nonpad = draw.has_input("nonpad_kv_seqlen") && draw.give();
    let past = if nonpad { None } else { draw.give().then(|| draw.choose(&[1, 2, 3, 0])) };
    let total = e.keys + past.unwrap_or(0);
    let lengths: Vec<i64> = (0..e.batch).map(|_| draw.range(0..=total as i64)).collect();
    if let Some(dtype) = of_mask.filter(|_| draw.give()) {
        let longest = lengths.iter().max().copied().unwrap_or(0) as usize;
        let mut last = total;
        // A short mask covers at least two keys here. A mask for one key could also be one that broadcasts to all keys,
        // and the specification does not say which of the two it is.
        if draw.since() >= 24 && total > 2 && draw.once_in(4) {
            last = if nonpad { longest.max(2) } else { total - 1 };
            if last < total {
                draw.feature("a short mask");
            }
        }
        let shape = match draw.below(6) {
            0 => vec![e.queries, last],
            1 => vec![e.batch, e.heads(), e.queries, last],
            2 => vec![e.batch, 1, e.queries, last],
            3 => vec![e.heads(), 1, last],
            4 => vec![1, 1, 1, last],
            _ => vec![1, e.heads(), e.queries, last],
        };
        let tensor = mask(draw, dtype, &shape);
        draw.input("attn_mask", tensor);
    }
    if let Some(past) = past {
        draw.tensor("past_key", &[e.batch, e.kv_heads, past, e.size], Values::Between(-1.0, 1.0));
        draw.tensor("past_value", &[e.batch, e.kv_heads, past, e.v_size], Values::Between(-1.0, 1.0));
    }
    if nonpad {
        draw.int_tensor("nonpad_kv_seqlen", vec![e.batch], &lengths);
    }
    if draw.give_attribute("is_causal") {
        let causal = draw.choose(&[1, 0]);
        draw.int_attribute("is_causal", causal);
        if causal == 1 {
            draw.feature("causal");
        }
    }
    if draw.give_attribute("scale") {
        let scale = draw.choose(&[1.0, 0.5, 0.25, 2.0, 0.3]);
        draw.float_attribute("scale", scale);
    }
    if draw.give_attribute("softcap") {
        let softcap = draw.choose(&[2.0, 0.5, 5.0, 0.0]);
        draw.float_attribute("softcap", softcap);
    }
    if draw.give_attribute("softmax_precision") {
        let precision = draw.choose(&[DType::Float, DType::Double, DType::Float16, DType::Bfloat16]);
        draw.int_attribute("softmax_precision", i64::from(precision.code()));
    }
    for name in ["left_window_size", "right_window_size"] {
        if draw.give_attribute(name) {
            let size = draw.choose(&[1, 0, 2, -1, i64::MAX]);
            draw.int_attribute(name, size);
        }
    }
    let shown = draw.flag();
    if draw.give_attribute("qk_matmul_output_mode") {
        let mode = draw.range(0..=3);
        draw.int_attribute("qk_matmul_output_mode", mode);
        if shown {
            draw.feature(["raw scores", "capped scores", "masked scores", "weights"][mode as usize]);
        }
    }
    draw.outputs(&[true, past.is_some(), past.is_some(), shown]);
}

const SMALL: Extents =
    Extents { batch: 2, kv_heads: 1, group: 1, queries: 2, keys: 3, size: 2, v_size: 2, packed: false };

/// Gives Q, K and V with these shapes.
fn query_key_value(draw: &mut Draw, shapes: [&[usize]; 3]) {
    let dtype = draw.dtype("T1");
    draw.bind("T2", dtype);
    for (name, shape) in ["Q", "K", "V"].into_iter().zip(shapes) {
        draw.tensor(name, shape, Values::Between(-1.0, 1.0));
    }
    draw.outputs(&[true]);
}

pub fn rank_three_or_four(draw: &mut Draw) {
    match draw.way(3) {
        0 => query_key_value(draw, [&[2, 2], &[3, 2], &[3, 2]]),
        1 => query_key_value(draw, [&[2, 1, 2, 2], &[2, 3, 2], &[2, 3, 2]]),
        _ => query_key_value(draw, [&[1, 2, 1, 2, 2], &[1, 2, 1, 3, 2], &[1, 2, 1, 3, 2]]),
    }
    draw.int_attribute("q_num_heads", 1);
    draw.int_attribute("kv_num_heads", 1);
}

/// Packs the heads and leaves their number out, or gives a number that does not fit.
pub fn head_counts_divide(draw: &mut Draw) {
    query_key_value(draw, [&[2, 2, 6], &[2, 3, 6], &[2, 3, 6]]);
    if draw.way(2) == 1 {
        let (q, kv) = draw.way_of(&[
            (4, 2),
            (0, 2),
            (2, 4),
            (2, 0),
            (-1, 2),
            (i64::MAX, 2),
            (2, i64::MAX),
            (i64::MIN, 2),
            (2, i64::MIN),
        ]);
        draw.int_attribute("q_num_heads", q);
        draw.int_attribute("kv_num_heads", kv);
    }
}

pub fn query_key_value_agree(draw: &mut Draw) {
    match draw.way(4) {
        0 => query_key_value(draw, [&[2, 1, 2, 2], &[3, 1, 3, 2], &[3, 1, 3, 2]]),
        1 => query_key_value(draw, [&[2, 1, 2, 2], &[2, 1, 3, 3], &[2, 1, 3, 2]]),
        2 => query_key_value(draw, [&[2, 1, 2, 2], &[2, 1, 3, 2], &[2, 1, 4, 2]]),
        _ => query_key_value(draw, [&[2, 2, 2, 2], &[2, 2, 3, 2], &[2, 1, 3, 2]]),
    }
}

pub fn query_heads_multiple(draw: &mut Draw) {
    let (q, kv): (&[usize], &[usize]) =
        if draw.way(2) == 1 { (&[2, 3, 2, 2], &[2, 2, 3, 2]) } else { (&[2, 1, 2, 2], &[2, 2, 3, 2]) };
    query_key_value(draw, [q, kv, kv]);
}

/// Gives only one of `past_key` and `past_value`, names only one of the present outputs, or gives past tensors whose
/// shapes do not fit.
pub fn past_and_present_paired(draw: &mut Draw) {
    let e = SMALL;
    query_key_value(draw, [&[2, 1, 2, 2], &[2, 1, 3, 2], &[2, 1, 3, 2]]);
    let past = |size: usize| vec![e.batch, e.kv_heads, 2, size];
    match draw.way(6) {
        0 => {
            draw.tensor("past_key", &past(2), Values::Integers);
            draw.outputs(&[true, true, true]);
        }
        1 => {
            draw.tensor("past_value", &past(2), Values::Integers);
            draw.outputs(&[true, true, true]);
        }
        which @ (4 | 5) => {
            draw.tensor("past_key", &past(2), Values::Integers);
            draw.tensor("past_value", &past(2), Values::Integers);
            draw.outputs(&[true, which == 4, which == 5]);
        }
        which => {
            draw.tensor("past_key", &past(if which == 2 { 3 } else { 2 }), Values::Integers);
            draw.tensor("past_value", &if which == 2 { past(2) } else { vec![2, 2, 2, 2] }, Values::Integers);
            draw.outputs(&[true, true, true]);
        }
    }
}

/// Gives a mask that does not broadcast, or one of a type that is not allowed.
pub fn attn_mask_broadcasts(draw: &mut Draw) {
    query_key_value(draw, [&[2, 1, 2, 2], &[2, 1, 3, 2], &[2, 1, 3, 2]]);
    let of_q = draw.dtype("T1");
    if draw.way(2) == 1 && !draw.binding.contains_key("U") {
        let other = if of_q == DType::Float { DType::Double } else { DType::Float };
        let other = draw.way_of(&[other, DType::Int32, DType::Uint8]);
        draw.bind("U", other);
        draw.tensor("attn_mask", &[2, 3], Values::Integers);
        return;
    }
    let shape = draw.way_of(&[vec![3, 3], vec![2, 4], vec![3, 1, 2, 3], vec![2, 2, 2, 3], vec![1, 1, 1, 2, 3]]);
    draw.tensor("attn_mask", &shape, Values::Integers);
}

/// Gives lengths in a tensor of a wrong shape, lengths out of range, or lengths together with past keys and values.
pub fn nonpad_kv_seqlen_fits(draw: &mut Draw) {
    query_key_value(draw, [&[2, 1, 2, 2], &[2, 1, 3, 2], &[2, 1, 3, 2]]);
    match draw.way(3) {
        0 => draw.int_tensor("nonpad_kv_seqlen", vec![3], &[1, 2, 3]),
        1 => draw.int_tensor("nonpad_kv_seqlen", vec![1], &[2]),
        _ => {
            draw.tensor("past_key", &[2, 1, 2, 2], Values::Integers);
            draw.tensor("past_value", &[2, 1, 2, 2], Values::Integers);
            draw.int_tensor("nonpad_kv_seqlen", vec![2], &[1, 2]);
            draw.outputs(&[true, true, true]);
        }
    }
}

pub fn nonpad_kv_seqlen_in_range(draw: &mut Draw) {
    query_key_value(draw, [&[2, 1, 2, 2], &[2, 1, 3, 2], &[2, 1, 3, 2]]);
    let lengths = draw.way_of(&[[1, 4], [-1, 2], [4, 1], [2, -1]]);
    draw.int_tensor("nonpad_kv_seqlen", vec![2], &lengths);
}

pub fn attribute_values_known(draw: &mut Draw) {
    query_key_value(draw, [&[2, 1, 2, 2], &[2, 1, 3, 2], &[2, 1, 3, 2]]);
    let windows = draw.has_attribute("left_window_size");
    match draw.way(2 + usize::from(windows)) {
        0 => {
            let mode = draw.beyond(0, 3);
            draw.int_attribute("qk_matmul_output_mode", mode);
            draw.outputs(&[true, false, false, true]);
        }
        1 => {
            let code = draw.foreign_code(&[DType::Int32, DType::String]);
            draw.int_attribute("softmax_precision", code);
        }
        _ => {
            let name = draw.way_of(&["left_window_size", "right_window_size"]);
            let size = draw.under(-1);
            draw.int_attribute(name, size);
        }
    }
}

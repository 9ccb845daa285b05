//! Recipes for RotaryEmbedding, TensorScatter, SwiGLU and LinearAttention.

use crate::draw::Draw;
use crate::values::Values;

/// The extents of the tensor that RotaryEmbedding rotates.
struct Rotation {
    batch: usize,
    heads: usize,
    tokens: usize,
    size: usize,
    packed: bool,
}

impl Rotation {
    fn draw(draw: &mut Draw) -> Rotation {
        // The head size has to be even, so half of it is drawn.
        let mut extents =
            [draw.choose(&[1, 2, 3]), draw.choose(&[2, 1, 3]), draw.choose(&[2, 3, 1, 4]), draw.choose(&[2, 1, 3, 4])];
        draw.enlarge(&mut extents, 2);
        let [mut batch, heads, tokens, half] = extents;
        if draw.violating().is_none() && draw.once_in(24) {
            draw.feature("no batches");
            batch = 0;
        }
        Rotation { batch, heads, tokens, size: 2 * half, packed: draw.flag() }
    }

    fn give(&self, draw: &mut Draw, values: Values) {
        let &Rotation { batch, heads, tokens, size, packed } = self;
        let shape = if packed { vec![batch, tokens, heads * size] } else { vec![batch, heads, tokens, size] };
        draw.tensor("X", &shape, values);
        if packed {
            draw.feature("packed heads of a rotation");
            draw.int_attribute("num_heads", heads as i64);
        }
    }
}

/// Gives both caches, with the same shape.
fn caches(draw: &mut Draw, shape: &[usize], values: Values) {
    draw.tensor("cos_cache", shape, values);
    draw.tensor("sin_cache", shape, values);
}

pub fn rotary_embedding(draw: &mut Draw) {
    let r = Rotation::draw(draw);
    let values = draw.choose(&[Values::Between(-3.0, 3.0), Values::Integers, Values::Moderate, Values::Any]);
    r.give(draw, values);
    let mut rotated = r.size;
    if draw.give_attribute("rotary_embedding_dim") {
        let dim = 2 * draw.range(0..=r.size as i64 / 2);
        draw.int_attribute("rotary_embedding_dim", dim);
        if dim != 0 && dim < r.size as i64 {
            draw.feature("a part is turned");
            rotated = dim as usize;
        }
    }
    if draw.give_attribute("interleaved") {
        let interleaved = draw.choose(&[1, 0]);
        draw.int_attribute("interleaved", interleaved);
    }
    let of_caches = draw.choose(&[Values::Between(-1.0, 1.0), Values::Integers]);
    if draw.give_input("position_ids") {
        let positions = draw.choose(&[3, 5, 1]);
        caches(draw, &[positions, rotated / 2], of_caches);
        let ids: Vec<i64> = (0..r.batch * r.tokens).map(|_| draw.range(0..=positions as i64 - 1)).collect();
        draw.int_tensor("position_ids", vec![r.batch, r.tokens], &ids);
    } else {
        caches(draw, &[r.batch, r.tokens, rotated / 2], of_caches);
    }
}

pub fn rotary_embedding_rank_three_or_four(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![2, 4], vec![4], vec![1, 2, 2, 2, 4]]);
    draw.tensor("X", &shape, Values::Integers);
    caches(draw, &[2, 2, 2], Values::Integers);
}

/// Packs the heads and leaves their number out, or gives a number that does not fit.
pub fn rotary_embedding_head_counts_divide(draw: &mut Draw) {
    draw.tensor("X", &[2, 2, 8], Values::Integers);
    caches(draw, &[2, 2, 2], Values::Integers);
    if draw.way(2) == 1 {
        let heads = draw.way_of(&[3, 0, -1, 5, i64::MAX, i64::MIN]);
        draw.int_attribute("num_heads", heads);
    }
}

pub fn rotary_embedding_cache_shapes_fit(draw: &mut Draw) {
    draw.tensor("X", &[2, 1, 3, 4], Values::Integers);
    match draw.way(4) {
        0 => caches(draw, &[2, 3, 4], Values::Integers),
        1 => caches(draw, &[5, 2], Values::Integers),
        2 => {
            caches(draw, &[2, 3, 2], Values::Integers);
            draw.int_tensor("position_ids", vec![2, 3], &[0; 6]);
        }
        _ => {
            draw.tensor("cos_cache", &[2, 3, 2], Values::Integers);
            draw.tensor("sin_cache", &[2, 3, 1], Values::Integers);
        }
    }
}

pub fn rotary_embedding_position_ids_shape_fits(draw: &mut Draw) {
    draw.tensor("X", &[2, 1, 3, 4], Values::Integers);
    caches(draw, &[5, 2], Values::Integers);
    let shape = draw.way_of(&[vec![2, 2], vec![3], vec![3, 2], vec![2, 3, 1]]);
    let count = shape.iter().product();
    draw.int_tensor("position_ids", shape, &vec![0; count]);
}

pub fn rotary_embedding_positions_in_range(draw: &mut Draw) {
    draw.tensor("X", &[1, 1, 2, 4], Values::Integers);
    caches(draw, &[5, 2], Values::Integers);
    let id = draw.beyond(0, 4);
    draw.int_tensor("position_ids", vec![1, 2], &[0, id]);
}

pub fn rotary_embedding_rotary_embedding_dim_fits(draw: &mut Draw) {
    let odd = draw.way(2) == 1;
    draw.tensor("X", &[1, 1, 2, if odd { 3 } else { 4 }], Values::Integers);
    caches(draw, &[1, 2, 1], Values::Integers);
    if !odd {
        let dim = draw.way_of(&[3, 5, 6, -2, -1, i64::MAX, i64::MIN]);
        draw.int_attribute("rotary_embedding_dim", dim);
    }
}

/// Gives a cache of this shape and an update that may be shorter along the axis. Returns the update's extent along the
/// axis.
fn scattered(draw: &mut Draw, shape: &[usize], axis: usize) -> usize {
    draw.tensor("past_cache", shape, Values::Any);
    let length = draw.range(0..=shape[axis] as i64) as usize;
    let length = if length == 0 && !draw.once_in(6) { shape[axis] } else { length };
    let mut update = shape.to_vec();
    update[axis] = length;
    draw.tensor("update", &update, Values::Any);
    length
}

pub fn tensor_scatter(draw: &mut Draw) {
    let given = draw.give_attribute("axis");
    let shape = draw.shape(if given { 2..=5 } else { 3..=5 });
    let rank = shape.len();
    let mut axis = rank - 2;
    if given {
        axis = 1 + draw.below(rank - 1);
        let negative = draw.flag();
        draw.int_attribute("axis", if negative { axis as i64 - rank as i64 } else { axis as i64 });
    }
    let length = scattered(draw, &shape, axis);
    let circular = draw.give_attribute("mode") && {
        let mode = draw.choose(&["circular", "linear"]);
        draw.string_attribute("mode", mode);
        mode == "circular"
    };
    if draw.give_input("write_indices") {
        let most = if circular { 2 * shape[axis] } else { shape[axis] - length };
        if circular {
            draw.feature("around the end");
        }
        let starts: Vec<i64> = (0..shape[0]).map(|_| draw.range(0..=most as i64)).collect();
        draw.int_tensor("write_indices", vec![shape[0]], &starts);
    }
}

pub fn tensor_scatter_axis_in_range(draw: &mut Draw) {
    draw.tensor("past_cache", &[2, 3], Values::Any);
    draw.tensor("update", &[2, 3], Values::Any);
    // With two dimensions the default axis, -2, is the batch axis, which is invalid.
    let axis = draw.way_of(&[0, -2, 2, -3, i64::MAX, i64::MIN]);
    if axis != -2 || draw.way(2) == 1 {
        draw.int_attribute("axis", axis);
    }
}

pub fn tensor_scatter_update_fits_cache(draw: &mut Draw) {
    draw.tensor("past_cache", &[2, 3, 2], Values::Any);
    let update = draw.way_of(&[vec![2, 4, 2], vec![2, 3, 3], vec![1, 3, 2], vec![2, 3], vec![2, 3, 2, 1]]);
    draw.tensor("update", &update, Values::Any);
}

fn plain(draw: &mut Draw) {
    draw.tensor("past_cache", &[2, 3, 2], Values::Any);
    draw.tensor("update", &[2, 2, 2], Values::Any);
}

pub fn tensor_scatter_write_indices_per_batch(draw: &mut Draw) {
    plain(draw);
    let shape = draw.way_of(&[vec![3], vec![1], vec![2, 1], vec![]]);
    let count = shape.iter().product();
    draw.int_tensor("write_indices", shape, &vec![0; count]);
}

pub fn tensor_scatter_write_indices_in_range(draw: &mut Draw) {
    plain(draw);
    let start = draw.way_of(&[2, -1, 3, 100]);
    draw.int_tensor("write_indices", vec![2], &[0, start]);
}

pub fn tensor_scatter_mode_known(draw: &mut Draw) {
    plain(draw);
    let mode = draw.way_of(&["Linear", "wrap", ""]);
    draw.string_attribute("mode", mode);
}

pub fn swiglu(draw: &mut Draw) {
    let shape = draw.shape(0..=6);
    let values =
        draw.choose(&[Values::Between(-8.0, 8.0), Values::Moderate, Values::Between(-100.0, 100.0), Values::Any]);
    draw.tensor("A", &shape, values);
    draw.tensor("B", &shape, values);
    if draw.give_attribute("alpha") {
        let alpha = draw.choose(&[1.0, 1.702, 0.5, -1.0, 0.0]);
        draw.float_attribute("alpha", alpha);
    }
}

/// Gives two shapes that differ. SwiGLU does not broadcast.
pub fn swiglu_shapes_equal(draw: &mut Draw) {
    let (a, b) =
        draw.way_of(&[(vec![2, 3], vec![3]), (vec![2, 3], vec![1, 3]), (vec![], vec![2]), (vec![6], vec![2, 3])]);
    draw.tensor("A", &a, Values::Integers);
    draw.tensor("B", &b, Values::Integers);
}

struct Linear {
    batch: usize,
    tokens: usize,
    kv_heads: usize,
    group: usize,
    d_k: usize,
    d_v: usize,
}

impl Linear {
    fn draw(draw: &mut Draw) -> Linear {
        let (batch, tokens) = (draw.choose(&[1, 2]), draw.choose(&[2, 1, 3, 4]));
        let (kv_heads, group) = (draw.choose(&[1, 2, 3]), draw.choose(&[1, 2]));
        let mut extents = [batch, tokens, draw.choose(&[2, 3, 1]), draw.choose(&[2, 1, 3])];
        draw.enlarge(&mut extents, kv_heads * group);
        let [mut batch, tokens, d_k, d_v] = extents;
        if draw.violating().is_none() && draw.once_in(24) {
            draw.feature("no batches");
            batch = 0;
        }
        Linear { batch, tokens, kv_heads, group, d_k, d_v }
    }

    fn give(&self, draw: &mut Draw) {
        let &Linear { batch, tokens, kv_heads, group, d_k, d_v } = self;
        let values = draw.choose(&[Values::Around(-1.0, 1.0), Values::Around(0.0, 1.0), Values::Integers]);
        draw.tensor("query", &[batch, tokens, kv_heads * group * d_k], values);
        draw.tensor("key", &[batch, tokens, kv_heads * d_k], Values::Around(-0.7, 0.7));
        draw.tensor("value", &[batch, tokens, kv_heads * d_v], values);
        draw.int_attribute("q_num_heads", (kv_heads * group) as i64);
        draw.int_attribute("kv_num_heads", kv_heads as i64);
    }

    fn gate(&self, draw: &mut Draw, name: &str, last: usize, values: Values) {
        draw.tensor(name, &[self.batch, self.tokens, last], values);
    }
}

/// Binds the type of the state to that of the other tensors. Without a past state, they are the same type.
fn same_types(draw: &mut Draw) {
    match draw.binding.contains_key("S") {
        true => {
            let dtype = draw.dtype("S");
            draw.bind("T", dtype);
        }
        false => {
            let dtype = draw.dtype("T");
            draw.bind("S", dtype);
        }
    }
}

pub fn linear_attention(draw: &mut Draw) {
    let past = draw.give();
    if !past || draw.flag() {
        same_types(draw);
    } else if draw.dtype("S") != draw.dtype("T") {
        draw.feature("a state of another type");
    }
    let l = Linear::draw(draw);
    l.give(draw);
    let given = draw.give_attribute("update_rule");
    let rule = if given { draw.choose(&["linear", "gated", "delta", "gated_delta"]) } else { "gated_delta" };
    if given {
        draw.string_attribute("update_rule", rule);
    }
    if past {
        draw.tensor("past_state", &[l.batch, l.kv_heads, l.d_k, l.d_v], Values::Between(-1.0, 1.0));
    }
    if rule.starts_with("gated") {
        let last = draw.choose(&[l.kv_heads, l.kv_heads * l.d_k]);
        l.gate(draw, "decay", last, Values::Between(-2.0, 0.0));
    }
    if rule.ends_with("delta") {
        let last = draw.choose(&[l.kv_heads, 1]);
        l.gate(draw, "beta", last, Values::Between(0.0, 1.0));
    }
    if draw.give_attribute("scale") {
        let scale = draw.choose(&[1.0, 0.5, 0.3, 0.0]);
        draw.float_attribute("scale", scale);
    }
    if draw.give_attribute("chunk_size") {
        let size = draw.choose(&[64, 1, 2, 16, i64::MAX]);
        draw.int_attribute("chunk_size", size);
    }
}

/// Gives the required inputs with these shapes, and these head counts. A negative recipe passes a wrong shape or count,
/// or adds a wrong input.
fn whole(draw: &mut Draw, shapes: [&[usize]; 3], heads: (i64, i64)) {
    same_types(draw);
    for (name, shape) in ["query", "key", "value"].into_iter().zip(shapes) {
        draw.tensor(name, shape, Values::Between(-1.0, 1.0));
    }
    draw.int_attribute("q_num_heads", heads.0);
    draw.int_attribute("kv_num_heads", heads.1);
}

const GOOD: [&[usize]; 3] = [&[2, 3, 4], &[2, 3, 4], &[2, 3, 6]];

/// Gives `decay` and `beta` with these shapes. An empty shape leaves the input out.
fn gates(draw: &mut Draw, decay: &[usize], beta: &[usize]) {
    for (name, shape) in [("decay", decay), ("beta", beta)] {
        if !shape.is_empty() {
            draw.tensor(name, shape, Values::Between(-1.0, 0.0));
        }
    }
}

pub fn linear_attention_head_counts_divide(draw: &mut Draw) {
    match draw.way(3) {
        0 => whole(draw, [&[2, 2, 3, 2], &[2, 2, 3, 2], &[2, 2, 3, 3]], (2, 2)),
        1 => {
            let heads = draw.way_of(&[(3, 2), (i64::MAX, 2), (2, i64::MAX), (i64::MIN, 2), (2, i64::MIN)]);
            whole(draw, GOOD, heads);
        }
        _ => whole(draw, [&[2, 3, 6], &[2, 3, 4], &[2, 3, 4]], (3, 2)),
    }
    gates(draw, &[2, 3, 2], &[2, 3, 2]);
}

pub fn linear_attention_query_key_value_agree(draw: &mut Draw) {
    match draw.way(3) {
        0 => whole(draw, [&[2, 3, 4], &[2, 3, 6], &[2, 3, 4]], (2, 2)),
        1 => whole(draw, [&[2, 3, 4], &[2, 4, 4], &[2, 4, 4]], (2, 2)),
        _ => whole(draw, [&[2, 3, 4], &[1, 3, 4], &[1, 3, 4]], (2, 2)),
    }
    gates(draw, &[2, 3, 2], &[2, 3, 2]);
}

pub fn linear_attention_past_state_fits(draw: &mut Draw) {
    whole(draw, GOOD, (2, 2));
    let shape = draw.way_of(&[vec![2, 2, 3, 2], vec![2, 2, 6], vec![1, 2, 2, 3], vec![2, 1, 2, 3]]);
    draw.tensor("past_state", &shape, Values::Integers);
    gates(draw, &[2, 3, 2], &[2, 3, 2]);
}

pub fn linear_attention_decay_fits(draw: &mut Draw) {
    whole(draw, GOOD, (2, 2));
    let decay = draw.way_of(&[vec![], vec![2, 3, 3], vec![2, 2, 2], vec![2, 3, 2, 1]]);
    gates(draw, &decay, &[2, 3, 2]);
}

pub fn linear_attention_beta_fits(draw: &mut Draw) {
    whole(draw, GOOD, (2, 2));
    let beta = draw.way_of(&[vec![], vec![2, 3, 4], vec![2, 2, 2], vec![2, 3]]);
    gates(draw, &[2, 3, 2], &beta);
}

pub fn linear_attention_update_rule_known(draw: &mut Draw) {
    whole(draw, GOOD, (2, 2));
    gates(draw, &[2, 3, 2], &[2, 3, 2]);
    let rule = draw.way_of(&["Linear", "delta_gated", ""]);
    draw.string_attribute("update_rule", rule);
}

//! Draws each update rule with the inputs that it needs, with and without a past state, which may have another type.

use crate::prelude::*;

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

/// Binds the state and the other tensors to one type. Without `past_state`, the oracle gives `present_state` the type
/// of `query`.
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
fn required_inputs(draw: &mut Draw, shapes: [&[usize]; 3], heads: (i64, i64)) {
    same_types(draw);
    for (name, shape) in ["query", "key", "value"].into_iter().zip(shapes) {
        draw.tensor(name, shape, Values::Between(-1.0, 1.0));
    }
    draw.int_attribute("q_num_heads", heads.0);
    draw.int_attribute("kv_num_heads", heads.1);
}

const VALID_SHAPES: [&[usize]; 3] = [&[2, 3, 4], &[2, 3, 4], &[2, 3, 6]];

/// Gives `decay` and `beta` with these shapes. An empty shape leaves the input out.
fn gates(draw: &mut Draw, decay: &[usize], beta: &[usize]) {
    for (name, shape) in [("decay", decay), ("beta", beta)] {
        if !shape.is_empty() {
            draw.tensor(name, shape, Values::Between(-1.0, 0.0));
        }
    }
}

pub fn head_counts_divide(draw: &mut Draw) {
    match draw.way(3) {
        0 => required_inputs(draw, [&[2, 2, 3, 2], &[2, 2, 3, 2], &[2, 2, 3, 3]], (2, 2)),
        1 => {
            let heads = draw.way_of(&[(3, 2), (i64::MAX, 2), (2, i64::MAX), (i64::MIN, 2), (2, i64::MIN)]);
            required_inputs(draw, VALID_SHAPES, heads);
        }
        _ => required_inputs(draw, [&[2, 3, 6], &[2, 3, 4], &[2, 3, 4]], (3, 2)),
    }
    gates(draw, &[2, 3, 2], &[2, 3, 2]);
}

pub fn query_key_value_agree(draw: &mut Draw) {
    match draw.way(3) {
        0 => required_inputs(draw, [&[2, 3, 4], &[2, 3, 6], &[2, 3, 4]], (2, 2)),
        1 => required_inputs(draw, [&[2, 3, 4], &[2, 4, 4], &[2, 4, 4]], (2, 2)),
        _ => required_inputs(draw, [&[2, 3, 4], &[1, 3, 4], &[1, 3, 4]], (2, 2)),
    }
    gates(draw, &[2, 3, 2], &[2, 3, 2]);
}

pub fn past_state_fits(draw: &mut Draw) {
    required_inputs(draw, VALID_SHAPES, (2, 2));
    let shape = draw.way_of(&[vec![2, 2, 3, 2], vec![2, 2, 6], vec![1, 2, 2, 3], vec![2, 1, 2, 3]]);
    draw.tensor("past_state", &shape, Values::Integers);
    gates(draw, &[2, 3, 2], &[2, 3, 2]);
}

pub fn decay_fits(draw: &mut Draw) {
    required_inputs(draw, VALID_SHAPES, (2, 2));
    let decay = draw.way_of(&[vec![], vec![2, 3, 3], vec![2, 2, 2], vec![2, 3, 2, 1]]);
    gates(draw, &decay, &[2, 3, 2]);
}

pub fn beta_fits(draw: &mut Draw) {
    required_inputs(draw, VALID_SHAPES, (2, 2));
    let beta = draw.way_of(&[vec![], vec![2, 3, 4], vec![2, 2, 2], vec![2, 3]]);
    gates(draw, &[2, 3, 2], &beta);
}

pub fn update_rule_known(draw: &mut Draw) {
    required_inputs(draw, VALID_SHAPES, (2, 2));
    gates(draw, &[2, 3, 2], &[2, 3, 2]);
    let rule = draw.way_of(&["Linear", "delta_gated", ""]);
    draw.string_attribute("update_rule", rule);
}

//! Exercises for MULTIHEAD_ATTENTION.

use super::{Draft, Exercise, Plain};
use plumbline_spec::directml::TensorDataType::Float32;

const BATCH: usize = 2;
const HEADS: usize = 2;
const WIDTH: usize = 3;
const QUERIES: usize = 2;
const PAST: usize = 1;

/// Adds sizes of 1 in front until there are `rank` sizes.
fn led(sizes: &[usize], rank: usize) -> Vec<usize> {
    [vec![1; rank.saturating_sub(sizes.len())], sizes.to_vec()].concat()
}

/// Adds or resizes a tensor, so that it has these sizes.
fn with(draft: &mut Draft, field: &str, sizes: &[usize]) {
    let data_type = draft.data_type("OutputTensor");
    if !draft.has(field) {
        draft.add(field, data_type, sizes);
    }
    let rank = draft.rank(field);
    draft.resize(field, &led(sizes, rank.max(sizes.len())));
}

/// Sets sizes, attributes and contents. There are as many keys as queries if both are stacked in one tensor. Otherwise,
/// there is one more key than queries.
fn heads(draft: &mut Draft) {
    let (all, whole) = (HEADS * WIDTH, BATCH);
    let [both, pair, three] = ["StackedQueryKeyTensor", "StackedKeyValueTensor", "StackedQueryKeyValueTensor"];
    let keys = if draft.has(both) || draft.has(three) { QUERIES } else { QUERIES + 1 };
    let stacked = |length: usize, many: usize| [whole, length, HEADS, many, WIDTH];
    if draft.has(three) {
        draft.resize(three, &stacked(QUERIES, 3));
    } else if draft.has(both) {
        draft.resize(both, &stacked(QUERIES, 2));
        with(draft, "ValueTensor", &[whole, keys, all]);
    } else if draft.has(pair) {
        draft.resize(pair, &stacked(keys, 2));
        with(draft, "QueryTensor", &[whole, QUERIES, all]);
    } else {
        with(draft, "QueryTensor", &[whole, QUERIES, all]);
        with(draft, "KeyTensor", &[whole, keys, all]);
        with(draft, "ValueTensor", &[whole, keys, all]);
    }
    with(draft, "OutputTensor", &[whole, QUERIES, all]);
    let past = draft.has("PastKeyTensor") || draft.has("PastValueTensor") || draft.flip();
    if past {
        with(draft, "PastKeyTensor", &[whole, HEADS, PAST, WIDTH]);
        with(draft, "PastValueTensor", &[whole, HEADS, PAST, WIDTH]);
    }
    let length = keys + if past { PAST } else { 0 };
    for field in ["OutputPresentKeyTensor", "OutputPresentValueTensor"] {
        if draft.has(field) {
            with(draft, field, &[whole, HEADS, length, WIDTH]);
        }
    }
    if draft.has("BiasTensor") {
        with(draft, "BiasTensor", &[3 * all]);
    }
    if draft.has("RelativePositionBiasTensor") {
        with(draft, "RelativePositionBiasTensor", &[whole, HEADS, QUERIES, length]);
    }
    if draft.has("MaskTensor") {
        let rank = draft.rank("MaskTensor");
        let (kind, sizes) = match rank {
            1 => (1, vec![whole]),
            2 => (2, vec![2, whole]),
            3 => (1, vec![1, 1, whole]),
            _ => (4, led(&[whole, HEADS, QUERIES, length], rank)),
        };
        draft.resize("MaskTensor", &sizes);
        draft.set_uint("MaskType", kind);
        match kind {
            1 => draft.fill("MaskTensor", vec![1.0, 2.0]),
            2 => draft.fill("MaskTensor", vec![2.0, 2.0, 1.0, 0.0]),
            _ => draft.fill_by("MaskTensor", |draft, _| draft.below(2) as f64),
        }
    } else {
        draft.set_uint("MaskType", 0);
    }
    for field in ["HeadCount", "QueryHeadCount", "KeyValueHeadCount"] {
        if draft.description.operator().field(field).is_some() {
            draft.set_uint(field, HEADS);
        }
    }
    draft.set_float("Scale", 0.5);
    draft.set_float("MaskFilterValue", -5.0);
    // Small multiples of 1/4 give weights that are not only 0 and 1.
    let names: Vec<&'static str> = draft.description.operator().inputs().map(|field| field.name.as_str()).collect();
    for name in names.into_iter().filter(|name| *name != "MaskTensor") {
        if draft.has(name) {
            draft.fill_by(name, |draft, _| (draft.below(9) as f64 - 4.0) / 4.0);
        }
    }
    assert!(draft.data_type("OutputTensor").bits() <= Float32.bits());
}

/// Returns an element of the queries (`which` is 0), keys (1) or values (2), without those of the past.
fn of_head(draft: &Draft, which: usize, [batch, head, place, number]: [usize; 4]) -> f64 {
    let bias =
        draft.optional("BiasTensor").map_or(0.0, |bias| bias.data[which * HEADS * WIDTH + head * WIDTH + number]);
    let stacks: [(&'static str, [Option<usize>; 3]); 3] = [
        ("StackedQueryKeyTensor", [Some(0), Some(1), None]),
        ("StackedKeyValueTensor", [None, Some(0), Some(1)]),
        ("StackedQueryKeyValueTensor", [Some(0), Some(1), Some(2)]),
    ];
    for (field, layer) in stacks {
        if let (Some(tensor), Some(layer)) = (draft.optional(field), layer[which]) {
            return bias + tensor.at(&[batch, place, head, layer, number]);
        }
    }
    let tensor = draft.input(["QueryTensor", "KeyTensor", "ValueTensor"][which]);
    bias + tensor.at(&led(&[batch, place, head * WIDTH + number], tensor.sizes.len()))
}

/// Returns an element of the keys (`which` is 1) or values (2), which begin with those of the past.
fn any(draft: &Draft, which: usize, [batch, head, place, number]: [usize; 4]) -> f64 {
    let past = draft.optional(["", "PastKeyTensor", "PastValueTensor"][which]);
    match past {
        Some(past) if place < PAST => past.at(&led(&[batch, head, place, number], past.sizes.len())),
        Some(_) => of_head(draft, which, [batch, head, place - PAST, number]),
        None => of_head(draft, which, [batch, head, place, number]),
    }
}

fn attended(draft: &Draft) -> Vec<Plain> {
    let stacked = draft.has("StackedQueryKeyTensor") || draft.has("StackedQueryKeyValueTensor");
    let length = QUERIES + usize::from(!stacked) + if draft.has("PastKeyTensor") { PAST } else { 0 };
    let counts = |index: [usize; 4]| {
        let [batch, .., key] = index;
        let Some(mask) = draft.optional("MaskTensor") else { return true };
        match draft.uint("MaskType") {
            1 => (key as f64) < mask.data[batch],
            2 => mask.data[BATCH + batch] <= key as f64 && (key as f64) < mask.data[batch],
            _ => mask.at(&led(&index, mask.sizes.len())) != 0.0,
        }
    };
    let score = |batch: usize, head: usize, query: usize, key: usize| {
        let term = |n: usize| of_head(draft, 0, [batch, head, query, n]) * any(draft, 1, [batch, head, key, n]);
        let position = draft.optional("RelativePositionBiasTensor");
        let position = position.map_or(0.0, |bias| bias.at(&led(&[batch, head, query, key], bias.sizes.len())));
        let masked = if counts([batch, head, query, key]) { 0.0 } else { -5.0 };
        0.5 * (0..WIDTH).map(term).sum::<f64>() + position + masked
    };
    let mut found = vec![draft.output("OutputTensor", |index| {
        let &[.., batch, query, number] = index else { panic!() };
        let (head, number) = (number / WIDTH, number % WIDTH);
        let weights: Vec<f64> = (0..length).map(|key| score(batch, head, query, key).exp()).collect();
        let sum = weights.iter().enumerate().map(|(key, weight)| weight * any(draft, 2, [batch, head, key, number]));
        sum.sum::<f64>() / weights.iter().sum::<f64>()
    })];
    for (which, field) in [(1, "OutputPresentKeyTensor"), (2, "OutputPresentValueTensor")] {
        if draft.has(field) {
            found.push(draft.output(field, |index| {
                let &[.., batch, head, place, number] = index else { panic!() };
                any(draft, which, [batch, head, place, number])
            }));
        }
    }
    found
}

pub const EXERCISES: &[Exercise] = &[
    Exercise { name: "MULTIHEAD_ATTENTION", shape: heads, evaluate: attended },
    Exercise { name: "MULTIHEAD_ATTENTION1", shape: heads, evaluate: attended },
];

//! MULTIHEAD_ATTENTION.

use crate::directml::description::Attribute;
use crate::directml::sketch::Drawing;
use crate::values::Values;

const SMALL: Values = Values::Between(-1.0, 1.0);
/// So far below every score that the weight of a masked key is 0, whether the value is added to the score or replaces it:
/// the page says both.
const MASK_FILTER_VALUE: f32 = -10000.0;

/// How queries, keys and values are given.
#[derive(Clone, Copy, PartialEq)]
enum Stack {
    None,
    QueryKey,
    KeyValue,
    QueryKeyValue,
}

fn given(d: &mut Drawing, name: &str, sizes: &[u32]) {
    let sizes = d.led(name, sizes);
    d.input(name, &sizes, SMALL);
}

/// Queries have as many heads as keys and values, because the page does not say what happens with fewer of them, and
/// `PastSequenceLengthsTensor`, of which it says nothing, is left out. Each query has a key that is not masked. Lengths and
/// bounds of keys are drawn without past keys, because the page does not say whether they count these.
pub(super) fn draw(d: &mut Drawing) -> Option<()> {
    let kinds = [Stack::None, Stack::QueryKey, Stack::KeyValue, Stack::QueryKeyValue];
    let stack = kinds[d.choices.steered(4, d.turn % 4) as usize];
    let (batch, heads, head) = (d.range(1..=2), d.range(1..=3), d.range(1..=3));
    let queries = d.range(1..=3);
    // What is stacked together has the same sizes.
    let own_keys = d.range(1..=4);
    let own_width = d.range(1..=3);
    let keys = if matches!(stack, Stack::None | Stack::KeyValue) { own_keys } else { queries };
    let width = if matches!(stack, Stack::None | Stack::QueryKey) { own_width } else { head };
    for name in ["HeadCount", "QueryHeadCount", "KeyValueHeadCount"] {
        d.give(name, Attribute::Int(i64::from(heads)));
    }
    let scale = d.pick(&[1.0, 0.5, 0.25]);
    d.give("Scale", Attribute::Float(scale));
    d.give("MaskFilterValue", Attribute::Float(MASK_FILTER_VALUE));
    d.attributes();

    if matches!(stack, Stack::None | Stack::KeyValue) {
        given(d, "QueryTensor", &[batch, queries, heads * head]);
    }
    if stack == Stack::None {
        given(d, "KeyTensor", &[batch, keys, heads * head]);
    }
    if matches!(stack, Stack::None | Stack::QueryKey) {
        given(d, "ValueTensor", &[batch, keys, heads * width]);
    }
    match stack {
        Stack::None => {}
        Stack::QueryKey => d.input("StackedQueryKeyTensor", &[batch, queries, heads, 2, head], SMALL),
        Stack::KeyValue => d.input("StackedKeyValueTensor", &[batch, keys, heads, 2, head], SMALL),
        Stack::QueryKeyValue => d.input("StackedQueryKeyValueTensor", &[batch, queries, heads, 3, head], SMALL),
    }
    if d.has("BiasTensor") {
        given(d, "BiasTensor", &[heads * (2 * head + width)]);
    }
    let mask = match d.attribute_of("MaskType") {
        Some(Attribute::Name(name)) => name.trim_start_matches("DML_MULTIHEAD_ATTENTION_MASK_TYPE_").to_owned(),
        _ => return None,
    };
    let has_past = !mask.starts_with("KEY_") && d.has("PastKeyTensor");
    let past = if has_past { d.range(1..=2) } else { 0 };
    let all = past + keys;
    match mask.as_str() {
        "BOOLEAN" => {
            let mut elements = Vec::new();
            for _ in 0..batch * heads * queries {
                let kept = d.below(all as usize) as u32;
                elements.extend((0..all).map(|key| i128::from(key == kept || d.flag())));
            }
            let sizes = d.led("MaskTensor", &[batch, heads, queries, all]);
            d.input_of("MaskTensor", &sizes, &elements);
        }
        "KEY_SEQUENCE_LENGTH" => {
            let elements: Vec<i128> = (0..batch).map(|_| i128::from(d.range(1..=all))).collect();
            let sizes = d.led("MaskTensor", &[1, batch]);
            d.input_of("MaskTensor", &sizes, &elements);
        }
        "KEY_SEQUENCE_END_START" => {
            let ends: Vec<u32> = (0..batch).map(|_| d.range(1..=all)).collect();
            let starts: Vec<u32> = ends.iter().map(|end| d.range(0..=end - 1)).collect();
            let elements: Vec<i128> = ends.into_iter().chain(starts).map(i128::from).collect();
            let sizes = d.led("MaskTensor", &[2, batch]);
            d.input_of("MaskTensor", &sizes, &elements);
        }
        _ => {}
    }
    if d.has("RelativePositionBiasTensor") {
        given(d, "RelativePositionBiasTensor", &[batch, heads, queries, all]);
    }
    if has_past {
        given(d, "PastKeyTensor", &[batch, heads, past, head]);
        given(d, "PastValueTensor", &[batch, heads, past, width]);
    }
    let sizes = d.led("OutputTensor", &[batch, queries, heads * width]);
    d.output("OutputTensor", &sizes);
    for (name, width) in [("OutputPresentKeyTensor", head), ("OutputPresentValueTensor", width)] {
        if d.has(name) {
            let sizes = d.led(name, &[batch, heads, all, width]);
            d.output(name, &sizes);
        }
    }
    Some(())
}

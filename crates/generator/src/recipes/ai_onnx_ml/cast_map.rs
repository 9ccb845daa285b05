//! Draws maps in sparse and in dense form. If the values are strings, each string spells a number.

use crate::families::traditional;
use crate::prelude::*;

/// Draws `count` different integers below `bound`, in any order.
fn keys(draw: &mut Draw, count: usize, bound: usize) -> Tensor {
    let mut all: Vec<i64> = (0..bound as i64).collect();
    let picked: Vec<i64> = (0..count.min(bound)).map(|_| all.remove(draw.below(all.len()))).collect();
    Tensor::from_i64s(&picked)
}

/// Gives a map with these keys. If its values are strings, each spells a number.
fn give_map(draw: &mut Draw, keys: &Tensor) {
    let (_, value) = traditional::map_types(draw);
    let mut map = draw.map_of(keys, &value, Values::Mostly(-1000.0, 1000.0));
    if let (plumbline_tensor::Value::Map { items, .. }, DType::String) = (&mut map, value.leaf_dtype()) {
        let numbers = draw.elements(DType::Int32, &[items.len()], Values::Between(-1000.0, 1000.0)).to_i128s();
        let spelled = |n: i128| {
            Tensor::from_strings(vec![], vec![n.to_string().into_bytes()])
                .expect("a tensor of one element has one value")
        };
        items.iter_mut().zip(numbers).for_each(|(item, n)| *item = spelled(n).into());
    }
    draw.input("X", map);
}

/// Gives `cast_to` with the type of the output. The default is float.
fn cast_to(draw: &mut Draw) {
    let output = draw.dtype("T2");
    let given = draw.give_attribute("cast_to");
    match output {
        DType::Float if !given => {}
        DType::Float => draw.string_attribute("cast_to", "TO_FLOAT"),
        DType::String => draw.string_attribute("cast_to", "TO_STRING"),
        _ => draw.string_attribute("cast_to", "TO_INT64"),
    }
}

pub fn cast_map(draw: &mut Draw) {
    let count = draw.choose(&[2, 1, 3, 5]);
    cast_to(draw);
    let form = draw.give_attribute("map_form").then(|| draw.choose(&["SPARSE", "DENSE"]));
    if let Some(form) = form {
        draw.string_attribute("map_form", form);
    }
    let length = draw.choose(&[5, 6, 8]);
    let length = draw.extent(length, 1);
    if form == Some("SPARSE") {
        draw.feature("sparse");
        draw.int_attribute("max_map", length as i64);
        let keys = keys(draw, count, length);
        return give_map(draw, &keys);
    }
    if draw.give_attribute("max_map") {
        draw.int_attribute("max_map", length as i64);
    }
    let keys = draw.distinct_elements(DType::Int64, count);
    give_map(draw, &keys);
}

pub fn attribute_values_known(draw: &mut Draw) {
    let keys = keys(draw, 2, 3);
    give_map(draw, &keys);
    if draw.way(2) == 1 {
        draw.string_attribute("cast_to", "TO_DOUBLE");
    } else {
        cast_to(draw);
        draw.string_attribute("map_form", "COMPRESSED");
    }
}

pub fn keys_in_range(draw: &mut Draw) {
    cast_to(draw);
    draw.string_attribute("map_form", "SPARSE");
    draw.int_attribute("max_map", 3);
    let bad = draw.way_of(&[3, -1, 1000, i64::MAX]);
    give_map(draw, &Tensor::from_i64s(&[1, bad]));
}

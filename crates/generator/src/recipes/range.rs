//! Draws steps in both directions, empty ranges, and integers that float64 cannot represent. The limit of a range of
//! floats is well between the last element and the next one that would follow, unless the range is empty.

use crate::prelude::*;

/// Gives the three scalars.
fn give(draw: &mut Draw, values: [f64; 3]) {
    let dtype = draw.dtype("T");
    for (name, value) in ["start", "limit", "delta"].into_iter().zip(values) {
        if dtype.is_float() {
            draw.input(
                name,
                Tensor::from_f64s(dtype, vec![], &[value]).expect("a tensor of one element has one value"),
            );
        } else {
            draw.int_scalar(name, value as i64);
        }
    }
}

/// Draws the number of elements, and the step between them.
fn steps(draw: &mut Draw) -> (i64, f64) {
    let count = if draw.once_in(6) { 0 } else { draw.range(1..=20) };
    // In types of few bits, the elements of a longer range would be out of range or no longer distinct.
    let few = matches!(draw.dtype("T"), DType::Float16 | DType::Bfloat16 | DType::Int16);
    let count = if few || count == 0 { count } else { draw.extent(count as usize, 1) as i64 };
    let sign = if draw.flag() { -1.0 } else { 1.0 };
    let dtype = draw.dtype("T");
    let sizes: &[f64] = match dtype {
        DType::Float16 | DType::Bfloat16 => &[1.0, 0.5, 3.0, 0.1],
        dtype if dtype.is_float() => &[1.0, 0.25, 3.0, 0.1, 1e-3, 1234.5, 1e6],
        DType::Int16 => &[1.0, 2.0, 3.0, 50.0, 700.0],
        _ => &[1.0, 2.0, 3.0, 50.0, 100_000.0],
    };
    (count, sign * draw.choose(sizes))
}

pub fn range(draw: &mut Draw) {
    let dtype = draw.dtype("T");
    let (count, delta) = steps(draw);
    let start = draw.range(-10..=10) as f64;
    let (start, part) = if dtype.is_float() {
        // The limit is well between the last element and the next one that would follow, so that rounding does not
        // decide how many elements there are.
        (start * delta.abs() / 4.0, draw.choose(&[0.5, 0.25, 0.75]))
    } else {
        let whole = delta.abs() as i64;
        (start, if whole > 1 { draw.range(0..=whole - 1) as f64 / whole as f64 } else { 0.0 })
    };
    let mut limit = if dtype.is_float() {
        start + (count as f64 - part) * delta
    } else {
        (start + (count as f64 - part) * delta).round()
    };
    if count == 0 {
        limit = start - delta * draw.range(0..=3) as f64;
    }
    if dtype == DType::Int64 && draw.once_in(8) {
        return near_the_end(draw);
    }
    if count == 0 {
        draw.feature("no element");
    }
    if delta < 0.0 {
        draw.feature("backwards");
    }
    give(draw, [start, limit, delta]);
    if draw.give_attribute("stash_type") {
        let stash = draw.choose(&[1, 11]);
        draw.int_attribute("stash_type", stash);
    }
}

/// Gives numbers that float64 cannot represent.
fn near_the_end(draw: &mut Draw) {
    draw.feature("numbers beyond float64");
    let start = i64::MAX - draw.range(10..=1000);
    let count = draw.range(1..=9);
    draw.int_scalar("start", start);
    draw.int_scalar("limit", start + count);
    draw.int_scalar("delta", 1);
}

/// Gives one of the inputs as a list of one element instead of a scalar.
pub fn inputs_are_scalars(draw: &mut Draw) {
    let dtype = draw.dtype("T");
    let spoilt = draw.way_of(&["start", "limit", "delta"]);
    for (name, value) in [("start", 1.0), ("limit", 5.0), ("delta", 2.0)] {
        let shape = if name == spoilt { vec![1] } else { vec![] };
        if dtype.is_float() {
            draw.input(name, Tensor::from_f64s(dtype, shape, &[value]).expect("a tensor of one element has one value"));
        } else {
            draw.int_tensor(name, shape, &[value as i64]);
        }
    }
}

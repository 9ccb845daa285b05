//! Draws positions inside of the input, around it, far outside, exactly at elements and halfway between them, with
//! all modes and paddings.

use crate::prelude::*;

/// Returns the names that a version has for its three modes.
fn modes(since: u32) -> [&'static str; 3] {
    if since < 20 { ["bilinear", "nearest", "bicubic"] } else { ["linear", "nearest", "cubic"] }
}

pub fn grid_sample(draw: &mut Draw) {
    let dtype = draw.dtype("T1");
    let averages = dtype.is_float() || dtype.is_integer();
    let names = modes(draw.since());
    let mode = if !averages {
        draw.string_attribute("mode", names[1]);
        names[1]
    } else if draw.give_attribute("mode") {
        let mode = draw.choose(&names);
        draw.string_attribute("mode", mode);
        mode
    } else {
        names[0]
    };
    draw.feature(match mode {
        "nearest" => "nearest elements",
        "bilinear" | "linear" => "linear interpolation",
        _ => "cubic interpolation",
    });
    if draw.give_attribute("padding_mode") {
        let padding = draw.choose(&["zeros", "border", "reflection"]);
        draw.string_attribute("padding_mode", padding);
    }
    if draw.give_attribute("align_corners") {
        let aligned = draw.flag();
        draw.int_attribute("align_corners", i64::from(aligned));
    }
    let axes = if draw.since() < 20 { 2 } else { draw.choose(&[2, 3, 1]) };
    let (batch, channels) = (draw.range(1..=2) as usize, draw.range(1..=2) as usize);
    let batch = draw.extent(batch, 64);
    let batch = if draw.once_in(24) { 0 } else { batch };
    if batch == 0 {
        draw.feature("no images");
    }
    let mut shape = vec![batch, channels];
    let mut out = vec![batch];
    for _ in 0..axes {
        shape.push(draw.choose(&[3, 4, 2, 5, 1]));
        out.push(draw.choose(&[2, 3, 1]));
    }
    draw.enlarge(&mut shape[1..], batch);
    // Each place of the output reads some elements of each channel.
    draw.enlarge(&mut out[1..], 4 * batch * shape[1]);
    out.push(axes);
    let values = match draw.below(6) {
        _ if mode == "nearest" => Values::Any,
        0..=2 => Values::Between(-10.0, 10.0),
        3 | 4 => Values::Integers,
        _ => Values::Any,
    };
    draw.tensor("X", &shape, values);
    positions(draw, &out);
}

/// Gives positions inside of the input, around it and far outside. Some are exactly at elements or halfway between
/// them.
fn positions(draw: &mut Draw, shape: &[usize]) {
    let dtype = draw.input_dtype("grid");
    let count = shape.iter().product();
    let kind = draw.below(8);
    if kind == 7 {
        draw.feature("positions that are no numbers");
    }
    let grid = match kind {
        0..=3 => draw.elements(dtype, shape, Values::Between(-1.2, 1.2)),
        4 => draw.elements(dtype, shape, Values::Between(-4.0, 4.0)),
        7 => draw.elements(dtype, shape, Values::Mostly(-1.0, 1.0)),
        _ => {
            let choices = draw.block(count, 17);
            let values: Vec<f64> = choices.into_iter().map(|c| c as f64 / 4.0 - 2.0).collect();
            Tensor::from_f64s(dtype, shape.to_vec(), &values)
                .expect("there are as many values as the shape has elements")
        }
    };
    draw.input("grid", grid);
}

/// Gives a tensor and a grid with these shapes.
fn plain(draw: &mut Draw, x: &[usize], grid: &[usize]) {
    draw.tensor("X", x, Values::Integers);
    draw.tensor("grid", grid, Values::Between(-1.0, 1.0));
}

pub fn ranks_equal(draw: &mut Draw) {
    draw.string_attribute("mode", "nearest");
    let (x, grid): (&[usize], &[usize]) =
        draw.way_of(&[(&[1, 1, 3, 2][..], &[1, 2, 2, 2, 2][..]), (&[1, 1, 3, 2], &[1, 2, 2]), (&[1, 1], &[1, 0])]);
    plain(draw, x, grid);
}

pub fn grid_shape_fits(draw: &mut Draw) {
    draw.string_attribute("mode", "nearest");
    let grid = draw.way_of(&[[2, 2, 2, 2], [1, 2, 2, 3], [1, 2, 2, 1]]);
    plain(draw, &[1, 1, 3, 2], &grid);
}

pub fn modes_known(draw: &mut Draw) {
    if draw.way(2) == 1 {
        draw.string_attribute("mode", "nearest");
        draw.string_attribute("padding_mode", "wrap");
    } else {
        let other = if draw.since() < 20 { "cubic" } else { "bicubic" };
        draw.string_attribute("mode", other);
    }
    plain(draw, &[1, 1, 3, 2], &[1, 2, 2, 2]);
}

//! Recipes for Resize.

use plumbline_tensor::{DType, Tensor};

use crate::draw::Draw;
use crate::values::Values;

/// The largest number of elements of an output, except in the larger cases.
const MOST: usize = 160;

/// Returns the largest number of elements of the output of this case.
fn most(draw: &Draw) -> usize {
    if draw.is_larger() { 1 << 13 } else { MOST }
}

/// Gives a 1-D input of floats; one in three is an initializer.
pub(super) fn floats(draw: &mut Draw, input: &str, values: &[f64]) {
    let dtype = draw.input_dtype(input);
    draw.input(input, Tensor::from_f64s(dtype, vec![values.len()], values).expect("as many values"));
    let constant = draw.once_in(3);
    if let Some(last) = draw.inputs.last_mut() {
        last.constant = constant;
    }
}

/// Returns whether elements of this type can be averaged.
pub(super) fn averages(dtype: DType) -> bool {
    dtype.is_float() || dtype.is_integer()
}

/// Gives the tensor to resize. If its elements are averaged, infinities and NaN are rare.
pub(super) fn data(draw: &mut Draw, shape: &[usize], nearest: bool) {
    let values = match draw.below(8) {
        _ if nearest => Values::Any,
        0..=2 => Values::Between(-10.0, 10.0),
        3..=5 => Values::Integers,
        6 => Values::Moderate,
        _ => Values::Any,
    };
    draw.tensor("X", shape, values);
}

/// Draws the extent that an axis of `from` elements is resized to. `others` is the product of the other extents of the
/// output.
fn extent(draw: &mut Draw, from: usize, others: usize, least: usize) -> usize {
    let most = (most(draw) / others.max(1)).clamp(least, (2 * from + 2).max(least));
    draw.range(least as i64..=most as i64) as usize
}

/// Draws a scale that resizes `from` elements to `to` elements: exactly, or with a fraction that is dropped.
pub(super) fn scale(draw: &mut Draw, from: usize, to: usize) -> f64 {
    let exact = to as f64 / from as f64;
    if exact == f64::from(exact as f32) && !draw.once_in(4) {
        return exact;
    }
    broken_scale(draw, from, to)
}

fn broken_scale(draw: &mut Draw, from: usize, to: usize) -> f64 {
    draw.feature("a scale that makes no whole extent");
    let part = draw.choose(&[0.5, 0.25, 0.75]);
    (to as f64 + part) / from as f64
}

/// Draws which axes are resized: the last two, or any of them.
fn resized(draw: &mut Draw, rank: usize) -> Vec<bool> {
    if draw.once_in(3) {
        draw.feature("any axis is resized");
        return (0..rank).map(|_| draw.flag()).collect();
    }
    (0..rank).map(|axis| axis + 2 >= rank).collect()
}

/// Draws the extents of the output. If `grows` is set, none is smaller than that of the input.
pub(super) fn targets(draw: &mut Draw, shape: &[usize], grows: bool) -> Vec<usize> {
    let which = resized(draw, shape.len());
    let mut target = shape.to_vec();
    for axis in (0..shape.len()).filter(|&a| which[a]) {
        let others = target.iter().enumerate().filter(|(a, _)| *a != axis).map(|(_, e)| e.max(&1)).product();
        target[axis] = extent(draw, shape[axis], others, if grows { shape[axis] } else { 1 });
    }
    target
}

/// Draws the shape of the input. Most runtimes resize only batches of images, so many shapes have rank 4.
pub(super) fn image(draw: &mut Draw) -> Vec<usize> {
    let mut shape = draw.full_shape(1..=4);
    while shape.len() < 4 && draw.flag() {
        shape.insert(0, 1);
    }
    while shape.iter().product::<usize>() > most(draw) {
        let at = shape.iter().position(|&e| e > 2).unwrap_or(0);
        shape[at] = 2;
    }
    shape
}

/// Gives a small batch of images.
pub(super) fn plain_image(draw: &mut Draw) -> Vec<usize> {
    let shape = vec![1, 2, 3, 2];
    draw.tensor("X", &shape, Values::Integers);
    shape
}

const TRANSFORMS: [&str; 5] = ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "tf_crop_and_resize"];

fn transform(draw: &mut Draw) -> &'static str {
    let mut all = TRANSFORMS.to_vec();
    match draw.since() {
        11 => all.push("tf_half_pixel_for_nn"),
        19.. => all.push("half_pixel_symmetric"),
        _ => {}
    }
    // Each type starts with another mode, so that all modes occur early.
    let first = draw.input_dtype("X").code() as usize % all.len();
    all.rotate_left(first);
    let Some(transform) = draw.turn_attribute("coordinate_transformation_mode", &all) else { return "half_pixel" };
    draw.string_attribute("coordinate_transformation_mode", transform);
    draw.feature(match transform {
        "half_pixel" => "half pixels",
        "asymmetric" => "asymmetric",
        "align_corners" => "aligned corners",
        "pytorch_half_pixel" => "half pixels as PyTorch has them",
        "tf_crop_and_resize" => "cropped",
        "tf_half_pixel_for_nn" => "half pixels without an offset",
        _ => "symmetric half pixels",
    });
    transform
}

/// Gives the attributes that control how elements are averaged. They have no effect for `nearest`.
fn averaging(draw: &mut Draw, nearest: bool) {
    if draw.give_attribute("cubic_coeff_a") {
        let a = draw.choose(&[-0.75, -0.5, -1.0, -0.6, 0.0]);
        draw.float_attribute("cubic_coeff_a", a);
    }
    for (name, feature) in [("exclude_outside", "outside is excluded"), ("antialias", "antialiased")] {
        if draw.give_attribute(name) {
            let on = !nearest && draw.flag();
            if on {
                draw.feature(feature);
            }
            draw.int_attribute(name, i64::from(on));
        }
    }
}

/// Changes some extents so that the coordinate transformation, or the rounding of positions, makes a difference: a
/// single element, for which PyTorch's half pixels differ from half pixels, or positions exactly between two elements.
fn telling(draw: &mut Draw, transform: &str, nearest: bool, shape: &[usize], target: &mut [usize]) {
    for axis in (0..shape.len()).filter(|&axis| target[axis] != shape[axis]).collect::<Vec<_>>() {
        let from = shape[axis];
        let to = match transform {
            "pytorch_half_pixel" if draw.flag() => 1,
            _ if !nearest || draw.once_in(4) => continue,
            "asymmetric" => 2 * from,
            "align_corners" if from > 1 => 2 * from - 1,
            "half_pixel" | "pytorch_half_pixel" if from.is_multiple_of(2) && from > 2 => from / 2,
            _ => continue,
        };
        let others: usize =
            target.iter().enumerate().filter(|(other, _)| *other != axis).map(|(_, e)| e.max(&1)).product();
        if to * others <= most(draw) {
            target[axis] = to;
            draw.feature(if to == 1 { "a single element as PyTorch has it" } else { "positions between two elements" });
        }
    }
}

pub fn resize(draw: &mut Draw) {
    let since = draw.since();
    let mut shape = image(draw);
    let dtype = draw.input_dtype("X");
    let modes: &[&str] = match (averages(dtype), since) {
        (false, _) => &["nearest"],
        (true, 10) => &["nearest", "linear"],
        (true, _) => &["nearest", "linear", "cubic"],
    };
    let mode = if draw.give_attribute("mode") {
        let mode = draw.choose(modes);
        draw.string_attribute("mode", mode);
        draw.feature(mode);
        mode
    } else {
        "nearest"
    };
    if shape.len() > 1 && draw.once_in(16) {
        draw.feature("empty extent");
        shape[0] = 0;
    }
    data(draw, &shape, mode == "nearest");
    let transform = if since == 10 { "asymmetric" } else { transform(draw) };
    let mut target = targets(draw, &shape, false);
    telling(draw, transform, mode == "nearest", &shape, &mut target);
    for (to, &from) in target.iter_mut().zip(&shape) {
        *to = if from == 0 { 0 } else { *to };
    }
    if since == 10 {
        let scales = scales(draw, &shape, &target, false);
        return floats(draw, "scales", &scales);
    }
    let mut modes = ["round_prefer_ceil", "floor", "ceil", "round_prefer_floor"];
    modes.rotate_left(dtype.code() as usize / 3 % 4);
    if let Some(nearest) = draw.turn_attribute("nearest_mode", &modes) {
        draw.string_attribute("nearest_mode", nearest);
    }
    averaging(draw, mode == "nearest");
    if draw.give_attribute("extrapolation_value") {
        let value = draw.choose(&[0.0, 1.0, 7.0, 12.5]);
        draw.float_attribute("extrapolation_value", if dtype.is_float() { value } else { value.floor() });
    }
    let axes = axes(draw, &shape, &mut target);
    let (from, to): (Vec<usize>, Vec<usize>) = axes.iter().map(|&a| (shape[a], target[a])).unzip();
    // `half_pixel_symmetric` differs from `half_pixel` only if the scales do not give whole extents.
    let symmetric = transform == "half_pixel_symmetric" && !draw.once_in(4);
    let by_scales = symmetric || draw.flag();
    give_regions(draw, axes.len(), transform == "tf_crop_and_resize", by_scales, dtype);
    if by_scales {
        let scales = scales(draw, &from, &to, symmetric);
        return floats(draw, "scales", &scales);
    }
    if since == 11 {
        floats(draw, "scales", &[]);
    }
    let mut sizes: Vec<i64> = to.iter().map(|&e| e as i64).collect();
    // With an aspect ratio policy all axes grow by the same scale, and one larger extent would make the output too
    // large.
    if !from.contains(&0) && !draw.is_larger() && draw.give_attribute("keep_aspect_ratio_policy") {
        sizes = keep_aspect_ratio(draw, &from, sizes);
    }
    draw.ints("sizes", &sizes);
}

fn scales(draw: &mut Draw, from: &[usize], to: &[usize], broken: bool) -> Vec<f64> {
    let mut scales = Vec::new();
    for (&from, &to) in from.iter().zip(to) {
        scales.push(match broken {
            _ if from == to || from == 0 => 1.0,
            true => broken_scale(draw, from, to),
            false => scale(draw, from, to),
        });
    }
    scales
}

/// Draws the axes that are resized, in any order. All other axes keep their extents.
fn axes(draw: &mut Draw, shape: &[usize], target: &mut [usize]) -> Vec<usize> {
    let all: Vec<usize> = (0..shape.len()).collect();
    if !draw.give_attribute("axes") {
        return all;
    }
    let mut left = all;
    let mut axes = Vec::new();
    for _ in 0..draw.range(1..=shape.len() as i64) {
        // The last axes are the simplest choice.
        let at = left.len() - 1 - draw.below(left.len());
        axes.push(left.remove(at));
    }
    if axes.windows(2).any(|w| w[0] > w[1]) {
        draw.feature("axes in another order");
    }
    for axis in left {
        target[axis] = shape[axis];
    }
    let rank = shape.len() as i64;
    let back: Vec<i64> = axes.iter().map(|&axis| if draw.flag() { axis as i64 - rank } else { axis as i64 }).collect();
    if back.iter().any(|&axis| axis < 0) {
        draw.feature("negative axis");
    }
    draw.ints_attribute("axes", &back);
    axes
}

/// Gives the regions of interest. If they have an effect (`count_for`), they are parts of the input, regions beyond it,
/// or all of it.
fn give_regions(draw: &mut Draw, count: usize, count_for: bool, by_scales: bool, dtype: DType) {
    if !count_for {
        if draw.give_input("roi") {
            let values = if draw.flag() { vec![0.25; 2 * count] } else { vec![] };
            floats(draw, "roi", &values);
        }
        return;
    }
    let (mut starts, mut ends) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let (mut start, mut end) = match draw.below(5) {
            0 => (0.0, 1.0),
            1 => (0.25, 0.75),
            2 => (0.4, 0.6),
            3 if averages(dtype) => {
                draw.feature("a region beyond the input");
                draw.choose(&[(-0.25, 0.75), (0.5, 1.5), (-0.5, 1.25)])
            }
            _ => {
                draw.feature("a region backwards");
                (0.75, 0.125)
            }
        };
        if by_scales {
            // A region as large as the input does not change the extents of the output.
            (start, end) =
                if averages(dtype) { draw.choose(&[(0.0, 1.0), (0.25, 1.25), (-0.5, 0.5)]) } else { (0.0, 1.0) };
        }
        starts.push(start);
        ends.push(end);
    }
    floats(draw, "roi", &[starts, ends].concat());
}

/// Draws sizes of which one decides the scale of all axes. No extent times that scale ends in a half.
fn keep_aspect_ratio(draw: &mut Draw, from: &[usize], sizes: Vec<i64>) -> Vec<i64> {
    let policy = draw.choose(&["stretch", "not_larger", "not_smaller"]);
    draw.string_attribute("keep_aspect_ratio_policy", policy);
    if policy == "stretch" {
        return sizes;
    }
    // The scale as the fraction `times / by`. The sizes of the other axes are larger than it for `not_larger` and
    // smaller for `not_smaller`, so that they do not decide.
    let (times, by) = draw.choose(&[(1, 1), (2, 1), (3, 2), (1, 2), (2, 3)]);
    draw.feature(if policy == "not_larger" { "not larger" } else { "not smaller" });
    let larger = policy == "not_larger";
    let halves = from.iter().any(|&f| (2 * f * times) % by == 0 && (2 * f * times / by) % 2 == 1);
    let (times, by) = if halves { (2, 1) } else { (times, by) };
    // One axis has a size with exactly this scale. If no axis can have one, the scale is 1.
    let exact = from.iter().position(|f| (f * times) % by == 0);
    let (times, by) = if exact.is_some() { (times, by) } else { (1, 1) };
    let exact = exact.unwrap_or(0);
    let size = |(axis, &f): (usize, &usize)| {
        let (low, high) = ((f * times / by) as i64, (f * times).div_ceil(by) as i64);
        match larger {
            _ if axis == exact => low,
            true => high + 1,
            false => (low - 1).max(1),
        }
    };
    from.iter().enumerate().map(size).collect()
}

//! Draws each mode, coordinate transformation and rounding, with scales or with sizes. Some extents are chosen so that
//! the transformations and roundings give different results.

use crate::families::resample;
use crate::prelude::*;

const TRANSFORMS: [&str; 5] = ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "tf_crop_and_resize"];

fn transform(draw: &mut Draw) -> &'static str {
    let mut all = TRANSFORMS.to_vec();
    match draw.since() {
        11 => all.push("tf_half_pixel_for_nn"),
        19.. => all.push("half_pixel_symmetric"),
        _ => {}
    }
    // The element type decides which transformation case 1 of a cell gets. So the first cases of all cells together
    // reach every transformation.
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

/// Changes some output extents so that the coordinate transformation, or the rounding of positions, makes a difference.
/// Some become 1, the only extent for which `pytorch_half_pixel` differs from `half_pixel`. Others give positions
/// exactly between two elements.
fn make_modes_differ(draw: &mut Draw, transform: &str, nearest: bool, shape: &[usize], target: &mut [usize]) {
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
        if to * others <= resample::most_elements(draw) {
            target[axis] = to;
            draw.feature(if to == 1 { "a single element as PyTorch has it" } else { "positions between two elements" });
        }
    }
}

pub fn resize(draw: &mut Draw) {
    let since = draw.since();
    let mut shape = resample::input_shape(draw);
    let dtype = draw.input_dtype("X");
    let modes: &[&str] = match (resample::can_be_averaged(dtype), since) {
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
    resample::input(draw, &shape, mode == "nearest");
    let transform = if since == 10 { "asymmetric" } else { transform(draw) };
    let mut target = resample::output_shape(draw, &shape, false);
    make_modes_differ(draw, transform, mode == "nearest", &shape, &mut target);
    for (to, &from) in target.iter_mut().zip(&shape) {
        *to = if from == 0 { 0 } else { *to };
    }
    if since == 10 {
        let scales = scales(draw, &shape, &target, false);
        return resample::float_list(draw, "scales", &scales);
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
        return resample::float_list(draw, "scales", &scales);
    }
    if since == 11 {
        resample::float_list(draw, "scales", &[]);
    }
    let mut sizes: Vec<i64> = to.iter().map(|&e| e as i64).collect();
    // With an aspect ratio policy all axes grow by the same scale. Cases whose extents may be larger than usual get no
    // policy, because their output would be too large.
    if !from.contains(&0) && !draw.is_larger() && draw.give_attribute("keep_aspect_ratio_policy") {
        sizes = keep_aspect_ratio(draw, &from, sizes);
    }
    draw.ints("sizes", &sizes);
}

fn scales(draw: &mut Draw, from: &[usize], to: &[usize], inexact: bool) -> Vec<f64> {
    let mut scales = Vec::new();
    for (&from, &to) in from.iter().zip(to) {
        scales.push(match inexact {
            _ if from == to || from == 0 => 1.0,
            true => resample::inexact_scale(draw, from, to),
            false => resample::scale(draw, from, to),
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
        // The simplest choice, 0, stands for the last axis.
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

/// Gives the regions of interest. If they have an effect (`cropped`), they are all of the input, a part of it, or a
/// part backwards. For types that can be averaged they may also reach beyond the input.
fn give_regions(draw: &mut Draw, count: usize, cropped: bool, by_scales: bool, dtype: DType) {
    if !cropped {
        if draw.give_input("roi") {
            let values = if draw.flag() { vec![0.25; 2 * count] } else { vec![] };
            resample::float_list(draw, "roi", &values);
        }
        return;
    }
    let (mut starts, mut ends) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let (mut start, mut end) = match draw.below(5) {
            0 => (0.0, 1.0),
            1 => (0.25, 0.75),
            2 => (0.4, 0.6),
            3 if resample::can_be_averaged(dtype) => draw.choose(&[(-0.25, 0.75), (0.5, 1.5), (-0.5, 1.25)]),
            _ => (0.75, 0.125),
        };
        if by_scales {
            // A region as large as the input does not change the extents of the output.
            (start, end) = if resample::can_be_averaged(dtype) {
                draw.choose(&[(0.0, 1.0), (0.25, 1.25), (-0.5, 0.5)])
            } else {
                (0.0, 1.0)
            };
        }
        if start < 0.0 || end > 1.0 {
            draw.feature("a region beyond the input");
        }
        if start > end {
            draw.feature("a region backwards");
        }
        starts.push(start);
        ends.push(end);
    }
    resample::float_list(draw, "roi", &[starts, ends].concat());
}

/// Gives the policy, and returns the sizes for it. Unless the policy is `stretch`, one of the sizes decides the scale
/// of all axes, and no extent times that scale ends in a half.
fn keep_aspect_ratio(draw: &mut Draw, from: &[usize], sizes: Vec<i64>) -> Vec<i64> {
    let policy = draw.choose(&["stretch", "not_larger", "not_smaller"]);
    draw.string_attribute("keep_aspect_ratio_policy", policy);
    if policy == "stretch" {
        return sizes;
    }
    // One axis, `exact`, decides the scale, which is the fraction `times / by`. The other axes get sizes that need a
    // larger scale for `not_larger` and a smaller one for `not_smaller`, so that they do not decide. But no size is
    // below 1, so an axis of extent 1 may decide after all.
    let (times, by) = draw.choose(&[(1, 1), (2, 1), (3, 2), (1, 2), (2, 3)]);
    draw.feature(if policy == "not_larger" { "not larger" } else { "not smaller" });
    let larger = policy == "not_larger";
    let halves = from.iter().any(|&f| (2 * f * times) % by == 0 && (2 * f * times / by) % 2 == 1);
    let (times, by) = if halves { (2, 1) } else { (times, by) };
    // The size of the axis `exact` is exactly its extent times the scale. If no such product is whole, the scale is 1.
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

/// Gives an image and what else Resize requires, except for the scales and sizes.
fn unsized_image(draw: &mut Draw) -> Vec<usize> {
    let shape = resample::small_image(draw);
    if draw.since() == 11 {
        resample::float_list(draw, "roi", &[]);
    }
    shape
}

/// Gives scales of 2, or the sizes that correspond to them.
fn doubled(draw: &mut Draw, by_scales: bool) {
    if by_scales || draw.since() == 10 {
        return resample::float_list(draw, "scales", &[1.0, 1.0, 2.0, 2.0]);
    }
    if draw.since() == 11 {
        resample::float_list(draw, "scales", &[]);
    }
    draw.ints("sizes", &[1, 2, 6, 4]);
}

pub fn scales_fit_axes(draw: &mut Draw) {
    unsized_image(draw);
    if draw.since() == 10 || draw.way(2) == 1 {
        let scales: &[f64] = if draw.way(2) == 1 { &[1.0, 2.0, 2.0] } else { &[1.0, 1.0, 1.0, 2.0, 2.0] };
        return resample::float_list(draw, "scales", scales);
    }
    if draw.since() == 11 {
        resample::float_list(draw, "scales", &[]);
    }
    let sizes: &[i64] = draw.way_of(&[&[1, 2, 6][..], &[1, 2, 6, 4, 1]]);
    draw.ints("sizes", sizes);
}

pub fn scales_in_range(draw: &mut Draw) {
    unsized_image(draw);
    let wrong = draw.way_of(&[0.0, -1.0]);
    if draw.since() == 10 || draw.way(2) == 1 {
        return resample::float_list(draw, "scales", &[1.0, 1.0, 2.0, wrong]);
    }
    if draw.since() == 11 {
        resample::float_list(draw, "scales", &[]);
    }
    let sizes = draw.way_of(&[[1, 2, -1, 4], [1, 2, 6, -1]]);
    draw.ints("sizes", &sizes);
}

/// Gives both scales and sizes, or neither.
pub fn scales_or_sizes_given(draw: &mut Draw) {
    unsized_image(draw);
    let both = draw.way(2) == 1;
    if both {
        resample::float_list(draw, "scales", &[1.0, 1.0, 2.0, 2.0]);
        draw.ints("sizes", &[1, 2, 6, 4]);
    } else if draw.since() == 11 {
        resample::float_list(draw, "scales", &[]);
    }
}

pub fn modes_known(draw: &mut Draw) {
    unsized_image(draw);
    let names: &[(&str, &str)] = match draw.since() {
        10 => &[("mode", "cubic"), ("mode", "area")],
        11 => {
            &[("mode", "area"), ("coordinate_transformation_mode", "half_pixel_symmetric"), ("nearest_mode", "round")]
        }
        13 => {
            &[("mode", "area"), ("coordinate_transformation_mode", "tf_half_pixel_for_nn"), ("nearest_mode", "round")]
        }
        _ => &[
            ("mode", "area"),
            ("coordinate_transformation_mode", "tf_half_pixel_for_nn"),
            ("nearest_mode", "round"),
            ("keep_aspect_ratio_policy", "keep"),
        ],
    };
    let (attribute, name) = draw.way_of(names);
    draw.string_attribute(attribute, name);
    doubled(draw, attribute != "keep_aspect_ratio_policy");
}

pub fn axes_in_range(draw: &mut Draw) {
    unsized_image(draw);
    let axis = draw.bad_axis(4, true);
    draw.ints_attribute("axes", &[axis]);
    resample::float_list(draw, "scales", &[2.0]);
}

/// Gives no region of interest, or one for too few axes.
pub fn roi_fits_axes(draw: &mut Draw) {
    resample::small_image(draw);
    draw.string_attribute("coordinate_transformation_mode", "tf_crop_and_resize");
    if draw.since() == 11 || draw.way(2) == 1 {
        let roi: &[f64] = if draw.way(2) == 1 { &[] } else { &[0.0, 0.0, 1.0, 1.0] };
        resample::float_list(draw, "roi", roi);
    }
    doubled(draw, true);
}

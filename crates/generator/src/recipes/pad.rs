//! Draws pads of each mode, longer than the axis now and then, and negative ones that leave at least one element.

use crate::prelude::*;

fn modes(since: u32) -> &'static [&'static str] {
    if since < 19 { &["constant", "reflect", "edge"] } else { &["constant", "reflect", "edge", "wrap"] }
}

/// Draws the pads at the beginning and the end of an axis with this extent.
fn ends(draw: &mut Draw, mode: &str, extent: i64) -> (i64, i64) {
    if draw.since() >= 2 && extent > 1 && draw.once_in(5) {
        // Something is cut off, and at least one element is left.
        draw.feature("negative pads");
        let cut = draw.range(1..=extent - 1);
        let left = extent - cut;
        let most = match mode {
            "reflect" => (left - 1).min(2),
            "wrap" => left.min(2),
            _ => 2,
        };
        let other = draw.range(-(left - 1)..=most);
        return if draw.flag() { (-cut, other) } else { (other, -cut) };
    }
    let most = match mode {
        "constant" | "edge" if extent > 0 || mode == "constant" => 3,
        _ if extent == 0 => 0,
        // The specification leaves open what a reflection beyond the extent does.
        "reflect" if !draw.once_in(8) => (extent - 1).min(3),
        "wrap" if !draw.once_in(6) => extent.min(3),
        _ => extent + 2,
    };
    let (begin, end) = (draw.range(0..=most), draw.range(0..=most));
    if mode == "reflect" && begin.max(end) > extent - 1 {
        draw.feature("reflected more than once");
    }
    if mode == "wrap" && begin.max(end) > extent {
        draw.feature("wrapped more than once");
    }
    (begin, end)
}

/// Notes features that depend on both ends of an axis, or on all axes.
fn note_pads(draw: &mut Draw, mode: &str, shape: &[usize], axes: &[usize], begins: &[i64], ends: &[i64]) {
    let sides = || axes.iter().zip(begins).zip(ends).map(|((&axis, &begin), &end)| (shape[axis] as i64, begin, end));
    if mode != "constant" && sides().any(|(_, begin, end)| begin.min(end) < 0 && begin.max(end) > 0) {
        draw.feature("cut at one end and padded at the other");
    }
    let is_empty = shape.contains(&0) || sides().any(|(extent, begin, end)| extent + begin + end == 0);
    if mode == "reflect" && !is_empty && sides().any(|(extent, begin, end)| begin.max(end) > extent - 1) {
        draw.feature("a wide reflection");
    }
}

/// Gives the pads: first those of all beginnings, then those of all ends.
fn give_pads(draw: &mut Draw, begins: &[i64], ends: &[i64]) {
    let pads = [begins, ends].concat();
    match draw.since() {
        1 => draw.ints_attribute("paddings", &pads),
        2..11 => draw.ints_attribute("pads", &pads),
        _ => draw.ints("pads", &pads),
    }
}

pub fn pad(draw: &mut Draw) {
    let since = draw.since();
    let shape = draw.shape(1..=4);
    draw.tensor("data", &shape, Values::Any);
    let mode = if draw.give_attribute("mode") {
        let mode = draw.choose(modes(since));
        draw.string_attribute("mode", mode);
        mode
    } else {
        "constant"
    };
    let mut axes: Vec<usize> = (0..shape.len()).collect();
    let mut written = None;
    if draw.give_input("axes") {
        let back;
        (axes, back) = draw.some_axes(shape.len());
        written = Some(back);
    }
    let (mut begins, mut ends_) = (Vec::new(), Vec::new());
    for &axis in &axes {
        let (begin, end) = if draw.flag() { ends(draw, mode, shape[axis] as i64) } else { (0, 0) };
        begins.push(begin);
        ends_.push(end);
    }
    note_pads(draw, mode, &shape, &axes, &begins, &ends_);
    give_pads(draw, &begins, &ends_);
    if draw.give_attribute("value") {
        // Float16 rounds 0.1, rounds -1e-7 to a subnormal number, and holds the other values exactly.
        let value = draw.choose(&[0.0, 1.5, -2.25, 0.1, -1e-7, 65504.0]);
        draw.float_attribute("value", value);
    }
    if draw.give_input("constant_value") {
        draw.tensor("constant_value", &[], Values::Any);
    }
    if let Some(written) = written {
        draw.ints("axes", &written);
    }
}

/// Gives the data. Returns its shape, and a pad of 1 for each axis.
fn unpadded(draw: &mut Draw) -> (Vec<usize>, Vec<i64>) {
    let shape = draw.full_shape(1..=3);
    draw.tensor("data", &shape, Values::Any);
    let pads = vec![1; shape.len()];
    (shape, pads)
}

/// Gives a list of pads that is too short or too long.
pub fn pads_fit_axes(draw: &mut Draw) {
    let (_, pads) = unpadded(draw);
    // The list of pads has one element too few, one too many, or two too many.
    match draw.way(3) {
        0 => give_pads(draw, &pads, &pads[1..]),
        1 => give_pads(draw, &[&pads[..], &[1]].concat(), &pads),
        _ => give_pads(draw, &[&pads[..], &[1]].concat(), &[&pads[..], &[1]].concat()),
    }
}

pub fn mode_known(draw: &mut Draw) {
    let (_, pads) = unpadded(draw);
    let mode = if draw.since() < 19 && draw.way(2) == 1 { "wrap" } else { "mirror" };
    draw.string_attribute("mode", mode);
    give_pads(draw, &pads, &pads);
}

pub fn axes_in_range(draw: &mut Draw) {
    let (shape, _) = unpadded(draw);
    give_pads(draw, &[1], &[1]);
    let axis = draw.bad_axis(shape.len(), true);
    draw.ints("axes", &[axis]);
}

/// Cuts off more elements than there are.
pub fn output_extents_non_negative(draw: &mut Draw) {
    let (shape, mut pads) = unpadded(draw);
    let axis = draw.way(shape.len());
    let none = vec![0; pads.len()];
    pads.fill(0);
    pads[axis] = draw.under(-(shape[axis] as i64));
    if draw.way(2) == 1 { give_pads(draw, &pads, &none) } else { give_pads(draw, &none, &pads) }
}

pub fn constant_value_is_scalar(draw: &mut Draw) {
    let (_, pads) = unpadded(draw);
    give_pads(draw, &pads, &pads);
    draw.tensor("constant_value", &[2], Values::Any);
}

pub fn axes_rank_one(draw: &mut Draw) {
    let _ = unpadded(draw);
    give_pads(draw, &[1], &[1]);
    let shape = draw.way_of(&[vec![], vec![1, 1]]);
    draw.int_tensor("axes", shape, &[0]);
}

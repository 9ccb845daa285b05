//! Draws bounds counted from either end, bounds beyond both ends, and bounds with nothing between them, with steps in
//! both directions, for axes in any order.

use crate::prelude::*;

/// The lists of one Slice; `None` if the list is left out.
#[derive(Default)]
struct Lists {
    starts: Vec<i64>,
    ends: Vec<i64>,
    axes: Option<Vec<i64>>,
    steps: Option<Vec<i64>>,
}

fn give(draw: &mut Draw, lists: &Lists) {
    let optional = [("axes", &lists.axes), ("steps", &lists.steps)];
    if draw.since() < 10 {
        draw.ints_attribute("starts", &lists.starts);
        draw.ints_attribute("ends", &lists.ends);
    } else {
        draw.ints("starts", &lists.starts);
        draw.ints("ends", &lists.ends);
    }
    for (name, list) in optional {
        match list {
            Some(list) if draw.since() < 10 => draw.ints_attribute(name, list),
            Some(list) => draw.ints(name, list),
            None => {}
        }
    }
}

/// Returns the smallest and the largest index that the type of the indices can hold.
fn extremes(draw: &mut Draw) -> (i64, i64) {
    if draw.since() >= 10 && draw.dtype("Tind") == DType::Int32 {
        (i64::from(i32::MIN), i64::from(i32::MAX))
    } else {
        (i64::MIN, i64::MAX)
    }
}

/// Returns an index as the case writes it; half of the indices count from the end.
fn index(draw: &mut Draw, at: i64, extent: i64) -> i64 {
    if at < extent && draw.flag() {
        draw.feature("negative index");
        return at - extent;
    }
    at
}

/// Draws the start and the end along an axis with this extent.
fn bounds(draw: &mut Draw, extent: i64, step: i64) -> (i64, i64) {
    let (min, max) = extremes(draw);
    match (draw.below(8), step > 0) {
        (4, true) => {
            draw.feature("to the end");
            let from = index(draw, 0, extent);
            (from, max)
        }
        (4, false) => {
            draw.feature("to the beginning");
            (max, min)
        }
        (5, forward) => {
            draw.feature("nothing between the bounds");
            if forward && draw.once_in(3) {
                return (max, min);
            }
            let (low, high) = (draw.range(0..=extent), draw.range(0..=extent));
            let (low, high) = (low.min(high), low.max(high));
            if forward { (high, low) } else { (low, high) }
        }
        (6, true) => {
            draw.feature("clamped bounds");
            let beyond = draw.range(1..=5);
            draw.choose(&[
                (-extent - beyond, extent + beyond),
                (min, max),
                (-extent - beyond, max),
                (min, extent + beyond),
            ])
        }
        (6, false) => {
            draw.feature("clamped bounds");
            let beyond = draw.range(1..=5);
            draw.choose(&[
                (extent + beyond, -extent - beyond),
                (max, min),
                (extent + beyond, min),
                (max, -extent - beyond),
            ])
        }
        (7, false) if draw.since() >= 13 => {
            draw.feature("start before the beginning, backwards");
            (-extent - draw.range(1..=5), min)
        }
        (_, true) => {
            let start = draw.range(0..=(extent - 1).max(0));
            let end = draw.range((start + 1).min(extent)..=extent);
            (index(draw, start, extent), index(draw, end, extent))
        }
        (_, false) => {
            let start = draw.range(0..=(extent - 1).max(0));
            let end = draw.range(-1..=(start - 1).max(-1));
            let end = if end < 0 { -extent - 1 } else { index(draw, end, extent) };
            (index(draw, start, extent), end)
        }
    }
}

fn step(draw: &mut Draw) -> i64 {
    let (min, max) = extremes(draw);
    match draw.below(8) {
        0..=3 => draw.range(1..=3),
        4 | 5 => -draw.range(1..=3),
        6 => draw.choose(&[100, -100]),
        _ => {
            draw.feature("extreme step");
            draw.choose(&[max, min])
        }
    }
}

pub fn slice(draw: &mut Draw) {
    let since = draw.since();
    let shape = draw.shape(1..=5);
    draw.tensor("data", &shape, Values::Any);
    let rank = shape.len();
    let mut lists = Lists::default();
    let axes_given = if since < 10 { draw.give_attribute("axes") } else { draw.give_input("axes") };
    let steps_given = since >= 10 && draw.give_input("steps");
    let mut axes: Vec<usize> = (0..rank).collect();
    if axes_given {
        // Some of the axes, in any order.
        let mut left = std::mem::take(&mut axes);
        for _ in 0..draw.range(1..=rank as i64) {
            let at = draw.below(left.len());
            axes.push(left.remove(at));
        }
        if axes.windows(2).any(|w| w[0] > w[1]) {
            draw.feature("axes in another order");
        }
        let written = axes.iter().map(|&axis| {
            let back = since >= 11 && draw.flag();
            if back { axis as i64 - rank as i64 } else { axis as i64 }
        });
        lists.axes = Some(written.collect());
        if lists.axes.iter().flatten().any(|&axis| axis < 0) {
            draw.feature("negative axis");
        }
    } else if since < 10 {
        axes.truncate(draw.range(1..=rank as i64) as usize);
    }
    let mut steps = Vec::new();
    for &axis in &axes {
        let step = if steps_given { step(draw) } else { 1 };
        let (start, end) = bounds(draw, shape[axis] as i64, step);
        lists.starts.push(start);
        lists.ends.push(end);
        steps.push(step);
    }
    if steps_given {
        lists.steps = Some(steps);
    }
    give(draw, &lists);
}

/// Gives the data, and returns its shape and the lists of a slice that takes everything. Each negative recipe makes one
/// of the lists invalid.
fn plain(draw: &mut Draw) -> (Vec<usize>, Lists) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("data", &shape, Values::Any);
    let axis = draw.below(shape.len());
    let lists = Lists { starts: vec![0], ends: vec![shape[axis] as i64], axes: Some(vec![axis as i64]), steps: None };
    (shape, lists)
}

pub fn axes_in_range(draw: &mut Draw) {
    let (shape, mut lists) = plain(draw);
    let axis = match draw.since() {
        11.. => draw.bad_axis(shape.len(), true),
        // Versions before 11 do not say that an axis may count from the back.
        _ if draw.once_in(8) => i64::MIN,
        _ => draw.above(shape.len() as i64 - 1),
    };
    lists.axes = Some(vec![axis]);
    give(draw, &lists);
}

/// Gives a list that is longer or shorter than the others.
pub fn lengths_equal(draw: &mut Draw) {
    let (_, mut lists) = plain(draw);
    match draw.way(if draw.since() < 10 { 2 } else { 3 }) {
        0 => lists.ends.push(1),
        1 => lists.axes = Some(vec![0, 0]),
        2 if draw.way(2) == 1 => lists.steps = Some(vec![]),
        _ => lists.steps = Some(vec![1, 1]),
    }
    give(draw, &lists);
}

pub fn steps_non_zero(draw: &mut Draw) {
    let (_, mut lists) = plain(draw);
    lists.steps = Some(vec![0]);
    give(draw, &lists);
}

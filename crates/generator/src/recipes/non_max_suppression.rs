//! Draws boxes, most of them on a grid of eighths. Some overlap by exactly `iou_threshold`, and some scores are equal
//! to `score_threshold` or to each other.

use crate::prelude::*;

fn floats(draw: &mut Draw, input: &str, shape: &[usize], values: &[f32]) {
    draw.input(
        input,
        Tensor::from_f32s(shape.to_vec(), values).expect("there are as many values as the shape has elements"),
    );
}

/// Overlap thresholds that boxes can meet exactly in float. A box and a copy with half the height overlap by 0.5, for
/// example, and boxes that only touch overlap by 0.
const EXACT: [f32; 5] = [0.5, 0.25, 0.75, 1.0, 0.0];

/// Draws boxes with positions and sizes on a grid of eighths, so that an overlap is hardly ever near a threshold that
/// is not in [`EXACT`]. Some boxes are the previous box moved by an eighth to a half. If the threshold is in [`EXACT`],
/// some boxes overlap the previous one by exactly the threshold; their heights may be off the grid.
fn boxes(draw: &mut Draw, batches: usize, count: usize, centred: bool, threshold: f32) -> Vec<f32> {
    let mut values = Vec::new();
    let mut before = None;
    // Far from the origin, a box that a backend reads with the wrong value of `center_point_box` overlaps most other
    // boxes, so that the selected boxes show the mistake.
    let from = draw.turn(&[0, -16, -4, -4]);
    for number in 0..batches * count {
        let place = |draw: &mut Draw| draw.range(from..=from + 12) as f32 / 8.0;
        let size = |draw: &mut Draw| draw.range(3..=9) as f32 / 8.0;
        let (mut y, mut x, mut height, mut width) = (place(draw), place(draw), size(draw), size(draw));
        // If the threshold can be met exactly, the second box of a batch always meets it. At most four boxes in a row
        // get their height from the threshold, so that nearly all coordinates stay exact.
        let exact =
            EXACT.contains(&threshold) && !(number % count).is_multiple_of(5) && (number % count == 1 || draw.flag());
        if let (true, Some(last)) = (exact, before) {
            draw.feature("an overlap at the threshold");
            (y, x, height, width) = last;
            if threshold == 0.0 {
                y += height;
            }
            height *= if threshold == 0.0 { 1.0 } else { threshold };
        } else if let (true, Some(last)) = (draw.flag(), before) {
            draw.feature("a box beside the one before");
            (y, x, height, width) = last;
            y += draw.range(1..=4) as f32 / 8.0;
        }
        before = Some((y, x, height, width));
        if centred {
            values.extend([x, y, width, height]);
            continue;
        }
        let mut corners = [y, x, y + height, x + width];
        if draw.once_in(4) {
            draw.feature("corners in another order");
            corners.swap(0, 2);
        }
        if draw.once_in(4) {
            corners.swap(1, 3);
        }
        values.extend(corners);
    }
    values
}

/// Draws thousands of boxes on a grid of eighths, and scores that all differ.
fn many_boxes(draw: &mut Draw) {
    let count = draw.many_boxes();
    let classes = draw.range(1..=2) as usize;
    let places = draw.block(4 * count, 1 << 16);
    let corners = places.chunks_exact(4).flat_map(|place| {
        let [y, x] = [place[0] % 800, place[1] % 800];
        [y, x, y + 3 + place[2] % 7, x + 3 + place[3] % 7].map(|eighths| eighths as f32 / 8.0)
    });
    let corners: Vec<f32> = corners.collect();
    floats(draw, "boxes", &[1, count, 4], &corners);
    let mut scores = Vec::new();
    for _ in 0..classes {
        let keys = draw.block(count, 1 << 40);
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&at| keys[at]);
        let first = scores.len();
        scores.resize(first + count, 0.0);
        order.into_iter().enumerate().for_each(|(rank, at)| scores[first + at] = (rank as f32 + 1.0) / 16.0);
    }
    floats(draw, "scores", &[1, classes, count], &scores);
    let most = draw.choose(&[20, 300, 1]);
    draw.int_scalar("max_output_boxes_per_class", most);
    let threshold = draw.choose(&[0.4567, 0.2345, 0.7891]);
    floats(draw, "iou_threshold", &[], &[threshold]);
}

pub fn non_max_suppression(draw: &mut Draw) {
    if draw.is_large() {
        return many_boxes(draw);
    }
    let (batches, classes) = (draw.range(1..=2) as usize, draw.range(1..=3) as usize);
    let count = draw.turn(&[5usize, 9, 7, 8, 6, 4, 3, 2, 1]);
    // Each box is compared with every other.
    draw.limit_extents(1025);
    let count = draw.extent(count, 4 * batches * classes);
    let count = if draw.once_in(24) { 0 } else { count };
    if count == 0 {
        draw.feature("no boxes");
    }
    if batches > 1 {
        draw.feature("several batches");
    }
    if classes > 1 {
        draw.feature("several classes");
    }
    let centred = draw.turn_attribute("center_point_box", &[1, 0, 1]);
    centred.into_iter().for_each(|centred| draw.int_attribute("center_point_box", centred));
    let centred = centred == Some(1);
    if centred {
        draw.feature("centres and sizes");
    }
    let threshold = draw.turn_or_none(&[0.75f32, 0.5, 0.25, 1.0, 0.4567, 0.2345, 0.7891, 0.0123]);
    let values = boxes(draw, batches, count, centred, threshold.unwrap_or(0.0));
    floats(draw, "boxes", &[batches, count, 4], &values);
    // The scores of a class are in any order. They all differ or, now and then, are equal in pairs.
    let ties = draw.once_in(8) && count > 1;
    if ties {
        draw.feature("equal scores");
    }
    let mut scores = Vec::new();
    for _ in 0..batches * classes {
        let mut left: Vec<usize> = (0..count).collect();
        for _ in 0..count {
            let at = draw.below(left.len());
            let place = left.remove(at);
            scores.push((if ties { place / 2 * 2 } else { place } as f32 + 1.0) / 16.0);
        }
    }
    floats(draw, "scores", &[batches, classes, count], &scores);
    let most = draw.give_input("max_output_boxes_per_class");
    // Without a limit nothing is selected, so most cases give one.
    if most || !draw.once_in(4) {
        // If boxes of equal score suppress others, their order may decide how many boxes are selected, unless the limit
        // is one box.
        let settled = !ties || count == 2 || threshold == Some(1.0);
        let most = draw.turn(if settled { &[20, 20, 20, 3, 1, 2, 0][..] } else { &[1, 1, 1, 1, 1, 1, 0] });
        draw.int_scalar("max_output_boxes_per_class", most);
    }
    if let Some(threshold) = threshold {
        floats(draw, "iou_threshold", &[], &[threshold]);
    }
    let Some(threshold) = draw.turn_or_none(&[Some(0.1), None, None, Some(-1.0), None, Some(0.3)]) else { return };
    // One of the five best scores of the first class, because a box with such a score is hardly ever suppressed.
    let threshold = threshold.unwrap_or_else(|| {
        let mut best = scores[..count].to_vec();
        best.sort_by(|a, b| b.total_cmp(a));
        // Without boxes, any threshold will do.
        if best.is_empty() { 0.5 } else { best[draw.below(count.min(5))] }
    });
    if scores.contains(&threshold) {
        draw.feature("a score at the threshold");
    }
    floats(draw, "score_threshold", &[], &[threshold]);
}

fn two_boxes(draw: &mut Draw) {
    floats(draw, "boxes", &[1, 2, 4], &[0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0]);
    floats(draw, "scores", &[1, 1, 2], &[0.5, 0.75]);
}

/// Gives boxes and scores for different numbers of boxes or batches, or boxes that do not have four numbers.
pub fn boxes_match_scores(draw: &mut Draw) {
    let shapes = [
        ([1, 2, 4], [1, 1, 3]),
        ([1, 2, 4], [2, 1, 2]),
        ([1, 2, 3], [1, 1, 2]),
        ([1, 2, 5], [1, 1, 2]),
        ([1, 2, 4], [1, 1, 1]),
        ([2, 2, 4], [1, 1, 2]),
    ];
    let (boxes, scores): ([usize; 3], [usize; 3]) = draw.way_of(&shapes);
    floats(draw, "boxes", &boxes, &vec![1.0; boxes.iter().product()]);
    floats(draw, "scores", &scores, &vec![0.5; scores.iter().product()]);
    draw.int_scalar("max_output_boxes_per_class", 2);
}

pub fn parameters_are_scalars(draw: &mut Draw) {
    two_boxes(draw);
    if draw.way(2) == 0 {
        return draw.ints("max_output_boxes_per_class", &[2, 2]);
    }
    draw.int_scalar("max_output_boxes_per_class", 2);
    let name = draw.way_of(&["iou_threshold", "score_threshold"]);
    if name == "score_threshold" {
        draw.omit("iou_threshold");
    }
    floats(draw, name, &[2], &[0.5, 0.5]);
}

pub fn iou_threshold_in_range(draw: &mut Draw) {
    two_boxes(draw);
    draw.int_scalar("max_output_boxes_per_class", 2);
    let threshold = draw.way_of(&[1.0078125, -0.0078125, 1.5]);
    floats(draw, "iou_threshold", &[], &[threshold]);
}

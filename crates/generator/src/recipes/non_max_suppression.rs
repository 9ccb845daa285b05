//! NonMaxSuppression.

use plumbline_tensor::Tensor;

use crate::draw::Draw;

fn floats(draw: &mut Draw, input: &str, shape: &[usize], values: &[f32]) {
    draw.input(input, Tensor::from_f32s(shape.to_vec(), values).expect("as many values as the shape says"));
}

/// Corners and sizes on a grid of eighths, on which overlaps hardly ever are near a threshold; or the box before, an eighth to a half further; or half of
/// the box before, whose overlap with it is exactly 0.5, where the threshold may be that.
fn boxes(draw: &mut Draw, count: usize, centred: bool, threshold: Option<f32>) -> Vec<f32> {
    let mut values = Vec::new();
    let mut before = None;
    for _ in 0..count {
        let place = |draw: &mut Draw| draw.range(-4..=8) as f32 / 8.0;
        let size = |draw: &mut Draw| draw.range(3..=9) as f32 / 8.0;
        let (mut y, mut x, mut height, mut width) = (place(draw), place(draw), size(draw), size(draw));
        let halves = threshold == Some(0.5) && draw.flag();
        if let (true, Some((last_y, last_x, last_height, last_width))) = (halves, before) {
            draw.feature("an overlap at the threshold");
            (y, x, height, width) = (last_y, last_x, last_height / 2.0, last_width);
            if centred {
                y -= height / 2.0;
            }
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

pub fn non_max_suppression(draw: &mut Draw) {
    let (batches, classes) = (draw.range(1..=2) as usize, draw.range(1..=3) as usize);
    let count = draw.range(1..=9) as usize;
    if batches > 1 {
        draw.feature("several batches");
    }
    if classes > 1 {
        draw.feature("several classes");
    }
    let centred = draw.give_attribute("center_point_box") && {
        let centred = !draw.once_in(3);
        draw.int_attribute("center_point_box", i64::from(centred));
        if centred {
            draw.feature("centres and sizes");
        }
        centred
    };
    // No quotient of few eighths, but for one half; the other is that of a box and itself.
    let threshold = draw.give_input("iou_threshold").then(|| draw.choose(&[0.4567f32, 0.5, 0.2345, 0.7891, 0.0123, 1.0]));
    let values = boxes(draw, batches * count, centred, threshold);
    floats(draw, "boxes", &[batches, count, 4], &values);
    // Scores that differ within a class, in any order.
    let mut scores = Vec::new();
    for _ in 0..batches * classes {
        let mut left: Vec<i64> = (0..count as i64).collect();
        for _ in 0..count {
            let at = draw.below(left.len());
            scores.push((left.remove(at) as f32 + 1.0) / 16.0);
        }
    }
    floats(draw, "scores", &[batches, classes, count], &scores);
    let most = draw.give_input("max_output_boxes_per_class");
    // Without a limit nothing is selected, whatever else there is.
    if most || !draw.once_in(4) {
        let most = draw.choose(&[20, 3, 1, 2, 20, 0]);
        draw.int_scalar("max_output_boxes_per_class", most);
    }
    if let Some(threshold) = threshold {
        floats(draw, "iou_threshold", &[], &[threshold]);
    }
    if draw.give_input("score_threshold") {
        let threshold = draw.choose(&[0.25, 0.1, 0.3, -1.0]);
        if threshold == 0.25 {
            draw.feature("a score at the threshold");
        }
        floats(draw, "score_threshold", &[], &[threshold]);
    }
}

fn two(draw: &mut Draw) {
    floats(draw, "boxes", &[1, 2, 4], &[0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0]);
    floats(draw, "scores", &[1, 1, 2], &[0.5, 0.75]);
}

/// Another number of boxes, of batches, or other boxes.
pub fn non_max_suppression_c1(draw: &mut Draw) {
    let shapes = [([1, 2, 4], [1, 1, 3]), ([1, 2, 4], [2, 1, 2]), ([1, 2, 3], [1, 1, 2])];
    let (boxes, scores): ([usize; 3], [usize; 3]) = draw.choose(&shapes);
    floats(draw, "boxes", &boxes, &vec![1.0; boxes.iter().product()]);
    floats(draw, "scores", &scores, &vec![0.5; scores.iter().product()]);
    draw.int_scalar("max_output_boxes_per_class", 2);
}

pub fn non_max_suppression_c2(draw: &mut Draw) {
    two(draw);
    draw.ints("max_output_boxes_per_class", &[2, 2]);
}

pub fn non_max_suppression_c3(draw: &mut Draw) {
    two(draw);
    draw.int_scalar("max_output_boxes_per_class", 2);
    let threshold = draw.choose(&[1.5, -0.5]);
    floats(draw, "iou_threshold", &[], &[threshold]);
}

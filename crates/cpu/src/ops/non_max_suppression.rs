//! NonMaxSuppression, which selects boxes that do not overlap too much.

use std::cmp::Ordering;

use plumbline_tensor::DType;

use super::normalization::wide;
use super::resize::floats;
use crate::array::Array;
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("NonMaxSuppression", non_max_suppression)];

/// A box: its lower and upper end along both axes.
type Rectangle = [[f64; 2]; 2];

/// Creates a box from two opposite corners, or from its centre and size.
fn rectangle(given: &[f64], centred: bool) -> Rectangle {
    let &[a, b, c, d] = given else { return Rectangle::default() };
    match centred {
        true => [[a - c / 2.0, a + c / 2.0], [b - d / 2.0, b + d / 2.0]],
        false => [[a.min(c), a.max(c)], [b.min(d), b.max(d)]],
    }
}

/// Returns the area of the intersection divided by the area of the union.
fn overlap(a: &Rectangle, b: &Rectangle) -> f64 {
    let area = |r: &Rectangle| (r[0][1] - r[0][0]) * (r[1][1] - r[1][0]);
    let along = |d: usize| (a[d][1].min(b[d][1]) - a[d][0].max(b[d][0])).max(0.0);
    let common = along(0) * along(1);
    let whole = area(a) + area(b) - common;
    if whole > 0.0 { common / whole } else { 0.0 }
}

/// Selects boxes by descending score, at most `most` of them. A box is kept if its score is at least `least` and its
/// overlap with every box that was kept before is at most `threshold`.
fn kept(boxes: &[Rectangle], scores: &[f64], (least, threshold): (f64, f64), most: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).filter(|&i| scores[i] >= least).collect();
    // The comparison with `least` has dropped NaN scores. Zeros of both signs are equal.
    order.sort_by(|&a, &b| scores[b].partial_cmp(&scores[a]).unwrap_or(Ordering::Equal));
    let mut kept: Vec<usize> = Vec::new();
    for i in order {
        if kept.len() >= most {
            break;
        }
        if kept.iter().all(|&other| overlap(&boxes[i], &boxes[other]) <= threshold) {
            kept.push(i);
        }
    }
    kept
}

/// Returns the only number of an input, or `None` if the input is left out.
fn number(node: &Node, at: usize) -> Result<Option<f64>, Refusal> {
    match node.optional(at)? {
        Some(array) if array.len() != 1 => {
            Err(Refusal::invalid(format!("input {at} has shape {:?}, expected one element", array.shape())))
        }
        Some(array) => Ok(Some(floats(array)?[0])),
        None => Ok(None),
    }
}

fn non_max_suppression(node: &Node) -> Outputs {
    let (boxes, scores) = (node.input(0)?, node.input(1)?);
    let wrong = || {
        Refusal::invalid(format!(
            "the shapes of `boxes` {:?} and `scores` {:?} do not fit together",
            boxes.shape(),
            scores.shape()
        ))
    };
    let (&[batches, count, 4], &[_, classes, _]) = (boxes.shape(), scores.shape()) else { return Err(wrong()) };
    if scores.shape() != [batches, classes, count] {
        return Err(wrong());
    }
    let most = number(node, 2)?.unwrap_or(0.0) as usize;
    let threshold = number(node, 3)?.unwrap_or(0.0);
    let least = number(node, 4)?.unwrap_or(f64::NEG_INFINITY);
    if !(0.0..=1.0).contains(&threshold) {
        return Err(Refusal::invalid(format!("`iou_threshold` is {threshold}, expected a number in [0, 1]")));
    }
    let centred = match node.int("center_point_box") {
        0 => false,
        1 => true,
        other => return Err(Refusal::invalid(format!("`center_point_box` is {other}, expected 0 or 1"))),
    };
    let (boxes, scores) = (wide(boxes)?, wide(scores)?);
    let boxes: Vec<Rectangle> = boxes.chunks(4).map(|given| rectangle(given, centred)).collect();
    let mut found: Vec<i64> = Vec::new();
    for (row, scores) in scores.chunks(count.max(1)).enumerate() {
        let (batch, class) = (row / classes, row % classes);
        let kept = kept(&boxes[batch * count..(batch + 1) * count], scores, (least, threshold), most);
        found.extend(kept.iter().flat_map(|&i| [batch as i64, class as i64, i as i64]));
    }
    one(Array::from_elements(DType::Int64, &[found.len() / 3, 3], &found)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_above_the_overlap_threshold_are_suppressed() {
        let given = [[0.0, 0.0, 2.0, 2.0], [2.0, 3.0, 0.0, 1.0], [5.0, 5.0, 6.0, 6.0]];
        let boxes = given.map(|corners| rectangle(&corners, false));
        assert!((overlap(&boxes[0], &boxes[1]) - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(boxes[0], rectangle(&[1.0, 1.0, 2.0, 2.0], true));
        let kept = |threshold, most| kept(&boxes, &[0.5, 0.9, 0.1], (0.1, threshold), most);
        assert_eq!(kept(0.5, 9), [1, 0, 2]);
        assert_eq!(kept(0.3, 9), [1, 2]);
        assert_eq!(kept(0.3, 1), [1]);
    }

    #[test]
    fn zeros_of_both_signs_are_equal_scores() {
        let boxes = [[0.0, 0.0, 1.0, 1.0], [2.0, 2.0, 3.0, 3.0]].map(|corners| rectangle(&corners, false));
        assert_eq!(kept(&boxes, &[-0.0, 0.0], (f64::NEG_INFINITY, 0.5), 9), [0, 1]);
    }
}

use std::cmp::Ordering;

use crate::prelude::*;
use crate::steps;

/// Selects boxes by descending score, and skips each box that overlaps a selected box of the same batch and class by
/// more than a threshold.
///
/// Versions 10 and 11 have the same meaning; version 11 describes it in more detail. Constraints: boxes fit the scores
/// (`boxes-match-scores`), each limit is one number (`parameters-are-scalars`), and the overlap threshold lies in [0,
/// 1] (`iou-threshold-in-range`).
///
/// An overlap that equals the threshold does not exceed it (`overlap-at-threshold`); the text of earlier releases does
/// not say so (`equal-overlap`). Equal scores: `ties`; rounding at the overlap threshold: `overlap-rounding`; NaN,
/// infinities and boxes without an area, such as those with a negative width or height: `degenerate-boxes`; scores
/// equal to the score threshold: `score-at-threshold`; a missing limit on the number of boxes, which selects none:
/// `default-max-boxes`. The rows come in any order: `row-order`.
///
/// Values of `center_point_box` other than 0 and 1: `other-flag-values`.
pub fn non_max_suppression(call: &Call) -> Answer {
    let (boxes, scores) = (call.tensor("boxes")?, call.tensor("scores")?);
    let (&[batches, count, 4], &[score_batches, classes, score_count]) = (boxes.shape(), scores.shape()) else {
        return Err(Refusal::violates(
            rule::BOXES_MATCH_SCORES,
            format!("the shapes of `boxes` {:?} and `scores` {:?} do not fit together", boxes.shape(), scores.shape()),
        ));
    };
    if batches != score_batches || count != score_count {
        return Err(Refusal::violates(
            rule::BOXES_MATCH_SCORES,
            format!("the shapes of `boxes` {:?} and `scores` {:?} do not fit together", boxes.shape(), scores.shape()),
        ));
    }
    let most = match call.optional_ints("max_output_boxes_per_class")?.as_deref() {
        None => 0,
        Some(&[most]) => usize::try_from(most).unwrap_or(0),
        Some(_) => {
            return Err(Refusal::violates(
                rule::PARAMETERS_ARE_SCALARS,
                "`max_output_boxes_per_class` does not have one element",
            ));
        }
    };
    let overlap = limit(call, "iou_threshold")?.unwrap_or(0.0);
    if !(0.0..=1.0).contains(&overlap) {
        return Err(Refusal::violates(
            rule::IOU_THRESHOLD_IN_RANGE,
            format!("`iou_threshold` is {overlap}, expected a number in [0, 1]"),
        ));
    }
    let equal = || call.follows(rule::EQUAL_OVERLAP) && call.reading(rule::EQUAL_OVERLAP, 2) == 1;
    let overlap = Threshold { overlap, equal: &equal };
    let least = limit(call, "score_threshold")?;
    if !boxes.is_certain() || !scores.is_certain() {
        return Err(Refusal::unsupported("the oracle accepts more than one value for a box or a score"));
    }
    let values = |t: &Expected| -> Vec<f32> { t.tensor.to_f64s().into_iter().map(|x| x as f32).collect() };
    let (boxes, scores) = (values(boxes), values(scores));
    if boxes.iter().chain(&scores).any(|x| !x.is_finite()) {
        return Err(Refusal::leaves_open(rule::DEGENERATE_BOXES, "a box or a score is not finite"));
    }
    let centred = call.flag("center_point_box");
    let corners: Vec<Corners> = boxes.chunks_exact(4).map(|b| Corners::new(b, centred)).collect();
    let mut rows = Vec::new();
    for lane in 0..batches * classes {
        let (batch, class) = (lane / classes, lane % classes);
        let scores = &scores[lane * count..(lane + 1) * count];
        let kept: Vec<usize> = (0..count).filter(|&i| least.is_none_or(|least| scores[i] >= least)).collect();
        let corners = &corners[batch * count..(batch + 1) * count];
        let mut order = kept;
        order.sort_by(|&a, &b| descending(scores[a], scores[b]));
        let chosen = greedy(&order, corners, overlap, most)?;
        // Selects again, with boxes of equal score in reverse order (`ties`).
        order.reverse();
        order.sort_by(|&a, &b| descending(scores[a], scores[b]));
        let others = greedy(&order, corners, overlap, most)?;
        if others.len() != chosen.len() {
            return Err(Refusal::leaves_open(
                rule::TIES,
                "the number of selected boxes depends on the order of boxes with equal scores",
            ));
        }
        for &place in &chosen {
            let int = |value: usize| Number::int(value as i128, DType::Int64);
            // A box that only one order selects may be replaced by any box that only the other order selects.
            let only_there = others.iter().filter(|&other| !others.contains(&place) && !chosen.contains(other));
            let place = only_there.fold(int(place), |place, &other| place.or(int(other), rule::TIES));
            rows.extend([int(batch), int(class), place]);
        }
    }
    let selected = Expected::from_numbers(DType::Int64, vec![rows.len() / 3, 3], rows)?;
    one(Expected { unordered: Some(Unordered::of_node(UnorderedParts::Rows, call.node())), ..selected })
}

/// Compares scores, none of which is NaN, for descending order. Zeros of both signs are equal.
fn descending(a: f32, b: f32) -> Ordering {
    b.partial_cmp(&a).unwrap_or(Ordering::Equal)
}

fn limit(call: &Call, name: &str) -> Result<Option<f32>, Refusal> {
    let Some(tensor) = call.optional_tensor(name)? else { return Ok(None) };
    if tensor.len() != 1 {
        return Err(Refusal::violates(rule::PARAMETERS_ARE_SCALARS, format!("`{name}` does not have one element")));
    }
    match tensor.is_certain() {
        true => Ok(Some(tensor.number(0).mid() as f32)),
        false => Err(Refusal::unsupported(format!(
            "input `{name}` decides what is computed, but the oracle accepts more than one value for it"
        ))),
    }
}

/// The overlap from which on a box is skipped.
#[derive(Clone, Copy)]
struct Threshold<'a> {
    overlap: f32,
    /// Returns whether an equal overlap is enough.
    equal: &'a dyn Fn() -> bool,
}

impl Threshold<'_> {
    fn is_passed<T: PartialOrd>(self, found: T, threshold: T) -> bool {
        found > threshold || found == threshold && (self.equal)()
    }
}

fn greedy(order: &[usize], corners: &[Corners], overlap: Threshold, most: usize) -> Result<Vec<usize>, Refusal> {
    let mut chosen: Vec<usize> = Vec::new();
    'boxes: for &candidate in order {
        if chosen.len() == most {
            break;
        }
        steps::take(chosen.len());
        for &taken in &chosen {
            if corners[taken].overlaps(&corners[candidate], overlap)? {
                continue 'boxes;
            }
        }
        chosen.push(candidate);
    }
    Ok(chosen)
}

/// Two opposite corners of a box, the one with the lower coordinates first.
#[derive(Clone, Copy, Debug)]
struct Corners {
    low: [f32; 2],
    high: [f32; 2],
    /// The same corners in float64.
    exact: [f64; 4],
}

impl Corners {
    fn new(values: &[f32], centred: bool) -> Corners {
        let [a, b, c, d] = [values[0], values[1], values[2], values[3]];
        let wide = |x: f32| f64::from(x);
        match centred {
            true => Corners {
                low: [a - c / 2.0, b - d / 2.0],
                high: [a + c / 2.0, b + d / 2.0],
                exact: [
                    wide(a) - wide(c) / 2.0,
                    wide(b) - wide(d) / 2.0,
                    wide(a) + wide(c) / 2.0,
                    wide(b) + wide(d) / 2.0,
                ],
            },
            false => {
                let (low, high) = ([a.min(c), b.min(d)], [a.max(c), b.max(d)]);
                Corners { low, high, exact: [wide(low[0]), wide(low[1]), wide(high[0]), wide(high[1])] }
            }
        }
    }

    /// Returns whether the intersection over the union is more than the threshold. Computes it in float and in double,
    /// with a division and without one. Refuses if the answers differ (`overlap-rounding`) or a box has no area
    /// (`degenerate-boxes`): the specification leaves these results open.
    fn overlaps(&self, other: &Corners, threshold: Threshold) -> Result<bool, Refusal> {
        let side = |d: usize| (self.high[d].min(other.high[d]) - self.low[d].max(other.low[d])).max(0.0);
        let area = |c: &Corners| (c.high[0] - c.low[0]) * (c.high[1] - c.low[1]);
        let (both, areas) = (side(0) * side(1), area(self) + area(other));
        let exact_side =
            |d: usize| (self.exact[2 + d].min(other.exact[2 + d]) - self.exact[d].max(other.exact[d])).max(0.0);
        let exact_area = |c: &Corners| (c.exact[2] - c.exact[0]) * (c.exact[3] - c.exact[1]);
        let exact = exact_side(0) * exact_side(1);
        let union = exact_area(self) + exact_area(other) - exact;
        let no_area = |c: &Corners| c.exact[2] <= c.exact[0] || c.exact[3] <= c.exact[1];
        if no_area(self) || no_area(other) {
            return Err(Refusal::leaves_open(rule::DEGENERATE_BOXES, "a box has no area"));
        }
        let (narrow, wide) = (threshold.overlap, f64::from(threshold.overlap));
        let ways = [
            threshold.is_passed(exact / union, wide),
            threshold.is_passed(exact, wide * union),
            threshold.is_passed(both / (areas - both), narrow),
            threshold.is_passed(both, narrow * (areas - both)),
        ];
        match ways.iter().all(|&way| way == ways[0]) {
            true => Ok(ways[0]),
            false => Err(Refusal::leaves_open(
                rule::OVERLAP_ROUNDING,
                "whether two boxes overlap by more than the threshold depends on rounding",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{answers_by, floats, run};
    use crate::{Allowed, Judged};
    use plumbline_spec::rule;
    use plumbline_tensor::Tensor;

    #[test]
    fn zeros_of_both_signs_are_equal_scores() {
        let boxes = floats(&[1, 2, 4], &[0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0]);
        let inputs = [boxes, floats(&[1, 1, 2], &[-0.0, 0.0]), Tensor::from_i64(1)];
        let y = &run("NonMaxSuppression", 11, &inputs, 1).expect("the node is valid")[0];
        assert_eq!(y.tensor.to_i64s(), Ok(vec![0, 0, 0]));
        let other = Tensor::from_i64s(&[0, 0, 1]);
        assert!(matches!(
            y.judge_at(2, &other, 2),
            Judged::Latitude(l) if l.label == rule::TIES && l.allowed == Allowed::int(1)
        ));
    }

    #[test]
    fn boxes_of_negative_width_and_height_have_no_area() {
        let boxes = floats(&[1, 2, 4], &[0.0, 0.0, -1.0, -1.0, 0.0, 0.0, 2.0, 2.0]);
        let inputs = [boxes, floats(&[1, 1, 2], &[0.5, 0.75]), Tensor::from_i64(2)];
        let refusal = run("NonMaxSuppression <center_point_box = 1>", 11, &inputs, 1).unwrap_err();
        assert_eq!(refusal.label, Some(rule::DEGENERATE_BOXES));
    }

    /// The intersection of the boxes is half of their union.
    #[test]
    fn older_texts_leave_an_overlap_that_equals_the_threshold_open() {
        let boxes = floats(&[1, 2, 4], &[0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 1.0, 1.0]);
        let scores = floats(&[1, 1, 2], &[0.75, 0.5]);
        let inputs = [boxes, scores, Tensor::from_i64(2), floats(&[], &[0.5])];
        let (one, both) = (vec![0.0, 0.0, 0.0], vec![0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(answers_by("1.20", "NonMaxSuppression", 11, &inputs), [both.clone(), both.clone(), one]);
        assert_eq!(answers_by("1.21", "NonMaxSuppression", 11, &inputs), [both]);
    }
}

//! Scores, labels and weights for NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss, which differ in the names of
//! their inputs and in an output.

use crate::prelude::*;

/// Returns the names that the operator has for its input, its labels and its weights.
fn names(draw: &Draw) -> [&'static str; 3] {
    match draw.version().id.name.as_str() {
        "SoftmaxCrossEntropyLoss" => ["scores", "labels", "weights"],
        _ => ["input", "target", "weight"],
    }
}

/// Draws the shape of the input; the second axis is that of the classes.
fn input_shape(draw: &mut Draw) -> Vec<usize> {
    let mut shape = draw.full_shape(2..=5);
    if shape[1] == 1 {
        shape[1] = 3;
    }
    shape
}

/// Returns the shape of the labels: the shape of the input without the class axis.
fn label_shape(shape: &[usize]) -> Vec<usize> {
    [&shape[..1], &shape[2..]].concat()
}

/// Draws the labels for an input of this shape. If `ignored` is given, about a third of the labels are that number.
fn labels(draw: &mut Draw, shape: &[usize], ignored: Option<i64>) -> Vec<i64> {
    let count: usize = label_shape(shape).iter().product();
    let classes = shape[1] as u64;
    let mut labels: Vec<i64> = draw.block(count, classes).into_iter().map(|c| c as i64).collect();
    if let Some(ignored) = ignored {
        let which = draw.block(labels.len(), 3);
        labels.iter_mut().zip(which).filter(|(_, which)| *which == 2).for_each(|(label, _)| *label = ignored);
        if !labels.is_empty() && labels.iter().all(|l| *l == ignored) {
            draw.feature("all labels ignored");
        } else if labels.contains(&ignored) {
            draw.feature("labels ignored");
        }
    }
    labels
}

/// Gives the attribute `reduction`, or leaves it out.
fn reduction(draw: &mut Draw) {
    if draw.give_attribute("reduction") {
        let value = draw.choose(&["mean", "sum", "none"]);
        draw.string_attribute("reduction", value);
    }
}

/// Gives the input with these values, the labels, and in some cases the weights.
pub fn loss(draw: &mut Draw, values: &[Values]) {
    let [input, target, weight] = names(draw);
    let mut shape = input_shape(draw);
    // Now and then the first or the last axis is empty, but never the class axis.
    let axis = draw.choose(&[0, shape.len() - 1]);
    if axis != 1 && draw.once_in(20) {
        shape[axis] = 0;
        draw.feature("empty extent");
    }
    let values = draw.choose(values);
    draw.tensor(input, &shape, values);
    let ignored = if draw.give_attribute("ignore_index") {
        let classes = shape[1] as i64;
        // The smallest and the largest label that the type of the labels can hold.
        let (least, most) = draw.input_dtype(target).integer_range().unwrap_or((0, 0));
        let value = draw.choose(&[0, -1, classes + 4, 1, least as i64, most as i64]);
        draw.int_attribute("ignore_index", value);
        Some(value)
    } else {
        None
    };
    let labels = labels(draw, &shape, ignored);
    draw.int_tensor(target, label_shape(&shape), &labels);
    if draw.give_input(weight) {
        draw.tensor(weight, &[shape[1]], Values::Between(0.25, 2.0));
    }
    reduction(draw);
}

/// Gives labels of another shape, or an input without a class axis.
pub fn label_shape_fits(draw: &mut Draw) {
    let [input, target, _] = names(draw);
    let shape = input_shape(draw);
    let mut wrong = label_shape(&shape);
    match draw.way(3) {
        0 => wrong = draw.other_shape(&wrong),
        1 => wrong.push(2),
        _ => {
            draw.tensor(input, &[3], Values::Moderate);
            return draw.int_tensor(target, vec![], &[0]);
        }
    }
    draw.tensor(input, &shape, Values::Moderate);
    let count: usize = wrong.iter().product();
    draw.int_tensor(target, wrong, &vec![0; count]);
}

/// Gives weights in another shape than a list with one weight for each class.
pub fn class_weights_fit(draw: &mut Draw) {
    let [input, target, weight] = names(draw);
    let shape = input_shape(draw);
    draw.tensor(input, &shape, Values::Moderate);
    let labels = labels(draw, &shape, None);
    draw.int_tensor(target, label_shape(&shape), &labels);
    let wrong =
        draw.way_of(&[vec![shape[1] + 1], vec![shape[1].saturating_sub(1)], vec![1, shape[1]], vec![shape[1], 1]]);
    draw.tensor(weight, &wrong, Values::Moderate);
}

/// Gives a label that is no class.
pub fn labels_in_range(draw: &mut Draw) {
    let [input, target, _] = names(draw);
    let shape = input_shape(draw);
    draw.tensor(input, &shape, Values::Moderate);
    let mut labels = labels(draw, &shape, None);
    let at = draw.way(labels.len());
    labels[at] = draw.beyond(0, shape[1] as i64 - 1);
    draw.int_tensor(target, label_shape(&shape), &labels);
}

/// Gives an unknown reduction.
pub fn reduction_known(draw: &mut Draw) {
    let [input, target, _] = names(draw);
    let shape = input_shape(draw);
    draw.tensor(input, &shape, Values::Moderate);
    let labels = labels(draw, &shape, None);
    draw.int_tensor(target, label_shape(&shape), &labels);
    let value = draw.way_of(&["average", "", "MEAN"]);
    draw.string_attribute("reduction", value);
}

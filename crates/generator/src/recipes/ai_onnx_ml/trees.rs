//! Recipes for TreeEnsembleClassifier and TreeEnsembleRegressor, and the parts that all tree ensembles share.

use plumbline_tensor::onnx::AttributeProto;
use plumbline_tensor::{DType, Tensor};

use crate::draw::Draw;
use crate::values::Values;

const MODES: [&str; 6] = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"];

/// The index of BRANCH_NEQ in the list of modes.
const NOT_EQUAL: usize = 5;

/// A node that is no leaf: the feature it compares, the mode of the comparison, the number it compares with, where
/// missing values go, and the nodes that its true and its false branch lead to.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    pub feature: usize,
    pub mode: usize,
    pub split: f32,
    pub tracks: bool,
    pub next: [usize; 2],
}

/// The nodes of a tree level by level, the root first. A leaf is `None`.
pub(super) type Tree = Vec<Option<Branch>>;

/// The modes in the order in which the roots of first trees take turns. Set membership, which only TreeEnsemble-5 has,
/// comes early.
const ROOTS: [usize; 7] = [0, 6, 1, 3, 2, 4, 5];

/// Draws one to three trees with at least `least` and at most four branching nodes each. `modes` is the number of modes
/// that the operator has.
pub(super) fn trees(draw: &mut Draw, features: usize, modes: usize, least: usize) -> Vec<Tree> {
    let count = draw.turn(&[1, 2, 3]);
    let roots: Vec<usize> = ROOTS.into_iter().filter(|&mode| mode < modes).collect();
    let root = draw.turn(&roots);
    let mut trees: Vec<Tree> = (0..count).map(|_| tree(draw, features, modes, least)).collect();
    if let Some(branch) = trees[0].first_mut().and_then(Option::as_mut) {
        branch.mode = root;
    }
    if trees.iter().flatten().flatten().any(|branch| branch.mode == NOT_EQUAL) {
        draw.feature("BRANCH_NEQ");
    }
    trees
}

fn tree(draw: &mut Draw, features: usize, modes: usize, least: usize) -> Tree {
    let leaf = least == 0 && draw.once_in(6);
    let mut left = if leaf { 0 } else { draw.range(1..=4) as usize };
    if left == 0 {
        draw.feature("tree of one leaf");
    }
    let splits = if draw.flag() { Values::Moderate } else { Values::Integers };
    let mut nodes: Tree = Vec::new();
    let mut count = 1;
    while nodes.len() < count {
        let last = nodes.len() + 1 == count;
        let branches = left > 0 && (last || draw.flag());
        nodes.push(branches.then(|| {
            left -= 1;
            count += 2;
            let split = draw.elements(DType::Float, &[], splits).f64_at(0) as f32;
            let (feature, mode) = (draw.below(features), draw.below(modes));
            Branch { feature, mode, split, tracks: draw.flag(), next: [count - 2, count - 1] }
        }));
    }
    nodes
}

/// A feature, and a number that a node compares it with.
pub(super) type Threshold = (usize, f64);

/// Returns the thresholds of the trees, in the order of their nodes.
pub(super) fn thresholds(trees: &[Tree]) -> Vec<Threshold> {
    trees.iter().flatten().flatten().map(|branch| (branch.feature, f64::from(branch.split))).collect()
}

/// Gives the examples. Up to half of their elements are equal to a threshold of the element's feature; the first
/// example is equal to the first threshold. Some elements are missing (NaN).
pub(super) fn examples(draw: &mut Draw, features: usize, thresholds: &[Threshold]) {
    let dtype = draw.input_dtype("X");
    let count = draw.turn(&[3, 4, 5, 2, 1, 0]);
    let count = draw.extent(count, 8);
    let values = draw.choose(&[Values::Integers, Values::Moderate, Values::Finite]);
    let x = draw.elements(dtype, &[count, features], values);
    let equal = draw.block(x.len(), 2 * thresholds.len() as u64);
    let missing = dtype.is_float() && draw.turn(&[false, true, true, false]);
    let missing = draw.block(if missing { x.len() } else { 0 }, 4);
    if !missing.is_empty() {
        draw.feature("missing value");
    }
    let mut on_threshold = false;
    let values: Vec<f64> = (0..x.len())
        .map(|i| {
            let threshold = thresholds.get(if i < features { 0 } else { equal[i] as usize });
            match threshold {
                // The last example misses features more often.
                _ if missing.get(i).is_some_and(|&m| m == 1 || m > 1 && i + features >= x.len()) => f64::NAN,
                Some(&(feature, at)) if feature == i % features => {
                    on_threshold = true;
                    at
                }
                _ => x.f64_at(i),
            }
        })
        .collect();
    if on_threshold {
        draw.feature("a feature at a threshold");
    }
    let x = match dtype.integer_range() {
        Some((low, high)) => {
            let whole: Vec<i128> = values.iter().map(|&v| (v as i128).clamp(low, high)).collect();
            Tensor::from_i128s(dtype, vec![count, features], &whole)
        }
        None => Tensor::from_f64s(dtype, vec![count, features], &values),
    };
    draw.input("X", x.expect("as many as before"));
}

/// Draws the weights of votes; small positive ones if they have to add up to probabilities.
pub(super) fn weights(draw: &mut Draw, dtype: DType, count: usize, probabilities: bool) -> Vec<f64> {
    let values = if probabilities { Values::Between(0.05, 0.25) } else { Values::Moderate };
    draw.elements(dtype, &[count], values).to_f64s()
}

/// Gives a list of floats, or the attribute with a tensor of doubles that can stand for it.
pub(super) fn reals(draw: &mut Draw, name: &str, values: &[f64], tensor: bool) {
    if tensor {
        let tensor = Tensor::from_f64s(DType::Double, vec![values.len()], values).expect("as many as there are");
        draw.tensor_attribute(&format!("{name}_as_tensor"), &tensor);
    } else {
        draw.floats_attribute(name, &values.iter().map(|&v| v as f32).collect::<Vec<_>>());
    }
}

/// Draws the name of a transform, or an empty name if the attribute is not given.
fn transform(draw: &mut Draw) -> &'static str {
    match draw.give_attribute("post_transform") {
        true => draw.choose(&["LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT", "NONE"]),
        false => "",
    }
}

/// Gives an ensemble in the format from before version 5.
fn legacy(draw: &mut Draw, prefix: &str, targets: usize, least: usize) {
    let features = draw.choose(&[2, 1, 3]);
    let tensors = draw.since() >= 3 && draw.input_dtype("X") == DType::Double && draw.flag();
    let trees = trees(draw, features, MODES.len(), least);
    examples(draw, features, &thresholds(&trees));
    // The node ids of a classifier need not restart for each tree.
    let goes_on = prefix == "class" && draw.once_in(3);
    if goes_on {
        draw.feature("ids that go on");
    }
    let mut lists: [Vec<i64>; 6] = Default::default();
    let (mut modes, mut values) = (Vec::new(), Vec::new());
    let (mut treeids, mut nodeids, mut ids) = (Vec::new(), Vec::new(), Vec::new());
    let mut start = 0;
    for (id, tree) in trees.iter().enumerate() {
        for (at, node) in tree.iter().enumerate() {
            let next = node.as_ref().map_or([0, 0], |b| b.next).map(|n| (start + n) as i64);
            let entry = [
                id as i64,
                (start + at) as i64,
                node.as_ref().map_or(0, |b| b.feature as i64),
                node.as_ref().map_or(0, |_| next[0]),
                node.as_ref().map_or(0, |_| next[1]),
                node.as_ref().map_or(0, |b| i64::from(b.tracks)),
            ];
            lists.iter_mut().zip(entry).for_each(|(list, value)| list.push(value));
            modes.push(node.as_ref().map_or("LEAF", |b| MODES[b.mode]).as_bytes().to_vec());
            values.push(node.as_ref().map_or(0.0, |b| f64::from(b.split)));
            if node.is_none() {
                let only = (targets > 1 && draw.flag()).then(|| draw.below(targets));
                if only.is_some() {
                    draw.feature("votes for one target only");
                }
                for target in (0..targets).filter(|t| only.is_none_or(|o| o == *t)) {
                    treeids.push(id as i64);
                    nodeids.push((start + at) as i64);
                    ids.push(target as i64);
                }
            }
        }
        start += if goes_on { tree.len() } else { 0 };
    }
    let names = ["treeids", "nodeids", "featureids", "truenodeids", "falsenodeids", "missing_value_tracks_true"];
    for (name, list) in names.iter().zip(&lists) {
        if *name != "missing_value_tracks_true" || draw.give() {
            draw.ints_attribute(&format!("nodes_{name}"), list);
        }
    }
    draw.strings_attribute("nodes_modes", &modes);
    reals(draw, "nodes_values", &values, tensors);
    if draw.give() {
        reals(draw, "nodes_hitrates", &vec![1.0; values.len()], tensors);
    }
    let transform = transform(draw);
    if !transform.is_empty() {
        draw.string_attribute("post_transform", transform);
        draw.feature(transform);
    }
    if targets == 1 {
        draw.feature("a single target");
    }
    if (0..targets as i64).any(|target| !ids.contains(&target)) {
        draw.feature("a target without a vote");
    }
    draw.ints_attribute(&format!("{prefix}_treeids"), &treeids);
    draw.ints_attribute(&format!("{prefix}_nodeids"), &nodeids);
    draw.ints_attribute(&format!("{prefix}_ids"), &ids);
    let dtype = if tensors { DType::Double } else { DType::Float };
    let votes = weights(draw, dtype, ids.len(), transform == "PROBIT");
    reals(draw, &format!("{prefix}_weights"), &votes, tensors);
    if draw.give() {
        draw.feature("base values");
        let base = weights(draw, dtype, targets, transform == "PROBIT");
        reals(draw, "base_values", &base, tensors);
    }
}

pub(super) fn regressor(draw: &mut Draw, least: usize) -> usize {
    let targets = draw.choose(&[1, 2, 3]);
    legacy(draw, "target", targets, least);
    draw.int_attribute("n_targets", targets as i64);
    targets
}

pub fn tree_ensemble_regressor(draw: &mut Draw) {
    regressor(draw, 0);
    if draw.give_attribute("aggregate_function") {
        let aggregate = draw.choose(&["AVERAGE", "MIN", "MAX", "SUM"]);
        draw.string_attribute("aggregate_function", aggregate);
    }
}

pub(super) fn classifier(draw: &mut Draw, least: usize) -> usize {
    let classes = draw.choose(&[3, 2, 4]);
    if classes == 2 {
        draw.feature("two classes");
    }
    legacy(draw, "class", classes, least);
    if draw.dtype("T2") == DType::String {
        let labels: Vec<Vec<u8>> = ["a", "é", "", "c c"][..classes].iter().map(|s| s.as_bytes().to_vec()).collect();
        draw.strings_attribute("classlabels_strings", &labels);
    } else {
        let labels = draw.choose(&[[3, -1, 0, 7], [i64::MIN, i64::MAX, 0, 1]]);
        draw.ints_attribute("classlabels_int64s", &labels[..classes]);
    }
    classes
}

pub fn tree_ensemble_classifier(draw: &mut Draw) {
    classifier(draw, 0);
}

/// Returns the attribute of this name, if it has been drawn.
pub(super) fn given<'d>(draw: &'d mut Draw, name: &str) -> Option<&'d mut AttributeProto> {
    draw.attributes.iter_mut().find(|a| a.name.as_deref() == Some(name))
}

/// Sets one element in a list of integers.
pub(super) fn put(draw: &mut Draw, name: &str, at: usize, value: i64) {
    if let Some(slot) = given(draw, name).and_then(|a| a.ints.get_mut(at)) {
        *slot = value;
    }
}

/// Gives a number of targets below 1.
pub(super) fn no_targets(draw: &mut Draw) {
    let targets = draw.under(1);
    draw.attributes.retain(|a| a.name.as_deref() != Some("n_targets"));
    draw.int_attribute("n_targets", targets);
}

/// Makes a list of integers longer or shorter by one element.
pub(super) fn lengthen(draw: &mut Draw, name: &str) {
    let shorter = draw.way(2) == 1;
    if let Some(attribute) = given(draw, name) {
        match shorter {
            true => drop(attribute.ints.pop()),
            false => attribute.ints.push(0),
        }
    }
}

/// Returns the length of a list of integers.
pub(super) fn length(draw: &mut Draw, name: &str) -> i64 {
    given(draw, name).map_or(0, |attribute| attribute.ints.len() as i64)
}

/// Replaces the input by one of rank 3, 1 or 0.
pub(super) fn other_rank(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![2, 3, 1], vec![3], vec![]]);
    let dtype = draw.input_dtype("X");
    let x = draw.elements(dtype, &shape, Values::Integers);
    draw.replace_last_input(x);
}

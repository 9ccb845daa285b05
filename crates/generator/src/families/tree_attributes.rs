//! Tree ensembles as TreeEnsembleClassifier and TreeEnsembleRegressor take them: as attributes that are lists with one
//! element for each node or vote.

use plumbline_tensor::onnx::AttributeProto;

use crate::families::trees;
use crate::prelude::*;

/// The modes of comparison by their numbers in TreeEnsemble-5.
const MODES: [&str; 6] = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"];

/// Gives these values as a list of floats in the attribute `name`, or as a tensor of doubles in `{name}_as_tensor`.
fn float_list(draw: &mut Draw, name: &str, values: &[f64], tensor: bool) {
    if tensor {
        let tensor = Tensor::from_f64s(DType::Double, vec![values.len()], values)
            .expect("there are as many values as the shape has elements");
        draw.tensor_attribute(&format!("{name}_as_tensor"), &tensor);
    } else {
        draw.floats_attribute(name, &values.iter().map(|&v| v as f32).collect::<Vec<_>>());
    }
}

/// Draws the name of a transform, or an empty name if the attribute is not given.
fn post_transform(draw: &mut Draw) -> &'static str {
    match draw.give_attribute("post_transform") {
        true => draw.choose(&["LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT", "NONE"]),
        false => "",
    }
}

/// Gives an ensemble in the format of TreeEnsembleClassifier and TreeEnsembleRegressor.
fn ensemble(draw: &mut Draw, prefix: &str, targets: usize, least: usize) {
    let features = draw.choose(&[2, 1, 3]);
    let tensors = draw.since() >= 3 && draw.input_dtype("X") == DType::Double && draw.flag();
    let trees = trees::trees(draw, features, MODES.len(), least);
    trees::examples(draw, features, &trees::thresholds(&trees));
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
    float_list(draw, "nodes_values", &values, tensors);
    if draw.give() {
        float_list(draw, "nodes_hitrates", &vec![1.0; values.len()], tensors);
    }
    let transform = post_transform(draw);
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
    let votes = trees::weights(draw, dtype, ids.len(), transform == "PROBIT");
    float_list(draw, &format!("{prefix}_weights"), &votes, tensors);
    if draw.give() {
        draw.feature("base values");
        let base = trees::weights(draw, dtype, targets, transform == "PROBIT");
        float_list(draw, "base_values", &base, tensors);
    }
}

/// Gives an ensemble with one to three targets, and with at least `least` branching nodes in each tree. Returns the
/// number of targets.
pub fn regressor(draw: &mut Draw, least: usize) -> usize {
    let targets = draw.choose(&[1, 2, 3]);
    ensemble(draw, "target", targets, least);
    draw.int_attribute("n_targets", targets as i64);
    targets
}

/// Gives an ensemble that votes for two to four classes, with at least `least` branching nodes in each tree. Returns
/// the number of classes.
pub fn classifier(draw: &mut Draw, least: usize) -> usize {
    let classes = draw.choose(&[3, 2, 4]);
    if classes == 2 {
        draw.feature("two classes");
    }
    ensemble(draw, "class", classes, least);
    if draw.dtype("T2") == DType::String {
        let labels: Vec<Vec<u8>> = ["a", "é", "", "c c"][..classes].iter().map(|s| s.as_bytes().to_vec()).collect();
        draw.strings_attribute("classlabels_strings", &labels);
    } else {
        let labels = draw.choose(&[[3, -1, 0, 7], [i64::MIN, i64::MAX, 0, 1]]);
        draw.ints_attribute("classlabels_int64s", &labels[..classes]);
    }
    classes
}

/// Gives a valid ensemble with branching nodes, and returns the prefix of the attributes with its votes.
fn valid_ensemble(draw: &mut Draw) -> &'static str {
    if draw.has_attribute("n_targets") {
        regressor(draw, 1);
        return "target";
    }
    classifier(draw, 1);
    "class"
}

/// Returns the number of targets or classes.
fn vote_count(draw: &mut Draw, prefix: &str) -> i64 {
    if prefix == "target" {
        return trees::drawn_attribute(draw, "n_targets").and_then(|a| a.i).unwrap_or(1);
    }
    let count = |list: &AttributeProto| list.ints.len().max(list.strings.len()) as i64;
    ["classlabels_int64s", "classlabels_strings"]
        .iter()
        .find_map(|name| trees::drawn_attribute(draw, name).map(|a| count(a)))
        .unwrap_or(1)
}

/// Gives an input that is no matrix.
pub fn rank_two(draw: &mut Draw) {
    valid_ensemble(draw);
    trees::wrong_rank(draw);
}

/// Gives lists of nodes that differ in length.
pub fn node_lists_equal_length(draw: &mut Draw) {
    valid_ensemble(draw);
    let list = draw.way_of(&["nodes_truenodeids", "nodes_featureids", "nodes_nodeids"]);
    trees::change_length(draw, list);
}

/// Gives lists of votes that differ in length.
pub fn vote_lists_equal_length(draw: &mut Draw) {
    let prefix = valid_ensemble(draw);
    trees::change_length(draw, &format!("{prefix}_ids"));
}

/// Gives a branch to a node that does not exist, or a vote that names a tree or a node that does not exist.
pub fn branches_form_trees(draw: &mut Draw) {
    let prefix = valid_ensemble(draw);
    // The largest node id of all trees.
    let last = trees::drawn_attribute(draw, "nodes_nodeids").and_then(|a| a.ints.iter().copied().max()).unwrap_or(0);
    match draw.way(4) {
        0 => {
            let node = draw.beyond(0, last);
            trees::set_int(draw, "nodes_truenodeids", 0, node);
        }
        1 => {
            let node = draw.beyond(0, last);
            trees::set_int(draw, "nodes_falsenodeids", 0, node);
        }
        2 => {
            let tree = draw.way_of(&[-1, i64::MAX, i64::MIN]);
            trees::set_int(draw, &format!("{prefix}_treeids"), 0, tree);
        }
        _ => {
            let node = draw.beyond(0, last);
            trees::set_int(draw, &format!("{prefix}_nodeids"), 0, node);
        }
    }
}

/// Gives a node that compares a feature which the examples do not have.
pub fn features_in_range(draw: &mut Draw) {
    valid_ensemble(draw);
    let feature = draw.beyond(0, 2);
    trees::set_int(draw, "nodes_featureids", 0, feature);
}

/// Gives an unknown mode.
pub fn node_modes_known(draw: &mut Draw) {
    valid_ensemble(draw);
    let mode = draw.way_of(&["BRANCH_MEMBER", "LEQ", ""]);
    if let Some(slot) = trees::drawn_attribute(draw, "nodes_modes").and_then(|a| a.strings.first_mut()) {
        *slot = mode.as_bytes().to_vec();
    }
}

/// Gives a vote for a target or class that does not exist, or, to a regressor, a number of targets below 1.
pub fn votes_in_range(draw: &mut Draw) {
    let prefix = valid_ensemble(draw);
    if prefix == "target" && draw.way(3) == 2 {
        return trees::too_few_targets(draw);
    }
    let last = vote_count(draw, prefix) - 1;
    let target = draw.beyond(0, last);
    trees::set_int(draw, &format!("{prefix}_ids"), 0, target);
}

/// Gives another number of base values than there are targets or classes.
pub fn base_values_fit(draw: &mut Draw) {
    let prefix = valid_ensemble(draw);
    draw.attributes.retain(|a| !a.name.as_deref().is_some_and(|n| n.starts_with("base_values")));
    let count = vote_count(draw, prefix).max(1) as usize;
    let count = draw.other_extent(count);
    draw.floats_attribute("base_values", &vec![0.5; count]);
}

/// Gives the base values as a list of floats and as a tensor of doubles.
pub fn floats_or_doubles_given(draw: &mut Draw) {
    valid_ensemble(draw);
    draw.attributes.retain(|a| !a.name.as_deref().is_some_and(|n| n.starts_with("base_values")));
    float_list(draw, "base_values", &[0.5], false);
    float_list(draw, "base_values", &[0.5], true);
}

/// Gives an unknown `post_transform`.
pub fn post_transform_known(draw: &mut Draw) {
    valid_ensemble(draw);
    draw.attributes.retain(|a| a.name.as_deref() != Some("post_transform"));
    draw.string_attribute("post_transform", "SOFTPLUS");
}

//! Draws one to three trees with each mode of comparison and with set membership, and examples that often equal a
//! threshold or a member of a set.

use crate::families::trees;
use crate::prelude::*;

/// The number of the mode BRANCH_MEMBER.
const MEMBER: usize = 6;

/// The attributes of an ensemble, in which nodes and leaves have lists of their own.
#[derive(Default)]
struct Lists {
    roots: Vec<i64>,
    features: Vec<i64>,
    modes: Vec<i128>,
    splits: Vec<f64>,
    tracks: Vec<i64>,
    /// For the true branch and for the false branch of each node: the index that it leads to (`next`), and whether that
    /// is the index of a leaf (`is_leaf`).
    next: [Vec<i64>; 2],
    is_leaf: [Vec<i64>; 2],
    sets: Vec<f64>,
    members: Vec<trees::Threshold>,
    leaves: usize,
}

impl Lists {
    fn push(&mut self, draw: &mut Draw, tree: &trees::Tree) {
        let start = self.modes.len();
        self.roots.push(start as i64);
        // The index of each node in the list of nodes, or of each leaf in the list of leaves.
        let (mut places, mut branches, mut leaves) = (Vec::new(), start, self.leaves);
        for node in tree {
            let counter = if node.is_some() { &mut branches } else { &mut leaves };
            places.push(*counter as i64);
            *counter += 1;
        }
        self.leaves = leaves;
        for branch in tree.iter().flatten() {
            self.features.push(branch.feature as i64);
            self.modes.push(branch.mode as i128);
            self.splits.push(f64::from(branch.split));
            self.tracks.push(i64::from(branch.tracks));
            for (way, &next) in branch.next.iter().enumerate() {
                self.next[way].push(places[next]);
                self.is_leaf[way].push(i64::from(tree[next].is_none()));
            }
            if places[branch.next[0]] == places[branch.next[1]] {
                draw.feature("a node and a leaf of the same number");
            }
            if tree[branch.next[0]].is_none() && tree[branch.next[1]].is_some() {
                draw.feature("a leaf on the true side only");
            }
            if branch.mode == MEMBER {
                draw.feature("set membership");
                let count = draw.choose(&[1, 2, 3]);
                let members = draw.elements(DType::Float, &[count], Values::Integers).to_f64s();
                self.members.extend(members.iter().map(|&member| (branch.feature, member)));
                self.sets.extend(members);
                self.sets.push(f64::NAN);
            }
        }
        if branches == start {
            // A tree of one leaf is written as a node with both branches leading to that leaf.
            self.features.push(0);
            self.modes.push(0);
            self.splits.push(0.0);
            self.tracks.push(0);
            for way in 0..2 {
                self.next[way].push(places[0]);
                self.is_leaf[way].push(1);
            }
        }
    }
}

/// Gives an ensemble with at least `least` nodes in each tree besides the leaves. Returns the number of its targets.
fn ensemble(draw: &mut Draw, least: usize) -> usize {
    let dtype = draw.dtype("T");
    let features = draw.choose(&[2, 1, 3]);
    let trees = trees::trees(draw, features, MEMBER + 1, least);
    let mut lists = Lists::default();
    trees.iter().for_each(|tree| lists.push(draw, tree));
    // The first example is equal to the first threshold. If the root of the first tree tests set membership, the
    // members of the sets come first, so that this example has a member of that set.
    let mut thresholds = trees::thresholds(&trees);
    let at = if lists.modes[0] == MEMBER as i128 { 0 } else { thresholds.len() };
    thresholds.splice(at..at, lists.members.iter().copied());
    trees::examples(draw, features, &thresholds);
    let targets = draw.choose(&[1, 2, 3]);
    let tensor = |values: &[f64]| {
        Tensor::from_f64s(dtype, vec![values.len()], values)
            .expect("there are as many values as the shape has elements")
    };
    draw.ints_attribute("tree_roots", &lists.roots);
    draw.ints_attribute("nodes_featureids", &lists.features);
    let modes = Tensor::from_i128s(DType::Uint8, vec![lists.modes.len()], &lists.modes)
        .expect("there are as many values as the shape has elements");
    draw.tensor_attribute("nodes_modes", &modes);
    draw.tensor_attribute("nodes_splits", &tensor(&lists.splits));
    draw.ints_attribute("nodes_truenodeids", &lists.next[0]);
    draw.ints_attribute("nodes_falsenodeids", &lists.next[1]);
    draw.ints_attribute("nodes_trueleafs", &lists.is_leaf[0]);
    draw.ints_attribute("nodes_falseleafs", &lists.is_leaf[1]);
    if draw.give_attribute("nodes_missing_value_tracks_true") {
        draw.ints_attribute("nodes_missing_value_tracks_true", &lists.tracks);
    }
    if draw.give_attribute("nodes_hitrates") {
        let rates = Tensor::from_f32s(vec![lists.modes.len()], &vec![1.0; lists.modes.len()]);
        draw.tensor_attribute("nodes_hitrates", &rates.expect("there are as many values as the shape has elements"));
    }
    if !lists.sets.is_empty() {
        draw.tensor_attribute("membership_values", &tensor(&lists.sets));
    }
    let mut probabilities = false;
    if draw.give_attribute("post_transform") {
        let transform = draw.choose(&[2, 1, 3, 4, 0]);
        draw.int_attribute("post_transform", transform);
        draw.feature(["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"][transform as usize]);
        probabilities = transform == 4;
    }
    if draw.give_attribute("aggregate_function") {
        let aggregate = draw.choose(&[0, 2, 3, 1]);
        draw.int_attribute("aggregate_function", aggregate);
    }
    let votes = trees::weights(draw, dtype, lists.leaves, probabilities);
    draw.tensor_attribute("leaf_weights", &tensor(&votes));
    let ids: Vec<i64> = draw.block(lists.leaves, targets as u64).into_iter().map(|t| t as i64).collect();
    draw.ints_attribute("leaf_targetids", &ids);
    if targets == 1 {
        draw.feature("a single target");
    }
    draw.int_attribute("n_targets", targets as i64);
    targets
}

pub fn tree_ensemble(draw: &mut Draw) {
    ensemble(draw, 0);
}

pub fn rank_two(draw: &mut Draw) {
    ensemble(draw, 1);
    trees::wrong_rank(draw);
}

pub fn node_lists_equal_length(draw: &mut Draw) {
    ensemble(draw, 1);
    let list = draw.way_of(&["nodes_featureids", "nodes_truenodeids", "nodes_falseleafs"]);
    trees::change_length(draw, list);
}

pub fn vote_lists_equal_length(draw: &mut Draw) {
    ensemble(draw, 1);
    trees::change_length(draw, "leaf_targetids");
}

pub fn tensor_types_fit(draw: &mut Draw) {
    ensemble(draw, 1);
    let name = draw.way_of(&["leaf_weights", "nodes_splits"]);
    let other = if draw.dtype("T") == DType::Double { DType::Float } else { DType::Double };
    let count = trees::drawn_attribute(draw, name)
        .and_then(|a| a.t.as_ref())
        .and_then(|t| t.dims.first().copied())
        .unwrap_or(1);
    draw.attributes.retain(|a| a.name.as_deref() != Some(name));
    let tensor = Tensor::from_f64s(other, vec![count as usize], &vec![1.0; count as usize]);
    draw.tensor_attribute(name, &tensor.expect("the number of elements stays the same"));
}

pub fn branches_form_trees(draw: &mut Draw) {
    ensemble(draw, 1);
    let nodes = length(draw, "nodes_featureids");
    match draw.way(3) {
        0 => {
            let root = draw.beyond(0, nodes - 1);
            trees::set_int(draw, "tree_roots", 0, root);
        }
        way => {
            let name = if way == 1 { "nodes_truenodeids" } else { "nodes_falsenodeids" };
            // The true or false branch of the first node leads to another node or to a leaf.
            let leaf = if way == 1 { "nodes_trueleafs" } else { "nodes_falseleafs" };
            let leads_to_leaf = trees::drawn_attribute(draw, leaf).and_then(|a| a.ints.first().copied()) == Some(1);
            let most = if leads_to_leaf { length(draw, "leaf_targetids") } else { nodes };
            let target = draw.beyond(0, most - 1);
            trees::set_int(draw, name, 0, target);
        }
    }
}

pub fn features_in_range(draw: &mut Draw) {
    ensemble(draw, 1);
    let feature = draw.beyond(0, 2);
    trees::set_int(draw, "nodes_featureids", 0, feature);
}

pub fn node_modes_known(draw: &mut Draw) {
    ensemble(draw, 1);
    let count = trees::drawn_attribute(draw, "nodes_featureids").map_or(1, |a| a.ints.len());
    draw.attributes.retain(|a| a.name.as_deref() != Some("nodes_modes"));
    let mut modes = vec![0; count];
    modes[0] = draw.way_of(&[7, 255]);
    draw.tensor_attribute(
        "nodes_modes",
        &Tensor::from_i128s(DType::Uint8, vec![count], &modes)
            .expect("there are as many values as the shape has elements"),
    );
}

pub fn votes_in_range(draw: &mut Draw) {
    ensemble(draw, 1);
    if draw.way(3) == 2 {
        return trees::too_few_targets(draw);
    }
    let targets = trees::drawn_attribute(draw, "n_targets").and_then(|a| a.i).unwrap_or(1);
    let target = draw.beyond(0, targets - 1);
    trees::set_int(draw, "leaf_targetids", 0, target);
}

/// Gives one more member set than there are nodes with set membership.
pub fn member_sets_complete(draw: &mut Draw) {
    ensemble(draw, 1);
    let dtype = draw.dtype("T");
    let sets = trees::drawn_attribute(draw, "membership_values").and_then(|a| a.t.as_ref());
    let more = sets.and_then(|t| plumbline_tensor::tensor_from_proto(t).ok()).map(|t| t.to_f64s()).unwrap_or_default();
    draw.attributes.retain(|a| a.name.as_deref() != Some("membership_values"));
    let values: Vec<f64> = more.into_iter().chain([1.0, f64::NAN]).collect();
    let tensor = Tensor::from_f64s(dtype, vec![values.len()], &values)
        .expect("there are as many values as the shape has elements");
    draw.tensor_attribute("membership_values", &tensor);
}

pub fn attribute_values_known(draw: &mut Draw) {
    ensemble(draw, 1);
    let (name, value) = draw.way_of(&[("post_transform", 4), ("aggregate_function", 3)]);
    let value = draw.beyond(0, value);
    draw.attributes.retain(|a| a.name.as_deref() != Some(name));
    draw.int_attribute(name, value);
}

/// Returns the length of a list of integers.
fn length(draw: &mut Draw, name: &str) -> i64 {
    trees::drawn_attribute(draw, name).map_or(0, |attribute| attribute.ints.len() as i64)
}

//! Negative recipes for TreeEnsembleClassifier and TreeEnsembleRegressor.

use super::trees::{classifier, given, lengthen, no_targets, other_rank, put, reals, regressor};
use crate::draw::Draw;

fn ensemble(draw: &mut Draw) -> &'static str {
    if draw.has_attribute("n_targets") {
        regressor(draw, 1);
        return "target";
    }
    classifier(draw, 1);
    "class"
}

/// Returns the number of labels.
fn classes(draw: &mut Draw) -> i64 {
    let count = |list: &plumbline_tensor::onnx::AttributeProto| list.ints.len().max(list.strings.len()) as i64;
    ["classlabels_int64s", "classlabels_strings"]
        .iter()
        .find_map(|name| given(draw, name).map(|a| count(a)))
        .unwrap_or(1)
}

/// Gives an ensemble from before version 5 and then breaks the constraint with this number.
fn broken(draw: &mut Draw, number: u8) {
    let prefix = ensemble(draw);
    // The largest node id of all trees.
    let last = given(draw, "nodes_nodeids").and_then(|a| a.ints.iter().copied().max()).unwrap_or(0);
    match number {
        1 => other_rank(draw),
        2 => {
            let list = draw.way_of(&["nodes_truenodeids", "nodes_featureids", "nodes_nodeids"]);
            lengthen(draw, list);
        }
        3 => lengthen(draw, &format!("{prefix}_ids")),
        5 => match draw.way(4) {
            0 => {
                let node = draw.beyond(0, last);
                put(draw, "nodes_truenodeids", 0, node);
            }
            1 => {
                let node = draw.beyond(0, last);
                put(draw, "nodes_falsenodeids", 0, node);
            }
            2 => {
                let tree = draw.way_of(&[-1, i64::MAX, i64::MIN]);
                put(draw, &format!("{prefix}_treeids"), 0, tree);
            }
            _ => {
                let node = draw.beyond(0, last);
                put(draw, &format!("{prefix}_nodeids"), 0, node);
            }
        },
        6 => {
            let feature = draw.beyond(0, 2);
            put(draw, "nodes_featureids", 0, feature);
        }
        7 => {
            let mode = draw.way_of(&["BRANCH_MEMBER", "LEQ", ""]);
            if let Some(slot) = given(draw, "nodes_modes").and_then(|a| a.strings.first_mut()) {
                *slot = mode.as_bytes().to_vec();
            }
        }
        8 => {
            if prefix == "target" && draw.way(3) == 2 {
                return no_targets(draw);
            }
            let targets = match prefix {
                "target" => given(draw, "n_targets").and_then(|a| a.i).unwrap_or(1),
                _ => classes(draw),
            };
            let target = draw.beyond(0, targets - 1);
            put(draw, &format!("{prefix}_ids"), 0, target);
        }
        9 => {
            draw.attributes.retain(|a| !a.name.as_deref().is_some_and(|n| n.starts_with("base_values")));
            let count = match prefix {
                "target" => given(draw, "n_targets").and_then(|a| a.i).unwrap_or(1),
                _ => classes(draw),
            };
            let count = draw.other_extent(count.max(1) as usize);
            draw.floats_attribute("base_values", &vec![0.5; count]);
        }
        10 => {
            draw.attributes.retain(|a| !a.name.as_deref().is_some_and(|n| n.starts_with("base_values")));
            reals(draw, "base_values", &[0.5], false);
            reals(draw, "base_values", &[0.5], true);
        }
        _ => {
            draw.attributes.retain(|a| a.name.as_deref() != Some("post_transform"));
            draw.string_attribute("post_transform", "SOFTPLUS");
        }
    }
}

pub fn tree_ensemble_regressor_rank_two(draw: &mut Draw) {
    broken(draw, 1);
}

pub fn tree_ensemble_regressor_node_lists_equal_length(draw: &mut Draw) {
    broken(draw, 2);
}

pub fn tree_ensemble_regressor_vote_lists_equal_length(draw: &mut Draw) {
    broken(draw, 3);
}

pub fn tree_ensemble_regressor_node_ids_unique(draw: &mut Draw) {
    regressor(draw, 1);
    put(draw, "nodes_nodeids", 1, 0);
}

pub fn tree_ensemble_regressor_branches_form_trees(draw: &mut Draw) {
    broken(draw, 5);
}

pub fn tree_ensemble_regressor_features_in_range(draw: &mut Draw) {
    broken(draw, 6);
}

pub fn tree_ensemble_regressor_node_modes_known(draw: &mut Draw) {
    broken(draw, 7);
}

pub fn tree_ensemble_regressor_votes_in_range(draw: &mut Draw) {
    broken(draw, 8);
}

pub fn tree_ensemble_regressor_base_values_fit(draw: &mut Draw) {
    broken(draw, 9);
}

pub fn tree_ensemble_regressor_floats_or_doubles_given(draw: &mut Draw) {
    broken(draw, 10);
}

pub fn tree_ensemble_regressor_attribute_values_known(draw: &mut Draw) {
    if draw.way(2) == 1 {
        broken(draw, 11);
    } else {
        regressor(draw, 1);
        draw.string_attribute("aggregate_function", "MEDIAN");
    }
}

pub fn tree_ensemble_classifier_rank_two(draw: &mut Draw) {
    broken(draw, 1);
}

pub fn tree_ensemble_classifier_node_lists_equal_length(draw: &mut Draw) {
    broken(draw, 2);
}

pub fn tree_ensemble_classifier_vote_lists_equal_length(draw: &mut Draw) {
    broken(draw, 3);
}

pub fn tree_ensemble_classifier_one_label_list_given(draw: &mut Draw) {
    let classes = classifier(draw, 1);
    draw.attributes.retain(|a| !a.name.as_deref().is_some_and(|n| n.starts_with("classlabels")));
    if draw.way(2) == 1 {
        draw.ints_attribute("classlabels_int64s", &vec![1; classes]);
        draw.strings_attribute("classlabels_strings", &vec![b"a".to_vec(); classes]);
    }
}

pub fn tree_ensemble_classifier_branches_form_trees(draw: &mut Draw) {
    broken(draw, 5);
}

pub fn tree_ensemble_classifier_features_in_range(draw: &mut Draw) {
    broken(draw, 6);
}

pub fn tree_ensemble_classifier_node_modes_known(draw: &mut Draw) {
    broken(draw, 7);
}

pub fn tree_ensemble_classifier_votes_in_range(draw: &mut Draw) {
    broken(draw, 8);
}

pub fn tree_ensemble_classifier_base_values_fit(draw: &mut Draw) {
    broken(draw, 9);
}

pub fn tree_ensemble_classifier_floats_or_doubles_given(draw: &mut Draw) {
    broken(draw, 10);
}

pub fn tree_ensemble_classifier_attribute_values_known(draw: &mut Draw) {
    broken(draw, 11);
}

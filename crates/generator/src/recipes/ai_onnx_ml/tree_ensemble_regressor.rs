//! Draws one to three trees with each mode of comparison that add to one to three targets, and examples that often
//! meet a threshold.

use crate::families::{tree_attributes, trees};
use crate::prelude::*;

pub fn tree_ensemble_regressor(draw: &mut Draw) {
    tree_attributes::regressor(draw, 0);
    if draw.give_attribute("aggregate_function") {
        let aggregate = draw.choose(&["AVERAGE", "MIN", "MAX", "SUM"]);
        draw.string_attribute("aggregate_function", aggregate);
    }
}

pub fn rank_two(draw: &mut Draw) {
    tree_attributes::rank_two(draw);
}

pub fn node_lists_equal_length(draw: &mut Draw) {
    tree_attributes::node_lists_equal_length(draw);
}

pub fn vote_lists_equal_length(draw: &mut Draw) {
    tree_attributes::vote_lists_equal_length(draw);
}

pub fn node_ids_unique(draw: &mut Draw) {
    tree_attributes::regressor(draw, 1);
    trees::set_int(draw, "nodes_nodeids", 1, 0);
}

pub fn branches_form_trees(draw: &mut Draw) {
    tree_attributes::branches_form_trees(draw);
}

pub fn features_in_range(draw: &mut Draw) {
    tree_attributes::features_in_range(draw);
}

pub fn node_modes_known(draw: &mut Draw) {
    tree_attributes::node_modes_known(draw);
}

pub fn votes_in_range(draw: &mut Draw) {
    tree_attributes::votes_in_range(draw);
}

pub fn base_values_fit(draw: &mut Draw) {
    tree_attributes::base_values_fit(draw);
}

pub fn floats_or_doubles_given(draw: &mut Draw) {
    tree_attributes::floats_or_doubles_given(draw);
}

pub fn attribute_values_known(draw: &mut Draw) {
    if draw.way(2) == 1 {
        tree_attributes::post_transform_known(draw);
    } else {
        tree_attributes::regressor(draw, 1);
        draw.string_attribute("aggregate_function", "MEDIAN");
    }
}

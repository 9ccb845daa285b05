//! Draws one to three trees that add to one to three targets, with each mode of comparison, and examples that often
//! equal a threshold.

use crate::families::{tree_attributes, trees};
use crate::prelude::*;

pub use crate::families::tree_attributes::{
    base_values_fit, branches_form_trees, features_in_range, floats_or_doubles_given, node_lists_equal_length,
    node_modes_known, rank_two, vote_lists_equal_length, votes_in_range,
};

pub fn tree_ensemble_regressor(draw: &mut Draw) {
    tree_attributes::regressor(draw, 0);
    if draw.give_attribute("aggregate_function") {
        let aggregate = draw.choose(&["AVERAGE", "MIN", "MAX", "SUM"]);
        draw.string_attribute("aggregate_function", aggregate);
    }
}

pub fn node_ids_unique(draw: &mut Draw) {
    tree_attributes::regressor(draw, 1);
    trees::set_int(draw, "nodes_nodeids", 1, 0);
}

pub fn attribute_values_known(draw: &mut Draw) {
    if draw.way(2) == 1 {
        tree_attributes::post_transform_known(draw);
    } else {
        tree_attributes::regressor(draw, 1);
        draw.string_attribute("aggregate_function", "MEDIAN");
    }
}

//! Draws one to three trees with each mode of comparison that vote for two to four classes, and examples that often
//! meet a threshold.

use crate::families::tree_attributes;
use crate::prelude::*;

pub fn tree_ensemble_classifier(draw: &mut Draw) {
    tree_attributes::classifier(draw, 0);
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

pub fn one_label_list_given(draw: &mut Draw) {
    let classes = tree_attributes::classifier(draw, 1);
    draw.attributes.retain(|a| !a.name.as_deref().is_some_and(|n| n.starts_with("classlabels")));
    if draw.way(2) == 1 {
        draw.ints_attribute("classlabels_int64s", &vec![1; classes]);
        draw.strings_attribute("classlabels_strings", &vec![b"a".to_vec(); classes]);
    }
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
    tree_attributes::post_transform_known(draw);
}

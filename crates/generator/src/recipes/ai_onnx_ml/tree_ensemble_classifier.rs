//! Draws one to three trees that vote for two to four classes, with each mode of comparison, and examples that often
//! equal a threshold.

use crate::families::tree_attributes;
use crate::prelude::*;

pub use crate::families::tree_attributes::{
    base_values_fit, branches_form_trees, features_in_range, floats_or_doubles_given, node_lists_equal_length,
    node_modes_known, post_transform_known as attribute_values_known, rank_two, vote_lists_equal_length,
    votes_in_range,
};

pub fn tree_ensemble_classifier(draw: &mut Draw) {
    tree_attributes::classifier(draw, 0);
}

pub fn one_label_list_given(draw: &mut Draw) {
    let classes = tree_attributes::classifier(draw, 1);
    draw.attributes.retain(|a| !a.name.as_deref().is_some_and(|n| n.starts_with("classlabels")));
    if draw.way(2) == 1 {
        draw.ints_attribute("classlabels_int64s", &vec![1; classes]);
        draw.strings_attribute("classlabels_strings", &vec![b"a".to_vec(); classes]);
    }
}

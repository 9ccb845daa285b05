//! Recipes: the functions that draw the cases of an operator.

use plumbline_spec::Label;

use crate::draw::Draw;

/// A function that draws one case.
pub type RecipeFn = fn(&mut Draw);

/// The recipes of one operator.
#[derive(Debug)]
pub struct Recipe {
    /// The domain of the operator.
    pub domain: &'static str,
    /// The name of the operator.
    pub name: &'static str,
    /// Draws valid cases of every version.
    pub positive: RecipeFn,
    /// For each constraint, the function that draws cases that violate only this constraint.
    pub negatives: &'static [(Label, RecipeFn)],
    /// The features that are named by the recipe of valid cases and by the functions in `recipes` and `families` that
    /// it calls.
    pub features: &'static [&'static str],
}

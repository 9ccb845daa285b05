//! What a recipe is: how cases of an operator are drawn.

use plumbline_spec::Label;

use crate::draw::Draw;
use crate::recipes::RECIPES;

/// What draws a case.
pub type RecipeFn = fn(&mut Draw);

/// The recipes of an operator.
#[derive(Debug)]
pub struct Recipe {
    /// Domain of the operator.
    pub domain: &'static str,
    /// The operator.
    pub name: &'static str,
    /// Draws valid cases of every version.
    pub positive: RecipeFn,
    /// Draws cases that violate just this constraint.
    pub negatives: &'static [(Label, RecipeFn)],
    /// The features its file names.
    pub features: &'static [&'static str],
}

/// The recipes of an operator.
pub fn find(domain: &str, name: &str) -> Option<&'static Recipe> {
    let at = RECIPES.binary_search_by(|r| (r.domain, r.name).cmp(&(domain, name))).ok()?;
    Some(&RECIPES[at])
}

/// Every recipe, sorted by domain and operator.
pub fn all() -> &'static [Recipe] {
    RECIPES
}

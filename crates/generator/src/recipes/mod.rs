//! Recipes: from an operator version to cases. One file an operator or family; the list is derived from the functions in them
//! (`pub fn gather(draw: &mut Draw)`, and `pub fn gather_c2(draw: &mut Draw)` for the negative one that violates C2) by the build script.

use plumbline_executor::Label;

use crate::draw::Draw;

/// What draws a case.
pub type Recipe1 = fn(&mut Draw);

/// The recipes of an operator.
#[derive(Debug)]
pub struct Recipe {
    /// Domain of the operator.
    pub domain: &'static str,
    /// The operator.
    pub name: &'static str,
    /// Draws valid cases of every version.
    pub positive: Recipe1,
    /// Draws cases that violate just this constraint.
    pub negatives: &'static [(Label, Recipe1)],
    /// The features its file names.
    pub features: &'static [&'static str],
}

include!(concat!(env!("OUT_DIR"), "/recipes.rs"));

pub(crate) use tables::distinct;

/// The recipes of an operator.
pub fn find(domain: &str, name: &str) -> Option<&'static Recipe> {
    let at = RECIPES.binary_search_by(|r| (r.domain, r.name).cmp(&(domain, name))).ok()?;
    Some(&RECIPES[at])
}

/// Every recipe, sorted by domain and operator.
pub fn all() -> &'static [Recipe] {
    RECIPES
}

//! Finds the recipes of operators.

use crate::recipe::Recipe;
use crate::recipes::RECIPES;

/// Returns the recipes of an operator.
pub fn find(domain: &str, name: &str) -> Option<&'static Recipe> {
    let at = RECIPES.binary_search_by(|r| (r.domain, r.name).cmp(&(domain, name))).ok()?;
    Some(&RECIPES[at])
}

/// Returns all recipes, sorted by domain and operator.
pub fn all() -> &'static [Recipe] {
    RECIPES
}

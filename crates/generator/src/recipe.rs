//! Recipes: the functions that draw the cases of an operator.

use plumbline_spec::Label;

use crate::draw::Draw;

/// A function that draws one case.
pub type RecipeFn = fn(&mut Draw);

/// Declares the list of all recipes. The path of a recipe is that of its module, and the recipes that violate
/// constraints are in the same module.
macro_rules! recipes {
    ($($(#[$condition:meta])* $domain:literal $name:literal $($module:ident)::+ . $positive:ident
        [$($label:ident $negative:ident),*] [$($feature:literal),*];)*) => {
        /// Every recipe, sorted by domain and operator.
        pub static RECIPES: &[$crate::recipe::Recipe] = &[$($(#[$condition])* {
            use self::$($module)::+ as of;
            $crate::recipe::Recipe {
                domain: $domain,
                name: $name,
                positive: of::$positive,
                negatives: &[$((plumbline_spec::rule::$label, of::$negative)),*],
                features: &[$($feature),*],
            }
        }),*];
    };
}
pub(crate) use recipes;

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

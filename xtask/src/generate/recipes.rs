//! The list of recipes, from the functions in their folder.
//!
//! A recipe of valid cases is a `pub fn name(draw: &mut Draw)` in a file below `crates/generator/src/recipes`. The
//! function and the file are named after the operator. A recipe that violates a constraint is in the same file, and is
//! named after the constraint. Code that several recipes share is in `crates/generator/src/families`. If a function
//! there violates a constraint of several operators, the files of these operators re-export the function under the name
//! of the constraint.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail};

use super::Generated;
use super::features::{Source, features};
use super::lists::{
    OperatorRules, Operators, WRITTEN, by_operator, constant, declarations, functions, has_extension, key, modules,
    sorted, stem,
};

/// The folder of recipes.
const RECIPES: &str = "crates/generator/src/recipes";
/// The folder of the code that recipes share.
const FAMILIES: &str = "crates/generator/src/families";

/// The functions of an operator's file.
#[derive(Debug, PartialEq)]
struct Recipe<'a> {
    /// The recipe of valid cases.
    positive: &'a str,
    /// The name of each constraint that a recipe violates, and the name of this recipe. The key is the index of the
    /// constraint in the operator's list of constraints.
    negatives: BTreeMap<usize, (&'a str, &'a str)>,
}

impl<'a> Recipe<'a> {
    /// Finds the recipes in the text of an operator's file.
    ///
    /// # Errors
    /// Fails if a recipe is named after neither the operator nor one of its constraints, or if no recipe draws valid
    /// cases.
    fn read(text: &'a str, operator: &str, constraints: &'a [String]) -> anyhow::Result<Recipe<'a>> {
        let mut positive = None;
        let mut negatives = BTreeMap::new();
        for name in functions(text, "draw: &mut Draw)") {
            if key(name) == key(operator) {
                positive = Some(name);
            }
        }
        let own = functions(text, "draw: &mut Draw)").filter(|name| Some(*name) != positive);
        for name in own.chain(reexported(text)) {
            let Some(at) = constraints.iter().position(|constraint| constraint.replace('-', "") == key(name)) else {
                bail!(
                    "`{name}` is named after neither {operator} nor one of its constraints; recipes of other operators \
                     belong in the files of those operators, and functions that recipes share in {FAMILIES}"
                );
            };
            negatives.insert(at, (&constraints[at][..], name));
        }
        let Some(positive) = positive else { bail!("there is no recipe of valid cases of {operator}") };
        Ok(Recipe { positive, negatives })
    }
}

/// Returns the names by which a file re-exports functions of shared code: `b` and `d` of
/// `pub use crate::families::a::{b, c as d};`.
fn reexported(text: &str) -> impl Iterator<Item = &str> {
    let lists = text.split("\npub use crate::families::").skip(1).filter_map(|rest| rest.split(';').next());
    let names = lists.flat_map(|list| list.split_once("::").map_or("", |(_, names)| names).split(['{', '}', ',']));
    names.filter_map(|name| name.split_whitespace().last())
}

/// Reads the files of shared code, by module.
fn families(root: &Path) -> anyhow::Result<BTreeMap<String, Source>> {
    let mut all = BTreeMap::new();
    for file in sorted(&root.join(FAMILIES))?.iter().filter(|file| has_extension(file, "rs")) {
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        all.insert(stem(file), Source::read(&text).with_context(|| file.display().to_string())?);
    }
    Ok(all)
}

/// Returns the list of all recipes, and for each domain other than `ai.onnx` the list of its modules.
///
/// # Errors
/// Fails if a file cannot be read, is named after no operator, has no recipe of valid cases, or has a recipe that is
/// named after neither the operator nor one of its constraints.
pub fn recipes(root: &Path, operators: &Operators, rules: &[OperatorRules]) -> anyhow::Result<Vec<Generated>> {
    let modules = modules(&root.join(RECIPES), operators)?;
    let families = families(root)?;
    let mut list = String::new();
    for (operator, module) in by_operator(&modules, operators)? {
        let (domain, name) = operator;
        let constraints = rules.iter().find(|rules| rules.operator == *operator).map(|rules| &rules.constraints[..]);
        let recipe = Recipe::read(&module.text, name, constraints.unwrap_or_default());
        let recipe = recipe.with_context(|| module.file.display().to_string())?;
        let source = Source::read(&module.text).with_context(|| module.file.display().to_string())?;
        let negatives = recipe.negatives.values();
        let negatives = negatives.map(|(label, function)| format!("{} {function}", constant(label)));
        let features = features(&source, recipe.positive, &families);
        let line = if features.is_empty() { " " } else { "\n        " };
        list += &format!(
            "    {}{domain:?} {name:?} {}.{} [{}]{line}{features:?};\n",
            module.condition(),
            module.path,
            recipe.positive,
            negatives.collect::<Vec<_>>().join(", "),
        );
    }
    let (lines, mut all) = declarations(RECIPES, &modules, "Recipes");
    let text = format!(
        "//! Recipes: one operator, one file.\n//!\n{WRITTEN}\n{lines}\n\
         // An operator, its recipe of valid cases, and the constraints with the recipes that violate them, all of them in\n\
         // the same module; below it the features of the cases.\n\
         crate::recipe::recipes! {{\n{list}}}\n"
    );
    all.push(Generated { path: Path::new(RECIPES).join("mod.rs"), text });
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipes_are_named_after_the_operator_of_their_file_and_its_constraints() {
        let constraints = ["rank-two".to_owned(), "axis-in-range".to_owned()];
        let read = |names: &[&str]| {
            let text: String = names.iter().map(|name| format!("pub fn {name}(draw: &mut Draw) {{}}\n")).collect();
            let recipe = Recipe::read(&text, "If", &constraints);
            recipe.map(|recipe| recipe.negatives.into_keys().collect::<Vec<_>>()).map_err(|error| error.to_string())
        };
        assert_eq!(read(&["if_", "axis_in_range", "rank_two"]), Ok(vec![0, 1]));
        let shared =
            "pub fn if_(draw: &mut Draw) {}\npub use crate::families::a::{bad_axis as axis_in_range, rank_two};";
        assert_eq!(reexported(&format!("\n{shared}")).collect::<Vec<_>>(), ["axis_in_range", "rank_two"]);
        assert_eq!(Recipe::read(shared, "If", &constraints).unwrap().negatives.len(), 2);
        assert!(Recipe::read(&shared.replace("rank_two", "if_else"), "If", &constraints).is_err());
        assert!(read(&["if_", "rank_three"]).unwrap_err().starts_with("`rank_three` is named after neither If nor"));
        assert!(read(&["if_", "loop_"]).unwrap_err().starts_with("`loop_` is named after neither If nor"));
        assert_eq!(read(&["rank_two"]), Err("there is no recipe of valid cases of If".to_owned()));
    }
}

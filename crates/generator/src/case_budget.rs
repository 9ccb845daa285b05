//! How cases are divided among operators: the more there is to vary in an operator, in relation to the number of its
//! cells, the more cases each of these cells gets.
//!
//! `If` and `Identity` have hundreds of cells, because their values may be of any type, but little in them can go
//! wrong. `Einsum` has few cells and a language of its own. So a cell gets more or fewer cases than the profile's
//! average, depending on the number of things to vary in its operator (attributes, optional inputs, rules, features),
//! divided by the number of the operator's cells.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use plumbline_spec::{FormalOption, Operator, Spec};

use crate::cell::Cell;
use crate::plan::cells;
use crate::registry;

/// The bounds of a cell's share: the fewest and the most cases, relative to an equal division.
const LEAST: f64 = 0.4;
const MOST: f64 = 5.0;
/// The number of things to vary per cell at which a cell gets as many cases as the profile says. The share grows only
/// with the square root of the number of things per cell. So an operator with more cells still gets more cases in
/// total, because each cell is one more type to try the same things with. With this value, all cells together get about
/// as many cases as in an equal division.
const USUAL: f64 = 0.24;

/// The share of each cell of an operator, by domain and name of the operator.
static SHARES: LazyLock<BTreeMap<(&str, &str), f64>> = LazyLock::new(|| {
    let mut counts: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    for cell in cells() {
        *counts.entry((&cell.version.id.domain, &cell.version.id.name)).or_default() += 1.0;
    }
    let share = |(key, count): ((&'static str, &'static str), f64)| {
        let space = Spec::embedded().operator(key.0, key.1).map_or(0.0, space);
        (key, (space / count / USUAL).sqrt().clamp(LEAST, MOST))
    };
    counts.into_iter().map(share).collect()
});

/// How many things vary in the values and shapes of an operator, by its name: `generators/case_budget.toml`.
static FEATURES: LazyLock<BTreeMap<String, usize>> = LazyLock::new(|| {
    let text = plumbline_spec::embedded::text(&plumbline_generator_data::FOLDER, "case_budget.toml");
    toml::from_str(text).expect("generators/case_budget.toml is valid: a test reads it")
});

/// Counts what there is to vary in an operator: the operator itself, its attributes, its optional and variadic inputs,
/// the constraints and behaviours of its rules, and its values and shapes.
fn space(operator: &Operator) -> f64 {
    let versions = || operator.versions.iter();
    let attributes: BTreeSet<&str> = versions().flat_map(|v| &v.attributes).map(|a| a.name.as_str()).collect();
    let inputs: BTreeSet<&str> = versions()
        .flat_map(|v| &v.inputs)
        .filter(|i| i.option != FormalOption::Single)
        .map(|i| i.name.as_str())
        .collect();
    let rules = operator.rules.as_ref().map_or(0, |rules| rules.constraints.len() + rules.behaviours.len());
    let features = FEATURES.get(&operator.qualified_name()).copied();
    let named = || registry::find(&operator.domain, &operator.name).map_or(0, |recipe| recipe.features.len());
    let features = features.unwrap_or_else(named);
    (1 + attributes.len() + inputs.len() + rules + features) as f64
}

impl Cell {
    /// Returns how many cases this cell gets if cells get `cases` on average. It is at least one, unless `cases` is 0.
    pub fn share_of(&self, cases: u64) -> u64 {
        let id = &self.version.id;
        let share = || SHARES.get(&(id.domain.as_str(), id.name.as_str())).copied().unwrap_or(1.0);
        let share = *self.name().share.get_or_init(share);
        ((cases as f64 * share).round() as u64).max(u64::from(cases > 0))
    }
}

/// Returns how many cases each cell of this operator (`Min`, `ai.onnx.ml.Scaler`) gets if cells get `cases` on average.
/// Without an operator, returns the smallest number that any cell can get. This function may return 0, although
/// [`Cell::share_of`] gives every cell at least one case.
pub fn least_share(operator: Option<&str>, cases: u64) -> u64 {
    let share = operator.map_or(LEAST, |name| {
        let key = name.rsplit_once('.').map_or(("ai.onnx", name), |(domain, name)| (domain, name));
        SHARES.get(&key).copied().unwrap_or(1.0)
    });
    (cases as f64 * share).round() as u64
}

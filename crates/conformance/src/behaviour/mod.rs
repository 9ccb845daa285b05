//! What changes from one version of an operator to another: what the specification says of it, and what the oracle computes
//! differently on the same inputs, with an example small enough to check by hand. `reports/behaviour/` holds the reviewed text.
//!
//! Cases are drawn from the recipes of both versions, put in terms of the other version ([`translate`]), answered by the
//! oracle as both, and sorted by how the answers differ ([`difference`]). Of each sort one case is minimized
//! ([`search`], [`shrink`]) and written down ([`words`]).

mod difference;
mod search;
mod shrink;
pub(crate) mod translate;
mod words;

use std::path::{Path, PathBuf};

use plumbline_generator::recipes;
use plumbline_oracle::Reference;
use plumbline_spec::{Operator, OperatorVersion, Spec, SpecDiff};
use rayon::prelude::*;

/// The operators that have something to compare: several versions, a kernel and a recipe.
pub fn operators() -> impl Iterator<Item = &'static Operator> {
    let known = |o: &&Operator| {
        Reference::knows(&o.domain, &o.name) && recipes().iter().any(|r| (r.domain, r.name) == (&o.domain, &o.name))
    };
    Spec::embedded().operators().filter(|o| o.versions.len() > 1).filter(known)
}

/// What changed between two versions of an operator (`from` < `to`), as text for people.
pub fn compare(operator: &'static Operator, from: &'static OperatorVersion, to: &'static OperatorVersion) -> String {
    let diff = SpecDiff::between(from, to, operator.rules.as_ref());
    let found = if !to.is_callable() { None } else { Some(search::search(operator, from, to)) };
    words::pair(&diff, from, to, found.as_ref())
}

/// What changed from each version of an operator to the next: what its snapshot holds.
pub fn snapshot(operator: &'static Operator) -> String {
    let pairs: Vec<&'static [OperatorVersion]> = operator.versions.windows(2).collect();
    let pairs: Vec<String> = pairs.par_iter().map(|pair| compare(operator, &pair[0], &pair[1])).collect();
    words::title(operator) + &pairs.concat()
}

/// Where the snapshot of an operator is, below `reports/behaviour`.
pub fn snapshot_path(root: &Path, operator: &Operator) -> PathBuf {
    root.join(&operator.domain).join(format!("{}.snap", operator.name))
}

/// The snapshot file of this text.
pub fn snapshot_file(text: &str) -> String {
    format!("---\nsource: crates/conformance/tests/behaviour.rs\n---\n{}\n", text.trim_end())
}

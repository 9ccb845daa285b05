//! Determines what changes from one version of an operator to another: what the specification says about it, and what
//! the oracle computes differently on the same inputs, with an example small enough to check by hand.
//! `reports/behaviour/` holds the reviewed text, and `tests/behaviour.rs` compares the current text with it.
//!
//! The recipes of both versions draw cases, and each case is translated to the version that did not draw it
//! (`translate`). The oracle answers the case in both versions, and the kind of difference between the two answers is
//! determined (`difference`). Some cases of each kind are minimized (`search`, `shrink`), and the most readable one is
//! described in words (`words`).

mod difference;
mod example;
mod search;
mod shrink;
pub(crate) mod translate;
mod words;

use std::path::{Path, PathBuf};

use plumbline_generator::recipes;
use plumbline_oracle::Oracle;
use plumbline_spec::{Operator, OperatorVersion, Spec, SpecDiff};
use rayon::prelude::*;

/// Returns the operators that can be compared: those with several versions, a kernel and a recipe.
pub fn operators() -> impl Iterator<Item = &'static Operator> {
    let known = |o: &&Operator| {
        Oracle::knows(&o.domain, &o.name) && recipes().iter().any(|r| (r.domain, r.name) == (&o.domain, &o.name))
    };
    Spec::embedded().operators().filter(|o| o.versions.len() > 1).filter(known)
}

/// Describes what changed between two versions of an operator (`from` < `to`), as text for people.
pub fn compare(operator: &'static Operator, from: &'static OperatorVersion, to: &'static OperatorVersion) -> String {
    let diff = SpecDiff::between(from, to, operator.rules.as_ref());
    let found = if !to.is_callable() { None } else { Some(search::search(operator, from, to)) };
    words::pair(&diff, from, to, found.as_ref())
}

/// Returns the text of an operator's snapshot: what changed from each version to the next.
pub fn snapshot(operator: &'static Operator) -> String {
    let pairs: Vec<&'static [OperatorVersion]> = operator.versions.windows(2).collect();
    let pairs: Vec<String> = pairs.par_iter().map(|pair| compare(operator, &pair[0], &pair[1])).collect();
    words::title(operator) + &pairs.concat()
}

/// Returns the path of an operator's snapshot below `reports/behaviour`.
pub fn snapshot_path(root: &Path, operator: &Operator) -> PathBuf {
    root.join(&operator.domain).join(format!("{}.snap", operator.name))
}

//! Compares pages of documentation with `specs/`: ONNX's pages of operators, and Microsoft Learn's of DirectML's.
//!
//! A page becomes a list of facts, each with a name, a value and the line in which it stands. So does what `specs/`
//! says, and [`disagreements`] compares the two lists.

mod directml;
mod lines;
mod onnx;

use crate::directml::DirectMl;
use crate::load::Spec;
use regex::Regex;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;

/// The result of comparing a page with `specs/`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// The versions that were compared, in the order of the page: `Min-13`. For a page of DirectML, the operators.
    pub compared: Vec<String>,
    /// The facts in which the page and `specs/` disagree, by line of the page.
    pub disagreements: Vec<Disagreement>,
    /// The versions of the page's operators that `specs/` has and the page does not have. This is not a disagreement,
    /// because the page of an older release of ONNX does not have the newer versions.
    pub not_on_page: Vec<String>,
}

/// One fact in which the page and `specs/` disagree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Disagreement {
    /// The line number of the page, from 1.
    pub line: usize,
    /// The operator version, or the operator of DirectML.
    pub version: String,
    /// The name of the fact.
    pub fact: String,
    /// What the page says, or `None` if it does not have the item.
    pub page: Option<String>,
    /// What `specs/` says, or `None` if it does not have the item.
    pub specs: Option<String>,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [page, specs] = [&self.page, &self.specs].map(|value| value.as_deref().unwrap_or("nothing"));
        write!(f, "{}: {}: {}: {page} on the page, {specs} in specs", self.line, self.version, self.fact)
    }
}

/// Why a page cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// The page has no version of an ONNX operator.
    #[error(
        "the page has no version of an operator: a page of ONNX's documentation has a heading like `Min - 13` with a \
         section `Version` below it"
    )]
    NoVersions,
    /// The page has no section of an operator of DirectML.
    #[error(
        "the page has no operator of DirectML: a page of Microsoft Learn about an operator has a section \
         `Tensor support`, `Members` or `-struct-fields`"
    )]
    NoOperator,
    /// A line does not have the expected form.
    #[error("line {line}: {message}")]
    Line {
        /// The line number, from 1.
        line: usize,
        /// What is wrong with the line.
        message: String,
    },
}

/// Compares a page of documentation with the specifications that it is about.
///
/// # Errors
/// Returns an error if the text has no operator, or for the first line that does not have the expected form.
pub fn compare(text: &str, spec: &Spec, directml: &DirectMl) -> Result<Comparison, PageError> {
    let mut comparison = match text.contains("DML_TENSOR_DESC") || text.contains("DML_FEATURE_LEVEL_") {
        true => directml::compare(text, directml)?,
        false => onnx::compare(text, spec)?,
    };
    comparison.disagreements.sort_by_key(|disagreement| disagreement.line);
    Ok(comparison)
}

fn error(line: usize, message: impl Into<String>) -> PageError {
    PageError::Line { line, message: message.into() }
}

/// Compiles a pattern of this module. Each pattern is known to be well-formed, because a test uses it.
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns of this module are well-formed")
}

/// The value of the fact that an item (an attribute, an input, a field) exists.
const PRESENT: &str = "present";

/// A fact that a page or `specs/` states.
struct Fact {
    /// The line of the page. For a fact of `specs/`, the line that lacks the item.
    line: usize,
    name: String,
    /// The values, of which most facts have one. A fact without any says that there is nothing, such as no default.
    values: BTreeSet<String>,
}

impl Fact {
    fn new(line: usize, name: impl Into<String>, value: impl ToString) -> Fact {
        Fact { line, name: name.into(), values: [value.to_string()].into() }
    }

    fn set(line: usize, name: impl Into<String>, values: impl IntoIterator<Item = impl ToString>) -> Fact {
        Fact { line, name: name.into(), values: values.into_iter().map(|value| value.to_string()).collect() }
    }

    fn is_item(&self) -> bool {
        self.values.contains(PRESENT)
    }

    fn disagrees(&self, version: &str, page: Option<String>, specs: Option<String>) -> Disagreement {
        Disagreement { line: self.line, version: version.to_owned(), fact: self.name.clone(), page, specs }
    }
}

/// Compares the facts of a page with those of `specs/`. Items that only one of them has are disagreements; other facts
/// that the page leaves out are not. The values of a disagreement are those that only one of the two has.
fn disagreements(version: &str, page: &[Fact], specs: &[Fact]) -> Vec<Disagreement> {
    let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| {
        let values: Vec<&str> = a.difference(b).map(String::as_str).collect();
        (!values.is_empty()).then(|| values.join(", "))
    };
    let nothing = BTreeSet::new();
    let mut found = Vec::new();
    for fact in page {
        let known = specs.iter().find(|known| known.name == fact.name).map(|known| &known.values);
        let Some(known) = known.or(fact.is_item().then_some(&nothing)) else { continue };
        if fact.values != *known {
            found.push(fact.disagrees(version, only(&fact.values, known), only(known, &fact.values)));
        }
    }
    let missing = |known: &&Fact| known.is_item() && !page.iter().any(|fact| fact.name == known.name);
    found.extend(specs.iter().filter(missing).map(|known| known.disagrees(version, None, Some(PRESENT.to_owned()))));
    found
}

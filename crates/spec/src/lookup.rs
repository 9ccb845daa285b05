//! Finds operators by the names that users type: `Min`, `Min-13`, `ai.onnx.ml.Scaler`.

use crate::id::split_qualified;
use crate::load::Spec;
use crate::operator::{Operator, OperatorVersion};

/// The operator or version that a name refers to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found<'a> {
    /// An operator with all its versions.
    Operator(&'a Operator),
    /// One version of an operator.
    Version(&'a Operator, &'a OperatorVersion),
}

impl<'a> Found<'a> {
    /// Returns the operator.
    pub fn operator(self) -> &'a Operator {
        match self {
            Found::Operator(operator) | Found::Version(operator, _) => operator,
        }
    }

    /// Returns the operator and the version that was named, or else its newest version. `None` for an operator without
    /// versions.
    pub fn newest(self) -> Option<(&'a Operator, &'a OperatorVersion)> {
        Some((self.operator(), self.versions().last()?))
    }

    /// Returns the version that was named, or else all versions.
    pub fn versions(self) -> &'a [OperatorVersion] {
        match self {
            Found::Operator(operator) => &operator.versions,
            Found::Version(_, version) => std::slice::from_ref(version),
        }
    }
}

/// Why a name refers to nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// No operator has this name.
    #[error("no operator is called `{name}`{}", did_you_mean(nearest))]
    Operator {
        /// The name that was looked up.
        name: String,
        /// Similar names, the nearest first.
        nearest: Vec<String>,
    },
    /// The operator exists but has no version of this number.
    #[error("{operator} has no version {since} (only {}){}", join(versions), in_use(operator, *resolved))]
    Version {
        /// The name of the operator.
        operator: String,
        /// The version that was looked up.
        since: u32,
        /// The versions of the operator.
        versions: Vec<u32>,
        /// The version that a model of opset `since` uses.
        resolved: Option<u32>,
    },
}

fn did_you_mean(nearest: &[String]) -> String {
    if nearest.is_empty() {
        "; `spec list` has all names".to_owned()
    } else {
        format!("; nearest: {}", nearest.join(", "))
    }
}

fn join(versions: &[u32]) -> String {
    versions.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

fn in_use(operator: &str, resolved: Option<u32>) -> String {
    resolved.map_or_else(String::new, |since| format!("; the opset with that number has {operator}-{since}"))
}

impl Operator {
    /// Returns the version that opset `since` introduced.
    ///
    /// # Errors
    /// Returns [`LookupError::Version`], which lists the versions, if there is no such version.
    pub fn find_version(&self, since: u32) -> Result<&OperatorVersion, LookupError> {
        self.version(since).ok_or_else(|| LookupError::Version {
            operator: self.qualified_name(),
            since,
            versions: self.versions.iter().map(OperatorVersion::since).collect(),
            resolved: self.resolve(i64::from(since)).map(OperatorVersion::since),
        })
    }
}

impl Spec {
    /// Returns what `Min`, `Min-13` or `ai.onnx.ml.Scaler` refers to. A name without a domain is looked up first in
    /// ONNX's own domain and then in the others.
    ///
    /// # Errors
    /// Returns a [`LookupError`] if the name refers to nothing. The error has the nearest names, or the operator's
    /// versions.
    pub fn find(&self, text: &str) -> Result<Found<'_>, LookupError> {
        let version = text.rsplit_once('-').and_then(|(name, since)| Some((name, since.parse::<u32>().ok()?)));
        let name = version.map_or(text, |(name, _)| name);
        let operator = self.find_operator(name)?;
        match version {
            Some((_, since)) => Ok(Found::Version(operator, operator.find_version(since)?)),
            None => Ok(Found::Operator(operator)),
        }
    }

    fn find_operator(&self, text: &str) -> Result<&Operator, LookupError> {
        let (domain, name) = split_qualified(text);
        let anywhere = || self.operators().find(|operator| !text.contains('.') && operator.name == name);
        let known = || self.operators().map(|operator| (operator.name.as_str(), operator.qualified_name()));
        self.operator(domain, name)
            .or_else(anywhere)
            .ok_or_else(|| LookupError::Operator { name: text.to_owned(), nearest: nearest(name, known()) })
    }
}

/// Returns up to five names in `known` that are similar to `name`: names that differ from it in few letters, and names
/// that contain it. Each item of `known` is a pair: the text to compare with `name`, and the text to return.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = (&'a str, String)>) -> Vec<String> {
    let wanted = name.to_lowercase();
    let most = 1 + wanted.chars().count() / 5;
    let mut found: Vec<(usize, String)> = Vec::new();
    for (candidate, shown) in known {
        let candidate = candidate.to_lowercase();
        let distance = edit_distance(&wanted, &candidate);
        if distance <= most {
            found.push((distance, shown));
        } else if wanted.len() >= 3 && candidate.contains(&wanted) {
            found.push((most + 1, shown));
        }
    }
    found.sort();
    found.into_iter().map(|(_, name)| name).take(5).collect()
}

/// Returns how many letters of `a` have to be inserted, deleted, replaced, or swapped with their neighbour to get `b`.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // rows[i][j] is the distance between the first i letters of a and the first j letters of b.
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let swap = if swapped { rows[i - 2][j - 2] + 1 } else { usize::MAX };
                changed.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(swap)
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> String {
        match Spec::embedded().find(text) {
            Ok(Found::Operator(operator)) => operator.qualified_name(),
            Ok(Found::Version(_, version)) => version.id.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn names_of_operators_are_found() {
        assert_eq!(found("Min"), "Min");
        assert_eq!(found("ai.onnx.Min-13"), "Min-13");
        assert_eq!(found("Scaler"), "ai.onnx.ml.Scaler");
        assert_eq!(found("ai.onnx.ml.Scaler-1"), "ai.onnx.ml.Scaler-1");
    }

    #[test]
    fn unknown_names_give_the_nearest_ones() {
        assert_eq!(found("Flor"), "no operator is called `Flor`; nearest: Floor");
        assert_eq!(found("floor"), "no operator is called `floor`; nearest: Floor, Loop");
        assert_eq!(found("Sacler"), "no operator is called `Sacler`; nearest: ai.onnx.ml.Scaler");
        assert_eq!(found("Quaternion"), "no operator is called `Quaternion`; `spec list` has all names");
        assert_eq!(
            found("ai.onnx.ml.Min"),
            "no operator is called `ai.onnx.ml.Min`; nearest: Min, Sin, ArgMin, HammingWindow, ReduceMin"
        );
        assert_eq!(found("Min-7"), "Min has no version 7 (only 1, 6, 8, 12, 13); the opset with that number has Min-6");
        assert_eq!(found("Expand-1"), "Expand has no version 1 (only 8, 13)");
        assert_eq!(found(""), "no operator is called ``; `spec list` has all names");
    }

    #[test]
    fn distances_of_names_count_edits() {
        assert_eq!(edit_distance("min", "min"), 0);
        assert_eq!(edit_distance("mni", "min"), 1);
        assert_eq!(edit_distance("", "min"), 3);
        assert_eq!(edit_distance("gather", "gatherer"), 2);
    }
}

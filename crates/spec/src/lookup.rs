//! Finds operators by what people type: `Min`, `Min-13`, `ai.onnx.ml.Scaler`.

use crate::id::split_qualified;
use crate::load::Spec;
use crate::operator::{Operator, OperatorVersion};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found<'a> {
    /// An operator, all versions of it.
    Operator(&'a Operator),
    /// One version of an operator.
    Version(&'a Operator, &'a OperatorVersion),
}

impl<'a> Found<'a> {
    /// The operator.
    pub fn operator(self) -> &'a Operator {
        match self {
            Found::Operator(operator) | Found::Version(operator, _) => operator,
        }
    }

    /// The version that was named, or every version.
    pub fn versions(self) -> &'a [OperatorVersion] {
        match self {
            Found::Operator(operator) => &operator.versions,
            Found::Version(_, version) => std::slice::from_ref(version),
        }
    }
}

/// A name stands for nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// No operator has this name.
    #[error("no operator is called `{name}`{}", did_you_mean(nearest))]
    Operator {
        /// What was asked for.
        name: String,
        /// Names like it, nearest first.
        nearest: Vec<String>,
    },
    /// The operator has no such version.
    #[error("{operator} has no version {since}, only {}{}", join(versions), in_use(operator, *resolved))]
    Version {
        /// The operator.
        operator: String,
        /// The version that was asked for.
        since: u32,
        /// The versions it has.
        versions: Vec<u32>,
        /// The version a model of that opset uses.
        resolved: Option<u32>,
    },
}

fn did_you_mean(nearest: &[String]) -> String {
    if nearest.is_empty() {
        "; `cargo xtask spec list` has all names".to_owned()
    } else {
        format!("; nearest: {}", nearest.join(", "))
    }
}

fn join(versions: &[u32]) -> String {
    versions.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

fn in_use(operator: &str, resolved: Option<u32>) -> String {
    resolved.map_or_else(String::new, |since| format!("; a model of that opset uses {operator}-{since}"))
}

impl Operator {
    /// The version that opset `since` brought, or an error that names those there are.
    ///
    /// # Errors
    /// [`LookupError::Version`].
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
    /// What `Min`, `Min-13` or `ai.onnx.ml.Scaler` stands for. A name without a domain is looked for in
    /// ONNX's own domain first and in the others after it.
    ///
    /// # Errors
    /// [`LookupError`], with the nearest names.
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

/// The names most like `name`, of pairs of what it is held against and what is shown: few letters apart, or with it inside.
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

/// How many letters have to be put in, taken out, changed, or swapped with their neighbour.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // rows[i][j]: the distance between the first i letters of a and the first j of b.
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
    fn names_that_are() {
        assert_eq!(found("Min"), "Min");
        assert_eq!(found("ai.onnx.Min-13"), "Min-13");
        assert_eq!(found("Scaler"), "ai.onnx.ml.Scaler");
        assert_eq!(found("ai.onnx.ml.Scaler-1"), "ai.onnx.ml.Scaler-1");
    }

    #[test]
    fn names_that_are_not() {
        assert_eq!(found("Flor"), "no operator is called `Flor`; nearest: Floor");
        assert_eq!(found("floor"), "no operator is called `floor`; nearest: Floor, Loop");
        assert_eq!(found("Sacler"), "no operator is called `Sacler`; nearest: ai.onnx.ml.Scaler");
        assert_eq!(found("Quaternion"), "no operator is called `Quaternion`; `cargo xtask spec list` has all names");
        assert_eq!(
            found("ai.onnx.ml.Min"),
            "no operator is called `ai.onnx.ml.Min`; nearest: Min, Sin, ArgMin, HammingWindow, ReduceMin"
        );
        assert_eq!(found("Min-7"), "Min has no version 7, only 1, 6, 8, 12, 13; a model of that opset uses Min-6");
        assert_eq!(found("Expand-1"), "Expand has no version 1, only 8, 13");
        assert_eq!(found(""), "no operator is called ``; `cargo xtask spec list` has all names");
    }

    #[test]
    fn distances() {
        assert_eq!(edit_distance("min", "min"), 0);
        assert_eq!(edit_distance("mni", "min"), 1);
        assert_eq!(edit_distance("", "min"), 3);
        assert_eq!(edit_distance("gather", "gatherer"), 2);
    }
}

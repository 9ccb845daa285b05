//! Known mutants that the judge does not notice, each with a reason: `reports/mutants/survivors.toml`. A survivor
//! without an entry and an entry without a survivor are both found.

use std::path::{Path, PathBuf};

use plumbline_spec::OperatorId;
use serde::Deserialize;
use toml::Spanned;

use super::{Fate, MutantResult};
use crate::cases::{Selection, operator_named};

/// The reason why a file of survivors cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SurvivorsError {
    /// The file cannot be read.
    #[error("{path}: {source}", path = .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file is invalid.
    #[error("{path}:{line}: {reason}", path = .path.display())]
    Data {
        /// The file.
        path: PathBuf,
        /// The line of the error.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    survivor: Vec<Spanned<Raw>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    op: Names,
    mutant: Names,
    #[serde(default)]
    fate: RawFate,
    #[serde(default)]
    gap: bool,
    reason: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Names {
    One(String),
    Many(Vec<String>),
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RawFate {
    #[default]
    Survives,
    Unchanged,
}

/// A known survivor.
#[derive(Debug)]
struct Entry {
    line: usize,
    operator: (String, Option<u32>),
    mutant: String,
    fate: Fate,
    gap: bool,
}

/// The known survivors.
#[derive(Debug)]
pub struct Survivors {
    path: PathBuf,
    entries: Vec<Entry>,
}

impl Names {
    fn all(self) -> Vec<String> {
        match self {
            Names::One(name) => vec![name],
            Names::Many(names) => names,
        }
    }
}

impl Survivors {
    /// Reads the file. A missing file counts as one without entries.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or if it is invalid; then the error has the line.
    pub fn load(path: &Path) -> Result<Survivors, SurvivorsError> {
        match std::fs::read_to_string(path) {
            Ok(text) => Survivors::parse(path, &text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Survivors::parse(path, ""),
            Err(source) => Err(SurvivorsError::Io { path: path.to_owned(), source }),
        }
    }

    /// Parses the text of a file. Errors refer to it as `path`.
    ///
    /// # Errors
    /// Fails if the text is invalid; the error has the line.
    pub fn parse(path: &Path, text: &str) -> Result<Survivors, SurvivorsError> {
        let line_of = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
        let data = |line: usize, reason: String| SurvivorsError::Data { path: path.to_owned(), line, reason };
        let file: File = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(span.start));
            data(line, error.message().to_owned())
        })?;
        let mut entries = Vec::new();
        for raw in file.survivor {
            let line = line_of(raw.span().start);
            let raw = raw.into_inner();
            if raw.reason.trim().is_empty() {
                return Err(data(line, "the reason is empty".to_owned()));
            }
            let fate = match raw.fate {
                RawFate::Survives => Fate::Survived,
                RawFate::Unchanged => Fate::Unchanged,
            };
            let mutants = raw.mutant.all();
            for operator in raw.op.all() {
                let operator = operator_named(&operator).map_err(|error| data(line, error))?;
                for mutant in &mutants {
                    let (operator, mutant) = (operator.clone(), mutant.clone());
                    entries.push(Entry { line, operator, mutant, fate, gap: raw.gap });
                }
            }
        }
        Ok(Survivors { path: path.to_owned(), entries })
    }

    /// Returns `None` if this survivor is not known. Otherwise returns whether it is a gap in our tests; if not, the
    /// mutant is equivalent to the correct backend.
    pub fn knows(&self, result: &MutantResult) -> Option<bool> {
        self.entries.iter().find(|entry| entry.is_about(result)).map(|entry| entry.gap)
    }

    /// Lists the entries that match no result. An entry is listed only if all cells of its operator are selected or a
    /// result is about this operator.
    pub fn stale(&self, results: &[MutantResult], selection: &Selection) -> Vec<String> {
        let selected = |entry: &&Entry| {
            let (name, since) = &entry.operator;
            let of_entry = |result: &&MutantResult| {
                result.version.qualified_name() == *name && since.is_none_or(|since| since == result.version.since)
            };
            selection.has_all_of(Some((name, *since))) || results.iter().any(|result| of_entry(&result))
        };
        let unmet = |entry: &&Entry| !results.iter().any(|result| entry.is_about(result));
        let line = |entry: &Entry| {
            let id = match &entry.operator {
                (name, Some(since)) => format!("{name}-{since}"),
                (name, None) => name.clone(),
            };
            let fate = if entry.fate == Fate::Unchanged { "is unchanged" } else { "survives" };
            format!("{}:{}: no mutant {} of {id} {fate} any more", self.path.display(), entry.line, entry.mutant)
        };
        self.entries.iter().filter(selected).filter(unmet).map(line).collect()
    }
}

impl Entry {
    fn is_about(&self, result: &MutantResult) -> bool {
        let OperatorId { since, .. } = &result.version;
        self.fate == result.fate
            && self.mutant == result.name
            && self.operator.0 == result.version.qualified_name()
            && self.operator.1.is_none_or(|s| s == *since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selftest::mutants::MutantKind;

    fn result(name: &str, fate: Fate) -> MutantResult {
        MutantResult {
            version: "Clip-13".parse().unwrap(),
            name: name.to_owned(),
            kind: MutantKind::Rounding,
            place: None,
            fate,
            changed: 1,
            failed: 0,
            survived: None,
        }
    }

    fn parse(text: &str) -> Result<Survivors, String> {
        Survivors::parse(Path::new("survivors.toml"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn survivors_match_entries_and_unmatched_entries_are_stale() {
        let text = "[[survivor]]\nop = [\"Clip-13\", \"Clip-12\"]\nmutant = \"a\"\nreason = \"r\"\n";
        let known = parse(text).unwrap();
        assert_eq!(known.knows(&result("a", Fate::Survived)), Some(false));
        assert_eq!(known.knows(&result("a", Fate::Unchanged)), None);
        assert_eq!(known.knows(&result("b", Fate::Survived)), None);
        let all = Selection::default();
        let stale = known.stale(&[result("a", Fate::Survived)], &all);
        assert_eq!(stale, ["survivors.toml:1: no mutant a of Clip-12 survives any more"]);
        assert_eq!(known.stale(&[result("a", Fate::Killed)], &all).len(), 2);
        let other = Selection::new(&["Floor"], &[""; 0]).unwrap();
        assert!(known.stale(&[], &other).is_empty());
    }

    #[test]
    fn errors_name_the_line() {
        let entry =
            |more: &str| parse(&format!("\n[[survivor]]\nop = \"Clip\"\nmutant = \"a\"\n{more}\n")).unwrap_err();
        assert_eq!(entry("reason = ''"), "survivors.toml:2: the reason is empty");
        assert!(entry("reason = 'r'\nwhy = 'r'").starts_with("survivors.toml:6: unknown field `why`"));
        assert!(parse("[[survivor]]\nop = \"Clipp\"\nmutant = \"a\"\nreason = \"r\"").unwrap_err().contains(":1: "));
    }
}

//! What a site is about: backends, their versions, and the steps from version to version.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::gather::Runs;
use super::history::Record;
use super::names::{Origin, file_name, step_name};
use super::record::{OperatorKey, RunFacts};
use crate::Counts;
use crate::comparison::{Comparison, Pairs, Side, SideFacts, Signatures};

/// All runs of a site.
pub(super) struct Model {
    pub backends: Vec<Backend>,
}

/// A backend with all its versions.
pub(super) struct Backend {
    pub name: String,
    /// The name of its files, without an extension.
    pub file: String,
    /// The versions, the oldest first.
    pub versions: Vec<Version>,
    /// The facts of all runs, the oldest first.
    pub runs: Vec<RunFacts>,
    /// The records of all runs, the oldest first.
    pub records: Vec<Record>,
}

/// A version of a backend.
pub(super) struct Version {
    /// The version that the backend states, or an empty text if it states none.
    pub name: String,
    pub file: String,
    /// The runs with results as indices into [`Backend::records`], the newest first. Any two of these runs differ in
    /// seed, profile or version of Plumbline.
    places: Vec<usize>,
}

/// A step from one version of a backend to the next.
pub(super) struct Step<'a> {
    pub from: &'a Version,
    pub to: &'a Version,
    /// A run of each version, both with the same cases: the newest such pair, if there is one.
    pub runs: Option<[&'a Record; 2]>,
    /// The comparison of these runs.
    pub comparison: Option<Comparison>,
}

impl Model {
    pub fn new(runs: Runs) -> Model {
        let mut by_name: BTreeMap<String, Vec<Record>> = BTreeMap::new();
        for ((name, ..), record) in runs {
            by_name.entry(name).or_default().push(record);
        }
        Model { backends: by_name.into_iter().map(|(name, records)| Backend::new(name, records)).collect() }
    }
}

impl Backend {
    fn new(name: String, mut records: Vec<Record>) -> Backend {
        records.sort_by(|one, other| {
            let key = |record: &Record| (record.facts.started.clone(), record.facts.version.clone());
            key(one).cmp(&key(other))
        });
        let mut versions: Vec<Version> = Vec::new();
        for (place, record) in records.iter().enumerate().rev() {
            if record.operators.is_none() {
                continue;
            }
            let version = record.facts.version.clone().unwrap_or_default();
            match versions.iter_mut().find(|known| known.name == version) {
                Some(known) => known.places.push(place),
                None => {
                    // `file_name` never returns this: it writes two hexadecimal digits or a second `~` after a `~`.
                    let file = match version.is_empty() {
                        true => "none~".to_owned(),
                        false => file_name(&version, Origin::Anywhere),
                    };
                    versions.push(Version { name: version, file, places: vec![place] });
                }
            }
        }
        versions.sort_by(|one, other| compare_versions(&one.name, &other.name));
        let runs = records.iter().map(|record| record.facts.clone()).collect();
        Backend { file: file_name(&name, Origin::Anywhere), name, versions, runs, records }
    }

    /// Returns the newest run of a version.
    pub fn newest(&self, version: &Version) -> &Record {
        &self.records[version.places[0]]
    }

    /// Returns the steps from version to version, the oldest first.
    pub fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        self.versions.windows(2).map(|pair| {
            let (from, to) = (&pair[0], &pair[1]);
            let runs = self.comparable(from, to);
            Step { from, to, runs, comparison: runs.map(compare) }
        })
    }

    /// Returns a run of each version, both with the same cases: the newest such pair, if there is one.
    fn comparable(&self, from: &Version, to: &Version) -> Option<[&Record; 2]> {
        let records = |version: &Version| version.places.iter().map(|&place| &self.records[place]).collect::<Vec<_>>();
        let older = records(from);
        records(to).into_iter().find_map(|new| {
            let base = older.iter().find(|base| base.facts.basis() == new.facts.basis())?;
            Some([*base, new])
        })
    }
}

/// Compares two runs of a backend that have the same cases.
fn compare([base, new]: [&Record; 2]) -> Comparison {
    let mut pairs = Pairs::new(Signatures::Agree);
    let empty = BTreeMap::new();
    let [old_operators, new_operators] = [base, new].map(|record| record.operators.as_ref().unwrap_or(&empty));
    let mut keys: Vec<&OperatorKey> = old_operators.keys().chain(new_operators.keys()).collect();
    keys.sort();
    keys.dedup();
    for key in keys {
        // `Pairs::add` refuses a second result of a case, but no record has one.
        for (side, record, operators) in [(Side::Base, base, old_operators), (Side::New, new, new_operators)] {
            if let Some(operator) = operators.get(key) {
                let label = record.facts.label();
                operator.rows(key, &label).for_each(|row| _ = pairs.add(side, row));
            }
        }
    }
    let counted = pairs.finish();
    let side = |record: &Record, at: usize| SideFacts {
        folder: String::new(),
        backend: record.facts.label(),
        selector: record.facts.selector.clone(),
        started: Some(record.facts.started.clone()),
        results: counted.results[at],
        not_run: counted.not_run[at],
        incomplete: record.facts.incomplete.clone(),
    };
    Comparison {
        base: side(base, 0),
        new: side(new, 1),
        seed: Some(new.facts.seed.clone()),
        profile: Some(new.facts.profile.clone()),
        project_version: Some(new.facts.project_version.clone()),
        signatures: Signatures::Agree,
        counted,
    }
}

impl Version {
    /// Returns the version as pages show it.
    pub fn shown(&self) -> &str {
        if self.name.is_empty() { "no version" } else { &self.name }
    }
}

impl Step<'_> {
    /// Returns the name of the file of the step, without an extension.
    pub fn file(&self) -> String {
        step_name(&self.from.file, &self.to.file)
    }
}

/// A share of cases: `part` of `whole`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    pub part: u64,
    pub whole: u64,
}

impl Share {
    /// The share of right answers (pass and latitude) among those that were judged.
    pub fn right(counts: &Counts) -> Share {
        let part = counts.pass + counts.latitude;
        Share { part, whole: part + counts.bad() }
    }

    /// The share of judged cases among those that were tried.
    pub fn supported(counts: &Counts) -> Share {
        let part = Share::right(counts).whole;
        Share { part, whole: part + counts.unsupported }
    }

    /// Returns the share in tenths of a percent, rounded down, so that it is 100 percent only if nothing is missing.
    pub fn permille(self) -> Option<u64> {
        (self.part * 1000).checked_div(self.whole)
    }

    /// Returns the share as pages show it: `93.1 %`, or a dash if the whole is zero.
    pub fn text(self) -> String {
        match self.permille() {
            Some(permille) => format!("{}.{} %", permille / 10, permille % 10),
            None => "–".to_owned(),
        }
    }
}

/// Compares versions: numbers in them by their value, everything else as text.
fn compare_versions(one: &str, other: &str) -> Ordering {
    let pieces = |text: &str| -> Vec<(Option<u64>, String)> {
        let pieces = text.split(|c: char| !c.is_ascii_alphanumeric());
        pieces.map(|piece| (piece.parse().ok(), piece.to_owned())).collect()
    };
    for (a, b) in pieces(one).into_iter().zip(pieces(other)) {
        let order = match (a.0, b.0) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => a.1.cmp(&b.1),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    (one.len(), one).cmp(&(other.len(), other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        let sorted = ["", "1.9.0", "1.20.1", "1.30.0", "1.30.0.1", "2", "6_4", "10"];
        for (at, one) in sorted.iter().enumerate() {
            for (place, other) in sorted.iter().enumerate() {
                assert_eq!(compare_versions(one, other), at.cmp(&place), "{one} {other}");
            }
        }
    }

    #[test]
    fn shares_are_rounded_down() {
        let share = |part, whole| Share { part, whole }.text();
        assert_eq!(share(9_999, 10_000), "99.9 %");
        assert_eq!(share(10, 10), "100.0 %");
        assert_eq!(share(0, 10), "0.0 %");
        assert_eq!(share(0, 0), "–");
        let counts =
            Counts { pass: 5, latitude: 1, fail: 2, crash: 1, unsupported: 9, not_run: 7, ..Counts::default() };
        assert_eq!(Share::right(&counts), Share { part: 6, whole: 9 });
        assert_eq!(Share::supported(&counts), Share { part: 9, whole: 18 });
    }
}

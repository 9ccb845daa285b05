//! What failing cases have in common: features that no passing case of the same operator version has.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use plumbline_generator::case_of;
use serde::Serialize;

use super::state::failure;
use crate::bounded::{Bounded, Count};
use crate::text::fnv;
use plumbline_conformance::{CaseResult, Verdict};

/// The largest number of failing cases of each kind, and of passing cases, whose features are compared.
const MAX_CASES: usize = 100;
/// The largest number of features that are named for a kind of failure.
const MAX_FEATURES: usize = 3;
/// A feature that fewer failing cases have says nothing about them.
const LEAST_CASES: u64 = 2;
/// A feature of less than this part of the failing cases, one in so many, is chance.
const LEAST_PART: u64 = 4;

/// How cases of an operator version failed alike, and what they have in common.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failures {
    /// The kind of failure as in results, or `crash`, `timeout` or `device-lost`.
    pub kind: &'static str,
    /// Whether the cases are invalid, so that the backend has to refuse them.
    pub invalid: bool,
    /// The number of failures.
    pub count: u64,
    /// One of the cases: the first in the order of ids, of those that were compared.
    pub case: String,
    /// The number of failing cases whose features were compared with those of passing cases.
    pub compared: u64,
    /// The number of passing cases that they were compared with.
    pub passing: u64,
    /// Features that at least two, and at least a quarter, of the compared failing cases have, and no compared passing
    /// case.
    pub features: Vec<FeatureCount>,
}

/// A feature, and how many of the compared failing cases have it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FeatureCount {
    /// The feature as in expectations (`attribute axis given`), a type (`T=float16`), or `violates RULE`.
    pub feature: String,
    /// The number of failing cases with it.
    pub count: u64,
}

/// The types of a case and the rule that it violates, by its id. The other features are drawn.
type Facts = Vec<String>;

/// Some cases of an operator version, chosen by the hash of their ids, so that the order of results does not matter.
#[derive(Debug)]
struct Sample(Bounded<(u64, String), Facts>);

impl Count for Facts {
    fn count(&self) -> u64 {
        1
    }
}

impl Default for Sample {
    fn default() -> Sample {
        Sample(Bounded::new(MAX_CASES))
    }
}

impl Sample {
    fn add(&mut self, result: &CaseResult) {
        self.0.add((fnv(&result.case), result.case.clone()), |_| {}, || facts(result));
    }

    /// Returns the ids of the cases with their features.
    /// Of invalid cases only the types and the rule count: what else they are is chance.
    fn features(&self, invalid: bool, drawn: &mut Drawn) -> Vec<(&str, Vec<String>)> {
        let with_features = |((_, case), facts): (&'_ (u64, String), &Facts)| {
            let drawn = if invalid { Rc::default() } else { drawn.features(case) };
            facts.iter().chain(drawn.iter()).cloned().collect::<Vec<_>>()
        };
        let features: Vec<Vec<String>> = self.0.kept.iter().map(with_features).collect();
        self.0.kept.keys().map(|(_, case)| case.as_str()).zip(features).collect()
    }
}

/// Returns the types of a case, and the rule that it violates.
fn facts(result: &CaseResult) -> Facts {
    let types = result.types.iter().map(|(variable, type_)| format!("{variable}={type_}"));
    let violated = result.rule.iter().filter(|_| result.is_negative()).map(|rule| format!("violates {rule}"));
    types.chain(violated).collect()
}

/// The features of cases that were drawn again, by their ids: several backends have the same cases.
#[derive(Debug)]
pub(super) struct Drawn {
    /// Whether this program draws the cases that the results are of.
    pub is_possible: bool,
    known: HashMap<String, Rc<[String]>>,
}

impl Drawn {
    pub fn new(is_possible: bool) -> Drawn {
        Drawn { is_possible, known: HashMap::new() }
    }

    /// Returns the features of a generated case. Other cases have none.
    fn features(&mut self, case: &str) -> Rc<[String]> {
        if !self.is_possible {
            return Rc::default();
        }
        match self.known.get(case) {
            Some(features) => features.clone(),
            None => {
                let features: Rc<[String]> = case_of(case).map(|case| case.features).unwrap_or_default().into();
                self.known.insert(case.to_owned(), features.clone());
                features
            }
        }
    }
}

/// The cases of an operator version on one backend whose features are compared.
#[derive(Debug, Default)]
pub(super) struct Compared {
    /// The number of failures and some of the cases, by kind and by whether they are invalid.
    failing: BTreeMap<(&'static str, bool), (u64, Sample)>,
    /// Valid cases that pass, and invalid ones.
    passing: [Sample; 2],
}

impl Compared {
    pub fn add(&mut self, result: &CaseResult) {
        let invalid = result.is_negative();
        if let Some(kind) = failure(result) {
            let (count, sample) = self.failing.entry((kind, invalid)).or_default();
            *count += 1;
            sample.add(result);
        } else if matches!(result.verdict, Verdict::Pass | Verdict::Latitude) {
            self.passing[usize::from(invalid)].add(result);
        }
    }

    /// Returns the kinds of failures, the most frequent first.
    pub fn finish(&self, drawn: &mut Drawn) -> Vec<Failures> {
        let mut all: Vec<Failures> = Vec::new();
        for ((kind, invalid), (count, sample)) in &self.failing {
            let passing = self.passing[usize::from(*invalid)].features(*invalid, drawn);
            let failing = sample.features(*invalid, drawn);
            all.push(Failures {
                kind,
                invalid: *invalid,
                count: *count,
                case: failing.iter().map(|(case, _)| *case).min().unwrap_or_default().to_owned(),
                compared: failing.len() as u64,
                passing: passing.len() as u64,
                features: distinguishing(&features_only(failing), &features_only(passing)),
            });
        }
        all.sort_by(|one, other| {
            other.count.cmp(&one.count).then((one.kind, one.invalid).cmp(&(other.kind, other.invalid)))
        });
        all
    }
}

fn features_only(cases: Vec<(&str, Vec<String>)>) -> Vec<Vec<String>> {
    cases.into_iter().map(|(_, features)| features).collect()
}

/// Returns features that no passing case has: first the one that most failing cases have, then the one that most of the
/// others have, and so on. Without passing cases there is nothing to compare with, and no feature is returned.
fn distinguishing(failing: &[Vec<String>], passing: &[Vec<String>]) -> Vec<FeatureCount> {
    let mut found = Vec::new();
    if passing.is_empty() {
        return found;
    }
    let of_failing = |cases: &[&Vec<String>]| -> BTreeMap<String, u64> {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for case in cases {
            let mut features: Vec<&String> = case.iter().collect();
            features.sort();
            features.dedup();
            for feature in features {
                *counts.entry(feature.clone()).or_default() += 1;
            }
        }
        counts.retain(|feature, count| *count >= LEAST_CASES && !passing.iter().any(|case| case.contains(feature)));
        counts
    };
    let mut all = of_failing(&failing.iter().collect::<Vec<_>>());
    all.retain(|_, count| *count * LEAST_PART >= failing.len() as u64);
    let mut left: Vec<&Vec<String>> = failing.iter().collect();
    while found.len() < MAX_FEATURES {
        let counts = of_failing(&left).into_iter().filter(|(feature, _)| all.contains_key(feature));
        // Of several features, the one that more failing cases have in all, and then the first by name.
        let best = counts
            .into_iter()
            .max_by_key(|(feature, count)| (*count, all.get(feature).copied(), std::cmp::Reverse(feature.clone())));
        let Some((feature, _)) = best else { break };
        left.retain(|case| !case.contains(&feature));
        found.push(FeatureCount { count: all.get(&feature).copied().unwrap_or_default(), feature });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(texts: &[&str]) -> Vec<Vec<String>> {
        texts.iter().map(|text| text.split(',').map(str::to_owned).collect()).collect()
    }

    fn found(failing: &[&str], passing: &[&str]) -> Vec<(String, u64)> {
        let found = distinguishing(&cases(failing), &cases(passing));
        found.into_iter().map(|one| (one.feature, one.count)).collect()
    }

    #[test]
    fn features_that_no_passing_case_has_are_named() {
        let named = |feature: &str, count| (feature.to_owned(), count);
        assert_eq!(found(&["a,b", "a,c"], &["b", "c"]), [named("a", 2)]);
        assert_eq!(found(&["a,b,z", "a,c,z"], &["b", "z"]), [named("a", 2)]);
        assert_eq!(found(&["a", "a", "b,a", "b", "b", "c"], &["d"]), [named("a", 3), named("b", 3)]);
        assert_eq!(found(&["a,a", "b"], &["d"]), [], "one case proves nothing");
        assert_eq!(found(&["a", "a", "b", "c", "e", "f", "g", "h", "i"], &["d"]), [], "two of nine are chance");
        assert_eq!(found(&["a", "a"], &["a"]), []);
        assert_eq!(found(&["a", "a"], &[]), [], "there is nothing to compare with");
    }

    #[test]
    fn features_of_cases_are_drawn_again() {
        let case = "Softmax-13/T=float/0@0";
        let drawn = case_of(case).unwrap().features;
        assert!(!drawn.is_empty());
        assert_eq!(*Drawn::new(true).features(case), *drawn);
        assert!(Drawn::new(false).features(case).is_empty());
        assert!(Drawn::new(true).features("onnx:1.23.2/node/test_min_int8").is_empty());
    }

    #[test]
    fn the_order_of_results_does_not_matter() {
        let result = |index: u64, verdict| CaseResult {
            case: format!("Softmax-13/T=float/{index}@0"),
            suite: "generated".to_owned(),
            types: BTreeMap::from([(
                "T".to_owned(),
                if index.is_multiple_of(2) { "float" } else { "double" }.to_owned(),
            )]),
            verdict,
            ..CaseResult::default()
        };
        let results: Vec<CaseResult> = (0..400)
            .map(|index| result(index, if index.is_multiple_of(2) { Verdict::Pass } else { Verdict::Crash }))
            .collect();
        let failures = |results: &mut dyn Iterator<Item = &CaseResult>| {
            let mut compared = Compared::default();
            results.for_each(|result| compared.add(result));
            compared.finish(&mut Drawn::new(false))
        };
        let (one, other) = (failures(&mut results.iter()), failures(&mut results.iter().rev()));
        assert_eq!(one, other);
        assert_eq!((one[0].kind, one[0].count, one[0].compared), ("crash", 200, MAX_CASES as u64));
        assert_eq!(one[0].features, [FeatureCount { feature: "T=double".to_owned(), count: MAX_CASES as u64 }]);
    }
}

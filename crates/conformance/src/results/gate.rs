//! The policy of a gate: decides whether a run conforms, and lists what the run leaves unknown.

use std::fmt;

use plumbline_backend::Identity;

use crate::results::outcome::Outcome;

/// What a run has to satisfy besides having no unexpected results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The number of judged cases that each backend needs. Unsupported cases and those that were not run do not count.
    pub floor: u64,
    /// Whether an expectation that matches nothing fails the run.
    pub stale: bool,
    /// Whether the run has to reach every cell, to give every attribute and optional input, and to leave each of them
    /// out where that is valid.
    pub coverage: bool,
}

impl Default for Gate {
    /// At least one judged case for each backend.
    fn default() -> Gate {
        Gate { floor: 1, stale: false, coverage: false }
    }
}

/// What a gate decides about a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Nothing fails the run: every fault of a backend is expected.
    Conforms,
    /// Something fails the run. Each field counts the causes of one kind.
    DoesNotConform {
        /// Results that are not expected.
        unexpected: u64,
        /// Cases on which our own oracle and generator disagree.
        broken: usize,
        /// Expectations that match nothing. The number is 0 unless [`Gate::stale`] is set.
        stale: usize,
        /// Expectations that describe more results than they may.
        exceeded: usize,
        /// Cells without a case, and attributes and optional inputs that no case gives, or that no case leaves out. The
        /// number is 0 unless [`Gate::coverage`] is set.
        unreached: usize,
    },
    /// A backend had fewer judged cases than the floor.
    TooFewCases {
        /// The backend.
        backend: String,
        /// How many of its cases were judged.
        judged: u64,
        /// The floor.
        floor: u64,
    },
    /// Some work gave no result, or there was no work at all.
    NoResult {
        /// Pieces of work without a result.
        pieces: usize,
    },
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Decision::Conforms => f.write_str("conforms"),
            Decision::DoesNotConform { unexpected, broken, stale, exceeded, unreached } => {
                write!(f, "does not conform: {unexpected} unexpected results, {stale} stale expectations")?;
                if *broken > 0 {
                    write!(f, ", {broken} errors of our own")?;
                }
                if *exceeded > 0 {
                    write!(f, ", {exceeded} expectations that describe more results than they may")?;
                }
                if *unreached > 0 {
                    write!(f, ", {unreached} cells, attributes and inputs not reached")?;
                }
                Ok(())
            }
            Decision::TooFewCases { backend, judged, floor } => {
                write!(f, "{backend}: fewer judged cases than the floor: {judged} of {floor}")
            }
            Decision::NoResult { pieces } => match pieces {
                0 => f.write_str("there are no results"),
                _ => write!(f, "{pieces} pieces of work have no result"),
            },
        }
    }
}

impl Gate {
    /// Decides about a run. `unreached` is the number of cells, attributes and optional inputs that its cases should
    /// have reached and did not. It is 0 for a shard, because the other shards may reach them.
    pub fn decide(&self, outcome: &Outcome, unreached: usize) -> Decision {
        for (backend, counts) in &outcome.counts {
            let judged = counts.iter().filter(|(verdict, _)| verdict.is_judged()).map(|(_, count)| count).sum();
            if judged < self.floor {
                return Decision::TooFewCases { backend: backend.clone(), judged, floor: self.floor };
            }
        }
        if outcome.counts.is_empty() || !outcome.missing.is_empty() {
            return Decision::NoResult { pieces: outcome.missing.len() };
        }
        let stale = if self.stale { outcome.stale.len() } else { 0 };
        let unreached = if self.coverage { unreached } else { 0 };
        let (unexpected, broken, exceeded) = (outcome.unexpected_count, outcome.broken.len(), outcome.exceeded.len());
        if unexpected == 0 && broken == 0 && stale == 0 && exceeded == 0 && unreached == 0 {
            return Decision::Conforms;
        }
        Decision::DoesNotConform { unexpected, broken, stale, exceeded, unreached }
    }
}

/// Returns whether the backend with this name runs DirectML itself, and not our device in software.
pub fn runs_directml(backend: &str) -> bool {
    ["directml", "onnxruntime-directml", "onnxruntime-dml"].contains(&backend)
}

/// Returns sentences about what a run leaves unknown.
pub fn limits(backends: &[Identity], outcome: &Outcome) -> Vec<String> {
    let mut limits = Vec::new();
    if !backends.iter().any(|backend| runs_directml(&backend.name)) {
        limits.push("Nothing here has run on DirectML.".to_owned());
    }
    limits.push(
        "Where the specification does not decide, a difference is a finding (latitude), not a failure.".to_owned(),
    );
    if let Some(unreached) = &outcome.unreached {
        limits.push(format!("This run is incomplete: {unreached}."));
    }
    for (backend, count) in &outcome.unjudged {
        limits.push(format!("Nothing is known about {}.", unjudged(backend, *count)));
    }
    for (count, what) in [
        (outcome.missing.len(), "pieces of work that gave no result at all"),
        (outcome.broken.len(), "cases on which our own oracle and generator disagree"),
    ] {
        if count > 0 {
            limits.push(format!("Nothing is known about {count} {what}; the run's output lists them."));
        }
    }
    limits
}

/// Names the cases that say nothing about a backend, because it refuses them and does not answer their twins.
pub fn unjudged(backend: &str, count: u64) -> String {
    format!(
        "{count} invalid or undecided cases on {backend}, which refuses them and does not answer the valid cases next \
         to them"
    )
}

#[cfg(test)]
mod tests {
    use plumbline_judge::Verdict;

    use super::*;

    fn outcome(counts: &[(Verdict, u64)]) -> Outcome {
        let mut outcome = Outcome::default();
        outcome.counts.insert("rten 0.27.0".to_owned(), counts.iter().copied().collect());
        outcome
    }

    fn decided(gate: Gate, outcome: &Outcome) -> String {
        gate.decide(outcome, 2).to_string()
    }

    #[test]
    fn a_run_without_results_never_conforms() {
        let gate = Gate { floor: 0, ..Gate::default() };
        assert_eq!(gate.decide(&Outcome::default(), 0), Decision::NoResult { pieces: 0 });
        let mut missing = outcome(&[(Verdict::Pass, 5)]);
        missing.missing.push("Min-13/T=float".to_owned());
        assert_eq!(gate.decide(&missing, 0), Decision::NoResult { pieces: 1 });
    }

    #[test]
    fn unsupported_cases_do_not_count_for_the_floor() {
        let some = outcome(&[(Verdict::Unsupported, 90), (Verdict::NotRun, 5), (Verdict::Latitude, 1)]);
        assert_eq!(decided(Gate::default(), &some), "conforms");
        let two = Gate { floor: 2, ..Gate::default() };
        assert_eq!(decided(two, &some), "rten 0.27.0: fewer judged cases than the floor: 1 of 2");
    }

    #[test]
    fn stale_and_unreached_count_where_they_are_asked_for() {
        let mut some = outcome(&[(Verdict::Pass, 1)]);
        some.stale.push("rten.toml:1".to_owned());
        assert_eq!(decided(Gate::default(), &some), "conforms");
        let stale = Gate { stale: true, ..Gate::default() };
        assert_eq!(decided(stale, &some), "does not conform: 0 unexpected results, 1 stale expectations");
        let coverage = Gate { coverage: true, ..Gate::default() };
        assert!(decided(coverage, &some).ends_with("2 cells, attributes and inputs not reached"));
    }

    #[test]
    fn unexpected_results_and_errors_of_our_own_fail() {
        let mut some = outcome(&[(Verdict::Pass, 1), (Verdict::Fail, 1)]);
        some.unexpected_count = 1;
        assert!(decided(Gate::default(), &some).starts_with("does not conform: 1 unexpected results"));
        let mut broken = outcome(&[(Verdict::Pass, 1)]);
        broken.broken.push("Min-13/T=float/0@0: the oracle refuses a valid case".to_owned());
        assert!(decided(Gate::default(), &broken).ends_with("1 errors of our own"));
    }

    #[test]
    fn limits_speak_of_directml_where_nothing_ran_on_it() {
        let named = |name: &str| Identity { name: name.to_owned(), version: String::new() };
        let never = |names: &[&str]| {
            let backends: Vec<Identity> = names.iter().map(|name| named(name)).collect();
            limits(&backends, &Outcome::default())[0].starts_with("Nothing here has run on DirectML")
        };
        assert!(never(&["cpu", "directml-software"]));
        assert!(!never(&["cpu", "directml"]) && !never(&["onnxruntime-directml"]));
    }
}

//! Compares the results of two runs, or of two backends of one run, case by case.
//!
//! [`compare`] reads results of both sides alternately and counts what became of each case ([`Change`]). [`Comparison`]
//! has the counts and the causes, with an example of each cause; [`Comparison::text`], [`Comparison::markdown`],
//! [`Comparison::json`] and [`crate::comparison_page`] show the counts and the causes. The exit code of a comparison
//! follows from [`Comparison::is_regression`].

mod change;
mod documents;
mod pairs;
mod runs;

use plumbline_conformance::replay_command;

pub use change::{Change, SideResult, Signatures};
pub(crate) use documents::{detail, listed, operator, plural, signatures, title, what};
pub use pairs::{Cause, Counted, Pairs, Side};
pub use runs::{CompareError, RunSide, SideFacts, compare};

/// The facts about both sides of a comparison, and what became of their cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The side that the new one is compared with.
    pub base: SideFacts,
    /// The side that is new.
    pub new: SideFacts,
    /// The seed of the cases.
    pub seed: Option<String>,
    /// The profile of both runs.
    pub profile: Option<String>,
    /// The version of Plumbline that made the cases.
    pub project_version: Option<String>,
    /// Whether the signatures of the sides can be compared.
    pub signatures: Signatures,
    /// The counts and causes.
    pub counted: Counted,
}

impl Comparison {
    /// Returns the number of cases with this change.
    pub fn count(&self, change: Change) -> u64 {
        self.counted.counts.get(&change).copied().unwrap_or(0)
    }

    /// Returns the number of cases that have a result on both sides.
    pub fn compared(&self) -> u64 {
        let one_sided = [Change::New, Change::Gone];
        Change::ALL.into_iter().filter(|change| !one_sided.contains(change)).map(|change| self.count(change)).sum()
    }

    /// Returns the number of cases that were right and are not right any more.
    pub fn regressions(&self) -> u64 {
        Change::ALL.into_iter().filter(|change| change.is_regression()).map(|change| self.count(change)).sum()
    }

    /// Returns whether any case has regressed.
    pub fn is_regression(&self) -> bool {
        self.regressions() > 0
    }

    /// Returns the causes of a change: those with the most cases first.
    pub fn causes(&self, change: Change) -> impl Iterator<Item = &Cause> {
        self.counted.causes.iter().filter(move |cause| cause.change == change)
    }

    /// Returns the commands that replay the example of a cause on the base side and on the new side, quoted for a
    /// shell. They begin with `program`. There is no command for a side that has no result of the case, or whose
    /// `run.json` does not say how the backend is selected.
    pub fn replays(&self, cause: &Cause, program: &str) -> [Option<String>; 2] {
        [(&self.base, &cause.base), (&self.new, &cause.new)].map(|(side, state)| {
            state.as_ref()?;
            side.selector.as_ref().map(|selector| replay_command(program, &cause.case, selector, None))
        })
    }

    /// Returns sentences about what the comparison does not show: results that are missing, and signatures that cannot
    /// be compared.
    pub fn limits(&self) -> Vec<String> {
        let mut limits = Vec::new();
        for (name, side) in [("base", &self.base), ("new", &self.new)] {
            if let Some(why) = &side.incomplete {
                limits.push(format!("Results are missing on the {name} side ({}). {why}", side.backend));
            }
            if side.not_run > 0 {
                limits.push(format!(
                    "The run left {} cases without an answer on the {name} side ({}); they count as missing.",
                    side.not_run, side.backend
                ));
            }
        }
        let one_sided = self.count(Change::New) + self.count(Change::Gone);
        if one_sided > 0 {
            limits.push(format!(
                "{one_sided} cases have a result on one side only. They count as new or gone, never as fixed or regressed."
            ));
        }
        if self.signatures == Signatures::Differ {
            limits.push(
                "The backends have different names, so their signatures cannot be compared: failures of the same kind \
                 count as the same."
                    .to_owned(),
            );
        }
        limits
    }
}

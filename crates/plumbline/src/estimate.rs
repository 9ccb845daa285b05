//! Says after the first seconds how long a run will take, and what would fit into ten minutes.

use std::collections::BTreeSet;
use std::time::Duration;

use plumbline_conformance::{Settings, Work};
use plumbline_tensor::DType;

use crate::output::counted;

/// The time into which the proposals fit.
const SHORT: Duration = Duration::from_secs(600);

/// What a run has to do.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The cases of all pieces.
    cases: u64,
    /// Those of cells whose first type variable is bound to float.
    float: u64,
    /// The number of operators.
    operators: usize,
}

impl Plan {
    /// Counts the cases of a run's work.
    pub fn new(settings: &Settings, work: &[Work]) -> Plan {
        let (number, count) = settings.shard;
        let share = |cases: u64| cases / count.max(number).max(1);
        let is_float = |piece: &&Work| {
            let bound = piece.cell().and_then(|cell| cell.bound.as_ref());
            bound.is_some_and(|(_, bound)| bound.leaf_dtype() == DType::Float)
        };
        let operators: BTreeSet<String> = work.iter().map(Work::operator).collect();
        Plan {
            cases: share(work.iter().map(|piece| settings.count_of(piece)).sum()),
            float: share(work.iter().filter(is_float).map(|piece| settings.count_of(piece)).sum()),
            operators: operators.len(),
        }
    }

    /// Returns the time that the rest of the run takes, if `cases` cases took this time.
    pub fn left(&self, cases: u64, took: Duration) -> Option<Duration> {
        let whole = self.whole(cases, took)?;
        Some(whole.saturating_sub(took))
    }

    fn whole(&self, cases: u64, took: Duration) -> Option<Duration> {
        (cases > 0).then(|| Duration::try_from_secs_f64(took.as_secs_f64() * self.cases as f64 / cases as f64).ok())?
    }

    /// Says how long the run takes, and what fits into ten minutes. Returns `None` if the run itself does.
    pub fn advice(&self, cases: u64, took: Duration) -> Option<String> {
        let whole = self.whole(cases, took).filter(|whole| *whole > SHORT)?;
        let share = |cases: u64| whole.mul_f64(cases as f64 / self.cases.max(1) as f64);
        let mut text = format!(
            "at this speed, the {} take about {}; `--time 10m` runs the most informative ones first",
            counted(self.cases, "case"),
            rounded(whole)
        );
        if self.float > 0 && self.float < self.cases {
            text += &format!(", `--dtype float` takes about {}", rounded(share(self.float)));
        }
        let fitting = (self.operators as f64 * SHORT.as_secs_f64() / whole.as_secs_f64()) as usize;
        if fitting > 0 && self.operators > 1 {
            text += &format!(", and about {fitting} of the {} operators fit into ten minutes", self.operators);
        }
        Some(text)
    }
}

/// Returns a time as people say it: `40 s`, `12 min`, `2 h 5 min`.
pub fn rounded(time: Duration) -> String {
    match time.as_secs() {
        seconds @ ..100 => format!("{seconds} s"),
        seconds @ 100..6000 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_run_is_told_what_fits() {
        let plan = Plan { cases: 100_000, float: 10_000, operators: 200 };
        // Five cases a second.
        let advice = plan.advice(50, Duration::from_secs(10)).unwrap();
        assert_eq!(
            advice,
            "at this speed, the 100000 cases take about 5 h 33 min; `--time 10m` runs the most informative ones first, \
             `--dtype float` takes about 33 min, and about 6 of the 200 operators fit into ten minutes"
        );
        assert_eq!(plan.advice(5000, Duration::from_secs(10)), None);
        assert_eq!(plan.advice(0, Duration::from_secs(10)), None);
        assert_eq!(plan.left(5000, Duration::from_secs(10)), Some(Duration::from_secs(190)));
    }

    #[test]
    fn times_are_rounded() {
        let times = [99, 100, 5999, 6000, 7500].map(|seconds| rounded(Duration::from_secs(seconds)));
        assert_eq!(times, ["99 s", "2 min", "100 min", "1 h 40 min", "2 h 5 min"]);
    }
}

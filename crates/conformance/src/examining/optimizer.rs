//! What a backend's graph optimizer has to do with a failure.

use std::time::{Duration, Instant};

use plumbline_judge::{FailKind, Judgement, Verdict};

use crate::examining::examine::examine_one;
use crate::examining::packs::is_right;
use crate::examining::prepared::PreparedCase;
use crate::examining::repro::Failure;
use crate::results::OptimizerFault;
use crate::subjects::Subject;

/// The most passes that are named together. If more seem to be needed, the failure comes and goes, as one that depends on
/// memory that nothing has written, and it tells no pass from another.
const MOST_PASSES: usize = 4;

/// Runs the graph without the optimizer and, if the backend is right then, looks for the passes that make the
/// difference: again and again, a part of them that is enough takes the place of all. If several passes are enough, the
/// one that is applied last is taken, because the earlier ones only make the place for it.
pub(super) fn of_optimizer(subject: &Subject, failure: &Failure, deadline: Duration) -> Option<OptimizerFault> {
    let optimizer = subject.optimizer.as_ref()?;
    let start = Instant::now();
    if !is_right_without(subject, &[], failure, deadline) {
        return None;
    }
    // A backend that hangs does so in about half of the following runs. One that takes much longer than the right one hangs.
    let much_longer = Duration::from_secs(1) + 20 * start.elapsed();
    let deadline = if failure.judgement.verdict == Verdict::Timeout { deadline.min(much_longer) } else { deadline };
    let is_right_without = |passes: &[String]| is_right_without(subject, passes, failure, deadline);
    let all = &optimizer.passes;
    if all.is_empty() || !is_right_without(all) {
        return Some(OptimizerFault::default());
    }
    let mut passes = all.clone();
    while passes.len() > 1 {
        let half = passes.len().div_ceil(2);
        match passes.chunks(half).rev().find(|part| is_right_without(part)) {
            Some(part) => passes = part.to_vec(),
            None => break,
        }
    }
    // Passes on both sides of the middle are needed together. Others may be among them.
    let mut at = 0;
    while passes.len() > 1 && at < passes.len() {
        let mut fewer = passes.clone();
        fewer.remove(at);
        if is_right_without(&fewer) { passes = fewer } else { at += 1 }
    }
    Some(if passes.len() > MOST_PASSES { OptimizerFault::default() } else { OptimizerFault { passes } })
}

/// Returns whether the failure is still one of the optimizer: without the passes that make the difference, the backend
/// answers the case correctly. True for a failure that has nothing to do with an optimizer.
pub(super) fn is_still_of_optimizer(subject: &Subject, first: &Failure, found: &Failure, deadline: Duration) -> bool {
    match &first.optimizer {
        Some(fault) => is_right_without(subject, &fault.passes, found, deadline),
        None => true,
    }
}

/// Returns whether the backend has an optimizer, and says without it that it does not support the case.
pub(super) fn is_undecided_without(subject: &Subject, failure: &Failure, deadline: Duration) -> bool {
    judged_without(subject, &[], failure, deadline).is_some_and(|found| found.verdict == Verdict::Unsupported)
}

/// Returns whether the backend without these passes, or without its optimizer if there are none, answers a case
/// correctly, or only inaccurately where its answer is wrong otherwise.
fn is_right_without(subject: &Subject, passes: &[String], failure: &Failure, deadline: Duration) -> bool {
    let is_wrong = failure.judgement.kind == Some(FailKind::WrongValue);
    judged_without(subject, passes, failure, deadline)
        .is_some_and(|found| is_right(&found) || is_wrong && found.kind == Some(FailKind::Inaccurate))
}

fn judged_without(subject: &Subject, passes: &[String], failure: &Failure, deadline: Duration) -> Option<Judgement> {
    let variant = subject.optimizer.as_ref()?.without(passes)?;
    // What only a further run shows has to be looked for with this run.
    let prepared = PreparedCase::with_runs(failure.case.clone(), failure.further.clone());
    Some(examine_one(&variant, &prepared, &failure.right, deadline).judgement().clone())
}

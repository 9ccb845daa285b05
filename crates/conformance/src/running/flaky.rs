//! Failures that do not come back.

use crate::results::{CaseResult, Expectations};
use crate::subjects::Subject;
use plumbline_judge::{FailKind, Judgement, Reason, Verdict};

/// Returns whether a failure that nobody expects does not come back when `again` runs its case in another process.
/// Once one failure of a signature has come back, the others are taken to come back as well. That two threads get in each
/// other's way need not come back, and is a failure nevertheless.
pub(crate) fn is_flaky(
    result: &CaseResult,
    features: &[String],
    subject: &Subject,
    expectations: &[Expectations],
    again: impl FnOnce(&Subject) -> bool,
) -> bool {
    let may_come_back = result.verdict.is_bad() && result.kind != Some(FailKind::Concurrent);
    let Some(signature) = result.signature.as_ref().filter(|_| may_come_back) else { return false };
    let mut concerned = expectations.iter().filter(|expectations| expectations.concerns(&result.backend));
    if subject.is_confirmed(signature) || concerned.any(|expectations| expectations.describes(result, features)) {
        return false;
    }
    let comes_back = again(subject.apart());
    if comes_back {
        subject.confirm(signature.clone());
    }
    !comes_back
}

/// Returns the judgement of a failure that did not come back when its case was run again.
pub(crate) fn flaky(judgement: Judgement) -> Judgement {
    let what = judgement.kind.map_or_else(|| judgement.verdict.to_string(), |kind| kind.name().to_owned());
    let class = format!("flaky {what}");
    let judgement = judgement.because(|found| Reason::Flaky { what, found });
    Judgement { verdict: Verdict::Fail, kind: Some(FailKind::Flaky), class, ..judgement }
}

//! What became of a case from one run to another.

use plumbline_conformance::{FailKind, Verdict};
use serde::Serialize;

/// What became of a case from the base run to the new run.
///
/// *Right* is a pass or a latitude, and *failing* a fail, a crash, a timeout or a lost device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Was right, and is now failing.
    Regressed,
    /// Was right, and is now unsupported.
    NoLongerSupported,
    /// Was failing, and is now failing in another way.
    Changed,
    /// Was unsupported, and is now failing.
    SupportedButFailing,
    /// Was failing, and is now right.
    Fixed,
    /// Was unsupported, and is now right.
    NowSupported,
    /// Was failing, and is now unsupported.
    Withdrawn,
    /// The same verdict and kind on both sides, but the largest error is far larger than before, in units of the error that
    /// is usual for its element.
    LessAccurate,
    /// Right on both sides, but only one side has the preferred answer. The other has another answer that is allowed.
    OtherLatitude,
    /// An invalid case that is refused on both sides. On one side the refusal does not count: the backend said that it
    /// does not support the case, or it does not answer the valid twin of the case.
    OtherRefusal,
    /// A failure that did not come back when its case was run again, on one side or on both.
    Flaky,
    /// Only the new run has a result.
    New,
    /// Only the base run has a result.
    Gone,
    /// The same verdict on both sides. Two failures also have the same kind and, if signatures can be compared, the
    /// same signature.
    Same,
}

impl Change {
    /// All changes, in the order of a report: what needs attention comes first.
    pub const ALL: [Change; 14] = [
        Change::Regressed,
        Change::NoLongerSupported,
        Change::Changed,
        Change::SupportedButFailing,
        Change::Fixed,
        Change::NowSupported,
        Change::Withdrawn,
        Change::LessAccurate,
        Change::OtherLatitude,
        Change::OtherRefusal,
        Change::Flaky,
        Change::New,
        Change::Gone,
        Change::Same,
    ];

    /// Returns whether the change is a regression: a case that was right is not right any more.
    ///
    /// A case that is no longer supported is a regression, because a model that needs it no longer runs. A case that
    /// was unsupported and fails now is not a regression: nobody got a right answer to it before. Neither is an invalid
    /// case that is now refused as unsupported: it was refused before, too.
    pub fn is_regression(self) -> bool {
        matches!(self, Change::Regressed | Change::NoLongerSupported)
    }

    /// Returns the word that stands for the change in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Change::Regressed => "regressed",
            Change::NoLongerSupported => "no-longer-supported",
            Change::Changed => "changed",
            Change::SupportedButFailing => "supported-but-failing",
            Change::Fixed => "fixed",
            Change::NowSupported => "now-supported",
            Change::Withdrawn => "withdrawn",
            Change::LessAccurate => "less-accurate",
            Change::OtherLatitude => "other-latitude",
            Change::OtherRefusal => "other-refusal",
            Change::Flaky => "flaky",
            Change::New => "new",
            Change::Gone => "gone",
            Change::Same => "same",
        }
    }

    /// Returns what happened, for people.
    pub fn meaning(self) -> &'static str {
        match self {
            Change::Regressed => "was right, now failing",
            Change::NoLongerSupported => "was right, now unsupported",
            Change::Changed => "was failing, now failing in another way",
            Change::SupportedButFailing => "was unsupported, now failing",
            Change::Fixed => "was failing, now right",
            Change::NowSupported => "was unsupported, now right",
            Change::Withdrawn => "was failing, now unsupported",
            Change::LessAccurate => "the same on both sides, but with errors that are more than four times as large",
            Change::OtherLatitude => "right on both sides, but only one has the preferred answer",
            Change::OtherRefusal => "an invalid case, refused on both sides, for a reason that counts on one side only",
            Change::Flaky => "a failure that did not come back, on one side or on both",
            Change::New => "a result in the new run only",
            Change::Gone => "a result in the base run only",
            Change::Same => "the same on both sides",
        }
    }

    /// Returns whether an example shows the base side, because the failure is there or the new side has no result.
    pub(crate) fn shows_base(self) -> bool {
        matches!(self, Change::Fixed | Change::Withdrawn | Change::Gone)
    }
}

/// The result of a case on one side. The order only serves to sort.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct SideResult {
    /// The verdict.
    pub verdict: Verdict,
    /// How the case failed.
    pub kind: Option<FailKind>,
    /// The signature of the failure.
    pub signature: Option<String>,
}

impl SideResult {
    /// Returns the verdict and the kind of failure: `fail (wrong-value)`.
    pub fn what(&self) -> String {
        match self.kind {
            Some(kind) => format!("{} ({})", self.verdict, kind.name()),
            None => self.verdict.to_string(),
        }
    }

    fn is_right(&self) -> bool {
        matches!(self.verdict, Verdict::Pass | Verdict::Latitude)
    }

    fn is_flaky(&self) -> bool {
        self.kind == Some(FailKind::Flaky)
    }

    /// Returns whether two failures are alike.
    fn is_like(&self, other: &SideResult, signatures: Signatures) -> bool {
        let is_same_kind = (self.verdict, self.kind) == (other.verdict, other.kind);
        is_same_kind && (signatures == Signatures::Differ || self.signature == other.signature)
    }
}

/// How much larger the largest error has to be on the new side for [`Change::LessAccurate`].
const GROWTH: f64 = 4.0;

/// The error ratio that stands for an absent one: an answer without an error worth measuring hardly has more.
const UNMEASURED: f64 = 4.0;

/// Returns whether the largest error grew, in usual errors. An error ratio is absent if no error is worth measuring.
pub(crate) fn is_less_accurate(base: Option<f64>, new: Option<f64>) -> bool {
    new.is_some_and(|new| new > GROWTH * base.unwrap_or(UNMEASURED).max(1.0))
}

/// Whether the signatures of two sides can be compared. The name of a backend is part of a signature, and its version
/// is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signatures {
    /// The sides have backends of the same name: failures with different signatures differ.
    Agree,
    /// The sides have backends of different names, so that all signatures differ.
    Differ,
}

/// Returns what became of a case that has a result on both sides. `is_invalid` says whether the case is invalid on
/// purpose; a pass is then a refusal.
pub(crate) fn change(base: &SideResult, new: &SideResult, is_invalid: bool, signatures: Signatures) -> Change {
    if base.is_flaky() || new.is_flaky() {
        return Change::Flaky;
    }
    match (base.verdict, new.verdict) {
        (Verdict::Pass, Verdict::Unsupported) | (Verdict::Unsupported, Verdict::Pass) if is_invalid => {
            return Change::OtherRefusal;
        }
        _ => {}
    }
    match (base, new) {
        _ if base.is_right() && new.is_right() => {
            if base.verdict == new.verdict {
                Change::Same
            } else {
                Change::OtherLatitude
            }
        }
        _ if base.is_right() && new.verdict.is_bad() => Change::Regressed,
        _ if base.is_right() => Change::NoLongerSupported,
        _ if base.verdict.is_bad() && new.is_right() => Change::Fixed,
        _ if base.verdict.is_bad() && new.verdict.is_bad() => {
            if base.is_like(new, signatures) {
                Change::Same
            } else {
                Change::Changed
            }
        }
        _ if base.verdict.is_bad() => Change::Withdrawn,
        _ if new.is_right() => Change::NowSupported,
        _ if new.verdict.is_bad() => Change::SupportedButFailing,
        _ => Change::Same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(verdict: Verdict) -> SideResult {
        let is_fail = verdict == Verdict::Fail;
        let signature = verdict.is_bad().then(|| format!("Min-{verdict}-00000001"));
        SideResult { verdict, kind: is_fail.then_some(FailKind::WrongValue), signature }
    }

    #[test]
    fn every_pair_of_verdicts_has_a_change() {
        use Verdict::{Crash, DeviceLost, Fail, Latitude, Pass, Timeout, Unsupported};
        let change = |base, new| change(&state(base), &state(new), false, Signatures::Agree);
        for bad in [Fail, Crash, Timeout, DeviceLost] {
            for right in [Pass, Latitude] {
                assert_eq!(change(right, bad), Change::Regressed);
                assert_eq!(change(bad, right), Change::Fixed);
            }
            assert_eq!(change(Unsupported, bad), Change::SupportedButFailing);
            assert_eq!(change(bad, Unsupported), Change::Withdrawn);
            for other in [Fail, Crash, Timeout, DeviceLost] {
                let expected = if bad == other { Change::Same } else { Change::Changed };
                assert_eq!(change(bad, other), expected, "{bad} {other}");
            }
        }
        for right in [Pass, Latitude] {
            assert_eq!(change(right, Unsupported), Change::NoLongerSupported);
            assert_eq!(change(Unsupported, right), Change::NowSupported);
            assert_eq!(change(right, right), Change::Same);
        }
        assert_eq!(change(Unsupported, Unsupported), Change::Same);
        assert_eq!(change(Pass, Latitude), Change::OtherLatitude);
        assert_eq!(change(Latitude, Pass), Change::OtherLatitude);
    }

    #[test]
    fn a_failure_of_another_kind_or_signature_has_changed() {
        let base = state(Verdict::Fail);
        let kind = SideResult { kind: Some(FailKind::RejectsValid), ..base.clone() };
        let signature = SideResult { signature: Some("Min-wrong-value-00000002".to_owned()), ..base.clone() };
        assert_eq!(change(&base, &kind, false, Signatures::Agree), Change::Changed);
        assert_eq!(change(&base, &signature, false, Signatures::Agree), Change::Changed);
        // Signatures of different backends always differ, and therefore are not compared.
        assert_eq!(change(&base, &signature, false, Signatures::Differ), Change::Same);
        assert_eq!(change(&base, &kind, false, Signatures::Differ), Change::Changed);
    }

    #[test]
    fn an_invalid_case_that_is_refused_as_unsupported_does_not_regress() {
        let change = |base, new| change(&state(base), &state(new), true, Signatures::Agree);
        assert_eq!(change(Verdict::Pass, Verdict::Unsupported), Change::OtherRefusal);
        assert_eq!(change(Verdict::Unsupported, Verdict::Pass), Change::OtherRefusal);
        assert_eq!(change(Verdict::Pass, Verdict::Fail), Change::Regressed);
        assert_eq!(change(Verdict::Fail, Verdict::Unsupported), Change::Withdrawn);
        assert_eq!(change(Verdict::Unsupported, Verdict::Unsupported), Change::Same);
    }

    #[test]
    fn errors_that_grew_by_more_than_a_factor_of_four_are_noticed() {
        for (base, new) in
            [(Some(2.0), Some(8.1)), (None, Some(17.0)), (Some(0.1), Some(4.1)), (Some(100.0), Some(401.0))]
        {
            assert!(is_less_accurate(base, new), "{base:?} {new:?}");
            assert!(!is_less_accurate(new, base), "{new:?} {base:?}");
        }
        for (base, new) in
            [(Some(2.0), Some(8.0)), (None, Some(15.0)), (None, None), (Some(9.0), None), (Some(0.1), Some(3.0))]
        {
            assert!(!is_less_accurate(base, new), "{base:?} {new:?}");
        }
    }

    #[test]
    fn flaky_failures_are_kept_apart() {
        let flaky = SideResult { kind: Some(FailKind::Flaky), ..state(Verdict::Fail) };
        for verdict in [Verdict::Pass, Verdict::Fail, Verdict::Unsupported] {
            assert_eq!(change(&flaky, &state(verdict), false, Signatures::Agree), Change::Flaky);
            assert_eq!(change(&state(verdict), &flaky, false, Signatures::Agree), Change::Flaky);
        }
        assert_eq!(change(&flaky, &flaky, false, Signatures::Agree), Change::Flaky);
    }

    #[test]
    fn only_what_was_right_can_regress() {
        let regressions: Vec<Change> = Change::ALL.into_iter().filter(|change| change.is_regression()).collect();
        assert_eq!(regressions, [Change::Regressed, Change::NoLongerSupported]);
        for change in Change::ALL {
            assert_eq!(serde_json::to_value(change).unwrap(), change.name());
        }
    }
}

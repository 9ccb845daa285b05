//! The judgement of one case on one backend.

use plumbline_spec::OperatorId;

use super::message;
use crate::reason::{ElementError, Explanation, Reason};
use crate::verdict::{FailKind, Verdict};

/// An accepted answer is noted if its largest error is more than this many usual errors. Those of ONNX Runtime to cases of
/// 36 operators have four at most (docs/decisions/usual-errors.md).
pub const NOTABLE_RATIO: f64 = 8.0;

/// The judgement of one case on one backend.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// How the case failed.
    pub kind: Option<FailKind>,
    /// Why the case has this verdict.
    pub reason: Reason,
    /// The class of the difference, without the particulars of the case. It is the same for failures that are alike.
    pub class: String,
    /// The largest distance of an accepted element from the preferred answer, in ULP. If an element is wrong, the
    /// largest distance of a wrong element instead.
    pub max_ulp: Option<f64>,
    /// The widest accepted interval, in ULP.
    pub width_ulp: Option<f64>,
    /// The largest error of an element in units of its usual error, which says how accurate an accepted answer is: nothing
    /// is judged by it. It is measured for answers that are accepted or inaccurate, if an element has an error of more
    /// than two ULP and more than an eighth of what is accepted. [`crate::error_ratios`] computes it.
    pub error_ratio: Option<f64>,
    /// The wall time of the backend's run, in seconds; 0 if it is not known.
    pub seconds: f64,
}

impl Judgement {
    /// Returns the judgement of a case that was not run or cannot be judged.
    pub fn not_run(reason: impl Into<Reason>) -> Judgement {
        Judgement::other(Verdict::NotRun, "not run", reason, 0.0)
    }

    /// Returns what happened, in words.
    pub fn detail(&self) -> Option<String> {
        self.reason.text()
    }

    /// Says that an accepted answer is far less accurate than others, if its largest error is.
    pub fn note_on_accuracy(&self) -> Option<String> {
        let is_accepted = matches!(self.verdict, Verdict::Pass | Verdict::Latitude);
        let ratio = self.error_ratio.filter(|ratio| is_accepted && *ratio > NOTABLE_RATIO)?;
        Some(format!("within the bound, but the largest error is {} times the usual one", ratio.round()))
    }

    /// Turns an unsupported valid case into a failure, because the backend claims to support the operator version.
    pub fn of_claimed(self, version: &OperatorId) -> Judgement {
        let class = format!("claimed: {}", message::class(&self.detail().unwrap_or_default()));
        let reason = Reason::Claimed { version: version.clone(), found: Box::new(self.reason) };
        Judgement::fail(FailKind::RejectsValid, class, reason, self.seconds)
    }

    /// Returns the same judgement for a further reason.
    pub fn because(self, reason: impl FnOnce(Box<Reason>) -> Reason) -> Judgement {
        Judgement { reason: reason(Box::new(self.reason)), ..self }
    }

    /// Returns the judgement of the same answer as one that is inaccurate, and not wrong.
    pub fn inaccurate(self, by: Explanation, error: ElementError) -> Judgement {
        let judgement = self.because(|found| Reason::Inaccurate { by, error, found });
        Judgement { kind: Some(FailKind::Inaccurate), ..judgement }
    }

    /// Returns a judgement with this verdict and nothing to say about it. `seconds` is the time of the backend's run.
    pub fn new(verdict: Verdict, seconds: f64) -> Judgement {
        let (reason, class) = (Reason::Right, String::new());
        Judgement { verdict, kind: None, reason, class, max_ulp: None, width_ulp: None, error_ratio: None, seconds }
    }

    /// Returns the judgement of a failure of this kind.
    pub fn fail(kind: FailKind, class: impl Into<String>, reason: impl Into<Reason>, seconds: f64) -> Judgement {
        Judgement { kind: Some(kind), ..Judgement::other(Verdict::Fail, class, reason, seconds) }
    }

    /// Returns a judgement with this verdict and no kind of failure.
    pub fn other(verdict: Verdict, class: impl Into<String>, reason: impl Into<Reason>, seconds: f64) -> Judgement {
        Judgement { reason: reason.into(), class: class.into(), ..Judgement::new(verdict, seconds) }
    }
}

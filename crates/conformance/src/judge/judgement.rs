//! The judgement of one case on one backend.

use plumbline_graph::Refusal;
use plumbline_spec::OperatorId;

use super::message;
use crate::{FailKind, Verdict};

/// The judgement of one case on one backend.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// How the case failed.
    pub kind: Option<FailKind>,
    /// What happened, in words.
    pub detail: Option<String>,
    /// The class of the difference, without the particulars of the case. It is the same for failures that are alike.
    pub class: String,
    /// The largest distance of an accepted element from the preferred answer, in ULP. If an element is wrong, the
    /// largest distance of a wrong element instead.
    pub max_ulp: Option<f64>,
    /// The widest accepted interval, in ULP.
    pub width_ulp: Option<f64>,
    /// The wall time of the backend's run, in seconds; 0 if it is not known.
    pub seconds: f64,
}

impl Judgement {
    /// Returns the judgement of a case that was not run or cannot be judged.
    pub fn not_run(reason: &str) -> Judgement {
        Judgement::other(Verdict::NotRun, "not run", reason, 0.0)
    }

    /// Turns an unsupported valid case into a failure, because the backend claims to support the operator version.
    pub(crate) fn of_claimed(self, version: &OperatorId) -> Judgement {
        let text = self.detail.unwrap_or_default();
        let class = format!("claimed: {}", message::class(&text));
        Judgement::fail(FailKind::RejectsValid, class, format!("the backend claims {version}: {text}"), self.seconds)
    }

    /// Turns a refusal that a rule seemed to allow into a failure, because the backend refuses for another reason. `why`
    /// says how this is known.
    pub(crate) fn not_excused(self, refusal: &Refusal, why: &str) -> Judgement {
        let text = refusal.to_string();
        Judgement::fail(FailKind::RejectsValid, message::class(&text), format!("{why}: {text}"), self.seconds)
    }

    pub(super) fn new(verdict: Verdict, seconds: f64) -> Judgement {
        Judgement { verdict, kind: None, detail: None, class: String::new(), max_ulp: None, width_ulp: None, seconds }
    }

    pub(super) fn fail(kind: FailKind, class: impl Into<String>, detail: impl Into<String>, seconds: f64) -> Judgement {
        Judgement {
            kind: Some(kind),
            detail: Some(detail.into()),
            class: class.into(),
            ..Judgement::new(Verdict::Fail, seconds)
        }
    }

    pub(super) fn other(
        verdict: Verdict,
        class: impl Into<String>,
        detail: impl Into<String>,
        seconds: f64,
    ) -> Judgement {
        Judgement { detail: Some(detail.into()), class: class.into(), ..Judgement::new(verdict, seconds) }
    }
}

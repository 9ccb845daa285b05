//! Verdicts on cases.

use plumbline_graph::RefusalKind;
use serde::{Deserialize, Serialize};

/// The verdict on one case on one backend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The answer is accepted, or the backend refused an invalid case.
    Pass,
    /// The answer is wrong; [`FailKind`] says how.
    Fail,
    /// The backend's process died, or the backend panicked.
    Crash,
    /// The backend did not answer in time.
    Timeout,
    /// The device on which the backend computes was lost.
    DeviceLost,
    /// The backend reports that it does not support the case, or refuses an invalid case without answering its twin.
    Unsupported,
    /// The specification leaves the outcome open, and the backend gave another answer than the preferred one or refused
    /// the case; or nothing says what is right for a mutated case.
    Latitude,
    /// There is no verdict: the run ended before the case, the backend could not be reached, the case could not be
    /// read, or nothing says what is right for a case that is not mutated.
    #[default]
    NotRun,
}

/// The way in which an answer is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailKind {
    /// An element lies outside the accepted values.
    WrongValue,
    /// Elements lie outside the accepted values, and their errors are those of a less accurate computation.
    Inaccurate,
    /// An output has another shape or length.
    WrongShape,
    /// An output has another type.
    WrongType,
    /// The backend refused a valid case, or does not support one that it claims to support.
    RejectsValid,
    /// The backend refuses a valid case, and says itself that it has the operator and not this attribute, shape or form.
    Limit,
    /// The backend does not run a valid model after its own optimizer has changed it, and loads it without the optimizer.
    Optimizer,
    /// The backend rewrites models, and made an invalid model of a valid one.
    BreaksModel,
    /// The backend rewrites models, and what it made of a valid model has other inputs or outputs: one is missing, or has
    /// another name or type.
    BreaksInterface,
    /// The backend answered an invalid case.
    AcceptsInvalid,
    /// The reply is no answer to the case: it has too few or too many outputs, has the number of another request, or is
    /// not a valid frame.
    Garbage,
    /// A further run of the session with the same inputs gave other bits.
    Nondeterministic,
    /// A session that has run before gives no accepted answer to inputs that a fresh session answers correctly.
    LeaksState,
    /// While the session runs on two threads at the same time, it gives no accepted answer to inputs that it answers
    /// correctly one after the other.
    Concurrent,
    /// In a model that joins it with other cases the case is not answered correctly, and alone it is.
    InPack,
    /// The failure did not come back when the case was run again in another process.
    Flaky,
}

impl FailKind {
    /// Returns the word that the file format uses.
    pub fn name(self) -> &'static str {
        match self {
            FailKind::WrongValue => "wrong-value",
            FailKind::Inaccurate => "inaccurate",
            FailKind::WrongShape => "wrong-shape",
            FailKind::WrongType => "wrong-type",
            FailKind::RejectsValid => "rejects-valid",
            FailKind::Limit => "limit",
            FailKind::Optimizer => "optimizer",
            FailKind::BreaksModel => "breaks-model",
            FailKind::BreaksInterface => "breaks-interface",
            FailKind::AcceptsInvalid => "accepts-invalid",
            FailKind::Garbage => "garbage",
            FailKind::Nondeterministic => "nondeterministic",
            FailKind::LeaksState => "leaks-state",
            FailKind::Concurrent => "concurrent",
            FailKind::InPack => "in-pack",
            FailKind::Flaky => "flaky",
        }
    }
}

impl From<RefusalKind> for FailKind {
    /// Returns the kind of the failure if a backend refuses a valid case in this way.
    fn from(refusal: RefusalKind) -> FailKind {
        match refusal {
            RefusalKind::Limit => FailKind::Limit,
            RefusalKind::Optimizer => FailKind::Optimizer,
            RefusalKind::BreaksModel => FailKind::BreaksModel,
            RefusalKind::BreaksInterface => FailKind::BreaksInterface,
            RefusalKind::Unsupported
            | RefusalKind::NotInferred
            | RefusalKind::Invalid
            | RefusalKind::Failed
            | RefusalKind::DeviceLost => FailKind::RejectsValid,
        }
    }
}

impl Verdict {
    /// Returns whether the verdict shows a fault of the backend. Such a verdict fails a run unless an expectation
    /// covers it. [`Verdict::NotRun`] is not included: it says nothing about the backend.
    pub fn is_bad(self) -> bool {
        match self {
            Verdict::Fail | Verdict::Crash | Verdict::Timeout | Verdict::DeviceLost => true,
            Verdict::Pass | Verdict::Unsupported | Verdict::Latitude | Verdict::NotRun => false,
        }
    }

    /// Returns whether the backend's answer was judged. A case that is unsupported or was not run has no answer.
    pub fn is_judged(self) -> bool {
        !matches!(self, Verdict::Unsupported | Verdict::NotRun)
    }

    /// Returns the word that the file format uses.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Crash => "crash",
            Verdict::Timeout => "timeout",
            Verdict::DeviceLost => "device-lost",
            Verdict::Unsupported => "unsupported",
            Verdict::Latitude => "latitude",
            Verdict::NotRun => "not-run",
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

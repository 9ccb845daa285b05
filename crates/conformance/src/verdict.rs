//! Verdicts, and the lines of `results.jsonl`.

use std::collections::BTreeMap;

use plumbline_generator::Case;
use plumbline_spec::OperatorId;
use serde::{Deserialize, Serialize};

use crate::expectations::Blame;
use crate::judge::Judgement;
use crate::signature::signature;
use crate::{ReasonKind, Subject};

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
    /// An output has another shape or length.
    WrongShape,
    /// An output has another type.
    WrongType,
    /// The backend refused a valid case, or does not support one that it claims to support.
    RejectsValid,
    /// The backend answered an invalid case.
    AcceptsInvalid,
    /// The reply is no answer to the case: it has too few or too many outputs, has the number of another request, or is
    /// not a valid frame.
    Garbage,
    /// A further run of the session with the same inputs gave other bits.
    Nondeterministic,
    /// A session that has run before gives no accepted answer to inputs that a fresh session answers correctly.
    LeaksState,
    /// The failure did not come back when the case was run again in another process.
    Flaky,
}

/// Why a verdict is expected, in the words of the expectation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Who is at fault.
    pub blame: Blame,
    /// The reason for the difference, as the expectation states it.
    pub reason: String,
}

/// One line of `results.jsonl`: one case on one backend.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseResult {
    /// The stable id of the case.
    pub case: String,
    /// The suite: `generated`, `negative`, `mutated`, `regressions`, `onnx:1.23.2`.
    pub suite: String,
    /// The domain of the operator: `ai.onnx` for the default domain, and if the case is not about a single operator.
    pub domain: String,
    /// The operator. If the case is not about a single one, the name of the published case, or `graph`.
    pub op: String,
    /// The version of the operator, or 0 if the case is not about a single one.
    pub since: u32,
    /// The type that each type variable is bound to (`T` -> `float16`).
    pub types: BTreeMap<String, String>,
    /// The name and version of the backend: `onnxruntime 1.31.1`.
    pub backend: String,
    /// The verdict.
    pub verdict: Verdict,
    /// How the case failed.
    #[serde(default)]
    pub kind: Option<FailKind>,
    /// The verdict of the matching expectation, if one matches.
    #[serde(default)]
    pub expected_verdict: Option<Verdict>,
    /// Why `expected_verdict` is expected. Results that older versions of Plumbline wrote do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
    /// The signature of the failure. Failures that are alike share it.
    #[serde(default)]
    pub signature: Option<String>,
    /// What happened, in words: the message of the refusal, or the first wrong element.
    #[serde(default)]
    pub detail: Option<String>,
    /// The rule that is violated, or that allows or leaves open what happened. Results of older versions of Plumbline
    /// have neither this key nor `reason`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Why the case has this verdict, where it does not follow from `verdict` and `kind`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<ReasonKind>,
    /// The largest distance of an element from the preferred answer, in units in the last place of the output's type.
    /// Only wrong elements count if there are any.
    #[serde(default)]
    pub max_ulp: Option<f64>,
    /// The widest accepted interval of the case, in the same units.
    #[serde(default)]
    pub width_ulp: Option<f64>,
    /// The wall time of the backend's run, in seconds.
    #[serde(default)]
    pub seconds: f64,
    /// The seed of the case; absent for published and kept cases.
    #[serde(default)]
    pub seed: Option<String>,
}

impl CaseResult {
    /// Returns the name of the operator with its domain: `Min`, `ai.onnx.ml.Scaler`.
    pub fn operator(&self) -> String {
        OperatorId::new(&self.domain, &self.op, self.since).qualified_name()
    }

    /// Records the judgement of a case on a backend. The caller sets the seed, if the case has one.
    pub(crate) fn new(case: &Case, suite: &str, subject: &Subject, judgement: &Judgement) -> CaseResult {
        CaseResult {
            case: case.id.clone(),
            suite: suite.to_owned(),
            domain: case.version.domain.clone(),
            op: case.version.name.clone(),
            since: case.version.since,
            types: case.types.clone(),
            backend: subject.identity.to_string(),
            verdict: judgement.verdict,
            kind: judgement.kind,
            expected_verdict: None,
            known: None,
            signature: signature(&case.version.name, &subject.identity.name, judgement),
            detail: detail(case, judgement),
            rule: judgement.reason.rule().map(|label| label.to_string()),
            reason: judgement.reason.kind(),
            max_ulp: judgement.max_ulp,
            width_ulp: judgement.width_ulp,
            seconds: judgement.seconds,
            seed: None,
        }
    }
}

/// Returns the detail of a judgement, preceded by what was changed at random in the case.
fn detail(case: &Case, judgement: &Judgement) -> Option<String> {
    let changes = Some(case.origin.changes()).filter(|changes| !changes.is_empty()).map(|changes| changes.join("; "));
    let parts: Vec<String> = changes.into_iter().chain(judgement.detail()).collect();
    (!parts.is_empty()).then(|| parts.join(": "))
}

impl FailKind {
    /// Returns the word that the file format uses.
    pub fn name(self) -> &'static str {
        match self {
            FailKind::WrongValue => "wrong-value",
            FailKind::WrongShape => "wrong-shape",
            FailKind::WrongType => "wrong-type",
            FailKind::RejectsValid => "rejects-valid",
            FailKind::AcceptsInvalid => "accepts-invalid",
            FailKind::Garbage => "garbage",
            FailKind::Nondeterministic => "nondeterministic",
            FailKind::LeaksState => "leaks-state",
            FailKind::Flaky => "flaky",
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

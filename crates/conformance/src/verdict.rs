//! Verdicts, and the lines of `results.jsonl`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What is said of one case on one backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The answer is accepted, or an invalid case was refused.
    Pass,
    /// The answer is wrong; [`FailKind`] says how.
    Fail,
    /// The backend's process died.
    Crash,
    /// The backend did not answer in time.
    Timeout,
    /// The device that the backend computes on was gone.
    DeviceLost,
    /// The backend says that it does not do this.
    Unsupported,
    /// The answer differs where the specification does not decide.
    Latitude,
    /// There is no answer: the run ended before, or the backend could not be reached.
    NotRun,
}

/// How an answer is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailKind {
    /// An element lies outside what is accepted.
    WrongValue,
    /// An output has another shape or length.
    WrongShape,
    /// An output has another type.
    WrongType,
    /// A valid case was refused.
    RejectsValid,
    /// An invalid case was answered.
    AcceptsInvalid,
    /// What came back is no answer to the case: too few outputs, another case's number, bytes that are no frame.
    Garbage,
    /// A session that was run again with the same inputs gave other bits.
    Nondeterministic,
    /// A session that has run before gives a wrong answer to inputs that a fresh session answers rightly.
    LeaksState,
}

/// One line of `results.jsonl`: one case on one backend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseResult {
    /// Stable id of the case.
    pub case: String,
    /// `generated`, `negative`, `onnx:1.23.2`, `regressions`.
    pub suite: String,
    /// Domain of the operator, `ai.onnx` for the default one; empty for a graph of several operators.
    pub domain: String,
    /// Operator, or the name of the published case's group.
    pub op: String,
    /// Version of the operator.
    pub since: u32,
    /// What each type variable is bound to (`T` -> `float16`).
    pub types: BTreeMap<String, String>,
    /// Name and version of the backend: `onnxruntime 1.31.1`.
    pub backend: String,
    /// The verdict.
    pub verdict: Verdict,
    /// How it failed.
    #[serde(default)]
    pub kind: Option<FailKind>,
    /// The verdict an expectation states, where one matches.
    #[serde(default)]
    pub expected_verdict: Option<Verdict>,
    /// Names the failure together with those that are alike.
    #[serde(default)]
    pub signature: Option<String>,
    /// What happened, in words; the refusal's message, the first wrong element.
    #[serde(default)]
    pub detail: Option<String>,
    /// Largest distance from the oracle's middle answer, in units in the last place of the output's type.
    #[serde(default)]
    pub max_ulp: Option<f64>,
    /// Widest accepted interval of the case, in the same units.
    #[serde(default)]
    pub width_ulp: Option<f64>,
    /// Wall time of the backend's run.
    #[serde(default)]
    pub seconds: f64,
    /// Seed of the case; none for published ones.
    #[serde(default)]
    pub seed: Option<String>,
}

impl FailKind {
    /// The word of the file format.
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
        }
    }
}

impl Verdict {
    /// Whether it fails a run, unless an expectation states it, or the run itself was cut short.
    pub fn is_bad(self) -> bool {
        match self {
            Verdict::Fail | Verdict::Crash | Verdict::Timeout | Verdict::DeviceLost => true,
            Verdict::Pass | Verdict::Unsupported | Verdict::Latitude | Verdict::NotRun => false,
        }
    }

    /// The word of the file format.
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

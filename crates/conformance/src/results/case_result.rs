//! The lines of `results.jsonl`.

use std::collections::BTreeMap;

use plumbline_generator::Case;
use plumbline_judge::{FailKind, Judgement, NOTABLE_RATIO, ReasonKind, Verdict, hash, signature};
use plumbline_spec::OperatorId;
use serde::{Deserialize, Serialize};

use crate::subjects::Subject;

/// The suite of valid cases that recipes draw.
pub(crate) const GENERATED: &str = "generated";

/// The suite of cases that violate a constraint.
pub(crate) const NEGATIVE: &str = "negative";

/// What a case of several operators is called in place of an operator.
pub(crate) const GRAPH: &str = "graph";

/// Returns the suite that shows failures of this kind: a backend that accepts invalid cases shows it only in [`NEGATIVE`].
pub(crate) fn suite_of(kind: Option<FailKind>) -> &'static str {
    if kind == Some(FailKind::AcceptsInvalid) { NEGATIVE } else { GENERATED }
}

/// Who is at fault for a known difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Blame {
    /// The backend.
    Backend,
    /// The release of ONNX that the backend contains: the body of a function or the shape inference is wrong there.
    Onnx,
    /// The specification, which contradicts itself.
    Specification,
    /// The published case, which is wrong.
    Suite,
    /// Nobody: the backend has a limit, but does not report it by refusing the case as unsupported.
    Limit,
}

impl Blame {
    /// Returns the name that stands for this value in expectations and results.
    pub fn name(self) -> &'static str {
        match self {
            Blame::Backend => "backend",
            Blame::Onnx => "onnx",
            Blame::Specification => "specification",
            Blame::Suite => "suite",
            Blame::Limit => "limit",
        }
    }
}

/// A failure that goes away when the backend runs the same model without its graph optimizer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptimizerFault {
    /// The passes without which the backend is right, by the backend's own names. Usually it is one; several have to be
    /// left out together. Empty if the failure stays when all passes are left out that can be left out by name, and goes
    /// away only without the whole optimizer.
    pub passes: Vec<String>,
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
    /// The suite: `generated`, `negative`, `large`, `mutated`, `regressions`, `onnx:1.23.2`.
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
    /// The adapter on which the case ran, if the backend names it, as `directml` and `run.py` of DirectML content do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
    /// The version of the adapter's driver, if the backend names it: `31.0.15.3623`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
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
    /// Another backend that fails the case in the same way (verdict and kind): the one whose provider this backend is, or
    /// the one to which the run was compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also_on: Option<String>,
    /// What the backend's graph optimizer has to do with the failure of a graph. Absent if the backend fails without it as
    /// well, and for cases of one operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimizer: Option<OptimizerFault>,
    /// The largest distance of an element from the preferred answer, in units in the last place of the output's type.
    /// Only wrong elements count if there are any.
    #[serde(default)]
    pub max_ulp: Option<f64>,
    /// The widest accepted interval of the case, in the same units.
    #[serde(default)]
    pub width_ulp: Option<f64>,
    /// The largest error of an element in units of its usual error (see [`Judgement::error_ratio`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_ratio: Option<f64>,
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

    /// Returns whether the case violates a constraint on purpose.
    pub fn is_negative(&self) -> bool {
        self.suite == NEGATIVE
    }

    /// Records that a failure is one of the backend's graph optimizer. Failures of the same passes are alike. Where no
    /// pass is known, those are alike that would be without an optimizer.
    pub(crate) fn of_optimizer(&mut self, fault: &OptimizerFault) {
        let passes = fault.passes.join("+");
        let (name, class) = match passes.as_str() {
            "" => ("optimizer", self.signature.as_deref().unwrap_or_default()),
            passes => (passes, passes),
        };
        let what = self.kind.map_or(self.verdict.name(), FailKind::name);
        let hash = hash(&format!("{}\n{class}", self.backend.split(' ').next().unwrap_or_default())) as u32;
        self.signature = Some(format!("{}-{name}-{what}-{hash:08x}", self.operator()));
        self.optimizer = Some(fault.clone());
    }

    /// Returns how many usual errors the largest one is, if the answer is accepted and far less accurate than others.
    pub fn notable_ratio(&self) -> Option<f64> {
        let is_accepted = matches!(self.verdict, Verdict::Pass | Verdict::Latitude);
        self.error_ratio.filter(|ratio| is_accepted && *ratio > NOTABLE_RATIO)
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
            adapter: subject.profile.adapter.clone(),
            driver: subject.profile.driver.clone(),
            verdict: judgement.verdict,
            kind: judgement.kind,
            expected_verdict: None,
            known: None,
            signature: signature(&case.version.qualified_name(), &subject.identity.name, judgement),
            detail: detail(case, judgement),
            rule: judgement.reason.rule().map(|label| label.to_string()),
            reason: judgement.reason.kind(),
            also_on: None,
            optimizer: None,
            max_ulp: judgement.max_ulp,
            width_ulp: judgement.width_ulp,
            error_ratio: judgement.error_ratio,
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

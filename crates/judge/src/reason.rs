//! Why a case has its verdict, as data. [`Reason::text`] is the only place that puts it into words, and no code reads
//! those words.

use plumbline_graph::Refusal;
use plumbline_oracle::{Arithmetic, NamedRule};
use plumbline_spec::{Label, OperatorId};
use serde::{Deserialize, Serialize};

/// Why a case has its verdict. A reason may contain another one: what was found before something else was considered.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The backend does what is right, and there is nothing to say about it.
    Right,
    /// What another program said, or what is special about a value. No decision depends on these words.
    Said(String),
    /// What a tool for types and shapes leaves out although it could be inferred, in words.
    NotInferred(String),
    /// The backend gave no answer in this time.
    Timeout {
        /// The time in seconds.
        seconds: f64,
    },
    /// The backend answers a case that violates this constraint or, for `None`, a rule that holds for every operator.
    Violation(Option<Label>),
    /// The backend answers a case that violates this constraint, which is seen only in values, and declares that it does
    /// not check them.
    Unchecked(Label),
    /// The oracle refuses a published case, and the backend answers it, so that nothing says what is right.
    OracleRefuses(Refusal),
    /// Nothing says what is right.
    NotJudged {
        /// The rule that leaves the case open, if it has a name.
        label: Option<Label>,
        /// Why the oracle has no answer.
        reason: String,
    },
    /// The backend answers a case that is invalid by the newest text of ONNX, and not by the text of its release.
    OlderText {
        /// The rule on which the texts differ.
        rule: NamedRule,
    },
    /// A rule allows what was found in place of the preferred answer.
    Allowed {
        /// The rule that allows it.
        rule: NamedRule,
        /// What was found, as it differs from the preferred answer.
        found: Box<Reason>,
    },
    /// The backend refuses an invalid case, and answers its twin.
    TwinAnswered {
        /// The change that leads to the twin.
        change: String,
        /// What the backend said of the case.
        found: Box<Reason>,
    },
    /// The backend refuses an invalid case, or one that a rule lets it refuse, and does not answer its twin either.
    TwinNotAnswered {
        /// The change that leads to the twin.
        change: String,
        /// What the backend did with the twin.
        found: Box<Reason>,
    },
    /// The backend refuses a case that a rule lets it refuse, and refuses the settled twin in the same words.
    NotExcused {
        /// The change that leads to the settled twin.
        change: String,
        /// What the backend said of the case.
        found: Box<Reason>,
    },
    /// The backend does not run a case of an operator version that it claims to support.
    Claimed {
        /// The operator version.
        version: OperatorId,
        /// What the backend said.
        found: Box<Reason>,
    },
    /// A further run of the session with the same inputs gave other bits.
    Repeated {
        /// The first difference.
        difference: String,
    },
    /// A further run of the session is not right.
    FurtherRun {
        /// What is different in the run.
        feature: &'static str,
        /// Whether a fresh session is right.
        leaks: bool,
        /// What was found in the run.
        found: Box<Reason>,
    },
    /// The session is not right while it runs on two threads at the same time.
    AtOnce {
        /// What was found in one of the two runs.
        found: Box<Reason>,
    },
    /// The answer is inaccurate, and not wrong.
    Inaccurate {
        /// What explains it.
        by: Explanation,
        /// The error that is largest relative to its output.
        error: ElementError,
        /// What was found.
        found: Box<Reason>,
    },
    /// The case is not answered correctly in a model that joins it with other cases, and is alone.
    InPack {
        /// The number of cases in the model.
        cases: usize,
        /// What was found of the case in it.
        found: Box<Reason>,
    },
    /// The failure did not come back in another process.
    Flaky {
        /// How the case failed.
        what: String,
        /// What was found the first time.
        found: Box<Reason>,
    },
}

/// What explains an inaccurate answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explanation {
    /// No error is larger than what is accepted for the element with the largest magnitude in the same output.
    LargestElement,
    /// The answer is accepted from an implementation that computes in this arithmetic. That does not say that the
    /// backend computes in it: its answer may be closer to the preferred one.
    Arithmetic(Arithmetic),
}

/// The error of an element of an output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementError {
    /// The distance from the preferred answer.
    pub absolute: f64,
    /// The distance relative to the largest magnitude in the same output; infinite if there is no such magnitude.
    pub relative: f64,
    /// The distance in ULP.
    pub ulp: f64,
}

/// The kind of a reason, as `results.jsonl` names it. Kinds that follow from verdict and kind of failure are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReasonKind {
    /// See [`Reason::Unchecked`].
    Unchecked,
    /// See [`Reason::NotInferred`].
    NotInferred,
    /// See [`Reason::OracleRefuses`].
    OracleRefuses,
    /// See [`Reason::OlderText`].
    OlderText,
    /// See [`Reason::TwinNotAnswered`].
    TwinNotAnswered,
    /// See [`Reason::NotExcused`].
    NotExcused,
    /// See [`Reason::Claimed`].
    Claimed,
    /// See [`Explanation::LargestElement`].
    LargestElement,
    /// See [`Explanation::Arithmetic`].
    #[serde(untagged)]
    Arithmetic(Arithmetic),
}

impl From<String> for Reason {
    fn from(text: String) -> Reason {
        Reason::Said(text)
    }
}

impl From<&str> for Reason {
    fn from(text: &str) -> Reason {
        Reason::Said(text.to_owned())
    }
}

impl Reason {
    /// Returns the reason in words, or `None` if there is nothing to say.
    pub fn text(&self) -> Option<String> {
        let of = |found: &Reason| found.text().unwrap_or_default();
        Some(match self {
            Reason::Right => return None,
            Reason::Said(text) | Reason::NotInferred(text) => text.clone(),
            Reason::Timeout { seconds } => format!("no answer within {seconds} s"),
            Reason::Violation(constraint) => {
                format!("answered, though the case violates {}", name_of_violated(*constraint))
            }
            Reason::Unchecked(label) => {
                format!("answered, though the case violates {label}: the backend does not check values at run time")
            }
            Reason::OracleRefuses(refusal) => {
                format!("the oracle refuses the case, but the backend answers it: {refusal}")
            }
            Reason::NotJudged { reason, .. } => format!("not judged: {reason}"),
            Reason::OlderText { rule } => format!("{rule}: answered, though the case is invalid by the newest text"),
            Reason::Allowed { rule, found } => format!("{rule}: {}", of(found)),
            Reason::TwinAnswered { change, found } => format!("{} (with {change}, the backend answers)", of(found)),
            Reason::TwinNotAnswered { change, found } => format!("the valid case next to it ({change}) {}", of(found)),
            Reason::NotExcused { change, found } => format!("also with {change}, where no rule lets it: {}", of(found)),
            Reason::Claimed { version, found } => format!("the backend claims {version}: {}", of(found)),
            Reason::Repeated { difference } => format!("run again with the same inputs, {difference}"),
            Reason::FurtherRun { feature, leaks: true, found } => {
                format!("{feature}, the session is wrong where a fresh one is right: {}", of(found))
            }
            Reason::FurtherRun { feature, leaks: false, found } => format!("{feature}: {}", of(found)),
            Reason::AtOnce { found } => {
                format!("on two threads at once, the session is wrong where it is right run after run: {}", of(found))
            }
            Reason::Inaccurate { by, error, found } => format!("{}; {}", of(found), inaccuracy(*by, *error)),
            Reason::InPack { cases, found } => {
                format!("in one model with {} other cases, and not alone: {}", cases.saturating_sub(1), of(found))
            }
            Reason::Flaky { what, found } => {
                format!("{what}, which did not come back in another process: {}", of(found))
            }
        })
    }

    /// Returns the rule that is violated, or that allows or leaves open what was found.
    pub fn rule(&self) -> Option<Label> {
        match self {
            Reason::Violation(label) | Reason::NotJudged { label, .. } => *label,
            Reason::Unchecked(label) => Some(*label),
            Reason::OlderText { rule } | Reason::Allowed { rule, .. } => Some(rule.label),
            Reason::OracleRefuses(refusal) => refusal.label,
            Reason::TwinAnswered { found, .. }
            | Reason::TwinNotAnswered { found, .. }
            | Reason::NotExcused { found, .. }
            | Reason::Claimed { found, .. }
            | Reason::FurtherRun { found, .. }
            | Reason::AtOnce { found }
            | Reason::Inaccurate { found, .. }
            | Reason::InPack { found, .. }
            | Reason::Flaky { found, .. } => found.rule(),
            Reason::Right
            | Reason::Said(_)
            | Reason::NotInferred(_)
            | Reason::Timeout { .. }
            | Reason::Repeated { .. } => None,
        }
    }

    /// Returns the kind, if results name it.
    pub fn kind(&self) -> Option<ReasonKind> {
        match self {
            Reason::Unchecked(_) => Some(ReasonKind::Unchecked),
            Reason::NotInferred(_) => Some(ReasonKind::NotInferred),
            Reason::OracleRefuses(_) => Some(ReasonKind::OracleRefuses),
            Reason::OlderText { .. } => Some(ReasonKind::OlderText),
            Reason::TwinNotAnswered { .. } => Some(ReasonKind::TwinNotAnswered),
            Reason::NotExcused { .. } => Some(ReasonKind::NotExcused),
            Reason::Claimed { .. } => Some(ReasonKind::Claimed),
            Reason::Inaccurate { by: Explanation::LargestElement, .. } => Some(ReasonKind::LargestElement),
            Reason::Inaccurate { by: Explanation::Arithmetic(arithmetic), .. } => {
                Some(ReasonKind::Arithmetic(*arithmetic))
            }
            Reason::FurtherRun { found, .. }
            | Reason::AtOnce { found }
            | Reason::InPack { found, .. }
            | Reason::Flaky { found, .. } => found.kind(),
            _ => None,
        }
    }
}

/// Describes the largest error of an inaccurate answer, and what explains it.
pub fn inaccuracy(by: Explanation, error: ElementError) -> String {
    let ElementError { absolute, relative, ulp } = error;
    let share = match relative.is_finite() {
        true => format!(", {relative:.1e} of the largest element of the output"),
        false => String::new(),
    };
    let why = match by {
        Explanation::LargestElement => "as much is accepted for that element".to_owned(),
        Explanation::Arithmetic(arithmetic) => {
            format!("no worse than an implementation that {}", arithmetic.description())
        }
    };
    format!("inaccurate: the largest error is {absolute:.1e}{share} ({ulp:.1} ULP); {why}")
}

/// Returns what a case violates, in words: the name of a constraint, or for `None` what holds for every operator.
pub fn name_of_violated(constraint: Option<Label>) -> &'static str {
    constraint.map_or("what holds for every operator", Label::name)
}

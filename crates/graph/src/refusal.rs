//! How a model, or a backend, is told no: [`Refusal`].

use plumbline_spec::Label;
use plumbline_tensor::TensorError;

impl From<TensorError> for Refusal {
    fn from(error: TensorError) -> Refusal {
        Refusal::failed(error.to_string())
    }
}

/// Why something was not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// The backend does not do this; somebody else may.
    Unsupported,
    /// The model or its inputs break the specification.
    Invalid,
    /// The backend tried and could not.
    Failed,
    /// The device that the backend computes on is gone: it hung, was reset or taken out.
    DeviceLost,
}

/// A backend's no.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}{}{message}", self.place(), self.rule())]
pub struct Refusal {
    /// Which no.
    pub kind: RefusalKind,
    /// The operator version at which it happened, where it is known (`Min-13`).
    pub operator: Option<String>,
    /// The constraint that is broken, where it is known.
    pub label: Option<Label>,
    /// What is wrong, in words.
    pub message: String,
}

impl Refusal {
    /// The backend does not do this.
    pub fn unsupported(message: impl Into<String>) -> Refusal {
        Refusal { kind: RefusalKind::Unsupported, operator: None, label: None, message: message.into() }
    }

    /// The oracle does not answer, as a numbered behaviour of the operator leaves open what is right.
    pub fn leaves_open(label: Label, message: impl Into<String>) -> Refusal {
        Refusal { label: Some(label), ..Refusal::unsupported(message) }
    }

    /// The model or its inputs break a numbered constraint of the operator.
    pub fn violates(label: Label, message: impl Into<String>) -> Refusal {
        Refusal { kind: RefusalKind::Invalid, operator: None, label: Some(label), message: message.into() }
    }

    /// The model or its inputs break a rule that holds for every operator (arity, types, attributes, graph).
    pub fn invalid(message: impl Into<String>) -> Refusal {
        Refusal { kind: RefusalKind::Invalid, operator: None, label: None, message: message.into() }
    }

    /// The backend tried and could not.
    pub fn failed(message: impl Into<String>) -> Refusal {
        Refusal { kind: RefusalKind::Failed, operator: None, label: None, message: message.into() }
    }

    /// The device that the backend computes on is gone. The backend has another one for the next case, or says this again.
    pub fn device_lost(message: impl Into<String>) -> Refusal {
        Refusal { kind: RefusalKind::DeviceLost, operator: None, label: None, message: message.into() }
    }

    /// The same, at this operator version (kept where one is known already).
    pub fn at(mut self, operator: impl std::fmt::Display) -> Refusal {
        self.operator.get_or_insert_with(|| operator.to_string());
        self
    }

    fn place(&self) -> String {
        self.operator.as_ref().map(|o| format!("{o}: ")).unwrap_or_default()
    }

    fn rule(&self) -> String {
        self.label.map(|l| format!("{l}: ")).unwrap_or_default()
    }
}

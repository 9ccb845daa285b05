//! [`Refusal`]: why a model was refused, or why a backend did not run it.

use plumbline_spec::Label;
use plumbline_tensor::TensorError;

impl From<TensorError> for Refusal {
    fn from(error: TensorError) -> Refusal {
        Refusal::failed(error.to_string())
    }
}

/// The kinds of reasons for which a model was not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// The backend does not support the model, but another backend may; or the oracle has no answer.
    Unsupported,
    /// The backend has the operator and the types, and says itself that it does not take this attribute, this shape or
    /// this form of them.
    Limit,
    /// The backend's own optimizer changed the model into one that the backend does not run. Without the optimizer, it
    /// loads the model.
    Optimizer,
    /// The backend rewrites models, and what it made of the model is not a valid one.
    BreaksModel,
    /// The backend rewrites models, and what it made of the model has other inputs or outputs: one is missing, or has
    /// another name or type.
    BreaksInterface,
    /// The backend infers types and shapes, and leaves out some that could be inferred, which it was asked to say.
    NotInferred,
    /// The model or its inputs violate the specification.
    Invalid,
    /// The backend tried to run the model, and failed.
    Failed,
    /// The device that the backend computes on is lost: it hung, was reset or was removed.
    DeviceLost,
}

/// The answer of a backend, or of the oracle, that does not run a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}{}{message}", self.place(), self.rule())]
pub struct Refusal {
    /// The kind of the reason.
    pub kind: RefusalKind,
    /// The operator version at which the refusal happened (`Min-13`), or the name of the operator or function, if it is
    /// known.
    pub operator: Option<String>,
    /// The rule that is violated or that leaves the answer open, if that is known.
    pub label: Option<Label>,
    /// The limit of the oracle that the model exceeds, if that is why it was not run.
    pub limit: Option<Limit>,
    /// The reason in words.
    pub message: String,
}

/// A limit of the oracle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// How many nodes are run for one answer. Each run of a nested graph counts as one more node, besides the nodes in
    /// it.
    Nodes,
    /// How many elements the values have together that are needed at the same time.
    Elements,
    /// How many steps an answer takes.
    Steps,
    /// How many elements one tensor has.
    TensorElements,
    /// How long an answer takes.
    Time,
}

impl Refusal {
    /// Returns the refusal of a backend that does not support something.
    pub fn unsupported(message: impl Into<String>) -> Refusal {
        Refusal { kind: RefusalKind::Unsupported, operator: None, label: None, limit: None, message: message.into() }
    }

    /// Returns the refusal of the oracle where a behaviour of the operator leaves open what is right, so that the
    /// oracle has no answer.
    pub fn leaves_open(label: Label, message: impl Into<String>) -> Refusal {
        Refusal { label: Some(label), ..Refusal::unsupported(message) }
    }

    /// Returns the refusal of a model or of inputs that violate a constraint of the operator.
    pub fn violates(label: Label, message: impl Into<String>) -> Refusal {
        Refusal { kind: RefusalKind::Invalid, operator: None, label: Some(label), limit: None, message: message.into() }
    }

    /// Returns the refusal of a model or of inputs that violate a rule which holds for every operator (arity, types,
    /// attributes, graph).
    pub fn invalid(message: impl Into<String>) -> Refusal {
        Refusal { kind: RefusalKind::Invalid, operator: None, label: None, limit: None, message: message.into() }
    }

    /// Returns the refusal of a backend that says itself that the model is beyond one of its limits.
    pub fn limit(message: impl Into<String>) -> Refusal {
        Refusal { kind: RefusalKind::Limit, ..Refusal::failed(message) }
    }

    /// Returns the refusal of a backend whose own optimizer changed the model into one that it does not run.
    pub fn optimizer(message: impl Into<String>) -> Refusal {
        Refusal { kind: RefusalKind::Optimizer, ..Refusal::failed(message) }
    }

    /// Returns the refusal of a backend that rewrites models, and made an invalid one.
    pub fn breaks_model(message: impl Into<String>) -> Refusal {
        Refusal { kind: RefusalKind::BreaksModel, ..Refusal::failed(message) }
    }

    /// Returns the refusal of a backend that rewrites models, and made one with other inputs or outputs.
    pub fn breaks_interface(message: impl Into<String>) -> Refusal {
        Refusal { kind: RefusalKind::BreaksInterface, ..Refusal::failed(message) }
    }

    /// Returns the refusal of a backend that infers types and shapes, and leaves out some that could be inferred.
    pub fn not_inferred(message: impl Into<String>) -> Refusal {
        Refusal { kind: RefusalKind::NotInferred, ..Refusal::failed(message) }
    }

    /// Returns the refusal of a backend that tried and failed.
    pub fn failed(message: impl Into<String>) -> Refusal {
        Refusal { kind: RefusalKind::Failed, operator: None, label: None, limit: None, message: message.into() }
    }

    /// Returns the refusal of the oracle for a model that exceeds one of its limits.
    pub fn beyond(limit: Limit, message: impl Into<String>) -> Refusal {
        Refusal { limit: Some(limit), ..Refusal::failed(message) }
    }

    /// Returns the refusal of a backend whose device is lost. For the next case, the backend gets another device or
    /// returns this refusal again.
    pub fn device_lost(message: impl Into<String>) -> Refusal {
        Refusal { kind: RefusalKind::DeviceLost, operator: None, label: None, limit: None, message: message.into() }
    }

    /// Names the operator version, the operator or the function in a refusal that does not name one yet.
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

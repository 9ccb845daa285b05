//! Why a model could not be judged.

use std::path::PathBuf;

use plumbline_oracle::{Budget, Limit, Refusal, RefusalKind, Stopped, limit_text};

use crate::cases::suite::SuiteError;
use crate::cases::{Layout, NodePlace};

/// The reason why the answer to a model could not be judged.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// A file or folder with inputs, outputs or values cannot be read.
    #[error(transparent)]
    File(#[from] SuiteError),
    /// There are too few or too many inputs or outputs.
    #[error("{found} {what} are given, but the model has {expected}")]
    Count {
        /// `inputs` or `outputs`.
        what: &'static str,
        /// How many are given.
        found: usize,
        /// How many the model has.
        expected: usize,
    },
    /// The model or its inputs are invalid, so that there is no right answer.
    #[error("the model or its inputs are invalid{}: {refusal}", at(.node))]
    Invalid {
        /// The invalid node, if the refusal is about a node.
        node: Option<Box<NodePlace>>,
        /// What is wrong.
        refusal: Box<Refusal>,
    },
    /// The oracle does not know an operator, does not know a value exactly enough to compute with it, or has no answer
    /// because the specification has none.
    #[error("the oracle has no answer{}: {refusal}", at(.node))]
    Unknown {
        /// The node without an answer.
        node: Option<Box<NodePlace>>,
        /// Why there is none.
        refusal: Box<Refusal>,
    },
    /// The model is larger than the oracle allows.
    #[error(
        "the model exceeds a limit of the oracle{}: {}; {}",
        at(.node), limit_text(*.limit, .budget), remedy(*.limit)
    )]
    Limit {
        /// The node at which the limit was reached.
        node: Option<Box<NodePlace>>,
        /// Which limit it is.
        limit: Limit,
        /// The limits with their numbers.
        budget: Budget,
    },
    /// The oracle failed.
    #[error("the oracle fails{}: {refusal}", at(.node))]
    Failed {
        /// The node at which it failed.
        node: Option<Box<NodePlace>>,
        /// How it failed.
        refusal: Box<Refusal>,
    },
    /// The folder of values has no value of the model.
    #[error("{path}: no file has a value of the model; without `index.json`, the file of value `x` is named `x.pb`")]
    NoValues {
        /// The folder.
        path: PathBuf,
    },
}

fn at(node: &Option<Box<NodePlace>>) -> String {
    node.as_ref().map(|node| format!(" at {node}")).unwrap_or_default()
}

/// Says how a model can be judged that exceeds a limit.
fn remedy(limit: Limit) -> &'static str {
    match limit {
        Limit::Elements | Limit::TensorElements => {
            "more memory raises it, and if the intermediate values are given, it applies to each node by itself"
        }
        Limit::Nodes | Limit::Steps => "if the intermediate values are given, it applies to each node by itself",
        Limit::Time => "more time raises it",
    }
}

impl JudgeError {
    /// Returns the reason why the oracle stopped.
    pub(super) fn stopped(layout: &Layout, budget: &Budget, stopped: Stopped) -> JudgeError {
        let node = stopped.node.map(|at| Box::new(layout.place(at)));
        if let Some(limit) = stopped.refusal.limit {
            return JudgeError::Limit { node, limit, budget: *budget };
        }
        let refusal = Box::new(stopped.refusal);
        match refusal.kind {
            RefusalKind::Invalid => JudgeError::Invalid { node, refusal },
            RefusalKind::Unsupported => JudgeError::Unknown { node, refusal },
            RefusalKind::Failed
            | RefusalKind::Limit
            | RefusalKind::Optimizer
            | RefusalKind::BreaksModel
            | RefusalKind::BreaksInterface
            | RefusalKind::NotInferred
            | RefusalKind::DeviceLost => JudgeError::Failed { node, refusal },
        }
    }
}

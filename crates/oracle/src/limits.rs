//! The limits of the oracle: how many nodes, elements and steps it takes for one answer.

use super::shape::{MOST_ELEMENTS, TOO_LARGE_TENSOR};
use super::steps::{MOST_STEPS, TOO_MANY_STEPS};
use crate::Refusal;

/// How many nodes may be run for one answer. Each run of a nested graph counts as one more node, besides the nodes in
/// it. This bounds how much work a model of a few nodes can ask for.
pub(super) const MOST_WORK: u64 = 1 << 12;

/// The reason for a refusal of a model that runs more nodes than [`MOST_WORK`], such as an endless loop.
pub(super) const TOO_MANY_NODES: &str = "the model runs more nodes than the oracle takes";

/// The reason for a refusal of a model whose nodes together compute more elements than the limit.
pub(super) const TOO_MANY_ELEMENTS: &str = "the nodes of the model compute more elements than the oracle takes";

/// Returns whether the oracle refused a model because running it exceeds the limit of nodes, elements or steps. A
/// single tensor that is too large does not count here (see [`exceeded_limit`]).
pub fn exceeds_limits(refusal: &Refusal) -> bool {
    matches!(exceeded_limit(refusal), Some(Limit::Nodes | Limit::Elements | Limit::Steps))
}

/// A limit of the oracle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// How many nodes are run for one answer, at most 4,096. Each run of a nested graph counts as one more node,
    /// besides the nodes in it.
    Nodes,
    /// How many elements all nodes compute together, by default at most 2^25.
    Elements,
    /// How many steps an answer takes (see [`MOST_STEPS`](crate::MOST_STEPS)).
    Steps,
    /// How many elements one tensor has, at most 2^25.
    TensorElements,
}

/// Returns the limit that a model exceeded, if the oracle refused it for that reason.
pub fn exceeded_limit(refusal: &Refusal) -> Option<Limit> {
    match refusal.message.as_str() {
        TOO_MANY_NODES => Some(Limit::Nodes),
        TOO_MANY_ELEMENTS => Some(Limit::Elements),
        TOO_MANY_STEPS => Some(Limit::Steps),
        message if message.ends_with(TOO_LARGE_TENSOR) => Some(Limit::TensorElements),
        _ => None,
    }
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Limit::Nodes => write!(f, "the number of nodes that are run (at most {MOST_WORK})"),
            Limit::Elements => write!(f, "the elements that all nodes compute together (by default {MOST_ELEMENTS})"),
            Limit::Steps => write!(f, "the steps of a computation (by default {})", MOST_STEPS),
            Limit::TensorElements => write!(f, "the elements of a tensor (at most {MOST_ELEMENTS})"),
        }
    }
}

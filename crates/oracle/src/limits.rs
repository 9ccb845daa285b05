//! The limits of the oracle: how many nodes, elements and steps it takes for one answer.

use super::shape::MOST_ELEMENTS;
use super::steps::MOST_STEPS;
use crate::{Limit, Refusal};

/// How many nodes may be run for one answer. Each run of a nested graph counts as one more node, besides the nodes in
/// it. This bounds how much work a model of a few nodes can ask for.
pub(super) const MOST_WORK: u64 = 1 << 12;

/// Returns whether the oracle refused a model because running it exceeds the limit of nodes, elements or steps. A
/// single tensor that is too large does not count here.
pub fn exceeds_limits(refusal: &Refusal) -> bool {
    matches!(refusal.limit, Some(Limit::Nodes | Limit::Elements | Limit::Steps))
}

/// Describes a limit with its number.
pub fn limit_text(limit: Limit) -> String {
    match limit {
        Limit::Nodes => format!("the number of nodes that are run (at most {MOST_WORK})"),
        Limit::Elements => format!("the elements that all nodes compute together (by default {MOST_ELEMENTS})"),
        Limit::Steps => format!("the steps of a computation (by default {MOST_STEPS})"),
        Limit::TensorElements => format!("the elements of a tensor (at most {MOST_ELEMENTS})"),
    }
}

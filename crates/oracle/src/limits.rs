//! The limits of the oracle: how many nodes, elements and steps it takes for one answer.

use std::cell::Cell;

use super::scoped::holding;
use super::steps::MOST_STEPS;
use crate::{Limit, Refusal};

/// The largest number of elements that the oracle gives a tensor by default (see
/// [`Budget`](crate::Budget::tensor_elements)). Larger tensors are refused before memory is allocated.
pub const MOST_ELEMENTS: usize = 1 << 25;

/// How many nodes may be run for one answer by default.
const MOST_WORK: u64 = 1 << 12;

/// How much the oracle may compute for one answer. A model that needs more is refused, before memory is allocated. The
/// default is for models of a few nodes, and bounds what a small hostile model can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// How many nodes may run. Each run of a nested graph counts as one more node, besides the nodes in it.
    pub nodes: u64,
    /// How many elements the values that are needed at the same time may have together.
    pub elements: usize,
    /// How many elements one tensor may have.
    pub tensor_elements: usize,
    /// How many steps the nodes may take: elements that are read or computed, terms of sums, and the like.
    pub steps: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { nodes: MOST_WORK, elements: MOST_ELEMENTS, tensor_elements: MOST_ELEMENTS, steps: MOST_STEPS }
    }
}

impl Budget {
    /// Returns the budget for a whole model of real size. `elements` is how many elements fit into memory, with what is
    /// accepted in their place.
    pub fn for_memory(elements: usize) -> Budget {
        Budget { nodes: 1 << 18, elements, tensor_elements: elements, steps: 1 << 42 }
    }

    /// Returns the number of a limit.
    pub fn most(&self, limit: Limit) -> Option<u64> {
        match limit {
            Limit::Nodes => Some(self.nodes),
            Limit::Elements => Some(self.elements as u64),
            Limit::Steps => Some(self.steps),
            Limit::TensorElements => Some(self.tensor_elements as u64),
            Limit::Time => None,
        }
    }
}

// Not an argument: see docs/decisions/policy-and-steps-in-thread-locals.md.
thread_local! {
    static TENSOR_ELEMENTS: Cell<usize> = const { Cell::new(MOST_ELEMENTS) };
}

/// Returns how many elements one tensor may have in the computation that runs.
pub(super) fn tensor_elements() -> usize {
    TENSOR_ELEMENTS.get()
}

/// Runs `body`, in which a tensor may have at most this many elements.
pub(super) fn with_tensor_elements<T>(most: usize, body: impl FnOnce() -> T) -> T {
    holding(&TENSOR_ELEMENTS, most, body)
}

/// Returns whether the oracle refused a model because running it exceeds the limit of nodes, elements or steps. A
/// single tensor that is too large does not count here.
pub fn exceeds_limits(refusal: &Refusal) -> bool {
    matches!(refusal.limit, Some(Limit::Nodes | Limit::Elements | Limit::Steps))
}

/// Describes a limit with its number.
pub fn limit_text(limit: Limit, budget: &Budget) -> String {
    let what = match limit {
        Limit::Nodes => "the number of nodes that are run",
        Limit::Elements => "the elements of all values that are needed at the same time",
        Limit::Steps => "the steps of a computation",
        Limit::TensorElements => "the elements of a tensor",
        Limit::Time => "the time",
    };
    match budget.most(limit) {
        Some(most) => format!("{what} (at most {most})"),
        None => what.to_owned(),
    }
}

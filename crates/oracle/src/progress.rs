//! [`Progress`]: where the run of a model is, and how many steps its nodes took.

use std::cell::{Cell, RefCell};

use crate::steps;

/// Where the run of a model is. A model that runs more than once has the progress of its last run.
#[derive(Default)]
pub(crate) struct Progress {
    node: Cell<Option<usize>>,
    steps: RefCell<Vec<u64>>,
}

impl Progress {
    /// Returns the position of the running node in the main graph, or of the node that was refused. `None` before the
    /// first node and after the last one.
    pub fn node(&self) -> Option<usize> {
        self.node.get()
    }

    /// Sets the position of the running node.
    pub fn set_node(&self, at: Option<usize>) {
        self.node.set(at);
    }

    /// Runs the node at this position, and counts its steps.
    pub fn count<T>(&self, at: usize, run: impl FnOnce() -> T) -> T {
        self.node.set(Some(at));
        let left = steps::count_left();
        let result = run();
        let mut steps = self.steps.borrow_mut();
        steps.truncate(at);
        steps.push(left - steps::count_left());
        result
    }

    /// Returns how many steps each node of the main graph took that ran to its end.
    pub fn steps(&self) -> Vec<u64> {
        self.steps.take()
    }
}

//! What judging a model may take, and who follows it.

use std::num::NonZeroUsize;
use std::time::Duration;

use plumbline_oracle::{Budget, Oracle, Stop};

use crate::cases::NodePlace;

/// The memory that an element of a value takes while its node is judged: the value of the implementation, and what is
/// accepted in its place, which is three numbers of 8 bytes and what belongs to them.
const BYTES_OF_ELEMENT: u64 = 48;

/// The largest part of the memory that the values of one run on a backend may take: they are in the process of the
/// backend, in its answer, and in what is read from that answer.
const SHARE_OF_RUN: u64 = 8;

/// The values of one run on a backend never take more than this, in bytes: an answer of a worker has at most 256 MiB.
const MOST_IN_RUN: u64 = 192 << 20;

/// Follows how a model is judged.
pub trait Watch: Sync {
    /// Announces what comes next.
    fn step(&self, what: &str);
    /// Announces how many nodes will be judged.
    fn nodes(&self, count: usize);
    /// Receives a node that was judged, and how long that took.
    fn judged(&self, node: &NodePlace, took: Duration);
}

/// A watch that leaves everything unnoticed, for callers without progress.
impl Watch for () {
    fn step(&self, _: &str) {}

    fn nodes(&self, _: usize) {}

    fn judged(&self, _: &NodePlace, _: Duration) {}
}

/// What judging a model may take, and who follows it.
#[derive(Clone)]
pub struct Effort<'a> {
    /// How many bytes the values that are needed at the same time may take, with what is accepted in their place. The
    /// model and the process of a backend come on top.
    pub memory_bytes: u64,
    /// How many nodes are judged at the same time. `None` for as many as the machine has processors.
    pub jobs: Option<NonZeroUsize>,
    /// Ends the work. What was judged until then is reported.
    pub stop: Stop,
    /// Whether all values that a backend gave are kept, also if they take more memory than `memory_bytes`.
    pub keeps_values: bool,
    /// Who follows the work.
    pub watch: &'a dyn Watch,
}

impl Default for Effort<'_> {
    fn default() -> Self {
        Effort { memory_bytes: 3 << 30, jobs: None, stop: Stop::default(), keeps_values: true, watch: &() }
    }
}

impl Effort<'_> {
    /// Returns an oracle with the budget for one node or a whole model, which ends with this work.
    pub fn limit(&self, oracle: Oracle) -> Oracle {
        oracle.with_budget(self.budget()).with_stop(self.stop.clone())
    }

    /// Returns the budget for one node or a whole model.
    pub fn budget(&self) -> Budget {
        Budget::for_memory((self.memory_bytes / BYTES_OF_ELEMENT) as usize)
    }

    /// Returns how many bytes the values of one run on a backend may take.
    pub(super) fn bytes_in_run(&self) -> u64 {
        (self.memory_bytes / SHARE_OF_RUN).clamp(1, MOST_IN_RUN)
    }

    /// Returns how many nodes are judged at the same time, if the largest of them has this many elements.
    pub(super) fn jobs_for(&self, elements: usize) -> usize {
        let fitting = self.memory_bytes / (elements as u64 * BYTES_OF_ELEMENT).max(1);
        let wanted = self.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        wanted.min(fitting.max(1) as usize)
    }
}

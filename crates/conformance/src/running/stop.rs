//! When a run stops early: at the end of its time, or when the user interrupts it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Asks a run to stop. Clones share the request: one stays with the signal handler, another goes to the run.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks the run to stop. The run finishes the few cases that it has started, writes its results, and ends.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the run was asked to stop.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What stops a run.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    /// The time after which no case starts.
    end: Option<Instant>,
    interrupt: Interrupt,
}

/// The shortest and the longest part of the time limit that a run reserves for cases that are still running at the end
/// and for the report.
const KEPT: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(5));

impl Stop {
    /// Returns what stops a run that starts now. No case starts in the last part of the time, which the run reserves.
    pub(crate) fn new(time: Option<Duration>, interrupt: &Interrupt) -> Stop {
        let working = |time: Duration| time.saturating_sub((time / 20).clamp(KEPT.0, KEPT.1));
        let end = time.and_then(|time| Instant::now().checked_add(working(time)));
        Stop { end, interrupt: interrupt.clone() }
    }

    /// Returns whether no further case should start.
    pub(crate) fn is_due(&self) -> bool {
        self.is_interrupted() || self.is_over()
    }

    /// Returns the time after which no case starts, or `None` if there is no limit.
    pub(crate) fn end(&self) -> Option<Instant> {
        self.end
    }

    /// Returns whether the time after which no case starts has come.
    pub(crate) fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Returns whether the user asked the run to stop.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.is_raised()
    }

    /// Returns the time that is left, or `None` if there is no limit.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()))
    }
}

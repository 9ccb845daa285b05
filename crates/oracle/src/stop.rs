//! [`Stop`]: ends computations of the oracle from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Ends computations from another thread, or at a point in time. Copies end the same computations. An evaluation that is
/// ended refuses with [`Limit::Time`](crate::Limit::Time).
#[derive(Clone, Debug, Default)]
pub struct Stop {
    raised: Arc<AtomicBool>,
    end: Option<Instant>,
}

impl Stop {
    /// Returns the same stop, which also ends computations at this time.
    pub fn at(self, end: Instant) -> Stop {
        Stop { end: Some(end), ..self }
    }

    /// Ends the computations that run with this stop, and those that start with it later.
    pub fn raise(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// Returns whether computations end now.
    pub fn is_due(&self) -> bool {
        self.raised.load(Ordering::Relaxed) || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

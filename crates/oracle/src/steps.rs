//! A bound on the work for one answer. The work is counted in steps, not in seconds, so that a model is refused on
//! every machine or on none.
//!
//! A step is an element that is read, a term of a sum, or the like. Kernels call [`take`] where they spend their time.
//! Beyond the bound, [`take`] ends the computation by unwinding, so that no loop of a kernel has to return early.
//! [`within`] catches the unwinding.
//!
//! The caller of the oracle may also end a computation from outside (see [`Stop`]). [`take`] looks for that once in many
//! steps.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::{Limit, Refusal, Stop};

/// How many steps one answer may take by default. So many steps take seconds to a minute, depending on their kind.
pub const MOST_STEPS: u64 = 1 << 31;

// Not an argument: see docs/decisions/policy-and-steps-in-thread-locals.md.
thread_local! {
    /// The steps that may be taken before the next look at [`STOP`].
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    /// The steps that may be taken after these.
    static LATER: Cell<u64> = const { Cell::new(0) };
    static STOP: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

/// The number of steps between two looks at [`STOP`]: some milliseconds.
const BETWEEN: u64 = 1 << 20;

/// The payload of the unwinding by which [`take`] ends a computation.
struct Ended(Limit);

/// Counts steps. Does not return if the computation has now taken more steps than [`within`] allows.
#[inline]
pub(crate) fn take(steps: usize) {
    let lacking = LEFT.with(|left| {
        let (before, steps) = (left.get(), steps as u64);
        left.set(before.saturating_sub(steps));
        steps.saturating_sub(before)
    });
    if lacking > 0 {
        take_later(lacking);
    }
}

/// What is left of a computation, for threads that take part in it.
#[derive(Clone)]
pub(crate) struct Left {
    steps: u64,
    stop: Option<Stop>,
}

/// Returns how many steps are left.
pub(crate) fn count_left() -> u64 {
    LEFT.get().saturating_add(LATER.get())
}

/// Returns how many steps are left, and what ends this computation.
pub(crate) fn left() -> Left {
    Left { steps: count_left(), stop: STOP.with_borrow(Clone::clone) }
}

/// Sets what is left for this thread. Dropping it restores what was left before.
struct Restore {
    left: u64,
    later: u64,
    stop: Option<Stop>,
}

impl Restore {
    fn after_setting(Left { steps, stop }: Left) -> Restore {
        let first = steps.min(BETWEEN);
        Restore { left: LEFT.replace(first), later: LATER.replace(steps - first), stop: STOP.replace(stop) }
    }
}

impl Drop for Restore {
    fn drop(&mut self) {
        LEFT.set(self.left);
        LATER.set(self.later);
        STOP.set(self.stop.take());
    }
}

/// Runs `body` with what is left of a computation of another thread, and returns how many steps it took. It ends as in
/// [`take`].
pub(crate) fn counted<T>(of_other: Left, body: impl FnOnce() -> T) -> (T, usize) {
    let most = of_other.steps;
    let _restore = Restore::after_setting(of_other);
    let result = body();
    (result, (most - count_left()) as usize)
}

#[cold]
fn take_later(steps: u64) {
    if STOP.with_borrow(|stop| stop.as_ref().is_some_and(Stop::is_due)) {
        resume_unwind(Box::new(Ended(Limit::Time)));
    }
    let Some(later) = LATER.get().checked_sub(steps) else { resume_unwind(Box::new(Ended(Limit::Steps))) };
    LEFT.set(later.min(BETWEEN));
    LATER.set(later - later.min(BETWEEN));
}

/// Runs `body`, which may take at most `most` steps, and ends when `stop` is due.
///
/// # Errors
/// Returns the refusal of `body`, or one that names [`Limit::Steps`] or [`Limit::Time`].
pub(crate) fn within<T>(
    most: u64,
    stop: Option<&Stop>,
    body: impl FnOnce() -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let restore = Restore::after_setting(Left { steps: most, stop: stop.cloned() });
    let result = catch_unwind(AssertUnwindSafe(body));
    drop(restore);
    result.unwrap_or_else(|reason| match reason.downcast_ref() {
        Some(Ended(Limit::Time)) => Err(Refusal::beyond(Limit::Time, "the computation was ended")),
        Some(Ended(limit)) => Err(Refusal::beyond(*limit, "the model takes more steps than the oracle allows")),
        None => resume_unwind(reason),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_computation_that_takes_too_many_steps_is_refused() {
        let taking = |most: u64, steps: usize| within(most, None, || Ok((0..steps).inspect(|_| take(1)).count()));
        assert_eq!(taking(10, 10), Ok(10));
        assert_eq!(taking(10, 11).unwrap_err().limit, Some(Limit::Steps));
        assert_eq!(taking(10, 10), Ok(10), "each computation has its own steps");
        let nested = within(10, None, || Ok([taking(100, 50)?, taking(9, 9)?]));
        assert_eq!(nested, Ok([50, 9]), "inner steps do not count outside");
        let slices = 3 * BETWEEN as usize;
        assert_eq!(taking(slices as u64, slices), Ok(slices));
        assert_eq!(taking(slices as u64 - 1, slices).unwrap_err().limit, Some(Limit::Steps));
    }

    #[test]
    fn a_computation_ends_when_it_is_stopped() {
        let stop = Stop::default();
        let taken = || {
            within(u64::MAX, Some(&stop), || {
                (0..4).for_each(|_| take(BETWEEN as usize));
                Ok(())
            })
        };
        assert_eq!(taken(), Ok(()));
        stop.raise();
        assert_eq!(taken().unwrap_err().limit, Some(Limit::Time));
        let late = Stop::default().at(std::time::Instant::now());
        assert!(late.is_due() && !Stop::default().is_due());
    }
}

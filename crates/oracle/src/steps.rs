//! A bound on the work for one answer. The work is counted in steps, not in seconds, so that a model is refused on
//! every machine or on none.
//!
//! A step is an element that is read, a term of a sum, or the like. Kernels call [`take`] where they spend their time.
//! Beyond the bound, [`take`] ends the computation by unwinding, so that no loop of a kernel has to return early.
//! [`within`] catches the unwinding.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::{Limit, Refusal};

/// How many steps one answer may take by default. So many steps take seconds to a minute, depending on their kind.
pub const MOST_STEPS: u64 = 1 << 31;

// Not an argument: see docs/decisions/policy-and-steps-in-thread-locals.md.
thread_local! {
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// The payload of the unwinding by which [`take`] ends a computation.
struct TooMany;

/// Counts steps. Does not return if the computation has now taken more steps than [`within`] allows.
#[inline]
pub(crate) fn take(steps: usize) {
    match LEFT.get().checked_sub(steps as u64) {
        Some(left) => LEFT.set(left),
        None => end(),
    }
}

/// Returns how many steps are left.
pub(crate) fn left() -> u64 {
    LEFT.get()
}

/// Runs `body`, which may take at most `most` steps, and returns how many it took. It ends as in [`take`] if it takes
/// more.
pub(crate) fn counted<T>(most: u64, body: impl FnOnce() -> T) -> (T, usize) {
    struct Restore(u64);
    impl Drop for Restore {
        fn drop(&mut self) {
            LEFT.set(self.0);
        }
    }
    let _restore = Restore(LEFT.replace(most));
    let result = body();
    (result, (most - LEFT.get()) as usize)
}

#[cold]
fn end() -> ! {
    resume_unwind(Box::new(TooMany))
}

/// Runs `body`, which may take at most `most` steps.
///
/// # Errors
/// Returns the refusal of `body`, or one that names [`Limit::Steps`].
pub(crate) fn within<T>(most: u64, body: impl FnOnce() -> Result<T, Refusal>) -> Result<T, Refusal> {
    let outer = LEFT.replace(most);
    let result = catch_unwind(AssertUnwindSafe(body));
    LEFT.set(outer);
    result.unwrap_or_else(|reason| match reason.is::<TooMany>() {
        true => Err(Refusal::beyond(Limit::Steps, "the model takes more steps than the oracle allows")),
        false => resume_unwind(reason),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_computation_that_takes_too_many_steps_is_refused() {
        let taking = |most: u64, steps: usize| within(most, || Ok((0..steps).inspect(|_| take(1)).count()));
        assert_eq!(taking(10, 10), Ok(10));
        assert_eq!(taking(10, 11).unwrap_err().limit, Some(Limit::Steps));
        assert_eq!(taking(10, 10), Ok(10), "each computation has its own steps");
        let nested = within(10, || Ok([taking(100, 50)?, taking(9, 9)?]));
        assert_eq!(nested, Ok([50, 9]), "inner steps do not count outside");
    }
}

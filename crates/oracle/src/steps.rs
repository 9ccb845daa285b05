//! A bound on the work for one answer. It is counted in steps, not in seconds, so that a model is refused on every
//! machine or on none.
//!
//! A step is an element that is read, a term of a sum, or the like: [`take`] stands where kernels spend their time. It
//! ends the computation by unwinding, which [`within`] catches, so that no loop of a kernel has to return early.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::Refusal;

/// How many steps one answer may take by default: seconds to a minute, depending on the steps.
pub const MOST_STEPS: u64 = 1 << 31;

/// The reason for a refusal of a model that takes more steps.
pub(crate) const TOO_MANY_STEPS: &str = "the model takes more steps than the oracle does";

thread_local! {
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// The payload with which a computation unwinds after its last step.
struct TooMany;

/// Counts steps. Does not return if there are more than [`within`] allows.
#[inline]
pub(crate) fn take(steps: usize) {
    match LEFT.get().checked_sub(steps as u64) {
        Some(left) => LEFT.set(left),
        None => end(),
    }
}

#[cold]
fn end() -> ! {
    resume_unwind(Box::new(TooMany))
}

/// Runs `body`, which may take this many steps.
///
/// # Errors
/// Returns the refusal of `body`, or one that says [`TOO_MANY_STEPS`].
pub(crate) fn within<T>(most: u64, body: impl FnOnce() -> Result<T, Refusal>) -> Result<T, Refusal> {
    let outer = LEFT.replace(most);
    let result = catch_unwind(AssertUnwindSafe(body));
    LEFT.set(outer);
    result.unwrap_or_else(|reason| match reason.is::<TooMany>() {
        true => Err(Refusal::failed(TOO_MANY_STEPS)),
        false => resume_unwind(reason),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_computation_ends_after_its_last_step() {
        let taking = |most: u64, steps: usize| within(most, || Ok((0..steps).inspect(|_| take(1)).count()));
        assert_eq!(taking(10, 10), Ok(10));
        assert_eq!(taking(10, 11), Err(Refusal::failed(TOO_MANY_STEPS)));
        assert_eq!(taking(10, 10), Ok(10), "each computation has its own steps");
        let nested = within(10, || Ok([taking(100, 50)?, taking(9, 9)?]));
        assert_eq!(nested, Ok([50, 9]), "the steps inside are not those outside");
    }
}

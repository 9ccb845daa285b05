//! Large nodes on several threads. The results do not depend on how many there are.
//!
//! Not rayon: a thread of its pool that waits for others takes up other work meanwhile. In a run that would be another
//! case, on top of the stack of this one (docs/decisions/threads-in-large-nodes.md).

use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::scoped::holding;
use crate::{precision, steps};

/// The amount of work, in products of numbers or the like, from which on threads are worth their start.
const LEAST_WORK: usize = 1 << 21;

/// How many threads of all evaluations in this process help others now.
static HELPERS: AtomicUsize = AtomicUsize::new(0);

// Not an argument, for the same reasons as the policy: see docs/decisions/policy-and-steps-in-thread-locals.md.
thread_local! {
    static MOST_THREADS: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Returns whether threads are worth their start for this work.
pub(crate) fn is_much(work: usize) -> bool {
    work >= LEAST_WORK
}

/// Runs `body`, in which [`map`] uses at most this many threads.
pub(crate) fn on_threads<T>(most: usize, body: impl FnOnce() -> T) -> T {
    holding(&MOST_THREADS, most, body)
}

/// Threads that help this one; they count as free again afterwards.
struct Helpers(usize);

impl Helpers {
    /// Takes up to `wanted` threads, as far as the machine has cores for them.
    fn take(wanted: usize) -> Helpers {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let mut taken = 0;
        let _ = HELPERS.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |busy| {
            taken = wanted.min((cores - 1).saturating_sub(busy));
            Some(busy + taken)
        });
        Helpers(taken)
    }
}

impl Drop for Helpers {
    fn drop(&mut self) {
        HELPERS.fetch_sub(self.0, Ordering::Relaxed);
    }
}

/// Returns what [`each`] passes on.
pub(crate) fn map<T: Send>(count: usize, work: usize, f: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut results = Vec::with_capacity(count);
    each(count, work, f, |result| results.push(result));
    results
}

/// Passes `f(0)` to `f(count - 1)` on, in this order. If there is much `work` together, several threads compute them,
/// under the same policy. Their steps count for this thread, and what ends one of them ends this thread. One thread
/// passes each on before it computes the next, so that all of them are never in memory.
pub(crate) fn each<T: Send>(count: usize, work: usize, f: impl Fn(usize) -> T + Sync, mut pass: impl FnMut(T)) {
    let wanted = MOST_THREADS.get().min(count).saturating_sub(1);
    let helpers = if is_much(work) { Helpers::take(wanted) } else { Helpers(0) };
    if helpers.0 == 0 {
        return (0..count).map(f).for_each(pass);
    }
    let (next, policy, left) = (AtomicUsize::new(0), precision::in_force(), steps::left());
    let share = || {
        let taken = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed)).take_while(|&i| i < count);
        taken.map(|i| (i, f(i))).collect::<Vec<(usize, T)>>()
    };
    let mut results = thread::scope(|scope| {
        let helping = || on_threads(1, || precision::with(policy, || steps::counted(left.clone(), share)));
        let threads: Vec<_> = (0..helpers.0).map(|_| scope.spawn(helping)).collect();
        let mut results = share();
        for thread in threads {
            let (others, taken) = thread.join().unwrap_or_else(|reason| resume_unwind(reason));
            steps::take(taken);
            results.extend(others);
        }
        results
    });
    results.sort_unstable_by_key(|(i, _)| *i);
    results.into_iter().for_each(|(_, result)| pass(result));
}

#[cfg(test)]
mod tests {
    use plumbline_spec::Numerics;

    use super::*;
    use crate::{Limit, Policy};

    #[test]
    fn threads_have_the_policy_and_count_their_steps() {
        let flushing = Numerics { flush_subnormals: true, ..Numerics::default() };
        let policy = Policy::new(&flushing).expect("the default table of functions exists");
        let on = |threads: usize, most: u64| {
            let all = || {
                map(100, LEAST_WORK, |i| {
                    steps::take(i);
                    (i, precision::flushing())
                })
            };
            steps::within(most, None, || Ok(precision::under(&policy, || on_threads(threads, all))))
        };
        let expected: Vec<_> = (0..100).map(|i| (i, true)).collect();
        for threads in [1, 2, 7] {
            assert_eq!(on(threads, 4950), Ok(expected.clone()));
            assert_eq!(on(threads, 4949).unwrap_err().limit, Some(Limit::Steps));
        }
    }
}

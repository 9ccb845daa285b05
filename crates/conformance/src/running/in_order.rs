//! Runs work on several threads and hands over the results in the order of the work.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How far the threads may run ahead of the next item to hand over, in items for each thread. It bounds the memory for
/// results that wait for a slow item before them.
const AHEAD: usize = 256;

struct State<T> {
    /// The next item that a thread takes.
    next: usize,
    /// The next item whose result is handed over.
    wanted: usize,
    /// Results that wait for those before them. `None` is an item that was not done.
    done: BTreeMap<usize, Option<T>>,
    /// Whether threads take no more items.
    closed: bool,
}

struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State<T>>) -> MutexGuard<'a, State<T>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }
}

/// If the thread that works on an item panics, records that the item was not done, so that nobody waits for the item.
struct Guard<'a, T>(&'a Shared<T>, usize);

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let mut state = self.0.lock();
            state.done.insert(self.1, None);
            state.closed = true;
            self.0.changed.notify_all();
        }
    }
}

/// Ends the threads when the caller stops taking results, or panics.
struct Close<'a, T>(&'a Shared<T>);

impl<T> Drop for Close<'_, T> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Calls `work` for the numbers below `count` on several threads, and `take` with the results in the order of the
/// numbers, on the thread of the caller. Stops at the first item for which `work` returns `None`, and returns the
/// number of items before it.
///
/// # Errors
/// Stops at the first error of `take` and returns it.
pub(crate) fn in_order<T: Send, E>(
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> Option<T> + Sync,
    mut take: impl FnMut(usize, T) -> Result<(), E>,
) -> Result<usize, E> {
    let state = State { next: 0, wanted: 0, done: BTreeMap::new(), closed: false };
    let shared = Shared { state: Mutex::new(state), changed: Condvar::new() };
    let ahead = AHEAD * threads;
    let thread = || {
        loop {
            let mut state = shared.lock();
            while !state.closed && state.next < count && state.next >= state.wanted + ahead {
                state = shared.wait(state);
            }
            if state.closed || state.next >= count {
                return;
            }
            let at = state.next;
            state.next += 1;
            drop(state);
            let guard = Guard(&shared, at);
            let result = work(at);
            drop(guard);
            let mut state = shared.lock();
            state.closed |= result.is_none();
            state.done.insert(at, result);
            shared.changed.notify_all();
        }
    };
    std::thread::scope(|scope| {
        let _close = Close(&shared);
        for number in 0..threads.min(count) {
            let builder = std::thread::Builder::new().name(format!("run {number}"));
            // `std::thread::Scope::spawn`, which cannot name a thread, also panics if the system starts none.
            builder.spawn_scoped(scope, thread).expect("the operating system starts a thread");
        }
        let mut taken = 0;
        while taken < count {
            let mut state = shared.lock();
            let result = loop {
                if let Some(result) = state.done.remove(&taken) {
                    break result;
                }
                // No thread works on the item, and none will.
                if state.closed && state.next <= taken {
                    break None;
                }
                state = shared.wait(state);
            };
            drop(state);
            let Some(result) = result else { break };
            take(taken, result)?;
            taken += 1;
            shared.lock().wanted = taken;
            shared.changed.notify_all();
        }
        Ok(taken)
    })
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_order_whatever_takes_long() {
        let mut seen = Vec::new();
        let work = |at: usize| {
            std::thread::sleep(Duration::from_micros(((at * 7) % 5 * 300) as u64));
            Some(at * 2)
        };
        let taken = in_order(200, 8, work, |at, value| -> Result<(), Infallible> {
            seen.push((at, value));
            Ok(())
        });
        assert_eq!(taken, Ok(200));
        assert_eq!(seen, (0..200).map(|at| (at, at * 2)).collect::<Vec<_>>());
        assert_eq!(in_order(0, 8, |_| Some(()), |_, ()| Ok::<(), Infallible>(())), Ok(0));
    }

    #[test]
    fn results_end_before_an_item_that_is_not_done() {
        let mut seen = Vec::new();
        let taken = in_order(
            100,
            4,
            |at| (at != 37).then_some(at),
            |at, _| -> Result<(), Infallible> {
                seen.push(at);
                Ok(())
            },
        );
        assert_eq!(taken, Ok(37));
        assert_eq!(seen, (0..37).collect::<Vec<_>>());
    }

    #[test]
    fn an_error_ends_the_work() {
        let started = AtomicUsize::new(0);
        let work = |at: usize| {
            started.fetch_add(1, Ordering::Relaxed);
            Some(at)
        };
        let result = in_order(1_000_000, 2, work, |at, _| if at == 10 { Err("no space is left") } else { Ok(()) });
        assert_eq!(result, Err("no space is left"));
        assert!(started.load(Ordering::Relaxed) <= 11 + 3 * AHEAD);
    }

    #[test]
    fn a_panic_ends_the_work() {
        let run =
            || in_order(50, 3, |at| if at == 20 { panic!("on purpose") } else { Some(at) }, |_, _| Ok::<_, ()>(()));
        assert!(std::panic::catch_unwind(run).is_err());
        // More items than the threads may work ahead, so that they wait for the caller.
        let run = || in_order(10_000, 3, Some, |at, _| if at == 5 { panic!("on purpose") } else { Ok::<_, ()>(()) });
        assert!(std::panic::catch_unwind(run).is_err());
    }
}

//! Minimizes failures beside a run, on threads of its own and within a share of the run's time.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::examining::{Budget, Failure};
use crate::results::{CaseResult, RunError};
use crate::running::settings::Minimization;
use crate::running::stop::Stop;
use plumbline_judge::FailKind;

/// A failure that waits to be minimized: the first one of its signature.
pub(crate) struct Task {
    pub result: CaseResult,
    pub failure: Failure,
}

impl Task {
    /// Returns whether the failure did not come back when its case ran again. Such a failure cannot be minimized,
    /// because a smaller case may pass by chance.
    pub fn is_flaky(&self) -> bool {
        self.result.kind == Some(FailKind::Flaky)
    }

    /// Returns whether an expectation describes the failure. Somebody has already examined such a failure.
    pub fn is_known(&self) -> bool {
        self.result.expected_verdict.is_some()
    }
}

/// How often a waiting thread looks whether time has become available.
const PAUSE: Duration = Duration::from_millis(20);

/// The time that all minimizations together may take even if their share of a short run's time is less.
const LEAST: Duration = Duration::from_secs(10);

/// The shortest time for one minimization.
const SHORTEST: Duration = Duration::from_millis(100);

#[derive(Default)]
struct State {
    /// Known failures come last; otherwise the order is that of the results.
    queue: BTreeMap<(bool, u64), Task>,
    added: u64,
    /// The time that finished minimizations took, added up.
    spent: Duration,
    active: usize,
    /// How long the run took, once it is over.
    over: Option<Duration>,
    error: Option<RunError>,
}

/// The queue of failures, and the time that minimizing them may take.
pub(crate) struct Minimizer<'a> {
    share: f64,
    /// The time that all minimizations together may take, however short the run is.
    least: Duration,
    jobs: usize,
    budget: Budget,
    stop: &'a Stop,
    start: Instant,
    state: Mutex<State>,
    changed: Condvar,
}

struct EndedByPanic<'m, 'a>(&'m Minimizer<'a>);

impl Drop for EndedByPanic<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().queue.clear();
            self.0.finish();
        }
    }
}

impl<'a> Minimizer<'a> {
    /// Creates an empty queue for a run that starts now on this number of threads.
    pub fn new(minimization: Minimization, budget: Budget, jobs: usize, stop: &'a Stop) -> Minimizer<'a> {
        let share = match minimization {
            Minimization::Off => 0.0,
            Minimization::Share(share) => share,
        };
        let of_limit = |limit: Duration| limit.mul_f64(share * jobs as f64).min(LEAST);
        let least = if share > 0.0 { stop.left().map_or(LEAST, of_limit) } else { Duration::ZERO };
        let (state, changed) = (Mutex::new(State::default()), Condvar::new());
        Minimizer { share, least, jobs, budget, stop, start: Instant::now(), state, changed }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a failure to the queue.
    pub fn add(&self, task: Task) {
        let mut state = self.lock();
        let key = (task.is_known(), state.added);
        state.added += 1;
        state.queue.insert(key, task);
        drop(state);
        self.changed.notify_one();
    }

    /// Says that the run is over. The minimizations may then use what is left of their share of the time.
    pub fn finish(&self) {
        self.lock().over = Some(self.start.elapsed());
        self.changed.notify_all();
    }

    /// Returns a guard that ends the minimizations if the thread that drops it panics. Their threads would wait for the
    /// end of the run otherwise.
    pub fn ended_by_panic(&self) -> impl Drop {
        EndedByPanic(self)
    }

    /// Returns the time that all minimizations together may take, added up over the threads. During the run, this is
    /// `share` of the time so far. After the run, it is `share` of the time that the run and the minimizations take
    /// together. It is never less than `least`.
    fn allowance(&self, state: &State) -> Duration {
        let (passed, share) = match state.over {
            None => (self.start.elapsed(), self.share),
            Some(run) if self.share < 1.0 => (run, self.share / (1.0 - self.share)),
            Some(_) => return Duration::MAX,
        };
        passed.mul_f64(share * self.jobs as f64).max(self.least)
    }

    /// Returns how many minimizations may run at the same time: on a share of the threads or, after the run, on all.
    fn most_active(&self, state: &State) -> usize {
        if state.over.is_some() { self.jobs } else { ((self.share * self.jobs as f64).ceil() as usize).max(1) }
    }

    /// Waits for a failure and for the time to minimize it. Returns `None` if the run is over and one of these holds:
    /// no failure is left, no time is left, or the minimizations have to stop.
    fn next(&self) -> Option<(Task, Budget)> {
        let mut state = self.lock();
        loop {
            let left = self.allowance(&state).saturating_sub(state.spent);
            let left = self.stop.left().map_or(left, |until| left.min(until));
            let stopped = self.stop.is_due() || self.share <= 0.0;
            if left >= SHORTEST
                && !stopped
                && state.active < self.most_active(&state)
                && let Some((_, task)) = state.queue.pop_first()
            {
                state.active += 1;
                let budget = if task.is_known() { self.budget.min(Budget::KNOWN) } else { self.budget };
                return Some((task, Budget { time: budget.time.min(left), ..budget }));
            }
            if state.over.is_some() && (state.queue.is_empty() || stopped || left < SHORTEST) {
                return None;
            }
            state = self.changed.wait_timeout(state, PAUSE).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Minimizes failures as long as `next` returns one. Several threads may call this at the same time. `minimize`
    /// looks for a smaller case and writes it.
    pub fn work(&self, minimize: impl Fn(&Task, Budget) -> Result<(), RunError>) {
        while let Some((task, budget)) = self.next() {
            let start = Instant::now();
            let result = minimize(&task, budget);
            let mut state = self.lock();
            state.spent += start.elapsed();
            state.active -= 1;
            if let Err(error) = result {
                state.error.get_or_insert(error);
            }
            drop(state);
            self.changed.notify_all();
        }
    }

    /// Returns the failures that were not minimized.
    ///
    /// # Errors
    /// Returns the first error of a minimization.
    pub fn rest(self) -> Result<Vec<Task>, RunError> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match state.error {
            Some(error) => Err(error),
            None => Ok(state.queue.into_values().collect()),
        }
    }
}

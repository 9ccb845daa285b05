//! A pool of several runners of one backend that run at the same time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use plumbline_tensor::{Model, Value};

use crate::{Identity, Job, Observation, Profile, Runner, StartError};

/// The number of jobs that a runner takes at once if there are many: enough to write requests ahead, and few enough
/// that all runners finish at about the same time.
const CHUNK: usize = 64;

/// Runs cases on several runners of one backend at the same time.
pub struct Pool {
    first: Box<dyn Runner>,
    others: Vec<Box<dyn Runner>>,
}

impl Pool {
    /// Starts `size` runners, at least one.
    pub fn start(
        size: usize,
        start: impl Fn() -> Result<Box<dyn Runner>, StartError> + Sync,
    ) -> Result<Pool, StartError> {
        let first = start()?;
        let others = (1..size).map(|_| start()).collect::<Result<Vec<_>, _>>()?;
        Ok(Pool { first, others })
    }

    /// Returns the number of runners.
    pub fn size(&self) -> usize {
        1 + self.others.len()
    }
}

impl Runner for Pool {
    fn identity(&self) -> &Identity {
        self.first.identity()
    }

    fn profile(&self) -> &Profile {
        self.first.profile()
    }

    fn run(&mut self, model: &Model, inputs: &[Value], deadline: Duration) -> Observation {
        self.first.run(model, inputs, deadline)
    }

    fn runs_again(&self) -> bool {
        self.first.runs_again()
    }

    /// Hands chunks of the jobs to whichever runner is free. The observations are in the order of the jobs.
    fn run_batch(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
        let chunk = CHUNK.min(jobs.len().div_ceil(self.size())).max(1);
        let chunks = chunks(jobs, chunk);
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<Vec<Observation>>> = Mutex::new(vec![Vec::new(); chunks.len()]);
        let work = |runner: &mut dyn Runner| {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(jobs) = chunks.get(index) else { break };
                let observations = runner.run_batch(jobs, deadline);
                done.lock().unwrap_or_else(PoisonError::into_inner)[index] = observations;
            }
        };
        std::thread::scope(|scope| {
            for runner in &mut self.others {
                scope.spawn(|| work(runner.as_mut()));
            }
            work(self.first.as_mut());
        });
        done.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
    }
}

/// Splits the jobs into chunks of about this size. A job that runs a session again stays in the chunk of the job that
/// prepared it.
fn chunks<'a, 'j>(jobs: &'a [Job<'j>], size: usize) -> Vec<&'a [Job<'j>]> {
    let mut chunks = Vec::new();
    let mut rest = jobs;
    while !rest.is_empty() {
        let mut end = size.min(rest.len());
        while rest.get(end).is_some_and(|job| job.again) {
            end += 1;
        }
        let (chunk, others) = rest.split_at(end);
        chunks.push(chunk);
        rest = others;
    }
    chunks
}

//! The host's side of the protocol: a backend in a worker process, which is restarted when it dies.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use plumbline_tensor::{Model, Value};

use super::command::{Command, Limits, StartError};
use super::message::{Answer, Request, Response};
use super::process::{Process, Received, garbage};
use crate::runner::counted;
use crate::{GarbageKind, Identity, Job, Observation, Profile, Runner};

/// The number of failed starts in a row after which the worker is not restarted any more.
const START_ATTEMPTS: u32 = 3;

/// Runs cases in a worker process. If a case kills the process or hangs, or if its answer violates the protocol, only
/// that process is lost: later cases run in a new one.
pub struct Worker {
    command: Command,
    limits: Limits,
    identity: Identity,
    profile: Profile,
    /// The version of the protocol that the worker speaks.
    version: u32,
    process: Option<Process>,
    /// Whether the process has served an earlier batch.
    used: bool,
    next_id: u64,
    starts: u64,
    failed_starts: u32,
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

/// A job that has no observation yet.
enum Pending {
    /// The request was written with this id and this number of bytes.
    Sent { id: u64, bytes: usize },
    /// The request cannot be written.
    Unsendable { reason: String },
}

/// The outcome of the first pending case.
enum Step {
    /// The case is done, and the worker can go on.
    Done(Observation),
    /// The case is done, and the worker is dead or has to be replaced.
    Over(Observation),
    /// The worker answered a request other than the one whose answer is due.
    Other { answered: u64 },
}

impl Worker {
    /// Starts the worker and reads its greeting.
    pub fn start(command: Command, limits: Limits) -> Result<Worker, StartError> {
        let (process, hello) = Process::start(&command, &limits)?;
        Ok(Worker {
            command,
            limits,
            identity: hello.identity,
            profile: hello.profile,
            version: hello.version,
            process: Some(process),
            used: false,
            next_id: 0,
            starts: 1,
            failed_starts: 0,
        })
    }

    /// Returns the number of processes started so far.
    pub fn starts(&self) -> u64 {
        self.starts
    }

    /// Returns the process. Starts a new one first if there is none, or if it died or wrote something since the last
    /// batch.
    fn process(&mut self) -> Result<&mut Process, String> {
        // Nobody asked for what arrived since the last batch, and it must not be taken for an answer to this batch.
        if self.process.as_ref().is_some_and(Process::has_more) {
            self.process = None;
        }
        if self.process.is_none() {
            if self.failed_starts >= START_ATTEMPTS {
                return Err(format!(
                    "{} could not be started again: {START_ATTEMPTS} attempts in a row failed",
                    self.identity
                ));
            }
            // The first start is no restart.
            if let Some(restarts) = self.limits.restarts.filter(|restarts| self.starts > *restarts) {
                return Err(format!("{} was restarted {}, which is its limit", self.identity, times(restarts)));
            }
            self.starts += 1;
            let started = Process::start(&self.command, &self.limits).map_err(|e| e.to_string());
            let started = started.and_then(|(process, hello)| {
                if hello.identity == self.identity {
                    Ok(process)
                } else {
                    Err(format!("after a restart, {} identifies itself as {}", self.identity, hello.identity))
                }
            });
            match started {
                Ok(process) => {
                    self.failed_starts = 0;
                    self.used = false;
                    self.process = Some(process);
                }
                Err(reason) => {
                    self.failed_starts += 1;
                    return Err(reason);
                }
            }
        }
        self.process.as_mut().ok_or_else(|| "the worker has no process".to_owned())
    }

    /// Runs jobs, in new processes where one is lost. `repeats` says whether jobs that ran in a lost process which had
    /// served earlier batches are repeated.
    fn run_jobs(&mut self, jobs: &[Job<'_>], deadline: Duration, repeats: bool) -> Vec<Observation> {
        let mut done = Vec::with_capacity(jobs.len());
        while done.len() < jobs.len() {
            let (first, used) = (done.len(), self.used && self.process.is_some());
            self.run_in_one_process(jobs, deadline, &mut done);
            let is_late = matches!(done.last(), Some(Observation::Timeout { .. }));
            if repeats && used && self.process.is_none() && !is_late {
                done.truncate(first);
            }
        }
        self.used = self.process.is_some();
        done
    }

    /// Runs in one process the jobs that have no observation yet, until all have one or the process is lost.
    fn run_in_one_process(&mut self, jobs: &[Job<'_>], deadline: Duration, done: &mut Vec<Observation>) {
        let (ahead_requests, ahead_bytes) = (self.limits.ahead_requests.max(1), self.limits.ahead_bytes);
        let frame_bytes = self.limits.frame_bytes;
        // Requests with an id below `first_id` went to earlier processes or belong to earlier batches.
        let (first_id, used) = (self.next_id, self.used && self.process.is_some());
        let mut next_id = first_id;
        let process = match self.process() {
            Ok(process) => process,
            Err(reason) => return done.push(Observation::NotRun { reason }),
        };
        // `Ok` if this process has the session of the previous job, otherwise the reason why no job can run it again.
        let mut session = Err("the process that held its session ended in the previous run");
        let mut pending: VecDeque<Pending> = VecDeque::new();
        let mut pending_bytes = 0;
        let mut head_since = Instant::now();
        let mut over = false;
        // The ids of the answered requests, each with the index of its observation in `done`.
        let mut answered: Vec<(u64, usize)> = Vec::new();
        while !over {
            while let Some(job) = jobs.get(done.len() + pending.len())
                && pending.len() < ahead_requests
                && (pending.is_empty() || pending_bytes < ahead_bytes)
            {
                if job.again
                    && let Err(reason) = session
                {
                    pending.push_back(Pending::Unsendable { reason: reason.to_owned() });
                    continue;
                }
                let model = (!job.again).then(|| job.model.to_bytes());
                match Request::frame_of(next_id, model.as_deref(), job.at_once, job.inputs, frame_bytes) {
                    Ok(bytes) => {
                        pending.push_back(Pending::Sent { id: next_id, bytes: bytes.len() });
                        pending_bytes += bytes.len();
                        process.send(bytes);
                        next_id += 1;
                        session = Ok(());
                    }
                    Err(error) => {
                        pending.push_back(Pending::Unsendable { reason: error.to_string() });
                        if !job.again {
                            session = Err("the first run of its session could not be sent");
                        }
                    }
                }
            }
            let Some(job) = jobs.get(done.len()) else { break };
            match pending.pop_front() {
                Some(Pending::Sent { id, bytes }) => {
                    pending_bytes -= bytes;
                    match receive(process, id, job.outputs(), head_since, deadline) {
                        Step::Done(observation) => {
                            answered.push((id, done.len()));
                            done.push(observation);
                        }
                        Step::Over(observation) => {
                            done.push(observation);
                            over = true;
                        }
                        Step::Other { answered: other } => {
                            over = true;
                            if !blame_twice(other, &answered, done) && (other >= first_id || !used) {
                                let detail = format!("answered request {other} instead of {id}");
                                done.push(Observation::Garbage { kind: GarbageKind::OtherRequest, detail });
                            }
                            // A second answer to a request of an earlier batch is the fault of no case of this batch.
                        }
                    }
                    head_since = Instant::now();
                }
                Some(Pending::Unsendable { reason }) => {
                    done.push(Observation::NotRun {
                        reason: format!("the case cannot be sent to the worker: {reason}"),
                    });
                }
                None => break,
            }
        }
        // The last case may have been answered twice, too. If its second answer arrives later, `Worker::process` finds
        // it before the next batch.
        if !over && let Some(other) = process.take_more().and_then(|frame| Response::from_frame(&frame).ok()) {
            over = blame_twice(other.id, &answered, done);
        }
        self.next_id = next_id;
        if over {
            self.process = None;
        }
    }
}

/// Records [`Observation::Garbage`] for the case whose request was answered twice. Returns false if no request with
/// this id has been answered.
fn blame_twice(id: u64, answered: &[(u64, usize)], done: &mut [Observation]) -> bool {
    let place = answered.iter().find(|(other, _)| *other == id).map(|&(_, place)| place);
    let Some(observation) = place.and_then(|place| done.get_mut(place)) else { return false };
    *observation = Observation::Garbage { kind: GarbageKind::Twice, detail: format!("answered request {id} twice") };
    true
}

/// Waits for the answer to the first pending request. Kills a worker that has to be replaced, so that nothing keeps
/// running.
fn receive(process: &mut Process, id: u64, outputs: usize, head_since: Instant, deadline: Duration) -> Step {
    let over = |process: &mut Process, observation| {
        process.kill();
        Step::Over(observation)
    };
    match process.receive(head_since + deadline) {
        Received::Frame(frame) => match Response::from_frame(&frame) {
            Ok(Response { id: answered, .. }) if answered != id => {
                process.kill();
                Step::Other { answered }
            }
            Ok(Response { answer: Answer::Outputs { seconds, values }, .. }) => {
                Step::Done(counted(values, outputs, seconds))
            }
            Ok(Response { answer: Answer::Refused { seconds, refusal }, .. }) => {
                Step::Done(Observation::Refused { refusal, seconds })
            }
            Ok(Response { answer: Answer::Fault(fault), .. }) => {
                Step::Done(Observation::Crash { detail: fault.message })
            }
            Err(error) => over(process, Observation::Garbage { kind: error.kind(), detail: garbage(&error) }),
        },
        Received::Bad(error) => {
            // A frame is cut off if the process dies while writing it. That is a crash, not garbage.
            if let super::FrameError::Truncated { .. } | super::FrameError::Io(_) = error {
                return Step::Over(Observation::Crash { detail: process.end() });
            }
            let detail = format!("its answer is invalid: {error}");
            over(process, Observation::Garbage { kind: error.kind(), detail })
        }
        Received::Closed => Step::Over(Observation::Crash { detail: process.end() }),
        Received::Late => over(process, Observation::Timeout { after: deadline }),
    }
}

impl Runner for Worker {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn run(&mut self, model: &Model, inputs: &[Value], deadline: Duration) -> Observation {
        let mut done = self.run_batch(&[Job::new(model, inputs)], deadline);
        done.pop().unwrap_or(Observation::NotRun { reason: "the worker returned no observation".to_owned() })
    }

    fn runs_again(&self) -> bool {
        self.version >= 2
    }

    fn is_over(&self) -> bool {
        self.process.is_none() && self.failed_starts >= START_ATTEMPTS
    }

    fn resident_bytes(&mut self) -> Option<u64> {
        self.process.as_mut()?.resident_bytes()
    }

    fn kill(&mut self) -> bool {
        if let Some(mut process) = self.process.take() {
            process.kill();
        }
        true
    }

    /// Writes requests ahead of the answers ([`Limits::ahead_requests`], [`Limits::ahead_bytes`]). The worker answers
    /// in order, so after its death the first unanswered case is the culprit, and the cases behind it go to a new
    /// process.
    ///
    /// If a lost process had served earlier batches, these may have corrupted its memory. All cases of this batch that
    /// it ran are then repeated in a new process. They are not repeated if a case took too long, because that case
    /// would take as long again.
    fn run_batch(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
        self.run_jobs(jobs, deadline, true)
    }

    fn run_batch_once(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
        self.run_jobs(jobs, deadline, false)
    }
}

//! The backends of a run. Each has a way to open it and a pool of open instances, at most one for each thread.

// Over 400 lines: one type with everything that it does, and its tests.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use plumbline_backend::{Backend, Identity, Job, Local, Observation, Profile, Runner};
use plumbline_executor::{ORACLE, OracleBackend};
use plumbline_graph::Refusal;
use plumbline_oracle::Policy;
use plumbline_spec::{ReleaseNumber, Spec};

use crate::cases::Selection;
use crate::subjects::later;
use crate::subjects::optimizer::Optimizer;
use crate::subjects::pace::{Pace, Pack};
use crate::subjects::risk::Risk;
use crate::subjects::scaling::Jobs;

/// Opens a backend. The error is a sentence for people.
pub type Opener = Box<dyn Fn() -> Result<Box<dyn Runner>, String> + Send + Sync>;

/// How a runner runs jobs: [`Runner::run_batch`] or [`Runner::run_batch_once`].
type RunBatch = fn(&mut dyn Runner, &[Job<'_>], Duration) -> Vec<Observation>;

/// The deadline of a case that starts when the run's time is over. It is above zero.
const SHORTEST: Duration = Duration::from_millis(1);

thread_local! {
    /// Whether this thread cut off a case before half of its deadline had passed, because the time of the run was
    /// nearly over.
    static CUT_OFF: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether this thread, since it last asked, cut off a case before half of its deadline had passed. Within the
/// whole deadline, the backend might have answered it.
pub(crate) fn take_cut_off() -> bool {
    CUT_OFF.take()
}

/// Which answers the oracle judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The oracle judges the answers of the backend.
    UnderTest,
    /// The oracle judges the published answers of a suite.
    Oracle,
}

/// A backend under test.
pub struct Subject {
    /// The name and version of the backend.
    pub identity: Identity,
    /// What the backend declares about itself.
    pub profile: Profile,
    /// How the profile changes what the oracle accepts.
    pub policy: Policy,
    /// The name that selects it on the command line: `onnxruntime@1.23.2`.
    pub name: String,
    /// Which answers the oracle judges.
    pub role: Role,
    /// Whether it can run a session more than once. A worker that speaks version 1 of the protocol cannot.
    pub runs_again: bool,
    /// The longest time for one case. `None` if the deadline of the run applies.
    pub deadline: Option<Duration>,
    /// The largest number of instances of the backend that run cases at the same time. `None` if each thread of the run
    /// may use one, as with [`Jobs::Auto`] until somebody measures it (see [`super::Scaling`]).
    pub jobs: Option<Jobs>,
    /// What the backend claims to support: a valid case that is claimed and that the backend does not support is a
    /// failure. `None` if the backend claims nothing.
    pub claims: Option<Selection>,
    /// How many cases may be given to it in one model.
    pub pack: Pack,
    /// Its graph optimizer, if that can be switched off.
    pub optimizer: Option<Arc<Optimizer>>,
    open: Arc<Opener>,
    state: State,
}

/// The open instances of a backend that run no cases.
#[derive(Default)]
struct Idle {
    runners: Vec<Box<dyn Runner>>,
    /// The number of other instances: they run cases or are about to be opened.
    busy: usize,
}

/// What changes about a backend while it runs cases.
#[derive(Default)]
struct State {
    idle: Mutex<Idle>,
    /// When an instance stops running cases, wakes a thread that waits for one.
    returned: Condvar,
    /// The time at which the run has to end, if its time is limited. If a case is still running then, it is ended.
    end: Mutex<Option<Instant>>,
    /// The same backend with other processes, which run failing cases again.
    apart: OnceLock<Box<Subject>>,
    /// The signatures of failures that occurred again in `apart`.
    confirmed: Mutex<BTreeSet<String>>,
    /// The nanoseconds for which processes of this backend ran cases.
    nanoseconds: AtomicU64,
    /// How long its sessions take.
    pace: Pace,
    /// Which cases it tends not to answer.
    risk: Risk,
}

impl Subject {
    /// Opens a backend for the first time, and reads its identity and profile.
    pub fn start(name: &str, open: Opener) -> Result<Subject, String> {
        let runner = open()?;
        let (identity, profile) = (runner.identity().clone(), runner.profile().clone());
        check_constant_inputs(&profile)?;
        let runs_again = runner.runs_again();
        let policy = Policy::new(&profile.numerics()).map_err(|error| error.to_string())?;
        let role = Role::UnderTest;
        let idle = Mutex::new(Idle { runners: vec![runner], busy: 0 });
        let (open, state) = (Arc::new(open), State { idle, ..State::default() });
        let (name, deadline, jobs, claims, pack) = (name.to_owned(), None, None, None, Pack::Off);
        let optimizer = None;
        Ok(Subject {
            identity,
            profile,
            policy,
            name,
            role,
            runs_again,
            deadline,
            jobs,
            claims,
            pack,
            optimizer,
            open,
            state,
        })
    }

    /// Returns a backend that cannot run, for results that exist already.
    pub fn recorded(name: &str, identity: Identity) -> Subject {
        let open: Opener = Box::new(|| Err("this backend has recorded results only, and cannot run".to_owned()));
        Subject { identity, name: name.to_owned(), role: Role::UnderTest, open: Arc::new(open), ..Subject::oracle() }
    }

    /// Returns the oracle itself, which judges the published answers of suites.
    pub fn oracle() -> Subject {
        let open: Opener = Box::new(|| Ok(Box::new(Local::new(Box::new(OracleBackend::default())))));
        let (identity, profile) = (OracleBackend::default().identity(), Profile::default());
        Subject {
            identity,
            profile,
            policy: Policy::of_published_answers(),
            name: ORACLE.to_owned(),
            role: Role::Oracle,
            runs_again: false,
            deadline: None,
            jobs: None,
            claims: None,
            pack: Pack::Off,
            optimizer: None,
            open: Arc::new(open),
            state: State::default(),
        }
    }

    /// Sets the release of ONNX that the backend implements, in place of the one in its profile.
    pub fn implement(&mut self, release: ReleaseNumber) {
        self.profile.onnx = Some(release);
        self.policy.onnx = Some(release);
    }

    /// Returns the same backend with other processes, which only run cases that failed in the processes of `self`.
    pub(crate) fn apart(&self) -> &Subject {
        self.state.apart.get_or_init(|| {
            Box::new(Subject {
                identity: self.identity.clone(),
                profile: self.profile.clone(),
                policy: self.policy.clone(),
                name: self.name.clone(),
                role: self.role,
                runs_again: self.runs_again,
                deadline: self.deadline,
                jobs: self.jobs,
                claims: self.claims.clone(),
                pack: self.pack,
                optimizer: self.optimizer.clone(),
                open: Arc::clone(&self.open),
                state: State { end: Mutex::new(*locked(&self.state.end)), ..State::default() },
            })
        })
    }

    /// Sets the time at which cases that still run are ended.
    pub(crate) fn end_at(&self, end: Option<Instant>) {
        *locked(&self.state.end) = end;
        if let Some(apart) = self.state.apart.get() {
            apart.end_at(end);
        }
    }

    /// Returns the time that is left until the run's time is over, if it is limited.
    fn left(&self) -> Option<Duration> {
        locked(&self.state.end).map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// Returns how long all processes of the backend together have run cases so far. This includes the transfer of
    /// cases and answers. It also includes further runs of a case, twins and minimization, although no result includes
    /// their time.
    pub fn time(&self) -> Duration {
        let own = Duration::from_nanos(self.state.nanoseconds.load(Ordering::Relaxed));
        own + self.state.apart.get().map_or(Duration::ZERO, |apart| apart.time())
    }

    /// Forgets how long the processes have run cases, and how long sessions took.
    pub(crate) fn forget_times(&self) {
        self.state.nanoseconds.store(0, Ordering::Relaxed);
        self.state.pace.forget();
    }

    /// Returns whether a failure with this signature has come back in another process.
    pub(crate) fn is_confirmed(&self, signature: &str) -> bool {
        locked(&self.state.confirmed).contains(signature)
    }

    /// Notes that a failure with this signature has come back in another process.
    pub(crate) fn confirm(&self, signature: String) {
        locked(&self.state.confirmed).insert(signature);
    }

    /// Waits until fewer instances run cases than `jobs` allows. Then returns an idle instance, or opens one.
    fn take(&self) -> Result<Box<dyn Runner>, String> {
        let mut idle = locked(&self.state.idle);
        while matches!(self.jobs, Some(Jobs::Count(jobs)) if idle.busy >= jobs.max(1)) {
            idle = self.state.returned.wait(idle).unwrap_or_else(PoisonError::into_inner);
        }
        idle.busy += 1;
        let runner = idle.runners.pop();
        drop(idle);
        runner.map_or_else(|| (self.open)(), Ok)
    }

    /// Takes an instance back, or notes that none was opened.
    fn give_back(&self, runner: Option<Box<dyn Runner>>) {
        let mut idle = locked(&self.state.idle);
        idle.busy -= 1;
        idle.runners.extend(runner);
        drop(idle);
        self.state.returned.notify_one();
    }

    /// Returns what is known about the times of its sessions.
    pub(crate) fn pace(&self) -> &Pace {
        &self.state.pace
    }

    /// Returns what is known about cases that it does not answer.
    pub(crate) fn risk(&self) -> &Risk {
        &self.state.risk
    }

    /// Returns how many cases to give to it in one model now: 1 if each case is a model of its own.
    pub(crate) fn pack_size(&self) -> usize {
        match self.pack {
            Pack::Off => 1,
            Pack::Auto => self.state.pace.cases(),
            Pack::Cases(cases) => cases,
        }
    }

    /// Runs cases and returns one observation for each, in the same order. A case with an operator version that came
    /// after the release of ONNX that the backend implements is not given to the backend: it is unsupported.
    pub fn run(&self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
        let deadline = self.deadline.unwrap_or(deadline);
        let (observations, time) = self.run_known(jobs, deadline, |runner, jobs, d| runner.run_batch(jobs, d));
        let sessions = jobs.iter().filter(|job| !job.again).count();
        if sessions > 0 && are_answers(&observations) {
            self.state.pace.session(time.as_secs_f64() / sessions as f64);
        }
        observations
    }

    /// Runs the session of a pack of so many cases, whose runs may each take `times` as long as a case.
    pub(crate) fn run_pack(&self, jobs: &[Job<'_>], cases: usize, deadline: Duration, times: u32) -> Vec<Observation> {
        let deadline = self.deadline.unwrap_or(deadline).saturating_mul(times);
        let (observations, time) = self.run_known(jobs, deadline, |runner, jobs, d| runner.run_batch_once(jobs, d));
        if are_answers(&observations) {
            self.state.pace.pack(cases, time.as_secs_f64());
        }
        observations
    }

    /// Runs the jobs that the releases in the profile know. Also returns how long all of them took.
    fn run_known(&self, jobs: &[Job<'_>], deadline: Duration, run: RunBatch) -> (Vec<Observation>, Duration) {
        let later = |job: &Job| later::refusal(job.model, &self.profile);
        let refusals: Vec<Option<Refusal>> = jobs.iter().map(later).collect();
        if refusals.iter().all(Option::is_none) {
            return self.run_all(jobs, deadline, run);
        }
        let known: Vec<Job> = jobs.iter().zip(&refusals).filter(|(_, no)| no.is_none()).map(|(job, _)| *job).collect();
        let (observations, time) =
            if known.is_empty() { Default::default() } else { self.run_all(&known, deadline, run) };
        let mut observations = observations.into_iter();
        let observed = |refusal: Option<Refusal>| match refusal {
            Some(refusal) => Some(Observation::Refused { refusal, seconds: 0.0 }),
            None => observations.next(),
        };
        (refusals.into_iter().filter_map(observed).collect(), time)
    }

    fn run_all(&self, jobs: &[Job<'_>], deadline: Duration, run: RunBatch) -> (Vec<Observation>, Duration) {
        let mut runner = match self.take() {
            Ok(runner) => runner,
            Err(reason) => {
                self.give_back(None);
                let none = jobs.iter().map(|_| Observation::NotRun { reason: reason.clone() });
                return (none.collect(), Duration::ZERO);
            }
        };
        let share =
            |jobs: &[Job<'_>]| self.left().map(|left| left / u32::try_from(jobs.len()).unwrap_or(u32::MAX).max(1));
        let start = Instant::now();
        let observations = if share(jobs).is_none_or(|share| share >= deadline) {
            run(runner.as_mut(), jobs, deadline)
        } else {
            // Near the end of the run's time, the jobs of a session share the time that is left when it starts.
            let sessions = jobs.chunk_by(|_, next| next.again);
            let run_session = |session| {
                let deadline = share(session).unwrap_or(deadline).min(deadline).max(SHORTEST);
                run(runner.as_mut(), session, deadline)
            };
            let observations: Vec<Observation> = sessions.flat_map(run_session).collect();
            let is_early = |o: &Observation| matches!(o, Observation::Timeout { after } if *after < deadline / 2);
            if observations.iter().any(is_early) {
                CUT_OFF.set(true);
            }
            observations
        };
        let time = start.elapsed();
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.state.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
        self.give_back(Some(runner));
        (observations, time)
    }
}

/// Returns whether all runs have outputs.
fn are_answers(observations: &[Observation]) -> bool {
    observations.iter().all(|observation| matches!(observation, Observation::Outputs { .. }))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Checks that the operators and inputs in a profile's `constant_inputs` exist in the specification.
pub(crate) fn check_constant_inputs(profile: &Profile) -> Result<(), String> {
    for (operator, inputs) in &profile.constant_inputs {
        let versions =
            Spec::embedded().operators().filter(|o| o.qualified_name() == *operator).flat_map(|o| &o.versions);
        let versions: Vec<_> = versions.collect();
        if versions.is_empty() {
            return Err(format!("the profile's `constant_inputs` names `{operator}`, which is not an operator"));
        }
        let unknown = inputs.iter().find(|input| versions.iter().all(|v| v.input(input).is_none()));
        if let Some(input) = unknown {
            return Err(format!(
                "the profile's `constant_inputs` names `{input}`, which is not an input of `{operator}`"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use plumbline_tensor::{Model, Value};

    /// A runner that counts how many of its kind run at the same time, and notes the last deadline.
    struct Counted {
        identity: Identity,
        profile: Profile,
        counts: Arc<(AtomicUsize, AtomicUsize, Mutex<Duration>)>,
    }

    impl Runner for Counted {
        fn identity(&self) -> &Identity {
            &self.identity
        }
        fn profile(&self) -> &Profile {
            &self.profile
        }
        fn run(&mut self, _: &Model, _: &[Value], _: Duration) -> Observation {
            Observation::NotRun { reason: String::new() }
        }
        fn run_batch(&mut self, _: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
            let (now, most, last) = &*self.counts;
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(2));
            now.fetch_sub(1, Ordering::SeqCst);
            *locked(last) = deadline;
            vec![]
        }
    }

    #[test]
    fn a_backend_has_its_own_jobs_and_deadline() {
        let counts = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Duration::ZERO)));
        let counted = Arc::clone(&counts);
        let open: Opener = Box::new(move || {
            let identity = Identity { name: "counted".to_owned(), version: "1".to_owned() };
            Ok(Box::new(Counted { identity, profile: Profile::default(), counts: Arc::clone(&counted) }))
        });
        let mut subject = Subject::start("counted", open).unwrap();
        (subject.jobs, subject.deadline) = (Some(Jobs::Count(2)), Some(Duration::from_millis(7)));
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| (0..5).for_each(|_| drop(subject.run(&[], Duration::from_secs(1)))));
            }
        });
        assert_eq!(counts.1.load(Ordering::SeqCst), 2);
        assert_eq!(*locked(&counts.2), Duration::from_millis(7));
    }
}

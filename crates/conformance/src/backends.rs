//! The backends of a run. Each has a way to open it and a pool of open instances, at most one for each thread.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use plumbline_backend::{Backend, Identity, Job, Local, Observation, Profile, Runner};
use plumbline_executor::{ORACLE, Oracle};
use plumbline_oracle::Policy;
use plumbline_spec::Spec;

/// Opens a backend. The error is a sentence for people.
pub type Opener = Box<dyn Fn() -> Result<Box<dyn Runner>, String> + Send + Sync>;

/// The time that a case gets when the run's time is over: enough to be told that there is none.
const SHORTEST: Duration = Duration::from_millis(1);

/// What a run holds against what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The answers of the backend are held against the oracle.
    UnderTest,
    /// The published answers of a suite are held against the oracle.
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
    /// What is held against what.
    pub role: Role,
    /// Whether it can run a session more than once. A worker that speaks version 1 of the protocol cannot.
    pub runs_again: bool,
    open: Arc<Opener>,
    state: State,
}

/// What changes about a backend while it runs cases.
#[derive(Default)]
struct State {
    idle: Mutex<Vec<Box<dyn Runner>>>,
    /// When the run's time is over. A case that still runs then is ended.
    end: Mutex<Option<Instant>>,
    /// The same backend with other processes, which run failing cases again.
    apart: OnceLock<Box<Subject>>,
    /// Signatures of failures that came back there.
    confirmed: Mutex<BTreeSet<String>>,
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
        let (open, state) = (Arc::new(open), State { idle: Mutex::new(vec![runner]), ..State::default() });
        Ok(Subject { identity, profile, policy, name: name.to_owned(), role, runs_again, open, state })
    }

    /// The oracle itself, which is held against the published answers of suites.
    pub fn oracle() -> Subject {
        let open: Opener = Box::new(|| Ok(Box::new(Local::new(Box::new(Oracle::default())))));
        let (identity, profile) = (Oracle::default().identity(), Profile::default());
        Subject {
            identity,
            profile,
            policy: Policy::default(),
            name: ORACLE.to_owned(),
            role: Role::Oracle,
            runs_again: false,
            open: Arc::new(open),
            state: State::default(),
        }
    }

    /// Returns the same backend with other processes, which only run cases that failed in the processes of this one.
    pub(crate) fn apart(&self) -> &Subject {
        self.state.apart.get_or_init(|| {
            Box::new(Subject {
                identity: self.identity.clone(),
                profile: self.profile.clone(),
                policy: self.policy.clone(),
                name: self.name.clone(),
                role: self.role,
                runs_again: self.runs_again,
                open: Arc::clone(&self.open),
                state: State { end: Mutex::new(*locked(&self.state.end)), ..State::default() },
            })
        })
    }

    /// Ends cases that still run at this time. What the backend does from then on says nothing about it.
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

    /// Returns whether a failure with this signature has come back in another process.
    pub(crate) fn is_confirmed(&self, signature: &str) -> bool {
        locked(&self.state.confirmed).contains(signature)
    }

    /// Notes that a failure with this signature has come back in another process.
    pub(crate) fn confirm(&self, signature: String) {
        locked(&self.state.confirmed).insert(signature);
    }

    /// Runs cases and returns one observation for each, in the same order.
    pub fn run(&self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
        let idle = locked(&self.state.idle).pop();
        let mut runner = match idle.map_or_else(|| (self.open)(), Ok) {
            Ok(runner) => runner,
            Err(reason) => return jobs.iter().map(|_| Observation::NotRun { reason: reason.clone() }).collect(),
        };
        let share =
            |jobs: &[Job<'_>]| self.left().map(|left| left / u32::try_from(jobs.len()).unwrap_or(u32::MAX).max(1));
        let observations = if share(jobs).is_none_or(|share| share >= deadline) {
            runner.run_batch(jobs, deadline)
        } else {
            // Near the end of the run's time, each session gets what is left.
            let sessions = jobs.chunk_by(|_, next| next.again);
            let run =
                |session| runner.run_batch(session, share(session).unwrap_or(deadline).min(deadline).max(SHORTEST));
            sessions.flat_map(run).collect()
        };
        locked(&self.state.idle).push(runner);
        observations
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Checks that the operators and inputs in a profile's `constant_inputs` exist in the specification.
pub(crate) fn check_constant_inputs(profile: &Profile) -> Result<(), String> {
    for (operator, inputs) in &profile.constant_inputs {
        let versions = Spec::embedded().operators().filter(|o| o.name == *operator).flat_map(|o| &o.versions);
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

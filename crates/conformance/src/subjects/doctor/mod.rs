//! Checks the adapter of a backend: the program that speaks the worker protocol (`docs/worker-protocol.md`), and not
//! the operators behind it.
//!
//! A conformance run judges operators, and takes for granted that tensors arrive as they were sent, that outputs
//! come in order, and that a refusal has the right kind. [`examine`] checks this with a few small models of operators
//! that nearly every runtime has, usually in less than a minute. It also checks whether the process starts again, and
//! measures its memory and speed. Each [`Problem`] names what to change in the adapter.

mod adapter;
mod difference;
mod graphs;
mod model;
mod outcome;
mod process;
mod refusals;
mod sessions;
mod shapes;
mod values;

use std::time::{Duration, Instant};

use plumbline_backend::{Runner, StartError};
use plumbline_oracle::Policy;

use adapter::Adapter;
use model::Carrier;
pub(crate) use model::parse;

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The adapter does what the protocol says.
    Ok,
    /// The adapter has to be changed.
    Wrong,
    /// The check could not run, or says nothing about this adapter.
    NotChecked,
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Status::Ok => "ok",
            Status::Wrong => "wrong",
            Status::NotChecked => "not checked",
        })
    }
}

/// Something that is wrong with an adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What was seen, and what was expected.
    pub found: String,
    /// What to change in the adapter.
    pub advice: String,
}

impl Problem {
    fn new(found: impl Into<String>, advice: impl Into<String>) -> Problem {
        Problem { found: found.into(), advice: advice.into() }
    }
}

/// A check and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The name of the check, such as `element types`.
    pub name: &'static str,
    /// What was checked and measured, or why nothing was. May be empty if there are problems.
    pub summary: String,
    /// What is wrong.
    pub problems: Vec<Problem>,
    /// What is not wrong but could be better.
    pub hints: Vec<String>,
    /// Whether the check said nothing about the adapter.
    skipped: bool,
}

impl Check {
    /// Returns the result of the check.
    pub fn status(&self) -> Status {
        match (self.problems.is_empty(), self.skipped) {
            (false, _) => Status::Wrong,
            (true, true) => Status::NotChecked,
            (true, false) => Status::Ok,
        }
    }
}

/// The result of a check without the check's name, which [`Report::named`] adds.
#[derive(Default)]
struct Report {
    summary: String,
    problems: Vec<Problem>,
    hints: Vec<String>,
    skipped: bool,
}

impl Report {
    fn ok(summary: impl Into<String>) -> Report {
        Report { summary: summary.into(), ..Report::default() }
    }

    fn wrong(problem: Problem) -> Report {
        Report { problems: vec![problem], ..Report::default() }
    }

    fn skipped(reason: impl Into<String>) -> Report {
        Report { summary: reason.into(), skipped: true, ..Report::default() }
    }

    fn named(self, name: &'static str) -> Check {
        let Report { summary, problems, hints, skipped } = self;
        Check { name, summary, problems, hints, skipped }
    }
}

/// The name of the first check, which starts the backend.
const HANDSHAKE: &str = "handshake";

/// How a check runs.
#[derive(Clone, Copy)]
enum Run {
    /// Runs with any adapter.
    Any(fn(&mut Adapter) -> Report),
    /// Needs an operator that passes floats through unchanged ([`Carrier`]); skipped if the backend runs none.
    Carried(fn(&mut Adapter, Carrier) -> Report),
}

impl Run {
    fn run(self, adapter: &mut Adapter) -> Report {
        match self {
            Run::Any(check) => check(adapter),
            Run::Carried(check) => match adapter.float_carrier() {
                Ok(carrier) => check(adapter, carrier),
                Err(reason) => Report::skipped(reason),
            },
        }
    }
}

/// All checks after the handshake, in the order in which they run.
const CHECKS: [(&str, Run); 14] = [
    ("element types", Run::Any(values::check)),
    ("shapes", Run::Carried(shapes::check)),
    ("order of inputs", Run::Any(graphs::check_inputs)),
    ("order of outputs", Run::Carried(graphs::check_outputs)),
    ("shared values", Run::Carried(graphs::check_shared_values)),
    ("initializers", Run::Any(graphs::check_initializers)),
    ("repeated runs", Run::Carried(sessions::check_repeated_runs)),
    ("several models", Run::Carried(sessions::check_several_models)),
    ("unknown operator", Run::Any(refusals::check_unknown_operator)),
    ("invalid model", Run::Any(refusals::check_invalid_model)),
    ("restart", Run::Carried(process::check_restart)),
    ("memory", Run::Carried(process::check_memory)),
    ("speed", Run::Carried(process::check_speed)),
    ("frames", Run::Any(process::check_frames)),
];

/// A start that takes longer than this gets a hint, because every crash and timeout of a run costs another start.
const SLOW_START: Duration = Duration::from_secs(5);

/// Starts a backend with `start` and checks its adapter. `report` receives each check when it is done. A case may take
/// as long as `deadline`.
///
/// # Errors
/// Fails if there is no such backend, or if it cannot start. If it cannot start, `report` still receives the
/// handshake, which is then wrong.
pub fn examine(
    start: impl FnOnce() -> Result<Box<dyn Runner>, StartError>,
    deadline: Duration,
    report: &mut dyn FnMut(&Check),
) -> Result<Vec<Check>, StartError> {
    let begin = Instant::now();
    let runner = match start() {
        Ok(runner) => runner,
        Err(error) => {
            if let StartError::CannotStart { reason, fault, .. } = &error {
                report(&Report::wrong(outcome::start_problem(reason, *fault)).named(HANDSHAKE));
            }
            return Err(error);
        }
    };
    let mut checks = vec![handshake(runner.as_ref(), begin.elapsed()).named(HANDSHAKE)];
    report(&checks[0]);
    let mut adapter = Adapter::new(runner, deadline);
    for (name, check) in CHECKS {
        // `frames` runs no case. It reports the invalid answers of the checks before it.
        let result = match adapter.obstacle() {
            Some(reason) if name != "frames" => Report::skipped(reason),
            _ => check.run(&mut adapter),
        };
        let result = result.named(name);
        report(&result);
        checks.push(result);
    }
    Ok(checks)
}

/// Checks the greeting of a backend that took this long to start.
fn handshake(runner: &dyn Runner, took: Duration) -> Report {
    let (identity, profile) = (runner.identity(), runner.profile());
    let version = if runner.runs_again() { "2" } else { "1" };
    let mut report =
        Report::ok(format!("{identity}, protocol version {version}, started in {:.2} s", took.as_secs_f64()));
    if identity.name.trim().is_empty() {
        report.problems.push(Problem::new(
            "the greeting has an empty `name`",
            "Put the name of the backend into `identity.name` of hello. Results and expectations are stored under this \
             name.",
        ));
    }
    if identity.version.trim().is_empty() {
        report.problems.push(Problem::new(
            "the greeting has an empty `version`",
            "Put the version of the runtime into `identity.version` of hello. Otherwise the results of two releases \
             cannot be told apart.",
        ));
    }
    let profile_problem = crate::subjects::backends::check_constant_inputs(profile)
        .and_then(|()| Policy::new(&profile.numerics()).map(drop).map_err(|error| error.to_string()));
    if let Err(reason) = profile_problem {
        report.problems.push(Problem::new(
            reason,
            "Correct the `profile` of hello. docs/worker-protocol.md lists its keys and their values.",
        ));
    }
    report.hints.extend(slow_start(took));
    report
}

/// Returns a hint if a start took long.
fn slow_start(took: Duration) -> Option<String> {
    (took > SLOW_START).then(|| {
        "The start takes more than 5 s, and each crash or timeout of a run costs another start. Import only what is \
         needed. If the version of the runtime is known without loading it, send hello before the runtime is loaded."
            .to_owned()
    })
}

//! Tests a backend from within its own crate by `cargo test` or `cargo nextest run`, with one trial for each cell.
//!
//! The crate has a test target without the standard harness:
//! ```toml
//! [[test]]
//! name = "conformance"
//! harness = false
//! ```
//! and in `tests/conformance.rs`:
//! ```no_run
//! # use plumbline_backend::{Backend, Identity, Prepared, Profile};
//! # use plumbline_graph::Refusal;
//! # #[derive(Default)]
//! # struct MyBackend(Profile);
//! # impl Backend for MyBackend {
//! #     fn identity(&self) -> Identity { Identity { name: "mine".into(), version: "1".into() } }
//! #     fn profile(&self) -> &Profile { &self.0 }
//! #     fn prepare(&self, _: &plumbline_tensor::Model) -> Result<Box<dyn Prepared>, Refusal> { Err(Refusal::unsupported("all")) }
//! # }
//! use plumbline_conformance::harness::Suite;
//!
//! fn main() -> std::process::ExitCode {
//!     Suite::new("mine", || Box::new(MyBackend::default())).operators(["Min", "Floor"]).main()
//! }
//! ```
//! A trial is named after its cell: `Min-13/T=float16`. The trial of the cases that violate a constraint is named after
//! the cell and the constraint: `Min-13/T=float16/shapes-broadcast`. A cell that the backend refuses as unsupported is
//! listed as ignored and never as passed. Differences that the specification leaves open pass with a note. A failure
//! shows the minimized case, the expected answer and the backend's answer. With the id of a case
//! (`Min-13/T=float16/17@0`) as the only argument, the test program runs that case alone. `examples/embedded` is a
//! complete crate of this kind.

mod trial;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Arguments, Conclusion, Trial};
use plumbline_backend::Backend;
use plumbline_executor::{Options, Registry};

use crate::cases::Selection;
use crate::examining::Budget;
use crate::results::Expectations;
use crate::running::{Settings, Work};
use trial::Shared;

/// Makes the backend under test.
type Make = Arc<dyn Fn() -> Box<dyn Backend> + Send + Sync>;

/// The cases to run on a backend. By default they cover every operator that has a recipe.
pub struct Suite {
    name: String,
    make: Make,
    operators: Vec<String>,
    dtypes: Vec<String>,
    expectations: Vec<PathBuf>,
    floor: usize,
    in_worker: bool,
    repros: Option<PathBuf>,
    settings: Settings,
}

/// The reason why the trials cannot run.
#[derive(Debug, thiserror::Error)]
pub enum HarnessError {
    /// The suite names an unknown operator or element type, or one of its files cannot be read. The process exits with
    /// 2.
    #[error("suite {suite}: {reason}")]
    Suite {
        /// The name of the suite.
        suite: String,
        /// What is wrong.
        reason: String,
    },
    /// The backend cannot start. If this is found while the trials are listed or in a run with `--ignored`, the process
    /// exits with 3. In any other run, the trials fail.
    #[error("suite {suite}: the backend cannot start: {reason}")]
    Start {
        /// The suite.
        suite: String,
        /// The error that the backend reports.
        reason: String,
    },
}

/// The name under which a test program starts itself as the worker process of its backend.
const WORKER: &str = "suite";

impl Suite {
    /// Creates a suite with this name for the backend that `make` returns. `make` may be called several times, to run
    /// cases in parallel.
    pub fn new(name: &str, make: impl Fn() -> Box<dyn Backend> + Send + Sync + 'static) -> Suite {
        let settings = Settings::default();
        Suite {
            name: name.to_owned(),
            make: Arc::new(make),
            operators: vec![],
            dtypes: vec![],
            expectations: vec![],
            floor: 1,
            in_worker: false,
            repros: None,
            settings,
        }
    }

    /// Limits the suite to these operators (`Min`) and operator versions (`Min-13`).
    pub fn operators<T: Into<String>>(mut self, operators: impl IntoIterator<Item = T>) -> Suite {
        self.operators.extend(operators.into_iter().map(Into::into));
        self
    }

    /// Limits the suite to cells with one of these element types (`float16`).
    pub fn dtypes<T: Into<String>>(mut self, dtypes: impl IntoIterator<Item = T>) -> Suite {
        self.dtypes.extend(dtypes.into_iter().map(Into::into));
        self
    }

    /// Sets the average number of cases for each cell (20 by default, at least one).
    pub fn cases(mut self, cases: u64) -> Suite {
        self.settings.cases = cases.max(1);
        self
    }

    /// Sets the number of cases for each cell and constraint (2 by default). With 0 there are no negative trials.
    pub fn negative_cases(mut self, cases: u64) -> Suite {
        self.settings.negative_cases = cases;
        self
    }

    /// Sets the seed of all cases (0 by default).
    pub fn seed(mut self, seed: u64) -> Suite {
        self.settings.seed = seed;
        self
    }

    /// Sets the longest time that the backend may take for one case (10 s by default). It is only enforced if the
    /// backend runs in a worker process.
    pub fn deadline(mut self, deadline: Duration) -> Suite {
        self.settings.deadline = deadline;
        self
    }

    /// Sets the limit for the minimization of one failure.
    pub fn budget(mut self, budget: Budget) -> Suite {
        self.settings.budget = budget;
        self
    }

    /// Adds a file of known differences in the format of `reports/expectations/`. Known differences pass with a note,
    /// and a trial `expectations/<file>` fails if one of them no longer occurs.
    pub fn expectations(mut self, file: impl Into<PathBuf>) -> Suite {
        self.expectations.push(file.into());
        self
    }

    /// Sets the number of cells that the backend must support (1 by default, at least one). The trial `floor` fails if
    /// there are fewer.
    pub fn floor(mut self, cells: usize) -> Suite {
        self.floor = cells.max(1);
        self
    }

    /// Runs the backend in worker processes, so that a crash or a hang fails one trial and not the whole program. A
    /// backend that declares `needs_worker` in its profile always runs in one.
    pub fn in_worker(mut self) -> Suite {
        self.in_worker = true;
        self
    }

    /// Writes a folder below `folder` for each signature of failures. It has the smallest case found: `model.onnx`, the
    /// inputs, the expected answer and the backend's answer.
    pub fn repros(mut self, folder: impl Into<PathBuf>) -> Suite {
        self.repros = Some(folder.into());
        self
    }

    /// Does everything that `main` has to do: reads the arguments that `cargo test` and `cargo nextest` pass, and lists
    /// or runs the trials. The exit code is 101 if a trial failed, 2 if the suite itself is wrong, and 3 if the backend
    /// cannot start in a run with `--list` or `--ignored`. In any other run, the trials fail if the backend cannot
    /// start.
    pub fn main(self) -> ExitCode {
        if let Some(served) = self.registry().serve_if_asked(std::env::args_os().skip(1)) {
            return served.map_or_else(|error| failed(&error, 3), |()| ExitCode::SUCCESS);
        }
        match self.run(&Arguments::from_args()) {
            Ok(conclusion) => conclusion.exit_code(),
            Err(error @ HarnessError::Suite { .. }) => failed(&error, 2),
            Err(error @ HarnessError::Start { .. }) => failed(&error, 3),
        }
    }

    /// Lists or runs the trials, for a `main` that does more than [`Suite::main`]. A backend that runs in worker
    /// processes needs [`Suite::main`]: a worker is the same program, and only [`Suite::main`] makes it act as a
    /// worker.
    ///
    /// # Errors
    /// See [`HarnessError`]. Failed trials are not errors but part of the conclusion.
    pub fn run(self, arguments: &Arguments) -> Result<Conclusion, HarnessError> {
        let wrong = |reason: String| HarnessError::Suite { suite: self.name.clone(), reason };
        let selection = Selection::new(&self.operators, &self.dtypes).map_err(wrong)?;
        let known = self.expectations.iter().map(|file| Expectations::load(file));
        let known = known.collect::<Result<Vec<_>, _>>().map_err(|e| wrong(e.to_string()))?;
        let mut pieces = Vec::new();
        for cell in selection.cells() {
            let negatives = if self.settings.negative_cases == 0 { vec![] } else { cell.negatives() };
            pieces.push(Work::Cell(cell.clone(), None));
            pieces.extend(negatives.into_iter().map(|label| Work::Cell(cell.clone(), Some(label))));
        }
        let shared = Arc::new(Shared::new(self, known, pieces, arguments));
        Ok(libtest_mimic::run(arguments, trials(&shared, arguments)?))
    }

    fn registry(&self) -> Registry {
        let make = Arc::clone(&self.make);
        Registry::new(Options::default()).with_worker(WORKER, "the backend under test", move |_| Ok(make()))
    }
}

fn failed(error: &dyn std::error::Error, code: u8) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::from(code)
}

/// Makes all trials. To list them, or to run only the ignored ones, this function asks the backend which cells it
/// supports. Otherwise each trial asks the backend about its own cell.
fn trials(shared: &Arc<Shared>, arguments: &Arguments) -> Result<Vec<Trial>, HarnessError> {
    let mut trials = Vec::new();
    let by_name = Arguments { ignored: false, ..arguments.clone() };
    for at in 0..shared.pieces.len() {
        let mine = Arc::clone(shared);
        let trial = Trial::ignorable_test(shared.pieces[at].to_string(), move || mine.piece(&mine.pieces[at]));
        let ask = (arguments.list || arguments.ignored) && !by_name.is_filtered_out(&trial);
        let ignored = ask && shared.unsupported(&shared.pieces[at])?.is_some();
        trials.push(trial.with_ignored_flag(ignored));
    }
    for at in 0..shared.known.len() {
        let mine = Arc::clone(shared);
        let stem = shared.known[at].path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        trials.push(Trial::test(format!("expectations/{stem}"), move || mine.expectations(at)));
    }
    let mine = Arc::clone(shared);
    trials.push(Trial::test("floor", move || mine.floor()));
    // A case has a trial of its own only if the filter is its id.
    if let Some(Ok(case)) = arguments.filter.as_deref().map(plumbline_generator::case_of) {
        let mine = Arc::clone(shared);
        let work = Work::Kept(Box::new(case), "generated".to_owned());
        trials.push(Trial::ignorable_test(arguments.filter.clone().unwrap_or_default(), move || mine.piece(&work)));
    }
    Ok(trials)
}

//! Plumbline inside another crate: its backend is tested by `cargo test` or `cargo nextest run`, one trial a cell.
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
//! Trials are called by their cells: `Min-13/T=float16`, and `Min-13/T=float16/shapes-broadcast` for the cases that violate that constraint.
//! A cell that the backend refuses as unsupported is listed as ignored, never passed. Differences that the specification
//! leaves open pass with a note. A failure shows the minimized case and both answers. The id of a case
//! (`Min-13/T=float16/17@0`) as the only argument runs that case alone. `examples/embedded` is a whole crate of this kind.

mod trial;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Arguments, Conclusion, Trial};
use plumbline_backend::Backend;
use plumbline_executor::{Options, Registry};

use crate::{Budget, Expectations, Selection, Settings, Work};
use trial::Shared;

/// Makes the backend under test.
type Make = Arc<dyn Fn() -> Box<dyn Backend> + Send + Sync>;

/// What is run on a backend: every operator there is a recipe for, unless something narrower is said.
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

/// Why there are no trials.
#[derive(Debug, thiserror::Error)]
pub enum HarnessError {
    /// The suite names what there is not, or a file of it cannot be read. The process exits with 2.
    #[error("suite {suite}: {reason}")]
    Suite {
        /// The suite.
        suite: String,
        /// What is wrong.
        reason: String,
    },
    /// The backend could not start. The process exits with 3.
    #[error("suite {suite}: the backend cannot start: {reason}")]
    Start {
        /// The suite.
        suite: String,
        /// What the backend says.
        reason: String,
    },
}

/// The name by which a test program starts itself as the worker of its backend.
const WORKER: &str = "suite";

impl Suite {
    /// A suite of this name for the backend that `make` makes. It may be made several times, to run cases side by side.
    pub fn new(name: &str, make: impl Fn() -> Box<dyn Backend> + Send + Sync + 'static) -> Suite {
        let settings = Settings {
            seed: 0,
            cases: 20,
            negative_cases: 2,
            time: None,
            deadline: Duration::from_secs(10),
            shard: (1, 1),
            selection: Selection::default(),
            out: PathBuf::new(),
            budget: Budget::default(),
        };
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

    /// Only these operators (`Min`) and operator versions (`Min-13`).
    pub fn operators<T: Into<String>>(mut self, operators: impl IntoIterator<Item = T>) -> Suite {
        self.operators.extend(operators.into_iter().map(Into::into));
        self
    }

    /// Only cells with one of these element types (`float16`).
    pub fn dtypes<T: Into<String>>(mut self, dtypes: impl IntoIterator<Item = T>) -> Suite {
        self.dtypes.extend(dtypes.into_iter().map(Into::into));
        self
    }

    /// Cases a cell (20 unless said otherwise; at least one).
    pub fn cases(mut self, cases: u64) -> Suite {
        self.settings.cases = cases.max(1);
        self
    }

    /// Cases a cell and constraint (2 unless said otherwise; none leaves the negative trials out).
    pub fn negative_cases(mut self, cases: u64) -> Suite {
        self.settings.negative_cases = cases;
        self
    }

    /// The seed of all cases (0 unless said otherwise).
    pub fn seed(mut self, seed: u64) -> Suite {
        self.settings.seed = seed;
        self
    }

    /// The longest the backend may take for one case (10 s unless said otherwise). Kept only where it runs in a worker process.
    pub fn deadline(mut self, deadline: Duration) -> Suite {
        self.settings.deadline = deadline;
        self
    }

    /// How much work the minimization of one failure may be.
    pub fn budget(mut self, budget: Budget) -> Suite {
        self.settings.budget = budget;
        self
    }

    /// A file of known differences (the form of `reports/expectations/`). They pass with a note, and a trial
    /// `expectations/<file>` fails where one of them is no longer seen.
    pub fn expectations(mut self, file: impl Into<PathBuf>) -> Suite {
        self.expectations.push(file.into());
        self
    }

    /// The least number of cells the backend supports (1 unless said otherwise); the trial `floor` fails below it.
    pub fn floor(mut self, cells: usize) -> Suite {
        self.floor = cells.max(1);
        self
    }

    /// Runs the backend in worker processes, so that a crash or a hang fails a trial and not the whole program. A backend whose
    /// profile says `needs_worker` runs in one anyway.
    pub fn in_worker(mut self) -> Suite {
        self.in_worker = true;
        self
    }

    /// Writes a folder for each minimized failure below this one: `model.onnx`, inputs, both answers.
    pub fn repros(mut self, folder: impl Into<PathBuf>) -> Suite {
        self.repros = Some(folder.into());
        self
    }

    /// The whole of `main`: reads the arguments that `cargo test` and `cargo nextest` pass, lists or runs the trials. Exits with
    /// 101 where a trial failed, 2 where the suite itself is wrong, 3 where the backend cannot start.
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

    /// Lists or runs the trials, for a `main` that does more than that. Unless [`Suite::main`] is called, workers cannot start.
    ///
    /// # Errors
    /// See [`HarnessError`]; failed trials are in the conclusion.
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

/// All trials. Whether the backend supports a cell is asked only where the answer has to be known before the cell runs: in a
/// listing, and where the ignored ones are wanted.
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
    // A case by its id, which no listing has.
    if let Some(Ok(case)) = arguments.filter.as_deref().map(plumbline_generator::case_of) {
        let mine = Arc::clone(shared);
        let work = Work::Kept(Box::new(case), "generated".to_owned());
        trials.push(Trial::ignorable_test(arguments.filter.clone().unwrap_or_default(), move || mine.piece(&work)));
    }
    Ok(trials)
}

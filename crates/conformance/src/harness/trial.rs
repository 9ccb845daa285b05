//! A single trial: runs a cell, judges its cases, and reports the failures.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::OnceLock;

use libtest_mimic::{Arguments, Completion, Failed};
use plumbline_backend::{Backend, Job, Local, Observation};
use plumbline_generator::Case;
use plumbline_graph::{Refusal, RefusalKind};
use plumbline_judge::Verdict;

use super::{HarnessError, Suite, WORKER};
use crate::examining::{answers, smaller, write_repro};
use crate::results::Expectations;
use crate::running::{Advance, Found, Progress, Run, Settings, Work};
use crate::subjects::Subject;

/// The number of cases that are tried to find out whether a cell is supported.
const PROBES: u64 = 8;
/// The largest number of case ids that a failure lists.
const MOST_IDS: usize = 5;

/// The state that all trials of a suite share.
pub(super) struct Shared {
    name: String,
    settings: Settings,
    floor: usize,
    files: Vec<PathBuf>,
    repros: Option<PathBuf>,
    /// The known differences.
    pub known: Vec<Expectations>,
    /// The pieces of work: the valid cases of each cell, and for each of its constraints the cases that violate it.
    pub pieces: Vec<Work>,
    /// Whether an unsupported cell fails: either ignored cells were asked for, or the test runner (nextest) would count
    /// a process that exits normally as a pass.
    strict: bool,
    /// The backend in this process, unless it has to run in a worker.
    backend: Option<Box<dyn Backend>>,
    suite: Suite,
    subject: OnceLock<Result<Subject, String>>,
}

/// Discards the progress of a run.
struct Silent;

impl Progress for Silent {
    fn start(&self, _total: u64) {}
    fn advance(&self, _done: Advance) {}
    fn line(&self, _text: &str) {}
    fn finish(&self) {}
}

impl Shared {
    pub fn new(suite: Suite, known: Vec<Expectations>, pieces: Vec<Work>, arguments: &Arguments) -> Shared {
        let nextest = std::env::var_os("NEXTEST").is_some();
        let backend = if suite.in_worker { None } else { Some((suite.make)()) };
        Shared {
            name: suite.name.clone(),
            settings: suite.settings.clone(),
            floor: suite.floor,
            files: suite.expectations.clone(),
            repros: suite.repros.clone(),
            known,
            pieces,
            strict: arguments.ignored || arguments.include_ignored || nextest,
            backend: backend.filter(|b| !b.profile().needs_worker),
            suite,
            subject: OnceLock::new(),
        }
    }

    fn subject(&self) -> Result<&Subject, HarnessError> {
        let open = || {
            let make = self.suite.make.clone();
            let registry = self.suite.registry();
            let in_worker = self.backend.is_none();
            let opener = move || match in_worker {
                true => registry.start(WORKER).map_err(|e| e.to_string()),
                false => Ok(Box::new(Local::new(make())) as Box<dyn plumbline_backend::Runner>),
            };
            Subject::start(&self.name, Box::new(opener))
        };
        let subject = self.subject.get_or_init(open).as_ref();
        subject.map_err(|reason| HarnessError::Start { suite: self.name.clone(), reason: reason.clone() })
    }

    /// Returns the reason if the backend refuses the first cases of the cell, at most `PROBES`, as unsupported. Returns
    /// `None` if it does anything else with one of them, or if the work is not a cell or has no case.
    pub fn unsupported(&self, work: &Work) -> Result<Option<String>, HarnessError> {
        let Work::Cell(cell, violates) = work else { return Ok(None) };
        let settings = &self.settings;
        let count = if violates.is_some() { settings.negative_cases } else { cell.share_of(settings.cases) };
        let mut reason = None;
        for case in (0..count.min(PROBES)).filter_map(|index| cell.case(*violates, index, self.settings.seed)) {
            match self.probe(&case)? {
                Some(refusal) if refusal.kind == RefusalKind::Unsupported => {
                    reason.get_or_insert_with(|| refusal.to_string());
                }
                _ => return Ok(None),
            }
        }
        Ok(reason)
    }

    /// Prepares a case, or runs it if the backend is in a worker process, and returns the refusal if there is one.
    fn probe(&self, case: &Case) -> Result<Option<Refusal>, HarnessError> {
        if let Some(backend) = &self.backend {
            let prepared = catch_unwind(AssertUnwindSafe(|| backend.prepare(&case.model).err()));
            return Ok(prepared.unwrap_or(None));
        }
        let jobs = [Job::new(&case.model, &case.inputs)];
        Ok(match self.subject()?.run(&jobs, self.settings.deadline).pop() {
            Some(Observation::Refused { refusal, .. }) => Some(refusal),
            _ => None,
        })
    }

    /// Runs the trial of a cell or of a single case.
    pub fn piece(&self, work: &Work) -> Result<Completion, Failed> {
        if let Some(reason) = self.unsupported(work)? {
            return self.unsupported_completion(reason);
        }
        let tally = self.tally(work, &self.known)?;
        let (judged, all) = (tally.passed + tally.latitude + tally.known, tally.all);
        if tally.failures.is_empty() && judged == 0 {
            let reason = tally.unsupported_because.unwrap_or_else(|| "the cell has no case".to_owned());
            return self.unsupported_completion(reason);
        }
        if !tally.failures.is_empty() {
            return Err(self.description(work, tally).into());
        }
        let mut notes = Vec::new();
        if let Some(detail) = tally.latitude_because {
            notes.push(format!("{} differ where the specification does not decide: {detail}", tally.latitude));
        }
        if tally.known > 0 {
            notes.push(format!("{} are known failures", tally.known));
        }
        if let Some(reason) = tally.unsupported_because {
            notes.push(format!("{} are unsupported: {reason}", tally.unsupported));
        }
        if !notes.is_empty() {
            eprintln!("note: {work}: of {all} cases, {}", notes.join("; "));
        }
        Ok(Completion::Completed)
    }

    fn unsupported_completion(&self, reason: String) -> Result<Completion, Failed> {
        match self.strict {
            true => Err(format!("unsupported, and no case was judged: {reason}").into()),
            false => Ok(Completion::ignored_with(format!("unsupported: {reason}"))),
        }
    }

    fn run<'a>(&'a self, subjects: &'a [Subject]) -> Run<'a> {
        Run { settings: &self.settings, subjects, expectations: &[], progress: &Silent }
    }

    fn tally(&self, work: &Work, known: &[Expectations]) -> Result<Tally, Failed> {
        let subject = self.subject()?;
        let (found, outcome) = self.run(std::slice::from_ref(subject)).piece(work);
        if let Some(error) = outcome.broken.first() {
            return Err(format!("Plumbline's own error, not the backend's: {error}").into());
        }
        let mut tally = Tally::default();
        for mut one in found {
            let features = one.failure.as_ref().map_or(&[][..], |f| &f.case.features);
            known.iter().for_each(|file| file.apply(&mut one.result, features));
            tally.take(one);
        }
        Ok(tally)
    }

    /// Describes the failures of a trial. For each signature: the verdict, the ids, a minimized case, and the command
    /// that runs the first case again.
    fn description(&self, work: &Work, tally: Tally) -> String {
        let failed: usize = tally.failures.values().map(Vec::len).sum();
        let mut text = format!("{work}: {failed} of {} cases fail\n", tally.all);
        for found in tally.failures.into_values() {
            let ids: Vec<&str> = found.iter().map(|f| f.result.case.as_str()).take(MOST_IDS).collect();
            let more =
                if found.len() > ids.len() { format!(" and {} more", found.len() - ids.len()) } else { String::new() };
            let Some(first) = found.first() else { continue };
            let kind = first.result.kind.map(|k| format!(" ({})", k.name())).unwrap_or_default();
            let _ = writeln!(text, "\n{}{kind}: {}{more}", first.result.verdict, ids.join(", "));
            let _ = match &first.failure {
                Some(_) => write!(text, "{}", self.minimized(first)),
                None => writeln!(text, "{}", first.result.detail.as_deref().unwrap_or("")),
            };
            let _ = writeln!(text, "run again: {} -- --exact '{}'", command(), first.result.case);
        }
        text
    }

    /// Describes the smallest case seen that fails as `found` does, with the expected and the backend's answer.
    fn minimized(&self, found: &Found) -> String {
        let (Some(failure), Ok(subject)) = (&found.failure, self.subject()) else { return String::new() };
        let Settings { deadline, budget, .. } = self.settings;
        let smaller = smaller(subject, failure, deadline, budget, || false);
        let heading = if smaller.is_some() { "minimized:\n" } else { "" };
        let smaller = smaller.unwrap_or_else(|| failure.clone());
        let mut text = format!("{heading}{}", answers(&smaller));
        if let (Some(folder), Some(signature)) = (&self.repros, &found.result.signature) {
            let folder = folder.join(signature);
            let _ = match write_repro(&folder, &found.result, &smaller, &self.settings.program) {
                Ok(()) => writeln!(text, "written to {}", folder.display()),
                Err(error) => writeln!(text, "the failure cannot be written: {error}"),
            };
        }
        text
    }

    /// Fails if the backend supports fewer cells than the suite demands.
    pub fn floor(&self) -> Result<(), Failed> {
        let mut cells = 0;
        let mut supported = 0;
        for work in self.pieces.iter().filter(|w| matches!(w, Work::Cell(_, None))) {
            cells += 1;
            supported += usize::from(self.unsupported(work)?.is_none());
            if supported >= self.floor {
                return Ok(());
            }
        }
        Err(format!("{}: {supported} of {cells} cells are supported, but the floor is {}", self.name, self.floor)
            .into())
    }

    /// Fails if the file of known differences is for another backend, or if one of its differences no longer occurs.
    /// The trial runs every cell that the file is about, independently of the other trials.
    pub fn expectations(&self, at: usize) -> Result<(), Failed> {
        let known = Expectations::load(&self.files[at]).map_err(|e| e.to_string())?;
        let identity = self.subject()?.identity.to_string();
        if !known.concerns(&identity) {
            return Err(format!("{}: the file is for another backend than {identity}", known.path.display()).into());
        }
        let known = [known];
        for work in &self.pieces {
            let Work::Cell(cell, _) = work else { continue };
            if known[0].mentions(&cell.version.id) {
                self.tally(work, &known)?;
            }
        }
        match known[0].stale(self.settings.cases, self.settings.cases, |_| true) {
            stale if stale.is_empty() => Ok(()),
            stale => Err(stale.join("\n").into()),
        }
    }
}

/// The results of one trial.
#[derive(Default)]
struct Tally {
    all: usize,
    passed: usize,
    latitude: usize,
    latitude_because: Option<String>,
    unsupported: usize,
    unsupported_because: Option<String>,
    known: usize,
    failures: BTreeMap<String, Vec<Found>>,
}

impl Tally {
    fn take(&mut self, found: Found) {
        self.all += 1;
        let detail = || found.result.detail.clone().unwrap_or_default();
        match found.result.verdict {
            _ if found.result.expected_verdict.is_some() => self.known += 1,
            Verdict::Pass => self.passed += 1,
            Verdict::Latitude => {
                self.latitude += 1;
                self.latitude_because.get_or_insert_with(detail);
            }
            Verdict::Unsupported => {
                self.unsupported += 1;
                self.unsupported_because.get_or_insert_with(detail);
            }
            Verdict::Fail | Verdict::Crash | Verdict::Timeout | Verdict::DeviceLost | Verdict::NotRun => {
                let signature = found.result.signature.clone().unwrap_or_default();
                self.failures.entry(signature).or_default().push(found);
            }
        }
    }
}

/// Returns the command that runs this test program. Cargo gives the program a name such as
/// `conformance-0123456789abcdef`.
fn command() -> String {
    let stem = std::env::current_exe().ok().and_then(|exe| Some(exe.file_stem()?.to_str()?.to_owned()));
    let target = stem.as_deref().and_then(|s| s.rsplit_once('-')).map_or("conformance", |(name, _)| name);
    format!("cargo test --test {target}")
}

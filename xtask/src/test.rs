//! `cargo xtask test`: runs every test of the project, after fetching what it needs.
//!
//! Everything, this program included, is compiled in the dev profile, in which an overflow panics
//! ([decision](../../docs/decisions/tests-in-the-dev-profile.md)).
//! If something cannot be fetched, the steps that need it are not run and are listed at the end; with `CI=true` this is
//! a failure, except for the browser.

// Over 400 lines: the steps of a test run, from their choice to the summary.

mod name;
mod packages;
mod programs;
mod skips;

use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use plumbline::exit::Exit;
use plumbline::places::places;
use plumbline::{python, suite};

use crate::workspace;
use clap::ValueEnum;
use name::{BESIDE, Name};
use skips::Skip;

/// The variables that make Cargo lint every crate of the workspace that it compiles. The launcher (`xtask/launcher`)
/// sets the same variables when it compiles xtask, so that Cargo does not compile those crates again for the tests.
/// Both packages list the variables, because only the tests of xtask may depend on the launcher:
/// `cargo package --workspace` packs xtask as well, and the launcher is in no registry.
const LINTED: [(&str, &str); 2] = [("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"), ("CARGO_PROFILE_DEV_DEBUG", "0")];

const EXAMPLES: &str = "\
Examples:
  cargo xtask test                        run every step
  cargo xtask test --step format --step clippy

Exit codes: 0 no step failed; 1 a step failed, or was not run although CI=true.";

/// Runs every test of the project, after fetching what the tests need.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Run only this step and the steps that it needs; may be given more than once [default: all]
    #[arg(long, value_name = "NAME")]
    step: Vec<Name>,
}

/// The suite that the oracle is compared with.
const SUITE: &str = "onnx:1.23.2";
/// The release of the onnx package that `specs/onnx` is imported from.
const ONNX: &str = "onnx==1.23.2";
/// The Python packages that tests need: onnx; mpmath, for correctly rounded answers; pytest with several workers, for
/// the tests of the Python package; and rules of accessibility, for the tests of the report in a browser.
const PACKAGES: [&str; 5] = [ONNX, "mpmath==1.4.1", "pytest==9.2.0", "pytest-xdist==3.8.0", "axe-core-python==0.1.0"];

/// The numbers of tests of a step. A skipped test is not counted as passed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: u64,
    failed: u64,
    skipped: Vec<Skip>,
}

impl Counts {
    /// Returns the counts of a step that is a single test.
    fn one(passed: bool) -> Counts {
        Counts { passed: u64::from(passed), failed: u64::from(!passed), skipped: Vec::new() }
    }

    fn plus(mut self, other: Counts) -> Counts {
        self.skipped.extend(other.skipped);
        Counts { passed: self.passed + other.passed, failed: self.failed + other.failed, ..self }
    }
}

/// What a step knows about its run and about earlier steps.
#[derive(Clone, Copy)]
struct Run<'a> {
    /// The steps that prepare others, once all of them have ended.
    prepared: &'a OnceLock<Vec<Done>>,
    /// The earlier steps in the same lane. The steps of one lane run one after the other, in parallel with other lanes.
    lane: &'a [Done],
    ci: bool,
    /// Whether the step `tests` is one of the steps of this run.
    tests: bool,
}

impl Run<'_> {
    /// Returns whether a step succeeded. If the step is not in this lane, this function waits until the steps that
    /// prepare others have ended.
    fn has(&self, name: Name) -> bool {
        let is_it = |done: &&Done| done.name == name;
        let here = self.lane.iter().find(is_it);
        let done = here.or_else(|| self.prepared.wait().iter().find(is_it));
        done.is_some_and(|done| matches!(done.state, StepOutcome::Done(_)))
    }

    /// Runs steps one after the other. If `logged`, the output of each step goes to a file, and is printed at the end
    /// of the step.
    fn lane(self, names: &[Name], logged: bool) -> Vec<Done> {
        names.iter().fold(Vec::new(), |mut lane, name| {
            let log = places().cache.join("test").join(format!("{name}.log"));
            lane.push(attempt(*name, Run { lane: &lane, ..self }, logged.then_some(log.as_path())));
            lane
        })
    }
}

/// The outcome of a step.
enum StepOutcome {
    Done(Counts),
    Failed(Counts, String),
    NotRun(String),
}

struct Done {
    name: Name,
    state: StepOutcome,
    took: Duration,
}

/// Runs `cargo xtask test`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let ci = std::env::var("CI").is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"));
    let wanted =
        |name: &Name| args.step.is_empty() || args.step.iter().any(|step| step == name || step.requires(*name));
    let names = || Name::value_variants().iter().copied().filter(wanted);
    let preparing: Vec<Name> = names().filter(|name| name.prepares()).collect();
    let (beside, here): (Vec<Name>, Vec<Name>) =
        names().filter(|name| !name.prepares()).partition(|name| BESIDE.contains(name));
    let prepared = OnceLock::new();
    let run = Run { prepared: &prepared, lane: &[], ci, tests: here.contains(&Name::Tests) };
    // One lane runs the steps that prepare others, and then the steps of `BESIDE`. The other lane runs the remaining
    // steps at the same time: these leave cores idle while Cargo compiles the last crates of a chain of dependencies.
    let mut done = std::thread::scope(|scope| {
        let lane = scope.spawn(|| {
            let empty = OnceLock::from(Vec::new());
            let prepare = || Run { prepared: &empty, ..run }.lane(&preparing, true);
            let ended = panic::catch_unwind(AssertUnwindSafe(prepare));
            // Steps of both lanes wait for `prepared`, so it is set even if a step panicked.
            let (done, panicked) = ended.map_or_else(|panicked| (Vec::new(), Some(panicked)), |done| (done, None));
            prepared.get_or_init(|| done);
            if let Some(panicked) = panicked {
                panic::resume_unwind(panicked);
            }
            run.lane(&beside, true)
        });
        let here = run.lane(&here, false);
        lane.join().map(|beside| here.into_iter().chain(beside).collect::<Vec<Done>>())
    })
    .map_err(|_| anyhow::anyhow!("a step panicked"))?;
    done.extend(prepared.into_inner().unwrap_or_default());
    done.sort_by_key(|done| done.name);
    Ok(summary(&done, ci))
}

/// Runs a step and prints how it ended. If there is a `log`, the output of the step goes there, and is printed in one
/// piece at the end.
fn attempt(name: Name, run: Run, log: Option<&Path>) -> Done {
    match log {
        Some(_) => println!("\n== {name}: runs in parallel with the others"),
        None => println!("\n== {name}"),
    }
    let started = Instant::now();
    let emptied = log.filter(|log| log.exists()).map_or(Ok(()), std::fs::remove_file);
    let state = match emptied {
        Ok(()) => step(name, run, log),
        Err(error) => StepOutcome::Failed(Counts::one(false), format!("cannot empty its log: {error}")),
    };
    let took = started.elapsed();
    let end = match &state {
        StepOutcome::Done(_) => format!("== {name}: done in {:.1} s", took.as_secs_f64()),
        StepOutcome::Failed(_, reason) => format!("== {name}: failed after {:.1} s: {reason}", took.as_secs_f64()),
        StepOutcome::NotRun(reason) => format!("== {name}: not run: {reason}"),
    };
    let printed = log.and_then(|log| std::fs::read_to_string(log).ok()).unwrap_or_default();
    println!("{printed}{end}");
    Done { name, state, took }
}

fn step(name: Name, run: Run, log: Option<&Path>) -> StepOutcome {
    let lacking = name.needs().iter().find(|need| !run.has(**need));
    if let Some(need) = lacking {
        return StepOutcome::NotRun(format!("it needs the step {need}, which did not succeed"));
    }
    let result = match name {
        Name::Python => python::with_packages(&PACKAGES).map(|python| println!("{}", python.display())).map(|()| None),
        Name::Suite => suite_at_hand().map(|()| None),
        Name::Onnxruntime => ["onnxruntime", "onnxruntime:ep=ggml", "onnxruntime:ep=webgpu"]
            .iter()
            .try_for_each(|name| logged(&itself(&["backends", "--fetch", name]), log))
            .map(|()| None),
        Name::Chromium => chromium(log).map(|()| None),
        Name::Headers => logged(&script("scripts/directx-headers.sh"), log).map(|()| None),
        Name::Cross => logged(&script("scripts/windows-rust.sh"), log).map(|()| None),
        Name::Emulator => logged(&script("scripts/windows-emulator.sh"), log).map(|()| None),
        Name::Format => formatted().map(|()| None),
        Name::Clippy => clippy(run).map(|()| None),
        Name::Windows => logged(&script("scripts/windows-check.sh"), log).map(|()| None),
        Name::Wine => logged(&script("scripts/windows-run.sh"), log).map(|()| None),
        Name::Tests => tests(run).map(Some),
        Name::Packages => packages::run(log).map(|()| None),
        Name::Specifications => command(&itself(&["spec", "import", "onnx", "--check"])).map(|()| None),
        Name::Published => {
            command(&conformance(run, &["--suite", SUITE, "--gate", "--backend", "reference"], "published"))
                .map(|()| None)
        }
        Name::Smoke => command(&conformance(run, &["--profile", "smoke"], "smoke")).map(|()| None),
        Name::Mutants => {
            let check = |directml: &[&str], operators: &[&str]| {
                let operators: Vec<&str> = operators.iter().flat_map(|name| ["--op", name]).collect();
                command(&itself(&[&["mutants", "--check"], directml, &operators].concat()))
            };
            check(&[], &MUTATED).and_then(|()| check(&["--directml"], &MUTATED_DIRECTML)).map(|()| None)
        }
    };
    match result {
        Ok(None) if name.prepares() => StepOutcome::Done(Counts::default()),
        Ok(None) => StepOutcome::Done(Counts::one(true)),
        Ok(Some(counts)) if counts.failed == 0 => StepOutcome::Done(counts),
        Ok(Some(counts)) => {
            let reason = format!("{} tests failed", counts.failed);
            StepOutcome::Failed(counts, reason)
        }
        Err(error) if name.prepares() && name.may_be_missing(run.ci) => StepOutcome::NotRun(format!("{error:#}")),
        Err(error) => StepOutcome::Failed(Counts::one(false), format!("{error:#}")),
    }
}

/// Prints the times, the steps that were not run, the tests that were skipped, and `N passed, N failed` as the last
/// line.
fn summary(done: &[Done], ci: bool) -> Exit {
    println!("\n== summary");
    let mut sum = Counts::default();
    for Done { name, state, took } in done {
        let (word, counts) = match state {
            StepOutcome::Done(counts) => ("done", counts.clone()),
            StepOutcome::Failed(counts, _) => ("FAILED", counts.clone()),
            StepOutcome::NotRun(_) if name.may_be_missing(ci) => ("not run", Counts::default()),
            StepOutcome::NotRun(_) => ("NOT RUN", Counts::one(false)),
        };
        let shown = if *name == Name::Tests { format!("  {}", line(&counts)) } else { String::new() };
        println!("{word:8}{:15}{:7.1} s{shown}", name.to_string(), took.as_secs_f64());
        sum = sum.plus(counts);
    }
    for Done { name, state, .. } in done {
        match state {
            StepOutcome::Failed(_, reason) => println!("{name} failed: {reason}"),
            StepOutcome::NotRun(reason) => {
                println!("{name} was not run, so {} is not tested: {reason}", name.without())
            }
            StepOutcome::Done(_) => {}
        }
    }
    for skip in &sum.skipped {
        match skip.allowed() {
            Some(why) => println!("skipped: {}: {} ({why})", skip.test, skip.reason),
            None => println!("skipped{}: {}: {}", if ci { ", a failure" } else { "" }, skip.test, skip.reason),
        }
    }
    println!("{} tests were skipped", sum.skipped.len());
    println!("{}", line(&sum));
    if sum.failed == 0 { Exit::Conforms } else { Exit::DoesNotConform }
}

fn line(counts: &Counts) -> String {
    format!("{} passed, {} failed", counts.passed, counts.failed)
}

fn cargo(arguments: &[&str]) -> Vec<String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    std::iter::once(cargo).chain(arguments.iter().map(|a| (*a).to_owned())).collect()
}

fn script(path: &str) -> Vec<String> {
    vec!["sh".to_owned(), path.to_owned()]
}

/// Returns the command for this program with other arguments.
fn itself(arguments: &[&str]) -> Vec<String> {
    let program = std::env::current_exe().map_or_else(|_| "xtask".to_owned(), |p| p.display().to_string());
    // A build of the tests may have replaced the file of this program; Linux then says so behind the path.
    let program = program.trim_end_matches(" (deleted)").to_owned();
    std::iter::once(program).chain(arguments.iter().map(|a| (*a).to_owned())).collect()
}

/// Returns how many test programs, or how many cases of a run, are processed at a time: one more than there are cores,
/// because a test program may wait for a browser or for a worker that hangs, and a case waits for its worker.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from) + 1
}

/// The backends on which the steps `published` and `smoke` run cases. Others that happen to be fetched have their own
/// expectations, and would take too long.
const BACKENDS: [&str; 4] = ["cpu", "directml-software", "rten", "onnxruntime"];

/// The operators of the step `mutants`: one of each family whose cases are drawn in their own way. The workflow
/// `nightly.yml` tests all.
const MUTATED: [&str; 8] = ["Clip", "Pow", "Gather", "Softmax", "Conv", "TopK", "Slice", "LayerNormalization"];

/// The operators of DirectML of that step.
const MUTATED_DIRECTML: [&str; 3] = ["GATHER", "LOCAL_RESPONSE_NORMALIZATION_GRAD", "RESAMPLE_GRAD"];

fn conformance(run: Run, arguments: &[&str], out: &str) -> Vec<String> {
    let out = places().cache.join("test").join(out).display().to_string();
    let is_there = |name: &&str| *name != "onnxruntime" || run.has(Name::Onnxruntime);
    let backends: Vec<&str> = BACKENDS.into_iter().filter(is_there).flat_map(|name| ["--backend", name]).collect();
    itself(&[&["conformance", "--out", &out, "--jobs", &threads().to_string()], &backends[..], arguments].concat())
}

/// Runs a command and shows its output.
fn command(words: &[String]) -> anyhow::Result<()> {
    logged(words, None)
}

/// Runs a command. Appends its output to the file `log`, or shows the output if there is no `log`.
fn logged(words: &[String], log: Option<&Path>) -> anyhow::Result<()> {
    succeeds(&mut in_workspace(words)?, words, log)
}

fn in_workspace(words: &[String]) -> anyhow::Result<Command> {
    let (program, arguments) = words.split_first().context("an empty command")?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(workspace());
    // The launcher sets these variables for this program. A step sets them again if its command needs them.
    for (variable, _) in LINTED {
        command.env_remove(variable);
    }
    Ok(command)
}

fn succeeds(command: &mut Command, words: &[String], log: Option<&Path>) -> anyhow::Result<()> {
    if let Some(log) = log {
        let folder = log.parent().map_or(Ok(()), std::fs::create_dir_all);
        let opened = folder.and_then(|()| std::fs::File::options().append(true).create(true).open(log));
        let file = opened.with_context(|| format!("cannot write {}", log.display()))?;
        let errors = file.try_clone().with_context(|| format!("cannot write {}", log.display()))?;
        command.stdin(Stdio::null()).stdout(file).stderr(errors);
    }
    let status = command.status().with_context(|| format!("cannot start {}", shown(words)))?;
    if !status.success() {
        bail!("`{}` ended with {status}", shown(words));
    }
    Ok(())
}

/// Checks the format of every Rust file, even if no package contains it.
fn formatted() -> anyhow::Result<()> {
    let files = files(&workspace(), "rs")?;
    let files = files.iter().map(|path| path.display().to_string());
    let options = ["rustfmt", "--check", "--edition", "2024", "--config-path", "rustfmt.toml"];
    let words: Vec<String> = options.map(str::to_owned).into_iter().chain(files).collect();
    let status = in_workspace(&words)?.status().context("cannot start rustfmt")?;
    if !status.success() {
        bail!("rustfmt finds files that are not formatted");
    }
    Ok(())
}

/// Returns the files with this extension below a folder, except in folders named `target` or with a dot at the start.
fn files(folder: &Path, extension: &str) -> anyhow::Result<Vec<PathBuf>> {
    let is_ours = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || name != "target" && !name.starts_with('.')
    };
    let found = walkdir::WalkDir::new(folder).follow_links(true).into_iter().filter_entry(is_ours);
    let found = found.map(|entry| Ok(entry.with_context(|| format!("cannot list {}", folder.display()))?.into_path()));
    let wanted = |path: &anyhow::Result<PathBuf>| {
        path.as_ref().map_or(true, |path| path.extension().is_some_and(|known| known == extension))
    };
    found.filter(wanted).collect()
}

/// The options for all targets of the workspace. `--all-targets` would also compile unit tests of libraries with
/// `test = false`.
const TARGETS: [&str; 4] = ["--bins", "--tests", "--benches", "--examples"];

/// Lints the workspace. If the step `tests` belongs to this run, also compiles the tests. Cargo repeats the warnings about
/// code that it compiled before, so that none gets lost.
fn clippy(run: Run) -> anyhow::Result<()> {
    if !run.tests {
        return command(&cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]));
    }
    let words = cargo(&[&["test", "--workspace", "--no-run", "--message-format=json"], &TARGETS[..]].concat());
    let warnings =
        programs::compile(in_workspace(&words)?.envs(LINTED), &words)?.iter().filter(|m| m.is_warning()).count();
    anyhow::ensure!(warnings == 0, "the compiler and clippy print {warnings} warnings");
    Ok(())
}

/// Returns the command as one would type it.
fn shown(words: &[String]) -> String {
    let name = |word: &String| PathBuf::from(word).file_name().map(|n| n.to_string_lossy().into_owned());
    let program = words.first().and_then(name).unwrap_or_default();
    let program = if program == "xtask" { "cargo xtask".to_owned() } else { program };
    std::iter::once(program).chain(words.iter().skip(1).cloned()).collect::<Vec<_>>().join(" ")
}

fn suite_at_hand() -> anyhow::Result<()> {
    let name = SUITE.parse().map_err(anyhow::Error::msg)?;
    let (dir, manifest) = suite::at_hand(&name)?;
    println!("{} cases in {}", manifest.cases.values().sum::<usize>(), dir.display());
    Ok(())
}

fn chromium(log: Option<&Path>) -> anyhow::Result<()> {
    if let Some(path) = std::env::var_os("PLUMBLINE_CHROMIUM") {
        let path = PathBuf::from(path);
        if path.is_file() {
            println!("{}", path.display());
            return Ok(());
        }
        bail!("PLUMBLINE_CHROMIUM is {}, which is not a file", path.display());
    }
    logged(&script("scripts/install-chromium.sh"), log)
}

/// Runs all tests of the workspace; a test whose requirement is missing is skipped and says so. In CI, a skipped test
/// has failed, unless a list allows its reason.
fn tests(run: Run) -> anyhow::Result<Counts> {
    let compared = snapshots_compared()?;
    let python = run.has(Name::Python).then(|| python::with_packages(&PACKAGES)).transpose()?;
    let prepare = |command: &mut Command| {
        command.envs(LINTED);
        if let Some(python) = &python {
            command.env(python::PYTHON_VARIABLE, python);
        }
        if run.has(Name::Suite) {
            command.env(suite::SUITES_VARIABLE, suite::suites_dir());
        }
        if run.has(Name::Chromium) {
            command.env("PLUMBLINE_REQUIRE_CHROMIUM", "1");
        }
        if run.has(Name::Headers) {
            command.env("PLUMBLINE_REQUIRE_DIRECTX_HEADERS", "1");
        }
        // A snapshot that is new or differs fails its test. Outside of CI, insta also leaves a file to review.
        if run.ci {
            command.env("INSTA_UPDATE", "no");
        }
        command.env("INSTA_SNAPSHOT_REFERENCES_FILE", &compared);
    };
    let mut counts = programs::run(&prepare)?;
    if counts.passed == 0 {
        bail!("no test ran");
    }
    if run.ci {
        counts.failed += counts.skipped.iter().filter(|skip| skip.allowed().is_none()).count() as u64;
    }
    if counts.failed == 0 {
        let text = std::fs::read_to_string(&compared).context("no test compared a snapshot")?;
        for path in orphans(&workspace(), &text)? {
            println!("{}: no test compares this snapshot; delete it", path.display());
            counts.failed += 1;
        }
    }
    Ok(counts)
}

/// Returns the file in which insta lists the snapshots that tests compare, one on each line. Removes the file of an
/// earlier run.
fn snapshots_compared() -> anyhow::Result<PathBuf> {
    let folder = places().cache.join("test");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let path = folder.join("snapshots.txt");
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(path),
    }
}

/// Returns the snapshot files in folders called `snapshots` that no test compares. `compared` lists those that tests
/// compare, one on each line. The snapshots in `reports/behaviour` are not in such folders; `xtask/tests/tidy` finds
/// any that belong to no operator.
fn orphans(folder: &Path, compared: &str) -> anyhow::Result<Vec<PathBuf>> {
    let canonical = |path: &Path| std::fs::canonicalize(path).ok();
    let compared: BTreeSet<PathBuf> = compared.lines().filter_map(|line| canonical(Path::new(line))).collect();
    let mut files = files(folder, "snap")?;
    files.retain(|path| path.strip_prefix(folder).is_ok_and(|path| path.iter().any(|name| name == "snapshots")));
    files.retain(|path| canonical(path).is_none_or(|path| !compared.contains(&path)));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_launcher_compiles_with_the_same_variables() {
        assert_eq!(LINTED, xtask_launcher::LINTED);
    }

    #[test]
    fn snapshots_without_a_test_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(path("snapshots/help")).unwrap();
        for name in ["snapshots/help/show.snap", "snapshots/help/old.snap", "snapshots/errors.snap", "Min.snap"] {
            std::fs::write(path(name), "").unwrap();
        }
        let compared = ["snapshots/errors.snap", "snapshots/../snapshots/help/show.snap"].map(path);
        let compared = compared.map(|path| path.display().to_string()).join("\n");
        assert_eq!(orphans(folder.path(), &compared).unwrap(), [path("snapshots/help/old.snap")]);
        assert_eq!(orphans(folder.path(), "").unwrap().len(), 3);
    }

    #[test]
    fn a_step_comes_after_the_steps_it_needs() {
        for name in Name::value_variants() {
            let mut needs = name.needs().iter().chain(name.uses());
            // A step that does not prepare others may run at the same time as this one, so this one must not need it.
            assert!(needs.all(|need| need.prepares() && need < name), "{name}");
        }
    }

    #[test]
    fn a_step_brings_all_that_it_needs() {
        let required = |name: Name| {
            Name::value_variants().iter().copied().filter(move |other| name.requires(*other)).collect::<Vec<_>>()
        };
        assert_eq!(required(Name::Published), [Name::Python, Name::Suite, Name::Onnxruntime]);
        assert_eq!(required(Name::Format), []);
    }

    #[test]
    fn a_step_waits_for_what_is_prepared_and_for_nothing_else() {
        let done = |name: Name| Done { name, state: StepOutcome::Done(Counts::default()), took: Duration::ZERO };
        let prepared = OnceLock::new();
        let lane = [done(Name::Clippy)];
        let run = Run { prepared: &prepared, lane: &lane, ci: false, tests: true };
        assert!(run.has(Name::Clippy));
        let has = std::thread::scope(|scope| {
            let waiting = scope.spawn(|| (run.has(Name::Suite), run.has(Name::Python)));
            assert!(prepared.set(vec![done(Name::Suite)]).is_ok());
            waiting.join().unwrap()
        });
        assert_eq!(has, (true, false));
    }

    #[test]
    fn in_ci_only_the_browser_may_be_missing() {
        let missing = |name: Name| Done { name, state: StepOutcome::NotRun("offline".into()), took: Duration::ZERO };
        let ended = |name: Name, ci: bool| summary(&[missing(name)], ci);
        assert_eq!(ended(Name::Suite, false), Exit::Conforms);
        assert_eq!(ended(Name::Suite, true), Exit::DoesNotConform);
        assert_eq!(ended(Name::Chromium, true), Exit::Conforms);
    }
}

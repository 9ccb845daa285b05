//! Tests `plumbline_conformance::harness` as another crate uses it. This program starts itself again as a suite with a
//! backend that behaves in a particular way, and checks the output and the exit code of that process.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use plumbline_backend::mock::Mock;
use plumbline_backend::{Backend, Identity, Prepared, Profile};
use plumbline_conformance::Budget;
use plumbline_conformance::harness::Suite;
use plumbline_executor::OracleBackend;
use plumbline_graph::Refusal;
use plumbline_tensor::Model;

/// The environment variable with the name of the suite that this program acts as.
const SUITE: &str = "PLUMBLINE_TEST_SUITE";
/// The environment variable with the path of an expectations file.
const KNOWN: &str = "PLUMBLINE_TEST_EXPECTATIONS";

/// A backend that refuses everything, either when it prepares a model or only when it runs.
struct Lazy {
    profile: Profile,
    late: bool,
}

impl Backend for Lazy {
    fn identity(&self) -> Identity {
        Identity { name: "lazy".to_owned(), version: String::new() }
    }
    fn profile(&self) -> &Profile {
        &self.profile
    }
    fn prepare(&self, _model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        if self.late { Ok(Box::new(Late)) } else { Err(Refusal::unsupported("not on a Sunday")) }
    }
}

struct Late;

impl Prepared for Late {
    fn run(&mut self, _inputs: &[plumbline_tensor::Value]) -> Result<Vec<plumbline_tensor::Value>, Refusal> {
        Err(Refusal::unsupported("not on a Sunday"))
    }
}

fn suite(name: &str) -> Suite {
    let owned = name.to_owned();
    let make = move || -> Box<dyn Backend> {
        match owned.as_str() {
            "lazy" | "late" => Box::new(Lazy { profile: Profile::default(), late: owned == "late" }),
            "no-cells" | "unknown" => Box::new(OracleBackend::default()),
            "no-start" => panic!("no such device"),
            mode => Box::new(Mock::new(mode, Box::new(OracleBackend::default())).unwrap()),
        }
    };
    let suite = Suite::new(name, make).cases(6).negative_cases(1).deadline(Duration::from_millis(500));
    let suite = suite.budget(Budget { runs: 200, time: Duration::from_secs(2) });
    let suite = match name {
        "no-cells" => suite.operators(["Floor-13"]).dtypes(["string"]),
        "unknown" => suite.operators(["Flor"]),
        "no-start" => suite.operators(["Floor-13"]).in_worker(),
        _ => suite.operators(["Floor-13"]).dtypes(["float"]),
    };
    match std::env::var_os(KNOWN) {
        Some(path) => suite.expectations(PathBuf::from(path)),
        None => suite,
    }
}

/// How a suite ended, and what it printed.
struct Ending {
    code: Option<i32>,
    text: String,
}

impl Ending {
    fn has(&self, code: i32, words: &[&str]) -> Result<(), Failed> {
        let missing: Vec<&&str> = words.iter().filter(|w| !self.text.contains(**w)).collect();
        if self.code == Some(code) && missing.is_empty() {
            return Ok(());
        }
        Err(format!(
            "the process ended with {:?}, expected {code}; its output lacks {missing:?}:\n{}",
            self.code, self.text
        )
        .into())
    }
}

fn start(name: &str, known: Option<&Path>, arguments: &[&str]) -> Result<Ending, Failed> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(arguments).env(SUITE, name).env_remove("NEXTEST");
    if let Some(known) = known {
        command.env(KNOWN, known);
    }
    let output = command.output()?;
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    Ok(Ending { code: output.status.code(), text })
}

fn ends(name: &'static str, code: i32, words: &'static [&'static str]) -> Trial {
    Trial::test(name, move || start(name, None, &["--test-threads=1"])?.has(code, words))
}

fn file(folder: &tempfile::TempDir, text: &str) -> Result<PathBuf, Failed> {
    let path = folder.path().join("known.toml");
    std::fs::write(&path, text)?;
    Ok(path)
}

const LIES: &str = r#"
backend = "mock:lie"
[[expect]]
op = "Floor-13"
verdict = "fail"
kind = "wrong-value"
cases = 6
blame = "backend"
reason = "a bit of the first element is flipped"
"#;

fn expectations() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let known = file(&folder, LIES)?;
    start("lie", Some(&known), &[])?.has(0, &["are known failures", "test expectations/known ... ok"])?;
    let stale = file(&folder, &LIES.replace("mock:lie", "mock:ok"))?;
    start("ok", Some(&stale), &[])?
        .has(101, &["known.toml:3: Floor-13: this entry no longer describes any result with the verdict fail"])?;
    let other = file(&folder, &LIES.replace("mock:lie", "rten"))?;
    start("lie", Some(&other), &[])?.has(101, &["known.toml: the file is for another backend than mock:lie"])?;
    let wrong = file(&folder, &LIES.replace("Floor-13", "Flor-13"))?;
    start("lie", Some(&wrong), &["--list"])?.has(2, &["error: suite lie: ", "known.toml"])
}

/// Does what nextest does: lists all trials, lists the ignored ones, and runs one by its exact name.
fn listing() -> Result<(), Failed> {
    let listed = |name, ignored: &[&str]| start(name, None, &[&["--list", "--format", "terse"], ignored].concat());
    let all = listed("lazy", &[])?;
    all.has(0, &[])?;
    if all.text != "Floor-13/T=float: test\nfloor: test\n" {
        return Err(format!("listed:\n{}", all.text).into());
    }
    let ignored = listed("lazy", &["--ignored"])?;
    if ignored.text != "Floor-13/T=float: test\n" {
        return Err(format!("listed as ignored:\n{}", ignored.text).into());
    }
    if !listed("ok", &["--ignored"])?.text.is_empty() {
        return Err("a supported cell is listed as ignored".into());
    }
    start("ok", None, &["--exact", "Floor-13/T=float", "--nocapture"])?.has(0, &["1 passed; 0 failed; 0 ignored"])?;
    let failed = start("lie", None, &[])?.text;
    let id = failed
        .split("--exact '")
        .nth(1)
        .and_then(|rest| rest.split('\'').next())
        .ok_or("the output has no id of a case")?;
    start("lie", None, &["--exact", id])?.has(101, &["0 passed; 1 failed"])?;
    start("ok", None, &["--exact", id])?.has(0, &["1 passed; 0 failed"])
}

/// If the test runner counts a process that exits normally as a pass, an unsupported cell must fail.
fn unsupported_is_no_pass() -> Result<(), Failed> {
    start("lazy", None, &["Floor", "--ignored"])?.has(101, &["no case was judged: not on a Sunday"])?;
    start("late", None, &["Floor"])?
        .has(0, &["ignored (unsupported: not on a Sunday)", "0 passed; 0 failed; 1 ignored"])?;
    let mut nextest = Command::new(std::env::current_exe()?);
    nextest.args(["--exact", "Floor-13/T=float"]).env(SUITE, "late").env("NEXTEST", "1");
    let output = nextest.output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ending { code: output.status.code(), text }.has(101, &["no case was judged: not on a Sunday"])
}

fn main() -> ExitCode {
    if let Ok(name) = std::env::var(SUITE) {
        return suite(&name).main();
    }
    let trials = vec![
        ends("ok", 0, &["test Floor-13/T=float ... ok", "test floor            ... ok"]),
        ends(
            "lie",
            101,
            &["fail (wrong-value): Floor-13/T=float/", "minimized:", "node     Floor(X) -> Y", "run again: "],
        ),
        ends("crash", 101, &["crash: Floor-13/T=float/0@0", "SIGABRT", "mock: about to crash"]),
        ends("panic", 101, &["crash: Floor-13/T=float/0@0", "panic on purpose"]),
        ends("hang", 101, &["timeout: Floor-13/T=float/0@0", "no answer within 0.5 s"]),
        ends("device-lost", 101, &["device-lost: Floor-13/T=float/0@0", "the device was removed"]),
        ends("short", 101, &["fail (garbage)", "returned 0 outputs, but the model has 1"]),
        ends(
            "lazy",
            101,
            &["ignored (unsupported: not on a Sunday)", "0 of 1 cells are supported, but the floor is 1"],
        ),
        ends("no-cells", 101, &["0 of 0 cells are supported"]),
        ends("unknown", 2, &["suite unknown: no operator is called `Flor`; nearest: Floor"]),
        ends("no-start", 101, &["suite no-start: the backend cannot start: "]),
        Trial::test("expectations", expectations),
        Trial::test("listing", listing),
        Trial::test("unsupported_is_no_pass", unsupported_is_no_pass),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

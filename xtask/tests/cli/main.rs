//! Tests the program from the outside, with wrong usage, wrong data, misbehaving backends and full disks. The program
//! has to end with the documented exit code and an error that names the cause.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod kept;

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Exit codes, as `cargo xtask --help` documents them.
const CONFORMS: i32 = 0;
const DOES_NOT_CONFORM: i32 = 1;
const USAGE: i32 = 2;
const BACKEND_START: i32 = 3;
const TOO_FEW_CASES: i32 = 4;

/// The folder of one test.
struct Here(tempfile::TempDir);

impl Here {
    fn new() -> Here {
        Here(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.args(arguments).current_dir(self.0.path()).env("NO_COLOR", "1").env_remove("PLUMBLINE_PYTHON");
        command
    }

    fn run(&self, arguments: &[&str]) -> Ending {
        Ending::read(self.command(arguments).output().unwrap())
    }

    /// Runs a few cases of Floor on one backend; results go to `out`.
    fn floor(&self, backend: &str, more: &[&str]) -> Ending {
        let mut usual =
            vec!["conformance", "--op", "Floor-13", "--dtype", "float", "--suite", "generated", "--out", "out"];
        if !more.contains(&"--cases") {
            // The number is an average over all operators. Floor gets 4 cases, because it has more to vary than most.
            usual.extend(["--cases", "3"]);
        }
        self.run(&[&usual, &["--backend", backend][..], more].concat())
    }

    /// Returns the verdicts in `out/results.jsonl`.
    fn verdicts(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.path("out/results.jsonl")).unwrap();
        let verdict = |line: &str| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            line["verdict"].as_str().unwrap().to_owned()
        };
        text.lines().map(verdict).collect()
    }

    /// Returns the folder of a failure of the mock `lie`.
    fn repro(&self) -> PathBuf {
        self.floor("mock:lie", &["--cases", "20"]).is(DOES_NOT_CONFORM, &[]);
        let mut folders = std::fs::read_dir(self.path("out/repro")).unwrap();
        folders.next().unwrap().unwrap().path()
    }
}

struct Ending {
    code: Option<i32>,
    text: String,
}

impl Ending {
    fn read(output: Output) -> Ending {
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        Ending { code: output.status.code(), text }
    }

    /// Checks that the command ended with this code, that its output contains all of these `words`, and that its main
    /// thread did not panic.
    #[track_caller]
    fn is(self, code: i32, words: &[&str]) -> Ending {
        let missing: Vec<&&str> = words.iter().filter(|w| !self.text.contains(**w)).collect();
        assert!(
            self.code == Some(code) && missing.is_empty() && !self.text.contains("thread 'main'"),
            "the command ended with {:?}, expected {code}; its output lacks {missing:?}:\n{}",
            self.code,
            self.text
        );
        self
    }
}

#[test]
fn backends_that_cannot_start_are_errors() {
    let here = Here::new();
    let start = |backend: &str, words: &[&str]| {
        here.floor(backend, &[]).is(BACKEND_START, words);
        assert!(!here.path("out").exists(), "{backend} did not start, but results were written");
    };
    start("onnxruntime@not-a-version", &["onnxruntime@not-a-version cannot start: "]);
    #[cfg(unix)]
    start("process:yes", &["yes cannot start: its greeting is invalid: expected a frame"]);
}

#[test]
fn a_run_without_judged_cases_is_not_a_success() {
    let here = Here::new();
    here.floor("mock:ok", &["--cases", "0"]).is(TOO_FEW_CASES, &["there are no results"]);
    here.floor("mock:ok", &["--floor", "4"]).is(CONFORMS, &["conforms"]);
}

#[test]
fn misbehaving_backends_get_their_verdicts() {
    let here = Here::new();
    let fails = |backend: &str, verdict: &str, words: &[&str]| {
        here.floor(backend, &["--deadline-ms", "500"]).is(DOES_NOT_CONFORM, words);
        assert!(here.verdicts().iter().all(|v| v == verdict), "{backend}: {:?}", here.verdicts());
        assert_eq!(here.verdicts().len(), 4, "{backend}: expected a result for each case");
    };
    fails("mock:garbage", "fail", &["fail (garbage): Floor-13/T=float/0@0", "expected a frame"]);
    fails("mock:other-id", "fail", &["fail (garbage)"]);
    fails("mock:short", "fail", &["returned 0 outputs, but the model has 1"]);
    fails("mock:exit", "crash", &["crash: Floor-13/T=float/0@0"]);
    fails("mock:panic", "crash", &["panic on purpose"]);
    fails("mock:hang", "timeout", &["timeout: Floor-13/T=float/0@0", "no answer within 0.5 s"]);
    fails("mock:silent", "timeout", &["no answer within 0.5 s"]);
    let removed = "mock: the device was removed";
    fails("mock:device-lost", "device-lost", &["device-lost: Floor-13/T=float/0@0", removed]);
    // The device is lost in one case only: the others pass, and in another process this case passes as well.
    here.floor("mock:device-lost/4", &["--deadline-ms", "500"])
        .is(DOES_NOT_CONFORM, &["did not come back in another process"]);
    assert_eq!(here.verdicts().iter().filter(|verdict| *verdict == "pass").count(), 3);
    let known = KNOWN.replace("mock:ok", "mock:device-lost").replace("verdict = \"fail\"", "verdict = \"device-lost\"");
    here.floor("mock:device-lost", &["--expectations", &here.file("known.toml", &known)]).is(CONFORMS, &[]);
    #[cfg(unix)]
    fails("mock:crash", "crash", &["SIGABRT"]);
    // A backend that prints to stdout still answers.
    here.floor("mock:print", &[]).is(CONFORMS, &[]);
    assert_eq!(here.verdicts(), ["pass"; 4]);
}

const KNOWN: &str = "backend = \"mock:ok\"\n\n[[expect]]\nop = \"Floor-13\"\nverdict = \"fail\"\ncases = 4\nblame = \"backend\"\nreason = \"it was so\"\n";

#[test]
fn stale_expectations_fail_the_gate() {
    let here = Here::new();
    let stale = here.file("known.toml", KNOWN);
    let line = "known.toml:3: Floor-13: this entry no longer describes any result with the verdict fail";
    let all = [
        "conformance",
        "--op",
        "Floor-13",
        "--suite",
        "generated",
        "--cases",
        "3",
        "--backend",
        "mock:ok",
        "--out",
        "out",
    ];
    let every_cell = |more: &[&str]| here.run(&[&all[..], &["--expectations", &stale], more].concat());
    every_cell(&["--gate"]).is(DOES_NOT_CONFORM, &[line, "1 stale expectations"]);
    every_cell(&[]).is(CONFORMS, &[line]);
    // If only some cells of an operator run, its entry may match results of the others.
    let some = here.floor("mock:ok", &["--expectations", &stale, "--gate"]);
    some.is(CONFORMS, &[]);
    assert_eq!(here.verdicts(), ["pass"; 4]);
}

#[test]
fn a_failure_is_replayed() {
    let here = Here::new();
    let repro = here.repro();
    let folder = repro.display().to_string();
    here.run(&["replay", &folder, "--backend", "mock:lie"])
        .is(DOES_NOT_CONFORM, &["node     Floor(X) -> Y", "verdict  fail"]);
    here.run(&["replay", &folder, "--backend", "mock:ok"]).is(CONFORMS, &["verdict  pass"]);
    here.run(&["replay", &folder, "--backend", "mock:hang", "--deadline-ms", "300"])
        .is(DOES_NOT_CONFORM, &["verdict  timeout"]);
}

#[test]
fn results_that_are_cut_off_are_reported() {
    let here = Here::new();
    here.floor("mock:lie", &[]).is(DOES_NOT_CONFORM, &[]);
    let meta = std::fs::read_to_string(here.path("out/run.json")).unwrap();
    let meta: serde_json::Value = serde_json::from_str(&meta).unwrap();
    assert!(meta["started"].as_str().unwrap().ends_with(" UTC"), "{meta}");
    let results = std::fs::read_to_string(here.path("out/results.jsonl")).unwrap();
    let report = |text: &str| {
        here.file("results.jsonl", text);
        here.run(&["report", "--results", "results.jsonl", "--out", "report"])
    };
    report(&results).is(CONFORMS, &["4 results"]);
    report(&results[..results.len() - 20]).is(CONFORMS, &["results.jsonl: the last line is cut off", "3 results"]);
}

#[test]
fn a_missing_python_is_an_error() {
    let here = Here::new();
    let run = |arguments: &[&str]| {
        let mut command = here.command(arguments);
        // The cache of this run is empty.
        command.env("PLUMBLINE_PYTHON", "/nowhere/python").env("CARGO_TARGET_DIR", here.path("target"));
        Ending::read(command.output().unwrap())
    };
    run(&["suite", "fetch", "onnx:1.22.0"])
        .is(USAGE, &["cannot fetch onnx:1.22.0", "cannot start /nowhere/python (PLUMBLINE_PYTHON"]);
    run(&["spec", "import", "onnx", "--check"]).is(USAGE, &["PLUMBLINE_PYTHON is /nowhere/python"]);
    let suite = ["conformance", "--suite", "onnx:1.22.0", "--backend", "reference"];
    run(&suite).is(USAGE, &["cannot fetch onnx:1.22.0", "/nowhere/python"]);
    run(&["backends", "--fetch", "onnxruntime"])
        .is(BACKEND_START, &["PLUMBLINE_PYTHON is /nowhere/python, which does not start"]);
    // If a runtime cannot be fetched, a run continues with the built-in ones and says so.
    let floor = ["conformance", "--op", "Floor-13", "--dtype", "float", "--cases", "3", "--out", "out"];
    run(&floor).is(CONFORMS, &["backend onnxruntime is not available: ", "backend rten "]);
}

#[test]
fn unwritable_folders_are_errors() {
    let here = Here::new();
    here.file("out", "in the way");
    let ending = here.floor("mock:ok", &[]).is(USAGE, &["out: File exists"]);
    assert_eq!(ending.text.matches("File exists").count(), 1, "the error is printed twice:\n{}", ending.text);
}

/// Runs the command once for each file that is listed below, with only this file on a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let here = Here::new();
    for name in ["results.jsonl", "coverage.json", "run.json", "index.html", "junit.xml", "summary.json"] {
        let out = here.path("out");
        std::fs::create_dir_all(&out).unwrap();
        std::os::unix::fs::symlink("/dev/full", out.join(name)).unwrap();
        here.floor("mock:ok", &[]).is(USAGE, &["error: ", name, "No space left on device"]);
        // These two leave no results: the run writes `run.json` before the first case, and `results.jsonl` itself is on
        // the full disk.
        if !["results.jsonl", "run.json"].contains(&name) {
            assert_eq!(here.verdicts(), ["pass"; 4], "{name}: the results before the error are missing");
        }
        std::fs::remove_dir_all(&out).unwrap();
    }
    // A full disk behind stdout is no error.
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command =
        here.command(&["conformance", "--op", "Floor-13", "--dtype", "float", "--cases", "3", "--backend", "mock:ok"]);
    Ending::read(command.args(["--out", "out"]).stdout(full).output().unwrap()).is(CONFORMS, &[]);
}

/// Tests a disk that becomes full in the middle of a run: the results before that are kept, and at most the last line
/// is cut off.
#[cfg(unix)]
#[test]
fn results_before_a_full_disk_are_kept() {
    let here = Here::new();
    let program = env!("CARGO_BIN_EXE_xtask");
    // A file may have 32 blocks. Because `trap` ignores the signal XFSZ, a write beyond this size is an error, just as
    // on a full disk.
    let script = format!(
        "trap '' XFSZ; ulimit -f 32; exec '{program}' conformance --op Floor --cases 40 --backend mock:ok --jobs 1 --out out"
    );
    let output = Command::new("sh").args(["-c", &script]).current_dir(here.0.path()).output().unwrap();
    Ending::read(output)
        .is(USAGE, &["error: the run ended early; its results so far are in out/results.jsonl", "File too large"]);
    let text = std::fs::read_to_string(here.path("out/results.jsonl")).unwrap();
    let whole = text.lines().filter(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()).count();
    assert!(whole > 20 && text.lines().count() - whole <= 1, "{whole} whole lines of {}", text.lines().count());
    here.run(&["report", "--results", "out/results.jsonl", "--out", "report"])
        .is(CONFORMS, &[&format!("{whole} results")]);
}

/// Tests `cargo xtask ... | head -1`: a reader may close the pipe.
#[test]
fn a_closed_stdout_is_not_an_error() {
    let here = Here::new();
    let repro = here.repro().display().to_string();
    let commands: [&[&str]; 6] = [
        &["spec", "list"],
        &["spec", "show", "Min"],
        &["backends"],
        &["suite", "list"],
        &["replay", &repro, "--backend", "mock:lie"],
        &["conformance", "--op", "Floor-13", "--backend", "mock:lie", "--cases", "2", "--out", "out"],
    ];
    for arguments in commands {
        let mut child = here.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!text.contains("thread 'main'"), "{arguments:?}: {text}");
        assert!(output.status.code().is_some_and(|code| code < 2), "{arguments:?}: {}", output.status);
    }
}

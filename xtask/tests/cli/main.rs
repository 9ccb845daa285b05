//! Tests the program from the outside: wrong usage, wrong data, misbehaving backends and full disks. Each ends with the
//! documented exit code and an error that names the cause.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod directml;
mod kept;

use std::path::{Path, PathBuf};
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
            // On average: Floor gets 4, as it has more to vary for each of its cells than the average.
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

    /// Checks that the command ended with this code, printed all of this, and did not panic.
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
fn unknown_names_are_wrong_usage() {
    let here = Here::new();
    let conformance =
        |arguments: &[&str]| here.run(&[&["conformance", "--backend", "mock:ok", "--out", "out"], arguments].concat());
    conformance(&["--op", "Flor"]).is(USAGE, &["error: no operator is called `Flor`; nearest: Floor"]);
    conformance(&["--op", "Floor-2"]).is(USAGE, &["error: Floor has no version 2, only 1, 6, 13"]);
    conformance(&["--dtype", "half"]).is(USAGE, &["no element type is called `half`; the types are float, "]);
    conformance(&["--suite", "torch"])
        .is(USAGE, &["--suite torch: the suites are generated, negative, regressions and onnx:VERSION"]);
    conformance(&["--profile", "fast"])
        .is(USAGE, &["--profile fast: there is no such profile; the profiles are ci, nightly, smoke"]);
    conformance(&["--shard", "5/4"]).is(USAGE, &["`5/4` is not a part such as 1/4"]);
    conformance(&["--time", "soon"]).is(USAGE, &["`soon` is not a time such as 60s, 10m or 2h"]);
    conformance(&["--time", "0m"]).is(USAGE, &["`0m` is too short a time to run for"]);
    conformance(&["--deadline-ms", "0"]).is(USAGE, &["--deadline-ms", "0 is not in 1.."]);
    conformance(&["--cases", "few"]).is(USAGE, &["'few' for '--cases <N>'"]);
    here.run(&["conformance", "--backend", "reference"]).is(USAGE, &["--backend reference is the oracle itself"]);
    here.run(&["conform"]).is(USAGE, &["unrecognized subcommand 'conform'"]);
    assert!(!here.path("out").exists(), "wrong usage must not write results");
}

#[test]
fn backends_that_cannot_start_are_errors() {
    let here = Here::new();
    let start = |backend: &str, words: &[&str]| {
        here.floor(backend, &[]).is(BACKEND_START, words);
        assert!(!here.path("out").exists(), "{backend} did not start, but results were written");
    };
    start("mock:sulk", &["error: mock:sulk cannot start: `sulk` is not a mode of the mock"]);
    start("mock:no-start", &["error: mock:no-start cannot start: mock:no-start never starts"]);
    start("mock:dead-start", &["cannot start: it ended without a greeting: exit status: 0"]);
    start("process:", &["no command is given: write process:CMD"]);
    start("process:no-such-program-anywhere", &["no-such-program-anywhere cannot start: "]);
    start("onnxruntime@not-a-version", &["onnxruntime@not-a-version cannot start: "]);
    #[cfg(unix)]
    start("process:yes", &["yes cannot start: its greeting is invalid: expected a frame"]);
    // An unknown name is wrong usage; nothing that could be installed or fetched would help.
    here.floor("onyx", &[]).is(USAGE, &["error: no backend is called `onyx`; there are "]);
    here.floor("mock:no-start", &["--backend", "onyx"]).is(USAGE, &["no backend is called `onyx`"]);
    assert!(!here.path("out").exists(), "an unknown backend must not write results");
    here.run(&["replay", "Min-13/T=float16/17@0", "--backend", "onyx"]).is(USAGE, &["no backend is called `onyx`"]);
}

#[test]
fn a_run_without_cases_is_not_a_success() {
    let here = Here::new();
    let none = |arguments: &[&str]| {
        let usual = ["conformance", "--backend", "mock:ok", "--out", "out"];
        here.run(&[&usual, arguments].concat())
            .is(TOO_FEW_CASES, &["there is nothing to run: no case matches --op, --dtype and --suite"]);
    };
    none(&["--op", "Floor", "--dtype", "int8"]);
    none(&["--suite", "regressions", "--op", "Floor"]);
    none(&["--suite", "regressions", "--op", "Pow", "--dtype", "string"]);
    here.floor("mock:ok", &["--cases", "0"]).is(TOO_FEW_CASES, &["fewer cases than the floor"]);
    here.floor("mock:ok", &["--floor", "5"]).is(TOO_FEW_CASES, &["mock:ok: fewer judged cases than the floor: 4 of 5"]);
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
    fails("mock:hang", "timeout", &["timeout: Floor-13/T=float/0@0: no answer within 0.5 s"]);
    fails("mock:silent", "timeout", &["no answer within 0.5 s"]);
    let removed = "mock: the device was removed";
    fails("mock:device-lost", "device-lost", &["device-lost: Floor-13/T=float/0@0", removed]);
    // The next case has a device again.
    here.floor("mock:device-lost/4", &["--deadline-ms", "500"]).is(DOES_NOT_CONFORM, &["3 pass, 1 device-lost"]);
    let known = KNOWN.replace("mock:ok", "mock:device-lost").replace("verdict = \"fail\"", "verdict = \"device-lost\"");
    here.floor("mock:device-lost", &["--expectations", &here.file("known.toml", &known)]).is(CONFORMS, &[]);
    #[cfg(unix)]
    fails("mock:crash", "crash", &["SIGABRT"]);
    // A backend that prints to stdout still answers.
    here.floor("mock:print", &[]).is(CONFORMS, &["4 pass"]);
}

const KNOWN: &str = "backend = \"mock:ok\"\n\n[[expect]]\nop = \"Floor-13\"\nverdict = \"fail\"\ncases = 4\nblame = \"backend\"\nreason = \"it was so\"\n";

#[test]
fn wrong_expectations_are_errors() {
    let here = Here::new();
    let known = |text: &str| here.file("known.toml", text);
    let stale = known(KNOWN);
    let line = "known.toml:3: Floor-13: no result is a fail that this entry describes any more";
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
    some.is(CONFORMS, &["4 pass"]);
    let wrong = |text: &str, words: &[&str]| {
        here.floor("mock:ok", &["--expectations", &known(text)]).is(USAGE, &[&["known.toml: "], words].concat());
    };
    wrong(&KNOWN.replace("Floor-13", "Flor"), &["line 3: no operator is called `Flor`; nearest: Floor"]);
    wrong(&KNOWN.replace("Floor-13", "Floor-12"), &["line 3: Floor has no version 12"]);
    wrong(&KNOWN.replace("reason", "raeson"), &["line 8", "unknown field `raeson`"]);
    wrong(&KNOWN.replace("it was so", ""), &["line 3: the reason is empty"]);
    wrong(&KNOWN.replace("\"fail\"", "\"pass\""), &["line 3: an entry for the verdict `pass` is not allowed"]);
    wrong("backend = ", &["line 1"]);
    let bytes = here.file("bytes.toml", [0xff, 0xfe]);
    here.floor("mock:ok", &["--expectations", &bytes]).is(USAGE, &["bytes.toml: stream did not contain valid UTF-8"]);
    here.floor("mock:ok", &["--expectations", "nowhere.toml"]).is(USAGE, &["nowhere.toml: No such file"]);
}

fn copied(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copied(&path, &to);
        } else {
            std::fs::copy(&path, &to).unwrap();
        }
    }
}

#[test]
fn broken_folders_cannot_be_replayed() {
    let here = Here::new();
    let repro = here.repro();
    let folder = repro.display().to_string();
    here.run(&["replay", &folder, "--backend", "mock:lie"])
        .is(DOES_NOT_CONFORM, &["node     Floor(X) -> Y", "verdict  fail"]);
    here.run(&["replay", &folder, "--backend", "mock:ok"]).is(CONFORMS, &["verdict  pass"]);
    here.run(&["replay", &folder, "--backend", "mock:hang", "--deadline-ms", "300"])
        .is(DOES_NOT_CONFORM, &["verdict  timeout"]);
    let broken = |breaks: &dyn Fn(&Path), words: &[&str]| {
        let copy = here.path("copy");
        copied(&repro, &copy);
        breaks(&copy);
        here.run(&["replay", "copy", "--backend", "mock:ok"]).is(USAGE, words);
        std::fs::remove_dir_all(&copy).unwrap();
    };
    let write =
        |name: &'static str, bytes: &'static [u8]| move |dir: &Path| std::fs::write(dir.join(name), bytes).unwrap();
    let cut = |name: &'static str| {
        move |dir: &Path| {
            let bytes = std::fs::read(dir.join(name)).unwrap();
            std::fs::write(dir.join(name), &bytes[..bytes.len() - 3]).unwrap();
        }
    };
    broken(&write("model.onnx", b"no model"), &["error: copy", "model.onnx: not an ONNX model"]);
    broken(&write("model.onnx", b""), &["model.onnx"]);
    broken(&cut("model.onnx"), &["model.onnx: not an ONNX model"]);
    broken(&cut("test_data_set_0/input_0.pb"), &["input_0.pb: not a tensor"]);
    broken(&|dir| std::fs::remove_dir_all(dir.join("test_data_set_0")).unwrap(), &["copy has no test_data_set_0"]);
    broken(
        &|dir| std::fs::remove_file(dir.join("test_data_set_0/input_0.pb")).unwrap(),
        &["test_data_set_0: the data set has 0 inputs, but the model has 1"],
    );
    broken(&write("case.json", b"{"), &["case.json"]);
    broken(&write("case.json", b"{\"violates\": \"X1\"}"), &["no operator has a rule called `X1`"]);
    let id = |id: &str, words: &[&str]| {
        here.run(&["replay", id, "--backend", "mock:ok"]).is(USAGE, words);
    };
    id("Min-13/T=float16/17", &["neither a folder nor the id of a case", "they look like Min-13/T=float16/17@0"]);
    id("Min-13/T=bool/17@0", &["Min-13 has no cell T=bool"]);
    id("Min-99/T=float/17@0", &["there is no operator version Min-99"]);
    id("Min-13/T=float/axis-in-range/0@0", &["there is no recipe for the case"]);
    id("nowhere", &["`nowhere` is neither a folder nor the id of a case"]);
}

#[test]
fn unreadable_results_are_errors() {
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
    report("{\"case\":1}\n").is(USAGE, &["results.jsonl:1: not a line of results"]);
    report(&results.replacen("\"verdict\"", "\"verdikt\"", 1)).is(USAGE, &["results.jsonl:1: not a line of results"]);
    here.run(&["report", "--results", "nowhere.jsonl"]).is(USAGE, &["cannot read nowhere.jsonl"]);
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

/// Tests a full disk for each of these files.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let here = Here::new();
    for name in ["results.jsonl", "coverage.json", "run.json", "index.html", "junit.xml", "summary.json"] {
        let out = here.path("out");
        std::fs::create_dir_all(&out).unwrap();
        std::os::unix::fs::symlink("/dev/full", out.join(name)).unwrap();
        here.floor("mock:ok", &[]).is(USAGE, &["error: ", name, "No space left on device"]);
        if name != "results.jsonl" {
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

/// Tests a disk that becomes full in the middle of a run: it contains the results before that, in whole lines.
#[cfg(unix)]
#[test]
fn results_before_a_full_disk_are_kept() {
    let here = Here::new();
    let program = env!("CARGO_BIN_EXE_xtask");
    // Files may have 32 blocks; without the signal, writing beyond is an error as on a full disk.
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

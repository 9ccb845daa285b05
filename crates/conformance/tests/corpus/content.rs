//! Exports the suite `directml` as models of DxDispatch, and compares the verdicts of `run.py` with ours, on devices that
//! are right and on devices that are wrong on purpose.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use plumbline_backend::{Backend, Identity, Prepared, Profile};
use plumbline_conformance::{
    CaseResult, Encoding, ExportError, Exported, FailKind, Minimization, Run, Settings, Subject, Verdict, Work,
};
use plumbline_directml::backend::run;
use plumbline_directml::dxdispatch::{RunError, check, run_model};
use plumbline_directml::software::Device;
use plumbline_generator::directml::{DirectMlCell, SUITE, Violated};
use plumbline_graph::{Refusal, RefusalKind};
use plumbline_spec::directml::FeatureLevel;
use plumbline_tensor::{Model, Value};

use crate::common::{Silent, local, new_folder, results};
use crate::devices::{DEVICES, Fault, Wrong, is_right};
use crate::{export_as, kept, python};

/// Operators that together have what the wrong devices get wrong. Those without a meaning have no cells.
const OPERATORS: [&str; 6] = ["ELEMENT_WISE_ADD1", "ELEMENT_WISE_EXP", "ELEMENT_WISE_MIN", "GATHER", "GEMM", "REDUCE"];

/// Returns the cells of the operators at one level each, with the cases that break a rule for the first of them.
fn work() -> Vec<Work> {
    let mut work = kept::cases();
    for operator in OPERATORS {
        let cells = DirectMlCell::all().into_iter().filter(|cell| cell.operator.short_name() == operator);
        let cells: Vec<DirectMlCell> = cells.collect();
        // The last level of each type has the most.
        let mut types = BTreeSet::new();
        let last: Vec<&DirectMlCell> = cells.iter().rev().filter(|cell| types.insert(cell.data_type.name())).collect();
        for (at, cell) in last.into_iter().take(2).enumerate() {
            if at == 0 && ["ELEMENT_WISE_MIN", "GEMM"].contains(&operator) {
                work.extend(Violated::ALL.into_iter().map(|rule| Work::DirectMl(*cell, Some(rule))));
            }
            work.push(Work::DirectMl(*cell, None));
        }
    }
    work
}

fn settings(out: &Path) -> Settings {
    Settings {
        cases: 6,
        negative_cases: 1,
        out: out.to_owned(),
        minimization: Minimization::Off,
        ..Settings::default()
    }
}

pub fn export(out: &Path) -> Result<Exported, ExportError> {
    export_as(Encoding::DxDispatch, &[SUITE], settings(out), u64::MAX, "opencl-full", work())
}

/// A wrong device as a backend.
struct OnDevice {
    device: Wrong,
    profile: Profile,
}

impl Backend for OnDevice {
    fn identity(&self) -> Identity {
        Identity { name: self.device.0.to_owned(), version: "1".to_owned() }
    }
    fn profile(&self) -> &Profile {
        &self.profile
    }
    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        Ok(Box::new(OnModel { device: self.device, model: model.clone() }))
    }
}

struct OnModel {
    device: Wrong,
    model: Model,
}

impl Prepared for OnModel {
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        run(&self.device, &self.model, inputs)
    }
}

/// Stands for DxDispatch. It has the answers of a device already, and copies those of a model.
pub const REPLAY: &str = r#"
import os, shutil, sys

answers, arguments = sys.argv[1], sys.argv[2:]
if arguments == ["-s"]:
    print("Recorded adapter\n-Version: 31.0.15\n-Hardware: true\n\nOther adapter\n-Version: 1.0\n-Hardware: false")
elif arguments == ["-S"]:
    print("dxdispatch version 0.18.1\n  DirectML     : NuGet (Microsoft.AI.DirectML.1.15.4)")
else:
    print("Running on 'Recorded adapter'")
    path = os.path.dirname(arguments[0]).replace("\\", "/").split("/models/", 1)[1]
    folder = os.path.join(answers, path)
    error = os.path.join(folder, "error.txt")
    if os.path.exists(error):
        with open(error) as file:
            sys.exit(file.read())
    for name in os.listdir(folder):
        shutil.copyfile(os.path.join(folder, name), name)
"#;

/// Returns the folders of all models of a content folder, relative to `models`.
pub fn models(content: &Path) -> Vec<PathBuf> {
    let all = crate::contents(&content.join("models"));
    all.keys().filter_map(|name| Some(PathBuf::from(name.strip_suffix("/model.json")?))).collect()
}

/// Runs all models on a device, and stores what each wrote.
pub fn record(content: &Path, answers: &Path, device: &dyn Device) {
    for folder in models(content) {
        let (from, to) = (content.join("models").join(&folder), answers.join(&folder));
        std::fs::create_dir_all(&to).unwrap();
        let model = serde_json::from_slice(&std::fs::read(from.join("model.json")).unwrap()).unwrap();
        match run_model(&model, &from, device) {
            Ok(ran) => ran.written.iter().for_each(|(name, bytes)| std::fs::write(to.join(name), bytes).unwrap()),
            Err(error) => {
                let number = match &error {
                    RunError::Refused(Refusal { kind: RefusalKind::Unsupported, .. }) => "0x887A0004",
                    RunError::Refused(Refusal { kind: RefusalKind::DeviceLost, .. }) => "0x887A0005",
                    _ => "0x80070057",
                };
                std::fs::write(to.join("error.txt"), format!("{number}: {error}")).unwrap();
            }
        }
    }
}

/// Runs `run.py` of a content folder, and returns its exit code, stdout and stderr. No module `onnx` can be imported.
pub fn run_py(python: &str, content: &Path, dxdispatch: &[&Path], more: &[&str]) -> (Option<i32>, String, String) {
    let without = content.with_extension("without-onnx");
    std::fs::create_dir_all(&without).unwrap();
    std::fs::write(without.join("onnx.py"), "raise ImportError('it must not be needed')\n").unwrap();
    let words: Vec<String> = dxdispatch.iter().map(|word| format!("'{}'", word.display())).collect();
    let mut command = Command::new(python);
    command.arg(content.join("run.py")).args(["--dxdispatch", &words.join(" ")]).args(more);
    let done = command.env("PYTHONPATH", without).env("PYTHONDONTWRITEBYTECODE", "1").output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (done.status.code(), text(&done.stdout), text(&done.stderr))
}

/// Returns the command that stands for DxDispatch with these answers. Without `site`, Python starts in half the time.
pub fn replayed<'a>(python: &'a str, replay: &'a Path, answers: &'a Path) -> [&'a Path; 5] {
    [Path::new(python), Path::new("-S"), Path::new("-E"), replay, answers]
}

#[test]
fn everything_that_is_written_is_accepted_at_its_level() {
    let dir = tempfile::tempdir().unwrap();
    let content = dir.path().join("content");
    let exported = export(&content).unwrap();
    assert!(exported.cases[SUITE] > 20 && exported.broken.is_empty(), "{exported:?}");
    let lines = std::fs::read_to_string(content.join("manifest/1-of-1.jsonl")).unwrap();
    let mut owned = 0;
    for line in lines.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let folder = content.join(line["path"].as_str().unwrap());
        let level: FeatureLevel = line["level"].as_str().unwrap().parse().unwrap();
        let files = line["files"].as_object().unwrap();
        for name in files.keys().filter(|name| name.ends_with("model.json")) {
            let model: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.join(name)).unwrap()).unwrap();
            // What DirectML owns is bound when the operator is initialized, and at no other time.
            for input in model["dispatchables"]["operator"]["bindings"].as_object().into_iter().flatten() {
                owned += 1;
                assert!(model["commands"][0]["bindings"].get(input.0).is_none(), "{folder:?}/{name}: {input:?}");
            }
            let checked = check(&model, level);
            let is_valid = line["expects"] == "outputs" || name.starts_with("twin/");
            let unreadable = checked.findings.iter().any(|finding| finding.violation.is_none());
            assert!(!unreadable && checked.dispatches == 1, "{folder:?}/{name}: {:?}", checked.findings);
            assert!(!is_valid || checked.findings.is_empty(), "{folder:?}/{name}: {:?}", checked.findings);
        }
    }
    assert!(owned > 0);
}

#[test]
fn run_py_agrees_with_our_judge_on_right_and_wrong_devices() {
    let Some(python) = python() else { return };
    let dir = tempfile::tempdir().unwrap();
    let content = dir.path().join("content");
    export(&content).unwrap();
    let settings = settings(&new_folder());
    let subject = |device: &Wrong| {
        let device = *device;
        let profile = || Profile::default();
        local(device.0, move || Box::new(OnDevice { device, profile: profile() }))
    };
    let subjects: Vec<Subject> = DEVICES.iter().map(subject).collect();
    Run { settings: &settings, subjects: &subjects, expectations: &[], progress: &Silent }.run(work()).unwrap();
    let mut ours: BTreeMap<(String, String), CaseResult> = BTreeMap::new();
    for result in results(&settings.out) {
        ours.insert((result.backend.strip_suffix(" 1").unwrap().to_owned(), result.case.clone()), result);
    }
    let replay = dir.path().join("replay.py");
    std::fs::write(&replay, REPLAY).unwrap();
    let (mut different, mut uncaught, mut seen, mut compared) = (Vec::new(), Vec::new(), BTreeSet::new(), 0);
    for (at, device) in DEVICES.iter().enumerate() {
        let answers = dir.path().join(format!("answers-{at}"));
        record(&content, &answers, device);
        let out = dir.path().join(format!("results-{at}"));
        let more = ["--out", out.to_str().unwrap(), "--jobs", "4"];
        let (code, stdout, stderr) = run_py(&python, &content, &replayed(&python, &replay, &answers), &more);
        let theirs = results(&out);
        let is_good =
            theirs.iter().all(|row| matches!(row.verdict, Verdict::Pass | Verdict::Latitude | Verdict::Unsupported));
        assert_eq!(code, Some(if is_good { 0 } else { 1 }), "{}: {stderr}", device.0);
        assert_eq!(stdout.lines().filter(|line| line.contains(" directml/")).count(), theirs.len(), "{stdout}");
        if is_good != is_right(device) {
            uncaught.push(device.0);
        }
        // Our backend itself refuses what is invalid, before the device gets it.
        for row in theirs.into_iter().filter(|_| !matches!(device.1, Fault::TakesInvalid)) {
            compared += 1;
            let our = &ours[&(device.0.to_owned(), row.case.clone())];
            // The judge in Python does not tell inaccurate answers from wrong ones.
            let kind = our.kind.map(|kind| if kind == FailKind::Inaccurate { FailKind::WrongValue } else { kind });
            seen.insert((row.verdict.name(), row.kind.map(FailKind::name)));
            if (our.verdict, kind) != (row.verdict, row.kind) {
                let detail = |result: &CaseResult| result.detail.clone().unwrap_or_default();
                different.push(format!(
                    "{}: {}: {} {kind:?} {}\n  {} {:?} {}",
                    device.0,
                    row.case,
                    our.verdict,
                    detail(our),
                    row.verdict,
                    row.kind,
                    detail(&row)
                ));
            }
        }
    }
    let few = different.iter().take(8).cloned().collect::<Vec<_>>().join("\n");
    println!("{compared} verdicts are equal, on {} devices", DEVICES.len());
    assert!(compared > 15 * DEVICES.len(), "only {compared} verdicts were compared");
    assert!(different.is_empty(), "{} of {} verdicts differ:\n{few}", different.len(), ours.len());
    assert!(uncaught.is_empty(), "these devices are not caught, or right ones are: {uncaught:?}");
    for kind in ["wrong-value", "rejects-valid"] {
        assert!(seen.contains(&("fail", Some(kind))), "{kind}: {seen:?}");
    }
    assert!(seen.contains(&("unsupported", None)) && seen.contains(&("pass", None)), "{seen:?}");
}

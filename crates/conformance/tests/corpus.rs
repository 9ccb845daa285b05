//! Exports corpora, and compares the verdicts of their judge in Python with ours.
// Over 400 lines: the corpora, the backends whose answers are recorded, and the judge's command share their helpers.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod common;
mod twisted;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Silent, elements, local, new_folder, results};
use plumbline_backend::{Backend, Identity, Prepared, Profile};
use plumbline_conformance::suite::{CaseFolder, DataSet};
use plumbline_conformance::{
    CaseResult, Export, ExportError, Exported, Minimization, Right, Run, Selection, Settings, Subject, Verdict, Work,
    regressions, right,
};
use plumbline_generator::cells;
use plumbline_graph::{Refusal, RefusalKind};
use plumbline_oracle::{Allowed, Latitude, Operand, Reference};
use plumbline_spec::Numerics;
use plumbline_tensor::{DType, Model, Tensor, Value, value_to_bytes};
use twisted::{Twist, Twisted};

/// Operators whose outputs together need every part of the format: intervals, spellings, alternatives, any order,
/// distributions, sequences, optionals, maps, strings, complex numbers, latitude and small floats.
const OPERATORS: [&str; 26] = [
    "ArgMax",
    "BitShift",
    "Cast",
    "Col2Im",
    "Div",
    "Dropout",
    "Exp",
    "Floor",
    "Max",
    "MaxPool",
    "Multinomial",
    "NonMaxSuppression",
    "NonZero",
    "Optional",
    "OptionalGetElement",
    "Pow",
    "RandomNormal",
    "RandomUniformLike",
    "Scatter",
    "ScatterElements",
    "SequenceInsert",
    "SplitToSequence",
    "StringSplit",
    "TopK",
    "Unique",
    "ZipMap",
];

const CASES: u64 = 7;

/// Returns the valid and invalid cases of the newest version of each operator, and the kept cases of some.
fn work() -> Vec<Work> {
    let newest = |op: &str| cells().into_iter().filter(|c| c.version.id.name == op).map(|c| c.version.since()).max();
    let mut work = Vec::new();
    for op in OPERATORS {
        let since = newest(op).unwrap_or_else(|| panic!("{op} has no cells"));
        let own = cells().into_iter().filter(|c| c.version.id.name == op && c.version.since() == since);
        for (at, cell) in own.enumerate() {
            // A few cells of an operator with many types.
            if at > 4 && at % 8 != 0 {
                continue;
            }
            // The search for twins takes most of the time.
            if at == 0 {
                work.extend(cell.negatives().into_iter().map(|label| Work::Cell(cell.clone(), Some(label))));
            }
            work.push(Work::Cell(cell, None));
        }
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../generators/regressions");
    let kept = regressions::kept(&folder).unwrap().into_iter().take(20);
    work.extend(kept.map(|kept| Work::Kept(Box::new(kept.case), regressions::SUITE.to_owned())));
    work
}

fn export_with(settings: Settings, max_bytes: u64, accuracy: &str, work: Vec<Work>) -> Result<Exported, ExportError> {
    let export = Export {
        settings: &settings,
        profile: "smoke",
        suites: &["generated".to_owned(), "negative".to_owned(), regressions::SUITE.to_owned()],
        selection: BTreeMap::new(),
        numerics: Numerics { accuracy: accuracy.to_owned(), ..Numerics::default() },
        max_bytes,
        version: "0",
        progress: &Silent,
    };
    export.run(work)
}

fn settings(out: &Path) -> Settings {
    Settings { cases: CASES, negative_cases: 3, out: out.to_owned(), ..Settings::default() }
}

fn export(out: &Path, work: Vec<Work>) -> Result<Exported, ExportError> {
    export_with(settings(out), u64::MAX, "opencl-full", work)
}

/// Returns the cells of one operator as work.
fn cells_of(op: &str) -> Vec<Work> {
    cells().into_iter().filter(|c| c.version.id.name == op).map(|c| Work::Cell(c, None)).collect()
}

/// Returns all files below a folder with their contents, by their path.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for path in std::fs::read_dir(at).unwrap().map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().display().to_string().replace('\\', "/");
                    found.insert(name, std::fs::read(&path).unwrap());
                }
            }
        }
    }
    found
}

#[test]
fn a_corpus_is_the_same_bytes_and_parts_join_by_copying() {
    let dir = tempfile::tempdir().unwrap();
    let folder = |name: &str| dir.path().join(name);
    let exported = export(&folder("whole"), cells_of("Min")).unwrap();
    assert!(exported.cases["generated"] > 50 && exported.broken.is_empty(), "{exported:?}");
    let one_thread = Settings { jobs: 1, ..settings(&folder("again")) };
    export_with(one_thread, u64::MAX, "opencl-full", cells_of("Min")).unwrap();
    let whole = contents(&folder("whole"));
    assert!(whole == contents(&folder("again")), "two exports differ");
    let mut joined = BTreeMap::new();
    for number in 1..=3 {
        let part = folder(&format!("part{number}"));
        let shard = Settings { shard: (number, 3), ..settings(&part) };
        export_with(shard, u64::MAX, "opencl-full", cells_of("Min")).unwrap();
        for (name, bytes) in contents(&part) {
            let known = joined.insert(name.clone(), bytes);
            assert!(known.is_none() || name == "judge.py", "two parts have {name}");
        }
    }
    let cases = |all: &BTreeMap<String, Vec<u8>>| -> BTreeMap<String, Vec<u8>> {
        all.iter().filter(|(name, _)| !name.starts_with("manifest/")).map(|(n, b)| (n.clone(), b.clone())).collect()
    };
    assert!(cases(&joined) == cases(&whole), "the parts together differ from the whole");
    let other_seed = Settings { seed: 1, ..settings(&folder("other")) };
    export_with(other_seed, u64::MAX, "opencl-full", cells_of("Min")).unwrap();
    assert!(contents(&folder("other")) != whole, "the seed has no effect");
}

#[test]
fn an_export_that_fails_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("corpus");
    let names = || std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    let error = export_with(settings(&out), 10, "opencl-full", cells_of("Min")).unwrap_err();
    assert!(matches!(error, ExportError::NoCase { left_out } if left_out > 50), "{error}");
    let error = export_with(settings(&out), u64::MAX, "nothing", cells_of("Min")).unwrap_err();
    assert!(matches!(error, ExportError::Accuracy(_)), "{error}");
    let stopped = settings(&out);
    stopped.interrupt.raise();
    let error = export_with(stopped, u64::MAX, "opencl-full", cells_of("Min")).unwrap_err();
    assert!(matches!(error, ExportError::Interrupted), "{error}");
    assert_eq!(names(), [""; 0], "something was left behind");
    std::fs::create_dir(&out).unwrap();
    std::fs::write(out.join("notes.txt"), "mine").unwrap();
    let error = export(&out, cells_of("Floor")).unwrap_err();
    assert!(matches!(error, ExportError::NotEmpty { .. }), "{error}");
    assert_eq!(contents(&out).len(), 1);
    std::fs::remove_file(out.join("notes.txt")).unwrap();
    export(&out, cells_of("Floor")).unwrap();
    assert_eq!(names(), ["corpus"]);
}

#[test]
fn large_cases_are_left_out_and_listed() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("corpus");
    let exported = export_with(settings(&out), 4000, "opencl-full", cells_of("Min")).unwrap();
    assert!(!exported.left_out.is_empty() && exported.cases["generated"] > 10, "{exported:?}");
    let all = contents(&out);
    let head: serde_json::Value = serde_json::from_slice(&all["manifest/1-of-1.json"]).unwrap();
    assert_eq!(head["left_out"].as_array().unwrap().len(), exported.left_out.len());
    let lines = String::from_utf8(all["manifest/1-of-1.jsonl"].clone()).unwrap();
    for line in lines.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(line["bytes"].as_u64().unwrap() <= 4000, "{line}");
    }
}

/// Writes what backends do with the cases of a corpus into two files, as `recorded_answers.py` reads them.
struct Recorder {
    steps: BufWriter<File>,
    outputs: BufWriter<File>,
    /// The number of bytes in `outputs`.
    written: usize,
}

impl Recorder {
    fn new(folder: &Path) -> Recorder {
        std::fs::create_dir_all(folder).unwrap();
        let create = |name: &str| BufWriter::new(File::create(folder.join(name)).unwrap());
        Recorder { steps: create("steps.jsonl"), outputs: create("outputs"), written: 0 }
    }

    /// Records what a backend does with each case of a corpus.
    fn record(&mut self, corpus: &Path, name: &str, backend: &dyn Backend) {
        let lines = std::fs::read_to_string(corpus.join("manifest/1-of-1.jsonl")).unwrap();
        for line in lines.lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let case = line["path"].as_str().unwrap();
            let folder = CaseFolder::read(&corpus.join(case)).unwrap();
            // A case without inputs and outputs has no data set.
            let nothing = vec![DataSet { inputs: vec![], outputs: vec![] }];
            let sets = if folder.data_sets.is_empty() { &nothing } else { &folder.data_sets };
            let mut session = backend.prepare(&folder.model);
            for (number, set) in sets.iter().enumerate() {
                let outcome = match &mut session {
                    Ok(session) => session.run(&set.inputs),
                    Err(refusal) => Err(refusal.clone()),
                };
                self.write(name, case, &format!("run_{number}"), &outcome);
                let alone = backend.prepare(&folder.model).and_then(|mut model| model.run(&set.inputs));
                self.write(name, case, &format!("fresh_{number}"), &alone);
            }
            if line["twin"].is_string() {
                let twin = CaseFolder::read(&corpus.join(case).join("twin")).unwrap();
                let inputs = twin.data_sets.first().map_or(&[][..], |set| &set.inputs);
                let outcome = backend.prepare(&twin.model).and_then(|mut model| model.run(inputs));
                self.write(name, case, "twin", &outcome);
            }
        }
    }

    fn write(&mut self, backend: &str, case: &str, step: &str, outcome: &Result<Vec<Value>, Refusal>) {
        let mut facts = serde_json::json!({ "backend": backend, "case": case, "step": step, "refused": null });
        match outcome {
            Ok(values) => {
                let mut output = |value: &Value| {
                    let bytes = value_to_bytes(value, "").unwrap();
                    self.outputs.write_all(&bytes).unwrap();
                    let begin = self.written;
                    self.written += bytes.len();
                    serde_json::json!([value.kind().to_string(), begin, self.written])
                };
                facts["outputs"] = values.iter().map(&mut output).collect();
            }
            Err(refusal) => {
                facts["refused"] = refusal.to_string().into();
                facts["unsupported"] = (refusal.kind == RefusalKind::Unsupported).into();
            }
        }
        writeln!(self.steps, "{facts}").unwrap();
    }
}

/// Returns a Python that has the modules that the judge needs.
fn python() -> Option<String> {
    let python = std::env::var("PLUMBLINE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let check = Command::new(&python).args(["-c", "import numpy, onnx"]).output();
    if !check.is_ok_and(|done| done.status.success()) {
        eprintln!("SKIPPED: {python} does not have numpy and onnx; `cargo xtask test` installs them");
        return None;
    }
    Some(python)
}

/// A verdict of the judge in Python: the verdict, the kind of the failure, and the detail.
type Theirs = (String, Option<String>, String);

/// Returns the verdict of each backend and case, as the judge in Python says.
fn judged(python: &str, corpus: &Path, answers: &Path) -> BTreeMap<(String, String), Theirs> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/recorded_answers.py");
    let output = Command::new(python).arg(script).arg(corpus).arg(answers).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let rows = String::from_utf8(output.stdout).unwrap();
    let row = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| row[key].as_str().map(str::to_owned);
        let detail = text("detail").unwrap_or_default();
        ((text("backend").unwrap(), text("id").unwrap()), (text("verdict").unwrap(), text("kind"), detail))
    };
    rows.lines().map(row).collect()
}

type Make = fn() -> Box<dyn Backend>;

/// A backend by another name.
struct Named(&'static str, Box<dyn Backend>);

impl Backend for Named {
    fn identity(&self) -> Identity {
        Identity { name: self.0.to_owned(), version: "1".to_owned() }
    }
    fn profile(&self) -> &Profile {
        self.1.profile()
    }
    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        self.1.prepare(model)
    }
}

fn twisted(change: fn(Vec<Value>) -> Vec<Value>) -> Box<dyn Backend> {
    Twisted::boxed(Profile::default(), move |_: &Model| -> Twist {
        Box::new(move |inner: &mut dyn Prepared, inputs: &[Value]| Ok(change(inner.run(inputs)?)))
    })
}

/// Replaces each tensor, also inside of other values.
fn tensors(values: Vec<Value>, change: fn(Tensor) -> Tensor) -> Vec<Value> {
    fn one(value: Value, change: fn(Tensor) -> Tensor) -> Value {
        match value {
            Value::Tensor(tensor) => Value::Tensor(change(tensor)),
            Value::Sequence { element, items } => Value::Sequence { element, items: all(items, change) },
            Value::Optional { element, item } => {
                Value::Optional { element, item: item.map(|item| Box::new(one(*item, change))) }
            }
            Value::Map { keys, element, items } => Value::Map { keys, element, items: all(items, change) },
            other => other,
        }
    }
    fn all(values: Vec<Value>, change: fn(Tensor) -> Tensor) -> Vec<Value> {
        values.into_iter().map(|value| one(value, change)).collect()
    }
    all(values, change)
}

/// Changes each element of a float by `f`.
fn floats(tensor: Tensor, f: fn(f64) -> f64) -> Tensor {
    if !tensor.dtype().is_float() {
        return tensor;
    }
    let values: Vec<f64> = tensor.to_f64s().into_iter().map(f).collect();
    Tensor::from_f64s(tensor.dtype(), tensor.shape().to_vec(), &values).unwrap()
}

/// Backends that are right, wrong in their elements, types, shapes and sessions, and that refuse.
const BACKENDS: [(&str, Make); 10] = [
    ("the oracle itself", || twisted(|answer| answer)),
    ("the kernels of `cpu`", || Box::new(plumbline_cpu::Cpu::default())),
    ("the lowest bits flipped", || twisted(|answer| elements(answer, |t, i| t.bits_at(i) ^ 1))),
    ("zeros of the other sign", || twisted(|answer| tensors(answer, |t| floats(t, |x| if x == 0.0 { -x } else { x })))),
    ("NaN in place of zero", || {
        twisted(|answer| tensors(answer, |t| floats(t, |x| if x == 0.0 { f64::NAN } else { x })))
    }),
    ("a little too large", || twisted(|answer| tensors(answer, |t| floats(t, |x| x * 1.000_001)))),
    ("everything reversed", || twisted(|answer| tensors(answer, reversed))),
    ("another shape", || {
        twisted(|answer| {
            tensors(answer, |t| {
                let n = t.len();
                t.reshaped(vec![n]).unwrap()
            })
        })
    }),
    ("the first answer again", || {
        Twisted::boxed(Profile::default(), |_| {
            let mut first: Option<Vec<Value>> = None;
            Box::new(move |inner, inputs| match &first {
                Some(first) => Ok(first.clone()),
                None => Ok(first.insert(inner.run(inputs)?).clone()),
            })
        })
    }),
    ("a refusal of everything", || {
        Twisted::boxed(Profile::default(), |_| Box::new(|_, _| Err(Refusal::failed("out of order"))))
    }),
];

/// Returns the elements in the opposite order; strings and floats of 4 bits keep theirs.
fn reversed(tensor: Tensor) -> Tensor {
    if tensor.dtype() == DType::String || tensor.dtype().size() > 8 {
        return tensor;
    }
    let bits: Vec<u64> = (0..tensor.len()).rev().map(|i| tensor.bits_at(i)).collect();
    Tensor::from_bits(tensor.dtype(), tensor.shape().to_vec(), bits.into_iter()).unwrap()
}

/// Returns the lists of allowed elements of a value, and how many of them name an element whose bytes are unknown.
fn lists(operand: &Operand) -> [usize; 2] {
    match operand {
        Operand::Tensor(expected) => {
            let list = |(_, latitude): &(usize, Latitude)| match latitude.allowed {
                Allowed::Elements(elements) => Some(expected.listed.tensor(&elements, expected.dtype())),
                _ => None,
            };
            let found: Vec<_> = expected.latitude.iter().filter_map(list).collect();
            [found.len(), found.iter().filter(|tensor| !matches!(tensor, Some(Ok(_)))).count()]
        }
        Operand::Sequence { items, .. } | Operand::Map { items, .. } => items.iter().map(lists).fold([0; 2], sum),
        Operand::Optional { item, .. } => item.iter().map(|item| lists(item)).fold([0; 2], sum),
        Operand::Other(_) => [0; 2],
    }
}

fn sum(one: [usize; 2], other: [usize; 2]) -> [usize; 2] {
    [one[0] + other[0], one[1] + other[1]]
}

/// Allowed elements that are neither in the inputs nor in the model, such as the string `0` and default values of
/// attributes, would be missing in a corpus.
#[test]
fn the_bytes_of_allowed_elements_are_known() {
    let mut operators = BTreeMap::new();
    let has_no_numbers = |word: &str| word.contains("string") || word.contains("complex");
    for cell in
        cells().into_iter().filter(|cell| cell.version.types.values().flatten().any(|t| has_no_numbers(&t.to_string())))
    {
        for index in 0..4 {
            let Some(case) = cell.case(None, index, 0) else { continue };
            let Ok(Right::Outputs { operands, others, .. }) = right(&Reference::default(), &case) else { continue };
            let all = operands.iter().chain(others.iter().flat_map(|(_, operands)| operands));
            let [count, unknown] = all.map(lists).fold([0; 2], sum);
            assert_eq!(unknown, 0, "{}", case.id);
            *operators.entry(cell.version.id.name.clone()).or_insert(0) += count;
        }
    }
    let listed: Vec<&String> = operators.iter().filter(|(_, count)| **count > 0).map(|(name, _)| name).collect();
    assert!(listed.len() > 10, "only {listed:?} allow elements");
}

#[test]
fn the_judge_in_python_agrees_with_ours() {
    let Some(python) = python() else { return };
    let dir = tempfile::tempdir().unwrap();
    let corpus: PathBuf = dir.path().join("corpus");
    let exported = export(&corpus, work()).unwrap();
    assert!(exported.broken.is_empty(), "{:?}", exported.broken);
    // All backends in one run, since drawing the cases and searching for twins takes the time of one backend.
    let settings = Settings { minimization: Minimization::Off, ..settings(&new_folder()) };
    let named = |(name, make): &(&'static str, Make)| {
        let (name, make) = (*name, *make);
        local(name, move || Box::new(Named(name, make())))
    };
    let subjects: Vec<Subject> = BACKENDS.iter().map(named).collect();
    Run { settings: &settings, subjects: &subjects, expectations: &[], progress: &Silent }.run(work()).unwrap();
    let ours = results(&settings.out);
    let answers = dir.path().join("answers");
    let mut recorder = Recorder::new(&answers);
    BACKENDS.iter().for_each(|(name, make)| recorder.record(&corpus, name, &*make()));
    drop(recorder);
    let theirs = judged(&python, &corpus, &answers);
    assert_eq!(theirs.len(), ours.len(), "other cases");
    let mut seen: BTreeMap<(Verdict, Option<&str>), u64> = BTreeMap::new();
    let mut different = Vec::new();
    for CaseResult { case, backend, verdict, kind, detail, .. } in &ours {
        let kind = kind.map(|kind| kind.name());
        *seen.entry((*verdict, kind)).or_default() += 1;
        let name = backend.strip_suffix(" 1").unwrap();
        let (other, other_kind, other_detail) = &theirs[&(name.to_owned(), case.clone())];
        if (verdict.name(), kind) != (other.as_str(), other_kind.as_deref()) {
            let detail = detail.as_deref().unwrap_or_default();
            let other = format!("{other} {other_kind:?} {other_detail}");
            different.push(format!("{name}: {case}: {verdict} {kind:?} {detail}\n  {other}"));
        }
    }
    let few = different.iter().take(12).cloned().collect::<Vec<_>>().join("\n");
    assert!(different.is_empty(), "{} of {} verdicts differ:\n{few}", different.len(), ours.len());
    // A verdict that no backend gets is not compared.
    for (verdict, kind) in [
        (Verdict::Pass, None),
        (Verdict::Latitude, None),
        (Verdict::Unsupported, None),
        (Verdict::Fail, Some("wrong-value")),
        (Verdict::Fail, Some("wrong-shape")),
        (Verdict::Fail, Some("rejects-valid")),
        (Verdict::Fail, Some("leaks-state")),
    ] {
        assert!(seen.contains_key(&(verdict, kind)), "no backend gets {verdict} {kind:?}: {seen:?}");
    }
}

/// A runner that computes Floor, or does what the variable `MODE` says.
const RUNNER: &str = r#"
import os, time
import numpy

if os.environ["MODE"] == "broken":
    raise RuntimeError("no runtime")

def prepare(model):
    def run(inputs):
        if os.environ["MODE"] == "crash":
            os._exit(9)
        if os.environ["MODE"] == "hang":
            time.sleep(60)
        print("a runtime that prints")
        (x,) = inputs.values()
        return [numpy.floor(x) + (os.environ["MODE"] == "wrong")]
    return run
"#;

/// Runs the judge of a corpus, and returns its exit code, stdout and stderr.
fn judge_command(python: &str, corpus: &Path, mode: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(python);
    command.arg(corpus.join("judge.py")).arg(corpus).args(arguments).env("MODE", mode);
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_judge_is_a_command_with_exit_codes() {
    let Some(python) = python() else { return };
    let dir = tempfile::tempdir().unwrap();
    let corpus = dir.path().join("corpus");
    let floats = || cells().into_iter().filter(|c| c.to_string() == "Floor-13/T=float").map(|c| Work::Cell(c, None));
    // In other forms the model may have no inputs.
    let selection = Selection::default().in_forms(&["as-drawn"]).unwrap();
    let drawn = Settings { selection, ..settings(&corpus) };
    export_with(drawn, u64::MAX, "opencl-full", floats().collect()).unwrap();
    let runner = dir.path().join("runner.py");
    std::fs::write(&runner, RUNNER).unwrap();
    let runner = runner.display().to_string();
    let judge =
        |mode: &str, more: &[&str]| judge_command(&python, &corpus, mode, &[&["--runner", &runner], more].concat());
    let (code, rows, said) = judge("right", &["--jobs", "2", "--deadline", "60"]);
    assert_eq!(code, Some(0), "{said}\n{rows}");
    assert_eq!(
        rows.lines().filter(|row| row.contains("\"verdict\": \"pass\"")).count(),
        rows.lines().count(),
        "{rows}"
    );
    for (mode, verdict) in [("wrong", "fail"), ("crash", "crash"), ("hang", "timeout")] {
        let deadline = if mode == "hang" { "1" } else { "60" };
        let (code, rows, said) = judge(mode, &["--limit", "2", "--deadline", deadline]);
        assert_eq!(code, Some(1), "{mode}: {said}");
        assert!(rows.contains(&format!("\"verdict\": \"{verdict}\"")), "{mode}: {rows}");
    }
    let (code, _, said) = judge("broken", &[]);
    assert!(code == Some(3) && said.contains("does not start: RuntimeError: no runtime"), "{said}");
    let (code, _, said) = judge("right", &["--only", "Ceil-*"]);
    assert!(code == Some(4) && said.contains("no case matches"), "{said}");
    let check = || judge_command(&python, &corpus, "right", &["--check"]);
    assert_eq!(check().0, Some(0));
    let case = corpus.join("generated/Floor-13/T=float/test_0");
    let refused = |change: &dyn Fn(), back: &dyn Fn(), words: &str| {
        change();
        let (code, _, said) = check();
        assert!(code == Some(2) && said.contains(words), "{words}: {said}");
        back();
        assert_eq!(check().0, Some(0), "{words}");
    };
    let model = case.join("model.onnx");
    let bytes = std::fs::read(&model).unwrap();
    let write_model = || std::fs::write(&model, &bytes).unwrap();
    refused(&|| std::fs::remove_file(&model).unwrap(), &write_model, "model.onnx is missing");
    refused(&|| std::fs::write(&model, "x").unwrap(), &write_model, "has another hash");
    let stray = corpus.join("generated/stray/test_data_set_0/accept_0_low.pb");
    std::fs::create_dir_all(stray.parent().unwrap()).unwrap();
    let remove = || std::fs::remove_file(&stray).unwrap();
    refused(&|| std::fs::write(&stray, "x").unwrap(), &remove, "is an interval without its model");
    let lines = corpus.join("manifest/1-of-1.jsonl");
    let text = std::fs::read(&lines).unwrap();
    let write_lines = || std::fs::write(&lines, &text).unwrap();
    refused(&|| std::fs::write(&lines, "").unwrap(), &write_lines, "1-of-1.jsonl has another hash");
    // One part of two is not whole.
    let part = dir.path().join("part");
    let shard = Settings { shard: (1, 2), ..settings(&part) };
    export_with(shard, u64::MAX, "opencl-full", cells_of("Floor")).unwrap();
    let (code, _, said) = judge_command(&python, &part, "right", &["--check"]);
    assert!(code == Some(2) && said.contains("has 1 of 2 parts, without 2"), "{said}");
    assert_eq!(judge_command(&python, &part, "right", &["--check", "--incomplete"]).0, Some(0));
}

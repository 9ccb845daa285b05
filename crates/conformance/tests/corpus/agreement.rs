//! Compares the verdicts of the judge in Python with ours, on backends that are right and on wrong ones.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use plumbline_backend::{Backend, Identity, Prepared, Profile};
use plumbline_conformance::suite::{CaseFolder, DataSet};
use plumbline_conformance::{CaseResult, FailKind, Minimization, Run, Settings, Subject, Verdict, Work, regressions};
use plumbline_generator::cells;
use plumbline_graph::{Refusal, RefusalKind};
use plumbline_tensor::{DType, Model, Tensor, Value, value_to_bytes};

use crate::common::{Silent, elements, local, new_folder, results};
use crate::twisted::{Twist, Twisted};
use crate::{export, python, settings};

/// Operators whose outputs together need every part of the format of a corpus: intervals, strings that spell numbers,
/// alternatives, elements in any order, distributions, sequences, optionals, maps, strings, complex numbers, latitude
/// and small floats.
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

/// Returns valid and invalid cases of the newest version of each operator, and some kept cases.
fn work() -> Vec<Work> {
    let newest = |op: &str| cells().into_iter().filter(|c| c.version.id.name == op).map(|c| c.version.since()).max();
    let mut work = Vec::new();
    for op in OPERATORS {
        let since = newest(op).unwrap_or_else(|| panic!("{op} has no cells"));
        let own = cells().into_iter().filter(|c| c.version.id.name == op && c.version.since() == since);
        for (at, cell) in own.enumerate() {
            // If an operator has many cells, only some of them are taken.
            if at > 4 && at % 8 != 0 {
                continue;
            }
            // Invalid cases take most of the time, because each needs a search for its twin. So only the first cell of
            // an operator adds its invalid cases.
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

/// Records what backends do with the cases of a corpus. `recorded_answers.py` reads the two files that it writes.
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

/// A verdict of the judge in Python: the verdict, the kind of the failure, and the detail.
type Theirs = (String, Option<String>, String);

/// Returns the verdict of the judge in Python on each backend and case.
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

/// A backend under another name.
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

/// Applies `f` to each element of a floating-point tensor. Other tensors stay as they are.
fn floats(tensor: Tensor, f: fn(f64) -> f64) -> Tensor {
    if !tensor.dtype().is_float() {
        return tensor;
    }
    let values: Vec<f64> = tensor.to_f64s().into_iter().map(f).collect();
    Tensor::from_f64s(tensor.dtype(), tensor.shape().to_vec(), &values).unwrap()
}

/// Backends that are right, backends that are wrong in their elements, shapes or sessions, and one that refuses all
/// cases.
const BACKENDS: [(&str, Make); 12] = [
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
    ("another answer the second time", || {
        Twisted::boxed(Profile::default(), |_| {
            let mut runs = 0;
            Box::new(move |inner, inputs| {
                let answer = inner.run(inputs)?;
                runs += 1;
                Ok(if runs == 1 { answer } else { elements(answer, |t, i| t.bits_at(i) ^ 1) })
            })
        })
    }),
    ("the opposite booleans", || {
        twisted(|answer| elements(answer, |t, i| t.bits_at(i) ^ u64::from(t.dtype() == DType::Bool)))
    }),
    ("a refusal of everything", || {
        Twisted::boxed(Profile::default(), |_| Box::new(|_, _| Err(Refusal::failed("out of order"))))
    }),
];

/// Returns the elements in the opposite order. Strings and elements with more than 64 bits keep their order.
fn reversed(tensor: Tensor) -> Tensor {
    if tensor.dtype() == DType::String || tensor.dtype().size() > 8 {
        return tensor;
    }
    let bits: Vec<u64> = (0..tensor.len()).rev().map(|i| tensor.bits_at(i)).collect();
    Tensor::from_bits(tensor.dtype(), tensor.shape().to_vec(), bits.into_iter()).unwrap()
}

#[test]
fn the_judge_in_python_agrees_with_ours() {
    let Some(python) = python() else { return };
    let dir = tempfile::tempdir().unwrap();
    let corpus: PathBuf = dir.path().join("corpus");
    let exported = export(&corpus, work()).unwrap();
    assert!(exported.broken.is_empty(), "{:?}", exported.broken);
    // One run has all the backends. So it draws each case and searches for its twin only once.
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
    assert_eq!(theirs.len(), ours.len(), "the judges did not judge the same number of cases");
    let mut seen: BTreeMap<(Verdict, Option<&str>), u64> = BTreeMap::new();
    let mut different = Vec::new();
    for CaseResult { case, backend, verdict, kind, detail, .. } in &ours {
        // The judge in Python does not tell inaccurate answers from wrong ones.
        let kind = kind.map(|kind| if kind == FailKind::Inaccurate { FailKind::WrongValue } else { kind }.name());
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
    // Each of these verdicts must occur. Otherwise nothing shows that the judges agree on it.
    for (verdict, kind) in [
        (Verdict::Pass, None),
        (Verdict::Latitude, None),
        (Verdict::Unsupported, None),
        (Verdict::Fail, Some("wrong-value")),
        (Verdict::Fail, Some("wrong-shape")),
        (Verdict::Fail, Some("rejects-valid")),
        (Verdict::Fail, Some("leaks-state")),
        (Verdict::Fail, Some("nondeterministic")),
    ] {
        assert!(seen.contains_key(&(verdict, kind)), "no backend gets {verdict} {kind:?}: {seen:?}");
    }
}

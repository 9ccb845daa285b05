//! Checks that a run compares the claims of errata about other backends with what these backends do.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use plumbline_backend::{Backend, Identity, Local, Prepared, Profile};
use plumbline_conformance::suite::{CaseFolder, DataSet};
use plumbline_conformance::{Expectations, Outcome, Run, Settings, Subject, Verdict, Work, suite_cases};
use plumbline_executor::{ORACLE, OracleBackend};
use plumbline_graph::Refusal;
use plumbline_tensor::{DType, Model, Tensor, Value};

use crate::common::Silent;

/// Turns the oracle's answer into that of another backend.
type Twist = fn(Result<Vec<Value>, Refusal>) -> Result<Vec<Value>, Refusal>;

struct Other(Profile, Twist);
struct Ready(Box<dyn Prepared>, Twist);

impl Backend for Other {
    fn identity(&self) -> Identity {
        Identity { name: "other".to_owned(), version: "2.0".to_owned() }
    }
    fn profile(&self) -> &Profile {
        &self.0
    }
    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        Ok(Box::new(Ready(OracleBackend::default().prepare(model)?, self.1)))
    }
}

impl Prepared for Ready {
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        self.1(self.0.run(inputs))
    }
}

fn floats(x: &[f64]) -> Value {
    Value::Tensor(Tensor::from_f64s(DType::Float, vec![x.len()], x).unwrap())
}

/// Returns a case with one Add-14 of one-dimensional tensors.
fn addition(a: &[f64], b: &[f64], published: &[f64]) -> CaseFolder {
    let text =
        r#"<ir_version: 8, opset_import: ["" : 14]> sum (float[] a, float[] b) => (float[] c) { c = Add (a, b) }"#;
    let set = DataSet { inputs: vec![floats(a), floats(b)], outputs: vec![floats(published)] };
    CaseFolder { name: String::new(), model: text.parse().unwrap(), data_sets: vec![set] }
}

/// Runs a suite of two cases on a backend: a sum with a wrong published answer, and a sum of tensors whose extents do
/// not broadcast.
fn run(backend: &'static str, twist: Twist, errata: &Expectations) -> Outcome {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("errata-{number}"));
    let _ = std::fs::remove_dir_all(&dir);
    addition(&[1.0], &[2.0], &[4.0]).write(&dir.join("suite/node/test_sum")).unwrap();
    addition(&[1.0, 1.0], &[2.0; 3], &[3.0; 3]).write(&dir.join("suite/node/test_odd")).unwrap();
    let open = move || -> Result<Box<dyn plumbline_backend::Runner>, String> {
        Ok(Box::new(Local::new(Box::new(Other(Profile::default(), twist)))))
    };
    let subjects = [match backend {
        ORACLE => Subject::oracle(),
        name => Subject::start(name, Box::new(open)).unwrap(),
    }];
    let settings = Settings { cases: 1, negative_cases: 1, out: dir.join("out"), ..Settings::default() };
    let work = suite_cases("onnx:9.9.9", &dir.join("suite")).unwrap().into_iter().map(Work::Published);
    let expectations = std::slice::from_ref(errata);
    Run { settings: &settings, subjects: &subjects, expectations, progress: &Silent }.run(work.collect()).unwrap()
}

fn text(rest: &str) -> String {
    format!(
        "[[erratum]]\ncase = [\"node/test_sum\", \"node/test_odd\"]\nreleases = [\"9.9.9\"]\nproof = \"1 + 2\"\n{rest}\n"
    )
}

fn errata(rest: &str) -> Expectations {
    Expectations::errata("errata.toml".as_ref(), &text(rest), &["other", "third"]).unwrap()
}

const HONEST: Twist = |answer| answer;
const OTHERWISE: Twist = |_| Ok(vec![floats(&[4.0])]);
const REFUSES: Twist = |_| Err(Refusal::unsupported("no Add"));

#[test]
fn a_backend_that_stops_agreeing_makes_an_erratum_stale() {
    for agrees in ["agrees = [\"other\"]", "agrees = [\"third\", \"other@2.0\"]"] {
        let outcome = run("other", HONEST, &errata(agrees));
        assert!(outcome.stale.is_empty(), "{:?}", outcome.stale);
        assert_eq!(
            outcome.counts["other 2.0"].get(&Verdict::Pass),
            Some(&2),
            "the sum passes, and so does the case that the oracle and the backend both refuse"
        );
        let outcome = run("other", OTHERWISE, &errata(agrees));
        assert_eq!(outcome.stale.len(), 2, "{:?}", outcome.stale);
        assert!(outcome.stale.iter().all(|s| s.starts_with("errata.toml:1: onnx:9.9.9/node/test_")));
        assert!(outcome.stale.iter().any(|s| s.contains("agrees, but it does not: fail")), "{:?}", outcome.stale);
        assert!(
            outcome
                .stale
                .iter()
                .any(|s| s.contains("not-run: the oracle refuses the case, but the backend answers it"))
        );
        assert_eq!(run("other", REFUSES, &errata(agrees)).stale.len(), 2, "a backend without Add does not agree");
    }
    assert!(
        run("other", OTHERWISE, &errata("agrees = [\"other@1.9\", \"third\"]")).stale.is_empty(),
        "the erratum does not name version 2.0 of the backend `other`"
    );
}

#[test]
fn an_erratum_without_agreeing_backends_is_stale_if_a_backend_agrees() {
    let alone = errata("alone = \"nobody adds\"");
    let outcome = run("other", OTHERWISE, &alone);
    assert!(outcome.stale.is_empty());
    // Only the wrong sum is unexpected. The case that the oracle refuses has an erratum and is therefore known.
    assert_eq!(outcome.unexpected_count, 1, "{:?}", outcome.unexpected);
    let nothing = Expectations::errata("errata.toml".as_ref(), "", &["other"]).unwrap();
    assert_eq!(run("other", OTHERWISE, &nothing).unexpected_count, 2);
    assert!(run("other", REFUSES, &alone).stale.is_empty());
    let outcome = run("other", HONEST, &errata("alone = \"nobody adds\""));
    assert_eq!(outcome.stale.len(), 1, "a refusal may have any reason, so it is no agreement: {:?}", outcome.stale);
    assert!(outcome.stale[0].ends_with("the erratum says that no backend agrees, but other 2.0 does"));
}

#[test]
fn the_oracle_fails_on_errata_even_if_a_backend_agrees() {
    let outcome = run(ORACLE, HONEST, &errata("agrees = [\"other\"]"));
    assert_eq!((outcome.unexpected_count, outcome.stale.len()), (0, 0), "{:?}", outcome.unexpected);
    assert_eq!(outcome.counts["reference 0.1.0"].get(&Verdict::Fail), Some(&2));
}

#[test]
fn an_erratum_must_say_who_agrees() {
    let refused =
        |text: &str| Expectations::errata("errata.toml".as_ref(), text, &["other", "third"]).unwrap_err().to_string();
    assert!(refused(&text("")).contains("errata.toml: line 1: an erratum must say which backends agree"));
    assert!(refused(&text("alone = \" \"")).contains("or why none does"));
    assert!(refused(&text("agrees = [\"other\"]\nalone = \"nobody adds\"")).contains("contradict"));
    for unknown in ["fourth", "fourth@1.0", "reference", "other:x", ""] {
        let found = refused(&text(&format!("agrees = [\"third\", \"{unknown}\"]")));
        assert!(
            found.contains(&format!(
                "`agrees` names `{unknown}`, which is not a known backend; the known backends are other, third"
            )),
            "{found}"
        );
    }
    let twice = text("agrees = [\"other\"]") + &text("alone = \"nobody adds\"");
    assert!(refused(&twice).contains("line 6: onnx:9.9.9/node/test_sum is already in the erratum of line 1"));
    assert!(refused(&text("agrees = [\"other\"]\nunreadable = true")).contains("no backend can read it"));
}

#[test]
fn the_errata_are_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs/onnx/suite-errata.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    Expectations::errata(&path, &text, &["onnxruntime", "rten", "tract", "openvino"]).unwrap_or_else(|e| panic!("{e}"));
}

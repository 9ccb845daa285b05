//! A small report of two backends, with numbers that a test can write down: four operators of three families and two
//! domains, results that are new, expected or improved, and folders of failures with rules and forms.

use std::collections::BTreeMap;
use std::path::Path;

use plumbline_conformance::{Blame, CaseResult, FailKind, Known, Verdict};
use plumbline_report::{BackendMeta, ReportInput, Results, RunMeta, Summary};
use plumbline_spec::Spec;

use Verdict::{Crash, Fail, Latitude, NotRun, Pass, Timeout, Unsupported};

pub const RTEN: &str = "rten 0.27.0";
pub const ORT: &str = "onnxruntime 1.31.1";

/// The reason of a failure that is expected.
pub const REASON: &str = "It rounds <i>twice</i>.";

/// Stands for results that differ only in their case. The fields are operator, version, type, backend, verdict,
/// distance, signature without the operator (empty if there is no signature), and the number of these results.
type Line = (&'static str, u32, &'static str, &'static str, Verdict, Option<f64>, &'static str, usize);
const LINES: [Line; 19] = [
    ("Min", 13, "float", RTEN, Pass, Some(0.5), "", 2),
    ("Min", 13, "float", RTEN, Fail, Some(3.0), "wrong-value-aaaa0001", 1),
    ("Min", 13, "float", ORT, Pass, Some(1.0), "", 3),
    ("Min", 13, "double", ORT, Fail, None, "wrong-shape-aaaa0002", 1),
    ("Min", 13, "float16", ORT, Pass, Some(4.0), "", 1),
    ("Min", 8, "float", RTEN, Crash, None, "crash-aaaa0003", 1),
    ("Min", 8, "float16", RTEN, Pass, Some(0.0), "", 1),
    ("Max", 13, "int32", ORT, Pass, Some(64.0), "", 1),
    ("Max", 13, "int32", ORT, Latitude, None, "", 2),
    ("Max", 13, "int8", RTEN, Fail, Some(65_536.0), "wrong-value-aaaa0004", 2),
    ("Max", 12, "float", ORT, Pass, Some(5.0), "", 1),
    ("Relu", 14, "float", RTEN, Unsupported, None, "", 2),
    ("Relu", 14, "float", ORT, Pass, Some(0.0), "", 1),
    ("Relu", 14, "double", ORT, Pass, Some(1.0), "", 1),
    ("Relu", 6, "float16", RTEN, NotRun, None, "", 1),
    ("Scaler", 1, "int64", RTEN, Fail, Some(70_000.0), "wrong-value-aaaa0005", 3),
    ("Scaler", 1, "float", ORT, Timeout, None, "timeout-aaaa0006", 1),
    ("Scaler", 1, "double", ORT, Pass, Some(0.0), "", 1),
    ("Scaler", 1, "double", RTEN, Pass, Some(0.0), "", 1),
];

/// The folders of failures: signature, rule and form.
const FOLDERS: [(&str, &str, &str); 4] = [
    ("Min-wrong-value-aaaa0001", "nan", "function"),
    ("Min-wrong-shape-aaaa0002", "shapes-broadcast", "initializers"),
    ("Max-wrong-value-aaaa0004", "nan", "initializers"),
    ("Scaler-wrong-value-aaaa0005", "nan", "function"),
];

pub fn results() -> Vec<CaseResult> {
    let mut results = Vec::new();
    for (line, &(op, since, dtype, backend, verdict, max_ulp, end, count)) in LINES.iter().enumerate() {
        for repeat in 0..count {
            let types = BTreeMap::from([("T".to_owned(), dtype.to_owned())]);
            let domain = if op == "Scaler" { "ai.onnx.ml" } else { "ai.onnx" };
            let mut result = super::blank(domain, op, since, &types, backend);
            result.case = format!("{op}-{since}/T={dtype}/{line}{repeat}@1");
            (result.verdict, result.max_ulp) = (verdict, max_ulp);
            result.signature = (!end.is_empty()).then(|| format!("{op}-{end}"));
            result.kind = match end.rsplit_once('-') {
                Some(("wrong-value", _)) => Some(FailKind::WrongValue),
                Some(("wrong-shape", _)) => Some(FailKind::WrongShape),
                _ => None,
            };
            match end {
                "wrong-shape-aaaa0002" => expect(&mut result, Some((Blame::Backend, REASON))),
                "wrong-value-aaaa0004" => expect(&mut result, None),
                "" if verdict == Latitude => {
                    result.detail = Some("signed-zero: output Y [0]: -0 for 0".to_owned());
                    result.rule = Some("signed-zero".to_owned());
                }
                _ => {}
            }
            result.width_ulp = (max_ulp == Some(3.0)).then_some(8.0);
            if verdict == Fail {
                result.detail = Some(format!("output of {op} [0] differs"));
            }
            // A result that is better than expected is unexpected, too.
            if (op, dtype, since) == ("Relu", "double", 14) {
                result.expected_verdict = Some(Fail);
            }
            results.push(result);
        }
    }
    results
}

fn expect(result: &mut CaseResult, known: Option<(Blame, &str)>) {
    result.expected_verdict = Some(result.verdict);
    result.known = known.map(|(blame, reason)| Known { blame, reason: reason.to_owned() });
}

/// Writes the report and the folders of its failures.
pub fn write(out: &Path) -> Summary {
    for (signature, rule, form) in FOLDERS {
        let folder = out.join("repro").join(signature);
        std::fs::create_dir_all(&folder).unwrap();
        let facts = format!(
            r#"{{"backend": "{RTEN}", "detail": "differs", "rule": "{rule}", "form": "{form}",
                "inputs": ["x: float[1] [1.0]", "y: float[1] [2.0]"], "wrong": ["y[0] is 1.0", "y[1] is 3.0"]}}"#
        );
        for (name, text) in [
            ("case.json", facts.as_str()),
            ("model.txt", "a model"),
            ("answers.txt", "two answers"),
            ("repro.py", "print(1)"),
        ] {
            std::fs::write(folder.join(name), text).unwrap();
        }
    }
    let backend = |label: &str| {
        let (name, version) = label.split_once(' ').unwrap();
        BackendMeta { name: name.to_owned(), version: Some(version.to_owned()), ..BackendMeta::default() }
    };
    let meta = RunMeta { title: "Small".to_owned(), backends: [RTEN, ORT].map(backend).to_vec(), ..RunMeta::default() };
    let results = Results::Stream(Box::new(results().into_iter()));
    ReportInput { base: Default::default(), spec: Spec::embedded(), results, meta }.write(out).unwrap()
}

//! Functions that several tests of wrong backends share.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use plumbline_backend::{Backend, Local};
use plumbline_conformance::{CaseResult, Expectations, Outcome, Progress, Run, Settings, Subject, Work};
use plumbline_generator::cells;
use plumbline_tensor::{DType, Tensor, Value};

/// Shows no progress.
pub struct Silent;

impl Progress for Silent {
    fn start(&self, _: u64) {}
    fn advance(&self, _: u64, _: u64, _: u64) {}
    fn line(&self, _: &str) {}
    fn finish(&self) {}
}

/// Runs a backend on all cells of these operators.
#[allow(dead_code, reason = "not every test that shares this file calls it")]
pub fn run_on(
    operators: &[&str],
    backend: impl Fn() -> Box<dyn Backend> + Send + Sync + 'static,
    expectations: &[Expectations],
) -> (Outcome, Vec<CaseResult>, PathBuf) {
    let wanted = cells().into_iter().filter(|c| operators.contains(&c.version.id.name.as_str()));
    let work = wanted.flat_map(|c| {
        let negatives = c.negatives().into_iter().map(|l| Work::Cell(c.clone(), Some(l))).collect::<Vec<_>>();
        std::iter::once(Work::Cell(c, None)).chain(negatives)
    });
    run_work(work.collect(), 12, backend, expectations)
}

/// Runs a backend on this work, with this number of cases for each cell.
pub fn run_work(
    work: Vec<Work>,
    cases: u64,
    backend: impl Fn() -> Box<dyn Backend> + Send + Sync + 'static,
    expectations: &[Expectations],
) -> (Outcome, Vec<CaseResult>, PathBuf) {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "{}-{}-{number}",
        env!("CARGO_CRATE_NAME"),
        std::process::id()
    ));
    let _ = std::fs::remove_dir_all(&out);
    let open = move || Ok(Box::new(Local::new(backend())) as Box<dyn plumbline_backend::Runner>);
    let subject = Subject::start("twisted", Box::new(open)).unwrap();
    let settings = Settings { cases, negative_cases: 3, out: out.clone(), ..Settings::default() };
    let subjects = [subject];
    let run = Run { settings: &settings, subjects: &subjects, expectations, progress: &Silent };
    let outcome = run.run(work).unwrap();
    let text = std::fs::read_to_string(out.join("results.jsonl")).unwrap();
    let results = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    (outcome, results, out)
}

/// Replaces the bits of each element of the outputs.
#[allow(dead_code, reason = "not every test that shares this file calls it")]
pub fn elements(outputs: Vec<Value>, f: impl Fn(&Tensor, usize) -> u64) -> Vec<Value> {
    let change = |value: Value| match value {
        Value::Tensor(t) if t.dtype().size() <= 8 && t.dtype() != DType::String => {
            let bits: Vec<u64> = (0..t.len()).map(|i| f(&t, i)).collect();
            Value::Tensor(Tensor::from_bits(t.dtype(), t.shape().to_vec(), bits.into_iter()).unwrap())
        }
        other => other,
    };
    outputs.into_iter().map(change).collect()
}

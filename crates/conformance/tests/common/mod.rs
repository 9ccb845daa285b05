//! Functions that several tests share.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use plumbline_backend::{Backend, Local};
use plumbline_conformance::{Advance, CaseResult, Expectations, Outcome, Progress, Run, Settings, Subject, Work};
use plumbline_generator::cells;
use plumbline_tensor::{DType, Tensor, Value};

/// Shows no progress.
pub struct Silent;

impl Progress for Silent {
    fn start(&self, _: u64) {}
    fn advance(&self, _: Advance) {}
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

/// Runs a backend on this work, with this number of valid or mutated cases for each cell.
#[allow(dead_code, reason = "not every test that shares this file calls it")]
pub fn run_work(
    work: Vec<Work>,
    cases: u64,
    backend: impl Fn() -> Box<dyn Backend> + Send + Sync + 'static,
    expectations: &[Expectations],
) -> (Outcome, Vec<CaseResult>, PathBuf) {
    let settings = Settings { cases, negative_cases: 3, out: new_folder(), ..Settings::default() };
    let subjects = [local("twisted", backend)];
    let run = Run { settings: &settings, subjects: &subjects, expectations, progress: &Silent };
    let outcome = run.run(work).unwrap();
    let results = results(&settings.out);
    (outcome, results, settings.out)
}

/// Returns the path of a new folder for the results of a run. The folder does not exist yet.
pub fn new_folder() -> PathBuf {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("{}-{}-{number}", env!("CARGO_CRATE_NAME"), std::process::id());
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&out);
    out
}

/// Returns a backend that runs in this process, under this name.
pub fn local(name: &str, backend: impl Fn() -> Box<dyn Backend> + Send + Sync + 'static) -> Subject {
    let open = move || Ok(Box::new(Local::new(backend())) as Box<dyn plumbline_backend::Runner>);
    Subject::start(name, Box::new(open)).unwrap()
}

/// Returns the results that a run wrote into this folder.
pub fn results(out: &Path) -> Vec<CaseResult> {
    let text = std::fs::read_to_string(out.join("results.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Replaces the bits of each element of the tensors in the outputs with what `f` returns. Other values, and tensors of
/// strings and of elements with more than 64 bits, stay as they are.
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

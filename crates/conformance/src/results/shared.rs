//! Marks the failures of a backend that another backend shows as well: an execution provider and the runtime that it
//! belongs to often fail for the same reason.

use std::collections::HashSet;

use plumbline_judge::{FailKind, Verdict};

use crate::results::case_result::CaseResult;

/// The failures of a backend to which others are compared.
#[derive(Clone, Debug, Default)]
pub struct Base {
    /// The backend's name and version, as its results have them.
    backend: String,
    /// The hash of each failing case, with its verdict and kind.
    failures: HashSet<u64>,
}

fn key((case, verdict, kind): (&str, Verdict, Option<FailKind>)) -> u64 {
    plumbline_judge::hash(&format!("{case}\n{verdict}\n{}", kind.map_or("", FailKind::name)))
}

fn failure(result: &CaseResult) -> (&str, Verdict, Option<FailKind>) {
    (&result.case, result.verdict, result.kind)
}

/// Returns the name of a backend without its version: `onnxruntime-cuda`.
fn name(backend: &str) -> &str {
    backend.split(' ').next().unwrap_or_default()
}

impl Base {
    /// Adds a result. The first one names the backend; results of other backends are ignored.
    pub fn add(&mut self, result: &CaseResult) {
        if self.backend.is_empty() {
            self.backend.clone_from(&result.backend);
        }
        if result.verdict.is_bad() && result.backend == self.backend {
            self.failures.insert(key(failure(result)));
        }
    }

    /// Marks a result if it is a failure that the base shows as well.
    pub fn mark(&self, result: &mut CaseResult) {
        if result.verdict.is_bad()
            && name(&result.backend) != name(&self.backend)
            && self.failures.contains(&key(failure(result)))
        {
            result.also_on = Some(self.backend.clone());
        }
    }
}

/// Marks the failures that another backend among the results shows as well: the one whose name is the beginning of this
/// backend's name, as `onnxruntime` is that of `onnxruntime-cuda`.
pub(crate) fn mark_shared(results: &mut [CaseResult]) {
    let is_base = |base: &CaseResult, result: &CaseResult| {
        let rest = name(&result.backend).strip_prefix(name(&base.backend));
        rest.is_some_and(|rest| rest.starts_with('-')) && failure(base) == failure(result)
    };
    for at in 0..results.len() {
        if results[at].verdict.is_bad() && results[at].also_on.is_none() {
            let base = results.iter().find(|other| is_base(other, &results[at]));
            results[at].also_on = base.map(|base| base.backend.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(case: &str, backend: &str, kind: FailKind) -> CaseResult {
        let (case, backend) = (case.to_owned(), backend.to_owned());
        CaseResult { case, backend, verdict: Verdict::Fail, kind: Some(kind), ..CaseResult::default() }
    }

    #[test]
    fn a_provider_shares_the_failures_of_its_runtime() {
        let mut rows = [
            row("A/0@0", "onnxruntime-cuda 1", FailKind::WrongValue),
            row("A/0@0", "onnxruntime 1.31.1", FailKind::WrongValue),
            row("A/0@0", "rten 1", FailKind::WrongValue),
            row("B/0@0", "onnxruntime 1.31.1", FailKind::WrongShape),
            row("B/0@0", "onnxruntime-cuda 1", FailKind::WrongValue),
        ];
        mark_shared(&mut rows);
        let marked: Vec<Option<&str>> = rows.iter().map(|row| row.also_on.as_deref()).collect();
        assert_eq!(marked, [Some("onnxruntime 1.31.1"), None, None, None, None]);
    }

    #[test]
    fn a_given_run_marks_the_failures_of_other_backends() {
        let mut base = Base::default();
        base.add(&row("A/0@0", "onnxruntime 1.30.0", FailKind::WrongValue));
        base.add(&row("B/0@0", "rten 1", FailKind::WrongValue));
        let mark = |row: CaseResult| {
            let mut row = row;
            base.mark(&mut row);
            row.also_on
        };
        let marked = mark(row("A/0@0", "onnxruntime-cuda 1", FailKind::WrongValue));
        assert_eq!(marked.as_deref(), Some("onnxruntime 1.30.0"));
        assert_eq!(mark(row("A/0@0", "onnxruntime 1.31.1", FailKind::WrongValue)), None);
        assert_eq!(mark(row("A/0@0", "onnxruntime-cuda 1", FailKind::WrongShape)), None);
        assert_eq!(mark(row("B/0@0", "onnxruntime-cuda 1", FailKind::WrongValue)), None);
    }
}

//! How much a fault costs the users of a backend, so that the worst are shown first.

use plumbline_judge::{FailKind, Verdict};
use plumbline_spec::Spec;

use crate::results::case_result::CaseResult;

/// The element types of most models. A fault that occurs only in other types concerns fewer users.
const COMMON: [&str; 8] = ["float", "float16", "bfloat16", "int64", "int32", "int8", "uint8", "bool"];

/// How much a fault costs the users of a backend. The worst one is the smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Severity {
    harm: Harm,
    /// Whether another backend fails in the same way, so that the fault is not this backend's alone.
    is_shared: bool,
    /// Whether the operator version is not the newest one.
    is_old: bool,
    /// Whether a type variable is bound to a type that few models have.
    is_rare: bool,
    /// Whether the case was answered. Where all else is equal, a crash is worse than a wrong value.
    is_answered: bool,
}

/// What a fault does to a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Harm {
    /// A program ends or hangs, or goes on with numbers that are wrong.
    Severe,
    /// A wrong shape or type, which the next operator notices; a crash on an invalid model.
    Visible,
    /// Numbers are less accurate than they should be, and not unrelated to the right ones.
    Inaccurate,
    /// A valid model is refused.
    Refused,
    /// A valid model is refused, and the backend says which limit it is beyond.
    Limited,
    /// An invalid model is answered.
    Lenient,
    /// Nothing is known: the failure did not come back, or the case did not run.
    Unclear,
    /// No fault.
    None,
}

impl Severity {
    /// Returns the severity of a result.
    pub fn new(result: &CaseResult) -> Severity {
        let operator = Spec::embedded().operator(&result.domain, &result.op);
        let newest = operator.and_then(|operator| operator.versions.last());
        Severity {
            harm: harm(result),
            is_shared: result.also_on.is_some(),
            is_old: newest.is_some_and(|newest| newest.since() != result.since),
            is_rare: !result.types.values().all(|type_| COMMON.contains(&type_.as_str())),
            is_answered: result.verdict == Verdict::Fail,
        }
    }
}

fn harm(result: &CaseResult) -> Harm {
    match (result.verdict, result.kind) {
        // A hang or a crash on an invalid model needs a faulty model first.
        (Verdict::Crash | Verdict::Timeout | Verdict::DeviceLost, _) if result.is_negative() => Harm::Visible,
        (Verdict::Crash | Verdict::Timeout | Verdict::DeviceLost, _) => Harm::Severe,
        (Verdict::NotRun, _) => Harm::Unclear,
        (Verdict::Pass | Verdict::Unsupported | Verdict::Latitude, _) => Harm::None,
        (Verdict::Fail, kind) => match kind {
            None
            | Some(FailKind::WrongValue | FailKind::LeaksState | FailKind::Nondeterministic | FailKind::Concurrent) => {
                Harm::Severe
            }
            Some(FailKind::WrongShape | FailKind::WrongType | FailKind::Garbage | FailKind::InPack) => Harm::Visible,
            Some(FailKind::Inaccurate) => Harm::Inaccurate,
            Some(FailKind::RejectsValid | FailKind::Optimizer | FailKind::BreaksModel | FailKind::BreaksInterface) => {
                Harm::Refused
            }
            Some(FailKind::Limit) => Harm::Limited,
            Some(FailKind::AcceptsInvalid) => Harm::Lenient,
            Some(FailKind::Flaky) => Harm::Unclear,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(id: &str, dtype: &str, verdict: Verdict, kind: Option<FailKind>) -> CaseResult {
        let (op, since) = id.rsplit_once('-').unwrap();
        let types = [("T".to_owned(), dtype.to_owned())].into();
        let (domain, op) = ("ai.onnx".to_owned(), op.to_owned());
        CaseResult { domain, op, since: since.parse().unwrap(), types, verdict, kind, ..CaseResult::default() }
    }

    #[test]
    fn the_worst_fault_of_the_newest_version_and_a_common_type_comes_first() {
        let fail = |id: &str, dtype: &str, kind| result(id, dtype, Verdict::Fail, Some(kind));
        let also = CaseResult {
            also_on: Some("onnxruntime 1.31.1".to_owned()),
            ..fail("Relu-14", "float", FailKind::WrongValue)
        };
        let negative = CaseResult { suite: "negative".to_owned(), ..result("Relu-14", "float", Verdict::Crash, None) };
        let ordered = [
            result("Relu-14", "float", Verdict::Crash, None),
            fail("Relu-14", "float", FailKind::WrongValue),
            result("Relu-14", "double", Verdict::Crash, None),
            fail("Relu-13", "float", FailKind::WrongValue),
            also,
            negative,
            fail("Relu-14", "float", FailKind::WrongShape),
            fail("Relu-14", "float", FailKind::Inaccurate),
            fail("Relu-14", "float", FailKind::RejectsValid),
            fail("Relu-14", "float", FailKind::Limit),
            fail("Relu-14", "float", FailKind::AcceptsInvalid),
            fail("Relu-14", "float", FailKind::Flaky),
        ];
        let severities: Vec<Severity> = ordered.iter().map(Severity::new).collect();
        assert!(severities.is_sorted_by(|a, b| a < b), "{severities:?}");
    }
}

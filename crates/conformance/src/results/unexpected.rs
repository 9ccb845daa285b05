//! The unexpected results of a run by their cause. A million results need no more memory than a thousand, because only
//! counts and one example of each cause are kept.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_judge::{FailKind, Verdict, message};
use plumbline_spec::{OperatorId, Spec};

use crate::results::case_result::CaseResult;
use crate::results::severity::Severity;

/// The largest number of causes that are kept. The results of further causes are only counted.
const MOST_CAUSES: usize = 1000;

/// The longest detail of an example, in characters.
const LONGEST_DETAIL: usize = 2000;

/// The unexpected results of a run, grouped by their cause.
#[derive(Clone, Debug, Default)]
pub struct Unexpected {
    /// Causes by backend and signature. Results without a signature are grouped by their verdict and the class of their
    /// detail.
    causes: BTreeMap<(String, String), Cause>,
    /// Results of causes that are not kept.
    others: u64,
}

/// Unexpected results of one backend that are alike.
#[derive(Clone, Debug)]
pub struct Cause {
    /// The number of results.
    pub count: u64,
    /// How many of them another backend shows as well.
    pub shared: u64,
    /// The severity of the worst one.
    pub severity: Severity,
    /// The first of them. A long detail is cut off.
    pub first: CaseResult,
    /// The operator versions: domain, name and version of each.
    pub operators: BTreeSet<(String, String, u32)>,
    /// The element types that type variables are bound to.
    pub types: BTreeSet<String>,
}

impl Unexpected {
    /// Counts a result.
    pub(crate) fn add(&mut self, result: &CaseResult) {
        let what = || format!("{} {}", result.verdict, message::class(result.detail.as_deref().unwrap_or("")));
        let key = (result.backend.clone(), result.signature.clone().unwrap_or_else(what));
        if !self.causes.contains_key(&key) && self.causes.len() >= MOST_CAUSES {
            self.others += 1;
            return;
        }
        let severity = Severity::new(result);
        let cause = self.causes.entry(key).or_insert_with(|| {
            let shortened = |text: &String| text.chars().take(LONGEST_DETAIL).collect();
            let first = CaseResult { detail: result.detail.as_ref().map(shortened), ..result.clone() };
            Cause { count: 0, shared: 0, severity, first, operators: BTreeSet::new(), types: BTreeSet::new() }
        });
        cause.count += 1;
        cause.shared += u64::from(result.also_on.is_some());
        cause.severity = cause.severity.min(severity);
        let operator = (&result.domain, &result.op, result.since);
        if !cause.operators.iter().any(|(domain, name, since)| (domain, name, *since) == operator) {
            cause.operators.insert((result.domain.clone(), result.op.clone(), result.since));
        }
        for type_ in result.types.values() {
            if !cause.types.contains(type_) {
                cause.types.insert(type_.clone());
            }
        }
    }

    /// Returns the causes, the worst one first, and the most frequent one first among those that are equally bad.
    pub fn causes(&self) -> Vec<&Cause> {
        let mut causes: Vec<&Cause> = self.causes.values().collect();
        causes.sort_by_key(|cause| (cause.severity, std::cmp::Reverse(cause.count)));
        causes
    }

    /// Returns the number of causes.
    pub fn count(&self) -> u64 {
        self.causes.len() as u64
    }

    /// Returns the number of results whose causes are not kept, because there were too many.
    pub fn others(&self) -> u64 {
        self.others
    }
}

impl Cause {
    /// Returns how the results differ from what is expected: `fail (wrong-value)`, `crash`.
    pub fn what(&self) -> String {
        let kind = self.first.kind.map(|kind: FailKind| format!(" ({})", kind.name()));
        format!("{}{}", self.first.verdict, kind.unwrap_or_default())
    }

    /// Returns the signature, which is also the name of the repro folder. A result that was not judged has none.
    pub fn signature(&self) -> Option<&str> {
        self.first.signature.as_deref()
    }

    /// Returns whether the results are timeouts, so that the deadline matters when they are repeated.
    pub fn is_timeout(&self) -> bool {
        self.first.verdict == Verdict::Timeout
    }

    /// Returns the text of a rule of the operator of the first result.
    pub fn rule_text(&self, label: &str) -> Option<&'static str> {
        let operator = Spec::embedded().operator(&self.first.domain, &self.first.op)?;
        let rules = operator.rules.as_ref()?;
        let since = self.first.since;
        let constraints = rules.constraints.iter().map(|rule| (&rule.label, rule.versions, &rule.text));
        let behaviours = rules.behaviours.iter().map(|rule| (&rule.label, rule.versions, &rule.text));
        let mut all = constraints.chain(behaviours);
        all.find(|(name, versions, _)| *name == label && versions.contains(since)).map(|(_, _, text)| text.as_str())
    }

    /// Returns the operator versions, those of one operator together: `Floor-1, -6, -13`. At most `most` are named.
    pub fn operator_versions(&self, most: usize) -> String {
        let mut names: Vec<String> = Vec::new();
        let mut last = None;
        for (domain, name, since) in &self.operators {
            let is_same = last == Some((domain, name));
            last = Some((domain, name));
            names.push(match since {
                0 => name.clone(),
                _ if is_same => format!("-{since}"),
                _ => OperatorId::new(domain, name, *since).to_string(),
            });
        }
        listed(&names, most)
    }

    /// Returns the names of the element types, at most `most` of them.
    pub fn element_types(&self, most: usize) -> String {
        listed(&self.types.iter().cloned().collect::<Vec<_>>(), most)
    }
}

/// Lists at most `most` names, and says how many more there are.
fn listed(names: &[String], most: usize) -> String {
    let shown = names[..names.len().min(most)].join(", ");
    match names.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(since: u32, dtype: &str, signature: Option<&str>, detail: &str) -> CaseResult {
        let types = [("T", dtype)];
        let row = serde_json::json!({
            "case": format!("Floor-{since}/T={dtype}/0@0"), "suite": "generated", "domain": "ai.onnx", "op": "Floor",
            "since": since, "types": types.into_iter().collect::<BTreeMap<_, _>>(), "backend": "mine 1", "verdict": "fail",
            "signature": signature, "detail": detail
        });
        serde_json::from_value(row).unwrap()
    }

    #[test]
    fn results_that_are_alike_are_counted_together() {
        let mut unexpected = Unexpected::default();
        unexpected.add(&result(13, "double", Some("Floor-crash-1"), "it died"));
        for since in [1, 6, 13] {
            unexpected.add(&result(since, "float", Some("Floor-wrong-value-1"), "3 for 2"));
        }
        unexpected.add(&result(13, "float16", Some("Floor-wrong-value-1"), "3 for 2"));
        let causes = unexpected.causes();
        assert_eq!(causes.iter().map(|cause| (cause.count, cause.shared)).collect::<Vec<_>>(), [(4, 0), (1, 0)]);
        assert_eq!(causes[0].operator_versions(9), "Floor-1, -6, -13");
        assert_eq!(causes[0].operator_versions(2), "Floor-1, -6 and 1 more");
        assert_eq!(causes[0].element_types(4), "float, float16");
        assert_eq!(causes[0].first.case, "Floor-1/T=float/0@0");
    }

    #[test]
    fn causes_beyond_the_limit_are_only_counted() {
        let mut unexpected = Unexpected::default();
        for number in 0..3000 {
            unexpected.add(&result(13, "float", Some(&format!("Floor-crash-{number}")), &"x".repeat(5000)));
        }
        assert_eq!(unexpected.causes().len(), MOST_CAUSES);
        assert_eq!(unexpected.others(), 2000);
        assert!(unexpected.causes().iter().all(|cause| cause.first.detail.as_ref().unwrap().len() == LONGEST_DETAIL));
    }

    #[test]
    fn rules_of_the_operator_have_a_text() {
        let mut unexpected = Unexpected::default();
        unexpected.add(&CaseResult { op: "Gather".to_owned(), ..result(13, "float", None, "") });
        let causes = unexpected.causes();
        assert!(causes[0].rule_text("axis-in-range").is_some());
        assert_eq!(causes[0].rule_text("no-such-rule"), None);
    }
}

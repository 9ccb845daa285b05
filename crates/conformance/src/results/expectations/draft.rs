//! Drafts entries for failures that no entry describes: grouped by cause, as narrow as the results allow, and with a
//! reason that somebody still has to write.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::results::case_result::CaseResult;
use plumbline_judge::{FailKind, Verdict, name_of_violated};

/// The reason of a drafted entry. A run with `--gate` refuses it.
pub const UNWRITTEN: &str = "TODO";

/// A piece of a message tells the cause of a failure only if it has at least this number of bytes.
const TELLING: usize = 8;

/// What failures with one cause have in common.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Cause {
    verdict: Verdict,
    kind: Option<FailKind>,
    /// A regular expression that the detail matches, if the message tells the cause.
    detail: Option<String>,
    /// The operator, if the message does not tell the cause.
    operator: Option<String>,
}

#[derive(Default)]
struct Group {
    versions: BTreeSet<(String, u32)>,
    types: BTreeSet<String>,
    count: u64,
    example: String,
}

/// Collects the failures of one backend, and drafts entries for them.
#[derive(Default)]
pub struct Draft {
    groups: BTreeMap<Cause, Group>,
    /// The element types of the cases that passed or are latitude, by operator version.
    accepted: BTreeMap<(String, u32), BTreeSet<String>>,
}

impl Draft {
    /// Adds a result. Results that passed or are latitude tell which element types a failure does not concern.
    pub fn add(&mut self, result: &CaseResult) {
        let name = result.operator();
        let version = (name.clone(), result.since);
        if !result.verdict.is_bad() {
            if matches!(result.verdict, Verdict::Pass | Verdict::Latitude) {
                self.accepted.entry(version).or_default().extend(result.types.values().cloned());
            }
            return;
        }
        let detail = detail(result);
        let operator = detail.is_none().then_some(name);
        let cause = Cause { verdict: result.verdict, kind: result.kind, detail, operator };
        let group = self.groups.entry(cause).or_default();
        group.versions.insert(version);
        group.types.extend(result.types.values().cloned());
        group.count += 1;
        if group.example.is_empty() {
            group.example = result.case.clone();
        }
    }

    /// Returns the number of entries.
    pub fn count(&self) -> usize {
        self.groups.len()
    }

    /// Writes the entries as text of an expectations file. `cases` is the number of cases per cell of the run.
    pub fn text(&self, cases: u64) -> String {
        let mut text = String::new();
        for (cause, group) in &self.groups {
            let quoted = |item: String| format!("\"{item}\"");
            let versions = group.versions.iter().map(|(name, since)| quoted(format!("{name}-{since}")));
            let versions: Vec<String> = versions.collect();
            let operators = match versions.as_slice() {
                [only] => only.clone(),
                several => format!("[{}]", several.join(", ")),
            };
            let _ = writeln!(text, "\n# {} results, such as {}", group.count, group.example);
            let _ = writeln!(text, "[[expect]]\nop = {operators}");
            let mut accepted = group.versions.iter().filter_map(|version| self.accepted.get(version)).flatten();
            if accepted.any(|accepted| !group.types.contains(accepted)) {
                let types: Vec<String> = group.types.iter().cloned().map(quoted).collect();
                let _ = writeln!(text, "types = [{}]", types.join(", "));
            }
            let _ = writeln!(text, "verdict = \"{}\"", cause.verdict);
            if let Some(kind) = cause.kind {
                let _ = writeln!(text, "kind = \"{}\"", kind.name());
            }
            if let Some(detail) = &cause.detail {
                let _ = writeln!(text, "detail = {}", toml::Value::String(detail.clone()));
            }
            let _ = writeln!(text, "blame = \"backend\"\nreason = \"{UNWRITTEN}\"\ncases = {}", cases.max(1));
        }
        text
    }
}

/// Returns a regular expression for the part of a failure's message that tells its cause: the rule that was violated,
/// or the longest piece between digits, quotes, brackets and slashes. Returns `None` if the message does not tell the
/// cause.
fn detail(result: &CaseResult) -> Option<String> {
    let detail = result.detail.as_deref().unwrap_or("");
    match (result.verdict, result.kind) {
        (Verdict::Fail, Some(FailKind::AcceptsInvalid)) => {
            let rule = result.rule.as_deref().unwrap_or(name_of_violated(None));
            Some(format!("violates {}$", regex::escape(rule)))
        }
        (Verdict::Fail, Some(FailKind::RejectsValid | FailKind::Garbage))
        | (Verdict::Crash | Verdict::DeviceLost, _) => {
            let is_particular = |c: char| c.is_ascii_digit() || "'\"`[](){}<>/\\\n\r".contains(c);
            let longest = detail.split(is_particular).map(str::trim).max_by_key(|piece| piece.len())?;
            (longest.len() >= TELLING).then(|| regex::escape(longest))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::results::expectations::Expectations;

    fn result(op: &str, type_: &str, verdict: Verdict, kind: Option<FailKind>, detail: &str) -> CaseResult {
        CaseResult {
            case: format!("{op}-13/T={type_}/0@0"),
            suite: "generated".to_owned(),
            domain: "ai.onnx".to_owned(),
            op: op.to_owned(),
            since: 13,
            types: [("T".to_owned(), type_.to_owned())].into(),
            backend: "mine 1.0".to_owned(),
            verdict,
            kind,
            detail: Some(detail.to_owned()),
            ..CaseResult::default()
        }
    }

    #[test]
    fn failures_are_grouped_by_what_their_messages_have_in_common() {
        let refused = |op: &str, axis: u32| {
            let message = format!("failed: axis {axis} is beyond what the device can do ('{op}_{axis}')");
            result(op, "float", Verdict::Fail, Some(FailKind::RejectsValid), &message)
        };
        let wrong = |op: &str| result(op, "int8", Verdict::Fail, Some(FailKind::WrongValue), "element 3 is 5");
        let results = [
            refused("Abs", 1),
            refused("Floor", 7),
            wrong("Abs"),
            wrong("Neg"),
            result("Neg", "float", Verdict::Pass, None, ""),
        ];
        let mut draft = Draft::default();
        results.iter().for_each(|result| draft.add(result));
        assert_eq!(draft.count(), 3);
        let text = format!("backend = \"mine\"\n{}", draft.text(20));
        assert!(text.contains("op = [\"Abs-13\", \"Floor-13\"]"), "{text}");
        assert!(text.contains("types = [\"int8\"]"), "{text}");
        // Read as an expectations file, the draft describes the failures and no other results.
        let file = Expectations::parse(Path::new("draft.toml"), &text).unwrap();
        for result in &results {
            let mut result = result.clone();
            file.apply(&mut result, &[]);
            assert_eq!(result.expected_verdict.is_some(), result.verdict.is_bad(), "{}", result.case);
        }
        assert_eq!(file.unexplained().len(), 3);
    }
}

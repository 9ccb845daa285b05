//! Drafts entries for failures that no entry describes: grouped by cause, as narrow as the results allow, and with a
//! reason that somebody still has to write.
//!
//! An entry binds what was seen: the largest error, the share of the judged results, and a feature that all failing cases
//! have and few others. So a second fault of the same operator does not hide behind it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::format::ANY_PASS;
use crate::results::case_result::{CaseResult, GENERATED, suite_of};
use plumbline_generator::case_of;
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
    /// The pass of the backend's graph optimizer without which it is right, or [`ANY_PASS`].
    pass: Option<String>,
}

#[derive(Default)]
struct Group {
    versions: BTreeSet<(String, u32)>,
    types: BTreeSet<String>,
    count: u64,
    example: String,
    /// How many of them are of the suite that shows such failures.
    shown: u64,
    /// The largest error in ULP, unless a result has none.
    worst: Option<f64>,
    features: Features,
}

/// How many of some cases have each feature. Only the first [`MOST_DRAWN`] cases count.
#[derive(Default)]
struct Features {
    cases: u64,
    with: BTreeMap<String, u64>,
}

/// The number of cases of an operator version, and of a cause, that are drawn again for their features.
const MOST_DRAWN: u64 = 200;

/// Fewer failing cases do not tell which of their features matters.
const FEWEST_DRAWN: u64 = 5;

impl Features {
    fn count(&self, feature: &str) -> u64 {
        self.with.get(feature).copied().unwrap_or(0)
    }

    fn add(&mut self, result: &CaseResult) {
        if self.cases < MOST_DRAWN
            && let Ok(case) = case_of(&result.case)
        {
            self.cases += 1;
            for feature in case.features {
                *self.with.entry(feature).or_default() += 1;
            }
        }
    }
}

/// Collects the failures of one backend, and drafts entries for them.
#[derive(Default)]
pub struct Draft {
    groups: BTreeMap<Cause, Group>,
    /// The element types of the cases that passed or are latitude, by operator version.
    accepted: BTreeMap<(String, u32), BTreeSet<String>>,
    /// The number of judged results by operator version and suite, and by their element types.
    judged: BTreeMap<(String, u32, String), BTreeMap<Vec<String>, u64>>,
    /// The features of the cases that passed, by operator version.
    passed: BTreeMap<(String, u32), Features>,
}

fn cause_of(result: &CaseResult) -> Cause {
    let detail = detail(result);
    let operator = detail.is_none().then(|| result.operator());
    let pass = result.optimizer.as_ref().map(|fault| fault.passes.first().map_or(ANY_PASS, String::as_str).to_owned());
    Cause { verdict: result.verdict, kind: result.kind, detail, operator, pass }
}

impl Draft {
    /// Adds a result. Results that passed or are latitude tell which element types a failure does not concern.
    pub fn add(&mut self, result: &CaseResult) {
        let name = result.operator();
        let version = (name.clone(), result.since);
        if result.verdict.is_judged() {
            let judged = self.judged.entry((name, result.since, result.suite.clone())).or_default();
            *judged.entry(result.types.values().cloned().collect()).or_default() += 1;
        }
        if !result.verdict.is_bad() {
            if matches!(result.verdict, Verdict::Pass | Verdict::Latitude) {
                self.accepted.entry(version).or_default().extend(result.types.values().cloned());
            }
            return;
        }
        let cause = cause_of(result);
        let is_seen = result.suite == suite_of(cause.kind);
        let group = self.groups.entry(cause).or_default();
        let ulp = result.max_ulp.filter(|ulp| ulp.is_finite());
        group.worst = if group.count == 0 { ulp } else { group.worst.zip(ulp).map(|(worst, ulp)| worst.max(ulp)) };
        group.shown += u64::from(is_seen);
        group.versions.insert(version);
        group.types.extend(result.types.values().cloned());
        group.count += 1;
        if group.example.is_empty() {
            group.example = result.case.clone();
        }
    }

    /// Draws the case of a result again for its features, if they may narrow an entry. All results have to be added before.
    pub fn add_features(&mut self, result: &CaseResult) {
        if result.suite != GENERATED {
            return;
        }
        if result.verdict.is_bad() {
            let group = self.groups.get_mut(&cause_of(result));
            group.into_iter().for_each(|group| group.features.add(result));
            return;
        }
        let version = (result.operator(), result.since);
        let is_passed = matches!(result.verdict, Verdict::Pass | Verdict::Latitude);
        if is_passed && self.groups.values().any(|group| group.versions.contains(&version)) {
            self.passed.entry(version).or_default().add(result);
        }
    }

    /// Returns the share of the judged results that are failures of a group, rounded up to percents.
    fn share(&self, cause: &Cause, group: &Group, types: Option<&BTreeSet<String>>) -> f64 {
        let is_meant = |bound: &[String]| types.is_none_or(|types| bound.iter().any(|type_| types.contains(type_)));
        let judged = |(name, since): &(String, u32)| {
            let judged = self.judged.get(&(name.clone(), *since, suite_of(cause.kind).to_owned()));
            judged.into_iter().flatten().filter(|(bound, _)| is_meant(bound)).map(|(_, count)| count).sum::<u64>()
        };
        let judged: u64 = group.versions.iter().map(judged).sum();
        if judged == 0 { 1.0 } else { ((100 * group.shown).div_ceil(judged) as f64 / 100.0).min(1.0) }
    }

    /// Returns a feature that all failing cases of a group have, and at most half of those that passed.
    fn feature<'a>(&self, group: &'a Group) -> Option<&'a str> {
        let failing = &group.features;
        let passed: Vec<&Features> = group.versions.iter().filter_map(|version| self.passed.get(version)).collect();
        let all: u64 = passed.iter().map(|features| features.cases).sum();
        let others = |feature: &str| passed.iter().map(|features| features.count(feature)).sum::<u64>();
        let candidates = failing.with.iter().filter(|(_, count)| **count == failing.cases);
        let best = candidates.map(|(feature, _)| (others(feature), feature)).min()?;
        (failing.cases >= FEWEST_DRAWN && 2 * best.0 <= all).then_some(best.1)
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
            let named = |name: &str, since: u32| if since == 0 { name.to_owned() } else { format!("{name}-{since}") };
            let versions = group.versions.iter().map(|(name, since)| quoted(named(name, *since)));
            let versions: Vec<String> = versions.collect();
            let operators = match versions.as_slice() {
                [only] => only.clone(),
                several => format!("[{}]", several.join(", ")),
            };
            let _ = writeln!(text, "\n# {} results, such as {}", group.count, group.example);
            let _ = writeln!(text, "[[expect]]\nop = {operators}");
            let mut accepted = group.versions.iter().filter_map(|version| self.accepted.get(version)).flatten();
            let are_types_named = accepted.any(|accepted| !group.types.contains(accepted));
            if are_types_named {
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
            if let Some(pass) = &cause.pass {
                let _ = writeln!(text, "pass = {}", toml::Value::String(pass.clone()));
            }
            if let Some(feature) = self.feature(group) {
                let _ = writeln!(text, "features = [{}]", toml::Value::String(feature.to_owned()));
            }
            if let (Some(FailKind::WrongValue | FailKind::Inaccurate), Some(worst)) = (cause.kind, group.worst) {
                let _ = writeln!(text, "max_ulp = {:.1}", rounded_up(worst));
            }
            let share = self.share(cause, group, are_types_named.then_some(&group.types));
            if share < 1.0 {
                let _ = writeln!(text, "share = {share}");
            }
            let _ = writeln!(text, "blame = \"backend\"\nreason = \"{UNWRITTEN}\"\ncases = {}", cases.max(1));
        }
        text
    }
}

/// Rounds a number of at least 1 up to two significant digits, and a smaller one up to 1.
fn rounded_up(number: f64) -> f64 {
    let unit = 10f64.powf((number.max(1.0).log10() - 1.0).floor());
    (number.max(1.0) / unit).ceil() * unit
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
        (
            Verdict::Fail,
            Some(
                FailKind::RejectsValid
                | FailKind::Limit
                | FailKind::Optimizer
                | FailKind::BreaksModel
                | FailKind::BreaksInterface
                | FailKind::Garbage,
            ),
        )
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

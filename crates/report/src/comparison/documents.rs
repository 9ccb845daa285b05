//! The comparison as text for a terminal, as Markdown and as JSON.
//!
//! In text and Markdown, each value from a backend or a file is on one line with its hidden characters made visible,
//! and long details and commands are shortened. Markdown also escapes the values.

use std::fmt::Write;

use serde_json::json;

use super::change::{Change, SideResult, Signatures};
use super::pairs::Cause;
use super::{Comparison, SideFacts};
use crate::ReportError;
use crate::markdown::{code_up_to, escape};
use crate::text::{grouped, shorten, visible_line};

/// The version of the JSON format.
const FORMAT: u32 = 1;
/// The largest number of causes that text and Markdown show for a change that is a regression.
const MAX_REGRESSIONS: usize = 20;
/// The largest number of causes that text and Markdown show for any other change.
const MAX_OTHERS: usize = 10;
/// The largest length of a detail in the text, in bytes.
const MAX_DETAIL_BYTES: usize = 240;
/// The largest length in bytes of a command and of the id of a case. The path of a folder in Markdown and a signature
/// in the text have the same limit.
const MAX_COMMAND_BYTES: usize = 2000;

/// Returns the changes whose causes are listed: all but [`Change::Same`].
pub(crate) fn listed() -> impl Iterator<Item = Change> {
    Change::ALL.into_iter().filter(|change| *change != Change::Same)
}

impl Comparison {
    /// Returns one sentence that says whether anything has regressed.
    pub fn headline(&self) -> String {
        let compared = plural(self.compared(), "case");
        match self.regressions() {
            0 => format!("{compared} compared; none regressed."),
            count => format!("{compared} compared; {} regressed.", grouped_plainly(count)),
        }
    }

    /// Returns the comparison for a terminal. The commands that replay a case begin with `program`.
    pub fn text(&self, program: &str) -> String {
        let mut out = String::new();
        self.write_text(&mut out, program).expect("writing to a string does not fail");
        out
    }

    fn write_text(&self, out: &mut String, program: &str) -> std::fmt::Result {
        for (name, side) in [("base", &self.base), ("new ", &self.new)] {
            let results = plural(side.results, "result");
            writeln!(out, "{name}  {}: {results} in {}", visible_line(&side.backend), visible_line(&side.folder))?;
        }
        writeln!(out, "      {}\n", visible_line(&self.cases()))?;
        for limit in self.limits() {
            writeln!(out, "note: {}", visible_line(&limit))?;
        }
        if !self.limits().is_empty() {
            writeln!(out)?;
        }
        for change in self.counted_changes() {
            let (count, name) = (grouped_plainly(self.count(change)), title(change));
            writeln!(out, "{count:>9}  {name:<22}  {}", self.meaning(change))?;
        }
        for change in listed() {
            let causes: Vec<&Cause> = self.causes(change).collect();
            if causes.is_empty() {
                continue;
            }
            writeln!(out, "\n{}: {}", title(change), plural(self.count(change), "case"))?;
            for cause in causes.iter().take(max_causes(change)) {
                self.write_cause(out, cause, program)?;
            }
            if let Some(more) = self.more(change, causes.len()) {
                writeln!(out, "  {more}")?;
            }
        }
        writeln!(out, "\n{}", self.headline())
    }

    fn write_cause(&self, out: &mut String, cause: &Cause, program: &str) -> std::fmt::Result {
        writeln!(out, "  {} of {}: {}", plural(cause.count, "case"), visible_line(&operator(cause)), what(cause))?;
        let mut field =
            |name: &str, text: &str, most: usize| writeln!(out, "    {name:9}  {}", visible_line(&shorten(text, most)));
        let signatures = signatures(cause);
        if !signatures.is_empty() {
            field("signature", &signatures.join(" -> "), MAX_COMMAND_BYTES)?;
        }
        field("case", &cause.case, MAX_COMMAND_BYTES)?;
        if let Some(detail) = detail(cause) {
            field("because", detail, MAX_DETAIL_BYTES)?;
        }
        match self.replay(cause, program) {
            Some(command) => field("replay", &command, MAX_COMMAND_BYTES),
            None => Ok(()),
        }
    }

    /// Returns the comparison as Markdown, for the page of a CI job.
    pub fn markdown(&self, program: &str) -> String {
        let mut out = String::new();
        self.write_markdown(&mut out, program).expect("writing to a string does not fail");
        out
    }

    fn write_markdown(&self, out: &mut String, program: &str) -> std::fmt::Result {
        writeln!(out, "## {} against {}\n", escape(&self.new.backend), escape(&self.base.backend))?;
        writeln!(out, "{}\n", self.headline())?;
        for limit in self.limits() {
            writeln!(out, "> {}\n", escape_sentence(&limit))?;
        }
        writeln!(out, "| change | cases | meaning |\n| --- | ---: | --- |")?;
        for change in self.counted_changes() {
            writeln!(out, "| {} | {} | {} |", title(change), grouped(self.count(change)), self.meaning(change))?;
        }
        for change in listed() {
            let causes: Vec<&Cause> = self.causes(change).collect();
            if causes.is_empty() {
                continue;
            }
            writeln!(out, "\n### {}: {}\n", title(change), plural(self.count(change), "case"))?;
            writeln!(out, "| cases | operator | results | example | replay |\n| ---: | --- | --- | --- | --- |")?;
            for cause in causes.iter().take(max_causes(change)) {
                let signatures: String =
                    signatures(cause).into_iter().map(|text| format!(" {}", code_up_to(text, 300))).collect();
                let detail = detail(cause).map(|text| format!("<br>{}", escape(text))).unwrap_or_default();
                let replay = self.replay(cause, program).map(|text| code_up_to(&text, MAX_COMMAND_BYTES));
                writeln!(
                    out,
                    "| {} | {} | {}{signatures} | {}{detail} | {} |",
                    grouped(cause.count),
                    escape(&operator(cause)),
                    escape(&what(cause)),
                    code_up_to(&cause.case, MAX_COMMAND_BYTES),
                    replay.unwrap_or_default()
                )?;
            }
            if let Some(more) = self.more(change, causes.len()) {
                writeln!(out, "\n{more}")?;
            }
        }
        let sides = [("Base", &self.base), ("New", &self.new)];
        writeln!(out)?;
        for (name, side) in sides {
            let SideFacts { folder, backend, results, .. } = side;
            let results = plural(*results, "result");
            writeln!(out, "- {name}: {}, {results} in {}", escape(backend), code_up_to(folder, MAX_COMMAND_BYTES))?;
        }
        writeln!(out, "- {}", escape(&self.cases()))
    }

    /// Returns the comparison as JSON. Each cause is on a line of its own. docs/report.md says what the keys mean.
    ///
    /// # Errors
    /// Passes on the errors of serde_json. No input can cause them.
    pub fn json(&self, program: &str) -> Result<String, ReportError> {
        let counts: serde_json::Map<String, serde_json::Value> =
            Change::ALL.into_iter().map(|change| (change.name().to_owned(), self.count(change).into())).collect();
        let mut out = String::from("{");
        let mut key = |name: &str, value: String, end: &str| {
            write!(out, "\n\"{name}\":{value}{end}").expect("writing to a string does not fail");
        };
        key("format", FORMAT.to_string(), ",");
        key("base", serde_json::to_string(&self.base)?, ",");
        key("new", serde_json::to_string(&self.new)?, ",");
        let cases = json!({ "seed": self.seed, "profile": self.profile, "project_version": self.project_version });
        key("cases", cases.to_string(), ",");
        key("compared", self.compared().to_string(), ",");
        key("regressions", self.regressions().to_string(), ",");
        key("counts", serde_json::to_string(&counts)?, ",");
        key("same", serde_json::to_string(&self.counted.same)?, ",");
        key("signatures_compared", (self.signatures == Signatures::Agree).to_string(), ",");
        key("limits", serde_json::to_string(&self.limits())?, ",");
        key("left_out", serde_json::to_string(&self.counted.left_out)?, ",");
        let mut causes = Vec::new();
        for change in listed() {
            for cause in self.causes(change) {
                let mut value = serde_json::to_value(cause)?;
                let [base, new] = self.replays(cause, program);
                (value["base_replay"], value["new_replay"]) = (base.into(), new.into());
                causes.push(value.to_string());
            }
        }
        let causes = if causes.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", causes.join(",\n")) };
        key("causes", causes, "\n}\n");
        Ok(out)
    }

    /// Returns the changes that have a line among the counts: those that occur, and some that are shown even with a
    /// count of 0.
    pub(crate) fn counted_changes(&self) -> impl Iterator<Item = Change> {
        let always = [Change::Regressed, Change::Changed, Change::Fixed, Change::New, Change::Gone, Change::Same];
        Change::ALL.into_iter().filter(move |change| always.contains(change) || self.count(*change) > 0)
    }

    /// Returns in words what decides which cases are drawn.
    pub(crate) fn cases(&self) -> String {
        let said = |fact: &Option<String>| fact.clone().unwrap_or_default();
        format!("seed {}, profile {}, Plumbline {}", said(&self.seed), said(&self.profile), said(&self.project_version))
    }

    /// Returns what a change means. For [`Change::Same`], the number of cases with each verdict follows.
    pub(crate) fn meaning(&self, change: Change) -> String {
        let same: Vec<String> =
            self.counted.same.iter().map(|(verdict, count)| format!("{verdict} {}", grouped_plainly(*count))).collect();
        match change {
            Change::Same if !same.is_empty() => format!("{}: {}", change.meaning(), same.join(", ")),
            _ => change.meaning().to_owned(),
        }
    }

    /// Returns the command that replays the example of a cause on the side that [`is_about_base`] selects, or on the
    /// other side if the selected side has no command.
    pub(crate) fn replay(&self, cause: &Cause, program: &str) -> Option<String> {
        let [base, new] = self.replays(cause, program);
        if is_about_base(cause) { base.or(new) } else { new.or(base) }
    }

    /// Returns a sentence about the causes of a change that are not shown, if there are any.
    fn more(&self, change: Change, causes: usize) -> Option<String> {
        let left_out = self.counted.left_out.get(&change).copied().unwrap_or(0);
        let more = causes.saturating_sub(max_causes(change));
        let shown: u64 = self.causes(change).take(max_causes(change)).map(|cause| cause.count).sum();
        let cases = plural(self.count(change).saturating_sub(shown), "case");
        match (more, left_out) {
            (0, 0) => None,
            (more, 0) => {
                let more = plural(more as u64, "more cause");
                Some(format!("... and {more} with {cases}: --format json and html list them"))
            }
            _ => Some(format!("... and {cases} with other causes: --format json and html list a part of these causes")),
        }
    }
}

/// Returns how many causes of a change are shown.
fn max_causes(change: Change) -> usize {
    if change.is_regression() { MAX_REGRESSIONS } else { MAX_OTHERS }
}

/// Returns the name of a change, for people.
pub(crate) fn title(change: Change) -> String {
    change.name().replace('-', " ")
}

/// Returns whether a report shows the base side of a cause. It does if the failure is on the base side, or if the new
/// side has no result.
pub(crate) fn is_about_base(cause: &Cause) -> bool {
    let is_bad = |state: &Option<SideResult>| state.as_ref().is_some_and(|state| state.verdict.is_bad());
    match cause.change {
        Change::Flaky => !is_bad(&cause.new),
        change => change.shows_base(),
    }
}

/// Returns what happened to the example of a cause, on the side that [`is_about_base`] selects or else on the other
/// side.
pub(crate) fn detail(cause: &Cause) -> Option<&str> {
    let (first, second) = match is_about_base(cause) {
        true => (&cause.base_detail, &cause.new_detail),
        false => (&cause.new_detail, &cause.base_detail),
    };
    first.as_deref().or(second.as_deref())
}

/// Returns the operator of a cause with its versions and types: `Min (13, 8; double, float)`.
pub(crate) fn operator(cause: &Cause) -> String {
    let name = match cause.domain.as_str() {
        "" | "ai.onnx" => cause.op.clone(),
        domain => format!("{domain}.{}", cause.op),
    };
    let versions: Vec<String> = cause.versions.iter().rev().map(u32::to_string).collect();
    let types: Vec<&str> = cause.types.iter().map(String::as_str).collect();
    let parts: Vec<String> = [versions.join(", "), types.join(", ")].into_iter().filter(|p| !p.is_empty()).collect();
    if parts.is_empty() { name } else { format!("{name} ({})", parts.join("; ")) }
}

/// Returns the result of each side that has one: `pass -> fail (wrong-value)`.
pub(crate) fn what(cause: &Cause) -> String {
    let what = |state: &Option<SideResult>| state.as_ref().map_or("no result".to_owned(), SideResult::what);
    match cause.change {
        Change::New => what(&cause.new),
        Change::Gone => what(&cause.base),
        _ => format!("{} -> {}", what(&cause.base), what(&cause.new)),
    }
}

/// Returns the signatures of both sides, without repetition.
pub(crate) fn signatures(cause: &Cause) -> Vec<&str> {
    let mut signatures: Vec<&str> =
        [&cause.base, &cause.new].into_iter().flatten().filter_map(|state| state.signature.as_deref()).collect();
    signatures.dedup();
    signatures
}

/// Escapes a sentence that this crate made and that may contain names from a file. Shortens only a very long sentence.
fn escape_sentence(text: &str) -> String {
    crate::markdown::escape_up_to(text, MAX_COMMAND_BYTES)
}

/// Formats a count with commas between groups of three digits.
fn grouped_plainly(count: u64) -> String {
    grouped(count).replace('\u{202f}', ",")
}

/// Returns a count with its noun: `1 case`, `1,234 cases`.
pub(crate) fn plural(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped_plainly(count), if count == 1 { "" } else { "s" })
}

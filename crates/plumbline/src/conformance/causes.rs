//! The unexpected results at the end of a run: a block for each cause, the worst one first.

use std::path::Path;
use std::time::Duration;

use plumbline_conformance::{Cause, Recorded, Subject, Unexpected, replay_command, shortened};

use crate::colour::{Colour, Paint};
use crate::output::{counted, wrap};
use crate::places::program;

/// The largest number of blocks.
const MOST_BLOCKS: usize = 20;

/// The largest number of operator versions and of element types that a block names.
const MOST_NAMES: usize = 6;

/// The largest number of lines of a detail.
const DETAIL_LINES: usize = 4;

/// The largest number of characters in a line of a detail.
const LONGEST_LINE: usize = 240;

/// The width of text that is broken into lines.
const WIDTH: usize = 100;

/// What blocks need to know about a run.
pub(super) struct Causes<'a> {
    /// The folder of the results.
    pub out: &'a Path,
    /// The backends of the run.
    pub subjects: &'a [Subject],
    /// The longest time for one case.
    pub deadline: Duration,
    /// The colours of the text.
    pub paint: Paint,
}

impl Causes<'_> {
    /// Returns a block for each of the worst causes, and a line about the others.
    pub fn text(&self, unexpected: &Unexpected) -> String {
        let causes = unexpected.causes();
        let mut blocks: Vec<String> = causes.iter().take(MOST_BLOCKS).map(|cause| self.block(cause)).collect();
        let others: u64 = causes.iter().skip(MOST_BLOCKS).map(|cause| cause.count).sum::<u64>() + unexpected.others();
        if others > 0 {
            let more = counted(causes.len().saturating_sub(MOST_BLOCKS), "more cause");
            let more = if unexpected.others() > 0 { format!("more than {more}") } else { more };
            let out = self.out.display();
            blocks.push(format!(
                "... and {more}, with {}: {out}/index.html lists more of them, and {out}/repro has a folder for each \
                 signature\n",
                counted(others, "result")
            ));
        }
        blocks.join("\n")
    }

    /// Returns the block of one cause.
    pub fn block(&self, cause: &Cause) -> String {
        let folder = cause.signature().map(|signature| self.out.join("repro").join(signature));
        let recorded = folder.as_deref().and_then(Recorded::read);
        let first = &cause.first;
        let count = counted(cause.count, "result");
        let what = self.paint.paint(Colour::Red, &cause.what());
        let head = self.paint.paint(Colour::Bold, &format!("{count} of {}", first.backend));
        let mut block = Block { text: format!("{head}: {what}: {}\n", first.case), paint: self.paint };
        if let Some(signature) = cause.signature() {
            block.field("signature", [signature.to_owned()]);
        }
        let mut operators = cause.operator_versions(MOST_NAMES);
        if !cause.types.is_empty() {
            operators += &format!(" with {}", cause.element_types(MOST_NAMES));
        }
        block.field("operators", [operators]);
        // Failures of two versions of a backend may share a signature and its folder, which describes only one failure.
        let of_backend = recorded.as_ref().filter(|recorded| recorded.backend == first.backend);
        if let Some(other) = &first.also_on {
            block.field("also on", [format!("{other}: {} of these fail there in the same way", cause.shared)]);
        }
        if let Some(recorded) = &recorded {
            block.field("model", recorded.model.iter().cloned());
        }
        if let Some(rule) = of_backend.and_then(|recorded| recorded.rule.as_deref()) {
            let text = cause.rule_text(rule).map_or_else(|| rule.to_owned(), |text| format!("{rule}: {text}"));
            block.field("rule", wrap(&text, WIDTH));
        }
        let detail = of_backend.and_then(|recorded| recorded.detail.as_deref()).or(first.detail.as_deref());
        block.field("because", detail_lines(detail.unwrap_or("")));
        let subject = self.subjects.iter().find(|subject| subject.identity.to_string() == first.backend);
        let backend = subject.map_or(first.backend.as_str(), |subject| subject.name.as_str());
        let case = match (&folder, &recorded) {
            (Some(folder), Some(_)) => folder.display().to_string(),
            _ => first.case.clone(),
        };
        let deadline = subject.and_then(|subject| subject.deadline).unwrap_or(self.deadline);
        let deadline = cause.is_timeout().then_some(deadline);
        block.field("repeat", [replay_command(program(), &case, backend, deadline)]);
        block.text
    }
}

/// The text of a block as it grows.
struct Block {
    text: String,
    paint: Paint,
}

impl Block {
    /// Adds a field with its lines, or nothing if there are none.
    fn field(&mut self, name: &str, lines: impl IntoIterator<Item = String>) {
        for (at, line) in lines.into_iter().enumerate() {
            let name = if at == 0 { name } else { "" };
            let name = self.paint.paint(Colour::Dim, &format!("{name:9}"));
            self.text += &format!("  {name}  {line}\n");
        }
    }
}

/// Returns the first lines of a detail, cutting long ones. The last line says how many lines are left out, if any.
fn detail_lines(detail: &str) -> Vec<String> {
    let mut lines: Vec<String> = detail.lines().take(DETAIL_LINES).map(|line| shortened(line, LONGEST_LINE)).collect();
    let more = detail.lines().count().saturating_sub(DETAIL_LINES);
    if more > 0 {
        lines.push(format!("... and {}", counted(more, "more line")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_details_are_shortened() {
        assert_eq!(detail_lines("one\ntwo"), ["one", "two"]);
        let lines = detail_lines(&format!("{}\n2\n3\n4\n5\n6", "x".repeat(300)));
        assert_eq!(lines[0], format!("{} ...", "x".repeat(LONGEST_LINE)));
        assert_eq!(lines[4], "... and 2 more lines");
    }
}

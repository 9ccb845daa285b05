//! Annotations of a CI job: lines that GitHub shows beside the job, one for each of the worst causes of
//! unexpected results.
//!
//! The runner of GitHub executes every line that begins with `::`, also after spaces, or has `##[` anywhere. What a
//! backend writes may be such a line, so the runner is told to execute nothing until a word comes that nobody can
//! guess.

use std::hash::{BuildHasher, RandomState};

use clap::ValueEnum;
use plumbline_conformance::Outcome;
use plumbline_conformance::gate::Decision;

use super::causes::Causes;

/// The largest number of annotations of a run: GitHub shows ten of each level for a step.
const MOST: usize = 10;

/// The longest message of an annotation, in characters.
const LONGEST: usize = 3000;

/// Which annotations a run prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Annotations {
    // The comments on the variants are plain ones, because doc comments would be part of the help.

    // Annotations for the CI that runs the command.
    #[default]
    Auto,
    // Commands of GitHub Actions: `::error title=...::...`.
    Github,
    None,
}

/// While this value exists, the runner of GitHub does not execute what the run prints.
pub(super) struct Stopped(Option<String>);

impl Annotations {
    /// Returns whether the run prints commands of GitHub Actions.
    fn is_github(self) -> bool {
        match self {
            Annotations::Auto => on_github(),
            Annotations::Github => true,
            Annotations::None => false,
        }
    }

    /// Tells the runner of GitHub, if there is one, to execute nothing from here on. This also happens in a run without
    /// annotations.
    pub(super) fn stop_commands(self) -> Stopped {
        let is_stopped = on_github() || self.is_github();
        let word = is_stopped.then(|| {
            let number = || RandomState::new().hash_one(std::process::id());
            format!("{:016x}{:016x}", number(), number())
        });
        if let Some(word) = &word {
            println!("::stop-commands::{word}");
        }
        Stopped(word)
    }

    /// Prints the annotations of a run that ended.
    pub(super) fn print(self, causes: &Causes, outcome: &Outcome, decision: &Decision) {
        if self.is_github() {
            lines(causes, outcome, decision).iter().for_each(|line| println!("{line}"));
        }
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        if let Some(word) = &self.0 {
            println!("::{word}::");
        }
    }
}

/// Returns whether this process runs in a job of GitHub Actions.
fn on_github() -> bool {
    std::env::var("GITHUB_ACTIONS").is_ok_and(|value| value == "true")
}

/// Returns an annotation of level `error` for each of the worst causes, and one for all other unexpected
/// results. If there are no unexpected results and the decision is not [`Decision::Conforms`], returns one `error` with
/// the decision. This `error` also lists our own errors, missing results and stale expectations; the list ends after
/// two of them. If this `error` is not returned, a `warning` has the list, unless there are already [`MOST`] `error`s.
fn lines(causes: &Causes, outcome: &Outcome, decision: &Decision) -> Vec<String> {
    let all = outcome.unexpected.causes();
    let more = all.len() as u64 + u64::from(outcome.unexpected.others() > 0) > MOST as u64;
    let shown = if more { MOST - 1 } else { MOST };
    let of_cause = |cause: &&plumbline_conformance::Cause| {
        let title = format!("{}: {} in {}", cause.first.case, cause.what(), cause.first.backend);
        command("error", &title, &causes.block(cause))
    };
    let mut lines: Vec<String> = all.iter().take(shown).map(of_cause).collect();
    if more {
        let others = all.iter().skip(shown).map(|cause| cause.count).sum::<u64>() + outcome.unexpected.others();
        let text = format!("{others} more results with other causes: {}", causes.out.join("index.html").display());
        lines.push(command("error", &decision.to_string(), &text));
    }
    let reasons = [&outcome.broken, &outcome.missing, &outcome.exceeded, &outcome.stale];
    let others = reasons.into_iter().flatten().take(2).map(String::as_str).collect::<Vec<_>>().join("\n");
    if lines.is_empty() && *decision != Decision::Conforms {
        lines.push(command("error", "plumbline", &format!("{decision}\n{others}")));
    } else if !others.is_empty() && lines.len() < MOST {
        lines.push(command("warning", "plumbline", &others));
    }
    lines
}

/// Returns a command of GitHub Actions in one line.
fn command(level: &str, title: &str, message: &str) -> String {
    let message: String = message.trim_end().chars().take(LONGEST).collect();
    let title = escaped(title).replace(':', "%3A").replace(',', "%2C");
    format!("::{level} title={title}::{}", escaped(&message))
}

/// Escapes percent signs and line breaks, as a command of GitHub Actions needs it.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_backend_stays_in_its_line() {
        let line = command("error", "a,b: 100%", "first\r\n::warning::second\n##[error]third");
        assert_eq!(line, "::error title=a%2Cb%3A 100%25::first%0D%0A::warning::second%0A##[error]third");
        assert!(command("error", "", &"x".repeat(2 * LONGEST)).len() < LONGEST + 20);
    }
}

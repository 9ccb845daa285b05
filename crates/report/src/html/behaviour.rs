//! The differences between neighbouring versions of an operator, from the snapshots in `reports/behaviour`.

use plumbline_spec::Operator;
use serde::Serialize;

/// What a snapshot says about the step to a version.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Step {
    /// The rules that come, go or change. Each starts on a line of its own.
    pub rules: String,
    /// What the oracle found when it ran the same cases at both versions.
    pub oracle: String,
    /// Cases on which the versions differ, with both answers. It is empty if no difference was found.
    pub examples: String,
}

/// Returns the step to the version `to`, if a snapshot has it.
pub(super) fn step(operator: &Operator, to: u32) -> Option<Step> {
    let path = format!("behaviour/{}/{}.snap", operator.domain, operator.name);
    let file = plumbline_report_data::FOLDER.get_file(path)?;
    steps(file.contents_utf8()?).find(|(version, _)| *version == to).map(|(_, step)| step)
}

/// Reads a snapshot. Each step has a heading, `Min-6 to Min-8`, and below it, indented, what differs.
fn steps(text: &str) -> impl Iterator<Item = (u32, Step)> {
    let mut steps: Vec<(u32, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        let heading =
            line.split_once(" to ").filter(|_| !line.starts_with([' ', '-'])).and_then(|(_, to)| to.rsplit_once('-'));
        match heading.and_then(|(_, since)| since.parse().ok()) {
            Some(since) => steps.push((since, Vec::new())),
            None => {
                if let Some((_, lines)) = steps.last_mut() {
                    lines.push(line);
                }
            }
        }
    }
    steps.into_iter().map(|(since, lines)| (since, read(&lines)))
}

fn read(lines: &[&str]) -> Step {
    let mut step = Step::default();
    let (mut in_rule, mut after_oracle) = (false, false);
    for line in lines {
        if let Some(found) = line.strip_prefix("  oracle: ") {
            step.oracle = found.to_owned();
            after_oracle = true;
        } else if after_oracle {
            step.examples.push_str(line.strip_prefix("    ").unwrap_or(line));
            step.examples.push('\n');
        } else if let Some(change) = line.strip_prefix("    ") {
            // Lines that are indented further than a change belong to it.
            if !change.starts_with(' ') {
                in_rule = ["constraint ", "behaviour ", "accuracy "]
                    .iter()
                    .any(|part| change.get(2..).is_some_and(|c| c.starts_with(part)));
            }
            if in_rule {
                step.rules.push_str(change);
                step.rules.push('\n');
            }
        }
    }
    for text in [&mut step.rules, &mut step.examples] {
        text.truncate(text.trim_end().len());
    }
    step
}

#[cfg(test)]
mod tests {
    use plumbline_spec::embedded;

    use super::*;

    #[test]
    fn a_step_has_its_rules_and_examples() {
        let spec = plumbline_spec::Spec::embedded();
        let step_to = |name: &str, to| step(spec.operator("", name).unwrap(), to);
        let min = step_to("Min", 8).unwrap();
        assert!(min.oracle.starts_with("differences found"), "{min:?}");
        assert!(min.rules.contains("+ constraint shapes-broadcast") && !min.rules.contains("property"), "{min:?}");
        assert!(min.examples.starts_with("only 8 accepts") && min.examples.contains("shapes [1] and [] differ"));
        let none = step_to("Min", 12).unwrap();
        assert_eq!((none.rules.as_str(), none.examples.as_str()), ("", ""));
        assert_eq!(step_to("Min", 1), None);
    }

    #[test]
    fn every_snapshot_is_read() {
        let snapshots = embedded::below(&plumbline_report_data::FOLDER, "behaviour");
        assert!(!snapshots.is_empty());
        for (name, file) in snapshots {
            let text = embedded::as_text(file);
            let headings = text.lines().filter(|line| !line.starts_with(' ') && line.contains(" to ")).count();
            assert_eq!(steps(text).count(), headings, "{name}");
            assert!(steps(text).all(|(_, step)| !step.oracle.is_empty()), "{name}");
        }
    }
}

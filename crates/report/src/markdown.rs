//! Writes `summary.md`, a short summary for the page of a CI job.

use std::fmt::Write;

use plumbline_conformance::FailKind;

use crate::text::{grouped, shorten, visible_line};
use crate::{BackendStatus, Finding, OperatorSummary, Summary, Tally, VERDICTS};

/// The largest number of signatures shown.
const MAX_SIGNATURES: usize = 15;
/// The largest length in bytes of a name, a detail or a sentence.
const MAX_TEXT_BYTES: usize = 120;

/// The largest length in bytes of the command of a run.
const MAX_COMMAND_BYTES: usize = 2000;

/// Returns the summary as Markdown. A table has the counts of each backend, by verdict and by expectation. The failures
/// with the most unexpected results follow, and then what did not run.
pub fn markdown(summary: &Summary) -> String {
    let mut out = String::new();
    write(summary, &mut out).expect("writing to a string does not fail");
    out
}

fn write(summary: &Summary, out: &mut String) -> std::fmt::Result {
    let meta = &summary.meta;
    writeln!(out, "## {}\n", escape(&meta.title))?;
    writeln!(out, "{}\n", headline(summary))?;
    for file in &summary.truncated {
        writeln!(out, "> **The run was cut short**: the last line of {} is not complete.\n", code(file))?;
    }

    write!(out, "| backend |")?;
    for verdict in VERDICTS {
        write!(out, " {verdict} |")?;
    }
    writeln!(out, " new | changed | improved | expected |")?;
    writeln!(out, "| --- |{}", " ---: |".repeat(VERDICTS.len() + 4))?;
    for backend in &summary.backends {
        let status = meta.backends.iter().find(|meta| meta.label() == backend.backend).map(|meta| meta.status);
        let note = match status {
            Some(BackendStatus::Absent) => " (not available)",
            Some(BackendStatus::CouldNotStart) => " (could not start)",
            Some(BackendStatus::Ran) | None => "",
        };
        writeln!(out, "| {}{note} |{}", escape(&backend.backend), counts(&backend.total))?;
    }
    if summary.backends.len() > 1 {
        writeln!(out, "| **all** |{}", counts(&summary.total))?;
    }

    for backend in summary.backends.iter().filter(|backend| backend.unchecked > 0) {
        let answered = crate::unchecked(backend.unchecked);
        writeln!(out, "\nLatitude: {} answers {}.", escape(&backend.backend), answered)?;
    }

    findings(summary, out)?;

    let not_run: Vec<_> = meta.backends.iter().filter(|backend| backend.status != BackendStatus::Ran).collect();
    if !not_run.is_empty() || !meta.limits.is_empty() {
        writeln!(out, "\n### What this run does not show\n")?;
        for backend in not_run {
            let why = backend.why.as_deref().unwrap_or("no reason given");
            writeln!(out, "- {} did not run: {}", escape(&backend.label()), escape(why))?;
        }
        for limit in &meta.limits {
            writeln!(out, "- {}", escape(limit))?;
        }
    }
    if let Some(command) = &meta.command {
        // Half a command cannot be run, so the command may be longer than other text.
        write!(out, "\nRun again: {}", code_up_to(command, MAX_COMMAND_BYTES))?;
        if let Some(seed) = &meta.seed {
            write!(out, ", seed {}", code(seed))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Returns one sentence that says whether anything needs attention.
pub(crate) fn headline(summary: &Summary) -> String {
    let standings = summary.total.standings;
    let cases = grouped(summary.total.counts.all());
    if summary.total.counts.all() == 0 {
        return "No case ran: there is no result.".to_owned();
    }
    let not_run = match summary.total.counts.not_run {
        0 => String::new(),
        count => format!("; {} not run", grouped(count)),
    };
    if standings.unexpected() > 0 {
        let mut parts = Vec::new();
        for (count, word) in
            [(standings.new, "new failures"), (standings.changed, "changed"), (standings.improved, "improved")]
        {
            if count > 0 {
                parts.push(format!("{} {word}", grouped(count)));
            }
        }
        return format!("{cases} results; unexpected: {}{not_run}.", parts.join(", "));
    }
    match summary.total.counts.bad() {
        0 => format!("{cases} results; none failed{not_run}."),
        bad => format!("{cases} results; {} failed, all of them expected{not_run}.", grouped(bad)),
    }
}

fn counts(tally: &Tally) -> String {
    let standings = tally.standings;
    VERDICTS
        .into_iter()
        .map(|verdict| tally.counts.count(verdict))
        .chain([standings.new, standings.changed, standings.improved, standings.expected])
        .map(|count| if count == 0 { " · |".to_owned() } else { format!(" {} |", grouped(count)) })
        .collect()
}

/// Writes the failures: unexpected ones first, of these the worst ones, and of equally bad ones those with the most
/// results.
fn findings(summary: &Summary, out: &mut String) -> std::fmt::Result {
    let mut findings: Vec<(&OperatorSummary, &Finding)> = summary
        .operators
        .iter()
        .flat_map(|operator| operator.findings.iter().map(move |finding| (operator, finding)))
        .filter(|(_, finding)| finding.tally.counts.bad() > 0)
        .collect();
    if findings.is_empty() {
        return Ok(());
    }
    // The sort is stable, so findings with equal counts keep the order of the summary.
    findings.sort_by_key(|(_, finding)| {
        let unexpected = finding.tally.standings.unexpected();
        let counts = std::cmp::Reverse((unexpected, finding.tally.counts.bad()));
        (unexpected == 0, finding.severity, counts)
    });
    writeln!(out, "\n### Failures\n")?;
    writeln!(out, "| operator | backend | what | count | unexpected | first case |")?;
    writeln!(out, "| --- | --- | --- | ---: | ---: | --- |")?;
    for (operator, finding) in findings.iter().take(MAX_SIGNATURES) {
        let what = finding.kind.map_or(finding.verdict.name(), FailKind::name);
        let signature = finding.signature.as_deref().map(|text| format!(" {}", code(text))).unwrap_or_default();
        writeln!(
            out,
            "| {} | {} | {what}{signature} | {} | {} | {} |",
            escape(&operator.op),
            escape(&finding.backend),
            grouped(finding.tally.counts.bad()),
            grouped(finding.tally.standings.unexpected()),
            code(&finding.case),
        )?;
    }
    let left_out: u64 = summary.operators.iter().map(|operator| operator.findings_left_out).sum();
    let more = findings.len().saturating_sub(MAX_SIGNATURES);
    if more > 0 {
        writeln!(out, "\n{} more signatures are in the full report.", grouped(more as u64))?;
    }
    if left_out > 0 {
        writeln!(out, "\nThe signatures of {} results are left out, because lists are bounded.", grouped(left_out))?;
    }
    Ok(())
}

/// Shortens text, and escapes it so that Markdown and HTML show it literally, on one line.
pub(crate) fn escape(text: &str) -> String {
    escape_up_to(text, MAX_TEXT_BYTES)
}

/// Cuts text that is longer than `max_bytes`, and escapes it like [`escape`].
pub(crate) fn escape_up_to(text: &str, max_bytes: usize) -> String {
    let mut out = String::new();
    for c in visible_line(&shorten(text, max_bytes)).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '|' | '#' | '!' | '~' | '@' | ':' => {
                out.push_str(&format!("&#{};", u32::from(c)));
            }
            _ => out.push(c),
        }
    }
    out
}

/// Shortens text and formats it as HTML `<code>`, because backticks cannot enclose every text inside a table.
fn code(text: &str) -> String {
    code_up_to(text, MAX_TEXT_BYTES)
}

/// Cuts text that is longer than `max_bytes`, and formats it as HTML `<code>`.
pub(crate) fn code_up_to(text: &str, max_bytes: usize) -> String {
    format!("<code>{}</code>", escape_up_to(text, max_bytes))
}

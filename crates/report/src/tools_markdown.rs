//! Writes `tools.md`: what the report says about ONNX's own tools, as Markdown.

use std::fmt::Write;

use plumbline_spec::Spec;

use crate::Summary;
use crate::html::{ConversionRow, Repros, Tools};
use crate::markdown::escape;

/// Returns the failures of ONNX's tools by tool, operator and constraint, each with a text for a bug report, what they
/// do not infer, and the table of conversions between opsets. Returns `None` if the results have no such tool.
pub fn tools_markdown(summary: &Summary, spec: &Spec, repros: &Repros) -> Option<String> {
    let tools = Tools::new(summary, spec, repros);
    if tools.is_empty() {
        return None;
    }
    let mut out = String::new();
    write(&tools, &mut out).expect("writing to a string does not fail");
    Some(out)
}

fn write(tools: &Tools, out: &mut String) -> std::fmt::Result {
    writeln!(out, "# ONNX's tools")?;
    for table in &tools.conversions {
        writeln!(out, "\n## Conversions of {}\n", escape(&table.name))?;
        writeln!(out, "{} right, {} wrong, {} refused.\n", table.right, table.wrong, table.refused)?;
        writeln!(out, "| operator | from | right to | wrong to | refused to | answers differ at |")?;
        writeln!(out, "| --- | ---: | --- | --- | --- | --- |")?;
        for row in &table.rows {
            let to = |classes: &[&str]| opsets(row, &table.targets, classes);
            let (right, wrong, refused) = (to(&["p"]), to(&["f"]), to(&["u", "h"]));
            let (operator, differs_at) = (escape(&row.operator), &row.differs_at);
            writeln!(out, "| {operator} | {} | {right} | {wrong} | {refused} | {differs_at} |", row.from)?;
        }
    }
    if !tools.inferred.is_empty() {
        writeln!(out, "\n## What could be inferred and is not\n")?;
        for rows in tools.inferred.chunk_by(|row, next| row.tool == next.tool) {
            writeln!(out, "By {}:\n", escape(&rows[0].tool))?;
            writeln!(out, "| operator | cases | of | most often |")?;
            writeln!(out, "| --- | ---: | ---: | --- |")?;
            for row in rows {
                let example = escape(row.example.as_deref().unwrap_or_default());
                writeln!(out, "| {} | {} | {} | {example} |", escape(&row.operator), row.partial, row.judged)?;
            }
            writeln!(out)?;
        }
    }
    for tool in &tools.tools {
        writeln!(out, "\n## Failures of {}: {}\n", escape(&tool.name), tool.failures)?;
        if !tool.groups.is_empty() {
            writeln!(out, "| operator | what | constraint | results | first case |")?;
            writeln!(out, "| --- | --- | --- | ---: | --- |")?;
        }
        for group in &tool.groups {
            let (operator, rule) = (escape(&group.operator), escape(group.rule.as_deref().unwrap_or_default()));
            writeln!(out, "| {operator} | {} | {rule} | {} | {} |", group.what, group.count, escape(&group.case))?;
        }
        for group in tool.groups.iter().filter(|group| group.link.is_some()) {
            writeln!(out, "\n### {}\n", escape(&format!("{} {}", group.operator, group.what)))?;
            // Four spaces make a block of code that no text can end.
            group.text.lines().try_for_each(|line| writeln!(out, "    {line}"))?;
            if let Some(script) = &group.script {
                writeln!(out, "\nThe script `{}` shows it with the package onnx alone.", script.replace('`', ""))?;
            }
        }
    }
    Ok(())
}

/// Returns the opsets of the cells that have one of these classes: `6-12, 14 (✗2/5)`.
fn opsets(row: &ConversionRow, targets: &[u32], classes: &[&str]) -> String {
    let cells = targets.iter().zip(&row.cells).filter(|(_, cell)| classes.contains(&cell.class));
    let mut spans: Vec<(u32, u32, &str)> = Vec::new();
    for (to, cell) in cells {
        match spans.last_mut() {
            Some((_, last, text)) if *last + 1 == *to && *text == cell.text => *last = *to,
            _ => spans.push((*to, *to, &cell.text)),
        }
    }
    let shown = spans.iter().map(|(first, last, text)| {
        let span = if first == last { first.to_string() } else { format!("{first}-{last}") };
        let counts = text.trim_start_matches(['✓', '∅', '✗', '◐']);
        if counts.is_empty() { span } else { format!("{span} ({counts})") }
    });
    shown.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use plumbline_conformance::{CaseResult, FailKind, ReasonKind, Verdict};

    use super::*;
    use crate::{Aggregator, RunMeta};

    fn markdown_of(results: Vec<CaseResult>) -> Option<String> {
        let mut aggregator = Aggregator::new();
        results.into_iter().for_each(|result| aggregator.add(result).unwrap());
        tools_markdown(&aggregator.finish(RunMeta::default()), Spec::embedded(), &Repros::default())
    }

    fn result(backend: &str, verdict: Verdict) -> CaseResult {
        CaseResult {
            suite: "generated".to_owned(),
            domain: "ai.onnx".to_owned(),
            op: "Add".to_owned(),
            since: 7,
            case: "Add-7/T=float/0@0".to_owned(),
            backend: backend.to_owned(),
            verdict,
            ..CaseResult::default()
        }
    }

    #[test]
    fn failures_conversions_and_gaps_have_a_line_each() {
        let checker = result("tool:checker 1.23.2", Verdict::Fail);
        let accepted =
            CaseResult { kind: Some(FailKind::AcceptsInvalid), rule: Some("axis-in-range".to_owned()), ..checker };
        let converted = |to: u32, verdict| result(&format!("rewriter:version-converter 1.23.2,to={to}"), verdict);
        let inferring = "tool:shape-inference 1.23.2,coverage=on";
        let partial = CaseResult {
            reason: Some(ReasonKind::NotInferred),
            detail: Some("no rank".to_owned()),
            ..result(inferring, Verdict::Unsupported)
        };
        let mut all = vec![accepted.clone(), accepted, partial, result(inferring, Verdict::Pass)];
        all.extend([converted(6, Verdict::Unsupported), converted(7, Verdict::Pass), converted(8, Verdict::Pass)]);
        all.extend([converted(9, Verdict::Fail), converted(9, Verdict::Pass)]);
        let text = markdown_of(all).unwrap();
        for line in [
            "| Add | accepts-invalid | axis-in-range | 2 | Add-7/T=float/0&#64;0 |",
            "| Add | 7 | 7-8 | 9 (1/2) | 6 |",
            "| Add | 1 | 2 | no rank |",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert_eq!(markdown_of(vec![result("rten 0.27.0", Verdict::Fail)]), None);
    }
}

//! The section about ONNX's own tools: their failures by tool, operator and constraint, what they do not infer, and a
//! table of conversions between opsets.

use std::collections::BTreeMap;

use plumbline_conformance::{FailKind, Verdict};
use plumbline_spec::{OperatorId, Spec};
use serde::Serialize;

use super::{Repros, behaviour};
use crate::text::{grouped, shorten, visible_line};
use crate::tools::{CONVERTER, Conversion, tool_and_target};
use crate::{Finding, OperatorSummary, Summary};

/// The largest number of groups of failures of one tool.
const MAX_GROUPS: usize = 300;
/// The largest length of a model that a text for a bug report has.
const MAX_MODEL_BYTES: usize = 3000;
/// The largest length of a detail.
const MAX_DETAIL_BYTES: usize = 400;

/// What the section shows.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Tools {
    pub tools: Vec<Tool>,
    pub conversions: Vec<Conversions>,
    pub inferred: Vec<InferredRow>,
}

/// The failures of one tool.
#[derive(Debug, Serialize)]
pub(crate) struct Tool {
    pub name: String,
    pub failures: String,
    pub groups: Vec<Group>,
    pub more: usize,
}

/// Failures of a tool with the same operator, kind and constraint.
#[derive(Debug, Serialize)]
pub(crate) struct Group {
    pub operator: String,
    pub what: &'static str,
    pub rule: Option<String>,
    pub count: String,
    pub case: String,
    /// A text for a bug report: what happens, and the model in ONNX's text syntax.
    pub text: String,
    pub link: Option<String>,
    pub script: Option<String>,
}

/// The table of one converter.
#[derive(Debug, Serialize)]
pub(crate) struct Conversions {
    pub name: String,
    /// The opsets to which cases were converted.
    pub targets: Vec<u32>,
    pub rows: Vec<ConversionRow>,
    pub right: String,
    pub wrong: String,
    pub refused: String,
}

/// The conversions from one operator version.
#[derive(Debug, Serialize)]
pub(crate) struct ConversionRow {
    pub operator: String,
    pub from: u32,
    pub cells: Vec<ConversionCell>,
    /// The versions of the operator whose answers differ from those of the version before, so that a conversion across
    /// them has to change more than the number of the opset.
    pub differs_at: String,
    pub is_wrong: bool,
}

/// A conversion to one opset.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct ConversionCell {
    pub class: &'static str,
    pub text: String,
}

/// What a tool infers of the cases of an operator.
#[derive(Debug, Serialize)]
pub(crate) struct InferredRow {
    pub tool: String,
    pub operator: String,
    pub partial: String,
    pub judged: String,
    pub example: Option<String>,
}

/// Returns whether the section is about a backend.
fn is_tool(backend: &str) -> bool {
    let name = backend.split(' ').next().unwrap_or_default();
    name == CONVERTER || name == "tool" || name.starts_with("tool:")
}

fn what(finding: &Finding) -> &'static str {
    finding.kind.map_or(finding.verdict.name(), FailKind::name)
}

impl Tools {
    pub(crate) fn new(summary: &Summary, spec: &Spec, repros: &Repros) -> Tools {
        let mut inferred: Vec<_> = summary.inferred.iter().filter(|row| row.partial > 0).collect();
        inferred.sort_by_key(|row| (&row.backend, std::cmp::Reverse(row.partial)));
        let inferred = inferred.into_iter().map(|row| InferredRow {
            tool: row.backend.clone(),
            operator: qualified(&row.domain, &row.op),
            partial: grouped(row.partial),
            judged: grouped(row.partial + row.whole),
            example: example(summary, &row.backend, &row.domain, &row.op),
        });
        Tools {
            tools: tools(summary, repros),
            conversions: conversions(&summary.conversions, spec),
            inferred: inferred.collect(),
        }
    }

    /// Returns whether there is anything to show.
    pub(crate) fn is_empty(&self) -> bool {
        self.tools.is_empty() && self.conversions.is_empty() && self.inferred.is_empty()
    }
}

/// Returns the most frequent reason why a case of an operator is unsupported by a tool.
fn example(summary: &Summary, backend: &str, domain: &str, op: &str) -> Option<String> {
    let operator = summary.operators.iter().find(|operator| operator.domain == domain && operator.op == op)?;
    let reasons = operator.reasons.iter().filter(|reason| reason.backend == backend);
    reasons.max_by_key(|reason| reason.count).and_then(|reason| reason.reason.clone())
}

fn tools(summary: &Summary, repros: &Repros) -> Vec<Tool> {
    type Key = (String, &'static str, Option<String>);
    let mut found: BTreeMap<String, BTreeMap<Key, (u64, Vec<&Finding>)>> = BTreeMap::new();
    for backend in summary.backends.iter().filter(|backend| is_tool(&backend.backend)) {
        found.entry(tool_and_target(&backend.backend).0).or_default();
    }
    let findings = summary.operators.iter().flat_map(|operator| operator.findings.iter().map(move |f| (operator, f)));
    for (operator, finding) in findings.filter(|(_, finding)| is_tool(&finding.backend)) {
        if finding.verdict == Verdict::Latitude {
            continue;
        }
        let tool = found.entry(tool_and_target(&finding.backend).0).or_default();
        let (count, group) = tool.entry((name(operator), what(finding), finding.rule.clone())).or_default();
        *count += finding.tally.counts.all();
        group.push(finding);
    }
    let tool = |(name, groups): (String, BTreeMap<Key, (u64, Vec<&Finding>)>)| {
        let failures = groups.values().map(|(count, _)| count).sum();
        let more = groups.len().saturating_sub(MAX_GROUPS);
        let mut groups: Vec<(Key, (u64, Vec<&Finding>))> = groups.into_iter().collect();
        groups.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        let groups = groups.into_iter().take(MAX_GROUPS).map(|((operator, what, rule), (count, findings))| {
            group(operator, what, rule, count, &findings, summary, repros)
        });
        Tool { name, failures: grouped(failures), groups: groups.collect(), more }
    };
    found.into_iter().map(tool).collect()
}

fn name(operator: &OperatorSummary) -> String {
    qualified(&operator.domain, &operator.op)
}

fn qualified(domain: &str, op: &str) -> String {
    OperatorId::new(domain, op, 0).qualified_name()
}

/// Shows a group by its first failure that has a script or, if none has, a folder.
fn group(
    operator: String,
    what: &'static str,
    rule: Option<String>,
    count: u64,
    findings: &[&Finding],
    summary: &Summary,
    repros: &Repros,
) -> Group {
    let shown = findings.iter().map(|finding| {
        let signature = finding.signature.as_deref().unwrap_or_default();
        (*finding, repros.evidence(signature, &finding.backend, summary))
    });
    let best = shown.max_by_key(|(_, evidence)| match evidence {
        Some(evidence) if evidence.script.is_some() => 2,
        Some(_) => 1,
        None => 0,
    });
    let Some((finding, evidence)) = best else {
        let (case, text, link, script) = (String::new(), String::new(), None, None);
        return Group { operator, what, rule, count: grouped(count), case, text, link, script };
    };
    let model = finding.signature.as_deref().and_then(|signature| repros.model_text(signature, MAX_MODEL_BYTES));
    let detail = finding.detail.as_deref().unwrap_or_default();
    let detail = shorten(&visible_line(detail), MAX_DETAIL_BYTES);
    let (link, inputs, script) =
        evidence.map_or((None, None, None), |evidence| (Some(evidence.link), evidence.inputs, evidence.script));
    let mut text = format!("{} on {operator}: {what}\n{detail}\n", finding.backend);
    if let Some(model) = model {
        text.push_str(&format!("\n{}\n", model.trim_end()));
        inputs.iter().for_each(|inputs| text.push_str(&format!("\n{inputs}\n")));
    }
    Group { operator, what, rule, count: grouped(count), case: finding.case.clone(), text, link, script }
}

fn conversions(all: &[Conversion], spec: &Spec) -> Vec<Conversions> {
    let mut by_tool: BTreeMap<&str, Vec<&Conversion>> = BTreeMap::new();
    all.iter().for_each(|found| by_tool.entry(&found.backend).or_default().push(found));
    let table = |(name, found): (&str, Vec<&Conversion>)| {
        let mut targets: Vec<u32> = found.iter().map(|found| found.to).collect();
        targets.sort_unstable();
        targets.dedup();
        let total = |count: fn(&Conversion) -> u64| grouped(found.iter().map(|found| count(found)).sum());
        let rows = found.chunk_by(|a, b| (&a.domain, &a.op, a.from) == (&b.domain, &b.op, b.from));
        Conversions {
            name: name.to_owned(),
            rows: rows.filter_map(|row| conversion_row(row, &targets, spec)).collect(),
            right: total(|found| found.right),
            wrong: total(|found| found.wrong),
            refused: total(|found| found.refused),
            targets,
        }
    };
    by_tool.into_iter().map(table).collect()
}

fn conversion_row(row: &[&Conversion], targets: &[u32], spec: &Spec) -> Option<ConversionRow> {
    let first = row.first()?;
    let cell = |to: &u32| row.iter().find(|found| found.to == *to).map(|found| cell(found)).unwrap_or_default();
    let operator = spec.operator(&first.domain, &first.op);
    let differs = |since: u32| {
        operator.and_then(|operator| behaviour::step(operator, since)).is_some_and(|step| !step.examples.is_empty())
    };
    let versions = operator.iter().flat_map(|operator| &operator.versions).map(|version| version.since);
    let differs_at: Vec<String> = versions.filter(|since| differs(*since)).map(|since| since.to_string()).collect();
    Some(ConversionRow {
        operator: qualified(&first.domain, &first.op),
        from: first.from,
        cells: targets.iter().map(cell).collect(),
        differs_at: differs_at.join(", "),
        is_wrong: row.iter().any(|found| found.wrong > 0),
    })
}

/// Shows a conversion: `✓`, `✗2/5` (2 of 5 are wrong), `∅`, or `◐2/5` (2 of 5 are refused).
fn cell(found: &Conversion) -> ConversionCell {
    let all = found.right + found.wrong + found.refused;
    let (class, text) = match (found.right, found.wrong, found.refused) {
        (_, wrong @ 1.., _) => ("f", format!("✗{wrong}/{all}")),
        (1.., 0, 0) => ("p", "✓".to_owned()),
        (0, 0, 1..) => ("u", "∅".to_owned()),
        (_, _, refused) => ("h", format!("◐{refused}/{all}")),
    };
    ConversionCell { class, text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_shows_each_opset_and_where_answers_differ() {
        let found = |to, right, wrong, refused| Conversion {
            backend: "rewriter:version-converter 1.23.2".to_owned(),
            domain: "ai.onnx".to_owned(),
            op: "Min".to_owned(),
            from: 6,
            to,
            right,
            wrong,
            refused,
        };
        let all = [found(5, 0, 0, 4), found(6, 4, 0, 0), found(8, 3, 1, 0), found(12, 1, 0, 3)];
        let tables = conversions(&all, Spec::embedded());
        let row = &tables[0].rows[0];
        assert_eq!(tables[0].targets, [5, 6, 8, 12]);
        let texts: Vec<&str> = row.cells.iter().map(|cell| cell.text.as_str()).collect();
        assert_eq!(texts, ["∅", "✓", "✗1/4", "◐3/4"]);
        assert!(row.is_wrong && row.differs_at.split(", ").any(|since| since == "8"), "{}", row.differs_at);
        assert_eq!((&*tables[0].right, &*tables[0].wrong, &*tables[0].refused), ("8", "1", "7"));
    }
}

//! Counts of ONNX's own tools: what became of conversions between opsets, and what inference leaves out.

use std::collections::BTreeMap;

use plumbline_conformance::{CaseResult, ReasonKind, Verdict};
use serde::Serialize;

/// The name of the backend that converts models between opsets.
pub(crate) const CONVERTER: &str = "rewriter:version-converter";

/// The setting with which a tool says what it does not infer.
const COVERAGE: &str = "coverage=on";

/// What became of the valid cases of an operator version that a converter was to convert to an opset.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Conversion {
    /// The converter with its version, without the opset.
    pub backend: String,
    /// The domain of the operator.
    pub domain: String,
    /// The name of the operator.
    pub op: String,
    /// The version of the operator, which is the opset of the cases.
    pub from: u32,
    /// The opset to which they were converted.
    pub to: u32,
    /// Cases whose converted model computes the same.
    pub right: u64,
    /// Cases whose converted model is invalid or computes something else, or for which the converter fails.
    pub wrong: u64,
    /// Cases that the converter says it does not convert.
    pub refused: u64,
}

/// How much of the valid cases of an operator a tool infers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Inferred {
    /// The tool with its version.
    pub backend: String,
    /// The domain of the operator.
    pub domain: String,
    /// The name of the operator.
    pub op: String,
    /// Cases of which everything is inferred that could be.
    pub whole: u64,
    /// Cases of which a type, a rank or an extent is not inferred although it could be.
    pub partial: u64,
}

/// Counts what [`Conversion`] and [`Inferred`] say.
#[derive(Debug, Default)]
pub(crate) struct ToolCounts {
    conversions: BTreeMap<(String, String, String, u32, u32), Conversion>,
    inferred: BTreeMap<(String, String, String), Inferred>,
}

/// Returns the name of a tool in the report, without the opset to which a converter converts, and this opset.
pub(crate) fn tool_and_target(backend: &str) -> (String, Option<u32>) {
    let Some((name, version)) = backend.split_once(' ').filter(|(name, _)| *name == CONVERTER) else {
        return (backend.to_owned(), None);
    };
    let mut target = None;
    let is_kept = |part: &&str| match part.strip_prefix("to=").and_then(|to| to.parse().ok()) {
        Some(to) => {
            target = Some(to);
            false
        }
        None => true,
    };
    let kept: Vec<&str> = version.split(',').filter(is_kept).collect();
    (format!("{name} {}", kept.join(",")), target)
}

impl ToolCounts {
    /// Counts a result. `backend` and the domain are those that the report shows.
    pub(crate) fn add(&mut self, backend: &str, domain: &str, result: &CaseResult) {
        if result.is_negative() || result.since == 0 || result.verdict == Verdict::NotRun {
            return;
        }
        let op = result.op.clone();
        if let (tool, Some(to)) = tool_and_target(backend) {
            let key = (tool.clone(), domain.to_owned(), op.clone(), result.since, to);
            let (domain, from) = (domain.to_owned(), result.since);
            let empty = || Conversion { backend: tool, domain, op, from, to, ..Conversion::default() };
            let found = self.conversions.entry(key).or_insert_with(empty);
            match result.verdict {
                Verdict::Pass | Verdict::Latitude => found.right += 1,
                Verdict::Unsupported => found.refused += 1,
                _ => found.wrong += 1,
            }
        } else if backend.split([' ', ',']).any(|part| part == COVERAGE) {
            let key = (backend.to_owned(), domain.to_owned(), op.clone());
            let (backend, domain) = (backend.to_owned(), domain.to_owned());
            let empty = || Inferred { backend, domain, op, ..Inferred::default() };
            let found = self.inferred.entry(key).or_insert_with(empty);
            match (result.verdict, result.reason) {
                (_, Some(ReasonKind::NotInferred)) => found.partial += 1,
                (Verdict::Pass | Verdict::Latitude, _) => found.whole += 1,
                _ => {}
            }
        }
    }

    /// Returns the number of combinations that are counted.
    pub(crate) fn len(&self) -> usize {
        self.conversions.len() + self.inferred.len()
    }

    pub(crate) fn finish(self) -> (Vec<Conversion>, Vec<Inferred>) {
        (self.conversions.into_values().collect(), self.inferred.into_values().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opset_is_no_part_of_a_converters_name() {
        let named = |text: &str| tool_and_target(text);
        let converter = "rewriter:version-converter 1.23.2";
        assert_eq!(named("rewriter:version-converter 1.23.2,to=13"), (converter.to_owned(), Some(13)));
        assert_eq!(named(converter), (converter.to_owned(), None));
        assert_eq!(named("rewriter:version-converter 1.23.2,to=all").1, None);
        assert_eq!(named("tool:checker 1.23.2,to=13").1, None);
    }

    #[test]
    fn each_pair_of_opsets_counts_what_became_of_it() {
        let result = |verdict, to: u32| CaseResult {
            suite: "generated".to_owned(),
            op: "Add".to_owned(),
            since: 7,
            backend: format!("{CONVERTER} 1.23.2,to={to}"),
            verdict,
            ..CaseResult::default()
        };
        let mut counts = ToolCounts::default();
        for result in [
            result(Verdict::Pass, 13),
            result(Verdict::Fail, 13),
            result(Verdict::Crash, 13),
            result(Verdict::Unsupported, 6),
            result(Verdict::NotRun, 6),
            CaseResult { suite: "negative".to_owned(), ..result(Verdict::Fail, 13) },
        ] {
            counts.add(&result.backend, "ai.onnx", &result);
        }
        let (conversions, _) = counts.finish();
        let counted = |c: &Conversion| (c.from, c.to, c.right, c.wrong, c.refused);
        assert_eq!(conversions.iter().map(counted).collect::<Vec<_>>(), [(7, 6, 0, 0, 1), (7, 13, 1, 2, 0)]);
    }
}

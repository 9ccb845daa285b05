//! Writes `summary.json`: the summary as it is, with one operator on each line.

use std::fmt::Write;

use crate::{ReportError, Summary};

/// Returns the summary as JSON. Keys keep their order, and every operator is on a line of its own, so that two
/// summaries can be compared line by line.
///
/// # Errors
/// Passes on the errors of serde_json. No input can cause them.
pub fn json(summary: &Summary) -> Result<String, ReportError> {
    let mut out = String::from("{");
    let mut start = "\n";
    let mut key = |name: &str, value: String| {
        write!(out, "{start}\"{name}\":{value}").expect("writing to a string does not fail");
        start = ",\n";
    };
    key("format", serde_json::to_string(&summary.format)?);
    key("meta", serde_json::to_string(&summary.meta)?);
    key("truncated", serde_json::to_string(&summary.truncated)?);
    key("total", serde_json::to_string(&summary.total)?);
    key("suites", serde_json::to_string(&summary.suites)?);
    key("backends", lines(&summary.backends)?);
    key("operators", lines(&summary.operators)?);
    if !summary.conversions.is_empty() {
        key("conversions", lines(&summary.conversions)?);
    }
    if !summary.inferred.is_empty() {
        key("inferred", lines(&summary.inferred)?);
    }
    out.push_str("\n}\n");
    Ok(out)
}

/// Formats a list with one item on each line.
pub(crate) fn lines<T: serde::Serialize>(items: &[T]) -> Result<String, serde_json::Error> {
    let items: Vec<String> = items.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    Ok(if items.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", items.join(",\n")) })
}

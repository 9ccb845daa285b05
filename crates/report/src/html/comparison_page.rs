//! The page of a comparison. It has no script, and needs nothing besides itself.

use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;

use super::{environment, file};
use crate::ReportError;
use crate::comparison::{Cause, Change, Comparison, SideFacts};
use crate::comparison::{detail, listed, operator, signatures, title, what};
use crate::text::grouped;

/// A row of the table of counts, on the page of a comparison and on the page of a step of a site.
#[derive(Serialize)]
pub(crate) struct CountRow {
    name: String,
    id: &'static str,
    class: &'static str,
    count: String,
    has_section: bool,
    meaning: String,
}

/// The causes of a change.
#[derive(Serialize)]
struct Section<'a> {
    name: String,
    id: &'static str,
    meaning: &'static str,
    count: String,
    causes: Vec<CauseRow<'a>>,
    left_out: u64,
}

/// Cases with the same operator and the same results.
#[derive(Serialize)]
struct CauseRow<'a> {
    count: String,
    operator: String,
    what: String,
    signatures: Vec<&'a str>,
    case: &'a str,
    detail: Option<&'a str>,
    replay: Option<String>,
}

/// Renders the page of a comparison. The commands that replay a case begin with `program`.
///
/// # Errors
/// Fails if the template is broken. No input can cause this.
pub fn comparison_page(comparison: &Comparison, program: &str) -> Result<String, ReportError> {
    let environment = environment()?;
    let counts: Vec<CountRow> = comparison.counted_changes().map(|change| CountRow::new(comparison, change)).collect();
    let sections: Vec<Section> = listed()
        .filter(|change| comparison.count(*change) > 0)
        .map(|change| Section {
            name: title(change),
            id: change.name(),
            meaning: change.meaning(),
            count: grouped(comparison.count(change)),
            causes: comparison.causes(change).map(|cause| cause_row(comparison, cause, program)).collect(),
            left_out: comparison.counted.left_out.get(&change).copied().unwrap_or(0),
        })
        .collect();
    let sides: [(&str, &SideFacts, String); 2] = [
        ("base", &comparison.base, grouped(comparison.base.results)),
        ("new", &comparison.new, grouped(comparison.new.results)),
    ];
    let page = environment.get_template("comparison.html")?.render(context! {
        title => format!("{} against {}", comparison.new.backend, comparison.base.backend),
        style => Value::from_safe_string(file("report.css").trim_end().to_owned()),
        headline => comparison.headline(),
        cases => comparison.cases(),
        sides => Serde(sides),
        limits => comparison.limits(),
        counts => Serde(counts),
        sections => Serde(sections),
    })?;
    Ok(page)
}

impl CountRow {
    pub(crate) fn new(comparison: &Comparison, change: Change) -> CountRow {
        let count = comparison.count(change);
        CountRow {
            name: title(change),
            id: change.name(),
            class: class(change, count),
            count: grouped(count),
            has_section: count > 0 && change != Change::Same,
            meaning: comparison.meaning(change),
        }
    }
}

fn cause_row<'a>(comparison: &Comparison, cause: &'a Cause, program: &str) -> CauseRow<'a> {
    CauseRow {
        count: grouped(cause.count),
        operator: operator(cause),
        what: what(cause),
        signatures: signatures(cause),
        case: &cause.case,
        detail: detail(cause),
        replay: comparison.replay(cause, program),
    }
}

/// Returns the class of the count of a change, which decides its colour. The name beside it says the same in words.
pub(crate) fn class(change: Change, count: u64) -> &'static str {
    match change {
        _ if count == 0 => "o",
        Change::Regressed | Change::NoLongerSupported => "f",
        Change::Changed | Change::SupportedButFailing => "l",
        Change::Fixed | Change::NowSupported => "p",
        _ => "u",
    }
}

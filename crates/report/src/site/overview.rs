//! The first page of a site and the pages of backends.

use serde::Serialize;

use super::badge::Badge;
use super::error::SiteError;
use super::model::{Backend, Model, Step};
use super::pages::{Markup, Numbers, Pages, rendered};
use super::record::RunFacts;
use super::steps::{StepRow, columns};
use super::trend::chart;
use crate::Counts;
use crate::text::grouped;

/// What the first page shows.
#[derive(Serialize)]
pub(super) struct Overview {
    backends: Vec<OverviewBackend>,
    warnings: Vec<String>,
    operators: String,
    cells: String,
}

#[derive(Serialize)]
struct OverviewBackend {
    name: String,
    page: String,
    rows: Vec<RunRow>,
}

/// A run in a table.
#[derive(Serialize)]
pub(super) struct RunRow {
    version: String,
    started: String,
    basis: String,
    numbers: Numbers,
    is_incomplete: bool,
}

impl RunRow {
    fn new(facts: &RunFacts) -> RunRow {
        RunRow {
            version: facts.version.clone().unwrap_or_else(|| "no version".to_owned()),
            started: facts.started.clone(),
            basis: basis(facts),
            numbers: Numbers::new(&facts.verdicts),
            is_incomplete: facts.incomplete.is_some(),
        }
    }
}

/// Returns in words what decides which cases a run has: its profile, its seed and the version of Plumbline.
fn basis(facts: &RunFacts) -> String {
    format!("{}, seed {}, Plumbline {}", facts.profile, facts.seed, facts.project_version)
}

impl Overview {
    pub fn new(model: &Model, operators: usize, cells: usize) -> Overview {
        let newest = |backend: &Backend| -> Vec<RunFacts> {
            backend.versions.iter().rev().map(|version| backend.newest(version).facts.clone()).collect()
        };
        let facts: Vec<RunFacts> = model.backends.iter().flat_map(newest).collect();
        let mut warnings: Vec<String> = Vec::new();
        if facts.iter().any(|run| run.basis() != facts[0].basis()) {
            warnings.push(
                "The runs differ in seed, profile or version of Plumbline, so they did not have the same cases. \
                 Compare only the numbers of runs that agree in all three; steps are only made between such runs."
                    .to_owned(),
            );
        }
        if facts.iter().any(|run| run.incomplete.is_some()) {
            warnings.push("Runs marked with * were interrupted, so results are missing.".to_owned());
        }
        let backend = |backend: &Backend| OverviewBackend {
            name: backend.name.clone(),
            page: format!("backends/{}.html", backend.file),
            rows: newest(backend).iter().map(RunRow::new).collect(),
        };
        Overview {
            backends: model.backends.iter().map(backend).collect(),
            warnings,
            operators: grouped(operators as u64),
            cells: grouped(cells as u64),
        }
    }
}

/// What the page of a backend shows.
#[derive(Serialize)]
pub(super) struct BackendPage {
    name: String,
    file: String,
    badge: Option<Markup>,
    charts: Vec<Markup>,
    versions: Vec<RunRow>,
    runs: Vec<RunRow>,
    columns: Vec<(String, &'static str)>,
    /// The newest first.
    steps: Vec<StepRow>,
    not_compared: bool,
}

impl BackendPage {
    pub fn new(pages: &Pages, backend: &Backend, steps: &[Step]) -> Result<BackendPage, SiteError> {
        let mut charts = Vec::new();
        let mut bases: Vec<String> = backend.runs.iter().map(basis).collect();
        bases.sort();
        bases.dedup();
        for (at, wanted) in bases.iter().enumerate() {
            let runs = || backend.runs.iter().filter(|run| basis(run) == *wanted);
            let by_version: Vec<(String, Counts)> = backend
                .versions
                .iter()
                .filter_map(|version| {
                    let run = runs().rfind(|run| run.version.clone().unwrap_or_default() == version.name)?;
                    Some((version.shown().to_owned(), run.verdicts))
                })
                .collect();
            // The date without the time of day.
            let date = |run: &RunFacts| run.started.split(' ').next().unwrap_or_default().to_owned();
            let by_date: Vec<(String, Counts)> = runs().map(|run| (date(run), run.verdicts)).collect();
            for (what, points) in [("version", by_version), ("date", by_date)] {
                // Runs of only one version or only one day are no trend.
                if points.iter().all(|(label, _)| *label == points[0].0) {
                    continue;
                }
                let title = format!("By {what} ({wanted})");
                if let Some(chart) = chart(format!("by-{what}-{at}"), title, &points) {
                    charts.push(rendered(pages.part("site-chart.html", &chart)?));
                }
            }
        }
        let badge = match Badge::new(backend) {
            Some(badge) => Some(rendered(pages.part("site-badge.svg", &BadgeParts::new(&badge))?)),
            None => None,
        };
        Ok(BackendPage {
            name: backend.name.clone(),
            file: backend.file.clone(),
            badge,
            charts,
            versions: backend.versions.iter().rev().map(|v| RunRow::new(&backend.newest(v).facts)).collect(),
            runs: backend.runs.iter().rev().map(RunRow::new).collect(),
            columns: columns(),
            steps: steps.iter().rev().map(|step| StepRow::new(backend, step)).collect(),
            not_compared: steps.iter().any(|step| step.comparison.is_none()),
        })
    }
}

/// What the picture of a badge shows.
#[derive(Serialize)]
pub(super) struct BadgeParts<'a> {
    label: &'a str,
    message: &'a str,
    fill: &'a str,
    left: usize,
    right: usize,
    width: usize,
    left_middle: usize,
    right_middle: usize,
}

impl<'a> BadgeParts<'a> {
    pub fn new(badge: &'a Badge) -> BadgeParts<'a> {
        let [left, right] = badge.widths;
        BadgeParts {
            label: badge.label,
            message: &badge.message,
            fill: badge.fill,
            left,
            right,
            width: left + right,
            left_middle: left / 2,
            right_middle: left + right / 2,
        }
    }
}

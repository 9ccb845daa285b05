//! `plumbline directml cells`: compares the support tables with the cells that DirectML ran and did not run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::bail;
use plumbline_conformance::{CaseResult, Verdict};
use plumbline_report::ResultsFile;
use plumbline_spec::directml::{DirectMl, FeatureLevel, Service};
use plumbline_spec::{OperatorVersion, Spec};

use crate::exit::Exit;
use crate::output::print;

const EXAMPLES: &str = "\
Examples:
  plumbline conformance --backend directml-software --out DIR
  plumbline directml cells DIR

A cell is an operator version with one of its type variables bound to a type. The tables say from which feature level
the main DirectML operator of the version supports the type. A case may run without that operator: a sum of one tensor,
for example, is a copy.";

/// Arguments of `plumbline directml cells`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The folder of a run with a DirectML backend, or its results.jsonl
    results: PathBuf,
}

/// The outcome of a cell in a run.
#[derive(Default)]
struct Cell {
    /// The number of cases that DirectML ran.
    done: u64,
    /// The reasons why DirectML did not run the other cases, each with its number of cases.
    reasons: BTreeMap<String, u64>,
}

/// The cells of a run by operator version, type variable and type, as results name them.
type Cells = BTreeMap<(String, String, String), Cell>;

/// Runs `plumbline directml cells`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let path = if args.results.is_dir() { args.results.join("results.jsonl") } else { args.results };
    let mut backends: BTreeMap<String, Cells> = BTreeMap::new();
    for result in ResultsFile::from_path(&path)? {
        let result = result?;
        if result.backend.starts_with("directml") {
            add(backends.entry(result.backend.clone()).or_default(), &result);
        }
    }
    if backends.is_empty() {
        bail!("{} has no result of a DirectML backend", path.display());
    }
    for (backend, cells) in &backends {
        print(&summary(backend, cells)?)?;
    }
    Ok(Exit::Conforms)
}

fn add(cells: &mut Cells, result: &CaseResult) {
    let version = plumbline_spec::OperatorId::new(&result.domain, &result.op, result.since).to_string();
    for (variable, type_) in &result.types {
        let cell = cells.entry((version.clone(), variable.clone(), type_.clone())).or_default();
        match (result.verdict, &result.detail) {
            (Verdict::NotRun, _) => {}
            (Verdict::Unsupported, detail) => {
                *cell.reasons.entry(detail.clone().unwrap_or_default()).or_default() += 1;
            }
            _ => cell.done += 1,
        }
    }
}

/// Returns what the support tables say about a cell, or `None` if the version has no such cell.
fn service(version: &OperatorVersion, variable: &str, name: &str) -> Option<Service> {
    let named =
        |type_: &str| type_ == name || type_.strip_prefix("tensor(").and_then(|t| t.strip_suffix(')')) == Some(name);
    let (variable, type_) = version.cells().find(|(known, type_)| *known == variable && named(&type_.to_string()))?;
    Some(DirectMl::embedded().serves(version, variable, type_))
}

/// Returns the counts of cells, and a table in Markdown of the cells that DirectML supports but did not run.
fn summary(backend: &str, cells: &Cells) -> anyhow::Result<String> {
    let level = backend.rsplit(' ').find_map(|word| word.parse::<FeatureLevel>().ok()).unwrap_or_default();
    let [mut both, mut neither, mut otherwise] = [0u64; 3];
    let mut rows: BTreeMap<(&str, &str, &str), Vec<&str>> = BTreeMap::new();
    for ((id, variable, type_), cell) in cells {
        let version = Spec::embedded().find(id)?.versions().first();
        let Some(service) = version.and_then(|version| service(version, variable, type_)) else {
            bail!(
                "{id} has no type variable {variable} that allows {type_}; the results belong to other specifications"
            );
        };
        let served = service.obstacle.is_none() && service.from.is_some_and(|from| from <= level);
        match (served, cell.done > 0) {
            (true, true) => both += 1,
            (false, false) => neither += 1,
            (false, true) => otherwise += 1,
            (true, false) => {
                let reason = cell.reasons.iter().max_by_key(|(_, count)| **count);
                let reason = reason.map_or("no case was run", |(reason, _)| reason.as_str());
                rows.entry((id, variable, reason)).or_default().push(type_);
            }
        }
    }
    let missing: usize = rows.values().map(Vec::len).sum();
    let mut text = format!(
        "{backend}: {} cells\n{both:7} supported according to the tables, and run\n\
         {neither:7} not supported according to the tables, and not run\n\
         {otherwise:7} not supported according to the tables, but run through other operators\n\
         {missing:7} supported according to the tables, but not run:\n",
        cells.len()
    );
    if !rows.is_empty() {
        text += "\n| operator version | variable | types | reason |\n| --- | --- | --- | --- |\n";
    }
    for ((id, variable, reason), types) in rows {
        text += &format!("| {id} | {variable} | {} | {} |\n", types.join(", "), reason.replace('|', "\\|"));
    }
    Ok(text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(results: &[(&str, Verdict)]) -> Cells {
        let mut cells = Cells::new();
        for (type_, verdict) in results {
            let line = serde_json::json!({
                "case": "c", "suite": "generated", "domain": "ai.onnx", "op": "Min", "since": 13, "types": {"T": type_},
                "backend": "directml-software 2_1", "verdict": verdict.name(), "detail": "because",
            });
            add(&mut cells, &serde_json::from_value(line).unwrap());
        }
        cells
    }

    #[test]
    fn a_supported_cell_that_did_not_run_is_listed_with_its_reason() {
        use Verdict::{Pass, Unsupported};
        let found =
            [("float", Pass), ("float", Unsupported), ("int8", Unsupported), ("int64", Unsupported), ("double", Pass)];
        let text = summary("directml-software 2_1", &cells(&found)).unwrap();
        // int64 is available from feature level 5_0 on, and double never is.
        for count in [
            "1 supported according to the tables, and run",
            "1 not supported according to the tables, and not run",
            "1 not supported according to the tables, but run",
            "1 supported according to the tables, but not run",
        ] {
            assert!(text.contains(&format!("      {count}")), "{count}: {text}");
        }
        assert!(text.contains("| Min-13 | T | int8 | because |"), "{text}");
    }

    #[test]
    fn results_of_an_unknown_cell_are_an_error() {
        assert!(summary("directml-software 2_1", &cells(&[("float99", Verdict::Pass)])).is_err());
    }
}

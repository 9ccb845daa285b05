//! The pieces of work of a run: those of its suites, or only those that a file lists.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, bail};
use plumbline_conformance::graphs::Start;
use plumbline_conformance::suite::SuiteName;
use plumbline_conformance::{Selection, SuiteCase, Work, graphs, mutated, regressions, suite_cases};
use plumbline_generator::directml::{self, DirectMlCell, Violated};
use plumbline_generator::{Cell, LARGE};

use super::Args;
use crate::exit::Exit;

/// The suites of a run that names none. A run that is about some operators, element types or forms has no graphs, in which
/// other operators can fail.
const SUITES: [&str; 5] = ["generated", "negative", regressions::SUITE, LARGE, graphs::SUITE];

/// The largest number of unknown names that an error lists.
const MOST_UNKNOWN: usize = 5;

/// Returns the names of the suites.
pub(super) fn suites(args: &Args) -> Vec<&str> {
    match args.suite.as_slice() {
        [] if !args.models.model.is_empty() => vec![],
        [] => {
            let is_whole = args.op.is_empty() && args.dtype.is_empty() && args.form.is_empty();
            SUITES.into_iter().filter(|suite| is_whole || *suite != graphs::SUITE).collect()
        }
        given => given.iter().map(String::as_str).collect(),
    }
}

/// Returns which cells and cases the arguments select.
pub(super) fn selection(args: &Args) -> anyhow::Result<Selection> {
    let selection = Selection::new(&args.op, &args.dtype).and_then(|selection| selection.in_forms(&args.form));
    let selection = selection.map_err(anyhow::Error::msg)?;
    let is_in_part = args.only.is_some() || !args.models.model.is_empty();
    Ok(if is_in_part { selection.in_part() } else { selection })
}

/// Returns the selected pieces of work of all suites and models of the run. Hands lines about the models to `say`.
pub(super) fn work(args: &Args, selection: &Selection, say: &mut dyn FnMut(String)) -> anyhow::Result<Vec<Work>> {
    let mut work = args.models.work(selection, args.seed.unwrap_or(0), say)?;
    for suite in suites(args) {
        work.extend(suite_work(suite, selection)?);
    }
    match &args.only {
        Some(path) => only(work, path),
        None => Ok(work),
    }
}

/// Prints the name of each cell, and the id of each published or kept case.
pub(super) fn list(args: &Args) -> anyhow::Result<Exit> {
    let work = work(args, &selection(args)?, &mut |_| ())?;
    let mut seen = BTreeSet::new();
    let mut text = String::new();
    for name in work.iter().map(name).filter(|name| seen.insert(name.clone())) {
        let _ = writeln!(text, "{name}");
    }
    crate::output::print(&text)?;
    Ok(Exit::Conforms)
}

/// Returns the name by which `--list` prints a piece and `--only` selects it: that of its cell, or else its own.
fn name(piece: &Work) -> String {
    piece.cell().map_or_else(|| piece.to_string(), ToString::to_string)
}

/// Keeps the pieces whose names are on the lines of a file.
fn only(work: Vec<Work>, path: &Path) -> anyhow::Result<Vec<Work>> {
    let fail = || format!("--only {}", path.display());
    let text = std::fs::read_to_string(path).with_context(fail)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut unknown: BTreeSet<&str> = lines.clone().collect();
    let wanted: BTreeSet<&str> = lines.collect();
    let kept: Vec<Work> = work.into_iter().filter(|piece| wanted.contains(name(piece).as_str())).collect();
    kept.iter().for_each(|piece| _ = unknown.remove(name(piece).as_str()));
    if unknown.is_empty() {
        return Ok(kept);
    }
    let named: Vec<&str> = unknown.iter().copied().take(MOST_UNKNOWN).collect();
    let more = unknown.len() - named.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let what = "are no cells or cases of this run's suites, operators and element types; --list prints those";
    bail!("{}: {}{more} {what}", fail(), named.join(", "))
}

pub(crate) fn suite_work(suite: &str, selection: &Selection) -> anyhow::Result<Vec<Work>> {
    Ok(match suite {
        "generated" => selection.cells().into_iter().map(|c| Work::Cell(c, None)).collect(),
        LARGE => selection.cells().into_iter().filter(Cell::has_large).map(Work::Large).collect(),
        mutated::SUITE => selection.cells().into_iter().map(Work::Mutated).collect(),
        graphs::SUITE => {
            let cells = selection.cells().into_iter().filter_map(Start::of_cell);
            cells.chain(Start::patterns().filter(|start| selection.takes_graph(start))).map(Work::Graphs).collect()
        }
        graphs::CANONICAL => {
            Start::canonical().filter(|start| selection.takes_graph(start)).map(Work::Graphs).collect()
        }
        directml::SUITE => {
            let cells = DirectMlCell::all().into_iter().filter(|cell| selection.takes_directml(cell));
            let of = |cell: DirectMlCell| {
                let broken = Violated::ALL.into_iter().map(Some);
                std::iter::once(None).chain(broken).map(move |rule| Work::DirectMl(cell, rule))
            };
            cells.flat_map(of).collect()
        }
        "negative" => {
            let negatives = |c: Cell| c.negatives().into_iter().map(move |l| Work::Cell(c.clone(), Some(l)));
            selection.cells().into_iter().flat_map(negatives).collect()
        }
        regressions::SUITE => {
            let cases = regressions::kept(&crate::places::regressions()?)?.into_iter().map(|kept| kept.case);
            let wanted = cases.filter(|case| selection.takes_case(case));
            wanted.map(|case| Work::Kept(Box::new(case), suite.to_owned())).collect()
        }
        _ => {
            let name: SuiteName = suite.parse().map_err(anyhow::Error::msg).with_context(|| {
                format!(
                    "--suite {suite}: the suites are generated, negative, regressions, large, graphs, canonical, directml, mutated and onnx:VERSION"
                )
            })?;
            let (dir, _) = crate::suite::at_hand(&name)?;
            let cases = suite_cases(suite, &dir)?;
            let wanted = |case: &SuiteCase| {
                !selection.names_operators() || case.operator().is_some_and(|id| selection.takes(&id))
            };
            cases.into_iter().filter(wanted).map(Work::Published).collect()
        }
    })
}

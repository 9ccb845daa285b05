//! What follows the results of a run: its summary, its report and the gate.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::Context;
use plumbline_backend::{Identity, Profile};
use plumbline_conformance::gate::{self, Decision, Gate};
use plumbline_conformance::{Minimization, Outcome, Settings, Subject, Work, quoted};
use plumbline_generator::Cell;
use plumbline_report::{BackendMeta, BackendStatus, Coverage, CoverageItem, ReportInput, Results, RunMeta};
use plumbline_spec::directml::Operator;
use plumbline_spec::{Doubles, Products, Unchecked};

use super::causes::Causes;
use super::totals::{less_accurate, slowest, table, time_in};
use super::{Args, folder, resume};
use crate::colour::{Colour, Paint};
use crate::exit::Exit;
use crate::output::counted;
use crate::places::program;

/// What the cases of a run are drawn for.
pub(super) struct Drawn {
    /// The cells.
    cells: Vec<Cell>,
    /// The operators of DirectML.
    operators: Vec<&'static Operator>,
}

impl Drawn {
    /// Returns what the valid cases of pieces of work are drawn for.
    pub(super) fn of_work(work: &[Work]) -> Drawn {
        let mut drawn = Drawn { cells: Vec::new(), operators: Vec::new() };
        for piece in work {
            match piece {
                Work::Cell(cell, None) => drawn.cells.push(cell.clone()),
                Work::DirectMl(cell, None) if !drawn.operators.contains(&cell.operator) => {
                    drawn.operators.push(cell.operator);
                }
                _ => {}
            }
        }
        drawn
    }
}

/// What the last line of the coverage counts.
const GOALS: &str = "goals of each cell (rules, options, optional inputs, empty extents, special values)";

/// Writes what follows the results: a summary on stdout, the report, and the gate's decision.
pub(super) fn finish(
    args: &Args,
    settings: &Settings,
    mut meta: RunMeta,
    subjects: &[Subject],
    drawn: &Drawn,
    outcome: &Outcome,
    took: Duration,
) -> anyhow::Result<Decision> {
    let paint = Paint::stdout();
    print!("{}", Causes { out: &settings.out, subjects, deadline: settings.deadline, paint }.text(&outcome.unexpected));
    for line in outcome.broken.iter().take(50) {
        println!("error of our own: {line}");
    }
    for line in outcome.missing.iter().take(50) {
        println!("no result: {line}");
    }
    for line in &outcome.exceeded {
        println!("exceeded: {line}");
    }
    for line in &outcome.stale {
        println!("stale: {line}");
    }
    if let Some(unreached) = &outcome.unreached {
        println!("not reached: {unreached}");
    }
    if outcome.not_minimized > 0 {
        let why = match settings.minimization {
            Minimization::Off => "minimization is off (--minimize)",
            _ if settings.interrupt.is_raised() => "the run was interrupted",
            _ => "the time for minimization was over (--minimize)",
        };
        println!("not minimized: {}, because {why}", counted(outcome.not_minimized, "failure"));
    }
    println!();
    print!("{}", table(outcome, paint));
    for (backend, count) in &outcome.unjudged {
        println!("not judged: {}", gate::unjudged(backend, *count));
    }
    for (backend, count) in &outcome.unchecked {
        println!("latitude: {backend} answers {}", plumbline_report::unchecked(*count));
    }
    less_accurate(outcome).iter().for_each(|line| println!("{line}"));
    if let Some(line) = slowest(outcome) {
        println!("{line}");
    }
    for subject in subjects.iter().filter(|subject| !subject.time().is_zero()) {
        println!("{}", time_in(&subject.identity.to_string(), subject.time(), took));
    }
    let backends: Vec<Identity> = subjects.iter().map(|subject| subject.identity.clone()).collect();
    meta.limits = gate::limits(&backends, outcome);
    let interrupted = outcome.unreached.as_ref().filter(|unreached| unreached.interrupted);
    meta.incomplete = interrupted.map(|unreached| format!("This run is incomplete: {unreached}."));
    let coverage = serde_json::to_string_pretty(&outcome.coverage).context("coverage")?;
    let path = settings.out.join("coverage.json");
    std::fs::write(&path, coverage + "\n").with_context(|| path.display().to_string())?;
    let mut unreached = Vec::new();
    let totals = outcome.coverage.totals(&drawn.cells, &drawn.operators, &mut unreached);
    for (what, reached, of) in totals.iter().filter(|(_, _, of)| *of > 0) {
        println!("coverage: reached {reached} of {of} {what}");
    }
    let goals = outcome.coverage.goals_of(&drawn.cells);
    if goals.of > 0 {
        println!("coverage: met {} of {} {GOALS}", goals.met, goals.of);
    }
    if args.coverage {
        unreached.iter().for_each(|line| println!("not reached: {line}"));
        goals.missing.iter().for_each(|line| println!("not met: {line}"));
    }
    let item = |(what, reached, of): &(&'static str, u64, u64)| CoverageItem {
        what: (*what).to_owned(),
        reached: *reached,
        of: *of,
    };
    let of_goals = [(GOALS, goals.met, goals.of)];
    let items = totals.iter().chain(&of_goals).filter(|(_, _, of)| *of > 0).map(item).collect();
    meta.coverage = Some(Coverage { items });
    folder::write_facts(&settings.out, &meta)?;
    let results = Results::Files(vec![settings.out.join("results.jsonl")]);
    let report = ReportInput { base: Default::default(), spec: plumbline_spec::Spec::embedded(), results, meta };
    report.write(&settings.out).context("the report cannot be written")?;
    println!("{} cases, {:.1} s; {}", outcome.cases, took.as_secs_f64(), settings.out.join("index.html").display());
    let gate = Gate { floor: args.floor.unwrap_or(1), stale: args.gate, coverage: args.coverage };
    // A shard cannot say what the whole run does not reach.
    let unreached = if settings.shard == (1, 1) { unreached.len() } else { 0 };
    let decision = gate.decide(outcome, unreached);
    let interrupted = outcome.unreached.as_ref().is_some_and(|unreached| unreached.interrupted);
    let (colour, said) = match (&decision, interrupted) {
        (Decision::Conforms, false) => (Colour::Green, decision.to_string()),
        (Decision::Conforms, true) => (Colour::Yellow, "what ran conforms; the rest did not run".to_owned()),
        _ => (Colour::Red, decision.to_string()),
    };
    println!("{}", paint.paint(colour, &said));
    next_steps(args, settings, subjects, outcome).iter().for_each(|line| println!("{line}"));
    Ok(decision)
}

/// Returns the exit code of a decision.
pub(super) fn exit(decision: &Decision) -> Exit {
    match decision {
        Decision::Conforms => Exit::Conforms,
        Decision::DoesNotConform { .. } => Exit::DoesNotConform,
        Decision::TooFewCases { .. } | Decision::NoResult { .. } => Exit::TooFewCases,
    }
}

/// Returns the command that goes on with a stopped run.
pub(super) fn resuming(settings: &Settings) -> String {
    format!("{} conformance --resume {}", program(), quoted(&settings.out.display().to_string()))
}

/// Says what to do after the run: go on with it if it was stopped, and write its failures down as known.
fn next_steps(args: &Args, settings: &Settings, subjects: &[Subject], outcome: &Outcome) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(unreached) = &outcome.unreached {
        let why = if unreached.interrupted { "interrupted" } else { "stopped" };
        lines.push(format!("{why}; `{}` goes on", resuming(settings)));
    }
    let causes = outcome.unexpected.causes();
    if let Some(cause) = causes.iter().find(|cause| cause.signature().is_some()) {
        let (action, file) = match args.expectations.first() {
            Some(file) if args.expectations.len() == 1 => ("update", quoted(&file.display().to_string())),
            _ => ("init", "known.toml".to_owned()),
        };
        let results = quoted(&settings.out.join("results.jsonl").display().to_string());
        let mut command = format!("{} expectations {action} {file} --results {results}", program());
        let names: BTreeSet<&str> = subjects.iter().map(|subject| subject.identity.name.as_str()).collect();
        let failed = subjects.iter().find(|subject| subject.identity.to_string() == cause.first.backend);
        if let (2.., Some(subject)) = (names.len(), failed) {
            command += &format!(" --backend {}", quoted(&subject.identity.name));
        }
        if settings.cases != Settings::default().cases {
            command += &format!(" --cases {}", settings.cases);
        }
        lines.push(format!("next: `{command}` writes the failures down as known"));
    }
    lines
}

/// Says what a profile declares, besides the accuracy of functions and the release of ONNX.
pub(super) fn notes(profile: &Profile) -> Vec<String> {
    let mut notes = Vec::new();
    if profile.flush_subnormals {
        notes.push("subnormals may be flushed to zero".to_owned());
    }
    if profile.low_precision_accumulation {
        notes.push("sums of 16-bit floats are kept at 16 bits".to_owned());
    }
    if profile.low_precision_products {
        notes.push("products of 16-bit floats are rounded to 16 bits".to_owned());
    }
    if profile.products != Products::Float {
        notes.push(format!("factors of products of float may be rounded to {}", profile.products.name()));
    }
    if profile.double == Doubles::Float {
        notes.push("double may be computed in float".to_owned());
    }
    if profile.unchecked.contains(&Unchecked::Models) {
        notes.push("invalid models are not always refused".to_owned());
    } else if profile.unchecked.contains(&Unchecked::Values) {
        notes.push("values at run time are not checked".to_owned());
    }
    notes
}

/// Returns the facts of the run that the report needs besides the results.
pub(super) fn meta(args: &Args, settings: &Settings, profile: &str, subjects: &[Subject]) -> RunMeta {
    let backend = |s: &Subject| {
        let mut notes = notes(&s.profile);
        notes.extend(s.profile.onnx.map(|release| format!("also judged by the texts of ONNX {release}")));
        notes.extend(s.profile.extra_ulp.iter().map(|(function, ulp)| format!("{function} may lose {ulp} ULP more")));
        BackendMeta {
            name: s.identity.name.clone(),
            version: Some(s.identity.version.clone()).filter(|v| !v.is_empty()),
            selector: Some(s.name.clone()),
            accuracy: Some(s.policy.accuracy().to_owned()),
            notes,
            status: BackendStatus::Ran,
            why: None,
        }
    };
    RunMeta {
        title: "Plumbline compatibility report".to_owned(),
        command: Some(resume::command(args)),
        seed: Some(settings.seed.to_string()),
        profile: Some(profile.to_owned()),
        started: None,
        shard: args.shard.map(|_| format!("{}/{}", settings.shard.0, settings.shard.1)),
        project_version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        backends: subjects.iter().map(backend).collect(),
        coverage: None,
        incomplete: None,
        unfinished: false,
        limits: vec![],
    }
}

//! What follows the results of a run: its summary, its report and the gate.

use std::time::Duration;

use anyhow::Context;
use plumbline_backend::Identity;
use plumbline_conformance::gate::{self, Decision, Gate};
use plumbline_conformance::{Outcome, Settings, Subject};
use plumbline_generator::Cell;
use plumbline_report::{BackendMeta, BackendStatus, Coverage, CoverageItem, ReportInput, Results, RunMeta};

use super::{Args, folder, resume};
use crate::exit::Exit;

/// Writes what follows the results: a summary on stdout, the report, and the gate's decision.
pub(super) fn finish(
    args: &Args,
    settings: &Settings,
    mut meta: RunMeta,
    backends: &[Identity],
    drawn: &[Cell],
    outcome: &Outcome,
    took: Duration,
) -> anyhow::Result<Exit> {
    for line in &outcome.unexpected {
        println!("{line}");
    }
    if outcome.unexpected_count > outcome.unexpected.len() as u64 {
        println!("... and {} more", outcome.unexpected_count - outcome.unexpected.len() as u64);
    }
    for line in outcome.broken.iter().take(50) {
        println!("error of our own: {line}");
    }
    for line in outcome.missing.iter().take(50) {
        println!("no result: {line}");
    }
    for line in &outcome.stale {
        println!("stale: {line}");
    }
    if let Some(unreached) = &outcome.unreached {
        println!("not reached: {unreached}");
    }
    if outcome.not_minimized > 0 {
        println!("{} failures were not minimized: the time for it was over (--minimize)", outcome.not_minimized);
    }
    println!();
    for (backend, counts) in &outcome.counts {
        let total: u64 = counts.values().sum();
        let counts: Vec<String> = counts.iter().map(|(verdict, n)| format!("{n} {verdict}")).collect();
        let known = outcome.expected.get(backend).copied().unwrap_or(0);
        println!("{backend}: {total} results: {}; {known} of them are known failures", counts.join(", "));
    }
    for (backend, count) in &outcome.unjudged {
        println!("not judged: {}", gate::unjudged(backend, *count));
    }
    meta.limits = gate::limits(backends, outcome);
    let interrupted = outcome.unreached.as_ref().filter(|unreached| unreached.interrupted);
    meta.incomplete = interrupted.map(|unreached| format!("This run was interrupted: {unreached}."));
    let coverage = serde_json::to_string_pretty(&outcome.coverage).context("coverage")?;
    let path = settings.out.join("coverage.json");
    std::fs::write(&path, coverage + "\n").with_context(|| path.display().to_string())?;
    let mut unreached = Vec::new();
    let totals = outcome.coverage.totals(drawn, &mut unreached);
    for (what, reached, of) in totals.iter().filter(|(_, _, of)| *of > 0) {
        println!("coverage: reached {reached} of {of} {what}");
    }
    if args.coverage {
        unreached.iter().for_each(|line| println!("not reached: {line}"));
    }
    let item = |(what, reached, of): &(&'static str, u64, u64)| CoverageItem {
        what: (*what).to_owned(),
        reached: *reached,
        of: *of,
    };
    meta.coverage = Some(Coverage { items: totals.iter().filter(|(_, _, of)| *of > 0).map(item).collect() });
    folder::write_facts(&settings.out, &meta)?;
    let results = Results::Files(vec![settings.out.join("results.jsonl")]);
    let report = ReportInput { spec: plumbline_spec::Spec::embedded(), results, meta };
    report.write(&settings.out).context("the report cannot be written")?;
    println!("{} cases, {:.1} s; {}", outcome.cases, took.as_secs_f64(), settings.out.join("index.html").display());
    let gate = Gate { floor: args.floor.unwrap_or(1), stale: args.gate, coverage: args.coverage };
    // A shard cannot say what the whole run does not reach.
    let unreached = if settings.shard == (1, 1) { unreached.len() } else { 0 };
    let decision = gate.decide(outcome, unreached);
    println!("{decision}");
    Ok(match decision {
        Decision::Conforms => Exit::Conforms,
        Decision::DoesNotConform { .. } => Exit::DoesNotConform,
        Decision::TooFewCases { .. } | Decision::NoResult { .. } => Exit::TooFewCases,
    })
}

/// Returns the facts of the run that the report needs besides the results.
pub(super) fn meta(args: &Args, settings: &Settings, profile: &str, subjects: &[Subject]) -> RunMeta {
    let backend = |s: &Subject| {
        let mut notes = Vec::new();
        if s.profile.flush_subnormals {
            notes.push("subnormals may be flushed to zero".to_owned());
        }
        if s.profile.low_precision_accumulation {
            notes.push("sums of 16-bit floats are kept at 16 bits".to_owned());
        }
        notes.extend(s.profile.extra_ulp.iter().map(|(function, ulp)| format!("{function} may lose {ulp} ULP more")));
        BackendMeta {
            name: s.identity.name.clone(),
            version: Some(s.identity.version.clone()).filter(|v| !v.is_empty()),
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
        project_version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        backends: subjects.iter().map(backend).collect(),
        coverage: None,
        incomplete: None,
        limits: vec![],
    }
}

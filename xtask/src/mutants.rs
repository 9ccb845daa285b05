//! `cargo xtask mutants`: tests whether cases and judge notice backends that are wrong on purpose.

use std::collections::BTreeMap;

use anyhow::Context;
use plumbline_conformance::mutants::{
    Fate, MutantKind, MutantReport, MutantResult, MutantSettings, MutantTable, Survivors, WreckedShare, run as run_all,
    run_directml, unnoticed_pairs,
};
use plumbline_conformance::{Selection, judge};
use plumbline_generator::profiles;
use plumbline_spec::directml::DirectMl;

use plumbline::exit::Exit;
use plumbline::progress::Shown;

use crate::workspace;

const EXAMPLES: &str = "\
Examples:
  cargo xtask mutants                                every operator, as many cases as the profile ci draws
  cargo xtask mutants --check                        the same, compared with reports/mutants/survivors.toml
  cargo xtask mutants --op Clip --op Softmax-13      some operators or versions
  cargo xtask mutants --op Conv --kind written       the mutants in generators/mutants/ only
  cargo xtask mutants --profile nightly --seed 7     try whether more cases kill the survivors
  cargo xtask mutants --directml                     mutants of DirectML's operators, derived from their meanings
  cargo xtask mutants --directml --check             the same, compared with reports/mutants/directml.toml

A mutant is a wrong backend for one operator version: it ignores an attribute, runs another version, rounds in another way.
It is killed if the judge fails one of its answers; it survives if its answers differ and none fails. A mutant that
computes in a narrower type is killed if seven in ten of its answers fail.
Exit codes: 0 success; 1 if the oracle or the judge is wrong, or with --check if results contradict
reports/mutants/survivors.toml or too few wrecked answers fail.";

/// The least percentages of wrecked answers that must fail: over all operators together, and for each operator. Every
/// element of a wrecked answer is replaced. Answers of which nothing is decided are not counted.
const WRECKED: (f64, f64) = (99.5, 95.0);

/// The largest percentage of an operator's wrecked answers of which nothing is decided.
const UNDECIDED: f64 = 10.0;

/// Runs backends that are wrong on purpose, and lists those that the judge does not notice.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// An operator or operator version: Min, Min-13, ai.onnx.ml.Scaler-1 [default: all]
    #[arg(long, value_name = "OP")]
    op: Vec<String>,
    /// A kind: attribute, input, element, version, rounding, precision, order, wrecked or written; with --directml
    /// also meaning or layout [default: all]
    #[arg(long, value_name = "KIND")]
    kind: Vec<MutantKind>,
    /// The profile: smoke, ci or nightly (generators/profiles.toml) [default: ci; with --directml, smoke]
    #[arg(long)]
    profile: Option<String>,
    /// The number of cases per cell [default: that of the profile]
    #[arg(long, value_name = "N")]
    cases_per_cell: Option<u64>,
    /// Run mutants of DirectML's operators on the cases of the suite directml
    #[arg(long)]
    directml: bool,
    /// The seed of all cases
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Compare the survivors with reports/mutants/survivors.toml or, with --directml, directml.toml
    #[arg(long, conflicts_with_all = ["kind", "profile", "cases_per_cell", "seed"])]
    check: bool,
}

/// Runs `cargo xtask mutants`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let table = MutantTable::load(&workspace().join("generators/mutants"))?;
    let survivors = if args.directml { "reports/mutants/directml.toml" } else { "reports/mutants/survivors.toml" };
    let known = Survivors::load(&workspace().join(survivors))?;
    let all = profiles().map_err(anyhow::Error::msg)?;
    let profile = args.profile.as_deref().unwrap_or(if args.directml { "smoke" } else { "ci" });
    let profile = all.get(profile).with_context(|| {
        let names: Vec<&str> = all.keys().map(String::as_str).collect();
        format!("--profile {profile}: there is no such profile; the profiles are {}", names.join(", "))
    })?;
    let operators = if args.directml { directml_operators(&args.op)? } else { args.op };
    let none: [&str; 0] = [];
    let selection = Selection::new(&operators, &none).map_err(anyhow::Error::msg)?;
    let settings = MutantSettings {
        seed: args.seed,
        cases: args.cases_per_cell.unwrap_or(profile.cases),
        selection,
        kinds: args.kind,
        table,
    };
    let written = settings.table.len();
    println!("seed {}, {} cases per cell, {written} mutants written by hand", settings.seed, settings.cases);
    let run = if args.directml { run_directml } else { run_all };
    let report = run(&settings, &judge, &Shown::new(None));
    print_survivors(&report, &known);
    print_scores(&report);
    print_wrong(&report, &known);
    let wrecked = print_wrecked(&report);
    print_pairs(&report);
    let mut exit = if report.broken.is_empty() { Exit::Conforms } else { Exit::DoesNotConform };
    for line in report.broken.iter().take(50) {
        println!("BROKEN {line}");
    }
    if args.check {
        let mut wrong = known.stale(&report.results, &settings.selection);
        wrong.extend(report.results.iter().filter(|r| is_listed(r) && known.knows(r).is_none()).map(line));
        wrong.extend(unchanged_rows(&report, &known));
        wrong.extend(wrecked);
        println!("\nnot explained by {survivors}: {}", wrong.len());
        wrong.iter().for_each(|line| println!("  {line}"));
        if !wrong.is_empty() {
            println!("Improve the recipe of each survivor so that a case catches it, or explain it in that file.");
            exit = Exit::DoesNotConform;
        }
    }
    Ok(exit)
}

/// Returns the full names of operators of DirectML.
fn directml_operators(names: &[String]) -> anyhow::Result<Vec<String>> {
    let name = |name: &String| Ok(DirectMl::embedded().find(name)?.name.clone());
    names.iter().map(name).collect()
}

/// Returns whether a mutant with this result needs an entry in `reports/mutants/survivors.toml`.
fn is_listed(result: &MutantResult) -> bool {
    let derived = result.kind != MutantKind::Written;
    result.fate == Fate::Survived || derived && result.fate == Fate::Unchanged && result.kind.has_to_change()
}

fn line(result: &MutantResult) -> String {
    let what = match result.fate {
        Fate::Unchanged => "changes nothing".to_owned(),
        _ if result.failed > 0 => format!("survives, {} of {} changed answers fail", result.failed, result.changed),
        _ => format!("survives, {} answers changed", result.changed),
    };
    let example = result.survived.as_ref().map(|(case, said)| format!("; {case}: {}", short(said))).unwrap_or_default();
    format!("{} {result}: {what}{example}", result.kind)
}

fn short(text: &str) -> String {
    text.lines().next().unwrap_or("").chars().take(160).collect()
}

/// Returns a line for each pair of a row of `generators/mutants` and an operator if no mutant of the pair changes an
/// answer in any version of the operator. There is no line if `reports/mutants/survivors.toml` lists such a mutant.
fn unchanged_rows(report: &MutantReport, known: &Survivors) -> Vec<String> {
    let mut rows: BTreeMap<(&str, usize, String), (String, bool)> = BTreeMap::new();
    for result in &report.results {
        if let Some((file, line)) = &result.place {
            let row = rows.entry((file, *line, result.version.qualified_name()));
            row.or_insert_with(|| (result.name.clone(), true)).1 &=
                result.fate == Fate::Unchanged && known.knows(result).is_none();
        }
    }
    let unchanged = rows.into_iter().filter(|(_, (_, unchanged))| *unchanged);
    unchanged.map(|((file, line, op), (name, _))| format!("{file}:{line}: {name} of {op} changes nothing")).collect()
}

fn print_survivors(report: &MutantReport, known: &Survivors) {
    for result in report.results.iter().filter(|r| is_listed(r)) {
        let word = match known.knows(result) {
            None => "",
            Some(false) => " (known)",
            Some(true) => " (known gap)",
        };
        println!("{}{word}", line(result));
    }
    unchanged_rows(report, known).iter().for_each(|line| println!("{line}"));
}

/// The numbers of killed, survived and unchanged mutants. `narrow` counts the mutants that only one case killed; it
/// leaves out wrecked mutants.
#[derive(Clone, Copy, Default)]
struct Score {
    killed: u64,
    survived: u64,
    unchanged: u64,
    narrow: u64,
}

impl Score {
    fn count(&mut self, result: &MutantResult) {
        match result.fate {
            Fate::Unchanged => self.unchanged += 1,
            Fate::Survived => self.survived += 1,
            _ => self.killed += 1,
        }
        self.narrow +=
            u64::from(result.fate == Fate::Killed && result.failed == 1 && result.kind != MutantKind::Wrecked);
    }

    fn line(&self, name: &str) -> String {
        let changed = self.killed + self.survived;
        let percent = if changed == 0 { 100.0 } else { 100.0 * self.killed as f64 / changed as f64 };
        format!(
            "{name:36} {changed:>7} {:>7} {:>8} {:>9} {:>8}  {percent:.1} %",
            self.killed, self.survived, self.unchanged, self.narrow
        )
    }
}

fn print_scores(report: &MutantReport) {
    let (mut operators, mut kinds, mut total) = (Vec::<(String, Score)>::new(), BTreeMap::new(), Score::default());
    for result in &report.results {
        let name = result.version.qualified_name();
        match operators.last_mut() {
            Some((last, score)) if *last == name => score.count(result),
            _ => {
                let mut score = Score::default();
                score.count(result);
                operators.push((name, score));
            }
        }
        kinds.entry(result.kind).or_insert_with(Score::default).count(result);
        total.count(result);
    }
    let head = format!(
        "{:36} {:>7} {:>7} {:>8} {:>9} {:>8}  killed",
        "", "changed", "killed", "survived", "unchanged", "by one"
    );
    println!("\n{head}");
    operators.iter().for_each(|(name, score)| println!("{}", score.line(name)));
    println!("\n{head}");
    kinds.iter().for_each(|(kind, score)| println!("{}", score.line(kind.name())));
    println!("{}", total.line(&format!("all, {} cases", report.cases)));
}

/// Prints which share of the wrong mutants is killed. Wrecked mutants do not count, nor do survivors that give correct
/// answers according to `reports/mutants/survivors.toml`. Unchanged mutants count only if that file lists them as gaps:
/// they should change an answer, but no case shows it.
fn print_wrong(report: &MutantReport, known: &Survivors) {
    let (mut killed, mut left, mut equivalent) = (0u64, 0u64, 0u64);
    for result in report.results.iter().filter(|result| result.kind != MutantKind::Wrecked) {
        match (result.fate, known.knows(result)) {
            (Fate::Survived, Some(false)) => equivalent += 1,
            (Fate::Survived, _) | (Fate::Unchanged, Some(true)) => left += 1,
            (Fate::Unchanged, _) => {}
            _ => killed += 1,
        }
    }
    let percent = 100.0 * killed as f64 / (killed + left).max(1) as f64;
    println!(
        "{equivalent} of the survivors give correct answers; of the {} wrong mutants, {percent:.2} % are killed",
        killed + left
    );
}

/// Prints the share of wrecked answers that fail. Returns a line for each share below the bounds.
fn print_wrecked(report: &MutantReport) -> Vec<String> {
    let percent = |share: &WreckedShare| 100.0 * share.failed as f64 / share.answers as f64;
    let mut wrong = Vec::new();
    let mut all = WreckedShare::default();
    for (operator, share) in report.wrecked.iter().filter(|(_, share)| share.answers > 0) {
        all.answers += share.answers;
        all.failed += share.failed;
        let undecided = 100.0 * share.undecided as f64 / (share.answers + share.undecided) as f64;
        if share.undecided > 0 {
            let words =
                format!("{operator}: any value is accepted for {} more answers, {undecided:.2} %", share.undecided);
            println!("{words}");
            if undecided > UNDECIDED {
                wrong.push(words);
            }
        }
        if share.failed < share.answers {
            let example = share.survived.as_ref().map(|(case, said)| format!("{case}: {}", short(said)));
            let words = format!(
                "{operator}: {:.2} % of {} wrecked answers fail; one that does not is {}",
                percent(share),
                share.answers,
                example.unwrap_or_default()
            );
            println!("{words}");
            if percent(share) < WRECKED.1 {
                wrong.push(words);
            }
        }
    }
    if all.answers > 0 {
        let words = format!("without random operators, {:.3} % of {} wrecked answers fail", percent(&all), all.answers);
        println!("{words}; beyond the bounds: {} operators", wrong.len());
        if percent(&all) < WRECKED.0 {
            wrong.push(words);
        }
    }
    wrong
}

fn print_pairs(report: &MutantReport) {
    let (unnoticed, count) = unnoticed_pairs(&workspace().join("reports/behaviour"), &report.results);
    if count > 0 {
        println!(
            "the judge distinguishes {} of {count} pairs of versions that answer differently",
            count - unnoticed.len()
        );
    }
    for pair in unnoticed {
        let fates: Vec<String> = pair.fates.iter().map(|(name, fate)| format!("{name}: {fate:?}")).collect();
        println!(
            "the judge does not distinguish {}-{} and -{}: {}",
            pair.operator,
            pair.from,
            pair.to,
            fates.join(", ")
        );
    }
}

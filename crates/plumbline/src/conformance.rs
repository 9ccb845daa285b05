//! `plumbline conformance`: generates cases, runs them on backends, and judges the answers.

mod annotations;
mod causes;
mod finish;
mod folder;
pub(crate) mod interrupt;
pub mod merge;
mod models;
mod pair;
pub(crate) mod pieces;
mod resume;
pub(crate) mod shard;
mod subjects;
mod totals;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use plumbline_conformance::{Expectations, Jobs, Minimization, Pack, Run, Settings, Subject, Work};
use plumbline_executor::ORACLE;
use plumbline_generator::{LARGE, profiles};
use plumbline_spec::directml::FeatureLevel;

use self::annotations::Annotations;
use self::causes::Causes;
use self::finish::{finish, meta};
use self::models::Models;
pub(crate) use self::pair::{OPTIONS, Pair, run_pair};
use self::shard::Shard;
use crate::colour::Paint;
use crate::config::{self, Accept, Config, Memory};
use crate::exit::{Exit, Failure};
use crate::output::counted;
use crate::places::{places, program};
use crate::progress::Shown;

const EXAMPLES: &str = "\
Examples:
  plumbline conformance                                     every operator on every available backend
  plumbline conformance --profile smoke                     the same, in minutes
  plumbline conformance --op Min --op Div-14 --backend rten
  plumbline conformance --dtype float16 --cases 100 --seed 7
  plumbline conformance --suite onnx:1.23.2 --backend reference
  plumbline conformance --suite mutated --backend cpu       cases changed at random, valid or not
  plumbline conformance --suite directml --backend directml-software   DirectML's own operators, by their descriptions
  plumbline conformance --suite graphs --backend onnxruntime --backend onnxruntime:optimization=none
                                                            graphs of several operators, with and without an optimizer
  plumbline conformance --model model.onnx --backend rten   the nodes and small subgraphs of a model
  plumbline conformance --backend directml-software --feature-level 5_0
  plumbline conformance --op Min --list                     the cells of an operator
  plumbline conformance --time 60s --shard 1/4
  plumbline conformance --time 10m --minimize off
  plumbline conformance --backend onnxruntime:ep=ggml --base results
                                                            marks the failures that another run has too
  plumbline conformance --backend rten --accept inaccurate  only wrong answers fail the run
  plumbline conformance --backend openvino --pack auto      cases share sessions, if these are slow
  plumbline conformance --resume results                    goes on where a run stopped or was killed

plumbline.toml in the current folder sets what no option says; `plumbline init` writes one.
Results: <out>/results.jsonl, summary.json, coverage.json, index.html, junit.xml, repro/<signature>/";

/// Generates cases, runs them on backends, judges the answers.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A backend: reference, cpu, directml-software, rten, onnxruntime, onnxruntime@1.23.2, onnxruntime:ep=ggml, process:CMD, ..., or one of plumbline.toml [default: those of plumbline.toml, or all available ones]
    #[arg(long, value_name = "NAME")]
    pub(crate) backend: Vec<String>,
    /// The feature level of DirectML's backends whose names have none (directml-software@5_0 has one): 1_0 to 6_4 [default: 6_4]
    #[arg(long, value_name = "L")]
    feature_level: Option<FeatureLevel>,
    /// An operator or operator version: Min, Min-13, ai.onnx.ml.Scaler-1
    #[arg(long, value_name = "OP")]
    op: Vec<String>,
    /// Run only the cells with this element type
    #[arg(long, value_name = "DTYPE")]
    dtype: Vec<String>,
    /// Run only what this file lists, one name on each line: cells, and cases of the suites regressions and onnx:VERSION
    #[arg(long, value_name = "FILE")]
    only: Option<PathBuf>,
    /// List the cells and cases that would run, in the format of --only, and start no backend
    #[arg(long)]
    list: bool,
    /// Run only the cases in this form: as-drawn, initializers, inputs-with-initializers, constant-weights, constant-nodes, symbolic-extents, function, defaults-given
    #[arg(long, value_name = "FORM")]
    form: Vec<String>,
    /// A suite: generated, negative, regressions, large, graphs, canonical, directml, mutated or onnx:VERSION [default: the first five, or the first four with --op, --dtype or --form]
    #[arg(long, value_name = "SUITE")]
    suite: Vec<String>,
    #[command(flatten)]
    models: Models,
    /// The profile: smoke, ci or nightly (generators/profiles.toml) [default: ci]
    #[arg(long)]
    profile: Option<String>,
    /// The number of cases per cell [default: that of the profile]
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// Draw cases for this time and end before it is over, report included: 60s, 10m, 2h [default: no limit]
    #[arg(long, value_parser = duration)]
    time: Option<Duration>,
    /// The share of the run's time in which failures are minimized, or off [default: 20%]
    #[arg(long, value_name = "SHARE", value_parser = minimization)]
    minimize: Option<Minimization>,
    /// Go on with the stopped or killed run of this folder, with its settings; --jobs, --time, --minimize, --gate and --floor may be given anew
    #[arg(long, value_name = "DIR")]
    resume: Option<PathBuf>,
    /// The longest time that a backend may take for one case [default: that of the profile]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    deadline_ms: Option<u64>,
    /// The memory that a process of a backend may use, such as 512MiB or 8GiB; or none for no limit (measured on Linux only) [default: 4GiB]
    #[arg(long, value_name = "SIZE")]
    memory: Option<Memory>,
    /// The seed of all cases [default: 0]
    #[arg(long)]
    seed: Option<u64>,
    /// Run only part I of N of the work; auto takes I and N from the environment (PLUMBLINE_SHARD, Slurm, GitLab), and auto/N takes only I (Kubernetes)
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// A file of known verdicts, instead of those in reports/expectations/
    #[arg(long, value_name = "FILE")]
    expectations: Vec<PathBuf>,
    /// The results of another run (results.jsonl, or its folder): failures that its first backend shows too are marked, and come after this backend's own
    #[arg(long = "base", value_name = "RUN")]
    base_run: Option<PathBuf>,
    /// Do not fail because of results of this kind; they count as known failures
    #[arg(long, value_name = "KIND", value_enum)]
    accept: Vec<Accept>,
    /// Also fail if an expectation matches no result any more
    #[arg(long)]
    gate: bool,
    /// Fail with exit code 4 if fewer cases than this are judged on any backend; unsupported cases do not count [default: 1]
    #[arg(long, value_name = "N")]
    floor: Option<u64>,
    /// The folder for the results
    #[arg(long, value_name = "DIR", default_value_os_t = places().results.clone())]
    out: PathBuf,
    /// List the cells, attributes and inputs that no case reached, and fail if there are any; also list goals of cells that no case met
    #[arg(long)]
    coverage: bool,
    /// The number of threads, each with a process of each backend: more than there are cores if the backend mostly waits; or auto, which measures how many processes of each backend pay [default: one per core]
    #[arg(long, value_name = "N")]
    jobs: Option<Jobs>,
    /// Give each backend up to N of its cases in one model, so that they share a session, which slow backends need; auto measures whether that helps; or off [default: off]
    #[arg(long, value_name = "N")]
    pack: Option<Pack>,
    /// Lines that a CI shows beside the job, one for each of the worst causes of failures; auto prints them in GitHub Actions
    #[arg(long, value_name = "WHICH", value_enum, default_value_t)]
    annotations: Annotations,
    /// The words of the command that `run.json` records, if they are not the arguments of this process: a resumed run
    /// keeps the command of the stopped run, and a comparison records the command that runs both backends
    #[arg(skip)]
    words: Option<Vec<String>>,
    /// The shards whose results are joined. If they are given, no case runs
    #[arg(skip)]
    merged: Option<merge::Shards>,
    /// Whether the run is for a comparison of its backends, which have to differ by name or version
    #[arg(skip)]
    is_pair: bool,
}

pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..split].parse().map_err(|_| format!("`{text}` is not a time such as 60s, 10m or 2h"))?;
    if number == 0 {
        return Err(format!("`{text}` is too short a time to run for; write a time such as 60s, 10m or 2h"));
    }
    let seconds = match &text[split..] {
        "" | "s" => Some(1),
        "m" => Some(60),
        "h" => Some(3600),
        _ => None,
    };
    let seconds = seconds.and_then(|seconds: u64| seconds.checked_mul(number));
    seconds.map(Duration::from_secs).ok_or_else(|| format!("`{text}` is not a time such as 60s, 10m or 2h"))
}

fn minimization(text: &str) -> Result<Minimization, String> {
    if text == "off" {
        return Ok(Minimization::Off);
    }
    let percent = text.strip_suffix('%').and_then(|number| number.parse::<f64>().ok());
    match percent {
        Some(percent) if (0.0..=90.0).contains(&percent) => Ok(Minimization::Share(percent / 100.0)),
        _ => Err(format!("`{text}` is neither a share from 0% to 90% nor off")),
    }
}

/// What a run says when Ctrl-C stops it.
const STOPPING: &str = "stopping: no further case starts; the report follows. Press Ctrl-C again to stop at once";

/// The profile of a run that names none.
const PROFILE: &str = "ci";

/// Takes from `plumbline.toml` the options that the command line leaves out.
fn configured(mut args: Args, config: &Config) -> anyhow::Result<Args> {
    fn or_else<T: Clone>(given: &mut Vec<T>, config: &[T]) {
        if given.is_empty() {
            given.extend_from_slice(config);
        }
    }
    /// Reads the text of a key as the option of the same name does.
    fn parsed<T>(key: &str, text: Option<&String>, parse: fn(&str) -> Result<T, String>) -> anyhow::Result<Option<T>> {
        let value = text.map(|text| parse(text)).transpose();
        value.map_err(|error| anyhow::anyhow!("{}: {key}: {error}", config::NAME))
    }
    or_else(&mut args.op, &config.operators);
    or_else(&mut args.dtype, &config.element_types);
    or_else(&mut args.form, &config.forms);
    if args.models.model.is_empty() {
        or_else(&mut args.suite, &config.suites);
    }
    or_else(&mut args.expectations, &config.expectations);
    or_else(&mut args.accept, &config.accept);
    args.profile = args.profile.or_else(|| config.profile.clone());
    args.cases = args.cases.or(config.cases);
    args.seed = args.seed.or(config.seed);
    args.time = args.time.or(parsed("time", config.time.as_ref(), duration)?);
    args.minimize = args.minimize.or(parsed("minimize", config.minimize.as_ref(), minimization)?);
    args.jobs = args.jobs.or(config.limits.jobs);
    args.floor = args.floor.or(config.floor);
    args.gate |= config.gate.unwrap_or(false);
    if let Some(out) = config.out.as_ref().filter(|_| args.out == places().results) {
        args.out = out.clone();
    }
    Ok(args)
}

/// Runs `plumbline conformance`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    if args.list {
        return pieces::list(&configured(args, &Config::in_folder(Path::new(""))?)?);
    }
    Ok(run_on_backends(args)?.exit)
}

/// What a run gives besides its files.
struct Ended {
    exit: Exit,
    /// The folder of the results.
    out: PathBuf,
    /// The names and versions of the backends, in the order in which they were named.
    backends: Vec<String>,
}

fn run_on_backends(args: Args) -> anyhow::Result<Ended> {
    let args = match &args.resume {
        Some(folder) => resume::arguments(folder, &args)?,
        None => args,
    };
    let config = Config::in_folder(Path::new(""))?;
    let args = configured(args, &config)?;
    let start = std::time::Instant::now();
    let stopped = args.annotations.stop_commands();
    let all = profiles().map_err(anyhow::Error::msg)?;
    let name = args.profile.as_deref().unwrap_or(PROFILE);
    let profile = all.get(name).with_context(|| {
        let known: Vec<&str> = all.keys().map(String::as_str).collect();
        format!("--profile {name}: there is no such profile; the profiles are {}", known.join(", "))
    })?;
    let selection = pieces::selection(&args)?;
    let shard = args.shard.map_or(Ok((1, 1)), |shard| shard.resolved(|name| std::env::var(name).ok()))?;
    let mut settings = Settings {
        seed: args.seed.unwrap_or(0),
        cases: args.cases.unwrap_or(profile.cases),
        graph_cases: Some(args.cases.map_or(profile.graph_cases, |cases| cases as f64)),
        large_cases: Some(match args.cases {
            // Large cases take long, so that they have to be asked for beside a number of other cases.
            Some(cases) if args.suite.iter().any(|suite| suite == LARGE) => cases as f64,
            Some(_) => 0.0,
            None => profile.large_cases,
        }),
        negative_cases: args.cases.map_or(profile.negative_cases, |c| c.min(profile.negative_cases)),
        excerpt_cases: args.cases.unwrap_or(models::CASES),
        time: args.time,
        deadline: Duration::from_millis(args.deadline_ms.or(config.limits.deadline_ms).unwrap_or(profile.deadline_ms)),
        jobs: match args.jobs {
            Some(Jobs::Count(jobs)) => jobs.max(1),
            Some(Jobs::Auto) | None => 0,
        },
        shard,
        selection: selection.clone(),
        out: args.out.clone(),
        resume: args.resume.is_some() || args.merged.is_some(),
        recorded: args.merged.is_some(),
        accepted: args.accept.iter().map(|&kind| kind.into()).collect(),
        minimization: args.minimize.unwrap_or(Settings::default().minimization),
        interrupt: interrupt::raised_by_signals(STOPPING)?,
        program: program().to_owned(),
        base: crate::report::base(args.base_run.as_deref())?,
        ..Settings::default()
    };
    println!("seed {}, profile {name}, {} per cell on average", settings.seed, counted(settings.cases, "case"));
    let published = pieces::suites(&args).iter().any(|s| s.starts_with("onnx:"));
    let (mut subjects, absent) = match &args.merged {
        Some(shards) => (shards.subjects(), vec![]),
        None => subjects::start(&args, &config, published)?,
    };
    if args.is_pair {
        pair::check(&subjects)?;
    }
    if subjects.is_empty() {
        let message = format!("no backend is available; `{} backends` says why", program());
        return Err(Failure::new(Exit::BackendStart, message).into());
    }
    let mut work = pieces::work(&args, &selection, &mut |line| println!("{line}"))?;
    work.retain(|piece| !matches!(piece, Work::Graphs(_) | Work::Large(_)) || settings.count_of(piece) > 0);
    if work.is_empty() {
        return Err(Failure::new(
            Exit::TooFewCases,
            "there is nothing to run: no case matches --op, --dtype, --suite, --model and --only",
        )
        .into());
    }
    subjects::settle_jobs(&mut subjects, &mut settings);
    let drawn = finish::Drawn::of_work(&work);
    let expectations = expectations(&args, &subjects)?;
    if args.gate {
        explained(&expectations)?;
    }
    // A run with a time limit takes what it is given, and one that counts recorded results takes no time.
    let plan = (settings.time.is_none() && !settings.recorded).then(|| crate::estimate::Plan::new(&settings, &work));
    let progress = Shown::new(plan);
    // The time limit includes the start of the backends.
    settings.time = settings.time.map(|time| time.saturating_sub(start.elapsed()));
    let run = Run { settings: &settings, subjects: &subjects, expectations: &expectations, progress: &progress };
    let clock = std::time::Instant::now();
    let mut meta = meta(&args, &settings, name, &subjects);
    meta.started = Some(chrono::Utc::now().format("%Y-%m-%d %H:%M UTC").to_string());
    meta.backends.extend(absent);
    if let Some(shards) = &args.merged {
        (meta.backends, meta.started) = (shards.backends.clone(), shards.started.clone());
    }
    if args.resume.is_none() {
        folder::clear(&settings.out)?;
    }
    folder::write_facts(&settings.out, &folder::unfinished(&meta))?;
    if let Some(shards) = &args.merged {
        plumbline_conformance::merge(&settings, &work, &shards.folders)?;
        shards.copy_repros(&settings.out)?;
    }
    let go_on = finish::resuming(&settings);
    let results = settings.out.join("results.jsonl");
    let early = || format!("the run ended early; its results so far are in {}; `{go_on}` goes on", results.display());
    let outcome = run.run(work).with_context(early)?;
    let decision = finish(&args, &settings, meta, &subjects, &drawn, &outcome, clock.elapsed())?;
    drop(stopped);
    let causes = Causes { out: &settings.out, subjects: &subjects, deadline: settings.deadline, paint: Paint::plain() };
    args.annotations.print(&causes, &outcome, &decision);
    let backends = subjects.iter().map(|subject| subject.identity.to_string()).collect();
    Ok(Ended { exit: finish::exit(&decision), out: settings.out, backends })
}

/// Refuses files with entries whose reason nobody has written yet.
fn explained(files: &[Expectations]) -> anyhow::Result<()> {
    for file in files {
        if let Some(line) = file.unexplained().first() {
            bail!("{}:{line}: the reason is still to be written; --gate needs one for each entry", file.path.display());
        }
    }
    Ok(())
}

fn expectations(args: &Args, subjects: &[Subject]) -> anyhow::Result<Vec<Expectations>> {
    if !args.expectations.is_empty() {
        return args.expectations.iter().map(|p| Ok(Expectations::load(p)?)).collect();
    }
    // Several versions of a backend share one file.
    let names: BTreeSet<&str> = subjects.iter().map(|s| s.identity.name.as_str()).collect();
    let mut known = Vec::new();
    for name in names {
        if let Some((path, text)) = crate::places::expectations(name)? {
            known.push(Expectations::parse(&path, &text)?);
        }
    }
    if let Some((path, text)) = crate::places::errata()? {
        let registry = crate::backends::registry(crate::backends::options());
        // Only independent backends can confirm an erratum. Our own kernels are not independent. tract can confirm one,
        // even if this program was built without tract.
        let ours = [ORACLE, "cpu", "directml-software"];
        let others: Vec<&str> = registry.names().chain(["tract"]).filter(|name| !ours.contains(name)).collect();
        known.push(Expectations::errata(&path, &text, &others)?);
    }
    Ok(known)
}

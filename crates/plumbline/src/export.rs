//! `plumbline export`: writes cases and everything that is accepted as their answers into a folder for other programs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, bail};
use plumbline_conformance::{
    Encoding, Export, ExportError, Exported, JUDGE, Selection, Settings, Work, graphs, regressions,
};
use plumbline_generator::{directml, profiles};

use crate::arithmetic;
use crate::conformance::{interrupt, pieces::suite_work, shard::Shard};
use crate::exit::{Exit, Failure};
use crate::progress::Shown;

const EXAMPLES: &str = "\
Examples:
  plumbline export --out corpus                             a few cases of every operator version and type
  plumbline export --out corpus --op Min --op Div-14 --cases 100
  plumbline export --out corpus --since 21 --suite generated
  plumbline export --out corpus --suite canonical           attention, normalizations, ... written out, for fused kernels
  plumbline export --out part2 --profile ci --shard 2/8     copy all parts into one folder to join them
  plumbline export --out content --suite directml           models of DxDispatch, for people who write drivers

  python corpus/judge.py corpus --runner my_runner.py       judges a runtime, without Plumbline
  python content/run.py --dxdispatch dxdispatch.exe         judges DirectML on Windows, without Plumbline

docs/corpus.md describes the files, and what a runner is; docs/directml-content.md those of the suite directml.";

/// Writes cases and everything that is accepted as their answers into a folder, for other test runners.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The folder for the corpus; if it exists, it must be empty
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// An operator or operator version: Min, Min-13, ai.onnx.ml.Scaler-1
    #[arg(long, value_name = "OP")]
    op: Vec<String>,
    /// Write only the cells with this element type
    #[arg(long, value_name = "DTYPE")]
    dtype: Vec<String>,
    /// Write only the cases in this form: as-drawn, initializers, inputs-with-initializers, constant-weights, constant-nodes, symbolic-extents, function, defaults-given
    #[arg(long, value_name = "FORM")]
    form: Vec<String>,
    /// Write only operator versions that came with this opset of their domain, or later
    #[arg(long, value_name = "OPSET")]
    since: Option<u32>,
    /// A suite: generated, negative, regressions, canonical, or directml, which cannot be with others [default: the first three]
    #[arg(long, value_name = "SUITE")]
    suite: Vec<String>,
    /// The profile that says how many cases there are: smoke, ci or nightly (generators/profiles.toml)
    #[arg(long, default_value = "smoke")]
    profile: String,
    /// The number of cases per cell [default: that of the profile]
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// The seed of all cases
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Leave out a case if its files together are larger than this, in bytes
    #[arg(long, value_name = "N", default_value_t = 16 << 20)]
    max_bytes: u64,
    /// The arithmetic of the runtimes to judge: a table of specs/functions.toml (opencl-full, cuda, ...), or a JSON file with a profile of the worker protocol [default: opencl-full]
    #[arg(long, value_name = "TABLE|FILE", alias = "accuracy")]
    arithmetic: Option<String>,
    /// Write only part I of N; auto takes I and N from the environment (PLUMBLINE_SHARD, Slurm, GitLab), and auto/N takes only I (Kubernetes)
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// The number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

/// The suites that a corpus may have. Graphs of several operators and operators of DirectML have to be named.
const SUITES: [&str; 5] = ["generated", "negative", regressions::SUITE, graphs::CANONICAL, directml::SUITE];

/// Runs `plumbline export`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let all = profiles().map_err(anyhow::Error::msg)?;
    let profile = all.get(&args.profile).with_context(|| {
        let known: Vec<&str> = all.keys().map(String::as_str).collect();
        format!("--profile {}: there is no such profile; the profiles are {}", args.profile, known.join(", "))
    })?;
    let selection = Selection::new(&args.op, &args.dtype).and_then(|selection| selection.in_forms(&args.form));
    let selection = selection.map_err(anyhow::Error::msg)?.since(args.since.unwrap_or(0));
    let suites: Vec<String> = match args.suite.as_slice() {
        [] => SUITES[..3].iter().map(|suite| (*suite).to_owned()).collect(),
        given => given.to_vec(),
    };
    if let Some(unknown) = suites.iter().find(|suite| !SUITES.contains(&suite.as_str())) {
        bail!("--suite {unknown}: a corpus has the suites {}", SUITES.join(", "));
    }
    let encoding = match suites.iter().filter(|suite| *suite == directml::SUITE).count() {
        0 => Encoding::Onnx,
        count if count == suites.len() => Encoding::DxDispatch,
        _ => bail!("--suite directml: these cases are models of DxDispatch, so they have a corpus of their own"),
    };
    let work: Vec<Vec<Work>> = suites.iter().map(|suite| suite_work(suite, &selection)).collect::<Result<_, _>>()?;
    let settings = Settings {
        seed: args.seed,
        cases: args.cases.unwrap_or(profile.cases),
        negative_cases: args.cases.map_or(profile.negative_cases, |cases| cases.min(profile.negative_cases)),
        jobs: args.jobs.map_or(0, |jobs| jobs.max(1)),
        shard: args.shard.map_or(Ok((1, 1)), |shard| shard.resolved(|name| std::env::var(name).ok()))?,
        selection,
        out: args.out.clone(),
        interrupt: interrupt::raised_by_signals("stopping: nothing is written. Press Ctrl-C again to stop at once")?,
        ..Settings::default()
    };
    let since = args.since.iter().map(u32::to_string).collect();
    let given = [("op", args.op), ("dtype", args.dtype), ("form", args.form), ("since", since)];
    let export = Export {
        settings: &settings,
        profile: &args.profile,
        suites: &suites,
        encoding,
        selection: BTreeMap::from(given),
        numerics: arithmetic::profile(args.arithmetic.as_deref())?.numerics(),
        max_bytes: args.max_bytes,
        version: env!("CARGO_PKG_VERSION"),
        progress: &Shown::without_results(),
    };
    let exported = export.run(work.into_iter().flatten().collect()).map_err(|error| match error {
        error @ ExportError::NoCase { .. } => anyhow::Error::new(Failure::new(Exit::TooFewCases, error.to_string())),
        error => error.into(),
    })?;
    Ok(say(&exported, &settings, encoding))
}

/// Prints what was written and what was left out, and returns the exit code.
fn say(exported: &Exported, settings: &Settings, encoding: Encoding) -> Exit {
    let Exported { cases, bytes, left_out, broken } = exported;
    let suites: Vec<String> = cases.iter().map(|(suite, count)| format!("{count} {suite}")).collect();
    let total: u64 = cases.values().sum();
    println!("{total} cases ({}), {:.1} MB", suites.join(", "), *bytes as f64 / 1e6);
    if !left_out.is_empty() {
        println!("{} of the cases are left out; the manifest lists them with the reasons", left_out.len());
    }
    broken.iter().for_each(|(id, reason)| println!("left out because of an error of Plumbline: {id}: {reason}"));
    let out = settings.out.display();
    match encoding {
        Encoding::Onnx => println!("judge a runtime with: python {out}/{} {out} --runner RUNNER.py", JUDGE.0),
        Encoding::DxDispatch => println!("judge DirectML with: python {out}/run.py --dxdispatch dxdispatch.exe"),
    }
    if broken.is_empty() { Exit::Conforms } else { Exit::DoesNotConform }
}

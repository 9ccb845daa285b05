//! `plumbline replay`: runs one case again and shows the answers of the oracle and of the backend.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use plumbline_conformance::regressions::{self, Kept};
use plumbline_conformance::suite::{CaseFolder, DataSet, SuiteName};
use plumbline_conformance::{
    Budget, Further, Other, PreparedCase, REPLAY_DEADLINE_MS, Right, Verdict, all_answers, case_of_model,
    examine_folder, examine_one, excerpts, graphs, mutated, right, short_answers, smaller, write_failure,
};
use plumbline_generator::{Case, directml};
use plumbline_oracle::{Operand, Oracle};
use plumbline_spec::directml::FeatureLevel;
use plumbline_tensor::Value;

use crate::colour::{Colour, Paint};
use crate::exit::Exit;
use crate::places;

const EXAMPLES: &str = "\
Examples:
  plumbline replay Min-13/T=float16/17@0 --backend onnxruntime
  plumbline replay plumbline-results/repro/Div-crash-1a2b3c4d --backend onnxruntime
  plumbline replay onnx:1.23.2/node/test_min_int8 --backend rten
  plumbline replay regressions/Div-int32-least-by-minus-one --backend rten
  plumbline replay onnx:1.23.2/node/test_min_int8 --backend rten --minimize smaller
  plumbline replay plumbline-results/repro/Div-crash-1a2b3c4d --backend onnxruntime \\
    --keep Div-int32-least-by-minus-one --reason \"SIGFPE in ONNX Runtime 1.31.1\"

--minimize looks for a smaller case that fails in the same way, for at most a minute: with fewer nodes, smaller extents,
fewer attributes and inputs, simpler elements. A model of many nodes often becomes the one node that is wrong.
A folder that the oracle refuses is a case that the backend has to refuse.
The first replay of a published case fetches its suite with pip: the wheel of that release of onnx. From a release that
has its cases as code, it also sets up a Python with that release, which writes them to files. Later replays fetch nothing.
Exit codes: 0 the verdict is pass, latitude or unsupported, 1 another verdict, 2 the case cannot be read, 3 the backend
cannot start";

/// A model is shown if its text has at most this many bytes.
const LONGEST_TEXT: usize = 8 << 10;

/// The limit of `--minimize`.
const MINIMIZATION: Budget = Budget { runs: 20_000, time: Duration::from_secs(60) };

/// Runs one case again and shows the answers of the oracle and of the backend.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The id of a generated, mutated, kept or published case or graph, or a folder with model.onnx (or only model.txt) and test_data_set_0
    case: String,
    /// The backend that runs the case; may be one of plumbline.toml
    #[arg(long, value_name = "NAME")]
    backend: String,
    /// The feature level of a DirectML backend, if its name has none (directml-software@5_0 has one) [default: 6_4]
    #[arg(long, value_name = "L")]
    feature_level: Option<FeatureLevel>,
    /// The longest time that the backend may take, in milliseconds [default: that of plumbline.toml, or 60000]
    #[arg(long, value_name = "N")]
    deadline_ms: Option<u64>,
    /// List all elements, not only the first ones and those that are wrong
    #[arg(long)]
    all: bool,
    /// If the case fails, look for a smaller case that fails in the same way, and write it into this folder
    #[arg(long, value_name = "DIR")]
    minimize: Option<PathBuf>,
    /// Keep the case permanently under this name, in generators/regressions/
    #[arg(long, value_name = "NAME", requires = "reason")]
    keep: Option<String>,
    /// The reason for keeping the case: which backend failed, and how
    #[arg(long, value_name = "TEXT", requires = "keep")]
    reason: Option<String>,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let Loaded { case, folder } = load_whole(&args.case)?;
    let subject = crate::backends::start_named(&args.backend, args.feature_level, args.deadline_ms)?;
    let deadline = Duration::from_millis(REPLAY_DEADLINE_MS);
    let (mut failure, prepared) = match folder {
        Some(sets) => {
            let prepare = |case: Case, right: &Right| {
                let mut prepared = PreparedCase::new(case, Some(right));
                let again = sets.further.iter().map(|set| Further {
                    other: Other::Values,
                    case: Case { inputs: set.inputs.clone(), ..prepared.case.clone() },
                });
                let again: Vec<Further> = again.collect();
                if !again.is_empty() {
                    prepared.further = again;
                }
                prepared
            };
            examine_folder(&subject, case, &sets.first.outputs, deadline, prepare).map_err(anyhow::Error::msg)?
        }
        None => {
            let right = right(&Oracle::new(subject.policy.clone()), &case).map_err(anyhow::Error::msg)?;
            let prepared = PreparedCase::new(case, Some(&right));
            (examine_one(&subject, &prepared, &right, deadline).failure, prepared)
        }
    };
    // The verdict on the refusal of an invalid case depends on the answer to its twin.
    if let (Some(twin), Verdict::Pass | Verdict::Unsupported) = (&prepared.twin, failure.judgement.verdict) {
        println!("twin     {}", twin.id);
    }
    if let (Some(name), Some(reason)) = (&args.keep, &args.reason) {
        let answer = match &failure.right {
            Right::Outputs { operands, .. } => operands.iter().map(Operand::to_value).collect(),
            Right::Refusal(violation) | Right::ByRelease { violation, .. } if violation.label.is_some() => vec![],
            Right::Refusal(_) | Right::ByRelease { .. } => {
                bail!("--keep: the case is invalid, but violates no named rule of its operator")
            }
            Right::Open { .. } => bail!("--keep: nothing says what the right answer of the case is"),
        };
        let kept = Kept::new(name, reason, failure.case.clone(), answer).map_err(anyhow::Error::msg)?;
        let folder = places::in_workspace("generators/regressions")?;
        kept.write(&folder)?;
        println!("kept     {}", folder.join(name).display());
    }
    if let Some(folder) = args.minimize.as_ref().filter(|_| failure.judgement.verdict.is_bad()) {
        if folder.exists() && !folder.join("case.json").is_file() {
            bail!("--minimize: {} exists and is not a folder of a failure", folder.display());
        }
        match smaller(&subject, &failure, deadline, MINIMIZATION, || false) {
            Some(found) => {
                write_failure(folder, &subject, &found, places::program())?;
                println!("smaller  {} instead of {}, in {}", size(&found.case), size(&failure.case), folder.display());
                failure = found;
            }
            None => println!("smaller  no smaller case was found that fails in the same way"),
        }
    }
    println!("backend  {}", subject.identity);
    let model = failure.case.model.to_string();
    if model.len() <= LONGEST_TEXT {
        print!("{model}\n");
    }
    let paint = Paint::stdout();
    print!(
        "{}",
        match args.all {
            true => all_answers(&failure),
            false => short_answers(&failure, |line| paint.paint(Colour::Red, line)),
        }
    );
    Ok(match failure.judgement.verdict {
        Verdict::Pass | Verdict::Latitude | Verdict::Unsupported => Exit::Conforms,
        _ => Exit::DoesNotConform,
    })
}

/// Says how large a case is: its nodes, and the elements of its inputs and initializers.
fn size(case: &Case) -> String {
    let graph = case.model.graph();
    let extents = |dims: &[i64]| dims.iter().map(|&extent| extent.max(0)).product::<i64>();
    let constants: i64 = graph.initializer.iter().map(|tensor| extents(&tensor.dims)).sum();
    let inputs: usize = case.inputs.iter().flat_map(Value::tensors).map(|tensor| tensor.len()).sum();
    let counted = |count: i64, name: &str| format!("{count} {name}{}", if count == 1 { "" } else { "s" });
    format!("{} with {}", counted(graph.node.len() as i64, "node"), counted(constants + inputs as i64, "element"))
}

/// Loads a case by its id, its name among the regressions, or its folder.
pub fn load(case: &str) -> anyhow::Result<Case> {
    Ok(load_whole(case)?.case)
}

/// A case, and the data sets of its folder. `folder` is `None` if the case was generated, mutated or kept.
struct Loaded {
    case: Case,
    folder: Option<Sets>,
}

/// The data sets of a folder.
struct Sets {
    first: DataSet,
    /// The other data sets, with which the same session runs again.
    further: Vec<DataSet>,
}

/// Returns the folder of a published case (`onnx:1.23.2/node/test_min_int8`); `None` for other names.
fn published(case: &str) -> anyhow::Result<Option<PathBuf>> {
    let Some((suite, name)) = case.split_once('/').filter(|(suite, _)| suite.starts_with("onnx:")) else {
        return Ok(None);
    };
    let suite: SuiteName = suite.parse().map_err(anyhow::Error::msg)?;
    let (folder, _) = crate::suite::at_hand(&suite)?;
    let found = plumbline_conformance::suite_cases(&suite.to_string(), &folder)?;
    let found = found.into_iter().find(|published| published.name == name);
    Ok(Some(found.with_context(|| format!("{suite} has no case `{name}`"))?.path))
}

/// Loads a case together with the data sets of its folder.
fn load_whole(case: &str) -> anyhow::Result<Loaded> {
    let kept = case.strip_prefix(regressions::SUITE).and_then(|rest| rest.strip_prefix('/'));
    let path = match (kept, published(case)?) {
        (Some(name), _) => places::regressions()?.join(name),
        (None, Some(path)) => path,
        (None, None) => Path::new(case).to_owned(),
    };
    if Kept::is_one(&path) {
        return Ok(Loaded { case: Kept::read(&path)?.case, folder: None });
    }
    if !path.is_dir() {
        let drawn = match case {
            id if mutated::is_id(id) => mutated::case_of(id),
            id if excerpts::is_id(id) => {
                bail!(
                    "`{id}` was cut out of a model, and its id does not say which file: replay its folder below repro/"
                )
            }
            id if graphs::is_id(id) => graphs::case_of(id),
            id if directml::is_id(id) => directml::DirectMlPlace::case_of(id),
            id => plumbline_generator::case_of(id),
        };
        let case = drawn.with_context(|| format!("`{case}` is neither a folder nor the id of a case"))?;
        return Ok(Loaded { case, folder: None });
    }
    let folder = CaseFolder::read(&path)?;
    let facts = std::fs::read_to_string(path.join("case.json")).ok();
    let facts: serde_json::Value = match facts {
        Some(text) => serde_json::from_str(&text).with_context(|| path.join("case.json").display().to_string())?,
        None => serde_json::Value::Null,
    };
    let violates = facts["violates"].as_str().map(|l| l.parse().map_err(anyhow::Error::msg)).transpose()?;
    let mut sets = folder.data_sets.into_iter();
    let first = sets.next().with_context(|| format!("{case} has no test_data_set_0"))?;
    let id = facts["case"].as_str().unwrap_or(&folder.name).to_owned();
    let case = case_of_model(id, folder.model, first.inputs.clone(), violates);
    Ok(Loaded { case, folder: Some(Sets { first, further: sets.collect() }) })
}

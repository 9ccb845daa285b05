//! `plumbline judge`: says whether the answer to a model is accepted, and which of its nodes is the first that is
//! wrong.

mod text;
mod watched;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::ValueEnum;
use plumbline_conformance::model::{
    Effort, Incomplete, JudgeError, Parting, Traced, Values, judge_backend, judge_watched, output_kinds, part, to_json,
};
use plumbline_conformance::suite::{read_inputs, read_outputs};
use plumbline_conformance::{REPLAY_DEADLINE_MS, Role, Verdict};
use plumbline_oracle::{Limit, Oracle, Stop};
use plumbline_spec::directml::FeatureLevel;
use plumbline_tensor::{Model, Value};

use crate::config::Memory;
use crate::conformance::{duration, interrupt};
use crate::exit::{Exit, Failure};
use crate::{arithmetic, backends, model_file, output};

const EXAMPLES: &str = "\
Examples:
  plumbline judge model.onnx test_data_set_0 test_data_set_0
                                   the outputs of a case as ONNX publishes it
  plumbline judge model.onnx inputs outputs --values values
                                   also each node, on the values that it really had
  plumbline judge model.onnx inputs outputs --format json
                                   the same for a program
  plumbline judge model.onnx inputs --backend onnxruntime
                                   runs the model, also with its intermediate values as outputs
  plumbline judge model.onnx inputs --backend onnxruntime@1.23.2 --against onnxruntime@1.31.1
                                   where the values of two backends first differ
  plumbline judge bert.onnx inputs --backend onnxruntime --memory 8GiB --time 30m --jobs 4
                                   a large model

The folder of --values holds NAME.pb for each intermediate value, with `/` in a name written as %2F, or else files that
its index.json lists.
docs/judge.md describes the files, what is accepted, and the JSON.

Exit codes: 0 accepted, 1 not accepted, 2 cannot be judged, or not all of it was, 3 a backend cannot start";

/// The time that the work may take if no option says it.
const TIME: Duration = Duration::from_secs(600);

/// What the first Ctrl-C says.
const STOPPING: &str = "stopping: what was judged so far is reported. Press Ctrl-C again to stop at once";

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// Says whether the answer to a model is accepted, and which node is the first that is wrong.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The model: an .onnx file, or a .txt file in ONNX's text syntax
    model: PathBuf,
    /// The folder with input_0.pb, input_1.pb, ... in the order of the graph
    inputs: PathBuf,
    /// The folder with output_0.pb, output_1.pb, ...; it may be that of the inputs
    outputs: Option<PathBuf>,
    /// A folder with intermediate values of the model, computed in the same run as the outputs
    #[arg(long, value_name = "DIR", requires = "outputs")]
    values: Option<PathBuf>,
    /// A backend that runs the model, instead of OUTPUTS
    #[arg(long, value_name = "NAME", conflicts_with_all = ["outputs", "values"])]
    backend: Option<String>,
    /// A second backend, to say where its values first differ from those of --backend
    #[arg(long, value_name = "NAME", requires = "backend")]
    against: Option<String>,
    /// The arithmetic that the implementation declares: a table of specs/functions.toml (opencl-full, cuda, ...), or a
    /// JSON file with a profile of the worker protocol [default: opencl-full]
    #[arg(long, value_name = "TABLE|FILE", conflicts_with = "backend")]
    arithmetic: Option<String>,
    /// The feature level of a DirectML backend, if its name has none (directml-software@5_0 has one) [default: 6_4]
    #[arg(long, value_name = "L", requires = "backend")]
    feature_level: Option<FeatureLevel>,
    /// The longest time that a backend may take for a run, in milliseconds [default: that of plumbline.toml, or 60000]
    #[arg(long, value_name = "N", requires = "backend")]
    deadline_ms: Option<u64>,
    /// The memory for the values that are needed at the same time, with what is accepted in their place, such as 512MiB or 8GiB; or none for no limit. The model and the backend come on top [default: 3GiB]
    #[arg(long, value_name = "SIZE")]
    memory: Option<Memory>,
    /// End after this time, and say what was judged until then: 60s, 10m, 2h [default: 10m]
    #[arg(long, value_parser = duration)]
    time: Option<Duration>,
    /// The number of nodes that are judged at the same time [default: one for each core]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// The form of the output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// Runs `plumbline judge`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let model = model_file::read(&args.model)?;
    let inputs = read_inputs(&args.model, &model, &args.inputs)?;
    let end = Instant::now().checked_add(args.time.unwrap_or(TIME));
    let stop = end.map_or_else(Stop::default, |end| Stop::default().at(end));
    let raised = stop.clone();
    interrupt::on_first_signal(STOPPING, move || raised.raise())?;
    let watched = watched::Watched::new();
    let memory_bytes = match args.memory {
        None => Effort::default().memory_bytes,
        Some(Memory::Bytes(bytes)) => bytes,
        Some(Memory::Unlimited) => u64::MAX,
    };
    let keeps_values = args.against.is_some();
    let effort = Effort { memory_bytes, jobs: args.jobs, stop, keeps_values, watch: &watched };
    let judged = match (&args.backend, &args.outputs) {
        (Some(backend), _) => judge_backends(&args, backend, &model, &inputs, &effort),
        (None, Some(outputs)) => judge_files(&args, &model, &inputs, outputs, &effort),
        (None, None) => bail!("give the folder with the answer as OUTPUTS, or choose a backend with --backend"),
    };
    watched.finish();
    let judged = judged.map_err(with_option)?;
    match args.format {
        Format::Text => output::print(&judged.text)?,
        Format::Json => print_json(&judged.json)?,
    }
    judged.exit
}

/// The result of the command.
struct Judged {
    text: String,
    json: serde_json::Value,
    exit: anyhow::Result<Exit>,
}

/// Returns the error of a judgement that is not complete.
fn unfinished(incomplete: Incomplete) -> anyhow::Error {
    let Incomplete { judged, nodes } = incomplete;
    let message =
        format!("only {judged} of {nodes} nodes were judged before the work ended; --time gives it more time");
    Failure::new(Exit::Usage, message).into()
}

/// Adds the option that gives the oracle more memory to the error of a model for which it does not have enough.
fn with_option(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref() {
        Some(JudgeError::Limit { limit: Limit::Elements | Limit::TensorElements, .. }) => {
            Failure::new(Exit::Usage, format!("{error}; --memory sets how much memory there is")).into()
        }
        _ => error,
    }
}

fn judge_files(
    args: &Args,
    model: &Model,
    inputs: &[Value],
    outputs: &Path,
    effort: &Effort,
) -> anyhow::Result<Judged> {
    let oracle = effort.limit(Oracle::new(arithmetic::policy(args.arithmetic.as_deref())?));
    let outputs = read_outputs(outputs, &output_kinds(&oracle, model, inputs)?)?;
    let values = args.values.as_deref().map(Values::read).transpose()?.unwrap_or_default();
    let judgement = judge_watched(&oracle, model, inputs, &outputs, &values, effort)?;
    let exit = match judgement.incomplete {
        _ if judgement.verdict == Verdict::Fail => Ok(Exit::DoesNotConform),
        Some(incomplete) => Err(unfinished(incomplete)),
        None => Ok(if judgement.is_accepted() { Exit::Conforms } else { Exit::DoesNotConform }),
    };
    Ok(Judged { text: text::judgement(&judgement), json: to_json(&judgement), exit })
}

fn judge_backends(
    args: &Args,
    backend: &str,
    model: &Model,
    inputs: &[Value],
    effort: &Effort,
) -> anyhow::Result<Judged> {
    let deadline = Duration::from_millis(REPLAY_DEADLINE_MS);
    let traced = |name: &str| -> anyhow::Result<Traced> {
        let subject = backends::start_named(name, args.feature_level, args.deadline_ms)?;
        if subject.role == Role::Oracle {
            // The oracle does not round between nodes, so its nodes cannot be judged one by one.
            bail!("`{name}` is the judge itself; name a backend, such as `cpu` or `onnxruntime`");
        }
        judge_backend(&subject, model, inputs, deadline, effort).map_err(|error: JudgeError| error.into())
    };
    let first = traced(backend)?;
    let second = args.against.as_deref().map(traced).transpose()?;
    let parting = second.as_ref().map(|second| part(model, &first.values, &second.values));
    let text = backends_as_text(&first, second.as_ref(), parting.as_ref());
    let mut json = first.to_json();
    if let Some(second) = &second {
        json["against"] = second.to_json();
        json["parting"] = parting.flatten().map_or(serde_json::Value::Null, |parting| parting.to_json());
    }
    let all: Vec<&Traced> = [Some(&first), second.as_ref()].into_iter().flatten().collect();
    Ok(Judged { text, json, exit: exit_of(&all) })
}

fn exit_of(all: &[&Traced]) -> anyhow::Result<Exit> {
    // A wrong answer is a finding, even if the other backend gave no answer.
    let unjudged = |traced: &&&Traced| !traced.judgement.verdict.is_judged();
    if all.iter().any(|traced| !traced.is_accepted() && !unjudged(&traced)) {
        return Ok(Exit::DoesNotConform);
    }
    if let Some(incomplete) = all.iter().find_map(|traced| traced.judgement.incomplete) {
        return Err(unfinished(incomplete));
    }
    if let Some(traced) = all.iter().find(unjudged) {
        let detail = traced.judgement.detail.as_deref().unwrap_or("it gave no answer");
        let message = format!("{} cannot be judged: {detail}", traced.backend);
        return Err(Failure::new(Exit::Usage, message).into());
    }
    Ok(Exit::Conforms)
}

fn backends_as_text(first: &Traced, second: Option<&Traced>, parting: Option<&Option<Parting>>) -> String {
    let mut printed = text::traced(first);
    if let Some(second) = second {
        printed += "\n";
        printed += &text::traced(second);
    }
    if let (Some(second), Some(parting)) = (second, parting) {
        printed += "\n";
        printed += &text::parting(first, second, parting.as_ref());
    }
    printed
}

fn print_json(json: &serde_json::Value) -> anyhow::Result<()> {
    output::print(&format!("{}\n", serde_json::to_string_pretty(json)?))
}

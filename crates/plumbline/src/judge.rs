//! `plumbline judge`: says whether the answer to a model is accepted, and which of its nodes is the first that is
//! wrong.

mod text;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::ValueEnum;
use plumbline_conformance::model::{
    JudgeError, Parting, Traced, Values, judge_backend, judge_with_values, output_kinds, part, to_json,
};
use plumbline_conformance::suite::{read_inputs, read_outputs};
use plumbline_conformance::{REPLAY_DEADLINE_MS, Role};
use plumbline_oracle::Oracle;
use plumbline_spec::directml::FeatureLevel;
use plumbline_tensor::{Model, SyntaxError, Value, load_model};

use crate::exit::{Exit, Failure};
use crate::{arithmetic, backends, output};

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

The folder of --values holds NAME.pb for each intermediate value, with `/` in a name written as %2F, or else files that
its index.json lists.
docs/judge.md describes the files, what is accepted, and the JSON.

Exit codes: 0 accepted, 1 not accepted, 2 cannot be judged, 3 a backend cannot start";

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
    /// The form of the output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// Runs `plumbline judge`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let model = read_model(&args.model)?;
    let inputs = read_inputs(&args.model, &model, &args.inputs)?;
    match (&args.backend, &args.outputs) {
        (Some(backend), _) => judge_backends(&args, backend, &model, &inputs),
        (None, Some(outputs)) => judge_files(&args, &model, &inputs, outputs),
        (None, None) => bail!("give the folder with the answer as OUTPUTS, or choose a backend with --backend"),
    }
}

fn judge_files(args: &Args, model: &Model, inputs: &[Value], outputs: &Path) -> anyhow::Result<Exit> {
    let oracle = Oracle::new(arithmetic::policy(args.arithmetic.as_deref())?);
    let outputs = read_outputs(outputs, &output_kinds(&oracle, model, inputs)?)?;
    let values = args.values.as_deref().map(Values::read).transpose()?.unwrap_or_default();
    let judgement = judge_with_values(&oracle, model, inputs, &outputs, &values)?;
    match args.format {
        Format::Text => output::print(&text::judgement(&judgement))?,
        Format::Json => print_json(&to_json(&judgement))?,
    }
    Ok(if judgement.is_accepted() { Exit::Conforms } else { Exit::DoesNotConform })
}

fn judge_backends(args: &Args, backend: &str, model: &Model, inputs: &[Value]) -> anyhow::Result<Exit> {
    let deadline = Duration::from_millis(REPLAY_DEADLINE_MS);
    let traced = |name: &str| -> anyhow::Result<Traced> {
        let subject = backends::start_named(name, args.feature_level, args.deadline_ms)?;
        if subject.role == Role::Oracle {
            // The oracle does not round between nodes, so its nodes cannot be judged one by one.
            bail!("`{name}` is the judge itself; name a backend, such as `cpu` or `onnxruntime`");
        }
        judge_backend(&subject, model, inputs, deadline).map_err(|error: JudgeError| error.into())
    };
    let first = traced(backend)?;
    let second = args.against.as_deref().map(traced).transpose()?;
    let parting = second.as_ref().map(|second| part(model, &first.values, &second.values));
    match args.format {
        Format::Text => output::print(&backends_as_text(&first, second.as_ref(), parting.as_ref()))?,
        Format::Json => {
            let mut json = first.to_json();
            if let Some(second) = &second {
                json["against"] = second.to_json();
                json["parting"] = parting.flatten().map_or(serde_json::Value::Null, |parting| parting.to_json());
            }
            print_json(&json)?;
        }
    }
    let all: Vec<&Traced> = [Some(&first), second.as_ref()].into_iter().flatten().collect();
    // A wrong answer is a finding, even if the other backend gave no answer.
    let unjudged = |traced: &&&Traced| !traced.judgement.verdict.is_judged();
    if all.iter().any(|traced| !traced.is_accepted() && !unjudged(&traced)) {
        return Ok(Exit::DoesNotConform);
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

/// Reads a model from a `.txt` file in ONNX's text syntax, or from an `.onnx` file.
pub(crate) fn read_model(path: &Path) -> anyhow::Result<Model> {
    if path.extension().is_some_and(|extension| extension == "txt") {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        return text.parse().map_err(|error: SyntaxError| anyhow::anyhow!("{}: {error}", path.display()));
    }
    Ok(load_model(path)?)
}

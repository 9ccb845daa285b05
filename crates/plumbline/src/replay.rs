//! `plumbline replay`: runs one case again and shows both answers.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use plumbline_conformance::regressions::{self, Kept};
use plumbline_conformance::suite::{CaseFolder, DataSet};
use plumbline_conformance::{
    Finding, Further, Other, Prepared, Right, Verdict, answers, case_of_model, examine_one, right,
};
use plumbline_generator::Case;
use plumbline_oracle::{Operand, Reference};
use plumbline_spec::directml::FeatureLevel;

use crate::exit::{Exit, Failure};
use crate::places;

const EXAMPLES: &str = "\
Examples:
  plumbline replay Min-13/T=float16/17@0 --backend onnxruntime
  plumbline replay plumbline-results/repro/Div-crash-1a2b3c4d --backend onnxruntime
  plumbline replay onnx-1.23.2/node/test_min_int8 --backend rten
  plumbline replay regressions/Div-int32-least-by-minus-one --backend rten
  plumbline replay plumbline-results/repro/Div-crash-1a2b3c4d --backend onnxruntime \\
    --keep Div-int32-least-by-minus-one --reason \"SIGFPE in ONNX Runtime 1.31.1\"";

/// The length in bytes of the longest text of a model that is shown.
const LONGEST_TEXT: usize = 8 << 10;

/// Runs one case again and shows both answers.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The id of a generated or kept case, or a folder with model.onnx (or only model.txt) and test_data_set_0
    case: String,
    /// The backend that runs the case
    #[arg(long, value_name = "NAME")]
    backend: String,
    /// The feature level of a DirectML backend that is named without one (directml-software@5_0) [default: 6_4]
    #[arg(long, value_name = "L")]
    feature_level: Option<FeatureLevel>,
    /// The longest time that the backend may take, in milliseconds
    #[arg(long, default_value_t = 60_000)]
    deadline_ms: u64,
    /// Keep the case permanently under this name, in generators/regressions/
    #[arg(long, value_name = "NAME", requires = "reason")]
    keep: Option<String>,
    /// The reason for keeping the case: which backend failed, and how
    #[arg(long, value_name = "TEXT", requires = "keep")]
    reason: Option<String>,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let (case, sets) = load_with_sets(&args.case)?;
    let registry = Arc::new(crate::backends::registry(crate::backends::options()));
    registry.knows(&args.backend)?;
    let subject = crate::backends::start(&registry, &args.backend, args.feature_level)
        .map_err(|reason| Failure::new(Exit::BackendStart, reason))?;
    let right = right(&Reference::new(subject.policy.clone()), &case).map_err(anyhow::Error::msg)?;
    let mut prepared = Prepared::new(case, Some(&right));
    if !sets.is_empty() {
        let again =
            |set: DataSet| Further { other: Other::Values, case: Case { inputs: set.inputs, ..prepared.case.clone() } };
        prepared.further = sets.into_iter().map(again).collect();
    }
    let Finding { failure, .. } = examine_one(&subject, &prepared, &right, Duration::from_millis(args.deadline_ms));
    // A refusal of an invalid case is compared with the answer to the valid case next to it.
    if let (Some(twin), Verdict::Pass | Verdict::Unsupported) = (&prepared.twin, failure.judgement.verdict) {
        println!("twin     {}", twin.id);
    }
    if let (Some(name), Some(reason)) = (&args.keep, &args.reason) {
        let answer = match &failure.right {
            Right::Outputs { operands, .. } => operands.iter().map(Operand::to_value).collect(),
            Right::Refusal(_) => vec![],
        };
        let kept = Kept::new(name, reason, failure.case.clone(), answer).map_err(anyhow::Error::msg)?;
        let folder = places::in_workspace("generators/regressions")?;
        kept.write(&folder)?;
        println!("kept     {}", folder.join(name).display());
    }
    println!("backend  {}", subject.identity);
    let model = failure.case.model.to_string();
    if model.len() <= LONGEST_TEXT {
        print!("{model}\n");
    }
    print!("{}", answers(&failure));
    Ok(match failure.judgement.verdict {
        Verdict::Pass | Verdict::Latitude | Verdict::Unsupported => Exit::Conforms,
        _ => Exit::DoesNotConform,
    })
}

/// Loads a case by its id, its name among the regressions, or its folder.
pub fn load(case: &str) -> anyhow::Result<Case> {
    Ok(load_with_sets(case)?.0)
}

/// Loads a case together with the further data sets of its folder, with which the session runs again.
fn load_with_sets(case: &str) -> anyhow::Result<(Case, Vec<DataSet>)> {
    let kept = case.strip_prefix(regressions::SUITE).and_then(|rest| rest.strip_prefix('/'));
    let path = match kept {
        Some(name) => places::regressions()?.join(name),
        None => Path::new(case).to_owned(),
    };
    if Kept::is_one(&path) {
        return Ok((Kept::read(&path)?.case, vec![]));
    }
    if !path.is_dir() {
        let drawn = plumbline_generator::case_of(case);
        return Ok((drawn.with_context(|| format!("`{case}` is neither a folder nor the id of a case"))?, vec![]));
    }
    let folder = CaseFolder::read(&path)?;
    let facts = std::fs::read_to_string(path.join("case.json")).ok();
    let facts: serde_json::Value = match facts {
        Some(text) => serde_json::from_str(&text).with_context(|| path.join("case.json").display().to_string())?,
        None => serde_json::Value::Null,
    };
    let violates = facts["violates"].as_str().map(|l| l.parse().map_err(anyhow::Error::msg)).transpose()?;
    let set = folder.data_sets.first().with_context(|| format!("{case} has no test_data_set_0"))?;
    let id = facts["case"].as_str().unwrap_or(&folder.name).to_owned();
    let case = case_of_model(id, folder.model, set.inputs.clone(), violates);
    Ok((case, folder.data_sets.into_iter().skip(1).collect()))
}

//! `plumbline directml check`: checks what DirectML would reject in a model of DxDispatch.

use crate::exit::Exit;
use crate::spec::Format;
use anyhow::Context;
use plumbline_directml::dxdispatch::{Checked, Finding, check};
use plumbline_spec::directml::FeatureLevel;
use serde_json::{Value, json};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  plumbline directml check model.json                      at feature level 6_4
  plumbline directml check model.json --feature-level 2_1  at an older one
  plumbline directml check model.json --format json        for programs

A model, as DxDispatch reads it:
  { \"resources\": { \"A\": { \"initialValuesDataType\": \"FLOAT32\", \"initialValues\": [1, 2, 3] },
                   \"Y\": { \"initialValuesDataType\": \"FLOAT32\", \"initialValues\": { \"valueCount\": 3, \"value\": 0 } } },
    \"dispatchables\": { \"abs\": { \"type\": \"DML_OPERATOR_ELEMENT_WISE_ABS\", \"desc\": {
        \"InputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [3] },
        \"OutputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [3] } } } },
    \"commands\": [ { \"type\": \"dispatch\", \"dispatchable\": \"abs\",
        \"bindings\": { \"InputTensor\": \"A\", \"OutputTensor\": \"Y\" } } ] }

Exit codes: 0 DirectML would accept the model; 1 DirectML would reject a part of it; 2 the file cannot be read.";

/// Arguments of `plumbline directml check`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The model.
    file: PathBuf,
    /// The feature level of the device: 1_0 to 6_4.
    #[arg(long, value_name = "L", default_value_t = FeatureLevel::LAST)]
    feature_level: FeatureLevel,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Runs `plumbline directml check`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let file = args.file.display();
    let text = std::fs::read_to_string(&args.file).with_context(|| format!("cannot read {file}"))?;
    let model: Value = serde_json::from_str(&text)
        .with_context(|| format!("{file} is not JSON (which has no comments and no commas at the end of lists)"))?;
    let checked = check(&model, args.feature_level);
    match args.format {
        Format::Json => print!("{:#}\n", as_json(&checked, args.feature_level)),
        Format::Text => {
            for finding in &checked.findings {
                println!("{file}: {finding}");
            }
            for name in &checked.left_alone {
                println!("{file}: $.dispatchables.{name}: is not an operator of DirectML, so it is not checked");
            }
            println!(
                "{file}: {} operators and {} dispatches checked at feature level {}: {}",
                checked.operators.len(),
                checked.dispatches,
                args.feature_level,
                match checked.findings.len() {
                    0 => "no errors".to_owned(),
                    count => format!("{count} errors"),
                }
            );
        }
    }
    // A file that cannot be read as a model is wrong data; a model that DirectML rejects does not conform.
    Ok(match &checked.findings {
        findings if findings.iter().any(|finding| finding.violation.is_none()) => Exit::Usage,
        findings if findings.is_empty() => Exit::Conforms,
        _ => Exit::DoesNotConform,
    })
}

fn as_json(checked: &Checked, level: FeatureLevel) -> Value {
    let finding = |finding: &Finding| {
        let violation = finding.violation.as_ref();
        json!({
            "path": finding.path,
            "message": finding.message,
            "rule": violation.map(|violation| format!("{:?}", violation.rule)),
            "operator": violation.map(|violation| &violation.operator),
            "field": violation.map(|violation| &violation.field),
            "found": violation.map(|violation| &violation.found),
            "allowed": violation.map(|violation| &violation.allowed),
            "available_from": violation.and_then(|violation| violation.available_from).map(|level| level.to_string()),
        })
    };
    json!({
        "feature_level": level.to_string(),
        "operators": checked.operators.iter().map(|(name, found)| json!({"name": name, "operator": found.name()})).collect::<Vec<_>>(),
        "left_alone": checked.left_alone,
        "dispatches": checked.dispatches,
        "findings": checked.findings.iter().map(finding).collect::<Vec<_>>(),
    })
}

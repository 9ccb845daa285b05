//! Measures `plumbline judge` on models of real size: three with random weights, which it makes, and five of other people,
//! which pip downloads. Everything is kept in `target/judge/`.
//!
//! Each model runs on a backend in a process of the command, as users start it. The figures are the time, the time of all
//! processors, the largest memory of the command and of the backend's process, and what the judgement says.
//!
//! ```text
//! cargo bench -p plumbline --bench judge                              all models, on onnxruntime
//! cargo bench -p plumbline --bench judge -- rec-64 resnet50 --backend onnxruntime@1.31.1
//! cargo bench -p plumbline --bench judge -- bert -- --jobs 1          further options of `plumbline judge`
//! ```

mod measure;
mod models;
mod packages;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use plumbline_tensor::onnx::{TypeProtoValue, ValueInfoProto};
use plumbline_tensor::{Value, value_to_bytes};

/// The models by name, and how each is made or fetched into a folder.
type Maker = fn(&Path) -> anyhow::Result<()>;

const MODELS: [(&str, Maker); 9] = [
    ("vad", packages::vad),
    ("cls", packages::cls),
    ("rec-64", |folder| packages::rec(folder, 64)),
    ("rec-320", |folder| packages::rec(folder, 320)),
    ("det", packages::det),
    ("magika", packages::magika),
    ("resnet50", models::resnet50),
    ("bert", |folder| models::bert_base(folder, 128)),
    ("decoder", |folder| models::decoder(folder, 32)),
];

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let (mine, further) = match arguments.iter().position(|argument| argument == "--") {
        Some(at) => (&arguments[..at], &arguments[at + 1..]),
        None => (&arguments[..], &[][..]),
    };
    let mut backend = "onnxruntime".to_owned();
    let mut wanted: Vec<&str> = Vec::new();
    let mut mine = mine.iter();
    while let Some(argument) = mine.next() {
        match argument.as_str() {
            "--backend" => backend = mine.next().context("--backend needs a name")?.clone(),
            name if MODELS.iter().any(|(known, _)| *known == name) => wanted.push(name),
            other => bail!("there is no model `{other}`; there are {}", MODELS.map(|(name, _)| name).join(", ")),
        }
    }
    let root = folder();
    measure::head();
    for (name, make) in MODELS.iter().filter(|(name, _)| wanted.is_empty() || wanted.contains(name)) {
        let folder = root.join(name);
        if !folder.join("model.onnx").exists() {
            make(&folder).with_context(|| format!("cannot make the model `{name}`"))?;
        }
        measure::row(name, &folder, &backend, further)?;
    }
    Ok(())
}

/// Returns the folder of the models, `target/judge`.
fn folder() -> PathBuf {
    let command = Path::new(env!("CARGO_BIN_EXE_plumbline"));
    let target = command.ancestors().find(|folder| folder.ends_with("target"));
    target.unwrap_or(Path::new("target")).join("judge")
}

/// Writes `input_0.pb`, `input_1.pb` and so on.
fn write_inputs(folder: &Path, inputs: &[Value]) -> anyhow::Result<()> {
    for (at, value) in inputs.iter().enumerate() {
        std::fs::write(folder.join(format!("input_{at}.pb")), value_to_bytes(value, "")?)?;
    }
    Ok(())
}

/// Removes the shape from a declaration.
fn forget_shape(info: &mut ValueInfoProto) {
    if let Some(TypeProtoValue::TensorType(tensor)) = info.r#type.as_mut().and_then(|kind| kind.value.as_mut()) {
        tensor.shape = None;
    }
}

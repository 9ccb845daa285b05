//! `plumbline backends`: lists the backends, which of them are available, and how to get the others.

use std::sync::Arc;

use plumbline_backend::StartError;
use plumbline_conformance::Subject;
use plumbline_directml as directml;
use plumbline_executor::{BackendName, ORACLE, Options, Oracle, Registry};
use plumbline_spec::directml::FeatureLevel;

use crate::exit::{Exit, Failure};
use crate::places::places;

const EXAMPLES: &str = "\
Examples:
  plumbline backends                                 list all backends; fetch nothing
  plumbline backends --fetch onnxruntime             fetch the usual version with pip
  plumbline backends --fetch onnxruntime@1.23.2      fetch another version
  plumbline backends --fetch onnxruntime:ep=ggml     fetch an execution provider, and the ONNX Runtime that it needs
  plumbline backends --fetch openvino                fetch OpenVINO's Python package; tract-python is fetched like this

Names of backends with an execution provider of ONNX Runtime:
  onnxruntime:ep=ggml                                a plug-in from pip: ggml, openvino, qnn, webgpu
  onnxruntime@1.30.0:ep=onnxruntime-foo@1.0          versions of ONNX Runtime and of another package
  onnxruntime:ep=./libfoo.so,device=gpu              a plug-in library, and a device: cpu, gpu, npu, 0, 1, ...
  onnxruntime:ep=ggml,option.weights=f32             an option that is passed to the provider
  onnxruntime:ep=ggml,optimization=all               graph optimizations: none, basic, extended, all

Names of backends with an adapter in Python:
  openvino@2026.4.0, tract-python@0.23.5             versions of the package
  openvino:device=GPU,option.KEY=VALUE               a device of OpenVINO, and a property for compiling models
  onnx-backend:onnxruntime.backend                   a module of your Python (PLUMBLINE_PYTHON, or python3) that
                                                     implements onnx.backend.base.Backend
  onnx-backend:mine.Backend,device=CUDA              a class in a module, and the device for it";

/// Arguments of `plumbline backends`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Fetches what this backend needs, such as `onnxruntime@1.23.2`, with pip.
    #[arg(long, value_name = "NAME")]
    fetch: Vec<String>,
}

/// Returns the options with which backends are started from this workspace.
pub fn options() -> Options {
    Options { libraries: places().cache.clone(), ..Options::default() }
}

/// Returns the registry of all backends of this workspace.
pub fn registry(options: Options) -> Registry {
    Registry::new(options)
        .with(ORACLE, "the oracle itself, for suites with published answers", |_| Ok(Box::new(Oracle::default())))
}

/// Adds the feature level to the name of a DirectML backend that has none.
pub fn at_level(name: &str, level: Option<FeatureLevel>) -> String {
    let mut parsed = BackendName::parse(name);
    let of_directml = [directml::backend::NAME, directml::real::NAME].contains(&parsed.base.as_str());
    if of_directml && parsed.version.is_none() {
        parsed.version = level.map(|level| level.to_string());
    }
    parsed.to_string()
}

/// Opens a backend by its name. The error says why it cannot be started.
pub fn start(registry: &Arc<Registry>, name: &str, level: Option<FeatureLevel>) -> Result<Subject, String> {
    let (registry, name) = (registry.clone(), at_level(name, level));
    if name == ORACLE {
        return Ok(Subject::oracle());
    }
    Subject::start(&name.clone(), Box::new(move || registry.start(&name).map_err(|error| error.to_string())))
}

/// Adds the exit code to an error: 2 for an unknown backend, 3 for a backend that cannot start.
pub fn failure(error: StartError) -> anyhow::Error {
    match error {
        StartError::Unknown { .. } | StartError::Misnamed { .. } => error.into(),
        StartError::CannotStart { .. } => Failure::new(Exit::BackendStart, error.to_string()).into(),
    }
}

/// Runs `plumbline backends`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let registry = registry(options());
    for name in &args.fetch {
        registry.fetch(name).map_err(failure)?;
        println!("{name} is available");
    }
    if args.fetch.is_empty() {
        list(&registry);
    }
    Ok(Exit::Conforms)
}

fn list(registry: &Registry) {
    let available = registry.available();
    let width = available.iter().map(|a| a.name.len()).max().unwrap_or(0);
    for backend in &available {
        let (sign, state) = match &backend.state {
            Ok(identity) => ("yes", identity.to_string()),
            Err(reason) => ("no ", reason.clone()),
        };
        println!("{sign}  {:width$}  {}", backend.name, backend.about);
        println!("     {:width$}  {state}", "");
    }
    println!("Always available: process:CMD (a program that speaks docs/worker-protocol.md), mock:MODE (a wrong one).");
}

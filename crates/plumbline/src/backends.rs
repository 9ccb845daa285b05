//! `plumbline backends`: lists the backends and says which are available and how to get the others, or fetches some.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use plumbline_backend::StartError;
use plumbline_conformance::{Optimizer, Subject};
use plumbline_directml as directml;
use plumbline_executor::{BackendName, ORACLE, Options, OracleBackend, Registry};
use plumbline_spec::directml::FeatureLevel;

use crate::config::{Chosen, Claims, Config, Memory};
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
  onnxruntime:ep=cuda                                a provider of NVIDIA from pip: cuda, tensorrt
  onnxruntime:ep=webgpu,device=cpu                   WebGPU without a GPU, on the SwiftShader of Chromium
  onnxruntime@1.30.0:ep=onnxruntime-foo@1.0          versions of ONNX Runtime and of another package
  onnxruntime:ep=./libfoo.so,device=gpu              a plug-in library, and a device: cpu, gpu, npu, 0, 1, ...
  onnxruntime:ep=ggml,option.weights=f32             an option that is passed to the provider
  onnxruntime:ep=ggml,optimization=all               graph optimizations: none, basic, extended, layout, all

Names of backends with an adapter in Python:
  openvino@2026.4.0, tract-python@0.23.5             versions of the package
  openvino:device=GPU,option.KEY=VALUE               a device of OpenVINO, and a property for compiling models
  onnx-backend:onnxruntime.backend                   a module of your Python (PLUMBLINE_PYTHON, or python3) that
                                                     implements onnx.backend.base.Backend
  onnx-backend:mine.Backend,device=CUDA              a class in a module, and the device for it

Names of tools that rewrite models (docs/rewriters.md), whose models the oracle runs:
  rewriter:onnxsim@0.8.1                             also onnxoptimizer, onnxslim, onnxscript-optimizer,
                                                     onnxscript-rewriter, version-converter, ort-saved,
                                                     ort-float16, ort-quantizer
  rewriter:onnxoptimizer,pass=fuse_bn_into_conv      one pass; disable=A+B leaves passes out
  rewriter:version-converter,to=21                   an opset; to=all converts to every one, and to=each (in
                                                     conformance) is a backend for each
  rewriter:onnxslim {in} {out}                       a command, which reads one file and writes another
Names of tools that read models (docs/tools.md), which the oracle's answers judge:
  tool:shape-inference@1.21.0                        also symbolic-shape-inference, onnx-shape-inference
  tool:checker, tool:function-bodies
  tool:shape-inference,coverage=on                   what could be inferred and is not

Settings of every backend, which say what its answers are judged by:
  cpu:accuracy=ieee-754,flush=true,ulp.exp=4         a table of accuracies, flushed subnormals, the ULP of a function
  onnxruntime:ep=ggml,profile=mine.toml              a file with keys of a profile
  openvino:products=bfloat16,double=float            factors of products of float may be rounded to bfloat16 (or tf32,
                                                     float16), and double may be computed in float
  rten:unchecked=values                              indices and other values at run time are not checked
And one that changes what the backend gets (docs/tools.md):
  rten:as-function-body=1.23.2                       ONNX's function bodies in the place of operators";

/// Arguments of `plumbline backends`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Fetches with pip what a backend such as `onnxruntime@1.23.2` needs.
    #[arg(long, value_name = "NAME")]
    fetch: Vec<String>,
}

/// Returns the options with which backends are started. Fetched runtimes are in the cache of [`places`].
pub fn options() -> Options {
    Options { libraries: places().cache.clone(), ..Options::default() }
}

/// Returns the registry of all backends, the oracle included.
pub fn registry(options: Options) -> Registry {
    Registry::new(options).with(ORACLE, "the oracle itself, for suites with published answers", |_| {
        Ok(Box::new(OracleBackend::default()))
    })
}

/// Adds the feature level to the name of a DirectML backend, unless the name has one.
pub fn at_level(name: &str, level: Option<FeatureLevel>) -> String {
    let mut parsed = BackendName::parse(name);
    let of_directml = [directml::backend::NAME, directml::real::NAME].contains(&parsed.base.as_str());
    if of_directml && parsed.version.is_none() {
        parsed.version = level.map(|level| level.to_string());
    }
    parsed.to_string()
}

/// Starts a backend by its name. The error says why it cannot be started.
pub fn start(registry: &Arc<Registry>, name: &str, level: Option<FeatureLevel>) -> Result<Subject, String> {
    let (registry, name) = (registry.clone(), at_level(name, level));
    if name == ORACLE {
        return Ok(Subject::oracle());
    }
    let passes = registry.passes(&name);
    let variants = (registry.clone(), name.clone());
    let open = move || registry.start(&name).map_err(|error| error.to_string());
    let mut subject = Subject::start(&variants.1.clone(), Box::new(open))?;
    if let Some(passes) = passes {
        let (registry, name) = variants;
        let without = move |passes: &[&str]| start(&registry, &registry.without(&name, passes), None);
        subject.optimizer = Some(Arc::new(Optimizer::new(passes.into_iter().map(str::to_owned).collect(), without)));
    }
    Ok(subject)
}

/// Returns the options with which a backend that the user chose is started.
pub fn options_of(chosen: &Chosen) -> Options {
    let environment = chosen.environment.iter().map(|(name, value)| (name.into(), value.into())).collect();
    let mut options = Options { environment, ..options() };
    let limits = &mut options.limits;
    limits.restarts = chosen.limits.restarts;
    match chosen.limits.memory {
        None => {}
        Some(Memory::Unlimited) => (limits.memory_bytes, limits.address_space_bytes) = (None, None),
        Some(Memory::Bytes(bytes)) => {
            limits.memory_bytes = Some(bytes);
            // The limit of the address space must not be lower than that of the memory.
            limits.address_space_bytes = limits.address_space_bytes.map(|space| space.max(bytes));
        }
    }
    options
}

/// Starts a backend that the user chose, with its environment and limits. The error says why it cannot be started, or
/// what is unknown in its claims.
pub fn start_chosen(chosen: &Chosen, level: Option<FeatureLevel>) -> Result<Subject, String> {
    start_with(options_of(chosen), chosen, level)
}

fn start_with(options: Options, chosen: &Chosen, level: Option<FeatureLevel>) -> Result<Subject, String> {
    let mut subject = start(&Arc::new(registry(options)), &chosen.selector, level)?;
    if chosen.in_file {
        subject.name.clone_from(&chosen.name);
    }
    subject.deadline = chosen.limits.deadline_ms.map(Duration::from_millis);
    subject.jobs = chosen.limits.jobs;
    subject.pack = chosen.pack.unwrap_or_default();
    if let Some(release) = chosen.onnx {
        subject.implement(release);
    }
    let claims = chosen.claims.as_ref().map(Claims::selection).transpose();
    subject.claims = claims.map_err(|error| format!("`claims` of `{}`: {error}", chosen.name))?;
    Ok(subject)
}

/// Starts a backend by the name that the user gave. `plumbline.toml` may define a backend of this name. `deadline_ms`
/// wins over the deadline in `plumbline.toml`.
///
/// # Errors
/// Fails if `plumbline.toml` is invalid or if there is no backend of this name. The error has the exit code 3 if the
/// backend cannot be started, or if its claims name something unknown.
pub fn start_named(name: &str, level: Option<FeatureLevel>, deadline_ms: Option<u64>) -> anyhow::Result<Subject> {
    let name = name.to_owned();
    let chosen = Config::in_folder(Path::new(""))?.chosen(std::slice::from_ref(&name))?;
    let chosen = chosen.into_iter().next().context("the name of the backend is empty")?;
    registry(options()).knows(&chosen.selector)?;
    let mut options = options_of(&chosen);
    // A model that somebody gives may be larger than any case of a run.
    options.limits.frame_bytes = u64::from(u32::MAX);
    let started = start_with(options, &chosen, level);
    let mut subject = started.map_err(|reason| Failure::new(Exit::BackendStart, reason))?;
    subject.deadline = deadline_ms.map(Duration::from_millis).or(subject.deadline);
    Ok(subject)
}

/// Adds the exit code to an error: 2 for a name that is unknown or written wrongly, 3 for a backend that cannot start.
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
    println!("Always available: process:CMD (a program that speaks the worker protocol), mock:MODE (for tests).");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_the_limits_and_environment_of_a_backend() {
        let text = "[[backend]]\nname = \"mine\"\ncommand = \"./mine\"\nenvironment = { DEVICE = \"1\" }\nlimits = { memory = \"6GiB\", restarts = 3 }\n";
        let chosen = &Config::parse(text).unwrap().chosen(&[]).unwrap()[0];
        let Options { limits, environment, .. } = options_of(chosen);
        assert_eq!(environment, [("DEVICE".into(), "1".into())]);
        assert_eq!((limits.memory_bytes, limits.restarts), (Some(6 << 30), Some(3)));
        assert_eq!(limits.address_space_bytes, Some(6 << 30));
    }
}

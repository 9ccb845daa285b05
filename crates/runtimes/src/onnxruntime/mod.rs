//! ONNX Runtime: `libonnxruntime` from the Python wheel, loaded at run time.
//!
//! Sessions run on one thread, with the graph optimizations that a user gets by default: constants are folded and
//! functions are inlined. An execution provider other than the CPU's gets no optimizations unless the user asks for
//! them, and has to run every node: nothing that the CPU provider computed counts as its answer. A model that declares
//! a newer opset or IR version than the library reads is changed to declare the newest one that the library reads, if
//! the model means the same with it. `probe` finds these newest versions when the library is loaded.

mod api;
mod broken;
mod elements;
mod empties;
pub mod library;
pub mod nvidia;
mod owned;
pub mod passes;
pub mod plugin;
mod provider;
mod refusals;
mod selection;
pub mod settings;
mod status;
pub mod swiftshader;
pub mod table;
mod tensorrt;
mod values;
mod wheel;

use std::ffi::CString;
use std::path::Path;
use std::sync::Arc;

use plumbline_spec::{Opsets, ReleaseNumber, Spec};
use plumbline_tensor::{Model, Value, ValueKind, onnx};

use crate::stamp::{Known, stamp};
use plumbline_backend::{RefusalKind, StartError};

use crate::{Backend, Identity, Prepared, Profile, Refusal, at_once};

use broken::BrokenModel;
use empties::WithEmpties;
use nvidia::Nvidia;
use refusals::refusal;
use selection::Selection;
use settings::{Settings, Source};

/// The name by which the backend is chosen.
pub const NAME: &str = "onnxruntime";

/// The name of the backend that is ONNX Runtime with its DirectML provider, on Windows.
pub const DIRECTML_NAME: &str = "onnxruntime-directml";

/// ONNX Runtime as a backend.
pub struct OnnxRuntime {
    identity: Identity,
    runtime: Arc<api::Runtime>,
    profile: Profile,
    known: Known,
}

impl OnnxRuntime {
    /// Loads a library, which has this version. A process can load only one library. `libraries` is the folder in which
    /// packages of plug-ins are looked for.
    pub fn load(
        library: &Path,
        version: &str,
        settings: &Settings,
        libraries: &Path,
    ) -> Result<OnnxRuntime, StartError> {
        let cannot_start = |reason: String| StartError::cannot_start(NAME, reason);
        let Some(source) = &settings.source else {
            let identity = Identity { name: NAME.to_owned(), version: with_settings(version.to_owned(), settings) };
            return OnnxRuntime::load_with(identity, version, library, provider::Provider::Cpu, settings);
        };
        let path = match source {
            Source::Package(plugin) => Some(plugin.find(libraries).ok_or_else(|| {
                cannot_start(format!("{plugin} is not on this machine; `backends --fetch` downloads it"))
            })?),
            Source::Library(path) if !path.is_file() => {
                return Err(cannot_start(format!("there is no file {}", path.display())));
            }
            // ONNX Runtime takes a relative path as relative to its own library.
            Source::Library(path) => Some(std::path::absolute(path).map_err(|e| cannot_start(e.to_string()))?),
            Source::Nvidia(provider) => {
                let missing =
                    || format!("ep={} is not on this machine; `backends --fetch` downloads it", provider.name());
                let files = provider.find(libraries, version).ok_or_else(|| cannot_start(missing()))?;
                files.preload().map_err(cannot_start)?;
                Some(files.provider)
            }
            Source::Inside(_) => None,
        };
        let (short, provider) = match (source, &path) {
            (Source::Inside(name), _) => {
                (name.trim_end_matches("ExecutionProvider").to_lowercase(), Some(name.clone()))
            }
            (_, path) => (short_name(path.as_deref().unwrap_or(Path::new(""))), settings.provider.clone()),
        };
        let selection = Selection {
            library: path,
            registration: short.clone(),
            provider,
            device: settings.device,
            options: settings.options.clone(),
        };
        let name = format!("{NAME}-{short}");
        let identity = Identity { name, version: version.to_owned() };
        let selected = match source {
            Source::Nvidia(Nvidia::TensorRt) => provider::Provider::TensorRt(selection.options),
            _ => provider::Provider::Selected(selection),
        };
        let mut backend = OnnxRuntime::load_with(identity, version, library, selected, settings)?;
        let reported = || backend.runtime.found.as_ref().and_then(|found| found.version.clone());
        let provider_version = match source {
            Source::Package(plugin) => Some(plugin.version.clone()),
            Source::Library(_) => Some(reported().unwrap_or_else(|| "unknown".to_owned())),
            Source::Inside(_) | Source::Nvidia(_) => None,
        };
        let version = provider_version.map_or(version.to_owned(), |own| format!("{own}+{NAME}-{version}"));
        let version = with_settings(version, settings);
        let hardware = backend.runtime.found.as_ref().and_then(|found| found.hardware.as_ref());
        backend.identity.version = hardware.map_or(version.clone(), |hardware| format!("{version} ({hardware})"));
        Ok(backend)
    }

    /// Loads a library, which has this version, and runs all operators with the DirectML provider, on the graphics
    /// adapter of this number. A process can load only one library.
    #[cfg(windows)]
    pub fn load_directml(library: &Path, version: &str, adapter: i32) -> Result<OnnxRuntime, StartError> {
        let identity = Identity { name: DIRECTML_NAME.to_owned(), version: version.to_owned() };
        OnnxRuntime::load_with(identity, version, library, provider::Provider::DirectMl(adapter), &Settings::default())
    }

    fn load_with(
        identity: Identity,
        version: &str,
        library: &Path,
        provider: provider::Provider,
        settings: &Settings,
    ) -> Result<OnnxRuntime, StartError> {
        let cannot_start = |reason: String| StartError::cannot_start(&identity.name, reason);
        let runtime = api::Runtime::load(library, &provider, settings).map_err(cannot_start)?;
        let known = probe(&runtime)
            .map_err(|refusal| cannot_start(format!("it refuses a model with a single Identity node: {refusal}")))?;
        if let Some(found) = &runtime.found {
            // Many providers read their options only when a session is created, so a session is created here. A
            // provider that does not support the model of this session has started nevertheless.
            let session = runtime.session(&identity_model(FIRST_IR_VERSION, &[("", FIRST_OPSET)]).to_bytes());
            if let Err(refusal) = session.map_err(refusal)
                && refusal.kind != RefusalKind::Unsupported
            {
                let reason = refusal.message.split_whitespace().collect::<Vec<_>>().join(" ");
                return Err(cannot_start(format!("the provider {} does not start: {reason}", found.provider)));
            }
        }
        let max_opset = known.opsets.get("ai.onnx").copied().unwrap_or(i64::MAX);
        // ONNX Runtime does not tell with which release of ONNX it was built. The newest opset that it reads does.
        let onnx = known.opsets.get("ai.onnx").and_then(|&opset| ReleaseNumber::of_opset(opset));
        // A version of the library that is no number, such as a path, names no release.
        let onnxruntime = version.parse().ok();
        let arithmetic = match provider {
            provider::Provider::Cpu => Profile::of_cpu(),
            _ => Profile::default(),
        };
        let max_ir_version = known.ir_version;
        // `OrtApi::Run` may be called from several threads on one session.
        let concurrent_runs = true;
        let limits = Profile { max_opset, max_ir_version, onnx, onnxruntime, ..arithmetic };
        let profile = Profile { needs_worker: true, concurrent_runs, ..limits };
        Ok(OnnxRuntime { identity, runtime: Arc::new(runtime), profile, known })
    }
}

/// Adds the settings to a version, so that results with other settings are told apart.
fn with_settings(version: String, settings: &Settings) -> String {
    if settings.text.is_empty() { version } else { format!("{version},{}", settings.text) }
}

/// Returns a name for a plug-in library: `ggml` for `libonnxruntime_ggml.so`, `webgpu` for
/// `libonnxruntime_providers_webgpu.so`.
fn short_name(library: &Path) -> String {
    let stem = library.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let mut name = stem.as_str();
    for prefix in ["lib", "onnxruntime_", "providers_", "ep_"] {
        name = name.strip_prefix(prefix).filter(|rest| !rest.is_empty()).unwrap_or(name);
    }
    name.strip_suffix("_plugin").unwrap_or(name).to_owned()
}

/// Versions of opset and IR that are old enough for every library, and not so old that some library no longer reads
/// them.
const FIRST_OPSET: i64 = 7;
const FIRST_IR_VERSION: i64 = 3;

/// Finds out the newest versions of opset and IR that the library reads. Loads models with a single Identity node, each
/// of which declares a newer version than the one before.
fn probe(runtime: &api::Runtime) -> Result<Known, Refusal> {
    let reads = |ir_version: i64, imports: &[(&str, i64)]| {
        runtime.reads(&identity_model(ir_version, imports).to_bytes()).map_err(refusal)
    };
    let (first_opset, first_ir_version) = (FIRST_OPSET, FIRST_IR_VERSION);
    reads(first_ir_version, &[("", first_opset)])?;
    let newest = |first: i64, reads: &dyn Fn(i64) -> bool| (first..).take_while(|v| *v < 1000 && reads(*v)).last();
    let ir_version = newest(first_ir_version, &|v| reads(v, &[("", first_opset)]).is_ok());
    let mut known = Known { opsets: Default::default(), ir_version: ir_version.unwrap_or(first_ir_version) };
    for domain in &Opsets::embedded().domains {
        let opset = match domain.domain.as_str() {
            "ai.onnx" => newest(first_opset, &|v| reads(first_ir_version, &[("", v)]).is_ok()),
            other => newest(domain.first, &|v| reads(first_ir_version, &[("", first_opset), (other, v)]).is_ok()),
        };
        // A library that takes every version up to 999 does not check versions of this domain, so none is the newest.
        if let Some(opset) = opset.filter(|opset| *opset < 999) {
            known.opsets.insert(domain.domain.clone(), opset);
        }
    }
    Ok(known)
}

fn identity_model(ir_version: i64, imports: &[(&str, i64)]) -> Model {
    let value = |name: &str| onnx::ValueInfoProto {
        name: Some(name.to_owned()),
        r#type: Some(ValueKind::Tensor(plumbline_tensor::DType::Float).to_proto()),
        ..Default::default()
    };
    let node = onnx::NodeProto {
        op_type: Some("Identity".to_owned()),
        input: vec!["x".to_owned()],
        output: vec!["y".to_owned()],
        ..Default::default()
    };
    let graph = onnx::GraphProto {
        name: Some("probe".to_owned()),
        node: vec![node],
        input: vec![value("x")],
        output: vec![value("y")],
        ..Default::default()
    };
    let import = |(domain, version): &(&str, i64)| onnx::OperatorSetIdProto {
        domain: Some(domain.to_string()),
        version: Some(*version),
    };
    Model {
        proto: onnx::ModelProto {
            ir_version: Some(ir_version),
            graph: Some(graph),
            opset_import: imports.iter().map(import).collect(),
            ..Default::default()
        },
    }
}

impl Backend for OnnxRuntime {
    fn identity(&self) -> Identity {
        self.identity.clone()
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        let stamped = stamp(model, Spec::embedded, &self.known)?;
        let bytes = stamped.to_bytes();
        // A kernel may be missing for a node that only the optimizer made.
        let missing = |refused: &Refusal| refused.kind == RefusalKind::Unsupported;
        let (session, broken) = match self.runtime.session(&bytes).map_err(refusal) {
            Err(refused)
                if missing(&refused)
                    && let Some(Ok(plain)) = self.runtime.plain(&bytes) =>
            {
                (plain, Some(refused.message))
            }
            session => (session?, None),
        };
        let named = |names: Vec<&str>| names.into_iter().map(api::name).collect::<Result<Vec<_>, _>>();
        let kind_of = |o: &onnx::ValueInfoProto| ValueKind::from_proto(o.r#type.as_ref()?);
        let prepared = Box::new(OnnxRuntimePrepared {
            session,
            inputs: named(model.input_names()).map_err(refusal)?,
            outputs: named(model.output_names()).map_err(refusal)?,
            kinds: model.graph().output.iter().map(kind_of).collect(),
            with_empties: None,
            model: stamped.into_owned(),
            runtime: self.runtime.clone(),
        });
        Ok(match broken {
            Some(message) => Box::new(BrokenModel { plain: prepared, message }),
            None => prepared,
        })
    }
}

struct OnnxRuntimePrepared {
    session: api::Session,
    inputs: Vec<CString>,
    outputs: Vec<CString>,
    /// The types that the model declares for its outputs.
    kinds: Vec<Option<ValueKind>>,
    /// The session of the last run with empty values.
    with_empties: Option<WithEmpties>,
    /// The model as the library reads it, for further sessions.
    model: Model,
    /// Dropped after the sessions.
    runtime: Arc<api::Runtime>,
}

impl OnnxRuntimePrepared {
    /// Runs the model on inputs some of which are empty.
    fn run_with_empties(&mut self, inputs: &[Value]) -> Result<Vec<api::OwnedValue>, Refusal> {
        let session = match self.with_empties.take().filter(|session| session.fits(inputs)) {
            Some(session) => session,
            None => self.session_with_empties(inputs, false)?,
        };
        let outputs = session.run(&self.runtime, &self.model, &self.inputs, inputs, &self.outputs);
        self.with_empties = Some(session);
        outputs
    }

    fn session_with_empties(&self, inputs: &[Value], plain: bool) -> Result<WithEmpties, Refusal> {
        WithEmpties::new(&self.runtime, &self.model, &self.inputs, inputs, plain)
    }

    /// Runs the model without graph optimizations. Returns `None` if it refuses that, too.
    fn run_plain(&self, inputs: &[Value]) -> Option<Vec<api::OwnedValue>> {
        if inputs.iter().any(empties::is_empty) {
            let session = self.session_with_empties(inputs, true).ok()?;
            return session.run(&self.runtime, &self.model, &self.inputs, inputs, &self.outputs).ok();
        }
        let session = self.runtime.plain(&self.model.to_bytes())?.ok()?;
        session.run(&named(&self.inputs, inputs).ok()?, &self.outputs).ok()
    }
}

/// Returns inputs with their names, as the library takes them.
fn named(names: &[CString], inputs: &[Value]) -> Result<Vec<(CString, api::OwnedValue)>, Refusal> {
    names.iter().zip(inputs).map(|(name, value)| Ok((name.clone(), values::to_ort(value)?))).collect()
}

impl Prepared for OnnxRuntimePrepared {
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        if inputs.len() != self.inputs.len() {
            return Err(Refusal::invalid(format!(
                "{} inputs are given, the model has {}",
                inputs.len(),
                self.inputs.len()
            )));
        }
        let outputs = match inputs.iter().any(empties::is_empty) {
            true => self.run_with_empties(inputs)?,
            false => self.session.run(&named(&self.inputs, inputs)?, &self.outputs).map_err(refusal)?,
        };
        let undefined = |outputs: &[api::OwnedValue]| {
            let is_optional = |kind: &Option<ValueKind>| matches!(kind, Some(ValueKind::Optional(_)));
            let mut pairs = outputs.iter().zip(&self.kinds);
            // ONNX Runtime crashes if it is asked for the kind of an empty optional.
            pairs.position(|(value, kind)| !is_optional(kind) && value.is_undefined())
        };
        if let Some(at) = undefined(&outputs) {
            let message = format!("the output {} is left undefined", self.outputs[at].to_string_lossy());
            let optimizer_broke_it = self.run_plain(inputs).is_some_and(|outputs| undefined(&outputs).is_none());
            return Err(if optimizer_broke_it { Refusal::optimizer(message) } else { Refusal::failed(message) });
        }
        outputs.iter().zip(&self.kinds).map(|(value, kind)| values::from_ort(value, kind.as_ref())).collect()
    }

    fn run_at_once(&mut self, inputs: [&[Value]; 2]) -> Result<[Vec<Value>; 2], Refusal> {
        // These need a session that makes their values, and empty optionals must not be read.
        let is_optional = |kind: &Option<ValueKind>| matches!(kind, Some(ValueKind::Optional(_)));
        if inputs.iter().any(|inputs| inputs.iter().any(empties::is_empty)) || self.kinds.iter().any(is_optional) {
            return Err(Refusal::unsupported("values that may be empty are not given to two runs at once"));
        }
        let Self { session, inputs: names, outputs, kinds, .. } = &*self;
        at_once(inputs, |inputs| {
            let found = session.run(&named(names, inputs)?, outputs).map_err(refusal)?;
            found.iter().zip(kinds).map(|(value, kind)| values::from_ort(value, kind.as_ref())).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plug_in_libraries_have_short_names() {
        for (path, name) in [
            ("/x/libonnxruntime_ggml.so", "ggml"),
            ("libonnxruntime_providers_webgpu.so", "webgpu"),
            ("libonnxruntime_providers_openvino_plugin.so", "openvino"),
            ("onnxruntime_providers_qnn.dll", "qnn"),
            ("libfoo.dylib", "foo"),
            ("lib.so", "lib"),
        ] {
            assert_eq!(short_name(Path::new(path)), name);
        }
    }
}

//! ONNX Runtime: `libonnxruntime` from the Python wheel, loaded at run time.
//!
//! Sessions run on one thread, with the graph optimizations that a user gets by default: constants are folded and
//! functions are inlined. Models are changed to declare no newer opset and IR version than the library reads; loading
//! the library finds out which these are.

mod api;
mod elements;
pub mod library;
mod provider;
mod status;
mod values;

use std::path::Path;

use ort::ErrorCode;
use plumbline_spec::{Opsets, Spec};
use plumbline_tensor::{Model, Value, ValueKind, onnx};

use crate::stamp::{Known, stamp};
use plumbline_backend::StartError;

use crate::{Backend, Identity, Prepared, Profile, Refusal};

/// The name by which the backend is chosen.
pub const NAME: &str = "onnxruntime";

/// The name of the backend that is ONNX Runtime with its DirectML provider, on Windows.
pub const DIRECTML_NAME: &str = "onnxruntime-directml";

/// ONNX Runtime as a backend.
pub struct OnnxRuntime {
    name: &'static str,
    runtime: api::Runtime,
    version: String,
    profile: Profile,
    known: Known,
}

impl OnnxRuntime {
    /// Loads a library of a version. A process can use one library only: the first that is loaded.
    pub fn load(library: &Path, version: &str) -> Result<OnnxRuntime, StartError> {
        OnnxRuntime::load_with(NAME, library, version, provider::Provider::Cpu)
    }

    /// Does the same as [`OnnxRuntime::load`], and runs all operators with the DirectML provider, on the adapter of
    /// this number.
    #[cfg(windows)]
    pub fn load_directml(library: &Path, version: &str, adapter: i32) -> Result<OnnxRuntime, StartError> {
        OnnxRuntime::load_with(DIRECTML_NAME, library, version, provider::Provider::DirectMl(adapter))
    }

    fn load_with(
        name: &'static str,
        library: &Path,
        version: &str,
        provider: provider::Provider,
    ) -> Result<OnnxRuntime, StartError> {
        let runtime = api::Runtime::load(library, provider).map_err(|reason| StartError::cannot_start(name, reason))?;
        let known = probe(&runtime).map_err(|refusal| {
            StartError::cannot_start(name, format!("it refuses a model of one Identity: {refusal}"))
        })?;
        let max_opset = known.opsets.get("ai.onnx").copied().unwrap_or(i64::MAX);
        let profile = Profile { max_opset, max_ir_version: known.ir_version, needs_worker: true, ..Profile::default() };
        Ok(OnnxRuntime { name, runtime, version: version.to_owned(), profile, known })
    }
}

/// Finds out the newest versions that the library reads, by loading models of one Identity that declare newer and newer
/// versions.
fn probe(runtime: &api::Runtime) -> Result<Known, Refusal> {
    let reads = |ir_version: i64, imports: &[(&str, i64)]| {
        runtime.session(&identity_model(ir_version, imports).to_bytes()).map(|_| ()).map_err(refusal)
    };
    // These versions are old enough for every library, and not so old that some library no longer reads them.
    let (first_opset, first_ir_version) = (7, 3);
    reads(first_ir_version, &[("", first_opset)])?;
    let newest = |first: i64, reads: &dyn Fn(i64) -> bool| (first..).take_while(|v| *v < 1000 && reads(*v)).last();
    let ir_version = newest(first_ir_version, &|v| reads(v, &[("", first_opset)]).is_ok());
    let mut known = Known { opsets: Default::default(), ir_version: ir_version.unwrap_or(first_ir_version) };
    for domain in &Opsets::embedded().domains {
        let opset = match domain.domain.as_str() {
            "ai.onnx" => newest(first_opset, &|v| reads(first_ir_version, &[("", v)]).is_ok()),
            other => newest(domain.first, &|v| reads(first_ir_version, &[("", first_opset), (other, v)]).is_ok()),
        };
        // The library does not check a domain of which it takes every version.
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
        Identity { name: self.name.to_owned(), version: self.version.clone() }
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        let stamped = stamp(model, Spec::embedded, &self.known)?;
        let session = self.runtime.session(&stamped.to_bytes()).map_err(refusal)?;
        let named = |names: Vec<&str>| names.into_iter().map(api::name).collect::<Result<Vec<_>, _>>();
        let kind_of = |o: &onnx::ValueInfoProto| ValueKind::from_proto(o.r#type.as_ref()?);
        Ok(Box::new(OnnxRuntimePrepared {
            session,
            inputs: named(model.input_names()).map_err(refusal)?,
            outputs: named(model.output_names()).map_err(refusal)?,
            kinds: model.graph().output.iter().map(kind_of).collect(),
        }))
    }
}

struct OnnxRuntimePrepared {
    session: api::Session,
    inputs: Vec<std::ffi::CString>,
    outputs: Vec<std::ffi::CString>,
    /// The types that the model declares for its outputs.
    kinds: Vec<Option<ValueKind>>,
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
        let inputs = inputs.iter().map(values::to_ort).collect::<Result<Vec<_>, _>>()?;
        let inputs: Vec<_> = self.inputs.iter().cloned().zip(inputs).collect();
        let outputs = self.session.run(&inputs, &self.outputs).map_err(refusal)?;
        outputs.iter().zip(&self.kinds).map(|(value, kind)| values::from_ort(value, kind.as_ref())).collect()
    }
}

/// Parts of ONNX Runtime's messages, in lower case, about an operator, a version of an operator, or an element type
/// that it does not have. It has no status code for that.
const UNKNOWN: [&str; 5] = [
    "is not a registered function/op",
    "no op registered for",
    "is not currently registered or supported",
    "failed to load model with error: tensor type ",
    "failed to load model with error: invalid tensor data type ",
];

/// Windows error codes, in lower case, for a lost GPU: removed, hung, reset, or failed internally.
const LOST: [&str; 4] = ["887a0005", "887a0006", "887a0007", "887a0020"];

/// Parts of ONNX Runtime's messages, in lower case, that mean that the model is wrong, where the status code is a
/// general one.
const FAULTS: [&str; 3] = ["type error:", "[shapeinferenceerror]", "[typeinferenceerror]"];

/// Converts a status to a refusal, by its code, or by its message if the code is a general one. Only the code for
/// missing implementations, and messages about an unknown operator or type, become unsupported. A message that says
/// "not supported" under another code may just as well refuse one value of an attribute of an operator that ONNX
/// Runtime has.
fn refusal(error: status::Error) -> Refusal {
    let message = error.message().trim().to_owned();
    let lower_case = message.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|words| lower_case.contains(words));
    match error.code() {
        _ if says(&LOST) => Refusal::device_lost(message),
        ErrorCode::NotImplemented => Refusal::unsupported(message),
        _ if says(&UNKNOWN) => Refusal::unsupported(message),
        ErrorCode::InvalidGraph | ErrorCode::InvalidArgument | ErrorCode::InvalidProtobuf | ErrorCode::NoModel => {
            Refusal::invalid(message)
        }
        _ if says(&FAULTS) => Refusal::invalid(message),
        _ => Refusal::failed(message),
    }
}

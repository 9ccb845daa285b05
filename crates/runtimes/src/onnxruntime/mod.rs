//! ONNX Runtime: `libonnxruntime` out of the Python wheel, loaded at run time.
//!
//! Sessions run on one thread, with the graph optimizations that a user gets by default: constants are folded and functions inlined. Models are stamped
//! with no newer opset and IR version than the library reads, which it is asked for when it is loaded.

mod api;
mod elements;
pub mod library;
mod provider;
mod values;

use std::path::Path;

use ort::ErrorCode;
use plumbline_spec::{Opsets, Spec};
use plumbline_tensor::{Model, Value, ValueKind, onnx};

use crate::stamp::{Known, stamp};
use crate::{Backend, Identity, Prepared, Profile, Refusal, StartError};

/// The name it is chosen by.
pub const NAME: &str = "onnxruntime";

/// The name of ONNX Runtime with its DirectML provider, on Windows.
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
    /// Loads a library of a version. A process has one: the first that is loaded.
    pub fn load(library: &Path, version: &str) -> Result<OnnxRuntime, StartError> {
        OnnxRuntime::load_with(NAME, library, version, provider::Provider::Cpu)
    }

    /// As [`OnnxRuntime::load`], with all operators on DirectML's provider, on the adapter of this number.
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
            StartError::cannot_start(name, format!("it reads no model of one Identity: {refusal}"))
        })?;
        let max_opset = known.opsets.get("ai.onnx").copied().unwrap_or(i64::MAX);
        let profile = Profile { max_opset, max_ir_version: known.ir_version, needs_worker: true, ..Profile::default() };
        Ok(OnnxRuntime { name, runtime, version: version.to_owned(), profile, known })
    }
}

/// Asks for the newest versions it reads, by loading models of one Identity under newer and newer ones.
fn probe(runtime: &api::Runtime) -> Result<Known, Refusal> {
    let reads = |ir_version: i64, imports: &[(&str, i64)]| {
        runtime.session(&identity_model(ir_version, imports).to_bytes()).map(|_| ()).map_err(refusal)
    };
    // Old enough for every library there is, and no older than all of them read.
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
        // A domain that is not checked is one of which every version is taken.
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
    /// What the model says its outputs are.
    kinds: Vec<Option<ValueKind>>,
}

impl Prepared for OnnxRuntimePrepared {
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        if inputs.len() != self.inputs.len() {
            return Err(Refusal::invalid(format!("{} inputs, the model has {}", inputs.len(), self.inputs.len())));
        }
        let inputs = inputs.iter().map(values::to_ort).collect::<Result<Vec<_>, _>>()?;
        let inputs: Vec<_> = self.inputs.iter().cloned().zip(inputs).collect();
        let outputs = self.session.run(&inputs, &self.outputs).map_err(refusal)?;
        outputs.iter().zip(&self.kinds).map(|(value, kind)| values::from_ort(value, kind.as_ref())).collect()
    }
}

/// What ONNX Runtime says where it has no operator, or no version of it, under a name, or no such type of element; it
/// has no status code of its own for that. In lower case.
const UNKNOWN: [&str; 5] = [
    "is not a registered function/op",
    "no op registered for",
    "is not currently registered or supported",
    "failed to load model with error: tensor type ",
    "failed to load model with error: invalid tensor data type ",
];

/// What Windows says where a GPU is gone: removed, hung, reset, broken inside; in lower case.
const LOST: [&str; 4] = ["887a0005", "887a0006", "887a0007", "887a0020"];

/// Words of ONNX Runtime that mean that the model is wrong, where the code is a general one; in lower case.
const FAULTS: [&str; 3] = ["type error:", "[shapeinferenceerror]", "[typeinferenceerror]"];

/// What a status means: by its code, and by its words where the code is a general one. Only the code for what is not
/// implemented, and an operator or type that it does not know, are unsupported: a message that says "not supported"
/// under another code may as well refuse one value of an attribute in an operator that it has.
fn refusal(error: api::Error) -> Refusal {
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

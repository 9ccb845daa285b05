//! What runs a case.

use plumbline_graph::Refusal;
use plumbline_spec::{DEFAULT_ACCURACY, Numerics, Ulp};
use plumbline_tensor::{Model, Value};
use serde::{Deserialize, Serialize};

/// Who a backend is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The name it is chosen by: `onnxruntime`.
    pub name: String,
    /// Version of the runtime: `1.31.1`; empty where there is none.
    pub version: String,
}

impl std::fmt::Display for Identity {
    /// `onnxruntime 1.31.1`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)?;
        if !self.version.is_empty() {
            write!(f, " {}", self.version)?;
        }
        Ok(())
    }
}

/// What a backend declares about itself: limits, and numeric liberties that the report shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Profile {
    /// Newest opset of `ai.onnx` it reads.
    pub max_opset: i64,
    /// Newest IR version it reads.
    pub max_ir_version: i64,
    /// Whether native code may take the process with it, so that it must run in a worker process.
    pub needs_worker: bool,
    /// Whether subnormal inputs and results may be flushed to zero.
    pub flush_subnormals: bool,
    /// Whether sums of 16-bit and smaller floats may be kept at that precision instead of float's.
    pub low_precision_accumulation: bool,
    /// Whether a session may give other bits when it is run again with the same inputs.
    pub nondeterministic: bool,
    /// Inputs that have to be constant when a model is loaded, by operator: `{"Reshape": ["shape"]}`.
    pub constant_inputs: std::collections::BTreeMap<String, Vec<String>>,
    /// The table of `specs/functions.toml` by which the accuracy of functions is judged.
    pub accuracy: String,
    /// The backend's own numbers for functions, in place of the table's.
    pub ulp: std::collections::BTreeMap<String, Ulp>,
    /// Extra error the backend declares for a function of `specs/functions.toml`, in ULP.
    pub extra_ulp: std::collections::BTreeMap<String, f64>,
}

impl Default for Profile {
    fn default() -> Profile {
        Profile {
            max_opset: i64::MAX,
            max_ir_version: i64::MAX,
            needs_worker: false,
            flush_subnormals: false,
            low_precision_accumulation: false,
            nondeterministic: false,
            constant_inputs: Default::default(),
            accuracy: DEFAULT_ACCURACY.to_owned(),
            ulp: Default::default(),
            extra_ulp: Default::default(),
        }
    }
}

impl Profile {
    /// What it declares of the backend's arithmetic.
    pub fn numerics(&self) -> Numerics {
        Numerics {
            flush_subnormals: self.flush_subnormals,
            low_precision_accumulation: self.low_precision_accumulation,
            accuracy: self.accuracy.clone(),
            ulp: self.ulp.clone(),
            extra_ulp: self.extra_ulp.clone(),
        }
    }
}

/// Anything that runs ONNX models.
pub trait Backend: Send + Sync {
    /// Who it is.
    fn identity(&self) -> Identity;

    /// What it declares about itself.
    fn profile(&self) -> &Profile;

    /// Reads a model and makes it ready to run.
    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal>;
}

/// A model that a backend has made ready.
pub trait Prepared {
    /// Runs the model once. `inputs` are those of [`Model::input_names`], in that order;
    /// the answer holds one value for each of [`Model::output_names`].
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal>;
}

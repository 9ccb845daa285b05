//! The [`Backend`] trait, which runs ONNX models, and what a backend declares about itself.

use plumbline_graph::Refusal;
use plumbline_spec::{CPU_ACCURACY, DEFAULT_ACCURACY, Doubles, Numerics, Products, ReleaseNumber, Ulp, Unchecked};
use plumbline_tensor::{Model, Value};
use serde::{Deserialize, Serialize};

/// The name and version of a backend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The name of the backend, for example `onnxruntime`. A program behind `process:CMD` chooses its own name.
    pub name: String,
    /// The version of the runtime, for example `1.31.1`. Empty if the backend has no version.
    pub version: String,
}

impl std::fmt::Display for Identity {
    /// Writes the name and, if there is one, the version: `onnxruntime 1.31.1`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)?;
        if !self.version.is_empty() {
            write!(f, " {}", self.version)?;
        }
        Ok(())
    }
}

/// The limits that a backend declares, and the deviations from exact arithmetic that it claims. The report shows them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Profile {
    /// The newest opset of `ai.onnx` that the backend reads.
    pub max_opset: i64,
    /// The newest IR version that the backend reads.
    pub max_ir_version: i64,
    /// The release of ONNX whose texts the backend implements, usually the one that it was built with: `1.21`. `None`
    /// for the newest.
    pub onnx: Option<ReleaseNumber>,
    /// Whether native code of the backend may crash the process, so that it must run in a worker process.
    pub needs_worker: bool,
    /// Whether the backend may flush subnormal inputs and results to zero.
    pub flush_subnormals: bool,
    /// Whether the backend may accumulate sums of 16-bit and smaller floats in the type of the elements instead of in
    /// float.
    pub low_precision_accumulation: bool,
    /// The format to which the backend may round the factors of products of float that are summed up.
    pub products: Products,
    /// The type in which the backend computes double.
    pub double: Doubles,
    /// Whether a session may return different bits when it runs again with the same inputs.
    pub nondeterministic: bool,
    /// For each operator, the inputs that must be constant when a model is loaded: `{"Reshape": ["shape"]}`.
    pub constant_inputs: std::collections::BTreeMap<String, Vec<String>>,
    /// The name of the table in `specs/functions.toml` that sets the accuracy of functions for this backend.
    pub accuracy: String,
    /// The backend's own bounds for the error of functions. They replace those of the table that `accuracy` names.
    pub ulp: std::collections::BTreeMap<String, Ulp>,
    /// The extra error, in ULP, that the backend declares for functions of `specs/functions.toml`, by function.
    pub extra_ulp: std::collections::BTreeMap<String, f64>,
    /// What the backend does not check: `["values"]` if it answers cases whose violation is only in values that a kernel
    /// reads, such as an index out of range.
    pub unchecked: std::collections::BTreeSet<Unchecked>,
}

impl Default for Profile {
    fn default() -> Profile {
        Profile {
            max_opset: i64::MAX,
            max_ir_version: i64::MAX,
            onnx: None,
            needs_worker: false,
            flush_subnormals: false,
            low_precision_accumulation: false,
            products: Products::Float,
            double: Doubles::Double,
            nondeterministic: false,
            constant_inputs: Default::default(),
            accuracy: DEFAULT_ACCURACY.to_owned(),
            ulp: Default::default(),
            extra_ulp: Default::default(),
            unchecked: Default::default(),
        }
    }
}

impl Profile {
    /// Returns the profile of a backend that computes on a CPU, so that its divisions and square roots are correctly
    /// rounded.
    pub fn of_cpu() -> Profile {
        Profile { accuracy: CPU_ACCURACY.to_owned(), ..Profile::default() }
    }

    /// Returns the part of the profile that changes what is accepted.
    pub fn numerics(&self) -> Numerics {
        Numerics {
            flush_subnormals: self.flush_subnormals,
            low_precision_accumulation: self.low_precision_accumulation,
            products: self.products,
            double: self.double,
            accuracy: self.accuracy.clone(),
            ulp: self.ulp.clone(),
            extra_ulp: self.extra_ulp.clone(),
            onnx: self.onnx,
            unchecked: self.unchecked.clone(),
        }
    }
}

/// Something that runs ONNX models.
pub trait Backend: Send + Sync {
    /// Returns the name and version of the backend.
    fn identity(&self) -> Identity;

    /// Returns what the backend declares about itself.
    fn profile(&self) -> &Profile;

    /// Loads a model and prepares it to run.
    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal>;
}

/// A model that a backend has prepared to run.
pub trait Prepared {
    /// Runs the model once. `inputs` holds one value for each of [`Model::input_names`], in that order. The result
    /// holds one value for each of [`Model::output_names`].
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal>;
}

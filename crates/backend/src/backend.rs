//! The [`Backend`] trait, which runs ONNX models, and what a backend declares about itself.

use std::panic::resume_unwind;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use plumbline_graph::Refusal;
use plumbline_spec::{
    CPU_ACCURACY, DEFAULT_ACCURACY, Doubles, Numerics, Products, ReleaseNumber, RuntimeRelease, Ulp, Unchecked,
};
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
    /// The release of ONNX Runtime whose operators (`com.microsoft`) the backend implements: `1.31`. `None` for the
    /// newest.
    pub onnxruntime: Option<RuntimeRelease>,
    /// Whether native code of the backend may crash the process, so that it must run in a worker process.
    pub needs_worker: bool,
    /// Whether the backend may flush subnormal inputs and results to zero.
    pub flush_subnormals: bool,
    /// Whether the backend may accumulate sums of 16-bit and smaller floats in the type of the elements instead of in
    /// float.
    pub low_precision_accumulation: bool,
    /// Whether the backend may round the products of 16-bit and smaller floats to the type of the elements before it adds
    /// them up in float.
    pub low_precision_products: bool,
    /// The format to which the backend may round the factors of products of float that are summed up.
    pub products: Products,
    /// The type in which the backend computes double.
    pub double: Doubles,
    /// Whether a session may return different bits when it runs again with the same inputs.
    pub nondeterministic: bool,
    /// Whether a session may run on several threads at the same time ([`Prepared::run_at_once`]).
    pub concurrent_runs: bool,
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
    /// The name of the adapter on which the backend computes. Results have it, and expectations may be about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
    /// The version of the adapter's driver: `31.0.15.3623`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
}

impl Default for Profile {
    fn default() -> Profile {
        Profile {
            max_opset: i64::MAX,
            max_ir_version: i64::MAX,
            onnx: None,
            onnxruntime: None,
            needs_worker: false,
            flush_subnormals: false,
            low_precision_accumulation: false,
            low_precision_products: false,
            products: Products::Float,
            double: Doubles::Double,
            nondeterministic: false,
            concurrent_runs: false,
            constant_inputs: Default::default(),
            accuracy: DEFAULT_ACCURACY.to_owned(),
            ulp: Default::default(),
            extra_ulp: Default::default(),
            unchecked: Default::default(),
            adapter: None,
            driver: None,
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
            low_precision_products: self.low_precision_products,
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

    /// Runs the model on two lists of inputs, each on a thread of its own, at the same time ([`at_once`]). Only backends
    /// whose profile declares [`Profile::concurrent_runs`] are asked for this.
    fn run_at_once(&mut self, inputs: [&[Value]; 2]) -> Result<[Vec<Value>; 2], Refusal> {
        let _ = inputs;
        Err(Refusal::unsupported("the backend does not run a session on two threads"))
    }
}

/// How often two threads run a session at the same time, and how long they go on before the last time.
const ROUNDS: usize = 32;
const LONGEST: Duration = Duration::from_millis(20);

/// Runs `run` on two lists of inputs, first one after the other, and then several times on two threads that start together.
/// Returns the first answers that differ from those of the runs one after the other, or else the last ones: that two
/// threads get in each other's way may need several attempts.
///
/// # Errors
/// Returns the refusal of a run.
pub fn at_once(
    inputs: [&[Value]; 2],
    run: impl Fn(&[Value]) -> Result<Vec<Value>, Refusal> + Sync,
) -> Result<[Vec<Value>; 2], Refusal> {
    let alone = [run(inputs[0])?, run(inputs[1])?];
    let (start, barrier) = (Instant::now(), Barrier::new(2));
    let mut round = 0;
    loop {
        round += 1;
        let start_together = |inputs: &[Value]| {
            barrier.wait();
            run(inputs)
        };
        let both = std::thread::scope(|scope| {
            let other = scope.spawn(|| start_together(inputs[1]));
            let first = start_together(inputs[0]);
            [first, other.join().unwrap_or_else(|reason| resume_unwind(reason))]
        });
        let [first, second] = both;
        let both = [first?, second?];
        if both != alone || round == ROUNDS || start.elapsed() >= LONGEST {
            return Ok(both);
        }
    }
}

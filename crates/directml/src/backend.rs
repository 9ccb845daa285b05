//! The backend `directml-software`: it lowers ONNX models to DirectML's operators at a feature level, and runs them on
//! the software device.

use std::sync::Arc;

use plumbline_spec::directml::FeatureLevel;
use plumbline_tensor::{Model, Value};

use super::carried::Carried;
use super::execution::{ExecutionError, execute};
use super::lowering::{LoweringError, Options, lower};
use super::software::{Device, DeviceError, SoftwareDevice};
use plumbline_backend::{Backend, Identity, Prepared, Profile};
use plumbline_graph::Refusal;

/// The backend's name; `directml-software@5_0` selects feature level 5_0.
pub const NAME: &str = "directml-software";

/// A backend that lowers ONNX models to DirectML and runs them on the software device.
#[derive(Clone, Debug)]
pub struct DirectMlSoftware {
    level: FeatureLevel,
    profile: Profile,
}

impl DirectMlSoftware {
    /// Creates the backend for a feature level.
    pub fn new(level: FeatureLevel) -> DirectMlSoftware {
        // The CPU kernels that the device runs on may panic or not terminate, so this backend needs a worker.
        DirectMlSoftware { level, profile: Profile { needs_worker: true, ..Profile::of_cpu() } }
    }
}

impl Backend for DirectMlSoftware {
    /// The version is the feature level, because results at different levels count as results of different backends.
    fn identity(&self) -> Identity {
        Identity { name: NAME.to_owned(), version: self.level.to_string() }
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Only keeps the model. ONNX passes shapes, axes and bounds as inputs where DirectML has attributes, so the graph
    /// cannot be made before the input values are known.
    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        Ok(Box::new(Lowered::new(Arc::new(SoftwareDevice::new(self.level)), model)))
    }
}

/// A model that is lowered for a device anew in each run.
pub(super) struct Lowered {
    device: Arc<dyn Device + Send + Sync>,
    model: Model,
}

impl Lowered {
    pub(super) fn new(device: Arc<dyn Device + Send + Sync>, model: &Model) -> Lowered {
        Lowered { device, model: model.clone() }
    }
}

impl Prepared for Lowered {
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        run(self.device.as_ref(), &self.model, inputs)
    }
}

/// Lowers a model at the feature level of a device, and runs it there. Returns one value for each output of the model.
/// A model that [carries](super::carried) an operator of DirectML is not lowered: that operator runs.
///
/// A model that breaks a rule of ONNX is refused only if the lowering needs that rule to make a graph, if the graph
/// breaks a rule of DirectML, or if the device refuses it. Otherwise the device answers, for instance with an index out
/// of range.
///
/// # Errors
/// Unsupported: the model cannot be lowered, its tensors need too much memory, or the device lacks an operator or type.
/// Invalid: the model or its inputs break a rule of ONNX. Failed: the device failed, it changed memory that it must not
/// change, or our own code made an error, such as a graph that validation rejects. Device lost: the device was lost.
pub fn run(device: &dyn Device, model: &Model, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
    if let Some(carried) = Carried::find(model) {
        return carried?.run(device, model, inputs);
    }
    let graph = lower(model, inputs, Options::at(device.feature_level())).map_err(refusal)?;
    let values = execute(device, &graph, inputs).map_err(|error| match error {
        ExecutionError::Device { error: DeviceError::NotThere(refusal), .. } => refusal,
        ExecutionError::TooLarge => Refusal::unsupported(error.to_string()),
        error => Refusal::failed(error.to_string()),
    })?;
    let named: Vec<(&str, Value)> = graph.outputs.iter().map(|output| output.name.as_str()).zip(values).collect();
    let output = |name: &&str| {
        let found = named.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        found.ok_or_else(|| Refusal::failed(format!("the graph has no output `{name}`")))
    };
    model.output_names().iter().map(output).collect()
}

fn refusal(error: LoweringError) -> Refusal {
    match error {
        LoweringError::Unsupported(unsupported) => Refusal::unsupported(unsupported.to_string()),
        LoweringError::Invalid(refusal) => refusal,
        LoweringError::Description(error) => Refusal::failed(error.to_string()),
    }
}

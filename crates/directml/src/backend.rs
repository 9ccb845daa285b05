//! The backend `directml-software`: ONNX lowered to DirectML's operators at a feature level, and run on the device in
//! software.

use std::sync::Arc;

use plumbline_spec::directml::FeatureLevel;
use plumbline_tensor::{Model, Value};

use super::execution::{ExecutionError, execute};
use super::lowering::{LoweringError, Options, lower};
use super::software::{Device, DeviceError, SoftwareDevice};
use plumbline_backend::{Backend, Identity, Prepared, Profile};
use plumbline_cpu::Cpu;
use plumbline_graph::{Refusal, RefusalKind};

/// What it is called; `directml-software@5_0` is it at that feature level.
pub const NAME: &str = "directml-software";

/// ONNX by DirectML, on the device in software.
#[derive(Clone, Debug)]
pub struct DirectMlSoftware {
    level: FeatureLevel,
    profile: Profile,
}

impl DirectMlSoftware {
    /// The backend at a feature level.
    pub fn new(level: FeatureLevel) -> DirectMlSoftware {
        // As of the kernels it runs on: it may panic or not come to an end.
        DirectMlSoftware { level, profile: Profile { needs_worker: true, ..Profile::default() } }
    }
}

impl Backend for DirectMlSoftware {
    /// The version is the feature level: results at different levels are results of different backends.
    fn identity(&self) -> Identity {
        Identity { name: NAME.to_owned(), version: self.level.to_string() }
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Keeps the model: shapes, axes and bounds that are inputs of ONNX are attributes of DirectML, so that there is a
    /// graph once there are values.
    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        Ok(Box::new(Lowered::new(Arc::new(SoftwareDevice::new(self.level)), model)))
    }
}

/// A model, lowered for a device whenever it runs.
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

/// Lowers a model at the level of a device, and runs it there: one value for each output of the model.
///
/// # Errors
/// Unsupported: what stands in the way of the lowering, or what the device does not have. Invalid: what is wrong with
/// the model. Failed: what must not happen, such as a graph that validation refuses, or memory that has changed.
pub fn run(device: &dyn Device, model: &Model, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
    let graph = lower(model, inputs, Options::at(device.feature_level())).map_err(refusal)?;
    keeps_the_rules(model, inputs)?;
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

/// What breaks a rule of ONNX may well be a graph: indices out of range, lists of the wrong length. The lowering looks
/// after what it needs itself; the operators of `cpu`, which look after all, are asked for the rest.
fn keeps_the_rules(model: &Model, inputs: &[Value]) -> Result<(), Refusal> {
    match Cpu::new().prepare(model).and_then(|mut prepared| prepared.run(inputs)) {
        Err(refusal) if refusal.kind == RefusalKind::Invalid => Err(refusal),
        _ => Ok(()),
    }
}

fn refusal(error: LoweringError) -> Refusal {
    match error {
        LoweringError::Unsupported(unsupported) => Refusal::unsupported(unsupported.to_string()),
        LoweringError::Invalid(refusal) => refusal,
        LoweringError::Description(error) => Refusal::failed(error.to_string()),
    }
}

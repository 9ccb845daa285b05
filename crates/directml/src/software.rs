//! A device in software. It validates a description, runs it with the kernels of the [`cpu`](plumbline_cpu) backend on
//! buffers of bytes, and writes only where a real device may write.

mod attention;
mod by_rows;
mod call;
mod convolution;
mod element_wise;
mod families;
mod fold;
mod matrix;
mod memory;
mod movement;
mod normalization;
mod pooling;
mod quantize;
mod recurrent;
mod reduction;
mod regions;
mod sample;
mod training;
mod types;
mod window;

use super::description::OperatorDescription;
use super::validate::{Binding, Rule, Violation, binding_violations, violations};
use call::{Call, Stop};
use memory::Memory;
use plumbline_graph::Refusal;
use plumbline_spec::directml::{DirectMl, FeatureLevel, FieldKind, Operator};

/// The reason why a device did not run an operator.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DeviceError {
    /// The description or its bindings are invalid; nothing was written.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Invalid(Vec<Violation>),
    /// The device does not support the operator, failed, or was lost. Nothing was written.
    #[error("{0}")]
    NotThere(Refusal),
}

/// A device that runs operators on buffers.
pub trait Device {
    /// Returns the feature level that descriptions are validated at.
    fn feature_level(&self) -> FeatureLevel;

    /// Runs an operator once. The bindings are in the order of [`OperatorDescription::inputs`] and
    /// [`OperatorDescription::outputs`].
    ///
    /// # Errors
    /// [`DeviceError`]; in that case no buffer has changed.
    fn dispatch(
        &self,
        description: &OperatorDescription,
        buffers: &mut [Vec<u8>],
        inputs: &[Option<Binding>],
        outputs: &[Option<Binding>],
    ) -> Result<(), DeviceError>;
}

/// The software device.
#[derive(Clone, Copy, Debug)]
pub struct SoftwareDevice {
    level: FeatureLevel,
}

impl SoftwareDevice {
    /// Creates a device with this feature level.
    pub fn new(level: FeatureLevel) -> SoftwareDevice {
        SoftwareDevice { level }
    }

    /// Iterates over all operators that the device supports.
    pub fn operators() -> impl Iterator<Item = &'static Operator> {
        DirectMl::embedded().operators().iter().filter(|operator| families::find(operator.short_name()).is_some())
    }
}

impl Device for SoftwareDevice {
    fn feature_level(&self) -> FeatureLevel {
        self.level
    }

    fn dispatch(
        &self,
        description: &OperatorDescription,
        buffers: &mut [Vec<u8>],
        inputs: &[Option<Binding>],
        outputs: &[Option<Binding>],
    ) -> Result<(), DeviceError> {
        let sizes: Vec<u64> = buffers.iter().map(|buffer| buffer.len() as u64).collect();
        let mut found = violations(description, self.level);
        for (kind, bound) in [(FieldKind::InputTensor, inputs), (FieldKind::OutputTensor, outputs)] {
            found.extend(binding_violations(description, kind, bound, &sizes, self.level));
        }
        if !found.is_empty() {
            return Err(DeviceError::Invalid(found));
        }
        let no = |message: String| DeviceError::NotThere(Refusal::unsupported(message).at(description.name()));
        let run = families::find(description.name())
            .ok_or_else(|| no("the software device does not implement this operator".to_owned()))?;
        let memory = Memory { buffers, inputs, outputs };
        let written = run(&Call { description, memory: &memory }).map_err(|stop| match stop {
            Stop::Refused(refusal) => DeviceError::NotThere(refusal.at(description.name())),
            Stop::Wrong { field, said } => DeviceError::Invalid(vec![Violation {
                rule: Rule::Size,
                operator: description.name().to_owned(),
                field,
                found: said,
                allowed: String::new(),
                level: self.level,
                available_from: None,
            }]),
        })?;
        outputs.iter().flatten().zip(written).for_each(|(binding, bytes)| binding.write(buffers, &bytes));
        Ok(())
    }
}

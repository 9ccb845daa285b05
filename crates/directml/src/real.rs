//! The backend `directml`: it lowers ONNX models to DirectML's operators and runs them on the real device, on Windows.
//!
//! It shares everything except the device with `directml-software`. It has not yet run on a real device.

use std::sync::{Arc, Mutex, PoisonError};

use plumbline_spec::directml::FeatureLevel;
use plumbline_tensor::Model;

use super::backend::Lowered;
use super::description::OperatorDescription;
use super::device::{self, Dispatch, Facts, Session, Settings};
use super::packed::Packed;
use super::software::{Device, DeviceError};
use super::validate::Binding;
use plumbline_backend::{Backend, Identity, Prepared, Profile};
use plumbline_graph::Refusal;

/// The backend's name; `directml@5_0` lowers for feature level 5_0.
pub const NAME: &str = "directml";

/// The most seconds that the device may take for one operator. Windows itself resets a GPU that hangs for two seconds.
const DEADLINE_SECONDS: u64 = 30;

/// A function that runs an operator: [`Session::run`], or a test's replacement for it.
type Runs = Box<dyn FnMut(&Dispatch<'_>) -> Result<Vec<Vec<u8>>, device::DeviceError> + Send>;

/// The real device as a [`Device`].
struct RealDevice {
    level: FeatureLevel,
    run: Mutex<Runs>,
}

/// Converts a device's error to a refusal.
fn refusal(error: device::DeviceError) -> Refusal {
    match error {
        device::DeviceError::Unsupported { .. } => Refusal::unsupported(error.to_string()),
        error if error.is_device_lost() => Refusal::device_lost(error.to_string()),
        // If DirectML refuses what our validation accepts, one of the two is wrong, so that is a failure.
        error => Refusal::failed(error.to_string()),
    }
}

/// Returns the bytes of a binding; an error if the binding lies beyond its buffer.
fn bound<'a>(buffers: &'a [Vec<u8>], binding: &Option<Binding>) -> Result<Option<&'a [u8]>, Refusal> {
    let Some(binding) = binding else { return Ok(None) };
    let end = binding.offset.saturating_add(binding.size_in_bytes);
    let bytes = buffers.get(binding.buffer).and_then(|bytes| bytes.get(binding.offset as usize..end as usize));
    bytes.map(Some).ok_or_else(|| Refusal::failed("a binding reaches beyond the end of its buffer"))
}

impl RealDevice {
    fn answer(
        &self,
        description: &OperatorDescription,
        buffers: &[Vec<u8>],
        inputs: &[Option<Binding>],
        outputs: &[Option<Binding>],
    ) -> Result<Vec<Vec<u8>>, Refusal> {
        // Such a tensor has to be bound when the operator is initialized, and not when it runs.
        if description.inputs().iter().flatten().any(|tensor| tensor.flags.is_owned_by_dml()) {
            return Err(Refusal::unsupported(
                "this backend does not initialize operators with tensors that DirectML owns",
            ));
        }
        let operator = Packed::try_from(description).map_err(|error| Refusal::failed(error.to_string()))?;
        let all =
            |bindings: &[Option<Binding>]| bindings.iter().map(|b| bound(buffers, b)).collect::<Result<Vec<_>, _>>();
        let (inputs, outputs) = (all(inputs)?, all(outputs)?);
        let dispatch =
            Dispatch { operator: &operator, inputs: &inputs, outputs: &outputs, deadline_seconds: DEADLINE_SECONDS };
        let mut run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = run(&dispatch).map_err(refusal)?;
        let lengths = |bytes: &Option<&[u8]>| bytes.map_or(0, <[u8]>::len);
        if !answer.iter().map(Vec::len).eq(outputs.iter().map(lengths)) {
            return Err(Refusal::failed("the device returned outputs of other sizes than the bindings"));
        }
        Ok(answer)
    }
}

impl Device for RealDevice {
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
        let answer = self.answer(description, buffers, inputs, outputs);
        let answer = answer.map_err(|refusal| DeviceError::NotThere(refusal.at(description.name())))?;
        let bound = outputs.iter().zip(answer).filter_map(|(binding, bytes)| Some((binding.as_ref()?, bytes)));
        bound.for_each(|(binding, bytes)| binding.write(buffers, &bytes));
        Ok(())
    }
}

/// A backend that lowers ONNX models to DirectML and runs them on the real device.
pub struct DirectMl {
    device: Arc<dyn Device + Send + Sync>,
    version: String,
    profile: Profile,
}

impl DirectMl {
    /// Opens the device that the environment variables `PLUMBLINE_DIRECTML_ADAPTER` (a number, a part of a name, or
    /// `warp`), `PLUMBLINE_DIRECTML_LIBRARY` and `PLUMBLINE_DIRECTML_FLAGS` describe. The backend lowers for the given
    /// feature level, or for the newest one of the device. Without `metacommands`, operators run without meta commands.
    ///
    /// # Errors
    /// A sentence that says that a variable is invalid, that no device can be opened, or that the device does not
    /// support the level.
    pub fn start(level: Option<FeatureLevel>, metacommands: bool) -> Result<DirectMl, String> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let adapter = variable("PLUMBLINE_DIRECTML_ADAPTER").unwrap_or_default();
        let flags = variable("PLUMBLINE_DIRECTML_FLAGS").map_or(Ok(0), |flags| flags.parse::<u32>());
        let flags = flags.map_err(|error| format!("PLUMBLINE_DIRECTML_FLAGS: {error}"))?;
        let settings = Settings {
            adapter: adapter.parse().unwrap_or_default(),
            library: variable("PLUMBLINE_DIRECTML_LIBRARY").map(Into::into),
            debug: false,
            execution_flags: if metacommands { flags } else { flags | DISABLE_META_COMMANDS },
        };
        let mut session = Session::start(settings).map_err(|error| error.to_string())?;
        let facts = session
            .device()
            .map(|device| device.facts().clone())
            .ok_or("the device was lost right after it was opened")?;
        let newest = FeatureLevel::ALL.into_iter().rev().find(|level| level.value() <= facts.feature_level);
        let newest = newest.unwrap_or_default();
        let level = level.unwrap_or(newest);
        if level > newest {
            return Err(format!("the device supports feature levels up to {newest}, but {level} was asked for"));
        }
        let run: Runs = Box::new(move |dispatch: &Dispatch<'_>| session.run(dispatch));
        Ok(DirectMl {
            device: Arc::new(RealDevice { level, run: Mutex::new(run) }),
            version: version(&facts, level),
            profile: profile(&facts),
        })
    }
}

/// The execution flag with which DirectML may compute in float16.
const ALLOW_HALF_PRECISION_COMPUTATION: u32 = 1;
/// The execution flag with which DirectML runs operators without meta commands.
const DISABLE_META_COMMANDS: u32 = 2;

/// Returns the profile of a device. Sums of float16 may be float16 only if the execution flags allow it.
fn profile(facts: &Facts) -> Profile {
    Profile {
        needs_worker: true,
        low_precision_accumulation: facts.execution_flags & ALLOW_HALF_PRECISION_COMPUTATION != 0,
        adapter: Some(facts.adapter.clone()),
        driver: Some(facts.driver.clone()).filter(|driver| !driver.is_empty()),
        ..Profile::default()
    }
}

/// Returns the facts that results depend on, as a text: `1.15.4.0 (sha256 0123abcd) at 6_4 on NAME`.
fn version(facts: &Facts, level: FeatureLevel) -> String {
    let digest = facts.sha256.get(..8).unwrap_or("?");
    let flags = match facts.execution_flags {
        0 => String::new(),
        flags => format!(" with flags {flags}"),
    };
    format!("{} (sha256 {digest}) at {level} on {}{flags}", facts.version, facts.adapter)
}

impl Backend for DirectMl {
    fn identity(&self) -> Identity {
        Identity { name: NAME.to_owned(), version: self.version.clone() }
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        Ok(Box::new(Lowered::new(Arc::clone(&self.device), model)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::TensorDescription;
    use super::*;
    use plumbline_graph::RefusalKind;
    use plumbline_spec::directml::TensorDataType::Float32;

    fn device(
        run: impl FnMut(&Dispatch<'_>) -> Result<Vec<Vec<u8>>, device::DeviceError> + Send + 'static,
    ) -> RealDevice {
        RealDevice { level: FeatureLevel::V5_0, run: Mutex::new(Box::new(run)) }
    }

    /// Copies bytes 16 to 24 of a buffer to bytes 32 to 40.
    fn identity(device: &RealDevice) -> Result<Vec<u8>, DeviceError> {
        let row = TensorDescription::packed(Float32, [1, 1, 1, 2]);
        let builder = OperatorDescription::new("ELEMENT_WISE_IDENTITY").tensor("InputTensor", row.clone());
        let description = builder.tensor("OutputTensor", row).build().unwrap();
        let mut buffers = [(0..64).collect::<Vec<u8>>()];
        let at = |offset| [Some(Binding { buffer: 0, offset, size_in_bytes: 8 })];
        device.dispatch(&description, &mut buffers, &at(16), &at(32)).map(|()| buffers[0].clone())
    }

    #[test]
    fn bytes_go_to_the_device_and_back_to_their_places() {
        let copies = device(|dispatch| {
            assert_eq!(dispatch.operator.name(), "DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC");
            assert_eq!(dispatch.outputs, [Some(&(32..40).collect::<Vec<u8>>()[..])]);
            Ok(vec![dispatch.inputs[0].unwrap().to_vec()])
        });
        let bytes = identity(&copies).unwrap();
        assert!(bytes[32..40].iter().copied().eq(16..24));
        assert!(bytes[..32].iter().copied().eq(0..32) && bytes[40..].iter().copied().eq(40..64));
    }

    #[test]
    fn refusals_failures_and_lost_devices_are_distinguished() {
        use device::DeviceError::*;
        let reason = || "because".to_owned();
        for (error, kind) in [
            (Unsupported { reason: reason() }, RefusalKind::Unsupported),
            (Invalid { step: "CreateOperator", reason: reason() }, RefusalKind::Failed),
            (Removed { reason: reason() }, RefusalKind::DeviceLost),
            (Timeout { seconds: 30 }, RefusalKind::DeviceLost),
        ] {
            match identity(&device(move |_| Err(error.clone()))) {
                Err(DeviceError::NotThere(refusal)) => assert_eq!(refusal.kind, kind, "{refusal}"),
                other => panic!("{other:?}"),
            }
        }
        assert!(identity(&device(|_| Ok(vec![vec![0; 4]]))).is_err());
    }

    #[cfg(not(windows))]
    #[test]
    fn outside_of_windows_the_error_says_that_windows_is_needed() {
        let reason = DirectMl::start(None, true).err().unwrap();
        assert!(reason.starts_with("DirectML is a part of Windows, and this is "), "{reason}");
    }

    #[test]
    fn the_version_names_what_results_depend_on() {
        let facts = Facts {
            adapter: "Card".to_owned(),
            driver: "31.0.15.3623".to_owned(),
            software: false,
            library: "DirectML.dll".into(),
            version: "1.15.4.0".to_owned(),
            sha256: "0123abcd4567".to_owned(),
            feature_level: 0x6400,
            data_types: 0,
            execution_flags: 2,
            direct3d_debug: false,
            directml_debug: false,
        };
        assert_eq!(version(&facts, FeatureLevel::V5_0), "1.15.4.0 (sha256 0123abcd) at 5_0 on Card with flags 2");
        assert!(!profile(&facts).low_precision_accumulation);
        assert!(profile(&Facts { execution_flags: 3, ..facts.clone() }).low_precision_accumulation);
        let device = |facts: &Facts| (profile(facts).adapter.unwrap(), profile(facts).driver);
        assert_eq!(device(&facts), ("Card".to_owned(), Some("31.0.15.3623".to_owned())));
        assert_eq!(device(&Facts { driver: String::new(), ..facts }), ("Card".to_owned(), None));
    }
}

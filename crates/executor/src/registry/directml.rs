//! The backends that run on DirectML itself, which exists on Windows only. On other systems, starting them fails.

#[cfg(any(feature = "directml", all(windows, feature = "onnxruntime")))]
use super::BackendName;
#[cfg(any(feature = "directml", all(windows, feature = "onnxruntime")))]
use super::Options;
use super::Registry;
#[cfg(all(windows, feature = "onnxruntime"))]
use super::entry::Entry;
#[cfg(any(feature = "directml", all(windows, feature = "onnxruntime")))]
use super::entry::{Needs, Place};
#[cfg(any(feature = "directml", all(windows, feature = "onnxruntime")))]
use crate::Backend;
use crate::StartError;

impl Registry {
    #[cfg(not(feature = "directml"))]
    pub(super) fn with_directml(self) -> Registry {
        self
    }

    /// Adds DirectML on a real device. On systems other than Windows, the name is known, but starting the backend fails
    /// with the system as the reason.
    #[cfg(feature = "directml")]
    pub(super) fn with_directml(self) -> Registry {
        use crate::directml::real::{DirectMl, NAME};

        let open = |name: &BackendName, _: &Options| -> Result<Box<dyn Backend>, StartError> {
            let cannot = |reason: String| StartError::cannot_start(name, reason);
            let level = name.version.as_deref().map(str::parse).transpose();
            let level = level.map_err(|error: plumbline_spec::directml::LevelError| cannot(error.to_string()))?;
            let metacommands = metacommands(name).map_err(cannot)?;
            Ok(Box::new(DirectMl::start(level, metacommands).map_err(cannot)?))
        };
        let about = "DirectML on a device, on Windows (PLUMBLINE_DIRECTML_ADAPTER selects the device)";
        let place = if cfg!(windows) { Place::Worker(Box::new(open)) } else { Place::Here(Box::new(open)) };
        let check = |name: &BackendName| metacommands(name).map(drop);
        self.entry_added(NAME, about, place, Needs { check: Some(Box::new(check)), ..Needs::default() })
    }

    #[cfg(not(feature = "directml"))]
    pub(super) fn with_directml_software(self) -> Registry {
        self
    }

    #[cfg(feature = "directml")]
    pub(super) fn with_directml_software(self) -> Registry {
        use crate::directml::backend::{DirectMlSoftware, NAME};
        use plumbline_spec::directml::FeatureLevel;

        let open = |name: &BackendName, _: &Options| -> Result<Box<dyn Backend>, StartError> {
            let level = name.version.as_deref().map_or(Ok(FeatureLevel::LAST), str::parse);
            let level = level.map_err(|error| StartError::cannot_start(name, error))?;
            Ok(Box::new(DirectMlSoftware::new(level)))
        };
        let about = format!("DirectML's operators on our own kernels, built in ({} unless @LEVEL)", FeatureLevel::LAST);
        let check = |name: &BackendName| match &name.argument {
            Some(argument) => Err(format!("`{argument}` is not a setting of {NAME}, which has no device")),
            None => Ok(()),
        };
        let needs = Needs { check: Some(Box::new(check)), ..Needs::default() };
        self.entry_added(NAME, &about, Place::Worker(Box::new(open)), needs)
    }

    #[cfg(all(windows, feature = "onnxruntime"))]
    pub(super) fn with_onnxruntime_directml(mut self) -> Registry {
        use crate::onnxruntime::{DIRECTML_NAME, OnnxRuntime, library::DIRECTML};

        fn version(name: &BackendName) -> &str {
            name.version.as_deref().unwrap_or(DIRECTML.default_version)
        }
        let construct = |name: &BackendName, options: &Options| -> Result<Box<dyn Backend>, StartError> {
            let version = version(name);
            let library = DIRECTML.find(&options.libraries, version).ok_or_else(|| {
                StartError::cannot_start(
                    name,
                    format!("{DIRECTML_NAME} {version} is not on this machine; `backends --fetch {name}` downloads it"),
                )
            })?;
            let adapter = std::env::var("PLUMBLINE_DIRECTML_ADAPTER").ok().and_then(|adapter| adapter.parse().ok());
            Ok(Box::new(OnnxRuntime::load_directml(&library, version, adapter.unwrap_or(0))?))
        };
        let about = "ONNX Runtime with its DirectML provider, from the Python wheel of that name";
        self.entries.push(Entry {
            base: DIRECTML_NAME.to_owned(),
            about: format!("{about} ({} unless @VERSION)", DIRECTML.default_version),
            place: Place::Worker(Box::new(construct)),
            needs: Needs {
                fetch: Some(Box::new(|name, libraries| DIRECTML.fetch(libraries, version(name)).map(|_| ()))),
                at_hand: Some(Box::new(|name, libraries| match DIRECTML.find(libraries, version(name)) {
                    Some(_) => Ok(()),
                    None => Err(format!("not on this machine; `backends --fetch {name}` downloads it with pip")),
                })),
                variants: Some(Box::new(|libraries| {
                    let versions = DIRECTML.versions(libraries).into_iter();
                    let others = versions.filter(|version| version != DIRECTML.default_version);
                    others.map(|version| format!("{DIRECTML_NAME}@{version}")).collect()
                })),
                ..Needs::default()
            },
        });
        self
    }

    #[cfg(not(all(windows, feature = "onnxruntime")))]
    pub(super) fn with_onnxruntime_directml(self) -> Registry {
        self.with("onnxruntime-directml", "ONNX Runtime with its DirectML provider, on Windows", |name| {
            let reason = match cfg!(windows) {
                true => "this program is built without the feature `onnxruntime`".to_owned(),
                false => format!("its DirectML provider is a part of Windows, and this is {}", std::env::consts::OS),
            };
            Err(StartError::cannot_start(name, reason))
        })
    }
}

/// Reads the setting of a name: whether DirectML may run meta commands, which drivers have for some operators.
#[cfg(feature = "directml")]
fn metacommands(name: &BackendName) -> Result<bool, String> {
    name.is_on("metacommands", ["on", "off"])
}

#[cfg(all(test, not(windows), feature = "directml"))]
mod tests {
    use super::Registry;
    use crate::Options;

    #[test]
    fn windows_backends_fail_on_other_systems_with_the_system_as_the_reason() {
        let registry = Registry::new(Options::default());
        for name in ["directml", "directml@5_0", "directml@5_0:metacommands=off,ulp.exp=4", "onnxruntime-directml"] {
            assert!(registry.knows(name).is_ok());
            let error = registry.start(name).err().unwrap().to_string();
            assert!(error.contains("of Windows, and this is ") && error.lines().count() == 1, "{error}");
        }
        let error = registry.start("directml@9_9").err().unwrap().to_string();
        assert!(error.contains("9_9"), "{error}");
    }

    #[test]
    fn only_the_backend_with_a_device_has_metacommands() {
        let registry = Registry::new(Options::default());
        let wrong = |name: &str| registry.knows(name).err().unwrap().to_string();
        let text = wrong("directml:metacommands=perhaps");
        assert!(text.contains("is not a setting of directml: write metacommands=off or"), "{text}");
        for name in ["directml-software:metacommands=off", "directml-software@5_0:metacommands=off"] {
            let text = wrong(name);
            assert!(text.contains("`metacommands=off` is not a setting of directml-software"), "{text}");
        }
    }
}

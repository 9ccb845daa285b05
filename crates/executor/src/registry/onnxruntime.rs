//! ONNX Runtime, on the CPU or with an execution provider of the user's choice.

#[cfg(feature = "onnxruntime")]
use std::path::{Path, PathBuf};

use super::Registry;
#[cfg(feature = "onnxruntime")]
use super::entry::{Entry, Needs, Place};
#[cfg(feature = "onnxruntime")]
use super::{BackendName, Options};
#[cfg(feature = "onnxruntime")]
use crate::Backend;
use crate::StartError;

#[cfg(feature = "onnxruntime")]
use crate::onnxruntime::{
    NAME, OnnxRuntime, library,
    nvidia::{self, Nvidia},
    passes::PASSES,
    plugin::Plugin,
    settings::{Optimization, SWITCHES, Settings, Source},
    swiftshader,
};

/// What a name asks for.
#[cfg(feature = "onnxruntime")]
struct Wanted {
    /// The version of ONNX Runtime.
    version: String,
    settings: Settings,
}

#[cfg(feature = "onnxruntime")]
impl Wanted {
    /// Reads a name such as `onnxruntime@1.30.0:ep=ggml`. The error is one line.
    fn parse(name: &BackendName) -> Result<Wanted, String> {
        let settings = Settings::parse(name.argument.as_deref())?;
        let default_version = match &settings.source {
            Some(Source::Package(plugin)) => plugin.runtime_version(),
            _ => library::USUAL.default_version,
        };
        let version = name.version.clone().unwrap_or_else(|| default_version.to_owned());
        Ok(Wanted { version, settings })
    }

    fn nvidia(&self) -> Option<Nvidia> {
        match &self.settings.source {
            Some(Source::Nvidia(provider)) => Some(*provider),
            _ => None,
        }
    }

    /// Returns ONNX Runtime's library if it and everything else that is fetched are on this machine.
    fn find(&self, libraries: &Path) -> Option<PathBuf> {
        match (self.nvidia(), self.plugin()) {
            (Some(provider), _) => Some(provider.find(libraries, &self.version)?.runtime),
            (None, Some(plugin)) if plugin.find(libraries).is_none() => None,
            _ => library::USUAL.find(libraries, &self.version),
        }
    }

    fn fetch(&self, libraries: &Path) -> Result<(), String> {
        if let Some(provider) = self.nvidia() {
            return provider.fetch(libraries, &self.version);
        }
        library::USUAL.fetch(libraries, &self.version)?;
        self.plugin().map_or(Ok(()), |plugin| plugin.fetch(libraries).map(|_| ()))
    }

    /// Returns the graph optimizations of sessions, unless the name chooses them already, and then the settings of the
    /// name that may break a graph as an optimization does. `None` if there are neither.
    fn passes(&self) -> Option<Vec<&'static str>> {
        let Settings { source, optimization, disabled, text, .. } = &self.settings;
        let has_optimizer = source.is_none() && *optimization != Some(Optimization::None) && disabled.is_empty();
        let named = SWITCHES.into_iter().filter(|switch| text.split(',').any(|setting| setting == *switch));
        let passes: Vec<&str> = PASSES.into_iter().filter(|_| has_optimizer).chain(named).collect();
        (!passes.is_empty()).then_some(passes)
    }

    fn plugin(&self) -> Option<&Plugin> {
        match &self.settings.source {
            Some(Source::Package(plugin)) => Some(plugin),
            _ => None,
        }
    }
}

/// Returns the reason why a backend that is not fetched does not start.
#[cfg(feature = "onnxruntime")]
fn not_here(name: &BackendName) -> String {
    format!("not on this machine; `backends --fetch {name}` downloads it with pip")
}

impl Registry {
    #[cfg(feature = "onnxruntime")]
    pub(super) fn with_onnxruntime(mut self) -> Registry {
        let construct = |name: &BackendName, options: &Options| -> Result<Box<dyn Backend>, StartError> {
            let wanted = Wanted::parse(name).map_err(|reason| StartError::cannot_start(name, reason))?;
            let missing = || StartError::cannot_start(name, not_here(name));
            let library = wanted.find(&options.libraries).ok_or_else(missing)?;
            Ok(Box::new(OnnxRuntime::load(&library, &wanted.version, &wanted.settings, &options.libraries)?))
        };
        self.entries.push(Entry {
            base: NAME.to_owned(),
            about: format!(
                "libonnxruntime from the Python wheel ({} unless @VERSION or the provider asks for another), on the CPU or a provider (:ep=NAME)",
                library::USUAL.default_version
            ),
            place: Place::Worker(Box::new(construct)),
            needs: Needs {
                check: Some(Box::new(|name| Wanted::parse(name).map(|_| ()))),
                fetch: Some(Box::new(|name, libraries| {
                    Wanted::parse(name)?.fetch(libraries)
                })),
                at_hand: Some(Box::new(|name, libraries| {
                    Wanted::parse(name)?.find(libraries).map(|_| ()).ok_or_else(|| not_here(name))
                })),
                machine: Some(Box::new(|name| {
                    Wanted::parse(name)?.nvidia().map_or(Ok(()), |_| nvidia::check_driver())
                })),
                environment: Some(Box::new(|name| {
                    let is_software = swiftshader::is_wanted(&Wanted::parse(name)?.settings);
                    if is_software { swiftshader::environment() } else { Ok(Vec::new()) }
                })),
                passes: Some(|name| Wanted::parse(name).ok()?.passes()),
                variants: Some(Box::new(|libraries| {
                    let versions = library::USUAL.versions(libraries).into_iter();
                    let others = versions.filter(|version| version != library::USUAL.default_version);
                    let providers = Plugin::installed(libraries).into_iter().chain(Nvidia::installed(libraries));
                    let providers = providers.map(|name| format!("{NAME}:ep={name}"));
                    others.map(|version| format!("{NAME}@{version}")).chain(providers).collect()
                })),
                ..Needs::default()
            },
        });
        self
    }

    #[cfg(not(feature = "onnxruntime"))]
    pub(super) fn with_onnxruntime(self) -> Registry {
        self.with("onnxruntime", "libonnxruntime from the Python wheel", |name| {
            Err(StartError::cannot_start(name, "this program is built without the feature `onnxruntime`"))
        })
    }
}

#[cfg(all(test, feature = "onnxruntime"))]
mod tests {
    use super::super::{BackendName, Options, Registry};
    use super::Wanted;

    #[test]
    fn a_provider_brings_the_version_of_the_runtime_that_it_works_with() {
        let version = |name: &str| Wanted::parse(&BackendName::parse(name)).unwrap().version;
        assert_eq!(version("onnxruntime"), "1.31.1");
        assert_eq!(version("onnxruntime:ep=ggml"), "1.30.0");
        assert_eq!(version("onnxruntime@1.29.0:ep=ggml"), "1.29.0");
        assert_eq!(version("onnxruntime:ep=/opt/libfoo.so,device=gpu"), "1.31.1");
    }

    #[test]
    fn a_setting_that_may_break_a_graph_is_left_out_as_a_pass_is() {
        let registry = Registry::new(Options::default());
        let passes = |name: &str| registry.passes(name).unwrap_or_default();
        let name = "onnxruntime@1.32.0:memory_pattern=on,execution_mode=parallel,ulp.exp=4";
        assert!(passes(name).ends_with(&[
            "NhwcTransformer",
            "RemoveDuplicateCastTransformer",
            "memory_pattern=on",
            "execution_mode=parallel"
        ]));
        assert_eq!(
            registry.without(name, &["execution_mode=parallel"]),
            "onnxruntime@1.32.0:memory_pattern=on,ulp.exp=4"
        );
        assert_eq!(
            registry.without(name, &["ReshapeFusion", "memory_pattern=on"]),
            "onnxruntime@1.32.0:execution_mode=parallel,disable=ReshapeFusion,ulp.exp=4"
        );
        assert_eq!(registry.without(name, &[]), "onnxruntime@1.32.0:optimization=none,ulp.exp=4");
        assert_eq!(passes("onnxruntime:optimization=none,memory_pattern=on"), ["memory_pattern=on"]);
        assert_eq!(registry.without("onnxruntime:memory_pattern=on", &["memory_pattern=on"]), "onnxruntime");
        assert_eq!(registry.passes("onnxruntime:optimization=none"), None, "there is nothing left to switch off");
    }

    #[test]
    fn wrong_settings_are_wrong_usage_and_a_missing_package_is_not() {
        let folder = std::env::temp_dir().join("plumbline-no-libraries");
        let registry = Registry::new(Options { libraries: folder, fetch: false, ..Options::default() });
        let error = registry.knows("onnxruntime:ep=ggml,device=tpu").unwrap_err().to_string();
        assert_eq!(
            error,
            "`onnxruntime:ep=ggml,device=tpu` is not the name of a backend: `tpu` is not a device: write cpu, gpu, npu or a \
             number from 0"
        );
        registry.knows("onnxruntime@1.30.0:ep=onnxruntime-foo@1.0,option.threads=2").unwrap();
        let error = registry.start("onnxruntime:ep=ggml").err().unwrap().to_string();
        assert_eq!(
            error,
            "onnxruntime:ep=ggml cannot start: not on this machine; `backends --fetch onnxruntime:ep=ggml` downloads it with pip"
        );
    }
}

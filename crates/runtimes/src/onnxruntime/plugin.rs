//! Execution providers that are plug-ins for ONNX Runtime, in pip packages of their own. `pip` downloads the wheel,
//! which is extracted into `LIBRARIES/PACKAGE/VERSION/`.

use std::path::{Path, PathBuf};

use super::library::USUAL;
use super::wheel;

/// A package, and versions of it and of ONNX Runtime that are known to work together.
struct Known {
    /// The short name: `ggml`.
    name: &'static str,
    /// The name of the package.
    package: &'static str,
    /// The version that is used if none is requested.
    version: &'static str,
    /// The version of ONNX Runtime that is used if none is requested.
    runtime: &'static str,
}

const KNOWN: [Known; 4] = [
    // The package's metadata asks for a version of ONNX Runtime below 1.31.
    Known { name: "ggml", package: "onnxruntime-ggml", version: "0.2.0", runtime: "1.30.0" },
    Known { name: "openvino", package: "onnxruntime-ep-openvino", version: "1.8.1", runtime: USUAL.default_version },
    Known { name: "qnn", package: "onnxruntime-qnn", version: "2.7.0", runtime: USUAL.default_version },
    Known { name: "webgpu", package: "onnxruntime-ep-webgpu", version: "0.4.0", runtime: USUAL.default_version },
];

/// The file in the folder of a fetched package that holds the path of the plug-in library, relative to that folder.
const PATH_FILE: &str = "plugin.txt";

/// A version of a pip package with an execution provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plugin {
    /// The name of the package: `onnxruntime-ggml`.
    pub package: String,
    /// Its version: `0.2.0`.
    pub version: String,
}

/// Why a text does not name a version of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PluginError {
    /// It is neither a short name nor the name of a package. Names of packages begin with `onnxruntime-`.
    NotAPackage,
    /// It is a package without a version, and no default version is known.
    NoVersion,
    /// The part after the `@`, which is not a version.
    NotAVersion(String),
}

impl Plugin {
    /// Returns the short names of the known packages.
    pub fn known() -> Vec<&'static str> {
        KNOWN.iter().map(|known| known.name).collect()
    }

    /// Reads `ggml`, `ggml@0.2.0` or `onnxruntime-foo@1.0`.
    pub fn parse(text: &str) -> Result<Plugin, PluginError> {
        let (name, version) = text.split_once('@').map_or((text, None), |(name, version)| (name, Some(version)));
        let known = KNOWN.iter().find(|known| known.name == name || known.package == name);
        let is_package = name.starts_with("onnxruntime-")
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        let package =
            known.map(|known| known.package).or(is_package.then_some(name)).ok_or(PluginError::NotAPackage)?;
        let version = version.or(known.map(|known| known.version)).ok_or(PluginError::NoVersion)?;
        let is_version = |c: char| c.is_ascii_alphanumeric() || c == '.';
        if version.is_empty() || version.starts_with('.') || !version.chars().all(is_version) {
            return Err(PluginError::NotAVersion(version.to_owned()));
        }
        Ok(Plugin { package: package.to_owned(), version: version.to_owned() })
    }

    /// Returns the version of ONNX Runtime that is used if none is requested.
    pub fn runtime_version(&self) -> &'static str {
        KNOWN.iter().find(|known| known.package == self.package).map_or(USUAL.default_version, |known| known.runtime)
    }

    fn folder(&self, libraries: &Path) -> PathBuf {
        libraries.join(&self.package).join(&self.version)
    }

    /// Returns the plug-in library if the package is installed.
    pub fn find(&self, libraries: &Path) -> Option<PathBuf> {
        let folder = self.folder(libraries);
        let path = std::fs::read_to_string(folder.join(PATH_FILE)).ok()?;
        // ONNX Runtime takes a relative path as relative to its own library.
        std::path::absolute(folder.join(path.trim())).ok().filter(|path| path.is_file())
    }

    /// Fetches the package if it is not installed. The error is one line.
    pub fn fetch(&self, libraries: &Path) -> Result<PathBuf, String> {
        if let Some(library) = self.find(libraries) {
            return Ok(library);
        }
        let fetched = wheel::fetch(&self.package, &self.version, &self.folder(libraries), wheel::Content::Plugin);
        let reason = fetched.err().unwrap_or_else(|| "its folder exists, without the plug-in library".to_owned());
        self.find(libraries)
            .ok_or_else(|| format!("{self} is not on this machine and cannot be downloaded with pip: {reason}"))
    }

    /// Returns the short names of the known packages that are installed in their default version.
    pub fn installed(libraries: &Path) -> Vec<&'static str> {
        let is_installed = |name: &&str| Plugin::parse(name).is_ok_and(|plugin| plugin.find(libraries).is_some());
        Plugin::known().into_iter().filter(is_installed).collect()
    }
}

impl std::fmt::Display for Plugin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.package, self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_found_where_it_was_extracted() {
        let libraries = std::env::temp_dir().join(format!("plumbline-plugins-{}", std::process::id()));
        let plugin = Plugin::parse("ggml").unwrap();
        assert_eq!((plugin.to_string().as_str(), plugin.runtime_version()), ("onnxruntime-ggml 0.2.0", "1.30.0"));
        let folder = libraries.join("onnxruntime-ggml/0.2.0");
        std::fs::create_dir_all(folder.join("lib")).unwrap();
        std::fs::write(folder.join(PATH_FILE), "lib/libggml.so\n").unwrap();
        assert_eq!(plugin.find(&libraries), None);
        std::fs::write(folder.join("lib/libggml.so"), "").unwrap();
        assert_eq!(plugin.find(&libraries), Some(folder.join("lib/libggml.so")));
        assert_eq!(Plugin::installed(&libraries), ["ggml"]);
        std::fs::remove_dir_all(&libraries).unwrap();
        assert!(Plugin::installed(&libraries).is_empty());
    }

    #[test]
    fn unknown_packages_run_on_the_usual_runtime() {
        let plugin = Plugin::parse("onnxruntime-ep-foo@1.2").unwrap();
        assert_eq!(plugin.runtime_version(), USUAL.default_version);
        assert_eq!(Plugin::parse("numpy@2.0"), Err(PluginError::NotAPackage));
        assert_eq!(Plugin::parse("onnxruntime-../x@2.0"), Err(PluginError::NotAPackage));
    }
}

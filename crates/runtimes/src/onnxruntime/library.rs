//! Finds and fetches ONNX Runtime's shared library: `pip` downloads the wheel of a version, and the library is
//! extracted from it into `LIBRARIES/PACKAGE/VERSION/`.

use std::path::{Path, PathBuf};

use super::wheel;

/// A pip package that contains the library, and the version that is used by default.
#[derive(Clone, Copy, Debug)]
pub struct Package {
    /// The name of the package.
    pub name: &'static str,
    /// The version that is used if none is requested.
    pub default_version: &'static str,
}

/// ONNX Runtime for the CPU.
pub const USUAL: Package = Package { name: "onnxruntime", default_version: "1.31.1" };

/// ONNX Runtime with the DirectML provider, for Windows only. The wheel contains a `DirectML.dll`, which the library
/// loads.
pub const DIRECTML: Package = Package { name: "onnxruntime-directml", default_version: "1.24.4" };

/// Returns the reason why a library cannot be loaded, as the system's loader says it.
pub(super) fn load_error(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

impl Package {
    fn folder(self, libraries: &Path, version: &str) -> PathBuf {
        libraries.join(self.name).join(version)
    }

    /// Returns the library of a version if it is installed.
    pub fn find(self, libraries: &Path, version: &str) -> Option<PathBuf> {
        let is_library = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("libonnxruntime.") || name == "onnxruntime.dll"
        };
        let entries = std::fs::read_dir(self.folder(libraries, version)).ok()?;
        entries.flatten().map(|entry| entry.path()).find(is_library)
    }

    /// Returns the installed versions, in numerical order.
    pub fn versions(self, libraries: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(libraries.join(self.name)).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut versions: Vec<String> = names.filter(|name| self.find(libraries, name).is_some()).collect();
        versions.sort_by_key(|version| version.split('.').map(|n| n.parse::<u64>().unwrap_or(0)).collect::<Vec<_>>());
        versions
    }

    /// Fetches the library of a version if it is not installed. The error is one line.
    pub fn fetch(self, libraries: &Path, version: &str) -> Result<PathBuf, String> {
        if let Some(library) = self.find(libraries, version) {
            return Ok(library);
        }
        if version.is_empty() || !version.chars().all(|c| c.is_ascii_alphanumeric() || c == '.') {
            return Err(format!("`{version}` is not a version of ONNX Runtime"));
        }
        let reason = wheel::fetch(self.name, version, &self.folder(libraries, version), wheel::Content::Library).err();
        self.find(libraries, version).ok_or_else(|| {
            let reason = reason.unwrap_or_else(|| "its folder exists, without the library".to_owned());
            format!("{} {version} is not on this machine and cannot be downloaded with pip: {reason}", self.name)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_versions_are_sorted_and_have_a_library() {
        let libraries = std::env::temp_dir().join(format!("plumbline-libraries-{}", std::process::id()));
        for version in ["1.31.1", "1.9.0", "1.23.2"] {
            std::fs::create_dir_all(USUAL.folder(&libraries, version)).unwrap();
            std::fs::write(USUAL.folder(&libraries, version).join(format!("libonnxruntime.so.{version}")), "").unwrap();
        }
        std::fs::create_dir_all(USUAL.folder(&libraries, "1.10.0")).unwrap();
        assert_eq!(USUAL.versions(&libraries), ["1.9.0", "1.23.2", "1.31.1"]);
        assert!(USUAL.find(&libraries, "1.10.0").is_none());
        std::fs::remove_dir_all(&libraries).unwrap();
        assert!(USUAL.versions(&libraries).is_empty());
        let reason = USUAL.fetch(&libraries, "../../etc").unwrap_err();
        assert_eq!(reason, "`../../etc` is not a version of ONNX Runtime");
    }
}

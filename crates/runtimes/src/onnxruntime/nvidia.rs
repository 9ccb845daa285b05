//! NVIDIA's execution providers CUDA and TensorRT. They come with an ONNX Runtime of their own, in the pip package
//! onnxruntime-gpu. The libraries of CUDA, cuDNN and TensorRT come from NVIDIA's pip packages, which the metadata of
//! onnxruntime-gpu names; only the driver has to be on the machine.
//!
//! The providers link to these libraries by name, and the folders of pip packages are not where the system looks for
//! names. So the libraries are loaded by path before a provider is: the system's loader then takes a loaded library
//! for one of the same name. ONNX Runtime's Python does the same (`onnxruntime.preload_dlls`).
#![allow(unsafe_code, reason = "libraries are loaded; each block says why it is sound")]

use std::path::{Path, PathBuf};

use super::library::{Package, load_error};
use super::wheel;

/// ONNX Runtime with NVIDIA's providers.
const GPU: Package = Package { name: "onnxruntime-gpu", default_version: super::library::USUAL.default_version };

/// The folder of TensorRT's libraries, below that of all libraries. Its folders have the versions of onnxruntime-gpu.
const TENSORRT_FOLDER: &str = "onnxruntime-gpu-tensorrt";

/// The libraries to load before a provider, in the order in which they need each other. Those that other libraries
/// load on their own (the parts of cuDNN and cuBLAS's helpers) are found beside them.
const CUDA_LIBRARIES: [&str; 7] =
    ["libcudart", "libnvrtc", "libcublasLt", "libcublas", "libcurand", "libcufft", "libcudnn"];
const TENSORRT_LIBRARIES: [&str; 3] = ["libnvinfer", "libnvinfer_plugin", "libnvonnxparser"];

/// An execution provider of NVIDIA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nvidia {
    /// CUDA and cuDNN.
    Cuda,
    /// TensorRT.
    TensorRt,
}

/// The files of a provider that is fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// ONNX Runtime's library.
    pub runtime: PathBuf,
    /// The provider's library, which is beside ONNX Runtime's.
    pub provider: PathBuf,
    /// The libraries that the provider needs, in the order in which they have to be loaded.
    needed: Vec<PathBuf>,
}

impl Nvidia {
    /// All providers.
    pub const ALL: [Nvidia; 2] = [Nvidia::Cuda, Nvidia::TensorRt];

    /// Returns the name of the provider in the name of a backend: `cuda`.
    pub fn name(self) -> &'static str {
        match self {
            Nvidia::Cuda => "cuda",
            Nvidia::TensorRt => "tensorrt",
        }
    }

    /// Returns the files of the provider in this version of onnxruntime-gpu, if all of them are fetched.
    pub fn find(self, libraries: &Path, version: &str) -> Option<Files> {
        let runtime = std::path::absolute(GPU.find(libraries, version)?).ok()?;
        let folder = runtime.parent()?;
        let provider = folder.join(format!("libonnxruntime_providers_{}.so", self.name()));
        let mut needed = loadable(folder, &CUDA_LIBRARIES)?;
        if self == Nvidia::TensorRt {
            let folder = std::path::absolute(libraries.join(TENSORRT_FOLDER).join(version)).ok()?;
            needed.extend(loadable(&folder, &TENSORRT_LIBRARIES)?);
        }
        provider.is_file().then_some(Files { runtime, provider, needed })
    }

    /// Fetches what the provider needs and is not fetched yet. The error is one line.
    pub fn fetch(self, libraries: &Path, version: &str) -> Result<(), String> {
        if self.find(libraries, version).is_some() {
            return Ok(());
        }
        if !cfg!(target_os = "linux") {
            return Err(format!("ep={} is fetched on Linux only", self.name()));
        }
        let folder = libraries.join(GPU.name).join(version);
        let mut done = match Nvidia::Cuda.find(libraries, version) {
            Some(_) => Ok(()),
            None => wheel::fetch(GPU.name, version, &folder, wheel::Content::Cuda),
        };
        if self == Nvidia::TensorRt && done.is_ok() {
            let tensorrt = libraries.join(TENSORRT_FOLDER).join(version);
            done = wheel::fetch(&folder.to_string_lossy(), version, &tensorrt, wheel::Content::TensorRt);
        }
        match (done, self.find(libraries, version)) {
            (_, Some(_)) => Ok(()),
            (Ok(()), None) => Err(format!("{} lacks libraries that ep={} needs", folder.display(), self.name())),
            (Err(reason), None) => Err(format!(
                "{} {version} with ep={} is not on this machine and cannot be downloaded with pip: {reason}",
                GPU.name,
                self.name()
            )),
        }
    }

    /// Returns the names of the providers that are fetched for the default version.
    pub fn installed(libraries: &Path) -> impl Iterator<Item = &'static str> {
        let is_installed = |provider: &Nvidia| provider.find(libraries, GPU.default_version).is_some();
        Nvidia::ALL.into_iter().filter(is_installed).map(Nvidia::name)
    }
}

/// Checks that NVIDIA's driver is on this machine. The error is one line.
pub fn check_driver() -> Result<(), String> {
    let driver = if cfg!(windows) { "nvcuda.dll" } else { "libcuda.so.1" };
    // SAFETY: the driver's library may be loaded and unloaded at any time; nothing of it is called.
    match unsafe { libloading::Library::new(driver) } {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("no NVIDIA driver: {}", load_error(&error))),
    }
}

impl Files {
    /// Loads the libraries that the provider needs. The error is one line.
    pub fn preload(&self) -> Result<(), String> {
        for path in &self.needed {
            // SAFETY: the libraries are NVIDIA's, and may be initialized at any time.
            let library = unsafe { libloading::Library::new(path) }
                .map_err(|error| format!("{} cannot be loaded: {}", path.display(), load_error(&error)))?;
            // The provider, which is loaded later, uses the library until the process ends.
            std::mem::forget(library);
        }
        Ok(())
    }
}

/// Returns the paths of the libraries with these names in a folder or below it, or `None` if one is missing.
fn loadable(folder: &Path, names: &[&str]) -> Option<Vec<PathBuf>> {
    let mut files = Vec::new();
    list(folder, &mut files);
    // The name that other libraries have for it ends with one number: `libcudart.so.13`.
    let has_name = |path: &Path, name: &str| {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let version = file.strip_prefix(name).and_then(|rest| rest.strip_prefix(".so."));
        version.is_some_and(|version| version.parse::<u32>().is_ok())
    };
    names.iter().map(|name| files.iter().find(|path| has_name(path, name)).cloned()).collect()
}

/// Adds the files in a folder and below it.
fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => list(&entry.path(), files),
            _ => files.push(entry.path()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_is_found_with_all_libraries_that_it_needs_in_their_order() {
        let libraries = std::env::temp_dir().join(format!("plumbline-nvidia-{}", std::process::id()));
        let (gpu, tensorrt) =
            (libraries.join("onnxruntime-gpu/1.31.1"), libraries.join(TENSORRT_FOLDER).join("1.31.1"));
        let (cuda, cudnn) = (gpu.join("packages/nvidia/cu13/lib"), gpu.join("packages/nvidia/cudnn/lib"));
        let write = |folder: &Path, name: &str| {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(folder.join(name), "").unwrap();
        };
        for name in
            ["libonnxruntime.so.1.31.1", "libonnxruntime_providers_cuda.so", "libonnxruntime_providers_tensorrt.so"]
        {
            write(&gpu, name);
        }
        for name in &CUDA_LIBRARIES[..6] {
            write(&cuda, &format!("{name}.so.13"));
        }
        write(&cudnn, "libcudnn_ops.so.9");
        assert_eq!(Nvidia::Cuda.find(&libraries, "1.31.1"), None, "cuDNN is missing");
        write(&cudnn, "libcudnn.so.9");
        let found = Nvidia::Cuda.find(&libraries, "1.31.1").unwrap();
        assert_eq!(found.runtime, gpu.join("libonnxruntime.so.1.31.1"));
        assert_eq!(found.provider, gpu.join("libonnxruntime_providers_cuda.so"));
        assert_eq!(found.needed.first(), Some(&cuda.join("libcudart.so.13")));
        assert_eq!(found.needed.last(), Some(&cudnn.join("libcudnn.so.9")));
        assert_eq!(Nvidia::installed(&libraries).collect::<Vec<_>>(), ["cuda"]);
        for name in TENSORRT_LIBRARIES {
            write(&tensorrt.join("packages/tensorrt_libs"), &format!("{name}.so.10"));
        }
        assert_eq!(Nvidia::TensorRt.find(&libraries, "1.31.1").unwrap().needed.len(), 10);
        assert_eq!(Nvidia::Cuda.find(&libraries, "1.30.0"), None);
        // The files are empty, and so no libraries.
        let error = found.preload().unwrap_err();
        assert!(
            error.starts_with(&format!("{} cannot be loaded: ", cuda.join("libcudart.so.13").display())),
            "{error}"
        );
        std::fs::remove_dir_all(&libraries).unwrap();
    }
}

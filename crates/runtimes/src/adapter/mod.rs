//! Runtimes that are used through another language, such as Python. For each of them an embedded program speaks the
//! worker protocol. [`Adapter`] sets up what the program needs, and says how it is started.
//!
//! A runtime's packages are installed into `LIBRARIES/NAME/VERSION/`, and the program is written to
//! `LIBRARIES/adapters/NAME-HASH/`. The hash is that of all files of the adapter, so that versions of Plumbline with
//! different files use different folders.

mod npm;
mod packages;
mod program;
mod rewriters;
mod settings;

use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use plumbline_backend::worker::Command;

pub use packages::Packages;
use plumbline_python_data as files;
pub use plumbline_python_data::{File, VALUES, WORKER};
pub use program::Interpreter;
pub use rewriters::{COMMAND, REWRITERS, Rewriter, TOOLS, Task};
use settings::Settings;

/// A runtime that a program in another language runs for Plumbline.
pub struct Adapter {
    /// The name of the backend: `openvino`.
    pub name: &'static str,
    /// A description in one line, without the version.
    pub about: &'static str,
    /// The program and its modules. The first is the program.
    files: &'static [File],
    /// What the program needs.
    pub packages: Packages,
    /// How the text after the colon in a name like `openvino:device=GPU` becomes arguments of the program.
    settings: Settings,
}

/// The modules of the adapter of onnxruntime-web. A page of Chromium loads some of them.
const WEB: &[File] = &[
    ("worker.mjs", include_str!("../../javascript/onnxruntime_web/worker.mjs")),
    ("answer.mjs", include_str!("../../javascript/onnxruntime_web/answer.mjs")),
    ("browser.mjs", include_str!("../../javascript/onnxruntime_web/browser.mjs")),
    ("frames.mjs", include_str!("../../javascript/onnxruntime_web/frames.mjs")),
    ("node.mjs", include_str!("../../javascript/onnxruntime_web/node.mjs")),
    ("onnx.mjs", include_str!("../../javascript/onnxruntime_web/onnx.mjs")),
    ("page.html", include_str!("../../javascript/onnxruntime_web/page.html")),
    ("page.mjs", include_str!("../../javascript/onnxruntime_web/page.mjs")),
    ("placement.mjs", include_str!("../../javascript/onnxruntime_web/placement.mjs")),
    ("session.mjs", include_str!("../../javascript/onnxruntime_web/session.mjs")),
];

/// The numpy that is installed for adapters in Python. pip installs the newest version up to this one that the runtime
/// and the version of Python allow: OpenVINO 2025.4.1 asks for a numpy below 2.4, and OpenVINO 2024.6.0 for one below 2.2.
const NUMPY: &[&str] = &["numpy<=2.4.6"];

/// Pillow decodes the images of ImageDecoder.
const NUMPY_AND_PILLOW: &[&str] = &["numpy<=2.4.6", "pillow<=12.0.0"];

/// All adapters, in the order in which `plumbline backends` lists them.
pub const ADAPTERS: &[Adapter] = &[
    Adapter {
        name: "openvino",
        about: "OpenVINO's Python API, from pip",
        files: &[files::OPENVINO, WORKER, VALUES],
        packages: Packages::Pip { runtime: "openvino", default_version: "2026.4.1", others: NUMPY },
        settings: Settings::DeviceAndOptions,
    },
    Adapter {
        name: "tract-python",
        about: "tract's Python API, from pip",
        files: &[files::TRACT, files::TRACT_CONSTANT_INPUTS, WORKER, VALUES],
        packages: Packages::Pip { runtime: "tract", default_version: "0.23.9", others: NUMPY },
        settings: Settings::None,
    },
    Adapter {
        name: "onnx-reference",
        about: "ONNX's own reference evaluator, from pip (:check=on asks ONNX's checker first)",
        files: &[files::ONNX_REFERENCE, WORKER, VALUES],
        packages: Packages::Pip { runtime: "onnx", default_version: "1.23.2", others: NUMPY_AND_PILLOW },
        settings: Settings::Keys(&["check"]),
    },
    Adapter {
        name: "onnx-backend",
        about: "a module of your Python (:MODULE) that implements onnx.backend.base.Backend",
        files: &[files::ONNX_BACKEND, WORKER, VALUES],
        packages: Packages::UsersPython,
        settings: Settings::ModuleAndDevice,
    },
    Adapter {
        name: "onnxruntime-web",
        about: "ONNX Runtime Web in Node, or on WebGPU in Chromium (:ep=webgpu), from npm",
        files: WEB,
        packages: Packages::Npm { runtime: "onnxruntime-web", default_version: "1.30.0" },
        settings: Settings::Provider(&["wasm", "webgpu"]),
    },
];

impl Adapter {
    /// Checks the version and the argument of a backend's name. The error is one line.
    pub fn check(&self, version: Option<&str>, argument: Option<&str>) -> Result<(), String> {
        self.packages.check(self.name, version)?;
        self.settings.arguments(self.name, argument).map(|_| ())
    }

    /// Returns the version that is used if none is requested. Returns `None` if the adapter uses what the user has
    /// installed.
    pub fn default_version(&self) -> Option<&'static str> {
        self.packages.default_version()
    }

    /// Returns the command line that starts the adapter. The error is one line, and says how to get what is missing.
    pub fn command(&self, libraries: &Path, version: Option<&str>, argument: Option<&str>) -> Result<Command, String> {
        let arguments = self.settings.arguments(self.name, argument)?;
        let interpreter = self.packages.interpreter(self.name, libraries, version)?;
        let program = self.unpacked(libraries)?;
        let mut command = Command::new(interpreter.program, interpreter.arguments);
        command.arguments.push(program.into());
        command.arguments.extend(interpreter.adapter_arguments);
        command.arguments.extend(arguments.into_iter().map(Into::into));
        Ok(command)
    }

    /// Installs the packages of a version if they are missing. The error is one line.
    pub fn fetch(&self, libraries: &Path, version: Option<&str>) -> Result<(), String> {
        self.packages.fetch(self.name, libraries, version)
    }

    /// Checks that the backend of this name could be started. The error says how to get what is missing, in one line.
    pub fn at_hand(&self, libraries: &Path, version: Option<&str>, argument: Option<&str>) -> Result<(), String> {
        self.check(version, argument)?;
        self.packages.interpreter(self.name, libraries, version).map(|_| ())
    }

    /// Returns the installed versions, in numerical order.
    pub fn versions(&self, libraries: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(libraries.join(folder_name(self.name))).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let is_installed = |version: &String| self.packages.is_installed(self.name, libraries, version);
        let mut versions: Vec<String> = names.filter(is_installed).collect();
        versions.sort_by_key(|version| version.split('.').map(|n| n.parse::<u64>().unwrap_or(0)).collect::<Vec<_>>());
        versions
    }

    /// Writes the program and its modules to a folder of their own, once. Returns the path of the program.
    fn unpacked(&self, libraries: &Path) -> Result<PathBuf, String> {
        let mut hasher = std::hash::DefaultHasher::new();
        self.files.hash(&mut hasher);
        let folder = libraries.join("adapters").join(format!("{}-{:016x}", folder_name(self.name), hasher.finish()));
        let program = self.files.first().map(|(name, _)| folder.join(name)).unwrap_or_default();
        let cannot = |path: &Path, error: std::io::Error| format!("cannot write {}: {error}", path.display());
        if !folder.is_dir() {
            // The files are written into another folder, which is then renamed. So another process that looks for the
            // folder at the same time never finds it without all its files.
            let unfinished = folder.with_extension(format!("unpacking-{}", std::process::id()));
            std::fs::create_dir_all(&unfinished).map_err(|error| cannot(&unfinished, error))?;
            for (name, text) in self.files {
                let path = unfinished.join(name);
                std::fs::write(&path, text).map_err(|error| cannot(&path, error))?;
            }
            if let Err(error) = std::fs::rename(&unfinished, &folder) {
                // If another process was faster, its folder is used. Otherwise the error is reported.
                let _ = std::fs::remove_dir_all(&unfinished);
                if !folder.is_dir() {
                    return Err(cannot(&folder, error));
                }
            }
        }
        std::path::absolute(&program).map_err(|error| cannot(&program, error))
    }
}

/// Returns the name of the folders of an adapter. The file systems of Windows do not take the colon of `rewriter:onnxsim`.
fn folder_name(name: &str) -> String {
    name.replace(':', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the path of a folder of libraries for the test of this name. The folder does not exist yet.
    fn libraries(test: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("plumbline-adapters-{test}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        folder
    }

    /// Compiles the Python files of all adapters with the Python of this machine. If there is none, prints that the
    /// test is skipped.
    #[test]
    fn the_files_of_adapters_are_valid_python() {
        let Ok(Interpreter { program, .. }) = Packages::UsersPython.interpreter("", Path::new(""), None) else {
            eprintln!("SKIPPED: there is no Python");
            return;
        };
        let libraries = libraries("files");
        for adapter in ADAPTERS.iter().chain(REWRITERS.iter().chain(TOOLS).map(|rewriter| &rewriter.adapter)) {
            let first = adapter.unpacked(&libraries).unwrap();
            assert_eq!(adapter.unpacked(&libraries).unwrap(), first);
            let folder = first.parent().unwrap();
            let files = adapter.files.iter().map(|(name, _)| folder.join(name));
            for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "py")) {
                let done = std::process::Command::new(&program).args(["-m", "py_compile"]).arg(&file).output().unwrap();
                assert!(done.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&done.stderr));
            }
        }
        std::fs::remove_dir_all(&libraries).unwrap();
    }

    #[test]
    fn names_are_checked_and_missing_packages_are_named() {
        let libraries = libraries("names");
        let adapter = |name: &str| ADAPTERS.iter().find(|adapter| adapter.name == name).unwrap();
        let openvino = adapter("openvino");
        openvino.check(Some("2026.4.0"), Some("device=GPU,option.NUM_STREAMS=1")).unwrap();
        assert_eq!(openvino.check(Some("../x"), None).unwrap_err(), "`../x` is not a version of openvino");
        let missing = openvino.at_hand(&libraries, Some("2026.4.0"), None).unwrap_err();
        assert_eq!(missing, "not fetched; `backends --fetch openvino@2026.4.0` installs it with pip");
        let module = adapter("onnx-backend");
        let error = module.check(Some("1.0"), Some("onnxruntime.backend")).unwrap_err();
        assert_eq!(error, "onnx-backend runs what your Python has, so it takes no @VERSION");
        assert!(!libraries.exists(), "checks write nothing");
    }

    #[test]
    fn installed_versions_are_found_and_sorted() {
        let libraries = libraries("versions");
        let tract = ADAPTERS.iter().find(|adapter| adapter.name == "tract-python").unwrap();
        let install = |version: &str| {
            let folder = libraries.join("tract-python").join(version);
            let python = packages::python_in(&folder);
            std::fs::create_dir_all(python.parent().unwrap()).unwrap();
            std::fs::write(python, "").unwrap();
            folder
        };
        for version in ["0.23.9", "0.9.1", "0.23.10"] {
            std::fs::write(install(version).join(packages::COMPLETE), "").unwrap();
        }
        install("0.22.0"); // interrupted
        assert_eq!(tract.versions(&libraries), ["0.9.1", "0.23.9", "0.23.10"]);
        let command = tract.command(&libraries, Some("0.9.1"), None).unwrap();
        assert!(command.program.to_string_lossy().contains("0.9.1"), "{command}");
        assert_eq!(command.arguments.len(), 3, "{command}");
        std::fs::remove_dir_all(&libraries).unwrap();
    }

    #[test]
    fn the_list_of_constant_inputs_for_tract_has_one_operator_a_line() {
        let (_, text) = ADAPTERS[1].files[1];
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines.contains(&"Reshape shape") && lines.is_sorted());
        assert!(lines.iter().all(|line| line.split_whitespace().count() > 1));
    }
}

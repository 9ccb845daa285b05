//! Tests of the backends that a program in another language runs. Nothing is fetched. Some tests need Python and its
//! packages onnx and ml_dtypes; if these are missing, the tests print that they are skipped.

#![allow(clippy::cloned_ref_to_slice_refs, reason = "a test program")]

mod common;

use std::path::PathBuf;
use std::process::Command;

use common::{float, model, numbers, output, refusal, registry};
use plumbline_executor::worker::Limits;
use plumbline_executor::{Options, RefusalKind, Registry, Runner};
use plumbline_tensor::DType;

/// Returns a registry that looks for libraries in this folder and fetches nothing.
fn offline(libraries: PathBuf) -> Registry {
    Registry::new(Options { libraries, fetch: false, ..Options::default() })
}

/// Returns an empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be created");
    folder
}

#[test]
fn adapters_that_are_not_fetched_are_left_out_of_runs_and_do_not_start() {
    let registry = offline(folder("adapters-not-fetched"));
    for available in registry.available() {
        let is_adapter =
            ["openvino", "tract-python", "onnx-reference", "onnx-backend", "onnxruntime-web", "rewriter", "tool"]
                .contains(&available.name.as_str());
        assert_eq!(available.is_default, !is_adapter, "{}", available.name);
    }
    let error = |name: &str| registry.start(name).err().expect("it does not start").to_string();
    assert_eq!(
        error("openvino"),
        "openvino cannot start: not fetched; `backends --fetch openvino` installs it with pip"
    );
    assert_eq!(
        error("tract-python@0.23.5"),
        "tract-python@0.23.5 cannot start: not fetched; `backends --fetch tract-python@0.23.5` installs it with pip"
    );
}

#[test]
fn wrong_names_of_adapters_are_wrong_usage() {
    let registry = offline(folder("adapters-wrong-names"));
    for name in ["openvino@2025.4.1:device=GPU", "tract-python", "onnx-backend:package.module.Class,device=CUDA"] {
        registry.knows(name).expect("a right name");
    }
    for (name, reason) in [
        ("openvino:GPU", "`GPU` is not a setting: write device=NAME or option.KEY=VALUE"),
        ("openvino@latest", "`latest` is not a version of openvino"),
        ("tract-python:device=CPU", "`device=CPU` is not a setting: tract-python has none"),
        ("onnx-reference:checks=on", "`checks=on` is not a setting: write check=VALUE"),
        ("onnx-backend", "it has to name a module: onnx-backend:MODULE, such as onnx-backend:onnxruntime.backend"),
        ("onnx-backend:a b", "`a b` is not the name of a Python module"),
    ] {
        let error = registry.knows(name).expect_err("a wrong name").to_string();
        assert_eq!(error, format!("`{name}` is not the name of a backend: {reason}"));
    }
}

/// A shell script takes the place of the Python of a virtual environment. Its greeting has the identity of the backend.
#[cfg(unix)]
#[test]
fn a_fetched_adapter_is_started_by_its_interpreter() {
    use std::os::unix::fs::PermissionsExt;

    let libraries = folder("adapters-fetched");
    for version in ["2026.4.1", "2025.0.0"] {
        let hello = format!(r#"{{"version": 2, "identity": {{"name": "openvino", "version": "{version}"}}}}"#);
        let bin = libraries.join("openvino").join(version).join("bin");
        std::fs::create_dir_all(&bin).expect("the folder can be created");
        let script = format!(
            "#!/bin/sh\ncase \"$3\" in *openvino_adapter.py) ;; *) exit 3;; esac\n\
             printf 'PLB1\\001\\000\\000\\000\\{:03o}\\000\\000\\000{hello}'\ncat > /dev/null\n",
            hello.len()
        );
        std::fs::write(bin.join("python"), script).expect("the script can be written");
        std::fs::set_permissions(bin.join("python"), std::fs::Permissions::from_mode(0o755))
            .expect("the script can be made executable");
        std::fs::write(bin.join("../complete"), "").expect("the file can be written");
    }
    let registry = offline(libraries);
    let found: Vec<_> = registry.available().into_iter().filter(|a| a.name.starts_with("openvino")).collect();
    let names: Vec<&str> = found.iter().map(|available| available.name.as_str()).collect();
    assert_eq!(names, ["openvino", "openvino@2025.0.0"]);
    assert!(found.iter().all(|available| available.is_default));
    let identities: Vec<String> =
        found.into_iter().map(|available| available.state.expect("it starts").to_string()).collect();
    assert_eq!(identities, ["openvino 2026.4.1", "openvino 2025.0.0"]);
}

/// Returns a Python that can import onnx and ml_dtypes: the one that `PLUMBLINE_PYTHON` names, or python3.
fn python_with_onnx() -> Option<String> {
    let python = std::env::var("PLUMBLINE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let check = Command::new(&python).args(["-c", "import onnx.backend.base, onnx.reference, ml_dtypes"]).output();
    if !check.is_ok_and(|done| done.status.success()) {
        eprintln!("SKIPPED: {python} cannot import onnx and ml_dtypes");
        return None;
    }
    Some(python)
}

/// An implementation of `onnx.backend.base` that prints when it is imported, refuses Sinh as not implemented, and
/// raises an error for Cosh.
const TINY: &str = r#"
from onnx.backend.base import Backend, BackendRep
from onnx.reference import ReferenceEvaluator

print("a greeting that is no frame")
__version__ = "1.2"

class Session(BackendRep):
    def __init__(self, model):
        self.evaluator = ReferenceEvaluator(model)

    def run(self, inputs, **kwargs):
        return self.evaluator.run(None, dict(zip(self.evaluator.input_names, inputs)))

class Tiny(Backend):
    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        operator = model.graph.node[0].op_type
        if operator == "Sinh":
            raise NotImplementedError("Sinh")
        if operator == "Cosh":
            raise ValueError("Cosh is broken")
        return Session(model)

    @classmethod
    def supports_device(cls, device):
        return device in ("CPU", "FPGA")
"#;

/// Starts the adapter of `onnx-backend` with these arguments. The adapter can import the module `tiny`.
fn start_tiny(python: &str, test: &str, arguments: &str) -> Result<Box<dyn Runner>, String> {
    let modules = folder(test);
    std::fs::write(modules.join("tiny.py"), TINY).expect("the module can be written");
    let adapter = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/onnx_backend_adapter.py");
    let command = format!("process:env 'PYTHONPATH={}' '{python}' '{adapter}' {arguments}", modules.display());
    registry(Limits::default()).start(&command).map_err(|error| error.reason())
}

#[cfg(unix)]
#[test]
fn a_class_that_implements_onnx_backend_is_a_backend() {
    let Some(python) = python_with_onnx() else { return };
    let mut tiny = start_tiny(&python, "onnx-backend-class", "tiny.Tiny").expect("it starts");
    assert_eq!(tiny.identity().to_string(), "tiny.Tiny 1.2");
    let f = "tensor(float)";
    let sum = output(tiny.as_mut(), &model("Add", 14, &[f, f], f), &[float(&[1.0]), float(&[0.5])]);
    assert_eq!(sum, float(&[1.5]));
    for dtype in [DType::Float16, DType::Bfloat16, DType::Float8e4m3fn, DType::Int4, DType::Uint2] {
        let kind = format!("tensor({dtype})");
        let value = [numbers(dtype, &[1.0, 0.0, 1.0])];
        assert_eq!(output(tiny.as_mut(), &model("Identity", 21, &[&kind], &kind), &value), value[0]);
    }
    let kind_and_message = |tiny: &mut dyn Runner, operator: &str| {
        let no = refusal(tiny, &model(operator, 9, &[f], f), &[float(&[1.0])]);
        (no.kind, no.message)
    };
    let missing = (RefusalKind::Unsupported, "NotImplementedError: Sinh".to_owned());
    assert_eq!(kind_and_message(tiny.as_mut(), "Sinh"), missing);
    assert_eq!(kind_and_message(tiny.as_mut(), "Cosh"), (RefusalKind::Failed, "ValueError: Cosh is broken".to_owned()));
    let device = start_tiny(&python, "onnx-backend-device", "tiny.Tiny --device FPGA").expect("it starts");
    assert_eq!(device.identity().to_string(), "tiny.Tiny-FPGA 1.2");
}

#[cfg(unix)]
#[test]
fn a_module_that_is_no_onnx_backend_does_not_start() {
    let Some(python) = python_with_onnx() else { return };
    let error = |name: &str, arguments: &str| start_tiny(&python, name, arguments).err().expect("it does not start");
    let missing = error("onnx-backend-missing", "no_such_module.backend");
    assert!(missing.starts_with("no_such_module.backend cannot be imported by "), "{missing}");
    let attribute = error("onnx-backend-attribute", "tiny.Huge");
    assert!(attribute.ends_with("tiny has no Huge"), "{attribute}");
    assert_eq!(
        error("onnx-backend-none", "json"),
        "json is not a backend of onnx.backend.base: it has no function prepare"
    );
    assert_eq!(error("onnx-backend-no-device", "tiny.Tiny --device TPU"), "tiny.Tiny does not support the device TPU");
    let by_name = registry(Limits::default()).start("onnx-backend:json").err().expect("it does not start").to_string();
    assert!(by_name.contains("json is not a backend of onnx.backend.base"), "{by_name}");
}

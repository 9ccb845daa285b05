//! Tests of the adapter of onnxruntime-web with a stand-in for the package. All need Node, and the test of WebGPU
//! needs Chromium, too. Without Node or Chromium, the tests that need it print that they are skipped.

#![cfg(unix)]
#![allow(clippy::cloned_ref_to_slice_refs, clippy::unwrap_used, reason = "a test program")]

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{float, model, numbers, output, refusal, registry};
use plumbline_executor::worker::Limits;
use plumbline_executor::{Job, Observation, Options, RefusalKind, Registry, Runner};
use plumbline_tensor::{DType, Model, Tensor, Value};

const FLOAT: &str = "tensor(float)";

/// The element types that tensors of ONNX Runtime can have in JavaScript.
const CARRIED: [DType; 15] = [
    DType::Float,
    DType::Uint8,
    DType::Int8,
    DType::Uint16,
    DType::Int16,
    DType::Int32,
    DType::Int64,
    DType::String,
    DType::Bool,
    DType::Float16,
    DType::Double,
    DType::Uint32,
    DType::Uint64,
    DType::Uint4,
    DType::Int4,
];

/// The names by which Chromium is found.
const CHROMIUM: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

fn runs(program: &str) -> bool {
    let done = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    done.is_ok_and(|status| status.success())
}

/// Writes the stand-in as a package to a folder of this name, in the folder for temporary files. Returns its path.
fn package(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(folder.join("dist")).unwrap();
    std::fs::write(folder.join("package.json"), r#"{"version": "0.1.2"}"#).unwrap();
    for file in ["ort.node.min.mjs", "ort.webgpu.min.mjs"] {
        std::fs::write(folder.join("dist").join(file), include_str!("fake/onnxruntime_web.mjs")).unwrap();
    }
    folder
}

/// Starts the adapter with the stand-in. Returns `None` and prints why the test is skipped if Node is missing, or if
/// Chromium is missing for `webgpu`.
fn start(provider: &str) -> Option<Box<dyn Runner>> {
    if !runs("node") {
        eprintln!("SKIPPED: there is no node in PATH");
        return None;
    }
    let has_chromium = || std::env::var_os("PLUMBLINE_CHROMIUM").is_some() || CHROMIUM.into_iter().any(runs);
    if provider == "webgpu" && !has_chromium() {
        eprintln!("SKIPPED: no Chromium was found; scripts/install-chromium.sh installs it");
        return None;
    }
    let worker = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtimes/javascript/onnxruntime_web/worker.mjs");
    let package = package(&format!("fake-onnxruntime-web-{provider}"));
    let command = format!("process:node '{worker}' --package '{}' --ep {provider}", package.display());
    Some(registry(Limits::default()).start(&command).expect("the adapter starts"))
}

fn identity(dtype: DType) -> Model {
    let kind = format!("tensor({dtype})");
    model("Identity", 13, &[&kind], &kind)
}

#[test]
fn tensors_come_back_bit_for_bit() {
    let Some(mut runner) = start("wasm") else { return };
    let identity_of_worker = runner.identity().to_string();
    assert!(identity_of_worker.starts_with("onnxruntime-web 0.1.2 (wasm, Node "), "{identity_of_worker}");
    assert_eq!((runner.profile().max_opset, runner.profile().max_ir_version), (21, 10));
    for dtype in DType::ALL {
        let value = match dtype {
            DType::String => {
                let strings = ["", "\u{feff}ä", "日本 🦀"].map(|text| text.as_bytes().to_vec());
                Value::Tensor(Tensor::from_strings(vec![3], strings.to_vec()).unwrap())
            }
            DType::Complex64 | DType::Complex128 => Value::Tensor(Tensor::zeros(dtype, vec![3]).unwrap()),
            _ => numbers(dtype, &[1.0, 0.0, 1.0]),
        };
        if CARRIED.contains(&dtype) {
            assert_eq!(output(runner.as_mut(), &identity(dtype), &[value.clone()]), value);
        } else {
            let no = refusal(runner.as_mut(), &identity(dtype), &[value]);
            assert_eq!(no.kind, RefusalKind::Unsupported, "{dtype}: {no}");
        }
    }
    for shape in [vec![], vec![0], vec![2, 0, 3], vec![1, 2, 1, 2, 1]] {
        let value = Value::Tensor(Tensor::zeros(DType::Int64, shape).unwrap());
        assert_eq!(output(runner.as_mut(), &identity(DType::Int64), &[value.clone()]), value);
    }
}

#[test]
fn the_backend_is_known_by_name_and_gets_models_that_it_reads() {
    if !runs("node") {
        return eprintln!("SKIPPED: there is no node in PATH");
    }
    let libraries = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fake-libraries");
    let installed = "fake-libraries/onnxruntime-web/0.1.2";
    package(&format!("{installed}/node_modules/onnxruntime-web"));
    std::fs::write(libraries.join("onnxruntime-web/0.1.2/complete"), "onnxruntime-web@0.1.2").unwrap();
    let worker = plumbline_executor::worker::Command::new(env!("CARGO_BIN_EXE_plumbline-worker"), ["worker"]);
    let registry = Registry::new(Options { worker: Some(worker), libraries, fetch: false, ..Options::default() });
    let error = |name: &str| registry.start(name).err().unwrap().to_string();
    let missing = error("onnxruntime-web@0.1.3");
    assert!(missing.contains("`backends --fetch onnxruntime-web@0.1.3` installs it with npm"), "{missing}");
    assert!(registry.knows("onnxruntime-web:ep=webgpu").is_ok());
    assert!(registry.knows("onnxruntime-web:ep=webgl").unwrap_err().to_string().contains("write ep=wasm or ep=webgpu"));
    let listed = registry.available();
    let state = |name: &str| listed.iter().find(|available| available.name == name).unwrap();
    assert!(!state("onnxruntime-web").is_default && state("onnxruntime-web").state.is_err());
    assert!(state("onnxruntime-web@0.1.2").is_default && state("onnxruntime-web@0.1.2").state.is_ok());
    // The stand-in reads models up to opset 21, and Identity did not change in opset 22.
    let mut runner = registry.start("onnxruntime-web@0.1.2:ep=wasm").unwrap();
    let one = [float(&[1.0])];
    assert_eq!(output(runner.as_mut(), &model("Identity", 22, &[FLOAT], FLOAT), &one), one[0]);
    let no = refusal(runner.as_mut(), &model("Identity", 25, &[FLOAT], FLOAT), &one);
    assert_eq!(no.kind, RefusalKind::Unsupported, "{no}");
}

#[test]
fn inputs_have_the_names_of_the_graph_and_a_session_runs_again() {
    let Some(mut runner) = start("wasm") else { return };
    let sub = model("Sub", 13, &[FLOAT, FLOAT], FLOAT);
    assert_eq!(output(runner.as_mut(), &sub, &[float(&[1.0]), float(&[2.0])]), float(&[2.0]));
    assert!(runner.runs_again());
    let (abs, inputs) = (model("Abs", 13, &[FLOAT], FLOAT), [[float(&[1.0])], [float(&[-2.0, 3.0])]]);
    let jobs = [Job::new(&abs, &inputs[0]), Job::again(&abs, &inputs[1])];
    let seen = runner.run_batch(&jobs, Duration::from_secs(10));
    for (observation, inputs) in seen.iter().zip(&inputs) {
        assert!(matches!(observation, Observation::Outputs { values, .. } if *values == *inputs), "{observation:?}");
    }
}

#[test]
fn errors_are_refusals_of_the_right_kind_and_a_trap_is_a_crash() {
    let Some(mut runner) = start("wasm") else { return };
    let one = [float(&[1.0])];
    let sequence = "seq(tensor(float))";
    let refused = [
        ("Missing", FLOAT, RefusalKind::Unsupported),
        ("SequenceLength", FLOAT, RefusalKind::Unsupported),
        ("Wrong", FLOAT, RefusalKind::Invalid),
        ("Strange", FLOAT, RefusalKind::Failed),
        ("Identity", sequence, RefusalKind::Unsupported),
    ];
    for (operator, kind, expected) in refused {
        let inputs = match kind {
            FLOAT => one.clone(),
            _ => [Value::Sequence { element: FLOAT.parse().unwrap(), items: vec![] }],
        };
        let no = refusal(runner.as_mut(), &model(operator, 13, &[kind], kind), &inputs);
        assert_eq!(no.kind, expected, "{operator}: {no}");
    }
    let trap = runner.run(&model("Trap", 13, &[FLOAT], FLOAT), &one, common::DEADLINE);
    assert!(matches!(&trap, Observation::Crash { detail } if detail.contains("unreachable")), "{trap:?}");
    assert_eq!(output(runner.as_mut(), &identity(DType::Float), &one), one[0]);
}

#[test]
fn a_page_of_chromium_answers_and_gets_another_device_if_it_loses_one() {
    let Some(mut runner) = start("webgpu") else { return };
    let version = runner.identity().version.clone();
    assert!(version.starts_with("0.1.2 (webgpu, ") && version.contains("Chrome"), "{version}");
    let one = [float(&[1.0])];
    for _ in 0..2 {
        assert_eq!(output(runner.as_mut(), &identity(DType::Float), &one), one[0]);
        let no = refusal(runner.as_mut(), &model("Lost", 13, &[FLOAT], FLOAT), &one);
        assert_eq!(no.kind, RefusalKind::DeviceLost, "{no}");
    }
    let no = refusal(runner.as_mut(), &model("Missing", 13, &[FLOAT], FLOAT), &one);
    assert_eq!(no.kind, RefusalKind::Unsupported, "{no}");
    let trap = runner.run(&model("Trap", 13, &[FLOAT], FLOAT), &one, common::DEADLINE);
    assert!(matches!(&trap, Observation::Crash { detail } if detail.contains("unreachable")), "{trap:?}");
    assert_eq!(output(runner.as_mut(), &identity(DType::Float), &one), one[0]);
}

//! Tests of ONNX Runtime's plug-in for WebGPU, on the SwiftShader that Chromium brings: without a GPU. They run if
//! `backends --fetch onnxruntime:ep=webgpu` has put the plug-in into `target/` and there is a Chromium, and otherwise
//! print that they are skipped.
#![cfg(feature = "onnxruntime")]
#![allow(clippy::unwrap_used, reason = "a test program")]

mod common;

use common::{float, model, output, refusal};
use plumbline_executor::onnxruntime::{library, plugin::Plugin, swiftshader};
use plumbline_executor::worker::Limits;
use plumbline_executor::{RefusalKind, Runner};

const NAME: &str = "onnxruntime:ep=webgpu,device=cpu";

/// Starts the backend if everything that it needs is on this machine. Otherwise prints that the test is skipped.
fn start() -> Option<Box<dyn Runner>> {
    let plugin = Plugin::parse("webgpu").unwrap();
    let libraries = common::target_folder();
    if plugin.find(&libraries).is_none() || library::USUAL.find(&libraries, plugin.runtime_version()).is_none() {
        eprintln!("SKIPPED: {plugin} is not in target/; `backends --fetch onnxruntime:ep=webgpu` downloads it");
        return None;
    }
    if let Err(reason) = swiftshader::environment() {
        eprintln!("SKIPPED: no Chromium was found: {reason}");
        return None;
    }
    Some(common::registry(Limits::default()).start(NAME).unwrap())
}

#[test]
fn the_plug_in_answers_without_a_gpu() {
    let Some(mut runner) = start() else { return };
    let version = "onnxruntime-webgpu 0.4.0+onnxruntime-1.31.1,device=cpu";
    assert_eq!(runner.identity().to_string(), version);
    let f = "tensor(float)";
    let inputs = [float(&[1.0, -2.5])];
    assert_eq!(output(runner.as_mut(), &model("Relu", 14, &[f], f), &inputs), float(&[1.0, 0.0]));
    // The CPU provider has Hardmax, and would answer if it were allowed to.
    let no = refusal(runner.as_mut(), &model("Hardmax", 13, &[f], f), &inputs);
    assert_eq!(no.kind, RefusalKind::Unsupported, "{no}");
}

/// SwiftShader flushes subnormal numbers to zero, and the CPU provider does not. The answer is therefore SwiftShader's.
#[test]
fn the_answer_is_that_of_the_plug_in() {
    let Some(mut runner) = start() else { return };
    let f = "tensor(float)";
    let inputs = [float(&[1e-39, 1.0]), float(&[1e-39, 1.0])];
    assert_eq!(output(runner.as_mut(), &model("Add", 14, &[f, f], f), &inputs), float(&[0.0, 2.0]));
}

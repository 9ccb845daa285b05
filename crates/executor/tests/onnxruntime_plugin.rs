//! Tests of an execution provider that is a plug-in for ONNX Runtime: the package onnxruntime-ggml. They run if
//! `backends --fetch onnxruntime:ep=ggml` has put it into `target/`, and otherwise print that they are skipped.
#![cfg(feature = "onnxruntime")]
#![allow(clippy::unwrap_used, reason = "a test program")]

mod common;

use common::{float, model, numbers, output, refusal};
use plumbline_executor::onnxruntime::{library, plugin::Plugin};
use plumbline_executor::worker::Limits;
use plumbline_executor::{RefusalKind, Runner};
use plumbline_tensor::{DType, Model};

/// Returns the plug-in if it and the version of ONNX Runtime that it needs are in `target/`. Otherwise prints that the
/// test is skipped.
fn at_hand() -> Option<Plugin> {
    let plugin = Plugin::parse("ggml").unwrap();
    let libraries = common::target_folder();
    let has_runtime = library::USUAL.find(&libraries, plugin.runtime_version()).is_some();
    if has_runtime && plugin.find(&libraries).is_some() {
        return Some(plugin);
    }
    eprintln!("SKIPPED: {plugin} is not in target/; `backends --fetch onnxruntime:ep=ggml` downloads it");
    None
}

fn start(name: &str) -> Result<Box<dyn Runner>, String> {
    common::registry(Limits::default()).start(name).map_err(|error| error.to_string())
}

#[test]
fn the_version_names_the_provider_the_runtime_and_the_settings() {
    if at_hand().is_none() {
        return;
    }
    let version = "onnxruntime-ggml 0.2.0+onnxruntime-1.30.0";
    assert_eq!(start("onnxruntime:ep=ggml").unwrap().identity().to_string(), version);
    let name = "onnxruntime:ep=ggml,device=cpu,optimization=all,option.threads=2";
    let settings = ",device=cpu,optimization=all,option.threads=2";
    assert_eq!(start(name).unwrap().identity().to_string(), format!("{version}{settings}"));
    let library = Plugin::parse("ggml").unwrap().find(&common::target_folder()).unwrap();
    let name = format!("onnxruntime@1.30.0:ep={}", library.display());
    assert_eq!(start(&name).unwrap().identity().to_string(), version);
}

#[test]
fn the_provider_answers_and_what_it_does_not_take_is_unsupported() {
    if at_hand().is_none() {
        return;
    }
    for name in ["onnxruntime:ep=ggml", "onnxruntime:ep=ggml,optimization=all"] {
        let mut runner = start(name).unwrap();
        let f = "tensor(float)";
        let inputs = [float(&[1.0, -2.5])];
        assert_eq!(output(runner.as_mut(), &model("Relu", 14, &[f], f), &inputs), float(&[1.0, 0.0]));
        // The CPU provider has Hardmax, and would answer if it were allowed to.
        let no = refusal(runner.as_mut(), &model("Hardmax", 13, &[f], f), &inputs);
        assert_eq!(no.kind, RefusalKind::Unsupported, "{no}");
        // ONNX Runtime itself gives the value of a Constant, so no node is left for the provider.
        let constant = model("Constant <value = float[1] {1.5}>", 13, &[], f);
        let no = refusal(runner.as_mut(), &constant, &[]);
        assert_eq!((no.kind, no.message.contains("no node")), (RefusalKind::Unsupported, true), "{no}");
    }
}

/// The provider computes integers as floats. The answer is therefore wrong, which proves that this provider gave it.
#[test]
fn the_answer_is_that_of_the_provider() {
    if at_hand().is_none() {
        return;
    }
    let i = "tensor(int32)";
    let mut runner = start("onnxruntime:ep=ggml").unwrap();
    let inputs = [numbers(DType::Int32, &[2_147_483_646.0])];
    let answer = output(runner.as_mut(), &model("Relu", 14, &[i], i), &inputs);
    assert_eq!(answer, numbers(DType::Int32, &[-2_147_483_648.0]));
}

/// With optimizations, the CPU provider would compute a node whose inputs are constant, and remove it.
#[test]
fn constants_are_not_folded_at_any_level_of_optimization() {
    if at_hand().is_none() {
        return;
    }
    let text = r#"<ir_version: 8, opset_import: ["" : 14]> constant_input () => (int32[1] y) {
        c = Constant <value = int32[1] {2147483646}> ()
        y = Relu (c)
    }"#;
    let model: Model = text.parse().unwrap();
    for level in ["none", "basic", "extended", "all"] {
        let mut runner = start(&format!("onnxruntime:ep=ggml,optimization={level}")).unwrap();
        let answer = output(runner.as_mut(), &model, &[]);
        assert_eq!(answer, numbers(DType::Int32, &[-2_147_483_648.0]), "{level}");
    }
}

#[test]
fn providers_that_cannot_start_give_the_reason() {
    let Some(plugin) = at_hand() else { return };
    let libraries = common::target_folder();
    let runtime = library::USUAL.find(&libraries, plugin.runtime_version()).unwrap();
    let runtime = runtime.canonicalize().unwrap();
    for (name, reason) in [
        (format!("onnxruntime@1.30.0:ep={}", runtime.display()), "undefined symbol: CreateEpFactories"),
        ("onnxruntime@1.30.0:ep=/no/such/libfoo.so".to_owned(), "there is no file /no/such/libfoo.so"),
        (
            "onnxruntime@1.30.0:ep=FooExecutionProvider".to_owned(),
            "has no provider `FooExecutionProvider` with a device",
        ),
        ("onnxruntime:ep=ggml,provider=Foo".to_owned(), "has no provider `Foo` with a device here; it has ggml"),
        (
            "onnxruntime:ep=ggml,device=npu".to_owned(),
            "there is no such device: the devices of ggml on this machine are ",
        ),
        ("onnxruntime:ep=ggml,option.device=gpu".to_owned(), "the provider ggml does not start: "),
    ] {
        let error = start(&name).err().unwrap();
        assert!(error.starts_with(&format!("{name} cannot start: ")), "{error}");
        assert!(error.contains(reason) && error.lines().count() == 1, "{error}");
    }
    if library::USUAL.find(&libraries, "1.23.2").is_some() {
        let error = start("onnxruntime@1.23.2:ep=ggml").err().unwrap();
        assert!(error.contains("ONNX Runtime 1.23.2 is too old for execution providers"), "{error}");
    }
}

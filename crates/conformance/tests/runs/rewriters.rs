//! `rewriter:CMD` and `tool:CMD` with commands that misbehave in one way each. The tests need Python; if it is missing, they print that
//! they are skipped.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use plumbline_conformance::{PreparedCase, Subject, case_of_model, examine_one, right};
use plumbline_executor::{
    Backend, Identity, Job, Observation, Options, OracleBackend, Prepared, Profile, Refusal, Registry,
};
use plumbline_oracle::Oracle;
use plumbline_tensor::{Model, Tensor, Value};

use crate::common::new_folder;

/// The model that is rewritten.
const MODEL: &str = "(float[2] a) => (float[2] first, float[2] second) { first = Abs (a) second = Neg (first) }";

/// Returns a folder for files and unpacked programs, or `None` if there is no Python.
fn folder() -> Option<PathBuf> {
    let python = std::env::var("PLUMBLINE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    if !std::process::Command::new(&python).arg("--version").output().is_ok_and(|done| done.status.success()) {
        eprintln!("SKIPPED: there is no {python}");
        return None;
    }
    let folder = new_folder();
    std::fs::create_dir_all(&folder).unwrap();
    Some(folder)
}

fn model(text: &str) -> Model {
    format!("<ir_version: 8, opset_import: [\"\" : 18, \"com.microsoft\" : 1]> g {text}").parse().unwrap()
}

/// Lets a command rewrite [`MODEL`]. Returns the verdict, and the kind of the failure if it is one.
fn verdict(folder: &Path, command: &str) -> String {
    verdict_of(&model(MODEL), folder, &format!("rewriter:{command}"))
}

/// Returns a tensor of this shape without equal elements.
fn tensor_of(shape: &[usize]) -> Value {
    let values: Vec<f32> = (0..shape.iter().product()).map(|i: usize| i as f32 - 1.5).collect();
    Value::Tensor(Tensor::from_f32s(shape.to_vec(), &values).unwrap())
}

fn verdict_of(original: &Model, folder: &Path, command: &str) -> String {
    verdict_on(original, tensor_of(&[2]), folder, command)
}

fn verdict_on(original: &Model, input: Value, folder: &Path, command: &str) -> String {
    let command = command.replace("FILE", &folder.join("made.onnx").display().to_string());
    let options = Options { libraries: folder.to_owned(), ..Options::default() };
    let registry = Registry::new(options).with("smallest", "answers Max with Min", |_| Ok(Box::new(Smallest)));
    let registry = Arc::new(registry);
    registry.knows(&command).unwrap();
    let open = command.clone();
    let open = move || registry.start(&open).map_err(|error| error.to_string());
    let subject = Subject::start(&command, Box::new(open)).unwrap();
    let case = case_of_model("rewritten".to_owned(), original.clone(), vec![input], None);
    let right = right(&Oracle::default(), &case).unwrap();
    let finding = examine_one(&subject, &PreparedCase::alone(case), &right, Duration::from_secs(3));
    let judgement = finding.judgement();
    let kind = judgement.kind.map(|kind| format!(" {}", kind.name()));
    format!("{}{}", judgement.verdict, kind.unwrap_or_default())
}

#[test]
fn what_a_rewriter_breaks_has_a_kind_of_its_own() {
    let Some(folder) = folder() else { return };
    for (text, expected) in [
        // The model as it was, and one that computes the same.
        (MODEL, "pass"),
        (
            "(float[2] a) => (float[n] first, float[m] second) { third = Neg (a) first = Max (a, third) second = Neg (first) }",
            "pass",
        ),
        // Another function, another shape, another type.
        (
            "(float[2] a) => (float[2] first, float[2] second) { first = Abs (a) second = Exp (first) }",
            "fail wrong-value",
        ),
        (
            "(float[2] a) => (float[1] first, float[2] second) { first = ReduceL1 (a) second = Neg (a) }",
            "fail wrong-shape",
        ),
        (
            "(float[2] a) => (float[2] first, int32[2] second) { first = Abs (a) second = Cast <to = 6> (first) }",
            "fail breaks-interface",
        ),
        // An output is missing, or has another name.
        ("(float[2] a) => (float[2] first) { first = Abs (a) }", "fail breaks-interface"),
        (
            "(float[2] a) => (float[2] first, float[2] third) { first = Abs (a) third = Neg (first) }",
            "fail breaks-interface",
        ),
        // No such operator, nodes in another order, an input without a value, an extent that the output does not have.
        (
            "(float[2] a) => (float[2] first, float[2] second) { first = Abs (a) second = Nag (first) }",
            "fail breaks-model",
        ),
        (
            "(float[2] a) => (float[2] first, float[2] second) { second = Neg (first) first = Abs (a) }",
            "fail breaks-model",
        ),
        (
            "(float[2] a) => (float[2] first, float[2] second) { first = Abs (a) second = Neg (gone) }",
            "fail breaks-model",
        ),
        (
            "(float[2] a) => (float[2] first, float[3] second) { first = Abs (a) second = Neg (first) }",
            "fail breaks-model",
        ),
        // An operator of somebody else's, which the oracle does not have.
        (
            "(float[2] a) => (float[2] first, float[2] second) { first = Abs (a) second = com.microsoft.Gelu (a) }",
            "unsupported",
        ),
    ] {
        std::fs::write(folder.join("made.onnx"), model(text).to_bytes()).unwrap();
        assert_eq!(verdict(&folder, "sh -c 'cp FILE \"$1\"' sh {out} {in}"), expected, "{text}");
    }
}

#[test]
fn a_command_is_identified_by_what_it_does() {
    let Some(folder) = folder() else { return };
    for (name, expected) in [("rewriter:cp {in} {out}", "rewriter"), ("tool:cp {in} {out}", "tool")] {
        let registry = Registry::new(Options { libraries: folder.clone(), ..Options::default() });
        let runner = registry.start(name).unwrap();
        assert_eq!((&*runner.identity().name, &*runner.identity().version), (expected, "cp {in} {out}"));
    }
}

#[test]
fn a_copy_of_a_model_is_right_where_a_step_overflows_or_is_uncertain() {
    let Some(folder) = folder() else { return };
    // The number -13 of float16.
    let cosh = "x = Constant <value = float16 {51840}> () c = Cosh (x)";
    let ceil = "x = Constant <value = float {3.4028233e38}> () y = Constant <value = float {11.0}> ()
        c = Div (x, y) d = Ceil (c) z = Constant <value = float {107.96228}> ()";
    for text in [
        format!("(float[2] a) => (float16 first) {{ {cosh} first = Cos (c) }}"),
        format!("(float[2] a) => (float16 first) {{ {cosh} first = Floor (c) }}"),
        format!("(float[2] a) => (float first) {{ {ceil} first = Mod <fmod = 1> (d, z) }}"),
    ] {
        assert_eq!(verdict_of(&model(&text), &folder, "rewriter:cp {in} {out}"), "pass", "{text}");
    }
}

#[test]
fn a_rewriter_that_loses_a_function_breaks_the_model() {
    let Some(folder) = folder() else { return };
    let opsets = "<ir_version: 8, opset_import: [\"\" : 18, \"own\" : 1]>";
    let calls = "g (float[2] a) => (float[2] first, float[2] second) { first = Abs (a) second = own.Part (first) }";
    let function = "<domain: \"own\", opset_import: [\"\" : 18]> Part (x) => (y) { y = Neg (x) }";
    let whole: Model = format!("{opsets} {calls} {function}").parse().unwrap();
    let mut lost = whole.clone();
    lost.proto.functions.clear();
    for (made, expected) in [(&whole, "pass"), (&lost, "fail breaks-model")] {
        std::fs::write(folder.join("made.onnx"), made.to_bytes()).unwrap();
        assert_eq!(verdict_of(&whole, &folder, "rewriter:sh -c 'cp FILE \"$1\"' sh {out} {in}"), expected);
    }
}

/// What a wrong shape inference says of one output of a model with the input `float[2,3,n] a`, where `n` is 4.
const WRONG: [(&str, &str, &str); 20] = [
    // The type: that of the input, of a constant, of the result of another version, and none of a tensor.
    ("x = Cast <to = 7> (a)", "float[2,3,n] x", "wrong-type"),
    ("x = Shape (a)", "int32[3] x", "wrong-type"),
    ("x = IsNaN (a)", "float[2,3,n] x", "wrong-type"),
    ("x = ArgMax <axis = 1> (a)", "float[2,1,n] x", "wrong-type"),
    ("x = Identity (a)", "seq(float[2,3,n]) x", "breaks-model"),
    // The rank: kept dimensions that are gone, gone ones that are kept, a scalar, and one dimension too many.
    ("x = ReduceMax <keepdims = 1> (a)", "float x", "wrong-shape"),
    ("x = ArgMin <axis = 2, keepdims = 0> (a)", "int64[2,3,1] x", "wrong-shape"),
    ("x = Squeeze (a)", "float[2] x", "wrong-shape"),
    ("x = Flatten <axis = 2> (a)", "float[2,3,n] x", "wrong-shape"),
    ("x = GlobalAveragePool (a)", "float[2,3] x", "wrong-shape"),
    // The order: two extents and two names that are exchanged, and no permutation.
    ("x = Transpose <perm = [1, 0, 2]> (a)", "float[2,3,n] x", "wrong-shape"),
    ("x = Transpose <perm = [2, 1, 0]> (a)", "float[n,2,3] x", "wrong-shape"),
    ("x = Transpose (a)", "float[2,?,?] x", "wrong-shape"),
    // Extents: rounded up, padding and dilation that are left out, a window that sticks out, one axis instead of another.
    ("x = MaxPool <kernel_shape = [2], strides = [2]> (a)", "float[2,3,3] x", "wrong-shape"),
    ("x = AveragePool <kernel_shape = [2], pads = [1, 1]> (a)", "float[2,3,3] x", "wrong-shape"),
    ("x = LpPool <kernel_shape = [2], dilations = [2]> (a)", "float[2,3,3] x", "wrong-shape"),
    ("x = Concat <axis = 1> (a, a)", "float[4,3,n] x", "wrong-shape"),
    ("x = Concat <axis = 2> (a, a)", "float[2,3,n] x", "wrong-shape"),
    ("x = Softmax <axis = 1> (a)", "float[2,1,n] x", "wrong-shape"),
    ("x = Neg (a)", "float[2,3,-1] x", "breaks-model"),
];

/// Returns the name of a tool that says what a file says.
fn copies(folder: &Path) -> String {
    format!("tool:sh -c 'cp {} \"$1\"' sh {{out}} {{in}}", folder.join("made.onnx").display())
}

#[test]
fn a_tool_that_infers_something_wrong_is_found() {
    let Some(folder) = folder() else { return };
    let copies = &copies(&folder);
    let inferred = |node: &str, output: &str| model(&format!("(float[2,3,n] a) => ({output}) {{ {node} }}"));
    let mut verdicts = vec![];
    for (node, output, _) in WRONG {
        std::fs::write(folder.join("made.onnx"), inferred(node, output).to_bytes()).unwrap();
        verdicts.push(verdict_on(&inferred(node, "float x"), tensor_of(&[2, 3, 4]), &folder, copies));
    }
    let expected: Vec<String> = WRONG.iter().map(|(_, _, kind)| format!("fail {kind}")).collect();
    assert_eq!(verdicts, expected);
    // What is right, said of less, or not said at all, is accepted, also of values inside of the model.
    let node = "t = Flatten <axis = 1> (a) x = Transpose (t)";
    for (x, t, expected) in [
        ("float[12,2]", "float[2,12]", "pass"),
        ("float[k,2]", "float[2,k]", "pass"),
        ("float[]", "float[]", "pass"),
        ("float[12,2]", "float[2,n]", "fail breaks-model"),
    ] {
        let text = format!("(float[2,3,n] a) => ({x} x, {t} t) {{ {node} }}");
        std::fs::write(folder.join("made.onnx"), model(&text).to_bytes()).unwrap();
        let found = verdict_on(&inferred(node, "float x"), tensor_of(&[2, 3, 4]), &folder, copies);
        assert_eq!(found, expected, "{x} {t}");
    }
}

/// A backend that is right about everything but Max, for which it takes Min.
struct Smallest;

impl Backend for Smallest {
    fn identity(&self) -> Identity {
        Identity { name: "smallest".to_owned(), version: "1".to_owned() }
    }

    fn profile(&self) -> &Profile {
        static PROFILE: OnceLock<Profile> = OnceLock::new();
        PROFILE.get_or_init(Profile::of_cpu)
    }

    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        let mut changed = model.clone();
        for node in changed.proto.graph.iter_mut().flat_map(|graph| &mut graph.node) {
            if node.op_type() == "Max" {
                node.op_type = Some("Min".to_owned());
            }
        }
        OracleBackend::default().prepare(&changed)
    }
}

/// Puts a program in the place of an installed Python that has the package onnx. Returns `false` if there is none.
fn install_bodies(folder: &Path) -> bool {
    let python = std::env::var("PLUMBLINE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let imports = std::process::Command::new(&python).args(["-c", "import onnx.inliner"]).output();
    if cfg!(windows) || !imports.is_ok_and(|done| done.status.success()) {
        eprintln!("SKIPPED: {python} cannot import onnx.inliner");
        return false;
    }
    let bin = folder.join("tool-function-bodies/1.23.2/bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::write(bin.join("../complete"), "").unwrap();
    std::fs::write(bin.join("python"), format!("#!/bin/sh\nexec '{python}' \"$@\"\n")).unwrap();
    std::process::Command::new("chmod").arg("+x").arg(bin.join("python")).status().unwrap().success()
}

#[test]
fn a_backend_that_is_wrong_about_a_node_of_a_function_body_is_found() {
    let Some(folder) = folder().filter(|folder| install_bodies(folder)) else { return };
    let of = |node: &str| model(&format!("(float[2] a) => (float[2] x) {{ {node} }}"));
    for (node, backend, expected) in [
        ("x = Relu (a)", "smallest", "pass"),
        ("x = Relu (a)", "smallest:as-function-body", "fail wrong-value"),
        ("x = Softplus (a)", "smallest:as-function-body", "pass"),
        ("x = Abs (a)", "smallest:as-function-body", "unsupported"),
    ] {
        assert_eq!(verdict_of(&of(node), &folder, backend), expected, "{node} {backend}");
    }
}

/// A tool that knows the first inputs of a session, and not those that follow.
#[test]
fn a_number_in_the_place_of_a_name_is_wrong_for_other_extents() {
    let Some(folder) = folder() else { return };
    let inferred = |output: &str| model(&format!("(float[2,n] a) => ({output} x) {{ x = Transpose (a) }}"));
    let options = Options { libraries: folder.clone(), ..Options::default() };
    let mut runner = Registry::new(options).start(&copies(&folder)).unwrap();
    let inputs = [[tensor_of(&[2, 3])], [tensor_of(&[2, 5])]];
    let asked = inferred("float");
    let mut shapes = |output: &str| {
        std::fs::write(folder.join("made.onnx"), inferred(output).to_bytes()).unwrap();
        let jobs = [Job::new(&asked, &inputs[0]), Job::again(&asked, &inputs[1])];
        let shape = |observed: Observation| match observed {
            Observation::Outputs { values, .. } => values[0].as_tensor().unwrap().shape().to_vec(),
            other => panic!("{other:?}"),
        };
        runner.run_batch(&jobs, Duration::from_secs(3)).into_iter().map(shape).collect::<Vec<_>>()
    };
    assert_eq!(shapes("float[n,2]"), [[3, 2], [5, 2]]);
    assert_eq!(shapes("float[3,2]"), [[3, 2], [3, 2]], "the second answer is wrong");
}

#[test]
fn a_rewriter_that_writes_no_model_hangs_or_dies_is_found() {
    let Some(folder) = folder() else { return };
    std::fs::write(folder.join("made.onnx"), &model(MODEL).to_bytes()[..40]).unwrap();
    for (command, expected) in [
        ("cp {in} {out}", "pass"),
        ("sh -c 'cp FILE \"$1\"' sh {out} {in}", "fail breaks-model"),
        ("true {in} {out}", "fail breaks-model"),
        ("sh -c 'echo no; exit 1' {in} {out}", "fail rejects-valid"),
        ("no-such-program-anywhere {in} {out}", "fail rejects-valid"),
        ("sh -c 'kill -9 $$' {in} {out}", "crash"),
        ("sh -c 'sleep 100' {in} {out}", "timeout"),
    ] {
        assert_eq!(verdict(&folder, command), expected, "{command}");
    }
}

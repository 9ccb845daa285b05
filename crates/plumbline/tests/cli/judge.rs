//! Tests `judge`: answers that are accepted, answers that are not, and what cannot be judged.

use std::path::Path;

use plumbline_tensor::{DType, Model, Tensor, Value, load_model, value_to_bytes};

use crate::Session;

/// Five nodes; the last one hides small differences.
const CHAIN: &str = "\
<ir_version: 8, opset_import: [\"\" : 17]>
chain (float[4] x) => (float[4] y) {
    [magnitude] a = Abs (x)
    [growth] b = Exp (a)
    c = Mul (b, x)
    d = Add (c, a)
    y = Floor (d)
}
";

/// The input of the chain. The constants below are the values that a correct implementation computes for it.
const X: [f32; 4] = [-1.5, 0.0, 0.25, 2.0];
const A: [f32; 4] = [1.5, 0.0, 0.25, 2.0];
const B: [f32; 4] = [4.481_689, 1.0, 1.284_025_4, 7.389_056];
const C: [f32; 4] = [-6.722_533, 0.0, 0.321_006_36, 14.778_112];
const D: [f32; 4] = [-5.222_533, 0.0, 0.571_006_36, 16.778_112];
const Y: [f32; 4] = [-6.0, 0.0, 0.0, 16.0];

fn floats(x: &[f32]) -> Value {
    Tensor::from_f32s(vec![x.len()], x).unwrap().into()
}

/// Writes a value to a file, and creates the folder of the file.
fn write(session: &Session, name: &str, value: &Value) {
    std::fs::create_dir_all(session.path(name).parent().unwrap()).unwrap();
    session.write(name, value_to_bytes(value, "").unwrap());
}

/// Writes the chain, its input, its output and the intermediate values.
fn chain(changed: &[(&str, [f32; 4])]) -> Session {
    let session = Session::new();
    session.write("chain.txt", CHAIN);
    write(&session, "in/input_0.pb", &floats(&X));
    for (file, x) in [("values/a", A), ("values/b", B), ("values/c", C), ("values/d", D), ("out/output_0", Y)] {
        let x = changed.iter().find(|(name, _)| *name == file).map_or(x, |(_, x)| *x);
        write(&session, &format!("{file}.pb"), &floats(&x));
    }
    session
}

const WITH_VALUES: [&str; 6] = ["judge", "chain.txt", "in", "out", "--values", "values"];

#[test]
fn right_answers_are_accepted() {
    let mut session = chain(&[]);
    session.run(&["judge", "chain.txt", "in", "out"]);
    session.run(&WITH_VALUES);
    session.run(&["judge", "chain.txt", "in", "out", "--format", "json"]);
    insta::assert_snapshot!(session.printed());
}

#[test]
fn the_first_wrong_node_is_named() {
    // One element of the second value is wrong, and so is what the next two nodes compute from it.
    let mut session = chain(&[
        ("values/b", [4.481_689, 1.0, 2.284_025_4, 7.389_056]),
        ("values/c", [-6.722_533, 0.0, 0.571_006_36, 14.778_112]),
        ("values/d", [-5.222_533, 0.0, 0.821_006_36, 16.778_112]),
    ]);
    session.note("a wrong value that the last node hides");
    session.run(&WITH_VALUES);
    session.run(&[&WITH_VALUES[..], &["--format", "json"]].concat());
    std::fs::remove_file(session.path("values/b.pb")).unwrap();
    write(&session, "values/conv%2F1.pb", &floats(&X));
    session.note("without the value of the wrong node");
    session.run(&WITH_VALUES);
    insta::assert_snapshot!(session.printed());
}

#[test]
fn every_type_has_its_words_and_json() {
    let mut session = Session::new();
    session.write(
        "types.txt",
        "<ir_version: 8, opset_import: [\"\" : 17]>\n\
         types (float[3] f, float[3] g, int64[2] i, string[2] s, bool[1] b) \
         => (float[3] exp, float[3] min, int64[2] sum, string[2] same, bool[1] not, seq(int64[2]) list) {\n\
         exp = Exp (f)\nmin = Min (f, g)\nsum = Add (i, i)\nsame = Identity (s)\nnot = Not (b)\n\
         list = SequenceConstruct (i, i)\n}\n",
    );
    let strings = |x: [&str; 2]| {
        Value::from(Tensor::from_strings(vec![2], x.iter().map(|s| s.as_bytes().to_vec()).collect()).unwrap())
    };
    let list = |x: [[i64; 2]; 2]| {
        Value::tensor_sequence(DType::Int64, x.iter().map(|x| Tensor::from_i64s(x)).collect()).unwrap()
    };
    let bools = |x: bool| Value::from(Tensor::from_bytes(DType::Bool, vec![1], vec![u8::from(x)]).unwrap());
    for (at, value) in [
        floats(&[f32::NAN, 88.722_84, -0.0]),
        floats(&[1.0, 2.0, 0.0]),
        Tensor::from_i64s(&[1 << 60, -1]).into(),
        strings(["a", "b\u{1b}[31m"]),
        bools(true),
    ]
    .iter()
    .enumerate()
    {
        write(&session, &format!("set/input_{at}.pb"), value);
    }
    for (at, value) in [
        floats(&[1.0, f32::INFINITY, f32::NEG_INFINITY]),
        floats(&[1.0, f32::NAN, 0.0]),
        Tensor::from_i64s(&[1 << 61, 2]).into(),
        strings(["a", "\u{1b}[31mb"]),
        bools(true),
        list([[1 << 60, -1], [1 << 60, 7]]),
    ]
    .iter()
    .enumerate()
    {
        write(&session, &format!("set/output_{at}.pb"), value);
    }
    session.run(&["judge", "types.txt", "set", "set"]);
    session.run(&["judge", "types.txt", "set", "set", "--format", "json"]);
    insta::assert_snapshot!(session.printed());
}

#[test]
fn what_cannot_be_judged_is_an_error() {
    let mut session = chain(&[]);
    let run = |session: &mut Session, note: &str, arguments: &[&str]| {
        session.note(note);
        session.run(&[&["judge"], arguments].concat());
        assert!(session.printed.trim_end().ends_with("exit code 2"), "{arguments:?}\n{}", session.printed);
    };
    run(&mut session, "no answer and no backend", &["chain.txt", "in"]);
    run(&mut session, "no such model", &["chain.onnx", "in", "out"]);
    run(&mut session, "no inputs in the folder", &["chain.txt", "out", "out"]);
    run(&mut session, "no such folder", &["chain.txt", "in", "nowhere"]);
    write(&session, "two/output_0.pb", &floats(&Y));
    write(&session, "two/output_1.pb", &floats(&Y));
    run(&mut session, "two outputs for a model with one", &["chain.txt", "in", "two"]);
    write(&session, "gap/output_1.pb", &floats(&Y));
    run(&mut session, "output_1 without output_0", &["chain.txt", "in", "gap"]);
    std::fs::create_dir_all(session.path("broken")).unwrap();
    session.write("broken/output_0.pb", [8, 2, 16, 255]);
    run(&mut session, "a broken file", &["chain.txt", "in", "broken"]);
    write(&session, "int/input_0.pb", &Tensor::from_i64s(&[1, 2, 3, 4]).into());
    run(&mut session, "an input of another type", &["chain.txt", "int", "out"]);
    write(&session, "other/z.pb", &floats(&X));
    run(&mut session, "values of another model", &["chain.txt", "in", "out", "--values", "other"]);
    session.write("other/index.json", "{\"format\": 1, \"values\": {\"a\": \"../values/a.pb\"}}");
    run(&mut session, "an index that leads out of its folder", &["chain.txt", "in", "out", "--values", "other"]);
    let named =
        CHAIN.replace("[\"\" : 17]", "[\"\" : 17, \"com.example\" : 1]").replace("c = Mul", "c = com.example.Swoosh");
    session.write("swoosh.txt", named);
    run(&mut session, "an operator that nobody knows", &["swoosh.txt", "in", "out"]);
    session.write("invalid.txt", CHAIN.replace("Add (c, a)", "Add (c)"));
    run(&mut session, "an invalid node", &["invalid.txt", "in", "out"]);
    session.write(
        "large.txt",
        CHAIN.replace("Abs (x)", "Abs (x)\n s = Constant <value_ints = [999999, 999]> ()\n l = ConstantOfShape (s)"),
    );
    run(&mut session, "a tensor beyond the limit", &["large.txt", "in", "out"]);
    run(&mut session, "an arithmetic that nobody knows", &["chain.txt", "in", "out", "--arithmetic", "exactly"]);
    run(&mut session, "a backend that nobody knows", &["chain.txt", "in", "--backend", "onyx"]);
    run(&mut session, "the judge as a backend", &["chain.txt", "in", "--backend", "reference"]);
    session.write(
        "text.txt",
        "<ir_version: 8, opset_import: [\"\" : 17]>\ng (string[1] x) => (string[1] y) { y = Identity (x) }\n",
    );
    write(&session, "text/input_0.pb", &Tensor::from_strings(vec![1], vec![b"a".to_vec()]).unwrap().into());
    let backend = ["text.txt", "text", "--backend", "directml-software"];
    run(&mut session, "a backend that does not support the model", &backend);
    insta::assert_snapshot!(session.printed());
}

#[test]
fn a_model_without_its_external_data_is_an_error() {
    let mut session = chain(&[]);
    let mut model: Model = CHAIN.replace("Mul (b, x)", "Mul (b, w)").parse().unwrap();
    let mut weights = plumbline_tensor::tensor_to_proto(&Tensor::from_f32s(vec![4], &X).unwrap(), "w");
    let entry = |key: &str, value: &str| plumbline_tensor::onnx::StringStringEntryProto {
        key: Some(key.to_owned()),
        value: Some(value.to_owned()),
    };
    let bytes = weights.raw_data.take().unwrap_or_else(|| X.iter().flat_map(|x| x.to_le_bytes()).collect());
    weights.float_data.clear();
    weights.data_location = Some(1);
    weights.external_data = vec![entry("location", "weights.bin"), entry("length", "16")];
    model.proto.graph.as_mut().unwrap().initializer.push(weights);
    session.write("chain.onnx", model.to_bytes());
    session.run(&["judge", "chain.onnx", "in", "out"]);
    session.write("weights.bin", bytes);
    assert!(load_model(&session.path("chain.onnx")).is_ok());
    session.run(&["judge", "chain.onnx", "in", "out"]);
    insta::assert_snapshot!(session.printed());
}

#[test]
fn declared_arithmetic_decides() {
    let mut session = Session::new();
    session.write(
        "half.txt",
        "<ir_version: 8, opset_import: [\"\" : 17]>\ng (float[1] x) => (float[1] y) { y = Abs (x) }\n",
    );
    write(&session, "set/input_0.pb", &floats(&[f32::from_bits(3)]));
    write(&session, "set/output_0.pb", &floats(&[0.0]));
    session.run(&["judge", "half.txt", "set", "set"]);
    session.write("profile.json", "{\"flush_subnormals\": true}");
    session.run(&["judge", "half.txt", "set", "set", "--arithmetic", "profile.json"]);
    session.write("profile.json", "{\"flush\": true}");
    session.run(&["judge", "half.txt", "set", "set", "--arithmetic", "profile.json"]);
    insta::assert_snapshot!(session.printed());
}

/// A small network for pictures, with weights that are computed from a formula.
fn network() -> Model {
    let mut model: Model = "<ir_version: 8, opset_import: [\"\" : 17]>\n\
        network (float[1, 2, 8, 8] image) => (float[1, 3] scores) {\n\
        [conv] c = Conv <pads = [1, 1, 1, 1]> (image, kernel, bias)\n\
        [norm] n = BatchNormalization (c, scale, shift, mean, var)\n\
        [relu] r = Relu (n)\n\
        [pool] p = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (r)\n\
        [flat] f = Flatten (p)\n\
        [dense] d = Gemm <transB = 1> (f, weights, offsets)\n\
        [softmax] scores = Softmax (d)\n}"
        .parse()
        .unwrap();
    let constant = |name: &str, shape: &[usize], from: f32, to: f32| {
        plumbline_tensor::tensor_to_proto(&wave(shape, from, to), name)
    };
    model.proto.graph.as_mut().unwrap().initializer = vec![
        constant("kernel", &[4, 2, 3, 3], -0.5, 0.5),
        constant("bias", &[4], -0.1, 0.1),
        constant("scale", &[4], 0.5, 1.5),
        constant("shift", &[4], -0.2, 0.2),
        constant("mean", &[4], -0.3, 0.3),
        constant("var", &[4], 0.5, 2.0),
        constant("weights", &[3, 64], -0.3, 0.3),
        constant("offsets", &[3], -0.1, 0.1),
    ];
    model
}

/// Returns a tensor whose elements wander between two numbers.
fn wave(shape: &[usize], from: f32, to: f32) -> Tensor {
    let count = shape.iter().product::<usize>();
    let element = |i: usize| from + (to - from) * ((i * 37 % 101) as f32 / 101.0);
    Tensor::from_f32s(shape.to_vec(), &(0..count).map(element).collect::<Vec<_>>()).unwrap()
}

fn with_network() -> Session {
    let session = Session::new();
    session.write("network.onnx", network().to_bytes());
    write(&session, "in/input_0.pb", &wave(&[1, 2, 8, 8], -1.0, 1.0).into());
    session
}

#[test]
fn backends_are_judged_at_every_node() {
    let mut session = with_network();
    session.run(&["judge", "network.onnx", "in", "--backend", "cpu"]);
    assert!(session.printed.contains("nodes    7: 7 judged, 0 wrong"), "{}", session.printed);
    session.printed.clear();
    // `mock:lie` flips a bit in the first element of the first output of each run.
    session.run(&["judge", "network.onnx", "in", "--backend", "cpu", "--against", "mock:lie"]);
    assert_eq!(session.printed.matches("nodes    7: 7 judged").count(), 2, "{}", session.printed);
    assert!(session.printed.contains("`softmax` (Softmax-13) -> scores: fail"), "{}", session.printed);
    assert!(session.printed.contains("\nparting  node 0 `conv` (Conv-11) -> c\n"), "{}", session.printed);
    assert!(session.printed.ends_with("exit code 1\n\n"), "{}", session.printed);
    session.printed.clear();
    session.run(&["judge", "network.onnx", "in", "--backend", "cpu", "--against", "cpu"]);
    assert!(session.printed.contains("parting  none: the 7 values that both backends gave"), "{}", session.printed);
}

/// Runs only if `cargo xtask test` has fetched ONNX Runtime.
#[test]
fn onnx_runtime_is_judged_at_every_node() {
    let cache = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
    if !cache.join("onnxruntime").is_dir() {
        eprintln!("SKIPPED: ONNX Runtime is not fetched; `cargo xtask test` fetches it");
        return;
    }
    let session = with_network();
    let arguments = ["judge", "network.onnx", "in", "--backend", "onnxruntime", "--against", "cpu", "--format", "json"];
    let output = crate::plumbline(session.folder.path(), &cache, &arguments);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    assert_eq!((&json["accepted"], output.status.code()), (&true.into(), Some(0)), "{json:#}");
    assert!(json["backend"].as_str().unwrap().starts_with("onnxruntime "), "{json:#}");
    let nodes = json["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 7);
    assert!(nodes.iter().all(|node| node["verdict"] == "pass"), "{json:#}");
    assert_eq!(json["first_wrong"], serde_json::Value::Null);
    assert_eq!(json["omitted_values"], serde_json::json!([]));
}

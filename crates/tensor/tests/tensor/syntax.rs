//! Tests ONNX's text syntax: what is printed is read back, errors name their place, and hostile texts do no harm.
//! `scripts/compare_syntax.py` compares both directions with the onnx package.

use plumbline_tensor::onnx::*;
use plumbline_tensor::{DType, Data, Model, SyntaxError, Tensor, tensor_from_proto, tensor_to_proto};
use proptest::prelude::*;
use prost::Message;

/// Models as we print them. Together they have every construct that we print; `extensions` has those that the onnx
/// package has no notation for.
const MODELS: [&str; 6] = [
    include_str!("../data/syntax/values.txt"),
    include_str!("../data/syntax/types.txt"),
    include_str!("../data/syntax/attributes.txt"),
    include_str!("../data/syntax/functions.txt"),
    include_str!("../data/syntax/nameless.txt"),
    include_str!("../data/syntax/extensions.txt"),
];

#[test]
fn printed_models_are_read_back() {
    for text in MODELS {
        let model: Model = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(model.to_string(), text);
        // Neither direction adds or drops a field.
        assert_eq!(model.to_string().parse::<Model>().unwrap(), model);
    }
}

#[test]
fn text_means_what_onnx_says() {
    let model: ModelProto = MODELS[0].parse().unwrap();
    assert_eq!((model.ir_version, model.model_version), (Some(10), Some(-3)));
    assert_eq!(model.producer_name.as_deref(), Some(r#"a "quoted" \ name"#));
    assert_eq!(model.metadata_props[1].value.as_deref(), Some("#"));
    let graph = model.graph.unwrap();
    let shape = |at: usize| match &graph.input[at].r#type.as_ref().unwrap().value {
        Some(TypeProtoValue::TensorType(t)) => t.shape.as_ref().map(|shape| shape.dim.clone()),
        other => panic!("{other:?}"),
    };
    let dims = shape(0).unwrap();
    assert_eq!(dims[0].value, Some(TensorShapeProtoDimensionValue::DimParam("N".into())));
    assert_eq!(dims[1].value, Some(TensorShapeProtoDimensionValue::DimValue(3)));
    assert_eq!(dims[2].value, None);
    assert_eq!(dims[3].value, Some(TensorShapeProtoDimensionValue::DimParam("batch size".into())));
    // A type without brackets is a scalar; empty brackets are an unknown rank.
    assert_eq!((shape(1), shape(2)), (Some(vec![]), None));
    assert_eq!(graph.initializer[4].int32_data, [33, 3]);
    assert_eq!(tensor_from_proto(&graph.initializer[4]).unwrap().to_string(), "int4[3] [1, 2, 3]");
    assert_eq!(tensor_from_proto(&graph.initializer[3]).unwrap().to_string(), "float16[2] [1, -0]");
    assert_eq!(graph.initializer[9].data_location, Some(1));
    assert_eq!(graph.value_info[1], ValueInfoProto { name: Some("untyped".into()), ..Default::default() });
    let node = &graph.node[1];
    assert_eq!((node.domain.as_deref(), node.op_type.as_deref()), (Some("com.example"), Some("Op")));
    assert_eq!((node.name.as_deref(), node.overload.as_deref()), (Some("second node"), Some("over")));
    assert_eq!(
        (&node.output[..], &node.input[..]),
        (&["a", "", "c"].map(String::from)[..], &["x", "", "float"].map(String::from)[..])
    );
    assert_eq!(graph.node[2].output, Vec::<String>::new());
}

#[test]
fn other_spellings_are_read() {
    let node = |text: &str| text.parse::<NodeProto>().unwrap_or_else(|e| panic!("{text}: {e}"));
    // Attributes before or after the inputs, with or without a type; comments; a name left out before a comma.
    let canonical = node("y = Op <axis = 1> (\"\", x)");
    for text in
        ["y=Op(,x)<axis:int=1>", " y = Op # comment\n<axis = 1>(\"\", x,) # end", "\"y\" = Op(, \"x\") <axis = 1>"]
    {
        assert_eq!(node(text), canonical, "{text}");
    }
    // If the type is float, a number may lack a point. Special floats may have uppercase letters.
    assert_eq!(node("= Op <f: float = -0> ()").attribute[0].f.unwrap().to_bits(), (-0.0f32).to_bits());
    assert_eq!(node("= Op <f: floats = [1, 2.]> ()").attribute[0].floats, [1.0, 2.0]);
    assert_eq!(node("= Op <f = [-Infinity, NaN]> ()").attribute[0].floats[0], f32::NEG_INFINITY);
    // An equals sign may stand before the elements. An element of a small float type may be written as its value.
    let tensor = |text: &str| {
        let node = node(&format!("= Op <t = {text}> ()"));
        tensor_from_proto(node.attribute[0].t.as_ref().unwrap()).unwrap().to_string()
    };
    assert_eq!(tensor("float[2] = {1, 2}"), "float[2] [1, 2]");
    assert_eq!(tensor("float16[3] {1.5, -0.0, 15360}"), "float16[3] [1.5, -0, 1]");
    assert_eq!(tensor("float8e4m3fn[2] {1e0, nan}"), "float8e4m3fn[2] [1, NaN]");
    // Inputs of graphs may have values, and inputs of functions may have types.
    let graph: GraphProto = "g (float x = {1}) => (y) { }".parse().unwrap();
    assert_eq!((graph.input.len(), graph.initializer[0].float_data[0]), (1, 1.0));
    let function: FunctionProto = "f (float[N] x, z) => (int64 y) <bool b> { }".parse().unwrap();
    let names: Vec<_> = function.value_info.iter().map(|info| info.name.as_deref().unwrap()).collect();
    assert_eq!((function.input, names), (vec!["x".into(), "z".into()], vec!["x", "y", "b"]));
    assert_eq!("map(string, float[])".parse::<TypeProto>().unwrap().to_string(), "map(string, float[])");
}

/// Tensors with bit patterns of all kinds, of every element type.
fn tensors() -> impl Strategy<Value = Tensor> {
    (0..DType::ALL.len(), prop::collection::vec(any::<[u8; 16]>(), 0..20)).prop_map(|(dtype, items)| {
        let dtype = DType::ALL[dtype];
        let size = dtype.size();
        let shape = vec![items.len()];
        let mask = match dtype.bits() {
            Some(bits @ 1..8) => (1u8 << bits) - 1,
            _ if dtype == DType::Bool => 1,
            _ => 0xff,
        };
        let data = match dtype {
            DType::String => {
                Data::Strings(items.iter().map(|item| item[..usize::from(item[0] % 16)].to_vec()).collect())
            }
            _ => Data::Bytes(items.iter().flat_map(|item| item[..size].iter().map(|b| b & mask)).collect()),
        };
        Tensor::new(dtype, shape, data).unwrap()
    })
}

#[test]
fn fields_that_the_text_cannot_express_are_named() {
    let doc = || Some("documentation".to_owned());
    let entries = || vec![StringStringEntryProto { key: doc(), value: doc() }];
    let mut model: ModelProto = "g (float[N] x) => (y) <float w = {1}> { y = Op <a = 1> (x) }".parse().unwrap();
    let plain = model.to_string();
    assert!(plain.starts_with("<\n"), "{plain}");
    let graph = model.graph.as_mut().unwrap();
    graph.doc_string = doc();
    graph.node[0].metadata_props = entries();
    graph.node[0].attribute[0].doc_string = doc();
    graph.node[0].attribute[0].f = Some(2.0);
    graph.initializer[0].int64_data = vec![1];
    graph.input[0].r#type.as_mut().unwrap().denotation = doc();
    graph.output[0].doc_string = doc();
    graph.node[0].attribute.push(AttributeProto { name: doc(), ..Default::default() });
    model.training_info.push(TrainingInfoProto::default());
    assert_eq!(
        model.to_string(),
        format!(
            "# Not in this text: AttributeProto.doc_string, AttributeProto.f, GraphProto.doc_string, \
             ModelProto.training_info, NodeProto.attribute, NodeProto.metadata_props, TensorProto.int64_data, \
             TypeProto.denotation, ValueInfoProto.doc_string\n{plain}"
        )
    );
    // A function's attribute whose default has neither a type nor a value.
    let text = "g () => () {} <domain: \"d\", opset_import: [\"\" : 13]> F (a) => (b) { b = Neg (a) }";
    let mut model: ModelProto = text.parse().unwrap();
    model.functions[0].attribute_proto.push(AttributeProto { name: doc(), ..Default::default() });
    assert!(model.to_string().starts_with("# Not in this text: FunctionProto.attribute_proto\n"), "{model}");
    // An element type that ONNX does not define, and raw data of another length than the shape requires.
    let raw =
        |data_type, raw: &[u8]| TensorProto { data_type, raw_data: Some(raw.to_vec().into()), ..Default::default() };
    let graph = GraphProto { initializer: vec![raw(Some(77), &[1]), raw(Some(1), &[1])], ..Default::default() };
    let first = "# Not in this text: GraphProto.initializer, TensorProto.raw_data\n";
    assert_eq!(graph.to_string(), format!("{first}\"\" () => () <\n  float \"\" = {{}}\n> {{}}"));
}

/// Texts that are not ONNX's syntax, each with the place and a part of the reason.
const ERRORS: [(&str, usize, usize, &str); 34] = [
    ("", 1, 1, "expected the name of a graph, found the end"),
    ("g (float x) =>\n  (float y)\n", 3, 1, "expected `{`, found the end"),
    ("g () = > () {}", 1, 6, "expected `=>`"),
    ("<ir_version: \"10\"> g () => () {}", 1, 14, "an integer of 64 bits"),
    ("<ir_version: 1,\n version: 2> g () => () {}", 2, 2, "`version` is not allowed here"),
    ("<opset_import: [\"\" : 99999999999999999999]> g () => () {}", 1, 22, "is not an integer"),
    ("<opset_import: [\"\", 1]> g () => () {}", 1, 19, "expected `:`, found `,`"),
    ("<domain: \"x", 1, 10, "the string has no end"),
    ("<ir_version: 1, > g () => () {}", 1, 17, "the name of a field"),
    ("g (float[N) => () {}", 1, 11, "expected `,` or `]`"),
    ("g (float[1.5] x) => () {}", 1, 10, "`1.5` is not an integer"),
    ("g (seq(floats) x) => () {}", 1, 8, "expected a type"),
    ("g (map(x, float) x) => () {}", 1, 8, "expected an element type"),
    ("g (seq float x) => () {}", 1, 8, "expected `(`"),
    ("g () => () <float[N] x = {1}> {}", 1, 26, "extents of a tensor with elements must be numbers"),
    ("g () => () <float[] x = {1}> {}", 1, 25, "elements need a shape"),
    ("g () => () <x = {1}> {}", 1, 17, "an initializer needs a type"),
    ("g () => () <seq(float) x = {1}> {}", 1, 28, "only a tensor can have elements"),
    ("g () => () <float x = 1> {}", 1, 23, "expected `{` before elements"),
    ("g () => () <int32[2] x = {1,\n2147483648}> {}", 2, 1, "not an integer of 32 bits"),
    ("g () => () <uint64 x = {-1}> {}", 1, 25, "`-1` is not an integer"),
    ("g () => () <int64 x = {1.5}> {}", 1, 24, "`1.5` is not an integer"),
    ("g () => () <float x = {1e39}> {}", 1, 24, "`1e39` is not a number of type float"),
    ("g () => () <float x = {nan(0x7f800000)}> {}", 1, 24, "is not a number of type float"),
    ("g () => () <string x = {1}> {}", 1, 25, "expected a string"),
    ("g () => () <string x = {b\"é\\q\"}> {}", 1, 28, "unknown escape"),
    ("g () => () { y = Op (x) <a = []> }", 1, 31, "an empty list needs a type"),
    ("g () => () { y = Op (x) <a: int = [1]> }", 1, 35, "the attribute's type is not a list"),
    ("g () => () { y = Op (x) <a: int = 1.0> }", 1, 35, "does not have the attribute's type"),
    ("g () => () { y = Op (x) <a = [1, 2.0]> }", 1, 34, "does not have the attribute's type"),
    ("g () => () { y = Op (x) <a: number = 1> }", 1, 29, "expected the type of an attribute"),
    ("g () => () {\n  \"日本\", y Op (x) }", 2, 11, "`=` after the outputs"),
    ("g () => () { y = Op (x }", 1, 24, "expected `,` or `)`"),
    ("g () => () {} f () => () {} ]", 1, 29, "the name of a function"),
];

#[test]
fn errors_name_their_place() {
    for (text, line, column, reason) in ERRORS {
        let error: SyntaxError = text.parse::<ModelProto>().unwrap_err();
        assert_eq!((error.line, error.column), (line, column), "{text}: {error}");
        assert!(error.reason.contains(reason), "{text}: {error}");
    }
    let error = "y = Op (x) z".parse::<NodeProto>().unwrap_err();
    assert_eq!(error.to_string(), "line 1, column 12: expected the end, found `z`");
}

#[test]
fn depth_is_limited_and_extents_take_no_memory() {
    let nested_type = |depth: usize| format!("{}float{}", "seq(".repeat(depth), ")".repeat(depth));
    assert!(nested_type(60).parse::<TypeProto>().is_ok());
    let error = nested_type(100_000).parse::<TypeProto>().unwrap_err();
    assert!(error.reason.contains("nested more than 64 times"), "{error}");
    let nested_graph =
        |depth: usize| format!("{}g () => () {{}}{}", "g () => () { = If () <a = ".repeat(depth), "> }".repeat(depth));
    let deep: Model = nested_graph(60).parse().unwrap();
    assert_eq!(deep.to_string().parse::<Model>().unwrap(), deep);
    assert!(nested_graph(100_000).parse::<Model>().unwrap_err().reason.contains("nested more than 64 times"));
    // The extents do not decide how much memory is taken.
    let huge: Model = "g () => () <float[9223372036854775807,9223372036854775807] x = {1}> {}".parse().unwrap();
    assert_eq!(huge.graph().initializer[0].float_data, [1.0]);
    assert!(huge.to_string().contains("float[9223372036854775807,9223372036854775807] x = {1.0}"));
}

#[derive(Clone, Debug)]
enum Change {
    Remove(prop::sample::Index, usize),
    Insert(prop::sample::Index, String),
    Repeat(prop::sample::Index, prop::sample::Index, usize),
}

/// The tokens that are inserted into texts.
const TOKENS: [&str; 34] = [
    "<",
    ">",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "=",
    "=>",
    ",",
    ":",
    ".",
    "@",
    "?",
    "#",
    "\"",
    "\\",
    "b\"",
    "-",
    "nan",
    "inf",
    "nan(0x",
    "0x7f",
    "1e",
    "1.5",
    "99999999999999999999",
    "float",
    "seq(",
    "opaque(",
    "é",
    "\n",
    "int4",
    "\"\"",
];

fn change() -> impl Strategy<Value = Change> {
    let token = prop::sample::select(TOKENS.to_vec());
    prop_oneof![
        (any::<prop::sample::Index>(), 1..9usize).prop_map(|(at, length)| Change::Remove(at, length)),
        (any::<prop::sample::Index>(), token).prop_map(|(at, token)| Change::Insert(at, token.to_owned())),
        (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 1..40usize)
            .prop_map(|(from, to, length)| Change::Repeat(from, to, length)),
    ]
}

fn changed(text: &str, changes: &[Change]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for change in changes {
        let length = chars.len();
        match change {
            Change::Remove(at, count) => {
                let at = at.index(length + 1);
                chars.drain(at..(at + count).min(length));
            }
            Change::Insert(at, token) => {
                let at = at.index(length + 1);
                chars.splice(at..at, token.chars());
            }
            Change::Repeat(from, to, count) => {
                let from = from.index(length + 1);
                let part = chars[from..(from + count).min(length)].to_vec();
                let to = to.index(length + 1);
                chars.splice(to..to, part);
            }
        }
    }
    chars.into_iter().collect()
}

/// Reads a text as a model. If that succeeds, checks that the printed model is read back as the same model. Otherwise,
/// checks that the error names a place in the text.
fn checked(text: &str) -> Result<(), TestCaseError> {
    match text.parse::<ModelProto>() {
        Ok(model) => {
            let printed = model.to_string();
            let again = printed.parse::<ModelProto>();
            let again = again.map_err(|e| TestCaseError::fail(format!("{e}\n{text}\n{printed}")))?;
            prop_assert_eq!(again.encode_to_vec(), model.encode_to_vec(), "{}", text);
        }
        Err(error) => {
            let line = text.split('\n').nth(error.line - 1);
            prop_assert!(line.is_some_and(|line| error.column <= line.chars().count() + 1), "{}: {}", text, error);
        }
    }
    Ok(())
}

#[test]
fn a_token_at_any_place_is_read_or_refused() {
    for model in MODELS {
        for (at, _) in model.char_indices() {
            for token in TOKENS {
                let (before, after) = model.split_at(at);
                checked(&format!("{before}{token}{after}")).unwrap_or_else(|e| panic!("`{token}` at {at}: {e}"));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_texts_never_panic(
        which in 0..MODELS.len(),
        changes in prop::collection::vec(change(), 1..5),
    ) {
        checked(&changed(MODELS[which], &changes))?;
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = text.parse::<ModelProto>();
        let _ = text.parse::<NodeProto>();
        let _ = text.parse::<TypeProto>();
    }

    #[test]
    fn elements_keep_their_bits(tensor in tensors()) {
        let graph = GraphProto { initializer: vec![tensor_to_proto(&tensor, "x")], ..GraphProto::default() };
        let text = graph.to_string();
        prop_assert!(!text.contains("Not in this text"), "{}", text);
        let again: GraphProto = text.parse().unwrap();
        prop_assert_eq!(tensor_from_proto(&again.initializer[0]).unwrap(), tensor, "{}", text);
        // The tensor that was read has its elements in typed fields, and prints the same text.
        prop_assert_eq!(again.to_string(), text);
    }
}

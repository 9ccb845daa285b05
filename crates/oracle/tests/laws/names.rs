//! Tests of the names of a model's values: each name is defined once, before it is used, and the formal inputs of a
//! nested graph may hide names of the graphs around it.

use plumbline_oracle::{Oracle, RefusalKind};
use plumbline_tensor::onnx::{GraphProto, SparseTensorProto, TensorProto};
use plumbline_tensor::{Model, Tensor, Value, tensor_to_proto};

use crate::compare::{is, refusal};
use crate::draws::{float, int, truth};
use crate::given;
use crate::text::model;

/// Programs that are refused, each with a part of the message.
const REFUSED: [(&str, &str); 19] = [
    ("a = Neg(x) a = Abs(x)", "`a`"),
    ("x = Neg(x)", "`x`"),
    ("a, a = Split<num_outputs = 2, axis = 0>(x)", "`a`"),
    ("y = Neg(a) a = Neg(x)", "`a` is computed by no earlier node"),
    // The next two programs define a name of the outer graph again: the first in the branch that is taken, the second
    // in the other branch.
    ("a = Neg(x) y = If<then_branch = g () => (a) {a = Abs(x)}, else_branch = g () => (e) {e = Abs(x)}>(c)", "`a`"),
    ("a = Neg(x) y = If<then_branch = g () => (t) {t = Abs(x)}, else_branch = g () => (a) {a = Abs(x)}>(c)", "`a`"),
    (
        "a = Neg(x) y = If<then_branch = g () => (t) {t = Abs(x)}, else_branch = g () => (e) {e = Abs(nothing)}>(c)",
        "`nothing`",
    ),
    ("a = Neg(x) y = If<then_branch = g () => (t) {t = Abs(x)}, else_branch = g () => (nothing) {}>(c)", "`nothing`"),
    ("y = Loop<body = g (i, go, s) => (go, t) {t = Neg(s) t = Abs(s)}>(n, , x)", "`t`"),
    ("y = Loop<body = g (i, go, i) => (go, t) {t = Neg(i)}>(n, , x)", "`i`"),
    (r#"<domain: "own", opset_import: ["" : 13]> F (a) => (b) {b = Neg(a) b = Abs(a)} y = own.F(x)"#, "`b`"),
    (
        r#"<domain: "own", opset_import: ["" : 13]> F (a) => (b) {b = Neg(c)} y = Neg(x)"#,
        "`c` is computed by no earlier node",
    ),
    (
        r#"<domain: "own", opset_import: ["" : 13]> F (a) => (b) {b = Neg(a)} <domain: "own", opset_import: ["" : 13]> F (a) => (b) {b = Abs(a)} y = own.F(x)"#,
        "twice",
    ),
    (r#"<domain: "own", opset_import: []> F (a) => (b) {b = Neg(a)} y = own.F(x)"#, "no opset of domain `ai.onnx`"),
    (
        r#"<domain: "own", opset_import: ["" : 13]> F <s> (a) => (b) {b = LeakyRelu<alpha = @s>(a)} y = own.F<s = 1>(x)"#,
        "`alpha` is INT",
    ),
    (r#"<domain: "own", opset_import: ["" : 13]> F (a) => (b) {b = Neg(a)} y = own.F(x, x)"#, "2 inputs"),
    ("y = own.Nothing(x)", "has no operator `Nothing`"),
    (
        r#"<domain: "own", opset_import: ["" : 13]> F (a, a) => (b) {b = Neg(a)} y = own.F(x, x)"#,
        "`a` is an input twice",
    ),
    (r#"<domain: "own", opset_import: ["" : 13]> F (a) => (b) {b = Neg(a)} y, z = own.F(x)"#, "2 outputs"),
];

#[test]
fn programs_that_break_a_rule_of_names_or_functions_are_refused() {
    let (x, c, n) = (float(&[2], &[1.0, -2.0]), truth(true), int(2));
    let given = given![x, c, n];
    for (program, says) in REFUSED {
        let text = refusal(program, &given);
        assert!(text.contains(says), "{program}\n{text}");
    }
    is("a = Neg(x) y = Neg(a)", &given, x.clone());
}

/// Checks that a formal input of a nested graph may have the name of a value around it, and then hides that value.
#[test]
fn formal_inputs_hide_outer_names() {
    let (x, n) = (float(&[2], &[1.0, -2.0]), int(3));
    let given = given![x, n];
    is("y = Loop<body = g (i, go, x) => (go, t) {t = Neg(x)}>(n, , x)", &given, float(&[2], &[-1.0, 2.0]));
    is("a = Abs(x) y = Loop<body = g (n, x, a) => (x, t) {t = Add(a, a)}>(n, , a)", &given, float(&[2], &[8.0, 16.0]));
}

/// Returns the model of a program with initializers in its graph, and in the body of its last node.
fn initialized(text: &str, inputs: &[&str], outer: &[TensorProto], inner: &[TensorProto]) -> Model {
    let mut model = model(text, inputs);
    let graph: &mut GraphProto = model.proto.graph.as_mut().unwrap();
    graph.initializer = outer.to_vec();
    let body = graph.node.last_mut().and_then(|n| n.attribute.iter_mut().find_map(|a| a.g.as_deref_mut()));
    if let Some(body) = body {
        body.initializer = inner.to_vec();
    }
    model
}

#[test]
fn initializers_are_values() {
    let (x, n) = (float(&[2], &[1.0, -2.0]), int(3));
    let named = |name: &str, by: f32| tensor_to_proto(&float(&[], &[by]), name);
    let run = |model: &Model, values: &[&Tensor]| {
        let values: Vec<Value> = values.iter().map(|&t| t.clone().into()).collect();
        Oracle::default().answer(model, &values).map(|y| y[0].tensor().unwrap().tensor.clone())
    };
    let loops = "y = Loop<body = g (i, go, s) => (go, t) {t = Mul(s, by)}>(n, , x)";
    // Of the three models below, the first has the initializer in the nested graph, the second in the graph around it,
    // and the third in both: there, the initializer of the nested graph counts.
    let (two, three) = ([named("by", 2.0)], [named("by", 3.0)]);
    assert_eq!(run(&initialized(loops, &["x", "n"], &[], &two), &[&x, &n]), Ok(float(&[2], &[8.0, -16.0])));
    assert_eq!(run(&initialized(loops, &["x", "n"], &two, &[]), &[&x, &n]), Ok(float(&[2], &[8.0, -16.0])));
    assert_eq!(run(&initialized(loops, &["x", "n"], &two, &three), &[&x, &n]), Ok(float(&[2], &[27.0, -54.0])));
    // An initializer with the name of an input is the value of that input if none is given.
    let product = initialized("y = Mul(x, by)", &["x", "by"], &two, &[]);
    assert_eq!(run(&product, &[&x]), Ok(float(&[2], &[2.0, -4.0])));
    let twice = initialized("y = Mul(x, by)", &["x"], &[named("by", 2.0), named("by", 3.0)], &[]);
    assert!(run(&twice, &[&x]).unwrap_err().to_string().contains("`by` is an initializer twice"));
    let hidden = initialized("by = Neg(x) y = Mul(x, by)", &["x"], &two, &[]);
    assert!(
        run(&hidden, &[&x]).unwrap_err().to_string().contains("`by` is the output of a node, but already has a value")
    );
    // A sparse initializer is valid, but the oracle does not read it.
    let mut sparse = initialized("y = Mul(x, by)", &["x"], &[], &[]);
    let by = SparseTensorProto { values: Some(named("by", 2.0)), ..SparseTensorProto::default() };
    sparse.proto.graph.as_mut().unwrap().sparse_initializer = vec![by];
    assert_eq!(run(&sparse, &[&x]).unwrap_err().kind, RefusalKind::Unsupported);
}

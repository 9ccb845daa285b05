//! Model-local functions: how calls replace attributes and inputs, which values a function sees, and what is refused.

use proptest::prelude::*;

use crate::compare::{differ, refusal, same};
use crate::draws::{cases, float, floats, int, tensors, truth, whole};
use crate::given;

/// A function around `LeakyRelu` whose attribute `slope` has a default. Tests remove the default to get a function
/// without one.
const LEAKY: &str =
    r#"<domain: "own", opset_import: ["" : 16]> Leaky <slope = 0.25> (x) => (y) {y = LeakyRelu<alpha = @slope>(x)} "#;

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn attributes_of_a_call_replace_references_inside_the_function(x in floats(0..=3), slope in -2.0f32..2.0) {
        let given = given![x];
        same(&format!("{LEAKY} y = own.Leaky<slope = {slope:?}>(x)"), &format!("y = LeakyRelu<alpha = {slope:?}>(x)"), &given);
        same(&format!("{LEAKY} y = own.Leaky(x)"), "y = LeakyRelu<alpha = 0.25>(x)", &given);
        // If an attribute has no default and the call does not give it, it is missing inside of the function as well:
        // the operator's own default applies.
        let bare = LEAKY.replace(" = 0.25", "");
        same(&format!("{bare} y = own.Leaky(x)"), "y = LeakyRelu(x)", &given);
        same(&format!("{bare} y = own.Leaky<slope = 0.5>(x)"), "y = LeakyRelu<alpha = 0.5>(x)", &given);
        // A second function passes its own attribute on to `Leaky`.
        let twice = r#"<domain: "own", opset_import: ["" : 16]> Outer <s> (x) => (y) {a = own.Leaky<slope = @s>(x) y = own.Leaky(a)} "#;
        same(&format!("{LEAKY}{twice} y = own.Outer<s = 2.5>(x)"), "a = LeakyRelu<alpha = 2.5>(x) y = LeakyRelu<alpha = 0.25>(a)", &given);
        same(&format!("{LEAKY}{twice} y = own.Outer(x)"), "a = LeakyRelu<alpha = 0.25>(x) y = LeakyRelu<alpha = 0.25>(a)", &given);
        // References to an attribute are also replaced in nested graphs.
        let inside = r#"<domain: "own", opset_import: ["" : 16]> In <s> (x, c) => (y) {
            y = If<then_branch = g () => (t) {t = LeakyRelu<alpha = @s>(x)}, else_branch = g () => (e) {e = If<then_branch = g () => (f) {f = Neg(x)}, else_branch = g () => (g) {g = Elu<alpha = @s>(x)}>(c)}>(c)} "#;
        let (yes, no) = (truth(true), truth(false));
        let given = given![x, yes, no];
        same(&format!("{inside} y = own.In<s = 0.75>(x, yes)"), "y = LeakyRelu<alpha = 0.75>(x)", &given);
        same(&format!("{inside} y = own.In<s = 0.75>(x, no)"), "y = Elu<alpha = 0.75>(x)", &given);
        differ(&format!("{inside} y = own.In<s = 0.75>(x, no)"), "a = Exp(x) y = Elu<alpha = 0.25>(a)", &given);
    }

    #[test]
    fn nested_graphs_in_functions_see_the_names_of_the_function(x in whole(&[2, 3]), z in whole(&[3]), n in 0i64..=4) {
        let trips = int(n);
        let given = given![x, z, trips];
        let power = r#"<domain: "own", opset_import: ["" : 21]> Power (x, by, n) => (y, last) {
            both = Add(by, by)
            start = Identity(x)
            y = Loop<body = g (i, go, s) => (go, t) {h = Sub(s, both) t = Add(h, by)}>(n, , start)
            last = Sub(y, x)
        } "#;
        let by_hand: String = (0..n).map(|k| format!("h{k} = Sub(s{k}, b) s{} = Add(h{k}, z) ", k + 1)).collect();
        let flat = format!("b = Add(z, z) s0 = Identity(x) {by_hand} p = Identity(s{n}) q = Sub(p, x) y = Mul(p, q)");
        same(&format!("{power} p, q = own.Power(x, z, trips) y = Mul(p, q)"), &flat, &given);
        // A function may be called in a nested graph of another function.
        let outer = r#"<domain: "own", opset_import: ["" : 21]> Outer (x, z, n) => (y) {one = Constant<value_int = 1>()
            y = Loop<body = g (i, go, s) => (go, t) {t, "" = own.Power(s, z, one)}>(n, , x)} "#;
        same(&format!("{power}{outer} y = own.Outer(x, z, trips)"), &format!(r#"{power} y, "" = own.Power(x, z, trips)"#), &given);
    }

    #[test]
    fn a_function_has_opsets_of_its_own(x in floats(2..=2)) {
        let given = given![x];
        // Softmax-11 flattens before it normalizes, and Softmax-13 does not. Squeeze-11 has its axes in an attribute.
        let old = r#"<domain: "own", opset_import: ["" : 11]> Old (x) => (y) {a = Unsqueeze<axes = [0]>(x) s = Softmax<axis = 1>(a) y = Squeeze<axes = [0]>(s)} "#;
        let new = old.replace("Old", "New").replace("11", "28");
        same(&format!("{old} y = own.Old(x)"), r#"<opset_import: ["" : 11]> f = Flatten<axis = 0>(x) s = Softmax(f) z = Shape(x) y = Reshape(s, z)"#, &given);
        if x.shape().iter().all(|&e| e > 1) {
            differ(&format!("{old} y = own.Old(x)"), "y = Softmax<axis = 0>(x)", &given);
        }
        let text = refusal(&format!("{new} y = own.New(x)"), &given);
prop_assert!(text.contains("Unsqueeze-25"), "{}", text);
        // A function may call another one that has a different opset.
        let call = r#"<domain: "own", opset_import: ["" : 28]> Call (x) => (y) {axes = Constant<value_ints = [0]>() u = Unsqueeze(x, axes) s = Squeeze(u, axes) y = own.Old(s)} "#;
        same(&format!("{old}{call} y = own.Call(x)"), &format!("{old} y = own.Old(x)"), &given);
    }

    #[test]
    fn an_input_that_is_left_out_is_missing_inside_the_function(x in tensors(&[2, 3])) {
        let (low, high) = (float(&[], &[-1.5]), float(&[], &[2.5]));
        let given = given![x, low, high];
        let clip = r#"<domain: "own", opset_import: ["" : 13]> Clip2 (x, low, high) => (y) {y = Clip(x, low, high)} "#;
        for inputs in ["x, low, high", "x, low", "x", "x, , high"] {
            same(&format!("{clip} y = own.Clip2({inputs})"), &format!("y = Clip({inputs})"), &given);
        }
        // An input that the call leaves out is missing in nested graphs too. A nested graph that defines a value of the
        // same name uses its own value.
        let hidden = r#"<domain: "own", opset_import: ["" : 13]> Clip2 (x, low, high) => (y) {n = Constant<value_int = 2>()
            y = Loop<body = g (i, go, low) => (go, t) {t = Sub(low, x)}>(n, , x)} "#;
        same(&format!("{hidden} y = own.Clip2(x)"), "z = Sub(x, x) y = Sub(z, x)", &given);
        let deep = r#"<domain: "own", opset_import: ["" : 13]> Clip2 (x, low, high) => (y) {c = Constant<value_int = 1>() b = Cast<to = 9>(c)
            y = If<then_branch = g () => (t) {t = Clip(x, low, high)}, else_branch = g () => (e) {e = Identity(x)}>(b)} "#;
        same(&format!("{deep} y = own.Clip2(x, , high)"), "y = Clip(x, , high)", &given);
    }

    #[test]
    fn a_function_has_names_of_its_own(x in tensors(&[3]), z in tensors(&[3])) {
        let given = given![x, z];
        // A function names its values independently of its caller, and sees none of the caller's values.
        let f = r#"<domain: "own", opset_import: ["" : 13]> F (z) => (x) {y = Neg(z) x = Abs(y)} "#;
        same(&format!("{f} y = own.F(x) w = own.F(y) v = Add(y, w)"), "y = Abs(x) v = Add(y, y)", &given);
        let blind = r#"<domain: "own", opset_import: ["" : 13]> G (a) => (b) {b = Add(a, z)} "#;
        let text = refusal(&format!("{blind} y = own.G(x)"), &given);
        prop_assert!(text.contains("`z` is computed by no earlier node"), "{}", text);
        // A function may return its inputs, in any order.
        let swap = r#"<domain: "own", opset_import: ["" : 13]> Swap (a, b) => (b, a) {c = Neg(a)} "#;
        same(&format!("{swap} p, q = own.Swap(x, z) y = Sub(p, q)"), "y = Sub(z, x)", &given);
        // A function with the name and the domain of an operator replaces the operator.
        let relu = r#"<domain: "", opset_import: ["" : 13]> Relu (x) => (y) {y = Neg(x)} "#;
        same(&format!("{relu} y = Relu(x)"), "y = Neg(x)", &given);
        same(&format!("{relu} y = ai.onnx.Relu(x)"), "y = Neg(x)", &given);
        // A nested graph may return a value of the graph around it.
        let outer = "a = Neg(x) k = Less(a, a) c = ReduceMax<keepdims = 0>(k) y = If<then_branch = g () => (x) {}, else_branch = g () => (a) {}>(c)";
        same(outer, "y = Neg(x)", &given);
        // Two nested graphs may use the same names, and so may nodes after them.
        let twice = "k = Less(x, x) c = ReduceMax<keepdims = 0>(k)
            p = If<then_branch = g () => (t) {t = Neg(x)}, else_branch = g () => (t) {t = Abs(x)}>(c)
            q = If<then_branch = g () => (t) {t = Neg(x)}, else_branch = g () => (t) {t = Neg(p)}>(c) t = Add(p, q)";
        same(twice, "t = Sub(x, x)", &given);
    }
}

/// Checks that functions that call themselves or each other without end are refused.
#[test]
fn calls_without_end_are_refused() {
    let x = float(&[1], &[1.0]);
    let given = given![x];
    let (itself, pair) = (
        r#"<domain: "own", opset_import: ["" : 13]> F (a) => (b) {b = own.F(a)} y = own.F(x)"#,
        r#"<domain: "own", opset_import: ["" : 13]> F (a) => (b) {c = own.G(a) b = own.G(c)} <domain: "own", opset_import: ["" : 13]> G (a) => (b) {b = own.F(a)} y = own.F(x)"#,
    );
    assert!(refusal(itself, &given).contains("without end"));
    assert!(refusal(pair, &given).contains("without end"));
}

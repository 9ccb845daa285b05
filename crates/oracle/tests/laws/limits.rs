//! Models of a few nodes that need more memory or time than a machine has: the oracle refuses them before it takes that
//! memory or time.

use std::fmt::Write;

use plumbline_oracle::Oracle;
use plumbline_tensor::{DType, Model, Tensor};

fn refusal(text: &str, inputs: &[Tensor]) -> String {
    let model: Model = text.parse().unwrap_or_else(|error| panic!("{error}: {text}"));
    let inputs: Vec<_> = inputs.iter().map(|input| input.clone().into()).collect();
    // These limits are lower than the usual ones, which take a while to reach.
    match Oracle::default().with_most_elements(1 << 16).with_most_steps(1 << 20).answer(&model, &inputs) {
        Ok(_) => panic!("the oracle answered, expected a refusal: {text}"),
        Err(refusal) => refusal.to_string(),
    }
}

const HEAD: &str = "<ir_version: 10, opset_import: [\"\" : 21]>\n";

#[test]
fn a_chain_that_doubles_its_value_is_refused() {
    let mut nodes = String::new();
    for at in 0..50 {
        let _ = writeln!(nodes, "x{} = Concat <axis = 0> (x{at}, x{at})", at + 1);
    }
    let text = format!("{HEAD}g (float[N] x0) => (float[M] x50) {{\n{nodes}}}");
    let x = Tensor::from_f32s(vec![4], &[1.0, 2.0, 3.0, 4.0]).unwrap();
    assert!(refusal(&text, &[x]).contains("compute more elements than the oracle takes"));
}

#[test]
fn a_loop_that_doubles_its_state_is_refused() {
    let body = "body (int64 i, bool go, float[K] s) => (bool on, float[L] t) {\non = Identity (go)\nt = Concat <axis = 0> (s, s)\n}";
    let text = format!(
        "{HEAD}g (int64 n, bool go, float[N] x) => (float[M] y) {{\ny = Loop <body: graph = {body}> (n, go, x)\n}}"
    );
    let x = Tensor::from_f32s(vec![4], &[1.0, 2.0, 3.0, 4.0]).unwrap();
    let go = Tensor::from_bits(DType::Bool, vec![], [1].into_iter()).unwrap();
    assert!(refusal(&text, &[Tensor::from_i64(1 << 40), go, x]).contains("more elements than the oracle takes"));
}

/// Checks that a model with these nodes, which compute `y` from the float scalar `x`, takes too many steps.
fn takes_too_many_steps(nodes: &str) {
    let text = format!("{HEAD}g (float x) => (float[M] y) {{\n{nodes}\n}}");
    let found = refusal(&text, &[Tensor::from_f32s(vec![], &[1.0]).unwrap()]);
    assert!(found.contains("more steps than the oracle"), "{found}: {nodes}");
}

/// Returns the text of nodes that compute a tensor `name` of this shape, all of whose elements are `x`.
fn filled(name: &str, shape: &[i64]) -> String {
    let extents: Vec<String> = shape.iter().map(i64::to_string).collect();
    let shape = format!("s_{name} = Constant <value_ints = [{}]> ()\n", extents.join(", "));
    format!("{shape}{name} = Expand (x, s_{name})\n")
}

/// Each node has few elements, and more products, comparisons or terms than the oracle computes.
#[test]
fn nodes_of_few_elements_and_too_many_steps_are_refused() {
    let square = filled("a", &[128, 128]);
    takes_too_many_steps(&format!("{square}y = MatMul (a, a)"));
    takes_too_many_steps(&format!("{square}y = Gemm (a, a)"));
    takes_too_many_steps(&format!("{square}y = Einsum <equation = \"ij,jk->ik\"> (a, a)"));
    takes_too_many_steps(&format!("{}axis = Constant <value_int = 0> ()\ny = CumSum (a, axis)", filled("a", &[4096])));
    let image = filled("a", &[1, 1, 128, 128]);
    takes_too_many_steps(&format!("{image}y = AveragePool <kernel_shape = [64, 64]> (a)"));
    takes_too_many_steps(&format!("{image}y = LpPool <kernel_shape = [64, 64]> (a)"));
    takes_too_many_steps(&format!("{image}y = MaxPool <kernel_shape = [64, 64]> (a)"));
    takes_too_many_steps(&format!("{image}{}y = Conv (a, w)", filled("w", &[1, 1, 64, 64])));
    takes_too_many_steps(&format!("{image}{}y = ConvTranspose (a, w)", filled("w", &[1, 1, 64, 64])));
    takes_too_many_steps(&format!("{}y = LRN <size = 4095> (a)", filled("a", &[1, 4096, 1])));
    takes_too_many_steps(&format!("{}y, h, c = LSTM (a, w, r)", {
        filled("a", &[64, 1, 64]) + &filled("w", &[1, 256, 64]) + &filled("r", &[1, 256, 64])
    }));
}

/// The expansion of a determinant takes as many products as there are permutations.
#[test]
fn a_determinant_of_infinities_is_refused() {
    let infinite = format!("{}zero = Sub (x, x)\ny = Div (a, zero)", filled("a", &[16, 16]));
    takes_too_many_steps(&infinite.replace("y = Div", "b = Div").replace("(a, zero)", "(a, zero)\ny = Det (b)"));
}

#[test]
fn a_string_that_doubles_is_refused() {
    let mut nodes = String::new();
    for at in 0..50 {
        let _ = writeln!(nodes, "x{} = StringConcat (x{at}, x{at})", at + 1);
    }
    let text = format!("{HEAD}g (string[N] x0) => (string[M] x50) {{\n{nodes}}}");
    let x = Tensor::from_strings(vec![1], vec![b"abc".to_vec()]).unwrap();
    assert!(refusal(&text, &[x]).contains("more steps than the oracle"));
}

#[test]
fn the_steps_of_the_nodes_are_those_that_the_limit_counts() {
    let model: Model =
        format!("{HEAD}g (float[N] x) => (float[N] y) {{\na = Exp (x)\ny = Mul (a, x)\n}}").parse().unwrap();
    // The second tensor is computed on several threads.
    for count in [3, 1 << 18] {
        let x = [Tensor::from_f32s(vec![count], &vec![0.5; count]).unwrap().into()];
        let steps = Oracle::default().evaluate(&model, &x).unwrap().steps;
        let [first, second] = steps[..] else { panic!("{steps:?}") };
        let refused_at = |most: u64| {
            let evaluation = Oracle::default().with_most_steps(most).evaluate_located(&model, &x);
            evaluation.err().map(|stopped| stopped.node)
        };
        assert_eq!(refused_at(first + second), None);
        assert_eq!(refused_at(first + second - 1), Some(Some(1)));
        assert_eq!(refused_at(first - 1), Some(Some(0)));
    }
}

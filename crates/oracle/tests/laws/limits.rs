//! Models of a few nodes that ask for more than a machine has: they are refused before they take its memory.

use std::fmt::Write;

use plumbline_oracle::Reference;
use plumbline_tensor::{DType, Model, Tensor};

fn refusal(text: &str, inputs: &[Tensor]) -> String {
    let model: Model = text.parse().unwrap_or_else(|error| panic!("{error}: {text}"));
    let inputs: Vec<_> = inputs.iter().map(|input| input.clone().into()).collect();
    // The usual limit takes a while to reach.
    match Reference::default().with_most_elements(1 << 16).answer(&model, &inputs) {
        Ok(_) => panic!("the oracle answers"),
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

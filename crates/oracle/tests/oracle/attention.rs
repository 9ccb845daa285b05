//! Attention and related operators, compared with the same steps taken by other operators, and with their own special
//! cases.

use crate::common::{int, untyped};
use plumbline_oracle::{Expected, Judged, Reference};
use plumbline_tensor::Tensor;
use plumbline_tensor::onnx::AttributeProto;
use proptest::prelude::*;

fn all(op: &str, opset: i64, attribute: Vec<AttributeProto>, inputs: &[&Tensor], outputs: usize) -> Vec<Expected> {
    let mut model = untyped(op, opset, inputs.len(), outputs, attribute);
    if op == "FlexAttention" {
        let graph = model.proto.graph.as_mut().unwrap();
        graph.node[0].domain = Some("ai.onnx.preview".to_owned());
        model.proto.opset_import[0].domain = Some("ai.onnx.preview".to_owned());
    }
    let inputs: Vec<_> = inputs.iter().map(|&t| t.clone().into()).collect();
    let answer = Reference::default().answer(&model, &inputs).unwrap();
    answer.iter().map(|o| o.tensor().unwrap().clone()).collect()
}

fn run(op: &str, attribute: Vec<AttributeProto>, inputs: &[&Tensor]) -> Expected {
    all(op, 27, attribute, inputs, 1).remove(0)
}

fn string(name: &str, text: &str) -> AttributeProto {
    AttributeProto { name: Some(name.to_owned()), r#type: Some(3), s: Some(text.into()), ..Default::default() }
}

fn ints(name: &str, ints: &[i64]) -> AttributeProto {
    AttributeProto { name: Some(name.to_owned()), r#type: Some(7), ints: ints.to_vec(), ..Default::default() }
}

fn floats(shape: &[usize], values: &[f32]) -> Tensor {
    Tensor::from_f32s(shape.to_vec(), values).unwrap()
}

fn tensor(shape: &'static [usize]) -> impl Strategy<Value = Tensor> {
    let count = shape.iter().product::<usize>();
    prop::collection::vec(-2f32..2.0, count).prop_map(move |values| floats(shape, &values))
}

fn accepted(expected: &Expected, answer: &Tensor) -> bool {
    expected.shape() == answer.shape() && (0..answer.len()).all(|i| expected.judge(answer, i) == Judged::Accepted)
}

/// Returns the same elements, where the last one is off by this much.
fn spoilt(x: &Tensor, by: f64) -> Tensor {
    let mut values = x.to_f64s();
    *values.last_mut().unwrap() += by;
    Tensor::from_f64s(x.dtype(), x.shape().to_vec(), &values).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Law: Attention, FlexAttention
    #[test]
    fn attention_equals_its_steps(q in tensor(&[2, 2, 3, 4]), k in tensor(&[2, 2, 5, 4]), v in tensor(&[2, 2, 5, 3]), bias in tensor(&[3, 5])) {
        let root = floats(&[], &[0.25f32.sqrt().sqrt()]);
        let scale = AttributeProto { name: Some("scale".to_owned()), r#type: Some(1), f: Some(0.25f32.sqrt()), ..Default::default() };
        let turned = run("Transpose", vec![ints("perm", &[0, 1, 3, 2])], &[&k]).tensor;
        let scaled = |x: &Tensor| run("Mul", vec![], &[x, &root]).tensor;
        let scores = run("MatMul", vec![], &[&scaled(&q), &scaled(&turned)]).tensor;
        let biased = run("Add", vec![], &[&scores, &bias]).tensor;
        let weights = run("Softmax", vec![int("axis", -1)], &[&biased]).tensor;
        let y = run("MatMul", vec![], &[&weights, &v]).tensor;
        let mode = |mode: i64| {
            // The node names four outputs, because the fourth one holds the result of the step that
            // `qk_matmul_output_mode` names.
            all("Attention", 24, vec![scale.clone(), int("qk_matmul_output_mode", mode)], &[&q, &k, &v, &bias], 4)
        };
        let attention = mode(0);
        prop_assert!(accepted(&attention[0], &y) && accepted(&attention[3], &scores));
        prop_assert!(accepted(&mode(2)[3], &biased) && accepted(&mode(3)[3], &weights));
        prop_assert!(!accepted(&attention[0], &spoilt(&y, 1e-4)));
        let flex = run_flex(&q, &k, &v);
        let plain = run("Attention", vec![], &[&q, &k, &v]);
        prop_assert!(accepted(&plain, &flex.tensor) && accepted(&flex, &plain.tensor));
    }

    /// Law: Attention
    #[test]
    fn a_past_equals_longer_keys_and_values(q in tensor(&[1, 2, 2, 2]), k in tensor(&[1, 1, 5, 2]), v in tensor(&[1, 1, 5, 2]), cut in 0usize..=5) {
        let slice = |x: &Tensor, from: usize, to: usize| {
            let list = |i: usize| Tensor::from_i64s(&[i as i64]);
            run("Slice", vec![], &[x, &list(from), &list(to), &list(2)]).tensor
        };
        let whole = run("Attention", vec![], &[&q, &k, &v]);
        let mut model = untyped("Attention", 24, 6, 3, vec![]);
        model.proto.graph.as_mut().unwrap().node[0].input[3] = String::new();
        let inputs = [&q, &slice(&k, cut, 5), &slice(&v, cut, 5), &q, &slice(&k, 0, cut), &slice(&v, 0, cut)];
        let inputs: Vec<_> = inputs.iter().map(|&t| t.clone().into()).collect();
        let parts = Reference::default().answer(&model, &inputs).unwrap();
        prop_assert_eq!(&parts[0].tensor().unwrap().tensor, &whole.tensor);
        prop_assert_eq!(&parts[1].tensor().unwrap().tensor, &k);
        prop_assert_eq!(&parts[2].tensor().unwrap().tensor, &v);
    }

    /// Law: RotaryEmbedding
    #[test]
    fn rotations_preserve_norms(x in tensor(&[1, 2, 3, 4]), angles in prop::collection::vec(-3f32..3.0, 6), interleaved: bool) {
        let cos = floats(&[1, 3, 2], &angles.iter().map(|a| a.cos()).collect::<Vec<_>>());
        let sin = floats(&[1, 3, 2], &angles.iter().map(|a| a.sin()).collect::<Vec<_>>());
        let attribute = vec![int("interleaved", i64::from(interleaved))];
        let y = run("RotaryEmbedding", attribute.clone(), &[&x, &cos, &sin]).tensor;
        let norm = |x: &Tensor, row: usize| x.to_f64s()[row * 4..row * 4 + 4].iter().map(|x| x * x).sum::<f64>();
        for row in 0..6 {
            prop_assert!((norm(&x, row) - norm(&y, row)).abs() < 1e-5);
        }
        // The rotation by the negative angles restores the tensor.
        let back = run("Neg", vec![], &[&sin]).tensor;
        let again = run("RotaryEmbedding", attribute, &[&y, &cos, &back]).tensor;
        prop_assert!(x.to_f64s().iter().zip(again.to_f64s()).all(|(a, b)| (a - b).abs() < 1e-5));
    }

    /// Law: TensorScatter, ScatterND
    #[test]
    fn tensor_scatter_is_scatter_nd(past in tensor(&[2, 4, 3]), update in tensor(&[2, 3, 3]), starts in prop::array::uniform2(0i64..8)) {
        let attribute = vec![int("axis", 1), string("mode", "circular")];
        let written = run("TensorScatter", attribute, &[&past, &update, &Tensor::from_i64s(&starts)]).tensor;
        let indices: Vec<i64> = (0..6).flat_map(|i| [i / 3, (starts[i as usize / 3] + i % 3) % 4]).collect();
        let indices = Tensor::from_i64s(&indices).reshaped(vec![2, 3, 2]).unwrap();
        prop_assert_eq!(run("ScatterND", vec![], &[&past, &indices, &update]).tensor, written);
    }

    /// Law: LinearAttention, Einsum
    #[test]
    fn linear_attention_is_attention_without_a_softmax(q in tensor(&[1, 3, 2]), k in tensor(&[1, 3, 2]), v in tensor(&[1, 3, 2])) {
        let one = AttributeProto { name: Some("scale".to_owned()), r#type: Some(1), f: Some(1.0), ..Default::default() };
        let attribute = vec![int("q_num_heads", 1), int("kv_num_heads", 1), string("update_rule", "linear"), one];
        let y = all("LinearAttention", 27, attribute, &[&q, &k, &v], 2);
        let turned = run("Transpose", vec![ints("perm", &[0, 2, 1])], &[&k]).tensor;
        let scores = run("MatMul", vec![], &[&q, &turned]).tensor;
        let lower = run("Trilu", vec![int("upper", 0)], &[&scores]).tensor;
        let sums = run("MatMul", vec![], &[&lower, &v]).tensor;
        prop_assert!(y[0].tensor.to_f64s().iter().zip(sums.to_f64s()).all(|(a, b)| (a - b).abs() < 1e-5));
        let state = run("Einsum", vec![string("equation", "bti,btj->bij")], &[&k, &v]).tensor.reshaped(vec![1, 1, 2, 2]).unwrap();
        prop_assert!(accepted(&y[1], &state));
    }
}

fn run_flex(q: &Tensor, k: &Tensor, v: &Tensor) -> Expected {
    all("FlexAttention", 1, vec![], &[q, k, v], 1).remove(0)
}

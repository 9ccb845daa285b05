//! Laws of quantization, Einsum and Det: one operator undoes another, two models compute the same, and results of
//! implementations in float are accepted.

use crate::common::expected_outputs;
use plumbline_oracle::{Expected, Judged};
use plumbline_tensor::{DType, Tensor};
use proptest::prelude::*;

fn run(node: &str, inputs: &[&Tensor]) -> Expected {
    expected_outputs(node, 24, inputs, 1).remove(0)
}

fn floats(shape: &[usize], values: &[f32]) -> Tensor {
    Tensor::from_f32s(shape.to_vec(), values).unwrap()
}

fn einsum(equation: &str, inputs: &[&Tensor]) -> Expected {
    run(&format!(r#"Einsum <equation = "{equation}">"#), inputs)
}

fn accepted(expected: &Expected, answer: &Tensor) -> bool {
    expected.shape() == answer.shape() && (0..answer.len()).all(|i| expected.judge(answer, i) == Judged::Accepted)
}

const TYPES: [DType; 8] = [
    DType::Uint8,
    DType::Int8,
    DType::Uint16,
    DType::Int16,
    DType::Uint4,
    DType::Int4,
    DType::Float8e4m3fn,
    DType::Float4e2m1,
];

/// Draws small whole numbers, whose sums and products are exact.
fn whole(count: usize) -> impl Strategy<Value = Vec<f32>> {
    prop::collection::vec((-6i8..=6).prop_map(f32::from), count)
}

/// Draws a matrix of `rows` rows and three columns.
fn matrix(rows: usize) -> impl Strategy<Value = Tensor> {
    whole(rows * 3).prop_map(move |values| floats(&[rows, 3], &values))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Law: DequantizeLinear, QuantizeLinear
    #[test]
    fn quantizing_what_was_dequantized_changes_nothing(
        which in 0..TYPES.len(),
        bits in prop::collection::vec(any::<u64>(), 1..20),
        power in -4i32..6,
        zero: u64,
    ) {
        let dtype = TYPES[which];
        let count = bits.len();
        let q = Tensor::from_bits(dtype, vec![count], bits.into_iter()).unwrap();
        prop_assume!(!q.to_f64s().iter().any(|x| x.is_nan()));
        // A scale that is a power of two causes no rounding.
        let scale = floats(&[], &[2f32.powi(power)]);
        let zero = if dtype.is_float() { 0 } else { zero };
        let zero = Tensor::from_bits(dtype, vec![], [zero].into_iter()).unwrap();
        let x = run("DequantizeLinear", &[&q, &scale, &zero]);
        prop_assert!(x.is_certain());
        let again = run("QuantizeLinear", &[&x.tensor, &scale, &zero]);
        prop_assert_eq!(again.tensor.to_f64s(), q.to_f64s());
    }

    /// Law: QuantizeLinear, DequantizeLinear
    #[test]
    fn a_quantized_element_is_within_half_a_scale(
        values in prop::collection::vec(-100f32..100.0, 1..30),
        scale in 0.8f32..3.0,
        zero in -5i8..5,
    ) {
        let (x, scale) = (floats(&[values.len()], &values), floats(&[], &[scale]));
        let zero = Tensor::from_i128s(DType::Int16, vec![], &[zero.into()]).unwrap();
        let q = run("QuantizeLinear", &[&x, &scale, &zero]).tensor;
        let y = run("DequantizeLinear", &[&q, &scale, &zero]).tensor;
        for (x, y) in x.to_f64s().into_iter().zip(y.to_f64s()) {
            prop_assert!((x - y).abs() <= scale.f64_at(0) * 0.500001 + 1e-5, "{} {}", x, y);
        }
    }

    /// Law: QuantizeLinear
    #[test]
    fn a_scale_for_each_slice_equals_quantizing_each_slice(
        values in prop::collection::vec(-300f32..300.0, 12),
        scales in prop::collection::vec(0.1f32..2.0, 3),
    ) {
        let x = floats(&[2, 3, 2], &values);
        let y = run("QuantizeLinear <axis = -2>", &[&x, &floats(&[3], &scales)]);
        let blocked = [scales.clone(), scales.clone()].concat();
        let blocked = run("QuantizeLinear <axis = 2, block_size = 2>", &[&x, &floats(&[2, 3, 1], &blocked)]);
        prop_assert_eq!(&y.tensor, &blocked.tensor);
        for i in 0..12 {
            let one = run("QuantizeLinear", &[&floats(&[], &[values[i]]), &floats(&[], &[scales[i / 2 % 3]])]);
            prop_assert_eq!(one.tensor.i128_at(0), y.tensor.i128_at(i));
        }
    }

    /// Law: QuantizeLinear
    #[test]
    fn a_division_in_float_is_accepted(values in prop::collection::vec(-300f32..300.0, 1..30), scale in 0.01f32..3.0) {
        let expected = run("QuantizeLinear", &[&floats(&[values.len()], &values), &floats(&[], &[scale])]);
        let round = |x: &f32| i128::from((x / scale).round_ties_even() as i64).clamp(0, 255);
        let reciprocal = |x: &f32| i128::from((x * (1.0 / scale)).round_ties_even() as i64).clamp(0, 255);
        let by = |f: &dyn Fn(&f32) -> i128| {
            Tensor::from_i128s(DType::Uint8, vec![values.len()], &values.iter().map(f).collect::<Vec<_>>()).unwrap()
        };
        prop_assert!(accepted(&expected, &by(&round)) && accepted(&expected, &by(&reciprocal)));
        // An implementation that truncates is accepted only if it returns what rounding returns.
        let truncated = by(&|x| i128::from((x / scale) as i64).clamp(0, 255));
        prop_assert!(truncated == by(&round) || !accepted(&expected, &truncated));
    }

    /// Law: MatMul, Einsum
    #[test]
    fn einsum_multiplies_matrices(a in matrix(4), b in matrix(2)) {
        let b = run("Transpose", &[&b]).tensor;
        let product = run("MatMul", &[&a, &b]).tensor;
        prop_assert_eq!(&einsum("ij,jk->ik", &[&a, &b]).tensor, &product);
        prop_assert_eq!(&einsum("ij,jk", &[&a, &b]).tensor, &product);
        let turned = einsum("ij,jk->ki", &[&a, &b]).tensor;
        prop_assert_eq!(run("Transpose", &[&turned]).tensor, product);
    }

    /// Law: ReduceSum, Einsum, Transpose
    #[test]
    fn einsum_of_one_operand_sums_and_transposes(a in matrix(4)) {
        let axis = Tensor::from_i64s(&[1]);
        let sums = run("ReduceSum <keepdims = 0>", &[&a, &axis]).tensor;
        prop_assert_eq!(einsum("ij->i", &[&a]).tensor, sums);
        let turned = run("Transpose", &[&a]).tensor;
        prop_assert_eq!(&einsum("b...->...b", &[&a]).tensor, &turned);
        prop_assert_eq!(einsum("ba", &[&a]).tensor, turned);
    }

    /// Law: Einsum
    #[test]
    fn einsum_by_parts_in_float_is_accepted(a in prop::collection::vec(-3f32..3.0, 6), b in prop::collection::vec(-3f32..3.0, 6)) {
        // One implementation sums each operand first and then multiplies; another one sums the products.
        let expected = einsum("i,j->", &[&floats(&[6], &a), &floats(&[6], &b)]);
        let apart = a.iter().sum::<f32>() * b.iter().sum::<f32>();
        let together: f32 = a.iter().flat_map(|x| b.iter().map(move |y| x * y)).sum();
        prop_assert!(accepted(&expected, &floats(&[], &[apart])) && accepted(&expected, &floats(&[], &[together])));
    }

    /// Law: Det
    #[test]
    fn det_of_a_product_and_of_a_transposed_matrix(a in matrix(3), b in matrix(3)) {
        let det = |x: &Tensor| run("Det", &[x]);
        let product = run("MatMul", &[&a, &b]).tensor;
        let (of_a, of_b) = (det(&a).tensor.f64_at(0).round(), det(&b).tensor.f64_at(0).round());
        prop_assert!(accepted(&det(&product), &floats(&[], &[(of_a * of_b) as f32])));
        let turned = run("Transpose", &[&a]).tensor;
        prop_assert!(accepted(&det(&turned), &floats(&[], &[of_a as f32])));
        // A value that is 0.5 larger is not accepted.
        prop_assert!(!accepted(&det(&turned), &floats(&[], &[of_a as f32 + 0.5])));
    }
}

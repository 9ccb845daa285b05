//! Layers of networks: quantized layers by the steps they consist of, pooling, normalization, and layers with a state.

use plumbline_oracle::Judged;
use plumbline_tensor::{DType, Tensor};
use proptest::prelude::*;

use crate::compare::{is, outputs, same, tensor};
use crate::draws::{bits, cases, float, int, ints, tensors, truth, whole};
use crate::given;

fn byte(value: u8) -> Tensor {
    Tensor::from_i128s(DType::Uint8, vec![], &[value.into()]).unwrap()
}

proptest! {
    #![proptest_config(cases(48))]

    /// Law: MatMulInteger, MatMul
    #[test]
    fn integers_are_multiplied_without_their_zero_points(a in bits(DType::Uint8, &[2, 3, 4]), b in bits(DType::Int8, &[4, 2]), za: u8, zb in bits(DType::Int8, &[])) {
        let za = byte(za);
        let given = given![a, b, za, zb];
        let wide = "ai = Cast<to = 6>(a) bi = Cast<to = 6>(b)";
        same("y = MatMulInteger(a, b)", &format!("{wide} y = MatMul(ai, bi)"), &given);
        same("y = MatMulInteger(a, b, za, zb)", &format!("{wide} zi = Cast<to = 6>(za) zj = Cast<to = 6>(zb) p = Sub(ai, zi) q = Sub(bi, zj) y = MatMul(p, q)"), &given);
    }

    /// Law: QLinearMatMul, QLinearConv, DequantizeLinear, QuantizeLinear
    #[test]
    fn quantized_layers_are_layers_between_conversions(
        a in bits(DType::Uint8, &[2, 3]), b in bits(DType::Uint8, &[3, 4]), x in bits(DType::Uint8, &[1, 2, 4, 5]), w in bits(DType::Uint8, &[3, 2, 2, 3]),
        zeros in prop::array::uniform3(any::<u8>()), scales in prop::array::uniform3(-3i32..=3), bias in prop::collection::vec(-5000i64..5000, 3),
    ) {
        let [za, zb, zy] = zeros.map(byte);
        let [sa, sb, sy] = scales.map(|p| float(&[], &[2f32.powi(p)]));
        let sy = float(&[], &[sy.f64_at(0) as f32 * 64.0]);
        // The bias is quantized with the product of the two scales, and has no zero point.
        let sc = float(&[], &[(sa.f64_at(0) * sb.f64_at(0)) as f32]);
        let c = Tensor::from_i128s(DType::Int32, vec![3], &bias.iter().map(|&b| b.into()).collect::<Vec<_>>()).unwrap();
        let given = given![a, b, x, w, za, zb, zy, sa, sb, sy, sc, c];
        let product = "p = DequantizeLinear(a, sa, za) q = DequantizeLinear(b, sb, zb) r = MatMul(p, q) y = QuantizeLinear(r, sy, zy)";
        same("y = QLinearMatMul(a, sa, za, b, sb, zb, sy, zy)", product, &given);
        let steps = |bias: &str| format!("p = DequantizeLinear(x, sa, za) q = DequantizeLinear(w, sb, zb) {bias} y = QuantizeLinear(r, sy, zy)");
        let attributes = "<pads = [0, 1, 1, 0], strides = [2, 1]>";
        same(&format!("y = QLinearConv{attributes}(x, sa, za, w, sb, zb, sy, zy)"), &steps(&format!("r = Conv{attributes}(p, q)")), &given);
        let biased = format!("d = DequantizeLinear(c, sc) r = Conv{attributes}(p, q, d)");
        same(&format!("y = QLinearConv{attributes}(x, sa, za, w, sb, zb, sy, zy, c)"), &steps(&biased), &given);
    }

    /// Law: DynamicQuantizeLinear, QuantizeLinear, DequantizeLinear
    #[test]
    fn dynamic_scales_cover_the_range(values in prop::collection::vec(-20.0f32..20.0, 1..=9)) {
        let x = float(&[values.len() + 1], &[&values[..], &[1.0]].concat());
        let all = outputs("q, s, z = DynamicQuantizeLinear(x)", &given![x]);
        let (q, scale) = (all[0].tensor().unwrap(), all[1].tensor().unwrap());
        let range = "none = Constant<value_float = 0.0>() most = Constant<value_float = 255.0>() a = ReduceMax<keepdims = 0>(x) b = Max(a, none) c = ReduceMin<keepdims = 0>(x) d = Min(c, none) e = Sub(b, d) s = Div(e, most)";
        same(r#", s, "" = DynamicQuantizeLinear(x)"#, range, &given![x]);
        let (s, z) = (scale.tensor.clone(), all[2].tensor().unwrap().tensor.clone());
        let by_hand = tensor("y = QuantizeLinear(x, s, z)", &given![x, s, z]);
        prop_assert!((0..x.len()).all(|i| q.judge(&by_hand.tensor, i) == Judged::Accepted));
        // The quantized range includes zero, and no value is off by more than one step.
        let back = q.tensor.clone();
        let back = tensor("y = DequantizeLinear(back, s, z)", &given![back, s, z]);
        prop_assert!((0..x.len()).all(|i| (back.tensor.f64_at(i) - x.f64_at(i)).abs() <= s.f64_at(0) * 1.001));
    }

    /// Law: LpPool, GlobalLpPool, AveragePool, ReduceL1, ReduceL2
    #[test]
    fn lp_pool_computes_the_norms_of_windows(x in tensors(&[1, 2, 5, 6]), p in 1i64..=3, pads in prop::array::uniform4(0i64..=1), strides in prop::array::uniform2(1i64..=3)) {
        // The elements are kept away from zero, because near zero a small rounding error changes the root a lot.
        let x = float(&[1, 2, 5, 6], &x.to_f64s().iter().map(|&v| v as f32 + 0.5f32.copysign(v as f32)).collect::<Vec<_>>());
        let (count, exponent) = (float(&[], &[6.0]), float(&[], &[p as f32]));
        let inverse = float(&[], &[1.0 / p as f32]);
        let given = given![x, count, exponent, inverse];
        let windows = format!("kernel_shape = [2, 3], pads = {pads:?}, strides = {strides:?}");
        let root = match p { 1 => "y = Identity(s)", 2 => "y = Sqrt(s)", _ => "y = Pow(s, inverse)" };
        let mean = format!("a = Abs(x) q = Pow(a, exponent) m = AveragePool<{windows}, count_include_pad = 1>(q) s = Mul(m, count) {root}");
        same(&format!("y = LpPool<p = {p}, {windows}>(x)"), &mean, &given);
        let axes = "axes = Constant<value_ints = [2, 3]>()";
        let norm = match p { 1 => format!("{axes} y = ReduceL1(x, axes)"), 2 => format!("{axes} y = ReduceL2(x, axes)"), _ => "y = LpPool<p = 3, kernel_shape = [5, 6]>(x)".to_owned() };
        same(&format!("y = GlobalLpPool<p = {p}>(x)"), &norm, &given);
    }

    /// Law: LRN, AveragePool
    #[test]
    fn responses_are_normalized_over_channels(x in tensors(&[2, 4, 3]), size in prop::sample::select(vec![1usize, 3, 5, 7]), alpha in 0.001f32..2.0, beta in 0.25f32..1.5, bias in 0.5f32..3.0) {
        let [a, b, c] = [alpha, beta, bias].map(|v| float(&[], &[v]));
        let (image, back) = (ints(&[2, 1, 4, 3]), ints(&[2, 4, 3]));
        let given = given![x, a, b, c, image, back];
        let side = (size - 1) / 2;
        let by_hand = format!("q = Mul(x, x) i = Reshape(q, image) m = AveragePool<kernel_shape = [{size}, 1], pads = [{side}, 0, {side}, 0], count_include_pad = 1>(i)
            n = Reshape(m, back) s = Mul(a, n) t = Add(c, s) p = Pow(t, b) y = Div(x, p)");
        same(&format!("y = LRN<size = {size}, alpha = {alpha:?}, beta = {beta:?}, bias = {bias:?}>(x)"), &by_hand, &given);
    }

    /// Law: BatchNormalization, RMSNormalization, LayerNormalization, MeanVarianceNormalization, InstanceNormalization, LpNormalization
    #[test]
    fn normalizations_equal_their_formulas(x in tensors(&[2, 3, 4]), scale in tensors(&[3]), bias in tensors(&[3]), mean in tensors(&[3]), spread in prop::collection::vec(0.25f32..4.0, 3)) {
        // Each row has elements that are well apart, so that its variance is not near zero.
        let steps: Vec<f32> = x.to_f64s().iter().enumerate().map(|(i, v)| (v % 3.0) as f32 + (i % 4) as f32 * 5.0).collect();
        let (x, var) = (float(&[2, 3, 4], &steps), float(&[3], &spread));
        let (column, one, row) = (ints(&[3, 1]), float(&[4], &[1.0; 4]), float(&[3], &[1.0; 3]));
        let none = float(&[3], &[0.0; 3]);
        let given = given![x, scale, bias, mean, var, column, one, row, none];
        let affine = "eps = Constant<value_float = 0.00001>() s = Reshape(scale, column) b = Reshape(bias, column) m = Reshape(mean, column) v = Reshape(var, column)
            d = Sub(x, m) e = Add(v, eps) r = Sqrt(e) q = Div(d, r) p = Mul(s, q) y = Add(p, b)";
        same("y = BatchNormalization(x, scale, bias, mean, var)", affine, &given);
        // `moments` normalizes by mean and variance over the last axis. Once the mean is subtracted, the mean square is
        // the variance, so that RMSNormalization gives the same.
        let moments = "axes = Constant<value_ints = [2]>() eps = Constant<value_float = 0.00001>() m = ReduceMean(x, axes) d = Sub(x, m) q = Mul(d, d) v = ReduceMean(q, axes) e = Add(v, eps) r = Sqrt(e) y = Div(d, r)";
        same("y = LayerNormalization(x, one)", moments, &given);
        same("y = InstanceNormalization(x, row, none)", moments, &given);
        same("axes = Constant<value_ints = [2]>() m = ReduceMean(x, axes) d = Sub(x, m) y = RMSNormalization(d, one)", moments, &given);
        same("y = MeanVarianceNormalization<axes = [2]>(x)", &moments.replace("0.00001", "0.0"), &given);
        for scale in ["eight = Constant<value_float = 8.0>()", "eight = Constant<value_float = -0.25>()"] {
            let sign = if scale.contains('-') { "y = Neg(z)" } else { "y = Identity(z)" };
            same(&format!("{scale} k = Mul(eight, x) y = RMSNormalization<epsilon = 0.0>(k, one)"), &format!("z = RMSNormalization<epsilon = 0.0>(x, one) {sign}"), &given);
            same(&format!("{scale} k = Mul(eight, x) y = LpNormalization<p = 1>(k)"), &format!("z = LpNormalization<p = 1>(x) {sign}"), &given);
        }
    }

    /// Law: Dropout
    #[test]
    fn nothing_is_dropped_without_training(x in tensors(&[2, 3]), ratio in 0.0f32..0.9) {
        let (r, no, yes, none) = (float(&[], &[ratio]), truth(false), truth(true), float(&[], &[0.0]));
        let given = given![x, r, no, yes, none];
        for call in ["Dropout(x)", "Dropout(x, r)", "Dropout(x, r, no)", "Dropout(x, none, yes)"] {
            is(&format!("y = {call}"), &given, x.clone());
            same(&format!(", m = {call}"), "m = Equal(x, x)", &given);
        }
        is(&format!(r#"<opset_import: ["" : 10]> y = Dropout<ratio = {ratio:?}>(x)"#), &given, x.clone());
        is(&format!(r#"<opset_import: ["" : 6]> y = Dropout<ratio = {ratio:?}, is_test = 1>(x)"#), &given, x.clone());
    }

    /// Law: CausalConvWithState, Conv, Swish
    #[test]
    fn a_convolution_with_state_continues_the_previous_input(x in whole(&[2, 3, 6]), w in whole(&[3, 1, 3]), b in whole(&[3]), at in 1i64..=5) {
        let (cut, pad) = (ints(&[at, 6 - at]), ints(&[0, 0, 2, 0, 0, 0]));
        let given = given![x, w, b, cut, pad];
        let convolution = "p = Pad(x, pad) y = Conv<group = 3>(p, w, b)";
        same(r#"y, "" = CausalConvWithState(x, w, b)"#, convolution, &given);
        same(r#"y, "" = CausalConvWithState<activation = "silu">(x, w, b)"#, &format!("{convolution} z = Swish(y)"), &given);
        let parts = "l, r = Split<axis = 2>(x, cut) c, s = CausalConvWithState(l, w, b) d, t = CausalConvWithState(r, w, b, s)";
        same(r#"y, "" = CausalConvWithState(x, w, b)"#, &format!("{parts} y = Concat<axis = 2>(c, d)"), &given);
        same(", s = CausalConvWithState(x, w, b)", &format!("{parts} u = Identity(t)"), &given);
    }

    /// Law: Hardmax, ArgMax, OneHot
    #[test]
    fn the_hard_maximum_is_one_hot(x in whole(&[2, 3, 4]), axis in -3i64..=2) {
        let depth = int(x.shape()[axis.rem_euclid(3) as usize] as i64);
        let given = given![x, depth];
        let by_hand = format!("a = ArgMax<axis = {axis}, keepdims = 0>(x) v = Constant<value_floats = [0.0, 1.0]>() y = OneHot<axis = {axis}>(a, depth, v)");
        same(&format!("y = Hardmax<axis = {axis}>(x)"), &by_hand, &given);
    }

    /// Law: CumProd, CumSum, ReduceProd
    #[test]
    fn cum_prod_computes_the_products_of_prefixes(x in whole(&[4, 3]), positive in prop::collection::vec(0.25f32..4.0, 12), reverse in 0i64..=1) {
        let (axis, last, positive) = (int(0), int(if reverse == 1 { 0 } else { -1 }), float(&[4, 3], &positive));
        let given = given![x, axis, last, positive];
        let all = format!("c = CumProd<reverse = {reverse}>(x, axis)");
        same(&format!("{all} y = Gather(c, last)"), "axes = Constant<value_ints = [0]>() y = ReduceProd<keepdims = 0>(x, axes)", &given);
        same(&format!("e = CumProd<reverse = {reverse}, exclusive = 1>(x, axis) y = Mul(e, x)"), &format!("{all} y = Identity(c)"), &given);
        let logs = format!("l = Log(positive) s = CumSum<reverse = {reverse}>(l, axis) y = Exp(s)");
        same(&format!("y = CumProd<reverse = {reverse}>(positive, axis)"), &logs, &given);
    }

    /// Law: ReduceLogSum, ReduceLogSumExp, ReduceSumSquare, ReduceMean
    #[test]
    fn reductions_apply_functions_to_elements_or_results(positive in prop::collection::vec(0.1f32..9.0, 12), x in prop::collection::vec(-9.0f32..9.0, 12), keep in 0i64..=1) {
        let (p, x, axes) = (float(&[3, 4], &positive), float(&[3, 4], &x), ints(&[-2]));
        let given = given![p, x, axes];
        let reduce = |operator: &str, from: &str, to: &str| format!("{to} = {operator}<keepdims = {keep}>({from}, axes) ");
        same(&reduce("ReduceLogSum", "p", "y"), &format!("{}y = Log(s)", reduce("ReduceSum", "p", "s")), &given);
        same(&reduce("ReduceLogSumExp", "x", "y"), &format!("e = Exp(x) {}", reduce("ReduceLogSum", "e", "y")), &given);
        same(&reduce("ReduceSumSquare", "x", "y"), &format!("q = Mul(x, x) {}", reduce("ReduceSum", "q", "y")), &given);
        same(&reduce("ReduceL2", "x", "y"), &format!("{}y = Sqrt(s)", reduce("ReduceSumSquare", "x", "s")), &given);
        same(&reduce("ReduceMean", "x", "y"), &format!("three = Constant<value_float = 3.0>() {}y = Div(s, three)", reduce("ReduceSum", "x", "s")), &given);
    }

    /// Law: Scatter, ScatterElements
    #[test]
    fn scatter_equals_scatter_elements(x in tensors(&[3, 4]), u in tensors(&[2, 3]), order in Just(vec![0i64, 1, 2]).prop_shuffle()) {
        let i = ints(&[order[0], order[1], order[2], order[1], order[2], order[0]]).reshaped(vec![2, 3]).unwrap();
        let old = r#"<domain: "own", opset_import: ["" : 10]> Old (x, i, u) => (y) {y = Scatter<axis = 1>(x, i, u)} y = own.Old(x, i, u)"#;
        same(old, "y = ScatterElements<axis = 1>(x, i, u)", &given![x, i, u]);
        same(&old.replace("Scatter<axis = 1>", "Scatter"), "y = ScatterElements(x, i, u)", &given![x, i, u]);
    }
}

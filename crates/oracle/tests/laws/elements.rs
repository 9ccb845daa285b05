//! Laws of element-wise operators: activations by their formulas, extrema, logic, powers.

use plumbline_tensor::{DType, Tensor};
use proptest::prelude::*;

use crate::compare::{differ, is, same};
use crate::draws::{bits, cases, float, floats, int, shape, tensors};
use crate::given;

/// Pairs of an activation and its formula. `a`, `b`, `half`, `one`, `two` and `zero` are scalars; `@a` and `@b` stand
/// for the values of `a` and `b`, which are filled into the text.
const FORMULAS: [(&str, &str); 15] = [
    ("y = LeakyRelu<alpha = @a>(x)", "p = Relu(x) n = Neg(x) q = Relu(n) r = Mul(q, a) y = Sub(p, r)"),
    ("y = Elu<alpha = @a>(x)", "c = Less(x, zero) e = Exp(x) m = Sub(e, one) n = Mul(a, m) y = Where(c, n, x)"),
    ("y = Selu<alpha = @a, gamma = @b>(x)", "e = Elu<alpha = @a>(x) y = Mul(b, e)"),
    ("y = Celu<alpha = @a>(x)", "q = Div(x, a) e = Elu(q) y = Mul(a, e)"),
    ("y = ThresholdedRelu<alpha = @a>(x)", "c = Greater(x, a) y = Where(c, x, zero)"),
    (
        "y = Shrink<lambd = @a, bias = @b>(x)",
        "n = Neg(a) l = Less(x, n) g = Greater(x, a) p = Add(x, b) m = Sub(x, b) u = Where(g, m, zero) y = Where(l, p, u)",
    ),
    ("y = HardSigmoid<alpha = @a, beta = @b>(x)", "m = Mul(x, a) s = Add(m, b) y = Clip(s, zero, one)"),
    (
        "y = HardSwish(x)",
        "six = Constant<value_float = 6.0>() m = Div(x, six) s = Add(m, half) c = Clip(s, zero, one) y = Mul(x, c)",
    ),
    ("y = Softsign(x)", "p = Abs(x) q = Add(one, p) y = Div(x, q)"),
    ("y = Mish(x)", "s = Softplus(x) t = Tanh(s) y = Mul(x, t)"),
    ("y = Swish<alpha = @a>(x)", "m = Mul(x, a) s = Sigmoid(m) y = Mul(x, s)"),
    ("y = Gelu(x)", "r = Sqrt(two) q = Div(x, r) e = Erf(q) s = Add(one, e) h = Mul(half, x) y = Mul(h, s)"),
    (
        "y = Gelu<approximate = \"tanh\">(x)",
        "c = Mul(x, x) d = Mul(c, x) k = Constant<value_float = 0.044715>() w = Constant<value_float = 0.7978846>()
         e = Mul(k, d) f = Add(x, e) g = Mul(w, f) t = Tanh(g) s = Add(one, t) h = Mul(half, x) y = Mul(h, s)",
    ),
    ("y = PRelu(x, b)", "c = Less(x, zero) m = Mul(b, x) y = Where(c, m, x)"),
    ("y = Softplus(x)", "n = Abs(x) m = Neg(n) e = Exp(m) s = Add(one, e) l = Log(s) r = Relu(x) y = Add(r, l)"),
];

proptest! {
    #![proptest_config(cases(64))]

    /// Law: LeakyRelu, Elu, Selu, Celu, ThresholdedRelu, Shrink, HardSigmoid, HardSwish, Softsign, Mish, Swish, Gelu, Erf, PRelu, Softplus, Where, Clip
    #[test]
    fn activations_are_their_formulas(x in shape(0..=3).prop_flat_map(|s| prop::collection::vec(-8.0f32..8.0, s.iter().product::<usize>()).prop_map(move |v| float(&s, &v))), a in 0.1f32..2.0, b in 0.1f32..2.0) {
        let texts = [format!("{a:?}"), format!("{b:?}")];
        let [a, b, half, one, two, zero] = [a, b, 0.5, 1.0, 2.0, 0.0].map(|v| float(&[], &[v]));
        let given = given![x, a, b, half, one, two, zero];
        for (operator, formula) in FORMULAS {
            let [operator, formula] = [operator, formula].map(|t| t.replace("@a", &texts[0]).replace("@b", &texts[1]));
            same(&operator, &formula, &given);
        }
        differ("y = Gelu(one)", "y = Gelu(two)", &given);
    }

    /// Law: SwiGLU, Swish, QuickGelu, PRelu
    #[test]
    fn swiglu_is_swish_times_a_gate_and_prelu_broadcasts_its_slope(x in tensors(&[2, 3, 4]), z in tensors(&[2, 3, 4]), slope in tensors(&[3, 1]), alpha in 0.25f32..2.0) {
        let given = given![x, z, slope];
        same(&format!("y = SwiGLU<alpha = {alpha:?}>(x, z)"), &format!("s = Swish<alpha = {alpha:?}>(x) y = Mul(s, z)"), &given);
        let quick = r#"<opset_import: ["" : 24, "com.microsoft" : 1]> y = com.microsoft.QuickGelu"#;
        same(&format!("{quick}<alpha = {alpha:?}>(x)"), &format!("y = Swish<alpha = {alpha:?}>(x)"), &given);
        same(&format!("{quick}(x)"), "y = Swish<alpha = 1.702>(x)", &given);
        same("y = PRelu(x, slope)", "p = Relu(x) n = Neg(x) q = Relu(n) r = Mul(q, slope) y = Sub(p, r)", &given);
    }

    /// Law: FastGelu
    #[test]
    fn fast_gelu_is_its_formula_of_the_sum_with_a_bias(x in tensors(&[2, 3, 4]), bias in tensors(&[4])) {
        let [half, one, linear, cubic] = [0.5, 1.0, 0.797885, 0.035677].map(|v| float(&[], &[v]));
        let given = given![x, bias, half, one, linear, cubic];
        let fast = r#"<opset_import: ["" : 24, "com.microsoft" : 1]> y = com.microsoft.FastGelu"#;
        same(
            &format!("{fast}(x)"),
            "c = Mul(x, x) d = Mul(c, x) e = Mul(cubic, d) l = Mul(linear, x) g = Add(l, e) t = Tanh(g) s = Add(one, t)
             h = Mul(half, x) y = Mul(h, s)",
            &given,
        );
        let of_sum = fast.replace("]>", "]> z = Add(x, bias)");
        same(&format!("{fast}(x, bias)"), &format!("{of_sum}(z)"), &given);
        differ(&format!("{fast}(x, bias)"), &format!("{fast}(x, linear)"), &given);
    }

    /// Law: Min, Max, Clip, Sum, Mean
    #[test]
    fn extrema_and_sums_combine_pair_by_pair(x in floats(3..=3), z in floats(0..=0), w in tensors(&[1]), v in floats(0..=0)) {
        let given = given![x, z, w, v];
        same("y = Min(x, z)", "a = Neg(x) b = Neg(z) m = Max(a, b) y = Neg(m)", &given);
        same("y = Max(x, z, w)", "m = Max(z, x) y = Max(w, m)", &given);
        same("y = Min(w, x, z)", "m = Min(w, z) y = Min(m, x)", &given);
        same("a = Min(x, z) b = Max(x, z) y = Add(a, b)", "y = Add(x, z)", &given);
        same("low = Min(z, v) high = Max(z, v) y = Clip(x, low, high)", "low = Min(z, v) high = Max(z, v) a = Max(x, low) y = Min(a, high)", &given);
        same("y = Clip(x, z)", "y = Max(x, z)", &given);
        same("y = Clip(x, , z)", "y = Min(x, z)", &given);
        same("y = Sum(x, z, w)", "s = Add(x, z) y = Add(s, w)", &given);
        same("y = Mean(x, z, w)", "s = Sum(w, z, x) three = Constant<value_float = 3.0>() y = Div(s, three)", &given);
        same("y = Sum(x)", "y = Mean(x)", &given);
    }

    /// Law: And, Or, Xor, Not, Where, Equal
    #[test]
    fn boolean_operators_obey_de_morgan(shape in shape(1..=3), seed in any::<u64>()) {
        let count: usize = shape.iter().product();
        let of = |shift: u32| Tensor::from_bits(DType::Bool, shape.clone(), (0..count as u32).map(|i| seed.rotate_left(i * 7 + shift) & 1)).unwrap();
        let (a, b) = (of(0), of(3));
        let given = given![a, b];
        same("c = And(a, b) y = Not(c)", "m = Not(a) n = Not(b) y = Or(m, n)", &given);
        same("c = Or(a, b) y = Not(c)", "m = Not(a) n = Not(b) y = And(m, n)", &given);
        same("y = Xor(a, b)", "c = Equal(a, b) y = Not(c)", &given);
        same("c = Xor(a, b) y = Xor(c, b)", "y = Identity(a)", &given);
        same("y = Where(a, b, a)", "y = And(a, b)", &given);
        same("n = Not(a) y = Where(n, a, b)", "y = And(a, b)", &given);
    }

    /// Law: Where, Not, Compress, NonZero, GatherND
    #[test]
    fn a_condition_selects_elements(x in tensors(&[3, 4]), z in tensors(&[4]), c in bits(DType::Bool, &[3, 1]), flags in bits(DType::Bool, &[12])) {
        let given = given![x, z, c, flags];
        same("y = Where(c, x, z)", "n = Not(c) y = Where(n, z, x)", &given);
        same("k = Cast<to = 1>(c) p = Where(c, x, z) one = Constant<value_float = 1.0>() m = Sub(one, k) q = Mul(p, m)", "k = Cast<to = 1>(c) one = Constant<value_float = 1.0>() m = Sub(one, k) q = Mul(z, m)", &given);
        // Compress with a flat condition takes the elements at the places that NonZero finds.
        let s = Tensor::from_i64s(&[3, 4]);
        let given = [&given[..], &given![s]].concat();
        same("y = Compress(x, flags)", "f = Reshape(flags, s) n = NonZero(f) t = Transpose(n) y = GatherND(x, t)", &given);
    }

    /// Law: Pow, Sqrt, Reciprocal
    #[test]
    fn powers_equal_roots_and_products(positive in prop::collection::vec(0.01f32..50.0, 1..8), any in prop::collection::vec(-50.0f32..50.0, 1..8)) {
        let (x, z) = (float(&[positive.len()], &positive), float(&[any.len()], &any));
        let [half, two, three, less, one, zero] = [0.5, 2.0, 3.0, -1.0, 1.0, 0.0].map(|v| float(&[], &[v]));
        let given = given![x, z, half, two, three, less, one, zero];
        same("y = Pow(x, half)", "y = Sqrt(x)", &given);
        same("y = Pow(x, less)", "y = Reciprocal(x)", &given);
        same("y = Pow(z, two)", "y = Mul(z, z)", &given);
        same("y = Pow(z, three)", "s = Mul(z, z) y = Mul(z, s)", &given);
        same("y = Pow(z, one)", "y = Identity(z)", &given);
        same("y = Pow(z, zero)", "d = Sub(z, z) y = Add(d, one)", &given);
        same("a = Pow(x, three) b = Pow(x, half) y = Mul(a, b)", "e = Add(three, half) y = Pow(x, e)", &given);
    }

    /// Law: CastLike, Cast, Identity, Constant
    #[test]
    fn casting_and_copying_keep_values(x in tensors(&[2, 3]), code in prop::sample::select(vec![1i64, 2, 3, 6, 7, 9, 10, 11, 16])) {
        let dtype = DType::from_code(code as i32).unwrap();
        // Apart from negative numbers in uint8, these numbers fit every numeric type.
        let x = Tensor::from_f64s(DType::Float, vec![2, 3], &x.to_f64s().iter().map(|v| (v % 100.0).trunc()).collect::<Vec<_>>()).unwrap();
        let like = Tensor::zeros(dtype, vec![0]).unwrap();
        let given = given![x, like];
        same("y = CastLike(x, like)", &format!("y = Cast<to = {code}>(x)"), &given);
        same("c = Cast<to = 1>(like) y = CastLike(x, c)", "y = Identity(x)", &given);
        is("y = Identity(x)", &given, x.clone());
        let values: Vec<f32> = x.to_f64s().iter().map(|&v| v as f32).collect();
        let list = float(&[6], &values);
        let text = format!("{values:?}");
        is(&format!("y = Constant<value_floats = {text}>()"), &[], list.clone());
        is(&format!("y = Constant<value = float[6] {{{}}}>()", &text[1..text.len() - 1]), &[], list);
        let whole: Vec<i64> = values.iter().map(|&v| v as i64).collect();
        is(&format!("y = Constant<value_ints = {whole:?}>()"), &[], Tensor::from_i64s(&whole));
        is(&format!("y = Constant<value_int = {}>()", whole[0]), &[], int(whole[0]));
    }

    /// Law: BitShift, BitwiseNot, BitwiseAnd, BitwiseOr, BitwiseXor
    #[test]
    fn bit_operators_work_in_every_width(dtype in prop::sample::select(vec![DType::Uint8, DType::Uint16, DType::Uint32, DType::Uint64]), seeds in prop::array::uniform3(any::<u64>()), by in 0u64..8) {
        let of = |seed: u64| Tensor::from_bits(dtype, vec![2, 3], (0..6u32).map(|i| seed.rotate_left(11 * i))).unwrap();
        let [a, b, c] = seeds.map(of);
        let n = Tensor::from_bits(dtype, vec![], [by].into_iter()).unwrap();
        let power = Tensor::from_i128s(dtype, vec![], &[1 << by]).unwrap();
        let given = given![a, b, c, n, power];
        same("x = BitwiseAnd(a, b) y = BitwiseNot(x)", "m = BitwiseNot(a) k = BitwiseNot(b) y = BitwiseOr(m, k)", &given);
        same("o = BitwiseOr(b, c) y = BitwiseAnd(a, o)", "p = BitwiseAnd(a, b) q = BitwiseAnd(a, c) y = BitwiseOr(p, q)", &given);
        same("x = BitwiseXor(a, b) y = BitwiseXor(x, a)", "y = Identity(b)", &given);
        same("y = BitwiseXor(a, b)", "o = BitwiseOr(a, b) x = BitwiseAnd(a, b) m = BitwiseNot(x) y = BitwiseAnd(o, m)", &given);
        same("y = BitShift<direction = \"RIGHT\">(a, n)", "y = Div(a, power)", &given);
    }
}

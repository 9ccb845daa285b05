//! Laws of optimizers, gradients and losses.

use proptest::prelude::*;

use crate::compare::{differ, same};
use crate::draws::{cases, float, int, tensors};
use crate::given;

const TRAINING: &str = "ai.onnx.preview.training";

proptest! {
    #![proptest_config(cases(64))]

    /// Law: Adagrad, Adam, Momentum
    #[test]
    fn a_learning_rate_of_zero_changes_nothing(x in tensors(&[2, 3]), g in tensors(&[2, 3]), v in tensors(&[2, 3]), h in tensors(&[2, 3]), t in 0i64..5) {
        let (r, t) = (float(&[], &[0.0]), int(t));
        let h = float(&[2, 3], &h.to_f64s().iter().map(|&h| h.abs() as f32 + 1.0).collect::<Vec<_>>());
        let given = given![r, t, x, g, v, h];
        // The second program does not return `x` itself. It computes `x + r * x`, where `r` is 0, because the oracle
        // accepts either sign only for a zero that is computed.
        let stays = "z = Mul(r, x) n = Add(x, z)";
        same(&format!(r#"n, "" = {TRAINING}.Adagrad<norm_coefficient = 0.5, epsilon = 0.001, decay_factor = 0.1>(r, t, x, g, h)"#), stays, &given);
        same(&format!(r#"n, , "" = {TRAINING}.Adam<norm_coefficient = 0.5, epsilon = 0.001, alpha = 0.9, beta = 0.8>(r, t, x, g, v, h)"#), stays, &given);
        for mode in ["standard", "nesterov"] {
            same(&format!(r#"n, "" = {TRAINING}.Momentum<mode = "{mode}", norm_coefficient = 0.5, alpha = 0.9, beta = 0.5>(r, t, x, g, v)"#), stays, &given);
        }
    }

    /// Law: Adagrad, Adam, Momentum
    #[test]
    fn optimizer_steps_equal_their_formulas(x in tensors(&[2, 3]), g in tensors(&[2, 3]), v in tensors(&[2, 3]), h in tensors(&[2, 3]), r in 0.01f32..0.5, t in 0i64..5) {
        let (later, r, t) = (t > 0, float(&[], &[r]), int(t));
        let h = float(&[2, 3], &h.to_f64s().iter().map(|&h| h.abs() as f32 + 1.0).collect::<Vec<_>>());
        let given = given![r, t, x, g, v, h];
        let constants = "one = Constant<value_float = 1.0>() eps = Constant<value_float = 0.001>() a = Constant<value_float = 0.875>() b = Constant<value_float = 0.75>()
            w = Constant<value_float = 0.5>() wx = Mul(w, x) d = Add(g, wx) tf = Cast<to = 1>(t) sq = Mul(d, d)";
        let adagrad = format!("{constants} tw = Mul(tf, w) u = Add(one, tw) rate = Div(r, u) m = Add(h, sq) root = Sqrt(m) e = Add(root, eps) s = Mul(rate, d) q = Div(s, e) n = Sub(x, q)
            o = Identity(n) l = Identity(m) o2, l2 = own.Both(o, l)");
        let both = r#"<domain: "own", opset_import: ["" : 28]> Both (a, b) => (c, d) {c = Identity(a) d = Identity(b)} "#;
        same(&format!("o, l = {TRAINING}.Adagrad<norm_coefficient = 0.5, epsilon = 0.001, decay_factor = 0.5>(r, t, x, g, h)"), &format!("{both}{adagrad}"), &given);
        // From the second step on, only a share of the gradient counts; in the first step all of it does.
        let share = if later { "b" } else { "one" };
        for (mode, step) in [("standard", "k = Identity(m)"), ("nesterov", "am = Mul(a, m) k = Add(d, am)")] {
            let momentum = format!("{both}{constants} av = Mul(a, v) bd = Mul({share}, d) m = Add(av, bd) {step} rk = Mul(r, k) n = Sub(x, rk) o, l = own.Both(n, m)");
            same(&format!("o, l = {TRAINING}.Momentum<mode = \"{mode}\", norm_coefficient = 0.5, alpha = 0.875, beta = 0.75>(r, t, x, g, v)"), &momentum, &given);
        }
        let rate = if later { "at = Pow(a, tf) bt = Pow(b, tf) ca = Sub(one, at) cb = Sub(one, bt) rb = Sqrt(cb) rr = Mul(r, rb) rate = Div(rr, ca)" } else { "rate = Identity(r)" };
        let adam = format!("{constants} na = Sub(one, a) nb = Sub(one, b) av = Mul(a, v) ad = Mul(na, d) m = Add(av, ad) bh = Mul(b, h) bs = Mul(nb, sq) z = Add(bh, bs)
            root = Sqrt(z) e = Add(root, eps) {rate} s = Mul(rate, m) q = Div(s, e) n = Sub(x, q)");
        same(&format!(r#"n, , "" = {TRAINING}.Adam<norm_coefficient = 0.5, epsilon = 0.001, alpha = 0.875, beta = 0.75>(r, t, x, g, v, h)"#), &adam, &given);
        same(&format!(r#", m, "" = {TRAINING}.Adam<norm_coefficient = 0.5, epsilon = 0.001, alpha = 0.875, beta = 0.75>(r, t, x, g, v, h)"#), &format!("{adam} m2 = Identity(m)"), &given);
        // Two tensors in one node are optimized independently.
        let two = format!(r#"o, , l, "" = {TRAINING}.Momentum<mode = "standard", norm_coefficient = 0.5, alpha = 0.875, beta = 0.75>(r, t, x, g, g, x, v, h)"#);
        let one = format!("{both} o1, l1 = {TRAINING}.Momentum<mode = \"standard\", norm_coefficient = 0.5, alpha = 0.875, beta = 0.75>(r, t, x, g, v) o, l = own.Both(o1, l1)");
        same(&two, &one, &given);
    }

    /// Law: Gradient
    #[test]
    fn derivatives_follow_the_rules_of_calculus(x in -2.0f32..2.0, z in 0.25f32..3.0) {
        let (x, z) = (float(&[1], &[x]), float(&[1], &[z]));
        let given = given![x, z];
        let gradient = |nodes: &str| format!("{nodes} dx, dz = {TRAINING}.Gradient<xs = [\"x\", \"z\"], y = \"y\">(x, z)");
        let both = r#"<domain: "own", opset_import: ["" : 28]> Both (a, b) => (c, d) {c = Identity(a) d = Identity(b)} "#;
        let rules = |rule: &str| format!("{both} {rule} dx, dz = own.Both(p, q)");
        same(&gradient("y = Mul(x, z)"), &rules("p = Identity(z) q = Identity(x)"), &given);
        same(&gradient("y = Sub(x, z)"), &rules("one = Div(z, z) p = Identity(one) q = Neg(one)"), &given);
        same(&gradient("y = Div(x, z)"), &rules("p = Reciprocal(z) s = Mul(z, z) n = Neg(x) q = Div(n, s)"), &given);
        // The first function is a chain of operators that uses `t` twice; the second one is a product of two functions.
        same(&gradient("s = Mul(x, z) t = Tanh(s) y = Add(t, t)"), &rules("s = Mul(x, z) t = Tanh(s) c = Mul(t, t) one = Div(z, z) d = Sub(one, c) e = Add(d, d) p = Mul(e, z) q = Mul(e, x)"), &given);
        same(&gradient("l = Log(z) e = Exp(x) y = Mul(e, l)"), &rules("l = Log(z) e = Exp(x) p = Mul(e, l) q = Div(e, z)"), &given);
        differ(&gradient("y = Mul(x, z)"), &rules("p = Identity(z) q = Add(x, z)"), &given);
    }

    /// Law: SoftmaxCrossEntropyLoss, NegativeLogLikelihoodLoss
    #[test]
    fn reduced_losses_are_reductions_of_the_single_losses(x in tensors(&[3, 4, 2]), labels in prop::collection::vec(0i64..4, 6), weights in prop::collection::vec(0.25f32..2.0, 4)) {
        let small = float(&[3, 4, 2], &x.to_f64s().iter().map(|v| (v % 4.0) as f32).collect::<Vec<_>>());
        let t = crate::draws::ints(&labels).reshaped(vec![3, 2]).unwrap();
        let w = float(&[4], &weights);
        let given = given![small, t, w];
        for operator in ["SoftmaxCrossEntropyLoss", "NegativeLogLikelihoodLoss"] {
            let loss = |reduction: &str, more: &str, inputs: &str, to: &str| format!("{to} = {operator}<reduction = \"{reduction}\"{more}>({inputs}) ");
            for more in ["", ", ignore_index = 2"] {
                for inputs in ["small, t", "small, t, w"] {
                    let sum = format!("{}y = ReduceSum<keepdims = 0>(n)", loss("none", more, inputs, "n"));
                    same(&loss("sum", more, inputs, "y"), &sum, &given);
                }
            }
            let mean = format!("{}y = ReduceMean<keepdims = 0>(n)", loss("none", "", "small, t", "n"));
            same(&loss("mean", "", "small, t", "y"), &mean, &given);
            let weighted = format!("{} k = Gather(w, t) s = ReduceSum<keepdims = 0>(n) d = ReduceSum<keepdims = 0>(k) y = Div(s, d)", loss("none", "", "small, t, w", "n"));
            same(&loss("mean", "", "small, t, w", "y"), &weighted, &given);
        }
        same("y = SoftmaxCrossEntropyLoss<reduction = \"none\">(small, t, w)", "l = LogSoftmax<axis = 1>(small) y = NegativeLogLikelihoodLoss<reduction = \"none\">(l, t, w)", &given);
        // NegativeLogLikelihoodLoss negates the element at each label. `by_hand` does so with other operators.
        let by_hand = "ax = Constant<value_ints = [1]>() u = Unsqueeze(t, ax) g = GatherElements<axis = 1>(small, u) s = Squeeze(g, ax) y = Neg(s)";
        same("y = NegativeLogLikelihoodLoss<reduction = \"none\">(small, t)", by_hand, &given);
    }
}

//! Laws of If, Loop and Scan, and of their nested graphs.

use plumbline_tensor::Tensor;
use proptest::prelude::*;

use crate::compare::{is, refusal, same};
use crate::draws::{cases, float, floats, int, tensors, truth, whole};
use crate::given;

proptest! {
    #![proptest_config(cases(64))]

    /// Law: If
    #[test]
    fn a_condition_chooses_a_branch(x in floats(0..=3), z in floats(0..=0), holds: bool) {
        let c = truth(holds);
        let given = given![x, z, c];
        let chosen = "y = If<then_branch = g () => (t) {t = Add(x, z)}, else_branch = g () => (e) {n = Neg(x) e = Sub(n, z)}>(c)";
        let (yes, no) = ("y = Add(x, z)", "n = Neg(x) y = Sub(n, z)");
        same(chosen, if holds { yes } else { no }, &given);
        // The condition may also have the same value for all inputs.
        let constant = chosen.replace("(c)", "(k)");
        same(&format!("k = Greater(z, z) {constant}"), no, &given);
        same(&format!("k = Equal(z, z) {constant}"), yes, &given);
        // A branch that is not taken may hold a node that would be refused.
        let broken = "y = If<then_branch = g () => (t) {t = Identity(x)}, else_branch = g () => (e) {m = Concat<axis = 9>(x, x) e = Identity(m)}>(k)";
        same(&format!("k = Equal(z, z) {broken}"), "y = Identity(x)", &given);
    }

    /// Law: Loop
    #[test]
    fn n_trips_are_n_applications(x in whole(&[2, 3]), n in 0i64..=5) {
        let trips = int(n);
        let given = given![x, trips];
        let body = "body = g (i, go, s) => (go, t) {u = Add(s, s) t = Sub(u, x)}";
        let by_hand: String = (0..n).map(|k| format!("u{k} = Add(s{k}, s{k}) s{} = Sub(u{k}, x) ", k + 1)).collect();
        let run = |trips: &str, from: &str, to: &str| format!("{to} = Loop<{body}>({trips}, , {from}) ");
        same(&run("trips", "x", "y"), &format!("s0 = Identity(x) {by_hand} y = Identity(s{n})"), &given);
        // One more iteration is one more application of the body.
        let (more, one) = (int(n + 1), int(1));
        let given = given![x, trips, more, one];
        same(&run("more", "x", "y"), &format!("{}{}", run("trips", "x", "b"), run("one", "b", "y")), &given);
    }

    /// Law: Loop
    #[test]
    fn a_loop_ends_with_its_condition(limit in 0i64..=6, most in 0i64..=6, first: bool) {
        let (limit_, most_, cond) = (int(limit), int(most), truth(first));
        let zero = int(0);
        let given = given![limit_, most_, cond, zero];
        let count = "y, all = Loop<body = g (i, go, n) => (on, m, i2) {one = Constant<value_int = 1>() m = Add(n, one) on = Less(m, limit_) i2 = Identity(i)}>(most_, cond, zero)";
        let trips = if first { most.min(limit.max(1)) } else { 0 };
        if trips > 0 {
            is(count, &given, int(trips));
            // The scan output stacks the iteration numbers.
            is(&format!("{count} z = Identity(all)"), &given, Tensor::from_i64s(&(0..trips).collect::<Vec<_>>()));
        } else {
            let carried = count.replace("y, all", "y").replace("on, m, i2)", "on, m)").replace("i2 = Identity(i)", "");
            is(&carried, &given, zero.clone());
        }
        // Without an initial condition, the condition that the body computes is ignored.
        let free = count.replace("cond,", ",").replace("y, all", "y").replace("on, m, i2)", "on, m)").replace("i2 = Identity(i)", "");
        is(&free, &given, int(most));
    }

    /// Law: Scan, CumSum
    #[test]
    fn a_scan_of_sums_is_a_cumulative_sum(x in (1usize..=4, 1usize..=4).prop_flat_map(|(n, m)| whole(&[n, m])), backwards: bool) {
        let (width, axis) = (x.shape()[1], int(0));
        let zero = float(&[width], &vec![0.0; width]);
        let given = given![x, zero, axis];
        let way = i64::from(backwards);
        let scan = format!(", y = Scan<num_scan_inputs = 1, scan_input_directions = [{way}], scan_output_directions = [{way}],
            body = g (s, a) => (t, u) {{t = Add(s, a) u = Identity(t)}}>(zero, x)");
        same(&scan, &format!("y = CumSum<reverse = {way}>(x, axis)"), &given);
        same(&scan.replace(", y", r#"y, """#), "axes = Constant<value_ints = [0]>() y = ReduceSum<keepdims = 0>(x, axes)", &given);
        // Emitting the state before the addition gives an exclusive sum.
        same(&scan.replace("Identity(t)", "Identity(s)"), &format!("y = CumSum<reverse = {way}, exclusive = 1>(x, axis)"), &given);
        // Scan may also read along the last axis, and stack its output along the last axis.
        let turned = scan.replace("num_scan", "scan_input_axes = [-1], scan_output_axes = [1], num_scan").replace("(zero, x)", "(zero, turned)");
        same(&format!("turned = Transpose(x) {turned}"), &format!("c = CumSum<reverse = {way}>(x, axis) y = Transpose(c)"), &given);
    }

    /// Law: RNN, Scan
    #[test]
    fn a_recurrent_layer_is_a_scan(x in tensors(&[4, 2, 3]), w in tensors(&[1, 2, 3]), r in tensors(&[1, 2, 2])) {
        let (scale, zero) = (float(&[], &[0.03]), float(&[2, 2], &[0.0; 4]));
        let given = given![x, w, r, scale, zero];
        // The weights and the input are made small, so that tanh rarely saturates.
        let small = "ws = Mul(w, scale) rs = Mul(r, scale) xs = Mul(x, scale) axis = Constant<value_ints = [0]>()";
        let layer = format!(r#"{small} l, "" = RNN<hidden_size = 2>(xs, ws, rs) axes = Constant<value_ints = [1]>() y = Squeeze(l, axes)"#);
        let scan = format!("{small} w2 = Squeeze(ws, axis) wt = Transpose(w2) r2 = Squeeze(rs, axis) rt = Transpose(r2)
            , y = Scan<num_scan_inputs = 1, body = g (h, a) => (n, m) {{p = MatMul(a, wt) q = MatMul(h, rt) s = Add(p, q) n = Tanh(s) m = Identity(n)}}>(zero, xs)");
        same(&layer, &scan, &given);
    }

    /// Law: If, Loop
    #[test]
    fn graphs_see_the_values_around_them(x in whole(&[3]), n in 1i64..=3, holds: bool) {
        let (trips, c) = (int(n), truth(holds));
        let given = given![x, trips, c];
        // The graphs are nested three levels deep, and each of them uses a value from the graphs around it.
        let nested = "a = Add(x, x)
            y = Loop<body = g (i, go, s) => (go, t) {b = Sub(s, a)
                t = If<then_branch = g () => (p) {p = Mul(b, x)}, else_branch = g () => (q) {d = If<then_branch = g () => (e) {e = Neg(b)}, else_branch = g () => (f) {f = Add(a, b)}>(go) q = Add(d, s)}>(c)
            }>(trips, , x)";
        let step = if holds { "b@ = Sub(s@, a) s# = Mul(b@, x) " } else { "b@ = Sub(s@, a) d@ = Neg(b@) s# = Add(d@, s@) " };
        let flat: String = (0..n).map(|k| step.replace('@', &k.to_string()).replace('#', &(k + 1).to_string())).collect();
        same(nested, &format!("a = Add(x, x) s0 = Identity(x) {flat} y = Identity(s{n})"), &given);
    }
}

/// Checks that a nested graph may declare the types of its values, and is refused if a value has another type.
#[test]
fn declared_types_are_checked() {
    let (x, trips) = (float(&[2], &[1.0, 2.0]), int(2));
    let given = given![x, trips];
    let typed = "y = Loop<body = g (int64[] i, bool[] go, float[] s) => (go, t) {t = Neg(s)}>(trips, , x)";
    is(typed, &given, x.clone());
    let wrong = typed.replace("float[] s", "double[] s");
    assert!(refusal(&wrong, &given).contains("declares tensor(double)"));
}

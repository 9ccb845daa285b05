//! Laws of matrices, signals and bounding boxes.

use plumbline_tensor::Tensor;
use proptest::prelude::*;

use crate::compare::{differ, same, tensor};
use crate::draws::{cases, float, int, ints, tensors, whole};
use crate::given;

proptest! {
    #![proptest_config(cases(48))]

    /// Law: Einsum, MatMul, Mul, ReduceSum
    #[test]
    fn einsum_equations_are_products(a in whole(&[2, 3, 4]), b in whole(&[2, 4, 5]), c in whole(&[3]), d in whole(&[4])) {
        let given = given![a, b, c, d];
        let einsum = |equation: &str, inputs: &str| format!("y = Einsum<equation = \"{equation}\">({inputs})");
        same(&einsum("bij,bjk->bik", "a, b"), "y = MatMul(a, b)", &given);
        same(&einsum("...ij,...jk", "a, b"), "y = MatMul(a, b)", &given);
        same(&einsum("i,j->ij", "c, d"), "k = Constant<value_ints = [1]>() u = Unsqueeze(c, k) y = Mul(u, d)", &given);
        same(&einsum("bij,bij->", "a, a"), "y = ReduceSumSquare<keepdims = 0>(a)", &given);
        same(&einsum("bij,j,i->b", "a, d, c"), "p = MatMul(a, d) q = Mul(p, c) k = Constant<value_ints = [1]>() y = ReduceSum<keepdims = 0>(q, k)", &given);
    }

    /// Law: Det, Einsum, Trilu
    #[test]
    fn the_determinant_of_a_triangle_is_the_product_of_its_diagonal(x in whole(&[2, 4, 4]), z in whole(&[3, 3]), w in whole(&[3, 3]), upper in 0i64..=1) {
        let given = given![x, z, w];
        let diagonal = "e = Einsum<equation = \"bii->bi\">(t) k = Constant<value_ints = [1]>() y = ReduceProd<keepdims = 0>(e, k)";
        let triangle = format!("t = Trilu<upper = {upper}>(x)");
        same(&format!("{triangle} y = Det(t)"), &format!("{triangle} {diagonal}"), &given);
        // Exchanging two rows changes the sign of the determinant.
        let rows = |order: &str| format!("o = Constant<value_ints = {order}>() s = Gather(z, o)");
        let (fixed, turned) = (tensor("y = Det(z)", &given), tensor(&format!("{} y = Det(s)", rows("[1, 0, 2]")), &given));
        prop_assert!((fixed.number(0).mid() + turned.number(0).mid()).abs() < 1e-3);
        let product = tensor("p = MatMul(z, w) y = Det(p)", &given).number(0).mid();
        let other = fixed.number(0).mid() * tensor("y = Det(w)", &given).number(0).mid();
        prop_assert!((product - other).abs() <= 1e-3 * (1.0 + product.abs()));
    }

    /// Law: DFT, ReduceSumSquare
    #[test]
    fn spectra_have_the_energy_of_their_signals(values in prop::collection::vec(-4.0f32..4.0, 2..=9), more in prop::collection::vec(-4.0f32..4.0, 9)) {
        let n = values.len();
        let (x, z) = (float(&[1, n, 1], &values), float(&[1, n, 1], &more[..n]));
        let (length, i) = (float(&[], &[n as f32]), float(&[2, 1], &[0.0, 1.0]));
        let c = Tensor::from_f32s(vec![1, n, 2], &values.iter().zip(&more).flat_map(|(&a, &b)| [a, b]).collect::<Vec<_>>()).unwrap();
        let given = given![x, z, c, length, i];
        let energy = "e = ReduceSumSquare<keepdims = 0>(s) y = Div(e, length)";
        same(&format!("s = DFT(x) {energy}"), "y = ReduceSumSquare<keepdims = 0>(x)", &given);
        same(&format!("s = DFT(c) {energy}"), "y = ReduceSumSquare<keepdims = 0>(c)", &given);
        same("s = DFT(c) y = DFT<inverse = 1>(s)", "y = Identity(c)", &given);
        // The value at frequency 0 is the sum of the samples.
        same("s = DFT(c) k = Constant<value_ints = [0]>() y = Gather<axis = 1>(s, k)", "k = Constant<value_ints = [1]>() y = ReduceSum(c, k)", &given);
    }

    /// Law: STFT, DFT
    #[test]
    fn frames_are_transforms_of_slices(values in prop::collection::vec(-4.0f32..4.0, 11), length in 2i64..=6, step in 1i64..=4, onesided in 0i64..=1) {
        let x = float(&[1, 11, 1], &values);
        let (step_, size) = (int(step), int(length));
        let frames = (11 - length) / step + 1;
        for frame in 0..frames {
            let (start, end, axis, at) = (ints(&[frame * step]), ints(&[frame * step + length]), ints(&[1]), ints(&[frame]));
            let given = given![x, step_, size, start, end, axis, at];
            let window = "w = HammingWindow<periodic = 0>(size)";
            let one = format!("{window} f = STFT<onesided = {onesided}>(x, step_, w) g = Gather<axis = 1>(f, at) y = Squeeze(g, axis)");
            let slice = format!("{window} p = Slice(x, start, end, axis) u = Unsqueeze(w, axis) m = Mul(p, u) y = DFT<onesided = {onesided}>(m)");
            same(&one, &slice, &given);
        }
    }

    /// Law: MelWeightMatrix
    #[test]
    fn mel_weights_of_neighbouring_triangles_share_the_spectrum(bins in 2i64..=6, length in 128i64..=512, lower in 0.0f32..400.0) {
        let (n, size, rate, low, high) = (int(bins), int(length), int(16000), float(&[], &[lower]), float(&[], &[7000.0]));
        let y = tensor("y = MelWeightMatrix(n, size, rate, low, high)", &given![n, size, rate, low, high]);
        prop_assert_eq!(y.shape(), &[length as usize / 2 + 1, bins as usize]);
        let rows: Vec<Vec<f64>> = y.tensor.to_f64s().chunks(bins as usize).map(<[f64]>::to_vec).collect();
        prop_assert!(rows.iter().flatten().all(|w| (0.0..=1.0).contains(w)));
        let peak = |band: usize| rows.iter().position(|row| row[band] == 1.0).unwrap();
        let peaks: Vec<usize> = (0..bins as usize).map(peak).collect();
        prop_assert!(peaks.windows(2).all(|p| p[0] < p[1]), "{:?}", peaks);
        // No frequency is in more than two triangles. The weights of a frequency between the first and the last
        // peak add up to 1.
        for (at, row) in rows.iter().enumerate() {
            let shares = row.iter().filter(|&&w| w > 0.0).count();
            prop_assert!(shares <= 2);
            if (peaks[0]..=peaks[bins as usize - 1]).contains(&at) {
                prop_assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{}: {:?}", at, row);
            }
        }
    }

    /// Law: NonMaxSuppression
    #[test]
    fn suppression_ignores_the_order_of_corners_and_a_translation(corners in prop::collection::vec((0u8..8, 0u8..8, 1u8..6, 1u8..6), 5), order in Just(vec![1.0f32, 2.0, 3.0, 4.0, 5.0]).prop_shuffle(), moved in -9i8..=9) {
        let boxes = |f: &dyn Fn(f32, f32, f32, f32) -> [f32; 4]| float(&[1, 5, 4], &corners.iter().flat_map(|&(y, x, h, w)| f(y.into(), x.into(), h.into(), w.into())).collect::<Vec<_>>());
        let a = boxes(&|y, x, h, w| [y, x, y + h, x + w]);
        let flipped = boxes(&|y, x, h, w| [y + h, x, y, x + w]);
        let turned = boxes(&|y, x, h, w| [y, x + w, y + h, x]);
        let shifted = boxes(&|y, x, h, w| [y + f32::from(moved), x - 3.0, y + h + f32::from(moved), x + w - 3.0]);
        let centred = boxes(&|y, x, h, w| [x + w / 2.0, y + h / 2.0, w, h]);
        let scores = float(&[1, 1, 5], &order);
        let (most, least) = (int(5), float(&[], &[0.4321]));
        let given = given![a, flipped, turned, shifted, centred, scores, most, least];
        let one = "y = NonMaxSuppression(a, scores, most, least)";
        for other in ["flipped", "turned", "shifted"] {
            same(&one.replace("(a,", &format!("({other},")), one, &given);
        }
        same("y = NonMaxSuppression<center_point_box = 1>(centred, scores, most, least)", one, &given);
        // Only the order of the scores matters, not their size.
        same(&format!("k = Add(scores, scores) {}", one.replace("scores", "k")), one, &given);
        // The selected boxes do not suppress each other: a second suppression keeps all of them.
        let again = format!("{one} i = Gather<axis = 1>(y, last) b = Gather<axis = 1>(a, i) s = Gather<axis = 2>(scores, i) n = NonMaxSuppression(b, s, most, least) p = Shape(n) q = Shape(y) r = Identity(p)");
        let last = int(2);
        let given = given![a, scores, most, least, last];
        same(&again, &format!("{one} q = Shape(y)"), &given);
        // The expected selection, computed here: a box is suppressed if a selected box with a higher score overlaps it.
        let overlap = |i: usize, j: usize| {
            let (p, q) = (corners[i], corners[j]);
            let part = |a: u8, l: u8, b: u8, m: u8| (i32::from(a + l).min(i32::from(b + m)) - i32::from(a.max(b))).max(0);
            let both = part(p.0, p.2, q.0, q.2) * part(p.1, p.3, q.1, q.3);
            let area = |c: (u8, u8, u8, u8)| i32::from(c.2) * i32::from(c.3);
            f64::from(both) / f64::from(area(p) + area(q) - both) > 0.4321
        };
        let mut by_score: Vec<usize> = (0..5).collect();
        by_score.sort_by(|&i, &j| order[j].total_cmp(&order[i]));
        let mut kept: Vec<usize> = vec![];
        for i in by_score {
            if kept.iter().all(|&k| !overlap(k, i)) {
                kept.push(i);
            }
        }
        let rows = tensor(one, &given).tensor.to_i64s().unwrap();
        prop_assert_eq!(rows.chunks(3).map(|r| r[2] as usize).collect::<Vec<_>>(), kept);
    }

    /// Law: Unique, TopK
    #[test]
    fn sorting_a_sorted_tensor_changes_nothing(x in whole(&[9]), z in tensors(&[3, 5])) {
        // Zeros of both signs may be sorted in either order. Adding 0.0 turns -0.0 into 0.0.
        let z = float(&[3, 5], &z.to_f64s().iter().map(|&v| v as f32 + 0.0).collect::<Vec<_>>());
        let k = ints(&[5]);
        let given = given![x, z, k];
        same("a = Unique(x) y = Unique(a)", "y = Unique(x)", &given);
        same(r#"a, "" = TopK(z, k) y, "" = TopK(a, k)"#, r#"y, "" = TopK(z, k)"#, &given);
        same("n = Neg(z) a, i = TopK<largest = 0>(n, k) y = Neg(a)", "y, i = TopK(z, k) w = Identity(y)", &given);
        same(", i = TopK(z, k) y = GatherElements<axis = 1>(z, i)", r#"y, "" = TopK(z, k)"#, &given);
    }
}

/// Checks that the comparison of two programs notices a wrong transform.
#[test]
fn forward_and_inverse_transforms_differ() {
    let x = float(&[1, 4, 1], &[1.0, 2.0, -3.0, 0.5]);
    let given = given![x];
    differ("y = DFT(x)", "y = DFT<inverse = 1>(x)", &given);
}

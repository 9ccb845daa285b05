//! Laws of `ai.onnx.ml` and of the operators on strings, checked with the oracle: one operator undoes another, or two
//! models compute the same. Some cases are worked out by hand.

use std::sync::Arc;

use crate::common::{expected_outputs, untyped};
use plumbline_oracle::{Expected, Judged, Operand, Oracle, RefusalKind, disagreement};
use plumbline_tensor::Tensor;
use proptest::prelude::*;

/// Returns the first output of a node. `node` is written in ONNX's text syntax, without outputs and inputs.
fn run(node: &str, opset: i64, inputs: &[&Tensor]) -> Expected {
    let outputs = if node.starts_with("StringSplit") { 2 } else { 1 };
    expected_outputs(node, opset, inputs, outputs).remove(0)
}

/// Returns a tensor of rank 1 in ONNX's text syntax.
fn tensor(dtype: &str, values: &[f32]) -> String {
    format!("{dtype}[{}] {{{}}}", values.len(), values.iter().map(f32::to_string).collect::<Vec<_>>().join(", "))
}

fn matrix(rows: usize, columns: usize, values: &[f32]) -> Tensor {
    Tensor::from_f32s(vec![rows, columns], values).unwrap()
}

/// Returns whether `a` accepts the preferred answer of `b`.
fn agree(a: &Expected, b: &Expected) -> bool {
    a.shape() == b.shape() && (0..a.len()).all(|i| a.number(i).accepts(&b.number(i)))
}

/// A stump (a tree with one split): its feature, mode and threshold, the branch that NaN takes, and the weights of both
/// leaves.
type Stump = (i64, usize, f32, i64, [f32; 2]);

fn stumps() -> impl Strategy<Value = Vec<Stump>> {
    let weight = (-16i16..=16).prop_map(|w| f32::from(w) / 4.0);
    let stump = (0i64..2, 0usize..6, -2i8..=2, 0i64..=1, [weight.clone(), weight]);
    prop::collection::vec(stump.prop_map(|(f, m, t, n, w)| (f, m, f32::from(t), n, w)), 1..=4)
}

const MODES: [&str; 6] = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"];

/// Writes stumps as a TreeEnsembleRegressor-3.
fn as_regressor(stumps: &[Stump], aggregate: &str) -> String {
    let each = |f: &dyn Fn(usize, &Stump) -> [i64; 3]| -> Vec<i64> {
        stumps.iter().enumerate().flat_map(|(i, stump)| f(i, stump)).collect()
    };
    let trees: Vec<i64> = (0..stumps.len() as i64).flat_map(|i| [i, i]).collect();
    let weights: Vec<f32> = stumps.iter().flat_map(|s| s.4).collect();
    let modes: Vec<&str> = stumps.iter().flat_map(|s| [MODES[s.1], "LEAF", "LEAF"]).collect();
    let values: Vec<f32> = stumps.iter().flat_map(|s| [s.2, 0.0, 0.0]).collect();
    format!(
        "ai.onnx.ml.TreeEnsembleRegressor <
            nodes_treeids = {:?}, nodes_nodeids = {:?}, nodes_featureids = {:?}, nodes_truenodeids = {:?},
            nodes_falsenodeids = {:?}, nodes_missing_value_tracks_true = {:?}, nodes_modes = {modes:?},
            nodes_values = {values:?}, target_treeids = {trees:?}, target_nodeids = {:?}, target_ids = {:?},
            target_weights = {weights:?}, n_targets = 1, aggregate_function = {aggregate:?}
        >",
        each(&|i, _| [i as i64; 3]),
        each(&|_, _| [0, 1, 2]),
        each(&|_, s| [s.0, 0, 0]),
        each(&|_, _| [1, 0, 0]),
        each(&|_, _| [2, 0, 0]),
        each(&|_, s| [s.3, 0, 0]),
        [1, 2].repeat(stumps.len()),
        vec![0; 2 * stumps.len()],
    )
}

/// Writes stumps as a TreeEnsemble-5.
fn as_ensemble(stumps: &[Stump], aggregate: i64) -> String {
    let (count, leafs) = (stumps.len() as i64, vec![1; stumps.len()]);
    format!(
        "ai.onnx.ml.TreeEnsemble <
            tree_roots = {:?}, nodes_featureids = {:?}, nodes_modes = {}, nodes_splits = {}, nodes_truenodeids = {:?},
            nodes_falsenodeids = {:?}, nodes_trueleafs = {leafs:?}, nodes_falseleafs = {leafs:?},
            nodes_missing_value_tracks_true = {:?}, leaf_weights = {}, leaf_targetids = {:?}, n_targets = 1,
            aggregate_function = {aggregate}
        >",
        (0..count).collect::<Vec<_>>(),
        stumps.iter().map(|s| s.0).collect::<Vec<_>>(),
        tensor("uint8", &stumps.iter().map(|s| s.1 as f32).collect::<Vec<_>>()),
        tensor("float", &stumps.iter().map(|s| s.2).collect::<Vec<_>>()),
        (0..count).map(|i| 2 * i).collect::<Vec<_>>(),
        (0..count).map(|i| 2 * i + 1).collect::<Vec<_>>(),
        stumps.iter().map(|s| s.3).collect::<Vec<_>>(),
        tensor("float", &stumps.iter().flat_map(|s| s.4).collect::<Vec<_>>()),
        vec![0; 2 * stumps.len()],
    )
}

/// Computes the result of a stump for an example.
fn by_hand(stump: &Stump, x: &[f32]) -> f32 {
    let (x, t) = (x[stump.0 as usize], stump.2);
    let holds = [x <= t, x < t, x >= t, x > t, x == t, x != t][stump.1];
    let truth = if x.is_nan() { stump.3 == 1 } else { holds };
    stump.4[usize::from(!truth)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Law: LabelEncoder
    #[test]
    fn a_label_encoder_is_undone_by_its_inverse(
        values in Just((10i64..16).collect::<Vec<_>>()).prop_shuffle(),
        places in prop::collection::vec(0usize..6, 0..=8),
        opset in prop::sample::select(vec![2i64, 4]),
    ) {
        let keys = ["a", "", "é", "b", "ab", "B"];
        let x: Vec<Vec<u8>> = places.iter().map(|&p| keys[p].as_bytes().to_vec()).collect();
        let x = Tensor::from_strings(vec![x.len()], x).unwrap();
        let there = format!("ai.onnx.ml.LabelEncoder <keys_strings = {keys:?}, values_int64s = {values:?}>");
        let back = format!("ai.onnx.ml.LabelEncoder <keys_int64s = {values:?}, values_strings = {keys:?}>");
        let encoded = run(&there, opset, &[&x]).tensor;
        prop_assert_eq!(run(&back, opset, &[&encoded]).tensor, x);
    }

    /// Law: TreeEnsembleRegressor, TreeEnsemble
    #[test]
    fn a_tree_ensemble_regressor_and_a_tree_ensemble_agree(
        stumps in stumps(),
        xs in prop::collection::vec(prop::sample::select(vec![-2.0f32, -1.0, 0.0, 0.5, 1.0, 2.0, f32::NAN]), 2..=6),
        aggregate in 0usize..4,
    ) {
        let x = matrix(xs.len() / 2, 2, &xs[..xs.len() / 2 * 2]);
        let name = ["AVERAGE", "SUM", "MIN", "MAX"][aggregate];
        let old = run(&as_regressor(&stumps, name), 3, &[&x]);
        let new = run(&as_ensemble(&stumps, aggregate as i64), 5, &[&x]);
        prop_assert!(agree(&old, &new) && agree(&new, &old), "{old:?} {new:?}");
        for (row, example) in xs.chunks_exact(2).enumerate() {
            let votes = stumps.iter().map(|s| f64::from(by_hand(s, example)));
            let wanted = match aggregate {
                0 => votes.sum::<f64>() / stumps.len() as f64,
                1 => votes.sum(),
                2 => votes.fold(f64::INFINITY, f64::min),
                _ => votes.fold(f64::NEG_INFINITY, f64::max),
            };
            prop_assert!((new.number(row).mid() - wanted).abs() < 1e-12, "{wanted} {:?}", new.number(row));
        }
    }

    /// Law: Scaler
    #[test]
    fn scaling_is_subtracting_and_multiplying(
        xs in prop::collection::vec(-8.0f32..8.0, 6),
        offset in prop::collection::vec(-2.0f32..2.0, 3),
        scale in prop::collection::vec(-2.0f32..2.0, 3),
    ) {
        let x = matrix(2, 3, &xs);
        let scaled = run(&format!("ai.onnx.ml.Scaler <offset = {offset:?}, scale = {scale:?}>"), 1, &[&x]);
        let shifted = run("Sub", 14, &[&x, &matrix(1, 3, &offset)]).tensor;
        let product = run("Mul", 14, &[&shifted, &matrix(1, 3, &scale)]).tensor;
        prop_assert!((0..6).all(|i| scaled.number(i).real().accepts(product.f64_at(i))));
    }

    /// Law: OneHotEncoder
    #[test]
    fn each_encoded_element_has_a_single_one(xs in prop::collection::vec(0i64..5, 0..=8)) {
        let y = run("ai.onnx.ml.OneHotEncoder <cats_int64s = [3, 0, 4, 2, 1]>", 1, &[&Tensor::from_i64s(&xs)]);
        let sums: Vec<f64> = y.tensor.to_f64s().chunks(5).map(|row| row.iter().sum()).collect();
        prop_assert_eq!(sums, vec![1.0; xs.len()]);
        let ones = y.tensor.to_f64s().chunks(5).map(|row| row.iter().position(|&v| v == 1.0)).collect::<Vec<_>>();
        let places: Vec<Option<usize>> = xs.iter().map(|x| [3, 0, 4, 2, 1].iter().position(|c| c == x)).collect();
        prop_assert_eq!(ones, places);
    }

    /// Law: Normalizer
    #[test]
    fn normalized_rows_have_the_norm_one(xs in prop::collection::vec(0.125f32..8.0, 1..=6)) {
        let x = matrix(1, xs.len(), &xs);
        for norm in ["MAX", "L1", "L2"] {
            let y = run(&format!(r#"ai.onnx.ml.Normalizer <norm = "{norm}">"#), 1, &[&x]);
            prop_assert!(y.latitude.is_empty());
            let values: Vec<f64> = (0..xs.len()).map(|i| y.number(i).mid()).collect();
            let is = match norm {
                "MAX" => values.iter().copied().fold(0.0, f64::max),
                "L1" => values.iter().sum(),
                _ => values.iter().map(|v| v * v).sum(),
            };
            prop_assert!((is - 1.0).abs() < 1e-6, "{norm}: {is}");
        }
    }

    /// Law: StringConcat, StringSplit
    #[test]
    fn splitting_undoes_joining_with_the_delimiter(parts in prop::collection::vec("[ab ]{0,3}", 1..=4)) {
        let text = |s: &str| Tensor::from_strings(vec![], vec![s.as_bytes().to_vec()]).unwrap();
        let mut joined = text(&parts[0]);
        for part in &parts[1..] {
            joined = run("StringConcat", 20, &[&joined, &text("--")]).tensor;
            joined = run("StringConcat", 20, &[&joined, &text(part)]).tensor;
        }
        let split = run(r#"StringSplit <delimiter = "--">"#, 20, &[&joined]).tensor;
        let found: Vec<String> = split.strings().iter().map(|s| String::from_utf8(s.clone()).unwrap()).collect();
        prop_assert_eq!(found, parts);
    }
}

/// Checks that the sets in `membership_values` belong to the BRANCH_MEMBER nodes in the order in which the attributes
/// list the nodes, and not in the order in which the tree reaches them. Here the root is listed second.
#[test]
fn sets_belong_to_nodes_in_the_order_of_the_list_of_nodes() {
    let node = "ai.onnx.ml.TreeEnsemble <
        tree_roots = [1], nodes_featureids = [0, 0], nodes_modes = uint8[2] {6, 6}, nodes_splits = float[2] {0, 0},
        nodes_truenodeids = [0, 2], nodes_falsenodeids = [1, 0], nodes_trueleafs = [1, 1], nodes_falseleafs = [1, 0],
        membership_values = float[5] {1, nan, 2, 3, nan}, leaf_weights = float[3] {10, 20, 30},
        leaf_targetids = [0, 0, 0], n_targets = 1
    >";
    let y = run(node, 5, &[&matrix(4, 1, &[1.0, 2.0, 3.0, 4.0])]);
    assert_eq!(y.tensor.to_f64s(), [10.0, 30.0, 30.0, 20.0]);
}

/// The decision is 4, so that the first class wins.
#[test]
fn probabilities_are_in_the_order_of_the_classes_and_add_up() {
    let machine = |more: &str| {
        let node = format!(
            "ai.onnx.ml.SVMClassifier <kernel_type = \"LINEAR\", kernel_params = [1.0, 0.0, 1.0], vectors_per_class = [1, 1],
            support_vectors = [1.0, -1.0], coefficients = [1.0, -1.0], rho = [0.0], classlabels_ints = [10, 20]{more}>"
        );
        expected_outputs(&node, 1, &[&matrix(1, 1, &[2.0])], 2)
    };
    let label = |outputs: &[Expected], label: i64| outputs[0].judge(&Tensor::from_i64s(&[label]), 0);
    let scores = |outputs: &[Expected], scores: [f32; 2]| {
        let answer = matrix(1, 2, &scores);
        let operands: Vec<Operand> = outputs.iter().map(|e| Operand::Tensor(Arc::new(e.clone()))).collect();
        let together = disagreement(&operands, &[Tensor::from_i64s(&[10]).into(), answer.clone().into()]);
        match (0..2).map(|i| outputs[1].judge(&answer, i)).find(|judged| *judged != Judged::Accepted) {
            None if together.is_some() => Judged::Wrong,
            judged => judged.unwrap_or(Judged::Accepted),
        }
    };
    let probable = machine(", prob_a = [-0.5], prob_b = [0.0]");
    let first = 1.0 / (1.0 + (-2f32).exp());
    assert_eq!(scores(&probable, [first, 1.0 - first]), Judged::Accepted);
    for wrong in [[1.0 - first, first], [first, 1.002 - first], [first, 0.0], [1.0, 0.0], [-4.0, 4.0]] {
        assert_eq!(scores(&probable, wrong), Judged::Wrong, "{wrong:?}");
    }
    assert_eq!((label(&probable, 10), label(&probable, 20)), (Judged::Accepted, Judged::Wrong));

    let raw = machine("");
    assert_eq!((label(&raw, 10), label(&raw, 20)), (Judged::Accepted, Judged::Wrong));
    assert_eq!(scores(&raw, [-4.0, 4.0]), Judged::Accepted);
    assert!([[4.0, -4.0], [1.0, 0.0]].iter().all(|&way| matches!(scores(&raw, way), Judged::Latitude(_))));
    assert!([[first, 1.0 - first], [0.5, 0.5]].iter().all(|&way| scores(&raw, way) == Judged::Wrong));
}

#[test]
fn only_the_lengths_of_the_lists_for_probabilities_have_to_be_equal() {
    let refusal = |lists: &str| {
        let node = format!(
            "ai.onnx.ml.SVMClassifier <kernel_type = \"LINEAR\", kernel_params = [1.0, 0.0, 1.0], vectors_per_class = [1, 1],
            support_vectors = [1.0, -1.0], coefficients = [1.0, -1.0], rho = [0.0], classlabels_ints = [10, 20], {lists}>"
        );
        let model = untyped(&node, 1, 1, 2);
        Oracle::default().answer(&model, &[matrix(1, 1, &[2.0]).into()]).map_err(|refusal| refusal.kind).err()
    };
    assert_eq!(refusal("prob_a = [-0.5, 1.0], prob_b = [0.0]"), Some(RefusalKind::Invalid));
    assert_eq!(refusal("prob_a = [-0.5]"), Some(RefusalKind::Invalid));
    assert_eq!(refusal("prob_a = [-0.5, 1.0], prob_b = [0.0, 1.0]"), Some(RefusalKind::Unsupported));
}

/// A binary classifier gives the second label above a score of zero or of a half.
#[test]
fn one_score_leaves_the_label_open_between_zero_and_a_half_only() {
    let judged = |weight: f32| {
        let trees = format!(
            "ai.onnx.ml.TreeEnsembleClassifier <nodes_treeids = [0], nodes_nodeids = [0], nodes_featureids = [0],
            nodes_modes = [\"LEAF\"], nodes_values = [0.0], nodes_truenodeids = [0], nodes_falsenodeids = [0],
            class_treeids = [0], class_nodeids = [0], class_ids = [1], class_weights = [{weight:?}],
            classlabels_int64s = [10, 20]>"
        );
        let line = format!(
            "ai.onnx.ml.LinearClassifier <coefficients = [0.0], intercepts = [{weight:?}], classlabels_ints = [10, 20]>"
        );
        [trees, line].map(|node| {
            let y = expected_outputs(&node, 1, &[&matrix(1, 1, &[2.0])], 2).remove(0);
            [10, 20].map(|label| y.judge(&Tensor::from_i64s(&[label]), 0) != Judged::Wrong)
        })
    };
    assert_eq!(judged(0.75), [[false, true]; 2]);
    assert_eq!(judged(0.25), [[true, true]; 2]);
    assert_eq!(judged(-0.25), [[true, false]; 2]);
}

#[test]
fn a_nan_key_matches_its_own_bits_in_version_2_and_any_nan_in_version_4() {
    let x = Tensor::from_f32s(vec![2], &[f32::NAN, f32::from_bits(0x7fc0_0001)]).unwrap();
    let table = "ai.onnx.ml.LabelEncoder <keys_floats = [nan], values_int64s = [7]>";
    assert_eq!(run(table, 2, &[&x]).tensor.to_i64s(), Ok(vec![7, -1]));
    assert_eq!(run(table, 4, &[&x]).tensor.to_i64s(), Ok(vec![7, 7]));
}

/// ONNX's formula for L2 takes the root of a square, so that an element loses its sign. Division by the L2 norm, which
/// the name `L2` suggests, would keep the sign.
#[test]
fn rows_with_negative_elements_are_normalized_by_the_formula() {
    let x = matrix(1, 2, &[-3.0, 4.0]);
    let y = run(r#"ai.onnx.ml.Normalizer <norm = "L2">"#, 1, &[&x]);
    let judged = |values: &[f32]| (0..2).map(|i| y.judge(&matrix(1, 2, values), i)).collect::<Vec<_>>();
    assert_eq!(judged(&[0.6, 0.8]), [Judged::Accepted; 2]);
    assert_eq!(judged(&[-0.6, 0.8]), [Judged::Wrong, Judged::Accepted]);
    assert_eq!(judged(&[0.5, 0.8])[0], Judged::Wrong);
}

#[test]
fn the_maximum_of_a_row_with_a_nan_is_nan_or_that_of_the_other_elements() {
    let wrong = |row: [f32; 3], at: usize, value: f32| {
        let y = run(r#"ai.onnx.ml.Normalizer <norm = "MAX">"#, 1, &[&matrix(1, 3, &row)]);
        y.judge(&matrix(1, 3, &[value; 3]), at) == Judged::Wrong
    };
    let row = [3.0, f32::NAN, 2.0];
    assert_eq!([f32::NAN, 1.0, 1.5].map(|value| wrong(row, 0, value)), [false, false, true]);
    // A row whose divisor is zero stays as it is.
    let row = [0.0, f32::NAN, -2.0];
    assert_eq!([f32::NAN, -2.0, f32::NEG_INFINITY].map(|value| wrong(row, 2, value)), [false, false, true]);
}

/// The integer that NaN is converted to may or may not be a category. With `zeros` = 0, every element has to be in a
/// category.
#[test]
fn a_nan_may_be_in_a_category_or_in_none() {
    let refusal = |values: &[f32]| {
        let model = untyped("ai.onnx.ml.OneHotEncoder <cats_int64s = [1], zeros = 0>", 1, 1, 1);
        let refusal = Oracle::default().answer(&model, &[matrix(1, values.len(), values).into()]).unwrap_err();
        (refusal.kind, refusal.label.unwrap().to_string())
    };
    assert_eq!(refusal(&[1.0, f32::NAN]), (RefusalKind::Unsupported, "conversion".to_owned()));
    assert_eq!(refusal(&[f32::NAN, 5.0]), (RefusalKind::Invalid, "elements-in-categories".to_owned()));
}

#[test]
fn strings_are_split_at_blanks_or_delimiters() {
    let split = |text: &str, delimiter: &str, most: i64| {
        let x = Tensor::from_strings(vec![1], vec![text.as_bytes().to_vec()]).unwrap();
        let y = run(&format!(r#"StringSplit <delimiter = "{delimiter}", maxsplit = {most}>"#), 20, &[&x]);
        let parts = y.tensor.strings().iter().map(|s| String::from_utf8(s.clone()).unwrap());
        (parts.collect::<Vec<_>>(), y.latitude.len())
    };
    let owned = |parts: &[&str]| parts.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>();
    assert_eq!(split(" a \t b\n", "", 9), (owned(&["a", "b"]), 0));
    assert_eq!(split(" a  b c ", "", 1), (owned(&["a", "b c "]), 1));
    assert_eq!(split("--a----", "--", 9), (owned(&["", "a", "", ""]), 0));
    assert_eq!(split("", "--", 9), (owned(&[""]), 0));
    assert_eq!(split("", "", 9), (owned(&[]), 0));
}

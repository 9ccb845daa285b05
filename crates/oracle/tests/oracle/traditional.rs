//! Laws of `ai.onnx.ml` and of the operators on strings, checked with the oracle: one operator undoes another, or two
//! models compute the same.

use crate::common::{int, untyped};
use plumbline_oracle::{Expected, Judged, Reference};
use plumbline_tensor::onnx::{AttributeProto, OperatorSetIdProto};
use plumbline_tensor::{DType, Tensor, tensor_to_proto};
use proptest::prelude::*;

/// Returns the first output of an operator of `ai.onnx.ml` (if `ml` is true) or `ai.onnx`, at an opset.
fn run(op: &str, ml: bool, opset: i64, attribute: Vec<AttributeProto>, inputs: &[&Tensor]) -> Expected {
    let outputs = if op == "StringSplit" { 2 } else { 1 };
    let mut model = untyped(op, opset, inputs.len(), outputs, attribute);
    if ml {
        model.proto.graph.as_mut().unwrap().node[0].domain = Some("ai.onnx.ml".to_owned());
        let domain = Some("ai.onnx.ml".to_owned());
        model.proto.opset_import = vec![OperatorSetIdProto { domain, version: Some(opset) }];
    }
    let inputs: Vec<_> = inputs.iter().map(|&t| t.clone().into()).collect();
    Reference::default().answer(&model, &inputs).unwrap()[0].tensor().unwrap().clone()
}

fn attribute(name: &str, kind: i32) -> AttributeProto {
    AttributeProto { name: Some(name.to_owned()), r#type: Some(kind), ..Default::default() }
}

fn floats(name: &str, floats: &[f32]) -> AttributeProto {
    AttributeProto { floats: floats.to_vec(), ..attribute(name, 6) }
}

fn ints(name: &str, ints: &[i64]) -> AttributeProto {
    AttributeProto { ints: ints.to_vec(), ..attribute(name, 7) }
}

fn strings(name: &str, strings: &[&str]) -> AttributeProto {
    AttributeProto { strings: strings.iter().map(|s| s.as_bytes().to_vec()).collect(), ..attribute(name, 8) }
}

fn string(name: &str, text: &str) -> AttributeProto {
    AttributeProto { s: Some(text.into()), ..attribute(name, 3) }
}

fn tensor(name: &str, tensor: &Tensor) -> AttributeProto {
    AttributeProto { t: Some(tensor_to_proto(tensor, "")), ..attribute(name, 4) }
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

/// Writes stumps as attributes of TreeEnsembleRegressor-3.
fn as_regressor(stumps: &[Stump], aggregate: &str) -> Vec<AttributeProto> {
    let each = |f: &dyn Fn(usize, &Stump) -> [i64; 3]| -> Vec<i64> {
        stumps.iter().enumerate().flat_map(|(i, stump)| f(i, stump)).collect()
    };
    let trees: Vec<i64> = (0..stumps.len() as i64).flat_map(|i| [i, i]).collect();
    let weights: Vec<f32> = stumps.iter().flat_map(|s| s.4).collect();
    let modes: Vec<&str> = stumps.iter().flat_map(|s| [MODES[s.1], "LEAF", "LEAF"]).collect();
    let values: Vec<f32> = stumps.iter().flat_map(|s| [s.2, 0.0, 0.0]).collect();
    vec![
        ints("nodes_treeids", &each(&|i, _| [i as i64; 3])),
        ints("nodes_nodeids", &each(&|_, _| [0, 1, 2])),
        ints("nodes_featureids", &each(&|_, s| [s.0, 0, 0])),
        ints("nodes_truenodeids", &each(&|_, _| [1, 0, 0])),
        ints("nodes_falsenodeids", &each(&|_, _| [2, 0, 0])),
        ints("nodes_missing_value_tracks_true", &each(&|_, s| [s.3, 0, 0])),
        strings("nodes_modes", &modes),
        floats("nodes_values", &values),
        ints("target_treeids", &trees),
        ints("target_nodeids", &[1, 2].repeat(stumps.len())),
        ints("target_ids", &vec![0; 2 * stumps.len()]),
        floats("target_weights", &weights),
        int("n_targets", 1),
        string("aggregate_function", aggregate),
    ]
}

/// Writes stumps as attributes of TreeEnsemble-5.
fn as_ensemble(stumps: &[Stump], aggregate: i64) -> Vec<AttributeProto> {
    let count = stumps.len() as i64;
    let list = |values: Vec<f32>| Tensor::from_f32s(vec![values.len()], &values).unwrap();
    let modes: Vec<i128> = stumps.iter().map(|s| s.1 as i128).collect();
    vec![
        ints("tree_roots", &(0..count).collect::<Vec<_>>()),
        ints("nodes_featureids", &stumps.iter().map(|s| s.0).collect::<Vec<_>>()),
        tensor("nodes_modes", &Tensor::from_i128s(DType::Uint8, vec![stumps.len()], &modes).unwrap()),
        tensor("nodes_splits", &list(stumps.iter().map(|s| s.2).collect())),
        ints("nodes_truenodeids", &(0..count).map(|i| 2 * i).collect::<Vec<_>>()),
        ints("nodes_falsenodeids", &(0..count).map(|i| 2 * i + 1).collect::<Vec<_>>()),
        ints("nodes_trueleafs", &vec![1; stumps.len()]),
        ints("nodes_falseleafs", &vec![1; stumps.len()]),
        ints("nodes_missing_value_tracks_true", &stumps.iter().map(|s| s.3).collect::<Vec<_>>()),
        tensor("leaf_weights", &list(stumps.iter().flat_map(|s| s.4).collect())),
        ints("leaf_targetids", &vec![0; 2 * stumps.len()]),
        int("n_targets", 1),
        int("aggregate_function", aggregate),
    ]
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
        let there = vec![strings("keys_strings", &keys), ints("values_int64s", &values)];
        let back = vec![ints("keys_int64s", &values), strings("values_strings", &keys)];
        let encoded = run("LabelEncoder", true, opset, there, &[&x]).tensor;
        prop_assert_eq!(run("LabelEncoder", true, opset, back, &[&encoded]).tensor, x);
    }

    /// Law: TreeEnsembleRegressor, TreeEnsemble
    #[test]
    fn ensembles_of_all_versions_agree(
        stumps in stumps(),
        xs in prop::collection::vec(prop::sample::select(vec![-2.0f32, -1.0, 0.0, 0.5, 1.0, 2.0, f32::NAN]), 2..=6),
        aggregate in 0usize..4,
    ) {
        let x = matrix(xs.len() / 2, 2, &xs[..xs.len() / 2 * 2]);
        let name = ["AVERAGE", "SUM", "MIN", "MAX"][aggregate];
        let old = run("TreeEnsembleRegressor", true, 3, as_regressor(&stumps, name), &[&x]);
        let new = run("TreeEnsemble", true, 5, as_ensemble(&stumps, aggregate as i64), &[&x]);
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
        let scaled = run("Scaler", true, 1, vec![floats("offset", &offset), floats("scale", &scale)], &[&x]);
        let shifted = run("Sub", false, 14, vec![], &[&x, &matrix(1, 3, &offset)]).tensor;
        let product = run("Mul", false, 14, vec![], &[&shifted, &matrix(1, 3, &scale)]).tensor;
        prop_assert!((0..6).all(|i| scaled.number(i).real().accepts(product.f64_at(i))));
    }

    /// Law: OneHotEncoder
    #[test]
    fn encoded_elements_have_one_one(xs in prop::collection::vec(0i64..5, 0..=8)) {
        let y = run("OneHotEncoder", true, 1, vec![ints("cats_int64s", &[3, 0, 4, 2, 1])], &[&Tensor::from_i64s(&xs)]);
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
            let y = run("Normalizer", true, 1, vec![string("norm", norm)], &[&x]);
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
            joined = run("StringConcat", false, 20, vec![], &[&joined, &text("--")]).tensor;
            joined = run("StringConcat", false, 20, vec![], &[&joined, &text(part)]).tensor;
        }
        let split = run("StringSplit", false, 20, vec![string("delimiter", "--")], &[&joined]).tensor;
        let found: Vec<String> = split.strings().iter().map(|s| String::from_utf8(s.clone()).unwrap()).collect();
        prop_assert_eq!(found, parts);
    }
}

/// Checks that the sets of BRANCH_MEMBER nodes belong to the nodes in the order of the lists. Here the root of the tree
/// is the second node of the lists.
#[test]
fn sets_belong_to_nodes_in_the_order_of_the_list_of_nodes() {
    let list = |values: &[f32]| Tensor::from_f32s(vec![values.len()], values).unwrap();
    let attributes = vec![
        ints("tree_roots", &[1]),
        ints("nodes_featureids", &[0, 0]),
        tensor("nodes_modes", &Tensor::from_i128s(DType::Uint8, vec![2], &[6, 6]).unwrap()),
        tensor("nodes_splits", &list(&[0.0, 0.0])),
        ints("nodes_truenodeids", &[0, 2]),
        ints("nodes_falsenodeids", &[1, 0]),
        ints("nodes_trueleafs", &[1, 1]),
        ints("nodes_falseleafs", &[1, 0]),
        tensor("membership_values", &list(&[1.0, f32::NAN, 2.0, 3.0, f32::NAN])),
        tensor("leaf_weights", &list(&[10.0, 20.0, 30.0])),
        ints("leaf_targetids", &[0, 0, 0]),
        int("n_targets", 1),
    ];
    let y = run("TreeEnsemble", true, 5, attributes, &[&matrix(4, 1, &[1.0, 2.0, 3.0, 4.0])]);
    assert_eq!(y.tensor.to_f64s(), [10.0, 30.0, 30.0, 20.0]);
}

#[test]
fn a_nan_matches_a_key_by_its_bits_or_any_nan_by_version() {
    let x = Tensor::from_f32s(vec![2], &[f32::NAN, f32::from_bits(0x7fc0_0001)]).unwrap();
    let table = || vec![floats("keys_floats", &[f32::NAN]), ints("values_int64s", &[7])];
    assert_eq!(run("LabelEncoder", true, 2, table(), &[&x]).tensor.to_i64s(), Ok(vec![7, -1]));
    assert_eq!(run("LabelEncoder", true, 4, table(), &[&x]).tensor.to_i64s(), Ok(vec![7, 7]));
}

/// ONNX's formula for L2 is the root of a square, which has no sign. A vector divided by its norm, as the name
/// suggests, would keep the sign.
#[test]
fn rows_with_negative_elements_are_normalized_by_the_formula() {
    let x = matrix(1, 2, &[-3.0, 4.0]);
    let y = run("Normalizer", true, 1, vec![string("norm", "L2")], &[&x]);
    let judged = |values: &[f32]| (0..2).map(|i| y.judge(&matrix(1, 2, values), i)).collect::<Vec<_>>();
    assert_eq!(judged(&[0.6, 0.8]), [Judged::Accepted; 2]);
    assert_eq!(judged(&[-0.6, 0.8]), [Judged::Wrong, Judged::Accepted]);
    assert_eq!(judged(&[0.5, 0.8])[0], Judged::Wrong);
}

#[test]
fn strings_are_split_at_blanks_or_delimiters() {
    let split = |text: &str, delimiter: &str, most: i64| {
        let x = Tensor::from_strings(vec![1], vec![text.as_bytes().to_vec()]).unwrap();
        let y = run("StringSplit", false, 20, vec![string("delimiter", delimiter), int("maxsplit", most)], &[&x]);
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

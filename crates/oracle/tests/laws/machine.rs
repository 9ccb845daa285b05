//! Laws that express operators of `ai.onnx.ml` by operators of `ai.onnx`.

use plumbline_tensor::{Tensor, Value};
use proptest::prelude::*;

use crate::compare::{differ, is, outputs, same};
use crate::draws::{cases, float, ints, strings, tensors};
use crate::given;

/// Draws coefficients whose products with whole numbers are exact.
fn coefficients(count: usize) -> impl Strategy<Value = Vec<f32>> {
    prop::collection::vec((-12i8..=12).prop_map(|c| f32::from(c) / 4.0), count)
}

proptest! {
    #![proptest_config(cases(64))]

    /// Law: ArrayFeatureExtractor, Gather
    #[test]
    fn extracting_features_is_gathering(x in (1usize..=3, 2usize..=3, 1usize..=5).prop_flat_map(|(a, b, c)| tensors(&[a, b, c])), places in prop::collection::vec(any::<prop::sample::Index>(), 1..=4)) {
        let width = x.shape()[2];
        let places = ints(&places.iter().map(|p| p.index(width) as i64).collect::<Vec<_>>());
        same("y = ai.onnx.ml.ArrayFeatureExtractor(x, places)", "y = Gather<axis = -1>(x, places)", &given![x, places]);
    }

    /// Law: Binarizer, Greater, Cast
    #[test]
    fn binarizing_is_comparing(x in tensors(&[3, 4]), threshold in prop_oneof![Just(0.0f32), -6.0f32..6.0, (-6i8..=6).prop_map(f32::from)]) {
        let t = float(&[], &[threshold]);
        let binarized = format!("y = ai.onnx.ml.Binarizer<threshold = {threshold:?}>(x)");
        same(&binarized, "g = Greater(x, t) y = Cast<to = 1>(g)", &given![x, t]);
    }

    /// Law: Imputer, Where
    #[test]
    fn an_imputer_replaces_missing_values_and_a_second_one_changes_nothing(x in tensors(&[4, 3]), values in prop::collection::vec(1.5f32..9.0, 3), marks in prop::collection::vec(any::<bool>(), 12)) {
        let holed: Vec<f32> = x.to_f64s().iter().zip(&marks).map(|(&v, &m)| if m { f32::NAN } else { v as f32 }).collect();
        let (x, v, two) = (float(&[4, 3], &holed), float(&[3], &values), float(&[], &[2.0]));
        let given = given![x, v, two];
        let imputer = |from: &str, to: &str, attributes: &str| format!("{to} = ai.onnx.ml.Imputer<{attributes}>({from}) ");
        let of_nan = format!("imputed_value_floats = {values:?}, replaced_value_float = NaN");
        same(&imputer("x", "y", &of_nan), "c = IsNaN(x) y = Where(c, v, x)", &given);
        same(&format!("{}{}", imputer("x", "z", &of_nan), imputer("z", "y", &of_nan)), &imputer("x", "y", &of_nan), &given);
        let of_two = "imputed_value_floats = [-1.0], replaced_value_float = 2.0";
        same(&imputer("x", "y", of_two), "c = Equal(x, two) one = Constant<value_float = -1.0>() y = Where(c, one, x)", &given);
    }

    /// Law: ZipMap, DictVectorizer, CastMap
    #[test]
    fn maps_of_rows_vectorize_to_the_rows(x in tensors(&[3, 4]), labels in Just(vec![7i64, -2, 30, 4]).prop_shuffle()) {
        let names: Vec<String> = labels.iter().map(|l| format!("l{l}")).collect();
        let row = |at: usize, columns: &[usize]| float(&[columns.len()], &columns.iter().map(|&c| x.f64_at(4 * at + c) as f32).collect::<Vec<_>>());
        let of_ints = outputs(&format!("y = ai.onnx.ml.ZipMap<classlabels_int64s = {labels:?}>(x)"), &given![x]).remove(0).to_value();
        let of_names = outputs(&format!("y = ai.onnx.ml.ZipMap<classlabels_strings = {names:?}>(x)"), &given![x]).remove(0).to_value();
        let (Value::Sequence { items: of_ints, .. }, Value::Sequence { items: of_names, .. }) = (of_ints, of_names) else { panic!("an answer is not a sequence") };
        prop_assert_eq!((of_ints.len(), of_names.len()), (3, 3));
        let mut sorted: Vec<usize> = (0..4).collect();
        sorted.sort_by_key(|&c| labels[c]);
        for (at, (m, n)) in of_ints.into_iter().zip(of_names).enumerate() {
            let given = given![m, n];
            is(&format!("y = ai.onnx.ml.DictVectorizer<int64_vocabulary = {labels:?}>(m)"), &given, row(at, &[0, 1, 2, 3]));
            is(&format!("y = ai.onnx.ml.DictVectorizer<string_vocabulary = {names:?}>(n)"), &given, row(at, &[0, 1, 2, 3]));
            // The dense result has the order of the keys.
            is("y = ai.onnx.ml.CastMap<cast_to = \"TO_FLOAT\">(m)", &given, row(at, &sorted));
        }
        // The sparse result has each value at the index that its key names.
        let keys = [2i64, 0, 1, 3];
        let zipped = outputs(&format!("y = ai.onnx.ml.ZipMap<classlabels_int64s = {keys:?}>(x)"), &given![x]).remove(0).to_value();
        let Value::Sequence { items, .. } = zipped else { panic!("the answer is not a sequence") };
        let m = items[1].clone();
        is("y = ai.onnx.ml.CastMap<cast_to = \"TO_FLOAT\", map_form = \"SPARSE\", max_map = 4>(m)", &given![m], row(1, &[1, 2, 0, 3]));
    }

    /// Law: CategoryMapper, LabelEncoder
    #[test]
    fn a_category_mapper_undoes_itself(places in prop::collection::vec(0usize..4, 1..=6), numbers in Just(vec![5i64, -1, 90, 0]).prop_shuffle()) {
        let names = ["a", "", "é", "b c"];
        let x = strings(&places.iter().map(|&p| names[p]).collect::<Vec<_>>());
        let given = given![x];
        let mapper = format!("ai.onnx.ml.CategoryMapper<cats_int64s = {numbers:?}, cats_strings = {names:?}>");
        is(&format!("n = {mapper}(x)"), &given, ints(&places.iter().map(|&p| numbers[p]).collect::<Vec<_>>()));
        is(&format!("n = {mapper}(x) y = {mapper}(n)"), &given, x.clone());
        same(&format!("n = {mapper}(x)"), &format!("n = ai.onnx.ml.LabelEncoder<keys_strings = {names:?}, values_int64s = {numbers:?}>(x)"), &given);
    }

    /// Law: FeatureVectorizer, Concat
    #[test]
    fn feature_vectors_are_concatenated(a in tensors(&[3, 2]), b in tensors(&[3, 1]), c in tensors(&[3, 4])) {
        same("y = ai.onnx.ml.FeatureVectorizer<inputdimensions = [2, 1, 4]>(a, b, c)", "y = Concat<axis = 1>(a, b, c)", &given![a, b, c]);
    }

    /// Law: LinearRegressor, LinearClassifier, Gemm
    #[test]
    fn linear_models_are_matrix_products(x in tensors(&[4, 3]), w in coefficients(9), c in coefficients(3)) {
        let (weights, bias) = (float(&[3, 3], &w), float(&[3], &c));
        let labels = ints(&[30, 10, 20]);
        let given = given![x, weights, bias, labels];
        let attributes = format!("coefficients = {w:?}, intercepts = {c:?}");
        let scores = "s = Gemm<transB = 1>(x, weights, bias)";
        for (transform, after) in [("NONE", "y = Identity(s)"), ("LOGISTIC", "y = Sigmoid(s)"), ("SOFTMAX", "y = Softmax(s)")] {
            let regressor = format!("y = ai.onnx.ml.LinearRegressor<targets = 3, {attributes}, post_transform = \"{transform}\">(x)");
            same(&regressor, &format!("{scores} {after}"), &given);
            let classifier = format!("l, y = ai.onnx.ml.LinearClassifier<{attributes}, classlabels_ints = [30, 10, 20], post_transform = \"{transform}\">(x) y2 = Identity(y)");
            same(&classifier, &format!("{scores} {after}"), &given);
        }
        // If the largest score is clearly above the others, the label is its class.
        let sums: Vec<f64> = outputs(scores, &given)[0].tensor().unwrap().numbers().map(|s| s.mid()).collect();
        let clear = |row: &[f64]| { let mut r = row.to_vec(); r.sort_by(f64::total_cmp); r[2] - r[1] > 0.01 };
        prop_assume!(sums.chunks(3).all(clear));
        let classifier = format!(r#"l, "" = ai.onnx.ml.LinearClassifier<{attributes}, classlabels_ints = [30, 10, 20]>(x)"#);
        same(&classifier, &format!("{scores} a = ArgMax<axis = 1, keepdims = 0>(s) l = Gather(labels, a)"), &given);
    }

    /// Law: SVMRegressor, SVMClassifier, LinearClassifier
    #[test]
    fn support_vector_machines_are_sums_of_kernels(x in prop::collection::vec(-2.0f32..2.0, 6), v in coefficients(6), c in coefficients(2), rho in -2.0f32..2.0) {
        let (x, vectors, weights, rho_) = (float(&[3, 2], &x), float(&[3, 2], &v), float(&[1, 3], &[&c[..], &[0.75]].concat()), float(&[], &[rho]));
        let given = given![x, vectors, weights, rho_];
        let machine = |kernel: &str| format!("y = ai.onnx.ml.SVMRegressor<n_supports = 3, kernel_type = \"{kernel}\", kernel_params = [0.5, 0.25, 2.0], support_vectors = {v:?}, \
            coefficients = [{:?}, {:?}, 0.75], rho = [{rho:?}]>(x)", c[0], c[1]);
        let sum = |kernel: &str| format!("half = Constant<value_float = 0.5>() quarter = Constant<value_float = 0.25>() n = Neg(half)
            vt = Transpose(vectors) dot = MatMul(x, vt) {kernel} wt = Transpose(weights) p = MatMul(k, wt) y = Add(p, rho_)");
        same(&machine("LINEAR"), &sum("k = Identity(dot)"), &given);
        same(&machine("POLY"), &sum("g = Mul(half, dot) s = Add(g, quarter) k = Mul(s, s)"), &given);
        same(&machine("SIGMOID"), &sum("g = Mul(half, dot) s = Add(g, quarter) k = Tanh(s)"), &given);
        let squares = "a1 = Constant<value_ints = [1]>() xu = Unsqueeze(x, a1) d = Sub(xu, vectors) last = Constant<value_ints = [2]>() q = ReduceSumSquare<keepdims = 0>(d, last) g = Mul(n, q) k = Exp(g)";
        same(&machine("RBF"), &sum(squares), &given);
        // Without support vectors, SVMClassifier is linear, as LinearClassifier is.
        let lines = format!("coefficients = {v:?}");
        let svm = format!("l, y = ai.onnx.ml.SVMClassifier<{lines}, rho = [{rho:?}], classlabels_ints = [3, 1, 2], kernel_type = \"LINEAR\", kernel_params = [1.0, 0.0, 1.0]>(x)");
        let line = format!("l, y = ai.onnx.ml.LinearClassifier<{lines}, intercepts = [{rho:?}, {rho:?}, {rho:?}], classlabels_ints = [3, 1, 2]>(x)");
        same(&format!("{svm} z = Identity(y)"), &format!("{line} z = Identity(y)"), &given);
    }

    /// Law: TreeEnsembleClassifier, TreeEnsembleRegressor
    #[test]
    fn classifiers_and_regressors_of_trees_have_the_same_sums(x in prop::collection::vec(-2.0f32..2.0, 8), splits in prop::collection::vec(-1.5f32..1.5, 3), weights in coefficients(6), classes in prop::collection::vec(0i64..3, 6), features in prop::collection::vec(0i64..2, 3)) {
        let x = float(&[4, 2], &x);
        let labels = ints(&[7, 5, 6]);
        let given = given![x, labels];
        // The ensemble has three stumps (trees with one split); each leaf votes for one class.
        let values: Vec<f32> = splits.iter().flat_map(|&s| [s, 0.0, 0.0]).collect();
        let used: Vec<i64> = features.iter().flat_map(|&f| [f, 0, 0]).collect();
        let nodes = format!("nodes_treeids = [0, 0, 0, 1, 1, 1, 2, 2, 2], nodes_nodeids = [0, 1, 2, 0, 1, 2, 0, 1, 2], nodes_featureids = {used:?}, nodes_values = {values:?}, \
            nodes_truenodeids = [1, 0, 0, 1, 0, 0, 1, 0, 0], nodes_falsenodeids = [2, 0, 0, 2, 0, 0, 2, 0, 0], \
            nodes_modes = [\"BRANCH_LEQ\", \"LEAF\", \"LEAF\", \"BRANCH_GT\", \"LEAF\", \"LEAF\", \"BRANCH_LT\", \"LEAF\", \"LEAF\"]");
        let leaves = |what: &str| format!("{what}_treeids = [0, 0, 1, 1, 2, 2], {what}_nodeids = [1, 2, 1, 2, 1, 2], {what}_ids = {classes:?}, {what}_weights = {weights:?}");
        let classifier = format!("l, s = ai.onnx.ml.TreeEnsembleClassifier<{nodes}, {}, classlabels_int64s = [7, 5, 6]>(x)", leaves("class"));
        let regressor = format!("s = ai.onnx.ml.TreeEnsembleRegressor<{nodes}, {}, n_targets = 3>(x)", leaves("target"));
        let ml = r#"<opset_import: ["ai.onnx.ml" : 3]> "#;
        same(&format!("{ml}{classifier} z = Identity(s)"), &format!("{ml}{regressor} z = Identity(s)"), &given);
        let sums: Vec<f64> = outputs(&format!("{ml}{regressor}"), &given)[0].tensor().unwrap().numbers().map(|s| s.mid()).collect();
        let clear = |row: &[f64]| { let mut r = row.to_vec(); r.sort_by(f64::total_cmp); r[2] > r[1] };
        if sums.chunks(3).all(clear) {
            same(&format!("{ml}{classifier} z = Identity(l)"), &format!("{ml}{regressor} a = ArgMax<axis = 1, keepdims = 0>(s) z = Gather(labels, a)"), &given);
        }
    }

    /// Law: Normalizer, OneHotEncoder, OneHot, Scaler
    #[test]
    fn normalizing_a_normalized_row_changes_nothing(x in prop::collection::vec(0.0625f32..9.0, 12), categories in prop::collection::vec(0i64..4, 5)) {
        let (x, k) = (float(&[3, 4], &x), ints(&categories));
        let given = given![x, k];
        for (norm, by_hand) in [("L1", "n = ReduceL1(x, axes)"), ("L2", "n = ReduceL2(x, axes)"), ("MAX", "n = ReduceMax(x, axes)")] {
            let normalizer = |from: &str, to: &str| format!("{to} = ai.onnx.ml.Normalizer<norm = \"{norm}\">({from}) ");
            same(&normalizer("x", "y"), &format!("axes = Constant<value_ints = [1]>() {by_hand} y = Div(x, n)"), &given);
            same(&format!("{}{}", normalizer("x", "z"), normalizer("z", "y")), &normalizer("x", "y"), &given);
        }
        same("y = ai.onnx.ml.OneHotEncoder<cats_int64s = [0, 1, 2, 3]>(k)", "d = Constant<value_int = 4>() v = Constant<value_floats = [0.0, 1.0]>() y = OneHot(k, d, v)", &given);
        same("y = ai.onnx.ml.Scaler<offset = [0.5], scale = [-0.25]>(x)", "o = Constant<value_float = 0.5>() s = Constant<value_float = -0.25>() d = Sub(x, o) y = Mul(d, s)", &given);
    }
}

/// Checks that Binarizer compares integers with a threshold of 0.5 that is not rounded. With a threshold of 1, the two
/// programs have different answers.
#[test]
fn thresholds_apply_to_integers() {
    let x: Tensor = ints(&[-1, 0, 1, 5]).reshaped(vec![1, 4]).unwrap();
    let given = given![x];
    same(
        "y = ai.onnx.ml.Binarizer<threshold = 0.5>(x)",
        "z = Constant<value_int = 0>() g = Greater(x, z) y = Cast<to = 7>(g)",
        &given,
    );
    differ(
        "y = ai.onnx.ml.Binarizer<threshold = 1.0>(x)",
        "z = Constant<value_int = 0>() g = Greater(x, z) y = Cast<to = 7>(g)",
        &given,
    );
}

//! NaN and infinities, whether answers repeat themselves, and values that violate the specification.

use plumbline_tensor::{DType, Tensor};

use super::prober::{Found, Prober, Silence, numbers, row};
use super::{Deviation, Row};

/// Operators on NaN and infinities: a node on `x` and `z` (which is 1), an element of `x`, and what it gives by IEEE 754.
const SPECIAL: [(&str, f64, f64); 15] = [
    ("Relu (x)", f64::NAN, f64::NAN),
    ("Relu (x)", f64::NEG_INFINITY, 0.0),
    ("Max (x, z)", f64::NAN, f64::NAN),
    ("Min (x, z)", f64::NAN, f64::NAN),
    ("Add (x, z)", f64::INFINITY, f64::INFINITY),
    ("Mul (x, z)", f64::NAN, f64::NAN),
    ("Exp (x)", f64::NEG_INFINITY, 0.0),
    ("Exp (x)", f64::NAN, f64::NAN),
    ("Sqrt (x)", -1.0, f64::NAN),
    ("Reciprocal (x)", 0.0, f64::INFINITY),
    ("Tanh (x)", f64::INFINITY, 1.0),
    ("Sigmoid (x)", f64::NAN, f64::NAN),
    ("Floor (x)", f64::INFINITY, f64::INFINITY),
    ("ReduceMax (x)", f64::NAN, f64::NAN),
    ("MatMul (x, z)", f64::NAN, f64::NAN),
];

pub(super) fn special_numbers(prober: &mut Prober, rows: &mut Vec<Row>) {
    let (mut right, mut asked, mut wrong) = (0, 0, Vec::new());
    for (node, x, expected) in SPECIAL {
        let graph = format!("special (float[1,1] x, float[1,1] z) => (float[1,1] y) {{ y = {node} }}");
        // A model whose nodes leave an input unused is valid.
        let inputs = [x, 1.0].map(|x| numbers(DType::Float, &[1, 1], &[x]));
        let Ok(got) = prober.numbers(&graph, &inputs) else { continue };
        let y = got.first().copied().unwrap_or(f64::NAN);
        asked += 1;
        match y == expected || y.is_nan() && expected.is_nan() {
            true => right += 1,
            false => wrong.push(format!("{} of {x} is {y}", node.split(' ').next().unwrap_or_default())),
        }
    }
    let found: Found = match (asked, wrong.is_empty()) {
        (0, _) => Err(Silence::Unsupported),
        (_, true) => Ok((format!("are as in IEEE 754 ({right} operators and numbers)"), None)),
        (_, false) => Ok((wrong.join(", "), Some(Deviation::Special))),
    };
    rows.push(row("NaN and infinities", found));
}

/// Runs the same sums and products in several sessions.
pub(super) fn repeats(prober: &mut Prober, rows: &mut Vec<Row>) {
    const LENGTH: usize = 4096;
    // Numbers of different magnitudes, so that another order of the sum gives other bits.
    let terms: Vec<f64> =
        (0..LENGTH).map(|i| f64::from((i as f32 * 0.618_034).fract() * 10f32.powi(i as i32 % 7 - 3))).collect();
    let graphs = [
        ("ReduceSum", format!("sum (float[1,{LENGTH}] x) => (float[1,1] y) {{ y = ReduceSum (x) }}"), vec![1, LENGTH]),
        ("MatMul", "product (float[64,64] x) => (float[64,64] y) { y = MatMul (x, x) }".to_owned(), vec![64, 64]),
    ];
    for (name, graph, shape) in graphs {
        let input = [numbers(DType::Float, &shape, &terms)];
        let answers: Result<Vec<Tensor>, Silence> = (0..3).map(|_| prober.tensor(&graph, &input)).collect();
        let found = answers.map(|answers| match answers.iter().all(|answer| *answer == answers[0]) {
            true => ("gives the same bits in three sessions".to_owned(), None),
            false => ("gives other bits in another session".to_owned(), Some(Deviation::Unrepeatable)),
        });
        rows.push(row(format!("the same inputs in {name}"), found));
    }
}

/// Gives indices beyond the extent.
pub(super) fn values(prober: &mut Prober, rows: &mut Vec<Row>) {
    let graphs = [
        ("Gather", "gather (float[3] x, int64[1] i) => (float[1] y) { y = Gather (x, i) }"),
        ("GatherElements", "elements (float[3] x, int64[1] i) => (float[1] y) { y = GatherElements (x, i) }"),
    ];
    for (name, graph) in graphs {
        let data = numbers(DType::Float, &[3], &[1.0, 2.0, 3.0]);
        let mut ask = |index: i64| prober.tensor(graph, &[data.clone(), Tensor::from_i64s(&[index])]);
        // A refusal says nothing unless the index 2 is answered.
        let found: Found = ask(2).map(|_| match ask(5) {
            Ok(_) => ("are answered".to_owned(), Some(Deviation::UncheckedValues)),
            Err(broken @ Silence::Broken(_)) => {
                (format!("are not checked: {}", broken.text()), Some(Deviation::UncheckedValues))
            }
            Err(_) => ("are refused".to_owned(), None),
        });
        rows.push(row(format!("indices out of range in {name}"), found));
    }
}

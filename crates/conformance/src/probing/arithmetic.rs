//! Subnormal numbers, fused multiply-add, the precision of products and sums, and double.

use plumbline_oracle::Arithmetic;
use plumbline_tensor::DType;

use super::prober::{Prober, Silence, numbers, row};
use super::{Deviation, Row};

/// A power of two. `powi` has no subnormal results, because it computes a reciprocal.
fn power(exponent: i32) -> f64 {
    let half = exponent / 2;
    2f64.powi(half) * 2f64.powi(exponent - half)
}

/// Multiplies a subnormal number up, and a normal one down to a subnormal one. Both products are exact. A backend that
/// computes double in float makes zeros of much larger numbers, too, and says nothing about subnormal ones.
pub(super) fn subnormals(prober: &mut Prober, rows: &mut Vec<Row>) {
    // The exponent of the smallest normal number, and how far below it subnormal numbers are.
    for (dtype, normal, below) in [(DType::Float, -126, 10), (DType::Double, -1022, 20), (DType::Float16, -14, 5)] {
        let graph = format!("product ({dtype}[1] a, {dtype}[1] b) => ({dtype}[1] y) {{ y = Mul (a, b) }}");
        // A product that is far from subnormal in double, and zero in float.
        let small = numbers(dtype, &[1], &[power(normal / 3)]);
        let product = prober.numbers(&graph, &[small.clone(), small]);
        let is_narrow = dtype == DType::Double && product.is_ok_and(|product| product.first() == Some(&0.0));
        let mut ask = |a: i32, b: i32, deviation: Deviation| {
            let factors = [power(a), power(b)].map(|x| numbers(dtype, &[1], &[x]));
            let product = prober.numbers(&graph, &factors)?;
            Ok(match product.first() {
                Some(0.0) if is_narrow => ("are zeros, as are far larger numbers".to_owned(), None),
                Some(0.0) => ("are zeros".to_owned(), Some(deviation)),
                Some(x) if *x == power(a + b) => ("are kept".to_owned(), None),
                other => (format!("give {other:?}"), None),
            })
        };
        let inputs = ask(normal - below, 2 * below, Deviation::FlushesInputs(dtype));
        let results = ask(normal, -below, Deviation::FlushesResults(dtype));
        rows.push(row(format!("subnormal inputs of {dtype}"), inputs));
        rows.push(row(format!("subnormal results of {dtype}"), results));
    }
}

/// Subtracts from a product the number that the product is rounded to. What is left is the error of the rounding, or
/// nothing.
pub(super) fn fused(prober: &mut Prober, rows: &mut Vec<Row>) {
    let graph = "dot (float[1,2] a, float[2,1] b) => (float[1,1] y) { y = MatMul (a, b) }";
    let (x, rounded) = (1.0 + power(-12), 1.0 + power(-11));
    let mut ask = |a: [f64; 2], b: [f64; 2]| {
        let factors = [numbers(DType::Float, &[1, 2], &a), numbers(DType::Float, &[2, 1], &b)];
        let sum = prober.numbers(graph, &factors)?;
        sum.first().copied().ok_or_else(|| Silence::Broken("an empty tensor".to_owned()))
    };
    let found = ask([x, -rounded], [x, 1.0]).and_then(|first| Ok([first, ask([-rounded, x], [1.0, x])?]));
    let found = found.map(|both| match both.contains(&power(-24)) {
        true => ("are fused with the sum (multiply-add), or kept in a wider type".to_owned(), None),
        false => ("are rounded before they are added".to_owned(), None),
    });
    rows.push(row("products of float in MatMul", found));
}

/// The models of products of matrices: name, graph, and whether the second factor is a constant.
fn product_graphs() -> Vec<(&'static str, String)> {
    let ones = vec!["1.0"; SIDE].join(", ");
    let matmul = format!("MatMul (float[{SIDE},{SIDE}] a, float[{SIDE},1] b) => (float[{SIDE},1] y)");
    vec![
        ("MatMul", format!("{matmul} {{ y = MatMul (a, b) }}")),
        (
            "MatMul with constant weights",
            format!(
                "constant (float[{SIDE},{SIDE}] a) => (float[{SIDE},1] y) <float[{SIDE},1] b = {{{ones}}}> {{ y = MatMul (a, b) }}"
            ),
        ),
        (
            "Gemm",
            format!("gemm (float[{SIDE},{SIDE}] a, float[{SIDE},1] b) => (float[{SIDE},1] y) {{ y = Gemm (a, b) }}"),
        ),
        (
            "Conv",
            format!(
                "conv (float[{SIDE},{SIDE},1] a, float[1,{SIDE},1] b) => (float[{SIDE},1,1] y) {{ y = Conv (a, b) }}"
            ),
        ),
    ]
}

/// The extent of the matrices of products.
const SIDE: usize = 32;

/// Multiplies numbers by 1 that narrower formats round, each in a row of its own.
pub(super) fn products(prober: &mut Prober, rows: &mut Vec<Row>) {
    // What TensorFloat-32, float16 and bfloat16 lose; what only bfloat16 loses; what only float16 loses; and what is
    // small beside the largest number of the matrix.
    let probes = [1.0 + power(-12), 1.0 + power(-9), power(-30), 0.003_173_828_125];
    let mut a = vec![0.0; SIDE * SIDE];
    for (at, probe) in probes.iter().enumerate() {
        a[at * SIDE + at] = *probe;
    }
    let mut deviations = Vec::new();
    for (name, graph) in product_graphs() {
        let (a_shape, b_shape): (&[usize], &[usize]) = match name {
            "Conv" => (&[SIDE, SIDE, 1], &[1, SIDE, 1]),
            _ => (&[SIDE, SIDE], &[SIDE, 1]),
        };
        let mut inputs = vec![numbers(DType::Float, a_shape, &a)];
        if !graph.starts_with("constant") {
            inputs.push(numbers(DType::Float, b_shape, &[1.0; SIDE]));
        }
        let found = prober.numbers(&graph, &inputs).map(|got| products_in(&got, &probes));
        if let Ok((_, Some(deviation))) = &found {
            deviations.push(*deviation);
        }
        rows.push(row(format!("products of float in {name}"), found));
    }
}

/// Says in which arithmetic the products of the probes with 1 were computed.
fn products_in(got: &[f64], probes: &[f64; 4]) -> (String, Option<Deviation>) {
    let is_kept = |at: usize| got.get(at) == Some(&probes[at]);
    let error = |at: usize| got.get(at).map_or(f64::NAN, |y| (y / probes[at] - 1.0).abs());
    let in_arithmetic = |arithmetic: Arithmetic| {
        let found = format!("are in {}: the backend {}", arithmetic.name(), arithmetic.description());
        (found, Some(Deviation::Products(arithmetic)))
    };
    // Quantization to 8 bits relative to the largest number of the matrix keeps about two digits of large numbers, and
    // nearly nothing of small ones.
    match () {
        () if (0..4).all(is_kept) => ("are computed in float".to_owned(), None),
        () if error(3) > power(-6) => {
            ("have factors that are quantized to 8 bits".to_owned(), Some(Deviation::QuantizedProducts))
        }
        () if !is_kept(1) => in_arithmetic(Arithmetic::ProductsInBfloat16),
        () if !is_kept(2) => in_arithmetic(Arithmetic::ProductsInFloat16),
        () if !is_kept(0) => in_arithmetic(Arithmetic::ProductsInTf32),
        () => (format!("give {:?} for {probes:?}", &got[..got.len().min(4)]), None),
    }
}

/// Adds many numbers to 1 that float16 loses one by one.
pub(super) fn sums(prober: &mut Prober, rows: &mut Vec<Row>) {
    const TERMS: usize = 65;
    let mut terms = [power(-11); TERMS];
    terms[0] = 1.0;
    let sum = 1.0 + 64.0 * power(-11);
    let graphs = [
        ("ReduceSum", format!("sum (float16[1,{TERMS}] x) => (float16[1,1] y) {{ y = ReduceSum (x) }}"), 1),
        (
            "MatMul",
            format!("dot (float16[1,{TERMS}] x, float16[{TERMS},1] w) => (float16[1,1] y) {{ y = MatMul (x, w) }}"),
            2,
        ),
    ];
    for (name, graph, count) in graphs {
        let all = [numbers(DType::Float16, &[1, TERMS], &terms), numbers(DType::Float16, &[TERMS, 1], &[1.0; TERMS])];
        let found = prober.numbers(&graph, &all[..count]).map(|got| match got.first() {
            Some(x) if *x == sum => ("are kept in float".to_owned(), None),
            Some(x) if *x < sum && *x >= 1.0 => ("are kept in float16".to_owned(), Some(Deviation::SumsInType)),
            other => (format!("give {other:?} for {sum}"), None),
        });
        rows.push(row(format!("sums of float16 in {name}"), found));
    }
}

/// Computes on numbers of double that float rounds.
pub(super) fn doubles(prober: &mut Prober, rows: &mut Vec<Row>) {
    let x = 1.0 + power(-40);
    let probes = [
        ("Add", "y = Add (x, x)", 2.0 * x),
        ("MatMul", "y = MatMul (x, x)", x * x),
        ("Exp", "y = Exp (x)", x.exp()),
        ("Sqrt", "y = Sqrt (x)", x.sqrt()),
        ("ReduceMean", "y = ReduceMean (x)", x),
        ("Softplus", "y = Softplus (x)", x.exp().ln_1p()),
    ];
    let mut found_all = Vec::new();
    for (name, node, exact) in probes {
        let graph = format!("double (double[1,1] x) => (double[1,1] y) {{ {node} }}");
        let found = prober.numbers(&graph, &[numbers(DType::Double, &[1, 1], &[x])]).map(|got| {
            let y = got.first().copied().unwrap_or(f64::NAN);
            // An error of float is about 2^-25 of the result, one of double 2^-53.
            match (y / exact - 1.0).abs() {
                error if error < power(-45) => ("is computed in double".to_owned(), None),
                error if error < power(-20) => ("is computed in float".to_owned(), Some(Deviation::DoubleAsFloat)),
                _ => (format!("gives {y} for {exact}"), None),
            }
        });
        found_all.push((name, found));
    }
    let everywhere = found_all.iter().all(|(_, found)| !matches!(found, Ok((_, None))));
    for (name, found) in found_all {
        let row = row(format!("double in {name}"), found);
        let deviation = row.deviation.map(|found| if everywhere { found } else { Deviation::SomeDoubleAsFloat });
        rows.push(Row { deviation, ..row });
    }
}

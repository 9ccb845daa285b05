//! The largest error of each function, over all numbers of float16 and many of float.

use plumbline_backend::Runner;
use plumbline_oracle::{Judged, Operand, Oracle, Policy, accuracy_bound};
use plumbline_spec::DEFAULT_ACCURACY;
use plumbline_tensor::{DType, Tensor, Value};

use super::Time;
use super::prober::{OPSET, Prober};
use crate::subjects::parse;

/// Functions of `specs/functions.toml` and the operators that compute them.
const FUNCTIONS: [(&str, &str); 17] = [
    ("acos", "Acos"),
    ("acosh", "Acosh"),
    ("asin", "Asin"),
    ("asinh", "Asinh"),
    ("atan", "Atan"),
    ("atanh", "Atanh"),
    ("cos", "Cos"),
    ("cosh", "Cosh"),
    ("divide", "Reciprocal"),
    ("erf", "Erf"),
    ("exp", "Exp"),
    ("log", "Log"),
    ("sin", "Sin"),
    ("sinh", "Sinh"),
    ("sqrt", "Sqrt"),
    ("tan", "Tan"),
    ("tanh", "Tanh"),
];

/// How many numbers a model computes at once.
const AT_ONCE: usize = 1 << 14;

/// The largest error of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionError {
    /// The name of the function in `specs/functions.toml`.
    pub function: &'static str,
    /// The operator that computes it.
    pub operator: &'static str,
    /// The type of its argument and result.
    pub dtype: DType,
    /// The largest error in ULP, at normal arguments with normal results. It is infinite if a finite result is not.
    pub ulp: f64,
    /// The argument at which the error is largest.
    pub at: f64,
    /// The bound of the default table, in ULP.
    pub bound: f64,
    /// The number of arguments.
    pub count: u64,
}

/// Measures each function that a backend has: on all numbers of float16, and on `samples` of float whose bit patterns
/// are evenly spread. Functions that the backend refuses, or for which no time is left, are left out.
pub fn sweep(
    runner: &mut dyn Runner,
    time: Time,
    samples: u64,
    report: &mut dyn FnMut(&FunctionError),
) -> Vec<FunctionError> {
    let mut prober = Prober::new(runner, time);
    let mut errors = Vec::new();
    for (function, operator) in FUNCTIONS {
        for (dtype, bits, count) in [(DType::Float16, 16u32, 1 << 16), (DType::Float, 32, samples.max(1))] {
            let step = ((1u64 << bits) / count.min(1 << bits)).max(1);
            let patterns: Vec<u64> = (0..1u64 << bits).step_by(step as usize).map(|bits| bits + step / 2).collect();
            let worst = patterns.chunks(AT_ONCE).try_fold(None, |worst, bits| {
                let x = Tensor::from_bits(dtype, vec![bits.len()], bits.iter().copied()).ok()?;
                let found = worst_of(&mut prober, operator, &x)?;
                Some(Some(larger(worst, found)))
            });
            let Some(Some((ulp, at, count))) = worst else { continue };
            let bound = accuracy_bound(DEFAULT_ACCURACY, function, dtype).unwrap_or(f64::NAN);
            let error = FunctionError { function, operator, dtype, ulp, at, bound, count };
            report(&error);
            errors.push(error);
        }
    }
    errors
}

/// The largest error, its argument, and the number of arguments.
type Worst = (f64, f64, u64);

fn larger(worst: Option<Worst>, found: Worst) -> Worst {
    match worst {
        Some((ulp, at, count)) if ulp >= found.0 => (ulp, at, count + found.2),
        Some((_, _, count)) => (found.0, found.1, count + found.2),
        None => found,
    }
}

/// Returns `None` if the backend does not answer.
fn worst_of(prober: &mut Prober, operator: &str, x: &Tensor) -> Option<Worst> {
    let (dtype, length) = (x.dtype(), x.len());
    let graph = format!("function ({dtype}[{length}] x) => ({dtype}[{length}] y) {{ y = {operator} (x) }}");
    let got = prober.tensor(&graph, std::slice::from_ref(x)).ok()?;
    let oracle = Oracle::new(Policy::default());
    let evaluation = oracle.evaluate(&parse(OPSET, &graph), &[Value::Tensor(x.clone())]).ok()?;
    let Some(Operand::Tensor(expected)) = evaluation.outputs.first() else { return None };
    if got.dtype() != dtype || got.len() != length {
        return None;
    }
    let normal = dtype.float_format()?.min_normal();
    let mut worst: Worst = (0.0, f64::NAN, 0);
    for index in 0..length {
        let (argument, answer, exact) = (x.f64_at(index), got.f64_at(index), expected.tensor.f64_at(index));
        let is_normal = |x: f64| x.is_finite() && (x == 0.0 || x.abs() >= normal);
        if !is_normal(argument) || !is_normal(exact) {
            continue;
        }
        worst.2 += 1;
        let ulp = match answer.is_finite() {
            true => expected.distance_ulp(&got, index),
            // Near the largest number, the infinity may be accepted.
            false if expected.judge(&got, index) == Judged::Accepted => continue,
            false => f64::INFINITY,
        };
        if ulp > worst.0 {
            (worst.0, worst.1) = (ulp, argument);
        }
    }
    Some(worst)
}

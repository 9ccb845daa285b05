//! Reductions along axes.

use half::{bf16, f16};

use super::super::element::Number;
use super::super::view::View;
use super::fold::fold;
use super::total::Sum;

/// The function that reduces many elements to one. The variants are named like ONNX's operators without `Reduce`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Reduction {
    L1,
    L2,
    LogSum,
    LogSumExp,
    Max,
    Mean,
    Min,
    Prod,
    Sum,
    SumSquare,
}

/// The largest element, and the sum of e^(x - largest) over all elements x.
type Powers = [f64; 2];

fn powers_joined([a, m]: Powers, [b, n]: Powers) -> Powers {
    if a == b {
        [a, m + n]
    } else if a < b {
        [b, m * (a - b).exp() + n]
    } else if a > b {
        [a, m + n * (b - a).exp()]
    } else {
        [f64::NAN, 1.0]
    }
}

/// Reduces the elements along `axes`. Returns one result for each index along the other axes, in row-major order. Over
/// no elements a sum is 0, a product is 1, a maximum is the lowest value of the type, and a minimum is the highest. A
/// NaN among the elements makes a maximum or minimum NaN.
pub fn reduce<T: Reduce>(a: &View<T>, axes: &[usize], reduction: Reduction) -> Vec<T> {
    T::reduced(a, axes, reduction)
}

/// A number that [`reduce`] takes. The function is compiled here for each type, and not again in other crates.
pub trait Reduce: Sum {
    /// Computes [`reduce`].
    fn reduced(a: &View<Self>, axes: &[usize], reduction: Reduction) -> Vec<Self>;
}

macro_rules! reduced {
    ($($t:ident)*) => {$(
        impl Reduce for $t {
            fn reduced(a: &View<$t>, axes: &[usize], reduction: Reduction) -> Vec<$t> {
                reduced(a, axes, reduction)
            }
        }
    )*};
}
reduced! { f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 }

fn reduced<T: Sum>(a: &View<T>, axes: &[usize], reduction: Reduction) -> Vec<T> {
    let count: usize = axes.iter().map(|&d| a.sizes()[d]).product();
    let larger = |x: T, y: T| Number::larger(x, y);
    let smaller = |x: T, y: T| Number::smaller(x, y);
    let multiply = |x: T::Total, y: T::Total| Number::mul(x, y);
    let powers = |acc: Powers, x: T| powers_joined(acc, [x.to_f64(), 1.0]);
    match reduction {
        Reduction::Sum => rounded(sums(a, axes)),
        Reduction::SumSquare => rounded(total(a, axes, |x| Number::mul(x, x))),
        Reduction::L1 => rounded(total(a, axes, Number::abs)),
        Reduction::Mean => {
            let means = sums(a, axes).into_iter().map(|sum| Number::div(sum, Number::from_double(count as f64)));
            rounded(means.collect())
        }
        Reduction::L2 => in_float64(a, axes, |x| x * x, f64::sqrt),
        // This branch is for integer types, for which 0.5 becomes 0. They are summed in their own type, because float64
        // would lose what remains of large integers that cancel each other.
        Reduction::LogSum if T::from_double(0.5) == T::zero() => {
            sums(a, axes).into_iter().map(|sum| T::from_double(T::of_total(sum).to_f64().ln())).collect()
        }
        Reduction::LogSum => in_float64(a, axes, |x| x, f64::ln),
        Reduction::Max => fold(a, axes, T::from_double(f64::NEG_INFINITY), &larger, &larger),
        Reduction::Min => fold(a, axes, T::from_double(f64::INFINITY), &smaller, &smaller),
        Reduction::Prod => {
            let found = fold(a, axes, T::Total::one(), &|acc, x: T| multiply(acc, x.total()), &multiply);
            found.into_iter().map(T::of_total).collect()
        }
        Reduction::LogSumExp => {
            let found = fold(a, axes, [f64::NEG_INFINITY, 0.0], &powers, &powers_joined);
            found.into_iter().map(|[most, sum]| T::from_double(most + sum.ln())).collect()
        }
    }
}

/// Returns the totals, each rounded to the nearest number of the element type.
fn rounded<T: Sum>(totals: Vec<T::Total>) -> Vec<T> {
    totals.into_iter().map(T::of_total).collect()
}

/// Sums up the elements.
fn sums<T: Sum>(a: &View<T>, axes: &[usize]) -> Vec<T::Total> {
    total(a, axes, |x| x)
}

/// Sums up `term` of each element. The sums start at -0, because adding -0 changes no number, not even -0 itself. But
/// the sum of no elements is 0, not -0.
fn total<T: Sum>(a: &View<T>, axes: &[usize], term: impl Fn(T::Total) -> T::Total + Sync) -> Vec<T::Total> {
    let put = |acc: T::Total, x: T| Number::add(acc, term(x.total()));
    let zero = T::Total::zero();
    let mut sums = fold(a, axes, Number::neg(zero), &put, &|x: T::Total, y: T::Total| Number::add(x, y));
    if a.is_empty() {
        sums.fill(zero);
    }
    sums
}

/// Sums up `term` of each element in float64, where the squares of narrower floats and of integers neither overflow nor
/// underflow, and applies `finish`, which takes a root or logarithm.
fn in_float64<T: Sum>(
    a: &View<T>,
    axes: &[usize],
    term: impl Fn(f64) -> f64 + Sync,
    finish: impl Fn(f64) -> f64,
) -> Vec<T> {
    let sums = fold(a, axes, 0.0, &|acc, x: T| acc + term(x.to_f64()), &|x: f64, y: f64| x + y);
    sums.into_iter().map(|sum| T::from_double(finish(sum))).collect()
}

//! Reductions. Axes are an attribute first and an input later on; those that are left out mean all, or none.

use plumbline_tensor::DType;

use super::axes::{axis_from, distinct};
use crate::Refusal;
use crate::cpu::array::{Array, affordable};
use crate::cpu::element::{Number, Sum, with_number};
use crate::cpu::kernels::fold::fold;
use crate::cpu::node::{Node, Operator, Outputs, one};

pub const OPERATORS: &[(&str, Operator)] = &[
    ("ReduceL1", l1),
    ("ReduceL2", l2),
    ("ReduceLogSum", log_sum),
    ("ReduceLogSumExp", log_sum_exp),
    ("ReduceMax", max),
    ("ReduceMean", mean),
    ("ReduceMin", min),
    ("ReduceProd", prod),
    ("ReduceSum", sum),
    ("ReduceSumSquare", sum_square),
];

/// What is reduced.
struct Reduction<'a> {
    data: &'a Array,
    axes: Vec<usize>,
    shape: Vec<usize>,
    /// Elements of one result.
    count: usize,
}

impl<'a> Reduction<'a> {
    fn of(node: &Node<'a>) -> Result<Reduction<'a>, Refusal> {
        let data = node.input(0)?;
        let named = match node.optional(1)? {
            Some(axes) => axes.to_i64s()?,
            None => node.ints("axes").unwrap_or_default().to_vec(),
        };
        for &axis in &named {
            axis_from(node.since() >= 11, axis, data.rank())?;
        }
        let nothing = named.is_empty() && node.int("noop_with_empty_axes") != 0;
        let axes = match named.is_empty() {
            true if nothing => Vec::new(),
            true => (0..data.rank()).collect(),
            false => distinct(&named, data.rank())?,
        };
        let keep = node.int("keepdims") != 0;
        let extent = |d: usize| match axes.contains(&d) {
            false => Some(data.shape()[d]),
            true => keep.then_some(1),
        };
        let shape: Vec<usize> = (0..data.rank()).filter_map(extent).collect();
        affordable(&shape)?;
        let count = axes.iter().map(|&d| data.shape()[d]).product();
        Ok(Reduction { data, axes, shape, count })
    }

    /// `put` gathers what `finish` makes a result of; see [`fold`].
    fn run<T: Number, A: Copy + Send + Sync>(
        &self,
        start: A,
        put: impl Fn(A, T) -> A + Sync,
        join: impl Fn(A, A) -> A + Sync,
        finish: impl Fn(A) -> T,
    ) -> Result<Array, Refusal> {
        let results = fold(&self.data.view::<T>(), &self.axes, start, &put, &join);
        let results: Vec<T> = results.into_iter().map(finish).collect();
        Array::of(self.data.dtype(), &self.shape, &results)
    }
}

/// Sums of `f` of the elements; `finish` has the number of elements, too. -0 added to anything changes nothing.
macro_rules! totals {
    ($($name:ident($x:ident => $term:expr, ($sum:ident, $count:ident) => $result:expr);)*) => {$(
        fn $name(node: &Node) -> Outputs {
            let reduction = Reduction::of(node)?;
            let $count = reduction.count;
            one(with_number!(reduction.data.dtype(), T => {
                type A = <T as Sum>::Total;
                let put = |acc: A, x: T| {
                    let $x: A = x.total();
                    Number::add(acc, $term)
                };
                let finish = |$sum: A| T::of_total(if $count == 0 { Number::add($sum, A::zero()) } else { $sum });
                reduction.run(Number::neg(A::zero()), put, |a: A, b: A| Number::add(a, b), |$sum| finish($result))
            })?)
        }
    )*};
}

totals! {
    sum(x => x, (sum, count) => sum);
    sum_square(x => Number::mul(x, x), (sum, count) => sum);
    l1(x => Number::abs(x), (sum, count) => sum);
    mean(x => x, (sum, count) => Number::div(sum, Number::from_f64(count as f64)));
}

fn prod(node: &Node) -> Outputs {
    let reduction = Reduction::of(node)?;
    one(with_number!(reduction.data.dtype(), T => {
        type A = <T as Sum>::Total;
        let multiply = |a: A, b: A| Number::mul(a, b);
        reduction.run(A::one(), |acc, x: T| multiply(acc, x.total()), multiply, T::of_total)
    })?)
}

/// Roots and logarithms are taken of sums in float64, where squares neither overflow nor vanish.
macro_rules! in_float64 {
    ($($name:ident($x:ident => $term:expr, $sum:ident => $result:expr);)*) => {$(
        fn $name(node: &Node) -> Outputs {
            let reduction = Reduction::of(node)?;
            one(with_number!(reduction.data.dtype(), T => {
                let put = |acc: f64, x: T| {
                    let $x = x.to_f64();
                    acc + $term
                };
                reduction.run(0.0, put, |a: f64, b: f64| a + b, |$sum: f64| T::from_f64($result))
            })?)
        }
    )*};
}

in_float64! {
    l2(x => x * x, sum => sum.sqrt());
    log_sum(x => x, sum => sum.ln());
}

/// The largest element, and the sum of powers of what the others are below it.
type Powers = (f64, f64);

fn powers_joined((a, m): Powers, (b, n): Powers) -> Powers {
    if a == b {
        (a, m + n)
    } else if a < b {
        (b, m * (a - b).exp() + n)
    } else if a > b {
        (a, m + n * (b - a).exp())
    } else {
        (f64::NAN, 1.0)
    }
}

fn log_sum_exp(node: &Node) -> Outputs {
    let reduction = Reduction::of(node)?;
    one(with_number!(reduction.data.dtype(), T => {
        let put = |acc: Powers, x: T| powers_joined(acc, (x.to_f64(), 1.0));
        reduction.run((f64::NEG_INFINITY, 0.0), put, powers_joined, |(most, sum)| T::from_f64(most + sum.ln()))
    })?)
}

fn max(node: &Node) -> Outputs {
    extreme(node, true)
}

fn min(node: &Node) -> Outputs {
    extreme(node, false)
}

/// NaN wins; of nothing it is the end of the range.
fn extreme(node: &Node, largest: bool) -> Outputs {
    let mut reduction = Reduction::of(node)?;
    let dtype = reduction.data.dtype();
    if dtype == DType::Bool {
        let numbers = reduction.data.retyped(DType::Uint8);
        reduction.data = &numbers;
        let put = |a: u8, b: u8| if largest { a.max(b) } else { a.min(b) };
        let found = reduction.run(u8::from(!largest), put, put, |found| found)?;
        return one(found.retyped(DType::Bool));
    }
    one(with_number!(dtype, T => match largest {
        true => {
            let larger = |a: T, b: T| Number::larger(a, b);
            reduction.run(T::from_f64(f64::NEG_INFINITY), larger, larger, |found| found)
        }
        false => {
            let smaller = |a: T, b: T| Number::smaller(a, b);
            reduction.run(T::from_f64(f64::INFINITY), smaller, smaller, |found| found)
        }
    })?)
}

//! What all reductions share: which axes, the shape of the output, and which elements come together. An operator is its formula.
//!
//! Labels are the same in the rules of all ten operators: C1 axes, B1 `noop_with_empty_axes`, B2 empty sets, B3 integers,
//! B4 overflow and underflow on the way, B5 NaN and infinities, B7 an empty list of axes, B8 an axis named twice.

use crate::reference::Allowed;
use crate::reference::prelude::*;

/// Which elements of the input make which element of the output.
pub struct Reduction {
    /// Extents of the output.
    pub shape: Vec<usize>,
    /// For each element of the output, row-major, the elements of the input, row-major.
    pub groups: Vec<Vec<usize>>,
    /// Whether nothing is reduced because `noop_with_empty_axes` says so.
    pub noop: bool,
}

impl Reduction {
    /// Reads `axes` (attribute or input), `keepdims` and `noop_with_empty_axes`.
    pub fn of(call: &Call) -> Result<Reduction, Refusal> {
        let shape = call.tensor("data")?.shape();
        let axes = match call.version().input("axes") {
            Some(_) => call.optional_ints("axes")?,
            None => call.optional_int_list("axes"),
        };
        let axes = axes.unwrap_or_default();
        let noop = axes.is_empty() && call.optional_int("noop_with_empty_axes").unwrap_or(0) != 0;
        // No axes mean all axes: left out, or an empty list (B7). An axis named twice counts once (B8).
        let mut reduced = vec![axes.is_empty() && !noop; shape.len()];
        for axis in axes {
            reduced[call.axis(axis, shape.len(), C1)?] = true;
        }
        Reduction::along(shape, &reduced, noop || call.int("keepdims")? == 1, noop)
    }

    /// Reduces the dimensions that are marked.
    fn along(shape: &[usize], reduced: &[bool], keepdims: bool, noop: bool) -> Result<Reduction, Refusal> {
        let kept: Vec<usize> = shape.iter().zip(reduced).map(|(&e, &r)| if r { 1 } else { e }).collect();
        let mut groups = vec![Vec::new(); shape::affordable(&kept)?];
        if !shape.contains(&0) {
            for (source, target) in shape::broadcast_indices(&kept, shape).into_iter().enumerate() {
                groups[target].push(source);
            }
        }
        let pruned = || kept.iter().zip(reduced).filter(|(_, r)| !**r).map(|(&e, _)| e).collect();
        let shape = if keepdims { kept.clone() } else { pruned() };
        Ok(Reduction { shape, groups, noop })
    }
}

/// Reduces `data` by a formula of the elements that come together (none of them: the value of the empty set).
pub fn reduce(call: &Call, formula: impl Fn(&[Number], DType) -> Number) -> Answer {
    let data = call.tensor("data")?;
    let reduction = Reduction::of(call)?;
    let dtype = data.dtype();
    // Version 18 first said that the input comes out as it is, and now that only the reduction is left out.
    let reworded = reduction.noop && call.since() == 18;
    let empty_is_open = silent_on_empty_sets(call);
    let element = |group: &Vec<usize>| {
        let terms: Vec<Number> = group.iter().map(|&i| data.number(i)).collect();
        let result = formula(&terms, dtype);
        match terms.as_slice() {
            [] if empty_is_open => result.undecided(B2),
            [x] if reworded && !result.accepts(x) => result.or(*x, B1),
            _ => result,
        }
    };
    let numbers: Vec<Number> = reduction.groups.iter().map(element).collect();
    call.answer(reduction.shape, numbers)
}

/// Whether the version's text lacks the sentence on empty sets, which all others have (B2).
fn silent_on_empty_sets(call: &Call) -> bool {
    match call.version().id.name.as_str() {
        "ReduceMax" | "ReduceMin" => call.since() == 12,
        _ => call.since() == 11,
    }
}

/// A formula of real numbers, for elements of a floating-point type.
pub fn of_reals(terms: &[Number], formula: impl FnOnce(&[Real]) -> Number) -> Number {
    let reals: Vec<Real> = terms.iter().map(Number::real).collect();
    let result = formula(&reals);
    match terms.iter().find_map(|t| t.latitude) {
        Some(latitude) => result.undecided(latitude.label),
        None => result,
    }
}

/// A sum as it is kept, computed of terms scaled down by a power of two, so that nothing overflows: the sum is the first times two to the second.
/// Where no partial sum can overflow the power is 0.
pub fn sum_without_overflow(terms: &[Real], dtype: DType) -> (Real, i32) {
    let total = |power: i32| {
        let mut sum = Accumulator::new(dtype);
        terms.iter().for_each(|x| sum.add(x.scaled(-power)));
        sum.finish_kept()
    };
    let plain = total(0);
    let overflows = plain.low.is_infinite() || plain.high.is_infinite();
    if !overflows || terms.iter().any(|x| !x.mid.is_finite()) {
        return (plain, 0);
    }
    let power = terms.len().next_power_of_two().trailing_zeros() as i32 + 1;
    (total(power), power)
}

/// The mean of terms among `count` of which the others are zero. That the sum may overflow where the mean does not is left open (`overflow`).
pub fn mean_of(x: &[Real], count: usize, dtype: DType, overflow: Label) -> Number {
    let (sum, power) = sum_without_overflow(x, dtype);
    let mean = quotient(sum, count).scaled(power).to_dtype(dtype);
    let plain = Number::from(mean);
    match power {
        0 => plain,
        _ if x.iter().all(|x| x.low >= 0.0) => plain.or(plain.like(f64::INFINITY), overflow),
        _ if x.iter().all(|x| x.high <= 0.0) => plain.or(plain.like(f64::NEG_INFINITY), overflow),
        _ => plain.undecided(overflow),
    }
}

/// A sum divided by a count, or times the reciprocal of it.
pub fn quotient(sum: Real, count: usize) -> Real {
    let divisor = Real::constant(count as f64, sum.dtype);
    let reciprocal = Real::constant(1.0 / count as f64, sum.dtype).nearest();
    sum.over(divisor).hull(sum.times(reciprocal))
}

/// The integers of a group: exact sum, and whether every one of them is certain.
pub fn exact_sum(terms: &[Number], f: impl Fn(i128) -> i128) -> (i128, bool) {
    let total = terms.iter().fold(0i128, |sum, x| sum.wrapping_add(f(x.mid_int())));
    (total, terms.iter().all(Number::is_point))
}

/// What is right of two ways to compute one number: both, except that where the second overflows or underflows on the way and the
/// first does not, what the second gives is left open (`label`).
pub fn either(first: Real, second: Real, label: Label) -> Number {
    let strays = |a: f64, b: f64| b.is_infinite() && a.is_finite();
    match strays(first.low, second.low) || strays(first.high, second.high) || second.nan && !first.nan {
        true => Number::from(first).or_computed(second, label),
        false => first.hull(second).into(),
    }
}

/// The extremum of elements that come in any order; `None` where there are none. `pick` is that of two, neither of them NaN. With a NaN, which is
/// preferred, comparing in some order may end at any of the other elements: B5.
pub fn extremum(terms: &[Number], pick: fn(Number, Number) -> Number) -> Option<Number> {
    let Some(nan) = terms.iter().find(|x| x.is_nan()) else { return terms.iter().copied().reduce(pick) };
    let others = terms.iter().filter(|x| !x.is_nan()).map(Number::real);
    let (least, most) =
        others.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), x| (least.min(x.low), most.max(x.high)));
    Some(if least <= most { nan.allowing(Allowed::between(least, most), B5) } else { *nan })
}

/// Minus infinity, or the smallest value of a type that has none.
pub fn lowest(dtype: DType) -> Number {
    match dtype.integer_range() {
        Some((low, _)) => Number::int(low, dtype),
        None => Number::constant(f64::NEG_INFINITY, dtype),
    }
}

/// Infinity, or the largest value of a type that has none.
pub fn highest(dtype: DType) -> Number {
    match dtype.integer_range() {
        Some((_, high)) => Number::int(high, dtype),
        None => Number::constant(f64::INFINITY, dtype),
    }
}

//! What all reductions share: which axes, the shape of the output, and which elements come together. An operator is its formula.
//!
//! Labels are the same in the rules of all ten operators: `axes-in-range` axes, `noop-with-empty-axes` `noop_with_empty_axes`, `empty-reduction`
//! empty sets, `integer-overflow` integers and sums that overflow, `intermediate-overflow` overflow and underflow on the way, `nan` NaN and
//! infinities, `empty-axes` an empty list of axes, `duplicate-axes` an axis named twice.

use crate::families::cast::outside;
use crate::prelude::*;
use crate::{Allowed, Int, Reals, wrap};

/// Which elements of the input make which element of the output.
pub struct Reduction {
    /// Extents of the output.
    pub shape: Vec<usize>,
    /// For each element of the output, row-major, the elements of the input, row-major.
    pub groups: Vec<Vec<usize>>,
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
        // No axes mean all axes: left out, or an empty list (`empty-axes`). An axis named twice counts once (`duplicate-axes`).
        let mut reduced = vec![axes.is_empty() && !noop; shape.len()];
        for axis in axes {
            if std::mem::replace(&mut reduced[call.axis(axis, shape.len(), rule::AXES_IN_RANGE)?], true) {
                call.leaves_open(rule::DUPLICATE_AXES);
            }
        }
        // With nothing to reduce, the rest of the formula still applies to each element (`noop-with-empty-axes`).
        Reduction::along(shape, &reduced, noop || call.int("keepdims")? == 1)
    }

    /// Reduces the dimensions that are marked.
    fn along(shape: &[usize], reduced: &[bool], keepdims: bool) -> Result<Reduction, Refusal> {
        let kept: Vec<usize> = shape.iter().zip(reduced).map(|(&e, &r)| if r { 1 } else { e }).collect();
        let mut groups = vec![Vec::new(); shape::affordable(&kept)?];
        if !shape.contains(&0) {
            for (source, target) in shape::broadcast_indices(&kept, shape).into_iter().enumerate() {
                groups[target].push(source);
            }
        }
        let pruned = || kept.iter().zip(reduced).filter(|(_, r)| !**r).map(|(&e, _)| e).collect();
        let shape = if keepdims { kept.clone() } else { pruned() };
        Ok(Reduction { shape, groups })
    }
}

/// Reduces `data` by a formula of the elements that come together (none of them: the value of the empty set).
pub fn reduce(call: &Call, formula: impl Fn(&[Number], DType) -> Number) -> Answer {
    let data = call.tensor("data")?;
    let reduction = Reduction::of(call)?;
    let dtype = data.dtype();
    // Without a sentence on empty sets they may be refused.
    if silent_on_empty_sets(call) && reduction.groups.iter().any(Vec::is_empty) {
        call.leaves_open(rule::EMPTY_REDUCTION);
    }
    let element = |group: &Vec<usize>| {
        let terms: Vec<Number> = group.iter().map(|&i| data.number(i)).collect();
        formula(&terms, dtype)
    };
    let numbers: Vec<Number> = reduction.groups.iter().map(element).collect();
    call.answer(reduction.shape, numbers)
}

/// Whether the version's text lacks the sentence on empty sets, which all others have (`empty-reduction`).
fn silent_on_empty_sets(call: &Call) -> bool {
    match call.version().id.name.as_str() {
        "ReduceMax" | "ReduceMin" => call.since() == 12,
        _ => call.since() == 11,
    }
}

/// A formula of real numbers, for elements of a floating-point type.
pub fn of_reals(terms: &[Number], formula: impl Fn(&[Real]) -> Number) -> Number {
    let reals: Vec<Real> = terms.iter().map(Number::real).collect();
    formula(&reals).opened_by(terms, |widest| formula(&widest).widest())
}

/// A sum rounded to the type of its terms. Where a partial sum may overflow and the sum does not, that is an outcome (`overflow`), and no number
/// between is.
pub fn rounded_sum(sum: Accumulator, overflow: Label) -> Number {
    // Enough for products of two numbers of float, and few enough for what is left of them to count.
    const POWER: i32 = 160;
    let plain = sum.clone().finish();
    if plain.is_point() || plain.mid.is_infinite() || plain.low.is_finite() && plain.high.is_finite() {
        return plain.into();
    }
    let wide = sum.scaled(libm::scalbn(1.0, -POWER)).finish_kept().scaled(POWER).to_dtype(plain.dtype);
    or_overflowed(Real { mid: plain.mid, ..wide }.into(), plain, overflow)
}

/// A sum in any order, or the same of terms kept in a wider type. Integers and partial sums that leave the range of the type: `overflow`.
pub fn total(terms: &[Number], dtype: DType, overflow: Label) -> Number {
    let plain = sum(terms.iter().copied(), dtype, overflow);
    let Kind::Real(real) = plain.kind else { return plain };
    let finite = real.low.is_finite() && real.high.is_finite();
    if finite || real.is_point() || plain.latitude.is_some() {
        return plain;
    }
    let reals: Vec<Real> = terms.iter().map(Number::real).collect();
    let (wide, power) = sum_without_overflow(&reals, dtype);
    match power {
        0 => plain,
        _ => or_overflowed(Number::from(wide.scaled(power).to_dtype(dtype)), real, overflow),
    }
}

/// A result computed so that nothing overflows on the way, and what overflowing makes of it: the infinities that `plain`, the formula at the
/// precision of the type, reaches and the result does not, and NaN where they meet. Nothing between is what either way gives (`label`).
pub fn or_overflowed(result: Number, plain: Real, label: Label) -> Number {
    let real = result.real();
    let mut others = Reals::default();
    others.nan = plain.nan && !real.nan;
    for (reached, infinity) in [(plain.high, f64::INFINITY), (plain.low, f64::NEG_INFINITY)] {
        if reached == infinity && !real.accepts(infinity) {
            others = others.with(infinity, infinity);
        }
    }
    if others == Reals::default() { result } else { result.allowing(Allowed::Reals(others), label) }
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
    let mean = Number::from(quotient(sum, count).scaled(power).to_dtype(dtype));
    if power == 0 {
        return mean;
    }
    let mut plain = Accumulator::new(dtype);
    x.iter().for_each(|&x| plain.add(x));
    or_overflowed(mean, plain.finish_kept(), overflow)
}

/// A sum divided by a count, or times the reciprocal of it.
pub fn quotient(sum: Real, count: usize) -> Real {
    let divisor = Real::constant(count as f64, sum.dtype);
    let reciprocal = Real::constant(1.0 / count as f64, sum.dtype).nearest();
    sum.over(divisor).hull(sum.times(reciprocal))
}

/// What a sum of integers may come to before the formula goes on: the exact sum, as a wider type holds it, and where it leaves the range of
/// the type, that wrapped around, and the nearer end of the range.
pub fn sums_of_ints(exact: i128, dtype: DType) -> Vec<i128> {
    let Some((low, high)) = dtype.integer_range() else { return vec![exact] };
    if (low..=high).contains(&exact) {
        return vec![exact];
    }
    vec![exact, wrap(exact, dtype), if exact < low { low } else { high }]
}

/// A real result of integers as an integer: its fraction is cut off, or, where `nearest` says so, it may be rounded to the nearest one (`label`).
/// `err` is how far the result may stray before. What the type does not hold is converted as processors do: [`outside`].
pub fn as_int(value: f64, err: f64, dtype: DType, nearest: bool, label: Label) -> Number {
    let (least, most) = dtype.integer_range().unwrap_or((0, 1));
    let whole = value.trunc();
    if !whole.is_finite() || !(least..=most).contains(&(whole as i128)) {
        return outside(whole, dtype, label);
    }
    let at = |x: f64| (x.trunc() as i128).clamp(least, most);
    let kind = Kind::Int(Int { low: at(value - err), mid: at(value), high: at(value + err), dtype });
    let number = Number { kind, latitude: None };
    match nearest {
        true => number.or_other(Number::int(at(value.round()), dtype), label),
        false => number,
    }
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
/// preferred, comparing in some order may end at any of the other elements: `nan`.
pub fn extremum(terms: &[Number], pick: fn(Number, Number) -> Number) -> Option<Number> {
    let Some(nan) = terms.iter().find(|x| x.is_nan()) else { return terms.iter().copied().reduce(pick) };
    let others = terms.iter().filter(|x| !x.is_nan());
    Some(others.fold(*nan, |nan, x| nan.or(*x, rule::NAN)))
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

//! Shared parts of the reductions: which axes are reduced, the shape of the output, and which elements are reduced
//! together. An operator adds its formula.
//!
//! All ten operators have these rules, and further ones for their formulas:
//!
//! - `axes-in-range`: the axes are in range.
//! - `noop-with-empty-axes`: what `noop_with_empty_axes` does.
//! - `noop-returns-input`: what it does in releases before 1.19.
//! - `empty-reduction`: the result for an empty set; `empty-set-unmentioned`: texts that do not mention it.
//! - `empty-axes`: what an empty list of axes means.
//! - `duplicate-axes`: what an axis that is named twice means.
//! - `negative-axis`: what a negative axis means in version 1.
//! - `list-rank`: axes in an input of another rank than 1.
//! - `other-flag-values`: flags that are neither 0 nor 1.

use crate::families::cast::outside;
use crate::families::extremum::uncertain;
use crate::prelude::*;
use crate::sum::ROOM;
use crate::{Allowed, Int, Reals, wrap};

/// The elements of the input that each element of the output is made of.
pub struct Reduction {
    /// The extents of the output.
    pub shape: Vec<usize>,
    /// For each element of the output, in row-major order, the indices of its elements of the input, in row-major
    /// order.
    pub groups: Vec<Vec<usize>>,
    /// Whether the output is the input itself, without the rest of the formula.
    pub copies: bool,
}

impl Reduction {
    /// Reads `axes` (an attribute or an input), `keepdims` and `noop_with_empty_axes`.
    pub fn read(call: &Call) -> Result<Reduction, Refusal> {
        let shape = call.tensor("data")?.shape();
        let axes = match call.version().input("axes") {
            Some(_) => call.optional_list("axes")?,
            None => call.optional_int_list("axes"),
        };
        let axes = axes.unwrap_or_default();
        let noop = axes.is_empty() && call.flag("noop_with_empty_axes");
        let older = noop && call.follows(rule::NOOP_RETURNS_INPUT);
        // By the function body of older releases, everything is reduced.
        let reduces = older && call.reading(rule::NOOP_RETURNS_INPUT, 2) == 1;
        let (noop, copies) = (noop && !reduces, older && !reduces);
        // If no axes are given, or their list is empty (`empty-axes`), all axes are reduced, except with
        // `noop_with_empty_axes`. An axis that is named twice counts once (`duplicate-axes`).
        let mut reduced = vec![axes.is_empty() && !noop; shape.len()];
        for axis in axes {
            if axis < 0 && call.since() == 1 {
                call.leaves_open(rule::NEGATIVE_AXIS);
            }
            if std::mem::replace(&mut reduced[call.axis(axis, shape.len(), rule::AXES_IN_RANGE)?], true) {
                call.leaves_open(rule::DUPLICATE_AXES);
            }
        }
        // If nothing is reduced, the rest of the formula still applies to each element (`noop-with-empty-axes`).
        Ok(Reduction { copies, ..Reduction::along(shape, &reduced, noop || call.flag("keepdims"))? })
    }

    /// Reduces the dimensions that `reduced` marks.
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
        Ok(Reduction { shape, groups, copies: false })
    }
}

/// Reduces `data`. The formula is given the elements that are reduced together; for no elements it returns the value of
/// the empty set.
pub fn reduce(call: &Call, formula: impl Fn(&[Number], DType) -> Number) -> Answer {
    let data = call.tensor("data")?;
    let reduction = Reduction::read(call)?;
    let dtype = data.dtype();
    if reduction.copies {
        return one(data.clone());
    }
    // A text that does not mention empty sets allows an implementation to refuse them.
    if reduction.groups.iter().any(Vec::is_empty) && call.follows(rule::EMPTY_SET_UNMENTIONED) {
        call.leaves_open(rule::EMPTY_SET_UNMENTIONED);
    }
    let element = |group: &Vec<usize>| {
        let terms: Vec<Number> = group.iter().map(|&i| data.number(i)).collect();
        formula(&terms, dtype)
    };
    let numbers: Vec<Number> = reduction.groups.iter().map(element).collect();
    call.answer(reduction.shape, numbers)
}

/// Applies a formula of real numbers to elements of a floating-point type.
pub fn of_reals(terms: &[Number], formula: impl Fn(&[Real]) -> Number) -> Number {
    let reals: Vec<Real> = terms.iter().map(Number::real).collect();
    formula(&reals).opened_by(terms, |widest| formula(&widest).widest())
}

/// Rounds a sum to the type of its terms. If a partial sum may overflow and the sum does not, the infinity is an
/// outcome (`overflow`), but the numbers between the sum and the infinity are not.
pub fn rounded_sum(sum: Accumulator, overflow: Label) -> Number {
    let in_type = sum.in_its_type();
    or_overflowed_in_type(rounded_as_kept(sum, overflow), in_type, overflow)
}

/// Accepts the infinities that partial sums reach if the sum is kept in the type of its terms (`overflow`): no text
/// says that an implementation keeps it in a wider type.
fn or_overflowed_in_type(sum: Number, in_type: Option<Accumulator>, overflow: Label) -> Number {
    in_type.map_or(sum, |in_type| or_overflowed(sum, in_type.finish_kept(), overflow))
}

fn rounded_as_kept(sum: Accumulator, overflow: Label) -> Number {
    let plain = sum.clone().finish();
    if plain.is_point() || plain.mid.is_infinite() || plain.low.is_finite() && plain.high.is_finite() {
        return plain.into();
    }
    let wide = sum.finish_with_room().scaled(ROOM).to_dtype(plain.dtype);
    or_overflowed(Real { mid: plain.mid, ..wide }.into(), plain, overflow)
}

/// Returns the sum of terms in any order; the terms may be kept in a wider type. `overflow` names the rule for integers
/// and partial sums that leave the range of the type.
pub fn total(terms: &[Number], dtype: DType, overflow: Label) -> Number {
    let plain = sum(terms.iter().copied(), dtype, overflow);
    let NumberKind::Real(real) = plain.kind else { return plain };
    let settled = real.low.is_finite() && real.high.is_finite() || real.is_point();
    let is_unbounded = |x: &Number| !x.is_point() && (x.real().low.is_infinite() || x.real().high.is_infinite());
    if plain.latitude.is_some() || settled && crate::accumulation(dtype) == dtype || terms.iter().any(is_unbounded) {
        return plain;
    }
    let reals: Vec<Real> = terms.iter().map(Number::real).collect();
    let in_type = all_of(&reals, dtype).in_its_type();
    if settled {
        return or_overflowed_in_type(plain, in_type, overflow);
    }
    let (wide, power) = sum_without_overflow(&reals, dtype);
    let total = match power {
        0 => plain,
        _ => or_overflowed(Number::from(wide.scaled(power).to_dtype(dtype)), real, overflow),
    };
    or_overflowed_in_type(total, in_type, overflow)
}

fn all_of(terms: &[Real], dtype: DType) -> Accumulator {
    let mut sum = Accumulator::new(dtype);
    terms.iter().for_each(|&x| sum.add(x));
    sum
}

/// Returns a result that was computed so that nothing overflows on the way, and accepts what an overflow makes of it
/// (`label`). `plain` is the formula at the precision of the type.
///
/// The other outcomes are the infinities that `plain` reaches and the result does not, and NaN if infinities meet. The
/// numbers between the result and an infinity are not accepted, because neither computation gives them.
pub fn or_overflowed(result: Number, plain: Real, label: Label) -> Number {
    let real = result.real();
    let mut others = Reals::default();
    others.nan = plain.nan && !real.nan;
    for (reached, infinity) in [(plain.high, f64::INFINITY), (plain.low, f64::NEG_INFINITY)] {
        if reached == infinity && !real.accepts(infinity) {
            others = others.with(infinity, infinity);
        }
    }
    if others == Reals::default() { result } else { result.or(Allowed::Reals(others), label) }
}

/// Returns the sum of the terms after they were divided by a power of two, so that nothing overflows, and the exponent
/// of this power. The sum is not rounded to the type yet. The exponent is 0 if no partial sum can overflow, or if a
/// term is infinite or NaN.
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

/// Returns the mean of `count` terms. `x` holds some of them, and the others are zero. If the sum may overflow and the
/// mean does not, the result is left open (`overflow`).
pub fn mean_of(x: &[Real], count: usize, dtype: DType, overflow: Label) -> Number {
    let (sum, power) = sum_without_overflow(x, dtype);
    let mean = Number::from(quotient(sum, count).scaled(power).to_dtype(dtype));
    let plain = all_of(x, dtype);
    let mean = or_overflowed_in_type(mean, plain.in_its_type(), overflow);
    if power == 0 { mean } else { or_overflowed(mean, plain.finish_kept(), overflow) }
}

/// Divides a sum by a count. An implementation may multiply it by the reciprocal of the count instead.
pub fn quotient(sum: Real, count: usize) -> Real {
    let divisor = Real::constant(count as f64, sum.dtype);
    let reciprocal = Real::constant(1.0 / count as f64, sum.dtype).nearest();
    sum.over(divisor).hull(sum.times(reciprocal))
}

/// Returns what a sum of integers may be before the formula goes on: the exact sum, as a wider type holds it, and, if
/// it leaves the range of the type, the wrapped sum and the nearer end of the range.
pub fn sums_of_ints(exact: i128, dtype: DType) -> Vec<i128> {
    let Some((low, high)) = dtype.integer_range() else { return vec![exact] };
    if (low..=high).contains(&exact) {
        return vec![exact];
    }
    vec![exact, wrap(exact, dtype), if exact < low { low } else { high }]
}

/// Converts a real result to an integer type. The fraction is cut off. With `nearest`, the result may also be rounded
/// to the nearest integer (`label`). `err` is how far the result may stray before the conversion. A result beyond the
/// range of the type is left open (`label`): see [`outside`].
pub fn as_int(value: f64, err: f64, dtype: DType, nearest: bool, label: Label) -> Number {
    let (least, most) = dtype.integer_range().unwrap_or((0, 1));
    let whole = value.trunc();
    if !whole.is_finite() || !(least..=most).contains(&(whole as i128)) {
        return outside(whole, dtype, label);
    }
    let at = |x: f64| (x.trunc() as i128).clamp(least, most);
    let kind = NumberKind::Int(Int { low: at(value - err), mid: at(value), high: at(value + err), dtype });
    let number = Number { kind, latitude: None };
    match nearest {
        true => number.or(Number::int(at(value.round()), dtype), label),
        false => number,
    }
}

/// Accepts two ways to compute a number. If the second way may give an infinity or NaN where the first does not, the
/// result of the second is left open (`label`).
pub fn either(first: impl Into<Number>, second: Real, label: Label) -> Number {
    let number = first.into();
    let first = number.real();
    let strays = |a: f64, b: f64| b.is_infinite() && a.is_finite();
    match strays(first.low, second.low) || strays(first.high, second.high) || second.nan && !first.nan {
        true => number.or(second.overflowing(), label),
        false => number.hull(second.into()),
    }
}

/// Returns the extremum of elements that are compared in any order, or `None` for an empty slice. `pick` returns the
/// extremum of two numbers that are not NaN. If there is a NaN, it is the preferred answer. An implementation may
/// return any of the other elements, because a comparison with NaN is false (`nan`).
pub fn extremum(terms: &[Number], pick: fn(Number, Number) -> Number) -> Option<Number> {
    if let Some(uncertain) = uncertain(terms, pick, rule::NAN) {
        return Some(uncertain);
    }
    let Some(nan) = terms.iter().find(|x| x.is_nan()) else { return terms.iter().copied().reduce(pick) };
    let others = terms.iter().filter(|x| !x.is_nan());
    Some(others.fold(*nan, |nan, x| nan.or(*x, rule::NAN)))
}

/// Returns minus infinity, or the smallest value of a type that has no infinity.
pub fn lowest(dtype: DType) -> Number {
    match dtype.integer_range() {
        Some((low, _)) => Number::int(low, dtype),
        None => Number::constant(f64::NEG_INFINITY, dtype),
    }
}

/// Returns infinity, or the largest value of a type that has no infinity.
pub fn highest(dtype: DType) -> Number {
    match dtype.integer_range() {
        Some((_, high)) => Number::int(high, dtype),
        None => Number::constant(f64::INFINITY, dtype),
    }
}

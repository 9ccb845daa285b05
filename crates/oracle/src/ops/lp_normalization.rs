use crate::accumulation;
use crate::families::normalization::{of_outcomes, reciprocal};
use crate::families::select::lanes;
use crate::prelude::*;

/// Divides each element by the 1-norm or 2-norm along an axis.
///
/// Versions 1 and 22 have the same meaning; version 22 adds bfloat16. Constraints: the axis (`axis-in-range`) and `p`
/// (`p-known`). A norm of zero: `zero-norm`, and `division-by-zero` where the text does not mention it; sums that
/// overflow and squares that underflow: `intermediate-overflow`.
pub fn lp_normalization(call: &Call) -> Answer {
    let x = call.tensor("input")?;
    let axis = call.axis(call.int("axis")?, x.rank(), rule::AXIS_IN_RANGE)?;
    let p = call.int("p")?;
    if p != 1 && p != 2 {
        return Err(Refusal::violates(rule::P_KNOWN, format!("`p` is {p}, expected 1 or 2")));
    }
    let [y] = of_outcomes(&[x], |read| {
        let mut y: Vec<Number> = x.numbers().collect();
        for lane in lanes(x.shape(), axis) {
            let elements: Vec<Real> = lane.iter().map(|&i| read(&x.number(i))).collect();
            let zeros = elements.iter().all(|x| x.mid == 0.0) && call.follows(rule::DIVISION_BY_ZERO);
            let open = |x: Number| if zeros { x.or(x.like(f64::NAN), rule::DIVISION_BY_ZERO) } else { x };
            // The norm may be zero, and then the elements may be anything.
            let may_vanish = |x: &Real| x.low <= 0.0 && x.high >= 0.0;
            let vanishes = elements.iter().all(may_vanish) && !elements.iter().all(Real::is_point);
            let share = |share: Number| if vanishes { share.or_whole_range() } else { open(share) };
            lane.into_iter().zip(shares(&elements, p)).for_each(|(i, x)| y[i] = share(x));
        }
        Ok([y])
    })?;
    call.answer(x.shape().to_vec(), y)
}

/// Divides each element by the norm, or multiplies it by the reciprocal. Returns zeros for a norm of zero
/// (`zero-norm`).
fn divided(x: &[Real], norm: Real) -> Vec<Real> {
    let element = |&x: &Real| match norm.low == 0.0 && norm.high == 0.0 {
        true => Real::constant(0.0, x.dtype),
        false => x.over(norm).hull(x.times(reciprocal(norm))),
    };
    x.iter().map(element).collect()
}

/// Divides the elements by their norm. They are scaled so that no sum overflows and the largest square does not
/// underflow; the results of an unscaled computation are left open (`intermediate-overflow`).
fn shares(x: &[Real], p: i64) -> Vec<Number> {
    let dtype = x.first().map_or(DType::Float, |x| x.dtype);
    let plain = norm(x, p, dtype);
    let largest = x.iter().map(|x| x.mid.abs()).fold(0.0, f64::max);
    if largest == 0.0 || p == 1 && plain.high.is_finite() || x.iter().any(|x| !x.mid.is_finite()) {
        return divided(x, plain).into_iter().map(Number::from).collect();
    }
    let power = libm::frexp(largest).1;
    let scaled: Vec<Real> = x.iter().map(|x| x.scaled(-power)).collect();
    let norm_of_scaled = norm(&scaled, p, dtype);
    let exact = divided(&scaled, norm_of_scaled);
    // A norm or its reciprocal that is subnormal loses digits when an implementation rounds it.
    let unscaled = norm_of_scaled.scaled(power).widened(0.5);
    let least = unscaled.dtype.float_format().map_or(0.0, |f| f.min_normal());
    let loses_digits = unscaled.low < least || reciprocal(unscaled).low < least;
    let exact = match loses_digits && unscaled.low > 0.0 && unscaled.high.is_finite() {
        true => exact.into_iter().zip(divided(x, unscaled)).map(|(x, y)| x.hull(y)).collect(),
        false => exact,
    };
    // The squares of 16-bit elements may be computed in float, where they underflow later and lose digits in another way.
    let kept = accumulation(dtype);
    let wide = (kept != plain.dtype).then(|| norm(x, p, kept));
    let share = |(x, exact): (&Real, Real)| {
        let share = or_unscaled(exact.into(), *x, plain, dtype);
        wide.map_or(share, |wide| or_unscaled(share, *x, wide, kept))
    };
    x.iter().zip(exact).map(share).collect()
}

/// Adds what the formula gives for `x` if the elements are not scaled. `plain` is the norm then, whose squares and sum
/// are computed in the type `working`. If the squares underflow, their sum is zero, or at least the smallest number of
/// this type.
fn or_unscaled(share: Number, x: Real, plain: Real, working: DType) -> Number {
    let or = |share: Number, other: Real| share.or(other.overflowing(), rule::INTERMEDIATE_OVERFLOW);
    let also = |share: Number, value: f64| or(share, Real::constant(value, x.dtype));
    let least = working.float_format().map_or(0.0, |f| f.min_positive().sqrt() * 0.999);
    let some = Real { low: plain.low.max(least), mid: plain.mid.max(least), high: plain.high.max(least), ..plain };
    let share = if plain.high.is_infinite() { also(share, 0.0) } else { share };
    let share = if plain.low.is_finite() {
        let finite = Real { high: if some.high.is_finite() { some.high } else { plain.low }, ..some };
        or(share, divided(&[x], finite)[0])
    } else {
        share
    };
    // If the norm underflows to 0, the result is 0 as for elements that are all 0, or the element divided by 0.
    if plain.low == 0.0 { also(also(share, 0.0), x.mid / 0.0) } else { share }
}

/// Returns the norm. Its squares and their sum are computed in the type `working`, the root in that of the elements.
fn norm(x: &[Real], p: i64, working: DType) -> Real {
    let mut sum = Accumulator::new(working);
    x.iter().map(|x| x.abs().at_precision(working)).for_each(|x| sum.add(if p == 1 { x } else { x.times(x) }));
    let sum = sum.finish_inside().at_precision(x.first().map_or(working, |x| x.dtype));
    if p == 1 { sum } else { Number::from(sum).sqrt().real() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Judged;
    use crate::testing::{floats, run_by_both};

    #[test]
    fn older_texts_leave_the_share_of_zeros_open() {
        let x = [floats(&[2], &[0.0, 0.0])];
        let (new, old) = run_by_both("1.20", "LpNormalization", 1, &x, 1).expect("the node is valid");
        let nan = floats(&[2], &[f32::NAN; 2]);
        assert_eq!(new[0].judge(&nan, 0), Judged::Wrong);
        assert!(matches!(old.expect("the texts differ")[0].judge(&nan, 0), Judged::Latitude(_)));
    }

    /// The square is 1.09 of float's smallest subnormal number. In float it becomes this number, whose root is 2^-74.5.
    #[test]
    fn squares_of_16_bit_floats_may_lose_digits_in_float() {
        let x = Real::exact(189.0 / 128.0 * 2f64.powi(-75), DType::Bfloat16);
        let share = shares(&[x], 2)[0];
        assert!(share.real().accepts(1.0) && !share.real().accepts(1.044));
        let Some(Allowed::Reals(others)) = share.latitude.map(|l| l.allowed) else { panic!("{share:?}") };
        assert!(
            others.contains(x.mid / 2f64.powf(-74.5)) && !others.contains(1.2) && !others.contains(0.8),
            "{others:?}"
        );
    }
}

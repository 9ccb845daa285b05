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
    let plain = norm(x, p);
    let largest = x.iter().map(|x| x.mid.abs()).fold(0.0, f64::max);
    if largest == 0.0 || p == 1 && plain.high.is_finite() || x.iter().any(|x| !x.mid.is_finite()) {
        return divided(x, plain).into_iter().map(Number::from).collect();
    }
    let power = libm::frexp(largest).1;
    let scaled: Vec<Real> = x.iter().map(|x| x.scaled(-power)).collect();
    let exact = divided(&scaled, norm(&scaled, p));
    // A norm or its reciprocal that is subnormal loses digits when an implementation rounds it.
    let unscaled = norm(&scaled, p).scaled(power).widened(0.5);
    let least = unscaled.dtype.float_format().map_or(0.0, |f| f.min_normal());
    let loses_digits = unscaled.low < least || reciprocal(unscaled).low < least;
    let exact = match loses_digits && unscaled.low > 0.0 && unscaled.high.is_finite() {
        true => exact.into_iter().zip(divided(x, unscaled)).map(|(x, y)| x.hull(y)).collect(),
        false => exact,
    };
    // If the squares underflow, their sum is zero, or at least the smallest number of the type.
    let least = plain.dtype.float_format().map_or(0.0, |f| f.min_positive().sqrt() * 0.999);
    let vanishes = plain.low == 0.0;
    let some = Real { low: plain.low.max(least), mid: plain.mid.max(least), high: plain.high.max(least), ..plain };
    let share = |(x, exact): (&Real, Real)| {
        let mut share = Number::from(exact);
        let also = |share: Number, value: f64| share.or(Real::constant(value, x.dtype), rule::INTERMEDIATE_OVERFLOW);
        if plain.high.is_infinite() {
            share = also(share, 0.0);
        }
        if plain.low.is_finite() {
            let finite = Real { high: if some.high.is_finite() { some.high } else { plain.low }, ..some };
            share = share.or(divided(&[*x], finite)[0].overflowing(), rule::INTERMEDIATE_OVERFLOW);
        }
        // If the norm underflows to 0, the result is 0 as for elements that are all 0, or the element divided by 0.
        if vanishes { also(also(share, 0.0), x.mid / 0.0) } else { share }
    };
    x.iter().zip(exact).map(share).collect()
}

fn norm(x: &[Real], p: i64) -> Real {
    let mut sum = Accumulator::new(x.first().map_or(DType::Float, |x| x.dtype));
    x.iter().for_each(|x| sum.add(if p == 1 { x.abs() } else { x.abs().times(x.abs()) }));
    let sum = sum.finish_inside();
    if p == 1 { sum } else { Number::from(sum).sqrt().real() }
}

#[cfg(test)]
mod tests {
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
}

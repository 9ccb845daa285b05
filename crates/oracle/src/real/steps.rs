//! One step of interval arithmetic: computes the ends of its result in float64, and finds out on which side of them the
//! exact ends lie.

use plumbline_tensor::DType;

use super::Real;
use crate::function_name::Function;
use crate::precision;
use crate::trailing_exponent;

/// A step that float64 rounds correctly, so that its rounding error can be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The sum `x + y`.
    Add,
    /// The product `x * y`.
    Multiply,
    /// The quotient `x / y`.
    Divide,
    /// The square root of `x`.
    Sqrt,
}

impl Step {
    #[inline]
    fn apply(self, x: f64, y: f64) -> f64 {
        match self {
            Step::Add => x + y,
            Step::Multiply => x * y,
            Step::Divide => x / y,
            Step::Sqrt => libm::sqrt(x),
        }
    }

    /// Returns a number with the sign of the exact result minus `result`, where `result` is the step's result in
    /// float64. It is zero where `result` is exact, and NaN where the sign is unknown. Infinite results count as exact:
    /// overflow is judged elsewhere.
    fn residual(self, x: f64, y: f64, result: f64) -> f64 {
        if !result.is_finite() {
            return 0.0;
        }
        // Where the rounding error of a product is below the smallest subnormal number, float64 cannot represent it.
        let least = trailing_exponent(f64::from_bits(1));
        let holds = |a: f64, b: f64| trailing_exponent(a).saturating_add(trailing_exponent(b)) >= least;
        let vanished = (result == 0.0 && x != 0.0).then(|| x.signum() * y.signum());
        match self {
            // The rounding error of a sum of two numbers is a float64 itself (Knuth).
            Step::Add => {
                let part = result - x;
                (x - (result - part)) + (y - part)
            }
            Step::Multiply if holds(x, y) => x.mul_add(y, -result),
            Step::Multiply => vanished.unwrap_or(f64::NAN),
            Step::Divide if y.is_infinite() => 0.0,
            Step::Divide if result != 0.0 && holds(result, y) => (-result).mul_add(y, x) * y.signum(),
            Step::Divide => vanished.unwrap_or(if x == 0.0 { 0.0 } else { f64::NAN }),
            Step::Sqrt if holds(result, result) => (-result).mul_add(result, x),
            Step::Sqrt => f64::NAN,
        }
    }
}

/// The ends of a step's result in float64, and the operands that gave them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    pub(super) low: f64,
    pub(super) high: f64,
    /// The step, and the candidate pairs of operands, some of which gave the ends; `None` where float64 does not round
    /// the step correctly.
    from: Option<(Step, [(f64, f64); 4])>,
}

impl Ends {
    /// Returns ends that no [`Step`] computed. They may be off by one unit in the last place of float64.
    pub(super) fn computed(low: f64, high: f64) -> Ends {
        Ends { low, high, from: None }
    }

    /// Computes the ends of a step: its result is smallest for the operands `least`, and largest for `most`.
    #[inline]
    pub(super) fn after(step: Step, [least, most]: [(f64, f64); 2]) -> Ends {
        let (low, high) = (step.apply(least.0, least.1), step.apply(most.0, most.1));
        Ends { low, high, from: Some((step, [least, most, least, most])) }
    }

    /// Computes the smallest and the largest result of a step over the corners of two intervals; both are NaN if one
    /// result is.
    #[inline]
    pub(super) fn over_corners(step: Step, a: Real, b: Real) -> Ends {
        let pairs = corners(a, b);
        let (low, high) = extremes(pairs, |x, y| step.apply(x, y));
        Ends { low, high, from: Some((step, pairs)) }
    }

    /// Returns, for the lower and for the upper end, whether the exact end may lie further out than the end in float64.
    fn lost(&self) -> (bool, bool) {
        let Some((step, pairs)) = self.from else { return (true, true) };
        let mut lost = (false, false);
        let distinct = if pairs[0] == pairs[1] { 1 } else { 4 };
        for &(x, y) in &pairs[..distinct] {
            let result = step.apply(x, y);
            if result != self.low && result != self.high {
                continue;
            }
            let residual = step.residual(x, y, result);
            lost.0 |= result == self.low && (residual < 0.0 || residual.is_nan());
            lost.1 |= result == self.high && (residual > 0.0 || residual.is_nan());
        }
        lost
    }
}

/// Returns the four corners of the rectangle that two intervals span: the pairs of their ends.
#[inline]
fn corners(a: Real, b: Real) -> [(f64, f64); 4] {
    let (first, last) = ((a.low, b.low), (a.high, b.high));
    if a.low == a.high || b.low == b.high {
        return [first, last, first, last];
    }
    [first, last, (a.low, b.high), (a.high, b.low)]
}

/// Returns the smallest and the largest value of a function for these pairs; both are NaN if one value is.
#[inline]
fn extremes([a, b, c, d]: [(f64, f64); 4], f: impl Fn(f64, f64) -> f64) -> (f64, f64) {
    // This does not call `map` of arrays, because the compiler does not inline that call.
    let all = [f(a.0, a.1), f(b.0, b.1), f(c.0, c.1), f(d.0, d.1)];
    if all.iter().any(|x| x.is_nan()) {
        return (f64::NAN, f64::NAN);
    }
    (all.iter().copied().fold(f64::INFINITY, f64::min), all.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

/// Returns the smallest and the largest value of a function over the corners of two intervals; both are NaN if one
/// value is.
pub(super) fn over_corners(a: Real, b: Real, f: impl Fn(f64, f64) -> f64) -> (f64, f64) {
    extremes(corners(a, b), f)
}

impl Real {
    /// Returns the result of a step from its computed ends. NaN ends stand for operations such as inf - inf. The caller
    /// must already have applied [`Real::outward`] to the operands.
    #[inline]
    pub(super) fn step(a: Real, b: Real, mid: f64, ends: Ends, function: Function) -> Real {
        Real::step_within(a, b, mid, ends, |base| {
            let scaling = function == Function::Divide && base.is_scaling_by(b) && !precision::asks_for_more(function);
            precision::ulps(if scaling { Function::Multiply } else { function }, a.dtype)
        })
    }

    /// Does the same as [`Real::step`], but calls `ulps` to compute the error of the step, in ULP, from its result.
    #[inline]
    pub(super) fn step_within(a: Real, b: Real, mid: f64, ends: Ends, ulps: impl FnOnce(&Real) -> f64) -> Real {
        let nan = a.nan || b.nan;
        let Ends { low, high, .. } = ends;
        let base = Real { low, mid, high, nan, signed_zero: false, integral: false, below: false, above: false, ..a };
        if a.is_nan() || b.is_nan() {
            return base.not_a_number();
        }
        if low.is_nan() || high.is_nan() || mid.is_nan() {
            let points = a.low == a.high && b.low == b.high;
            return if points && !nan && mid.is_nan() { base.not_a_number() } else { base.whole_line(mid) };
        }
        if low == 0.0
            && high == 0.0
            && mid == 0.0
            && (a.dtype != DType::Double || a.low == a.high && ends.is_root(a.low))
        {
            // A result that is zero even in float64 is exactly zero, or far below the smallest number of the type.
            return base;
        }
        let ulps = ulps(&base);
        if ulps == 0.0 {
            return base;
        }
        let double = a.dtype == DType::Double;
        if ulps > 0.5 || double && ends.from.is_none() {
            // For float64, one more ULP covers the error of the ends themselves, which were computed in float64.
            return base.strayed(if double { ulps + 1.0 } else { ulps });
        }
        let held = double || low == high && base.stored(low) == low;
        if !held {
            return base.correctly_rounded();
        }
        // Every implementation rounds this step correctly, as float64 does here: only the rounded result is accepted,
        // and later steps may start from the exact one.
        let (below, above) = ends.lost();
        Real { below, above, ..base.guarded(low, high) }
    }

    /// Returns whether this quotient by `divisor` has the error of a multiplication, because `divisor` is a power of
    /// two: see [`Real::over`].
    fn is_scaling_by(self, divisor: Real) -> bool {
        let format = self.format();
        let normal = |x: f64| x.abs() >= format.min_normal() && x.abs() <= format.max_finite();
        let power_of_two = divisor.is_point() && libm::frexp(divisor.low).0.abs() == 0.5;
        let one_sided = self.low > 0.0 || self.high < 0.0;
        power_of_two
            && normal(divisor.low)
            && normal(divisor.low.recip())
            && one_sided
            && normal(self.low)
            && normal(self.high)
    }
}

impl Ends {
    /// Returns whether a result of zero at `x` is exact, for a function that is not a [`Step`]. No function in use is
    /// exactly zero at a float64 number other than 0 and 1.
    fn is_root(&self, x: f64) -> bool {
        self.from.is_none() && (x == 0.0 || x == 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Number;

    fn double(x: f64) -> Real {
        Real::exact(x, DType::Double)
    }

    fn accepted(x: Real) -> (f64, f64) {
        (x.low, x.high)
    }

    /// Checks on which side of the float64 result the exact results of 1/3, 0.1 * 3, 0.1 + 0.2 and the square root of 2
    /// lie.
    #[test]
    fn a_step_accepts_its_rounded_result_and_knows_the_side_of_the_exact_result() {
        let third = double(1.0).over(double(3.0));
        assert_eq!((accepted(third), third.below, third.above), ((1.0 / 3.0, 1.0 / 3.0), false, true));
        let product = double(0.1).times(double(3.0));
        assert_eq!((accepted(product), product.below, product.above), ((0.1 * 3.0, 0.1 * 3.0), true, false));
        let sum = double(0.1).plus(double(0.2));
        assert_eq!((accepted(sum), sum.below, sum.above), ((0.1 + 0.2, 0.1 + 0.2), true, false));
        let root = Number::from(double(2.0)).sqrt().real();
        assert_eq!((accepted(root), root.below, root.above), ((2.0_f64.sqrt(), 2.0_f64.sqrt()), true, false));
        for exact in [double(6.0).over(double(3.0)), double(0.5).times(double(3.0)), double(1.0).plus(double(2.0))] {
            assert!(!exact.below && !exact.above, "{exact:?}");
        }
    }

    /// The formula is (1 + 2^-60) - 1: an implementation that rounds each step gets 0, and one that rounds once at the
    /// end gets 2^-60.
    #[test]
    fn a_chain_accepts_each_step_rounded_and_the_whole_rounded_once() {
        for dtype in [DType::Double, DType::Float] {
            let of = |x: f64| Real::exact(x, dtype);
            let small = 2.0_f64.powi(-60);
            let y = of(1.0).plus(of(small)).minus(of(1.0));
            assert!(y.accepts(0.0) && y.accepts(small) && !y.accepts(-small) && !y.accepts(1e-6), "{y:?}");
        }
        let norm = double(2.9999999999999996)
            .times(double(2.9999999999999996))
            .plus(double(1.8777952519038648).times(double(1.8777952519038648)));
        let norm = Number::from(norm).sqrt().real();
        // The first value is the one nearest to the exact norm.
        assert!(norm.accepts(3.539225198835572) && norm.accepts(3.5392251988355725), "{norm:?}");
        assert!(!norm.accepts(3.5392251988355716) && !norm.accepts(3.539225198835574), "{norm:?}");
    }

    /// In float16, the numbers above 1 are 2^-10 apart. Below the middle of two of them by 2^-30, float has the middle, and
    /// the even one of the two is above it.
    #[test]
    fn a_16_bit_float_may_be_rounded_to_float_first() {
        let middle = 1.0 + 3.0 * 2f64.powi(-11);
        let of = |x: f64| Real::exact(x, DType::Float16).widened(0.5);
        let up = 1.0 + 2f64.powi(-9);
        assert!(of(middle - 2f64.powi(-30)).accepts(up) && !of(middle - 2f64.powi(-20)).accepts(up));
    }

    #[test]
    fn digits_lost_below_the_smallest_number_may_have_any_value() {
        let tiny = double(1e-200).times(double(1e-200));
        assert_eq!((accepted(tiny), tiny.below, tiny.above), ((0.0, 0.0), false, true));
        let tiny = double(-1e-200).times(double(1e-200));
        assert_eq!((accepted(tiny), tiny.below, tiny.above), ((0.0, 0.0), true, false));
        let subnormal = double(3e-300).times(double(1.1e-10));
        assert!(subnormal.below && subnormal.above && subnormal.is_point());
        let halved = double(3e-300).times(double(0.5));
        assert!(!halved.below && !halved.above);
    }

    #[test]
    fn negation_and_clamping_keep_track_of_the_side_of_the_exact_result() {
        let sum = double(0.1).plus(double(0.2));
        assert_eq!((sum.neg().below, sum.neg().above), (false, true));
        assert_eq!((sum.neg().abs().below, sum.neg().abs().above), (true, false));
        assert_eq!(accepted(sum.outward()), ((0.1 + 0.2_f64).next_down(), 0.1 + 0.2));
        assert!(!sum.within(0.5, 1.0).below && sum.within(0.25, 1.0).below);
        // The exact sum lies below 3. The floor is 3 in an implementation that rounds the sum first, and 2 in one that
        // does not.
        let almost = double(3.0).plus(double(-1e-17));
        assert_eq!(accepted(almost.stepped(f64::floor)), (2.0, 3.0));
    }
}

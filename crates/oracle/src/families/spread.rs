//! The mean and variance of elements that are normalized together, and the elements normalized by them.
//!
//! The variance is the variance of the population: the mean of the squared deviations. Some function bodies take the
//! mean of the squares less the square of the mean instead, which loses digits by cancellation. The result of that
//! formula is another outcome ([`Spread::by_moments`]).
//!
//! Squares and sums may leave the range of the type although the normalized elements do not. The elements are then
//! divided by a power of two first, so that the exact result is the preferred one. The results of infinite statistics
//! are outcomes of their own ([`Spread::strays`]).

use crate::accumulation;
use crate::families::normalization::{Standardization, mean_of, overflow, power_of_scaling, reciprocal, scaled};
use crate::prelude::*;

/// If a mean may be more numbers of its type than this, they are not tried one by one: the square of one of them is likely
/// to come close to any number.
const MOST_MEANS: f64 = 64.0;

/// The mean and variance of a group of elements, which is not empty.
pub struct Spread {
    elements: Vec<Real>,
    /// The elements above are the given ones divided by `2^power`.
    power: i32,
    mean: Real,
    variance: Real,
    moments: Real,
    /// Whether the mean, the variance and the difference of the moments may overflow for the elements as they are
    /// given.
    overflows: [bool; 3],
    /// Whether the difference of two elements may overflow. If so, the difference of an element and the running mean of
    /// the elements before it may overflow, too.
    differences_overflow: bool,
    given: Statistics,
}

/// The statistics of elements as computed by an implementation that does each step in the element type (sums of narrow
/// types in float).
#[derive(Clone, Copy)]
struct Statistics {
    mean: Real,
    variance: Real,
    moments: Real,
}

impl Statistics {
    fn compute(x: &[Real], dtype: DType) -> Statistics {
        let mean_by = |f: &dyn Fn(Real) -> Real| {
            let mut sum = Accumulator::new(dtype);
            x.iter().for_each(|&x| sum.add(f(x)));
            mean_of(sum, dtype)
        };
        let square = |x: Real| x.abs().times(x.abs());
        let unit = accumulation(dtype).float_format().map_or(0.0, |f| f.ulp(1.0) / 2.0);
        let magnitude: f64 = x.iter().map(|x| x.low.abs().max(x.high.abs())).sum();
        let with_slack = |x: Real, slack: f64| Real { low: x.low - slack, high: x.high + slack, ..x };
        let mean = mean_by(&|x| x);
        if !(mean.low.is_finite() && mean.high.is_finite()) || x.len() == 1 {
            let variance = mean_by(&|x| square(x.minus(mean))).not_below(0.0);
            return Statistics { mean, variance, moments: mean_by(&square).minus(square(mean)) };
        }
        // A running mean, `mean += (x - mean) / k`, is rounded once for each element, which the error bound of a sum
        // covers. Its difference and its quotient are rounded as well: this slack is for them.
        let mean = with_slack(mean, 2.0 * magnitude * unit / x.len() as f64);
        // The mean of the squared deviations from an inexact mean exceeds the variance by the square of the error of
        // that mean. Squared deviations from a running mean (Welford) are off by products of a deviation and the error
        // of the running mean, which on average is half of the error bound of a mean, `magnitude * unit`.
        let running = with_slack(Real { low: mean.mid, high: mean.mid, ..mean }, magnitude * unit / 2.0);
        let off = (mean.mid - mean.low).max(mean.high - mean.mid);
        let variance = mean_by(&|x| square(x.minus(running)));
        // Where the elements are uncertain, so is their mean. The mean of the squared deviations from its preferred value
        // then exceeds the variance by the square of the distance of the two.
        let away = |end: fn(&Real) -> f64| x.iter().map(|x| (end(x) - x.mid).abs()).sum::<f64>() / x.len() as f64;
        let moved = away(|x| x.low).max(away(|x| x.high)) * (1.0 + f64::EPSILON * x.len() as f64);
        let (low, high) = (variance.low - moved * moved, variance.high + off * off * (1.0 + 8.0 * unit));
        let variance = Real { low, high, ..variance }.not_below(0.0);
        let moments = mean_by(&square).minus(square(mean));
        Statistics { mean, variance, moments }
    }
}

/// Returns whether the difference of two of these elements overflows in their type, although the elements are finite.
pub fn difference_overflows(x: &[Real]) -> bool {
    let least = x.iter().copied().reduce(|a, b| if a.low <= b.low { a } else { b });
    let most = x.iter().copied().reduce(|a, b| if a.high >= b.high { a } else { b });
    least.zip(most).is_some_and(|(least, most)| overflow(x, &[most.minus(least)]))
}

impl Spread {
    /// Computes the statistics of a group of elements, which is not empty.
    pub fn compute(x: &[Real], dtype: DType) -> Spread {
        let given = Statistics::compute(x, dtype);
        let Statistics { mean, variance, moments } = given;
        let overflows = [mean, variance, moments].map(|made| overflow(x, &[made]));
        if overflows == [false; 3] {
            let (elements, differences_overflow) = (x.to_vec(), false);
            return Spread { elements, power: 0, mean, variance, moments, overflows, differences_overflow, given };
        }
        let differences_overflow = difference_overflows(x);
        let power = power_of_scaling(x, dtype);
        let elements: Vec<Real> = x.iter().map(|x| x.scaled(-power)).collect();
        let Statistics { mean, variance, moments } = Statistics::compute(&elements, dtype);
        Spread { elements, power, mean, variance, moments, overflows, differences_overflow, given }
    }

    /// Scales a number as [`Spread::elements`] are scaled, so that it can be added to them or to their deviation.
    pub fn beside_elements(&self, x: Real) -> Real {
        x.scaled(-self.power)
    }

    /// Scales a number as the squares of [`Spread::elements`] are scaled, so that it can be added to them.
    fn beside_squares(&self, x: Real) -> Real {
        x.scaled(-2 * self.power)
    }

    /// Returns the elements, divided by a power of two if the statistics overflow.
    pub fn elements(&self) -> &[Real] {
        &self.elements
    }

    /// Returns the mean of [`Spread::elements`].
    pub fn mean_of_elements(&self) -> Real {
        self.mean
    }

    /// Computes `sqrt(variance + epsilon)`.
    pub fn deviation(&self, epsilon: Real) -> Real {
        Number::from(self.variance.plus(self.beside_squares(epsilon)).not_below(0.0)).sqrt().real()
    }

    /// Computes the same from the difference of the moments, one of which need not be rounded (a fused multiply-add). If
    /// the difference plus epsilon may be negative, NaN is accepted beside the roots of the values that are not negative.
    pub fn by_moments(&self, epsilon: Real) -> Real {
        let epsilon = self.beside_squares(epsilon);
        let sum = self.moments.plus(epsilon);
        if sum.low.is_nan() || sum.low >= 0.0 || sum.high < 0.0 {
            return Number::from(sum).sqrt().real();
        }
        let least = self.least_by_moments(epsilon.low);
        let positive = Real { low: least, mid: sum.mid.max(least), high: sum.high.max(least), nan: false, ..sum };
        Real { nan: true, ..Number::from(positive).sqrt().real() }
    }

    /// Returns the least number, not below zero, that epsilon plus a negative difference of the moments may be. The mean of
    /// the squares is a multiple of its ULP. The square of the mean is a multiple as well, or it is not rounded (a fused
    /// multiply-add). In the latter case it is the exact square of one of the numbers of the type that the mean may be.
    /// Each of them is tried, unless there are too many.
    fn least_by_moments(&self, epsilon: f64) -> f64 {
        let Some(format) = self.moments.dtype.float_format() else { return 0.0 };
        let (low, high) =
            (self.mean.low.abs().min(self.mean.high.abs()), self.mean.low.abs().max(self.mean.high.abs()));
        let step = format.ulp((low * low - epsilon).max(0.0));
        let unit = format.ulp(low);
        if !(step > 0.0 && high - low <= MOST_MEANS * unit && self.mean.low * self.mean.high > 0.0) {
            return 0.0;
        }
        let first = (low / unit).ceil();
        let means = (0..).map(|i| (first + f64::from(i)) * unit).take_while(|&mean| mean <= high);
        let fused = means.map(|mean| {
            let square = mean * mean;
            let rest = square % step + mean.mul_add(mean, -square);
            (epsilon - rest).rem_euclid(step)
        });
        fused.fold(epsilon % step, f64::min) * 0.99
    }

    /// Returns an element less the mean, divided by a deviation or multiplied by its reciprocal.
    pub fn normalized(&self, at: usize, deviation: Real) -> Real {
        let difference = self.elements[at].minus(self.mean);
        let maybe_zero = deviation.low <= 0.0 && deviation.high > 0.0;
        if !maybe_zero || difference.low.is_nan() {
            return difference.over(deviation).hull(difference.times(reciprocal(deviation)));
        }
        if difference.low == 0.0 && difference.high == 0.0 {
            return Real { nan: true, ..difference };
        }
        // The smaller the deviation is, the farther the result is from zero.
        let nearest = difference.over(Real { low: deviation.high, mid: deviation.high, ..deviation }).widened(1.0);
        let low = if difference.low < 0.0 { f64::NEG_INFINITY } else { nearest.low };
        let high = if difference.high > 0.0 { f64::INFINITY } else { nearest.high };
        let mid = difference.mid / deviation.mid;
        let mid = if mid.is_nan() { 0.0 } else { mid };
        Real { low, mid: mid.clamp(low, high), high, nan: true, ..nearest }
    }

    /// Does the same with the deviation of the elements themselves. No element differs from the mean by more than this
    /// deviation times the square root of the number of elements. If the elements are equal, none differs by more than
    /// the deviation.
    pub fn standardized(&self, at: usize, deviation: Real) -> Real {
        let count = self.elements.len() as f64;
        let unit = self.mean.dtype.float_format().map_or(0.0, |f| f.ulp(1.0));
        let most = if self.is_constant() { 1.0 } else { count.sqrt() } * (1.0 + (count + 8.0) * unit);
        let y = self.normalized(at, deviation);
        if y.low.is_nan() { y } else { y.within(-most, most) }
    }

    /// Returns what an element less the mean may be if it is divided by zero: the infinity of its sign, or either infinity
    /// if the element is as close to the mean as the error of the mean. Returns nothing if the difference is certain and
    /// zero.
    pub fn divided_by_zero(&self, at: usize) -> Vec<Real> {
        let difference = self.elements[at].minus(self.mean);
        let infinity = |sign: f64| Real::constant(f64::INFINITY * sign, difference.dtype);
        match difference {
            Real { low, high, mid, .. } if low > 0.0 || high < 0.0 => vec![infinity(mid.signum())],
            Real { low, high, .. } if low == high => vec![],
            _ => vec![infinity(1.0), infinity(-1.0)],
        }
    }

    fn is_constant(&self) -> bool {
        self.elements.iter().all(|x| x.is_point() && x.low == self.elements[0].low)
    }

    /// If all elements are equal and their mean may be rounded to another number, returns the least and the largest
    /// distance of the mean from the elements, and the square root of the smallest nonzero difference of the moments.
    /// Otherwise returns `None`.
    pub fn rounding(&self) -> Option<[f64; 3]> {
        let Real { low: x, dtype, .. } = self.elements[0];
        let most = (x - self.mean.low).abs().max((x - self.mean.high).abs());
        let step = accumulation(dtype).float_format().map_or(0.0, |f| f.ulp(x) / 2.0);
        let smallest = dtype.float_format().map_or(0.0, |f| f.ulp(x * x) / 2.0).sqrt();
        (self.is_constant() && most >= step && most > 0.0 && x.is_finite()).then_some([step, most, smallest])
    }

    /// Returns the other results for an element if statistics overflow: zero from an infinite deviation, NaN from an
    /// infinite mean or running mean, and infinity or NaN if the distance of the element from the mean is infinite.
    /// `moments` says whether an implementation may compute the variance from the moments. Zero and NaN then also come
    /// from moments that overflow.
    pub fn strays(&self, at: usize, moments: bool) -> Vec<Real> {
        let [mean, variance, by_moments] = self.overflows;
        if self.overflows == [false; 3] {
            return vec![];
        }
        let one = |x: f64| Real::constant(x, self.mean.dtype);
        let distance = self.elements[at].scaled(self.power).minus(self.given.mean);
        let far = [distance.low, distance.high].into_iter().find(|x| x.is_infinite());
        let nan = mean || far.is_some() || self.differences_overflow || moments && by_moments;
        let zero = variance || moments && by_moments;
        [zero.then(|| one(0.0)), nan.then(|| one(f64::NAN)), far.map(one)].into_iter().flatten().collect()
    }

    /// Returns the mean. If the sum of the elements overflows, the infinity or NaN that the overflow gives is accepted
    /// as well (`label`).
    pub fn mean(&self, label: Label) -> Number {
        infinite_too(self.mean.scaled(self.power), self.given.mean, self.overflows[0], label)
    }

    /// Returns the variance in the same way.
    pub fn variance(&self, label: Label) -> Number {
        infinite_too(self.variance.scaled(2 * self.power), self.given.variance, self.overflows[1], label)
    }

    /// Returns the reciprocal of a deviation. If statistics overflow, zero or NaN are accepted as well (`label`).
    pub fn inverse(&self, deviation: Real, label: Label) -> Number {
        let [mean, variance, moments] = self.overflows;
        let one = |x: f64| Number::constant(x, deviation.dtype);
        let exact = Number::from(reciprocal(deviation).scaled(-self.power));
        let exact = if variance || moments { exact.or(one(0.0), label) } else { exact };
        if mean || moments { exact.or(one(f64::NAN), label) } else { exact }
    }
}

/// Accepts, beside the exact number, the infinities and NaN of `given`, which was computed step by step in the type.
fn infinite_too(exact: Real, given: Real, overflows: bool, label: Label) -> Number {
    let number = Number::from(if overflows { exact.widened(0.5) } else { exact });
    let ends = [given.low, given.high].into_iter().filter(|x| overflows && x.is_infinite());
    let number = ends.fold(number, |number, end| number.or(number.like(end), label));
    if overflows && given.nan { number.or(number.like(f64::NAN), label) } else { number }
}

/// Standardizes the elements of a group by their own mean and variance. `label` names the rule for an overflow on the
/// way.
pub fn standardized(spread: &Spread, epsilon: Real, scale: Real, bias: Real, label: Label) -> Vec<Number> {
    let formula = Standardization::new(spread.mean_of_elements(), spread.deviation(epsilon), scale, bias, label);
    let element = |(at, &x): (usize, &Real)| {
        let strays = spread.strays(at, false).into_iter().map(|stray| scaled(stray, scale, Some(bias)));
        strays.fold(formula.apply(x), |y, stray| y.or(stray, label))
    };
    spread.elements().iter().enumerate().map(element).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reals(values: &[f64], dtype: DType) -> Vec<Real> {
        values.iter().map(|&x| Real::exact(x, dtype)).collect()
    }

    /// The mean of the squares less the square of the mean, computed in float32, is not accepted as the variance. The
    /// variance from two passes over the elements is accepted, and so is the variance from a running mean.
    #[test]
    fn a_difference_of_moments_in_float32_is_not_accepted_as_the_variance() {
        let values = [1000.1f32, 1001.3, 999.2, 1000.7, 998.9, 1002.2, 1000.4, 999.6];
        let wide: Vec<f64> = values.iter().map(|&x| f64::from(x)).collect();
        let spread = Spread::compute(&reals(&wide, DType::Float), DType::Float);
        let count = values.len() as f32;
        let mean = values.iter().sum::<f32>() / count;
        let one = values.iter().map(|x| x * x).sum::<f32>() / count - mean * mean;
        let two = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / count;
        let mut running = (0.0f32, 0.0f32);
        for (k, &x) in values.iter().enumerate() {
            let next = running.0 + (x - running.0) / (k + 1) as f32;
            running = (next, running.1 + (x - running.0) * (x - next));
        }
        let accepts = |x: f32| spread.variance(rule::VARIANCE_CANCELLATION).real().accepts(f64::from(x));
        assert!(accepts(two) && accepts(running.1 / count) && !accepts(one), "{:?} {one} {two}", spread.variance);
        assert!(spread.moments.accepts(f64::from(one)));
    }

    /// Equal numbers whose squared mean has half a ULP of at least epsilon: either moment may be rounded alone.
    #[test]
    fn a_fused_difference_of_moments_is_accepted_and_mostly_bounded() {
        let epsilon = 1e-5f32;
        let (mut positive, mut negative, mut bounded) = (0, 0, 0);
        for x in (0..4000).map(|i| 13.0 + i as f32 * 0.001_237) {
            let spread = Spread::compute(&reals(&[f64::from(x)], DType::Float), DType::Float);
            let accepted = spread.by_moments(Real::constant(f64::from(epsilon), DType::Float));
            let fused = x.mul_add(-x, x * x) + epsilon;
            assert!(accepted.accepts(f64::from(epsilon.sqrt())), "{x}: {accepted:?}");
            bounded += usize::from(!accepted.accepts(1e-4));
            if fused < 0.0 {
                assert!(accepted.nan, "{x}: {accepted:?}");
                negative += 1;
            } else {
                assert!(accepted.accepts(f64::from(fused.sqrt())), "{x}: {accepted:?}, not {}", fused.sqrt());
                positive += 1;
            }
        }
        assert!(positive > 3000 && negative > 200 && bounded > 3800, "{positive}, {negative}, {bounded}");
    }

    #[test]
    fn uncertain_elements_may_have_a_smaller_variance_than_preferred_ones() {
        let wide = Real { low: -10.0, ..Real::exact(10.0, DType::Float) };
        let spread =
            Spread::compute(&[[wide; 2], reals(&[0.0; 2], DType::Float).try_into().unwrap()].concat(), DType::Float);
        let variance = spread.variance(rule::VARIANCE_CANCELLATION).real();
        assert!(variance.accepts(0.0) && variance.accepts(25.0) && variance.accepts(50.0) && !variance.accepts(300.0));
    }

    #[test]
    fn the_exact_result_stays_preferred_if_statistics_overflow() {
        let values = [3e38, -3e38, 1e38, 0.0];
        let spread = Spread::compute(&reals(&values, DType::Float), DType::Float);
        let deviation = spread.deviation(Real::constant(1e-5, DType::Float));
        let y = spread.standardized(0, deviation);
        assert!((y.mid - 1.2701705922171767).abs() < 1e-6 && y.high - y.low < 1e-5, "{y:?}");
        assert!(
            spread.strays(0, true).iter().any(|x| x.is_nan()) && spread.strays(0, true).iter().any(|x| x.mid == 0.0)
        );
        let inverse = spread.inverse(deviation, rule::INTERMEDIATE_OVERFLOW);
        assert!(inverse.real().accepts(4.6188021535170065e-39), "{inverse:?}");
        assert!(inverse.latitude.is_some_and(|l| l.allowed != Allowed::Anything));
    }
}

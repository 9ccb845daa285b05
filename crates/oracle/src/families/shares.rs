//! The shares that positive numbers have in their sum, as in Softmax: what is accepted in the place of each, and of a
//! mean that is weighted by them.
//!
//! The sum contains the same numbers that it divides, so that a quotient of two intervals is wider than any
//! implementation can make it. Here each number is somewhere within its bounds, and the sum is that of these numbers.

use plumbline_tensor::power_of_two;

use crate::function_name::Function;
use crate::precision::{flushing, roundings};
use crate::prelude::*;
use crate::{accumulation, ulps};

/// The bounds of positive numbers, and of the errors of the steps that turn them into shares.
#[derive(Clone, Debug)]
pub struct Shares {
    /// The type that the shares are rounded to.
    pub dtype: DType,
    bounds: Vec<(f64, f64)>,
    low: f64,
    high: f64,
    /// For each number, the sum of the upper bounds of those before it, and of those after it.
    beside: Vec<(f64, f64)>,
    /// The error of a share relative to its size, from the sum, the division and the rounding of both.
    relative: f64,
    /// The error of a share that is subnormal.
    absolute: f64,
}

/// Returns half of the distance from 1 to the next number of the type.
fn unit(dtype: DType) -> f64 {
    power_of_two(-dtype.float_format().map_or(53, |f| f.precision() as i32))
}

/// Returns the largest error that rounding to the type, or flushing, makes of a number near zero.
fn smallest(dtype: DType) -> f64 {
    let least = |f: &plumbline_tensor::FloatFormat| if flushing() { f.min_normal() } else { f.min_positive() };
    dtype.float_format().map_or(f64::MIN_POSITIVE, least)
}

impl Shares {
    /// Returns the shares of numbers of this type. The sum of a type narrower than float is kept as float, and so is the
    /// quotient, unless the policy says otherwise; both may be rounded to the type.
    pub fn new(powers: &[Number], dtype: DType) -> Shares {
        let bounds: Vec<(f64, f64)> = powers.iter().map(|x| ends(x.real())).collect();
        let (low, high) = bounds.iter().fold((0.0, 0.0), |(low, high), x| (low + x.0, high + x.1));
        let mut beside = vec![(0.0, 0.0); bounds.len()];
        for i in 1..bounds.len() {
            beside[i].0 = beside[i - 1].0 + bounds[i - 1].1;
            let j = bounds.len() - 1 - i;
            beside[j].1 = beside[j + 1].1 + bounds[j + 1].1;
        }
        let working = accumulation(dtype);
        let additions = roundings(bounds.len().saturating_sub(1) as f64);
        let rounded = if working == dtype { 0.0 } else { 2.0 * unit(dtype) };
        let divided = 2.0 * ulps(Function::Divide, working) * unit(working);
        // The sums here are computed in float64.
        let ours = 4.0 * (additions + 2.0) * unit(DType::Double);
        let relative = (additions * unit(working) + rounded + divided) * 1.02 + ours;
        Shares { dtype, bounds, low, high, beside, relative, absolute: smallest(dtype) }
    }

    /// Returns the same shares, rounded to another type.
    pub fn rounded_to(self, dtype: DType) -> Shares {
        if dtype == self.dtype {
            return self;
        }
        let relative = self.relative + unit(dtype) * 1.02;
        Shares { dtype, relative, absolute: self.absolute + smallest(dtype), ..self }
    }

    /// Returns the bounds of a share: it grows with its own number, and shrinks when another number grows.
    fn bound(&self, i: usize) -> (f64, f64) {
        let (low, high) = self.bounds[i];
        let share = |own: f64, others: f64| if own == 0.0 { 0.0 } else { own / (own + others.max(0.0)) };
        // Beside a number that may be small or large, the difference of the sums has lost the others.
        let others = match low < 0.5 * high {
            true => self.beside[i].0 + self.beside[i].1,
            false => self.high - high,
        };
        let (least, most) = (share(low, others), share(high, self.low - low));
        (least * (1.0 - self.relative) - self.absolute, most * (1.0 + self.relative) + self.absolute)
    }

    /// Cuts the interval of a share, which was computed as a quotient, at its bounds.
    pub fn cut(&self, i: usize, quotient: Real) -> Real {
        let (low, high) = self.bound(i);
        narrowed(quotient, low, high)
    }

    /// Cuts the interval of the mean of `values`, weighted by these shares, at its bounds. `mean` was computed as a sum
    /// of products. `coarser` is a type that the shares are rounded to before they are multiplied.
    ///
    /// If each number is somewhere within its bounds, the mean is largest if the numbers of the largest values are as
    /// large as possible and all others as small as possible. Only the place where the two parts meet has to be found.
    pub fn mean(&self, values: &Ordered, mean: Real, coarser: Option<DType>) -> Real {
        if values.magnitudes.len() != self.bounds.len() || !values.finite || self.low == 0.0 {
            return mean;
        }
        let shares = match coarser {
            Some(dtype) => &self.clone().rounded_to(dtype),
            None => self,
        };
        let magnitudes = &values.magnitudes;
        let sized: f64 = magnitudes.iter().enumerate().map(|(i, magnitude)| magnitude * shares.bound(i).1).sum();
        let all: f64 = magnitudes.iter().sum();
        let keeps = unit(mean.dtype);
        let steps = roundings(magnitudes.len() as f64 + 1.0) * keeps * 1.02;
        let error =
            sized * (shares.relative + steps) + all * shares.absolute + magnitudes.len() as f64 * smallest(mean.dtype);
        let [highest, lowest] = [self.extreme(&values.from_high), -self.extreme(&values.from_low)];
        narrowed(mean, lowest - error, highest + error)
    }

    /// Returns the largest mean of values, in descending order, that numbers within the bounds give.
    fn extreme(&self, values: &[(usize, f64)]) -> f64 {
        let mut weighted: f64 = values.iter().map(|&(i, v)| self.bounds[i].0 * v).sum();
        let mut total = self.low;
        let mut largest = weighted / total;
        for &(i, v) in values {
            let (low, high) = self.bounds[i];
            weighted += (high - low) * v;
            total += high - low;
            largest = largest.max(weighted / total);
        }
        largest
    }
}

/// Values whose means are bounded by [`Shares::mean`], in the order that it needs.
pub struct Ordered {
    magnitudes: Vec<f64>,
    /// The upper ends in descending order, each with its index.
    from_high: Vec<(usize, f64)>,
    /// The lower ends with their signs changed, in descending order.
    from_low: Vec<(usize, f64)>,
    finite: bool,
}

impl Ordered {
    /// Brings values into their order.
    pub fn new(values: &[Real]) -> Ordered {
        let ordered = |end: fn(&Real) -> f64| {
            let mut ends: Vec<(usize, f64)> = values.iter().map(end).enumerate().collect();
            ends.sort_by(|a, b| b.1.total_cmp(&a.1));
            ends
        };
        Ordered {
            magnitudes: values.iter().map(|v| v.low.abs().max(v.high.abs())).collect(),
            from_high: ordered(|v| v.high),
            from_low: ordered(|v| -v.low),
            finite: values.iter().all(|v| v.low.is_finite() && v.high.is_finite() && !v.nan),
        }
    }
}

/// Returns the ends of a number that is not negative.
fn ends(x: Real) -> (f64, f64) {
    let x = x.outward();
    (x.low.max(0.0), x.high)
}

/// Cuts an interval at these bounds. `mid` is a result that some implementation has, so it always stays inside.
fn narrowed(x: Real, low: f64, high: f64) -> Real {
    if x.low.is_nan() || low.is_nan() || high.is_nan() || !x.mid.is_finite() {
        return x;
    }
    let (low, high) = (low.min(x.mid), high.max(x.mid));
    Real {
        low: x.low.max(low),
        high: x.high.min(high),
        below: x.below && x.low > low,
        above: x.above && x.high < high,
        ..x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(low: f64, mid: f64, high: f64) -> Number {
        Real { low, mid, high, ..Real::constant(mid, DType::Double) }.into()
    }

    /// The extremes are found by trying all corners of the box.
    #[test]
    fn the_extremes_of_a_mean_are_those_of_the_corners() {
        let bounds = [(0.5, 1.5), (1.0, 1.25), (0.25, 4.0), (2.0, 2.5), (0.0, 0.125)];
        let values = [3.0, -1.0, 0.5, 7.0, -20.0];
        let powers = bounds.map(|(low, high)| interval(low, (low + high) / 2.0, high));
        let shares = Shares::new(&powers, DType::Double);
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for corner in 0..1 << bounds.len() {
            let at = |i: usize| if corner >> i & 1 == 0 { bounds[i].0 } else { bounds[i].1 };
            let total: f64 = (0..bounds.len()).map(at).sum();
            let mean = (0..bounds.len()).map(|i| at(i) * values[i]).sum::<f64>() / total;
            (least, most) = (least.min(mean), most.max(mean));
        }
        let wide = interval(-1e3, 3.0, 1e3).real();
        let found = shares.mean(&Ordered::new(&values.map(|v| Real::constant(v, DType::Double))), wide, None);
        assert!(found.low <= least && least - found.low < 1e-12, "{found:?}, {least}");
        assert!(found.high >= most && found.high - most < 1e-12, "{found:?}, {most}");
    }

    #[test]
    fn a_number_without_others_is_the_whole() {
        let shares = Shares::new(&[interval(0.5, 1.0, 2.0)], DType::Double);
        let whole = shares.cut(0, interval(0.0, 1.0, 4.0).real());
        assert!(whole.low > 1.0 - 1e-14 && whole.high < 1.0 + 1e-14, "{whole:?}");
    }
}

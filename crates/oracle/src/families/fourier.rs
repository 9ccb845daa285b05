//! Discrete Fourier transforms, computed as sums in any order or by fast algorithms.
//!
//! The error of a fast algorithm is a few unit roundoffs times log2(n) times the norm of the whole transform, whatever
//! its elements are (Higham, "Accuracy and Stability of Numerical Algorithms", 24.1). For lengths that are not a power
//! of two, an algorithm that turns the transform into a convolution has this error three times, at about twice the
//! length.

use std::f64::consts::TAU;

use crate::prelude::*;
use crate::steps;
use crate::sum::ROOM;

/// Reads `onesided`, which is 0 or 1 (`onesided-known`).
pub fn onesided(call: &Call) -> Result<bool, Refusal> {
    match call.int("onesided")? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(Refusal::violates(rule::ONESIDED_KNOWN, format!("`onesided` is {other}, expected 0 or 1"))),
    }
}

fn is_finite(x: &Real) -> bool {
    x.low.is_finite() && x.high.is_finite() && !x.nan
}

/// A complex number.
pub type Complex = (Real, Real);

/// The factors of a transform of some length: `e^(direction * 2 pi j k n / length)`. An implementation computes the
/// angle and the factor in float or in double.
pub struct Factors {
    length: usize,
    factors: Vec<Complex>,
}

impl Factors {
    /// Computes the factors for the outputs `0..outputs`. Each output is a sum over `length` samples.
    pub fn new(length: usize, outputs: usize, inverse: bool, dtype: DType) -> Result<Factors, Refusal> {
        shape::affordable(&[length, outputs])?;
        let working = if dtype == DType::Double { dtype } else { DType::Float };
        let sign = if inverse { 1.0 } else { -1.0 };
        steps::take(length * outputs);
        let factor = |i: usize| factor(i / length, i % length, length, sign, working);
        Ok(Factors { length, factors: (0..length * outputs).map(factor).collect() })
    }

    /// Returns the real and the imaginary part of output `k`, each a sum in any order. Samples that are missing count
    /// as zero.
    fn sum(&self, k: usize, samples: &[Complex], dtype: DType) -> [Accumulator; 2] {
        let (mut real, mut imaginary) = (Accumulator::new(dtype), Accumulator::new(dtype));
        for ((c, s), (x, y)) in self.factors[k * self.length..].iter().zip(samples) {
            real.add_product(*c, *x);
            imaginary.add_product(*s, *x);
            if y.low != 0.0 || y.high != 0.0 {
                real.add_product(s.neg(), *y);
                imaginary.add_product(*c, *y);
            }
        }
        [real, imaginary]
    }

    /// Returns the sums that [`Factors::sum`] returns, but without the samples that are not finite. A sum is `None` if
    /// such a sample has a factor that cannot be zero.
    fn sum_of_finite(&self, k: usize, samples: &[Complex], dtype: DType) -> [Option<Accumulator>; 2] {
        [false, true].map(|imaginary| {
            let mut sum = Accumulator::new(dtype);
            for ((c, s), (x, y)) in self.factors[k * self.length..].iter().zip(samples) {
                let factors = if imaginary { [*s, *c] } else { [*c, s.neg()] };
                for (factor, x) in factors.into_iter().zip([x, y]) {
                    match is_finite(x) {
                        true => sum.add_product(factor, *x),
                        false if factor.low <= 0.0 && factor.high >= 0.0 => {}
                        false => return None,
                    }
                }
            }
            Some(sum)
        })
    }
}

fn factor(k: usize, n: usize, length: usize, sign: f64, working: DType) -> Complex {
    // The exact factor is computed from the angle without its full turns.
    let rest = (k * n) % length;
    let angle = TAU * rest as f64 / length as f64;
    let (cosine, sine) = match (4 * rest).checked_rem(length) {
        Some(0) => [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][4 * rest / length],
        _ => (libm::cos(angle), libm::sin(angle)),
    };
    if k * n == 0 {
        return (Real::constant(1.0, working), Real::constant(0.0, working));
    }
    // The angle, reduced to at most pi, comes from a rounded product and a rounded quotient. Its cosine and sine are
    // rounded, too.
    let unit = working.float_format().map_or(f64::EPSILON, |f| f.ulp(1.0)) / 2.0;
    let lost = unit * (3.0 * angle.min(TAU - angle) + 2.0);
    let around = |x: f64| Real { low: x - lost, mid: x, high: x + lost, ..Real::constant(x, working) };
    (around(cosine), around(sign * sine))
}

/// How far a fast algorithm may stray from an element of a transform, and whether partial transforms may overflow.
#[derive(Clone, Copy, Debug)]
struct Stray {
    most: f64,
    overflows: bool,
}

/// Returns how far a fast algorithm may stray in the transform of these samples, in float or in double.
fn stray(samples: &[Complex], length: usize, dtype: DType) -> Stray {
    if length == 1 {
        return Stray { most: 0.0, overflows: false };
    }
    let working = if dtype == DType::Double { dtype } else { DType::Float };
    let unit = working.float_format().map_or(f64::EPSILON, |f| f.ulp(1.0)) / 2.0;
    let size = |x: &Real| x.low.abs().max(x.high.abs());
    let largest = samples.iter().map(|(x, y)| size(x).max(size(y))).fold(0.0, f64::max);
    if !largest.is_finite() {
        return Stray { most: 0.0, overflows: true };
    }
    // Float64 has no room for the squares of its largest numbers.
    let share = |x: &Real| if largest == 0.0 { 0.0 } else { size(x) / largest };
    let magnitudes = || samples.iter().map(|(x, y)| share(x).hypot(share(y)));
    let norm = magnitudes().map(|x| x * x).sum::<f64>().sqrt();
    // Partial transforms may overflow although their sum does not. An element of a partial transform is at most the sum
    // of the magnitudes, and the norm times the square root of the length. A transform of a length that is no power of
    // two may be turned into a convolution of `padded` elements with factors of magnitude 1, which is computed by an
    // inverse transform that divides at its end.
    let most = norm * (length as f64).sqrt();
    let padded = (2 * length - 1).next_power_of_two();
    let (levels, largest_on_the_way, most) = match length.is_power_of_two() {
        true => (length.trailing_zeros(), most, magnitudes().sum::<f64>()),
        false => (3 * padded.trailing_zeros(), norm * (2.0 * length as f64 - 1.0).sqrt() * padded as f64, most),
    };
    let overflows = largest_on_the_way * largest > working.float_format().map_or(f64::MAX, |f| f.max_finite());
    // The error of one level: a factor, a product of complex numbers, and a sum.
    const LEVEL: f64 = 7.0;
    let smallest = working.float_format().map_or(0.0, |f| f.min_positive());
    Stray { most: LEVEL * smallest * length as f64 + LEVEL * unit * f64::from(levels) * most * largest, overflows }
}

/// Returns a sum as it is stored. A fast algorithm may stray from it, and an inverse transform divides it by `length`.
/// If something may overflow on the way, the result may also be an infinity or NaN (`label`), but no other finite
/// number.
fn stored(sum: Accumulator, stray: Stray, length: Option<usize>, dtype: DType, label: Label) -> Number {
    let around = |sum: Real, most: f64| Real { low: sum.low - most, high: sum.high + most, ..sum };
    let divided = |sum: Real| match length {
        Some(length) => sum.over(Real::constant(length as f64, sum.dtype)),
        None => sum,
    };
    let kept = around(sum.clone().finish_kept(), stray.most);
    let fits = kept.low.is_finite() && kept.high.is_finite();
    let quotient = if fits || !kept.mid.is_finite() {
        divided(kept)
    } else {
        divided(around(sum.finish_with_room(), libm::scalbn(stray.most, -ROOM))).scaled(ROOM)
    };
    // If the sum fits and the quotient has the type `dtype`, the quotient needs no conversion. Any other quotient is
    // brought into the range of the type.
    let number = Number::from(if fits && quotient.dtype == dtype { quotient } else { quotient.to_dtype(dtype) });
    if fits && !stray.overflows { number } else { or_infinite(number, label) }
}

/// Accepts infinities of either sign and NaN beside the number (`label`).
fn or_infinite(number: Number, label: Label) -> Number {
    let others = [f64::NEG_INFINITY, f64::INFINITY, f64::NAN];
    others.into_iter().fold(number, |number, x| number.or(number.like(x), label))
}

/// A transform of samples that have one or two parts, and how its outputs are stored. Each output has a real and an
/// imaginary part.
pub struct Transform<'a> {
    /// The factors of the transform.
    pub factors: &'a Factors,
    /// The number of parts of a sample: 1 for real samples, 2 for complex ones.
    pub parts: usize,
    /// The element type of the output.
    pub dtype: DType,
    /// The number by which the sums are divided, if any.
    pub divisor: Option<usize>,
    /// The rule for samples that are not finite, and for sums that overflow on the way.
    pub label: Label,
}

impl Transform<'_> {
    /// Computes the outputs `0..outputs`. `all` holds the parts of the given samples. The function `samples` turns the
    /// given samples into the samples that are summed.
    pub fn transform(
        &self,
        all: &[Number],
        outputs: usize,
        samples: impl Fn(&[Complex]) -> Vec<Complex>,
    ) -> Vec<[Number; 2]> {
        let preferred = self.given(all, Number::real);
        let stray_of = |given: &[Complex]| stray(given, self.factors.length, self.dtype);
        let summed = samples(&preferred);
        let finite = all.iter().all(|x| x.mid().is_finite());
        let stray = match finite {
            true => stray_of(&preferred),
            false => {
                let zero = Real::constant(0.0, self.dtype);
                let or_zero = |x: Real| if is_finite(&x) { x } else { zero };
                stray_of(&preferred.iter().map(|(x, y)| (or_zero(*x), or_zero(*y))).collect::<Vec<_>>())
            }
        };
        let open = all.iter().find_map(|x| x.latitude).map(|latitude| {
            let widest = self.given(all, Number::widest);
            (latitude.label, stray_of(&widest), samples(&widest))
        });
        let store = |sum, stray| stored(sum, stray, self.divisor, self.dtype, self.label);
        let may_be_spoilt = all.iter().any(Number::may_be_infinite_or_nan);
        let output = |k: usize| {
            let sums = match finite {
                true if may_be_spoilt => {
                    let sums = self.factors.sum(k, &summed, self.dtype).map(|sum| store(sum, stray));
                    sums.map(|sum| sum.or(self.spoilt(None, stray), self.label))
                }
                true => self.factors.sum(k, &summed, self.dtype).map(|sum| store(sum, stray)),
                false => self.factors.sum_of_finite(k, &summed, self.dtype).map(|sum| self.spoilt(sum, stray)),
            };
            let Some((label, stray, widest)) = &open else { return sums };
            let others = self.factors.sum(k, widest, self.dtype).map(|sum| store(sum, *stray));
            [sums[0].or(others[0], *label), sums[1].or(others[1], *label)]
        };
        (0..outputs).map(output).collect()
    }

    fn given(&self, all: &[Number], real: impl Fn(&Number) -> Real) -> Vec<Complex> {
        let zero = Real::constant(0.0, self.dtype);
        all.chunks(self.parts).map(|x| (real(&x[0]), x.get(1).map_or(zero, &real))).collect()
    }

    /// Returns an output of samples that are not all finite. By the formula the output is an infinity or NaN. It is NaN
    /// if a sample is NaN, if infinities of both signs meet, or if an infinity meets a zero. If all samples that are
    /// not finite have factors that may be zero, `left_out` is the sum without these samples, which an implementation
    /// may return, too. A fast algorithm may stray from it by `stray`.
    fn spoilt(&self, left_out: Option<Accumulator>, stray: Stray) -> Number {
        let spoilt = or_infinite(Number::constant(f64::NAN, self.dtype), self.label);
        left_out.map_or(spoilt, |sum| spoilt.or(stored(sum, stray, self.divisor, self.dtype, self.label), self.label))
    }
}

//! A real number as the oracle knows it: the answer, and how far a correct implementation may stray from it.
//!
//! `mid` is the exact result as float64 sees it; `[low, high]` is what implementations working at the precision of
//! `dtype` may have at this step (running error analysis: each step maps the ends and widens them by what it may lose).
//!
//! The ends are rounded to float64 themselves. `below` and `above` say that an end lost something in this: the exact end lies up to one
//! step of float64 further out. A result is held against the rounded ends, because rounding keeps order: the correctly rounded answer
//! lies between the rounded ends wherever the exact one lies between the exact ends. The next step starts from
//! [`Real::outward`], so that it covers implementations that rounded and those that did not.

mod functions;
mod steps;

use plumbline_tensor::{DType, FloatFormat, Saturation};

use super::precision::{self, Function};
use steps::{Ends, Step};

/// A real number with what is accepted in its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Real {
    /// Smallest accepted value; NaN where no number is accepted.
    pub low: f64,
    /// The exact result, rounded to float64.
    pub mid: f64,
    /// Largest accepted value; NaN where no number is accepted.
    pub high: f64,
    /// The type whose precision each step has.
    pub dtype: DType,
    /// Whether NaN is accepted.
    pub nan: bool,
    /// Whether the sign of a zero counts.
    pub signed_zero: bool,
    /// Whether only integers between the ends are accepted.
    pub integral: bool,
    /// Whether exact results may lie below `low`, by less than one step of float64.
    pub below: bool,
    /// Whether exact results may lie above `high`, by less than one step of float64.
    pub above: bool,
}

impl Real {
    /// An element as it stands in a tensor.
    #[inline]
    pub fn exact(value: f64, dtype: DType) -> Real {
        let mut real = Real {
            low: value,
            mid: value,
            high: value,
            dtype,
            nan: value.is_nan(),
            signed_zero: true,
            integral: false,
            below: false,
            above: false,
        };
        if precision::flushing() {
            real = real.flushed();
        }
        real
    }

    /// A constant of the formula: no error, and the sign of a zero does not count.
    #[inline]
    pub fn constant(value: f64, dtype: DType) -> Real {
        Real { signed_zero: false, ..Real::exact(value, dtype) }
    }

    /// Whether exactly one value is accepted.
    #[inline]
    pub fn is_point(&self) -> bool {
        self.low == self.high && !self.nan || self.low.is_nan()
    }

    /// Whether the answer is NaN, nothing else being accepted.
    #[inline]
    pub fn is_nan(&self) -> bool {
        self.mid.is_nan() && self.low.is_nan()
    }

    /// The same number at another precision, rounded to it (correctly: casts have no latitude).
    pub fn to_dtype(self, dtype: DType) -> Real {
        Real { dtype, ..self }.nearest().flushed_where_allowed()
    }

    /// Subnormal ends become zero where the policy in force lets them.
    pub fn flushed_where_allowed(self) -> Real {
        if precision::flushing() { self.flushed() } else { self }
    }

    /// The same number with ends that no exact result lies beyond.
    #[inline]
    pub fn outward(self) -> Real {
        if !self.below && !self.above {
            return self;
        }
        let (mut low, mut high) = (self.low, self.high);
        // Overflow is judged where it happens: neither end becomes infinite here, nor finite again.
        if self.below && low.abs() < f64::MAX {
            low = low.next_down();
        }
        if self.above && high.abs() < f64::MAX {
            high = high.next_up();
        }
        Real { low, high, below: false, above: false, ..self }
    }

    /// The same number as an implementation has it that rounded it: exact results beyond its ends are left out.
    pub fn rounded_ends(self) -> Real {
        Real { below: false, above: false, ..self }
    }

    /// Everything that either of two ways to compute the same number accepts; the answer is that of this one.
    #[inline]
    pub fn hull(self, other: Real) -> Real {
        if self.low.is_nan() || other.low.is_nan() {
            return Real { nan: self.nan || other.nan, ..if self.low.is_nan() { other } else { self } };
        }
        Real {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            nan: self.nan || other.nan,
            signed_zero: self.signed_zero && other.signed_zero,
            integral: self.integral && other.integral,
            below: self.below && self.low <= other.low || other.below && other.low <= self.low,
            above: self.above && self.high >= other.high || other.above && other.high >= self.high,
            ..self
        }
    }

    /// The same number, with later steps at another precision; no rounding.
    pub fn at_precision(self, dtype: DType) -> Real {
        Real { dtype, ..self }
    }

    #[inline]
    fn format(&self) -> &'static FloatFormat {
        FloatFormat::of(self.dtype).unwrap_or_else(|| FloatFormat::of(DType::Double).expect("float64 has a layout"))
    }

    /// Both ends rounded to nearest in the type: what storing this number does.
    pub fn nearest(self) -> Real {
        let format = self.format();
        let round = |x: f64| if x.is_nan() { x } else { format.decode(format.encode(x, Saturation::None)) };
        // Float64 holds the ends as they are; in another type what they lost may decide a tie.
        let x = if self.dtype == DType::Double { self } else { self.outward() };
        let (low, mid, high) = (round(x.low), round(x.mid), round(x.high));
        Real { low, mid, high, nan: x.nan || mid.is_nan(), ..x }
    }

    fn flushed(self) -> Real {
        let tiny = self.format().min_normal();
        let (mut low, mut high) = (self.low, self.high);
        if low > 0.0 && low < tiny {
            low = 0.0;
        }
        if high < 0.0 && high > -tiny {
            high = 0.0;
        }
        Real { low, high, signed_zero: self.signed_zero && low != 0.0 && high != 0.0, ..self }
    }

    /// Widened by an error of `ulps` units in the last place of the type; 0.5 is a correct rounding. What a number of the type is, is not
    /// widened by a correct rounding. In float64 that cannot be seen, for the number may be rounded already: one with no more bits
    /// than a float counts as exact, and any other may have lost something to either side.
    #[inline]
    pub fn widened(self, ulps: f64) -> Real {
        if self.low.is_nan() || ulps == 0.0 {
            return Real { signed_zero: false, ..self };
        }
        let x = self.outward();
        if self.dtype != DType::Double {
            return if ulps <= 0.5 { x.correctly_rounded() } else { x.strayed(ulps) };
        }
        if x.low == x.high && ulps <= 0.5 {
            let lost = x.low.is_finite() && f64::from(x.low as f32) != x.low;
            return Real { below: lost, above: lost, ..x.guarded(x.low, x.high) };
        }
        // The ends were computed in float64, which loses something as well.
        x.strayed(ulps + 1.0)
    }

    /// The nearest number of the type.
    #[inline]
    fn stored(&self, x: f64) -> f64 {
        match self.dtype {
            DType::Double => x,
            DType::Float => f64::from(x as f32),
            _ => {
                let format = self.format();
                format.decode(format.encode(x, Saturation::None))
            }
        }
    }

    /// What implementations have that round correctly in a type below float64, or do not round yet: rounding keeps order, so that it
    /// is enough to round the ends.
    fn correctly_rounded(self) -> Real {
        let (low, high) = (self.stored(self.low), self.stored(self.high));
        if low == self.low && high == self.high && low == high {
            return self.guarded(low, high);
        }
        let (low, high) = (self.low.min(low), self.high.max(high));
        if self.dtype == DType::Float {
            return self.guarded(low.next_down(), high.next_up());
        }
        // Elements of a type below float may be kept as float, which is rounded as well.
        let kept = |x: f64| if x.is_finite() { x.abs() * f64::from(f32::EPSILON) } else { 0.0 };
        self.guarded((low - kept(low)).next_down(), (high + kept(high)).next_up())
    }

    /// Ends moved outward by so many units in the last place.
    #[inline]
    fn strayed(self, ulps: f64) -> Real {
        let format = self.format();
        let (low, high) = (self.low - ulps * format.ulp(self.low), self.high + ulps * format.ulp(self.high));
        match self.dtype {
            DType::Double => self.guarded(low, high),
            _ => self.guarded(low.next_down(), high.next_up()),
        }
    }

    /// Ends beyond the largest finite value of the type: infinity from half a step above it on, and where the interval crosses it.
    /// The inner end of 16-bit and smaller types stays where it is: an implementation may keep steps in float, which does not overflow.
    #[inline]
    fn guarded(self, low: f64, high: f64) -> Real {
        let format = self.format();
        let max = format.max_finite();
        if low.abs() <= max && high.abs() <= max && !precision::flushing() {
            return Real { low, high, signed_zero: false, ..self };
        }
        let threshold = max + format.ulp(max) / 2.0;
        let kept_wider = !matches!(self.dtype, DType::Float | DType::Double);
        let stored = |x: f64, inner: bool| match x.abs() {
            a if a <= max => x,
            a if a < threshold => max.copysign(x),
            _ if inner && kept_wider => x,
            _ => f64::INFINITY.copysign(x),
        };
        let (low, high) = (stored(low, low > 0.0), stored(high, high < 0.0));
        let result = Real { low, high, signed_zero: false, ..self };
        if precision::flushing() { result.flushed() } else { result }
    }

    fn whole_line(self, mid: f64) -> Real {
        Real { low: f64::NEG_INFINITY, mid, high: f64::INFINITY, nan: true, signed_zero: false, ..self }
    }

    fn not_a_number(self) -> Real {
        Real { low: f64::NAN, mid: f64::NAN, high: f64::NAN, nan: true, signed_zero: false, ..self }
    }

    /// `-x`; exact.
    #[allow(clippy::should_implement_trait)]
    pub fn neg(self) -> Real {
        Real { low: -self.high, mid: -self.mid, high: -self.low, below: self.above, above: self.below, ..self }
    }

    /// `|x|`; exact.
    pub fn abs(self) -> Real {
        if self.low.is_nan() {
            return self;
        }
        if self.low < 0.0 && self.high > 0.0 {
            let x = self.outward();
            return Real { low: 0.0, mid: x.mid.abs(), high: x.high.max(-x.low), ..x };
        }
        let x = if self.high <= 0.0 { self.neg() } else { self };
        Real { low: x.low.abs(), mid: x.mid.abs(), high: x.high.abs(), below: x.below && x.low != 0.0, ..x }
    }

    /// `a + b`
    #[inline]
    pub fn plus(self, b: Real) -> Real {
        let (x, y) = (self.outward(), b.outward());
        let sum =
            Real::step(x, y, self.mid + b.mid, Ends::of(Step::Add, [(x.low, y.low), (x.high, y.high)]), Function::Add);
        // Both may have overflowed, to infinities of either sign.
        let opposite = |a: Real, b: Real| a.high == f64::INFINITY && b.low == f64::NEG_INFINITY;
        Real { nan: sum.nan || opposite(self, b) || opposite(b, self), ..sum }
    }

    /// `a - b`
    pub fn minus(self, b: Real) -> Real {
        self.plus(b.neg())
    }

    /// `a * b`
    #[inline]
    pub fn times(self, b: Real) -> Real {
        let (x, y) = (self.outward(), b.outward());
        let ends = Ends::over_corners(Step::Multiply, x, y);
        let (low, high) = (ends.low, ends.high);
        Real::step(x, y, self.mid * b.mid, ends, Function::Multiply).of_the_sign(low, high)
    }

    /// No rounding changes a sign: what was on one side of zero before a step was widened stays there.
    #[inline]
    fn of_the_sign(self, low: f64, high: f64) -> Real {
        // Unless a result is zero because what is left of it is too small for float64.
        let (vanished_below, vanished_above) = (low == 0.0 && self.below, high == 0.0 && self.above);
        match (low >= 0.0 && !vanished_below, high <= 0.0 && !vanished_above) {
            (true, _) => self.not_below(0.0),
            (_, true) => self.neg().not_below(0.0).neg(),
            _ => self,
        }
    }

    /// What is accepted of a number that no implementation makes smaller than this.
    #[inline]
    pub fn not_below(self, least: f64) -> Real {
        if self.low > least {
            return self;
        }
        // NaN stays.
        Real { low: if self.low < least { least } else { self.low }, below: false, ..self }
    }

    /// `a / b`
    ///
    /// Divides within the declared error, except by a power of two: that loses no more than a multiplication, and so nothing where `a` is
    /// a number of the type. It moves the exponent only, and each way to divide in use does so exactly: a correctly rounded
    /// division because the quotient is representable, and a multiplication by the reciprocal, tabulated or refined by Newton's steps,
    /// because the reciprocal of a power of two is one (the table's first entry; a step from an exact value stays there). This needs
    /// quotient, divisor and reciprocal to be normal, as subnormal numbers may be rounded, or lost in the middle of a division.
    /// Other quotients that are representable, such as 6 / 3, have no such rule: 6 times the rounded 1 / 3 need not be 2.
    #[inline]
    pub fn over(self, b: Real) -> Real {
        let mid = self.mid / b.mid;
        // Where the exact divisor only just reaches zero, the rounded one says whether anything can be said.
        let y = match b.outward() {
            y if y.low <= 0.0 && y.high >= 0.0 => b.rounded_ends(),
            y => y,
        };
        if y.low != y.high && y.low <= 0.0 && y.high >= 0.0 {
            return if self.is_nan() { self.not_a_number() } else { self.whole_line(mid) };
        }
        let x = self.outward();
        let ends = Ends::over_corners(Step::Divide, x, y);
        let (low, high) = (ends.low, ends.high);
        Real::step(x, y, mid, ends, Function::Divide).of_the_sign(low, high)
    }

    /// The remainder of `a / b` with the sign of `a` (C's fmod); exact for points.
    pub fn fmod(self, b: Real) -> Real {
        let mid = libm::fmod(self.mid, b.mid);
        if self.is_point() && b.is_point() {
            return Real::step(self, b, mid, Ends::computed(mid, mid), Function::Remainder);
        }
        if self.is_nan() || b.is_nan() { self.not_a_number() } else { self.whole_line(mid) }
    }

    /// `x * 2^power`, of a formula rather than of an implementation: nothing is rounded, and nothing overflows in the type.
    pub fn scaled(self, power: i32) -> Real {
        let scale = |x: f64| libm::scalbn(x, power);
        let (low, high) = (scale(self.low), scale(self.high));
        // Subnormal numbers lose bits.
        let lost = |x: f64, scaled: f64| scaled.is_finite() && libm::scalbn(scaled, -power) != x;
        let (below, above) = (self.below || lost(self.low, low), self.above || lost(self.high, high));
        Real { low, mid: scale(self.mid), high, below, above, ..self }
    }

    /// The same number, with nothing accepted outside of `[low, high]`, the range of its function.
    pub fn within(self, low: f64, high: f64) -> Real {
        // NaN stays.
        let clamp = |x: f64| {
            if x < low {
                low
            } else if x > high {
                high
            } else {
                x
            }
        };
        let (below, above) = (self.below && self.low > low, self.above && self.high < high);
        Real { low: clamp(self.low), mid: clamp(self.mid), high: clamp(self.high), below, above, ..self }
    }

    /// Whether a value of the type is accepted.
    pub fn accepts(&self, value: f64) -> bool {
        if value.is_nan() {
            return self.nan;
        }
        if !(self.low <= value && value <= self.high) {
            return false;
        }
        if self.integral && value.is_finite() && value.fract() != 0.0 {
            return false;
        }
        let zero_matters = self.signed_zero && value == 0.0 && self.mid == 0.0;
        !zero_matters || value.is_sign_negative() == self.mid.is_sign_negative()
    }
}

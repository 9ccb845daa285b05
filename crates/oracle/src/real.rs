//! [`Real`]: a real number as the oracle computes it, with the interval in which a correct implementation may have it.
//!
//! `mid` is the exact result, rounded to float64. `[low, high]` contains what an implementation that works at the
//! precision of `dtype` may have at this step. This is a running error analysis: each step maps the ends of the
//! interval, and widens it by the error that the step may add.
//!
//! The ends are float64 numbers, and computing them may round as well. `below` and `above` say that an end was rounded
//! inward: the exact end lies further out, by less than one unit in the last place of float64. Results are compared
//! with the rounded ends. That is correct because rounding is monotonic: the correctly rounded answer lies between the
//! rounded ends wherever the exact answer lies between the exact ends. The next step starts from [`Real::outward`], so
//! that it covers both the implementations that rounded here and those that did not.

// Over 400 lines: the arithmetic of one type of number.

mod functions;
mod steps;

use plumbline_tensor::{DType, FloatFormat};

use super::function_name::Function;
use super::precision;
use steps::{Ends, Step};

/// A real number with the interval that is accepted in its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Real {
    /// The smallest accepted value; NaN where only NaN is accepted.
    pub low: f64,
    /// The exact result, rounded to float64.
    pub mid: f64,
    /// The largest accepted value; NaN where only NaN is accepted.
    pub high: f64,
    /// The type in whose precision the steps are computed.
    pub dtype: DType,
    /// Whether NaN is accepted.
    pub nan: bool,
    /// Whether the sign of a zero counts.
    pub signed_zero: bool,
    /// Whether only the integers between the ends are accepted.
    pub integral: bool,
    /// Whether exact results may lie below `low`, by less than one unit in the last place of float64.
    pub below: bool,
    /// Whether exact results may lie above `high`, by less than one unit in the last place of float64.
    pub above: bool,
}

impl Real {
    /// Returns `value` as an element of a tensor: it is exact, and the sign of a zero counts. If the policy in force
    /// lets implementations flush subnormal numbers, a subnormal element may also be zero, and the sign of a zero does
    /// not count. If implementations compute double in float, an element of double may be the nearest float.
    #[inline]
    pub fn exact(value: f64, dtype: DType) -> Real {
        Real::exact_in(dtype)(value)
    }

    /// Returns [`Real::exact`] for many elements of a type, under the policy that is in force now.
    #[inline]
    pub(crate) fn exact_in(dtype: DType) -> impl Fn(f64) -> Real {
        let in_float = dtype == DType::Double && precision::working(dtype) == DType::Float;
        let flushing = precision::flushing();
        move |value| {
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
            if in_float {
                real = real.or_nearest_float();
            }
            if flushing {
                real = real.flushed();
            }
            real
        }
    }

    /// Returns an element of double for later steps in float, which may start from the element or the nearest float.
    fn or_nearest_float(self) -> Real {
        let nearest = f64::from(self.mid as f32);
        Real { low: self.low.min(nearest), high: self.high.max(nearest), dtype: DType::Float, ..self }
    }

    /// Returns a constant of a formula: like [`Real::exact`], but the sign of a zero never counts.
    #[inline]
    pub fn constant(value: f64, dtype: DType) -> Real {
        Real { signed_zero: false, ..Real::exact(value, dtype) }
    }

    /// Returns whether exactly one value is accepted.
    #[inline]
    pub fn is_point(&self) -> bool {
        self.low == self.high && !self.nan || self.low.is_nan()
    }

    /// Returns whether all implementations have the same number here. This is not so for a step that overflows: the
    /// only value accepted is an infinity, but an implementation that computes in a wider type continues with the exact
    /// result.
    #[inline]
    pub fn is_certain(&self) -> bool {
        self.is_point() && !self.has_overflowed()
    }

    /// Returns whether a step overflowed in the type, but not in float64.
    #[inline]
    fn has_overflowed(&self) -> bool {
        self.low == self.high && self.low.is_infinite() && self.mid.is_finite()
    }

    /// Returns the same number; if the step overflowed, its interval reaches from the exact result to infinity.
    #[inline]
    pub fn with_exact_result(self) -> Real {
        if !self.has_overflowed() {
            return self;
        }
        Real { low: self.low.min(self.mid), high: self.high.max(self.mid), ..self }
    }

    /// Returns whether only integers are accepted for this number.
    pub fn is_whole(&self) -> bool {
        self.integral || self.is_point() && self.low.fract() == 0.0
    }

    /// Returns whether only integers are accepted for both numbers, of which at least one is uncertain.
    #[inline]
    pub fn are_whole(&self, other: &Real) -> bool {
        (self.integral || other.integral) && self.is_whole() && other.is_whole()
    }

    /// Returns whether NaN and nothing else is accepted.
    #[inline]
    pub fn is_nan(&self) -> bool {
        self.mid.is_nan() && self.low.is_nan()
    }

    /// Returns the number rounded to another type. It is rounded correctly: the specification allows casts no error. Where
    /// implementations may join nodes, the number before it is rounded is accepted as well: a node that reads it may be
    /// computed together with it.
    #[inline]
    pub fn to_dtype(self, dtype: DType) -> Real {
        let stored = Real { dtype: precision::working(dtype), ..self }.nearest().flushed_where_allowed();
        match precision::may_join() {
            true => Real { low: stored.low.min(self.low), high: stored.high.max(self.high), ..stored },
            false => stored,
        }
    }

    /// Extends the interval to zero if its end nearest to zero is subnormal, and the policy in force lets
    /// implementations flush subnormal numbers.
    #[inline]
    pub fn flushed_where_allowed(self) -> Real {
        if precision::flushing() { self.flushed() } else { self }
    }

    /// Returns the same number with its ends moved outward, where they were rounded inward, so that no exact result
    /// lies beyond them.
    #[inline]
    pub fn outward(self) -> Real {
        if !self.below && !self.above {
            return self;
        }
        let (mut low, mut high) = (self.low, self.high);
        // The step that computed an end has decided whether it is infinite: moving it keeps a finite end finite, and an
        // infinite end infinite.
        if self.below && low.abs() < f64::MAX {
            low = low.next_down();
        }
        if self.above && high.abs() < f64::MAX {
            high = high.next_up();
        }
        Real { low, high, below: false, above: false, ..self }
    }

    /// Returns the number that an implementation has if it rounds here: exact results beyond the rounded ends are left
    /// out.
    pub fn rounded_ends(self) -> Real {
        Real { below: false, above: false, ..self }
    }

    /// Combines two results for the same number, computed in different ways: accepts whatever `self` or `other`
    /// accepts. The preferred answer is that of `self`, unless `self` accepts only NaN.
    #[inline]
    pub fn hull(self, other: Real) -> Real {
        if self.low.is_nan() || other.low.is_nan() {
            return Real { nan: self.nan || other.nan, ..if self.low.is_nan() { other } else { self } };
        }
        Real {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            nan: self.nan || other.nan,
            // Two zeros of different signs may come together.
            signed_zero: self.signed_zero && other.signed_zero && (self.mid != 0.0 || !other.accepts(-self.mid)),
            integral: self.are_whole(&other),
            below: self.below && self.low <= other.low || other.below && other.low <= self.low,
            above: self.above && self.high >= other.high || other.above && other.high >= self.high,
            ..self
        }
    }

    /// Returns the same number, not rounded, for later steps that have the precision of another type.
    #[inline]
    pub fn at_precision(self, dtype: DType) -> Real {
        Real { dtype: precision::working(dtype), ..self }
    }

    #[inline]
    fn format(&self) -> &'static FloatFormat {
        FloatFormat::for_dtype(self.dtype)
            .unwrap_or_else(|| FloatFormat::for_dtype(DType::Double).expect("double is a floating-point type"))
    }

    /// Rounds the ends and `mid` to the nearest numbers of the type, as storing the number in a tensor does.
    pub fn nearest(self) -> Real {
        let format = self.format();
        // The ends are float64 numbers, so that double needs no rounding. For another type, what was lost when the ends
        // were rounded to float64 may decide a tie.
        let x = if self.dtype == DType::Double { self } else { self.outward() };
        // A type without NaN would make a number of it.
        let round = |x: f64| if x.is_nan() { x } else { format.nearest(x) };
        let mid = round(x.mid);
        let (low, high) = match [x.low, x.high].map(f64::to_bits) == [x.mid.to_bits(); 2] {
            true => (mid, mid),
            false => (round(x.low), round(x.high)),
        };
        Real { low, mid, high, nan: x.nan || mid.is_nan(), ..x }
    }

    /// Returns whether an implementation may compare the number as zero, because it flushes subnormal numbers.
    #[inline]
    pub fn compares_as_zero(&self) -> bool {
        precision::flushing() && self.low.abs().max(self.high.abs()) < self.format().min_normal()
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

    /// Widens the interval by an error of `ulps` units in the last place of the type; 0.5 stands for correct rounding.
    /// Correct rounding does not widen a number that the type can represent. For double, a number does not show
    /// whether it was rounded already: if it has no more bits than a float, it counts as exact; any other number may
    /// have lost something in either direction.
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
        // The ends were computed in float64, which adds an error of its own.
        x.strayed(ulps + 1.0)
    }

    /// Returns the nearest number of the type.
    #[inline]
    fn stored(&self, x: f64) -> f64 {
        match self.dtype {
            DType::Float => f64::from(x as f32),
            _ => self.format().nearest(x),
        }
    }

    /// Returns what implementations in a type narrower than float64 may have if they round this step correctly, or do
    /// not round it yet. Rounding is monotonic, so that it is enough to round the ends.
    fn correctly_rounded(self) -> Real {
        let (low, high) = (self.stored(self.low), self.stored(self.high));
        if low == self.low && high == self.high && low == high {
            return self.guarded(low, high);
        }
        let (low, high) = (self.low.min(low), self.high.max(high));
        if self.dtype == DType::Float {
            return self.guarded(low.next_down(), high.next_up());
        }
        // An implementation may keep elements of a type narrower than float as float, and round them to float. If it
        // rounds the result to the type later, a result between two numbers may have become the middle in float.
        let twice = |x: f64| self.stored(f64::from(x as f32));
        let (low, high) = (low.min(twice(self.low)), high.max(twice(self.high)));
        let kept = |x: f64| if x.is_finite() { x.abs() * f64::from(f32::EPSILON) } else { 0.0 };
        self.guarded((low - kept(low)).next_down(), (high + kept(high)).next_up())
    }

    /// Moves the ends outward by `ulps` units in the last place.
    #[inline]
    fn strayed(self, ulps: f64) -> Real {
        let format = self.format();
        let (low, high) = (self.low - ulps * format.ulp(self.low), self.high + ulps * format.ulp(self.high));
        match self.dtype {
            DType::Double => self.guarded(low, high),
            _ => self.guarded(low.next_down(), high.next_up()),
        }
    }

    /// Handles ends beyond the largest finite value of the type, as rounding does: an end that is beyond that value by
    /// at least half a unit in the last place becomes infinite, and any other becomes that value. In a 16-bit or
    /// smaller type, the end nearer to zero does not become infinite, and the other one stays if it is not that far
    /// beyond, because an implementation may keep the steps in float, which does not overflow yet.
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
            a if a < threshold && (inner || !kept_wider) => max.copysign(x),
            a if a < threshold || inner && kept_wider => x,
            _ => f64::INFINITY.copysign(x),
        };
        let (low, high) = (stored(low, low > 0.0), stored(high, high < 0.0));
        let result = Real { low, high, signed_zero: false, ..self };
        if precision::flushing() { result.flushed() } else { result }
    }

    fn whole_line(self, mid: f64) -> Real {
        Real { mid, ..self.or_anything() }
    }

    fn not_a_number(self) -> Real {
        Real { low: f64::NAN, mid: f64::NAN, high: f64::NAN, nan: true, signed_zero: false, ..self }
    }

    /// Returns `-x`, exactly.
    #[allow(clippy::should_implement_trait)]
    pub fn neg(self) -> Real {
        Real { low: -self.high, mid: -self.mid, high: -self.low, below: self.above, above: self.below, ..self }
    }

    /// Returns `|x|`, exactly.
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

    /// Returns `a + b`.
    #[inline]
    pub fn plus(self, b: Real) -> Real {
        let (x, y) = (self.outward(), b.outward());
        let sum = Real::step(
            x,
            y,
            self.mid + b.mid,
            Ends::after(Step::Add, [(x.low, y.low), (x.high, y.high)]),
            Function::Add,
        );
        // Both operands may have overflowed, to infinities of opposite signs.
        let opposite = |a: Real, b: Real| a.high == f64::INFINITY && b.low == f64::NEG_INFINITY;
        Real { nan: sum.nan || opposite(self, b) || opposite(b, self), ..sum }
    }

    /// Returns `a - b`.
    pub fn minus(self, b: Real) -> Real {
        self.plus(b.neg())
    }

    /// Returns `a * b`.
    #[inline]
    pub fn times(self, b: Real) -> Real {
        let (x, y) = (self.outward(), b.outward());
        let ends = Ends::over_corners(Step::Multiply, x, y);
        let (low, high) = (ends.low, ends.high);
        let product = Real::step(x, y, self.mid * b.mid, ends, Function::Multiply).of_the_sign(low, high);
        // Zero times infinity is NaN, also where zero lies between the ends.
        let infinite = |x: Real| x.low.is_infinite() || x.high.is_infinite();
        let invalid = |x: Real, y: Real| x.low <= 0.0 && x.high >= 0.0 && infinite(y);
        match low.is_infinite() || high.is_infinite() {
            true => Real { nan: product.nan || invalid(x, y) || invalid(y, x), ..product },
            false => product,
        }
    }

    /// Keeps a widened result on the side of zero on which its exact ends `low` and `high` lie, because no rounding
    /// changes a sign.
    #[inline]
    fn of_the_sign(self, low: f64, high: f64) -> Real {
        // If an end is zero only because float64 has no smaller number, its exact value may lie on either side.
        let (vanished_below, vanished_above) = (low == 0.0 && self.below, high == 0.0 && self.above);
        match (low >= 0.0 && !vanished_below, high <= 0.0 && !vanished_above) {
            (true, _) => self.not_below(0.0),
            (_, true) => self.neg().not_below(0.0).neg(),
            _ => self,
        }
    }

    /// Cuts the interval at `least`, a value below which no implementation's result lies.
    #[inline]
    pub fn not_below(self, least: f64) -> Real {
        if self.low > least {
            return self;
        }
        // A NaN end stays NaN.
        Real { low: if self.low < least { least } else { self.low }, below: false, ..self }
    }

    /// Returns `a / b`.
    ///
    /// The error is the declared one of a division, unless `b` is a power of two: such a division adds no more error
    /// than a multiplication, and so none if `a` is a number of the type. It only changes the exponent, and all usual
    /// ways to divide do this exactly: a correctly rounded division because the quotient is representable, and a
    /// multiplication by the reciprocal because the reciprocal of a power of two is a power of two (a table of
    /// reciprocals has it as its first entry, and Newton's steps do not change a reciprocal that is exact). Quotient,
    /// divisor and reciprocal have to be normal for this, because subnormal numbers may be rounded, or lost in the
    /// middle of a division. Other representable quotients, such as 6 / 3, have no such rule: 6 times the rounded 1 / 3
    /// need not be 2.
    #[inline]
    pub fn over(self, b: Real) -> Real {
        let mid = self.mid / b.mid;
        // If the divisor reaches zero only because its ends were moved outward, its rounded ends decide whether the
        // quotient has bounds.
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
        let quotient = Real::step(x, y, mid, ends, Function::Divide).of_the_sign(low, high);
        // Zero divided by zero is NaN, also where the dividend is zero between its ends.
        Real { nan: quotient.nan || y.low == 0.0 && y.high == 0.0 && x.low <= 0.0 && x.high >= 0.0, ..quotient }
    }

    /// Returns the remainder of `a / b` with the sign of `a` (C's fmod). It is exact if both operands are certain.
    /// Otherwise, everything is accepted, or only NaN if an operand is NaN.
    pub fn fmod(self, b: Real) -> Real {
        let mid = libm::fmod(self.mid, b.mid);
        if self.is_certain() && b.is_certain() {
            return Real::step(self, b, mid, Ends::computed(mid, mid), Function::Remainder);
        }
        if self.is_nan() || b.is_nan() { self.not_a_number() } else { self.whole_line(mid) }
    }

    /// Returns `x * 2^power` as a formula has it, not as an implementation computes it: nothing is rounded, and nothing
    /// overflows in the type.
    pub fn scaled(self, power: i32) -> Real {
        let scale = |x: f64| libm::scalbn(x, power);
        let (low, high) = (scale(self.low), scale(self.high));
        // A result that is subnormal in float64 loses bits.
        let lost = |x: f64, scaled: f64| scaled.is_finite() && libm::scalbn(scaled, -power) != x;
        let (below, above) = (self.below || lost(self.low, low), self.above || lost(self.high, high));
        Real { low, mid: scale(self.mid), high, below, above, integral: self.integral && power >= 0, ..self }
    }

    /// Cuts the interval to `[low, high]`, the range of the function that computed the number.
    pub fn within(self, low: f64, high: f64) -> Real {
        // A NaN end stays NaN.
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

    /// Returns whether a value of the type is accepted.
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

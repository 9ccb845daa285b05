//! [`Number`]: one element as kernels compute with it, with what is accepted in its place.
//!
//! Three methods accept something else beside a number. Which one a kernel calls depends on why:
//!
//! | method | why something else is accepted | what becomes of it | example |
//! | --- | --- | --- | --- |
//! | [`hull`](Number::hull) | another formula has the same value, and an implementation may use it | a part of the interval: a pass | `x / sqrt(y)` or `x * (1 / sqrt(y))` |
//! | [`or`](Number::or) | a rule does not decide between this value and another one | an outcome: a finding | Sign of NaN: `x.or(x.like(0.0), rule::NAN)` |
//! | [`undecided`](Number::undecided) | a rule allows any value | every value is an outcome | Div of integers by zero |
//!
//! What `or` is given says what the outcome is:
//!
//! | outcome | means | example |
//! | --- | --- | --- |
//! | a `Number` or a `Real` | the other value, with its interval and its own outcomes | the body of a function, which differs from the text |
//! | the same, [`overflowing`](Number::overflowing) | the other value comes from a formula that may overflow | the norm as the root of the sum of squares |
//! | an [`Allowed`] | a list of values | either end of the integer range |
//!
//! Arithmetic passes the outcomes of its operands on. A kernel that computes with something else than arithmetic passes
//! them on by one of these:
//!
//! | method | for | example |
//! | --- | --- | --- |
//! | [`each_way`](Number::each_way) | a function of one or two numbers that adds outcomes of its own | Cast |
//! | [`each_part`](Number::each_part) | a function that decides by the kind or the sign of a number | Clip |
//! | [`opened_by`](Number::opened_by) | a function of many real numbers, whose outcomes cannot be combined one by one | sums, products |
//! | [`opened_ints`](Number::opened_ints) | a function of many integers that is not monotonic | ReduceL2 |

mod allowed;
mod arithmetic;
mod elements;
mod functions;
mod integers;
mod order;
mod outcomes;
mod parts;

pub use allowed::{Allowed, Ints, Reals};
pub use arithmetic::wrap;
pub use elements::{ElementBytes, Elements, bytes_of};
pub use outcomes::Outcome;

use plumbline_tensor::DType;

use super::real::Real;
use crate::Label;

/// An integer element (or a bool, as 0 or 1) and the range of integers that is accepted in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int {
    /// The smallest accepted value.
    pub low: i128,
    /// The preferred answer.
    pub mid: i128,
    /// The largest accepted value.
    pub high: i128,
    /// The element type. Arithmetic is exact and may leave the range of this type; [`Number::wraps`] brings a result
    /// back into it.
    pub dtype: DType,
}

impl Int {
    /// Applies `f` to two integers of one type, whose ranges are mapped by their ends (see [`Number::combine`]).
    #[inline]
    fn combine(self, y: Int, f: impl Fn(i128, i128) -> i128) -> Int {
        let mid = f(self.mid, y.mid);
        if self.low == self.high && y.low == y.high {
            return Int { low: mid, mid, high: mid, ..self };
        }
        let ends = [f(self.low, y.low), f(self.low, y.high), f(self.high, y.low), f(self.high, y.high)];
        let (low, high) = ends.iter().fold((mid, mid), |(low, high), &end| (low.min(end), high.max(end)));
        Int { low, mid, high, ..self }
    }
}

/// The freedom that the specification leaves for one element: the rule that does not decide, and its other outcomes. If
/// a backend returns one of these outcomes, that is a finding, not a failure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Latitude {
    /// The name of the rule (a behaviour) that does not decide.
    pub label: Label,
    /// The outcomes that are allowed besides the preferred answer and its interval.
    pub allowed: Allowed,
}

/// The value of a [`Number`], and the interval that is accepted in its place. The element type decides between the two
/// kinds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberKind {
    /// An integer or bool.
    Int(Int),
    /// A floating-point number.
    Real(Real),
}

/// One element of an [`Expected`](crate::Expected) as kernels compute with it. Arithmetic on numbers maps the preferred
/// answer, its interval and each outcome of its latitude, so that a result accepts what correct implementations may
/// have there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// The preferred answer and its interval.
    pub kind: NumberKind,
    /// The other outcomes, where the specification does not decide on this element.
    pub latitude: Option<Latitude>,
}

impl From<NumberKind> for Number {
    #[inline]
    fn from(kind: NumberKind) -> Number {
        Number { kind, latitude: None }
    }
}

impl From<Real> for Number {
    #[inline]
    fn from(real: Real) -> Number {
        NumberKind::Real(real).into()
    }
}

impl From<Int> for Number {
    #[inline]
    fn from(int: Int) -> Number {
        NumberKind::Int(int).into()
    }
}

impl From<bool> for Number {
    fn from(value: bool) -> Number {
        Number::int(i128::from(value), DType::Bool)
    }
}

impl Number {
    /// Returns an integer in whose place nothing else is accepted.
    pub fn int(value: i128, dtype: DType) -> Number {
        Int { low: value, mid: value, high: value, dtype }.into()
    }

    /// Returns a constant of a formula as a number of this type.
    pub fn constant(value: f64, dtype: DType) -> Number {
        if dtype.is_float() { Real::constant(value, dtype).into() } else { Number::int(value as i128, dtype) }
    }

    /// Returns a constant of the same type as this number.
    pub fn like(self, value: f64) -> Number {
        Number::constant(value, self.dtype())
    }

    /// Returns the element type.
    #[inline]
    pub fn dtype(&self) -> DType {
        match self.kind {
            NumberKind::Int(x) => x.dtype,
            NumberKind::Real(x) => x.dtype,
        }
    }

    /// Returns the number as a real number. An integer becomes an exact real number (rounded to float64 above 2^53),
    /// and later steps have the precision of float64.
    #[inline]
    pub fn real(&self) -> Real {
        match self.kind {
            NumberKind::Real(x) => x,
            NumberKind::Int(x) => {
                Real { low: x.low as f64, high: x.high as f64, ..Real::constant(x.mid as f64, DType::Double) }
            }
        }
    }

    /// Returns the preferred answer as float64.
    #[inline]
    pub fn mid(&self) -> f64 {
        match self.kind {
            NumberKind::Real(x) => x.mid,
            NumberKind::Int(x) => x.mid as f64,
        }
    }

    /// Returns the preferred answer as an integer; real numbers are truncated.
    pub fn mid_int(&self) -> i128 {
        match self.kind {
            NumberKind::Real(x) => x.mid as i128,
            NumberKind::Int(x) => x.mid,
        }
    }

    /// Returns whether the preferred answer is NaN.
    #[inline]
    pub fn is_nan(&self) -> bool {
        matches!(self.kind, NumberKind::Real(x) if x.mid.is_nan())
    }

    /// Returns whether exactly one value is accepted.
    pub fn is_point(&self) -> bool {
        self.latitude.is_none()
            && match self.kind {
                NumberKind::Int(x) => x.low == x.high,
                NumberKind::Real(x) => x.is_point(),
            }
    }

    /// Returns whether the preferred answer of `other` is accepted in place of this number; latitude is not considered.
    pub fn accepts(&self, other: &Number) -> bool {
        match (self.kind, other.kind) {
            (NumberKind::Real(x), NumberKind::Real(y)) => x.accepts(y.mid),
            (NumberKind::Int(x), NumberKind::Int(y)) => x.low <= y.mid && y.mid <= x.high,
            _ => false,
        }
    }

    /// Returns the same number, where the sign of a zero counts from here on. `label` is the behaviour that defines the
    /// sign.
    pub fn with_signed_zero(self, _label: Label) -> Number {
        self.map_real(|x| Real { signed_zero: true, ..x })
    }

    /// Returns the same number, where the sign of a zero does not count from here on.
    pub fn with_any_zero(self) -> Number {
        self.map_real(|x| Real { signed_zero: false, ..x })
    }

    /// Applies `f` to a real number and to each of its outcomes; integers stay as they are.
    #[inline]
    pub fn map_real(self, f: impl Fn(Real) -> Real) -> Number {
        self.each(|kind| match kind {
            NumberKind::Real(x) => NumberKind::Real(f(x)),
            int => int,
        })
    }

    /// Applies `f` to this number and to each of its outcomes.
    #[inline]
    fn each(self, f: impl Fn(NumberKind) -> NumberKind) -> Number {
        match self.latitude {
            None => Number { kind: f(self.kind), latitude: None },
            Some(latitude) => self.each_outcome(latitude, &f),
        }
    }

    /// Does the work of [`Number::each`] for a number that has `latitude`.
    fn each_outcome(self, latitude: Latitude, f: &dyn Fn(NumberKind) -> NumberKind) -> Number {
        let kind = f(self.kind);
        let allowed = match latitude.allowed.kinds(&self.kind) {
            Some(outcomes) => outcomes.into_iter().map(|x| Allowed::kind(f(x))).reduce(Allowed::with),
            None => Some(Allowed::Anything),
        };
        Number { kind, latitude: allowed.map(|allowed| Latitude { allowed, ..latitude }) }
    }

    /// Applies `f` to two numbers and to each pair of their outcomes.
    #[inline]
    fn cross(self, b: Number, f: impl Fn(NumberKind, NumberKind) -> NumberKind) -> Number {
        match self.latitude.or(b.latitude) {
            None => Number { kind: f(self.kind, b.kind), latitude: None },
            Some(latitude) => self.cross_outcomes(b, latitude, &f),
        }
    }

    /// Does the work of [`Number::cross`] if at least one of the numbers has latitude. `latitude` gives the label.
    fn cross_outcomes(self, b: Number, latitude: Latitude, f: &dyn Fn(NumberKind, NumberKind) -> NumberKind) -> Number {
        let kind = f(self.kind, b.kind);
        let outcomes = |x: &Number| {
            let others = match x.latitude {
                Some(latitude) => latitude.allowed.kinds(&x.kind)?,
                None => vec![],
            };
            Some([vec![x.kind], others].concat())
        };
        let allowed = match (outcomes(&self), outcomes(&b)) {
            (Some(these), Some(those)) => {
                let pairs = these.iter().flat_map(|x| those.iter().map(move |y| (x, y))).skip(1);
                pairs.map(|(x, y)| Allowed::kind(f(*x, *y))).reduce(Allowed::with)
            }
            _ => Some(Allowed::Anything),
        };
        Number { kind, latitude: allowed.map(|allowed| Latitude { allowed, ..latitude }) }
    }

    /// Applies `ints` to two integers of one type, or `reals` to two real numbers. An integer with a range is mapped by
    /// the ends of its range, so that `ints` has to be monotonic in each operand.
    #[inline]
    pub fn combine(self, b: Number, ints: impl Fn(i128, i128) -> i128, reals: impl Fn(Real, Real) -> Real) -> Number {
        match (self.kind, b.kind) {
            _ if self.latitude.is_some() || b.latitude.is_some() => self.combine_any(b, &ints, &reals),
            (NumberKind::Real(x), NumberKind::Real(y)) => reals(x, y).into(),
            (NumberKind::Int(x), NumberKind::Int(y)) => x.combine(y, ints).into(),
            _ => self.combine_any(b, &ints, &reals),
        }
    }

    /// Does the work of [`Number::combine`].
    fn combine_any(self, b: Number, ints: &dyn Fn(i128, i128) -> i128, reals: &dyn Fn(Real, Real) -> Real) -> Number {
        self.cross(b, |a, b| match (a, b) {
            (NumberKind::Int(x), NumberKind::Int(y)) => NumberKind::Int(x.combine(y, ints)),
            (a, b) => {
                let real = |kind| Number { kind, latitude: None }.real();
                NumberKind::Real(reals(real(a), real(b)))
            }
        })
    }

    /// Applies `ints` to an integer, or `reals` to a real number. An integer with a range is mapped by the ends of its
    /// range, so that `ints` has to be monotonic.
    pub fn apply(self, ints: impl Fn(i128) -> i128, reals: impl Fn(Real) -> Real) -> Number {
        self.each(|kind| match kind {
            NumberKind::Int(x) => {
                let ends = [ints(x.low), ints(x.mid), ints(x.high)];
                let (low, high) =
                    ends.iter().fold((ends[1], ends[1]), |(low, high), &end| (low.min(end), high.max(end)));
                NumberKind::Int(Int { low, mid: ends[1], high, dtype: x.dtype })
            }
            NumberKind::Real(x) => NumberKind::Real(reals(x)),
        })
    }
}

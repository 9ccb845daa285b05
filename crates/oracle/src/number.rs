//! [`Number`]: one element as kernels compute with it, with what is accepted in its place.

mod allowed;
mod arithmetic;
mod elements;
mod functions;
mod integers;
mod order;

pub use allowed::{Allowed, Ints, Reals};
pub use arithmetic::wrap;
pub use elements::{ElementBytes, Elements, bytes_of};

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
pub enum Kind {
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
    pub kind: Kind,
    /// The other outcomes, where the specification does not decide on this element.
    pub latitude: Option<Latitude>,
}

impl From<Real> for Number {
    fn from(real: Real) -> Number {
        Number { kind: Kind::Real(real), latitude: None }
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
        Number { kind: Kind::Int(Int { low: value, mid: value, high: value, dtype }), latitude: None }
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
            Kind::Int(x) => x.dtype,
            Kind::Real(x) => x.dtype,
        }
    }

    /// Returns the number as a real number. An integer becomes an exact real number (rounded to float64 above 2^53),
    /// and later steps have the precision of float64.
    #[inline]
    pub fn real(&self) -> Real {
        match self.kind {
            Kind::Real(x) => x,
            Kind::Int(x) => {
                Real { low: x.low as f64, high: x.high as f64, ..Real::constant(x.mid as f64, DType::Double) }
            }
        }
    }

    /// Returns the preferred answer as float64.
    #[inline]
    pub fn mid(&self) -> f64 {
        match self.kind {
            Kind::Real(x) => x.mid,
            Kind::Int(x) => x.mid as f64,
        }
    }

    /// Returns the preferred answer as an integer; real numbers are truncated.
    pub fn mid_int(&self) -> i128 {
        match self.kind {
            Kind::Real(x) => x.mid as i128,
            Kind::Int(x) => x.mid,
        }
    }

    /// Returns whether the preferred answer is NaN.
    #[inline]
    pub fn is_nan(&self) -> bool {
        matches!(self.kind, Kind::Real(x) if x.mid.is_nan())
    }

    /// Returns whether exactly one value is accepted.
    pub fn is_point(&self) -> bool {
        self.latitude.is_none()
            && match self.kind {
                Kind::Int(x) => x.low == x.high,
                Kind::Real(x) => x.is_point(),
            }
    }

    /// Returns whether the preferred answer of `other` is accepted in place of this number; latitude is not considered.
    pub fn accepts(&self, other: &Number) -> bool {
        match (self.kind, other.kind) {
            (Kind::Real(x), Kind::Real(y)) => x.accepts(y.mid),
            (Kind::Int(x), Kind::Int(y)) => x.low <= y.mid && y.mid <= x.high,
            _ => false,
        }
    }

    /// Returns this number with any value allowed besides it, because the rule `label` does not decide. Only for a rule
    /// that lists the outcome `any value`.
    pub fn undecided(self, label: Label) -> Number {
        Number { latitude: Some(Latitude { label, allowed: Allowed::Anything }), ..self }
    }

    /// Returns this number with `other` as another outcome, because the rule `label` does not decide between the two.
    /// The outcomes are then everything that is accepted in place of `other`, and all outcomes that this number or
    /// `other` had before.
    pub fn or(self, other: Number, label: Label) -> Number {
        let opened = self.allowing(Allowed::kind(other.kind), label);
        other.latitude.map_or(opened, |latitude| opened.allowing(latitude.allowed, label))
    }

    /// Does the same as [`Number::or`], unless everything that `other` accepts is accepted in place of this number
    /// anyway.
    pub fn or_other(self, other: Number, label: Label) -> Number {
        let same = other.latitude.is_none() && self.accepts_all_of(&other.kind);
        if same { self } else { self.or(other, label) }
    }

    fn accepts_all_of(&self, other: &Kind) -> bool {
        match (self.kind, *other) {
            (Kind::Real(x), Kind::Real(y)) => {
                (x.nan || !y.nan) && (y.low.is_nan() || x.low <= y.low && y.high <= x.high)
            }
            (Kind::Int(x), Kind::Int(y)) => x.low <= y.low && y.high <= x.high,
            _ => false,
        }
    }

    /// Returns this number with `allowed` as more outcomes besides those that it has already. `label` is the rule that
    /// lists them; a number that has latitude already keeps its label.
    pub fn allowing(self, allowed: Allowed, label: Label) -> Number {
        let latitude = match self.latitude {
            Some(before) => Latitude { allowed: before.allowed.with(allowed), ..before },
            None => Latitude { label, allowed },
        };
        Number { latitude: Some(latitude), ..self }
    }

    /// Returns one real number whose interval holds everything that this number or one of its outcomes accepts. Its
    /// preferred answer is the one of this number.
    pub fn widest(&self) -> Real {
        let preferred = self.real();
        let Some(latitude) = self.latitude else { return preferred };
        match latitude.allowed.kinds(&self.kind) {
            Some(outcomes) => outcomes.into_iter().fold(preferred, |all, kind| {
                let outcome = Number { kind, latitude: None }.real();
                Real { mid: preferred.mid, ..all.hull(outcome) }
            }),
            None => Real { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true, signed_zero: false, ..preferred },
        }
    }

    /// Applies `f` to this number without its latitude, and to each of its outcomes. Returns the result for the number,
    /// with the results for the outcomes as its outcomes. This is meant for an `f` that adds latitude of its own;
    /// [`Number::apply`] and [`Number::map_real`] are enough for any other.
    pub fn each_way(self, f: impl Fn(Number) -> Number) -> Number {
        let result = f(Number { latitude: None, ..self });
        let Some(latitude) = self.latitude else { return result };
        match latitude.allowed.kinds(&self.kind) {
            Some(outcomes) => outcomes
                .into_iter()
                .fold(result, |result, kind| result.or_other(f(Number { kind, latitude: None }), latitude.label)),
            None => result.undecided(latitude.label),
        }
    }

    /// Returns this number, which was computed from the preferred answers of `terms`. If a term has latitude, `f`
    /// computes the result for everything that the terms accept (see [`Number::widest`]), and this result becomes an
    /// outcome.
    pub fn opened_by<'a>(
        self,
        terms: impl IntoIterator<Item = &'a Number> + Clone,
        f: impl FnOnce(Vec<Real>) -> Real,
    ) -> Number {
        let Some(latitude) = terms.clone().into_iter().find_map(|term| term.latitude) else { return self };
        self.or_computed(f(terms.into_iter().map(Number::widest).collect()), latitude.label)
    }

    /// Returns this number. If `all` accepts more, `all` becomes an outcome, by the rule `label`. `all` is the result
    /// of another formula, or of the same formula for everything that its terms accept (see [`Number::widest`]).
    pub fn or_widest(self, all: Number, label: Label) -> Number {
        match all.latitude {
            _ if self == all => self,
            Some(_) => self.or(all, label),
            None => self.or_computed(all.real(), label),
        }
    }

    /// Returns this integer, which was computed from the preferred answers of `terms` by a formula that is not
    /// monotonic. If a term accepts several values, any value is allowed: the results for the ends of the term's range
    /// say nothing about the results for the values between. Only models of several nodes have such terms.
    pub fn opened_ints(self, terms: &[Number], label: Label) -> Number {
        if terms.iter().all(Number::is_point) { self } else { self.undecided(label) }
    }

    /// Returns a number that accepts what this number accepts, and what `other` accepts, the result of another formula
    /// for the same value. The preferred answer is the one of this number.
    pub fn hull(self, other: Number) -> Number {
        let kind = match (self.kind, other.kind) {
            (Kind::Int(x), Kind::Int(y)) => Kind::Int(Int { low: x.low.min(y.low), high: x.high.max(y.high), ..x }),
            _ => Kind::Real(self.real().hull(other.real())),
        };
        let latitude = match (self.latitude, other.latitude) {
            (Some(a), Some(b)) => Some(Latitude { allowed: a.allowed.with(b.allowed), ..a }),
            (a, b) => a.or(b),
        };
        Number { kind, latitude }
    }

    /// Returns this number, for which the rule `label` does not decide whether another formula may compute it too.
    /// `other` is the result of that formula. What `other` accepts beyond this number becomes an outcome. Meant for
    /// formulas that overflow or underflow in an intermediate result, but not in the final one.
    pub fn or_computed(self, other: Real, label: Label) -> Number {
        let Kind::Real(x) = self.kind else { return self };
        if other.low.is_nan() {
            return if x.nan { self } else { self.or(other.into(), label) };
        }
        let inside = x.low <= other.low && other.high <= x.high && (x.nan || !other.nan);
        if inside {
            return self;
        }
        // If only one end of the other interval is outside of this one, and that end is infinite, the other formula
        // either overflows to this infinity or has a result that is accepted already. The numbers between the accepted
        // numbers and the infinity are no outcomes.
        let within = |end: f64| x.low <= end && end <= x.high;
        let (low, high) = match (other.low, other.high) {
            (low, f64::INFINITY) if within(low) => (f64::INFINITY, f64::INFINITY),
            (f64::NEG_INFINITY, high) if within(high) => (f64::NEG_INFINITY, f64::NEG_INFINITY),
            ends => ends,
        };
        self.allowing(Allowed::kind(Kind::Real(Real { low, high, ..other })), label)
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
    pub fn map_real(self, f: impl Fn(Real) -> Real) -> Number {
        self.each(|kind| match kind {
            Kind::Real(x) => Kind::Real(f(x)),
            int => int,
        })
    }

    /// Applies `f` to this number and to each of its outcomes.
    #[inline]
    fn each(self, f: impl Fn(Kind) -> Kind) -> Number {
        match self.latitude {
            None => Number { kind: f(self.kind), latitude: None },
            Some(latitude) => self.each_outcome(latitude, &f),
        }
    }

    /// Does the work of [`Number::each`] for a number that has `latitude`.
    fn each_outcome(self, latitude: Latitude, f: &dyn Fn(Kind) -> Kind) -> Number {
        let kind = f(self.kind);
        let allowed = match latitude.allowed.kinds(&self.kind) {
            Some(outcomes) => outcomes.into_iter().map(|x| Allowed::kind(f(x))).reduce(Allowed::with),
            None => Some(Allowed::Anything),
        };
        Number { kind, latitude: allowed.map(|allowed| Latitude { allowed, ..latitude }) }
    }

    /// Applies `f` to two numbers and to each pair of their outcomes.
    #[inline]
    fn cross(self, b: Number, f: impl Fn(Kind, Kind) -> Kind) -> Number {
        match self.latitude.or(b.latitude) {
            None => Number { kind: f(self.kind, b.kind), latitude: None },
            Some(latitude) => self.cross_outcomes(b, latitude, &f),
        }
    }

    /// Does the work of [`Number::cross`] if at least one of the numbers has latitude. `latitude` gives the label.
    fn cross_outcomes(self, b: Number, latitude: Latitude, f: &dyn Fn(Kind, Kind) -> Kind) -> Number {
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
    pub fn combine(self, b: Number, ints: impl Fn(i128, i128) -> i128, reals: impl Fn(Real, Real) -> Real) -> Number {
        self.cross(b, |a, b| match (a, b) {
            (Kind::Int(x), Kind::Int(y)) => {
                let mid = ints(x.mid, y.mid);
                if x.low == x.high && y.low == y.high {
                    return Kind::Int(Int { low: mid, mid, high: mid, dtype: x.dtype });
                }
                let ends = [ints(x.low, y.low), ints(x.low, y.high), ints(x.high, y.low), ints(x.high, y.high)];
                let (low, high) = ends.iter().fold((mid, mid), |(low, high), &end| (low.min(end), high.max(end)));
                Kind::Int(Int { low, mid, high, dtype: x.dtype })
            }
            (a, b) => {
                let real = |kind| Number { kind, latitude: None }.real();
                Kind::Real(reals(real(a), real(b)))
            }
        })
    }

    /// Applies `ints` to an integer, or `reals` to a real number. An integer with a range is mapped by the ends of its
    /// range, so that `ints` has to be monotonic.
    pub fn apply(self, ints: impl Fn(i128) -> i128, reals: impl Fn(Real) -> Real) -> Number {
        self.each(|kind| match kind {
            Kind::Int(x) => {
                let ends = [ints(x.low), ints(x.mid), ints(x.high)];
                let (low, high) =
                    ends.iter().fold((ends[1], ends[1]), |(low, high), &end| (low.min(end), high.max(end)));
                Kind::Int(Int { low, mid: ends[1], high, dtype: x.dtype })
            }
            Kind::Real(x) => Kind::Real(reals(x)),
        })
    }
}

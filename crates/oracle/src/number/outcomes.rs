//! What else is accepted in place of a [`Number`], and how its outcomes pass through a formula (see [`super`] for when
//! a kernel uses which method).

use super::{Allowed, Int, Latitude, Number, NumberKind};
use crate::Label;
use crate::real::Real;

/// What [`Number::or`] adds to a number.
pub enum Outcome {
    /// Everything that is accepted in place of this number, and all of its outcomes.
    Number(Number),
    /// The same for the result of a formula that may overflow (see [`Number::overflowing`]).
    Overflowing(Number),
    /// These outcomes.
    Listed(Allowed),
}

impl From<Number> for Outcome {
    fn from(number: Number) -> Outcome {
        Outcome::Number(number)
    }
}

impl From<Real> for Outcome {
    fn from(real: Real) -> Outcome {
        Outcome::Number(real.into())
    }
}

impl From<Allowed> for Outcome {
    fn from(allowed: Allowed) -> Outcome {
        Outcome::Listed(allowed)
    }
}

impl Real {
    /// Does what [`Number::overflowing`] does.
    pub fn overflowing(self) -> Outcome {
        Number::from(self).overflowing()
    }
}

impl Number {
    /// Returns a number that accepts what this number accepts, and what `other` accepts, the result of another formula
    /// for the same value. The preferred answer is the one of this number.
    pub fn hull(self, other: Number) -> Number {
        let kind = match (self.kind, other.kind) {
            (NumberKind::Int(x), NumberKind::Int(y)) => {
                NumberKind::Int(Int { low: x.low.min(y.low), high: x.high.max(y.high), ..x })
            }
            _ => NumberKind::Real(self.real().hull(other.real())),
        };
        let latitude = match (self.latitude, other.latitude) {
            (Some(a), Some(b)) => Some(Latitude { allowed: a.allowed.with(b.allowed), ..a }),
            (a, b) => a.or(b),
        };
        Number { kind, latitude }
    }

    /// Returns this number with `other` as another outcome, because the rule `label` does not decide between the two.
    /// What `other` accepts beyond the interval of this number becomes an outcome, and so do the outcomes of `other`.
    /// A number that has latitude already keeps its label.
    pub fn or(self, other: impl Into<Outcome>, label: Label) -> Number {
        match other.into() {
            Outcome::Number(other) => self.or_number(other, label),
            Outcome::Overflowing(other) => self.or_number(other.beside(&self.kind), label),
            Outcome::Listed(allowed) => self.allowing(allowed, label),
        }
    }

    /// Returns this number with any value allowed besides it, because the rule `label` does not decide. Only for a rule
    /// that lists the outcome `any value`.
    pub fn undecided(self, label: Label) -> Number {
        Number { latitude: Some(Latitude { label, allowed: Allowed::Anything }), ..self }
    }

    /// Returns this number as an outcome that comes from a formula that may overflow: one that has an infinite
    /// intermediate result, or that is computed from terms of which some outcomes are infinite.
    ///
    /// If only one end of its interval is outside of the interval of the number that it is added to, and that end is
    /// infinite, the formula either overflows to this infinity or has a result that is accepted already. The numbers
    /// between the accepted numbers and the infinity are no outcomes.
    pub fn overflowing(self) -> Outcome {
        Outcome::Overflowing(self)
    }

    /// Returns this number less the numbers between `kind` and an infinity (see [`Number::overflowing`]).
    fn beside(self, kind: &NumberKind) -> Number {
        let (NumberKind::Real(x), NumberKind::Real(other)) = (*kind, self.kind) else { return self };
        let within = |end: f64| x.low <= end && end <= x.high;
        let (low, high) = match (other.low, other.high) {
            (low, f64::INFINITY) if within(low) => (f64::INFINITY, f64::INFINITY),
            (f64::NEG_INFINITY, high) if within(high) => (f64::NEG_INFINITY, f64::NEG_INFINITY),
            ends => ends,
        };
        Number { kind: NumberKind::Real(Real { low, high, ..other }), ..self }
    }

    fn or_number(self, other: Number, label: Label) -> Number {
        let opened = if self.accepts_all_of(&other) { self } else { self.allowing(Allowed::kind(other.kind), label) };
        other.latitude.map_or(opened, |latitude| opened.allowing(latitude.allowed, label))
    }

    /// Returns whether everything in the interval of `other` is accepted in place of this number.
    fn accepts_all_of(&self, other: &Number) -> bool {
        match (self.kind, other.kind) {
            (NumberKind::Real(x), NumberKind::Real(y)) => {
                let zeros_differ = x.mid == 0.0 && y.mid == 0.0 && x.mid.is_sign_negative() != y.mid.is_sign_negative();
                (x.nan || !y.nan)
                    && (!x.integral || y.is_whole())
                    && (y.low.is_nan() || x.low <= y.low && y.high <= x.high)
                    && !(x.signed_zero && zeros_differ)
            }
            (NumberKind::Int(x), NumberKind::Int(y)) => x.low <= y.low && y.high <= x.high,
            _ => false,
        }
    }

    fn allowing(self, allowed: Allowed, label: Label) -> Number {
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

    /// Returns the same number without outcomes; what they accept is in its interval.
    pub fn with_outcomes_inside(&self) -> Number {
        if self.latitude.is_some() { self.widest().into() } else { *self }
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
                .fold(result, |result, kind| result.or(f(Number { kind, latitude: None }), latitude.label)),
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
        self.or(f(terms.into_iter().map(Number::widest).collect()), latitude.label)
    }

    /// Returns this integer, which was computed from the preferred answers of `terms` by a formula that is not
    /// monotonic. If a term accepts several values, any value is allowed: the results for the ends of the term's range
    /// say nothing about the results for the values between. Only models of several nodes have such terms.
    pub fn opened_ints(self, terms: &[Number], label: Label) -> Number {
        if terms.iter().all(Number::is_point) { self } else { self.undecided(label) }
    }
}

//! [`Allowed`]: the other outcomes of an element on which the specification does not decide, each with its own
//! interval.

use std::fmt;

use plumbline_tensor::DType;

use super::{Elements, Int, NumberKind};
use crate::real::Real;

/// The outcomes that a rule allows for one element besides the preferred answer and its interval (see
/// [`Latitude`](super::Latitude)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Allowed {
    /// Any value. Only for a rule that lists the outcome `any value`.
    Anything,
    /// These real numbers.
    Reals(Reals),
    /// These integers.
    Ints(Ints),
    /// A string that spells this number of this type. A spelling in plain notation, with as many digits as the type
    /// needs, is accepted like the preferred one. Spellings with fewer digits or with an exponent, and other words for
    /// infinity and NaN, are outcomes.
    Spelling(f64, DType),
    /// The preferred string without the whitespace at its end.
    Trimmed,
    /// The integers below 128 whose bit is set.
    Among(u128),
    /// These elements, of a type that no [`Number`](super::Number) represents (strings and complex numbers).
    Elements(Elements),
}

/// A set of up to four intervals of real numbers, ascending and disjoint, with or without NaN. Of five intervals, the
/// two with the smallest gap between them are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reals {
    ranges: [(f64, f64); 4],
    count: u8,
    /// Whether NaN is in the set.
    pub nan: bool,
}

/// A set of up to four intervals of integers, ascending and disjoint. Of five intervals, the two with the smallest gap
/// between them are joined. Four are enough for a number that is converted to an integer type whose range it exceeds.
/// The outcomes are then the lower bits of the number, both ends of the range, and a fourth one: -1 to 0 for a signed
/// type, 2^(n-1) for an unsigned type of n bits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ints {
    ranges: [(i128, i128); 4],
    count: u8,
}

impl Reals {
    /// Returns the intervals.
    pub fn ranges(&self) -> &[(f64, f64)] {
        &self.ranges[..usize::from(self.count)]
    }

    /// Returns whether the set holds this value.
    pub fn contains(&self, value: f64) -> bool {
        if value.is_nan() { self.nan } else { self.ranges().iter().any(|&(low, high)| low <= value && value <= high) }
    }

    /// Returns the set with the numbers from `low` to `high` added. A NaN at either end adds nothing.
    pub fn with(mut self, low: f64, high: f64) -> Reals {
        if low.is_nan() || high.is_nan() {
            return self;
        }
        let mut all: Vec<(f64, f64)> = self.ranges().iter().copied().chain([(low, high)]).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut joined: Vec<(f64, f64)> = Vec::with_capacity(all.len());
        for (low, high) in all {
            match joined.last_mut() {
                Some(last) if low <= last.1 => last.1 = last.1.max(high),
                _ => joined.push((low, high)),
            }
        }
        while joined.len() > self.ranges.len() {
            let gap = |i: usize| joined[i + 1].0 - joined[i].1;
            let Some(nearest) = (0..joined.len() - 1).min_by(|&i, &j| gap(i).total_cmp(&gap(j))) else { break };
            joined[nearest].1 = joined[nearest + 1].1;
            joined.remove(nearest + 1);
        }
        self.ranges = Default::default();
        self.ranges[..joined.len()].copy_from_slice(&joined);
        self.count = joined.len() as u8;
        self
    }

    /// Returns the set with everything that is accepted in place of `real` added.
    pub fn with_real(self, real: Real) -> Reals {
        Reals { nan: self.nan || real.nan, ..self.with(real.low, real.high) }
    }

    /// Returns the union of two sets.
    fn with_all(self, others: Reals) -> Reals {
        let all = others.ranges().iter().fold(self, |all, &(low, high)| all.with(low, high));
        Reals { nan: self.nan || others.nan, ..all }
    }
}

impl Ints {
    /// Returns the intervals.
    pub fn ranges(&self) -> &[(i128, i128)] {
        &self.ranges[..usize::from(self.count)]
    }

    /// Returns whether the set holds this value.
    pub fn contains(&self, value: i128) -> bool {
        self.ranges().iter().any(|&(low, high)| low <= value && value <= high)
    }

    /// Returns the set with the integers from `low` to `high` added.
    pub fn with(mut self, low: i128, high: i128) -> Ints {
        let mut all: Vec<(i128, i128)> = self.ranges().iter().copied().chain([(low, high)]).collect();
        all.sort_unstable();
        let mut joined: Vec<(i128, i128)> = Vec::with_capacity(all.len());
        for (low, high) in all {
            match joined.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => joined.push((low, high)),
            }
        }
        while joined.len() > self.ranges.len() {
            let gap = |i: usize| joined[i + 1].0.saturating_sub(joined[i].1);
            let Some(nearest) = (0..joined.len() - 1).min_by_key(|&i| gap(i)) else { break };
            joined[nearest].1 = joined[nearest + 1].1;
            joined.remove(nearest + 1);
        }
        self.ranges = Default::default();
        self.ranges[..joined.len()].copy_from_slice(&joined);
        self.count = joined.len() as u8;
        self
    }

    fn with_all(self, others: Ints) -> Ints {
        others.ranges().iter().fold(self, |all, &(low, high)| all.with(low, high))
    }
}

impl Allowed {
    /// Allows one real number; if `value` is NaN, allows NaN.
    pub fn real(value: f64) -> Allowed {
        Allowed::Reals(Reals { nan: value.is_nan(), ..Reals::default().with(value, value) })
    }

    /// Allows two real numbers.
    pub fn either(one: f64, other: f64) -> Allowed {
        Allowed::real(one).with(Allowed::real(other))
    }

    /// Allows the real numbers from `low` to `high`.
    pub fn between(low: f64, high: f64) -> Allowed {
        Allowed::Reals(Reals::default().with(low, high))
    }

    /// Allows one integer.
    pub fn int(value: i128) -> Allowed {
        Allowed::Ints(Ints::default().with(value, value))
    }

    /// Allows everything that is accepted in place of this value.
    pub fn kind(kind: NumberKind) -> Allowed {
        match kind {
            NumberKind::Int(x) => Allowed::Ints(Ints::default().with(x.low, x.high)),
            NumberKind::Real(x) => Allowed::Reals(Reals::default().with_real(x)),
        }
    }

    /// Allows what either of the two allows. If no set can hold both, allows anything: for example, a spelling and a
    /// number, or spellings of different numbers, though no element has such outcomes.
    pub fn with(self, other: Allowed) -> Allowed {
        match (self, other) {
            (Allowed::Reals(these), Allowed::Reals(those)) => Allowed::Reals(these.with_all(those)),
            (Allowed::Ints(these), Allowed::Ints(those)) => Allowed::Ints(these.with_all(those)),
            (Allowed::Among(these), Allowed::Among(those)) => Allowed::Among(these | those),
            (Allowed::Elements(these), Allowed::Elements(those)) => {
                these.with(those).map_or(Allowed::Anything, Allowed::Elements)
            }
            (Allowed::Among(set), Allowed::Ints(ints)) | (Allowed::Ints(ints), Allowed::Among(set)) => {
                let ones = (0..128).filter(|bit| set >> bit & 1 == 1);
                Allowed::Ints(ones.fold(ints, |all, one| all.with(one, one)))
            }
            (Allowed::Trimmed, Allowed::Trimmed) => self,
            (Allowed::Spelling(this, dtype), Allowed::Spelling(that, other))
                if this.to_bits() == that.to_bits() && dtype == other =>
            {
                self
            }
            _ => Allowed::Anything,
        }
    }

    /// Returns each outcome as a value of the same kind and type as `like`; `None` where the outcomes cannot be listed.
    pub(super) fn kinds(&self, like: &NumberKind) -> Option<Vec<NumberKind>> {
        match (self, like) {
            (Allowed::Reals(reals), NumberKind::Real(like)) => {
                let of = |low: f64, mid: f64, high: f64, nan: bool| {
                    NumberKind::Real(Real { low, mid, high, nan, signed_zero: false, ..*like })
                };
                let ranges = reals.ranges().iter().map(|&(low, high)| of(low, middle(low, high), high, false));
                Some(ranges.chain(reals.nan.then(|| of(f64::NAN, f64::NAN, f64::NAN, true))).collect())
            }
            (Allowed::Ints(ints), NumberKind::Int(like)) => {
                let of = |&(low, high): &(i128, i128)| NumberKind::Int(Int { low, mid: low, high, dtype: like.dtype });
                Some(ints.ranges().iter().map(of).collect())
            }
            (Allowed::Among(set), NumberKind::Int(like)) => {
                let of = |bit: i128| NumberKind::Int(Int { low: bit, mid: bit, high: bit, dtype: like.dtype });
                Some((0..128).filter(|bit| set >> bit & 1 == 1).map(of).collect())
            }
            _ => None,
        }
    }
}

impl Reals {
    /// Writes the set in words, such as `0 to 1 or 5 or NaN`. `number` writes each number.
    pub fn describe(&self, number: impl Fn(f64) -> String) -> String {
        let range = |&(low, high): &(f64, f64)| {
            if low == high { number(low) } else { format!("{} to {}", number(low), number(high)) }
        };
        let ranges = self.ranges().iter().map(range);
        ranges.chain(self.nan.then(|| number(f64::NAN))).collect::<Vec<_>>().join(" or ")
    }
}

impl Ints {
    /// Writes the set in words, such as `-128 or 3 to 6`. `number` writes each integer.
    pub fn describe(&self, number: impl Fn(i128) -> String) -> String {
        let range = |&(low, high): &(i128, i128)| {
            if low == high { number(low) } else { format!("{} to {}", number(low), number(high)) }
        };
        self.ranges().iter().map(range).collect::<Vec<_>>().join(" or ")
    }
}

impl fmt::Display for Reals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe(|x| format!("{x:?}")))
    }
}

impl fmt::Display for Ints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe(|x| x.to_string()))
    }
}

/// Returns a number from `low` to `high`. It is finite if `low` or `high` is.
fn middle(low: f64, high: f64) -> f64 {
    match (low.is_finite(), high.is_finite()) {
        (true, true) => low / 2.0 + high / 2.0,
        (true, false) => low,
        (false, true) => high,
        (false, false) if low == high => low,
        (false, false) => 0.0,
    }
    .clamp(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_kept_apart_until_there_are_too_many() {
        let Allowed::Reals(reals) = Allowed::either(1.0, 5.0).with(Allowed::real(f64::NAN)) else { panic!() };
        assert!(reals.nan && reals.contains(1.0) && reals.contains(5.0) && !reals.contains(3.0));
        let more = reals.with(100.0, 101.0).with(50.0, 51.0).with(6.0, 6.0);
        assert_eq!(more.ranges(), [(1.0, 1.0), (5.0, 6.0), (50.0, 51.0), (100.0, 101.0)]);
        assert_eq!(Allowed::either(5.0, 1.0), Allowed::either(1.0, 5.0));
        let infinite = Reals::default()
            .with(f64::INFINITY, f64::INFINITY)
            .with(0.0, 1.0)
            .with(-9.0, -8.0)
            .with(3.0, 3.0)
            .with(30.0, 30.0);
        assert_eq!(infinite.ranges(), [(-9.0, -8.0), (0.0, 3.0), (30.0, 30.0), (f64::INFINITY, f64::INFINITY)]);
    }

    #[test]
    fn integers_that_touch_are_one_interval() {
        let ints = Ints::default().with(3, 3).with(4, 6).with(-128, -128);
        assert_eq!(ints.ranges(), [(-128, -128), (3, 6)]);
        let more = ints.with(127, 127).with(20, 20);
        assert_eq!(more.ranges(), [(-128, -128), (3, 6), (20, 20), (127, 127)]);
        assert_eq!(more.with(9, 9).ranges(), [(-128, -128), (3, 9), (20, 20), (127, 127)]);
    }

    #[test]
    fn equal_outcomes_of_a_string_stay_and_different_ones_allow_anything() {
        assert_eq!(Allowed::Trimmed.with(Allowed::Trimmed), Allowed::Trimmed);
        let spelling = |value: f64, dtype: DType| Allowed::Spelling(value, dtype);
        let half = spelling(0.5, DType::Float);
        assert_eq!(half.with(half), half);
        let nan = spelling(f64::NAN, DType::Float);
        assert!(matches!(nan.with(nan), Allowed::Spelling(value, DType::Float) if value.is_nan()));
        assert_eq!(half.with(spelling(0.25, DType::Float)), Allowed::Anything);
        assert_eq!(half.with(spelling(0.5, DType::Double)), Allowed::Anything);
        assert_eq!(half.with(Allowed::Trimmed), Allowed::Anything);
    }

    #[test]
    fn an_integer_with_a_real_number_allows_anything_and_with_a_bit_set_an_interval() {
        assert_eq!(Allowed::int(1).with(Allowed::real(1.0)), Allowed::Anything);
        assert_eq!(Allowed::Among(0b110).with(Allowed::int(3)), Allowed::Ints(Ints::default().with(1, 3)));
    }
}

//! Functions of integers that are not monotonic.

use super::{Int, Number, NumberKind};
use crate::steps;

/// The most pairs of values for which [`Number::combine_ints`] computes each result.
const MOST_PAIRS: i128 = 4096;

impl Number {
    /// Applies `f` to two integers, and to each pair of their outcomes. `f` need not be monotonic: for integers with
    /// ranges, the result is the range of the results for all pairs of values, or the type's whole range if there are
    /// more pairs than [`MOST_PAIRS`]. Only models of several nodes have such integers.
    pub fn combine_ints(self, b: Number, f: impl Fn(i128, i128) -> Number) -> Number {
        self.each_way(|a| {
            b.each_way(|b| {
                let result = f(a.mid_int(), b.mid_int());
                let (NumberKind::Int(x), NumberKind::Int(y)) = (a.kind, b.kind) else { return result };
                let count = |x: Int| x.high.saturating_sub(x.low).saturating_add(1);
                let pairs = count(x).saturating_mul(count(y));
                match result.dtype().integer_range() {
                    _ if pairs == 1 => result,
                    Some((low, high)) if pairs > MOST_PAIRS => {
                        result.hull(Number { kind: NumberKind::Int(Int { low, high, ..x }), latitude: None })
                    }
                    _ => {
                        steps::take(pairs as usize);
                        let pairs = (x.low..=x.high).flat_map(|x| (y.low..=y.high).map(move |y| (x, y)));
                        pairs.fold(result, |all, (x, y)| all.hull(f(x, y)))
                    }
                }
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use plumbline_tensor::DType;

    use super::*;

    #[test]
    fn functions_of_integers_that_are_not_monotonic_keep_ranges_and_outcomes() {
        let range = |low: i128, mid: i128, high: i128| Number {
            kind: NumberKind::Int(Int { low, mid, high, dtype: DType::Uint8 }),
            latitude: None,
        };
        let and = |a: Number, b: Number| a.combine_ints(b, |x, y| Number::int(x & y, DType::Uint8));
        // 7 & 4 is 4, 8 & 4 is 0 and 9 & 4 is 0.
        assert_eq!(and(range(7, 8, 9), range(4, 4, 4)), range(0, 0, 4));
        assert_eq!(and(range(0, 1, 255), range(0, 3, 255)), range(0, 1, 255));
        assert_eq!(and(range(6, 6, 6), range(3, 3, 3)), range(2, 2, 2));
        let open = range(7, 7, 7).or(range(8, 8, 8), plumbline_spec::rule::INTEGER_OVERFLOW);
        let answer = and(open, range(4, 4, 4));
        assert!(answer.latitude.is_some() && answer.mid_int() == 4);
        assert_eq!(answer.widest().low, 0.0);
    }
}

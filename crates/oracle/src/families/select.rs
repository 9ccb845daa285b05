//! ArgMax, ArgMin, Hardmax and TopK: which elements of a lane are the largest or the smallest.

use std::cmp::Ordering;

use crate::prelude::*;
use crate::{Allowed, Int, Latitude};

/// Which end of the order is wanted: the largest or the smallest elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The largest elements.
    Largest,
    /// The smallest elements.
    Smallest,
}

impl End {
    /// Compares the preferred values of two numbers; `Less` means that `a` comes first from this end. Zeros of both
    /// signs are equal. The result is `None` if a number is NaN.
    pub fn order(self, a: &Number, b: &Number) -> Option<Ordering> {
        let (a, b) = match self {
            End::Largest => (b, a),
            End::Smallest => (a, b),
        };
        match (a.kind, b.kind) {
            (NumberKind::Int(a), NumberKind::Int(b)) => Some(a.mid.cmp(&b.mid)),
            _ => a.mid().partial_cmp(&b.mid()),
        }
    }

    /// Returns whether some accepted value of `a` is at least as far toward this end as some accepted value of `b`.
    fn may_reach(self, a: &Number, b: &Number) -> bool {
        match (self, a.kind, b.kind) {
            (End::Largest, NumberKind::Int(a), NumberKind::Int(b)) => a.high >= b.low,
            (End::Smallest, NumberKind::Int(a), NumberKind::Int(b)) => a.low <= b.high,
            (End::Largest, ..) => a.real().high >= b.real().low,
            (End::Smallest, ..) => a.real().low <= b.real().high,
        }
    }
}

/// Which of several largest (or smallest) elements is selected if they are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// The first one.
    First,
    /// The last one.
    Last,
    /// The text does not say which one.
    Open,
}

/// Returns the index of the largest or smallest element, or `None` if every element is NaN. `last` selects the last of
/// several equal elements.
fn position(lane: &[Number], end: End, last: bool) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (i, x) in lane.iter().enumerate().filter(|(_, x)| !x.is_nan()) {
        let order = best.map_or(Some(Ordering::Less), |b| end.order(x, &lane[b]));
        if order == Some(Ordering::Less) || last && order == Some(Ordering::Equal) {
            best = Some(i);
        }
    }
    best
}

/// Returns a choice among indices: the preferred index, and the others that the specification leaves open (`label`).
pub fn among(preferred: usize, others: impl IntoIterator<Item = usize>, label: Label) -> Number {
    let number = Number::int(preferred as i128, DType::Int64);
    let (mut set, mut larger) = (0u128, Vec::new());
    for other in others {
        match other {
            0..128 => set |= 1 << other,
            _ => larger.push(other as i128),
        }
    }
    if !larger.is_empty() {
        let all = larger.into_iter().chain((0..128).filter(|bit| set >> bit & 1 == 1));
        return all.fold(number, |number, other| number.or(Number::int(other, DType::Int64), label));
    }
    match set & !(1u128.checked_shl(preferred as u32).unwrap_or(0)) {
        0 => number,
        set => Number { latitude: Some(Latitude { label, allowed: Allowed::Among(set) }), ..number },
    }
}

/// Returns the index of the largest or smallest element of a lane that is not empty. If there is a NaN (`nan`), the
/// first or last NaN is preferred, but comparisons with it may select any element. `ties` names the rule for
/// [`Tie::Open`].
pub fn arg(lane: &[Number], end: End, tie: Tie, nan: Label, ties: Label) -> Number {
    let last = tie == Tie::Last;
    let is_nan = |x: &Number| x.is_nan();
    if let (Some(first_nan), Some(last_nan)) = (lane.iter().position(is_nan), lane.iter().rposition(is_nan)) {
        return among(if last { last_nan } else { first_nan }, 0..lane.len(), nan);
    }
    let chosen = position(lane, end, last).unwrap_or(0);
    if lane.iter().any(Number::may_be_nan) {
        return among(chosen, 0..lane.len(), nan);
    }
    if let Some(latitude) = lane.iter().find_map(|x| x.latitude) {
        return Number::int(chosen as i128, DType::Int64).undecided(latitude.label);
    }
    if lane.iter().all(Number::is_point) {
        let equal = |i: &usize| end.order(&lane[*i], &lane[chosen]) == Some(Ordering::Equal);
        return match tie {
            Tie::Open => among(chosen, (0..lane.len()).filter(equal), ties),
            _ => Number::int(chosen as i128, DType::Int64),
        };
    }
    // All elements that may be the largest (or smallest), given the values that are accepted for each element.
    let may = |i: &usize| lane.iter().all(|other| end.may_reach(&lane[*i], other));
    let candidates: Vec<usize> = (0..lane.len()).filter(may).chain([chosen]).collect();
    let bound = |i: Option<&usize>| i.map_or(chosen as i128, |&i| i as i128);
    let (low, high) = (bound(candidates.iter().min()), bound(candidates.iter().max()));
    Number { kind: NumberKind::Int(Int { low, mid: chosen as i128, high, dtype: DType::Int64 }), latitude: None }
}

/// The place of a NaN in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NanIs {
    /// Larger than every number, as NumPy sorts it.
    Largest,
    /// Smaller than every number.
    Smallest,
}

/// Returns the indices of the elements of a lane in order, beginning at this end. Of equal elements, the lower index
/// comes first. With `total`, zeros differ by their sign.
pub fn ranking(lane: &[Number], end: End, nan: NanIs, total: bool) -> Vec<usize> {
    let nan_first = (end == End::Largest) == (nan == NanIs::Largest);
    let zeros = |a: &Number, b: &Number| {
        let order = a.mid().is_sign_negative().cmp(&b.mid().is_sign_negative());
        if end == End::Largest { order } else { order.reverse() }
    };
    let mut places: Vec<usize> = (0..lane.len()).collect();
    places.sort_by(|&i, &j| {
        let (a, b) = (&lane[i], &lane[j]);
        match (a.is_nan(), b.is_nan()) {
            (true, true) => Ordering::Equal,
            (true, false) => {
                if nan_first {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
            (false, true) => {
                if nan_first {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (false, false) => match end.order(a, b).unwrap_or(Ordering::Equal) {
                Ordering::Equal if total => zeros(a, b),
                order => order,
            },
        }
    });
    places
}

/// Iterates over the lanes of a shape along an axis; each lane holds the indices of its elements in order. Outer
/// dimensions come before inner ones.
pub fn lanes(shape: &[usize], axis: usize) -> impl Iterator<Item = Vec<usize>> {
    let (outer, extent, inner) = shape::around(shape, axis);
    (0..outer * inner)
        .map(move |lane| (0..extent).map(|k| (lane / inner * extent + k) * inner + lane % inner).collect())
}

/// Returns whether a floating-point tensor has zeros of both signs.
pub fn both_zeros(x: &Expected) -> bool {
    let zero = |negative: bool| x.tensor.to_f64s().into_iter().any(|v| v == 0.0 && v.is_sign_negative() == negative);
    x.dtype().is_float() && zero(true) && zero(false)
}

/// Computes ArgMax or ArgMin, by these rules:
///
/// - `axis-in-range`: the axis is in range.
/// - `negative-axis`: what a negative axis means in version 1.
/// - `data-not-empty`: version 11 takes no tensor without elements.
/// - `empty-axis`: in the other versions, the result for an axis without elements.
/// - `nan`: the result if there is a NaN.
/// - `ties`: the result for ties before version 12.
/// - `other-flag-values`: flags that are neither 0 nor 1.
pub fn arg_extremum(call: &Call, end: End) -> Answer {
    let data = call.tensor("data")?;
    if call.since() == 1 && call.int("axis")? < 0 {
        call.leaves_open(rule::NEGATIVE_AXIS);
    }
    let axis = call.axis(call.int("axis")?, data.rank(), rule::AXIS_IN_RANGE)?;
    let tie = match call.optional_int("select_last_index") {
        None => Tie::Open,
        Some(_) if call.flag("select_last_index") => Tie::Last,
        Some(_) => Tie::First,
    };
    let mut shape = data.shape().to_vec();
    shape[axis] = 1;
    let count = shape::affordable(&shape)?;
    let forbidden = data.is_empty() && call.follows(rule::DATA_NOT_EMPTY);
    if data.is_empty() && (count > 0 || forbidden) {
        let end = if end == End::Largest { "largest" } else { "smallest" };
        return Err(if forbidden {
            Refusal::violates(rule::DATA_NOT_EMPTY, "`data` has no elements, expected at least one")
        } else {
            Refusal::leaves_open(rule::EMPTY_AXIS, format!("the axis is empty, so that there is no {end} element"))
        });
    }
    let numbers: Vec<Number> = lanes(data.shape(), axis)
        .filter(|lane| !lane.is_empty())
        .map(|lane| arg(&lane.iter().map(|&i| data.number(i)).collect::<Vec<_>>(), end, tie, rule::NAN, rule::TIES))
        .collect();
    if !call.flag("keepdims") {
        shape.remove(axis);
    }
    call.answer_as(DType::Int64, shape, numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(values: &[f64]) -> Vec<Number> {
        values.iter().map(|&x| Real::exact(x, DType::Float).into()).collect()
    }

    fn others(x: &Number) -> Vec<i128> {
        match x.latitude.map(|l| l.allowed) {
            Some(Allowed::Among(set)) => (0..128).filter(|i| set >> i & 1 == 1).collect(),
            None => vec![],
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn ties_go_to_the_first_or_last_element_or_are_open() {
        let x = lane(&[1.0, 3.0, -0.0, 3.0, 0.0, 3.0]);
        let of = |tie| arg(&x, End::Largest, tie, rule::NAN, rule::TIES);
        assert_eq!((of(Tie::First).mid_int(), of(Tie::Last).mid_int()), (1, 5));
        assert_eq!((of(Tie::Open).mid_int(), others(&of(Tie::Open))), (1, vec![3, 5]));
        // Zeros of both signs are equal.
        let least = |tie| arg(&x, End::Smallest, tie, rule::NAN, rule::TIES).mid_int();
        assert_eq!((least(Tie::First), least(Tie::Last)), (2, 4));
    }

    #[test]
    fn with_a_nan_the_selection_is_open() {
        let x = lane(&[1.0, 5.0, f64::NAN, 3.0, 4.0]);
        let first = arg(&x, End::Largest, Tie::First, rule::NAN, rule::TIES);
        assert_eq!((first.mid_int(), others(&first)), (2, vec![0, 1, 3, 4]));
    }

    #[test]
    fn uncertain_elements_leave_a_range_of_indices() {
        let mut x = lane(&[1.0, 3.0, 2.0, 2.9]);
        x[3].kind = NumberKind::Real(Real { high: 3.1, ..x[3].real() });
        let NumberKind::Int(index) = arg(&x, End::Largest, Tie::First, rule::NAN, rule::TIES).kind else { panic!() };
        assert_eq!((index.low, index.mid, index.high), (1, 1, 3));
    }

    #[test]
    fn of_equal_elements_the_lower_index_comes_first() {
        let x = lane(&[2.0, 1.0, 2.0, f64::NAN, 1.0]);
        assert_eq!(ranking(&x, End::Largest, NanIs::Largest, false), [3, 0, 2, 1, 4]);
        assert_eq!(ranking(&x, End::Smallest, NanIs::Largest, false), [1, 4, 0, 2, 3]);
        assert_eq!(ranking(&x, End::Smallest, NanIs::Smallest, false), [3, 1, 4, 0, 2]);
        let zeros = lane(&[-0.0, 0.0]);
        assert_eq!(ranking(&zeros, End::Largest, NanIs::Largest, true), [1, 0]);
        assert_eq!(ranking(&zeros, End::Largest, NanIs::Largest, false), [0, 1]);
    }
}

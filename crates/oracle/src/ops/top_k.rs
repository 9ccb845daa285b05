use std::cmp::Ordering;

use crate::families::extremum::or_any_of;
use crate::families::select::{End, NanIs, both_zeros, lanes, ranking};
use crate::prelude::*;
use crate::{Int, Ints, Pairing, steps};

/// Returns the K largest or smallest elements along an axis, and their indices.
///
/// In version 1, `k` is an attribute; from version 10 on, it is an input. Version 11 adds `largest` and `sorted`.
/// Constraints: the axis (`axis-in-range`), and `K`, one positive number (`k-positive`) that is not above the extent
/// of the axis (`k-fits-axis`). NaN: `nan`; equal elements: `ties`; `sorted` = 0: `unsorted-order`; zeros of both
/// signs: `signed-zero`. Whatever these rules leave open, each value is the element that its index names, and no
/// element is taken twice ([`Pairing`]).
///
/// Flags that are neither 0 nor 1: `other-flag-values`.
pub fn top_k(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let axis = call.axis(call.int("axis")?, x.rank(), rule::AXIS_IN_RANGE)?;
    let k = number_of_elements(call)?;
    let k = usize::try_from(k)
        .ok()
        .filter(|&k| k > 0)
        .ok_or_else(|| Refusal::violates(rule::K_POSITIVE, format!("K is {k}, expected a positive number")))?;
    if k > x.extent(axis) {
        return Err(Refusal::violates(
            rule::K_FITS_AXIS,
            format!("K is {k}, but the axis has {} elements", x.extent(axis)),
        ));
    }
    let end = if call.flag_or_set("largest") { End::Largest } else { End::Smallest };
    let mut shape = x.shape().to_vec();
    shape[axis] = k;
    let (_, _, inner) = shape::around(&shape, axis);
    let mut sources = vec![0; shape::affordable(&shape)?];
    let mut indices = vec![Number::int(0, DType::Int64); sources.len()];
    let mut values = sources.iter().map(|_| None).collect::<Vec<Option<Number>>>();
    for (lane, elements) in lanes(x.shape(), axis).enumerate().filter(|(_, e)| !e.is_empty()) {
        let numbers: Vec<Number> = elements.iter().map(|&i| x.number(i)).collect();
        for (rank, pick) in picks(&numbers, end, k).into_iter().enumerate() {
            let at = (lane / inner * k + rank) * inner + lane % inner;
            sources[at] = elements[pick.place];
            indices[at] = pick.index;
            values[at] = pick.value;
        }
    }
    let mut top = x.rearranged(shape.clone(), |i| sources[i])?;
    // Uncertain or open elements are computed as numbers. Certain elements are copied bit for bit.
    if !x.is_certain() {
        let numbers = (0..sources.len()).map(|i| values[i].unwrap_or_else(|| x.number(sources[i])));
        top = Expected::from_numbers(x.dtype(), shape.clone(), numbers)?;
    } else {
        top.latitude = values.iter().enumerate().filter_map(|(i, v)| Some((i, v.as_ref()?.latitude?))).collect();
    }
    if !x.is_certain() || !x.signed_zero || both_zeros(x) {
        top = top.with_any_zero();
    }
    let mut indices = Expected::from_numbers(DType::Int64, shape, indices)?;
    if !call.flag_or_set("sorted") {
        let any_order = Some(Unordered::of_node(UnorderedParts::Lanes(axis), call.node()));
        (top.unordered, indices.unordered) = (any_order, any_order);
    }
    if !indices.is_certain() {
        let first = (0..indices.len()).map(|i| lane_start(i, k, x.extent(axis), inner)).collect();
        let source = x.clone().with_any_zero();
        Pairing { source, first, step: inner, distinct: true }.bind(&mut top, &mut indices);
    }
    several([top, indices])
}

/// Returns the place in the input of the first element of the lane that element `i` of the outputs comes from. Along
/// the axis, the outputs have `k` elements and the input has `extent`.
fn lane_start(i: usize, k: usize, extent: usize, inner: usize) -> usize {
    let (outer, within) = (i / (k * inner), i % inner);
    outer * extent * inner + within
}

fn number_of_elements(call: &Call) -> Result<i64, Refusal> {
    if call.version().input("K").is_none() {
        return call.int("k");
    }
    match (call.tensor("K")?.shape(), call.ints("K")?.as_slice()) {
        ([1], [k]) => Ok(*k),
        (shape, _) => Err(Refusal::violates(rule::K_POSITIVE, format!("K has shape {shape:?}, expected [1]"))),
    }
}

/// The value and the index at one position of the outputs.
struct Pick {
    /// The place of the picked element in its lane.
    place: usize,
    index: Number,
    /// The value; `None` if it is the element at `place`.
    value: Option<Number>,
}

fn picks(lane: &[Number], end: End, k: usize) -> Vec<Pick> {
    let places = ranking(lane, end, NanIs::Largest, false);
    if !lane.iter().all(|x| x.is_point() || x.is_nan()) {
        return places[..k].iter().enumerate().map(|(rank, &place)| uncertain(lane, end, rank, place)).collect();
    }
    if lane.iter().any(Number::is_nan) {
        return places[..k].iter().map(|&place| with_nan(lane, place)).collect();
    }
    let by_sign = ranking(lane, end, NanIs::Largest, true);
    let pick = |rank: usize| {
        let (place, other) = (places[rank], by_sign[rank]);
        let index = Number::int(place as i128, DType::Int64);
        let index =
            if other == place { index } else { index.or(Number::int(other as i128, DType::Int64), rule::SIGNED_ZERO) };
        Pick { place, index, value: None }
    };
    (0..k).map(pick).collect()
}

/// Returns the result for a lane with NaN. Comparisons with NaN are false, so any element of the lane may stand at any
/// place (`nan`).
fn with_nan(lane: &[Number], place: usize) -> Pick {
    steps::take(lane.len());
    let value = lane.iter().fold(lane[place], |value, &other| value.or(other, rule::NAN));
    Pick { place, index: any_of(lane.len(), Number::int(place as i128, DType::Int64), rule::NAN), value: Some(value) }
}

/// Accepts any index of a lane of this length.
fn any_of(length: usize, index: Number, label: Label) -> Number {
    index.or(Allowed::Ints(Ints::default().with(0, length as i128 - 1)), label)
}

/// Sorts the lower ends and the upper ends separately, and returns the end at index `rank` of each list, and the
/// places of the ranges that overlap the interval between these two ends.
fn at_rank<T: Copy + PartialOrd>(
    ends: &[(T, T)],
    rank: usize,
    compare: impl Fn(&T, &T) -> Ordering,
) -> (T, T, Vec<usize>) {
    let at_rank = |mut all: Vec<T>| {
        all.sort_by(&compare);
        all[rank]
    };
    let low = at_rank(ends.iter().map(|ends| ends.0).collect());
    let high = at_rank(ends.iter().map(|ends| ends.1).collect());
    let overlaps = |i: &usize| ends[*i].0 <= high && ends[*i].1 >= low;
    (low, high, (0..ends.len()).filter(overlaps).collect())
}

/// Returns the pick at index `rank` of the sorted lane, which has uncertain elements. Its value lies between two
/// bounds: the lower end at this index if all lower ends are sorted, and the upper end at this index if all upper ends
/// are sorted. Any element whose range overlaps the interval between the bounds may be the result.
fn uncertain(lane: &[Number], end: End, rank: usize, place: usize) -> Pick {
    steps::take(lane.len());
    let ascending = if end == End::Largest { lane.len() - 1 - rank } else { rank };
    let (value, candidates) = match lane[place].kind {
        NumberKind::Int(x) => {
            let ends = lane.iter().filter_map(|x| match x.kind {
                NumberKind::Int(x) => Some((x.low, x.high)),
                NumberKind::Real(_) => None,
            });
            let (low, high, candidates) = at_rank(&ends.collect::<Vec<_>>(), ascending, i128::cmp);
            (NumberKind::Int(Int { low, high, ..x }), candidates)
        }
        NumberKind::Real(x) => {
            let ends: Vec<(f64, f64)> = lane.iter().map(|x| (x.real().low, x.real().high)).collect();
            let (low, high, candidates) = at_rank(&ends, ascending, f64::total_cmp);
            let integral = low != high && candidates.iter().all(|&i| lane[i].real().is_whole());
            (NumberKind::Real(Real { low, high, integral, signed_zero: false, ..x }), candidates)
        }
    };
    let first = candidates.iter().fold(place, |first, &i| first.min(i)) as i128;
    let last = candidates.iter().fold(place, |last, &i| last.max(i)) as i128;
    let index = Number {
        kind: NumberKind::Int(Int { low: first, mid: place as i128, high: last, dtype: DType::Int64 }),
        latitude: None,
    };
    let value = Number { kind: value, latitude: None };
    // An element with several outcomes may change places with any other.
    let open = lane.iter().find_map(|x| x.latitude).map(|latitude| latitude.label);
    let open = open.or(lane.iter().any(|x| x.may_be_nan() || x.is_nan()).then_some(rule::NAN));
    let Some(label) = open else { return Pick { place, index, value: Some(value) } };
    let value = or_any_of(value, lane, label);
    Pick { place, index: any_of(lane.len(), index, label), value: Some(value) }
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};
    use crate::{Judged, aligned};
    use plumbline_tensor::{Tensor, Value};

    #[test]
    fn ends_of_large_integers_are_not_rounded() {
        let large = (1i128 << 53) + 1;
        let ends = [(large, large), (large - 4, large - 3), (large - 1, large + 1)];
        assert_eq!(super::at_rank(&ends, 2, i128::cmp), (large, large + 1, vec![0, 2]));
    }

    #[test]
    fn ties_are_broken_by_the_lower_index() {
        let x = floats(&[2, 4], &[1.0, 2.0, 2.0, 0.5, 3.0, 3.0, 3.0, 3.0]);
        let top = run("TopK", 11, &[x, Tensor::from_i64s(&[2])], 2).expect("the node is valid");
        assert_eq!(top[0].tensor, floats(&[2, 2], &[2.0, 2.0, 3.0, 3.0]));
        assert_eq!(top[1].tensor.to_i64s(), Ok(vec![1, 2, 0, 1]));
        assert!(top.iter().all(|t| t.latitude.is_empty() && t.unordered.is_none()));
    }

    #[test]
    fn beside_nan_each_value_belongs_to_its_index_and_no_element_is_taken_twice() {
        let nan = f32::NAN;
        let x = floats(&[2, 4, 2], &[1.0, 5.0, nan, 6.0, 3.0, 7.0, 2.0, 8.0, 0.5, nan, 4.0, 1.5, 2.5, 2.5, 3.5, 0.0]);
        let top = run("TopK <axis = 1>", 11, &[x, Tensor::from_i64s(&[2])], 2).expect("the node is valid");
        let operands: Vec<_> = top.iter().map(|t| crate::Operand::Tensor(t.clone())).collect();
        let objection = |values: &[f32], indices: &[i64]| {
            let indices = Tensor::from_i64s(indices).reshaped(vec![2, 2, 2]).expect("the shape has eight elements");
            let answer = [Value::from(floats(&[2, 2, 2], values)), Value::from(indices)];
            crate::disagreement(&operands, &answer).map(|objection| objection.class)
        };
        let lanes = |first: [f32; 2], at: [i64; 2]| {
            let values = [first[0], 8.0, first[1], 7.0, 4.0, nan, 3.5, 2.5];
            objection(&values, &[at[0], 3, at[1], 2, 1, 0, 3, 2])
        };
        for (values, indices) in [([nan, 3.0], [1, 2]), ([3.0, 2.0], [2, 3]), ([1.0, nan], [0, 1])] {
            assert_eq!(lanes(values, indices), None, "{values:?} {indices:?}");
        }
        assert_eq!(lanes([nan, 3.0], [1, 3]), Some("unpaired"));
        assert_eq!(lanes([3.0, nan], [1, 2]), Some("unpaired"));
        assert_eq!(lanes([3.0, 3.0], [2, 2]), Some("taken twice"));
        assert_eq!(lanes([nan, nan], [1, 1]), Some("taken twice"));
    }

    #[test]
    fn unsorted_pairs_may_come_in_any_order() {
        let x = floats(&[4], &[1.0, 4.0, 2.0, 3.0]);
        let top = run("TopK <sorted = 0>", 11, &[x, Tensor::from_i64s(&[3])], 2).expect("the node is valid");
        let judged = |values: &[f32], indices: &[i64]| {
            let answer = [Value::from(floats(&[3], values)), Value::from(Tensor::from_i64s(indices))];
            let operands: Vec<_> = top.iter().map(|t| crate::Operand::Tensor(t.clone())).collect();
            let aligned = aligned(&operands, &answer);
            let tensors = aligned.iter().filter_map(Value::as_tensor);
            top.iter().zip(tensors).all(|(e, t)| (0..3).all(|i| e.judge(t, i) == Judged::Accepted))
        };
        assert!(judged(&[2.0, 4.0, 3.0], &[2, 1, 3]));
        assert!(!judged(&[2.0, 4.0, 3.0], &[1, 2, 3]));
        assert!(!judged(&[1.0, 4.0, 3.0], &[0, 1, 3]));
    }
}

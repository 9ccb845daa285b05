//! Moves the elements or rows of an answer into the expected order before the answer is judged, where the specification
//! allows any order.

use std::borrow::Cow;

use plumbline_tensor::{Tensor, Value};

use super::expected::{Expected, Judged};
use super::operand::Operand;

/// Returns the answer with its elements or rows moved into the expected order, in the outputs for which
/// [`Expected::unordered`] is set. All these outputs are reordered in the same way.
///
/// Each expected element or row gets a partner: an element or row of the answer that has no partner yet and fits in all
/// these outputs. The candidate in the same place is tried first, and then all candidates in order. There are two
/// passes: in the first, a candidate fits only if it is accepted; in the second, it also fits if it is latitude.
/// Elements or rows without a partner fill the places that are left, in the order of the answer.
///
/// An output stays as it is if its type or shape is not the expected one. It also stays as it is if its expected shape
/// or its [`Expected::unordered`] differs from that of the first output that is reordered.
pub fn aligned<'a>(expected: &[Operand], values: &'a [Value]) -> Cow<'a, [Value]> {
    let mut outputs: Vec<(usize, &Expected, &Tensor)> = Vec::new();
    for (position, (operand, value)) in expected.iter().zip(values).enumerate() {
        let (Operand::Tensor(expected), Value::Tensor(tensor)) = (operand, value) else { continue };
        let comparable = expected.dtype() == tensor.dtype() && expected.shape() == tensor.shape();
        let alike =
            outputs.first().is_none_or(|(_, e, _)| e.shape() == expected.shape() && e.unordered == expected.unordered);
        let unordered = expected.unordered.is_some_and(|u| u.lanes(expected.shape()).is_some());
        if unordered && comparable && alike {
            outputs.push((position, expected, tensor));
        }
    }
    let Some((first, unordered)) = outputs.first().and_then(|(_, e, _)| Some((*e, e.unordered?))) else {
        return Cow::Borrowed(values);
    };
    let Some((lanes, extent, parts)) = unordered.lanes(first.shape()) else { return Cow::Borrowed(values) };
    let mut order: Vec<usize> = (0..first.len()).collect();
    for lane in 0..lanes {
        let element = |place: usize, part: usize| unordered.element(first.shape(), lane, place, part);
        let partners = partners(&outputs, extent, parts, element);
        for (place, partner) in partners.into_iter().enumerate() {
            (0..parts).for_each(|part| order[element(place, part)] = element(partner, part));
        }
    }
    let mut aligned = values.to_vec();
    for (position, _, tensor) in outputs {
        let moved = Expected::from(tensor.clone()).rearranged(tensor.shape().to_vec(), |i| order[i]);
        if let Ok(moved) = moved {
            aligned[position] = Value::Tensor(moved.tensor);
        }
    }
    Cow::Owned(aligned)
}

/// Returns, for each place of a lane, the place of its partner in the answer.
fn partners(
    outputs: &[(usize, &Expected, &Tensor)],
    extent: usize,
    parts: usize,
    element: impl Fn(usize, usize) -> usize,
) -> Vec<usize> {
    let mut partner: Vec<Option<usize>> = vec![None; extent];
    let mut used = vec![false; extent];
    for latitude in [false, true] {
        for (place, slot) in partner.iter_mut().enumerate() {
            if slot.is_some() {
                continue;
            }
            let fits = |candidate: &usize| {
                let belongs = |(_, expected, answer): &(usize, &Expected, &Tensor), part: usize| match expected
                    .judge_at(element(place, part), answer, element(*candidate, part))
                {
                    Judged::Accepted => true,
                    Judged::Latitude(_) => latitude,
                    Judged::Wrong => false,
                };
                !used[*candidate] && outputs.iter().all(|output| (0..parts).all(|part| belongs(output, part)))
            };
            // Most answers already have the expected order, so the same place is tried first.
            let found = std::iter::once(place).chain(0..extent).find(fits);
            if let Some(candidate) = found {
                *slot = Some(candidate);
                used[candidate] = true;
            }
        }
    }
    let mut left = (0..extent).filter(|&k| !used[k]).collect::<Vec<_>>().into_iter();
    partner.into_iter().map(|p| p.or_else(|| left.next()).unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::expected::Unordered;
    use super::*;
    use std::sync::Arc;

    fn operand(tensor: Tensor) -> Operand {
        Operand::Tensor(Arc::new(Expected { unordered: Some(Unordered::Lanes(1)), ..tensor.into() }))
    }

    fn values(x: &[f32]) -> Tensor {
        Tensor::from_f32s(vec![2, 3], x).expect("the shape has six elements")
    }

    fn indices(x: &[i64]) -> Tensor {
        Tensor::from_i64s(x).reshaped(vec![2, 3]).expect("the shape has six elements")
    }

    #[test]
    fn lanes_are_sorted_into_the_expected_order_in_all_outputs() {
        let expected = [operand(values(&[3.0, 2.0, 2.0, 9.0, 8.0, 7.0])), operand(indices(&[0, 1, 4, 2, 0, 1]))];
        let answer = [Value::from(values(&[2.0, 3.0, 2.0, 7.0, 9.0, 8.0])), Value::from(indices(&[4, 0, 1, 1, 2, 0]))];
        let aligned = aligned(&expected, &answer);
        assert_eq!(aligned[0], Value::from(values(&[3.0, 2.0, 2.0, 9.0, 8.0, 7.0])));
        assert_eq!(aligned[1], Value::from(indices(&[0, 1, 4, 2, 0, 1])));
    }

    #[test]
    fn lanes_that_do_not_match_stay_wrong() {
        let expected = [operand(values(&[3.0, 2.0, 1.0, 9.0, 8.0, 7.0])), operand(indices(&[0, 1, 4, 2, 0, 1]))];
        // The values are correct, but the first two indices belong to each other's values.
        let answer = [Value::from(values(&[2.0, 3.0, 1.0, 9.0, 8.0, 7.0])), Value::from(indices(&[0, 1, 4, 2, 0, 1]))];
        let aligned = aligned(&expected, &answer);
        let wrong = |position: usize| {
            let (Operand::Tensor(e), Value::Tensor(t)) = (&expected[position], &aligned[position]) else { return 0 };
            (0..6).filter(|&i| e.judge(t, i) == Judged::Wrong).count()
        };
        assert_eq!(wrong(0) + wrong(1), 2);
        // An output of another shape stays as it is.
        let short = [Value::from(Tensor::from_i64s(&[1]))];
        assert_eq!(super::aligned(&expected[..1], &short)[..], short[..]);
    }

    #[test]
    fn rows_stay_whole() {
        let rows = |x: &[i64]| Tensor::from_i64s(x).reshaped(vec![3, 2]).expect("the shape has six elements");
        let expected = Expected { unordered: Some(Unordered::Rows), ..rows(&[0, 4, 0, 2, 1, 2]).into() };
        let expected = [Operand::Tensor(Arc::new(expected))];
        let turned = [Value::from(rows(&[1, 2, 0, 4, 0, 2]))];
        assert_eq!(aligned(&expected, &turned)[0], Value::from(rows(&[0, 4, 0, 2, 1, 2])));
        // Each column has the right numbers, but the rows are different.
        let mixed = [Value::from(rows(&[1, 4, 0, 2, 0, 2]))];
        assert_eq!(aligned(&expected, &mixed)[0], Value::from(rows(&[1, 4, 0, 2, 0, 2])));
        let none = Expected { unordered: Some(Unordered::Rows), ..Tensor::from_i64s(&[]).into() };
        let none = [Operand::Tensor(Arc::new(none))];
        assert_eq!(aligned(&none, &[Value::from(Tensor::from_i64s(&[]))])[0], Value::from(Tensor::from_i64s(&[])));
    }
}

//! Moves the elements or rows of an answer into the expected order before the answer is judged, where the specification
//! allows any order.

use std::borrow::Cow;

use plumbline_tensor::{Tensor, Value};

use super::expected::{Expected, Judged};
use super::operand::Operand;

/// Returns the answer with its elements or rows moved into the expected order, in the outputs for which
/// [`Expected::unordered`] is set. Outputs of the same shape for which it is the same are reordered in the same way.
///
/// Each expected element or row gets a partner: an element or row of the answer that has no partner yet and fits in all
/// these outputs. The candidate in the same place is tried first, and then all candidates in order. There are two
/// passes: in the first, a candidate fits only if it is accepted; in the second, it also fits if it is latitude.
/// Elements or rows without a partner fill the places that are left, in the order of the answer.
///
/// An output stays as it is if its type or shape is not the expected one.
pub fn aligned<'a>(expected: &[Operand], values: &'a [Value]) -> Cow<'a, [Value]> {
    let mut groups: Vec<Vec<Output>> = Vec::new();
    for (position, (operand, value)) in expected.iter().zip(values).enumerate() {
        let (Operand::Tensor(expected), Value::Tensor(tensor)) = (operand, value) else { continue };
        let comparable = expected.dtype() == tensor.dtype() && expected.shape() == tensor.shape();
        if !comparable || expected.unordered.is_none() {
            continue;
        }
        let output = (position, expected.as_ref(), tensor);
        let alike = |group: &&mut Vec<Output>| {
            let (_, other, _) = group[0];
            other.unordered == expected.unordered && other.shape() == expected.shape()
        };
        match groups.iter_mut().find(alike) {
            Some(group) => group.push(output),
            None => groups.push(vec![output]),
        }
    }
    let mut aligned = Cow::Borrowed(values);
    for group in groups {
        let Some(order) = order(&group) else { continue };
        for (position, _, tensor) in group {
            let moved = Expected::from(tensor.clone()).rearranged(tensor.shape().to_vec(), |i| order[i]);
            if let Ok(moved) = moved {
                aligned.to_mut()[position] = Value::Tensor(moved.tensor);
            }
        }
    }
    aligned
}

/// An output: its position, what is expected, and the answer.
type Output<'a> = (usize, &'a Expected, &'a Tensor);

/// Returns, for each element of outputs that are reordered in the same way, its place in the answer.
fn order(outputs: &[Output]) -> Option<Vec<usize>> {
    let (_, first, _) = outputs.first()?;
    let unordered = first.unordered?;
    let (lanes, extent, parts) = unordered.lanes(first.shape())?;
    let mut order: Vec<usize> = (0..first.len()).collect();
    for lane in 0..lanes {
        let element = |place: usize, part: usize| unordered.element(first.shape(), lane, place, part);
        let partners = partners(outputs, extent, parts, element);
        for (place, partner) in partners.into_iter().enumerate() {
            (0..parts).for_each(|part| order[element(place, part)] = element(partner, part));
        }
    }
    Some(order)
}

/// Returns, for each place of a lane, the place of its partner in the answer.
fn partners(outputs: &[Output], extent: usize, parts: usize, element: impl Fn(usize, usize) -> usize) -> Vec<usize> {
    let mut partner: Vec<Option<usize>> = vec![None; extent];
    let mut used = vec![false; extent];
    for latitude in [false, true] {
        for (place, slot) in partner.iter_mut().enumerate() {
            if slot.is_some() {
                continue;
            }
            let fits = |candidate: &usize| {
                let belongs = |(_, expected, answer): &Output, part: usize| match expected.judge_at(
                    element(place, part),
                    answer,
                    element(*candidate, part),
                ) {
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
    use super::super::expected::{Unordered, UnorderedParts};
    use super::*;
    use std::sync::Arc;

    fn unordered(parts: UnorderedParts, node: u32, tensor: Tensor) -> Operand {
        Operand::Tensor(Arc::new(Expected { unordered: Some(Unordered { parts, node }), ..tensor.into() }))
    }

    fn operand(tensor: Tensor) -> Operand {
        unordered(UnorderedParts::Lanes(1), 0, tensor)
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
    fn each_node_has_an_order_of_its_own() {
        let of_node = |node: u32, x: &[i64]| unordered(UnorderedParts::Lanes(1), node, indices(x));
        let expected = [0, 0, 1].map(|node| of_node(node, &[0, 1, 2, 0, 1, 2]));
        let answer = [[1, 0, 2, 0, 1, 2], [1, 0, 2, 0, 1, 2], [2, 1, 0, 0, 1, 2]].map(|x| Value::from(indices(&x)));
        let right = Value::from(indices(&[0, 1, 2, 0, 1, 2]));
        assert_eq!(aligned(&expected, &answer)[..], [right.clone(), right.clone(), right]);
        let answer = [[1, 0, 2, 0, 1, 2], [2, 1, 0, 0, 1, 2], [0, 1, 2, 0, 1, 2]].map(|x| Value::from(indices(&x)));
        assert_ne!(aligned(&expected, &answer)[0], aligned(&expected, &answer)[1]);
    }

    #[test]
    fn rows_stay_whole() {
        let rows = |x: &[i64]| Tensor::from_i64s(x).reshaped(vec![3, 2]).expect("the shape has six elements");
        let expected = [unordered(UnorderedParts::Rows, 0, rows(&[0, 4, 0, 2, 1, 2]))];
        let turned = [Value::from(rows(&[1, 2, 0, 4, 0, 2]))];
        assert_eq!(aligned(&expected, &turned)[0], Value::from(rows(&[0, 4, 0, 2, 1, 2])));
        // Each column has the right numbers, but the rows are different.
        let mixed = [Value::from(rows(&[1, 4, 0, 2, 0, 2]))];
        assert_eq!(aligned(&expected, &mixed)[0], Value::from(rows(&[1, 4, 0, 2, 0, 2])));
        let none = [unordered(UnorderedParts::Rows, 0, Tensor::from_i64s(&[]))];
        assert_eq!(aligned(&none, &[Value::from(Tensor::from_i64s(&[]))])[0], Value::from(Tensor::from_i64s(&[])));
    }
}

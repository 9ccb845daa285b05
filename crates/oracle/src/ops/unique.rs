use std::cmp::Ordering;

use crate::families::select::{NanIs, both_zeros, lanes};
use crate::prelude::*;
use crate::{Allowed, Latitude};

/// Returns the unique elements of the input, or its unique subtensors along an axis, with their first positions, their
/// inverse indices and their counts.
///
/// Versions 11 and 28 have the same meaning; version 28 adds bfloat16. Constraints: the axis (`axis-in-range`) and
/// `sorted` (`sorted-known`). NaN: `nan`; zeros of both signs: `signed-zero`; the order of complex numbers:
/// `sort-order`; subtensors without elements: `empty-input`; the order for `sorted` = 0: `unsorted-order`.
pub fn unique(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    if !x.is_certain() {
        return Err(Refusal::unsupported(
            "the oracle accepts more than one value for an element, so that it is open which elements are equal",
        ));
    }
    let sorted = match call.int("sorted")? {
        0 => false,
        1 => true,
        other => return Err(Refusal::violates(rule::SORTED_KNOWN, format!("`sorted` is {other}, expected 0 or 1"))),
    };
    let axis = call.optional_int("axis").map(|axis| call.axis(axis, x.rank(), rule::AXIS_IN_RANGE)).transpose()?;
    if x.is_empty() && axis.is_some_and(|axis| x.extent(axis) > 1) {
        call.leaves_open(rule::EMPTY_INPUT);
    }
    let mut found = Found::search(x, axis, sorted, NanIs::Largest, true);
    // A second answer keeps subtensors with a NaN apart, however they look alike.
    let apart = (0..x.len()).any(|i| is_nan(x, i)).then(|| Found::search(x, axis, sorted, NanIs::Largest, false));
    let apart = apart.filter(|apart| apart.runs.len() != found.runs.len() && call.reading(rule::NAN, 2) == 1);
    let is_together = apart.is_none();
    if let Some(apart) = apart {
        found = apart;
    }
    let mut outputs = found.outputs(x, axis)?;
    // NaN may also sort first. Elements that differ between the two orders are left open.
    let other = Found::search(x, axis, sorted, NanIs::Smallest, is_together).outputs(x, axis)?;
    let complex = matches!(x.dtype(), DType::Complex64 | DType::Complex128);
    let order_is_open = complex && outputs.iter().zip(&other).any(|(output, other)| output.tensor != other.tensor);
    for (output, other) in outputs.iter_mut().zip(&other) {
        output.latitude = match order_is_open {
            true => left_open(0..output.len(), rule::SORT_ORDER),
            false => differences(output, other),
        };
    }
    if !complex {
        if both_zeros(x) || !x.signed_zero || x.bounds.is_some() {
            outputs[0] = outputs[0].clone().with_any_zero();
        }
    } else if outputs[0].latitude.is_empty() {
        outputs[0].latitude = left_open(found.places_of_mixed_zeros(x, axis), rule::SIGNED_ZERO);
    }
    several(outputs)
}

fn left_open(elements: impl IntoIterator<Item = usize>, label: Label) -> Vec<(usize, Latitude)> {
    elements.into_iter().map(|i| (i, Latitude { label, allowed: Allowed::Anything })).collect()
}

/// Returns a latitude for each element of `output` that differs from the same element of `other`. The latitude allows
/// the element of `other` (`nan`).
fn differences(output: &Expected, other: &Expected) -> Vec<(usize, Latitude)> {
    let differs = |i: &usize| output.tensor.bits_at(*i) != other.tensor.bits_at(*i);
    let allowed = |i: usize| match output.dtype() {
        dtype if dtype.is_float() => Allowed::real(other.tensor.f64_at(i)),
        _ => Allowed::int(other.tensor.i128_at(i)),
    };
    (0..output.len()).filter(differs).map(|i| (i, Latitude { label: rule::NAN, allowed: allowed(i) })).collect()
}

/// The unique subtensors, or the unique elements if there is no axis.
struct Found {
    /// For each of them, in the order of the output: the positions at which it occurs, ascending.
    runs: Vec<Vec<usize>>,
    /// For each subtensor of the input, its position among the unique ones.
    inverse: Vec<usize>,
}

impl Found {
    /// `is_together` says whether NaN equals NaN.
    fn search(x: &Expected, axis: Option<usize>, sorted: bool, nan: NanIs, is_together: bool) -> Found {
        let items = subtensors(x, axis);
        let compare = |i: usize, j: usize| {
            let pairs = items[i].iter().zip(&items[j]);
            pairs.map(|(&a, &b)| order(&x.tensor, a, b, nan)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
        };
        // Equal subtensors become neighbours, in the order in which they occur.
        let mut places: Vec<usize> = (0..items.len()).collect();
        places.sort_by(|&i, &j| compare(i, j));
        let has_nan = |item: usize| items[item].iter().any(|&i| is_nan(x, i));
        let equal = |&i: &usize, &j: &usize| compare(i, j).is_eq() && (is_together || !has_nan(i));
        let mut runs: Vec<Vec<usize>> = places.chunk_by(equal).map(<[usize]>::to_vec).collect();
        if !sorted {
            runs.sort_by_key(|run| run[0]);
        }
        let mut inverse = vec![0; items.len()];
        for (place, run) in runs.iter().enumerate() {
            run.iter().for_each(|&i| inverse[i] = place);
        }
        Found { runs, inverse }
    }

    /// Returns Y, indices, inverse_indices and counts.
    fn outputs(&self, x: &Expected, axis: Option<usize>) -> Result<[Expected; 4], Refusal> {
        let count = self.runs.len();
        let firsts: Vec<usize> = self.runs.iter().map(|run| run[0]).collect();
        let counts: Vec<usize> = self.runs.iter().map(Vec::len).collect();
        let y = match axis {
            None => x.rearranged(vec![count], |i| firsts[i])?,
            Some(axis) => {
                let mut shape = x.shape().to_vec();
                shape[axis] = count;
                let (_, extent, inner) = shape::around(x.shape(), axis);
                let source = |i: usize| {
                    let (outer, place, rest) = (i / (count * inner), i / inner % count, i % inner);
                    (outer * extent + firsts[place]) * inner + rest
                };
                x.rearranged(shape, source)?
            }
        };
        let ints =
            |values: &[usize]| Expected::from(Tensor::from_i64s(&values.iter().map(|&v| v as i64).collect::<Vec<_>>()));
        Ok([y, ints(&firsts), ints(&self.inverse), ints(&counts)])
    }
}

impl Found {
    /// A subtensor of a complex Y may stand for several subtensors of X that differ only in the signs of zeros. Returns
    /// the indices of all elements of Y that belong to such subtensors of Y.
    fn places_of_mixed_zeros(&self, x: &Expected, axis: Option<usize>) -> Vec<usize> {
        let items = subtensors(x, axis);
        let negative = |part: f64| part == 0.0 && part.is_sign_negative();
        let zeros = |item: usize| -> Vec<[bool; 2]> {
            items[item].iter().map(|&i| x.tensor.complex_at(i).map(negative)).collect()
        };
        let mixed: Vec<bool> = self.runs.iter().map(|run| run.iter().any(|&i| zeros(i) != zeros(run[0]))).collect();
        let inner = axis.map_or(1, |axis| shape::around(x.shape(), axis).2);
        let count = self.runs.len().max(1);
        let elements = self.runs.len() * items.first().map_or(0, Vec::len);
        (0..elements).filter(|i| mixed[i / inner % count]).collect()
    }
}

/// Returns whether an element is NaN, or a part of it if it is complex.
fn is_nan(x: &Expected, i: usize) -> bool {
    match x.dtype().is_float() {
        true => x.tensor.f64_at(i).is_nan(),
        false => x.tensor.complex_at(i).iter().any(|part| part.is_nan()),
    }
}

/// Returns the indices of the elements of each subtensor, in row-major order.
fn subtensors(x: &Expected, axis: Option<usize>) -> Vec<Vec<usize>> {
    let Some(axis) = axis else { return (0..x.len()).map(|i| vec![i]).collect() };
    let mut subtensors = vec![Vec::new(); x.extent(axis)];
    for lane in lanes(x.shape(), axis) {
        lane.into_iter().enumerate().for_each(|(k, element)| subtensors[k].push(element));
    }
    subtensors
}

/// Compares two elements for the ascending order. NaN equals NaN, and zeros are equal. Complex numbers are compared by
/// their real parts first.
fn order(x: &Tensor, i: usize, j: usize, nan: NanIs) -> Ordering {
    let reals = |a: f64, b: f64| match (a.is_nan(), b.is_nan()) {
        (false, false) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
        (a, b) if nan == NanIs::Largest => a.cmp(&b),
        (a, b) => b.cmp(&a),
    };
    match x.dtype() {
        DType::String => x.strings()[i].cmp(&x.strings()[j]),
        DType::Complex64 | DType::Complex128 => {
            let (a, b) = (x.complex_at(i), x.complex_at(j));
            reals(a[0], b[0]).then(reals(a[1], b[1]))
        }
        dtype if dtype.is_float() => reals(x.f64_at(i), x.f64_at(j)),
        _ => x.i128_at(i).cmp(&x.i128_at(j)),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{answers_by, floats, run};
    use plumbline_tensor::{DType, Data, Tensor};

    #[test]
    fn a_nan_sorts_behind_or_before_every_number() {
        let x = floats(&[4], &[2.0, f32::NAN, 1.0, 2.0]);
        let outputs = run("Unique", 11, &[x], 4).expect("the node is valid");
        assert_eq!(outputs[0].tensor.to_f64s()[..2], [1.0, 2.0]);
        assert_eq!(outputs[1].tensor.to_i64s(), Ok(vec![2, 0, 1]));
        assert_eq!(outputs[2].tensor.to_i64s(), Ok(vec![1, 2, 0, 1]));
        assert_eq!(outputs[3].tensor.to_i64s(), Ok(vec![1, 2, 1]));
        assert_eq!(outputs[1].latitude.len(), 3);
    }

    #[test]
    fn two_nan_are_one_unique_value_or_two() {
        let x = floats(&[4], &[f32::NAN, 1.0, f32::NAN, 1.0]);
        let answers = |node: &str, x: &Tensor| -> Vec<String> {
            answers_by("1.23.2", node, 11, std::slice::from_ref(x)).iter().map(|y| format!("{y:?}")).collect()
        };
        assert_eq!(answers("Unique", &x), ["[1.0, NaN]", "[1.0, NaN, NaN]"]);
        assert_eq!(answers("Unique <sorted = 0>", &x), ["[NaN, 1.0]", "[NaN, 1.0, NaN]"]);
        let rows = floats(&[2, 2], &[1.0, f32::NAN, 1.0, f32::NAN]);
        assert_eq!(answers("Unique <axis = 0>", &rows), ["[1.0, NaN]", "[1.0, NaN, 1.0, NaN]"]);
        assert_eq!(answers("Unique", &floats(&[2], &[f32::NAN, 1.0])), ["[1.0, NaN]"], "one NaN");
    }

    #[test]
    fn complex_zeros_of_both_signs_are_open_but_the_bits_of_nan_are_not() {
        let open = |reals: [u32; 2]| {
            let one = 1f32.to_bits();
            let bytes = reals.into_iter().flat_map(|real| [real, one]).flat_map(u32::to_le_bytes).collect();
            let x = Tensor::new(DType::Complex64, vec![2], Data::Bytes(bytes)).expect("the bytes fit the shape");
            run("Unique", 11, &[x], 1).expect("the node is valid")[0].latitude.len()
        };
        assert_eq!(open([0f32.to_bits(), (-0f32).to_bits()]), 1);
        assert_eq!(open([0x7fc0_0000, 0x7fc0_0001]), 0);
    }

    #[test]
    fn subtensors_are_compared_as_lists_and_keep_their_order_of_occurrence() {
        // The columns are (3, 1), (2, 5), (3, 1) and (2, 4).
        let x = floats(&[2, 4], &[3.0, 2.0, 3.0, 2.0, 1.0, 5.0, 1.0, 4.0]);
        let sorted = run("Unique <axis = -1>", 11, std::slice::from_ref(&x), 4).expect("the node is valid");
        assert_eq!(sorted[0].tensor, floats(&[2, 3], &[2.0, 2.0, 3.0, 4.0, 5.0, 1.0]));
        assert_eq!(sorted[2].tensor.to_i64s(), Ok(vec![2, 1, 2, 0]));
        let found = run("Unique <axis = 1, sorted = 0>", 11, &[x], 4).expect("the node is valid");
        assert_eq!(found[0].tensor, floats(&[2, 3], &[3.0, 2.0, 2.0, 1.0, 5.0, 4.0]));
        assert_eq!(found[1].tensor, Tensor::from_i64s(&[0, 1, 3]));
    }
}

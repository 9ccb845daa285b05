use crate::Pairing;
use crate::families::extremum::or_any_of;
use crate::families::pooling::{Covered, maximum, or_moved, pool, smallest};
use crate::families::reduce::lowest;
use crate::families::select::{among, both_zeros};
use crate::families::sliding_sums::window_maxima;
use crate::families::sliding_window::Windows;
use crate::prelude::*;

/// Computes the maximum of each window of the spatial axes.
///
/// Version 8 adds `Indices` and `storage_order`, version 10 `ceil_mode` and `dilations`, version 12 8-bit integers.
/// From version 22 on, windows that start behind the last element are left out.
///
/// Windows follow the rules from `input-has-spatial-axes` to `ceil-mode` in the list of `families::spatial`. A window
/// without elements: `empty-window`; a window that is a little too long for its axis: `window-just-too-long`; NaN:
/// `nan`; equal maxima: `ties`; indices that count columns first: `storage-order`. Each maximum is the element that its
/// index names ([`Pairing`]).
///
/// Flags that are neither 0 nor 1: `other-flag-values`.
pub fn max_pool(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let windows = Windows::pooling(call, x)?;
    if let Some(y) = moved(call, x, &windows)? {
        return one(y);
    }
    let columns_first = call.flag("storage_order");
    let numbers: Vec<Number> = x.numbers().collect();
    let over = |windows: &Windows| pool(x, windows, |covered| pick(&numbers, x.dtype(), &covered));
    let (shape, mut picks) = over(&windows)?;
    let index = |p: &Pick| if columns_first { by_columns(p, x.shape()) } else { p.index(|place| place) };
    let mut indices: Vec<Number> = picks.iter().map(index).collect();
    if let Some(shortened) = windows.shortened() {
        for ((pick, at), other) in picks.iter_mut().zip(&mut indices).zip(over(&shortened)?.1) {
            (pick.value, *at) = (or_moved(pick.value, other.value), or_moved(*at, index(&other)));
        }
    }
    // Elements are copied bit for bit if all are certain and no window is empty, and otherwise computed as numbers.
    let mut y = if x.is_certain() && picks.iter().all(|p| p.place.is_some()) {
        x.rearranged(shape.clone(), |i| picks[i].place.unwrap_or(0))?
    } else {
        Expected::from_numbers(x.dtype(), shape.clone(), picks.iter().map(|p| p.value))?
    };
    if x.is_certain() {
        y.latitude = picks.iter().enumerate().filter_map(|(i, p)| Some((i, p.value.latitude?))).collect();
    }
    if x.dtype().is_float() && (!x.is_certain() || !x.signed_zero || both_zeros(x)) {
        y = y.with_any_zero();
    }
    if !call.wants_output("Indices") {
        return one(y);
    }
    let mut indices = Expected::from_numbers(DType::Int64, shape, indices)?;
    if !columns_first && !y.is_certain() {
        let source = x.clone().with_any_zero();
        Pairing { source, first: vec![0; y.len()], step: 1, distinct: false }.bind(&mut y, &mut indices);
    }
    several([y, indices])
}

/// Returns the maxima alone. Returns `None` if `Indices` is wanted too, or if the maxima may be open: with uncertain
/// elements or NaN, a window without elements, or windows whose positions are left open (`negative-same-padding`).
fn moved(call: &Call, x: &Expected, windows: &Windows) -> Result<Option<Expected>, Refusal> {
    if call.wants_output("Indices") || !x.is_certain() || windows.shortened().is_some() {
        return Ok(None);
    }
    let keys = x.tensor.to_f64s();
    if keys.iter().any(|k| k.is_nan()) {
        return Ok(None);
    }
    let shape = windows.shape(&x.shape()[..2])?;
    let Some(places) = window_maxima(&keys, x.extent(0) * x.extent(1), windows)? else { return Ok(None) };
    let y = x.rearranged(shape, |i| places[i])?;
    let any_zero = x.dtype().is_float() && (!x.signed_zero || both_zeros(x));
    Ok(Some(if any_zero { y.with_any_zero() } else { y }))
}

/// The result of one window.
struct Pick {
    value: Number,
    /// The index of the selected element; `others` are elements that may be selected instead.
    place: Option<usize>,
    others: Vec<usize>,
    label: Label,
}

fn pick(x: &[Number], dtype: DType, covered: &Covered) -> Pick {
    let elements = covered.elements;
    let Some(&first) = elements.first() else {
        let value = lowest(dtype).or(smallest(dtype), rule::EMPTY_WINDOW);
        return Pick { value, place: None, others: vec![], label: rule::EMPTY_WINDOW };
    };
    if let Some(&nan) = elements.iter().find(|&&i| x[i].is_nan()) {
        let terms: Vec<Number> = elements.iter().map(|&i| x[i]).collect();
        let value = maximum(&terms, rule::NAN).unwrap_or(x[nan]);
        let others = elements.iter().copied().filter(|&i| i != nan).collect();
        return Pick { value, place: Some(nan), others, label: rule::NAN };
    }
    let larger = |best: usize, i: usize| match (x[best].kind, x[i].kind) {
        (NumberKind::Int(a), NumberKind::Int(b)) => b.mid > a.mid,
        _ => x[i].mid() > x[best].mid(),
    };
    let best = elements.iter().fold(first, |best, &i| if larger(best, i) { i } else { best });
    if elements.iter().any(|&i| x[i].may_be_nan() || x[i].latitude.is_some()) {
        let terms: Vec<Number> = elements.iter().map(|&i| x[i]).collect();
        let others = elements.iter().copied().filter(|&i| i != best).collect();
        return Pick { value: or_any_of(x[best], &terms, rule::NAN), place: Some(best), others, label: rule::NAN };
    }
    let value = match x[best].is_point() {
        true if elements.iter().all(|&i| x[i].is_point()) => x[best],
        _ => elements.iter().map(|&i| x[i]).reduce(|a, b| a.maximum(b, rule::NAN)).unwrap_or(x[best]),
    };
    let floor = value.real().low;
    let others = elements.iter().copied().filter(|&i| i != best && x[i].real().high >= floor).collect();
    Pick { value, place: Some(best), others, label: rule::TIES }
}

impl Pick {
    /// Returns the index of the selected element, converted by `of`.
    fn index(&self, of: impl Fn(usize) -> usize) -> Number {
        let int = |place: usize| Number::int(of(place) as i128, DType::Int64);
        let Some(place) = self.place else { return int(0).undecided(self.label) };
        let index = int(place);
        match self.others[..] {
            [] => index,
            [other] => index.or(int(other), self.label),
            _ => among(of(place), self.others.iter().map(|&i| of(i)), self.label),
        }
    }
}

/// Returns the index for `storage_order` 1, which counts columns first: within the channel, or through the whole tensor
/// (`storage-order`).
fn by_columns(pick: &Pick, shape: &[usize]) -> Number {
    let turned = |at: &[usize], shape: &[usize]| at.iter().zip(shape).rev().fold(0, |index, (&a, &e)| index * e + a);
    let within = |place: usize| {
        let at = shape::coordinates(place, shape);
        let plane: usize = shape[2..].iter().product();
        (at[0] * shape[1] + at[1]) * plane + turned(&at[2..], &shape[2..])
    };
    let through = |place: usize| turned(&shape::coordinates(place, shape), shape);
    let (index, other) = (pick.index(within), pick.index(through));
    index.or(other, rule::STORAGE_ORDER)
}

#[cfg(test)]
mod tests {
    use plumbline_tensor::Tensor;

    use crate::Allowed;
    use crate::testing::{floats, run};

    #[test]
    fn indices_do_not_count_padding_and_ties_are_open() {
        let x = floats(&[1, 2, 3], &[1.0, 5.0, 5.0, 2.0, 0.0, 1.0]);
        let y = run("MaxPool <kernel_shape = [2], pads = [1, 0]>", 22, &[x], 2).expect("the node is valid");
        assert_eq!(y[0].tensor, floats(&[1, 2, 3], &[1.0, 5.0, 5.0, 2.0, 2.0, 1.0]));
        assert_eq!(y[1].tensor.to_i64s(), Ok(vec![0, 1, 1, 3, 3, 5]));
        assert_eq!(y[1].latitude.iter().map(|(i, l)| (*i, l.allowed)).collect::<Vec<_>>(), [(2, Allowed::int(2))]);
    }

    #[test]
    fn storage_order_counts_columns_first_within_a_channel() {
        let x = floats(&[1, 2, 2, 3], &[0.0, 9.0, 1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 7.0, 0.0, 0.0, 0.0]);
        let y = run("MaxPool <kernel_shape = [2, 3], storage_order = 1>", 12, &[x], 2).expect("the node is valid");
        assert_eq!(y[1].tensor.to_i64s(), Ok(vec![2, 10]));
        // Through the whole tensor, the index of the channel varies fastest.
        assert_eq!(
            y[1].latitude.iter().map(|(i, l)| (*i, l.allowed)).collect::<Vec<_>>(),
            [(0, Allowed::int(4)), (1, Allowed::int(9))]
        );
    }

    #[test]
    fn a_window_of_padding_only_is_left_open() {
        let x = floats(&[1, 1, 1], &[3.0]);
        let y = &run("MaxPool <kernel_shape = [1], pads = [1, 0]>", 8, &[x], 1).expect("the node is valid")[0];
        assert_eq!((y.shape(), y.tensor.f64_at(1), y.latitude.len()), (&[1, 1, 2][..], 3.0, 1));
    }

    #[test]
    fn beside_nan_the_maximum_is_the_element_that_its_index_names() {
        let x = floats(&[1, 1, 3], &[1.0, f32::NAN, 3.0]);
        let y = run("MaxPool <kernel_shape = [3]>", 22, &[x], 2).expect("the node is valid");
        let operands: Vec<_> = y.iter().map(|t| crate::Operand::Tensor(t.clone())).collect();
        let objection = |value: f32, index: i64| {
            let index = Tensor::from_i64s(&[index]).reshaped(vec![1, 1, 1]).expect("the shape has one element");
            let answer = [floats(&[1, 1, 1], &[value]).into(), index.into()];
            crate::disagreement(&operands, &answer).map(|objection| objection.class)
        };
        assert_eq!([objection(f32::NAN, 1), objection(3.0, 2), objection(1.0, 0)], [None; 3]);
        assert_eq!([objection(3.0, 1), objection(f32::NAN, 2)], [Some("unpaired"); 2]);
    }

    /// Without `Indices`, another algorithm finds the maxima.
    #[test]
    fn maxima_are_the_same_with_and_without_indices() {
        let values: Vec<f32> = (0..40).map(|i| ((i * 7) % 11) as f32 - 5.0).collect();
        let x = floats(&[1, 2, 4, 5], &values);
        let with = run(
            "MaxPool <kernel_shape = [3, 2], strides = [1, 2], pads = [1, 0, 1, 1]>",
            22,
            std::slice::from_ref(&x),
            2,
        )
        .expect("the node is valid");
        let without = run("MaxPool <kernel_shape = [3, 2], strides = [1, 2], pads = [1, 0, 1, 1]>", 22, &[x], 1)
            .expect("the node is valid");
        assert_eq!(with[0], without[0]);
        assert!(with[0].tensor.to_f64s().windows(2).any(|pair| pair[0] != pair[1]));
    }
}

//! Shapes and elements for element-wise operators of two tensors.

use crate::prelude::*;

/// Gives both operands of Add, Sub or Mul.
pub fn arithmetic(draw: &mut Draw) {
    operands(draw, "A", "B");
    draw.legacy();
}

/// Draws two shapes that fit. Up to version 6 the attributes `broadcast` and `axis` say how, and this function gives
/// them or leaves them out; from version 7 on the shapes broadcast.
pub fn shapes(draw: &mut Draw) -> [Vec<usize>; 2] {
    if draw.since() < 7 {
        return legacy_shapes(draw);
    }
    let mut shapes = draw.broadcastable(2, 0..=8);
    let b = shapes.pop().unwrap_or_default();
    let a = shapes.pop().unwrap_or_default();
    [a, b]
}

/// Draws two shapes for versions up to 6. The second one is equal to the first, has one element, or is a contiguous
/// part of the first.
fn legacy_shapes(draw: &mut Draw) -> [Vec<usize>; 2] {
    let a = draw.shape(0..=6);
    let rank = a.len();
    let (b, start, broadcast) = match draw.below(5) {
        0 => (a.clone(), None, draw.flag().then_some(0)),
        1 => (a.clone(), draw.flag().then_some(0), Some(1)),
        2 => {
            draw.feature("one element");
            (vec![1; draw.below(rank + 1)], None, Some(1))
        }
        3 => {
            draw.feature("suffix");
            let start = draw.below(rank + 1);
            (a[start..].to_vec(), draw.flag().then_some(start), Some(1))
        }
        _ => {
            draw.feature("inner extents");
            let start = draw.below(rank + 1);
            let end = start + draw.below(rank - start + 1);
            (a[start..end].to_vec(), Some(start), Some(1))
        }
    };
    if let Some(start) = start.filter(|_| !b.is_empty()) {
        draw.int_attribute("axis", start as i64);
    }
    if let Some(broadcast) = broadcast {
        draw.int_attribute("broadcast", broadcast);
    }
    [a, b]
}

/// Gives the attributes `broadcast` and `axis` of versions up to 6, or leaves them out, and draws two shapes that do
/// not fit under them.
fn legacy_unbroadcastable_shapes(draw: &mut Draw) -> [Vec<usize>; 2] {
    let mut a = draw.full_shape(2..=4);
    let rank = a.len();
    match draw.way(3) {
        // These shapes would fit with `broadcast` = 1.
        0 => {
            if draw.way(2) == 1 {
                draw.int_attribute("broadcast", 0);
            }
            let b = a[1..].to_vec();
            [a, b]
        }
        // One extent differs.
        1 => {
            draw.int_attribute("broadcast", 1);
            let mut b = a.clone();
            let at = draw.way(rank);
            // The specification's text and the published cases disagree on whether an extent of 1 broadcasts here, so
            // it is avoided.
            b[at] = match draw.other_extent(b[at]) {
                1 => b[at] + 1,
                other => other,
            };
            [a, b]
        }
        // With this `axis`, the second shape would reach past the last dimension of the first shape, or start far
        // before its first dimension.
        _ => {
            draw.int_attribute("broadcast", 1);
            let axis = if draw.once_in(8) { i64::MIN } else { draw.above(rank as i64 - 2) };
            draw.int_attribute("axis", axis);
            // A second shape of one element would fit anywhere.
            a[rank - 1] = a[rank - 1].max(2);
            let b = a[rank - 2..].to_vec();
            [a, b]
        }
    }
}

/// Returns which values to draw. Integers are mostly of moderate size, so that they do not all overflow; floating-point
/// elements can be anything.
pub fn values(draw: &mut Draw, input: &str) -> Values {
    if draw.input_dtype(input).is_float() || draw.once_in(3) { Values::Any } else { Values::Moderate }
}

/// Gives both inputs, with shapes that fit.
pub fn operands(draw: &mut Draw, a: &str, b: &str) {
    let shapes = shapes(draw);
    let values = values(draw, a);
    draw.tensor(a, &shapes[0], values);
    draw.tensor(b, &shapes[1], values);
}

/// Gives both inputs, with shapes that break the rule of versions up to 6.
pub fn legacy_unbroadcastable(draw: &mut Draw, a: &str, b: &str) {
    let shapes = legacy_unbroadcastable_shapes(draw);
    draw.tensor(a, &shapes[0], Values::Moderate);
    draw.tensor(b, &shapes[1], Values::Moderate);
}

/// Gives both inputs, with shapes that do not broadcast.
pub fn unbroadcastable(draw: &mut Draw, a: &str, b: &str) {
    let (left, right) = draw.unbroadcastable();
    draw.tensor(a, &left, Values::Moderate);
    let dtype = draw.input_dtype(b);
    if dtype == DType::String {
        draw.tensor(b, &right, Values::Any);
        return;
    }
    // Avoids zeros, because an integer division by zero is a different problem.
    let right = elements_from(draw, dtype, &right, &[1, 2, 3]);
    draw.input(b, right);
}

/// Draws elements of a number type from a list.
pub fn elements_from(draw: &mut Draw, dtype: DType, shape: &[usize], list: &[i64]) -> Tensor {
    let choices = draw.block(shape.iter().product(), list.len() as u64);
    let values: Vec<f64> = choices.into_iter().map(|at| list[at as usize] as f64).collect();
    Tensor::from_f64s(dtype, shape.to_vec(), &values).expect("there are as many values as the shape has elements")
}

/// Gives the divisor for `dividend`; the dividend has to be the input given last. Some processors trap on an integer
/// division by 0, and on the smallest integer divided by -1. Cases with such a division are rare, so that a backend
/// that crashes on them still shows what else it does.
pub fn divisor(draw: &mut Draw, input: &str, shape: &[usize], values: Values, dividend: &Tensor) {
    let dtype = draw.input_dtype(input);
    let drawn = draw.elements(dtype, shape, values);
    let Some((smallest, _)) = dtype.integer_range() else { return draw.input(input, drawn) };
    let mut numbers = drawn.to_i128s();
    if draw.once_in(12) {
        draw.feature("division by zero");
        if let Some(first) = numbers.first_mut() {
            *first = 0;
        }
    } else {
        numbers.iter_mut().filter(|n| **n == 0).for_each(|n| *n = 3);
    }
    // The quotient of the smallest integer and -1 overflows, and some backends crash. So this pair occurs only now and
    // then, and only with the first element of the divisor.
    let overflows = smallest < 0 && !dividend.is_empty() && !numbers.is_empty() && draw.once_in(20);
    let mut dividends = dividend.to_i128s();
    if dividends.contains(&smallest) {
        numbers.iter_mut().filter(|n| **n == -1).for_each(|n| *n = -2);
    }
    if overflows {
        draw.feature("smallest integer by minus one");
        dividends[0] = smallest;
        numbers.iter_mut().filter(|n| **n == -1).for_each(|n| *n = -2);
        numbers[0] = -1;
        let changed = Tensor::from_i128s(dtype, dividend.shape().to_vec(), &dividends);
        draw.replace_last_input(changed.expect("the number of elements stays the same"));
    }
    let tensor = Tensor::from_i128s(dtype, shape.to_vec(), &numbers)
        .expect("there are as many numbers as the shape has elements");
    draw.input(input, tensor);
}

/// Gives the second input of a comparison. Many of its elements are equal to an element of the first input, or
/// differ from that element only in the lowest bit.
fn comparand(draw: &mut Draw, input: &str, shape: &[usize], values: Values, other: &Tensor) {
    let dtype = draw.input_dtype(input);
    let drawn = draw.elements(dtype, shape, values);
    if other.is_empty() || dtype == DType::Bool {
        return draw.input(input, drawn);
    }
    // Finds an element of the other input: the one at the same place if the shapes are equal, otherwise any.
    let partner = |i: usize, choice: u64| {
        if other.shape() == shape { i } else { (choice / 6) as usize % other.len() }
    };
    let choices = draw.block(drawn.len(), 6 * 1024).into_iter().enumerate();
    let tensor = if dtype == DType::String {
        let strings = choices.map(|(i, choice)| match choice % 6 {
            3.. => other.strings()[partner(i, choice)].clone(),
            _ => drawn.strings()[i].clone(),
        });
        Tensor::from_strings(shape.to_vec(), strings.collect())
    } else {
        let bits = choices.map(|(i, choice)| match choice % 6 {
            4 | 5 => other.bits_at(partner(i, choice)),
            // A neighbour: the number that differs only in its lowest bit.
            3 => other.bits_at(partner(i, choice)) ^ 1,
            _ => drawn.bits_at(i),
        });
        Tensor::from_bits(dtype, shape.to_vec(), bits)
    };
    draw.input(input, tensor.expect("there are as many choices as the shape has elements"));
}

/// Gives both operands of a comparison.
pub fn comparison(draw: &mut Draw) {
    let [a, b] = shapes(draw);
    let left = draw.tensor("A", &a, Values::Any);
    comparand(draw, "B", &b, Values::Any, &left);
}

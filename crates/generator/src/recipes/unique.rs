//! Draws few different values, so that many elements, or some slices along an axis, are equal. Some outputs are left
//! out.

use crate::families::selection;
use crate::prelude::*;

/// Draws elements with few different values, some of them NaN.
fn repeating(draw: &mut Draw, shape: &[usize]) -> Tensor {
    let dtype = draw.dtype("T");
    let values = draw.choose(&[Values::Between(-2.0, 3.0), Values::Integers, Values::Finite]);
    let pool = draw.elements(dtype, &[5], if dtype == DType::Bool { Values::Any } else { values });
    let nan = dtype.is_float() && draw.once_in(4);
    let mut sources: Vec<usize> = draw.block(shape.iter().product(), 5).into_iter().map(|i| i as usize).collect();
    let mut bits: Vec<u64> = sources.iter().map(|&i| pool.bits_at(i)).collect();
    let size = dtype.size();
    if nan
        && let Some(format) = dtype.float_format()
        && !bits.is_empty()
    {
        let count = draw.choose(&[1, 2]);
        for _ in 0..count {
            let at = draw.below(bits.len());
            bits[at] = format.encode(f64::NAN, plumbline_tensor::Saturation::None);
        }
        draw.feature("NaN");
        if count > 1 {
            draw.feature("several NaN");
        }
    }
    let tensor = match dtype {
        DType::String => {
            Tensor::from_strings(shape.to_vec(), sources.iter().map(|&i| pool.strings()[i].clone()).collect())
        }
        DType::Complex64 | DType::Complex128 => {
            let element = |i: usize| pool.bytes()[i * size..(i + 1) * size].to_vec();
            Tensor::from_bytes(dtype, shape.to_vec(), sources.drain(..).flat_map(element).collect())
        }
        _ => Tensor::from_bits(dtype, shape.to_vec(), bits.into_iter()),
    };
    tensor.expect("one element was drawn for each place in the shape")
}

pub fn unique(draw: &mut Draw) {
    let axis = draw.give_attribute("axis");
    let mut shape = draw.full_shape(if axis { 1..=4 } else { 0..=4 });
    if axis {
        let axis = draw.axis(shape.len(), true);
        draw.int_attribute("axis", axis);
        // Each slice along the axis has few elements, so that some slices are equal.
        let at = axis.rem_euclid(shape.len() as i64) as usize;
        for (d, extent) in shape.iter_mut().enumerate() {
            if d == at {
                *extent *= 2;
            } else if draw.flag() {
                *extent = 1;
            }
        }
    } else if !shape.is_empty() && draw.once_in(14) {
        shape[0] = 0;
        draw.feature("empty extent");
    }
    let x = repeating(draw, &shape);
    draw.input("X", x);
    if draw.give_attribute("sorted") {
        let sorted = draw.range(0..=1);
        draw.int_attribute("sorted", sorted);
        if sorted == 0 {
            draw.feature("order of occurrence");
        }
    }
    let named = [true, draw.flag(), draw.flag(), draw.flag()];
    if named.windows(2).any(|pair| !pair[0] && pair[1]) {
        draw.feature("an output left out before a named one");
    }
    draw.outputs(&named);
}

pub fn axis_in_range(draw: &mut Draw) {
    selection::axis_out_of_range(draw, "X");
}

pub fn sorted_known(draw: &mut Draw) {
    let shape = draw.full_shape(1..=3);
    draw.tensor("X", &shape, Values::Moderate);
    let sorted = draw.way_of(&[2, -1]);
    draw.int_attribute("sorted", sorted);
}

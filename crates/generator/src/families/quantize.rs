//! Scales, zero points and negative cases of QuantizeLinear and DequantizeLinear.

use crate::prelude::*;

/// Which elements of the input share one scale.
pub struct Granularity {
    /// The shape of the scale.
    pub scale: Vec<usize>,
    /// For each element of the input, the index of its scale.
    pub at: Vec<usize>,
}

/// Draws the shape of the input and the granularity of the scale, and gives the attributes that belong to them.
pub fn granularity(draw: &mut Draw) -> (Vec<usize>, Granularity) {
    let ranks = draw.turn(&[0..=5, 2..=4, 3..=4, 2..=4, 0..=5, 1..=5]);
    let mut shape = draw.shape(ranks);
    let ways: &[usize] = match (draw.has_attribute("axis"), draw.has_attribute("block_size")) {
        (true, true) => &[0, 1, 2, 1, 2, 0],
        (true, false) => &[0, 1, 1, 0],
        (false, _) => &[0],
    };
    let way = match draw.turn(ways) {
        _ if shape.len() < 2 => 0,
        way => way,
    };
    // The axis has no effect if there is only one scale. The default is 1.
    let given = draw.give_attribute("axis");
    let axis = match given {
        true if shape.len() > 1 => {
            draw.turn(&[None, Some(1), None, None]).unwrap_or_else(|| draw.axis(shape.len(), true))
        }
        _ => 1,
    };
    if given && !shape.is_empty() {
        draw.int_attribute("axis", if shape.len() < 2 { 0 } else { axis });
    }
    if way == 0 {
        if draw.has_attribute("block_size") && draw.once_in(6) {
            draw.int_attribute("block_size", 0);
        }
        let count = shape.iter().product();
        return (shape, Granularity { scale: vec![], at: vec![0; count] });
    }
    let axis = axis.rem_euclid(shape.len() as i64) as usize;
    // If all extents are equal, the shapes also fit for a backend that uses the wrong axis, or that uses one scale for
    // each block instead of each slice. Such a backend accepts the case, and only the values of its answer are wrong.
    if way == 1 && draw.turn(&[false, true, false, true, false]) {
        draw.feature("a scale a slice of any axis");
        let (extent, others) = (shape[axis], shape.len() - 1);
        shape.fill(if others > 2 { extent.min(3) } else { extent.min(5) });
    }
    let count: usize = shape.iter().product();
    let (extent, inner) = (shape[axis].max(1), shape[axis + 1..].iter().product::<usize>().max(1));
    if way == 1 {
        draw.feature("a scale a slice");
        let spread = Granularity { scale: vec![shape[axis]], at: (0..count).map(|i| i / inner % extent).collect() };
        return (shape, spread);
    }
    draw.feature("a scale a block");
    let block = draw.range(1..=extent as i64 + 1) as usize;
    draw.int_attribute("block_size", block as i64);
    let blocks = shape[axis].div_ceil(block);
    if !shape[axis].is_multiple_of(block) {
        draw.feature("a block cut short");
    }
    let mut scale = shape.clone();
    scale[axis] = blocks;
    let at = |i: usize| (i / inner / extent * blocks + i / inner % extent / block) * inner + i % inner;
    (shape, Granularity { scale, at: (0..count).map(at).collect() })
}

/// Draws scales: powers of two and other small numbers, or in few cases any values of the type.
pub fn scales(draw: &mut Draw, dtype: DType, shape: &[usize]) -> Tensor {
    if draw.once_in(24) {
        draw.feature("any scale");
        return draw.elements(dtype, shape, Values::Any);
    }
    if dtype.is_integer() {
        return draw.elements(dtype, shape, Values::Between(1.0, 9.0));
    }
    const ORDINARY: [f64; 10] = [1.0, 2.0, 0.5, 0.1, 0.25, 3.0, 0.037, 0.7, 0.015625, 1.7];
    let choices = draw.block(shape.iter().product(), 10).into_iter();
    let values: Vec<f64> = choices.map(|c| ORDINARY[c as usize]).collect();
    Tensor::from_f64s(dtype, shape.to_vec(), &values).expect("there are as many values as the shape has elements")
}

/// Draws zero points: always 0 for int32, mostly 0 for floating-point types, and any value for other integer types.
pub fn zero_points(draw: &mut Draw, dtype: DType, shape: &[usize]) -> Tensor {
    if dtype.is_float() && !draw.once_in(8) || dtype == DType::Int32 {
        return Tensor::zeros(dtype, shape.to_vec()).expect("a small tensor can be allocated");
    }
    if dtype.is_float() {
        draw.feature("a zero point of a float");
        return draw.elements(dtype, shape, Values::Integers);
    }
    draw.elements(dtype, shape, Values::Any)
}

/// Gives `x`, a scale of the shape `scale` and a zero point of the shape `zero`.
pub fn plain_inputs(draw: &mut Draw, shape: &[usize], scale: &[usize], zero: &[usize]) {
    let (quantizes, of_scale) =
        (draw.has_input("y_scale"), if draw.has_input("y_scale") { "y_scale" } else { "x_scale" });
    let to = if quantizes { draw.output_dtype("y") } else { draw.input_dtype("x") };
    draw.tensor("x", shape, Values::Integers);
    let of_scale_dtype = draw.input_dtype(of_scale);
    let ones = match of_scale_dtype.is_integer() {
        true => draw.elements(of_scale_dtype, scale, Values::Between(1.0, 2.0)),
        false => Tensor::from_f64s(of_scale_dtype, scale.to_vec(), &vec![1.0; scale.iter().product()])
            .expect("there are as many ones as the scale has elements"),
    };
    draw.input(of_scale, ones);
    let zeros = Tensor::zeros(to, zero.to_vec()).expect("a small tensor can be allocated");
    draw.input(if quantizes { "y_zero_point" } else { "x_zero_point" }, zeros);
    if !quantizes && draw.has_attribute("output_dtype") {
        let to = draw.output_dtype("y");
        draw.int_attribute("output_dtype", i64::from(to.code()));
    }
}

/// Gives a scale of an invalid shape.
pub fn wrong_scale(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![2, 3], vec![3, 4, 5], vec![2, 5]]);
    let mut other = match draw.way(3) {
        0 => vec![draw.other_extent(shape[1])],
        1 => vec![1, shape[1]],
        _ => shape.clone(),
    };
    if draw.has_attribute("block_size") && draw.way(2) == 1 {
        // The extents on the other axes have to be those of the input.
        other = shape.clone();
        other[0] = draw.other_extent(other[0]);
        draw.int_attribute("block_size", 1);
    }
    plain_inputs(draw, &shape, &other, &other);
}

/// Gives a zero point of another shape than the scale.
pub fn wrong_zero_point(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![2, 3], vec![3, 4, 5], vec![2, 5]]);
    let (scale, zero) = match draw.has_attribute("axis") {
        true if draw.way(2) == 1 => (vec![shape[1]], vec![]),
        true => (vec![shape[1]], vec![draw.other_extent(shape[1])]),
        false => (vec![], vec![2]),
    };
    plain_inputs(draw, &shape, &scale, &zero);
}

/// Gives an axis that is out of range.
pub fn axis_out_of_range(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![2, 3], vec![3, 4, 5], vec![2, 5, 2, 3]]);
    plain_inputs(draw, &shape, &[shape[1]], &[shape[1]]);
    let axis = draw.bad_axis(shape.len(), true);
    draw.int_attribute("axis", axis);
}

/// Gives a block size that does not fit the number of blocks.
pub fn wrong_blocks(draw: &mut Draw) {
    let extent = draw.way_of(&[7, 5, 6]);
    // The largest block size that is too small, the smallest that is too large, or one that is further off.
    let (blocks, size) = match draw.way(4) {
        0 => (2, (extent as i64 + 1) / 2 - 1),
        1 => (2, extent as i64),
        2 => (3, extent as i64),
        _ => draw.way_of(&[(3, 1), (2, 9), (3, 5)]),
    };
    plain_inputs(draw, &[2, extent], &[2, blocks], &[2, blocks]);
    draw.int_attribute("block_size", size);
}

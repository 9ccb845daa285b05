//! Recipes for QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear.

use plumbline_tensor::{DType, FloatFormat, Saturation, Tensor};

use crate::draw::Draw;
use crate::values::Values;

/// Which elements of the input share one scale.
struct Granularity {
    /// The shape of the scale.
    scale: Vec<usize>,
    /// For each element of the input, the index of its scale.
    at: Vec<usize>,
}

/// Draws the shape of the input and the granularity of the scale, and gives the attributes that belong to them.
fn granularity(draw: &mut Draw) -> (Vec<usize>, Granularity) {
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
    // If the extents are equal, a backend that takes another axis, or blocks instead of slices, still finds valid
    // shapes.
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

/// Draws scales: powers of two and other small numbers, and rarely anything.
fn scales(draw: &mut Draw, dtype: DType, shape: &[usize]) -> Tensor {
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
    Tensor::from_f64s(dtype, shape.to_vec(), &values).expect("as many as the shape says")
}

/// Returns the range of a type that is quantized to.
fn range(dtype: DType) -> (f64, f64) {
    match (dtype.integer_range(), FloatFormat::for_dtype(dtype)) {
        (Some((low, high)), _) => (low as f64, high as f64),
        (_, Some(format)) => (-format.max_finite(), format.max_finite()),
        _ => (0.0, 0.0),
    }
}

/// Draws numbers to quantize: whole and half multiples of the scale and numbers next to them, within the range of the
/// type and a little beyond it.
fn multiples(draw: &mut Draw, from: DType, to: DType, shape: &[usize], scale: &Tensor, at: &[usize]) -> Tensor {
    let (low, high) = range(to);
    let fine = to.is_float() || draw.flag();
    // For a type with a wide range, half of the cases draw numbers near zero.
    let (low, high) = if high > 300.0 && draw.flag() { (low.max(-40.0), 40.0) } else { (low, high) };
    let reach = (high - low) / 4.0 + 2.0;
    let choices = draw.block(at.len(), 1 << 40);
    let values: Vec<f64> = choices
        .into_iter()
        .zip(at)
        .map(|(choice, &at)| {
            let (way, rest) = (choice % 8, choice / 8);
            let unit = (rest % (1 << 20)) as f64 / f64::from(1 << 20);
            let whole = (low - reach + (high - low + 2.0 * reach) * unit).floor();
            let steps = match way {
                0..=2 => whole,
                3..=5 => whole + 0.5,
                6 => whole + unit,
                _ => whole + 0.5 + 1e-6 * (unit - 0.5),
            };
            let x = steps * scale.f64_at(at);
            let x = if fine && to.is_float() { x * unit } else { x };
            if x.is_finite() { x } else { 1.0 }
        })
        .collect();
    match from.integer_range() {
        Some((low, high)) => {
            let whole: Vec<i128> = values.iter().map(|&x| (x as i128).clamp(low, high)).collect();
            Tensor::from_i128s(from, shape.to_vec(), &whole)
        }
        None => {
            let format = FloatFormat::for_dtype(from).expect("a type of numbers");
            let bits = values.into_iter().map(|x| format.encode(x, Saturation::Saturate));
            Tensor::from_bits(from, shape.to_vec(), bits)
        }
    }
    .expect("as many elements as the shape says")
}

/// Returns the type that is quantized to, and whether to give the zero point. Gives `output_dtype` if nothing else says
/// the type, and in some other cases.
fn target(draw: &mut Draw) -> (DType, bool) {
    let to = draw.output_dtype("y");
    let named = draw.has_attribute("output_dtype");
    let zero = if to != DType::Uint8 && !named { true } else { draw.give_input("y_zero_point") };
    if named && (!zero && to != DType::Uint8 || draw.give()) {
        draw.int_attribute("output_dtype", i64::from(to.code()));
    }
    (to, zero)
}

/// Draws zero points: anything for integer types except int32, mostly 0 for floating-point types.
fn zero_points(draw: &mut Draw, dtype: DType, shape: &[usize]) -> Tensor {
    if dtype.is_float() && !draw.once_in(8) || dtype == DType::Int32 {
        return Tensor::zeros(dtype, shape.to_vec()).expect("a small tensor");
    }
    if dtype.is_float() {
        draw.feature("a zero point of a float");
        return draw.elements(dtype, shape, Values::Integers);
    }
    draw.elements(dtype, shape, Values::Any)
}

fn attributes(draw: &mut Draw, to: DType) {
    let small = to.is_float();
    if draw.has_attribute("saturate") && (small && draw.give() || draw.once_in(8)) {
        let saturate = draw.range(0..=1);
        draw.int_attribute("saturate", saturate);
    }
    if draw.give_attribute("precision") {
        let precision = draw.choose(&[DType::Float, DType::Float16, DType::Bfloat16]);
        draw.int_attribute("precision", i64::from(precision.code()));
    }
}

pub fn quantize_linear(draw: &mut Draw) {
    let (to, zero) = target(draw);
    let (shape, spread) = granularity(draw);
    let (from, of_scale) = (draw.input_dtype("x"), draw.input_dtype("y_scale"));
    let scale = scales(draw, of_scale, &spread.scale);
    let x = match draw.below(5) {
        4 => {
            let values = draw.choose(&[Values::Moderate, Values::Any]);
            draw.elements(from, &shape, values)
        }
        _ => multiples(draw, from, to, &shape, &scale, &spread.at),
    };
    draw.input("x", x);
    draw.input("y_scale", scale);
    if zero {
        let zero = zero_points(draw, to, &spread.scale);
        draw.input("y_zero_point", zero);
    }
    attributes(draw, to);
}

/// Gives `x`, a scale of the shape `scale` and a zero point of the shape `zero`.
fn plain(draw: &mut Draw, shape: &[usize], scale: &[usize], zero: &[usize]) {
    let (quantizes, of_scale) =
        (draw.has_input("y_scale"), if draw.has_input("y_scale") { "y_scale" } else { "x_scale" });
    let to = if quantizes { draw.output_dtype("y") } else { draw.input_dtype("x") };
    draw.tensor("x", shape, Values::Integers);
    let of_scale_dtype = draw.input_dtype(of_scale);
    let ones = match of_scale_dtype.is_integer() {
        true => draw.elements(of_scale_dtype, scale, Values::Between(1.0, 2.0)),
        false => Tensor::from_f64s(of_scale_dtype, scale.to_vec(), &vec![1.0; scale.iter().product()]).expect("ones"),
    };
    draw.input(of_scale, ones);
    let zeros = Tensor::zeros(to, zero.to_vec()).expect("a small tensor");
    draw.input(if quantizes { "y_zero_point" } else { "x_zero_point" }, zeros);
    if !quantizes && draw.has_attribute("output_dtype") {
        let to = draw.output_dtype("y");
        draw.int_attribute("output_dtype", i64::from(to.code()));
    }
}

/// Gives a scale of an invalid shape.
fn bad_scale(draw: &mut Draw) {
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
    plain(draw, &shape, &other, &other);
}

pub fn quantize_linear_scale_shape_fits(draw: &mut Draw) {
    bad_scale(draw);
}

/// Gives a zero point of another shape than the scale.
fn bad_zero_point(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![2, 3], vec![3, 4, 5], vec![2, 5]]);
    let (scale, zero) = match draw.has_attribute("axis") {
        true if draw.way(2) == 1 => (vec![shape[1]], vec![]),
        true => (vec![shape[1]], vec![draw.other_extent(shape[1])]),
        false => (vec![], vec![2]),
    };
    plain(draw, &shape, &scale, &zero);
}

pub fn quantize_linear_zero_point_matches_scale(draw: &mut Draw) {
    bad_zero_point(draw);
}

fn outside(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![2, 3], vec![3, 4, 5], vec![2, 5, 2, 3]]);
    plain(draw, &shape, &[shape[1]], &[shape[1]]);
    let axis = draw.bad_axis(shape.len(), true);
    draw.int_attribute("axis", axis);
}

pub fn quantize_linear_axis_in_range(draw: &mut Draw) {
    outside(draw);
}

/// Gives a block size that does not fit the number of blocks, or a negative one.
fn bad_blocks(draw: &mut Draw) {
    let extent = draw.way_of(&[7, 5, 6]);
    // The largest block size that is too small, the smallest that is too large, a negative one, or one that is further
    // off.
    let (blocks, size) = match draw.way(4) {
        0 => (2, (extent as i64 + 1) / 2 - 1),
        1 => (2, extent as i64),
        2 => (2, -1),
        _ => draw.way_of(&[(3, 1), (2, 9), (3, 5)]),
    };
    plain(draw, &[2, extent], &[2, blocks], &[2, blocks]);
    draw.int_attribute("block_size", size);
}

pub fn quantize_linear_blocks_cover_axis(draw: &mut Draw) {
    bad_blocks(draw);
}

/// Gives a type that is not quantized to, or one that differs from the type of the zero point.
pub fn quantize_linear_output_dtype_allowed(draw: &mut Draw) {
    let to = draw.output_dtype("y");
    plain(draw, &[2, 3], &[], &[]);
    let other = if to == DType::Int8 { DType::Uint8 } else { DType::Int8 };
    let code = draw.foreign_code(&[other, DType::Float, DType::String]);
    draw.int_attribute("output_dtype", code);
}

pub fn quantize_linear_precision_allowed(draw: &mut Draw) {
    plain(draw, &[2, 3], &[], &[]);
    let code = draw.foreign_code(&[DType::String, DType::Complex64]);
    draw.int_attribute("precision", code);
}

pub fn dequantize_linear(draw: &mut Draw) {
    let (from, to) = (draw.input_dtype("x"), draw.output_dtype("y"));
    if draw.has_attribute("output_dtype") {
        // The scale mostly has the type of the output.
        if draw.below(3) > 0 {
            draw.bind("T2", to);
        }
        if draw.input_dtype("x_scale") != to || draw.give() {
            draw.int_attribute("output_dtype", i64::from(to.code()));
        }
    }
    let (shape, spread) = granularity(draw);
    let values = draw.choose(&[Values::Any, Values::Moderate, Values::Between(-100.0, 100.0)]);
    let x = match from.integer_range() {
        Some((low, _)) if low == 0 && values == Values::Between(-100.0, 100.0) => {
            draw.elements(from, &shape, Values::Moderate)
        }
        _ if from.bits().is_some_and(|bits| bits < 8) => draw.elements(from, &shape, Values::Any),
        _ => draw.elements(from, &shape, values),
    };
    draw.input("x", x);
    let of_scale = draw.input_dtype("x_scale");
    let scale = scales(draw, of_scale, &spread.scale);
    draw.input("x_scale", scale);
    if draw.give_input("x_zero_point") {
        let zero = zero_points(draw, from, &spread.scale);
        draw.input("x_zero_point", zero);
    }
}

pub fn dequantize_linear_scale_shape_fits(draw: &mut Draw) {
    bad_scale(draw);
}

pub fn dequantize_linear_zero_point_matches_scale(draw: &mut Draw) {
    bad_zero_point(draw);
}

pub fn dequantize_linear_axis_in_range(draw: &mut Draw) {
    outside(draw);
}

pub fn dequantize_linear_blocks_cover_axis(draw: &mut Draw) {
    bad_blocks(draw);
}

/// Gives a type that the output does not allow.
pub fn dequantize_linear_output_dtype_allowed(draw: &mut Draw) {
    draw.tensor("x", &[2, 3], Values::Integers);
    let of_scale = draw.input_dtype("x_scale");
    let one = Tensor::from_f64s(of_scale, vec![], &[1.0]).expect("one");
    draw.input("x_scale", one);
    let code = draw.foreign_code(&[DType::Int8, DType::Double, DType::String]);
    draw.int_attribute("output_dtype", code);
}

pub fn dynamic_quantize_linear(draw: &mut Draw) {
    let shape = draw.shape(0..=5);
    let ways = [
        Values::Moderate,
        Values::Between(-1.0, 1.0),
        Values::Between(0.5, 3.0),
        Values::Between(-300.0, -20.0),
        Values::Integers,
        Values::Finite,
        Values::Any,
    ];
    let values = draw.choose(&ways);
    let x = draw.tensor("x", &shape, values);
    if x.to_f64s().iter().all(|&x| x == 0.0) {
        draw.feature("a range of nothing");
    }
}

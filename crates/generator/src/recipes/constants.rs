//! Recipes for operators that make tensors from attributes and shapes: Constant, ConstantOfShape and EyeLike.

use plumbline_spec::TypeStr;
use plumbline_tensor::onnx::SparseTensorProto;
use plumbline_tensor::{DType, Tensor, tensor_to_proto};

use crate::draw::Draw;
use crate::values::Values;

/// Chooses an element type that a type variable of this version does not allow.
fn foreign_dtype(draw: &mut Draw, variable: &str) -> DType {
    let types = draw.version().types.get(variable).cloned().unwrap_or_default();
    // The newest types are at the end of the list.
    let foreign: Vec<DType> = DType::ALL.into_iter().filter(|d| !types.contains(&TypeStr::Tensor(*d))).collect();
    draw.way_of(&foreign)
}

/// Draws a sparse tensor. Its indices are either linear or coordinates.
fn sparse(draw: &mut Draw, dtype: DType) -> SparseTensorProto {
    let most = if draw.once_in(8) { 3 } else { 2 };
    let shape = draw.full_shape(1..=most);
    let count: usize = shape.iter().product();
    let places: Vec<usize> = (0..count).filter(|_| draw.below(8) < 3).collect();
    let values = draw.elements(dtype, &[places.len()], Values::Any);
    let linear: Vec<i64> = places.iter().map(|&p| p as i64).collect();
    let indices = if draw.flag() {
        draw.feature("sparse coordinates");
        let at = |place: &usize| {
            let mut rest = *place;
            let mut at = vec![0; shape.len()];
            for d in (0..shape.len()).rev() {
                at[d] = (rest % shape[d]) as i64;
                rest /= shape[d];
            }
            at
        };
        Tensor::from_i64s(&places.iter().flat_map(at).collect::<Vec<_>>()).reshaped(vec![places.len(), shape.len()])
    } else {
        draw.feature("sparse positions");
        Ok(Tensor::from_i64s(&linear))
    };
    if places.is_empty() {
        draw.feature("nothing listed");
    }
    SparseTensorProto {
        values: Some(tensor_to_proto(&values, "")),
        indices: Some(tensor_to_proto(&indices.expect("as many as the shape says"), "")),
        dims: shape.iter().map(|&e| e as i64).collect(),
    }
}

pub fn constant(draw: &mut Draw) {
    let dtype = draw.output_dtype("output");
    let mut ways = vec!["value"];
    // A type without a zero cannot be sparse.
    if draw.has_attribute("sparse_value") && dtype != DType::Float8e8m0 {
        ways.push("sparse_value");
    }
    if draw.has_attribute("value_int") {
        match dtype {
            DType::Int64 => ways.extend(["value_int", "value_ints"]),
            DType::Float => ways.extend(["value_float", "value_floats"]),
            DType::String => ways.extend(["value_string", "value_strings"]),
            _ => {}
        }
    }
    let way = draw.turn(&ways);
    let count = draw.range(1..=5) as usize;
    match way {
        "sparse_value" => {
            let value = sparse(draw, dtype);
            draw.sparse_tensor_attribute(way, value);
        }
        "value" => {
            let shape = draw.shape(0..=4);
            let value = draw.elements(dtype, &shape, Values::Any);
            draw.tensor_attribute(way, &value);
        }
        _ => {
            let value = draw.elements(dtype, &[count], Values::Any);
            match way {
                "value_int" => draw.int_attribute(way, value.i128_at(0) as i64),
                "value_ints" => {
                    let ints: Vec<i64> = value.to_i128s().into_iter().map(|i| i as i64).collect();
                    draw.ints_attribute(way, &ints);
                }
                "value_float" => draw.float_attribute(way, value.f64_at(0) as f32),
                "value_floats" => {
                    let floats: Vec<f32> = value.to_f64s().into_iter().map(|x| x as f32).collect();
                    draw.floats_attribute(way, &floats);
                }
                "value_string" => {
                    let string = String::from_utf8_lossy(&value.strings()[0]).into_owned();
                    draw.string_attribute(way, &string);
                }
                _ => draw.strings_attribute(way, value.strings()),
            }
        }
    }
}

/// Gives no attribute, or two of them.
pub fn constant_one_attribute_given(draw: &mut Draw) {
    if draw.way(2) == 1 {
        let dtype = draw.output_dtype("output");
        let value = draw.elements(dtype, &[2], Values::Any);
        draw.tensor_attribute("value", &value);
        if draw.has_attribute("value_int") {
            draw.int_attribute("value_int", 1);
        } else {
            let value = sparse(draw, dtype);
            draw.sparse_tensor_attribute("sparse_value", value);
        }
    }
}

pub fn constant_value_type_allowed(draw: &mut Draw) {
    let dtype = foreign_dtype(draw, "T");
    draw.declare(i64::from(dtype.code()));
    let value = draw.elements(dtype, &[2], Values::Any);
    draw.tensor_attribute("value", &value);
}

/// Gives indices out of range or out of order, or not as many indices as values.
pub fn constant_sparse_value_valid(draw: &mut Draw) {
    let dtype = draw.output_dtype("output");
    let places: &[i64] = draw.way_of(&[&[1, 4], &[-1, 2], &[2, 1], &[1, 1], &[1], &[0, 1, 2]]);
    let values = draw.elements(dtype, &[2], Values::Any);
    let value = SparseTensorProto {
        values: Some(tensor_to_proto(&values, "")),
        indices: Some(tensor_to_proto(&Tensor::from_i64s(places), "")),
        dims: vec![4],
    };
    draw.sparse_tensor_attribute("sparse_value", value);
}

pub fn constant_of_shape(draw: &mut Draw) {
    let dtype = draw.output_dtype("output");
    let shape = draw.shape(0..=5);
    let extents: Vec<i64> = shape.iter().map(|&e| e as i64).collect();
    draw.ints("input", &extents);
    if shape.is_empty() {
        draw.feature("scalar result");
    }
    // Without the attribute the type is float.
    if draw.give_attribute("value") || dtype != DType::Float {
        let value = draw.elements(dtype, &[1], Values::Any);
        draw.tensor_attribute("value", &value);
    }
}

/// Gives a value of the cell's type, so that only the shape is invalid.
fn filled(draw: &mut Draw) {
    let dtype = draw.output_dtype("output");
    let value = draw.elements(dtype, &[1], Values::Any);
    draw.tensor_attribute("value", &value);
}

pub fn constant_of_shape_shape_rank_one(draw: &mut Draw) {
    filled(draw);
    if draw.way(2) == 1 {
        draw.int_scalar("input", 3);
    } else {
        draw.int_tensor("input", vec![1, 2], &[2, 3]);
    }
}

pub fn constant_of_shape_extents_non_negative(draw: &mut Draw) {
    filled(draw);
    let shape = draw.full_shape(1..=4);
    let mut extents: Vec<i64> = shape.iter().map(|&e| e as i64).collect();
    let at = draw.way(extents.len());
    extents[at] = draw.under(0);
    draw.ints("input", &extents);
}

pub fn constant_of_shape_value_has_one_element(draw: &mut Draw) {
    let dtype = draw.output_dtype("output");
    draw.ints("input", &[2, 3]);
    let shape = draw.way_of(&[vec![2], vec![0], vec![1, 2]]);
    let value = draw.elements(dtype, &shape, Values::Any);
    draw.tensor_attribute("value", &value);
}

pub fn constant_of_shape_value_type_allowed(draw: &mut Draw) {
    draw.ints("input", &[2, 3]);
    let dtype = foreign_dtype(draw, "T2");
    draw.declare(i64::from(dtype.code()));
    let value = draw.elements(dtype, &[1], Values::Any);
    draw.tensor_attribute("value", &value);
}

pub fn eye_like(draw: &mut Draw) {
    let given = draw.give_attribute("dtype");
    if !given {
        // Without `dtype` the output has the input's type.
        let (open, known) = if draw.binding.contains_key("T2") { ("T1", "T2") } else { ("T2", "T1") };
        let dtype = draw.dtype(known);
        draw.bind(open, dtype);
    }
    let shape = draw.shape(2..=2);
    draw.tensor("input", &shape, Values::Any);
    if given {
        let dtype = draw.output_dtype("output");
        draw.int_attribute("dtype", i64::from(dtype.code()));
    }
    if draw.give_attribute("k") {
        let (rows, columns) = (shape[0] as i64, shape[1] as i64);
        let k = match draw.below(8) {
            7 => {
                draw.feature("extreme diagonal");
                draw.choose(&[i64::MAX, i64::MIN])
            }
            6 => {
                draw.feature("diagonal outside");
                draw.choose(&[columns, -rows, columns + 3, -rows - 3])
            }
            _ => draw.range(1 - rows..=columns - 1),
        };
        draw.int_attribute("k", k);
    }
}

pub fn eye_like_rank_two(draw: &mut Draw) {
    let shape = if draw.way(2) == 1 { draw.full_shape(3..=3) } else { draw.full_shape(1..=1) };
    draw.tensor("input", &shape, Values::Any);
    let dtype = draw.output_dtype("output");
    draw.int_attribute("dtype", i64::from(dtype.code()));
}

/// Gives a type that the output does not allow, or a number that stands for no type.
pub fn eye_like_dtype_allowed(draw: &mut Draw) {
    let shape = draw.full_shape(2..=2);
    draw.tensor("input", &shape, Values::Any);
    let dtype = foreign_dtype(draw, "T2");
    let code = draw.foreign_code_or_zero(&[dtype]);
    draw.int_attribute("dtype", code);
    draw.declare(code);
}

//! Draws the value in each form that the version and the type allow: a dense tensor, a sparse tensor with linear
//! indices or with coordinates, one element, or a list.

use plumbline_tensor::onnx::SparseTensorProto;
use plumbline_tensor::tensor_to_proto;

use crate::families::constant;
use crate::prelude::*;

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
        indices: Some(tensor_to_proto(&indices.expect("the shape of the indices fits their number"), "")),
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
pub fn one_attribute_given(draw: &mut Draw) {
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

pub fn value_type_allowed(draw: &mut Draw) {
    let dtype = constant::foreign_dtype(draw, "T");
    draw.declare(i64::from(dtype.code()));
    let value = draw.elements(dtype, &[2], Values::Any);
    draw.tensor_attribute("value", &value);
}

/// Gives indices that are out of range, out of order or repeated, or more or fewer indices than values.
pub fn sparse_value_valid(draw: &mut Draw) {
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

//! Operators that create tensors: Constant, ConstantOfShape, EyeLike, OneHot, Range.

use half::{bf16, f16};
use plumbline_tensor::{DType, sparse_tensor_from_proto};

use super::axes::{axis, extent};
use super::layout::laid_out;
use super::moved::on_bits;
use super::shapes::whole_numbers;
use crate::array::{Array, affordable};
use crate::element::{Number, with_bits, with_number};
use crate::kernels::element_wise::map2;
use crate::node::{Node, Operator, Outputs, one};
use crate::view::View;
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[
    ("Constant", constant),
    ("ConstantOfShape", constant_of_shape),
    ("EyeLike", eye_like),
    ("OneHot", one_hot),
    ("Range", range),
];

/// Checks that the type variable of the operator version allows this element type.
pub fn allowed(node: &Node, variable: &str, dtype: DType) -> Result<(), Refusal> {
    let types = node.version.types.get(variable);
    match types.is_some_and(|types| types.iter().any(|t| t.tensor_dtype() == Some(dtype))) {
        true => Ok(()),
        false => Err(Refusal::invalid(format!("{} has no output of type {dtype}", node.version.id))),
    }
}

fn constant(node: &Node) -> Outputs {
    const NAMES: [&str; 8] = [
        "value",
        "sparse_value",
        "value_float",
        "value_floats",
        "value_int",
        "value_ints",
        "value_string",
        "value_strings",
    ];
    let mut given = NAMES.iter().filter_map(|name| Some((*name, node.given(name)?)));
    let (Some((name, attribute)), None) = (given.next(), given.next()) else {
        return Err(Refusal::invalid("exactly one of the attributes that hold the constant has to be given"));
    };
    let array = match name {
        "value" => node.tensor(name)?.ok_or_else(|| Refusal::invalid("attribute `value` has no tensor"))?,
        "sparse_value" => {
            let proto = attribute
                .sparse_tensor
                .as_ref()
                .ok_or_else(|| Refusal::invalid("attribute `sparse_value` has no sparse tensor"))?;
            let sparse = sparse_tensor_from_proto(proto).map_err(|e| Refusal::invalid(e.to_string()))?;
            affordable(sparse.shape())?;
            let dense = sparse.to_dense().map_err(|e| Refusal::invalid(e.to_string()))?;
            Array::from_tensor(&dense)?
        }
        "value_float" => Array::from_elements(DType::Float, &[], &[attribute.f.unwrap_or(0.0)])?,
        "value_floats" => Array::from_elements(DType::Float, &[attribute.floats.len()], &attribute.floats)?,
        "value_int" => Array::from_elements(DType::Int64, &[], &[attribute.i.unwrap_or(0)])?,
        "value_ints" => Array::from_elements(DType::Int64, &[attribute.ints.len()], &attribute.ints)?,
        "value_string" => Array::strings_of(&[], vec![attribute.s.clone().unwrap_or_default()])?,
        _ => Array::strings_of(&[attribute.strings.len()], attribute.strings.clone())?,
    };
    allowed(node, "T", array.dtype())?;
    one(array)
}

fn constant_of_shape(node: &Node) -> Outputs {
    let input = node.input(0)?;
    if input.rank() != 1 {
        return Err(Refusal::invalid(format!("`input` has shape {:?}, expected rank 1", input.shape())));
    }
    let shape = input.to_i64s()?.into_iter().map(extent).collect::<Result<Vec<_>, _>>()?;
    let value = match node.tensor("value")? {
        Some(value) if value.len() != 1 => {
            return Err(Refusal::invalid(format!("`value` has shape {:?}, expected one element", value.shape())));
        }
        Some(value) => value,
        None => Array::zeros(DType::Float, &[1])?,
    };
    allowed(node, "T2", value.dtype())?;
    laid_out(&value, &shape, &vec![0; shape.len()], &shape)
}

/// Returns an array with 1 as its only element.
fn one_of(dtype: DType) -> Result<Array, Refusal> {
    match dtype {
        DType::Bool => Array::from_elements(dtype, &[1], &[1u8]),
        dtype => with_number!(dtype, T => Array::from_elements(dtype, &[1], &[T::one()])),
    }
}

fn eye_like(node: &Node) -> Outputs {
    let input = node.input(0)?;
    let &[rows, columns] = input.shape() else {
        return Err(Refusal::invalid(format!("the input has shape {:?}, expected rank 2", input.shape())));
    };
    let dtype = match node.optional_int("dtype") {
        Some(code) => DType::from_code(code),
        None => Some(input.dtype()),
    };
    let dtype = dtype.ok_or_else(|| Refusal::invalid("`dtype` is not an element type"))?;
    allowed(node, "T2", dtype)?;
    let one_element = one_of(dtype)?;
    let k = node.int("k");
    let places: Vec<i64> = (0..rows as i64).map(|row| row.saturating_add(k)).collect();
    let own: Vec<i64> = (0..columns as i64).collect();
    one(with_bits!(dtype.size(), T => Array::filled::<T>(dtype, input.shape(), |out| {
        let (value, zero): (T, T) = (one_element.slice::<T>()[0], bytemuck::Zeroable::zeroed());
        let pick = |place, column| if place == column { value } else { zero };
        map2(out, &View::packed(&places, &[rows, 1]), &View::packed(&own, &[columns]), pick);
        Ok(())
    }))?)
}

fn one_hot(node: &Node) -> Outputs {
    let (indices, depth, values) = (node.input(0)?, node.input(1)?, node.input(2)?);
    let single = |array: &Array| array.rank() <= 1 && array.len() == 1;
    let depth_value = single(depth).then(|| with_number!(depth.dtype(), T => Ok(depth.slice::<T>()[0].to_f64())));
    let depth = match depth_value.transpose()? {
        Some(depth) if depth > -1.0 => depth as usize,
        _ => {
            return Err(Refusal::invalid(format!(
                "`depth` of shape {:?} is not a single number above -1",
                depth.shape()
            )));
        }
    };
    if values.shape() != [2] {
        return Err(Refusal::invalid(format!("`values` has shape {:?}, expected [2]", values.shape())));
    }
    let rank = indices.rank() + 1;
    let axis = axis(node.int("axis"), rank)?;
    let mut shape = indices.shape().to_vec();
    shape.insert(axis, depth);
    affordable(&shape)?;
    // Fractions of indices are dropped, and negative indices count from the end.
    let wide = depth as i64;
    let place = |x: f64| if x as i64 >= 0 { x as i64 } else { (x as i64).saturating_add(wide) };
    let places: Vec<i64> = match indices.dtype() {
        DType::Int64 => indices.slice::<i64>().iter().map(|&i| if i < 0 { i + wide } else { i }).collect(),
        dtype => with_number!(dtype, T => {
            Ok(indices.slice::<T>().iter().map(|i| place(i.to_f64())).collect::<Vec<i64>>())
        })?,
    };
    let mut place_sizes = indices.shape().to_vec();
    place_sizes.insert(axis, 1);
    let mut own_sizes = vec![1; rank - axis];
    own_sizes[0] = depth;
    let own: Vec<i64> = (0..wide).collect();
    on_bits(&[values], |values| {
        let values = &values[0];
        let hot = with_bits!(values.dtype().size(), T => Array::filled::<T>(values.dtype(), &shape, |out| {
            let (off, on) = (values.slice::<T>()[0], values.slice::<T>()[1]);
            let (places, own) = (View::packed(&places, &place_sizes), View::packed(&own, &own_sizes));
            map2(out, &places, &own, |place, own| if place == own { on } else { off });
            Ok(())
        }))?;
        Ok(vec![hot])
    })
}

/// Computes start + i * delta. 16-bit floats are computed in float32, or in float64 if `stash_type` is 11.
fn range(node: &Node) -> Outputs {
    let inputs = node.arrays()?;
    if inputs.iter().any(|array| array.rank() != 0) {
        return Err(Refusal::invalid("`start`, `limit` and `delta` are not all scalars"));
    }
    let dtype = inputs[0].dtype();
    let count = |count: f64| match count {
        c if c.is_nan() || c <= 0.0 => Ok(0),
        c if c > 1e12 => Err(Refusal::unsupported("the range has more elements than this backend takes")),
        c => affordable(&[c as usize]),
    };
    if dtype.is_integer() {
        let [start, limit, delta] = [0, 1, 2].map(|at| whole_numbers(inputs[at]).map(|n| i128::from(n[0])));
        let (start, limit, delta) = (start?, limit?, delta?);
        let distance = limit - start;
        let steps = match delta {
            0 => return Err(Refusal::invalid("`delta` is 0")),
            1.. => (distance + delta - 1).div_euclid(delta),
            _ => (-distance - delta - 1).div_euclid(-delta),
        };
        let numbers: Vec<i64> = (0..count(steps as f64)? as i128).map(|i| (start + i * delta) as i64).collect();
        return one(match dtype {
            DType::Int64 => Array::from_elements(dtype, &[numbers.len()], &numbers),
            DType::Int32 => {
                Array::from_elements(dtype, &[numbers.len()], &numbers.iter().map(|&n| n as i32).collect::<Vec<_>>())
            }
            _ => Array::from_elements(dtype, &[numbers.len()], &numbers.iter().map(|&n| n as i16).collect::<Vec<_>>()),
        }?);
    }
    let first = |at: usize| with_number!(dtype, T => Ok(inputs[at].slice::<T>()[0].to_f64()));
    let (start, limit, delta) = (first(0)?, first(1)?, first(2)?);
    if delta == 0.0 {
        return Err(Refusal::invalid("`delta` is 0"));
    }
    let n = count(((limit - start) / delta).ceil())?;
    let wide = dtype == DType::Double || (dtype != DType::Float && node.int("stash_type") == 11);
    let at = |i: usize| match wide {
        true => start + i as f64 * delta,
        false => f64::from(start as f32 + i as f32 * delta as f32),
    };
    one(match dtype {
        DType::Double => Array::from_elements(dtype, &[n], &(0..n).map(at).collect::<Vec<f64>>()),
        DType::Float => Array::from_elements(dtype, &[n], &(0..n).map(|i| at(i) as f32).collect::<Vec<_>>()),
        DType::Float16 => {
            Array::from_elements(dtype, &[n], &(0..n).map(|i| <f16 as Number>::from_double(at(i))).collect::<Vec<_>>())
        }
        _ => {
            Array::from_elements(dtype, &[n], &(0..n).map(|i| <bf16 as Number>::from_double(at(i))).collect::<Vec<_>>())
        }
    }?)
}

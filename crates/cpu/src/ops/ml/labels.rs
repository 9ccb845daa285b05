//! CategoryMapper and LabelEncoder, which replace keys by values.

use std::collections::HashMap;

use plumbline_tensor::DType;

use crate::array::Array;
use crate::element::with_bits;
use crate::node::{Node, Operator, Outputs};
use crate::ops::gather::picked_along;
use crate::ops::layout::joined;
use crate::ops::normalization::wide;
use crate::ops::resize::from_floats;
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("CategoryMapper", category_mapper), ("LabelEncoder", label_encoder)];

/// Returns the list from the attributes `{kind}_floats`, `{kind}_int64s`, `{kind}_strings` and `{kind}_tensor`, of
/// which exactly one must be given.
fn list(node: &Node, kind: &str) -> Result<Array, Refusal> {
    let names = ["floats", "int64s", "strings", "tensor"].map(|own| format!("{kind}_{own}"));
    let mut given = names.iter().filter_map(|name| Some((name, node.given(name)?)));
    let (Some((name, list)), None) = (given.next(), given.next()) else {
        return Err(Refusal::invalid(format!("exactly one attribute with a list of {kind} has to be given")));
    };
    let found = match name.rsplit('_').next() {
        Some("floats") => Array::from_elements(DType::Float, &[list.floats.len()], &list.floats)?,
        Some("int64s") => Array::from_elements(DType::Int64, &[list.ints.len()], &list.ints)?,
        Some("strings") => Array::strings_of(&[list.strings.len()], list.strings.clone())?,
        _ => node.tensor(name)?.ok_or_else(|| Refusal::invalid(format!("`{name}` is missing")))?,
    };
    found.reshaped(&[found.len()])
}

/// Returns, for each element, the bytes by which keys are compared: its bits. From version 4 on all NaNs are equal, and
/// so are zeros of both signs.
fn identities(node: &Node, array: &Array) -> Result<Vec<Vec<u8>>, Refusal> {
    match array.dtype() {
        DType::String => Ok(array.strings().to_vec()),
        dtype if dtype.is_float() && node.since() >= 4 => {
            let canonical = |x: f64| if x.is_nan() { f64::NAN } else { x + 0.0 };
            Ok(wide(array)?.into_iter().map(|x| canonical(x).to_bits().to_le_bytes().to_vec()).collect())
        }
        dtype => with_bits!(dtype.size(), T => {
            Ok(array.slice::<T>().iter().map(|bits| bytemuck::bytes_of(bits).to_vec()).collect())
        }),
    }
}

/// Returns the value for elements that are not among the keys.
fn default(node: &Node, dtype: DType) -> Result<Array, Refusal> {
    match (node.tensor("default_tensor")?, dtype) {
        (Some(given), _) if given.shape() == [1] && given.dtype() == dtype => Ok(given),
        (Some(given), _) => Err(Refusal::invalid(format!(
            "`default_tensor` has type {} and shape {:?}, expected {dtype} and [1]",
            given.dtype(),
            given.shape()
        ))),
        // `default_float` applies to type float only. For other floating-point types the value is -0.0, the default of
        // that attribute.
        (_, dtype) if dtype.is_float() && dtype != DType::Float => from_floats(dtype, &[1], &[-0.0]),
        (_, DType::String) => Array::strings_of(&[1], vec![node.string("default_string")?.as_bytes().to_vec()]),
        (_, DType::Int64) => Array::from_elements(dtype, &[1], &[node.int("default_int64")]),
        (_, dtype) if dtype.is_float() => from_floats(dtype, &[1], &[f64::from(node.float("default_float"))]),
        (_, dtype) => from_floats(dtype, &[1], &[-1.0]),
    }
}

/// Returns the keys and values of a mapping between strings and numbers. The type of the input decides the direction.
fn paired(node: &Node, texts: &str, numbers: &[i64]) -> Result<(Array, Array), Refusal> {
    let Some(texts) = node.given(texts) else { return Err(Refusal::invalid(format!("`{texts}` is missing"))) };
    if node.given("default_int64").is_some() && node.given("default_string").is_some() {
        return Err(Refusal::invalid("both `default_int64` and `default_string` are given"));
    }
    let texts = Array::strings_of(&[texts.strings.len()], texts.strings.clone())?;
    let numbers = Array::from_elements(DType::Int64, &[numbers.len()], numbers)?;
    Ok(if node.input(0)?.dtype() == DType::String { (texts, numbers) } else { (numbers, texts) })
}

fn category_mapper(node: &Node) -> Outputs {
    let numbers = node.ints("cats_int64s").ok_or_else(|| Refusal::invalid("`cats_int64s` is missing"))?;
    let (keys, values) = paired(node, "cats_strings", numbers)?;
    encoded(node, &keys, &values)
}

fn label_encoder(node: &Node) -> Outputs {
    let classes = node.given("classes_strings").map_or(0, |texts| texts.strings.len() as i64);
    let (keys, values) = match node.since() {
        1 => paired(node, "classes_strings", &(0..classes).collect::<Vec<_>>())?,
        _ => (list(node, "keys")?, list(node, "values")?),
    };
    encoded(node, &keys, &values)
}

/// Replaces each element of the input that is a key by the key's value, and any other element by the default.
fn encoded(node: &Node, keys: &Array, values: &Array) -> Outputs {
    let x = node.input(0)?;
    if keys.len() != values.len() || keys.dtype() != x.dtype() {
        return Err(Refusal::invalid(format!(
            "there are {} keys of type {} and {} values, expected keys of the type of `X` and as many values",
            keys.len(),
            keys.dtype(),
            values.len()
        )));
    }
    // If keys are equal, the last one counts.
    let places: HashMap<Vec<u8>, usize> = identities(node, keys)?.into_iter().zip(0..).collect();
    let places: Vec<usize> =
        identities(node, x)?.iter().map(|key| places.get(key).copied().unwrap_or(keys.len())).collect();
    let known = joined(&[values, &default(node, values.dtype())?], 0)?;
    let known = crate::ops::control::array(&known[0])?;
    picked_along(known, 0, &places, &[places.len()], x.shape())
}

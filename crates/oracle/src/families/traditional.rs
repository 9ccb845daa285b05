//! Shared parts of the operators of ai.onnx.ml: attributes of which exactly one is given, tables from keys to values,
//! and formulas with float results over elements of any numeric type.

use crate::prelude::*;
use crate::steps;

/// Returns which one of these attributes is given. `label` names the rule that is violated if none or several are
/// given.
pub fn one_of<'n>(call: &Call, names: &[&'n str], label: Label) -> Result<&'n str, Refusal> {
    let given: Vec<&str> = names.iter().copied().filter(|name| call.has_attribute(name)).collect();
    match given.as_slice() {
        [name] => Ok(name),
        [] => Err(Refusal::violates(label, format!("none of {} is given, expected exactly one", names.join(", ")))),
        several => Err(Refusal::violates(label, format!("{} are given, expected exactly one", several.join(" and ")))),
    }
}

/// Returns the elements of an attribute that is a list or a tensor. The attribute must be given.
pub fn list(call: &Call, name: &str) -> Result<Tensor, Refusal> {
    if let Some(tensor) = call.optional_tensor_attribute(name).ok().flatten() {
        return Ok(tensor);
    }
    let attribute = call.attribute(name).ok_or_else(|| Refusal::invalid(format!("attribute `{name}` is missing")))?;
    Ok(match call.attribute_kind(name) {
        Some(plumbline_spec::AttributeKind::Ints) => Tensor::from_i64s(&attribute.ints),
        Some(plumbline_spec::AttributeKind::Strings) => strings(attribute.strings.clone())?,
        _ => Tensor::from_f32s(vec![attribute.floats.len()], &attribute.floats)?,
    })
}

/// Returns a list of strings as a tensor.
pub fn strings(strings: Vec<Vec<u8>>) -> Result<Tensor, Refusal> {
    Ok(Tensor::from_strings(vec![strings.len()], strings)?)
}

/// Refuses `x` if the oracle accepts more than one value for one of its elements. Meant for an input whose elements
/// decide what is computed.
pub fn certain(x: &Expected) -> Result<(), Refusal> {
    match x.is_certain() {
        true => Ok(()),
        false => Err(Refusal::unsupported(
            "the input decides what is computed, but the oracle accepts more than one value for an element",
        )),
    }
}

/// Returns whether two elements of one type are the same. Strings are compared byte by byte, numbers by their bits.
pub fn same_bits(a: &Tensor, i: usize, b: &Tensor, j: usize) -> bool {
    steps::take(1);
    match a.dtype() {
        DType::String => a.strings()[i] == b.strings()[j],
        _ => a.bits_at(i) == b.bits_at(j),
    }
}

/// Returns whether two elements of one type are equal. Numbers are compared by their values, and NaN equals NaN.
pub fn equal(a: &Tensor, i: usize, b: &Tensor, j: usize) -> bool {
    steps::take(1);
    match a.dtype() {
        dtype if dtype.is_float() => {
            let (x, y) = (a.f64_at(i), b.f64_at(j));
            x == y || x.is_nan() && y.is_nan()
        }
        _ => same_bits(a, i, b, j),
    }
}

/// Returns one element of `values` for each element of `x`: the one at the index that `find` returns. If `find` returns
/// `None`, the only element of `default` is used instead.
pub fn mapped(
    x: &Expected,
    values: Tensor,
    default: Tensor,
    find: impl Fn(usize) -> Option<usize>,
) -> Result<Expected, Refusal> {
    let (values, default) = (Expected::from(values), Expected::from(default));
    let at = |i: usize| find(i).map_or((1, 0), |k| (0, k));
    Expected::assembled(x.shape().to_vec(), &[&values, &default], at)
}

/// Applies a formula with float results to elements of any type. An implementation rounds the elements to float and
/// computes in float, or it computes in the type of the elements (for integers in double) and rounds the results. The
/// preferred results are those that are computed in the wider type.
pub fn in_float(xs: &[Number], formula: impl Fn(&[Number]) -> Vec<Number>) -> Vec<Number> {
    let narrow: Vec<Number> = xs.iter().map(|x| x.to_float(DType::Float)).collect();
    let narrow = formula(&narrow);
    if xs.iter().all(|x| x.dtype() == DType::Float) {
        return narrow;
    }
    let wide: Vec<Number> = xs.iter().map(|x| x.at_precision(DType::Double)).collect();
    let wide = formula(&wide).into_iter().map(|y| y.to_float(DType::Float));
    wide.zip(narrow).map(|(wide, narrow)| wide.hull(narrow)).collect()
}

/// Does the same as [`in_float`] for a formula over one element.
pub fn each_in_float(x: Number, formula: impl Fn(Number) -> Number) -> Number {
    in_float(&[x], |xs| vec![formula(xs[0])])[0]
}

/// Returns the number of examples and the number of features of a shape, which is `[N, C]`, or `[C]` for one example.
/// `label` names the rule that is violated by other ranks.
pub fn rows(shape: &[usize], label: Label) -> Result<(usize, usize), Refusal> {
    match *shape {
        [columns] => Ok((1, columns)),
        [rows, columns] => Ok((rows, columns)),
        _ => Err(Refusal::violates(label, format!("the input has shape {shape:?}, expected [C] or [N, C]"))),
    }
}

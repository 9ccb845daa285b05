//! Operators on maps: CastMap, DictVectorizer and ZipMap.

use std::sync::Arc;

use plumbline_tensor::{DType, MapKeys, Tensor, Value, ValueKind};

use crate::array::{Array, Held, affordable};
use crate::node::{Node, Operator, Outputs, one};
use crate::ops::cast::{Manner, converted_to};
use crate::ops::control::{array, stacked};
use crate::ops::gather::picked_along;
use crate::ops::layout::joined;
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] =
    &[("CastMap", cast_map), ("DictVectorizer", dict_vectorizer), ("ZipMap", zip_map)];

/// Returns the keys of a map, and its values as an array of rank 1. A zero (or an empty string) is appended to the
/// values.
fn map<'a>(node: &Node<'a>) -> Result<(&'a MapKeys, Array), Refusal> {
    let wrong = || Refusal::invalid("the input is not a map with tensors as values");
    let Held::Other(value) = node.held(0)? else { return Err(wrong()) };
    let Value::Map { keys, element, items } = value.as_ref() else { return Err(wrong()) };
    let ValueKind::Tensor(dtype) = element else { return Err(wrong()) };
    let mut held = items.iter().map(Held::from_value).collect::<Result<Vec<_>, _>>()?;
    held.push(Array::zeros(*dtype, &[])?.into());
    let scalars = held.iter().map(array).collect::<Result<Vec<_>, _>>()?;
    if scalars.iter().any(|scalar| scalar.rank() != 0) {
        return Err(Refusal::invalid("a value of the map is not a scalar"));
    }
    Ok((keys, array(&stacked(&scalars, 0)?[0])?.clone()))
}

fn picked(values: &Array, places: &[usize]) -> Outputs {
    affordable(&[places.len()])?;
    picked_along(values, 0, places, &[places.len()], &[places.len()])
}

/// Computes CastMap: the values in ascending order of their keys or, if `map_form` is `SPARSE`, at the indices that the
/// keys give.
fn cast_map(node: &Node) -> Outputs {
    let to = match node.string("cast_to")? {
        "TO_FLOAT" => DType::Float,
        "TO_INT64" => DType::Int64,
        "TO_STRING" => DType::String,
        other => {
            return Err(Refusal::invalid(format!(
                "`cast_to` is `{other}`, expected `TO_FLOAT`, `TO_INT64` or `TO_STRING`"
            )));
        }
    };
    let (MapKeys::Integers(_, keys), values) = map(node)? else {
        return Err(Refusal::invalid("the keys of the map are not integers"));
    };
    let mut order: Vec<usize> = (0..keys.len()).collect();
    let places = match node.string("map_form")? {
        "DENSE" => {
            order.sort_by_key(|&at| keys[at]);
            order
        }
        "SPARSE" => {
            let count = usize::try_from(node.int("max_map")).unwrap_or(0);
            let mut places = vec![keys.len(); affordable(&[count])?];
            for (at, &key) in keys.iter().enumerate() {
                let place = usize::try_from(key).ok().and_then(|key| places.get_mut(key));
                *place.ok_or_else(|| {
                    Refusal::invalid(format!("key {key} is outside [0, {count}), the range that `max_map` gives"))
                })? = at;
            }
            places
        }
        other => return Err(Refusal::invalid(format!("`map_form` is `{other}`, expected `DENSE` or `SPARSE`"))),
    };
    let found = picked(&values, &places)?;
    let mut cast = converted_to(array(&found[0])?, to, Manner::saturating());
    if values.dtype() == DType::String && to != DType::String {
        // The empty string at the end of `values` is not a number. An output element without a key gets a zero instead.
        let (known, zero) = (picked(&values, &(0..keys.len()).collect::<Vec<_>>())?, Array::zeros(to, &[1])?);
        let known = converted_to(array(&known[0])?, to, Manner::saturating())?;
        let known = joined(&[&known, &zero], 0)?;
        cast = array(&picked(array(&known[0])?, &places)?[0]).cloned();
    }
    one(cast?)
}

/// Computes DictVectorizer: the value for each word of the vocabulary.
fn dict_vectorizer(node: &Node) -> Outputs {
    let (keys, values) = map(node)?;
    fn places<K: PartialEq>(vocabulary: &[K], keys: &[K]) -> Option<Vec<usize>> {
        let known = keys.iter().all(|key| vocabulary.contains(key));
        let place = |word| keys.iter().position(|key| key == word).unwrap_or(keys.len());
        known.then(|| vocabulary.iter().map(place).collect())
    }
    let (numbers, texts) = (node.ints("int64_vocabulary"), node.given("string_vocabulary"));
    let places = match (keys, numbers, texts) {
        (MapKeys::Integers(_, keys), Some(numbers), None) => places(numbers, keys),
        (MapKeys::Strings(keys), None, Some(texts)) => places(&texts.strings, keys),
        _ => return Err(Refusal::invalid("exactly one vocabulary has to be given, of the type of the keys")),
    };
    picked(&values, &places.ok_or_else(|| Refusal::invalid("a key of the map is not in the vocabulary"))?)
}

/// Computes ZipMap: each row becomes a map from the labels to its elements.
fn zip_map(node: &Node) -> Outputs {
    let x = node.input(0)?;
    let Some(&columns) = x.shape().last().filter(|_| x.rank() <= 2) else {
        return Err(Refusal::invalid(format!("`X` has shape {:?}, expected rank 1 or 2", x.shape())));
    };
    let (keys, count) = match (node.ints("classlabels_int64s"), node.given("classlabels_strings")) {
        (Some(numbers), None) => (MapKeys::Integers(DType::Int64, numbers.to_vec()), numbers.len()),
        (None, Some(texts)) => (MapKeys::Strings(texts.strings.clone()), texts.strings.len()),
        _ => {
            return Err(Refusal::invalid(
                "exactly one of `classlabels_int64s` and `classlabels_strings` has to be given",
            ));
        }
    };
    if count != columns {
        return Err(Refusal::invalid(format!("there are {count} labels, expected one for each of {columns} columns")));
    }
    let repeats = match &keys {
        MapKeys::Strings(labels) => (1..count).any(|at| labels[..at].contains(&labels[at])),
        MapKeys::Integers(_, labels) => (1..count).any(|at| labels[..at].contains(&labels[at])),
    };
    if repeats {
        return Err(Refusal::invalid("a label is listed twice, so that a map would have it twice"));
    }
    let key = if matches!(keys, MapKeys::Strings(_)) { DType::String } else { DType::Int64 };
    let element = ValueKind::Tensor(DType::Float);
    let scalar = |&x: &f32| Tensor::from_f32s(Vec::new(), &[x]).map(Value::Tensor);
    let row = |row: &[f32]| {
        let items =
            row.iter().map(scalar).collect::<Result<Vec<_>, _>>().map_err(|e| Refusal::failed(e.to_string()))?;
        Ok(Value::Map { keys: keys.clone(), element: element.clone(), items })
    };
    let rows = if x.rank() == 1 { 1 } else { x.shape()[0] };
    let data = x.slice::<f32>();
    let items = (0..rows).map(|at| row(&data[at * columns..][..columns])).collect::<Result<Vec<_>, Refusal>>()?;
    let element = ValueKind::Map(key, Box::new(element));
    Ok(vec![Held::Other(Arc::new(Value::Sequence { element, items }))])
}

//! Operators on features, which are the elements along the last axis.

use plumbline_tensor::DType;

use crate::array::{Array, affordable};
use crate::element::{Integer, Number, with_float, with_integer};
use crate::node::{Node, Operator, Outputs, one};
use crate::ops::cast::{Manner, converted_to};
use crate::ops::gather::picked_along;
use crate::ops::layout::joined;
use crate::ops::resize::{floats, from_floats};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[
    ("ArrayFeatureExtractor", array_feature_extractor),
    ("Binarizer", binarizer),
    ("FeatureVectorizer", feature_vectorizer),
    ("Imputer", imputer),
    ("Normalizer", normalizer),
    ("OneHotEncoder", one_hot_encoder),
    ("Scaler", scaler),
];

/// Computes ArrayFeatureExtractor. An input of rank 1 gives a matrix of one row.
fn array_feature_extractor(node: &Node) -> Outputs {
    let (x, y) = (node.input(0)?, node.input(1)?);
    let Some((&features, outer)) = x.shape().split_last() else {
        return Err(Refusal::invalid("`X` is a scalar, expected rank 1 or more"));
    };
    let place = |&i: &i64| usize::try_from(i).ok().filter(|&i| i < features);
    let places: Option<Vec<usize>> = y.slice::<i64>().iter().map(place).collect();
    let places = places.ok_or_else(|| Refusal::invalid(format!("an index is outside [0, {features})")))?;
    let sizes = [outer, &[places.len()]].concat();
    affordable(&sizes)?;
    let shape = if outer.is_empty() { vec![1, places.len()] } else { sizes.clone() };
    picked_along(x, x.rank() - 1, &places, &sizes, &shape)
}

fn binarizer(node: &Node) -> Outputs {
    let (x, threshold) = (node.input(0)?, f64::from(node.float("threshold")));
    let above: Vec<f64> = floats(x)?.into_iter().map(|x| f64::from(u8::from(x > threshold))).collect();
    one(from_floats(x.dtype(), x.shape(), &above)?)
}

/// Computes FeatureVectorizer: converts the inputs to float32 and joins them along the columns. An input of rank 1 is a
/// matrix of one row.
fn feature_vectorizer(node: &Node) -> Outputs {
    let given = node.ints("inputdimensions");
    let mut parts = Vec::with_capacity(node.inputs().len());
    for (at, x) in node.arrays()?.into_iter().enumerate() {
        let shape = match *x.shape() {
            [columns] => [1, columns],
            [rows, columns] => [rows, columns],
            _ => return Err(Refusal::invalid(format!("input {at} has shape {:?}, expected rank 1 or 2", x.shape()))),
        };
        if given.is_some_and(|given| given.get(at) != Some(&(shape[1] as i64))) {
            return Err(Refusal::invalid(format!(
                "`inputdimensions` is {given:?}, which does not fit input {at} of shape {:?}",
                x.shape()
            )));
        }
        parts.push(converted_to(x, DType::Float, Manner::saturating())?.reshaped(&shape)?);
    }
    if given.is_some_and(|given| given.len() != parts.len()) {
        return Err(Refusal::invalid(format!(
            "`inputdimensions` is {given:?}, expected one number for each of {} inputs",
            parts.len()
        )));
    }
    joined(&parts.iter().collect::<Vec<_>>(), 1)
}

/// Returns a function from the index of an element to the value of its feature. There is either one value for all
/// features, or one for each.
fn of_feature<V: Copy>(values: &[V], x: &Array) -> Result<impl Fn(usize) -> V, Refusal> {
    let features = x.shape().last().copied().unwrap_or(1);
    match values.len() {
        count if count == 1 || count == features => Ok(move |at: usize| values[at % count]),
        count => {
            Err(Refusal::invalid(format!("{count} values are given, expected 1, or {features}: one for each feature")))
        }
    }
}

fn imputer(node: &Node) -> Outputs {
    let x = node.input(0)?;
    let dtype = x.dtype();
    let (of_floats, of_integers) = (node.given("imputed_value_floats"), node.given("imputed_value_int64s"));
    one(match (of_floats, of_integers) {
        (Some(values), None) if dtype.is_float() => {
            let (value, replaced) = (of_feature(&values.floats, x)?, node.float("replaced_value_float"));
            let same = |x: f64| x == f64::from(replaced) || (x.is_nan() && replaced.is_nan());
            with_float!(dtype, T => {
                let imputed = |(at, &x): (usize, &T)| if same(x.to_f64()) { T::from_double(f64::from(value(at))) } else { x };
                Array::from_elements(dtype, x.shape(), &x.slice::<T>().iter().enumerate().map(imputed).collect::<Vec<T>>())
            })
        }
        (None, Some(values)) if dtype.is_integer() => {
            let (value, replaced) = (of_feature(&values.ints, x)?, i128::from(node.int("replaced_value_int64")));
            with_integer!(dtype, T => {
                if values.ints.iter().any(|&value| T::wrap(i128::from(value)).to_i128() != i128::from(value)) {
                    return Err(Refusal::invalid(format!("`imputed_value_int64s` exceeds the range of {dtype}")));
                }
                let imputed =
                    |(at, &x): (usize, &T)| if x.to_i128() == replaced { T::wrap(i128::from(value(at))) } else { x };
                Array::from_elements(dtype, x.shape(), &x.slice::<T>().iter().enumerate().map(imputed).collect::<Vec<T>>())
            })
        }
        _ => Err(Refusal::invalid(format!("exactly one list of values has to be given, of a kind that fits {dtype}"))),
    }?)
}

/// Computes Normalizer. A row stays unchanged if its norm is zero.
fn normalizer(node: &Node) -> Outputs {
    let x = node.input(0)?;
    let Some(&features) = x.shape().last().filter(|_| x.rank() <= 2) else {
        return Err(Refusal::invalid(format!("`X` has shape {:?}, expected rank 1 or 2", x.shape())));
    };
    let mut numbers = floats(x)?;
    let norm = node.string("norm")?;
    let unknown = || Refusal::invalid(format!("`norm` is `{norm}`, expected `MAX`, `L1` or `L2`"));
    if !["MAX", "L1", "L2"].contains(&norm) {
        return Err(unknown());
    }
    for row in numbers.chunks_mut(features.max(1)) {
        let divisor = match norm {
            "MAX" => row.iter().copied().fold(f64::NEG_INFINITY, Number::larger),
            "L1" => row.iter().sum(),
            "L2" => row.iter().map(|x| x * x).sum::<f64>().sqrt(),
            _ => return Err(unknown()),
        };
        if divisor != 0.0 {
            row.iter_mut().for_each(|x| *x = if norm == "L2" { x.abs() } else { *x } / divisor);
        }
    }
    one(from_floats(DType::Float, x.shape(), &numbers)?)
}

/// Computes OneHotEncoder. Fractions of numbers are dropped.
fn one_hot_encoder(node: &Node) -> Outputs {
    let x = node.input(0)?;
    let (numbers, texts) = (node.ints("cats_int64s"), node.given("cats_strings"));
    let places: Vec<Option<usize>> = match (numbers, texts, x.dtype()) {
        (None, Some(texts), DType::String) => {
            x.strings().iter().map(|text| texts.strings.iter().position(|own| own == text)).collect()
        }
        (Some(numbers), None, dtype) if dtype != DType::String => {
            let whole = match dtype {
                DType::Int32 | DType::Int64 => x.to_i64s()?,
                _ => floats(x)?.into_iter().map(|x| x as i64).collect(),
            };
            whole.iter().map(|number| numbers.iter().position(|own| own == number)).collect()
        }
        (_, _, dtype) => {
            return Err(Refusal::invalid(format!(
                "exactly one list of categories has to be given, of a kind that fits {dtype}"
            )));
        }
    };
    if node.int("zeros") == 0 && places.contains(&None) {
        return Err(Refusal::invalid("an element is in no category, and `zeros` is 0"));
    }
    let count = numbers.map_or(0, <[i64]>::len).max(texts.map_or(0, |texts| texts.strings.len()));
    let shape = [x.shape(), &[count]].concat();
    let mut out = vec![0f32; affordable(&shape)?];
    for (row, place) in places.into_iter().enumerate() {
        if let Some(place) = place {
            out[row * count + place] = 1.0;
        }
    }
    one(Array::from_elements(DType::Float, &shape, &out)?)
}

fn scaler(node: &Node) -> Outputs {
    let x = node.input(0)?;
    let list = |name: &str, missing: f32| match node.given(name) {
        Some(given) => given.floats.clone(),
        None => vec![missing],
    };
    let (offsets, scales) = (list("offset", 0.0), list("scale", 1.0));
    if node.given("offset").is_some() && node.given("scale").is_some() && offsets.len() != scales.len() {
        return Err(Refusal::invalid(format!(
            "there are {} offsets and {} scales, expected equal numbers",
            offsets.len(),
            scales.len()
        )));
    }
    let (offset, scale) = (of_feature(&offsets, x)?, of_feature(&scales, x)?);
    let scaled = |(at, x): (usize, f64)| (x - f64::from(offset(at))) * f64::from(scale(at));
    let numbers: Vec<f64> = floats(x)?.into_iter().enumerate().map(scaled).collect();
    one(from_floats(DType::Float, x.shape(), &numbers)?)
}

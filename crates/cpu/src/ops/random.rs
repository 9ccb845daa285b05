//! Operators that draw random numbers: Bernoulli, Multinomial, RandomNormal, RandomUniform, RandomNormalLike and
//! RandomUniformLike.

use plumbline_tensor::DType;

use super::axes::extent;
use super::make::allowed;
use super::normalization::{narrowed, wide};
use super::resize::from_floats;
use crate::array::{Array, affordable};
use crate::kernels::random::Random;
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[
    ("Bernoulli", bernoulli),
    ("Multinomial", multinomial),
    ("RandomNormal", |node| drawn(node, of_attributes(node)?, normal)),
    ("RandomNormalLike", |node| drawn(node, like(node)?, normal)),
    ("RandomUniform", |node| drawn(node, of_attributes(node)?, uniform)),
    ("RandomUniformLike", |node| drawn(node, like(node)?, uniform)),
];

/// Returns the element type that the attribute `dtype` names, or `other` if the attribute is left out. The type
/// variable of the operator version must allow the returned type.
fn dtype(node: &Node, other: DType, variable: &str) -> Result<DType, Refusal> {
    let dtype = match node.optional_int("dtype") {
        Some(code) => DType::from_code(code),
        None => Some(other),
    };
    let dtype = dtype.ok_or_else(|| Refusal::invalid("`dtype` is not an element type"))?;
    allowed(node, variable, dtype)?;
    Ok(dtype)
}

fn of_attributes(node: &Node) -> Result<(DType, Vec<usize>), Refusal> {
    let shape = node.ints("shape").unwrap_or_default();
    Ok((dtype(node, DType::Float, "T")?, shape.iter().map(|&n| extent(n)).collect::<Result<_, _>>()?))
}

fn like(node: &Node) -> Result<(DType, Vec<usize>), Refusal> {
    let input = node.input(0)?;
    Ok((dtype(node, input.dtype(), "T2")?, input.shape().to_vec()))
}

fn random(node: &Node) -> Random {
    Random::new(node.optional_float("seed"))
}

fn normal(node: &Node, random: &mut Random) -> f64 {
    f64::from(node.float("mean")) + f64::from(node.float("scale")) * random.normal()
}

fn uniform(node: &Node, random: &mut Random) -> f64 {
    let (low, high) = (f64::from(node.float("low")), f64::from(node.float("high")));
    low + (high - low) * random.even()
}

fn drawn(node: &Node, (dtype, shape): (DType, Vec<usize>), draw: fn(&Node, &mut Random) -> f64) -> Outputs {
    let mut random = random(node);
    let numbers: Vec<f64> = (0..affordable(&shape)?).map(|_| draw(node, &mut random)).collect();
    one(narrowed(dtype, &shape, &numbers)?)
}

/// Computes Bernoulli: each element is 1 with the given probability, else 0.
fn bernoulli(node: &Node) -> Outputs {
    let input = node.input(0)?;
    let (dtype, mut random) = (dtype(node, input.dtype(), "T2")?, random(node));
    let draw = |p: f64| match (0.0..=1.0).contains(&p) {
        true => Ok(u8::from(random.even() < p)),
        false => Err(Refusal::invalid(format!("{p} is not a probability: it is outside [0, 1]"))),
    };
    let drawn = wide(input)?.into_iter().map(draw).collect::<Result<Vec<u8>, _>>()?;
    one(match dtype {
        DType::Bool => Array::from_elements(dtype, input.shape(), &drawn),
        dtype => from_floats(dtype, input.shape(), &drawn.iter().map(|&bit| f64::from(bit)).collect::<Vec<_>>()),
    }?)
}

/// Computes Multinomial. The probability of a class is proportional to the exponential of its element.
fn multinomial(node: &Node) -> Outputs {
    let input = node.input(0)?;
    let (&[batch, classes], Ok(samples)) = (input.shape(), usize::try_from(node.int("sample_size"))) else {
        return Err(Refusal::invalid(format!(
            "`sample_size` is {} and the input has shape {:?}, expected a size of 0 or more, and rank 2",
            node.int("sample_size"),
            input.shape()
        )));
    };
    let (dtype, mut random) = (dtype(node, DType::Int32, "T2")?, random(node));
    let numbers = wide(input)?;
    if classes == 0 || numbers.iter().any(|x| !x.is_finite()) {
        return Err(Refusal::unsupported(
            "this backend does not draw from rows that are empty or have elements that are not finite",
        ));
    }
    let shape = [batch, samples];
    let mut drawn = Vec::with_capacity(affordable(&shape)?);
    for row in numbers.chunks(classes) {
        let most = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut sums: Vec<f64> = Vec::with_capacity(classes);
        row.iter().for_each(|x| sums.push(sums.last().unwrap_or(&0.0) + (x - most).exp()));
        let whole = sums[classes - 1];
        drawn.extend((0..samples).map(|_| {
            let at = random.even() * whole;
            sums.partition_point(|&sum| sum <= at).min(classes - 1) as f64
        }));
    }
    one(from_floats(dtype, &shape, &drawn)?)
}

//! Dot products of an example with lists of coefficients. LinearClassifier, LinearRegressor and the support vector
//! machines share them.

use crate::families::traditional::rows;
use crate::prelude::*;

/// Returns the rows of X, and the number of features in each. `label` names the rule that is violated by ranks other
/// than 1 and 2.
pub fn examples(x: &Expected, label: Label) -> Result<(Vec<Vec<Number>>, usize), Refusal> {
    let (count, features) = rows(x.shape(), label)?;
    let row = |row: usize| (row * features..(row + 1) * features).map(|i| x.number(i)).collect();
    Ok(((0..count).map(row).collect(), features))
}

/// Returns the sum of the products of numbers and coefficients, plus `added`, at the precision of the numbers.
pub fn dot(xs: &[Number], coefficients: &[f32], added: Option<f32>) -> Number {
    let dtype = xs.first().map_or(DType::Float, Number::dtype);
    let constant = |x: f32| Real::constant(f64::from(x), dtype);
    let of = |xs: Vec<Real>| {
        let mut sum = Accumulator::new(dtype);
        xs.into_iter().zip(coefficients).for_each(|(x, &coefficient)| sum.add_product(x, constant(coefficient)));
        added.into_iter().for_each(|added| sum.add(constant(added)));
        sum.finish_inside()
    };
    Number::from(of(xs.iter().map(Number::real).collect())).opened_by(xs, of)
}

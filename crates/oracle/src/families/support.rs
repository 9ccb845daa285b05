//! The kernel functions of support vector machines. They follow LIBSVM; the attributes of the operators hold LIBSVM's
//! parameters.

use crate::families::linear::dot;
use crate::prelude::*;
use crate::{Function, sum_inside};

/// A kernel function with its parameters.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    kind: KernelType,
    gamma: f64,
    coef0: f64,
    degree: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum KernelType {
    Linear,
    Poly,
    Rbf,
    Sigmoid,
}

impl Kernel {
    /// Reads the kernel function that a node names. `label` names the rule that is violated if the name is unknown, or
    /// if the node does not have exactly three parameters.
    pub fn read(call: &Call, label: Label) -> Result<Kernel, Refusal> {
        let kind = match call.string("kernel_type")?.as_str() {
            "LINEAR" => KernelType::Linear,
            "POLY" => KernelType::Poly,
            "RBF" => KernelType::Rbf,
            "SIGMOID" => KernelType::Sigmoid,
            other => {
                return Err(Refusal::violates(
                    label,
                    format!("`kernel_type` is `{other}`, which is not a known kernel"),
                ));
            }
        };
        let parameters = call.optional_float_list("kernel_params").unwrap_or(vec![0.0; 3]);
        match *parameters.as_slice() {
            [gamma, coef0, degree] => {
                let [gamma, coef0, degree] = [gamma, coef0, degree].map(f64::from);
                Ok(Kernel { kind, gamma, coef0, degree })
            }
            _ => Err(Refusal::violates(label, format!("`kernel_params` has {} numbers, expected 3", parameters.len()))),
        }
    }

    /// Returns the linear kernel function, which has no parameters.
    pub fn linear() -> Kernel {
        Kernel { kind: KernelType::Linear, gamma: 0.0, coef0: 0.0, degree: 0.0 }
    }

    /// Computes the kernel function of an example and a support vector.
    pub fn evaluate(self, xs: &[Number], vector: &[f32]) -> Number {
        let product = || dot(xs, vector, None);
        let scaled = || {
            let x = product();
            x * x.like(self.gamma) + x.like(self.coef0)
        };
        match self.kind {
            KernelType::Linear => product(),
            KernelType::Poly => power(scaled(), self.degree),
            KernelType::Sigmoid => scaled().tanh(),
            KernelType::Rbf => {
                let dtype = xs.first().map_or(DType::Float, Number::dtype);
                let differences = xs.iter().zip(vector).map(|(x, &v)| *x - x.like(f64::from(v)));
                let distance = sum_inside(differences.map(|d| d * d), dtype, rule::DECISION_FUNCTION);
                let distance = distance.map_real(|d| d.not_below(0.0));
                // Implementations may also expand the square of the difference: the sum of both squares, minus twice
                // the product. In this form, the leading digits cancel.
                let squares = |a: &[Number]| sum_inside(a.iter().map(|&x| x * x), dtype, rule::DECISION_FUNCTION);
                let own: Vec<Number> = vector.iter().map(|&v| Number::constant(f64::from(v), dtype)).collect();
                let product = product();
                let apart = squares(xs) + squares(&own) - product - product;
                (-distance.hull(apart) * distance.like(self.gamma)).exp()
            }
        }
    }
}

/// Computes `x` to the power of `degree`. A negative `x` needs a whole number as `degree`.
fn power(x: Number, degree: f64) -> Number {
    let whole = degree.fract() == 0.0 && degree.abs() < 64.0;
    let f = |x: f64| libm::pow(x, degree);
    match whole && degree >= 0.0 {
        true if degree % 2.0 == 0.0 => x.map_real(|x| x.even(Function::Pow, f)),
        true => x.map_real(|x| x.increasing(Function::Pow, f)),
        false => x.power(x.like(degree)),
    }
}

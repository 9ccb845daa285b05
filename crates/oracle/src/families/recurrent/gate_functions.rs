//! The activation functions of RNN, GRU and LSTM.

use super::{Bounding, Reading};
use crate::families::activation::{
    computed, exact_sigmoid, exact_softplus, multiply_add, operation, piecewise, sigmoid, sigmoid_below_zero, softplus,
    softplus_of_magnitude, within,
};
use crate::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Function {
    Relu,
    Tanh,
    Sigmoid,
    Affine,
    LeakyRelu,
    ThresholdedRelu,
    ScaledTanh,
    HardSigmoid,
    Elu,
    Softsign,
    Softplus,
}

use Function::*;

impl Function {
    const ALL: [(&'static str, Function); 11] = [
        ("Relu", Relu),
        ("Tanh", Tanh),
        ("Sigmoid", Sigmoid),
        ("Affine", Affine),
        ("LeakyRelu", LeakyRelu),
        ("ThresholdedRelu", ThresholdedRelu),
        ("ScaledTanh", ScaledTanh),
        ("HardSigmoid", HardSigmoid),
        ("Elu", Elu),
        ("Softsign", Softsign),
        ("Softplus", Softplus),
    ];

    /// Returns the default of alpha, or `None` if the function takes no alpha. The default is that of the operator of
    /// the same name. Affine and ScaledTanh are not operators any more: the oracle chooses their defaults
    /// (`default-constants`).
    fn alpha(self) -> Option<f32> {
        Some(match self {
            LeakyRelu => 0.01,
            ThresholdedRelu | Elu | Affine | ScaledTanh => 1.0,
            HardSigmoid => 0.2,
            _ => return None,
        })
    }

    fn beta(self) -> Option<f32> {
        Some(match self {
            HardSigmoid => 0.5,
            Affine => 0.0,
            ScaledTanh => 1.0,
            _ => return None,
        })
    }
}

/// An activation function with its constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Activation {
    function: Function,
    alpha: f32,
    beta: f32,
    bounding: Bounding,
}

impl Activation {
    /// Reads the activations of each direction (`activations-known`).
    pub fn read(
        call: &Call,
        default: &[&str],
        directions: usize,
        reading: Reading,
    ) -> Result<Vec<Vec<Activation>>, Refusal> {
        let names: Vec<String> = match call.has_attribute("activations") {
            true => call.optional_string_list("activations").unwrap_or_default().iter().map(|n| text(n)).collect(),
            false => default.iter().cycle().take(default.len() * directions).map(|&n| n.to_owned()).collect(),
        };
        if names.len() != default.len() * directions {
            return Err(Refusal::violates(
                rule::ACTIVATIONS_KNOWN,
                format!("`activations` has {} names, expected {}", names.len(), default.len() * directions),
            ));
        }
        let function = |name: &String| {
            let found = Function::ALL.into_iter().find(|(known, _)| known == name);
            found.map(|(_, f)| f).ok_or_else(|| {
                Refusal::violates(
                    rule::ACTIVATIONS_KNOWN,
                    format!("`{name}` is not an activation function of this operator"),
                )
            })
        };
        let functions = names.iter().map(function).collect::<Result<Vec<Function>, Refusal>>()?;
        let alphas = constants(call, "activation_alpha", &functions, Function::alpha, reading.by_position);
        let betas = constants(call, "activation_beta", &functions, Function::beta, reading.by_position);
        let activations: Vec<Activation> = functions
            .iter()
            .zip(alphas.iter().zip(&betas))
            .map(|(&function, (alpha, beta))| {
                if matches!(function, Affine | ScaledTanh) && (alpha.is_none() || beta.is_none()) {
                    call.leaves_open(rule::DEFAULT_CONSTANTS);
                }
                let of = |given: &Option<f32>, default: Option<f32>| given.or(default).unwrap_or(0.0);
                Activation {
                    function,
                    alpha: of(alpha, function.alpha()),
                    beta: of(beta, function.beta()),
                    bounding: reading.bounding,
                }
            })
            .collect();
        Ok(activations.chunks(default.len()).map(<[Activation]>::to_vec).collect())
    }

    /// Applies the function to a number.
    pub fn apply(&self, x: Real) -> Real {
        let x = Real { signed_zero: false, ..x };
        let between = |low: f64, high: f64| Real { low, mid: f64::NAN, high, nan: true, ..x };
        if x.mid.is_nan() {
            match self.function {
                // `x` may be NaN or a number, and so may the result: `nan`.
                _ if !x.is_nan() => return between(f64::NEG_INFINITY, f64::INFINITY),
                ThresholdedRelu => return Real::constant(0.0, x.dtype),
                Relu if self.bounding != Bounding::Propagates => return Real::constant(0.0, x.dtype),
                HardSigmoid if self.bounding == Bounding::Low => return Real::constant(0.0, x.dtype),
                HardSigmoid if self.bounding == Bounding::High => return Real::constant(1.0, x.dtype),
                _ => {}
            }
        }
        let mut y = self.number(x.into()).real();
        if x.nan && matches!(self.function, Relu | HardSigmoid | ThresholdedRelu) {
            // If an earlier step replaced a NaN by a number, the result is computed from this number. Otherwise the
            // result is NaN, or the number by which this function replaces a NaN.
            let upper = self.function == HardSigmoid && self.bounding == Bounding::High;
            let swallowed = Real::constant(if upper { 1.0 } else { 0.0 }, x.dtype);
            y = Real { nan: self.function != ThresholdedRelu, ..y.hull(swallowed) };
        }
        y
    }

    /// Returns whether the function bounds its input.
    pub fn bounds(&self) -> bool {
        matches!(self.function, Relu | HardSigmoid)
    }

    fn number(&self, x: Number) -> Number {
        let (alpha, beta) = (self.alpha, self.beta);
        let (a, b) = (f64::from(alpha), f64::from(beta));
        let steep = |x: Number| tanh_in_steps(x).hull(x.tanh());
        let line = |x: Number| {
            computed(x, |x| a.mul_add(x, b), &[&|x, w| multiply_add(w.attribute(alpha), x, w.attribute(beta))])
        };
        let zero = x.like(0.0);
        match self.function {
            Relu => piecewise(x, 0.0, |_| zero, |x| x),
            Tanh => tanh(x),
            Sigmoid => {
                within(computed(x, exact_sigmoid, &[&|x, _| sigmoid(x), &|x, _| sigmoid_below_zero(x)]), 0.0, 1.0)
            }
            Affine => line(x),
            LeakyRelu => piecewise(x, 0.0, |x| operation(x, |x| a * x, &[&|x, w| w.attribute(alpha) * x]), |x| x),
            ThresholdedRelu => {
                // At alpha itself the operator of the same name returns 0: `thresholded-relu-tie`.
                let above = |at: f64| piecewise(x, at, |_| zero, |x| x);
                above(a).hull(above(a.next_up())).hull(above(x.like(a).nearest().mid()))
            }
            ScaledTanh => {
                computed(x, |x| a * libm::tanh(b * x), &[&|x, w| w.attribute(alpha) * steep(w.attribute(beta) * x)])
            }
            HardSigmoid => within(line(x), 0.0, 1.0),
            Elu => {
                let below = |x: Number| {
                    computed(
                        x,
                        |x| a * libm::expm1(x),
                        &[&|x, w| w.attribute(alpha) * (x.exp() - x.like(1.0)), &|x, w| {
                            w.attribute(alpha) * x.exp_m1()
                        }],
                    )
                };
                piecewise(x, 0.0, below, |x| x)
            }
            Softsign => x.each_part(|x| {
                within(computed(x, |x| x / (1.0 + x.abs()), &[&|x, _| x / (x.like(1.0) + x.abs())]), -1.0, 1.0)
            }),
            Softplus => computed(x, exact_softplus, &[&|x, _| softplus(x), &|x, _| softplus_of_magnitude(x)]),
        }
    }
}

/// Computes the hyperbolic tangent. An implementation calls a library function or follows the specification's formula.
fn tanh(x: Number) -> Number {
    computed(x, libm::tanh, &[&|x, _| x.tanh(), &|x, _| tanh_in_steps(x)])
}

/// Computes `(1 - e^-2x) / (1 + e^-2x)`, which loses digits near zero. Because `x` occurs twice in the formula, the
/// formula is computed for each end of the interval separately.
fn tanh_in_steps(x: Number) -> Number {
    let at = |end: f64| {
        let point = x.map_real(|x| Real { low: end, mid: end, high: end, ..x });
        let (one, power) = (x.like(1.0), (-(point + point)).exp());
        let quotient = (one - power) / (one + power);
        // If the power overflows, the function has reached its limit.
        if quotient.real().nan { x.like(end.signum()) } else { within(quotient, -1.0, 1.0) }
    };
    let real = x.real();
    if real.low.is_nan() || real.nan { x.tanh() } else { at(real.mid).hull(at(real.low)).hull(at(real.high)) }
}

fn text(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}

/// Returns the constant of each function, or `None` if the function takes no constant or none is given for it. The
/// given constants are for the functions that take one, in order. With `by_position`, if there are as many constants as
/// functions, each constant is for the function at its own position (`activation-constants`).
fn constants(
    call: &Call,
    name: &str,
    functions: &[Function],
    takes: fn(Function) -> Option<f32>,
    by_position: bool,
) -> Vec<Option<f32>> {
    let given = call.optional_float_list(name).unwrap_or_default();
    let by_position = by_position && given.len() == functions.len();
    let mut given = given.into_iter();
    let one = |f: &Function| match (takes(*f), by_position) {
        (Some(_), _) => given.next(),
        (None, true) => {
            given.next();
            None
        }
        (None, false) => None,
    };
    functions.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounding_names_the_bound_that_replaces_a_possible_nan() {
        let of = |bounding| {
            let activation = Activation { function: HardSigmoid, alpha: 0.2, beta: 0.5, bounding };
            activation.apply(Real { nan: true, ..Real::exact(0.0, DType::Float) })
        };
        let (low, high) = (of(Bounding::Low), of(Bounding::High));
        assert!(low.accepts(0.0) && low.accepts(0.5) && !low.accepts(1.0), "{low:?}");
        assert!(high.accepts(1.0) && high.accepts(0.5) && !high.accepts(0.0), "{high:?}");
    }
}

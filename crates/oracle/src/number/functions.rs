//! Mathematical functions of [`Number`]s. They apply to real numbers; integers stay as they are.

use super::Number;
use crate::function_name::Function;

macro_rules! functions_from {
    ($($(#[$doc:meta])* $name:ident = $function:ident, $start:expr, $f:expr;)*) => {
        impl Number {
            $($(#[$doc])*
            pub fn $name(self) -> Number {
                self.map_real(|x| x.increasing_from($start, Function::$function, $f))
            })*
        }
    };
}

functions_from! {
    /// Returns the natural logarithm; NaN below zero.
    log = Log, 0.0, libm::log;
    /// Returns `log(1 + x)`; NaN below -1.
    log_1p = Log1p, -1.0, libm::log1p;
    /// Returns the inverse hyperbolic cosine; NaN below one.
    acosh = Acosh, 1.0, |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) };
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident = $function:ident, $way:ident, $f:expr;)*) => {
        impl Number {
            $($(#[$doc])*
            pub fn $name(self) -> Number {
                self.map_real(|x| x.$way(Function::$function, $f))
            })*
        }
    };
}

functions! {
    /// Returns `e^x - 1`.
    exp_m1 = Expm1, increasing, libm::expm1;
    /// Returns the hyperbolic tangent.
    tanh = Tanh, increasing, libm::tanh;
    /// Returns the hyperbolic sine.
    sinh = Sinh, increasing, libm::sinh;
    /// Returns the hyperbolic cosine.
    cosh = Cosh, even, libm::cosh;
    /// Returns the inverse hyperbolic sine.
    asinh = Asinh, increasing, libm::asinh;
    /// Returns the inverse hyperbolic tangent; NaN outside [-1, 1].
    atanh = Atanh, increasing, libm::atanh;
    /// Returns the arc tangent.
    atan = Atan, increasing, libm::atan;
    /// Returns the arc sine; NaN outside [-1, 1].
    asin = Asin, increasing, libm::asin;
    /// Returns the arc cosine; NaN outside [-1, 1].
    acos = Acos, decreasing, libm::acos;
    /// Returns the error function.
    erf = Erf, increasing, libm::erf;
    /// Returns 1 minus the error function.
    erfc = Erfc, decreasing, libm::erfc;
    /// Returns the distribution function of the standard normal distribution.
    normal_cdf = Erfc, increasing, |x| 0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2);
}

impl Number {
    /// Returns the square root, whose interval never reaches below zero; NaN below zero.
    pub fn sqrt(self) -> Number {
        self.map_real(|x| x.increasing_from(0.0, Function::Sqrt, libm::sqrt).not_below(0.0))
    }

    /// Returns `e^x`, whose interval never reaches below zero.
    pub fn exp(self) -> Number {
        self.map_real(|x| x.increasing(Function::Exp, libm::exp).not_below(0.0))
    }

    /// Returns the sine of an angle in radians.
    pub fn sin(self) -> Number {
        self.map_real(|x| x.lipschitz(Function::Sin, 1.0, libm::sin))
    }

    /// Returns the cosine of an angle in radians.
    pub fn cos(self) -> Number {
        self.map_real(|x| x.lipschitz(Function::Cos, 1.0, libm::cos))
    }

    /// Returns the tangent of an angle in radians.
    pub fn tan(self) -> Number {
        self.map_real(|x| {
            // The tangent increases between two poles, and the same values come back behind a pole. If one lies in the
            // interval, every value is accepted.
            let pole = x.high - x.low >= std::f64::consts::PI || libm::tan(x.high) < libm::tan(x.low);
            if pole && x.low != x.high {
                return x.lipschitz(Function::Tan, f64::INFINITY, libm::tan);
            }
            x.increasing(Function::Tan, libm::tan)
        })
    }
}

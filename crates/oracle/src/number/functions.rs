//! Functions of real numbers; integers stay as they are.

use super::Number;
use crate::precision::Function;

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
    /// Natural logarithm; NaN below zero.
    log = Log, 0.0, libm::log;
    /// `log(1 + x)`
    log_1p = Log1p, -1.0, libm::log1p;
    /// Inverse hyperbolic cosine; NaN below one.
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
    /// `e^x - 1`
    exp_m1 = Expm1, increasing, libm::expm1;
    /// Hyperbolic tangent.
    tanh = Tanh, increasing, libm::tanh;
    /// Hyperbolic sine.
    sinh = Sinh, increasing, libm::sinh;
    /// Hyperbolic cosine.
    cosh = Cosh, even, libm::cosh;
    /// Inverse hyperbolic sine.
    asinh = Asinh, increasing, libm::asinh;
    /// Inverse hyperbolic tangent; NaN outside [-1, 1].
    atanh = Atanh, increasing, libm::atanh;
    /// Arc tangent.
    atan = Atan, increasing, libm::atan;
    /// Arc sine; NaN outside [-1, 1].
    asin = Asin, increasing, libm::asin;
    /// Arc cosine; NaN outside [-1, 1].
    acos = Acos, decreasing, libm::acos;
    /// The error function.
    erf = Erf, increasing, libm::erf;
}

impl Number {
    /// Square root, which is nowhere negative; NaN below zero.
    pub fn sqrt(self) -> Number {
        self.map_real(|x| x.increasing_from(0.0, Function::Sqrt, libm::sqrt).not_below(0.0))
    }

    /// `e^x`, which is nowhere negative.
    pub fn exp(self) -> Number {
        self.map_real(|x| x.increasing(Function::Exp, libm::exp).not_below(0.0))
    }

    /// Sine of an angle in radians.
    pub fn sin(self) -> Number {
        self.map_real(|x| x.lipschitz(Function::Sin, 1.0, libm::sin))
    }

    /// Cosine of an angle in radians.
    pub fn cos(self) -> Number {
        self.map_real(|x| x.lipschitz(Function::Cos, 1.0, libm::cos))
    }

    /// Tangent of an angle in radians.
    pub fn tan(self) -> Number {
        self.map_real(|x| {
            // Increasing between poles; an interval that may hold one accepts everything.
            let pole = (x.low / std::f64::consts::PI + 0.5).floor() != (x.high / std::f64::consts::PI + 0.5).floor();
            if pole && x.low != x.high {
                return x.lipschitz(Function::Tan, f64::INFINITY, libm::tan);
            }
            x.increasing(Function::Tan, libm::tan)
        })
    }
}

//! The functions whose results are rounded. The tables in `specs/functions.toml` declare how large their errors may be.

/// A step of a computation, with a rounded result. The names are those of `specs/functions.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
#[repr(u8)]
pub enum Function {
    Add,
    Multiply,
    Divide,
    Sqrt,
    Remainder,
    Acos,
    Acosh,
    Asin,
    Asinh,
    Atan,
    Atanh,
    Cos,
    Cosh,
    Erf,
    Erfc,
    Exp,
    Log,
    Log1p,
    Expm1,
    Pow,
    Sin,
    Sinh,
    Tan,
    Tanh,
}

use Function::*;

impl Function {
    /// Every function, in the order of the enum.
    pub const ALL: [Function; 24] = [
        Add, Multiply, Divide, Sqrt, Remainder, Acos, Acosh, Asin, Asinh, Atan, Atanh, Cos, Cosh, Erf, Erfc, Exp, Log,
        Log1p, Expm1, Pow, Sin, Sinh, Tan, Tanh,
    ];

    /// Returns the function of this name.
    pub fn find(name: &str) -> Option<Function> {
        Function::ALL.into_iter().find(|function| function.name() == name)
    }

    /// Returns every name, for messages.
    pub(super) fn names() -> String {
        Function::ALL.map(Function::name).join(", ")
    }

    /// Returns the function's name in `specs/functions.toml` and in profiles.
    pub fn name(self) -> &'static str {
        match self {
            Add => "add",
            Multiply => "multiply",
            Divide => "divide",
            Sqrt => "sqrt",
            Remainder => "remainder",
            Acos => "acos",
            Acosh => "acosh",
            Asin => "asin",
            Asinh => "asinh",
            Atan => "atan",
            Atanh => "atanh",
            Cos => "cos",
            Cosh => "cosh",
            Erf => "erf",
            Erfc => "erfc",
            Exp => "exp",
            Log => "log",
            Log1p => "log1p",
            Expm1 => "expm1",
            Pow => "pow",
            Sin => "sin",
            Sinh => "sinh",
            Tan => "tan",
            Tanh => "tanh",
        }
    }
}

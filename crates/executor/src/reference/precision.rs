//! How much a step may lose: the declared error of functions, and the policy a backend's profile asks for.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::OnceLock;

use plumbline_tensor::DType;
use serde::Deserialize;

use crate::Profile;

/// A step whose result is rounded. The names are those of `specs/functions.toml`.
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
    pub const ALL: [Function; 23] = [
        Add, Multiply, Divide, Sqrt, Remainder, Acos, Acosh, Asin, Asinh, Atan, Atanh, Cos, Cosh, Erf, Exp, Log, Log1p,
        Expm1, Pow, Sin, Sinh, Tan, Tanh,
    ];

    /// Its name in `specs/functions.toml` and in profiles.
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

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Declared {
    float: f64,
    double: f64,
    half: f64,
}

fn declared() -> &'static [Declared] {
    static TABLE: OnceLock<Vec<Declared>> = OnceLock::new();
    TABLE.get_or_init(|| read_declared().expect("specs/functions.toml is checked by a test"))
}

/// Whether `specs/functions.toml`, as it was when this program was built, says what it should.
///
/// # Errors
/// What is wrong, with the line.
pub fn check_functions() -> Result<(), String> {
    read_declared().map(|_| ())
}

fn read_declared() -> Result<Vec<Declared>, String> {
    let text = include_str!("../../../../specs/functions.toml");
    let wrong = |reason: String| format!("specs/functions.toml: {reason}");
    let table: BTreeMap<String, Declared> = toml::from_str(text).map_err(|e| wrong(e.to_string()))?;
    let of = |f: &Function| table.get(f.name()).copied().ok_or_else(|| wrong(format!("there is no [{}]", f.name())));
    Function::ALL.iter().map(of).collect()
}

/// What a backend's profile changes in the oracle's acceptance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policy {
    /// Subnormal inputs and results may be flushed to zero.
    pub flush_subnormals: bool,
    /// Sums of 16-bit floats may be kept at their own precision.
    pub low_precision_accumulation: bool,
    /// Added to a function's declared ULP, by the order of [`Function::ALL`]; empty for none.
    extra_ulp: Vec<f64>,
}

impl Policy {
    /// What this profile asks for.
    pub fn of(profile: &Profile) -> Policy {
        let extra = |f: &Function| profile.extra_ulp.get(f.name()).copied().unwrap_or(0.0);
        Policy {
            flush_subnormals: profile.flush_subnormals,
            low_precision_accumulation: profile.low_precision_accumulation,
            extra_ulp: if profile.extra_ulp.is_empty() { vec![] } else { Function::ALL.iter().map(extra).collect() },
        }
    }
}

thread_local! {
    static CURRENT: RefCell<Policy> = RefCell::new(Policy::default());
    static FLUSH: Cell<bool> = const { Cell::new(false) };
    static EXTRA: Cell<bool> = const { Cell::new(false) };
}

/// Runs `body` under a policy; the one before is back in force afterwards.
pub fn under<T>(policy: &Policy, body: impl FnOnce() -> T) -> T {
    struct Restore(Policy);
    impl Drop for Restore {
        fn drop(&mut self) {
            set(std::mem::take(&mut self.0));
        }
    }
    fn set(policy: Policy) -> Policy {
        FLUSH.set(policy.flush_subnormals);
        EXTRA.set(!policy.extra_ulp.is_empty());
        CURRENT.replace(policy)
    }
    let restore = Restore(set(policy.clone()));
    let result = body();
    drop(restore);
    result
}

/// Whether subnormals may be flushed.
#[inline]
pub(crate) fn flushing() -> bool {
    FLUSH.get()
}

/// ULP that a function may lose at this type, under the policy in force.
#[inline]
pub(crate) fn ulps(function: Function, dtype: DType) -> f64 {
    let row = declared()[function as usize];
    let declared = match dtype {
        DType::Float => row.float,
        DType::Double => row.double,
        _ => row.half,
    };
    if !EXTRA.get() {
        return declared;
    }
    CURRENT.with_borrow(|p| declared + p.extra_ulp.get(function as usize).copied().unwrap_or(0.0))
}

/// Whether the policy in force grants a function more than is declared for everybody.
pub(crate) fn asks_for_more(function: Function) -> bool {
    CURRENT.with_borrow(|p| p.extra_ulp.get(function as usize).is_some_and(|&extra| extra > 0.0))
}

/// The type in which sums over elements of `dtype` are kept: float for anything smaller, unless the policy says otherwise.
pub(crate) fn accumulation(dtype: DType) -> DType {
    match dtype {
        DType::Float | DType::Double => dtype,
        _ if CURRENT.with_borrow(|p| p.low_precision_accumulation) => dtype,
        _ => DType::Float,
    }
}

//! How large the error of a step may be: the declared error of each function, and the policy that a backend's profile
//! asks for.

use crate::scoped::holding;
use std::cell::Cell;
use std::collections::BTreeSet;

use plumbline_spec::{CPU_ACCURACY, DEFAULT_ACCURACY, Doubles, Numerics, Products, ReleaseNumber, Unchecked};
use plumbline_tensor::{DType, FloatFormat};

use super::accuracy::{self, AccuracyError, Table};
use super::arithmetic::{Arithmetic, format_of};
use super::function_name::Function;

/// The settings of a backend's profile that change what the oracle accepts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policy {
    /// Whether subnormal inputs and results may be flushed to zero.
    pub flush_subnormals: bool,
    /// Whether sums of 16-bit floats may be kept at the precision of their type.
    pub low_precision_accumulation: bool,
    /// Whether products of 16-bit floats may be rounded to their type before they are added up in float.
    pub low_precision_products: bool,
    /// The format to which factors of products of float may be rounded.
    pub products: Products,
    /// The type in which double is computed.
    pub double: Doubles,
    /// The release of ONNX whose texts the backend implements; `None` for the newest.
    pub onnx: Option<ReleaseNumber>,
    /// What the backend does not check.
    pub unchecked: BTreeSet<Unchecked>,
    /// Whether a sigmoid may be computed as `(1 + tanh(x / 2)) / 2`.
    pub sigmoid_by_tanh: bool,
    /// Whether a number that is cast to a 16-bit float may stay as it was before.
    pub halves_in_float: bool,
    /// Whether the intervals are those of the errors that implementations usually make, and not of the largest that are
    /// accepted (see [`crate::Oracle::with_usual_errors`]).
    pub usual_errors: bool,
    /// The accuracy table in words: its name, and what the backend changes in it; empty for the default table.
    accuracy: String,
    /// The declared errors of functions; `None` for the default table.
    table: Option<&'static Table>,
}

impl Policy {
    /// Returns the policy for a backend that declares these numerics.
    ///
    /// # Errors
    /// Returns an error if the numerics name an unknown table or function, or if a number of ULP is negative or not
    /// finite.
    pub fn new(declared: &Numerics) -> Result<Policy, AccuracyError> {
        let policy = Policy {
            flush_subnormals: declared.flush_subnormals,
            low_precision_accumulation: declared.low_precision_accumulation,
            low_precision_products: declared.low_precision_products,
            products: declared.products,
            double: declared.double,
            onnx: declared.onnx,
            unchecked: declared.unchecked.clone(),
            ..Policy::default()
        };
        let named = accuracy::table(&declared.accuracy)?;
        let table = accuracy::with_own_numbers(named, &declared.ulp, &declared.extra_ulp)?;
        if *table == *accuracy::default_table() && declared.accuracy == DEFAULT_ACCURACY {
            return Ok(policy);
        }
        let mut words = declared.accuracy.clone();
        if !declared.ulp.is_empty() {
            words += &format!(" with the backend's numbers for {}", list(declared.ulp.keys()));
        }
        if !declared.extra_ulp.is_empty() {
            words += &format!(", and extra ULP for {}", list(declared.extra_ulp.keys()));
        }
        Ok(Policy { accuracy: words, table: Some(table), ..policy })
    }

    /// Returns the policy for an implementation that computes on a CPU and declares nothing else.
    pub fn of_cpu() -> Policy {
        let cpu = Numerics { accuracy: CPU_ACCURACY.to_owned(), ..Numerics::default() };
        Policy::new(&cpu).expect("specs/functions.toml has this table")
    }

    /// Returns the policy for the answers that ONNX publishes. It computes them with numpy, which keeps sums of 16-bit
    /// floats in their type.
    pub fn of_published_answers() -> Policy {
        Policy { low_precision_accumulation: true, ..Policy::default() }
    }

    /// Returns the same policy for a backend that computes in this arithmetic. What is accepted then is what
    /// implementations have that compute in it.
    pub fn in_arithmetic(self, arithmetic: Arithmetic) -> Policy {
        match arithmetic {
            Arithmetic::SigmoidByTanh => Policy { sigmoid_by_tanh: true, ..self },
            Arithmetic::DoubleAsFloat => Policy { double: Doubles::Float, ..self },
            Arithmetic::ProductsInTf32 => Policy { products: Products::Tf32, ..self },
            Arithmetic::ProductsInBfloat16 => Policy { products: Products::Bfloat16, ..self },
            Arithmetic::ProductsInFloat16 => Policy { products: Products::Float16, ..self },
            Arithmetic::SumsInType => Policy { low_precision_accumulation: true, ..self },
            Arithmetic::HalvesInFloat => Policy { halves_in_float: true, ..self },
        }
    }

    /// Returns the same policy with usual errors in place of the largest accepted ones.
    pub fn with_usual_errors(self) -> Policy {
        Policy { usual_errors: true, ..self }
    }

    /// Describes the table by which the accuracy of functions is judged: its name, and the functions for which the
    /// backend has other numbers.
    pub fn accuracy(&self) -> &str {
        if self.accuracy.is_empty() { DEFAULT_ACCURACY } else { &self.accuracy }
    }
}

fn list<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// What the arithmetic of the oracle reads of a policy.
#[derive(Clone, Copy)]
pub(crate) struct InForce {
    flush_subnormals: bool,
    sigmoid_by_tanh: bool,
    halves_in_float: bool,
    usual_errors: bool,
    /// Whether the model has several nodes, so that an implementation may join them and round only the last result.
    may_join: bool,
    low_precision_accumulation: bool,
    low_precision_products: bool,
    factors: Option<&'static FloatFormat>,
    double: DType,
    table: Option<&'static Table>,
}

// Not an argument: see docs/decisions/policy-and-steps-in-thread-locals.md.
thread_local! {
    static IN_FORCE: Cell<InForce> = const {
        Cell::new(InForce {
            flush_subnormals: false,
            sigmoid_by_tanh: false,
            halves_in_float: false,
            usual_errors: false,
            may_join: false,
            low_precision_accumulation: false,
            low_precision_products: false,
            factors: None,
            double: DType::Double,
            table: None,
        })
    };
}

/// Runs `body` with a policy in force. Afterwards the previous policy is in force again, even if `body` panics.
pub(crate) fn under<T>(policy: &Policy, body: impl FnOnce() -> T) -> T {
    let &Policy { flush_subnormals, sigmoid_by_tanh, halves_in_float, usual_errors, .. } = policy;
    let &Policy { low_precision_accumulation, low_precision_products, table, .. } = policy;
    let double = if policy.double == Doubles::Float { DType::Float } else { DType::Double };
    let factors = format_of(policy.products);
    let in_force = InForce {
        flush_subnormals,
        sigmoid_by_tanh,
        halves_in_float,
        usual_errors,
        may_join: false,
        low_precision_accumulation,
        low_precision_products,
        factors,
        double,
        table,
    };
    holding(&IN_FORCE, in_force, body)
}

/// Runs `body` for a model that has several nodes, or only one.
pub(crate) fn joining<T>(may_join: bool, body: impl FnOnce() -> T) -> T {
    holding(&IN_FORCE, InForce { may_join, ..IN_FORCE.get() }, body)
}

/// Returns what is in force on this thread.
pub(crate) fn in_force() -> InForce {
    IN_FORCE.get()
}

/// Reads something of what is in force on this thread, without a copy of the rest.
#[inline(always)]
fn read<T>(field: impl FnOnce(&InForce) -> T) -> T {
    IN_FORCE.with(|in_force| field(&in_force.get()))
}

/// Runs `body` with what is in force on another thread.
pub(crate) fn with<T>(in_force: InForce, body: impl FnOnce() -> T) -> T {
    holding(&IN_FORCE, in_force, body)
}

/// Returns whether the policy in force lets subnormal numbers be flushed.
#[inline]
pub(crate) fn flushing() -> bool {
    read(|x| x.flush_subnormals)
}

/// Returns the type in whose precision the steps on elements of this type are computed: float for double under
/// [`Doubles::Float`], and the type itself otherwise.
#[inline]
pub(crate) fn working(dtype: DType) -> DType {
    match dtype {
        DType::Double => read(|x| x.double),
        _ => dtype,
    }
}

/// Returns whether an implementation may join nodes and round only the result of the last one.
pub(crate) fn may_join() -> bool {
    read(|x| x.may_join)
}

/// Returns whether the sigmoid may be computed from the hyperbolic tangent, too.
pub(crate) fn computes_sigmoid_by_tanh() -> bool {
    read(|x| x.sigmoid_by_tanh)
}

/// Returns whether a number that is cast to this type may stay as it was before.
pub(crate) fn keeps_unrounded(to: DType) -> bool {
    matches!(to, DType::Float16 | DType::Bfloat16) && read(|x| x.halves_in_float)
}

/// Returns the format to which the factors of products of this type are rounded before they are multiplied and summed
/// up, if the policy in force lets them be rounded.
#[inline]
pub(crate) fn factors(dtype: DType) -> Option<&'static FloatFormat> {
    match dtype {
        DType::Float => read(|x| x.factors),
        _ => None,
    }
}

/// Returns whether the products of two elements of this type may be rounded to it before they are added up in a wider
/// type, under the policy in force.
#[inline]
pub(crate) fn rounds_products(dtype: DType) -> bool {
    read(|x| x.low_precision_products) && dtype.is_float() && accumulation(dtype) != working(dtype)
}

/// Returns whether an implementation multiplies elements of this type as they are, and adds the products up without
/// rounding them to the type first, under the policy in force.
pub(crate) fn keeps_products(dtype: DType) -> bool {
    factors(dtype).is_none() && !rounds_products(dtype)
}

/// The largest usual error of a function, in ULP: what the manual of the GNU C library lists for most functions of float
/// and double ("Known Maximum Errors in Math Functions").
const USUAL_ULPS: f64 = 1.0;

/// Returns the error of a function at this type, in ULP, under the policy in force.
#[inline]
pub(crate) fn ulps(function: Function, dtype: DType) -> f64 {
    let kind = match dtype {
        DType::Float => accuracy::FLOAT,
        DType::Double => accuracy::DOUBLE,
        _ => accuracy::HALF,
    };
    let (table, usual_errors) = read(|x| (x.table, x.usual_errors));
    let declared = table.unwrap_or_else(accuracy::default_table)[function as usize][kind];
    if usual_errors { declared.min(USUAL_ULPS) } else { declared }
}

/// Returns how many roundings' worth of error `count` roundings that follow one another add up to: all of them at most,
/// and usually the square root of their number, because the errors have both signs (Higham and Mary, "A New Approach to
/// Probabilistic Rounding Error Analysis", 2019).
#[inline]
pub(crate) fn roundings(count: f64) -> f64 {
    if read(|x| x.usual_errors) { count.sqrt() } else { count }
}

/// Returns whether the policy in force allows a function more error than the default table does.
pub(crate) fn asks_for_more(function: Function) -> bool {
    let declared = accuracy::default_table()[function as usize];
    read(|x| x.table).is_some_and(|table| table[function as usize].iter().zip(declared).any(|(own, ulp)| *own > ulp))
}

/// Returns the type in which a sum of elements of `dtype` is kept: float for a narrower type, unless the policy says
/// otherwise.
#[inline]
pub(crate) fn accumulation(dtype: DType) -> DType {
    match working(dtype) {
        dtype @ (DType::Float | DType::Double) => dtype,
        _ if read(|x| x.low_precision_accumulation) => dtype,
        _ => DType::Float,
    }
}

//! How large the error of a step may be: the declared error of each function, and the policy that a backend's profile
//! asks for.

use std::cell::Cell;
use std::collections::BTreeSet;

use plumbline_spec::{CPU_ACCURACY, DEFAULT_ACCURACY, Numerics, ReleaseNumber, Unchecked};
use plumbline_tensor::{DType, FloatFormat};

use super::accuracy::{self, AccuracyError, Table};
use super::arithmetic::Arithmetic;
use super::function_name::Function;

/// The settings of a backend's profile that change what the oracle accepts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policy {
    /// Whether subnormal inputs and results may be flushed to zero.
    pub flush_subnormals: bool,
    /// Whether sums of 16-bit floats may be kept at the precision of their type.
    pub low_precision_accumulation: bool,
    /// The release of ONNX whose texts the backend implements; `None` for the newest.
    pub onnx: Option<ReleaseNumber>,
    /// What the backend does not check.
    pub unchecked: BTreeSet<Unchecked>,
    /// The arithmetic in which the backend computes, if it is less accurate than the types of the elements. What is
    /// accepted then is what implementations have that compute in it.
    pub arithmetic: Option<Arithmetic>,
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

    /// Returns the same policy for a backend that computes in this arithmetic.
    pub fn in_arithmetic(self, arithmetic: Arithmetic) -> Policy {
        Policy { arithmetic: Some(arithmetic), ..self }
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
struct InForce {
    flush_subnormals: bool,
    arithmetic: Option<Arithmetic>,
    usual_errors: bool,
    low_precision_accumulation: bool,
    table: Option<&'static Table>,
}

// Not an argument: see docs/decisions/policy-and-steps-in-thread-locals.md.
thread_local! {
    static IN_FORCE: Cell<InForce> = const {
        Cell::new(InForce {
            flush_subnormals: false,
            arithmetic: None,
            usual_errors: false,
            low_precision_accumulation: false,
            table: None,
        })
    };
}

/// Runs `body` with a policy in force. Afterwards the previous policy is in force again, even if `body` panics.
pub(crate) fn under<T>(policy: &Policy, body: impl FnOnce() -> T) -> T {
    struct Restore(InForce);
    impl Drop for Restore {
        fn drop(&mut self) {
            IN_FORCE.set(self.0);
        }
    }
    let &Policy { flush_subnormals, arithmetic, usual_errors, low_precision_accumulation, table, .. } = policy;
    let low_precision_accumulation = low_precision_accumulation || arithmetic == Some(Arithmetic::SumsInType);
    let in_force = InForce { flush_subnormals, arithmetic, usual_errors, low_precision_accumulation, table };
    let _restore = Restore(IN_FORCE.replace(in_force));
    body()
}

/// Returns whether the policy in force lets subnormal numbers be flushed.
#[inline]
pub(crate) fn flushing() -> bool {
    IN_FORCE.get().flush_subnormals
}

/// Returns the type in whose precision the steps on elements of this type are computed: float for double under
/// [`Arithmetic::DoubleAsFloat`], and the type itself otherwise.
#[inline]
pub(crate) fn working(dtype: DType) -> DType {
    match dtype {
        DType::Double if IN_FORCE.get().arithmetic == Some(Arithmetic::DoubleAsFloat) => DType::Float,
        _ => dtype,
    }
}

/// Returns whether the sigmoid may be computed from the hyperbolic tangent, too.
pub(crate) fn computes_sigmoid_by_tanh() -> bool {
    IN_FORCE.get().arithmetic == Some(Arithmetic::SigmoidByTanh)
}

/// Returns the format to which the factors of products of this type are rounded before they are multiplied and summed
/// up, if the arithmetic in force rounds them.
#[inline]
pub(crate) fn factors(dtype: DType) -> Option<&'static FloatFormat> {
    match dtype {
        DType::Float => IN_FORCE.get().arithmetic?.factors(),
        _ => None,
    }
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
    let in_force = IN_FORCE.get();
    let declared = in_force.table.unwrap_or_else(accuracy::default_table)[function as usize][kind];
    if in_force.usual_errors { declared.min(USUAL_ULPS) } else { declared }
}

/// Returns how many roundings' worth of error `count` roundings that follow one another add up to: all of them at most,
/// and usually the square root of their number, because the errors have both signs (Higham and Mary, "A New Approach to
/// Probabilistic Rounding Error Analysis", 2019).
#[inline]
pub(crate) fn roundings(count: f64) -> f64 {
    if IN_FORCE.get().usual_errors { count.sqrt() } else { count }
}

/// Returns whether the policy in force allows a function more error than the default table does.
pub(crate) fn asks_for_more(function: Function) -> bool {
    let declared = accuracy::default_table()[function as usize];
    IN_FORCE.get().table.is_some_and(|table| table[function as usize].iter().zip(declared).any(|(own, ulp)| *own > ulp))
}

/// Returns the type in which a sum of elements of `dtype` is kept: float for a narrower type, unless the policy says
/// otherwise.
pub(crate) fn accumulation(dtype: DType) -> DType {
    match working(dtype) {
        dtype @ (DType::Float | DType::Double) => dtype,
        _ if IN_FORCE.get().low_precision_accumulation => dtype,
        _ => DType::Float,
    }
}

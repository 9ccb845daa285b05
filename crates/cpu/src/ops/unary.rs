//! Functions and tests of single elements.

use plumbline_tensor::DType;

use crate::array::Array;
use crate::element::{Float, Integer, Number, Wide, unsupported_type, with_float, with_integer, with_number};
use crate::kernels::element_wise::map1;
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[
    ("Abs", abs),
    ("Acos", acos),
    ("Acosh", acosh),
    ("Asin", asin),
    ("Asinh", asinh),
    ("Atan", atan),
    ("Atanh", atanh),
    ("BitwiseNot", bitwise_not),
    ("Ceil", ceil),
    ("Cos", cos),
    ("Cosh", cosh),
    ("Erf", erf),
    ("Exp", exp),
    ("Floor", floor),
    ("IsInf", is_inf),
    ("IsNaN", is_nan),
    ("Log", log),
    ("Neg", neg),
    ("Not", not),
    ("Reciprocal", reciprocal),
    ("Round", round),
    ("Sign", sign),
    ("Sin", sin),
    ("Sinh", sinh),
    ("Sqrt", sqrt),
    ("Tan", tan),
    ("Tanh", tanh),
];

/// Applies `f` to each element. The result has the same element type.
pub fn mapped<T: bytemuck::Pod + Send + Sync>(a: &Array, f: impl Fn(T) -> T + Sync) -> Result<Array, Refusal> {
    converted(a, a.dtype(), f)
}

/// Applies `f` to each element. `dtype` is the element type of the result.
pub fn converted<A, O>(a: &Array, dtype: DType, f: impl Fn(A) -> O + Sync) -> Result<Array, Refusal>
where
    A: bytemuck::Pod + Send + Sync,
    O: bytemuck::Pod + Send + Sync,
{
    Array::written(dtype, a.shape(), |out| {
        map1(out, &a.view::<A>(), f);
        Ok(())
    })
}

/// Defines operators of floats, `name(attributes) x => value`. The value is computed in float32, or in float64 for
/// float64.
macro_rules! float_functions {
    ($($name:ident($($attribute:ident),*) $x:ident => $value:expr;)*) => {$(
        fn $name(node: &Node) -> Outputs {
            let a = node.input(0)?;
            one(with_float!(a.dtype(), T => {
                type W = <T as Float>::Wide;
                $(let $attribute = W::from_double(f64::from(node.float(stringify!($attribute))));)*
                mapped(a, move |x: T| {
                    let $x: W = x.wide();
                    T::narrow($value)
                })
            })?)
        }
    )*};
}
pub(super) use float_functions;

float_functions! {
    acos() x => x.acos();
    acosh() x => Wide::acosh(x);
    asin() x => x.asin();
    asinh() x => Wide::asinh(x);
    atan() x => x.atan();
    atanh() x => Wide::atanh(x);
    ceil() x => x.ceil();
    cos() x => x.cos();
    cosh() x => x.cosh();
    erf_of_float() x => Wide::erf(x);
    exp() x => x.exp();
    floor() x => x.floor();
    log() x => x.ln();
    reciprocal() x => 1.0 / x;
    round() x => x.round_ties_even();
    sin() x => x.sin();
    sinh() x => x.sinh();
    sqrt() x => x.sqrt();
    tan() x => x.tan();
    tanh() x => x.tanh();
}

/// Computes Erf. Version 9 also takes integers: the fraction of the result is dropped.
fn erf(node: &Node) -> Outputs {
    let a = node.input(0)?;
    if a.dtype().is_float() {
        return erf_of_float(node);
    }
    one(with_integer!(a.dtype(), T => mapped(a, |x: T| T::from_double(Wide::erf(x.to_f64()))))?)
}

fn abs(node: &Node) -> Outputs {
    let a = node.input(0)?;
    one(with_number!(a.dtype(), T => mapped(a, |x: T| Number::abs(x)))?)
}

fn neg(node: &Node) -> Outputs {
    let a = node.input(0)?;
    one(with_number!(a.dtype(), T => mapped(a, |x: T| Number::neg(x)))?)
}

fn sign(node: &Node) -> Outputs {
    let a = node.input(0)?;
    one(with_number!(a.dtype(), T => mapped(a, |x: T| Number::signum(x)))?)
}

fn not(node: &Node) -> Outputs {
    one(mapped(node.input(0)?, |x: u8| u8::from(x == 0))?)
}

fn bitwise_not(node: &Node) -> Outputs {
    let a = node.input(0)?;
    one(with_integer!(a.dtype(), T => mapped(a, |x: T| Integer::not(x)))?)
}

fn is_nan(node: &Node) -> Outputs {
    test(node.input(0)?, f64::is_nan)
}

fn is_inf(node: &Node) -> Outputs {
    let (negative, positive) = (node.int("detect_negative") != 0, node.int("detect_positive") != 0);
    test(node.input(0)?, move |x| x.is_infinite() && if x < 0.0 { negative } else { positive })
}

/// Applies a test to each element. The elements are floats of any width.
fn test(a: &Array, test: impl Fn(f64) -> bool + Sync) -> Outputs {
    let truth = |x: f64| u8::from(test(x));
    one(match (a.dtype(), a.dtype().float_format()) {
        (DType::Float, _) => converted(a, DType::Bool, |x: f32| truth(f64::from(x))),
        (DType::Double, _) => converted(a, DType::Bool, truth),
        (dtype, Some(format)) if dtype.size() == 2 => {
            converted(a, DType::Bool, |x: u16| truth(format.decode(u64::from(x))))
        }
        (_, Some(format)) => converted(a, DType::Bool, |x: u8| truth(format.decode(u64::from(x)))),
        (dtype, None) => Err(unsupported_type(dtype)),
    }?)
}

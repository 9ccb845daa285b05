//! Element-wise operators of two inputs, and Where.

use bytemuck::Pod;
use plumbline_tensor::DType;

use super::legacy::{broadcast, operands};
use super::unary::converted;
use crate::array::Array;
use crate::element::{Float, Integer, Number, with_bits, with_float, with_integer, with_number};
use crate::kernels::element_wise::{map2, map3};
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

use super::moved::on_bits;

pub const OPERATORS: &[(&str, Operator)] = &[
    ("Add", add),
    ("And", |node| logical(node, |a, b| a & b)),
    ("BitShift", bit_shift),
    ("BitwiseAnd", bitwise_and),
    ("BitwiseOr", bitwise_or),
    ("BitwiseXor", bitwise_xor),
    ("Div", div),
    ("Equal", equal),
    ("Greater", |node| compared(node, |o| o.is_gt())),
    ("GreaterOrEqual", |node| compared(node, |o| o.is_ge())),
    ("Less", |node| compared(node, |o| o.is_lt())),
    ("LessOrEqual", |node| compared(node, |o| o.is_le())),
    ("Mod", modulo),
    ("Mul", mul),
    ("Or", |node| logical(node, |a, b| a | b)),
    ("PRelu", prelu),
    ("Pow", pow),
    ("Sub", sub),
    ("Where", choose),
    ("Xor", |node| logical(node, |a, b| a ^ b)),
];

/// Two inputs, and the shape to which they broadcast.
pub type Operands = (Array, Array, Vec<usize>);

/// Applies `f` to each pair of elements of the two inputs. `dtype` is the element type of the result.
pub fn zipped<A, B, O>((a, b, shape): &Operands, dtype: DType, f: impl Fn(A, B) -> O + Sync) -> Result<Array, Refusal>
where
    A: Pod + Send + Sync,
    B: Pod + Send + Sync,
    O: Pod + Send + Sync,
{
    Array::written(dtype, shape, |out| {
        map2(out, &a.view::<A>(), &b.view::<B>(), f);
        Ok(())
    })
}

macro_rules! arithmetic {
    ($($name:ident: $with:ident $trait:ident::$method:ident;)*) => {$(
        fn $name(node: &Node) -> Outputs {
            let operands = operands(node)?;
            let dtype = operands.0.dtype();
            one($with!(dtype, T => zipped(&operands, dtype, |a: T, b: T| $trait::$method(a, b)))?)
        }
    )*};
}

arithmetic! {
    add: with_number Number::add;
    sub: with_number Number::sub;
    mul: with_number Number::mul;
    div: with_number Number::div;
    bitwise_and: with_integer Integer::and;
    bitwise_or: with_integer Integer::or;
    bitwise_xor: with_integer Integer::xor;
}

fn logical(node: &Node, f: fn(bool, bool) -> bool) -> Outputs {
    one(zipped(&operands(node)?, DType::Bool, |a: u8, b: u8| u8::from(f(a != 0, b != 0)))?)
}

fn compared(node: &Node, f: fn(std::cmp::Ordering) -> bool) -> Outputs {
    let operands = operands(node)?;
    // Each of the four comparisons has its own loop, so that the compiler can use a vector instruction.
    let (less, equal, greater) =
        (f(std::cmp::Ordering::Less), f(std::cmp::Ordering::Equal), f(std::cmp::Ordering::Greater));
    one(with_number!(operands.0.dtype(), T => match (less, equal, greater) {
        (true, true, _) => zipped(&operands, DType::Bool, |a: T, b: T| u8::from(a <= b)),
        (true, ..) => zipped(&operands, DType::Bool, |a: T, b: T| u8::from(a < b)),
        (_, true, _) => zipped(&operands, DType::Bool, |a: T, b: T| u8::from(a >= b)),
        _ => zipped(&operands, DType::Bool, |a: T, b: T| u8::from(a > b)),
    })?)
}

fn equal(node: &Node) -> Outputs {
    let (a, b, shape) = operands(node)?;
    if a.dtype() == DType::String {
        // Strings are replaced by their numbers in a table of the strings of both inputs.
        let (numbers, _) = super::moved::interned(&[&a, &b])?;
        let operands = (numbers[0].clone(), numbers[1].clone(), shape);
        return one(zipped(&operands, DType::Bool, |a: u64, b: u64| u8::from(a == b))?);
    }
    let operands = (a, b, shape);
    one(match operands.0.dtype() {
        DType::Bool => zipped(&operands, DType::Bool, |a: u8, b: u8| u8::from(a == b)),
        dtype => with_number!(dtype, T => zipped(&operands, DType::Bool, |a: T, b: T| u8::from(a == b))),
    }?)
}

fn bit_shift(node: &Node) -> Outputs {
    let operands = operands(node)?;
    let dtype = operands.0.dtype();
    one(match node.string("direction")? {
        "LEFT" => with_integer!(dtype, T => zipped(&operands, dtype, |a: T, b: T| a.left(b))),
        "RIGHT" => with_integer!(dtype, T => zipped(&operands, dtype, |a: T, b: T| a.right(b))),
        other => Err(Refusal::invalid(format!("`direction` is `{other}`, expected `LEFT` or `RIGHT`"))),
    }?)
}

/// Computes Mod. Versions 10 and 13 take floats only with `fmod` = 1. Version 28 also takes them with `fmod` = 0. The
/// result then has the sign of the divisor.
fn modulo(node: &Node) -> Outputs {
    let operands = operands(node)?;
    let (dtype, fmod) = (operands.0.dtype(), node.int("fmod"));
    if node.since() >= 13 && ![0, 1].contains(&fmod) {
        return Err(Refusal::invalid(format!("`fmod` is {fmod}, expected 0 or 1")));
    }
    if node.since() < 28 && fmod != 1 && dtype.is_float() {
        return Err(Refusal::invalid(format!("`fmod` is {fmod}, expected 1 for floating-point types")));
    }
    one(match fmod {
        0 => with_number!(dtype, T => zipped(&operands, dtype, |a: T, b: T| a.modulo(b))),
        _ => with_number!(dtype, T => zipped(&operands, dtype, |a: T, b: T| a.remainder(b))),
    }?)
}

/// Computes Pow. From version 12 on the base and the exponent may have different types. The result has the type of the
/// base.
fn pow(node: &Node) -> Outputs {
    let (base, exponent, shape) = operands(node)?;
    let dtype = base.dtype();
    if dtype == exponent.dtype() && dtype.is_float() {
        let operands = (base, exponent, shape);
        return one(with_float!(dtype, T => {
            zipped(&operands, dtype, |a: T, b: T| T::narrow(a.wide().powf(b.wide())))
        })?);
    }
    if dtype.is_float() || exponent.dtype().is_float() {
        let exponent = with_number!(exponent.dtype(), E => converted(&exponent, DType::Double, |e: E| e.to_f64()))?;
        let operands = (base, exponent, shape);
        return one(with_number!(dtype, T => {
            zipped(&operands, dtype, |a: T, b: f64| T::from_double(a.to_f64().powf(b)))
        })?);
    }
    // Integer powers wrap, so that for large exponents they repeat with a period of 2^62.
    const PERIOD: i128 = 1 << 62;
    let small = |e: i128| i64::try_from(e).unwrap_or((e % PERIOD + PERIOD) as i64);
    let exponent = with_integer!(exponent.dtype(), E => converted(&exponent, DType::Int64, |e: E| small(e.to_i128())))?;
    let operands = (base, exponent, shape);
    one(with_integer!(dtype, T => zipped(&operands, dtype, |a: T, b: i64| a.power(b)))?)
}

/// Computes PRelu. Before version 7 the slope has a single element, an element for each channel, or the shape of `X`.
/// From version 7 on it broadcasts to `X`.
fn prelu(node: &Node) -> Outputs {
    let (x, slope) = (node.input(0)?, node.input(1)?);
    let wrong = || {
        Refusal::invalid(format!(
            "`slope` of shape {:?} does not broadcast to `X` of shape {:?}",
            slope.shape(),
            x.shape()
        ))
    };
    let slope = if node.since() >= 7 {
        if broadcast(&[x.shape(), slope.shape()]).map_err(|_| wrong())? != x.shape() {
            return Err(wrong());
        }
        slope.clone()
    } else if slope.len() == 1 {
        slope.reshaped(&[])?
    } else if slope.shape() == x.shape() {
        slope.clone()
    } else if x.rank() >= 2 && slope.shape() == &x.shape()[1..2] {
        let mut channels = vec![1; x.rank() - 1];
        channels[0] = slope.len();
        slope.reshaped(&channels)?
    } else {
        return Err(wrong());
    };
    let operands = (x.clone(), slope, x.shape().to_vec());
    let dtype = x.dtype();
    one(with_number!(dtype, T => {
        zipped(&operands, dtype, |x: T, slope: T| if x < T::zero() { Number::mul(x, slope) } else { x })
    })?)
}

fn choose(node: &Node) -> Outputs {
    let condition = node.input(0)?;
    let shape = broadcast(&[condition.shape(), node.input(1)?.shape(), node.input(2)?.shape()])?;
    on_bits(&[node.input(1)?, node.input(2)?], |arrays| {
        let (x, y) = (&arrays[0], &arrays[1]);
        let chosen = with_bits!(x.dtype().size(), T => Array::written::<T>(x.dtype(), &shape, |out| {
            let views = (&condition.view::<u8>(), &x.view::<T>(), &y.view::<T>());
            map3(out, views, |condition, x, y| if condition != 0 { x } else { y });
            Ok(())
        }))?;
        Ok(vec![chosen])
    })
}

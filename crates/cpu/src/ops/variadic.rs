//! Min, Max, Sum and Mean of any number of inputs, combined two at a time.

use super::legacy::broadcast;
use crate::array::Array;
use crate::element::{Number, with_float, with_number};
use crate::kernels::copy::copy;
use crate::kernels::element_wise::{map1, map2};
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("Max", max), ("Mean", mean), ("Min", min), ("Sum", sum)];

/// Returns the inputs and the shape of the output. Before version 8 the inputs must have equal shapes; from version 8
/// on they broadcast.
fn inputs<'a>(node: &Node<'a>) -> Result<(Vec<&'a Array>, Vec<usize>), Refusal> {
    let arrays = node.arrays()?;
    let shapes: Vec<&[usize]> = arrays.iter().map(|a| a.shape()).collect();
    if node.since() < 8 && shapes.iter().any(|s| *s != shapes[0]) {
        return Err(Refusal::invalid(format!("shapes {shapes:?} differ, which this version does not allow")));
    }
    let shape = broadcast(&shapes)?;
    Ok((arrays, shape))
}

/// Applies `f` to the first two arrays, then to the result and the third array, and so on.
fn folded<T: Number>(arrays: &[&Array], shape: &[usize], f: impl Fn(T, T) -> T + Sync) -> Result<Array, Refusal> {
    let pair = |a: &Array, b: &Array| {
        Array::written(a.dtype(), shape, |out| {
            map2(out, &a.view::<T>(), &b.view::<T>(), &f);
            Ok(())
        })
    };
    match arrays {
        [] => Err(Refusal::invalid("no input is given")),
        [only] => Array::written(only.dtype(), shape, |out| {
            copy(out, &only.view::<T>());
            Ok(())
        }),
        [first, second, rest @ ..] => {
            let start = pair(first, second)?;
            rest.iter().try_fold(start, |folded, next| pair(&folded, next))
        }
    }
}

fn max(node: &Node) -> Outputs {
    let (arrays, shape) = inputs(node)?;
    one(with_number!(arrays[0].dtype(), T => folded(&arrays, &shape, |a: T, b: T| a.larger(b)))?)
}

fn min(node: &Node) -> Outputs {
    let (arrays, shape) = inputs(node)?;
    one(with_number!(arrays[0].dtype(), T => folded(&arrays, &shape, |a: T, b: T| a.smaller(b)))?)
}

fn sum(node: &Node) -> Outputs {
    let (arrays, shape) = inputs(node)?;
    one(with_float!(arrays[0].dtype(), T => folded(&arrays, &shape, |a: T, b: T| Number::add(a, b)))?)
}

fn mean(node: &Node) -> Outputs {
    let (arrays, shape) = inputs(node)?;
    let dtype = arrays[0].dtype();
    one(with_float!(dtype, T => {
        let sum = folded(&arrays, &shape, |a: T, b: T| Number::add(a, b))?;
        let count = T::from_double(arrays.len() as f64);
        Array::written(dtype, &shape, |out| {
            map1(out, &sum.view::<T>(), |x: T| Number::div(x, count));
            Ok(())
        })
    })?)
}

//! Unique. It compares single elements or, if `axis` is given, the slices of the input along that axis.

use std::collections::HashMap;

use plumbline_tensor::DType;

use super::axes::axis;
use super::moved::on_bits;
use crate::array::Array;
use crate::element::{Number, with_bits, with_number};
use crate::kernels::lanes::laid;
use crate::kernels::pick::pick_along;
use crate::node::{Node, Operator, Outputs};
use crate::view::View;
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("Unique", unique)];

/// Returns the rank of each element among the distinct elements in ascending order. Equal elements have the same rank.
fn ranks(a: &Array) -> Result<Vec<u64>, Refusal> {
    fn ranked<T: Ord>(elements: &[T]) -> Vec<u64> {
        let mut places: Vec<usize> = (0..elements.len()).collect();
        places.sort_by_key(|&place| &elements[place]);
        let (mut ranks, mut rank) = (vec![0; elements.len()], 0);
        for at in 0..places.len() {
            if at > 0 && elements[places[at - 1]] != elements[places[at]] {
                rank += 1;
            }
            ranks[places[at]] = rank;
        }
        ranks
    }
    fn ordinals<T: Number>(elements: &[T]) -> Vec<u64> {
        elements.iter().map(|x| x.ordinal()).collect()
    }
    let pair = |pair: [f64; 2]| pair.map(Number::ordinal);
    Ok(match a.dtype() {
        DType::String => ranked(a.strings()),
        DType::Bool => ranked(&a.slice::<u8>().iter().map(|&byte| byte != 0).collect::<Vec<_>>()),
        DType::Complex64 => ranked(&a.slice::<[f32; 2]>().iter().map(|&x| pair(x.map(f64::from))).collect::<Vec<_>>()),
        DType::Complex128 => ranked(&a.slice::<[f64; 2]>().iter().map(|&x| pair(x)).collect::<Vec<_>>()),
        dtype => ranked(&with_number!(dtype, T => Ok(ordinals(a.slice::<T>())))?),
    })
}

fn unique(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let sorted = match node.int("sorted") {
        0 => false,
        1 => true,
        other => return Err(Refusal::invalid(format!("`sorted` is {other}, expected 0 or 1"))),
    };
    let (data, axis) = match node.optional_int("axis") {
        Some(at) => (data.clone(), axis(at, data.rank())?),
        None => (data.reshaped(&[data.len()])?, 0),
    };
    let extent = data.shape()[axis];
    let order: Vec<usize> = std::iter::once(axis).chain((0..data.rank()).filter(|&d| d != axis)).collect();
    let ranks = ranks(&data)?;
    let ranks = laid(&View::packed(&ranks, data.shape()).permuted(&order));
    let width = data.len().checked_div(extent).unwrap_or(0);
    let part = |at: usize| &ranks[at * width..(at + 1) * width];

    let mut known: HashMap<&[u64], usize> = HashMap::new();
    let (mut first, mut counts) = (Vec::<usize>::new(), Vec::<i64>::new());
    let mut inverse = Vec::with_capacity(extent);
    for at in 0..extent {
        let number = *known.entry(part(at)).or_insert(first.len());
        if number == first.len() {
            first.push(at);
            counts.push(0);
        }
        counts[number] += 1;
        inverse.push(number);
    }
    let mut order: Vec<usize> = (0..first.len()).collect();
    if sorted {
        order.sort_by_key(|&number| part(first[number]));
    }
    let mut place = vec![0i64; order.len()];
    order.iter().enumerate().for_each(|(at, &number)| place[number] = at as i64);
    let indices: Vec<usize> = order.iter().map(|&number| first[number]).collect();
    let list = |numbers: Vec<i64>| Array::from_elements(DType::Int64, &[numbers.len()], &numbers);

    let mut shape = data.shape().to_vec();
    shape[axis] = indices.len();
    let mut outputs = on_bits(&[&data], |data| {
        let data = &data[0];
        let picked = with_bits!(data.dtype().size(), T => Array::filled::<T>(data.dtype(), &shape, |out| {
            pick_along(out, &data.view::<T>(), axis, &indices);
            Ok(())
        }))?;
        Ok(vec![picked])
    })?;
    outputs.push(list(indices.iter().map(|&i| i as i64).collect())?.into());
    outputs.push(list(inverse.iter().map(|&number| place[number]).collect())?.into());
    outputs.push(list(order.iter().map(|&number| counts[number]).collect())?.into());
    Ok(outputs)
}

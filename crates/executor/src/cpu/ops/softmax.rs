//! Softmax and LogSoftmax: the maximum is taken off first.

use super::axes::axis;
use crate::Refusal;
use crate::cpu::array::Array;
use crate::cpu::element::{Float, Number, with_float};
use crate::cpu::kernels::lanes::lanes;
use crate::cpu::node::{Node, Operator, Outputs, one};

pub const OPERATORS: &[(&str, Operator)] = &[("LogSoftmax", log_softmax), ("Softmax", softmax)];

/// The input and the axis; before version 13 it is cut in two at the axis, so that all behind it is one row.
pub fn rows(node: &Node) -> Result<(Array, usize), Refusal> {
    let (data, at) = (node.input(0)?, node.int("axis"));
    let rank = data.rank();
    if node.since() >= 13 {
        return Ok((data.clone(), axis(at, rank)?));
    }
    let cut = if node.since() < 11 && at == rank as i64 { rank } else { axis(at, rank)? };
    let (before, behind) = data.shape().split_at(cut);
    Ok((data.reshaped(&[before.iter().product(), behind.iter().product()])?, 1))
}

fn softmax(node: &Node) -> Outputs {
    let (data, axis) = rows(node)?;
    let dtype = data.dtype();
    let found = with_float!(dtype, T => lanes(&data, axis, (dtype, data.shape()[axis]), |lane: &[T], out: &mut [T]| {
        let most = maximum(lane);
        if size_of::<T>() == size_of::<<T as Float>::Wide>() {
            // The powers fit in the output.
            let mut sum = <T as Float>::Wide::zero();
            for (out, x) in out.iter_mut().zip(lane) {
                let power = Number::sub(x.wide(), most).exp();
                sum = Number::add(sum, power);
                *out = T::narrow(power);
            }
            out.iter_mut().for_each(|out| *out = T::narrow(Number::div(out.wide(), sum)));
        } else {
            let powers: Vec<<T as Float>::Wide> = lane.iter().map(|x| Number::sub(x.wide(), most).exp()).collect();
            let sum = powers.iter().fold(<T as Float>::Wide::zero(), |sum, &power| Number::add(sum, power));
            out.iter_mut().zip(powers).for_each(|(out, power)| *out = T::narrow(Number::div(power, sum)));
        }
    }))?;
    one(found.reshaped(node.input(0)?.shape())?)
}

fn log_softmax(node: &Node) -> Outputs {
    let (data, axis) = rows(node)?;
    let dtype = data.dtype();
    let found = with_float!(dtype, T => lanes(&data, axis, (dtype, data.shape()[axis]), |lane: &[T], out: &mut [T]| {
        let most = maximum(lane);
        let zero = <T as Float>::Wide::zero();
        let sum = lane.iter().fold(zero, |sum, x| Number::add(sum, Number::sub(x.wide(), most).exp()));
        let log = sum.ln();
        for (out, x) in out.iter_mut().zip(lane) {
            *out = T::narrow(Number::sub(Number::sub(x.wide(), most), log));
        }
    }))?;
    one(found.reshaped(node.input(0)?.shape())?)
}

fn maximum<T: Float>(lane: &[T]) -> T::Wide {
    let first = T::Wide::from_f64(f64::NEG_INFINITY);
    lane.iter().fold(first, |most, x| Number::larger(most, x.wide()))
}

//! Operators with three inputs, and gradients of CLIP.

use super::super::call::{Call, Run, Written};
use super::super::types::numbers;
use super::unary::number;
use super::{dtype, list, raw, written_bytes};
use plumbline_cpu::element::Number;

pub const OPERATORS: &[(&str, Run)] =
    &[("ELEMENT_WISE_CLIP_GRAD", clip_grad), ("ELEMENT_WISE_CLIP_GRAD1", clip_grad1), ("ELEMENT_WISE_IF", choose)];

/// Selects each element from one of two tensors, bit for bit.
fn choose(call: &Call) -> Written {
    let (truths, mut a, b) = (list::<u8>(call, 0)?, raw(call, 1)?, raw(call, 2)?);
    for (at, _) in truths.iter().enumerate().filter(|(_, truth)| **truth == 0) {
        a.set(at, b.at(at));
    }
    written_bytes(call, a.size, &a.bytes)
}

/// Returns 0 where the element is equal to a limit or beyond it, and the gradient elsewhere, also where the element is
/// NaN. Limits are compared exactly, even if the elements' type cannot express them.
fn within(call: &Call, least: f64, most: f64) -> Written {
    let outside = |x: f64| x <= least || x >= most;
    let (x, mut gradient) = (call.numbers("InputTensor")?.data, raw(call, 1)?);
    let zero = vec![0; gradient.size];
    for (at, _) in x.iter().enumerate().filter(|(_, x)| outside(**x)) {
        gradient.set(at, &zero);
    }
    written_bytes(call, gradient.size, &gradient.bytes)
}

fn clip_grad(call: &Call) -> Written {
    within(call, call.float("Min")?, call.float("Max")?)
}

fn clip_grad1(call: &Call) -> Written {
    let (least, most) = (call.scalar("Min")?, call.scalar("Max")?);
    let (least, most) = numbers!(dtype(call)?, T => (number::<T>(least).to_f64(), number::<T>(most).to_f64()));
    within(call, least, most)
}

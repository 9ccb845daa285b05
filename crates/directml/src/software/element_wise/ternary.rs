//! Operators with three inputs, and gradients of CLIP.

use super::super::call::{Call, Run, Written, numbers};
use super::unary::number;
use super::{dtype, list, zip, zip_with};
use plumbline_cpu::element::{Number, with_bits};

pub const OPERATORS: &[(&str, Run)] =
    &[("ELEMENT_WISE_CLIP_GRAD", clip_grad), ("ELEMENT_WISE_CLIP_GRAD1", clip_grad1), ("ELEMENT_WISE_IF", choose)];

/// Selects each element from one of two tensors, bit for bit.
fn choose(call: &Call) -> Written {
    let size = call.dtype("ATensor")?.size();
    with_bits!(size, T => {
        let choices: Vec<(T, T)> = list(call, 1)?.into_iter().zip(list(call, 2)?).collect();
        zip_with(call, &choices, |truth: u8, (a, b): (T, T)| if truth != 0 { a } else { b })
    })
}

/// Returns the gradient where the element is strictly between the limits, and 0 elsewhere. Limits that the elements'
/// type cannot express still count exactly.
fn within<T: Number>(call: &Call, least: f64, most: f64) -> Written {
    zip(call, move |x: T, gradient: T| match x.to_f64() {
        x if x <= least || x >= most => T::zero(),
        _ => gradient,
    })
}

fn clip_grad(call: &Call) -> Written {
    let (least, most) = (call.float("Min")?, call.float("Max")?);
    numbers!(dtype(call)?, T => within::<T>(call, least, most))
}

fn clip_grad1(call: &Call) -> Written {
    let (least, most) = (call.scalar("Min")?, call.scalar("Max")?);
    numbers!(dtype(call)?, T => within::<T>(call, number::<T>(least).to_f64(), number::<T>(most).to_f64()))
}

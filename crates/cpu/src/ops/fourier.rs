//! The Fourier transforms DFT and STFT.

use super::axes::axis;
use super::normalization::{narrowed, wide};
use super::signal_windows::length;
use crate::array::affordable;
use crate::kernels::fourier::{Complex, Fourier};
use crate::kernels::lanes::laid;
use crate::node::{Node, Operator, Outputs, one};
use crate::view::View;
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("DFT", dft), ("STFT", stft)];

/// Returns a complex sample from its real part and, if there is one, its imaginary part.
fn sample(parts: &[f64]) -> Complex {
    [parts[0], parts.get(1).copied().unwrap_or(0.0)]
}

/// Returns the axis of the transform. Before version 20 it is an attribute; from version 20 on it is an input, and by
/// default the second to last axis.
fn axis_of(node: &Node, rank: usize) -> Result<usize, Refusal> {
    let along = match node.optional(2)? {
        Some(given) if given.len() != 1 => {
            return Err(Refusal::invalid(format!("`axis` has shape {:?}, expected one element", given.shape())));
        }
        Some(given) => given.to_i64s()?[0],
        None if node.since() < 20 => node.int("axis"),
        None => -2,
    };
    let along = axis(along, rank)?;
    if along + 1 == rank {
        Err(Refusal::invalid("`axis` is the last axis, which holds the real and imaginary parts"))
    } else {
        Ok(along)
    }
}

/// Completes a spectrum of length `count` of which only one half is given. The other half follows by symmetry. The
/// first number and, if `count` is even, the number in the middle are made real.
fn whole_spectrum(mut half: Vec<Complex>, count: usize) -> Vec<Complex> {
    half.resize(count / 2 + 1, [0.0; 2]);
    half[0][1] = 0.0;
    if count.is_multiple_of(2) {
        half[count / 2][1] = 0.0;
    }
    for k in count / 2 + 1..count {
        let [re, im] = half[count - k];
        half.push([re, -im]);
    }
    half
}

fn dft(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let rank = data.rank();
    let parts = match data.shape() {
        [_, .., parts @ (1 | 2)] => *parts,
        shape => {
            return Err(Refusal::invalid(format!(
                "the input has shape {shape:?}, expected rank 2 or more and a last extent of 1 or 2"
            )));
        }
    };
    let along = axis_of(node, rank)?;
    let (inverse, onesided) = (node.int("inverse") != 0, onesided(node)?);
    if onesided && (parts == 2) != inverse {
        return Err(Refusal::invalid("with `onesided` the input must be real, or complex if `inverse` is set"));
    }
    let extent = data.shape()[along];
    let count = match node.optional(1)? {
        Some(given) => length(given)?,
        None if inverse && onesided => 2 * extent.saturating_sub(1),
        None => extent,
    };
    let (kept, kept_parts) = match (onesided, inverse) {
        (true, false) => (count / 2 + 1, 2),
        (true, true) => (count, 1),
        _ => (count, 2),
    };
    if count == 0 {
        return Err(Refusal::invalid("the length of the transform is 0"));
    }
    // The axis of the transform becomes the second to last, before the axis of the real and imaginary parts.
    let order: Vec<usize> = (0..rank - 1).filter(|&d| d != along).chain([along, rank - 1]).collect();
    let numbers = wide(data)?;
    let rows = laid(&View::packed(&numbers, data.shape()).permuted(&order)).into_owned();
    let mut shape: Vec<usize> = order.iter().map(|&d| data.shape()[d]).collect();
    (shape[rank - 2], shape[rank - 1]) = (kept, kept_parts);
    let mut out = Vec::with_capacity(affordable(&shape)?);
    affordable(&[count])?;
    let (fourier, scale) = (Fourier::new(count, inverse), if inverse { count as f64 } else { 1.0 });
    for number in 0..shape[..rank - 2].iter().product() {
        let row = &rows[number * extent * parts..][..extent * parts];
        let mut samples: Vec<Complex> = row.chunks(parts).map(sample).collect();
        if inverse && onesided {
            samples = whole_spectrum(samples, count);
        }
        samples.resize(count, [0.0; 2]);
        out.extend(fourier.transform(&samples)[..kept].iter().flat_map(|x| &x[..kept_parts]).map(|x| x / scale));
    }
    let mut back = vec![0; rank];
    order.iter().enumerate().for_each(|(place, &d)| back[d] = place);
    let turned = View::packed(&out, &shape).permuted(&back);
    one(narrowed(data.dtype(), turned.sizes(), &laid(&turned))?)
}

/// Returns whether the node reads or writes only half of a spectrum.
fn onesided(node: &Node) -> Result<bool, Refusal> {
    match node.int("onesided") {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(Refusal::invalid(format!("`onesided` is {other}, expected 0 or 1"))),
    }
}

/// Returns the window: the factors by which the samples of a frame are multiplied.
fn window(node: &Node, extent: usize) -> Result<Vec<f64>, Refusal> {
    let given = node.optional(3)?.map(length).transpose()?;
    let window = match node.optional(2)? {
        Some(window) if window.rank() == 1 && given.is_none_or(|length| length == window.len()) => wide(window)?,
        Some(window) => {
            return Err(Refusal::invalid(format!(
                "`window` has shape {:?}, expected rank 1 and `frame_length` elements",
                window.shape()
            )));
        }
        None => vec![1.0; affordable(&[given.unwrap_or(extent)])?],
    };
    match window.len() {
        0 => Err(Refusal::invalid("the length of a frame is 0")),
        length if length > extent => {
            Err(Refusal::invalid(format!("a frame of {length} samples is longer than the signal of {extent}")))
        }
        _ => Ok(window),
    }
}

fn stft(node: &Node) -> Outputs {
    let signal = node.input(0)?;
    let &[batch, extent, parts @ (1 | 2)] = signal.shape() else {
        return Err(Refusal::invalid(format!(
            "the signal has shape {:?}, expected rank 3 and a last extent of 1 or 2",
            signal.shape()
        )));
    };
    let (step, window) = (length(node.input(1)?)?, window(node, extent)?);
    let onesided = onesided(node)?;
    if onesided && parts == 2 {
        return Err(Refusal::invalid("`onesided` needs a real signal, but the signal is complex"));
    }
    let count = window.len();
    let (frames, kept) = ((extent - count) / step + 1, if onesided { count / 2 + 1 } else { count });
    let shape = [batch, frames, kept, 2];
    let mut out = Vec::with_capacity(affordable(&shape)?);
    let (numbers, fourier) = (wide(signal)?, Fourier::new(count, false));
    for row in numbers.chunks(extent * parts) {
        for frame in 0..frames {
            let own = row[frame * step * parts..].chunks(parts).zip(&window);
            let samples: Vec<Complex> = own.map(|(x, weight)| sample(x).map(|part| part * weight)).collect();
            out.extend(fourier.transform(&samples)[..kept].as_flattened());
        }
    }
    one(narrowed(signal.dtype(), &shape, &out)?)
}

use crate::families::fourier::{Factors, Transform};
use crate::families::window::scalar;
use crate::prelude::*;

/// STFT-17: transforms of frames of a signal (C1), a step (C2) apart, each times a window (C3); `onesided` takes real samples (C4); a frame is not longer than the signal (C5).
/// What is not finite: B1; what is left after the last frame: B2.
pub fn stft(call: &Call) -> Answer {
    let signal = call.tensor("signal")?;
    let &[batch, length, parts @ 1..=2] = signal.shape() else {
        return Err(Refusal::violates(C1, format!("{:?} is no batch of real or complex signals", signal.shape())));
    };
    let positive = |name: &str, label: Label| {
        let value = scalar(call, name, label)?;
        usize::try_from(value)
            .ok()
            .filter(|&v| v > 0)
            .ok_or_else(|| Refusal::violates(label, format!("`{name}` is {value}")))
    };
    let step = positive("frame_step", C2)?;
    let given = call.given("frame_length").then(|| positive("frame_length", C5)).transpose()?;
    let window = call.optional_tensor("window")?;
    if let Some(window) = window
        && (window.rank() != 1 || given.is_some_and(|l| l != window.len()))
    {
        return Err(Refusal::violates(C3, format!("a window of shape {:?} for frames of {given:?}", window.shape())));
    }
    let frame = given.or(window.map(|w| w.len())).unwrap_or(length);
    if frame > length || frame == 0 {
        return Err(Refusal::violates(C5, format!("frames of {frame} in a signal of {length}")));
    }
    let onesided = call.int("onesided")? != 0;
    if onesided && parts == 2 {
        return Err(Refusal::violates(C4, "a complex signal with `onesided`"));
    }
    let outputs = if onesided { frame / 2 + 1 } else { frame };
    let frames = (length - frame) / step + 1;
    let shape = vec![batch, frames, outputs, 2];
    let count = shape::affordable(&shape)?;
    let dtype = signal.dtype();
    let factors = Factors::new(frame, outputs, false, dtype)?;
    let mut numbers = Vec::with_capacity(count);
    for at in 0..if count == 0 { 0 } else { batch * frames } {
        let start = (at / frames * length + at % frames * step) * parts;
        let weighted = |i: usize| {
            let x = signal.number(start + i);
            // Windowed samples of 16 bits are stored, or kept.
            window.map_or(x, |w| {
                let product = x * w.number(i / parts);
                product.hull(product.nearest())
            })
        };
        let all: Vec<Number> = (0..frame * parts).map(weighted).collect();
        let transform = Transform { factors: &factors, parts, dtype, divisor: None, label: B1 };
        numbers.extend(transform.of(&all, outputs, |given| given.to_vec()).into_iter().flatten());
    }
    call.answer(shape, numbers)
}

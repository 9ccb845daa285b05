use crate::families::cosine_window::scalar;
use crate::families::fourier::{Factors, Transform, onesided};
use crate::prelude::*;

/// Computes the short-time Fourier transform: the transforms of successive frames of a signal, each multiplied by a
/// window.
///
/// The only version is 17. The last dimension holds real or complex samples (`samples-real-or-complex`). The step
/// between frames is positive (`frame-step-positive`), the window has the length of a frame (`window-fits-frame`), and
/// a frame is no longer than the signal (`frame-fits-signal`). `onesided` is 0 or 1 (`onesided-known`), and 1 requires
/// real samples (`onesided-samples-fit`). Infinities and NaN: `nan-and-infinity`; samples behind the last frame:
/// `incomplete-frame`.
pub fn stft(call: &Call) -> Answer {
    let signal = call.tensor("signal")?;
    let &[batch, length, parts @ 1..=2] = signal.shape() else {
        return Err(Refusal::violates(
            rule::SAMPLES_REAL_OR_COMPLEX,
            format!(
                "the signal has shape {:?}, expected rank 3 and a last extent of 1 (real) or 2 (complex)",
                signal.shape()
            ),
        ));
    };
    let positive = |name: &str, label: Label| {
        let value = scalar(call, name, label)?;
        usize::try_from(value)
            .ok()
            .filter(|&v| v > 0)
            .ok_or_else(|| Refusal::violates(label, format!("`{name}` is {value}, expected a positive number")))
    };
    let step = positive("frame_step", rule::FRAME_STEP_POSITIVE)?;
    let given = call.given("frame_length").then(|| positive("frame_length", rule::FRAME_FITS_SIGNAL)).transpose()?;
    let window = call.optional_tensor("window")?;
    if let Some(window) = window
        && (window.rank() != 1 || given.is_some_and(|l| l != window.len()))
    {
        return Err(Refusal::violates(
            rule::WINDOW_FITS_FRAME,
            match given {
                Some(length) => {
                    format!("a window of shape {:?} does not fit frames of length {length}", window.shape())
                }
                None => format!("`window` has shape {:?}, expected rank 1", window.shape()),
            },
        ));
    }
    let frame = given.or(window.map(|w| w.len())).unwrap_or(length);
    if frame > length || frame == 0 {
        return Err(Refusal::violates(
            rule::FRAME_FITS_SIGNAL,
            format!("a frame of {frame} samples does not fit a signal of {length}"),
        ));
    }
    let onesided = onesided(call)?;
    if onesided && parts == 2 {
        return Err(Refusal::violates(rule::ONESIDED_SAMPLES_FIT, "`onesided` is 1, but the signal is complex"));
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
            // An implementation may round 16-bit samples again after applying the window, or keep them in a wider type.
            window.map_or(x, |w| {
                let product = x * w.number(i / parts);
                product.hull(product.nearest())
            })
        };
        let all: Vec<Number> = (0..frame * parts).map(weighted).collect();
        let transform = Transform { factors: &factors, parts, dtype, divisor: None, label: rule::NAN_AND_INFINITY };
        numbers.extend(transform.transform(&all, outputs, |given| given.to_vec()).into_iter().flatten());
    }
    call.answer(shape, numbers)
}

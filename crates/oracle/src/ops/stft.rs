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
/// `incomplete-frame`. The text of releases before 1.23 does not say how long a frame is without `window` and
/// `frame_length` (`frame-length-open`), or with both if they differ (`window-length-open`).
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
    let differs = window.is_some_and(|w| w.rank() == 1 && given.is_some_and(|length| length != w.len()));
    if differs && call.follows(rule::WINDOW_LENGTH_OPEN) {
        return Err(Refusal::leaves_open(rule::WINDOW_LENGTH_OPEN, "the window is longer or shorter than a frame"));
    }
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
    if given.is_none() && window.is_none() && call.follows(rule::FRAME_LENGTH_OPEN) {
        call.leaves_open(rule::FRAME_LENGTH_OPEN);
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

#[cfg(test)]
mod tests {
    use crate::testing::{floats, refusable_by};
    use plumbline_tensor::Tensor;

    #[test]
    fn older_texts_do_not_say_how_long_a_frame_is_by_default() {
        let (signal, step) = (floats(&[1, 3, 1], &[1.0, 2.0, 3.0]), Tensor::from_i64(1));
        let without = [signal.clone(), step.clone()];
        assert!(refusable_by("1.22", "STFT", 17, &without, 1).is_some_and(|rule| rule.contains("frame-length-open")));
        assert_eq!(refusable_by("1.23", "STFT", 17, &without, 1), None);
        let with = [signal, step, floats(&[2], &[1.0, 1.0])];
        assert_eq!(refusable_by("1.22", "STFT", 17, &with, 1), None);
    }
}

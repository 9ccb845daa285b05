//! Samples for DFT and STFT.

use crate::prelude::*;

/// Returns the values of a signal; some signals have infinities and NaN.
pub fn samples(draw: &mut Draw) -> Values {
    match draw.below(8) {
        0..=3 => Values::Between(-1.0, 1.0),
        4 | 5 => Values::Integers,
        6 => Values::Moderate,
        _ => Values::Mostly(-10.0, 10.0),
    }
}

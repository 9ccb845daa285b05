//! Quantization: numbers as multiples of a scale, counted from a zero point.

use super::super::element::Wide;

/// Quantizes `x`: rounds `x / scale` to an integer, with ties to even, adds the zero point, and clamps to `range`. NaN
/// stays NaN.
#[inline(always)]
pub fn quantized<W: Wide>(x: W, scale: W, zero: W, range: (W, W)) -> W {
    let moved = x.div(scale).round_ties_even().add(zero);
    if moved < range.0 {
        range.0
    } else if moved > range.1 {
        range.1
    } else {
        moved
    }
}

/// Dequantizes `x`: multiplies its distance from the zero point by the scale.
#[inline(always)]
pub fn dequantized<W: Wide>(x: W, scale: W, zero: W) -> W {
    x.sub(zero).mul(scale)
}

/// Returns the scale and the zero point that quantize these elements to 8 bits: their range, extended to contain 0, is
/// divided into 255 steps.
pub fn scale_of<W: Wide>(elements: &[W]) -> (W, W) {
    let widened = |(least, most): (W, W), &x: &W| (least.smaller(x), most.larger(x));
    let (least, most) = elements.iter().fold((W::zero(), W::zero()), widened);
    let steps = W::from_double(255.0);
    let scale = most.sub(least).div(steps);
    let zero = least.neg().div(scale);
    (scale, zero.larger(W::zero()).smaller(steps).round_ties_even())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bit_values_are_rounded_shifted_and_saturated() {
        assert_eq!(quantized(2.5f32, 1.0, 3.0, (0.0, 255.0)), 5.0);
        assert_eq!(quantized(-9.0f32, 1.0, 3.0, (0.0, 255.0)), 0.0);
        assert_eq!(quantized(900.0f32, 1.0, 3.0, (0.0, 255.0)), 255.0);
        assert_eq!(dequantized(5.0f32, 0.5, 3.0), 1.0);
        assert_eq!(scale_of(&[-51.0f32, 102.0]), (0.6, 85.0));
    }
}

//! Numbers as multiples of a scale around a zero point.

use super::super::element::Wide;

/// The multiple of `scale` nearest to `x`, ties to even, counted from the zero point, within `range`; NaN stays.
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

/// What a multiple of `scale`, counted from the zero point, stands for.
#[inline(always)]
pub fn dequantized<W: Wide>(x: W, scale: W, zero: W) -> W {
    x.sub(zero).mul(scale)
}

/// Scale and zero point of 8 bits for these elements: their range, which 0 belongs to, in 255 steps.
pub fn scale_of<W: Wide>(elements: &[W]) -> (W, W) {
    let widened = |(least, most): (W, W), &x: &W| (least.smaller(x), most.larger(x));
    let (least, most) = elements.iter().fold((W::zero(), W::zero()), widened);
    let steps = W::of(255.0);
    let scale = most.sub(least).div(steps);
    let zero = least.neg().div(scale);
    (scale, zero.larger(W::zero()).smaller(steps).round_ties_even())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bits() {
        assert_eq!(quantized(2.5f32, 1.0, 3.0, (0.0, 255.0)), 5.0);
        assert_eq!(quantized(-9.0f32, 1.0, 3.0, (0.0, 255.0)), 0.0);
        assert_eq!(quantized(900.0f32, 1.0, 3.0, (0.0, 255.0)), 255.0);
        assert_eq!(dequantized(5.0f32, 0.5, 3.0), 1.0);
        assert_eq!(scale_of(&[-51.0f32, 102.0]), (0.6, 85.0));
    }
}

//! Rounding in two steps that gives the same result as rounding once.

/// Rounds a float64 to float32 by "round to odd": a number that float32 can hold stays, and any other number becomes
/// the one of its two neighbours whose last bit is 1. Rounding this result to a type whose significand is at least two
/// bits shorter gives the same as rounding `x` once (Boldo and Melquiond, "Emulation of FMA and correctly rounded
/// sums").
#[inline(always)]
pub fn to_odd(x: f64) -> f32 {
    let nearest = x as f32;
    let back = f64::from(nearest);
    if back == x || nearest.is_nan() || nearest.to_bits() & 1 == 1 {
        return nearest;
    }
    if back < x { nearest.next_up() } else { nearest.next_down() }
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};
    use plumbline_tensor::{DType, FloatFormat, Saturation};

    use super::super::Number;

    /// Returns numbers near the midpoints of neighbouring 16-bit floats, and others of every magnitude.
    fn numbers() -> impl Iterator<Item = f64> {
        let mut random = fastrand::Rng::with_seed(1);
        let halfway = (0..=u16::MAX).flat_map(|bits| {
            let of = |x: f32, next: f32| (f64::from(x) + f64::from(next)) / 2.0;
            let (half, brain) = (f16::from_bits(bits), bf16::from_bits(bits));
            let next = bits.wrapping_add(1);
            [of(half.to_f32(), f16::from_bits(next).to_f32()), of(brain.to_f32(), bf16::from_bits(next).to_f32())]
        });
        let near = halfway.flat_map(|x| [x, x.next_up(), x.next_down(), x * (1.0 + 1e-9), x * (1.0 - 1e-9)]);
        near.chain((0..200_000).map(move |_| f64::from_bits(random.u64(..))))
    }

    #[test]
    fn float64_is_rounded_to_16_bits_once() {
        let format = |dtype| FloatFormat::for_dtype(dtype).expect("both types are floating-point types");
        let (half, brain) = (format(DType::Float16), format(DType::Bfloat16));
        for x in numbers().filter(|x| !x.is_nan()) {
            let (a, b) = (<f16 as Number>::from_double(x), <bf16 as Number>::from_double(x));
            assert_eq!(u64::from(a.to_bits()), half.encode(x, Saturation::None), "{x:e} as float16");
            assert_eq!(u64::from(b.to_bits()), brain.encode(x, Saturation::None), "{x:e} as bfloat16");
        }
        assert!(<f16 as Number>::from_double(f64::NAN).is_nan() && <bf16 as Number>::from_double(f64::NAN).is_nan());
    }
}

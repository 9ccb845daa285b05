//! The exponential function without branches and calls, so that the compiler can vectorize it.

/// log2(e), which turns an exponent of e into an exponent of 2.
const TURNS: f32 = std::f32::consts::LOG2_E;

/// ln(2) in two parts: leading digits that are so few that a product with a small integer is exact, and the remaining
/// digits.
const LN_2: (f32, f32) = (0.693_359_4, -2.121_944_4e-4);

/// 1.5 * 2^23. The sum of this and a small number has no bits for a fraction, so that the addition rounds to an
/// integer.
const WHOLE: f32 = 12_582_912.0;

/// Returns `a * b + c`, rounded once if `FUSED`. This is only fast if the machine has an instruction for it.
#[inline(always)]
fn product_and<const FUSED: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

/// Results are multiplied by 2 to this power, so that neither a result nor the power of 2 in its computation is
/// subnormal.
const SCALE: u32 = 64;

/// Returns e^x * 2^64 for an `x` that is not positive, within 2 units in the last place, and NaN for NaN. An `x` below
/// -105 counts as -105, because e^x rounds to 0 for both numbers.
#[inline(always)]
pub fn scaled_exp<const FUSED: bool>(x: f32) -> f32 {
    let fma = product_and::<FUSED>;
    let x = if x < -105.0 { -105.0 } else { x };
    let turned = fma(x, TURNS, WHOLE);
    let count = turned - WHOLE;
    let r = fma(-count, LN_2.1, fma(-count, LN_2.0, x));
    // A minimax polynomial of (e^r - 1 - r) / r^2 for |r| up to ln(2) / 2. The relative error of e^r is at most 3.1e-9.
    let p = [8.368_717e-3, 4.166_839e-2, 1.666_652_1e-1, 4.999_999_3e-1, 1.0];
    let p = p.into_iter().fold(1.381_459_9e-3, |sum, term| fma(sum, r, term));
    // The last bits of `turned` hold `count`. The shift moves them to the exponent and shifts out the bits of `WHOLE`.
    let of_two = f32::from_bits(turned.to_bits().wrapping_shl(23).wrapping_add((127 + SCALE) << 23));
    fma(p, r * of_two, of_two)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_TO_64: f32 = 18_446_744_073_709_551_616.0;

    #[test]
    fn exp_is_within_two_units_of_exp_in_float64() {
        near::<false>();
        near::<true>();
    }

    fn near<const FUSED: bool>() {
        let scaled_exp = scaled_exp::<FUSED>;
        for n in 0..198_000 {
            let x = -(n as f32) * 0.000_53;
            let (found, exact) = (scaled_exp(x), f64::from(x).exp() * f64::from(TWO_TO_64));
            let unit = f64::from((exact as f32).next_up()) - f64::from(exact as f32);
            assert!((f64::from(found) - exact).abs() <= 2.0 * unit, "exp({x}) is {found}, expected {exact}");
        }
        assert_eq!(scaled_exp(0.0), TWO_TO_64);
        for x in [-105.0, -200.0, f32::MIN, f32::NEG_INFINITY] {
            assert_eq!(scaled_exp(x) / TWO_TO_64, 0.0, "{x}");
        }
        assert!(scaled_exp(f32::NAN).is_nan());
    }
}

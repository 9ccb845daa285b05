//! Powers of e without branches and calls, which the compiler makes vectors of.

/// log2(e)
const TURNS: f32 = std::f32::consts::LOG2_E;

/// ln(2), the digits that make a product with a small integer exact, and the others.
const LN_2: (f32, f32) = (0.693_359_4, -2.121_944_4e-4);

/// Adding it leaves no room for a fraction: 1.5 * 2^23.
const WHOLE: f32 = 12_582_912.0;

/// `a * b + c`, rounded once if `FUSED`: quick only where the machine has an instruction for it.
#[inline(always)]
fn product_and<const FUSED: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

/// Powers come multiplied with 2 to this: then none is subnormal, and one factor makes them.
const SCALE: u32 = 64;

/// e to a number that is not above 0, times 2 to 64, within 2 units in the last place; NaN of NaN. Numbers below -105 count
/// as that: without the factor they are 0.
#[inline(always)]
pub fn scaled_exp<const FUSED: bool>(x: f32) -> f32 {
    let fma = product_and::<FUSED>;
    let x = if x < -105.0 { -105.0 } else { x };
    let turned = fma(x, TURNS, WHOLE);
    let count = turned - WHOLE;
    let r = fma(-count, LN_2.1, fma(-count, LN_2.0, x));
    // Minimax polynomial of (e^r - 1 - r) / r^2 on half a turn either way: e^r is off by 3.1e-9 of itself at most.
    let p = [8.368_717e-3, 4.166_839e-2, 1.666_652_1e-1, 4.999_999_3e-1, 1.0];
    let p = p.into_iter().fold(1.381_459_9e-3, |sum, term| fma(sum, r, term));
    // The count is in the last bits: it goes to where exponents are, and what WHOLE has there goes out.
    let of_two = f32::from_bits(turned.to_bits().wrapping_shl(23).wrapping_add((127 + SCALE) << 23));
    fma(p, r * of_two, of_two)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_TO_64: f32 = 18_446_744_073_709_551_616.0;

    #[test]
    fn near_to_that_in_float64() {
        near::<false>();
        near::<true>();
    }

    fn near<const FUSED: bool>() {
        let scaled_exp = scaled_exp::<FUSED>;
        for n in 0..198_000 {
            let x = -(n as f32) * 0.000_53;
            let (found, exact) = (scaled_exp(x), f64::from(x).exp() * f64::from(TWO_TO_64));
            let unit = f64::from((exact as f32).next_up()) - f64::from(exact as f32);
            assert!((f64::from(found) - exact).abs() <= 2.0 * unit, "{x}: {found}, not {exact}");
        }
        assert_eq!(scaled_exp(0.0), TWO_TO_64);
        for x in [-105.0, -200.0, f32::MIN, f32::NEG_INFINITY] {
            assert_eq!(scaled_exp(x) / TWO_TO_64, 0.0, "{x}");
        }
        assert!(scaled_exp(f32::NAN).is_nan());
    }
}

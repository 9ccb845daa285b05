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

/// e to a number that is not above 0, within 2 units in the last place; NaN of NaN.
#[inline(always)]
pub fn exp_below_zero<const FUSED: bool>(x: f32) -> f32 {
    let fma = product_and::<FUSED>;
    // Everything below is 0, minus infinity with it.
    let x = if x < -105.0 { -105.0 } else { x };
    let turned = fma(x, TURNS, WHOLE);
    let count = turned - WHOLE;
    let r = fma(-count, LN_2.1, fma(-count, LN_2.0, x));
    // Minimax polynomial of (e^r - 1 - r) / r^2 on half a turn either way (Cephes).
    let p = [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5];
    let p = p.into_iter().fold(1.987_569_1e-4, |sum, term| fma(sum, r, term));
    let power = fma(p * r, r, r) + 1.0;
    // The power of 2 in two factors, so that results may be subnormal.
    let count = (turned.to_bits() as i32).wrapping_sub(WHOLE.to_bits() as i32);
    let half = count >> 1;
    let of_two = |n: i32| f32::from_bits(n.wrapping_add(127).wrapping_shl(23) as u32);
    power * of_two(half) * of_two(count.wrapping_sub(half))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_to_that_in_float64() {
        near::<false>();
        near::<true>();
    }

    fn near<const FUSED: bool>() {
        let exp_below_zero = exp_below_zero::<FUSED>;
        for n in 0..200_000 {
            let x = -(n as f32) * 0.000_53;
            let (found, exact) = (exp_below_zero(x), f64::from(x).exp());
            let unit = f64::from((exact as f32).next_up()) - f64::from(exact as f32);
            assert!((f64::from(found) - exact).abs() <= 2.0 * unit, "{x}: {found}, not {exact}");
        }
        assert_eq!((exp_below_zero(0.0), exp_below_zero(f32::NEG_INFINITY), exp_below_zero(-200.0)), (1.0, 0.0, 0.0));
        assert!(exp_below_zero(f32::NAN).is_nan());
    }
}

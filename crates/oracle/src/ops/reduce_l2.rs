use crate::families::cast::outside;
use crate::families::reduce::{of_reals, reduce};
use crate::prelude::*;
use crate::wrap;

/// Computes the root of the sum of squares along some axes.
///
/// Up to version 13, `axes` is an attribute; in version 18, it is an input. The axes are in range (`axes-in-range`).
/// Reductions over no elements: `empty-reduction`; integers: `integer-rounding`; squares that overflow or underflow:
/// `intermediate-overflow`; float64 that the function body casts to float: `body-precision`.
pub fn reduce_l2(call: &Call) -> Answer {
    // The function body of version 18 casts the sum to float before it takes the root.
    let through_float = call.since() >= 18;
    reduce(call, |x, dtype| match dtype.is_float() {
        true => of_reals(x, |x| norm(x, dtype, through_float)),
        false => int_norm(x, dtype, through_float),
    })
}

fn sum_of_squares(x: &[Real], dtype: DType) -> Real {
    let mut sum = Accumulator::new(dtype);
    x.iter().for_each(|x| sum.add(x.abs().times(x.abs())));
    sum.finish_inside()
}

fn root(x: Real) -> Real {
    Number::from(x).sqrt().real()
}

/// Computes the square root of the sum of squares, scaled so that no square overflows and the largest one does not
/// underflow. The result without scaling is accepted as latitude (`intermediate-overflow`).
fn norm(x: &[Real], dtype: DType, through_float: bool) -> Number {
    let squares = sum_of_squares(x, dtype);
    let largest = x.iter().map(|x| x.mid.abs()).fold(0.0, f64::max);
    if largest == 0.0 || x.iter().any(|x| !x.mid.is_finite()) {
        return root(squares).into();
    }
    let power = libm::frexp(largest).1;
    let scaled: Vec<Real> = x.iter().map(|x| x.scaled(-power)).collect();
    let norm = root(sum_of_squares(&scaled, dtype)).scaled(power).widened(0.5);
    let result = Number::from(norm).or(root(squares).overflowing(), rule::INTERMEDIATE_OVERFLOW);
    match through_float && dtype == DType::Double {
        true => result.or(root(squares.to_dtype(DType::Float)).overflowing(), rule::BODY_PRECISION),
        false => result,
    }
}

/// Computes the root of the sum of squares for integers. The result is exact if the root is an integer and the sum is
/// less than 2^24. Otherwise the root has the rounding error of float and is truncated, as in the function body;
/// versions without a function body leave the rounding open (`integer-rounding`). A sum outside of the type's range
/// wraps, saturates, or is kept in a wider type. If it wraps to a negative number, its root is NaN, converted to the
/// integer type.
fn int_norm(x: &[Number], dtype: DType, through_float: bool) -> Number {
    let square = |x: &Number| x.mid_int().unsigned_abs().checked_mul(x.mid_int().unsigned_abs());
    let squares = x.iter().try_fold(0u128, |sum, x| sum.checked_add(square(x)?));
    let wrapped = x.iter().fold(0i128, |sum, x| sum.wrapping_add(x.mid_int().wrapping_mul(x.mid_int())));
    let most = dtype.integer_range().map_or(0, |(_, high)| high);
    let exact = match squares {
        Some(sum) => int_root(sum, dtype, through_float),
        // A sum beyond 128 bits has a root beyond 64 bits.
        None => outside(f64::INFINITY, dtype, rule::INTEGER_ROUNDING),
    };
    let kept_narrow = match squares {
        Some(sum) if i128::try_from(sum).is_ok_and(|sum| sum <= most) => vec![],
        _ => vec![wrap(wrapped, dtype), most],
    };
    let root = |sum: i128| match u128::try_from(sum) {
        Ok(sum) => int_root(sum, dtype, through_float),
        Err(_) => outside(f64::NAN, dtype, rule::INTEGER_ROUNDING),
    };
    let result =
        kept_narrow.into_iter().map(root).fold(exact, |result, other| result.or(other, rule::INTEGER_ROUNDING));
    result.opened_ints(x, rule::INTEGER_ROUNDING)
}

fn int_root(sum: u128, dtype: DType, through_float: bool) -> Number {
    let (_, most) = dtype.integer_range().unwrap_or((0, 1));
    let root = sum.isqrt() as i128;
    if root > most {
        return outside(root as f64, dtype, rule::INTEGER_ROUNDING);
    }
    let rest = sum - root.unsigned_abs() * root.unsigned_abs();
    let exact = rest == 0;
    let (mut low, mut high) = (root, root);
    if sum >= 1 << 24 || !exact {
        // In float, both the sum and its root are rounded.
        let single = f64::from(sum as f32).sqrt();
        let step = f64::from(f32::EPSILON) * single;
        low = low.min((single - step) as i128);
        high = high.max((single + step) as i128).min(most);
    }
    let kind = NumberKind::Int(crate::Int { low, mid: root, high, dtype });
    let result = Number { kind, latitude: None };
    let nearest = if rest > root.unsigned_abs() { root + 1 } else { root };
    if through_float || nearest <= high {
        result
    } else {
        result.or(Number::int(nearest.min(most), dtype), rule::INTEGER_ROUNDING)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Allowed;

    fn reduced(dtype: DType, x: &[f64]) -> Number {
        norm(&x.iter().map(|&x| Real::exact(x, dtype)).collect::<Vec<_>>(), dtype, true)
    }

    #[test]
    fn a_square_that_overflows_is_left_open_and_the_norm_is_preferred() {
        // 300² is beyond float16, but the norm 500 is not; (3e30)² is beyond float.
        for (dtype, x) in [(DType::Float16, [300.0, 400.0]), (DType::Float, [3e30, 4e30])] {
            let norm = reduced(dtype, &x);
            let right = norm.mid();
            assert!((right / x[1] - 1.25).abs() < 1e-3, "{norm:?}");
            assert!(!norm.real().accepts(f64::INFINITY) && !norm.real().accepts(right * 1.01));
            assert_eq!(norm.latitude.map(|l| l.allowed), Some(Allowed::real(f64::INFINITY)));
        }
        assert!(reduced(DType::Float16, &[3.0, 4.0]).latitude.is_none());
    }

    #[test]
    fn a_square_that_underflows_is_left_open() {
        let norm = reduced(DType::Float, &[1e-30]);
        assert!(norm.real().accepts(1e-30) && !norm.real().accepts(0.0));
        let Some(Allowed::Reals(others)) = norm.latitude.map(|l| l.allowed) else { panic!("{norm:?}") };
        assert!(others.contains(0.0) && others.contains(1e-30) && !others.contains(1.0), "{norm:?}");
    }

    #[test]
    fn a_root_of_integers_is_rounded_towards_zero() {
        let of = |x: &[i128], body| {
            int_norm(&x.iter().map(|&x| Number::int(x, DType::Int32)).collect::<Vec<_>>(), DType::Int32, body)
        };
        assert_eq!(of(&[3, -4], true), Number::int(5, DType::Int32));
        // 4² + 5² + 2² = 45, whose root is 6.7.
        assert_eq!(of(&[4, 5, 2], true), Number::int(6, DType::Int32));
        assert_eq!(of(&[4, 5, 2], false).latitude.map(|l| l.allowed), Some(Allowed::int(7)));
        // The sum of squares wraps to 0, or saturates, which gives the root 46340.
        let beyond = of(&[1 << 20], true);
        let Some(Allowed::Ints(others)) = beyond.latitude.map(|l| l.allowed) else { panic!("{beyond:?}") };
        assert!(beyond.accepts(&Number::int(1 << 20, DType::Int32)) && others.contains(0) && others.contains(46340));
        assert!(!others.contains(7), "{beyond:?}");
    }
}

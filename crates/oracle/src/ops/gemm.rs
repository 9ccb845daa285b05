use crate::Int;
use crate::families::matrix_product::{Factor, Matrix, Opened, collect, int_sums};
use crate::families::reduce::{as_int, either};
use crate::prelude::*;

/// Computes `alpha * A * B + beta * C` for matrices `A` and `B`, which may be transposed.
///
/// Up to version 6, `broadcast` lets C broadcast; from version 7 on, it always does. Version 9 adds integers; from
/// version 11 on, C is optional. Constraints: A and B have rank 2 (`rank-two`), their inner extents are equal
/// (`inner-extents-equal`), and C fits the product (`c-broadcasts`). A sum of no products: `empty-sum`; integers:
/// `integer-rounding`; intermediate results that overflow: `intermediate-overflow`; `alpha` or `beta` of 0:
/// `infinity-times-zero`.
///
/// Flags that are neither 0 nor 1: `other-flag-values`.
pub fn gemm(call: &Call) -> Answer {
    let (a, b) = (call.tensor("A")?, call.tensor("B")?);
    let left = matrix(a, call.flag("transA"))?;
    let right = matrix(b, call.flag("transB"))?;
    if left.extents.1 != right.extents.0 {
        return Err(Refusal::violates(
            rule::INNER_EXTENTS_EQUAL,
            format!(
                "matrices of {:?} and {:?} cannot be multiplied: the inner extents differ",
                left.extents, right.extents
            ),
        ));
    }
    let shape = vec![left.extents.0, right.extents.1];
    shape::affordable(&shape)?;
    let c = call.optional_tensor("C")?;
    let at = c.map(|c| placed(call, c, &shape)).transpose()?;
    let added = |i: usize| c.zip(at.as_ref()).map(|(c, at)| c.number(at[i]));
    let (alpha, beta) = (f64::from(call.float("alpha")?), f64::from(call.float("beta")?));
    let dtype = a.dtype();
    let (x, y) = (Factor::new(a), Factor::new(b));
    if !dtype.is_float() {
        let products = int_sums(&x, left, &y, right, rule::INTEGER_ROUNDING).into_iter().enumerate();
        let of = |ab: Number, c: Option<Number>| match c {
            Some(c) => ab.each_way(|ab| c.each_way(|c| of_ints(ab, Some(c), alpha, beta))),
            None => ab.each_way(|ab| of_ints(ab, None, alpha, beta)),
        };
        let numbers: Vec<Number> = products.map(|(i, ab)| of(ab, added(i))).collect();
        return call.answer(shape, numbers);
    }
    let mut sums = Collected::new(dtype, shape.iter().product());
    collect(&mut sums, &x, &y, &[(left, right)], |[_, row, column], (ab, opened)| {
        let c = added(row * right.extents.1 + column);
        let of = |ab: Accumulator, c: Option<Real>| {
            let number = of_reals(ab, c, alpha, beta, dtype);
            if dtype != DType::Double || !number.real().mid.is_infinite() && alpha != 0.0 {
                return number;
            }
            let row = elements(a, left.start + row * left.steps.0, left.steps.1, left.extents.1);
            let column = elements(b, right.start + column * right.steps.1, right.steps.0, left.extents.1);
            let exact = scaled_down(&row, &column, c, alpha, beta);
            // Computed step by step, a product that overflows is infinite, and zero times it is NaN.
            let steps = if alpha == 0.0 { Real::constant(f64::NAN, dtype) } else { number.real() };
            match exact {
                Some(exact) if !number.real().accepts(exact.mid) => {
                    Number::from(exact).or(steps.overflowing(), rule::INTERMEDIATE_OVERFLOW)
                }
                _ => number,
            }
        };
        let number = of(ab.clone(), c.map(|c| c.real()));
        let of_c = c.and_then(|c| c.latitude).map(|l| Opened { sum: ab, label: l.label });
        let widest = |ab| of_reals(ab, c.map(|c| c.widest()), alpha, beta, dtype).widest();
        Opened::or(opened.or(of_c), number, widest)
    });
    one(sums.into_expected(shape)?)
}

fn matrix(tensor: &Expected, transposed: bool) -> Result<Matrix, Refusal> {
    let &[rows, columns] = tensor.shape() else {
        return Err(Refusal::violates(
            rule::RANK_TWO,
            format!("an input has shape {:?}, expected rank 2", tensor.shape()),
        ));
    };
    let matrix = Matrix::row_major(0, rows, columns);
    Ok(if transposed { matrix.transposed() } else { matrix })
}

/// Returns, for each element of the product, the index of the element of C that is added to it.
fn placed(call: &Call, c: &Expected, shape: &[usize]) -> Result<Vec<usize>, Refusal> {
    let broadcasts = call.flag_or_set("broadcast");
    let fits = match broadcasts {
        true => shape::broadcasts_to(c.shape(), shape),
        false => c.shape() == shape,
    };
    if !fits {
        return Err(Refusal::violates(
            rule::C_BROADCASTS,
            match broadcasts {
                true => format!("`C` of shape {:?} does not broadcast to the product of shape {shape:?}", c.shape()),
                false => format!("`C` has shape {:?}, expected {shape:?} without `broadcast`", c.shape()),
            },
        ));
    }
    Ok(shape::broadcast_indices(c.shape(), shape))
}

/// Computes `alpha * ab + beta * c`. An implementation may add all terms in one sum, and multiply by `alpha` and `beta`
/// before or after it adds. Or it may round after each step: the matrix product, the multiplications, the addition.
fn of_reals(ab: Accumulator, c: Option<Real>, alpha: f64, beta: f64, dtype: DType) -> Number {
    let factor = |x: f64| Real::constant(x, dtype);
    let product = ab.clone().finish_inside();
    let stepwise = {
        let scaled = if alpha == 1.0 { product } else { product.times(factor(alpha)) };
        match c {
            Some(c) => scaled.plus(if beta == 1.0 { c } else { c.times(factor(beta)) }),
            None => scaled,
        }
    };
    let result = if alpha.is_finite() && beta.is_finite() {
        let mut sum = ab.scaled(alpha);
        if let Some(c) = c {
            if beta == 1.0 { sum.add(c) } else { sum.add_product(factor(beta), c) }
        }
        either(sum.finish(), stepwise, rule::INTERMEDIATE_OVERFLOW)
    } else {
        stepwise.into()
    };
    // A factor of zero times an infinity or NaN is NaN, unless the implementation does not read the matrix that the
    // factor belongs to (`infinity-times-zero`).
    if !result.is_nan() || alpha != 0.0 && beta != 0.0 {
        return result;
    }
    let scaled = if alpha == 0.0 { factor(0.0) } else { product.times(factor(alpha)) };
    let without = match c.filter(|_| beta != 0.0) {
        Some(c) => scaled.plus(c.times(factor(beta))),
        None => scaled,
    };
    if without.mid.is_nan() { result } else { result.or(without, rule::INFINITY_TIMES_ZERO) }
}

fn elements(x: &Expected, start: usize, step: usize, count: usize) -> Vec<Real> {
    (0..count).map(|k| x.number(start + k * step).real()).collect()
}

/// Computes `alpha * ab + beta * c` in float64 with factors scaled down by powers of two, so that no intermediate
/// result overflows. Other types do not need this, because float64 holds their intermediate results. Returns `None` if
/// the result itself is infinite, or if an operand is infinite, NaN or uncertain.
fn scaled_down(row: &[Real], column: &[Real], c: Option<Real>, alpha: f64, beta: f64) -> Option<Real> {
    // The largest exponent of a product. It leaves room for the sum of products and for factors of type float.
    const LARGEST_PRODUCT: i32 = 800;
    let power = |x: &[Real]| libm::frexp(x.iter().map(|x| x.mid.abs()).fold(0.0, f64::max)).1.max(0);
    let excess = (power(row) + power(column) - LARGEST_PRODUCT).max(0);
    let (a, b) = (excess / 2, excess - excess / 2);
    let finite = |x: &Real| x.is_point() && x.mid.is_finite();
    if !row.iter().chain(column).chain(&c).all(finite) || !alpha.is_finite() || !beta.is_finite() {
        return None;
    }
    let mut sum = Accumulator::new(DType::Double);
    row.iter().zip(column).for_each(|(x, y)| sum.add_product(x.scaled(-a), y.scaled(-b)));
    let mut sum = sum.scaled(alpha);
    // With `alpha` = 0, only C is left. It is not scaled, so that it keeps its digits.
    let power = if alpha == 0.0 { 0 } else { excess };
    if let Some(c) = c {
        sum.add_product(Real::constant(beta, DType::Double), c.scaled(-power));
    }
    let result = sum.finish().scaled(power);
    result.mid.is_finite().then_some(result)
}

/// Computes `alpha * ab + beta * c` for integers, exactly if `alpha` and `beta` are integers. The rounding of fractions
/// is left open (`integer-rounding`).
fn of_ints(ab: Number, c: Option<Number>, alpha: f64, beta: f64) -> Number {
    const LARGEST: f64 = 1e15;
    let dtype = ab.dtype();
    let whole = |x: f64| x.fract() == 0.0 && x.abs() < LARGEST;
    let with = |alpha: f64, beta: f64| {
        let scaled = ab * Number::int(alpha as i128, dtype);
        c.map_or(scaled, |c| scaled + c * Number::int(beta as i128, dtype)).wraps(rule::INTEGER_ROUNDING)
    };
    if whole(alpha) && (whole(beta) || c.is_none()) {
        return with(alpha, beta);
    }
    // An implementation may compute with real numbers, in float or wider, and truncate or round the terms or their sum.
    // Or it may truncate the factors first.
    let beta = if c.is_some() { beta } else { 0.0 };
    let added = c.map_or(0.0, |c| c.mid());
    let real = alpha * ab.mid() + beta * added;
    let err = 2.0 + 2f64.powi(-21) * ((alpha * ab.mid()).abs() + (beta * added).abs());
    let ends = [real - err, real, real + err].map(|end| as_int(end, 0.0, dtype, false, rule::INTEGER_ROUNDING));
    let [low, mid, high] = ends;
    let NumberKind::Int(range) = mid.kind else { return mid };
    let between =
        Number { kind: NumberKind::Int(Int { low: low.mid_int(), high: high.mid_int(), ..range }), latitude: None };
    let fits = ends.iter().all(|end| end.latitude.is_none());
    let rounded = if fits {
        mid.or(between, rule::INTEGER_ROUNDING)
    } else {
        mid.or(low, rule::INTEGER_ROUNDING).or(high, rule::INTEGER_ROUNDING)
    };
    rounded
        .or(with(alpha, beta), rule::INTEGER_ROUNDING)
        .opened_ints(&[Some(ab), c].into_iter().flatten().collect::<Vec<_>>(), rule::INTEGER_ROUNDING)
}

#[cfg(test)]
mod tests {
    use crate::Judged;
    use crate::testing::{floats, run};
    use plumbline_tensor::{DType, Tensor};

    #[test]
    fn gemm_transposes_and_scales_its_operands() {
        let a = floats(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
        let b = floats(&[3, 2], &[1.0, 0.0, 0.0, 1.0, 2.0, -1.0]);
        let c = floats(&[2, 1], &[10.0, 20.0]);
        let y = &run("Gemm <transA = 1, transB = 1, alpha = 0.5, beta = -1.0>", 13, &[a, b, c], 1)
            .expect("the node is valid")[0];
        // The transposed A is [[1, 3], [2, 4]]; times the transposed B it is [[1, 3, -1], [2, 4, 0]].
        assert_eq!(y.tensor, floats(&[2, 3], &[-9.5, -8.5, -10.5, -19.0, -18.0, -20.0]));
        assert!(y.is_certain());
    }

    #[test]
    fn a_product_that_overflows_before_it_is_scaled_is_left_open() {
        let (a, b) = (floats(&[1, 2], &[1e30, 1e30]), floats(&[2, 1], &[1e9, 1e9]));
        let y = &run("Gemm <alpha = 0.0625>", 13, &[a, b], 1).expect("the node is valid")[0];
        let x = y.number(0);
        assert!(x.real().accepts(1.25e38) && !x.real().accepts(f64::INFINITY) && x.latitude.is_some(), "{x:?}");
    }

    /// 0.5 * (-MAX * -1.5) is 0.75 * MAX, although the product is beyond float64.
    #[test]
    fn a_product_beyond_float64_is_scaled() {
        let double = |shape: &[usize], x: &[f64]| {
            Tensor::from_f64s(DType::Double, shape.to_vec(), x).expect("the values fill the shape")
        };
        let (a, b) = (double(&[1, 2], &[-f64::MAX, 1.0]), double(&[2, 1], &[-1.5, 3.0]));
        let y = &run("Gemm <alpha = 0.5>", 13, &[a, b], 1).expect("the node is valid")[0];
        let judged = |x: f64| y.judge(&double(&[1, 1], &[x]), 0);
        assert_eq!(judged(0.75 * f64::MAX), Judged::Accepted);
        assert!(matches!(judged(f64::INFINITY), Judged::Latitude(_)));
        assert_eq!(judged(1e307), Judged::Wrong);
    }

    /// The product overflows and is multiplied by 0. C is added to it and keeps its digits.
    #[test]
    fn zero_times_a_product_beyond_float64_leaves_c() {
        let double = |shape: &[usize], x: &[f64]| {
            Tensor::from_f64s(DType::Double, shape.to_vec(), x).expect("the values fill the shape")
        };
        for c in [f64::MAX, 1.0, 1e-300] {
            let (a, b, added) = (double(&[1, 1], &[f64::MAX]), double(&[1, 1], &[-f64::MAX]), double(&[1], &[c]));
            let y = &run("Gemm <alpha = 0.0>", 13, &[a, b, added], 1).expect("the node is valid")[0];
            let judged = |x: f64| y.judge(&double(&[1, 1], &[x]), 0);
            assert_eq!(judged(c), Judged::Accepted, "{c:e}");
            assert!(matches!(judged(f64::NAN), Judged::Latitude(_)), "{c:e}");
            assert_eq!(judged(0.0), Judged::Wrong, "{c:e}");
            assert_eq!(judged(f64::NEG_INFINITY), Judged::Wrong, "{c:e}");
        }
    }

    #[test]
    fn a_factor_of_zero_may_leave_the_matrix_unread() {
        let (a, b) = (floats(&[1, 1], &[2.0]), floats(&[1, 1], &[3.0]));
        let c = floats(&[], &[f32::NAN]);
        let y = &run("Gemm <beta = 0.0>", 13, &[a, b, c], 1).expect("the node is valid")[0];
        assert!(y.number(0).is_nan());
        assert_eq!(y.latitude[0].1.allowed, crate::Allowed::real(6.0));
    }
}

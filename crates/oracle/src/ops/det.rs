use plumbline_tensor::FloatFormat;

use crate::Allowed;
use crate::prelude::*;
use crate::steps;

/// Computes the determinant of each matrix.
///
/// Versions 11 and 22 have the same meaning; version 22 adds bfloat16. Constraints: rank 2 or more
/// (`rank-at-least-two`) and square matrices (`matrices-square`). Matrices without elements: `empty-matrix`;
/// infinities, NaN and intermediate results that overflow: `intermediate-overflow`.
pub fn det(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let [batch @ .., rows, columns] = x.shape() else {
        return Err(Refusal::violates(
            rule::RANK_AT_LEAST_TWO,
            format!("`X` has rank {}, expected 2 or more", x.rank()),
        ));
    };
    if rows != columns {
        return Err(Refusal::violates(
            rule::MATRICES_SQUARE,
            format!("a matrix has {rows} rows and {columns} columns, expected equal numbers"),
        ));
    }
    let n = *rows;
    let count = shape::product(batch)?;
    if n == 0 {
        call.leaves_open(rule::EMPTY_MATRIX);
    }
    let element = |at: usize| {
        let numbers: Vec<Number> = (at * n * n..(at + 1) * n * n).map(|i| x.number(i)).collect();
        determinant(&numbers, n, x.dtype())
    };
    call.answer(batch.to_vec(), (0..count).map(element))
}

fn determinant(numbers: &[Number], n: usize, dtype: DType) -> Number {
    match numbers {
        [] => return Number::constant(1.0, dtype),
        [x] => return *x,
        _ => {}
    }
    let values: Vec<f64> = numbers.iter().map(Number::mid).collect();
    let format = FloatFormat::for_dtype(dtype)
        .unwrap_or_else(|| FloatFormat::for_dtype(DType::Double).expect("double is a floating-point type"));
    // Infinite or NaN elements, and intermediate results that overflow, may give infinities or NaN.
    let strays = Allowed::either(f64::INFINITY, f64::NEG_INFINITY).with(Allowed::real(f64::NAN));
    if values.iter().any(|x| !x.is_finite()) {
        // An elimination or expansion may also skip zeros instead of multiplying by them.
        let skipped = Number::constant(skipping_zeros(&values, n), dtype);
        return Number::constant(eliminated(&values, n).0, dtype)
            .or(strays, rule::INTERMEDIATE_OVERFLOW)
            .or(skipped, rule::INTERMEDIATE_OVERFLOW);
    }
    if numbers.iter().any(|x| !x.is_point()) {
        let widest: Vec<Real> = numbers.iter().map(Number::widest).collect();
        let expanded = expanded(&widest, n, dtype);
        // An elimination makes the elements at most 2^(n - 1) times as large, and an error of an element changes the
        // determinant by its cofactor.
        let largest = widest.iter().map(|x| x.low.abs().max(x.high.abs())).fold(0.0, f64::max);
        let growth = libm::exp2(n as f64 - 1.0) * largest * n as f64;
        let cofactor = (1..n).map(|k| k as f64 * largest).product::<f64>();
        let err = 3.0 * (n * n * n) as f64 * libm::scalbn(1.0, -(format.precision() as i32)) * growth * cofactor;
        let real = Real { low: expanded.low - err, high: expanded.high + err, ..expanded };
        return Number::from(Real { mid: eliminated(&values, n).0, ..real }).or(strays, rule::INTERMEDIATE_OVERFLOW);
    }
    let (mut values, mut exponent) = (values, 0);
    let (mut value, mut lost) = eliminated(&values, n);
    // Steps that overflow hide a determinant that may be finite. Then it is computed from rows of ordinary size.
    if !value.is_finite() {
        (values, exponent) = scaled(&values, n);
        (value, lost) = eliminated(&values, n);
    }
    // An implementation may add up the products over all permutations. Its error depends on the sum of their
    // magnitudes.
    let products = permanent(&values, n);
    let growth = values.iter().fold(1.0f64, |g, x| g.max(x.abs())).powi(n as i32 - 1).min(f64::MAX);
    let unit = libm::scalbn(1.0, -(format.precision() as i32));
    let steps = 2.0 * n as f64 + if dtype == DType::Double { n as f64 } else { 0.0 };
    let err = steps * unit * products.max(lost) + (n * n) as f64 * format.min_positive() * growth;
    let [low, mid, high] = [value - err, value, value + err].map(|x| libm::scalbn(x, exponent));
    let real = Real { low, high, ..Real::constant(mid, dtype) };
    let largest = products.max(lost).max(growth * values.iter().fold(0.0f64, |g, x| g.max(x.abs())));
    let result = Number::from(real.nearest());
    if exponent != 0 || largest > format.max_finite() / 2.0 || !err.is_finite() {
        result.or(strays, rule::INTERMEDIATE_OVERFLOW)
    } else {
        result
    }
}

/// Returns the matrix with each row scaled by a power of two, so that its largest element is near 1, and the sum of the
/// exponents: the determinant is that of the scaled matrix times two to this power.
fn scaled(a: &[f64], n: usize) -> (Vec<f64>, i32) {
    let (mut all, mut sum) = (Vec::with_capacity(a.len()), 0);
    for row in a.chunks(n) {
        let largest = row.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
        let exponent = if largest == 0.0 { 0 } else { libm::ilogb(largest) };
        all.extend(row.iter().map(|&x| libm::scalbn(x, -exponent)));
        sum += exponent;
    }
    (all, sum)
}

/// Computes the determinant by expansion along the first row. Zero times infinity or NaN counts as zero.
fn skipping_zeros(a: &[f64], n: usize) -> f64 {
    let sign = |j: usize| if j.is_multiple_of(2) { 1.0 } else { -1.0 };
    let term = |j: usize| match (a[j], skipping_zeros(&without(a, n, 0, j), n - 1)) {
        (x, rest) if x == 0.0 || rest == 0.0 => 0.0,
        (x, rest) => sign(j) * x * rest,
    };
    if n == 0 { 1.0 } else { (0..n).map(term).sum() }
}

/// Computes the determinant of uncertain elements by expansion.
fn expanded(a: &[Real], n: usize, dtype: DType) -> Real {
    let of = |a: &[Real], row: usize, column: usize| -> Vec<Real> {
        steps::take(n * n);
        let kept = |at: &usize| at / n != row && at % n != column;
        (0..n * n).filter(kept).map(|at| a[at]).collect()
    };
    let signed = |j: usize, x: Real| if j.is_multiple_of(2) { x } else { x.neg() };
    let one = Real::constant(1.0, dtype);
    let terms = (0..n).map(|j| signed(j, a[j].times(expanded(&of(a, 0, j), n - 1, dtype))));
    terms.reduce(Real::plus).unwrap_or(one)
}

/// Computes the determinant by elimination with partial pivoting. Also returns the sum over all elements of |L||U|,
/// each times the magnitude of its cofactor: to first order, this is the largest change of the determinant if each
/// element of the matrix changes by the element of |L||U| at the same place. For large matrices, a bound replaces this
/// sum.
fn eliminated(original: &[f64], n: usize) -> (f64, f64) {
    const LARGEST: usize = 6;
    let mut a = original.to_vec();
    let mut rows: Vec<usize> = (0..n).collect();
    let mut sizes = vec![0.0f64; n * n];
    let mut value = 1.0;
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs())).unwrap_or(k);
        if pivot != k {
            (0..n).for_each(|j| a.swap(k * n + j, pivot * n + j));
            (0..n).for_each(|j| sizes.swap(k * n + j, pivot * n + j));
            rows.swap(k, pivot);
            value = -value;
        }
        value *= a[k * n + k];
        (k..n).for_each(|j| sizes[k * n + j] += a[k * n + j].abs());
        if a[k * n + k] == 0.0 {
            break;
        }
        steps::take((n - k) * (n - k));
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            sizes[i * n + k] += a[i * n + k].abs();
            for j in k + 1..n {
                a[i * n + j] -= factor * a[k * n + j];
                sizes[i * n + j] += (factor * a[k * n + j]).abs();
            }
        }
    }
    if n > LARGEST {
        let row = |i: usize| (0..n).map(|j| sizes[i * n + j]).sum::<f64>();
        return (value, n as f64 * (0..n).map(row).product::<f64>());
    }
    let cofactor = |i: usize, j: usize| leibniz(&without(original, n, rows[i], j), n - 1).abs();
    (value, (0..n * n).map(|at| sizes[at] * cofactor(at / n, at % n)).sum())
}

/// Computes the determinant by expansion along the first row.
fn leibniz(a: &[f64], n: usize) -> f64 {
    let sign = |j: usize| if j.is_multiple_of(2) { 1.0 } else { -1.0 };
    match n {
        0 => 1.0,
        _ => (0..n).map(|j| sign(j) * a[j] * leibniz(&without(a, n, 0, j), n - 1)).sum(),
    }
}

/// Returns a matrix without one row and one column.
fn without(a: &[f64], n: usize, row: usize, column: usize) -> Vec<f64> {
    steps::take(n * n);
    let kept = |at: &usize| at / n != row && at % n != column;
    (0..n * n).filter(kept).map(|at| a[at]).collect()
}

/// Computes the sum of the magnitudes of the products over all permutations, or a bound on it for large matrices.
fn permanent(a: &[f64], n: usize) -> f64 {
    const LARGEST: usize = 6;
    if n == 0 {
        return 1.0;
    }
    if n > LARGEST {
        return (0..n).map(|i| a[i * n..(i + 1) * n].iter().map(|x| x.abs()).sum::<f64>()).product();
    }
    (0..n).map(|j| a[j].abs() * permanent(&without(a, n, 0, j), n - 1)).sum()
}

#[cfg(test)]
mod tests {
    use plumbline_tensor::{DType, Tensor};

    use crate::Judged;
    use crate::testing::{floats, run};

    #[test]
    fn determinants_are_computed_for_each_matrix_of_a_batch() {
        let x = floats(&[2, 2, 2], &[1.0, 2.0, 3.0, 4.0, 0.5, 0.0, 7.0, 2.0]);
        let y = &run("Det", 11, &[x], 1).expect("the node is valid")[0];
        assert_eq!((y.shape(), y.tensor.to_f64s()), (&[2][..], vec![-2.0, 1.0]));
        assert!(y.number(0).real().accepts(-2.0000005) && !y.number(0).real().accepts(-2.00001));
    }

    /// Elimination overflows, and the determinant does not: the first two rows are proportional.
    #[test]
    fn a_determinant_is_finite_although_steps_overflow() {
        let rows = [3.375, 7.625, -6.5, 6.75, 15.25, -13.0, 19.5, -f64::MAX, -9.0];
        let y = &run("Det", 11, &[Tensor::from_f64s(DType::Double, vec![3, 3], &rows).expect("there are nine")], 1)
            .expect("the node is valid")[0];
        let judged = |x: f64| y.judge_at(0, &Tensor::from_f64s(DType::Double, vec![], &[x]).expect("there is one"), 0);
        assert_eq!(judged(0.0), Judged::Accepted);
        assert!([f64::NAN, f64::INFINITY].map(judged).iter().all(|x| matches!(x, Judged::Latitude(_))));
        assert_eq!(judged(1e300), Judged::Wrong);
        let y = &run(
            "Det",
            11,
            &[Tensor::from_f64s(DType::Double, vec![2, 2], &[1e200, 0.0, 1.0, 1e200]).expect("there are four")],
            1,
        )
        .expect("the node is valid")[0];
        assert_eq!(y.tensor.to_f64s(), [f64::INFINITY]);
    }

    #[test]
    fn a_singular_matrix_has_determinant_zero_within_error() {
        let y = &run("Det", 22, &[floats(&[3, 3], &[0.1, 0.2, 0.3, 0.2, 0.4, 0.6, 7.0, 8.0, 9.0])], 1)
            .expect("the node is valid")[0];
        assert!(y.number(0).real().accepts(0.0) && y.number(0).real().high < 1e-5);
    }
}

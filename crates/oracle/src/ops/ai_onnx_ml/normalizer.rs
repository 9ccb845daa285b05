use crate::families::traditional::{in_float, rows};
use crate::prelude::*;
use crate::{sum_inside, wrap};

/// Divides each element by the maximum (`MAX`) or the sum (`L1`) of its row. With `L2`, divides the magnitude of each
/// element by the root of the sum of the row's squares. The result is float.
///
/// The only version is 1. Constraints: the rank of `X` (`rank-one-or-two`) and the name of the norm (`norm-known`).
/// Negative elements: `negative-elements`; NaN: `nan`; squares that overflow or underflow: `intermediate-overflow`; a
/// divisor of zero: `zero-norm`; integers whose sum overflows: `integer-overflow`.
pub fn normalizer(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let (_, columns) = rows(x.shape(), rule::RANK_ONE_OR_TWO)?;
    let norm = match call.string("norm")?.as_str() {
        "MAX" => Norm::Max,
        "L1" => Norm::L1,
        "L2" => Norm::L2,
        other => {
            return Err(Refusal::violates(
                rule::NORM_KNOWN,
                format!("`norm` is `{other}`, expected `MAX`, `L1` or `L2`"),
            ));
        }
    };
    let numbers: Vec<Number> = x.numbers().collect();
    let mut normalized = Vec::with_capacity(numbers.len());
    for row in numbers.chunks(columns.max(1)) {
        let quotients = in_float(row, |row| norm.normalize(row));
        // An implementation may add and square integers in their own type (`integer-overflow`).
        let Some(wrapped) = norm.wrapped(row) else {
            normalized.extend(quotients);
            continue;
        };
        let others = in_float(row, |row| wrapped.quotients(row));
        normalized.extend(quotients.into_iter().zip(others).map(|(y, other)| y.or(other, rule::INTEGER_OVERFLOW)));
    }
    call.answer_as(DType::Float, x.shape().to_vec(), normalized)
}

enum Norm {
    Max,
    L1,
    L2,
}

/// What wraps around when a row is computed in its integer type: the divisor, or the squares of the elements and their
/// sum.
enum Wrapped {
    Divisor(i128),
    Squares(Vec<i128>, i128),
}

impl Wrapped {
    fn quotients(&self, row: &[Number]) -> Vec<Number> {
        let number = |x: i128| row[0].like(x as f64);
        match self {
            Wrapped::Divisor(divisor) => over(row, number(*divisor)),
            Wrapped::Squares(_, 0) => row.to_vec(),
            Wrapped::Squares(squares, sum) => {
                let roots = squares.iter().map(|&square| (number(square) / number(*sum)).sqrt());
                row.iter().zip(roots).map(|(x, root)| root.hull((*x / number(*sum).sqrt()).abs())).collect()
            }
        }
    }
}

impl Norm {
    /// Returns the sum of the elements, or of their squares, as the integer type wraps it. Returns `None` for `MAX`,
    /// for floats, and if the sum stays in the range of the type.
    fn wrapped(&self, row: &[Number]) -> Option<Wrapped> {
        let dtype = row.first()?.dtype();
        let (low, high) = dtype.integer_range()?;
        let all: Vec<i128> = row.iter().map(Number::mid_int).collect();
        let range = low..=high;
        match self {
            Norm::Max => None,
            Norm::L1 => {
                let sum: i128 = all.iter().sum();
                (!range.contains(&sum)).then(|| Wrapped::Divisor(wrap(sum, dtype)))
            }
            Norm::L2 => {
                let squares: Vec<i128> = all.iter().map(|x| wrap(x.saturating_mul(*x), dtype)).collect();
                let exact = all.iter().fold(0i128, |sum, x| sum.saturating_add(x.saturating_mul(*x)));
                let sum = squares.iter().sum();
                (!range.contains(&exact)).then(|| Wrapped::Squares(squares, wrap(sum, dtype)))
            }
        }
    }

    /// Normalizes a row by the formulas of the description. The maximum and the sum are those of the signed elements,
    /// not of their magnitudes; results of `L2` have no sign (`negative-elements`).
    fn normalize(&self, row: &[Number]) -> Vec<Number> {
        match self {
            Norm::Max => over(row, maximum(row)),
            Norm::L1 => over(row, sum_inside(row.iter().copied(), row[0].dtype(), rule::NAN)),
            Norm::L2 => root_of_squares(row),
        }
    }
}

/// Returns the maximum of the elements. If there is a NaN, it is preferred to the maximum of the other elements
/// (`nan`).
fn maximum(row: &[Number]) -> Number {
    let others = row.iter().copied().filter(|x| !x.is_nan()).reduce(|a, b| a.maximum(b, rule::NAN));
    match (row.iter().find(|x| x.is_nan()), others) {
        (Some(nan), Some(others)) => nan.or(others, rule::NAN),
        (Some(nan), None) => *nan,
        (None, others) => others.unwrap_or(row[0]),
    }
}

/// Divides each element by the divisor. If the divisor is zero, the elements stay as they are (`zero-norm`).
fn over(row: &[Number], divisor: Number) -> Vec<Number> {
    let zero = |d: &Number| d.mid() == 0.0 && d.is_point();
    let quotient = |x: Number, d: Number| if zero(&d) { x.with_any_zero() } else { x / d };
    row.iter().map(|&x| divisor.each_way(|d| quotient(x, d))).collect()
}

/// Computes `|x| / sqrt(sum(x * x))`, and also accepts `sqrt(x * x / sum(x * x))`.
fn root_of_squares(row: &[Number]) -> Vec<Number> {
    let squares: Vec<Number> = row.iter().map(|&x| x * x).collect();
    let sum = sum_inside(squares.iter().copied(), row[0].dtype(), rule::NAN);
    if row.iter().all(|x| x.mid() == 0.0) {
        return over(row, sum);
    }
    let by_squares = |(&x, &square): (&Number, &Number)| (x.abs() / sum.sqrt()).hull((square / sum).sqrt());
    let plain: Vec<Number> = row.iter().zip(&squares).map(by_squares).collect();
    let format = row[0].dtype().float_format();
    let (smallest, largest) = format.map_or((0.0, f64::MAX), |f| (f.min_normal(), f.max_finite()));
    let most = row.iter().map(|x| x.mid().abs()).fold(0.0, f64::max);
    let count = row.len() as f64;
    let overflows = most.is_finite() && most * most * count > largest / 2.0;
    let underflows = row.iter().any(|x| x.mid() != 0.0 && x.mid() * x.mid() < smallest);
    if !overflows && !underflows {
        return plain;
    }
    // The squares may leave the range of the type although the quotient does not (`intermediate-overflow`). The squares
    // of elements scaled to about 1 stay in range.
    let power = libm::ilogb(most);
    let scaled: Vec<Number> = row.iter().map(|x| x.map_real(|x| x.scaled(-power))).collect();
    let total = sum_inside(scaled.iter().map(|&x| x * x), row[0].dtype(), rule::NAN).sqrt();
    let exact = |x: &Number| (x.abs() / total).map_real(|y| y.within(0.0, 1.0));
    let spoilt = |(x, plain): (&Number, Number)| {
        let y = exact(x);
        match overflows {
            // Division by an infinite norm gives zero or NaN.
            true => y.or(y.like(0.0), rule::INTERMEDIATE_OVERFLOW).or(y.like(f64::NAN), rule::INTERMEDIATE_OVERFLOW),
            // Squares that underflow lose digits. If their sum underflows to zero, the result is an infinity, NaN or
            // zero. The end of this function also allows the element itself.
            false if sum.real().low > 0.0 => y.or(plain.real().overflowing(), rule::INTERMEDIATE_OVERFLOW),
            false => {
                let ways = [f64::INFINITY, f64::NAN, 0.0];
                let y = if sum.real().high > 0.0 { y.or(plain, rule::INTERMEDIATE_OVERFLOW) } else { y };
                ways.into_iter().fold(y, |y, way| y.or(y.like(way), rule::INTERMEDIATE_OVERFLOW))
            }
        }
    };
    scaled
        .iter()
        .zip(plain)
        .zip(row)
        .map(|((scaled, plain), x)| {
            let y = spoilt((scaled, plain));
            // If the sum underflows to zero, an implementation may leave the element as it is.
            if !overflows && sum.real().low <= 0.0 { y.or(*x, rule::INTERMEDIATE_OVERFLOW) } else { y }
        })
        .collect()
}

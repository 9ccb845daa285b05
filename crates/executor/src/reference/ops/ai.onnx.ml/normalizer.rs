use crate::reference::families::traditional::{in_float, rows};
use crate::reference::prelude::*;
use crate::reference::sum_inside;

/// Normalizer-1: each row over its maximum, its sum or the root of the sum of its squares, as float. Rank: C1; `norm`: C2.
/// Negative elements: B1; NaN: B2; squares that overflow or underflow: B3; a divisor of zero: B4; integers whose sum overflows: B5.
pub fn normalizer(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let (_, columns) = rows(x.shape(), C1)?;
    let norm = match call.string("norm")?.as_str() {
        "MAX" => Norm::Max,
        "L1" => Norm::L1,
        "L2" => Norm::L2,
        other => return Err(Refusal::violates(C2, format!("`norm` is {other}"))),
    };
    let numbers: Vec<Number> = x.numbers().collect();
    let mut normalized = Vec::with_capacity(numbers.len());
    for row in numbers.chunks(columns.max(1)) {
        let written = in_float(row, |row| norm.as_written(row));
        // The norm takes magnitudes, the formula does not.
        let named = match row.iter().any(|x| x.mid() < 0.0) {
            true => in_float(row, |row| norm.as_named(row)),
            false => written.clone(),
        };
        let pairs = written.into_iter().zip(named);
        let open = norm.overflows(row);
        normalized.extend(pairs.map(|(y, other)| match (open, y.accepts(&other)) {
            (true, _) => y.undecided(B5),
            (_, true) => y,
            _ => y.or(other, B1),
        }));
    }
    call.answer_as(DType::Float, x.shape().to_vec(), normalized)
}

enum Norm {
    Max,
    L1,
    L2,
}

impl Norm {
    /// Whether the sum of integers, or of their squares, leaves the range of their type (B5).
    fn overflows(&self, row: &[Number]) -> bool {
        let range = row.first().and_then(|x| x.dtype().integer_range());
        let Some((_, largest)) = range.filter(|_| row.iter().all(|x| matches!(x.kind, Kind::Int(_)))) else { return false };
        let terms = row.iter().map(|x| x.mid_int());
        let sum = match self {
            Norm::Max => terms.map(i128::abs).fold(0, i128::max),
            Norm::L1 => terms.map(i128::abs).sum(),
            Norm::L2 => terms.fold(0, |sum: i128, x| sum.saturating_add(x.saturating_mul(x))),
        };
        sum > largest
    }

    /// By the formulas of the description.
    fn as_written(&self, row: &[Number]) -> Vec<Number> {
        match self {
            Norm::Max => over(row, maximum(row.iter().copied())),
            Norm::L1 => over(row, sum_inside(row.iter().copied(), row[0].dtype(), B2)),
            Norm::L2 => root_of_squares(row).into_iter().map(Number::abs).collect(),
        }
    }

    /// By the norm of that name, of magnitudes, which keeps the signs.
    fn as_named(&self, row: &[Number]) -> Vec<Number> {
        let magnitudes = row.iter().map(|x| x.abs());
        match self {
            Norm::Max => over(row, maximum(magnitudes)),
            Norm::L1 => over(row, sum_inside(magnitudes, row[0].dtype(), B2)),
            Norm::L2 => root_of_squares(row),
        }
    }
}

fn maximum(xs: impl Iterator<Item = Number>) -> Number {
    xs.reduce(|a, b| a.maximum(b, B2)).unwrap_or(Number::constant(0.0, DType::Float))
}

/// Each element over the divisor; the element itself where that is zero (B4).
fn over(row: &[Number], divisor: Number) -> Vec<Number> {
    let zero = |d: &Number| d.mid() == 0.0 && d.is_point();
    row.iter().map(|&x| if zero(&divisor) { x.with_any_zero() } else { x / divisor }).collect()
}

/// `x / sqrt(sum(x * x))`, or the root of the quotient of the squares with the sign of x.
fn root_of_squares(row: &[Number]) -> Vec<Number> {
    let squares: Vec<Number> = row.iter().map(|&x| x * x).collect();
    let sum = sum_inside(squares.iter().copied(), row[0].dtype(), B2);
    if sum.mid() == 0.0 && row.iter().all(|x| x.mid() == 0.0) {
        return over(row, sum);
    }
    let format = row[0].dtype().float_format();
    let (smallest, largest) = format.map_or((0.0, f64::MAX), |f| (f.min_normal(), f.max_finite()));
    let lost = |x: &Number| x.mid() != 0.0 && !(x.mid() >= smallest && x.mid() <= largest);
    // Squares outside of the type's range spoil a result that lies inside.
    let spoilt = squares.iter().any(lost) || lost(&sum);
    let quotient = |(&x, &square): (&Number, &Number)| {
        let root = (square / sum).sqrt();
        let y = (x / sum.sqrt()).hull(if x.mid() < 0.0 { -root } else { root });
        if spoilt { y.undecided(B3) } else { y }
    };
    row.iter().zip(&squares).map(quotient).collect()
}

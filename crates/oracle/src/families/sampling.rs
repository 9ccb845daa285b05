//! Interpolation at places between elements: which elements a coordinate lies between, and the value there.

use crate::prelude::*;

/// A gap between two neighbouring elements of an axis, and the place of a coordinate in this gap. This is not the cell
/// to which a case belongs.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// The element at the coordinate or before it.
    pub before: i64,
    /// The distance of the coordinate from that element, from 0 to 1.
    pub fraction: Real,
}

/// The largest coordinate that the oracle computes with.
const LARGEST: f64 = 1e15;

/// Divides a length into `parts` parts. For a power of two the quotient is exact, in every implementation.
pub fn divided(length: Real, parts: usize) -> Real {
    let constant = |x: f64| Real::constant(x, length.dtype);
    match parts.is_power_of_two() {
        true => length.times(constant(1.0 / parts as f64)),
        false => length.over(constant(parts as f64)),
    }
}

/// Returns the cells in which a coordinate may lie: one, or two if an element is within the error of the coordinate.
/// Returns `None` if the coordinate is too large, too uncertain or NaN.
pub fn cells(p: Real) -> Option<Vec<Cell>> {
    let (low, high) = (p.low.floor(), p.high.floor());
    if !(p.low.abs() < LARGEST && p.high.abs() < LARGEST) || p.nan || high - low > 1.0 {
        return None;
    }
    let cell = |before: f64| {
        let within = |x: f64| (x - before).clamp(0.0, 1.0);
        let fraction = Real { low: within(p.low), mid: within(p.mid), high: within(p.high), ..p };
        // For a negative coordinate, the difference may not be representable, and is then rounded.
        let fraction = if before < 0.0 { fraction.widened(0.5).within(0.0, 1.0) } else { fraction };
        Cell { before: before as i64, fraction: Real { signed_zero: false, ..fraction } }
    };
    let mut cells = vec![cell(low)];
    if high > low {
        cells.push(cell(high));
    }
    Some(cells)
}

/// Interpolates linearly along each axis. Between elements `a` and `b`, an implementation computes
/// `a * (1 - f) + b * f` or `a + f * (b - a)`, where `f` is the fraction of the cell. `at` returns the element at given
/// coordinates.
pub fn interpolated(cells: &[Cell], at: &mut dyn FnMut(&[i64]) -> Real) -> Real {
    fn along(cells: &[Cell], place: &mut Vec<i64>, at: &mut dyn FnMut(&[i64]) -> Real) -> Real {
        let Some(cell) = cells.get(place.len()) else { return at(place) };
        let mut end = |step: i64| {
            place.push(cell.before + step);
            let value = along(cells, place, at);
            place.pop();
            value
        };
        let (a, b) = (end(0), end(1));
        let f = cell.fraction;
        if f.is_point() && f.mid == 0.0 && b.mid.is_finite() {
            return a;
        }
        let one = Real::constant(1.0, f.dtype);
        let weighted = a.times(one.minus(f)).plus(b.times(f));
        weighted.hull(a.plus(f.times(b.minus(a))))
    }
    along(cells, &mut Vec::with_capacity(cells.len()), at)
}

/// Multiplies the elements around a place by their weights, and adds up the products in any order.
fn weighted(cells: &[Cell], dtype: DType, at: &mut dyn FnMut(&[i64]) -> Real) -> Real {
    let mut sum = Accumulator::new(dtype);
    for corner in 0..1usize << cells.len() {
        let mut place = Vec::with_capacity(cells.len());
        let mut weight = Real::constant(1.0, dtype);
        for (axis, cell) in cells.iter().enumerate() {
            let behind = corner >> axis & 1 == 1;
            place.push(cell.before + i64::from(behind));
            let one = Real::constant(1.0, dtype);
            weight = weight.times(if behind { cell.fraction } else { one.minus(cell.fraction) });
        }
        if weight.low != 0.0 || weight.high != 0.0 {
            sum.add_product(weight, at(&place));
        }
    }
    sum.finish()
}

/// Interpolates at coordinates that may each lie in several cells. For every choice of cells, accepts the result
/// of [`interpolated`], and that of adding up weighted elements in any order.
pub fn interpolated_in_any(cells: &[Vec<Cell>], at: &mut dyn FnMut(&[i64]) -> Real) -> Real {
    let mut choices: Vec<Vec<Cell>> = vec![vec![]];
    for axis in cells {
        choices = choices.iter().flat_map(|c| axis.iter().map(|&cell| [&c[..], &[cell]].concat())).collect();
    }
    let mut largest = 0f64;
    let mut seen = |place: &[i64]| {
        let x = at(place);
        largest = largest.max(x.mid.abs());
        x
    };
    let mut values = choices.iter().map(|choice| {
        let nested = interpolated(choice, &mut seen);
        // With one axis there is no other order.
        if choice.len() == 1 { nested } else { nested.hull(weighted(choice, nested.dtype, &mut seen)) }
    });
    let first = values.next().unwrap_or_else(|| Real::constant(0.0, DType::Float));
    let value = values.fold(first, |hull, value| value.hull(hull));
    let exact = cells.iter().flatten().all(|c| c.fraction.is_point() && c.fraction.mid == 0.0);
    if exact || value.is_point() && value.dtype != DType::Double || !largest.is_finite() {
        return value;
    }
    // An implementation may multiply the weights of several axes before it multiplies by an element, and each of these
    // products is rounded. For float64, the steps of the oracle are rounded as well.
    let unit = value.dtype.float_format().map_or(0.0, |f| f.ulp(1.0) / 2.0);
    let lost = largest * unit * (cells.len() as f64 + if value.dtype == DType::Double { 2.0 } else { 0.0 });
    Real { low: value.low - lost, high: value.high + lost, ..value }
}

//! Many sums of products at once, as products of matrices in float64 (docs/decisions/products-of-intervals.md).
//!
//! [`Accumulator`] is the definition: it adds product after product. A [`Block`] has the same sums for all rows of one
//! matrix and all columns of another. What it accepts contains what the definition accepts, and is wider by less than a
//! hundredth. It has no sum where the definition has to look at single products: for elements that are not finite, may
//! be NaN, or have several outcomes, for sums that may overflow, and where the intervals would become too wide.

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};
use plumbline_tensor::{DType, FloatFormat, power_of_two};

use super::accumulator::Accumulator;
use super::side::{Quantity, Side};
use crate::precision;

/// The sums of products for all rows of one matrix and all columns of another, in row-major order.
pub struct Block {
    dtype: DType,
    columns: usize,
    inner: usize,
    /// A sum may overflow if the magnitudes of its products add up to this number or more.
    most: f64,
    sums: Vec<f64>,
    /// The sums of the largest magnitudes of the products.
    magnitudes: Vec<f64>,
    intervals: Option<Intervals>,
    /// For each row and each column, the exponent of the lowest bit, if all of its elements are certain.
    quanta: [Vec<Option<i32>>; 2],
    /// For each row, whether some of its elements are certain and others are not.
    mixed: Vec<bool>,
}

/// What a [`Block`] has for each sum, unless all elements are certain.
struct Intervals {
    centres: Vec<f64>,
    radii: Vec<f64>,
    positive: Vec<f64>,
    negative: Vec<f64>,
    /// The sums of the magnitudes of products that are exact in the type in which sums are kept.
    unrounded: Option<Vec<f64>>,
    /// How much wider the intervals are than those of the definition.
    excess: Option<Vec<f64>>,
}

impl Block {
    /// Multiplies matrices in row-major order, of `rows` x `inner` and `inner` x `columns` elements of this type.
    pub fn new(dtype: DType, left: &Side, right: &Side, [rows, inner, columns]: [usize; 3]) -> Block {
        let sum = |pairs: &[(Quantity, Quantity)]| {
            let mut sums = vec![0.0; rows * columns];
            let mut started = false;
            for &(a, b) in pairs {
                let (Some(a), Some(b)) = (left.quantity(a), right.quantity(b)) else { continue };
                multiply(&a, &b, &mut sums, [rows, inner, columns], started);
                started = true;
            }
            started.then_some(sums)
        };
        let or_zeros = |sums: Option<Vec<f64>>| sums.unwrap_or_else(|| vec![0.0; rows * columns]);
        use Quantity::*;
        let intervals = (left.has_intervals() || right.has_intervals()).then(|| Intervals {
            centres: or_zeros(sum(&[(Centre, Centre), (Turn, Turn)])),
            radii: or_zeros(sum(&[(Radius, Reach), (Reach, Radius)])),
            positive: or_zeros(sum(&[(Above, Above), (Below, Below)])),
            negative: or_zeros(sum(&[(Above, Below), (Below, Above)])),
            unrounded: Accumulator::new(dtype).holds_products().then(|| {
                let of = |side: &Side| side.quantity(Certain).map(|x| x.iter().map(|x| x.abs()).collect::<Vec<f64>>());
                let mut sums = vec![0.0; rows * columns];
                if let (Some(a), Some(b)) = (of(left), of(right)) {
                    multiply(&a, &b, &mut sums, [rows, inner, columns], false);
                }
                sums
            }),
            excess: sum(&[(Across, Around)]),
        });
        let down = |j: usize| right.quantum((0..inner).map(move |k| k * columns + j));
        let across = |i: usize| left.quantum(i * inner..(i + 1) * inner);
        Block {
            dtype,
            columns,
            inner,
            most: FloatFormat::for_dtype(precision::accumulation(dtype)).map_or(0.0, FloatFormat::max_finite) / 2.0,
            sums: or_zeros(sum(&[(Preferred, Preferred)])),
            magnitudes: or_zeros(sum(&[(Largest, Largest)])),
            intervals,
            quanta: [(0..rows).map(across).collect(), (0..columns).map(down).collect()],
            mixed: (0..rows).map(|i| left.is_mixed(i * inner..(i + 1) * inner)).collect(),
        }
    }

    /// Returns one of the sums, which has `count` products; the others have a zero in place of an element. Returns
    /// `None` if the definition is needed.
    pub fn accumulator(&self, row: usize, column: usize, count: usize) -> Option<Accumulator> {
        let i = row * self.columns + column;
        let (sum, magnitude) = (self.sums[i], self.magnitudes[i]);
        if magnitude.is_nan() || magnitude >= self.most {
            return None;
        }
        // Float64 rounds each of these sums, and those of the definition.
        let rounded = (10.0 * self.inner as f64 + 40.0) * f64::EPSILON / 2.0 * magnitude;
        if let (Some(a), Some(b)) = (self.quanta[0][row], self.quanta[1][column]) {
            let quantum = a.saturating_add(b);
            let is_exact = magnitude <= power_of_two(quantum.saturating_add(53).min(1023));
            let rounded = if is_exact { 0.0 } else { rounded };
            let sum = Accumulator::of_products(self.dtype, count, sum, magnitude, quantum);
            return Some(Accumulator { low: -rounded, high: rounded, ..sum });
        }
        let intervals = self.intervals.as_ref()?;
        // Only certain elements of the row may have a counterpart, and their sum may be exact.
        if count < self.inner && self.mixed[row] && self.quanta[1][column].is_some() {
            return None;
        }
        let radius = intervals.radii[i] + rounded;
        let moved = intervals.centres[i] - sum;
        let excess = intervals.excess.as_ref().map_or(0.0, |excess| excess[i]);
        let base = Accumulator::new(self.dtype);
        // The error of the sum is at least that of an implementation with usual errors.
        let precision = base.keeps.float_format().map_or(0, |format| format.precision() as i32);
        let least = power_of_two(-precision) * (count as f64).sqrt() * magnitude;
        if excess > WIDER * (radius + least) {
            return None;
        }
        let unrounded = intervals.unrounded.as_ref().map_or(0.0, |unrounded| unrounded[i]);
        Some(Accumulator {
            count,
            sum,
            low: moved - radius,
            high: moved + radius,
            positive: intervals.positive[i],
            negative: intervals.negative[i],
            signs: [count; 2],
            roundings: (magnitude - unrounded).max(0.0),
            exact: false,
            ..base
        })
    }
}

/// How much wider than the definition an interval may be, as a part of half of its width. This is less than a hundredth
/// of the whole width.
const WIDER: f64 = 0.015;

/// Computes `out = a * b`, or `out += a * b`, for matrices in row-major order.
fn multiply(a: &[f64], b: &[f64], out: &mut [f64], [rows, inner, columns]: [usize; 3], adds: bool) {
    let matrices = (
        ArrayView2::from_shape((rows, inner), a),
        ArrayView2::from_shape((inner, columns), b),
        ArrayViewMut2::from_shape((rows, columns), out),
    );
    let (Ok(a), Ok(b), Ok(mut out)) = matrices else { panic!("a factor does not fill its matrix") };
    general_mat_mul(1.0, &a, &b, if adds { 1.0 } else { 0.0 }, &mut out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Number;
    use crate::real::Real;

    /// A factor of one kind, as a node before may give it.
    fn factor(random: &mut fastrand::Rng, kind: u32, dtype: DType) -> Number {
        let format = dtype.float_format().expect("the type has a format");
        let value = (random.f64() - 0.5) * libm::exp2(f64::from(random.i32(-3..4)));
        let stored = format.nearest(value);
        let unit = power_of_two(1 - format.precision() as i32);
        let interval = |low: f64, mid: f64, high: f64| Number::from(Real { low, mid, high, ..Real::exact(mid, dtype) });
        let mut around = |x: f64, width: f64| {
            let (down, up) = (random.f64() * width, random.f64() * width);
            (x - down, x, x + up)
        };
        match kind {
            0 => Real::exact(stored, dtype).into(),
            // An error of some units in the last place.
            1 => {
                let (low, mid, high) = around(value, value.abs() * unit * 3.0);
                interval(low, mid, high)
            }
            // What a Relu leaves of an interval around zero, and a wide interval of one sign.
            2 => interval(0.0, 0.0, value.abs() * unit),
            3 => interval(value.abs() * 0.5, value.abs(), value.abs() * 1.5),
            // Wide intervals, most of which contain zero.
            4 => {
                let (low, mid, high) = around(value * 0.1, value.abs());
                interval(low, mid, high)
            }
            5 => Real::exact(0.0, dtype).into(),
            6 => interval(-value.abs(), -value.abs() * 0.9, -value.abs() * 0.8),
            _ => Real::exact(if value > 0.0 { 1.0 } else { -1.0 }, dtype).into(),
        }
    }

    /// Each sum of a block accepts what the definition accepts, and is wider by less than a hundredth.
    #[test]
    fn blocks_enclose_the_definition_closely() {
        let mut random = fastrand::Rng::with_seed(7);
        let (mut compared, mut left_out) = (0, 0);
        for round in 0..600 {
            let dtype = [DType::Float, DType::Float16, DType::Bfloat16][round % 3];
            let [rows, inner, columns] = [random.usize(1..6), random.usize(1..40), random.usize(1..6)];
            // Either all elements are of one kind, or of several.
            let kinds: Vec<u32> = (0..2).map(|_| random.u32(0..11)).collect();
            let mut draw = |count: usize, kind: u32| -> Vec<Number> {
                let of = |random: &mut fastrand::Rng| match kind {
                    8 => random.u32(0..8),
                    9 => random.u32(0..3),
                    10 => [0, 1, 5, 6][random.usize(0..4)],
                    kind => kind,
                };
                (0..count)
                    .map(|_| {
                        let kind = of(&mut random);
                        factor(&mut random, kind, dtype)
                    })
                    .collect()
            };
            let (a, b) = (draw(rows * inner, kinds[0]), draw(inner * columns, kinds[1]));
            let side = |x: &[Number]| Side::of_numbers(x.iter().copied(), dtype);
            let block = Block::new(dtype, &side(&a), &side(&b), [rows, inner, columns]);
            for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
                let Some(fast) = block.accumulator(i, j, inner) else {
                    left_out += 1;
                    continue;
                };
                let mut slow = Accumulator::new(dtype);
                (0..inner).for_each(|k| slow.add_product(a[i * inner + k].real(), b[k * columns + j].real()));
                let (fast, slow) = (fast.finish_kept(), slow.finish_kept());
                let what = format!("{dtype} {kinds:?} {inner}: {fast:?} {slow:?}");
                let least = f64::MIN_POSITIVE;
                assert!((fast.mid - slow.mid).abs() <= 1e-13 * slow.mid.abs().max(1.0), "{what}");
                assert!(fast.low <= slow.low && fast.high >= slow.high, "{what}");
                // The lowest bit of a row and that of a column may belong to different products, so that a block does not
                // find each sum of certain elements that is exact.
                let is_exact = slow.low == slow.high;
                assert!(is_exact || fast.high - fast.low <= 1.01 * (slow.high - slow.low) + least, "{what}");
                assert!(slow.low < 0.0 || fast.low >= 0.0, "{what}");
                compared += 1;
            }
        }
        assert!(compared > 4000 && left_out < compared / 4, "{compared} {left_out}");
    }

    /// What one row has no bearing on the others: only the sums of elements that are not finite or open are left out.
    #[test]
    fn only_the_sums_that_need_the_definition_are_left_out() {
        let exact = |x: f64| Number::from(Real::exact(x, DType::Float));
        let wide = |x: f64| Number::from(Real { high: x * 1.5, ..Real::exact(x, DType::Float) });
        let a = [wide(1.0), exact(f64::INFINITY), wide(2.0), exact(3.0)];
        let b = [exact(0.0), exact(1e38), exact(1.0), exact(2e38)];
        let side = |x: &[Number]| Side::of_numbers(x.iter().copied(), DType::Float);
        let block = Block::new(DType::Float, &side(&a), &side(&b), [2, 2, 2]);
        let found = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(i, j)| block.accumulator(i, j, 2).is_some());
        // Three times 2e38 overflows.
        assert_eq!(found, [false, false, true, false]);
    }
}

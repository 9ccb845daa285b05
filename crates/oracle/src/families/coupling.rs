//! Probabilities of several classes, from the probabilities of one class against another: the method of LIBSVM (Wu, Lin
//! and Weng, Probability Estimates for Multi-class Classification by Pairwise Coupling, section 4).

use crate::prelude::*;
use crate::steps;

/// The largest error for each class that rounding adds to the sum of the probabilities. Each of at most 100 rounds
/// divides all probabilities by their sum once for each class.
pub const DRIFT: f64 = 100.0 * f32::EPSILON as f64;

/// Pairwise probabilities are kept away from 0 and 1 by this much.
const LEAST: f64 = 1e-7;

/// The probabilities of one class against another, for each pair of classes.
pub struct Coupling {
    classes: usize,
    /// The probability of the first class, of the pairs (0, 1), (0, 2), ..., (1, 2), ...
    pairs: Vec<Real>,
}

impl Coupling {
    /// Takes the probability of the first class of each pair.
    ///
    /// # Errors
    /// Returns a refusal if there are so many classes that the oracle would take too many steps.
    pub fn new(classes: usize, pairs: &[Real]) -> Result<Coupling, Refusal> {
        shape::affordable(&[classes + 1, classes + 1])?;
        Ok(Coupling { classes, pairs: pairs.to_vec() })
    }

    /// Returns the probability of each class: the numbers p that add up to 1 and minimize the sum of
    /// (r_ji p_i - r_ij p_j)^2 over all pairs, where r_ij is the probability of i against j.
    ///
    /// LIBSVM finds them by iteration. It stops when no element of Q p differs from p' Q p by more than 0.005 divided
    /// by the number of classes, where p' Q p is that sum. The intervals hold all numbers at which it may stop.
    pub fn probabilities(&self) -> Vec<Number> {
        let mids: Vec<f64> = self.pairs.iter().map(|r| r.mid).collect();
        let (exact, response) = self.minimum(&mids);
        if self.pairs.iter().any(|r| r.nan && !r.mid.is_nan()) {
            return exact.iter().map(|&p| Number::constant(p, DType::Float).or_whole_range()).collect();
        }
        let classes = self.classes as f64;
        let stop = 0.005 / classes + classes * classes * f64::from(f32::EPSILON);
        let mut error: Vec<f64> =
            response.iter().map(|row| stop * row.iter().map(|x| x.abs()).sum::<f64>() + DRIFT * classes).collect();
        // What the errors of the pairwise probabilities add.
        for (at, pair) in self.pairs.iter().enumerate() {
            let moved = |end: f64| {
                let mut pairs = mids.clone();
                pairs[at] = end;
                self.minimum(&pairs).0
            };
            let (low, high) = (moved(pair.low), moved(pair.high));
            for (class, error) in error.iter_mut().enumerate() {
                *error += (low[class] - exact[class]).abs().max((high[class] - exact[class]).abs());
            }
        }
        let number = |(&p, &error): (&f64, &f64)| {
            let (low, high) = ((p - error).max(0.0), (p + error).min(1.0));
            Real { low, high, ..Real::constant(p, DType::Float) }.into()
        };
        exact.iter().zip(&error).map(number).collect()
    }

    /// Returns the minimum p for these pairwise probabilities, and by how much an error in each element of Q p moves
    /// each element of p.
    fn minimum(&self, pairs: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let count = self.classes;
        let mut against = vec![vec![0.0; count]; count];
        for ((first, second), r) in of_classes(count).zip(pairs) {
            let r = r.clamp(LEAST, 1.0 - LEAST);
            (against[first][second], against[second][first]) = (r, 1.0 - r);
        }
        // The conditions of the minimum are linear: Q p + multiplier = 0 in each element, and p adds up to 1.
        let mut system = vec![vec![0.0; count + 1]; count + 1];
        for i in 0..count {
            (system[i][count], system[count][i]) = (1.0, 1.0);
            for j in (0..count).filter(|&j| j != i) {
                system[i][i] += against[j][i] * against[j][i];
                system[i][j] = -against[j][i] * against[i][j];
            }
        }
        let inverse = inverted(system);
        let minimum = inverse[..count].iter().map(|row| row[count]).collect();
        let response = inverse[..count].iter().map(|row| row[..count].to_vec()).collect();
        (minimum, response)
    }
}

/// Iterates over the pairs (0, 1), (0, 2), ..., (1, 2), ... of classes.
fn of_classes(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |first| (first + 1..count).map(move |second| (first, second)))
}

/// Returns the inverse of a regular matrix (by Gauss and Jordan, with pivots).
fn inverted(mut a: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = a.len();
    let mut inverse: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for column in 0..n {
        steps::take(n * n);
        let size = |&row: &usize| a[row][column].abs();
        let pivot = (column..n).max_by(|x, y| size(x).total_cmp(&size(y))).unwrap_or(column);
        a.swap(column, pivot);
        inverse.swap(column, pivot);
        let divisor = a[column][column];
        for j in 0..n {
            a[column][j] /= divisor;
            inverse[column][j] /= divisor;
        }
        for row in (0..n).filter(|&row| row != column) {
            let factor = a[row][column];
            for j in 0..n {
                a[row][j] -= factor * a[column][j];
                inverse[row][j] -= factor * inverse[column][j];
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probabilities(classes: usize, pairs: &[f64]) -> Vec<Real> {
        let pairs: Vec<Real> = pairs.iter().map(|&r| Real::constant(r, DType::Double)).collect();
        let coupling = Coupling::new(classes, &pairs).expect("there are few classes");
        coupling.probabilities().iter().map(Number::real).collect()
    }

    /// The iteration of LIBSVM in float, with its condition to stop.
    fn iterated(classes: usize, pairs: &[f64]) -> Vec<f32> {
        let mut r = vec![vec![0f32; classes]; classes];
        for ((i, j), &pair) in of_classes(classes).zip(pairs) {
            r[i][j] = (pair as f32).clamp(1e-7, 1.0 - 1e-7);
            r[j][i] = 1.0 - r[i][j];
        }
        let q = |i: usize, j: usize| match i == j {
            true => (0..classes).filter(|&k| k != i).map(|k| r[k][i] * r[k][i]).sum::<f32>(),
            false => -r[j][i] * r[i][j],
        };
        let mut p = vec![1.0 / classes as f32; classes];
        for _ in 0..100 {
            let mut qp: Vec<f32> = (0..classes).map(|i| (0..classes).map(|j| q(i, j) * p[j]).sum()).collect();
            let mut pqp: f32 = p.iter().zip(&qp).map(|(p, qp)| p * qp).sum();
            if qp.iter().all(|qp| (qp - pqp).abs() < 0.005 / classes as f32) {
                break;
            }
            for t in 0..classes {
                let diff = (pqp - qp[t]) / q(t, t);
                p[t] += diff;
                pqp = (pqp + diff * (diff * q(t, t) + 2.0 * qp[t])) / (1.0 + diff) / (1.0 + diff);
                for j in 0..classes {
                    qp[j] = (qp[j] + diff * q(t, j)) / (1.0 + diff);
                    p[j] /= 1.0 + diff;
                }
            }
        }
        p
    }

    #[test]
    fn two_classes_have_the_probability_of_the_pair() {
        for r in [0.5, 0.501, 0.9, 1e-4] {
            let [first, second] = probabilities(2, &[r])[..] else { panic!("there are two classes") };
            assert!((first.mid - r).abs() < 1e-9 && (second.mid - (1.0 - r)).abs() < 1e-9, "{r}: {first:?}");
            assert!(first.high - first.low < 0.0102, "{first:?}");
        }
    }

    #[test]
    fn consistent_pairs_have_one_answer() {
        // These are 0.5, 0.3 and 0.2 against each other.
        let found = probabilities(3, &[0.5 / 0.8, 0.5 / 0.7, 0.3 / 0.5]);
        for (p, want) in found.iter().zip([0.5, 0.3, 0.2]) {
            assert!((p.mid - want).abs() < 1e-9, "{found:?}");
            assert!(!p.accepts(want + 0.05), "{found:?}");
        }
    }

    #[test]
    fn the_iteration_of_libsvm_is_accepted() {
        let mut state = 1u64;
        let mut unit = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        for classes in [2, 3, 4, 3, 2, 5] {
            for _ in 0..200 {
                let pairs: Vec<f64> = (0..classes * (classes - 1) / 2).map(|_| 0.02 + 0.96 * unit()).collect();
                let found = iterated(classes, &pairs);
                let accepted = probabilities(classes, &pairs);
                let all = accepted.iter().zip(&found).all(|(p, &x)| p.accepts(f64::from(x)));
                assert!(all, "{pairs:?}: {found:?}, but {accepted:?}");
            }
        }
    }
}

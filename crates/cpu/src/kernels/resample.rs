//! Resampling along one axis, with weighted sums of elements.

use super::super::element::Wide;
use super::lanes::pieces;

/// A function that gives the weight of an element by its distance from a position.
#[derive(Clone, Copy, Debug)]
pub enum Curve {
    /// A triangle, which makes a linear interpolation.
    Linear,
    /// The cubic convolution (Keys 1981) with this coefficient.
    Cubic(f64),
}

impl Curve {
    /// Returns the weight at a distance.
    pub fn weight(self, distance: f64) -> f64 {
        let x = distance.abs();
        match self {
            Curve::Linear => (1.0 - x).max(0.0),
            Curve::Cubic(a) if x <= 1.0 => ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0,
            Curve::Cubic(a) if x < 2.0 => a * (((x - 5.0) * x + 8.0) * x - 4.0),
            Curve::Cubic(_) => 0.0,
        }
    }

    fn reach(self) -> f64 {
        match self {
            Curve::Linear => 1.0,
            Curve::Cubic(_) => 2.0,
        }
    }
}

/// How the elements around a position are averaged.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    /// The weights by distance.
    pub curve: Curve,
    /// The factor by which distances are multiplied, at most 1. A factor below 1 stretches the curve, so that every
    /// element contributes when an axis shrinks.
    pub narrowing: f64,
    /// Whether places before the first and behind the last element have no weight. Otherwise the first and the last
    /// element are repeated there.
    pub exclude_outside: bool,
}

/// Indices of elements, with their weights.
pub type Taps = Vec<(usize, f64)>;

impl Filter {
    /// Returns the elements that contribute to a position, on an axis of this extent. The element with index `i` has
    /// position `i`.
    pub fn taps(&self, position: f64, extent: usize) -> Taps {
        let reach = self.curve.reach() / self.narrowing;
        let (first, last) = ((position - reach).ceil() as i64, (position + reach).floor() as i64);
        let mut taps = Taps::new();
        for place in first..=last {
            let inside = (0..extent as i64).contains(&place);
            let weight = self.curve.weight((position - place as f64) * self.narrowing);
            if weight != 0.0 && (inside || !self.exclude_outside) {
                taps.push((place.clamp(0, extent.saturating_sub(1) as i64) as usize, weight));
            }
        }
        if self.exclude_outside || self.narrowing < 1.0 {
            let sum: f64 = taps.iter().map(|tap| tap.1).sum();
            taps.iter_mut().for_each(|tap| tap.1 /= sum);
        }
        taps
    }
}

/// Resamples `data`, which is row-major with `extent` elements along the axis, and `inner` elements along all axes
/// behind it. The result has one element along the axis for each of `taps`.
pub fn resample<T: Wide>(data: &[T], (extent, inner): (usize, usize), taps: &[Taps]) -> Vec<T> {
    let outer = data.len().checked_div(extent * inner).unwrap_or(0);
    let mut out = vec![T::zero(); outer * taps.len() * inner];
    pieces(&mut out, taps.len() * inner, |at, out| {
        let data = &data[at * extent * inner..(at + 1) * extent * inner];
        for (out, taps) in out.chunks_mut(inner).zip(taps) {
            for &(place, weight) in taps {
                let weight = T::from_double(weight);
                let row = &data[place * inner..(place + 1) * inner];
                out.iter_mut().zip(row).for_each(|(out, &x)| *out = out.add(weight.mul(x)));
            }
        }
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_of_a_position_sum_to_one() {
        for curve in [Curve::Linear, Curve::Cubic(-0.75), Curve::Cubic(-0.5)] {
            for narrowing in [1.0, 0.4] {
                for exclude_outside in [false, true] {
                    let filter = Filter { curve, narrowing, exclude_outside };
                    for position in [-0.5, 0.0, 0.3, 2.5, 4.4] {
                        let sum: f64 = filter.taps(position, 5).iter().map(|tap| tap.1).sum();
                        assert!((sum - 1.0).abs() < 1e-12, "{filter:?} at {position}: {sum}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_linear_filter_averages_two_neighbours_halfway() {
        let filter = Filter { curve: Curve::Linear, narrowing: 1.0, exclude_outside: false };
        let taps: Vec<Taps> = [0.0, 0.5, 1.0].iter().map(|&x| filter.taps(x, 2)).collect();
        assert_eq!(resample(&[1.0f32, 2.0, 5.0, 8.0], (2, 2), &taps), [1.0, 2.0, 3.0, 5.0, 5.0, 8.0]);
    }
}

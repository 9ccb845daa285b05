//! Samples a tensor at positions between its elements, on any number of axes.

use super::resample::Curve;

/// The values at places outside of the tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// All values outside are zero.
    Zeros,
    /// The nearest element is repeated.
    Border,
    /// The elements are mirrored.
    Reflection,
}

/// How the elements around a position are averaged.
#[derive(Clone, Copy, Debug)]
pub enum Mode {
    /// The nearest element counts alone, with ties to even.
    Nearest,
    /// The elements with a nonzero weight are averaged. The curve gives the weight by the distance.
    Average(Curve),
}

/// One axis that is sampled.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// Number of elements.
    pub extent: usize,
    /// Distance between neighbours in memory, in elements.
    pub stride: usize,
    /// Whether the axis is mirrored at the centres of the first and last element. Otherwise it is mirrored at their
    /// outer edges.
    pub aligned: bool,
}

impl Axis {
    /// Returns the index of the element that is read at a whole position, or `None` if zero is read instead.
    fn element(&self, place: f64, outside: Outside) -> Option<usize> {
        let last = self.extent.checked_sub(1)? as f64;
        let inside = (0.0..=last).contains(&place);
        match outside {
            _ if inside => Some(place as usize),
            Outside::Zeros => None,
            Outside::Border => Some(place.clamp(0.0, last) as usize),
            Outside::Reflection => {
                let (low, high) = if self.aligned { (0.0, last) } else { (-0.5, last + 0.5) };
                let length = high - low;
                if length == 0.0 {
                    return Some(0);
                }
                let along = (place - low).rem_euclid(2.0 * length);
                let mirrored = low + if along > length { 2.0 * length - along } else { along };
                Some(mirrored.clamp(0.0, last) as usize)
            }
        }
    }
}

/// Returns the places in memory of the elements that contribute to a position, with their weights.
pub fn taps(position: &[f64], axes: &[Axis], mode: Mode, outside: Outside) -> Vec<(usize, f64)> {
    let mut taps = vec![(0, 1.0)];
    for (&position, axis) in position.iter().zip(axes) {
        let around: Vec<(f64, f64)> = match mode {
            Mode::Nearest => vec![(position.round_ties_even(), 1.0)],
            Mode::Average(curve) => {
                let first = position.floor();
                let reach = if matches!(curve, Curve::Linear) { 0..=1 } else { -1..=2 };
                let weighed = |n| (first + f64::from(n), curve.weight(position - first - f64::from(n)));
                reach.map(weighed).filter(|&(_, weight)| weight != 0.0).collect()
            }
        };
        let along: Vec<(usize, f64)> = around
            .into_iter()
            .filter_map(|(place, weight)| Some((axis.element(place, outside)? * axis.stride, weight)))
            .collect();
        let crossed = taps.iter().flat_map(|&(at, a)| along.iter().map(move |&(place, b)| (at + place, a * b)));
        taps = crossed.collect();
    }
    taps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reflection_mirrors_at_the_centres_or_edges_of_the_outermost_elements() {
        let axis = |aligned| Axis { extent: 3, stride: 1, aligned };
        let seen = |aligned| (-4..8).filter_map(move |x| axis(aligned).element(f64::from(x), Outside::Reflection));
        assert_eq!(seen(true).collect::<Vec<_>>(), [0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1]);
        assert_eq!(seen(false).collect::<Vec<_>>(), [2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1]);
    }

    #[test]
    fn linear_taps_weigh_the_four_neighbours() {
        let axes = [Axis { extent: 2, stride: 2, aligned: true }, Axis { extent: 2, stride: 1, aligned: true }];
        let linear = Mode::Average(Curve::Linear);
        assert_eq!(taps(&[0.5, 0.25], &axes, linear, Outside::Zeros), [(0, 0.375), (1, 0.125), (2, 0.375), (3, 0.125)]);
        assert_eq!(taps(&[-0.5, 0.0], &axes, linear, Outside::Zeros), [(0, 0.5)]);
    }
}

//! The errors of wrong elements, and whether they are small beside the largest element of the same output.

use plumbline_oracle::{Bounds, Expected};
use plumbline_tensor::Tensor;

use crate::reason::ElementError;

/// The element with the largest magnitude in an output.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Largest {
    magnitude: f64,
    /// Half the width of its interval; 0 if only one number of the type is accepted.
    accepted: f64,
}

impl Largest {
    /// Finds the element. Elements that a rule leaves open, and those whose interval is not finite, do not count.
    pub fn new(expected: &Expected) -> Largest {
        let mut largest = Largest::default();
        for index in (0..expected.len()).filter(|_| expected.dtype().is_float()) {
            let (low, mid, high) = match &expected.bounds {
                Some(Bounds::Real(reals)) => (reals[index].low, reals[index].mid, reals[index].high),
                _ => [expected.tensor.f64_at(index)].map(|x| (x, x, x))[0],
            };
            let is_open = expected.latitude.binary_search_by_key(&index, |(at, _)| *at).is_ok();
            if is_open || ![low, mid, high].iter().all(|x| x.is_finite()) || mid.abs() <= largest.magnitude {
                continue;
            }
            // An interval narrower than one ULP has room for one number only: the correctly rounded result.
            let is_point = expected.width_ulp(index) < 1.0;
            largest = Largest { magnitude: mid.abs(), accepted: if is_point { 0.0 } else { (high - low) / 2.0 } };
        }
        largest
    }
}

/// The errors of the wrong elements of an answer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Errors {
    worst: Option<ElementError>,
    /// Whether something is wrong that is no error of a finite number.
    is_other: bool,
    /// Whether an error is larger than what is accepted for the largest element.
    is_beyond: bool,
}

impl Errors {
    /// Notes a wrong element.
    pub fn element(&mut self, expected: &Expected, tensor: &Tensor, index: usize, largest: Largest) {
        let Some(absolute) = finite_error(expected, tensor, index) else { return self.other() };
        let relative = absolute / largest.magnitude;
        self.is_beyond |= absolute > largest.accepted;
        // An output whose other elements are zero or left open has no largest element to compare with.
        let rank = |relative: f64| if relative.is_finite() { relative } else { 0.0 };
        if self.worst.is_none_or(|worst| rank(relative) > rank(worst.relative)) {
            self.worst = Some(ElementError { absolute, relative, ulp: expected.distance_ulp(tensor, index) });
        }
    }

    /// Notes something wrong that is not an element of a tensor.
    pub fn other(&mut self) {
        self.is_other = true;
    }

    /// Returns the error that is largest relative to its output, if all errors are those of finite numbers.
    pub fn of_finite_numbers(&self) -> Option<ElementError> {
        self.worst.filter(|_| !self.is_other)
    }

    /// Returns the same if no error is larger than what is accepted for the largest element of its output.
    pub fn within_largest(&self) -> Option<ElementError> {
        self.of_finite_numbers().filter(|_| !self.is_beyond)
    }
}

/// Returns the distance of a wrong element from the preferred answer. Returns `None` if one of them is not finite, if
/// only the sign of a zero is wrong, and for integers, whatever their type is.
fn finite_error(expected: &Expected, tensor: &Tensor, index: usize) -> Option<f64> {
    expected.dtype().float_format()?;
    let mid = match &expected.bounds {
        Some(Bounds::Real(reals)) if reals[index].integral => return None,
        Some(Bounds::Real(reals)) => reals[index].mid,
        _ => expected.tensor.f64_at(index),
    };
    let error = (tensor.f64_at(index) - mid).abs();
    (error.is_finite() && error > 0.0).then_some(error)
}

#[cfg(test)]
mod tests {
    use plumbline_tensor::DType;

    use super::*;

    #[test]
    fn an_output_without_a_largest_element_does_not_hide_the_worst_error() {
        let tensor = |x: f64| Tensor::from_f64s(DType::Float, vec![1], &[x]).unwrap();
        let mut errors = Errors::default();
        for (right, answer) in [(0.0, 1e-6), (10.0, 10.5), (0.0, 1e-3)] {
            let expected = Expected::from(tensor(right));
            errors.element(&expected, &tensor(answer), 0, Largest::new(&expected));
        }
        assert_eq!(errors.of_finite_numbers().map(|worst| worst.absolute), Some(0.5));
    }
}

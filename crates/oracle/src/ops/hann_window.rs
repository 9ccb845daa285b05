use crate::families::cosine_window::cosines;
use crate::prelude::*;

/// Computes a Hann window of `size` elements.
///
/// The only version is 17. Constraints: `size` (`size-positive`) and the output type (`output-datatype-allowed`). A
/// window of one element: `single-element-window`; integer output: `integer-rounding`; periodic windows: `periodic`.
pub fn hann_window(call: &Call) -> Answer {
    cosines(call, [0.5, 0.5, 0.0])
}

use crate::families::cosine_window::cosines;
use crate::prelude::*;

/// Computes a Hamming window of `size` elements. Its coefficients 25/46 and 21/46 cancel the first sidelobe; the
/// function body has them as float.
///
/// The only version is 17. Constraints: `size` (`size-positive`) and the output type (`output-datatype-allowed`). A
/// window of one element: `single-element-window`; integer output: `integer-rounding`; periodic windows: `periodic`.
pub fn hamming_window(call: &Call) -> Answer {
    cosines(call, [25.0 / 46.0, 21.0 / 46.0, 0.0])
}

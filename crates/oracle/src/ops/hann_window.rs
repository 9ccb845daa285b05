use crate::families::window::cosines;
use crate::prelude::*;

/// HannWindow-17. Size: `size-positive`; type: `output-datatype-allowed`; one element: `single-element-window`; integers: `integer-rounding`;
/// periodic windows: `periodic`.
pub fn hann_window(call: &Call) -> Answer {
    cosines(call, [0.5, 0.5, 0.0])
}

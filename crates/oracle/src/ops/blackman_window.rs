use crate::families::window::cosines;
use crate::prelude::*;

/// BlackmanWindow-17. Size: `size-positive`; type: `output-datatype-allowed`; one element: `single-element-window`; integers: `integer-rounding`;
/// periodic windows: `periodic`.
pub fn blackman_window(call: &Call) -> Answer {
    cosines(call, [0.42, 0.5, 0.08])
}

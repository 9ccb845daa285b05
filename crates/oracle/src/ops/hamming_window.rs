use crate::families::window::cosines;
use crate::prelude::*;

/// HammingWindow-17. Size: `size-positive`; type: `output-datatype-allowed`; one element: `single-element-window`; integers: `integer-rounding`;
/// periodic windows: `periodic`. 25/46 and 21/46 cancel the first sidelobe; the function body has them as float.
pub fn hamming_window(call: &Call) -> Answer {
    cosines(call, [25.0 / 46.0, 21.0 / 46.0, 0.0])
}

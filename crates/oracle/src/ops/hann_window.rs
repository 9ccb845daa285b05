use crate::families::window::cosines;
use crate::prelude::*;

/// HannWindow-17. Size: C1; type: C2; one element: B1; integers: B2; periodic windows: B3.
pub fn hann_window(call: &Call) -> Answer {
    cosines(call, [0.5, 0.5, 0.0])
}

use crate::families::window::cosines;
use crate::prelude::*;

/// BlackmanWindow-17. Size: C1; type: C2; one element: B1; integers: B2; periodic windows: B3.
pub fn blackman_window(call: &Call) -> Answer {
    cosines(call, [0.42, 0.5, 0.08])
}

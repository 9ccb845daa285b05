use crate::reference::prelude::*;
use crate::reference::sum::sum_in_type;

/// Sum-1, -6: equal shapes (C1). Sum-8, -13: broadcasting (C2). The order of the additions is open (B1); infinities
/// and NaN add as IEEE 754 has it (B2).
pub fn sum(call: &Call) -> Answer {
    let shape =
        if call.since() < 8 { call.equal_shapes("data_0", C1)? } else { call.broadcast_shapes("data_0", C2)? };
    call.across("data_0", shape, sum_in_type)
}

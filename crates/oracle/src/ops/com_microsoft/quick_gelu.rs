use crate::ops::swish::swished;
use crate::prelude::*;

/// Computes `x * sigmoid(alpha * x)` for each element, which ONNX calls Swish. Infinities: `infinity-times-zero`; NaN:
/// `nan`.
///
/// The only version is 1.
pub fn quick_gelu(call: &Call) -> Answer {
    let alpha = call.float("alpha")?;
    call.map("X", |x| swished(x, alpha))
}

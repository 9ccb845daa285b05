use crate::reference::ops::swish::swished;
use crate::reference::prelude::*;

/// SwiGLU-28: Swish of `A`, times `B`. Shapes: C1; infinities: B1; NaN: B2.
pub fn swiglu(call: &Call) -> Answer {
    let (a, b) = (call.tensor("A")?, call.tensor("B")?);
    if a.shape() != b.shape() {
        return Err(Refusal::violates(C1, format!("shapes {:?} and {:?} differ", a.shape(), b.shape())));
    }
    let alpha = call.float("alpha")?;
    call.answer(a.shape().to_vec(), a.numbers().zip(b.numbers()).map(|(a, b)| swished(a, alpha) * b))
}

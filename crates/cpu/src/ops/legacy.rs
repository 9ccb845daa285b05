//! How the shapes of several inputs combine: by broadcasting, or by the rules of earlier versions.

use crate::array::{Array, affordable};
use crate::node::Node;
use plumbline_graph::Refusal;

/// Returns the shape to which these shapes broadcast.
pub fn broadcast(shapes: &[&[usize]]) -> Result<Vec<usize>, Refusal> {
    let rank = shapes.iter().map(|s| s.len()).max().unwrap_or(0);
    let mut whole = vec![1; rank];
    for shape in shapes {
        for (out, &extent) in whole[rank - shape.len()..].iter_mut().zip(*shape) {
            match (*out, extent) {
                (_, 1) => {}
                (1, _) => *out = extent,
                (a, b) if a == b => {}
                _ => return Err(Refusal::invalid(format!("shapes {shapes:?} do not broadcast"))),
            }
        }
    }
    affordable(&whole)?;
    Ok(whole)
}

/// Returns two inputs and the shape of their output. From version 7 on the inputs broadcast to each other. Before
/// version 7 `B` broadcasts to `A`, and only if `broadcast` is 1. The axes of `B` are aligned with the axes of `A` from
/// `axis` on, or with the last axes of `A` if `axis` is left out.
pub fn operands(node: &Node) -> Result<(Array, Array, Vec<usize>), Refusal> {
    let (a, b) = (node.input(0)?.clone(), node.input(1)?.clone());
    if node.since() >= 7 {
        let shape = broadcast(&[a.shape(), b.shape()])?;
        return Ok((a, b, shape));
    }
    let shape = a.shape().to_vec();
    if a.shape() == b.shape() && (node.int("broadcast") != 1 || node.optional_int("axis").is_none()) {
        return Ok((a, b, shape));
    }
    if node.int("broadcast") != 1 {
        let (a, b) = (a.shape(), b.shape());
        return Err(Refusal::invalid(format!("shapes {a:?} and {b:?} differ, and `broadcast` is not 1")));
    }
    let wrong = || {
        let (a, b) = (a.shape(), b.shape());
        Refusal::invalid(format!("shape {b:?} does not broadcast to {a:?}, aligned by `axis` or at the last axes"))
    };
    if b.rank() > a.rank() {
        return Err(wrong());
    }
    let last = a.rank() - b.rank();
    let axis = match node.optional_int("axis") {
        Some(axis) => usize::try_from(axis).ok().filter(|&axis| axis <= last).ok_or_else(wrong)?,
        None => last,
    };
    let mut lined_up = b.shape().to_vec();
    lined_up.resize(a.rank() - axis, 1);
    let stands = lined_up.iter().zip(&shape[axis..]).all(|(&b, &a)| b == a || b == 1);
    if stands { Ok((a, b.reshaped(&lined_up)?, shape)) } else { Err(wrong()) }
}

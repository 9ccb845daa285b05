//! How the tensors and attributes of each operator are drawn.

mod element_wise;

use super::drawing::Drawing;

/// Draws the tensors and attributes of an operator. Returns `None` if it declines the case.
type Family = fn(&mut Drawing) -> Option<()>;

/// Returns the family of an operator.
pub(super) fn find(_operator: &str) -> Family {
    element_wise::draw
}

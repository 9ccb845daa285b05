//! What operators of one input do before their function: a factor, and something added.

use super::super::call::Call;
use crate::attribute::Attribute;
use plumbline_graph::Refusal;

/// What elements are multiplied by and added to before the function, if anything.
pub fn scaled(call: &Call) -> Option<(f64, f64)> {
    match call.description.attribute("ScaleBias") {
        Some(Attribute::ScaleBias(found)) => Some((found.scale.into(), found.bias.into())),
        _ => None,
    }
}

/// Integers with a scale: the documentation does not say in what they are computed.
pub fn unscaled(call: &Call) -> Result<(), Refusal> {
    match scaled(call) {
        Some(_) => Err(Refusal::unsupported("ScaleBias for elements that are no floats")),
        None => Ok(()),
    }
}

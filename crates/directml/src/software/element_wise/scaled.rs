//! The scale and bias that operators with one input apply before their function.

use super::super::call::Call;
use crate::description::{Attribute, OperatorDescription};
use plumbline_graph::Refusal;

/// Returns the scale and bias that are applied before the function, if they are set.
pub fn scaled(description: &OperatorDescription) -> Option<(f64, f64)> {
    match description.attribute("ScaleBias") {
        Some(Attribute::ScaleBias(found)) => Some((found.scale.into(), found.bias.into())),
        _ => None,
    }
}

/// Refuses a scale and bias for integers: the documentation does not say in which type to apply them.
pub fn unscaled(call: &Call) -> Result<(), Refusal> {
    match scaled(call.description) {
        Some(_) => Err(Refusal::unsupported("no kernel implements ScaleBias for integers")),
        None => Ok(()),
    }
}

//! The suite `directml`: DirectML's own operators, with what no ONNX operator leads to: strided and broadcast layouts,
//! slack at the end of a buffer, `ScaleBias`, fused activations, outputs in place, and the types of each feature level.
//!
//! A case is an ONNX model with one node of the domain [`DOMAIN`], so runs, results, replay and minimization are those of
//! any case. The node has the description of the operator as JSON in its attribute `desc`, as Microsoft's tool DxDispatch
//! reads it, the feature level in `feature_level`, and, if the output shares the memory of an input, the index of that
//! input in `in_place`. Its inputs are the buffers, one element after the other with gaps and slack, and its outputs the
//! tensors without them. What the operator computes travels with the case as a function of the model: each buffer is
//! gathered into its tensor, and the statements of `specs/directml/meanings.toml` follow. So the oracle needs nothing of
//! DirectML to know the answer, and every backend that runs functions can run the case.

mod attributes;
mod cell;
mod description;
mod families;
mod function;
mod layout;
mod model;
mod sketch;
mod violate;
mod wanted;

use plumbline_spec::OperatorId;
use plumbline_spec::directml::Operator;

pub use crate::case::DirectMlPlace;
pub use crate::directml_cell::{DirectMlCell, Violated};
pub use wanted::{Wanted, wanted};

/// The name of the suite. The ids of its cases begin with it:
/// `directml/DML_OPERATOR_ELEMENT_WISE_MIN/FLOAT16@2_1/17@0`.
pub const SUITE: &str = "directml";

/// The domain of DirectML's operators in models.
pub const DOMAIN: &str = "com.microsoft.directml";

/// The version of [`DOMAIN`] in models.
const VERSION: u32 = 1;

/// Returns the name of an operator as that of an operator version of [`DOMAIN`].
pub fn id_of(operator: &Operator) -> OperatorId {
    OperatorId::new(DOMAIN, &operator.name, VERSION)
}

/// Returns whether this is the id of a case of the suite.
pub fn is_id(id: &str) -> bool {
    id.split_once('/').is_some_and(|(suite, _)| suite == SUITE)
}

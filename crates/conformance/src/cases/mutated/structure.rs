//! Changes of the outputs of the node, and of the opset.

use plumbline_generator::Choices;
use plumbline_spec::Spec;

use super::attributes::pick;
use crate::cases::edit::Edit;
use crate::cases::scene::Scene;

/// Leaves out an output of the node.
pub(super) fn output_left_out(scene: &Scene, choices: &mut Choices) -> Option<Vec<Edit>> {
    let outputs = &scene.model.graph().output;
    (outputs.len() > 1).then_some(())?;
    Some(vec![Edit::NoOutput(pick(outputs, choices)?.name.clone()?)])
}

/// Adds an output after the last one.
pub(super) fn output_added(_: &Scene, _: &mut Choices) -> Option<Vec<Edit>> {
    Some(vec![Edit::OneMoreOutput])
}

/// Runs the model with the opset of another version of the operator. Everything else stays as it is.
pub(super) fn moved_to_another_opset(scene: &Scene, choices: &mut Choices) -> Option<Vec<Edit>> {
    let id = &scene.version.id;
    let operator = Spec::embedded().operator(&id.domain, &id.name)?;
    let at = operator.versions.iter().position(|version| version.since() == id.since)?;
    let neighbours: Vec<usize> = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().collect();
    let since = operator.versions.get(*pick(&neighbours, choices)?)?.since();
    Some(vec![Edit::Opset { since }])
}

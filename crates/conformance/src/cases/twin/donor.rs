//! Valid cases of the same cell: how they differ from an invalid case, and how much.

use plumbline_generator::Case;
use plumbline_tensor::onnx::NodeProto;

use crate::cases::edit::Edit;
use crate::cases::scene::Scene;

/// An attribute or input in which two cases of a cell may differ.
pub(super) enum Piece {
    Attribute(String),
    Input(usize),
}

/// Returns the attributes and inputs in which two cases differ.
pub(super) fn pieces(case: &Scene, donor: &Scene) -> Vec<Piece> {
    let Some((ours, theirs)) = case.node().zip(donor.node()) else { return vec![] };
    let mut names: Vec<&str> =
        ours.attribute.iter().chain(&theirs.attribute).filter_map(|a| a.name.as_deref()).collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| case.given(name) != donor.given(name));
    let places = (0..ours.input.len().max(theirs.input.len())).filter(|&at| case.input(at) != donor.input(at));
    places.map(Piece::Input).chain(names.into_iter().map(|name| Piece::Attribute(name.to_owned()))).collect()
}

impl Piece {
    /// Replaces this attribute or input of the donor by that of the invalid case.
    pub(super) fn take(&self, case: &Scene, donor: &mut Scene) -> Option<()> {
        match self {
            Piece::Attribute(name) => match case.given(name) {
                Some(attribute) => donor.put_attribute(attribute.clone()),
                None => donor.remove_attribute(name),
            },
            Piece::Input(place) => match (case.input(*place), donor.input(*place)) {
                (Some(value), Some(_)) => donor.set_input(*place, value),
                (None, Some(_)) => Edit::NoInput(*place).apply(donor),
                (Some(value), None) => {
                    let name = case.node()?.input.get(*place)?.clone();
                    let constant = !case.model.input_names().contains(&name.as_str());
                    Edit::Given { place: *place, name, value, constant, from: String::new() }.apply(donor)
                }
                (None, None) => None,
            },
        }
    }

    pub(super) fn name(&self, case: &Scene, donor: &Scene) -> String {
        match self {
            Piece::Attribute(name) => name.clone(),
            Piece::Input(place) => {
                let name = |scene: &Scene| scene.node().and_then(|n| n.input.get(*place)).cloned();
                name(donor).or_else(|| name(case)).filter(|n| !n.is_empty()).unwrap_or_else(|| format!("input {place}"))
            }
        }
    }
}

/// Returns how little two cases have in common. The result grows by 4 for each attribute or input that one of the cases
/// lacks, and by the difference of the ranks of each pair of inputs.
pub(super) fn unlikeness(case: &Case, donor: &Case) -> usize {
    let node = |case: &Case| case.model.graph().node.last().cloned().unwrap_or_default();
    let (ours, theirs) = (node(case), node(donor));
    let named = |node: &NodeProto, name: &Option<String>| node.attribute.iter().any(|a| a.name == *name);
    let attributes = ours.attribute.iter().filter(|a| !named(&theirs, &a.name)).count()
        + theirs.attribute.iter().filter(|a| !named(&ours, &a.name)).count();
    let inputs = (0..ours.input.len().max(theirs.input.len()))
        .filter(|&at| {
            ours.input.get(at).is_some_and(|n| !n.is_empty()) != theirs.input.get(at).is_some_and(|n| !n.is_empty())
        })
        .count();
    let ranks: usize = (case.inputs.iter().zip(&donor.inputs))
        .map(|(a, b)| match (a.as_tensor(), b.as_tensor()) {
            (Some(a), Some(b)) => a.rank().abs_diff(b.rank()),
            _ => 0,
        })
        .sum();
    4 * (attributes + inputs) + ranks
}

//! Draws a pattern: fills its holes, and gives it tensors.

use std::collections::BTreeSet;

use plumbline_generator::{Choices, tensor};
use plumbline_tensor::Model;
use plumbline_tensor::onnx::{GraphProto, TypeProtoValue};
use plumbline_tensor::{Tensor, Value, ValueKind, tensor_from_proto};

use super::fragment::{Fragment, Given};
use super::pattern::{Pattern, PatternError, Place, filled, values};
use crate::cases::reads;
use crate::cases::union::with_prefix;

/// The prefix of the names of a pattern.
pub(super) const PREFIX: &str = "p_";

/// Returns what draw `index` of a pattern breaks, if anything: the first draws take turns, and later ones choose.
pub(super) fn broken<'a>(pattern: &'a Pattern, index: u64, choices: &mut Choices) -> Option<&'a str> {
    let guards = pattern.all_guards();
    let turn = if index <= guards.len() as u64 { index } else { choices.below(2 * guards.len() as u64 + 1) };
    guards.get(turn.checked_sub(1)? as usize).copied()
}

/// Fills the holes of a pattern for an opset, with this thing broken.
///
/// # Errors
/// Names the line of the pattern if its text is no model, or if the elements of a tensor cannot be drawn.
pub(super) fn instance(
    pattern: &Pattern,
    opset: u32,
    broken: Option<&str>,
    choices: &mut Choices,
) -> Result<Fragment, PatternError> {
    let mut holes: Vec<(String, String)> = Vec::new();
    for hole in &pattern.holes {
        let options = hole.options.iter().filter(|option| option.is_of(opset));
        let (breaking, others): (Vec<_>, Vec<_>) = options.partition(|option| option.breaks.is_some());
        let breaking: Vec<_> = breaking.into_iter().filter(|option| option.breaks.as_deref() == broken).collect();
        let options = if breaking.is_empty() { others } else { breaking };
        let option = options.get(choices.below(options.len() as u64) as usize);
        let text = option.map_or_else(String::new, |option| filled(&option.text, &holes));
        holes.push((hole.name.clone(), text));
    }
    let Fragment { nodes, given, initializers, mut features } =
        with_holes(pattern, &pattern.nodes, opset, &holes, PREFIX, choices)?;
    features.push(format!("pattern {}", pattern.name));
    features.push(match broken {
        Some(name) => format!("pattern {} broken: {name}", pattern.name),
        None => format!("pattern {} exact", pattern.name),
    });
    Ok(Fragment { nodes, given, initializers, features })
}

/// Gives these nodes of a pattern the texts in place of its holes, and draws its tensors. The names of all values begin
/// with `prefix`.
///
/// # Errors
/// Names the line of the pattern if its text is no model, or if the elements of a tensor cannot be drawn.
pub(super) fn with_holes(
    pattern: &Pattern,
    nodes: &[String],
    opset: u32,
    holes: &[(String, String)],
    prefix: &str,
    choices: &mut Choices,
) -> Result<Fragment, PatternError> {
    let fail = |line: usize, reason: String| PatternError { file: pattern.file.clone(), line, reason };
    let (mut inputs, mut literals, mut drawn) = (vec![], vec![], vec![]);
    for given in &pattern.tensors {
        let (type_, elements) = (filled(&given.type_, holes), filled(&given.elements, holes));
        let name = &given.name;
        match elements.strip_prefix('=') {
            Some(elements) => literals.push(format!("{type_} {name} = {}", elements.trim())),
            None => {
                inputs.push(format!("{type_} {name}"));
                let reason = || format!("`{elements}` does not say which elements to draw");
                drawn.push((given, values(&elements).ok_or_else(|| fail(given.line, reason()))?));
            }
        }
    }
    let nodes: Vec<String> = nodes.iter().map(|node| filled(node, holes)).collect();
    let nodes: Vec<&str> = nodes.iter().flat_map(|node| node.split(';')).map(str::trim).collect();
    let text = format!(
        "<ir_version: 8, opset_import: [\"\" : {opset}]> pattern ({}) => () <{}> {{ {} }}",
        inputs.join(", "),
        literals.join(", "),
        nodes.join("\n")
    );
    let model: Model = text.parse().map_err(|error| fail(pattern.line, format!("{error} in\n{text}")))?;
    // With some options no node reads a tensor; it is left out.
    let read: BTreeSet<&str> = model.graph().node.iter().flat_map(reads).collect();
    let mut graph = model.graph().clone();
    let mut given = Vec::new();
    for (tensor_of, values) in drawn.into_iter().filter(|(given, _)| read.contains(given.name.as_str())) {
        let line = tensor_of.line;
        let value = drawn_value(&graph, &tensor_of.name, values, choices);
        let value = value.ok_or_else(|| fail(line, "the type has no shape of numbers".to_owned()))?;
        let constant = match tensor_of.place {
            Place::RunTime => false,
            Place::Constant => true,
            Place::Either => choices.below(2) == 1,
        };
        given.push(Given { name: format!("{prefix}{}", tensor_of.name), value: value.into(), constant });
    }
    graph.initializer.retain(|proto| proto.name.as_deref().is_some_and(|name| read.contains(name)));
    let at_run_time: BTreeSet<String> = pattern
        .tensors
        .iter()
        .filter(|given| given.place == Place::RunTime)
        .map(|given| format!("{prefix}{}", given.name))
        .collect();
    with_prefix(&mut graph, prefix);
    for proto in std::mem::take(&mut graph.initializer) {
        let value = tensor_from_proto(&proto).map_err(|error| fail(pattern.line, error.to_string()))?;
        let name = proto.name.unwrap_or_default();
        let constant = !at_run_time.contains(&name);
        given.push(Given { name, value: Value::from(value), constant });
    }
    Ok(Fragment { nodes: graph.node, given, initializers: vec![], features: vec![] })
}

/// The number of draws with which each option of a pattern is tried.
#[cfg(test)]
const DRAWS: u64 = 12;

/// Returns what is wrong with a pattern: of its draws with nothing broken, and with each thing broken, the oracle refuses
/// one, or decides too little of each.
#[cfg(test)]
pub(super) fn objections(pattern: &Pattern) -> Vec<String> {
    use super::menu::{Menu, newest};
    use super::sketch::Sketch;
    let mut found = Vec::new();
    let opsets = pattern.opsets(newest());
    let mut broken = std::collections::BTreeMap::<String, bool>::new();
    for opset in opsets.clone() {
        for guard in pattern.guards(opset) {
            broken.entry(guard.to_owned()).or_default();
        }
    }
    for draw in 0..DRAWS {
        for opset in [*opsets.start(), *opsets.end(), (opsets.start() + opsets.end()) / 2] {
            let guards = pattern.guards(opset).into_iter().map(Some);
            for (index, broken_now) in [None].into_iter().chain(guards).enumerate() {
                let mut choices = Choices::random(1000 * draw + index as u64);
                let part = match instance(pattern, opset, broken_now, &mut choices) {
                    Ok(part) => part,
                    Err(error) => return vec![error.to_string()],
                };
                let what = part.features.last().cloned().unwrap_or_default();
                let mut sketch = Sketch::new(Menu::beside(&pattern.imports, opset));
                match sketch.tried(part) {
                    Ok(()) => {
                        if let Some(seen) = what.split("broken: ").nth(1).and_then(|name| broken.get_mut(name)) {
                            *seen = true;
                        }
                    }
                    Err(reason) if !found.iter().any(|text: &String| text.contains(&what)) => {
                        found.push(format!("{}:{}: {what}, opset {opset}: {reason}", pattern.file, pattern.line));
                    }
                    Err(_) => {}
                }
            }
        }
    }
    let unseen = broken.iter().filter(|(_, seen)| !**seen);
    found.extend(unseen.map(|(name, _)| format!("{}:{}: `{name}` is never drawn", pattern.file, pattern.line)));
    found
}

/// Draws a value for an input of the graph.
fn drawn_value(
    graph: &GraphProto,
    name: &str,
    values: plumbline_generator::Values,
    choices: &mut Choices,
) -> Option<Tensor> {
    let info = graph.input.iter().find(|info| info.name.as_deref() == Some(name))?;
    let type_ = info.r#type.as_ref()?;
    let Some(ValueKind::Tensor(dtype)) = ValueKind::from_proto(type_) else { return None };
    let Some(TypeProtoValue::TensorType(declared)) = &type_.value else { return None };
    let shape = declared.shape.as_ref().map_or(Some(vec![]), |shape| shape.dim.iter().map(extent).collect())?;
    Some(tensor(choices, dtype, &shape, values))
}

fn extent(dim: &plumbline_tensor::onnx::TensorShapeProtoDimension) -> Option<usize> {
    match &dim.value {
        Some(plumbline_tensor::onnx::TensorShapeProtoDimensionValue::DimValue(extent)) => usize::try_from(*extent).ok(),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the report")]
mod tests {
    use super::super::pattern::parse;
    use super::*;

    #[test]
    fn tensors_that_no_node_reads_are_left_out() {
        let text = "pattern a\ninput x float[2]\ninput unread float[2]\nweight c bool = {1}\nweight w float[2]\n\
                    weight e float = {1.0}\nnode y = If (c) <then_branch = t () => (a) { a = Add (x, w) }, \
                    else_branch = e () => (b) { b = Neg (x) }>";
        let pattern = parse("p.txt", text).unwrap().remove(0);
        let part = instance(&pattern, 20, None, &mut Choices::random(1)).unwrap();
        let names: Vec<(&str, bool)> = part.given.iter().map(|given| (given.name.as_str(), given.constant)).collect();
        assert_eq!(names, [("p_x", false), ("p_w", true), ("p_c", true)]);
    }
}

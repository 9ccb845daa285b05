//! Further runs of a session: with the same inputs, with other values, and with other extents.
//!
//! A runtime plans a session once and runs it many times. What it keeps from one run to the next (packed weights,
//! buffers, plans for extents that it has seen) must not affect an answer. So some cases of a cell are run again in the
//! session that has just answered. A run with the same inputs must give the same bits, apart from those of NaNs, unless
//! the operator is random or the backend declares itself nondeterministic. Other runs get other values and, if the
//! model declares symbolic extents instead of fixed ones, other extents. If the backend declares that a session may run
//! on several threads, some sessions then run two inputs at the same time.

use plumbline_generator::{Case, Origin, Sequence};
use plumbline_tensor::onnx::{TensorProto, TensorShapeProtoDimensionValue, TypeProtoValue};
use plumbline_tensor::{Value, tensor_from_proto};

/// How the inputs of a further run differ from those of the first run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Other {
    /// They do not differ.
    Nothing,
    /// They have other values.
    Values,
    /// They have other extents, and therefore other values as well.
    Extents,
}

impl Other {
    /// Returns the feature that the coverage counts for this kind of run.
    pub fn feature(self) -> &'static str {
        match self {
            Other::Nothing => "run again",
            Other::Values => "run again with other values",
            Other::Extents => "run again with other extents",
        }
    }
}

/// A further run of the session of a case.
#[derive(Clone, Debug)]
pub struct Further {
    /// How its inputs differ from those of the first run.
    pub other: Other,
    /// The case with the inputs of this run.
    pub case: Case,
}

/// Of every `PERIOD` consecutive cases, case number `SAME` is run again with the same inputs. Case number `OTHERS` is
/// run again with the same inputs and then with other inputs.
const PERIOD: u64 = 8;
const SAME: u64 = 6;
const OTHERS: u64 = 3;
/// One graph in this many is run again.
const GRAPHS: u64 = 4;
/// The number of draws that are tried to find other extents.
const TRIES: u64 = 24;

/// Draws the further runs of a case. `drawn` is the case as its recipe drew it; `formed` has the model and inputs that
/// the backend gets. A case without a recipe, such as a kept regression, is only run again with the same inputs. An
/// invalid case and a case that was changed at random are not run again. Of the graphs, one in [`GRAPHS`] is.
pub fn further(drawn: &Case, formed: &Case) -> Vec<Further> {
    if formed.violates.is_some() || formed.origin.base().is_some() {
        return vec![];
    }
    let same = Further { other: Other::Nothing, case: formed.clone() };
    let index = match &drawn.origin {
        Origin::Drawn(place) => place.index,
        Origin::DirectMl(place) => place.index,
        Origin::Graph { .. } if !plumbline_judge::hash(&drawn.id).is_multiple_of(GRAPHS) => return vec![],
        _ => return vec![same],
    };
    match index % PERIOD {
        SAME => vec![same],
        OTHERS => {
            [Some(same), other_values(drawn, formed), other_extents(drawn, formed)].into_iter().flatten().collect()
        }
        _ => vec![],
    }
}

/// Returns a generator of numbers that depend only on the id of the case and the salt, so that they are the same on
/// every machine.
fn numbers(id: &str, salt: u64) -> impl FnMut() -> u64 {
    let mut state = plumbline_judge::hash(id) ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    move || {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// Replaces the choices that make elements: those of all tensors or, with `only_first`, those of the first tensor,
/// which is often the only one that is supplied at run time.
fn other_elements(choices: &mut Sequence, only_first: bool, next: &mut impl FnMut() -> u64) {
    let blocks = if only_first { 1 } else { choices.blocks.len() };
    choices.blocks.iter_mut().take(blocks).flatten().for_each(|choice| *choice = next());
}

fn other_values(drawn: &Case, formed: &Case) -> Option<Further> {
    [false, true].into_iter().find_map(|only_first| {
        let mut choices = drawn.choices.clone();
        other_elements(&mut choices, only_first, &mut numbers(&drawn.id, 1));
        let other = drawn.with_choices(choices)?;
        let case = with_inputs_of(drawn, formed, &other)?;
        (case.inputs != formed.inputs).then_some(Further { other: Other::Values, case })
    })
}

fn other_extents(drawn: &Case, formed: &Case) -> Option<Further> {
    let length = drawn.choices.main.len() as u64;
    if symbolic(formed).is_empty() || length == 0 {
        return None;
    }
    (0..TRIES).find_map(|salt| {
        let mut next = numbers(&drawn.id, 2 + salt);
        let mut choices: Sequence = drawn.choices.clone();
        let at = (next() % length) as usize;
        choices.main[at] = choices.main[at].wrapping_add(1 + next() % 3);
        other_elements(&mut choices, salt % 2 == 1, &mut next);
        let other = drawn.with_choices(choices)?;
        let case = with_inputs_of(drawn, formed, &other)?;
        let shapes = |case: &Case| -> Vec<Option<Vec<usize>>> {
            case.inputs.iter().map(|v| v.as_tensor().map(|t| t.shape().to_vec())).collect()
        };
        (shapes(&case) != shapes(formed)).then_some(Further { other: Other::Extents, case })
    })
}

/// Returns the constant tensors of the model by name: initializers and the values of `Constant` nodes.
fn constants(case: &Case) -> Vec<(&str, &TensorProto)> {
    let graph = case.model.graph();
    let nodes = graph.node.iter().filter(|n| n.op_type.as_deref() == Some("Constant"));
    let given = nodes.filter_map(|n| Some((n.output.first()?.as_str(), n.attribute.first()?.t.as_ref()?)));
    graph.initializer.iter().map(|t| (t.name.as_deref().unwrap_or(""), t)).chain(given).collect()
}

/// Returns the case `formed` with the inputs of another draw. Returns `None` if the other draw has other nodes,
/// initializers or opsets, other values for what the form has made constant, or inputs that do not fit the model.
fn with_inputs_of(drawn: &Case, formed: &Case, other: &Case) -> Option<Case> {
    let same_nodes = drawn.model.graph().node == other.model.graph().node
        && drawn.model.graph().initializer == other.model.graph().initializer
        && drawn.model.proto.opset_import == other.model.proto.opset_import;
    if !same_nodes {
        return None;
    }
    let names = other.model.input_names();
    let given = |name: &&str| names.iter().position(|n| n == name).and_then(|at| other.inputs.get(at)).cloned();
    let inputs: Vec<Value> = formed.model.input_names().iter().map(given).collect::<Option<_>>()?;
    // The constants of the form stay in the model, so the other draw must have the same values for them.
    let kept = constants(formed).into_iter().all(|(name, constant)| match names.iter().position(|n| *n == name) {
        Some(at) => matches!(
            (other.inputs.get(at), tensor_from_proto(constant)),
            (Some(Value::Tensor(given)), Ok(constant)) if *given == constant
        ),
        None => true,
    });
    if !kept {
        return None;
    }
    let case = Case { inputs, ..formed.clone() };
    fits(&case).then_some(case)
}

/// Returns the names of the symbolic extents of a model's inputs.
fn symbolic(case: &Case) -> Vec<String> {
    let inputs = case.model.graph().input.iter();
    let dims = inputs.filter_map(|i| match i.r#type.as_ref()?.value.as_ref()? {
        TypeProtoValue::TensorType(tensor) => tensor.shape.as_ref().map(|shape| shape.dim.iter()),
        _ => None,
    });
    let names = dims.flatten().filter_map(|dim| match &dim.value {
        Some(TensorShapeProtoDimensionValue::DimParam(name)) => Some(name.clone()),
        _ => None,
    });
    names.collect()
}

/// Returns whether the inputs fit the types, ranks and extents that the model declares, with one extent for each
/// symbolic name.
fn fits(case: &Case) -> bool {
    let mut named: Vec<(&str, usize)> = Vec::new();
    let names = case.model.input_names();
    for (name, value) in names.iter().zip(&case.inputs) {
        let info = case.model.graph().input.iter().find(|i| i.name.as_deref() == Some(name));
        let Some(type_) = info.and_then(|i| i.r#type.as_ref()) else { return false };
        if plumbline_tensor::ValueKind::from_proto(type_).as_ref() != Some(&value.kind()) {
            return false;
        }
        let (Some(TypeProtoValue::TensorType(declared)), Some(tensor)) = (&type_.value, value.as_tensor()) else {
            continue;
        };
        let Some(shape) = &declared.shape else { continue };
        if shape.dim.len() != tensor.rank() {
            return false;
        }
        for (dim, &extent) in shape.dim.iter().zip(tensor.shape()) {
            let fits = match &dim.value {
                Some(TensorShapeProtoDimensionValue::DimValue(declared)) => *declared == extent as i64,
                Some(TensorShapeProtoDimensionValue::DimParam(name)) => {
                    let known = named.iter().find(|(n, _)| n == name).map(|(_, extent)| *extent);
                    named.push((name, extent));
                    known.is_none_or(|known| known == extent)
                }
                None => true,
            };
            if !fits {
                return false;
            }
        }
    }
    true
}

//! The edits that make a backend wrong: edits of the case that it answers, and edits of its answer.

use plumbline_generator::Case;
use plumbline_graph::Refusal;
use plumbline_oracle::Oracle;
use plumbline_spec::{OperatorVersion, Spec};
use plumbline_tensor::onnx::AttributeProto;
use plumbline_tensor::{DType, Data, Tensor, Value};

use super::change::Change;
use crate::behaviour::translate::Setting;
use crate::element::{converted, moved};
use crate::scene::Scene;

/// An edit. Edits of the case are applied before edits of the answer, whatever their order in the mutant.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Edit {
    /// Changes an attribute. If `from` is given, the edit applies only if the attribute has this value.
    Attribute { name: String, from: Option<Tensor>, to: To },
    /// Replaces an attribute by the first other value that is valid here: one of `donors`, which come from cases of the
    /// operator version, or the value of another attribute of the node. If none of these values is valid, takes the
    /// first of them.
    AnotherAttribute { name: String, donors: Vec<AttributeProto> },
    /// Changes an input.
    Input { name: String, to: To },
    /// Exchanges two inputs, two attributes or two outputs.
    Swap(String, String),
    /// Changes the first input, and all inputs with the same type variable.
    Inputs(Change),
    /// Runs the node as another operator of the same opset.
    Operator(String),
    /// Translates the attributes and inputs of the node to another version of the operator, and runs that version.
    Version(u32),
    /// Changes one output, or all of them.
    Output { name: Option<String>, change: Change },
    /// Rounds every output of the type `of` to the type `to`, and converts it back.
    Narrowed { of: DType, to: DType },
    /// Replaces an output by a copy of an input.
    Copied { output: String, input: String },
    /// Computes in another type: converts the first input, and all inputs with the same type variable, to this type.
    /// Outputs whose type changes with the inputs are converted back.
    Computed { dtype: DType, back: Back },
    /// Reverses an input along the attribute `axis`, so that the last of equal elements becomes the first. The indices
    /// in the output `indices` are then translated to those of the original input, and the output `back` is reversed
    /// again.
    Mirrored { input: String, indices: Option<String>, back: Option<String> },
}

/// The new state of an attribute or input.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum To {
    /// It is left out.
    Nothing,
    /// It has this value. A scalar replaces every element of an input; a list becomes the new elements of an input.
    Value(Tensor),
    /// Its value is changed.
    Changed(Change),
}

/// The conversion of an answer back to the type of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Back {
    /// Rounds toward zero.
    Truncated,
    /// Rounds to the nearest value of the type. Values beyond its range become its largest or smallest value.
    Saturated,
    /// Keeps the lowest bits of an integer.
    Wrapped,
}

/// What a mutant does with a case.
pub(super) enum Answered {
    /// The edits do not apply to the case.
    NotApplicable,
    /// It answers with these values.
    Values(Vec<Value>),
    /// It refuses the case, because the oracle refuses the edited case.
    Refused(Refusal),
}

/// Returns the answer of a backend with these edits. `right` is the preferred answer.
pub(super) fn answer(
    edits: &[Edit],
    reference: &Oracle,
    case: &Case,
    version: &'static OperatorVersion,
    right: &[Value],
    salt: usize,
) -> Answered {
    let mut scene = Scene::new(case, version);
    let of_the_case = |edit: &&Edit| {
        !matches!(edit, Edit::Output { .. } | Edit::Narrowed { .. } | Edit::Copied { .. })
            && !swaps_outputs(edit, version)
    };
    let mut values = right.to_vec();
    if edits.iter().any(|edit| of_the_case(&edit)) {
        for edit in edits.iter().filter(of_the_case) {
            if edit.of_case(&mut scene, reference, salt).is_none() {
                return Answered::NotApplicable;
            }
        }
        values = match reference.answer(&scene.model, &scene.inputs) {
            Ok(operands) => operands.iter().map(|operand| operand.to_value()).collect(),
            Err(refusal) => return Answered::Refused(refusal),
        };
    }
    for edit in edits {
        match edit.of_answer(values, &scene, case, version, right, salt) {
            Some(edited) => values = edited,
            None => return Answered::NotApplicable,
        }
    }
    Answered::Values(values)
}

fn swaps_outputs(edit: &Edit, version: &OperatorVersion) -> bool {
    matches!(edit, Edit::Swap(a, _) if version.output(a).is_some() && version.input(a).is_none())
}

/// Returns the position of a node's output among the outputs of the model. `name` is its formal name or its position in
/// the node.
fn output_place(case: &Case, version: &OperatorVersion, name: &str) -> Option<usize> {
    let formal = match name.parse() {
        Ok(place) => place,
        Err(_) => version.outputs.iter().position(|o| o.name == name)?,
    };
    let output = case.model.graph().node.last()?.output.get(formal)?;
    case.model.output_names().iter().position(|n| n == output)
}

impl Edit {
    /// Edits the case. Returns `None` if the edit does not apply.
    fn of_case(&self, scene: &mut Scene, reference: &Oracle, salt: usize) -> Option<()> {
        match self {
            Edit::Attribute { name, from, to } => {
                let old = scene.attribute(name);
                if from.is_some() && *from != old {
                    return None;
                }
                match to {
                    To::Nothing => scene.remove_attribute(name),
                    To::Value(value) => scene.set_attribute(name, value),
                    To::Changed(change) => scene.set_attribute(name, &change.tensor(&old?, salt)?),
                }
            }
            Edit::AnotherAttribute { name, donors } => {
                let old = scene.given(name)?.clone();
                // Attributes of the same kind on the same node are also tried: `else_branch` for `then_branch`.
                let beside = scene.node()?.attribute.iter().filter(|a| a.r#type == old.r#type && a.name != old.name);
                let beside: Vec<AttributeProto> =
                    beside.map(|a| AttributeProto { name: old.name.clone(), ..a.clone() }).collect();
                let others = || donors.iter().chain(&beside).filter(|donor| **donor != old);
                let valid = |donor: &&AttributeProto| {
                    let mut other = scene.clone();
                    other.put_attribute((*donor).clone()).is_some()
                        && reference.answer(&other.model, &other.inputs).is_ok()
                };
                // If none of these values is valid, the first of them makes the mutant refuse the case.
                let donor = others().find(valid).or_else(|| others().next())?.clone();
                scene.put_attribute(donor)
            }
            Edit::Input { name, to } => {
                let place = scene.input_place(name)?;
                match to {
                    To::Nothing => scene.is_optional(place).then(|| scene.remove_input(place))?,
                    To::Value(value) => {
                        let old = scene.input(place)?.into_tensor()?;
                        scene.set_input(place, filled(&old, value)?.into())
                    }
                    To::Changed(change) => {
                        let value = change.value(&scene.input(place)?, salt)?;
                        scene.set_input(place, value)
                    }
                }
            }
            Edit::Inputs(change) => {
                let mut any = false;
                for place in scene.alike(0) {
                    let changed = scene.input(place).and_then(|value| change.value(&value, salt));
                    if let Some(changed) = changed {
                        any |= scene.set_input(place, changed).is_some();
                    }
                }
                any.then_some(())
            }
            Edit::Swap(a, b) => swap(scene, a, b),
            Edit::Operator(name) => {
                let domain = &scene.version.id.domain;
                let other = Spec::embedded().resolve(domain, name, i64::from(scene.version.since()))?;
                let opset = scene.version.since();
                scene.run_as(other)?;
                // Restores the opset that `run_as` changed: it determines what the nodes around this one mean.
                scene.model.proto.opset_import.last_mut()?.version = Some(i64::from(opset));
                Some(())
            }
            Edit::Version(since) => {
                let operator = Spec::embedded().operator(&scene.version.id.domain, &scene.version.id.name)?;
                let to = operator.version(*since)?;
                let case = Case {
                    id: String::new(),
                    version: scene.version.id.clone(),
                    types: Default::default(),
                    model: scene.model.clone(),
                    inputs: scene.inputs.clone(),
                    features: vec![],
                    violates: None,
                    origin: Default::default(),
                    form: Default::default(),
                    choices: Default::default(),
                };
                let (model, inputs) = Setting::read(&case)?.moved(scene.version, to)?.model(to);
                *scene = Scene { model, inputs, version: to };
                Some(())
            }
            Edit::Computed { dtype, .. } => computed_in(scene, *dtype),
            Edit::Mirrored { input, .. } => {
                let place = scene.input_place(input)?;
                let tensor = scene.input(place)?.into_tensor()?;
                let axis = axis_of(scene, tensor.rank())?;
                scene.set_input(place, mirrored(&tensor, axis)?.into())
            }
            Edit::Output { .. } | Edit::Narrowed { .. } | Edit::Copied { .. } => Some(()),
        }
    }

    /// Edits the answer. Returns `None` if the edit does not apply.
    fn of_answer(
        &self,
        mut values: Vec<Value>,
        scene: &Scene,
        case: &Case,
        version: &'static OperatorVersion,
        right: &[Value],
        salt: usize,
    ) -> Option<Vec<Value>> {
        match self {
            Edit::Output { name: Some(name), change } => {
                let value = values.get_mut(output_place(case, version, name)?)?;
                *value = change.value(value, salt)?;
            }
            Edit::Output { name: None, change } => {
                let mut any = false;
                for value in &mut values {
                    if let Some(changed) = change.value(value, salt) {
                        (*value, any) = (changed, true);
                    }
                }
                any.then_some(())?;
            }
            Edit::Narrowed { of, to } => {
                let wide = |value: &Value| value.as_tensor().is_some_and(|tensor| tensor.dtype() == *of);
                for value in values.iter_mut().filter(|value| wide(value)) {
                    *value = Change::Through(*to).value(value, salt)?;
                }
            }
            Edit::Swap(a, b) if swaps_outputs(self, version) => {
                let (a, b) = (output_place(case, version, a)?, output_place(case, version, b)?);
                if a >= values.len() || b >= values.len() {
                    return None;
                }
                values.swap(a, b);
            }
            Edit::Copied { output, input } => {
                let original = Scene::new(case, version);
                let copy = original.input(original.input_place(input)?)?;
                *values.get_mut(output_place(case, version, output)?)? = copy;
            }
            Edit::Computed { dtype, back } => {
                for (value, right) in values.iter_mut().zip(right) {
                    let (Value::Tensor(tensor), Some(wanted)) = (&*value, right.dtype()) else { continue };
                    if tensor.dtype() == *dtype && wanted != *dtype {
                        *value = narrowed(tensor, wanted, *back)?.into();
                    }
                }
            }
            Edit::Mirrored { input, indices, back } => {
                let input = scene.input(scene.input_place(input)?)?.into_tensor()?;
                let axis = axis_of(scene, input.rank())?;
                if let Some(name) = indices {
                    let value = values.get_mut(output_place(case, version, name)?)?;
                    let last = *input.shape().get(axis)? as i128 - 1;
                    let counted: Vec<i128> = value.as_tensor()?.to_i128s().iter().map(|i| last - i).collect();
                    let tensor = value.as_tensor()?;
                    *value = Tensor::from_i128s(tensor.dtype(), tensor.shape().to_vec(), &counted).ok()?.into();
                }
                if let Some(name) = back {
                    let value = values.get_mut(output_place(case, version, name)?)?;
                    *value = mirrored(value.as_tensor()?, axis)?.into();
                }
            }
            _ => {}
        }
        Some(values)
    }
}

/// Exchanges two inputs or two attributes.
fn swap(scene: &mut Scene, a: &str, b: &str) -> Option<()> {
    if let (Some(a), Some(b)) = (scene.input_place(a), scene.input_place(b)) {
        scene.node_mut()?.input.swap(a, b);
        return Some(());
    }
    let (first, second) = (scene.given(a)?.clone(), scene.given(b)?.clone());
    scene.put_attribute(AttributeProto { name: second.name.clone(), ..first.clone() })?;
    scene.put_attribute(AttributeProto { name: first.name, ..second })
}

/// Returns a tensor with the type of `old`. A scalar `value` fills the shape of `old`; a list keeps its own shape.
fn filled(old: &Tensor, value: &Tensor) -> Option<Tensor> {
    let list = value.rank() == 1;
    let shape = if list { value.shape().to_vec() } else { old.shape().to_vec() };
    let value = match (old.dtype(), value.data()) {
        (DType::String, Data::Strings(_)) => value.clone(),
        (dtype, Data::Bytes(_)) => converted(value, dtype, true)?,
        _ => return None,
    };
    moved(&value, shape, |i| if list { i } else { 0 })
}

/// Converts the first input, and all inputs with the same type variable, to a wider type, or from double to float.
fn computed_in(scene: &mut Scene, dtype: DType) -> Option<()> {
    let first = scene.input(0)?.into_tensor()?;
    let narrower = first.dtype().bits()? < dtype.bits()? || first.dtype() == DType::Double && dtype == DType::Float;
    if !narrower || first.dtype().is_float() != dtype.is_float() || first.dtype().is_integer() != dtype.is_integer() {
        return None;
    }
    for place in scene.alike(0) {
        if let Some(Value::Tensor(tensor)) = scene.input(place) {
            scene.set_input(place, converted(&tensor, dtype, true)?.into())?;
        }
    }
    Some(())
}

/// Converts a tensor of the answer back to the type of the output.
fn narrowed(tensor: &Tensor, dtype: DType, back: Back) -> Option<Tensor> {
    let nearest = converted(tensor, dtype, back == Back::Saturated)?;
    let Some(format) = dtype.float_format().filter(|_| back == Back::Truncated) else { return Some(nearest) };
    let bits = (0..tensor.len()).map(|i| {
        let (bits, exact) = (nearest.bits_at(i), tensor.f64_at(i));
        let rounded = format.decode(bits);
        if rounded.is_infinite() && exact.is_finite() {
            return format.encode(exact, plumbline_tensor::Saturation::Saturate);
        }
        if rounded.abs() > exact.abs() { crate::element::stepped(bits, format, -1) } else { bits }
    });
    Tensor::from_bits(dtype, tensor.shape().to_vec(), bits).ok()
}

/// Returns the value of the attribute `axis`, counted from the front.
fn axis_of(scene: &Scene, rank: usize) -> Option<usize> {
    let axis = *scene.attribute("axis")?.to_i64s().ok()?.first()?;
    let axis = if axis < 0 { axis + rank as i64 } else { axis };
    usize::try_from(axis).ok().filter(|&axis| axis < rank)
}

fn mirrored(tensor: &Tensor, axis: usize) -> Option<Tensor> {
    let extent = *tensor.shape().get(axis)?;
    let inner: usize = tensor.shape()[axis + 1..].iter().product();
    moved(tensor, tensor.shape().to_vec(), |i| {
        let place = i / inner % extent;
        i - place * inner + (extent - 1 - place) * inner
    })
}

//! Models that carry one operator of DirectML, as the cases of the suite `directml` do.
//!
//! Such a model has a single node of the domain [`DOMAIN`], whose operator is DirectML's (`DML_OPERATOR_GEMM`). Its
//! attribute `desc` is the operator's description in the JSON of DxDispatch, `feature_level` the level that the
//! description is meant for (`2_1`), and `in_place`, if it is there, the index of the input whose memory the first
//! output shares. An input is the content of a buffer, a tensor of one dimension that has all of its bytes: elements,
//! gaps and padding. An output is the tensor itself in row-major order, with the sizes of its description. A function
//! of the model says in operators of ONNX what the node computes; this module does not look at it.

use plumbline_graph::Refusal;
use plumbline_spec::directml::FeatureLevel;
use plumbline_tensor::{Model, Tensor, Value, onnx::NodeProto, tensor_from_proto};

use super::description::OperatorDescription;
use super::dxdispatch::read_operator;
use super::execution::{Buffers, ExecutionError, in_memory, run_operator};
use super::software::{Device, DeviceError};
use super::tensor::{TensorDescription, dtype_of};
use super::validate::{Rule, Violation, violations};

/// The domain of nodes that are operators of DirectML.
pub const DOMAIN: &str = "com.microsoft.directml";

/// An operator of DirectML that a model carries.
#[derive(Clone, Debug, PartialEq)]
pub struct Carried {
    /// The operator.
    pub description: OperatorDescription,
    /// The feature level that the description is meant for.
    pub level: FeatureLevel,
    /// The binding index of the input whose memory the first output shares.
    pub in_place: Option<usize>,
    /// The name of the value in each input's buffer, by binding index; `None` for an input that is left out.
    pub inputs: Vec<Option<String>>,
    /// The name of each output, by binding index; `None` for an output that is left out.
    pub outputs: Vec<Option<String>>,
}

impl Carried {
    /// Returns the operator that a model carries; `None` if the model is not of this kind.
    ///
    /// # Errors
    /// Invalid: the model has further nodes, an attribute is missing, or the description cannot be read.
    pub fn find(model: &Model) -> Option<Result<Carried, Refusal>> {
        let nodes = &model.graph().node;
        let node = nodes.iter().find(|node| node.domain.as_deref() == Some(DOMAIN))?;
        Some(match nodes.len() {
            1 => Carried::of_node(node),
            count => Err(Refusal::invalid(format!("a model with an operator of {DOMAIN} has {count} nodes, not one"))),
        })
    }

    fn of_node(node: &NodeProto) -> Result<Carried, Refusal> {
        let name = node.op_type.as_deref().unwrap_or("");
        let missing = |what: &str| Refusal::invalid(format!("the node has no attribute `{what}`")).at(name);
        let attribute = |name: &str| node.attribute.iter().find(|attribute| attribute.name.as_deref() == Some(name));
        let text = |name: &str| {
            let bytes = attribute(name).and_then(|attribute| attribute.s.as_deref()).ok_or_else(|| missing(name))?;
            std::str::from_utf8(bytes).map_err(|error| Refusal::invalid(format!("attribute `{name}`: {error}")))
        };
        let level = text("feature_level")?;
        let level = level.parse().map_err(|error| Refusal::invalid(format!("attribute `feature_level`: {error}")))?;
        let in_place = attribute("in_place").map(|attribute| usize::try_from(attribute.i.unwrap_or(0)));
        let in_place = in_place.transpose().map_err(|error| Refusal::invalid(format!("attribute `in_place`: {error}")));
        let desc = serde_json::from_str(text("desc")?);
        let desc = desc.map_err(|error| Refusal::invalid(format!("attribute `desc`: {error}")).at(name))?;
        let description = read_operator(&desc).map_err(|findings| {
            let found: Vec<String> = findings.iter().map(ToString::to_string).collect();
            Refusal::invalid(found.join("; ")).at(name)
        })?;
        if description.operator().name != name {
            let found = description.operator().name.as_str();
            return Err(Refusal::invalid(format!("attribute `desc` describes {found}")).at(name));
        }
        let names = |names: &[String], count: usize, kind: &str| {
            let mut all: Vec<Option<String>> =
                names.iter().map(|name| Some(name.clone()).filter(|name| !name.is_empty())).collect();
            if all.iter().skip(count).any(Option::is_some) {
                let (found, name) = (all.len(), description.operator().name.as_str());
                return Err(Refusal::invalid(format!("the node has {found} {kind}, and {name} {count}")));
            }
            all.resize(count, None);
            Ok(all)
        };
        let inputs = names(&node.input, description.inputs().len(), "inputs")?;
        let outputs = names(&node.output, description.outputs().len(), "outputs")?;
        let in_place = in_place?;
        if in_place
            .is_some_and(|at| inputs.get(at).is_none_or(Option::is_none) || outputs.first().is_none_or(Option::is_none))
        {
            return Err(Refusal::invalid("attribute `in_place` names a tensor that is left out").at(name));
        }
        Ok(Carried { level, in_place, inputs, outputs, description })
    }

    /// Returns the content of each input's buffer by binding index. `inputs` are the values of the model's inputs.
    ///
    /// # Errors
    /// Invalid: a value is missing or is not a tensor of one dimension with the type of its description.
    pub fn buffers(&self, model: &Model, inputs: &[Value]) -> Result<Vec<Option<Vec<u8>>>, Refusal> {
        let of_value = |name: &String, described: Option<&TensorDescription>| {
            let initializer =
                model.graph().initializer.iter().find(|initializer| initializer.name.as_deref() == Some(name));
            let at = model.input_names().into_iter().position(|input| input == name);
            let tensor = match initializer {
                Some(initializer) => tensor_from_proto(initializer).map_err(|e| Refusal::invalid(e.to_string()))?,
                None => at.and_then(|at| inputs.get(at)?.as_tensor()).cloned().ok_or_else(|| {
                    Refusal::invalid(format!("no tensor was given for `{name}`")).at(self.description.name())
                })?,
            };
            let Some(described) = described else { return Ok(in_memory(&tensor)) };
            if Some(tensor.dtype()) != dtype_of(described.data_type) || tensor.shape().len() != 1 {
                let (found, shape, wanted) = (tensor.dtype(), tensor.shape(), described.data_type);
                let message = format!("`{name}` is {found}{shape:?}, but its buffer has one dimension and {wanted}");
                return Err(Refusal::invalid(message).at(self.description.name()));
            }
            let mut bytes = in_memory(&tensor);
            // A size that is no multiple of the element's size has a last element that is incomplete.
            let total = described.total_size_in_bytes;
            if total.checked_sub(bytes.len() as u64).is_some_and(|lack| lack < tensor.dtype().size() as u64) {
                bytes.resize(total as usize, 0);
            }
            Ok(bytes)
        };
        let described = self.description.inputs();
        let buffer = |(name, described): (&Option<String>, &Option<&TensorDescription>)| {
            name.as_ref().map(|name| of_value(name, *described)).transpose()
        };
        self.inputs.iter().zip(&described).map(buffer).collect()
    }

    /// Runs the operator on a device. `inputs` are the values of the model's inputs. Returns the values of its outputs.
    ///
    /// # Errors
    /// Unsupported: the device does not have the feature level, the operator or the type, or the buffers are too large.
    /// Invalid: the description, the buffers or the node break a rule. Failed: the device failed, or changed memory
    /// that it must not change. Device lost: the device was lost.
    pub fn run(&self, device: &dyn Device, model: &Model, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        let name = self.description.name();
        if device.feature_level() < self.level {
            let (has, needs) = (device.feature_level(), self.level);
            return Err(Refusal::unsupported(format!("the case is for feature level {needs}, this is {has}")).at(name));
        }
        let found = violations(&self.description, self.level);
        if !found.is_empty() {
            return Err(violated(&found).at(name));
        }
        let buffers = Buffers { inputs: self.buffers(model, inputs)?, in_place: self.in_place };
        let written = run_operator(device, &self.description, &buffers).map_err(|error| match error {
            ExecutionError::Device { error: DeviceError::NotThere(refusal), .. } => refusal.at(name),
            ExecutionError::Device { error: DeviceError::Invalid(found), .. } => violated(&found).at(name),
            ExecutionError::Graph(found) => violated(&found).at(name),
            error @ ExecutionError::Input { .. } => Refusal::invalid(format!("{}: {error}", Rule::Binding)).at(name),
            error @ ExecutionError::TooLarge => Refusal::unsupported(error.to_string()).at(name),
            error => Refusal::failed(error.to_string()).at(name),
        })?;
        let described = self.description.outputs();
        let mut named = Vec::new();
        for ((output, described), bytes) in self.outputs.iter().zip(&described).zip(&written) {
            match (output, described, bytes) {
                (Some(output), Some(described), Some(bytes)) => named.push((output, elements(described, bytes)?)),
                (None, None, None) => {}
                _ => return Err(Refusal::invalid("the node and its description leave out different outputs").at(name)),
            }
        }
        let value = |wanted: &&str| {
            let found = named.iter().find(|(output, _)| output.as_str() == *wanted);
            found.map(|(_, tensor)| Value::Tensor(tensor.clone()))
        };
        let missing = || Refusal::invalid("the graph has an output that the node does not have").at(name);
        model.output_names().iter().map(|name| value(name).ok_or_else(missing)).collect()
    }
}

/// Returns the refusal of a description or of bindings, with the rules that they break.
fn violated(found: &[Violation]) -> Refusal {
    let all: Vec<String> = found.iter().map(|violation| format!("{}: {violation}", violation.rule)).collect();
    Refusal::invalid(all.join("; "))
}

/// Reads a tensor in row-major order from the bytes of its buffer.
///
/// # Errors
/// Failed: the tensor has no type, or the buffer is too short.
pub fn elements(described: &TensorDescription, bytes: &[u8]) -> Result<Tensor, Refusal> {
    let short = || Refusal::failed("the buffer of an output is too short for its tensor");
    let dtype = dtype_of(described.data_type).ok_or_else(|| Refusal::failed("a tensor has no element type"))?;
    let places = described.places();
    let mut dense = Vec::new();
    for place in places {
        match dtype.bits() {
            Some(4) => {
                let byte = bytes.get(place / 2).ok_or_else(short)?;
                dense.push(byte >> (4 * (place % 2)) & 0xf);
            }
            _ => {
                let start = place * dtype.size();
                dense.extend_from_slice(bytes.get(start..start + dtype.size()).ok_or_else(short)?);
            }
        }
    }
    let shape = described.sizes.iter().map(|&size| size as usize).collect();
    Ok(Tensor::from_bytes(dtype, shape, dense)?)
}

//! Runs a graph on a device, one operator after the other. After each operator it checks the memory: every tensor lies
//! between guard bytes, and only the operator's outputs may have changed.

use std::ops::Range;

use plumbline_spec::directml::FieldKind;
use plumbline_tensor::{DType, Tensor, Value};

use super::description::OperatorDescription;
use super::graph::{Graph, GraphOutput, InputSource, Node};
use super::software::{Device, DeviceError};
use super::validate::{Binding, Violation, graph_violations};

/// The reason why a graph has no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExecutionError {
    /// DirectML refuses the graph; nothing ran.
    #[error("DirectML rejects the graph: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Graph(Vec<Violation>),
    /// The tensors of the graph need more memory than allowed.
    #[error("the tensors of the graph take more than {LARGEST_ARENA_BYTES} bytes")]
    TooLarge,
    /// The value that is given for an input does not match what the graph reads.
    #[error("input `{name}`: {message}")]
    Input {
        /// The input's name.
        name: String,
        /// A description of the mismatch.
        message: String,
    },
    /// The device did not run an operator.
    #[error("{node}: {error}")]
    Device {
        /// The node's name.
        node: String,
        /// The device's error.
        error: DeviceError,
    },
    /// The device changed memory that it must not change.
    #[error("{node}: the device wrote {place}")]
    Wrote {
        /// The node's name.
        node: String,
        /// The place that was changed.
        place: String,
    },
    /// The bytes that the device wrote are not a valid value of the output's type.
    #[error("output `{name}`: {message}")]
    Output {
        /// The output's name.
        name: String,
        /// A description of the error.
        message: String,
    },
}

/// The most bytes that the tensors of a graph may take together, with the bytes between them.
pub const LARGEST_ARENA_BYTES: u64 = 1 << 30;

/// The least number of bytes between tensors; a multiple of every alignment that offsets need.
const GUARD_BYTES: usize = 64;

/// Returns the initial content of memory at an address. Neighbouring bytes differ.
fn untouched(at: usize) -> u8 {
    0xa5 ^ (at as u8).wrapping_mul(29)
}

/// A buffer that holds all tensors of a graph, with guard bytes around each.
struct Arena {
    bytes: Vec<u8>,
    /// The name and the address range of each tensor, in the order of addresses.
    places: Vec<(String, Range<usize>)>,
}

impl Arena {
    fn new() -> Arena {
        Arena { bytes: Vec::new(), places: Vec::new() }
    }

    /// Reserves room for a tensor and returns its index. The room holds `content`, then the bytes of [`untouched`].
    fn add(&mut self, name: String, size: u64, content: &[u8]) -> Result<usize, ExecutionError> {
        self.add_aligned(name, size, content, 0)
    }

    /// Reserves room like [`Arena::add`], at a multiple of `alignment`.
    fn add_aligned(
        &mut self,
        name: String,
        size: u64,
        content: &[u8],
        alignment: u32,
    ) -> Result<usize, ExecutionError> {
        let alignment = GUARD_BYTES.max(alignment as usize);
        let start =
            self.bytes.len().checked_next_multiple_of(alignment).ok_or(ExecutionError::TooLarge)?.max(alignment);
        let end = size.max(content.len() as u64).checked_add(start as u64).filter(|&end| end <= LARGEST_ARENA_BYTES);
        let end = end.ok_or(ExecutionError::TooLarge)? as usize;
        let grown = self.bytes.len()..end + GUARD_BYTES;
        self.bytes.extend(grown.map(untouched));
        self.bytes[start..start + content.len()].copy_from_slice(content);
        self.places.push((name, start..end));
        Ok(self.places.len() - 1)
    }

    fn binding(&self, place: usize, size_in_bytes: u64) -> Binding {
        Binding { buffer: 0, offset: self.places[place].1.start as u64, size_in_bytes }
    }

    /// Describes the first byte outside of the ranges `written` that differs from `before`. If no byte does, describes
    /// a change of the buffer's size, or returns `None` if the size is unchanged.
    fn changed(&self, before: &[u8], written: &[Range<usize>]) -> Option<String> {
        // Nearly all bytes stay as they are, so whole blocks are compared at once.
        const BLOCK: usize = 256;
        let blocks = (0..).step_by(BLOCK).zip(self.bytes.chunks(BLOCK).zip(before.chunks(BLOCK)));
        let at = blocks.filter(|(_, (now, then))| now != then).find_map(|(start, (now, then))| {
            let mut bytes = (start..).zip(now.iter().zip(then));
            let foreign = |at: &usize| !written.iter().any(|range| range.contains(at));
            bytes.find_map(|(at, (now, then))| (now != then).then_some(at).filter(foreign))
        });
        let at = match at {
            Some(at) => at,
            None if self.bytes.len() == before.len() => return None,
            None => return Some("a buffer of another size than the buffer it received".to_owned()),
        };
        let near = |(_, range): &&(String, Range<usize>)| match range {
            range if at < range.start => range.start - at,
            range => (at + 1).saturating_sub(range.end),
        };
        let (name, range) = self.places.iter().min_by_key(near)?;
        Some(match at {
            at if at < range.start => format!("byte {} before {name}", range.start - at),
            at if at < range.end => format!("byte {} of {name}", at - range.start),
            at => format!("byte {} after {name}", at - range.end),
        })
    }
}

/// Validates a graph at the feature level of a device and runs it. Returns one value for each output of the graph.
/// `inputs` are the values of the model's inputs.
///
/// # Errors
/// [`ExecutionError`]: the graph is invalid or needs too much memory, an input does not fit, the device did not run an
/// operator or changed memory that it must not change, or the bytes of an output are not a valid value.
pub fn execute(device: &dyn Device, graph: &Graph, inputs: &[Value]) -> Result<Vec<Value>, ExecutionError> {
    let found = graph_violations(graph, device.feature_level());
    if !found.is_empty() {
        return Err(ExecutionError::Graph(found));
    }
    let mut arena = Arena::new();
    let mut read = Vec::new();
    for input in &graph.inputs {
        let wrong = |message: String| ExecutionError::Input { name: input.name.clone(), message };
        let bytes = match &input.source {
            InputSource::Constant(bytes) => bytes.to_vec(),
            InputSource::Model(at) => {
                let tensor =
                    inputs.get(*at).and_then(Value::as_tensor).ok_or_else(|| wrong("is not a tensor".into()))?;
                in_memory(tensor)
            }
            InputSource::Element { input, at } => {
                let tensor =
                    inputs.get(*input).and_then(Value::as_sequence).and_then(|items| items.get(*at)?.as_tensor());
                in_memory(tensor.ok_or_else(|| wrong(format!("is a sequence without a tensor at position {at}")))?)
            }
        };
        let least = input.tensor.total_size_in_bytes;
        if (bytes.len() as u64).next_multiple_of(4) < least {
            return Err(wrong(format!("has {} bytes, but the graph reads {least}", bytes.len())));
        }
        read.push(arena.add(format!("input `{}`", input.name), least, &bytes)?);
    }
    let mut written = Vec::new();
    for node in &graph.nodes {
        written.push(match node {
            Node::Constant { data, name } => vec![Some(arena.add(name.clone(), data.len() as u64, data)?)],
            Node::Operator { description, name } => {
                let place = |(field, tensor): (&plumbline_spec::directml::Field, Option<&super::TensorDescription>)| {
                    let name = format!("`{name}.{}`", field.name);
                    tensor.map(|tensor| arena.add(name, tensor.total_size_in_bytes, &[])).transpose()
                };
                description.places(FieldKind::OutputTensor).into_iter().map(place).collect::<Result<_, _>>()?
            }
        });
    }
    for (at, node) in graph.nodes.iter().enumerate() {
        let Node::Operator { description, name } = node else { continue };
        let mut sources = vec![None; description.inputs().len()];
        for edge in graph.input_edges.iter().filter(|edge| edge.to_node_index == at) {
            sources[edge.to_node_input_index] = Some(read[edge.graph_input_index]);
        }
        for edge in graph.intermediate_edges.iter().filter(|edge| edge.to_node_index == at) {
            sources[edge.to_node_input_index] = written[edge.from_node_index][edge.from_node_output_index];
        }
        dispatch(device, &mut arena, (description, name), &sources, &written[at])?;
    }
    let output = |(at, output): (usize, &GraphOutput)| {
        let edge = graph.output_edges.iter().find(|edge| edge.graph_output_index == at);
        let place = edge.and_then(|edge| written[edge.from_node_index][edge.from_node_output_index]);
        let bytes = place.map_or(&[][..], |place| &arena.bytes[arena.places[place].1.clone()]);
        value_of(output, bytes)
    };
    graph.outputs.iter().enumerate().map(output).collect()
}

/// What an operator is bound to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Buffers {
    /// The bytes of each input by binding index; `None` for an input that is left out.
    pub inputs: Vec<Option<Vec<u8>>>,
    /// The binding index of the input whose memory the first output shares.
    pub in_place: Option<usize>,
}

/// Runs one operator. Returns the bytes of each output's buffer afterwards, by binding index, with gaps and padding;
/// `None` for an output that is left out. The caller has validated the description.
///
/// # Errors
/// [`ExecutionError`]: a buffer is missing or shorter than its description says, the buffers need too much memory, the
/// device did not run the operator, or it changed memory that it must not change.
pub fn run_operator(
    device: &dyn Device,
    description: &OperatorDescription,
    buffers: &Buffers,
) -> Result<Vec<Option<Vec<u8>>>, ExecutionError> {
    let (read, written) = (description.places(FieldKind::InputTensor), description.places(FieldKind::OutputTensor));
    let shared = written.first().and_then(|(_, tensor)| *tensor).filter(|_| buffers.in_place.is_some());
    let (mut arena, mut sources) = (Arena::new(), Vec::new());
    for (at, (field, tensor)) in read.into_iter().enumerate() {
        let bytes = buffers.inputs.get(at).and_then(Option::as_deref);
        let wrong = |message: String| ExecutionError::Input { name: field.name.clone(), message };
        sources.push(match (tensor, bytes) {
            (Some(tensor), Some(bytes)) => {
                let (given, least) = (bytes.len() as u64, tensor.total_size_in_bytes);
                if given < least {
                    return Err(wrong(format!("has {given} bytes, but TotalTensorSizeInBytes is {least}")));
                }
                let shared = shared.filter(|_| buffers.in_place == Some(at));
                let size = shared.map_or(least, |output| least.max(output.total_size_in_bytes));
                let alignment = shared.map_or(0, |output| output.guaranteed_base_offset_alignment);
                let alignment = alignment.max(tensor.guaranteed_base_offset_alignment);
                Some(arena.add_aligned(format!("`{}`", field.name), size, bytes, alignment)?)
            }
            (None, None) => None,
            (Some(_), None) => return Err(wrong("nothing is bound to it".to_owned())),
            (None, Some(_)) => return Err(wrong("a buffer is bound to it, but the tensor is left out".to_owned())),
        });
    }
    let mut targets = Vec::new();
    for (at, (field, tensor)) in written.iter().enumerate() {
        let shared = buffers.in_place.filter(|_| at == 0).and_then(|input| sources.get(input).copied().flatten());
        targets.push(match (tensor, shared) {
            (Some(_), Some(place)) => Some(place),
            (Some(tensor), None) => {
                let (name, alignment) = (format!("`{}`", field.name), tensor.guaranteed_base_offset_alignment);
                Some(arena.add_aligned(name, tensor.total_size_in_bytes, &[], alignment)?)
            }
            (None, _) => None,
        });
    }
    dispatch(device, &mut arena, (description, description.name()), &sources, &targets)?;
    let bytes = |(place, (_, tensor)): (&Option<usize>, &(_, Option<&super::TensorDescription>))| {
        let (start, size) = (arena.places[(*place)?].1.start, tensor.as_ref()?.total_size_in_bytes as usize);
        Some(arena.bytes[start..start + size].to_vec())
    };
    Ok(targets.iter().zip(&written).map(bytes).collect())
}

/// Runs one operator, and checks that nothing but its outputs changed.
fn dispatch(
    device: &dyn Device,
    arena: &mut Arena,
    (description, name): (&OperatorDescription, &str),
    sources: &[Option<usize>],
    targets: &[Option<usize>],
) -> Result<(), ExecutionError> {
    let bound = |tensors: Vec<Option<&super::TensorDescription>>, places: &[Option<usize>]| {
        let bind = |(tensor, place): (Option<&super::TensorDescription>, &Option<usize>)| {
            Some(arena.binding((*place)?, tensor?.total_size_in_bytes))
        };
        tensors.into_iter().zip(places).map(bind).collect::<Vec<_>>()
    };
    let (inputs, outputs) = (bound(description.inputs(), sources), bound(description.outputs(), targets));
    let before = arena.bytes.clone();
    let mut buffers = [std::mem::take(&mut arena.bytes)];
    let done = device.dispatch(description, &mut buffers, &inputs, &outputs);
    let [bytes] = buffers;
    arena.bytes = bytes;
    let written: Vec<Range<usize>> = match done {
        Ok(()) => outputs.iter().flatten().map(|b| b.offset as usize..(b.offset + b.size_in_bytes) as usize).collect(),
        // A device that returns an error must leave all buffers unchanged.
        Err(_) => Vec::new(),
    };
    if let Some(place) = arena.changed(&before, &written) {
        return Err(ExecutionError::Wrote { node: name.to_owned(), place });
    }
    done.map_err(|error| ExecutionError::Device { node: name.to_owned(), error })
}

/// Returns the bytes of a tensor in DirectML's layout: a byte holds two 4-bit elements, the first in its lower half.
pub(super) fn in_memory(tensor: &Tensor) -> Vec<u8> {
    match tensor.dtype().bits() {
        Some(4) => tensor.bytes().chunks(2).map(|pair| pair[0] & 15 | pair.get(1).map_or(0, |b| b << 4)).collect(),
        _ => tensor.bytes().to_vec(),
    }
}

/// Reads the value of an output from its bytes.
fn value_of(output: &GraphOutput, bytes: &[u8]) -> Result<Value, ExecutionError> {
    let wrong = |message: String| ExecutionError::Output { name: output.name.clone(), message };
    let count = output.shape.iter().product::<usize>();
    let mut elements: Vec<u8> = match output.dtype.bits() {
        Some(4) => bytes.iter().flat_map(|byte| [byte & 15, byte >> 4]).collect(),
        _ => bytes.to_vec(),
    };
    let size = count.checked_mul(output.dtype.size()).filter(|&size| size <= elements.len());
    elements.truncate(size.ok_or_else(|| wrong("has fewer bytes than its shape needs".to_owned()))?);
    if output.dtype == DType::Bool
        && let Some(byte) = elements.iter().find(|&&byte| byte > 1)
    {
        return Err(wrong(format!("the byte {byte} is not a bool")));
    }
    let tensor = Tensor::from_bytes(output.dtype, output.shape.clone(), elements);
    tensor.map(Value::Tensor).map_err(|error| wrong(error.to_string()))
}

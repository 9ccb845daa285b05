//! Devices that compute on the software device and are wrong on purpose.

use plumbline_directml::software::{Device, DeviceError, SoftwareDevice};
use plumbline_directml::{Attribute, Binding, FieldValue, OperatorDescription, TensorDescription};
use plumbline_graph::Refusal;
use plumbline_spec::directml::{FeatureLevel, FieldKind, TensorDataType};

/// A device: its name, and what it does.
#[derive(Clone, Copy)]
pub struct Wrong(pub &'static str, pub Fault);

/// Changes the buffers of an operator, given what its inputs and outputs are bound to.
type ChangeOfMemory = fn(&OperatorDescription, &mut [Vec<u8>], &[Option<Binding>], &[Option<Binding>]);

/// What a device does differently.
#[derive(Clone, Copy)]
pub enum Fault {
    /// Nothing.
    None,
    /// It reads another description.
    Description(fn(&mut OperatorDescription)),
    /// It changes each element of a floating-point output, given its bits and the layout of its type.
    Element(fn(u64, Float) -> u64),
    /// It changes memory after it has computed: all buffers, the inputs and the outputs.
    Memory(ChangeOfMemory),
    /// It takes every description, and computes nothing if the description is invalid.
    TakesInvalid,
    /// It refuses everything.
    Refuses(fn() -> Refusal),
}

/// The layout of a floating-point type.
#[derive(Clone, Copy)]
pub struct Float {
    bits: u32,
    mantissa: u32,
}

impl Float {
    fn sign(self) -> u64 {
        1 << (self.bits - 1)
    }
    fn infinity(self) -> u64 {
        self.sign() - (1 << self.mantissa)
    }
    fn is_nan(self, bits: u64) -> bool {
        bits & !self.sign() > self.infinity()
    }
}

/// The devices.
pub const DEVICES: [Wrong; 22] = [
    Wrong("the software device", Fault::None),
    Wrong("gaps and padding of outputs overwritten", Fault::Memory(gaps)),
    Wrong("bytes behind outputs overwritten", Fault::Memory(behind)),
    Wrong("an input overwritten", Fault::Memory(input)),
    Wrong("strides of inputs ignored", Fault::Description(|d| each(d, FieldKind::InputTensor, packed))),
    Wrong("strides of outputs ignored", Fault::Description(|d| each(d, FieldKind::OutputTensor, packed))),
    Wrong("a stride of 0 taken for packed", Fault::Description(|d| each(d, FieldKind::InputTensor, unrepeated))),
    Wrong(
        "the last two strides of inputs swapped",
        Fault::Description(|d| each(d, FieldKind::InputTensor, transposed)),
    ),
    Wrong("scale and bias swapped", Fault::Description(scale_and_bias)),
    Wrong("the fused activation forgotten", Fault::Description(no_activation)),
    Wrong(
        "the largest unit in the last place too much",
        Fault::Element(|bits, float| bits ^ (1 << (float.mantissa / 2))),
    ),
    Wrong("one unit in the last place too much", Fault::Element(next)),
    Wrong("the largest number in place of infinity", Fault::Element(finite)),
    Wrong("0 in place of NaN", Fault::Element(|bits, float| if float.is_nan(bits) { 0 } else { bits })),
    Wrong(
        "zeros of the other sign",
        Fault::Element(|bits, float| if bits & !float.sign() == 0 { bits ^ float.sign() } else { bits }),
    ),
    Wrong("the last bits cut off", Fault::Element(|bits, float| bits & !((1 << (float.mantissa / 2)) - 1))),
    Wrong("the last element left out", Fault::Memory(last)),
    Wrong("the elements reversed", Fault::Memory(reversed)),
    Wrong("the axis beside", Fault::Description(axis)),
    Wrong("invalid descriptions taken", Fault::TakesInvalid),
    Wrong("a refusal of everything", Fault::Refuses(|| Refusal::failed("out of order"))),
    Wrong("no support for anything", Fault::Refuses(|| Refusal::unsupported("nothing is supported"))),
];

/// Returns whether all answers of a device are right, or none is there. Microsoft's page on `DML_BUFFER_TENSOR_DESC` says
/// that DirectML may write any memory within `TotalTensorSizeInBytes` of an output.
pub fn is_right(device: &Wrong) -> bool {
    matches!(device.0, "the software device" | "gaps and padding of outputs overwritten" | "no support for anything")
}

impl Device for Wrong {
    fn feature_level(&self) -> FeatureLevel {
        FeatureLevel::LAST
    }

    fn dispatch(
        &self,
        description: &OperatorDescription,
        buffers: &mut [Vec<u8>],
        inputs: &[Option<Binding>],
        outputs: &[Option<Binding>],
    ) -> Result<(), DeviceError> {
        let software = SoftwareDevice::new(FeatureLevel::LAST);
        match self.1 {
            Fault::None => software.dispatch(description, buffers, inputs, outputs),
            Fault::Refuses(refusal) => Err(DeviceError::NotThere(refusal())),
            Fault::TakesInvalid => match software.dispatch(description, buffers, inputs, outputs) {
                Err(DeviceError::Invalid(_)) => Ok(()),
                done => done,
            },
            Fault::Memory(change) => {
                software.dispatch(description, buffers, inputs, outputs)?;
                change(description, buffers, inputs, outputs);
                Ok(())
            }
            Fault::Element(change) => {
                software.dispatch(description, buffers, inputs, outputs)?;
                elements(description, buffers, outputs, change);
                Ok(())
            }
            Fault::Description(change) => {
                let mut other = description.clone();
                change(&mut other);
                misread(&software, (description, &other), buffers, inputs, outputs)
            }
        }
    }
}

/// Runs another description. Its tensors have buffers of their own, so that it may read more than there is.
fn misread(
    software: &SoftwareDevice,
    (description, other): (&OperatorDescription, &OperatorDescription),
    buffers: &mut [Vec<u8>],
    inputs: &[Option<Binding>],
    outputs: &[Option<Binding>],
) -> Result<(), DeviceError> {
    // What is invalid stays so.
    software.dispatch(description, &mut buffers.to_vec(), inputs, outputs)?;
    let mut own = Vec::new();
    let mut rebound = |bindings: &[Option<Binding>], tensors: Vec<Option<&TensorDescription>>| {
        let bind = |(binding, tensor): (&Option<Binding>, Option<&TensorDescription>)| {
            let (binding, tensor) = (binding.as_ref()?, tensor?);
            let end = (binding.offset + binding.size_in_bytes) as usize;
            let mut bytes = buffers[binding.buffer][binding.offset as usize..end].to_vec();
            bytes.resize(bytes.len().max(tensor.total_size_in_bytes as usize), 0);
            own.push(bytes);
            let size_in_bytes = own[own.len() - 1].len() as u64;
            Some(Binding { buffer: own.len() - 1, offset: 0, size_in_bytes })
        };
        bindings.iter().zip(tensors).map(bind).collect::<Vec<_>>()
    };
    let (inputs, bound) = (rebound(inputs, other.inputs()), rebound(outputs, other.outputs()));
    software.dispatch(other, &mut own, &inputs, &bound)?;
    for ((binding, bound), tensor) in outputs.iter().zip(&bound).zip(description.outputs()) {
        let (Some(binding), Some(bound), Some(tensor)) = (binding, bound, tensor) else { continue };
        let bytes = own[bound.buffer][..tensor.total_size_in_bytes as usize].to_vec();
        binding.write(buffers, &bytes);
    }
    Ok(())
}

/// Changes each tensor of a kind.
fn each(description: &mut OperatorDescription, kind: FieldKind, change: fn(&mut TensorDescription)) {
    let names: Vec<&str> = description.operator().tensors().filter(|f| f.kind == kind).map(|f| &*f.name).collect();
    for name in names {
        match description.get_mut(name) {
            Some(FieldValue::Tensor(tensor)) => change(tensor),
            Some(FieldValue::Tensors(tensors)) => tensors.iter_mut().for_each(change),
            _ => {}
        }
    }
}

fn enlarge(tensor: &mut TensorDescription) {
    let least = tensor.smallest_total_size_in_bytes().unwrap_or(0);
    tensor.total_size_in_bytes = tensor.total_size_in_bytes.max(least);
}

fn packed(tensor: &mut TensorDescription) {
    tensor.strides = None;
    enlarge(tensor);
}

fn unrepeated(tensor: &mut TensorDescription) {
    let is_repeated = tensor.strides.as_ref().is_some_and(|strides| strides.contains(&0));
    if is_repeated {
        packed(tensor);
    }
}

fn transposed(tensor: &mut TensorDescription) {
    let strides: Vec<u32> = tensor.effective_strides().into_iter().map(|stride| stride as u32).collect();
    let strides = tensor.strides.insert(strides);
    let rank = strides.len();
    if rank > 1 {
        strides.swap(rank - 2, rank - 1);
    }
    enlarge(tensor);
}

fn scale_and_bias(description: &mut OperatorDescription) {
    if let Some(FieldValue::Attribute(Attribute::ScaleBias(both))) = description.get_mut("ScaleBias") {
        (both.scale, both.bias) = (both.bias, both.scale);
    }
}

fn no_activation(description: &mut OperatorDescription) {
    if let Some(activation) = description.get_mut("FusedActivation") {
        *activation = FieldValue::Absent;
    }
}

/// Counts axes from the wrong end, or reduces another one.
fn axis(description: &mut OperatorDescription) {
    let rank = description.inputs().into_iter().flatten().map(|tensor| tensor.sizes.len()).max().unwrap_or(1) as u32;
    match description.get_mut("Axis") {
        Some(FieldValue::Attribute(Attribute::Uint(axis))) => *axis = rank - 1 - (*axis).min(rank - 1),
        _ => each(description, FieldKind::InputTensor, |tensor| {
            let strides: Vec<u32> = tensor.effective_strides().into_iter().rev().map(|stride| stride as u32).collect();
            if tensor.sizes.iter().eq(tensor.sizes.iter().rev()) {
                tensor.strides = Some(strides);
            }
        }),
    }
}

fn next(bits: u64, float: Float) -> u64 {
    if bits & !float.sign() >= float.infinity() { bits } else { bits + 1 }
}

fn finite(bits: u64, float: Float) -> u64 {
    if bits & !float.sign() == float.infinity() { bits - 1 } else { bits }
}

fn float(data_type: TensorDataType) -> Option<Float> {
    Some(match data_type {
        TensorDataType::Float16 => Float { bits: 16, mantissa: 10 },
        TensorDataType::Float32 => Float { bits: 32, mantissa: 23 },
        TensorDataType::Float64 => Float { bits: 64, mantissa: 52 },
        _ => return None,
    })
}

/// Returns where the elements of the outputs begin in their buffers, and how many bytes each has.
fn places(description: &OperatorDescription, outputs: &[Option<Binding>]) -> Vec<(usize, Vec<usize>, TensorDataType)> {
    let all = description.outputs().into_iter().zip(outputs);
    let place = |(tensor, binding): (Option<&TensorDescription>, &Option<Binding>)| {
        let (tensor, binding) = (tensor?, (*binding)?);
        let size = tensor.data_type.bits()? as usize / 8;
        let starts = tensor.places().into_iter().map(|place| binding.offset as usize + place * size);
        (size > 0).then(|| (binding.buffer, starts.collect(), tensor.data_type))
    };
    all.filter_map(place).collect()
}

fn elements(
    description: &OperatorDescription,
    buffers: &mut [Vec<u8>],
    outputs: &[Option<Binding>],
    change: fn(u64, Float) -> u64,
) {
    for (buffer, starts, data_type) in places(description, outputs) {
        let Some(float) = float(data_type) else { continue };
        for start in starts {
            let place = &mut buffers[buffer][start..start + float.bits as usize / 8];
            let mut bits = [0; 8];
            bits[..place.len()].copy_from_slice(place);
            let changed = change(u64::from_le_bytes(bits), float).to_le_bytes();
            place.copy_from_slice(&changed[..place.len()]);
        }
    }
}

type Bindings<'a> = &'a [Option<Binding>];

/// Changes all bytes of outputs that belong to no element.
fn gaps(description: &OperatorDescription, buffers: &mut [Vec<u8>], _: Bindings, outputs: Bindings) {
    let tensors: Vec<_> = description.outputs().into_iter().zip(outputs).collect();
    for (tensor, binding) in tensors {
        let (Some(tensor), Some(binding)) = (tensor, binding) else { continue };
        let bits = tensor.data_type.bits().unwrap() as usize;
        let used: std::collections::BTreeSet<usize> =
            tensor.places().into_iter().flat_map(|place| place * bits / 8..(place * bits + bits).div_ceil(8)).collect();
        for at in (0..tensor.total_size_in_bytes as usize).filter(|at| !used.contains(at)) {
            buffers[binding.buffer][binding.offset as usize + at] ^= 0xff;
        }
    }
}

fn behind(description: &OperatorDescription, buffers: &mut [Vec<u8>], _: Bindings, outputs: Bindings) {
    for (tensor, binding) in description.outputs().into_iter().zip(outputs) {
        let (Some(tensor), Some(binding)) = (tensor, binding) else { continue };
        let at = (binding.offset + tensor.total_size_in_bytes) as usize;
        buffers[binding.buffer][at] ^= 1;
    }
}

/// Changes the first byte of the first input, unless an output shares its memory.
fn input(_: &OperatorDescription, buffers: &mut [Vec<u8>], inputs: Bindings, outputs: Bindings) {
    let place = |binding: &Binding| (binding.buffer, binding.offset);
    let shared = |binding: &&Binding| outputs.iter().flatten().any(|output| place(output) == place(binding));
    if let Some(binding) = inputs.iter().flatten().find(|binding| !shared(binding)) {
        buffers[binding.buffer][binding.offset as usize] ^= 1;
    }
}

fn last(description: &OperatorDescription, buffers: &mut [Vec<u8>], _: Bindings, outputs: Bindings) {
    for (buffer, starts, data_type) in places(description, outputs) {
        let size = data_type.bits().unwrap() as usize / 8;
        let start = starts[starts.len() - 1];
        buffers[buffer][start..start + size].fill(0x5a);
    }
}

fn reversed(description: &OperatorDescription, buffers: &mut [Vec<u8>], _: Bindings, outputs: Bindings) {
    for (buffer, starts, data_type) in places(description, outputs) {
        let size = data_type.bits().unwrap() as usize / 8;
        let all: Vec<Vec<u8>> = starts.iter().map(|&at| buffers[buffer][at..at + size].to_vec()).collect();
        for (&at, bytes) in starts.iter().zip(all.iter().rev()) {
            buffers[buffer][at..at + size].copy_from_slice(bytes);
        }
    }
}

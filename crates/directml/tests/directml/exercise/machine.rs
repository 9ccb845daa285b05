//! Runs a draft on a device in one of the layouts that tensors may have, and compares the results with what the
//! exercise expects.

use super::{ANY, Draft, Plain, all};
use plumbline_directml::software::Device;
use plumbline_directml::{Binding, FieldValue, TensorDescription};
use plumbline_spec::directml::{FieldKind, TensorDataType};

/// The layout of tensors in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Layout {
    /// Row-major order without gaps.
    Packed,
    /// Gaps between the elements, and another order of dimensions in every second tensor.
    Gaps,
    /// As `Gaps`, and inputs without fixed contents repeat their first elements along a dimension.
    Repeated,
}

/// The byte that fills a buffer before and after the tensor.
const GUARD: u8 = 0xa5;
const MARGIN: usize = 48;

/// Returns the size of an element in bytes.
fn size(data_type: TensorDataType) -> usize {
    data_type.bits().unwrap() as usize / 8
}

/// Converts a number to this type, and returns its bytes. Floats are rounded, and integers keep their low bits.
pub fn bytes(data_type: TensorDataType, value: f64) -> Vec<u8> {
    if data_type.bits() == Some(4) {
        return vec![value as i128 as u8 & 0xf];
    }
    match data_type {
        TensorDataType::Float16 => half::f16::from_f64(value).to_le_bytes().to_vec(),
        TensorDataType::Float32 => (value as f32).to_le_bytes().to_vec(),
        TensorDataType::Float64 => value.to_le_bytes().to_vec(),
        _ => (value as i128).to_le_bytes()[..size(data_type)].to_vec(),
    }
}

/// Returns the number that these bytes stand for.
pub fn number(data_type: TensorDataType, bytes: &[u8]) -> f64 {
    use TensorDataType::*;
    let shift = 64 - 8 * bytes.len() as u32;
    let bits = bytes.iter().rev().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
    match data_type {
        Float16 => half::f16::from_bits(bits as u16).to_f64(),
        Float32 => f32::from_bits(bits as u32).into(),
        Float64 => f64::from_bits(bits),
        Int8 | Int16 | Int32 | Int64 => ((bits << shift) as i64 >> shift) as f64,
        Int4 => (((bits << 60) as i64) >> 60) as f64,
        _ => bits as f64,
    }
}

/// Returns the position of each element in memory, counted in elements. The list is in row-major order.
fn places(tensor: &TensorDescription) -> Vec<usize> {
    let sizes: Vec<usize> = tensor.sizes.iter().map(|&size| size as usize).collect();
    let strides = tensor.effective_strides();
    all(&sizes).iter().map(|index| index.iter().zip(&strides).map(|(i, s)| i * *s as usize).sum()).collect()
}

/// Returns the bytes of an element. Two elements of 4 bits share a byte; the first of them is in the low half.
fn element(buffer: &[u8], data_type: TensorDataType, place: usize) -> Vec<u8> {
    match data_type.bits() {
        Some(4) => vec![buffer[MARGIN + place / 2] >> (4 * (place % 2)) & 0xf],
        _ => {
            let size = size(data_type);
            buffer[MARGIN + place * size..][..size].to_vec()
        }
    }
}

fn put(buffer: &mut [u8], data_type: TensorDataType, place: usize, value: f64) {
    let bytes = bytes(data_type, value);
    match data_type.bits() {
        Some(4) => {
            let (byte, shift) = (&mut buffer[MARGIN + place / 2], 4 * (place % 2));
            *byte = *byte & !(0xf << shift) | bytes[0] << shift;
        }
        _ => buffer[MARGIN + place * bytes.len()..][..bytes.len()].copy_from_slice(&bytes),
    }
}

/// Returns the tensor in this layout; `number` varies strides and order between tensors.
fn laid(tensor: &TensorDescription, layout: Layout, number: usize, fixed: bool) -> TensorDescription {
    let sizes = tensor.sizes.clone();
    let mut strides = vec![0; sizes.len()];
    let mut stride = 1 + number as u32 % 3;
    // Strides grow from the first dimension on, or from the last.
    let order: Vec<usize> = match number % 2 {
        0 => (0..sizes.len()).collect(),
        _ => (0..sizes.len()).rev().collect(),
    };
    for d in order {
        strides[d] = stride;
        stride = stride * sizes[d] + 1 + number as u32 % 2;
    }
    if layout == Layout::Packed {
        return tensor.clone();
    }
    if layout == Layout::Repeated && !fixed {
        strides[number % sizes.len()] = 0;
    }
    TensorDescription::strided(tensor.data_type, sizes, strides)
}

fn plain(tensor: &TensorDescription, buffer: &[u8]) -> Plain {
    let data = places(tensor).into_iter();
    let data = data.map(|at| number(tensor.data_type, &element(buffer, tensor.data_type, at)));
    Plain { sizes: tensor.sizes.iter().map(|&size| size as usize).collect(), data: data.collect() }
}

/// Changes the layout of every tensor. Outputs and tensors with fixed contents are not repeated.
fn lay_out(draft: &mut Draft, layout: Layout) {
    let names: Vec<(&'static str, bool)> =
        draft.description.operator().tensors().map(|f| (f.name.as_str(), f.kind == FieldKind::OutputTensor)).collect();
    let mut number = 0;
    for (name, output) in names {
        let fixed = output || draft.contents.contains_key(&(name, 0));
        let mut change = |tensor: &mut TensorDescription| {
            *tensor = laid(tensor, layout, number, fixed);
            number += 1;
        };
        match draft.description.get_mut(name).unwrap() {
            FieldValue::Tensor(tensor) => change(tensor),
            FieldValue::Tensors(tensors) => tensors.iter_mut().for_each(change),
            _ => {}
        }
    }
}

/// Runs a draft, and describes what the device did wrong.
pub fn run(
    device: &dyn Device,
    mut draft: Draft,
    layout: Layout,
    evaluate: fn(&Draft) -> Vec<Plain>,
) -> Result<(), String> {
    lay_out(&mut draft, layout);
    let (mut buffers, mut bound) = (Vec::new(), [Vec::new(), Vec::new()]);
    let description = draft.description.clone();
    for (side, kind) in [FieldKind::InputTensor, FieldKind::OutputTensor].into_iter().enumerate() {
        let mut last = ("", 0);
        for (field, tensor) in description.places(kind) {
            let name = field.name.as_str();
            last = if last.0 == name { (name, last.1 + 1) } else { (name, 0) };
            let Some(tensor) = tensor else {
                bound[side].push(None);
                continue;
            };
            let mut buffer = vec![GUARD; tensor.total_size_in_bytes as usize + 2 * MARGIN];
            if side == 0 {
                let given = draft.contents.get(&(name, last.1)).cloned();
                for (i, at) in places(tensor).into_iter().enumerate() {
                    let value = given.as_ref().map_or_else(|| draft.value(tensor.data_type), |given| given[i]);
                    put(&mut buffer, tensor.data_type, at, value);
                }
                draft.read.insert((name, last.1), plain(tensor, &buffer));
            }
            let binding =
                Binding { buffer: buffers.len(), offset: MARGIN as u64, size_in_bytes: tensor.total_size_in_bytes };
            bound[side].push(Some(binding));
            buffers.push(buffer);
        }
    }
    let before = buffers.clone();
    let done = device.dispatch(&description, &mut buffers, &bound[0], &bound[1]);
    done.map_err(|error| format!("{error} ({description:?})"))?;
    let outputs: Vec<&TensorDescription> = description.outputs().into_iter().flatten().collect();
    let first = buffers.len() - outputs.len();
    if buffers[..first] != before[..first] {
        return Err("the device changed an input".to_owned());
    }
    let wanted = evaluate(&draft);
    assert_eq!(
        wanted.len(),
        outputs.len(),
        "the exercise of {} expects a different number of outputs",
        description.name()
    );
    for (at, (tensor, wanted)) in outputs.into_iter().zip(wanted).enumerate() {
        let buffer = &buffers[first + at];
        let end = MARGIN + tensor.total_size_in_bytes as usize;
        if buffer[..MARGIN].iter().chain(&buffer[end..]).any(|&byte| byte != GUARD) {
            return Err("the device writes outside of its output".to_owned());
        }
        let found = plain(tensor, buffer);
        if found.sizes != wanted.sizes {
            return Err(format!("output {at} has Sizes {:?}, expected {:?}", found.sizes, wanted.sizes));
        }
        let close = |at: &usize| close(tensor.data_type, found.data[*at], wanted.data[*at]);
        if let Some(wrong) = (0..wanted.data.len()).find(|at| !close(at)) {
            let (found, wanted) = (found.data[wrong], wanted.data[wrong]);
            let read = &draft.read;
            return Err(format!(
                "element {wrong} of output {at} is {found}, expected {wanted}: {description:?} of {read:?}"
            ));
        }
    }
    Ok(())
}

/// Returns whether a result is correct. Integers must equal the expected number or its low bits. Floats may differ from
/// the expected number by a small fraction of it, or of 1/16 if the expected number is closer to 0 than 1/16.
fn close(data_type: TensorDataType, found: f64, wanted: f64) -> bool {
    if wanted.to_bits() == ANY.to_bits() {
        return true;
    }
    let slack = match data_type {
        TensorDataType::Float16 => 1.0 / 512.0,
        TensorDataType::Float32 => 1.0 / f64::from(1 << 18),
        TensorDataType::Float64 => 1.0 / f64::from(1 << 30),
        // 64-bit integers are compared with the precision of float64.
        _ => return found == wanted || found == number(data_type, &bytes(data_type, wanted)),
    };
    let wanted = number(data_type, &bytes(data_type, wanted));
    found == wanted
        || found.is_nan() && wanted.is_nan()
        || (found - wanted).abs() <= slack * wanted.abs().max(1.0 / 16.0)
}

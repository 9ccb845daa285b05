//! Draws inputs for a whole model, by what it declares.

use std::collections::BTreeMap;

use plumbline_generator::Choices;
use plumbline_judge::hash;
use plumbline_tensor::onnx::{TensorShapeProtoDimensionValue, TypeProto, TypeProtoValue, ValueInfoProto};
use plumbline_tensor::{DType, Tensor, Value, ValueKind, element_count};

use super::MOST_ELEMENTS;

/// The extents that a symbolic one may get; that of the first axis, which is often the batch, gets a small one.
const EXTENTS: [usize; 12] = [4, 8, 16, 32, 48, 64, 96, 128, 192, 320, 512, 576];
const BATCHES: [usize; 2] = [1, 2];

/// The number of extents among which the first try draws.
const FEWEST: usize = 4;

/// Names by which converters declare an extent of which they know nothing.
const UNKNOWN: [&str; 2] = ["", "?"];

/// Draws values by declared types and shapes. Symbolic extents of the same name are equal.
pub(super) struct Extents {
    choices: Choices,
    /// The number of [`EXTENTS`] among which is drawn.
    among: usize,
    named: BTreeMap<String, usize>,
}

impl Extents {
    /// Returns the extents and elements that belong to this text. Small extents are tried first: how large they may be
    /// grows with the number of the try.
    pub fn new(text: &str, number: u64) -> Extents {
        let among = (FEWEST + number as usize).min(EXTENTS.len());
        Extents { choices: Choices::random(hash(text)), among, named: BTreeMap::new() }
    }

    /// Draws a value for what is declared. Returns `None` if the declaration has no shape, or if the value is too large
    /// for a case or no tensor.
    pub fn value(&mut self, declared: &ValueInfoProto) -> Option<Value> {
        let type_ = declared.r#type.as_ref()?;
        let ValueKind::Tensor(dtype) = ValueKind::from_proto(type_)? else { return None };
        let shape = self.shape(type_)?;
        let count = element_count(&shape).filter(|count| *count <= MOST_ELEMENTS)?;
        self.tensor(dtype, shape, count).map(Value::Tensor)
    }

    fn shape(&mut self, type_: &TypeProto) -> Option<Vec<usize>> {
        let Some(TypeProtoValue::TensorType(tensor)) = &type_.value else { return None };
        let dims = tensor.shape.as_ref()?.dim.iter().enumerate();
        let extent = |(axis, dim): (usize, &plumbline_tensor::onnx::TensorShapeProtoDimension)| match &dim.value {
            Some(TensorShapeProtoDimensionValue::DimValue(extent)) if *extent > 0 => usize::try_from(*extent).ok(),
            Some(TensorShapeProtoDimensionValue::DimParam(name)) if !UNKNOWN.contains(&name.as_str()) => {
                if let Some(known) = self.named.get(name) {
                    return Some(*known);
                }
                let drawn = self.extent(axis);
                self.named.insert(name.clone(), drawn);
                Some(drawn)
            }
            // Zero and negative extents stand for unknown ones in what converters write.
            _ => Some(self.extent(axis)),
        };
        dims.map(extent).collect()
    }

    fn extent(&mut self, axis: usize) -> usize {
        let extents = if axis == 0 { &BATCHES[..] } else { &EXTENTS[..self.among] };
        extents[self.choices.below(extents.len() as u64) as usize]
    }

    /// Draws floats between -1 and 1, integers below 10, bools, and short strings.
    fn tensor(&mut self, dtype: DType, shape: Vec<usize>, count: usize) -> Option<Tensor> {
        match dtype {
            DType::Bool => Tensor::from_bits(dtype, shape, self.choices.block(count, 2).into_iter()).ok(),
            DType::String => {
                let text = |letter: u64| vec![b'a' + letter as u8];
                Tensor::from_strings(shape, self.choices.block(count, 26).into_iter().map(text).collect()).ok()
            }
            DType::Complex64 | DType::Complex128 => None,
            dtype if dtype.is_float() => {
                let number = |step: u64| step as f64 / 1024.0 - 1.0;
                let numbers: Vec<f64> = self.choices.block(count, 2049).into_iter().map(number).collect();
                Tensor::from_f64s(dtype, shape, &numbers).ok()
            }
            dtype => {
                let most = dtype.integer_range().map_or(9, |(_, high)| high.min(9));
                let numbers = self.choices.block(count, most as u64 + 1);
                Tensor::from_i128s(dtype, shape, &numbers.into_iter().map(i128::from).collect::<Vec<_>>()).ok()
            }
        }
    }
}

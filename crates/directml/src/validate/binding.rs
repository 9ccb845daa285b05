//! Checks bindings: buffers, offsets and sizes.

use super::{Rule, Violation};
use crate::description::OperatorDescription;
use plumbline_spec::directml::{DirectMl, FeatureLevel, FieldKind};

/// A part of a buffer: `DML_BUFFER_BINDING`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Binding {
    /// The index of the buffer.
    pub buffer: usize,
    /// The first byte.
    pub offset: u64,
    /// The number of bytes.
    pub size_in_bytes: u64,
}

impl Binding {
    /// Writes `bytes` to the start of the binding. The caller has checked that the binding lies in its buffer and is
    /// large enough.
    pub fn write(&self, buffers: &mut [Vec<u8>], bytes: &[u8]) {
        let start = self.offset as usize;
        buffers[self.buffer][start..start + bytes.len()].copy_from_slice(bytes);
    }
}

/// Returns everything that DirectML refuses in the bindings of an operator's inputs or outputs. `buffers` holds the
/// sizes of the buffers in bytes.
pub fn binding_violations(
    description: &OperatorDescription,
    kind: FieldKind,
    bindings: &[Option<Binding>],
    buffers: &[u64],
    level: FeatureLevel,
) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut add = |field: &str, message: String| {
        let (operator, field) = (description.name().to_owned(), field.to_owned());
        found.push(Violation {
            rule: Rule::Binding,
            operator,
            field,
            found: message,
            allowed: String::new(),
            level,
            available_from: None,
        });
    };
    let places = description.places(kind);
    if places.len() != bindings.len() {
        let (given, count) = (bindings.len(), places.len());
        add("", format!("{given} bindings were given for {count} tensors (including tensors that are left out)"));
    }
    let least = DirectMl::embedded().constant("DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT").unwrap_or(16);
    for (place, binding) in places.iter().zip(bindings) {
        let name = &place.0.name;
        let (tensor, binding) = match (place.1, binding) {
            (Some(tensor), Some(binding)) => (tensor, binding),
            (None, None) => continue,
            (Some(_), None) => {
                add(name, "nothing is bound to it".to_owned());
                continue;
            }
            (None, Some(_)) => {
                add(name, "a buffer is bound to it, but the tensor is left out".to_owned());
                continue;
            }
        };
        let alignment = least.max(tensor.guaranteed_base_offset_alignment.into());
        if !binding.offset.is_multiple_of(alignment) {
            add(name, format!("is bound at offset {}, which is not a multiple of {alignment}", binding.offset));
        }
        if binding.size_in_bytes < tensor.total_size_in_bytes {
            let total = tensor.total_size_in_bytes;
            add(name, format!("{} bytes are bound, but TotalTensorSizeInBytes is {total}", binding.size_in_bytes));
        }
        let end = binding.offset.checked_add(binding.size_in_bytes);
        match buffers.get(binding.buffer) {
            None => add(name, format!("is bound to buffer {}, which does not exist", binding.buffer)),
            Some(&size) if end.is_none_or(|end| end > size) => {
                add(name, format!("is bound beyond the end of a buffer of {size} bytes"));
            }
            Some(_) => {}
        }
    }
    found
}

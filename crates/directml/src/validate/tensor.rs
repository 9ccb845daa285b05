//! Checks the rules that hold for every tensor of every operator.

use super::{Findings, Place, Rule};
use crate::tensor::{TensorDescription, TensorFlags};
use plumbline_spec::directml::{FieldKind, TensorDataType};

pub(super) fn check(findings: &mut Findings, place: &Place) {
    let (tensor, label) = (place.tensor, place.label.as_str());
    let output = place.field.kind == FieldKind::OutputTensor;
    if tensor.data_type == TensorDataType::Unknown {
        findings.add(Rule::DataType, label, "DataType is UNKNOWN", "");
    }
    let narrow = [TensorDataType::Uint4, TensorDataType::Int4].contains(&tensor.data_type);
    if narrow && !["QUANTIZE", "DEQUANTIZE"].contains(&findings.description.name()) {
        let found = format!("DataType is {}, which only QUANTIZE and DEQUANTIZE take", tensor.data_type);
        findings.add(Rule::DataType, label, found, "");
    }
    if let Some(at) = tensor.sizes.iter().position(|&size| size == 0) {
        findings.add(Rule::ZeroSize, label, format!("Sizes[{at}] is 0, but sizes must be positive"), "");
    }
    if tensor.element_count().is_none_or(|count| count > u64::from(u32::MAX)) {
        let found = format!("Sizes {:?} have more than 2^32 - 1 elements", tensor.sizes);
        findings.add(Rule::Overflow, label, found, "");
    }
    let strides = tensor.strides.as_ref().map(Vec::len);
    if strides.is_some_and(|strides| strides != tensor.sizes.len()) {
        let found = format!("has {} strides but {} sizes", strides.unwrap_or(0), tensor.sizes.len());
        findings.add(Rule::Strides, label, found, "");
    } else if !tensor.sizes.contains(&0) {
        size(findings, tensor, label);
        if output && overlaps(tensor) {
            let found =
                format!("Strides {:?} give several elements of an output the same place", tensor.strides.as_deref());
            findings.add(Rule::Overlap, label, found.replace("Some(", "").replace(')', ""), "");
        }
    }
    let (alignment, element) =
        (tensor.guaranteed_base_offset_alignment, tensor.data_type.bits().unwrap_or(8).div_ceil(8));
    if alignment != 0 && (!alignment.is_power_of_two() || alignment < element) {
        let found = format!("GuaranteedBaseOffsetAlignment is {alignment}");
        findings.add(Rule::Alignment, label, found, format!("0 or a power of two, {element} at least"));
    }
    if tensor.flags.0 & !TensorFlags::OWNED_BY_DML.0 != 0 {
        findings.add(Rule::Flags, label, format!("Flags are {:#x}", tensor.flags.0), "NONE, OWNED_BY_DML");
    }
    if output && tensor.flags.is_owned_by_dml() {
        findings.add(Rule::Flags, label, "Flags are OWNED_BY_DML, which only inputs may have", "");
    }
}

fn size(findings: &mut Findings, tensor: &TensorDescription, label: &str) {
    if tensor.data_type == TensorDataType::Unknown {
        return;
    }
    match tensor.smallest_total_size_in_bytes() {
        None => {
            let found = format!("Sizes {:?} and Strides {:?} overflow", tensor.sizes, tensor.effective_strides());
            findings.add(Rule::Overflow, label, found, "");
        }
        Some(least) if tensor.total_size_in_bytes < least => {
            let found = format!("TotalTensorSizeInBytes is {}", tensor.total_size_in_bytes);
            findings.add(Rule::TotalSize, label, found, format!("{least} or more"));
        }
        Some(_) => {}
    }
}

/// The largest number of elements for which all addresses are compared.
const MOST_PLACES: u64 = 1 << 16;

/// Returns whether two elements share a place in memory. For large tensors whose dimensions are interleaved, the answer
/// is always yes.
fn overlaps(tensor: &TensorDescription) -> bool {
    let Some(strides) = &tensor.strides else { return false };
    let mut dims: Vec<(u64, u64)> = strides.iter().zip(&tensor.sizes).map(|(&s, &n)| (s.into(), n.into())).collect();
    dims.retain(|&(_, size)| size > 1);
    dims.sort_unstable();
    // The dimensions are now in ascending order of their strides. No elements overlap if each stride is larger than the
    // distance that all earlier dimensions span together.
    let mut reached = 0u64;
    let apart = dims.iter().all(|&(stride, size)| {
        let over = stride > reached;
        reached = reached.saturating_add((size - 1).saturating_mul(stride));
        over
    });
    if apart {
        return false;
    }
    let Some(count) = tensor.element_count().filter(|&count| count <= MOST_PLACES) else { return true };
    let mut places = vec![0u64];
    for (stride, size) in dims {
        places =
            places.iter().flat_map(|&at| (0..size).map(move |i| at.saturating_add(i.saturating_mul(stride)))).collect();
    }
    places.sort_unstable();
    places.dedup();
    places.len() as u64 != count
}

#[cfg(test)]
mod tests {
    use super::*;
    use TensorDataType::Float32;

    #[test]
    fn overlapping_strides_are_found() {
        let overlap = |sizes: &[u32], strides: &[u32]| overlaps(&TensorDescription::strided(Float32, sizes, strides));
        assert!(!overlap(&[2, 3], &[3, 1]));
        assert!(!overlap(&[2, 3], &[1, 2]));
        assert!(!overlap(&[2, 3], &[3, 2]));
        assert!(!overlap(&[1, 3], &[0, 1]));
        assert!(overlap(&[2, 3], &[0, 1]));
        assert!(overlap(&[2, 3], &[2, 1]));
        assert!(overlap(&[3, 4], &[3, 2]));
        assert!(!overlaps(&TensorDescription::packed(Float32, [4, 3])));
    }
}

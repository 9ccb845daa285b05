//! The columns of the matrix: element types, those that belong together side by side.

use plumbline_tensor::{DType, DTypeKind};

/// The sort key of an element type: floats, integers, the rest; wide before narrow.
pub(super) fn order(dtype: DType) -> usize {
    sorted().iter().position(|&other| other == dtype).unwrap_or(usize::MAX)
}

/// Every element type in the order of the matrix.
pub(super) fn sorted() -> Vec<DType> {
    let mut dtypes = DType::ALL.to_vec();
    dtypes.sort_by_key(|&dtype| {
        // bfloat16 after float16, and the narrow floats by their names.
        (family(dtype), std::cmp::Reverse(dtype.bits()), dtype == DType::Bfloat16, dtype.name())
    });
    dtypes
}

/// A number for each group of columns that a line separates.
pub(super) fn family(dtype: DType) -> u8 {
    match dtype.kind() {
        DTypeKind::Float if dtype.bits().is_some_and(|bits| bits >= 16) => 0,
        DTypeKind::Float => 1,
        DTypeKind::SignedInteger => 2,
        DTypeKind::UnsignedInteger => 3,
        DTypeKind::Bool | DTypeKind::String | DTypeKind::Complex => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_its_column() {
        let names: Vec<_> = sorted().iter().map(|dtype| dtype.name()).collect();
        assert_eq!(names.len(), DType::ALL.len());
        assert_eq!(names[..4], ["double", "float", "float16", "bfloat16"]);
        assert!(DType::ALL.iter().all(|&dtype| order(dtype) < names.len()));
        let families: Vec<_> = sorted().into_iter().map(family).collect();
        assert!(families.is_sorted());
    }
}

//! The columns of the matrix: one for each element type, with related types next to each other.

use plumbline_tensor::{DType, DTypeKind};

/// Returns the position of an element type in the matrix: floats, then integers, then the others, and wide types before
/// narrow ones.
pub(super) fn order(dtype: DType) -> usize {
    sorted().iter().position(|&other| other == dtype).unwrap_or(usize::MAX)
}

/// Returns every element type in the order of the matrix.
pub(super) fn sorted() -> Vec<DType> {
    let mut dtypes = DType::ALL.to_vec();
    dtypes.sort_by_key(|&dtype| {
        // bfloat16 comes after float16, and types of the same width are sorted by name.
        (family(dtype), std::cmp::Reverse(dtype.bits()), dtype == DType::Bfloat16, dtype.name())
    });
    dtypes
}

/// Returns the number of the column group. A line separates the groups.
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
    fn every_type_has_a_column() {
        let names: Vec<_> = sorted().iter().map(|dtype| dtype.name()).collect();
        assert_eq!(names.len(), DType::ALL.len());
        assert_eq!(names[..4], ["double", "float", "float16", "bfloat16"]);
        assert!(DType::ALL.iter().all(|&dtype| order(dtype) < names.len()));
        let families: Vec<_> = sorted().into_iter().map(family).collect();
        assert!(families.is_sorted());
    }
}

//! The columns of the matrix: one for each element type, with related types next to each other.

use std::sync::LazyLock;

use plumbline_tensor::{DType, DTypeKind};

/// Every element type in the order of the matrix.
static SORTED: LazyLock<Vec<DType>> = LazyLock::new(|| {
    let mut dtypes = DType::ALL.to_vec();
    dtypes.sort_by_key(|&dtype| {
        // bfloat16 comes after float16, and types of the same width are sorted by name.
        (family(dtype), std::cmp::Reverse(dtype.bits()), dtype == DType::Bfloat16, dtype.name())
    });
    dtypes
});

/// Returns the position of an element type in the matrix. The column groups are in the order of their numbers
/// ([`family`]). In each group, wide types come before narrow ones.
pub(crate) fn order(dtype: DType) -> usize {
    sorted().iter().position(|&other| other == dtype).unwrap_or(usize::MAX)
}

/// Returns every element type in the order of the matrix.
pub(super) fn sorted() -> &'static [DType] {
    &SORTED
}

/// Returns the number of the column group that an element type belongs to. A line separates the groups.
pub(super) fn family(dtype: DType) -> u8 {
    match dtype.kind() {
        DTypeKind::Float if dtype.bits().is_some_and(|bits| bits >= 16) => 0,
        DTypeKind::Float => 1,
        DTypeKind::SignedInteger => 2,
        DTypeKind::UnsignedInteger => 3,
        DTypeKind::Bool | DTypeKind::String | DTypeKind::Complex => 4,
    }
}

/// Returns the name of a column group.
pub(super) fn kind_name(dtype: DType) -> &'static str {
    ["float", "narrow float", "signed", "unsigned", "other"][usize::from(family(dtype).min(4))]
}

/// Returns a name of at most nine characters for the head of a column. The name may be broken at a space.
pub(super) fn short(dtype: DType) -> String {
    let name = dtype.name();
    let narrow =
        |name: &str| name.strip_suffix("fnuz").map(|rest| format!("{rest} fnuz")).unwrap_or_else(|| name.to_owned());
    match name {
        "double" => "f64".to_owned(),
        "float" => "f32".to_owned(),
        "float16" => "f16".to_owned(),
        "bfloat16" => "bf16".to_owned(),
        "string" => "str".to_owned(),
        "complex64" => "c64".to_owned(),
        "complex128" => "c128".to_owned(),
        _ => match (name.strip_prefix("uint"), name.strip_prefix("int"), name.strip_prefix("float")) {
            (Some(bits), _, _) => format!("u{bits}"),
            (_, Some(bits), _) => format!("i{bits}"),
            (_, _, Some(format)) => narrow(format.split_once('e').map_or(format, |(_, _)| &format[1..])),
            _ => name.to_owned(),
        },
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
        let families: Vec<_> = sorted().iter().copied().map(family).collect();
        assert!(families.is_sorted());
        let shorts: std::collections::BTreeSet<String> = sorted().iter().copied().map(short).collect();
        assert_eq!(shorts.len(), names.len(), "two columns have the same name: {shorts:?}");
        assert!(shorts.iter().all(|short| short.len() <= 9), "{shorts:?}");
    }
}

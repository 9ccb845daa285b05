//! The words of the syntax that name types of attributes and of values.

use crate::DType;

/// The names of the types in `AttributeProto.AttributeType`, each at the index that equals its number.
const NAMES: [&str; 15] = [
    "undefined",
    "float",
    "int",
    "string",
    "tensor",
    "graph",
    "floats",
    "ints",
    "strings",
    "tensors",
    "graphs",
    "sparse_tensor",
    "sparse_tensors",
    "type_proto",
    "type_protos",
];

pub(super) const FLOAT: i32 = 1;
pub(super) const INT: i32 = 2;
pub(super) const STRING: i32 = 3;
pub(super) const TENSOR: i32 = 4;
pub(super) const GRAPH: i32 = 5;
pub(super) const FLOATS: i32 = 6;
pub(super) const INTS: i32 = 7;
pub(super) const STRINGS: i32 = 8;
pub(super) const TENSORS: i32 = 9;
pub(super) const GRAPHS: i32 = 10;
pub(super) const SPARSE_TENSOR: i32 = 11;
pub(super) const SPARSE_TENSORS: i32 = 12;
pub(super) const TYPE_PROTO: i32 = 13;
pub(super) const TYPE_PROTOS: i32 = 14;

/// The list types, each with the type of its items.
const LISTS: [(i32, i32); 7] = [
    (FLOATS, FLOAT),
    (INTS, INT),
    (STRINGS, STRING),
    (TENSORS, TENSOR),
    (GRAPHS, GRAPH),
    (SPARSE_TENSORS, SPARSE_TENSOR),
    (TYPE_PROTOS, TYPE_PROTO),
];

/// Returns the name of an attribute's type, or `None` for 0 and numbers that ONNX does not define.
pub(super) fn attribute_type_name(kind: i32) -> Option<&'static str> {
    NAMES.get(usize::try_from(kind).ok()?).copied().filter(|_| kind > 0)
}

/// Returns the attribute's type with this name.
pub(super) fn attribute_type(name: &str) -> Option<i32> {
    (1..).zip(&NAMES[1..]).find(|(_, n)| **n == name).map(|(kind, _)| kind)
}

/// Returns the type of the items of a list, or `None` if the type is not a list.
pub(super) fn item_of(kind: i32) -> Option<i32> {
    LISTS.iter().find(|(list, _)| *list == kind).map(|&(_, item)| item)
}

/// Returns the type of a list with items of this type.
pub(super) fn list_of(kind: i32) -> Option<i32> {
    LISTS.iter().find(|(_, item)| *item == kind).map(|&(list, _)| list)
}

/// Returns the element type with this name. Unlike in [`DType::from_name`], case matters, as in ONNX.
pub(super) fn element_type(name: &str) -> Option<DType> {
    DType::ALL.into_iter().find(|dtype| dtype.name() == name)
}

/// Returns whether a type can begin with this word.
pub(super) fn begins_type(word: &str) -> bool {
    element_type(word).is_some() || matches!(word, "seq" | "map" | "optional" | "sparse_tensor" | "opaque")
}

/// Returns whether a word is a special float: `inf`, `infinity` or `nan`. Ignores case.
pub(super) fn is_special_float(word: &str) -> bool {
    ["inf", "infinity", "nan"].iter().any(|special| special.eq_ignore_ascii_case(word))
}

/// Returns whether a name is an identifier: ASCII letters, digits and `_`, not beginning with a digit.
pub(super) fn is_identifier(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

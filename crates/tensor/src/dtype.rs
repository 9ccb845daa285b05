//! The 28 element types of ONNX.

use crate::float_format::FloatFormat;

/// The element type of a tensor. The discriminant is ONNX's `TensorProto.DataType` number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "std::string::String", into = "std::string::String")]
#[allow(missing_docs)]
#[repr(u8)]
pub enum DType {
    Float = 1,
    Uint8 = 2,
    Int8 = 3,
    Uint16 = 4,
    Int16 = 5,
    Int32 = 6,
    Int64 = 7,
    String = 8,
    Bool = 9,
    Float16 = 10,
    Double = 11,
    Uint32 = 12,
    Uint64 = 13,
    Complex64 = 14,
    Complex128 = 15,
    Bfloat16 = 16,
    Float8e4m3fn = 17,
    Float8e4m3fnuz = 18,
    Float8e5m2 = 19,
    Float8e5m2fnuz = 20,
    Uint4 = 21,
    Int4 = 22,
    Float4e2m1 = 23,
    Float8e8m0 = 24,
    Uint2 = 25,
    Int2 = 26,
    Float6e2m3 = 27,
    Float6e3m2 = 28,
}

/// The kind of number or value that an element type holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DTypeKind {
    /// A binary floating-point number.
    Float,
    /// A two's complement integer.
    SignedInteger,
    /// An unsigned integer.
    UnsignedInteger,
    /// True or false.
    Bool,
    /// A pair of floating-point numbers.
    Complex,
    /// A string of bytes.
    String,
}

use DType::*;

impl DType {
    /// All element types, in the order of ONNX's numbers.
    pub const ALL: [DType; 28] = [
        Float,
        Uint8,
        Int8,
        Uint16,
        Int16,
        Int32,
        Int64,
        String,
        Bool,
        Float16,
        Double,
        Uint32,
        Uint64,
        Complex64,
        Complex128,
        Bfloat16,
        Float8e4m3fn,
        Float8e4m3fnuz,
        Float8e5m2,
        Float8e5m2fnuz,
        Uint4,
        Int4,
        Float4e2m1,
        Float8e8m0,
        Uint2,
        Int2,
        Float6e2m3,
        Float6e3m2,
    ];

    /// Returns ONNX's number of this type (`TensorProto.DataType`).
    pub fn code(self) -> i32 {
        self as i32
    }

    /// Returns the type with this `TensorProto.DataType` number.
    pub fn from_code(code: impl TryInto<usize>) -> Option<DType> {
        let index = code.try_into().ok()?.checked_sub(1)?;
        DType::ALL.get(index).copied()
    }

    /// Returns the name that ONNX writes inside `tensor(...)`.
    pub fn name(self) -> &'static str {
        match self {
            Float => "float",
            Uint8 => "uint8",
            Int8 => "int8",
            Uint16 => "uint16",
            Int16 => "int16",
            Int32 => "int32",
            Int64 => "int64",
            String => "string",
            Bool => "bool",
            Float16 => "float16",
            Double => "double",
            Uint32 => "uint32",
            Uint64 => "uint64",
            Complex64 => "complex64",
            Complex128 => "complex128",
            Bfloat16 => "bfloat16",
            Float8e4m3fn => "float8e4m3fn",
            Float8e4m3fnuz => "float8e4m3fnuz",
            Float8e5m2 => "float8e5m2",
            Float8e5m2fnuz => "float8e5m2fnuz",
            Uint4 => "uint4",
            Int4 => "int4",
            Float4e2m1 => "float4e2m1",
            Float8e8m0 => "float8e8m0",
            Uint2 => "uint2",
            Int2 => "int2",
            Float6e2m3 => "float6e2m3",
            Float6e3m2 => "float6e3m2",
        }
    }

    /// Returns the type with this name. Ignores case, because Cast-1 names types as `FLOAT`.
    pub fn from_name(name: &str) -> Option<DType> {
        DType::ALL.into_iter().find(|d| d.name().eq_ignore_ascii_case(name))
    }

    /// Returns the kind of number or value that an element holds.
    #[inline]
    pub fn kind(self) -> DTypeKind {
        match self {
            Float | Double | Float16 | Bfloat16 | Float8e4m3fn | Float8e4m3fnuz | Float8e5m2 | Float8e5m2fnuz
            | Float4e2m1 | Float8e8m0 | Float6e2m3 | Float6e3m2 => DTypeKind::Float,
            Int8 | Int16 | Int32 | Int64 | Int4 | Int2 => DTypeKind::SignedInteger,
            Uint8 | Uint16 | Uint32 | Uint64 | Uint4 | Uint2 => DTypeKind::UnsignedInteger,
            Bool => DTypeKind::Bool,
            Complex64 | Complex128 => DTypeKind::Complex,
            String => DTypeKind::String,
        }
    }

    /// Returns the number of bits of one element as ONNX packs it, or `None` for strings.
    #[inline]
    pub fn bits(self) -> Option<u32> {
        Some(match self {
            String => return None,
            Complex128 => 128,
            Double | Int64 | Uint64 | Complex64 => 64,
            Float | Int32 | Uint32 => 32,
            Float16 | Bfloat16 | Int16 | Uint16 => 16,
            Uint8 | Int8 | Bool | Float8e4m3fn | Float8e4m3fnuz | Float8e5m2 | Float8e5m2fnuz | Float8e8m0 => 8,
            Float6e2m3 | Float6e3m2 => 6,
            Uint4 | Int4 | Float4e2m1 => 4,
            Uint2 | Int2 => 2,
        })
    }

    /// Returns the number of bytes of one element in a [`crate::Tensor`], or 0 for strings. Types smaller than a byte
    /// take a whole byte.
    #[inline]
    pub fn size(self) -> usize {
        self.bits().map_or(0, |bits| bits.div_ceil(8) as usize)
    }

    /// Returns whether elements are binary floating-point numbers.
    #[inline]
    pub fn is_float(self) -> bool {
        self.kind() == DTypeKind::Float
    }

    /// Returns whether elements are integers. Bool is not an integer.
    #[inline]
    pub fn is_integer(self) -> bool {
        matches!(self.kind(), DTypeKind::SignedInteger | DTypeKind::UnsignedInteger)
    }

    /// Returns whether elements are signed integers.
    pub fn is_signed_integer(self) -> bool {
        self.kind() == DTypeKind::SignedInteger
    }

    /// Returns the smallest and largest value of an integer type, or `None` for other types. Bool counts as 0 to 1.
    pub fn integer_range(self) -> Option<(i128, i128)> {
        let bits = self.bits()?;
        match self.kind() {
            DTypeKind::SignedInteger => Some((-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)),
            DTypeKind::UnsignedInteger => Some((0, (1i128 << bits) - 1)),
            DTypeKind::Bool => Some((0, 1)),
            _ => None,
        }
    }

    /// Returns the layout of a floating-point type, or `None` for other types.
    #[inline]
    pub fn float_format(self) -> Option<&'static FloatFormat> {
        FloatFormat::for_dtype(self)
    }
}

impl std::fmt::Display for DType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl TryFrom<std::string::String> for DType {
    type Error = std::string::String;
    fn try_from(name: std::string::String) -> Result<DType, Self::Error> {
        DType::from_name(&name).ok_or_else(|| format!("`{name}` is not an ONNX element type"))
    }
}

impl From<DType> for std::string::String {
    fn from(dtype: DType) -> Self {
        dtype.name().to_owned()
    }
}

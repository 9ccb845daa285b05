//! DirectML's element types.

use super::level::FeatureLevel;
use super::names::name_error;
use plumbline_tensor::DType;
use std::fmt;
use std::str::FromStr;

/// The element type of a tensor. The discriminant is its number in `DML_TENSOR_DATA_TYPE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize, serde::Serialize)]
#[serde(try_from = "String", into = "String")]
#[allow(missing_docs)]
#[repr(u8)]
pub enum TensorDataType {
    /// The number that stands for no type. No tensor has it.
    Unknown = 0,
    Float32 = 1,
    Float16 = 2,
    Uint32 = 3,
    Uint16 = 4,
    Uint8 = 5,
    Int32 = 6,
    Int16 = 7,
    Int8 = 8,
    Float64 = 9,
    Uint64 = 10,
    Int64 = 11,
    /// Two elements share a byte, the first in its lower half. Only QUANTIZE and DEQUANTIZE take this type.
    Uint4 = 12,
    /// Two elements share a byte, the first in its lower half. Only QUANTIZE and DEQUANTIZE take this type.
    Int4 = 13,
}

use TensorDataType::*;

/// The prefix of the names in `DML_TENSOR_DATA_TYPE`.
const PREFIX: &str = "DML_TENSOR_DATA_TYPE_";

impl TensorDataType {
    /// All types, in the order of their numbers.
    pub const ALL: [TensorDataType; 14] =
        [Unknown, Float32, Float16, Uint32, Uint16, Uint8, Int32, Int16, Int8, Float64, Uint64, Int64, Uint4, Int4];

    /// Returns the short name: `FLOAT32`.
    pub fn name(self) -> &'static str {
        match self {
            Unknown => "UNKNOWN",
            Float32 => "FLOAT32",
            Float16 => "FLOAT16",
            Uint32 => "UINT32",
            Uint16 => "UINT16",
            Uint8 => "UINT8",
            Int32 => "INT32",
            Int16 => "INT16",
            Int8 => "INT8",
            Float64 => "FLOAT64",
            Uint64 => "UINT64",
            Int64 => "INT64",
            Uint4 => "UINT4",
            Int4 => "INT4",
        }
    }

    /// Returns the full name: `DML_TENSOR_DATA_TYPE_FLOAT32`.
    pub fn full_name(self) -> String {
        format!("{PREFIX}{self}")
    }

    /// Returns the number in `DML_TENSOR_DATA_TYPE`.
    pub fn value(self) -> u32 {
        u32::from(self as u8)
    }

    /// Returns the type with this number.
    pub fn from_value(value: u32) -> Option<TensorDataType> {
        TensorDataType::ALL.into_iter().find(|known| known.value() == value)
    }

    /// Returns the number of bits of one element, or `None` for [`TensorDataType::Unknown`].
    pub fn bits(self) -> Option<u32> {
        match self {
            Unknown => None,
            Uint4 | Int4 => Some(4),
            Uint8 | Int8 => Some(8),
            Float16 | Uint16 | Int16 => Some(16),
            Float32 | Uint32 | Int32 => Some(32),
            Float64 | Uint64 | Int64 => Some(64),
        }
    }

    /// Returns whether it is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Float16 | Float32 | Float64)
    }

    /// Returns whether it is an integer type without negative values.
    pub fn is_unsigned(self) -> bool {
        matches!(self, Uint4 | Uint8 | Uint16 | Uint32 | Uint64)
    }

    /// Returns the first feature level that has the type.
    pub fn introduced(self) -> FeatureLevel {
        match self {
            Float64 | Uint64 | Int64 => FeatureLevel::V3_0,
            Uint4 | Int4 => FeatureLevel::V6_3,
            _ => FeatureLevel::V1_0,
        }
    }

    /// Returns the type that carries an element type of ONNX. UINT8 carries a bool. No type carries strings, complex
    /// numbers, bfloat16, floats of 8 bits or fewer, or integers of 2 bits.
    pub fn of_onnx(dtype: DType) -> Option<TensorDataType> {
        Some(match dtype {
            DType::Float => Float32,
            DType::Float16 => Float16,
            DType::Double => Float64,
            DType::Bool | DType::Uint8 => Uint8,
            DType::Uint16 => Uint16,
            DType::Uint32 => Uint32,
            DType::Uint64 => Uint64,
            DType::Int8 => Int8,
            DType::Int16 => Int16,
            DType::Int32 => Int32,
            DType::Int64 => Int64,
            DType::Uint4 => Uint4,
            DType::Int4 => Int4,
            _ => return None,
        })
    }
}

impl fmt::Display for TensorDataType {
    /// Writes the short name: `FLOAT32`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

name_error!(DataTypeError, "`{text}` is not a tensor data type; there are {}", TensorDataType::ALL);

impl FromStr for TensorDataType {
    type Err = DataTypeError;

    /// Reads `FLOAT32` and `DML_TENSOR_DATA_TYPE_FLOAT32`.
    fn from_str(text: &str) -> Result<TensorDataType, DataTypeError> {
        let name = text.strip_prefix(PREFIX).unwrap_or(text);
        let found = TensorDataType::ALL.into_iter().find(|known| known.name() == name);
        found.ok_or_else(|| DataTypeError { text: text.to_owned() })
    }
}

impl TryFrom<String> for TensorDataType {
    type Error = DataTypeError;

    /// Accepts only the short spelling, which files use: `FLOAT32`.
    fn try_from(text: String) -> Result<TensorDataType, DataTypeError> {
        text.parse().ok().filter(|known: &TensorDataType| known.name() == text).ok_or(DataTypeError { text })
    }
}

impl From<TensorDataType> for String {
    fn from(value: TensorDataType) -> String {
        value.name().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_in_every_spelling() {
        for (number, known) in TensorDataType::ALL.into_iter().enumerate() {
            assert_eq!(known.name().parse::<TensorDataType>().unwrap(), known);
            assert_eq!(known.full_name().parse::<TensorDataType>().unwrap(), known);
            assert_eq!((known.value() as usize, TensorDataType::from_value(known.value())), (number, Some(known)));
        }
        for text in ["", "float32", "FLOAT", "BOOL", "DML_FLOAT32"] {
            assert!(text.parse::<TensorDataType>().is_err(), "{text}");
        }
        assert!(TensorDataType::try_from("DML_TENSOR_DATA_TYPE_INT8".to_owned()).is_err());
    }

    #[test]
    fn types_have_as_many_bits_as_the_onnx_types_that_they_carry() {
        let carried: Vec<DType> = DType::ALL.into_iter().filter(|&d| TensorDataType::of_onnx(d).is_some()).collect();
        assert_eq!(carried.len(), 14, "{carried:?}");
        for dtype in carried.into_iter().filter(|&dtype| dtype != DType::Bool) {
            assert_eq!(TensorDataType::of_onnx(dtype).and_then(TensorDataType::bits), dtype.bits());
        }
    }
}

//! Element types: runs code with the Rust type of an element type, and converts numbers.

use plumbline_cpu::element::Number;
use plumbline_graph::Refusal;
use plumbline_spec::directml::TensorDataType;
use plumbline_tensor::DType;

use super::memory::Raw;

/// Runs the body with the Rust type of an element type. Refuses element types that are not in the list.
macro_rules! typed {
    ($dtype:expr, $t:ident => $body:expr, $($name:ident: $rust:ty),*) => {
        match $dtype {
            $(::plumbline_tensor::DType::$name => {
                type $t = $rust;
                $body
            })*
            other => return Err(::plumbline_cpu::element::unsupported_type(other).into()),
        }
    };
}

/// Runs the body with the Rust type of a floating-point element type.
macro_rules! floats {
    ($dtype:expr, $t:ident => $body:expr) => {
        $crate::software::types::typed!($dtype, $t => $body, Float: f32, Double: f64, Float16: ::half::f16)
    };
}

/// Runs the body with the type in which products of a floating-point element type are summed up.
macro_rules! totals {
    ($dtype:expr, $t:ident => $body:expr) => {
        $crate::software::types::typed!($dtype, $t => $body, Float: f32, Double: f64, Float16: f32)
    };
}

/// Runs the body with the Rust type of an integer element type.
macro_rules! integers {
    ($dtype:expr, $t:ident => $body:expr) => {
        $crate::software::types::typed!(
            $dtype, $t => $body,
            Int8: i8, Int16: i16, Int32: i32, Int64: i64, Uint8: u8, Uint16: u16, Uint32: u32, Uint64: u64
        )
    };
}

/// Runs the body with the Rust type of a numeric element type.
macro_rules! numbers {
    ($dtype:expr, $t:ident => $body:expr) => {
        match $dtype {
            dtype if dtype.is_float() => $crate::software::types::floats!(dtype, $t => $body),
            dtype => $crate::software::types::integers!(dtype, $t => $body),
        }
    };
}

/// Runs the body with the elements of inputs of this type, in row-major order. 64-bit integers keep their type, because
/// float64 cannot hold them exactly; all other elements become float64. So the body can compare numbers exactly.
macro_rules! comparable {
    ($call:expr, $dtype:expr, ($($data:ident: $field:expr),*) => $body:expr) => {
        match $dtype {
            ::plumbline_tensor::DType::Int64 => {
                $(let $data = $call.list::<i64>($field)?;)*
                $body
            }
            ::plumbline_tensor::DType::Uint64 => {
                $(let $data = $call.list::<u64>($field)?;)*
                $body
            }
            _ => {
                $(let $data = $call.numbers($field)?.data;)*
                $body
            }
        }
    };
}

pub(super) use {comparable, floats, integers, numbers, totals, typed};

/// Returns the element type under the name that the kernels use.
pub fn dtype_of(data_type: TensorDataType) -> Result<DType, Refusal> {
    Ok(match data_type {
        TensorDataType::Float32 => DType::Float,
        TensorDataType::Float16 => DType::Float16,
        TensorDataType::Float64 => DType::Double,
        TensorDataType::Uint8 => DType::Uint8,
        TensorDataType::Uint16 => DType::Uint16,
        TensorDataType::Uint32 => DType::Uint32,
        TensorDataType::Uint64 => DType::Uint64,
        TensorDataType::Int8 => DType::Int8,
        TensorDataType::Int16 => DType::Int16,
        TensorDataType::Int32 => DType::Int32,
        TensorDataType::Int64 => DType::Int64,
        other => return Err(Refusal::unsupported(format!("no kernel of the software device takes {other}"))),
    })
}

/// Converts numbers to this type. Floating-point types round to the nearest number; integer types drop the fraction and
/// saturate.
pub fn nearest(dtype: DType, data: &[f64]) -> Result<Raw, Refusal> {
    let bytes = numbers!(dtype, T => {
        let elements: Vec<T> = data.iter().map(|&x| T::from_double(x)).collect();
        bytemuck::cast_slice(&elements).to_vec()
    });
    Ok(Raw { size: dtype.size(), bytes })
}

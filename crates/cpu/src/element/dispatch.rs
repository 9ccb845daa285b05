//! Dispatch from an element type to the Rust type that represents it.

/// Runs the body, a `Result`, with `$t` as the Rust type of a floating-point element type. Refuses other element types
/// as unsupported.
#[macro_export]
macro_rules! with_float {
    ($dtype:expr, $t:ident => $body:expr) => {
        match $dtype {
            plumbline_tensor::DType::Float => {
                type $t = f32;
                $body
            }
            plumbline_tensor::DType::Double => {
                type $t = f64;
                $body
            }
            plumbline_tensor::DType::Float16 => {
                type $t = half::f16;
                $body
            }
            plumbline_tensor::DType::Bfloat16 => {
                type $t = half::bf16;
                $body
            }
            other => Err($crate::element::unsupported_type(other)),
        }
    };
}

/// Runs the body, a `Result`, with `$t` as the Rust type of an integer of 8 to 64 bits. Refuses other element types as
/// unsupported.
#[macro_export]
macro_rules! with_integer {
    ($dtype:expr, $t:ident => $body:expr) => {
        match $dtype {
            plumbline_tensor::DType::Int8 => {
                type $t = i8;
                $body
            }
            plumbline_tensor::DType::Int16 => {
                type $t = i16;
                $body
            }
            plumbline_tensor::DType::Int32 => {
                type $t = i32;
                $body
            }
            plumbline_tensor::DType::Int64 => {
                type $t = i64;
                $body
            }
            plumbline_tensor::DType::Uint8 => {
                type $t = u8;
                $body
            }
            plumbline_tensor::DType::Uint16 => {
                type $t = u16;
                $body
            }
            plumbline_tensor::DType::Uint32 => {
                type $t = u32;
                $body
            }
            plumbline_tensor::DType::Uint64 => {
                type $t = u64;
                $body
            }
            other => Err($crate::element::unsupported_type(other)),
        }
    };
}

/// Runs the body with `$t` as the Rust type of a floating-point type or of an integer of 8 to 64 bits. Refuses other
/// element types as unsupported.
#[macro_export]
macro_rules! with_number {
    ($dtype:expr, $t:ident => $body:expr) => {
        match $dtype {
            dtype if dtype.is_float() => $crate::element::with_float!(dtype, $t => $body),
            dtype => $crate::element::with_integer!(dtype, $t => $body),
        }
    };
}

/// Runs the body with `$t` as a type of this many bytes, which stands for the bits of an element. Sizes other than 1,
/// 2, 4 and 8 count as 16.
#[macro_export]
macro_rules! with_bits {
    ($size:expr, $t:ident => $body:expr) => {
        match $size {
            1 => {
                type $t = u8;
                $body
            }
            2 => {
                type $t = u16;
                $body
            }
            4 => {
                type $t = u32;
                $body
            }
            8 => {
                type $t = u64;
                $body
            }
            _ => {
                type $t = [u64; 2];
                $body
            }
        }
    };
}

pub use {with_bits, with_float, with_integer, with_number};

/// Returns the refusal of an element type that this backend does not compute with.
pub fn unsupported_type(dtype: plumbline_tensor::DType) -> plumbline_graph::Refusal {
    plumbline_graph::Refusal::unsupported(format!("this backend has no arithmetic for {dtype}"))
}

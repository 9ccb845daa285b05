//! The form of a corpus: ONNX's own folders, or models of DxDispatch with NumPy's files.

use plumbline_directml::dxdispatch::npy;
use plumbline_tensor::{DType, Value, value_to_bytes};

/// The form of the files of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// `model.onnx`, and values in protobuf (`.pb`).
    Onnx,
    /// Models of DxDispatch, and values in NumPy's format (`.npy`). Only for the suite `directml`.
    DxDispatch,
}

impl Encoding {
    /// Returns the extension of files with values.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Encoding::Onnx => "pb",
            Encoding::DxDispatch => "npy",
        }
    }

    /// Returns the name of the folder of a run of a case.
    pub(super) fn data_set(self, at: usize) -> String {
        match self {
            Encoding::Onnx => format!("test_data_set_{at}"),
            Encoding::DxDispatch => format!("run_{at}"),
        }
    }

    /// Returns the bytes of a file with a value.
    ///
    /// # Errors
    /// Returns a sentence if the form cannot hold the value.
    pub(super) fn bytes(self, value: &Value, name: &str) -> Result<Vec<u8>, String> {
        if self == Encoding::Onnx {
            return value_to_bytes(value, name).map_err(|error| error.to_string());
        }
        let tensor = value.as_tensor().ok_or("a .npy file holds a tensor, and not another value")?;
        let (descr, bytes) = match tensor.dtype() {
            DType::Float => ("<f4", tensor.bytes().to_vec()),
            DType::Float16 => ("<f2", tensor.bytes().to_vec()),
            DType::Double => ("<f8", tensor.bytes().to_vec()),
            DType::Uint16 => ("<u2", tensor.bytes().to_vec()),
            DType::Uint32 => ("<u4", tensor.bytes().to_vec()),
            DType::Uint64 => ("<u8", tensor.bytes().to_vec()),
            DType::Int16 => ("<i2", tensor.bytes().to_vec()),
            DType::Int32 => ("<i4", tensor.bytes().to_vec()),
            DType::Int64 => ("<i8", tensor.bytes().to_vec()),
            DType::Uint8 => ("|u1", tensor.bytes().to_vec()),
            DType::Int8 => ("|i1", tensor.bytes().to_vec()),
            // Elements of 4 bits take a byte each.
            DType::Uint4 => ("|u1", tensor.to_i128s().into_iter().map(|x| x as u8).collect()),
            DType::Int4 => ("|i1", tensor.to_i128s().into_iter().map(|x| x as u8).collect()),
            other => return Err(format!("DirectML has no elements of type {other}")),
        };
        Ok(npy::write(descr, tensor.shape(), &bytes))
    }
}

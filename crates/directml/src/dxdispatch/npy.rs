//! NumPy's format for arrays (`.npy`, version 1.0), in which DxDispatch reads and writes buffers.

use plumbline_spec::directml::TensorDataType;

/// An array: what its header says, and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// NumPy's name of the element type, such as `<f4` or `|u1`.
    pub descr: String,
    /// The extents.
    pub shape: Vec<usize>,
    /// The elements in row-major order.
    pub bytes: Vec<u8>,
}

/// The reason why a file is not an array that this module reads.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NpyError {
    /// The file does not begin as every `.npy` file does, or its header is cut off.
    #[error("it is not a .npy file")]
    NotNpy,
    /// The header lacks a key, or its value is not what the format allows.
    #[error("its header has no usable `{0}`")]
    Header(&'static str),
    /// The elements are in column-major order.
    #[error("its elements are in Fortran's order")]
    Fortran,
}

const MAGIC: &[u8] = b"\x93NUMPY";

/// Returns NumPy's name for an element type; `None` for 4-bit types and `UNKNOWN`, which NumPy does not have.
pub fn descr(data_type: TensorDataType) -> Option<&'static str> {
    Some(match data_type {
        TensorDataType::Float32 => "<f4",
        TensorDataType::Float16 => "<f2",
        TensorDataType::Float64 => "<f8",
        TensorDataType::Uint8 => "|u1",
        TensorDataType::Uint16 => "<u2",
        TensorDataType::Uint32 => "<u4",
        TensorDataType::Uint64 => "<u8",
        TensorDataType::Int8 => "|i1",
        TensorDataType::Int16 => "<i2",
        TensorDataType::Int32 => "<i4",
        TensorDataType::Int64 => "<i8",
        TensorDataType::Uint4 | TensorDataType::Int4 | TensorDataType::Unknown => return None,
    })
}

/// Returns the bytes of a `.npy` file.
pub fn write(descr: &str, shape: &[usize], bytes: &[u8]) -> Vec<u8> {
    let extents: Vec<String> = shape.iter().map(usize::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}{comma}), }}", extents.join(", "));
    // The header ends with a line break, and the elements begin at a multiple of 64 bytes.
    let width = (MAGIC.len() + 4 + header.len() + 1).next_multiple_of(64) - MAGIC.len() - 4 - 1;
    let length = u16::try_from(width + 1).unwrap_or(u16::MAX);
    let mut file = MAGIC.to_vec();
    file.extend([1, 0]);
    file.extend(length.to_le_bytes());
    file.extend(format!("{header:width$}\n").bytes());
    file.extend(bytes);
    file
}

/// Reads a `.npy` file.
///
/// # Errors
/// [`NpyError`].
pub fn read(file: &[u8]) -> Result<Array, NpyError> {
    let rest = file.strip_prefix(MAGIC).ok_or(NpyError::NotNpy)?;
    let (length, start) = match rest {
        [1, _, a, b, ..] => (u32::from(u16::from_le_bytes([*a, *b])), 4),
        [2 | 3, _, a, b, c, d, ..] => (u32::from_le_bytes([*a, *b, *c, *d]), 6),
        _ => return Err(NpyError::NotNpy),
    };
    let end = start + length as usize;
    let (header, bytes) = (rest.get(start..end).ok_or(NpyError::NotNpy)?, rest[end..].to_vec());
    let header = String::from_utf8_lossy(header);
    let after = |key: &'static str| {
        let (_, value) = header.split_once(&format!("'{key}'")).ok_or(NpyError::Header(key))?;
        value.trim_start().strip_prefix(':').map(str::trim_start).ok_or(NpyError::Header(key))
    };
    let descr = after("descr")?.strip_prefix('\'').and_then(|value| value.split_once('\''));
    let descr = descr.ok_or(NpyError::Header("descr"))?.0.to_owned();
    if after("fortran_order")?.starts_with("True") {
        return Err(NpyError::Fortran);
    }
    let shape = after("shape")?.strip_prefix('(').and_then(|value| value.split_once(')'));
    let shape = shape.ok_or(NpyError::Header("shape"))?.0.split(',').map(str::trim).filter(|extent| !extent.is_empty());
    let shape = shape.map(str::parse).collect::<Result<_, _>>().map_err(|_| NpyError::Header("shape"))?;
    Ok(Array { descr, shape, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_read_back() {
        for shape in [&[][..], &[3], &[1, 3], &[123_456_789; 5]] {
            let file = write("<f2", shape, &[1, 2, 3, 4, 5, 6]);
            assert_eq!((file.len() - 6) % 64, 0);
            let wanted = Array { descr: "<f2".to_owned(), shape: shape.to_vec(), bytes: vec![1, 2, 3, 4, 5, 6] };
            assert_eq!(read(&file), Ok(wanted));
        }
        // What numpy.save writes for numpy.array([[1, 2]], ">i2"), apart from the padding.
        let header = "{'descr': '>i2', 'fortran_order': False, 'shape': (1, 2), }\n";
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((header.len() as u16).to_le_bytes());
        file.extend(header.bytes().chain([0, 1, 0, 2]));
        assert_eq!(read(&file).unwrap().descr, ">i2");
        assert_eq!(read(b"PK"), Err(NpyError::NotNpy));
        assert_eq!(read(&file[..20]), Err(NpyError::NotNpy));
        let fortran = String::from_utf8_lossy(&file[10..]).replace("False", "True ");
        assert_eq!(read(&[&file[..10], fortran.as_bytes()].concat()), Err(NpyError::Fortran));
    }
}

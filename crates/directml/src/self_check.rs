//! Checks whether an open device works at all, with two operators whose results are known. One of them does no
//! arithmetic. The check says nothing about accuracy.

use super::device::{DeviceError, Dispatch, Session};
use super::packed::{PackError, Packed, RawTensor};

/// The reason why a device cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SelfCheckError {
    /// The device returned an error.
    #[error("{0}: {1}")]
    Device(&'static str, DeviceError),
    /// The description could not be built.
    #[error("{0}: {1}")]
    Description(&'static str, PackError),
    /// The device returned a wrong result.
    #[error("{operator} gave {found:?} instead of {wanted:?}")]
    Wrong {
        /// The operator's name.
        operator: &'static str,
        /// The elements that the device returned.
        found: Vec<f32>,
        /// The elements that were expected.
        wanted: Vec<f32>,
    },
}

/// `DML_TENSOR_DATA_TYPE_FLOAT32`.
const FLOAT32: u32 = 1;
/// The value in an output's memory before the run.
const GUARD: f32 = -77.0;

/// Describes a tensor with four dimensions and explicit strides, which every feature level accepts.
fn tensor(sizes: [u32; 4], strides: [u32; 4], total_size_in_bytes: u64) -> RawTensor {
    RawTensor {
        data_type: FLOAT32,
        flags: 0,
        sizes: sizes.to_vec(),
        strides: Some(strides.to_vec()),
        total_size_in_bytes,
        guaranteed_base_offset_alignment: 0,
    }
}

fn bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn run_one(
    session: &mut Session,
    name: &'static str,
    operator: Result<Packed, PackError>,
    inputs: &[Vec<f32>],
    wanted: &[f32],
) -> Result<(), SelfCheckError> {
    let operator = operator.map_err(|error| SelfCheckError::Description(name, error))?;
    let inputs: Vec<Vec<u8>> = inputs.iter().map(|values| bytes(values)).collect();
    let inputs: Vec<Option<&[u8]>> = inputs.iter().map(|bytes| Some(bytes.as_slice())).collect();
    let before = bytes(&vec![GUARD; wanted.len()]);
    let dispatch = Dispatch { operator: &operator, inputs: &inputs, outputs: &[Some(&before)], deadline_seconds: 60 };
    let answer = session.run(&dispatch).map_err(|error| SelfCheckError::Device(name, error))?;
    let bytes = answer.first().map(Vec::as_slice).unwrap_or_default();
    let found: Vec<f32> = bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    if found.iter().map(|value| value.to_bits()).eq(wanted.iter().map(|value| value.to_bits())) {
        Ok(())
    } else {
        Err(SelfCheckError::Wrong { operator: name, found, wanted: wanted.to_vec() })
    }
}

/// Describes an `ELEMENT_WISE_IDENTITY` that transposes a 2 x 3 matrix by means of strides.
fn identity() -> Result<Packed, PackError> {
    let mut operator = Packed::new(1, "DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC")?;
    operator.tensors("InputTensor", &[tensor([1, 1, 3, 2], [6, 6, 1, 3], 24)])?;
    operator.tensors("OutputTensor", &[tensor([1, 1, 3, 2], [6, 6, 2, 1], 24)])?;
    Ok(operator)
}

/// Describes an `ELEMENT_WISE_ADD` that broadcasts its second operand by means of strides of 0.
fn add() -> Result<Packed, PackError> {
    let mut operator = Packed::new(4, "DML_ELEMENT_WISE_ADD_OPERATOR_DESC")?;
    operator.tensors("ATensor", &[tensor([1, 1, 2, 3], [6, 6, 3, 1], 24)])?;
    operator.tensors("BTensor", &[tensor([1, 1, 2, 3], [0, 0, 0, 1], 12)])?;
    operator.tensors("OutputTensor", &[tensor([1, 1, 2, 3], [6, 6, 3, 1], 24)])?;
    Ok(operator)
}

/// Runs both operators and compares the result of each with the known one.
///
/// # Errors
/// An operator fails or returns a wrong result.
pub fn run(session: &mut Session) -> Result<(), SelfCheckError> {
    let matrix = vec![1.0, 2.0, 3.0, 4.0, 5.0, -0.0];
    let transposed = [1.0, 4.0, 2.0, 5.0, 3.0, -0.0];
    run_one(session, "ELEMENT_WISE_IDENTITY", identity(), std::slice::from_ref(&matrix), &transposed)?;
    let row = vec![10.0, 20.0, 30.0];
    run_one(session, "ELEMENT_WISE_ADD", add(), &[matrix, row], &[11.0, 22.0, 33.0, 14.0, 25.0, 30.0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_descriptions_can_be_built() {
        assert_eq!(identity().unwrap().name(), "DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC");
        assert_eq!((add().unwrap().desc().Type, identity().unwrap().desc().Type), (4, 1));
    }
}

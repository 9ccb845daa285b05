//! CAST, VALUE_SCALE_2D, and operators that fill a tensor with values from the description.

use super::super::call::{Call, Run, Written, wrong};
use super::super::element_wise::unary::number;
use super::super::memory::Raw;
use super::super::types::floats;
use plumbline_cpu::element::Number;
use plumbline_cpu::kernels::scatter::indices;

pub const OPERATORS: &[(&str, Run)] = &[
    ("CAST", cast),
    ("DIAGONAL_MATRIX", diagonal_matrix),
    ("DIAGONAL_MATRIX1", diagonal_matrix1),
    ("FILL_VALUE_CONSTANT", fill_value_constant),
    ("FILL_VALUE_SEQUENCE", fill_value_sequence),
    ("VALUE_SCALE_2D", value_scale_2d),
];

/// Casts. A float that becomes an integer loses its fraction and saturates. An integer that becomes another integer
/// keeps its low bits. The documentation defines neither.
fn cast(call: &Call) -> Written {
    let (from, to) = (call.dtype("InputTensor")?, call.dtype("OutputTensor")?);
    if !from.is_float() && !to.is_float() {
        return Ok(vec![call.put_integers("OutputTensor", &wrapped(call)?)?]);
    }
    Ok(vec![call.put("OutputTensor", &call.numbers("InputTensor")?.data)?])
}

/// Returns the integers of the input; uint64 elements are reinterpreted as int64.
pub fn wrapped(call: &Call) -> Result<Vec<i64>, super::Stop> {
    if call.dtype("InputTensor")? == plumbline_tensor::DType::Uint64 {
        return call.list("InputTensor");
    }
    call.integers("InputTensor")
}

fn fill_value_constant(call: &Call) -> Written {
    let (size, count) = (call.dtype("OutputTensor")?.size(), call.sizes("OutputTensor")?.iter().product());
    let bytes = call.scalar("Value")?.0[..size].repeat(count);
    Ok(vec![call.put_raw("OutputTensor", &Raw { size, bytes })?])
}

/// Computes element `i` as the start plus `i` times the step. Sums of integers wrap around.
fn fill_value_sequence(call: &Call) -> Written {
    let count = call.sizes("OutputTensor")?.iter().product::<usize>();
    let dtype = call.dtype("OutputTensor")?;
    let (start, delta) = (call.scalar("ValueStart")?, call.scalar("ValueDelta")?);
    if dtype.is_float() {
        let (start, delta) = floats!(dtype, T => (number::<T>(start).to_f64(), number::<T>(delta).to_f64()));
        let found: Vec<f64> = (0..count).map(|at| start + at as f64 * delta).collect();
        return Ok(vec![call.put("OutputTensor", &found)?]);
    }
    // The low bits of a sum depend only on the low bits of its terms, whatever the bits above them are.
    let (start, delta) = (i64::from_le_bytes(start.0), i64::from_le_bytes(delta.0));
    let found: Vec<i64> = (0..count).map(|at| start.wrapping_add(delta.wrapping_mul(at as i64))).collect();
    Ok(vec![call.put_integers("OutputTensor", &found)?])
}

fn diagonal_matrix(call: &Call) -> Written {
    let (shape, offset, value) = (call.sizes("OutputTensor")?, call.int("Offset")?, call.float("Value")?);
    let &[.., height, width] = shape.as_slice() else {
        return wrong("OutputTensor", "must have at least 2 dimensions");
    };
    let value = |at: usize| match at / width % height {
        row if row as i64 + offset == (at % width) as i64 => value,
        _ => 0.0,
    };
    let found: Vec<f64> = (0..shape.iter().product()).map(value).collect();
    Ok(vec![call.put("OutputTensor", &found)?])
}

/// Writes the value on the diagonals from `DiagonalFillBegin` up to, but not including, `DiagonalFillEnd`; if the begin is
/// larger than the end, on all but those from the end up to the begin. Copies the input elsewhere, or writes 0 if there is
/// no input.
fn diagonal_matrix1(call: &Call) -> Written {
    let shape = call.sizes("OutputTensor")?;
    let (begin, end) = (call.int("DiagonalFillBegin")?, call.int("DiagonalFillEnd")?);
    if call.has("InputTensor") {
        call.expect("InputTensor", &shape)?;
    }
    let (size, count) = (call.dtype("OutputTensor")?.size(), shape.iter().product());
    let value = call.scalar("Value")?;
    let mut found = if call.has("InputTensor") { call.raw("InputTensor")? } else { Raw::zeros(size, count) };
    let mut at = 0;
    indices(&shape, |index| {
        let &[.., row, column] = index else { return };
        let diagonal = column as i64 - row as i64;
        if (end >= begin) ^ (diagonal >= begin) ^ (diagonal < end) {
            found.set(at, &value.0[..size]);
        }
        at += 1;
    });
    Ok(vec![call.put_raw("OutputTensor", &found)?])
}

/// Multiplies each element by the scale, and adds the bias of its channel.
fn value_scale_2d(call: &Call) -> Written {
    let input = call.numbers("InputTensor")?;
    let (scale, bias) = (call.float("Scale")?, call.floats_of("Bias", call.uint("ChannelCount")?)?);
    let &[_, channels, height, width] = input.sizes.as_slice() else { return wrong("InputTensor", "is not 4D") };
    if bias.len() != channels {
        return wrong("ChannelCount", format!("is {}, but InputTensor has {channels} channels", bias.len()));
    }
    let found = input.data.iter().enumerate().map(|(at, x)| x * scale + bias[at / (height * width) % channels]);
    Ok(vec![call.put("OutputTensor", &found.collect::<Vec<_>>())?])
}

//! Operators that fill a tensor with values from the description, and conversions.

use super::super::call::{Call, Run, Written, numbers, wrong};
use plumbline_cpu::element::{Number, with_bits};
use plumbline_cpu::kernels::copy::fill;
use plumbline_cpu::kernels::scatter::indices;

pub const OPERATORS: &[(&str, Run)] = &[
    ("CAST", cast),
    ("DIAGONAL_MATRIX", diagonal_matrix),
    ("DIAGONAL_MATRIX1", diagonal_matrix1),
    ("FILL_VALUE_CONSTANT", fill_value_constant),
    ("FILL_VALUE_SEQUENCE", fill_value_sequence),
    ("VALUE_SCALE_2D", value_scale_2d),
];

/// Casts. A float becomes an integer without its fraction and saturates; between integers the low bits are kept. The
/// documentation does not define either.
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
        let input = call.read::<i64>("InputTensor")?;
        return Ok(plumbline_cpu::kernels::lanes::laid(&input.view()?).into_owned());
    }
    call.integers("InputTensor")
}

fn fill_value_constant(call: &Call) -> Written {
    with_bits!(call.dtype("OutputTensor")?.size().min(8), T => {
        let mut written = call.write::<T>("OutputTensor")?;
        fill(&mut written.view_mut()?, call.scalar_as::<T>("Value")?);
        Ok(vec![written.into_bytes()])
    })
}

/// Computes element `i` as the start plus `i` times the step.
fn fill_value_sequence(call: &Call) -> Written {
    let count = call.sizes("OutputTensor")?.iter().product::<usize>();
    let dtype = call.dtype("OutputTensor")?;
    numbers!(dtype, T => {
        let (start, delta): (T, T) = (call.scalar_as("ValueStart")?, call.scalar_as("ValueDelta")?);
        let mut found = Vec::with_capacity(count);
        let mut last = start;
        for at in 0..count {
            found.push(match dtype.is_float() {
                true => T::nearest(start.to_f64() + at as f64 * delta.to_f64()),
                false => last,
            });
            last = last.add(delta);
        }
        Ok(vec![call.put_elements("OutputTensor", &found)?])
    })
}

fn diagonal_matrix(call: &Call) -> Written {
    let (shape, offset, value) = (call.sizes("OutputTensor")?, call.int("Offset")?, call.float("Value")?);
    let &[.., height, width] = shape.as_slice() else {
        return wrong("OutputTensor", "must have at least 2 dimensions");
    };
    numbers!(call.dtype("OutputTensor")?, T => {
        let value = |at: usize| match at / width % height {
            row if row as i64 + offset == (at % width) as i64 => T::nearest(value),
            _ => T::zero(),
        };
        let found: Vec<T> = (0..shape.iter().product()).map(value).collect();
        Ok(vec![call.put_elements("OutputTensor", &found)?])
    })
}

/// Writes the value on the diagonals from the first offset up to, but without, the second one. Elsewhere the output is
/// the input or 0.
fn diagonal_matrix1(call: &Call) -> Written {
    let shape = call.sizes("OutputTensor")?;
    let diagonals = call.int("DiagonalFillBegin")?..call.int("DiagonalFillEnd")?;
    if call.has("InputTensor") {
        call.expect("InputTensor", &shape)?;
    }
    with_bits!(call.dtype("OutputTensor")?.size().min(8), T => {
        let value = call.scalar_as::<T>("Value")?;
        let input = if call.has("InputTensor") { Some(call.read::<T>("InputTensor")?) } else { None };
        let view = input.as_ref().map(|input| input.view()).transpose()?;
        let mut found = Vec::with_capacity(shape.iter().product());
        indices(&shape, |index| {
            let &[.., row, column] = index else { return };
            found.push(match &view {
                _ if diagonals.contains(&(column as i64 - row as i64)) => value,
                Some(view) => view.at(index),
                None => bytemuck::Zeroable::zeroed(),
            });
        });
        Ok(vec![call.put_elements("OutputTensor", &found)?])
    })
}

/// Multiplies by a factor, and adds a number for each channel.
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

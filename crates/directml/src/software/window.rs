//! Reads windows from the fields of operators.

use super::call::{Call, Stop, wrong};
use plumbline_cpu::kernels::windows::Windows;

/// The limit for strides, paddings and extents of windows, so that their products do not overflow.
const MOST: usize = 1 << 31;

/// Returns the extents after batch and channel.
pub fn spatial(call: &Call, field: &str) -> Result<Vec<usize>, Stop> {
    match call.sizes(field)?.split_at_checked(2) {
        Some((_, spatial)) if !spatial.is_empty() => Ok(spatial.to_vec()),
        _ => wrong(field, "must have at least 1 spatial dimension"),
    }
}

/// Returns windows of this size over a tensor of these extents. Dilations are 1 if the operator has no such field.
pub fn windows(call: &Call, input: &[usize], kernel: &[usize]) -> Result<Windows, Stop> {
    let axes = input.len();
    let dilations = match call.description.operator().field("Dilations") {
        Some(_) => call.uints_of("Dilations", axes, 1)?,
        None => vec![1; axes],
    };
    let mut windows = Windows {
        input: input.to_vec(),
        kernel: kernel.to_vec(),
        strides: call.uints_of("Strides", axes, 1)?,
        dilations,
        begin: call.uints_of("StartPadding", axes, 0)?,
        end: call.uints_of("EndPadding", axes, 0)?,
        output: Vec::with_capacity(axes),
    };
    let lists = [("StartPadding", &windows.begin), ("EndPadding", &windows.end), ("Strides", &windows.strides)];
    for (field, list) in lists {
        if list.iter().any(|&n| n > MOST) {
            return wrong(field, format!("is {list:?}, and a number exceeds {MOST}"));
        }
    }
    for (d, &extent) in input.iter().enumerate() {
        let whole = extent + windows.begin[d] + windows.end[d];
        let Some(room) = whole.checked_sub(windows.span(d)?) else {
            return wrong(
                "StartPadding",
                format!(
                    "together with EndPadding, it extends spatial dimension {d} to {whole} elements, fewer than a \
                     window spans"
                ),
            );
        };
        windows.output.push(1 + room / windows.strides[d]);
    }
    Ok(windows)
}

/// Returns windows over the output of a backward convolution. There is one window for each element of the input, and
/// windows are written instead of read.
pub fn written_windows(call: &Call, input: &[usize], kernel: &[usize]) -> Result<Windows, Stop> {
    let axes = input.len();
    let more = call.uints_of("OutputPadding", axes, 0)?;
    let mut windows = Windows {
        input: Vec::with_capacity(axes),
        kernel: kernel.to_vec(),
        strides: call.uints_of("Strides", axes, 1)?,
        dilations: call.uints_of("Dilations", axes, 1)?,
        begin: call.uints_of("StartPadding", axes, 0)?,
        end: call.uints_of("EndPadding", axes, 0)?,
        output: input.to_vec(),
    };
    for (d, more) in more.into_iter().enumerate() {
        let reach = (input[d] - 1).checked_mul(windows.strides[d]).filter(|&reach| reach <= MOST);
        let whole = reach.map(|reach| reach + windows.span(d).unwrap_or(MOST) + more);
        let padding = windows.begin[d] + windows.end[d];
        match whole.and_then(|whole| whole.checked_sub(padding)).filter(|&extent| extent > 0 && extent <= MOST) {
            Some(extent) => windows.input.push(extent),
            None => {
                return wrong(
                    "StartPadding",
                    format!(
                        "together with EndPadding, it gives OutputTensor no elements, or too many, in spatial \
                         dimension {d}"
                    ),
                );
            }
        }
    }
    Ok(windows)
}

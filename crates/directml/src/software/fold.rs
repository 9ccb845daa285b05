//! UNFOLD, which writes the sliding blocks of an image as columns, and FOLD, which adds such columns into an image.

use super::call::{Call, Run, Stop, Written, wrong};
use super::memory::Raw;
use super::movement::fill::wrapped;
use super::window::windows;
use plumbline_cpu::element::unsupported_type;
use plumbline_cpu::kernels::convolution::runs;
use plumbline_cpu::kernels::windows::Windows;

pub const OPERATORS: &[(&str, Run)] = &[("FOLD", fold), ("UNFOLD", unfold)];

/// Checks the sizes of the image and of its blocks, and returns the windows and the number of planes (channels of all
/// batches). The tensor of columns has three dimensions: the batch, the channels times the taps of a window, and the
/// blocks. Dimensions of size 1 may be in front.
fn blocks(call: &Call, image: &str, columns: &str) -> Result<(Windows, usize), Stop> {
    let sizes = call.sizes(image)?;
    let axes = call.uint("DimensionCount")?;
    let Some(front) = sizes.len().checked_sub(axes + 2).filter(|_| axes > 0) else {
        return wrong("DimensionCount", format!("is {axes}, which does not fit {image} with Sizes {sizes:?}"));
    };
    let (head, input) = sizes.split_at(front + 2);
    let windows = windows(call, input, &call.uints_of("WindowSizes", axes, 1)?)?;
    let taps: usize = windows.kernel.iter().product();
    let wanted = [head[front], head[front + 1] * taps, windows.output.iter().product()];
    let rank = call.sizes(columns)?.len();
    let wanted = [vec![1; rank.saturating_sub(3)], wanted.to_vec()].concat();
    if head[..front].iter().any(|&size| size != 1) {
        return wrong(
            image,
            format!("Sizes are {sizes:?}; only batch, channels and the last {axes} dimensions may exceed 1"),
        );
    }
    call.expect(columns, &wanted)?;
    Ok((windows, head.iter().product()))
}

/// Calls `visit` with the positions of each element in the columns and in the image.
fn each(windows: &Windows, planes: usize, visit: &mut dyn FnMut(usize, usize)) {
    let (plane, count) = (windows.input.iter().product::<usize>(), windows.output.iter().product::<usize>());
    let (rows, step) = (windows.kernel.iter().product::<usize>(), windows.strides[windows.strides.len() - 1]);
    let runs = runs(windows);
    for at in 0..planes {
        for run in &runs {
            for n in 0..run.many {
                visit((at * rows + run.tap) * count + run.row + run.first + n, at * plane + run.place + n * step);
            }
        }
    }
}

fn unfold(call: &Call) -> Written {
    let (windows, planes) = blocks(call, "InputTensor", "OutputTensor")?;
    let dtype = call.dtype("InputTensor")?;
    if !dtype.is_float() {
        return Err(unsupported_type(dtype).into());
    }
    let data = call.raw("InputTensor")?;
    let mut found = Raw::zeros(data.size, call.sizes("OutputTensor")?.iter().product());
    each(&windows, planes, &mut |column, place| found.set(column, data.at(place)));
    Ok(vec![call.put_raw("OutputTensor", &found)?])
}

/// Adds the blocks up. Sums of integers wrap around.
fn fold(call: &Call) -> Written {
    let (windows, planes) = blocks(call, "OutputTensor", "InputTensor")?;
    let count = call.sizes("OutputTensor")?.iter().product();
    if call.dtype("InputTensor")?.is_float() {
        let (input, mut found) = (call.numbers("InputTensor")?, vec![0.0; count]);
        each(&windows, planes, &mut |column, place| found[place] += input.data[column]);
        return Ok(vec![call.put("OutputTensor", &found)?]);
    }
    let (input, mut found) = (wrapped(call)?, vec![0i64; count]);
    each(&windows, planes, &mut |column, place| found[place] = found[place].wrapping_add(input[column]));
    Ok(vec![call.put_integers("OutputTensor", &found)?])
}

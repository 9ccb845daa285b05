//! Lowers Col2Im to FOLD, which exists from level 6_4 on. Its documentation does not state the supported types; ONNX
//! Runtime's provider registers all types.

use super::context::{Lowering, sizes_from};
use super::window::Windows;
use super::{Rule, Views};
use plumbline_graph::Refusal;
use plumbline_tensor::DType;

pub const OPERATORS: &[(&str, Rule)] = &[("Col2Im", col2im)];

fn col2im(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let missing = || Refusal::invalid("`image_shape` or `block_shape` is missing");
    let (image, block) = (lower.integers(1)?.ok_or_else(missing)?, lower.integers(2)?.ok_or_else(missing)?);
    let taps = block.iter().try_fold(1u32, |all, &size| all.checked_mul(u32::try_from(size).ok()?));
    let (&[batches, rows, _], Some(taps)) = (x.sizes.as_slice(), taps.filter(|&taps| taps > 0)) else {
        return Err(Refusal::invalid(format!(
            "the input has shape {:?} and `block_shape` is {block:?}, expected rank 3 and positive sizes",
            x.sizes
        ))
        .into());
    };
    let spatial = sizes_from("output", &image)?;
    let windows = Windows::read(lower, &spatial, &block)?;
    let sizes = [&[batches, rows / taps], spatial.as_slice()].concat();
    let call = lower.call("FOLD").read("InputTensor", &x).write("OutputTensor", x.data_type, &sizes).leading();
    let call = call.set("WindowSizes", windows.kernel).set("Strides", windows.strides);
    let call = call.set("Dilations", windows.dilations);
    let y = call.set("StartPadding", windows.start).set("EndPadding", windows.end).one()?;
    // A sum of several true elements is true.
    let truth = lower.tensor(0)?.is_some_and(|x| x.dtype() == DType::Bool);
    Ok(vec![if truth { lower.not_zero(&y)? } else { y }])
}

//! REDUCE, and operators that return the index of an extreme element.

pub mod rows;

use super::by_rows::Rows;
use super::call::{Call, Run, Stop, Written, wrong};
use super::types::{comparable, numbers};
use plumbline_cpu::kernels::reduce::{Reduction, reduce};
use plumbline_cpu::kernels::row;
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Run)] = &[
    ("ARGMAX", |call| extreme(call, true, call.uint("AxisDirection")? == 1)),
    ("ARGMIN", |call| extreme(call, false, call.uint("AxisDirection")? == 1)),
    ("REDUCE", reduced),
];

/// Returns the axes, and checks that the output has size 1 along them.
fn axes(call: &Call) -> Result<Vec<usize>, Stop> {
    let mut sizes = call.sizes("InputTensor")?;
    let mut axes = call.axes("Axes", sizes.len())?;
    axes.iter().for_each(|&axis| sizes[axis] = 1);
    call.expect("OutputTensor", &sizes)?;
    axes.sort_unstable();
    Ok(axes)
}

fn reduced(call: &Call) -> Written {
    let function = match call.uint("Function")? {
        0 => return extreme(call, true, false),
        1 => return extreme(call, false, false),
        2 => Reduction::Mean,
        3 => Reduction::L1,
        4 => Reduction::L2,
        5 => Reduction::LogSum,
        6 => Reduction::LogSumExp,
        7 => Reduction::Max,
        8 => Reduction::Min,
        9 => Reduction::Prod,
        10 => Reduction::Sum,
        11 => Reduction::SumSquare,
        _ => return Err(Refusal::unsupported("no kernel implements this Function").into()),
    };
    let axes = axes(call)?;
    let (from, to) = (call.dtype("InputTensor")?, call.dtype("OutputTensor")?);
    if from != to {
        return wrong("OutputTensor", format!("has the type {to}, but InputTensor has {from}"));
    }
    numbers!(from, T => {
        let input = call.read::<T>("InputTensor")?;
        Ok(vec![call.put_elements("OutputTensor", &reduce::<T>(&input.view()?, &axes, function))?])
    })
}

/// Computes, for each element of the output, the index of the largest (or smallest) input element along the axes,
/// counted in row-major order. If several are equal, takes the first of them, or the last if `last`.
fn extreme(call: &Call, largest: bool, last: bool) -> Written {
    let axes = axes(call)?;
    let rows = Rows::read(call, ("InputTensor", "OutputTensor"), &axes)?;
    let found = comparable!(call, call.dtype("InputTensor")?, (data: "InputTensor") => {
        rows.each(&data, &|row, out: &mut [i64]| out[0] = row::extreme(row, largest, last) as i64)
    });
    Ok(vec![call.put_integers("OutputTensor", &found)?])
}

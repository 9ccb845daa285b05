//! Applies a function to the rows of an input, and writes the rows of an output.

use bytemuck::Pod;

use super::call::{Call, Stop, integers, wrong};
use plumbline_cpu::kernels::lanes::pieces;

/// Applies `f` to each row of an input and writes each row of the output. A row consists of all elements along `axes`,
/// in the order of the axes. Rows of the output lie along the same axes and may have another length.
pub fn rows<T: Pod + Send + Sync, O: Pod + Send + Sync>(
    call: &Call,
    (from, to): (&str, &str),
    axes: &[usize],
    f: impl Fn(&[T], &mut [O]) + Sync,
) -> Result<Vec<u8>, Stop> {
    let (order, found) = each_row(call, (from, to), axes, &f)?;
    call.put_turned(to, &order, &found)
}

/// Does the same with an output of integers.
pub fn integer_rows<T: Pod + Send + Sync>(
    call: &Call,
    (from, to): (&str, &str),
    axes: &[usize],
    f: impl Fn(&[T], &mut [i64]) + Sync,
) -> Result<Vec<u8>, Stop> {
    let (order, found) = each_row(call, (from, to), axes, &f)?;
    integers!(call.dtype(to)?, O => {
        let found: Vec<O> = found.iter().map(|&x| x as O).collect();
        call.put_turned(to, &order, &found)
    })
}

/// Applies `f` to each row. Returns the results, and the order of dimensions in which they lie. `f` is a trait object
/// so that this function is compiled once for each pair of types and not for each `f`.
fn each_row<T: Pod + Send + Sync, O: Pod + Send + Sync>(
    call: &Call,
    (from, to): (&str, &str),
    axes: &[usize],
    f: &(dyn Fn(&[T], &mut [O]) + Sync),
) -> Result<(Vec<usize>, Vec<O>), Stop> {
    let (sizes, out_sizes) = (call.sizes(from)?, call.sizes(to)?);
    let kept: Vec<usize> = (0..sizes.len()).filter(|d| !axes.contains(d)).collect();
    if out_sizes.len() != sizes.len() || kept.iter().any(|&d| out_sizes[d] != sizes[d]) {
        return wrong(to, format!("Sizes are {out_sizes:?}, but those of {from} are {sizes:?}"));
    }
    let order = [kept.as_slice(), axes].concat();
    let along = |sizes: &[usize]| axes.iter().map(|&d| sizes[d]).product::<usize>();
    let (extent, count) = (along(&sizes), along(&out_sizes));
    let data = call.turned::<T>(from, &order)?;
    let mut found: Vec<O> = bytemuck::zeroed_vec(out_sizes.iter().product());
    pieces(&mut found, count, |at, out| f(&data[at * extent..(at + 1) * extent], out));
    Ok((order, found))
}

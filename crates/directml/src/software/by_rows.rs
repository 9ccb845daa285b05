//! Rows of an input to rows of an output.

use bytemuck::Pod;

use super::call::{Call, Stop, integers, wrong};
use plumbline_cpu::kernels::lanes::pieces;

/// What `f` makes of each row of an input, a row being all elements along `axes`, in their order; of a row of the output
/// there are `count`, along the same axes.
pub fn rows<T: Pod + Send + Sync, O: Pod + Send + Sync>(
    call: &Call,
    (from, to): (&str, &str),
    axes: &[usize],
    f: impl Fn(&[T], &mut [O]) + Sync,
) -> Result<Vec<u8>, Stop> {
    let (order, found) = each_row(call, (from, to), axes, &f)?;
    call.put_turned(to, &order, &found)
}

/// The same into an output of integers.
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

/// What `f` makes, and the order of dimensions in which it lies. Compiled once for each pair of types, and not for each `f`.
fn each_row<T: Pod + Send + Sync, O: Pod + Send + Sync>(
    call: &Call,
    (from, to): (&str, &str),
    axes: &[usize],
    f: &(dyn Fn(&[T], &mut [O]) + Sync),
) -> Result<(Vec<usize>, Vec<O>), Stop> {
    let (sizes, out_sizes) = (call.sizes(from)?, call.sizes(to)?);
    let kept: Vec<usize> = (0..sizes.len()).filter(|d| !axes.contains(d)).collect();
    if out_sizes.len() != sizes.len() || kept.iter().any(|&d| out_sizes[d] != sizes[d]) {
        return wrong(to, format!("Sizes are {out_sizes:?}, and those of {from} {sizes:?}"));
    }
    let order = [kept.as_slice(), axes].concat();
    let along = |sizes: &[usize]| axes.iter().map(|&d| sizes[d]).product::<usize>();
    let (extent, count) = (along(&sizes), along(&out_sizes));
    let data = call.turned::<T>(from, &order)?;
    let mut found: Vec<O> = bytemuck::zeroed_vec(out_sizes.iter().product());
    pieces(&mut found, count, |at, out| f(&data[at * extent..(at + 1) * extent], out));
    Ok((order, found))
}

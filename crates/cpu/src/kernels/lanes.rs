//! Lanes: a lane holds the elements along one axis, at a fixed index along every other axis, as a contiguous slice.

use std::borrow::Cow;

use bytemuck::Pod;
use plumbline_tensor::DType;

use super::super::array::{Array, affordable};
use super::super::threads;
use super::super::view::{View, ViewMut};
use super::copy::copy;
use plumbline_graph::Refusal;

/// A thread that gets fewer elements than this costs more than it saves.
const GRAIN: usize = 1 << 14;

/// Returns the elements of the view in row-major order, without a copy if they are contiguous.
pub fn laid<'a, T: Pod + Send + Sync>(view: &View<'a, T>) -> Cow<'a, [T]> {
    match view.as_slice() {
        Some(slice) => Cow::Borrowed(slice),
        None => {
            let mut data: Vec<T> = bytemuck::zeroed_vec(view.len());
            copy(&mut ViewMut::packed(&mut data, view.sizes()), view);
            Cow::Owned(data)
        }
    }
}

/// Returns the order of axes that moves `axis` behind all others.
pub fn axis_last(rank: usize, axis: usize) -> Vec<usize> {
    (0..rank).filter(|&d| d != axis).chain([axis]).collect()
}

/// Splits `out` into pieces of `count` elements and calls `f` for each piece, with its index and its elements. Large
/// outputs are split between threads.
pub fn pieces<O: Pod>(out: &mut [O], count: usize, f: impl Fn(usize, &mut [O]) + Sync) {
    let least = (out.len() >= 2 * GRAIN && rayon::current_num_threads() > 1).then(|| (GRAIN / count.max(1)).max(1));
    threads::pieces(out, count, least, &f);
}

/// Creates an array with the shape of `a`, but with `count` elements along `axis`. `f` computes each of its lanes from
/// the same lane of `a`.
pub fn lanes<T: Pod + Send + Sync, O: Pod + Send + Sync>(
    a: &Array,
    axis: usize,
    (dtype, count): (DType, usize),
    f: impl Fn(&[T], &mut [O]) + Sync,
) -> Result<Array, Refusal> {
    each_lane(a, axis, (dtype, count), &f)
}

fn each_lane<T: Pod + Send + Sync, O: Pod + Send + Sync>(
    a: &Array,
    axis: usize,
    (dtype, count): (DType, usize),
    f: &(dyn Fn(&[T], &mut [O]) + Sync),
) -> Result<Array, Refusal> {
    let (extent, order) = (a.shape()[axis], axis_last(a.rank(), axis));
    let mut shape = a.shape().to_vec();
    shape[axis] = count;
    let len = affordable(&shape)?;
    let data = laid(&a.view::<T>().permuted(&order));
    let write = |out: &mut [O]| pieces(out, count, |at, out| f(&data[at * extent..(at + 1) * extent], out));
    if axis + 1 == a.rank() {
        return Array::written(dtype, &shape, |out| {
            write(out.data);
            Ok(())
        });
    }
    let mut moved: Vec<O> = bytemuck::zeroed_vec(len);
    write(&mut moved);
    let sizes: Vec<usize> = order.iter().map(|&d| shape[d]).collect();
    let mut back: Vec<usize> = (0..shape.len() - 1).collect();
    back.insert(axis, shape.len() - 1);
    Array::written(dtype, &shape, |out| {
        copy(out, &View::packed(&moved, &sizes).permuted(&back));
        Ok(())
    })
}

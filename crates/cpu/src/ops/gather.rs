//! Gather, GatherElements, GatherND and Compress, which select elements, and NonZero, which returns indices.

use plumbline_tensor::DType;

use super::axes::{axis, within};
use super::layout::strides_of;
use super::moved::on_bits;
use crate::array::{Array, affordable};
use crate::element::{Number, with_bits, with_number};
use crate::kernels::pick::{pick, pick_along};
use crate::kernels::scatter::indices as all_indices;
use crate::node::{Node, Operator, Outputs, one};
use crate::view::View;
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[
    ("Compress", compress),
    ("Gather", gather),
    ("GatherElements", gather_elements),
    ("GatherND", gather_nd),
    ("NonZero", non_zero),
];

/// Converts indices along an axis with this extent and stride to distances in memory, in elements. A negative index
/// counts from the end.
pub fn places_along(indices: &[i64], extent: usize, stride: isize) -> Result<Vec<isize>, Refusal> {
    indices.iter().map(|&i| Ok(within(i, extent, "index")? as isize * stride)).collect()
}

fn gather(node: &Node) -> Outputs {
    let (data, indices) = (node.input(0)?, node.input(1)?);
    let axis = axis(node.int("axis"), data.rank())?;
    let given = indices.to_i64s()?;
    if node.since() < 11 && given.iter().any(|&i| i < 0) {
        return Err(Refusal::invalid("an index is negative, which this version does not allow"));
    }
    let places = places_along(&given, data.shape()[axis], 1)?;
    let places: Vec<usize> = places.into_iter().map(|p| p as usize).collect();
    let mut sizes = data.shape().to_vec();
    sizes[axis] = places.len();
    let (before, after) = data.shape().split_at(axis);
    let shape = [before, indices.shape(), &after[1..]].concat();
    affordable(&shape)?;
    picked_along(data, axis, &places, &sizes, &shape)
}

/// Gathers the elements at these indices of an axis. `sizes` is the shape of the gathered elements; the result is
/// reshaped to `shape`.
pub fn picked_along(data: &Array, axis: usize, places: &[usize], sizes: &[usize], shape: &[usize]) -> Outputs {
    on_bits(&[data], |data| {
        let data = &data[0];
        let picked = with_bits!(data.dtype().size(), T => Array::written::<T>(data.dtype(), sizes, |out| {
            pick_along(out, &data.view::<T>(), axis, places);
            Ok(())
        }))?;
        Ok(vec![picked.reshaped(shape)?])
    })
}

/// Checks the shape of `indices` for GatherElements and ScatterElements, and returns the axis. `indices` must have the
/// rank of the data. Unless it is empty, it must not be larger than the data along any axis other than the returned
/// axis.
pub fn beside(node: &Node, data: &Array, indices: &Array) -> Result<usize, Refusal> {
    if data.rank() != indices.rank() || data.rank() == 0 {
        return Err(Refusal::invalid(format!(
            "`indices` of shape {:?} and `data` of shape {:?} need equal ranks above 0",
            indices.shape(),
            data.shape()
        )));
    }
    let along = axis(node.int("axis"), data.rank())?;
    let larger = |(d, (i, e)): (usize, (&usize, &usize))| d != along && i > e;
    if !indices.is_empty() && indices.shape().iter().zip(data.shape()).enumerate().any(larger) {
        return Err(Refusal::invalid(format!(
            "`indices` of shape {:?} are larger than `data` of shape {:?} on an axis other than `axis`",
            indices.shape(),
            data.shape()
        )));
    }
    Ok(along)
}

fn gather_elements(node: &Node) -> Outputs {
    let (data, indices) = (node.input(0)?, node.input(1)?);
    let axis = beside(node, data, indices)?;
    let strides = strides_of(data.shape());
    let places = places_along(&indices.to_i64s()?, data.shape()[axis], strides[axis])?;
    let shape = indices.shape();
    on_bits(&[data], |data| {
        let data = &data[0];
        let picked = with_bits!(data.dtype().size(), T => Array::filled::<T>(data.dtype(), shape, |out| {
            let mut still = data.view::<T>().standing(axis, shape[axis]);
            for (d, &count) in shape.iter().enumerate().filter(|&(d, _)| d != axis) {
                still = still.sliced(d, 0, 1, count);
            }
            pick(out, &still, &View::packed(&places, shape));
            Ok(())
        }))?;
        Ok(vec![picked])
    })
}

/// The index tuples in the input `indices` of GatherND and ScatterND.
pub struct Tuples {
    /// For each tuple, the distance in memory from the start of its batch to what it selects, in elements.
    pub places: Vec<isize>,
    /// The number of axes of the data that a tuple indexes, behind the batch axes.
    pub depth: usize,
}

impl Tuples {
    /// Reads tuples that index the axes behind the first `batches` axes.
    pub fn read(data: &Array, indices: &Array, batches: usize) -> Result<Tuples, Refusal> {
        let depth = match indices.shape().last() {
            Some(&depth) if data.rank() > 0 && depth + batches <= data.rank() => depth,
            _ => {
                let (indices, data) = (indices.shape(), data.shape());
                return Err(Refusal::invalid(format!(
                    "`indices` has shape {indices:?} and `data` {data:?}, expected ranks above 0, and tuples of at \
                     most {} indices",
                    data.len().saturating_sub(batches)
                )));
            }
        };
        let strides = &strides_of(data.shape())[batches..batches + depth];
        let extents = &data.shape()[batches..batches + depth];
        let given = indices.to_i64s()?;
        let count: usize = indices.shape()[..indices.rank() - 1].iter().product();
        let place = |tuple: usize| {
            let tuple = given[tuple * depth..(tuple + 1) * depth].iter();
            tuple
                .zip(extents)
                .zip(strides)
                .try_fold(0, |sum, ((&i, &extent), &stride)| Ok(sum + within(i, extent, "index")? as isize * stride))
        };
        Ok(Tuples { places: (0..count).map(place).collect::<Result<_, Refusal>>()?, depth })
    }
}

fn gather_nd(node: &Node) -> Outputs {
    let (data, indices) = (node.input(0)?, node.input(1)?);
    let batches = node.int("batch_dims");
    let least = data.rank().min(indices.rank());
    let batches = usize::try_from(batches).ok().filter(|&b| b < least);
    let batches = batches.ok_or_else(|| {
        Refusal::invalid(format!(
            "`batch_dims` is {}, expected 0 or more and less than {least}",
            node.int("batch_dims")
        ))
    })?;
    if data.shape()[..batches] != indices.shape()[..batches] {
        return Err(Refusal::invalid(format!(
            "the first `batch_dims` extents of `data` {:?} and `indices` {:?} differ",
            data.shape(),
            indices.shape()
        )));
    }
    let tuples = Tuples::read(data, indices, batches)?;
    if tuples.depth == 0 {
        return Err(Refusal::invalid("the last extent of `indices` is 0"));
    }
    let inner = &data.shape()[batches + tuples.depth..];
    let (batch_sizes, middle) = indices.shape()[..indices.rank() - 1].split_at(batches);
    let shape = [batch_sizes, middle, inner].concat();
    // There are `batch` batches of `count` tuples. Each tuple selects a block of `block` elements.
    let (batch, block) = (batch_sizes.iter().product::<usize>(), inner.iter().product::<usize>());
    let count = middle.iter().product::<usize>();
    let sizes = [batch, count, block];
    if affordable(&sizes)? == 0 {
        return one(Array::zeros(data.dtype(), &shape)?);
    }
    let within_batch: usize = data.shape()[batches..].iter().product();
    on_bits(&[data], |data| {
        let data = &data[0];
        let picked = with_bits!(data.dtype().size(), T => Array::filled::<T>(data.dtype(), &sizes, |out| {
            let places = View::packed(&tuples.places, &[batch, count, 1]);
            let seen = data.view::<T>().restrided(&[batch, 1, block], &[within_batch as isize, 0, 1]);
            pick(out, &seen.map_err(|e| Refusal::failed(e.to_string()))?, &places);
            Ok(())
        }))?;
        Ok(vec![picked.reshaped(&shape)?])
    })
}

fn compress(node: &Node) -> Outputs {
    let (data, condition) = (node.input(0)?, node.input(1)?);
    if data.rank() == 0 || condition.rank() != 1 {
        let (data, condition) = (data.shape(), condition.shape());
        return Err(Refusal::invalid(format!(
            "expected rank 1 for `condition` of shape {condition:?}, and rank 1 or more for `input` of shape {data:?}"
        )));
    }
    let (data, axis) = match node.optional_int("axis") {
        Some(along) => (data.clone(), axis(along, data.rank())?),
        None => (data.reshaped(&[data.len()])?, 0),
    };
    let truths = condition.slice::<u8>().iter().take(data.shape()[axis]).enumerate();
    let places: Vec<usize> = truths.filter(|(_, truth)| **truth != 0).map(|(at, _)| at).collect();
    if condition.slice::<u8>().iter().skip(data.shape()[axis]).any(|&truth| truth != 0) {
        return Err(Refusal::invalid(format!(
            "{} is true at an index that the axis of {} elements does not have",
            "condition",
            data.shape()[axis]
        )));
    }
    let mut shape = data.shape().to_vec();
    shape[axis] = places.len();
    picked_along(&data, axis, &places, &shape, &shape)
}

fn non_zero(node: &Node) -> Outputs {
    let x = node.input(0)?;
    let truths: Vec<bool> = match x.dtype() {
        DType::String => x.strings().iter().map(|s| !s.is_empty()).collect(),
        DType::Complex64 => x.slice::<[f32; 2]>().iter().map(|c| *c != [0.0; 2]).collect(),
        DType::Complex128 => x.slice::<[f64; 2]>().iter().map(|c| *c != [0.0; 2]).collect(),
        DType::Bool => x.slice::<u8>().iter().map(|&b| b != 0).collect(),
        dtype => with_number!(dtype, T => Ok(x.slice::<T>().iter().map(|n| *n != T::zero()).collect()))?,
    };
    let mut found: Vec<Vec<i64>> = vec![Vec::new(); x.rank()];
    let mut count = 0;
    let mut truth = truths.iter();
    all_indices(x.shape(), |index| {
        if truth.next() == Some(&true) {
            count += 1;
            found.iter_mut().zip(index).for_each(|(along, &i)| along.push(i as i64));
        }
    });
    one(Array::from_elements(DType::Int64, &[x.rank(), count], &found.concat())?)
}

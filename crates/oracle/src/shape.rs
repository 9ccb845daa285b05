//! Index arithmetic on row-major shapes.

use plumbline_tensor::{TensorError, element_count};

use crate::{Label, Limit, Refusal, limits};

/// Returns the number of elements of a tensor of this shape. Refuses a shape with more elements than the budget of the
/// computation allows ([`limits::MOST_ELEMENTS`] by default).
/// For this limit, an extent of 0 counts as 1, because kernels may loop over the other extents of an empty tensor.
pub fn affordable(shape: &[usize]) -> Result<usize, Refusal> {
    let whole = shape.iter().try_fold(1usize, |n, &extent| n.checked_mul(extent.max(1)));
    match whole {
        Some(whole) if whole <= limits::tensor_elements() => Ok(if shape.contains(&0) { 0 } else { whole }),
        _ => {
            let message = format!("a tensor of shape {shape:?} is larger than the oracle takes");
            Err(Refusal::beyond(Limit::TensorElements, message))
        }
    }
}

/// Returns the product of extents; refuses extents whose product overflows.
pub fn product(extents: &[usize]) -> Result<usize, Refusal> {
    Ok(element_count(extents).ok_or_else(|| TensorError::TooLarge(extents.to_vec()))?)
}

/// Brings an index into `0..extent`; a negative index counts from the end. `label` is the constraint that an index
/// outside of the extent violates.
pub fn index_within(index: i64, extent: usize, label: Label) -> Result<usize, Refusal> {
    let from_start = if index < 0 { i128::from(index) + extent as i128 } else { i128::from(index) };
    if (0..extent as i128).contains(&from_start) {
        return Ok(from_start as usize);
    }
    Err(Refusal::violates(label, format!("index {index} is outside an extent of {extent}")))
}

/// Brings axes into `0..rank`. `label` is the constraint that an axis outside of the rank violates, and that a negative
/// axis violates if `negative` is false.
pub fn axes_within(axes: &[i64], rank: usize, negative: bool, label: Label) -> Result<Vec<usize>, Refusal> {
    let axis = |&axis: &i64| {
        if axis < 0 && !negative {
            return Err(Refusal::violates(label, format!("axis {axis} is negative")));
        }
        index_within(axis, rank, label)
            .map_err(|_| Refusal::violates(label, format!("axis {axis} is out of range for rank {rank}")))
    };
    axes.iter().map(axis).collect()
}

/// Returns whether all axes are different.
pub fn distinct(axes: &[usize]) -> bool {
    let mut seen = axes.to_vec();
    seen.sort_unstable();
    seen.windows(2).all(|w| w[0] != w[1])
}

/// Returns the distance, in elements, between neighbours along each dimension.
pub fn strides(shape: &[usize]) -> Vec<usize> {
    let mut strides = vec![1usize; shape.len()];
    for d in (0..shape.len().saturating_sub(1)).rev() {
        // Only the extents of an empty tensor can have a product that wraps.
        strides[d] = strides[d + 1].wrapping_mul(shape[d + 1].max(1));
    }
    strides
}

/// Returns the coordinates of element `index`.
pub fn coordinates(mut index: usize, shape: &[usize]) -> Vec<usize> {
    let mut at = vec![0; shape.len()];
    for d in (0..shape.len()).rev() {
        let extent = shape[d].max(1);
        at[d] = index % extent;
        index /= extent;
    }
    at
}

/// Returns the index of the element at these coordinates.
pub fn index_of(at: &[usize], shape: &[usize]) -> usize {
    at.iter().zip(shape).fold(0, |index, (&a, &extent)| index * extent + a)
}

/// Returns the shape to which all of these shapes broadcast; `None` where they do not. This is NumPy's rule: the last
/// dimensions are aligned, and extents are equal or one of them is 1.
pub fn broadcast(shapes: &[&[usize]]) -> Option<Vec<usize>> {
    let rank = shapes.iter().map(|s| s.len()).max().unwrap_or(0);
    let mut out = vec![1; rank];
    for shape in shapes {
        let offset = rank - shape.len();
        for (d, &extent) in shape.iter().enumerate() {
            let target = &mut out[offset + d];
            if *target == 1 {
                *target = extent;
            } else if extent != 1 && extent != *target {
                return None;
            }
        }
    }
    Some(out)
}

/// Returns whether a tensor of shape `from` broadcasts to `shape`, without changing it.
pub fn broadcasts_to(from: &[usize], shape: &[usize]) -> bool {
    broadcast(&[from, shape]).is_some_and(|both| both == shape)
}

/// Broadcasts a tensor of shape `from` to `shape`: returns for each element of the result, in row-major order, the
/// index of the tensor's element that it copies. `from` must broadcast to `shape`.
pub fn broadcast_indices(from: &[usize], shape: &[usize]) -> Vec<usize> {
    let own = strides(from);
    let offset = shape.len() - from.len();
    let steps: Vec<usize> =
        (0..shape.len()).map(|d| if d < offset || from[d - offset] == 1 { 0 } else { own[d - offset] }).collect();
    strided_indices(shape, &steps)
}

/// Returns for each element of a tensor of shape `shape`, in row-major order, the dot product of the element's
/// coordinates and `steps`. [`affordable`] must accept the shape.
pub fn strided_indices(shape: &[usize], steps: &[usize]) -> Vec<usize> {
    let count = element_count(shape).unwrap_or(0);
    let mut out = Vec::with_capacity(count);
    let mut at = vec![0usize; shape.len()];
    let mut index = 0;
    for _ in 0..count {
        out.push(index);
        for d in (0..shape.len()).rev() {
            at[d] += 1;
            index += steps[d];
            if at[d] < shape[d] {
                break;
            }
            index -= steps[d] * at[d];
            at[d] = 0;
        }
    }
    out
}

/// Splits a shape at an axis: returns the product of the extents before it, its own extent, and the product of the
/// extents after it.
pub fn around(shape: &[usize], axis: usize) -> (usize, usize, usize) {
    // The product of extents can overflow only where another extent is 0, and then there is no element.
    let product = |extents: &[usize]| element_count(extents).unwrap_or(usize::MAX);
    (product(&shape[..axis]), shape[axis], product(&shape[axis + 1..]))
}

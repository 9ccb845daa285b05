//! Strided views of memory, which kernels read and write.

/// The reason why sizes and strides do not make a valid view of the given elements.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    /// The numbers of sizes and of strides differ.
    #[error("there are {sizes} sizes and {strides} strides, expected equal numbers")]
    Rank {
        /// Number of sizes.
        sizes: usize,
        /// Number of strides.
        strides: usize,
    },
    /// An element of the view lies outside of the memory.
    #[error("sizes {sizes:?} with strides {strides:?} reach outside {elements} elements")]
    Outside {
        /// The sizes of the view.
        sizes: Vec<usize>,
        /// The strides of the view.
        strides: Vec<isize>,
        /// Number of elements in the memory.
        elements: usize,
    },
    /// Two places of an output view may be the same element.
    #[error("sizes {sizes:?} with strides {strides:?} may reach an element twice, which a view for writing must not")]
    Overlap {
        /// The sizes of the view.
        sizes: Vec<usize>,
        /// The strides of the view.
        strides: Vec<isize>,
    },
}

/// A view for reading. It may have any strides: stride 0 repeats one element, and a negative stride reads backwards.
#[derive(Debug)]
pub struct View<'a, T> {
    pub(super) data: &'a [T],
    pub(super) offset: isize,
    sizes: Vec<usize>,
    strides: Vec<isize>,
}

/// A view for writing. Its strides are not negative, and no element is in it twice. It may leave gaps, which are not
/// written.
#[derive(Debug)]
pub struct ViewMut<'a, T> {
    pub(super) data: &'a mut [T],
    sizes: Vec<usize>,
    strides: Vec<usize>,
}

/// Returns the row-major strides of these sizes.
pub fn packed(sizes: &[usize]) -> Vec<usize> {
    let mut strides = vec![1usize; sizes.len()];
    for d in (0..sizes.len().saturating_sub(1)).rev() {
        strides[d] = strides[d + 1].saturating_mul(sizes[d + 1].max(1));
    }
    strides
}

// The next functions do not depend on the element type, so that they are compiled once and not once for each type.

/// Returns the lowest and the highest place that the view reaches from `offset`, or `None` if the arithmetic overflows.
fn reach(offset: isize, sizes: &[usize], strides: &[isize]) -> Option<(i128, i128)> {
    let (mut low, mut high) = (offset as i128, offset as i128);
    for (&size, &stride) in sizes.iter().zip(strides) {
        let last = (size as i128 - 1).checked_mul(stride as i128)?;
        if last < 0 {
            low = low.checked_add(last)?;
        } else {
            high = high.checked_add(last)?;
        }
    }
    Some((low, high))
}

/// Checks that a view with this offset and these sizes and strides stays inside `elements` elements of memory.
fn check(elements: usize, offset: isize, sizes: &[usize], strides: &[isize]) -> Result<(), ViewError> {
    if sizes.len() != strides.len() {
        return Err(ViewError::Rank { sizes: sizes.len(), strides: strides.len() });
    }
    let inside = |(low, high): (i128, i128)| low >= 0 && high < elements as i128;
    if !sizes.contains(&0) && !reach(offset, sizes, strides).is_some_and(inside) {
        return Err(ViewError::Outside { sizes: sizes.into(), strides: strides.into(), elements });
    }
    Ok(())
}

/// Checks that a view with these sizes and strides stays inside `elements` elements of memory, and has no element
/// twice. Some views with interleaved dimensions are refused although they have no element twice.
pub fn check_apart(elements: usize, sizes: &[usize], strides: &[usize]) -> Result<(), ViewError> {
    let signed: Vec<isize> = strides.iter().map(|&s| isize::try_from(s).unwrap_or(isize::MAX)).collect();
    check(elements, 0, sizes, &signed)?;
    // With the dimensions sorted by stride, each stride must be larger than the distance that the dimensions before it
    // reach together.
    let mut dims: Vec<(usize, usize)> = strides.iter().copied().zip(sizes.iter().copied()).collect();
    dims.retain(|&(_, size)| size > 1);
    dims.sort_unstable();
    let mut reached = 0;
    for (stride, size) in dims {
        if stride <= reached && !sizes.contains(&0) {
            return Err(ViewError::Overlap { sizes: sizes.into(), strides: signed });
        }
        reached += (size - 1) * stride;
    }
    Ok(())
}

/// Returns the strides with which a view broadcasts to the sizes `to`: 0 for each dimension that it lacks or repeats.
/// Returns `None` if the sizes do not broadcast.
fn repeated(sizes: &[usize], strides: &[isize], to: &[usize]) -> Option<Vec<isize>> {
    let missing = to.len().checked_sub(sizes.len())?;
    let mut repeated = vec![0; missing];
    for (d, &size) in to[missing..].iter().enumerate() {
        match sizes[d] {
            own if own == size => repeated.push(strides[d]),
            1 => repeated.push(0),
            _ => return None,
        }
    }
    Some(repeated)
}

/// Returns whether elements with these strides are contiguous in row-major order.
fn is_contiguous(sizes: &[usize], strides: &[isize]) -> bool {
    let mut next = 1;
    sizes.iter().zip(strides).rev().all(|(&size, &stride)| {
        let contiguous = size == 1 || stride == next;
        next *= size as isize;
        contiguous
    })
}

/// Returns the entries of a list at these places.
fn entries<S: Copy>(list: &[S], axes: &[usize]) -> Vec<S> {
    axes.iter().map(|&axis| list[axis]).collect()
}

impl<T> Clone for View<'_, T> {
    fn clone(&self) -> Self {
        View { data: self.data, offset: self.offset, sizes: self.sizes.clone(), strides: self.strides.clone() }
    }
}

impl<'a, T> View<'a, T> {
    /// Creates a view of the elements `offset + dot(index, strides)` of `data`.
    pub fn new(data: &'a [T], offset: isize, sizes: &[usize], strides: &[isize]) -> Result<View<'a, T>, ViewError> {
        check(data.len(), offset, sizes, strides)?;
        Ok(View { data, offset, sizes: sizes.into(), strides: strides.into() })
    }

    /// Creates a row-major view of all elements. The product of `sizes` must be the length of `data`.
    pub fn packed(data: &'a [T], sizes: &[usize]) -> View<'a, T> {
        let strides: Vec<isize> = packed(sizes).into_iter().map(|s| s as isize).collect();
        View::new(data, 0, sizes, &strides).expect("callers pass the sizes of the data")
    }

    /// Returns the extents.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// Returns the distance between neighbours along each dimension, in elements.
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// Returns this view without its elements.
    pub fn places(&self) -> View<'static, ()> {
        View { data: &[], offset: self.offset, sizes: self.sizes.clone(), strides: self.strides.clone() }
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.sizes.iter().product()
    }

    /// Returns whether the view has no elements.
    pub fn is_empty(&self) -> bool {
        self.sizes.contains(&0)
    }

    /// Broadcasts the view to these sizes: dimensions are aligned at the last one, and missing dimensions and those of
    /// size 1 are repeated. Returns `None` if the sizes do not fit.
    pub fn broadcast(&self, sizes: &[usize]) -> Option<View<'a, T>> {
        let strides = repeated(&self.sizes, &self.strides, sizes)?;
        Some(View { data: self.data, offset: self.offset, sizes: sizes.to_vec(), strides })
    }

    /// Reorders the dimensions: dimension `d` of the result is dimension `axes[d]` of this view.
    pub fn permuted(&self, axes: &[usize]) -> View<'a, T> {
        let (sizes, strides) = (entries(&self.sizes, axes), entries(&self.strides, axes));
        View { data: self.data, offset: self.offset, sizes, strides }
    }

    /// Returns a view in which `axis` has the size `count`, and every index along `axis` selects what index 0 selects
    /// in this view.
    pub fn standing(&self, axis: usize, count: usize) -> View<'a, T> {
        let mut view = self.clone();
        view.sizes[axis] = count;
        view.strides[axis] = 0;
        view
    }

    /// Returns a view from the same first element with other sizes and strides.
    pub fn restrided(&self, sizes: &[usize], strides: &[isize]) -> Result<View<'a, T>, ViewError> {
        View::new(self.data, self.offset, sizes, strides)
    }

    /// Returns `count` elements along `axis`, from index `start` on, at indices that are `step` apart.
    pub fn sliced(&self, axis: usize, start: usize, step: isize, count: usize) -> View<'a, T> {
        let mut view = self.clone();
        view.offset += if count == 0 { 0 } else { start as isize * self.strides[axis] };
        view.strides[axis] = self.strides[axis].saturating_mul(step);
        view.sizes[axis] = count;
        view
    }

    /// Returns the elements as a slice if they are contiguous in row-major order, else `None`.
    pub fn as_slice(&self) -> Option<&'a [T]> {
        if !is_contiguous(&self.sizes, &self.strides) {
            return None;
        }
        self.data.get(self.offset as usize..self.offset as usize + self.len())
    }
}

impl<'a, T: Copy> View<'a, T> {
    /// Returns the element at this index.
    #[inline(always)]
    pub fn at(&self, index: &[usize]) -> T {
        let place = index.iter().zip(&self.strides).map(|(&i, &s)| i as isize * s).sum::<isize>();
        self.data[(self.offset + place) as usize]
    }
}

impl<'a, T> ViewMut<'a, T> {
    /// Creates a view of the elements `dot(index, strides)` of `data`.
    pub fn new(data: &'a mut [T], sizes: &[usize], strides: &[usize]) -> Result<ViewMut<'a, T>, ViewError> {
        check_apart(data.len(), sizes, strides)?;
        Ok(ViewMut { data, sizes: sizes.into(), strides: strides.into() })
    }

    /// Creates a row-major view of all elements. The product of `sizes` must be the length of `data`.
    pub fn packed(data: &'a mut [T], sizes: &[usize]) -> ViewMut<'a, T> {
        ViewMut::new(data, sizes, &packed(sizes)).expect("callers pass the sizes of the data")
    }

    /// Returns the extents.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// Returns the distance between neighbours along each dimension, in elements.
    pub fn strides(&self) -> &[usize] {
        &self.strides
    }

    /// Reorders the dimensions: dimension `d` of the result is dimension `axes[d]` of this view.
    pub fn permuted(self, axes: &[usize]) -> ViewMut<'a, T> {
        let (sizes, strides) = (entries(&self.sizes, axes), entries(&self.strides, axes));
        ViewMut { data: self.data, sizes, strides }
    }

    /// Returns `count` elements along `axis`, from index `start` on.
    pub fn sliced(&mut self, axis: usize, start: usize, count: usize) -> ViewMut<'_, T> {
        let mut sizes = self.sizes.clone();
        sizes[axis] = count;
        let from = if sizes.contains(&0) { 0 } else { start * self.strides[axis] };
        ViewMut { data: &mut self.data[from..], sizes, strides: self.strides.clone() }
    }

    /// Slices every axis. `parts` has the first index and the number of elements for each axis.
    pub fn sliced_all(&mut self, parts: impl Iterator<Item = (usize, usize)>) -> ViewMut<'_, T> {
        let (starts, sizes): (Vec<usize>, Vec<usize>) = parts.unzip();
        let from = if sizes.contains(&0) { 0 } else { starts.iter().zip(&self.strides).map(|(a, s)| a * s).sum() };
        ViewMut { data: &mut self.data[from..], sizes, strides: self.strides.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_outside_the_data_and_overlapping_views_for_writing_are_rejected() {
        let mut data = [0u8; 12];
        assert!(View::new(&data, 0, &[3, 4], &[4, 1]).is_ok());
        assert!(View::new(&data, 0, &[3, 4], &[0, 0]).is_ok());
        assert!(View::new(&data, 11, &[3, 4], &[-4, -1]).is_ok());
        assert!(View::new(&data, 10, &[3, 4], &[-4, -1]).is_err());
        assert!(View::new(&data, 0, &[3, 4], &[5, 1]).is_err());
        assert!(View::new(&data, 0, &[usize::MAX, usize::MAX], &[isize::MAX, isize::MAX]).is_err());
        assert!(View::new(&data, 0, &[0, usize::MAX], &[1, 1]).is_ok());
        assert!(ViewMut::new(&mut data, &[3, 4], &[1, 3]).is_ok());
        assert!(ViewMut::new(&mut data, &[3, 4], &[2, 2]).is_err());
        assert!(ViewMut::new(&mut data, &[3, 4], &[0, 1]).is_err());
    }

    #[test]
    fn a_view_of_a_view_selects_the_expected_elements() {
        let data: Vec<u8> = (0..12).collect();
        let view = View::packed(&data, &[3, 4]);
        assert_eq!(view.permuted(&[1, 0]).at(&[3, 1]), 7);
        let backwards = view.sliced(1, 3, -2, 2);
        assert_eq!([backwards.at(&[2, 0]), backwards.at(&[2, 1])], [11, 9]);
        assert!(view.broadcast(&[2, 3, 4]).is_some_and(|v| v.at(&[1, 0, 3]) == 3));
        assert!(view.broadcast(&[4]).is_none());
        assert_eq!(view.sliced(0, 1, 1, 2).as_slice(), Some(&data[4..]));
        assert_eq!(backwards.as_slice(), None);
    }
}

//! Windows that slide over spatial axes, with strides, dilations and padding. The taps of a window are the places at
//! which it reads.

use plumbline_graph::Refusal;

/// The largest distance from the first tap of a window to its last. A longer window is refused, so that computations
/// with its extent cannot overflow.
const MOST: usize = 1 << 31;

/// Windows over the spatial axes. Each list has one entry for each axis.
#[derive(Debug)]
pub struct Windows {
    /// Extents of the input.
    pub input: Vec<usize>,
    /// Number of taps of a window.
    pub kernel: Vec<usize>,
    /// Distance from window to window.
    pub strides: Vec<usize>,
    /// Distance from tap to tap.
    pub dilations: Vec<usize>,
    /// Padding before the first element.
    pub begin: Vec<usize>,
    /// Padding behind the last element.
    pub end: Vec<usize>,
    /// Number of windows.
    pub output: Vec<usize>,
}

impl Windows {
    /// Returns the extent of a window along axis `d`, from its first tap to its last, both included.
    pub fn span(&self, d: usize) -> Result<usize, Refusal> {
        let taps =
            self.kernel[d].checked_sub(1).ok_or_else(|| Refusal::unsupported("the kernel has an extent of 0"))?;
        taps.checked_mul(self.dilations[d])
            .filter(|&span| span <= MOST)
            .map(|span| span + 1)
            .ok_or_else(|| Refusal::unsupported("the dilated kernel is longer than this backend takes"))
    }

    /// Returns the index of the element on which a tap of a window lies along axis `d`, or `None` if it lies on padding
    /// or behind the padding.
    pub fn place(&self, d: usize, window: usize, tap: usize) -> Option<usize> {
        let place = (window * self.strides[d] + tap * self.dilations[d]).checked_sub(self.begin[d])?;
        (place < self.input[d]).then_some(place)
    }

    /// Counts the taps of a window along axis `d` that lie on elements or on padding, but not behind the padding.
    pub fn padded_taps(&self, d: usize, window: usize) -> usize {
        let end = self.begin[d] + self.input[d] + self.end[d];
        (0..self.kernel[d]).filter(|tap| window * self.strides[d] + tap * self.dilations[d] < end).count()
    }
}

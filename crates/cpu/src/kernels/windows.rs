//! Windows that slide over spatial axes: strides, dilations, padding.

use plumbline_graph::Refusal;

/// A longer window is refused before anything is multiplied.
const MOST: usize = 1 << 31;

/// Windows over the spatial axes, one entry an axis.
#[derive(Debug)]
pub struct Windows {
    /// Extents of the input.
    pub input: Vec<usize>,
    /// Taps of a window.
    pub kernel: Vec<usize>,
    /// From window to window.
    pub strides: Vec<usize>,
    /// From tap to tap.
    pub dilations: Vec<usize>,
    /// Padding before the first element.
    pub begin: Vec<usize>,
    /// Padding behind the last element.
    pub end: Vec<usize>,
    /// Number of windows.
    pub output: Vec<usize>,
}

impl Windows {
    /// Elements from the first tap of a window to behind its last.
    pub fn span(&self, d: usize) -> Result<usize, Refusal> {
        let taps = self.kernel[d].checked_sub(1).ok_or_else(|| Refusal::unsupported("a kernel without taps"))?;
        taps.checked_mul(self.dilations[d])
            .filter(|&span| span <= MOST)
            .map(|span| span + 1)
            .ok_or_else(|| Refusal::unsupported("a window of more elements than this backend takes"))
    }

    /// Where a tap of a window lies along an axis: none on padding.
    pub fn place(&self, d: usize, window: usize, tap: usize) -> Option<usize> {
        let place = (window * self.strides[d] + tap * self.dilations[d]).checked_sub(self.begin[d])?;
        (place < self.input[d]).then_some(place)
    }

    /// Taps of a window, on elements and on padding; not those behind the padding.
    pub fn padded_taps(&self, d: usize, window: usize) -> usize {
        let end = self.begin[d] + self.input[d] + self.end[d];
        (0..self.kernel[d]).filter(|tap| window * self.strides[d] + tap * self.dilations[d] < end).count()
    }
}

//! Windows that slide over the spatial axes of a tensor (N x C x D1 x ... x Dn). Convolution and pooling share this
//! geometry.

use std::ops::Range;

use crate::prelude::*;

/// The largest number of reads, and the largest number of runs, that the oracle lists for all windows of a plane.
const MOST_READS: usize = 1 << 24;

/// The windows along one spatial axis.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// The number of elements along the axis.
    pub extent: usize,
    /// The number of taps of a window.
    pub kernel: usize,
    /// The distance between neighbouring windows.
    pub stride: usize,
    /// The distance between neighbouring taps.
    pub dilation: usize,
    /// The padding before the first element and behind the last.
    pub pads: (i64, i64),
    /// The number of windows.
    pub windows: usize,
    /// The padding that the formula for SAME gives if it is negative, as it may be for windows that are shorter than
    /// their stride; 0 otherwise.
    pub removed: i64,
}

impl Axis {
    /// Returns the number of places from the first tap of a window to the last, both included.
    pub fn reach(&self) -> i64 {
        (self.kernel as i64 - 1) * self.dilation as i64 + 1
    }

    fn start(&self, window: usize) -> i64 {
        window as i64 * self.stride as i64 - self.pads.0
    }

    /// Returns the first tap of a window that lies at `position` or behind it.
    fn tap_from(&self, window: usize, position: i64) -> usize {
        let distance = position - self.start(window);
        if distance <= 0 { 0 } else { (distance as usize).div_ceil(self.dilation).min(self.kernel) }
    }

    /// Returns the taps of a window that lie on elements, not on padding.
    pub fn taps(&self, window: usize) -> Range<usize> {
        let end = self.tap_from(window, self.extent as i64);
        self.tap_from(window, 0).min(end)..end
    }

    /// Returns how many taps of a window lie on elements or on padding. If the number of windows was rounded up, some
    /// taps may lie behind both.
    pub fn padded_taps(&self, window: usize) -> usize {
        self.tap_from(window, self.extent as i64 + self.pads.1) - self.tap_from(window, -self.pads.0)
    }

    /// Returns the element that a tap lies on.
    fn position(&self, window: usize, tap: usize) -> usize {
        (self.start(window) + (tap * self.dilation) as i64).max(0) as usize
    }

    /// Returns the windows in which this tap lies on an element.
    fn windows_of(&self, tap: usize) -> Range<usize> {
        let least = self.pads.0 - (tap * self.dilation) as i64;
        let count = |from: i64| if from <= 0 { 0 } else { (from as usize).div_ceil(self.stride).min(self.windows) };
        let end = count(least + self.extent as i64);
        count(least).min(end)..end
    }
}

/// Windows over all spatial axes.
#[derive(Clone, Debug)]
pub struct Windows {
    /// One entry for each axis.
    pub axes: Vec<Axis>,
}

impl Windows {
    /// Returns the windows with the negative padding that the formula for SAME gives at the beginning of an axis, or
    /// `None` if that changes nothing.
    pub fn shortened(&self) -> Option<Windows> {
        let moved = |a: &Axis| Axis { pads: (a.pads.0 + a.removed / 2, a.pads.1), ..*a };
        let differs = self.axes.iter().any(|a| a.removed / 2 != 0);
        differs.then(|| Windows { axes: self.axes.iter().map(moved).collect() })
    }

    /// Returns a shape: first the extents `leading`, then the number of windows along each axis.
    pub fn shape(&self, leading: &[usize]) -> Result<Vec<usize>, Refusal> {
        let shape: Vec<usize> = leading.iter().copied().chain(self.axes.iter().map(|a| a.windows)).collect();
        shape::affordable(&shape)?;
        Ok(shape)
    }

    /// Returns the number of windows.
    pub fn count(&self) -> usize {
        self.axes.iter().map(|a| a.windows).product()
    }

    /// Returns the number of elements.
    pub fn elements(&self) -> usize {
        self.axes.iter().map(|a| a.extent).product()
    }

    /// Returns the number of taps of a window.
    pub fn taps(&self) -> usize {
        self.axes.iter().fold(1, |taps: usize, a| taps.saturating_mul(a.kernel))
    }

    /// Returns the coordinates of a window among all windows.
    fn coordinates(&self, window: usize) -> Vec<usize> {
        let extents: Vec<usize> = self.axes.iter().map(|a| a.windows).collect();
        shape::coordinates(window, &extents)
    }

    /// Returns how many taps of a window lie on elements or on padding.
    pub fn padded_taps(&self, window: usize) -> usize {
        self.axes.iter().zip(self.coordinates(window)).map(|(a, w)| a.padded_taps(w)).product()
    }

    /// Returns the elements that each window reads.
    pub fn reads(&self) -> Result<Reads, Refusal> {
        let total = self.axes.iter().try_fold(1usize, |total, axis| {
            let along: usize = (0..axis.windows).map(|w| axis.taps(w).len()).sum();
            total.checked_mul(along).filter(|&n| n <= MOST_READS)
        });
        let total = total.ok_or_else(too_many)?;
        let mut reads = Reads { starts: vec![0], pairs: Vec::with_capacity(total) };
        let (mut before, mut next) = (Vec::new(), Vec::new());
        for window in 0..self.count() {
            before.clear();
            before.push((0usize, 0usize));
            for (axis, at) in self.axes.iter().zip(self.coordinates(window)) {
                next.clear();
                for &(tap, position) in &before {
                    let along = axis.taps(at).map(|t| {
                        (tap.wrapping_mul(axis.kernel).wrapping_add(t), position * axis.extent + axis.position(at, t))
                    });
                    next.extend(along);
                }
                std::mem::swap(&mut before, &mut next);
            }
            reads.pairs.extend_from_slice(&before);
            reads.starts.push(reads.pairs.len());
        }
        Ok(reads)
    }

    /// Returns the distance between the elements that one tap reads in neighbouring windows.
    pub fn step(&self) -> usize {
        self.axes.last().map_or(1, |a| a.stride)
    }

    /// Returns all that the windows read, as runs along the last axis.
    pub fn runs(&self) -> Result<Vec<Run>, Refusal> {
        let Some((last, outer)) = self.axes.split_last() else { return Ok(vec![]) };
        let total = outer.iter().try_fold(last.kernel, |total, axis| {
            let along: usize = (0..axis.kernel).map(|t| axis.windows_of(t).len()).sum();
            total.checked_mul(along).filter(|&n| n <= MOST_READS)
        });
        let total = total.filter(|&n| n <= MOST_READS).ok_or_else(too_many)?;
        let mut rows = vec![Run { tap: 0, window: 0, position: 0, length: 0 }];
        for axis in outer {
            let mut next = Vec::with_capacity(total);
            for row in &rows {
                for t in 0..axis.kernel {
                    next.extend(axis.windows_of(t).map(|w| Run {
                        tap: row.tap * axis.kernel + t,
                        window: row.window * axis.windows + w,
                        position: row.position * axis.extent + axis.position(w, t),
                        length: 0,
                    }));
                }
            }
            rows = next;
        }
        let mut runs = Vec::with_capacity(total);
        for row in &rows {
            for t in 0..last.kernel {
                let windows = last.windows_of(t);
                if windows.is_empty() {
                    continue;
                }
                runs.push(Run {
                    tap: row.tap * last.kernel + t,
                    window: row.window * last.windows + windows.start,
                    position: row.position * last.extent + last.position(windows.start, t),
                    length: windows.len(),
                });
            }
        }
        Ok(runs)
    }
}

fn too_many() -> Refusal {
    Refusal::failed("the windows read more elements than the oracle takes")
}

/// Neighbouring windows along the last axis. In each of them, the same tap lies on an element, and these elements are
/// [`Windows::step`] apart.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The tap, counted through the kernel in row-major order.
    pub tap: usize,
    /// The first window.
    pub window: usize,
    /// The element that the tap of the first window lies on.
    pub position: usize,
    /// The number of windows.
    pub length: usize,
}

/// Returns the number of elements that these runs read together.
pub fn reads(runs: &[Run]) -> usize {
    runs.iter().map(|run| run.length).sum()
}

/// The taps of each window that lie on elements, and these elements. Windows come in row-major order.
#[derive(Clone, Debug)]
pub struct Reads {
    starts: Vec<usize>,
    pairs: Vec<(usize, usize)>,
}

impl Reads {
    /// Returns the taps and elements of one window.
    pub fn positions(&self, window: usize) -> &[(usize, usize)] {
        &self.pairs[self.starts[window]..self.starts[window + 1]]
    }

    /// Returns the same the other way round: for each of `elements` elements, the taps that lie on it and their
    /// windows.
    pub fn transposed(&self, elements: usize) -> Reads {
        let mut starts = vec![0; elements + 1];
        self.pairs.iter().for_each(|&(_, position)| starts[position + 1] += 1);
        (0..elements).for_each(|i| starts[i + 1] += starts[i]);
        let (mut pairs, mut next) = (vec![(0, 0); self.pairs.len()], starts.clone());
        for window in 0..self.starts.len() - 1 {
            for &(tap, position) in self.positions(window) {
                pairs[next[position]] = (tap, window);
                next[position] += 1;
            }
        }
        Reads { starts, pairs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(extent: usize, kernel: usize, stride: usize, dilation: usize, pads: (i64, i64), windows: usize) -> Axis {
        Axis { extent, kernel, stride, dilation, pads, windows, removed: 0 }
    }

    /// Both the reads and the runs are those that a loop over every tap of every window finds.
    #[test]
    fn runs_and_reads_cover_the_elements_under_the_taps() {
        let rows = axis(5, 3, 2, 1, (1, 1), 3);
        let columns = axis(4, 2, 1, 3, (2, 0), 3);
        let windows = Windows { axes: vec![rows, columns] };
        let mut all = Vec::new();
        for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
            for (s, t) in (0..3).flat_map(|s| (0..2).map(move |t| (s, t))) {
                let (row, column) = (i * 2 + s - 1, j + t * 3 - 2);
                if (0..5).contains(&row) && (0..4).contains(&column) {
                    all.push(((i * 3 + j) as usize, (s * 2 + t) as usize, (row * 4 + column) as usize));
                }
            }
        }
        let reads = windows.reads().expect("the windows read few elements");
        let read: Vec<_> = (0..9).flat_map(|w| reads.positions(w).iter().map(move |&(t, p)| (w, t, p))).collect();
        assert_eq!(read, all);
        let back = reads.transposed(20);
        let mut turned: Vec<_> = (0..20).flat_map(|p| back.positions(p).iter().map(move |&(t, w)| (w, t, p))).collect();
        turned.sort_unstable();
        assert_eq!(turned, all);
        let runs = windows.runs().expect("the windows read few elements");
        let one = |r: &Run| (0..r.length).map(|i| (r.window + i, r.tap, r.position + i)).collect::<Vec<_>>();
        let mut run: Vec<_> = runs.iter().flat_map(one).collect();
        run.sort_unstable();
        assert_eq!(run, all);
    }

    #[test]
    fn padding_counts_but_elements_that_rounding_up_adds_do_not() {
        // In the last of three windows over 1 + 4 + 1 elements, one tap lies behind the padding.
        let axis = axis(4, 3, 2, 1, (1, 1), 3);
        assert_eq!([0, 1, 2].map(|w| (axis.taps(w), axis.padded_taps(w))), [(1..3, 3), (0..3, 3), (0..1, 2)]);
    }
}

//! Draws the sizes of a tensor, and how it lies in its buffer: packed, with gaps, transposed, or with elements that a
//! stride of 0 repeats.

use std::ops::RangeInclusive;

use plumbline_spec::directml::TensorDataType;

use super::description::{DrawnTensor, May, packed};
use super::sketch::Drawing;

/// The bytes that a buffer may have beyond its last element, in units of four bytes or of one element if that is larger.
const SLACK: [u64; 5] = [0, 0, 1, 4, 7];

/// The most elements that a buffer has for one element of the tensor, roughly.
const MOST_PLACES: u64 = 4096;

/// The largest number of elements of a drawn tensor.
const MOST_ELEMENTS: u32 = 256;

impl Drawing {
    /// Returns how many dimensions all of these tensors may have.
    pub(super) fn dimension_counts(&self, tensors: &[&str]) -> RangeInclusive<u32> {
        let rows = || tensors.iter().filter_map(|name| self.row(name)).map(|row| row.dimension_counts);
        let least = rows().map(|counts| counts.min).max().unwrap_or(1);
        least..=rows().map(|counts| counts.max).min().unwrap_or(8).max(least)
    }

    /// Returns the number of the option, of this many, whose turn it is: in every second case, all of them take turns.
    pub(super) fn in_turn(&mut self, options: u64) -> Option<usize> {
        (self.turn % 2 == 1).then(|| self.choices.steered(options, self.turn / 2 % options) as usize)
    }

    /// Draws a number of dimensions.
    pub(super) fn dimension_count(&mut self, counts: RangeInclusive<u32>) -> u32 {
        let (least, most) = (*counts.start(), *counts.end());
        let usual = most.min(4).max(least);
        if let Some(at) = self.in_turn(u64::from(most - least) + 1) {
            least + at as u32
        } else if most > usual && self.below(3) == 2 {
            self.range(usual + 1..=most)
        } else {
            self.range(least..=usual)
        }
    }

    /// Adds leading sizes of 1, up to a number of dimensions that the tensor may have.
    pub(super) fn led(&mut self, name: &str, sizes: &[u32]) -> Vec<u32> {
        let counts = self.dimension_counts(&[name]);
        let count = self.range(*counts.start().max(&(sizes.len() as u32))..=*counts.end());
        [vec![1; count as usize - sizes.len()].as_slice(), sizes].concat()
    }

    /// Draws sizes with a number of dimensions in this range. Sizes above 1 differ where possible; some are 1.
    pub(super) fn sizes(&mut self, counts: RangeInclusive<u32>) -> Vec<u32> {
        let count = self.dimension_count(counts);
        let mut extents = vec![2, 3, 5, 7, 4, 6];
        let mut sizes = Vec::new();
        let mut elements = 1;
        for _ in 0..count {
            let at = self.below(extents.len() + 1);
            let size = match at.checked_sub(1).map(|at| (at, extents[at])) {
                Some((at, size)) if elements * size <= MOST_ELEMENTS => {
                    extents.remove(at);
                    size
                }
                Some(_) if elements * 2 <= MOST_ELEMENTS => 2,
                _ => 1,
            };
            elements *= size;
            sizes.push(size);
        }
        self.feature(&format!("{count} dimensions"));
        sizes
    }

    /// Draws a layout for these sizes.
    pub(super) fn layout(&mut self, data_type: TensorDataType, sizes: &[u32], may: May) -> DrawnTensor {
        let strides = self.strides(sizes, may);
        let bits = u64::from(data_type.bits().unwrap_or(8));
        let of = strides.clone().unwrap_or_else(|| packed(sizes));
        let last: u64 =
            sizes.iter().zip(of).map(|(&size, stride)| u64::from(size.saturating_sub(1)) * u64::from(stride)).sum();
        let least = ((last + 1) * bits).div_ceil(8).next_multiple_of(4);
        let slack = SLACK[self.below(SLACK.len())] * (bits / 8).max(4);
        if slack > 0 {
            self.feature("layout: slack at the end");
        }
        let element = (bits / 8).max(1) as u32;
        let alignment = match self.below(4) {
            1 => element,
            2 => 16,
            3 => 256,
            _ => 0,
        };
        if alignment > 0 {
            self.feature("layout: guaranteed alignment");
        }
        DrawnTensor {
            data_type,
            sizes: sizes.to_vec(),
            strides,
            total_size: least + slack,
            alignment,
            flags: None,
            buffer: None,
        }
    }

    /// Draws strides; `None` leaves them out, which means packed.
    fn strides(&mut self, sizes: &[u32], may: May) -> Option<Vec<u32>> {
        let kind = self.below(if may == May::Packed { 2 } else { 6 });
        if kind < 2 {
            return (kind == 1).then(|| packed(sizes));
        }
        let (transposes, gaps) = (kind == 3 || kind == 5, kind == 2 || kind == 5);
        let repeats = may == May::Repeat && (kind == 4 || kind == 5 && self.below(2) == 1);
        let mut order: Vec<usize> = (0..sizes.len()).rev().collect();
        if transposes {
            for at in (1..order.len()).rev() {
                let other = self.below(at + 1);
                order.swap(at, other);
            }
        }
        let mut strides = vec![0u32; sizes.len()];
        let mut reached = 1u64;
        let mut has_gap = false;
        for d in order {
            if repeats && self.below(2) == 1 {
                continue;
            }
            if gaps && reached < MOST_PLACES && self.below(2) == 1 {
                reached += 1 + self.below(3) as u64;
                has_gap = true;
            }
            strides[d] = u32::try_from(reached).unwrap_or(u32::MAX);
            reached *= u64::from(sizes[d].max(1));
        }
        let repeated = sizes.iter().zip(&strides).any(|(&size, &stride)| size > 1 && stride == 0);
        let wide: Vec<u32> = (0..sizes.len()).filter(|&d| sizes[d] > 1 && strides[d] > 0).map(|d| strides[d]).collect();
        let transposed = !wide.is_sorted_by(|a, b| a > b);
        for (has, name) in [(repeated, "broadcast"), (has_gap, "gaps"), (transposed, "transposed")] {
            if has {
                self.feature(&format!("layout: {name}"));
            }
        }
        Some(strides)
    }
}

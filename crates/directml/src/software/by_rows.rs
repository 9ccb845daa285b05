//! Applies a function to the rows of an input, and writes the rows of an output.

use bytemuck::Pod;

use super::call::{Call, Stop, wrong};
use super::memory::places_of;

/// The rows of an input and of an output. A row consists of all elements along some axes, in the order of the axes.
/// Rows of the output lie along the same axes and may have another length.
pub struct Rows {
    /// The positions of the input's elements, row by row.
    from: Vec<usize>,
    /// The positions of the output's elements, row by row.
    to: Vec<usize>,
    /// The length of a row of the input.
    extent: usize,
    /// The length of a row of the output.
    count: usize,
}

impl Rows {
    /// Finds the rows along `axes`, and checks that both tensors have the same sizes along the other axes.
    pub fn read(call: &Call, (from, to): (&str, &str), axes: &[usize]) -> Result<Rows, Stop> {
        let (sizes, out_sizes) = (call.sizes(from)?, call.sizes(to)?);
        let differs = |d: usize| !axes.contains(&d) && out_sizes[d] != sizes[d];
        if out_sizes.len() != sizes.len() || (0..sizes.len()).any(differs) {
            return wrong(to, format!("Sizes are {out_sizes:?}, but those of {from} are {sizes:?}"));
        }
        Ok(Rows::along(&sizes, &out_sizes, axes))
    }

    /// Returns the rows along `axes` of tensors with these sizes, which differ along the axes alone.
    pub fn along(sizes: &[usize], out_sizes: &[usize], axes: &[usize]) -> Rows {
        let kept: Vec<usize> = (0..sizes.len()).filter(|d| !axes.contains(d)).collect();
        let order = [kept.as_slice(), axes].concat();
        let along = |sizes: &[usize]| axes.iter().map(|&d| sizes[d]).product::<usize>();
        let (extent, count) = (along(sizes), along(out_sizes));
        Rows { from: places_of(sizes, &order), to: places_of(out_sizes, &order), extent, count }
    }

    /// Computes each row of the output with `f`, which gets a row of the input. `data` and the result are in row-major
    /// order. `f` is a trait object so that this function is compiled once for each pair of types and not for each `f`.
    pub fn each<T: Pod, O: Pod>(&self, data: &[T], f: &dyn Fn(&[T], &mut [O])) -> Vec<O> {
        let data: Vec<T> = self.from.iter().map(|&place| data[place]).collect();
        let mut found: Vec<O> = bytemuck::zeroed_vec(self.to.len());
        let mut out: Vec<O> = bytemuck::zeroed_vec(self.count);
        for (row, places) in data.chunks(self.extent).zip(self.to.chunks(self.count)) {
            f(row, &mut out);
            for (&place, &x) in places.iter().zip(&out) {
                found[place] = x;
            }
        }
        found
    }
}

/// Applies `f` to each row of an input and writes each row of an output of the same type.
pub fn rows<T: Pod>(
    call: &Call,
    fields: (&str, &str),
    axes: &[usize],
    f: &dyn Fn(&[T], &mut [T]),
) -> Result<Vec<u8>, Stop> {
    let rows = Rows::read(call, fields, axes)?;
    call.put_elements(fields.1, &rows.each(&call.list::<T>(fields.0)?, f))
}

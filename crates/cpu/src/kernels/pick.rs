//! Reads elements from computed places, for gathering, padding and reversing.

use bytemuck::Pod;

use super::super::drive::{Tile, drive, fit};
use super::super::view::{View, ViewMut};

/// Computes `out = a` with shifted reads: for each element of `out`, `places` holds the distance in memory, counted in
/// elements, from the element of `a` to the element that is read instead. `a` and `places` broadcast to the output.
/// Along an axis on which `places` alone selects the elements, `a` must have stride 0.
///
/// # Panics
///
/// If a place leads outside of the memory of `a`.
pub fn pick<T: Pod + Sync>(out: &mut ViewMut<T>, a: &View<T>, places: &View<isize>) {
    let (a, places) = (fit(a, out), fit(places, out));
    let fill = |out: &mut [T], tile: &Tile<2>| {
        let (count, step) = (tile.columns.size, tile.columns.out);
        for row in 0..tile.rows.size {
            let out = &mut out[row * tile.rows.out..];
            let [at, place] = tile.row(row);
            match (step, tile.columns.ins) {
                (1, [1, 0]) => {
                    let from = (at + places.data[place as usize]) as usize;
                    out[..count].copy_from_slice(&a.data[from..from + count]);
                }
                (_, [s, t]) => {
                    for i in 0..count {
                        let n = i as isize;
                        let further = places.data[(place + n * t) as usize];
                        out[i * step] = a.data[(at + n * s + further) as usize];
                    }
                }
            }
        }
    };
    drive(out, [a.offset, places.offset], [a.strides(), places.strides()], &fill);
}

/// Copies the elements at index `indices[i]` of `axis` in `a` to index `i` of `axis` in `out`. The indices must lie
/// within the axis.
pub fn pick_along<T: Pod + Sync>(out: &mut ViewMut<T>, a: &View<T>, axis: usize, indices: &[usize]) {
    let places: Vec<isize> = indices.iter().map(|&i| i as isize * a.strides()[axis]).collect();
    let mut sizes = vec![1; a.sizes().len() - axis];
    sizes[0] = indices.len();
    pick(out, &a.standing(axis, indices.len()), &View::packed(&places, &sizes));
}

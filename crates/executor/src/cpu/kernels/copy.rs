//! Copies between views of any strides: transposing, slicing, expanding, laying out.

use bytemuck::Pod;

use super::super::drive::{Tile, drive, fit};
use super::super::view::{View, ViewMut};

/// `out = a`.
pub fn copy<T: Pod + Sync>(out: &mut ViewMut<T>, a: &View<T>) {
    let a = fit(a, out);
    let fill = |out: &mut [T], tile: &Tile<1>| {
        if (tile.columns.out, tile.rows.ins) == (1, [1]) && tile.columns.ins != [1] && tile.columns.ins[0] > 0 {
            return turn(out, a.data, tile);
        }
        let (count, step) = (tile.columns.size, tile.columns.out);
        for row in 0..tile.rows.size {
            let out = &mut out[row * tile.rows.out..];
            let [at] = tile.row(row);
            match (step, tile.columns.ins) {
                (1, [1]) => out[..count].copy_from_slice(&a.data[at as usize..at as usize + count]),
                (1, [0]) => out[..count].fill(a.data[at as usize]),
                (_, [ins]) => {
                    for i in 0..count {
                        out[i * step] = a.data[(at + i as isize * ins) as usize];
                    }
                }
            }
        }
    };
    drive(out, [a.offset], [a.strides()], &fill);
}

/// Turns a tile whose rows lie one after the other in the input, and its columns in the output, block by block.
fn turn<T: Copy>(out: &mut [T], data: &[T], tile: &Tile<1>) {
    // As many as a vector register holds.
    match size_of::<T>() {
        1 => turn_blocks::<T, 16>(out, data, tile),
        2 => turn_blocks::<T, 8>(out, data, tile),
        _ => turn_blocks::<T, 4>(out, data, tile),
    }
}

/// Columns of a strip: what is read of them stays in the cache until the strip's next rows are written.
const STRIP: usize = 64;

fn turn_blocks<T: Copy, const BLOCK: usize>(out: &mut [T], data: &[T], tile: &Tile<1>) {
    let (rows, columns) = (tile.rows.size, tile.columns.size);
    let (out_step, in_step, at) = (tile.rows.out, tile.columns.ins[0] as usize, tile.at[0] as usize);
    let whole = (rows - rows % BLOCK, columns - columns % BLOCK);
    for strip in (0..whole.1).step_by(STRIP) {
        for row in (0..whole.0).step_by(BLOCK) {
            for column in (strip..whole.1.min(strip + STRIP)).step_by(BLOCK) {
                let line = |c: usize| {
                    let from = at + (column + c) * in_step + row;
                    let line: &[T; BLOCK] = data[from..from + BLOCK].try_into().expect("a slice of a block");
                    *line
                };
                let block: [[T; BLOCK]; BLOCK] = std::array::from_fn(line);
                (0..BLOCK).for_each(|r| {
                    let turned: [T; BLOCK] = std::array::from_fn(|c| block[c][r]);
                    let to = (row + r) * out_step + column;
                    out[to..to + BLOCK].copy_from_slice(&turned);
                });
            }
        }
    }
    let mut one = |row: usize, column: usize| out[row * out_step + column] = data[at + column * in_step + row];
    (whole.1..columns).for_each(|column| (0..rows).for_each(|row| one(row, column)));
    (0..whole.1).for_each(|column| (whole.0..rows).for_each(|row| one(row, column)));
}

/// `out = value`.
pub fn fill<T: Pod + Sync>(out: &mut ViewMut<T>, value: T) {
    let value = [value];
    copy(out, &View::packed(&value, &[]));
}

#[cfg(test)]
mod tests {
    use super::super::scatter::indices;
    use super::*;

    fn turned_in_every_order<T: Pod + Sync + PartialEq + std::fmt::Debug>(of: impl Fn(usize) -> T) {
        let sizes = [3, 20, 9, 67];
        let data: Vec<T> = (0..sizes.iter().product::<usize>()).map(of).collect();
        let view = View::packed(&data, &sizes);
        for axes in [[0, 1, 2, 3], [3, 2, 1, 0], [0, 2, 3, 1], [0, 3, 1, 2], [2, 0, 3, 1], [1, 0, 2, 3]] {
            let turned = view.permuted(&axes);
            let mut copied = vec![data[0]; data.len()];
            copy(&mut ViewMut::packed(&mut copied, turned.sizes()), &turned);
            let mut elements = copied.iter();
            indices(turned.sizes(), |index| assert_eq!(elements.next(), Some(&turned.at(index)), "{axes:?} {index:?}"));
        }
    }

    #[test]
    fn every_order_of_axes_and_every_size_of_element() {
        turned_in_every_order(|i| (i % 251) as u8);
        turned_in_every_order(|i| i as u16);
        turned_in_every_order(|i| i as u32);
        turned_in_every_order(|i| [i as u64; 2]);
    }
}

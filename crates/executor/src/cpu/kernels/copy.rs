//! Copies between views of any strides: transposing, slicing, expanding, laying out.

use super::super::drive::{Tile, drive, fit};
use super::super::view::{View, ViewMut};

/// Edge of the blocks that are turned at once.
const BLOCK: usize = 8;

/// `out = a`.
pub fn copy<T: Copy + Send + Sync>(out: &mut ViewMut<T>, a: &View<T>) {
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
    let (rows, columns) = (tile.rows.size, tile.columns.size);
    let (out_step, in_step, at) = (tile.rows.out, tile.columns.ins[0] as usize, tile.at[0] as usize);
    let whole = (rows - rows % BLOCK, columns - columns % BLOCK);
    for column in (0..whole.1).step_by(BLOCK) {
        for row in (0..whole.0).step_by(BLOCK) {
            let first = data[at + column * in_step + row];
            let mut block = [[first; BLOCK]; BLOCK];
            for (c, line) in block.iter_mut().enumerate() {
                let from = at + (column + c) * in_step + row;
                line.copy_from_slice(&data[from..from + BLOCK]);
            }
            let turned: [[T; BLOCK]; BLOCK] = std::array::from_fn(|r| std::array::from_fn(|c| block[c][r]));
            for (r, line) in turned.iter().enumerate() {
                let to = (row + r) * out_step + column;
                out[to..to + BLOCK].copy_from_slice(line);
            }
        }
    }
    let mut one = |row: usize, column: usize| out[row * out_step + column] = data[at + column * in_step + row];
    (whole.1..columns).for_each(|column| (0..rows).for_each(|row| one(row, column)));
    (0..whole.1).for_each(|column| (whole.0..rows).for_each(|row| one(row, column)));
}

/// `out = value`.
pub fn fill<T: Copy + Send + Sync>(out: &mut ViewMut<T>, value: T) {
    let value = [value];
    copy(out, &View::packed(&value, &[]));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_of_axes() {
        let sizes = [3, 20, 9, 33];
        let data: Vec<u16> = (0..sizes.iter().product::<usize>() as u16).collect();
        let view = View::packed(&data, &sizes);
        for axes in [[0, 1, 2, 3], [3, 2, 1, 0], [0, 2, 3, 1], [0, 3, 1, 2], [2, 0, 3, 1], [1, 0, 2, 3]] {
            let turned = view.permuted(&axes);
            let mut copied = vec![0; data.len()];
            copy(&mut ViewMut::packed(&mut copied, turned.sizes()), &turned);
            let back = View::packed(&copied, turned.sizes());
            for (n, &value) in copied.iter().enumerate() {
                let mut index = [0; 4];
                let mut left = n;
                for d in (0..4).rev() {
                    index[d] = left % back.sizes()[d];
                    left /= back.sizes()[d];
                }
                assert_eq!(value, turned.at(&index), "{axes:?} {index:?}");
            }
        }
    }
}

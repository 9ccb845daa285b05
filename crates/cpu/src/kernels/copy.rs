//! Copies between views with any strides. Transposing, slicing and expanding are copies of this kind.

use bytemuck::Pod;

use super::super::drive::{Tile, drive, fit};
use super::super::view::{View, ViewMut};
use super::turn::turn;

/// Computes `out = a`, with `a` broadcast to the output.
pub fn copy<T: Pod + Sync>(out: &mut ViewMut<T>, a: &View<T>) {
    let a = fit(a, out);
    let fill = |out: &mut [T], tile: &Tile<1>| {
        if (tile.columns.out, tile.rows.ins) == (1, [1]) && tile.columns.ins != [1] && tile.columns.ins[0] > 0 {
            return turn(bytemuck::cast_slice_mut(out), bytemuck::cast_slice(a.data), size_of::<T>(), tile);
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

/// Sets every element of `out` to `value`.
pub fn fill<T: Pod + Sync>(out: &mut ViewMut<T>, value: T) {
    let value = [value];
    copy(out, &View::packed(&value, &[]));
}

#[cfg(test)]
mod tests {
    use super::super::scatter::indices;
    use super::*;

    fn turned<T: Pod + Sync + PartialEq + std::fmt::Debug>(sizes: &[usize], axes: &[usize], of: impl Fn(usize) -> T) {
        let data: Vec<T> = (0..sizes.iter().product::<usize>()).map(of).collect();
        let view = View::packed(&data, sizes);
        let turned = view.permuted(axes);
        let mut copied = vec![data[0]; data.len()];
        copy(&mut ViewMut::packed(&mut copied, turned.sizes()), &turned);
        let mut elements = copied.iter();
        let what = |index: &[usize]| format!("{sizes:?} in the order {axes:?}, {index:?}");
        indices(turned.sizes(), |index| assert_eq!(elements.next(), Some(&turned.at(index)), "{}", what(index)));
    }

    fn turned_in_several_orders<T: Pod + Sync + PartialEq + std::fmt::Debug>(of: impl Fn(usize) -> T) {
        for axes in [[0, 1, 2, 3], [3, 2, 1, 0], [0, 2, 3, 1], [0, 3, 1, 2], [2, 0, 3, 1], [1, 0, 2, 3]] {
            turned(&[3, 20, 9, 67], &axes, &of);
        }
        // The output has more columns than a strip in `turn.rs`.
        turned(&[1061, 35], &[1, 0], &of);
    }

    #[test]
    fn elements_of_every_size_are_copied_in_several_orders_of_axes() {
        turned_in_several_orders(|i| (i % 251) as u8);
        turned_in_several_orders(|i| i as u16);
        turned_in_several_orders(|i| i as u32);
        turned_in_several_orders(|i| i as u64);
        turned_in_several_orders(|i| [i as u64; 2]);
    }
}

//! Element by element: of one, two and three inputs, broadcast to the output.

use super::super::drive::{Tile, drive, fit};
use super::super::view::{View, ViewMut};

/// `count` elements of a row, where they lie one after the other.
#[inline(always)]
fn run<T>(data: &[T], at: isize, count: usize) -> &[T] {
    &data[at as usize..at as usize + count]
}

/// `out = f(a)`.
pub fn map1<A, O>(out: &mut ViewMut<O>, a: &View<A>, f: impl Fn(A) -> O + Sync)
where
    A: Copy + Sync,
    O: Copy + Send,
{
    let a = fit(a, out);
    let fill = |out: &mut [O], tile: &Tile<1>| {
        let (count, step) = (tile.columns.size, tile.columns.out);
        for row in 0..tile.rows.size {
            let out = &mut out[row * tile.rows.out..];
            let [at] = tile.row(row);
            match (step, tile.columns.ins) {
                (1, [1]) => {
                    for (out, &a) in out[..count].iter_mut().zip(run(a.data, at, count)) {
                        *out = f(a);
                    }
                }
                (1, [0]) => out[..count].fill(f(a.data[at as usize])),
                (_, [ins]) => {
                    for i in 0..count {
                        out[i * step] = f(a.data[(at + i as isize * ins) as usize]);
                    }
                }
            }
        }
    };
    drive(out, [a.offset], [a.strides()], &fill);
}

/// `out = f(a, b)`.
pub fn map2<A, B, O>(out: &mut ViewMut<O>, a: &View<A>, b: &View<B>, f: impl Fn(A, B) -> O + Sync)
where
    A: Copy + Sync,
    B: Copy + Sync,
    O: Copy + Send,
{
    let (a, b) = (fit(a, out), fit(b, out));
    let fill = |out: &mut [O], tile: &Tile<2>| {
        let (count, step) = (tile.columns.size, tile.columns.out);
        for row in 0..tile.rows.size {
            let out = &mut out[row * tile.rows.out..];
            let [p, q] = tile.row(row);
            match (step, tile.columns.ins) {
                (1, [1, 1]) => {
                    let pairs = run(a.data, p, count).iter().zip(run(b.data, q, count));
                    for (out, (&a, &b)) in out[..count].iter_mut().zip(pairs) {
                        *out = f(a, b);
                    }
                }
                (1, [1, 0]) => {
                    let b = b.data[q as usize];
                    for (out, &a) in out[..count].iter_mut().zip(run(a.data, p, count)) {
                        *out = f(a, b);
                    }
                }
                (1, [0, 1]) => {
                    let a = a.data[p as usize];
                    for (out, &b) in out[..count].iter_mut().zip(run(b.data, q, count)) {
                        *out = f(a, b);
                    }
                }
                (_, [s, t]) => {
                    for i in 0..count {
                        let n = i as isize;
                        out[i * step] = f(a.data[(p + n * s) as usize], b.data[(q + n * t) as usize]);
                    }
                }
            }
        }
    };
    drive(out, [a.offset, b.offset], [a.strides(), b.strides()], &fill);
}

/// `out = f(a, b, c)`.
pub fn map3<A, B, C, O>(
    out: &mut ViewMut<O>,
    (a, b, c): (&View<A>, &View<B>, &View<C>),
    f: impl Fn(A, B, C) -> O + Sync,
) where
    A: Copy + Sync,
    B: Copy + Sync,
    C: Copy + Sync,
    O: Copy + Send,
{
    let (a, b, c) = (fit(a, out), fit(b, out), fit(c, out));
    let fill = |out: &mut [O], tile: &Tile<3>| {
        let (count, step) = (tile.columns.size, tile.columns.out);
        for row in 0..tile.rows.size {
            let out = &mut out[row * tile.rows.out..];
            let [p, q, r] = tile.row(row);
            if (step, tile.columns.ins) == (1, [1, 1, 1]) {
                let (a, b, c) = (run(a.data, p, count), run(b.data, q, count), run(c.data, r, count));
                for (out, ((&a, &b), &c)) in out[..count].iter_mut().zip(a.iter().zip(b).zip(c)) {
                    *out = f(a, b, c);
                }
                continue;
            }
            let [s, t, u] = tile.columns.ins;
            for i in 0..count {
                let n = i as isize;
                let (a, b) = (a.data[(p + n * s) as usize], b.data[(q + n * t) as usize]);
                out[i * step] = f(a, b, c.data[(r + n * u) as usize]);
            }
        }
    };
    drive(out, [a.offset, b.offset, c.offset], [a.strides(), b.strides(), c.strides()], &fill);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A large strided output, in parallel, against single elements; what lies between is not touched.
    #[test]
    fn strided_broadcast_and_parallel() {
        let (rows, columns) = (700, 301);
        let a: Vec<u32> = (0..rows as u32 * columns as u32).collect();
        let b: Vec<u32> = (0..columns as u32).map(|b| b * 1000).collect();
        let mut data = vec![u32::MAX; columns * (rows + 3)];
        let mut out = ViewMut::new(&mut data, &[rows, columns], &[1, rows + 3]).expect("no overlap");
        let turned: Vec<u32> = a.clone();
        let turned = View::new(&turned, 0, &[rows, columns], &[1, rows as isize]).expect("inside");
        map2(&mut out, &turned, &View::packed(&b, &[columns]), |a, b| a.wrapping_add(b));
        for column in 0..columns {
            let line = &data[column * (rows + 3)..(column + 1) * (rows + 3)];
            assert!((0..rows).all(|row| line[row] == a[column * rows + row].wrapping_add(b[column])));
            assert_eq!(line[rows..], [u32::MAX; 3]);
        }
    }
}

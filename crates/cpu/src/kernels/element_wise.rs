//! Element-wise functions of one, two and three inputs, which are broadcast to the output.

use bytemuck::Pod;

use super::super::view::{View, ViewMut};
use super::runs::{runs1, runs2, runs3};

/// Computes `out = f(a)` for each element.
pub fn map1<A, O>(out: &mut ViewMut<O>, a: &View<A>, f: impl Fn(A) -> O + Sync)
where
    A: Copy + Sync,
    O: Pod,
{
    runs1(out, a, &|out, a| out.iter_mut().zip(a).for_each(|(out, &a)| *out = f(a)));
}

/// Computes `out = f(a, b)` for each element.
pub fn map2<A, B, O>(out: &mut ViewMut<O>, a: &View<A>, b: &View<B>, f: impl Fn(A, B) -> O + Sync)
where
    A: Copy + Sync,
    B: Copy + Sync,
    O: Pod,
{
    runs2(out, a, b, &|out, a, b| {
        for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
            *out = f(a, b);
        }
    });
}

/// Computes `out = f(a, b, c)` for each element.
pub fn map3<A, B, C, O>(
    out: &mut ViewMut<O>,
    (a, b, c): (&View<A>, &View<B>, &View<C>),
    f: impl Fn(A, B, C) -> O + Sync,
) where
    A: Copy + Sync,
    B: Copy + Sync,
    C: Copy + Sync,
    O: Pod,
{
    runs3(out, (a, b, c), &|out, a, b, c| {
        for (((out, &a), &b), &c) in out.iter_mut().zip(a).zip(b).zip(c) {
            *out = f(a, b, c);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes a large strided output in parallel, and checks each element. The gaps between the columns must stay
    /// untouched.
    #[test]
    fn a_map_takes_strided_and_broadcast_views_in_parallel() {
        let (rows, columns) = (700, 301);
        let a: Vec<u32> = (0..rows as u32 * columns as u32).collect();
        let b: Vec<u32> = (0..columns as u32).map(|b| b * 1000).collect();
        let mut data = vec![u32::MAX; columns * (rows + 3)];
        let mut out = ViewMut::new(&mut data, &[rows, columns], &[1, rows + 3]).expect("columns do not overlap");
        let turned: Vec<u32> = a.clone();
        let turned =
            View::new(&turned, 0, &[rows, columns], &[1, rows as isize]).expect("the strides stay inside the data");
        map2(&mut out, &turned, &View::packed(&b, &[columns]), |a, b| a.wrapping_add(b));
        for column in 0..columns {
            let line = &data[column * (rows + 3)..(column + 1) * (rows + 3)];
            assert!((0..rows).all(|row| line[row] == a[column * rows + row].wrapping_add(b[column])));
            assert_eq!(line[rows..], [u32::MAX; 3]);
        }
    }
}

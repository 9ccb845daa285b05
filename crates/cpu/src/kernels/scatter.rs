//! Writes elements to computed places.

use super::super::view::{View, ViewMut};

/// Calls `visit` with every index below `sizes`, in row-major order.
pub fn indices(sizes: &[usize], mut visit: impl FnMut(&[usize])) {
    each_index(sizes, &mut visit);
}

fn each_index(sizes: &[usize], visit: &mut dyn FnMut(&[usize])) {
    if sizes.contains(&0) {
        return;
    }
    let mut index = vec![0; sizes.len()];
    loop {
        visit(&index);
        let Some(d) = (0..sizes.len()).rev().find(|&d| index[d] + 1 < sizes[d]) else { return };
        index[d] += 1;
        index[d + 1..].fill(0);
    }
}

/// Computes `out[p] = f(out[p], updates[i])` with `p = base(i) + places[i]`, for every index `i` of the updates in
/// order. Here `out` is the memory behind the view. `base(i)` is the place of index `i` by the strides of `out`,
/// without the axes that are marked in `still`: along these, `places` alone says where to write.
pub fn scatter<T: Copy>(
    out: &mut ViewMut<T>,
    still: &[bool],
    places: &View<isize>,
    updates: &View<T>,
    f: impl Fn(T, T) -> T,
) {
    let strides: Vec<usize> = out.strides().iter().zip(still).map(|(&s, &still)| if still { 0 } else { s }).collect();
    let places = places.broadcast(updates.sizes()).expect("callers pass places that broadcast to the updates");
    indices(updates.sizes(), |index| {
        let base: usize = index.iter().zip(&strides).map(|(i, s)| i * s).sum();
        let place = base.wrapping_add_signed(places.at(index));
        out.data[place] = f(out.data[place], updates.at(index));
    });
}

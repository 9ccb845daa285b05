//! Work for several threads. Threads know bytes only, so that what has them run is compiled once and not for each element type.

use bytemuck::Pod;
use rayon::prelude::*;

/// Parts of a thread, each taken by whoever is free: one that was woken late, or held up, keeps nobody waiting for long.
const PARTS: usize = 8;

/// Hands pieces of `out` of `count` elements to `f`, with their numbers. With `least` there are several threads, none of which
/// takes fewer pieces.
pub fn pieces<O: Pod>(out: &mut [O], count: usize, least: Option<usize>, f: &(dyn Fn(usize, &mut [O]) + Sync)) {
    if count > 0 && !out.is_empty() {
        let piece = |at: usize, piece: &mut [u8]| f(at, bytemuck::cast_slice_mut(piece));
        pieces_of_bytes(bytemuck::cast_slice_mut(out), count * size_of::<O>(), least, &piece);
    }
}

fn pieces_of_bytes(out: &mut [u8], count: usize, least: Option<usize>, f: &(dyn Fn(usize, &mut [u8]) + Sync)) {
    match least {
        Some(least) => {
            let most = out.len().div_ceil(count).div_ceil(PARTS * rayon::current_num_threads());
            let pieces = out.par_chunks_mut(count).with_min_len(least).with_max_len(most.max(least));
            pieces.enumerate().for_each(|(at, piece)| f(at, piece));
        }
        None => out.chunks_mut(count).enumerate().for_each(|(at, piece)| f(at, piece)),
    }
}

/// Runs both, side by side if a thread is free.
pub fn both(one: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
    rayon::join(one, other);
}

//! Splits work between the threads of rayon's pool. The code that calls rayon works on bytes or on `dyn` closures, so
//! that it is compiled once and not once for each element type.

use bytemuck::Pod;
use rayon::prelude::*;

/// Number of tasks for each thread. A free thread takes the next task, so that a thread that was woken late or held up
/// does not delay the others for long.
const PARTS: usize = 8;

/// Splits `out` into pieces of `count` elements and calls `f` with the number of each piece and the piece. With `None`
/// for `least` one thread does all the work. With `Some` several threads share it, and a thread takes at least `least`
/// pieces at a time.
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

/// Runs both closures, in parallel if a thread is free.
pub fn both(one: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
    rayon::join(one, other);
}

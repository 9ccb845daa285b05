//! Large convolutions as products of matrices: the kernels of a group are the rows of the left matrix, and what one
//! window reads is a column of the right one.

use std::ops::Range;
use std::sync::OnceLock;

use super::super::matrix_product::{Factor, sides};
use super::super::sliding_window::{Run, Windows};
use super::super::tiles::{LEAST_PRODUCTS, Tiles};
use super::accumulation::{along, counts};
use super::{Channels, Dot, Way, exact, infinite_weight};
use crate::prelude::*;

/// Appends to `out` the number that `number` makes of each sum, in row-major order. Returns `false`, and appends
/// nothing, if the convolution is too small, or its type has no blocks.
pub fn convolve_tiled(
    channels: &Channels,
    (x, w): (&Factor, &Factor),
    windows: &Windows,
    out: &mut Collected,
    number: impl Fn(Dot) -> Number + Sync,
) -> Result<bool, Refusal> {
    let (from, to) = channels.planes(windows);
    let (taps, dtype) = (windows.taps(), x.tensor().dtype());
    let inner = channels.inputs.saturating_mul(taps);
    let problems = channels.batches * channels.groups;
    let products = [channels.outputs, inner, to].into_iter().fold(problems, usize::saturating_mul);
    if products < LEAST_PRODUCTS {
        return Ok(false);
    }
    // The sums of few channels of certain elements take less time than the arrangement of the tiles.
    if channels.outputs < 4 && x.values().is_some() && w.values().is_some() {
        return Ok(false);
    }
    let Some((inputs, weights)) = sides(x, w) else { return Ok(false) };
    let (runs, step) = (windows.runs()?, windows.step());
    let counts = counts(channels, &runs, step, (from, to));
    let reads = OnceLock::new();
    let infinite: Vec<OnceLock<Vec<bool>>> = vec![OnceLock::new(); channels.outputs()];
    let first_output = |problem: usize| problem % channels.groups * channels.outputs;
    let sources = |problem: usize| channels.sources(problem / channels.groups, first_output(problem));
    let tiles = Tiles {
        dtype,
        count: problems,
        extents: [channels.outputs, inner, to],
        left: &|problem, rows| {
            let rows = rows.map(move |row| first_output(problem) + row);
            let row = |m| (0..inner).map(move |k| Some(channels.weights(m, k / taps, taps) + k % taps));
            weights.gather(rows.flat_map(row))
        },
        right: &|problem, columns| {
            let pieces = pieces(channels.way, &runs, step, columns.clone());
            inputs.filled(inner * columns.len(), |values, made| {
                for (plane, row) in sources(problem).zip(made.chunks_exact_mut(taps * columns.len())) {
                    let plane = &values[plane * from..][..from];
                    pieces.iter().for_each(|piece| piece.copy(plane, &mut row[piece.tap * columns.len()..]));
                }
            })
        },
        terms: &|column| counts[column],
    };
    tiles.collect(out, |[problem, row, target], sum| {
        let m = first_output(problem) + row;
        if let Some(sum) = sum {
            return number(Dot { channel: m, sum, opened: None, padding_is_nan: false });
        }
        let Ok(reads) = reads.get_or_init(|| channels.reads(windows)) else { return Number::constant(0.0, dtype) };
        let find = || (0..taps).map(|tap| infinite_weight(channels, w, m, tap, taps)).collect();
        let infinite = infinite[m].get_or_init(find);
        let pairs = reads.positions(target);
        number(exact(channels, (x.tensor(), w.tensor()), (pairs, infinite), sources(problem), m, from))
    });
    match reads.into_inner() {
        Some(Err(refusal)) => Err(refusal),
        _ => Ok(true),
    }
}

/// The part of a run that lies in some columns.
struct Piece {
    tap: usize,
    /// The first element that is read, and the distance to the next one.
    source: (usize, usize),
    /// The first column that it belongs to, and the distance to the next one.
    target: (usize, usize),
    length: usize,
}

impl Piece {
    fn copy(&self, plane: &[f64], row: &mut [f64]) {
        let ((source, apart), (target, spread)) = (self.source, self.target);
        if apart == 1 && spread == 1 {
            return row[target..][..self.length].copy_from_slice(&plane[source..][..self.length]);
        }
        let targets = row[target..].iter_mut().step_by(spread);
        targets.zip(plane[source..].iter().step_by(apart)).take(self.length).for_each(|(t, s)| *t = *s);
    }
}

/// Returns the parts of the runs that lie in these columns.
fn pieces(way: Way, runs: &[Run], step: usize, columns: Range<usize>) -> Vec<Piece> {
    let piece = |run: &Run| {
        let ((source, apart), (target, spread)) = along(way, run, step);
        let until = |column: usize| column.saturating_sub(target).div_ceil(spread).min(run.length);
        let (skipped, end) = (until(columns.start), until(columns.end));
        (skipped < end).then(|| Piece {
            tap: run.tap,
            source: (source + skipped * apart, apart),
            target: (target + skipped * spread - columns.start, spread),
            length: end - skipped,
        })
    };
    runs.iter().filter_map(piece).collect()
}

//! Transposes tiles: in the input the elements of a column of the tile are contiguous, and in the output those of a
//! row. The tiles are transposed in blocks that fit into vector registers. The code copies elements as bytes and does
//! not know their type, so that it is compiled once for each size of an element.

use super::super::drive::Tile;

/// Bytes of a vector register.
const VECTOR: usize = 16;

/// Number of columns in a strip. It is so small that the cache lines that are read for some rows of the strip are still
/// cached for the next rows, and so large that rows are written in long runs.
const STRIP: usize = 1024;

type Vector = [u8; VECTOR];

/// Transposes a tile of elements of `size` bytes.
pub fn turn(out: &mut [u8], data: &[u8], size: usize, tile: &Tile<1>) {
    let (out_step, in_step) = (tile.rows.out, tile.columns.ins[0] as usize);
    // Blocks of large elements have few rows. Two such blocks at a time read the input in longer runs.
    let whole = match size {
        1 => turn_blocks::<1, 16, 1>(out, data, tile),
        2 => turn_blocks::<2, 8, 1>(out, data, tile),
        4 => turn_blocks::<4, 4, 2>(out, data, tile),
        8 => turn_blocks::<8, 2, 2>(out, data, tile),
        _ => (0, 0),
    };
    let mut one = |row: usize, column: usize| {
        let (to, from) = (row * out_step + column, tile.at[0] as usize + column * in_step + row);
        out[to * size..][..size].copy_from_slice(&data[from * size..][..size]);
    };
    (whole.1..tile.columns.size).for_each(|column| (0..tile.rows.size).for_each(|row| one(row, column)));
    (0..whole.1).for_each(|column| (whole.0..tile.rows.size).for_each(|row| one(row, column)));
}

/// Transposes blocks of `BLOCK` by `BLOCK` elements of `SIZE` bytes, `HIGH` blocks below each other at a time. Leaves
/// out the last rows and columns if they do not fill such blocks. Returns how many rows and columns it has transposed.
fn turn_blocks<const SIZE: usize, const BLOCK: usize, const HIGH: usize>(
    out: &mut [u8],
    data: &[u8],
    tile: &Tile<1>,
) -> (usize, usize) {
    let high = HIGH * BLOCK;
    let (rows, columns) = (tile.rows.size / high * high, tile.columns.size / BLOCK * BLOCK);
    let (out_step, in_step, at) = (tile.rows.out, tile.columns.ins[0] as usize, tile.at[0] as usize);
    for strip in (0..columns).step_by(STRIP) {
        for row in (0..rows).step_by(high) {
            for column in (strip..columns.min(strip + STRIP)).step_by(BLOCK) {
                let mut blocks = [[[0; VECTOR]; BLOCK]; HIGH];
                for c in 0..BLOCK {
                    let line = &data[(at + (column + c) * in_step + row) * SIZE..][..HIGH * VECTOR];
                    for (block, part) in blocks.iter_mut().zip(line.as_chunks().0) {
                        block[c] = *part;
                    }
                }
                for (b, block) in blocks.iter_mut().enumerate() {
                    turn_block::<SIZE, BLOCK>(block);
                    for (r, line) in block.iter().enumerate() {
                        out[((row + b * BLOCK + r) * out_step + column) * SIZE..][..VECTOR].copy_from_slice(line);
                    }
                }
            }
        }
    }
    (rows, columns)
}

/// Transposes a block. Each step interleaves the first half of its vectors with the second half. After log2(`BLOCK`)
/// steps the rows are columns.
#[inline(always)]
fn turn_block<const SIZE: usize, const BLOCK: usize>(block: &mut [Vector; BLOCK]) {
    for _ in 0..BLOCK.ilog2() {
        let before = *block;
        for (i, pair) in block.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            *pair = dealt::<SIZE>(before[i], before[i + BLOCK / 2]);
        }
    }
}

/// Interleaves the elements of `a` and `b`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn dealt<const SIZE: usize>(a: Vector, b: Vector) -> [Vector; 2] {
    use safe_arch::{
        m128i, unpack_high_i8_m128i, unpack_high_i16_m128i, unpack_high_i32_m128i, unpack_high_i64_m128i,
        unpack_low_i8_m128i, unpack_low_i16_m128i, unpack_low_i32_m128i, unpack_low_i64_m128i,
    };
    let (a, b) = (m128i::from(a), m128i::from(b));
    let dealt = match SIZE {
        1 => [unpack_low_i8_m128i(a, b), unpack_high_i8_m128i(a, b)],
        2 => [unpack_low_i16_m128i(a, b), unpack_high_i16_m128i(a, b)],
        4 => [unpack_low_i32_m128i(a, b), unpack_high_i32_m128i(a, b)],
        _ => [unpack_low_i64_m128i(a, b), unpack_high_i64_m128i(a, b)],
    };
    dealt.map(Vector::from)
}

/// Interleaves the elements of `a` and `b`.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn dealt<const SIZE: usize>(a: Vector, b: Vector) -> [Vector; 2] {
    [0, VECTOR / 2].map(|half| {
        std::array::from_fn(|i| {
            let from = if i / SIZE % 2 == 0 { &a } else { &b };
            from[half + i / (2 * SIZE) * SIZE + i % SIZE]
        })
    })
}

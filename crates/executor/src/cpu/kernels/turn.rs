//! Tiles whose rows lie one after the other in the input, and their columns in the output: turned in blocks that vector
//! registers hold. Elements are bytes here, so that what turns them is compiled once for each size.

use super::super::drive::Tile;

/// Bytes of a vector register.
const VECTOR: usize = 16;

/// Columns of a strip: what is read of them stays in the cache until the strip's next rows are written.
const STRIP: usize = 128;

type Vector = [u8; VECTOR];

/// Turns a tile of elements of `size` bytes.
pub fn turn(out: &mut [u8], data: &[u8], size: usize, tile: &Tile<1>) {
    let whole = match size {
        1 => turn_blocks::<1, 16>(out, data, tile),
        2 => turn_blocks::<2, 8>(out, data, tile),
        4 => turn_blocks::<4, 4>(out, data, tile),
        8 => turn_blocks::<8, 2>(out, data, tile),
        _ => (0, 0),
    };
    let (out_step, in_step) = (tile.rows.out, tile.columns.ins[0] as usize);
    let mut one = |row: usize, column: usize| {
        let (to, from) = (row * out_step + column, tile.at[0] as usize + column * in_step + row);
        out[to * size..][..size].copy_from_slice(&data[from * size..][..size]);
    };
    (whole.1..tile.columns.size).for_each(|column| (0..tile.rows.size).for_each(|row| one(row, column)));
    (0..whole.1).for_each(|column| (whole.0..tile.rows.size).for_each(|row| one(row, column)));
}

/// As many rows and columns as make whole blocks of `BLOCK` elements of `SIZE` bytes each way.
fn turn_blocks<const SIZE: usize, const BLOCK: usize>(out: &mut [u8], data: &[u8], tile: &Tile<1>) -> (usize, usize) {
    let (rows, columns) = (tile.rows.size / BLOCK * BLOCK, tile.columns.size / BLOCK * BLOCK);
    let (out_step, in_step, at) = (tile.rows.out, tile.columns.ins[0] as usize, tile.at[0] as usize);
    for strip in (0..columns).step_by(STRIP) {
        let end = columns.min(strip + STRIP);
        for row in (0..rows).step_by(BLOCK) {
            let turned = |column: usize| {
                let mut block: [Vector; BLOCK] = std::array::from_fn(|c| {
                    let from = (at + (column + c) * in_step + row) * SIZE;
                    data[from..from + VECTOR].try_into().expect("a slice of a vector")
                });
                turn_block::<SIZE, BLOCK>(&mut block);
                block
            };
            // Two blocks side by side are written in longer runs.
            for column in (strip..end).step_by(2 * BLOCK) {
                let (left, right) = (turned(column), (column + BLOCK < end).then(|| turned(column + BLOCK)));
                for r in 0..BLOCK {
                    let (to, rest) = out[((row + r) * out_step + column) * SIZE..].split_at_mut(VECTOR);
                    to.copy_from_slice(&left[r]);
                    if let Some(right) = &right {
                        rest[..VECTOR].copy_from_slice(&right[r]);
                    }
                }
            }
        }
    }
    (rows, columns)
}

/// Each step deals one half of the lines and the other out by turns; after as many steps as `BLOCK` has bits, rows are columns.
#[inline(always)]
fn turn_block<const SIZE: usize, const BLOCK: usize>(block: &mut [Vector; BLOCK]) {
    for _ in 0..BLOCK.ilog2() {
        let before = *block;
        for (i, pair) in block.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            *pair = dealt::<SIZE>(before[i], before[i + BLOCK / 2]);
        }
    }
}

/// An element of the one, an element of the other, and so on.
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

/// An element of the one, an element of the other, and so on.
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

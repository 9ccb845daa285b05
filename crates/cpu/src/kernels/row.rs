//! Functions of one row of elements.

use std::any::TypeId;

use rten_simd::ops::BitOps;
use rten_simd::{Isa, SimdOp};

use super::super::element::{Float, Number, Wide, scaled_exp};
use super::fold::run_of;
use super::total::Sum;

/// Number of partial results of a row that are computed side by side: two registers of the widest vectors.
const LANES: usize = 32;

fn maximum<T: Float>(row: &[T]) -> T::Wide {
    let first = T::Wide::from_double(f64::NEG_INFINITY);
    run_of::<LANES, _, _>(row, first, |most, x: T| Number::larger(most, x.wide()), Number::larger)
}

/// Computes the softmax: powers of e, divided by their sum. The maximum is subtracted first, so that no power
/// overflows.
pub fn softmax<T: Float>(row: &[T], out: &mut [T]) {
    if TypeId::of::<T>() == TypeId::of::<f32>() {
        return FloatSoftmax { row: bytemuck::cast_slice(row), out: bytemuck::cast_slice_mut(out) }.dispatch();
    }
    let most = maximum(row);
    let powers: Vec<T::Wide> = row.iter().map(|x| Number::sub(x.wide(), most).exp()).collect();
    let sum = powers.iter().fold(T::Wide::zero(), |sum, &power| Number::add(sum, power));
    out.iter_mut().zip(powers).for_each(|(out, power)| *out = T::narrow(Number::div(power, sum)));
}

/// The [`softmax`] of float32, compiled for vectors of several widths.
struct FloatSoftmax<'a> {
    row: &'a [f32],
    out: &'a mut [f32],
}

impl SimdOp for FloatSoftmax<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        // AArch64, and machines with vectors of more than 4 floats, have instructions for fused multiplication and
        // addition.
        if cfg!(target_arch = "aarch64") || isa.f32().len() > 4 { self.run::<true>() } else { self.run::<false>() }
    }
}

impl FloatSoftmax<'_> {
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let FloatSoftmax { row, out } = self;
        let (blocks, rest) = row.as_chunks::<LANES>();
        // This maximum may miss a NaN. The NaN still reaches the sum and, through the sum, every result.
        let larger = |a: f32, b: f32| if a > b { a } else { b };
        let mut most = [f32::NEG_INFINITY; LANES];
        blocks.iter().for_each(|block| most.iter_mut().zip(block).for_each(|(most, &x)| *most = larger(*most, x)));
        let most = larger(joined(&most, f32::NEG_INFINITY, larger), joined(rest, f32::NEG_INFINITY, larger));
        let (powers, last) = out.as_chunks_mut::<LANES>();
        let mut sums = [0.0; LANES];
        for (powers, block) in powers.iter_mut().zip(blocks) {
            for ((power, sum), x) in powers.iter_mut().zip(&mut sums).zip(block) {
                *power = scaled_exp::<FUSED>(x - most);
                *sum += *power;
            }
        }
        last.iter_mut().zip(rest).for_each(|(power, x)| *power = scaled_exp::<FUSED>(x - most));
        // Multiplying by the reciprocal is accurate enough: the error is smaller than the tolerance for a quotient.
        let sum = |terms: &[f32]| joined(terms, 0.0, |a, b| a + b);
        let part = (sum(&sums) + sum(last)).recip();
        out.iter_mut().for_each(|out| *out *= part);
    }
}

/// Joins all elements to one, with eight partial results side by side.
#[inline(always)]
fn joined(elements: &[f32], start: f32, join: impl Fn(f32, f32) -> f32) -> f32 {
    run_of::<8, _, _>(elements, start, &join, &join)
}

/// Computes the logarithm of the [`softmax`].
pub fn log_softmax<T: Float>(row: &[T], out: &mut [T]) {
    let most = maximum(row);
    let sum = row.iter().fold(T::Wide::zero(), |sum, x| Number::add(sum, Number::sub(x.wide(), most).exp()));
    let log = sum.ln();
    for (out, x) in out.iter_mut().zip(row) {
        *out = T::narrow(Number::sub(Number::sub(x.wide(), most), log));
    }
}

/// Writes 1 at the first maximum and 0 elsewhere.
pub fn hardmax<T: Number>(row: &[T], out: &mut [T]) {
    out.fill(T::zero());
    out[extreme(row, true, false)] = T::one();
}

/// Returns the index of the largest (or smallest) element. If several elements are equal, the first of them counts
/// (or the last, if `last`). A NaN wins over every number.
pub fn extreme<T: Number>(row: &[T], largest: bool, last: bool) -> usize {
    let mut found = 0;
    for (at, &x) in row.iter().enumerate().skip(1) {
        let leader = row[found];
        let better = if largest { x > leader } else { x < leader };
        let wins = match (x.is_nan(), leader.is_nan()) {
            (true, other) => !other || last,
            (false, true) => false,
            _ => better || (last && x == leader),
        };
        if wins {
            found = at;
        }
    }
    found
}

/// Returns the indices of the `k` largest (or smallest) elements in order. Of equal elements the first one comes first.
pub fn top<T: Number>(row: &[T], k: usize, largest: bool) -> Vec<usize> {
    let ordinals = row.iter().map(|x| if largest { !x.ordinal() } else { x.ordinal() });
    first(ordinals.zip(0..).collect(), k)
}

/// Returns the places of the `k` smallest ordinals, in order.
fn first(mut ordinals: Vec<(u64, usize)>, k: usize) -> Vec<usize> {
    if k < ordinals.len() {
        ordinals.select_nth_unstable(k - 1);
        ordinals.truncate(k);
    }
    ordinals.sort_unstable();
    ordinals.into_iter().map(|(_, place)| place).collect()
}

/// How elements are accumulated.
#[derive(Clone, Copy, Debug)]
pub struct Cumulation {
    /// Whether elements are multiplied instead of added.
    pub product: bool,
    /// Whether the element itself is left out.
    pub exclusive: bool,
    /// Whether to accumulate from the end.
    pub reverse: bool,
}

impl Cumulation {
    /// Writes, for each element, the sum or product of the elements before it (behind it if `reverse`) and, unless
    /// `exclusive`, of the element itself.
    pub fn run<T: Sum>(self, row: &[T], out: &mut [T]) {
        // An inclusive sum starts at -0, because adding it changes no number, not even -0.
        let mut acc = match self {
            Cumulation { product: true, .. } => T::Total::one(),
            Cumulation { exclusive: true, .. } => T::Total::zero(),
            _ => Number::neg(T::Total::zero()),
        };
        for i in 0..row.len() {
            let at = if self.reverse { row.len() - 1 - i } else { i };
            let before = acc;
            let x = row[at].total();
            acc = if self.product { Number::mul(acc, x) } else { Number::add(acc, x) };
            out[at] = T::of_total(if self.exclusive { before } else { acc });
        }
    }
}

//! What is computed of one row of elements.

use std::any::TypeId;
use std::cmp::Ordering;

use rten_simd::ops::BitOps;
use rten_simd::{Isa, SimdOp};

use super::super::element::{Float, Number, Sum, Wide, scaled_exp};
use super::fold::run_of;

/// Partial results of a row that are kept side by side: two registers of the widest vectors.
const LANES: usize = 32;

fn maximum<T: Float>(row: &[T]) -> T::Wide {
    let first = T::Wide::nearest(f64::NEG_INFINITY);
    run_of::<LANES, _, _>(row, first, |most, x: T| Number::larger(most, x.wide()), Number::larger)
}

/// Powers of e, divided by their sum. The maximum is taken off first.
pub fn softmax<T: Float>(row: &[T], out: &mut [T]) {
    if TypeId::of::<T>() == TypeId::of::<f32>() {
        return FloatSoftmax { row: bytemuck::cast_slice(row), out: bytemuck::cast_slice_mut(out) }.dispatch();
    }
    let most = maximum(row);
    let powers: Vec<T::Wide> = row.iter().map(|x| Number::sub(x.wide(), most).exp()).collect();
    let sum = powers.iter().fold(T::Wide::zero(), |sum, &power| Number::add(sum, power));
    out.iter_mut().zip(powers).for_each(|(out, power)| *out = T::narrow(Number::div(power, sum)));
}

/// [`softmax`] of float, compiled for vectors of several widths.
struct FloatSoftmax<'a> {
    row: &'a [f32],
    out: &'a mut [f32],
}

impl SimdOp for FloatSoftmax<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        // The wider ones come with instructions for fused products.
        if cfg!(target_arch = "aarch64") || isa.f32().len() > 4 { self.run::<true>() } else { self.run::<false>() }
    }
}

impl FloatSoftmax<'_> {
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let FloatSoftmax { row, out } = self;
        let (blocks, rest) = row.as_chunks::<LANES>();
        // It may pass a NaN over: that is NaN in the sum, and so everywhere.
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
        // A quotient may stray farther than a product with the reciprocal does.
        let sum = |terms: &[f32]| joined(terms, 0.0, |a, b| a + b);
        let part = (sum(&sums) + sum(last)).recip();
        out.iter_mut().for_each(|out| *out *= part);
    }
}

/// Elements joined to one, eight side by side.
#[inline(always)]
fn joined(elements: &[f32], start: f32, join: impl Fn(f32, f32) -> f32) -> f32 {
    run_of::<8, _, _>(elements, start, &join, &join)
}

/// The logarithm of [`softmax`].
pub fn log_softmax<T: Float>(row: &[T], out: &mut [T]) {
    let most = maximum(row);
    let sum = row.iter().fold(T::Wide::zero(), |sum, x| Number::add(sum, Number::sub(x.wide(), most).exp()));
    let log = sum.ln();
    for (out, x) in out.iter_mut().zip(row) {
        *out = T::narrow(Number::sub(Number::sub(x.wide(), most), log));
    }
}

/// 1 at the first maximum, 0 elsewhere.
pub fn hardmax<T: Number>(row: &[T], out: &mut [T]) {
    out.fill(T::zero());
    out[extreme(row, true, false)] = T::one();
}

/// Where the first (or the last) largest (or smallest) element is; a NaN is more than all.
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

/// Numbers in ascending order, NaN behind them.
pub fn ascending<T: Number>(a: T, b: T) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// The places of the `k` largest (or smallest) elements, in order; of equal ones the first comes first.
pub fn top<T: Number>(row: &[T], k: usize, largest: bool) -> Vec<usize> {
    let order = |a: &usize, b: &usize| {
        let by_value = ascending(row[*a], row[*b]);
        let by_value = if largest { by_value.reverse() } else { by_value };
        by_value.then(a.cmp(b))
    };
    let mut places: Vec<usize> = (0..row.len()).collect();
    if k < places.len() {
        places.select_nth_unstable_by(k - 1, order);
        places.truncate(k);
    }
    places.sort_unstable_by(order);
    places
}

/// How elements are summed up, or multiplied.
#[derive(Clone, Copy, Debug)]
pub struct Cumulation {
    /// Products, and not sums.
    pub product: bool,
    /// Without the element itself.
    pub exclusive: bool,
    /// From the end.
    pub reverse: bool,
}

impl Cumulation {
    /// Of each element what comes before it makes, and itself.
    pub fn run<T: Sum>(self, row: &[T], out: &mut [T]) {
        // -0 added to anything changes nothing.
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

//! What is computed of one row of elements.

use std::cmp::Ordering;

use super::super::element::{Float, Number, Sum, Wide};
use super::fold::run_of;

fn maximum<T: Float>(row: &[T]) -> T::Wide {
    let first = T::Wide::from_f64(f64::NEG_INFINITY);
    run_of(row, first, |most, x: T| Number::larger(most, x.wide()), Number::larger)
}

/// Powers of e, divided by their sum. The maximum is taken off first.
pub fn softmax<T: Float>(row: &[T], out: &mut [T]) {
    let most = maximum(row);
    if size_of::<T>() == size_of::<T::Wide>() {
        // The powers fit in the output.
        let power = |x: &T| T::narrow(Number::sub(x.wide(), most).exp_below_zero());
        out.iter_mut().zip(row).for_each(|(out, x)| *out = power(x));
        let sum = run_of(out, T::Wide::zero(), |sum, power: T| Number::add(sum, power.wide()), Number::add);
        out.iter_mut().for_each(|out| *out = T::narrow(Number::div(out.wide(), sum)));
    } else {
        let powers: Vec<T::Wide> = row.iter().map(|x| Number::sub(x.wide(), most).exp()).collect();
        let sum = powers.iter().fold(T::Wide::zero(), |sum, &power| Number::add(sum, power));
        out.iter_mut().zip(powers).for_each(|(out, power)| *out = T::narrow(Number::div(power, sum)));
    }
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

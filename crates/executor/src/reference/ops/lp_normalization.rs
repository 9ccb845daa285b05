use crate::reference::families::normalization::{open, opened, reciprocal};
use crate::reference::families::select::lanes;
use crate::reference::prelude::*;

/// LpNormalization-1, -22: one meaning; 22 adds bfloat16. Axis: C1; `p`: C2. A norm of zero: B1; squares that overflow or underflow: B2.
pub fn lp_normalization(call: &Call) -> Answer {
    let x = call.tensor("input")?;
    let axis = call.axis(call.int("axis")?, x.rank(), C1)?;
    let p = call.int("p")?;
    if p != 1 && p != 2 {
        return Err(Refusal::violates(C2, format!("p is {p}, neither 1 nor 2")));
    }
    let label = open(&[x]);
    let mut y: Vec<Number> = x.numbers().collect();
    for lane in lanes(x.shape(), axis) {
        let elements: Vec<Real> = lane.iter().map(|&i| x.number(i).real()).collect();
        let shares = if p == 1 { by_sum(&elements) } else { by_squares(&elements) };
        lane.into_iter().zip(shares).for_each(|(i, share)| y[i] = opened(share, label));
    }
    call.answer(x.shape().to_vec(), y)
}

/// Each element divided by the norm, or multiplied by its reciprocal; of zeros only: B1.
fn divided(x: &[Real], norm: Real) -> Vec<Real> {
    let element = |&x: &Real| match norm.low == 0.0 && norm.high == 0.0 {
        true => Real::constant(0.0, x.dtype),
        false => x.over(norm).hull(x.times(reciprocal(norm))),
    };
    x.iter().map(element).collect()
}

fn by_sum(x: &[Real]) -> Vec<Number> {
    let mut sum = Accumulator::new(x.first().map_or(DType::Float, |x| x.dtype));
    x.iter().for_each(|x| sum.add(x.abs()));
    divided(x, sum.finish_inside()).into_iter().map(Number::from).collect()
}

fn by_squares(x: &[Real]) -> Vec<Number> {
    let direct = divided(x, norm(x));
    let largest = x.iter().map(|x| x.mid.abs()).fold(0.0, f64::max);
    if largest == 0.0 || x.iter().any(|x| !x.mid.is_finite()) {
        return direct.into_iter().map(Number::from).collect();
    }
    // Scaled so that no square overflows or underflows; what happens where one does is left open: B2.
    let power = libm::frexp(largest).1;
    let scaled: Vec<Real> = x.iter().map(|x| x.scaled(-power)).collect();
    let shares = divided(&scaled, norm(&scaled));
    shares.into_iter().zip(direct).map(|(share, direct)| Number::from(share).or_computed(direct, B2)).collect()
}

fn norm(x: &[Real]) -> Real {
    let mut sum = Accumulator::new(x.first().map_or(DType::Float, |x| x.dtype));
    x.iter().for_each(|x| sum.add(x.abs().times(x.abs())));
    Number::from(sum.finish_inside()).sqrt().real()
}

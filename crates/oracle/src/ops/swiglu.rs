use crate::ops::swish::swished;
use crate::prelude::*;

/// Computes Swish of `A`, multiplied by `B`. Shapes are equal (`shapes-equal`). Infinities: `infinity-times-zero`; NaN:
/// `nan`.
///
/// The only version is 28.
pub fn swiglu(call: &Call) -> Answer {
    let (a, b) = (call.tensor("A")?, call.tensor("B")?);
    if a.shape() != b.shape() {
        return Err(Refusal::violates(
            rule::SHAPES_EQUAL,
            format!("shapes {:?} and {:?} differ", a.shape(), b.shape()),
        ));
    }
    let alpha = call.float("alpha")?;
    let element = |(a, b): (Number, Number)| a.each_part(|a| gated(swished(a, alpha), b));
    call.answer(a.shape().to_vec(), a.numbers().zip(b.numbers()).map(element))
}

/// Multiplies a value of Swish by `b`. If `b` is infinite and the value may round to 0, the product may be NaN.
fn gated(swish: Number, b: Number) -> Number {
    let (swish_real, product) = (swish.real(), swish * b);
    let rounds_to_zero = swish_real.low <= 0.0 && 0.0 <= swish_real.high;
    if !(b.mid().is_infinite() && rounds_to_zero) || product.is_nan() {
        return product;
    }
    product.map_real(|y| Real { nan: true, ..y })
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};

    #[test]
    fn an_infinity_times_a_number_that_may_be_rounded_to_zero_may_be_nan() {
        let of = |a: f32| run("SwiGLU", 28, &[floats(&[1], &[a]), floats(&[1], &[f32::INFINITY])], 1);
        assert!(of(-104.0).expect("the node is valid")[0].number(0).real().nan);
        assert!(!of(-10.0).expect("the node is valid")[0].number(0).real().nan);
    }
}

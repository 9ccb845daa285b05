use crate::families::activation::{Formula, computed, or_limit, within};
use crate::prelude::*;

/// Computes `x / 2 * (1 + erf(x / sqrt(2)))` for each element. With `approximate` = "tanh", computes
/// `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))` instead.
///
/// The only version is 20. Other values of `approximate` are rejected (`approximate-known`). Minus infinity:
/// `infinity-times-zero`; NaN: `nan`; the precision of the constants for double: `coefficient-precision`.
pub fn gelu(call: &Call) -> Answer {
    let approximate = call.string("approximate")?;
    let function = match approximate.as_str() {
        "none" => by_erf,
        "tanh" => by_tanh,
        other => {
            return Err(Refusal::violates(
                rule::APPROXIMATE_KNOWN,
                format!("`approximate` is `{other}`, expected `none` or `tanh`"),
            ));
        }
    };
    call.map("X", |x| or_limit(function(x), x, 0.0, rule::INFINITY_TIMES_ZERO))
}

/// Computes `x / 2 * (1 + share)`, where `share` is a value of the error function or of the hyperbolic tangent.
pub(crate) fn halved(x: Number, share: Number) -> Number {
    x.like(0.5) * x * within(x.like(1.0) + share, 0.0, 2.0)
}

/// Besides the formula of the description, `x / 2 * erfc(-x / sqrt(2))` and `x` times the distribution function of the
/// normal distribution are in use. They are the same function, and lose no digits below zero.
fn by_erf(x: Number) -> Number {
    let complement = |x: Number, scaled: Number| x.like(0.5) * x * within((-scaled).erfc(), 0.0, 2.0);
    let formulas: [Formula; 5] = [
        &|x, w| halved(x, (x / w.constant(2.0).sqrt()).erf()),
        &|x, w| halved(x, (x * w.constant(std::f64::consts::FRAC_1_SQRT_2)).erf()),
        &|x, w| complement(x, x / w.constant(2.0).sqrt()),
        &|x, w| complement(x, x * w.constant(std::f64::consts::FRAC_1_SQRT_2)),
        &|x, _| x * within(x.normal_cdf(), 0.0, 1.0),
    ];
    computed(x, |x| 0.5 * x * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2), &formulas)
}

fn by_tanh(x: Number) -> Number {
    let y = by_angle(x, std::f64::consts::FRAC_2_PI, 0.044715);
    if x.dtype() != DType::Double || !y.mid().is_finite() {
        return y;
    }
    // The function body has both constants as float32, whatever the element type is (`coefficient-precision`).
    y.or(by_angle(x, f64::from(std::f32::consts::FRAC_2_PI), f64::from(0.044_715_f32)), rule::COEFFICIENT_PRECISION)
}

/// Computes `x / 2 * (1 + tanh(sqrt(two_over_pi) * (x + cubic * x^3)))`.
pub(crate) fn by_angle(x: Number, two_over_pi: f64, cubic: f64) -> Number {
    let exact = |x: f64| {
        let angle = two_over_pi.sqrt() * (x + cubic * x * x * x);
        x / (1.0 + libm::exp(-2.0 * angle))
    };
    let formulas: [Formula; 3] = [
        &|x, w| {
            let cube = w.constant(cubic) * x.power(x.like(3.0));
            halved(x, (w.constant(two_over_pi).sqrt() * (x + cube)).tanh())
        },
        &|x, w| halved(x, (w.constant(two_over_pi).sqrt() * (x + w.constant(cubic) * (x * x * x))).tanh()),
        &|x, w| {
            let square = x.like(1.0) + w.constant(cubic) * (x * x);
            halved(x, (w.constant(two_over_pi).sqrt() * x * square).tanh())
        },
    ];
    computed(x, exact, &formulas)
}

#[cfg(test)]
mod tests {
    use crate::Judged;
    use crate::testing::{floats, run};
    use plumbline_tensor::{DType, Tensor};

    /// The results are 0.5 * -1 * (1 + erf(-1 / sqrt(2))), and infinity times zero.
    #[test]
    fn gelu_is_computed_by_the_error_function() {
        let y = &run("Gelu", 20, &[floats(&[2], &[-1.0, f32::NEG_INFINITY])], 1).expect("the node is valid")[0];
        assert_eq!(y.judge(&floats(&[2], &[-0.158_655_25; 2]), 0), Judged::Accepted);
        assert_eq!(y.judge(&floats(&[2], &[-0.158_808; 2]), 0), Judged::Wrong);
        assert_eq!(y.judge(&floats(&[2], &[f32::NAN; 2]), 1), Judged::Accepted);
        assert!(matches!(y.judge(&floats(&[2], &[0.0; 2]), 1), Judged::Latitude(_)));
        assert_eq!(y.judge(&floats(&[2], &[f32::NEG_INFINITY; 2]), 1), Judged::Wrong);
    }

    /// For double, the function body's float32 constants 0.63661975 and 0.044715 change the result.
    #[test]
    fn gelu_by_tanh_accepts_constants_of_the_text_and_of_the_function_body() {
        let double = |x: f64| Tensor::from_f64s(DType::Double, vec![1], &[x]).expect("the shape has one element");
        let y = &run(r#"Gelu <approximate = "tanh">"#, 20, &[double(1.0)], 1).expect("the node is valid")[0];
        let of = |two_over_pi: f64, cubic: f64| double(0.5 * (1.0 + (two_over_pi.sqrt() * (1.0 + cubic)).tanh()));
        assert_eq!(y.judge(&of(std::f64::consts::FRAC_2_PI, 0.044715), 0), Judged::Accepted);
        let body = of(f64::from(0.636_619_75_f32), f64::from(0.044_715_f32));
        assert!(matches!(y.judge(&body, 0), Judged::Latitude(_)));
        assert_eq!(y.judge(&of(0.636, 0.044715), 0), Judged::Wrong);
    }
}

use crate::Int;
use crate::families::quantized_convolution::{per_channel, products, scalar};
use crate::families::reduce::sums_of_ints;
use crate::prelude::*;

/// Computes a convolution of quantized 8-bit integers, and quantizes the result.
///
/// The only version is 10. Windows follow the rules from `input-has-spatial-axes` to `negative-same-padding` in the
/// list of `families::spatial`. Constraints: the kernel (`channels-fit-groups`, `kernel-shape-matches-w`), the bias
/// (`bias-fits-channels`), the scales and zero points of `x` and `y`, which have one element
/// (`quantization-per-tensor`), and those of `w`, which have one element or one for each output channel
/// (`w-quantization-per-channel`). Sums beyond 32 bits: `accumulator-overflow`; the value of padding:
/// `zero-point-padding`; ties: `ties`; scales that are not positive numbers: `degenerate-scale`; a window that is a
/// little too long for its axis: `window-just-too-long`.
pub fn q_linear_conv(call: &Call) -> Answer {
    let products = products(call, ["x_zero_point", "w_zero_point"])?;
    let dtype = call.output_dtype(0)?;
    let bias = call.optional_tensor("B")?;
    if let Some(b) = bias.filter(|b| b.shape() != [products.channels]) {
        return Err(Refusal::violates(
            rule::BIAS_FITS_CHANNELS,
            format!(
                "the bias has shape {:?}, expected one element for each of {} output channels",
                b.shape(),
                products.channels
            ),
        ));
    }
    let one = |name: &str| {
        scalar(call, name)?.map(|t| t.number(0)).ok_or_else(|| Refusal::invalid(format!("input `{name}` is missing")))
    };
    let (x_scale, y_scale, zero) = (one("x_scale")?, one("y_scale")?, one("y_zero_point")?);
    let w_scale = per_channel(call, "w_scale", products.channels)?
        .ok_or_else(|| Refusal::invalid("input `w_scale` is missing"))?;
    let element = |(i, &sum): (usize, &i64)| {
        let m = products.channel(i);
        let bias = bias.map(|b| b.number(m));
        let sum = i128::from(sum) + bias.map_or(0, |b| b.mid_int());
        let of_sum = |sum: i128| requantized(sum, [x_scale, w_scale(m), y_scale], zero, dtype);
        // In 32 bits, a sum may wrap, or saturate at either end of the range.
        let narrow = sums_of_ints(sum, DType::Int32)
            .into_iter()
            .map(of_sum)
            .reduce(|number, other| number.or(other, rule::ACCUMULATOR_OVERFLOW));
        let operands: Vec<Number> = [bias, Some(zero)].into_iter().flatten().collect();
        let number = narrow.unwrap_or_else(|| of_sum(sum)).opened_ints(&operands, rule::ACCUMULATOR_OVERFLOW);
        if [x_scale, w_scale(m), y_scale].iter().all(Number::is_point) { number } else { number.or_whole_range() }
    };
    let numbers: Vec<Number> = products.sums.iter().enumerate().map(element).collect();
    call.answer_as(dtype, products.shape.clone(), numbers)
}

/// Computes `sum * x_scale * w_scale / y_scale`, rounded, plus the zero point, limited to the range of the type.
fn requantized(sum: i128, [x, w, y]: [Number; 3], zero: Number, dtype: DType) -> Number {
    let exact = sum as f64 * (x.mid() * w.mid() / y.mid());
    let (low, high) = dtype.integer_range().unwrap_or((0, 255));
    let saturated = |value: f64| (value.clamp(-1e18, 1e18) as i128 + zero.mid_int()).clamp(low, high);
    let positive = |n: &Number| n.mid() > 0.0 && n.mid().is_finite();
    if ![x, w, y].iter().all(positive) {
        // The preferred result follows the formula. A quotient that is infinite or NaN may become an end of the range,
        // 0 or the zero point.
        let others = [0, low, high, zero.mid_int()].map(|other| Number::int(other.clamp(low, high), dtype));
        let number = Number::int(saturated(exact.round_ties_even()), dtype);
        return others.into_iter().fold(number, |number, other| number.or(other, rule::DEGENERATE_SCALE));
    }
    // An implementation applies the scales in float, in any order, or combines them more exactly.
    let total = Number::from(Real::constant(sum as f64, DType::Float).nearest());
    let over = |a: Number| by_scale(a, y);
    let ways =
        [total * over(x * w), over(total * (x * w)), over(total * x * w), total * over(w) * x, total * over(x) * w];
    let held = Number::from(Real::constant(exact, DType::Float));
    let real = ways.into_iter().fold(held, |hull, way| hull.hull(way)).real();
    let round = |value: f64| saturated(value.round_ties_even());
    let kind = NumberKind::Int(Int { low: round(real.low), mid: round(exact), high: round(real.high), dtype });
    let number = Number { kind, latitude: None };
    let away = saturated(exact + exact.signum() * 0.5);
    // A tie goes to the even neighbour, as in QuantizeLinear, or away from zero (`ties`).
    if exact.fract().abs() == 0.5 && !number.accepts(&Number::int(away, dtype)) {
        return number.or(Number::int(away, dtype), rule::TIES);
    }
    number
}

/// Divides by a scale. Division by a power of two is exact in every implementation.
fn by_scale(a: Number, scale: Number) -> Number {
    let power = scale.is_point() && libm::frexp(scale.mid()).0 == 0.5;
    if power { a * scale.like(1.0 / scale.mid()) } else { a / scale }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{floats, run};

    fn number(sum: i128, scales: [f32; 3], zero: i128) -> Number {
        let scale = |s: f32| Number::from(Real::exact(s.into(), DType::Float));
        requantized(sum, scales.map(scale), Number::int(zero, DType::Uint8), DType::Uint8)
    }

    #[test]
    fn a_kernel_without_output_channels_has_a_bias_and_scales_without_elements() {
        let ints = |dtype, shape: &[usize], v: &[i128]| {
            Tensor::from_i128s(dtype, shape.to_vec(), v).expect("the values fill the shape")
        };
        let (byte, one) = (ints(DType::Uint8, &[], &[1]), floats(&[], &[1.0]));
        let x = ints(DType::Uint8, &[1, 1, 3], &[1, 2, 3]);
        let (w, w_zero) = (ints(DType::Uint8, &[0, 1, 2], &[]), ints(DType::Uint8, &[0], &[]));
        let bias = ints(DType::Int32, &[0], &[]);
        let inputs = [x, one.clone(), byte.clone(), w, floats(&[0], &[]), w_zero, one, byte, bias];
        let y = &run("QLinearConv", 10, &inputs, 1).expect("the node is valid")[0];
        assert_eq!(y.tensor, ints(DType::Uint8, &[1, 0, 2], &[]));
    }

    #[test]
    fn ties_are_open_and_the_even_neighbour_is_preferred() {
        let x = number(5, [0.5, 1.0, 1.0], 10);
        assert_eq!((x.mid_int(), x.latitude.map(|l| l.allowed)), (12, Some(Allowed::int(13))));
        assert_eq!(number(4, [0.5, 1.0, 1.0], 10), Number::int(12, DType::Uint8));
    }

    #[test]
    fn results_saturate_and_values_near_a_tie_may_be_rounded_either_way() {
        assert_eq!(number(100_000, [0.5, 1.0, 1.0], 10), Number::int(255, DType::Uint8));
        assert_eq!(number(-100_000, [0.5, 1.0, 1.0], 10), Number::int(0, DType::Uint8));
        let x = number(45, [0.1, 1.0, 1.0], 0);
        assert!(x.accepts(&Number::int(4, DType::Uint8)) && x.accepts(&Number::int(5, DType::Uint8)), "{x:?}");
    }
}

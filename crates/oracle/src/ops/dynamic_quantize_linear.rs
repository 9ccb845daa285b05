use crate::Allowed;
use crate::families::quantize::Target;
use crate::prelude::*;

/// Quantizes `x` to uint8 with a scale and a zero point computed from its range, which is extended to include 0.
///
/// The only version is 11. Ties round to even (`ties`). A range of zero length: `zero-range`; a range that overflows or
/// contains NaN: `infinite-range`.
pub fn dynamic_quantize_linear(call: &Call) -> Answer {
    let x = call.tensor("x")?;
    let float = |value: f64| Number::constant(value, DType::Float);
    let (mut least, mut most) = (float(0.0), float(0.0));
    for element in x.numbers() {
        least = least.minimum(element, rule::INFINITE_RANGE);
        most = most.maximum(element, rule::INFINITE_RANGE);
    }
    let range = most - least;
    let (dtype, shape) = (DType::Uint8, x.shape().to_vec());
    let open_scale = || float(0.0).or(Allowed::either(1.0, f64::from(1.0f32 / 255.0)), rule::ZERO_RANGE);
    if range.real().high == 0.0 && range.latitude.is_none() {
        // By the formula, the scale is 0 and the quotients are NaN, which may become 0 or 255. With a scale of 1 or
        // 1 / 255 instead, the results are zeros.
        let either_end = || Number::int(0, dtype).or(Allowed::int(255), rule::ZERO_RANGE);
        return several([
            Expected::from_numbers(dtype, shape, x.numbers().map(|_| either_end()))?,
            Expected::from_numbers(DType::Float, vec![], [open_scale()])?,
            Expected::from_numbers(dtype, vec![], [either_end()])?,
        ]);
    }
    let infinite = |range: Number| range.real().high == f64::INFINITY;
    let scale = range.each_way(|range| match range {
        range if infinite(range) => float(f64::INFINITY),
        // If NaN is left out of the range, and all other elements are zeros, the range has zero length.
        range if range.real().high == 0.0 => open_scale(),
        // The range may have zero length.
        range if range.real().low <= 0.0 => (range / float(255.0)).or(open_scale(), rule::ZERO_RANGE),
        range => range / float(255.0),
    });
    // An implementation may divide the ends of the range by 255 before it subtracts them, or keep their difference in a
    // wider type. Then the difference does not overflow.
    let scale = match infinite(range) {
        true => scale.or(most / float(255.0) - least / float(255.0), rule::INFINITE_RANGE),
        false => scale,
    };
    let target = Target { dtype, saturate: true, since: call.since(), nan: rule::INFINITE_RANGE };
    let zero = target.quantized(-(least / scale), None);
    let quantized = x.numbers().map(|element| target.quantized(element / scale, Some(zero)));
    several([
        Expected::from_numbers(dtype, shape, quantized)?,
        Expected::from_numbers(DType::Float, vec![], [scale])?,
        Expected::from_numbers(dtype, vec![], [zero])?,
    ])
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};

    #[test]
    fn the_range_holds_zero() {
        let y = run("DynamicQuantizeLinear", 11, &[floats(&[3], &[51.0, 25.5, 25.0])], 3).expect("the node is valid");
        assert_eq!(y[0].tensor.to_i128s(), [255, 128, 125]);
        assert!((y[1].tensor.f64_at(0) - 0.2).abs() < 1e-7 && y[2].tensor.i128_at(0) == 0);
    }

    #[test]
    fn a_range_of_nan_alone_may_be_treated_as_empty() {
        let y = run("DynamicQuantizeLinear", 11, &[floats(&[1], &[f32::NAN])], 3).expect("the node is valid");
        assert!(y[1].tensor.f64_at(0).is_nan());
        for scale in [0.0, 1.0, f64::from(1.0f32 / 255.0)] {
            assert!(
                y[1].latitude.iter().any(|(_, open)| format!("{:?}", open.allowed).contains(&format!("{scale:?}"))),
                "{scale}"
            );
        }
    }

    #[test]
    fn a_range_of_zeros_is_left_open() {
        let y = run("DynamicQuantizeLinear", 11, &[floats(&[2], &[0.0, -0.0])], 3).expect("the node is valid");
        assert!(y.iter().all(|y| y.latitude.len() == y.len()));
    }
}

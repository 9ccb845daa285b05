use plumbline_spec::TypeStr;

use crate::families::quantize::{Target, divided, is_working, or_at_precision, spread, zero_point};
use crate::prelude::*;

/// Computes `saturate(round(x / y_scale) + y_zero_point)`. For a floating-point output, the quotient is not rounded to
/// an integer, and the sum is rounded to the output type (`float-rounding`; saturation and NaN: `float8-saturation`,
/// `types-without-infinity`).
///
/// Version 10 has one scale; version 13 adds one per slice of an axis. Version 19 adds 8-bit floats, version 21 blocks
/// and `output_dtype`. From version 23 on, the type of the scale, or `precision`, is the precision of the division.
/// Constraints: the scale (`scale-shape-fits`), the zero point (`zero-point-matches-scale`), `axis` (`axis-in-range`),
/// `block_size` (`block-size-non-negative`, `blocks-cover-axis`), `output_dtype` (`output-dtype-allowed`), and
/// `precision` (`precision-allowed`).
///
/// NaN: `nan`; the precision of the operands and of the division: `operand-precision` and `division-precision`; ties:
/// `ties`; numbers out of range: `saturation`.
///
/// Values of `saturate` other than 0 and 1: `other-flag-values`.
pub fn quantize_linear(call: &Call) -> Answer {
    let (x, scale) = (call.tensor("x")?, call.tensor("y_scale")?);
    let at = spread(call, x, scale)?;
    let zero = zero_point(call, "y_zero_point", scale)?;
    let dtype = output_type(call, zero.map(Expected::dtype))?;
    let precision = precision(call, x.dtype(), scale.dtype())?;
    let target = Target { dtype, saturate: call.flag_or_set("saturate"), since: call.since(), nan: rule::NAN };
    let element = |(i, &at): (usize, &usize)| {
        let zero = zero.map(|zero| zero.number(if zero.len() == 1 { 0 } else { at }));
        x.number(i).each_pair(scale.number(at), |x, scale| target.quantized(quotient(x, scale, precision), zero))
    };
    call.answer_as(dtype, x.shape().to_vec(), at.iter().enumerate().map(element))
}

/// Returns `output_dtype` if it is given, otherwise the type of the zero point, or uint8 without a zero point.
fn output_type(call: &Call, zero: Option<DType>) -> Result<DType, Refusal> {
    let code = call.optional_int("output_dtype").unwrap_or(0);
    if code == 0 {
        return Ok(zero.unwrap_or(DType::Uint8));
    }
    let named = DType::from_code(code);
    let types = call.version().outputs.first().map(|y| call.version().types_of(y)).unwrap_or_default();
    match named.filter(|&d| types.contains(&TypeStr::Tensor(d)) && zero.is_none_or(|zero| zero == d)) {
        Some(dtype) => Ok(dtype),
        None => Err(Refusal::violates(
            rule::OUTPUT_DTYPE_ALLOWED,
            format!("`output_dtype` is {code}, which is not a type of the output, or not that of the zero point"),
        )),
    }
}

/// Returns the type in which the division is computed: `precision` if it is given. Otherwise, from version 23 on, it is
/// the type of the scale, even if that is int32, but float if that is float8e8m0. Before version 23, it is the type of
/// `x` or, if `x` has integers, the type of the scale; if both have integers, it is float.
fn precision(call: &Call, x: DType, scale: DType) -> Result<DType, Refusal> {
    let code = call.optional_int("precision").unwrap_or(0);
    let named = DType::from_code(code);
    match named.filter(|d| d.is_float() || d.is_integer()) {
        Some(dtype) => Ok(dtype),
        None if code != 0 => {
            Err(Refusal::violates(rule::PRECISION_ALLOWED, format!("`precision` is {code}, expected a numeric type")))
        }
        // float8e8m0 holds only powers of two, so it cannot be meant as the type of a quotient (`division-precision`).
        None if scale == DType::Float8e8m0 => Ok(DType::Float),
        None if call.since() >= 23 => Ok(scale),
        None => Ok([x, scale].into_iter().find(|&d| is_working(d)).unwrap_or(DType::Float)),
    }
}

/// Computes `x / scale`, with operands as they are or rounded to the precision of the division first. If an operand
/// overflows or vanishes only when it is rounded, the quotient of the rounded operands is another outcome
/// (`operand-precision`). If the precision is a type in which implementations do not divide, such as int32, the
/// quotient without its fraction is another outcome (`division-precision`).
fn quotient(x: Number, scale: Number, precision: DType) -> Number {
    if !is_working(precision) {
        let quotient = x.at_precision(DType::Float) / scale.at_precision(DType::Float);
        let whole = [x, scale].iter().all(|x| x.is_point() && x.mid().fract() == 0.0) && quotient.mid().fract() == 0.0;
        return if whole { quotient } else { quotient.or(quotient.trunc(), rule::DIVISION_PRECISION) };
    }
    let direct = divided(x.at_precision(precision), scale.at_precision(precision));
    let rounded = divided(x.to_float(precision), scale.to_float(precision));
    or_at_precision(direct, rounded, rule::OPERAND_PRECISION)
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};
    use crate::{Allowed, Expected, Judged};
    use plumbline_tensor::{DType, Tensor};

    fn bytes(dtype: DType, shape: &[usize], values: &[i128]) -> Tensor {
        Tensor::from_i128s(dtype, shape.to_vec(), values).expect("the values fill the shape")
    }

    fn values(y: &Expected) -> Vec<i128> {
        y.tensor.to_i128s()
    }

    /// In float16, the scale 0.001 is 0.0010004. A division of 3 by that scale in float gives 2999 after rounding. A
    /// division in float16 may be off by one ULP, which is 2 around 2999. All integers from 2997 to 3001 are then
    /// accepted, also those that float16 cannot represent.
    #[test]
    fn the_division_is_computed_in_the_type_that_precision_names() {
        let half = |x: f64| Tensor::from_f64s(DType::Float16, vec![1], &[x]).expect("the shape has one element");
        let int16 = |x: i128| bytes(DType::Int16, &[1], &[x]);
        let accepted = |precision: DType| -> Vec<i128> {
            let (precision, output) = (precision.code(), DType::Int16.code());
            let node = format!("QuantizeLinear <precision = {precision}, output_dtype = {output}>");
            let y = &run(&node, 23, &[half(3.0), half(0.001)], 1).expect("the node is valid")[0];
            (2990..3010).filter(|&answer| y.judge(&int16(answer), 0) == Judged::Accepted).collect()
        };
        assert_eq!(accepted(DType::Float), [2999]);
        assert_eq!(accepted(DType::Float16), [2997, 2998, 2999, 3000, 3001]);
    }

    #[test]
    fn the_quotient_is_rounded_before_the_zero_point_is_added() {
        let x = floats(&[6], &[1.0, 3.0, -1.0, -3.0, 1e9, f32::NEG_INFINITY]);
        let y = &run("QuantizeLinear", 13, &[x, floats(&[], &[2.0]), bytes(DType::Uint8, &[], &[7])], 1)
            .expect("the node is valid")[0];
        // Ties round to even: 0.5 -> 0 and 1.5 -> 2. Then 7 is added.
        assert_eq!(values(y), [7, 9, 7, 5, 255, 0]);
        assert!(y.is_certain());
    }

    #[test]
    fn a_quotient_within_error_of_a_tie_accepts_both_sides_and_no_other() {
        // 0.35f / 0.1f is 3.4999998..., which a division in float may round to 3.5.
        let y = &run("QuantizeLinear", 10, &[floats(&[2], &[0.35, 0.32]), floats(&[], &[0.1])], 1)
            .expect("the node is valid")[0];
        let accepted = |i: usize| {
            let one = |v: i128| y.judge_at(i, &bytes(DType::Uint8, &[1], &[v]), 0) == crate::Judged::Accepted;
            (0..=255).filter(|&v| one(v)).collect::<Vec<_>>()
        };
        assert_eq!((accepted(0), accepted(1)), (vec![3, 4], vec![3]));
    }

    #[test]
    fn scales_apply_by_block_or_along_an_axis() {
        let x = floats(&[2, 5], &[1.0, 2.0, 3.0, 4.0, 5.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        let blocks = floats(&[2, 3], &[1.0, 0.5, 0.25, 0.1, 1.0, 0.5]);
        let y = &run("QuantizeLinear <axis = -1, block_size = 2>", 21, &[x.clone(), blocks], 1)
            .expect("the node is valid")[0];
        assert_eq!(values(y), [1, 2, 6, 8, 20, 10, 20, 3, 4, 10]);
        let y =
            &run("QuantizeLinear <axis = 0>", 21, &[x, floats(&[2], &[1.0, 0.5])], 1).expect("the node is valid")[0];
        assert_eq!(values(y), [1, 2, 3, 4, 5, 2, 4, 6, 8, 10]);
    }

    #[test]
    fn nan_has_no_integer_and_eight_bit_floats_saturate() {
        let (x, one) = (floats(&[2], &[f32::NAN, 1e6]), floats(&[], &[1.0]));
        let y = &run("QuantizeLinear", 13, &[x.clone(), one.clone()], 1).expect("the node is valid")[0];
        assert_eq!(y.latitude[0].1.allowed, Allowed::int(0).with(Allowed::int(255)));
        let zero = Tensor::zeros(DType::Float8e4m3fn, vec![]).expect("the shape has one element");
        let y = &run("QuantizeLinear", 21, &[x.clone(), one.clone(), zero.clone()], 1).expect("the node is valid")[0];
        assert!(y.tensor.f64_at(0).is_nan() && y.tensor.f64_at(1) == 448.0);
        let y = &run("QuantizeLinear <saturate = 0>", 21, &[x, one, zero], 1).expect("the node is valid")[0];
        assert!(y.tensor.f64_at(1).is_nan());
    }
}

use plumbline_spec::TypeStr;

use crate::families::quantize::{is_normal, is_working, or_at_precision, spread, zero_point};
use crate::prelude::*;

/// Computes `(x - x_zero_point) * x_scale`.
///
/// Version 10 has one scale; version 13 adds one scale per slice of an axis. From version 19 on, the result has the
/// type of the scale; version 21 adds blocks, version 23 `output_dtype`. Constraints: the scale (`scale-shape-fits`),
/// the zero point (`zero-point-matches-scale`), `axis` (`axis-in-range`), `block_size` (`block-size-non-negative`,
/// `blocks-cover-axis`), and the output type (`output-dtype-allowed`). A zero point of int32: `int32-zero-point`; the
/// precision of the steps: `operand-precision`.
pub fn dequantize_linear(call: &Call) -> Answer {
    let (x, scale) = (call.tensor("x")?, call.tensor("x_scale")?);
    let at = spread(call, x, scale)?;
    let zero = zero_point(call, "x_zero_point", scale)?;
    let dtype = output_type(call, scale.dtype())?;
    let of_parts = |x: Number, scale: Number, zero: Option<Number>| {
        let y = dequantized(x, zero, scale, dtype);
        match zero.filter(|z| z.mid() != 0.0 && x.dtype() == DType::Int32) {
            // An int32 zero point should be 0. An implementation may ignore a zero point that is not 0, or subtract
            // it; the difference may overflow.
            Some(zero) => {
                let difference = (x - zero).wraps(rule::INT32_ZERO_POINT);
                y.or(dequantized(x, None, scale, dtype), rule::INT32_ZERO_POINT)
                    .or(dequantized(difference, None, scale, dtype), rule::INT32_ZERO_POINT)
            }
            None => y,
        }
    };
    let element = |(i, &at): (usize, &usize)| {
        let zero = zero.map(|zero| zero.number(if zero.len() == 1 { 0 } else { at }));
        let of_pair = |x, scale| Number::each_part_of(zero, |zero| of_parts(x, scale, zero));
        x.number(i).each_pair(scale.number(at), of_pair)
    };
    call.answer_as(dtype, x.shape().to_vec(), at.iter().enumerate().map(element))
}

fn output_type(call: &Call, scale: DType) -> Result<DType, Refusal> {
    let code = call.optional_int("output_dtype").unwrap_or(0);
    let named = if code == 0 { Some(scale) } else { DType::from_code(code) };
    let types = call.version().outputs.first().map(|y| call.version().types_of(y)).unwrap_or_default();
    match named.filter(|&d| types.contains(&TypeStr::Tensor(d))) {
        Some(dtype) => Ok(dtype),
        None => Err(Refusal::violates(
            rule::OUTPUT_DTYPE_ALLOWED,
            format!("`output_dtype` {code} names no type of the output (0 names the type of the scale, {scale})"),
        )),
    }
}

/// Computes one element in float and in the type of the output. For each of these types, computes it both with operands
/// rounded to that type and with unrounded operands. All these results are accepted. Where an operand overflows or
/// underflows in the type of the computation, the result is left open (`operand-precision`).
fn dequantized(x: Number, zero: Option<Number>, scale: Number, dtype: DType) -> Number {
    let zero = zero.filter(|z| z.mid() != 0.0 || z.is_nan());
    let in_steps = |working: DType, rounds: bool| {
        let operand = |n: Number| if rounds { n.to_float(working) } else { n.at_precision(working) };
        let difference = match (zero, x.kind) {
            (None, _) => operand(x),
            // An implementation may subtract integers exactly, or convert them to floating point first.
            (Some(zero), NumberKind::Int(_)) => operand(wide(x) - wide(zero)).hull(operand(x) - operand(zero)),
            (Some(zero), _) => operand(x) - operand(zero),
        };
        let y = difference * operand(scale);
        if working == dtype { y } else { y.to_float(dtype) }
    };
    let direct = in_steps(DType::Float, false);
    let ways = [(DType::Float, true), (dtype, true), (dtype, false)];
    let ways = ways.into_iter().filter(|&(working, _)| is_working(working)).map(|(w, rounds)| (w, in_steps(w, rounds)));
    ways.fold(direct, |y, (working, other)| {
        let normal = [x, scale].iter().all(|n| is_normal(n, working) || !n.mid().is_finite());
        if normal {
            or_at_precision(y, other, rule::OPERAND_PRECISION)
        } else {
            y.or(other.real().overflowing(), rule::OPERAND_PRECISION)
        }
    })
}

/// Widens an integer to int64, which holds the difference of any two integers of the input types.
fn wide(x: Number) -> Number {
    match x.kind {
        NumberKind::Int(int) => Number { kind: NumberKind::Int(crate::Int { dtype: DType::Int64, ..int }), ..x },
        NumberKind::Real(_) => x,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};
    use plumbline_tensor::{DType, Tensor};

    #[test]
    fn the_zero_point_is_subtracted_before_scaling() {
        let ints = |shape: &[usize], values: &[i128]| {
            Tensor::from_i128s(DType::Int8, shape.to_vec(), values).expect("the values fit the type")
        };
        let x = ints(&[2, 2], &[-128, 127, 0, 1]);
        let y = &run("DequantizeLinear <axis = 0>", 13, &[x, floats(&[2], &[2.0, 0.5]), ints(&[2], &[127, -128])], 1)
            .expect("the node is valid")[0];
        assert_eq!(y.tensor, floats(&[2, 2], &[-510.0, 0.0, 64.0, 64.5]));
        assert!(y.is_certain());
    }

    #[test]
    fn an_integer_beyond_half_precision_may_overflow() {
        let x = Tensor::from_i128s(DType::Uint16, vec![1], &[65535]).expect("the values fit the type");
        let scale = Tensor::from_f64s(DType::Float16, vec![], &[0.5]).expect("the shape has one element");
        let y = &run("DequantizeLinear", 21, &[x, scale], 1).expect("the node is valid")[0];
        assert_eq!(y.tensor.f64_at(0), 32768.0);
        assert!(!y.latitude.is_empty());
    }
}

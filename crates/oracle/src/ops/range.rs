use crate::prelude::*;

/// Returns the numbers from `start` up to but not including `limit`, in steps of `delta`.
///
/// All three inputs are scalars (`inputs-are-scalars`). A `delta` of 0: `zero-delta`; inputs that are NaN or infinite:
/// `nan-and-infinity`. From version 27 on, 16-bit floats are computed in `stash_type` (`stash-type`). An element is
/// start + i * delta, or the result of adding delta i times (`repeated-addition`).
pub fn range(call: &Call) -> Answer {
    let scalar = |name: &str| {
        let tensor = call.tensor(name)?;
        if tensor.rank() != 0 {
            return Err(Refusal::violates(
                rule::INPUTS_ARE_SCALARS,
                format!("`{name}` has rank {}, expected a scalar", tensor.rank()),
            ));
        }
        if !tensor.is_certain() {
            return Err(Refusal::unsupported(format!(
                "input `{name}` decides what is computed, but the oracle accepts more than one value for it"
            )));
        }
        Ok(tensor.number(0))
    };
    let (start, limit, delta) = (scalar("start")?, scalar("limit")?, scalar("delta")?);
    if delta.mid() == 0.0 {
        return Err(Refusal::leaves_open(rule::ZERO_DELTA, "`delta` is 0"));
    }
    if !start.dtype().is_float() {
        let (start, limit, delta) = (start.mid_int(), limit.mid_int(), delta.mid_int());
        let way = (limit - start) * delta.signum();
        let count = if way <= 0 { 0 } else { (way - 1) / delta.abs() + 1 };
        let count = shape::affordable(&[usize::try_from(count).unwrap_or(usize::MAX)])?;
        let dtype = call.output_dtype(0)?;
        return call.answer(vec![count], (0..count as i128).map(|i| Number::int(start + i * delta, dtype)));
    }
    let dtype = start.dtype();
    let working = match (dtype, call.optional_int("stash_type")) {
        (DType::Float16 | DType::Bfloat16, Some(1) | None) => DType::Float,
        (DType::Float16 | DType::Bfloat16, Some(11)) => DType::Double,
        (DType::Float16 | DType::Bfloat16, Some(_)) => {
            return Err(Refusal::leaves_open(rule::STASH_TYPE, "`stash_type` is neither float nor double"));
        }
        _ => dtype,
    };
    let at = |x: Number| x.real().at_precision(working);
    let (start, limit, delta) = (at(start), at(limit), at(delta));
    let count = elements(start.mid, limit.mid, delta.mid, working)?;
    let mut added = start;
    let numbers = (0..count).map(|i| {
        let scaled = start.plus(Real::exact(i as f64, working).times(delta));
        let element = if i == 0 { Real::constant(start.mid, working) } else { scaled.hull(added) };
        // An implementation that adds `delta` repeatedly rounds each sum to the working type once, as here.
        added = Real::constant(added.mid + delta.mid, working).nearest();
        Number::from(if working == dtype { element } else { element.to_dtype(dtype) })
    });
    call.answer(vec![count], numbers.collect::<Vec<_>>())
}

/// Computes the number of elements, max(ceil((limit - start) / delta), 0), in double and in float. If the working type
/// is double, the computation in float subtracts in double and then converts the difference to float, as the function
/// body does. The specification leaves the number of elements open if the results differ or `limit - start` overflows
/// (`element-count-rounding`), or if an input is NaN or infinite (`nan-and-infinity`). If `limit - start` is finite and
/// both results exceed what the oracle takes, the oracle refuses the case as too large, even if the results differ.
fn elements(start: f64, limit: f64, delta: f64, working: DType) -> Result<usize, Refusal> {
    let fine = (limit - start) / delta;
    let coarse = match working {
        DType::Double => (limit - start) as f32 / delta as f32,
        _ => (limit as f32 - start as f32) / delta as f32,
    };
    let (fine, coarse) = (fine.ceil().max(0.0), f64::from(coarse.ceil().max(0.0)));
    if ![start, limit, delta].iter().all(|x| x.is_finite()) {
        return Err(Refusal::leaves_open(rule::NAN_AND_INFINITY, "an input is NaN or infinite"));
    }
    if !(limit - start).is_finite() {
        return Err(Refusal::leaves_open(rule::ELEMENT_COUNT_ROUNDING, "`limit - start` overflows"));
    }
    let count = shape::affordable(&[fine.min(coarse) as usize])?;
    if fine != coarse {
        return Err(Refusal::leaves_open(
            rule::ELEMENT_COUNT_ROUNDING,
            "the number of elements depends on how the quotient is rounded",
        ));
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_elements_is_the_rounded_quotient_or_open() {
        assert_eq!(elements(1.0, 5.0, 2.0, DType::Float).unwrap(), 2);
        assert_eq!(elements(10.0, 6.0, -3.0, DType::Double).unwrap(), 2);
        assert_eq!(elements(2.0, 2.0, 0.1, DType::Float).unwrap(), 0);
        assert_eq!(elements(2.0, 1.0, 0.1, DType::Float).unwrap(), 0);
        let open = |limit: f64| elements(0.0, limit, 1.0, DType::Double).unwrap_err().label;
        // This limit, 2^24 plus a quarter, is rounded down to 2^24 in float.
        assert_eq!(open(16_777_216.25), Some(rule::ELEMENT_COUNT_ROUNDING));
        assert_eq!(open(f64::INFINITY), Some(rule::NAN_AND_INFINITY));
        assert_eq!(open(f64::NAN), Some(rule::NAN_AND_INFINITY));
        // In the first case, both quotients are infinite. In the second, only the float quotient is, but the other is
        // too large as well.
        assert_eq!(elements(0.0, 1e308, 1e-10, DType::Double).unwrap_err().label, None);
        assert_eq!(elements(-3e38, 3e38, 1.0, DType::Float).unwrap_err().label, None);
    }
}

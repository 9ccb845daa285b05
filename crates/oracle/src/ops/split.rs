use crate::prelude::*;

/// Splits the input along an axis into outputs of given or equal lengths.
///
/// In version 1, the lengths are an attribute or an input of the data's own type; if both are given, the input counts
/// (`lengths-given-twice`). In versions 2 and 11, they are an attribute, in version 13 an input. In version 18, either
/// the lengths or their number is given (`split-or-num-outputs`). From version 11 on, `axis` may be negative
/// (`axis-in-range`), and the oracle accepts a negative `axis` in earlier versions too. A `split` of another rank than
/// 1: `list-rank`.
pub fn split(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    // Version 1 does not define a default (`default-axis`); later versions define 0.
    let axis = call.axis(call.optional_int("axis").unwrap_or(0), input.rank(), rule::AXIS_IN_RANGE)?;
    let lengths = lengths(call, input.extent(axis))?;
    if lengths.len() != call.output_count() {
        return Err(Refusal::violates(
            rule::LENGTHS_FIT_OUTPUTS,
            format!("there are {} lengths, expected one for each of {} outputs", lengths.len(), call.output_count()),
        ));
    }
    let total = lengths.iter().try_fold(0usize, |sum, &length| sum.checked_add(length));
    if total != Some(input.extent(axis)) {
        return Err(Refusal::violates(
            rule::LENGTHS_FIT_AXIS,
            format!("lengths {lengths:?} do not sum to the extent {}", input.extent(axis)),
        ));
    }
    let mut start = 0;
    let mut outputs = Vec::new();
    for length in lengths {
        let mut shape = input.shape().to_vec();
        shape[axis] = length;
        outputs.push(input.moved(shape, |at| {
            let mut from = at.to_vec();
            from[axis] += start;
            from
        })?);
        start += length;
    }
    several(outputs)
}

/// Returns the length of each output along the axis.
fn lengths(call: &Call, extent: usize) -> Result<Vec<usize>, Refusal> {
    let given = match call.since() {
        1 => match call.optional_tensor("split")? {
            Some(split) => Some(whole(split)?),
            None => call.optional_int_list("split"),
        },
        2..13 => call.optional_int_list("split"),
        _ => call.optional_list("split")?,
    };
    let number = call.optional_int("num_outputs");
    if call.since() >= 18 && given.is_some() == number.is_some() {
        return Err(Refusal::violates(
            rule::SPLIT_OR_NUM_OUTPUTS,
            "exactly one of `split` and `num_outputs` has to be given",
        ));
    }
    if let Some(given) = given {
        let lengths = given.iter().map(|&length| usize::try_from(length)).collect::<Result<_, _>>();
        return lengths.map_err(|_| {
            Refusal::violates(rule::LENGTHS_FIT_AXIS, format!("`split` {given:?} contains a negative length"))
        });
    }
    let outputs = call.output_count();
    match number {
        None if !extent.is_multiple_of(outputs.max(1)) => Err(Refusal::violates(
            rule::OUTPUTS_DIVIDE_AXIS,
            format!("an extent of {extent} does not split into {outputs} equal parts"),
        )),
        None => Ok(vec![extent / outputs.max(1); outputs]),
        Some(number) if number < 1 => Err(Refusal::violates(
            rule::NUM_OUTPUTS_POSITIVE,
            format!("`num_outputs` is {number}, expected a positive number"),
        )),
        Some(number) if number as u64 != outputs as u64 => Err(Refusal::violates(
            rule::LENGTHS_FIT_OUTPUTS,
            format!("`num_outputs` is {number}, but the node has {outputs} outputs"),
        )),
        // All parts have the same length until the extent is used up. The part that reaches its end may be shorter
        // (`uneven-parts`), and the parts after that one are empty.
        Some(_) => {
            let part = extent.div_ceil(outputs);
            // If the parts before the last one are together longer than the extent, shape inference gives the last part
            // a negative length (`empty-last-parts`).
            let is_open = part.saturating_mul(outputs - 1) > extent;
            if is_open && call.reading(rule::EMPTY_LAST_PARTS, 2) == 1 {
                return Ok((0..outputs).map(|i| extent / outputs + usize::from(i < extent % outputs)).collect());
            }
            Ok((0..outputs).map(|i| part.min(extent.saturating_sub(i.saturating_mul(part)))).collect())
        }
    }
}

/// Reads lengths from a floating-point tensor.
fn whole(split: &Expected) -> Result<Vec<i64>, Refusal> {
    if !split.is_certain() {
        return Err(Refusal::unsupported(
            "input `split` decides what is computed, but the oracle accepts more than one value for it",
        ));
    }
    let length = |x: f64| {
        let fits = x.fract() == 0.0 && x.abs() < 9e15;
        if fits { Ok(x as i64) } else { Err(Refusal::violates(rule::LENGTHS_FIT_AXIS, format!("{x} is not a length"))) }
    };
    split.tensor.to_f64s().into_iter().map(length).collect()
}

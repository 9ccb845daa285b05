use crate::prelude::*;

/// Split-1: lengths as an attribute or an input of the data's own type, which counts where both are given (`lengths-given-twice`). Split-2, -11: as
/// an attribute. Split-13: as an input. Split-18: as an input or as their number, one of the two (`split-or-num-outputs`). From 11 on `axis` may be
/// negative (`axis-in-range`).
pub fn split(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    // Split-1 names no default (`default-axis`); it is 0 ever since.
    let axis = call.axis(call.optional_int("axis").unwrap_or(0), input.rank(), rule::AXIS_IN_RANGE)?;
    let lengths = lengths(call, input.extent(axis))?;
    if lengths.len() != call.output_count() {
        return Err(Refusal::violates(
            rule::LENGTHS_FIT_OUTPUTS,
            format!("{} lengths for {} outputs", lengths.len(), call.output_count()),
        ));
    }
    let total = lengths.iter().try_fold(0usize, |sum, &length| sum.checked_add(length));
    if total != Some(input.extent(axis)) {
        return Err(Refusal::violates(
            rule::LENGTHS_FIT_AXIS,
            format!("lengths {lengths:?} do not make up {}", input.extent(axis)),
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

/// The length of each output along the axis.
fn lengths(call: &Call, extent: usize) -> Result<Vec<usize>, Refusal> {
    let given = match call.since() {
        1 => match call.optional_tensor("split")? {
            Some(split) => Some(whole(split)?),
            None => call.optional_int_list("split"),
        },
        2..13 => call.optional_int_list("split"),
        _ => call.optional_ints("split")?,
    };
    let number = call.optional_int("num_outputs");
    if call.since() >= 18 && given.is_some() == number.is_some() {
        return Err(Refusal::violates(rule::SPLIT_OR_NUM_OUTPUTS, "one of `split` and `num_outputs` is to be given"));
    }
    if let Some(given) = given {
        let lengths = given.iter().map(|&length| usize::try_from(length)).collect::<Result<_, _>>();
        return lengths
            .map_err(|_| Refusal::violates(rule::LENGTHS_FIT_AXIS, format!("{given:?} has a negative length")));
    }
    let outputs = call.output_count();
    match number {
        None if !extent.is_multiple_of(outputs.max(1)) => Err(Refusal::violates(
            rule::OUTPUTS_DIVIDE_AXIS,
            format!("an extent of {extent} does not split into {outputs} equal parts"),
        )),
        None => Ok(vec![extent / outputs.max(1); outputs]),
        Some(number) if number < 1 => {
            Err(Refusal::violates(rule::NUM_OUTPUTS_POSITIVE, format!("`num_outputs` is {number}")))
        }
        Some(number) if number as u64 != outputs as u64 => Err(Refusal::violates(
            rule::LENGTHS_FIT_OUTPUTS,
            format!("`num_outputs` is {number}, the node has {outputs} outputs"),
        )),
        // Equal parts but for the last (`uneven-parts`); where the others use up everything, what is left is nothing (`empty-last-parts`).
        Some(_) => {
            let part = extent.div_ceil(outputs);
            Ok((0..outputs).map(|i| part.min(extent.saturating_sub(i.saturating_mul(part)))).collect())
        }
    }
}

/// Lengths that come as numbers of a floating-point type.
fn whole(split: &Expected) -> Result<Vec<i64>, Refusal> {
    if !split.is_certain() {
        return Err(Refusal::unsupported("input `split` steers the operator and is not certain"));
    }
    let length = |x: f64| {
        let fits = x.fract() == 0.0 && x.abs() < 9e15;
        if fits { Ok(x as i64) } else { Err(Refusal::violates(rule::LENGTHS_FIT_AXIS, format!("{x} is no length"))) }
    };
    split.tensor.to_f64s().into_iter().map(length).collect()
}

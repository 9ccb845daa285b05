use crate::prelude::*;

/// Reverses the beginning of each sequence of a batch.
///
/// Versions 10 and 28 have the same meaning; version 28 adds bfloat16. Constraints: rank 2 or more
/// (`rank-at-least-two`), `batch_axis` and `time_axis` are 0 and 1 in either order (`axes-are-first-two`), and
/// `sequence_lens` has one length per sequence (`sequence-lens-shape-fits`) within the extent
/// (`sequence-lens-in-range`). Elements behind that length, and a sequence of length 0 or 1, stay as they are
/// (`short-sequence`).
pub fn reverse_sequence(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    if input.rank() < 2 {
        return Err(Refusal::violates(
            rule::RANK_AT_LEAST_TWO,
            format!("the input has rank {}, expected 2 or more", input.rank()),
        ));
    }
    let (batch, time) = match (call.int("batch_axis")?, call.int("time_axis")?) {
        (0, 1) => (0, 1),
        (1, 0) => (1, 0),
        (batch, time) => {
            return Err(Refusal::violates(
                rule::AXES_ARE_FIRST_TWO,
                format!("`batch_axis` is {batch} and `time_axis` {time}, expected 0 and 1, or 1 and 0"),
            ));
        }
    };
    if call.tensor("sequence_lens")?.shape() != [input.extent(batch)] {
        return Err(Refusal::violates(
            rule::SEQUENCE_LENS_SHAPE_FITS,
            format!("`sequence_lens` does not have shape [{}]", input.extent(batch)),
        ));
    }
    let length = |length: i64| {
        let length = usize::try_from(length).ok().filter(|&l| l <= input.extent(time));
        length.ok_or_else(|| {
            Refusal::violates(
                rule::SEQUENCE_LENS_IN_RANGE,
                format!("an element of `sequence_lens` is outside [0, {}]", input.extent(time)),
            )
        })
    };
    let lengths = call.ints("sequence_lens")?.into_iter().map(length).collect::<Result<Vec<_>, _>>()?;
    one(input.moved(input.shape().to_vec(), |at| {
        let mut from = at.to_vec();
        let length = lengths[at[batch]];
        if at[time] < length {
            from[time] = length - 1 - at[time];
        }
        from
    })?)
}

use crate::prelude::*;

/// Returns the extents of the input as a tensor.
///
/// Up to version 13, it returns all of them. From version 15 on, it returns those from `start` to `end`, which are
/// clamped to the rank (`out-of-range-bounds`). A start after the end: `start-after-end`.
pub fn shape(call: &Call) -> Answer {
    let data = call.tensor("data")?;
    let rank = data.rank() as i128;
    let clamped = |axis: i64| {
        let axis = i128::from(axis);
        (if axis < 0 { axis + rank } else { axis }).clamp(0, rank) as usize
    };
    let start = clamped(call.optional_int("start").unwrap_or(0));
    let end = call.optional_int("end").map_or(data.rank(), clamped);
    if start > end && call.follows(rule::START_AFTER_END) {
        call.leaves_open(rule::START_AFTER_END);
    }
    let extents: Vec<i64> = data.shape()[start..end.max(start)].iter().map(|&e| e as i64).collect();
    one(Tensor::from_i64s(&extents).into())
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, refusable_by};

    #[test]
    fn older_texts_do_not_say_what_lies_between_an_end_and_a_later_start() {
        let x = [floats(&[1, 2], &[1.0, 2.0])];
        let by = |release: &str, version: i64, node: &str| refusable_by(release, node, version, &x, 1);
        assert!(by("1.18", 15, "Shape <start = 2, end = 1>").is_some_and(|rule| rule.contains("start-after-end")));
        assert_eq!(by("1.19", 15, "Shape <start = 2, end = 1>"), None);
        assert_eq!(by("1.18", 15, "Shape <start = 1, end = 1>"), None);
    }
}

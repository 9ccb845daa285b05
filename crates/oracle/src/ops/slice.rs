use crate::prelude::*;

/// Selects a range of indices with a step along each axis.
///
/// In version 1, bounds and axes are attributes, and the step is 1. From version 10 on, they are inputs, and so are the
/// `steps`. From version 11 on, axes may be negative (`axes-in-range`), and the oracle accepts negative axes in earlier
/// versions too. All lists are as long as `starts` (`lengths-equal`); without `axes`, they apply to the first axes
/// (`default-axes`). No step is 0 (`steps-non-zero`). Bounds are clamped (`out-of-range-bounds`,
/// `start-before-beginning`). Axes that are given twice: `duplicate-axes`.
pub fn slice(call: &Call) -> Answer {
    let data = call.tensor("data")?;
    let (starts, ends, axes, steps) = if call.since() < 10 {
        (call.int_list("starts")?, call.int_list("ends")?, call.optional_int_list("axes"), None)
    } else {
        for name in ["starts", "ends", "axes", "steps"] {
            if call.optional_tensor(name)?.is_some_and(|t| t.rank() != 1) {
                return Err(Refusal::violates(rule::LENGTHS_EQUAL, format!("`{name}` does not have rank 1")));
            }
        }
        (call.ints("starts")?, call.ints("ends")?, call.optional_ints("axes")?, call.optional_ints("steps")?)
    };
    let count = starts.len();
    if axes.is_none() && call.since() >= 10 && count < data.rank() {
        call.leaves_open(rule::DEFAULT_AXES);
    }
    let axes = axes.unwrap_or_else(|| (0..count as i64).collect());
    let steps = steps.unwrap_or_else(|| vec![1; count]);
    if ends.len() != count || axes.len() != count || steps.len() != count {
        return Err(Refusal::violates(
            rule::LENGTHS_EQUAL,
            format!(
                "there are {count} starts, {} ends, {} axes and {} steps, expected equal numbers",
                ends.len(),
                axes.len(),
                steps.len()
            ),
        ));
    }
    let axes = shape::axes_within(&axes, data.rank(), true, rule::AXES_IN_RANGE)?;
    if steps.contains(&0) {
        return Err(Refusal::violates(rule::STEPS_NON_ZERO, "a step is 0"));
    }
    if !shape::distinct(&axes) {
        return Err(Refusal::leaves_open(rule::DUPLICATE_AXES, format!("axes {axes:?} name an axis twice")));
    }
    let mut ranges: Vec<Range> = data.shape().iter().map(|&n| Range { first: 0, step: 1, count: n }).collect();
    for (i, &axis) in axes.iter().enumerate() {
        let extent = data.extent(axis) as i128;
        if call.since() < 13
            && steps[i] < 0
            && extent > 0
            && i128::from(starts[i]) < -extent
            && i128::from(ends[i]) < -extent
        {
            return Err(Refusal::leaves_open(
                rule::START_BEFORE_BEGINNING,
                format!("a start of {} is before the first element, and the step is negative", starts[i]),
            ));
        }
        ranges[axis] = Range::clamped(starts[i], ends[i], steps[i], data.extent(axis));
    }
    one(data.moved(ranges.iter().map(|r| r.count).collect(), |at| {
        at.iter().zip(&ranges).map(|(&i, r)| (r.first + i as i128 * r.step) as usize).collect()
    })?)
}

/// The range of indices selected along one axis.
#[derive(Debug, PartialEq)]
struct Range {
    first: i128,
    step: i128,
    count: usize,
}

impl Range {
    fn clamped(start: i64, end: i64, step: i64, extent: usize) -> Range {
        let (n, step) = (extent as i128, i128::from(step));
        // An empty axis stays empty (`empty-axis`).
        if n == 0 {
            return Range { first: 0, step, count: 0 };
        }
        let from_front = |x: i64| if x < 0 { i128::from(x) + n } else { i128::from(x) };
        let (first, end) = match step > 0 {
            true => (from_front(start).clamp(0, n), from_front(end).clamp(0, n)),
            false => (from_front(start).clamp(0, n - 1), from_front(end).clamp(-1, n - 1)),
        };
        let way = (end - first) * step.signum();
        let count = if way <= 0 { 0 } else { (way - 1) / step.abs() + 1 };
        Range { first, step, count: count as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(start: i64, end: i64, step: i64, extent: usize) -> Vec<i128> {
        let r = Range::clamped(start, end, step, extent);
        (0..r.count as i128).map(|i| r.first + i * r.step).collect()
    }

    #[test]
    fn the_sign_of_the_step_decides_how_bounds_are_clamped() {
        assert_eq!(taken(1, i64::MAX, 2, 5), [1, 3]);
        assert_eq!(taken(i64::MAX, i64::MIN, -2, 5), [4, 2, 0]);
        assert_eq!(taken(i64::MIN, -1, 1, 3), [0, 1]);
        assert_eq!(taken(-2, 0, -1, 5), [3, 2, 1]);
        assert_eq!(taken(0, 5, i64::MAX, 5), [0]);
        assert_eq!(taken(4, i64::MIN, i64::MIN, 5), [4]);
        assert_eq!(taken(3, 1, 1, 5), []);
        assert_eq!(taken(9, 9, 1, 5), []);
        assert_eq!(taken(0, 9, -1, 0), []);
    }

    /// Slice-13 clamps a start to the first element, where NumPy would select nothing.
    #[test]
    fn with_a_negative_step_a_start_before_the_beginning_is_the_first_element() {
        assert_eq!(taken(-10, i64::MIN, -1, 5), [0]);
    }
}

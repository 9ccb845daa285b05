//! Axes and indices, which may be negative to count from the end.

use plumbline_graph::Refusal;

/// Converts an index to one in `0..extent`; a negative index counts from the end. `what` names the index in the
/// refusal.
pub fn within(index: i64, extent: usize, what: &str) -> Result<usize, Refusal> {
    let wrong = || Refusal::invalid(format!("{what} {index} is outside [-{extent}, {extent})"));
    let from_start = if index < 0 { index.checked_add(extent as i64).ok_or_else(wrong)? } else { index };
    usize::try_from(from_start).ok().filter(|&i| i < extent).ok_or_else(wrong)
}

/// Converts an axis to one in `0..rank`; a negative axis counts from the end.
pub fn axis(axis: i64, rank: usize) -> Result<usize, Refusal> {
    within(axis, rank, "axis")
}

/// Converts an axis like [`axis`]. Early versions do not allow negative axes: unless `negative` is set, a negative axis
/// is refused.
pub fn axis_from(negative: bool, value: i64, rank: usize) -> Result<usize, Refusal> {
    if value < 0 && !negative {
        return Err(Refusal::invalid(format!("axis {value} is negative, which this version does not allow")));
    }
    axis(value, rank)
}

/// Converts axes, and refuses an axis that is named twice.
pub fn distinct(axes: &[i64], rank: usize) -> Result<Vec<usize>, Refusal> {
    let found = axes.iter().map(|&a| axis(a, rank)).collect::<Result<Vec<_>, _>>()?;
    let mut sorted = found.clone();
    sorted.sort_unstable();
    match sorted.windows(2).any(|w| w[0] == w[1]) {
        true => Err(Refusal::invalid(format!("axes {axes:?} name an axis twice"))),
        false => Ok(found),
    }
}

/// Converts a number to an extent, and refuses a negative one.
pub fn extent(value: i64) -> Result<usize, Refusal> {
    usize::try_from(value).map_err(|_| Refusal::invalid(format!("extent {value} is negative")))
}

//! Axes and indices, counted from either end.

use plumbline_graph::Refusal;

/// An index brought into `0..extent`; negative ones count from the end.
pub fn within(index: i64, extent: usize, what: &str) -> Result<usize, Refusal> {
    let wrong = || Refusal::invalid(format!("{what} {index} is outside of {extent}"));
    let from_start = if index < 0 { index.checked_add(extent as i64).ok_or_else(wrong)? } else { index };
    usize::try_from(from_start).ok().filter(|&i| i < extent).ok_or_else(wrong)
}

/// An axis of a tensor of this rank.
pub fn axis(axis: i64, rank: usize) -> Result<usize, Refusal> {
    within(axis, rank, "axis")
}

/// The same, for versions that do not count from the end.
pub fn axis_from(negative: bool, value: i64, rank: usize) -> Result<usize, Refusal> {
    if value < 0 && !negative {
        return Err(Refusal::invalid(format!("axis {value} is negative")));
    }
    axis(value, rank)
}

/// Axes, none twice.
pub fn distinct(axes: &[i64], rank: usize) -> Result<Vec<usize>, Refusal> {
    let found = axes.iter().map(|&a| axis(a, rank)).collect::<Result<Vec<_>, _>>()?;
    let mut sorted = found.clone();
    sorted.sort_unstable();
    match sorted.windows(2).any(|w| w[0] == w[1]) {
        true => Err(Refusal::invalid(format!("axes {axes:?} name one twice"))),
        false => Ok(found),
    }
}

/// `value` as an extent.
pub fn extent(value: i64) -> Result<usize, Refusal> {
    usize::try_from(value).map_err(|_| Refusal::invalid(format!("extent {value} is negative")))
}

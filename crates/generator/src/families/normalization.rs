//! Values, factors and attributes of normalizations.

use crate::prelude::*;

/// Returns values that differ from each other, values far from zero (so that digits cancel in the variance), or values
/// that are all equal.
pub fn values(draw: &mut Draw) -> Values {
    let ways = [
        Values::Between(-2.0, 2.0),
        Values::Integers,
        Values::Moderate,
        Values::Between(-2.0, 2.0),
        Values::Between(6.0, 8.0),
        Values::Between(1.5, 1.5),
        Values::Mostly(-2.0, 2.0),
    ];
    let at = draw.below(ways.len());
    if at == 4 {
        draw.feature("a mean far from zero");
        return if draw.once_in(4) { far_from_zero(draw) } else { ways[at] };
    }
    if at == 5 {
        draw.feature("no variance");
    }
    ways[at]
}

/// Returns values whose mean is 5 to a million times as large as their spread, so that few or many digits cancel in the
/// variance. In 16-bit types the mean is 5 to 10 times as large.
fn far_from_zero(draw: &mut Draw) -> Values {
    let ways = [(10.0, 1.0), (-20.0, 4.0), (52.0, 2.0), (-100.0, 1.0), (1000.0, 1.0), (-1e4, 2.0), (1e6, 1.0)];
    let count = if draw.dtype("T").size() > 2 { ways.len() } else { 2 };
    let (mean, spread) = draw.choose(&ways[..count]);
    Values::Between(mean - spread, mean + spread)
}

/// Gives `epsilon`, or leaves it out.
pub fn epsilon(draw: &mut Draw) {
    if draw.give_attribute("epsilon") {
        let value = draw.choose(&[1e-3, 0.1, 1e-5, 1.0]);
        draw.float_attribute("epsilon", value);
    }
}

/// Gives a scale and a bias of `count` elements.
pub fn scale_and_bias(draw: &mut Draw, names: [&str; 2], count: usize) {
    names.iter().for_each(|name| drop(draw.tensor(name, &[count], Values::Between(-2.0, 2.0))));
}

/// Gives `axis` in some cases, and returns the first axis that is normalized, counted from the front.
pub fn first_axis(draw: &mut Draw, rank: usize) -> usize {
    if !draw.give_attribute("axis") {
        return rank - 1;
    }
    let axis = draw.axis(rank, true);
    draw.int_attribute("axis", axis);
    axis.rem_euclid(rank as i64) as usize
}

/// Draws a shape for a factor that broadcasts to X: that of the normalized axes, or another one.
pub fn factor_shape(draw: &mut Draw, x: &[usize], axis: usize) -> Vec<usize> {
    if !draw.once_in(5) {
        return x[axis..].to_vec();
    }
    draw.feature("a factor of another shape");
    match draw.below(4) {
        0 => vec![],
        1 => vec![1],
        2 => x.to_vec(),
        _ => x.iter().map(|&extent| if draw.flag() { extent } else { 1 }).collect(),
    }
}

/// Gives `stash_type` with the type `dtype`. If that is float, the default, the attribute may be left out.
pub fn stash_type(draw: &mut Draw, dtype: DType) {
    let given = draw.give_attribute("stash_type");
    if given || dtype != DType::Float {
        draw.int_attribute("stash_type", i64::from(dtype.code()));
    }
}

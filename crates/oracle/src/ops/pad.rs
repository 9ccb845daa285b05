use crate::prelude::*;

/// Adds elements at the ends of each axis: a constant, or elements that are mirrored, repeated or wrapped around.
///
/// In version 1, the attribute is called `paddings`. From version 2 on, pads may be negative and remove elements (in
/// version 1: `negative-pads`). From version 11 on, `pads` and `constant_value` are inputs. Version 18 adds `axes`,
/// version 19 the mode `wrap`, which goes around as often as needed (`wide-wrapping`).
///
/// Constraints: one beginning and one end per axis (`pads-fit-axes`), the mode (`mode-known`), and `axes`, which has
/// rank 1 (`axes-rank-one`) and names axes in range (`axes-in-range`). Axes that are given twice: `duplicate-axes`; no
/// elements to repeat: `empty-axis`.
pub fn pad(call: &Call) -> Answer {
    let data = call.tensor("data")?;
    let mode = Mode::parse(&call.string("mode")?, call.since())?;
    let pads = match call.since() {
        1 => call.int_list("paddings")?,
        2..11 => call.int_list("pads")?,
        _ if call.tensor("pads")?.rank() != 1 => {
            return Err(Refusal::violates(rule::PADS_FIT_AXES, "`pads` does not have rank 1"));
        }
        _ => call.ints("pads")?,
    };
    let axes = match call.optional_rank_one("axes", rule::AXES_RANK_ONE)? {
        Some(axes) => shape::axes_within(&axes, data.rank(), true, rule::AXES_IN_RANGE)?,
        None => (0..data.rank()).collect(),
    };
    if pads.len() != 2 * axes.len() {
        let name = if call.since() == 1 { "paddings" } else { "pads" };
        return Err(Refusal::violates(
            rule::PADS_FIT_AXES,
            format!("`{name}` has {} elements, expected two for each of {} axes", pads.len(), axes.len()),
        ));
    }
    if !shape::distinct(&axes) {
        return Err(Refusal::leaves_open(rule::DUPLICATE_AXES, format!("axes {axes:?} name an axis twice")));
    }
    if call.since() == 1 && pads.iter().any(|&pad| pad < 0) {
        return Err(Refusal::leaves_open(
            rule::NEGATIVE_PADS,
            "a pad is negative, which this version does not describe",
        ));
    }
    let mut sides: Vec<Axis> = data.shape().iter().map(|&n| Axis::new(n, 0, 0)).collect();
    for (i, &axis) in axes.iter().enumerate() {
        // All beginnings come before all ends, also in version 1 (`pads-order`).
        sides[axis] = Axis::new(data.extent(axis), pads[i], pads[axes.len() + i]);
    }
    let mut shape = Vec::new();
    for side in &sides {
        let extent = usize::try_from(side.padded());
        shape.push(extent.map_err(|_| {
            Refusal::violates(
                rule::OUTPUT_EXTENTS_NON_NEGATIVE,
                format!("pads {pads:?} remove more elements than an axis has"),
            )
        })?);
        if mode != Mode::Constant && side.window() <= 0 && side.padded() > 0 {
            return Err(Refusal::leaves_open(rule::EMPTY_AXIS, "an axis has no elements left that can be repeated"));
        }
    }
    let fill = fill(call, data.dtype(), mode)?;
    let from = |at: &[usize], near: Near| -> Option<Vec<usize>> {
        at.iter().zip(&sides).map(|(&i, side)| side.source(i, mode, near)).collect()
    };
    let output = data.moved_or(shape.clone(), &fill, |at| from(at, Near::Window))?;
    if mode == Mode::Constant {
        return one(output);
    }
    // Whether elements that are cut off still count as neighbours is left open (`negative-pads`).
    let uncut = |i: usize| {
        let at = shape::coordinates(i, &shape);
        let other = from(&at, Near::Data).filter(|other| from(&at, Near::Window).as_ref() != Some(other));
        other.map_or(vec![], |other| vec![shape::index_of(&other, data.shape())])
    };
    // A reflection that is wider than the data continues back and forth, or is rejected (`wide-reflection`).
    let beyond = |(side, &extent): (&Axis, &usize)| (0..extent).any(|i| side.beyond(i));
    if mode == Mode::Reflect && !output.is_empty() && sides.iter().zip(&shape).any(beyond) {
        call.leaves_open(rule::WIDE_REFLECTION);
    }
    one(if sides.iter().any(Axis::is_cut) { output.or_elements(rule::NEGATIVE_PADS, data, uncut) } else { output })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Constant,
    Reflect,
    Edge,
    Wrap,
}

impl Mode {
    fn parse(name: &str, since: u32) -> Result<Mode, Refusal> {
        match name {
            "constant" => Ok(Mode::Constant),
            "reflect" => Ok(Mode::Reflect),
            "edge" => Ok(Mode::Edge),
            "wrap" if since >= 19 => Ok(Mode::Wrap),
            _ => Err(Refusal::violates(
                rule::MODE_KNOWN,
                format!("`mode` is `{name}`, which this version does not have"),
            )),
        }
    }
}

/// The elements from which padding takes its values: those left after cutting, or all of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Near {
    Window,
    Data,
}

/// The extent of an axis, and the number of elements added at its ends (negative if they are removed).
#[derive(Clone, Copy, Debug)]
struct Axis {
    extent: i128,
    begin: i128,
    end: i128,
}

impl Axis {
    fn new(extent: usize, begin: i64, end: i64) -> Axis {
        Axis { extent: extent as i128, begin: i128::from(begin), end: i128::from(end) }
    }

    fn padded(&self) -> i128 {
        self.extent + self.begin + self.end
    }

    /// Returns whether elements are cut off.
    fn is_cut(&self) -> bool {
        self.begin < 0 || self.end < 0
    }

    /// Returns the number of elements left after cutting.
    fn window(&self) -> i128 {
        self.extent + self.begin.min(0) + self.end.min(0)
    }

    /// Returns whether position `i` of the output lies farther from the data than one reflection reaches.
    fn beyond(&self, i: usize) -> bool {
        let q = i as i128 - self.begin - (-self.begin).max(0);
        let last = self.window() - 1;
        q < -last || q > 2 * last
    }

    /// Returns the index of the data element for position `i` of the output, or `None` for the fill value.
    fn source(&self, i: usize, mode: Mode, near: Near) -> Option<usize> {
        let position = i as i128 - self.begin;
        if mode == Mode::Constant {
            return (0..self.extent).contains(&position).then_some(position as usize);
        }
        let (first, n) = match near {
            Near::Window => ((-self.begin).max(0), self.window()),
            Near::Data => (0, self.extent),
        };
        let q = position - first;
        let inside = match mode {
            Mode::Edge => q.clamp(0, n - 1),
            Mode::Wrap => q.rem_euclid(n),
            // Elements are mirrored at both ends repeatedly. A single element is its own mirror image.
            _ if n == 1 => 0,
            _ => {
                let folded = q.rem_euclid(2 * (n - 1));
                folded.min(2 * (n - 1) - folded)
            }
        };
        Some((first + inside) as usize)
    }
}

/// Returns the value added in constant mode: the given value, or the zero of the type.
fn fill(call: &Call, dtype: DType, mode: Mode) -> Result<Expected, Refusal> {
    if call.since() < 11 {
        let value = Number::constant(f64::from(call.float("value")?), DType::Float).to_float(dtype);
        return Expected::from_numbers(dtype, vec![], [value.with_signed_zero(rule::PADDING_VALUE)]);
    }
    match call.optional_tensor("constant_value")? {
        Some(value) if value.len() != 1 => {
            Err(Refusal::violates(rule::CONSTANT_VALUE_IS_SCALAR, "`constant_value` does not have one element"))
        }
        Some(value) => Ok(value.clone()),
        // The description defines the empty string as the default for strings (`padding-value`).
        None if dtype == DType::String => Ok(Tensor::zeros(dtype, vec![])?.into()),
        None if mode == Mode::Constant => Expected::zero(dtype, rule::PADDING_VALUE),
        None => Ok(Tensor::zeros(dtype, vec![])?.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(extent: usize, begin: i64, end: i64, mode: Mode, near: Near) -> Vec<usize> {
        let axis = Axis::new(extent, begin, end);
        (0..axis.padded() as usize).map(|i| axis.source(i, mode, near).unwrap()).collect()
    }

    #[test]
    fn pads_larger_than_the_extent_reflect_or_wrap_repeatedly() {
        assert_eq!(sources(3, 5, 4, Mode::Reflect, Near::Window), [1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2]);
        assert_eq!(sources(1, 2, 1, Mode::Reflect, Near::Window), [0, 0, 0, 0]);
        assert_eq!(sources(2, 3, 3, Mode::Wrap, Near::Window), [1, 0, 1, 0, 1, 0, 1, 0]);
        assert_eq!(sources(3, 2, 1, Mode::Edge, Near::Window), [0, 0, 0, 1, 2, 2]);
    }

    #[test]
    fn negative_pads_cut_before_or_after_elements_are_repeated() {
        assert_eq!(sources(4, 1, -2, Mode::Wrap, Near::Window), [1, 0, 1]);
        assert_eq!(sources(4, 1, -2, Mode::Wrap, Near::Data), [3, 0, 1]);
        assert_eq!(sources(4, -1, -1, Mode::Edge, Near::Window), [1, 2]);
    }
}

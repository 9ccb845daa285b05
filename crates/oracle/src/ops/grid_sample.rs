use crate::families::interpolate::{Filter, Labels, Taps, to_integer, weighted, working};
use crate::families::scales::averages;
use crate::prelude::*;

/// Samples `X` at the positions in `grid`, at the nearest element or with linear or cubic interpolation.
///
/// Version 16 samples images only, and calls the modes that interpolate bilinear and bicubic. Version 20 takes any
/// number of spatial axes, calls these modes linear and cubic, and rounds ties to the even element (before version 20:
/// `ties`). Version 22 adds bfloat16. Constraints: the shapes (`ranks-equal`, `grid-shape-fits`) and the modes
/// (`modes-known`).
///
/// An input without elements: `empty-input`; positions where the nearest element changes: `position-rounding`; weights
/// of zero: `infinity-with-zero-weight`; integers: `integer-rounding`; neighbours beyond the border:
/// `outside-neighbours`; positions that are NaN or far away: `far-positions`; types without averages: `non-real-types`;
/// the axis of reflection: `reflection`; the coefficient of cubic interpolation: `cubic-coefficient`.
///
/// Values of `align_corners` other than 0 and 1: `other-flag-values`.
pub fn grid_sample(call: &Call) -> Answer {
    let (x, grid) = (call.tensor("X")?, call.tensor("grid")?);
    let images = call.since() < 20;
    if x.rank() != grid.rank() || x.rank() < 3 || images && x.rank() != 4 {
        let expected = if images { "rank 4" } else { "equal ranks of 3 or more" };
        return Err(Refusal::violates(
            rule::RANKS_EQUAL,
            format!("`X` has shape {:?} and `grid` {:?}, expected {expected}", x.shape(), grid.shape()),
        ));
    }
    let axes = x.rank() - 2;
    if x.extent(0) != grid.extent(0) || grid.extent(axes + 1) != axes {
        return Err(Refusal::violates(
            rule::GRID_SHAPE_FITS,
            format!("`X` of shape {:?} and `grid` of shape {:?} do not fit together", x.shape(), grid.shape()),
        ));
    }
    let name = call.string("mode")?;
    let mode = match (name.as_str(), images) {
        ("nearest", _) => None,
        ("bilinear", true) | ("linear", false) => Some(Filter::Linear),
        ("bicubic", true) | ("cubic", false) => Some(Filter::Cubic(-0.75)),
        _ => {
            return Err(Refusal::violates(
                rule::MODES_KNOWN,
                format!("`mode` is `{name}`, which this version does not have"),
            ));
        }
    };
    let padding = match call.string("padding_mode")?.as_str() {
        "zeros" => Padding::Zeros,
        "border" => Padding::Border,
        "reflection" => Padding::Reflection,
        name => {
            return Err(Refusal::violates(
                rule::MODES_KNOWN,
                format!("`padding_mode` is `{name}`, expected `zeros`, `border` or `reflection`"),
            ));
        }
    };
    let shape = [&x.shape()[..2], &grid.shape()[1..=axes]].concat();
    let count = shape::affordable(&shape)?;
    if x.shape()[2..].contains(&0) && count > 0 {
        return Err(Refusal::leaves_open(
            rule::EMPTY_INPUT,
            "`X` has an empty spatial axis, so that there is nothing to sample",
        ));
    }
    if mode.is_some() {
        averages(x.dtype(), rule::NON_REAL_TYPES)?;
    }
    if !grid.is_certain() {
        return Err(Refusal::unsupported("the oracle accepts more than one value for elements of `grid`"));
    }
    let aligned = call.flag("align_corners");
    let working = if mode.is_some() { working(x.dtype()) } else { DType::Float };
    let sampler = Sampler { x, padding, aligned, images, working };
    let points: usize = grid.shape()[1..=axes].iter().product();
    let positions = |i: usize| -> Option<Vec<Real>> {
        let (batch, point) = (i / (x.extent(1) * points), i % points);
        // Coordinates start with the innermost axis.
        let at =
            |axis: usize| sampler.position(grid.number((batch * points + point) * axes + axes - 1 - axis).mid(), axis);
        (0..axes).map(at).collect()
    };
    match mode {
        None => one(sampler.nearest(shape, count, points, positions)?),
        Some(filter) => {
            let number = |i: usize| match positions(i) {
                Some(at) => sampler.interpolated(i / points, &at, filter),
                None => sampler.anywhere(i / points, filter),
            };
            call.answer(shape, (0..count).map(number))
        }
    }
}

/// The rules that leave results of interpolation open. Fractions need none: averages of integers are truncated
/// (`integer-rounding`).
const LABELS: Labels = Labels {
    zero_weight: rule::INFINITY_WITH_ZERO_WEIGHT,
    overflow: rule::INTERMEDIATE_OVERFLOW,
    fractions: None,
    beyond: rule::INTEGER_OVERFLOW,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Padding {
    Zeros,
    Border,
    Reflection,
}

struct Sampler<'a> {
    x: &'a Expected,
    padding: Padding,
    aligned: bool,
    images: bool,
    /// The type in which positions and weights are computed.
    working: DType,
}

impl Sampler<'_> {
    /// Converts a grid coordinate to a position in elements. Returns `None` for NaN, and for coordinates of a hundred
    /// thousand or more in magnitude (`far-positions`).
    fn position(&self, x: f64, axis: usize) -> Option<Real> {
        const FARTHEST: f64 = 1e5;
        let n = self.x.extent(2 + axis) as f64;
        if x.is_nan() || x.abs() >= FARTHEST {
            return None;
        }
        let of = |value: f64| Real::constant(value, self.working);
        let one = of(1.0);
        // If the elements are not double, an implementation may round a grid of doubles to float.
        let given = if self.working == DType::Double { of(x) } else { of(x).widened(0.5) };
        let (mid, at, other) = if self.aligned {
            let half = of((n - 1.0) / 2.0);
            ((x + 1.0) / 2.0 * (n - 1.0), given.plus(one).times(half), given.times(half).plus(half))
        } else {
            let half = of(n / 2.0);
            let ends = given.plus(one).times(of(n)).minus(one).times(of(0.5));
            (((x + 1.0) * n - 1.0) / 2.0, ends, given.times(half).plus(of((n - 1.0) / 2.0)))
        };
        let at = at.hull(other);
        Some(Real { low: at.low.min(mid), mid, high: at.high.max(mid), ..at })
    }

    /// Returns the index of the element that is used for an index inside or outside of an axis, or `None` if zero is
    /// used instead of an element.
    fn element(&self, index: i64, axis: usize) -> Option<usize> {
        let n = self.x.extent(2 + axis) as i64;
        let inside = match self.padding {
            _ if (0..n).contains(&index) => index,
            Padding::Zeros => return None,
            Padding::Border => index.clamp(0, n - 1),
            // Indices are mirrored repeatedly, at the centres of the outermost elements (aligned corners) or at their
            // outer edges.
            Padding::Reflection if self.aligned && n == 1 => 0,
            Padding::Reflection => {
                let (period, once) = if self.aligned { (2 * (n - 1), 0) } else { (2 * n, 1) };
                let folded = index.rem_euclid(period);
                if folded < n { folded } else { period - folded - once }
            }
        };
        Some(inside as usize)
    }

    fn steps(&self) -> Vec<usize> {
        shape::strides(self.x.shape())[2..].to_vec()
    }

    fn interpolated(&self, plane: usize, at: &[Real], filter: Filter) -> Number {
        let steps = self.steps();
        let start = plane * self.x.shape()[2..].iter().product::<usize>();
        let value = |at: &[Real]| {
            let taps: Vec<Taps> = at.iter().enumerate().map(|(axis, &at)| self.taps(at, axis, filter)).collect();
            weighted(self.x, start, &taps.iter().collect::<Vec<_>>(), &steps, LABELS)
        };
        let preferred = value(at);
        if self.padding != Padding::Border {
            return preferred;
        }
        // An implementation may move an outside position to the border before it looks for neighbours
        // (`outside-neighbours`). In linear interpolation, the moved position gives the element inside the border the
        // weight 0, which matters if this element is infinite or NaN (`infinity-with-zero-weight`). With reflection,
        // neighbours and weights are the same whether the position is moved first or not.
        let last = |axis: usize| self.x.extent(2 + axis) as f64 - 1.0;
        let moved: Vec<Real> = at.iter().enumerate().map(|(axis, at)| at.within(0.0, last(axis))).collect();
        preferred.or(value(&moved), rule::OUTSIDE_NEIGHBOURS)
    }

    /// Returns what is accepted at a position that is NaN or too far away: zero, an average of any elements of the
    /// plane, or NaN (`far-positions`).
    fn anywhere(&self, plane: usize, filter: Filter) -> Number {
        let size: usize = self.x.shape()[2..].iter().product();
        let elements = (plane * size..(plane + 1) * size).map(|i| self.x.number(i).widest());
        let (low, high) = elements.fold((0.0f64, 0.0f64), |(low, high), x| (low.min(x.low), high.max(x.high)));
        // Cubic weights may be negative, so that the positive ones add up to more than 1.
        let growth: f64 = if filter == Filter::Linear { 1.0 } else { 1.375 };
        let more = growth.powi(self.x.rank() as i32 - 2) - 1.0;
        let most = if more == 0.0 { 0.0 } else { low.abs().max(high) * more };
        let average = Real { low: low - most, high: high + most, ..Real::constant(0.0, DType::Float) };
        let zero = Number::constant(0.0, self.x.dtype());
        if self.x.dtype().is_float() {
            return zero
                .or(Real { dtype: self.x.dtype(), ..average }, rule::FAR_POSITIONS)
                .or(zero.like(f64::NAN), rule::FAR_POSITIONS);
        }
        // Converted to an integer, NaN becomes zero or an end of the range.
        let (least, greatest) = self.x.dtype().integer_range().unwrap_or((0, 1));
        let integer = zero.or(to_integer(average, self.x.dtype(), None, rule::FAR_POSITIONS), rule::FAR_POSITIONS);
        integer.or(Allowed::int(least).with(Allowed::int(greatest)), rule::FAR_POSITIONS)
    }

    fn taps(&self, at: Real, axis: usize, filter: Filter) -> Taps {
        let reach = filter.support();
        let tap = |i: i64| {
            let element = self.element(i, axis)?;
            Some((element, filter.weight(at.neg().plus(Real::constant(i as f64, self.working)))))
        };
        ((at.low - reach).ceil() as i64..=(at.high + reach).floor() as i64).filter_map(tap).collect()
    }

    /// Returns the elements nearest to the positions. At a tie, the even element is preferred. Versions that do not
    /// define ties leave the other element open (`ties`). It is also left open (`position-rounding`) if border or
    /// reflection may move the position before it is rounded, or if an error in float may move the position across a
    /// tie.
    fn nearest(
        &self,
        shape: Vec<usize>,
        count: usize,
        points: usize,
        positions: impl Fn(usize) -> Option<Vec<Real>>,
    ) -> Result<Expected, Refusal> {
        let zero = Expected::zero(self.x.dtype(), rule::NON_REAL_TYPES)?;
        let beyond = self.x.len();
        let pick = |i: usize| if i < beyond { (0, i) } else { (1, 0) };
        let all = Expected::assembled(vec![beyond + 1], &[self.x, &zero], pick)?;
        let steps = self.steps();
        // For each output element: the elements it may be taken from, with the preferred one first, and the rule that
        // allows several.
        let taken = |i: usize| -> (Vec<usize>, Label) {
            let plane: usize = self.x.shape()[2..].iter().product();
            let start = i / points * plane;
            let Some(at) = positions(i) else {
                return (std::iter::once(beyond).chain(start..start + plane).collect(), rule::FAR_POSITIONS);
            };
            let mut label = rule::POSITION_ROUNDING;
            let mut places = vec![Some(start)];
            for (axis, at) in at.iter().enumerate() {
                let mut whole = [at.mid, at.low, at.high].map(|x| x.round_ties_even() as i64).to_vec();
                let tie = (at.mid - at.mid.floor() - 0.5).abs() < 1e-9;
                if tie && (self.images || self.padding != Padding::Zeros) {
                    label = if self.images { rule::TIES } else { rule::POSITION_ROUNDING };
                    whole.extend([at.mid.floor() as i64, at.mid.ceil() as i64]);
                }
                whole.dedup();
                let next = |place: Option<usize>, index: i64| Some(place? + self.element(index, axis)? * steps[axis]);
                places = whole
                    .iter()
                    .flat_map(|&index| places.iter().map(move |&p| (p, index)))
                    .map(|(p, index)| next(p, index))
                    .collect();
            }
            (places.into_iter().map(|p| p.unwrap_or(beyond)).collect(), label)
        };
        let all_taken: Vec<(Vec<usize>, Label)> = (0..count).map(taken).collect();
        let output = all.rearranged(shape, |i| all_taken[i].0[0])?;
        let others = |label: Label| {
            let all_taken = &all_taken;
            move |i: usize| if all_taken[i].1 == label { all_taken[i].0[1..].to_vec() } else { vec![] }
        };
        Ok([rule::POSITION_ROUNDING, rule::TIES, rule::FAR_POSITIONS]
            .into_iter()
            .fold(output, |output, label| output.or_elements(label, &all, others(label))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Judged;
    use crate::testing::{floats, run};

    fn elements(n: usize, padding: Padding, aligned: bool) -> Vec<Option<usize>> {
        let x = Expected::from(Tensor::zeros(DType::Float, vec![1, 1, n]).expect("the tensor is small"));
        let sampler = Sampler { x: &x, padding, aligned, images: false, working: DType::Float };
        (-4..8).map(|i| sampler.element(i, 0)).collect()
    }

    /// Moved to the border, the position gives its infinite neighbour the weight 0, and 0 times infinity is NaN.
    #[test]
    fn a_position_outside_may_be_moved_to_the_border() {
        let x = floats(&[1, 1, 3], &[1.0, f32::INFINITY, 3.0]);
        let grid = floats(&[1, 1, 1], &[-2.0]);
        let y = &run(r#"GridSample <padding_mode = "border">"#, 20, &[x, grid], 1).expect("the node is valid")[0];
        let judged = |y_: f32| y.judge(&floats(&[1, 1, 1], &[y_]), 0);
        assert_eq!(judged(1.0), Judged::Accepted);
        assert!(matches!(judged(f32::NAN), Judged::Latitude(_)));
        assert_eq!(judged(f32::INFINITY), Judged::Wrong);
    }

    #[test]
    fn elements_outside_follow_the_padding_mode() {
        let all = |list: [usize; 12]| list.map(Some).to_vec();
        assert_eq!(elements(3, Padding::Reflection, true), all([0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1]));
        assert_eq!(elements(3, Padding::Reflection, false), all([2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1]));
        assert_eq!(elements(3, Padding::Border, false), all([0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2]));
        assert_eq!(elements(3, Padding::Zeros, false).iter().flatten().count(), 3);
    }
}

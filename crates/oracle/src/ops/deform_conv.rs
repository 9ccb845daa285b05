use crate::families::convolution::{Channels, Way, kernel_of};
use crate::families::reduce::either;
use crate::families::sampling::{Cell, cells, interpolated_in_any};
use crate::families::sliding_window::{Axis, Windows};
use crate::families::spatial::spatial;
use crate::prelude::*;

/// Computes a convolution whose taps are moved by offsets and interpolated, and optionally multiplied by a mask.
///
/// Versions 19 and 22 have the same meaning; version 22 adds bfloat16. Windows follow the rules
/// `input-has-spatial-axes`, `window-attributes-valid` and `window-fits-axis`. Constraints: the kernel
/// (`channels-fit-groups`, `kernel-shape-matches-w`), the bias (`bias-fits-channels`), `offset_group`
/// (`offset-group-divides-channels`), and the shapes of the offsets (`offset-shape-fits`) and of the mask
/// (`mask-shape-fits`). The order of offsets and masks: `offset-order`; sums that overflow: `intermediate-overflow`;
/// positions just outside of the padded input: `outside-positions`; infinities and NaN: `infinity-with-zero-weight`; a
/// window that is a little too long for its axis: `window-just-too-long`.
pub fn deform_conv(call: &Call) -> Answer {
    let (x, w) = (call.tensor("X")?, call.tensor("W")?);
    let kernel = kernel_of(call, x, w)?;
    let channels = Channels::read(call, x, w, Way::Forward)?;
    let windows = Windows::read(call, spatial(x)?, &kernel)?;
    let bias = channels.bias(call, "B")?;
    let shape = windows.shape(&[x.extent(0), channels.outputs()])?;
    let rank = windows.axes.len();
    let groups = call.int("offset_group")?;
    let groups = usize::try_from(groups).ok().filter(|&g| g > 0 && x.extent(1).is_multiple_of(g));
    let groups = groups.ok_or_else(|| {
        Refusal::violates(
            rule::OFFSET_GROUP_DIVIDES_CHANNELS,
            format!("`offset_group` is not a positive divisor of {} channels", x.extent(1)),
        )
    })?;
    let taps = windows.taps();
    let fits = |name: &str, rows: usize, label: Label| {
        let wanted = [&[x.extent(0), rows][..], &shape[2..]].concat();
        match call.optional_tensor(name)? {
            Some(t) if t.shape() != wanted => {
                Err(Refusal::violates(label, format!("`{name}` has shape {:?}, expected {wanted:?}", t.shape())))
            }
            other => Ok(other),
        }
    };
    let offset = fits("offset", groups * taps * rank, rule::OFFSET_SHAPE_FITS)?
        .ok_or_else(|| Refusal::invalid("input `offset` is missing"))?;
    let mask = fits("mask", groups * taps, rule::MASK_SHAPE_FITS)?;
    let samples = Samples { x, offset, mask, windows: &windows, groups, taps };
    shape::affordable(&[channels.outputs(), x.extent(1), taps, windows.count(), x.extent(0)])?;
    let mut numbers = Vec::with_capacity(shape::product(&shape)?);
    let count = windows.count();
    for n in 0..x.extent(0) {
        // Samples each channel once, for all output channels.
        let columns: Vec<Sample> = (0..x.extent(1) * taps * count)
            .map(|i| samples.sample(n, i / (taps * count), i / count % taps, i % count))
            .collect();
        for m in 0..channels.outputs() {
            let bias = bias.map(|b| b.number(m));
            for o in 0..count {
                let mut dot = Sums::new(x.dtype());
                for (c, channel) in channels.inputs(m).enumerate() {
                    for tap in 0..taps {
                        let weight = w.number(channels.weights(m, c, taps) + tap);
                        dot.add(&columns[(channel * taps + tap) * count + o], weight);
                    }
                }
                numbers.push(dot.finish(bias));
            }
        }
    }
    call.answer(shape, numbers)
}

/// The value of the input at a position that an offset has moved.
struct Sample {
    value: Real,
    /// The value if positions outside of the padded input give zero (`outside-positions`).
    strict: Real,
    open: bool,
}

struct Samples<'a> {
    x: &'a Expected,
    offset: &'a Expected,
    mask: Option<&'a Expected>,
    windows: &'a Windows,
    groups: usize,
    taps: usize,
}

impl Samples<'_> {
    fn sample(&self, n: usize, channel: usize, tap: usize, window: usize) -> Sample {
        let dtype = self.x.dtype();
        let axes = &self.windows.axes;
        let count = self.windows.count();
        let group = channel / (self.x.extent(1) / self.groups);
        let row = (n * self.groups + group) * self.taps + tap;
        let extents = |of: fn(&Axis) -> usize| axes.iter().map(of).collect::<Vec<_>>();
        let (taps, windows) =
            (shape::coordinates(tap, &extents(|a| a.kernel)), shape::coordinates(window, &extents(|a| a.windows)));
        let zero = Real::constant(0.0, dtype);
        let mut known: Vec<Vec<Cell>> = Vec::new();
        let (mut outside, mut open) = (false, false);
        // Whether an uncertain offset may leave the position inside.
        let (mut unsure, mut inside) = (false, true);
        for (d, axis) in axes.iter().enumerate() {
            let offset = self.offset.number((row * axes.len() + d) * count + window);
            let start = (windows[d] * axis.stride + taps[d] * axis.dilation) as i64 - axis.pads.0;
            let place = Real::constant(start as f64, dtype).plus(offset.real());
            open |= offset.latitude.is_some();
            let Some(cells) = cells(place) else { return Sample { value: zero, strict: zero, open: true } };
            known.push(cells);
            // `strict` is zero outside of the padded input, even if an element is less than one step away.
            outside |= place.low < -axis.pads.0 as f64;
            let (first, last) = (-axis.pads.0 as f64, (axis.extent as i64 - 1 + axis.pads.1) as f64);
            outside |= place.high > last;
            unsure |= !offset.is_point();
            inside &= place.high >= first && place.low <= last;
        }
        let plane = self.windows.elements();
        let first = (n * self.x.extent(1) + channel) * plane;
        let mut finite = true;
        let mut at = |place: &[i64]| {
            let inside = place.iter().zip(axes).all(|(&p, a)| (0..a.extent as i64).contains(&p));
            if !inside {
                return zero;
            }
            let index = place.iter().zip(axes).fold(0, |index, (&p, a)| index * a.extent + p as usize);
            let x = self.x.number(first + index);
            finite &= !x.may_be_infinite_or_nan() && x.latitude.is_none();
            x.real()
        };
        let mut value = interpolated_in_any(&known, &mut at);
        if let Some(mask) = self.mask {
            let mask = mask.number(row * count + window);
            open |= mask.latitude.is_some();
            value = value.times(mask.real());
        }
        let strict = match outside {
            true if unsure && inside => value.hull(zero),
            true => zero,
            false => value,
        };
        Sample { value, strict, open: open || !finite }
    }
}

/// The sum for one output element, with and without the values at positions just outside of the padded input.
struct Sums {
    sum: Accumulator,
    strict: Accumulator,
    differ: bool,
    open: bool,
}

impl Sums {
    fn new(dtype: DType) -> Sums {
        Sums { sum: Accumulator::new(dtype), strict: Accumulator::new(dtype), differ: false, open: false }
    }

    fn add(&mut self, sample: &Sample, weight: Number) {
        let w = weight.real();
        self.sum.add_product(sample.value, w);
        self.strict.add_product(sample.strict, w);
        self.differ |= sample.value != sample.strict;
        self.open |= sample.open || weight.may_be_infinite_or_nan() || weight.latitude.is_some();
    }

    fn finish(self, bias: Option<Number>) -> Number {
        let of = |mut sum: Accumulator| match bias {
            Some(b) => {
                let stepwise = sum.clone().finish_inside().plus(b.real());
                sum.add(b.real());
                either(sum.finish(), stepwise, rule::INTERMEDIATE_OVERFLOW)
            }
            None => sum.finish().into(),
        };
        let number = of(self.sum);
        let number = match self.differ {
            true => number.or(of(self.strict), rule::OUTSIDE_POSITIONS),
            false => number,
        };
        let open = self.open || bias.is_some_and(|b| b.latitude.is_some());
        if open { number.undecided(rule::INFINITY_WITH_ZERO_WEIGHT) } else { number }
    }
}

#[cfg(test)]
mod tests {
    use crate::Allowed;
    use crate::testing::{floats, run};

    #[test]
    fn offsets_move_taps_and_fractional_positions_are_interpolated() {
        let (x, w) = (floats(&[1, 1, 4], &[1.0, 2.0, 4.0, 8.0]), floats(&[1, 1, 2], &[1.0, 10.0]));
        let offset = floats(&[1, 2, 3], &[0.5, 0.0, 0.0, 0.0, 0.25, 1.0]);
        let y = &run("DeformConv", 22, &[x, w, offset], 1).expect("the node is valid")[0];
        assert_eq!(y.tensor, floats(&[1, 1, 3], &[21.5, 52.0, 4.0]));
        // The last tap lies one step behind the last element, where no element is near.
        assert!(y.latitude.is_empty());
    }

    #[test]
    fn a_position_half_a_step_outside_is_left_open() {
        let (x, w, offset) = (floats(&[1, 1, 1], &[4.0]), floats(&[1, 1, 1], &[1.0]), floats(&[1, 1, 1], &[-0.5]));
        let y = &run("DeformConv", 22, &[x, w, offset], 1).expect("the node is valid")[0];
        assert_eq!((y.tensor.f64_at(0), y.latitude[0].1.allowed), (2.0, Allowed::real(0.0)));
    }
}

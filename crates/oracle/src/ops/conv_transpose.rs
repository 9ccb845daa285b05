use crate::families::convolution::{Channels, Way, convolve, convolve_into, kernel_of};
use crate::families::sliding_window::{Axis, Windows};
use crate::families::spatial::{AutoPad, Settings, per_axis, spatial};
use crate::prelude::*;

/// Computes a transposed convolution: each element of `X` adds the kernel `W`, scaled, to a window of the output.
///
/// Versions 1, 11 and 22 have the same meaning; version 11 describes it better, version 22 adds bfloat16. Windows lie
/// on the output and follow the rules from `input-has-spatial-axes` to `pads-without-auto-pad` in the list of
/// `families::spatial`. Constraints: no negative output extents (`output-extents-non-negative`), the kernel
/// (`channels-fit-groups`, `kernel-shape-matches-w`), the bias (`bias-fits-channels`), and `output_padding`
/// (`output-padding-in-range`).
///
/// The output extent for `SAME_UPPER` and `SAME_LOWER`: `same-output-extent`; sums that overflow:
/// `intermediate-overflow`; the split of an odd padding in version 1: `odd-padding`; padding times infinite or NaN
/// weights: `padding-times-infinity`; an output that is longer than the windows cover: `negative-padding`.
pub fn conv_transpose(call: &Call) -> Answer {
    let (x, w) = (call.tensor("X")?, call.tensor("W")?);
    let kernel = kernel_of(call, x, w)?;
    let channels = Channels::read(call, x, w, Way::Transposed)?;
    let placement = placed(call, spatial(x)?, &kernel)?;
    let bias = channels.bias(call, "B")?;
    let windows = Windows { axes: placement.axes };
    let mut shape = vec![x.extent(0), channels.outputs()];
    shape.extend(windows.axes.iter().map(|a| a.extent));
    let count = shape::affordable(&shape)?;
    if placement.others.is_empty() {
        let mut y = Collected::new(x.dtype(), count);
        convolve_into(&mut y, &channels, (x, w), &windows, |dot| {
            let bias = bias.map(|b| b.number(dot.channel));
            dot.plus(bias, x.dtype())
        })?;
        return one(y.into_expected(shape)?);
    }
    let over = |windows: &Windows| -> Result<Vec<Number>, Refusal> {
        let mut numbers = Vec::new();
        convolve(&channels, x, w, windows, |dot| {
            let bias = bias.map(|b| b.number(dot.channel));
            numbers.push(dot.plus(bias, x.dtype()));
        })?;
        Ok(numbers)
    };
    let mut numbers = over(&windows)?;
    for (axes, label) in placement.others {
        let others = over(&Windows { axes })?;
        for (number, other) in numbers.iter_mut().zip(others) {
            *number = if *number == other { *number } else { number.or(other, label) };
        }
    }
    call.answer(shape, numbers)
}

/// Where the output lies under the windows. `others` are other positions that rules leave open, each with its rule. For
/// one rule, an implementation makes the same choice on all axes. Its choices for different rules are independent.
struct Placement {
    axes: Vec<Axis>,
    others: Vec<(Vec<Axis>, Label)>,
}

fn placed(call: &Call, extents: &[usize], kernel: &[i64]) -> Result<Placement, Refusal> {
    let settings = Settings::read(call, kernel)?;
    let count = kernel.len();
    let output_shape = per_axis(call, "output_shape", count, 0)?;
    let output_padding = per_axis(call, "output_padding", count, 0)?.unwrap_or_else(|| vec![0; count]);
    let (mut axes, mut others) = (Vec::new(), Vec::new());
    for (at, &windows) in extents.iter().enumerate() {
        let axis = Axis { windows, ..settings.axis(at, 0) };
        let padding = output_padding[at];
        if call.since() >= 11 && padding >= axis.stride.max(axis.dilation) as i64 {
            return Err(Refusal::violates(
                rule::OUTPUT_PADDING_IN_RANGE,
                format!(
                    "`output_padding` {padding} is not less than the larger of stride {} and dilation {}",
                    axis.stride, axis.dilation
                ),
            ));
        }
        let stride = axis.stride as i64;
        let covered = stride * (windows as i64 - 1) + padding + axis.reach();
        let same = matches!(settings.auto_pad, AutoPad::SameUpper | AutoPad::SameLower);
        let extent = match &output_shape {
            Some(shape) => shape[at],
            None if same => stride * windows as i64,
            None => covered - axis.pads.0 - axis.pads.1,
        };
        if extent < 0 {
            return Err(Refusal::violates(
                rule::OUTPUT_EXTENTS_NON_NEGATIVE,
                format!("the output would have {extent} elements along an axis"),
            ));
        }
        if same && output_shape.is_none() && (padding != 0 || covered < extent) {
            return Err(Refusal::unsupported(format!(
                "{}: shape inference and the text of the specification give this output different shapes",
                rule::SAME_OUTPUT_EXTENT
            )));
        }
        let (begin, other) = match (&output_shape, same) {
            (None, false) => (axis.pads.0, None),
            _ => beginnings(call, &settings, covered - extent),
        };
        let of = |begin: i64| Axis { extent: extent as usize, pads: (begin, 0), ..axis };
        axes.push(of(begin));
        others.push(other.map(|(begin, label)| (of(begin), label)));
    }
    let open = |label: &Label| others.iter().flatten().any(|(_, l)| l == label);
    let with = |labels: &[Label]| -> Vec<Axis> {
        let axis = |(axis, other): (&Axis, &Option<(Axis, Label)>)| match other {
            Some((other, label)) if labels.contains(label) => *other,
            _ => *axis,
        };
        axes.iter().zip(&others).map(axis).collect()
    };
    let rules = [rule::ODD_PADDING, rule::NEGATIVE_PADDING];
    let ways = [&rules[..1], &rules[1..], &rules[..]];
    let ways = ways.into_iter().filter(|way| way.iter().all(open)).map(|way| (with(way), way[0])).collect();
    Ok(Placement { others: ways, axes })
}

/// Returns how much of a total padding lies at the beginning, and another amount that a rule leaves open.
fn beginnings(call: &Call, settings: &Settings, total: i64) -> (i64, Option<(i64, Label)>) {
    let half = total.div_euclid(2);
    let begin = if settings.auto_pad == AutoPad::SameUpper { half } else { total - half };
    if total < 0 {
        // A negative padding moves the first window by half of it, or not at all (`negative-padding`).
        return (0, (half != 0).then_some((half, rule::NEGATIVE_PADDING)));
    }
    let reversed = total - begin;
    (begin, (call.since() < 11 && reversed != begin).then_some((reversed, rule::ODD_PADDING)))
}

#[cfg(test)]
mod tests {
    use crate::Judged;
    use crate::testing::{floats, run};

    #[test]
    fn elements_are_spread_and_overlap() {
        let (x, w) = (floats(&[1, 1, 2], &[1.0, 10.0]), floats(&[1, 2, 3], &[1.0, 2.0, 3.0, 0.0, 0.0, 1.0]));
        let y = run("ConvTranspose <strides = [2], output_padding = [1]>", 22, &[x, w], 1);
        let y = &y.expect("the node is valid")[0];
        assert_eq!(y.tensor, floats(&[1, 2, 6], &[1.0, 2.0, 13.0, 20.0, 30.0, 0.0, 0.0, 0.0, 1.0, 0.0, 10.0, 0.0]));
        assert!(y.is_certain());
    }

    #[test]
    fn an_odd_padding_is_longer_at_the_beginning() {
        let (x, w) = (floats(&[1, 1, 2], &[1.0, 10.0]), floats(&[1, 1, 3], &[1.0, 2.0, 3.0]));
        let of = |opset| {
            let y = run("ConvTranspose <output_shape = [3]>", opset, &[x.clone(), w.clone()], 1);
            y.expect("the node is valid").remove(0)
        };
        // The whole output is 1, 12, 23, 30.
        assert_eq!(of(11).tensor, floats(&[1, 1, 3], &[12.0, 23.0, 30.0]));
        assert!(of(11).latitude.is_empty() && of(1).latitude.len() == 3);
    }

    /// The padding of the rows is 1, and that of the columns -2. The whole output is 1, 2; 3, 4; 5, 6.
    #[test]
    fn an_odd_padding_and_a_negative_padding_are_open_independently() {
        let (x, w) = (floats(&[1, 1, 1, 1], &[1.0]), floats(&[1, 1, 3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
        let y = run("ConvTranspose <output_shape = [2, 4]>", 1, &[x, w], 1);
        let y = &y.expect("the node is valid")[0];
        assert_eq!(y.tensor, floats(&[1, 1, 2, 4], &[3.0, 4.0, 0.0, 0.0, 5.0, 6.0, 0.0, 0.0]));
        let judged = |value: f32| y.judge_at(1, &floats(&[1], &[value]), 0);
        assert_eq!(judged(4.0), Judged::Accepted);
        assert!([1.0, 2.0, 3.0].into_iter().all(|value| matches!(judged(value), Judged::Latitude(_))));
        assert!([0.0, 5.0, 6.0].into_iter().all(|value| judged(value) == Judged::Wrong));
    }
}

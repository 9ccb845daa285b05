//! Lowers Resize and Upsample to RESAMPLE, to RESAMPLE1 with pixel offsets, or to RESAMPLE2 with a rounding direction.

use super::context::{Lowering, sizes_of};
use super::error::{LoweringError, Unsupported};
use super::view::View;
use super::{Rule, Views};
use plumbline_cpu::ops::resize::{Axis, geometry, modes, upsample_mode, upsampled};
use plumbline_spec::directml::FeatureLevel;

pub const OPERATORS: &[(&str, Rule)] = &[("Resize", resize), ("Upsample", upsample)];

/// The fields of the operator for one axis. `input` and `output` are pixel offsets: output element `x` reads the input
/// tensor at `(x - output) / scale - input`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fields {
    scale: f32,
    input: f32,
    output: f32,
}

/// The way in which a position is rounded to an element.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rounding {
    Up,
    Down,
    /// To the nearest element, halves upward, as RESAMPLE and RESAMPLE1 do.
    Nearest,
}

impl Fields {
    /// The fields of an axis that stays the same. They align the centres of elements, which is all that RESAMPLE
    /// supports.
    const SAME: Fields = Fields { scale: 1.0, input: 0.5, output: -0.5 };

    fn new(scale: f64, [input, output]: [f64; 2]) -> Fields {
        Fields { scale: scale as f32, input: input as f32, output: output as f32 }
    }

    fn place(&self, x: usize) -> f64 {
        (x as f64 - f64::from(self.output)) / f64::from(self.scale) - f64::from(self.input)
    }

    /// Returns the elements of the input that are picked along an axis.
    fn picked(&self, rounding: Rounding, axis: &Axis) -> impl Iterator<Item = usize> {
        (0..axis.output).map(move |x| {
            let place = self.place(x);
            axis.clamped(match rounding {
                Rounding::Up => place.ceil(),
                Rounding::Down => place.floor(),
                Rounding::Nearest => (place + 0.5).floor(),
            })
        })
    }
}

/// Returns the fields for the coordinate transformation `mode`.
fn fields(axis: &Axis, mode: &str) -> Result<Fields, LoweringError> {
    let (input, output, scale) = (axis.input as f64, axis.output as f64, axis.scale);
    let centres = Fields::new(scale, [0.5, -0.5]);
    let at = |place: f64| Fields::new(1.0, [-place, 0.0]);
    Ok(match mode {
        "half_pixel" => centres,
        "pytorch_half_pixel" if axis.output > 1 => centres,
        "half_pixel_symmetric" => {
            let moved = input / 2.0 * (1.0 - output / (scale * input));
            Fields::new(scale, [0.5 - moved, -0.5])
        }
        "tf_half_pixel_for_nn" => Fields::new(scale, [0.0, -0.5]),
        "align_corners" if axis.output > 1 && axis.input > 1 => Fields::new((output - 1.0) / (input - 1.0), [0.0, 0.0]),
        "align_corners" | "pytorch_half_pixel" => at(0.0),
        "tf_crop_and_resize" => {
            let ((start, end), last) = (axis.region, input - 1.0);
            let length = (end - start) * last;
            if length < 0.0 && axis.output > 1 {
                return Err(Unsupported::value(
                    "`roi`",
                    "has an end before its start, but DirectML's scales are positive",
                )
                .into());
            }
            match (axis.output, length) {
                (..=1, _) => at(0.5 * (start + end) * last),
                // Every output element reads the first element of the region.
                (_, 0.0) => Fields::new(f32::MAX.into(), [-start * last, 0.0]),
                _ => Fields::new((output - 1.0) / length, [-start * last, 0.0]),
            }
        }
        _ => Fields::new(scale, [0.0, 0.0]),
    })
}

/// Returns the operator for a level, its rounding, and the offset that makes it round as `manner` says. RESAMPLE1 does
/// not always do so: for `round_prefer_floor` it rounds halves up, and for `ceil` it rounds a whole number to the next
/// larger one.
fn operator(level: FeatureLevel, manner: &str) -> (&'static str, Rounding, f32) {
    if level < FeatureLevel::V5_1 {
        let offset = match manner {
            "floor" => 0.5,
            "ceil" => -0.5,
            _ => 0.0,
        };
        return ("RESAMPLE1", Rounding::Nearest, offset);
    }
    let (rounding, offset) = match manner {
        "round_prefer_floor" => (Rounding::Up, 0.5),
        "round_prefer_ceil" => (Rounding::Down, -0.5),
        "ceil" => (Rounding::Up, 0.0),
        _ => (Rounding::Down, 0.0),
    };
    ("RESAMPLE2", rounding, offset)
}

/// Returns fields that pick the same elements as ONNX. If the float32 nearest to the scale picks other elements, its
/// float32 neighbours are tried. If the operator rounds to the nearest element, fields that align centres come first.
fn nearest_fields(axis: &Axis, mode: &str, manner: &str, level: FeatureLevel) -> Result<Fields, LoweringError> {
    let Some(positions) = axis.positions(mode) else { return Ok(Fields::SAME) };
    let wanted: Vec<usize> = positions.into_iter().map(|x| axis.nearest(manner, x)).collect();
    if axis.input == axis.output && wanted.iter().copied().eq(0..axis.input) {
        return Ok(Fields::SAME);
    }
    let (operator, rounding, offset) = operator(level, manner);
    let known = fields(axis, mode)?;
    let known = Fields { input: known.input + offset, ..known };
    let by_centres = Fields::new(axis.scale, [0.5, -0.5]);
    let others = [by_centres, known].into_iter().filter(|_| rounding == Rounding::Nearest).chain([known]);
    let scales = |of: Fields| [of.scale, of.scale.next_up(), of.scale.next_down()].map(|scale| Fields { scale, ..of });
    let found = others.flat_map(scales).find(|fields| {
        fields.scale.is_finite() && fields.scale > 0.0 && fields.picked(rounding, axis).eq(wanted.iter().copied())
    });
    let message =
        || format!("is `{manner}`, but {operator} picks another element on an axis of {} output elements", axis.output);
    found.ok_or_else(|| Unsupported::value("the rounding", message()).into())
}

/// Joins adjacent axes that stay the same, and drops those of size 1.
fn joined(axes: &[(u32, u32, Fields)]) -> Vec<(u32, u32, Fields)> {
    let mut joined: Vec<(u32, u32, Fields)> = Vec::new();
    for &(input, output, fields) in axes {
        match joined.last_mut() {
            _ if fields == Fields::SAME && input == 1 => {}
            Some(last) if fields == Fields::SAME && last.2 == Fields::SAME => {
                (last.0, last.1) = (last.0 * input, last.1 * output);
            }
            _ => joined.push((input, output, fields)),
        }
    }
    joined
}

/// Makes one call for all axes. `x` is packed.
fn call(
    lower: &mut Lowering,
    x: &View,
    sizes: &[u32],
    fields: &[Fields],
    rounding: Option<(&'static str, Rounding)>,
) -> Result<View, LoweringError> {
    let each = x.sizes.iter().zip(sizes).zip(fields).map(|((&input, &output), &fields)| (input, output, fields));
    let mut axes = joined(&each.collect::<Vec<_>>());
    let (level, centred) = (lower.level(), |fields: &Fields| (fields.input, fields.output) == (0.5, -0.5));
    let fewest = if level < FeatureLevel::V5_1 { 4 } else { 1 };
    while axes.len() < fewest {
        axes.insert(0, (1, 1, Fields::SAME));
    }
    let operator = match rounding {
        Some(("RESAMPLE2", _)) => "RESAMPLE2",
        None if level >= FeatureLevel::V5_1 => "RESAMPLE2",
        _ if level < FeatureLevel::V2_1 && axes.iter().all(|(.., fields)| centred(fields)) => "RESAMPLE",
        _ => "RESAMPLE1",
    };
    let inputs: Vec<u32> = axes.iter().map(|axis| axis.0).collect();
    let outputs: Vec<u32> = axes.iter().map(|axis| axis.1).collect();
    let of = |value: fn(&Fields) -> f32| axes.iter().map(|(.., fields)| value(fields)).collect::<Vec<_>>();
    let mode = if rounding.is_some() { "NEAREST_NEIGHBOR" } else { "LINEAR" };
    let call = lower.call(operator).read("InputTensor", &x.reshaped(&inputs)).exact();
    let call = call.write("OutputTensor", x.data_type, &outputs).set("InterpolationMode", mode);
    let call = call.set("Scales", of(|fields| fields.scale));
    let call = match operator {
        "RESAMPLE" => call,
        _ => call.set("InputPixelOffsets", of(|f| f.input)).set("OutputPixelOffsets", of(|f| f.output)),
    };
    let direction = match rounding {
        Some((_, Rounding::Up)) => "INCREASING",
        _ => "DECREASING",
    };
    let call = if operator == "RESAMPLE2" { call.set("RoundingDirection", direction) } else { call };
    Ok(call.one()?.reshaped(sizes))
}

/// Lowers nearest-neighbour resampling. Axes that are rounded in different manners are resampled one after the other.
fn nearest(lower: &mut Lowering, axes: &[Axis], mode: &str, manner: &str) -> Views {
    let (level, mut x) = (lower.level(), lower.input(0)?);
    // `manner` is empty only for Resize-10, which has no `nearest_mode` and rounds up along axes that shrink.
    let own = |axis: &Axis| match manner {
        "" if axis.scale < 1.0 => "ceil",
        "" => "floor",
        manner => manner,
    };
    let shape: Vec<usize> = axes.iter().map(|axis| axis.output).collect();
    let shape = sizes_of("Y", &shape)?;
    let fields: Vec<Fields> =
        axes.iter().map(|axis| nearest_fields(axis, mode, own(axis), level)).collect::<Result<_, _>>()?;
    for manner in ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"] {
        let of = |d: usize| own(&axes[d]) == manner && fields[d] != Fields::SAME;
        if !(0..axes.len()).any(of) {
            continue;
        }
        let here: Vec<Fields> = (0..axes.len()).map(|d| if of(d) { fields[d] } else { Fields::SAME }).collect();
        let sizes: Vec<u32> = (0..axes.len()).map(|d| if of(d) { shape[d] } else { x.sizes[d] }).collect();
        let (operator, rounding, _) = operator(level, manner);
        x = call(lower, &x, &sizes, &here, Some((operator, rounding)))?;
    }
    Ok(vec![x])
}

fn linear(lower: &mut Lowering, axes: &[Axis], mode: &str) -> Views {
    let x = lower.input(0)?;
    let shape: Vec<usize> = axes.iter().map(|axis| axis.output).collect();
    let shape = sizes_of("Y", &shape)?;
    let of = |axis: &Axis| axis.positions(mode).map_or(Ok(Fields::SAME), |_| fields(axis, mode));
    let fields: Vec<Fields> = axes.iter().map(of).collect::<Result<_, _>>()?;
    match fields.iter().all(|fields| *fields == Fields::SAME) {
        true => Ok(vec![x]),
        false => Ok(vec![call(lower, &x, &shape, &fields, None)?]),
    }
}

/// Refuses outputs with so many elements that looking at each position would take long.
fn affordable(axes: &[Axis]) -> Result<(), LoweringError> {
    let count = axes.iter().try_fold(1usize, |count, axis| count.checked_mul(axis.output));
    match count.filter(|&count| count <= MOST_ELEMENTS) {
        Some(_) => Ok(()),
        None => Err(Unsupported::value("`Y`", format!("has more than {MOST_ELEMENTS} elements")).into()),
    }
}

/// The largest number of elements of an output.
const MOST_ELEMENTS: usize = 1 << 28;

fn resize(lower: &mut Lowering) -> Views {
    (1..lower.inputs()).try_for_each(|at| lower.known(at).map(|_| ()))?;
    let [kind, mode, manner] = modes(lower.node)?;
    let axes = geometry(lower.node, mode)?;
    affordable(&axes)?;
    if kind == "cubic" {
        return Err(Unsupported::value("`mode`", "is `cubic`, but RESAMPLE only supports nearest and linear").into());
    }
    // DirectML's documentation says that the antialiasing filter applies where an axis shrinks to less than half, but
    // not what it does at the ends.
    if kind == "linear" && lower.node.int("antialias") != 0 && axes.iter().any(|axis| axis.scale < 1.0) {
        return Err(Unsupported::value("`antialias`", "is 1, but RESAMPLE3 uses another filter than ONNX").into());
    }
    let outside = |axis: &Axis| {
        let position = |x: usize| axis.position(x, mode);
        (0..axis.output).map(position).any(|x| !(0.0..=axis.input as f64 - 1.0).contains(&x))
    };
    if mode == "tf_crop_and_resize" && axes.iter().any(outside) {
        let message = "reaches beyond the input, where RESAMPLE repeats the first or the last element";
        return Err(Unsupported::value("`roi`", message).into());
    }
    // `exclude_outside` does not change linear interpolation: if one of the two elements lies outside, the result is
    // the other element in any case.
    if kind == "linear" { linear(lower, &axes, mode) } else { nearest(lower, &axes, mode, manner) }
}

fn upsample(lower: &mut Lowering) -> Views {
    lower.known(1)?;
    let axes = upsampled(lower.node)?;
    affordable(&axes)?;
    match upsample_mode(lower.node)? {
        "linear" => linear(lower, &axes, "asymmetric"),
        _ => nearest(lower, &axes, "asymmetric", "floor"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(input: usize, output: usize) -> Axis {
        Axis { input, output, scale: output as f64 / input as f64, region: (0.0, 1.0) }
    }

    /// For every mode and rounding, the fields either pick the same elements as ONNX's formulas or are refused.
    #[test]
    fn nearest_resampling_picks_the_elements_of_onnx() {
        let modes = [
            "half_pixel",
            "half_pixel_symmetric",
            "pytorch_half_pixel",
            "align_corners",
            "asymmetric",
            "tf_half_pixel_for_nn",
            "tf_crop_and_resize",
        ];
        let mut refused = [0, 0];
        for (input, output) in (1..8).flat_map(|input| (1..20).map(move |output| (input, output))) {
            for mode in modes {
                for manner in ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"] {
                    for (at, level) in [FeatureLevel::V5_1, FeatureLevel::V2_1].into_iter().enumerate() {
                        let axis = axis(input, output);
                        match nearest_fields(&axis, mode, manner, level) {
                            Ok(fields) => {
                                let wanted = (0..output).map(|x| axis.nearest(manner, axis.position(x, mode)));
                                assert!(
                                    fields.picked(operator(level, manner).1, &axis).eq(wanted),
                                    "{axis:?} {mode} {manner}"
                                );
                            }
                            Err(_) => refused[at] += 1,
                        }
                    }
                }
            }
        }
        assert_eq!(refused[0], 0);
        // RESAMPLE1 cannot always round halves down or round up, so some cases are refused.
        assert!(refused[1] > 0 && refused[1] < 2000, "{refused:?}");
    }

    #[test]
    fn adjacent_unchanged_axes_are_joined() {
        let moved = Fields::new(2.0, [0.0, 0.0]);
        let same = |size| (size, size, Fields::SAME);
        let axes = [same(2), same(3), (4, 8, moved), same(1), (1, 2, moved), same(5), same(1)];
        assert_eq!(joined(&axes), [same(6), (4, 8, moved), (1, 2, moved), same(5)]);
    }
}

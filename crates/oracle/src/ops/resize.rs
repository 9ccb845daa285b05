use super::upsample::scaled_axes;
use crate::families::interpolate::{Filter, float, to_integer};
use crate::families::resample::{Axis, Nearest, Reading, Sampling, Transform, resample};
use crate::families::scales::{averages, checked_scales, floats, unnamed};
use crate::prelude::*;

/// Resizes each axis by a scale or to a size, with nearest, linear or cubic sampling.
///
/// Version 10 has `scales` and the modes nearest and linear, and does not name the sampled positions
/// (`sample-positions`). Version 11 adds `sizes`, cubic interpolation, and names for positions and rounding. From
/// version 13 on, `roi` and `scales` may be left out. Version 18 adds `axes`, `antialias` and
/// `keep_aspect_ratio_policy`, version 19 `half_pixel_symmetric`.
///
/// Constraints: scales and sizes (`scales-fit-axes`, `scales-in-range`, `scales-or-sizes-given`), modes
/// (`modes-known`), axes (`axes-in-range`), and regions (`roi-fits-axes`). Axes that are given twice: `duplicate-axes`;
/// no elements to sample: `empty-axis`; neighbours outside of the input: `outside-neighbours`; weights of a stretched
/// filter: `filter-normalization`; scales that give no whole extent: `fractional-extent`; an axis that is resized to
/// one element with aligned corners: `single-element-axis`; types without averages: `non-real-types`.
///
/// Flags that are neither 0 nor 1: `other-flag-values`.
pub fn resize(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let mode = call.string("mode")?;
    if call.since() == 10 {
        let scales: Vec<f32> = floats(call.tensor("scales")?, "scales")?.into_iter().map(|s| s as f32).collect();
        checked_scales(&scales, x.rank(), 0.0)?;
        if !["nearest", "linear"].contains(&mode.as_str()) {
            return Err(Refusal::violates(
                rule::MODES_KNOWN,
                format!("`mode` is `{mode}`, which this version does not have"),
            ));
        }
        if mode == "linear" {
            averages(x.dtype(), rule::NON_REAL_TYPES)?;
        }
        return one(resample(
            x,
            &unnamed(&scaled_axes(x.shape(), &scales)?, mode == "linear", rule::SAMPLE_POSITIONS),
            None,
        )?);
    }
    let transform = transform(call)?;
    let sampling = sampling(call, &mode)?;
    if mode != "nearest" {
        averages(x.dtype(), rule::NON_REAL_TYPES)?;
    }
    let axes = axes(call, x, transform)?;
    if let Some(axis) = axes.iter().find(|a| a.from == 0 && a.to > 0) {
        return Err(Refusal::leaves_open(
            rule::EMPTY_AXIS,
            format!("an axis without elements is resized to {}", axis.to),
        ));
    }
    let reading = |axes| Reading { transform, sampling, axes, label: rule::FRACTIONAL_EXTENT };
    let mut readings: Vec<Reading> = readings(&axes, transform).into_iter().map(reading).collect();
    // For one element with aligned corners, the formula divides 0 by 0. A quotient of 0 selects the first element; the
    // last element and NaN are left open (`single-element-axis`).
    let is_corner = |a: &Axis| transform == Transform::AlignCorners && a.to == 1 && a.from > 1;
    let cornered = axes.iter().any(is_corner);
    if cornered {
        let last = |a: &Axis| if is_corner(a) { Axis { corner: a.from as f64 - 1.0, ..*a } } else { *a };
        let at_the_end = |r: &Reading| Reading {
            axes: r.axes.iter().map(last).collect(),
            label: rule::SINGLE_ELEMENT_AXIS,
            ..r.clone()
        };
        readings.extend(readings.iter().map(at_the_end).collect::<Vec<_>>());
    }
    let fill = match transform {
        Transform::TfCropAndResize => Some(extrapolated(call.float("extrapolation_value")?, x.dtype())?),
        _ => None,
    };
    let output = resample(x, &readings, fill)?;
    let averaged = x.dtype().is_float() && mode != "nearest";
    one(match cornered && averaged {
        true => {
            let numbers: Vec<Number> =
                output.numbers().map(|y| y.or(y.like(f64::NAN), rule::SINGLE_ELEMENT_AXIS)).collect();
            Expected::from_numbers(x.dtype(), output.shape().to_vec(), numbers)?
        }
        false => output,
    })
}

fn transform(call: &Call) -> Result<Transform, Refusal> {
    let name = call.string("coordinate_transformation_mode")?;
    match (name.as_str(), call.since()) {
        ("half_pixel", _) => Ok(Transform::HalfPixel),
        ("pytorch_half_pixel", _) => Ok(Transform::PytorchHalfPixel),
        ("align_corners", _) => Ok(Transform::AlignCorners),
        ("asymmetric", _) => Ok(Transform::Asymmetric),
        ("tf_half_pixel_for_nn", 11) => Ok(Transform::TfHalfPixelForNn),
        ("tf_crop_and_resize", _) => Ok(Transform::TfCropAndResize),
        ("half_pixel_symmetric", 19..) => Ok(Transform::HalfPixelSymmetric),
        _ => Err(Refusal::violates(
            rule::MODES_KNOWN,
            format!("`coordinate_transformation_mode` is `{name}`, which this version does not have"),
        )),
    }
}

fn sampling(call: &Call, mode: &str) -> Result<Sampling, Refusal> {
    let filter = match mode {
        "linear" => Filter::Linear,
        "cubic" => Filter::Cubic(f64::from(call.float("cubic_coeff_a")?)),
        "nearest" => {
            let name = call.string("nearest_mode")?;
            return Ok(Sampling::Nearest(match name.as_str() {
                "round_prefer_floor" => Nearest::RoundPreferFloor,
                "round_prefer_ceil" => Nearest::RoundPreferCeil,
                "floor" => Nearest::Floor,
                "ceil" => Nearest::Ceil,
                _ => {
                    return Err(Refusal::violates(
                        rule::MODES_KNOWN,
                        format!("`nearest_mode` is `{name}`, which is not a known mode"),
                    ));
                }
            }));
        }
        _ => {
            return Err(Refusal::violates(
                rule::MODES_KNOWN,
                format!("`mode` is `{mode}`, expected `nearest`, `linear` or `cubic`"),
            ));
        }
    };
    let antialias = call.flag("antialias");
    Ok(Sampling::Weighted { filter, antialias, exclude_outside: call.flag("exclude_outside") })
}

/// Returns the value outside of the region of interest, as a tensor with one element.
fn extrapolated(value: f32, dtype: DType) -> Result<Expected, Refusal> {
    if averages(dtype, rule::NON_REAL_TYPES).is_err() {
        return Expected::zero(dtype, rule::NON_REAL_TYPES)?
            .undecided_where(rule::NON_REAL_TYPES, |_| true)
            .reshaped(vec![1]);
    }
    let number = if dtype.is_float() {
        Number::constant(f64::from(value), DType::Float).to_float(dtype)
    } else {
        to_integer(float(f64::from(value)), dtype, Some(rule::INTEGER_ROUNDING), rule::INTEGER_ROUNDING)
    };
    Expected::from_numbers(dtype, vec![1], [number])
}

/// Returns all axes of `X`, resized as the inputs say.
fn axes(call: &Call, x: &Expected, transform: Transform) -> Result<Vec<Axis>, Refusal> {
    let named = match call.optional_int_list("axes") {
        Some(axes) => shape::axes_within(&axes, x.rank(), true, rule::AXES_IN_RANGE)?,
        None => (0..x.rank()).collect(),
    };
    if !shape::distinct(&named) {
        return Err(Refusal::leaves_open(rule::DUPLICATE_AXES, format!("axes {named:?} name an axis twice")));
    }
    let extents: Vec<usize> = named.iter().map(|&a| x.extent(a)).collect();
    let given = |name: &str| call.optional_tensor(name).map(|t| t.filter(|t| !t.is_empty() || x.rank() == 0));
    let (scales, sizes) = (given("scales")?, given("sizes")?);
    let mut resized = match (scales, sizes) {
        (Some(scales), None) => {
            let scales: Vec<f32> = floats(scales, "scales")?.into_iter().map(|s| s as f32).collect();
            checked_scales(&scales, named.len(), 0.0)?;
            scaled_axes(&extents, &scales)?
        }
        (None, Some(sizes)) => {
            let policy = call.optional_string("keep_aspect_ratio_policy").unwrap_or("stretch".to_owned());
            sized_axes(&extents, &wanted(call, sizes, extents.len())?, &policy)?
        }
        _ => {
            return Err(Refusal::violates(
                rule::SCALES_OR_SIZES_GIVEN,
                "exactly one of `scales` and `sizes` has to be given",
            ));
        }
    };
    if transform == Transform::TfCropAndResize {
        regions(call, &mut resized, scales.is_some())?;
    }
    let mut axes: Vec<Axis> = x.shape().iter().map(|&extent| Axis::of_lengths(extent, extent)).collect();
    for (axis, resized) in named.into_iter().zip(resized) {
        axes[axis] = resized;
    }
    Ok(axes)
}

fn wanted(call: &Call, sizes: &Expected, count: usize) -> Result<Vec<usize>, Refusal> {
    if sizes.rank() != 1 || sizes.len() != count {
        return Err(Refusal::violates(
            rule::SCALES_FIT_AXES,
            format!("`sizes` has shape {:?}, expected [{count}]", sizes.shape()),
        ));
    }
    let size = |size: i64| {
        usize::try_from(size).map_err(|_| Refusal::violates(rule::SCALES_IN_RANGE, format!("size {size} is negative")))
    };
    call.ints("sizes")?.into_iter().map(size).collect()
}

/// Resizes axes to the given sizes, under the aspect ratio policy.
fn sized_axes(extents: &[usize], sizes: &[usize], policy: &str) -> Result<Vec<Axis>, Refusal> {
    let pairs = || sizes.iter().zip(extents).map(|(&size, &extent)| (size as f64, extent as f64));
    let less = |a: &(f64, f64), b: &(f64, f64)| (a.0 * b.1).total_cmp(&(b.0 * a.1));
    let ratio = match policy {
        "stretch" => None,
        "not_larger" => pairs().min_by(less),
        "not_smaller" => pairs().max_by(less),
        _ => {
            return Err(Refusal::violates(
                rule::MODES_KNOWN,
                format!("`keep_aspect_ratio_policy` is `{policy}`, which is not a known policy"),
            ));
        }
    };
    let Some((above, below)) = ratio else {
        return Ok(extents.iter().zip(sizes).map(|(&from, &to)| Axis::of_lengths(from, to)).collect());
    };
    let axis = |&from: &usize| {
        // A tie is rounded up. If the order or precision of the operations changes the extent, the extent is left open.
        let exact = (above * from as f64 / below + 0.5).floor();
        let ways = [
            (above / below * from as f64 + 0.5).floor(),
            f64::from(((above / below) as f32 * from as f32 + 0.5).floor()),
        ];
        if below == 0.0 || ways.iter().any(|&way| way != exact) {
            return Err(Refusal::leaves_open(
                rule::EXTENT_ROUNDING,
                format!("an extent is {from} * {above} / {below}, which divides by zero or depends on rounding"),
            ));
        }
        Ok(Axis { scale: (above, below), ..Axis::of_lengths(from, exact as usize) })
    };
    extents.iter().map(axis).collect()
}

/// Reads the regions of interest. If scales are given, the description lets a region change the extents, but shape
/// inference does not. Refuses where this makes a difference (`extent-rounding`).
fn regions(call: &Call, axes: &mut [Axis], scaled: bool) -> Result<(), Refusal> {
    let roi =
        call.optional_tensor("roi")?.ok_or_else(|| Refusal::violates(rule::ROI_FITS_AXES, "input `roi` is missing"))?;
    let count = axes.len();
    if roi.rank() != 1 || roi.len() != 2 * count {
        return Err(Refusal::violates(
            rule::ROI_FITS_AXES,
            format!("`roi` has shape {:?}, expected [{}]", roi.shape(), 2 * count),
        ));
    }
    let ends = floats(roi, "roi")?;
    for (i, axis) in axes.iter_mut().enumerate() {
        axis.roi = (ends[i], ends[count + i]);
        let cropped = (axis.from as f64 * (axis.roi.1 - axis.roi.0) * axis.scale.0 / axis.scale.1).floor();
        if scaled && cropped != axis.to as f64 {
            return Err(Refusal::leaves_open(
                rule::EXTENT_ROUNDING,
                format!("an extent is {cropped} with its region of interest, and {} without it", axis.to),
            ));
        }
    }
    Ok(())
}

/// Returns the axes for each interpretation of the scales, the preferred interpretation first. There are two if a scale
/// gives no whole extent (`fractional-extent`): the first uses the given scale, the second the ratio of the extents.
/// In the modes align_corners and tf_crop_and_resize, both interpretations use the given scale: the first with whole
/// lengths, the second with fractional lengths.
fn readings(axes: &[Axis], transform: Transform) -> Vec<Vec<Axis>> {
    let whole = |a: &Axis| a.scale.0 * a.from as f64 == a.to as f64 * a.scale.1;
    let ratios = || axes.iter().map(|a| Axis { scale: (a.to as f64, a.from as f64), ..*a }).collect();
    match transform {
        _ if axes.iter().all(whole) => vec![axes.to_vec()],
        Transform::AlignCorners | Transform::TfCropAndResize => {
            let fractional = |a: &Axis| Axis { length: a.scale.0 / a.scale.1 * a.from as f64, ..*a };
            vec![axes.to_vec(), axes.iter().map(fractional).collect()]
        }
        _ => vec![axes.to_vec(), ratios()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Judged;
    use crate::testing::{floats, run};

    /// An element is taken twice along each axis at whose end it is: in eighths, which are rounded when they are added, or
    /// in halves that are subnormal.
    #[test]
    fn an_element_at_the_ends_of_axes_may_be_added_up_of_parts() {
        let judged = |x: u32, rank: usize, y: u32| {
            let x = floats(&vec![1; rank], &[f32::from_bits(x)]);
            let sizes: Vec<i64> = (0..rank).map(|axis| if axis + 1 == rank { 6 } else { 1 }).collect();
            let empty = floats(&[0], &[]);
            let inputs = [x, empty.clone(), empty, Tensor::from_i64s(&sizes)];
            let answer = run(r#"Resize <mode = "linear">"#, 13, &inputs, 1).expect("the node is valid");
            let shape: Vec<usize> = sizes.iter().map(|&extent| extent as usize).collect();
            answer[0].judge(&floats(&shape, &[f32::from_bits(y); 6]), 2)
        };
        assert_eq!(judged(0x7efc_501c, 3, 0x7efc_501e), Judged::Accepted);
        assert_eq!(judged(0x3f80_0000, 1, 0x3f80_0008), Judged::Wrong);
        assert_eq!(judged(0x007f_ffff, 1, 0x0080_0000), Judged::Accepted);
        assert_eq!(judged(0x007f_ffff, 1, 0x0080_0010), Judged::Wrong);
    }

    /// 7 / 1.4 is 5, but may be slightly less in float.
    #[test]
    fn a_position_that_rounding_may_move_to_another_element_is_left_open() {
        let x = floats(&[10], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        let empty = floats(&[0], &[]);
        let y = &run(
            r#"Resize <coordinate_transformation_mode = "asymmetric", nearest_mode = "floor">"#,
            11,
            &[x, empty.clone(), empty, Tensor::from_i64s(&[14])],
            1,
        )
        .expect("the node is valid")[0];
        let answer = |at7: f32, at8: f32| floats(&[14], &[0., 0., 1., 2., 2., 3., 4., at7, at8, 6., 7., 7., 8., 9.]);
        assert_eq!(y.tensor, answer(5.0, 5.0));
        assert!(matches!(y.judge(&answer(4.0, 5.0), 7), Judged::Latitude(_)));
        assert_eq!(y.judge(&answer(5.0, 4.0), 8), Judged::Wrong);
        assert_eq!(y.judge(&answer(6.0, 5.0), 7), Judged::Wrong);
    }

    /// The first position lies a quarter of an element outside. If it is moved to the first element, the second element
    /// has the weight 0.
    #[test]
    fn a_position_outside_may_be_moved_to_the_end() {
        let x = floats(&[3], &[1.0, f32::INFINITY, 3.0]);
        let inputs = [x, floats(&[0], &[]), floats(&[1], &[2.0])];
        let y = &run(r#"Resize <mode = "linear">"#, 11, &inputs, 1).expect("the node is valid")[0];
        let judged = |first: f32| {
            y.judge(&floats(&[6], &[first, f32::INFINITY, f32::INFINITY, f32::INFINITY, f32::INFINITY, 3.0]), 0)
        };
        assert_eq!(judged(1.0), Judged::Accepted);
        assert!(matches!(judged(f32::NAN), Judged::Latitude(_)));
        assert_eq!(judged(f32::INFINITY), Judged::Wrong);
    }

    /// With twice as many elements, positions and weights are exact.
    #[test]
    fn exact_positions_leave_nothing_open() {
        let x = floats(&[4], &[1.0, 2.0, 4.0, 8.0]);
        let y = &run(r#"Resize <mode = "linear">"#, 11, &[x, floats(&[0], &[]), floats(&[1], &[2.0])], 1)
            .expect("the node is valid")[0];
        assert_eq!(y.tensor, floats(&[8], &[1.0, 1.25, 1.75, 2.5, 3.5, 5.0, 7.0, 8.0]));
        assert!((0..8).all(|i| y.width_ulp(i) <= 3.0) && y.latitude.is_empty());
    }
}

use crate::families::resample::{Axis, resample};
use crate::families::scales::{averages, checked_scales, floats, scaled_extent, unnamed};
use crate::prelude::*;

/// Enlarges the input by a scale for each axis, with nearest or linear sampling.
///
/// In version 1, attributes scale the height and width of images (`rank-four`). In version 7, an attribute scales every
/// axis; from version 9 on, `scales` is an input. There is one scale per axis, of 1 or more (`scales-fit-axes`,
/// `scales-in-range`), and the mode is known (`mode-known`). The sampled positions: `sample-positions`; rounding:
/// `position-rounding`, `integer-rounding` and `extent-rounding`; infinities and NaN of weight 0:
/// `infinity-with-zero-weight`; types without averages: `non-real-types`.
pub fn upsample(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let scales: Vec<f32> = match call.since() {
        1 => vec![1.0, 1.0, call.float("height_scale")?, call.float("width_scale")?],
        7 => call.optional_float_list("scales").unwrap_or_default(),
        _ => floats(call.tensor("scales")?, "scales")?.into_iter().map(|s| s as f32).collect(),
    };
    if call.since() == 1 && x.rank() != 4 {
        return Err(Refusal::violates(
            rule::RANK_FOUR,
            format!("the input has shape {:?}, expected rank 4", x.shape()),
        ));
    }
    checked_scales(&scales, x.rank(), 1.0)?;
    let linear = match (call.string("mode")?.as_str(), call.since()) {
        ("nearest", _) => false,
        ("bilinear", 1) | ("linear", 7..) => true,
        (mode, _) => {
            return Err(Refusal::violates(
                rule::MODE_KNOWN,
                format!("`mode` is `{mode}`, which this version does not have"),
            ));
        }
    };
    if linear {
        averages(x.dtype(), rule::NON_REAL_TYPES)?;
    }
    one(resample(x, &unnamed(&scaled_axes(x.shape(), &scales)?, linear, rule::SAMPLE_POSITIONS), None)?)
}

/// Scales axes of the given extents.
pub fn scaled_axes(extents: &[usize], scales: &[f32]) -> Result<Vec<Axis>, Refusal> {
    let axis = |(&from, &scale): (&usize, &f32)| {
        let to = scaled_extent(from, scale, rule::EXTENT_ROUNDING)?;
        Ok(Axis { scale: (f64::from(scale), 1.0), ..Axis::of_lengths(from, to) })
    };
    extents.iter().zip(scales).map(axis).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};

    #[test]
    fn integer_scales_repeat_elements() {
        let x = floats(&[1, 2], &[1.0, 2.0]);
        let y = &run("Upsample", 9, &[x, floats(&[2], &[2.0, 3.0])], 1).expect("the node is valid")[0];
        assert_eq!(y.tensor, floats(&[2, 6], &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0]));
        // Positions between the first and the second element are left open. At the others, all accepted roundings
        // agree.
        assert_eq!(y.latitude.iter().map(|(i, _)| *i).collect::<Vec<_>>(), [1, 2, 7, 8]);
    }
}

//! The attributes of windows: how many windows there are, and where padding goes.
//!
//! Operators with windows use these names for the rules that they share:
//!
//! - `input-has-spatial-axes`: the input has at least one spatial axis.
//! - `window-attributes-valid`: the attributes have valid numbers, one for each axis.
//! - `auto-pad-known`: `auto_pad` is known.
//! - `pads-without-auto-pad`: `pads` is not given together with an `auto_pad` other than NOTSET.
//! - `window-fits-axis`: a window fits the axis with its padding.
//! - `negative-same-padding`: what happens if the padding of SAME would be negative.
//! - `ceil-mode`: how the number of windows is rounded up.
//! - `window-just-too-long`: the result for windows that are longer than the padded axis by no more than a stride.

use super::sliding_window::{Axis, Windows};
use crate::prelude::*;

/// The largest extent, stride, dilation or padding that the oracle computes with.
const LARGEST: i64 = 1 << 31;

/// The attribute `auto_pad`: whether it determines the number of windows, and where padding goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoPad {
    /// The attribute `pads` determines the padding.
    NotSet,
    /// There is no padding.
    Valid,
    /// There are as many windows as strides in the extent, rounded up. If the padding is odd, the end gets more.
    SameUpper,
    /// There are as many windows as with `SameUpper`. If the padding is odd, the beginning gets more.
    SameLower,
}

/// The attributes of the windows for each axis.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The number of taps, as given.
    pub kernel: Vec<usize>,
    /// The attribute `strides`; 1 if it is not given.
    pub strides: Vec<usize>,
    /// The attribute `dilations`; 1 if it is not given.
    pub dilations: Vec<usize>,
    /// The attribute `pads`: all beginnings, then all ends; 0 if it is not given.
    pub pads: Vec<i64>,
    /// The attribute `auto_pad`.
    pub auto_pad: AutoPad,
}

/// Returns an attribute with one number for each axis. More or fewer numbers, or a number below `least`, violate
/// `window-attributes-valid`.
pub fn per_axis(call: &Call, name: &str, count: usize, least: i64) -> Result<Option<Vec<i64>>, Refusal> {
    let Some(list) = call.optional_int_list(name) else { return Ok(None) };
    checked(list, name, count, least).map(Some)
}

/// Makes the checks of [`per_axis`] on a list that was read elsewhere.
pub fn checked(list: Vec<i64>, name: &str, count: usize, least: i64) -> Result<Vec<i64>, Refusal> {
    if list.len() != count {
        return Err(Refusal::violates(
            rule::WINDOW_ATTRIBUTES_VALID,
            format!("`{name}` has {} numbers, expected {count}", list.len()),
        ));
    }
    if let Some(bad) = list.iter().find(|&&x| x < least) {
        return Err(Refusal::violates(
            rule::WINDOW_ATTRIBUTES_VALID,
            format!("`{name}` has {bad}, expected {least} or more"),
        ));
    }
    match list.iter().find(|&&x| x > LARGEST) {
        Some(large) => Err(Refusal::failed(format!("`{name}` has {large}, which is more than the oracle takes"))),
        None => Ok(list),
    }
}

/// Returns the spatial extents of a tensor, which has at least three dimensions (`input-has-spatial-axes`).
pub fn spatial(x: &Expected) -> Result<&[usize], Refusal> {
    match x.shape() {
        [_, _, spatial @ ..] if !spatial.is_empty() => Ok(spatial),
        shape => Err(Refusal::violates(
            rule::INPUT_HAS_SPATIAL_AXES,
            format!("the input has shape {shape:?}, expected rank 3 or more"),
        )),
    }
}

impl Settings {
    /// Reads `strides`, `dilations`, `pads` and `auto_pad` for a kernel of these extents.
    pub fn read(call: &Call, kernel: &[i64]) -> Result<Settings, Refusal> {
        let count = kernel.len();
        let kernel = checked(kernel.to_vec(), "kernel_shape", count, 1)?;
        let sizes = |list: Vec<i64>| -> Vec<usize> { list.into_iter().map(|x| x as usize).collect() };
        let ones = |name: &str| Ok::<_, Refusal>(per_axis(call, name, count, 1)?.map_or(vec![1; count], sizes));
        let pads = per_axis(call, "pads", 2 * count, 0)?;
        let auto_pad = match call.optional_string("auto_pad").as_deref() {
            None | Some("NOTSET") => AutoPad::NotSet,
            Some("VALID") => AutoPad::Valid,
            Some("SAME_UPPER") => AutoPad::SameUpper,
            Some("SAME_LOWER") => AutoPad::SameLower,
            Some(other) => {
                return Err(Refusal::violates(
                    rule::AUTO_PAD_KNOWN,
                    format!("`auto_pad` is `{other}`, expected `NOTSET`, `VALID`, `SAME_UPPER` or `SAME_LOWER`"),
                ));
            }
        };
        if auto_pad != AutoPad::NotSet && pads.is_some() {
            return Err(Refusal::violates(rule::PADS_WITHOUT_AUTO_PAD, "both `pads` and `auto_pad` are given"));
        }
        Ok(Settings {
            kernel: sizes(kernel),
            strides: ones("strides")?,
            dilations: ones("dilations")?,
            pads: pads.unwrap_or_else(|| vec![0; 2 * count]),
            auto_pad,
        })
    }

    /// Returns the axis `at` with this extent and the padding of `pads`. Its number of windows is not set yet.
    pub fn axis(&self, at: usize, extent: usize) -> Axis {
        Axis {
            extent,
            kernel: self.kernel[at],
            stride: self.strides[at],
            dilation: self.dilations[at],
            pads: (self.pads[at], self.pads[self.kernel.len() + at]),
            windows: 0,
            removed: 0,
        }
    }

    /// Splits a padding in two. If it is odd, the end gets more, or with SAME_LOWER the beginning.
    pub fn split(&self, total: i64) -> (i64, i64) {
        let half = total.div_euclid(2);
        if self.auto_pad == AutoPad::SameLower { (total - half, half) } else { (half, total - half) }
    }
}

/// How the number of windows is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rounding {
    /// Windows that reach beyond the padding are left out.
    Down,
    /// Windows that reach beyond the padding are kept.
    Up,
    /// The same as `Up`, but the last of several windows is left out if it starts behind the last element, even if it
    /// does not reach beyond the padding.
    UpLessOne,
    /// The same as `Up`, but a window that starts behind the last element is left out, even if it does not reach beyond
    /// the padding. Several such windows are unsupported.
    UpInside,
}

impl Windows {
    /// Returns the windows of a convolution or a pooling, from the attributes of its call.
    pub fn read(call: &Call, extents: &[usize], kernel: &[i64]) -> Result<Windows, Refusal> {
        if kernel.len() != extents.len() {
            return Err(Refusal::violates(
                rule::WINDOW_ATTRIBUTES_VALID,
                format!("the kernel {kernel:?} and the spatial extents {extents:?} have different ranks"),
            ));
        }
        let settings = Settings::read(call, kernel)?;
        let with = |rounding| -> Result<Windows, Refusal> {
            let axis = |(at, &extent)| placed(&settings, settings.axis(at, extent), rounding);
            Ok(Windows { axes: extents.iter().enumerate().map(axis).collect::<Result<_, _>>()? })
        };
        if !call.flag("ceil_mode") {
            return with(Rounding::Down);
        }
        // The text, shape inference and implementations disagree about a window that starts behind the last element
        // (`ceil-mode`).
        let (preferred, other) = match (call.version().id.name.as_str(), call.since()) {
            (_, ..22) => (with(Rounding::Up)?, with(Rounding::UpLessOne)?),
            ("LpPool", _) => (with(Rounding::UpInside)?, with(Rounding::Up)?),
            _ => return with(Rounding::UpInside),
        };
        let differ = preferred.axes.iter().zip(&other.axes).any(|(a, b)| a.windows != b.windows);
        Ok(if differ && call.reading(rule::CEIL_MODE, 2) == 1 { other } else { preferred })
    }

    /// Returns the windows of a pooling, which has its kernel as an attribute.
    pub fn pooling(call: &Call, x: &Expected) -> Result<Windows, Refusal> {
        let extents = spatial(x)?;
        if let Some(kernel) = call.optional_int_list("kernel_shape") {
            return Windows::read(call, extents, &kernel);
        }
        // LpPool-1 does not say what a missing `kernel_shape` means (`default-kernel-shape`). The oracle then takes one
        // window over all elements, whatever the other attributes are.
        Settings::read(call, &vec![1; extents.len()])?;
        let over = |&extent: &usize| Axis {
            extent,
            kernel: extent.max(1),
            stride: 1,
            dilation: 1,
            pads: (0, 0),
            windows: 1,
            removed: 0,
        };
        Ok(Windows { axes: extents.iter().map(over).collect() })
    }
}

/// Returns an axis with its padding and its number of windows.
fn placed(settings: &Settings, axis: Axis, rounding: Rounding) -> Result<Axis, Refusal> {
    let (extent, stride, reach) = (axis.extent as i64, axis.stride as i64, axis.reach());
    if matches!(settings.auto_pad, AutoPad::SameUpper | AutoPad::SameLower) {
        let windows = axis.extent.div_ceil(axis.stride);
        let total = (windows as i64 - 1) * stride + reach - extent;
        // If the formula gives a negative padding, the padding is 0: `negative-same-padding`.
        return Ok(Axis { pads: settings.split(total.max(0)), windows, removed: total.min(0), ..axis });
    }
    let (before, behind) = axis.pads;
    let slack = extent + before + behind - reach;
    if slack < 0 {
        let message = format!("a window of {reach} is longer than an axis of {extent} with pads {:?}", axis.pads);
        return Err(if slack < -stride {
            Refusal::violates(rule::WINDOW_FITS_AXIS, message)
        } else {
            Refusal::leaves_open(rule::WINDOW_JUST_TOO_LONG, message)
        });
    }
    let down = slack / stride + 1;
    let up = down + i64::from(slack % stride != 0);
    if rounding != Rounding::Down && settings.auto_pad == AutoPad::Valid && up != down {
        return Err(Refusal::unsupported(format!(
            "{}: the text and shape inference give different outputs for `ceil_mode` with VALID",
            rule::CEIL_MODE
        )));
    }
    let starts_behind = |windows: i64| (windows - 1) * stride >= extent + before;
    let windows = match rounding {
        Rounding::Down => down,
        Rounding::Up => up,
        Rounding::UpLessOne => up - i64::from(up > 1 && starts_behind(up)),
        Rounding::UpInside if starts_behind(up) => {
            if starts_behind(up - 1) {
                return Err(Refusal::unsupported(format!(
                    "{}: more than one window starts after the last element",
                    rule::CEIL_MODE
                )));
            }
            up - 1
        }
        Rounding::UpInside => up,
    };
    Ok(Axis { windows: windows as usize, ..axis })
}

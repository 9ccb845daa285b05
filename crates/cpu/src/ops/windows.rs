//! Windows that slide over spatial axes, read from the attributes of a node.

pub use crate::kernels::windows::Windows;
use crate::node::Node;
use plumbline_graph::Refusal;

/// The largest number that an attribute may contain. A larger one is refused before anything is multiplied.
const MOST: i64 = 1 << 31;

/// The attributes of the spatial axes.
pub struct Spatial {
    /// Strides, one for each axis.
    pub strides: Vec<usize>,
    /// Dilations, one for each axis.
    pub dilations: Vec<usize>,
    /// Padding: at the start of each axis, then at the end of each axis. It is zero if `auto_pad` sets the padding.
    pub pads: Vec<usize>,
    /// Whether `auto_pad` is SAME_UPPER (true) or SAME_LOWER (false). It is `None` otherwise.
    pub same_upper: Option<bool>,
}

/// Returns an attribute that is a list of `count` numbers, each at least `least`. If it is left out, each number is
/// `default`.
pub fn counts(node: &Node, name: &str, count: usize, least: i64, default: usize) -> Result<Vec<usize>, Refusal> {
    let Some(given) = node.ints(name) else { return Ok(vec![default; count]) };
    if given.len() != count || given.iter().any(|&n| n < least) {
        return Err(Refusal::invalid(format!("`{name}` is {given:?}, expected {count} numbers of {least} or more")));
    }
    if given.iter().any(|&n| n > MOST) {
        return Err(Refusal::unsupported(format!(
            "`{name}` is {given:?}, which has a number above {MOST}, the limit of this backend"
        )));
    }
    Ok(given.iter().map(|&n| n as usize).collect())
}

impl Spatial {
    /// Reads the attributes of a node with this many spatial axes.
    pub fn read(node: &Node, axes: usize) -> Result<Spatial, Refusal> {
        let strides = counts(node, "strides", axes, 1, 1)?;
        let dilations = counts(node, "dilations", axes, 1, 1)?;
        let pads = counts(node, "pads", 2 * axes, 0, 0)?;
        let auto_pad = node.string("auto_pad")?;
        let same_upper = match auto_pad {
            "NOTSET" | "VALID" => None,
            "" if node.version.attribute("auto_pad").is_none() => None,
            "SAME_UPPER" => Some(true),
            "SAME_LOWER" => Some(false),
            other => {
                return Err(Refusal::invalid(format!(
                    "`auto_pad` is `{other}`, expected `NOTSET`, `VALID`, `SAME_UPPER` or `SAME_LOWER`"
                )));
            }
        };
        if node.given("pads").is_some() && !matches!(auto_pad, "NOTSET" | "") {
            return Err(Refusal::invalid(format!("`pads` is given together with `auto_pad` `{auto_pad}`")));
        }
        Ok(Spatial { strides, dilations, pads, same_upper })
    }
}

/// Returns the number of axes besides batch and channel, which must be at least one.
pub fn spatial_axes(shape: &[usize]) -> Result<usize, Refusal> {
    match shape.len().checked_sub(2) {
        Some(axes @ 1..) => Ok(axes),
        _ => Err(Refusal::invalid(format!("the input has shape {shape:?}, expected rank 3 or more"))),
    }
}

impl Windows {
    /// Returns the windows of a node over an input with these spatial extents. `kernel` is the number of taps along
    /// each axis.
    pub fn read(node: &Node, input: &[usize], kernel: &[usize]) -> Result<Windows, Refusal> {
        let spatial = Spatial::read(node, input.len())?;
        let (ceil, drop_last) = (node.int("ceil_mode") != 0, node.since() >= 22);
        let axes = input.len();
        let mut windows = Windows {
            input: input.to_vec(),
            kernel: kernel.to_vec(),
            begin: spatial.pads[..axes].to_vec(),
            end: spatial.pads[axes..].to_vec(),
            output: Vec::with_capacity(axes),
            strides: spatial.strides,
            dilations: spatial.dilations,
        };
        for (d, &extent) in input.iter().enumerate() {
            let (stride, span) = (windows.strides[d], windows.span(d)?);
            if let Some(upper) = spatial.same_upper {
                let count = extent.div_ceil(stride);
                let total = (count.saturating_sub(1) * stride + span).saturating_sub(extent);
                let (less, more) = (total / 2, total - total / 2);
                (windows.begin[d], windows.end[d]) = if upper { (less, more) } else { (more, less) };
                windows.output.push(count);
                continue;
            }
            let whole = extent + windows.begin[d] + windows.end[d];
            let room = whole.checked_sub(span).ok_or_else(|| {
                Refusal::invalid(format!(
                    "a window of {span} is longer than the axis, which has {whole} elements with its padding"
                ))
            })?;
            let mut count = 1 + if ceil { room.div_ceil(stride) } else { room / stride };
            if ceil && drop_last && (count - 1) * stride >= extent + windows.begin[d] {
                count -= 1;
            }
            windows.output.push(count);
        }
        Ok(windows)
    }
}

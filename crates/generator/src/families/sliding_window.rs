//! Windows over spatial axes, for convolution and pooling.

use crate::prelude::*;

/// The spatial axes that have been drawn.
pub struct Spatial {
    /// The extents of the tensor on which the windows lie.
    pub extents: Vec<usize>,
    /// The number of taps of a window along each axis.
    pub kernel: Vec<usize>,
    /// The number of windows along each axis, without those that `ceil_mode` and SAME add.
    pub windows: Vec<usize>,
}

/// Draws the extent of an axis. With three axes, the extents stay small.
fn extent(draw: &mut Draw, rank: usize) -> i64 {
    if draw.is_large() {
        return draw.large_spatial(rank) as i64;
    }
    match rank {
        1 => draw.choose(&[5, 4, 7, 3, 9, 2, 1]),
        2 => draw.choose(&[4, 5, 3, 6, 2, 1]),
        _ => draw.choose(&[3, 2, 4, 1]),
    }
}

/// Draws the extent of an axis, which is a larger one in some cases (see [`Draw::extent`]).
fn larger_extent(draw: &mut Draw, rank: usize) -> i64 {
    let usual = extent(draw, rank);
    let others = 4usize.pow(rank as u32 - 1);
    draw.extent(usual as usize, others) as i64
}

/// Draws one to three spatial axes; two are the most frequent.
pub fn rank(draw: &mut Draw) -> usize {
    match if draw.is_large() { draw.choose(&[2, 2, 1, 2, 3]) } else { draw.choose(&[2, 1, 2, 3]) } {
        3 => {
            draw.feature("three spatial axes");
            3
        }
        1 => {
            draw.feature("one spatial axis");
            1
        }
        rank => rank,
    }
}

/// Draws a number for each axis, or `None` if the attribute is left out.
fn sizes(draw: &mut Draw, name: &str, rank: usize, most: i64) -> Option<Vec<i64>> {
    // Fast kernels are for windows that lie side by side, so most large cases have no other strides and dilations than 1.
    let most = if draw.is_large() && !draw.once_in(4) { 1 } else { most };
    draw.give_attribute(name).then(|| (0..rank).map(|_| draw.range(1..=most)).collect())
}

/// One spatial axis.
struct Axis {
    extent: i64,
    kernel: i64,
    stride: i64,
    dilation: i64,
    pads: [i64; 2],
}

impl Axis {
    fn reach(&self) -> i64 {
        (self.kernel - 1) * self.dilation + 1
    }

    /// Returns how much SAME pads, at both ends together.
    fn same(&self) -> i64 {
        let windows = (self.extent + self.stride - 1) / self.stride;
        ((windows - 1) * self.stride + self.reach() - self.extent).max(0)
    }

    /// Returns how many elements and pads are left after the first window.
    fn slack(&self) -> i64 {
        self.extent + self.pads[0] + self.pads[1] - self.reach()
    }
}

/// Draws the axes and gives `strides`, `dilations`, `pads`, `auto_pad` and `ceil_mode`. At least one window fits on
/// each axis. If `wide` is set, some windows may lie entirely on the padding.
pub fn spatial(draw: &mut Draw, rank: usize, wide: bool) -> Spatial {
    let strides = sizes(draw, "strides", rank, 3);
    let mut dilations = sizes(draw, "dilations", rank, if rank < 3 { 3 } else { 2 });
    let mut axes: Vec<Axis> = (0..rank)
        .map(|i| Axis {
            extent: larger_extent(draw, rank),
            kernel: if draw.is_large() { draw.choose(&[3, 3, 1, 3]) } else { draw.choose(&[2, 1, 3]) },
            stride: strides.as_ref().map_or(1, |s| s[i]),
            dilation: dilations.as_ref().map_or(1, |d| d[i]),
            pads: [0; 2],
        })
        .collect();
    let auto_pad = draw.turn_attribute("auto_pad", &["SAME_LOWER", "SAME_UPPER", "NOTSET", "VALID"]);
    auto_pad.into_iter().for_each(|mode| draw.string_attribute("auto_pad", mode));
    let explicit = matches!(auto_pad, None | Some("NOTSET"));
    if explicit && (draw.give_attribute("pads") || auto_pad.is_some() && !draw.once_in(4)) {
        let wide = wide && draw.once_in(8);
        if wide {
            draw.feature("wide padding");
        }
        for axis in &mut axes {
            let most = if wide { 3 } else { (axis.reach() - 1).min(2) };
            axis.pads = [draw.range(0..=most), draw.range(0..=most)];
        }
        let wider = axes.iter_mut().find(|a| a.reach() > 1);
        if let Some(axis) = wider.filter(|a| a.pads[0] == a.pads[1] && !draw.once_in(4)) {
            axis.pads = [1, 0];
        }
        if axes.iter().any(|a| a.pads[0] != a.pads[1]) {
            draw.feature("asymmetric padding");
        }
        let pads: Vec<i64> = [0, 1].into_iter().flat_map(|end| axes.iter().map(move |a| a.pads[end])).collect();
        draw.ints_attribute("pads", &pads);
    }
    let same = matches!(auto_pad, Some("SAME_UPPER" | "SAME_LOWER"));
    for (i, axis) in axes.iter_mut().enumerate() {
        // Makes the window smaller if not even the first one fits.
        if !same && axis.slack() < 0 {
            axis.dilation = 1;
            dilations.iter_mut().for_each(|d| d[i] = 1);
            axis.kernel = axis.kernel.min(axis.extent + axis.pads[0] + axis.pads[1]);
        }
    }
    match auto_pad {
        Some("SAME_UPPER") => draw.feature("SAME_UPPER"),
        Some("SAME_LOWER") => draw.feature("SAME_LOWER"),
        Some("VALID") => draw.feature("VALID"),
        _ => {}
    }
    // SAME_UPPER and SAME_LOWER differ only if the padding is odd.
    if same && !axes.iter().any(|a| a.same() % 2 == 1) && !draw.once_in(4) {
        let at = draw.below(rank);
        let axis = &mut axes[at];
        (axis.kernel, axis.dilation) = (2, 1);
        axis.extent = (axis.extent.max(2) - 2) / axis.stride * axis.stride + axis.stride + 1;
        dilations.iter_mut().for_each(|d| d[at] = 1);
    }
    if same && axes.iter().any(|a| a.same() % 2 == 1) {
        draw.feature("SAME with an odd padding");
    }
    if same && axes.iter().any(|a| a.reach() < a.stride) {
        draw.feature("SAME with windows apart");
    }
    if same && axes.iter().any(|a| a.dilation > 1 && a.kernel > 1) {
        draw.feature("SAME with dilations");
    }
    if draw.is_large() && rank == 2 && axes.iter().all(|a| (a.kernel, a.stride, a.dilation) == (3, 1, 1)) {
        draw.note_large("3x3 windows side by side");
    }
    strides.into_iter().for_each(|strides| draw.ints_attribute("strides", &strides));
    dilations.into_iter().for_each(|dilations| draw.ints_attribute("dilations", &dilations));
    if let Some(ceil) = draw.turn_attribute("ceil_mode", &[0, 1, 1]) {
        // In two cases of three, this extends an axis until `stride - 1` elements are left after its last window. The
        // window that rounding up adds then usually starts inside the input.
        if explicit && !draw.once_in(3) {
            let wide = axes.iter_mut().find(|a| a.stride > 1);
            wide.into_iter().for_each(|axis| axis.extent += axis.stride - 1 - axis.slack().rem_euclid(axis.stride));
        }
        let added = axes.iter().any(|a| a.slack() % a.stride != 0);
        // With VALID, the specification's text and the shape inference disagree on the windows that rounding up adds.
        // They also disagree if several windows start after the last element.
        let open = auto_pad == Some("VALID") && added || axes.iter().any(|a| a.pads[1] >= a.reach());
        let ceil = if open { 0 } else { ceil };
        draw.int_attribute("ceil_mode", ceil);
        if ceil == 1 && added && explicit {
            draw.feature("rounding up adds a window");
        }
    }
    let sizes = |of: fn(&Axis) -> i64| axes.iter().map(|a| of(a) as usize).collect();
    Spatial {
        extents: sizes(|a| a.extent),
        kernel: sizes(|a| a.kernel),
        windows: sizes(|a| a.slack().max(0) / a.stride + 1),
    }
}

/// Gives one attribute with the wrong length or with a number that no axis can have, and leaves the other attributes
/// out. Returns the kernel for `rank` axes. If the wrong attribute is `kernel_shape`, the returned kernel is wrong.
pub fn wrong_attribute(draw: &mut Draw, rank: usize) -> Vec<i64> {
    let names = ["strides", "dilations", "pads", "kernel_shape"];
    let mut known: Vec<&str> = names.into_iter().filter(|name| draw.has_attribute(name)).collect();
    // If the kernel is an input, its shape belongs to another constraint.
    known.retain(|name| *name != "kernel_shape" || draw.version().inputs.len() == 1);
    let kernel = vec![2; rank];
    match draw.way_of(&known) {
        "kernel_shape" => match draw.way(3) {
            0 => vec![2; rank + 1],
            1 => vec![2; rank - 1],
            _ => {
                let mut kernel = kernel;
                let at = draw.way(rank);
                kernel[at] = draw.under(1);
                kernel
            }
        },
        name => {
            let count = if name == "pads" { 2 * rank } else { rank };
            let mut list = vec![1; count];
            match draw.way(3) {
                0 => list.push(1),
                1 => drop(list.pop()),
                _ => {
                    let at = draw.way(count);
                    list[at] = draw.under(i64::from(name != "pads"));
                }
            }
            draw.ints_attribute(name, &list);
            kernel
        }
    }
}

/// Gives an unknown `auto_pad`.
pub fn unknown_auto_pad(draw: &mut Draw) {
    let mode = draw.way_of(&["SAME", "same_upper", "EXPLICIT", ""]);
    draw.string_attribute("auto_pad", mode);
}

/// Gives `pads` together with `auto_pad`.
pub fn pads_and_auto_pad(draw: &mut Draw, rank: usize) {
    let mode = draw.way_of(&["SAME_UPPER", "SAME_LOWER", "VALID"]);
    draw.string_attribute("auto_pad", mode);
    let pad = draw.range(0..=1);
    draw.ints_attribute("pads", &vec![pad; 2 * rank]);
}

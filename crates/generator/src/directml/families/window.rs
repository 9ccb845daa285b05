//! Convolutions and poolings.

use crate::directml::description::Attribute;
use crate::directml::sketch::Drawing;
use crate::values::Values;

/// What is drawn for each dimension of a window, and the size of the output along it.
pub(super) struct Window {
    pub size: u32,
    stride: u32,
    dilation: u32,
    start: u32,
    end: u32,
    pub output: u32,
}

/// What windows may have.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// Dilations above 1.
    pub dilates: bool,
    /// Padding.
    pub pads: bool,
}

pub(super) fn ints(values: impl Iterator<Item = u32>) -> Attribute {
    Attribute::Ints(values.map(i64::from).collect())
}

/// Draws a window that fits into an input of this size with its padding. The padding is narrower than the window.
fn window(d: &mut Drawing, input: u32, kind: Kind) -> Window {
    let size = d.range(1..=input.min(3));
    let dilation = if kind.dilates && (size - 1) * 2 < input { d.range(1..=2) } else { 1 };
    let reach = (size - 1) * dilation + 1;
    let stride = d.range(1..=2);
    // Each window has an element of the input.
    let most = if kind.pads && dilation == 1 { size - 1 } else { 0 };
    let (start, end) = (d.range(0..=most), d.range(0..=most));
    let output = (input + start + end - reach) / stride + 1;
    Window { size, stride, dilation, start, end, output }
}

/// Draws a window for each of these sizes, and gives strides, padding and dilations.
pub(super) fn windows(d: &mut Drawing, input: &[u32], kind: Kind) -> Vec<Window> {
    let windows: Vec<Window> = input.iter().map(|&size| window(d, size, kind)).collect();
    d.give("Strides", ints(windows.iter().map(|w| w.stride)));
    d.give("StartPadding", ints(windows.iter().map(|w| w.start)));
    d.give("EndPadding", ints(windows.iter().map(|w| w.end)));
    if d.operator().field("Dilations").is_some() {
        d.give("Dilations", ints(windows.iter().map(|w| w.dilation)));
    }
    windows
}

pub(super) fn pooling(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "OutputTensor"]);
    let count = d.range(counts) as usize;
    d.feature(&format!("{count} dimensions"));
    let lead = [d.range(1..=2), d.range(1..=3)];
    let input: Vec<u32> = (2..count).map(|_| d.range(1..=5)).collect();
    let dilates = d.operator().field("Dilations").is_some();
    let windows = windows(d, &input, Kind { dilates, pads: true });
    d.give("WindowSize", ints(windows.iter().map(|w| w.size)));
    include_padding(d);
    // The formula of LP_POOLING has no magnitudes.
    let has_norm = d.operator().field("P").is_some();
    if has_norm {
        let p = d.pick(&[2, 1]);
        d.give("P", Attribute::Int(p));
    }
    let values = if has_norm { Values::Between(0.5, 2.0) } else { Values::Moderate };
    d.input("InputTensor", &[&lead[..], &input].concat(), values);
    let output: Vec<u32> = windows.iter().map(|w| w.output).collect();
    d.output("OutputTensor", &[&lead[..], &output].concat());
    Some(())
}

/// Draws `IncludePadding`, if the operator has it.
pub(super) fn include_padding(d: &mut Drawing) {
    if d.operator().field("IncludePadding").is_some() {
        let is_included = !d.flag();
        d.feature(&format!("IncludePadding {is_included}"));
        d.give("IncludePadding", Attribute::Bool(is_included));
    }
}

/// The sizes of a convolution.
pub(super) struct Convolution {
    pub input: Vec<u32>,
    pub filter: Vec<u32>,
    pub output: Vec<u32>,
}

impl Convolution {
    /// Draws sizes, groups and windows, and gives the fields that have them.
    pub fn draw(d: &mut Drawing, pads: bool) -> Convolution {
        let counts = d.dimension_counts(&["InputTensor", "FilterTensor", "OutputTensor"]);
        let count = d.range(counts) as usize;
        d.feature(&format!("{count} dimensions"));
        let groups = d.pick(&[1, 2, 1]);
        let (batch, channels, filters) = (d.range(1..=2), d.range(1..=3), d.range(1..=3));
        let spatial: Vec<u32> = (2..count).map(|_| d.range(1..=5)).collect();
        let windows = windows(d, &spatial, Kind { dilates: true, pads });
        d.give("GroupCount", Attribute::Int(i64::from(groups)));
        let of = |first: u32, second: u32, rest: Vec<u32>| [&[first, second][..], &rest].concat();
        Convolution {
            input: of(batch, channels * groups, spatial),
            filter: of(filters * groups, channels, windows.iter().map(|w| w.size).collect()),
            output: of(batch, filters * groups, windows.iter().map(|w| w.output).collect()),
        }
    }

    /// Returns sizes that have the channels of the output in the second dimension, and are 1 elsewhere.
    pub fn of_channels(&self, count: usize) -> Vec<u32> {
        (0..count).map(|at| if at == 1 { self.output[1] } else { 1 }).collect()
    }
}

pub(super) fn convolution(d: &mut Drawing) -> Option<()> {
    let sizes = Convolution::draw(d, true);
    let count = sizes.input.len();
    d.give("OutputPadding", ints((2..count).map(|_| 0)));
    d.attributes();
    d.input("InputTensor", &sizes.input, Values::Between(-2.0, 2.0));
    d.input("FilterTensor", &sizes.filter, Values::Between(-2.0, 2.0));
    if d.has("BiasTensor") {
        d.input("BiasTensor", &sizes.of_channels(count), Values::Between(-2.0, 2.0));
    }
    d.output("OutputTensor", &sizes.output);
    Some(())
}

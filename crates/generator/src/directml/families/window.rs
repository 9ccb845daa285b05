//! Convolutions, poolings and folds.

use crate::directml::description::Attribute;
use crate::directml::sketch::Drawing;
use crate::values::Values;

/// What is drawn for each dimension of a window, and the number of windows along it.
struct Window {
    size: u32,
    stride: u32,
    dilation: u32,
    start: u32,
    end: u32,
    count: u32,
}

impl Window {
    /// The elements from the first tap to the last one.
    fn reach(&self) -> u32 {
        (self.size - 1) * self.dilation + 1
    }
}

fn ints(values: impl Iterator<Item = u32>) -> Attribute {
    Attribute::Ints(values.map(i64::from).collect())
}

/// Returns sizes: two, and those of the spatial dimensions.
fn joined(first: [u32; 2], spatial: impl Iterator<Item = u32>) -> Vec<u32> {
    first.into_iter().chain(spatial).collect()
}

/// Draws a window that spans at most an input of this size. The padding, if there is some, is narrower than the number of
/// taps, so each window has an element of the input.
fn window(d: &mut Drawing, input: u32, dilates: bool, pads: bool) -> Window {
    let size = d.range(1..=input.min(3));
    let dilation = if dilates && (size - 1) * 2 < input { d.range(1..=2) } else { 1 };
    let stride = d.range(1..=2);
    let most = if pads { size - 1 } else { 0 };
    let (start, end) = (d.range(0..=most), d.range(0..=most));
    let window = Window { size, stride, dilation, start, end, count: 0 };
    Window { count: (input + start + end - window.reach()) / stride + 1, ..window }
}

/// Draws windows over these spatial dimensions, and gives the arrays that describe them.
fn windows(d: &mut Drawing, input: &[u32], pads: bool) -> Vec<Window> {
    let dilates = d.operator().field("Dilations").is_some();
    let windows: Vec<Window> = input.iter().map(|&size| window(d, size, dilates, pads)).collect();
    give_windows(d, &windows);
    windows
}

fn give_windows(d: &mut Drawing, windows: &[Window]) {
    d.give("Strides", ints(windows.iter().map(|w| w.stride)));
    d.give("StartPadding", ints(windows.iter().map(|w| w.start)));
    d.give("EndPadding", ints(windows.iter().map(|w| w.end)));
    for (name, values) in [
        ("Dilations", ints(windows.iter().map(|w| w.dilation))),
        ("WindowSize", ints(windows.iter().map(|w| w.size))),
        ("WindowSizes", ints(windows.iter().map(|w| w.size))),
    ] {
        if d.operator().field(name).is_some() {
            d.give(name, values);
        }
    }
}

/// What a pooling operator reads or writes.
pub(super) struct Pool {
    pub whole: Vec<u32>,
    pub pooled: Vec<u32>,
}

/// Draws the sizes of these tensors of a pooling operator and its windows, and gives the arrays that describe them.
pub(super) fn pool(d: &mut Drawing, names: &[&str]) -> Pool {
    let counts = d.dimension_counts(names);
    let count = d.dimension_count(counts) as usize;
    d.feature(&format!("{count} dimensions"));
    let lead = [d.range(1..=2), d.range(1..=3)];
    let input: Vec<u32> = (2..count).map(|_| d.range(1..=5)).collect();
    let windows = windows(d, &input, true);
    if d.operator().field("IncludePadding").is_some() {
        let is_included = !d.flag();
        d.give("IncludePadding", Attribute::Bool(is_included));
    }
    let pooled = joined(lead, windows.iter().map(|w| w.count));
    Pool { whole: joined(lead, input.into_iter()), pooled }
}

/// Does the same as [`pool`] for all tensors of the operator, which have as many dimensions.
fn pool_of_all(d: &mut Drawing) -> Pool {
    let names: Vec<&str> = d.operator().tensors().map(|field| field.name.as_str()).collect();
    pool(d, &names)
}

pub(super) fn pooling(d: &mut Drawing) -> Option<()> {
    let Pool { whole, pooled } = pool_of_all(d);
    // The formula of LP_POOLING has no magnitudes.
    let has_norm = d.operator().field("P").is_some();
    if has_norm {
        let p = d.pick(&[2, 1]);
        d.give("P", Attribute::Int(p));
    }
    let has_indices = d.has("OutputIndicesTensor");
    let values = match (has_norm, has_indices) {
        (true, _) => Values::Between(0.5, 2.0),
        // With equal elements, the index is that of the first one.
        (_, true) => Values::Integers,
        _ => Values::Moderate,
    };
    d.input("InputTensor", &whole, values);
    d.output("OutputTensor", &pooled);
    if has_indices {
        d.output("OutputIndicesTensor", &pooled);
    }
    Some(())
}

pub(super) fn pooling_gradient(d: &mut Drawing) -> Option<()> {
    let Pool { whole, pooled } = pool_of_all(d);
    if d.operator().field("InputTensor").is_some() {
        d.input("InputTensor", &whole, Values::Integers);
    }
    d.input("InputGradientTensor", &pooled, Values::Between(-2.0, 2.0));
    d.output("OutputGradientTensor", &whole);
    Some(())
}

/// The elements of a plane go to different places in the same plane, as those of a pooling without overlap come from.
pub(super) fn unpooling(d: &mut Drawing) -> Option<()> {
    let lead = [d.range(1..=2), d.range(1..=3)];
    let input = [d.range(1..=3), d.range(1..=4)];
    let output = input.map(|size| size + d.range(0..=3));
    let (count, plane) = (input.iter().product::<u32>(), output.iter().product::<u32>());
    let planes: u32 = lead.iter().product();
    let mut indices = Vec::new();
    for at in 0..planes {
        let mut free: Vec<u32> = (0..plane).collect();
        for _ in 0..count {
            let chosen = d.below(free.len());
            indices.push(i128::from(at * plane + free.swap_remove(chosen)));
        }
    }
    d.input("InputTensor", &joined(lead, input.into_iter()), Values::Moderate);
    d.input_of("IndicesTensor", &joined(lead, input.into_iter()), &indices);
    d.output("OutputTensor", &joined(lead, output.into_iter()));
    Some(())
}

/// Draws an image with one spatial dimension and its columns, and returns the sizes of both.
fn image_and_columns(d: &mut Drawing) -> (Vec<u32>, Vec<u32>) {
    let (batch, channels) = (d.range(1..=2), d.range(1..=3));
    let input = [d.range(2..=9)];
    let windows = windows(d, &input, true);
    let taps: u32 = windows.iter().map(|w| w.size).product();
    let blocks: u32 = windows.iter().map(|w| w.count).product();
    (joined([batch, channels], input.into_iter()), vec![batch, channels * taps, blocks])
}

pub(super) fn unfold(d: &mut Drawing) -> Option<()> {
    let (image, columns) = image_and_columns(d);
    d.input("InputTensor", &image, Values::Moderate);
    d.output("OutputTensor", &columns);
    Some(())
}

pub(super) fn fold(d: &mut Drawing) -> Option<()> {
    let (image, columns) = image_and_columns(d);
    d.input("InputTensor", &columns, Values::Between(-2.0, 2.0));
    d.output("OutputTensor", &image);
    Some(())
}

/// Draws the windows of a transposed convolution, in which each element of the input is spread over a window. The padding
/// leaves at least one element. `count` is the size of the output.
fn transposed_window(d: &mut Drawing, input: u32) -> Window {
    let (size, dilation, stride) = (d.range(1..=3), d.range(1..=2), d.range(1..=2));
    let window = Window { size, stride, dilation, start: 0, end: 0, count: 0 };
    let full = (input - 1) * stride + window.reach();
    let most = (size - 1).min((full - 1) / 2);
    let (start, end) = (d.range(0..=most), d.range(0..=most));
    Window { start, end, count: full - start - end, ..window }
}

/// The sizes of a convolution.
pub(super) struct Convolution {
    pub input: Vec<u32>,
    pub filter: Vec<u32>,
    pub output: Vec<u32>,
}

impl Convolution {
    /// Draws sizes, groups and windows, and gives the fields that have them.
    pub fn draw(d: &mut Drawing, pads: bool, is_backward: bool) -> Convolution {
        let counts = d.dimension_counts(&["InputTensor", "FilterTensor", "OutputTensor"]);
        let count = d.dimension_count(counts) as usize;
        d.feature(&format!("{count} dimensions"));
        let groups = d.pick(&[1, 2, 1]);
        let (batch, channels, filters) = (d.range(1..=2), d.range(1..=3), d.range(1..=3));
        let spatial: Vec<u32> = (2..count).map(|_| d.range(1..=5)).collect();
        let windows = if is_backward {
            let windows: Vec<Window> = spatial.iter().map(|&size| transposed_window(d, size)).collect();
            give_windows(d, &windows);
            windows
        } else {
            windows(d, &spatial, pads)
        };
        d.give("GroupCount", Attribute::Int(i64::from(groups)));
        // The filter of the transposed convolution is that of the convolution whose input it computes.
        let of_filter = if is_backward { [channels * groups, filters] } else { [filters * groups, channels] };
        Convolution {
            input: joined([batch, channels * groups], spatial.into_iter()),
            filter: joined(of_filter, windows.iter().map(|w| w.size)),
            output: joined([batch, filters * groups], windows.iter().map(|w| w.count)),
        }
    }

    /// Returns sizes that have the channels of the output in the second dimension, and are 1 elsewhere.
    pub fn of_channels(&self, count: usize) -> Vec<u32> {
        (0..count).map(|at| if at == 1 { self.output[1] } else { 1 }).collect()
    }
}

pub(super) fn convolution(d: &mut Drawing) -> Option<()> {
    let is_backward = d.flag();
    let direction = if is_backward { "BACKWARD" } else { "FORWARD" };
    d.give("Direction", Attribute::Name(format!("DML_CONVOLUTION_DIRECTION_{direction}")));
    let sizes = Convolution::draw(d, true, is_backward);
    let count = sizes.input.len();
    d.give("OutputPadding", ints((2..count).map(|_| 0)));
    d.attributes();
    let values = Values::Between(-2.0, 2.0);
    d.input("InputTensor", &sizes.input, values);
    d.input("FilterTensor", &sizes.filter, values);
    if d.has("BiasTensor") {
        d.input("BiasTensor", &sizes.of_channels(count), values);
    }
    d.output("OutputTensor", &sizes.output);
    Some(())
}

//! Lowers convolutions.

use super::activation::swished;
use super::context::{Lowering, scalar, sizes_from};
use super::error::{LoweringError, Obstacle, Unsupported};
use super::parts::{Window, cut, joined, padded};
use super::view::View;
use super::window::{Windows, deepened, unsigned};
use super::{Rule, Views};
use plumbline_graph::Refusal;
use plumbline_spec::directml::{FeatureLevel, TensorDataType};

pub const OPERATORS: &[(&str, Rule)] = &[
    ("CausalConvWithState", causal),
    ("Conv", conv),
    ("ConvInteger", conv_integer),
    ("ConvTranspose", conv_transpose),
];

/// Returns the input and the filter of a convolution, the sizes of its kernel, and the number of groups.
fn operands(lower: &mut Lowering) -> Result<(View, View, Vec<i64>, i64), LoweringError> {
    let (x, w) = (lower.input(0)?, lower.input(1)?);
    if x.rank() != w.rank() || x.rank() < 3 {
        return Err(Refusal::invalid(format!(
            "the input has rank {} and the filter rank {}, expected equal ranks of at least 3",
            x.rank(),
            w.rank()
        ))
        .into());
    }
    let kernel = w.sizes[2..].iter().copied().map(i64::from).collect();
    Ok((x, w, kernel, lower.node.int("group").max(1)))
}

pub fn shape_of(batches: u32, channels: i64, spatial: &[i64]) -> Result<Vec<u32>, LoweringError> {
    sizes_from("Y", &[&[i64::from(batches), channels], spatial].concat())
}

/// Returns whether a tensor has one spatial dimension but needs a second one: before level 4_0, convolutions take at
/// least two.
pub fn flat(lower: &Lowering, x: &View) -> bool {
    x.rank() == 3 && lower.level() < FeatureLevel::V4_0
}

fn conv(lower: &mut Lowering) -> Views {
    let (x, w, kernel, group) = operands(lower)?;
    let mut windows = Windows::read(lower, &x.sizes[2..], &kernel)?;
    windows.pad_by(lower.node.string("auto_pad")?, &x.sizes[2..]);
    let shape = shape_of(x.sizes[0], w.sizes[0].into(), &windows.places(&x.sizes[2..]))?;
    let none = vec![0; kernel.len()];
    convolve(lower, "FORWARD", [x, w], windows, none, group, &shape)
}

/// ConvTranspose: a convolution with the direction BACKWARD. An explicit output shape determines the padding.
fn conv_transpose(lower: &mut Lowering) -> Views {
    let (x, w, kernel, group) = operands(lower)?;
    let n = kernel.len();
    let mut windows = Windows::read(lower, &x.sizes[2..], &kernel)?;
    let auto_pad = lower.node.string("auto_pad")?;
    let list = |name: &str| lower.node.ints(name).filter(|list| !list.is_empty()).map(<[i64]>::to_vec);
    let added = list("output_padding").unwrap_or_else(|| vec![0; n]);
    let asked = list("output_shape").map(|shape| shape[shape.len().saturating_sub(n)..].to_vec());
    if added.len() != n || asked.as_ref().is_some_and(|asked| asked.len() != n) {
        return Err(Refusal::invalid(format!(
            "`output_padding` or `output_shape` does not have {n} elements, one for each spatial dimension"
        ))
        .into());
    }
    let same = auto_pad.starts_with("SAME");
    let mut spatial = Vec::new();
    for d in 0..n {
        // The attributes of an invalid node may be any numbers, so the arithmetic saturates.
        let between = (i64::from(x.sizes[2 + d]) - 1).saturating_mul(windows.strides[d]);
        let whole = between.saturating_add(windows.reach(d)).saturating_add(added[d]);
        let wanted = asked.as_ref().map(|asked| asked[d]);
        let wanted = wanted.or(same.then(|| i64::from(x.sizes[2 + d]).saturating_mul(windows.strides[d])));
        if let Some(wanted) = wanted {
            let total = whole.saturating_sub(wanted);
            if total < 0 {
                return Err(Unsupported::value(
                    "the padding",
                    format!("would have to be negative ({total}) to reach the wanted output shape"),
                )
                .into());
            }
            let (small, large) = (total / 2, total - total / 2);
            (windows.start[d], windows.end[d]) = if auto_pad == "SAME_UPPER" { (small, large) } else { (large, small) };
        } else if auto_pad == "VALID" {
            (windows.start[d], windows.end[d]) = (0, 0);
        }
        spatial.push(whole.saturating_sub(windows.start[d]).saturating_sub(windows.end[d]));
    }
    let shape = shape_of(x.sizes[0], i64::from(w.sizes[1]).saturating_mul(group), &spatial)?;
    convolve(lower, "BACKWARD", [x, w], windows, added, group, &shape)
}

fn convolve(
    lower: &mut Lowering,
    direction: &'static str,
    [x, w]: [View; 2],
    mut windows: Windows,
    mut added: Vec<i64>,
    group: i64,
    shape: &[u32],
) -> Views {
    let bias = lower.optional(2)?.map(|bias| bias.placed(1, x.rank()));
    let (mut views, mut sizes) = ([Some(x), Some(w), bias], shape.to_vec());
    if views[0].as_ref().is_some_and(|x| flat(lower, x)) {
        views = views.map(|view| view.as_ref().map(deepened));
        sizes.insert(2, 1);
        added.insert(0, 0);
        windows = windows.deepened();
    }
    let [Some(x), Some(w), bias] = &views else {
        return Err(Refusal::failed("the views of `X` and `W` are missing").into());
    };
    let call = lower.call("CONVOLUTION").read("InputTensor", x).read("FilterTensor", w).exact();
    let call = call.optional("BiasTensor", bias.as_ref()).write("OutputTensor", x.data_type, &sizes);
    let call = call.set("Mode", "CROSS_CORRELATION").set("Direction", direction).set("GroupCount", group);
    let call = call.set("Strides", windows.strides).set("Dilations", windows.dilations);
    let call = call.set("StartPadding", unsigned("`pads`", &windows.start)?);
    let call = call.set("EndPadding", unsigned("`pads`", &windows.end)?);
    Ok(vec![call.set("OutputPadding", unsigned("`output_padding`", &added)?).one()?.reshaped(shape)])
}

/// Lowers CausalConvWithState. The past state, or zeros, is put in front of the input, and the end of this
/// concatenation is the new state.
fn causal(lower: &mut Lowering) -> Views {
    let (x, w, past) = (lower.input(0)?, lower.input(1)?, lower.tensor(3)?);
    let (&[batches, channels, length], &[_, 1, kernel]) = (x.sizes.as_slice(), w.sizes.as_slice()) else {
        return Err(Refusal::invalid(format!(
            "`input` has shape {:?} and `weight` {:?}, expected [N, C, L] and [C, 1, k]",
            x.sizes, w.sizes
        ))
        .into());
    };
    let kept = i64::from(kernel) - 1;
    let whole = match past.filter(|past| !past.is_empty()) {
        Some(past) if past.shape() != [batches as usize, channels as usize, kept as usize] => {
            return Err(Refusal::invalid(format!(
                "`past_state` has shape {:?}, expected [{batches}, {channels}, {kept}]",
                past.shape()
            ))
            .into());
        }
        Some(_) => {
            let past = lower.input(3)?;
            joined(lower, &[past, x.clone()], 2)?
        }
        None => {
            let zero = (0.0, scalar(x.data_type, 0.0));
            padded(lower, &x, [vec![0, 0, kept], vec![0; 3]], "CONSTANT", zero)?
        }
    };
    let one = || vec![1];
    let none = || vec![0];
    let windows = Windows { kernel: vec![kernel.into()], strides: one(), dilations: one(), start: none(), end: none() };
    let mut y = convolve(lower, "FORWARD", [whole.clone(), w], windows, none(), channels.into(), &x.sizes)?.remove(0);
    match lower.node.string("activation")? {
        "none" => {}
        "silu" | "swish" => y = swished(lower, &y, 1.0)?,
        other => {
            return Err(
                Refusal::invalid(format!("`activation` is `{other}`, expected `none`, `silu` or `swish`")).into()
            );
        }
    }
    if lower.node.outputs() == 1 {
        return Ok(vec![y]);
    }
    if kept == 0 {
        return Err(Obstacle::Empty { tensor: "present_state".to_owned() }.into());
    }
    let end = Window { offset: length.into(), size: kept, stride: 1 };
    let state = cut(lower, &whole, &[Window::whole(batches), Window::whole(channels), end])?;
    Ok(vec![y, state])
}

/// Lowers ConvInteger. The input has one zero point; the filter has one, or one for each output channel.
fn conv_integer(lower: &mut Lowering) -> Views {
    let (x, w, kernel, group) = operands(lower)?;
    let mut windows = Windows::read(lower, &x.sizes[2..], &kernel)?;
    windows.pad_by(lower.node.string("auto_pad")?, &x.sizes[2..]);
    let shape = shape_of(x.sizes[0], w.sizes[0].into(), &windows.places(&x.sizes[2..]))?;
    let zero = |zero: Option<View>| zero.map(|zero| zero.reshaped(&[zero.count()]).placed(1, 4));
    let (mut views, mut sizes) =
        ([Some(x), zero(lower.optional(2)?), Some(w), zero(lower.optional(3)?)], shape.clone());
    if views[0].as_ref().is_some_and(|x| flat(lower, x)) {
        views = views.map(|view| view.map(|view| if view.rank() == 3 { deepened(&view) } else { view }));
        sizes.insert(2, 1);
        windows = windows.deepened();
    }
    let [Some(x), x_zero, Some(w), w_zero] = &views else {
        return Err(Refusal::failed("the views of `X` and `W` are missing").into());
    };
    let call = lower.call("CONVOLUTION_INTEGER").read("InputTensor", x).read("FilterTensor", w).exact();
    let call = call.optional("InputZeroPointTensor", x_zero.as_ref());
    let call = call.optional("FilterZeroPointTensor", w_zero.as_ref());
    let call = call.write("OutputTensor", TensorDataType::Int32, &sizes).set("GroupCount", group);
    let call = call.set("Strides", windows.strides).set("Dilations", windows.dilations);
    let call = call.set("StartPadding", unsigned("`pads`", &windows.start)?);
    Ok(vec![call.set("EndPadding", unsigned("`pads`", &windows.end)?).one()?.reshaped(&shape)])
}

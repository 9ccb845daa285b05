//! Lowers normalizations.

use super::context::{Lowering, axis_of, scalar, stretched};
use super::error::{LoweringError, Unsupported};
use super::reduction::reduced;
use super::view::View;
use super::{Rule, Views};
use crate::ScaleBias;
use plumbline_graph::Refusal;
use plumbline_spec::directml::{FeatureLevel, TensorDataType::Float32};

pub const OPERATORS: &[(&str, Rule)] = &[
    ("BatchNormalization", batch),
    ("GroupNormalization", group),
    ("InstanceNormalization", instance),
    ("LRN", lrn),
    ("LayerNormalization", layer),
    ("LpNormalization", lp),
    ("MeanVarianceNormalization", mean_variance),
    ("RMSNormalization", root_mean_square),
];

/// Lowers BatchNormalization. Scale, bias, mean and variance have one element for each channel or, outside of training
/// and with `spatial` 0, one for each position.
fn batch(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let training = match lower.since() {
        ..7 => lower.node.int("is_test") == 0,
        7..14 => lower.node.outputs() > 1,
        _ => lower.node.int("training_mode") != 0,
    };
    let by_channel = lower.since() >= 9 || lower.node.int("spatial") != 0;
    if training {
        return match by_channel {
            true => batch_in_training(lower, &x),
            false => Err(Unsupported::value(
                "`spatial`",
                "is 0 in training, but DirectML computes the statistics by channel",
            )
            .into()),
        };
    }
    // Channels are the second dimension, so missing dimensions are added at the end.
    let rank = x.rank().max(4);
    let wide = x.placed(0, rank);
    let mut factors = Vec::new();
    for (input, field) in [(3, "MeanTensor"), (4, "VarianceTensor"), (1, "ScaleTensor"), (2, "BiasTensor")] {
        factors.push((field, lower.input(input)?.placed(1, rank)));
    }
    let epsilon = lower.node.float("epsilon");
    let call = lower.call("BATCH_NORMALIZATION").read("InputTensor", &wide).exact();
    let call = factors.iter().fold(call, |call, (field, view)| call.read(field, view));
    let call = call.write("OutputTensor", x.data_type, &wide.sizes).set("Spatial", by_channel);
    Ok(vec![call.set("Epsilon", epsilon).one()?.reshaped(&x.sizes)])
}

/// Normalizes with the statistics of the batch, and updates the running statistics with them.
fn batch_in_training(lower: &mut Lowering, x: &View) -> Views {
    let rank = x.rank().max(4);
    let wide = x.placed(0, rank);
    let (scale, bias) = (lower.input(1)?.placed(1, rank), lower.input(2)?.placed(1, rank));
    let epsilon = lower.node.float("epsilon");
    let call = lower.call("BATCH_NORMALIZATION_TRAINING").read("InputTensor", &wide).read("ScaleTensor", &scale);
    let call = call.read("BiasTensor", &bias).write("OutputTensor", x.data_type, &wide.sizes).exact();
    let call = call.write("OutputMeanTensor", x.data_type, &scale.sizes);
    let found = call.write("OutputVarianceTensor", x.data_type, &scale.sizes).set("Epsilon", epsilon).all()?;
    let [y, mean, variance] = found.as_slice() else {
        return Err(Refusal::failed("BATCH_NORMALIZATION_TRAINING does not have three outputs").into());
    };
    let mut views = vec![y.reshaped(&x.sizes)];
    let (momentum, mut saved) = (lower.node.float("momentum"), Vec::new());
    for (at, new) in [(3, mean), (4, variance)] {
        let old = lower.input(at)?;
        let new = lower.cast(&new.reshaped(&old.sizes), old.data_type)?;
        let kept = lower.with_number("ELEMENT_WISE_MULTIPLY", &old, momentum.into())?;
        let taken = lower.with_number("ELEMENT_WISE_MULTIPLY", &new, (1.0 - momentum).into())?;
        views.push(lower.binary("ELEMENT_WISE_ADD", [&kept, &taken], old.data_type)?);
        saved.push(new);
    }
    // Before version 14 the node may output the statistics of the batch, too. In later versions nothing uses them.
    views.extend(saved);
    Ok(views)
}

/// Normalizes over axes by mean and variance, then applies scale and bias, which the caller has broadcast to
/// the input's sizes.
fn normalized(
    lower: &mut Lowering,
    x: &View,
    axes: &[usize],
    factors: [Option<View>; 2],
    epsilon: f32,
) -> Result<View, LoweringError> {
    let [mut scale, mut bias] = factors;
    // Before feature level 5_2, DirectML takes scale and bias only together.
    if lower.level() < FeatureLevel::V5_2 && scale.is_some() != bias.is_some() {
        let mut other = |value: f64| {
            let view = lower.constant("factor", x.data_type, scalar(x.data_type, value));
            stretched(&view, &x.sizes)
        };
        match scale {
            Some(_) => bias = Some(other(0.0)?),
            None => scale = Some(other(1.0)?),
        }
    }
    let call = lower.call("MEAN_VARIANCE_NORMALIZATION1").read("InputTensor", x).axes("Axes", axes);
    let call = call.optional("ScaleTensor", scale.as_ref()).optional("BiasTensor", bias.as_ref());
    let call = call.set("NormalizeVariance", true).set("Epsilon", epsilon);
    call.write("OutputTensor", x.data_type, &x.sizes).one()
}

fn instance(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let mut factor = |at: usize| stretched(&lower.input(at)?.placed(1, x.rank()), &x.sizes);
    let factors = [Some(factor(1)?), Some(factor(2)?)];
    let axes: Vec<usize> = (2..x.rank()).collect();
    let epsilon = lower.node.float("epsilon");
    Ok(vec![normalized(lower, &x, &axes, factors, epsilon)?])
}

/// Lowers GroupNormalization. In version 18, scale and bias have one element for each group; from version 21 on, one
/// for each channel.
fn group(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let groups = u32::try_from(lower.node.int("num_groups")).unwrap_or(0);
    let [n, c, ..] = x.sizes[..] else {
        return Err(Refusal::invalid("the input must have at least 2 dimensions: batch and channels").into());
    };
    if groups == 0 || c % groups != 0 {
        let given = lower.node.int("num_groups");
        return Err(
            Refusal::invalid(format!("`num_groups` is {given}, expected a positive divisor of {c} channels")).into()
        );
    }
    let rest = x.count() / n / c;
    let wide = x.reshaped(&[n, groups, c / groups, rest]);
    let each = lower.since() >= 21;
    let mut factor = |at: usize| {
        let factor = lower.input(at)?;
        let factor = if each { factor.reshaped(&[groups, c / groups]) } else { factor };
        stretched(&factor.placed(1, 4), &wide.sizes)
    };
    let factors = [Some(factor(1)?), Some(factor(2)?)];
    let epsilon = lower.node.float("epsilon");
    Ok(vec![normalized(lower, &wide, &[2, 3], factors, epsilon)?.reshaped(&x.sizes)])
}

/// Returns the axes from the attribute `axis` to the last one.
fn trailing_axes(lower: &Lowering, x: &View) -> Result<Vec<usize>, LoweringError> {
    Ok((axis_of(lower.node.int("axis"), x.rank())?..x.rank()).collect())
}

/// Lowers LayerNormalization. No DirectML operator returns `Mean` and `InvStdDev`, so other operators compute them.
fn layer(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let axes = trailing_axes(lower, &x)?;
    let scale = Some(stretched(&lower.input(1)?, &x.sizes)?);
    let bias = lower.optional(2)?.map(|bias| stretched(&bias, &x.sizes)).transpose()?;
    let epsilon = lower.node.float("epsilon");
    let y = normalized(lower, &x, &axes, [scale, bias], epsilon)?;
    if lower.node.outputs() == 1 {
        return Ok(vec![y]);
    }
    if lower.node.int("stash_type") != 1 {
        return Err(Unsupported::value(
            "`stash_type`",
            "is not float (1), and no tensor data type of DirectML can hold bfloat16, the other type that ONNX allows",
        )
        .into());
    }
    let [mean, inverse] = statistics(lower, &x, &axes, epsilon)?;
    Ok(vec![y, mean, inverse])
}

/// Returns the mean and the inverse of the standard deviation over axes, in float32.
fn statistics(lower: &mut Lowering, x: &View, axes: &[usize], epsilon: f32) -> Result<[View; 2], LoweringError> {
    let x = lower.cast(x, Float32)?;
    let mean = reduced(lower, &x, "AVERAGE", axes)?;
    let apart = lower.binary("ELEMENT_WISE_SUBTRACT", [&x, &mean], Float32)?;
    let squares = lower.binary("ELEMENT_WISE_MULTIPLY", [&apart, &apart], Float32)?;
    let variance = reduced(lower, &squares, "AVERAGE", axes)?;
    let call = lower.call("ELEMENT_WISE_SQRT").read("InputTensor", &variance);
    let call = call.write("OutputTensor", Float32, &variance.sizes);
    let deviation = call.set("ScaleBias", ScaleBias { scale: 1.0, bias: epsilon }).one()?;
    Ok([mean, lower.unary("ELEMENT_WISE_RECIP", &deviation)?])
}

/// Lowers RMSNormalization to MEAN_VARIANCE_NORMALIZATION2, which needs level 6_3 and can normalize without the mean.
fn root_mean_square(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let axes = trailing_axes(lower, &x)?;
    let scale = stretched(&lower.input(1)?, &x.sizes)?;
    let epsilon = lower.node.float("epsilon");
    let call = lower.call("MEAN_VARIANCE_NORMALIZATION2").read("InputTensor", &x).read("ScaleTensor", &scale);
    let call = call.axes("Axes", &axes).set("UseMean", false).set("UseVariance", true).set("Epsilon", epsilon);
    Ok(vec![call.write("OutputTensor", x.data_type, &x.sizes).one()?])
}

/// Lowers MeanVarianceNormalization. ONNX adds 1e-9 to the standard deviation, and DirectML adds epsilon to the
/// variance. With an epsilon of 1e-18 both divide by 1e-9 where the variance is 0.
fn mean_variance(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let axes = lower.node.ints("axes").unwrap_or(&[0, 2, 3]);
    let axes = axes.iter().map(|&axis| axis_of(axis, x.rank())).collect::<Result<Vec<_>, _>>()?;
    Ok(vec![normalized(lower, &x, &axes, [None, None], 1e-18)?])
}

fn lp(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let axis = axis_of(lower.node.int("axis"), x.rank())?;
    let p = lower.node.int("p");
    let call = lower.call("LP_NORMALIZATION").read("InputTensor", &x).axis("Axis", axis).set("Epsilon", 0.0f32);
    Ok(vec![call.set("P", p).write("OutputTensor", x.data_type, &x.sizes).one()?])
}

/// LRN normalizes over the second dimension. For ranks other than four, the dimensions after the channels are joined
/// into one.
fn lrn(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let [n, c, ..] = x.sizes[..] else {
        return Err(Refusal::invalid("the input must have at least 2 dimensions: batch and channels").into());
    };
    let sizes = match x.sizes[..] {
        [n, c, h, w] => [n, c, h, w],
        _ => [n, c, 1, x.count() / n / c],
    };
    let node = lower.node;
    let size = node.int("size");
    let size = u32::try_from(size)
        .map_err(|_| Unsupported::value("`size`", format!("is {size}, expected an unsigned 32-bit integer")))?;
    let call = lower.call("LOCAL_RESPONSE_NORMALIZATION").read("InputTensor", &x.reshaped(&sizes)).exact();
    let call = call.write("OutputTensor", x.data_type, &sizes).set("CrossChannel", true);
    let call = call.set("LocalSize", size).set("Alpha", node.float("alpha"));
    Ok(vec![call.set("Beta", node.float("beta")).set("Bias", node.float("bias")).one()?.reshaped(&x.sizes)])
}

//! Lowers QLinearConv and QLinearMatMul.

use super::context::Lowering;
use super::convolution::{flat, shape_of};
use super::error::{LoweringError, Unsupported};
use super::matrix::{Product, product};
use super::view::View;
use super::window::{Windows, deepened, unsigned};
use super::{Rule, Views};
use plumbline_graph::Refusal;
use plumbline_spec::directml::TensorDataType;

pub const OPERATORS: &[(&str, Rule)] = &[("QLinearConv", q_linear_conv), ("QLinearMatMul", q_linear_mat_mul)];

/// Returns a scale or a zero point as a list; a scalar becomes a list with one element.
fn listed(lower: &mut Lowering, at: usize, most: u32) -> Result<View, LoweringError> {
    let view = lower.input(at)?;
    match view.rank() <= 1 && (view.count() == 1 || view.count() == most) {
        true => Ok(view.reshaped(&[view.count()])),
        false => Err(Refusal::invalid(format!(
            "input {at} has shape {:?}, expected at most 1 dimension, and 1 or {most} elements",
            view.sizes
        ))
        .into()),
    }
}

/// Lowers QLinearConv. The filter has one scale, or one for each output channel.
fn q_linear_conv(lower: &mut Lowering) -> Views {
    let (x, w) = (lower.input(0)?, lower.input(3)?);
    if x.rank() != w.rank() || x.rank() < 3 {
        return Err(Refusal::invalid(format!(
            "`x` has rank {} and `w` rank {}, expected equal ranks of at least 3",
            x.rank(),
            w.rank()
        ))
        .into());
    }
    let kernel: Vec<i64> = w.sizes[2..].iter().copied().map(i64::from).collect();
    let mut windows = Windows::read(lower, &x.sizes[2..], &kernel)?;
    windows.pad_by(lower.node.string("auto_pad")?, &x.sizes[2..]);
    let shape = shape_of(x.sizes[0], w.sizes[0].into(), &windows.places(&x.sizes[2..]))?;
    let channels = w.sizes[0];
    let mut factor = |at: usize, most: u32| Ok::<_, LoweringError>(listed(lower, at, most)?.placed(1, 4));
    let [x_scale, x_zero] = [factor(1, 1)?, factor(2, 1)?];
    let [w_scale, w_zero] = [factor(4, channels)?, factor(5, channels)?];
    let [y_scale, y_zero] = [factor(6, 1)?, factor(7, 1)?];
    let bias = lower.optional(8)?;
    if let Some(bias) = bias.as_ref().filter(|bias| bias.sizes != [channels]) {
        return Err(Refusal::invalid(format!("the bias has shape {:?}, expected [{channels}]", bias.sizes)).into());
    }
    let bias = bias.map(|bias| bias.placed(1, x.rank()));
    let (mut views, mut sizes) = ([Some(x.clone()), Some(w), bias], shape.clone());
    if flat(lower, &x) {
        views = views.map(|view| view.as_ref().map(deepened));
        sizes.insert(2, 1);
        windows = windows.deepened();
    }
    let [Some(x), Some(w), bias] = &views else {
        return Err(Refusal::failed("the views of `x` and `w` are missing").into());
    };
    let group = lower.node.int("group");
    let call = lower.call("QUANTIZED_LINEAR_CONVOLUTION").exact().read("InputTensor", x);
    let call = call.read("InputScaleTensor", &x_scale).read("InputZeroPointTensor", &x_zero).read("FilterTensor", w);
    let call = call.read("FilterScaleTensor", &w_scale).read("FilterZeroPointTensor", &w_zero);
    let call = call.optional("BiasTensor", bias.as_ref()).read("OutputScaleTensor", &y_scale);
    let call = call.read("OutputZeroPointTensor", &y_zero).write("OutputTensor", y_zero.data_type, &sizes);
    let call = call.set("Strides", windows.strides).set("Dilations", windows.dilations).set("GroupCount", group);
    let call = call.set("StartPadding", unsigned("`pads`", &windows.start)?);
    Ok(vec![call.set("EndPadding", unsigned("`pads`", &windows.end)?).one()?.reshaped(&shape)])
}

/// Returns a scale or zero point as a list: for the rows of the left factor or, if `columns`, for the columns of the
/// right one. The input has one element, is a list, or has the factor's rank and size 1 in all dimensions except that
/// of the rows or columns.
fn along(lower: &mut Lowering, at: usize, factor: &View, columns: bool) -> Result<View, LoweringError> {
    let view = lower.input(at)?;
    let rank = factor.rank();
    let place = rank.checked_sub(if columns { 1 } else { 2 });
    let most = place.map_or(1, |place| factor.sizes[place]);
    let only = view.rank() == rank && view.count() == most && place.is_some_and(|place| view.sizes[place] == most);
    match view.count() {
        1 => Ok(view.reshaped(&[1])),
        count if count == most && (view.rank() == 1 || only) => Ok(view.reshaped(&[count])),
        _ if view.rank() > 1 => {
            let message = format!(
                "has {} dimensions; DirectML supports one number for the tensor, or one for each row or column",
                view.rank()
            );
            Err(Unsupported::value("a scale or zero point", message).into())
        }
        count => {
            Err(Refusal::invalid(format!("a scale or zero point has {count} elements, expected 1 or {most}")).into())
        }
    }
}

/// Lowers QLinearMatMul. The left factor has one scale, or one for each row, and the right factor has one scale, or one
/// for each column.
fn q_linear_mat_mul(lower: &mut Lowering) -> Views {
    let (a, b) = (lower.input(0)?, lower.input(3)?);
    let mut factors = Vec::new();
    for (at, factor, columns) in [(1, &a, false), (2, &a, false), (4, &b, true), (5, &b, true)] {
        factors.push(along(lower, at, factor, columns)?);
    }
    factors.extend([listed(lower, 6, 1)?, listed(lower, 7, 1)?]);
    let to = factors[5].data_type;
    let Product { a, b, sizes, shape } = product(lower, a, b)?.flattened();
    let rank = sizes.len();
    let names = ["AScale", "AZeroPoint", "BScale", "BZeroPoint", "OutputScale", "OutputZeroPoint"];
    let mut placed = Vec::new();
    for (view, name) in factors.iter().zip(names) {
        let place = if name.starts_with('A') { rank - 2 } else { rank - 1 };
        // From version 21 on, scales may have other float types.
        let view = if name.ends_with("Scale") { lower.cast(view, TensorDataType::Float32)? } else { view.clone() };
        placed.push(view.placed(place, rank));
    }
    let call = lower.call("QUANTIZED_LINEAR_MATRIX_MULTIPLY").read("ATensor", &a).read("BTensor", &b);
    let call = call.read("AScaleTensor", &placed[0]).read("AZeroPointTensor", &placed[1]);
    let call = call.read("BScaleTensor", &placed[2]).read("BZeroPointTensor", &placed[3]);
    let call = call.read("OutputScaleTensor", &placed[4]).read("OutputZeroPointTensor", &placed[5]);
    let call = call.write("OutputTensor", to, &sizes).keep(0..rank);
    Ok(vec![call.one()?.reshaped(&shape)])
}

//! Lowers pooling operators.

use super::context::{Lowering, sizes_from};
use super::error::{LoweringError, Unsupported};
use super::reduction::index_type;
use super::view::View;
use super::window::{Windows, deepened, unsigned};
use super::{Rule, Views};
use plumbline_spec::directml::TensorDataType;

pub const OPERATORS: &[(&str, Rule)] = &[
    ("AveragePool", |lower| pool(lower, Pool::Average)),
    ("GlobalAveragePool", |lower| global(lower, Pool::Average)),
    ("GlobalLpPool", |lower| global(lower, Pool::Lp)),
    ("GlobalMaxPool", |lower| global(lower, Pool::Max)),
    ("LpPool", |lower| pool(lower, Pool::Lp)),
    ("MaxPool", |lower| pool(lower, Pool::Max)),
];

#[derive(Clone, Copy, PartialEq)]
enum Pool {
    Average,
    Lp,
    Max,
}

/// Lowers a pool with windows. With `ceil_mode` a window may reach beyond the padding. The lowering then enlarges the
/// padding at the end.
fn pool(lower: &mut Lowering, kind: Pool) -> Views {
    let x = lower.input(0)?;
    let spatial = x.sizes.get(2..).unwrap_or_default().to_vec();
    let kernel = lower.node.ints("kernel_shape").unwrap_or_default();
    let mut windows = Windows::read(lower, &spatial, kernel)?;
    let auto_pad = lower.node.string("auto_pad")?;
    windows.pad_by(auto_pad, &spatial);
    if lower.node.int("ceil_mode") != 0 && !auto_pad.starts_with("SAME") {
        for (d, &size) in spatial.iter().enumerate() {
            let (stride, padded) = (windows.strides[d], i64::from(size) + windows.start[d]);
            let over = (padded + windows.end[d] - windows.reach(d)).rem_euclid(stride);
            // From version 22 on, a last window that begins beyond the input and its start padding is left out.
            let places = (padded + windows.end[d] - windows.reach(d)).div_euclid(stride) + 2;
            if over == 0 || lower.since() >= 22 && (places - 1) * stride >= padded {
                continue;
            }
            if kind == Pool::Average && lower.node.int("count_include_pad") != 0 {
                let message = "is 1, but DirectML also counts the padding that `ceil_mode` adds";
                return Err(Unsupported::value("`count_include_pad`", message).into());
            }
            windows.end[d] += stride - over;
        }
    }
    pooled(lower, kind, x, windows)
}

/// Lowers a global pool, which has one window over all spatial positions.
fn global(lower: &mut Lowering, kind: Pool) -> Views {
    let x = lower.input(0)?;
    let n = x.rank().saturating_sub(2);
    let kernel = x.sizes.get(2..).unwrap_or_default().iter().copied().map(i64::from).collect();
    let (ones, zeros) = (vec![1; n], vec![0; n]);
    let windows = Windows { kernel, strides: ones.clone(), dilations: ones, start: zeros.clone(), end: zeros };
    if n == 0 {
        return Err(Unsupported::value("the input", "has no spatial dimensions".to_owned()).into());
    }
    pooled(lower, kind, x, windows)
}

/// Returns the exponent of the norm, which is a float attribute in version 1.
fn norm(lower: &Lowering) -> Result<i64, LoweringError> {
    if lower.since() >= 2 {
        let p = lower.node.optional_int("p").unwrap_or(2);
        return match u32::try_from(p) {
            Ok(_) => Ok(p),
            Err(_) => Err(Unsupported::value("`p`", format!("is {p}, expected an unsigned 32-bit integer")).into()),
        };
    }
    let p = lower.node.optional_float("p").unwrap_or(2.0);
    match p.fract() == 0.0 && p >= 1.0 && p < u32::MAX as f32 {
        true => Ok(p as i64),
        false => Err(Unsupported::value("`p`", format!("is {p}, expected a positive 32-bit integer")).into()),
    }
}

fn pooled(lower: &mut Lowering, kind: Pool, x: View, windows: Windows) -> Views {
    let places = windows.places(&x.sizes[2..]);
    let outer = [x.sizes[0], x.sizes[1]].map(i64::from);
    let shape = sizes_from("Y", &[&outer, places.as_slice()].concat())?;
    let flat = x.rank() == 3;
    let (x, windows) = if flat { (deepened(&x), windows.deepened()) } else { (x, windows) };
    let mut sizes = shape.clone();
    if flat {
        sizes.insert(2, 1);
    }
    let dilated = windows.dilations.iter().any(|&dilation| dilation != 1);
    let indices = kind == Pool::Max && lower.node.outputs() > 1;
    if indices && lower.node.int("storage_order") != 0 {
        return Err(Unsupported::value("`storage_order`", "is 1, but DirectML's indices are row-major").into());
    }
    let operator = match (kind, dilated) {
        (Pool::Average, false) => "AVERAGE_POOLING",
        (Pool::Average, true) => "AVERAGE_POOLING1",
        (Pool::Lp, false) => "LP_POOLING",
        (Pool::Lp, true) => "LP_POOLING1",
        (Pool::Max, false) if !indices => "MAX_POOLING",
        (Pool::Max, _) => "MAX_POOLING2",
    };
    let (p, counted) = (norm(lower)?, lower.node.int("count_include_pad") != 0);
    let (since, level) = (lower.since(), lower.level());
    let call = lower.call(operator).read("InputTensor", &x).write("OutputTensor", x.data_type, &sizes).exact();
    let call = call.set("Strides", windows.strides).set("WindowSize", windows.kernel);
    let call = call.set("StartPadding", unsigned("`pads`", &windows.start)?);
    let call = call.set("EndPadding", unsigned("`pads`", &windows.end)?);
    let call = if operator.ends_with(['1', '2']) { call.set("Dilations", windows.dilations) } else { call };
    let call = match kind {
        // In version 1 padding never counts.
        Pool::Average => call.set("IncludePadding", since >= 7 && counted),
        Pool::Lp => call.set("P", p),
        Pool::Max => call,
    };
    let call = if indices { call.write("OutputIndicesTensor", index_type(level), &sizes) } else { call };
    let mut views: Vec<View> = call.all()?.into_iter().map(|view| view.reshaped(&shape)).collect();
    if let Some(found) = views.get(1) {
        views[1] = lower.cast(&found.clone(), TensorDataType::Uint64)?;
    }
    Ok(views)
}

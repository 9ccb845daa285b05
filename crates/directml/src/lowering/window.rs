//! Windows over the spatial dimensions of convolutions and pools: strides, dilations and padding.

use super::context::Lowering;
use super::error::LoweringError;
use super::view::View;
use crate::Given;
use plumbline_graph::Refusal;

/// The attributes of windows, with one number for each spatial dimension.
#[derive(Clone, Debug)]
pub struct Windows {
    pub kernel: Vec<i64>,
    pub strides: Vec<i64>,
    pub dilations: Vec<i64>,
    pub start: Vec<i64>,
    pub end: Vec<i64>,
}

impl Windows {
    /// Reads the node's attributes for an input with these spatial sizes.
    pub fn read(lower: &Lowering, spatial: &[u32], kernel: &[i64]) -> Result<Windows, LoweringError> {
        let n = spatial.len();
        let list =
            |name: &str| lower.node.ints(name).filter(|l| !l.is_empty()).map_or_else(|| vec![1; n], <[i64]>::to_vec);
        let pads = lower.node.ints("pads").filter(|l| !l.is_empty()).map_or_else(|| vec![0; 2 * n], <[i64]>::to_vec);
        let windows = Windows {
            kernel: kernel.to_vec(),
            strides: list("strides"),
            dilations: list("dilations"),
            start: pads.iter().take(n).copied().collect(),
            end: pads.iter().skip(n).copied().collect(),
        };
        let lists = [&windows.kernel, &windows.strides, &windows.dilations, &windows.start, &windows.end];
        if n == 0 || lists.iter().any(|list| list.len() != n) || lists[..3].iter().any(|l| l.iter().any(|&v| v < 1)) {
            return Err(Refusal::invalid(format!(
                "the kernel, strides, dilations or pads do not fit {n} spatial dimensions, or a number of the kernel, \
                 strides or dilations is below 1"
            ))
            .into());
        }
        Ok(windows)
    }

    /// Returns the number of elements that a window spans along a dimension, gaps included.
    pub fn reach(&self, d: usize) -> i64 {
        (self.kernel[d] - 1).saturating_mul(self.dilations[d]).saturating_add(1)
    }

    /// Sets the padding for `auto_pad`: `SAME_UPPER` and `SAME_LOWER` give `ceil(size / stride)` windows, and `VALID`
    /// gives no padding.
    pub fn pad_by(&mut self, auto_pad: &str, spatial: &[u32]) {
        if !["SAME_UPPER", "SAME_LOWER", "VALID"].contains(&auto_pad) {
            return;
        }
        for (d, &size) in spatial.iter().enumerate() {
            let (size, stride) = (i64::from(size), self.strides[d]);
            let places = (size + stride - 1) / stride;
            let total = ((places - 1) * stride + self.reach(d) - size).max(0);
            let total = if auto_pad == "VALID" { 0 } else { total };
            let small = total / 2;
            (self.start[d], self.end[d]) =
                if auto_pad == "SAME_LOWER" { (total - small, small) } else { (small, total - small) };
        }
    }

    /// Returns the number of windows along each dimension.
    pub fn places(&self, spatial: &[u32]) -> Vec<i64> {
        let place = |(d, &size): (usize, &u32)| {
            (i64::from(size) + self.start[d] + self.end[d] - self.reach(d)).div_euclid(self.strides[d]) + 1
        };
        spatial.iter().enumerate().map(place).collect()
    }

    /// Adds a dimension of size 1 in front, which the windows leave unchanged.
    pub fn deepened(mut self) -> Windows {
        for (list, neutral) in [
            (&mut self.kernel, 1),
            (&mut self.strides, 1),
            (&mut self.dilations, 1),
            (&mut self.start, 0),
            (&mut self.end, 0),
        ] {
            list.insert(0, neutral);
        }
        self
    }
}

/// Inserts a dimension of size 1 before the only spatial dimension of a tensor of rank 3; returns other tensors as they
/// are.
pub fn deepened(view: &View) -> View {
    match view.sizes.as_slice() {
        [n, c, w] => View { sizes: vec![*n, *c, 1, *w], strides: with_one(&view.strides), ..view.clone() },
        _ => view.clone(),
    }
}

fn with_one(strides: &[u32]) -> Vec<u32> {
    let mut strides = strides.to_vec();
    strides.insert(2, 1);
    strides
}

/// Converts numbers to an attribute. They must not be negative.
pub fn unsigned(what: &str, values: &[i64]) -> Result<Given, LoweringError> {
    match values.iter().all(|&value| value >= 0) {
        true => Ok(values.to_vec().into()),
        false => {
            Err(super::Unsupported::value(what, format!("is {values:?}; DirectML takes no negative values")).into())
        }
    }
}

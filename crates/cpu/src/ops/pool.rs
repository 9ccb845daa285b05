//! Pooling: the average, the norm or the maximum of windows, or of whole channels.

use bytemuck::Pod;
use plumbline_tensor::DType;

use super::windows::{Windows, counts, spatial_axes};
use crate::array::{Array, affordable};
use crate::element::{Number, with_float, with_number};
use crate::kernels::fold::fold;
use crate::kernels::lanes::pieces;
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[
    ("AveragePool", average_pool),
    ("GlobalAveragePool", global_average_pool),
    ("GlobalLpPool", global_lp_pool),
    ("GlobalMaxPool", global_max_pool),
    ("LpPool", lp_pool),
    ("MaxPool", max_pool),
];

/// The input, the windows and the output shape of a pooling operator.
struct Pool<'a> {
    data: &'a Array,
    windows: Windows,
    shape: Vec<usize>,
    /// Number of elements in a channel.
    plane: usize,
    /// For each spatial axis and each window along it: the taps that lie inside the input, as offsets from the start of
    /// the channel, in elements.
    places: Vec<Vec<Vec<usize>>>,
}

impl<'a> Pool<'a> {
    fn read(node: &Node<'a>) -> Result<Pool<'a>, Refusal> {
        let data = node.input(0)?;
        let axes = spatial_axes(data.shape())?;
        let (head, input) = data.shape().split_at(2);
        // LpPool-1 may have no kernel: then one window covers everything, whatever the other attributes are.
        let kernel = match node.ints("kernel_shape") {
            Some(_) => counts(node, "kernel_shape", axes, 1, 1)?,
            None => input.to_vec(),
        };
        let mut windows = Windows::read(node, input, &kernel)?;
        if node.ints("kernel_shape").is_none() {
            windows = Windows { begin: vec![0; axes], end: vec![0; axes], output: vec![1; axes], ..windows };
        }
        let shape = [head, &windows.output].concat();
        affordable(&shape)?;
        let mut stride = 1;
        let mut places = Vec::new();
        for d in (0..axes).rev() {
            let taps = |window: usize| {
                let place = |tap| windows.place(d, window, tap).map(|place| place * stride);
                (0..kernel[d].min(MOST_TAPS)).filter_map(place).collect::<Vec<_>>()
            };
            if kernel[d] > MOST_TAPS {
                return Err(Refusal::unsupported(format!(
                    "a kernel extent of {} is more than this backend takes",
                    kernel[d]
                )));
            }
            places.push((0..windows.output[d]).map(taps).collect());
            stride *= input[d];
        }
        places.reverse();
        Ok(Pool { data, windows, shape, plane: stride, places })
    }

    /// Calls `f` for each window with its row-major number, its index along each axis, and the places of its taps in
    /// order.
    fn each_window(&self, mut f: impl FnMut(usize, &[usize], &[usize])) {
        let (mut taps, mut longer) = (Vec::new(), Vec::new());
        let mut number = 0;
        crate::kernels::scatter::indices(&self.windows.output, |index| {
            taps.clear();
            taps.push(0);
            for (d, &window) in index.iter().enumerate() {
                longer.clear();
                for &tap in &taps {
                    longer.extend(self.places[d][window].iter().map(|place| tap + place));
                }
                std::mem::swap(&mut taps, &mut longer);
            }
            f(number, index, &taps);
            number += 1;
        });
    }

    /// Computes, for each window, an output element from the elements of the window. `f` gets the index of the window,
    /// its elements, and the places of its taps.
    fn run<T: Number, O: bytemuck::Pod + Send + Sync>(
        &self,
        dtype: DType,
        f: impl Fn(&[usize], &mut dyn Iterator<Item = T>, &[usize]) -> O + Sync,
    ) -> Result<Array, Refusal> {
        let data = self.data.slice::<T>();
        Array::filled(dtype, &self.shape, |out| {
            pieces(out.data, self.windows.output.iter().product(), |channel, out: &mut [O]| {
                let data = &data[channel * self.plane..(channel + 1) * self.plane];
                self.each_window(|at, index, taps| {
                    out[at] = f(index, &mut taps.iter().map(|&tap| data[tap]), taps);
                });
            });
            Ok(())
        })
    }
}

/// Largest number of taps along one axis.
const MOST_TAPS: usize = 1 << 20;

/// Computes the mean in float64, so that no sum of a narrower type overflows.
fn average_pool(node: &Node) -> Outputs {
    let pool = Pool::read(node)?;
    let padding = node.int("count_include_pad") != 0;
    let windows = &pool.windows;
    one(with_float!(pool.data.dtype(), T => pool.run(pool.data.dtype(), |index, elements, taps| {
        let count = match padding {
            true => index.iter().enumerate().map(|(d, &window)| windows.padded_taps(d, window)).product(),
            false => taps.len(),
        };
        T::from_double(elements.fold(0.0, |sum, x: T| sum + x.to_f64()) / count as f64)
    }))?)
}

fn exponent(node: &Node) -> Result<f64, Refusal> {
    let p = if node.since() < 2 { f64::from(node.float("p")) } else { node.int("p") as f64 };
    if p >= 1.0 {
        Ok(p)
    } else {
        Err(Refusal::unsupported(format!("`p` is {p}, but this backend computes norms with `p` 1 or more")))
    }
}

fn power(x: f64, p: f64) -> f64 {
    if p == 2.0 { x * x } else { x.abs().powf(p) }
}

fn root(sum: f64, p: f64) -> f64 {
    if p == 2.0 { sum.sqrt() } else { sum.powf(1.0 / p) }
}

fn lp_pool(node: &Node) -> Outputs {
    let (pool, p) = (Pool::read(node)?, exponent(node)?);
    one(with_float!(pool.data.dtype(), T => pool.run(pool.data.dtype(), |_, elements, _| {
        T::from_double(root(elements.fold(0.0, |sum, x: T| sum + power(x.to_f64(), p)), p))
    }))?)
}

fn max_pool(node: &Node) -> Outputs {
    let pool = Pool::read(node)?;
    let dtype = pool.data.dtype();
    let found = with_number!(dtype, T => pool.run(dtype, |_, elements, _| {
        elements.fold(T::from_double(f64::NEG_INFINITY), |most, x: T| Number::larger(most, x))
    }))?;
    if node.outputs() < 2 {
        return one(found);
    }
    let columns_first = node.int("storage_order") != 0;
    let mut indices = with_number!(dtype, T => pool.run(DType::Int64, |_, elements: &mut dyn Iterator<Item = T>, taps| {
        let mut best: Option<(usize, T)> = None;
        for (x, &tap) in elements.zip(taps) {
            let wins = best.is_none_or(|(_, most)| x > most || (x.is_nan() && !most.is_nan()));
            if wins {
                best = Some((tap, x));
            }
        }
        let tap = best.map_or(0, |(tap, _)| tap);
        (if columns_first { turned(tap, &pool.windows.input) } else { tap }) as i64
    }))?;
    // The indices are places in the whole tensor, not in the channel.
    let windows: usize = pool.windows.output.iter().product();
    let places = indices.slice::<i64>().iter().enumerate();
    let whole: Vec<i64> = places.map(|(at, i)| i + ((at / windows) * pool.plane) as i64).collect();
    indices = Array::from_elements(DType::Int64, &pool.shape, &whole)?;
    Ok(vec![found.into(), indices.into()])
}

/// Converts the row-major place of an element to its column-major place, in which the first axis varies fastest.
fn turned(place: usize, extents: &[usize]) -> usize {
    let (mut left, mut index) = (place, vec![0; extents.len()]);
    for d in (0..extents.len()).rev() {
        index[d] = left % extents[d];
        left /= extents[d];
    }
    index.iter().zip(extents).rev().fold(0, |place, (i, extent)| place * extent + i)
}

/// Reduces all spatial axes to one element.
fn global<T: Number, A: Pod + Send + Sync>(
    data: &Array,
    start: A,
    put: impl Fn(A, T) -> A + Sync,
    join: impl Fn(A, A) -> A + Sync,
    finish: impl Fn(A, f64) -> T,
) -> Result<Array, Refusal> {
    if data.rank() < 2 {
        return Err(Refusal::invalid(format!(
            "the input has shape {:?}, expected rank 2 or more, with channels as axis 1",
            data.shape()
        )));
    }
    let axes: Vec<usize> = (2..data.rank()).collect();
    let count: usize = data.shape()[2..].iter().product();
    let found = fold(&data.view::<T>(), &axes, start, &put, &join);
    let found: Vec<T> = found.into_iter().map(|total| finish(total, count as f64)).collect();
    let shape: Vec<usize> =
        data.shape().iter().enumerate().map(|(d, &extent)| if d < 2 { extent } else { 1 }).collect();
    Array::from_elements(data.dtype(), &shape, &found)
}

fn global_average_pool(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let add = |a: f64, b: f64| a + b;
    one(with_float!(data.dtype(), T => {
        global(data, 0.0, |sum, x: T| sum + x.to_f64(), add, |sum, count| T::from_double(sum / count))
    })?)
}

fn global_lp_pool(node: &Node) -> Outputs {
    let (data, p) = (node.input(0)?, exponent(node)?);
    let add = |a: f64, b: f64| a + b;
    one(with_float!(data.dtype(), T => {
        global(data, 0.0, |sum, x: T| sum + power(x.to_f64(), p), add, |sum, _| T::from_double(root(sum, p)))
    })?)
}

fn global_max_pool(node: &Node) -> Outputs {
    let data = node.input(0)?;
    one(with_float!(data.dtype(), T => {
        let larger = |a: T, b: T| Number::larger(a, b);
        global(data, T::from_double(f64::NEG_INFINITY), larger, larger, |most, _| most)
    })?)
}

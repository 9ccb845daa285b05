//! Laws of convolution and pooling, checked with the oracle: kernels that shift, adjoints, convolutions as matrix
//! products, groups, and poolings as reductions.

use crate::common::expected_outputs;
use plumbline_oracle::{Accumulator, Expected, Judged};
use plumbline_tensor::{DType, Tensor};
use proptest::prelude::*;

fn run(node: &str, inputs: &[&Tensor]) -> Expected {
    expected_outputs(node, 22, inputs, 1).remove(0)
}

/// Returns a tensor of small integers, so that every sum is exact. The same salt gives the same integers.
fn whole(shape: &[usize], salt: usize) -> Tensor {
    let count: usize = shape.iter().product();
    let value = |i: usize| ((i * 7 + salt * 13 + i * i % 5) % 9) as f32 - 4.0;
    Tensor::from_f32s(shape.to_vec(), &(0..count).map(value).collect::<Vec<_>>()).unwrap()
}

fn dot(a: &Tensor, b: &Tensor) -> f64 {
    assert_eq!(a.shape(), b.shape());
    a.to_f64s().iter().zip(b.to_f64s()).map(|(x, y)| x * y).sum()
}

/// Windows that fit into the extents, over one to three axes.
#[derive(Clone, Debug)]
struct Layout {
    extents: Vec<usize>,
    kernel: Vec<usize>,
    strides: Vec<usize>,
    dilations: Vec<usize>,
    pads: Vec<usize>,
}

impl Layout {
    fn attributes(&self) -> String {
        format!("strides = {:?}, dilations = {:?}, pads = {:?}", self.strides, self.dilations, self.pads)
    }

    fn conv(&self) -> String {
        format!("Conv <{}>", self.attributes())
    }

    fn pooling(&self) -> String {
        format!("{}, kernel_shape = {:?}", self.attributes(), self.kernel)
    }
}

fn layouts() -> impl Strategy<Value = Layout> {
    let axis = (1usize..=3, 1usize..=2, 1usize..=3, 0usize..=1, 0usize..=2, 0usize..=2);
    prop::collection::vec(axis, 1..=3).prop_map(|axes| {
        let reach = |kernel: usize, dilation: usize| (kernel - 1) * dilation + 1;
        let mut layout = Layout {
            extents: vec![],
            kernel: axes.iter().map(|a| a.0).collect(),
            strides: axes.iter().map(|a| a.2).collect(),
            dilations: axes.iter().map(|a| a.1).collect(),
            pads: vec![],
        };
        let pads: Vec<[usize; 2]> = axes.iter().map(|a| [a.3.min(a.0 - 1), a.4.min(a.0 - 1)]).collect();
        layout.pads = [0, 1].iter().flat_map(|&end| pads.iter().map(move |p| p[end])).collect();
        layout.extents = axes.iter().map(|a| reach(a.0, a.1) + a.5).collect();
        layout
    })
}

/// Returns a matrix for each batch. Each column of a matrix holds the elements that one window reads. A Conv, whose
/// kernels are 1 at a single tap and 0 at the others, copies these elements from `x`.
fn columns(x: &Tensor, layout: &Layout) -> Tensor {
    let (channels, taps): (usize, usize) = (x.shape()[1], layout.kernel.iter().product());
    let mut picks = vec![0f32; channels * taps * taps];
    (0..channels * taps).for_each(|row| picks[row * taps + row % taps] = 1.0);
    let shape = [&[channels * taps, 1][..], &layout.kernel].concat();
    let picks = Tensor::from_f32s(shape, &picks).unwrap();
    let node = format!("Conv <{}, group = {channels}>", layout.attributes());
    let y = run(&node, &[x, &picks]).tensor;
    let windows = y.len() / (x.shape()[0] * channels * taps).max(1);
    y.reshaped(vec![x.shape()[0], channels * taps, windows]).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// A convolution multiplies its kernel with one column (the elements of one window) at a time.
    /// Law: Conv, MatMul
    #[test]
    fn convolution_is_a_product_with_columns(layout in layouts(), c in 1usize..=3, m in 1usize..=3) {
        let x = whole(&[&[2, c][..], &layout.extents].concat(), 1);
        let w = whole(&[&[m, c][..], &layout.kernel].concat(), 2);
        let y = run(&layout.conv(), &[&x, &w]);
        prop_assert!(y.is_certain());
        let taps: usize = layout.kernel.iter().product();
        let matrix = w.reshaped(vec![m, c * taps]).unwrap();
        let product = run("MatMul", &[&matrix, &columns(&x, &layout)]);
        prop_assert_eq!(y.tensor.to_f64s(), product.tensor.to_f64s());
    }

    /// Law: Conv
    #[test]
    fn a_kernel_that_is_one_at_a_single_tap_shifts_its_input(layout in layouts(), at in 0usize..27) {
        // The convolution has no strides. Its pads make the output as long as the input and undo the shift, so that the
        // output equals the input.
        let taps: usize = layout.kernel.iter().product();
        let tap = at % taps;
        let mut delta = vec![0f32; taps];
        delta[tap] = 1.0;
        let w = Tensor::from_f32s([&[1, 1][..], &layout.kernel].concat(), &delta).unwrap();
        let x = whole(&[&[1, 1][..], &layout.extents].concat(), 3);
        let reach: Vec<usize> = layout.kernel.iter().zip(&layout.dilations).map(|(k, d)| (k - 1) * d).collect();
        let mut places = vec![];
        let mut rest = tap;
        for &k in layout.kernel.iter().rev() {
            places.insert(0, rest % k);
            rest /= k;
        }
        let before: Vec<usize> = places.iter().zip(&layout.dilations).map(|(p, d)| p * d).collect();
        let after: Vec<usize> = reach.iter().zip(&before).map(|(r, b)| r - b).collect();
        let pads = [before, after].concat();
        let y = run(&format!("Conv <dilations = {:?}, pads = {pads:?}>", layout.dilations), &[&x, &w]);
        prop_assert_eq!(&y.tensor, &x);
    }

    /// ConvTranspose is the adjoint of Conv: <Conv(x), y> = <x, ConvTranspose(y)>.
    /// Law: Conv, ConvTranspose
    #[test]
    fn the_transposed_convolution_is_the_adjoint(layout in layouts(), group in 1usize..=2, c in 1usize..=2, m in 1usize..=2) {
        let x = whole(&[&[2, group * c][..], &layout.extents].concat(), 4);
        let w = whole(&[&[group * m, c][..], &layout.kernel].concat(), 5);
        let attributes = format!("{}, group = {group}", layout.attributes());
        let forward = run(&format!("Conv <{attributes}>"), &[&x, &w]).tensor;
        let y = whole(forward.shape(), 6);
        // Elements at the end of an axis may be in no window. `output_padding` adds them to the result.
        let rank = layout.kernel.len();
        let missing: Vec<usize> = (0..rank).map(|i| {
            let reach = (layout.kernel[i] - 1) * layout.dilations[i] + 1;
            (layout.extents[i] + layout.pads[i] + layout.pads[rank + i] - reach) % layout.strides[i]
        }).collect();
        let back = run(&format!("ConvTranspose <{attributes}, output_padding = {missing:?}>"), &[&y, &w]).tensor;
        prop_assert_eq!(back.shape(), x.shape());
        prop_assert_eq!(dot(&forward, &y), dot(&x, &back));
    }

    /// Col2Im is the adjoint of the step that cuts a tensor into columns.
    /// Law: Col2Im
    #[test]
    fn col2im_is_the_adjoint_of_cutting_columns(layout in layouts(), c in 1usize..=2) {
        prop_assume!(layout.kernel.len() > 1);
        let x = whole(&[&[2, c][..], &layout.extents].concat(), 7);
        let cut = columns(&x, &layout);
        let y = whole(cut.shape(), 8);
        let sizes = |list: &[usize]| Tensor::from_i64s(&list.iter().map(|&e| e as i64).collect::<Vec<_>>());
        let image = run(&format!("Col2Im <{}>", layout.attributes()), &[&y, &sizes(&layout.extents), &sizes(&layout.kernel)]).tensor;
        prop_assert_eq!(dot(&cut, &y), dot(&x, &image));
    }

    /// Law: Conv
    #[test]
    fn groups_are_convolutions_side_by_side(layout in layouts(), c in 1usize..=2, m in 1usize..=2) {
        let x = whole(&[&[2, 2 * c][..], &layout.extents].concat(), 9);
        let w = whole(&[&[2 * m, c][..], &layout.kernel].concat(), 10);
        let grouped = run(&format!("Conv <{}, group = 2>", layout.attributes()), &[&x, &w]);
        let halves = |t: &Tensor, axis: i64| expected_outputs(&format!("Split <axis = {axis}, num_outputs = 2>"), 18, &[t], 2);
        let (xs, ws) = (halves(&x, 1), halves(&w, 0));
        let parts = [0, 1].map(|g| run(&layout.conv(), &[&xs[g].tensor, &ws[g].tensor]).tensor);
        let joined = run("Concat <axis = 1>", &[&parts[0], &parts[1]]);
        prop_assert_eq!(grouped.tensor, joined.tensor);
    }

    /// Law: ConvInteger, Conv
    #[test]
    fn integers_are_convolved_as_floats_are(layout in layouts(), zeros in prop::array::uniform2(-3i64..=3)) {
        let x = whole(&[&[1, 2][..], &layout.extents].concat(), 11);
        let w = whole(&[&[3, 2][..], &layout.kernel].concat(), 12);
        let of = |t: &Tensor, off: i64, dtype| {
            let moved: Vec<f64> = t.to_f64s().iter().map(|v| v + off as f64).collect();
            let ints: Vec<i128> = moved.iter().map(|&v| v as i128).collect();
            Tensor::from_i128s(dtype, t.shape().to_vec(), &ints).unwrap()
        };
        let zero = |v: i64| Tensor::from_i128s(DType::Int8, vec![], &[v.into()]).unwrap();
        let inputs = [of(&x, zeros[0], DType::Int8), of(&w, zeros[1], DType::Int8), zero(zeros[0]), zero(zeros[1])];
        let sums = expected_outputs(&format!("ConvInteger <{}>", layout.attributes()), 10, &[&inputs[0], &inputs[1], &inputs[2], &inputs[3]], 1);
        let floats = run(&layout.conv(), &[&x, &w]);
        prop_assert_eq!(sums[0].tensor.to_f64s(), floats.tensor.to_f64s());
    }

    /// Law: AveragePool, Conv
    #[test]
    fn averages_are_convolutions_with_equal_weights(layout in layouts()) {
        let x = whole(&[&[2, 1][..], &layout.extents].concat(), 13);
        let taps: usize = layout.kernel.iter().product();
        let w = Tensor::from_f32s([&[1, 1][..], &layout.kernel].concat(), &vec![1.0; taps]).unwrap();
        let means = run(&format!("AveragePool <{}, count_include_pad = 1>", layout.pooling()), &[&x]);
        let sums = run(&layout.conv(), &[&x, &w]).tensor.to_f64s();
        let answer: Vec<f32> = sums.iter().map(|&sum| sum as f32 / taps as f32).collect();
        let answer = Tensor::from_f32s(means.shape().to_vec(), &answer).unwrap();
        prop_assert!((0..means.len()).all(|i| means.judge(&answer, i) == Judged::Accepted));
    }

    /// Law: GlobalAveragePool, ReduceMean, GlobalMaxPool, ReduceMax, AveragePool, MaxPool
    #[test]
    fn global_poolings_are_reductions(shape in prop::collection::vec(1usize..=4, 3..=5), salt in 0usize..50) {
        let x = whole(&shape, salt);
        let axes = Tensor::from_i64s(&(2..shape.len() as i64).collect::<Vec<_>>());
        for (pool, reduction) in [("GlobalAveragePool", "ReduceMean"), ("GlobalMaxPool", "ReduceMax")] {
            prop_assert_eq!(run(pool, &[&x]), run(reduction, &[&x, &axes]));
        }
        let kernel = &shape[2..];
        for (pool, windows) in [("GlobalAveragePool", "AveragePool"), ("GlobalMaxPool", "MaxPool")] {
            let windows = format!("{windows} <kernel_shape = {kernel:?}>");
            prop_assert_eq!(run(pool, &[&x]).tensor, run(&windows, &[&x]).tensor);
        }
    }

    /// Pooling the output of MaxUnpool gives the maxima back, if windows do not overlap.
    /// Law: MaxPool, MaxUnpool
    #[test]
    fn unpooling_puts_maxima_back_in_their_places(kernel in prop::collection::vec(1usize..=3, 1..=3), salt in 0usize..50) {
        let extents: Vec<usize> = kernel.iter().map(|k| 2 * k).collect();
        let whole = whole(&[&[2, 2][..], &extents].concat(), salt);
        // The elements are above zero, so that the zeros that MaxUnpool adds are never the maximum.
        let raised: Vec<f32> = whole.to_f64s().iter().map(|&v| v as f32 + 5.0).collect();
        let x = Tensor::from_f32s(whole.shape().to_vec(), &raised).unwrap();
        let attributes = format!("kernel_shape = {kernel:?}, strides = {kernel:?}");
        let y = expected_outputs(&format!("MaxPool <{attributes}>"), 22, &[&x], 2);
        let back = run(&format!("MaxUnpool <{attributes}>"), &[&y[0].tensor, &y[1].tensor]).tensor;
        prop_assert_eq!(back.shape(), x.shape());
        prop_assert_eq!(run(&format!("MaxPool <{attributes}>"), &[&back]).tensor, y[0].tensor.clone());
        let kept = back.to_f64s().iter().zip(x.to_f64s()).all(|(&b, x)| b == 0.0 || b == x);
        prop_assert!(kept && back.to_f64s().iter().filter(|&&b| b != 0.0).count() == y[0].len());
    }

    /// A deformable convolution without offsets is a convolution. If all taps have the same integer offset, the
    /// deformable convolution is a convolution of the shifted input.
    /// Law: Conv, DeformConv
    #[test]
    fn a_convolution_without_offsets_is_not_deformed(layout in layouts(), c in 1usize..=2, shift in -1i64..=1) {
        let x = whole(&[&[1, c][..], &layout.extents].concat(), 14);
        let w = whole(&[&[2, c][..], &layout.kernel].concat(), 15);
        let plain = run(&layout.conv(), &[&x, &w]);
        let rows = layout.kernel.iter().product::<usize>() * layout.kernel.len();
        let shape = [&[1, rows][..], &plain.shape()[2..]].concat();
        let zeros = Tensor::zeros(DType::Float, shape.clone()).unwrap();
        prop_assert_eq!(&run(&format!("DeformConv <{}>", layout.attributes()), &[&x, &w, &zeros]).tensor, &plain.tensor);
        let count = zeros.len();
        let shifts = Tensor::from_f32s(shape, &vec![shift as f32; count]).unwrap();
        let deformed = run(&format!("DeformConv <{}>", layout.attributes()), &[&x, &w, &shifts]);
        // A convolution whose pads are moved by `shift` gives the same result.
        let rank = layout.kernel.len();
        let pads: Vec<i64> = layout.pads.iter().enumerate()
            .map(|(i, &p)| if i < rank { p as i64 - shift } else { p as i64 + shift }).collect();
        prop_assume!(pads.iter().all(|&p| p >= 0));
        let pads: Vec<usize> = pads.iter().map(|&p| p as usize).collect();
        let moved = Layout { pads, ..layout.clone() };
        prop_assert_eq!(deformed.tensor.to_f64s(), run(&moved.conv(), &[&x, &w]).tensor.to_f64s());
    }

    /// The element at the index of a maximum is the maximum.
    /// Law: MaxPool
    #[test]
    fn maxima_are_where_their_indices_say(layout in layouts(), salt in 0usize..50) {
        let x = whole(&[&[2, 2][..], &layout.extents].concat(), salt);
        let y = expected_outputs(&format!("MaxPool <{}>", layout.pooling()), 22, &[&x], 2);
        let open: Vec<usize> = y[0].latitude.iter().map(|(i, _)| *i).collect();
        for (i, at) in y[1].tensor.to_i64s().unwrap().into_iter().enumerate().filter(|(i, _)| !open.contains(i)) {
            prop_assert_eq!(x.f64_at(at as usize), y[0].tensor.f64_at(i));
        }
    }
}

/// For a region of the size of the image, RoiAlign with one sample in the middle of each element returns the image
/// itself, and MaxRoiPool returns its maximum.
/// Law: RoiAlign, MaxRoiPool, GlobalMaxPool
#[test]
fn a_region_of_the_whole_image_pools_the_image() {
    let x = whole(&[2, 3, 4, 5], 3);
    let regions = Tensor::from_f32s(vec![2, 4], &[0.0, 0.0, 5.0, 4.0, 0.0, 0.0, 5.0, 4.0]).unwrap();
    let batches = Tensor::from_i64s(&[1, 0]);
    let y = run("RoiAlign <output_height = 4, output_width = 5, sampling_ratio = 1>", &[&x, &regions, &batches]);
    let half = x.len() / 2;
    let turned = |i: usize| x.f64_at((i + half) % x.len());
    assert!((0..x.len()).all(|i| y.tensor.f64_at(i) == turned(i)));
    let boxes = Tensor::from_f32s(vec![1, 5], &[1.0, 0.0, 0.0, 4.0, 3.0]).unwrap();
    let pooled = run("MaxRoiPool <pooled_shape = [1, 1]>", &[&x, &boxes]);
    let most = run("GlobalMaxPool", &[&x]);
    assert!((0..3).all(|c| pooled.tensor.f64_at(c) == most.tensor.f64_at(3 + c)));
}

/// The oracle's Conv adds up whole channels at once. Its sums agree with those of an accumulator that adds one product
/// at a time.
/// Law: Conv
#[test]
fn fast_and_slow_sums_agree() {
    let value = |i: usize| ((i * 2654435761 % 1000) as f64 - 500.0) / 301.0;
    for dtype in [DType::Float, DType::Float16, DType::Bfloat16] {
        let tensor = |shape: &[usize]| {
            let count: usize = shape.iter().product();
            Tensor::from_f64s(dtype, shape.to_vec(), &(0..count).map(value).collect::<Vec<_>>()).unwrap()
        };
        let (x, w) = (tensor(&[1, 2, 9]), tensor(&[2, 2, 3]));
        let y = run("Conv <strides = [2], pads = [1, 0]>", &[&x, &w]);
        assert_eq!(y.shape(), [1, 2, 4]);
        for i in 0..8 {
            let (m, window) = (i / 4, i % 4);
            let mut sum = Accumulator::new(dtype);
            for (c, t) in (0..2).flat_map(|c| (0..3).map(move |t| (c, t))) {
                let at = window * 2 + t;
                if at > 0 {
                    sum.add_exact_product(x.f64_at(c * 9 + at - 1), w.f64_at((m * 2 + c) * 3 + t));
                }
            }
            let (slow, fast) = (sum.finish(), y.number(i).real());
            assert!((slow.low - fast.low).abs() <= 1e-2 * (slow.high - slow.low), "{slow:?} {fast:?}");
            assert!((slow.high - fast.high).abs() <= 1e-2 * (slow.high - slow.low), "{slow:?} {fast:?}");
        }
    }
}

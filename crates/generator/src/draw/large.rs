//! Large cases: extents at the edges of the tiles of fast kernels, long axes, and many iterations.
//!
//! Small extents never reach the code that runtimes have for large ones: blocked products, Winograd convolutions, sums that
//! are split, indices of more than 16 bits. The suite `large` has cases of some operators with such extents. Their values
//! are such that sums are exact, or nearly so, and one wrong element is seen among a hundred thousand right ones. Each
//! extent is recorded as a number, and each tensor as one seed, so that few attempts make a failing case small.

use plumbline_spec::OperatorId;
use plumbline_tensor::{DType, Tensor};

use super::{Draw, Size};
use crate::values::Values;

/// The largest number of products in a large case. The oracle computes so many for a whole matrix at once.
pub const MOST_PRODUCTS: usize = 1 << 24;

/// The largest number of products in a large case for which the oracle computes each product by itself: those of double and
/// of quantized elements, and those of recurrent layers, whose matrices are small. That takes up to half a microsecond for
/// each.
pub const MOST_SINGLE_PRODUCTS: usize = 1 << 21;

/// The largest number of elements of a tensor of a large case.
pub const MOST_ELEMENTS: usize = 1 << 18;

/// Extents of a long axis: around the limit of 16 bits, and a number that is no multiple of anything.
pub(super) const LONG: &[usize] = &[65_537, 65_536, 65_535, 70_001, 131_073];

/// The operators of `ai.onnx` that have large cases. Sorted.
const OPERATORS: &[&str] = &[
    "ArgMax",
    "ArgMin",
    "Attention",
    "Conv",
    "ConvInteger",
    "ConvTranspose",
    "Einsum",
    "GRU",
    "Gather",
    "Gemm",
    "LSTM",
    "LogSoftmax",
    "Loop",
    "MatMul",
    "MatMulInteger",
    "NonMaxSuppression",
    "QLinearConv",
    "QLinearMatMul",
    "RNN",
    "ReduceL1",
    "ReduceL2",
    "ReduceLogSum",
    "ReduceLogSumExp",
    "ReduceMax",
    "ReduceMean",
    "ReduceMin",
    "ReduceSum",
    "ReduceSumSquare",
    "Scan",
    "Softmax",
    "TopK",
];

/// Returns whether the operator has large cases.
pub(crate) fn has_large(operator: &OperatorId) -> bool {
    operator.domain == "ai.onnx" && OPERATORS.binary_search(&operator.name.as_str()).is_ok()
}

/// The widths of tiles, of vectors of channels and of blocks of a sum.
const TILES: [usize; 4] = [64, 16, 128, 32];

/// Draws a multiple of a tile's width, or a number beside it, from `least` to `most`.
fn at_edge(rng: &mut fastrand::Rng, least: usize, most: usize) -> usize {
    let tile = TILES[rng.usize(0..TILES.len())];
    let multiple = tile * rng.usize(1..=(most / tile).max(1));
    let beside = match rng.usize(0..4) {
        0 => multiple,
        1 => multiple - 1,
        _ => multiple + 1,
    };
    beside.max(least).min(most)
}

impl Draw<'_> {
    /// Returns whether this is a case of the suite `large`.
    pub fn is_large(&self) -> bool {
        self.size == Size::Large
    }

    /// Notes what is large about the case. Coverage counts it like any other feature.
    pub fn note_large(&mut self, what: &str) {
        self.feature(&format!("large: {what}"));
    }

    /// Draws extents at the edges of tiles, whose product is at most `work`. Each is at most the extent in `most`, and where
    /// `work` allows, not below 32. Further shapes of the case are small.
    pub fn tiles<const N: usize>(&mut self, most: [usize; N], work: usize) -> [usize; N] {
        const LEAST: usize = 32;
        self.larger = self.size.count();
        let mut extents = [1; N];
        let mut left = work.max(1);
        let first = self.index as usize % N.max(1);
        for k in 0..N {
            let at = (first + k) % N;
            let others = LEAST.saturating_pow((N - 1 - k) as u32);
            let most = most[at].min((left / others).max(1));
            extents[at] = self.recorded_extent(most, |rng| at_edge(rng, LEAST.min(most), most));
            left /= extents[at];
        }
        extents
    }

    /// Draws an extent of at most `most`, and records it as a number: a smaller choice is a smaller extent.
    pub(super) fn recorded_extent(&mut self, most: usize, draw: impl FnOnce(&mut fastrand::Rng) -> usize) -> usize {
        1 + self.choices.drawn(most.max(1) as u64, |rng| draw(rng).max(1) as u64 - 1) as usize
    }

    /// Returns the largest number of products of a matrix product or an attention of this type.
    pub fn most_products(&self, dtype: DType) -> usize {
        if dtype.is_float() && dtype != DType::Double { MOST_PRODUCTS } else { MOST_SINGLE_PRODUCTS }
    }

    /// Draws the extent of one of `rank` spatial axes of a convolution, after [`Draw::set_cost`] was told the number of
    /// products for each tap of a window and each place of it.
    pub fn large_spatial(&mut self, rank: usize) -> usize {
        // Windows have three taps along each axis, hardly ever more.
        let places = MOST_PRODUCTS / self.cost.max(1) / 3usize.pow(rank as u32);
        let most = (places as f64).powf(1.0 / rank as f64) as usize;
        let most = most.clamp(1, if rank == 1 { 513 } else { 33 });
        self.recorded_extent(most, |rng| rng.usize(most.min(6)..=most))
    }

    /// Draws a number of iterations beyond 32. Further shapes of the case are small.
    pub fn many_iterations(&mut self) -> usize {
        self.larger = self.size.count();
        self.note_large("many iterations");
        self.recorded_extent(300, |rng| [40, 33, 65, 129, 300][rng.usize(0..5)])
    }

    /// Draws small numbers for an input, with the largest and the smallest element among the last hundred.
    pub fn extremes_at_the_end(&mut self, input: &str, shape: &[usize]) -> Tensor {
        let dtype = self.input_dtype(input);
        let tensor = self.elements(dtype, shape, Values::Nonzero);
        let last = tensor.len().saturating_sub(1);
        let [largest, smallest] = [(); 2].map(|()| last.saturating_sub(self.below(100)));
        let least = if dtype.integer_range().is_some_and(|(low, _)| low == 0) { 0.0 } else { -7.0 };
        let numbers = tensor.to_f64s().into_iter().enumerate().map(|(at, x)| match at {
            _ if at == largest => 7.0,
            _ if at == smallest => least,
            _ => x,
        });
        let numbers: Vec<f64> = numbers.collect();
        Tensor::from_f64s(dtype, shape.to_vec(), &numbers).expect("the number of elements stays the same")
    }

    /// Exchanges two extents in a large case, so that the longest is the one of this axis, along which the operator works.
    pub fn move_longest(&self, shape: &mut [usize], axis: usize) {
        if self.is_large() {
            let longest = (0..shape.len()).max_by_key(|&at| shape[at]).unwrap_or(axis);
            shape.swap(longest, axis);
        }
    }

    /// Draws a number of boxes.
    pub fn many_boxes(&mut self) -> usize {
        self.note_large("many boxes");
        self.recorded_extent(6_000, |rng| rng.usize(4_000..=6_000))
    }

    /// Draws values for sums of many products: whole numbers and powers of two, whose sums are mostly exact, and now and
    /// then fractions, whose sums show in which precision they are added.
    pub fn summable(&mut self, dtype: DType) -> Values {
        match dtype.is_float() {
            true => self.choose(&[Values::Nonzero, Values::Powers, Values::Between(-1.0, 1.0), Values::Nonzero]),
            false => self.choose(&[Values::Nonzero, Values::Between(-9.0, 9.0)]),
        }
    }
}

//! The names of the rules of all operators, each documented with the text of the rule.
//!
//! Written by `cargo xtask generate`; not edited by hand.

use crate::label::Label;

/// A constraint:
///
/// - MatMulInteger: `a_zero_point` is one number, or a list with one number for each row of a single matrix, or has
///   the shape of `A` with 1 as the last extent.
pub const A_ZERO_POINT_FITS: Label = Label::constraint("a-zero-point-fits");

/// A behaviour:
///
/// - TfIdfVectorizer: The output is 0 at an index that no n-gram has, and at all indices if the row is shorter than
///   the n-grams.
pub const ABSENT_N_GRAMS: Label = Label::behaviour("absent-n-grams");

/// A behaviour:
///
/// - ConvInteger: Sums beyond 32 bits may overflow; the specification does not say what they become.
/// - MatMulInteger: Products never overflow; a sum may, beyond 32 bits. The specification does not say what it
///   becomes.
/// - QLinearConv: The specification does not give a width for sums beyond 32 bits.
/// - QLinearMatMul: Products never overflow; a sum of integers may, beyond 32 bits. The specification does not say
///   what it becomes.
pub const ACCUMULATOR_OVERFLOW: Label = Label::behaviour("accumulator-overflow");

/// A behaviour:
///
/// - GRU, LSTM, RNN: `activation_alpha` and `activation_beta` are consumed in the order of the functions: by those
///   that take a constant, which is preferred, or, if there are as many constants as functions, by each.
pub const ACTIVATION_CONSTANTS: Label = Label::behaviour("activation-constants");

/// A constraint:
///
/// - CausalConvWithState: `activation` is none, silu or swish.
pub const ACTIVATION_KNOWN: Label = Label::constraint("activation-known");

/// A constraint:
///
/// - GRU, LSTM, RNN: `activations` names functions that the specification lists, for each direction as many as the
///   equations have.
pub const ACTIVATIONS_KNOWN: Label = Label::constraint("activations-known");

/// A behaviour:
///
/// - StringNormalizer: If every string is dropped, the output has one empty string.
pub const ALL_STRINGS_DROPPED: Label = Label::behaviour("all-strings-dropped");

/// A constraint:
///
/// - Reshape: With `allowzero`, `shape` does not hold both 0 and -1.
pub const ALLOWZERO_WITHOUT_INFERENCE: Label = Label::constraint("allowzero-without-inference");

/// A behaviour:
///
/// - ImageDecoder: The specification does not say what happens to transparency, to more than 8 bits for each channel,
///   or to fewer in JPEG2000.
pub const ALPHA_AND_BIT_DEPTH: Label = Label::behaviour("alpha-and-bit-depth");

/// A constraint:
///
/// - Gelu: `approximate` is "none" or "tanh".
pub const APPROXIMATE_KNOWN: Label = Label::constraint("approximate-known");

/// A constraint:
///
/// - Attention: `attn_mask` broadcasts to (batch, heads of `Q`, length of `Q`, length of keys with the past), and has
///   the type bool or the type of `Q`.
/// - Attention: `attn_mask` broadcasts to (batch, heads of `Q`, length of `Q`, length of keys with the past); its
///   last extent may be shorter, but not shorter than the largest of `nonpad_kv_seqlen`. It has the type bool or the
///   type of `Q`.
pub const ATTN_MASK_BROADCASTS: Label = Label::constraint("attn-mask-broadcasts");

/// A constraint:
///
/// - Attention: `qk_matmul_output_mode` is 0 to 3, `softmax_precision` is a floating-point type, and from version 25
///   on `left_window_size` and `right_window_size` are -1 or more.
/// - CastMap: `cast_to` is TO_FLOAT, TO_STRING or TO_INT64, and `map_form` is DENSE or SPARSE.
/// - TreeEnsemble: `aggregate_function` is 0 to 3, `post_transform` 0 to 4.
/// - TreeEnsembleClassifier: `post_transform` is NONE, SOFTMAX, LOGISTIC, SOFTMAX_ZERO or PROBIT.
/// - TreeEnsembleRegressor: `post_transform` is NONE, SOFTMAX, LOGISTIC, SOFTMAX_ZERO or PROBIT, and
///   `aggregate_function` is AVERAGE, SUM, MIN or MAX.
pub const ATTRIBUTE_VALUES_KNOWN: Label = Label::constraint("attribute-values-known");

/// A constraint:
///
/// - AveragePool, Conv, ConvInteger, ConvTranspose, LpPool, MaxPool, QLinearConv: `auto_pad` is NOTSET, SAME_UPPER,
///   SAME_LOWER or VALID.
pub const AUTO_PAD_KNOWN: Label = Label::constraint("auto-pad-known");

/// A behaviour:
///
/// - AveragePool: Without `ceil_mode` the formulas of this version for VALID and SAME round down, but those of all
///   other versions round up. The description of `auto_pad` and shape inference round up as well, and so does the
///   oracle.
pub const AUTO_PAD_ROUNDING: Label = Label::behaviour("auto-pad-rounding");

/// A behaviour:
///
/// - TreeEnsemble, TreeEnsembleRegressor: An average divides the sum of the votes for a target. The specification
///   does not say by what if not every tree has one vote for the target: by the number of trees, which is preferred,
///   or by the number of votes.
pub const AVERAGE_DIVISOR: Label = Label::behaviour("average-divisor");

/// A constraint:
///
/// - ReverseSequence: `batch_axis` and `time_axis` are 0 and 1, in either order.
pub const AXES_ARE_FIRST_TWO: Label = Label::constraint("axes-are-first-two");

/// A constraint:
///
/// - CenterCropPad, Pad, Resize, Slice: Axes lie in [-rank, rank - 1].
/// - MeanVarianceNormalization: Each axis is an axis of `X`: it lies in [-r, r-1], where r is the rank. The default
///   axes need a rank of 4.
/// - ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum,
///   ReduceSumSquare: Each axis is an axis of `data`: it lies in [-r, r-1], where r is the rank (below version 11,
///   which is the first to count from the back, in [0, r-1]). A tensor of rank 0 has no axis.
/// - Scan: An axis is an axis of its tensor. From Scan-11 on it counts from the back if it is negative; before, it is
///   not negative.
/// - Slice: Each of `axes` is an axis of the data. The text does not describe negative axes.
/// - Squeeze: Axes are at least 0 and below the rank.
/// - Squeeze: Axes lie in [-rank, rank - 1]; a negative one counts from the back.
/// - Unsqueeze: Axes are at least 0 and below the rank of the output, which is that of the data plus the number of
///   axes.
/// - Unsqueeze: Axes lie in [-r, r - 1] for the rank r of the output, which is that of the data plus the number of
///   axes.
pub const AXES_IN_RANGE: Label = Label::constraint("axes-in-range");

/// A behaviour:
///
/// - Unsqueeze: Axes may be in any order.
/// - Unsqueeze: Axes are those of the output, so that their order does not matter.
pub const AXES_ORDER: Label = Label::behaviour("axes-order");

/// A constraint:
///
/// - Pad: `axes` has rank 1.
/// - Squeeze, Unsqueeze: `axes` has rank 1. (The text of version 23 says so from release 1.19 on; before:
///   `list-rank`.)
pub const AXES_RANK_ONE: Label = Label::constraint("axes-rank-one");

/// A constraint:
///
/// - Unsqueeze: No axis is given twice, not even once from the front and once from the back.
/// - Unsqueeze: No axis is given twice.
pub const AXES_UNIQUE: Label = Label::constraint("axes-unique");

/// A behaviour:
///
/// - LayerNormalization: `axis` may be the rank. Then no axis is normalized: each element is its own mean, and the
///   variance is 0.
pub const AXIS_BEHIND_LAST: Label = Label::behaviour("axis-behind-last");

/// A constraint:
///
/// - ArgMax, ArgMin: `axis` is an axis of `data`. The text does not describe negative axes. A tensor of rank 0 has no
///   axis, not even the default 0.
/// - ArgMax, ArgMin: `axis` is an axis of `data`: it lies in [-r, r-1], where r is the rank. A tensor of rank 0 has
///   no axis, not even the default 0.
/// - Compress: `axis` is an axis of the input. The text does not describe negative axes.
/// - Compress, Concat, Gather, GatherElements, Scatter, ScatterElements, Split: `axis` lies in [-rank, rank - 1].
/// - Concat: `axis` is an axis of the inputs. The text does not describe negative axes (`negative-axis`).
/// - ConcatFromSequence: `axis` is an axis of the result, which with `new_axis` has one axis more than the tensors;
///   it counts from the back if it is negative.
/// - CumProd, CumSum: `axis` is an axis of `x`: it lies in [-r, r-1], where r is the rank.
/// - DFT: The axis lies in [-r, r - 1], where r is the rank, and is not the last one.
/// - DequantizeLinear, QuantizeLinear: `axis` is an axis of `x`, unless it has no effect: because there is a single
///   scale or, from version 19 on, because `x` has rank 1.
/// - Flatten: `axis` lies in [0, rank].
/// - Flatten: `axis` lies in [-rank, rank]; a negative one counts from the back.
/// - Hardmax, LogSoftmax, Softmax: `axis` divides the axes into two parts: it lies in [0, r], where r is the rank of
///   `input`. With r the second part is empty, and each row has one element. The text does not mention negative axes,
///   but a published case has one (-1, counted from the back).
/// - Hardmax, LogSoftmax, Softmax: `axis` is an axis of `input`: it lies in [-r, r-1], where r is the rank, which is
///   at least 1. In version 11 the default 1 needs a rank of at least 2.
/// - LayerNormalization: `axis` is an axis of `X`: it lies in [-r, r-1], where r is the rank. (Before release 1.15 it
///   may be r: `axis-behind-last`.)
/// - LpNormalization: `axis` is an axis of `input`: it lies in [-r, r-1], where r is the rank.
/// - OneHot: `axis` is an axis of the output. The text does not describe negative axes other than -1.
/// - OneHot: `axis` lies in [-r - 1, r] for the rank r of the indices.
/// - RMSNormalization, TopK: `axis` is an axis of `X`: it lies in [-r, r-1], where r is the rank.
/// - Split: `axis` is an axis of the data. The text does not describe negative axes.
/// - SplitToSequence: `axis` is an axis of the input: it lies in [-r, r-1].
/// - TensorScatter: `axis` is an axis of the cache, and not the first one.
/// - Unique: `axis`, if given, is an axis of `X`: it lies in [-r, r-1], where r is the rank.
pub const AXIS_IN_RANGE: Label = Label::constraint("axis-in-range");

/// A constraint:
///
/// - CumProd, CumSum: `axis` has one element.
pub const AXIS_IS_SCALAR: Label = Label::constraint("axis-is-scalar");

/// A behaviour:
///
/// - DequantizeLinear, QuantizeLinear: The text does not say that `axis` has no effect on an input of rank 1. (It has
///   said so since release 1.17.)
pub const AXIS_OF_A_VECTOR: Label = Label::behaviour("axis-of-a-vector");

/// A constraint:
///
/// - MatMulInteger: `b_zero_point` is one number, or a list with one number for each column of a single matrix, or
///   has the shape of `B` with 1 as the last extent but one.
pub const B_ZERO_POINT_FITS: Label = Label::constraint("b-zero-point-fits");

/// A behaviour:
///
/// - Scan: The specification does not say whether a shorter sequence that is scanned from the back starts at its own
///   end or at that of the longest. No such case is drawn.
pub const BACKWARD_SHORT_SEQUENCE: Label = Label::behaviour("backward-short-sequence");

/// A behaviour:
///
/// - GRU, LSTM, RNN: Backward steps go from the last element of a sequence, which its length determines, to the
///   first; `Y` has the state of a step at the place of its element.
pub const BACKWARD_STEPS: Label = Label::behaviour("backward-steps");

/// A behaviour:
///
/// - TreeEnsembleClassifier: Base values are added to the sum of the votes, before the transform.
/// - TreeEnsembleRegressor: Base values are added after the votes are aggregated, and before the transform.
pub const BASE_VALUE_ORDER: Label = Label::behaviour("base-value-order");

/// A constraint:
///
/// - TreeEnsembleClassifier: There are as many base values as classes, if base values are given.
/// - TreeEnsembleRegressor: There are as many base values as targets, if base values are given.
pub const BASE_VALUES_FIT: Label = Label::constraint("base-values-fit");

/// A constraint:
///
/// - GatherND: `batch_dims` is at least 0 and smaller than either rank.
pub const BATCH_DIMS_IN_RANGE: Label = Label::constraint("batch-dims-in-range");

/// A constraint:
///
/// - GatherND: The first `batch_dims` extents of data and indices are equal.
pub const BATCH_EXTENTS_EQUAL: Label = Label::constraint("batch-extents-equal");

/// A constraint:
///
/// - RoiAlign: `batch_indices` has one element for each region.
pub const BATCH_INDICES_FIT_ROIS: Label = Label::constraint("batch-indices-fit-rois");

/// A constraint:
///
/// - MaxRoiPool: The first number of a region is the index of a batch of `X`.
/// - RoiAlign: Each of `batch_indices` is the index of a batch of `X`.
pub const BATCH_INDICES_IN_RANGE: Label = Label::constraint("batch-indices-in-range");

/// A constraint:
///
/// - MatMul, MatMulInteger, QLinearMatMul: The dimensions before the last two broadcast together.
pub const BATCH_SHAPES_BROADCAST: Label = Label::constraint("batch-shapes-broadcast");

/// A constraint:
///
/// - LinearAttention: The delta rules have a `beta`, with one element for each token, or for each token and head.
pub const BETA_FITS: Label = Label::constraint("beta-fits");

/// A behaviour:
///
/// - AveragePool: With `ceil_mode`, windows may reach beyond the padding. The specification does not say whether,
///   with `count_include_pad`, the elements there count. The published cases do not count them, nor does PyTorch, to
///   which the text of version 19 links.
pub const BEYOND_PADDING: Label = Label::behaviour("beyond-padding");

/// A behaviour:
///
/// - GRU, LSTM, RNN: The specification does not say what `Y` holds beyond the length of a sequence; zero is
///   preferred. Some implementations repeat a state there: the last one or, backward, the initial one. Others go on
///   with the steps.
/// - Scan: The elements of a scan output after the end of a shorter sequence are undefined. 0 is preferred.
pub const BEYOND_SEQUENCE_LENGTH: Label = Label::behaviour("beyond-sequence-length");

/// A behaviour:
///
/// - Clip: The function body of version 13 (Less, Where) has opset 13, whose Where does not take bfloat16, but
///   Clip-13 does. Only the operator itself is tested.
pub const BFLOAT16_BODY: Label = Label::behaviour("bfloat16-body");

/// A constraint:
///
/// - GRU, RNN: `B` and `initial_h` have the shapes that follow from those of `X` and `R`.
/// - LSTM: `B`, `P`, `initial_h` and `initial_c` have the shapes that follow from those of `X` and `R`.
pub const BIAS_AND_STATE_FIT: Label = Label::constraint("bias-and-state-fit");

/// A constraint:
///
/// - CausalConvWithState: `bias` has rank 1 and one element for each channel.
/// - Conv, ConvTranspose, DeformConv, QLinearConv: The bias has rank 1 and one element for each output channel.
pub const BIAS_FITS_CHANNELS: Label = Label::constraint("bias-fits-channels");

/// A behaviour:
///
/// - MelWeightMatrix: The description gives the mel scale, and says that triangles in the matrix have the height 1,
///   so that their peaks lie on bins of the spectrum. It does not say on which. The published case is preferred:
///   there are two more corners than bands, evenly spaced on the scale from the lower edge to one step below the
///   upper edge. The bin of a corner is its frequency times (dft_length + 1) / sample_rate, rounded down. Corners may
///   also reach the upper edge, be rounded to the nearest bin, use dft_length in place of dft_length + 1, or be moved
///   by a rounding error. An answer follows one of these in all elements.
pub const BIN_POSITIONS: Label = Label::behaviour("bin-positions");

/// A behaviour:
///
/// - SVMClassifier: A decision above zero is won by the first of two classes. If no coefficient is negative, ONNX's
///   evaluator gives the second class every example. No model of LIBSVM has such coefficients, and no text mentions
///   them.
pub const BINARY_DECISION: Label = Label::behaviour("binary-decision");

/// A behaviour:
///
/// - LinearClassifier: With one row of coefficients for two classes, there is only one score, that of the second
///   class. The specification does not say what the score of the first class is: 1 minus that score, or its negative,
///   computed before the transform, after it, or without a transform. The label of the second class is given above
///   the score of the first: above zero, or above a half.
/// - TreeEnsembleClassifier: With two labels and votes for only one of them, or with one label, implementations take
///   the votes as the score of a binary classifier for the second class. The other class gets 1 minus that score, or
///   its negative, computed before the transform, after it, or without a transform. The label changes at a score of a
///   half or of zero. No description mentions any of this, and by the text votes count for the class that they name,
///   which is preferred.
pub const BINARY_SCORES: Label = Label::behaviour("binary-scores");

/// A constraint:
///
/// - BitCast: The type that `to` names has as many bits as that of `input`.
pub const BIT_WIDTHS_EQUAL: Label = Label::constraint("bit-widths-equal");

/// A constraint:
///
/// - DequantizeLinear, QuantizeLinear: `block_size` is positive, or 0, the default, for no blocks.
pub const BLOCK_SIZE_NON_NEGATIVE: Label = Label::constraint("block-size-non-negative");

/// A constraint:
///
/// - DequantizeLinear: `block_size` is positive, and the number of blocks that cover the extent of `x` along `axis`
///   is the extent of `x_scale`.
/// - QuantizeLinear: `block_size` is positive, and the number of blocks that cover the extent of `x` along `axis` is
///   the extent of `y_scale`.
pub const BLOCKS_COVER_AXIS: Label = Label::constraint("blocks-cover-axis");

/// A constraint:
///
/// - Col2Im: The second extent of `input` is a multiple of the number of elements of a block, and its third extent is
///   the number of blocks that fit the padded image.
pub const BLOCKS_FIT_IMAGE: Label = Label::constraint("blocks-fit-image");

/// A constraint:
///
/// - DepthToSpace: The square of `blocksize` divides the depth.
pub const BLOCKSIZE_DIVIDES_DEPTH: Label = Label::constraint("blocksize-divides-depth");

/// A constraint:
///
/// - SpaceToDepth: `blocksize` divides height and width.
pub const BLOCKSIZE_DIVIDES_EXTENTS: Label = Label::constraint("blocksize-divides-extents");

/// A constraint:
///
/// - DepthToSpace, SpaceToDepth: `blocksize` is at least 1.
pub const BLOCKSIZE_POSITIVE: Label = Label::constraint("blocksize-positive");

/// A constraint:
///
/// - Loop: The inputs of the body are the number of the iteration, the condition and N values; its outputs are a
///   condition of one element, N values and K scan outputs. The node has N initial values and no more than N + K
///   outputs.
/// - Scan: The body has N states and M elements as inputs, and N states and K elements as outputs; the node has N + M
///   inputs, `sequence_lens` of Scan-8 not counted, and N + K outputs.
/// - SequenceMap: The body has as many inputs and outputs as the node.
pub const BODY_FITS_NODE: Label = Label::constraint("body-fits-node");

/// A behaviour:
///
/// - ReduceL2: The function body computes the root of the sum cast to float even if the elements are float64,
///   although it names the result after double. The description mentions the norm alone. The norm in float64 is
///   preferred, the norm through float is accepted too.
pub const BODY_PRECISION: Label = Label::behaviour("body-precision");

/// A behaviour:
///
/// - BitCast: The text does not mention a bool with other bits than those of 0 and 1. Any value that is not zero
///   counts as true.
pub const BOOL_BITS: Label = Label::behaviour("bool-bits");

/// A behaviour:
///
/// - Cast, CastLike: Zero of either sign becomes false, everything else true, NaN included. True becomes 1 and false 0.
/// - Cast: Cast-9 says that 36 may become true, and gives a reason by which it would become false. The rule of
///   Cast-13 (everything but zero is true) is preferred. For 0 and 1 nothing else is accepted. In version 9 the same
///   holds for floats of 1 and more, because the function body of Range-11 casts its number of elements to bool to
///   test whether there are any.
pub const BOOL_CONVERSION: Label = Label::behaviour("bool-conversion");

/// A behaviour:
///
/// - ReduceMax, ReduceMin: False is less than true.
pub const BOOL_ORDER: Label = Label::behaviour("bool-order");

/// A constraint:
///
/// - CategoryMapper: `cats_int64s` and `cats_strings` are given.
pub const BOTH_LISTS_GIVEN: Label = Label::constraint("both-lists-given");

/// A constraint:
///
/// - Clip: `min` and `max` are scalars: tensors of rank 0.
pub const BOUNDS_ARE_SCALARS: Label = Label::constraint("bounds-are-scalars");

/// A constraint:
///
/// - NonMaxSuppression: `boxes` has shape [batches, count, 4] and `scores` [batches, classes, count], with the same
///   batches and count.
pub const BOXES_MATCH_SCORES: Label = Label::constraint("boxes-match-scores");

/// A constraint:
///
/// - If: Both graphs have the same number of outputs, which is that of the node.
pub const BRANCH_OUTPUTS_FIT: Label = Label::constraint("branch-outputs-fit");

/// A constraint:
///
/// - If: An output has the same shape in both graphs, as far as they declare it.
pub const BRANCH_SHAPES_EQUAL: Label = Label::constraint("branch-shapes-equal");

/// A constraint:
///
/// - If: An output has the same type in both graphs.
pub const BRANCH_TYPES_EQUAL: Label = Label::constraint("branch-types-equal");

/// A constraint:
///
/// - TreeEnsemble: Roots and branches lead to existing nodes or leaves; no node is reached twice.
/// - TreeEnsembleClassifier: Each node id occurs once within a tree. Branches lead to nodes of their tree, each of
///   which is reached by one branch. Votes belong to leaves.
/// - TreeEnsembleRegressor: Branches lead to nodes of their tree, each of which is reached by one branch. Votes
///   belong to leaves.
pub const BRANCHES_FORM_TREES: Label = Label::constraint("branches-form-trees");

/// A constraint:
///
/// - Gemm: `C` has the shape of the product, or broadcasts to it if `broadcast` is not 0.
/// - Gemm: `C`, if given, broadcasts to the shape of the product in one direction.
pub const C_BROADCASTS: Label = Label::constraint("c-broadcasts");

/// A constraint:
///
/// - RotaryEmbedding: Both caches have the same shape: (positions, half) with `position_ids`, and (batch, sequence,
///   half) without, where half is half the number of elements of a head that are rotated. (Before release 1.19.1 the
///   text contradicts itself: `long-caches`.)
pub const CACHE_SHAPES_FIT: Label = Label::constraint("cache-shapes-fit");

/// A constraint:
///
/// - Loop: A value keeps its type from one iteration to the next.
pub const CARRIED_TYPES_KEPT: Label = Label::constraint("carried-types-kept");

/// A constraint:
///
/// - StringNormalizer: `case_change_action` is NONE, LOWER or UPPER.
pub const CASE_CHANGE_ACTION_KNOWN: Label = Label::constraint("case-change-action-known");

/// A constraint:
///
/// - OneHotEncoder: `cats_strings` is given if `X` holds strings, and `cats_int64s` otherwise.
pub const CATEGORY_TYPE_FITS: Label = Label::constraint("category-type-fits");

/// A behaviour:
///
/// - Attention: The diagonal of a causal mask is shifted to the right by the number of keys that precede the queries:
///   the length of `past_key`, or `nonpad_kv_seqlen` less the number of queries. Mask and causal mask are added up.
pub const CAUSAL_DIAGONAL: Label = Label::behaviour("causal-diagonal");

/// A behaviour:
///
/// - Attention: The diagonal of a causal mask begins at the first query and the first key, even if some keys precede
///   the queries.
pub const CAUSAL_UPPER_LEFT: Label = Label::behaviour("causal-upper-left");

/// A behaviour:
///
/// - AveragePool: The specification contradicts itself on whether, with `ceil_mode`, a window that starts beyond the
///   last element is kept. By the formula of the text and by shape inference it is kept, which is preferred; onnx's
///   reference evaluator and published cases of release 1.16 leave it out. So did the text of AveragePool-19 in
///   release 1.16 only, and versions from 22 on say so. With VALID, the text and shape inference differ on the window
///   that rounding up adds, so that the oracle gives no answer.
/// - AveragePool, MaxPool: With `ceil_mode`, a window that would start beyond the last element is left out; the
///   oracle gives no answer if there are several such windows. With VALID, the text and shape inference differ on the
///   window that rounding up adds; the oracle gives no answer either.
/// - LpPool: The specification contradicts itself on whether, with `ceil_mode`, a window that starts beyond the last
///   element is kept. By the formula of the text and by shape inference it is kept, which is preferred; onnx's
///   reference evaluator and published cases of release 1.16 leave it out, as does shape inference from version 22
///   on. With VALID, the text and shape inference differ on the window that rounding up adds, so that the oracle
///   gives no answer.
/// - LpPool: With `ceil_mode`, shape inference leaves out a window that would start beyond the last element, as in
///   the other poolings of that version, whose texts say so; the text of this one does not. The oracle follows shape
///   inference. It gives no answer if there are several such windows, nor if `ceil_mode` adds a window with VALID, on
///   which the text and shape inference differ.
/// - MaxPool: The specification contradicts itself on whether, with `ceil_mode`, a window that starts beyond the last
///   element is kept. By the formula of the text and by shape inference it is kept, which is preferred; onnx's
///   reference evaluator and published cases of release 1.16 leave it out. So did the text of MaxPool-12 in release
///   1.16 only, and versions from 22 on say so. With VALID, the text and shape inference differ on the window that
///   rounding up adds, so that the oracle gives no answer.
pub const CEIL_MODE: Label = Label::behaviour("ceil-mode");

/// A behaviour:
///
/// - LRN: Channels beyond the edge are left out; the divisor is still `size`.
pub const CHANNELS_BEYOND_EDGE: Label = Label::behaviour("channels-beyond-edge");

/// A constraint:
///
/// - Conv, ConvTranspose, DeformConv: The kernel `W` has the rank of `X`; `group` is positive and divides the output
///   channels of `W` and the channels of `X`; a group has as many input channels as the kernel.
/// - ConvInteger, QLinearConv: The kernel `w` has the rank of `x`; `group` is positive and divides the output
///   channels of `w` and the channels of `x`; a group has as many input channels as the kernel.
pub const CHANNELS_FIT_GROUPS: Label = Label::constraint("channels-fit-groups");

/// A behaviour:
///
/// - TensorScatter: In circular mode, the index along `axis` is taken modulo the extent of the cache there, and the
///   others stay.
pub const CIRCULAR_AXIS: Label = Label::behaviour("circular-axis");

/// A behaviour:
///
/// - TensorScatter: In circular mode, the indices before `axis`, that of the batch included, are taken modulo the
///   extent of the cache along `axis`, too. Updates of later batches overwrite those of earlier ones.
pub const CIRCULAR_LEADING_AXES: Label = Label::behaviour("circular-leading-axes");

/// A constraint:
///
/// - NegativeLogLikelihoodLoss: `weight` is a list with one element for each class.
/// - SoftmaxCrossEntropyLoss: `weights` is a list with one element for each class.
pub const CLASS_WEIGHTS_FIT: Label = Label::constraint("class-weights-fit");

/// A behaviour:
///
/// - GRU, RNN: `clip` bounds the input of each activation.
/// - LSTM: `clip` bounds the input of each activation. The cell state is one, in h(Ct); as an output, and for the
///   next step, it is not bounded.
pub const CLIP: Label = Label::behaviour("clip");

/// A behaviour:
///
/// - GRU, LSTM, RNN: The specification does not say what `clip` means if it is NaN, or if it is negative, so that the
///   range is empty.
pub const CLIP_OUT_OF_RANGE: Label = Label::behaviour("clip-out-of-range");

/// A behaviour:
///
/// - ImageDecoder: The text does not name a conversion of the four inks of a JPEG, TIFF or JPEG2000 to red, green and
///   blue, nor say whether Adobe's inverted values are inverted back. Only the shape of the output is defined; for
///   JPEG2000 the oracle gives no answer.
pub const CMYK: Label = Label::behaviour("cmyk");

/// A behaviour:
///
/// - Gelu: With approximate = "tanh" the text has the numbers 2 / pi and 0.044715, the function body both as float32
///   constants. For double elements the results differ from the ninth digit on.
/// - HardSwish: alpha is 1/6 by the text. The function body passes it to HardSigmoid as an attribute, a float32,
///   which for double elements is another number from the ninth digit on.
pub const COEFFICIENT_PRECISION: Label = Label::behaviour("coefficient-precision");

/// A constraint:
///
/// - LinearClassifier: There are as many coefficients as classes times features, or, for two classes, only as many as
///   features.
/// - LinearRegressor: There are as many coefficients as targets times features, and at least one target.
pub const COEFFICIENTS_FIT: Label = Label::constraint("coefficients-fit");

/// A constraint:
///
/// - If: `cond` has one element; its rank does not matter.
pub const COND_HAS_ONE_ELEMENT: Label = Label::constraint("cond-has-one-element");

/// A behaviour:
///
/// - If: The text does not say how many elements `cond` has. The oracle gives no answer if there is not exactly one.
pub const COND_OF_OTHER_SIZE: Label = Label::behaviour("cond-of-other-size");

/// A constraint:
///
/// - Compress: `condition` is nowhere true beyond the extent that it selects from: the extent of `axis`, or without
///   `axis` the size of the flat input.
pub const CONDITION_FITS_EXTENT: Label = Label::constraint("condition-fits-extent");

/// A constraint:
///
/// - Compress: `condition` has rank 1.
pub const CONDITION_RANK_ONE: Label = Label::constraint("condition-rank-one");

/// A constraint:
///
/// - Pad: `constant_value` has one element.
pub const CONSTANT_VALUE_IS_SCALAR: Label = Label::constraint("constant-value-is-scalar");

/// A behaviour:
///
/// - CastMap: Values are preferably converted by the rules of Cast. What Cast leaves open (fractions, numbers out of
///   range, digits of strings) is open here.
/// - FeatureVectorizer: Elements of other types are rounded to float; values beyond float become infinity.
/// - OneHotEncoder: Floats are cast to integers, which drops their fractions. The specification does not say what
///   NaN, infinities and numbers beyond int64 become. With `zeros` = 0 the oracle gives no answer for them, and no
///   such case is drawn.
pub const CONVERSION: Label = Label::behaviour("conversion");

/// A behaviour:
///
/// - AffineGrid: Coordinates are listed from the innermost axis outwards: x, y, z.
pub const COORDINATE_ORDER: Label = Label::behaviour("coordinate-order");

/// A behaviour:
///
/// - RoiAlign: Version 10 does not shift coordinates, like output_half_pixel later.
pub const COORDINATE_SHIFT: Label = Label::behaviour("coordinate-shift");

/// A constraint:
///
/// - Reshape: A 0 that copies an extent is at a position below the rank of the data.
pub const COPIED_EXTENT_EXISTS: Label = Label::constraint("copied-extent-exists");

/// A behaviour:
///
/// - AveragePool: Padding does not count.
/// - AveragePool: Padding counts as zeros if `count_include_pad` is 1, and does not count otherwise.
pub const COUNT_INCLUDE_PAD: Label = Label::behaviour("count-include-pad");

/// A behaviour:
///
/// - Clip: If min is above max, every element becomes max.
pub const CROSSED_BOUNDS: Label = Label::behaviour("crossed-bounds");

/// A behaviour:
///
/// - GridSample: The coefficient of cubic interpolation is -0.75.
pub const CUBIC_COEFFICIENT: Label = Label::behaviour("cubic-coefficient");

/// A constraint:
///
/// - ArgMax, ArgMin: `data` is not an empty tensor.
pub const DATA_NOT_EMPTY: Label = Label::constraint("data-not-empty");

/// A constraint:
///
/// - LinearAttention: The gated rules have a `decay`, with one element for each token and head, or for each token and
///   element of a key.
pub const DECAY_FITS: Label = Label::constraint("decay-fits");

/// A behaviour:
///
/// - SVMClassifier: The text does not give the formula. The attributes are the fields of a model of LIBSVM, and the
///   formula is its decision function. For a pair of classes, the kernel of each support vector of the two is
///   multiplied by its coefficient against the other class; to the sum of these products `rho` is added. Above zero,
///   the first class wins. Without support vectors, the score of a class is the dot product of the features and its
///   coefficients, plus `rho`, and the highest score wins.
/// - SVMRegressor: The text does not give the formula. The attributes are the fields of a model of LIBSVM, and the
///   formula is its decision function: the sum of the coefficients times kernels, to which `rho` is added (LIBSVM
///   subtracts it). Kernels: u.v, (gamma u.v + coef0)^degree, exp(-gamma |u - v|^2), tanh(gamma u.v + coef0). The
///   answer has shape [N, 1].
pub const DECISION_FUNCTION: Label = Label::behaviour("decision-function");

/// A behaviour:
///
/// - SVMClassifier: By the text the second output has one raw score for each class, but a support vector machine has
///   one decision for each pair of classes. Implementations return the decisions, with either sign, or the number of
///   decisions that each class wins. With two classes, one score is the decision, and the other is its negative, or 1
///   minus it. The decisions are preferred, because they are raw, with the signs that ONNX's evaluator gives them.
///   With more than three classes the shapes differ too, and no such case is drawn.
pub const DECISION_SCORES: Label = Label::behaviour("decision-scores");

/// A behaviour:
///
/// - Slice: Without `axes`, bounds apply to the first axes.
/// - Slice: Without `axes`, bounds apply to all axes. Whether there may be fewer bounds than axes is open: by the
///   descriptions they apply to all axes, but shape inference applies them to as many of the first axes as there are
///   bounds, and so does the oracle.
pub const DEFAULT_AXES: Label = Label::behaviour("default-axes");

/// A behaviour:
///
/// - Compress: Without `axis` elements are selected in row-major order, and the output has rank 1.
/// - Concat: `axis` is 1 if it is left out. The schema has no default; the text does.
/// - Split: The specification does not say which axis is split if `axis` is left out. Split-2 says 0.
pub const DEFAULT_AXIS: Label = Label::behaviour("default-axis");

/// A behaviour:
///
/// - Clip: The default of `max` (`min`) is the largest (smallest) float32, but by the text the largest (smallest)
///   number of the type. For double elements the default clips finite numbers; for float16 it clips nothing, not even
///   infinities.
pub const DEFAULT_BOUND: Label = Label::behaviour("default-bound");

/// A behaviour:
///
/// - GRU, LSTM, RNN: Affine and ScaledTanh are not operators any more, so that their constants have no default: the
///   oracle uses 1 for alpha, 0 for the beta of Affine, and 1 for that of ScaledTanh. Generated cases give these
///   constants.
pub const DEFAULT_CONSTANTS: Label = Label::behaviour("default-constants");

/// A behaviour:
///
/// - EyeLike: Without `dtype` the output has the input's type.
pub const DEFAULT_DTYPE: Label = Label::behaviour("default-dtype");

/// A behaviour:
///
/// - LpPool: The specification does not say what a missing `kernel_shape` means. One window over everything is
///   preferred.
pub const DEFAULT_KERNEL_SHAPE: Label = Label::behaviour("default-kernel-shape");

/// A behaviour:
///
/// - NonMaxSuppression: Without `max_output_boxes_per_class`, or with 0, nothing is selected. A negative number has
///   the same effect as 0.
pub const DEFAULT_MAX_BOXES: Label = Label::behaviour("default-max-boxes");

/// A behaviour:
///
/// - CausalConvWithState: Without `past_state` the input is preceded by zeros, which are multiplied by the weights,
///   as in the function body.
pub const DEFAULT_PAST_STATE: Label = Label::behaviour("default-past-state");

/// A behaviour:
///
/// - Transpose: Without `perm` the order of all axes is reversed.
pub const DEFAULT_PERM: Label = Label::behaviour("default-perm");

/// A constraint:
///
/// - LabelEncoder: `default_tensor` has shape [1] and the element type of the values.
pub const DEFAULT_TENSOR_FITS: Label = Label::constraint("default-tensor-fits");

/// A behaviour:
///
/// - ConstantOfShape: Without `value` the output is float zeros.
pub const DEFAULT_VALUE: Label = Label::behaviour("default-value");

/// A behaviour:
///
/// - NonMaxSuppression: The specification does not say what boxes and scores that are not finite mean, nor what the
///   overlap of boxes without an area is. The oracle gives no answer.
pub const DEGENERATE_BOXES: Label = Label::behaviour("degenerate-boxes");

/// A behaviour:
///
/// - Multinomial: The specification does not say what the output is if a log-probability is not finite, a row has no
///   classes, or a sample has no elements. The oracle gives no answer, and no such case is drawn.
/// - RandomNormal, RandomNormalLike: NaN and infinities describe no distribution, nor does a negative `scale`. Nor
///   does the specification say what an element beyond the range of the type becomes. The oracle gives no answer, and
///   no such case is drawn.
/// - RandomUniform, RandomUniformLike: NaN and infinities describe no distribution, nor does `low` above `high`. Nor
///   does the specification say what an element beyond the range of the type becomes. The oracle gives no answer, and
///   no such case is drawn.
pub const DEGENERATE_DISTRIBUTION: Label = Label::behaviour("degenerate-distribution");

/// A behaviour:
///
/// - RoiAlign: The specification does not mention regions of zero or negative size, or shorter than one element. If
///   coordinates are not shifted, most implementations make such regions one element long, which is preferred. If
///   they are shifted, the size is used as it is. Without any sample the average is 0 or NaN.
pub const DEGENERATE_REGIONS: Label = Label::behaviour("degenerate-regions");

/// A behaviour:
///
/// - QLinearConv: The specification does not say what a scale means if it is zero, negative, infinite or NaN.
pub const DEGENERATE_SCALE: Label = Label::behaviour("degenerate-scale");

/// A behaviour:
///
/// - OneHot: The text says that `depth` is a scalar, and not whether a tensor of rank 1 with one element is one.
pub const DEPTH_OF_RANK_ONE: Label = Label::behaviour("depth-of-rank-one");

/// A behaviour:
///
/// - DepthToSpace: Before version 11, whose default is DCR, the text does not give the order of the depth; published
///   cases of 1 are in that order, and nothing else is accepted.
/// - DepthToSpace, SpaceToDepth: The order of the depth is, for DCR: block row, block column, depth; for CRD: depth,
///   block row, block column.
/// - SpaceToDepth: Before version 28 the text does not give the order of the depth. Only DCR, the default of version
///   28, is accepted: DepthToSpace calls itself the reverse, and published cases have this order.
pub const DEPTH_ORDER: Label = Label::behaviour("depth-order");

/// A constraint:
///
/// - OneHot: `depth` is one non-negative number, of rank 0 or 1.
pub const DEPTH_VALID: Label = Label::constraint("depth-valid");

/// A behaviour:
///
/// - DFT: Samples beyond `dft_length` are ignored, and missing ones are zero.
pub const DFT_LENGTH: Label = Label::behaviour("dft-length");

/// A constraint:
///
/// - DFT: `dft_length` is one positive number, and so is its default.
pub const DFT_LENGTH_POSITIVE: Label = Label::constraint("dft-length-positive");

/// A behaviour:
///
/// - EyeLike: If the diagonal is outside the matrix, all elements are zero.
/// - Trilu: A `k` outside the matrix keeps all elements or none.
pub const DIAGONAL_OUTSIDE: Label = Label::behaviour("diagonal-outside");

/// A behaviour:
///
/// - Gradient: The specification does not say which operators have a derivative, nor what it is where a function is
///   not smooth. The oracle differentiates sums, products, quotients, a few functions and products of matrices.
pub const DIFFERENTIABLE_OPERATORS: Label = Label::behaviour("differentiable-operators");

/// A constraint:
///
/// - BitShift: `direction` is LEFT or RIGHT, in capitals.
/// - GRU: `direction` is `forward`, `reverse` or `bidirectional`. (The default of version 1 of GRU is `foward`, which
///   means `forward`.)
/// - LSTM, RNN: `direction` is `forward`, `reverse` or `bidirectional`.
pub const DIRECTION_KNOWN: Label = Label::constraint("direction-known");

/// A constraint:
///
/// - Scan: Directions are 0 or 1.
pub const DIRECTIONS_KNOWN: Label = Label::constraint("directions-known");

/// A behaviour:
///
/// - Div: No version says what an integer divided by zero gives, and no number solves the division. C++ leaves it
///   undefined, so that any value is accepted. Processors trap, which an implementation may turn into a refusal.
/// - LpNormalization: The text does not say what zeros are normalized to. Their norm is 0, and 0 / 0 is NaN.
/// - Mod: No version says what the remainder of an integer by zero is. C++ leaves it undefined, so that any value is
///   accepted. Processors trap, which an implementation may turn into a refusal.
/// - Reciprocal: The text does not mention the reciprocal of a zero. In IEEE 754 it is an infinity with the sign of
///   the zero.
pub const DIVISION_BY_ZERO: Label = Label::behaviour("division-by-zero");

/// A behaviour:
///
/// - QuantizeLinear: A scale of int32 makes int32 the precision of the division, so that nothing would have to be
///   rounded; but the published formula rounds. A quotient that is not an integer may be rounded to the nearest
///   integer, ties to even, or cut off. If the scale has type float8e8m0, the oracle divides in float32, because
///   float8e8m0 can represent only quotients that are powers of two.
pub const DIVISION_PRECISION: Label = Label::behaviour("division-precision");

/// A constraint:
///
/// - Bernoulli, RandomNormalLike, RandomUniformLike: `dtype` is the number of a type that the output may have; if it
///   is left out, the input has such a type.
/// - EyeLike: `dtype` is the number of a type of T2 in this version.
/// - Multinomial: `dtype` is the number of int32 or int64.
/// - RandomNormal, RandomUniform: `dtype` is the number of a type that the output may have.
/// - SequenceEmpty: `dtype` is the number of an element type that sequences of this version have.
pub const DTYPE_ALLOWED: Label = Label::constraint("dtype-allowed");

/// A behaviour:
///
/// - CenterCropPad, Pad, Resize, Slice: The specification does not define the result if an axis is given twice. The
///   oracle gives no answer then.
/// - MeanVarianceNormalization: The specification does not say what it means if `axes` names an axis twice. No such
///   case is drawn.
/// - ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum,
///   ReduceSumSquare: No version says what an axis that is named twice means. Shape inference treats axes as a set;
///   NumPy, with which the text compares the operator, refuses such axes. No such case is drawn.
/// - Squeeze: An axis may be selected twice. The specification does not say whether that is an error; the oracle
///   counts it once.
pub const DUPLICATE_AXES: Label = Label::behaviour("duplicate-axes");

/// A behaviour:
///
/// - MaxUnpool: The specification does not say which of several elements with the same index is kept. The last is
///   preferred.
/// - Scatter, ScatterElements: The specification does not say which of several updates for one element is kept.
/// - ScatterElements, ScatterND: The specification does not say which of several updates for one element is kept if
///   they are not combined. By the text, indices must not be repeated then.
/// - TfIdfVectorizer: The specification does not say what the value is if several n-grams have the same index. No
///   such case is drawn, nor one with the same n-gram twice.
pub const DUPLICATE_INDICES: Label = Label::behaviour("duplicate-indices");

/// A behaviour:
///
/// - CategoryMapper: The specification does not say which entry applies if a key is listed several times with
///   different values.
/// - DictVectorizer: The specification does not say which place a key has if the vocabulary lists it twice. No such
///   case is drawn.
/// - LabelEncoder: The specification does not say which of several values applies if a key, or in version 1 a class,
///   is listed several times.
/// - LabelEncoder: If a key is repeated, the last entry applies.
/// - OneHotEncoder: The specification does not say where the 1 stands if a category is listed several times. No such
///   case is drawn.
/// - ZipMap: The specification does not say which value a label has if it is listed twice. No such case is drawn.
pub const DUPLICATE_KEYS: Label = Label::behaviour("duplicate-keys");

/// A constraint:
///
/// - MelWeightMatrix: `lower_edge_hertz` and `upper_edge_hertz` are one number each, neither of them negative, and
///   the lower one is not above the upper one.
pub const EDGES_IN_ORDER: Label = Label::constraint("edges-in-order");

/// A behaviour:
///
/// - Range: The number of elements is open if rounding of the difference, the quotient or a conversion to float moves
///   the quotient across an integer. The oracle gives no answer; for integers the quotient is exact.
pub const ELEMENT_COUNT_ROUNDING: Label = Label::behaviour("element-count-rounding");

/// A constraint:
///
/// - Reshape: Both shapes have the same number of elements. If one extent is -1, the product of the others is not 0
///   and divides the number of elements.
pub const ELEMENT_COUNTS_EQUAL: Label = Label::constraint("element-counts-equal");

/// A constraint:
///
/// - SequenceInsert: The tensor has the element type of the sequence, even if the sequence is empty.
pub const ELEMENT_TYPE_FITS: Label = Label::constraint("element-type-fits");

/// A constraint:
///
/// - OneHotEncoder: With `zeros` = 0 every element is in a category.
pub const ELEMENTS_IN_CATEGORIES: Label = Label::constraint("elements-in-categories");

/// A constraint:
///
/// - Einsum: All ellipses stand for the same number of axes, and these broadcast.
pub const ELLIPSES_BROADCAST: Label = Label::constraint("ellipses-broadcast");

/// A behaviour:
///
/// - MeanVarianceNormalization: The specification does not say whether an empty list stands for all axes or for none.
/// - ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum,
///   ReduceSumSquare: An empty list of axes reduces everything, like an attribute that is left out.
/// - Squeeze: An empty list of axes may differ from a missing one. By the description all extents of 1 are removed
///   only if axes are not given, and shape inference from version 13 on removes none for an empty list; the reference
///   implementation of versions 1 and 11, and runtimes, treat an empty list as a missing one. The oracle removes
///   nothing.
/// - Unsqueeze: An empty list of axes leaves the data unchanged.
pub const EMPTY_AXES: Label = Label::behaviour("empty-axes");

/// A behaviour:
///
/// - ArgMax: An empty axis has no largest element, and so no index to return if the output has elements. The oracle
///   gives no answer, and no such case is drawn.
/// - ArgMax: An empty axis has no largest element, and so no index to return if the output has elements. The oracle
///   gives no answer.
/// - ArgMin: An empty axis has no smallest element, and so no index to return if the output has elements. The oracle
///   gives no answer, and no such case is drawn.
/// - ArgMin: An empty axis has no smallest element, and so no index to return if the output has elements. The oracle
///   gives no answer.
/// - Concat: An input whose extent along the axis is 0 adds nothing.
/// - Pad: In modes other than constant, an empty axis that gets longer has no element to repeat. NumPy's pad, to
///   which the description refers from version 11 on, refuses it. The oracle gives no answer, and no such case is
///   drawn.
/// - Resize: If an empty axis is resized to an extent above 0, there is no element to average. The oracle gives no
///   answer, and no such case is drawn.
/// - Slice: An extent of 0 stays 0, whatever the bounds and the step are.
/// - SplitToSequence: An extent of 0 gives no chunks, but by the text the output holds one or more tensors. The
///   oracle gives no answer, and no such case is drawn.
pub const EMPTY_AXIS: Label = Label::behaviour("empty-axis");

/// A behaviour:
///
/// - SplitToSequence: The description of the operator requires positive numbers in `split`; the description of the
///   input `split` also allows 0. The oracle treats a listed length of 0 as an empty chunk; no such case is drawn.
pub const EMPTY_CHUNK: Label = Label::behaviour("empty-chunk");

/// A behaviour:
///
/// - GridSample: If a spatial axis of `X` has extent 0, every position is outside, and only zeros are possible. The
///   oracle gives no answer, and no such case is drawn.
/// - Unique: An empty input has no unique elements. The specification does not say whether several empty subtensors
///   are equal, and so count as one. No such case is drawn.
pub const EMPTY_INPUT: Label = Label::behaviour("empty-input");

/// A behaviour:
///
/// - Split: If parts of the rounded-up size use up the extent before the last one, such as 5 in 4 parts, shape
///   inference computes a negative length. In the oracle the last parts are empty.
pub const EMPTY_LAST_PARTS: Label = Label::behaviour("empty-last-parts");

/// A behaviour:
///
/// - Det: The specification does not say that an empty matrix has a determinant. By convention it is 1.
pub const EMPTY_MATRIX: Label = Label::behaviour("empty-matrix");

/// A behaviour:
///
/// - NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss: If all labels are ignored, or their weights sum to zero (or
///   to no more than an error of rounding), the mean is that of no elements. NaN is preferred.
pub const EMPTY_MEAN: Label = Label::behaviour("empty-mean");

/// A behaviour:
///
/// - OptionalGetElement: Getting the element of an empty optional is an error, whose result the text calls undefined.
///   The oracle gives no answer, and no such case is drawn.
pub const EMPTY_OPTIONAL: Label = Label::behaviour("empty-optional");

/// A behaviour:
///
/// - GlobalAveragePool: The specification does not say what the average of no elements is: NaN, as 0 divided by 0 is,
///   or 0.
/// - GlobalLpPool, ReduceL1, ReduceL2: The norm of no elements is 0.
/// - GlobalMaxPool: The specification does not say what the maximum of no elements is.
/// - LayerNormalization: If nothing is normalized, `Mean` and `InvStdDev` are those of no elements: NaN, as 0 divided
///   by 0 is, or what a mean and a variance of 0 give.
/// - ReduceLogSum, ReduceLogSumExp: The logarithm of the sum of no elements is minus infinity. For a type without an
///   infinity the text calls it undefined.
/// - ReduceMax: The maximum of no elements is minus infinity, or the smallest value of a type without infinities
///   (false for bool).
/// - ReduceMean: The text calls the mean of no elements undefined. NaN is preferred, and 0 of integers.
/// - ReduceMin: The minimum of no elements is infinity, or the largest value of a type without infinities (true for
///   bool).
/// - ReduceProd: The product of no elements is 1.
/// - ReduceSum: The sum of no elements is 0.
/// - ReduceSumSquare: The sum of no squares is 0.
pub const EMPTY_REDUCTION: Label = Label::behaviour("empty-reduction");

/// A behaviour:
///
/// - ConcatFromSequence: An empty sequence determines neither the rank nor the extents of the result. The oracle
///   gives no answer, and no case has one.
/// - GRU, LSTM, RNN: A sequence without steps has no last value; the initial one is preferred.
/// - Scan: The specification does not say whether a sequence may have length 0 if the longest does not. The oracle
///   runs no iteration for it; no such case is drawn.
/// - SequenceMap: If the sequences are empty, the outputs are empty sequences, of the types that the body declares.
pub const EMPTY_SEQUENCE: Label = Label::behaviour("empty-sequence");

/// A behaviour:
///
/// - ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum,
///   ReduceSumSquare: This version lacks the sentence on the empty set that the versions before and after have. The
///   value that they give is accepted; so is a refusal, because nothing says that there is a value.
/// - ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum,
///   ReduceSumSquare: Before release 1.15 the text does not mention the empty set. The value that later releases give
///   is accepted; so is a refusal.
pub const EMPTY_SET_UNMENTIONED: Label = Label::behaviour("empty-set-unmentioned");

/// A behaviour:
///
/// - ConstantOfShape: An empty `input` gives a scalar, and an extent of 0 an empty tensor.
/// - Reshape: An empty `shape` gives a scalar of one element. -1 for an empty tensor becomes 0 if no other extent is 0.
pub const EMPTY_SHAPE: Label = Label::behaviour("empty-shape");

/// A behaviour:
///
/// - RegexFullMatch: An empty string matches every pattern that can match zero characters, such as the empty pattern.
/// - StringSplit: With a delimiter, an empty string has one substring, which is empty, because the delimiter does not
///   occur in it. Without a delimiter, an empty string has no substrings, and neither has a string of blanks. For an
///   empty tensor, the last extent of the output is 0.
pub const EMPTY_STRING: Label = Label::behaviour("empty-string");

/// A behaviour:
///
/// - Conv: A sum of no products is 0, so that the result is the bias.
/// - Gemm: A sum of no products is 0, so that the result is `beta` times `C`.
/// - MatMul: A sum of no products is 0.
pub const EMPTY_SUM: Label = Label::behaviour("empty-sum");

/// A behaviour:
///
/// - Identity: A sequence without elements, an optional without a value and a tensor without elements are copied like
///   any other.
pub const EMPTY_VALUES: Label = Label::behaviour("empty-values");

/// A behaviour:
///
/// - AveragePool: The specification does not say what the average of no elements is, for a window that covers only
///   padding which does not count.
/// - LpPool: The norm of no elements is 0; padding adds nothing to any norm.
/// - MaxPool: The specification does not say what the maximum and its index are for a window that covers only
///   padding.
/// - MaxRoiPool: The specification does not say what the maximum of a part without elements is. It is 0 in most
///   implementations.
pub const EMPTY_WINDOW: Label = Label::behaviour("empty-window");

/// A behaviour:
///
/// - NonMaxSuppression: The text does not say whether a box is suppressed whose overlap equals the threshold.
pub const EQUAL_OVERLAP: Label = Label::behaviour("equal-overlap");

/// A constraint:
///
/// - Einsum: `equation` has one term for each input, separated by commas, and optionally `->` and the output's term.
///   A term consists of letters, spaces and at most one ellipsis.
pub const EQUATION_WELL_FORMED: Label = Label::constraint("equation-well-formed");

/// A behaviour:
///
/// - LRN: The region of an even size has one channel more after the channel than before it.
pub const EVEN_SIZE: Label = Label::behaviour("even-size");

/// A behaviour:
///
/// - Identity: All elements are copied as they are, -0 and subnormal numbers included. Which NaN a NaN becomes is not
///   compared.
pub const EXACT_COPY: Label = Label::behaviour("exact-copy");

/// A behaviour:
///
/// - CumProd: Exclusive products begin with 1, and inclusive ones with the element itself.
/// - CumSum: Exclusive sums begin with 0, and inclusive ones with the element itself. Infinities and NaN affect the
///   sums that contain them, and no others.
pub const EXCLUSIVE: Label = Label::behaviour("exclusive");

/// A behaviour:
///
/// - GlobalLpPool, LpPool: An exponent `p` below 1 gives no norm. The oracle gives no answer.
pub const EXPONENT_BELOW_ONE: Label = Label::behaviour("exponent-below-one");

/// A behaviour:
///
/// - Resize: An extent is open if rounding in float decides which integer it is, or how a half is rounded with
///   `keep_aspect_ratio_policy`. With tf_crop_and_resize and scales, it is also open whether the region counts for
///   the extents, as in the formula, or does not, as in shape inference. The oracle gives no answer in these cases.
/// - Upsample: An extent of the output is the product of the extent of the input and the scale, rounded down. If
///   rounding in float decides whether the product is an integer, the oracle gives no answer.
pub const EXTENT_ROUNDING: Label = Label::behaviour("extent-rounding");

/// A constraint:
///
/// - CenterCropPad: No extent is negative.
/// - ConstantOfShape: `input` holds no negative number.
/// - RandomNormal, RandomUniform: No extent of `shape` is negative.
/// - Reshape: No extent of `shape` is negative except -1.
pub const EXTENTS_NON_NEGATIVE: Label = Label::constraint("extents-non-negative");

/// A behaviour:
///
/// - GridSample: The specification does not say what the output is for a position that is infinite or NaN, or more
///   than a hundred thousand times as far away as the border. Zero is preferred; the neighbours of the position may
///   be any elements of the plane.
pub const FAR_POSITIONS: Label = Label::behaviour("far-positions");

/// A constraint:
///
/// - TreeEnsemble, TreeEnsembleClassifier, TreeEnsembleRegressor: The features that nodes compare are columns of `X`.
pub const FEATURES_IN_RANGE: Label = Label::constraint("features-in-range");

/// A behaviour:
///
/// - StringSplit: Strings with fewer substrings than others are padded with empty ones, which the second output does
///   not count.
pub const FEWER_SUBSTRINGS: Label = Label::behaviour("fewer-substrings");

/// A behaviour:
///
/// - Resize: The weights of a stretched filter are divided by their sum, so that the result is an average. If an axis
///   grows, `antialias` has no effect.
pub const FILTER_NORMALIZATION: Label = Label::behaviour("filter-normalization");

/// A constraint:
///
/// - FeatureVectorizer: All inputs have the same number of rows; an input of rank 1 is a single row.
pub const FIRST_EXTENTS_EQUAL: Label = Label::constraint("first-extents-equal");

/// A behaviour:
///
/// - Cast, CastLike: The text calls the conversion of a float outside the range of an integer type undefined. NaN and
///   infinities are outside every range.
/// - Cast: These versions do not mention the conversion of a float outside the range of an integer type; NaN and
///   infinities are outside every range. Conversions in use give the lower bits of the integer, the lower bits of an
///   end of a wider range, an end of the range, 0, or what processors give for every number that they cannot convert:
///   the smallest integer of a signed type, and half of the range of an unsigned one.
pub const FLOAT_OUT_OF_RANGE: Label = Label::behaviour("float-out-of-range");

/// A behaviour:
///
/// - Cast, CastLike: A number that the type cannot represent is rounded to the nearest one, ties to even: this is the
///   default of IEEE 754, and the tables for 8-bit floats name it. If an implementation converts through another
///   format first (float64 or a wide integer through float32, a wide integer through float64), it rounds twice and
///   may give the other neighbour; the ReferenceEvaluator does. Published cases of earlier releases truncate to
///   bfloat16 instead of rounding. Both are left open. Beyond the largest number a conversion gives an infinity, if
///   the type has one.
/// - QuantizeLinear: For a float type the quotient is not rounded to an integer; the sum with the zero point is
///   rounded to the type once, as in Cast.
pub const FLOAT_ROUNDING: Label = Label::behaviour("float-rounding");

/// A behaviour:
///
/// - Cast, CastLike: 8-bit floats follow the two tables of Cast, for `saturate` = 1 and 0. With 1, infinities become
///   the largest number of their sign. In the tables, [x] is x rounded as if exponents went on, so that the range
///   ends half a step above the largest number. The sign of NaN is not compared. Integers and bool are converted as
///   numbers.
/// - Cast, CastLike: 8-bit floats follow the two tables, as from version 24 on, except that with `saturate` = 1
///   infinities become NaN in the types whose names end in `uz`. In the published cases of these versions, in the
///   releases 1.17 and 1.18, they become the largest number in these types as well, as in version 24. The table is
///   preferred.
/// - QLinearMatMul: 8-bit floats saturate, infinities too.
/// - QuantizeLinear: 8-bit floats follow the two tables of Cast-24, for `saturate` = 1 and 0.
/// - QuantizeLinear: 8-bit floats follow the tables of Cast. The tables of these versions give NaN for infinities
///   with `saturate` = 1 in the types whose names end in `uz`, but published cases of Cast give the largest number.
pub const FLOAT8_SATURATION: Label = Label::behaviour("float8-saturation");

/// A behaviour:
///
/// - Cast, CastLike: Of the six combinations of attributes, the table of Cast decides zero, infinity and values out
///   of range for two: `round_mode` up with saturation, and nearest without it. It leaves the other four open, and -0
///   and negative values in all six. With saturation, zero becomes the smallest number, 2^-127. The
///   ReferenceEvaluator reads the exponent field of float32: subnormal numbers become 2^-127 or 2^-126, infinity
///   becomes NaN, and large or small values without saturation become the nearest end. Where the table differs, these
///   results are left open.
pub const FLOAT8E8M0: Label = Label::behaviour("float8e8m0");

/// A constraint:
///
/// - TreeEnsembleClassifier, TreeEnsembleRegressor: No list of floats, such as `nodes_values`, is given together with
///   the tensor that may replace it, such as `nodes_values_as_tensor`.
pub const FLOATS_OR_DOUBLES_GIVEN: Label = Label::constraint("floats-or-doubles-given");

/// A constraint:
///
/// - Mod: `fmod` is 0 or 1. (Mod-13 says so from release 1.19 on; before, it has the text of Mod-10.)
pub const FMOD_KNOWN: Label = Label::constraint("fmod-known");

/// A constraint:
///
/// - Mod: `fmod` is 1 if the inputs have a floating-point type.
pub const FMOD_SET_FOR_FLOATS: Label = Label::constraint("fmod-set-for-floats");

/// A behaviour:
///
/// - Ceil: A fraction between -1 and 0 is rounded up to a zero, whose sign is open in every version.
/// - Round: A negative fraction that is rounded to zero may become either zero.
pub const FRACTION_TO_ZERO: Label = Label::behaviour("fraction-to-zero");

/// A behaviour:
///
/// - Resize: Not every scale gives an integer extent. By the text, the scale in the formulas is the ratio of the
///   extents, which then differs from the given scale, and lengths are integers. The published cases use the given
///   scale (or the one that keeps the aspect ratio), and fractional lengths. The oracle prefers the given scale,
///   which half_pixel_symmetric needs, and integer lengths with align_corners and tf_crop_and_resize; most runtimes
///   do the same.
pub const FRACTIONAL_EXTENT: Label = Label::behaviour("fractional-extent");

/// A behaviour:
///
/// - OneHot: Indices and depth with a fraction are truncated towards zero.
pub const FRACTIONAL_INDEX: Label = Label::behaviour("fractional-index");

/// A constraint:
///
/// - STFT: A frame has at least one sample and at most as many as the signal.
pub const FRAME_FITS_SIGNAL: Label = Label::constraint("frame-fits-signal");

/// A behaviour:
///
/// - STFT: The text does not say how long a frame is if neither `window` nor `frame_length` is given.
pub const FRAME_LENGTH_OPEN: Label = Label::behaviour("frame-length-open");

/// A constraint:
///
/// - STFT: `frame_step` is one positive number.
pub const FRAME_STEP_POSITIVE: Label = Label::constraint("frame-step-positive");

/// A behaviour:
///
/// - Attention: If the masks leave no key to a query, its row is 0 in the output and in the weights.
/// - FlexAttention: If all scores of a row are minus infinity, its weights are NaN by the formula of Softmax;
///   Attention makes them 0.
pub const FULLY_MASKED_ROW: Label = Label::behaviour("fully-masked-row");

/// A behaviour:
///
/// - ImageDecoder: The specification does not say how colours become grey. The weights 0.299, 0.587 and 0.114 of JPEG
///   are preferred; a result may differ from theirs by 1, or by 2 for JPEG and lossy WebP. Other conversions give no
///   value below all components of the colour, or above them.
pub const GRAYSCALE_CONVERSION: Label = Label::behaviour("grayscale-conversion");

/// A constraint:
///
/// - GridSample: `grid` has the batch of `X`, and its last extent is the number of spatial axes.
pub const GRID_SHAPE_FITS: Label = Label::constraint("grid-shape-fits");

/// A constraint:
///
/// - GroupNormalization: `num_groups` divides the number of channels.
pub const GROUPS_DIVIDE_CHANNELS: Label = Label::constraint("groups-divide-channels");

/// A constraint:
///
/// - Attention: With inputs of rank 3, `q_num_heads` and `kv_num_heads` are given and positive. The first divides the
///   last extent of `Q`, the second those of `K` and `V`.
/// - LinearAttention: `query`, `key` and `value` have rank 3. `q_num_heads` divides the last extent of `query`, and
///   `kv_num_heads` those of `key` and `value`; `q_num_heads` is a positive multiple of `kv_num_heads`.
/// - RotaryEmbedding: With rank 3, `num_heads` is given, positive, and divides the last extent.
pub const HEAD_COUNTS_DIVIDE: Label = Label::constraint("head-counts-divide");

/// A behaviour:
///
/// - NegativeLogLikelihoodLoss: The loss of a sample whose label is ignored is zero, whatever its elements of
///   `input`.
/// - SoftmaxCrossEntropyLoss: The loss of a sample whose label is ignored is zero, whatever its scores.
pub const IGNORED_LABELS: Label = Label::behaviour("ignored-labels");

/// A constraint:
///
/// - Col2Im: `image_shape` and `block_shape` have rank 1 and the same length, at least 2, and hold positive numbers.
pub const IMAGE_BLOCK_SHAPES_VALID: Label = Label::constraint("image-block-shapes-valid");

/// A behaviour:
///
/// - STFT: Samples after the last full frame are ignored. The text of releases before 1.23 does not give the number
///   of frames; their reference evaluator counts the same way.
pub const INCOMPLETE_FRAME: Label = Label::behaviour("incomplete-frame");

/// A constraint:
///
/// - GatherND: The last extent of the indices is at least 1 and at most the rank of the data.
/// - GatherND: The last extent of the indices is at least 1 and at most the rank of the data without batches.
/// - ScatterND: The last extent of the indices is no larger than the rank of the data.
pub const INDEX_LENGTH_FITS_RANK: Label = Label::constraint("index-length-fits-rank");

/// A behaviour:
///
/// - OneHot: All values are off for an index that is out of range.
pub const INDEX_OUT_OF_RANGE: Label = Label::behaviour("index-out-of-range");

/// A constraint:
///
/// - GatherElements, Scatter, ScatterElements: Except along the axis, no extent of the indices is larger than that of
///   the data, unless there are no indices.
pub const INDICES_FIT_DATA: Label = Label::constraint("indices-fit-data");

/// A constraint:
///
/// - Gather: Indices lie within the extent along the axis.
/// - Gather, GatherElements, ScatterElements: Indices lie in [-s, s - 1] for an extent s along the axis.
/// - GatherND, ScatterND: Indices lie in [-s, s - 1] for the extent s of their axis.
/// - MaxUnpool: Indices lie within the output.
/// - Scatter: Indices lie within the extent along the axis. The text does not describe negative ones
///   (`negative-index`).
/// - ArrayFeatureExtractor: The indices in `Y` lie in [0, s - 1] for the last extent s of `X`.
pub const INDICES_IN_RANGE: Label = Label::constraint("indices-in-range");

/// A constraint:
///
/// - MaxUnpool: `I` has the shape of `X`.
pub const INDICES_MATCH_INPUT: Label = Label::constraint("indices-match-input");

/// A behaviour:
///
/// - MaxUnpool: If `output_shape` is not the shape that the windows cover, the specification contradicts itself on
///   which of the two shapes indices refer to. By the description of `I` they count in the tensor that was pooled,
///   which is the output; the published case counts in the shape that the windows cover.
pub const INDICES_UNDER_OUTPUT_SHAPE: Label = Label::behaviour("indices-under-output-shape");

/// A behaviour:
///
/// - Dropout: Without dropping, the output is a copy of the data; from Dropout-12 on there is a mask of ones. The
///   ratio is ignored then.
pub const INFERENCE: Label = Label::behaviour("inference");

/// A behaviour:
///
/// - Dropout: The text says that the mask of a Dropout that drops nothing is not filled. 1 is preferred.
/// - Dropout: The specification does not say what the mask holds if Dropout drops nothing. 1 is preferred, which
///   otherwise marks the elements that are kept.
pub const INFERENCE_MASK: Label = Label::behaviour("inference-mask");

/// A behaviour:
///
/// - DynamicQuantizeLinear: The specification does not say what happens if the range is beyond float32, or there are
///   infinities or NaN among the elements.
pub const INFINITE_RANGE: Label = Label::behaviour("infinite-range");

/// A behaviour:
///
/// - Attention: A score of +Inf or NaN makes all weights of its row NaN; the weights of masked keys, and beside +Inf
///   those of other scores, may be 0 instead. A value that is not finite may be left out if its weight is 0, or be
///   multiplied by 0, which makes NaN. The same holds for a score that is infinite only because it leaves the range
///   of its type, and for a masked score.
/// - FlexAttention: A score of +Inf or NaN makes all weights of its row NaN; the weights of scores of -Inf, and
///   beside +Inf those of other scores, may be 0 instead. A value that is not finite may be left out if its weight is
///   0, or be multiplied by 0.
pub const INFINITE_SCORES: Label = Label::behaviour("infinite-scores");

/// A behaviour:
///
/// - Celu: For a positive alpha the formula gives -alpha for -Inf and +Inf for +Inf.
/// - Cos: An infinity has no cosine: IEEE 754 gives NaN. NaN stays NaN.
/// - Elu: The formula gives -alpha for -Inf; from zero on the element itself comes out, +Inf included.
/// - HardSigmoid: Infinities give 0 or 1, depending on the sign of alpha * x.
/// - LogSoftmax: For an element of plus infinity the result is NaN by every formula. For the other elements of its
///   row it is minus infinity by the text, because their softmax is zero, and NaN by the function body of version 13,
///   which subtracts the maximum first. A row of minus infinities only is NaN by both; in other rows the exponential
///   of a minus infinity is zero. A NaN makes its whole row NaN.
/// - ReduceLogSumExp: By the formula an infinite element makes the result infinite, and elements that are all minus
///   infinity give minus infinity. Subtracting the maximum first gives NaN for both. A NaN makes the result NaN.
/// - Selu: The formula gives -alpha * gamma for -Inf and +Inf for +Inf (for positive coefficients).
/// - Sigmoid: The formula gives 0 for -Inf and 1 for +Inf. If e^-x overflows it gives 0, so that a subnormal result
///   may be 0 as well.
/// - Sin: An infinity has no sine: IEEE 754 gives NaN. NaN stays NaN.
/// - Softmax: In a row with +Inf, the result for +Inf is NaN by every formula. For the other elements it is zero by
///   the formula in the text, which divides their exponentials by infinity, and NaN by the function body of version
///   13, which subtracts the maximum first. A row of minus infinities is NaN by both formulas; in any other row, the
///   exponential of a minus infinity is zero. A NaN makes its whole row NaN.
/// - SoftmaxCrossEntropyLoss: In a row with +Inf the logarithm of the softmax is NaN; for the other elements it may
///   also be minus infinity, as in LogSoftmax.
/// - Softsign: An infinity divided by an infinity is NaN by the formula, but the limits of the function are -1 and 1.
/// - Tan: An infinity has no tangent: IEEE 754 gives NaN. NaN stays NaN.
pub const INFINITY: Label = Label::behaviour("infinity");

/// A behaviour:
///
/// - CausalConvWithState: If a sum is minus infinity, silu is NaN by the function body, which multiplies the sum by
///   0; the limit is 0.
/// - Dropout: By the formula a dropped element is multiplied by 0: for NaN and infinity that is NaN, but
///   implementations write 0. 0 is preferred.
/// - Gelu: -Inf times 0 is NaN by either formula, but the limit of the function is 0 there.
/// - Gemm: If `alpha` or `beta` is 0, the formula gives NaN for infinities and NaN that it multiplies by that factor;
///   the routine GEMM of BLAS, to which the text links, does not read operands that it multiplies by 0.
/// - HardSwish: By the formula -Inf is multiplied by max(0, min(1, -Inf)), which is 0, and gives NaN; but the limit
///   of the function is 0 there.
/// - LeakyRelu: Minus infinity times an alpha of 0 is NaN by the formula; an implementation that leaves out the
///   product gives 0.
/// - Mish: -Inf times 0 is NaN by the formula, but the limit of the function is 0 there. +Inf stays +Inf.
/// - PRelu: The formula gives `X` itself if it is not negative. The published reference multiplies zeros by the slope
///   as well, which gives NaN for an infinite or NaN slope. The oracle follows the text: a zero gives zero, of either
///   sign.
/// - SwiGLU: For an infinity whose sigmoid is 0, the formula of Swish gives NaN, but the limit of the function is 0.
///   With `alpha` = 0 the formula also gives NaN for an infinity (0 times infinity), but the limit is the infinity.
/// - Swish: If the sigmoid is 0 and x is infinite, the formula multiplies infinity by 0, which is NaN, but the limit
///   of the function is 0. For alpha = 0 the function is x / 2, whose limit is x, and the formula gives NaN as well
///   (0 times infinity).
pub const INFINITY_TIMES_ZERO: Label = Label::behaviour("infinity-times-zero");

/// A behaviour:
///
/// - DeformConv: The specification does not say whether infinite or NaN elements, kernel weights and offsets are
///   multiplied by an interpolation weight of 0.
/// - GridSample, Resize, Upsample: The specification does not say whether an infinity or NaN whose weight is zero, or
///   within an error of zero, is ignored, or makes the average NaN.
/// - RoiAlign: The specification does not say whether infinite or NaN elements are multiplied by a weight of 0. If a
///   corner of a region is infinite or NaN, the samples of the region may lie anywhere.
pub const INFINITY_WITH_ZERO_WEIGHT: Label = Label::behaviour("infinity-with-zero-weight");

/// A constraint:
///
/// - Gemm: The second extent of `A` is the first of `B`, after they are transposed as `transA` and `transB` say.
/// - MatMul: The last extent of `A` is the last but one of `B` (the only one, if `B` is a list). An extent of 1 does
///   not broadcast here.
/// - MatMulInteger: The last extent of `A` is the last but one of `B` (the only one, if `B` is a list).
/// - QLinearMatMul: The last extent of `a` is the last but one of `b` (the only one, if `b` is a list).
pub const INNER_EXTENTS_EQUAL: Label = Label::constraint("inner-extents-equal");

/// A constraint:
///
/// - Adagrad, Momentum: `R` and `T` are followed by 3 tensors for each optimized tensor.
/// - Adam: `R` and `T` are followed by 4 tensors for each optimized tensor.
pub const INPUT_COUNT_FITS: Label = Label::constraint("input-count-fits");

/// A behaviour:
///
/// - LSTM: With `input_forget` the forget gate is 1 minus the input gate, as in the literature, or the input gate is 1
///   minus the forget gate.
pub const INPUT_FORGET: Label = Label::behaviour("input-forget");

/// A constraint:
///
/// - BatchNormalization: `X` has rank 4.
/// - BatchNormalization, GroupNormalization, LRN: `X` has rank 2 or more: the axes of instances and channels come
///   first.
/// - BatchNormalization: `X` has rank 1 or more; with rank 1 it has one channel.
/// - GlobalAveragePool, GlobalLpPool, GlobalMaxPool: `X` has an axis of batches and an axis of channels.
/// - InstanceNormalization: The input has rank 4.
/// - InstanceNormalization: The input has rank 2 or more: the axes of instances and channels come first.
pub const INPUT_HAS_CHANNELS: Label = Label::constraint("input-has-channels");

/// A constraint:
///
/// - AveragePool, Conv, ConvTranspose, DeformConv, LpPool, MaxPool, MaxUnpool: `X` has a batch, a channel and at
///   least one spatial axis.
/// - ConvInteger, QLinearConv: `x` has a batch, a channel and at least one spatial axis.
pub const INPUT_HAS_SPATIAL_AXES: Label = Label::constraint("input-has-spatial-axes");

/// A behaviour:
///
/// - OptionalGetElement: A tensor or a sequence is returned as it is.
/// - OptionalHasElement: A tensor or a sequence counts as an element; an input that is left out does not.
pub const INPUT_NOT_OPTIONAL: Label = Label::behaviour("input-not-optional");

/// A behaviour:
///
/// - Tanh: By the description the input is one-dimensional, but the operator applies to each element of any tensor,
///   its type inference does not look at the rank, and version 6 drops this restriction without changing anything
///   else. Any rank is computed; no case of this version depends on it.
pub const INPUT_RANK: Label = Label::behaviour("input-rank");

/// A constraint:
///
/// - FeatureVectorizer: `inputdimensions`, if given, holds the second extent of each input.
pub const INPUTDIMENSIONS_FIT: Label = Label::constraint("inputdimensions-fit");

/// A constraint:
///
/// - Range: `start`, `limit` and `delta` have rank 0.
pub const INPUTS_ARE_SCALARS: Label = Label::constraint("inputs-are-scalars");

/// A constraint:
///
/// - Gradient: There is one input for each name in `xs` and `zs`, in this order.
pub const INPUTS_MATCH_NAMES: Label = Label::constraint("inputs-match-names");

/// A behaviour:
///
/// - DequantizeLinear: int32 has no zero point, or the zero point is 0. The specification does not say what another
///   zero point does: by the formula it is subtracted, and the difference may overflow; the zero point may also be
///   ignored or refused, because it is not supposed to be given.
pub const INT32_ZERO_POINT: Label = Label::behaviour("int32-zero-point");

/// A behaviour:
///
/// - Div: Integers are divided towards zero: -7 by 2 is -3.
pub const INTEGER_DIVISION: Label = Label::behaviour("integer-division");

/// A behaviour:
///
/// - Abs: The magnitude of the smallest number of a signed integer type is one more than its largest number. Two's
///   complement hardware returns the smallest number; the text does not say so.
/// - Add, Mul, Sub: No version says what a result outside the range of an integer type becomes. Most implementations
///   wrap, which C++ leaves undefined for signed types.
/// - BitShift: Bits shifted out of the type are lost. A left shift of a signed number may change its sign; a right
///   shift fills up with copies of the sign.
/// - BitwiseNot: Every bit of the type is flipped, so nothing overflows: x becomes -x - 1 in signed types, and the
///   largest number minus x in unsigned ones.
/// - Cast, CastLike: An integer that does not fit loses its higher bits, and the remaining bits are read in two's
///   complement: 200 becomes -56 as int8. Saturating is wrong, for types below a byte too.
/// - Cast: The description only warns of a change of value if an integer does not fit.
/// - Col2Im: Sums of integers that leave the range of the type wrap around in most implementations.
/// - CumProd: The specification does not say what happens if a product leaves the range of an integer type; it wraps
///   around in most implementations.
/// - Div: The quotient of the smallest signed integer and -1 is outside the range of its type, and no version says
///   what it becomes. C++ leaves the division undefined, so that any value is accepted. Processors trap, which an
///   implementation may turn into a refusal.
/// - Einsum: The specification does not say what happens if a result leaves the range of an integer type.
/// - GridSample: Averages of integers that leave the range of the type wrap around, or become an end of the range, as
///   conversions of floats do. The nearer end is preferred.
/// - Neg: The negation of the smallest number of a signed integer type is outside the range of the type. Two's
///   complement hardware returns the same number; the text does not say so.
/// - PRelu: No version says what a product outside the range of an integer type becomes.
/// - Pow: No version says what a power outside the range of an integer type becomes.
/// - ReduceProd: The specification does not say what happens if the product leaves the range of an integer type: it
///   may wrap around, saturate, or be converted from a wider type. A result that fits is exact, whatever the steps
///   before did.
/// - ScatterElements, ScatterND: The specification does not say what becomes of integers that leave the range of
///   their type under add or mul.
/// - Shrink: Integers that leave the range of their type may wrap or saturate; the text does not mention it. For
///   unsigned types this applies to any bias larger than the element. With an infinite bias, or one that is NaN, any
///   value is accepted.
/// - Normalizer: The specification does not say whether sums and squares of integers are computed in float or in the
///   type of the integers, whose range they may leave.
pub const INTEGER_OVERFLOW: Label = Label::behaviour("integer-overflow");

/// A behaviour:
///
/// - BlackmanWindow, HammingWindow, HannWindow: For an integer type, Cast cuts off the fractions of the float
///   elements. It does not define what NaN becomes.
/// - Cast, CastLike: The description of Cast does not say how the fraction is rounded when a float becomes an
///   integer. Implementations truncate it towards zero. ONNX's pages on 4-bit and 2-bit integers say that these types
///   are rounded to the nearest integer, ties to even, but the ReferenceEvaluator truncates there as well. The oracle
///   expects the nearest integer for types below a byte, and truncation for the others.
/// - Div: The text does not say how a quotient of integers is rounded. Towards zero is preferred, as in most
///   languages; Python rounds down.
/// - Erf: Version 9 takes integers and gives integers, but does not say how the result, which is strictly between -1
///   and 1, becomes an integer: truncated, it is 0 everywhere; rounded, it has the sign of the input. The result for 0
///   is 0.
/// - Gemm: The factors `alpha` and `beta` are floats, for integer elements too. If their values are integers, the
///   result is exact, and wraps around or saturates if it leaves the range of the type. The specification does not
///   say how and when fractions are rounded: the real products or their sum may be truncated or rounded, or the
///   factors truncated first.
/// - GridSample: Averages of integers are computed as floats and cast: the fraction is dropped.
/// - MelWeightMatrix: The specification does not say whether elements of an integer type are truncated or rounded.
/// - ReduceL2: The root of a sum of integers may not be an integer, and these versions do not say how it is rounded:
///   towards zero is preferred, the nearest integer is accepted too. If the sum of squares leaves the range of the
///   type it wraps around, saturates, or is kept in a wider one; the root of a negative sum is NaN, converted as Cast
///   does.
/// - ReduceL2: The function body casts the sum of squares to float and the root back, which rounds towards zero. The
///   specification does not say what happens if the sum of squares leaves the range of the integer type: it wraps
///   around, saturates, or is kept in a wider one; the root of a negative sum is NaN, converted as Cast does.
/// - ReduceLogSum: The type table has integers, but Log does not take them, and no version says how a logarithm is
///   rounded. Towards zero is preferred, the nearest integer is accepted too. A sum that leaves the range of the type
///   wraps around, saturates, or is kept in a wider one; the logarithm of a sum that is not positive is an infinity
///   or NaN, which is converted as in Cast.
/// - ReduceLogSum: The type table has integers, but Log does not take them, so that the function body cannot be built
///   for them, and no version says how a logarithm is rounded. Towards zero is preferred, the nearest integer is
///   accepted too. A sum that leaves the range of the type wraps around, saturates, or is kept in a wider one; the
///   logarithm of a sum that is not positive is an infinity or NaN, which is converted as in Cast.
/// - ReduceLogSumExp: The type table has integers, but neither Exp nor Log takes them; these versions do not say how
///   powers and logarithms are rounded. The result rounded towards zero is preferred.
/// - ReduceLogSumExp: The type table has integers, which the function body casts to double; the logarithm is cast
///   back, which rounds towards zero.
/// - ReduceMean: The mean of integers may not be an integer, and no version says how it is rounded: towards zero is
///   preferred, the other neighbour is accepted too. If the sum leaves the range of the type, it wraps around,
///   saturates, or is kept in a wider one before it is divided.
/// - Resize: Averages of integers are truncated, as conversions in C do, or rounded in another way; a value beyond
///   the range of the type wraps around, or becomes an end of the range. A single element is used with all its
///   digits, or as the float to which it is converted. Fractions in `extrapolation_value` are treated likewise.
/// - Shrink: For integer elements, x - bias with a fraction in bias is not an integer. Either the result is
///   truncated, or bias is truncated first, as in the function body. The function body also truncates lambd, which
///   changes the result for one number if lambd is negative and has a fraction.
/// - Upsample: Averages of integers are truncated, as conversions in C do, or rounded in another way; a value beyond
///   the range of the type wraps around, or becomes an end of the range. An average of a single element is that
///   element with all its digits, or the float to which it is converted.
pub const INTEGER_ROUNDING: Label = Label::behaviour("integer-rounding");

/// A behaviour:
///
/// - Mod: Mod-13 restricts `fmod` = 1 to floating-point types, but Mod-10 and Mod-28 do not, and a published case
///   takes the remainder of int64 that way. Integers are not refused; the remainder has the sign of the dividend.
pub const INTEGERS_WITH_FMOD: Label = Label::behaviour("integers-with-fmod");

/// A constraint:
///
/// - LinearClassifier: There are as many intercepts as rows of coefficients, if intercepts are given.
/// - LinearRegressor: There are as many intercepts as targets, if intercepts are given.
pub const INTERCEPTS_FIT: Label = Label::constraint("intercepts-fit");

/// A behaviour:
///
/// - AveragePool, GlobalAveragePool, RoiAlign: The sum may leave the range of the type although the average does not.
///   The average is preferred.
/// - BatchNormalization: An implementation may first compute the factor `scale / sqrt(var + epsilon)` of `X` and the
///   number that is added to the product. These may overflow although the formula as written does not. Squares and
///   sums may leave the range of the type as well. Infinite statistics turn normalized elements into 0 or NaN, and
///   are outputs themselves.
/// - CausalConvWithState, Conv, ConvTranspose, DeformConv: The sum without the bias, or a partial sum, may leave the
///   range of the type. The exact result is preferred.
/// - Celu: If x / alpha leaves the range of the type, the steps of the function body give +Inf, but the formula gives
///   x.
/// - CumProd: The order of the factors decides whether a partial product overflows or underflows, and the
///   specification does not give it: the exact product is preferred.
/// - Det: If a matrix of two or more rows has infinities or NaN, or products are beyond the type, elimination and
///   expansion give different results.
/// - Einsum: The result is computed in several steps, in any order, if there are three or more inputs, or if an index
///   is summed over that only one of two inputs has. Infinities, NaN, and values that leave the range of the type in
///   some order give different results.
/// - Gemm: The product may leave the range of the type before it is scaled by `alpha`, or `C` is added. The exact
///   result is preferred; the result of one step after the other is left open.
/// - GlobalLpPool, LpPool: A power, or the sum of powers, may leave the range of the type although the norm does not.
///   The exact result is preferred.
/// - GridSample, Resize: The sum of the magnitudes of cubic weights exceeds 1: if one axis is averaged after the
///   other, the result of the first may leave the range of the type, although the average does not. The exact average
///   is preferred.
/// - GroupNormalization, LayerNormalization, MeanVarianceNormalization: Squares and sums may leave the range of the
///   type although the normalized elements do not. The exact result, which scaled elements or a wider type give, is
///   preferred. The steps as written may give an infinite standard deviation, so that the quotient of a finite number
///   is 0, or an infinite mean, so that the result is NaN.
/// - InstanceNormalization: An implementation may first compute the factor `scale / sqrt(variance + epsilon)` of the
///   input and the number that is added to the product. These may overflow although the formula as written does not.
///   Squares and sums may leave the range of the type as well. Infinite statistics turn normalized elements into 0 or
///   NaN.
/// - LRN: Squares may leave the range of the type although the result does not. By the steps of the formula the
///   result is then zero; with squares in a wider type it is not.
/// - LinearAttention: Infinities and NaN may come from the inputs or from steps that leave the range of the type.
///   Tokens may be processed one by one, or in chunks, which overflow in other steps.
/// - LpNormalization: Sums and squares may overflow or underflow although the norm does not. The exact result is
///   preferred; the steps as written divide by infinity, by a norm that lost digits because squares underflow, or by
///   zero, to which `zero-norm` may apply.
/// - NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss: The sum of weighted losses, or that of the weights, may
///   leave the range of the type although the mean does not. The mean is preferred; with an infinite sum the result
///   is different.
/// - RMSNormalization: Squares may leave the range of the type although the normalized elements do not.
///   Implementations that scale the elements first, or use a wider type, give the exact result, which is preferred;
///   an infinite root makes 0 of what it divides.
/// - ReduceL2: Squares overflow and underflow long before the norm does, and no version says whether they are scaled
///   first. The norm is preferred; the result of the plain formula at the precision of the type is accepted too.
/// - ReduceLogSum: The sum may leave the range of the type although its logarithm does not. The logarithm is
///   preferred, infinity is accepted too.
/// - ReduceLogSumExp: Powers overflow and underflow long before the result does. The function body from version 18 on
///   computes in double, where they overflow later; other implementations subtract the maximum first. The exact
///   result is preferred; the result of the plain formula at the precision of the type is accepted too.
/// - ReduceMean: The sum, or a partial one, may leave the range of the type although the mean does not. The mean is
///   preferred; infinities are accepted too, and so is NaN if partial sums overflow to both sides.
/// - ReduceProd: No version says in which order factors are multiplied, and the order decides whether a partial
///   product overflows, underflows, or both. The exact product is preferred. Also accepted are an infinity of its
///   sign if a partial product may overflow, NaN if such a partial product is multiplied by a zero, and a loss of
///   digits if a partial product may be subnormal.
/// - ScatterElements, ScatterND: Products of three and more floating-point numbers may leave the range of the type on
///   the way in some order and not in another: the specification does not give the order.
/// - Softmax: Powers that leave the range of the type do not affect the result: the function body subtracts the
///   maximum first. The formula in the text lacks that subtraction and would give NaN, which is not accepted.
/// - Softplus: If e^x leaves the range of the type (from 88.8 on in float, 11.1 in float16), the steps of the formula
///   and of the function body give +Inf, but the function is about x. Implementations in use avoid the overflow.
/// - Normalizer: Squares may leave the range of the type although the quotient does not; the specification does not
///   require rescaling.
pub const INTERMEDIATE_OVERFLOW: Label = Label::behaviour("intermediate-overflow");

/// A behaviour:
///
/// - TfIdfVectorizer: The specification does not say what these mean: a `min_gram_length` below 1 or above
///   `max_gram_length`, a `max_gram_length` for which `ngram_counts` has no part, and a negative `max_skip_count`.
///   The oracle gives no answer, and no such case is drawn.
pub const INVALID_GRAM_LENGTHS: Label = Label::behaviour("invalid-gram-lengths");

/// A behaviour:
///
/// - ImageDecoder: A stream that cannot be decoded gives an empty matrix, whose shape the text does not give. The
///   oracle gives no answer.
pub const INVALID_STREAM: Label = Label::behaviour("invalid-stream");

/// A behaviour:
///
/// - RegexFullMatch: The specification does not say what the result is for strings that are not valid UTF-8. No such
///   case is drawn.
pub const INVALID_UTF8: Label = Label::behaviour("invalid-utf8");

/// A behaviour:
///
/// - Bernoulli: By the text the input is the probability of 1. The function body returns 1 if a number drawn
///   uniformly from 0 to 1 is greater than the input: there the input is the probability of 0. The text is preferred.
pub const INVERTED_PROBABILITY: Label = Label::behaviour("inverted-probability");

/// A constraint:
///
/// - NonMaxSuppression: `iou_threshold` lies in [0, 1].
pub const IOU_THRESHOLD_IN_RANGE: Label = Label::constraint("iou-threshold-in-range");

/// A constraint:
///
/// - Loop: Scan outputs are tensors of one type and shape in every iteration.
/// - Scan: States and elements of scan outputs have the same shape in every iteration.
pub const ITERATION_SHAPES_EQUAL: Label = Label::constraint("iteration-shapes-equal");

/// A behaviour:
///
/// - ImageDecoder: The inverse transform of JPEG is defined within an error of 1 for each component; chroma is
///   upsampled by the method that the description gives, within its rounding. Lossless formats have one answer.
pub const JPEG: Label = Label::behaviour("jpeg");

/// A constraint:
///
/// - TopK: K is at most the extent of the axis.
pub const K_FITS_AXIS: Label = Label::constraint("k-fits-axis");

/// A constraint:
///
/// - Trilu: `k` has rank 0.
pub const K_IS_SCALAR: Label = Label::constraint("k-is-scalar");

/// A constraint:
///
/// - TopK: K is positive; as an input it has rank 1 and one element.
pub const K_POSITIVE: Label = Label::constraint("k-positive");

/// A behaviour:
///
/// - ArgMax, ArgMin: The axis is kept, with extent 1, if `keepdims` is 1, and is dropped otherwise.
/// - SplitToSequence: `keepdims` = 0 drops the axis if `split` is not given; with `split` it has no effect.
pub const KEEPDIMS: Label = Label::behaviour("keepdims");

/// A constraint:
///
/// - Conv, ConvTranspose, DeformConv: `kernel_shape`, if given, equals the spatial extents of `W`.
/// - ConvInteger, QLinearConv: `kernel_shape`, if given, equals the spatial extents of `w`.
pub const KERNEL_SHAPE_MATCHES_W: Label = Label::constraint("kernel-shape-matches-w");

/// A constraint:
///
/// - SVMClassifier, SVMRegressor: `kernel_type` is LINEAR, POLY, RBF or SIGMOID, and `kernel_params` has three
///   numbers.
pub const KERNEL_TYPE_KNOWN: Label = Label::constraint("kernel-type-known");

/// A constraint:
///
/// - LabelEncoder: Keys have the element type of `X`.
pub const KEY_TYPE_FITS: Label = Label::constraint("key-type-fits");

/// A constraint:
///
/// - CastMap: In sparse form, keys lie in [0, max_map - 1].
pub const KEYS_IN_RANGE: Label = Label::constraint("keys-in-range");

/// A constraint:
///
/// - DictVectorizer: Every key of the map is in the vocabulary.
pub const KEYS_IN_VOCABULARY: Label = Label::constraint("keys-in-vocabulary");

/// A constraint:
///
/// - NegativeLogLikelihoodLoss: `input` has the axes of samples and classes, and `target` has its shape without the
///   axis of classes.
/// - SoftmaxCrossEntropyLoss: `scores` has the axes of samples and classes, and `labels` has its shape without the
///   axis of classes.
pub const LABEL_SHAPE_FITS: Label = Label::constraint("label-shape-fits");

/// A constraint:
///
/// - ZipMap: There are as many labels as columns.
pub const LABELS_FIT_COLUMNS: Label = Label::constraint("labels-fit-columns");

/// A constraint:
///
/// - NegativeLogLikelihoodLoss: Each element of `target` is a class: it lies in [0, C), or is `ignore_index`.
/// - SoftmaxCrossEntropyLoss: Each element of `labels` is a class: it lies in [0, C), or is `ignore_index`.
pub const LABELS_IN_RANGE: Label = Label::constraint("labels-in-range");

/// A behaviour:
///
/// - Cos: However large the angle (in radians), the result is the cosine of exactly that number. Reducing the angle
///   by a rounded multiple of pi is an error of the implementation, and counts if it exceeds the allowed error.
/// - Sin: However large the angle (in radians), the result is the sine of exactly that number. Reducing the angle by
///   a rounded multiple of pi is an error of the implementation, and counts if it exceeds the allowed error.
/// - Tan: However large the angle (in radians), the result is the tangent of exactly that number. Reducing the angle
///   by a rounded multiple of pi is an error of the implementation, and counts if it exceeds the allowed error.
pub const LARGE_ANGLES: Label = Label::behaviour("large-angles");

/// A constraint:
///
/// - GRU, LSTM, RNN: `X` has rank 3. The extents of `W` are directions, gates times hidden units, and inputs; those
///   of `R` are directions, gates times hidden units, and hidden units. `hidden_size`, if given, is the last extent
///   of `R`.
pub const LAYER_SHAPES_FIT: Label = Label::constraint("layer-shapes-fit");

/// A constraint:
///
/// - Add, And, Div, Equal, Greater, Less, Mul, Or, Sub, Xor: `A` and `B` have the same shape. With `broadcast` = 1,
///   `B` may instead have one element and a rank not above that of `A`, or its shape may be a run of consecutive
///   extents of `A`: those from `axis` on, or the last ones if `axis` is left out. A negative `axis` is not allowed.
/// - Pow: `X` and `Y` have the same shape. With `broadcast` = 1, `Y` may instead have one element and a rank not
///   above that of `X`, or its shape may be a run of consecutive extents of `X`: those from `axis` on, or the last
///   ones if `axis` is left out. A negative `axis` is not allowed.
pub const LEGACY_SHAPES_BROADCAST: Label = Label::constraint("legacy-shapes-broadcast");

/// A constraint:
///
/// - Slice: `starts`, `ends` and `axes` have the same length.
/// - Slice: `starts`, `ends`, `axes` and `steps` have rank 1 and the same length.
/// - CategoryMapper: `cats_int64s` and `cats_strings` have the same length.
/// - LabelEncoder: There are as many keys as values.
/// - Scaler: `offset` and `scale` have the same length, if both are given.
pub const LENGTHS_EQUAL: Label = Label::constraint("lengths-equal");

/// A constraint:
///
/// - Split: Lengths are non-negative integers, and sum to the extent along the axis.
/// - SplitToSequence: Listed lengths sum to the extent of the axis.
pub const LENGTHS_FIT_AXIS: Label = Label::constraint("lengths-fit-axis");

/// A constraint:
///
/// - Imputer: The list of imputed values has one value, or one for each feature (the last extent of `X`).
/// - Scaler: The length of `offset` and `scale` is 1 or the number of features, the last extent of `X`.
pub const LENGTHS_FIT_FEATURES: Label = Label::constraint("lengths-fit-features");

/// A constraint:
///
/// - Split: There are as many lengths as outputs; with `num_outputs`, that many outputs.
pub const LENGTHS_FIT_OUTPUTS: Label = Label::constraint("lengths-fit-outputs");

/// A behaviour:
///
/// - Split: Lengths may be given both as an input and as an attribute. The oracle uses the input.
pub const LENGTHS_GIVEN_TWICE: Label = Label::behaviour("lengths-given-twice");

/// A constraint:
///
/// - SplitToSequence: Lengths in `split` are not negative; a scalar is not 0 either.
pub const LENGTHS_NON_NEGATIVE: Label = Label::constraint("lengths-non-negative");

/// A constraint:
///
/// - Einsum: All axes with the same letter have the same extent. (The rule `size-one-broadcast` is about extents of
///   1.)
pub const LETTER_EXTENTS_EQUAL: Label = Label::constraint("letter-extents-equal");

/// A behaviour:
///
/// - GRU: With `linear_before_reset` the reset gate multiplies the product with R and its bias, and otherwise the
///   previous state.
pub const LINEAR_BEFORE_RESET: Label = Label::behaviour("linear-before-reset");

/// A behaviour:
///
/// - MaxUnpool: The specification does not say what rank `output_shape` has.
/// - ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum,
///   ReduceSumSquare, Squeeze, Unsqueeze: `axes` is a list; the specification does not say what rank it has.
/// - Reshape: The specification does not say what rank `shape` has.
/// - Split: The specification does not say what rank `split` has.
/// - Squeeze, Unsqueeze: `axes` is a list; the text does not say what rank it has.
pub const LIST_RANK: Label = Label::behaviour("list-rank");

/// A constraint:
///
/// - Scan: A list of flags or axes has one number for each scan input, or for each scan output.
pub const LISTS_FIT_SCAN_INPUTS: Label = Label::constraint("lists-fit-scan-inputs");

/// A behaviour:
///
/// - StringNormalizer: The effect of the locale, and of a missing one, depends on the environment. For letters
///   outside ASCII, three results are accepted: all change their case by Unicode's full mapping, which is preferred;
///   only those change that map to a single letter; or none changes.
pub const LOCALE: Label = Label::behaviour("locale");

/// A behaviour:
///
/// - RotaryEmbedding: The rows of a cache have exactly half as many elements as are rotated by the descriptions of
///   the inputs; by the algorithm they may be longer, and the first elements count.
pub const LONG_CACHES: Label = Label::behaviour("long-caches");

/// A behaviour:
///
/// - Compress: The specification does not say whether a condition may be longer than the extent that it selects from,
///   and false beyond it: the description of the input mentions shorter ones only. NumPy, to which the operator
///   refers, accepts it.
pub const LONG_CONDITION: Label = Label::behaviour("long-condition");

/// A behaviour:
///
/// - SequenceMap: By the text all sequences have as many elements as the first; the function body accepts longer ones
///   and ignores their ends. No case with longer sequences is drawn.
pub const LONGER_SEQUENCES: Label = Label::behaviour("longer-sequences");

/// A behaviour:
///
/// - Loop: The loop runs while fewer than `M` iterations are done, if `M` is given, and while the condition is true,
///   if `cond` is given. Without `cond` the condition that the body returns is ignored. A trip count below 1 means no
///   iteration.
pub const LOOP_CONDITION: Label = Label::behaviour("loop-condition");

/// A behaviour:
///
/// - ImageDecoder: The irreversible filter computes with real numbers, and the decoder chooses where in its
///   quantization step a coefficient lies; palettes, subsampled colours and other colours than sRGB or grey are
///   converted by rules that the description does not name. Reversible streams have one answer.
pub const LOSSY_JPEG2000: Label = Label::behaviour("lossy-jpeg2000");

/// A behaviour:
///
/// - ImageDecoder: RFC 6386 defines every bit of the components, but not how chroma is upsampled. The interpolation
///   of libwebp is preferred, within the rounding of a colour. With any other method, the chroma of a pixel lies
///   between the chroma values of the pixels around it.
pub const LOSSY_WEBP: Label = Label::behaviour("lossy-webp");

/// A constraint:
///
/// - Loop: `M` and `cond`, if given, have one element each.
pub const M_AND_COND_SCALAR: Label = Label::constraint("m-and-cond-scalar");

/// A behaviour:
///
/// - Attention: Masks are added before scores are capped; mode 1 of `qk_matmul_output_mode` shows the scores with the
///   masks, and mode 2 the capped ones. By these steps the score of a masked key is capped, too, so that the key has
///   a weight; by the description a masked key takes no part.
pub const MASK_BEFORE_SOFTCAP: Label = Label::behaviour("mask-before-softcap");

/// A behaviour:
///
/// - Attention: By the text, only one of `attn_mask` and `is_causal` can be provided. It does not say what both mean.
pub const MASK_BESIDE_CAUSAL: Label = Label::behaviour("mask-beside-causal");

/// A behaviour:
///
/// - Attention: The specification does not say what a mask with a last extent of 1 means if there are several keys:
///   it broadcasts to all of them, or is padded with minus infinity. The oracle gives no answer, and no such case is
///   drawn.
pub const MASK_OF_ONE_KEY: Label = Label::behaviour("mask-of-one-key");

/// A constraint:
///
/// - DeformConv: `mask` has the batches of `X`, one row for each offset group and tap, and the spatial extents of the
///   output.
pub const MASK_SHAPE_FITS: Label = Label::constraint("mask-shape-fits");

/// A behaviour:
///
/// - Attention: If the masks leave no key to a query, all its scores are minus infinity, and their softmax is 0 / 0:
///   NaN in the output and in the weights.
pub const MASKED_ROW_IS_NAN: Label = Label::behaviour("masked-row-is-nan");

/// A constraint:
///
/// - Det: The last two extents are the same.
pub const MATRICES_SQUARE: Label = Label::constraint("matrices-square");

/// A behaviour:
///
/// - RoiAlign: With max, the result is the largest of the interpolated samples; some implementations take the largest
///   of the elements around them, each times its weight.
pub const MAX_MODE: Label = Label::behaviour("max-mode");

/// A behaviour:
///
/// - TreeEnsemble: The sets of `membership_values` belong to the nodes with the mode BRANCH_MEMBER in the order of
///   `nodes_modes`, not in the order of the trees.
pub const MEMBER_SET_ORDER: Label = Label::behaviour("member-set-order");

/// A constraint:
///
/// - TreeEnsemble: `membership_values` has as many sets, each ended by a NaN, as there are nodes with the mode
///   BRANCH_MEMBER.
pub const MEMBER_SETS_COMPLETE: Label = Label::constraint("member-sets-complete");

/// A behaviour:
///
/// - Clip: The text does not say what happens if min is above max. Clip-13 decides for max; an implementation that
///   compares with max first gives min, and one that treats the bounds as an invalid range refuses them.
/// - Clip: Before release 1.18 the text does not say what happens if min is above max: `max`, as by the function
///   body, or, if max is compared first, `min`. An implementation may treat the bounds as an invalid range and refuse
///   them.
pub const MIN_ABOVE_MAX: Label = Label::behaviour("min-above-max");

/// A behaviour:
///
/// - CastMap: The specification does not say what a sparse output holds at a place without a key. Zero, or the empty
///   string, is preferred.
/// - DictVectorizer: Where the map lacks a key of the vocabulary, the output is zero. The specification does not say
///   what zero is for strings: the empty string is preferred.
pub const MISSING_KEY: Label = Label::behaviour("missing-key");

/// A behaviour:
///
/// - Attention: By the type table `V` may have another type than `Q`, and the output has the type of `Q`. The
///   function body multiplies weights of one type with values of the other, which MatMul does not take.
/// - BatchNormalization: The text does not say in which type the operator computes if the types differ. The precision
///   of the least exact type is accepted, and anything more exact.
/// - Pow: The exponent may have another type than the base and the result, and no version says in which type the
///   power is computed. An integer base to a real exponent is a real power, truncated or rounded; or the exponent is
///   truncated first. With a real base, an exponent of another type may be rounded to the type of the base first.
/// - RMSNormalization: The normalized elements have the type of `X`, and the output has that of `scale`, but Mul
///   takes one type. The precision of the less exact type is accepted, and anything more exact.
/// - Adagrad, Adam, Momentum: The text does not say in which type the operator computes if `R` has another type than
///   the tensors. The precision of the less exact type is accepted, and anything more exact.
pub const MIXED_TYPES: Label = Label::behaviour("mixed-types");

/// A constraint:
///
/// - DepthToSpace, SpaceToDepth: `mode` is DCR or CRD.
/// - Pad: `mode` is constant, reflect or edge.
/// - Pad: `mode` is constant, reflect, edge or wrap.
/// - RoiAlign: `mode` is avg or max.
/// - TensorScatter: `mode` is linear or circular.
/// - TfIdfVectorizer: `mode` is TF, IDF or TFIDF.
/// - Upsample: `mode` is nearest or bilinear.
/// - Upsample: `mode` is nearest or linear.
/// - Momentum: `mode` is `nesterov` or `standard`.
pub const MODE_KNOWN: Label = Label::constraint("mode-known");

/// A constraint:
///
/// - SVMClassifier: `vectors_per_class` has one number for each class. Each support vector has one coefficient for
///   each class but its own, and each pair of classes has one `rho`. Without support vectors there is one coefficient
///   for each class and feature, and a single `rho`.
/// - SVMRegressor: There are as many coefficients as support vectors, and as many numbers in `support_vectors` as
///   support vectors times features. Without vectors there is one coefficient for each feature.
pub const MODEL_SIZES_FIT: Label = Label::constraint("model-sizes-fit");

/// A constraint:
///
/// - GridSample: `mode` is nearest, bilinear or bicubic in version 16, nearest, linear or cubic later; `padding_mode`
///   is zeros, border or reflection.
/// - Resize: `mode` is nearest or linear.
/// - Resize: `mode` is nearest, linear or cubic; `coordinate_transformation_mode` is one that the version lists, and
///   so are `nearest_mode` in nearest mode and `keep_aspect_ratio_policy` if sizes are given.
pub const MODES_KNOWN: Label = Label::constraint("modes-known");

/// A constraint:
///
/// - FlexAttention: `score_mod` and `prob_mod` have one input and one output, which are tensors of the same type and
///   shape.
pub const MODIFIER_GRAPHS_FIT: Label = Label::constraint("modifier-graphs-fit");

/// A behaviour:
///
/// - ScatterND: The attribute describes mul as an addition; the formula of the description multiplies, and so do
///   ScatterND-16 and the published cases.
pub const MUL_DESCRIBED_AS_ADDITION: Label = Label::behaviour("mul-described-as-addition");

/// A behaviour:
///
/// - LinearClassifier: The specification does not say what the attribute `multi_class` changes. The preferred answer
///   is that it changes nothing; the softmax of the scores, which a multinomial model has as probabilities, is
///   accepted too.
pub const MULTI_CLASS: Label = Label::behaviour("multi-class");

/// A constraint:
///
/// - TfIdfVectorizer: `ngram_counts` starts at 0 and ascends within the pool, so that each part holds whole n-grams.
///   The pool has at least one n-gram, and `ngram_indexes` has one non-negative index for each.
pub const N_GRAM_LISTS_FIT: Label = Label::constraint("n-gram-lists-fit");

/// A constraint:
///
/// - Gradient: No name occurs twice in `xs` and `zs`, and no name is that of a tensor that can be computed from the
///   others.
pub const NAMES_INDEPENDENT: Label = Label::constraint("names-independent");

/// A behaviour:
///
/// - ArgMax: No version says where the largest element is if there is a NaN. NumPy gives the index of the first NaN
///   (of the last one, if the last index is selected), which is preferred; comparing in some order may select any
///   element.
/// - ArgMin: No version says where the smallest element is if there is a NaN. NumPy gives the index of the first NaN
///   (of the last one, if the last index is selected), which is preferred; comparing in some order may select any
///   element.
/// - BitCast: Bits are copied, but any NaN is accepted in place of a NaN, because processors change its bits on the
///   way.
/// - Celu: max(0, NaN) and min(0, NaN) may be 0, as for Max and Min; the function body gives NaN. If alpha is NaN or
///   infinite, the second term of the formula is NaN.
/// - Clip: An element that is NaN is neither below min nor above max. The function body of version 13 (Less, Where)
///   keeps NaN. The text says that Clip equals Min and Max, which may give the bound.
/// - Elu: NaN is on neither side of zero. Both branches give NaN for it, so that nothing else is accepted. With an
///   infinite alpha, a step may also multiply 0 by infinity, or subtract infinities.
/// - Equal: In IEEE 754 NaN is equal to nothing, not even NaN; no version mentions it, and nothing else is accepted.
/// - GRU, LSTM, RNN: The specification does not say whether bounding a NaN (by clip, or in Relu and HardSigmoid)
///   gives NaN or a bound. ThresholdedRelu of NaN is zero, all other functions give NaN.
/// - Gelu, Mish, Sigmoid, Softsign, Swish: NaN stays NaN: no text mentions it, and in IEEE 754 every operation on NaN
///   gives NaN.
/// - GlobalMaxPool, MaxRoiPool: No version says what the maximum is if an element is NaN. It may be NaN, or the
///   maximum of the other elements, or, depending on the order of comparisons, any other element.
/// - Greater, Less: A comparison with NaN is false in IEEE 754, and no version contradicts it, so that nothing else
///   is accepted.
/// - GreaterOrEqual: A comparison with NaN is false: the function body is Greater or Equal, and neither holds. The
///   negation of Less would be true.
/// - HardSigmoid: max(0, min(1, NaN)) may be NaN, or either function may return the number, as for Min and Max. An
///   infinity times an alpha of 0 is NaN too.
/// - HardSwish: NaN times anything is NaN, whatever max(0, min(1, NaN)) gives.
/// - Hardmax: No version says which element of a row with a NaN is the maximum: the first NaN, which is preferred,
///   any other element, or none.
/// - IsNaN: Every NaN counts, whatever its sign, payload and kind; float8e4m3fnuz and float8e5m2fnuz have one, where
///   -0 would be.
/// - LeakyRelu: NaN is on neither side of zero. Both branches give NaN for it, so that nothing else is accepted.
/// - LessOrEqual: A comparison with NaN is false: the function body is Less or Equal, and neither holds. The negation
///   of Greater would be true.
/// - Max: No version says what the maximum is if an operand is NaN. Implementations differ in three ways: the element
///   becomes NaN, as in IEEE 754's maximum and in NumPy, which makes the published cases; NaN counts as missing and
///   the others decide, as in IEEE 754's maxNum; or two operands at a time are compared from the left with one `>`,
///   and all operands before a NaN are lost with it. If every operand is NaN, the element is NaN.
/// - MaxPool: No version says what the maximum is if an element is NaN. It may be NaN, or the maximum of the other
///   elements, or, depending on the order of comparisons, any other element. `Indices` names the element that the
///   output has.
/// - Min: No version says what the minimum is if an operand is NaN. Implementations differ in three ways: the element
///   becomes NaN, as in IEEE 754's minimum and in NumPy, which makes the published cases; NaN counts as missing and
///   the others decide, as in IEEE 754's minNum; or two operands at a time are compared from the left with one `<`,
///   and all operands before a NaN are lost with it. If every operand is NaN, the element is NaN.
/// - PRelu: The formula has no case for NaN. `X` itself and its product with a slope are both NaN, so that nothing
///   else is accepted.
/// - QLinearMatMul: The specification does not say which integer a NaN becomes.
/// - QuantizeLinear: The specification does not say which integer a NaN becomes: a NaN element, or the quotient of 0
///   and a scale of 0, or of two infinities.
/// - ReduceMax: No version says what the result is if there is a NaN. The text refers to NumPy, where it is NaN;
///   other implementations treat NaN as missing and take the largest of the rest. Depending on the order of
///   comparisons, the result may also be any other element. If every element is NaN, the result is NaN.
/// - ReduceMin: No version says what the result is if there is a NaN. The text refers to NumPy, where it is NaN;
///   other implementations treat NaN as missing and take the smallest of the rest. Depending on the order of
///   comparisons, the result may also be any other element. If every element is NaN, the result is NaN.
/// - Relu: max(0, NaN) is NaN or 0, as for Max: no text says which, and the function body is a Max. Implementations
///   that compare and select give either.
/// - ScatterElements, ScatterND: The specification does not say what the larger or smaller one of a number and NaN
///   is.
/// - Selu: NaN is on neither side of zero. Both branches give NaN for it, so that nothing else is accepted. With
///   infinite coefficients, other elements may give NaN as well, because a step may multiply 0 by infinity or
///   subtract infinities.
/// - Shrink: NaN is neither below -lambd nor above lambd, so that the result is 0.
/// - Sign: NaN is neither above, nor below, nor equal to zero, and the text gives no fourth case. Implementations
///   return NaN, or compute the difference of two comparisons, which is 0.
/// - SwiGLU: NaN in `A` or `B` makes the result NaN.
/// - ThresholdedRelu: NaN is not above alpha, so that the result is 0.
/// - TopK: No version says whether a NaN is among the largest or the smallest. NumPy, which makes the published
///   cases, sorts it after every number, which is preferred. Comparing with NaN breaks any order, so that any K
///   elements along the axis are accepted, in any order. Each value still belongs to its index, and no element is
///   taken twice, because the outputs are K elements of the input and where they stand.
/// - Unique: The specification does not say whether two NaN are one unique value, which decides on the shape: NumPy,
///   to which the description links, makes them one, but by comparison each is a value of its own. Cases have at most
///   one NaN. Nor does the specification say where NaN sorts: after every number is preferred, before every number is
///   accepted too.
/// - Binarizer: NaN is not greater than the threshold and becomes 0. If the threshold is NaN, nothing is greater than
///   it.
/// - Imputer: If the value to replace is NaN, every NaN is replaced: the text names NaN as a way to write a missing
///   value.
/// - LabelEncoder: A NaN matches a key with the same bits.
/// - LabelEncoder: A key that is NaN matches every NaN, whatever its bits.
/// - Normalizer: The specification does not say whether the maximum of a row with a NaN is NaN. A sum with a NaN is
///   NaN.
/// - TreeEnsemble, TreeEnsembleClassifier, TreeEnsembleRegressor: A NaN takes the true branch if
///   `nodes_missing_value_tracks_true` is 1, and the false branch if it is 0 or left out, whatever the mode.
pub const NAN: Label = Label::behaviour("nan");

/// A behaviour:
///
/// - Abs: NaN stays NaN, and either infinity becomes +Inf. The sign of NaN is not compared.
/// - Acosh: NaN stays NaN, and +Inf stays +Inf.
/// - Add: No version mentions NaN, infinities or overflow of floating-point types. These types are those of IEEE 754,
///   so that only the results of its addition are accepted: overflow gives an infinity, and an invalid operation
///   gives any NaN.
/// - Asinh: NaN stays NaN, and infinities stay as they are.
/// - Atan: NaN stays NaN; infinities give plus and minus half of pi.
/// - BatchNormalization, GroupNormalization, InstanceNormalization, LayerNormalization, MeanVarianceNormalization: By
///   the formula a NaN or an infinity turns all elements that are normalized with it into NaN, because the deviation
///   from the mean is NaN.
/// - Ceil: The text does not mention NaN and infinities. Every rounding of IEEE 754 keeps them, and Ceil-13 says so
///   as well, so that nothing else is accepted.
/// - Cosh: NaN stays NaN; both infinities give +Inf.
/// - DFT: If there is an infinity or NaN among the samples, the sums are NaN or infinite; which of them depends on
///   the algorithm. The same holds if finite sums may overflow on the way.
/// - Div: No version mentions NaN, infinities or division by zero of floating-point types. They are those of IEEE
///   754, so that only the results of its division are accepted: a number by zero is an infinity with the sign of the
///   quotient, and 0 by 0 and infinity by infinity are NaN.
/// - Erf: NaN stays NaN; infinities give -1 and 1.
/// - Exp: NaN stays NaN, e^+Inf is +Inf, e^-Inf is 0. e^0 is exactly 1.
/// - Floor: The text does not mention the floor of NaN and of an infinity. Every rounding of IEEE 754 keeps them, and
///   Floor-13 says so as well, so that nothing else is accepted.
/// - LRN: A NaN or an infinity affects the elements in whose region it lies. A base below zero raised to a fraction
///   is NaN.
/// - Log: NaN stays NaN and +Inf stays +Inf. The logarithm of 1 is exactly 0.
/// - LpNormalization: A NaN makes all elements NaN; with an infinity, the other elements are zero, and the infinity
///   itself is NaN.
/// - MatMul: Infinities and NaN multiply and add as in IEEE 754: zero times infinity is NaN and makes its sum NaN.
/// - Mean, Sum: No version mentions NaN and infinities. They are as in IEEE 754: infinities of both signs give NaN.
/// - Mod: A NaN operand, an infinite dividend and a divisor of zero give NaN.
/// - Mul: No version mentions NaN, infinities or overflow of floating-point types. These types are those of IEEE 754,
///   so that only the results of its multiplication are accepted: overflow gives an infinity, and an invalid
///   operation gives any NaN.
/// - Neg: NaN stays NaN; its sign is not compared. Infinities change their sign.
/// - NonZero: NaN and infinities are not zero; -0 is.
/// - Pow: The formula does not decide NaN^0, 1^NaN and (-1)^Inf. IEEE 754 and C's pow give 1, an implementation by
///   logarithms NaN. Everywhere else NaN, infinities and zeros are as in IEEE 754: 0^0 is 1, and a negative base to a
///   fraction is NaN.
/// - RMSNormalization: A NaN turns all elements that are normalized with it into NaN. An infinity turns the other
///   elements into zero, and itself into NaN.
/// - Range: NaN and infinite inputs do not determine the number of elements. The oracle gives no answer.
/// - Reciprocal: NaN stays NaN; an infinity becomes a zero, whose sign is not compared. A subnormal number whose
///   reciprocal is beyond the range of the type becomes an infinity.
/// - ReduceSum: Infinities and NaN are added as in IEEE 754: infinities of both signs give NaN.
/// - STFT: If there is an infinity or NaN among the samples of a frame, its sums are NaN or infinite; which of them
///   depends on the algorithm. The same holds if finite sums may overflow on the way.
/// - Sinh: NaN stays NaN, and both infinities stay as they are.
/// - Softplus: NaN stays NaN; +Inf stays +Inf and -Inf gives 0.
/// - Sqrt: NaN stays NaN and +Inf stays +Inf.
/// - Sub: No version mentions NaN, infinities or overflow of floating-point types. These types are those of IEEE 754,
///   so that only the results of its subtraction are accepted: overflow gives an infinity, and an invalid operation
///   gives any NaN.
/// - Tanh: NaN stays NaN; the infinities give -1 and 1.
pub const NAN_AND_INFINITY: Label = Label::behaviour("nan-and-infinity");

/// A behaviour:
///
/// - Clip: A bound that is NaN has no effect by the function body of version 13; by Min and Max it may make every
///   element NaN, or the other bound.
pub const NAN_BOUND: Label = Label::behaviour("nan-bound");

/// A behaviour:
///
/// - Celu: For a negative alpha the formula adds max(0, x) and min(0, alpha * (e^(x / alpha) - 1)), while the
///   function body, alpha * Elu(x / alpha), branches on the sign of x / alpha. For alpha = -1 and x = 1 the formula
///   gives 1, and the function body about 0.63.
pub const NEGATIVE_ALPHA: Label = Label::behaviour("negative-alpha");

/// A behaviour:
///
/// - ArgMax, ArgMin, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd,
///   ReduceSum, ReduceSumSquare: The text of version 1 neither describes nor excludes a negative axis.
/// - Concat: The text neither describes nor excludes a negative axis, and shape inference of 4 leaves the question
///   open. The oracle counts from the back.
/// - DFT: The text neither describes nor excludes a negative axis.
pub const NEGATIVE_AXIS: Label = Label::behaviour("negative-axis");

/// A behaviour:
///
/// - Normalizer: The formulas of MAX and L1 divide by the maximum and the sum of the elements themselves, not of
///   their magnitudes, as the norms of these names would. The formula of L2 takes the root of a square, which loses
///   the element's sign.
pub const NEGATIVE_ELEMENTS: Label = Label::behaviour("negative-elements");

/// A behaviour:
///
/// - Pow: No version says what an integer to a negative power is. The formula gives a fraction, or no number for a
///   base of 0, and no type of the result can hold either, so that any value is accepted. 0 is preferred. An
///   implementation may also refuse the case, as NumPy does. Powers of 1 and -1 are integers, so that they are
///   decided. A real exponent of -1 or less that an implementation first converts to an integer is such an exponent,
///   too.
pub const NEGATIVE_EXPONENT: Label = Label::behaviour("negative-exponent");

/// A behaviour:
///
/// - Gather: The specification does not say whether an index may count from the end. Gather-11 says so; Gather-1
///   requires indices within bounds, and does not say which these are.
/// - Gather: A negative index counts from the end.
/// - GatherND: A negative index counts from the end of its axis.
/// - OneHot: By the text, indices are non-negative, and for an index below 0 all values are off. Shape inference
///   refuses negative constants; the oracle prefers all values off.
/// - OneHot: An index of -depth or more, and below 0, counts from the end; this follows from the text of `indices`
///   and the equations together.
/// - Scatter: The specification does not say whether an index may count from the end, as in ScatterElements. In the
///   oracle it may.
/// - TensorScatter: In circular mode the specification does not say what negative write indices mean: modulo counts
///   them from the end, or leaves them negative.
pub const NEGATIVE_INDEX: Label = Label::behaviour("negative-index");

/// A behaviour:
///
/// - Shrink: With a negative lambd both conditions may hold. The function body takes the first one; by the sentences
///   of the description, read one after the other, the last one applies. (The function body does not apply to
///   unsigned types: its Neg does not take them.)
pub const NEGATIVE_LAMBD: Label = Label::behaviour("negative-lambd");

/// A behaviour:
///
/// - StringSplit: The specification does not say what a negative `maxsplit` means. No such case is drawn.
pub const NEGATIVE_MAXSPLIT: Label = Label::behaviour("negative-maxsplit");

/// A behaviour:
///
/// - ConvTranspose: If `output_shape` is more than the windows cover, the equations give a negative padding, half of
///   which goes before the windows. A padding is never negative elsewhere, and most implementations add all of it
///   after the windows, as the oracle does.
pub const NEGATIVE_PADDING: Label = Label::behaviour("negative-padding");

/// A behaviour:
///
/// - Pad: The text describes pads as counts of elements to add, and does not say what negative ones mean. The oracle
///   gives no answer.
/// - Pad: In modes other than constant, the specification does not say whether elements that negative pads cut off
///   are still mirrored, wrapped or repeated at the other end. The oracle prefers to cut first. If both readings
///   agree, nothing is open.
pub const NEGATIVE_PADS: Label = Label::behaviour("negative-pads");

/// A behaviour:
///
/// - SequenceInsert: A negative position counts from the back of the given sequence: with -1 the new tensor comes
///   before the last one, with -n before the first.
pub const NEGATIVE_POSITION: Label = Label::behaviour("negative-position");

/// A behaviour:
///
/// - AveragePool, LpPool, MaxPool: If a window is shorter than its stride, the formula for SAME_UPPER and SAME_LOWER
///   gives a negative padding, which moves windows inwards. But padding adds elements, and shape inference then takes
///   the padding as zero, as the oracle does.
/// - Conv, ConvInteger, QLinearConv: SAME_UPPER and SAME_LOWER never remove elements: if a window is shorter than its
///   stride, so that the formula gives a negative padding, the padding is 0.
pub const NEGATIVE_SAME_PADDING: Label = Label::behaviour("negative-same-padding");

/// A behaviour:
///
/// - Loop: With zero iterations, a scan output has extent 0 first, followed by the shape that the body declares for
///   the value. If the body declares no shape, the specification does not say what it is; the oracle gives no answer
///   then, and no case has it.
/// - Scan: With zero iterations, a scan output has extent 0 along its axis, and otherwise the shape that the body
///   declares for the element. If the body declares no shape, the oracle gives no answer, and no such case is drawn.
pub const NO_ITERATIONS: Label = Label::behaviour("no-iterations");

/// A behaviour:
///
/// - TreeEnsemble, TreeEnsembleRegressor: The specification does not say what the smallest or largest of no votes is.
///   A sum of no votes is 0.
pub const NO_VOTES: Label = Label::behaviour("no-votes");

/// A constraint:
///
/// - TreeEnsembleRegressor: Each node id occurs once within a tree.
pub const NODE_IDS_UNIQUE: Label = Label::constraint("node-ids-unique");

/// A constraint:
///
/// - TreeEnsemble, TreeEnsembleClassifier, TreeEnsembleRegressor: The `nodes_` attributes have the same length.
pub const NODE_LISTS_EQUAL_LENGTH: Label = Label::constraint("node-lists-equal-length");

/// A constraint:
///
/// - TreeEnsemble: Modes are 0 to 6.
/// - TreeEnsembleClassifier, TreeEnsembleRegressor: Modes are LEAF or one of the six that begin with BRANCH_.
pub const NODE_MODES_KNOWN: Label = Label::constraint("node-modes-known");

/// A behaviour:
///
/// - MelWeightMatrix: The specification does not say what `num_mel_bins`, `dft_length` and `sample_rate` mean if they
///   are not positive. The oracle gives no answer.
/// - RoiAlign: The specification does not say what an `output_height` or `output_width` below 1 means, or a negative
///   `sampling_ratio`. The oracle gives no answer, and no such case is drawn.
pub const NON_POSITIVE_SIZES: Label = Label::behaviour("non-positive-sizes");

/// A behaviour:
///
/// - ReduceLogSum: The logarithm of a negative sum is NaN, and that of a sum of zero is minus infinity. If rounding
///   decides on the sign of a sum near zero, either is accepted.
pub const NON_POSITIVE_SUM: Label = Label::behaviour("non-positive-sum");

/// A behaviour:
///
/// - Col2Im: The specification does not say what the sum of bools, strings or complex numbers is where blocks
///   overlap. The last of the overlapping elements is preferred.
/// - GridSample: The specification does not say how strings, truth values or complex numbers are interpolated; the
///   oracle gives no answer then. Nor does it say which string padding with zeros gives: the empty string is
///   preferred.
/// - Resize: The specification does not say what lies between two strings, truth values or complex numbers, nor what
///   stands for them outside the input with tf_crop_and_resize. The oracle gives no answer.
/// - ScatterElements, ScatterND: The specification does not say what add, mul, max and min are for strings, bool and
///   complex numbers. The oracle answers for bool only: mul is whether all are true, and add whether any is, or
///   whether an odd number is.
/// - Upsample: The specification does not say how strings, truth values or complex numbers are interpolated. The
///   oracle gives no answer.
pub const NON_REAL_TYPES: Label = Label::behaviour("non-real-types");

/// A behaviour:
///
/// - Gradient: The text does not say which shape the derivatives have if `y` has several elements: it describes one
///   gradient for each of `xs`, as if `y` had one element. The oracle answers only if `y` has one element.
pub const NON_SCALAR_Y: Label = Label::behaviour("non-scalar-y");

/// A behaviour:
///
/// - SequenceMap: Outputs of the body are tensors, each of one type in all iterations. Other values have no place in
///   a sequence; no case has them.
pub const NON_TENSOR_OUTPUTS: Label = Label::behaviour("non-tensor-outputs");

/// A constraint:
///
/// - Attention: `nonpad_kv_seqlen` has one element for each batch, from 0 to the length of the keys, and is not given
///   together with a past or present.
pub const NONPAD_KV_SEQLEN_FITS: Label = Label::constraint("nonpad-kv-seqlen-fits");

/// A behaviour:
///
/// - ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceSumSquare: If `axes` is empty or left out, everything
///   is reduced. With `noop_with_empty_axes`, the input is returned as it is by the description of the attribute, but
///   the function body does not look at the attribute and reduces everything.
pub const NOOP_RETURNS_INPUT: Label = Label::behaviour("noop-returns-input");

/// A behaviour:
///
/// - ReduceL1, ReduceL2: If `axes` is empty or left out, everything is reduced. With `noop_with_empty_axes` nothing
///   is, but the absolute value is still applied to each element.
/// - ReduceLogSum: If `axes` is empty or left out, everything is reduced. With `noop_with_empty_axes` nothing is, but
///   the logarithm is still applied to each element.
/// - ReduceLogSum: If `axes` is empty or left out, everything is reduced; with `noop_with_empty_axes` nothing is, but
///   the logarithm is still applied to each element.
/// - ReduceLogSumExp: If `axes` is empty or left out, everything is reduced. With `noop_with_empty_axes` nothing is,
///   but the logarithm of the power is still applied to each element.
/// - ReduceLogSumExp: If `axes` is empty or left out, everything is reduced; with `noop_with_empty_axes` nothing is,
///   but the logarithm of the power is still applied to each element.
/// - ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum: If `axes` is empty or left out, everything is reduced;
///   with `noop_with_empty_axes` nothing is, and the input is returned as it is, whatever `keepdims` is.
/// - ReduceSumSquare: If `axes` is empty or left out, everything is reduced. With `noop_with_empty_axes` nothing is,
///   but the square is still applied to each element.
pub const NOOP_WITH_EMPTY_AXES: Label = Label::behaviour("noop-with-empty-axes");

/// A constraint:
///
/// - Normalizer: `norm` is MAX, L1 or L2.
pub const NORM_KNOWN: Label = Label::constraint("norm-known");

/// A constraint:
///
/// - Split: `num_outputs` is at least 1.
pub const NUM_OUTPUTS_POSITIVE: Label = Label::constraint("num-outputs-positive");

/// A constraint:
///
/// - Scan: `num_scan_inputs` is at least 1 and at most the number of inputs.
pub const NUM_SCAN_INPUTS_FITS: Label = Label::constraint("num-scan-inputs-fits");

/// A behaviour:
///
/// - Cast, CastLike: A number becomes a string in plain notation, but no version gives the number of digits; how
///   integers, bool, NaN and infinities are spelled is not specified. Accepted are plain notation with enough digits
///   to distinguish the number from every other number of the type, and, for NaN and infinities, the literals that
///   Cast reads from strings. Fewer digits (at least six), an exponent, a fraction of zero after an integer, and
///   words for bool, NaN and infinities are left open.
pub const NUMBER_TO_STRING: Label = Label::behaviour("number-to-string");

/// A behaviour:
///
/// - CenterCropPad: If the difference is odd, one element less is cut off or added at the beginning than at the end.
pub const ODD_DIFFERENCE: Label = Label::behaviour("odd-difference");

/// A behaviour:
///
/// - ConvTranspose: If a total padding is odd, by the equations the longer part is at the end except for SAME_UPPER;
///   the description of `auto_pad` says the reverse. Version 11 corrects the equations: the longer part is at the end
///   for SAME_UPPER, and otherwise at the beginning. The oracle prefers that. By the description SAME_UPPER and
///   SAME_LOWER give an output as long as the input; shape inference multiplies the extent by the stride.
/// - ConvTranspose: If a total padding is odd, the longer part is at the end for SAME_UPPER, and otherwise at the
///   beginning.
pub const ODD_PADDING: Label = Label::behaviour("odd-padding");

/// A constraint:
///
/// - DeformConv: `offset_group` is positive and divides the channels of `X`.
pub const OFFSET_GROUP_DIVIDES_CHANNELS: Label = Label::constraint("offset-group-divides-channels");

/// A behaviour:
///
/// - DeformConv: Rows of `offset` are ordered by offset group, then tap, then spatial axis; those of `mask` by offset
///   group, then tap.
pub const OFFSET_ORDER: Label = Label::behaviour("offset-order");

/// A constraint:
///
/// - DeformConv: `offset` has the batches of `X`, one row for each offset group, tap and spatial axis, and the
///   spatial extents of the output.
pub const OFFSET_SHAPE_FITS: Label = Label::constraint("offset-shape-fits");

/// A behaviour:
///
/// - Scaler: Both attributes are optional, and neither has a default. Without `offset` nothing is subtracted, and
///   without `scale` nothing is multiplied; a refusal is accepted as well.
pub const OMITTED_ATTRIBUTES: Label = Label::behaviour("omitted-attributes");

/// A behaviour:
///
/// - Clip: By the text a bound that is left out is the largest (smallest) finite number of the type, so that an
///   infinity is clipped to it. The function body of version 13 has no bound then, and the published cases are made
///   with an infinite one.
pub const OMITTED_BOUND: Label = Label::behaviour("omitted-bound");

/// A behaviour:
///
/// - LinearClassifier: Without intercepts nothing is added. Shape inference counts classes by the intercepts, and
///   finds none, so that a refusal is accepted as well.
pub const OMITTED_INTERCEPTS: Label = Label::behaviour("omitted-intercepts");

/// A constraint:
///
/// - LabelEncoder: `default_int64` and `default_string` are not both given.
/// - LabelEncoder: Exactly one of the `keys_` attributes is given.
pub const ONE_ALTERNATIVE_GIVEN: Label = Label::constraint("one-alternative-given");

/// A constraint:
///
/// - Constant: Exactly one attribute is given.
pub const ONE_ATTRIBUTE_GIVEN: Label = Label::constraint("one-attribute-given");

/// A constraint:
///
/// - OneHotEncoder: Exactly one of `cats_int64s` and `cats_strings` is given.
pub const ONE_CATEGORY_LIST_GIVEN: Label = Label::constraint("one-category-list-given");

/// A behaviour:
///
/// - SVMRegressor: With `one_class` the answer is 1 if the score is above zero, and -1 otherwise.
pub const ONE_CLASS: Label = Label::behaviour("one-class");

/// A constraint:
///
/// - CategoryMapper: `default_int64` and `default_string` are not both given.
pub const ONE_DEFAULT_AT_MOST: Label = Label::constraint("one-default-at-most");

/// A constraint:
///
/// - Reshape: At most one extent of `shape` is -1.
pub const ONE_INFERRED_EXTENT: Label = Label::constraint("one-inferred-extent");

/// A constraint:
///
/// - LinearClassifier, SVMClassifier: Exactly one of `classlabels_ints` and `classlabels_strings` is given.
/// - TreeEnsembleClassifier, ZipMap: Exactly one of `classlabels_int64s` and `classlabels_strings` is given.
pub const ONE_LABEL_LIST_GIVEN: Label = Label::constraint("one-label-list-given");

/// A constraint:
///
/// - TfIdfVectorizer: Exactly one of `pool_int64s` and `pool_strings` is given.
pub const ONE_POOL_GIVEN: Label = Label::constraint("one-pool-given");

/// A constraint:
///
/// - Imputer: Exactly one of `imputed_value_floats` and `imputed_value_int64s` is given.
pub const ONE_VALUE_LIST_GIVEN: Label = Label::constraint("one-value-list-given");

/// A constraint:
///
/// - DictVectorizer: Exactly one of `int64_vocabulary` and `string_vocabulary` is given.
pub const ONE_VOCABULARY_GIVEN: Label = Label::constraint("one-vocabulary-given");

/// A behaviour:
///
/// - DFT: With `onesided`, the samples are real, and the first half of the outputs is returned, for an inverse
///   transform as well.
pub const ONESIDED_BOTH_WAYS: Label = Label::behaviour("onesided-both-ways");

/// A behaviour:
///
/// - DFT: An inverse transform with `onesided` computes a real signal from the first floor(dft_length / 2) + 1
///   elements of a spectrum. The others follow from symmetry, so that they are not used if they are given, and the
///   imaginary parts of the first and of the middle one are ignored. The attribute names one element more; by the
///   shape of the output of a forward transform it is none of them.
pub const ONESIDED_INVERSE: Label = Label::behaviour("onesided-inverse");

/// A constraint:
///
/// - DFT, STFT: `onesided` is 0 or 1.
pub const ONESIDED_KNOWN: Label = Label::constraint("onesided-known");

/// A constraint:
///
/// - DFT: With `onesided`, the samples of a forward transform are real, and those of an inverse one complex. (Before
///   release 1.21 they are real in both directions: `onesided-both-ways`.)
/// - STFT: With `onesided`, the default, the samples are real.
pub const ONESIDED_SAMPLES_FIT: Label = Label::constraint("onesided-samples-fit");

/// A behaviour:
///
/// - DequantizeLinear: An implementation may convert the operands to the type of the result before it subtracts and
///   multiplies, or compute in float32 and round at the end. If only the first way overflows or vanishes, the result
///   of the second is preferred, and that of the first left open.
/// - QuantizeLinear: Operands with another type than that of the division may be converted first. If one of them
///   overflows or vanishes by that, the quotient of the original numbers is preferred, and that of the converted ones
///   is accepted too.
pub const OPERAND_PRECISION: Label = Label::behaviour("operand-precision");

/// A behaviour:
///
/// - ImageDecoder: The specification does not say whether an image is rotated if its Exif data or a tag says so: the
///   output has a height and a width, but the text does not say whether they are those of the stored or of the
///   rotated image. The stored orientation is preferred; if rotation changes the shape, the oracle gives no answer.
pub const ORIENTATION: Label = Label::behaviour("orientation");

/// A constraint:
///
/// - Concat: All inputs have the same rank and, except along the axis, the same extents.
/// - ConcatFromSequence: All tensors have the same rank and the same extents. Without `new_axis`, their extents along
///   `axis` may differ.
pub const OTHER_EXTENTS_EQUAL: Label = Label::constraint("other-extents-equal");

/// A behaviour:
///
/// - Add, And, Div, Equal, Greater, Less, Mul, Or, Pow, Sub, Xor: The specification does not say what `broadcast`
///   means if it is neither 0 nor 1.
/// - AffineGrid, GridSample: The specification does not say what `align_corners` means if it is neither 0 nor 1.
/// - ArgMax, ArgMin: The specification does not say what `keepdims` and `select_last_index` mean if they are neither 0
///   nor 1.
/// - Attention: The specification does not say what `is_causal` means if it is neither 0 nor 1.
/// - AveragePool: The specification does not say what `ceil_mode` and `count_include_pad` mean if they are neither 0
///   nor 1.
/// - BatchNormalization: The specification does not say what `spatial` means if it is neither 0 nor 1.
/// - BatchNormalization: The specification does not say what `training_mode` means if it is neither 0 nor 1.
/// - BlackmanWindow, HammingWindow, HannWindow: The specification does not say what `periodic` means if it is neither 0
///   nor 1.
/// - Cast, CastLike, QuantizeLinear: The specification does not say what `saturate` means if it is neither 0 nor 1.
/// - ConcatFromSequence: The specification does not say what `new_axis` means if it is neither 0 nor 1. No case has
///   such a value.
/// - CumProd, CumSum: The specification does not say what `reverse` means if it is neither 0 nor 1.
/// - DFT: The specification does not say what `inverse` means if it is neither 0 nor 1.
/// - GRU: The specification does not say what `linear_before_reset` and `layout` mean if they are neither 0 nor 1.
/// - Gemm: The specification does not say what `transA`, `transB` and `broadcast` mean if they are neither 0 nor 1.
/// - IsInf: The attributes have a meaning for 0 and 1. The specification does not say what another value means.
/// - LSTM: The specification does not say what `input_forget` and `layout` mean if they are neither 0 nor 1.
/// - LpPool: The specification does not say what `ceil_mode` means if it is neither 0 nor 1.
/// - MaxPool: The specification does not say what `ceil_mode` and `storage_order` mean if they are neither 0 nor 1.
/// - Mod: For integers the specification does not say what `fmod` means if it is neither 0 nor 1.
/// - Mod: For integers the text does not say what `fmod` means if it is neither 0 nor 1.
/// - NonMaxSuppression: The specification does not say what `center_point_box` means if it is neither 0 nor 1.
/// - RNN: The specification does not say what `layout` means if it is neither 0 nor 1.
/// - ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum,
///   ReduceSumSquare: The specification does not say what `keepdims` and `noop_with_empty_axes` mean if they are
///   neither 0 nor 1.
/// - Reshape: The specification does not say what `allowzero` means if it is neither 0 nor 1.
/// - Resize: The specification does not say what `antialias` and `exclude_outside` mean if they are neither 0 nor 1.
/// - RotaryEmbedding: The specification does not say what `interleaved` means if it is neither 0 nor 1.
/// - SplitToSequence: Without `split`, the specification does not say what `keepdims` means if it is neither 0 nor 1.
/// - StringNormalizer: The specification does not say what `is_case_sensitive` means if it is neither 0 nor 1.
/// - TopK: The specification does not say what `largest` and `sorted` mean if they are neither 0 nor 1.
/// - Trilu: The specification does not say what `upper` means if it is neither 0 nor 1.
/// - LinearClassifier: The specification does not say what `multi_class` means if it is neither 0 nor 1.
/// - OneHotEncoder: The specification does not say what `zeros` means if it is neither 0 nor 1.
/// - SVMRegressor: The specification does not say what `one_class` means if it is neither 0 nor 1.
pub const OTHER_FLAG_VALUES: Label = Label::behaviour("other-flag-values");

/// A behaviour:
///
/// - Shape: The rank is added once to a negative `start` or `end`; then both are clamped to [0, rank]. If the start
///   is after the end, the output is empty.
/// - Slice: A bound beyond the extent is the extent; a negative bound counts from the end, and is 0 if that is before
///   the beginning; if the end is not after the start, the output is empty.
/// - Slice: Bounds are clamped to the extent. With a negative step, bounds before the beginning are clamped to the
///   position before the first element.
/// - Slice: The extent n is added once to negative bounds. Then a start is clamped to [0, n] going forwards and [0, n -
///   1] going backwards, an end to [0, n] and [-1, n - 1]. So a start before the beginning, going backwards, is the
///   first element, where NumPy and the reference implementation take none.
pub const OUT_OF_RANGE_BOUNDS: Label = Label::behaviour("out-of-range-bounds");

/// A constraint:
///
/// - BlackmanWindow, HammingWindow, HannWindow: `output_datatype` is the number of a type of T2.
/// - MelWeightMatrix: `output_datatype` is the number of a type of T3.
pub const OUTPUT_DATATYPE_ALLOWED: Label = Label::constraint("output-datatype-allowed");

/// A constraint:
///
/// - DequantizeLinear: `output_dtype` is the number of a type of T3, or 0. If it is 0 or left out, the type of the
///   scale is a type of T3.
/// - QuantizeLinear: `output_dtype`, if it is not 0, is a type of the output, and the type of `y_zero_point` if that
///   is given.
pub const OUTPUT_DTYPE_ALLOWED: Label = Label::constraint("output-dtype-allowed");

/// A behaviour:
///
/// - Einsum: An ellipsis in the output's term stands for no axis if no input has one.
pub const OUTPUT_ELLIPSIS: Label = Label::behaviour("output-ellipsis");

/// A constraint:
///
/// - ConvTranspose, MaxUnpool: The output has no negative extents.
/// - Pad: Negative pads leave every extent at 0 or more.
pub const OUTPUT_EXTENTS_NON_NEGATIVE: Label = Label::constraint("output-extents-non-negative");

/// A constraint:
///
/// - ConvTranspose: `output_padding` is less than the stride or the dilation of its axis.
pub const OUTPUT_PADDING_IN_RANGE: Label = Label::constraint("output-padding-in-range");

/// A behaviour:
///
/// - Flatten: The output always has rank 2: with axis 0 the first extent is 1, with axis = rank the second is. A
///   scalar takes axis 0 and becomes 1 x 1.
/// - GatherND: The description of the operator subtracts `batch_dims` in the rank of the output, the description of
///   the output does not. The equations and examples follow the former.
pub const OUTPUT_RANK: Label = Label::behaviour("output-rank");

/// A behaviour:
///
/// - GRU, LSTM, RNN: `output_sequence` only says whether `Y` may be left out: if `Y` is named, it is computed.
pub const OUTPUT_SEQUENCE: Label = Label::behaviour("output-sequence");

/// A behaviour:
///
/// - Gather: The shape of `indices` replaces the axis; a scalar index removes the axis.
/// - GatherElements: The output has the shape of the indices, which may be smaller than the data.
/// - Tile: By the text the output has the shape of the input, although the input is repeated along an axis. The
///   oracle multiplies the extent of that axis by `tiles`.
/// - ArrayFeatureExtractor: The last extent of the output is the number of indices, whatever the shape of `Y` is.
/// - CastMap: The output has rank 1. In dense form it holds the values in ascending order of their keys, in sparse
///   form it has `max_map` elements.
/// - DictVectorizer: The output has rank 1 and the length of the vocabulary.
pub const OUTPUT_SHAPE: Label = Label::behaviour("output-shape");

/// A constraint:
///
/// - MaxUnpool: `output_shape` has one extent for each axis of `X`; the first two are those of `X`.
pub const OUTPUT_SHAPE_FITS: Label = Label::constraint("output-shape-fits");

/// A constraint:
///
/// - Einsum: The output's term has no letter twice, no letter that no input has, and at most one ellipsis.
pub const OUTPUT_TERM_VALID: Label = Label::constraint("output-term-valid");

/// A constraint:
///
/// - Split: Without lengths, the number of outputs divides the extent.
pub const OUTPUTS_DIVIDE_AXIS: Label = Label::constraint("outputs-divide-axis");

/// A constraint:
///
/// - BatchNormalization: A node has one output, or five, some of which may be left out by an empty name; it has five
///   only outside test mode.
/// - BatchNormalization: A node has one output, or five, some of which may be left out by an empty name.
/// - BatchNormalization: A node that trains has three outputs, of which one may be left out by an empty name; any
///   other node has `Y` alone.
pub const OUTPUTS_FIT_MODE: Label = Label::constraint("outputs-fit-mode");

/// A behaviour:
///
/// - Acos: Outside [-1, 1] there is no arccosine: IEEE 754 gives NaN, for infinities too. NaN stays NaN. The result
///   lies between 0 and pi.
/// - Acosh: Below 1 there is no result: IEEE 754 gives NaN, for -Inf too.
/// - Asin: Outside [-1, 1] there is no arcsine: IEEE 754 gives NaN, for infinities too. NaN stays NaN.
/// - Atanh: Outside [-1, 1] there is no result: IEEE 754 gives NaN. NaN stays NaN.
/// - Log: A negative number has no logarithm: IEEE 754 gives NaN, for -Inf too.
/// - Sqrt: A negative number gives NaN, and so does -Inf.
pub const OUTSIDE_DOMAIN: Label = Label::behaviour("outside-domain");

/// A behaviour:
///
/// - GridSample: The specification does not say whether a position outside is moved to the border before its
///   neighbours are determined, or the neighbours are moved one by one, which is preferred. In linear interpolation
///   both give the same, unless the element inside the border, which has weight zero for the moved position, is
///   infinite or NaN (`infinity-with-zero-weight`); for reflected positions they always give the same.
/// - Resize: Neighbours outside the input have the value of the nearest element inside, unless `exclude_outside`
///   leaves them out; positions outside are moved to the nearest one inside.
pub const OUTSIDE_NEIGHBOURS: Label = Label::behaviour("outside-neighbours");

/// A behaviour:
///
/// - DeformConv: By the text a place outside the padded input gives zero; implementations treat everything outside as
///   zeros, and interpolate with the last element if that is less than one step away. That is preferred.
/// - RoiAlign: The specification does not say what samples outside the image are. Most implementations take the
///   nearest element, or 0 if it is more than one element away, which is preferred. Others take the nearest element
///   anywhere, 0, or zeros around the image, between which and the nearest element they interpolate.
pub const OUTSIDE_POSITIONS: Label = Label::behaviour("outside-positions");

/// A behaviour:
///
/// - Cosh, Sinh: If the result itself is beyond the range of the type, it is an infinity. A formula with e^x that
///   overflows earlier, although the result is finite, is an error of the implementation.
/// - CumSum: The specification does not say what happens if a sum leaves the range of an integer type: the sum wraps
///   around, saturates, or is converted from a wider type. Nor does the specification say in which order real numbers
///   are added, so that a partial sum may leave the range of the type although the whole sum does not. The whole sum
///   is preferred.
/// - Exp: Beyond the largest number of the type the result is +Inf, because it is rounded. Below the smallest it is 0
///   or a subnormal number, within the allowed error.
/// - MatMul: The specification does not say what happens if a sum of products leaves the range of an integer type: it
///   wraps around, as in NumPy, saturates, or is converted from a wider type. Nor does it say in which order products
///   of real numbers are added, so that a partial sum may leave the range of the type although the sum does not. The
///   sum is preferred.
/// - ReduceL1: The specification does not say what happens if the sum, or the absolute value of the smallest integer,
///   leaves the range of an integer type: it may wrap around, saturate, or be converted from a wider type. A result
///   that fits is exact, whatever the steps before did. Nor does the specification give the order in which real
///   numbers are added: a partial sum may leave the range although the sum does not. The sum is preferred.
/// - ReduceSum, ReduceSumSquare: The specification does not say what happens if the sum leaves the range of an
///   integer type: it may wrap around, saturate, or be converted from a wider type. A result that fits is exact,
///   whatever the steps before did. Nor does the specification give the order in which real numbers are added: a
///   partial sum may leave the range although the sum does not. The sum is preferred.
pub const OVERFLOW: Label = Label::behaviour("overflow");

/// A behaviour:
///
/// - NonMaxSuppression: An overlap that equals the threshold does not exceed it: the box is kept.
pub const OVERLAP_AT_THRESHOLD: Label = Label::behaviour("overlap-at-threshold");

/// A behaviour:
///
/// - NonMaxSuppression: If rounding in float, or the order of division and comparison, decides whether an overlap
///   exceeds the threshold, the oracle gives no answer.
pub const OVERLAP_ROUNDING: Label = Label::behaviour("overlap-rounding");

/// A constraint:
///
/// - LpNormalization: `p` is 1 or 2.
pub const P_KNOWN: Label = Label::constraint("p-known");

/// A behaviour:
///
/// - CausalConvWithState: The zeros before the input are multiplied by the weights, which gives NaN if a weight is
///   not finite.
/// - Conv: The padding is zeros. The specification does not say whether they are multiplied by the weights, which
///   gives NaN if a weight is infinite or NaN, or left out.
/// - ConvTranspose: For an element of the output, some weights may meet no element of the input. The specification
///   does not say whether they are multiplied by zeros, which gives NaN if such a weight is infinite or NaN.
pub const PADDING_TIMES_INFINITY: Label = Label::behaviour("padding-times-infinity");

/// A behaviour:
///
/// - CenterCropPad: Zeros are added: 0 and false. The text does not say what zero is for strings; the empty string is
///   preferred, as in NumPy. float8e8m0 has no zero.
/// - Pad: `value` is rounded to the data's type.
/// - Pad: Without `constant_value` zeros are added.
/// - Pad: Without `constant_value` zeros are added, or false, or empty strings.
/// - Pad: Without `constant_value` zeros are added, or false, or empty strings. float8e8m0 has no zero, so that any
///   value is allowed then.
pub const PADDING_VALUE: Label = Label::behaviour("padding-value");

/// A constraint:
///
/// - Pad: `pads` (`paddings` in Pad-1) holds two numbers for each axis.
/// - Pad: `pads` has rank 1 and holds two numbers for each axis (from 18 on, for each of `axes`).
pub const PADS_FIT_AXES: Label = Label::constraint("pads-fit-axes");

/// A behaviour:
///
/// - Pad: By its own description, the attribute `paddings` lists all beginnings and then all ends; in the example of
///   the operator it lists the beginning and the end of one axis after the other. The oracle follows the description
///   of the attribute, as all later versions do.
pub const PADS_ORDER: Label = Label::behaviour("pads-order");

/// A constraint:
///
/// - AveragePool, Conv, ConvInteger, ConvTranspose, LpPool, MaxPool, QLinearConv: `pads` is not given unless
///   `auto_pad` is NOTSET.
pub const PADS_WITHOUT_AUTO_PAD: Label = Label::constraint("pads-without-auto-pad");

/// A constraint:
///
/// - BatchNormalization: Scale, bias, mean and variance are lists with one element for each channel.
/// - BatchNormalization: Scale, bias, mean and variance have one element for each channel, or, if `spatial` is 0, the
///   shape of `X` without its first axis.
/// - GroupNormalization: `scale` and `bias` are lists with one element for each group.
/// - GroupNormalization: `scale` and `bias` are lists with one element for each channel. (Before release 1.18 the
///   text contradicts itself: `parameters-per-group`.)
/// - InstanceNormalization: `scale` and `B` are lists with one element for each channel.
pub const PARAMETER_SHAPES_FIT: Label = Label::constraint("parameter-shapes-fit");

/// A constraint:
///
/// - NonMaxSuppression: `max_output_boxes_per_class`, `iou_threshold` and `score_threshold`, if given, have one
///   element each.
pub const PARAMETERS_ARE_SCALARS: Label = Label::constraint("parameters-are-scalars");

/// A behaviour:
///
/// - GroupNormalization: By the description, `scale` and `bias` have one element for each group; by the descriptions
///   of these inputs, they have one for each channel.
pub const PARAMETERS_PER_GROUP: Label = Label::behaviour("parameters-per-group");

/// A constraint:
///
/// - Attention: `past_key` and `past_value` are both given or both left out. They have the extents of `K` and `V`
///   except for the length, which is the same for both. `present_key` and `present_value` are both named or both left
///   out.
pub const PAST_AND_PRESENT_PAIRED: Label = Label::constraint("past-and-present-paired");

/// A constraint:
///
/// - CausalConvWithState: `past_state` has the batches and channels of `input`, and k - 1 elements in each, where k
///   is the length of the kernel.
/// - LinearAttention: `past_state` has the shape (batch, kv_num_heads, d_k, d_v).
pub const PAST_STATE_FITS: Label = Label::constraint("past-state-fits");

/// A constraint:
///
/// - RegexFullMatch: `pattern` is given, and is a regular expression of RE2.
pub const PATTERN_VALID: Label = Label::constraint("pattern-valid");

/// A behaviour:
///
/// - BlackmanWindow, HammingWindow, HannWindow: A periodic window is a symmetric one that is longer by one element,
///   which is dropped.
pub const PERIODIC: Label = Label::behaviour("periodic");

/// A constraint:
///
/// - Transpose: `perm` holds every axis of the data, 0 to rank - 1, exactly once; axes do not count from the back.
pub const PERM_IS_PERMUTATION: Label = Label::constraint("perm-is-permutation");

/// A constraint:
///
/// - ImageDecoder: `pixel_format` is RGB, BGR or Grayscale.
pub const PIXEL_FORMAT_KNOWN: Label = Label::constraint("pixel-format-known");

/// A behaviour:
///
/// - Atanh: At -1 and 1 the result is an infinity of that sign.
/// - Log: The logarithm of either zero is -Inf.
pub const POLE: Label = Label::behaviour("pole");

/// A constraint:
///
/// - TfIdfVectorizer: `pool_strings` is given if `X` holds strings, and `pool_int64s` if it holds integers.
pub const POOL_TYPE_FITS: Label = Label::constraint("pool-type-fits");

/// A constraint:
///
/// - MaxRoiPool: `pooled_shape` has two positive numbers.
pub const POOLED_SHAPE_VALID: Label = Label::constraint("pooled-shape-valid");

/// A constraint:
///
/// - RotaryEmbedding: `position_ids` has the shape (batch, sequence).
pub const POSITION_IDS_SHAPE_FITS: Label = Label::constraint("position-ids-shape-fits");

/// A constraint:
///
/// - SequenceAt: `position` lies in [-n, n-1], where n is the number of tensors in the sequence; an empty sequence
///   has no position.
/// - SequenceErase: `position` lies in [-n, n-1], where n is the number of tensors in the sequence. An empty sequence
///   has nothing to erase.
/// - SequenceInsert: `position` lies in [-n, n], where n is the number of tensors in the sequence before the
///   insertion.
pub const POSITION_IN_RANGE: Label = Label::constraint("position-in-range");

/// A constraint:
///
/// - SequenceAt, SequenceErase, SequenceInsert: `position` has one element; for rank 1 instead of 0 see
///   `scalar-rank`.
pub const POSITION_IS_SCALAR: Label = Label::constraint("position-is-scalar");

/// A behaviour:
///
/// - GridSample: If an error of float can move a position past the point where the nearest element changes, the
///   elements on both sides are accepted. The same holds for a position halfway between two elements if padding is
///   border or reflection, which may move the position before it is rounded.
/// - Resize: Rounding in float may move a position across the point where nearest mode changes to the next element,
///   or across the edge of what tf_crop_and_resize takes from the input. Both sides are accepted then.
/// - Upsample: If an error of float can move a position past the point where the element changes, the elements on
///   both sides are accepted.
pub const POSITION_ROUNDING: Label = Label::behaviour("position-rounding");

/// A constraint:
///
/// - RotaryEmbedding: Positions are rows of the caches, counted from 0.
pub const POSITIONS_IN_RANGE: Label = Label::constraint("positions-in-range");

/// A behaviour:
///
/// - LinearClassifier, TreeEnsembleClassifier: The specification names the transforms, but does not describe them.
///   The oracle takes SOFTMAX and LOGISTIC for the operators Softmax (over the classes of an example) and Sigmoid,
///   and SOFTMAX_ZERO for the softmax of the scores that are not zero, while zeros stay zero; a softmax that includes
///   the zeros is accepted too. PROBIT is the quantile function of the normal distribution; the approximations in use
///   differ from it by a hundredth, and by a tenth next to 0 and 1; outside (0, 1) it is NaN or infinite.
/// - LinearRegressor, TreeEnsemble, TreeEnsembleRegressor: The specification names the transforms, but does not
///   describe them. The oracle takes SOFTMAX and LOGISTIC for the operators Softmax (over the targets of an example)
///   and Sigmoid, and SOFTMAX_ZERO for the softmax of the scores that are not zero, while zeros stay zero; a softmax
///   that includes the zeros is accepted too. PROBIT is the quantile function of the normal distribution; the
///   approximations in use differ from it by a hundredth, and by a tenth next to 0 and 1; outside (0, 1) it is NaN or
///   infinite. The softmax of a single score is 1, whatever the score is, and no text says that it is taken then: the
///   score as it is is accepted too.
/// - SVMClassifier: The specification does not say what the transforms do, and to which scores.
/// - SVMRegressor: The specification names the transforms, but does not describe them. The oracle takes LOGISTIC for
///   the operator Sigmoid. PROBIT is the quantile function of the normal distribution; the approximations in use
///   differ from it by a hundredth, and by a tenth next to 0 and 1; outside (0, 1) it is NaN or infinite. The softmax
///   of a single score is 1, whatever the score is, and no text says that it is taken then: the score as it is is
///   accepted too.
pub const POST_TRANSFORM: Label = Label::behaviour("post-transform");

/// A constraint:
///
/// - LinearClassifier, LinearRegressor, SVMClassifier, SVMRegressor: `post_transform` is NONE, SOFTMAX, LOGISTIC,
///   SOFTMAX_ZERO or PROBIT.
pub const POST_TRANSFORM_KNOWN: Label = Label::constraint("post-transform-known");

/// A constraint:
///
/// - QuantizeLinear: `precision`, if it is not 0, is a numeric type.
pub const PRECISION_ALLOWED: Label = Label::constraint("precision-allowed");

/// A behaviour:
///
/// - LinearAttention: The specification does not say which type `present_state` has without a `past_state`: the
///   oracle uses that of the other inputs.
pub const PRESENT_STATE_TYPE: Label = Label::behaviour("present-state-type");

/// A behaviour:
///
/// - SVMClassifier: With `prob_a` and `prob_b` the second output has the probability of each class, in the order of
///   the classes, so that its rows add up to 1. The text gives no formula. The attributes are the fields of a model
///   of LIBSVM, whose method is expected: the probability of the first of two classes is 1 / (1 + e^(a d + b)), where
///   d is their decision; three or more classes get the probabilities that fit all pairs best, found by an iteration
///   that stops when it is near them. The label is that of the highest probability. The class that wins the most
///   decisions is accepted too, because LIBSVM has a prediction for each. Nothing says what other lengths of the two
///   lists mean, or the lists in a model without support vectors; no such case is drawn.
pub const PROBABILITIES: Label = Label::behaviour("probabilities");

/// A constraint:
///
/// - Bernoulli: Every element of the input is a probability: it lies in [0, 1].
pub const PROBABILITY_IN_RANGE: Label = Label::constraint("probability-in-range");

/// A constraint:
///
/// - SVMClassifier: `prob_a` and `prob_b` have the same length; a list that is left out has length 0.
pub const PROBABILITY_LISTS_FIT: Label = Label::constraint("probability-lists-fit");

/// A constraint:
///
/// - ConvInteger: `x_zero_point` is one number.
/// - QLinearConv: Scales and zero points of `x` and `y` are one number each.
pub const QUANTIZATION_PER_TENSOR: Label = Label::constraint("quantization-per-tensor");

/// A constraint:
///
/// - Attention, FlexAttention: The number of heads of `Q` is a multiple of that of `K`.
pub const QUERY_HEADS_MULTIPLE: Label = Label::constraint("query-heads-multiple");

/// A constraint:
///
/// - Attention, FlexAttention: `Q`, `K` and `V` have the same batch; `K` and `V` the same heads and length; `Q` and
///   `K` the same head size.
/// - LinearAttention: `query`, `key` and `value` have the same batch and length, and heads of `query` have the size
///   of those of `key`.
pub const QUERY_KEY_VALUE_AGREE: Label = Label::constraint("query-key-value-agree");

/// A constraint:
///
/// - Adagrad, Adam, Momentum: `R` and `T` are scalars. The pseudo code broadcasts, which would give a meaning to an
///   `R` of more elements, but the type variables admit scalars only, and the prose has one learning rate for all
///   elements. For a list of one element see `scalar-rank`.
pub const R_AND_T_SCALAR: Label = Label::constraint("r-and-t-scalar");

/// A behaviour:
///
/// - Bernoulli: Each element is 1 with its probability and 0 otherwise, independently of the others. Neither a seed
///   nor the function body defines which elements are 1. An element with the probability 0 or 1 is not random.
/// - Dropout: Elements are kept independently of each other, with the probability 1 - `ratio`, and then scaled by 1 /
///   (1 - ratio); the mask is 1 for kept elements. No seed defines which elements are kept. Before Dropout-12 only
///   the prose mentions the scaling.
/// - Multinomial: Each element of a row is drawn independently. The probability of a class is proportional to the
///   exponential of its element of the input. No seed defines which classes are drawn.
/// - RandomNormal, RandomNormalLike, RandomUniform, RandomUniformLike: Elements are drawn, each independently of the
///   others; no seed defines them. A sample is compared with its distribution as a whole, by tests that reject a
///   correct sample once in 1e12 times.
pub const RANDOMNESS: Label = Label::behaviour("randomness");

/// A constraint:
///
/// - Compress: The input has rank 1 or more.
/// - Gather: The data has rank 1 or more.
/// - GatherND, ScatterND: Data and indices have rank 1 or more.
/// - MatMul: Both factors have rank 1 or more.
/// - MatMulInteger: `A` and `B` have rank 1 or more.
/// - QLinearMatMul: `a` and `b` have rank 1 or more.
/// - ArrayFeatureExtractor: `X` has rank 1 or more.
pub const RANK_AT_LEAST_ONE: Label = Label::constraint("rank-at-least-one");

/// A constraint:
///
/// - Det: `X` has rank 2 or more.
/// - ReverseSequence, Trilu: The input has rank 2 or more.
pub const RANK_AT_LEAST_TWO: Label = Label::constraint("rank-at-least-two");

/// A constraint:
///
/// - DepthToSpace, SpaceToDepth: The input has rank 4.
/// - MaxRoiPool, RoiAlign: `X` has rank 4.
/// - Upsample: `X` has rank 4: it is a batch of images.
/// - FlexAttention: `Q`, `K` and `V` have rank 4.
pub const RANK_FOUR: Label = Label::constraint("rank-four");

/// A behaviour:
///
/// - MatMul: A list counts as a row on the left and as a column on the right, and the axis that is added for it is
///   dropped again.
pub const RANK_ONE_FACTOR: Label = Label::behaviour("rank-one-factor");

/// A behaviour:
///
/// - ArrayFeatureExtractor: The description allows an `X` of rank 1, and shape inference gives no shape for it. The
///   published implementations treat it as a matrix of one row. No such case is drawn.
/// - LinearRegressor: The specification does not say which shape the output has for a list of features. No such case
///   is drawn.
/// - ZipMap: An `X` of rank 1 is one row and gives one map; of rank 2, it gives one map for each row. Maps have no
///   order.
pub const RANK_ONE_INPUT: Label = Label::behaviour("rank-one-input");

/// A constraint:
///
/// - TfIdfVectorizer, LinearRegressor, Normalizer, SVMClassifier, SVMRegressor, ZipMap: `X` has rank 1 or 2.
/// - FeatureVectorizer: Inputs have rank 1 or 2.
/// - LinearClassifier: `X` has rank 1 or 2; with rank 1 it is a single example.
pub const RANK_ONE_OR_TWO: Label = Label::constraint("rank-one-or-two");

/// A constraint:
///
/// - CausalConvWithState, Col2Im: `input` has rank 3.
pub const RANK_THREE: Label = Label::constraint("rank-three");

/// A constraint:
///
/// - Attention: `Q`, `K` and `V` have the same rank, 3 or 4.
/// - RotaryEmbedding: `X` has rank 3 or 4.
pub const RANK_THREE_OR_FOUR: Label = Label::constraint("rank-three-or-four");

/// A constraint:
///
/// - EyeLike, Multinomial: The input has rank 2.
/// - Gemm: `A` and `B` have rank 2.
/// - TreeEnsemble, TreeEnsembleClassifier, TreeEnsembleRegressor: `X` has rank 2.
pub const RANK_TWO: Label = Label::constraint("rank-two");

/// A behaviour:
///
/// - Transpose: Tensors of rank 0 and rank 1 are unchanged.
pub const RANK_ZERO_OR_ONE: Label = Label::behaviour("rank-zero-or-one");

/// A constraint:
///
/// - GatherElements, Scatter, ScatterElements: Data and indices have the same rank, 1 or more.
/// - GridSample: `X` and `grid` have rank 4.
/// - GridSample: `X` and `grid` have the same rank, at least 3.
pub const RANKS_EQUAL: Label = Label::constraint("ranks-equal");

/// A constraint:
///
/// - Dropout: `ratio` lies in [0, 1), if elements are dropped.
pub const RATIO_ATTRIBUTE_IN_RANGE: Label = Label::constraint("ratio-attribute-in-range");

/// A constraint:
///
/// - Dropout: `ratio` lies in [0, 1), if elements are dropped.
pub const RATIO_IN_RANGE: Label = Label::constraint("ratio-in-range");

/// A constraint:
///
/// - Dropout: `ratio` is a scalar: of rank 0.
pub const RATIO_IS_SCALAR: Label = Label::constraint("ratio-is-scalar");

/// A behaviour:
///
/// - GRU, LSTM, RNN: By the equations R is not transposed, but W is. Version 7 transposes both, as published cases of
///   earlier releases do; that is preferred.
/// - GRU, LSTM, RNN: R is transposed, as W is.
pub const RECURRENCE_TRANSPOSED: Label = Label::behaviour("recurrence-transposed");

/// A constraint:
///
/// - NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss: `reduction` is `none`, `sum` or `mean`.
/// - ScatterElements, ScatterND: `reduction` is none, add or mul.
/// - ScatterElements, ScatterND: `reduction` is none, add, mul, max or min.
pub const REDUCTION_KNOWN: Label = Label::constraint("reduction-known");

/// A behaviour:
///
/// - Attention: `q_num_heads` or `kv_num_heads` may be given although inputs of rank 4 have an axis of heads. No such
///   case is drawn.
pub const REDUNDANT_HEAD_COUNTS: Label = Label::behaviour("redundant-head-counts");

/// A behaviour:
///
/// - GridSample: By the description of `padding_mode` the mirrors are at -1 and 1 of the grid, which without aligned
///   corners are half an element outside of the first and last index. But the description also says that index -1 has
///   the value of index 1, which holds with aligned corners only. The published case without aligned corners mirrors
///   at the edges.
pub const REFLECTION: Label = Label::behaviour("reflection");

/// A behaviour:
///
/// - MaxRoiPool: No version says how a region is divided. The oracle follows Fast R-CNN, from which the operator
///   comes: corners are scaled and rounded, halves away from zero, and belong to the region, which is at least one
///   element long. The parts are equally long; the start of each is rounded down, its end is rounded up, and what
///   lies outside of the image is cut off. Rounding errors may move the ends of a part. A region with a corner that
///   is NaN or infinite may be any region of the image.
pub const REGION_DIVISION: Label = Label::behaviour("region-division");

/// A behaviour:
///
/// - Range: The description computes an element as start + i * delta; the function body adds delta to start i times.
///   Either is accepted for floating-point numbers; for integers both are the same.
pub const REPEATED_ADDITION: Label = Label::behaviour("repeated-addition");

/// A behaviour:
///
/// - Einsum: A letter that occurs twice in one term takes the diagonal, and is summed over unless the output has it.
///   Without an output's term, the output never has such a letter.
pub const REPEATED_LETTERS: Label = Label::behaviour("repeated-letters");

/// A constraint:
///
/// - Tile: `repeats` has rank 1 and one number for each axis.
pub const REPEATS_FIT_AXES: Label = Label::constraint("repeats-fit-axes");

/// A constraint:
///
/// - Tile: No number of copies is negative.
pub const REPEATS_NON_NEGATIVE: Label = Label::constraint("repeats-non-negative");

/// A constraint:
///
/// - SVMRegressor: `rho` is one number.
pub const RHO_IS_SCALAR: Label = Label::constraint("rho-is-scalar");

/// A constraint:
///
/// - Resize: With tf_crop_and_resize `roi` is given, with rank 1 and two elements for each axis that is resized.
pub const ROI_FITS_AXES: Label = Label::constraint("roi-fits-axes");

/// A constraint:
///
/// - MaxRoiPool: `rois` has rank 2, and its second extent is 5.
/// - RoiAlign: `rois` has rank 2, and its second extent is 4.
pub const ROIS_SHAPE_FITS: Label = Label::constraint("rois-shape-fits");

/// A constraint:
///
/// - RotaryEmbedding: `rotary_embedding_dim`, where it is not 0, is even and no larger than a head; where it is 0,
///   heads have an even size.
pub const ROTARY_EMBEDDING_DIM_FITS: Label = Label::constraint("rotary-embedding-dim-fits");

/// A behaviour:
///
/// - CastLike: CastLike has the attribute `round_mode`, but its function body does not pass it to Cast, which then
///   rounds up. If the two differ, either result is accepted.
pub const ROUND_MODE_IN_BODY: Label = Label::behaviour("round-mode-in-body");

/// A constraint:
///
/// - Cast: Where `to` is float8e8m0, `round_mode` is up, down or nearest.
/// - CastLike: If `target_type` is of float8e8m0, `round_mode` is up, down or nearest.
pub const ROUND_MODE_KNOWN: Label = Label::constraint("round-mode-known");

/// A behaviour:
///
/// - NonMaxSuppression: The output is a set of whole rows. The specification decides which rows there are, but they
///   may be in any order. The oracle sorts them by batch, then by class, then by descending score.
pub const ROW_ORDER: Label = Label::behaviour("row-order");

/// A behaviour:
///
/// - BatchNormalization: The text does not say whether the running variance uses the variance of the population, or
///   that of a sample, as the paper does.
/// - BatchNormalization: The running variance uses the variance of the population.
pub const RUNNING_VARIANCE: Label = Label::behaviour("running-variance");

/// A behaviour:
///
/// - Conv: By the text SAME_UPPER and SAME_LOWER give as many elements as the input has, which is not possible with a
///   stride above 1. Shape inference gives the extent divided by the stride, rounded up, as all later versions say;
///   so does the oracle.
/// - ConvTranspose: By the text from version 11 on, SAME_UPPER and SAME_LOWER give the extent times the stride. Shape
///   inference adds `output_padding` to that, and gives more if the kernel is shorter than the stride; the oracle
///   gives no answer in these cases.
pub const SAME_OUTPUT_EXTENT: Label = Label::behaviour("same-output-extent");

/// A behaviour:
///
/// - RoiAlign: If the size of a part is within its error of an integer, rounding decides on the number of samples.
pub const SAMPLE_COUNT_ROUNDING: Label = Label::behaviour("sample-count-rounding");

/// A behaviour:
///
/// - Resize: The specification does not say which position of the input an element of the output has, nor how a
///   position is rounded to an integer. Dividing by the scale is preferred, and in nearest mode rounding up if the
///   extent shrinks and down otherwise, as in the published cases.
/// - Upsample: No version says which position of the input an element of the output has, and how a position is
///   rounded to an integer. Dividing by the scale, and truncating in nearest mode, is preferred, as in ONNX's cases
///   published for Resize-10 and in most runtimes. For integer scales most readings of nearest mode agree.
pub const SAMPLE_POSITIONS: Label = Label::behaviour("sample-positions");

/// A constraint:
///
/// - Multinomial: `sample_size` is not negative.
pub const SAMPLE_SIZE_NON_NEGATIVE: Label = Label::constraint("sample-size-non-negative");

/// A constraint:
///
/// - DFT: `input` has rank 2 or more, and the last extent is 1 (real numbers) or 2 (complex numbers).
/// - STFT: `signal` has rank 3, and a last extent of 1 (real numbers) or 2 (complex numbers).
pub const SAMPLES_REAL_OR_COMPLEX: Label = Label::constraint("samples-real-or-complex");

/// A behaviour:
///
/// - QuantizeLinear: A value outside the range of an integer type becomes the nearest end of the range, and so does
///   an infinity.
pub const SATURATION: Label = Label::behaviour("saturation");

/// A behaviour:
///
/// - BatchNormalization: The specification does not say what the saved variance holds, because only the
///   implementation of the gradient uses it. The variance is preferred; some implementations keep the inverse of the
///   standard deviation.
pub const SAVED_VARIANCE: Label = Label::behaviour("saved-variance");

/// A behaviour:
///
/// - OneHot: Indices may have rank 0. The description and the rank of the output allow it, but shape inference
///   refuses them. The oracle answers.
pub const SCALAR_INDICES: Label = Label::behaviour("scalar-indices");

/// A behaviour:
///
/// - Celu: The function body of version 12 holds alpha as a tensor of shape [1], so that a scalar X would give an
///   output of shape [1]. By the text and shape inference the output has the shape of X; version 28 holds a scalar.
/// - NonZero: A scalar gives an output of shape [0, n], where n is 0 if the scalar is zero, and 1 otherwise. NumPy
///   would give one row.
pub const SCALAR_INPUT: Label = Label::behaviour("scalar-input");

/// A behaviour:
///
/// - Size: The output is a scalar: 1 for a scalar, 0 if an extent is 0.
pub const SCALAR_OR_EMPTY_INPUT: Label = Label::behaviour("scalar-or-empty-input");

/// A behaviour:
///
/// - CumSum: By the text `axis` has rank 0, as in the published cases; those of older releases had a list of one
///   element, which most implementations accept. No generated case has such a list.
/// - Loop: The number of the iteration and the condition are scalars, even if `M` and `cond` have rank 1; a body that
///   declares rank 1 gets it.
/// - SequenceAt, SequenceErase, SequenceInsert: By the description `position` is a scalar of rank 0; in a published
///   case of SequenceInsert it has rank 1 and one element. Both ranks are accepted; no case with rank 1 is drawn.
/// - Adagrad, Adam, Momentum: `R` or `T` may be a list of one element in place of a scalar: the type variables
///   require a scalar, but the pseudo code broadcasts one element. The oracle takes the element.
pub const SCALAR_RANK: Label = Label::behaviour("scalar-rank");

/// A constraint:
///
/// - LayerNormalization: `Scale` and `B` broadcast to `X` in one direction.
/// - RMSNormalization: `scale` broadcasts to `X` in one direction.
pub const SCALE_BROADCASTS: Label = Label::constraint("scale-broadcasts");

/// A behaviour:
///
/// - Attention, FlexAttention: The specification does not say in which type the factor of the scores and its square
///   root are computed. The function body computes them in float, and converts the square root to the type of `Q`. If
///   this type is double, both have fewer digits than `Q`.
pub const SCALE_PRECISION: Label = Label::behaviour("scale-precision");

/// A behaviour:
///
/// - LayerNormalization: By the text `Scale` and `B` broadcast to `X`. The function body flattens them, and accepts
///   only those that have the shape of what is normalized.
pub const SCALE_SHAPE: Label = Label::behaviour("scale-shape");

/// A constraint:
///
/// - DequantizeLinear: `x_scale` is one number.
/// - DequantizeLinear: `x_scale` is one number, or a list as long as the extent of `x` along `axis`.
/// - DequantizeLinear: `x_scale` is one number, or a list as long as the extent of `x` along `axis`, or, if
///   `block_size` is given, has the rank of `x` and the same extents except along `axis`.
/// - QLinearMatMul: `a_scale` is one number, or a list with one number for each row of a single matrix, or has the
///   shape of `a` with 1 as the last extent; `b_scale` is the same for columns of `b`. The text gives it the shape
///   [D1, D2, 1, K], although `b` has N columns; the oracle takes the K for an error of the text.
/// - QuantizeLinear: `y_scale` is one number.
/// - QuantizeLinear: `y_scale` is one number, or a list as long as the extent of `x` along `axis`.
/// - QuantizeLinear: `y_scale` is one number, or a list as long as the extent of `x` along `axis`, or, if
///   `block_size` is given, has the rank of `x` and the same extents except along `axis`.
pub const SCALE_SHAPE_FITS: Label = Label::constraint("scale-shape-fits");

/// A behaviour:
///
/// - Attention: By the pattern, queries and keys are both multiplied by `scale`, so that it counts twice in their
///   product. By the description of the attribute it is the factor of the scores, and counts once.
pub const SCALE_TWICE: Label = Label::behaviour("scale-twice");

/// A constraint:
///
/// - Resize: `scales`, or from version 11 on `sizes`, has rank 1 and one element for each axis of `X`, from version 18
///   on for each of `axes`.
/// - Upsample: There is one scale for each axis of `X`; as an input, `scales` has rank 1.
pub const SCALES_FIT_AXES: Label = Label::constraint("scales-fit-axes");

/// A constraint:
///
/// - Resize: Scales are above 0; sizes are not negative.
/// - Upsample: No scale is less than 1.
pub const SCALES_IN_RANGE: Label = Label::constraint("scales-in-range");

/// A constraint:
///
/// - Resize: Either `scales` has elements, or `sizes` is given.
/// - Resize: Exactly one of `scales` and `sizes` is given.
pub const SCALES_OR_SIZES_GIVEN: Label = Label::constraint("scales-or-sizes-given");

/// A behaviour:
///
/// - Attention: The specification does not say whether queries and keys are scaled before they are multiplied, as the
///   pattern has it, or the product afterwards; one of these may overflow.
/// - QLinearMatMul: The specification does not say in which order the scales are applied, and whether in float32 or
///   in their own type. If the result overflows or vanishes in only one of these ways, this result is accepted too.
/// - FlexAttention: The specification does not say whether queries and keys are scaled before they are multiplied, or
///   their product afterwards; one of these may overflow.
pub const SCALING_ORDER: Label = Label::behaviour("scaling-order");

/// A constraint:
///
/// - Scan: All scanned extents are equal. In Scan-8, all states and scan inputs have a batch axis, all scan inputs
///   also a sequence axis, and all batch extents are equal.
pub const SCAN_LENGTHS_EQUAL: Label = Label::constraint("scan-lengths-equal");

/// A behaviour:
///
/// - If: A branch can use the values around the node by their names, at every depth. Its nodes do not assign another
///   value to a name that already has one. Only the branch that `cond` selects is run.
/// - Loop: The body can use the values around the node by their names. Its nodes do not assign another value to a
///   name that already has one.
/// - Scan: By the description, values of the surrounding graph have to be passed in as states; ONNX's IR lets every
///   nested graph use them, and so does the oracle.
pub const SCOPE: Label = Label::behaviour("scope");

/// A behaviour:
///
/// - NonMaxSuppression: A score that equals `score_threshold` is not less than it: the box is kept.
pub const SCORE_AT_THRESHOLD: Label = Label::behaviour("score-at-threshold");

/// A constraint:
///
/// - Squeeze: The extent of a selected axis is 1.
pub const SELECTED_EXTENTS_ARE_ONE: Label = Label::constraint("selected-extents-are-one");

/// A constraint:
///
/// - GRU, LSTM, RNN: `sequence_lens` has one length for each sequence of the batch, from 0 to the number of steps in
///   `X`.
/// - ReverseSequence: Lengths are at least 0 and at most the extent of the time axis.
/// - Scan: `sequence_lens` has one length for each sequence of the batch, from 0 to the extent of the sequence axis.
pub const SEQUENCE_LENS_IN_RANGE: Label = Label::constraint("sequence-lens-in-range");

/// A constraint:
///
/// - ReverseSequence: `sequence_lens` has rank 1 and one length for each element of the batch.
pub const SEQUENCE_LENS_SHAPE_FITS: Label = Label::constraint("sequence-lens-shape-fits");

/// A constraint:
///
/// - SequenceMap: No sequence has fewer elements than the first.
pub const SEQUENCES_LONG_ENOUGH: Label = Label::constraint("sequences-long-enough");

/// A constraint:
///
/// - CenterCropPad: `shape` has rank 1 and one extent for each of `axes`.
pub const SHAPE_FITS_AXES: Label = Label::constraint("shape-fits-axes");

/// A constraint:
///
/// - Reshape: The attribute `shape` is given. The schema calls it optional, but without it there is no shape.
pub const SHAPE_GIVEN: Label = Label::constraint("shape-given");

/// A constraint:
///
/// - ConstantOfShape: `input` has rank 1.
pub const SHAPE_RANK_ONE: Label = Label::constraint("shape-rank-one");

/// A constraint:
///
/// - Expand: `shape` has rank 1, and its elements, which are extents, are not negative.
pub const SHAPE_VALID: Label = Label::constraint("shape-valid");

/// A constraint:
///
/// - Add, And, BitwiseAnd, BitwiseOr, BitwiseXor, Div, Equal, Greater, GreaterOrEqual, Less, LessOrEqual, Mod, Mul,
///   Or, Sub, Xor: The shapes of `A` and `B` broadcast together, in any direction, to the shape of the output.
/// - BitShift, Pow: The shapes of `X` and `Y` broadcast together, in any direction, to the shape of the output.
/// - Expand: The shape of `input` and the shape in `shape` broadcast: aligned at the last axis, two extents are equal
///   or one of them is 1.
/// - Max, Mean, Min, Sum: The shapes of all inputs broadcast together, in any direction, to the shape of the output.
/// - StringConcat: The shapes of `X` and `Y` broadcast.
/// - Where: The shapes of `condition`, `X` and `Y` broadcast together, in any direction, to the shape of the output.
pub const SHAPES_BROADCAST: Label = Label::constraint("shapes-broadcast");

/// A constraint:
///
/// - Max, Mean, Min, Sum: All inputs have the same shape, and so does the output.
/// - SwiGLU: `A` and `B` have the same shape; nothing broadcasts.
pub const SHAPES_EQUAL: Label = Label::constraint("shapes-equal");

/// A behaviour:
///
/// - BitShift: BitShift-11 does not say what a shift by the width of the type, or more, gives. C++ leaves it
///   undefined, so that any value is accepted. The value that BitShift-28 gives is preferred.
/// - BitShift: A shift by a negative number, or by the width of the type or more, leaves only copies of the sign: -1
///   for a right shift of a negative number, and 0 otherwise.
pub const SHIFT_OUT_OF_RANGE: Label = Label::behaviour("shift-out-of-range");

/// A behaviour:
///
/// - Compress: Elements beyond the end of a condition that is too short are not selected.
pub const SHORT_CONDITION: Label = Label::behaviour("short-condition");

/// A behaviour:
///
/// - ReverseSequence: A length of 0 or 1 leaves the sequence as it is.
pub const SHORT_SEQUENCE: Label = Label::behaviour("short-sequence");

/// A behaviour:
///
/// - Mod: With `fmod` = 0 a remainder of zero has the sign of the divisor. If the divisor is an infinity, a dividend
///   of the same sign is the result, and for one of the other sign the result is the divisor.
pub const SIGN_OF_DIVISOR: Label = Label::behaviour("sign-of-divisor");

/// A behaviour:
///
/// - Mod: The function fmod of C, to which the description refers, gives a zero the sign of the dividend; Mod-13
///   itself does not mention zeros.
pub const SIGN_OF_ZERO_OPEN: Label = Label::behaviour("sign-of-zero-open");

/// A behaviour:
///
/// - BitwiseAnd, BitwiseOr, BitwiseXor: The description does not say how signed integers are represented. ONNX stores
///   them in two's complement, and the sign bit is treated like the others.
pub const SIGNED_INTEGERS: Label = Label::behaviour("signed-integers");

/// A behaviour:
///
/// - Abs: The text does not mention zeros. Clearing the sign bit turns -0 into +0, comparing with zero first keeps
///   -0.
/// - Add, Div, Mul, Sub: No version says which sign a result of zero has, so that either sign is accepted.
/// - Ceil, Floor, Round: Integral values, zeros of either sign, NaN and infinities are unchanged: -0 stays -0.
/// - Ceil: The description gives the formula only, so the sign of a zero is open.
/// - Elu: At zero both branches give a zero: the element itself, or a product with alpha, whose sign may be the other
///   one. No text mentions the sign of a zero.
/// - Equal, Greater, Less: Zeros of either sign are equal in IEEE 754; no version mentions them, and nothing else is
///   accepted.
/// - Floor: The description gives the formula only, so the sign of the zero that -0 becomes is open.
/// - GreaterOrEqual, LessOrEqual: Zeros of either sign are equal, so that the output is true.
/// - LeakyRelu: At zero both branches give a zero: the element itself, or its product with alpha, whose sign may be
///   the other one. No text mentions the sign of a zero.
/// - Max: No version says which zero is the larger one. If +0 and -0 are compared and nothing is greater, either may
///   be the result.
/// - Min: No version says which zero is the smaller one. If +0 and -0 are compared and nothing is less, either may be
///   the result.
/// - Mod: With `fmod` = 1 a remainder of zero has the sign of the dividend. If the dividend is -0, either zero is
///   accepted with any divisor, because the text excludes the case from its rule on signs.
/// - Mod: With `fmod` = 1 a remainder of zero has the sign of the dividend. If the dividend is -0 and the divisor
///   positive, either zero is accepted.
/// - Mod: C's fmod, to which the description refers, gives a zero the sign of the dividend; Mod-10 itself does not
///   mention zeros.
/// - Neg: The sign of each element is flipped: +0 becomes -0 and -0 becomes +0, as with IEEE 754's negate. 0 - x
///   would not do that.
/// - Pow: -0 to a negative odd power is -Inf in IEEE 754. No version distinguishes the two zeros, so that either
///   infinity is accepted, and either sign of a power of zero.
/// - ReduceMax, ReduceMin: The specification does not say which of the two zeros is the larger one: if both are
///   compared and nothing else decides, either may be the result.
/// - Relu: -0 and 0 are equal: either may be the result.
/// - Selu: At zero the text (x <= 0) and the function body (x < 0) take different branches; both give a zero, whose
///   sign is open.
/// - Sign: Either zero equals 0 and gives 0, whose sign is open.
/// - Sqrt: -0 is not negative: its root is a zero. IEEE 754 keeps the sign, but x^0.5 by C's pow does not.
/// - TopK: Zeros of both signs compare equal, so that their indices decide; sorting by bits puts -0 below +0. No
///   version mentions it.
/// - Unique: Zeros of both signs are equal; which of them represents both is open, but the index of the first
///   occurrence is not.
/// - Imputer: Zeros of both signs are equal, and both are replaced if the value to replace is 0, the default.
/// - LabelEncoder: Keys are compared by their bits, so that zeros of different signs are different keys.
/// - LabelEncoder: Version 4 no longer says that keys are compared by their bits, nor whether zeros of different
///   signs are equal. The preferred answer takes them as equal.
pub const SIGNED_ZERO: Label = Label::behaviour("signed-zero");

/// A behaviour:
///
/// - AffineGrid: With aligned corners, the step along an axis of one element would be 2 / 0. The middle is preferred,
///   as in PyTorch, to which the text refers; the function body gives -1 for a depth of one, and NaN for the others.
///   By the description -1 and 1 are the centres of the first and the last element, and this element is both.
/// - Resize: If an axis is resized to one element, align_corners divides zero by zero. The first element is
///   preferred, as if the quotient were zero. If it is NaN, nearest mode takes the first or the last element, and
///   averages of floating-point numbers are NaN.
pub const SINGLE_ELEMENT_AXIS: Label = Label::behaviour("single-element-axis");

/// A behaviour:
///
/// - BlackmanWindow, HammingWindow, HannWindow: For the angle of a symmetric window of one element the function body
///   computes zero times infinity, which is NaN; most libraries return 1, the middle of a window.
pub const SINGLE_ELEMENT_WINDOW: Label = Label::behaviour("single-element-window");

/// A constraint:
///
/// - StringNormalizer: `X` has shape [C] or [1, C], and C is not 0.
pub const SINGLE_ROW_OF_STRINGS: Label = Label::constraint("single-row-of-strings");

/// A constraint:
///
/// - AffineGrid: `size` has rank 1 and holds the batch of `theta`, the channels, and two or three extents, one for
///   each row of a matrix of `theta`; none is negative.
pub const SIZE_FITS_THETA: Label = Label::constraint("size-fits-theta");

/// A behaviour:
///
/// - Add, And, Div, Equal, Greater, Less, Mul, Or, Sub, Xor: The text says that an extent of 1 in `B` is not expanded
///   unless `B` has one element, but the published cases test_operator_add_size1_broadcast and
///   test_operator_add_size1_singleton_broadcast expand it. The oracle expands such shapes.
/// - Einsum: The specification does not say whether an extent of 1 broadcasts if the index is a letter, nor what
///   happens to the axes of an ellipsis that the output leaves out. The oracle sums over them, as over all other axes
///   that the output leaves out.
/// - Pow: The text says that an extent of 1 in `Y` is not expanded unless `Y` has one element, but the published
///   cases test_operator_add_size1_broadcast and test_operator_add_size1_singleton_broadcast expand it. The oracle
///   expands such shapes.
pub const SIZE_ONE_BROADCAST: Label = Label::behaviour("size-one-broadcast");

/// A constraint:
///
/// - BlackmanWindow, HammingWindow, HannWindow: `size` is one positive number.
/// - LRN: `size` is positive.
pub const SIZE_POSITIVE: Label = Label::constraint("size-positive");

/// A behaviour:
///
/// - TfIdfVectorizer: N-grams are counted for every number of skips up to `max_skip_count`; a 1-gram has no tokens
///   between which to skip, and is counted once.
pub const SKIPS: Label = Label::behaviour("skips");

/// A constraint:
///
/// - PRelu: `slope` broadcasts to the shape of `X`, which does not change.
pub const SLOPE_BROADCASTS: Label = Label::constraint("slope-broadcasts");

/// A constraint:
///
/// - PRelu: `slope` has one element, which all channels share; or one element for each channel (the second axis of
///   `X`); or the shape of `X`.
pub const SLOPE_FITS_INPUT: Label = Label::constraint("slope-fits-input");

/// A behaviour:
///
/// - Attention: Scores are capped before masks are added.
pub const SOFTCAP_AND_MASK_ORDER: Label = Label::behaviour("softcap-and-mask-order");

/// A behaviour:
///
/// - FlexAttention: The specification does not say whether values are rounded to a `softmax_precision` that is
///   coarser than their type: by the text it applies to the softmax, but the function body also multiplies weights
///   and values in it.
pub const SOFTMAX_PRECISION: Label = Label::behaviour("softmax-precision");

/// A constraint:
///
/// - FlexAttention: `softmax_precision` is a floating-point type.
pub const SOFTMAX_PRECISION_ALLOWED: Label = Label::constraint("softmax-precision-allowed");

/// A behaviour:
///
/// - Unique: Complex numbers have no ascending order of their own. NumPy, to which the text links, compares real
///   parts, then imaginary ones; if one of these parts is NaN, any order is accepted. Strings are compared by their
///   bytes, which is the order of code points in UTF-8; false is less than true; subtensors compare like the lists of
///   their elements.
pub const SORT_ORDER: Label = Label::behaviour("sort-order");

/// A constraint:
///
/// - Unique: `sorted` is 0 or 1.
pub const SORTED_KNOWN: Label = Label::constraint("sorted-known");

/// A behaviour:
///
/// - Constant: The elements that a sparse value of float8e8m0 does not list have no value, because the type has no
///   zero. The oracle gives no answer.
pub const SPARSE_FLOAT8E8M0: Label = Label::behaviour("sparse-float8e8m0");

/// A behaviour:
///
/// - Constant: A sparse value becomes a dense tensor: elements that it does not list are zero (false, the empty
///   string).
pub const SPARSE_VALUE: Label = Label::behaviour("sparse-value");

/// A constraint:
///
/// - Constant: A sparse value is well formed: it has as many indices as values, and the indices are within the shape,
///   in ascending order, and unique.
pub const SPARSE_VALUE_VALID: Label = Label::constraint("sparse-value-valid");

/// A behaviour:
///
/// - BatchNormalization: With `spatial` 0, the statistics of each activation are taken over the instances only.
/// - BatchNormalization: In training, `spatial` 0 gives each feature statistics of its own, but the outputs have the
///   statistics of channels; no such case is drawn. In test mode the statistics are inputs with one element for each
///   channel, so that `spatial` changes nothing.
pub const SPATIAL_STATISTICS: Label = Label::behaviour("spatial-statistics");

/// A constraint:
///
/// - Split: Exactly one of `split` and `num_outputs` is given.
pub const SPLIT_OR_NUM_OUTPUTS: Label = Label::constraint("split-or-num-outputs");

/// A constraint:
///
/// - SplitToSequence: `split` is a scalar or has rank 1.
pub const SPLIT_RANK_FITS: Label = Label::constraint("split-rank-fits");

/// A behaviour:
///
/// - Shape: The text does not say what comes out if the start is after the end. (Versions from 24 on came with the
///   sentence.)
pub const START_AFTER_END: Label = Label::behaviour("start-after-end");

/// A behaviour:
///
/// - Slice: If the step is negative and both bounds are before the beginning, the specification does not say whether
///   the slice takes nothing, as in NumPy, or the first element, as in Slice-13. The oracle gives no answer.
pub const START_BEFORE_BEGINNING: Label = Label::behaviour("start-before-beginning");

/// A behaviour:
///
/// - LayerNormalization: The first stage is computed in the type of `stash_type`: elements of double lose what float
///   cannot represent. An implementation that keeps more is accepted as well.
pub const STASH_PRECISION: Label = Label::behaviour("stash-precision");

/// A behaviour:
///
/// - Range: The specification contradicts itself on which types `stash_type` may name for 16-bit floats: the function
///   body accepts float and double, the description names float only. The oracle answers both.
pub const STASH_TYPE: Label = Label::behaviour("stash-type");

/// A constraint:
///
/// - GroupNormalization, RMSNormalization: `stash_type` is a floating-point type of the operator.
/// - LayerNormalization: `stash_type` is float (1) or bfloat16 (16), the types of `Mean` and `InvStdDev`.
pub const STASH_TYPE_ALLOWED: Label = Label::constraint("stash-type-allowed");

/// A constraint:
///
/// - Slice: No step is 0.
pub const STEPS_NON_ZERO: Label = Label::constraint("steps-non-zero");

/// A behaviour:
///
/// - StringNormalizer: Stop words are compared with the original strings, before the case is changed, and without
///   regard to case unless `is_case_sensitive` is 1.
pub const STOPWORDS_CASE: Label = Label::behaviour("stopwords-case");

/// A behaviour:
///
/// - MaxPool: With `storage_order` 1, indices count columns first: within the channel, as in most implementations, or
///   through the whole tensor, batches first.
pub const STORAGE_ORDER: Label = Label::behaviour("storage-order");

/// A constraint:
///
/// - ImageDecoder: `encoded_stream` has rank 1.
pub const STREAM_RANK_ONE: Label = Label::constraint("stream-rank-one");

/// A behaviour:
///
/// - Equal: Strings are equal if all their bytes are. Equal-19 adds them, and mentions neither upper and lower case
///   nor normal forms of Unicode, so that strings that differ in these are not equal.
pub const STRING_EQUALITY: Label = Label::behaviour("string-equality");

/// A behaviour:
///
/// - Cast, CastLike: Strings in plain and scientific notation become floats, as do the literals INF, +INF, -INF and
///   NaN in any case. An integer in plain notation becomes that integer. The text says that any other string is
///   undefined, as is a fraction for an integer type, so that both may be refused, too. The text does not mention an
///   exponent for an integer type, an integer out of range, or strings for bool.
pub const STRING_TO_NUMBER: Label = Label::behaviour("string-to-number");

/// A behaviour:
///
/// - Mean: No version says in which order, and in which type, the inputs are added: one tensor after the other, each
///   sum rounded, or all of them in a wider type. Whether a sum overflows on the way depends on it; the mean, which
///   does not overflow, is preferred.
/// - Sum: No version says in which order, and in which type, the inputs are added: one tensor after the other, each
///   sum rounded, or all of them in a wider type. Whether a sum overflows on the way depends on it.
pub const SUMMATION_ORDER: Label = Label::behaviour("summation-order");

/// A constraint:
///
/// - TreeEnsemble: Attributes that are tensors have rank 1; `nodes_splits`, `leaf_weights` and `membership_values`
///   have the type of `X`, `nodes_modes` is uint8, and `nodes_hitrates` float.
pub const TENSOR_TYPES_FIT: Label = Label::constraint("tensor-types-fit");

/// A constraint:
///
/// - Adagrad, Adam, Momentum: The tensors that belong to an optimized tensor have its shape and type.
pub const TENSORS_MATCH_OPTIMIZED: Label = Label::constraint("tensors-match-optimized");

/// A constraint:
///
/// - Einsum: A term has a letter for each axis of its input; an ellipsis stands for any number of them.
pub const TERMS_FIT_RANKS: Label = Label::constraint("terms-fit-ranks");

/// A constraint:
///
/// - AffineGrid: `theta` has shape [N, 2, 3] or [N, 3, 4].
pub const THETA_SHAPE_FITS: Label = Label::constraint("theta-shape-fits");

/// A behaviour:
///
/// - Shrink: lambd is a float32. The function body rounds it to the type of 16-bit elements before it compares;
///   comparing with lambd itself may give another result for an element that equals the rounded lambd or its
///   negative.
/// - ThresholdedRelu: alpha is a float32. The function body rounds it to the type of 16-bit elements before it
///   compares; comparing with alpha itself gives another result for the one number to which alpha is rounded, if that
///   is above alpha.
/// - Binarizer: The threshold is a float. The specification does not say whether integers and doubles are compared
///   with it as they are, or as float: next to the threshold the answers differ.
/// - TreeEnsembleClassifier, TreeEnsembleRegressor: Thresholds are floats. The specification does not say whether
///   integers and doubles are compared with them as they are, or as float. If the tensors of doubles are given,
///   doubles are compared.
pub const THRESHOLD_PRECISION: Label = Label::behaviour("threshold-precision");

/// A behaviour:
///
/// - GRU, LSTM, RNN: ThresholdedRelu of alpha itself is alpha by the list of functions, but zero by the operator of
///   that name. Both are accepted.
pub const THRESHOLDED_RELU_TIE: Label = Label::behaviour("thresholded-relu-tie");

/// A behaviour:
///
/// - ArgMax: The specification does not say which of several largest elements is selected. The first one is
///   preferred.
/// - ArgMax, ArgMin: Of equal elements the first one is selected, with `select_last_index` the last one. Zeros of
///   both signs are equal.
/// - ArgMin: The specification does not say which of several smallest elements is selected. The first one is
///   preferred.
/// - DynamicQuantizeLinear: Zero point and quotients are rounded to the nearest integer, ties to even; the quotient
///   is rounded before the zero point is added.
/// - GridSample: The specification does not say which of two elements is the nearest if the position is halfway
///   between them. The one with the even index is preferred, as in later versions.
/// - GridSample: If the position is halfway between two elements, the one with the even index is the nearest.
/// - Hardmax: Of several equal maxima the first becomes 1, and the others 0. Zeros of both signs are equal.
/// - MaxPool: The specification does not say which of several equal maxima `Indices` names. The first one is
///   preferred.
/// - NonMaxSuppression: The specification does not say which of several boxes of equal score is selected first. The
///   lower index is preferred; if the number of selected boxes depends on the order, the oracle gives no answer.
/// - QLinearConv: If the quotient by `y_scale` is exactly between two integers, the even one is preferred, as in
///   QuantizeLinear.
/// - QLinearMatMul: The quotient by `y_scale` is rounded to the nearest integer, ties to even. Then the zero point is
///   added, and the sum saturates at the ends of the range of the type.
/// - QuantizeLinear: The quotient is rounded to the nearest integer, ties to even, before the zero point is added.
/// - Round: Halfway between two integers the result is the even one.
/// - TopK: Of equal elements the one with the lower index comes first, both in selecting and in ordering, whether the
///   largest or the smallest are selected.
/// - LinearClassifier, TreeEnsembleClassifier: The specification does not say which label is given if several classes
///   may have the highest score.
/// - SVMClassifier: The specification does not say which label is given if several classes may win the most
///   decisions, or have the highest score.
pub const TIES: Label = Label::behaviour("ties");

/// A constraint:
///
/// - Tile: `tiles` and `axis` are one integer each, and the axis is an axis of the data.
pub const TILES_AND_AXIS_VALID: Label = Label::constraint("tiles-and-axis-valid");

/// A constraint:
///
/// - BitCast: `to` is the number of a type of T2.
/// - Cast: `to` names a type of T2 in this version: by its upper-case name in Cast-1, by its number in
///   TensorProto.DataType from 6 on.
pub const TO_TYPE_ALLOWED: Label = Label::constraint("to-type-allowed");

/// A behaviour:
///
/// - StringSplit: Without a delimiter, blanks at the end are dropped; but after the last split that `maxsplit`
///   allows, the rest of the string is a substring, which may end with blanks. The unchanged rest is preferred.
pub const TRAILING_WHITESPACE: Label = Label::behaviour("trailing-whitespace");

/// A behaviour:
///
/// - BatchNormalization: With `is_test` 0, which is the default, and `Y` alone, the attribute indicates training and
///   the outputs indicate test. The result from the given statistics is preferred; the result from those of the batch
///   is accepted too.
/// - BatchNormalization: A node trains exactly if it names an output besides `Y`.
/// - BatchNormalization: A node trains if `training_mode` is 1, and does not train if it is 0.
pub const TRAINING_MODE: Label = Label::behaviour("training-mode");

/// A constraint:
///
/// - Dropout: `training_mode` is a scalar: of rank 0.
pub const TRAINING_MODE_IS_SCALAR: Label = Label::constraint("training-mode-is-scalar");

/// A constraint:
///
/// - RoiAlign: `coordinate_transformation_mode` is half_pixel or output_half_pixel.
pub const TRANSFORMATION_MODE_KNOWN: Label = Label::constraint("transformation-mode-known");

/// A behaviour:
///
/// - Expand: Broadcasting goes in both directions: if `shape` is shorter than the rank of `input`, or holds a 1, the
///   extent of `input` is kept. The shape of the output then differs from `shape`.
pub const TWO_WAY_BROADCAST: Label = Label::behaviour("two-way-broadcast");

/// A constraint:
///
/// - Optional: `type` names a type that an optional may hold: a tensor or a sequence of tensors of an element type of
///   this version.
pub const TYPE_ALLOWED: Label = Label::constraint("type-allowed");

/// A behaviour:
///
/// - Optional: `type` is for the empty optional. The specification does not say what it means together with an input
///   of another type; the oracle uses the input's type, and no case has both unless they agree.
pub const TYPE_BESIDE_INPUT: Label = Label::behaviour("type-beside-input");

/// A constraint:
///
/// - Optional: Without an input, `type` is given: nothing else says what the optional would hold.
pub const TYPE_GIVEN_WITHOUT_INPUT: Label = Label::constraint("type-given-without-input");

/// A behaviour:
///
/// - Cast: float4 and float6 have no infinity for values out of range. ONNX's pages on them say that such values
///   saturate, infinities too, and that NaN becomes the largest number; the ReferenceEvaluator turns NaN into zero.
///   The page on float6 turns -0 into +0, though the type has both. The oracle expects saturation; NaN may become the
///   largest number or zero, and the sign of a float6 zero is not compared.
/// - CastLike: float4 has no infinity for values out of range. ONNX's page on it says that such values saturate,
///   infinities too, and that NaN becomes the largest number; the ReferenceEvaluator turns NaN into zero. The oracle
///   expects saturation; NaN may become the largest number or zero.
/// - IsInf: float8e4m3fn, float8e4m3fnuz and float8e5m2fnuz have no infinity: every element gives false. NaN gives
///   false.
/// - QuantizeLinear: 4-bit and 6-bit floats saturate, and NaN becomes the largest number or 0, as in Cast.
pub const TYPES_WITHOUT_INFINITY: Label = Label::behaviour("types-without-infinity");

/// A behaviour:
///
/// - OneHot: The specification does not say what an index that is NaN, infinite or beyond int64 becomes when it is
///   converted.
pub const UNCONVERTIBLE_INDEX: Label = Label::behaviour("unconvertible-index");

/// A behaviour:
///
/// - Col2Im: Elements of the image that no block covers are 0. The text does not say what zero is for strings.
/// - MaxUnpool: Elements of the output that no index names are zero.
pub const UNCOVERED_ELEMENTS: Label = Label::behaviour("uncovered-elements");

/// A behaviour:
///
/// - LogSoftmax: By the text the result is the logarithm of the softmax, which is minus infinity, or less precise, if
///   the softmax underflows. The function body of version 13 subtracts the logarithm of the sum from the difference
///   from the maximum, which does not underflow. That is preferred.
/// - SoftmaxCrossEntropyLoss: By the text the softmax is computed first and its logarithm then, which loses results
///   that underflow; the function body uses LogSoftmax. The exact result is preferred.
pub const UNDERFLOW: Label = Label::behaviour("underflow");

/// A behaviour:
///
/// - CenterCropPad: The text does not say on which side the larger half is cut off or added if the difference is odd.
///   The function body cuts off or adds it at the end.
pub const UNEVEN_HALVES: Label = Label::behaviour("uneven-halves");

/// A behaviour:
///
/// - Split: If `num_outputs` does not divide the extent, every part but the last has the quotient, rounded up, as its
///   length, and the last one has the rest: 7 in 3 parts is 3, 3, 1, and 6 in 4 parts is 2, 2, 2, 0.
pub const UNEVEN_PARTS: Label = Label::behaviour("uneven-parts");

/// A behaviour:
///
/// - CategoryMapper: A value that no entry lists becomes `default_string` or `default_int64`, depending on the type
///   of the output. If that attribute is not given, the value becomes `_Unused` or -1.
/// - LabelEncoder: An element that matches no key becomes the default of the output's type: `_Unused`, -1 or -0.0,
///   unless a `default_` attribute gives another one. In version 1, an index outside the list of classes matches no
///   key; negative indices do not count from the end.
/// - OneHotEncoder: An element in no category has zeros only. With `zeros` = 0 it is not allowed.
pub const UNKNOWN_VALUE: Label = Label::behaviour("unknown-value");

/// A behaviour:
///
/// - Dropout: Whether elements are dropped depends on a mode that neither an attribute nor an input names. Models of
///   these versions are for inference: nothing is dropped.
pub const UNNAMED_MODE: Label = Label::behaviour("unnamed-mode");

/// A behaviour:
///
/// - Gradient: A tensor of `xs` on which `y` does not depend has a gradient of zero.
pub const UNRELATED_TENSOR: Label = Label::behaviour("unrelated-tensor");

/// A behaviour:
///
/// - RotaryEmbedding: Elements beyond `rotary_embedding_dim` are unchanged.
pub const UNROTATED_ELEMENTS: Label = Label::behaviour("unrotated-elements");

/// A behaviour:
///
/// - TopK: With `sorted` = 0 the K elements may be in any order, which is the same for values and indices. The choice
///   of these elements does not depend on `sorted`.
/// - Unique: With `sorted` = 0 the unique elements are in the order of their first occurrence.
pub const UNSORTED_ORDER: Label = Label::behaviour("unsorted-order");

/// A behaviour:
///
/// - Cast, CastLike: For types other than float8e8m0 `round_mode` does not apply. The specification does not say
///   whether it may then have a value other than up, down and nearest.
pub const UNUSED_ROUND_MODE: Label = Label::behaviour("unused-round-mode");

/// A behaviour:
///
/// - NegativeLogLikelihoodLoss: If `weight` is not given, the text takes the mean of all losses; the attribute, the
///   function body and published cases divide by the number of losses that are not ignored, which is preferred.
/// - SoftmaxCrossEntropyLoss: If `weights` is not given, the text takes the mean of all losses; the function body and
///   published cases divide by the number of losses that are not ignored, which is preferred.
pub const UNWEIGHTED_MEAN: Label = Label::behaviour("unweighted-mean");

/// A constraint:
///
/// - TensorScatter: `update` has the shape of `past_cache`, except along `axis`, where it may be shorter.
pub const UPDATE_FITS_CACHE: Label = Label::constraint("update-fits-cache");

/// A constraint:
///
/// - LinearAttention: `update_rule` is linear, gated, delta or gated_delta.
pub const UPDATE_RULE_KNOWN: Label = Label::constraint("update-rule-known");

/// A constraint:
///
/// - Scatter, ScatterElements: Updates have the shape of the indices.
/// - ScatterND: The shape of the updates consists of the extents of the indices except the last, followed by those of
///   the data that indices do not cover.
pub const UPDATES_SHAPE_FITS: Label = Label::constraint("updates-shape-fits");

/// A behaviour:
///
/// - Einsum: By the text, terms consist of lower-case letters. It does not say what an upper-case letter means.
pub const UPPER_CASE_LETTERS: Label = Label::behaviour("upper-case-letters");

/// A constraint:
///
/// - ConstantOfShape: `value` has one element.
pub const VALUE_HAS_ONE_ELEMENT: Label = Label::constraint("value-has-one-element");

/// A behaviour:
///
/// - ConstantOfShape: `value` may have one element without having shape [1]. The description requires one element,
///   shape inference rank 1. The oracle takes the element, whatever the rank.
pub const VALUE_RANK: Label = Label::behaviour("value-rank");

/// A constraint:
///
/// - Constant: The value has a type of T in this version.
/// - ConstantOfShape: `value` has a type of T2 in this version.
pub const VALUE_TYPE_ALLOWED: Label = Label::constraint("value-type-allowed");

/// A constraint:
///
/// - Imputer: `imputed_value_floats` is given if `X` holds floats, and `imputed_value_int64s` if `X` holds integers.
pub const VALUE_TYPE_FITS: Label = Label::constraint("value-type-fits");

/// A constraint:
///
/// - OneHot: `values` has shape [2].
pub const VALUES_ARE_PAIR: Label = Label::constraint("values-are-pair");

/// A constraint:
///
/// - LabelEncoder: `classes_strings` is given.
/// - LabelEncoder: Exactly one of the `values_` attributes is given.
pub const VALUES_GIVEN: Label = Label::constraint("values-given");

/// A constraint:
///
/// - Imputer: The imputed values lie in the range of the type of `X`.
pub const VALUES_IN_TYPE_RANGE: Label = Label::constraint("values-in-type-range");

/// A behaviour:
///
/// - GroupNormalization: The variance is the mean of the squared deviations, as in the paper; by the function body it
///   is the mean of the squares less the square of the mean, which cancels where the mean is large. The former is
///   preferred.
/// - InstanceNormalization: The variance is the mean of the squared deviations. The mean of the squares less the
///   square of the mean, which cancels where the mean is large, is not accepted: no function body has it.
/// - LayerNormalization: By the equations of the text the variance is the mean of the squared deviations; by the
///   function body it is the mean of the squares less the square of the mean, which cancels where the mean is large.
///   The former is preferred.
/// - MeanVarianceNormalization: By the formula the variance is the mean of the squared deviations, by the function
///   body the mean of the squares less the square of the mean, which cancels where the mean is large.
pub const VARIANCE_CANCELLATION: Label = Label::behaviour("variance-cancellation");

/// A constraint:
///
/// - DictVectorizer: The vocabulary has the type of the keys.
pub const VOCABULARY_TYPE_FITS: Label = Label::constraint("vocabulary-type-fits");

/// A constraint:
///
/// - TreeEnsemble: `leaf_weights` and `leaf_targetids` have the same length.
/// - TreeEnsembleClassifier: The `class_` attributes have the same length.
/// - TreeEnsembleRegressor: The `target_` attributes have the same length.
pub const VOTE_LISTS_EQUAL_LENGTH: Label = Label::constraint("vote-lists-equal-length");

/// A constraint:
///
/// - TreeEnsemble: The targets of leaves lie in [0, n_targets - 1], and there is at least one target.
/// - TreeEnsembleClassifier: Votes are for one of the labels, and there is at least one label.
/// - TreeEnsembleRegressor: Votes are for targets in [0, n_targets - 1], and there is at least one target.
pub const VOTES_IN_RANGE: Label = Label::constraint("votes-in-range");

/// A constraint:
///
/// - ConvInteger: `w_zero_point` is one number, or has rank 1 and one element for each output channel.
/// - QLinearConv: Scale and zero point of `w` are one number, or have rank 1 and one element for each output channel.
pub const W_QUANTIZATION_PER_CHANNEL: Label = Label::constraint("w-quantization-per-channel");

/// A constraint:
///
/// - CausalConvWithState: `weight` has one kernel for each channel: (channels, 1, k) with k at least 1.
pub const WEIGHT_SHAPE_FITS: Label = Label::constraint("weight-shape-fits");

/// A constraint:
///
/// - TfIdfVectorizer: There is a weight for each n-gram, if weights are given.
pub const WEIGHTS_FIT_POOL: Label = Label::constraint("weights-fit-pool");

/// A behaviour:
///
/// - StringSplit: The specification does not say which characters are blanks. The oracle splits at those of ASCII;
///   others are not drawn.
pub const WHITESPACE_CHARACTERS: Label = Label::behaviour("whitespace-characters");

/// A behaviour:
///
/// - Pad: The specification does not say what happens if a reflection is wider than the data less one element, so
///   that it would have to be reflected again. NumPy's pad, to which the description refers, reflects at both ends as
///   often as needed and repeats a single element, and so does the oracle; other libraries refuse it.
pub const WIDE_REFLECTION: Label = Label::behaviour("wide-reflection");

/// A behaviour:
///
/// - Pad: Wrapping is repeated as often as needed.
pub const WIDE_WRAPPING: Label = Label::behaviour("wide-wrapping");

/// A constraint:
///
/// - AveragePool, LpPool, MaxPool: `kernel_shape`, `strides` and `dilations`, if given, hold one positive number for
///   each spatial axis; `pads` holds two non-negative numbers for each.
/// - Col2Im, Conv, ConvInteger, DeformConv, QLinearConv: `strides` and `dilations`, if given, hold one positive
///   number for each spatial axis; `pads` holds two non-negative numbers for each.
/// - ConvTranspose: `strides` and `dilations`, if given, hold one positive number for each spatial axis,
///   `output_padding` and `output_shape` one non-negative number, and `pads` two.
/// - MaxUnpool: `kernel_shape` and `strides`, if given, hold one positive number for each spatial axis; `pads` holds
///   two non-negative numbers for each.
pub const WINDOW_ATTRIBUTES_VALID: Label = Label::constraint("window-attributes-valid");

/// A constraint:
///
/// - AveragePool, Conv, ConvInteger, DeformConv, LpPool, MaxPool, QLinearConv: The formula for the output gives no
///   negative extent: a dilated window is not longer than its axis, padding and stride together.
pub const WINDOW_FITS_AXIS: Label = Label::constraint("window-fits-axis");

/// A constraint:
///
/// - STFT: `window` has rank 1, and the extent `frame_length` if that is given. (Before release 1.23 the text does
///   not mention the extent: `window-length-open`.)
pub const WINDOW_FITS_FRAME: Label = Label::constraint("window-fits-frame");

/// A behaviour:
///
/// - AveragePool, Conv, ConvInteger, DeformConv, LpPool, MaxPool, QLinearConv: If a window is longer than an axis
///   with its padding, by no more than the stride, the output is empty by the formula, which rounds down. Shape
///   inference divides towards zero, and gives one window if the excess is less than the stride; implementations
///   refuse the node. The oracle gives no answer, and no such case is drawn.
pub const WINDOW_JUST_TOO_LONG: Label = Label::behaviour("window-just-too-long");

/// A behaviour:
///
/// - STFT: The text does not say what a window means that is longer or shorter than `frame_length`. The oracle gives
///   no answer.
pub const WINDOW_LENGTH_OPEN: Label = Label::behaviour("window-length-open");

/// A constraint:
///
/// - TensorScatter: In linear mode, each write index is at least 0, and the index plus the length of the update is at
///   most the length of the cache.
pub const WRITE_INDICES_IN_RANGE: Label = Label::constraint("write-indices-in-range");

/// A constraint:
///
/// - TensorScatter: `write_indices` has one element for each batch.
pub const WRITE_INDICES_PER_BATCH: Label = Label::constraint("write-indices-per-batch");

/// A constraint:
///
/// - Gradient: `y` can be computed from `xs`, `zs` and constants.
pub const XS_DETERMINE_Y: Label = Label::constraint("xs-determine-y");

/// A constraint:
///
/// - QLinearMatMul: `y_scale` and `y_zero_point` have one element each: the text mentions rows for `a` only, and
///   columns for `b`.
pub const Y_QUANTIZATION_PER_TENSOR: Label = Label::constraint("y-quantization-per-tensor");

/// A behaviour:
///
/// - Celu: alpha = 0 divides by zero, which the text does not mention. The steps of the formula and of the function
///   body give NaN where they multiply 0 by infinity, and max(0, x) elsewhere.
pub const ZERO_ALPHA: Label = Label::behaviour("zero-alpha");

/// A behaviour:
///
/// - Reshape: 0 copies the extent of the data at the same position.
/// - Reshape: 0 copies the extent of the data at the same position, unless `allowzero` is set: then it is an extent
///   of 0.
pub const ZERO_COPIES_EXTENT: Label = Label::behaviour("zero-copies-extent");

/// A behaviour:
///
/// - Range: If `delta` is 0, the number of elements is a quotient by 0. The oracle gives no answer, and no such case
///   is drawn.
pub const ZERO_DELTA: Label = Label::behaviour("zero-delta");

/// A behaviour:
///
/// - Mod: Mod-10 says that the result for a dividend of zero depends on the platform, and probably means a divisor of
///   zero. For floats it leaves both cases open; by the rule a dividend of zero gives zero, and a divisor of zero
///   gives NaN. For an integer dividend of zero the only possible result is zero; for an integer divisor of zero see
///   `division-by-zero`.
/// - Mod: Mod-13 says that the result for a dividend of zero depends on the platform, and probably means a divisor of
///   zero. For floats it leaves both cases open; by the rule a dividend of zero gives zero, and a divisor of zero
///   gives NaN. For an integer dividend of zero the only possible result is zero; for an integer divisor of zero see
///   `division-by-zero`.
pub const ZERO_DIVIDEND: Label = Label::behaviour("zero-dividend");

/// A behaviour:
///
/// - Expand: An extent of 0 against 1 gives 0, and the output is an empty tensor; an empty `shape` keeps `input` as
///   it is.
pub const ZERO_EXTENT: Label = Label::behaviour("zero-extent");

/// A behaviour:
///
/// - LpNormalization: If all elements are zero, the result is zero.
/// - Normalizer: A row whose divisor is zero stays as it is, converted to float.
pub const ZERO_NORM: Label = Label::behaviour("zero-norm");

/// A behaviour:
///
/// - NonZero: The specification does not say which strings are zero. The oracle uses the empty string.
/// - Trilu: The specification does not say what zero is for strings. The oracle prefers the empty string.
pub const ZERO_OF_STRINGS: Label = Label::behaviour("zero-of-strings");

/// A constraint:
///
/// - DequantizeLinear: `x_zero_point` has the shape of `x_scale`.
/// - QLinearMatMul: A zero point has the shape of its scale; a list of one number is not a scalar.
/// - QuantizeLinear: `y_zero_point` has the shape of `y_scale`.
pub const ZERO_POINT_MATCHES_SCALE: Label = Label::constraint("zero-point-matches-scale");

/// A behaviour:
///
/// - ConvInteger, QLinearConv: Padding is the zero point of `x`, so that it adds nothing to a sum.
pub const ZERO_POINT_PADDING: Label = Label::behaviour("zero-point-padding");

/// A behaviour:
///
/// - DynamicQuantizeLinear: If all elements are 0, or the input is empty, the scale is 0 by the formula, and
///   quotients by it are NaN, which become an end of the range. The ReferenceEvaluator uses 1 / 255 as the scale,
///   others 1.
pub const ZERO_RANGE: Label = Label::behaviour("zero-range");

/// A behaviour:
///
/// - Tile: 0 copies along an axis give an empty tensor.
pub const ZERO_REPEATS: Label = Label::behaviour("zero-repeats");

/// A behaviour:
///
/// - MeanVarianceNormalization: By the formula an element without variance is divided by zero; the function body adds
///   1e-9 to the deviation, which the formula does not have. The latter is preferred.
pub const ZERO_VARIANCE: Label = Label::behaviour("zero-variance");

/// Every name, sorted.
pub(crate) static ALL: &[Label] = &[
    A_ZERO_POINT_FITS,
    ABSENT_N_GRAMS,
    ACCUMULATOR_OVERFLOW,
    ACTIVATION_CONSTANTS,
    ACTIVATION_KNOWN,
    ACTIVATIONS_KNOWN,
    ALL_STRINGS_DROPPED,
    ALLOWZERO_WITHOUT_INFERENCE,
    ALPHA_AND_BIT_DEPTH,
    APPROXIMATE_KNOWN,
    ATTN_MASK_BROADCASTS,
    ATTRIBUTE_VALUES_KNOWN,
    AUTO_PAD_KNOWN,
    AUTO_PAD_ROUNDING,
    AVERAGE_DIVISOR,
    AXES_ARE_FIRST_TWO,
    AXES_IN_RANGE,
    AXES_ORDER,
    AXES_RANK_ONE,
    AXES_UNIQUE,
    AXIS_BEHIND_LAST,
    AXIS_IN_RANGE,
    AXIS_IS_SCALAR,
    AXIS_OF_A_VECTOR,
    B_ZERO_POINT_FITS,
    BACKWARD_SHORT_SEQUENCE,
    BACKWARD_STEPS,
    BASE_VALUE_ORDER,
    BASE_VALUES_FIT,
    BATCH_DIMS_IN_RANGE,
    BATCH_EXTENTS_EQUAL,
    BATCH_INDICES_FIT_ROIS,
    BATCH_INDICES_IN_RANGE,
    BATCH_SHAPES_BROADCAST,
    BETA_FITS,
    BEYOND_PADDING,
    BEYOND_SEQUENCE_LENGTH,
    BFLOAT16_BODY,
    BIAS_AND_STATE_FIT,
    BIAS_FITS_CHANNELS,
    BIN_POSITIONS,
    BINARY_DECISION,
    BINARY_SCORES,
    BIT_WIDTHS_EQUAL,
    BLOCK_SIZE_NON_NEGATIVE,
    BLOCKS_COVER_AXIS,
    BLOCKS_FIT_IMAGE,
    BLOCKSIZE_DIVIDES_DEPTH,
    BLOCKSIZE_DIVIDES_EXTENTS,
    BLOCKSIZE_POSITIVE,
    BODY_FITS_NODE,
    BODY_PRECISION,
    BOOL_BITS,
    BOOL_CONVERSION,
    BOOL_ORDER,
    BOTH_LISTS_GIVEN,
    BOUNDS_ARE_SCALARS,
    BOXES_MATCH_SCORES,
    BRANCH_OUTPUTS_FIT,
    BRANCH_SHAPES_EQUAL,
    BRANCH_TYPES_EQUAL,
    BRANCHES_FORM_TREES,
    C_BROADCASTS,
    CACHE_SHAPES_FIT,
    CARRIED_TYPES_KEPT,
    CASE_CHANGE_ACTION_KNOWN,
    CATEGORY_TYPE_FITS,
    CAUSAL_DIAGONAL,
    CAUSAL_UPPER_LEFT,
    CEIL_MODE,
    CHANNELS_BEYOND_EDGE,
    CHANNELS_FIT_GROUPS,
    CIRCULAR_AXIS,
    CIRCULAR_LEADING_AXES,
    CLASS_WEIGHTS_FIT,
    CLIP,
    CLIP_OUT_OF_RANGE,
    CMYK,
    COEFFICIENT_PRECISION,
    COEFFICIENTS_FIT,
    COND_HAS_ONE_ELEMENT,
    COND_OF_OTHER_SIZE,
    CONDITION_FITS_EXTENT,
    CONDITION_RANK_ONE,
    CONSTANT_VALUE_IS_SCALAR,
    CONVERSION,
    COORDINATE_ORDER,
    COORDINATE_SHIFT,
    COPIED_EXTENT_EXISTS,
    COUNT_INCLUDE_PAD,
    CROSSED_BOUNDS,
    CUBIC_COEFFICIENT,
    DATA_NOT_EMPTY,
    DECAY_FITS,
    DECISION_FUNCTION,
    DECISION_SCORES,
    DEFAULT_AXES,
    DEFAULT_AXIS,
    DEFAULT_BOUND,
    DEFAULT_CONSTANTS,
    DEFAULT_DTYPE,
    DEFAULT_KERNEL_SHAPE,
    DEFAULT_MAX_BOXES,
    DEFAULT_PAST_STATE,
    DEFAULT_PERM,
    DEFAULT_TENSOR_FITS,
    DEFAULT_VALUE,
    DEGENERATE_BOXES,
    DEGENERATE_DISTRIBUTION,
    DEGENERATE_REGIONS,
    DEGENERATE_SCALE,
    DEPTH_OF_RANK_ONE,
    DEPTH_ORDER,
    DEPTH_VALID,
    DFT_LENGTH,
    DFT_LENGTH_POSITIVE,
    DIAGONAL_OUTSIDE,
    DIFFERENTIABLE_OPERATORS,
    DIRECTION_KNOWN,
    DIRECTIONS_KNOWN,
    DIVISION_BY_ZERO,
    DIVISION_PRECISION,
    DTYPE_ALLOWED,
    DUPLICATE_AXES,
    DUPLICATE_INDICES,
    DUPLICATE_KEYS,
    EDGES_IN_ORDER,
    ELEMENT_COUNT_ROUNDING,
    ELEMENT_COUNTS_EQUAL,
    ELEMENT_TYPE_FITS,
    ELEMENTS_IN_CATEGORIES,
    ELLIPSES_BROADCAST,
    EMPTY_AXES,
    EMPTY_AXIS,
    EMPTY_CHUNK,
    EMPTY_INPUT,
    EMPTY_LAST_PARTS,
    EMPTY_MATRIX,
    EMPTY_MEAN,
    EMPTY_OPTIONAL,
    EMPTY_REDUCTION,
    EMPTY_SEQUENCE,
    EMPTY_SET_UNMENTIONED,
    EMPTY_SHAPE,
    EMPTY_STRING,
    EMPTY_SUM,
    EMPTY_VALUES,
    EMPTY_WINDOW,
    EQUAL_OVERLAP,
    EQUATION_WELL_FORMED,
    EVEN_SIZE,
    EXACT_COPY,
    EXCLUSIVE,
    EXPONENT_BELOW_ONE,
    EXTENT_ROUNDING,
    EXTENTS_NON_NEGATIVE,
    FAR_POSITIONS,
    FEATURES_IN_RANGE,
    FEWER_SUBSTRINGS,
    FILTER_NORMALIZATION,
    FIRST_EXTENTS_EQUAL,
    FLOAT_OUT_OF_RANGE,
    FLOAT_ROUNDING,
    FLOAT8_SATURATION,
    FLOAT8E8M0,
    FLOATS_OR_DOUBLES_GIVEN,
    FMOD_KNOWN,
    FMOD_SET_FOR_FLOATS,
    FRACTION_TO_ZERO,
    FRACTIONAL_EXTENT,
    FRACTIONAL_INDEX,
    FRAME_FITS_SIGNAL,
    FRAME_LENGTH_OPEN,
    FRAME_STEP_POSITIVE,
    FULLY_MASKED_ROW,
    GRAYSCALE_CONVERSION,
    GRID_SHAPE_FITS,
    GROUPS_DIVIDE_CHANNELS,
    HEAD_COUNTS_DIVIDE,
    IGNORED_LABELS,
    IMAGE_BLOCK_SHAPES_VALID,
    INCOMPLETE_FRAME,
    INDEX_LENGTH_FITS_RANK,
    INDEX_OUT_OF_RANGE,
    INDICES_FIT_DATA,
    INDICES_IN_RANGE,
    INDICES_MATCH_INPUT,
    INDICES_UNDER_OUTPUT_SHAPE,
    INFERENCE,
    INFERENCE_MASK,
    INFINITE_RANGE,
    INFINITE_SCORES,
    INFINITY,
    INFINITY_TIMES_ZERO,
    INFINITY_WITH_ZERO_WEIGHT,
    INNER_EXTENTS_EQUAL,
    INPUT_COUNT_FITS,
    INPUT_FORGET,
    INPUT_HAS_CHANNELS,
    INPUT_HAS_SPATIAL_AXES,
    INPUT_NOT_OPTIONAL,
    INPUT_RANK,
    INPUTDIMENSIONS_FIT,
    INPUTS_ARE_SCALARS,
    INPUTS_MATCH_NAMES,
    INT32_ZERO_POINT,
    INTEGER_DIVISION,
    INTEGER_OVERFLOW,
    INTEGER_ROUNDING,
    INTEGERS_WITH_FMOD,
    INTERCEPTS_FIT,
    INTERMEDIATE_OVERFLOW,
    INVALID_GRAM_LENGTHS,
    INVALID_STREAM,
    INVALID_UTF8,
    INVERTED_PROBABILITY,
    IOU_THRESHOLD_IN_RANGE,
    ITERATION_SHAPES_EQUAL,
    JPEG,
    K_FITS_AXIS,
    K_IS_SCALAR,
    K_POSITIVE,
    KEEPDIMS,
    KERNEL_SHAPE_MATCHES_W,
    KERNEL_TYPE_KNOWN,
    KEY_TYPE_FITS,
    KEYS_IN_RANGE,
    KEYS_IN_VOCABULARY,
    LABEL_SHAPE_FITS,
    LABELS_FIT_COLUMNS,
    LABELS_IN_RANGE,
    LARGE_ANGLES,
    LAYER_SHAPES_FIT,
    LEGACY_SHAPES_BROADCAST,
    LENGTHS_EQUAL,
    LENGTHS_FIT_AXIS,
    LENGTHS_FIT_FEATURES,
    LENGTHS_FIT_OUTPUTS,
    LENGTHS_GIVEN_TWICE,
    LENGTHS_NON_NEGATIVE,
    LETTER_EXTENTS_EQUAL,
    LINEAR_BEFORE_RESET,
    LIST_RANK,
    LISTS_FIT_SCAN_INPUTS,
    LOCALE,
    LONG_CACHES,
    LONG_CONDITION,
    LONGER_SEQUENCES,
    LOOP_CONDITION,
    LOSSY_JPEG2000,
    LOSSY_WEBP,
    M_AND_COND_SCALAR,
    MASK_BEFORE_SOFTCAP,
    MASK_BESIDE_CAUSAL,
    MASK_OF_ONE_KEY,
    MASK_SHAPE_FITS,
    MASKED_ROW_IS_NAN,
    MATRICES_SQUARE,
    MAX_MODE,
    MEMBER_SET_ORDER,
    MEMBER_SETS_COMPLETE,
    MIN_ABOVE_MAX,
    MISSING_KEY,
    MIXED_TYPES,
    MODE_KNOWN,
    MODEL_SIZES_FIT,
    MODES_KNOWN,
    MODIFIER_GRAPHS_FIT,
    MUL_DESCRIBED_AS_ADDITION,
    MULTI_CLASS,
    N_GRAM_LISTS_FIT,
    NAMES_INDEPENDENT,
    NAN,
    NAN_AND_INFINITY,
    NAN_BOUND,
    NEGATIVE_ALPHA,
    NEGATIVE_AXIS,
    NEGATIVE_ELEMENTS,
    NEGATIVE_EXPONENT,
    NEGATIVE_INDEX,
    NEGATIVE_LAMBD,
    NEGATIVE_MAXSPLIT,
    NEGATIVE_PADDING,
    NEGATIVE_PADS,
    NEGATIVE_POSITION,
    NEGATIVE_SAME_PADDING,
    NO_ITERATIONS,
    NO_VOTES,
    NODE_IDS_UNIQUE,
    NODE_LISTS_EQUAL_LENGTH,
    NODE_MODES_KNOWN,
    NON_POSITIVE_SIZES,
    NON_POSITIVE_SUM,
    NON_REAL_TYPES,
    NON_SCALAR_Y,
    NON_TENSOR_OUTPUTS,
    NONPAD_KV_SEQLEN_FITS,
    NOOP_RETURNS_INPUT,
    NOOP_WITH_EMPTY_AXES,
    NORM_KNOWN,
    NUM_OUTPUTS_POSITIVE,
    NUM_SCAN_INPUTS_FITS,
    NUMBER_TO_STRING,
    ODD_DIFFERENCE,
    ODD_PADDING,
    OFFSET_GROUP_DIVIDES_CHANNELS,
    OFFSET_ORDER,
    OFFSET_SHAPE_FITS,
    OMITTED_ATTRIBUTES,
    OMITTED_BOUND,
    OMITTED_INTERCEPTS,
    ONE_ALTERNATIVE_GIVEN,
    ONE_ATTRIBUTE_GIVEN,
    ONE_CATEGORY_LIST_GIVEN,
    ONE_CLASS,
    ONE_DEFAULT_AT_MOST,
    ONE_INFERRED_EXTENT,
    ONE_LABEL_LIST_GIVEN,
    ONE_POOL_GIVEN,
    ONE_VALUE_LIST_GIVEN,
    ONE_VOCABULARY_GIVEN,
    ONESIDED_BOTH_WAYS,
    ONESIDED_INVERSE,
    ONESIDED_KNOWN,
    ONESIDED_SAMPLES_FIT,
    OPERAND_PRECISION,
    ORIENTATION,
    OTHER_EXTENTS_EQUAL,
    OTHER_FLAG_VALUES,
    OUT_OF_RANGE_BOUNDS,
    OUTPUT_DATATYPE_ALLOWED,
    OUTPUT_DTYPE_ALLOWED,
    OUTPUT_ELLIPSIS,
    OUTPUT_EXTENTS_NON_NEGATIVE,
    OUTPUT_PADDING_IN_RANGE,
    OUTPUT_RANK,
    OUTPUT_SEQUENCE,
    OUTPUT_SHAPE,
    OUTPUT_SHAPE_FITS,
    OUTPUT_TERM_VALID,
    OUTPUTS_DIVIDE_AXIS,
    OUTPUTS_FIT_MODE,
    OUTSIDE_DOMAIN,
    OUTSIDE_NEIGHBOURS,
    OUTSIDE_POSITIONS,
    OVERFLOW,
    OVERLAP_AT_THRESHOLD,
    OVERLAP_ROUNDING,
    P_KNOWN,
    PADDING_TIMES_INFINITY,
    PADDING_VALUE,
    PADS_FIT_AXES,
    PADS_ORDER,
    PADS_WITHOUT_AUTO_PAD,
    PARAMETER_SHAPES_FIT,
    PARAMETERS_ARE_SCALARS,
    PARAMETERS_PER_GROUP,
    PAST_AND_PRESENT_PAIRED,
    PAST_STATE_FITS,
    PATTERN_VALID,
    PERIODIC,
    PERM_IS_PERMUTATION,
    PIXEL_FORMAT_KNOWN,
    POLE,
    POOL_TYPE_FITS,
    POOLED_SHAPE_VALID,
    POSITION_IDS_SHAPE_FITS,
    POSITION_IN_RANGE,
    POSITION_IS_SCALAR,
    POSITION_ROUNDING,
    POSITIONS_IN_RANGE,
    POST_TRANSFORM,
    POST_TRANSFORM_KNOWN,
    PRECISION_ALLOWED,
    PRESENT_STATE_TYPE,
    PROBABILITIES,
    PROBABILITY_IN_RANGE,
    PROBABILITY_LISTS_FIT,
    QUANTIZATION_PER_TENSOR,
    QUERY_HEADS_MULTIPLE,
    QUERY_KEY_VALUE_AGREE,
    R_AND_T_SCALAR,
    RANDOMNESS,
    RANK_AT_LEAST_ONE,
    RANK_AT_LEAST_TWO,
    RANK_FOUR,
    RANK_ONE_FACTOR,
    RANK_ONE_INPUT,
    RANK_ONE_OR_TWO,
    RANK_THREE,
    RANK_THREE_OR_FOUR,
    RANK_TWO,
    RANK_ZERO_OR_ONE,
    RANKS_EQUAL,
    RATIO_ATTRIBUTE_IN_RANGE,
    RATIO_IN_RANGE,
    RATIO_IS_SCALAR,
    RECURRENCE_TRANSPOSED,
    REDUCTION_KNOWN,
    REDUNDANT_HEAD_COUNTS,
    REFLECTION,
    REGION_DIVISION,
    REPEATED_ADDITION,
    REPEATED_LETTERS,
    REPEATS_FIT_AXES,
    REPEATS_NON_NEGATIVE,
    RHO_IS_SCALAR,
    ROI_FITS_AXES,
    ROIS_SHAPE_FITS,
    ROTARY_EMBEDDING_DIM_FITS,
    ROUND_MODE_IN_BODY,
    ROUND_MODE_KNOWN,
    ROW_ORDER,
    RUNNING_VARIANCE,
    SAME_OUTPUT_EXTENT,
    SAMPLE_COUNT_ROUNDING,
    SAMPLE_POSITIONS,
    SAMPLE_SIZE_NON_NEGATIVE,
    SAMPLES_REAL_OR_COMPLEX,
    SATURATION,
    SAVED_VARIANCE,
    SCALAR_INDICES,
    SCALAR_INPUT,
    SCALAR_OR_EMPTY_INPUT,
    SCALAR_RANK,
    SCALE_BROADCASTS,
    SCALE_PRECISION,
    SCALE_SHAPE,
    SCALE_SHAPE_FITS,
    SCALE_TWICE,
    SCALES_FIT_AXES,
    SCALES_IN_RANGE,
    SCALES_OR_SIZES_GIVEN,
    SCALING_ORDER,
    SCAN_LENGTHS_EQUAL,
    SCOPE,
    SCORE_AT_THRESHOLD,
    SELECTED_EXTENTS_ARE_ONE,
    SEQUENCE_LENS_IN_RANGE,
    SEQUENCE_LENS_SHAPE_FITS,
    SEQUENCES_LONG_ENOUGH,
    SHAPE_FITS_AXES,
    SHAPE_GIVEN,
    SHAPE_RANK_ONE,
    SHAPE_VALID,
    SHAPES_BROADCAST,
    SHAPES_EQUAL,
    SHIFT_OUT_OF_RANGE,
    SHORT_CONDITION,
    SHORT_SEQUENCE,
    SIGN_OF_DIVISOR,
    SIGN_OF_ZERO_OPEN,
    SIGNED_INTEGERS,
    SIGNED_ZERO,
    SINGLE_ELEMENT_AXIS,
    SINGLE_ELEMENT_WINDOW,
    SINGLE_ROW_OF_STRINGS,
    SIZE_FITS_THETA,
    SIZE_ONE_BROADCAST,
    SIZE_POSITIVE,
    SKIPS,
    SLOPE_BROADCASTS,
    SLOPE_FITS_INPUT,
    SOFTCAP_AND_MASK_ORDER,
    SOFTMAX_PRECISION,
    SOFTMAX_PRECISION_ALLOWED,
    SORT_ORDER,
    SORTED_KNOWN,
    SPARSE_FLOAT8E8M0,
    SPARSE_VALUE,
    SPARSE_VALUE_VALID,
    SPATIAL_STATISTICS,
    SPLIT_OR_NUM_OUTPUTS,
    SPLIT_RANK_FITS,
    START_AFTER_END,
    START_BEFORE_BEGINNING,
    STASH_PRECISION,
    STASH_TYPE,
    STASH_TYPE_ALLOWED,
    STEPS_NON_ZERO,
    STOPWORDS_CASE,
    STORAGE_ORDER,
    STREAM_RANK_ONE,
    STRING_EQUALITY,
    STRING_TO_NUMBER,
    SUMMATION_ORDER,
    TENSOR_TYPES_FIT,
    TENSORS_MATCH_OPTIMIZED,
    TERMS_FIT_RANKS,
    THETA_SHAPE_FITS,
    THRESHOLD_PRECISION,
    THRESHOLDED_RELU_TIE,
    TIES,
    TILES_AND_AXIS_VALID,
    TO_TYPE_ALLOWED,
    TRAILING_WHITESPACE,
    TRAINING_MODE,
    TRAINING_MODE_IS_SCALAR,
    TRANSFORMATION_MODE_KNOWN,
    TWO_WAY_BROADCAST,
    TYPE_ALLOWED,
    TYPE_BESIDE_INPUT,
    TYPE_GIVEN_WITHOUT_INPUT,
    TYPES_WITHOUT_INFINITY,
    UNCONVERTIBLE_INDEX,
    UNCOVERED_ELEMENTS,
    UNDERFLOW,
    UNEVEN_HALVES,
    UNEVEN_PARTS,
    UNKNOWN_VALUE,
    UNNAMED_MODE,
    UNRELATED_TENSOR,
    UNROTATED_ELEMENTS,
    UNSORTED_ORDER,
    UNUSED_ROUND_MODE,
    UNWEIGHTED_MEAN,
    UPDATE_FITS_CACHE,
    UPDATE_RULE_KNOWN,
    UPDATES_SHAPE_FITS,
    UPPER_CASE_LETTERS,
    VALUE_HAS_ONE_ELEMENT,
    VALUE_RANK,
    VALUE_TYPE_ALLOWED,
    VALUE_TYPE_FITS,
    VALUES_ARE_PAIR,
    VALUES_GIVEN,
    VALUES_IN_TYPE_RANGE,
    VARIANCE_CANCELLATION,
    VOCABULARY_TYPE_FITS,
    VOTE_LISTS_EQUAL_LENGTH,
    VOTES_IN_RANGE,
    W_QUANTIZATION_PER_CHANNEL,
    WEIGHT_SHAPE_FITS,
    WEIGHTS_FIT_POOL,
    WHITESPACE_CHARACTERS,
    WIDE_REFLECTION,
    WIDE_WRAPPING,
    WINDOW_ATTRIBUTES_VALID,
    WINDOW_FITS_AXIS,
    WINDOW_FITS_FRAME,
    WINDOW_JUST_TOO_LONG,
    WINDOW_LENGTH_OPEN,
    WRITE_INDICES_IN_RANGE,
    WRITE_INDICES_PER_BATCH,
    XS_DETERMINE_Y,
    Y_QUANTIZATION_PER_TENSOR,
    ZERO_ALPHA,
    ZERO_COPIES_EXTENT,
    ZERO_DELTA,
    ZERO_DIVIDEND,
    ZERO_EXTENT,
    ZERO_NORM,
    ZERO_OF_STRINGS,
    ZERO_POINT_MATCHES_SCALE,
    ZERO_POINT_PADDING,
    ZERO_RANGE,
    ZERO_REPEATS,
    ZERO_VARIANCE,
];

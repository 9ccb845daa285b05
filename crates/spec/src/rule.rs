//! The names of the rules of all operators, each with what it says.
//!
//! Written by `cargo xtask generate`; not edited by hand.

use crate::label::Label;

/// A constraint:
///
/// - MatMulInteger: `a_zero_point` is one number, or a list of one a row of the only matrix, or has the shape of `A`
///   with 1 for the last extent.
pub const A_ZERO_POINT_FITS: Label = Label::constraint("a-zero-point-fits");

/// A behaviour:
///
/// - TfIdfVectorizer: A coordinate that no n-gram has is 0, and so is everything where the row is shorter than the
///   n-grams.
pub const ABSENT_N_GRAMS: Label = Label::behaviour("absent-n-grams");

/// A behaviour:
///
/// - ConvInteger: Sums beyond 32 bits may overflow; how is not said.
/// - MatMulInteger: Products never overflow; a sum may, beyond 32 bits. What it becomes is not said.
/// - QLinearConv: Sums beyond 32 bits: no width is given.
/// - QLinearMatMul: Products never overflow; a sum of integers may, beyond 32 bits. What it becomes is not said.
pub const ACCUMULATOR_OVERFLOW: Label = Label::behaviour("accumulator-overflow");

/// A behaviour:
///
/// - GRU, LSTM, RNN: `activation_alpha` and `activation_beta` are consumed in the order of the functions: by those
///   that take one, which is preferred, or, where there are as many as functions, by each.
pub const ACTIVATION_CONSTANTS: Label = Label::behaviour("activation-constants");

/// A constraint:
///
/// - CausalConvWithState: `activation` is none, silu or swish.
pub const ACTIVATION_KNOWN: Label = Label::constraint("activation-known");

/// A constraint:
///
/// - GRU, LSTM, RNN: `activations` names functions of the list, as many as the equations have for each direction.
pub const ACTIVATIONS_KNOWN: Label = Label::constraint("activations-known");

/// A behaviour:
///
/// - StringNormalizer: Where every string is dropped, one empty string is left.
pub const ALL_STRINGS_DROPPED: Label = Label::behaviour("all-strings-dropped");

/// A constraint:
///
/// - Reshape: With `allowzero`, `shape` does not hold both 0 and -1.
pub const ALLOWZERO_WITHOUT_INFERENCE: Label = Label::constraint("allowzero-without-inference");

/// A behaviour:
///
/// - ImageDecoder: What becomes of transparency, and of more than 8 bits a channel, or of fewer in JPEG2000.
pub const ALPHA_AND_BIT_DEPTH: Label = Label::behaviour("alpha-and-bit-depth");

/// A constraint:
///
/// - Gelu: `approximate` is "none" or "tanh".
pub const APPROXIMATE_KNOWN: Label = Label::constraint("approximate-known");

/// A constraint:
///
/// - Attention: `attn_mask` broadcasts to (batch, heads of `Q`, length of `Q`, length of keys with the past), and is
///   of bool or of the type of `Q`.
/// - Attention: `attn_mask` broadcasts to (batch, heads of `Q`, length of `Q`, length of keys with the past), where
///   its last extent may be shorter, but no shorter than the largest of `nonpad_kv_seqlen`; it is of bool or of the
///   type of `Q`.
pub const ATTN_MASK_BROADCASTS: Label = Label::constraint("attn-mask-broadcasts");

/// A constraint:
///
/// - Attention: `qk_matmul_output_mode` is 0 to 3, `softmax_precision` a floating-point type, and windows (from 25
///   on) are no less than -1.
/// - CastMap: `cast_to` is TO_FLOAT, TO_STRING or TO_INT64, `map_form` DENSE or SPARSE.
/// - TreeEnsemble: `aggregate_function` is 0 to 3, `post_transform` 0 to 4.
/// - TreeEnsembleClassifier: `post_transform` is of its list.
/// - TreeEnsembleRegressor: `post_transform` and `aggregate_function` are of their lists.
pub const ATTRIBUTE_VALUES_KNOWN: Label = Label::constraint("attribute-values-known");

/// A constraint:
///
/// - AveragePool, Conv, ConvInteger, ConvTranspose, LpPool, MaxPool, QLinearConv: `auto_pad` is NOTSET, SAME_UPPER,
///   SAME_LOWER or VALID.
pub const AUTO_PAD_KNOWN: Label = Label::constraint("auto-pad-known");

/// A behaviour:
///
/// - AveragePool: Without `ceil_mode` the formulas for VALID and SAME round down what all other versions round up.
///   The description of `auto_pad` and shape inference do not, nor does the oracle.
pub const AUTO_PAD_ROUNDING: Label = Label::behaviour("auto-pad-rounding");

/// A behaviour:
///
/// - TreeEnsemble, TreeEnsembleRegressor: What an average is over where a target has not one vote a tree: the trees,
///   which is preferred, or its votes.
pub const AVERAGE_DIVISOR: Label = Label::behaviour("average-divisor");

/// A constraint:
///
/// - ReverseSequence: `batch_axis` and `time_axis` are 0 and 1, in either order.
pub const AXES_ARE_FIRST_TWO: Label = Label::constraint("axes-are-first-two");

/// A constraint:
///
/// - CenterCropPad, Pad, Resize, Slice: Axes lie in [-rank, rank - 1].
/// - MeanVarianceNormalization: Each axis names a dimension of `X`: it lies in [-r, r-1], where r is its rank. The
///   default axes want a rank of 4.
/// - ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum,
///   ReduceSumSquare: Each axis names a dimension of `data`: it lies in [-r, r-1], where r is its rank (below version
///   11, which first counts from the back, in [0, r-1]). A tensor of rank 0 has no axis to name.
/// - Scan: An axis names a dimension of its tensor, from Scan-11 on counted from the back where it is negative;
///   before it is not negative.
/// - Slice: Axes are axes of the data. Negative ones are not described.
/// - Squeeze: Axes are at least 0 and below the rank.
/// - Squeeze: Axes lie in [-rank, rank - 1]; a negative one counts from the back.
/// - Unsqueeze: Axes are at least 0 and below the rank of the output, which is that of the data plus the number of
///   axes.
/// - Unsqueeze: Axes lie in [-r, r - 1] for the rank r of the output, which is that of the data plus the number of
///   axes.
pub const AXES_IN_RANGE: Label = Label::constraint("axes-in-range");

/// A behaviour:
///
/// - Unsqueeze: Axes come in any order.
/// - Unsqueeze: Axes are those of the output, hence their order does not matter.
pub const AXES_ORDER: Label = Label::behaviour("axes-order");

/// A constraint:
///
/// - Unsqueeze: No axis is given twice, in either way of writing it.
/// - Unsqueeze: No axis is given twice.
pub const AXES_UNIQUE: Label = Label::constraint("axes-unique");

/// A constraint:
///
/// - ArgMax, ArgMin: `axis` names a dimension of `data`. Negative ones are not described. A tensor of rank 0 has
///   none, not even the default 0.
/// - ArgMax, ArgMin: `axis` names a dimension of `data`: it lies in [-r, r-1], where r is its rank. A tensor of rank 0
///   has none, not even the default 0.
/// - Compress: `axis` is an axis of the input. Negative ones are not described.
/// - Compress, Concat, Gather, GatherElements, Scatter, ScatterElements, Split: `axis` lies in [-rank, rank - 1].
/// - Concat: `axis` is an axis of the inputs. Negative ones are not described (`negative-axis`).
/// - ConcatFromSequence: `axis` names a dimension of the result: with `new_axis` one more than the tensors have,
///   counted from the back where it is negative.
/// - CumProd, CumSum: `axis` names a dimension of `x`: it lies in [-r, r-1], where r is its rank.
/// - DFT: The axis lies in [-r, r - 1], where r is the rank, and is not the last one.
/// - DequantizeLinear, QuantizeLinear: `axis` names a dimension of `x` where it counts: where there is more than one
///   scale, and `x` is no list (from 19 on).
/// - Flatten: `axis` lies in [0, rank].
/// - Flatten: `axis` lies in [-rank, rank]; a negative one counts from the back.
/// - Hardmax, LogSoftmax, Softmax: `axis` cuts the dimensions in two parts: it lies in [0, r], where r is the rank of
///   `input`. With r nothing is behind it, and each row has one element. Negative axes are not mentioned, but a
///   published case has one (-1, counted from the back).
/// - Hardmax, LogSoftmax, Softmax: `axis` names a dimension of `input`: it lies in [-r, r-1], where r is its rank,
///   which is at least 1. In version 11 the default 1 needs a rank of 2.
/// - LayerNormalization, RMSNormalization, TopK: `axis` names a dimension of `X`: it lies in [-r, r-1], where r is
///   its rank.
/// - LpNormalization: `axis` names a dimension of `input`: it lies in [-r, r-1], where r is its rank.
/// - OneHot: `axis` is an axis of the output. Negative ones but -1 are not described.
/// - OneHot: `axis` lies in [-r - 1, r] for the rank r of the indices.
/// - Split: `axis` is an axis of the data. Negative ones are not described.
/// - SplitToSequence: `axis` names a dimension of the input: it lies in [-r, r-1].
/// - TensorScatter: `axis` names a dimension, and not the first one.
/// - Unique: `axis`, where given, names a dimension of `X`: it lies in [-r, r-1], where r is its rank.
pub const AXIS_IN_RANGE: Label = Label::constraint("axis-in-range");

/// A constraint:
///
/// - CumProd, CumSum: `axis` has one element.
pub const AXIS_IS_SCALAR: Label = Label::constraint("axis-is-scalar");

/// A constraint:
///
/// - MatMulInteger: `b_zero_point` is one number, or a list of one a column of the only matrix, or has the shape of
///   `B` with 1 for the last extent but one.
pub const B_ZERO_POINT_FITS: Label = Label::constraint("b-zero-point-fits");

/// A behaviour:
///
/// - Scan: Whether a shorter sequence that is scanned from the back starts at its own end or at that of the longest
///   is not said. No case asks.
pub const BACKWARD_SHORT_SEQUENCE: Label = Label::behaviour("backward-short-sequence");

/// A behaviour:
///
/// - GRU, LSTM, RNN: Backward steps go from the last element of a sequence, by its length, to the first; `Y` has the
///   state of a step at the place of its element.
pub const BACKWARD_STEPS: Label = Label::behaviour("backward-steps");

/// A behaviour:
///
/// - TreeEnsembleClassifier: Base values are added to the sum of the votes, before the transform.
/// - TreeEnsembleRegressor: Base values are added after votes are aggregated, before the transform.
pub const BASE_VALUE_ORDER: Label = Label::behaviour("base-value-order");

/// A constraint:
///
/// - TreeEnsembleClassifier: There are as many base values as classes, where there are any.
/// - TreeEnsembleRegressor: There are as many base values as targets, where there are any.
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
/// - MaxRoiPool: The first number of a region is a batch of `X`.
/// - RoiAlign: Each of `batch_indices` is a batch of `X`.
pub const BATCH_INDICES_IN_RANGE: Label = Label::constraint("batch-indices-in-range");

/// A constraint:
///
/// - MatMul, MatMulInteger, QLinearMatMul: The dimensions before the last two broadcast.
pub const BATCH_SHAPES_BROADCAST: Label = Label::constraint("batch-shapes-broadcast");

/// A constraint:
///
/// - LinearAttention: The delta rules have a `beta`, of one element a token, or one a token and head.
pub const BETA_FITS: Label = Label::constraint("beta-fits");

/// A behaviour:
///
/// - AveragePool: With `count_include_pad`, whether elements behind the padding count, onto which windows reach that
///   rounding up adds. The published cases do not count them, nor does PyTorch, to which the text of version 19
///   links.
pub const BEYOND_PADDING: Label = Label::behaviour("beyond-padding");

/// A behaviour:
///
/// - GRU, LSTM, RNN: What `Y` holds beyond the length of a sequence is not said; zero is preferred. Others hold the
///   state of the end (or, backward, of the beginning), or go on with the steps.
/// - Scan: What follows the elements of a shorter sequence, up to the longest, is undefined. 0 is preferred.
pub const BEYOND_SEQUENCE_LENGTH: Label = Label::behaviour("beyond-sequence-length");

/// A behaviour:
///
/// - Clip: The function body of version 13 (Less, Where) is one of opset 13, whose Where does not take bfloat16,
///   while Clip-13 does. Only the operator itself can be meant.
pub const BFLOAT16_BODY: Label = Label::behaviour("bfloat16-body");

/// A constraint:
///
/// - GRU, RNN: `B` and `initial_h` have the shapes that follow from those of `X` and `R`.
/// - LSTM: `B`, `P`, `initial_h` and `initial_c` have the shapes that follow from those of `X` and `R`.
pub const BIAS_AND_STATE_FIT: Label = Label::constraint("bias-and-state-fit");

/// A constraint:
///
/// - CausalConvWithState: `bias` is 1-D and has one element for each channel.
/// - Conv, ConvTranspose, DeformConv, QLinearConv: The bias is 1-D and has one element for each output channel.
pub const BIAS_FITS_CHANNELS: Label = Label::constraint("bias-fits-channels");

/// A behaviour:
///
/// - MelWeightMatrix: The description gives the mel scale, and that triangles in the matrix have the height 1, so
///   that their peaks lie on bins of the spectrum. On which it does not say. Preferred is what the published case
///   has: as many corners as bands and two, evenly spaced on the scale over a distance that has room for one more,
///   each rounded down to a bin of (dft_length + 1) / sample_rate. Corners may also reach the upper edge, be rounded
///   to the nearest bin, be counted in bins of dft_length / sample_rate, or be moved by roundings. An answer follows
///   one of these in all elements.
pub const BIN_POSITIONS: Label = Label::behaviour("bin-positions");

/// A behaviour:
///
/// - SVMClassifier: Which of two classes a decision above zero is for: implementations differ by the signs of the
///   coefficients.
pub const BINARY_DECISION: Label = Label::behaviour("binary-decision");

/// A behaviour:
///
/// - LinearClassifier: With one row of coefficients for two classes, what the score of the other class is: 1 less the
///   score, or its negative, before the transform, or after, or without one; and from which score on the second class
///   has the label.
/// - TreeEnsembleClassifier: With two labels and votes for one of them (or with one label), implementations take the
///   votes for the score of a binary classifier, of the second class, and make up that of the other class: 1 less it,
///   or its negative, before the transform, or after, or without one; the threshold is a half or zero. No description
///   mentions it.
pub const BINARY_SCORES: Label = Label::behaviour("binary-scores");

/// A constraint:
///
/// - BitCast: The type that `to` names has as many bits as that of `input`.
pub const BIT_WIDTHS_EQUAL: Label = Label::constraint("bit-widths-equal");

/// A constraint:
///
/// - DequantizeLinear: Of blocks of `block_size`, which is positive, it takes as many as `x_scale` has along `axis`
///   to cover the extent of `x`.
/// - QuantizeLinear: Of blocks of `block_size`, which is positive, it takes as many as `y_scale` has along `axis` to
///   cover the extent of `x`.
pub const BLOCKS_COVER_AXIS: Label = Label::constraint("blocks-cover-axis");

/// A constraint:
///
/// - Col2Im: The second extent of `input` is a multiple of the elements of a block, its third is the number of blocks
///   that fit the padded image.
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
/// - Loop: The body takes the number of the iteration, the condition and N values, and gives a condition of one
///   element, N values and K to gather; the node has N values to start with and no more than N + K outputs.
/// - Scan: The body takes N states and M elements and gives N states and K elements; the node has N + M inputs and N +
///   K outputs.
/// - SequenceMap: The body has as many inputs and outputs as the node.
pub const BODY_FITS_NODE: Label = Label::constraint("body-fits-node");

/// A behaviour:
///
/// - ReduceL2: The function body takes the root of the sum cast to float even where the elements are float64,
///   although it names the result after double. The description speaks of the norm alone. The norm in float64 is
///   preferred, the one by way of float left open.
pub const BODY_PRECISION: Label = Label::behaviour("body-precision");

/// A behaviour:
///
/// - BitCast: A bool that comes from bits other than those of 0 and 1 is not mentioned. Any that is not zero counts
///   as true.
pub const BOOL_BITS: Label = Label::behaviour("bool-bits");

/// A behaviour:
///
/// - Cast, CastLike: Zero of either sign becomes false, everything else true, NaN included. True becomes 1 and false 0.
/// - Cast: Cast-9 says that 36 may become true and gives a reason by which it would become false. The rule of 13 is
///   preferred, and for 0 and 1 the only one; so it is in Cast-9 for floats of 1 and more, as the function body of
///   Range-11 casts its number of elements to bool and means that there are some.
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
/// - If: Both graphs have the same number of outputs, those of the node.
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
/// - TreeEnsemble: Roots and branches lead to nodes, or leaves, that are there; each node is reached in one way.
/// - TreeEnsembleClassifier: Within a tree each node id is there once; branches lead to nodes of their tree, each of
///   which is reached in one way; votes are those of leaves.
/// - TreeEnsembleRegressor: Branches lead to nodes of their tree, each of which is reached in one way; votes are
///   those of leaves.
pub const BRANCHES_FORM_TREES: Label = Label::constraint("branches-form-trees");

/// A constraint:
///
/// - Gemm: `C` has the shape of the product, or broadcasts to it where `broadcast` is not 0.
/// - Gemm: `C`, where given, broadcasts to the shape of the product in one direction.
pub const C_BROADCASTS: Label = Label::constraint("c-broadcasts");

/// A constraint:
///
/// - RotaryEmbedding: Both caches have the same shape, whose last extent is half of what is turned: two dimensions
///   with `position_ids`; batch, sequence and these without.
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
/// - OneHotEncoder: It is `cats_strings` where `X` holds strings, `cats_int64s` elsewhere.
pub const CATEGORY_TYPE_FITS: Label = Label::constraint("category-type-fits");

/// A behaviour:
///
/// - AveragePool, LpPool, MaxPool: With `ceil_mode`, whether a window that starts behind the last element is kept. By
///   the formula of the text and shape inference it is, which is preferred; onnx's reference evaluator and published
///   cases of release 1.16 leave it out, and versions from 22 on say so. With VALID, text and shape inference differ
///   on the window that rounding up adds, so that the oracle does not answer.
/// - AveragePool, MaxPool: With `ceil_mode`, a window that would start behind the last element is left out; the
///   oracle does not answer where there are several. With VALID, text and shape inference differ on the window that
///   rounding up adds; it does not answer that either.
/// - LpPool: With `ceil_mode`, a window that would start behind the last element is left out by shape inference, as
///   in the other poolings of that version, of which this one lacks the sentence; so the oracle does. It does not
///   answer where there are several, nor where VALID and `ceil_mode` add one, on which text and shape inference
///   differ.
pub const CEIL_MODE: Label = Label::behaviour("ceil-mode");

/// A behaviour:
///
/// - LRN: Channels beyond the edge are left out; `size` stays the divisor.
pub const CHANNELS_BEYOND_EDGE: Label = Label::behaviour("channels-beyond-edge");

/// A constraint:
///
/// - Conv, ConvTranspose, DeformConv: The kernel `W` has the rank of `X`; `group` is positive and divides its
///   channels and those of `X`; a group has as many input channels as the kernel.
/// - ConvInteger, QLinearConv: The kernel `w` has the rank of `x`; `group` is positive and divides its channels and
///   those of `x`; a group has as many input channels as the kernel.
pub const CHANNELS_FIT_GROUPS: Label = Label::constraint("channels-fit-groups");

/// A constraint:
///
/// - NegativeLogLikelihoodLoss: `weight` is a list of one element a class.
/// - SoftmaxCrossEntropyLoss: `weights` is a list of one element a class.
pub const CLASS_WEIGHTS_FIT: Label = Label::constraint("class-weights-fit");

/// A behaviour:
///
/// - GRU, RNN: `clip` bounds what goes into each activation.
/// - LSTM: `clip` bounds what goes into each activation, the cell state in h among it; implementations bound the
///   gates only, whose inputs the equations sum up. The former is preferred.
pub const CLIP: Label = Label::behaviour("clip");

/// A behaviour:
///
/// - ImageDecoder: How the four inks of a JPEG, TIFF or JPEG2000 become red, green and blue: no conversion is named,
///   nor whether Adobe's inverted values are turned around. The shape holds; of JPEG2000 the oracle does not answer
///   it.
pub const CMYK: Label = Label::behaviour("cmyk");

/// A behaviour:
///
/// - Gelu: With approximate = "tanh" the text has the numbers 2 / pi and 0.044715, the function body both as float32
///   constants. For double elements the results differ from the ninth digit on.
/// - HardSwish: alpha is 1/6 by the text. The function body hands it to HardSigmoid as an attribute, a float32, which
///   for double elements is another number from the ninth digit on.
pub const COEFFICIENT_PRECISION: Label = Label::behaviour("coefficient-precision");

/// A constraint:
///
/// - LinearClassifier: There are as many coefficients as classes times features; of two classes there may be one row.
/// - LinearRegressor: There are as many coefficients as targets times features, and there is a target.
pub const COEFFICIENTS_FIT: Label = Label::constraint("coefficients-fit");

/// A constraint:
///
/// - If: `cond` has one element; its rank does not matter.
pub const COND_HAS_ONE_ELEMENT: Label = Label::constraint("cond-has-one-element");

/// A constraint:
///
/// - Compress: `condition` is true nowhere beyond the extent that it selects from, along the axis or of the flat
///   input.
pub const CONDITION_FITS_EXTENT: Label = Label::constraint("condition-fits-extent");

/// A constraint:
///
/// - Compress: `condition` has rank 1.
pub const CONDITION_RANK_ONE: Label = Label::constraint("condition-rank-one");

/// A constraint:
///
/// - Pad: `constant_value` is one value.
pub const CONSTANT_VALUE_IS_SCALAR: Label = Label::constraint("constant-value-is-scalar");

/// A behaviour:
///
/// - CastMap: How values are converted: by the rules of Cast, which is preferred. What Cast leaves open (fractions,
///   numbers out of range, digits of strings) is open here.
/// - FeatureVectorizer: Elements of other types are rounded to float; what is beyond float becomes infinity.
/// - OneHotEncoder: Floats are cast to integers, which drops their fractions. What becomes of NaN, infinities and
///   numbers beyond int64 is not said.
pub const CONVERSION: Label = Label::behaviour("conversion");

/// A behaviour:
///
/// - AffineGrid: Coordinates are listed from the innermost axis outwards: x, y, z.
pub const COORDINATE_ORDER: Label = Label::behaviour("coordinate-order");

/// A behaviour:
///
/// - RoiAlign: Version 10 does not shift coordinates, as output_half_pixel does later.
pub const COORDINATE_SHIFT: Label = Label::behaviour("coordinate-shift");

/// A constraint:
///
/// - Reshape: A 0 that copies an extent stands at a place that the data has: below its rank.
pub const COPIED_EXTENT_EXISTS: Label = Label::constraint("copied-extent-exists");

/// A behaviour:
///
/// - AveragePool: Padding does not count.
/// - AveragePool: Padding counts as zeros where `count_include_pad` is 1, and does not count otherwise.
pub const COUNT_INCLUDE_PAD: Label = Label::behaviour("count-include-pad");

/// A behaviour:
///
/// - GridSample: The coefficient of cubic interpolation is -0.75.
pub const CUBIC_COEFFICIENT: Label = Label::behaviour("cubic-coefficient");

/// A constraint:
///
/// - ArgMax, ArgMin: `data` has elements.
pub const DATA_NOT_EMPTY: Label = Label::constraint("data-not-empty");

/// A constraint:
///
/// - LinearAttention: The gated rules have a `decay`, of one element a token and head, or one a token and element of
///   a key.
pub const DECAY_FITS: Label = Label::constraint("decay-fits");

/// A behaviour:
///
/// - SVMClassifier: No sentence gives the formula. The attributes are the fields of a model of LIBSVM, whose decision
///   function it is: of a pair of classes the sum of kernels with their vectors times the coefficients of each
///   against the other, to which `rho` is added; above zero the first class wins. Without vectors a class has the dot
///   product with its coefficients and `rho`, and the highest score wins.
/// - SVMRegressor: No sentence gives the formula. The attributes are the fields of a model of LIBSVM, whose decision
///   function it is: the sum of the coefficients times kernels, to which `rho` is added (LIBSVM subtracts it).
///   Kernels: u.v, (gamma u.v + coef0)^degree, exp(-gamma |u - v|^2), tanh(gamma u.v + coef0). The answer is of shape
///   [N, 1].
pub const DECISION_FUNCTION: Label = Label::behaviour("decision-function");

/// A behaviour:
///
/// - SVMClassifier: The second output is said to have one score a class, where a machine of support vectors has one
///   decision a pair of classes: implementations give the number of decisions that a class wins, or the decisions, of
///   either sign, and make up that of the second class of two: its negative, or 1 less it. With `prob_a` and `prob_b`
///   they are probabilities, by an iteration that no sentence describes, and the label is that of the highest; PROBIT
///   makes any number of them, of which no case is drawn. Of more than three classes, where the shapes differ too,
///   none is either.
pub const DECISION_SCORES: Label = Label::behaviour("decision-scores");

/// A behaviour:
///
/// - Slice: Without `axes`, bounds are those of the first axes.
/// - Slice: Without `axes`, bounds are those of all axes. Whether there may be fewer bounds than axes is open: the
///   descriptions say all axes, shape inference takes as many of the first ones as there are bounds, and so does the
///   oracle.
pub const DEFAULT_AXES: Label = Label::behaviour("default-axes");

/// A behaviour:
///
/// - Compress: Without `axis` elements are selected in row-major order, and the output has rank 1.
/// - Concat: `axis` is 1 where it is left out. The schema holds no default; the sentence does.
/// - Split: Which axis it is where `axis` is left out. Split-2 says 0.
pub const DEFAULT_AXIS: Label = Label::behaviour("default-axis");

/// A behaviour:
///
/// - Clip: The default of both attributes is the largest (smallest) float32, the text says that of the type. For
///   double elements the attribute clips finite numbers, for float16 it clips nothing, not even infinities.
pub const DEFAULT_BOUND: Label = Label::behaviour("default-bound");

/// A behaviour:
///
/// - GRU, LSTM, RNN: Affine and ScaledTanh are operators no more, so that their constants have no default: 1 is taken
///   for alpha, 0 for the beta of Affine, 1 for that of ScaledTanh. Cases give them.
pub const DEFAULT_CONSTANTS: Label = Label::behaviour("default-constants");

/// A behaviour:
///
/// - EyeLike: Without `dtype` the output has the input's type.
pub const DEFAULT_DTYPE: Label = Label::behaviour("default-dtype");

/// A behaviour:
///
/// - LpPool: What leaving out `kernel_shape` means. One window over everything is preferred.
pub const DEFAULT_KERNEL_SHAPE: Label = Label::behaviour("default-kernel-shape");

/// A behaviour:
///
/// - NonMaxSuppression: Without `max_output_boxes_per_class`, or with 0, nothing is selected. A negative number is
///   taken like 0.
pub const DEFAULT_MAX_BOXES: Label = Label::behaviour("default-max-boxes");

/// A behaviour:
///
/// - CausalConvWithState: Without `past_state` zeros come before the input, which are multiplied as the function body
///   does.
pub const DEFAULT_PAST_STATE: Label = Label::behaviour("default-past-state");

/// A behaviour:
///
/// - Transpose: Without `perm` the order of all axes is reversed.
pub const DEFAULT_PERM: Label = Label::behaviour("default-perm");

/// A constraint:
///
/// - LabelEncoder: `default_tensor` is of shape [1] and has the element type of the values.
pub const DEFAULT_TENSOR_FITS: Label = Label::constraint("default-tensor-fits");

/// A behaviour:
///
/// - ConstantOfShape: Without `value` the output is float zeros.
pub const DEFAULT_VALUE: Label = Label::behaviour("default-value");

/// A behaviour:
///
/// - NonMaxSuppression: Boxes and scores that are not finite, and overlaps of boxes without an area. The oracle does
///   not answer them.
pub const DEGENERATE_BOXES: Label = Label::behaviour("degenerate-boxes");

/// A behaviour:
///
/// - Multinomial: A log-probability that is not finite, a row without classes and a sample of none: nothing says what
///   they mean. The oracle gives no answer, and no case has them.
/// - RandomNormal, RandomNormalLike: NaN and infinities describe no distribution, nor does a negative `scale`. The
///   oracle gives no answer, and no case has them.
/// - RandomUniform, RandomUniformLike: NaN and infinities describe no distribution, nor does `low` above `high`. The
///   oracle gives no answer, and no case has them.
pub const DEGENERATE_DISTRIBUTION: Label = Label::behaviour("degenerate-distribution");

/// A behaviour:
///
/// - RoiAlign: Of regions that are not positive, or without a shift less than one element long, nothing is said. Most
///   implementations make the latter one element long, which is preferred; with a shift, what their length gives.
///   Without any sample the average is 0 or NaN.
pub const DEGENERATE_REGIONS: Label = Label::behaviour("degenerate-regions");

/// A behaviour:
///
/// - QLinearConv: What scales mean that are zero, negative, infinite or NaN.
pub const DEGENERATE_SCALE: Label = Label::behaviour("degenerate-scale");

/// A behaviour:
///
/// - DepthToSpace: The order of the depth is not written down before 11, whose default is DCR; published cases of 1
///   are in that order, and nothing else is accepted.
/// - DepthToSpace, SpaceToDepth: DCR: block row, block column, depth; CRD: depth, block row, block column.
/// - SpaceToDepth: The order of the depth is not written down before 28, whose default is DCR; DepthToSpace calls
///   itself the reverse, and published cases are in that order. Nothing else is accepted.
pub const DEPTH_ORDER: Label = Label::behaviour("depth-order");

/// A constraint:
///
/// - OneHot: `depth` is one number, of rank 0 or 1, and not negative.
pub const DEPTH_VALID: Label = Label::constraint("depth-valid");

/// A behaviour:
///
/// - DFT: Samples beyond `dft_length` do not count, missing ones are zero.
pub const DFT_LENGTH: Label = Label::behaviour("dft-length");

/// A constraint:
///
/// - DFT: `dft_length` is one positive number, and so is its default.
pub const DFT_LENGTH_POSITIVE: Label = Label::constraint("dft-length-positive");

/// A behaviour:
///
/// - EyeLike: A diagonal that lies outside of the matrix leaves zeros only.
/// - Trilu: A `k` outside of the matrix keeps all of it or nothing.
pub const DIAGONAL_OUTSIDE: Label = Label::behaviour("diagonal-outside");

/// A behaviour:
///
/// - Gradient: Which operators have a derivative, and what it is where a function is not smooth, is not said. The
///   oracle knows sums, products, quotients, a few functions and products of matrices.
pub const DIFFERENTIABLE_OPERATORS: Label = Label::behaviour("differentiable-operators");

/// A constraint:
///
/// - BitShift: `direction` is LEFT or RIGHT, in capitals.
/// - GRU: `direction` is `forward`, `reverse` or `bidirectional`. (Version 1 of GRU has a default of `foward`, which
///   means the first.)
/// - LSTM, RNN: `direction` is `forward`, `reverse` or `bidirectional`.
pub const DIRECTION_KNOWN: Label = Label::constraint("direction-known");

/// A constraint:
///
/// - Scan: Directions are 0 or 1.
pub const DIRECTIONS_KNOWN: Label = Label::constraint("directions-known");

/// A behaviour:
///
/// - Div: No version says what an integer divided by zero gives. C++ leaves it undefined; processors trap, which an
///   implementation may turn into a refusal, or give 0 or all bits set, shading languages the dividend, and a
///   conversion of the real quotient an end of the range.
/// - Mod: No version says what the remainder of an integer by zero is. C++ leaves it undefined; processors trap,
///   which an implementation may turn into a refusal, or give 0, the dividend or all bits set, and a conversion of
///   NaN 0 or an end of the range.
/// - Reciprocal: The reciprocal of a zero is not mentioned. IEEE 754 divides 1 by it: an infinity of the sign of the
///   zero.
pub const DIVISION_BY_ZERO: Label = Label::behaviour("division-by-zero");

/// A behaviour:
///
/// - QuantizeLinear: A scale of int32 makes int32 the precision of the division, which would leave nothing to be
///   rounded; the published formula rounds. A quotient that is not whole is left open. float8e8m0 as the scale's type
///   is taken for a float32 division, since it holds no other quotients than powers of two.
pub const DIVISION_PRECISION: Label = Label::behaviour("division-precision");

/// A constraint:
///
/// - Bernoulli, RandomNormalLike, RandomUniformLike: `dtype` is the number of a type that the output may have; where
///   it is left out the input has such a type.
/// - EyeLike: `dtype` is a type that T2 has in this version.
/// - Multinomial: `dtype` is the number of int32 or int64.
/// - RandomNormal, RandomUniform: `dtype` is the number of a type that the output may have.
/// - SequenceEmpty: `dtype` is the number of an element type that sequences of this version have.
pub const DTYPE_ALLOWED: Label = Label::constraint("dtype-allowed");

/// A behaviour:
///
/// - CenterCropPad, Pad, Resize, Slice: An axis that is given twice. The oracle does not answer it.
/// - ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum,
///   ReduceSumSquare: No version says what an axis named twice means. Shape inference takes axes as a set; NumPy, to
///   which the text compares, refuses them. No case is drawn.
/// - Squeeze: An axis that is selected twice. Nothing says whether that is an error; the oracle counts it once.
pub const DUPLICATE_AXES: Label = Label::behaviour("duplicate-axes");

/// A behaviour:
///
/// - MaxUnpool: Which of several elements stays that have one index. The last is preferred.
/// - Scatter, ScatterElements: Which one stays where several updates are for one element.
/// - ScatterElements, ScatterND: Which one stays where several updates are for one element and none are combined.
///   Indices are not supposed to do that.
/// - TfIdfVectorizer: What stands where several n-grams have the same index. No such case is drawn, nor one with the
///   same n-gram twice.
pub const DUPLICATE_INDICES: Label = Label::behaviour("duplicate-indices");

/// A behaviour:
///
/// - CategoryMapper: Which entry counts where a key is there several times with different values.
/// - DictVectorizer: The place of a key that the vocabulary lists twice. No such case is drawn.
/// - LabelEncoder: Which of several values counts where a key, or in version 1 a class, is there several times.
/// - LabelEncoder: Of repeated keys the last one counts.
/// - OneHotEncoder: Where a category is listed several times, the place of the one. No such case is drawn.
/// - ZipMap: Which value a label has that is listed twice. No such case is drawn.
pub const DUPLICATE_KEYS: Label = Label::behaviour("duplicate-keys");

/// A constraint:
///
/// - MelWeightMatrix: `lower_edge_hertz` and `upper_edge_hertz` are one number each, neither of them negative, and
///   the lower one is not above the upper one.
pub const EDGES_IN_ORDER: Label = Label::constraint("edges-in-order");

/// A behaviour:
///
/// - Range: The number of elements where roundings of the difference, the quotient or a conversion to float move the
///   quotient past a whole number. The oracle does not answer it; for integers the quotient is exact.
pub const ELEMENT_COUNT_ROUNDING: Label = Label::behaviour("element-count-rounding");

/// A constraint:
///
/// - Reshape: Both shapes have the same number of elements. Where one extent is -1, the product of the others is not 0
///   and divides the number of elements.
pub const ELEMENT_COUNTS_EQUAL: Label = Label::constraint("element-counts-equal");

/// A constraint:
///
/// - SequenceInsert: The tensor has the element type of the sequence, also of an empty one.
pub const ELEMENT_TYPE_FITS: Label = Label::constraint("element-type-fits");

/// A constraint:
///
/// - OneHotEncoder: With `zeros` = 0 every element is in a category.
pub const ELEMENTS_IN_CATEGORIES: Label = Label::constraint("elements-in-categories");

/// A constraint:
///
/// - Einsum: All ellipses stand for the same number of dimensions, and these broadcast.
pub const ELLIPSES_BROADCAST: Label = Label::constraint("ellipses-broadcast");

/// A behaviour:
///
/// - ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum,
///   ReduceSumSquare: An empty list of axes reduces everything, as leaving the attribute out does.
/// - Squeeze: An empty list of axes, as opposed to none. The description takes all extents of 1 away only where axes
///   are not given, and shape inference from 13 on takes none away for an empty list; the reference implementation of 1
///   and 11, and runtimes, take an empty list for none given. The oracle takes nothing away.
/// - Unsqueeze: An empty list of axes leaves the data as it is.
pub const EMPTY_AXES: Label = Label::behaviour("empty-axes");

/// A behaviour:
///
/// - ArgMax: An axis without elements has no index of the largest one to give, where the output has elements. The
///   oracle gives no answer, and no case has one.
/// - ArgMin: An axis without elements has no index of the smallest one to give, where the output has elements. The
///   oracle gives no answer, and no case has one.
/// - Concat: An input whose extent along the axis is 0 adds nothing.
/// - Pad: In other modes than constant, an axis without elements that is to be lengthened has no element to repeat.
///   NumPy's pad, to which the description refers from version 11 on, refuses it. The oracle gives no answer, and no
///   case has one.
/// - Resize: An axis without elements that is resized to one that has some: an average is one of elements. The oracle
///   gives no answer, and no case has one.
/// - Slice: An extent of 0 stays 0, whatever the bounds and the step.
/// - SplitToSequence: An extent of 0 has no chunks to give, while the output is said to hold one or more tensors. The
///   oracle gives no answer, and no case has one.
pub const EMPTY_AXIS: Label = Label::behaviour("empty-axis");

/// A behaviour:
///
/// - SplitToSequence: The description asks for positive numbers in `split`, that of the input for numbers that are
///   not negative. A listed length of 0 is taken as an empty chunk; no case has one.
pub const EMPTY_CHUNK: Label = Label::behaviour("empty-chunk");

/// A behaviour:
///
/// - GridSample: An image without elements that is sampled: every position is outside of it, and only zeros can be
///   put there. The oracle gives no answer, and no case has one.
/// - Unique: Of an input without elements nothing is unique. Whether several subtensors without elements are equal,
///   and thus one, is not said. No such case is drawn.
pub const EMPTY_INPUT: Label = Label::behaviour("empty-input");

/// A behaviour:
///
/// - Split: Where parts of the rounded-up size use up the extent before the last one, such as 5 in 4 parts, shape
///   inference computes a negative length. The oracle makes the parts empty.
pub const EMPTY_LAST_PARTS: Label = Label::behaviour("empty-last-parts");

/// A behaviour:
///
/// - Det: The determinant of a matrix without elements: by convention 1. Nothing says that it has one.
pub const EMPTY_MATRIX: Label = Label::behaviour("empty-matrix");

/// A behaviour:
///
/// - NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss: Where all labels are ignored, or their weights add up to
///   zero (or to no more than rounding leaves), the mean is that of nothing. NaN is preferred.
pub const EMPTY_MEAN: Label = Label::behaviour("empty-mean");

/// A behaviour:
///
/// - OptionalGetElement: To ask an empty optional is an error, and what happens then is said to be undefined. The
///   oracle gives no answer, and no case asks one.
pub const EMPTY_OPTIONAL: Label = Label::behaviour("empty-optional");

/// A behaviour:
///
/// - GlobalAveragePool: What the average of no elements is: a quotient of zeros, or 0 where nothing is divided.
/// - GlobalLpPool, ReduceL1, ReduceL2: The norm of no elements is 0.
/// - GlobalMaxPool: What the maximum of no elements is.
/// - LayerNormalization: Where nothing is normalized `Mean` and `InvStdDev` are those of no elements: 0 divided by 0,
///   or what a sum of nothing gives.
/// - ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMin, ReduceProd, ReduceSum, ReduceSumSquare:
///   This version lost the sentence on the empty set which the ones before and after have. The value they give is
///   right; a refusal is no failure, as nothing says that there is a value.
/// - ReduceLogSum, ReduceLogSumExp: The logarithm of the sum of no elements is minus infinity; of an integer type it
///   is undefined in so many words, and what conversions make of an infinity is left open.
/// - ReduceMax: The maximum of no elements is minus infinity, or the smallest value of a type without infinities
///   (false of bool).
/// - ReduceMean: The mean of no elements is undefined in so many words: a quotient of zeros, which of integers is
///   what processors make of it, or 0.
/// - ReduceMean: This version lost the sentence on the empty set which the ones before and after have; there the mean
///   is undefined in so many words. A refusal is no failure, as nothing says that there is a value.
/// - ReduceMin: The minimum of no elements is infinity, or the largest value of a type without infinities (true of
///   bool).
/// - ReduceProd: The product of no elements is 1.
/// - ReduceSum: The sum of no elements is 0.
/// - ReduceSumSquare: The sum of no squares is 0.
pub const EMPTY_REDUCTION: Label = Label::behaviour("empty-reduction");

/// A behaviour:
///
/// - ConcatFromSequence: An empty sequence says neither rank nor extents of the result. The oracle gives no answer,
///   and no case has one.
/// - GRU, LSTM, RNN: Of a sequence of no steps there is no last value; the initial one is preferred.
/// - Scan: Whether a sequence among longer ones may have length 0 is not said. The oracle runs no step for it; no
///   case has one.
/// - SequenceMap: Of no element the outputs are empty sequences, of the types that the body declares.
pub const EMPTY_SEQUENCE: Label = Label::behaviour("empty-sequence");

/// A behaviour:
///
/// - ConstantOfShape: An empty `input` makes a scalar, an extent of 0 an output without elements.
/// - Reshape: An empty `shape` makes a scalar of one element. -1 for data without elements becomes 0 where no other
///   extent is 0.
pub const EMPTY_SHAPE: Label = Label::behaviour("empty-shape");

/// A behaviour:
///
/// - RegexFullMatch: An empty string matches a pattern that matches nothing at all, such as the empty one.
/// - StringSplit: An empty string has one substring, empty, where there is a delimiter, as it has no delimiter
///   inside; none where it is split at blanks, as a string of blanks has. A tensor without elements gives a last
///   extent of 0.
pub const EMPTY_STRING: Label = Label::behaviour("empty-string");

/// A behaviour:
///
/// - Conv: A sum of no products is 0, so that what is left is the bias.
/// - Gemm: A sum of no products is 0, so that what is left is `beta` times `C`.
/// - MatMul: A sum of no products is 0.
pub const EMPTY_SUM: Label = Label::behaviour("empty-sum");

/// A behaviour:
///
/// - Identity: A sequence without elements, an optional without a value and a tensor without elements are copied like
///   any other.
pub const EMPTY_VALUES: Label = Label::behaviour("empty-values");

/// A behaviour:
///
/// - AveragePool: What the average of no elements is: of a window that lies on padding only, where padding does not
///   count.
/// - LpPool: The norm of no elements is 0; padding adds nothing to any norm.
/// - MaxPool: What the maximum of no elements is: of a window that lies on padding only; and its index.
/// - MaxRoiPool: The maximum of a part that has no element. It is 0 in most implementations.
pub const EMPTY_WINDOW: Label = Label::behaviour("empty-window");

/// A constraint:
///
/// - Einsum: `equation` is made of one term an input, separated by commas, and where wanted `->` and the output's
///   term. A term consists of letters, spaces and one ellipsis at most.
pub const EQUATION_WELL_FORMED: Label = Label::constraint("equation-well-formed");

/// A behaviour:
///
/// - LRN: The region of an even size has one channel more behind than before.
pub const EVEN_SIZE: Label = Label::behaviour("even-size");

/// A behaviour:
///
/// - Identity: Everything is copied as it is, -0 and subnormal numbers included. Which NaN a NaN becomes is not
///   looked at.
pub const EXACT_COPY: Label = Label::behaviour("exact-copy");

/// A behaviour:
///
/// - CumProd: Exclusive products begin with 1, inclusive ones with the element itself.
/// - CumSum: Exclusive sums begin with 0, inclusive ones with the element itself. Infinities and NaN reach the sums
///   that contain them, and no others.
pub const EXCLUSIVE: Label = Label::behaviour("exclusive");

/// A behaviour:
///
/// - GlobalLpPool, LpPool: What an exponent `p` below 1 gives, which makes no norm. The oracle does not answer it.
pub const EXPONENT_BELOW_ONE: Label = Label::behaviour("exponent-below-one");

/// A behaviour:
///
/// - Resize: Extents where roundings in float decide on the whole number, or on a half with
///   `keep_aspect_ratio_policy`; and with tf_crop_and_resize and scales, whether the region counts for them, as in
///   the formula, or does not, as in shape inference. The oracle does not answer these.
/// - Upsample: Extents are rounded down; where roundings in float decide whether the product is a whole number the
///   oracle does not answer.
pub const EXTENT_ROUNDING: Label = Label::behaviour("extent-rounding");

/// A constraint:
///
/// - CenterCropPad: No extent is negative.
/// - ConstantOfShape: `input` holds no negative number.
/// - RandomNormal, RandomUniform: No extent of `shape` is negative.
/// - Reshape: No extent of `shape` is negative but -1.
pub const EXTENTS_NON_NEGATIVE: Label = Label::constraint("extents-non-negative");

/// A behaviour:
///
/// - GridSample: Positions that are infinite or NaN, or more than a hundred thousand times as far away as the border.
///   Zero is preferred; their neighbours may be any elements of the plane.
pub const FAR_POSITIONS: Label = Label::behaviour("far-positions");

/// A constraint:
///
/// - TreeEnsemble, TreeEnsembleClassifier, TreeEnsembleRegressor: The features compared are columns of `X`.
pub const FEATURES_IN_RANGE: Label = Label::constraint("features-in-range");

/// A behaviour:
///
/// - StringSplit: Strings with fewer substrings than others are filled up with empty ones, which the second output
///   does not count.
pub const FEWER_SUBSTRINGS: Label = Label::behaviour("fewer-substrings");

/// A behaviour:
///
/// - Resize: The weights of a stretched filter are divided by their sum: the result is an average. Where an axis
///   grows, `antialias` changes nothing.
pub const FILTER_NORMALIZATION: Label = Label::behaviour("filter-normalization");

/// A constraint:
///
/// - FeatureVectorizer: All have the same first extent; that of a list is 1.
pub const FIRST_EXTENTS_EQUAL: Label = Label::constraint("first-extents-equal");

/// A behaviour:
///
/// - Cast, CastLike: A float outside of the range of an integer type is undefined (from 13 on in so many words); NaN
///   and infinities are outside of every range. Conversions in use give the lower bits of the integer, or of the end
///   of a wider range, an end of the range, 0, or what processors give for every number that they cannot convert: the
///   smallest integer, or of unsigned types half of the range.
pub const FLOAT_OUT_OF_RANGE: Label = Label::behaviour("float-out-of-range");

/// A behaviour:
///
/// - Cast, CastLike: A number that the type does not hold is rounded to the nearest one, ties to even: IEEE 754's
///   default, which the tables for 8-bit floats name. Where an implementation goes through a wider format first
///   (float64 or a wide integer through float32, a wide integer through float64), it rounds twice and may come to the
///   other neighbour; the ReferenceEvaluator does. Published cases of earlier releases cut bfloat16 off instead of
///   rounding it. Both are left open. Beyond the largest number a conversion gives an infinity, where the type has
///   one.
/// - QuantizeLinear: For a float type the quotient is not rounded to an integer; the sum with the zero point is
///   rounded to the type, once, as Cast does.
pub const FLOAT_ROUNDING: Label = Label::behaviour("float-rounding");

/// A behaviour:
///
/// - Cast, CastLike: 8-bit floats follow the two tables, for `saturate` = 1 and 0. With 1, infinities become the
///   largest number of their sign. What [x] stands for is rounded as if exponents went on: half a step above the
///   largest number is the limit. The signs of NaN are not told apart. Integers and bool are taken as the numbers
///   they are.
/// - Cast, CastLike: 8-bit floats follow the two tables, as from version 24 on, except that with `saturate` = 1
///   infinities become NaN in the types named UZ. The published cases of these versions, in the releases 1.17 and
///   1.18, make the largest number of them in these types as well, as version 24 does. The table is preferred.
/// - QLinearMatMul: 8-bit floats saturate, infinities too.
/// - QuantizeLinear: 8-bit floats follow the tables of Cast for `saturate` = 1 and 0, those of version 24.
/// - QuantizeLinear: 8-bit floats follow the tables of Cast. Those of these versions make NaN of infinities with
///   `saturate` = 1 in the types named UZ, where published cases of Cast make the largest number.
pub const FLOAT8_SATURATION: Label = Label::behaviour("float8-saturation");

/// A behaviour:
///
/// - Cast, CastLike: The table settles zero, infinity and what is out of range for two combinations of attributes, up
///   with and nearest without saturation; the other four are open there, as are -0 and negative values everywhere.
///   Zero, where it saturates, is the smallest number, 2^-127. The ReferenceEvaluator reads the exponent field of
///   float32: it takes subnormal ones for 2^-127 or 2^-126, infinity for NaN, and large or small values without
///   saturation for the nearest end. That is left open where the table differs.
pub const FLOAT8E8M0: Label = Label::behaviour("float8e8m0");

/// A constraint:
///
/// - TreeEnsembleClassifier, TreeEnsembleRegressor: Of a list of floats and the tensor of doubles that may stand in
///   its place one is given.
pub const FLOATS_OR_DOUBLES_GIVEN: Label = Label::constraint("floats-or-doubles-given");

/// A constraint:
///
/// - Mod: `fmod` is 0 or 1.
pub const FMOD_KNOWN: Label = Label::constraint("fmod-known");

/// A constraint:
///
/// - Mod: `fmod` is 1 where the inputs are of a floating-point type.
pub const FMOD_SET_FOR_FLOATS: Label = Label::constraint("fmod-set-for-floats");

/// A behaviour:
///
/// - Ceil: A fraction between -1 and 0 is rounded up to a zero, whose sign is open in every version.
/// - Round: A fraction that is rounded to zero from below may become either zero.
pub const FRACTION_TO_ZERO: Label = Label::behaviour("fraction-to-zero");

/// A behaviour:
///
/// - Resize: A scale that does not make a whole extent. By the text the scale of the formulas is the ratio of the
///   extents, which is not the one given, and lengths are whole. The published cases take the scale that is given (or
///   that keeps the aspect ratio), and fractional lengths. The oracle prefers the scale that is given, which
///   half_pixel_symmetric needs, and with align_corners and tf_crop_and_resize whole lengths; most runtimes do.
pub const FRACTIONAL_EXTENT: Label = Label::behaviour("fractional-extent");

/// A behaviour:
///
/// - OneHot: Indices and depth with a fraction are cut off towards zero.
pub const FRACTIONAL_INDEX: Label = Label::behaviour("fractional-index");

/// A constraint:
///
/// - STFT: A frame has at least one sample and at most as many as the signal.
pub const FRAME_FITS_SIGNAL: Label = Label::constraint("frame-fits-signal");

/// A constraint:
///
/// - STFT: `frame_step` is one positive number.
pub const FRAME_STEP_POSITIVE: Label = Label::constraint("frame-step-positive");

/// A behaviour:
///
/// - Attention: A query that no mask leaves a key: its row is 0 in output and weights. Releases before 1.23 published
///   NaN for versions 23 and 24, which release 1.23 corrects in place.
/// - FlexAttention: A row whose scores are all minus infinity: its weights are NaN by the formula of Softmax;
///   Attention makes them 0.
pub const FULLY_MASKED_ROW: Label = Label::behaviour("fully-masked-row");

/// A behaviour:
///
/// - ImageDecoder: How colours become grey. The weights 0.299, 0.587 and 0.114 are preferred, which JPEG has; within 1
///   of them, within 2 for JPEG and WebP with loss. Others give no value below all components of the colour, or above
///   them.
pub const GRAYSCALE_CONVERSION: Label = Label::behaviour("grayscale-conversion");

/// A constraint:
///
/// - GridSample: `grid` has the batch of `X`, and last an extent of as many as there are spatial axes.
pub const GRID_SHAPE_FITS: Label = Label::constraint("grid-shape-fits");

/// A constraint:
///
/// - GroupNormalization: `num_groups` divides the number of channels.
pub const GROUPS_DIVIDE_CHANNELS: Label = Label::constraint("groups-divide-channels");

/// A constraint:
///
/// - Attention: With rank 3, `q_num_heads` and `kv_num_heads` are given, positive, and divide the last extents.
/// - LinearAttention: `query`, `key` and `value` have rank 3, and last extents made of `q_num_heads`, `kv_num_heads`
///   and again `kv_num_heads` heads; the former is a positive multiple of the latter.
/// - RotaryEmbedding: With rank 3, `num_heads` is given, positive, and divides the last extent.
pub const HEAD_COUNTS_DIVIDE: Label = Label::constraint("head-counts-divide");

/// A behaviour:
///
/// - NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss: A loss whose label is ignored is zero, whatever the element.
pub const IGNORED_LABELS: Label = Label::behaviour("ignored-labels");

/// A constraint:
///
/// - Col2Im: `image_shape` and `block_shape` are 1-D, of the same length, at least 2, and hold positive numbers.
pub const IMAGE_BLOCK_SHAPES_VALID: Label = Label::constraint("image-block-shapes-valid");

/// A behaviour:
///
/// - STFT: Samples behind the last full frame do not count.
pub const INCOMPLETE_FRAME: Label = Label::behaviour("incomplete-frame");

/// A constraint:
///
/// - GatherND: The last extent of the indices is 1 to the rank of the data.
/// - GatherND: The last extent of the indices is 1 to the rank of the data without batches.
/// - ScatterND: The last extent of the indices is no larger than the rank of the data.
pub const INDEX_LENGTH_FITS_RANK: Label = Label::constraint("index-length-fits-rank");

/// A behaviour:
///
/// - OneHot: All values are off for an index outside.
pub const INDEX_OUT_OF_RANGE: Label = Label::behaviour("index-out-of-range");

/// A constraint:
///
/// - GatherElements, Scatter, ScatterElements: But along the axis, no extent of the indices is larger than that of
///   the data.
pub const INDICES_FIT_DATA: Label = Label::constraint("indices-fit-data");

/// A constraint:
///
/// - Gather: Indices lie within the extent along the axis.
/// - Gather, GatherElements, ScatterElements: Indices lie in [-s, s - 1] for an extent s along the axis.
/// - GatherND, ScatterND: Indices lie in [-s, s - 1] for the extent s of their axis.
/// - MaxUnpool: Indices lie in the output.
/// - Scatter: Indices lie within the extent along the axis. Negative ones are not described (`negative-index`).
/// - ArrayFeatureExtractor: The indices in `Y` lie in [0, s - 1] for the last extent s of `X`.
pub const INDICES_IN_RANGE: Label = Label::constraint("indices-in-range");

/// A constraint:
///
/// - MaxUnpool: `I` has the shape of `X`.
pub const INDICES_MATCH_INPUT: Label = Label::constraint("indices-match-input");

/// A behaviour:
///
/// - MaxUnpool: With an `output_shape` that is not what the windows cover, whether indices count in that or in what
///   the windows cover. They count in the tensor that was pooled, which is the output; the published case counts in
///   the latter.
pub const INDICES_UNDER_OUTPUT_SHAPE: Label = Label::behaviour("indices-under-output-shape");

/// A behaviour:
///
/// - Dropout: Without dropping the output is the data, every bit of it; from Dropout-12 on with a mask of ones. The
///   ratio is ignored then.
pub const INFERENCE: Label = Label::behaviour("inference");

/// A behaviour:
///
/// - Dropout: The mask of a Dropout that drops nothing is said not to be filled. 1 is preferred.
/// - Dropout: What the mask of a Dropout holds that drops nothing is not said. 1, which marks what is kept elsewhere,
///   is preferred.
pub const INFERENCE_MASK: Label = Label::behaviour("inference-mask");

/// A behaviour:
///
/// - DynamicQuantizeLinear: A range that leaves float32, or that infinities or NaN are part of.
pub const INFINITE_RANGE: Label = Label::behaviour("infinite-range");

/// A behaviour:
///
/// - Attention: Scores that are infinite or NaN make their row NaN; weights of what is masked or not infinite may be
///   left at 0. A value that is not finite may be left out where it has no weight, or be multiplied by 0, which makes
///   NaN. So may a score that only its type makes infinite, or one that is masked.
/// - FlexAttention: Scores that are infinite or NaN make their row NaN; weights of what is not infinite may be left
///   at 0. A value that is not finite may be left out where it has no weight, or be multiplied by 0.
pub const INFINITE_SCORES: Label = Label::behaviour("infinite-scores");

/// A behaviour:
///
/// - Celu: For a positive alpha the formula gives -alpha for -Inf and +Inf for +Inf.
/// - Cos: An infinity has no cosine: IEEE 754 gives NaN. NaN stays NaN.
/// - Elu: The formula gives -alpha for -Inf; from zero on the element itself comes out, +Inf included.
/// - HardSigmoid: Infinities give 0 and 1 by the sign of alpha * x.
/// - LogSoftmax: The logarithm of an infinite element's share is NaN by every formula. That of the others is minus
///   infinity by the text, as their share is zero, and NaN by the function body of version 13, which takes the
///   maximum off first. A row of minus infinities is NaN by both; among others a minus infinity has the power zero. A
///   NaN makes its whole row NaN.
/// - ReduceLogSumExp: By the formula an infinite element makes the result infinite, and elements that are all minus
///   infinity make minus infinity. Taking the maximum off first makes NaN of both. A NaN makes NaN.
/// - Selu: The formula gives -alpha * gamma for -Inf and +Inf for +Inf (for positive coefficients).
/// - Sigmoid: The formula gives 0 for -Inf and 1 for +Inf. Where e^-x overflows it gives 0, so that a subnormal
///   result may be 0 as well.
/// - Sin: An infinity has no sine: IEEE 754 gives NaN. NaN stays NaN.
/// - Softmax: An infinite element is NaN by every formula. The others are zero by the formula in the text, as their
///   powers are divided by infinity, and NaN by the function body of version 13, which takes the maximum off first. A
///   row of minus infinities is NaN by both; among others a minus infinity has the power zero. A NaN makes its whole
///   row NaN.
/// - SoftmaxCrossEntropyLoss: Of a row with an infinity the logarithm of the softmax is NaN, or minus infinity
///   elsewhere, as in LogSoftmax.
/// - Softsign: An infinity by an infinity is NaN by the formula, while the function goes to -1 and 1.
/// - Tan: An infinity has no tangent: IEEE 754 gives NaN. NaN stays NaN.
pub const INFINITY: Label = Label::behaviour("infinity");

/// A behaviour:
///
/// - CausalConvWithState: Of a sum of minus infinity the function body makes NaN, as it multiplies it with 0; the
///   limit is 0.
/// - Dropout: A dropped element is multiplied by 0 by the formula: of NaN and infinity that is NaN, where
///   implementations put 0. 0 is preferred.
/// - Gelu: -Inf times 0 is NaN by either formula, while the function goes to 0 there.
/// - Gemm: Where `alpha` or `beta` is 0 the formula makes NaN of infinities and NaN in what it multiplies; the
///   routine of that name which the text links to does not read it then.
/// - HardSwish: -Inf times a ramp of 0 is NaN by the formula, while the function is 0 there.
/// - LeakyRelu: Minus infinity times an alpha of 0 is NaN by the formula; an implementation that leaves out the
///   product gives 0.
/// - Mish: -Inf times 0 is NaN by the formula, while the function goes to 0 there. +Inf stays +Inf.
/// - PRelu: The formula gives `X` itself where it is not negative. The published reference multiplies zeros by the
///   slope as well, which gives NaN for an infinite or NaN slope. The text is followed: a zero gives zero, of either
///   sign.
/// - SwiGLU: Swish of an infinity whose sigmoid is 0 (or, with `alpha` 0, a half): the formula makes NaN of it, the
///   limit is 0 (or the infinity).
/// - Swish: Where the sigmoid is 0 and x is infinite, the formula multiplies infinity by 0, which is NaN, while the
///   function goes to 0 there. For alpha = 0 it goes to x / 2 = x, and the formula gives NaN as well (0 times
///   infinity).
pub const INFINITY_TIMES_ZERO: Label = Label::behaviour("infinity-times-zero");

/// A behaviour:
///
/// - DeformConv: Infinite or NaN elements, weights and offsets: whether they are multiplied with a weight of 0 is not
///   said.
/// - GridSample, Resize, Upsample: An infinity or NaN whose weight is zero, or is within an error of zero, does not
///   count, or makes NaN of the average.
/// - RoiAlign: Infinite or NaN elements: whether they are multiplied with a weight of 0 is not said. Of a region with
///   a corner that is infinite or NaN the samples may be any.
pub const INFINITY_WITH_ZERO_WEIGHT: Label = Label::behaviour("infinity-with-zero-weight");

/// A constraint:
///
/// - Gemm: The second extent of `A` (transposed where `transA` says so) is the first of `B` (likewise).
/// - MatMul: The last extent of `A` is the last but one of `B` (the only one, where `B` is a list). An extent of 1
///   does not broadcast here.
/// - MatMulInteger: The last extent of `A` is the last but one of `B` (the only one of a list).
/// - QLinearMatMul: The last extent of `a` is the last but one of `b` (the only one of a list).
pub const INNER_EXTENTS_EQUAL: Label = Label::constraint("inner-extents-equal");

/// A constraint:
///
/// - Adagrad, Momentum: After `R` and `T` come 3 tensors for each one that is optimized.
/// - Adam: After `R` and `T` come 4 tensors for each one that is optimized.
pub const INPUT_COUNT_FITS: Label = Label::constraint("input-count-fits");

/// A behaviour:
///
/// - LSTM: With `input_forget` the forget gate is one less the input gate, as in the literature, or the other way
///   round.
pub const INPUT_FORGET: Label = Label::behaviour("input-forget");

/// A constraint:
///
/// - BatchNormalization: `X` has four dimensions.
/// - BatchNormalization, GroupNormalization, LRN: `X` has at least the dimensions of instances and channels.
/// - BatchNormalization: `X` has a dimension; a list has one channel.
/// - GlobalAveragePool, GlobalLpPool, GlobalMaxPool: `X` has a batch and a channel dimension.
/// - InstanceNormalization: The input has four dimensions.
/// - InstanceNormalization: The input has at least the dimensions of instances and channels.
pub const INPUT_HAS_CHANNELS: Label = Label::constraint("input-has-channels");

/// A constraint:
///
/// - AveragePool, Conv, ConvTranspose, DeformConv, LpPool, MaxPool, MaxUnpool: `X` has a batch, a channel and at
///   least one spatial dimension.
/// - ConvInteger, QLinearConv: `x` has a batch, a channel and at least one spatial dimension.
pub const INPUT_HAS_SPATIAL_AXES: Label = Label::constraint("input-has-spatial-axes");

/// A behaviour:
///
/// - OptionalGetElement: A tensor or a sequence is given back as it is.
/// - OptionalHasElement: A tensor or a sequence counts as an element; an input that is left out does not.
pub const INPUT_NOT_OPTIONAL: Label = Label::behaviour("input-not-optional");

/// A behaviour:
///
/// - Tanh: The input is described as one-dimensional, while the operator is one of each element of any tensor, its
///   type inference does not look at the rank, and version 6 drops the word without changing anything else. Any rank
///   is computed; no case of this version depends on it.
pub const INPUT_RANK: Label = Label::behaviour("input-rank");

/// A constraint:
///
/// - FeatureVectorizer: `inputdimensions`, where given, holds the second extent of each input.
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
/// - DequantizeLinear: int32 has no zero point, or one of 0. What another one does is not said: it is taken off by
///   the formula, where the difference may overflow, does not count, or is refused, as it is not supposed to be.
pub const INT32_ZERO_POINT: Label = Label::behaviour("int32-zero-point");

/// A behaviour:
///
/// - Div: Integers are divided towards zero: -7 by 2 is -3.
pub const INTEGER_DIVISION: Label = Label::behaviour("integer-division");

/// A behaviour:
///
/// - Abs: The magnitude of the smallest number of a signed integer type is one more than its largest number. Two's
///   complement hardware gives the smallest number back; the text does not say so.
/// - Add, Mul, Sub: No version says what a result outside of an integer type's range becomes. Most implementations
///   wrap, which C++ leaves undefined for signed types.
/// - BitShift: Bits shifted out of the type are lost. A left shift of a signed number may change its sign; a right
///   shift of one fills up with its sign.
/// - BitwiseNot: Every bit of the type is flipped, so nothing overflows: x becomes -x - 1 in signed types, and the
///   largest number minus x in unsigned ones.
/// - Cast, CastLike: An integer that does not fit loses its higher bits, and what is left is read in two's
///   complement: 200 becomes -56 as int8. Saturating is wrong, for types below a byte too.
/// - Cast: The description only warns of a change of value where an integer does not fit.
/// - Col2Im: Sums of integers that leave the range of the type wrap around in most implementations.
/// - CumProd: What happens where a product leaves the range of an integer type is not said; it wraps around in most
///   implementations.
/// - Div: The smallest signed integer divided by -1 leaves its type's range, and no version says what becomes of it.
///   It wraps, saturates, or traps, which an implementation may turn into a refusal.
/// - Einsum: Integers that leave the range of their type.
/// - GridSample: Averages of integers that leave the range of the type wrap around, or become an end of the range, as
///   conversions of floats do. The nearer end is preferred.
/// - Neg: The smallest number of a signed integer type has no opposite in it. Two's complement hardware gives the
///   same number back; the text does not say so.
/// - PRelu: No version says what a product outside of an integer type's range becomes.
/// - Pow: No version says what a power outside of an integer type's range becomes.
/// - ReduceProd: What happens where the product leaves the range of an integer type is not said: it wraps around,
///   saturates, or is converted from a wider type. A result that fits is exact, whatever the steps before did.
/// - ScatterElements, ScatterND: Integers that leave their type's range under add or mul.
/// - Shrink: Integers that leave their type may wrap, or stay at an end of its range; nothing is said about it. For
///   unsigned types this is any bias larger than the element.
/// - Normalizer: Whether integers are added up, and squared, in their own type, which they may leave, or as float.
pub const INTEGER_OVERFLOW: Label = Label::behaviour("integer-overflow");

/// A behaviour:
///
/// - BlackmanWindow, HammingWindow, HannWindow: Elements of an integer type are those of float, with the fraction cut
///   off. What Cast makes of NaN is left open there.
/// - Cast, CastLike: The description of Cast does not say what becomes of the fraction when a float becomes an
///   integer. Implementations drop it, towards zero. ONNX's pages on 4-bit and 2-bit integers say that these types
///   are rounded to the nearest integer, ties to even, while the ReferenceEvaluator drops the fraction there as well.
///   Taken as right: nearest for types below a byte, towards zero for the others.
/// - Erf: Version 9 takes integers and gives integers, and does not say how the result, strictly between -1 and 1,
///   becomes one: cut off, it is 0 everywhere; rounded, it has the sign of the input. The result for 0 is 0.
/// - Gemm: The factors `alpha` and `beta` are floats. Where they are integers the result is exact, and wraps around
///   or saturates where it leaves the range of the type. How fractions are rounded, and when, is not said: the real
///   products or their sum may be cut off or rounded, or the factors cut off first.
/// - GridSample: Averages of integers are computed as floats and cast: the fraction is cut off.
/// - MelWeightMatrix: How fractions become elements of an integer type: cut off, or rounded.
/// - ReduceL2: The root of a sum of integers need not be one, and these versions do not say how it is rounded:
///   towards zero is preferred, the nearest integer left open. Where the sum of squares leaves the range of the type
///   it wraps around, saturates, or is kept in a wider one; the root of a negative sum is NaN, converted as Cast
///   does.
/// - ReduceL2: The function body casts the sum of squares to float and the root back, which rounds towards zero. What
///   happens where the sum of squares leaves the range of the integer type is not said: it wraps around, saturates,
///   or is kept in a wider one; the root of a negative sum is NaN, converted as Cast does.
/// - ReduceLogSum: The type table has integers, but Log takes none, and no version says how a logarithm is rounded.
///   Towards zero is preferred, the nearest integer left open. A sum that leaves the range of the type wraps around,
///   saturates, or is kept in a wider one; infinities and NaN of sums that are not positive are converted as Cast
///   does.
/// - ReduceLogSum: The type table has integers, but Log takes none, so that the function body cannot be built for
///   them, and no version says how a logarithm is rounded. Towards zero is preferred, the nearest integer left open.
///   A sum that leaves the range of the type wraps around, saturates, or is kept in a wider one; infinities and NaN
///   of sums that are not positive are converted as Cast does.
/// - ReduceLogSumExp: The type table has integers, but neither Exp nor Log takes them; these versions do not say how
///   powers and logarithms are rounded. The result rounded towards zero is preferred.
/// - ReduceLogSumExp: The type table has integers, which the function body casts to double; the logarithm is cast
///   back, which rounds towards zero.
/// - ReduceMean: The mean of integers need not be one, and no version says how it is rounded: towards zero is
///   preferred, the other neighbour left open. Where the sum leaves the range of the type, it wraps around,
///   saturates, or is kept in a wider one before it is divided.
/// - Resize: Averages of integers are cut off, as conversions in C do, or rounded in another way; what leaves the
///   range of the type wraps around, or becomes an end of the range. One element alone is taken with all its digits,
///   or as the float it is converted to. So are fractions in `extrapolation_value`.
/// - Shrink: For integer elements, x - bias with a fraction in bias is no integer. It may be cut off after the sum,
///   or bias before it, as in the function body. A fraction of a negative lambd cut off likewise decides otherwise
///   for one number.
/// - Upsample: Averages of integers are cut off, as conversions in C do, or rounded in another way; what leaves the
///   range of the type wraps around, or becomes an end of the range. One element alone is taken with all its digits,
///   or as the float it is converted to.
pub const INTEGER_ROUNDING: Label = Label::behaviour("integer-rounding");

/// A behaviour:
///
/// - Mod: Mod-13 restricts `fmod` = 1 to floating-point types, but Mod-10 and Mod-28 do not, and a published case
///   takes the remainder of int64 that way. Integers are not refused; the remainder has the sign of the dividend.
pub const INTEGERS_WITH_FMOD: Label = Label::behaviour("integers-with-fmod");

/// A constraint:
///
/// - LinearClassifier: There are as many intercepts as rows of coefficients, where they are given.
/// - LinearRegressor: There are as many intercepts as targets, where they are given.
pub const INTERCEPTS_FIT: Label = Label::constraint("intercepts-fit");

/// A behaviour:
///
/// - AveragePool, GlobalAveragePool, RoiAlign: The sum may leave the range of the type where the average does not,
///   which is preferred.
/// - BatchNormalization: `scale / sqrt(var + epsilon)` and what is added to `X` times that may be worked out first,
///   which may overflow where the formula as written does not. Squares and sums may leave the range of the type as
///   well: infinite statistics make 0 or NaN of what is normalized, and are outputs themselves.
/// - CausalConvWithState, Conv, ConvTranspose, DeformConv: Without the bias the sum may leave the range of the type,
///   or a partial sum. The exact result is preferred.
/// - Celu: Where x / alpha leaves the type, the steps of the function body give +Inf, the formula gives x.
/// - CumProd: The order of the factors decides whether a partial product overflows or underflows, and is not said for
///   the factors of one element: the exact product is preferred.
/// - Det: Infinities and NaN among the elements of a matrix of two rows and more, and products beyond the type, give
///   one thing by elimination and another by expansion.
/// - Einsum: Three and more inputs, or an index of one input alone that is summed over, are computed in several
///   steps, in any order. Infinities, NaN, and what leaves the range of the type in some order, come out differently.
/// - Gemm: The product may leave the range of the type before it is scaled by `alpha`, or `C` added. The exact result
///   is preferred; what applying one step after the other gives is left open.
/// - GlobalLpPool, LpPool: A power, or their sum, may leave the range of the type where the norm does not. The exact
///   result is preferred.
/// - GridSample, Resize: Cubic weights exceed 1 between them: where one axis is averaged after the other, what comes
///   of the first may leave the range of the type, although the average does not. The exact one is preferred.
/// - GroupNormalization, LayerNormalization, MeanVarianceNormalization: Squares and sums may leave the range of the
///   type though what they normalize does not. The exact result, which comes out with scaled elements or in a wider
///   type, is preferred; the steps as they are give an infinite deviation, by which all but infinities is divided to
///   0, or an infinite mean, which makes NaN.
/// - InstanceNormalization: `scale / sqrt(variance + epsilon)` and what is added to the input times that may be
///   worked out first, which may overflow where the formula as written does not. Squares and sums may leave the range
///   of the type as well: infinite statistics make 0 or NaN of what is normalized.
/// - LRN: Squares may leave the range of the type though the result does not: zero by the steps of the formula, what
///   is computed in a wider type otherwise.
/// - LinearAttention: Infinities and NaN, and steps that leave the range of the type: tokens may be taken one by one,
///   or in chunks, which overflow elsewhere.
/// - LpNormalization: Sums and squares may overflow or underflow though the norm does not. The exact result is
///   preferred; the steps as they are divide by infinity, by what is left of squares that underflow, or by zero,
///   where `zero-norm` may have its say.
/// - NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss: The sum of weighted losses, or that of the weights, may
///   leave the range of the type though the mean does not. The mean is preferred; infinities make others of it.
/// - RMSNormalization: Squares may leave the range of the type though what they normalize does not. The exact result,
///   which comes out with scaled elements or in a wider type, is preferred; an infinite root makes 0 of what it
///   divides.
/// - ReduceL2: Squares overflow and underflow long before the norm does, and no version says whether they are scaled
///   first. The norm is preferred; what the plain formula gives at the precision of the type is left open.
/// - ReduceLogSum: The sum may leave the range of the type though its logarithm does not. The logarithm is preferred,
///   infinity left open.
/// - ReduceLogSumExp: Powers overflow and underflow long before the result does. The function body from version 18 on
///   works in double, which puts it off; other implementations take the maximum off first. The exact result is
///   preferred; what the plain formula gives at the precision of the type is left open.
/// - ReduceMean: The sum, or a partial one, may leave the range of the type though the mean does not. The mean is
///   preferred, infinities are left open, and NaN where partial sums overflow to both sides.
/// - ReduceProd: No version says in which order factors are multiplied, and the order decides whether a partial
///   product overflows, underflows, or both. The exact product is preferred; infinity of its sign is left open where
///   a partial product may overflow, NaN where that meets a zero, and what is lost where one may be subnormal.
/// - ScatterElements, ScatterND: Products of three and more floating-point numbers of which some order leaves the
///   range of the type on its way and another does not: the order is not given.
/// - Softmax: Powers that leave the range of the type do not spoil the result: the function body takes the maximum
///   off first. What the formula of the text gives without that, NaN, is not accepted.
/// - Softplus: Where e^x leaves the type (from 88.8 on in float, 11.1 in float16), the steps of formula and function
///   body give +Inf, while the function is about x. Implementations in use avoid the overflow.
/// - Normalizer: Squares may leave the range of the type although the quotient does not; rescaling is not asked for.
pub const INTERMEDIATE_OVERFLOW: Label = Label::behaviour("intermediate-overflow");

/// A behaviour:
///
/// - TfIdfVectorizer: What a `min_gram_length` below 1 or above `max_gram_length` means, a `max_gram_length` that
///   `ngram_counts` has no part for, or a negative `max_skip_count`. The oracle gives no answer, and no case has one.
pub const INVALID_GRAM_LENGTHS: Label = Label::behaviour("invalid-gram-lengths");

/// A behaviour:
///
/// - ImageDecoder: What cannot be decoded makes an empty matrix, whose shape is not said. The oracle does not answer
///   it.
pub const INVALID_STREAM: Label = Label::behaviour("invalid-stream");

/// A behaviour:
///
/// - RegexFullMatch: Strings that are no UTF-8. No such case is drawn.
pub const INVALID_UTF8: Label = Label::behaviour("invalid-utf8");

/// A behaviour:
///
/// - Bernoulli: The text gives the probability of 1. The function body takes 1 where a number evenly drawn from 0 to 1
///   is greater than the input: there it is the probability of 0. The text is preferred.
pub const INVERTED_PROBABILITY: Label = Label::behaviour("inverted-probability");

/// A constraint:
///
/// - NonMaxSuppression: `iou_threshold` lies in [0, 1].
pub const IOU_THRESHOLD_IN_RANGE: Label = Label::constraint("iou-threshold-in-range");

/// A constraint:
///
/// - Loop: What is gathered are tensors of one type and shape in every iteration.
/// - Scan: States and gathered elements have the same shape in every step.
pub const ITERATION_SHAPES_EQUAL: Label = Label::constraint("iteration-shapes-equal");

/// A behaviour:
///
/// - ImageDecoder: The inverse transform of JPEG is defined within an error of 1 a component; chroma is upsampled by
///   the method that the description gives, within its rounding. Formats without loss have one answer.
pub const JPEG: Label = Label::behaviour("jpeg");

/// A constraint:
///
/// - TopK: K is at most the extent of the axis.
pub const K_FITS_AXIS: Label = Label::constraint("k-fits-axis");

/// A constraint:
///
/// - Trilu: `k` is of rank 0.
pub const K_IS_SCALAR: Label = Label::constraint("k-is-scalar");

/// A constraint:
///
/// - TopK: K is positive; as an input it is 1-D and has one element.
pub const K_POSITIVE: Label = Label::constraint("k-positive");

/// A behaviour:
///
/// - ArgMax, ArgMin: The dimension stays, with extent 1, where `keepdims` is 1, and is dropped otherwise.
/// - SplitToSequence: `keepdims` = 0 leaves the axis out where `split` is not given; with `split` it has no meaning.
pub const KEEPDIMS: Label = Label::behaviour("keepdims");

/// A constraint:
///
/// - Conv, ConvTranspose, DeformConv: `kernel_shape`, where given, is that of `W`.
/// - ConvInteger, QLinearConv: `kernel_shape`, where given, is that of `w`.
pub const KERNEL_SHAPE_MATCHES_W: Label = Label::constraint("kernel-shape-matches-w");

/// A constraint:
///
/// - SVMClassifier, SVMRegressor: `kernel_type` is LINEAR, POLY, RBF or SIGMOID, and `kernel_params` are three.
pub const KERNEL_TYPE_KNOWN: Label = Label::constraint("kernel-type-known");

/// A constraint:
///
/// - LabelEncoder: Keys have the element type of `X`.
pub const KEY_TYPE_FITS: Label = Label::constraint("key-type-fits");

/// A constraint:
///
/// - CastMap: In sparse form keys lie in [0, max_map - 1].
pub const KEYS_IN_RANGE: Label = Label::constraint("keys-in-range");

/// A constraint:
///
/// - DictVectorizer: Every key is in it.
pub const KEYS_IN_VOCABULARY: Label = Label::constraint("keys-in-vocabulary");

/// A constraint:
///
/// - NegativeLogLikelihoodLoss: `input` has the dimensions of samples and classes, and `target` has its shape without
///   that of the classes.
/// - SoftmaxCrossEntropyLoss: `scores` has the dimensions of samples and classes, and `labels` has its shape without
///   that of the classes.
pub const LABEL_SHAPE_FITS: Label = Label::constraint("label-shape-fits");

/// A constraint:
///
/// - ZipMap: There are as many labels as columns.
pub const LABELS_FIT_COLUMNS: Label = Label::constraint("labels-fit-columns");

/// A constraint:
///
/// - NegativeLogLikelihoodLoss: Each element of `target` names a class: it lies in [0, C), or is `ignore_index`.
/// - SoftmaxCrossEntropyLoss: Each element of `labels` names a class: it lies in [0, C), or is `ignore_index`.
pub const LABELS_IN_RANGE: Label = Label::constraint("labels-in-range");

/// A behaviour:
///
/// - Cos: However large the angle (in radians), the result is the cosine of that very number. Reducing the angle by a
///   rounded multiple of pi is an error of the implementation, and beyond the units allowed it counts.
/// - Sin: However large the angle (in radians), the result is the sine of that very number. Reducing the angle by a
///   rounded multiple of pi is an error of the implementation, and beyond the units allowed it counts.
/// - Tan: However large the angle (in radians), the result is the tangent of that very number. Reducing the angle by
///   a rounded multiple of pi is an error of the implementation, and beyond the units allowed it counts.
pub const LARGE_ANGLES: Label = Label::behaviour("large-angles");

/// A constraint:
///
/// - GRU, LSTM, RNN: `X` has three dimensions; `W` and `R` have the numbers of directions, of gates times hidden
///   units, and of inputs or hidden units. `hidden_size`, where given, is the last extent of `R`.
pub const LAYER_SHAPES_FIT: Label = Label::constraint("layer-shapes-fit");

/// A constraint:
///
/// - Add, And, Div, Equal, Greater, Less, Mul, Or, Sub, Xor: `A` and `B` have the same shape. With `broadcast` = 1,
///   `B` may instead have one element and a rank not above that of `A`, or stand inside `A`: its shape is a run of
///   consecutive extents of `A`, those from `axis` on, the last ones where `axis` is left out. `axis` is not counted
///   from the back.
/// - Pow: `X` and `Y` have the same shape. With `broadcast` = 1, `Y` may instead have one element and a rank not
///   above that of `X`, or stand inside `X`: its shape is a run of consecutive extents of `X`, those from `axis` on,
///   the last ones where `axis` is left out. `axis` is not counted from the back.
pub const LEGACY_SHAPES_BROADCAST: Label = Label::constraint("legacy-shapes-broadcast");

/// A constraint:
///
/// - Slice: `starts`, `ends` and `axes` are equally long.
/// - Slice: `starts`, `ends`, `axes` and `steps` are 1-D and equally long.
/// - CategoryMapper: They have the same length.
/// - LabelEncoder: There are as many keys as values.
/// - Scaler: `offset` and `scale` have the same length, where both are given.
pub const LENGTHS_EQUAL: Label = Label::constraint("lengths-equal");

/// A constraint:
///
/// - Split: Lengths are whole numbers, none negative, and make up the extent along the axis.
/// - SplitToSequence: Listed lengths make up the extent of the axis.
pub const LENGTHS_FIT_AXIS: Label = Label::constraint("lengths-fit-axis");

/// A constraint:
///
/// - Imputer: It has one value, or as many as there are features (the last extent of `X`).
/// - Scaler: Their length is 1 or the number of features, the last extent of `X`.
pub const LENGTHS_FIT_FEATURES: Label = Label::constraint("lengths-fit-features");

/// A constraint:
///
/// - Split: There are as many lengths as outputs; with `num_outputs`, that many outputs.
pub const LENGTHS_FIT_OUTPUTS: Label = Label::constraint("lengths-fit-outputs");

/// A behaviour:
///
/// - Split: Lengths given as an input and as an attribute. The oracle takes the input.
pub const LENGTHS_GIVEN_TWICE: Label = Label::behaviour("lengths-given-twice");

/// A constraint:
///
/// - SplitToSequence: Lengths in `split` are not negative; as a scalar it is not 0 either.
pub const LENGTHS_NON_NEGATIVE: Label = Label::constraint("lengths-non-negative");

/// A constraint:
///
/// - Einsum: All dimensions of one letter have the same extent. (Whether 1 is the same as any is
///   `size-one-broadcast`.)
pub const LETTER_EXTENTS_EQUAL: Label = Label::constraint("letter-extents-equal");

/// A behaviour:
///
/// - GRU: With `linear_before_reset` the reset gate multiplies the product with R and its bias, else the state
///   before.
pub const LINEAR_BEFORE_RESET: Label = Label::behaviour("linear-before-reset");

/// A constraint:
///
/// - Scan: A list of flags or axes has one for each scanned input, or for each gathered output.
pub const LISTS_FIT_SCAN_INPUTS: Label = Label::constraint("lists-fit-scan-inputs");

/// A behaviour:
///
/// - StringNormalizer: The locale, and what is there in place of one, depends on the environment: letters outside of
///   ASCII may change their case, all of them by Unicode's own mapping, which is preferred, or those that have one
///   letter in the other case, or they stay.
pub const LOCALE: Label = Label::behaviour("locale");

/// A behaviour:
///
/// - Compress: A condition that is longer than the extent, and false there. The description of the input speaks of
///   shorter ones only; NumPy, to which the operator refers, takes it.
pub const LONG_CONDITION: Label = Label::behaviour("long-condition");

/// A behaviour:
///
/// - SequenceMap: All sequences should have as many elements as the first; the function body takes longer ones and
///   leaves their ends alone. No case has one.
pub const LONGER_SEQUENCES: Label = Label::behaviour("longer-sequences");

/// A behaviour:
///
/// - Loop: The loop runs while fewer than `M` iterations are done, where `M` is given, and while the condition holds,
///   where `cond` is given. Without `cond` the condition that the body gives is ignored. A trip count below 1 means
///   no iteration.
pub const LOOP_CONDITION: Label = Label::behaviour("loop-condition");

/// A behaviour:
///
/// - ImageDecoder: The irreversible filter is one of real numbers, and where in its step a quantized coefficient lies
///   is the decoder's choice; palettes, subsampled and other colours than sRGB or grey are converted by rules that
///   the description does not name. Reversible streams have one answer.
pub const LOSSY_JPEG2000: Label = Label::behaviour("lossy-jpeg2000");

/// A behaviour:
///
/// - ImageDecoder: RFC 6386 defines components bit by bit, not how chroma is upsampled. Interpolated as libwebp does
///   it is preferred, within the rounding of a colour; else the chroma of a pixel is between those of the pixels
///   around it.
pub const LOSSY_WEBP: Label = Label::behaviour("lossy-webp");

/// A constraint:
///
/// - Loop: `M` and `cond` have one element each, where they are given.
pub const M_AND_COND_SCALAR: Label = Label::constraint("m-and-cond-scalar");

/// A behaviour:
///
/// - Attention: A mask whose last extent is 1 where there are more keys: it broadcasts to all of them, or is padded
///   with minus infinity. The oracle does not answer it, and no case has one.
pub const MASK_OF_ONE_KEY: Label = Label::behaviour("mask-of-one-key");

/// A constraint:
///
/// - DeformConv: `mask` has the batches of `X`, one row for each offset group and tap, and the spatial extents of the
///   output.
pub const MASK_SHAPE_FITS: Label = Label::constraint("mask-shape-fits");

/// A constraint:
///
/// - Det: The last two extents are the same.
pub const MATRICES_SQUARE: Label = Label::constraint("matrices-square");

/// A behaviour:
///
/// - RoiAlign: With max, the largest of the interpolated samples; some implementations take the largest of the
///   elements around them, each times its weight.
pub const MAX_MODE: Label = Label::behaviour("max-mode");

/// A behaviour:
///
/// - TreeEnsemble: Sets belong to the nodes with the mode BRANCH_MEMBER in the order of `nodes_modes`, not in that of
///   the trees.
pub const MEMBER_SET_ORDER: Label = Label::behaviour("member-set-order");

/// A constraint:
///
/// - TreeEnsemble: There are as many sets, each ended by a NaN, as nodes with the mode BRANCH_MEMBER.
pub const MEMBER_SETS_COMPLETE: Label = Label::constraint("member-sets-complete");

/// A behaviour:
///
/// - Clip: Where min is above max, every element becomes max.
/// - Clip: Where min is above max, nothing is said. Version 13 decides for max; an implementation that looks at max
///   first gives min, and one that takes the bounds for an invalid range refuses them.
pub const MIN_ABOVE_MAX: Label = Label::behaviour("min-above-max");

/// A behaviour:
///
/// - CastMap: What stands in sparse form where there is no key: zero, or the empty string, are preferred.
/// - DictVectorizer: A place without a key is zero. What that is for strings is not said: the empty one is preferred.
pub const MISSING_KEY: Label = Label::behaviour("missing-key");

/// A behaviour:
///
/// - Attention: `V` may have another type than `Q` by the type table, and the output has that of `Q`. The function
///   body multiplies weights of the one type with values of the other, which MatMul does not take.
/// - BatchNormalization: Nothing says in which type is computed where the types differ: in the least exact of them is
///   accepted, and anything more exact.
/// - Pow: The exponent may have another type than the base and the result, and no version says in which type the
///   power is computed. An integer base to a real exponent is a real power, truncated or rounded; or the exponent is
///   truncated first. A real base to an exponent of another type may have the exponent rounded to its own type first.
/// - RMSNormalization: What is normalized has the type of `X`, the output that of `scale`, and Mul takes two of one
///   type. At the precision of the less exact one is accepted, and anything more exact.
/// - Adagrad, Adam, Momentum: Nothing says in which type is computed where `R` has another one than the tensors: in
///   the less exact of both is accepted, and anything more exact.
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
/// - SVMClassifier: There is a number of vectors for each class, a coefficient for each vector and other class, a
///   `rho` for each pair of classes; without vectors coefficients for each class and feature, and one `rho`.
/// - SVMRegressor: There are as many coefficients as support vectors, and as many numbers of vectors as these times
///   features; without vectors a coefficient a feature.
pub const MODEL_SIZES_FIT: Label = Label::constraint("model-sizes-fit");

/// A constraint:
///
/// - GridSample: `mode` is nearest, bilinear or bicubic in version 16, nearest, linear or cubic later; `padding_mode`
///   is zeros, border or reflection.
/// - Resize: `mode` is nearest or linear.
/// - Resize: `mode` is nearest, linear or cubic; `coordinate_transformation_mode` is one that the version lists, and
///   in nearest mode `nearest_mode` too; so is `keep_aspect_ratio_policy`, where sizes are given.
pub const MODES_KNOWN: Label = Label::constraint("modes-known");

/// A constraint:
///
/// - FlexAttention: `score_mod` and `prob_mod` make one tensor of one tensor, of the same type and shape.
pub const MODIFIER_GRAPHS_FIT: Label = Label::constraint("modifier-graphs-fit");

/// A behaviour:
///
/// - ScatterND: The attribute describes mul with the word for addition; the formula of the description multiplies,
///   and so do Scatter-16 and the published cases.
pub const MUL_DESCRIBED_AS_ADDITION: Label = Label::behaviour("mul-described-as-addition");

/// A behaviour:
///
/// - LinearClassifier: What the attribute `multi_class` changes. Nothing is preferred; a multinomial model has the
///   softmax of its scores as probabilities.
pub const MULTI_CLASS: Label = Label::behaviour("multi-class");

/// A constraint:
///
/// - TfIdfVectorizer: `ngram_counts` ascend from 0 within the pool, so that each part holds whole n-grams; there is
///   an index that is not negative for each n-gram of the pool, and one at least.
pub const N_GRAM_LISTS_FIT: Label = Label::constraint("n-gram-lists-fit");

/// A constraint:
///
/// - Gradient: No name stands twice in `xs` and `zs`, and none is that of a tensor which others of them determine.
pub const NAMES_INDEPENDENT: Label = Label::constraint("names-independent");

/// A behaviour:
///
/// - ArgMax: No version says where the largest element is when there is a NaN. NumPy has the index of the first NaN
///   (of the last one, where the last index is selected), which is preferred; comparing in some order may select any
///   element.
/// - ArgMin: No version says where the smallest element is when there is a NaN. NumPy has the index of the first NaN
///   (of the last one, where the last index is selected), which is preferred; comparing in some order may select any
///   element.
/// - BitCast: Bits stay as they are; those of a NaN are compared as NaN only, because processors change them on the
///   way.
/// - Celu: max(0, NaN) and min(0, NaN) may be 0, as for Max and Min; the function body gives NaN.
/// - Clip: An element that is NaN is neither below min nor above max. The function body of version 13 (Less, Where)
///   keeps NaN; Min and Max, which its text is said to be equal to, may take the bound.
/// - Elu, LeakyRelu, Selu: NaN is on neither side of zero. Both branches give NaN for it, hence nothing else is
///   accepted.
/// - Equal: NaN equals nothing in IEEE 754, not even NaN; no version mentions it, and nothing else is accepted.
/// - GRU, LSTM, RNN: Whether bounding a NaN (by clip, or in Relu and HardSigmoid) gives NaN or a bound is not said.
///   ThresholdedRelu of it is zero, all others are NaN.
/// - Gelu, Mish, Sigmoid, Softsign, Swish: NaN stays NaN: no text mentions it, and IEEE 754 carries NaN through every
///   operation.
/// - GlobalMaxPool, MaxPool, MaxRoiPool: No version says what comes of a NaN. It may win, or be passed over, or
///   comparing in some order may end at any of the others.
/// - Greater, Less: A comparison with NaN is false in IEEE 754, and no version says anything else; hence nothing else
///   is accepted.
/// - GreaterOrEqual: A comparison with NaN is false: the function body is Greater or Equal, and neither holds. The
///   negation of the opposite comparison would be true.
/// - HardSigmoid: max(0, min(1, NaN)): NaN may go through both, or either may take the number, as for Min and Max. An
///   infinity times an alpha of 0 is NaN too.
/// - HardSwish: NaN times anything is NaN, whatever the ramp makes of it.
/// - Hardmax: No version says which element of a row with a NaN is the maximum: the first NaN, which is preferred,
///   any other element, or none.
/// - IsNaN: Every NaN counts, whatever its sign, payload and kind; float8e4m3fnuz and float8e5m2fnuz have one, where
///   -0 would be.
/// - LessOrEqual: A comparison with NaN is false: the function body is Less or Equal, and neither holds. The negation
///   of the opposite comparison would be true.
/// - Max: No version says what the maximum is where an operand is NaN. Implementations go three ways: the element
///   becomes NaN, as IEEE 754's maximum and the published cases' NumPy would have it; NaN counts as missing and the
///   others decide, as IEEE 754's maxNum has it; or two operands at a time are compared from the left with one `>`,
///   and whatever came before a NaN is lost with it. Where every operand is NaN, the element is NaN.
/// - Min: No version says what the minimum is where an operand is NaN. Implementations go three ways: the element
///   becomes NaN, as IEEE 754's minimum and the published cases' NumPy would have it; NaN counts as missing and the
///   others decide, as IEEE 754's minNum has it; or two operands at a time are compared from the left with one `<`,
///   and whatever came before a NaN is lost with it. Where every operand is NaN, the element is NaN.
/// - PRelu: The formula has no case for NaN. `X` itself and its product with a slope are both NaN, so that nothing
///   else is accepted.
/// - QLinearMatMul: What integer a NaN becomes.
/// - QuantizeLinear: What integer a NaN becomes: as an element, or from 0 by a scale of 0, or from infinity by
///   infinity.
/// - ReduceMax: No version says what comes of a NaN. The text compares itself to NumPy, where it wins; others count
///   it as missing and take the largest of the rest. Comparing in some order may end at any of them. Where every
///   element is NaN the result is.
/// - ReduceMin: No version says what comes of a NaN. The text compares itself to NumPy, where it wins; others count
///   it as missing and take the smallest of the rest. Comparing in some order may end at any of them. Where every
///   element is NaN the result is.
/// - Relu: max(0, NaN) is NaN or 0, as for Max: no text says which, and the function body is a Max. Implementations
///   that compare and select give either.
/// - ScatterElements, ScatterND: The larger or smaller one of a number and NaN.
/// - Shrink: NaN is neither below -lambd nor above lambd, hence 0 comes out.
/// - Sign: NaN is neither above, nor below, nor equal to zero, and no fourth case is given. Implementations carry NaN
///   through, or compute the difference of two comparisons, which is 0.
/// - SwiGLU: NaN in `A` or `B` makes NaN.
/// - ThresholdedRelu: NaN is not above alpha, hence 0 comes out.
/// - TopK: No version says whether a NaN is among the largest or the smallest. NumPy, which makes the published
///   cases, sorts it behind every number; which is preferred. Comparing with NaN spoils any order, so that every
///   element of its lane is open.
/// - Unique: Whether two NaN are one unique value is not said, and it decides the shape: NumPy, to which the
///   description links, makes them one, while by comparison each is its own. Cases have one NaN at most. Where it
///   sorts is not said either: behind every number is preferred, before every number left open.
/// - Binarizer: NaN is not greater than the threshold and becomes 0; nothing is greater than a threshold that is NaN.
/// - Imputer: Where the value to replace is NaN, every NaN is replaced: NaN is named as a way to write a missing
///   value.
/// - LabelEncoder: A NaN is found by the key with the same bits.
/// - LabelEncoder: A key NaN matches every NaN, whatever its bits.
/// - Normalizer: Whether the maximum of a row with a NaN is NaN. A sum with one is.
/// - TreeEnsemble, TreeEnsembleClassifier, TreeEnsembleRegressor: A NaN goes along the true branch where
///   `nodes_missing_value_tracks_true` is 1, along the false one where it is 0 or left out, whatever the mode.
pub const NAN: Label = Label::behaviour("nan");

/// A behaviour:
///
/// - Abs: NaN stays NaN, and either infinity becomes +Inf. The sign of NaN does not count.
/// - Acosh: NaN stays NaN, and +Inf stays +Inf.
/// - Add: No version mentions NaN, infinities or overflow of floating-point types. They are those of IEEE 754, hence
///   what its addition gives is all that is accepted: overflow is an infinity, an invalid operation NaN, whichever
///   NaN.
/// - Asinh: NaN stays NaN, and infinities stay what they are.
/// - Atan: NaN stays NaN; infinities give plus and minus half of pi.
/// - BatchNormalization, GroupNormalization, InstanceNormalization, LayerNormalization, MeanVarianceNormalization: A
///   NaN or an infinity makes all that is normalized with it NaN, as the formula has it: its deviation from the mean
///   is one.
/// - Ceil: NaN and infinities are not mentioned. Every rounding of IEEE 754 keeps them, and Ceil-13 says so as well,
///   hence nothing else is accepted.
/// - Cosh: NaN stays NaN; both infinities give +Inf.
/// - DFT: With an infinity or NaN among the samples the sums are NaN, or infinite; which of them depends on the
///   algorithm. Where finite sums may overflow on the way, too.
/// - Div: No version mentions NaN, infinities or division by zero of floating-point types. They are those of IEEE
///   754, hence what its division gives is all that is accepted: a number by zero is an infinity whose sign is that
///   of the quotient, 0 by 0 and infinity by infinity are NaN.
/// - Erf: NaN stays NaN; infinities give -1 and 1.
/// - Exp: NaN stays NaN, e^+Inf is +Inf, e^-Inf is 0. e^0 is exactly 1.
/// - Floor: The floor of NaN and of an infinity is not mentioned. Every rounding of IEEE 754 keeps them, and Floor-13
///   says so as well, hence nothing else is accepted.
/// - LRN: A NaN or an infinity reaches the elements in whose region it lies; a base below zero has no power.
/// - Log: NaN stays NaN and +Inf stays +Inf. The logarithm of 1 is exactly 0.
/// - LpNormalization: A NaN makes all elements NaN; beside an infinity they are zero, the infinity itself is NaN.
/// - MatMul: Infinities and NaN multiply and add as IEEE 754 has it: zero times infinity is NaN and makes its sum
///   NaN.
/// - Mean, Sum: No version mentions NaN and infinities. They are as in IEEE 754: infinities of both signs give NaN.
/// - Mod: A NaN operand, an infinite dividend and a divisor of zero give NaN.
/// - Mul: No version mentions NaN, infinities or overflow of floating-point types. They are those of IEEE 754, hence
///   what its multiplication gives is all that is accepted: overflow is an infinity, an invalid operation NaN,
///   whichever NaN.
/// - Neg: NaN stays NaN; its sign does not count. Infinities change their sign.
/// - NonZero: NaN and infinities are not zero; -0 is.
/// - Pow: The formula says nothing of NaN^0, 1^NaN and (-1)^Inf. IEEE 754 and C's pow give 1, an implementation by
///   logarithms NaN. Everywhere else NaN, infinities and zeros are as in IEEE 754: 0^0 is 1, and a negative base to a
///   fraction is NaN.
/// - RMSNormalization: A NaN makes all that is normalized with it NaN. Beside an infinity elements are zero, the
///   infinity itself is NaN.
/// - Range: NaN and infinite inputs: no number of elements follows. The oracle does not answer them.
/// - Reciprocal: NaN stays NaN; an infinity becomes a zero, of which the sign does not count. A subnormal number
///   whose reciprocal leaves the type becomes an infinity.
/// - ReduceSum: Infinities and NaN add as IEEE 754 has it: infinities of both signs make NaN.
/// - STFT: With an infinity or NaN among the samples of a frame its sums are NaN, or infinite; which of them depends
///   on the algorithm. Where finite sums may overflow on the way, too.
/// - Sinh: NaN stays NaN; both infinities stay.
/// - Softplus: NaN stays NaN; +Inf stays +Inf and -Inf gives 0.
/// - Sqrt: NaN stays NaN and +Inf stays +Inf.
/// - Sub: No version mentions NaN, infinities or overflow of floating-point types. They are those of IEEE 754, hence
///   what its subtraction gives is all that is accepted: overflow is an infinity, an invalid operation NaN, whichever
///   NaN.
/// - Tanh: NaN stays NaN; the infinities give -1 and 1.
pub const NAN_AND_INFINITY: Label = Label::behaviour("nan-and-infinity");

/// A behaviour:
///
/// - Clip: A bound that is NaN bounds nothing by the function body of version 13; by Min and Max it may make every
///   element NaN, or the other bound.
pub const NAN_BOUND: Label = Label::behaviour("nan-bound");

/// A behaviour:
///
/// - Celu: For a negative alpha the formula takes max(0, x), and the minimum of 0 and the curve, while the function
///   body branches on the sign of x / alpha: alpha * Elu(x / alpha). For alpha = -1 and x = 1 that is 1 against about
///   0.63.
pub const NEGATIVE_ALPHA: Label = Label::behaviour("negative-alpha");

/// A behaviour:
///
/// - Concat: A negative axis is neither described nor excluded: shape inference of 4 leaves the question open. The
///   oracle counts from the back.
pub const NEGATIVE_AXIS: Label = Label::behaviour("negative-axis");

/// A behaviour:
///
/// - Normalizer: The formulas take the maximum and the sum of the elements as they are, and the root of a square,
///   which has no sign: not their magnitudes, as the norms whose names the modes bear.
pub const NEGATIVE_ELEMENTS: Label = Label::behaviour("negative-elements");

/// A behaviour:
///
/// - Pow: No version says what an integer to a negative power is, of which the formula gives a fraction, or no number
///   for 0. The fraction may be cut off or rounded, an infinity converted as Cast does, and, as such a power has no
///   integer value, the case refused, as NumPy does. Powers of 1 and -1 are integers and decided.
pub const NEGATIVE_EXPONENT: Label = Label::behaviour("negative-exponent");

/// A behaviour:
///
/// - Gather: Whether an index may count from the end. Gather-11 says so, Gather-1 asks for indices within bounds and
///   does not say which these are.
/// - Gather: A negative index counts from the end.
/// - GatherND: A negative index counts from the end of its axis.
/// - OneHot: Indices have to be non-negative, and those below 0 have all values off. Shape inference refuses negative
///   constants; the oracle prefers all values off.
/// - OneHot: An index from -depth on counts from the end; the text of `indices` and the equations have to be read
///   together.
/// - Scatter: Whether an index may count from the end, as in ScatterElements. The oracle counts.
/// - TensorScatter: Negative write indices in circular mode: modulo counts them from the end, or leaves them
///   negative.
pub const NEGATIVE_INDEX: Label = Label::behaviour("negative-index");

/// A behaviour:
///
/// - Shrink: With a negative lambd both conditions may hold. The function body takes the first one; the sentences,
///   read one after the other, leave the last one standing. (Of unsigned types the function body says nothing: its
///   Neg does not take them.)
pub const NEGATIVE_LAMBD: Label = Label::behaviour("negative-lambd");

/// A behaviour:
///
/// - StringSplit: A negative `maxsplit`. No such case is drawn.
pub const NEGATIVE_MAXSPLIT: Label = Label::behaviour("negative-maxsplit");

/// A behaviour:
///
/// - ConvTranspose: Where `output_shape` is more than the windows cover, the equations give a negative padding, half
///   of which goes before the windows. A padding is never negative elsewhere, and most implementations add all of it
///   behind them, as the oracle does.
pub const NEGATIVE_PADDING: Label = Label::behaviour("negative-padding");

/// A behaviour:
///
/// - Pad: What negative pads mean: they are counts of elements to add. The oracle does not answer them.
/// - Pad: In other modes than constant, whether elements that negative pads cut off are still mirrored, wrapped or
///   repeated at the other end. The oracle prefers to cut first. Where the two readings agree nothing is open.
pub const NEGATIVE_PADS: Label = Label::behaviour("negative-pads");

/// A behaviour:
///
/// - SequenceInsert: A negative position counts from the back of the sequence as it is given: with -1 the new tensor
///   comes before the last one, with -n before the first.
pub const NEGATIVE_POSITION: Label = Label::behaviour("negative-position");

/// A behaviour:
///
/// - AveragePool, LpPool, MaxPool: Where a window is shorter than its stride, the formula for SAME_UPPER and
///   SAME_LOWER gives a negative padding, which moves windows inwards. A padding adds elements, and shape inference
///   counts none then; so does the oracle.
/// - Conv, ConvInteger, QLinearConv: SAME_UPPER and SAME_LOWER never remove elements: where a window is shorter than
///   its stride, so that the formula gives a negative padding, there is none.
pub const NEGATIVE_SAME_PADDING: Label = Label::behaviour("negative-same-padding");

/// A behaviour:
///
/// - Loop: Without an iteration nothing is gathered: the output has extent 0 in front, and behind it what the body
///   declares for the value. Where the body declares no such shape nothing says what it is; the oracle gives no
///   answer then, and no case asks.
/// - Scan: Without a step nothing is gathered: the output has extent 0 along its axis, and beside it what the body
///   declares for the element. Where the body declares no such shape the oracle gives no answer, and no case asks.
pub const NO_ITERATIONS: Label = Label::behaviour("no-iterations");

/// A behaviour:
///
/// - TreeEnsemble, TreeEnsembleRegressor: The smallest or largest of no votes. A sum of none is 0.
pub const NO_VOTES: Label = Label::behaviour("no-votes");

/// A constraint:
///
/// - TreeEnsembleRegressor: Within a tree each node id is there once.
pub const NODE_IDS_UNIQUE: Label = Label::constraint("node-ids-unique");

/// A constraint:
///
/// - TreeEnsemble, TreeEnsembleClassifier, TreeEnsembleRegressor: The `nodes_` attributes have the same length.
pub const NODE_LISTS_EQUAL_LENGTH: Label = Label::constraint("node-lists-equal-length");

/// A constraint:
///
/// - TreeEnsemble: Modes are 0 to 6.
/// - TreeEnsembleClassifier, TreeEnsembleRegressor: Modes are LEAF or one of the six BRANCH_ ones of the list.
pub const NODE_MODES_KNOWN: Label = Label::constraint("node-modes-known");

/// A behaviour:
///
/// - MelWeightMatrix: Counts that are not positive. The oracle does not answer them.
/// - RoiAlign: What an `output_height` or `output_width` below 1 means, or a negative `sampling_ratio`. The oracle
///   gives no answer, and no case has one.
pub const NON_POSITIVE_SIZES: Label = Label::behaviour("non-positive-sizes");

/// A behaviour:
///
/// - ReduceLogSum: A negative sum has the logarithm NaN, a sum of zero minus infinity. A sum so near to zero that its
///   rounding decides takes either.
pub const NON_POSITIVE_SUM: Label = Label::behaviour("non-positive-sum");

/// A behaviour:
///
/// - Col2Im: What the sum of bools, strings or complex numbers is where blocks overlap. The last one is preferred.
/// - GridSample: What lies between two strings, truth values or complex numbers, which the oracle does not answer,
///   and which string stands outside: the empty one is preferred.
/// - Resize: What lies between two strings, truth values or complex numbers, or outside of a region of them. The
///   oracle does not answer it.
/// - ScatterElements, ScatterND: What add, mul, max and min are for strings, bool and complex numbers. The oracle
///   answers it for bool only: mul is whether all are true, and add whether any is, or whether an odd number is.
/// - Upsample: What lies between two strings, truth values or complex numbers. The oracle does not answer it.
pub const NON_REAL_TYPES: Label = Label::behaviour("non-real-types");

/// A behaviour:
///
/// - Gradient: The derivatives of several elements of `y` at once have no shape in the text: outputs are gradients
///   with respect to each of `xs`, as of one element. The oracle takes `y` of one element alone.
pub const NON_SCALAR_Y: Label = Label::behaviour("non-scalar-y");

/// A behaviour:
///
/// - SequenceMap: Outputs of the body are tensors, each of one type in all elements. What else it might give has no
///   place in a sequence; no case has it.
pub const NON_TENSOR_OUTPUTS: Label = Label::behaviour("non-tensor-outputs");

/// A constraint:
///
/// - Attention: `nonpad_kv_seqlen` has one element a batch, from 0 to the length of the keys, and comes without past
///   and present.
pub const NONPAD_KV_SEQLEN_FITS: Label = Label::constraint("nonpad-kv-seqlen-fits");

/// A behaviour:
///
/// - ReduceL1, ReduceL2: With no axes, given or not, everything is reduced. With `noop_with_empty_axes` nothing is,
///   and the absolute value is still applied to each element. Releases before 1.18 had the input come out as it is,
///   in the description of the attribute; the function body has always applied the rest of the formula.
/// - ReduceLogSum: With no axes, given or not, everything is reduced. With `noop_with_empty_axes` nothing is, and the
///   logarithm is still applied to each element. Releases before 1.18 had the input come out as it is, in the
///   description of the attribute; the function body has always applied the rest of the formula.
/// - ReduceLogSum: With no axes, given or not, everything is reduced; with `noop_with_empty_axes` nothing is, and the
///   logarithm is still applied to each element.
/// - ReduceLogSumExp: With no axes, given or not, everything is reduced. With `noop_with_empty_axes` nothing is, and
///   the logarithm of the power is still applied to each element. Releases before 1.18 had the input come out as it
///   is, in the description of the attribute; the function body has always applied the rest of the formula.
/// - ReduceLogSumExp: With no axes, given or not, everything is reduced; with `noop_with_empty_axes` nothing is, and
///   the logarithm of the power is still applied to each element.
/// - ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum: With no axes, given or not, everything is reduced; with
///   `noop_with_empty_axes` nothing is, and the input comes out as it is, whatever `keepdims` says.
/// - ReduceSumSquare: With no axes, given or not, everything is reduced. With `noop_with_empty_axes` nothing is, and
///   the square is still applied to each element. Releases before 1.18 had the input come out as it is, in the
///   description of the attribute; the function body has always applied the rest of the formula.
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
/// - Cast, CastLike: A number becomes a string in plain notation, with digits that no version counts; how integers,
///   bool, NaN and infinities are spelled is not said. Accepted is what plain notation with enough digits tells from
///   every other number of the type, and the literals for NaN and infinities that the other direction reads. Fewer
///   digits (six are enough), an exponent, a fraction of zero on integers, and words for bool, NaN and infinities are
///   left open.
pub const NUMBER_TO_STRING: Label = Label::behaviour("number-to-string");

/// A behaviour:
///
/// - CenterCropPad: Of an odd difference the left side gets less, whether elements are cut off or added.
pub const ODD_DIFFERENCE: Label = Label::behaviour("odd-difference");

/// A behaviour:
///
/// - ConvTranspose: Where a total padding is odd, the equations put the longer part at the end, but for SAME_UPPER;
///   the description of `auto_pad` says the reverse. Version 11 corrects the equations: longer at the end for
///   SAME_UPPER, else at the beginning. The oracle prefers that. Of SAME, the description wants an output as long as
///   the input; no shape inference does.
/// - ConvTranspose: Where a total padding is odd, the longer part is at the end for SAME_UPPER, and else at the
///   beginning.
pub const ODD_PADDING: Label = Label::behaviour("odd-padding");

/// A constraint:
///
/// - DeformConv: `offset_group` is positive and divides the channels of `X`.
pub const OFFSET_GROUP_DIVIDES_CHANNELS: Label = Label::constraint("offset-group-divides-channels");

/// A behaviour:
///
/// - DeformConv: Rows of `offset` go by offset group, then tap, then spatial axis; those of `mask` by offset group,
///   then tap.
pub const OFFSET_ORDER: Label = Label::behaviour("offset-order");

/// A constraint:
///
/// - DeformConv: `offset` has the batches of `X`, one row for each offset group, tap and spatial axis, and the
///   spatial extents of the output.
pub const OFFSET_SHAPE_FITS: Label = Label::constraint("offset-shape-fits");

/// A behaviour:
///
/// - Scaler: Both attributes are optional, and neither has a default. Without `offset` nothing is taken off, without
///   `scale` nothing is multiplied; a refusal is as good.
pub const OMITTED_ATTRIBUTES: Label = Label::behaviour("omitted-attributes");

/// A behaviour:
///
/// - Clip: A bound left out is the largest (smallest) finite number of the type by the text, so that an infinity is
///   clipped to it. The function body of version 13 has no bound then, and the published cases are made with an
///   infinite one.
pub const OMITTED_BOUND: Label = Label::behaviour("omitted-bound");

/// A behaviour:
///
/// - LinearClassifier: Without intercepts nothing is added; shape inference counts classes by the intercepts, and
///   finds none, so that a refusal is as good.
pub const OMITTED_INTERCEPTS: Label = Label::behaviour("omitted-intercepts");

/// A constraint:
///
/// - LabelEncoder: `default_int64` and `default_string` are not both given.
/// - LabelEncoder: Just one of the `keys_` attributes is given.
pub const ONE_ALTERNATIVE_GIVEN: Label = Label::constraint("one-alternative-given");

/// A constraint:
///
/// - Constant: Exactly one attribute is given.
pub const ONE_ATTRIBUTE_GIVEN: Label = Label::constraint("one-attribute-given");

/// A constraint:
///
/// - OneHotEncoder: Just one of `cats_int64s` and `cats_strings` is given.
pub const ONE_CATEGORY_LIST_GIVEN: Label = Label::constraint("one-category-list-given");

/// A behaviour:
///
/// - SVMRegressor: With `one_class` the answer is 1 where the score is above zero, -1 elsewhere.
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
/// - LinearClassifier, SVMClassifier: Just one of `classlabels_ints` and `classlabels_strings` is given.
/// - TreeEnsembleClassifier, ZipMap: Just one of `classlabels_int64s` and `classlabels_strings` is given.
pub const ONE_LABEL_LIST_GIVEN: Label = Label::constraint("one-label-list-given");

/// A constraint:
///
/// - TfIdfVectorizer: Just one of `pool_int64s` and `pool_strings` is given.
pub const ONE_POOL_GIVEN: Label = Label::constraint("one-pool-given");

/// A constraint:
///
/// - Imputer: Just one of `imputed_value_floats` and `imputed_value_int64s` is given.
pub const ONE_VALUE_LIST_GIVEN: Label = Label::constraint("one-value-list-given");

/// A constraint:
///
/// - DictVectorizer: Just one of `int64_vocabulary` and `string_vocabulary` is given.
pub const ONE_VOCABULARY_GIVEN: Label = Label::constraint("one-vocabulary-given");

/// A behaviour:
///
/// - DFT: An inverse transform with `onesided` makes a real signal of the first dft_length / 2 + 1 elements of a
///   spectrum; the others follow from symmetry, and what is imaginary in the first and in the middle one does not
///   count. Where more are given SciPy, to which the text refers, leaves them out, which is preferred; by the input's
///   text the first dft_length are used. The description of the attribute names one element more than the shape of
///   the output has.
pub const ONESIDED_INVERSE: Label = Label::behaviour("onesided-inverse");

/// A constraint:
///
/// - DFT: With `onesided` the samples of a forward transform are real, those of an inverse one complex.
/// - STFT: With `onesided`, the default, the samples are real.
pub const ONESIDED_SAMPLES_FIT: Label = Label::constraint("onesided-samples-fit");

/// A behaviour:
///
/// - DequantizeLinear: Operands may be converted to the type of the result before they are subtracted and multiplied,
///   or computed in float32 and rounded in the end. Where only the former overflows or vanishes, the latter is
///   preferred and the former left open.
/// - QuantizeLinear: Operands of another type than the division has may be converted first. Where one of them
///   overflows or vanishes by that, the quotient of the numbers as they are is preferred, and the other one left
///   open.
pub const OPERAND_PRECISION: Label = Label::behaviour("operand-precision");

/// A behaviour:
///
/// - ImageDecoder: Whether an image whose Exif data or tag says how it is to be turned is turned: the layout speaks
///   of height and width without saying which. As it is stored is preferred; where turning it changes its shape the
///   oracle does not answer it.
pub const ORIENTATION: Label = Label::behaviour("orientation");

/// A constraint:
///
/// - Concat: All inputs have the same rank and, but along the axis, the same extents.
/// - ConcatFromSequence: All tensors have the same rank and extents, without `new_axis` but for the axis.
pub const OTHER_EXTENTS_EQUAL: Label = Label::constraint("other-extents-equal");

/// A behaviour:
///
/// - ConcatFromSequence: What `new_axis` does that is neither 0 nor 1 is not said. The oracle gives no answer, and no
///   case has one.
/// - IsInf: The attributes have a meaning for 0 and 1. Any other value is read as 1; no case depends on it.
pub const OTHER_FLAG_VALUES: Label = Label::behaviour("other-flag-values");

/// A behaviour:
///
/// - Shape: A negative `start` or `end` has the rank added once; then both are clamped to [0, rank]. A start behind
///   the end makes an empty output.
/// - Slice: A bound beyond the extent is the extent; a negative one counts from the end, and is 0 where that is
///   before the beginning; where nothing is between, the output is empty.
/// - Slice: Bounds are clamped to the extent, going backwards to the position before the first element.
/// - Slice: Negative bounds have the extent n added once. Then a start is clamped to [0, n] going forwards and [0, n -
///   1] going backwards, an end to [0, n] and [-1, n - 1]. A start before the beginning, going backwards, is hence
///   the first element, where NumPy and the reference implementation take none.
pub const OUT_OF_RANGE_BOUNDS: Label = Label::behaviour("out-of-range-bounds");

/// A constraint:
///
/// - BlackmanWindow, HammingWindow, HannWindow: `output_datatype` is a type that T2 has.
/// - MelWeightMatrix: `output_datatype` is a type that T3 has.
pub const OUTPUT_DATATYPE_ALLOWED: Label = Label::constraint("output-datatype-allowed");

/// A constraint:
///
/// - DequantizeLinear: `output_dtype`, where it is not 0, is a type of T3; where it is left out, the type of the
///   scale is one.
/// - QuantizeLinear: `output_dtype`, where it is not 0, is a type that is quantized to, and that of `y_zero_point`
///   where one is given.
pub const OUTPUT_DTYPE_ALLOWED: Label = Label::constraint("output-dtype-allowed");

/// A behaviour:
///
/// - Einsum: An ellipsis in the output's term, where no input has one, stands for no dimension.
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
/// - Flatten: The output has rank 2 always: with axis 0 the first extent is 1, with axis = rank the second is. A
///   scalar takes axis 0 and becomes 1 x 1.
/// - GatherND: The rank of the output is that of the description, less `batch_dims`; the text beside the output
///   forgets to take them away. The equations and examples follow the former.
pub const OUTPUT_RANK: Label = Label::behaviour("output-rank");

/// A behaviour:
///
/// - GRU, LSTM, RNN: `output_sequence` says only whether `Y` may be left out: where it is named it is there.
pub const OUTPUT_SEQUENCE: Label = Label::behaviour("output-sequence");

/// A behaviour:
///
/// - Gather: The shape of `indices` stands in place of the axis; a scalar index takes the axis away.
/// - GatherElements: The output has the shape of the indices, which may be smaller than the data.
/// - Tile: The output is said to have the input's shape, and to repeat it along an axis. The oracle multiplies the
///   extent.
/// - ArrayFeatureExtractor: The last extent is the number of indices, whatever shape they come in.
/// - CastMap: The output is of rank 1: values in ascending order of their keys, or `max_map` places.
/// - DictVectorizer: The output is of rank 1, as long as the vocabulary.
pub const OUTPUT_SHAPE: Label = Label::behaviour("output-shape");

/// A constraint:
///
/// - MaxUnpool: `output_shape` has one extent for each dimension of `X`, of which the first two are those of `X`.
pub const OUTPUT_SHAPE_FITS: Label = Label::constraint("output-shape-fits");

/// A constraint:
///
/// - Einsum: The output's term has no letter twice, none that no input has, and one ellipsis at most.
pub const OUTPUT_TERM_VALID: Label = Label::constraint("output-term-valid");

/// A constraint:
///
/// - Split: Without lengths, the extent is a multiple of the number of outputs.
pub const OUTPUTS_DIVIDE_AXIS: Label = Label::constraint("outputs-divide-axis");

/// A constraint:
///
/// - BatchNormalization: A node has one output, or five, some of which may be left out by an empty name; five only
///   outside of test mode.
/// - BatchNormalization: A node has one output, or five, some of which may be left out by an empty name.
/// - BatchNormalization: A node that trains has three outputs, of which one may be left out by an empty name; another
///   one has `Y` alone.
pub const OUTPUTS_FIT_MODE: Label = Label::constraint("outputs-fit-mode");

/// A behaviour:
///
/// - Acos: Outside of [-1, 1] there is no arccosine: IEEE 754 gives NaN, for infinities too. NaN stays NaN. The range
///   is that of the angle from 0 to pi.
/// - Acosh: Below 1 there is no result: IEEE 754 gives NaN, for -Inf too.
/// - Asin: Outside of [-1, 1] there is no arcsine: IEEE 754 gives NaN, for infinities too. NaN stays NaN.
/// - Atanh: Outside of [-1, 1] there is no result: IEEE 754 gives NaN. NaN stays NaN.
/// - Log: A negative number has no logarithm: IEEE 754 gives NaN, for -Inf too.
/// - Sqrt: A negative number gives NaN, and so does -Inf.
pub const OUTSIDE_DOMAIN: Label = Label::behaviour("outside-domain");

/// A behaviour:
///
/// - GridSample: Whether a position outside is moved to the border before its neighbours are looked at, or the
///   neighbours are moved one by one, which is preferred. In linear interpolation both come to the same, unless the
///   element inside the border, which the moved position weighs by zero, is infinite or NaN
///   (`infinity-with-zero-weight`); where positions are reflected they always do.
/// - Resize: Neighbours that lie outside of the input have the value of the nearest element inside, unless
///   `exclude_outside` leaves them out; positions outside become the nearest inside.
pub const OUTSIDE_NEIGHBOURS: Label = Label::behaviour("outside-neighbours");

/// A behaviour:
///
/// - DeformConv: A place outside of the padded input gives zero by the text; implementations take everything outside
///   as zeros, and interpolate with the last element where that is less than one step away. That is preferred.
/// - RoiAlign: What samples outside of the image are. Most implementations take the nearest element, and 0 more than
///   one step away, which is preferred; others the nearest element anywhere, zeros, or an average of both.
pub const OUTSIDE_POSITIONS: Label = Label::behaviour("outside-positions");

/// A behaviour:
///
/// - Cosh, Sinh: Where the result itself leaves the type it is an infinity. A formula by e^x that overflows earlier,
///   where the result is still finite, is an error of the implementation.
/// - CumSum: What happens where a sum leaves the range of an integer type is not said: it wraps around, saturates, or
///   is converted from a wider type. Nor is said in which order real numbers are added, so that a partial sum may
///   leave the range of the type where the sum does not, which is preferred.
/// - Exp: Beyond the largest number of the type the result is +Inf, as rounding has it everywhere. Below the smallest
///   it is 0 or a subnormal number, by the error allowed.
/// - MatMul: What happens where a sum of products leaves the range of an integer type is not said: it wraps around,
///   as in NumPy, saturates, or is converted from a wider type. Nor is said in which order products of real numbers
///   are added, so that a partial sum may leave the range of the type where the sum does not, which is preferred.
/// - ReduceL1: What happens where the sum, or the absolute value of the smallest integer, leaves the range of an
///   integer type is not said: it wraps around, saturates, or is converted from a wider type. A result that fits is
///   exact, whatever the steps before did. Nor is said whether a partial sum of real numbers may leave the range
///   where the sum does not, as the order is free; the sum is preferred.
/// - ReduceSum, ReduceSumSquare: What happens where the sum leaves the range of an integer type is not said: it wraps
///   around, saturates, or is converted from a wider type. A result that fits is exact, whatever the steps before
///   did. Nor is said whether a partial sum of real numbers may leave the range where the sum does not, as the order
///   is free; the sum is preferred.
pub const OVERFLOW: Label = Label::behaviour("overflow");

/// A behaviour:
///
/// - NonMaxSuppression: An overlap that equals the threshold is not more than it. Where roundings in float, or the
///   order of division and comparison, decide whether it is the oracle does not answer.
pub const OVERLAP_ROUNDING: Label = Label::behaviour("overlap-rounding");

/// A constraint:
///
/// - LpNormalization: `p` is 1 or 2.
pub const P_KNOWN: Label = Label::constraint("p-known");

/// A behaviour:
///
/// - CausalConvWithState: Zeros before the input are multiplied: with a weight that is not finite they give NaN.
/// - Conv: Padding is zeros. Whether these are multiplied with weights, which gives NaN where one is infinite or NaN,
///   or left out is not said.
/// - ConvTranspose: Whether elements that no tap reaches are zeros that are multiplied with weights, which gives NaN
///   where one is infinite or NaN, is not said.
pub const PADDING_TIMES_INFINITY: Label = Label::behaviour("padding-times-infinity");

/// A behaviour:
///
/// - CenterCropPad: Zeros are added: 0 and false. What the zero of strings is the text does not say; the empty string
///   is preferred, which NumPy has. float8e8m0 has none.
/// - Pad: `value` is rounded to the data's type.
/// - Pad: Without `constant_value` zeros are added.
/// - Pad: Without `constant_value` zeros are added, or false, or empty strings.
/// - Pad: Without `constant_value` zeros are added, or false, or empty strings. float8e8m0 has no zero, so that any
///   value may come then.
pub const PADDING_VALUE: Label = Label::behaviour("padding-value");

/// A constraint:
///
/// - Pad: `pads` (`paddings` in Pad-1) holds two numbers for each axis.
/// - Pad: `pads` is 1-D and holds two numbers for each axis (from 18 on: of those in `axes`).
pub const PADS_FIT_AXES: Label = Label::constraint("pads-fit-axes");

/// A behaviour:
///
/// - Pad: The attribute lists all beginnings and then all ends; the example of the description lists beginning and
///   end of one axis after the other. The oracle follows the attribute, as do all later versions.
pub const PADS_ORDER: Label = Label::behaviour("pads-order");

/// A constraint:
///
/// - AveragePool, Conv, ConvInteger, ConvTranspose, LpPool, MaxPool, QLinearConv: `pads` is not given together with
///   another `auto_pad` than NOTSET.
pub const PADS_WITHOUT_AUTO_PAD: Label = Label::constraint("pads-without-auto-pad");

/// A constraint:
///
/// - BatchNormalization: Scale, bias, mean and variance are lists of one element a channel.
/// - BatchNormalization: Scale, bias, mean and variance have one element a channel, or where `spatial` is 0 the shape
///   of `X` without its first dimension.
/// - GroupNormalization: `scale` and `bias` are lists of one element a group.
/// - GroupNormalization: `scale` and `bias` are lists of one element a channel.
/// - InstanceNormalization: `scale` and `B` are lists of one element a channel.
pub const PARAMETER_SHAPES_FIT: Label = Label::constraint("parameter-shapes-fit");

/// A constraint:
///
/// - NonMaxSuppression: `max_output_boxes_per_class`, `iou_threshold` and `score_threshold`, where given, are one
///   number each.
pub const PARAMETERS_ARE_SCALARS: Label = Label::constraint("parameters-are-scalars");

/// A constraint:
///
/// - Attention: `past_key` and `past_value` are given both or none, with the extents of `K` and `V` but the length,
///   which they share; `present_key` and `present_value` are named both or none.
pub const PAST_AND_PRESENT_PAIRED: Label = Label::constraint("past-and-present-paired");

/// A constraint:
///
/// - CausalConvWithState: `past_state` has the batches and channels of `input`, and k - 1 elements in each.
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
/// - TfIdfVectorizer: It is `pool_strings` where `X` holds strings, `pool_int64s` where it holds integers.
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
/// - SequenceAt: `position` lies in [-n, n-1], where n is the number of tensors in the sequence; of an empty one
///   there is none.
/// - SequenceErase: `position` lies in [-n, n-1], where n is the number of tensors in the sequence. An empty sequence
///   has nothing to erase.
/// - SequenceInsert: `position` lies in [-n, n], where n is the number of tensors in the sequence before.
pub const POSITION_IN_RANGE: Label = Label::constraint("position-in-range");

/// A constraint:
///
/// - SequenceAt, SequenceErase, SequenceInsert: `position` has one element; of one dimension instead of none see
///   `scalar-rank`.
pub const POSITION_IS_SCALAR: Label = Label::constraint("position-is-scalar");

/// A behaviour:
///
/// - GridSample: A position that lies within an error of float from where the nearest element changes: the elements
///   of both sides. At a half that border or reflection moves, whether it is moved before it is rounded.
/// - Resize: A position that lies within an error of float from where nearest mode changes the element, or from the
///   edge of what tf_crop_and_resize takes from the input: both sides.
/// - Upsample: A position that lies within an error of float from where the element changes: the elements of both
///   sides.
pub const POSITION_ROUNDING: Label = Label::behaviour("position-rounding");

/// A constraint:
///
/// - RotaryEmbedding: Positions name rows of the caches, counted from 0.
pub const POSITIONS_IN_RANGE: Label = Label::constraint("positions-in-range");

/// A behaviour:
///
/// - LinearClassifier, TreeEnsembleClassifier: The transforms have names and no description. SOFTMAX and LOGISTIC are
///   those of the operators Softmax (over the classes of an example) and Sigmoid. SOFTMAX_ZERO leaves scores of zero
///   out, which stay zero: of a row that has some they may count in the sum, and have a share. PROBIT is the quantile
///   function of the normal distribution, of which the approximations in use stray by a hundredth, and by a tenth
///   next to 0 and 1; outside of (0, 1) it is NaN or infinite.
/// - LinearRegressor, TreeEnsemble, TreeEnsembleRegressor: The transforms have names and no description. SOFTMAX and
///   LOGISTIC are those of the operators Softmax (over the targets of an example) and Sigmoid. SOFTMAX_ZERO leaves
///   scores of zero out, which stay zero: of a row that has some they may count in the sum, and have a share. PROBIT
///   is the quantile function of the normal distribution, of which the approximations in use stray by a hundredth,
///   and by a tenth next to 0 and 1; outside of (0, 1) it is NaN or infinite.
/// - SVMClassifier: What the transforms do, and to which scores.
/// - SVMRegressor: What a transform does to the one score of an example. That of its name is preferred; there may be
///   none.
pub const POST_TRANSFORM: Label = Label::behaviour("post-transform");

/// A constraint:
///
/// - LinearClassifier, LinearRegressor, SVMClassifier, SVMRegressor: `post_transform` is NONE, SOFTMAX, LOGISTIC,
///   SOFTMAX_ZERO or PROBIT.
pub const POST_TRANSFORM_KNOWN: Label = Label::constraint("post-transform-known");

/// A constraint:
///
/// - QuantizeLinear: `precision`, where it is not 0, is a type of numbers.
pub const PRECISION_ALLOWED: Label = Label::constraint("precision-allowed");

/// A behaviour:
///
/// - LinearAttention: The type of `present_state` without a `past_state`: that of the other inputs is taken.
pub const PRESENT_STATE_TYPE: Label = Label::behaviour("present-state-type");

/// A constraint:
///
/// - Bernoulli: Every element of the input is a probability: it lies in [0, 1].
pub const PROBABILITY_IN_RANGE: Label = Label::constraint("probability-in-range");

/// A constraint:
///
/// - SVMClassifier: `prob_a` and `prob_b` have one number a pair of classes, where they are given.
pub const PROBABILITY_LISTS_FIT: Label = Label::constraint("probability-lists-fit");

/// A constraint:
///
/// - ConvInteger: `x_zero_point` is one number.
/// - QLinearConv: Scales and zero points of `x` and `y` are one number each.
pub const QUANTIZATION_PER_TENSOR: Label = Label::constraint("quantization-per-tensor");

/// A constraint:
///
/// - Attention, FlexAttention: The heads of `Q` are a multiple of those of `K`.
pub const QUERY_HEADS_MULTIPLE: Label = Label::constraint("query-heads-multiple");

/// A constraint:
///
/// - Attention: `Q`, `K` and `V` have the same batch; `K` and `V` the same heads and length; `Q` and `K` the same
///   head size.
/// - LinearAttention: They have the same batch and length, and heads of `query` the size of those of `key`.
/// - FlexAttention: They have the same batch; `K` and `V` the same heads and length; `Q` and `K` the same head size.
pub const QUERY_KEY_VALUE_AGREE: Label = Label::constraint("query-key-value-agree");

/// A constraint:
///
/// - Adagrad, Adam, Momentum: `R` and `T` are scalars. The pseudo code broadcasts, which would give a meaning to an
///   `R` of more elements; but the type variables admit scalars only, and the prose has one learning rate for all
///   elements. A list of one element: see `scalar-rank`.
pub const R_AND_T_SCALAR: Label = Label::constraint("r-and-t-scalar");

/// A behaviour:
///
/// - Bernoulli: An element is 1 with its probability and 0 otherwise, each independently of the others. Neither a
///   seed nor the function body defines which; both are there to draw, not to define values. What is certain (0 and
///   1) is not random.
/// - Dropout: Elements are kept independently of each other, with the probability 1 - `ratio`, and then scaled by 1 /
///   (1 - ratio); the mask is 1 where they are kept. No seed defines which. Before Dropout-12 the scaling is said in
///   words only.
/// - Multinomial: Each element of a row is drawn independently, a class with a probability in proportion to the
///   exponential of its element of the input. No seed defines which.
/// - RandomNormal, RandomNormalLike, RandomUniform, RandomUniformLike: Elements are drawn, each independently of the
///   others; no seed defines them. A sample is held against its distribution as a whole, by tests that reject a right
///   one once in 1e12 times.
pub const RANDOMNESS: Label = Label::behaviour("randomness");

/// A constraint:
///
/// - Compress: The input has rank 1 at least.
/// - Gather: The data has rank 1 at least.
/// - GatherND, ScatterND: Data and indices have rank 1 at least.
/// - MatMul: Neither factor is of rank 0.
/// - MatMulInteger: `A` and `B` are of rank 1 at least.
/// - QLinearMatMul: `a` and `b` are of rank 1 at least.
/// - ArrayFeatureExtractor: `X` has rank 1 at least.
pub const RANK_AT_LEAST_ONE: Label = Label::constraint("rank-at-least-one");

/// A constraint:
///
/// - Det: `X` is of rank 2 at least.
/// - ReverseSequence, Trilu: The input has rank 2 at least.
pub const RANK_AT_LEAST_TWO: Label = Label::constraint("rank-at-least-two");

/// A constraint:
///
/// - DepthToSpace, SpaceToDepth: The input has rank 4.
/// - MaxRoiPool, RoiAlign: `X` has four dimensions.
/// - Upsample: `X` is of rank 4: a batch of images.
/// - FlexAttention: `Q`, `K` and `V` have rank 4.
pub const RANK_FOUR: Label = Label::constraint("rank-four");

/// A behaviour:
///
/// - MatMul: A list counts as a row on the left and as a column on the right, and the dimension made for it is
///   dropped again.
pub const RANK_ONE_FACTOR: Label = Label::behaviour("rank-one-factor");

/// A behaviour:
///
/// - ArrayFeatureExtractor: Of a list the published implementations make a matrix of one row; by the description a
///   list is as natural, and shape inference gives no shape. No such case is drawn.
/// - LinearRegressor: The shape for a list of features. No such case is drawn.
/// - ZipMap: A list is one row: the sequence has one map, as many as rows elsewhere. Maps have no order.
pub const RANK_ONE_INPUT: Label = Label::behaviour("rank-one-input");

/// A constraint:
///
/// - TfIdfVectorizer, LinearRegressor, Normalizer, SVMClassifier, SVMRegressor, ZipMap: `X` is of rank 1 or 2.
/// - FeatureVectorizer: Inputs are of rank 1 or 2.
/// - LinearClassifier: `X` is of rank 1 or 2; a list is one example.
pub const RANK_ONE_OR_TWO: Label = Label::constraint("rank-one-or-two");

/// A constraint:
///
/// - CausalConvWithState, Col2Im: `input` has three dimensions.
pub const RANK_THREE: Label = Label::constraint("rank-three");

/// A constraint:
///
/// - Attention: `Q`, `K` and `V` have the same rank, 3 or 4.
/// - RotaryEmbedding: `X` has rank 3 or 4.
pub const RANK_THREE_OR_FOUR: Label = Label::constraint("rank-three-or-four");

/// A constraint:
///
/// - EyeLike: The input has rank 2.
/// - Gemm: `A` and `B` are of rank 2.
/// - Multinomial: The input has two dimensions.
/// - TreeEnsemble, TreeEnsembleClassifier, TreeEnsembleRegressor: `X` is of rank 2.
pub const RANK_TWO: Label = Label::constraint("rank-two");

/// A behaviour:
///
/// - Transpose: Rank 0 and rank 1 come out as they are.
pub const RANK_ZERO_OR_ONE: Label = Label::behaviour("rank-zero-or-one");

/// A constraint:
///
/// - GatherElements, Scatter, ScatterElements: Data and indices have the same rank, 1 at least.
/// - GridSample: `X` and `grid` are of rank 4.
/// - GridSample: `X` and `grid` are of one rank, at least 3.
pub const RANKS_EQUAL: Label = Label::constraint("ranks-equal");

/// A constraint:
///
/// - Dropout: `ratio` lies in [0, 1), where elements are dropped.
pub const RATIO_ATTRIBUTE_IN_RANGE: Label = Label::constraint("ratio-attribute-in-range");

/// A constraint:
///
/// - Dropout: `ratio` lies in [0, 1), where elements are dropped.
pub const RATIO_IN_RANGE: Label = Label::constraint("ratio-in-range");

/// A constraint:
///
/// - Dropout: `ratio` is a scalar: of rank 0.
pub const RATIO_IS_SCALAR: Label = Label::constraint("ratio-is-scalar");

/// A behaviour:
///
/// - GRU, LSTM, RNN: The equations multiply with R as it stands, and with W transposed. Version 7 transposes both, as
///   published cases of earlier releases do; that is preferred.
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
/// - Attention: `q_num_heads` or `kv_num_heads` beside inputs of rank 4, which have heads of their own. No such case
///   is drawn.
pub const REDUNDANT_HEAD_COUNTS: Label = Label::behaviour("redundant-head-counts");

/// A behaviour:
///
/// - GridSample: The attribute mirrors at -1 and 1 of the grid, which without aligned corners lie half an element
///   outside, but says that index -1 has the value of index 1, which holds with aligned corners only. The published
///   case without them mirrors at the edges.
pub const REFLECTION: Label = Label::behaviour("reflection");

/// A behaviour:
///
/// - MaxRoiPool: No version says how a region is divided. As in Fast R-CNN, from where the operator comes, corners
///   are scaled and rounded, halves away from zero, and belong to the region, which is one element long at least; a
///   part goes from the quotient rounded down to that rounded up, and is cut off at the image. Roundings of corners
///   and quotients may move the ends of a part. A region with a corner that is no number may be any.
pub const REGION_DIVISION: Label = Label::behaviour("region-division");

/// A behaviour:
///
/// - Range: Elements are start + i * delta by the description, and sums of delta one after the other by the function
///   body. Either is right for floating-point numbers; for integers both are the same.
pub const REPEATED_ADDITION: Label = Label::behaviour("repeated-addition");

/// A behaviour:
///
/// - Einsum: A letter twice in one term takes the diagonal; it is summed over unless the output has it. Without an
///   output's term it never has.
pub const REPEATED_LETTERS: Label = Label::behaviour("repeated-letters");

/// A constraint:
///
/// - Tile: `repeats` is 1-D with one number for each axis.
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
/// - Resize: With tf_crop_and_resize `roi` is given, 1-D, with two elements for each axis that is resized.
pub const ROI_FITS_AXES: Label = Label::constraint("roi-fits-axes");

/// A constraint:
///
/// - MaxRoiPool: `rois` has two dimensions, of which the second has 5 elements.
/// - RoiAlign: `rois` has two dimensions, of which the second has 4 elements.
pub const ROIS_SHAPE_FITS: Label = Label::constraint("rois-shape-fits");

/// A constraint:
///
/// - RotaryEmbedding: `rotary_embedding_dim`, where it is not 0, is even and no larger than a head; where it is 0,
///   heads have an even size.
pub const ROTARY_EMBEDDING_DIM_FITS: Label = Label::constraint("rotary-embedding-dim-fits");

/// A behaviour:
///
/// - CastLike: CastLike has the attribute `round_mode`, but the Cast of its function body does not get it and rounds
///   up. Where the two differ, either is accepted.
pub const ROUND_MODE_IN_BODY: Label = Label::behaviour("round-mode-in-body");

/// A constraint:
///
/// - Cast: Where `to` is float8e8m0, `round_mode` is up, down or nearest.
/// - CastLike: Where `target_type` is of float8e8m0, `round_mode` is up, down or nearest.
pub const ROUND_MODE_KNOWN: Label = Label::constraint("round-mode-known");

/// A behaviour:
///
/// - NonMaxSuppression: The rows are a set: they may come in any order, each of them whole. Which rows there are does
///   not change. The oracle has them by batch, then by class, then by falling score.
pub const ROW_ORDER: Label = Label::behaviour("row-order");

/// A behaviour:
///
/// - BatchNormalization: The text does not say whether the running variance takes the variance of the population or
///   that of a sample, as the paper does.
/// - BatchNormalization: The variance is that of the population.
pub const RUNNING_VARIANCE: Label = Label::behaviour("running-variance");

/// A behaviour:
///
/// - Conv: SAME_UPPER and SAME_LOWER are to give as many elements as the input has, which no padding of the strides
///   allowed does. Shape inference gives the extent over the stride, rounded up, as all later versions say; so does
///   the oracle.
/// - ConvTranspose: SAME_UPPER and SAME_LOWER are to give the extent times the stride. Shape inference gives that and
///   `output_padding` besides, and more where the kernel is shorter than the stride; the oracle does not answer
///   these.
pub const SAME_OUTPUT_EXTENT: Label = Label::behaviour("same-output-extent");

/// A behaviour:
///
/// - RoiAlign: Where the size of a part is within its error of an integer, rounding decides how many samples there
///   are.
pub const SAMPLE_COUNT_ROUNDING: Label = Label::behaviour("sample-count-rounding");

/// A behaviour:
///
/// - Resize: Which position of the input an element of the output has, and how a position becomes a whole one.
///   Dividing by the scale is preferred, and in nearest mode rounding up where the extent shrinks and down elsewhere:
///   the published cases do it.
/// - Upsample: Which position of the input an element of the output has, and how a position becomes a whole one, no
///   version says. Dividing by the scale, and cutting off in nearest mode, is preferred: ONNX's cases published for
///   Resize-10 and most runtimes do it. For whole scales most readings of nearest mode agree.
pub const SAMPLE_POSITIONS: Label = Label::behaviour("sample-positions");

/// A constraint:
///
/// - Multinomial: `sample_size` is not negative.
pub const SAMPLE_SIZE_NON_NEGATIVE: Label = Label::constraint("sample-size-non-negative");

/// A constraint:
///
/// - DFT: `input` has at least two dimensions, the last of them of extent 1 (real numbers) or 2 (complex ones).
/// - STFT: `signal` is of rank 3, with a last extent of 1 (real numbers) or 2 (complex ones).
pub const SAMPLES_REAL_OR_COMPLEX: Label = Label::constraint("samples-real-or-complex");

/// A behaviour:
///
/// - QuantizeLinear: What lies outside of the range of an integer type becomes its nearest end, infinities too.
pub const SATURATION: Label = Label::behaviour("saturation");

/// A behaviour:
///
/// - BatchNormalization: What the saved variance holds is for the gradient's implementation to know: the variance is
///   preferred, others keep the inverse of the deviation.
pub const SAVED_VARIANCE: Label = Label::behaviour("saved-variance");

/// A behaviour:
///
/// - OneHot: Indices of rank 0. The description and the rank of the output have nothing against them, shape inference
///   refuses them. The oracle answers.
pub const SCALAR_INDICES: Label = Label::behaviour("scalar-indices");

/// A behaviour:
///
/// - Celu: The function body of version 12 holds alpha as a tensor of shape [1], so that a scalar X would come out
///   with shape [1]. The shape of the output is that of X by the type and shape inference; version 28 holds a scalar.
/// - NonZero: A scalar makes an output of shape [0, n], n being 1 or 0, where NumPy would have one row.
pub const SCALAR_INPUT: Label = Label::behaviour("scalar-input");

/// A behaviour:
///
/// - Size: The output is a scalar: 1 for a scalar, 0 where an extent is 0.
pub const SCALAR_OR_EMPTY_INPUT: Label = Label::behaviour("scalar-or-empty-input");

/// A behaviour:
///
/// - CumSum: The text has `axis` of rank 0, and so have the published cases now; those of older releases had a list
///   of one element, which most implementations take. No case has one.
/// - Loop: The number of the iteration and the condition are scalars, also where `M` and `cond` have a dimension; a
///   body that declares one gets one.
/// - SequenceAt, SequenceErase, SequenceInsert: The description asks for a scalar of rank 0; a published case of
///   SequenceInsert has one element in one dimension. Both are taken; no case has the latter.
/// - Adagrad, Adam, Momentum: A list of one element in place of the scalar `R` or `T`: the type variables ask for a
///   scalar, the pseudo code broadcasts one element all the same. The oracle takes the element.
pub const SCALAR_RANK: Label = Label::behaviour("scalar-rank");

/// A constraint:
///
/// - LayerNormalization: `Scale` and `B` broadcast to `X` in one direction.
/// - RMSNormalization: `scale` broadcasts to `X` in one direction.
pub const SCALE_BROADCASTS: Label = Label::constraint("scale-broadcasts");

/// A behaviour:
///
/// - LayerNormalization: `Scale` and `B` broadcast to `X` by the text. The function body flattens them, and takes
///   only those that have the shape of what is normalized.
pub const SCALE_SHAPE: Label = Label::behaviour("scale-shape");

/// A constraint:
///
/// - DequantizeLinear: `x_scale` is one number.
/// - DequantizeLinear: `x_scale` is one number, or a list as long as the extent of `x` along `axis`.
/// - DequantizeLinear: `x_scale` is one number, or a list as long as the extent of `x` along `axis`, or, where
///   `block_size` is given, has the rank of `x` and its extents beside `axis`.
/// - QLinearMatMul: `a_scale` is one number, or a list of one a row of the only matrix, or has the shape of `a` with 1
///   for the last extent; `b_scale` likewise, a column each. The text counts K of these, with shape [D1, D2, 1, K],
///   where the columns of `b` are N: taken for a slip.
/// - QuantizeLinear: `y_scale` is one number.
/// - QuantizeLinear: `y_scale` is one number, or a list as long as the extent of `x` along `axis`.
/// - QuantizeLinear: `y_scale` is one number, or a list as long as the extent of `x` along `axis`, or, where
///   `block_size` is given, has the rank of `x` and its extents beside `axis`.
pub const SCALE_SHAPE_FITS: Label = Label::constraint("scale-shape-fits");

/// A constraint:
///
/// - Resize: `scales`, or from version 11 on `sizes`, is 1-D and has one element for each axis of `X`, from version 18
///   on for each of `axes`.
/// - Upsample: There is one scale for each axis of `X`; as an input, `scales` is 1-D.
pub const SCALES_FIT_AXES: Label = Label::constraint("scales-fit-axes");

/// A constraint:
///
/// - Resize: Scales are above 0; sizes are not negative.
/// - Upsample: No scale is less than 1.
pub const SCALES_IN_RANGE: Label = Label::constraint("scales-in-range");

/// A constraint:
///
/// - Resize: Either `scales` has elements, or `sizes` is given.
/// - Resize: One of `scales` and `sizes` is given, and one only.
pub const SCALES_OR_SIZES_GIVEN: Label = Label::constraint("scales-or-sizes-given");

/// A behaviour:
///
/// - Attention: Whether queries and keys are scaled before they are multiplied, as the pattern has it, or the product
///   afterwards, where one of these overflows.
/// - QLinearMatMul: In which order the scales are applied, and whether in float32 or in their own type. What
///   overflows or vanishes in one of these ways alone is left open.
/// - FlexAttention: Whether queries and keys are scaled before they are multiplied or their product afterwards, where
///   one of these overflows.
pub const SCALING_ORDER: Label = Label::behaviour("scaling-order");

/// A constraint:
///
/// - Scan: All scanned extents are equal; in Scan-8 all batches as well, of states and of scanned inputs, which have
///   the ranks for them.
pub const SCAN_LENGTHS_EQUAL: Label = Label::constraint("scan-lengths-equal");

/// A behaviour:
///
/// - If: A branch sees the values around the node by their names, in every depth. A node of it gives no name a value
///   that has one already. Only the branch that `cond` chooses is run.
/// - Loop: The body sees the values around the node by their names. A node of it gives no name a value that has one
///   already.
/// - Scan: The description says that values of the graph around have to be passed in as states; ONNX's IR lets every
///   nested graph see them, and so does the oracle.
pub const SCOPE: Label = Label::behaviour("scope");

/// A behaviour:
///
/// - NonMaxSuppression: A score that equals `score_threshold` is not less than it: the box stays.
pub const SCORE_AT_THRESHOLD: Label = Label::behaviour("score-at-threshold");

/// A constraint:
///
/// - Squeeze: The extent of a selected axis is 1.
pub const SELECTED_EXTENTS_ARE_ONE: Label = Label::constraint("selected-extents-are-one");

/// A constraint:
///
/// - GRU, LSTM, RNN: `sequence_lens` has one length for each sequence of the batch, none negative and none beyond the
///   extent of `X`.
/// - ReverseSequence: Lengths are at least 0 and at most the extent of the time axis.
/// - Scan: `sequence_lens` has one length for each batch, from 0 to the longest.
pub const SEQUENCE_LENS_IN_RANGE: Label = Label::constraint("sequence-lens-in-range");

/// A constraint:
///
/// - ReverseSequence: `sequence_lens` is 1-D with one length for each of the batch.
pub const SEQUENCE_LENS_SHAPE_FITS: Label = Label::constraint("sequence-lens-shape-fits");

/// A constraint:
///
/// - SequenceMap: No sequence has fewer elements than the first.
pub const SEQUENCES_LONG_ENOUGH: Label = Label::constraint("sequences-long-enough");

/// A constraint:
///
/// - CenterCropPad: `shape` is 1-D and has one extent for each of `axes`.
pub const SHAPE_FITS_AXES: Label = Label::constraint("shape-fits-axes");

/// A constraint:
///
/// - Reshape: The attribute `shape` is given. The schema calls it optional, but without it there is no shape to take.
pub const SHAPE_GIVEN: Label = Label::constraint("shape-given");

/// A constraint:
///
/// - ConstantOfShape: `input` is 1-D.
pub const SHAPE_RANK_ONE: Label = Label::constraint("shape-rank-one");

/// A constraint:
///
/// - Expand: `shape` has rank 1 and no negative element: its elements are extents.
pub const SHAPE_VALID: Label = Label::constraint("shape-valid");

/// A constraint:
///
/// - Add, And, BitwiseAnd, BitwiseOr, BitwiseXor, Div, Equal, Greater, GreaterOrEqual, Less, LessOrEqual, Mod, Mul,
///   Or, Sub, Xor: The shapes of `A` and `B` broadcast together, in any direction; the output has the shape that
///   comes out.
/// - BitShift, Pow: The shapes of `X` and `Y` broadcast together, in any direction; the output has the shape that
///   comes out.
/// - Expand: The shape of `input` and the one in `shape` broadcast: aligned at the last axis, two extents are equal
///   or one of them is 1.
/// - Max, Mean, Min, Sum: The shapes of all inputs broadcast together, in any direction; the output has the shape
///   that comes out.
/// - StringConcat: The shapes of `X` and `Y` broadcast.
/// - Where: The shapes of `condition`, `X` and `Y` broadcast together, in any direction; the output has the shape
///   that comes out.
pub const SHAPES_BROADCAST: Label = Label::constraint("shapes-broadcast");

/// A constraint:
///
/// - Max, Mean, Min, Sum: All inputs have the same shape, and so does the output.
/// - SwiGLU: `A` and `B` have the same shape; nothing broadcasts.
pub const SHAPES_EQUAL: Label = Label::constraint("shapes-equal");

/// A behaviour:
///
/// - BitShift: BitShift-11 does not say what a shift by as many bits as the type has, or more, gives. C++ leaves it
///   undefined; processors shift by the low bits of the count, as many as the type or a register has, or give zero.
/// - BitShift: A shift by a negative number, or by as many bits as the type has or more, leaves nothing but copies of
///   the sign: -1 for a right shift of a negative number, else 0.
pub const SHIFT_OUT_OF_RANGE: Label = Label::behaviour("shift-out-of-range");

/// A behaviour:
///
/// - Compress: What lies beyond a condition that is too short is not selected.
pub const SHORT_CONDITION: Label = Label::behaviour("short-condition");

/// A behaviour:
///
/// - ReverseSequence: A length of 0 or 1 leaves the sequence as it is.
pub const SHORT_SEQUENCE: Label = Label::behaviour("short-sequence");

/// A behaviour:
///
/// - Mod: With `fmod` = 0 a remainder of zero has the sign of the divisor. By an infinity, a dividend of the same
///   sign stays as it is, and one of the other sign gives the divisor.
pub const SIGN_OF_DIVISOR: Label = Label::behaviour("sign-of-divisor");

/// A behaviour:
///
/// - BitwiseAnd, BitwiseOr, BitwiseXor: The description does not say how signed integers are represented. ONNX stores
///   them in two's complement, and the sign bit is one like the others.
pub const SIGNED_INTEGERS: Label = Label::behaviour("signed-integers");

/// A behaviour:
///
/// - Abs: Nothing is said about zeros. Clearing the sign bit makes -0 a +0, comparing with zero first leaves it.
/// - Add, Div, Mul, Sub: No version says which sign a result of zero has; where it is computed, either is accepted.
/// - Ceil, Floor, Round: A value that is integral already, either zero, NaN or an infinity comes out as it is: -0
///   stays -0.
/// - Ceil: The description gives the formula only, so the sign of a zero is open.
/// - Elu: At zero both branches give a zero: the element itself, or a product with alpha, whose sign may be the other
///   one. No text mentions signs of zeros.
/// - Equal, Greater, Less: Zeros of either sign are equal in IEEE 754; no version mentions them, and nothing else is
///   accepted.
/// - Floor: The description gives the formula only, so the sign of the zero that -0 becomes is open.
/// - GreaterOrEqual, LessOrEqual: Zeros of either sign are equal, so that the output is true.
/// - LeakyRelu: At zero both branches give a zero: the element itself, or its product with alpha, whose sign may be
///   the other one. No text mentions signs of zeros.
/// - Max: No version says which zero is the larger one. Where +0 and -0 meet and nothing is greater, either may come
///   out.
/// - Min: No version says which zero is the smaller one. Where +0 and -0 meet and nothing is less, either may come
///   out.
/// - Mod: With `fmod` = 1 a remainder of zero has the sign of the dividend. Where the dividend is -0 either zero is
///   right: whatever the divisor in Mod-13, which takes the case out of its rule on signs, with a positive divisor in
///   Mod-28.
/// - Mod: C's fmod, to which the description refers, gives a zero the sign of the dividend; Mod-10 itself does not
///   speak of zeros.
/// - Neg: Each element has its sign flipped: +0 becomes -0 and the other way round, as IEEE 754's negate has it. 0 -
///   x would not do that.
/// - Pow: -0 to a negative odd power is -Inf in IEEE 754. No version tells zeros apart, so either infinity is
///   accepted, as is either sign of a power of zero.
/// - ReduceMax, ReduceMin: Which of the two zeros is the larger one is not said: where both meet and nothing else
///   decides, either may come out.
/// - Relu: -0 and 0 are equal: either may come out.
/// - Selu: At zero text (x <= 0) and function body (x < 0) take different branches; both give a zero, of which the
///   sign is open.
/// - Sign: Either zero equals 0 and gives 0, of which the sign is open.
/// - Sqrt: -0 is not negative: its root is a zero. IEEE 754 keeps the sign, x^0.5 by C's pow does not.
/// - TopK: Zeros of both signs compare equal, so that their indices decide; sorting by bits puts -0 below +0. No
///   version mentions it.
/// - Unique: Zeros of both signs are equal; which of them stands for both is open, though the index of the first
///   occurrence is not.
/// - Imputer: Zeros of both signs are equal, and both are replaced where the value to replace is 0, the default.
/// - LabelEncoder: Zeros of different signs are different keys, as bits are compared.
/// - LabelEncoder: Bits are not mentioned any more, except for NaN: a zero is equal to a key that is the other zero.
pub const SIGNED_ZERO: Label = Label::behaviour("signed-zero");

/// A behaviour:
///
/// - AffineGrid: With aligned corners, positions along an axis of one element: a step would be 2 / 0. The middle is
///   preferred, as PyTorch has it, to which the text refers; the function body has -1 for a depth of one, and NaN for
///   the others. By the description -1 and 1 are the centres of the corners, which are both this element.
/// - Resize: align_corners divides zero by zero where an axis is resized to one element. The first element is
///   preferred, as with a quotient of zero; a NaN becomes the first or the last element in nearest mode, and NaN of
///   averages of floating-point numbers.
pub const SINGLE_ELEMENT_AXIS: Label = Label::behaviour("single-element-axis");

/// A behaviour:
///
/// - BlackmanWindow, HammingWindow, HannWindow: A symmetric window of one element: the function body has zero times
///   infinity, NaN, for its angle; most libraries return 1, the middle of a window.
pub const SINGLE_ELEMENT_WINDOW: Label = Label::behaviour("single-element-window");

/// A constraint:
///
/// - StringNormalizer: `X` has shape [C] or [1, C], and C is not 0.
pub const SINGLE_ROW_OF_STRINGS: Label = Label::constraint("single-row-of-strings");

/// A constraint:
///
/// - AffineGrid: `size` is 1-D: the batch of `theta`, channels, and two or three extents as `theta` has rows, none of
///   them negative.
pub const SIZE_FITS_THETA: Label = Label::constraint("size-fits-theta");

/// A behaviour:
///
/// - Add, And, Div, Equal, Greater, Less, Mul, Or, Sub, Xor: The text says that an extent of 1 among others in `B` is
///   not expanded, and the published cases test_operator_add_size1_broadcast and
///   test_operator_add_size1_singleton_broadcast expand it. Such shapes are not refused, and expanded.
/// - Einsum: Whether an extent of 1 broadcasts where the index is a letter; what becomes of dimensions under an
///   ellipsis that the output leaves out (summed over, as everything else that it leaves out).
/// - Pow: The text says that an extent of 1 among others in `Y` is not expanded, and the published cases
///   test_operator_add_size1_broadcast and test_operator_add_size1_singleton_broadcast expand it. Such shapes are not
///   refused, and expanded.
pub const SIZE_ONE_BROADCAST: Label = Label::behaviour("size-one-broadcast");

/// A constraint:
///
/// - BlackmanWindow, HammingWindow, HannWindow: `size` is one positive number.
/// - LRN: `size` is positive.
pub const SIZE_POSITIVE: Label = Label::constraint("size-positive");

/// A behaviour:
///
/// - TfIdfVectorizer: N-grams are counted for every number of skips up to `max_skip_count`; between the tokens of a
///   1-gram there is nothing to skip, and it is counted once.
pub const SKIPS: Label = Label::behaviour("skips");

/// A constraint:
///
/// - PRelu: `slope` broadcasts to the shape of `X`, which stays as it is.
pub const SLOPE_BROADCASTS: Label = Label::constraint("slope-broadcasts");

/// A constraint:
///
/// - PRelu: `slope` has one element, which all channels share; or as many as `X` has channels, in its second
///   dimension; or the shape of `X`.
pub const SLOPE_FITS_INPUT: Label = Label::constraint("slope-fits-input");

/// A behaviour:
///
/// - Attention: Scores are capped before masks are added. Causal masks end at the diagonal that `past_key` (or
///   `nonpad_kv_seqlen`) moves to the right. Mask and causal mask are added up. Releases before 1.22 added masks
///   first and capped then, with modes 1 and 2 of `qk_matmul_output_mode` the other way round; the text was corrected
///   in place.
pub const SOFTCAP_AND_MASK_ORDER: Label = Label::behaviour("softcap-and-mask-order");

/// A behaviour:
///
/// - FlexAttention: Whether values are rounded to a `softmax_precision` that is coarser than their type: the text has
///   it for the softmax, the function body multiplies with it.
pub const SOFTMAX_PRECISION: Label = Label::behaviour("softmax-precision");

/// A constraint:
///
/// - FlexAttention: `softmax_precision` is a floating-point type.
pub const SOFTMAX_PRECISION_ALLOWED: Label = Label::constraint("softmax-precision-allowed");

/// A behaviour:
///
/// - Unique: Complex numbers have no ascending order of their own. NumPy, to which the text links, compares real
///   parts, then imaginary ones; where one of them is NaN, the order is left open. Strings are compared by their
///   bytes, which is the order of code points in UTF-8; false is less than true; subtensors compare like the lists of
///   their elements.
pub const SORT_ORDER: Label = Label::behaviour("sort-order");

/// A constraint:
///
/// - Unique: `sorted` is 0 or 1.
pub const SORTED_KNOWN: Label = Label::constraint("sorted-known");

/// A behaviour:
///
/// - Constant: What a sparse value of float8e8m0 does not list: the type has no zero. The oracle does not answer it.
pub const SPARSE_FLOAT8E8M0: Label = Label::behaviour("sparse-float8e8m0");

/// A behaviour:
///
/// - Constant: A sparse value comes out dense: what it does not list is zero (false, the empty string).
pub const SPARSE_VALUE: Label = Label::behaviour("sparse-value");

/// A constraint:
///
/// - Constant: A sparse value is well formed: as many indices as values, within the shape, ascending, none twice.
pub const SPARSE_VALUE_VALID: Label = Label::constraint("sparse-value-valid");

/// A behaviour:
///
/// - BatchNormalization: With `spatial` 0 statistics are taken over the instances only, of each activation.
/// - BatchNormalization: With `spatial` 0 statistics are of each feature, but the parameters are lists of one element
///   a channel. In test mode, where parameters are given, that changes nothing; no training case is drawn.
pub const SPATIAL_STATISTICS: Label = Label::behaviour("spatial-statistics");

/// A constraint:
///
/// - Split: Either `split` or `num_outputs` is given, and not both.
pub const SPLIT_OR_NUM_OUTPUTS: Label = Label::constraint("split-or-num-outputs");

/// A constraint:
///
/// - SplitToSequence: `split` is a scalar or has one dimension.
pub const SPLIT_RANK_FITS: Label = Label::constraint("split-rank-fits");

/// A behaviour:
///
/// - Slice: What a start before the beginning takes going backwards, where the end is before the beginning as well:
///   nothing, as in NumPy, or the first element, as in Slice-13. The oracle does not answer it.
pub const START_BEFORE_BEGINNING: Label = Label::behaviour("start-before-beginning");

/// A behaviour:
///
/// - LayerNormalization: The first stage is computed in the type that `stash_type` names: elements of double lose
///   what float does not hold. An implementation that keeps more is accepted as well.
pub const STASH_PRECISION: Label = Label::behaviour("stash-precision");

/// A behaviour:
///
/// - Range: Which types `stash_type` may name for 16-bit floats but float: the function body knows double besides,
///   and the description names float only. The oracle answers both.
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
/// - StringNormalizer: Stop words are compared with the strings as they come, before case is changed; without regard
///   to case unless `is_case_sensitive` says so.
pub const STOPWORDS_CASE: Label = Label::behaviour("stopwords-case");

/// A behaviour:
///
/// - MaxPool: With `storage_order` 1, indices count columns first: within the channel, as most implementations do, or
///   through the whole tensor, batches first.
pub const STORAGE_ORDER: Label = Label::behaviour("storage-order");

/// A constraint:
///
/// - ImageDecoder: `encoded_stream` is 1-D.
pub const STREAM_RANK_ONE: Label = Label::constraint("stream-rank-one");

/// A behaviour:
///
/// - Equal: Strings are equal where all their bytes are. Equal-19 adds them without a word on case or on normal forms
///   of Unicode, so that none is applied.
pub const STRING_EQUALITY: Label = Label::behaviour("string-equality");

/// A behaviour:
///
/// - Cast, CastLike: Strings in plain and scientific notation become floats, and the literals INF, +INF, -INF and NaN
///   in any case. An integer in plain notation becomes that integer. Any other string is undefined in so many words,
///   as is a fraction to an integer type, so that it may be refused, too; an exponent to an integer type, an integer
///   out of range and strings to bool are not mentioned.
pub const STRING_TO_NUMBER: Label = Label::behaviour("string-to-number");

/// A behaviour:
///
/// - Mean: No version says in which order the inputs are added, nor in which type: one tensor after the other, each
///   sum rounded, or all of them in a wider one. Whether a sum overflows on the way depends on it; the mean, which
///   does not, is preferred.
/// - Sum: No version says in which order the inputs are added, nor in which type: one tensor after the other, each
///   sum rounded, or all of them in a wider one. Whether a sum overflows on the way depends on it.
pub const SUMMATION_ORDER: Label = Label::behaviour("summation-order");

/// A constraint:
///
/// - TreeEnsemble: Attributes that are tensors are of rank 1; `nodes_splits`, `leaf_weights` and `membership_values`
///   have the type of `X`, `nodes_modes` is uint8, `nodes_hitrates` float.
pub const TENSOR_TYPES_FIT: Label = Label::constraint("tensor-types-fit");

/// A constraint:
///
/// - Adagrad, Adam, Momentum: The tensors that belong to one that is optimized have its shape and type.
pub const TENSORS_MATCH_OPTIMIZED: Label = Label::constraint("tensors-match-optimized");

/// A constraint:
///
/// - Einsum: A term has a letter for each dimension of its input; an ellipsis stands for any number of them.
pub const TERMS_FIT_RANKS: Label = Label::constraint("terms-fit-ranks");

/// A constraint:
///
/// - AffineGrid: `theta` has shape [N, 2, 3] or [N, 3, 4].
pub const THETA_SHAPE_FITS: Label = Label::constraint("theta-shape-fits");

/// A behaviour:
///
/// - Shrink: lambd is a float32. The function body rounds it to the type of 16-bit elements before it compares;
///   comparing with lambd itself decides otherwise for the number that lambd is rounded to.
/// - ThresholdedRelu: alpha is a float32. The function body rounds it to the type of 16-bit elements before it
///   compares; comparing with alpha itself decides otherwise for the one number that alpha is rounded to, where that
///   is above alpha.
/// - Binarizer: The threshold is a float. Whether integers and doubles are compared with it as they are, or as float,
///   is not said: next to the threshold the answers differ.
/// - TreeEnsembleClassifier, TreeEnsembleRegressor: Thresholds are floats. Whether integers and doubles are compared
///   with them as they are, or as float, is not said. Tensors of doubles say that doubles are compared.
pub const THRESHOLD_PRECISION: Label = Label::behaviour("threshold-precision");

/// A behaviour:
///
/// - GRU, LSTM, RNN: ThresholdedRelu of alpha itself is alpha by the list of functions, zero by the operator of that
///   name. Both are accepted.
pub const THRESHOLDED_RELU_TIE: Label = Label::behaviour("thresholded-relu-tie");

/// A behaviour:
///
/// - ArgMax: Which of several elements that are the largest is meant is not said. The first one is preferred.
/// - ArgMax, ArgMin: Of equal elements the first one is meant, with `select_last_index` the last one. Zeros of both
///   signs are equal.
/// - ArgMin: Which of several elements that are the smallest is meant is not said. The first one is preferred.
/// - DynamicQuantizeLinear: Zero point and quotients are rounded to the nearest integer, ties to even; the quotient
///   before the zero point is added.
/// - GridSample: Halfway between two elements, which of them is the nearest. The even one is preferred, as later
///   versions have it.
/// - GridSample: Halfway between two elements the even one is the nearest.
/// - Hardmax: Of equal elements the first one is one, the others are zero. Zeros of both signs are equal.
/// - MaxPool: Which of several equal maxima `Indices` names. The first one is preferred.
/// - NonMaxSuppression: Which of several boxes of equal score is taken first. The lower index is preferred; where the
///   order decides on how many boxes are taken the oracle does not answer.
/// - QLinearConv: Where the quotient is just between two integers, the even one is preferred, as in QuantizeLinear.
/// - QLinearMatMul: The quotient is rounded to the nearest integer, ties to even, before the zero point is added, and
///   then brought into the range of the type.
/// - QuantizeLinear: The quotient is rounded to the nearest integer, ties to even, before the zero point is added.
/// - Round: Halfway between two integers the even one is taken.
/// - TopK: Of equal elements the one with the lower index comes first, both in selecting and in ordering, whether the
///   largest or the smallest are wanted.
/// - LinearClassifier, TreeEnsembleClassifier: Which label is given where several classes may have the highest score.
/// - SVMClassifier: Which label is given where several classes may win most decisions, or have the highest score.
pub const TIES: Label = Label::behaviour("ties");

/// A constraint:
///
/// - Tile: `tiles` and `axis` are one whole number each, and the axis is one of the data's.
pub const TILES_AND_AXIS_VALID: Label = Label::constraint("tiles-and-axis-valid");

/// A constraint:
///
/// - BitCast: `to` is the number of a type of T2.
/// - Cast: `to` names a type of T2 in this version: by its upper-case name in Cast-1, by its number in
///   TensorProto.DataType from 6 on.
pub const TO_TYPE_ALLOWED: Label = Label::constraint("to-type-allowed");

/// A behaviour:
///
/// - StringSplit: Without a delimiter blanks at the end are dropped; behind the last split that `maxsplit` allows the
///   rest of the string follows, which may have some. The rest as it is is preferred.
pub const TRAILING_WHITESPACE: Label = Label::behaviour("trailing-whitespace");

/// A behaviour:
///
/// - BatchNormalization: With `is_test` 0, which is the default, and `Y` alone the attribute says training and the
///   outputs say test. What the given statistics make of it is preferred, what those of the batch make is left open.
/// - BatchNormalization: A node trains exactly if it names an output besides `Y`.
/// - BatchNormalization: A node trains exactly if `training_mode` is not 0.
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
/// - Expand: Broadcasting goes in both directions: where `shape` is shorter than the rank of `input`, or holds a 1,
///   the extent of `input` stays. The shape of the output then differs from the one asked for.
pub const TWO_WAY_BROADCAST: Label = Label::behaviour("two-way-broadcast");

/// A constraint:
///
/// - Optional: `type` names a type that an optional may hold: a tensor or a sequence of tensors of an element type of
///   this version.
pub const TYPE_ALLOWED: Label = Label::constraint("type-allowed");

/// A behaviour:
///
/// - Optional: `type` is for the empty optional. What it means beside an input of another type is not said; the
///   input's own type is taken, and no case has both unless they agree.
pub const TYPE_BESIDE_INPUT: Label = Label::behaviour("type-beside-input");

/// A constraint:
///
/// - Optional: Without an input `type` is given: nothing else says what the optional would hold.
pub const TYPE_GIVEN_WITHOUT_INPUT: Label = Label::constraint("type-given-without-input");

/// A behaviour:
///
/// - Cast: float4 and float6 have no infinity for what is out of range. ONNX's pages on them say that it saturates,
///   infinities too, and that NaN becomes the largest number; the ReferenceEvaluator makes zero of NaN. The page on
///   float6 takes -0 to +0, though the type has both. Saturation is taken as right; NaN may become either, and the
///   sign of a float6 zero does not count.
/// - CastLike: float4 has no infinity for what is out of range. ONNX's page on it says that it saturates, infinities
///   too, and that NaN becomes the largest number; the ReferenceEvaluator makes zero of NaN. Saturation is taken as
///   right; NaN may become either.
/// - IsInf: float8e4m3fn, float8e4m3fnuz and float8e5m2fnuz have no infinity: every element gives false. NaN gives
///   false.
/// - QuantizeLinear: 4-bit and 6-bit floats saturate, and NaN becomes the largest number or 0, as in Cast.
pub const TYPES_WITHOUT_INFINITY: Label = Label::behaviour("types-without-infinity");

/// A behaviour:
///
/// - OneHot: Indices that are NaN, infinite or beyond int64: what the conversion gives is open.
pub const UNCONVERTIBLE_INDEX: Label = Label::behaviour("unconvertible-index");

/// A behaviour:
///
/// - Col2Im: Elements of the image in no block are 0. The zero of strings is not said.
/// - MaxUnpool: Elements without an index are zero.
pub const UNCOVERED_ELEMENTS: Label = Label::behaviour("uncovered-elements");

/// A behaviour:
///
/// - LogSoftmax: By the text the result is the logarithm of the softmax, which is minus infinity, or less precise,
///   where the softmax underflows. The function body of version 13 takes the logarithm of the sum off the difference
///   from the maximum, which does not. That is preferred.
/// - SoftmaxCrossEntropyLoss: By the text the softmax is taken first and its logarithm then, which loses what
///   underflows; the function body has LogSoftmax. The exact result is preferred.
pub const UNDERFLOW: Label = Label::behaviour("underflow");

/// A behaviour:
///
/// - Split: Where `num_outputs` does not divide the extent, every part is the quotient rounded up, and the last one
///   is what is left: 7 in 3 parts is 3, 3, 1, and 6 in 4 parts is 2, 2, 2, 0.
pub const UNEVEN_PARTS: Label = Label::behaviour("uneven-parts");

/// A behaviour:
///
/// - CategoryMapper: What is in no entry becomes the default of the output's type, `_Unused` or -1 where none is
///   given.
/// - LabelEncoder: What has no key becomes the default of the output's type: `_Unused`, -1 or -0.0 where none is
///   given. An index outside of the classes of version 1 has none, negative ones included.
/// - OneHotEncoder: An element in no category has zeros only, unless `zeros` is 0.
pub const UNKNOWN_VALUE: Label = Label::behaviour("unknown-value");

/// A behaviour:
///
/// - Dropout: Whether elements are dropped depends on a mode that neither an attribute nor an input names. Models of
///   these versions are made to infer: nothing is dropped.
pub const UNNAMED_MODE: Label = Label::behaviour("unnamed-mode");

/// A behaviour:
///
/// - Gradient: A tensor of `xs` on which `y` does not depend has the gradient zero.
pub const UNRELATED_TENSOR: Label = Label::behaviour("unrelated-tensor");

/// A behaviour:
///
/// - RotaryEmbedding: Elements behind `rotary_embedding_dim` stay as they are.
pub const UNROTATED_ELEMENTS: Label = Label::behaviour("unrotated-elements");

/// A behaviour:
///
/// - TopK: With `sorted` = 0 the K elements may come in any order, values and indices in the same. Which elements
///   they are does not change.
/// - Unique: With `sorted` = 0 the unique elements come in the order in which they occur first.
pub const UNSORTED_ORDER: Label = Label::behaviour("unsorted-order");

/// A behaviour:
///
/// - NegativeLogLikelihoodLoss: Where `weight` is not given the text takes the mean of all losses; attribute,
///   function body and published cases divide by the number of those that are not ignored, which is preferred.
/// - SoftmaxCrossEntropyLoss: Where `weights` is not given the text takes the mean of all losses; attribute, function
///   body and published cases divide by the number of those that are not ignored, which is preferred.
pub const UNWEIGHTED_MEAN: Label = Label::behaviour("unweighted-mean");

/// A constraint:
///
/// - TensorScatter: `update` has the shape of `past_cache`, but along `axis`, where it is no longer.
pub const UPDATE_FITS_CACHE: Label = Label::constraint("update-fits-cache");

/// A constraint:
///
/// - LinearAttention: `update_rule` is linear, gated, delta or gated_delta.
pub const UPDATE_RULE_KNOWN: Label = Label::constraint("update-rule-known");

/// A constraint:
///
/// - Scatter, ScatterElements: Updates have the shape of the indices.
/// - ScatterND: Updates have the extents of the indices but the last, followed by those of the data that indices do
///   not cover.
pub const UPDATES_SHAPE_FITS: Label = Label::constraint("updates-shape-fits");

/// A constraint:
///
/// - ConstantOfShape: `value` has one element.
pub const VALUE_HAS_ONE_ELEMENT: Label = Label::constraint("value-has-one-element");

/// A behaviour:
///
/// - ConstantOfShape: A `value` of one element that is not of shape [1]. The description asks for one element, shape
///   inference for rank 1. The oracle looks at the number only.
pub const VALUE_RANK: Label = Label::behaviour("value-rank");

/// A constraint:
///
/// - Constant: The type of the value is one that T has in this version.
/// - ConstantOfShape: The type of `value` is one that T2 has in this version.
pub const VALUE_TYPE_ALLOWED: Label = Label::constraint("value-type-allowed");

/// A constraint:
///
/// - Imputer: It is the one for floats where `X` holds floats, the one for integers where it holds integers.
pub const VALUE_TYPE_FITS: Label = Label::constraint("value-type-fits");

/// A constraint:
///
/// - OneHot: `values` has shape [2].
pub const VALUES_ARE_PAIR: Label = Label::constraint("values-are-pair");

/// A constraint:
///
/// - LabelEncoder: `classes_strings` is given.
/// - LabelEncoder: Just one of the `values_` attributes is given.
pub const VALUES_GIVEN: Label = Label::constraint("values-given");

/// A constraint:
///
/// - Imputer: Its values lie in the range of the type of `X`.
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
/// - DictVectorizer: It has the type of the keys.
pub const VOCABULARY_TYPE_FITS: Label = Label::constraint("vocabulary-type-fits");

/// A constraint:
///
/// - TreeEnsemble: `leaf_weights` and `leaf_targetids` have the same length.
/// - TreeEnsembleClassifier: The `class_` attributes have the same length.
/// - TreeEnsembleRegressor: The `target_` attributes have the same length.
pub const VOTE_LISTS_EQUAL_LENGTH: Label = Label::constraint("vote-lists-equal-length");

/// A constraint:
///
/// - TreeEnsemble: The targets of leaves lie in [0, n_targets - 1], and there is one.
/// - TreeEnsembleClassifier: Votes are for one of the labels, and there is one.
/// - TreeEnsembleRegressor: Votes are for targets in [0, n_targets - 1], and there is one.
pub const VOTES_IN_RANGE: Label = Label::constraint("votes-in-range");

/// A constraint:
///
/// - ConvInteger: `w_zero_point` is one number, or 1-D with one for each output channel.
/// - QLinearConv: Scale and zero point of `w` are one number, or 1-D with one for each output channel.
pub const W_QUANTIZATION_PER_CHANNEL: Label = Label::constraint("w-quantization-per-channel");

/// A constraint:
///
/// - CausalConvWithState: `weight` has one kernel for each channel: (channels, 1, k) with k at least 1.
pub const WEIGHT_SHAPE_FITS: Label = Label::constraint("weight-shape-fits");

/// A constraint:
///
/// - TfIdfVectorizer: There is a weight for each n-gram, where weights are given.
pub const WEIGHTS_FIT_POOL: Label = Label::constraint("weights-fit-pool");

/// A behaviour:
///
/// - StringSplit: Which characters are blanks: those of ASCII are; others are not drawn.
pub const WHITESPACE_CHARACTERS: Label = Label::behaviour("whitespace-characters");

/// A behaviour:
///
/// - Pad: What a reflection is that is wider than the data less one, so that it would have to be reflected again.
///   NumPy's pad, to which the description refers, goes on at both ends as often as it takes and repeats a single
///   element, and so does the oracle; other libraries refuse it.
pub const WIDE_REFLECTION: Label = Label::behaviour("wide-reflection");

/// A behaviour:
///
/// - Pad: Wrapping goes round as often as it takes.
pub const WIDE_WRAPPING: Label = Label::behaviour("wide-wrapping");

/// A constraint:
///
/// - AveragePool, LpPool, MaxPool: `kernel_shape`, `strides` and `dilations`, where given, hold one positive number
///   for each spatial axis; `pads` holds two that are not negative.
/// - Col2Im, Conv, ConvInteger, DeformConv, QLinearConv: `strides` and `dilations`, where given, hold one positive
///   number for each spatial axis; `pads` holds two that are not negative.
/// - ConvTranspose: `strides` and `dilations`, where given, hold one positive number for each spatial axis,
///   `output_padding` and `output_shape` one that is not negative, `pads` two.
/// - MaxUnpool: `kernel_shape` and `strides`, where given, hold one positive number for each spatial axis; `pads`
///   holds two that are not negative.
pub const WINDOW_ATTRIBUTES_VALID: Label = Label::constraint("window-attributes-valid");

/// A constraint:
///
/// - AveragePool, Conv, ConvInteger, DeformConv, LpPool, MaxPool, QLinearConv: The formula for the output gives no
///   negative extent: with dilations, a window is no longer than an axis with its padding and its stride.
pub const WINDOW_FITS_AXIS: Label = Label::constraint("window-fits-axis");

/// A constraint:
///
/// - STFT: `window` is of rank 1, and of the extent `frame_length` where that is given.
pub const WINDOW_FITS_FRAME: Label = Label::constraint("window-fits-frame");

/// A behaviour:
///
/// - AveragePool, Conv, ConvInteger, DeformConv, LpPool, MaxPool, QLinearConv: Of a window that is longer than an
///   axis with its padding, by no more than the stride, there is none by the formula, which rounds down. Shape
///   inference divides towards zero, and has one where the stride is above 1; implementations refuse it. The oracle
///   gives no answer, and no case has one.
pub const WINDOW_JUST_TOO_LONG: Label = Label::behaviour("window-just-too-long");

/// A constraint:
///
/// - TensorScatter: In linear mode, each write index is at least 0, and with the length of the update no more than
///   that of the cache.
pub const WRITE_INDICES_IN_RANGE: Label = Label::constraint("write-indices-in-range");

/// A constraint:
///
/// - TensorScatter: `write_indices` has one element a batch.
pub const WRITE_INDICES_PER_BATCH: Label = Label::constraint("write-indices-per-batch");

/// A constraint:
///
/// - Gradient: `xs`, `zs` and constants determine `y`.
pub const XS_DETERMINE_Y: Label = Label::constraint("xs-determine-y");

/// A constraint:
///
/// - QLinearMatMul: `y_scale` and `y_zero_point` are one number each: rows are spoken of for `a` only, columns for
///   `b`.
pub const Y_QUANTIZATION_PER_TENSOR: Label = Label::constraint("y-quantization-per-tensor");

/// A behaviour:
///
/// - Celu: alpha = 0 divides by zero; nothing is said about it. By the steps of the formula and of the function body 0
///   times infinity is NaN, and what is left is max(0, x).
pub const ZERO_ALPHA: Label = Label::behaviour("zero-alpha");

/// A behaviour:
///
/// - Reshape: 0 copies the extent that the data has at the same place.
/// - Reshape: 0 copies the extent that the data has at the same place, unless `allowzero` is set: then it is an
///   extent of 0.
pub const ZERO_COPIES_EXTENT: Label = Label::behaviour("zero-copies-extent");

/// A behaviour:
///
/// - Range: A `delta` of 0: the number of elements is a quotient by it. The oracle gives no answer, and no case has
///   one.
pub const ZERO_DELTA: Label = Label::behaviour("zero-delta");

/// A behaviour:
///
/// - Mod: Mod-10 says of a dividend of zero that the result depends on the platform, and means, in all likelihood,
///   the divisor. Of floats both are left open: by the rule the remainder of zero is zero, and that by zero is NaN.
///   Of an integer zero nothing else than zero can come out; for a divisor of zero see `division-by-zero`.
pub const ZERO_DIVIDEND: Label = Label::behaviour("zero-dividend");

/// A behaviour:
///
/// - Expand: An extent of 0 against 1 gives 0, and the output has no elements; an empty `shape` leaves `input` as it
///   is.
pub const ZERO_EXTENT: Label = Label::behaviour("zero-extent");

/// A behaviour:
///
/// - LpNormalization: Where all elements are zero, so is the result.
/// - Normalizer: A row whose divisor is zero stays as it is, converted to float.
pub const ZERO_NORM: Label = Label::behaviour("zero-norm");

/// A behaviour:
///
/// - NonZero: Which strings are zero. The oracle takes the empty one.
/// - Trilu: What zero is for strings. The oracle prefers the empty one.
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
/// - DynamicQuantizeLinear: Where all elements are 0, or there are none, the scale is 0 by the formula, and quotients
///   by it are NaN, which become an end of the range. The ReferenceEvaluator takes 1 / 255 for the scale, others 1.
pub const ZERO_RANGE: Label = Label::behaviour("zero-range");

/// A behaviour:
///
/// - Tile: 0 copies along an axis make an output without elements.
pub const ZERO_REPEATS: Label = Label::behaviour("zero-repeats");

/// A behaviour:
///
/// - MeanVarianceNormalization: By the formula what has no variance is divided by zero; the function body adds 1e-9
///   to the deviation, which the formula does not have. The latter is preferred.
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
    AXES_UNIQUE,
    AXIS_IN_RANGE,
    AXIS_IS_SCALAR,
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
    CEIL_MODE,
    CHANNELS_BEYOND_EDGE,
    CHANNELS_FIT_GROUPS,
    CLASS_WEIGHTS_FIT,
    CLIP,
    CMYK,
    COEFFICIENT_PRECISION,
    COEFFICIENTS_FIT,
    COND_HAS_ONE_ELEMENT,
    CONDITION_FITS_EXTENT,
    CONDITION_RANK_ONE,
    CONSTANT_VALUE_IS_SCALAR,
    CONVERSION,
    COORDINATE_ORDER,
    COORDINATE_SHIFT,
    COPIED_EXTENT_EXISTS,
    COUNT_INCLUDE_PAD,
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
    EMPTY_SHAPE,
    EMPTY_STRING,
    EMPTY_SUM,
    EMPTY_VALUES,
    EMPTY_WINDOW,
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
    LISTS_FIT_SCAN_INPUTS,
    LOCALE,
    LONG_CONDITION,
    LONGER_SEQUENCES,
    LOOP_CONDITION,
    LOSSY_JPEG2000,
    LOSSY_WEBP,
    M_AND_COND_SCALAR,
    MASK_OF_ONE_KEY,
    MASK_SHAPE_FITS,
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
    ONESIDED_INVERSE,
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
    OVERLAP_ROUNDING,
    P_KNOWN,
    PADDING_TIMES_INFINITY,
    PADDING_VALUE,
    PADS_FIT_AXES,
    PADS_ORDER,
    PADS_WITHOUT_AUTO_PAD,
    PARAMETER_SHAPES_FIT,
    PARAMETERS_ARE_SCALARS,
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
    SCALE_SHAPE,
    SCALE_SHAPE_FITS,
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
    UNEVEN_PARTS,
    UNKNOWN_VALUE,
    UNNAMED_MODE,
    UNRELATED_TENSOR,
    UNROTATED_ELEMENTS,
    UNSORTED_ORDER,
    UNWEIGHTED_MEAN,
    UPDATE_FITS_CACHE,
    UPDATE_RULE_KNOWN,
    UPDATES_SHAPE_FITS,
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

//! The names of the rules of all operators. Their texts are in `specs/onnx`.
//!
//! Written by `cargo xtask generate`; not edited by hand.

crate::label::labels! {
    /// A constraint of MatMulInteger
    A_ZERO_POINT_FITS = constraint "a-zero-point-fits";
    /// A behaviour of TfIdfVectorizer
    ABSENT_N_GRAMS = behaviour "absent-n-grams";
    /// A behaviour of ConvInteger, MatMulInteger, QLinearConv, QLinearMatMul
    ACCUMULATOR_OVERFLOW = behaviour "accumulator-overflow";
    /// A behaviour of GRU, LSTM, RNN
    ACTIVATION_CONSTANTS = behaviour "activation-constants";
    /// A constraint of CausalConvWithState
    ACTIVATION_KNOWN = constraint "activation-known";
    /// A constraint of GRU, LSTM, RNN
    ACTIVATIONS_KNOWN = constraint "activations-known";
    /// A behaviour of StringNormalizer
    ALL_STRINGS_DROPPED = behaviour "all-strings-dropped";
    /// A constraint of Reshape
    ALLOWZERO_WITHOUT_INFERENCE = constraint "allowzero-without-inference";
    /// A behaviour of ImageDecoder
    ALPHA_AND_BIT_DEPTH = behaviour "alpha-and-bit-depth";
    /// A constraint of Gelu
    APPROXIMATE_KNOWN = constraint "approximate-known";
    /// A constraint of Attention
    ATTN_MASK_BROADCASTS = constraint "attn-mask-broadcasts";
    /// A constraint of Attention, CastMap, TreeEnsemble, TreeEnsembleClassifier, TreeEnsembleRegressor
    ATTRIBUTE_VALUES_KNOWN = constraint "attribute-values-known";
    /// A constraint of AveragePool, Conv, ConvInteger, ConvTranspose, LpPool, MaxPool, QLinearConv
    AUTO_PAD_KNOWN = constraint "auto-pad-known";
    /// A behaviour of AveragePool
    AUTO_PAD_ROUNDING = behaviour "auto-pad-rounding";
    /// A behaviour of TreeEnsemble, TreeEnsembleRegressor
    AVERAGE_DIVISOR = behaviour "average-divisor";
    /// A constraint of ReverseSequence
    AXES_ARE_FIRST_TWO = constraint "axes-are-first-two";
    /// A constraint of CenterCropPad, MeanVarianceNormalization, Pad, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum, ReduceSumSquare, Resize, Scan, Slice, Squeeze, Unsqueeze
    AXES_IN_RANGE = constraint "axes-in-range";
    /// A behaviour of Unsqueeze
    AXES_ORDER = behaviour "axes-order";
    /// A constraint of Pad, Squeeze, Unsqueeze
    AXES_RANK_ONE = constraint "axes-rank-one";
    /// A constraint of Unsqueeze
    AXES_UNIQUE = constraint "axes-unique";
    /// A behaviour of LayerNormalization
    AXIS_BEHIND_LAST = behaviour "axis-behind-last";
    /// A constraint of ArgMax, ArgMin, Compress, Concat, ConcatFromSequence, CumProd, CumSum, DFT, DequantizeLinear, Flatten, Gather, GatherElements, Hardmax, LayerNormalization, LogSoftmax, LpNormalization, OneHot, QuantizeLinear, RMSNormalization, Scatter, ScatterElements, Softmax, Split, SplitToSequence, TensorScatter, TopK, Unique
    AXIS_IN_RANGE = constraint "axis-in-range";
    /// A constraint of CumProd, CumSum
    AXIS_IS_SCALAR = constraint "axis-is-scalar";
    /// A behaviour of DequantizeLinear, QuantizeLinear
    AXIS_OF_A_VECTOR = behaviour "axis-of-a-vector";
    /// A constraint of MatMulInteger
    B_ZERO_POINT_FITS = constraint "b-zero-point-fits";
    /// A behaviour of Scan
    BACKWARD_SHORT_SEQUENCE = behaviour "backward-short-sequence";
    /// A behaviour of GRU, LSTM, RNN
    BACKWARD_STEPS = behaviour "backward-steps";
    /// A behaviour of TreeEnsembleClassifier, TreeEnsembleRegressor
    BASE_VALUE_ORDER = behaviour "base-value-order";
    /// A constraint of TreeEnsembleClassifier, TreeEnsembleRegressor
    BASE_VALUES_FIT = constraint "base-values-fit";
    /// A constraint of GatherND
    BATCH_DIMS_IN_RANGE = constraint "batch-dims-in-range";
    /// A constraint of GatherND
    BATCH_EXTENTS_EQUAL = constraint "batch-extents-equal";
    /// A constraint of RoiAlign
    BATCH_INDICES_FIT_ROIS = constraint "batch-indices-fit-rois";
    /// A constraint of MaxRoiPool, RoiAlign
    BATCH_INDICES_IN_RANGE = constraint "batch-indices-in-range";
    /// A constraint of MatMul, MatMulInteger, QLinearMatMul
    BATCH_SHAPES_BROADCAST = constraint "batch-shapes-broadcast";
    /// A constraint of LinearAttention
    BETA_FITS = constraint "beta-fits";
    /// A behaviour of AveragePool
    BEYOND_PADDING = behaviour "beyond-padding";
    /// A behaviour of GRU, LSTM, RNN, Scan
    BEYOND_SEQUENCE_LENGTH = behaviour "beyond-sequence-length";
    /// A behaviour of Clip
    BFLOAT16_BODY = behaviour "bfloat16-body";
    /// A constraint of GRU, LSTM, RNN
    BIAS_AND_STATE_FIT = constraint "bias-and-state-fit";
    /// A constraint of FastGelu
    BIAS_BROADCASTS = constraint "bias-broadcasts";
    /// A constraint of CausalConvWithState, Conv, ConvTranspose, DeformConv, QLinearConv
    BIAS_FITS_CHANNELS = constraint "bias-fits-channels";
    /// A behaviour of FastGelu
    BIAS_SHAPE = behaviour "bias-shape";
    /// A behaviour of MelWeightMatrix
    BIN_POSITIONS = behaviour "bin-positions";
    /// A behaviour of SVMClassifier
    BINARY_DECISION = behaviour "binary-decision";
    /// A behaviour of LinearClassifier, TreeEnsembleClassifier
    BINARY_SCORES = behaviour "binary-scores";
    /// A constraint of BitCast
    BIT_WIDTHS_EQUAL = constraint "bit-widths-equal";
    /// A constraint of DequantizeLinear, QuantizeLinear
    BLOCK_SIZE_NON_NEGATIVE = constraint "block-size-non-negative";
    /// A constraint of DequantizeLinear, QuantizeLinear
    BLOCKS_COVER_AXIS = constraint "blocks-cover-axis";
    /// A constraint of Col2Im
    BLOCKS_FIT_IMAGE = constraint "blocks-fit-image";
    /// A constraint of DepthToSpace
    BLOCKSIZE_DIVIDES_DEPTH = constraint "blocksize-divides-depth";
    /// A constraint of SpaceToDepth
    BLOCKSIZE_DIVIDES_EXTENTS = constraint "blocksize-divides-extents";
    /// A constraint of DepthToSpace, SpaceToDepth
    BLOCKSIZE_POSITIVE = constraint "blocksize-positive";
    /// A constraint of Loop, Scan, SequenceMap
    BODY_FITS_NODE = constraint "body-fits-node";
    /// A behaviour of ReduceL2
    BODY_PRECISION = behaviour "body-precision";
    /// A behaviour of BitCast
    BOOL_BITS = behaviour "bool-bits";
    /// A behaviour of Cast, CastLike
    BOOL_CONVERSION = behaviour "bool-conversion";
    /// A behaviour of ReduceMax, ReduceMin
    BOOL_ORDER = behaviour "bool-order";
    /// A constraint of CategoryMapper
    BOTH_LISTS_GIVEN = constraint "both-lists-given";
    /// A constraint of Clip
    BOUNDS_ARE_SCALARS = constraint "bounds-are-scalars";
    /// A constraint of NonMaxSuppression
    BOXES_MATCH_SCORES = constraint "boxes-match-scores";
    /// A constraint of If
    BRANCH_OUTPUTS_FIT = constraint "branch-outputs-fit";
    /// A constraint of If
    BRANCH_SHAPES_EQUAL = constraint "branch-shapes-equal";
    /// A constraint of If
    BRANCH_TYPES_EQUAL = constraint "branch-types-equal";
    /// A constraint of TreeEnsemble, TreeEnsembleClassifier, TreeEnsembleRegressor
    BRANCHES_FORM_TREES = constraint "branches-form-trees";
    /// A constraint of Gemm
    C_BROADCASTS = constraint "c-broadcasts";
    /// A constraint of RotaryEmbedding
    CACHE_SHAPES_FIT = constraint "cache-shapes-fit";
    /// A constraint of Loop
    CARRIED_TYPES_KEPT = constraint "carried-types-kept";
    /// A constraint of StringNormalizer
    CASE_CHANGE_ACTION_KNOWN = constraint "case-change-action-known";
    /// A constraint of OneHotEncoder
    CATEGORY_TYPE_FITS = constraint "category-type-fits";
    /// A behaviour of Attention
    CAUSAL_DIAGONAL = behaviour "causal-diagonal";
    /// A behaviour of Attention
    CAUSAL_UPPER_LEFT = behaviour "causal-upper-left";
    /// A behaviour of AveragePool, LpPool, MaxPool
    CEIL_MODE = behaviour "ceil-mode";
    /// A behaviour of LRN
    CHANNELS_BEYOND_EDGE = behaviour "channels-beyond-edge";
    /// A constraint of Conv, ConvInteger, ConvTranspose, DeformConv, QLinearConv
    CHANNELS_FIT_GROUPS = constraint "channels-fit-groups";
    /// A behaviour of TensorScatter
    CIRCULAR_AXIS = behaviour "circular-axis";
    /// A behaviour of TensorScatter
    CIRCULAR_LEADING_AXES = behaviour "circular-leading-axes";
    /// A constraint of NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss
    CLASS_WEIGHTS_FIT = constraint "class-weights-fit";
    /// A behaviour of GRU, LSTM, RNN
    CLIP = behaviour "clip";
    /// A behaviour of GRU, LSTM, RNN
    CLIP_OUT_OF_RANGE = behaviour "clip-out-of-range";
    /// A behaviour of ImageDecoder
    CMYK = behaviour "cmyk";
    /// A behaviour of Gelu, HardSwish, FastGelu
    COEFFICIENT_PRECISION = behaviour "coefficient-precision";
    /// A constraint of LinearClassifier, LinearRegressor
    COEFFICIENTS_FIT = constraint "coefficients-fit";
    /// A constraint of If
    COND_HAS_ONE_ELEMENT = constraint "cond-has-one-element";
    /// A behaviour of If
    COND_OF_OTHER_SIZE = behaviour "cond-of-other-size";
    /// A constraint of Compress
    CONDITION_FITS_EXTENT = constraint "condition-fits-extent";
    /// A constraint of Compress
    CONDITION_RANK_ONE = constraint "condition-rank-one";
    /// A constraint of Pad
    CONSTANT_VALUE_IS_SCALAR = constraint "constant-value-is-scalar";
    /// A behaviour of CastMap, FeatureVectorizer, OneHotEncoder
    CONVERSION = behaviour "conversion";
    /// A behaviour of AffineGrid
    COORDINATE_ORDER = behaviour "coordinate-order";
    /// A behaviour of RoiAlign
    COORDINATE_SHIFT = behaviour "coordinate-shift";
    /// A constraint of Reshape
    COPIED_EXTENT_EXISTS = constraint "copied-extent-exists";
    /// A behaviour of AveragePool
    COUNT_INCLUDE_PAD = behaviour "count-include-pad";
    /// A behaviour of Clip
    CROSSED_BOUNDS = behaviour "crossed-bounds";
    /// A behaviour of GridSample
    CUBIC_COEFFICIENT = behaviour "cubic-coefficient";
    /// A constraint of ArgMax, ArgMin
    DATA_NOT_EMPTY = constraint "data-not-empty";
    /// A constraint of LinearAttention
    DECAY_FITS = constraint "decay-fits";
    /// A behaviour of SVMClassifier, SVMRegressor
    DECISION_FUNCTION = behaviour "decision-function";
    /// A behaviour of SVMClassifier
    DECISION_SCORES = behaviour "decision-scores";
    /// A behaviour of Slice
    DEFAULT_AXES = behaviour "default-axes";
    /// A behaviour of Compress, Concat, Split
    DEFAULT_AXIS = behaviour "default-axis";
    /// A behaviour of Clip
    DEFAULT_BOUND = behaviour "default-bound";
    /// A behaviour of GRU, LSTM, RNN
    DEFAULT_CONSTANTS = behaviour "default-constants";
    /// A behaviour of EyeLike
    DEFAULT_DTYPE = behaviour "default-dtype";
    /// A behaviour of LpPool
    DEFAULT_KERNEL_SHAPE = behaviour "default-kernel-shape";
    /// A behaviour of NonMaxSuppression
    DEFAULT_MAX_BOXES = behaviour "default-max-boxes";
    /// A behaviour of CausalConvWithState
    DEFAULT_PAST_STATE = behaviour "default-past-state";
    /// A behaviour of Transpose
    DEFAULT_PERM = behaviour "default-perm";
    /// A constraint of LabelEncoder
    DEFAULT_TENSOR_FITS = constraint "default-tensor-fits";
    /// A behaviour of ConstantOfShape
    DEFAULT_VALUE = behaviour "default-value";
    /// A behaviour of NonMaxSuppression
    DEGENERATE_BOXES = behaviour "degenerate-boxes";
    /// A behaviour of Multinomial, RandomNormal, RandomNormalLike, RandomUniform, RandomUniformLike
    DEGENERATE_DISTRIBUTION = behaviour "degenerate-distribution";
    /// A behaviour of RoiAlign
    DEGENERATE_REGIONS = behaviour "degenerate-regions";
    /// A behaviour of QLinearConv
    DEGENERATE_SCALE = behaviour "degenerate-scale";
    /// A behaviour of OneHot
    DEPTH_OF_RANK_ONE = behaviour "depth-of-rank-one";
    /// A behaviour of DepthToSpace, SpaceToDepth
    DEPTH_ORDER = behaviour "depth-order";
    /// A constraint of OneHot
    DEPTH_VALID = constraint "depth-valid";
    /// A behaviour of DFT
    DFT_LENGTH = behaviour "dft-length";
    /// A constraint of DFT
    DFT_LENGTH_POSITIVE = constraint "dft-length-positive";
    /// A behaviour of EyeLike, Trilu
    DIAGONAL_OUTSIDE = behaviour "diagonal-outside";
    /// A behaviour of Gradient
    DIFFERENTIABLE_OPERATORS = behaviour "differentiable-operators";
    /// A constraint of BitShift, GRU, LSTM, RNN
    DIRECTION_KNOWN = constraint "direction-known";
    /// A constraint of Scan
    DIRECTIONS_KNOWN = constraint "directions-known";
    /// A behaviour of Div, LpNormalization, Mod, Reciprocal
    DIVISION_BY_ZERO = behaviour "division-by-zero";
    /// A behaviour of QuantizeLinear
    DIVISION_PRECISION = behaviour "division-precision";
    /// A constraint of Bernoulli, EyeLike, Multinomial, RandomNormal, RandomNormalLike, RandomUniform, RandomUniformLike, SequenceEmpty
    DTYPE_ALLOWED = constraint "dtype-allowed";
    /// A behaviour of CenterCropPad, MeanVarianceNormalization, Pad, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum, ReduceSumSquare, Resize, Slice, Squeeze
    DUPLICATE_AXES = behaviour "duplicate-axes";
    /// A behaviour of MaxUnpool, Scatter, ScatterElements, ScatterND, TfIdfVectorizer
    DUPLICATE_INDICES = behaviour "duplicate-indices";
    /// A behaviour of CategoryMapper, DictVectorizer, LabelEncoder, OneHotEncoder, ZipMap
    DUPLICATE_KEYS = behaviour "duplicate-keys";
    /// A constraint of MelWeightMatrix
    EDGES_IN_ORDER = constraint "edges-in-order";
    /// A behaviour of Range
    ELEMENT_COUNT_ROUNDING = behaviour "element-count-rounding";
    /// A constraint of Reshape
    ELEMENT_COUNTS_EQUAL = constraint "element-counts-equal";
    /// A constraint of SequenceInsert
    ELEMENT_TYPE_FITS = constraint "element-type-fits";
    /// A constraint of OneHotEncoder
    ELEMENTS_IN_CATEGORIES = constraint "elements-in-categories";
    /// A constraint of Einsum
    ELLIPSES_BROADCAST = constraint "ellipses-broadcast";
    /// A behaviour of MeanVarianceNormalization, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum, ReduceSumSquare, Squeeze, Unsqueeze
    EMPTY_AXES = behaviour "empty-axes";
    /// A behaviour of ArgMax, ArgMin, Concat, Pad, Resize, Slice, SplitToSequence
    EMPTY_AXIS = behaviour "empty-axis";
    /// A behaviour of SplitToSequence
    EMPTY_CHUNK = behaviour "empty-chunk";
    /// A behaviour of GridSample, Unique
    EMPTY_INPUT = behaviour "empty-input";
    /// A behaviour of Split
    EMPTY_LAST_PARTS = behaviour "empty-last-parts";
    /// A behaviour of Det
    EMPTY_MATRIX = behaviour "empty-matrix";
    /// A behaviour of NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss
    EMPTY_MEAN = behaviour "empty-mean";
    /// A behaviour of OptionalGetElement
    EMPTY_OPTIONAL = behaviour "empty-optional";
    /// A behaviour of GlobalAveragePool, GlobalLpPool, GlobalMaxPool, LayerNormalization, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum, ReduceSumSquare
    EMPTY_REDUCTION = behaviour "empty-reduction";
    /// A behaviour of ConcatFromSequence, GRU, LSTM, RNN, Scan, SequenceMap
    EMPTY_SEQUENCE = behaviour "empty-sequence";
    /// A behaviour of ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum, ReduceSumSquare
    EMPTY_SET_UNMENTIONED = behaviour "empty-set-unmentioned";
    /// A behaviour of ConstantOfShape, Reshape
    EMPTY_SHAPE = behaviour "empty-shape";
    /// A behaviour of RegexFullMatch, StringSplit
    EMPTY_STRING = behaviour "empty-string";
    /// A behaviour of Conv, Gemm, MatMul
    EMPTY_SUM = behaviour "empty-sum";
    /// A behaviour of Identity
    EMPTY_VALUES = behaviour "empty-values";
    /// A behaviour of AveragePool, LpPool, MaxPool, MaxRoiPool
    EMPTY_WINDOW = behaviour "empty-window";
    /// A behaviour of NonMaxSuppression
    EQUAL_OVERLAP = behaviour "equal-overlap";
    /// A constraint of Einsum
    EQUATION_WELL_FORMED = constraint "equation-well-formed";
    /// A behaviour of LRN
    EVEN_SIZE = behaviour "even-size";
    /// A behaviour of Identity
    EXACT_COPY = behaviour "exact-copy";
    /// A behaviour of CumProd, CumSum
    EXCLUSIVE = behaviour "exclusive";
    /// A behaviour of GlobalLpPool, LpPool
    EXPONENT_BELOW_ONE = behaviour "exponent-below-one";
    /// A behaviour of Resize, Upsample
    EXTENT_ROUNDING = behaviour "extent-rounding";
    /// A constraint of CenterCropPad, ConstantOfShape, RandomNormal, RandomUniform, Reshape
    EXTENTS_NON_NEGATIVE = constraint "extents-non-negative";
    /// A behaviour of GridSample
    FAR_POSITIONS = behaviour "far-positions";
    /// A constraint of TreeEnsemble, TreeEnsembleClassifier, TreeEnsembleRegressor
    FEATURES_IN_RANGE = constraint "features-in-range";
    /// A behaviour of StringSplit
    FEWER_SUBSTRINGS = behaviour "fewer-substrings";
    /// A behaviour of Resize
    FILTER_NORMALIZATION = behaviour "filter-normalization";
    /// A constraint of FeatureVectorizer
    FIRST_EXTENTS_EQUAL = constraint "first-extents-equal";
    /// A behaviour of Cast, CastLike
    FLOAT_OUT_OF_RANGE = behaviour "float-out-of-range";
    /// A behaviour of Cast, CastLike, QuantizeLinear
    FLOAT_ROUNDING = behaviour "float-rounding";
    /// A behaviour of Cast, CastLike, QLinearMatMul, QuantizeLinear
    FLOAT8_SATURATION = behaviour "float8-saturation";
    /// A behaviour of Cast, CastLike
    FLOAT8E8M0 = behaviour "float8e8m0";
    /// A constraint of TreeEnsembleClassifier, TreeEnsembleRegressor
    FLOATS_OR_DOUBLES_GIVEN = constraint "floats-or-doubles-given";
    /// A constraint of Mod
    FMOD_KNOWN = constraint "fmod-known";
    /// A constraint of Mod
    FMOD_SET_FOR_FLOATS = constraint "fmod-set-for-floats";
    /// A behaviour of Ceil, Round
    FRACTION_TO_ZERO = behaviour "fraction-to-zero";
    /// A behaviour of Resize
    FRACTIONAL_EXTENT = behaviour "fractional-extent";
    /// A behaviour of OneHot
    FRACTIONAL_INDEX = behaviour "fractional-index";
    /// A constraint of STFT
    FRAME_FITS_SIGNAL = constraint "frame-fits-signal";
    /// A behaviour of STFT
    FRAME_LENGTH_OPEN = behaviour "frame-length-open";
    /// A constraint of STFT
    FRAME_STEP_POSITIVE = constraint "frame-step-positive";
    /// A behaviour of Attention, FlexAttention
    FULLY_MASKED_ROW = behaviour "fully-masked-row";
    /// A behaviour of ImageDecoder
    GRAYSCALE_CONVERSION = behaviour "grayscale-conversion";
    /// A constraint of GridSample
    GRID_SHAPE_FITS = constraint "grid-shape-fits";
    /// A constraint of GroupNormalization
    GROUPS_DIVIDE_CHANNELS = constraint "groups-divide-channels";
    /// A constraint of Attention, LinearAttention, RotaryEmbedding
    HEAD_COUNTS_DIVIDE = constraint "head-counts-divide";
    /// A behaviour of NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss
    IGNORED_LABELS = behaviour "ignored-labels";
    /// A constraint of Col2Im
    IMAGE_BLOCK_SHAPES_VALID = constraint "image-block-shapes-valid";
    /// A behaviour of STFT
    INCOMPLETE_FRAME = behaviour "incomplete-frame";
    /// A constraint of GatherND, ScatterND
    INDEX_LENGTH_FITS_RANK = constraint "index-length-fits-rank";
    /// A behaviour of OneHot
    INDEX_OUT_OF_RANGE = behaviour "index-out-of-range";
    /// A constraint of GatherElements, Scatter, ScatterElements
    INDICES_FIT_DATA = constraint "indices-fit-data";
    /// A constraint of Gather, GatherElements, GatherND, MaxUnpool, Scatter, ScatterElements, ScatterND, ArrayFeatureExtractor
    INDICES_IN_RANGE = constraint "indices-in-range";
    /// A constraint of MaxUnpool
    INDICES_MATCH_INPUT = constraint "indices-match-input";
    /// A behaviour of MaxUnpool
    INDICES_UNDER_OUTPUT_SHAPE = behaviour "indices-under-output-shape";
    /// A behaviour of Dropout
    INFERENCE = behaviour "inference";
    /// A behaviour of Dropout
    INFERENCE_MASK = behaviour "inference-mask";
    /// A behaviour of DynamicQuantizeLinear
    INFINITE_RANGE = behaviour "infinite-range";
    /// A behaviour of Attention, FlexAttention
    INFINITE_SCORES = behaviour "infinite-scores";
    /// A behaviour of Celu, Cos, Elu, HardSigmoid, LogSoftmax, ReduceLogSumExp, Selu, Sigmoid, Sin, Softmax, SoftmaxCrossEntropyLoss, Softsign, Tan
    INFINITY = behaviour "infinity";
    /// A behaviour of CausalConvWithState, Dropout, Gelu, Gemm, HardSwish, LeakyRelu, Mish, PRelu, SwiGLU, Swish, FastGelu, QuickGelu
    INFINITY_TIMES_ZERO = behaviour "infinity-times-zero";
    /// A behaviour of DeformConv, GridSample, Resize, RoiAlign, Upsample
    INFINITY_WITH_ZERO_WEIGHT = behaviour "infinity-with-zero-weight";
    /// A constraint of Gemm, MatMul, MatMulInteger, QLinearMatMul
    INNER_EXTENTS_EQUAL = constraint "inner-extents-equal";
    /// A constraint of Adagrad, Adam, Momentum
    INPUT_COUNT_FITS = constraint "input-count-fits";
    /// A behaviour of LSTM
    INPUT_FORGET = behaviour "input-forget";
    /// A constraint of BatchNormalization, GlobalAveragePool, GlobalLpPool, GlobalMaxPool, GroupNormalization, InstanceNormalization, LRN
    INPUT_HAS_CHANNELS = constraint "input-has-channels";
    /// A constraint of AveragePool, Conv, ConvInteger, ConvTranspose, DeformConv, LpPool, MaxPool, MaxUnpool, QLinearConv
    INPUT_HAS_SPATIAL_AXES = constraint "input-has-spatial-axes";
    /// A behaviour of OptionalGetElement, OptionalHasElement
    INPUT_NOT_OPTIONAL = behaviour "input-not-optional";
    /// A behaviour of Tanh
    INPUT_RANK = behaviour "input-rank";
    /// A constraint of FeatureVectorizer
    INPUTDIMENSIONS_FIT = constraint "inputdimensions-fit";
    /// A constraint of Range
    INPUTS_ARE_SCALARS = constraint "inputs-are-scalars";
    /// A constraint of Gradient
    INPUTS_MATCH_NAMES = constraint "inputs-match-names";
    /// A behaviour of DequantizeLinear
    INT32_ZERO_POINT = behaviour "int32-zero-point";
    /// A behaviour of Div
    INTEGER_DIVISION = behaviour "integer-division";
    /// A behaviour of Abs, Add, BitShift, BitwiseNot, Cast, CastLike, Col2Im, CumProd, Div, Einsum, GridSample, Mul, Neg, PRelu, Pow, ReduceProd, ScatterElements, ScatterND, Shrink, Sub, Normalizer
    INTEGER_OVERFLOW = behaviour "integer-overflow";
    /// A behaviour of BlackmanWindow, Cast, CastLike, Div, Erf, Gemm, GridSample, HammingWindow, HannWindow, MelWeightMatrix, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMean, Resize, Shrink, Upsample
    INTEGER_ROUNDING = behaviour "integer-rounding";
    /// A behaviour of Mod
    INTEGERS_WITH_FMOD = behaviour "integers-with-fmod";
    /// A constraint of LinearClassifier, LinearRegressor
    INTERCEPTS_FIT = constraint "intercepts-fit";
    /// A behaviour of AveragePool, BatchNormalization, CausalConvWithState, Celu, Conv, ConvTranspose, CumProd, DeformConv, Det, Einsum, Gemm, GlobalAveragePool, GlobalLpPool, GridSample, GroupNormalization, InstanceNormalization, LRN, LayerNormalization, LinearAttention, LpNormalization, LpPool, MeanVarianceNormalization, NegativeLogLikelihoodLoss, RMSNormalization, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMean, ReduceProd, Resize, RoiAlign, ScatterElements, ScatterND, Softmax, SoftmaxCrossEntropyLoss, Softplus, Normalizer
    INTERMEDIATE_OVERFLOW = behaviour "intermediate-overflow";
    /// A behaviour of TfIdfVectorizer
    INVALID_GRAM_LENGTHS = behaviour "invalid-gram-lengths";
    /// A behaviour of ImageDecoder
    INVALID_STREAM = behaviour "invalid-stream";
    /// A behaviour of RegexFullMatch
    INVALID_UTF8 = behaviour "invalid-utf8";
    /// A behaviour of Bernoulli
    INVERTED_PROBABILITY = behaviour "inverted-probability";
    /// A constraint of NonMaxSuppression
    IOU_THRESHOLD_IN_RANGE = constraint "iou-threshold-in-range";
    /// A constraint of Loop, Scan
    ITERATION_SHAPES_EQUAL = constraint "iteration-shapes-equal";
    /// A behaviour of ImageDecoder
    JPEG = behaviour "jpeg";
    /// A constraint of TopK
    K_FITS_AXIS = constraint "k-fits-axis";
    /// A constraint of Trilu
    K_IS_SCALAR = constraint "k-is-scalar";
    /// A constraint of TopK
    K_POSITIVE = constraint "k-positive";
    /// A behaviour of ArgMax, ArgMin, SplitToSequence
    KEEPDIMS = behaviour "keepdims";
    /// A constraint of Conv, ConvInteger, ConvTranspose, DeformConv, QLinearConv
    KERNEL_SHAPE_MATCHES_W = constraint "kernel-shape-matches-w";
    /// A constraint of SVMClassifier, SVMRegressor
    KERNEL_TYPE_KNOWN = constraint "kernel-type-known";
    /// A constraint of LabelEncoder
    KEY_TYPE_FITS = constraint "key-type-fits";
    /// A constraint of CastMap
    KEYS_IN_RANGE = constraint "keys-in-range";
    /// A constraint of DictVectorizer
    KEYS_IN_VOCABULARY = constraint "keys-in-vocabulary";
    /// A constraint of NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss
    LABEL_SHAPE_FITS = constraint "label-shape-fits";
    /// A constraint of ZipMap
    LABELS_FIT_COLUMNS = constraint "labels-fit-columns";
    /// A constraint of NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss
    LABELS_IN_RANGE = constraint "labels-in-range";
    /// A behaviour of Cos, Sin, Tan
    LARGE_ANGLES = behaviour "large-angles";
    /// A constraint of GRU, LSTM, RNN
    LAYER_SHAPES_FIT = constraint "layer-shapes-fit";
    /// A constraint of Add, And, Div, Equal, Greater, Less, Mul, Or, Pow, Sub, Xor
    LEGACY_SHAPES_BROADCAST = constraint "legacy-shapes-broadcast";
    /// A constraint of Slice, CategoryMapper, LabelEncoder, Scaler
    LENGTHS_EQUAL = constraint "lengths-equal";
    /// A constraint of Split, SplitToSequence
    LENGTHS_FIT_AXIS = constraint "lengths-fit-axis";
    /// A constraint of Imputer, Scaler
    LENGTHS_FIT_FEATURES = constraint "lengths-fit-features";
    /// A constraint of Split
    LENGTHS_FIT_OUTPUTS = constraint "lengths-fit-outputs";
    /// A behaviour of Split
    LENGTHS_GIVEN_TWICE = behaviour "lengths-given-twice";
    /// A constraint of SplitToSequence
    LENGTHS_NON_NEGATIVE = constraint "lengths-non-negative";
    /// A constraint of Einsum
    LETTER_EXTENTS_EQUAL = constraint "letter-extents-equal";
    /// A behaviour of GRU
    LINEAR_BEFORE_RESET = behaviour "linear-before-reset";
    /// A behaviour of MaxUnpool, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum, ReduceSumSquare, Reshape, Split, Squeeze, Unsqueeze
    LIST_RANK = behaviour "list-rank";
    /// A constraint of Scan
    LISTS_FIT_SCAN_INPUTS = constraint "lists-fit-scan-inputs";
    /// A behaviour of StringNormalizer
    LOCALE = behaviour "locale";
    /// A behaviour of RotaryEmbedding
    LONG_CACHES = behaviour "long-caches";
    /// A behaviour of Compress
    LONG_CONDITION = behaviour "long-condition";
    /// A behaviour of SequenceMap
    LONGER_SEQUENCES = behaviour "longer-sequences";
    /// A behaviour of Loop
    LOOP_CONDITION = behaviour "loop-condition";
    /// A behaviour of ImageDecoder
    LOSSY_JPEG2000 = behaviour "lossy-jpeg2000";
    /// A behaviour of ImageDecoder
    LOSSY_WEBP = behaviour "lossy-webp";
    /// A constraint of Loop
    M_AND_COND_SCALAR = constraint "m-and-cond-scalar";
    /// A behaviour of Attention
    MASK_BEFORE_SOFTCAP = behaviour "mask-before-softcap";
    /// A behaviour of Attention
    MASK_BESIDE_CAUSAL = behaviour "mask-beside-causal";
    /// A behaviour of Attention
    MASK_OF_ONE_KEY = behaviour "mask-of-one-key";
    /// A constraint of DeformConv
    MASK_SHAPE_FITS = constraint "mask-shape-fits";
    /// A behaviour of Attention
    MASKED_ROW_IS_NAN = behaviour "masked-row-is-nan";
    /// A constraint of Det
    MATRICES_SQUARE = constraint "matrices-square";
    /// A behaviour of RoiAlign
    MAX_MODE = behaviour "max-mode";
    /// A behaviour of TreeEnsemble
    MEMBER_SET_ORDER = behaviour "member-set-order";
    /// A constraint of TreeEnsemble
    MEMBER_SETS_COMPLETE = constraint "member-sets-complete";
    /// A behaviour of Clip
    MIN_ABOVE_MAX = behaviour "min-above-max";
    /// A behaviour of CastMap, DictVectorizer
    MISSING_KEY = behaviour "missing-key";
    /// A behaviour of Attention, BatchNormalization, Pow, RMSNormalization, Adagrad, Adam, Momentum
    MIXED_TYPES = behaviour "mixed-types";
    /// A constraint of DepthToSpace, Pad, RoiAlign, SpaceToDepth, TensorScatter, TfIdfVectorizer, Upsample, Momentum
    MODE_KNOWN = constraint "mode-known";
    /// A constraint of SVMClassifier, SVMRegressor
    MODEL_SIZES_FIT = constraint "model-sizes-fit";
    /// A constraint of GridSample, Resize
    MODES_KNOWN = constraint "modes-known";
    /// A constraint of FlexAttention
    MODIFIER_GRAPHS_FIT = constraint "modifier-graphs-fit";
    /// A behaviour of ScatterND
    MUL_DESCRIBED_AS_ADDITION = behaviour "mul-described-as-addition";
    /// A behaviour of LinearClassifier
    MULTI_CLASS = behaviour "multi-class";
    /// A constraint of TfIdfVectorizer
    N_GRAM_LISTS_FIT = constraint "n-gram-lists-fit";
    /// A constraint of Gradient
    NAMES_INDEPENDENT = constraint "names-independent";
    /// A behaviour of ArgMax, ArgMin, BitCast, Celu, Clip, Elu, Equal, GRU, Gelu, GlobalMaxPool, Greater, GreaterOrEqual, HardSigmoid, HardSwish, Hardmax, IsNaN, LSTM, LeakyRelu, Less, LessOrEqual, Max, MaxPool, MaxRoiPool, Min, Mish, PRelu, QLinearMatMul, QuantizeLinear, RNN, ReduceMax, ReduceMin, Relu, ScatterElements, ScatterND, Selu, Shrink, Sigmoid, Sign, Softsign, SwiGLU, Swish, ThresholdedRelu, TopK, Unique, Binarizer, Imputer, LabelEncoder, Normalizer, TreeEnsemble, TreeEnsembleClassifier, TreeEnsembleRegressor, FastGelu, QuickGelu
    NAN = behaviour "nan";
    /// A behaviour of Abs, Acosh, Add, Asinh, Atan, BatchNormalization, Ceil, Cosh, DFT, Div, Erf, Exp, Floor, GroupNormalization, InstanceNormalization, LRN, LayerNormalization, Log, LpNormalization, MatMul, Mean, MeanVarianceNormalization, Mod, Mul, Neg, NonZero, Pow, RMSNormalization, Range, Reciprocal, ReduceSum, STFT, Sinh, Softplus, Sqrt, Sub, Sum, Tanh
    NAN_AND_INFINITY = behaviour "nan-and-infinity";
    /// A behaviour of Clip
    NAN_BOUND = behaviour "nan-bound";
    /// A behaviour of Celu
    NEGATIVE_ALPHA = behaviour "negative-alpha";
    /// A behaviour of ArgMax, ArgMin, Concat, DFT, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum, ReduceSumSquare
    NEGATIVE_AXIS = behaviour "negative-axis";
    /// A behaviour of Normalizer
    NEGATIVE_ELEMENTS = behaviour "negative-elements";
    /// A behaviour of Pow
    NEGATIVE_EXPONENT = behaviour "negative-exponent";
    /// A behaviour of Gather, GatherND, OneHot, Scatter, TensorScatter
    NEGATIVE_INDEX = behaviour "negative-index";
    /// A behaviour of Shrink
    NEGATIVE_LAMBD = behaviour "negative-lambd";
    /// A behaviour of StringSplit
    NEGATIVE_MAXSPLIT = behaviour "negative-maxsplit";
    /// A behaviour of ConvTranspose
    NEGATIVE_PADDING = behaviour "negative-padding";
    /// A behaviour of Pad
    NEGATIVE_PADS = behaviour "negative-pads";
    /// A behaviour of SequenceInsert
    NEGATIVE_POSITION = behaviour "negative-position";
    /// A behaviour of AveragePool, Conv, ConvInteger, LpPool, MaxPool, QLinearConv
    NEGATIVE_SAME_PADDING = behaviour "negative-same-padding";
    /// A behaviour of Loop, Scan
    NO_ITERATIONS = behaviour "no-iterations";
    /// A behaviour of TreeEnsemble, TreeEnsembleRegressor
    NO_VOTES = behaviour "no-votes";
    /// A constraint of TreeEnsembleRegressor
    NODE_IDS_UNIQUE = constraint "node-ids-unique";
    /// A constraint of TreeEnsemble, TreeEnsembleClassifier, TreeEnsembleRegressor
    NODE_LISTS_EQUAL_LENGTH = constraint "node-lists-equal-length";
    /// A constraint of TreeEnsemble, TreeEnsembleClassifier, TreeEnsembleRegressor
    NODE_MODES_KNOWN = constraint "node-modes-known";
    /// A behaviour of MelWeightMatrix, RoiAlign
    NON_POSITIVE_SIZES = behaviour "non-positive-sizes";
    /// A behaviour of ReduceLogSum
    NON_POSITIVE_SUM = behaviour "non-positive-sum";
    /// A behaviour of Col2Im, GridSample, Resize, ScatterElements, ScatterND, Upsample
    NON_REAL_TYPES = behaviour "non-real-types";
    /// A behaviour of Gradient
    NON_SCALAR_Y = behaviour "non-scalar-y";
    /// A behaviour of SequenceMap
    NON_TENSOR_OUTPUTS = behaviour "non-tensor-outputs";
    /// A constraint of Attention
    NONPAD_KV_SEQLEN_FITS = constraint "nonpad-kv-seqlen-fits";
    /// A constraint of Attention
    NONPAD_KV_SEQLEN_IN_RANGE = constraint "nonpad-kv-seqlen-in-range";
    /// A behaviour of ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceSumSquare
    NOOP_RETURNS_INPUT = behaviour "noop-returns-input";
    /// A behaviour of ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum, ReduceSumSquare
    NOOP_WITH_EMPTY_AXES = behaviour "noop-with-empty-axes";
    /// A constraint of Normalizer
    NORM_KNOWN = constraint "norm-known";
    /// A constraint of Split
    NUM_OUTPUTS_POSITIVE = constraint "num-outputs-positive";
    /// A constraint of Scan
    NUM_SCAN_INPUTS_FITS = constraint "num-scan-inputs-fits";
    /// A behaviour of Cast, CastLike
    NUMBER_TO_STRING = behaviour "number-to-string";
    /// A behaviour of CenterCropPad
    ODD_DIFFERENCE = behaviour "odd-difference";
    /// A behaviour of ConvTranspose
    ODD_PADDING = behaviour "odd-padding";
    /// A constraint of DeformConv
    OFFSET_GROUP_DIVIDES_CHANNELS = constraint "offset-group-divides-channels";
    /// A behaviour of DeformConv
    OFFSET_ORDER = behaviour "offset-order";
    /// A constraint of DeformConv
    OFFSET_SHAPE_FITS = constraint "offset-shape-fits";
    /// A behaviour of Scaler
    OMITTED_ATTRIBUTES = behaviour "omitted-attributes";
    /// A behaviour of Clip
    OMITTED_BOUND = behaviour "omitted-bound";
    /// A behaviour of LinearClassifier
    OMITTED_INTERCEPTS = behaviour "omitted-intercepts";
    /// A constraint of LabelEncoder
    ONE_ALTERNATIVE_GIVEN = constraint "one-alternative-given";
    /// A constraint of Constant
    ONE_ATTRIBUTE_GIVEN = constraint "one-attribute-given";
    /// A constraint of OneHotEncoder
    ONE_CATEGORY_LIST_GIVEN = constraint "one-category-list-given";
    /// A behaviour of SVMRegressor
    ONE_CLASS = behaviour "one-class";
    /// A constraint of CategoryMapper
    ONE_DEFAULT_AT_MOST = constraint "one-default-at-most";
    /// A constraint of Reshape
    ONE_INFERRED_EXTENT = constraint "one-inferred-extent";
    /// A constraint of LinearClassifier, SVMClassifier, TreeEnsembleClassifier, ZipMap
    ONE_LABEL_LIST_GIVEN = constraint "one-label-list-given";
    /// A constraint of TfIdfVectorizer
    ONE_POOL_GIVEN = constraint "one-pool-given";
    /// A constraint of Imputer
    ONE_VALUE_LIST_GIVEN = constraint "one-value-list-given";
    /// A constraint of DictVectorizer
    ONE_VOCABULARY_GIVEN = constraint "one-vocabulary-given";
    /// A behaviour of DFT
    ONESIDED_BOTH_WAYS = behaviour "onesided-both-ways";
    /// A behaviour of DFT
    ONESIDED_INVERSE = behaviour "onesided-inverse";
    /// A constraint of DFT, STFT
    ONESIDED_KNOWN = constraint "onesided-known";
    /// A constraint of DFT, STFT
    ONESIDED_SAMPLES_FIT = constraint "onesided-samples-fit";
    /// A behaviour of DequantizeLinear, QuantizeLinear
    OPERAND_PRECISION = behaviour "operand-precision";
    /// A behaviour of ImageDecoder
    ORIENTATION = behaviour "orientation";
    /// A constraint of Concat, ConcatFromSequence
    OTHER_EXTENTS_EQUAL = constraint "other-extents-equal";
    /// A behaviour of Add, AffineGrid, And, ArgMax, ArgMin, Attention, AveragePool, BatchNormalization, BlackmanWindow, Cast, CastLike, ConcatFromSequence, CumProd, CumSum, DFT, Div, Equal, GRU, Gemm, Greater, GridSample, HammingWindow, HannWindow, IsInf, LSTM, Less, LpPool, MaxPool, Mod, Mul, NonMaxSuppression, Or, Pow, QuantizeLinear, RNN, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum, ReduceSumSquare, Reshape, Resize, RotaryEmbedding, SplitToSequence, StringNormalizer, Sub, TopK, Trilu, Xor, LinearClassifier, OneHotEncoder, SVMRegressor
    OTHER_FLAG_VALUES = behaviour "other-flag-values";
    /// A behaviour of Shape, Slice
    OUT_OF_RANGE_BOUNDS = behaviour "out-of-range-bounds";
    /// A constraint of BlackmanWindow, HammingWindow, HannWindow, MelWeightMatrix
    OUTPUT_DATATYPE_ALLOWED = constraint "output-datatype-allowed";
    /// A constraint of DequantizeLinear, QuantizeLinear
    OUTPUT_DTYPE_ALLOWED = constraint "output-dtype-allowed";
    /// A behaviour of Einsum
    OUTPUT_ELLIPSIS = behaviour "output-ellipsis";
    /// A constraint of ConvTranspose, MaxUnpool, Pad
    OUTPUT_EXTENTS_NON_NEGATIVE = constraint "output-extents-non-negative";
    /// A constraint of ConvTranspose
    OUTPUT_PADDING_IN_RANGE = constraint "output-padding-in-range";
    /// A behaviour of Flatten, GatherND
    OUTPUT_RANK = behaviour "output-rank";
    /// A behaviour of GRU, LSTM, RNN
    OUTPUT_SEQUENCE = behaviour "output-sequence";
    /// A behaviour of Gather, GatherElements, Tile, ArrayFeatureExtractor, CastMap, DictVectorizer
    OUTPUT_SHAPE = behaviour "output-shape";
    /// A constraint of MaxUnpool
    OUTPUT_SHAPE_FITS = constraint "output-shape-fits";
    /// A constraint of Einsum
    OUTPUT_TERM_VALID = constraint "output-term-valid";
    /// A constraint of Split
    OUTPUTS_DIVIDE_AXIS = constraint "outputs-divide-axis";
    /// A constraint of BatchNormalization
    OUTPUTS_FIT_MODE = constraint "outputs-fit-mode";
    /// A behaviour of Acos, Acosh, Asin, Atanh, Log, Sqrt
    OUTSIDE_DOMAIN = behaviour "outside-domain";
    /// A behaviour of GridSample, Resize
    OUTSIDE_NEIGHBOURS = behaviour "outside-neighbours";
    /// A behaviour of DeformConv, RoiAlign
    OUTSIDE_POSITIONS = behaviour "outside-positions";
    /// A behaviour of Cosh, CumSum, Exp, MatMul, ReduceL1, ReduceSum, ReduceSumSquare, Sinh
    OVERFLOW = behaviour "overflow";
    /// A behaviour of NonMaxSuppression
    OVERLAP_AT_THRESHOLD = behaviour "overlap-at-threshold";
    /// A behaviour of NonMaxSuppression
    OVERLAP_ROUNDING = behaviour "overlap-rounding";
    /// A constraint of LpNormalization
    P_KNOWN = constraint "p-known";
    /// A behaviour of CausalConvWithState, Conv, ConvTranspose
    PADDING_TIMES_INFINITY = behaviour "padding-times-infinity";
    /// A behaviour of CenterCropPad, Pad
    PADDING_VALUE = behaviour "padding-value";
    /// A constraint of Pad
    PADS_FIT_AXES = constraint "pads-fit-axes";
    /// A behaviour of Pad
    PADS_ORDER = behaviour "pads-order";
    /// A constraint of AveragePool, Conv, ConvInteger, ConvTranspose, LpPool, MaxPool, QLinearConv
    PADS_WITHOUT_AUTO_PAD = constraint "pads-without-auto-pad";
    /// A constraint of BatchNormalization, GroupNormalization, InstanceNormalization
    PARAMETER_SHAPES_FIT = constraint "parameter-shapes-fit";
    /// A constraint of NonMaxSuppression
    PARAMETERS_ARE_SCALARS = constraint "parameters-are-scalars";
    /// A behaviour of GroupNormalization
    PARAMETERS_PER_GROUP = behaviour "parameters-per-group";
    /// A constraint of Attention
    PAST_AND_PRESENT_PAIRED = constraint "past-and-present-paired";
    /// A constraint of CausalConvWithState, LinearAttention
    PAST_STATE_FITS = constraint "past-state-fits";
    /// A constraint of RegexFullMatch
    PATTERN_VALID = constraint "pattern-valid";
    /// A behaviour of BlackmanWindow, HammingWindow, HannWindow
    PERIODIC = behaviour "periodic";
    /// A constraint of Transpose
    PERM_IS_PERMUTATION = constraint "perm-is-permutation";
    /// A constraint of ImageDecoder
    PIXEL_FORMAT_KNOWN = constraint "pixel-format-known";
    /// A behaviour of Atanh, Log
    POLE = behaviour "pole";
    /// A constraint of TfIdfVectorizer
    POOL_TYPE_FITS = constraint "pool-type-fits";
    /// A constraint of MaxRoiPool
    POOLED_SHAPE_VALID = constraint "pooled-shape-valid";
    /// A constraint of RotaryEmbedding
    POSITION_IDS_SHAPE_FITS = constraint "position-ids-shape-fits";
    /// A constraint of SequenceAt, SequenceErase, SequenceInsert
    POSITION_IN_RANGE = constraint "position-in-range";
    /// A constraint of SequenceAt, SequenceErase, SequenceInsert
    POSITION_IS_SCALAR = constraint "position-is-scalar";
    /// A behaviour of GridSample, Resize, Upsample
    POSITION_ROUNDING = behaviour "position-rounding";
    /// A constraint of RotaryEmbedding
    POSITIONS_IN_RANGE = constraint "positions-in-range";
    /// A behaviour of LinearClassifier, LinearRegressor, SVMClassifier, SVMRegressor, TreeEnsemble, TreeEnsembleClassifier, TreeEnsembleRegressor
    POST_TRANSFORM = behaviour "post-transform";
    /// A constraint of LinearClassifier, LinearRegressor, SVMClassifier, SVMRegressor
    POST_TRANSFORM_KNOWN = constraint "post-transform-known";
    /// A constraint of QuantizeLinear
    PRECISION_ALLOWED = constraint "precision-allowed";
    /// A behaviour of LinearAttention
    PRESENT_STATE_TYPE = behaviour "present-state-type";
    /// A behaviour of SVMClassifier
    PROBABILITIES = behaviour "probabilities";
    /// A constraint of Bernoulli
    PROBABILITY_IN_RANGE = constraint "probability-in-range";
    /// A constraint of SVMClassifier
    PROBABILITY_LISTS_FIT = constraint "probability-lists-fit";
    /// A constraint of ConvInteger, QLinearConv
    QUANTIZATION_PER_TENSOR = constraint "quantization-per-tensor";
    /// A constraint of Attention, FlexAttention
    QUERY_HEADS_MULTIPLE = constraint "query-heads-multiple";
    /// A constraint of Attention, LinearAttention, FlexAttention
    QUERY_KEY_VALUE_AGREE = constraint "query-key-value-agree";
    /// A constraint of Adagrad, Adam, Momentum
    R_AND_T_SCALAR = constraint "r-and-t-scalar";
    /// A behaviour of Bernoulli, Dropout, Multinomial, RandomNormal, RandomNormalLike, RandomUniform, RandomUniformLike
    RANDOMNESS = behaviour "randomness";
    /// A constraint of Compress, Gather, GatherND, MatMul, MatMulInteger, QLinearMatMul, ScatterND, ArrayFeatureExtractor
    RANK_AT_LEAST_ONE = constraint "rank-at-least-one";
    /// A constraint of Det, ReverseSequence, Trilu
    RANK_AT_LEAST_TWO = constraint "rank-at-least-two";
    /// A constraint of DepthToSpace, MaxRoiPool, RoiAlign, SpaceToDepth, Upsample, FlexAttention
    RANK_FOUR = constraint "rank-four";
    /// A behaviour of MatMul
    RANK_ONE_FACTOR = behaviour "rank-one-factor";
    /// A behaviour of ArrayFeatureExtractor, LinearRegressor, ZipMap
    RANK_ONE_INPUT = behaviour "rank-one-input";
    /// A constraint of TfIdfVectorizer, FeatureVectorizer, LinearClassifier, LinearRegressor, Normalizer, SVMClassifier, SVMRegressor, ZipMap
    RANK_ONE_OR_TWO = constraint "rank-one-or-two";
    /// A constraint of CausalConvWithState, Col2Im
    RANK_THREE = constraint "rank-three";
    /// A constraint of Attention, RotaryEmbedding
    RANK_THREE_OR_FOUR = constraint "rank-three-or-four";
    /// A constraint of EyeLike, Gemm, Multinomial, TreeEnsemble, TreeEnsembleClassifier, TreeEnsembleRegressor
    RANK_TWO = constraint "rank-two";
    /// A behaviour of Transpose
    RANK_ZERO_OR_ONE = behaviour "rank-zero-or-one";
    /// A constraint of GatherElements, GridSample, Scatter, ScatterElements
    RANKS_EQUAL = constraint "ranks-equal";
    /// A constraint of Dropout
    RATIO_ATTRIBUTE_IN_RANGE = constraint "ratio-attribute-in-range";
    /// A constraint of Dropout
    RATIO_IN_RANGE = constraint "ratio-in-range";
    /// A constraint of Dropout
    RATIO_IS_SCALAR = constraint "ratio-is-scalar";
    /// A behaviour of GRU, LSTM, RNN
    RECURRENCE_TRANSPOSED = behaviour "recurrence-transposed";
    /// A constraint of NegativeLogLikelihoodLoss, ScatterElements, ScatterND, SoftmaxCrossEntropyLoss
    REDUCTION_KNOWN = constraint "reduction-known";
    /// A behaviour of Attention
    REDUNDANT_HEAD_COUNTS = behaviour "redundant-head-counts";
    /// A behaviour of GridSample
    REFLECTION = behaviour "reflection";
    /// A behaviour of MaxRoiPool
    REGION_DIVISION = behaviour "region-division";
    /// A behaviour of Range
    REPEATED_ADDITION = behaviour "repeated-addition";
    /// A behaviour of Einsum
    REPEATED_LETTERS = behaviour "repeated-letters";
    /// A constraint of Tile
    REPEATS_FIT_AXES = constraint "repeats-fit-axes";
    /// A constraint of Tile
    REPEATS_NON_NEGATIVE = constraint "repeats-non-negative";
    /// A constraint of SVMRegressor
    RHO_IS_SCALAR = constraint "rho-is-scalar";
    /// A constraint of Resize
    ROI_FITS_AXES = constraint "roi-fits-axes";
    /// A constraint of MaxRoiPool, RoiAlign
    ROIS_SHAPE_FITS = constraint "rois-shape-fits";
    /// A constraint of RotaryEmbedding
    ROTARY_EMBEDDING_DIM_FITS = constraint "rotary-embedding-dim-fits";
    /// A behaviour of CastLike
    ROUND_MODE_IN_BODY = behaviour "round-mode-in-body";
    /// A constraint of Cast, CastLike
    ROUND_MODE_KNOWN = constraint "round-mode-known";
    /// A behaviour of NonMaxSuppression
    ROW_ORDER = behaviour "row-order";
    /// A behaviour of BatchNormalization
    RUNNING_VARIANCE = behaviour "running-variance";
    /// A behaviour of Conv, ConvTranspose
    SAME_OUTPUT_EXTENT = behaviour "same-output-extent";
    /// A behaviour of RoiAlign
    SAMPLE_COUNT_ROUNDING = behaviour "sample-count-rounding";
    /// A behaviour of Resize, Upsample
    SAMPLE_POSITIONS = behaviour "sample-positions";
    /// A constraint of Multinomial
    SAMPLE_SIZE_NON_NEGATIVE = constraint "sample-size-non-negative";
    /// A constraint of DFT, STFT
    SAMPLES_REAL_OR_COMPLEX = constraint "samples-real-or-complex";
    /// A behaviour of QuantizeLinear
    SATURATION = behaviour "saturation";
    /// A behaviour of BatchNormalization
    SAVED_VARIANCE = behaviour "saved-variance";
    /// A behaviour of OneHot
    SCALAR_INDICES = behaviour "scalar-indices";
    /// A behaviour of Celu, NonZero
    SCALAR_INPUT = behaviour "scalar-input";
    /// A behaviour of Size
    SCALAR_OR_EMPTY_INPUT = behaviour "scalar-or-empty-input";
    /// A behaviour of CumSum, Loop, SequenceAt, SequenceErase, SequenceInsert, Adagrad, Adam, Momentum
    SCALAR_RANK = behaviour "scalar-rank";
    /// A constraint of LayerNormalization, RMSNormalization
    SCALE_BROADCASTS = constraint "scale-broadcasts";
    /// A behaviour of Attention, FlexAttention
    SCALE_PRECISION = behaviour "scale-precision";
    /// A behaviour of LayerNormalization
    SCALE_SHAPE = behaviour "scale-shape";
    /// A constraint of DequantizeLinear, QLinearMatMul, QuantizeLinear
    SCALE_SHAPE_FITS = constraint "scale-shape-fits";
    /// A behaviour of Attention
    SCALE_TWICE = behaviour "scale-twice";
    /// A constraint of Resize, Upsample
    SCALES_FIT_AXES = constraint "scales-fit-axes";
    /// A constraint of Resize, Upsample
    SCALES_IN_RANGE = constraint "scales-in-range";
    /// A constraint of Resize
    SCALES_OR_SIZES_GIVEN = constraint "scales-or-sizes-given";
    /// A behaviour of Attention, QLinearMatMul, FlexAttention
    SCALING_ORDER = behaviour "scaling-order";
    /// A constraint of Scan
    SCAN_LENGTHS_EQUAL = constraint "scan-lengths-equal";
    /// A behaviour of If, Loop, Scan
    SCOPE = behaviour "scope";
    /// A behaviour of NonMaxSuppression
    SCORE_AT_THRESHOLD = behaviour "score-at-threshold";
    /// A constraint of Squeeze
    SELECTED_EXTENTS_ARE_ONE = constraint "selected-extents-are-one";
    /// A constraint of GRU, LSTM, RNN, ReverseSequence, Scan
    SEQUENCE_LENS_IN_RANGE = constraint "sequence-lens-in-range";
    /// A constraint of GRU, LSTM, RNN, ReverseSequence, Scan
    SEQUENCE_LENS_SHAPE_FITS = constraint "sequence-lens-shape-fits";
    /// A constraint of SequenceMap
    SEQUENCES_LONG_ENOUGH = constraint "sequences-long-enough";
    /// A constraint of CenterCropPad
    SHAPE_FITS_AXES = constraint "shape-fits-axes";
    /// A constraint of Reshape
    SHAPE_GIVEN = constraint "shape-given";
    /// A constraint of ConstantOfShape
    SHAPE_RANK_ONE = constraint "shape-rank-one";
    /// A constraint of Expand
    SHAPE_VALID = constraint "shape-valid";
    /// A constraint of Add, And, BitShift, BitwiseAnd, BitwiseOr, BitwiseXor, Div, Equal, Expand, Greater, GreaterOrEqual, Less, LessOrEqual, Max, Mean, Min, Mod, Mul, Or, Pow, StringConcat, Sub, Sum, Where, Xor
    SHAPES_BROADCAST = constraint "shapes-broadcast";
    /// A constraint of Max, Mean, Min, Sum, SwiGLU
    SHAPES_EQUAL = constraint "shapes-equal";
    /// A behaviour of BitShift
    SHIFT_OUT_OF_RANGE = behaviour "shift-out-of-range";
    /// A behaviour of Compress
    SHORT_CONDITION = behaviour "short-condition";
    /// A behaviour of ReverseSequence
    SHORT_SEQUENCE = behaviour "short-sequence";
    /// A behaviour of Mod
    SIGN_OF_DIVISOR = behaviour "sign-of-divisor";
    /// A behaviour of Mod
    SIGN_OF_ZERO_OPEN = behaviour "sign-of-zero-open";
    /// A behaviour of BitwiseAnd, BitwiseOr, BitwiseXor
    SIGNED_INTEGERS = behaviour "signed-integers";
    /// A behaviour of Abs, Add, Ceil, Div, Elu, Equal, Floor, Greater, GreaterOrEqual, LeakyRelu, Less, LessOrEqual, Max, Min, Mod, Mul, Neg, Pow, ReduceMax, ReduceMin, Relu, Round, Selu, Sign, Sqrt, Sub, TopK, Unique, Imputer, LabelEncoder
    SIGNED_ZERO = behaviour "signed-zero";
    /// A behaviour of AffineGrid, Resize
    SINGLE_ELEMENT_AXIS = behaviour "single-element-axis";
    /// A behaviour of BlackmanWindow, HammingWindow, HannWindow
    SINGLE_ELEMENT_WINDOW = behaviour "single-element-window";
    /// A constraint of StringNormalizer
    SINGLE_ROW_OF_STRINGS = constraint "single-row-of-strings";
    /// A constraint of AffineGrid
    SIZE_FITS_THETA = constraint "size-fits-theta";
    /// A behaviour of Add, And, Div, Einsum, Equal, Greater, Less, Mul, Or, Pow, Sub, Xor
    SIZE_ONE_BROADCAST = behaviour "size-one-broadcast";
    /// A constraint of BlackmanWindow, HammingWindow, HannWindow, LRN
    SIZE_POSITIVE = constraint "size-positive";
    /// A behaviour of TfIdfVectorizer
    SKIPS = behaviour "skips";
    /// A constraint of PRelu
    SLOPE_BROADCASTS = constraint "slope-broadcasts";
    /// A constraint of PRelu
    SLOPE_FITS_INPUT = constraint "slope-fits-input";
    /// A behaviour of MaxUnpool
    SMALL_OUTPUT_SHAPE = behaviour "small-output-shape";
    /// A behaviour of Attention
    SOFTCAP_AND_MASK_ORDER = behaviour "softcap-and-mask-order";
    /// A behaviour of FlexAttention
    SOFTMAX_PRECISION = behaviour "softmax-precision";
    /// A constraint of FlexAttention
    SOFTMAX_PRECISION_ALLOWED = constraint "softmax-precision-allowed";
    /// A behaviour of Unique
    SORT_ORDER = behaviour "sort-order";
    /// A constraint of Unique
    SORTED_KNOWN = constraint "sorted-known";
    /// A behaviour of Constant
    SPARSE_FLOAT8E8M0 = behaviour "sparse-float8e8m0";
    /// A behaviour of Constant
    SPARSE_VALUE = behaviour "sparse-value";
    /// A constraint of Constant
    SPARSE_VALUE_VALID = constraint "sparse-value-valid";
    /// A behaviour of BatchNormalization
    SPATIAL_STATISTICS = behaviour "spatial-statistics";
    /// A constraint of Split
    SPLIT_OR_NUM_OUTPUTS = constraint "split-or-num-outputs";
    /// A constraint of SplitToSequence
    SPLIT_RANK_FITS = constraint "split-rank-fits";
    /// A behaviour of Shape
    START_AFTER_END = behaviour "start-after-end";
    /// A behaviour of Slice
    START_BEFORE_BEGINNING = behaviour "start-before-beginning";
    /// A behaviour of LayerNormalization
    STASH_PRECISION = behaviour "stash-precision";
    /// A behaviour of Range
    STASH_TYPE = behaviour "stash-type";
    /// A constraint of GroupNormalization, LayerNormalization, RMSNormalization
    STASH_TYPE_ALLOWED = constraint "stash-type-allowed";
    /// A constraint of Slice
    STEPS_NON_ZERO = constraint "steps-non-zero";
    /// A behaviour of StringNormalizer
    STOPWORDS_CASE = behaviour "stopwords-case";
    /// A behaviour of MaxPool
    STORAGE_ORDER = behaviour "storage-order";
    /// A constraint of ImageDecoder
    STREAM_RANK_ONE = constraint "stream-rank-one";
    /// A behaviour of Equal
    STRING_EQUALITY = behaviour "string-equality";
    /// A behaviour of Cast, CastLike
    STRING_TO_NUMBER = behaviour "string-to-number";
    /// A behaviour of Mean, Sum
    SUMMATION_ORDER = behaviour "summation-order";
    /// A constraint of TreeEnsemble
    TENSOR_TYPES_FIT = constraint "tensor-types-fit";
    /// A constraint of Adagrad, Adam, Momentum
    TENSORS_MATCH_OPTIMIZED = constraint "tensors-match-optimized";
    /// A constraint of Einsum
    TERMS_FIT_RANKS = constraint "terms-fit-ranks";
    /// A constraint of AffineGrid
    THETA_SHAPE_FITS = constraint "theta-shape-fits";
    /// A behaviour of Shrink, ThresholdedRelu, Binarizer, TreeEnsembleClassifier, TreeEnsembleRegressor
    THRESHOLD_PRECISION = behaviour "threshold-precision";
    /// A behaviour of GRU, LSTM, RNN
    THRESHOLDED_RELU_TIE = behaviour "thresholded-relu-tie";
    /// A behaviour of ArgMax, ArgMin, DynamicQuantizeLinear, GridSample, Hardmax, MaxPool, NonMaxSuppression, QLinearConv, QLinearMatMul, QuantizeLinear, Round, TopK, LinearClassifier, SVMClassifier, TreeEnsembleClassifier
    TIES = behaviour "ties";
    /// A constraint of Tile
    TILES_AND_AXIS_VALID = constraint "tiles-and-axis-valid";
    /// A constraint of BitCast, Cast
    TO_TYPE_ALLOWED = constraint "to-type-allowed";
    /// A behaviour of StringSplit
    TRAILING_WHITESPACE = behaviour "trailing-whitespace";
    /// A behaviour of BatchNormalization
    TRAINING_MODE = behaviour "training-mode";
    /// A constraint of Dropout
    TRAINING_MODE_IS_SCALAR = constraint "training-mode-is-scalar";
    /// A constraint of RoiAlign
    TRANSFORMATION_MODE_KNOWN = constraint "transformation-mode-known";
    /// A behaviour of Expand
    TWO_WAY_BROADCAST = behaviour "two-way-broadcast";
    /// A constraint of Optional
    TYPE_ALLOWED = constraint "type-allowed";
    /// A behaviour of Optional
    TYPE_BESIDE_INPUT = behaviour "type-beside-input";
    /// A constraint of Optional
    TYPE_GIVEN_WITHOUT_INPUT = constraint "type-given-without-input";
    /// A behaviour of Cast, CastLike, IsInf, QuantizeLinear
    TYPES_WITHOUT_INFINITY = behaviour "types-without-infinity";
    /// A behaviour of OneHot
    UNCONVERTIBLE_INDEX = behaviour "unconvertible-index";
    /// A behaviour of Col2Im, MaxUnpool
    UNCOVERED_ELEMENTS = behaviour "uncovered-elements";
    /// A behaviour of LogSoftmax, SoftmaxCrossEntropyLoss
    UNDERFLOW = behaviour "underflow";
    /// A behaviour of CenterCropPad
    UNEVEN_HALVES = behaviour "uneven-halves";
    /// A behaviour of Split
    UNEVEN_PARTS = behaviour "uneven-parts";
    /// A behaviour of CategoryMapper, LabelEncoder, OneHotEncoder
    UNKNOWN_VALUE = behaviour "unknown-value";
    /// A behaviour of Dropout
    UNNAMED_MODE = behaviour "unnamed-mode";
    /// A behaviour of Gradient
    UNRELATED_TENSOR = behaviour "unrelated-tensor";
    /// A behaviour of RotaryEmbedding
    UNROTATED_ELEMENTS = behaviour "unrotated-elements";
    /// A behaviour of TopK, Unique
    UNSORTED_ORDER = behaviour "unsorted-order";
    /// A behaviour of Dropout
    UNUSED_RATIO = behaviour "unused-ratio";
    /// A behaviour of Cast, CastLike
    UNUSED_ROUND_MODE = behaviour "unused-round-mode";
    /// A behaviour of NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss
    UNWEIGHTED_MEAN = behaviour "unweighted-mean";
    /// A constraint of TensorScatter
    UPDATE_FITS_CACHE = constraint "update-fits-cache";
    /// A constraint of LinearAttention
    UPDATE_RULE_KNOWN = constraint "update-rule-known";
    /// A constraint of Scatter, ScatterElements, ScatterND
    UPDATES_SHAPE_FITS = constraint "updates-shape-fits";
    /// A behaviour of Einsum
    UPPER_CASE_LETTERS = behaviour "upper-case-letters";
    /// A constraint of ConstantOfShape
    VALUE_HAS_ONE_ELEMENT = constraint "value-has-one-element";
    /// A behaviour of ConstantOfShape
    VALUE_RANK = behaviour "value-rank";
    /// A constraint of Constant, ConstantOfShape
    VALUE_TYPE_ALLOWED = constraint "value-type-allowed";
    /// A constraint of Imputer
    VALUE_TYPE_FITS = constraint "value-type-fits";
    /// A constraint of OneHot
    VALUES_ARE_PAIR = constraint "values-are-pair";
    /// A constraint of LabelEncoder
    VALUES_GIVEN = constraint "values-given";
    /// A constraint of Imputer
    VALUES_IN_TYPE_RANGE = constraint "values-in-type-range";
    /// A behaviour of GroupNormalization, InstanceNormalization, LayerNormalization, MeanVarianceNormalization
    VARIANCE_CANCELLATION = behaviour "variance-cancellation";
    /// A constraint of DictVectorizer
    VOCABULARY_TYPE_FITS = constraint "vocabulary-type-fits";
    /// A constraint of TreeEnsemble, TreeEnsembleClassifier, TreeEnsembleRegressor
    VOTE_LISTS_EQUAL_LENGTH = constraint "vote-lists-equal-length";
    /// A constraint of TreeEnsemble, TreeEnsembleClassifier, TreeEnsembleRegressor
    VOTES_IN_RANGE = constraint "votes-in-range";
    /// A constraint of ConvInteger, QLinearConv
    W_QUANTIZATION_PER_CHANNEL = constraint "w-quantization-per-channel";
    /// A constraint of CausalConvWithState
    WEIGHT_SHAPE_FITS = constraint "weight-shape-fits";
    /// A constraint of TfIdfVectorizer
    WEIGHTS_FIT_POOL = constraint "weights-fit-pool";
    /// A behaviour of StringSplit
    WHITESPACE_CHARACTERS = behaviour "whitespace-characters";
    /// A behaviour of Pad
    WIDE_REFLECTION = behaviour "wide-reflection";
    /// A behaviour of Pad
    WIDE_WRAPPING = behaviour "wide-wrapping";
    /// A constraint of AveragePool, Col2Im, Conv, ConvInteger, ConvTranspose, DeformConv, LpPool, MaxPool, MaxUnpool, QLinearConv
    WINDOW_ATTRIBUTES_VALID = constraint "window-attributes-valid";
    /// A constraint of AveragePool, Conv, ConvInteger, DeformConv, LpPool, MaxPool, QLinearConv
    WINDOW_FITS_AXIS = constraint "window-fits-axis";
    /// A constraint of STFT
    WINDOW_FITS_FRAME = constraint "window-fits-frame";
    /// A behaviour of AveragePool, Conv, ConvInteger, DeformConv, LpPool, MaxPool, QLinearConv
    WINDOW_JUST_TOO_LONG = behaviour "window-just-too-long";
    /// A behaviour of STFT
    WINDOW_LENGTH_OPEN = behaviour "window-length-open";
    /// A constraint of TensorScatter
    WRITE_INDICES_IN_RANGE = constraint "write-indices-in-range";
    /// A constraint of TensorScatter
    WRITE_INDICES_PER_BATCH = constraint "write-indices-per-batch";
    /// A constraint of Gradient
    XS_DETERMINE_Y = constraint "xs-determine-y";
    /// A constraint of QLinearMatMul
    Y_QUANTIZATION_PER_TENSOR = constraint "y-quantization-per-tensor";
    /// A behaviour of Celu
    ZERO_ALPHA = behaviour "zero-alpha";
    /// A behaviour of Reshape
    ZERO_COPIES_EXTENT = behaviour "zero-copies-extent";
    /// A behaviour of Range
    ZERO_DELTA = behaviour "zero-delta";
    /// A behaviour of Mod
    ZERO_DIVIDEND = behaviour "zero-dividend";
    /// A behaviour of Expand
    ZERO_EXTENT = behaviour "zero-extent";
    /// A behaviour of LpNormalization, Normalizer
    ZERO_NORM = behaviour "zero-norm";
    /// A behaviour of NonZero, Trilu
    ZERO_OF_STRINGS = behaviour "zero-of-strings";
    /// A constraint of DequantizeLinear, QLinearMatMul, QuantizeLinear
    ZERO_POINT_MATCHES_SCALE = constraint "zero-point-matches-scale";
    /// A behaviour of ConvInteger, QLinearConv
    ZERO_POINT_PADDING = behaviour "zero-point-padding";
    /// A behaviour of DynamicQuantizeLinear
    ZERO_RANGE = behaviour "zero-range";
    /// A behaviour of Tile
    ZERO_REPEATS = behaviour "zero-repeats";
    /// A behaviour of MeanVarianceNormalization
    ZERO_VARIANCE = behaviour "zero-variance";
}

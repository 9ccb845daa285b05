//! Recipes: one operator, one file.
//!
//! Written by `cargo xtask generate`; not edited by hand.

use plumbline_spec::rule;

use crate::recipe::Recipe;

pub mod abs;
pub mod acos;
pub mod acosh;
pub mod add;
pub mod affine_grid;
pub mod ai_onnx_ml;
pub mod ai_onnx_preview;
pub mod ai_onnx_preview_training;
pub mod and;
pub mod arg_max;
pub mod arg_min;
pub mod asin;
pub mod asinh;
pub mod atan;
pub mod atanh;
pub mod attention;
pub mod average_pool;
pub mod batch_normalization;
pub mod bernoulli;
pub mod bit_cast;
pub mod bit_shift;
pub mod bitwise_and;
pub mod bitwise_not;
pub mod bitwise_or;
pub mod bitwise_xor;
pub mod blackman_window;
pub mod cast;
pub mod cast_like;
pub mod causal_conv_with_state;
pub mod ceil;
pub mod celu;
pub mod center_crop_pad;
pub mod clip;
pub mod col2_im;
pub mod compress;
pub mod concat;
pub mod concat_from_sequence;
pub mod constant;
pub mod constant_of_shape;
pub mod conv;
pub mod conv_integer;
pub mod conv_transpose;
pub mod cos;
pub mod cosh;
pub mod cum_prod;
pub mod cum_sum;
pub mod deform_conv;
pub mod depth_to_space;
pub mod dequantize_linear;
pub mod det;
pub mod dft;
pub mod div;
pub mod dropout;
pub mod dynamic_quantize_linear;
pub mod einsum;
pub mod elu;
pub mod equal;
pub mod erf;
pub mod exp;
pub mod expand;
pub mod eye_like;
pub mod flatten;
pub mod floor;
pub mod gather;
pub mod gather_elements;
pub mod gather_nd;
pub mod gelu;
pub mod gemm;
pub mod global_average_pool;
pub mod global_lp_pool;
pub mod global_max_pool;
pub mod greater;
pub mod greater_or_equal;
pub mod grid_sample;
pub mod group_normalization;
pub mod gru;
pub mod hamming_window;
pub mod hann_window;
pub mod hard_sigmoid;
pub mod hard_swish;
pub mod hardmax;
pub mod identity;
pub mod if_;
pub mod image_decoder;
pub mod instance_normalization;
pub mod is_inf;
pub mod is_nan;
pub mod layer_normalization;
pub mod leaky_relu;
pub mod less;
pub mod less_or_equal;
pub mod linear_attention;
pub mod log;
pub mod log_softmax;
pub mod loop_;
pub mod lp_normalization;
pub mod lp_pool;
pub mod lrn;
pub mod lstm;
pub mod mat_mul;
pub mod mat_mul_integer;
pub mod max;
pub mod max_pool;
pub mod max_roi_pool;
pub mod max_unpool;
pub mod mean;
pub mod mean_variance_normalization;
pub mod mel_weight_matrix;
pub mod min;
pub mod mish;
pub mod mod_;
pub mod mul;
pub mod multinomial;
pub mod neg;
pub mod negative_log_likelihood_loss;
pub mod non_max_suppression;
pub mod non_zero;
pub mod not;
pub mod one_hot;
pub mod optional;
pub mod optional_get_element;
pub mod optional_has_element;
pub mod or;
pub mod p_relu;
pub mod pad;
pub mod pow;
pub mod q_linear_conv;
pub mod q_linear_mat_mul;
pub mod quantize_linear;
pub mod random_normal;
pub mod random_normal_like;
pub mod random_uniform;
pub mod random_uniform_like;
pub mod range;
pub mod reciprocal;
pub mod reduce_l1;
pub mod reduce_l2;
pub mod reduce_log_sum;
pub mod reduce_log_sum_exp;
pub mod reduce_max;
pub mod reduce_mean;
pub mod reduce_min;
pub mod reduce_prod;
pub mod reduce_sum;
pub mod reduce_sum_square;
pub mod regex_full_match;
pub mod relu;
pub mod reshape;
pub mod resize;
pub mod reverse_sequence;
pub mod rms_normalization;
pub mod rnn;
pub mod roi_align;
pub mod rotary_embedding;
pub mod round;
pub mod scan;
pub mod scatter;
pub mod scatter_elements;
pub mod scatter_nd;
pub mod selu;
pub mod sequence_at;
pub mod sequence_construct;
pub mod sequence_empty;
pub mod sequence_erase;
pub mod sequence_insert;
pub mod sequence_length;
pub mod sequence_map;
pub mod shape;
pub mod shrink;
pub mod sigmoid;
pub mod sign;
pub mod sin;
pub mod sinh;
pub mod size;
pub mod slice;
pub mod softmax;
pub mod softmax_cross_entropy_loss;
pub mod softplus;
pub mod softsign;
pub mod space_to_depth;
pub mod split;
pub mod split_to_sequence;
pub mod sqrt;
pub mod squeeze;
pub mod stft;
pub mod string_concat;
pub mod string_normalizer;
pub mod string_split;
pub mod sub;
pub mod sum;
pub mod swiglu;
pub mod swish;
pub mod tan;
pub mod tanh;
pub mod tensor_scatter;
pub mod tf_idf_vectorizer;
pub mod thresholded_relu;
pub mod tile;
pub mod top_k;
pub mod transpose;
pub mod trilu;
pub mod unique;
pub mod unsqueeze;
pub mod upsample;
pub mod where_;
pub mod xor;

/// Every recipe, sorted by domain and operator.
pub static RECIPES: &[Recipe] = &[
    Recipe { domain: "ai.onnx", name: "Abs", positive: abs::abs, negatives: &[], features: &[] },
    Recipe { domain: "ai.onnx", name: "Acos", positive: acos::acos, negatives: &[], features: &[] },
    Recipe { domain: "ai.onnx", name: "Acosh", positive: acosh::acosh, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "Add",
        positive: add::add,
        negatives: &[
            (rule::LEGACY_SHAPES_BROADCAST, add::legacy_shapes_broadcast),
            (rule::SHAPES_BROADCAST, add::shapes_broadcast),
        ],
        features: &["one element", "suffix", "inner extents"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "AffineGrid",
        positive: affine_grid::affine_grid,
        negatives: &[
            (rule::THETA_SHAPE_FITS, affine_grid::theta_shape_fits),
            (rule::SIZE_FITS_THETA, affine_grid::size_fits_theta),
        ],
        features: &["no matrix", "an axis of one element"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "And",
        positive: and::and,
        negatives: &[
            (rule::LEGACY_SHAPES_BROADCAST, and::legacy_shapes_broadcast),
            (rule::SHAPES_BROADCAST, and::shapes_broadcast),
        ],
        features: &["one element", "suffix", "inner extents"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "ArgMax",
        positive: arg_max::arg_max,
        negatives: &[(rule::AXIS_IN_RANGE, arg_max::axis_in_range), (rule::DATA_NOT_EMPTY, arg_max::data_not_empty)],
        features: &["keepdims 0", "last index", "empty extent"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "ArgMin",
        positive: arg_min::arg_min,
        negatives: &[(rule::AXIS_IN_RANGE, arg_min::axis_in_range), (rule::DATA_NOT_EMPTY, arg_min::data_not_empty)],
        features: &["keepdims 0", "last index", "empty extent"],
    },
    Recipe { domain: "ai.onnx", name: "Asin", positive: asin::asin, negatives: &[], features: &[] },
    Recipe { domain: "ai.onnx", name: "Asinh", positive: asinh::asinh, negatives: &[], features: &[] },
    Recipe { domain: "ai.onnx", name: "Atan", positive: atan::atan, negatives: &[], features: &[] },
    Recipe { domain: "ai.onnx", name: "Atanh", positive: atanh::atanh, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "Attention",
        positive: attention::attention,
        negatives: &[
            (rule::RANK_THREE_OR_FOUR, attention::rank_three_or_four),
            (rule::HEAD_COUNTS_DIVIDE, attention::head_counts_divide),
            (rule::QUERY_KEY_VALUE_AGREE, attention::query_key_value_agree),
            (rule::QUERY_HEADS_MULTIPLE, attention::query_heads_multiple),
            (rule::PAST_AND_PRESENT_PAIRED, attention::past_and_present_paired),
            (rule::ATTN_MASK_BROADCASTS, attention::attn_mask_broadcasts),
            (rule::NONPAD_KV_SEQLEN_FITS, attention::nonpad_kv_seqlen_fits),
            (rule::ATTRIBUTE_VALUES_KNOWN, attention::attribute_values_known),
        ],
        features: &[
            "a short mask",
            "causal",
            "packed heads",
            "queries in groups",
            "one query",
            "values of another type",
            "a mask of bool",
            "a mask of floats",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "AveragePool",
        positive: average_pool::average_pool,
        negatives: &[
            (rule::INPUT_HAS_SPATIAL_AXES, average_pool::input_has_spatial_axes),
            (rule::WINDOW_ATTRIBUTES_VALID, average_pool::window_attributes_valid),
            (rule::AUTO_PAD_KNOWN, average_pool::auto_pad_known),
            (rule::PADS_WITHOUT_AUTO_PAD, average_pool::pads_without_auto_pad),
            (rule::WINDOW_FITS_AXIS, average_pool::window_fits_axis),
        ],
        features: &[
            "padding counts",
            "no channels",
            "three spatial axes",
            "one spatial axis",
            "wide padding",
            "asymmetric padding",
            "SAME_UPPER",
            "SAME_LOWER",
            "VALID",
            "SAME with an odd padding",
            "SAME with windows apart",
            "SAME with dilations",
            "rounding up adds a window",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "BatchNormalization",
        positive: batch_normalization::batch_normalization,
        negatives: &[
            (rule::INPUT_HAS_CHANNELS, batch_normalization::input_has_channels),
            (rule::PARAMETER_SHAPES_FIT, batch_normalization::parameter_shapes_fit),
            (rule::OUTPUTS_FIT_MODE, batch_normalization::outputs_fit_mode),
        ],
        features: &[
            "a list",
            "statistics of each activation",
            "training",
            "several types",
            "a mean far from zero",
            "no variance",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Bernoulli",
        positive: bernoulli::bernoulli,
        negatives: &[
            (rule::PROBABILITY_IN_RANGE, bernoulli::probability_in_range),
            (rule::DTYPE_ALLOWED, bernoulli::dtype_allowed),
        ],
        features: &["a large sample"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "BitCast",
        positive: bit_cast::bit_cast,
        negatives: &[
            (rule::TO_TYPE_ALLOWED, bit_cast::to_type_allowed),
            (rule::BIT_WIDTHS_EQUAL, bit_cast::bit_widths_equal),
        ],
        features: &[],
    },
    Recipe {
        domain: "ai.onnx",
        name: "BitShift",
        positive: bit_shift::bit_shift,
        negatives: &[
            (rule::SHAPES_BROADCAST, bit_shift::shapes_broadcast),
            (rule::DIRECTION_KNOWN, bit_shift::direction_known),
        ],
        features: &["shift outside of the type's bits", "one element", "suffix", "inner extents"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "BitwiseAnd",
        positive: bitwise_and::bitwise_and,
        negatives: &[(rule::SHAPES_BROADCAST, bitwise_and::shapes_broadcast)],
        features: &["one element", "suffix", "inner extents"],
    },
    Recipe { domain: "ai.onnx", name: "BitwiseNot", positive: bitwise_not::bitwise_not, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "BitwiseOr",
        positive: bitwise_or::bitwise_or,
        negatives: &[(rule::SHAPES_BROADCAST, bitwise_or::shapes_broadcast)],
        features: &["one element", "suffix", "inner extents"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "BitwiseXor",
        positive: bitwise_xor::bitwise_xor,
        negatives: &[(rule::SHAPES_BROADCAST, bitwise_xor::shapes_broadcast)],
        features: &["one element", "suffix", "inner extents"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "BlackmanWindow",
        positive: blackman_window::blackman_window,
        negatives: &[
            (rule::SIZE_POSITIVE, blackman_window::size_positive),
            (rule::OUTPUT_DATATYPE_ALLOWED, blackman_window::output_datatype_allowed),
        ],
        features: &[],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Cast",
        positive: cast::cast,
        negatives: &[(rule::TO_TYPE_ALLOWED, cast::to_type_allowed), (rule::ROUND_MODE_KNOWN, cast::round_mode_known)],
        features: &["an attribute that does not count", "fractions in range", "halfway between neighbours"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "CastLike",
        positive: cast_like::cast_like,
        negatives: &[(rule::ROUND_MODE_KNOWN, cast_like::round_mode_known)],
        features: &["an attribute that does not count", "fractions in range", "halfway between neighbours"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "CausalConvWithState",
        positive: causal_conv_with_state::causal_conv_with_state,
        negatives: &[
            (rule::RANK_THREE, causal_conv_with_state::rank_three),
            (rule::WEIGHT_SHAPE_FITS, causal_conv_with_state::weight_shape_fits),
            (rule::BIAS_FITS_CHANNELS, causal_conv_with_state::bias_fits_channels),
            (rule::PAST_STATE_FITS, causal_conv_with_state::past_state_fits),
            (rule::ACTIVATION_KNOWN, causal_conv_with_state::activation_known),
        ],
        features: &["no batches", "an input shorter than the state", "activation"],
    },
    Recipe { domain: "ai.onnx", name: "Ceil", positive: ceil::ceil, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "Celu",
        positive: celu::celu,
        negatives: &[],
        features: &["negative coefficient"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "CenterCropPad",
        positive: center_crop_pad::center_crop_pad,
        negatives: &[
            (rule::SHAPE_FITS_AXES, center_crop_pad::shape_fits_axes),
            (rule::AXES_IN_RANGE, center_crop_pad::axes_in_range),
            (rule::EXTENTS_NON_NEGATIVE, center_crop_pad::extents_non_negative),
        ],
        features: &["cropped", "padded", "nothing is left"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Clip",
        positive: clip::clip,
        negatives: &[(rule::BOUNDS_ARE_SCALARS, clip::bounds_are_scalars)],
        features: &["min above max", "a bound of NaN"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Col2Im",
        positive: col2_im::col2_im,
        negatives: &[
            (rule::RANK_THREE, col2_im::rank_three),
            (rule::WINDOW_ATTRIBUTES_VALID, col2_im::window_attributes_valid),
            (rule::IMAGE_BLOCK_SHAPES_VALID, col2_im::image_block_shapes_valid),
            (rule::BLOCKS_FIT_IMAGE, col2_im::blocks_fit_image),
        ],
        features: &[
            "three spatial axes",
            "no channels",
            "wide padding",
            "asymmetric padding",
            "SAME_UPPER",
            "SAME_LOWER",
            "VALID",
            "SAME with an odd padding",
            "SAME with windows apart",
            "SAME with dilations",
            "rounding up adds a window",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Compress",
        positive: compress::compress,
        negatives: &[
            (rule::RANK_AT_LEAST_ONE, compress::rank_at_least_one),
            (rule::CONDITION_RANK_ONE, compress::condition_rank_one),
            (rule::AXIS_IN_RANGE, compress::axis_in_range),
            (rule::CONDITION_FITS_EXTENT, compress::condition_fits_extent),
        ],
        features: &["short condition", "long condition", "nothing selected"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Concat",
        positive: concat::concat,
        negatives: &[
            (rule::AXIS_IN_RANGE, concat::axis_in_range),
            (rule::OTHER_EXTENTS_EQUAL, concat::other_extents_equal),
        ],
        features: &["one input", "an empty input", "negative axis"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "ConcatFromSequence",
        positive: concat_from_sequence::concat_from_sequence,
        negatives: &[
            (rule::AXIS_IN_RANGE, concat_from_sequence::axis_in_range),
            (rule::OTHER_EXTENTS_EQUAL, concat_from_sequence::other_extents_equal),
        ],
        features: &["a new axis"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Constant",
        positive: constant::constant,
        negatives: &[
            (rule::ONE_ATTRIBUTE_GIVEN, constant::one_attribute_given),
            (rule::VALUE_TYPE_ALLOWED, constant::value_type_allowed),
            (rule::SPARSE_VALUE_VALID, constant::sparse_value_valid),
        ],
        features: &["sparse coordinates", "sparse positions", "nothing listed"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "ConstantOfShape",
        positive: constant_of_shape::constant_of_shape,
        negatives: &[
            (rule::SHAPE_RANK_ONE, constant_of_shape::shape_rank_one),
            (rule::EXTENTS_NON_NEGATIVE, constant_of_shape::extents_non_negative),
            (rule::VALUE_HAS_ONE_ELEMENT, constant_of_shape::value_has_one_element),
            (rule::VALUE_TYPE_ALLOWED, constant_of_shape::value_type_allowed),
        ],
        features: &["scalar result"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Conv",
        positive: conv::conv,
        negatives: &[
            (rule::INPUT_HAS_SPATIAL_AXES, conv::input_has_spatial_axes),
            (rule::WINDOW_ATTRIBUTES_VALID, conv::window_attributes_valid),
            (rule::AUTO_PAD_KNOWN, conv::auto_pad_known),
            (rule::PADS_WITHOUT_AUTO_PAD, conv::pads_without_auto_pad),
            (rule::WINDOW_FITS_AXIS, conv::window_fits_axis),
            (rule::CHANNELS_FIT_GROUPS, conv::channels_fit_groups),
            (rule::KERNEL_SHAPE_MATCHES_W, conv::kernel_shape_matches_w),
            (rule::BIAS_FITS_CHANNELS, conv::bias_fits_channels),
        ],
        features: &[
            "several groups",
            "depthwise",
            "several batches",
            "empty sums",
            "no batches",
            "three spatial axes",
            "one spatial axis",
            "wide padding",
            "asymmetric padding",
            "SAME_UPPER",
            "SAME_LOWER",
            "VALID",
            "SAME with an odd padding",
            "SAME with windows apart",
            "SAME with dilations",
            "rounding up adds a window",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "ConvInteger",
        positive: conv_integer::conv_integer,
        negatives: &[
            (rule::INPUT_HAS_SPATIAL_AXES, conv_integer::input_has_spatial_axes),
            (rule::WINDOW_ATTRIBUTES_VALID, conv_integer::window_attributes_valid),
            (rule::AUTO_PAD_KNOWN, conv_integer::auto_pad_known),
            (rule::PADS_WITHOUT_AUTO_PAD, conv_integer::pads_without_auto_pad),
            (rule::WINDOW_FITS_AXIS, conv_integer::window_fits_axis),
            (rule::CHANNELS_FIT_GROUPS, conv_integer::channels_fit_groups),
            (rule::KERNEL_SHAPE_MATCHES_W, conv_integer::kernel_shape_matches_w),
            (rule::QUANTIZATION_PER_TENSOR, conv_integer::quantization_per_tensor),
            (rule::W_QUANTIZATION_PER_CHANNEL, conv_integer::w_quantization_per_channel),
        ],
        features: &[
            "a zero point for each channel",
            "several groups",
            "depthwise",
            "several batches",
            "empty sums",
            "no batches",
            "three spatial axes",
            "one spatial axis",
            "wide padding",
            "asymmetric padding",
            "SAME_UPPER",
            "SAME_LOWER",
            "VALID",
            "SAME with an odd padding",
            "SAME with windows apart",
            "SAME with dilations",
            "rounding up adds a window",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "ConvTranspose",
        positive: conv_transpose::conv_transpose,
        negatives: &[
            (rule::INPUT_HAS_SPATIAL_AXES, conv_transpose::input_has_spatial_axes),
            (rule::WINDOW_ATTRIBUTES_VALID, conv_transpose::window_attributes_valid),
            (rule::AUTO_PAD_KNOWN, conv_transpose::auto_pad_known),
            (rule::PADS_WITHOUT_AUTO_PAD, conv_transpose::pads_without_auto_pad),
            (rule::OUTPUT_EXTENTS_NON_NEGATIVE, conv_transpose::output_extents_non_negative),
            (rule::CHANNELS_FIT_GROUPS, conv_transpose::channels_fit_groups),
            (rule::KERNEL_SHAPE_MATCHES_W, conv_transpose::kernel_shape_matches_w),
            (rule::BIAS_FITS_CHANNELS, conv_transpose::bias_fits_channels),
            (rule::OUTPUT_PADDING_IN_RANGE, conv_transpose::output_padding_in_range),
        ],
        features: &[
            "output_padding",
            "SAME_UPPER",
            "SAME_LOWER",
            "an output longer than the windows",
            "asymmetric padding",
            "several groups",
            "depthwise",
            "several batches",
            "empty sums",
            "no batches",
            "three spatial axes",
            "one spatial axis",
        ],
    },
    Recipe { domain: "ai.onnx", name: "Cos", positive: cos::cos, negatives: &[], features: &[] },
    Recipe { domain: "ai.onnx", name: "Cosh", positive: cosh::cosh, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "CumProd",
        positive: cum_prod::cum_prod,
        negatives: &[(rule::AXIS_IN_RANGE, cum_prod::axis_in_range), (rule::AXIS_IS_SCALAR, cum_prod::axis_is_scalar)],
        features: &["empty extent", "exclusive", "reverse"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "CumSum",
        positive: cum_sum::cum_sum,
        negatives: &[(rule::AXIS_IN_RANGE, cum_sum::axis_in_range), (rule::AXIS_IS_SCALAR, cum_sum::axis_is_scalar)],
        features: &["empty extent", "exclusive", "reverse"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "DFT",
        positive: dft::dft,
        negatives: &[
            (rule::SAMPLES_REAL_OR_COMPLEX, dft::samples_real_or_complex),
            (rule::AXIS_IN_RANGE, dft::axis_in_range),
            (rule::ONESIDED_SAMPLES_FIT, dft::onesided_samples_fit),
            (rule::DFT_LENGTH_POSITIVE, dft::dft_length_positive),
            (rule::ONESIDED_KNOWN, dft::onesided_known),
        ],
        features: &[
            "empty extent",
            "fewer samples than there are",
            "more samples than there are",
            "more than half of a spectrum",
            "negative axis",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "DeformConv",
        positive: deform_conv::deform_conv,
        negatives: &[
            (rule::INPUT_HAS_SPATIAL_AXES, deform_conv::input_has_spatial_axes),
            (rule::WINDOW_ATTRIBUTES_VALID, deform_conv::window_attributes_valid),
            (rule::WINDOW_FITS_AXIS, deform_conv::window_fits_axis),
            (rule::CHANNELS_FIT_GROUPS, deform_conv::channels_fit_groups),
            (rule::KERNEL_SHAPE_MATCHES_W, deform_conv::kernel_shape_matches_w),
            (rule::BIAS_FITS_CHANNELS, deform_conv::bias_fits_channels),
            (rule::OFFSET_GROUP_DIVIDES_CHANNELS, deform_conv::offset_group_divides_channels),
            (rule::OFFSET_SHAPE_FITS, deform_conv::offset_shape_fits),
            (rule::MASK_SHAPE_FITS, deform_conv::mask_shape_fits),
        ],
        features: &[
            "several offset groups",
            "several groups",
            "depthwise",
            "several batches",
            "empty sums",
            "no batches",
            "three spatial axes",
            "one spatial axis",
            "wide padding",
            "asymmetric padding",
            "SAME_UPPER",
            "SAME_LOWER",
            "VALID",
            "SAME with an odd padding",
            "SAME with windows apart",
            "SAME with dilations",
            "rounding up adds a window",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "DepthToSpace",
        positive: depth_to_space::depth_to_space,
        negatives: &[
            (rule::RANK_FOUR, depth_to_space::rank_four),
            (rule::BLOCKSIZE_POSITIVE, depth_to_space::blocksize_positive),
            (rule::BLOCKSIZE_DIVIDES_DEPTH, depth_to_space::blocksize_divides_depth),
            (rule::MODE_KNOWN, depth_to_space::mode_known),
        ],
        features: &["empty extent", "blocks of one", "CRD"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "DequantizeLinear",
        positive: dequantize_linear::dequantize_linear,
        negatives: &[
            (rule::SCALE_SHAPE_FITS, dequantize_linear::scale_shape_fits),
            (rule::ZERO_POINT_MATCHES_SCALE, dequantize_linear::zero_point_matches_scale),
            (rule::AXIS_IN_RANGE, dequantize_linear::axis_in_range),
            (rule::BLOCKS_COVER_AXIS, dequantize_linear::blocks_cover_axis),
            (rule::OUTPUT_DTYPE_ALLOWED, dequantize_linear::output_dtype_allowed),
            (rule::BLOCK_SIZE_NON_NEGATIVE, dequantize_linear::block_size_non_negative),
        ],
        features: &[
            "a scale a slice of any axis",
            "a scale a slice",
            "a scale a block",
            "a block cut short",
            "any scale",
            "a zero point of a float",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Det",
        positive: det::det,
        negatives: &[(rule::RANK_AT_LEAST_TWO, det::rank_at_least_two), (rule::MATRICES_SQUARE, det::matrices_square)],
        features: &["a singular matrix"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Div",
        positive: div::div,
        negatives: &[
            (rule::LEGACY_SHAPES_BROADCAST, div::legacy_shapes_broadcast),
            (rule::SHAPES_BROADCAST, div::shapes_broadcast),
        ],
        features: &["division by zero", "smallest integer by minus one", "one element", "suffix", "inner extents"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Dropout",
        positive: dropout::dropout,
        negatives: &[
            (rule::RATIO_ATTRIBUTE_IN_RANGE, dropout::ratio_attribute_in_range),
            (rule::RATIO_IN_RANGE, dropout::ratio_in_range),
            (rule::RATIO_IS_SCALAR, dropout::ratio_is_scalar),
            (rule::TRAINING_MODE_IS_SCALAR, dropout::training_mode_is_scalar),
        ],
        features: &["nothing to drop", "training", "a large sample"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "DynamicQuantizeLinear",
        positive: dynamic_quantize_linear::dynamic_quantize_linear,
        negatives: &[],
        features: &["a range of nothing"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Einsum",
        positive: einsum::einsum,
        negatives: &[
            (rule::EQUATION_WELL_FORMED, einsum::equation_well_formed),
            (rule::TERMS_FIT_RANKS, einsum::terms_fit_ranks),
            (rule::LETTER_EXTENTS_EQUAL, einsum::letter_extents_equal),
            (rule::OUTPUT_TERM_VALID, einsum::output_term_valid),
            (rule::ELLIPSES_BROADCAST, einsum::ellipses_broadcast),
        ],
        features: &[
            "an ellipsis of the output alone",
            "a sum of everything",
            "no output written",
            "spaces",
            "a letter twice in a term",
        ],
    },
    Recipe { domain: "ai.onnx", name: "Elu", positive: elu::elu, negatives: &[], features: &["negative coefficient"] },
    Recipe {
        domain: "ai.onnx",
        name: "Equal",
        positive: equal::equal,
        negatives: &[
            (rule::LEGACY_SHAPES_BROADCAST, equal::legacy_shapes_broadcast),
            (rule::SHAPES_BROADCAST, equal::shapes_broadcast),
        ],
        features: &["one element", "suffix", "inner extents"],
    },
    Recipe { domain: "ai.onnx", name: "Erf", positive: erf::erf, negatives: &[], features: &[] },
    Recipe { domain: "ai.onnx", name: "Exp", positive: exp::exp, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "Expand",
        positive: expand::expand,
        negatives: &[(rule::SHAPE_VALID, expand::shape_valid), (rule::SHAPES_BROADCAST, expand::shapes_broadcast)],
        features: &["shape of lower rank"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "EyeLike",
        positive: eye_like::eye_like,
        negatives: &[(rule::RANK_TWO, eye_like::rank_two), (rule::DTYPE_ALLOWED, eye_like::dtype_allowed)],
        features: &["extreme diagonal", "diagonal outside"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Flatten",
        positive: flatten::flatten,
        negatives: &[(rule::AXIS_IN_RANGE, flatten::axis_in_range)],
        features: &["flattened from the first axis", "flattened up to the last axis", "negative axis"],
    },
    Recipe { domain: "ai.onnx", name: "Floor", positive: floor::floor, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "GRU",
        positive: gru::gru,
        negatives: &[
            (rule::LAYER_SHAPES_FIT, gru::layer_shapes_fit),
            (rule::BIAS_AND_STATE_FIT, gru::bias_and_state_fit),
            (rule::SEQUENCE_LENS_IN_RANGE, gru::sequence_lens_in_range),
            (rule::DIRECTION_KNOWN, gru::direction_known),
            (rule::ACTIVATIONS_KNOWN, gru::activations_known),
        ],
        features: &[
            "linear before reset",
            "no batches",
            "reverse",
            "bidirectional",
            "batch first",
            "NaN",
            "recurrent weights beyond 0.5",
            "saturated gates",
            "Tanh",
            "ThresholdedRelu by default",
            "a constant after an activation that takes none",
            "a sequence of no steps",
            "a shorter sequence",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Gather",
        positive: gather::gather,
        negatives: &[
            (rule::RANK_AT_LEAST_ONE, gather::rank_at_least_one),
            (rule::AXIS_IN_RANGE, gather::axis_in_range),
            (rule::INDICES_IN_RANGE, gather::indices_in_range),
        ],
        features: &["no index", "scalar index", "negative index"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "GatherElements",
        positive: gather_elements::gather_elements,
        negatives: &[
            (rule::RANKS_EQUAL, gather_elements::ranks_equal),
            (rule::AXIS_IN_RANGE, gather_elements::axis_in_range),
            (rule::INDICES_IN_RANGE, gather_elements::indices_in_range),
            (rule::INDICES_FIT_DATA, gather_elements::indices_fit_data),
        ],
        features: &["narrower indices", "negative index"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "GatherND",
        positive: gather_nd::gather_nd,
        negatives: &[
            (rule::RANK_AT_LEAST_ONE, gather_nd::rank_at_least_one),
            (rule::INDEX_LENGTH_FITS_RANK, gather_nd::index_length_fits_rank),
            (rule::INDICES_IN_RANGE, gather_nd::indices_in_range),
            (rule::BATCH_EXTENTS_EQUAL, gather_nd::batch_extents_equal),
            (rule::BATCH_DIMS_IN_RANGE, gather_nd::batch_dims_in_range),
        ],
        features: &["batches", "slices", "no index", "negative index"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Gelu",
        positive: gelu::gelu,
        negatives: &[(rule::APPROXIMATE_KNOWN, gelu::approximate_known)],
        features: &[],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Gemm",
        positive: gemm::gemm,
        negatives: &[
            (rule::RANK_TWO, gemm::rank_two),
            (rule::INNER_EXTENTS_EQUAL, gemm::inner_extents_equal),
            (rule::C_BROADCASTS, gemm::c_broadcasts),
        ],
        features: &["C broadcasts", "a factor of zero", "transposed"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "GlobalAveragePool",
        positive: global_average_pool::global_average_pool,
        negatives: &[(rule::INPUT_HAS_CHANNELS, global_average_pool::input_has_channels)],
        features: &["nothing to pool"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "GlobalLpPool",
        positive: global_lp_pool::global_lp_pool,
        negatives: &[(rule::INPUT_HAS_CHANNELS, global_lp_pool::input_has_channels)],
        features: &["the 1-norm", "another norm", "nothing to pool"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "GlobalMaxPool",
        positive: global_max_pool::global_max_pool,
        negatives: &[(rule::INPUT_HAS_CHANNELS, global_max_pool::input_has_channels)],
        features: &["nothing to pool"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Greater",
        positive: greater::greater,
        negatives: &[
            (rule::LEGACY_SHAPES_BROADCAST, greater::legacy_shapes_broadcast),
            (rule::SHAPES_BROADCAST, greater::shapes_broadcast),
        ],
        features: &["one element", "suffix", "inner extents"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "GreaterOrEqual",
        positive: greater_or_equal::greater_or_equal,
        negatives: &[(rule::SHAPES_BROADCAST, greater_or_equal::shapes_broadcast)],
        features: &["one element", "suffix", "inner extents"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "GridSample",
        positive: grid_sample::grid_sample,
        negatives: &[
            (rule::RANKS_EQUAL, grid_sample::ranks_equal),
            (rule::GRID_SHAPE_FITS, grid_sample::grid_shape_fits),
            (rule::MODES_KNOWN, grid_sample::modes_known),
        ],
        features: &["no images", "positions that are no numbers"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "GroupNormalization",
        positive: group_normalization::group_normalization,
        negatives: &[
            (rule::INPUT_HAS_CHANNELS, group_normalization::input_has_channels),
            (rule::GROUPS_DIVIDE_CHANNELS, group_normalization::groups_divide_channels),
            (rule::PARAMETER_SHAPES_FIT, group_normalization::parameter_shapes_fit),
            (rule::STASH_TYPE_ALLOWED, group_normalization::stash_type_allowed),
        ],
        features: &["a group for each channel", "a mean far from zero", "no variance"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "HammingWindow",
        positive: hamming_window::hamming_window,
        negatives: &[
            (rule::SIZE_POSITIVE, hamming_window::size_positive),
            (rule::OUTPUT_DATATYPE_ALLOWED, hamming_window::output_datatype_allowed),
        ],
        features: &[],
    },
    Recipe {
        domain: "ai.onnx",
        name: "HannWindow",
        positive: hann_window::hann_window,
        negatives: &[
            (rule::SIZE_POSITIVE, hann_window::size_positive),
            (rule::OUTPUT_DATATYPE_ALLOWED, hann_window::output_datatype_allowed),
        ],
        features: &[],
    },
    Recipe {
        domain: "ai.onnx",
        name: "HardSigmoid",
        positive: hard_sigmoid::hard_sigmoid,
        negatives: &[],
        features: &["negative coefficient"],
    },
    Recipe { domain: "ai.onnx", name: "HardSwish", positive: hard_swish::hard_swish, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "Hardmax",
        positive: hardmax::hardmax,
        negatives: &[(rule::AXIS_IN_RANGE, hardmax::axis_in_range)],
        features: &["empty extent", "several dimensions in a row", "masked elements"],
    },
    Recipe { domain: "ai.onnx", name: "Identity", positive: identity::identity, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "If",
        positive: if_::if_,
        negatives: &[
            (rule::COND_HAS_ONE_ELEMENT, if_::cond_has_one_element),
            (rule::BRANCH_OUTPUTS_FIT, if_::branch_outputs_fit),
            (rule::BRANCH_TYPES_EQUAL, if_::branch_types_equal),
            (rule::BRANCH_SHAPES_EQUAL, if_::branch_shapes_equal),
        ],
        features: &["shapes differ", "nested If", "a branch computes"],
    },
    #[cfg(feature = "images")]
    Recipe {
        domain: "ai.onnx",
        name: "ImageDecoder",
        positive: image_decoder::image_decoder,
        negatives: &[
            (rule::STREAM_RANK_ONE, image_decoder::stream_rank_one),
            (rule::PIXEL_FORMAT_KNOWN, image_decoder::pixel_format_known),
        ],
        features: &["PNM", "BMP", "PNG", "TIFF", "WebP", "JPEG", "stream without colours", "orientation"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "InstanceNormalization",
        positive: instance_normalization::instance_normalization,
        negatives: &[
            (rule::INPUT_HAS_CHANNELS, instance_normalization::input_has_channels),
            (rule::PARAMETER_SHAPES_FIT, instance_normalization::parameter_shapes_fit),
        ],
        features: &["a mean far from zero", "no variance"],
    },
    Recipe { domain: "ai.onnx", name: "IsInf", positive: is_inf::is_inf, negatives: &[], features: &[] },
    Recipe { domain: "ai.onnx", name: "IsNaN", positive: is_nan::is_nan, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "LRN",
        positive: lrn::lrn,
        negatives: &[(rule::INPUT_HAS_CHANNELS, lrn::input_has_channels), (rule::SIZE_POSITIVE, lrn::size_positive)],
        features: &["elements of any size", "a size of all channels", "an even size"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "LSTM",
        positive: lstm::lstm,
        negatives: &[
            (rule::LAYER_SHAPES_FIT, lstm::layer_shapes_fit),
            (rule::BIAS_AND_STATE_FIT, lstm::bias_and_state_fit),
            (rule::SEQUENCE_LENS_IN_RANGE, lstm::sequence_lens_in_range),
            (rule::DIRECTION_KNOWN, lstm::direction_known),
            (rule::ACTIVATIONS_KNOWN, lstm::activations_known),
        ],
        features: &[
            "coupled gates",
            "no batches",
            "reverse",
            "bidirectional",
            "batch first",
            "NaN",
            "recurrent weights beyond 0.5",
            "saturated gates",
            "Tanh",
            "ThresholdedRelu by default",
            "a constant after an activation that takes none",
            "a sequence of no steps",
            "a shorter sequence",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "LayerNormalization",
        positive: layer_normalization::layer_normalization,
        negatives: &[
            (rule::AXIS_IN_RANGE, layer_normalization::axis_in_range),
            (rule::SCALE_BROADCASTS, layer_normalization::scale_broadcasts),
            (rule::STASH_TYPE_ALLOWED, layer_normalization::stash_type_allowed),
        ],
        features: &["a factor of another shape", "a mean far from zero", "no variance"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "LeakyRelu",
        positive: leaky_relu::leaky_relu,
        negatives: &[],
        features: &["negative coefficient"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Less",
        positive: less::less,
        negatives: &[
            (rule::LEGACY_SHAPES_BROADCAST, less::legacy_shapes_broadcast),
            (rule::SHAPES_BROADCAST, less::shapes_broadcast),
        ],
        features: &["one element", "suffix", "inner extents"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "LessOrEqual",
        positive: less_or_equal::less_or_equal,
        negatives: &[(rule::SHAPES_BROADCAST, less_or_equal::shapes_broadcast)],
        features: &["one element", "suffix", "inner extents"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "LinearAttention",
        positive: linear_attention::linear_attention,
        negatives: &[
            (rule::HEAD_COUNTS_DIVIDE, linear_attention::head_counts_divide),
            (rule::QUERY_KEY_VALUE_AGREE, linear_attention::query_key_value_agree),
            (rule::PAST_STATE_FITS, linear_attention::past_state_fits),
            (rule::DECAY_FITS, linear_attention::decay_fits),
            (rule::BETA_FITS, linear_attention::beta_fits),
            (rule::UPDATE_RULE_KNOWN, linear_attention::update_rule_known),
        ],
        features: &["a state of another type", "no batches"],
    },
    Recipe { domain: "ai.onnx", name: "Log", positive: log::log, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "LogSoftmax",
        positive: log_softmax::log_softmax,
        negatives: &[(rule::AXIS_IN_RANGE, log_softmax::axis_in_range)],
        features: &["empty extent", "several dimensions in a row", "masked elements"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Loop",
        positive: loop_::loop_,
        negatives: &[
            (rule::M_AND_COND_SCALAR, loop_::m_and_cond_scalar),
            (rule::BODY_FITS_NODE, loop_::body_fits_node),
            (rule::CARRIED_TYPES_KEPT, loop_::carried_types_kept),
            (rule::ITERATION_SHAPES_EQUAL, loop_::iteration_shapes_equal),
        ],
        features: &[
            "scan output",
            "a value around the body",
            "a value grows",
            "a sequence grows",
            "many iterations",
            "no iteration",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "LpNormalization",
        positive: lp_normalization::lp_normalization,
        negatives: &[
            (rule::AXIS_IN_RANGE, lp_normalization::axis_in_range),
            (rule::P_KNOWN, lp_normalization::p_known),
        ],
        features: &["only zeros"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "LpPool",
        positive: lp_pool::lp_pool,
        negatives: &[
            (rule::INPUT_HAS_SPATIAL_AXES, lp_pool::input_has_spatial_axes),
            (rule::WINDOW_ATTRIBUTES_VALID, lp_pool::window_attributes_valid),
            (rule::AUTO_PAD_KNOWN, lp_pool::auto_pad_known),
            (rule::PADS_WITHOUT_AUTO_PAD, lp_pool::pads_without_auto_pad),
            (rule::WINDOW_FITS_AXIS, lp_pool::window_fits_axis),
        ],
        features: &[
            "no kernel_shape",
            "the 1-norm",
            "another norm",
            "no channels",
            "three spatial axes",
            "one spatial axis",
            "wide padding",
            "asymmetric padding",
            "SAME_UPPER",
            "SAME_LOWER",
            "VALID",
            "SAME with an odd padding",
            "SAME with windows apart",
            "SAME with dilations",
            "rounding up adds a window",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "MatMul",
        positive: mat_mul::mat_mul,
        negatives: &[
            (rule::RANK_AT_LEAST_ONE, mat_mul::rank_at_least_one),
            (rule::INNER_EXTENTS_EQUAL, mat_mul::inner_extents_equal),
            (rule::BATCH_SHAPES_BROADCAST, mat_mul::batch_shapes_broadcast),
        ],
        features: &["a list on the left", "a list on the right", "batches", "batches and a list"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "MatMulInteger",
        positive: mat_mul_integer::mat_mul_integer,
        negatives: &[
            (rule::RANK_AT_LEAST_ONE, mat_mul_integer::rank_at_least_one),
            (rule::INNER_EXTENTS_EQUAL, mat_mul_integer::inner_extents_equal),
            (rule::BATCH_SHAPES_BROADCAST, mat_mul_integer::batch_shapes_broadcast),
            (rule::A_ZERO_POINT_FITS, mat_mul_integer::a_zero_point_fits),
            (rule::B_ZERO_POINT_FITS, mat_mul_integer::b_zero_point_fits),
        ],
        features: &["an empty matrix", "a list on the left", "a list on the right", "batches", "one a row or column"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Max",
        positive: max::max,
        negatives: &[(rule::SHAPES_EQUAL, max::shapes_equal), (rule::SHAPES_BROADCAST, max::shapes_broadcast)],
        features: &["one input"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "MaxPool",
        positive: max_pool::max_pool,
        negatives: &[
            (rule::INPUT_HAS_SPATIAL_AXES, max_pool::input_has_spatial_axes),
            (rule::WINDOW_ATTRIBUTES_VALID, max_pool::window_attributes_valid),
            (rule::AUTO_PAD_KNOWN, max_pool::auto_pad_known),
            (rule::PADS_WITHOUT_AUTO_PAD, max_pool::pads_without_auto_pad),
            (rule::WINDOW_FITS_AXIS, max_pool::window_fits_axis),
        ],
        features: &[
            "indices",
            "columns first",
            "no channels",
            "three spatial axes",
            "one spatial axis",
            "wide padding",
            "asymmetric padding",
            "SAME_UPPER",
            "SAME_LOWER",
            "VALID",
            "SAME with an odd padding",
            "SAME with windows apart",
            "SAME with dilations",
            "rounding up adds a window",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "MaxRoiPool",
        positive: max_roi_pool::max_roi_pool,
        negatives: &[
            (rule::RANK_FOUR, max_roi_pool::rank_four),
            (rule::POOLED_SHAPE_VALID, max_roi_pool::pooled_shape_valid),
            (rule::ROIS_SHAPE_FITS, max_roi_pool::rois_shape_fits),
            (rule::BATCH_INDICES_IN_RANGE, max_roi_pool::batch_indices_in_range),
        ],
        features: &["a region outside", "no regions"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "MaxUnpool",
        positive: max_unpool::max_unpool,
        negatives: &[
            (rule::INPUT_HAS_SPATIAL_AXES, max_unpool::input_has_spatial_axes),
            (rule::WINDOW_ATTRIBUTES_VALID, max_unpool::window_attributes_valid),
            (rule::OUTPUT_EXTENTS_NON_NEGATIVE, max_unpool::output_extents_non_negative),
            (rule::INDICES_MATCH_INPUT, max_unpool::indices_match_input),
            (rule::OUTPUT_SHAPE_FITS, max_unpool::output_shape_fits),
            (rule::INDICES_IN_RANGE, max_unpool::indices_in_range),
        ],
        features: &[
            "no channels",
            "an output longer than the windows",
            "indices that meet",
            "three spatial axes",
            "one spatial axis",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Mean",
        positive: mean::mean,
        negatives: &[(rule::SHAPES_EQUAL, mean::shapes_equal), (rule::SHAPES_BROADCAST, mean::shapes_broadcast)],
        features: &["one input"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "MeanVarianceNormalization",
        positive: mean_variance_normalization::mean_variance_normalization,
        negatives: &[(rule::AXES_IN_RANGE, mean_variance_normalization::axes_in_range)],
        features: &["negative axes", "a mean far from zero", "no variance"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "MelWeightMatrix",
        positive: mel_weight_matrix::mel_weight_matrix,
        negatives: &[
            (rule::EDGES_IN_ORDER, mel_weight_matrix::edges_in_order),
            (rule::OUTPUT_DATATYPE_ALLOWED, mel_weight_matrix::output_datatype_allowed),
        ],
        features: &[],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Min",
        positive: min::min,
        negatives: &[(rule::SHAPES_EQUAL, min::shapes_equal), (rule::SHAPES_BROADCAST, min::shapes_broadcast)],
        features: &["one input"],
    },
    Recipe { domain: "ai.onnx", name: "Mish", positive: mish::mish, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "Mod",
        positive: mod_::mod_,
        negatives: &[
            (rule::SHAPES_BROADCAST, mod_::shapes_broadcast),
            (rule::FMOD_SET_FOR_FLOATS, mod_::fmod_set_for_floats),
            (rule::FMOD_KNOWN, mod_::fmod_known),
        ],
        features: &["division by zero", "smallest integer by minus one", "one element", "suffix", "inner extents"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Mul",
        positive: mul::mul,
        negatives: &[
            (rule::LEGACY_SHAPES_BROADCAST, mul::legacy_shapes_broadcast),
            (rule::SHAPES_BROADCAST, mul::shapes_broadcast),
        ],
        features: &["one element", "suffix", "inner extents"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Multinomial",
        positive: multinomial::multinomial,
        negatives: &[
            (rule::RANK_TWO, multinomial::rank_two),
            (rule::DTYPE_ALLOWED, multinomial::dtype_allowed),
            (rule::SAMPLE_SIZE_NON_NEGATIVE, multinomial::sample_size_non_negative),
        ],
        features: &["no rows", "many samples of a row"],
    },
    Recipe { domain: "ai.onnx", name: "Neg", positive: neg::neg, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "NegativeLogLikelihoodLoss",
        positive: negative_log_likelihood_loss::negative_log_likelihood_loss,
        negatives: &[
            (rule::LABEL_SHAPE_FITS, negative_log_likelihood_loss::label_shape_fits),
            (rule::CLASS_WEIGHTS_FIT, negative_log_likelihood_loss::class_weights_fit),
            (rule::LABELS_IN_RANGE, negative_log_likelihood_loss::labels_in_range),
            (rule::REDUCTION_KNOWN, negative_log_likelihood_loss::reduction_known),
        ],
        features: &["empty extent", "all labels ignored", "labels ignored"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "NonMaxSuppression",
        positive: non_max_suppression::non_max_suppression,
        negatives: &[
            (rule::BOXES_MATCH_SCORES, non_max_suppression::boxes_match_scores),
            (rule::PARAMETERS_ARE_SCALARS, non_max_suppression::parameters_are_scalars),
            (rule::IOU_THRESHOLD_IN_RANGE, non_max_suppression::iou_threshold_in_range),
        ],
        features: &[
            "no boxes",
            "several batches",
            "several classes",
            "centres and sizes",
            "equal scores",
            "a score at the threshold",
            "an overlap at the threshold",
            "a box beside the one before",
            "corners in another order",
        ],
    },
    Recipe { domain: "ai.onnx", name: "NonZero", positive: non_zero::non_zero, negatives: &[], features: &["scalar"] },
    Recipe { domain: "ai.onnx", name: "Not", positive: not::not, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "OneHot",
        positive: one_hot::one_hot,
        negatives: &[
            (rule::DEPTH_VALID, one_hot::depth_valid),
            (rule::VALUES_ARE_PAIR, one_hot::values_are_pair),
            (rule::AXIS_IN_RANGE, one_hot::axis_in_range),
        ],
        features: &["depth with a fraction", "index outside", "negative index"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Optional",
        positive: optional::optional,
        negatives: &[
            (rule::TYPE_GIVEN_WITHOUT_INPUT, optional::type_given_without_input),
            (rule::TYPE_ALLOWED, optional::type_allowed),
        ],
        features: &[],
    },
    Recipe {
        domain: "ai.onnx",
        name: "OptionalGetElement",
        positive: optional_get_element::optional_get_element,
        negatives: &[],
        features: &["no optional around it"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "OptionalHasElement",
        positive: optional_has_element::optional_has_element,
        negatives: &[],
        features: &["no input", "always an element"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Or",
        positive: or::or,
        negatives: &[
            (rule::LEGACY_SHAPES_BROADCAST, or::legacy_shapes_broadcast),
            (rule::SHAPES_BROADCAST, or::shapes_broadcast),
        ],
        features: &["one element", "suffix", "inner extents"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "PRelu",
        positive: p_relu::p_relu,
        negatives: &[
            (rule::SLOPE_FITS_INPUT, p_relu::slope_fits_input),
            (rule::SLOPE_BROADCASTS, p_relu::slope_broadcasts),
        ],
        features: &["slope of rank 0", "a slope for each channel", "slope broadcasts", "slope of lower rank"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Pad",
        positive: pad::pad,
        negatives: &[
            (rule::PADS_FIT_AXES, pad::pads_fit_axes),
            (rule::MODE_KNOWN, pad::mode_known),
            (rule::AXES_IN_RANGE, pad::axes_in_range),
            (rule::OUTPUT_EXTENTS_NON_NEGATIVE, pad::output_extents_non_negative),
            (rule::CONSTANT_VALUE_IS_SCALAR, pad::constant_value_is_scalar),
            (rule::AXES_RANK_ONE, pad::axes_rank_one),
        ],
        features: &[
            "negative pads",
            "reflected more than once",
            "wrapped more than once",
            "cut at one end and padded at the other",
            "a wide reflection",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Pow",
        positive: pow::pow,
        negatives: &[
            (rule::LEGACY_SHAPES_BROADCAST, pow::legacy_shapes_broadcast),
            (rule::SHAPES_BROADCAST, pow::shapes_broadcast),
        ],
        features: &["fractions", "extremes", "one element", "suffix", "inner extents"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "QLinearConv",
        positive: q_linear_conv::q_linear_conv,
        negatives: &[
            (rule::INPUT_HAS_SPATIAL_AXES, q_linear_conv::input_has_spatial_axes),
            (rule::WINDOW_ATTRIBUTES_VALID, q_linear_conv::window_attributes_valid),
            (rule::AUTO_PAD_KNOWN, q_linear_conv::auto_pad_known),
            (rule::PADS_WITHOUT_AUTO_PAD, q_linear_conv::pads_without_auto_pad),
            (rule::WINDOW_FITS_AXIS, q_linear_conv::window_fits_axis),
            (rule::CHANNELS_FIT_GROUPS, q_linear_conv::channels_fit_groups),
            (rule::KERNEL_SHAPE_MATCHES_W, q_linear_conv::kernel_shape_matches_w),
            (rule::BIAS_FITS_CHANNELS, q_linear_conv::bias_fits_channels),
            (rule::QUANTIZATION_PER_TENSOR, q_linear_conv::quantization_per_tensor),
            (rule::W_QUANTIZATION_PER_CHANNEL, q_linear_conv::w_quantization_per_channel),
        ],
        features: &[
            "a scale for each channel",
            "several groups",
            "depthwise",
            "several batches",
            "empty sums",
            "no batches",
            "three spatial axes",
            "one spatial axis",
            "wide padding",
            "asymmetric padding",
            "SAME_UPPER",
            "SAME_LOWER",
            "VALID",
            "SAME with an odd padding",
            "SAME with windows apart",
            "SAME with dilations",
            "rounding up adds a window",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "QLinearMatMul",
        positive: q_linear_mat_mul::q_linear_mat_mul,
        negatives: &[
            (rule::RANK_AT_LEAST_ONE, q_linear_mat_mul::rank_at_least_one),
            (rule::INNER_EXTENTS_EQUAL, q_linear_mat_mul::inner_extents_equal),
            (rule::BATCH_SHAPES_BROADCAST, q_linear_mat_mul::batch_shapes_broadcast),
            (rule::SCALE_SHAPE_FITS, q_linear_mat_mul::scale_shape_fits),
            (rule::ZERO_POINT_MATCHES_SCALE, q_linear_mat_mul::zero_point_matches_scale),
            (rule::Y_QUANTIZATION_PER_TENSOR, q_linear_mat_mul::y_quantization_per_tensor),
        ],
        features: &[
            "powers of two: ties",
            "an empty matrix",
            "a list on the left",
            "a list on the right",
            "batches",
            "one a row or column",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "QuantizeLinear",
        positive: quantize_linear::quantize_linear,
        negatives: &[
            (rule::SCALE_SHAPE_FITS, quantize_linear::scale_shape_fits),
            (rule::ZERO_POINT_MATCHES_SCALE, quantize_linear::zero_point_matches_scale),
            (rule::AXIS_IN_RANGE, quantize_linear::axis_in_range),
            (rule::BLOCKS_COVER_AXIS, quantize_linear::blocks_cover_axis),
            (rule::OUTPUT_DTYPE_ALLOWED, quantize_linear::output_dtype_allowed),
            (rule::PRECISION_ALLOWED, quantize_linear::precision_allowed),
            (rule::BLOCK_SIZE_NON_NEGATIVE, quantize_linear::block_size_non_negative),
        ],
        features: &[
            "a scale a slice of any axis",
            "a scale a slice",
            "a scale a block",
            "a block cut short",
            "any scale",
            "a zero point of a float",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "RMSNormalization",
        positive: rms_normalization::rms_normalization,
        negatives: &[
            (rule::AXIS_IN_RANGE, rms_normalization::axis_in_range),
            (rule::SCALE_BROADCASTS, rms_normalization::scale_broadcasts),
            (rule::STASH_TYPE_ALLOWED, rms_normalization::stash_type_allowed),
        ],
        features: &[
            "two types",
            "stashed as double",
            "a factor of another shape",
            "a mean far from zero",
            "no variance",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "RNN",
        positive: rnn::rnn,
        negatives: &[
            (rule::LAYER_SHAPES_FIT, rnn::layer_shapes_fit),
            (rule::BIAS_AND_STATE_FIT, rnn::bias_and_state_fit),
            (rule::SEQUENCE_LENS_IN_RANGE, rnn::sequence_lens_in_range),
            (rule::DIRECTION_KNOWN, rnn::direction_known),
            (rule::ACTIVATIONS_KNOWN, rnn::activations_known),
        ],
        features: &[
            "no batches",
            "reverse",
            "bidirectional",
            "batch first",
            "NaN",
            "recurrent weights beyond 0.5",
            "saturated gates",
            "Tanh",
            "ThresholdedRelu by default",
            "a constant after an activation that takes none",
            "a sequence of no steps",
            "a shorter sequence",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "RandomNormal",
        positive: random_normal::random_normal,
        negatives: &[
            (rule::DTYPE_ALLOWED, random_normal::dtype_allowed),
            (rule::EXTENTS_NON_NEGATIVE, random_normal::extents_non_negative),
        ],
        features: &["a large sample"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "RandomNormalLike",
        positive: random_normal_like::random_normal_like,
        negatives: &[(rule::DTYPE_ALLOWED, random_normal_like::dtype_allowed)],
        features: &["a large sample"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "RandomUniform",
        positive: random_uniform::random_uniform,
        negatives: &[
            (rule::DTYPE_ALLOWED, random_uniform::dtype_allowed),
            (rule::EXTENTS_NON_NEGATIVE, random_uniform::extents_non_negative),
        ],
        features: &["a large sample"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "RandomUniformLike",
        positive: random_uniform_like::random_uniform_like,
        negatives: &[(rule::DTYPE_ALLOWED, random_uniform_like::dtype_allowed)],
        features: &["a large sample"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Range",
        positive: range::range,
        negatives: &[(rule::INPUTS_ARE_SCALARS, range::inputs_are_scalars)],
        features: &["no element", "backwards", "numbers beyond float64"],
    },
    Recipe { domain: "ai.onnx", name: "Reciprocal", positive: reciprocal::reciprocal, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "ReduceL1",
        positive: reduce_l1::reduce_l1,
        negatives: &[(rule::AXES_IN_RANGE, reduce_l1::axes_in_range)],
        features: &[
            "keepdims 0",
            "nothing reduced",
            "an empty set",
            "empty axes",
            "negative axis",
            "axes in descending order",
            "several axes",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "ReduceL2",
        positive: reduce_l2::reduce_l2,
        negatives: &[(rule::AXES_IN_RANGE, reduce_l2::axes_in_range)],
        features: &[
            "keepdims 0",
            "nothing reduced",
            "an empty set",
            "empty axes",
            "negative axis",
            "axes in descending order",
            "several axes",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "ReduceLogSum",
        positive: reduce_log_sum::reduce_log_sum,
        negatives: &[(rule::AXES_IN_RANGE, reduce_log_sum::axes_in_range)],
        features: &[
            "keepdims 0",
            "nothing reduced",
            "an empty set",
            "empty axes",
            "negative axis",
            "axes in descending order",
            "several axes",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "ReduceLogSumExp",
        positive: reduce_log_sum_exp::reduce_log_sum_exp,
        negatives: &[(rule::AXES_IN_RANGE, reduce_log_sum_exp::axes_in_range)],
        features: &[
            "keepdims 0",
            "nothing reduced",
            "an empty set",
            "empty axes",
            "negative axis",
            "axes in descending order",
            "several axes",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "ReduceMax",
        positive: reduce_max::reduce_max,
        negatives: &[(rule::AXES_IN_RANGE, reduce_max::axes_in_range)],
        features: &[
            "keepdims 0",
            "nothing reduced",
            "an empty set",
            "empty axes",
            "negative axis",
            "axes in descending order",
            "several axes",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "ReduceMean",
        positive: reduce_mean::reduce_mean,
        negatives: &[(rule::AXES_IN_RANGE, reduce_mean::axes_in_range)],
        features: &[
            "keepdims 0",
            "nothing reduced",
            "an empty set",
            "empty axes",
            "negative axis",
            "axes in descending order",
            "several axes",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "ReduceMin",
        positive: reduce_min::reduce_min,
        negatives: &[(rule::AXES_IN_RANGE, reduce_min::axes_in_range)],
        features: &[
            "keepdims 0",
            "nothing reduced",
            "an empty set",
            "empty axes",
            "negative axis",
            "axes in descending order",
            "several axes",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "ReduceProd",
        positive: reduce_prod::reduce_prod,
        negatives: &[(rule::AXES_IN_RANGE, reduce_prod::axes_in_range)],
        features: &[
            "keepdims 0",
            "nothing reduced",
            "an empty set",
            "empty axes",
            "negative axis",
            "axes in descending order",
            "several axes",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "ReduceSum",
        positive: reduce_sum::reduce_sum,
        negatives: &[(rule::AXES_IN_RANGE, reduce_sum::axes_in_range)],
        features: &[
            "keepdims 0",
            "nothing reduced",
            "an empty set",
            "empty axes",
            "negative axis",
            "axes in descending order",
            "several axes",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "ReduceSumSquare",
        positive: reduce_sum_square::reduce_sum_square,
        negatives: &[(rule::AXES_IN_RANGE, reduce_sum_square::axes_in_range)],
        features: &[
            "keepdims 0",
            "nothing reduced",
            "an empty set",
            "empty axes",
            "negative axis",
            "axes in descending order",
            "several axes",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "RegexFullMatch",
        positive: regex_full_match::regex_full_match,
        negatives: &[(rule::PATTERN_VALID, regex_full_match::pattern_valid)],
        features: &[],
    },
    Recipe { domain: "ai.onnx", name: "Relu", positive: relu::relu, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "Reshape",
        positive: reshape::reshape,
        negatives: &[
            (rule::ONE_INFERRED_EXTENT, reshape::one_inferred_extent),
            (rule::EXTENTS_NON_NEGATIVE, reshape::extents_non_negative),
            (rule::COPIED_EXTENT_EXISTS, reshape::copied_extent_exists),
            (rule::ELEMENT_COUNTS_EQUAL, reshape::element_counts_equal),
            (rule::ALLOWZERO_WITHOUT_INFERENCE, reshape::allowzero_without_inference),
            (rule::SHAPE_GIVEN, reshape::shape_given),
        ],
        features: &["copied extent", "allowzero with 0", "scalar result", "inferred extent", "inferred empty extent"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Resize",
        positive: resize::resize,
        negatives: &[
            (rule::SCALES_FIT_AXES, resize::scales_fit_axes),
            (rule::SCALES_IN_RANGE, resize::scales_in_range),
            (rule::SCALES_OR_SIZES_GIVEN, resize::scales_or_sizes_given),
            (rule::MODES_KNOWN, resize::modes_known),
            (rule::AXES_IN_RANGE, resize::axes_in_range),
            (rule::ROI_FITS_AXES, resize::roi_fits_axes),
        ],
        features: &[
            "empty extent",
            "axes in another order",
            "negative axis",
            "a region beyond the input",
            "a region backwards",
            "a scale that gives a fractional extent",
            "any axis is resized",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "ReverseSequence",
        positive: reverse_sequence::reverse_sequence,
        negatives: &[
            (rule::RANK_AT_LEAST_TWO, reverse_sequence::rank_at_least_two),
            (rule::AXES_ARE_FIRST_TWO, reverse_sequence::axes_are_first_two),
            (rule::SEQUENCE_LENS_SHAPE_FITS, reverse_sequence::sequence_lens_shape_fits),
            (rule::SEQUENCE_LENS_IN_RANGE, reverse_sequence::sequence_lens_in_range),
        ],
        features: &["a length of 0"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "RoiAlign",
        positive: roi_align::roi_align,
        negatives: &[
            (rule::RANK_FOUR, roi_align::rank_four),
            (rule::ROIS_SHAPE_FITS, roi_align::rois_shape_fits),
            (rule::BATCH_INDICES_FIT_ROIS, roi_align::batch_indices_fit_rois),
            (rule::BATCH_INDICES_IN_RANGE, roi_align::batch_indices_in_range),
            (rule::MODE_KNOWN, roi_align::mode_known),
            (rule::TRANSFORMATION_MODE_KNOWN, roi_align::transformation_mode_known),
        ],
        features: &["half_pixel", "max", "a region outside", "no regions"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "RotaryEmbedding",
        positive: rotary_embedding::rotary_embedding,
        negatives: &[
            (rule::RANK_THREE_OR_FOUR, rotary_embedding::rank_three_or_four),
            (rule::HEAD_COUNTS_DIVIDE, rotary_embedding::head_counts_divide),
            (rule::CACHE_SHAPES_FIT, rotary_embedding::cache_shapes_fit),
            (rule::POSITION_IDS_SHAPE_FITS, rotary_embedding::position_ids_shape_fits),
            (rule::POSITIONS_IN_RANGE, rotary_embedding::positions_in_range),
            (rule::ROTARY_EMBEDDING_DIM_FITS, rotary_embedding::rotary_embedding_dim_fits),
        ],
        features: &["a part is turned", "no batches", "packed heads of a rotation"],
    },
    Recipe { domain: "ai.onnx", name: "Round", positive: round::round, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "STFT",
        positive: stft::stft,
        negatives: &[
            (rule::SAMPLES_REAL_OR_COMPLEX, stft::samples_real_or_complex),
            (rule::FRAME_STEP_POSITIVE, stft::frame_step_positive),
            (rule::WINDOW_FITS_FRAME, stft::window_fits_frame),
            (rule::ONESIDED_SAMPLES_FIT, stft::onesided_samples_fit),
            (rule::FRAME_FITS_SIGNAL, stft::frame_fits_signal),
            (rule::ONESIDED_KNOWN, stft::onesided_known),
        ],
        features: &["no signals", "a frame that is not full", "one frame of all samples"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Scan",
        positive: scan::scan,
        negatives: &[
            (rule::NUM_SCAN_INPUTS_FITS, scan::num_scan_inputs_fits),
            (rule::SCAN_LENGTHS_EQUAL, scan::scan_lengths_equal),
            (rule::BODY_FITS_NODE, scan::body_fits_node),
            (rule::LISTS_FIT_SCAN_INPUTS, scan::lists_fit_scan_inputs),
            (rule::AXES_IN_RANGE, scan::axes_in_range),
            (rule::DIRECTIONS_KNOWN, scan::directions_known),
            (rule::ITERATION_SHAPES_EQUAL, scan::iteration_shapes_equal),
            (rule::SEQUENCE_LENS_IN_RANGE, scan::sequence_lens_in_range),
        ],
        features: &["many steps", "a shorter sequence", "no step", "a value around the body", "axis from the back"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Scatter",
        positive: scatter::scatter,
        negatives: &[
            (rule::RANKS_EQUAL, scatter::ranks_equal),
            (rule::UPDATES_SHAPE_FITS, scatter::updates_shape_fits),
            (rule::AXIS_IN_RANGE, scatter::axis_in_range),
            (rule::INDICES_IN_RANGE, scatter::indices_in_range),
            (rule::INDICES_FIT_DATA, scatter::indices_fit_data),
        ],
        features: &[
            "indices narrower than data",
            "two updates for one element",
            "negative index",
            "added",
            "multiplied",
            "larger",
            "smaller",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "ScatterElements",
        positive: scatter_elements::scatter_elements,
        negatives: &[
            (rule::RANKS_EQUAL, scatter_elements::ranks_equal),
            (rule::UPDATES_SHAPE_FITS, scatter_elements::updates_shape_fits),
            (rule::AXIS_IN_RANGE, scatter_elements::axis_in_range),
            (rule::INDICES_IN_RANGE, scatter_elements::indices_in_range),
            (rule::INDICES_FIT_DATA, scatter_elements::indices_fit_data),
            (rule::REDUCTION_KNOWN, scatter_elements::reduction_known),
        ],
        features: &[
            "indices narrower than data",
            "two updates for one element",
            "negative index",
            "added",
            "multiplied",
            "larger",
            "smaller",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "ScatterND",
        positive: scatter_nd::scatter_nd,
        negatives: &[
            (rule::RANK_AT_LEAST_ONE, scatter_nd::rank_at_least_one),
            (rule::INDEX_LENGTH_FITS_RANK, scatter_nd::index_length_fits_rank),
            (rule::UPDATES_SHAPE_FITS, scatter_nd::updates_shape_fits),
            (rule::INDICES_IN_RANGE, scatter_nd::indices_in_range),
            (rule::REDUCTION_KNOWN, scatter_nd::reduction_known),
        ],
        features: &["slices", "no update", "negative index", "added", "multiplied", "larger", "smaller"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Selu",
        positive: selu::selu,
        negatives: &[],
        features: &["negative coefficient"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "SequenceAt",
        positive: sequence_at::sequence_at,
        negatives: &[
            (rule::POSITION_IN_RANGE, sequence_at::position_in_range),
            (rule::POSITION_IS_SCALAR, sequence_at::position_is_scalar),
        ],
        features: &["position from the back"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "SequenceConstruct",
        positive: sequence_construct::sequence_construct,
        negatives: &[],
        features: &[],
    },
    Recipe {
        domain: "ai.onnx",
        name: "SequenceEmpty",
        positive: sequence_empty::sequence_empty,
        negatives: &[(rule::DTYPE_ALLOWED, sequence_empty::dtype_allowed)],
        features: &[],
    },
    Recipe {
        domain: "ai.onnx",
        name: "SequenceErase",
        positive: sequence_erase::sequence_erase,
        negatives: &[
            (rule::POSITION_IN_RANGE, sequence_erase::position_in_range),
            (rule::POSITION_IS_SCALAR, sequence_erase::position_is_scalar),
        ],
        features: &["nothing is left", "position from the back"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "SequenceInsert",
        positive: sequence_insert::sequence_insert,
        negatives: &[
            (rule::POSITION_IN_RANGE, sequence_insert::position_in_range),
            (rule::POSITION_IS_SCALAR, sequence_insert::position_is_scalar),
            (rule::ELEMENT_TYPE_FITS, sequence_insert::element_type_fits),
        ],
        features: &["into an empty sequence", "position from the back"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "SequenceLength",
        positive: sequence_length::sequence_length,
        negatives: &[],
        features: &["empty sequence"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "SequenceMap",
        positive: sequence_map::sequence_map,
        negatives: &[
            (rule::SEQUENCES_LONG_ENOUGH, sequence_map::sequences_long_enough),
            (rule::BODY_FITS_NODE, sequence_map::body_fits_node),
        ],
        features: &["empty sequence", "a tensor for all", "a value around the body"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Shape",
        positive: shape::shape,
        negatives: &[],
        features: &["start behind end", "extreme bound", "bound outside"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Shrink",
        positive: shrink::shrink,
        negatives: &[],
        features: &["negative coefficient"],
    },
    Recipe { domain: "ai.onnx", name: "Sigmoid", positive: sigmoid::sigmoid, negatives: &[], features: &[] },
    Recipe { domain: "ai.onnx", name: "Sign", positive: sign::sign, negatives: &[], features: &[] },
    Recipe { domain: "ai.onnx", name: "Sin", positive: sin::sin, negatives: &[], features: &[] },
    Recipe { domain: "ai.onnx", name: "Sinh", positive: sinh::sinh, negatives: &[], features: &[] },
    Recipe { domain: "ai.onnx", name: "Size", positive: size::size, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "Slice",
        positive: slice::slice,
        negatives: &[
            (rule::AXES_IN_RANGE, slice::axes_in_range),
            (rule::LENGTHS_EQUAL, slice::lengths_equal),
            (rule::STEPS_NON_ZERO, slice::steps_non_zero),
        ],
        features: &[
            "axes in another order",
            "negative axis",
            "to the end",
            "to the beginning",
            "nothing between the bounds",
            "clamped bounds",
            "start before the beginning, backwards",
            "negative index",
            "extreme step",
        ],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Softmax",
        positive: softmax::softmax,
        negatives: &[(rule::AXIS_IN_RANGE, softmax::axis_in_range)],
        features: &["empty extent", "several dimensions in a row", "masked elements"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "SoftmaxCrossEntropyLoss",
        positive: softmax_cross_entropy_loss::softmax_cross_entropy_loss,
        negatives: &[
            (rule::LABEL_SHAPE_FITS, softmax_cross_entropy_loss::label_shape_fits),
            (rule::CLASS_WEIGHTS_FIT, softmax_cross_entropy_loss::class_weights_fit),
            (rule::LABELS_IN_RANGE, softmax_cross_entropy_loss::labels_in_range),
            (rule::REDUCTION_KNOWN, softmax_cross_entropy_loss::reduction_known),
        ],
        features: &["empty extent", "all labels ignored", "labels ignored"],
    },
    Recipe { domain: "ai.onnx", name: "Softplus", positive: softplus::softplus, negatives: &[], features: &[] },
    Recipe { domain: "ai.onnx", name: "Softsign", positive: softsign::softsign, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "SpaceToDepth",
        positive: space_to_depth::space_to_depth,
        negatives: &[
            (rule::RANK_FOUR, space_to_depth::rank_four),
            (rule::BLOCKSIZE_POSITIVE, space_to_depth::blocksize_positive),
            (rule::BLOCKSIZE_DIVIDES_EXTENTS, space_to_depth::blocksize_divides_extents),
            (rule::MODE_KNOWN, space_to_depth::mode_known),
        ],
        features: &["empty extent", "blocks of one", "CRD"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Split",
        positive: split::split,
        negatives: &[
            (rule::AXIS_IN_RANGE, split::axis_in_range),
            (rule::LENGTHS_FIT_OUTPUTS, split::lengths_fit_outputs),
            (rule::LENGTHS_FIT_AXIS, split::lengths_fit_axis),
            (rule::OUTPUTS_DIVIDE_AXIS, split::outputs_divide_axis),
            (rule::SPLIT_OR_NUM_OUTPUTS, split::split_or_num_outputs),
            (rule::NUM_OUTPUTS_POSITIVE, split::num_outputs_positive),
        ],
        features: &["uneven parts", "last part empty", "parts of different length", "negative axis"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "SplitToSequence",
        positive: split_to_sequence::split_to_sequence,
        negatives: &[
            (rule::AXIS_IN_RANGE, split_to_sequence::axis_in_range),
            (rule::LENGTHS_NON_NEGATIVE, split_to_sequence::lengths_non_negative),
            (rule::LENGTHS_FIT_AXIS, split_to_sequence::lengths_fit_axis),
            (rule::SPLIT_RANK_FITS, split_to_sequence::split_rank_fits),
        ],
        features: &[
            "axis left out",
            "last chunk smaller",
            "lengths listed",
            "keepdims without a meaning",
            "empty chunks",
        ],
    },
    Recipe { domain: "ai.onnx", name: "Sqrt", positive: sqrt::sqrt, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "Squeeze",
        positive: squeeze::squeeze,
        negatives: &[
            (rule::AXES_IN_RANGE, squeeze::axes_in_range),
            (rule::SELECTED_EXTENTS_ARE_ONE, squeeze::selected_extents_are_one),
            (rule::AXES_RANK_ONE, squeeze::axes_rank_one),
        ],
        features: &["an extent of 1 stays", "negative axis", "axes in another order"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "StringConcat",
        positive: string_concat::string_concat,
        negatives: &[(rule::SHAPES_BROADCAST, string_concat::shapes_broadcast)],
        features: &[],
    },
    Recipe {
        domain: "ai.onnx",
        name: "StringNormalizer",
        positive: string_normalizer::string_normalizer,
        negatives: &[
            (rule::SINGLE_ROW_OF_STRINGS, string_normalizer::single_row_of_strings),
            (rule::CASE_CHANGE_ACTION_KNOWN, string_normalizer::case_change_action_known),
        ],
        features: &["a stop word in another case", "nothing left"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "StringSplit",
        positive: string_split::string_split,
        negatives: &[],
        features: &["an empty string", "other white space", "empty delimiter"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Sub",
        positive: sub::sub,
        negatives: &[
            (rule::LEGACY_SHAPES_BROADCAST, sub::legacy_shapes_broadcast),
            (rule::SHAPES_BROADCAST, sub::shapes_broadcast),
        ],
        features: &["one element", "suffix", "inner extents"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Sum",
        positive: sum::sum,
        negatives: &[(rule::SHAPES_EQUAL, sum::shapes_equal), (rule::SHAPES_BROADCAST, sum::shapes_broadcast)],
        features: &["one input"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "SwiGLU",
        positive: swiglu::swiglu,
        negatives: &[(rule::SHAPES_EQUAL, swiglu::shapes_equal)],
        features: &[],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Swish",
        positive: swish::swish,
        negatives: &[],
        features: &["negative coefficient"],
    },
    Recipe { domain: "ai.onnx", name: "Tan", positive: tan::tan, negatives: &[], features: &[] },
    Recipe { domain: "ai.onnx", name: "Tanh", positive: tanh::tanh, negatives: &[], features: &[] },
    Recipe {
        domain: "ai.onnx",
        name: "TensorScatter",
        positive: tensor_scatter::tensor_scatter,
        negatives: &[
            (rule::AXIS_IN_RANGE, tensor_scatter::axis_in_range),
            (rule::UPDATE_FITS_CACHE, tensor_scatter::update_fits_cache),
            (rule::WRITE_INDICES_PER_BATCH, tensor_scatter::write_indices_per_batch),
            (rule::WRITE_INDICES_IN_RANGE, tensor_scatter::write_indices_in_range),
            (rule::MODE_KNOWN, tensor_scatter::mode_known),
        ],
        features: &["around the end"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "TfIdfVectorizer",
        positive: tf_idf_vectorizer::tf_idf_vectorizer,
        negatives: &[
            (rule::RANK_ONE_OR_TWO, tf_idf_vectorizer::rank_one_or_two),
            (rule::MODE_KNOWN, tf_idf_vectorizer::mode_known),
            (rule::ONE_POOL_GIVEN, tf_idf_vectorizer::one_pool_given),
            (rule::POOL_TYPE_FITS, tf_idf_vectorizer::pool_type_fits),
            (rule::N_GRAM_LISTS_FIT, tf_idf_vectorizer::n_gram_lists_fit),
            (rule::WEIGHTS_FIT_POOL, tf_idf_vectorizer::weights_fit_pool),
        ],
        features: &["any number of skips", "no n-gram of a length"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "ThresholdedRelu",
        positive: thresholded_relu::thresholded_relu,
        negatives: &[],
        features: &["negative coefficient"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Tile",
        positive: tile::tile,
        negatives: &[
            (rule::REPEATS_FIT_AXES, tile::repeats_fit_axes),
            (rule::REPEATS_NON_NEGATIVE, tile::repeats_non_negative),
            (rule::TILES_AND_AXIS_VALID, tile::tiles_and_axis_valid),
        ],
        features: &["no copy"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "TopK",
        positive: top_k::top_k,
        negatives: &[
            (rule::AXIS_IN_RANGE, top_k::axis_in_range),
            (rule::K_POSITIVE, top_k::k_positive),
            (rule::K_FITS_AXIS, top_k::k_fits_axis),
        ],
        features: &["all elements", "smallest", "unordered", "empty extent"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Transpose",
        positive: transpose::transpose,
        negatives: &[(rule::PERM_IS_PERMUTATION, transpose::perm_is_permutation)],
        features: &["not its own inverse"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Trilu",
        positive: trilu::trilu,
        negatives: &[(rule::RANK_AT_LEAST_TWO, trilu::rank_at_least_two), (rule::K_IS_SCALAR, trilu::k_is_scalar)],
        features: &["extreme diagonal", "diagonal outside", "lower triangle"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Unique",
        positive: unique::unique,
        negatives: &[(rule::AXIS_IN_RANGE, unique::axis_in_range), (rule::SORTED_KNOWN, unique::sorted_known)],
        features: &["empty extent", "order of occurrence", "an output left out before a named one", "one NaN"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Unsqueeze",
        positive: unsqueeze::unsqueeze,
        negatives: &[
            (rule::AXES_IN_RANGE, unsqueeze::axes_in_range),
            (rule::AXES_UNIQUE, unsqueeze::axes_unique),
            (rule::AXES_RANK_ONE, unsqueeze::axes_rank_one),
        ],
        features: &["no axes", "negative axis", "axes in another order"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Upsample",
        positive: upsample::upsample,
        negatives: &[
            (rule::SCALES_FIT_AXES, upsample::scales_fit_axes),
            (rule::SCALES_IN_RANGE, upsample::scales_in_range),
            (rule::RANK_FOUR, upsample::rank_four),
            (rule::MODE_KNOWN, upsample::mode_known),
        ],
        features: &["empty extent", "any axis is resized", "a scale that gives a fractional extent"],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Where",
        positive: where_::where_,
        negatives: &[(rule::SHAPES_BROADCAST, where_::shapes_broadcast)],
        features: &[],
    },
    Recipe {
        domain: "ai.onnx",
        name: "Xor",
        positive: xor::xor,
        negatives: &[
            (rule::LEGACY_SHAPES_BROADCAST, xor::legacy_shapes_broadcast),
            (rule::SHAPES_BROADCAST, xor::shapes_broadcast),
        ],
        features: &["one element", "suffix", "inner extents"],
    },
    Recipe {
        domain: "ai.onnx.ml",
        name: "ArrayFeatureExtractor",
        positive: ai_onnx_ml::array_feature_extractor::array_feature_extractor,
        negatives: &[
            (rule::RANK_AT_LEAST_ONE, ai_onnx_ml::array_feature_extractor::rank_at_least_one),
            (rule::INDICES_IN_RANGE, ai_onnx_ml::array_feature_extractor::indices_in_range),
        ],
        features: &["matrix of indices"],
    },
    Recipe {
        domain: "ai.onnx.ml",
        name: "Binarizer",
        positive: ai_onnx_ml::binarizer::binarizer,
        negatives: &[],
        features: &[],
    },
    Recipe {
        domain: "ai.onnx.ml",
        name: "CastMap",
        positive: ai_onnx_ml::cast_map::cast_map,
        negatives: &[
            (rule::ATTRIBUTE_VALUES_KNOWN, ai_onnx_ml::cast_map::attribute_values_known),
            (rule::KEYS_IN_RANGE, ai_onnx_ml::cast_map::keys_in_range),
        ],
        features: &["sparse"],
    },
    Recipe {
        domain: "ai.onnx.ml",
        name: "CategoryMapper",
        positive: ai_onnx_ml::category_mapper::category_mapper,
        negatives: &[
            (rule::BOTH_LISTS_GIVEN, ai_onnx_ml::category_mapper::both_lists_given),
            (rule::LENGTHS_EQUAL, ai_onnx_ml::category_mapper::lengths_equal),
            (rule::ONE_DEFAULT_AT_MOST, ai_onnx_ml::category_mapper::one_default_at_most),
        ],
        features: &["element without a key"],
    },
    Recipe {
        domain: "ai.onnx.ml",
        name: "DictVectorizer",
        positive: ai_onnx_ml::dict_vectorizer::dict_vectorizer,
        negatives: &[
            (rule::ONE_VOCABULARY_GIVEN, ai_onnx_ml::dict_vectorizer::one_vocabulary_given),
            (rule::VOCABULARY_TYPE_FITS, ai_onnx_ml::dict_vectorizer::vocabulary_type_fits),
            (rule::KEYS_IN_VOCABULARY, ai_onnx_ml::dict_vectorizer::keys_in_vocabulary),
        ],
        features: &[],
    },
    Recipe {
        domain: "ai.onnx.ml",
        name: "FeatureVectorizer",
        positive: ai_onnx_ml::feature_vectorizer::feature_vectorizer,
        negatives: &[
            (rule::RANK_ONE_OR_TWO, ai_onnx_ml::feature_vectorizer::rank_one_or_two),
            (rule::FIRST_EXTENTS_EQUAL, ai_onnx_ml::feature_vectorizer::first_extents_equal),
            (rule::INPUTDIMENSIONS_FIT, ai_onnx_ml::feature_vectorizer::inputdimensions_fit),
        ],
        features: &["no example", "list"],
    },
    Recipe {
        domain: "ai.onnx.ml",
        name: "Imputer",
        positive: ai_onnx_ml::imputer::imputer,
        negatives: &[
            (rule::ONE_VALUE_LIST_GIVEN, ai_onnx_ml::imputer::one_value_list_given),
            (rule::VALUE_TYPE_FITS, ai_onnx_ml::imputer::value_type_fits),
            (rule::LENGTHS_FIT_FEATURES, ai_onnx_ml::imputer::lengths_fit_features),
            (rule::VALUES_IN_TYPE_RANGE, ai_onnx_ml::imputer::values_in_type_range),
        ],
        features: &["NaN replaced", "one factor for all"],
    },
    Recipe {
        domain: "ai.onnx.ml",
        name: "LabelEncoder",
        positive: ai_onnx_ml::label_encoder::label_encoder,
        negatives: &[
            (rule::ONE_ALTERNATIVE_GIVEN, ai_onnx_ml::label_encoder::one_alternative_given),
            (rule::VALUES_GIVEN, ai_onnx_ml::label_encoder::values_given),
            (rule::LENGTHS_EQUAL, ai_onnx_ml::label_encoder::lengths_equal),
            (rule::KEY_TYPE_FITS, ai_onnx_ml::label_encoder::key_type_fits),
            (rule::DEFAULT_TENSOR_FITS, ai_onnx_ml::label_encoder::default_tensor_fits),
        ],
        features: &["repeated key", "a key NaN", "a key of zero", "element without a key"],
    },
    Recipe {
        domain: "ai.onnx.ml",
        name: "LinearClassifier",
        positive: ai_onnx_ml::linear_classifier::linear_classifier,
        negatives: &[
            (rule::RANK_ONE_OR_TWO, ai_onnx_ml::linear_classifier::rank_one_or_two),
            (rule::ONE_LABEL_LIST_GIVEN, ai_onnx_ml::linear_classifier::one_label_list_given),
            (rule::COEFFICIENTS_FIT, ai_onnx_ml::linear_classifier::coefficients_fit),
            (rule::INTERCEPTS_FIT, ai_onnx_ml::linear_classifier::intercepts_fit),
            (rule::POST_TRANSFORM_KNOWN, ai_onnx_ml::linear_classifier::post_transform_known),
        ],
        features: &["one row for two classes", "list"],
    },
    Recipe {
        domain: "ai.onnx.ml",
        name: "LinearRegressor",
        positive: ai_onnx_ml::linear_regressor::linear_regressor,
        negatives: &[
            (rule::RANK_ONE_OR_TWO, ai_onnx_ml::linear_regressor::rank_one_or_two),
            (rule::COEFFICIENTS_FIT, ai_onnx_ml::linear_regressor::coefficients_fit),
            (rule::INTERCEPTS_FIT, ai_onnx_ml::linear_regressor::intercepts_fit),
            (rule::POST_TRANSFORM_KNOWN, ai_onnx_ml::linear_regressor::post_transform_known),
        ],
        features: &["a single target", "list"],
    },
    Recipe {
        domain: "ai.onnx.ml",
        name: "Normalizer",
        positive: ai_onnx_ml::normalizer::normalizer,
        negatives: &[
            (rule::RANK_ONE_OR_TWO, ai_onnx_ml::normalizer::rank_one_or_two),
            (rule::NORM_KNOWN, ai_onnx_ml::normalizer::norm_known),
        ],
        features: &["divisor of zero", "default norm"],
    },
    Recipe {
        domain: "ai.onnx.ml",
        name: "OneHotEncoder",
        positive: ai_onnx_ml::one_hot_encoder::one_hot_encoder,
        negatives: &[
            (rule::ONE_CATEGORY_LIST_GIVEN, ai_onnx_ml::one_hot_encoder::one_category_list_given),
            (rule::CATEGORY_TYPE_FITS, ai_onnx_ml::one_hot_encoder::category_type_fits),
            (rule::ELEMENTS_IN_CATEGORIES, ai_onnx_ml::one_hot_encoder::elements_in_categories),
        ],
        features: &["zeros = 0", "fraction", "element without a key"],
    },
    Recipe {
        domain: "ai.onnx.ml",
        name: "SVMClassifier",
        positive: ai_onnx_ml::svm_classifier::svm_classifier,
        negatives: &[
            (rule::RANK_ONE_OR_TWO, ai_onnx_ml::svm_classifier::rank_one_or_two),
            (rule::ONE_LABEL_LIST_GIVEN, ai_onnx_ml::svm_classifier::one_label_list_given),
            (rule::KERNEL_TYPE_KNOWN, ai_onnx_ml::svm_classifier::kernel_type_known),
            (rule::MODEL_SIZES_FIT, ai_onnx_ml::svm_classifier::model_sizes_fit),
            (rule::POST_TRANSFORM_KNOWN, ai_onnx_ml::svm_classifier::post_transform_known),
            (rule::PROBABILITY_LISTS_FIT, ai_onnx_ml::svm_classifier::probability_lists_fit),
        ],
        features: &["without support vectors", "list"],
    },
    Recipe {
        domain: "ai.onnx.ml",
        name: "SVMRegressor",
        positive: ai_onnx_ml::svm_regressor::svm_regressor,
        negatives: &[
            (rule::RANK_ONE_OR_TWO, ai_onnx_ml::svm_regressor::rank_one_or_two),
            (rule::KERNEL_TYPE_KNOWN, ai_onnx_ml::svm_regressor::kernel_type_known),
            (rule::MODEL_SIZES_FIT, ai_onnx_ml::svm_regressor::model_sizes_fit),
            (rule::RHO_IS_SCALAR, ai_onnx_ml::svm_regressor::rho_is_scalar),
            (rule::POST_TRANSFORM_KNOWN, ai_onnx_ml::svm_regressor::post_transform_known),
        ],
        features: &["without support vectors", "list"],
    },
    Recipe {
        domain: "ai.onnx.ml",
        name: "Scaler",
        positive: ai_onnx_ml::scaler::scaler,
        negatives: &[
            (rule::LENGTHS_EQUAL, ai_onnx_ml::scaler::lengths_equal),
            (rule::LENGTHS_FIT_FEATURES, ai_onnx_ml::scaler::lengths_fit_features),
        ],
        features: &["one factor for all"],
    },
    Recipe {
        domain: "ai.onnx.ml",
        name: "TreeEnsemble",
        positive: ai_onnx_ml::tree_ensemble::tree_ensemble,
        negatives: &[
            (rule::RANK_TWO, ai_onnx_ml::tree_ensemble::rank_two),
            (rule::NODE_LISTS_EQUAL_LENGTH, ai_onnx_ml::tree_ensemble::node_lists_equal_length),
            (rule::VOTE_LISTS_EQUAL_LENGTH, ai_onnx_ml::tree_ensemble::vote_lists_equal_length),
            (rule::TENSOR_TYPES_FIT, ai_onnx_ml::tree_ensemble::tensor_types_fit),
            (rule::BRANCHES_FORM_TREES, ai_onnx_ml::tree_ensemble::branches_form_trees),
            (rule::FEATURES_IN_RANGE, ai_onnx_ml::tree_ensemble::features_in_range),
            (rule::NODE_MODES_KNOWN, ai_onnx_ml::tree_ensemble::node_modes_known),
            (rule::VOTES_IN_RANGE, ai_onnx_ml::tree_ensemble::votes_in_range),
            (rule::MEMBER_SETS_COMPLETE, ai_onnx_ml::tree_ensemble::member_sets_complete),
            (rule::ATTRIBUTE_VALUES_KNOWN, ai_onnx_ml::tree_ensemble::attribute_values_known),
        ],
        features: &[
            "a single target",
            "a node and a leaf of the same number",
            "a leaf on the true side only",
            "set membership",
            "missing value",
            "a feature at a threshold",
            "BRANCH_NEQ",
            "tree of one leaf",
        ],
    },
    Recipe {
        domain: "ai.onnx.ml",
        name: "TreeEnsembleClassifier",
        positive: ai_onnx_ml::tree_ensemble_classifier::tree_ensemble_classifier,
        negatives: &[
            (rule::RANK_TWO, ai_onnx_ml::tree_ensemble_classifier::rank_two),
            (rule::NODE_LISTS_EQUAL_LENGTH, ai_onnx_ml::tree_ensemble_classifier::node_lists_equal_length),
            (rule::VOTE_LISTS_EQUAL_LENGTH, ai_onnx_ml::tree_ensemble_classifier::vote_lists_equal_length),
            (rule::ONE_LABEL_LIST_GIVEN, ai_onnx_ml::tree_ensemble_classifier::one_label_list_given),
            (rule::BRANCHES_FORM_TREES, ai_onnx_ml::tree_ensemble_classifier::branches_form_trees),
            (rule::FEATURES_IN_RANGE, ai_onnx_ml::tree_ensemble_classifier::features_in_range),
            (rule::NODE_MODES_KNOWN, ai_onnx_ml::tree_ensemble_classifier::node_modes_known),
            (rule::VOTES_IN_RANGE, ai_onnx_ml::tree_ensemble_classifier::votes_in_range),
            (rule::BASE_VALUES_FIT, ai_onnx_ml::tree_ensemble_classifier::base_values_fit),
            (rule::FLOATS_OR_DOUBLES_GIVEN, ai_onnx_ml::tree_ensemble_classifier::floats_or_doubles_given),
            (rule::ATTRIBUTE_VALUES_KNOWN, ai_onnx_ml::tree_ensemble_classifier::attribute_values_known),
        ],
        features: &[
            "two classes",
            "ids that go on",
            "votes for one target only",
            "a single target",
            "a target without a vote",
            "base values",
            "missing value",
            "a feature at a threshold",
            "BRANCH_NEQ",
            "tree of one leaf",
        ],
    },
    Recipe {
        domain: "ai.onnx.ml",
        name: "TreeEnsembleRegressor",
        positive: ai_onnx_ml::tree_ensemble_regressor::tree_ensemble_regressor,
        negatives: &[
            (rule::RANK_TWO, ai_onnx_ml::tree_ensemble_regressor::rank_two),
            (rule::NODE_LISTS_EQUAL_LENGTH, ai_onnx_ml::tree_ensemble_regressor::node_lists_equal_length),
            (rule::VOTE_LISTS_EQUAL_LENGTH, ai_onnx_ml::tree_ensemble_regressor::vote_lists_equal_length),
            (rule::NODE_IDS_UNIQUE, ai_onnx_ml::tree_ensemble_regressor::node_ids_unique),
            (rule::BRANCHES_FORM_TREES, ai_onnx_ml::tree_ensemble_regressor::branches_form_trees),
            (rule::FEATURES_IN_RANGE, ai_onnx_ml::tree_ensemble_regressor::features_in_range),
            (rule::NODE_MODES_KNOWN, ai_onnx_ml::tree_ensemble_regressor::node_modes_known),
            (rule::VOTES_IN_RANGE, ai_onnx_ml::tree_ensemble_regressor::votes_in_range),
            (rule::BASE_VALUES_FIT, ai_onnx_ml::tree_ensemble_regressor::base_values_fit),
            (rule::FLOATS_OR_DOUBLES_GIVEN, ai_onnx_ml::tree_ensemble_regressor::floats_or_doubles_given),
            (rule::ATTRIBUTE_VALUES_KNOWN, ai_onnx_ml::tree_ensemble_regressor::attribute_values_known),
        ],
        features: &[
            "ids that go on",
            "votes for one target only",
            "a single target",
            "a target without a vote",
            "base values",
            "missing value",
            "a feature at a threshold",
            "BRANCH_NEQ",
            "tree of one leaf",
        ],
    },
    Recipe {
        domain: "ai.onnx.ml",
        name: "ZipMap",
        positive: ai_onnx_ml::zip_map::zip_map,
        negatives: &[
            (rule::RANK_ONE_OR_TWO, ai_onnx_ml::zip_map::rank_one_or_two),
            (rule::ONE_LABEL_LIST_GIVEN, ai_onnx_ml::zip_map::one_label_list_given),
            (rule::LABELS_FIT_COLUMNS, ai_onnx_ml::zip_map::labels_fit_columns),
        ],
        features: &["no rows", "list"],
    },
    Recipe {
        domain: "ai.onnx.preview",
        name: "FlexAttention",
        positive: ai_onnx_preview::flex_attention::flex_attention,
        negatives: &[
            (rule::RANK_FOUR, ai_onnx_preview::flex_attention::rank_four),
            (rule::QUERY_KEY_VALUE_AGREE, ai_onnx_preview::flex_attention::query_key_value_agree),
            (rule::QUERY_HEADS_MULTIPLE, ai_onnx_preview::flex_attention::query_heads_multiple),
            (rule::SOFTMAX_PRECISION_ALLOWED, ai_onnx_preview::flex_attention::softmax_precision_allowed),
            (rule::MODIFIER_GRAPHS_FIT, ai_onnx_preview::flex_attention::modifier_graphs_fit),
        ],
        features: &["no batches", "groups of query heads", "capped by a graph", "masked by a graph"],
    },
    Recipe {
        domain: "ai.onnx.preview.training",
        name: "Adagrad",
        positive: ai_onnx_preview_training::adagrad::adagrad,
        negatives: &[
            (rule::INPUT_COUNT_FITS, ai_onnx_preview_training::adagrad::input_count_fits),
            (rule::TENSORS_MATCH_OPTIMIZED, ai_onnx_preview_training::adagrad::tensors_match_optimized),
            (rule::R_AND_T_SCALAR, ai_onnx_preview_training::adagrad::r_and_t_scalar),
        ],
        features: &["two types", "a list of one element for a scalar", "first update"],
    },
    Recipe {
        domain: "ai.onnx.preview.training",
        name: "Adam",
        positive: ai_onnx_preview_training::adam::adam,
        negatives: &[
            (rule::INPUT_COUNT_FITS, ai_onnx_preview_training::adam::input_count_fits),
            (rule::TENSORS_MATCH_OPTIMIZED, ai_onnx_preview_training::adam::tensors_match_optimized),
            (rule::R_AND_T_SCALAR, ai_onnx_preview_training::adam::r_and_t_scalar),
        ],
        features: &["two types", "a list of one element for a scalar", "first update"],
    },
    Recipe {
        domain: "ai.onnx.preview.training",
        name: "Gradient",
        positive: ai_onnx_preview_training::gradient::gradient,
        negatives: &[
            (rule::INPUTS_MATCH_NAMES, ai_onnx_preview_training::gradient::inputs_match_names),
            (rule::NAMES_INDEPENDENT, ai_onnx_preview_training::gradient::names_independent),
            (rule::XS_DETERMINE_Y, ai_onnx_preview_training::gradient::xs_determine_y),
        ],
        features: &[
            "product of matrices",
            "unrelated tensor",
            "one tensor on two ways",
            "output left out",
            "a factor of another type",
            "the size of a tensor",
            "function of a positive number",
            "of an intermediate tensor",
            "another value than that of the name",
        ],
    },
    Recipe {
        domain: "ai.onnx.preview.training",
        name: "Momentum",
        positive: ai_onnx_preview_training::momentum::momentum,
        negatives: &[
            (rule::INPUT_COUNT_FITS, ai_onnx_preview_training::momentum::input_count_fits),
            (rule::TENSORS_MATCH_OPTIMIZED, ai_onnx_preview_training::momentum::tensors_match_optimized),
            (rule::R_AND_T_SCALAR, ai_onnx_preview_training::momentum::r_and_t_scalar),
            (rule::MODE_KNOWN, ai_onnx_preview_training::momentum::mode_known),
        ],
        features: &["nesterov", "two types", "a list of one element for a scalar", "first update"],
    },
];

//! Recipes: one operator, one file.
//!
//! Written by `cargo xtask generate`; not edited by hand.

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
pub mod com_microsoft;
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

// An operator, its recipe of valid cases, and the constraints with the recipes that violate them, all of them in
// the same module; below it the features of the cases.
crate::recipe::recipes! {
    "ai.onnx" "Abs" abs.abs [] [];
    "ai.onnx" "Acos" acos.acos [] [];
    "ai.onnx" "Acosh" acosh.acosh [] [];
    "ai.onnx" "Add" add.add [LEGACY_SHAPES_BROADCAST legacy_shapes_broadcast, SHAPES_BROADCAST shapes_broadcast]
        ["one element", "suffix", "inner extents"];
    "ai.onnx" "AffineGrid" affine_grid.affine_grid [THETA_SHAPE_FITS theta_shape_fits, SIZE_FITS_THETA size_fits_theta]
        ["no matrix", "an axis of one element"];
    "ai.onnx" "And" and.and [LEGACY_SHAPES_BROADCAST legacy_shapes_broadcast, SHAPES_BROADCAST shapes_broadcast]
        ["one element", "suffix", "inner extents"];
    "ai.onnx" "ArgMax" arg_max.arg_max [AXIS_IN_RANGE axis_in_range, DATA_NOT_EMPTY data_not_empty]
        ["keepdims 0", "last index", "empty extent"];
    "ai.onnx" "ArgMin" arg_min.arg_min [AXIS_IN_RANGE axis_in_range, DATA_NOT_EMPTY data_not_empty]
        ["keepdims 0", "last index", "empty extent"];
    "ai.onnx" "Asin" asin.asin [] [];
    "ai.onnx" "Asinh" asinh.asinh [] [];
    "ai.onnx" "Atan" atan.atan [] [];
    "ai.onnx" "Atanh" atanh.atanh [] [];
    "ai.onnx" "Attention" attention.attention [RANK_THREE_OR_FOUR rank_three_or_four, HEAD_COUNTS_DIVIDE head_counts_divide, QUERY_KEY_VALUE_AGREE query_key_value_agree, QUERY_HEADS_MULTIPLE query_heads_multiple, PAST_AND_PRESENT_PAIRED past_and_present_paired, ATTN_MASK_BROADCASTS attn_mask_broadcasts, NONPAD_KV_SEQLEN_FITS nonpad_kv_seqlen_fits, ATTRIBUTE_VALUES_KNOWN attribute_values_known, NONPAD_KV_SEQLEN_IN_RANGE nonpad_kv_seqlen_in_range]
        ["a short mask", "causal", "packed heads", "queries in groups", "one query", "values of another type", "a mask of bool", "a mask of floats"];
    "ai.onnx" "AveragePool" average_pool.average_pool [INPUT_HAS_SPATIAL_AXES input_has_spatial_axes, WINDOW_ATTRIBUTES_VALID window_attributes_valid, AUTO_PAD_KNOWN auto_pad_known, PADS_WITHOUT_AUTO_PAD pads_without_auto_pad, WINDOW_FITS_AXIS window_fits_axis]
        ["padding counts", "no channels", "three spatial axes", "one spatial axis", "wide padding", "asymmetric padding", "SAME_UPPER", "SAME_LOWER", "VALID", "SAME with an odd padding", "SAME with windows apart", "SAME with dilations", "rounding up adds a window"];
    "ai.onnx" "BatchNormalization" batch_normalization.batch_normalization [INPUT_HAS_CHANNELS input_has_channels, PARAMETER_SHAPES_FIT parameter_shapes_fit, OUTPUTS_FIT_MODE outputs_fit_mode]
        ["a list", "statistics of each activation", "training", "several types", "a mean far from zero", "no variance"];
    "ai.onnx" "Bernoulli" bernoulli.bernoulli [PROBABILITY_IN_RANGE probability_in_range, DTYPE_ALLOWED dtype_allowed]
        ["a large sample"];
    "ai.onnx" "BitCast" bit_cast.bit_cast [TO_TYPE_ALLOWED to_type_allowed, BIT_WIDTHS_EQUAL bit_widths_equal] [];
    "ai.onnx" "BitShift" bit_shift.bit_shift [SHAPES_BROADCAST shapes_broadcast, DIRECTION_KNOWN direction_known]
        ["shift outside of the type's bits", "one element", "suffix", "inner extents"];
    "ai.onnx" "BitwiseAnd" bitwise_and.bitwise_and [SHAPES_BROADCAST shapes_broadcast]
        ["one element", "suffix", "inner extents"];
    "ai.onnx" "BitwiseNot" bitwise_not.bitwise_not [] [];
    "ai.onnx" "BitwiseOr" bitwise_or.bitwise_or [SHAPES_BROADCAST shapes_broadcast]
        ["one element", "suffix", "inner extents"];
    "ai.onnx" "BitwiseXor" bitwise_xor.bitwise_xor [SHAPES_BROADCAST shapes_broadcast]
        ["one element", "suffix", "inner extents"];
    "ai.onnx" "BlackmanWindow" blackman_window.blackman_window [SIZE_POSITIVE size_positive, OUTPUT_DATATYPE_ALLOWED output_datatype_allowed] [];
    "ai.onnx" "Cast" cast.cast [TO_TYPE_ALLOWED to_type_allowed, ROUND_MODE_KNOWN round_mode_known]
        ["an attribute that does not count", "fractions in range", "halfway between neighbours"];
    "ai.onnx" "CastLike" cast_like.cast_like [ROUND_MODE_KNOWN round_mode_known]
        ["an attribute that does not count", "fractions in range", "halfway between neighbours"];
    "ai.onnx" "CausalConvWithState" causal_conv_with_state.causal_conv_with_state [RANK_THREE rank_three, WEIGHT_SHAPE_FITS weight_shape_fits, BIAS_FITS_CHANNELS bias_fits_channels, PAST_STATE_FITS past_state_fits, ACTIVATION_KNOWN activation_known]
        ["no batches", "an input shorter than the state", "activation"];
    "ai.onnx" "Ceil" ceil.ceil [] [];
    "ai.onnx" "Celu" celu.celu []
        ["negative coefficient"];
    "ai.onnx" "CenterCropPad" center_crop_pad.center_crop_pad [SHAPE_FITS_AXES shape_fits_axes, AXES_IN_RANGE axes_in_range, EXTENTS_NON_NEGATIVE extents_non_negative]
        ["cropped", "padded", "nothing is left"];
    "ai.onnx" "Clip" clip.clip [BOUNDS_ARE_SCALARS bounds_are_scalars]
        ["min above max", "a bound of NaN"];
    "ai.onnx" "Col2Im" col2_im.col2_im [RANK_THREE rank_three, WINDOW_ATTRIBUTES_VALID window_attributes_valid, IMAGE_BLOCK_SHAPES_VALID image_block_shapes_valid, BLOCKS_FIT_IMAGE blocks_fit_image]
        ["three spatial axes", "no channels", "wide padding", "asymmetric padding", "SAME_UPPER", "SAME_LOWER", "VALID", "SAME with an odd padding", "SAME with windows apart", "SAME with dilations", "rounding up adds a window"];
    "ai.onnx" "Compress" compress.compress [RANK_AT_LEAST_ONE rank_at_least_one, CONDITION_RANK_ONE condition_rank_one, AXIS_IN_RANGE axis_in_range, CONDITION_FITS_EXTENT condition_fits_extent]
        ["short condition", "long condition", "nothing selected"];
    "ai.onnx" "Concat" concat.concat [AXIS_IN_RANGE axis_in_range, OTHER_EXTENTS_EQUAL other_extents_equal]
        ["one input", "an empty input", "negative axis"];
    "ai.onnx" "ConcatFromSequence" concat_from_sequence.concat_from_sequence [AXIS_IN_RANGE axis_in_range, OTHER_EXTENTS_EQUAL other_extents_equal]
        ["a new axis"];
    "ai.onnx" "Constant" constant.constant [ONE_ATTRIBUTE_GIVEN one_attribute_given, VALUE_TYPE_ALLOWED value_type_allowed, SPARSE_VALUE_VALID sparse_value_valid]
        ["sparse coordinates", "sparse positions", "nothing listed"];
    "ai.onnx" "ConstantOfShape" constant_of_shape.constant_of_shape [SHAPE_RANK_ONE shape_rank_one, EXTENTS_NON_NEGATIVE extents_non_negative, VALUE_HAS_ONE_ELEMENT value_has_one_element, VALUE_TYPE_ALLOWED value_type_allowed]
        ["scalar result"];
    "ai.onnx" "Conv" conv.conv [INPUT_HAS_SPATIAL_AXES input_has_spatial_axes, WINDOW_ATTRIBUTES_VALID window_attributes_valid, AUTO_PAD_KNOWN auto_pad_known, PADS_WITHOUT_AUTO_PAD pads_without_auto_pad, WINDOW_FITS_AXIS window_fits_axis, CHANNELS_FIT_GROUPS channels_fit_groups, KERNEL_SHAPE_MATCHES_W kernel_shape_matches_w, BIAS_FITS_CHANNELS bias_fits_channels]
        ["several groups", "depthwise", "several batches", "empty sums", "no batches", "three spatial axes", "one spatial axis", "wide padding", "asymmetric padding", "SAME_UPPER", "SAME_LOWER", "VALID", "SAME with an odd padding", "SAME with windows apart", "SAME with dilations", "rounding up adds a window"];
    "ai.onnx" "ConvInteger" conv_integer.conv_integer [INPUT_HAS_SPATIAL_AXES input_has_spatial_axes, WINDOW_ATTRIBUTES_VALID window_attributes_valid, AUTO_PAD_KNOWN auto_pad_known, PADS_WITHOUT_AUTO_PAD pads_without_auto_pad, WINDOW_FITS_AXIS window_fits_axis, CHANNELS_FIT_GROUPS channels_fit_groups, KERNEL_SHAPE_MATCHES_W kernel_shape_matches_w, QUANTIZATION_PER_TENSOR quantization_per_tensor, W_QUANTIZATION_PER_CHANNEL w_quantization_per_channel]
        ["a zero point for each channel", "several groups", "depthwise", "several batches", "empty sums", "no batches", "three spatial axes", "one spatial axis", "wide padding", "asymmetric padding", "SAME_UPPER", "SAME_LOWER", "VALID", "SAME with an odd padding", "SAME with windows apart", "SAME with dilations", "rounding up adds a window"];
    "ai.onnx" "ConvTranspose" conv_transpose.conv_transpose [INPUT_HAS_SPATIAL_AXES input_has_spatial_axes, WINDOW_ATTRIBUTES_VALID window_attributes_valid, AUTO_PAD_KNOWN auto_pad_known, PADS_WITHOUT_AUTO_PAD pads_without_auto_pad, OUTPUT_EXTENTS_NON_NEGATIVE output_extents_non_negative, CHANNELS_FIT_GROUPS channels_fit_groups, KERNEL_SHAPE_MATCHES_W kernel_shape_matches_w, BIAS_FITS_CHANNELS bias_fits_channels, OUTPUT_PADDING_IN_RANGE output_padding_in_range]
        ["output_padding", "SAME_UPPER", "SAME_LOWER", "an output longer than the windows", "asymmetric padding", "several groups", "depthwise", "several batches", "empty sums", "no batches", "three spatial axes", "one spatial axis"];
    "ai.onnx" "Cos" cos.cos [] [];
    "ai.onnx" "Cosh" cosh.cosh [] [];
    "ai.onnx" "CumProd" cum_prod.cum_prod [AXIS_IN_RANGE axis_in_range, AXIS_IS_SCALAR axis_is_scalar]
        ["empty extent", "exclusive", "reverse"];
    "ai.onnx" "CumSum" cum_sum.cum_sum [AXIS_IN_RANGE axis_in_range, AXIS_IS_SCALAR axis_is_scalar]
        ["empty extent", "exclusive", "reverse"];
    "ai.onnx" "DFT" dft.dft [SAMPLES_REAL_OR_COMPLEX samples_real_or_complex, AXIS_IN_RANGE axis_in_range, ONESIDED_SAMPLES_FIT onesided_samples_fit, DFT_LENGTH_POSITIVE dft_length_positive, ONESIDED_KNOWN onesided_known]
        ["empty extent", "fewer samples than there are", "more samples than there are", "more than half of a spectrum", "negative axis"];
    "ai.onnx" "DeformConv" deform_conv.deform_conv [INPUT_HAS_SPATIAL_AXES input_has_spatial_axes, WINDOW_ATTRIBUTES_VALID window_attributes_valid, WINDOW_FITS_AXIS window_fits_axis, CHANNELS_FIT_GROUPS channels_fit_groups, KERNEL_SHAPE_MATCHES_W kernel_shape_matches_w, BIAS_FITS_CHANNELS bias_fits_channels, OFFSET_GROUP_DIVIDES_CHANNELS offset_group_divides_channels, OFFSET_SHAPE_FITS offset_shape_fits, MASK_SHAPE_FITS mask_shape_fits]
        ["several offset groups", "several groups", "depthwise", "several batches", "empty sums", "no batches", "three spatial axes", "one spatial axis", "wide padding", "asymmetric padding", "SAME_UPPER", "SAME_LOWER", "VALID", "SAME with an odd padding", "SAME with windows apart", "SAME with dilations", "rounding up adds a window"];
    "ai.onnx" "DepthToSpace" depth_to_space.depth_to_space [RANK_FOUR rank_four, BLOCKSIZE_POSITIVE blocksize_positive, BLOCKSIZE_DIVIDES_DEPTH blocksize_divides_depth, MODE_KNOWN mode_known]
        ["empty extent", "blocks of one", "CRD"];
    "ai.onnx" "DequantizeLinear" dequantize_linear.dequantize_linear [SCALE_SHAPE_FITS scale_shape_fits, ZERO_POINT_MATCHES_SCALE zero_point_matches_scale, AXIS_IN_RANGE axis_in_range, BLOCKS_COVER_AXIS blocks_cover_axis, OUTPUT_DTYPE_ALLOWED output_dtype_allowed, BLOCK_SIZE_NON_NEGATIVE block_size_non_negative]
        ["a scale a slice of any axis", "a scale a slice", "a scale a block", "a block cut short", "any scale", "a zero point of a float"];
    "ai.onnx" "Det" det.det [RANK_AT_LEAST_TWO rank_at_least_two, MATRICES_SQUARE matrices_square]
        ["a singular matrix"];
    "ai.onnx" "Div" div.div [LEGACY_SHAPES_BROADCAST legacy_shapes_broadcast, SHAPES_BROADCAST shapes_broadcast]
        ["division by zero", "smallest integer by minus one", "one element", "suffix", "inner extents"];
    "ai.onnx" "Dropout" dropout.dropout [RATIO_ATTRIBUTE_IN_RANGE ratio_attribute_in_range, RATIO_IN_RANGE ratio_in_range, RATIO_IS_SCALAR ratio_is_scalar, TRAINING_MODE_IS_SCALAR training_mode_is_scalar]
        ["nothing to drop", "training", "a large sample"];
    "ai.onnx" "DynamicQuantizeLinear" dynamic_quantize_linear.dynamic_quantize_linear []
        ["a range of nothing"];
    "ai.onnx" "Einsum" einsum.einsum [EQUATION_WELL_FORMED equation_well_formed, TERMS_FIT_RANKS terms_fit_ranks, LETTER_EXTENTS_EQUAL letter_extents_equal, OUTPUT_TERM_VALID output_term_valid, ELLIPSES_BROADCAST ellipses_broadcast]
        ["an ellipsis of the output alone", "a sum of everything", "no output written", "spaces", "a letter twice in a term"];
    "ai.onnx" "Elu" elu.elu []
        ["negative coefficient"];
    "ai.onnx" "Equal" equal.equal [LEGACY_SHAPES_BROADCAST legacy_shapes_broadcast, SHAPES_BROADCAST shapes_broadcast]
        ["one element", "suffix", "inner extents"];
    "ai.onnx" "Erf" erf.erf [] [];
    "ai.onnx" "Exp" exp.exp [] [];
    "ai.onnx" "Expand" expand.expand [SHAPE_VALID shape_valid, SHAPES_BROADCAST shapes_broadcast]
        ["shape of lower rank"];
    "ai.onnx" "EyeLike" eye_like.eye_like [RANK_TWO rank_two, DTYPE_ALLOWED dtype_allowed]
        ["extreme diagonal", "diagonal outside"];
    "ai.onnx" "Flatten" flatten.flatten [AXIS_IN_RANGE axis_in_range]
        ["flattened from the first axis", "flattened up to the last axis", "negative axis"];
    "ai.onnx" "Floor" floor.floor [] [];
    "ai.onnx" "GRU" gru.gru [LAYER_SHAPES_FIT layer_shapes_fit, BIAS_AND_STATE_FIT bias_and_state_fit, SEQUENCE_LENS_IN_RANGE sequence_lens_in_range, DIRECTION_KNOWN direction_known, ACTIVATIONS_KNOWN activations_known, SEQUENCE_LENS_SHAPE_FITS sequence_lens_shape_fits]
        ["linear before reset", "no batches", "reverse", "bidirectional", "batch first", "NaN", "recurrent weights beyond 0.5", "saturated gates", "Tanh", "ThresholdedRelu by default", "a constant after an activation that takes none", "a sequence of no steps", "a shorter sequence"];
    "ai.onnx" "Gather" gather.gather [RANK_AT_LEAST_ONE rank_at_least_one, AXIS_IN_RANGE axis_in_range, INDICES_IN_RANGE indices_in_range]
        ["no index", "scalar index", "negative index"];
    "ai.onnx" "GatherElements" gather_elements.gather_elements [RANKS_EQUAL ranks_equal, AXIS_IN_RANGE axis_in_range, INDICES_IN_RANGE indices_in_range, INDICES_FIT_DATA indices_fit_data]
        ["narrower indices", "negative index"];
    "ai.onnx" "GatherND" gather_nd.gather_nd [RANK_AT_LEAST_ONE rank_at_least_one, INDEX_LENGTH_FITS_RANK index_length_fits_rank, INDICES_IN_RANGE indices_in_range, BATCH_EXTENTS_EQUAL batch_extents_equal, BATCH_DIMS_IN_RANGE batch_dims_in_range]
        ["batches", "slices", "no index", "negative index"];
    "ai.onnx" "Gelu" gelu.gelu [APPROXIMATE_KNOWN approximate_known] [];
    "ai.onnx" "Gemm" gemm.gemm [RANK_TWO rank_two, INNER_EXTENTS_EQUAL inner_extents_equal, C_BROADCASTS c_broadcasts]
        ["C broadcasts", "a factor of zero", "transposed"];
    "ai.onnx" "GlobalAveragePool" global_average_pool.global_average_pool [INPUT_HAS_CHANNELS input_has_channels]
        ["nothing to pool"];
    "ai.onnx" "GlobalLpPool" global_lp_pool.global_lp_pool [INPUT_HAS_CHANNELS input_has_channels]
        ["the 1-norm", "another norm", "nothing to pool"];
    "ai.onnx" "GlobalMaxPool" global_max_pool.global_max_pool [INPUT_HAS_CHANNELS input_has_channels]
        ["nothing to pool"];
    "ai.onnx" "Greater" greater.greater [LEGACY_SHAPES_BROADCAST legacy_shapes_broadcast, SHAPES_BROADCAST shapes_broadcast]
        ["one element", "suffix", "inner extents"];
    "ai.onnx" "GreaterOrEqual" greater_or_equal.greater_or_equal [SHAPES_BROADCAST shapes_broadcast]
        ["one element", "suffix", "inner extents"];
    "ai.onnx" "GridSample" grid_sample.grid_sample [RANKS_EQUAL ranks_equal, GRID_SHAPE_FITS grid_shape_fits, MODES_KNOWN modes_known]
        ["no images", "positions that are no numbers"];
    "ai.onnx" "GroupNormalization" group_normalization.group_normalization [INPUT_HAS_CHANNELS input_has_channels, GROUPS_DIVIDE_CHANNELS groups_divide_channels, PARAMETER_SHAPES_FIT parameter_shapes_fit, STASH_TYPE_ALLOWED stash_type_allowed]
        ["a group for each channel", "a mean far from zero", "no variance"];
    "ai.onnx" "HammingWindow" hamming_window.hamming_window [SIZE_POSITIVE size_positive, OUTPUT_DATATYPE_ALLOWED output_datatype_allowed] [];
    "ai.onnx" "HannWindow" hann_window.hann_window [SIZE_POSITIVE size_positive, OUTPUT_DATATYPE_ALLOWED output_datatype_allowed] [];
    "ai.onnx" "HardSigmoid" hard_sigmoid.hard_sigmoid []
        ["negative coefficient"];
    "ai.onnx" "HardSwish" hard_swish.hard_swish [] [];
    "ai.onnx" "Hardmax" hardmax.hardmax [AXIS_IN_RANGE axis_in_range]
        ["empty extent", "several dimensions in a row", "masked elements"];
    "ai.onnx" "Identity" identity.identity [] [];
    "ai.onnx" "If" if_.if_ [COND_HAS_ONE_ELEMENT cond_has_one_element, BRANCH_OUTPUTS_FIT branch_outputs_fit, BRANCH_TYPES_EQUAL branch_types_equal, BRANCH_SHAPES_EQUAL branch_shapes_equal]
        ["shapes differ", "nested If", "a branch computes"];
    #[cfg(feature = "images")] "ai.onnx" "ImageDecoder" image_decoder.image_decoder [STREAM_RANK_ONE stream_rank_one, PIXEL_FORMAT_KNOWN pixel_format_known]
        ["PNM", "BMP", "PNG", "TIFF", "WebP", "JPEG", "stream without colours", "orientation"];
    "ai.onnx" "InstanceNormalization" instance_normalization.instance_normalization [INPUT_HAS_CHANNELS input_has_channels, PARAMETER_SHAPES_FIT parameter_shapes_fit]
        ["a mean far from zero", "no variance"];
    "ai.onnx" "IsInf" is_inf.is_inf [] [];
    "ai.onnx" "IsNaN" is_nan.is_nan [] [];
    "ai.onnx" "LRN" lrn.lrn [INPUT_HAS_CHANNELS input_has_channels, SIZE_POSITIVE size_positive]
        ["elements of any size", "a size of all channels", "an even size"];
    "ai.onnx" "LSTM" lstm.lstm [LAYER_SHAPES_FIT layer_shapes_fit, BIAS_AND_STATE_FIT bias_and_state_fit, SEQUENCE_LENS_IN_RANGE sequence_lens_in_range, DIRECTION_KNOWN direction_known, ACTIVATIONS_KNOWN activations_known, SEQUENCE_LENS_SHAPE_FITS sequence_lens_shape_fits]
        ["coupled gates", "no batches", "reverse", "bidirectional", "batch first", "NaN", "recurrent weights beyond 0.5", "saturated gates", "Tanh", "ThresholdedRelu by default", "a constant after an activation that takes none", "a sequence of no steps", "a shorter sequence"];
    "ai.onnx" "LayerNormalization" layer_normalization.layer_normalization [AXIS_IN_RANGE axis_in_range, SCALE_BROADCASTS scale_broadcasts, STASH_TYPE_ALLOWED stash_type_allowed]
        ["a factor of another shape", "a mean far from zero", "no variance"];
    "ai.onnx" "LeakyRelu" leaky_relu.leaky_relu []
        ["negative coefficient"];
    "ai.onnx" "Less" less.less [LEGACY_SHAPES_BROADCAST legacy_shapes_broadcast, SHAPES_BROADCAST shapes_broadcast]
        ["one element", "suffix", "inner extents"];
    "ai.onnx" "LessOrEqual" less_or_equal.less_or_equal [SHAPES_BROADCAST shapes_broadcast]
        ["one element", "suffix", "inner extents"];
    "ai.onnx" "LinearAttention" linear_attention.linear_attention [HEAD_COUNTS_DIVIDE head_counts_divide, QUERY_KEY_VALUE_AGREE query_key_value_agree, PAST_STATE_FITS past_state_fits, DECAY_FITS decay_fits, BETA_FITS beta_fits, UPDATE_RULE_KNOWN update_rule_known]
        ["a state of another type", "no batches"];
    "ai.onnx" "Log" log.log [] [];
    "ai.onnx" "LogSoftmax" log_softmax.log_softmax [AXIS_IN_RANGE axis_in_range]
        ["empty extent", "several dimensions in a row", "masked elements"];
    "ai.onnx" "Loop" loop_.loop_ [M_AND_COND_SCALAR m_and_cond_scalar, BODY_FITS_NODE body_fits_node, CARRIED_TYPES_KEPT carried_types_kept, ITERATION_SHAPES_EQUAL iteration_shapes_equal]
        ["scan output", "a value around the body", "a value grows", "a sequence grows", "many iterations", "no iteration"];
    "ai.onnx" "LpNormalization" lp_normalization.lp_normalization [AXIS_IN_RANGE axis_in_range, P_KNOWN p_known]
        ["only zeros"];
    "ai.onnx" "LpPool" lp_pool.lp_pool [INPUT_HAS_SPATIAL_AXES input_has_spatial_axes, WINDOW_ATTRIBUTES_VALID window_attributes_valid, AUTO_PAD_KNOWN auto_pad_known, PADS_WITHOUT_AUTO_PAD pads_without_auto_pad, WINDOW_FITS_AXIS window_fits_axis]
        ["no kernel_shape", "the 1-norm", "another norm", "no channels", "three spatial axes", "one spatial axis", "wide padding", "asymmetric padding", "SAME_UPPER", "SAME_LOWER", "VALID", "SAME with an odd padding", "SAME with windows apart", "SAME with dilations", "rounding up adds a window"];
    "ai.onnx" "MatMul" mat_mul.mat_mul [RANK_AT_LEAST_ONE rank_at_least_one, INNER_EXTENTS_EQUAL inner_extents_equal, BATCH_SHAPES_BROADCAST batch_shapes_broadcast]
        ["a list on the left", "a list on the right", "batches", "batches and a list"];
    "ai.onnx" "MatMulInteger" mat_mul_integer.mat_mul_integer [RANK_AT_LEAST_ONE rank_at_least_one, INNER_EXTENTS_EQUAL inner_extents_equal, BATCH_SHAPES_BROADCAST batch_shapes_broadcast, A_ZERO_POINT_FITS a_zero_point_fits, B_ZERO_POINT_FITS b_zero_point_fits]
        ["an empty matrix", "a list on the left", "a list on the right", "batches", "one a row or column"];
    "ai.onnx" "Max" max.max [SHAPES_EQUAL shapes_equal, SHAPES_BROADCAST shapes_broadcast]
        ["one input"];
    "ai.onnx" "MaxPool" max_pool.max_pool [INPUT_HAS_SPATIAL_AXES input_has_spatial_axes, WINDOW_ATTRIBUTES_VALID window_attributes_valid, AUTO_PAD_KNOWN auto_pad_known, PADS_WITHOUT_AUTO_PAD pads_without_auto_pad, WINDOW_FITS_AXIS window_fits_axis]
        ["indices", "columns first", "no channels", "three spatial axes", "one spatial axis", "wide padding", "asymmetric padding", "SAME_UPPER", "SAME_LOWER", "VALID", "SAME with an odd padding", "SAME with windows apart", "SAME with dilations", "rounding up adds a window"];
    "ai.onnx" "MaxRoiPool" max_roi_pool.max_roi_pool [RANK_FOUR rank_four, POOLED_SHAPE_VALID pooled_shape_valid, ROIS_SHAPE_FITS rois_shape_fits, BATCH_INDICES_IN_RANGE batch_indices_in_range]
        ["a region outside", "no regions"];
    "ai.onnx" "MaxUnpool" max_unpool.max_unpool [INPUT_HAS_SPATIAL_AXES input_has_spatial_axes, WINDOW_ATTRIBUTES_VALID window_attributes_valid, OUTPUT_EXTENTS_NON_NEGATIVE output_extents_non_negative, INDICES_MATCH_INPUT indices_match_input, OUTPUT_SHAPE_FITS output_shape_fits, INDICES_IN_RANGE indices_in_range]
        ["no channels", "an output longer than the windows", "indices that meet", "three spatial axes", "one spatial axis"];
    "ai.onnx" "Mean" mean.mean [SHAPES_EQUAL shapes_equal, SHAPES_BROADCAST shapes_broadcast]
        ["one input"];
    "ai.onnx" "MeanVarianceNormalization" mean_variance_normalization.mean_variance_normalization [AXES_IN_RANGE axes_in_range]
        ["negative axes", "a mean far from zero", "no variance"];
    "ai.onnx" "MelWeightMatrix" mel_weight_matrix.mel_weight_matrix [EDGES_IN_ORDER edges_in_order, OUTPUT_DATATYPE_ALLOWED output_datatype_allowed] [];
    "ai.onnx" "Min" min.min [SHAPES_EQUAL shapes_equal, SHAPES_BROADCAST shapes_broadcast]
        ["one input"];
    "ai.onnx" "Mish" mish.mish [] [];
    "ai.onnx" "Mod" mod_.mod_ [SHAPES_BROADCAST shapes_broadcast, FMOD_SET_FOR_FLOATS fmod_set_for_floats, FMOD_KNOWN fmod_known]
        ["division by zero", "smallest integer by minus one", "one element", "suffix", "inner extents"];
    "ai.onnx" "Mul" mul.mul [LEGACY_SHAPES_BROADCAST legacy_shapes_broadcast, SHAPES_BROADCAST shapes_broadcast]
        ["one element", "suffix", "inner extents"];
    "ai.onnx" "Multinomial" multinomial.multinomial [RANK_TWO rank_two, DTYPE_ALLOWED dtype_allowed, SAMPLE_SIZE_NON_NEGATIVE sample_size_non_negative]
        ["no rows", "many samples of a row"];
    "ai.onnx" "Neg" neg.neg [] [];
    "ai.onnx" "NegativeLogLikelihoodLoss" negative_log_likelihood_loss.negative_log_likelihood_loss [LABEL_SHAPE_FITS label_shape_fits, CLASS_WEIGHTS_FIT class_weights_fit, LABELS_IN_RANGE labels_in_range, REDUCTION_KNOWN reduction_known]
        ["empty extent", "all labels ignored", "labels ignored"];
    "ai.onnx" "NonMaxSuppression" non_max_suppression.non_max_suppression [BOXES_MATCH_SCORES boxes_match_scores, PARAMETERS_ARE_SCALARS parameters_are_scalars, IOU_THRESHOLD_IN_RANGE iou_threshold_in_range]
        ["no boxes", "several batches", "several classes", "centres and sizes", "equal scores", "a score at the threshold", "an overlap at the threshold", "a box beside the one before", "corners in another order"];
    "ai.onnx" "NonZero" non_zero.non_zero []
        ["scalar"];
    "ai.onnx" "Not" not.not [] [];
    "ai.onnx" "OneHot" one_hot.one_hot [DEPTH_VALID depth_valid, VALUES_ARE_PAIR values_are_pair, AXIS_IN_RANGE axis_in_range]
        ["depth with a fraction", "index outside", "negative index"];
    "ai.onnx" "Optional" optional.optional [TYPE_GIVEN_WITHOUT_INPUT type_given_without_input, TYPE_ALLOWED type_allowed] [];
    "ai.onnx" "OptionalGetElement" optional_get_element.optional_get_element []
        ["no optional around it"];
    "ai.onnx" "OptionalHasElement" optional_has_element.optional_has_element []
        ["no input", "always an element"];
    "ai.onnx" "Or" or.or [LEGACY_SHAPES_BROADCAST legacy_shapes_broadcast, SHAPES_BROADCAST shapes_broadcast]
        ["one element", "suffix", "inner extents"];
    "ai.onnx" "PRelu" p_relu.p_relu [SLOPE_FITS_INPUT slope_fits_input, SLOPE_BROADCASTS slope_broadcasts]
        ["slope of rank 0", "a slope for each channel", "slope broadcasts", "slope of lower rank"];
    "ai.onnx" "Pad" pad.pad [PADS_FIT_AXES pads_fit_axes, MODE_KNOWN mode_known, AXES_IN_RANGE axes_in_range, OUTPUT_EXTENTS_NON_NEGATIVE output_extents_non_negative, CONSTANT_VALUE_IS_SCALAR constant_value_is_scalar, AXES_RANK_ONE axes_rank_one]
        ["negative pads", "reflected more than once", "wrapped more than once", "cut at one end and padded at the other", "a wide reflection"];
    "ai.onnx" "Pow" pow.pow [LEGACY_SHAPES_BROADCAST legacy_shapes_broadcast, SHAPES_BROADCAST shapes_broadcast]
        ["fractions", "extremes", "one element", "suffix", "inner extents"];
    "ai.onnx" "QLinearConv" q_linear_conv.q_linear_conv [INPUT_HAS_SPATIAL_AXES input_has_spatial_axes, WINDOW_ATTRIBUTES_VALID window_attributes_valid, AUTO_PAD_KNOWN auto_pad_known, PADS_WITHOUT_AUTO_PAD pads_without_auto_pad, WINDOW_FITS_AXIS window_fits_axis, CHANNELS_FIT_GROUPS channels_fit_groups, KERNEL_SHAPE_MATCHES_W kernel_shape_matches_w, BIAS_FITS_CHANNELS bias_fits_channels, QUANTIZATION_PER_TENSOR quantization_per_tensor, W_QUANTIZATION_PER_CHANNEL w_quantization_per_channel]
        ["a scale for each channel", "several groups", "depthwise", "several batches", "empty sums", "no batches", "three spatial axes", "one spatial axis", "wide padding", "asymmetric padding", "SAME_UPPER", "SAME_LOWER", "VALID", "SAME with an odd padding", "SAME with windows apart", "SAME with dilations", "rounding up adds a window"];
    "ai.onnx" "QLinearMatMul" q_linear_mat_mul.q_linear_mat_mul [RANK_AT_LEAST_ONE rank_at_least_one, INNER_EXTENTS_EQUAL inner_extents_equal, BATCH_SHAPES_BROADCAST batch_shapes_broadcast, SCALE_SHAPE_FITS scale_shape_fits, ZERO_POINT_MATCHES_SCALE zero_point_matches_scale, Y_QUANTIZATION_PER_TENSOR y_quantization_per_tensor]
        ["powers of two: ties", "an empty matrix", "a list on the left", "a list on the right", "batches", "one a row or column"];
    "ai.onnx" "QuantizeLinear" quantize_linear.quantize_linear [SCALE_SHAPE_FITS scale_shape_fits, ZERO_POINT_MATCHES_SCALE zero_point_matches_scale, AXIS_IN_RANGE axis_in_range, BLOCKS_COVER_AXIS blocks_cover_axis, OUTPUT_DTYPE_ALLOWED output_dtype_allowed, PRECISION_ALLOWED precision_allowed, BLOCK_SIZE_NON_NEGATIVE block_size_non_negative]
        ["a scale a slice of any axis", "a scale a slice", "a scale a block", "a block cut short", "any scale", "a zero point of a float"];
    "ai.onnx" "RMSNormalization" rms_normalization.rms_normalization [AXIS_IN_RANGE axis_in_range, SCALE_BROADCASTS scale_broadcasts, STASH_TYPE_ALLOWED stash_type_allowed]
        ["two types", "stashed as double", "a factor of another shape", "a mean far from zero", "no variance"];
    "ai.onnx" "RNN" rnn.rnn [LAYER_SHAPES_FIT layer_shapes_fit, BIAS_AND_STATE_FIT bias_and_state_fit, SEQUENCE_LENS_IN_RANGE sequence_lens_in_range, DIRECTION_KNOWN direction_known, ACTIVATIONS_KNOWN activations_known, SEQUENCE_LENS_SHAPE_FITS sequence_lens_shape_fits]
        ["no batches", "reverse", "bidirectional", "batch first", "NaN", "recurrent weights beyond 0.5", "saturated gates", "Tanh", "ThresholdedRelu by default", "a constant after an activation that takes none", "a sequence of no steps", "a shorter sequence"];
    "ai.onnx" "RandomNormal" random_normal.random_normal [DTYPE_ALLOWED dtype_allowed, EXTENTS_NON_NEGATIVE extents_non_negative]
        ["a large sample"];
    "ai.onnx" "RandomNormalLike" random_normal_like.random_normal_like [DTYPE_ALLOWED dtype_allowed]
        ["a large sample"];
    "ai.onnx" "RandomUniform" random_uniform.random_uniform [DTYPE_ALLOWED dtype_allowed, EXTENTS_NON_NEGATIVE extents_non_negative]
        ["a large sample"];
    "ai.onnx" "RandomUniformLike" random_uniform_like.random_uniform_like [DTYPE_ALLOWED dtype_allowed]
        ["a large sample"];
    "ai.onnx" "Range" range.range [INPUTS_ARE_SCALARS inputs_are_scalars]
        ["no element", "backwards", "numbers beyond float64"];
    "ai.onnx" "Reciprocal" reciprocal.reciprocal [] [];
    "ai.onnx" "ReduceL1" reduce_l1.reduce_l1 [AXES_IN_RANGE axes_in_range]
        ["keepdims 0", "nothing reduced", "an empty set", "empty axes", "negative axis", "axes in descending order", "several axes"];
    "ai.onnx" "ReduceL2" reduce_l2.reduce_l2 [AXES_IN_RANGE axes_in_range]
        ["keepdims 0", "nothing reduced", "an empty set", "empty axes", "negative axis", "axes in descending order", "several axes"];
    "ai.onnx" "ReduceLogSum" reduce_log_sum.reduce_log_sum [AXES_IN_RANGE axes_in_range]
        ["keepdims 0", "nothing reduced", "an empty set", "empty axes", "negative axis", "axes in descending order", "several axes"];
    "ai.onnx" "ReduceLogSumExp" reduce_log_sum_exp.reduce_log_sum_exp [AXES_IN_RANGE axes_in_range]
        ["keepdims 0", "nothing reduced", "an empty set", "empty axes", "negative axis", "axes in descending order", "several axes"];
    "ai.onnx" "ReduceMax" reduce_max.reduce_max [AXES_IN_RANGE axes_in_range]
        ["keepdims 0", "nothing reduced", "an empty set", "empty axes", "negative axis", "axes in descending order", "several axes"];
    "ai.onnx" "ReduceMean" reduce_mean.reduce_mean [AXES_IN_RANGE axes_in_range]
        ["keepdims 0", "nothing reduced", "an empty set", "empty axes", "negative axis", "axes in descending order", "several axes"];
    "ai.onnx" "ReduceMin" reduce_min.reduce_min [AXES_IN_RANGE axes_in_range]
        ["keepdims 0", "nothing reduced", "an empty set", "empty axes", "negative axis", "axes in descending order", "several axes"];
    "ai.onnx" "ReduceProd" reduce_prod.reduce_prod [AXES_IN_RANGE axes_in_range]
        ["keepdims 0", "nothing reduced", "an empty set", "empty axes", "negative axis", "axes in descending order", "several axes"];
    "ai.onnx" "ReduceSum" reduce_sum.reduce_sum [AXES_IN_RANGE axes_in_range]
        ["keepdims 0", "nothing reduced", "an empty set", "empty axes", "negative axis", "axes in descending order", "several axes"];
    "ai.onnx" "ReduceSumSquare" reduce_sum_square.reduce_sum_square [AXES_IN_RANGE axes_in_range]
        ["keepdims 0", "nothing reduced", "an empty set", "empty axes", "negative axis", "axes in descending order", "several axes"];
    "ai.onnx" "RegexFullMatch" regex_full_match.regex_full_match [PATTERN_VALID pattern_valid] [];
    "ai.onnx" "Relu" relu.relu [] [];
    "ai.onnx" "Reshape" reshape.reshape [ONE_INFERRED_EXTENT one_inferred_extent, EXTENTS_NON_NEGATIVE extents_non_negative, COPIED_EXTENT_EXISTS copied_extent_exists, ELEMENT_COUNTS_EQUAL element_counts_equal, ALLOWZERO_WITHOUT_INFERENCE allowzero_without_inference, SHAPE_GIVEN shape_given]
        ["copied extent", "allowzero with 0", "scalar result", "inferred extent", "inferred empty extent"];
    "ai.onnx" "Resize" resize.resize [SCALES_FIT_AXES scales_fit_axes, SCALES_IN_RANGE scales_in_range, SCALES_OR_SIZES_GIVEN scales_or_sizes_given, MODES_KNOWN modes_known, AXES_IN_RANGE axes_in_range, ROI_FITS_AXES roi_fits_axes]
        ["empty extent", "axes in another order", "negative axis", "a region beyond the input", "a region backwards", "a scale that gives a fractional extent", "any axis is resized"];
    "ai.onnx" "ReverseSequence" reverse_sequence.reverse_sequence [RANK_AT_LEAST_TWO rank_at_least_two, AXES_ARE_FIRST_TWO axes_are_first_two, SEQUENCE_LENS_SHAPE_FITS sequence_lens_shape_fits, SEQUENCE_LENS_IN_RANGE sequence_lens_in_range]
        ["a length of 0"];
    "ai.onnx" "RoiAlign" roi_align.roi_align [RANK_FOUR rank_four, ROIS_SHAPE_FITS rois_shape_fits, BATCH_INDICES_FIT_ROIS batch_indices_fit_rois, BATCH_INDICES_IN_RANGE batch_indices_in_range, MODE_KNOWN mode_known, TRANSFORMATION_MODE_KNOWN transformation_mode_known]
        ["half_pixel", "max", "a region outside", "no regions"];
    "ai.onnx" "RotaryEmbedding" rotary_embedding.rotary_embedding [RANK_THREE_OR_FOUR rank_three_or_four, HEAD_COUNTS_DIVIDE head_counts_divide, CACHE_SHAPES_FIT cache_shapes_fit, POSITION_IDS_SHAPE_FITS position_ids_shape_fits, POSITIONS_IN_RANGE positions_in_range, ROTARY_EMBEDDING_DIM_FITS rotary_embedding_dim_fits]
        ["a part is turned", "no batches", "packed heads of a rotation"];
    "ai.onnx" "Round" round.round [] [];
    "ai.onnx" "STFT" stft.stft [SAMPLES_REAL_OR_COMPLEX samples_real_or_complex, FRAME_STEP_POSITIVE frame_step_positive, WINDOW_FITS_FRAME window_fits_frame, ONESIDED_SAMPLES_FIT onesided_samples_fit, FRAME_FITS_SIGNAL frame_fits_signal, ONESIDED_KNOWN onesided_known]
        ["no signals", "a frame that is not full", "one frame of all samples"];
    "ai.onnx" "Scan" scan.scan [NUM_SCAN_INPUTS_FITS num_scan_inputs_fits, SCAN_LENGTHS_EQUAL scan_lengths_equal, BODY_FITS_NODE body_fits_node, LISTS_FIT_SCAN_INPUTS lists_fit_scan_inputs, AXES_IN_RANGE axes_in_range, DIRECTIONS_KNOWN directions_known, ITERATION_SHAPES_EQUAL iteration_shapes_equal, SEQUENCE_LENS_IN_RANGE sequence_lens_in_range, SEQUENCE_LENS_SHAPE_FITS sequence_lens_shape_fits]
        ["many steps", "a shorter sequence", "no step", "a value around the body", "axis from the back"];
    "ai.onnx" "Scatter" scatter.scatter [RANKS_EQUAL ranks_equal, UPDATES_SHAPE_FITS updates_shape_fits, AXIS_IN_RANGE axis_in_range, INDICES_IN_RANGE indices_in_range, INDICES_FIT_DATA indices_fit_data]
        ["indices narrower than data", "two updates for one element", "negative index", "added", "multiplied", "larger", "smaller"];
    "ai.onnx" "ScatterElements" scatter_elements.scatter_elements [RANKS_EQUAL ranks_equal, UPDATES_SHAPE_FITS updates_shape_fits, AXIS_IN_RANGE axis_in_range, INDICES_IN_RANGE indices_in_range, INDICES_FIT_DATA indices_fit_data, REDUCTION_KNOWN reduction_known]
        ["indices narrower than data", "two updates for one element", "negative index", "added", "multiplied", "larger", "smaller"];
    "ai.onnx" "ScatterND" scatter_nd.scatter_nd [RANK_AT_LEAST_ONE rank_at_least_one, INDEX_LENGTH_FITS_RANK index_length_fits_rank, UPDATES_SHAPE_FITS updates_shape_fits, INDICES_IN_RANGE indices_in_range, REDUCTION_KNOWN reduction_known]
        ["slices", "no update", "negative index", "added", "multiplied", "larger", "smaller"];
    "ai.onnx" "Selu" selu.selu []
        ["negative coefficient"];
    "ai.onnx" "SequenceAt" sequence_at.sequence_at [POSITION_IN_RANGE position_in_range, POSITION_IS_SCALAR position_is_scalar]
        ["position from the back"];
    "ai.onnx" "SequenceConstruct" sequence_construct.sequence_construct [] [];
    "ai.onnx" "SequenceEmpty" sequence_empty.sequence_empty [DTYPE_ALLOWED dtype_allowed] [];
    "ai.onnx" "SequenceErase" sequence_erase.sequence_erase [POSITION_IN_RANGE position_in_range, POSITION_IS_SCALAR position_is_scalar]
        ["nothing is left", "position from the back"];
    "ai.onnx" "SequenceInsert" sequence_insert.sequence_insert [POSITION_IN_RANGE position_in_range, POSITION_IS_SCALAR position_is_scalar, ELEMENT_TYPE_FITS element_type_fits]
        ["into an empty sequence", "position from the back"];
    "ai.onnx" "SequenceLength" sequence_length.sequence_length []
        ["empty sequence"];
    "ai.onnx" "SequenceMap" sequence_map.sequence_map [SEQUENCES_LONG_ENOUGH sequences_long_enough, BODY_FITS_NODE body_fits_node]
        ["empty sequence", "a tensor for all", "a value around the body"];
    "ai.onnx" "Shape" shape.shape []
        ["start behind end", "extreme bound", "bound outside"];
    "ai.onnx" "Shrink" shrink.shrink []
        ["negative coefficient"];
    "ai.onnx" "Sigmoid" sigmoid.sigmoid [] [];
    "ai.onnx" "Sign" sign.sign [] [];
    "ai.onnx" "Sin" sin.sin [] [];
    "ai.onnx" "Sinh" sinh.sinh [] [];
    "ai.onnx" "Size" size.size [] [];
    "ai.onnx" "Slice" slice.slice [AXES_IN_RANGE axes_in_range, LENGTHS_EQUAL lengths_equal, STEPS_NON_ZERO steps_non_zero]
        ["axes in another order", "negative axis", "to the end", "to the beginning", "nothing between the bounds", "clamped bounds", "start before the beginning, backwards", "negative index", "extreme step"];
    "ai.onnx" "Softmax" softmax.softmax [AXIS_IN_RANGE axis_in_range]
        ["empty extent", "several dimensions in a row", "masked elements"];
    "ai.onnx" "SoftmaxCrossEntropyLoss" softmax_cross_entropy_loss.softmax_cross_entropy_loss [LABEL_SHAPE_FITS label_shape_fits, CLASS_WEIGHTS_FIT class_weights_fit, LABELS_IN_RANGE labels_in_range, REDUCTION_KNOWN reduction_known]
        ["empty extent", "all labels ignored", "labels ignored"];
    "ai.onnx" "Softplus" softplus.softplus [] [];
    "ai.onnx" "Softsign" softsign.softsign [] [];
    "ai.onnx" "SpaceToDepth" space_to_depth.space_to_depth [RANK_FOUR rank_four, BLOCKSIZE_POSITIVE blocksize_positive, BLOCKSIZE_DIVIDES_EXTENTS blocksize_divides_extents, MODE_KNOWN mode_known]
        ["empty extent", "blocks of one", "CRD"];
    "ai.onnx" "Split" split.split [AXIS_IN_RANGE axis_in_range, LENGTHS_FIT_OUTPUTS lengths_fit_outputs, LENGTHS_FIT_AXIS lengths_fit_axis, OUTPUTS_DIVIDE_AXIS outputs_divide_axis, SPLIT_OR_NUM_OUTPUTS split_or_num_outputs, NUM_OUTPUTS_POSITIVE num_outputs_positive]
        ["uneven parts", "last part empty", "parts of different length", "negative axis"];
    "ai.onnx" "SplitToSequence" split_to_sequence.split_to_sequence [AXIS_IN_RANGE axis_in_range, LENGTHS_NON_NEGATIVE lengths_non_negative, LENGTHS_FIT_AXIS lengths_fit_axis, SPLIT_RANK_FITS split_rank_fits]
        ["axis left out", "last chunk smaller", "lengths listed", "keepdims without a meaning", "empty chunks"];
    "ai.onnx" "Sqrt" sqrt.sqrt [] [];
    "ai.onnx" "Squeeze" squeeze.squeeze [AXES_IN_RANGE axes_in_range, SELECTED_EXTENTS_ARE_ONE selected_extents_are_one, AXES_RANK_ONE axes_rank_one]
        ["an extent of 1 stays", "negative axis", "axes in another order"];
    "ai.onnx" "StringConcat" string_concat.string_concat [SHAPES_BROADCAST shapes_broadcast] [];
    "ai.onnx" "StringNormalizer" string_normalizer.string_normalizer [SINGLE_ROW_OF_STRINGS single_row_of_strings, CASE_CHANGE_ACTION_KNOWN case_change_action_known]
        ["a stop word in another case", "nothing left"];
    "ai.onnx" "StringSplit" string_split.string_split []
        ["an empty string", "other white space", "empty delimiter"];
    "ai.onnx" "Sub" sub.sub [LEGACY_SHAPES_BROADCAST legacy_shapes_broadcast, SHAPES_BROADCAST shapes_broadcast]
        ["one element", "suffix", "inner extents"];
    "ai.onnx" "Sum" sum.sum [SHAPES_EQUAL shapes_equal, SHAPES_BROADCAST shapes_broadcast]
        ["one input"];
    "ai.onnx" "SwiGLU" swiglu.swiglu [SHAPES_EQUAL shapes_equal] [];
    "ai.onnx" "Swish" swish.swish []
        ["negative coefficient"];
    "ai.onnx" "Tan" tan.tan [] [];
    "ai.onnx" "Tanh" tanh.tanh [] [];
    "ai.onnx" "TensorScatter" tensor_scatter.tensor_scatter [AXIS_IN_RANGE axis_in_range, UPDATE_FITS_CACHE update_fits_cache, WRITE_INDICES_PER_BATCH write_indices_per_batch, WRITE_INDICES_IN_RANGE write_indices_in_range, MODE_KNOWN mode_known]
        ["around the end"];
    "ai.onnx" "TfIdfVectorizer" tf_idf_vectorizer.tf_idf_vectorizer [RANK_ONE_OR_TWO rank_one_or_two, MODE_KNOWN mode_known, ONE_POOL_GIVEN one_pool_given, POOL_TYPE_FITS pool_type_fits, N_GRAM_LISTS_FIT n_gram_lists_fit, WEIGHTS_FIT_POOL weights_fit_pool]
        ["any number of skips", "no n-gram of a length"];
    "ai.onnx" "ThresholdedRelu" thresholded_relu.thresholded_relu []
        ["negative coefficient"];
    "ai.onnx" "Tile" tile.tile [REPEATS_FIT_AXES repeats_fit_axes, REPEATS_NON_NEGATIVE repeats_non_negative, TILES_AND_AXIS_VALID tiles_and_axis_valid]
        ["no copy"];
    "ai.onnx" "TopK" top_k.top_k [AXIS_IN_RANGE axis_in_range, K_POSITIVE k_positive, K_FITS_AXIS k_fits_axis]
        ["all elements", "smallest", "unordered", "empty extent"];
    "ai.onnx" "Transpose" transpose.transpose [PERM_IS_PERMUTATION perm_is_permutation]
        ["not its own inverse"];
    "ai.onnx" "Trilu" trilu.trilu [RANK_AT_LEAST_TWO rank_at_least_two, K_IS_SCALAR k_is_scalar]
        ["extreme diagonal", "diagonal outside", "lower triangle"];
    "ai.onnx" "Unique" unique.unique [AXIS_IN_RANGE axis_in_range, SORTED_KNOWN sorted_known]
        ["empty extent", "order of occurrence", "an output left out before a named one", "NaN", "several NaN"];
    "ai.onnx" "Unsqueeze" unsqueeze.unsqueeze [AXES_IN_RANGE axes_in_range, AXES_UNIQUE axes_unique, AXES_RANK_ONE axes_rank_one]
        ["no axes", "negative axis", "axes in another order"];
    "ai.onnx" "Upsample" upsample.upsample [SCALES_FIT_AXES scales_fit_axes, SCALES_IN_RANGE scales_in_range, RANK_FOUR rank_four, MODE_KNOWN mode_known]
        ["empty extent", "any axis is resized", "a scale that gives a fractional extent"];
    "ai.onnx" "Where" where_.where_ [SHAPES_BROADCAST shapes_broadcast] [];
    "ai.onnx" "Xor" xor.xor [LEGACY_SHAPES_BROADCAST legacy_shapes_broadcast, SHAPES_BROADCAST shapes_broadcast]
        ["one element", "suffix", "inner extents"];
    "ai.onnx.ml" "ArrayFeatureExtractor" ai_onnx_ml::array_feature_extractor.array_feature_extractor [RANK_AT_LEAST_ONE rank_at_least_one, INDICES_IN_RANGE indices_in_range]
        ["matrix of indices"];
    "ai.onnx.ml" "Binarizer" ai_onnx_ml::binarizer.binarizer [] [];
    "ai.onnx.ml" "CastMap" ai_onnx_ml::cast_map.cast_map [ATTRIBUTE_VALUES_KNOWN attribute_values_known, KEYS_IN_RANGE keys_in_range]
        ["sparse"];
    "ai.onnx.ml" "CategoryMapper" ai_onnx_ml::category_mapper.category_mapper [BOTH_LISTS_GIVEN both_lists_given, LENGTHS_EQUAL lengths_equal, ONE_DEFAULT_AT_MOST one_default_at_most]
        ["element without a key"];
    "ai.onnx.ml" "DictVectorizer" ai_onnx_ml::dict_vectorizer.dict_vectorizer [ONE_VOCABULARY_GIVEN one_vocabulary_given, VOCABULARY_TYPE_FITS vocabulary_type_fits, KEYS_IN_VOCABULARY keys_in_vocabulary] [];
    "ai.onnx.ml" "FeatureVectorizer" ai_onnx_ml::feature_vectorizer.feature_vectorizer [RANK_ONE_OR_TWO rank_one_or_two, FIRST_EXTENTS_EQUAL first_extents_equal, INPUTDIMENSIONS_FIT inputdimensions_fit]
        ["no example", "list"];
    "ai.onnx.ml" "Imputer" ai_onnx_ml::imputer.imputer [ONE_VALUE_LIST_GIVEN one_value_list_given, VALUE_TYPE_FITS value_type_fits, LENGTHS_FIT_FEATURES lengths_fit_features, VALUES_IN_TYPE_RANGE values_in_type_range]
        ["NaN replaced", "one factor for all"];
    "ai.onnx.ml" "LabelEncoder" ai_onnx_ml::label_encoder.label_encoder [ONE_ALTERNATIVE_GIVEN one_alternative_given, VALUES_GIVEN values_given, LENGTHS_EQUAL lengths_equal, KEY_TYPE_FITS key_type_fits, DEFAULT_TENSOR_FITS default_tensor_fits]
        ["repeated key", "a key NaN", "a key of zero", "element without a key"];
    "ai.onnx.ml" "LinearClassifier" ai_onnx_ml::linear_classifier.linear_classifier [RANK_ONE_OR_TWO rank_one_or_two, ONE_LABEL_LIST_GIVEN one_label_list_given, COEFFICIENTS_FIT coefficients_fit, INTERCEPTS_FIT intercepts_fit, POST_TRANSFORM_KNOWN post_transform_known]
        ["one row for two classes", "list"];
    "ai.onnx.ml" "LinearRegressor" ai_onnx_ml::linear_regressor.linear_regressor [RANK_ONE_OR_TWO rank_one_or_two, COEFFICIENTS_FIT coefficients_fit, INTERCEPTS_FIT intercepts_fit, POST_TRANSFORM_KNOWN post_transform_known]
        ["a single target", "list"];
    "ai.onnx.ml" "Normalizer" ai_onnx_ml::normalizer.normalizer [RANK_ONE_OR_TWO rank_one_or_two, NORM_KNOWN norm_known]
        ["divisor of zero", "default norm"];
    "ai.onnx.ml" "OneHotEncoder" ai_onnx_ml::one_hot_encoder.one_hot_encoder [ONE_CATEGORY_LIST_GIVEN one_category_list_given, CATEGORY_TYPE_FITS category_type_fits, ELEMENTS_IN_CATEGORIES elements_in_categories]
        ["zeros = 0", "fraction", "element without a key"];
    "ai.onnx.ml" "SVMClassifier" ai_onnx_ml::svm_classifier.svm_classifier [RANK_ONE_OR_TWO rank_one_or_two, ONE_LABEL_LIST_GIVEN one_label_list_given, KERNEL_TYPE_KNOWN kernel_type_known, MODEL_SIZES_FIT model_sizes_fit, POST_TRANSFORM_KNOWN post_transform_known, PROBABILITY_LISTS_FIT probability_lists_fit]
        ["without support vectors", "list"];
    "ai.onnx.ml" "SVMRegressor" ai_onnx_ml::svm_regressor.svm_regressor [RANK_ONE_OR_TWO rank_one_or_two, KERNEL_TYPE_KNOWN kernel_type_known, MODEL_SIZES_FIT model_sizes_fit, RHO_IS_SCALAR rho_is_scalar, POST_TRANSFORM_KNOWN post_transform_known]
        ["without support vectors", "list"];
    "ai.onnx.ml" "Scaler" ai_onnx_ml::scaler.scaler [LENGTHS_EQUAL lengths_equal, LENGTHS_FIT_FEATURES lengths_fit_features]
        ["one factor for all"];
    "ai.onnx.ml" "TreeEnsemble" ai_onnx_ml::tree_ensemble.tree_ensemble [RANK_TWO rank_two, NODE_LISTS_EQUAL_LENGTH node_lists_equal_length, VOTE_LISTS_EQUAL_LENGTH vote_lists_equal_length, TENSOR_TYPES_FIT tensor_types_fit, BRANCHES_FORM_TREES branches_form_trees, FEATURES_IN_RANGE features_in_range, NODE_MODES_KNOWN node_modes_known, VOTES_IN_RANGE votes_in_range, MEMBER_SETS_COMPLETE member_sets_complete, ATTRIBUTE_VALUES_KNOWN attribute_values_known]
        ["a single target", "a node and a leaf of the same number", "a leaf on the true side only", "set membership", "missing value", "a feature at a threshold", "BRANCH_NEQ", "tree of one leaf"];
    "ai.onnx.ml" "TreeEnsembleClassifier" ai_onnx_ml::tree_ensemble_classifier.tree_ensemble_classifier [RANK_TWO rank_two, NODE_LISTS_EQUAL_LENGTH node_lists_equal_length, VOTE_LISTS_EQUAL_LENGTH vote_lists_equal_length, ONE_LABEL_LIST_GIVEN one_label_list_given, BRANCHES_FORM_TREES branches_form_trees, FEATURES_IN_RANGE features_in_range, NODE_MODES_KNOWN node_modes_known, VOTES_IN_RANGE votes_in_range, BASE_VALUES_FIT base_values_fit, FLOATS_OR_DOUBLES_GIVEN floats_or_doubles_given, ATTRIBUTE_VALUES_KNOWN attribute_values_known]
        ["two classes", "ids that go on", "votes for one target only", "a single target", "a target without a vote", "base values", "missing value", "a feature at a threshold", "BRANCH_NEQ", "tree of one leaf"];
    "ai.onnx.ml" "TreeEnsembleRegressor" ai_onnx_ml::tree_ensemble_regressor.tree_ensemble_regressor [RANK_TWO rank_two, NODE_LISTS_EQUAL_LENGTH node_lists_equal_length, VOTE_LISTS_EQUAL_LENGTH vote_lists_equal_length, NODE_IDS_UNIQUE node_ids_unique, BRANCHES_FORM_TREES branches_form_trees, FEATURES_IN_RANGE features_in_range, NODE_MODES_KNOWN node_modes_known, VOTES_IN_RANGE votes_in_range, BASE_VALUES_FIT base_values_fit, FLOATS_OR_DOUBLES_GIVEN floats_or_doubles_given, ATTRIBUTE_VALUES_KNOWN attribute_values_known]
        ["ids that go on", "votes for one target only", "a single target", "a target without a vote", "base values", "missing value", "a feature at a threshold", "BRANCH_NEQ", "tree of one leaf"];
    "ai.onnx.ml" "ZipMap" ai_onnx_ml::zip_map.zip_map [RANK_ONE_OR_TWO rank_one_or_two, ONE_LABEL_LIST_GIVEN one_label_list_given, LABELS_FIT_COLUMNS labels_fit_columns]
        ["no rows", "list"];
    "ai.onnx.preview" "FlexAttention" ai_onnx_preview::flex_attention.flex_attention [RANK_FOUR rank_four, QUERY_KEY_VALUE_AGREE query_key_value_agree, QUERY_HEADS_MULTIPLE query_heads_multiple, SOFTMAX_PRECISION_ALLOWED softmax_precision_allowed, MODIFIER_GRAPHS_FIT modifier_graphs_fit]
        ["no batches", "groups of query heads", "capped by a graph", "masked by a graph"];
    "ai.onnx.preview.training" "Adagrad" ai_onnx_preview_training::adagrad.adagrad [INPUT_COUNT_FITS input_count_fits, TENSORS_MATCH_OPTIMIZED tensors_match_optimized, R_AND_T_SCALAR r_and_t_scalar]
        ["two types", "a list of one element for a scalar", "first update"];
    "ai.onnx.preview.training" "Adam" ai_onnx_preview_training::adam.adam [INPUT_COUNT_FITS input_count_fits, TENSORS_MATCH_OPTIMIZED tensors_match_optimized, R_AND_T_SCALAR r_and_t_scalar]
        ["two types", "a list of one element for a scalar", "first update"];
    "ai.onnx.preview.training" "Gradient" ai_onnx_preview_training::gradient.gradient [INPUTS_MATCH_NAMES inputs_match_names, NAMES_INDEPENDENT names_independent, XS_DETERMINE_Y xs_determine_y]
        ["product of matrices", "unrelated tensor", "one tensor on two ways", "output left out", "a factor of another type", "the size of a tensor", "function of a positive number", "of an intermediate tensor", "another value than that of the name"];
    "ai.onnx.preview.training" "Momentum" ai_onnx_preview_training::momentum.momentum [INPUT_COUNT_FITS input_count_fits, TENSORS_MATCH_OPTIMIZED tensors_match_optimized, R_AND_T_SCALAR r_and_t_scalar, MODE_KNOWN mode_known]
        ["nesterov", "two types", "a list of one element for a scalar", "first update"];
    "com.microsoft" "FastGelu" com_microsoft::fast_gelu.fast_gelu [BIAS_BROADCASTS bias_broadcasts]
        ["a bias of another shape"];
    "com.microsoft" "QuickGelu" com_microsoft::quick_gelu.quick_gelu []
        ["negative coefficient"];
}

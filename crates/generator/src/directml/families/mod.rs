//! How the tensors and attributes of each operator are drawn.

mod attention;
mod axes;
mod element_wise;
mod fill;
mod gemm;
mod indices;
mod movement;
mod normalization;
mod recurrent;
mod regions;
mod sampling;
mod training;
mod whole_quotients;
mod window;
mod zero_points;

use super::sketch::Drawing;

/// Draws the tensors and attributes of an operator. Returns `None` if it declines the case.
type Family = fn(&mut Drawing) -> Option<()>;

/// Returns the family of an operator.
pub(super) fn find(operator: &str) -> Family {
    match operator {
        "ACTIVATION_HARDMAX" | "ACTIVATION_LOG_SOFTMAX" | "ACTIVATION_SOFTMAX" => axes::layers,
        "ACTIVATION_LOG_SOFTMAX1" | "ACTIVATION_SOFTMAX1" => axes::several,
        "ACTIVATION_HARDMAX1" => axes::hardmax,
        "REVERSE_SUBSEQUENCES" => axes::reversed,
        "ARGMAX" | "ARGMIN" | "REDUCE" => axes::reduction,
        "CUMULATIVE_PRODUCT" | "CUMULATIVE_SUMMATION" => axes::running,
        "TOP_K" | "TOP_K1" => axes::top,
        "CAST" => movement::cast,
        "DEPTH_TO_SPACE" | "DEPTH_TO_SPACE1" => movement::to_space,
        "JOIN" => movement::join,
        "PADDING" | "PADDING1" => movement::padding,
        "SLICE" => movement::plain_slice,
        "SLICE1" => movement::slice,
        "SLICE_GRAD" => movement::slice_gradient,
        "SPACE_TO_DEPTH" | "SPACE_TO_DEPTH1" => movement::to_depth,
        "SPLIT" => movement::split,
        "TILE" => movement::tile,
        "VALUE_SCALE_2D" => movement::value_scale,
        "DIAGONAL_MATRIX" => fill::diagonal,
        "DIAGONAL_MATRIX1" => fill::diagonals,
        "FILL_VALUE_CONSTANT" => fill::constant,
        "FILL_VALUE_SEQUENCE" => fill::sequence,
        "GATHER" => indices::gather,
        "GATHER_ELEMENTS" => indices::gather_elements,
        "GATHER_ND" | "GATHER_ND1" => indices::gather_tuples,
        "SCATTER_ND" => indices::scatter_tuples,
        "SCATTER_ELEMENTS" => indices::scatter_elements,
        "NONZERO_COORDINATES" => indices::nonzero,
        "ONE_HOT" => indices::one_hot,
        "GRU" | "LSTM" | "RNN" => recurrent::draw,
        "MULTIHEAD_ATTENTION" | "MULTIHEAD_ATTENTION1" => attention::draw,
        "GEMM" => gemm::draw,
        "ELEMENT_WISE_DEQUANTIZE_LINEAR" => whole_quotients::dequantize,
        "ELEMENT_WISE_MEAN" => element_wise::mean,
        "ELEMENT_WISE_QUANTIZE_LINEAR" => whole_quotients::quantize,
        "AVERAGE_POOLING" | "AVERAGE_POOLING1" | "LP_POOLING" | "LP_POOLING1" => window::pooling,
        "MAX_POOLING" | "MAX_POOLING1" | "MAX_POOLING2" => window::pooling,
        "AVERAGE_POOLING_GRAD" | "MAX_POOLING_GRAD" => window::pooling_gradient,
        "MAX_UNPOOLING" => window::unpooling,
        "UNFOLD" => window::unfold,
        "FOLD" => window::fold,
        "CONVOLUTION" => window::convolution,
        "CONVOLUTION_INTEGER" => zero_points::convolution_integer,
        "DEQUANTIZE" | "QUANTIZE" => zero_points::by_elements,
        "DYNAMIC_QUANTIZE_LINEAR" => zero_points::dynamic,
        "ELEMENT_WISE_QUANTIZED_LINEAR_ADD" => zero_points::sum,
        "MATRIX_MULTIPLY_INTEGER" | "MATRIX_MULTIPLY_INTEGER_TO_FLOAT" | "QUANTIZED_LINEAR_MATRIX_MULTIPLY" => {
            zero_points::product
        }
        "QUANTIZED_LINEAR_AVERAGE_POOLING" => zero_points::average_pooling,
        "QUANTIZED_LINEAR_CONVOLUTION" => zero_points::convolution,
        "RESAMPLE" | "RESAMPLE1" | "RESAMPLE2" | "RESAMPLE3" | "RESAMPLE_GRAD" | "RESAMPLE_GRAD1" => sampling::resample,
        "ROI_ALIGN" | "ROI_ALIGN1" | "ROI_ALIGN_GRAD" => regions::align,
        "UPSAMPLE_2D" => sampling::upsample,
        "ROI_POOLING" => regions::pooling,
        "ADAM_OPTIMIZER" => training::adam,
        "BATCH_NORMALIZATION" => normalization::batch,
        "BATCH_NORMALIZATION_TRAINING" => normalization::batch_training,
        "BATCH_NORMALIZATION_GRAD" => normalization::batch_gradient,
        "BATCH_NORMALIZATION_TRAINING_GRAD" => normalization::batch_training_gradient,
        "LOCAL_RESPONSE_NORMALIZATION" | "LOCAL_RESPONSE_NORMALIZATION_GRAD" => normalization::local_response,
        "LP_NORMALIZATION" => normalization::lp,
        "MEAN_VARIANCE_NORMALIZATION" | "MEAN_VARIANCE_NORMALIZATION1" => normalization::mean_variance,
        _ => element_wise::draw,
    }
}

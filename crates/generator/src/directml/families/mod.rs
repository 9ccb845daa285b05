//! How the tensors and attributes of each operator are drawn.

mod axes;
mod element_wise;
mod fill;
mod gemm;
mod indices;
mod movement;
mod quantized;
mod regions;
mod sampling;
mod training;
mod whole_quotients;
mod window;

use super::attributes::is_of_layers;
use super::sketch::Drawing;

/// Draws the tensors and attributes of an operator. Returns `None` if it declines the case.
type Family = fn(&mut Drawing) -> Option<()>;

/// Returns the family of an operator.
pub(super) fn find(operator: &str) -> Family {
    match operator {
        layers if is_of_layers(layers) => axes::one_layer,
        "ACTIVATION_LOG_SOFTMAX1" | "ACTIVATION_SOFTMAX1" => axes::several,
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
        "FILL_VALUE_CONSTANT" => fill::constant,
        "FILL_VALUE_SEQUENCE" => fill::sequence,
        "GATHER" => indices::gather,
        "GATHER_ELEMENTS" => indices::gather_elements,
        "GATHER_ND" | "GATHER_ND1" => indices::gather_tuples,
        "SCATTER_ND" => indices::scatter_tuples,
        "SCATTER_ELEMENTS" => indices::scatter_elements,
        "ONE_HOT" => indices::one_hot,
        "GEMM" => gemm::draw,
        "ELEMENT_WISE_DEQUANTIZE_LINEAR" => whole_quotients::dequantize,
        "ELEMENT_WISE_QUANTIZE_LINEAR" => whole_quotients::quantize,
        "AVERAGE_POOLING" | "LP_POOLING" | "LP_POOLING1" | "MAX_POOLING" | "MAX_POOLING1" | "MAX_POOLING2" => {
            window::pooling
        }
        "CONVOLUTION" => window::convolution,
        "CONVOLUTION_INTEGER" => quantized::convolution_integer,
        "DEQUANTIZE" | "QUANTIZE" => quantized::by_elements,
        "DYNAMIC_QUANTIZE_LINEAR" => quantized::dynamic,
        "ELEMENT_WISE_QUANTIZED_LINEAR_ADD" => quantized::sum,
        "MATRIX_MULTIPLY_INTEGER" | "MATRIX_MULTIPLY_INTEGER_TO_FLOAT" | "QUANTIZED_LINEAR_MATRIX_MULTIPLY" => {
            quantized::product
        }
        "QUANTIZED_LINEAR_AVERAGE_POOLING" => quantized::average_pooling,
        "QUANTIZED_LINEAR_CONVOLUTION" => quantized::convolution,
        "RESAMPLE" | "RESAMPLE1" | "RESAMPLE2" | "RESAMPLE3" | "RESAMPLE_GRAD" | "RESAMPLE_GRAD1" => sampling::resample,
        "ROI_ALIGN" | "ROI_ALIGN1" | "ROI_ALIGN_GRAD" => regions::align,
        "UPSAMPLE_2D" => sampling::upsample,
        "ADAM_OPTIMIZER" => training::adam,
        "BATCH_NORMALIZATION" => training::batch_normalization,
        "LOCAL_RESPONSE_NORMALIZATION" => training::local_response,
        "LP_NORMALIZATION" => training::lp_normalization,
        "MEAN_VARIANCE_NORMALIZATION1" => training::mean_variance,
        _ => element_wise::draw,
    }
}

//! Groups operators into families. The matrix folds the rows of a family, and failures in different families count as
//! different causes.

use plumbline_spec::ONNX_DOMAIN;

/// The families of ONNX's own domain in the order of the page, each with its operators. A name that ends with `*`
/// stands for all operators whose names begin with the text before the `*`.
const FAMILIES: [(&str, &[&str]); 19] = [
    (
        "arithmetic",
        &[
            "Abs",
            "Add",
            "Clip",
            "Div",
            "Max",
            "Mean",
            "Min",
            "Mod",
            "Mul",
            "Neg",
            "Pow",
            "Reciprocal",
            "Sign",
            "Sqrt",
            "Sub",
            "Sum",
        ],
    ),
    (
        "functions and rounding",
        &[
            "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Ceil", "Cos", "Cosh", "Erf", "Exp", "Floor", "Log",
            "Round", "Sin", "Sinh", "Tan", "Tanh",
        ],
    ),
    (
        "activations",
        &[
            "Celu",
            "Elu",
            "Gelu",
            "HardSigmoid",
            "HardSwish",
            "LeakyRelu",
            "Mish",
            "PRelu",
            "Relu",
            "Selu",
            "Shrink",
            "Sigmoid",
            "Softplus",
            "Softsign",
            "SwiGLU",
            "Swish",
            "ThresholdedRelu",
        ],
    ),
    (
        "logic and comparison",
        &[
            "And",
            "BitShift",
            "Bitwise*",
            "Equal",
            "Greater",
            "GreaterOrEqual",
            "IsInf",
            "IsNaN",
            "Less",
            "LessOrEqual",
            "Not",
            "Or",
            "Where",
            "Xor",
        ],
    ),
    ("reduction", &["ArgMax", "ArgMin", "CumProd", "CumSum", "Reduce*"]),
    ("matrix products", &["Det", "Einsum", "Gemm", "MatMul", "MatMulInteger", "QLinearMatMul"]),
    ("attention", &["Attention", "LinearAttention", "RotaryEmbedding"]),
    ("convolution", &["CausalConvWithState", "Col2Im", "Conv*", "DeformConv", "QLinearConv"]),
    (
        "pooling",
        &["AveragePool", "Global*", "LpPool", "MaxPool", "MaxRoiPool", "MaxUnpool", "RoiAlign", "NonMaxSuppression"],
    ),
    (
        "normalization",
        &[
            "BatchNormalization",
            "Dropout",
            "GroupNormalization",
            "InstanceNormalization",
            "LRN",
            "LayerNormalization",
            "LpNormalization",
            "MeanVarianceNormalization",
            "RMSNormalization",
        ],
    ),
    (
        "softmax and losses",
        &["Hardmax", "LogSoftmax", "NegativeLogLikelihoodLoss", "Softmax", "SoftmaxCrossEntropyLoss"],
    ),
    ("recurrent", &["GRU", "LSTM", "RNN"]),
    (
        "resampling and signals",
        &[
            "AffineGrid",
            "BlackmanWindow",
            "DFT",
            "GridSample",
            "HammingWindow",
            "HannWindow",
            "ImageDecoder",
            "MelWeightMatrix",
            "Resize",
            "STFT",
            "Upsample",
        ],
    ),
    (
        "types and quantization",
        &["BitCast", "Cast", "CastLike", "DequantizeLinear", "DynamicQuantizeLinear", "QuantizeLinear"],
    ),
    (
        "shapes and layout",
        &[
            "CenterCropPad",
            "Concat",
            "DepthToSpace",
            "Expand",
            "Flatten",
            "Identity",
            "Pad",
            "Reshape",
            "ReverseSequence",
            "Shape",
            "Size",
            "Slice",
            "SpaceToDepth",
            "Split",
            "Squeeze",
            "Tile",
            "Transpose",
            "Trilu",
            "Unsqueeze",
        ],
    ),
    (
        "selection and indices",
        &["Compress", "Gather*", "NonZero", "OneHot", "Scatter*", "TensorScatter", "TopK", "Unique"],
    ),
    ("constants and random numbers", &["Bernoulli", "Constant*", "EyeLike", "Multinomial", "Random*", "Range"]),
    ("text", &["RegexFullMatch", "String*", "TfIdfVectorizer"]),
    (
        "control flow and containers",
        &["ConcatFromSequence", "If", "Loop", "Optional*", "Scan", "Sequence*", "SplitToSequence"],
    ),
];

/// The family of graphs of several operators, and of operators in ONNX's own domain that are in no other family.
pub(super) const OTHERS: &str = "others";

/// Returns the family of an operator. Each domain other than ONNX's own is a family.
pub(super) fn family(domain: &str, name: &str) -> String {
    if domain != ONNX_DOMAIN {
        return if domain.is_empty() || domain == "graphs" { OTHERS.to_owned() } else { domain.to_owned() };
    }
    let is = |pattern: &&str| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => *pattern == name,
    };
    let exact = FAMILIES.iter().find(|(_, names)| names.contains(&name));
    let found = exact.or_else(|| FAMILIES.iter().find(|(_, names)| names.iter().any(is)));
    found.map_or(OTHERS, |(family, _)| family).to_owned()
}

/// Returns the position of a family on the page.
pub(super) fn order(family: &str) -> (usize, &str) {
    let known = FAMILIES.iter().position(|(name, _)| *name == family);
    (known.unwrap_or(if family == OTHERS { usize::MAX } else { FAMILIES.len() }), family)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_of_the_specification_has_a_family() {
        let spec = plumbline_spec::Spec::embedded();
        for operator in spec.operators() {
            assert_ne!(family(&operator.domain, &operator.name), OTHERS, "{}", operator.qualified_name());
        }
        assert_eq!(family("ai.onnx", "ConstantOfShape"), "constants and random numbers");
        assert_eq!(family("ai.onnx", "ConvInteger"), "convolution");
        assert_eq!((family("", "model"), family("ai.onnx", "NoSuch")), (OTHERS.to_owned(), OTHERS.to_owned()));
        assert!(order("arithmetic") < order("ai.onnx.ml") && order("ai.onnx.ml") < order(OTHERS));
    }
}

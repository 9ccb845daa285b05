//! The structs that describe `ELEMENT_WISE_*` and `ACTIVATION_*` operators.
//!
//! Written by `cargo xtask generate` from `specs/directml`; not edited by hand.

use super::*;

structs! {
    DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_ABS_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_ACOS_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_ADD_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_ASIN_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_ATAN_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_CEIL_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_CLIP_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias, Min: f32, Max: f32,
    }
    DML_ELEMENT_WISE_COS_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_DIVIDE_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_EXP_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_FLOOR_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_LOG_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_LOGICAL_AND_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_LOGICAL_EQUALS_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_LOGICAL_GREATER_THAN_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_LOGICAL_LESS_THAN_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_LOGICAL_NOT_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_LOGICAL_OR_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_LOGICAL_XOR_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_MAX_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_MEAN_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_MIN_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_MULTIPLY_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_POW_OPERATOR_DESC {
        InputTensor: Tensor, ExponentTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias,
    }
    DML_ELEMENT_WISE_CONSTANT_POW_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias, Exponent: f32,
    }
    DML_ELEMENT_WISE_RECIP_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_SIN_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_SQRT_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_SUBTRACT_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_TAN_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_THRESHOLD_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias, Min: f32,
    }
    DML_ELEMENT_WISE_QUANTIZE_LINEAR_OPERATOR_DESC {
        InputTensor: Tensor, ScaleTensor: Tensor, ZeroPointTensor: Tensor, OutputTensor: Tensor,
    }
    DML_ELEMENT_WISE_DEQUANTIZE_LINEAR_OPERATOR_DESC {
        InputTensor: Tensor, ScaleTensor: Tensor, ZeroPointTensor: Tensor, OutputTensor: Tensor,
    }
    DML_ACTIVATION_ELU_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, Alpha: f32 }
    DML_ACTIVATION_HARDMAX_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor }
    DML_ACTIVATION_HARD_SIGMOID_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, Alpha: f32, Beta: f32 }
    DML_ACTIVATION_IDENTITY_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor }
    DML_ACTIVATION_LEAKY_RELU_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, Alpha: f32 }
    DML_ACTIVATION_LINEAR_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, Alpha: f32, Beta: f32 }
    DML_ACTIVATION_LOG_SOFTMAX_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor }
    DML_ACTIVATION_PARAMETERIZED_RELU_OPERATOR_DESC { InputTensor: Tensor, SlopeTensor: Tensor, OutputTensor: Tensor }
    DML_ACTIVATION_PARAMETRIC_SOFTPLUS_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, Alpha: f32, Beta: f32,
    }
    DML_ACTIVATION_RELU_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor }
    DML_ACTIVATION_SCALED_ELU_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, Alpha: f32, Gamma: f32 }
    DML_ACTIVATION_SCALED_TANH_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, Alpha: f32, Beta: f32 }
    DML_ACTIVATION_SIGMOID_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor }
    DML_ACTIVATION_SOFTMAX_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor }
    DML_ACTIVATION_SOFTPLUS_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, Steepness: f32 }
    DML_ACTIVATION_SOFTSIGN_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor }
    DML_ACTIVATION_TANH_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor }
    DML_ACTIVATION_THRESHOLDED_RELU_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, Alpha: f32 }
    DML_ELEMENT_WISE_SIGN_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_IS_NAN_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_ERF_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_SINH_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_COSH_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_TANH_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_ASINH_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_ACOSH_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_ATANH_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias }
    DML_ELEMENT_WISE_IF_OPERATOR_DESC {
        ConditionTensor: Tensor, ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor,
    }
    DML_ELEMENT_WISE_ADD1_OPERATOR_DESC {
        ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor, FusedActivation: Operator,
    }
    DML_ACTIVATION_SHRINK_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, Bias: f32, Threshold: f32 }
    DML_ELEMENT_WISE_BIT_SHIFT_LEFT_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_BIT_SHIFT_RIGHT_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_ROUND_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, RoundingMode: Enum }
    DML_ELEMENT_WISE_IS_INFINITY_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, InfinityMode: Enum }
    DML_ELEMENT_WISE_MODULUS_TRUNCATE_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_MODULUS_FLOOR_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_BIT_AND_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_BIT_OR_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_BIT_XOR_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_BIT_NOT_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_BIT_COUNT_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL_OPERATOR_DESC {
        ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor,
    }
    DML_ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ACTIVATION_CELU_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, Alpha: f32 }
    DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC {
        InputTensor: Tensor, InputGradientTensor: Tensor, OutputGradientTensor: Tensor,
    }
    DML_ELEMENT_WISE_ATAN_YX_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_CLIP_GRAD_OPERATOR_DESC {
        InputTensor: Tensor, InputGradientTensor: Tensor, OutputGradientTensor: Tensor, Min: f32, Max: f32,
    }
    DML_ELEMENT_WISE_DIFFERENCE_SQUARE_OPERATOR_DESC { ATensor: Tensor, BTensor: Tensor, OutputTensor: Tensor }
    DML_ELEMENT_WISE_QUANTIZED_LINEAR_ADD_OPERATOR_DESC {
        ATensor: Tensor, AScaleTensor: Tensor, AZeroPointTensor: Tensor, BTensor: Tensor, BScaleTensor: Tensor,
        BZeroPointTensor: Tensor, OutputScaleTensor: Tensor, OutputZeroPointTensor: Tensor, OutputTensor: Tensor,
    }
    DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, ScaleBias: ScaleBias, MinMaxDataType: Enum, Min: Scalar, Max: Scalar,
    }
    DML_ELEMENT_WISE_CLIP_GRAD1_OPERATOR_DESC {
        InputTensor: Tensor, InputGradientTensor: Tensor, OutputGradientTensor: Tensor, MinMaxDataType: Enum,
        Min: Scalar, Max: Scalar,
    }
    DML_ELEMENT_WISE_NEGATE_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor }
    DML_ACTIVATION_GELU_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor }
    DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, AxisCount: u32, Axes: Uints }
    DML_ACTIVATION_LOG_SOFTMAX1_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, AxisCount: u32, Axes: Uints }
    DML_ACTIVATION_HARDMAX1_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, AxisCount: u32, Axes: Uints }
    DML_ACTIVATION_SWISH_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, SigmoidInputScale: f32 }
    DML_ACTIVATION_HARD_SWISH_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, Alpha: f32, Beta: f32 }
}

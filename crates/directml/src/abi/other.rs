//! The structs that describe all operators that are not in `element_wise`.
//!
//! Written by `cargo xtask generate` from `specs/directml`; not edited by hand.

use super::*;

structs! {
    DML_CONVOLUTION_OPERATOR_DESC {
        InputTensor: Tensor, FilterTensor: Tensor, BiasTensor: Tensor, OutputTensor: Tensor, Mode: Enum,
        Direction: Enum, DimensionCount: u32, Strides: Uints, Dilations: Uints, StartPadding: Uints, EndPadding: Uints,
        OutputPadding: Uints, GroupCount: u32, FusedActivation: Operator,
    }
    DML_GEMM_OPERATOR_DESC {
        ATensor: Tensor, BTensor: Tensor, CTensor: Tensor, OutputTensor: Tensor, TransA: Enum, TransB: Enum, Alpha: f32,
        Beta: f32, FusedActivation: Operator,
    }
    DML_REDUCE_OPERATOR_DESC { Function: Enum, InputTensor: Tensor, OutputTensor: Tensor, AxisCount: u32, Axes: Uints }
    DML_AVERAGE_POOLING_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, DimensionCount: u32, Strides: Uints, WindowSize: Uints,
        StartPadding: Uints, EndPadding: Uints, IncludePadding: Bool,
    }
    DML_LP_POOLING_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, DimensionCount: u32, Strides: Uints, WindowSize: Uints,
        StartPadding: Uints, EndPadding: Uints, P: u32,
    }
    DML_MAX_POOLING_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, DimensionCount: u32, Strides: Uints, WindowSize: Uints,
        StartPadding: Uints, EndPadding: Uints,
    }
    DML_ROI_POOLING_OPERATOR_DESC {
        InputTensor: Tensor, ROITensor: Tensor, OutputTensor: Tensor, SpatialScale: f32, PooledSize: Size2d,
    }
    DML_SLICE_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, DimensionCount: u32, Offsets: Uints, Sizes: Uints, Strides: Uints,
    }
    DML_CAST_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor }
    DML_SPLIT_OPERATOR_DESC { InputTensor: Tensor, OutputCount: u32, OutputTensors: Tensor, Axis: u32 }
    DML_JOIN_OPERATOR_DESC { InputCount: u32, InputTensors: Tensor, OutputTensor: Tensor, Axis: u32 }
    DML_PADDING_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, PaddingMode: Enum, PaddingValue: f32, DimensionCount: u32,
        StartPadding: Uints, EndPadding: Uints,
    }
    DML_VALUE_SCALE_2D_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, Scale: f32, ChannelCount: u32, Bias: Floats,
    }
    DML_UPSAMPLE_2D_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, ScaleSize: Size2d, InterpolationMode: Enum,
    }
    DML_GATHER_OPERATOR_DESC {
        InputTensor: Tensor, IndicesTensor: Tensor, OutputTensor: Tensor, Axis: u32, IndexDimensions: u32,
    }
    DML_SPACE_TO_DEPTH_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, BlockSize: u32 }
    DML_DEPTH_TO_SPACE_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, BlockSize: u32 }
    DML_TILE_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, RepeatsCount: u32, Repeats: Uints }
    DML_TOP_K_OPERATOR_DESC {
        InputTensor: Tensor, OutputValueTensor: Tensor, OutputIndexTensor: Tensor, Axis: u32, K: u32,
    }
    DML_BATCH_NORMALIZATION_OPERATOR_DESC {
        InputTensor: Tensor, MeanTensor: Tensor, VarianceTensor: Tensor, ScaleTensor: Tensor, BiasTensor: Tensor,
        OutputTensor: Tensor, Spatial: Bool, Epsilon: f32, FusedActivation: Operator,
    }
    DML_MEAN_VARIANCE_NORMALIZATION_OPERATOR_DESC {
        InputTensor: Tensor, ScaleTensor: Tensor, BiasTensor: Tensor, OutputTensor: Tensor, CrossChannel: Bool,
        NormalizeVariance: Bool, Epsilon: f32, FusedActivation: Operator,
    }
    DML_LOCAL_RESPONSE_NORMALIZATION_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, CrossChannel: Bool, LocalSize: u32, Alpha: f32, Beta: f32, Bias: f32,
    }
    DML_LP_NORMALIZATION_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, Axis: u32, Epsilon: f32, P: u32 }
    DML_RNN_OPERATOR_DESC {
        InputTensor: Tensor, WeightTensor: Tensor, RecurrenceTensor: Tensor, BiasTensor: Tensor,
        HiddenInitTensor: Tensor, SequenceLengthsTensor: Tensor, OutputSequenceTensor: Tensor,
        OutputSingleTensor: Tensor, ActivationDescCount: u32, ActivationDescs: Operator, Direction: Enum,
    }
    DML_LSTM_OPERATOR_DESC {
        InputTensor: Tensor, WeightTensor: Tensor, RecurrenceTensor: Tensor, BiasTensor: Tensor,
        HiddenInitTensor: Tensor, CellMemInitTensor: Tensor, SequenceLengthsTensor: Tensor, PeepholeTensor: Tensor,
        OutputSequenceTensor: Tensor, OutputSingleTensor: Tensor, OutputCellSingleTensor: Tensor,
        ActivationDescCount: u32, ActivationDescs: Operator, Direction: Enum, ClipThreshold: f32,
        UseClipThreshold: Bool, CoupleInputForget: Bool,
    }
    DML_GRU_OPERATOR_DESC {
        InputTensor: Tensor, WeightTensor: Tensor, RecurrenceTensor: Tensor, BiasTensor: Tensor,
        HiddenInitTensor: Tensor, SequenceLengthsTensor: Tensor, OutputSequenceTensor: Tensor,
        OutputSingleTensor: Tensor, ActivationDescCount: u32, ActivationDescs: Operator, Direction: Enum,
        LinearBeforeReset: Bool,
    }
    DML_MAX_POOLING1_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, OutputIndicesTensor: Tensor, DimensionCount: u32, Strides: Uints,
        WindowSize: Uints, StartPadding: Uints, EndPadding: Uints,
    }
    DML_MAX_UNPOOLING_OPERATOR_DESC { InputTensor: Tensor, IndicesTensor: Tensor, OutputTensor: Tensor }
    DML_DIAGONAL_MATRIX_OPERATOR_DESC { OutputTensor: Tensor, Offset: i32, Value: f32 }
    DML_SCATTER_ELEMENTS_OPERATOR_DESC {
        InputTensor: Tensor, IndicesTensor: Tensor, UpdatesTensor: Tensor, OutputTensor: Tensor, Axis: u32,
    }
    DML_ONE_HOT_OPERATOR_DESC { IndicesTensor: Tensor, ValuesTensor: Tensor, OutputTensor: Tensor, Axis: u32 }
    DML_RESAMPLE_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, InterpolationMode: Enum, ScaleCount: u32, Scales: Floats,
    }
    DML_FILL_VALUE_CONSTANT_OPERATOR_DESC { OutputTensor: Tensor, ValueDataType: Enum, Value: Scalar }
    DML_FILL_VALUE_SEQUENCE_OPERATOR_DESC {
        OutputTensor: Tensor, ValueDataType: Enum, ValueStart: Scalar, ValueDelta: Scalar,
    }
    DML_CUMULATIVE_SUMMATION_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, Axis: u32, AxisDirection: Enum, HasExclusiveSum: Bool,
    }
    DML_REVERSE_SUBSEQUENCES_OPERATOR_DESC {
        InputTensor: Tensor, SequenceLengthsTensor: Tensor, OutputTensor: Tensor, Axis: u32,
    }
    DML_GATHER_ELEMENTS_OPERATOR_DESC { InputTensor: Tensor, IndicesTensor: Tensor, OutputTensor: Tensor, Axis: u32 }
    DML_GATHER_ND_OPERATOR_DESC {
        InputTensor: Tensor, IndicesTensor: Tensor, OutputTensor: Tensor, InputDimensionCount: u32,
        IndicesDimensionCount: u32,
    }
    DML_SCATTER_ND_OPERATOR_DESC {
        InputTensor: Tensor, IndicesTensor: Tensor, UpdatesTensor: Tensor, OutputTensor: Tensor,
        InputDimensionCount: u32, IndicesDimensionCount: u32,
    }
    DML_MAX_POOLING2_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, OutputIndicesTensor: Tensor, DimensionCount: u32, Strides: Uints,
        WindowSize: Uints, StartPadding: Uints, EndPadding: Uints, Dilations: Uints,
    }
    DML_SLICE1_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, DimensionCount: u32, InputWindowOffsets: Uints,
        InputWindowSizes: Uints, InputWindowStrides: Ints,
    }
    DML_TOP_K1_OPERATOR_DESC {
        InputTensor: Tensor, OutputValueTensor: Tensor, OutputIndexTensor: Tensor, Axis: u32, K: u32,
        AxisDirection: Enum,
    }
    DML_DEPTH_TO_SPACE1_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, BlockSize: u32, Order: Enum }
    DML_SPACE_TO_DEPTH1_OPERATOR_DESC { InputTensor: Tensor, OutputTensor: Tensor, BlockSize: u32, Order: Enum }
    DML_MEAN_VARIANCE_NORMALIZATION1_OPERATOR_DESC {
        InputTensor: Tensor, ScaleTensor: Tensor, BiasTensor: Tensor, OutputTensor: Tensor, AxisCount: u32, Axes: Uints,
        NormalizeVariance: Bool, Epsilon: f32, FusedActivation: Operator,
    }
    DML_RESAMPLE1_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, InterpolationMode: Enum, DimensionCount: u32, Scales: Floats,
        InputPixelOffsets: Floats, OutputPixelOffsets: Floats,
    }
    DML_MATRIX_MULTIPLY_INTEGER_OPERATOR_DESC {
        ATensor: Tensor, AZeroPointTensor: Tensor, BTensor: Tensor, BZeroPointTensor: Tensor, OutputTensor: Tensor,
    }
    DML_QUANTIZED_LINEAR_MATRIX_MULTIPLY_OPERATOR_DESC {
        ATensor: Tensor, AScaleTensor: Tensor, AZeroPointTensor: Tensor, BTensor: Tensor, BScaleTensor: Tensor,
        BZeroPointTensor: Tensor, OutputScaleTensor: Tensor, OutputZeroPointTensor: Tensor, OutputTensor: Tensor,
    }
    DML_CONVOLUTION_INTEGER_OPERATOR_DESC {
        InputTensor: Tensor, InputZeroPointTensor: Tensor, FilterTensor: Tensor, FilterZeroPointTensor: Tensor,
        OutputTensor: Tensor, DimensionCount: u32, Strides: Uints, Dilations: Uints, StartPadding: Uints,
        EndPadding: Uints, GroupCount: u32,
    }
    DML_QUANTIZED_LINEAR_CONVOLUTION_OPERATOR_DESC {
        InputTensor: Tensor, InputScaleTensor: Tensor, InputZeroPointTensor: Tensor, FilterTensor: Tensor,
        FilterScaleTensor: Tensor, FilterZeroPointTensor: Tensor, BiasTensor: Tensor, OutputScaleTensor: Tensor,
        OutputZeroPointTensor: Tensor, OutputTensor: Tensor, DimensionCount: u32, Strides: Uints, Dilations: Uints,
        StartPadding: Uints, EndPadding: Uints, GroupCount: u32,
    }
    DML_AVERAGE_POOLING_GRAD_OPERATOR_DESC {
        InputGradientTensor: Tensor, OutputGradientTensor: Tensor, DimensionCount: u32, Strides: Uints,
        WindowSize: Uints, StartPadding: Uints, EndPadding: Uints, IncludePadding: Bool,
    }
    DML_MAX_POOLING_GRAD_OPERATOR_DESC {
        InputTensor: Tensor, InputGradientTensor: Tensor, OutputGradientTensor: Tensor, DimensionCount: u32,
        Strides: Uints, WindowSize: Uints, StartPadding: Uints, EndPadding: Uints, Dilations: Uints,
    }
    DML_RANDOM_GENERATOR_OPERATOR_DESC {
        InputStateTensor: Tensor, OutputTensor: Tensor, OutputStateTensor: Tensor, Type: Enum,
    }
    DML_NONZERO_COORDINATES_OPERATOR_DESC {
        InputTensor: Tensor, OutputCountTensor: Tensor, OutputCoordinatesTensor: Tensor,
    }
    DML_RESAMPLE_GRAD_OPERATOR_DESC {
        InputGradientTensor: Tensor, OutputGradientTensor: Tensor, InterpolationMode: Enum, DimensionCount: u32,
        Scales: Floats, InputPixelOffsets: Floats, OutputPixelOffsets: Floats,
    }
    DML_SLICE_GRAD_OPERATOR_DESC {
        InputGradientTensor: Tensor, OutputGradientTensor: Tensor, DimensionCount: u32, InputWindowOffsets: Uints,
        InputWindowSizes: Uints, InputWindowStrides: Ints,
    }
    DML_ADAM_OPTIMIZER_OPERATOR_DESC {
        InputParametersTensor: Tensor, InputFirstMomentTensor: Tensor, InputSecondMomentTensor: Tensor,
        GradientTensor: Tensor, TrainingStepTensor: Tensor, OutputParametersTensor: Tensor,
        OutputFirstMomentTensor: Tensor, OutputSecondMomentTensor: Tensor, LearningRate: f32, Beta1: f32, Beta2: f32,
        Epsilon: f32,
    }
    DML_ARGMIN_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, AxisCount: u32, Axes: Uints, AxisDirection: Enum,
    }
    DML_ARGMAX_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, AxisCount: u32, Axes: Uints, AxisDirection: Enum,
    }
    DML_ROI_ALIGN_OPERATOR_DESC {
        InputTensor: Tensor, ROITensor: Tensor, BatchIndicesTensor: Tensor, OutputTensor: Tensor,
        ReductionFunction: Enum, InterpolationMode: Enum, SpatialScaleX: f32, SpatialScaleY: f32,
        OutOfBoundsInputValue: f32, MinimumSamplesPerOutput: u32, MaximumSamplesPerOutput: u32,
    }
    DML_GATHER_ND1_OPERATOR_DESC {
        InputTensor: Tensor, IndicesTensor: Tensor, OutputTensor: Tensor, InputDimensionCount: u32,
        IndicesDimensionCount: u32, BatchDimensionCount: u32,
    }
    DML_LOCAL_RESPONSE_NORMALIZATION_GRAD_OPERATOR_DESC {
        InputTensor: Tensor, InputGradientTensor: Tensor, OutputGradientTensor: Tensor, CrossChannel: Bool,
        LocalSize: u32, Alpha: f32, Beta: f32, Bias: f32,
    }
    DML_CUMULATIVE_PRODUCT_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, Axis: u32, AxisDirection: Enum, HasExclusiveProduct: Bool,
    }
    DML_BATCH_NORMALIZATION_GRAD_OPERATOR_DESC {
        InputTensor: Tensor, InputGradientTensor: Tensor, MeanTensor: Tensor, VarianceTensor: Tensor,
        ScaleTensor: Tensor, OutputGradientTensor: Tensor, OutputScaleGradientTensor: Tensor,
        OutputBiasGradientTensor: Tensor, Epsilon: f32,
    }
    DML_DYNAMIC_QUANTIZE_LINEAR_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, OutputScaleTensor: Tensor, OutputZeroPointTensor: Tensor,
    }
    DML_ROI_ALIGN1_OPERATOR_DESC {
        InputTensor: Tensor, ROITensor: Tensor, BatchIndicesTensor: Tensor, OutputTensor: Tensor,
        ReductionFunction: Enum, InterpolationMode: Enum, SpatialScaleX: f32, SpatialScaleY: f32, InputPixelOffset: f32,
        OutputPixelOffset: f32, OutOfBoundsInputValue: f32, MinimumSamplesPerOutput: u32, MaximumSamplesPerOutput: u32,
        AlignRegionsToCorners: Bool,
    }
    DML_ROI_ALIGN_GRAD_OPERATOR_DESC {
        InputTensor: Tensor, InputGradientTensor: Tensor, ROITensor: Tensor, BatchIndicesTensor: Tensor,
        OutputGradientTensor: Tensor, OutputROIGradientTensor: Tensor, ReductionFunction: Enum, InterpolationMode: Enum,
        SpatialScaleX: f32, SpatialScaleY: f32, InputPixelOffset: f32, OutputPixelOffset: f32,
        MinimumSamplesPerOutput: u32, MaximumSamplesPerOutput: u32, AlignRegionsToCorners: Bool,
    }
    DML_BATCH_NORMALIZATION_TRAINING_OPERATOR_DESC {
        InputTensor: Tensor, ScaleTensor: Tensor, BiasTensor: Tensor, FusedAddTensor: Tensor, OutputTensor: Tensor,
        OutputMeanTensor: Tensor, OutputVarianceTensor: Tensor, Epsilon: f32, FusedActivation: Operator,
    }
    DML_BATCH_NORMALIZATION_TRAINING_GRAD_OPERATOR_DESC {
        InputTensor: Tensor, InputGradientTensor: Tensor, MeanTensor: Tensor, VarianceTensor: Tensor,
        ScaleTensor: Tensor, OutputGradientTensor: Tensor, OutputScaleGradientTensor: Tensor,
        OutputBiasGradientTensor: Tensor, Epsilon: f32,
    }
    DML_PADDING1_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, PaddingMode: Enum, PaddingValueDataType: Enum, PaddingValue: Scalar,
        DimensionCount: u32, StartPadding: Uints, EndPadding: Uints,
    }
    DML_RESAMPLE2_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, InterpolationMode: Enum, RoundingDirection: Enum,
        DimensionCount: u32, Scales: Floats, InputPixelOffsets: Floats, OutputPixelOffsets: Floats,
    }
    DML_RESAMPLE_GRAD1_OPERATOR_DESC {
        InputGradientTensor: Tensor, OutputGradientTensor: Tensor, InterpolationMode: Enum, RoundingDirection: Enum,
        DimensionCount: u32, Scales: Floats, InputPixelOffsets: Floats, OutputPixelOffsets: Floats,
    }
    DML_DIAGONAL_MATRIX1_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, ValueDataType: Enum, Value: Scalar, DiagonalFillBegin: i32,
        DiagonalFillEnd: i32,
    }
    DML_MULTIHEAD_ATTENTION_OPERATOR_DESC {
        QueryTensor: Tensor, KeyTensor: Tensor, ValueTensor: Tensor, StackedQueryKeyTensor: Tensor,
        StackedKeyValueTensor: Tensor, StackedQueryKeyValueTensor: Tensor, BiasTensor: Tensor, MaskTensor: Tensor,
        RelativePositionBiasTensor: Tensor, PastKeyTensor: Tensor, PastValueTensor: Tensor, OutputTensor: Tensor,
        OutputPresentKeyTensor: Tensor, OutputPresentValueTensor: Tensor, Scale: f32, MaskFilterValue: f32,
        HeadCount: u32, MaskType: Enum,
    }
    DML_LP_POOLING1_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, DimensionCount: u32, Strides: Uints, WindowSize: Uints,
        StartPadding: Uints, EndPadding: Uints, Dilations: Uints, P: u32,
    }
    DML_AVERAGE_POOLING1_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, DimensionCount: u32, Strides: Uints, WindowSize: Uints,
        StartPadding: Uints, EndPadding: Uints, Dilations: Uints, IncludePadding: Bool,
    }
    DML_QUANTIZED_LINEAR_AVERAGE_POOLING_OPERATOR_DESC {
        InputTensor: Tensor, InputScaleTensor: Tensor, InputZeroPointTensor: Tensor, OutputScaleTensor: Tensor,
        OutputZeroPointTensor: Tensor, OutputTensor: Tensor, DimensionCount: u32, Strides: Uints, WindowSize: Uints,
        StartPadding: Uints, EndPadding: Uints, Dilations: Uints, IncludePadding: Bool,
    }
    DML_MATRIX_MULTIPLY_INTEGER_TO_FLOAT_OPERATOR_DESC {
        ATensor: Tensor, AScaleTensor: Tensor, AZeroPointTensor: Tensor, BTensor: Tensor, BScaleTensor: Tensor,
        BZeroPointTensor: Tensor, BiasTensor: Tensor, OutputTensor: Tensor,
    }
    DML_MEAN_VARIANCE_NORMALIZATION2_OPERATOR_DESC {
        InputTensor: Tensor, ScaleTensor: Tensor, BiasTensor: Tensor, OutputTensor: Tensor, AxisCount: u32, Axes: Uints,
        UseMean: Bool, UseVariance: Bool, Epsilon: f32, FusedActivation: Operator,
    }
    DML_MULTIHEAD_ATTENTION1_OPERATOR_DESC {
        QueryTensor: Tensor, KeyTensor: Tensor, ValueTensor: Tensor, StackedQueryKeyTensor: Tensor,
        StackedKeyValueTensor: Tensor, StackedQueryKeyValueTensor: Tensor, BiasTensor: Tensor, MaskTensor: Tensor,
        RelativePositionBiasTensor: Tensor, PastKeyTensor: Tensor, PastValueTensor: Tensor,
        PastSequenceLengthsTensor: Tensor, OutputTensor: Tensor, OutputPresentKeyTensor: Tensor,
        OutputPresentValueTensor: Tensor, Scale: f32, MaskFilterValue: f32, QueryHeadCount: u32, KeyValueHeadCount: u32,
        MaskType: Enum,
    }
    DML_QUANTIZE_OPERATOR_DESC {
        InputTensor: Tensor, QuantizationType: Enum, QuantizationTensorCount: u32, QuantizationTensors: Tensor,
        OutputTensor: Tensor,
    }
    DML_DEQUANTIZE_OPERATOR_DESC {
        InputTensor: Tensor, QuantizationType: Enum, QuantizationTensorCount: u32, QuantizationTensors: Tensor,
        OutputTensor: Tensor,
    }
    DML_RESAMPLE3_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, InterpolationMode: Enum, RoundingDirection: Enum,
        DimensionCount: u32, Scales: Floats, InputPixelOffsets: Floats, OutputPixelOffsets: Floats, Antialiased: Bool,
    }
    DML_FOLD_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, DimensionCount: u32, WindowSizes: Uints, Strides: Uints,
        Dilations: Uints, StartPadding: Uints, EndPadding: Uints,
    }
    DML_UNFOLD_OPERATOR_DESC {
        InputTensor: Tensor, OutputTensor: Tensor, DimensionCount: u32, WindowSizes: Uints, Strides: Uints,
        Dilations: Uints, StartPadding: Uints, EndPadding: Uints,
    }
}

//! Tools that read a model: those that make another one of it, and those that say something about it. One program runs
//! all of them (`python/rewriters.py`).

use super::settings::Settings;
use super::{Adapter, Packages, WORKER, files};

/// What a tool does with a model, and so, how its answer is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// It makes another model, which has to compute the same.
    Rewrites,
    /// It makes another model that goes on in a narrower type, so that its values say nothing.
    Narrows,
    /// It adds the types and shapes that it infers, which have to be those of the values.
    Infers,
    /// It gives the same model back if it is valid, and refuses it otherwise.
    Checks,
}

/// A tool that reads models.
pub struct Rewriter {
    /// The program that runs the tool. It speaks the worker protocol: the input of a request is a tensor of uint8 with the
    /// bytes of a model, and so is its output.
    pub adapter: Adapter,
    /// What the tool can leave out with the setting `disable=A+B`. Empty if that cannot be said.
    pub passes: &'static [&'static str],
    /// What it does.
    pub task: Task,
    /// The settings with which the tool has these passes; `None` if it has them without settings.
    pub settings_of_passes: Option<&'static str>,
}

/// The program that runs a command line. Its arguments are the base of the backend's name and the words of that line.
pub const COMMAND: Adapter = Adapter {
    name: "rewriter:command",
    about: "a command that reads a model from a file and writes another one",
    files: FILES,
    packages: Packages::UsersPython,
    settings: Settings::Rewriter(&[]),
};

const FILES: &[super::File] = &[files::REWRITERS, WORKER];

/// The package onnx that is installed for tools that do not name a version of it.
const ONNX: &[&str] = &["onnx<=1.23.2", "numpy<=2.4.6"];
const ONNX_AND_SYMPY: &[&str] = &["onnx<=1.23.2", "numpy<=2.4.6", "sympy<=1.14.0"];
const ONNX_AND_RUNTIME: &[&str] = &["onnx<=1.23.2", "onnxruntime<=1.32.0", "numpy<=2.4.6"];

/// The passes that onnxoptimizer runs unless it is told which.
const ONNXOPTIMIZER: &[&str] = &[
    "eliminate_nop_cast",
    "eliminate_nop_dropout",
    "eliminate_nop_flatten",
    "extract_constant_to_initializer",
    "eliminate_consecutive_idempotent_ops",
    "eliminate_if_with_const_cond",
    "eliminate_nop_monotone_argmax",
    "eliminate_nop_pad",
    "eliminate_nop_concat",
    "eliminate_nop_split",
    "eliminate_nop_expand",
    "eliminate_shape_gather",
    "eliminate_slice_after_shape",
    "eliminate_nop_transpose",
    "fuse_add_bias_into_conv",
    "fuse_bn_into_conv",
    "fuse_consecutive_concats",
    "fuse_consecutive_log_softmax",
    "fuse_consecutive_reduce_unsqueeze",
    "fuse_consecutive_squeezes",
    "fuse_consecutive_transposes",
    "fuse_matmul_add_bias_into_gemm",
    "fuse_pad_into_conv",
    "fuse_pad_into_pool",
    "fuse_transpose_into_gemm",
    "fuse_concat_into_reshape",
    "eliminate_nop_reshape",
    "eliminate_nop_with_unit",
    "eliminate_common_subexpression",
    "fuse_qkv",
    "fuse_consecutive_unsqueezes",
    "eliminate_deadend",
    "eliminate_identity",
    "eliminate_shape_op",
    "fuse_consecutive_slices",
    "eliminate_unused_initializer",
    "eliminate_duplicate_initializer",
    "rewrite_where",
];

/// What onnxsim does: it folds constants, and has its own copy of onnxoptimizer.
const ONNXSIM: &[&str] = &[
    "constant_folding",
    "eliminate_nop_cast",
    "eliminate_nop_dropout",
    "eliminate_nop_flatten",
    "extract_constant_to_initializer",
    "eliminate_consecutive_idempotent_ops",
    "eliminate_if_with_const_cond",
    "eliminate_nop_monotone_argmax",
    "eliminate_nop_pad",
    "eliminate_nop_concat",
    "eliminate_nop_split",
    "eliminate_nop_expand",
    "eliminate_shape_gather",
    "eliminate_slice_after_shape",
    "eliminate_nop_transpose",
    "fuse_add_bias_into_conv",
    "fuse_bn_into_conv",
    "fuse_consecutive_concats",
    "fuse_consecutive_log_softmax",
    "fuse_consecutive_reduce_unsqueeze",
    "fuse_consecutive_squeezes",
    "fuse_consecutive_squeeze_unsqueeze",
    "fuse_consecutive_transposes",
    "fuse_matmul_add_bias_into_gemm",
    "fuse_pad_into_conv",
    "fuse_pad_into_pool",
    "fuse_transpose_into_gemm",
    "fuse_concat_into_reshape",
    "eliminate_nop_reshape",
    "eliminate_nop_with_unit",
    "eliminate_common_subexpression",
    "fuse_qkv",
    "fuse_consecutive_unsqueezes",
    "eliminate_deadend",
    "eliminate_identity",
    "eliminate_shape_op",
    "fuse_consecutive_slices",
    "eliminate_unused_initializer",
    "eliminate_duplicate_initializer",
    "rewrite_where",
];

/// The steps of onnxslim, and the patterns of its step `graph_fusion`.
const ONNXSLIM: &[&str] = &[
    "constant_folding",
    "dead_node_elimination",
    "subexpression_elimination",
    "weight_tying",
    "EliminationConcat",
    "EliminationReshape",
    "EliminationReshapeAs",
    "EliminationSlice",
    "EliminationTranspose",
    "EliminationTransposeViewTranspose",
    "EliminationUnsqueeze",
    "EliminationTransposeAsReshape",
    "FusionConcatReshape",
    "FusionConvAdd",
    "FusionConvTransposeAdd",
    "FusionConvBN",
    "FusionConvTransposeBN",
    "FusionConvMul",
    "FusionConvTransposeMul",
    "FusionGemm",
    "FusionGemmMul",
    "FusionGemmAdd",
    "FusionPadConv",
    "FusionReduce",
];

/// The steps of the version converter, from one opset to the next, in the order in which a step that is left out hides the
/// fewest others: without it, no model of an opset beyond it is made.
const VERSION_CONVERTER: &[&str] = &[
    "27-28", "26-27", "25-26", "24-25", "23-24", "22-23", "21-22", "20-21", "19-20", "18-19", "17-18", "16-17",
    "15-16", "14-15", "13-14", "12-13", "11-12", "10-11", "9-10", "8-9", "7-8", "6-7", "5-6", "4-5", "3-4", "2-3",
    "1-2", "2-1", "3-2", "4-3", "5-4", "6-5", "7-6", "8-7", "9-8", "10-9", "11-10", "12-11", "13-12", "14-13", "15-14",
    "16-15", "17-16", "18-17", "19-18", "20-19", "21-20", "22-21", "23-22", "24-23", "25-24", "26-25", "27-26",
    "28-27",
];

const fn rewriter(
    name: &'static str,
    about: &'static str,
    (runtime, default_version, others): (&'static str, &'static str, &'static [&'static str]),
    settings: &'static [&'static str],
    passes: &'static [&'static str],
) -> Rewriter {
    let packages = Packages::Pip { runtime, default_version, others };
    Rewriter {
        adapter: Adapter { name, about, files: FILES, packages, settings: Settings::Rewriter(settings) },
        passes,
        task: Task::Rewrites,
        settings_of_passes: None,
    }
}

const fn tool(
    name: &'static str,
    about: &'static str,
    packages: (&'static str, &'static str, &'static [&'static str]),
    settings: &'static [&'static str],
    task: Task,
) -> Rewriter {
    Rewriter { task, ..rewriter(name, about, packages, settings, &[]) }
}

/// ONNX's own tools and those that do the same, in the order in which messages list them.
pub const TOOLS: &[Rewriter] = &[
    tool(
        "tool:shape-inference",
        "ONNX's shape inference, which is strict and propagates data unless strict=off or data-propagation=off",
        ("onnx", "1.23.2", &["numpy<=2.4.6"]),
        &["strict", "data-propagation", "coverage"],
        Task::Infers,
    ),
    tool(
        "tool:symbolic-shape-inference",
        "the symbolic shape inference of ONNX Runtime's Python tools",
        ("onnxruntime", "1.32.0", &["onnx<=1.23.2", "sympy<=1.14.0", "numpy<=2.4.6"]),
        &["coverage"],
        Task::Infers,
    ),
    tool(
        "tool:onnx-shape-inference",
        "the package onnx-shape-inference, which is written in Python for ONNX IR",
        ("onnx-shape-inference", "0.4.0", &["onnx<=1.23.2", "numpy<=2.4.6"]),
        &["coverage"],
        Task::Infers,
    ),
    tool(
        "tool:checker",
        "ONNX's checker, with its shape inference unless full=off",
        ("onnx", "1.23.2", &["numpy<=2.4.6"]),
        &["full"],
        Task::Checks,
    ),
    tool(
        "tool:function-bodies",
        "the function that ONNX defines for an operator, in the place of each node that has one",
        ("onnx", "1.23.2", &["numpy<=2.4.6"]),
        &["inline"],
        Task::Rewrites,
    ),
];

/// All rewriters, in the order in which messages list them.
pub const REWRITERS: &[Rewriter] = &[
    rewriter(
        "rewriter:onnxoptimizer",
        "onnxoptimizer, with its usual passes or with one (pass=NAME)",
        ("onnxoptimizer", "0.4.2", ONNX),
        &["pass", "disable", "optimization"],
        ONNXOPTIMIZER,
    ),
    rewriter(
        "rewriter:onnxsim",
        "ONNX Simplifier",
        ("onnxsim", "0.8.1", ONNX_AND_RUNTIME),
        &["disable", "optimization"],
        ONNXSIM,
    ),
    rewriter("rewriter:onnxslim", "OnnxSlim", ("onnxslim", "0.1.98", ONNX), &["disable", "optimization"], ONNXSLIM),
    rewriter("rewriter:onnxscript-optimizer", "the optimizer of ONNX Script", ("onnxscript", "0.7.2", ONNX), &[], &[]),
    rewriter(
        "rewriter:onnxscript-rewriter",
        "the rewrite rules of ONNX Script",
        ("onnxscript", "0.7.2", ONNX),
        &[],
        &[],
    ),
    Rewriter {
        settings_of_passes: Some("to=all"),
        ..rewriter(
            "rewriter:version-converter",
            "ONNX's version converter, to the newest opset, another (to=N) or all (to=all)",
            ("onnx", "1.23.2", &["numpy<=2.4.6"]),
            &["to", "disable", "optimization"],
            VERSION_CONVERTER,
        )
    },
    rewriter(
        "rewriter:ort-saved",
        "the model that ONNX Runtime saves after its optimizations (level=basic, extended or all)",
        ("onnxruntime", "1.31.1", ONNX),
        &["level"],
        &[],
    ),
    Rewriter {
        task: Task::Narrows,
        ..rewriter(
            "rewriter:ort-float16",
            "ONNX Runtime's conversion of models to float16, with inputs and outputs of float",
            ("onnxruntime", "1.31.1", ONNX_AND_SYMPY),
            &[],
            &[],
        )
    },
    Rewriter {
        task: Task::Narrows,
        ..rewriter(
            "rewriter:ort-quantizer",
            "ONNX Runtime's dynamic quantization of models",
            ("onnxruntime", "1.31.1", ONNX_AND_SYMPY),
            &[],
            &[],
        )
    },
];

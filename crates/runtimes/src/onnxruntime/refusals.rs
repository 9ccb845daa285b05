//! Converts an error of ONNX Runtime to a refusal.
//!
//! The code of an error tells little: ONNX Runtime reports a missing kernel with the code for a missing implementation,
//! with that for a failed assertion, or as an invalid model. Where only the wording tells them apart, [`WORDINGS`] has
//! it, with the reason why it means what it is said to mean.

use ort::ErrorCode;
use plumbline_backend::RefusalKind;

use super::status::Error;
use crate::Refusal;

/// A wording by which ONNX Runtime says something that the code of the error does not.
struct Wording {
    /// Parts of the message, in lower case. It has all of them, in this order.
    parts: &'static [&'static str],
    /// What the message means.
    kind: RefusalKind,
    /// Why it means this. Tests print it.
    #[cfg_attr(not(test), expect(dead_code, reason = "the table explains itself; only tests read this"))]
    reason: &'static str,
}

/// Something that ONNX Runtime, or the provider, does not have.
const fn missing(parts: &'static [&'static str], reason: &'static str) -> Wording {
    Wording { parts, kind: RefusalKind::Unsupported, reason }
}

/// A message that the GPU is lost, by its error code in Windows.
const fn lost(parts: &'static [&'static str]) -> Wording {
    let reason = "the GPU was removed, hung, was reset, or failed internally";
    Wording { parts, kind: RefusalKind::DeviceLost, reason }
}

/// A message that the model or its inputs violate the specification. It decides only if the code says nothing about the
/// model.
const fn fault(parts: &'static [&'static str], reason: &'static str) -> Wording {
    Wording { parts, kind: RefusalKind::Invalid, reason }
}

/// Something that a kernel says that it does not do, although there is a kernel for the operator and its types.
const fn limit(parts: &'static [&'static str], reason: &'static str) -> Wording {
    Wording { parts, kind: RefusalKind::Limit, reason }
}

/// The wordings, the first of which decides.
const WORDINGS: [Wording; 26] = [
    lost(&["887a0005"]),
    lost(&["887a0006"]),
    lost(&["887a0007"]),
    lost(&["887a0020"]),
    missing(
        &["nodes that are assigned to the default cpu ep, but fallback to cpu ep has been explicitly disabled"],
        "the provider did not take a node, and the CPU provider must not",
    ),
    missing(
        &["isnodecompatiblewithprovider", "provider type for ", " is not set"],
        "no provider took the node: the selected one has no kernel for it, nor has the CPU provider, so that the check of \
         copies between devices finds a node without a provider",
    ),
    missing(
        &["invalid model. in node, (\"insertedprecisionfreecast_", ", cast, ", "mismatched attribute type"],
        "there is no kernel for the 16-bit type, so that ONNX Runtime puts Casts to float around the node; below opset 6, \
         the attribute `to` of Cast is a string, and ONNX Runtime refuses its own Cast",
    ),
    missing(&["requires f16 but the device does not support it"], "WebGPU on a device without the feature shader-f16"),
    missing(&["is not a registered function/op"], "the library does not know the operator"),
    missing(&["no op registered for"], "the library does not know the operator or its version"),
    missing(&["is not currently registered or supported"], "the library does not know the element type"),
    missing(&["failed to load model with error: tensor type "], "the library does not know the element type"),
    missing(
        &["failed to load model with error: invalid tensor data type "],
        "the library does not know the element type of an initializer",
    ),
    missing(
        &["inferencecontextimpl::getinputdata", "9 : not_implemented"],
        "the library does not know the element type of a constant that shape inference reads",
    ),
    missing(
        &["type inference failed, inferred types: index="],
        "the function has an operator that the library does not know, so that an output may have any type",
    ),
    missing(&["operator does not support double yet"], "LSTM and GRU are registered for double, and have only float"),
    limit(&["not supported"], "a kernel's check"),
    limit(&["not currently supported"], "a kernel's check"),
    limit(&["unsupported"], "a kernel's check"),
    limit(&["does not support"], "a kernel's check"),
    limit(&["do not support"], "a kernel's check"),
    limit(&["only support"], "a kernel's check, of a form or of values: only supports, only supported for"),
    limit(&["only ", "supported"], "a kernel's check that lists what it takes: only ... are supported"),
    fault(&["type error:"], "types that do not fit together, found when the model is loaded"),
    fault(&["[shapeinferenceerror]"], "shapes that do not fit together, found by shape inference"),
    fault(&["[typeinferenceerror]"], "types that do not fit together, found by type inference"),
];

impl Wording {
    fn is_in(&self, lower_case: &str) -> bool {
        let mut rest = Some(lower_case);
        for part in self.parts {
            rest = rest.and_then(|rest| rest.split_once(part)).map(|(_, after)| after);
        }
        rest.is_some()
    }
}

/// Converts an error to a refusal. A wording of the table decides its kind, and otherwise the code does. A message that
/// something is "not supported" is a limit, and not `unsupported`, unless the code is that for a missing implementation:
/// ONNX Runtime may have the operator, and refuse one value of an attribute.
pub(super) fn refusal(error: Error) -> Refusal {
    classify(error.code(), error.message())
}

/// Converts the code and the message of an error, as [`refusal`] says.
fn classify(code: ErrorCode, message: &str) -> Refusal {
    let message = message.trim().to_owned();
    let lower_case = message.to_lowercase();
    let by_code = match code {
        ErrorCode::NotImplemented => Some(RefusalKind::Unsupported),
        ErrorCode::InvalidGraph | ErrorCode::InvalidArgument | ErrorCode::InvalidProtobuf | ErrorCode::NoModel => {
            Some(RefusalKind::Invalid)
        }
        _ => None,
    };
    let is_open = |kind: RefusalKind| match kind {
        RefusalKind::Limit => by_code != Some(RefusalKind::Unsupported),
        RefusalKind::Invalid => by_code.is_none(),
        _ => true,
    };
    let by_wording = WORDINGS.iter().find(|w| is_open(w.kind) && w.is_in(&lower_case)).map(|wording| wording.kind);
    let kind = by_wording.or(by_code).unwrap_or(RefusalKind::Failed);
    Refusal { kind, ..Refusal::failed(message) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message of ONNX Runtime 1.24 to 1.32 for each wording, in the order of the table.
    const MESSAGES: [(ErrorCode, &str); 26] = [
        (ErrorCode::GenericFailure, "DmlExecutionProvider: 887A0005 The GPU device instance has been suspended."),
        (ErrorCode::GenericFailure, "DmlExecutionProvider: 887A0006 The GPU will not respond to more commands."),
        (ErrorCode::GenericFailure, "DmlExecutionProvider: 887A0007 The GPU will not respond to more commands."),
        (ErrorCode::GenericFailure, "DmlExecutionProvider: 887A0020 The driver encountered an internal error."),
        (
            ErrorCode::GenericFailure,
            "This session contains graph nodes that are assigned to the default CPU EP, but fallback to CPU EP has been \
             explicitly disabled by the user.",
        ),
        (
            ErrorCode::RuntimeException,
            "Exception during initialization: /onnxruntime_src/onnxruntime/core/optimizer/transformer_memcpy.cc:253 bool \
             onnxruntime::TransformerMemcpyImpl::IsNodeCompatibleWithProvider(const onnxruntime::Node&) const \
             !node_provider_type.empty() was false. Provider type for QLinearConv node with name '' is not set.",
        ),
        (
            ErrorCode::InvalidGraph,
            "This is an invalid model. In Node, (\"InsertedPrecisionFreeCast_X\", Cast, \"\", -1) : (\"X\": \
             tensor(float16),) -> (\"InsertedPrecisionFreeCast_X\": tensor(float),) , Error Mismatched attribute type \
             in 'InsertedPrecisionFreeCast_X : to'. Expected: 'STRING', actual: 'INT'",
        ),
        (ErrorCode::GenericFailure, "Program Relu requires f16 but the device does not support it."),
        (ErrorCode::GenericFailure, "Fatal error: NoSuchOperator(-1) is not a registered function/op"),
        (ErrorCode::InvalidGraph, "Error No Op registered for Attention with domain_version of 23"),
        (ErrorCode::GenericFailure, "Type 'tensor(float6e2m3)' is not currently registered or supported"),
        (ErrorCode::GenericFailure, "Failed to load model with error: tensor type 24 is not supported"),
        (ErrorCode::GenericFailure, "Failed to load model with error: invalid tensor data type 25"),
        (
            ErrorCode::GenericFailure,
            "Node () Op (Part) onnxruntime/core/graph/graph.cc:2828 virtual const onnx::TensorProto* \
             onnxruntime::InferenceContextImpl::getInputData(size_t) const [ONNXRuntimeError] : 9 : NOT_IMPLEMENTED :",
        ),
        (
            ErrorCode::GenericFailure,
            "Node () Op (Part) output arg (y_1) type inference failed, inferred types: index=1,seq(tensor(float)),tensor(int8)",
        ),
        (ErrorCode::GenericFailure, "Status Message: LSTM operator does not support double yet"),
        (ErrorCode::InvalidArgument, "Status Message: Dilation not supported for AutoPadType::SAME_UPPER."),
        (ErrorCode::GenericFailure, "Updating cos_cache and sin_cache in RotaryEmbedding is not currently supported"),
        (ErrorCode::RuntimeException, "Unsupported value attribute datatype: 17"),
        (ErrorCode::GenericFailure, "The kernel does not support this mode."),
        (ErrorCode::GenericFailure, "Currently do not support dims higher than 2 dimensions"),
        (ErrorCode::GenericFailure, "saturate_=False is only supported for float and float16."),
        (
            ErrorCode::RuntimeException,
            "is_2D || is_3D was false. Only bilinear/trilinear modes are supported in Resize",
        ),
        (
            ErrorCode::GenericFailure,
            "Type Error: Type parameter (T) of Optype (Add) bound to different types (tensor(float) and tensor(int32) in \
             node ().",
        ),
        (ErrorCode::GenericFailure, "Node () Op (Pad) [ShapeInferenceError] ParseData type mismatch for tensor: axes."),
        (ErrorCode::GenericFailure, "Node () Op (If) [TypeInferenceError] Graph attribute inferencing failed"),
    ];

    #[test]
    fn each_wording_is_found_in_a_message_and_decides_it() {
        for (at, (wording, (code, message))) in WORDINGS.iter().zip(MESSAGES).enumerate() {
            assert!(!wording.reason.is_empty() && wording.parts.iter().all(|part| *part == part.to_lowercase()));
            let lower_case = message.to_lowercase();
            assert_eq!(WORDINGS.iter().position(|w| w.is_in(&lower_case)), Some(at), "{}: {message}", wording.reason);
            assert_eq!(classify(code, message).kind, wording.kind, "{}: {message}", wording.reason);
        }
    }

    #[test]
    fn without_a_wording_the_code_decides() {
        for (code, kind) in [
            (ErrorCode::NotImplemented, RefusalKind::Unsupported),
            (ErrorCode::InvalidArgument, RefusalKind::Invalid),
            (ErrorCode::GenericFailure, RefusalKind::Failed),
        ] {
            assert_eq!(classify(code, "the kernel failed").kind, kind);
        }
        // A Cast of the user's, and not one that ONNX Runtime has put in.
        let cast = "This is an invalid model. In Node, (\"c\", Cast, \"\", -1) : (\"X\": tensor(float16),) -> (\"Y\": \
                    tensor(float),) , Error Mismatched attribute type in 'c : to'. Expected: 'STRING', actual: 'INT'";
        assert_eq!(classify(ErrorCode::InvalidGraph, cast).kind, RefusalKind::Invalid);
    }
}

"""ONNX's own reference evaluator as a backend; needs the packages onnx and numpy.

cargo xtask conformance --backend "process:python3 examples/process_backend/onnx_reference.py"

With `--check` it looks at each model with ONNX's checker first, as many runtimes do, and refuses what the checker refuses.
"""

import sys

import onnx
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator
from plumbline_worker import Refusal, serve

# What a value is, by its type: its message, and how numpy's form of it is read and written.
FORMS = {
    "tensor": (onnx.TensorProto, numpy_helper.to_array, numpy_helper.from_array),
    "seq": (onnx.SequenceProto, numpy_helper.to_list, numpy_helper.from_list),
    "optional": (onnx.OptionalProto, numpy_helper.to_optional, numpy_helper.from_optional),
}


def form(kind):
    outer = kind.split("(")[0]
    if outer not in FORMS:
        raise Refusal("unsupported", f"values of type {kind}")
    return FORMS[outer]


def type_text(proto):
    """ONNX's spelling of a type."""
    outer = proto.WhichOneof("value")
    if outer == "tensor_type":
        name = onnx.TensorProto.DataType.Name(proto.tensor_type.elem_type).lower()
        return f"tensor({name})"
    if outer in ("sequence_type", "optional_type"):
        inner = type_text(getattr(proto, outer).elem_type)
        return f"{'seq' if outer == 'sequence_type' else 'optional'}({inner})"
    raise Refusal("unsupported", f"values of {outer}")


def load(model):
    model = onnx.load_model_from_string(model)
    if "--check" in sys.argv:
        try:
            onnx.checker.check_model(model, full_check=True)
        except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
            raise Refusal("invalid", str(error)) from None
    initialized = {tensor.name for tensor in model.graph.initializer}
    names = [value.name for value in model.graph.input if value.name not in initialized]
    kinds = [type_text(value.type) for value in model.graph.output]
    try:
        evaluator = ReferenceEvaluator(model)
    except NotImplementedError as error:
        raise Refusal("unsupported", str(error)) from None
    except Exception as error:
        raise Refusal("failed", f"{type(error).__name__}: {error}") from None

    def run(inputs):
        arrays = [form(kind)[1](form(kind)[0].FromString(content)) for kind, content in inputs]
        try:
            outputs = evaluator.run(None, dict(zip(names, arrays)))
        except NotImplementedError as error:
            raise Refusal("unsupported", str(error)) from None
        except Exception as error:
            raise Refusal("failed", f"{type(error).__name__}: {error}") from None
        return [(kind, form(kind)[2](output).SerializeToString()) for kind, output in zip(kinds, outputs)]

    return run


serve("onnx-reference", onnx.__version__, load=load)

"""A backend for Plumbline. Replace ONNX's reference evaluator by your runtime, in `load` and `run`.

Needs the packages onnx and numpy: pip install onnx
"""

import onnx
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator
from plumbline_worker import Refusal, serve


def load(model):
    """Prepares a model, given as the bytes of a ModelProto. Returns a function of the inputs that returns the outputs."""
    model = onnx.load_model_from_string(model)
    initialized = {tensor.name for tensor in model.graph.initializer}
    names = [value.name for value in model.graph.input if value.name not in initialized]
    try:
        session = ReferenceEvaluator(model)
    except NotImplementedError as error:
        # What a runtime does not have is unsupported, which is no failure.
        raise Refusal("unsupported", str(error)) from None
    except Exception as error:
        raise Refusal("failed", f"{type(error).__name__}: {error}") from None

    def run(inputs):
        feeds = {name: array(*value) for name, value in zip(names, inputs)}
        try:
            outputs = session.run(None, feeds)
        except NotImplementedError as error:
            raise Refusal("unsupported", str(error)) from None
        except Exception as error:
            raise Refusal("failed", f"{type(error).__name__}: {error}") from None
        return [value(output) for output in outputs]

    return run


def array(kind, content):
    """Returns an input as an array. `kind` is its type as ONNX spells it, such as tensor(float)."""
    if not kind.startswith("tensor("):
        raise Refusal("unsupported", f"values of type {kind}")
    return numpy_helper.to_array(onnx.TensorProto.FromString(content))


def value(output):
    """Returns an output as a pair: its type, and the bytes of a TensorProto."""
    if isinstance(output, (list, dict)) or output is None:
        raise Refusal("unsupported", "outputs that are no tensors")
    tensor = numpy_helper.from_array(output)
    kind = onnx.TensorProto.DataType.Name(tensor.data_type).lower()
    return f"tensor({kind})", tensor.SerializeToString()


serve("my-backend", "0.1.0", load=load)

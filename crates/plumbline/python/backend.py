"""A backend for Plumbline. Replace ONNX's reference evaluator by your runtime, in `load` and `run`.

Needs the packages onnx and numpy: pip install onnx
"""

import onnx
from onnx.reference import ReferenceEvaluator
from plumbline_onnx import Model, plain, read_value, write_value
from plumbline_worker import Refusal, serve


def refusal(error):
    """What a runtime does not have is unsupported, which is no failure."""
    # The reference evaluator raises a plain RuntimeError for a version of an operator that it does not have.
    is_missing = isinstance(error, NotImplementedError) or "No implementation for operator" in str(error)
    return Refusal("unsupported" if is_missing else "failed", f"{type(error).__name__}: {error}")


def load(content):
    """Prepares a model, given as the bytes of a ModelProto. Returns a function of the inputs that returns the outputs."""
    graph = Model(content)
    names = [name for name, _ in graph.inputs]
    try:
        session = ReferenceEvaluator(onnx.load_model_from_string(content))
    except Exception as error:
        raise refusal(error) from None

    def run(inputs):
        feeds = {name: plain(read_value(*value)) for name, value in zip(names, inputs)}
        try:
            outputs = session.run(None, feeds)
        except Exception as error:
            raise refusal(error) from None
        return [write_value(output, kind) for output, (_, kind) in zip(outputs, graph.outputs)]

    return run


# What the backend does not do can also be declared: profile={"max_opset": 21} (docs/worker-protocol.md, Profile).
serve("my-backend", "0.1.0", load=load)

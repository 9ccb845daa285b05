"""ONNX's own reference evaluator as a backend; needs the packages onnx and numpy.

cargo xtask conformance --backend "process:python3 examples/process_backend/onnx_reference.py"

With `--check` it looks at each model with ONNX's checker first, as many runtimes do, and refuses what the checker refuses.
"""

import pathlib
import sys

import onnx
from onnx.reference import ReferenceEvaluator

# The two modules are in the folder `python` of the repository. A copy of this file needs them in its own folder:
# `plumbline init` writes them.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "python"))

from plumbline_onnx import Model, plain, read_value, write_value  # noqa: E402
from plumbline_worker import Refusal, serve  # noqa: E402


def refusal(error):
    """What a runtime does not have is unsupported, which is no failure."""
    # The reference evaluator raises a plain RuntimeError for a version of an operator that it does not have.
    is_missing = isinstance(error, NotImplementedError) or "No implementation for operator" in str(error)
    return Refusal("unsupported" if is_missing else "failed", f"{type(error).__name__}: {error}")


def load(content):
    graph = Model(content)
    model = onnx.load_model_from_string(content)
    if "--check" in sys.argv:
        try:
            onnx.checker.check_model(model, full_check=True)
        except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
            raise Refusal("invalid", str(error)) from None
    names = [name for name, _ in graph.inputs]
    try:
        evaluator = ReferenceEvaluator(model)
    except Exception as error:
        raise refusal(error) from None

    def run(inputs):
        arrays = [plain(read_value(*value)) for value in inputs]
        try:
            outputs = evaluator.run(None, dict(zip(names, arrays)))
        except Exception as error:
            raise refusal(error) from None
        return [write_value(output, kind) for output, (_, kind) in zip(outputs, graph.outputs)]

    return run


serve("onnx-reference", onnx.__version__, load=load)

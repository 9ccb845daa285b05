"""ONNX's own reference evaluator as a backend: onnx.reference.ReferenceEvaluator of the package onnx.

With `--check on` it asks ONNX's checker first, as many runtimes do, and refuses what the checker refuses. The evaluator
itself checks no model.
"""

import argparse

from plumbline_worker import Refusal, claim_stdout, fail_to_start, serve

claim_stdout()  # before the imports, which may print
parser = argparse.ArgumentParser()
parser.add_argument("--check", default="off", choices=["on", "off"])
arguments = parser.parse_args()

try:
    import onnx
    from onnx.reference import ReferenceEvaluator
    from plumbline_onnx import Model, plain, read_value, release, write_value
except ImportError as error:
    fail_to_start(str(error))


# What the evaluator says where it does not have an operator, a version, a type or a form of an operator. Few of these
# exceptions are of the class NotImplementedError.
MISSING = ("no implementation for operator", "no registered implementation",
           "no implementation was found", "not implemented", "does not support",
           "ceil_mode is not supported", "scan outputs is not supported")  # fmt: skip


def refusal(error):
    """What a runtime does not have is unsupported, which is no failure."""
    is_missing = isinstance(error, NotImplementedError)
    # It raises a TypeError in the place of some exceptions, which say more.
    while "Issues with types" in str(error) and error.__cause__ is not None:
        error = error.__cause__
    is_missing |= any(words in str(error).lower() for words in MISSING)
    return Refusal("unsupported" if is_missing else "failed", f"{type(error).__name__}: {error}")


def load(content):
    graph = Model(content)
    model = onnx.load_model_from_string(content)
    if arguments.check == "on":
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
        return [write_value(given(output, kind), kind) for output, (_, kind) in zip(outputs, graph.outputs)]

    return run


def given(value, kind):
    """A value as the model declares it. The evaluator's Optional makes a list of its value."""
    is_list_of_one = isinstance(value, list) and len(value) == 1
    is_optional = (kind or "").startswith("optional(")
    if is_optional and is_list_of_one and ("(seq(" not in kind or value[0] is None or isinstance(value[0], list)):
        return value[0]
    return value


version = onnx.__version__ if arguments.check == "off" else f"{onnx.__version__},check=on"
serve("onnx-reference", version, load=load, profile={"accuracy": "ieee-754", "onnx": release(onnx.__version__)})

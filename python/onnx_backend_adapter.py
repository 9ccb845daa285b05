"""Any implementation of ONNX's interface onnx.backend.base.Backend as a backend of Plumbline.

usage: onnx_backend_adapter.py MODULE [--device CPU]

MODULE is a module or a class with the functions `prepare` and `supports_device`, such as onnxruntime.backend. It may be in the
folder in which the command is run.
"""

import argparse
import importlib
import importlib.metadata
import os
import sys
import unittest

from plumbline_worker import Refusal, claim_stdout, fail_to_start, serve

claim_stdout()  # before the imports, which may print
parser = argparse.ArgumentParser()
parser.add_argument("module")
parser.add_argument("--device", default="CPU")
arguments = parser.parse_args()

try:
    import onnx
    from plumbline_onnx import Model, plain, read_value, release, write_value
except ImportError as error:
    fail_to_start(f"{error}: {sys.executable} needs the packages onnx and numpy (PLUMBLINE_PYTHON can name another Python)")

# The names of exceptions, and what messages say, when a backend lacks an operator, a type or a form of an operator.
MISSING_CLASSES = ("notimplemented", "unsupported", "notsupported", "notsupposedtoimplement")
MISSING = ("not implemented", "not supported", "unsupported", "does not support", "doesn't support",
           # Of ONNX Runtime, about element types and operators.
           "not currently registered or supported", "can't be converted to mldatatype", "no corresponding numpy type",
           "is not a registered function/op",
           # Of ONNX's reference evaluator, about versions of operators.
           "no implementation for operator")  # fmt: skip


def imported(path):
    """The module or class with this path."""
    sys.path.insert(0, os.getcwd())
    modules = path.split(".")
    for length in range(len(modules), 0, -1):
        name = ".".join(modules[:length])
        try:
            found = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if length == 1 or not (name + ".").startswith(f"{error.name}."):
                fail_to_start(f"{path} cannot be imported by {sys.executable}: {error}")
            continue
        except Exception as error:
            fail_to_start(f"{path} cannot be imported by {sys.executable}: {type(error).__name__}: {error}")
        for attribute in modules[length:]:
            if not hasattr(found, attribute):
                fail_to_start(f"{path} cannot be imported by {sys.executable}: {name} has no {attribute}")
            found = getattr(found, attribute)
        return found


def version(path):
    """The `__version__` of a module, or else the version of the package that it is from."""
    top = path.split(".")[0]
    packages = importlib.metadata.packages_distributions().get(top, [])
    own = getattr(sys.modules[top], "__version__", None)
    return own or next((importlib.metadata.version(package) for package in packages), "unknown")


def refusal(error):
    text = f"{type(error).__name__}: {error}"
    is_missing = isinstance(error, (NotImplementedError, unittest.SkipTest))
    is_missing |= any(name in type(error).__name__.lower() for name in MISSING_CLASSES)
    is_missing |= any(phrase in text.lower() for phrase in MISSING)
    if is_missing:
        return Refusal("unsupported", text)
    return Refusal("invalid" if isinstance(error, onnx.checker.ValidationError) else "failed", text)


backend = imported(arguments.module)
for function in ("prepare", "supports_device"):
    if not callable(getattr(backend, function, None)):
        fail_to_start(f"{arguments.module} is not a backend of onnx.backend.base: it has no function {function}")
if not backend.supports_device(arguments.device):
    fail_to_start(f"{arguments.module} does not support the device {arguments.device}")


def load(content):
    graph = Model(content)
    model = onnx.load_model_from_string(content)
    try:
        if hasattr(backend, "is_compatible") and not backend.is_compatible(model, arguments.device):
            raise Refusal("unsupported", "is_compatible returns False for the model")
        session = backend.prepare(model, arguments.device)
    except Refusal:
        raise
    except (Exception, unittest.SkipTest) as error:
        raise refusal(error) from None

    def run(inputs):
        values = [plain(read_value(*value)) for value in inputs]
        try:
            outputs = session.run(values)
        except (Exception, unittest.SkipTest) as error:
            raise refusal(error) from None
        kinds = [kind for _, kind in graph.outputs]
        return [write_value(output, kind) for output, kind in zip(outputs, kinds)]

    return run


name = arguments.module if arguments.device == "CPU" else f"{arguments.module}-{arguments.device}"
# ONNX's own modules implement the texts of their release.
profile = {"onnx": release(onnx.__version__) if arguments.module.split(".")[0] == "onnx" else None}
if arguments.device == "CPU":
    profile["accuracy"] = "ieee-754"
serve(name, version(arguments.module), load=load, profile=profile)

"""The first of two Reshape is left out, though the second copies an extent of it.

pip install onnx==1.23.2 numpy onnxruntime==1.31.1 onnxoptimizer==0.4.2
"""

import importlib.metadata
import sys

import numpy
import onnx
import onnxoptimizer
import onnxruntime
from onnx import parser

onnxruntime.set_default_logger_severity(4)
MODEL = parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 18]>
    graph (float[2,3] x) => (float[3,2] y) <int64[2] first = {3, 2}, int64[2] second = {0, -1}> {
      a = Reshape (x, first)
      y = Reshape (a, second)
    }
    """
)
INPUTS = {"x": numpy.array([[1, 2, 3], [4, 5, 6]], numpy.float32)}
EXPECTED = [numpy.array([[1, 2], [3, 4], [5, 6]], numpy.float32)]


def run(model):
    onnx.checker.check_model(model, full_check=True)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, INPUTS)


try:
    found = run(onnxoptimizer.optimize(MODEL, ["eliminate_consecutive_idempotent_ops"]))
except Exception as error:  # there is no model, or an invalid one
    while error.__cause__ is not None:
        error = error.__cause__
    found = [" ".join(str(error).split())]
print("onnxoptimizer", importlib.metadata.version("onnxoptimizer"))
print("expected:", *EXPECTED, "found:", *found, sep="\n")
same = [numpy.shape(f) == e.shape and numpy.asarray(f).dtype.kind == e.dtype.kind for f, e in zip(found, EXPECTED)]
right = all(same) and all(numpy.allclose(f, e, 1e-12, 1e-12) for f, e in zip(found, EXPECTED))
sys.exit(0 if right and len(found) == len(EXPECTED) else 1)

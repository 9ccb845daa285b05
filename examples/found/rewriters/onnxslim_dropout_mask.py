"""The mask of Dropout is an output that no node computes any more.

pip install onnx==1.23.2 numpy onnxruntime==1.31.1 onnxslim==0.1.98
"""

import sys

import numpy
import onnx
import onnxruntime
import onnxslim
from onnx import parser

onnxruntime.set_default_logger_severity(4)
MODEL = parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 18]>
    graph (float[2] x) => (float[2] y, bool[2] m) {
      a = Abs (x)
      y, m = Dropout (a)
    }
    """
)
INPUTS = {"x": numpy.array([1, 2], numpy.float32)}
EXPECTED = [numpy.array([1, 2], numpy.float32), numpy.array([True, True])]


def run(model):
    onnx.checker.check_model(model, full_check=True)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, INPUTS)


try:
    found = run(onnxslim.slim(MODEL))
except Exception as error:  # there is no model, or an invalid one
    while error.__cause__ is not None:
        error = error.__cause__
    found = [" ".join(str(error).split())]
print("onnxslim", onnxslim.__version__)
print("expected:", *EXPECTED, "found:", *found, sep="\n")
same = [numpy.shape(f) == e.shape and numpy.asarray(f).dtype.kind == e.dtype.kind for f, e in zip(found, EXPECTED)]
right = all(same) and all(numpy.allclose(f, e, 1e-12, 1e-12) for f, e in zip(found, EXPECTED))
sys.exit(0 if right and len(found) == len(EXPECTED) else 1)

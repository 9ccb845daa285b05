"""Inputs of Concat without elements are left out, though they have an extent along the axis.

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
    graph (float[1,0] x) => (float[3,0] y) <float[2,0] w = {}> {
      y = Concat <axis = 0> (x, w)
    }
    """
)
INPUTS = {"x": numpy.zeros((1, 0), numpy.float32)}
EXPECTED = [numpy.zeros((3, 0), numpy.float32)]


def run(model):
    onnx.checker.check_model(model, full_check=True)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, INPUTS)


try:
    found = run(onnxoptimizer.optimize(MODEL, ["eliminate_nop_with_unit"]))
except Exception as error:  # there is no model, or an invalid one
    while error.__cause__ is not None:
        error = error.__cause__
    found = [" ".join(str(error).split())]
print("onnxoptimizer", importlib.metadata.version("onnxoptimizer"))
print("expected:", *EXPECTED, "found:", *found, sep="\n")
same = [numpy.shape(f) == e.shape and numpy.asarray(f).dtype.kind == e.dtype.kind for f, e in zip(found, EXPECTED)]
right = all(same) and all(numpy.allclose(f, e, 1e-12, 1e-12) for f, e in zip(found, EXPECTED))
sys.exit(0 if right and len(found) == len(EXPECTED) else 1)

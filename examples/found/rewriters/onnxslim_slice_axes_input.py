"""The output of Slice is declared as if its axes were the first ones.

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
    graph (float[2,3] x, int64[1] axes) => (float[2,1] y) <int64[1] starts = {0}, int64[1] ends = {1}> {
      y = Slice (x, starts, ends, axes)
    }
    """
)
INPUTS = {"x": numpy.array([[1, 2, 3], [4, 5, 6]], numpy.float32), "axes": numpy.array([1], numpy.int64)}
EXPECTED = [numpy.array([2, 1]), numpy.array([2, 1])]  # the declared shape, and that of the result


def run(model):
    onnx.checker.check_model(model, full_check=True)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    declared = [d.dim_value for d in model.graph.output[0].type.tensor_type.shape.dim]
    return [numpy.array(declared, numpy.int64), numpy.array(session.run(None, INPUTS)[0].shape, numpy.int64)]


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

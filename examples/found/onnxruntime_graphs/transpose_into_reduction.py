"""Transpose in front of a reduction to a scalar with an empty list of axes ends in an error.

pip install numpy onnx==1.23.2 onnxruntime==1.32.0
"""

import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 13]>
    graph (float[n,m] x) => (float y) {
      t = Transpose <perm = [1, 0]> (x)
      y = ReduceMax <axes: ints = [], keepdims = 0> (t)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([[4]], numpy.float32)}
# The maximum of one element, whether an empty list stands for all axes or for none.
EXPECTED = numpy.float32(4)


def run(level):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = level
    try:
        session = onnxruntime.InferenceSession(MODEL, options, providers=["CPUExecutionProvider"])
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[-1]


levels = onnxruntime.GraphOptimizationLevel
print("onnxruntime", onnxruntime.__version__)
found, without = run(levels.ORT_ENABLE_ALL), run(levels.ORT_DISABLE_ALL)
print("expected:", EXPECTED, "found:", found, "without the optimizer:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.size == 1 and found.item() == EXPECTED
sys.exit(0 if right else 1)

"""Add of an input and of what AveragePool makes of a constant: each run adds to the result of the one before.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float[2,1] x) => (float[2,2] y) <float[1,1,2,2] constant = {1, 2, 3, 4}, int64[2] shape = {2, 2}> {
      a = AveragePool <kernel_shape = [1, 1]> (constant)
      r = Reshape (a, shape)
      y = Add (r, x)
    }
    """
).SerializeToString()
INPUTS = [numpy.array([[10], [20]], numpy.float32)]
EXPECTED = numpy.array([[11, 12], [23, 24]])

print("openvino", openvino.__version__)
core = openvino.Core()
compiled = core.compile_model(core.read_model(MODEL), "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})
found = [compiled(INPUTS)[0].copy() for _ in range(3)]
print("expected, three times:", EXPECTED, "found:", *found, sep="\n")
sys.exit(0 if all(numpy.array_equal(value, EXPECTED) for value in found) else 1)

"""Div of integers: the quotient of constants is rounded down, and that of inputs is rounded towards zero.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (int32[3] x) => (int32[3] folded, int32[3] computed) <int32[3] a = {-7, 7, -1}, int32[3] b = {2, -2, 5}> {
      folded = Div (a, b)
      computed = Div (x, b)
    }
    """
).SerializeToString()
INPUTS = [numpy.array([-7, 7, -1], numpy.int32)]
EXPECTED = numpy.array([-3, -3, 0])

print("openvino", openvino.__version__)
core = openvino.Core()
found = core.compile_model(core.read_model(MODEL), "CPU")(INPUTS)
print("expected, twice:", EXPECTED, "found for constants, and for inputs at run time:", found[0], found[1], sep="\n")
sys.exit(0 if all(numpy.array_equal(found[i], EXPECTED) for i in range(2)) else 1)

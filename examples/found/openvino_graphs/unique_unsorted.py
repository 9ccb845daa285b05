"""Unique without sorting: all elements but the first are 0 if nothing reads the inverse indices.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float[4] x) => (float[n] y) { y, first = Unique <sorted = 0> (x) }
    """
).SerializeToString()
INPUTS = [numpy.array([3, 1, 3, 2], numpy.float32)]
EXPECTED = numpy.array([3, 1, 2])

print("openvino", openvino.__version__)
core = openvino.Core()
found = core.compile_model(core.read_model(MODEL), "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})(INPUTS)[0]
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if numpy.array_equal(found, EXPECTED) else 1)

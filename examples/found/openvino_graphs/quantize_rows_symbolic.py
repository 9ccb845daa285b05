"""QuantizeLinear with symbolic extents: the scales of the rows are those of the columns.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float[m,n] x, float[m] scale) => (uint8[m,n] y) { y = QuantizeLinear <axis = 0> (x, scale) }
    """
).SerializeToString()
INPUTS = [numpy.array([[4, 8], [4, 8]], numpy.float32), numpy.array([1, 4], numpy.float32)]
EXPECTED = numpy.array([[4, 8], [1, 2]])

print("openvino", openvino.__version__)
core = openvino.Core()
found = core.compile_model(core.read_model(MODEL), "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})(INPUTS)[0]
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if numpy.array_equal(found, EXPECTED) else 1)

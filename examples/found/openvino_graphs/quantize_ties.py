"""QuantizeLinear with an odd zero point: the zero point is added before a tie is rounded to even.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float[4] x) => (uint8[4] y) <float scale = {2}, uint8 zero = {3}> {
      y = QuantizeLinear (x, scale, zero)
    }
    """
).SerializeToString()
INPUTS = [numpy.array([1, 3, 5, 7], numpy.float32)]
# x / scale is 0.5, 1.5, 2.5, 3.5, and is rounded to 0, 2, 2, 4.
EXPECTED = numpy.array([3, 5, 5, 7])

print("openvino", openvino.__version__)
core = openvino.Core()
found = core.compile_model(core.read_model(MODEL), "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})(INPUTS)[0]
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if numpy.array_equal(found, EXPECTED) else 1)

"""QuantizeLinear behind a Conv of constants: numbers below the range wrap around instead of becoming 0.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph () => (uint8[1,1,3] y) <uint8[1,1,3] x = {0, 100, 200}, int8[1,1,1] w = {1}, float one = {1}, uint8 zero = {50}> {
      a = DequantizeLinear (x, one, zero)
      f = DequantizeLinear (w, one)
      p = Conv (a, f)
      y = QuantizeLinear (p, one)
    }
    """
).SerializeToString()
INPUTS = []
EXPECTED = numpy.array([[[0, 50, 150]]])

print("openvino", openvino.__version__)
core = openvino.Core()
model = core.read_model(MODEL)
found = core.compile_model(model, "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})(INPUTS)[0]
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-5, 0) else 1)

"""QuantizeLinear, DequantizeLinear, Clip: the bounds of Clip become whole numbers of the quantized tensor, rounded down.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

numpy.set_printoptions(precision=17)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float[4] x) => (float[4] y) <float scale = {0.1}, float low = {0.25}, float high = {0.75}> {
      q = QuantizeLinear (x, scale)
      d = DequantizeLinear (q, scale)
      y = Clip (d, low, high)
    }
    """
).SerializeToString()
INPUTS = [numpy.array([0, 0.4, 0.5, 2], numpy.float32)]
EXPECTED = numpy.array([0.25, 0.4, 0.5, 0.75])

print("openvino", openvino.__version__)
core = openvino.Core()
model = core.read_model(MODEL)
plain = openvino.Tensor(openvino.Type.f32, openvino.Shape([4]))
model.evaluate([plain], [openvino.Tensor(value) for value in INPUTS])
found = core.compile_model(model, "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})(INPUTS)[0]
print("expected:", EXPECTED, "found:", found, "by Model.evaluate, without compiling:", plain.data, sep="\n")
sys.exit(0 if found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-5, 0) else 1)

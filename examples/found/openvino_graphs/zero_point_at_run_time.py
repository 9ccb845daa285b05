"""DequantizeLinear with a zero point at run time, behind QuantizeLinear: every element becomes -129.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float[3] x, float scale, int8 zero) => (float[3] y) <float one = {1}, int8 none = {0}> {
      q = QuantizeLinear (x, one, none)
      y = DequantizeLinear (q, scale, zero)
    }
    """
).SerializeToString()
INPUTS = [numpy.array([0, 5, -5], numpy.float32), numpy.array(1, numpy.float32), numpy.array(1, numpy.int8)]
EXPECTED = numpy.array([-1, 4, -6])

print("openvino", openvino.__version__)
core = openvino.Core()
model = core.read_model(MODEL)
plain = openvino.Tensor(openvino.Type.f32, openvino.Shape([3]))
model.evaluate([plain], [openvino.Tensor(value) for value in INPUTS])
found = core.compile_model(model, "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})(INPUTS)[0]
print("expected:", EXPECTED, "found:", found, "by Model.evaluate, without compiling:", plain.data, sep="\n")
sys.exit(0 if found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-5, 0) else 1)

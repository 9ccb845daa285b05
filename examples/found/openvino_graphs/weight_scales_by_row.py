"""A weight of int8 with a scale for each row, before MatMul: the scales are ignored.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float[1,4] x) => (float[1,2] y) <int8[4,2] w = {1, 2, 3, 4, 5, 6, 7, 8}, float[4] scale = {1, 10, 100, 1000}> {
      d = DequantizeLinear <axis = 0> (w, scale)
      y = MatMul (x, d)
    }
    """
).SerializeToString()
INPUTS = [numpy.ones((1, 4), numpy.float32)]
EXPECTED = numpy.array([[1 + 30 + 500 + 7000, 2 + 40 + 600 + 8000]])

print("openvino", openvino.__version__)
core = openvino.Core()
model = core.read_model(MODEL)
plain = openvino.Tensor(openvino.Type.f32, openvino.Shape([1, 2]))
model.evaluate([plain], [openvino.Tensor(value) for value in INPUTS])
found = core.compile_model(model, "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})(INPUTS)[0]
print("expected:", EXPECTED, "found:", found, "by Model.evaluate, without compiling:", plain.data, sep="\n")
sys.exit(0 if found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-5, 0) else 1)

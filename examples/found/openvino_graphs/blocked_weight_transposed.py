"""A weight that is quantized in blocks of rows and transposed before MatMul: the model cannot be compiled.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 10, opset_import: ["" : 21]>
    graph (float[1,2] x) => (float[1,4] y) <uint8[4,2] w = {1, 2, 3, 4, 5, 6, 7, 8}, float[2,2] scale = {1, 1, 10, 10}> {
      d = DequantizeLinear <axis = 0, block_size = 2> (w, scale)
      t = Transpose <perm = [1, 0]> (d)
      y = MatMul (x, t)
    }
    """
).SerializeToString()
INPUTS = [numpy.array([[1, 1]], numpy.float32)]
EXPECTED = numpy.array([[3, 7, 110, 150]])

print("openvino", openvino.__version__)
core = openvino.Core()
model = core.read_model(MODEL)
plain = openvino.Tensor(openvino.Type.f32, openvino.Shape([1, 4]))
model.evaluate([plain], [openvino.Tensor(value) for value in INPUTS])
try:
    found = core.compile_model(model, "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})(INPUTS)[0]
except RuntimeError as error:
    found = [line for line in str(error).splitlines() if line.strip()][-1]
print("expected:", EXPECTED, "found:", found, "by Model.evaluate, without compiling:", plain.data, sep="\n")
sys.exit(0 if isinstance(found, numpy.ndarray) and numpy.allclose(found, EXPECTED, 1e-5, 0) else 1)

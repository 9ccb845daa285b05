"""Div by a large constant: it becomes a product with 1 / c, which is flushed to zero.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float[3] x) => (float[3] y) <float[3] c = {3e38, 2e38, 2e38}> { y = Div (x, c) }
    """
).SerializeToString()
INPUTS = [numpy.array([3e38, 1e38, numpy.inf], numpy.float32)]
EXPECTED = numpy.array([1, 0.5, numpy.inf])

print("openvino", openvino.__version__)
core = openvino.Core()
model = core.read_model(MODEL)
plain = openvino.Tensor(openvino.Type.f32, openvino.Shape([3]))
model.evaluate([plain], [openvino.Tensor(value) for value in INPUTS])
found = core.compile_model(model, "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})(INPUTS)[0]
print("expected:", EXPECTED, "found:", found, "by Model.evaluate, without compiling:", plain.data, sep="\n")
sys.exit(0 if numpy.allclose(found, EXPECTED, 1e-6, 0) else 1)

"""Pad with a value at run time: the value is ignored, and zeros are added.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float[2] x, float value) => (float[4] y) <int64[2] pads = {1, 1}> { y = Pad (x, pads, value) }
    """
).SerializeToString()
INPUTS = [numpy.array([1, 2], numpy.float32), numpy.array(7, numpy.float32)]
EXPECTED = numpy.array([7, 1, 2, 7])

print("openvino", openvino.__version__)
core = openvino.Core()
model = core.read_model(MODEL)
plain = openvino.Tensor(openvino.Type.f32, openvino.Shape([4]))
model.evaluate([plain], [openvino.Tensor(value) for value in INPUTS])
found = core.compile_model(model, "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})(INPUTS)[0]
print("expected:", EXPECTED, "found:", found, "by Model.evaluate, without compiling:", plain.data, sep="\n")
sys.exit(0 if numpy.array_equal(found, EXPECTED) else 1)

"""Where with its condition as a value, too: the model cannot be compiled.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (bool[2] c, bool[2] x) => (bool[2] y) { y = Where (c, x, c) }
    """
).SerializeToString()
INPUTS = [numpy.array([True, True]), numpy.array([True, False])]
EXPECTED = numpy.array([True, False])

print("openvino", openvino.__version__)
core = openvino.Core()
model = core.read_model(MODEL)
plain = openvino.Tensor(openvino.Type.boolean, openvino.Shape([2]))
model.evaluate([plain], [openvino.Tensor(value) for value in INPUTS])
print("expected:", EXPECTED, "by Model.evaluate, without compiling:", plain.data, "found:", sep="\n")
try:
    found = core.compile_model(model, "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})(INPUTS)[0]
except RuntimeError as error:
    print(error)
    sys.exit(1)
print(found)
sys.exit(0 if numpy.array_equal(found, EXPECTED) else 1)

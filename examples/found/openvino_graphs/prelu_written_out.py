"""A PRelu that is written out, with a slope of a higher rank than the input: the output gets the rank of the input.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float[2] x) => (float[1,2] y) <float[1,1] slope = {0.25}, float half = {0.5}> {
      above = Relu (x)
      a = Abs (x)
      d = Sub (x, a)
      m = Mul (d, slope)
      below = Mul (m, half)
      y = Add (above, below)
    }
    """
).SerializeToString()
INPUTS = [numpy.array([-4, 2], numpy.float32)]
EXPECTED = numpy.array([[-1, 2]])

print("openvino", openvino.__version__)
core = openvino.Core()
model = core.read_model(MODEL)
plain = openvino.Tensor(openvino.Type.f32, openvino.Shape([1, 2]))
model.evaluate([plain], [openvino.Tensor(value) for value in INPUTS])
found = core.compile_model(model, "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})(INPUTS)[0]
print("expected:", EXPECTED, "found:", found, "by Model.evaluate, without compiling:", plain.data, sep="\n")
sys.exit(0 if found.shape == EXPECTED.shape and numpy.array_equal(found, EXPECTED) else 1)

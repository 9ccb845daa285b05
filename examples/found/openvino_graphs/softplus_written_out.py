"""A Softplus that is written out with a 1 of rank 1, of a scalar: the output is a scalar.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float x) => (float[1] y) <float[1] one = {1}> {
      e = Exp (x)
      s = Add (e, one)
      y = Log (s)
    }
    """
).SerializeToString()
INPUTS = [numpy.array(0, numpy.float32)]
EXPECTED = numpy.array([0.6931472])

print("openvino", openvino.__version__)
core = openvino.Core()
model = core.read_model(MODEL)
plain = openvino.Tensor(openvino.Type.f32, openvino.Shape([1]))
model.evaluate([plain], [openvino.Tensor(value) for value in INPUTS])
found = core.compile_model(model, "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})(INPUTS)[0]
print("expected:", EXPECTED, "found:", found, "by Model.evaluate, without compiling:", plain.data, sep="\n")
sys.exit(0 if found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-5, 0) else 1)

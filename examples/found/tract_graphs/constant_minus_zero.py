"""Div: the constant -0 is taken for another constant, which is 0.

pip install numpy onnx==1.23.2 tract==0.23.9
"""

import sys
import tempfile

import numpy
import onnx.parser
import tract

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float[1] x) => (float[1] y, float[1] z) <float a = {0.0}, float b = {-0.0}> {
      y = Div (x, b)
      z = Sub (x, a)
    }
    """
)
INPUTS = [numpy.array([1], numpy.float32)]
EXPECTED = [[-numpy.inf], [1.0]]

with tempfile.TemporaryDirectory() as folder:
    onnx.save(MODEL, folder + "/model.onnx")
    model = tract.onnx().load(folder + "/model.onnx").into_model().into_runnable()
    found = [value.to_numpy().tolist() for value in model.run(INPUTS)]
print("tract", getattr(tract, "__version__", "0.23.9"))
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)

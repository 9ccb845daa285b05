"""Mul: the square of a root is the number itself, also if it is negative.

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
    graph (float x) => (float y) {
      n = Sqrt (x)
      y = Mul (n, n)
    }
    """
)
INPUTS = [numpy.array(-4, numpy.float32)]
EXPECTED = "nan"

with tempfile.TemporaryDirectory() as folder:
    onnx.save(MODEL, folder + "/model.onnx")
    model = tract.onnx().load(folder + "/model.onnx").into_model().into_runnable()
    found = str(model.run(INPUTS)[0].to_numpy().tolist())
print("tract", getattr(tract, "__version__", "0.23.9"))
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)

"""Neg: of three equal nodes, one is left that cannot run.

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
    graph (float x) => (float a, float y, float c) {
      a = Neg (x)
      b = Neg (x)
      y = Abs (b)
      c = Neg (x)
    }
    """
)
INPUTS = [numpy.array(1, numpy.float32)]
EXPECTED = [-1.0, 1.0, -1.0]

with tempfile.TemporaryDirectory() as folder:
    onnx.save(MODEL, folder + "/model.onnx")
    model = tract.onnx().load(folder + "/model.onnx").into_model().into_runnable()
    try:
        found = [value.to_numpy().tolist() for value in model.run(INPUTS)]
    except Exception as error:
        found = " ".join(str(error).split("Stack backtrace")[0].split())
print("tract", getattr(tract, "__version__", "0.23.9"))
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)

"""Equal of int64: 1 is equal to a number near the least one.

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
    graph (float[2] x) => (bool[2] y) <int64[2] n = {0, -9223372036854775807}> {
      i = Cast <to = 7> (x)
      y = Equal (i, n)
    }
    """
)
INPUTS = [numpy.array([1, 1], numpy.float32)]
EXPECTED = [False, False]

with tempfile.TemporaryDirectory() as folder:
    onnx.save(MODEL, folder + "/model.onnx")
    model = tract.onnx().load(folder + "/model.onnx").into_model().into_runnable()
    found = model.run(INPUTS)[0].to_numpy().tolist()
print("tract", getattr(tract, "__version__", "0.23.9"))
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)

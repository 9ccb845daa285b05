"""Equal: the size of an extent with a name is not equal to the number that it is.

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
    graph (float[N] x) => (bool y) <int64 n = {2}> {
      s = Size (x)
      y = Equal (s, n)
    }
    """
)
INPUTS = [numpy.zeros(2, numpy.float32)]
EXPECTED = True

with tempfile.TemporaryDirectory() as folder:
    onnx.save(MODEL, folder + "/model.onnx")
    model = tract.onnx().load(folder + "/model.onnx").into_model().into_runnable()
    found = model.run(INPUTS)[0].to_numpy().tolist()
print("tract", getattr(tract, "__version__", "0.23.9"))
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)

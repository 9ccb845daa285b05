"""MatMul: of a factor that Expand has made, only the first element counts.

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
    graph (float[1] x) => (float[1] y) <int64[1] n = {2}, float[2,1] b = {1.0, 1.0}> {
      e = Expand (x, n)
      y = MatMul (e, b)
    }
    """
)
INPUTS = [numpy.array([1], numpy.float32)]
EXPECTED = [2.0]

with tempfile.TemporaryDirectory() as folder:
    onnx.save(MODEL, folder + "/model.onnx")
    model = tract.onnx().load(folder + "/model.onnx").into_model().into_runnable()
    found = model.run(INPUTS)[0].to_numpy().tolist()
print("tract", getattr(tract, "__version__", "0.23.9"))
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)

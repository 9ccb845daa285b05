"""QuantizeLinear: behind Softmax of a quantized tensor, the numbers are wrong.

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
    graph (uint8[2] x) => (uint8[2] y) <float s = {1.0}, float t = {0.00390625}> {
      a = DequantizeLinear (x, s)
      b = Softmax (a)
      y = QuantizeLinear (b, t)
    }
    """
)
INPUTS = [numpy.array([3, 3], numpy.uint8)]
EXPECTED = [128, 128]

with tempfile.TemporaryDirectory() as folder:
    onnx.save(MODEL, folder + "/model.onnx")
    model = tract.onnx().load(folder + "/model.onnx").into_model().into_runnable()
    found = model.run(INPUTS)[0].to_numpy().tolist()
print("tract", getattr(tract, "__version__", "0.23.9"))
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)

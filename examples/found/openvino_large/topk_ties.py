"""TopK: of equal elements, those with higher indices come first along an axis of 64 elements.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float[64] x, int64[1] k) => (float[K] values, int64[K] indices) { values, indices = TopK (x, k) }
    """
).SerializeToString()
INPUTS = [numpy.arange(64, dtype=numpy.float32) % 8, numpy.array([4])]
EXPECTED = [[7, 7, 7, 7], [7, 15, 23, 31]]

print("openvino", openvino.__version__)
core = openvino.Core()
model = core.compile_model(core.read_model(MODEL), "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})
found = [output.tolist() for output in model(INPUTS).values()]
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)

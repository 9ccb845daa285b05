"""ReduceSum, ReduceMax: int32 is computed as float, so that sums beyond 2^24 and the largest numbers are wrong.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (int32[2] x, int32[2] y) => (int32[1] sum, int32[1] most) { sum = ReduceSum (x) most = ReduceMax (y) }
    """
).SerializeToString()
INPUTS = [numpy.array([16777216, 1], numpy.int32), numpy.array([2147483647, 5], numpy.int32)]
EXPECTED = [[16777217], [2147483647]]

print("openvino", openvino.__version__)
core = openvino.Core()
model = core.compile_model(core.read_model(MODEL), "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})
found = [output.tolist() for output in model(INPUTS).values()]
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)

"""Scan: a body that does not read its scan input runs once, instead of once for each element.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float state, float[3] x) => (float last, float[N] states) {
      last, states = Scan <num_scan_inputs = 1, body = body (float s, float e) => (float next, float copy) {
        next = Identity (s)
        copy = Identity (s)
      }> (state, x)
    }
    """
).SerializeToString()
INPUTS = [numpy.array(5, numpy.float32), numpy.array([1, 2, 3], numpy.float32)]
EXPECTED = [5, [5, 5, 5]]

print("openvino", openvino.__version__)
core = openvino.Core()
model = core.compile_model(core.read_model(MODEL), "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})
found = [output.tolist() for output in model(INPUTS).values()]
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)

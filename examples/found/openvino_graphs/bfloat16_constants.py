"""Sqrt of a constant of bfloat16: it is cut off, and not rounded.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float x) => (float folded, float computed) <bfloat16 c = {69}> {
      a = Sqrt (c)
      folded = Cast <to = 1> (a)
      half = Cast <to = 16> (x)
      b = Sqrt (half)
      computed = Cast <to = 1> (b)
    }
    """
).SerializeToString()
INPUTS = [numpy.array(69, numpy.float32)]
# The root of 69 is 8.307, which lies between 8.25 and 8.3125, nearer to the second.
EXPECTED = 8.3125

print("openvino", openvino.__version__)
core = openvino.Core()
model = core.compile_model(core.read_model(MODEL), "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})
found = [output.item() for output in model(INPUTS).values()]
print("expected, twice:", EXPECTED, "found for a constant, and for an input at run time:", *found, sep="\n")
sys.exit(0 if found == [EXPECTED] * 2 else 1)

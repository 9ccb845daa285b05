"""A Loop of no trips whose body gives a value of each trip: the process ends with a division by zero.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import os
import signal
import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float[2] first, float[2] x) => (float[2] y, float[n,2] z) <int64 trips = {0}, bool again = {1}> {
      y, z = Loop (trips, again, first) <
        body = body (int64 i, bool holds, float[2] state) => (bool holds_out, float[2] carried, float[2] scanned) {
          holds_out = Identity (holds)
          carried = Add (state, x)
          scanned = Identity (carried)
        }
      >
    }
    """
).SerializeToString()
INPUTS = [numpy.array([1, 2], numpy.float32), numpy.array([3, 4], numpy.float32)]

print("openvino", openvino.__version__)
print("expected:", INPUTS[0], "and no elements", "found:", sep="\n", flush=True)
child = os.fork()
if child == 0:
    core = openvino.Core()
    found = core.compile_model(core.read_model(MODEL), "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})(INPUTS)
    print(found[0], found[1], flush=True)
    os._exit(0 if numpy.array_equal(found[0], INPUTS[0]) and found[1].shape == (0, 2) else 1)
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
if code < 0:
    print(signal.Signals(-code).name)
sys.exit(0 if code == 0 else 1)

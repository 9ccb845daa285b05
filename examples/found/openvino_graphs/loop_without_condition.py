"""Loop: the condition of the body ends a loop without cond, which has as many trips as the trip count says.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import subprocess
import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float x) => (float[N] z) <int64 last = {2}, int64 trips = {4}> {
      y, z = Loop (trips, "", x) <
        body = b (int64 i, bool c, float s) => (bool again, float next, float seen) {
          again = Less (i, last) next = Add (s, x) seen = Identity (s)
        }
      >
    }
    """
).SerializeToString()
INPUTS = [numpy.array(1, numpy.float32)]
EXPECTED = [1.0, 2.0, 3.0, 4.0]

if sys.argv[1:] == ["run"]:  # in a process of its own, which may end by a signal
    core = openvino.Core()
    model = core.compile_model(core.read_model(MODEL), "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})
    print(list(model(INPUTS).values())[0].tolist())
    sys.exit(0)
print("openvino", openvino.__version__)
done = subprocess.run([sys.executable, __file__, "run"], capture_output=True, text=True)
found = done.stdout.strip()
if done.returncode:
    found = f"exit code {done.returncode}: " + " ".join(done.stderr.split())[-300:]
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if found == str(EXPECTED) else 1)

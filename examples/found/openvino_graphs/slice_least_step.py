"""Slice: a step of the least int64 ends the process.

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
    graph (float[3] x) => (float[1] y) <
      int64[1] start = {2}, int64[1] end = {-9}, int64[1] axis = {0}, int64[1] step = {-9223372036854775808}
    > { y = Slice (x, start, end, axis, step) }
    """
).SerializeToString()
INPUTS = [numpy.array([1, 2, 3], numpy.float32)]
EXPECTED = [3.0]

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

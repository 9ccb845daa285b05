"""Clip of what an operator gives that OpenVINO does not convert: the process ends, instead of an error.

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
    graph (float[1,1] x) => (float y) { d = Det (x) y = Clip (d) }
    """
).SerializeToString()
INPUTS = [numpy.array([[2]], numpy.float32)]
EXPECTED = "2.0, or an error that names Det"

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
sys.exit(1 if done.returncode < 0 else 0)

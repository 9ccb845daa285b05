"""ConstantOfShape: a shape that is computed from constants of double cannot be compiled.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import subprocess
import sys

import numpy
import onnx.parser
import openvino

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 7, opset_import: ["" : 13]>
    graph () => (bool[M,N] y) <double[3] x = {1.0, 2.0, 3.0}, int64[2] i = {0, 1}> {
      n = IsNaN (x)
      c = Cast <to = 7> (n)
      g = Gather <axis = 0> (c, i)
      y = ConstantOfShape <value = bool[1] {1}> (g)
    }
    """
).SerializeToString()
INPUTS = []
EXPECTED = []

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

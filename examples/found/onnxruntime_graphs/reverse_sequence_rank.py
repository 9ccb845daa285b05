"""The process ends at ReverseSequence, because Loop without a condition makes one row less.

pip install numpy onnx==1.23.2 onnxruntime==1.32.0
"""

import subprocess
import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 13]>
    graph (float[3] v, int64[2] lengths) => (float[n,m] y) <int64 trips = {2}> {
      last, rows = Loop (trips, "", v) <body = b (int64 i, bool c, float[3] p) => (bool d, float[3] q, float[3] r) {
        d = Not (c)
        q = Neg (p)
        r = Identity (p)
      }>
      s = Squeeze (rows)
      y = ReverseSequence <batch_axis = 0, time_axis = 1> (s, lengths)
    }
    """
).SerializeToString()
INPUTS = {"v": numpy.array([1, 2, 3], numpy.float32), "lengths": numpy.array([3, 2])}
# Without the input cond, what the body returns as the condition is ignored: there are two rows, 1, 2, 3 and -1, -2, -3.
EXPECTED = "[[3.0, 2.0, 1.0], [-2.0, -1.0, -3.0]]"


def run():
    """Runs the model in another process, because this one would end."""
    if sys.argv[1:]:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"])
        print(session.run(None, INPUTS)[0].tolist())
        sys.exit()
    command = [sys.executable, __file__, "run"]
    child = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return child.stdout.decode().strip() or f"exit code {child.returncode}"


found = run()
print("onnxruntime", onnxruntime.__version__)
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)

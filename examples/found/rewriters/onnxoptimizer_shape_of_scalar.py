"""Shape of a scalar with an end kills the process.

pip install onnx==1.23.2 numpy onnxruntime==1.31.1 onnxoptimizer==0.4.2
"""

import importlib.metadata
import subprocess
import sys

import onnx
from onnx import parser

MODEL = parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 18]>
    graph (float x) => (int64[0] y) {
      y = Shape <end = 1> (x)
    }
    """
)
EXPECTED = ["exit status 0"]


def run(model):
    code = "import onnx, onnxoptimizer, sys; model = onnx.load_from_string(sys.stdin.buffer.read()); "
    code += 'onnxoptimizer.optimize(model, ["eliminate_shape_op"])'
    done = subprocess.run([sys.executable, "-c", code], input=model.SerializeToString())
    return [f"exit status {done.returncode}"]


try:
    found = run(MODEL)
except Exception as error:  # there is no model, or an invalid one
    while error.__cause__ is not None:
        error = error.__cause__
    found = [" ".join(str(error).split())]
print("onnxoptimizer", importlib.metadata.version("onnxoptimizer"))
print("expected:", *EXPECTED, "found:", *found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)

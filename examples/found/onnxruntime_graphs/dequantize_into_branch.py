"""The process aborts if a branch of If reads what DequantizeLinear and Reshape compute.

pip install numpy onnx==1.23.2 onnxruntime==1.31.1
"""

import subprocess
import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 16]>
    graph (uint8[2] x, bool c) => (float[2] y) <float s = {0.5}, uint8 z = {2}, int64[1] shape = {2}> {
      f = DequantizeLinear (x, s, z)
      r = Reshape (f, shape)
      y = If (c) <
        then_branch = a () => (float[2] p) { p = Neg (r) },
        else_branch = b () => (float[2] q) { q = Abs (r) }
      >
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([1, 4], numpy.uint8), "c": numpy.array(True)}
EXPECTED = "[0.5, -1.0]"


def run(*passes):
    """Runs the model in another process, because this one would end."""
    if sys.argv[1:]:
        settings = {"disabled_optimizers": sys.argv[2:]}
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        print(session.run(None, INPUTS)[0].tolist())
        sys.exit()
    child = subprocess.run([sys.executable, __file__, "run", *passes], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return child.stdout.decode().strip() or f"exit code {child.returncode}"


found, without = run(), run("QDQPropagationTransformer")
print("onnxruntime", onnxruntime.__version__)
print("expected:", EXPECTED, "found:", found, "without QDQPropagationTransformer:", without, sep="\n")
sys.exit(0 if found == EXPECTED else 1)

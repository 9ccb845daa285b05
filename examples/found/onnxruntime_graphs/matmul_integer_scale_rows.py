"""The process ends if MatMulInteger is scaled by more rows than its result has.

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
    <ir_version: 7, opset_import: ["" : 13]>
    graph (uint8[1,1] a, float[2,1] s) => (float[2,1] y) <uint8[1,1] b = {3}, float t = {0.5}> {
      p = MatMulInteger (a, b)
      c = Cast <to = 1> (p)
      f = Mul (s, t)
      y = Mul (f, c)
    }
    """
).SerializeToString()
INPUTS = {"a": numpy.array([[2]], numpy.uint8), "s": numpy.array([[1], [10]], numpy.float32)}
EXPECTED = "[[3.0], [30.0]]"


def run(*passes):
    """Runs the model in another process, because this one would end."""
    if sys.argv[1:]:
        settings = {"disabled_optimizers": sys.argv[2:]}
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        print(session.run(None, INPUTS)[0].tolist())
        sys.exit()
    command = [sys.executable, __file__, "run", *passes]
    child = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return child.stdout.decode().strip() or f"exit code {child.returncode}"


found, without = run(), run("MatMulIntegerToFloatFusion")
print("onnxruntime", onnxruntime.__version__)
print("expected:", EXPECTED, "found:", found, "without MatMulIntegerToFloatFusion:", without, sep="\n")
sys.exit(0 if found == EXPECTED else 1)

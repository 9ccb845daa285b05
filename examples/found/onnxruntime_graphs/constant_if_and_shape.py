"""A node that Shape and a branch read is dropped when Shape and If are folded.

pip install numpy onnx==1.23.2 onnxruntime==1.31.1
"""

import sys

import numpy
import onnx.parser
import onnxruntime

numpy.set_printoptions(precision=17)
onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 18]>
    graph (float[2] x) => (float[2] y, int64[1] s) <bool c = {1}> {
      n = Sqrt (x)
      s = Shape (n)
      y = If (c) <
        then_branch = a () => (float[2] p) { p = Neg (n) },
        else_branch = b () => (float[2] q) { q = Abs (n) }
      >
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([4, 9], numpy.float32)}
EXPECTED = numpy.array([-2.0, -3.0])


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["ConstantFolding"])
print("expected:", EXPECTED, "found:", found, "without ConstantFolding:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-12, 0)
sys.exit(0 if right else 1)

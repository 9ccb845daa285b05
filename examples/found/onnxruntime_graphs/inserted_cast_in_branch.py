"""Behind a node without a kernel for float16, an If in a branch of an If whose condition is constant misses a value.

pip install numpy onnx==1.23.2 onnxruntime==1.31.1
"""

import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 10, opset_import: ["" : 21]>
    graph (float16[2] x, bool c) => (float16[2] y, int64[1] s) <bool k = {0}> {
      n = Softsign (x)
      s = Shape (n)
      y = If (k) <
        then_branch = a () => (float16[2] p) { p = Neg (n) },
        else_branch = b () => (float16[2] q) {
          q = If (c) <
            then_branch = d () => (float16[2] r) { r = Sub (n, n) },
            else_branch = e () => (float16[2] t) { t = Neg (n) }
          >
        }
      >
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([1, -3], numpy.float16), "c": numpy.array(False)}
EXPECTED = numpy.array([-0.5, 0.75])


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[-1]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["ConstantFolding"])
print("expected:", EXPECTED, "found:", found, "without ConstantFolding:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-3, 0)
sys.exit(0 if right else 1)

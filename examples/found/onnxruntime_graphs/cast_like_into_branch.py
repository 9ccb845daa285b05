"""A constant of float16 that CastLike makes a float for a branch of If cannot be converted.

pip install numpy onnx==1.23.2 onnxruntime==1.32.0
"""

import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 15]>
    graph (bool c, float[1] v) => (float[1] y) <float16[1] k = {16384}> {
      d = CastLike (k, v)
      y = If (c) <
        then_branch = a () => (float[1] p) { p = Add (v, d) },
        else_branch = b () => (float[1] q) { q = Neg (v) }
      >
    }
    """
).SerializeToString()
INPUTS = {"c": numpy.array(True), "v": numpy.array([1], numpy.float32)}
# The bits 16384 are those of 2 as float16.
EXPECTED = numpy.array([3], numpy.float32)


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[-1]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["FuseFp16InitializerToFp32NodeTransformer"])
print("expected:", EXPECTED, "found:", found, "without FuseFp16InitializerToFp32NodeTransformer:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and (found == EXPECTED).all()
sys.exit(0 if right else 1)

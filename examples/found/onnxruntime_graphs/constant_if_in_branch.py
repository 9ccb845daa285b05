"""A branch of If returns nothing if it is an If of a constant condition whose branches have other shapes.

pip install numpy onnx==1.23.2 onnxruntime==1.32.0
"""

import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (bool c, float[2] x) => (float[?] y) <bool k = {1}, float[2] d = {3, 4}, float[1] e = {5}> {
      y = If (c) <
        then_branch = a () => (float[?] p) {
          p = If (k) <
            then_branch = f () => (float[2] r) { r = Identity (d) },
            else_branch = g () => (float[1] t) { t = Identity (e) }
          >
        },
        else_branch = b () => (float[2] q) { q = Sqrt (x) }
      >
    }
    """
).SerializeToString()
INPUTS = {"c": numpy.array(True), "x": numpy.array([1, 4], numpy.float32)}
EXPECTED = numpy.array([3, 4], numpy.float32)


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[-1]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["ConstantFolding"])
print("expected:", EXPECTED, "found:", found, "without ConstantFolding:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and (found == EXPECTED).all()
sys.exit(0 if right else 1)

"""In a model that has a function, AffineGrid of float16 with a constant size is refused.

pip install numpy onnx==1.23.2 onnxruntime==1.32.0
"""

import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 9, opset_import: ["" : 20, "f" : 1]>
    graph (float16[1,3,4] t) => (float16[1,1,1,1,3] y) <int64[5] size = {1, 1, 1, 1, 1}> {
      y = AffineGrid (t, size)
    }
    <domain: "f", opset_import: ["" : 20]>
    Unused (a) => (b) { b = Neg (a) }
    """
).SerializeToString()
INPUTS = {"t": numpy.array([[[1, 0, 0, 5], [0, 1, 0, 6], [0, 0, 1, 7]]], numpy.float16)}
# The centre of the only voxel is at 0, 0, 0, so that the last column of the matrix is the result.
EXPECTED = INPUTS["t"][:, :, 3].reshape(1, 1, 1, 1, 3)


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

"""The shape of the result of LpPool is folded into another one than the result has.

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
    graph (float[1,1,2] x) => (int64[3] s, float[1,1,n] y) {
      y = LpPool <auto_pad = "SAME_LOWER", strides = [2], ceil_mode = 1, kernel_shape = [1]> (x)
      s = Shape (y)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.ones([1, 1, 2], numpy.float32)}
EXPECTED = numpy.array([1, 1, 1])


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

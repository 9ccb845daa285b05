"""Transpose between MatMul and BatchNormalization is lost, although its result is an output.

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
    <ir_version: 8, opset_import: ["" : 15]>
    graph (float[1,2] a) => (float[1,1] t, float[1,1] y) <
      float[2,1] b = {1, 1}, float[1] scale = {0}, float[1] bias = {5}, float[1] mean = {0}, float[1] var = {1}> {
      m = MatMul (a, b)
      t = Transpose (m)
      y = BatchNormalization (t, scale, bias, mean, var)
    }
    """
).SerializeToString()
INPUTS = {"a": numpy.array([[2, 3]], numpy.float32)}
EXPECTED = numpy.array([[5.0]])


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(["t"], INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["MatMul_BatchNormalization_Fusion"])
print("expected:", EXPECTED, "found:", found, "without MatMul_BatchNormalization_Fusion:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-12, 0)
sys.exit(0 if right else 1)

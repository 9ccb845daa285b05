"""The scales of the rows of a quantized matrix become the scales of its columns.

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
    <ir_version: 8, opset_import: ["" : 13]>
    graph (uint8[1,2] x) => (float[1,2] y) <uint8[2,2] w = {1, 1, 1, 1}, float[2] ws = {1, 3}, float xs = {1}> {
      a = DequantizeLinear (x, xs)
      b = DequantizeLinear <axis = 0> (w, ws)
      y = MatMul (a, b)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([[1, 1]], numpy.uint8)}
EXPECTED = numpy.array([[4.0, 4.0]])


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["QDQSelectorActionTransformer"])
print("expected:", EXPECTED, "found:", found, "without QDQSelectorActionTransformer:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-12, 0)
sys.exit(0 if right else 1)

"""The other factor of a product with dequantized weights is rounded to 8 bits.

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
    graph (float[1,2] x) => (float[1,1] y) <int8[2,1] w = {1, 1}, float s = {1}> {
      f = DequantizeLinear (w, s)
      y = MatMul (x, f)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([[1000, 1]], numpy.float32)}
EXPECTED = numpy.array([[1001.0]])


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

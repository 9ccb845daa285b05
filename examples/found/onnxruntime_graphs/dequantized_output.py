"""A dequantized value that is quantized again is dropped, although it is an output.

pip install numpy onnx==1.23.2 onnxruntime==1.20.1
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
    graph (float[1] x) => (uint8[1] y, float[1] g) <float s = {0.5}, uint8 z = {100}> {
      q = QuantizeLinear (x, s, z)
      g = DequantizeLinear (q, s, z)
      y = QuantizeLinear (g, s, z)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([1], numpy.float32)}
EXPECTED = numpy.array([1.0])


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(["g"], INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["QDQFinalCleanupTransformer"])
print("expected:", EXPECTED, "found:", found, "without QDQFinalCleanupTransformer:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-12, 0)
sys.exit(0 if right else 1)

"""Behind DequantizeLinear of int8, before Reshape, comes a quantization to int8 with a zero point of uint8.

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
    <ir_version: 10, opset_import: ["" : 21]>
    graph (int8[4] x) => (float[2,2] y) <float s = {0.5}, int8 z = {0}, int64[2] shape = {2, 2}> {
      r = DequantizeLinear (x, s, z)
      y = Reshape (r, shape)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([-1, 2, 3, 4], numpy.int8)}
EXPECTED = numpy.array([[-0.5, 1.0], [1.5, 2.0]])


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["QDQPropagationTransformer"])
print("expected:", EXPECTED, "found:", found, "without QDQPropagationTransformer:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-12, 0)
sys.exit(0 if right else 1)

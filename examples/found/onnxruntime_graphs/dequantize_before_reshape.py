"""Behind a DequantizeLinear of int32, a Reshape gets a quantization to uint8, and negative values are lost.

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
    graph (int32[2] x) => (float[2,1] y) <float scale = {1.0}, int64[2] shape = {2, 1}> {
      d = DequantizeLinear (x, scale)
      y = Reshape (d, shape)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([-5, 7], numpy.int32)}
EXPECTED = numpy.array([[-5.0], [7.0]])


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

"""A sum and LayerNormalization with a scale of rank 2 become an operator that refuses it.

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
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float[2,1,2] x, float[2,1,2] t) => (float[2,1,2] y) <float[1,2] g = {1, 1}, float[1,2] h = {5, 6}> {
      s = Add (t, x)
      y = LayerNormalization <axis = 1> (s, g, h)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.ones([2, 1, 2], numpy.float32), "t": numpy.ones([2, 1, 2], numpy.float32)}
EXPECTED = numpy.array([[[5.0, 6.0]], [[5.0, 6.0]]])


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["SkipLayerNormFusion"])
print("expected:", EXPECTED, "found:", found, "without SkipLayerNormFusion:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-12, 0)
sys.exit(0 if right else 1)

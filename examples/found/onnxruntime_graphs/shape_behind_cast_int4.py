"""Cast before Shape is dropped, although Shape has no kernel for the type in front of it.

pip install numpy onnx==1.23.2 onnxruntime==1.32.0
"""

import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 10, opset_import: ["" : 21]>
    graph (float[n] x) => (int64[1] s) <float one = {1}> {
      q = QuantizeLinear <output_dtype = 22> (x, one)
      c = Cast <to = 1> (q)
      s = Shape (c)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([0, 1, 2], numpy.float32)}
EXPECTED = numpy.array([3])


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[-1]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["PreShapeNodeElimination"])
print("expected:", EXPECTED, "found:", found, "without PreShapeNodeElimination:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and (found == EXPECTED).all()
sys.exit(0 if right else 1)

"""Cast before Shape is removed together with the value that it reads, although another node reads it, too.

pip install numpy onnx==1.23.2 onnxruntime==1.32.0
"""

import sys

import numpy
import onnx.parser
import onnxruntime

onnxruntime.set_default_logger_severity(4)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 15]>
    graph (float[N] x) => (float[N] y, int64[1] shape) {
      s = Mul (x, x)
      c = Cast <to = 7> (s)
      y = Identity (s)
      shape = Shape (c)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.array([1.0, 3.0], numpy.float32)}
EXPECTED = [[1.0, 9.0], [2]]


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return [output.tolist() for output in session.run(None, INPUTS)]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["PreShapeNodeElimination"])
print("expected:", EXPECTED, "found:", found, "without PreShapeNodeElimination:", without, sep="\n")
sys.exit(0 if found == EXPECTED else 1)

"""Padding becomes that of AveragePool with ceil_mode, and the last window is left out.

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
    graph (float[1,1,5,1] x) => (float[1,1,4,1] y) <int64[8] pads = {0, 0, 1, 0, 0, 0, 1, 0}> {
      p = Pad (x, pads)
      y = AveragePool <kernel_shape = [2, 1], strides = [2, 1], ceil_mode = 1, count_include_pad = 1> (p)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.ones((1, 1, 5, 1), numpy.float32)}
EXPECTED = numpy.array([[[[0.5], [1.0], [1.0], [0.0]]]])


def run(**settings):
    try:
        session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"], **settings)
        return session.run(None, INPUTS)[0]
    except Exception as error:  # the model is refused
        return str(error).strip().splitlines()[0]


print("onnxruntime", onnxruntime.__version__)
found, without = run(), run(disabled_optimizers=["Pad_Fusion"])
print("expected:", EXPECTED, "found:", found, "without Pad_Fusion:", without, sep="\n")
right = isinstance(found, numpy.ndarray) and found.shape == EXPECTED.shape and numpy.allclose(found, EXPECTED, 1e-12, 0)
sys.exit(0 if right else 1)

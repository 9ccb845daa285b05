"""AveragePool between DequantizeLinear and QuantizeLinear adds the zero point before it rounds a tie to even.

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
    graph (int8[1,1,1,1] x) => (int8[1,1,2,1] y) <float scale = {0.5}, int8 zero = {3}> {
      a = DequantizeLinear (x, scale, zero)
      c = AveragePool <kernel_shape = [2, 3], pads = [1, 1, 1, 1], count_include_pad = 1> (a)
      y = QuantizeLinear (c, scale, zero)
    }
    """
).SerializeToString()
INPUTS = {"x": numpy.full((1, 1, 1, 1), -126, numpy.int8)}
EXPECTED = numpy.full((1, 1, 2, 1), -19)


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

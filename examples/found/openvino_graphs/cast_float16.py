"""Casts from float to float16 and back: both are left out, so that nothing is rounded and nothing overflows.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

numpy.set_printoptions(precision=17)
MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float[3] x) => (float[3] y) {
      h = Cast <to = 10> (x)
      y = Cast <to = 1> (h)
    }
    """
).SerializeToString()
INPUTS = [numpy.array([40403, 1e6, 0.1], numpy.float32)]
EXPECTED = numpy.array([40416, numpy.inf, 0.0999755859375])

print("openvino", openvino.__version__)
core = openvino.Core()
model = core.read_model(MODEL)
plain = openvino.Tensor(openvino.Type.f32, openvino.Shape([3]))
model.evaluate([plain], [openvino.Tensor(value) for value in INPUTS])
found = core.compile_model(model, "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})(INPUTS)[0]
print("expected:", EXPECTED, "found:", found, "by Model.evaluate, without compiling:", plain.data, sep="\n")
sys.exit(0 if numpy.array_equal(found, EXPECTED) else 1)

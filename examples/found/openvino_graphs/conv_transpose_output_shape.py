"""ConvTranspose with output_shape: if the spatial extents are symbolic, all of the padding is put at the end of an axis.

pip install numpy onnx==1.23.2 openvino==2026.4.1
"""

import sys

import numpy
import onnx.parser
import openvino

MODEL = """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float[1,1,{extent}] x) => (float[n,c,w] y) <float[1,1,3] weight = {{1, 10, 100}}> {{
      y = ConvTranspose <output_shape = [3]> (x, weight)
    }}
    """
INPUTS = [numpy.array([[[1, 2, 3]]], numpy.float32)]
# The whole result is 1, 12, 123, 230, 300. Of the five columns two are too many: one on each side.
EXPECTED = numpy.array([[[12, 123, 230]]])


def run(extent):
    model = onnx.parser.parse_model(MODEL.format(extent=extent)).SerializeToString()
    core = openvino.Core()
    return core.compile_model(core.read_model(model), "CPU", {"EXECUTION_MODE_HINT": "ACCURACY"})(INPUTS)[0]


print("openvino", openvino.__version__)
found, fixed = run("W"), run("3")
print("expected:", EXPECTED, "found:", found, "with the extent in the model:", fixed, sep="\n")
sys.exit(0 if numpy.array_equal(found, EXPECTED) else 1)

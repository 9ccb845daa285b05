"""Resize keeps a mode that opset 13 has no more.

pip install onnx==1.23.2 numpy onnxruntime==1.31.1
"""

import sys

import onnx
from onnx import parser, version_converter

MODEL = parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 12]>
    graph (float[1,1,1,2] x) => (float[1,1,1,4] y) <float[0] roi = {}, float[4] scales = {1, 1, 1, 2}> {
      y = Resize <coordinate_transformation_mode = "tf_half_pixel_for_nn"> (x, roi, scales)
    }
    """
)


def mode(model):
    attributes = [a for node in model.graph.node for a in node.attribute]
    return next(a.s.decode() for a in attributes if a.name == "coordinate_transformation_mode")


try:
    found = mode(version_converter.convert_version(MODEL, 13))
except Exception as error:  # there is no model, or an invalid one
    while error.__cause__ is not None:
        error = error.__cause__
    print("right: refused,", error)
    sys.exit(0)
print("onnx", onnx.__version__)
TEXT = onnx.defs.get_schema("Resize", 13).attributes["coordinate_transformation_mode"].description
print("expected: a refusal, or a mode of Resize-13:", TEXT, "found:", found, sep="\n")
sys.exit(0 if found in TEXT else 1)

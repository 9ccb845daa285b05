"""Pad keeps the mode wrap, which it does not have in opset 18.

pip install onnx==1.23.2 numpy onnxruntime==1.31.1
"""

import sys

import onnx
from onnx import parser, version_converter

MODEL = parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 19]>
    graph (float[2] x) => (float[3] y) <int64[2] pads = {0, 1}> {
      y = Pad <mode = "wrap"> (x, pads)
    }
    """
)


def mode(model):
    return next(a.s.decode() for node in model.graph.node for a in node.attribute if a.name == "mode")


try:
    found = mode(version_converter.convert_version(MODEL, 18))
except Exception as error:  # there is no model, or an invalid one
    while error.__cause__ is not None:
        error = error.__cause__
    print("right: refused,", error)
    sys.exit(0)
print("onnx", onnx.__version__)
TEXT = onnx.defs.get_schema("Pad", 18).attributes["mode"].description
print("expected: a refusal, or a mode of Pad-18:", TEXT, "found:", found, sep="\n")
sys.exit(0 if found in TEXT else 1)

"""The running mean is declared with the type of the input.

pip install onnx==1.23.2 numpy onnxruntime==1.31.1 onnxslim==0.1.98
"""

import sys

import onnx
import onnxslim
from onnx import parser

MODEL = parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 21]>
    graph (float16[2,1] x, float16[1] s, float16[1] b, float[1] mean, float[1] var)
      => (float16[2,1] y, float[1] m, float[1] v) {
      y, m, v = BatchNormalization <training_mode = 1> (x, s, b, mean, var)
    }
    """
)
EXPECTED = ["FLOAT16", "FLOAT", "FLOAT"]


def run(model):
    onnx.checker.check_model(model, full_check=True)
    return [onnx.TensorProto.DataType.Name(output.type.tensor_type.elem_type) for output in model.graph.output]


try:
    found = run(onnxslim.slim(MODEL))
except Exception as error:  # there is no model, or an invalid one
    while error.__cause__ is not None:
        error = error.__cause__
    found = [" ".join(str(error).split())]
print("onnxslim", onnxslim.__version__)
print("expected:", *EXPECTED, "found:", *found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)

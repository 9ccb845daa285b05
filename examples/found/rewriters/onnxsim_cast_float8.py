"""A constant that is cast to float8 becomes one of uint8.

pip install onnx==1.23.2 numpy onnxruntime==1.31.1 onnxsim==0.8.1
"""

import sys

import onnx
import onnxsim
from onnx import parser

MODEL = parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 19]>
    graph () => (float8e4m3fn[1] y) <float[1] x = {1}> {
      y = Cast <to = 17> (x)
    }
    """
)
EXPECTED = ["FLOAT8E4M3FN"]


def run(model):
    onnx.checker.check_model(model, full_check=True)
    return [onnx.TensorProto.DataType.Name(output.type.tensor_type.elem_type) for output in model.graph.output]


try:
    found = run(onnxsim.simplify(MODEL)[0])
except Exception as error:  # there is no model, or an invalid one
    while error.__cause__ is not None:
        error = error.__cause__
    found = [" ".join(str(error).split())]
print("onnxsim", onnxsim.__version__)
print("expected:", *EXPECTED, "found:", *found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)

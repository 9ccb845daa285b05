"""Slice: with a negative start at run time, an axis is not cut.

pip install numpy onnx==1.23.2 tract==0.23.9
"""

import sys
import tempfile

import numpy
import onnx.parser
import tract

MODEL = onnx.parser.parse_model(
    """
    <ir_version: 8, opset_import: ["" : 17]>
    graph (float[1,2] x, int64[1] start, int64[1] end) => (float[1,1] y) <int64[1] axis = {1}, int64[1] step = {3}> {
      n = Slice (x, start, end, axis, step)
      y = Identity (n)
    }
    """
)
INPUTS = [numpy.zeros((1, 2), numpy.float32), numpy.array([-1]), numpy.array([4])]
EXPECTED = [[0.0]]

with tempfile.TemporaryDirectory() as folder:
    onnx.save(MODEL, folder + "/model.onnx")
    model = tract.onnx().load(folder + "/model.onnx").into_model().into_runnable()
    found = model.run(INPUTS)[0].to_numpy().tolist()
print("tract", getattr(tract, "__version__", "0.23.9"))
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)

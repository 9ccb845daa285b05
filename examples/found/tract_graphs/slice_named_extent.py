"""Slice: with a start at run time, a named extent is not cut at the end that is given.

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
    graph (float[N] x, int64[1] start) => (float[M] y) <int64[1] end = {1}, int64[1] axis = {0}> {
      y = Slice (x, start, end, axis)
    }
    """
)
INPUTS = [numpy.array([3, 4], numpy.float32), numpy.array([0])]
EXPECTED = [3.0]

with tempfile.TemporaryDirectory() as folder:
    onnx.save(MODEL, folder + "/model.onnx")
    model = tract.onnx().load(folder + "/model.onnx").into_model().into_runnable()
    try:
        found = model.run(INPUTS)[0].to_numpy().tolist()
    except Exception as error:
        found = " ".join(str(error).split("Stack backtrace")[0].split())
print("tract", getattr(tract, "__version__", "0.23.9"))
print("expected:", EXPECTED, "found:", found, sep="\n")
sys.exit(0 if found == EXPECTED else 1)

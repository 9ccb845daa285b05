"""Runs a case in ONNX Runtime without Plumbline, for a bug report; needs the packages onnx, numpy and onnxruntime.

python3 examples/bug_report/run_case.py generators/regressions/Loop-constant-strings
python3 examples/bug_report/run_case.py target/conformance/repro/Div-crash-1a2b3c4d

One session runs the inputs of each data set of the folder, and then those of the first data set again. Each answer is
printed with the expected one.
"""

import pathlib
import sys

import numpy
import onnx
import onnxruntime
from onnx import numpy_helper


def value(path):
    data = path.read_bytes()
    try:
        return numpy_helper.to_array(onnx.TensorProto.FromString(data))
    except Exception:  # no tensor
        return numpy_helper.to_list(onnx.SequenceProto.FromString(data))


def values(folder, kind):
    paths = sorted(folder.glob(f"{kind}_*.pb"), key=lambda path: int(path.stem.split("_")[1]))
    return [value(path) for path in paths]


def main():
    folder = pathlib.Path(sys.argv[1])
    numpy.set_printoptions(threshold=64)
    print("onnxruntime", onnxruntime.__version__)
    session = onnxruntime.InferenceSession((folder / "model.onnx").read_bytes(), providers=["CPUExecutionProvider"])
    sets = sorted(folder.glob("test_data_set_*"))
    for run, data in enumerate([*sets, sets[0]], start=1):
        feeds = {formal.name: given for formal, given in zip(session.get_inputs(), values(data, "input"))}
        names = [output.name for output in session.get_outputs()]
        answers = session.run(names, feeds)
        wanted = values(data, "output") or [None] * len(names)
        for name, answer, right in zip(names, answers, wanted):
            print(f"run {run}, {data.name}, {name}:\n{answer}\nexpected:\n{right}")


if __name__ == "__main__":
    main()

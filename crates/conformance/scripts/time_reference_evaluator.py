"""Times onnx's ReferenceEvaluator over published cases: read, run, compare with the suite's tolerance, on one core.

Reads case folders from stdin, one a line; prints `seconds passed failed refused`. Case reading and model loading count, as they
do for the oracle; importing packages does not.
"""

import pathlib
import sys
import time

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator


def load(path, proto):
    data = onnx.TensorProto()
    data.ParseFromString(path.read_bytes())
    return numpy_helper.to_array(data)


def same(want, got):
    if want.shape != np.asarray(got).shape:
        return False
    if want.dtype.kind == "f":
        return np.allclose(want, got, rtol=1e-3, atol=1e-7, equal_nan=True)
    return np.array_equal(want, got)


def run(folder):
    model = onnx.load(folder / "model.onnx")
    evaluator = ReferenceEvaluator(model)
    initializers = {i.name for i in model.graph.initializer}
    names = [i.name for i in model.graph.input if i.name not in initializers]
    good = True
    for data in sorted(folder.glob("test_data_set_*")):
        inputs = {n: load(data / f"input_{i}.pb", None) for i, n in enumerate(names) if (data / f"input_{i}.pb").exists()}
        outputs = evaluator.run(None, inputs)
        for i, got in enumerate(outputs):
            good &= same(load(data / f"output_{i}.pb", None), got)
    return good


def main():
    folders = [pathlib.Path(line.strip()) for line in sys.stdin if line.strip()]
    counts = {"passed": 0, "failed": 0, "refused": 0}
    start = time.perf_counter()
    for folder in folders:
        try:
            counts["passed" if run(folder) else "failed"] += 1
        except Exception:
            counts["refused"] += 1
    print(time.perf_counter() - start, *counts.values())


main()

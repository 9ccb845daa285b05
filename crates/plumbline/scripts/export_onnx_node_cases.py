#!/usr/bin/env python3
"""Writes ONNX's node cases out as folders, from a release whose package holds them only as Python code.

    export_onnx_node_cases.py VERSION OUT

Runs in a Python that has onnx VERSION. Below OUT comes one folder a case: model.onnx, test_data_set_0/input_0.pb and so on.
Progress goes to stderr; stdout gets the versions of the packages that computed the cases, one `name version` a line.
"""

import importlib.metadata
import pathlib
import sys
import warnings

import numpy
import onnx
from onnx import numpy_helper


def message(value, info):
    """A value of a case as the message its declared type asks for."""
    if hasattr(value, "SerializeToString"):
        return value
    kind = info.type.WhichOneof("value")
    if kind == "map_type":
        return numpy_helper.from_dict(value, info.name)
    if kind == "sequence_type":
        return numpy_helper.from_list(value, info.name)
    if kind == "optional_type":
        return numpy_helper.from_optional(value, info.name)
    if kind == "tensor_type":
        return numpy_helper.from_array(numpy.asarray(value), info.name)
    raise TypeError(f"no message for a value of type {kind}")


def write_values(folder, what, values, infos):
    if len(values) > len(infos):
        raise ValueError(f"{len(values)} {what}s for {len(infos)} declared")
    for at, (value, info) in enumerate(zip(values, infos)):
        (folder / f"{what}_{at}.pb").write_bytes(message(value, info).SerializeToString())


def main():
    version, out = sys.argv[1], pathlib.Path(sys.argv[2])
    if onnx.__version__ != version:
        sys.exit(f"this Python has onnx {onnx.__version__}, not {version}")
    # Cases of overflow and of NaN make numpy warn.
    warnings.filterwarnings("ignore")
    from onnx.backend.test.loader import load_model_tests

    print("  computing node cases", file=sys.stderr, flush=True)
    cases = sorted(load_model_tests(kind="node"), key=lambda case: case.name)
    for count, case in enumerate(cases, 1):
        folder = out / case.name
        # A second case of the same name would overwrite the first.
        folder.mkdir(parents=True)
        (folder / "model.onnx").write_bytes(case.model.SerializeToString())
        for number, (inputs, outputs) in enumerate(case.data_sets):
            data = folder / f"test_data_set_{number}"
            data.mkdir()
            try:
                write_values(data, "input", inputs, case.model.graph.input)
                write_values(data, "output", outputs, case.model.graph.output)
            except (TypeError, ValueError) as error:
                sys.exit(f"{case.name}: {error}")
        if count % 500 == 0:
            print(f"  {count} of {len(cases)} node cases", file=sys.stderr, flush=True)
    for package in ("onnx", "numpy", "ml_dtypes", "protobuf"):
        try:
            print(package, importlib.metadata.version(package))
        except importlib.metadata.PackageNotFoundError:
            pass


if __name__ == "__main__":
    main()

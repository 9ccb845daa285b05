"""Loads the generated cases of a corpus with ONNX's own loader, and runs them with ONNX's own runner of tests.

`python onnx_loader.py CORPUS` uses ONNX's reference implementation. With `--backend onnxruntime.backend`, it uses the
function `prepare` of that module instead. Each folder of an operator version and a type is what ONNX calls a kind of
tests.
"""

import argparse
import collections
import glob
import importlib
import os

import numpy
import onnx
from onnx.backend.test.loader import load_model_tests
from onnx.backend.test.runner import Runner
from onnx.reference import ReferenceEvaluator


def reference(model):
    """Returns a function that runs a model with ONNX's reference implementation."""
    evaluator = ReferenceEvaluator(model)
    return lambda inputs: evaluator.run(None, dict(zip(evaluator.input_names, inputs)))


def values(folder, what, infos):
    """Returns the inputs or the outputs of a data set, as ONNX's runner reads them."""
    read = []
    for at in range(len(glob.glob(os.path.join(folder, f"{what}_*.pb")))):
        message, convert = {
            "tensor_type": (onnx.TensorProto(), onnx.numpy_helper.to_array),
            "sequence_type": (onnx.SequenceProto(), onnx.numpy_helper.to_list),
            "optional_type": (onnx.OptionalProto(), onnx.numpy_helper.to_optional),
        }[infos[at].type.WhichOneof("value")]
        with open(os.path.join(folder, f"{what}_{at}.pb"), "rb") as file:
            message.ParseFromString(file.read())
        read.append(convert(message))
    return read


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus")
    parser.add_argument("--backend", help="a module with `prepare`, such as onnxruntime.backend")
    args = parser.parse_args()
    module = importlib.import_module(args.backend) if args.backend else None
    counts = collections.Counter()
    for version in sorted(glob.glob(os.path.join(args.corpus, "generated", "*"))):
        for kind in sorted(os.listdir(version)):
            for case in load_model_tests(version, kind):
                model = onnx.load(os.path.join(case.model_dir, "model.onnx"))
                try:
                    run = module.prepare(model).run if module else reference(model)
                    for folder in sorted(glob.glob(os.path.join(case.model_dir, "test_data_set_*"))):
                        outputs = run(values(folder, "input", model.graph.input))
                        expected = values(folder, "output", model.graph.output)
                        with numpy.errstate(all="ignore"):
                            Runner.assert_similar_outputs(expected, list(outputs), rtol=case.rtol, atol=case.atol)
                    counts["alike"] += 1
                except AssertionError:
                    counts["different"] += 1
                except Exception as error:
                    counts[f"refused with {type(error).__name__}"] += 1
    for word, count in counts.most_common():
        print(f"{count} {word}")


if __name__ == "__main__":
    main()

"""The runtime tract as a backend, through its Python API: the package tract.

A panic of tract ends the process, so a copy of the process runs the models: the next copy starts within milliseconds.
"""

import pathlib

import tract
from plumbline_onnx import Model, ModelFile, Tensor, read_value, write_value
from plumbline_worker import Refusal, serve

# The element types of tract's API for Python. Others, such as strings, cannot be given to it.
TYPES = {"bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float16", "float", "double"}
# What tract says about an operator, a version or an element type that it does not have. Its other messages about missing
# support refuse a model that the specification allows, because of an attribute or because an input is no constant.
MISSING = ("unimplemented(", "unsupported operator set for ", "unknown datumtype", "unsupported datum type", "unsupported output datum type",
           "unsupported input datum type", "not implemented for type", " does not support ", "unsupported type ",
           "expects a plain number or boolean input, got ", "is not a number", "doesn't implement num_traits",
           "unknown onnx tensorproto.datatype", "has no type value", "translating to fact")  # fmt: skip
# How facts about inputs name the element types.
FACTS = {"float": "f32", "double": "f64", "float16": "f16", "bool": "bool"} | {
    f"{sign}int{bits}": f"{sign or 'i'}{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)
}


def refusal(error):
    text = str(error).strip()
    return Refusal("unsupported" if any(phrase in text.lower() for phrase in MISSING) else "failed", text)


def plan(content, facts=()):
    """Plans a model for the extents that it declares, or for these facts about its inputs."""
    with ModelFile(content) as path:
        model = tract.onnx().load(path)
        for place, fact in enumerate(facts):
            model.set_input_fact(place, fact)
        return model.into_model().into_runnable()


def load(content):
    graph = Model(content)
    try:
        declared = plan(content)
    except tract.TractError:
        # A model with symbolic extents is planned when the extents of its inputs are known. Other errors come again then.
        declared = None
    last = (None, None)

    def run(inputs):
        nonlocal last
        tensors = [read_value(*value) for value in inputs]
        for tensor, (kind, _) in zip(tensors, inputs):
            if not isinstance(tensor, Tensor) or tensor.name not in TYPES:
                raise Refusal("unsupported", f"tract's API for Python has no values of type {kind}")
        facts = [",".join([*map(str, tensor.shape), FACTS[tensor.name]]) for tensor in tensors]
        try:
            if declared is None and last[0] != facts:
                last = (facts, plan(content, facts))
            outputs = [array(output) for output in (declared or last[1]).run([tensor.array() for tensor in tensors])]
        except tract.TractError as error:
            raise refusal(error) from None
        return [write_value(output, kind) for output, (_, kind) in zip(outputs, graph.outputs)]

    return run


def array(output):
    try:
        return output.to_numpy()
    except (tract.TractError, ValueError) as error:
        # tract keeps extents as TDim, a type that its API for Python cannot return. In ONNX, they are int64.
        if "TDim" not in str(error):
            raise
        return output.convert_to(tract.DatumType.I64).to_numpy()


# The list is a file of its own, because Plumbline's adapter in Rust has it as well.
constants = pathlib.Path(__file__).with_name("tract_constant_inputs.txt").read_text(encoding="utf-8").splitlines()
words = [line.split() for line in constants if line and not line.startswith("#")]
profile = {"constant_inputs": {first: rest for first, *rest in words}, "accuracy": "ieee-754"}
serve("tract-python", tract.version(), load=load, profile=profile, fork=True)

"""OpenVINO as a backend, through its Python API.

usage: openvino_adapter.py [--device CPU] [--option KEY=VALUE]...

Models are compiled with EXECUTION_MODE_HINT=ACCURACY, which computes in the types of the model: OpenVINO's default computes
float in bfloat16 or float16 where the processor has instructions for it. `--option EXECUTION_MODE_HINT=VALUE` replaces
it.

Some models end the process, so a copy of the process runs the models: the next copy need not import OpenVINO again. Its
plug-ins, which start threads, are only loaded in the copy.
"""

import argparse
import importlib.metadata

import numpy
import openvino
from plumbline_onnx import Model, Tensor, read_value, write_value
from plumbline_worker import Refusal, serve

# OpenVINO's element types, by ONNX's names.
TYPES = {"float": "f32", "double": "f64", "float16": "f16", "bfloat16": "bf16", "bool": "boolean", "string": "string",
         "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16", "uint32": "u32",
         "uint64": "u64", "int4": "i4", "uint4": "u4", "uint2": "u2", "float8e4m3fn": "f8e4m3", "float8e5m2": "f8e5m2",
         "float8e8m0": "f8e8m0", "float4e2m1": "f4e2m1"}  # fmt: skip
NAMES = {openvino_name: name for name, openvino_name in TYPES.items()}
# What OpenVINO says when it lacks an operator, a type or a form of an operator.
MISSING = ("no conversion rule", "not supported", "unsupported", "not implemented", "isn't supported", "doesn't support",
           "does not support")  # fmt: skip

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="CPU")
parser.add_argument("--option", action="append", default=[])
arguments = parser.parse_args()
options = {"EXECUTION_MODE_HINT": "ACCURACY"} | dict(option.split("=", 1) for option in arguments.option)
core = openvino.Core()


def refusal(error):
    text = str(error).strip()
    return Refusal("unsupported" if any(phrase in text.lower() for phrase in MISSING) else "failed", text)


def load(model):
    graph = Model(model)
    try:
        compiled = core.compile_model(core.read_model(model), arguments.device, options)
        request = compiled.create_infer_request()
    except RuntimeError as error:
        raise refusal(error) from None
    places = places_of(compiled.inputs, [name for name, _ in graph.inputs])
    if None in places or len(compiled.outputs) != len(graph.outputs):
        raise Refusal("failed", f"the compiled model has {len(compiled.inputs)} inputs and {len(compiled.outputs)} outputs, "
                                f"the ONNX model {len(graph.inputs)} and {len(graph.outputs)}")  # fmt: skip

    def run(inputs):
        values = [read_value(*value) for value in inputs]
        for value, (kind, _) in zip(values, inputs):
            if not isinstance(value, Tensor):
                raise Refusal("unsupported", f"inputs of type {kind}")
        for port, place in enumerate(places):
            request.set_input_tensor(port, to_openvino(values[place]))
        try:
            request.infer()
        except RuntimeError as error:
            raise refusal(error) from None
        return [write_value(from_openvino(request.get_output_tensor(place))) for place in range(len(graph.outputs))]

    return run


def places_of(ports, names):
    """The place of each input of a compiled model among the inputs of the graph: OpenVINO drops inputs that no node reads."""
    if len(ports) == len(names):
        return list(range(len(names)))
    places = [next((place for place, name in enumerate(names) if name in port.get_names()), None) for port in ports]
    # OpenVINO gives an input that is also an output the name of the output. It keeps the order of the inputs.
    rest = iter([place for place in range(len(names)) if place not in places])
    return [next(rest, None) if place is None else place for place in places]


def to_openvino(value):
    name = TYPES.get(value.name)
    if name is None:
        raise Refusal("unsupported", f"OpenVINO has no tensors of {value.name}")
    tensor = openvino.Tensor(getattr(openvino.Type, name), openvino.Shape(value.shape))
    if value.name == "string":
        tensor.str_data = numpy.array(value.data, dtype="U").reshape(value.shape)
    else:
        tensor.data.reshape(-1).view(numpy.uint8)[:] = numpy.frombuffer(value.data, dtype=numpy.uint8)
    return tensor


def from_openvino(tensor):
    name = NAMES.get(tensor.element_type.to_string())
    if name is None:
        raise Refusal("failed", f"an output of OpenVINO's type {tensor.element_type.to_string()}")
    if name == "string":
        return Tensor(name, tensor.shape, [bytes(text).decode(errors="replace") for text in tensor.bytes_data.reshape(-1)])
    return Tensor(name, tensor.shape, tensor.data.tobytes())


version = importlib.metadata.version("openvino")
if arguments.device != "CPU":
    version += f"+{arguments.device}"
if arguments.option:
    version += "+" + ",".join(arguments.option)
profile = {"accuracy": "ieee-754"} if arguments.device == "CPU" else None
serve("openvino", version, load=load, profile=profile, fork=True)

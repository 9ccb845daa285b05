"""Runs the cases of a corpus in ONNX Runtime's Python package: the runner for `judge.py --runner`.

Sessions have the options that Plumbline's own backend `onnxruntime` sets, so that both give the same verdicts.
"""

import ctypes

import numpy
import onnx
import onnxruntime
from judge import Tensor, Unsupported, plain
from onnxruntime.capi import onnxruntime_pybind11_state as states

# Sessions get values as the judge has them, and not as arrays, because numpy has no bfloat16 and no types of 4 bits.
RAW = True

# Parts of ONNX Runtime's messages about an operator, a version or an element type that it does not have. Its exceptions
# with these messages have no class of their own.
UNKNOWN = [
    "is not a registered function/op",
    "no op registered for",
    "is not currently registered or supported",
    "failed to load model with error: tensor type ",
    "failed to load model with error: invalid tensor data type ",
    "unsupported model ir version",
    "is under development and support for this is limited",
    # These are about values that the Python package cannot pass.
    "can't be converted to mldatatype",
    "cannot be linked to c type",
    "no corresponding numpy type",
    "only ortvalues that are tensors are currently supported",
]

# The integers of numpy in which the bits of an element travel.
CODES = {1: numpy.uint8, 2: numpy.uint16, 4: numpy.uint32, 8: numpy.uint64}

NUMBERS = {name.lower(): number for name, number in onnx.TensorProto.DataType.items()}
NAMES = {number: name for name, number in NUMBERS.items()}


def options():
    """Returns options for a session: one thread, no logging, and the graph optimizations that a user gets by default."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.enable_mem_pattern = False
    options.enable_cpu_mem_arena = False
    return options


def refusal(error):
    """Returns the exception that tells the judge whether the runtime lacks something or refuses the case."""
    text = str(error).lower()
    if isinstance(error, states.NotImplemented) or any(words in text for words in UNKNOWN):
        return Unsupported(str(error))
    return error


def strings_to_ort(tensor):
    """Returns a value of strings: the output of a model, because the package makes no such value from an array."""
    proto = onnx.TensorProto(data_type=NUMBERS["string"], dims=tensor.shape, string_data=tensor.data)
    node = onnx.helper.make_node("Constant", [], ["strings"], value=proto)
    output = onnx.helper.make_tensor_value_info("strings", NUMBERS["string"], tensor.shape)
    graph = onnx.helper.make_graph([node], "strings", [], [output])
    model = onnx.helper.make_model(graph, ir_version=8, opset_imports=[onnx.helper.make_opsetid("", 13)])
    session = onnxruntime.InferenceSession(model.SerializeToString(), options(), providers=["CPUExecutionProvider"])
    return session.run_with_ort_values(["strings"], {})[0]


def to_ort(tensor):
    """Returns a value of ONNX Runtime, and the array whose memory it uses."""
    if tensor.dtype == "string":
        return strings_to_ort(tensor), None
    raw, count = tensor.to_bytes(), len(tensor)
    width = tensor.data.itemsize * (2 if tensor.kind == "complex" else 1)
    if width > 8:
        raise Unsupported(f"ONNX Runtime has no {tensor.type}")
    # Elements of 4 bits are packed into the first bytes of an array that has a byte for each element.
    codes = numpy.zeros(count, CODES[width])
    codes.view(numpy.uint8)[: len(raw)] = numpy.frombuffer(raw, numpy.uint8)
    codes = codes.reshape(tensor.shape)
    try:
        value = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(codes, NUMBERS[tensor.dtype])
    except RuntimeError as error:
        raise Unsupported(f"ONNX Runtime cannot make a {tensor.type}: {error}") from None
    return value, codes


def from_ort(value):
    """Returns the tensor of a value of ONNX Runtime."""
    dtype, shape = NAMES[value.element_type()], tuple(value.shape())
    if dtype == "string":
        return Tensor.from_array(value.numpy())
    return Tensor.from_bytes(dtype, shape, ctypes.string_at(value.data_ptr(), value.tensor_size_in_bytes()))


def typed(output, type_):
    """Returns an output with its type: ONNX Runtime returns floats of 8 bits as an array of uint8."""
    if type_.startswith("tensor(float8") and output.dtype == numpy.uint8:
        return Tensor.from_bytes(type_[len("tensor(") : -1], output.shape, output.tobytes())
    return output


def prepare(model):
    """Loads a model, and returns the function that runs it."""
    try:
        session = onnxruntime.InferenceSession(model, options(), providers=["CPUExecutionProvider"])
    except Exception as error:
        raise refusal(error) from None
    names = [output.name for output in session.get_outputs()]
    types = [output.type for output in session.get_outputs()]
    plain_only = any(not type_.startswith("tensor(") for type_ in types)

    def run(inputs):
        is_plain = plain_only or any(not isinstance(value, Tensor) for value in inputs.values())
        if is_plain:
            feed = {name: plain(value) for name, value in inputs.items()}
        else:
            pairs = {name: to_ort(value) for name, value in inputs.items()}
            feed = {name: value for name, (value, _) in pairs.items()}
        try:
            if is_plain:
                return [typed(output, type_) for output, type_ in zip(session.run(names, feed), types)]
            return [from_ort(value) for value in session.run_with_ort_values(names, feed)]
        except Exception as error:
            raise refusal(error) from None

    return run

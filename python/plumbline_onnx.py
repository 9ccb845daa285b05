"""ONNX's values for backends written in Python: reads and writes them as numpy arrays, and lists what a model expects.

It reads protobuf itself, so that a worker starts fast and needs numpy only. Element types that numpy does not have
(bfloat16, floats of 8 bits, integers of 4 bits) are types of the package ml_dtypes if it is installed; without it, their
elements are available as bits.
"""

import contextlib
import functools
import os
import re
import struct
import tempfile

import numpy
from plumbline_worker import Refusal

# ONNX's names of the element types, by number.
NAMES = {1: "float", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 8: "string", 9: "bool", 10: "float16",
         11: "double", 12: "uint32", 13: "uint64", 14: "complex64", 15: "complex128", 16: "bfloat16", 17: "float8e4m3fn",
         18: "float8e4m3fnuz", 19: "float8e5m2", 20: "float8e5m2fnuz", 21: "uint4", 22: "int4", 23: "float4e2m1", 24: "float8e8m0",
         25: "uint2", 26: "int2", 27: "float6e2m3", 28: "float6e3m2"}  # fmt: skip
NUMBERS = {name: number for number, name in NAMES.items()}
# The types that numpy calls by another name, and those of ml_dtypes.
NUMPY_NAMES = {"float": "float32", "double": "float64"}
ML_DTYPES = {"bfloat16": "bfloat16", "float8e4m3fn": "float8_e4m3fn", "float8e4m3fnuz": "float8_e4m3fnuz",
             "float8e5m2": "float8_e5m2", "float8e5m2fnuz": "float8_e5m2fnuz", "float8e8m0": "float8_e8m0fnu",
             "float4e2m1": "float4_e2m1fn", "float6e2m3": "float6_e2m3fn", "float6e3m2": "float6_e3m2fn",
             "int4": "int4", "uint4": "uint4", "int2": "int2", "uint2": "uint2"}  # fmt: skip
# The newest release of ONNX whose texts Plumbline knows.
NEWEST_RELEASE = (1, 23)
# The types of which a byte holds several elements.
BITS = {"float6e2m3": 6, "float6e3m2": 6, "int4": 4, "uint4": 4, "float4e2m1": 4, "int2": 2, "uint2": 2}


def release(version):
    """The release of ONNX with this version of the package onnx, such as 1.21. None if Plumbline does not know it: then the
    newest one that it knows counts."""
    numbers = re.match(r"(\d+)\.(\d+)\.", version)
    known = numbers and tuple(map(int, numbers.groups())) <= NEWEST_RELEASE
    return ".".join(numbers.groups()) if known else None


@functools.cache
def dtype(name):
    """The numpy type of ONNX's element type `name`, or None if no installed package has it."""
    if name in ML_DTYPES:
        try:
            import ml_dtypes
        except ImportError:
            return None
        found = getattr(ml_dtypes, ML_DTYPES[name], None)
        return None if found is None else numpy.dtype(found)
    if name == "string":
        return numpy.dtype(object)
    return numpy.dtype(NUMPY_NAMES.get(name, name))


@functools.cache
def type_name(kind):
    """ONNX's name of a numpy type."""
    if kind.kind in "OUS":
        return "string"
    for name in NAMES.values():
        if name != "string" and dtype(name) == kind:
            return name
    raise Refusal("unsupported", f"an output of numpy's type {kind}")


class Tensor:
    """A tensor as it is sent: the name of its element type, its shape, and its elements.

    `data` holds them as in `raw_data`: little-endian, elements of 2, 4 or 6 bits without gaps, the first in the low bits. The
    elements of a tensor of strings are a list of str.
    """

    def __init__(self, name, shape, data):
        self.name, self.shape, self.data = name, tuple(shape), data

    @property
    def kind(self):
        return f"tensor({self.name})"

    def array(self):
        """The elements as an array that owns its memory; it has no dimension if the tensor has none."""
        if self.name == "string":
            array = numpy.empty(len(self.data), dtype=object)
            array[:] = self.data
            return array.reshape(self.shape)
        to = dtype(self.name)
        if to is None:
            raise Refusal("unsupported", f"tensors of {self.name}: the package ml_dtypes is not installed")
        if self.name in BITS:
            count = int(numpy.prod(self.shape, dtype=numpy.int64))
            return unpacked(self.data, BITS[self.name], count).view(to).reshape(self.shape)
        return numpy.frombuffer(self.data, dtype=to.newbyteorder("<")).astype(to, copy=True).reshape(self.shape)

    @staticmethod
    def of_array(array):
        """The tensor with the elements of an array, or of a number."""
        array = numpy.asarray(array)
        name = type_name(array.dtype)
        if name == "string":
            texts = [item.decode() if isinstance(item, bytes) else str(item) for item in array.reshape(-1).tolist()]
            return Tensor(name, array.shape, texts)
        if name in BITS:
            return Tensor(name, array.shape, packed(array, BITS[name]))
        return Tensor(name, array.shape, array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes())


def unpacked(data, bits, count):
    """The elements of 2, 4 or 6 bits as bytes, which is how ml_dtypes keeps them."""
    source = numpy.unpackbits(numpy.frombuffer(data, dtype=numpy.uint8), count=count * bits, bitorder="little")
    return numpy.packbits(source.reshape(count, bits), axis=1, bitorder="little").reshape(-1)


def packed(array, bits):
    """The bytes that hold the elements of an array of ml_dtypes' integers or floats of 2, 4 or 6 bits."""
    elements = numpy.ascontiguousarray(array).reshape(-1, 1).view(numpy.uint8)
    return numpy.packbits(numpy.unpackbits(elements, axis=1, bitorder="little")[:, :bits], bitorder="little").tobytes()


def read_value(kind, content):
    """A value of a request: a Tensor, a list of values (a sequence), or None (an optional without a value)."""
    outer = kind.split("(")[0]
    if outer == "tensor":
        return read_tensor(content)
    found = list(fields(content))
    if outer == "seq":
        inner = kind[4:-1]
        return [read_value(inner, value) for number, value in found if number in (3, 5, 7)]
    if outer == "optional":
        inner = kind[9:-1]
        return next((read_value(inner, value) for number, value in found if number in (3, 5, 7)), None)
    raise Refusal("unsupported", f"values of type {kind}")


def plain(value):
    """A value with arrays in place of tensors: an array, a list of such values, or None."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.array() if isinstance(value, Tensor) else value


def read_tensor(content):
    shape, kind, raw, texts = [], 0, b"", []
    for number, value in fields(content):
        if number == 1:
            shape.extend([value] if isinstance(value, int) else varints(value))
        elif number == 2:
            kind = value
        elif number == 6:
            texts.append(bytes(value).decode(errors="replace"))
        elif number == 9:
            raw = value
    name = NAMES.get(kind)
    if name is None:
        raise Refusal("unsupported", f"tensors of the element type {kind}")
    return Tensor(name, shape, texts if name == "string" else raw)


def write_value(value, kind=None):
    """The pair of type and bytes of an output. `value` is a Tensor, an array or a number, a list of such values, or None.

    `kind` is the type that the model declares for the output (Model.outputs). It is needed for sequences and optionals only.
    """
    outer = (kind or "").split("(")[0]
    if outer == "optional":
        inner = kind[9:-1]
        content = b"" if value is None else message(value_field(inner), write_value(value, inner)[1])
        return kind, message(2, element_number(inner)) + content
    if value is None:
        raise Refusal("unsupported", "an output without a value")
    if isinstance(value, (list, tuple)):
        inner = kind[4:-1] if outer == "seq" else None
        contents = [write_value(item, inner) for item in value]
        inner = contents[0][0] if contents else inner
        if inner is None:
            raise Refusal("unsupported", "an empty sequence whose type the model does not declare")
        return f"seq({inner})", message(2, element_number(inner)) + b"".join(
            message(value_field(inner), content) for _, content in contents
        )
    tensor = value if isinstance(value, Tensor) else Tensor.of_array(value)
    return tensor.kind, write_tensor(tensor)


def element_number(kind):
    """The number of a type in the field `elem_type` of a SequenceProto or an OptionalProto."""
    return {"tensor": 1, "seq": 3, "optional": 5}[kind.split("(")[0]]


def value_field(kind):
    """The field of a SequenceProto or an OptionalProto that holds values of a type."""
    return {"tensor": 3, "seq": 5, "optional": 7}[kind.split("(")[0]]


def write_tensor(tensor):
    parts = [message(1, extent) for extent in tensor.shape] + [message(2, NUMBERS[tensor.name])]
    if tensor.name == "string":
        parts += [message(6, text.encode()) for text in tensor.data]
    else:
        parts.append(message(9, tensor.data))
    return b"".join(parts)


class Model:
    """What a backend has to know of a ModelProto: `inputs` and `outputs` are pairs of name and type, such as tensor(float)."""

    def __init__(self, content):
        graph = next((value for number, value in fields(content) if number == 7), b"")
        initialized, inputs, self.outputs = set(), [], []
        for number, value in fields(graph):
            if number == 5:
                initialized.update(text(name) for field, name in fields(value) if field == 8)
            elif number == 15:
                initialized.update(text(name) for field, part in fields(value) if field == 1 for f, name in fields(part) if f == 8)
            elif number == 11:
                inputs.append(value_info(value))
            elif number == 12:
                self.outputs.append(value_info(value))
        # The values of a request are those of the inputs that have no initializer.
        self.inputs = [(name, kind) for name, kind in inputs if name not in initialized]


class ModelFile:
    """A model as a file, for runtimes that read models from a path. It has a name that any program can open, also after
    the runtime has changed its folder or closed its file descriptors; it is in memory where the system has a folder for
    that.

    `with ModelFile(content) as path` deletes the file at the end of the block. What a process leaves that is killed is
    deleted by the next one.
    """

    FOLDER = "/dev/shm" if os.path.isdir("/dev/shm") else tempfile.gettempdir()
    # A copy of the process (a fork) that dies leaves its file to the process that it is a copy of.
    OWNER = os.getpid()
    count = 0

    def __init__(self, content):
        if ModelFile.count == 0:
            ModelFile.delete_those_of_ended_processes()
        ModelFile.count += 1
        self.path = os.path.join(self.FOLDER, f"plumbline-{self.OWNER}-{ModelFile.count}.onnx")
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.path)
        with open(self.path, "xb") as file:
            file.write(content)

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            os.remove(self.path)

    @staticmethod
    def delete_those_of_ended_processes():
        for name in os.listdir(ModelFile.FOLDER):
            found = re.fullmatch(r"plumbline-(\d+)-\d+\.onnx", name)
            if found and not is_running(int(found[1])):
                with contextlib.suppress(OSError):
                    os.remove(os.path.join(ModelFile.FOLDER, name))


def is_running(process):
    """Whether there is a process with this number. Where the system cannot tell, there is."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


def value_info(content):
    found = dict(fields(content))
    return text(found.get(1, b"")), type_text(found.get(2, b""))


def type_text(content):
    """ONNX's spelling of a TypeProto, or None for what is no tensor, sequence or optional."""
    for number, value in fields(content):
        inner = dict(fields(value)).get(1, 0) if isinstance(value, memoryview) else 0
        if number == 1:
            return f"tensor({NAMES.get(inner, inner)})"
        if number in (4, 9):
            return f"{'seq' if number == 4 else 'optional'}({type_text(inner)})"
    return None


def text(content):
    return bytes(content).decode(errors="replace")


def fields(content):
    """The fields of a protobuf message as pairs of number and value: an int, or a memoryview of bytes."""
    content = memoryview(content)
    position = 0
    while position < len(content):
        key, position = varint(content, position)
        form = key & 7
        if form == 0:
            value, position = varint(content, position)
        else:
            length = {1: 8, 5: 4}.get(form)
            if form == 2:
                length, position = varint(content, position)
            if length is None:
                raise Refusal("failed", "the message is not protobuf")
            value, position = content[position : position + length], position + length
        yield key >> 3, value


def varint(content, position):
    value = shift = 0
    while True:
        byte = content[position]
        position += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value - (1 << 64) if value >> 63 else value, position


def varints(content):
    position = 0
    while position < len(content):
        value, position = varint(content, position)
        yield value


def message(number, value):
    """A field of a message. Its value is a number or bytes."""
    if isinstance(value, int):
        return write_varint(number << 3) + write_varint(value)
    return write_varint(number << 3 | 2) + write_varint(len(value)) + bytes(value)


def write_varint(value):
    if 0 <= value < 128:
        return struct.pack("B", value)
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)

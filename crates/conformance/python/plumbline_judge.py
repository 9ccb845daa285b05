#!/usr/bin/env python3
"""Judges the answers of an ONNX runtime by a corpus that `plumbline export` wrote.

As a library:

    import judge
    verdict = judge.judge_case("corpus/generated/Min-13/T=float16/test_17", outputs)
    print(verdict.verdict, verdict.kind, verdict.detail)

`outputs` is a list with an array for each output, or the exception that the runtime raised. As a command:

    python judge.py CORPUS --runner my_runner.py
    python judge.py CORPUS --check

A runner is a Python file, or the name of a module, with a function `prepare(model)`. It takes the bytes of a model and
returns a function, which takes a dictionary of inputs and returns a list of outputs. Each runner has its own process,
so that a crash ends one case only. The command prints one line of JSON for each case, and a summary to stderr.

Exit codes: 0 every verdict is `pass`, `latitude` or `unsupported`, 1 some verdict is another one, 2 wrong usage or a
corpus that is not whole, 3 the runner does not start, 4 there is no case. Plumbline's docs/corpus.md describes the
format of a corpus. This file needs Python 3.9, numpy and onnx, and nothing else; onnx is not needed for a corpus that
consists of models of DxDispatch.
"""

import argparse
import collections
import fnmatch
import hashlib
import importlib
import importlib.util
import json
import math
import os
import queue
import re
import subprocess
import sys
import threading
import time
from fractions import Fraction

import numpy

try:
    import onnx
except ImportError:
    # Without it, only values in files of NumPy can be read, as a corpus for DxDispatch has them.
    onnx = None

FORMAT = 1


class CorpusError(Exception):
    """The corpus is not whole: a file is missing, was changed, is not in the manifest, or does not fit the others."""


class Unsupported(Exception):
    """A runner raises this if the runtime does not have the operator, its version or an element type."""


class DeviceLost(Exception):
    """A runner raises this if the device on which the runtime computes is lost."""


class Crash(Exception):
    """The outcome of a run that ended its process."""


class Timeout(Exception):
    """The outcome of a run that did not answer in time."""


class Garbage(Exception):
    """The outcome of a run whose answer is unusable."""


# Element types: ONNX's number, its name, the number of bits, and what the elements are.

_Type = collections.namedtuple("_Type", "code name bits kind")
_TYPES = [
    _Type(code, name, bits, kind)
    for code, (name, bits, kind) in enumerate(
        [
            ("float", 32, "float"),
            ("uint8", 8, "integer"),
            ("int8", 8, "integer"),
            ("uint16", 16, "integer"),
            ("int16", 16, "integer"),
            ("int32", 32, "integer"),
            ("int64", 64, "integer"),
            ("string", 0, "string"),
            ("bool", 8, "bool"),
            ("float16", 16, "float"),
            ("double", 64, "float"),
            ("uint32", 32, "integer"),
            ("uint64", 64, "integer"),
            ("complex64", 64, "complex"),
            ("complex128", 128, "complex"),
            ("bfloat16", 16, "float"),
            ("float8e4m3fn", 8, "float"),
            ("float8e4m3fnuz", 8, "float"),
            ("float8e5m2", 8, "float"),
            ("float8e5m2fnuz", 8, "float"),
            ("uint4", 4, "integer"),
            ("int4", 4, "integer"),
            ("float4e2m1", 4, "float"),
            ("float8e8m0", 8, "float"),
            ("uint2", 2, "integer"),
            ("int2", 2, "integer"),
            ("float6e2m3", 6, "float"),
            ("float6e3m2", 6, "float"),
        ],
        start=1,
    )
]
_BY_NAME = {t.name: t for t in _TYPES}
_BY_CODE = {t.code: t for t in _TYPES}
# The names that numpy and ml_dtypes have for element types.
_OF_NUMPY = {
    "float32": "float",
    "float64": "double",
    "float8_e4m3fn": "float8e4m3fn",
    "float8_e4m3fnuz": "float8e4m3fnuz",
    "float8_e5m2": "float8e5m2",
    "float8_e5m2fnuz": "float8e5m2fnuz",
    "float4_e2m1fn": "float4e2m1",
    "float8_e8m0fnu": "float8e8m0",
    "float6_e2m3fn": "float6e2m3",
    "float6_e3m2fn": "float6e3m2",
}
_TO_NUMPY = {onnx_name: name for name, onnx_name in _OF_NUMPY.items()}

# Layouts of floats: the bits of the exponent and of the significand, the bias, which patterns are special, and the
# largest number.
_Format = collections.namedtuple("_Format", "exponent mantissa bias specials largest")
_FORMATS = {
    "double": _Format(11, 52, 1023, "ieee", sys.float_info.max),
    "float": _Format(8, 23, 127, "ieee", (2 - 2**-23) * 2.0**127),
    "float16": _Format(5, 10, 15, "ieee", 65504.0),
    "bfloat16": _Format(8, 7, 127, "ieee", (2 - 2**-7) * 2.0**127),
    "float8e4m3fn": _Format(4, 3, 7, "all ones", 448.0),
    "float8e4m3fnuz": _Format(4, 3, 8, "negative zero", 240.0),
    "float8e5m2": _Format(5, 2, 15, "ieee", 57344.0),
    "float8e5m2fnuz": _Format(5, 2, 16, "negative zero", 57344.0),
    "float8e8m0": _Format(8, 0, 127, "exponent", 2.0**127),
    "float6e2m3": _Format(2, 3, 1, "finite", 7.5),
    "float6e3m2": _Format(3, 2, 3, "finite", 28.0),
    "float4e2m1": _Format(2, 1, 1, "finite", 6.0),
}


def _decode(bits, form):
    """Returns the value of one bit pattern of a small float."""
    if form.specials == "exponent":
        return math.nan if bits == 255 else 2.0 ** (bits - form.bias)
    sign = -1.0 if bits >> (form.exponent + form.mantissa) & 1 else 1.0
    exponent = bits >> form.mantissa & ((1 << form.exponent) - 1)
    mantissa = bits & ((1 << form.mantissa) - 1)
    top = (1 << form.exponent) - 1
    if form.specials == "ieee" and exponent == top:
        return sign * math.inf if mantissa == 0 else math.nan
    if form.specials == "all ones" and exponent == top and mantissa == (1 << form.mantissa) - 1:
        return math.nan
    if form.specials == "negative zero" and sign < 0 and exponent == 0 and mantissa == 0:
        return math.nan
    if exponent == 0:
        return sign * mantissa * 2.0 ** (1 - form.bias - form.mantissa)
    return sign * (1 + mantissa / (1 << form.mantissa)) * 2.0 ** (exponent - form.bias)


_DECODED = {}


def _decoded(name):
    """Returns the values of all bit patterns of a float of at most 8 bits."""
    if name not in _DECODED:
        count = 1 << _BY_NAME[name].bits
        _DECODED[name] = numpy.array([_decode(bits, _FORMATS[name]) for bits in range(count)], dtype=numpy.float64)
    return _DECODED[name]


def _ulp(form, x):
    """Returns the distance between two neighbours of this type near a number."""
    smallest = 2.0 ** (-form.bias if form.specials == "exponent" else 1 - form.bias - form.mantissa)
    if not math.isfinite(x):
        return _ulp(form, form.largest)
    power = 0.0 if abs(x) < sys.float_info.min else 2.0 ** (math.frexp(x)[1] - 1)
    return max(power * 2.0**-form.mantissa, smallest)


def _rounded(form, x):
    """Returns a `Fraction` rounded to a type, to nearest and with ties to even."""
    if x == 0:
        return 0.0
    magnitude = abs(x)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if Fraction(2) ** exponent > magnitude:
        exponent -= 1
    step = Fraction(2) ** (max(exponent, 1 - form.bias) - form.mantissa)
    value = Fraction(round(magnitude / step)) * step
    if value > Fraction(form.largest):
        found = {"ieee": math.inf, "finite": form.largest}.get(form.specials, math.nan)
    else:
        found = float(value)
    return -found if x < 0 else found


class Tensor:
    """A tensor of any element type: its type (`float16`), its shape, and its elements in row-major order.

    `data` has the bits of floats as unsigned integers, integers as they are, and strings as a list of bytes. A complex
    number takes two entries: the bits of its real and of its imaginary part.
    """

    __slots__ = ("dtype", "shape", "data", "_values")

    def __init__(self, dtype, shape, data):
        self.dtype, self.shape, self.data, self._values = dtype, tuple(int(extent) for extent in shape), data, None
        count = math.prod(self.shape)
        have = len(data) // (2 if self.kind == "complex" else 1)
        if have != count:
            raise ValueError(f"{have} elements do not fill the shape {list(self.shape)}")

    @property
    def kind(self):
        return _BY_NAME[self.dtype].kind

    @property
    def type(self):
        return f"tensor({self.dtype})"

    def __len__(self):
        return math.prod(self.shape)

    @staticmethod
    def from_bytes(dtype, shape, raw):
        """Makes a tensor from the bytes that a TensorProto has in `raw_data`."""
        bits, kind = _BY_NAME[dtype].bits, _BY_NAME[dtype].kind
        count = math.prod(shape)
        if bits < 8:
            packed = numpy.unpackbits(numpy.frombuffer(raw, numpy.uint8), bitorder="little")
            packed = packed[: count * bits].reshape(count, bits)
            codes = numpy.zeros(count, numpy.uint8)
            for bit in range(bits):
                codes |= packed[:, bit] << bit
            if kind == "integer" and dtype[0] == "i":
                codes = ((codes.astype(numpy.int16) ^ (1 << (bits - 1))) - (1 << (bits - 1))).astype(numpy.int8)
            return Tensor(dtype, shape, codes)
        if kind == "integer":
            return Tensor(dtype, shape, numpy.frombuffer(raw, numpy.dtype(dtype).newbyteorder("<")))
        if kind == "bool":
            return Tensor(dtype, shape, (numpy.frombuffer(raw, numpy.uint8) != 0).astype(numpy.uint8))
        width = bits // 16 if kind == "complex" else bits // 8
        return Tensor(dtype, shape, numpy.frombuffer(raw, f"<u{width}"))

    @staticmethod
    def from_array(array):
        """Makes a tensor from an array of numpy. The type of the array may be one of ml_dtypes."""
        array = numpy.asarray(array)
        shape = array.shape
        name = array.dtype.name
        if array.dtype.kind in "OUS":
            strings = [x if isinstance(x, bytes) else str(x).encode("utf-8", "surrogateescape") for x in array.ravel()]
            return Tensor("string", shape, strings)
        dtype = _OF_NUMPY.get(name, name)
        if dtype not in _BY_NAME:
            raise Garbage(f"an array has the type {name}, which ONNX does not have")
        if _BY_NAME[dtype].bits < 8:
            codes = numpy.ascontiguousarray(array).view(numpy.uint8).ravel() & ((1 << _BY_NAME[dtype].bits) - 1)
            bits = _BY_NAME[dtype].bits
            if dtype[0] == "i":
                codes = ((codes.astype(numpy.int16) ^ (1 << (bits - 1))) - (1 << (bits - 1))).astype(numpy.int8)
            return Tensor(dtype, shape, codes)
        if array.dtype.byteorder == ">":
            array = array.astype(array.dtype.newbyteorder("<"))
        return Tensor.from_bytes(dtype, shape, numpy.ascontiguousarray(array).tobytes())

    def to_bytes(self):
        """Returns the bytes that a TensorProto has in `raw_data`."""
        bits = _BY_NAME[self.dtype].bits
        if bits >= 8:
            return numpy.ascontiguousarray(self.data).tobytes()
        codes = self.data.astype(numpy.uint8) & ((1 << bits) - 1)
        spread = ((codes[:, None] >> numpy.arange(bits, dtype=numpy.uint8)) & 1).astype(numpy.uint8)
        return numpy.packbits(spread.ravel(), bitorder="little").tobytes()

    def to_array(self):
        """Returns an array of numpy, with a type of ml_dtypes where numpy has none."""
        if self.kind == "string":
            strings = [string.decode("utf-8", "surrogateescape") for string in self.data]
            return numpy.array(strings, dtype=object).reshape(self.shape)
        name = _TO_NUMPY.get(self.dtype, self.dtype)
        try:
            dtype = numpy.dtype(name)
        except TypeError:
            try:
                import ml_dtypes
            except ImportError:
                reason = f"numpy has no {self.dtype}: it comes with ml_dtypes, which is not installed"
                raise Unsupported(reason) from None
            dtype = numpy.dtype(getattr(ml_dtypes, name))
        if _BY_NAME[self.dtype].bits < 8:
            return (self.data.astype(numpy.uint8) & ((1 << _BY_NAME[self.dtype].bits) - 1)).view(dtype).reshape(self.shape)
        return numpy.ascontiguousarray(self.data).view(dtype).reshape(self.shape)

    def values(self):
        """Returns the elements of floats as float64."""
        if self._values is None:
            if self.dtype == "double":
                self._values = self.data.view(numpy.float64)
            elif self.dtype == "float":
                self._values = self.data.view(numpy.float32).astype(numpy.float64)
            elif self.dtype == "float16":
                self._values = self.data.view(numpy.float16).astype(numpy.float64)
            elif self.dtype == "bfloat16":
                self._values = (self.data.astype(numpy.uint32) << 16).view(numpy.float32).astype(numpy.float64)
            else:
                self._values = _decoded(self.dtype)[self.data]
        return self._values

    def integers(self):
        """Returns the elements of integers and bools."""
        return self.data

    def element(self, index):
        """Describes an element."""
        if self.kind == "float":
            return repr(float(self.values()[index]))
        if self.kind == "complex":
            return str([hex(bits) for bits in self.data[2 * index : 2 * index + 2]])
        return repr(self.data[index]) if self.kind == "string" else str(int(self.data[index]))

    def bytes_at(self, index):
        """Returns the bytes of an element, for a comparison bit by bit."""
        if self.kind == "string":
            return self.data[index]
        width = 2 if self.kind == "complex" else 1
        return numpy.ascontiguousarray(self.data[width * index : width * (index + 1)]).tobytes()

    def moved(self, order):
        """Returns a tensor with the elements in another order: element i is element `order[i]` of this tensor."""
        if self.kind == "string":
            return Tensor(self.dtype, self.shape, [self.data[at] for at in order])
        if self.kind == "complex":
            return Tensor(self.dtype, self.shape, self.data.reshape(-1, 2)[order].ravel())
        return Tensor(self.dtype, self.shape, self.data[order])

    def same_bits(self, other):
        if self.kind == "string":
            return list(self.data) == list(other.data)
        return numpy.array_equal(self.data, other.data)


class Sequence:
    """A sequence of values of one type."""

    def __init__(self, element, items):
        self.element, self.items = element, items

    @property
    def type(self):
        return f"seq({self.element})"


class Optional:
    """A value, or None."""

    def __init__(self, element, item):
        self.element, self.item = element, item

    @property
    def type(self):
        return f"optional({self.element})"


class Map:
    """A map. Its keys are integers of one type, or strings, which are bytes here."""

    def __init__(self, key, keys, element, items):
        self.key, self.keys, self.element, self.items = key, keys, element, items

    @property
    def type(self):
        return f"map({self.key}, {self.element})"


class Sparse:
    """A sparse tensor: the values, their indices, and the shape."""

    def __init__(self, values, indices, shape):
        self.values, self.indices, self.shape = values, indices, tuple(shape)

    @property
    def type(self):
        return f"sparse_tensor({self.values.dtype})"


def _inside(type_, word):
    """Returns the text inside of `word(...)`, or None."""
    return type_[len(word) + 1 : -1] if type_.startswith(word + "(") and type_.endswith(")") else None


# Reading values.


def _tensor_of_proto(proto):
    if proto.data_type not in _BY_CODE:
        raise ValueError(f"a tensor has the element type number {proto.data_type}, which ONNX does not have")
    dtype = _BY_CODE[proto.data_type].name
    if dtype == "string":
        return Tensor(dtype, proto.dims, list(proto.string_data))
    if proto.HasField("raw_data"):
        return Tensor.from_bytes(dtype, tuple(proto.dims), proto.raw_data)
    return Tensor.from_array(onnx.numpy_helper.to_array(proto))


def _sparse_of_proto(proto):
    return Sparse(_tensor_of_proto(proto.values), _tensor_of_proto(proto.indices), proto.dims)


def _of_message(proto, type_):
    """Returns the value of a message whose type is known."""
    if _inside(type_, "tensor"):
        return _tensor_of_proto(proto)
    if _inside(type_, "sparse_tensor"):
        return _sparse_of_proto(proto)
    for word, maker in (("seq", Sequence), ("optional", Optional)):
        of = _inside(type_, word)
        if of is None:
            continue
        field = next(
            name
            for begin, name in (
                ("tensor(", "tensor_value"),
                ("sparse_tensor(", "sparse_tensor_value"),
                ("seq(", "sequence_value"),
                ("map(", "map_value"),
                ("optional(", "optional_value"),
            )
            if of.startswith(begin)
        )
        if maker is Sequence:
            return Sequence(of, [_of_message(item, of) for item in getattr(proto, field + "s")])
        return Optional(of, _of_message(getattr(proto, field), of) if proto.HasField(field) else None)
    key, element = _inside(type_, "map").split(", ", 1)
    keys = list(proto.string_keys) if key == "string" else list(proto.keys)
    return Map(key, keys, element, _of_message(proto.values, f"seq({element})").items)


_MESSAGES = [
    ("tensor(", "TensorProto"),
    ("sparse_tensor(", "SparseTensorProto"),
    ("seq(", "SequenceProto"),
    ("optional(", "OptionalProto"),
    ("map(", "MapProto"),
]


def _tensor_of_npy(path, type_):
    """Reads a tensor from a file of NumPy. Elements of 4 bits take a byte each there."""
    dtype = _inside(type_, "tensor")
    try:
        array = numpy.load(path, allow_pickle=False)
    except ValueError as error:
        raise CorpusError(f"{path}: {error}") from None
    if dtype not in _BY_NAME or array.dtype.itemsize * 8 != max(_BY_NAME[dtype].bits, 8):
        raise CorpusError(f"{path} has elements of type {array.dtype}, and {type_} is expected")
    if _BY_NAME[dtype].bits < 8:
        return Tensor(dtype, array.shape, array.ravel())
    return Tensor.from_bytes(dtype, array.shape, array.tobytes())


def read_value(path, type_):
    """Reads a file such as `input_0.pb` or `output_0.npy`. `type_` is as in ONNX: `tensor(float)`, `seq(tensor(int64))`."""
    try:
        if path.endswith(".npy"):
            return _tensor_of_npy(path, type_)
        with open(path, "rb") as file:
            return parse_value(file.read(), type_, path)
    except FileNotFoundError:
        raise CorpusError(f"{path} is missing") from None
    except OSError as error:
        raise CorpusError(f"{path}: {error}") from None


def parse_value(data, type_, path):
    """Returns the value of type `type_` that the bytes of a file encode. Errors name `path`."""
    if onnx is None:
        raise CorpusError(f"{path} is a message of ONNX, and the package onnx is not installed")
    message = getattr(onnx, next(message for begin, message in _MESSAGES if type_.startswith(begin)))()
    try:
        message.ParseFromString(data)
        return _of_message(message, type_)
    except (ValueError, IndexError) as error:
        raise CorpusError(f"{path}: {error}") from None
    except Exception as error:  # protobuf's own error has no public class
        if type(error).__name__ != "DecodeError":
            raise
        raise CorpusError(f"{path} is not a value of type {type_}: {error}") from None


def plain(value):
    """Returns a value as Python has it: an array, a list, a dictionary, or None."""
    if isinstance(value, Tensor):
        return value.to_array()
    if isinstance(value, Sequence):
        return [plain(item) for item in value.items]
    if isinstance(value, Optional):
        return None if value.item is None else plain(value.item)
    if isinstance(value, Map):
        keys = [key.decode() if isinstance(key, bytes) else key for key in value.keys]
        items = [plain(item) for item in value.items]
        return {key: item.item() if item.ndim == 0 else item for key, item in zip(keys, items)}
    raise Unsupported("sparse tensors have no plain form")


def _scalar(x, dtype):
    """Makes a tensor of this element type from a number or a string of Python."""
    if dtype == "string":
        return Tensor("string", (), [x if isinstance(x, bytes) else str(x).encode("utf-8", "surrogateescape")])
    name = _TO_NUMPY.get(dtype, dtype)
    return Tensor.from_array(numpy.array(x, dtype=name))


def value_of(answer, type_):
    """Returns the value of an answer. What Python's own types leave open is taken from `type_`, the expected type."""
    if isinstance(answer, (Tensor, Sequence, Optional, Map, Sparse)):
        return answer
    of = _inside(type_, "optional")
    if of is not None:
        return Optional(of, None if answer is None else value_of(answer, of))
    if onnx is not None and isinstance(answer, onnx.TensorProto):
        return _tensor_of_proto(answer)
    if onnx is not None and isinstance(answer, onnx.SparseTensorProto):
        return _sparse_of_proto(answer)
    if onnx is not None and isinstance(answer, (onnx.SequenceProto, onnx.MapProto, onnx.OptionalProto)):
        return _of_message(answer, type_)
    if isinstance(answer, (list, tuple)):
        of = _inside(type_, "seq") or "tensor(float)"
        items = [value_of(item, of) for item in answer]
        return Sequence(items[0].type if items else of, items)
    if isinstance(answer, dict):
        key, of = (_inside(type_, "map") or "int64, tensor(float)").split(", ", 1)
        if answer and isinstance(next(iter(answer)), (str, bytes)):
            key = "string"
        keys = [k.encode() if isinstance(k, str) else k for k in answer]
        return Map(key, keys, of, [value_of(item, of) for item in answer.values()])
    if isinstance(answer, (bool, int, float, str, bytes)) and _inside(type_, "tensor"):
        return _scalar(answer, _inside(type_, "tensor"))
    if isinstance(answer, (numpy.ndarray, numpy.generic)) or hasattr(answer, "__array__"):
        return Tensor.from_array(answer)
    raise Garbage(f"an output has the Python type {type(answer).__name__}, which stands for no ONNX value")


# Judging elements.

ACCEPTED, LATITUDE, WRONG = 0, 1, 2


def _number(x):
    return float(x)


def _mask(ranges, count):
    mask = numpy.zeros(count, bool)
    for start, end in ranges:
        mask[start:end] = True
    return mask


class Accepted:
    """What is accepted for a tensor: the preferred tensor, and what `case.json` accepts besides."""

    def __init__(self, tensor, accept, folder):
        self.tensor, self.accept = tensor, accept or {}
        self.random = self.accept.get("random")
        self.low = self.high = None
        count = len(tensor)
        if "low" in self.accept or "high" in self.accept:
            for end in ("low", "high"):
                if end not in self.accept:
                    raise CorpusError(f"{folder}: an interval has no {end} end")
            self.low, self.high = (
                read_value(os.path.join(folder, self.accept[end]), tensor.type) for end in ("low", "high")
            )
            for end in (self.low, self.high):
                if end.type != tensor.type or end.shape != tensor.shape:
                    raise CorpusError(f"{folder}: an interval has another type or shape than the preferred answer")
        masks = ("nan", "positive_zero", "negative_zero", "integral")
        self.masks = {key: _mask(self.accept[key], count) for key in masks if key in self.accept}
        self.open = None
        if self.accept.get("latitude"):
            self.open = numpy.full(count, -1)
            for number, group in enumerate(self.accept["latitude"]):
                for start, end in group["at"]:
                    self.open[start:end] = number
        self.elements = {}
        for group in self.accept.get("latitude", ()):
            if "elements" in group["allowed"]:
                name = group["allowed"]["elements"]
                elements = read_value(os.path.join(folder, name), tensor.type)
                self.elements[name] = {elements.bytes_at(at) for at in range(len(elements))}
        if self.random and "dropped" in self.random:
            dropped = self.random["dropped"]
            self.parts = [
                Accepted(read_value(os.path.join(folder, dropped[word]["value"]), tensor.type), dropped[word], folder)
                for word in ("kept", "dropped")
            ]

    def is_certain(self):
        return self.low is None and self.open is None

    def judge(self, answer, indices=None, ats=None):
        """Judges the elements `ats` of an answer by what is accepted for the elements `indices`."""
        if indices is None:
            indices = ats = slice(None)
        accepted = self._accepted(answer, indices, ats)
        judged = numpy.where(accepted, ACCEPTED, WRONG).astype(numpy.int8)
        if self.open is not None and not accepted.all():
            groups = self.open[indices]
            every = numpy.arange(len(self.tensor))
            where, places = every[indices], every[ats] if isinstance(ats, slice) else numpy.asarray(ats)
            for at in numpy.flatnonzero(~accepted & (groups >= 0)):
                group = self.accept["latitude"][groups[at]]
                judged[at] = self._allowed(group["allowed"], int(where[at]), answer, int(places[at]))
        return judged

    def _accepted(self, answer, indices, ats):
        kind = self.tensor.kind
        if kind == "string":
            want, got = (numpy.array([*t.data, None], dtype=object)[:-1] for t in (self.tensor, answer))
            return numpy.array(want[indices] == got[ats], dtype=bool).reshape(-1)
        if kind == "complex":
            want, got = (t.data.reshape(-1, 2)[at] for t, at in ((self.tensor, indices), (answer, ats)))
            floats = numpy.float32 if self.tensor.dtype == "complex64" else numpy.float64
            nan = numpy.isnan(want.view(floats)) & numpy.isnan(got.view(floats))
            return ((want == got) | nan).all(axis=1)
        if kind != "float":
            got = answer.data[ats]
            if self.low is None:
                return self.tensor.data[indices] == got
            return (self.low.data[indices] <= got) & (got <= self.high.data[indices])
        got = answer.values()[ats]
        if self.low is None:
            want = self.tensor.values()[indices]
            same = self.tensor.data[indices] == answer.data[ats]
            same |= numpy.isnan(want) & numpy.isnan(got)
            if self.accept.get("any_zero"):
                same |= (want == 0) & (got == 0)
            return same
        with numpy.errstate(invalid="ignore"):
            accepted = (self.low.values()[indices] <= got) & (got <= self.high.values()[indices])
        masks = {key: mask[indices] for key, mask in self.masks.items()}
        if "integral" in masks:
            with numpy.errstate(invalid="ignore"):
                accepted &= ~(masks["integral"] & numpy.isfinite(got) & (numpy.trunc(got) != got))
        for key, sign in (("positive_zero", True), ("negative_zero", False)):
            if key in masks:
                accepted &= ~(masks[key] & (got == 0) & (numpy.signbit(got) == sign))
        if "nan" in masks:
            accepted |= masks["nan"] & numpy.isnan(got)
        return accepted

    def _allowed(self, allowed, index, answer, at):
        """Judges an element outside of what is accepted: a rule that leaves the element open may allow it."""
        if "anything" in allowed:
            return LATITUDE
        if "integers" in allowed:
            value = int(answer.data[at])
            return LATITUDE if any(low <= value <= high for low, high in allowed["integers"]) else WRONG
        if "reals" in allowed:
            value = float(answer.values()[at]) if answer.kind == "float" else float(answer.data[at])
            if math.isnan(value):
                return LATITUDE if allowed["nan"] else WRONG
            inside = (_number(low) <= value <= _number(high) for low, high in allowed["reals"])
            return LATITUDE if any(inside) else WRONG
        if "spelling" in allowed:
            return _spelled(answer.data[at], _number(allowed["spelling"]), allowed["of"])
        if "trimmed" in allowed:
            return LATITUDE if answer.data[at] == self.tensor.data[index].rstrip(b" \t\n\x0b\x0c\r") else WRONG
        if "elements" in allowed:
            return LATITUDE if answer.bytes_at(at) in self.elements[allowed["elements"]] else WRONG
        raise CorpusError(f"unknown outcomes {sorted(allowed)}")

    def describe(self, index):
        """Says what is accepted for an element."""
        if self.low is not None and self.tensor.kind == "float":
            words = f"{self.low.element(index)} to {self.high.element(index)} is accepted"
            if "nan" in self.masks and self.masks["nan"][index]:
                words = "NaN is expected" if math.isnan(self.low.values()[index]) else words + ", and NaN"
        elif self.low is not None:
            words = f"{self.low.element(index)} to {self.high.element(index)} is accepted"
        else:
            words = f"{self.tensor.element(index)} is expected"
        if self.open is not None and self.open[index] >= 0:
            group = self.accept["latitude"][self.open[index]]
            words += f"; {group['rule']} does not decide: {json.dumps(group['allowed'])}"
        return words

    def rule(self, index):
        return self.accept["latitude"][self.open[index]]["rule"]


# Numbers as strings.

_LITERAL = re.compile(rb"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


def _literal(string):
    """Returns the kind of a literal of Cast (integer, number, infinity, nan), or None."""
    lower = string.lower()
    if lower in (b"inf", b"+inf", b"-inf"):
        return "infinity"
    if lower == b"nan":
        return "nan"
    if not _LITERAL.fullmatch(string):
        return None
    return "number" if any(mark in lower for mark in (b".", b"e")) else "integer"


def _spelled(string, value, dtype):
    """Judges a string that has to spell a number of a type. A short or unusual spelling of the number is latitude."""
    lower = string.decode("utf-8", "replace").lower()
    kind = _literal(string)
    found = float(string) if kind in ("integer", "number") else None

    def close(yes):
        return LATITUDE if yes else WRONG

    if dtype == "bool":
        if lower in ("true", "false"):
            return close((lower == "true") == (value != 0))
        return close(found == value)
    if math.isnan(value):
        return ACCEPTED if lower == "nan" else close("nan" in lower)
    if math.isinf(value):
        if kind == "infinity" and float(string) == value:
            return ACCEPTED
        return close("inf" in lower and lower.startswith("-") == (value < 0))
    if found is None:
        return WRONG
    form = _FORMATS.get(dtype)
    if form is None:
        return close(kind != "integer" and found == value)
    if not math.isfinite(found):
        exact = False
    elif dtype == "double":
        exact = found == value
    elif dtype == "float" and found != 0 and abs(math.log10(abs(found))) < 400:
        exact = _rounded(form, Fraction(string.decode())) == value
    else:
        exact = _rounded(form, Fraction(found)) == value
    if exact:
        return LATITUDE if "e" in lower else ACCEPTED
    return close(abs(found - value) <= max(1e-5 * abs(value), 5.1e-7))


# Random outputs. The tests reject a sample of the right distribution with a probability of at most 1e-12.

_FALSE_ALARM = 1e-12
_FARTHEST = 9.5
_TAILS = (1 / 16, 1 / 128, 1 / 1024, 1 / 16384)
_TESTS = 7 + 4 * len(_TAILS)


def _farthest_sum(variance, share):
    log = math.log(2 / share)
    return log / 3 + math.sqrt(log * log / 9 + 2 * variance * log)


def _farthest_normal(share):
    low, high = 0.0, 40.0
    for _ in range(64):
        middle = (low + high) / 2
        low, high = (middle, high) if math.erfc(middle * math.sqrt(0.5)) > share else (low, middle)
    return high


def _too_often(times, n, probability, share):
    part = times / max(n, 1)
    if part <= probability:
        return False
    rest = (1 - part) * math.log((1 - part) / (1 - probability)) if part < 1 else 0.0
    return n * (part * math.log(part / probability) + rest) > math.log(1 / share)


def _continuous(random, sample):
    form, values = _FORMATS[sample.dtype], [float(x) for x in sample.values()]
    is_normal = "normal" in random
    if is_normal:
        mean, deviation = (_number(random["normal"][key]) for key in ("mean", "deviation"))
        low, high, added = mean - _FARTHEST * deviation, mean + _FARTHEST * deviation, abs(mean)
    else:
        low, high = (_number(random["uniform"][end]) for end in ("low", "high"))
        added = max(abs(low), abs(high))
    slack = 2 * _ulp(form, min(max(abs(low), abs(high)), form.largest))
    overflows = high + slack > form.largest or low - slack < -form.largest
    for at, x in enumerate(values):
        if not (low - slack <= x <= high + slack or overflows and math.isinf(x)):
            return f"element {at} is {x!r}, expected {low!r} to {high!r}"
    if low == high or not values:
        return None
    share, n = _FALSE_ALARM / _TESTS, len(values)
    digits = max(_ulp(form, 1.0), 2.0**-24)

    def point(x):
        """Returns the element, the same relative to the middle, its reach, and the ends of its probability."""
        reach = 2 * _ulp(form, max(abs(x), added)) if math.isfinite(x) else 0.0
        if is_normal:
            relative, reach = min(max((x - mean) / deviation, -_FARTHEST), _FARTHEST), reach / deviation
            under, over = (math.erfc(-end * math.sqrt(0.5)) / 2 for end in (relative - reach, relative + reach))
        else:
            relative = min(max(2 * ((x - low) / (high - low)) - 1, -1.0), 1.0)
            reach = 2 * (reach / (high - low) + digits)
            under, over = (min(max(0.5 + end / 2, 0.0), 1.0) for end in (relative - reach, relative + reach))
        return x, relative, reach, under, over

    points = [point(x) for x in values]
    sides = [(under > 0.5) - (over < 0.5) for _, _, _, under, over in points]
    together = sum(sides[at] * sides[at + 1] for at in range(0, n - 1, 2))
    points.sort(key=lambda found: found[0])
    most = math.sqrt(math.log(2 / share) / (2 * n))
    first = 0
    for end in range(1, n + 1):
        x, _, _, under, over = points[first]
        if end < n and points[end][0] == x:
            continue
        if max(end / n - over, under - first / n) > most:
            return f"{end} of {n} elements are at most {x!r}, which does not fit the distribution"
        if _too_often(end - first - 1, n - 1, min(max(over - under, 4 * digits), 1.0), share / n):
            return f"{x!r} occurs {end - first} times in {n} elements"
        first = end
    if abs(together) > _farthest_sum(n // 2, share):
        sides = ["the same side", "different sides"]
        more, fewer = sides if together > 0 else sides[::-1]
        return f"of {n // 2} pairs of neighbours, {abs(together)} more lie on {more} of the middle than on {fewer}"
    return _moments(is_normal, points, share) or _tails(points, share)


def _moments(is_normal, points, share):
    n, reach = len(points), math.fsum(point[2] for point in points)
    squares = math.fsum((2 * abs(point[1]) + point[2]) * point[2] for point in points)

    def total(function):
        return math.fsum(function(point[1]) for point in points)

    if is_normal:
        log, cosine = math.log(2 / share), math.exp(-2)
        spread, wide, of_cosine = 2 * math.sqrt(n * log), 1 + cosine, (1 + math.exp(-8)) / 2 - cosine * cosine
        mean = _farthest_normal(share) * math.sqrt(n)
        farthest = wide * _farthest_sum(n * of_cosine / (wide * wide), share)
        sine = _farthest_sum(n * (1 - math.exp(-8)) / 2, share)
        found = [
            ("mean", total(lambda z: z), reach, -mean, mean),
            ("standard deviation", total(lambda z: z * z) - n, squares, -spread, spread + 2 * log),
            ("mean of cos(2z)", total(lambda z: math.cos(2 * z)) - n * cosine, 2 * reach, -farthest, farthest),
            ("mean of sin(2z)", total(lambda z: math.sin(2 * z)), 2 * reach, -sine, sine),
        ]
    else:
        mean, spread = _farthest_sum(n / 3, share), _farthest_sum(4 * n / 45, share)
        found = [
            ("mean", total(lambda v: v), reach, -mean, mean),
            ("standard deviation", total(lambda v: v * v) - n / 3, squares, -spread, spread),
        ]
    for name, away, reach, least, most in found:
        if away + reach < least or away - reach > most:
            return f"the {name} of {n} elements does not fit the distribution"
    return None


def _tails(points, share):
    n = len(points)
    for probability in _TAILS:
        lower, upper = probability, 1 - probability
        low = sum(p[4] <= lower for p in points), sum(p[3] <= lower for p in points)
        high = sum(p[3] >= upper for p in points), sum(p[4] >= upper for p in points)
        for (surely, maybe), word in ((low, "lowest"), (high, "highest")):
            many = _too_often(surely, n, probability, share)
            if many or _too_often(n - maybe, n, 1 - probability, share):
                counted = surely if many else maybe
                return f"{counted} of {n} elements lie where the {word} {probability} of all should lie"
    return None


_GROUPS = (1 / 16, 1 / 2, 15 / 16)


def _flags(told, word, probability):
    groups, off = [[0.0, 0.0] for _ in range(len(_GROUPS) + 2)], []
    share = _FALSE_ALARM / (len(groups) + 1)
    for at, is_set in told:
        p = probability(at)
        if p <= 0 and is_set or p >= 1 and not is_set:
            return f"element {at} is {'' if is_set else 'not '}{word}, which has probability 0"
        deviation = is_set - p
        off.append((deviation, p * (1 - p)))
        for group in (0, 1 + sum(p >= end for end in _GROUPS)):
            groups[group][0] += deviation
            groups[group][1] += p * (1 - p)
    for total, variance in groups:
        if abs(total) > _farthest_sum(variance, share):
            way = "more" if total > 0 else "fewer"
            return f"{abs(total):.1f} {way} elements than expected are {word}"
    pairs = [(off[at][0] * off[at + 1][0], off[at][1] * off[at + 1][1]) for at in range(0, len(off) - 1, 2)]
    if abs(sum(p for p, _ in pairs)) > _farthest_sum(sum(v for _, v in pairs), share):
        return "neighbouring elements are correlated"
    return None


def _binary(sample, probability):
    values = sample.values() if sample.kind == "float" else sample.integers()
    for at, value in enumerate(values):
        if value not in (0, 1):
            return f"element {at} is {value}, expected 0 or 1"
    return _flags([(at, bool(value)) for at, value in enumerate(values)], "1", probability)


def _classes(sample, rows, samples):
    share = _FALSE_ALARM / max(sum(len(row) + 1 for row in rows), 1)
    drawn = [int(x) for x in sample.integers()]
    for number, row in enumerate(rows):
        own = drawn[number * samples : (number + 1) * samples]
        times = [0] * len(row)
        for found in own:
            if not 0 <= found < len(row):
                return f"row {number} has class {found}, but there are {len(row)} classes"
            times[found] += 1
        for found, p in enumerate(row):
            if p <= 0 and times[found]:
                return f"row {number} has class {found}, which has probability 0"
            if abs(times[found] - samples * p) > 0.02 * samples * p * (1 - p) + _farthest_sum(samples * p * (1 - p), share):
                return f"in row {number}, {times[found]} of {samples} samples are of class {found}"
        same, pairs = sum(p * p for p in row), len(own) // 2
        equal = sum(own[2 * at] == own[2 * at + 1] for at in range(pairs))
        if abs(equal - pairs * same) > 0.02 * pairs + _farthest_sum(pairs * same * (1 - same), share):
            return f"in row {number}, {equal} of {pairs} pairs of neighbours are equal"
    return None


def _objection(accepted, sample):
    """Returns a reason to reject a sample, and the rule that accepts it nevertheless. Each is None if there is none."""
    random = accepted.random
    if "uniform" in random or "normal" in random:
        return _continuous(random, sample), None
    if "mask" in random:
        return _binary(sample, lambda _: random["mask"]["keep"]), None
    if "classes" in random:
        return _classes(sample, random["classes"]["rows"], random["classes"]["samples"]), None
    if "bernoulli" in random:
        ones = [_number(p) for p in random["bernoulli"]["ones"]]
        reason, rule = _binary(sample, lambda at: ones[at]), random["bernoulli"]["or_zeros"]
        if reason and rule and _binary(sample, lambda at: 1 - ones[at]) is None:
            return reason, rule
        return reason, None
    kept, dropped = (part.judge(sample) != WRONG for part in accepted.parts)
    neither = numpy.flatnonzero(~kept & ~dropped)
    if len(neither):
        return f"element {neither[0]} is {sample.element(int(neither[0]))}: neither kept nor dropped", None
    told = [(at, bool(kept[at])) for at in range(len(sample)) if kept[at] != dropped[at]]
    return _flags(told, "kept", lambda _: random["dropped"]["keep"]), None


# Judging outputs.


class Verdict:
    """The verdict on a case: `verdict` (pass, fail, ...), `kind` of failure (wrong-value, ...), `rule` and `detail`."""

    __slots__ = ("verdict", "kind", "detail", "rule")

    def __init__(self, verdict, kind=None, detail=None, rule=None):
        self.verdict, self.kind, self.detail, self.rule = verdict, kind, detail, rule

    def is_good(self):
        return self.verdict in ("pass", "latitude")

    def __repr__(self):
        return f"Verdict({self.verdict!r}, {self.kind!r}, {self.detail!r})"


class _Difference(Exception):
    def __init__(self, kind, detail):
        super().__init__(detail)
        self.kind = kind


class _Tally:
    def __init__(self):
        self.wrong, self.first_wrong, self.latitude = 0, None, None

    def found_wrong(self, detail, count=1):
        self.wrong += count
        self.first_wrong = self.first_wrong or detail

    def value(self, name, expected, value):
        """Judges a value by a tree of what is expected."""
        if expected.type != value.type:
            raise _Difference("wrong-type", f"output `{name}` is {value.type}, {expected.type} is expected")
        if isinstance(value, Tensor):
            return self.tensor(name, expected.leaf, value)
        if isinstance(value, (Sequence, Map)):
            if len(expected.items) != len(value.items):
                detail = f"output `{name}` has {len(value.items)} elements, {len(expected.items)} are expected"
                raise _Difference("wrong-shape", detail)
            places = list(range(len(value.items)))
            if isinstance(value, Map):
                if all(key in value.keys for key in expected.value.keys):
                    places = [value.keys.index(key) for key in expected.value.keys]
                else:
                    self.found_wrong(f"output `{name}` has the keys {value.keys}, {expected.value.keys} are expected")
            for at, (item, place) in enumerate(zip(expected.items, places)):
                self.value(f"{name}[{at}]", item, value.items[place])
        elif isinstance(value, Optional):
            if (value.item is None) != (not expected.items):
                detail = f"output `{name}`: the answer or the expected optional is empty, but not both"
                raise _Difference("wrong-shape", detail)
            if expected.items:
                self.value(name, expected.items[0], value.item)
        else:
            want = expected.value
            same = want.shape == value.shape and want.indices.shape == value.indices.shape
            if not (same and want.indices.same_bits(value.indices) and want.values.same_bits(value.values)):
                self.found_wrong(f"output `{name}` has another value than expected")
        return None

    def tensor(self, name, accepted, tensor):
        shape = accepted.tensor.shape
        if shape != tensor.shape:
            detail = f"output `{name}` has shape {list(tensor.shape)}, {list(shape)} is expected"
            raise _Difference("wrong-shape", detail)
        if accepted.random:
            reason, rule = _objection(accepted, tensor)
            if reason and rule:
                self.latitude = self.latitude or (rule, f"output `{name}`: {reason}")
            elif reason:
                self.found_wrong(f"output `{name}`: {reason}")
            return
        if accepted.is_certain() and accepted.tensor.same_bits(tensor):
            return
        judged = accepted.judge(tensor)
        wrong, open_ = numpy.flatnonzero(judged == WRONG), numpy.flatnonzero(judged == LATITUDE)
        for indices, is_wrong in ((wrong, True), (open_, False)):
            if not len(indices):
                continue
            at = int(indices[0])
            place = [int(x) for x in numpy.unravel_index(at, shape)] if shape else []
            detail = f"output `{name}`{place} is {tensor.element(at)}, {accepted.describe(at)}"
            if is_wrong:
                self.found_wrong(detail, len(wrong))
            else:
                self.latitude = self.latitude or (accepted.rule(at), detail)

    def verdict(self):
        if self.first_wrong:
            more = f" ({self.wrong} elements)" if self.wrong > 1 else ""
            return Verdict("fail", "wrong-value", self.first_wrong + more)
        if self.latitude:
            rule, detail = self.latitude
            return Verdict("latitude", None, f"{rule}: {detail}", rule)
        return Verdict("pass")


class _Expected:
    """What is expected of an output: the preferred value, and what is accepted for each tensor in it."""

    def __init__(self, value, accept, folder):
        self.value, self.type = value, value.type
        parts = (accept or {}).get("items")
        inner = value.items if isinstance(value, (Sequence, Map)) else []
        if isinstance(value, Optional):
            inner = [] if value.item is None else [value.item]
        if parts is not None and len(parts) != len(inner):
            raise CorpusError(f"{folder}: {len(parts)} items are described, but the value has {len(inner)}")
        self.items = [_Expected(item, parts[at] if parts else None, folder) for at, item in enumerate(inner)]
        self.leaf = Accepted(value, accept, folder) if isinstance(value, Tensor) else None

    def is_random(self):
        return bool(self.leaf and self.leaf.random) or any(item.is_random() for item in self.items)


def _lanes(unordered, shape):
    """Returns an array for each lane, or None. It has a row for each place, with the indices of the elements there."""
    every = numpy.arange(math.prod(shape)).reshape(shape)
    if "rows" in unordered and shape:
        return [every.reshape(shape[0], -1)] if math.prod(shape) else []
    axis = unordered.get("lanes", len(shape))
    if axis >= len(shape):
        return None
    return list(numpy.moveaxis(every, axis, -1).reshape(-1, shape[axis], 1)) if math.prod(shape) else []


def _aligned(expected, values):
    """Brings parts that may come in any order into the expected order, in the same way in all outputs of a node."""
    groups = []
    for at, (want, got) in enumerate(zip(expected, values)):
        if not (want.leaf and isinstance(got, Tensor)):
            continue
        unordered = want.leaf.accept.get("unordered")
        comparable = want.type == got.type and want.value.shape == got.shape
        if not (unordered and comparable) or _lanes(unordered, got.shape) is None:
            continue
        for group in groups:
            _, first, other = group[0]
            if other.shape == got.shape and first.accept["unordered"] == unordered:
                group.append((at, want.leaf, got))
                break
        else:
            groups.append([(at, want.leaf, got)])
    values = list(values)
    for outputs in groups:
        if all((leaf.judge(got) == ACCEPTED).all() for _, leaf, got in outputs):
            continue
        order = numpy.arange(len(outputs[0][2]))
        for lane in _lanes(outputs[0][1].accept["unordered"], outputs[0][2].shape):
            partners = _partners(outputs, lane)
            order[lane.ravel()] = lane[partners].ravel()
        for at, _, got in outputs:
            values[at] = got.moved(order)
    return values


def _partners(outputs, lane):
    """Returns for each place of a lane the place of its partner in the answer."""
    extent, parts = lane.shape
    partner, used = [None] * extent, [False] * extent
    worst = []
    for place in range(extent):
        all_judged = []
        for _, leaf, got in outputs:
            judged = leaf.judge(got, numpy.tile(lane[place], extent), lane.ravel()).reshape(extent, parts)
            all_judged.append(judged.max(axis=1) if parts else numpy.zeros(extent, numpy.int8))
        worst.append(numpy.max(all_judged, axis=0))
    for most in (ACCEPTED, LATITUDE):
        for place in range(extent):
            if partner[place] is not None:
                continue
            for candidate in [place, *range(extent)]:
                if not used[candidate] and worst[place][candidate] <= most:
                    partner[place], used[candidate] = candidate, True
                    break
    left = iter([place for place in range(extent) if not used[place]])
    return [next(left, 0) if found is None else found for found in partner]


def _together(expected, values):
    """Returns a reason to reject the output and the mask of a Dropout, which have to agree."""
    masks, outputs = [], []
    for want, got in zip(expected, values):
        if not (want.leaf and want.leaf.random and isinstance(got, Tensor)):
            continue
        if want.type == got.type and want.value.shape == got.shape:
            if "mask" in want.leaf.random:
                masks.append(got)
            elif "dropped" in want.leaf.random:
                outputs.append((got, want.leaf.parts))
    if len(masks) != 1 or len(outputs) != 1:
        return None
    (output, (kept, dropped)) = outputs[0]
    said = (masks[0].values() if masks[0].kind == "float" else masks[0].integers()) != 0
    count = min(len(output), len(said))
    wrong = numpy.where(said[:count], (kept.judge(output) == WRONG)[:count], (dropped.judge(output) == WRONG)[:count])
    for at in numpy.flatnonzero(wrong)[:1]:
        word, found = "kept" if said[at] else "dropped", output.element(int(at))
        return f"the mask says that element {at} is {word}, but the output has {found} there"
    return None


def _judge_outputs(expected, names, values):
    if len(expected) != len(values):
        return Verdict("fail", "wrong-shape", f"{len(values)} outputs, {len(expected)} are expected")
    tally = _Tally()
    values = _aligned(expected, values)
    try:
        for name, want, got in zip(names, expected, values):
            tally.value(name, want, got)
    except _Difference as difference:
        return Verdict("fail", difference.kind, str(difference))
    reason = _together(expected, values)
    if reason:
        tally.found_wrong(reason)
    return tally.verdict()


class Case:
    """A case of a corpus, read from its folder."""

    # The file that every case has, and the extension of files with values.
    MODEL = "model.onnx"
    EXTENSION = "pb"

    def __init__(self, folder):
        self.folder = folder = os.fspath(folder)
        path = os.path.join(folder, "case.json")
        try:
            with open(path, encoding="utf-8") as file:
                self.facts = json.load(file)
        except FileNotFoundError:
            raise CorpusError(f"{path} is missing") from None
        except ValueError as error:
            raise CorpusError(f"{path}: {error}") from None
        if self.facts.get("format") != FORMAT:
            raise CorpusError(f"{path} has the format {self.facts.get('format')}; this judge reads format {FORMAT}")
        if not os.path.isfile(os.path.join(folder, *self.MODEL.split("/"))):
            raise CorpusError(f"{folder} says what is accepted, but has no model: {self.MODEL} is missing")
        self._expected = {}

    @property
    def id(self):
        return self.facts["id"]

    @property
    def runs(self):
        return self.facts["runs"]

    def model(self):
        """Returns the bytes of the model."""
        return _bytes(os.path.join(self.folder, "model.onnx"))

    def inputs(self, run=0):
        """Returns the inputs of a run, by name."""
        folder = os.path.join(self.folder, self.runs[run]["data_set"])
        return _inputs(folder, self.facts["inputs"])

    def twin(self):
        """Returns the model and the inputs of the valid case next to an invalid one, or None."""
        twin = self.facts["twin"]
        if twin is None:
            return None
        folder = os.path.join(self.folder, twin["folder"])
        model = _bytes(os.path.join(folder, "model.onnx"))
        return model, _inputs(os.path.join(folder, "test_data_set_0"), twin["inputs"])

    def _answers(self, run):
        """Returns the answers that are accepted for a run: for each, its rule and what is expected of all outputs."""
        if run not in self._expected:
            folder = os.path.join(self.folder, self.runs[run]["data_set"])
            answers = []
            for answer in self.runs[run]["answers"]:
                expected = []
                for at, accept in enumerate(answer["outputs"]):
                    path = os.path.join(folder, f"{answer['prefix']}output_{at}.{self.EXTENSION}")
                    value = read_value(path, self.facts["outputs"][at]["type"])
                    expected.append(_Expected(value, accept, folder))
                answers.append((answer["rule"], expected))
            self._expected[run] = answers
        return self._expected[run]

    def values(self, outputs):
        """Returns the values of a list of outputs."""
        types = [output["type"] for output in self.facts["outputs"]]
        types += ["tensor(float)"] * (len(outputs) - len(types))
        return [value_of(output, type_) for output, type_ in zip(outputs, types)]

    def judge(self, outcome, run=0):
        """Judges the outcome of one run by itself: a list of outputs, or an exception."""
        if not isinstance(outcome, BaseException):
            try:
                outcome = self.values(outcome)
            except Garbage as garbage:
                outcome = garbage
        facts, refuses = self.runs[run], self.facts["expects"] == "refusal"
        if isinstance(outcome, BaseException):
            text = _text(outcome)
            if isinstance(outcome, Crash):
                return Verdict("crash", None, text)
            if isinstance(outcome, Timeout):
                return Verdict("timeout", None, text)
            if isinstance(outcome, Garbage):
                return Verdict("fail", "garbage", text)
            if isinstance(outcome, (Unsupported, NotImplementedError)):
                return Verdict("unsupported", None, text)
            if isinstance(outcome, DeviceLost):
                return Verdict("device-lost", None, text)
            if refuses:
                return Verdict("pass", None, text)
            if facts["refusal"]:
                return Verdict("latitude", None, f"{facts['refusal']}: {text}", facts["refusal"].split()[-1])
            return Verdict("fail", "rejects-valid", text)
        if refuses:
            rule = self.facts["violates"] or "what holds for every operator"
            return Verdict("fail", "accepts-invalid", f"answered, though the case violates {rule}", rule)
        names = [output["name"] for output in self.facts["outputs"]]
        answers = self._answers(run)
        preferred = _judge_outputs(answers[0][1], names, outcome)
        if preferred.verdict != "fail":
            return preferred
        for rule, expected in answers[1:]:
            if _judge_outputs(expected, names, outcome).verdict != "fail":
                return Verdict("latitude", None, f"{rule}: {preferred.detail}", rule.split()[-1])
        return preferred

    def judge_session(self, outcomes, fresh=None, twin=None, may_vary=False):
        """Judges all runs of one session. `outcomes` has their outcomes in order; the last ones may be missing.

        `fresh(run)` returns the outcome of a run in a session of its own. This distinguishes an error that a fresh
        session makes as well from one that the session's state causes. `twin()` returns the outcome of the twin.
        `may_vary` says that the runtime need not give the same bits twice.
        """
        if not outcomes:
            return Verdict("not-run", None, "there is no outcome")
        verdict = self.judge(outcomes[0])
        if not verdict.is_good():
            return verdict
        if isinstance(outcomes[0], BaseException):
            return verdict if self.facts["twin"] is None else self._weighed(verdict, outcomes[0], twin)
        for run, outcome in enumerate(outcomes[1:], start=1):
            judged = self.judge(outcome, run)
            if self.runs[run]["inputs"] == "same" and not may_vary and not self._is_random(run):
                detail = self._difference(outcomes[0], outcome)
                if detail:
                    return Verdict("fail", "nondeterministic", f"run again with the same inputs, {detail}")
            if judged.is_good() and isinstance(outcome, BaseException):
                break  # After a refusal that a rule excuses, the session does not run again.
            if judged.is_good():
                continue
            again = fresh(run) if fresh else None
            alone = None if again is None else self.judge(again, run)
            if alone is not None and not alone.is_good():
                return Verdict(alone.verdict, alone.kind, f"{self.runs[run]['inputs']}: {alone.detail}", alone.rule)
            detail = f"{self.runs[run]['inputs']}, the session is wrong where a fresh one is right: {judged.detail}"
            return Verdict("fail", "leaks-state", detail)
        return verdict

    def _weighed(self, verdict, refusal, twin):
        """Weighs a refusal by what the runtime does with the twin.

        The refusal of an invalid case counts only if the runtime answers the twin, and so does that of a valid case
        that a rule excuses. Otherwise nothing shows why the runtime refused the case, which is unsupported then. If it
        refuses the twin of a valid case, where no rule lets it, with the same words, the rule is no excuse.
        """
        change = self.facts["twin"]["change"]
        answer = twin() if twin else None
        valid = self.facts["expects"] == "outputs"
        if answer is not None and not isinstance(answer, BaseException):
            detail = verdict.detail if valid else f"{verdict.detail} (with {change}, the runtime answers)"
            return Verdict(verdict.verdict, verdict.kind, detail, verdict.rule)
        if valid and answer is not None and _words(answer) == _words(refusal):
            detail = f"also with {change}, where no rule lets it: {_text(refusal)}"
            return Verdict("fail", "rejects-valid", detail)
        reason = "was not run" if answer is None else f"has no answer either: {_text(answer)}"
        return Verdict("unsupported", None, f"the valid case next to it ({change}) {reason}")

    def _is_random(self, run):
        return any(expected.is_random() for _, answer in self._answers(run)[:1] for expected in answer)

    def _difference(self, first, second):
        """Describes the first difference between two runs on the same inputs. All NaNs are equal."""
        if isinstance(first, BaseException) or isinstance(second, BaseException):
            return None
        try:
            pairs = list(zip(self.values(first), self.values(second)))
        except Garbage:
            return None
        for output, (was, is_) in zip(self.facts["outputs"], pairs):
            if not _same_value(was, is_):
                return f"output `{output['name']}` has other elements"
        return None


def _words(refusal):
    """Returns the text of a refusal without its numbers, which are particulars of the case."""
    return re.sub(r"[0-9]+", "#", _text(refusal))


def _same_value(was, is_):
    if was.type != is_.type:
        return False
    if isinstance(was, Tensor):
        if was.shape != is_.shape:
            return False
        if was.same_bits(is_):
            return True
        if was.kind != "float":
            return False
        nan = numpy.isnan(was.values()) & numpy.isnan(is_.values())
        return bool(((was.data == is_.data) | nan).all())
    if isinstance(was, Optional):
        items = [was.item], [is_.item]
        if was.item is None or is_.item is None:
            return was.item is is_.item
    elif isinstance(was, Sparse):
        return was.shape == is_.shape and was.indices.same_bits(is_.indices) and was.values.same_bits(is_.values)
    else:
        if isinstance(was, Map) and was.keys != is_.keys:
            return False
        items = was.items, is_.items
    return len(items[0]) == len(items[1]) and all(_exactly(a, b) for a, b in zip(*items))


def _exactly(a, b):
    """Compares values inside of a sequence, a map or an optional bit by bit."""
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return a.type == b.type and a.shape == b.shape and a.same_bits(b)
    return _same_value(a, b)


def _text(error):
    return " ".join(str(error).split()) or type(error).__name__


def _bytes(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        raise CorpusError(f"{path} is missing") from None


def _inputs(folder, named):
    return {x["name"]: read_value(os.path.join(folder, f"input_{at}.pb"), x["type"]) for at, x in enumerate(named)}


def judge_case(folder, outcome, twin=None):
    """Judges the first run of a case. `outcome` is a list of outputs, or the exception that the runtime raised.

    `twin` is the outcome of the valid case next to an invalid one (`Case.twin`), or a function that returns it. Without
    it, the refusal of an invalid case that has a twin does not count: the verdict is `unsupported`.
    """
    return Case(folder).judge_session([outcome], twin=twin if callable(twin) or twin is None else lambda: twin)


# The corpus.

_SAME_IN_ALL_PARTS = (
    "plumbline", "seed", "profile", "cases_per_cell", "negative_cases", "arithmetic", "selection", "suites"
)  # fmt: skip


def read_corpus(folder, incomplete=False):
    """Reads the manifests of a corpus: the heads, and the cases. All parts have to be there, unless it is `incomplete`.

    Raises `CorpusError` if one is missing or differs in seed, version or arithmetic, or if a manifest was changed.
    """
    manifests = os.path.join(folder, "manifest")
    try:
        names = sorted(name for name in os.listdir(manifests) if name.endswith(".json"))
    except OSError:
        raise CorpusError(f"{manifests} is missing; the folder is not a corpus") from None
    if not names:
        raise CorpusError(f"{manifests} has no manifest")
    heads, cases = [], []
    for name in names:
        path = os.path.join(manifests, name)
        try:
            head = json.loads(_bytes(path))
        except ValueError as error:
            raise CorpusError(f"{path}: {error}") from None
        if head.get("format") != FORMAT:
            raise CorpusError(f"{path} has the format {head.get('format')}; this judge reads format {FORMAT}")
        for key in _SAME_IN_ALL_PARTS:
            first, this = (heads or [head])[0].get(key), head.get(key)
            if first != this:
                raise CorpusError(f"{path} has another {key} than {names[0]}: {this}, not {first}")
        for key in ("manifest", "manifest_sha256", "shard"):
            if key not in head:
                raise CorpusError(f"{path} has no `{key}`")
        lines = os.path.join(manifests, head["manifest"])
        text = _bytes(lines)
        if hashlib.sha256(text).hexdigest() != head["manifest_sha256"]:
            raise CorpusError(f"{lines} has another hash than {path} says")
        heads.append(head)
        cases += [json.loads(line) for line in text.decode().splitlines()]
    count = heads[0]["shard"][1]
    have = sorted(head["shard"][0] for head in heads)
    if any(head["shard"][1] != count for head in heads):
        raise CorpusError(f"{manifests} has parts of corpora with {sorted({head['shard'][1] for head in heads})} parts")
    missing = sorted(set(range(1, count + 1)) - set(have))
    if missing and not incomplete:
        words = ", ".join(map(str, missing))
        raise CorpusError(f"{manifests} has {len(have)} of {count} parts, missing: {words}; --incomplete judges it anyway")
    return heads, cases


def check_case(folder, case):
    """Checks the files of a case, and returns its folder. Raises `CorpusError` if one is missing or was changed."""
    base = os.path.join(folder, *case["path"].split("/"))
    for name, wanted in case["files"].items():
        path = os.path.join(base, *name.split("/"))
        found = hashlib.sha256(_bytes(path)).hexdigest()
        if found != wanted:
            raise CorpusError(f"{path} has another hash than the manifest says")
    return base


def check_corpus(folder, cases):
    """Checks all files of a corpus, and that there are no others."""
    known = set()
    for case in cases:
        base = check_case(folder, case)
        known |= {os.path.join(base, *name.split("/")) for name in case["files"]}
    for suite in sorted({case["path"].split("/")[0] for case in cases}):
        for at, _, names in os.walk(os.path.join(folder, suite)):
            for name in names:
                path = os.path.join(at, name)
                if path not in known:
                    is_interval = "accept_" in name and not os.path.isfile(os.path.join(at, "..", "model.onnx"))
                    why = "is part of a case that has no model.onnx" if is_interval else "is not in the manifest"
                    raise CorpusError(f"{path} {why}")


# The command. Runners have processes of their own.


def _load_runner(name):
    if name.endswith(".py") or os.sep in name:
        spec = importlib.util.spec_from_file_location("plumbline_runner", name)
        if spec is None or not os.path.isfile(name):
            raise ImportError(f"there is no file {name}")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    else:
        sys.path.insert(0, os.getcwd())
        module = importlib.import_module(name)
    if not callable(getattr(module, "prepare", None)):
        raise ImportError(f"{name} has no function `prepare`")
    return module


def _call(function, *arguments):
    """Returns what a function returns, or the exception that it raises."""
    try:
        return function(*arguments)
    except Exception as error:
        return error


def _work(runner, folder):
    """Runs and judges cases that come as lines of JSON, until there are no more."""
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    # What a runtime prints must not be taken for a reply.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def reply(**words):
        replies.write(json.dumps(words) + "\n")
        replies.flush()

    try:
        sys.modules.setdefault("judge", sys.modules[__name__])
        module = _load_runner(runner)
    except BaseException as error:
        reply(failed=f"{type(error).__name__}: {_text(error)}")
        return
    raw = getattr(module, "RAW", False)
    reply(ready=True)

    def run(session, inputs):
        if not raw:
            inputs = {name: plain(value) for name, value in inputs.items()}
        outputs = session(inputs)
        return outputs if isinstance(outputs, (list, tuple)) else Garbage("the runner returned no list of outputs")

    for line in sys.stdin:
        asked = json.loads(line)
        known = asked["known"]
        start = time.perf_counter()

        def step(name, *arguments):
            """Does a step, unless an earlier attempt showed that it ends the process."""
            if name in known:
                word, detail = known[name]
                return Crash(detail) if word == "crash" else Timeout(detail)
            reply(step=name)
            return _call(*arguments)

        def alone(name, model, inputs):
            def both():
                session = module.prepare(model)
                return run(session, inputs)

            return step(name, both)

        try:
            case = Case(check_case(folder, asked["case"]))
            model = case.model()
            outcomes, session = [], None

            def first():
                nonlocal session
                session = module.prepare(model)
                return run(session, inputs)

            for number in range(len(case.runs)):
                inputs = case.inputs(number)
                again = (lambda: run(session, inputs)) if number else first
                outcomes.append(step(f"run {number}", again))
                if number == 0 and isinstance(outcomes[0], BaseException):
                    break
            verdict = case.judge_session(
                outcomes,
                fresh=lambda number: alone(f"fresh {number}", model, case.inputs(number)),
                twin=lambda: alone("twin", *case.twin()),
                may_vary=getattr(module, "MAY_VARY", False),
            )
            seconds = time.perf_counter() - start
            reply(verdict=verdict.verdict, kind=verdict.kind, rule=verdict.rule, detail=verdict.detail, seconds=seconds)
        except CorpusError as error:
            reply(corpus=str(error))


class _Worker:
    """A process of a runner."""

    def __init__(self, runner, folder):
        words = [sys.executable, os.path.abspath(__file__), folder, "--runner", runner, "--worker"]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.lines = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def ask(self, question):
        try:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
        except OSError:
            pass

    def hear(self, seconds):
        """Returns the next reply, or None if the process ended."""
        line = self.lines.get(timeout=seconds)
        return None if line is None else json.loads(line)

    def end(self):
        self.process.kill()
        return self.process.wait()


def _ended(code):
    return f"the process ended with signal {-code}" if code < 0 else f"the process ended with exit code {code}"


class _Pool:
    """Runs cases in several processes, and hands over the results in the order of the cases."""

    def __init__(self, args, cases, take):
        self.args, self.cases, self.take = args, cases, take
        self.next, self.wanted, self.done = 0, 0, {}
        self.lock = threading.Lock()
        self.error = None

    def run(self):
        threads = [threading.Thread(target=self._thread) for _ in range(max(self.args.jobs, 1))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self.error:
            raise self.error

    def _start(self):
        worker = _Worker(self.args.runner, self.args.corpus)
        try:
            hello = worker.hear(120)
        except queue.Empty:
            hello = {"failed": "it is not ready after 120 seconds"}
        if hello is None or "failed" in hello:
            code = worker.end()
            raise _StartError(hello["failed"] if hello else _ended(code))
        return worker

    def _thread(self):
        worker = None
        try:
            while True:
                with self.lock:
                    if self.error or self.next >= len(self.cases):
                        return
                    at = self.next
                    self.next += 1
                worker, result = self._case(worker, self.cases[at])
                with self.lock:
                    self.done[at] = result
                    while self.wanted in self.done:
                        self.take(self.cases[self.wanted], self.done.pop(self.wanted))
                        self.wanted += 1
        except Exception as error:
            with self.lock:
                self.error = self.error or error
        finally:
            if worker:
                worker.end()

    def _case(self, worker, case):
        """Runs a case; a step that ends the process is not tried again."""
        known = {}
        while True:
            worker = worker or self._start()
            worker.ask({"case": case, "known": known})
            step, heard = None, None
            while True:
                try:
                    heard = worker.hear(self.args.deadline)
                except queue.Empty:
                    worker.end()
                    worker, outcome = None, ("timeout", f"no answer within {self.args.deadline} s")
                    break
                if heard is None:
                    outcome, worker = ("crash", _ended(worker.end())), None
                    break
                if "step" not in heard:
                    break
                step = heard["step"]
            if heard and "step" not in heard:
                if "corpus" in heard:
                    raise CorpusError(heard["corpus"])
                return worker, heard
            if step is None or step in known:
                # Reading or judging the case ended the process, which is not a matter of the runtime.
                raise CorpusError(f"{case['path']}: {outcome[1]} outside of the runner")
            known[step] = outcome


class _StartError(Exception):
    """The runner does not start."""


def _selected(args, cases):
    def wanted(case):
        fits = not args.only or any(fnmatch.fnmatchcase(case["id"], pattern) for pattern in args.only)
        return fits and (not args.suite or case["suite"] in args.suite)

    return [case for case in cases if wanted(case)][: args.limit]


def _parser():
    parser = argparse.ArgumentParser(
        description="Judges the answers of an ONNX runtime by a corpus of Plumbline.",
        epilog="examples:\n"
        "  python judge.py corpus --runner my_runner.py\n"
        "  python judge.py corpus --runner my_runner.py --only 'Min-*' --suite generated\n"
        "  python judge.py corpus --check\n\n"
        "exit codes: 0 conforms, 1 does not, 2 wrong usage or a corpus that is not whole,\n"
        "3 the runner does not start, 4 there is no case",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("corpus", help="the folder that `plumbline export` wrote")
    parser.add_argument("--runner", help="a Python file or module with a function `prepare(model)`")
    parser.add_argument("--check", action="store_true", help="only check that all files are there and unchanged")
    parser.add_argument("--only", action="append", metavar="PATTERN", help="only cases whose id matches: 'Min-13/*'")
    parser.add_argument("--suite", action="append", help="only this suite: generated, negative or regressions")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N cases")
    parser.add_argument("--incomplete", action="store_true", help="judge the corpus even if parts of it are missing")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="the number of processes [default: 1]")
    parser.add_argument("--deadline", type=float, default=10, metavar="S", help="seconds for one run [default: 10]")
    parser.add_argument("--out", metavar="FILE", help="write the verdicts here instead of to stdout")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser


def main(arguments=None):
    """Runs the command, and returns its exit code."""
    args = _parser().parse_args(arguments)
    if args.worker:
        _work(args.runner, args.corpus)
        return 0
    try:
        _, cases = read_corpus(args.corpus, args.incomplete)
        if args.check:
            check_corpus(args.corpus, cases)
            print(f"{len(cases)} cases, all files are as the manifest says")
            return 0
        if not args.runner:
            print("error: --runner or --check is missing", file=sys.stderr)
            return 2
        cases = _selected(args, cases)
        if not cases:
            print("error: no case matches --only and --suite", file=sys.stderr)
            return 4
        counts = collections.Counter()
        out = open(args.out, "w", encoding="utf-8") if args.out else sys.stdout

        def take(case, result):
            counts[result["verdict"]] += 1
            row = {"case": case["id"], "suite": case["suite"], "op": case["op"], "types": case["types"], **result}
            out.write(json.dumps(row) + "\n")

        try:
            _Pool(args, cases, take).run()
        finally:
            out.flush()
            if args.out:
                out.close()
    except CorpusError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except _StartError as error:
        print(f"error: the runner {args.runner} does not start: {error}", file=sys.stderr)
        return 3
    words = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    print(f"{sum(counts.values())} cases: {words}", file=sys.stderr)
    bad = ("fail", "crash", "timeout", "device-lost", "not-run")
    return 1 if any(counts[verdict] for verdict in bad) else 0


if __name__ == "__main__":
    sys.exit(main())

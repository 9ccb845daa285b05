#!/usr/bin/env python3
"""Writes tests/data/floats.txt: what ml_dtypes and exact arithmetic say of every small float format.

Needs numpy, ml_dtypes and onnx. Every table is cut into chunks, and the file holds one FNV-1a hash (64 bits) a chunk; the
Rust test makes the same inputs from the same rules, and hashes what FloatFormat makes of them.

Where the truth comes from:
  decode    ml_dtypes (numpy for float16), every pattern
  encode    exact: the decoded values sorted, the input placed between two of them, ties to the even pattern.
            Wherever the input is a float32, ml_dtypes rounds once, and this script insists that it agrees; from float64
            it often rounds twice, by way of float32, and only the number of differences is printed.
  saturate  onnx.numpy_helper.saturate_cast, from float16 and bfloat16
  float8e8m0  the table of Cast-24; the script insists that ml_dtypes (nearest) and onnx.numpy_helper.to_float8e8m0 agree
            except where the rules of `FloatFormat::encode_e8m0` say that they do not.

NaNs: every NaN result stands as the format's positive quiet NaN, every NaN input is positive (see `FloatFormat::encode`).
"""

import pathlib
import warnings

import ml_dtypes
import numpy as np
from onnx import numpy_helper

warnings.filterwarnings("ignore")

FORMATS = {  # name: (dtype, bits, pattern of NaN)
    "float16": (np.float16, 16, 0x7E00),
    "bfloat16": (ml_dtypes.bfloat16, 16, 0x7FC0),
    "float8e4m3fn": (ml_dtypes.float8_e4m3fn, 8, 0x7F),
    "float8e4m3fnuz": (ml_dtypes.float8_e4m3fnuz, 8, 0x80),
    "float8e5m2": (ml_dtypes.float8_e5m2, 8, 0x7E),
    "float8e5m2fnuz": (ml_dtypes.float8_e5m2fnuz, 8, 0x80),
    "float8e8m0": (ml_dtypes.float8_e8m0fnu, 8, 0xFF),
    "float6e2m3": (ml_dtypes.float6_e2m3fn, 6, None),
    "float6e3m2": (ml_dtypes.float6_e3m2fn, 6, None),
    "float4e2m1": (ml_dtypes.float4_e2m1fn, 4, None),
}
INTEGERS = {
    "int4": (ml_dtypes.int4, 4),
    "uint4": (ml_dtypes.uint4, 4),
    "int2": (ml_dtypes.int2, 2),
    "uint2": (ml_dtypes.uint2, 2),
}
SPECIALS = np.array(
    [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 2.0**-1022, 2.0**-149, 2.0**-150, 2.0**-127, 2.0**-128,
     2.0**-133, 2.0**-134, 2.0**127, 2.0**128, 3.4028234663852886e38, 3.4028235677973366e38, 65504.0, 65519.99, 65520.0, 65536.0,
     1.7976931348623157e308, -1.7976931348623157e308, 448.0, 464.0, 465.0, 240.0, 248.0, 57344.0, 61440.0, 61441.0, 7.5, 28.0, 6.0],
    dtype=np.float64,
)


def storage(bits):
    return np.uint16 if bits == 16 else np.uint8


def hashes(array, chunk):
    """FNV-1a of each run of `chunk` elements, over their little-endian bytes."""
    array = np.ascontiguousarray(array)
    size = array.dtype.itemsize
    out = []
    whole = len(array) // chunk * chunk
    for block in (array[:whole].reshape(-1, chunk), array[whole:].reshape(1, -1)):
        if block.size == 0:
            continue
        data = np.ascontiguousarray(block).view(np.uint8).reshape(len(block), -1).astype(np.uint64)
        assert data.shape[1] % size == 0
        state = np.full(len(block), 0xCBF29CE484222325, dtype=np.uint64)
        for column in range(data.shape[1]):
            state = (state ^ data[:, column]) * np.uint64(0x100000001B3)
        out += [f"{h:016x}" for h in state.tolist()]
    return out


def splitmix64(count):
    """The first `count` numbers of SplitMix64 with seed 0."""
    z = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


class Format:
    def __init__(self, name):
        self.name = name
        self.dtype, self.bits, self.nan = FORMATS[name]
        patterns = np.arange(1 << self.bits).astype(storage(self.bits))
        self.values = patterns.view(self.dtype).astype(np.float64)
        finite = np.isfinite(self.values) & ~np.signbit(self.values)
        # Non-negative finite values ascend with their patterns, in every format.
        self.patterns = patterns[finite]
        self.magnitudes = self.values[finite]
        assert (np.diff(self.magnitudes) > 0).all() and (self.patterns == np.arange(len(self.patterns))).all()
        self.midpoints = (self.magnitudes[:-1] + self.magnitudes[1:]) / 2
        # As if exponents went on: the tie between the largest finite value and its missing neighbour.
        step = self.magnitudes[-1] if self.name == "float8e8m0" else self.magnitudes[-1] - self.magnitudes[-2]
        self.overflow = self.magnitudes[-1] + step / 2

    def inputs_around_midpoints(self):
        middle = np.concatenate([self.midpoints, [self.overflow]])
        positive = np.stack([np.nextafter(middle, -np.inf), middle, np.nextafter(middle, np.inf)], axis=1).ravel()
        return np.stack([positive, -positive], axis=1).ravel()

    def random_inputs(self, count):
        """float64 numbers whose exponents reach from below the smallest to above the largest of this format."""
        low = int(np.floor(np.log2(self.magnitudes[self.magnitudes > 0][0]))) - 3
        span = int(np.floor(np.log2(self.magnitudes[-1]))) + 3 - low
        r = splitmix64(count)
        exponent = (r >> np.uint64(52) & np.uint64(0x7FF)) % np.uint64(span)
        biased = (exponent.astype(np.int64) + low + 1023).astype(np.uint64)
        return (r & np.uint64(0x800FFFFFFFFFFFFF) | biased << np.uint64(52)).view(np.float64)

    def cast(self, array):
        return array.astype(self.dtype).view(storage(self.bits))

    def exact(self, x):
        """Nearest pattern, ties to even, without saturation."""
        if self.name == "float8e8m0":
            return e8m0(x, "nearest", False)
        magnitude = np.abs(np.nan_to_num(x, nan=0.0, posinf=np.inf, neginf=-np.inf))
        below = np.clip(np.searchsorted(self.magnitudes, magnitude, side="right") - 1, 0, len(self.magnitudes) - 2)
        middle = self.midpoints[below]
        field = below + ((magnitude > middle) | ((magnitude == middle) & (below % 2 == 1)))
        last = len(self.magnitudes) - 1
        beyond = (magnitude > self.overflow) | ((magnitude == self.overflow) & (last % 2 == 1))
        field = field.astype(np.int64)
        sign = np.signbit(x).astype(np.int64) << (self.bits - 1)
        if self.name.startswith(("float6", "float4")):
            result = np.where(beyond, sign | last, sign | field)
            result = np.where(np.isnan(x), 1 << (self.bits - 1), result)
        elif self.name.endswith("uz"):
            result = np.where(field == 0, 0, sign | field)
            result = np.where(beyond | np.isnan(x), self.nan, result)
        elif self.name == "float8e4m3fn":
            result = np.where(beyond, sign | self.nan, sign | field)
            result = np.where(np.isnan(x), self.nan, result)
        else:
            result = np.where(beyond, sign | (last + 1), sign | field)
            result = np.where(np.isnan(x), self.nan, result)
        return result.astype(storage(self.bits))

    def checked(self, x, what):
        """`exact`, held against what ml_dtypes (numpy for float16) makes of the same input."""
        exact = self.exact(x.astype(np.float64))
        positive_nan = np.where(np.isnan(x), np.array(np.nan, dtype=x.dtype), x).astype(x.dtype)
        theirs = self.cast(positive_nan)
        same = exact == theirs
        once = x.astype(np.float64) == x.astype(np.float64).astype(np.float32)
        once |= ~np.isfinite(x.astype(np.float64))
        if self.name == "float8e8m0":
            # As documented at `FloatFormat::encode_e8m0`, ml_dtypes rounds before it compares with the ends, and always
            # rounds up between the two smallest values.
            same |= (x > 0) & (x < 2.0**-127) & (exact == 0xFF) & (theirs == 0)
            same |= (x > 2.0**127) & (x < 1.5 * 2.0**127) & (exact == 0xFF) & (theirs == 0xFE)
            same |= (x > 2.0**-127) & (x < 1.5 * 2.0**-127) & (exact == 0) & (theirs == 1)
        if self.name == "float16":
            once = np.ones(len(x), dtype=bool)
        assert same[once].all(), (self.name, what, x[once & ~same][:10], exact[once & ~same][:10], theirs[once & ~same][:10])
        if not same.all():
            print(f"{self.name} {what}: ml_dtypes rounds {int((~same).sum())} of {len(x)} float64 twice")
        return exact


def e8m0(x, mode, saturate):
    """The table of Cast-24, exactly: see `FloatFormat::encode_e8m0`."""
    x = np.asarray(x, dtype=np.float64)
    inside = (x >= 2.0**-127) & (x <= 2.0**127)
    fraction, exponent = np.frexp(np.where(inside, x, 1.0))
    fraction, exponent = fraction * 2, exponent - 1
    up = {"up": fraction > 1, "down": fraction < 0, "nearest": fraction >= 1.5}[mode]
    result = exponent + 127 + up
    result = np.where(x > 2.0**127, 254 if saturate else 255, result)
    result = np.where(x < 2.0**-127, 0 if saturate else 255, result)
    return np.where(np.isnan(x) | (x < 0), 255, result).astype(np.uint8)


def check_e8m0_against_onnx(x):
    """onnx.numpy_helper reads the exponent field of float32, which is right for normal numbers in range."""
    for mode in ("up", "down", "nearest"):
        for saturate in (True, False):
            normal = (x >= 2.0**-126) & (x <= 2.0**127)
            theirs = numpy_helper.to_float8e8m0(x[normal], saturate=saturate, round_mode=mode).view(np.uint8)
            assert (theirs == e8m0(x[normal], mode, saturate)).all(), mode


def every(dtype):
    x = np.arange(1 << 16).astype(np.uint16).view(dtype)
    return np.where(np.isnan(x), np.array(np.nan, dtype=dtype), x).astype(dtype)


def main():
    lines = ["# Written by scripts/make_float_data.py; see there. table, element type, input, chunk, hashes (inputs: the inputs)."]

    def write(table, name, what, array, chunk):
        lines.append(" ".join([table, name, what, str(chunk), *hashes(array, chunk)]))

    lines.append(" ".join(["inputs", "double", "specials", "0", *(f"{b:016x}" for b in SPECIALS.view(np.uint64).tolist())]))
    halves = {"float16": every(np.float16), "bfloat16": every(ml_dtypes.bfloat16)}
    for name in FORMATS:
        format = Format(name)
        decoded = np.where(np.isnan(format.values), np.float64(np.nan), format.values)
        write("decode", name, "patterns", decoded, 256)
        for source, x in halves.items():
            write("encode", name, source, format.checked(x.astype(np.float32), source), 512)
        write("encode", name, "midpoints", format.checked(format.inputs_around_midpoints(), "midpoints"), 2048)
        write("encode", name, "specials", format.exact(SPECIALS), len(SPECIALS))
        random = format.random_inputs(1 << 20)
        write("encode", name, "random", format.checked(random, "random"), 16384)
        format.checked(random.astype(np.float32), "random float32")
        if name.startswith("float8") and name != "float8e8m0":
            for source, x in halves.items():
                x = x.astype(np.float32)
                y = numpy_helper.saturate_cast(x, np.dtype(format.dtype)).view(np.uint8)
                write("saturate", name, source, np.where(np.isnan(x), format.nan, y).astype(np.uint8), 512)
    for mode in ("up", "down", "nearest"):
        for saturate in (True, False):
            for source, x in halves.items():
                x = x.astype(np.float32)
                check_e8m0_against_onnx(x)
                write(f"e8m0-{mode}-{'saturate' if saturate else 'none'}", "float8e8m0", source, e8m0(x, mode, saturate), 512)
    for name, (dtype, bits) in INTEGERS.items():
        patterns = np.arange(1 << bits).astype(np.uint8)
        write("decode", name, "patterns", patterns.view(dtype).astype(np.int64), 256)
        numbers = np.arange(-300, 300, dtype=np.int32)
        write("encode", name, "integers", numbers.astype(dtype).astype(np.int64), 600)
    out = pathlib.Path(__file__).resolve().parent.parent / "tests/data/floats.txt"
    out.write_text("\n".join(lines) + "\n")
    print(f"{out.name}: {out.stat().st_size} bytes")


if __name__ == "__main__":
    main()

"""Numbers of the exact backend: what a float tensor holds, and the one rounding at the end.

A tensor becomes an array of Python floats, which hold every float16, bfloat16, float and double exactly. Formulas compute with mpmath's
numbers at a precision at which nothing of interest is lost. `rounded` brings a result to its type, to nearest with ties to even.
"""

import math

import ml_dtypes
import numpy as np
from mpmath import mp, mpf
from onnx import TensorProto, numpy_helper

# By element type: the number of bits of the significand, the exponent of the smallest normal number, and numpy's type.
FORMATS = {
    TensorProto.FLOAT16: (11, -14, np.float16),
    TensorProto.BFLOAT16: (8, -126, ml_dtypes.bfloat16),
    TensorProto.FLOAT: (24, -126, np.float32),
    TensorProto.DOUBLE: (53, -1022, np.float64),
}

# Bits with which formulas compute: enough for sums of squares from the smallest to the largest number of the type.
WORKING = {
    TensorProto.FLOAT16: 260,
    TensorProto.BFLOAT16: 800,
    TensorProto.FLOAT: 800,
    TensorProto.DOUBLE: 2400,
}


class Unsupported(Exception):
    """This backend has no formula for the node, or none for these inputs."""


def floats(tensor):
    """The elements of a TensorProto, of a type in `FORMATS`, as float64, which holds them exactly."""
    return numpy_helper.to_array(tensor).astype(np.float64)


def exact(array):
    """An array of mpmath's numbers."""
    array = np.asarray(array, dtype=np.float64)
    out = np.empty(array.shape, dtype=object)
    for index in np.ndindex(*array.shape):
        out[index] = mpf(float(array[index]))
    return out


def round_one(x, elem_type):
    """A number rounded to a type, to nearest with ties to even, as a Python float."""
    if isinstance(x, float):
        if not math.isfinite(x) or x == 0.0:
            return x
        x = mpf(x)
    if isinstance(x, int):
        x = mp.make_mpf((int(x < 0), abs(x), 0, abs(x).bit_length())) if x else mpf(0)
    if not isinstance(x, mpf):
        return math.nan  # a complex number: outside of the domain
    if mp.isnan(x):
        return math.nan
    if mp.isinf(x):
        return math.inf if x > 0 else -math.inf
    sign, mantissa, exponent, bits = x._mpf_
    if mantissa == 0:
        return 0.0
    mantissa, exponent = int(mantissa), int(exponent)
    precision, smallest, _ = FORMATS[elem_type]
    leading = exponent + bits - 1
    quantum = max(leading, smallest) - (precision - 1)
    shift = quantum - exponent
    if shift > 0:
        kept, lost = mantissa >> shift, mantissa & ((1 << shift) - 1)
        half = 1 << (shift - 1)
        if lost > half or lost == half and kept & 1:
            kept += 1
    else:
        kept, quantum = mantissa, exponent
    largest = -smallest + 1
    if kept.bit_length() + quantum - 1 > largest:
        value = math.inf
    else:
        value = math.ldexp(kept, quantum)
    return -value if sign else value


def rounded(array, elem_type):
    """An array of numbers as a TensorProto of this type."""
    if elem_type not in FORMATS:
        raise Unsupported(f"outputs of element type {elem_type}")
    array = np.asarray(array, dtype=object)
    out = np.empty(array.shape, dtype=np.float64)
    for index in np.ndindex(*array.shape):
        out[index] = round_one(array[index], elem_type)
    return numpy_helper.from_array(out.astype(FORMATS[elem_type][2]))


def divide(a, b):
    """`a / b` with the infinities and NaN of IEEE 754; a zero divisor counts as positive."""
    if mp.isnan(a) or mp.isnan(b):
        return mp.nan
    if b == 0:
        if a == 0:
            return mp.nan
        return mp.inf if a > 0 else mp.ninf
    if mp.isinf(b):
        return mp.nan if mp.isinf(a) else mpf(0)
    return a / b


def clamped(function, most):
    """`function` with arguments limited to a magnitude where the result is beyond every type or no longer changes."""

    def run(x):
        return function(max(min(x, mpf(most)), mpf(-most)))

    return run


exp = clamped(mp.exp, 1e6)
expm1 = clamped(mp.expm1, 1e6)
sinh = clamped(mp.sinh, 1e6)
cosh = clamped(mp.cosh, 1e6)
tanh = clamped(mp.tanh, 1e6)
erf = clamped(mp.erf, 200)
erfc = clamped(mp.erfc, 200)


def root(x):
    """The square root; NaN below zero."""
    if mp.isnan(x) or x < 0:
        return mp.nan
    return mp.sqrt(x)


def logarithm(x):
    """The natural logarithm; minus infinity at zero, NaN below."""
    if mp.isnan(x) or x < 0:
        return mp.nan
    if x == 0:
        return mp.ninf
    return x if mp.isinf(x) else mp.log(x)


def power(x, y):
    """`x ^ y` of a base that is not negative."""
    if mp.isnan(x) or x < 0:
        return mp.nan
    if x == 0:
        return mpf(0) if y > 0 else mpf(1) if y == 0 else mp.inf
    if mp.isinf(x):
        return mp.inf if y > 0 else mpf(1) if y == 0 else mpf(0)
    return mp.power(x, y)


def total(terms):
    """The sum of numbers; NaN where infinities of both signs meet."""
    terms = list(terms)
    if any(mp.isnan(t) for t in terms):
        return mp.nan
    infinite = {t for t in terms if mp.isinf(t)}
    if infinite:
        return infinite.pop() if len(infinite) == 1 else mp.nan
    return mp.fsum(terms)

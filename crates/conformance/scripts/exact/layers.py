"""Signals, grids, and other operators whose elements depend on their places."""

import numpy as np
from mpmath import mp, mpf
from onnx import TensorProto

from values import Unsupported, exact, total


def dft(node):
    x = node.exact(0)
    if node.since < 20:
        axis = node.int("axis")
    else:
        axis = int(node.any(2).reshape(-1)[0]) if node.has(2) else -2
    axis %= x.ndim
    length = int(node.any(1).reshape(-1)[0]) if node.has(1) else None
    inverse, onesided = node.int("inverse"), node.int("onesided")
    if inverse and onesided or axis == x.ndim - 1 or x.size == 0:
        raise Unsupported("the transform is a one-sided inverse, is along the last axis, or is of an empty signal")
    length = x.shape[axis] if length is None else length
    bins = length // 2 + 1 if onesided else length
    sign = 1 if inverse else -1
    moved = np.moveaxis(x, axis, -2)
    circle = [mp.expjpi(sign * mpf(2) * k / length) for k in range(length)]
    out = np.empty((*moved.shape[:-2], bins, 2), dtype=object)
    for *outer, k in np.ndindex(*out.shape[:-1]):
        signal = moved[tuple(outer)][:length]
        reals, imaginaries = [], []
        for n, element in enumerate(signal):
            turn = circle[k * n % length]
            re, im = element[0], element[1] if len(element) == 2 else mpf(0)
            reals += [re * turn.real, -im * turn.imag]
            imaginaries += [re * turn.imag, im * turn.real]
        scale = length if inverse else 1
        out[(*outer, k)] = [total(reals) / scale, total(imaginaries) / scale]
    return [np.moveaxis(out, -2, axis)]


def window(coefficients):
    def run(node):
        size = int(node.any(0).reshape(-1)[0])
        steps = size if node.int("periodic") else size - 1
        if size < 2:
            raise Unsupported("the window has fewer than two points")
        out = np.empty(size, dtype=object)
        for n in range(size):
            out[n] = mp.fsum((-1) ** k * c * mp.cospi(mpf(2 * k * n) / steps) for k, c in enumerate(coefficients()))
        return [out]

    return run


def range_(node):
    start, limit, delta = [node.floats(i).reshape(-1)[0] for i in range(3)]
    if not np.all(np.isfinite([start, limit, delta])):
        raise Unsupported("a bound is not finite")
    start, limit, delta = mpf(start), mpf(limit), mpf(delta)
    count = max(int(mp.ceil((limit - start) / delta)), 0)
    return [np.array([start + i * delta for i in range(count)] + [None], dtype=object)[:count]]


def affine_grid(node):
    theta = node.exact(0)
    size = [int(s) for s in node.any(1)]
    spatial, aligned = size[2:], node.int("align_corners")

    def place(i, extent):
        if not aligned:
            return mpf(2 * i + 1) / extent - 1
        if extent == 1:
            raise Unsupported("corners are aligned along an extent of 1")
        return mpf(2 * i) / (extent - 1) - 1

    out = np.empty((size[0], *spatial, len(spatial)), dtype=object)
    for n, *at in np.ndindex(*out.shape[:-1]):
        # The last axis comes first: x, y, z.
        point = [place(i, e) for i, e in zip(at, spatial)][::-1] + [mpf(1)]
        out[(n, *at)] = [total(a * b for a, b in zip(row, point)) for row in theta[n]]
    return [out]


def rotary_embedding(node):
    x, cos, sin = node.exact(0), node.exact(1), node.exact(2)
    if x.ndim != 4 or node.has(3):
        raise Unsupported("the input does not have rank 4, or position_ids is given")
    rotated = node.int("rotary_embedding_dim") or x.shape[3]
    half = rotated // 2
    # What is not rotated stays a Python float, which keeps the sign of a zero.
    y = node.floats(0).astype(object)
    for b, h, s, i in np.ndindex(*x.shape[:3], half):
        first, second = (2 * i, 2 * i + 1) if node.int("interleaved") else (i, i + half)
        c, t = cos[b, s, i], sin[b, s, i]
        a, d = x[b, h, s, first], x[b, h, s, second]
        y[b, h, s, first], y[b, h, s, second] = total([c * a, -t * d]), total([t * a, c * d])
    return [y]


def hamming():
    return [mpf(25) / 46, mpf(21) / 46]


OPERATORS = {
    "AffineGrid": affine_grid,
    "BlackmanWindow": window(lambda: [mpf("0.42"), mpf("0.5"), mpf("0.08")]),
    "DFT": dft,
    "HammingWindow": window(hamming),
    "HannWindow": window(lambda: [mpf("0.5"), mpf("0.5")]),
    "Range": range_,
    "RotaryEmbedding": rotary_embedding,
}

"""Sums of products: matrices, convolutions, pools."""

import itertools
from fractions import Fraction

import numpy as np
from mpmath import mp, mpf

from values import Unsupported, divide, exact, power, total


def dot(pairs):
    return total(a * b for a, b in pairs)


def matrices(a, b):
    """Products of matrices in the last two axes, the others broadcast."""
    left, right = a.shape[:-2], b.shape[:-2]
    outer = np.broadcast_shapes(left, right)
    a, b = np.broadcast_to(a, outer + a.shape[-2:]), np.broadcast_to(b, outer + b.shape[-2:])
    out = np.empty(outer + (a.shape[-2], b.shape[-1]), dtype=object)
    for *o, i, j in np.ndindex(*out.shape):
        out[(*o, i, j)] = dot(zip(a[(*o, i)], b[(*o, slice(None), j)]))
    return out


def mat_mul(node):
    a, b = node.exact(0), node.exact(1)
    one, other = a.ndim == 1, b.ndim == 1
    out = matrices(a[None, :] if one else a, b[:, None] if other else b)
    if other:
        out = out[..., 0]
    if one:
        out = out[..., 0] if other else out[..., 0, :]
    return [np.asarray(out, dtype=object)]


def gemm(node):
    a, b = node.exact(0), node.exact(1)
    alpha, beta = node.float("alpha"), node.float("beta")
    out = alpha * matrices(a.T if node.int("transA") else a, b.T if node.int("transB") else b)
    if node.has(2):
        c = node.exact(2)
        out = out + np.broadcast_to(beta * c if beta != 0 else c * 0, out.shape)
    return [out]


def einsum(node):
    equation = node.string("equation").replace(" ", "")
    arrays = [node.exact(i) for i in range(node.inputs)]
    if "." in equation:
        raise Unsupported("the equation has an ellipsis")
    terms, arrow, result = equation.partition("->")
    terms = terms.split(",")
    if not arrow:
        joined = "".join(terms)
        result = "".join(sorted(c for c in set(joined) if joined.count(c) == 1))
    sizes = {}
    for term, array in zip(terms, arrays):
        for letter, size in zip(term, array.shape):
            if sizes.get(letter, 1) == 1:
                sizes[letter] = size
    if any(s != sizes[c] for term, a in zip(terms, arrays) for c, s in zip(term, a.shape)):
        raise Unsupported("an extent of 1 broadcasts")
    summed = [c for c in sizes if c not in result]
    out = np.empty([sizes[c] for c in result], dtype=object)
    for index in np.ndindex(*out.shape):
        at = dict(zip(result, index))
        products = []
        for inner in itertools.product(*(range(sizes[c]) for c in summed)):
            place = at | dict(zip(summed, inner))
            product = mpf(1)
            for term, array in zip(terms, arrays):
                product = product * array[tuple(place[c] for c in term)]
            products.append(product)
        out[index] = total(products)
    return [out]


class Windows:
    """Where the windows of a convolution or pool lie on each spatial axis."""

    def __init__(self, node, spatial, kernel):
        count = len(spatial)
        strides = node.ints("strides") or [1] * count
        dilations = (node.ints("dilations") if node.optional("dilations") else None) or [1] * count
        ceil = node.optional("ceil_mode")
        if ceil is not None and ceil.i:
            raise Unsupported("ceil_mode is set")
        auto, pads = node.string("auto_pad"), node.ints("pads") or [0] * (2 * count)
        reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
        if auto.startswith("SAME"):
            outs = [-(-e // s) for e, s in zip(spatial, strides)]
            needed = [max(0, (o - 1) * s + r - e) for o, s, r, e in zip(outs, strides, reach, spatial)]
            small, large = [p // 2 for p in needed], [p - p // 2 for p in needed]
            pads = small + large if auto == "SAME_UPPER" else large + small
        elif auto == "VALID":
            pads = [0] * (2 * count)
        begin, end = pads[:count], pads[count:]
        self.shape = [(e + b + f - r) // s + 1 for e, b, f, r, s in zip(spatial, begin, end, reach, strides)]
        if any(s < 1 for s in self.shape):
            raise Unsupported("no window fits into the input")
        self.spatial, self.kernel = spatial, kernel
        self.strides, self.dilations, self.begin = strides, dilations, begin

    def taps(self, place):
        """The index of each element of a window in the kernel, and that in the input, which is None in the padding."""
        for k in np.ndindex(*self.kernel):
            at = [p * s + i * d - b for p, s, i, d, b in zip(place, self.strides, k, self.dilations, self.begin)]
            inside = all(0 <= a < e for a, e in zip(at, self.spatial))
            yield k, tuple(at) if inside else None


def conv(node):
    x, w = node.exact(0), node.exact(1)
    bias = node.exact(2) if node.has(2) else None
    group = node.int("group")
    windows = Windows(node, x.shape[2:], w.shape[2:])
    out = np.empty((x.shape[0], w.shape[0], *windows.shape), dtype=object)
    each, made = w.shape[1], w.shape[0] // group
    for n, m, *place in np.ndindex(*out.shape):
        first = m // made * each
        taps = [(k, at) for k, at in windows.taps(place) if at is not None]
        terms = [x[(n, first + c, *at)] * w[(m, c, *k)] for c in range(each) for k, at in taps]
        out[(n, m, *place)] = total(terms + ([] if bias is None else [bias[m]]))
    return [out]


def pool(formula):
    def run(node):
        x = node.exact(0)
        kernel = node.ints("kernel_shape")
        if kernel is None:
            raise Unsupported("kernel_shape is missing")
        windows = Windows(node, x.shape[2:], kernel)
        out = np.empty((*x.shape[:2], *windows.shape), dtype=object)
        for n, c, *place in np.ndindex(*out.shape):
            taps = list(windows.taps(place))
            inside = [x[(n, c, *at)] for _, at in taps if at is not None]
            if not inside:
                raise Unsupported("a window contains only padding")
            out[(n, c, *place)] = formula(node, inside, len(taps))
        return [out]

    return run


def average(node, inside, size):
    counted = node.optional("count_include_pad")
    return total(inside) / (size if counted is not None and counted.i else len(inside))


def norm(node, inside, _size=None):
    found = node.optional("p")
    p = mpf(found.f if found.type == 1 else found.i)
    if p < 1:
        raise Unsupported("p gives no norm")
    return power(total(power(abs(t), p) for t in inside), 1 / p)


def over_all(formula):
    def run(node):
        x = node.exact(0)
        if x.size == 0 or x.ndim < 3:
            raise Unsupported("the input is empty or has no spatial axes")
        out = np.empty(x.shape[:2] + (1,) * (x.ndim - 2), dtype=object)
        for n, c in np.ndindex(*x.shape[:2]):
            out[n, c] = np.full((1,) * (x.ndim - 2), formula(node, list(x[n, c].reshape(-1))), dtype=object)
        return [out]

    return run


def conv_transpose(node):
    x, w = node.exact(0), node.exact(1)
    bias = node.exact(2) if node.has(2) else None
    count, group = x.ndim - 2, node.int("group")
    if node.string("auto_pad") != "NOTSET" or node.ints("output_shape"):
        raise Unsupported("the padding follows from output_shape or auto_pad")
    strides, dilations = node.ints("strides") or [1] * count, node.ints("dilations") or [1] * count
    pads, extra = node.ints("pads") or [0] * (2 * count), node.ints("output_padding") or [0] * count
    spatial = [
        s * (e - 1) + o + (k - 1) * d + 1 - pads[i] - pads[i + count]
        for i, (e, s, k, d, o) in enumerate(zip(x.shape[2:], strides, w.shape[2:], dilations, extra))
    ]
    if any(s < 1 for s in spatial):
        raise Unsupported("an output extent is not positive")
    each, made = x.shape[1] // group, w.shape[1]
    terms = np.empty((x.shape[0], made * group, *spatial), dtype=object)
    for index in np.ndindex(*terms.shape):
        terms[index] = [] if bias is None else [bias[index[1]]]
    for n, c, *at in np.ndindex(*x.shape):
        for m, *k in np.ndindex(*w.shape[1:]):
            place = [a * s + i * d - p for a, s, i, d, p in zip(at, strides, k, dilations, pads)]
            if all(0 <= p < e for p, e in zip(place, spatial)):
                terms[(n, c // each * made + m, *place)].append(x[(n, c, *at)] * w[(c, m, *k)])
    out = np.empty(terms.shape, dtype=object)
    for index in np.ndindex(*out.shape):
        out[index] = total(terms[index])
    return [out]


def determinant(rows):
    """The determinant of a matrix of fractions."""
    rows, result = [list(r) for r in rows], Fraction(1)
    for i in range(len(rows)):
        pivot = next((r for r in range(i, len(rows)) if rows[r][i] != 0), None)
        if pivot is None:
            return Fraction(0)
        if pivot != i:
            rows[i], rows[pivot], result = rows[pivot], rows[i], -result
        result *= rows[i][i]
        for r in range(i + 1, len(rows)):
            factor = rows[r][i] / rows[i][i]
            rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    return result


def det(node):
    x = node.floats(0)
    if not np.all(np.isfinite(x)):
        raise Unsupported("an element is not finite")
    out = np.empty(x.shape[:-2], dtype=object)
    for index in np.ndindex(*out.shape):
        if x.shape[-1] == 1:
            out[index] = float(x[index][0, 0])
            continue
        found = determinant([[Fraction(float(v)) for v in row] for row in x[index]])
        out[index] = mpf(found.numerator) / mpf(found.denominator)
    return [out]


OPERATORS = {
    "AveragePool": pool(average),
    "Conv": conv,
    "ConvTranspose": conv_transpose,
    "Det": det,
    "Einsum": einsum,
    "Gemm": gemm,
    "GlobalAveragePool": over_all(lambda node, x: total(x) / len(x)),
    "GlobalLpPool": over_all(norm),
    "LpPool": pool(norm),
    "MatMul": mat_mul,
}

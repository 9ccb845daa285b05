"""Sums over some of the elements: reductions, softmax, normalizations, losses."""

import numpy as np
from mpmath import mp, mpf

from values import Unsupported, divide, exp, logarithm, power, root, total


def lanes(x, axes):
    """`x` with these axes merged into one, which is the last."""
    kept = [a for a in range(x.ndim) if a not in axes]
    return x.transpose(kept + list(axes)).reshape([x.shape[a] for a in kept] + [-1])


def along(x, formula):
    """Applies a formula to each list of elements along the last axis. The formula gives one number."""
    out = np.empty(x.shape[:-1], dtype=object)
    for index in np.ndindex(*out.shape):
        out[index] = formula(list(x[index]))
    return out


def each_along(x, axes, formula):
    """Applies a formula to each list of elements along these axes. The formula gives as many numbers as it takes."""
    out = np.empty(x.shape, dtype=object)
    kept = [a for a in range(x.ndim) if a not in axes]
    for index in np.ndindex(*(x.shape[a] for a in kept)):
        place = [slice(None)] * x.ndim
        for a, i in zip(kept, index):
            place[a] = i
        part = x[tuple(place)]
        lane = list(part.reshape(-1))
        if lane:
            new = np.empty(len(lane), dtype=object)
            new[:] = formula(lane)
            out[tuple(place)] = new.reshape(part.shape)
    return out


def prod(terms):
    result = mpf(1)
    for t in terms:
        result = result * t
    return result


def log_sum_exp(terms):
    if any(mp.isnan(t) for t in terms):
        return mp.nan
    largest = max(terms)
    if mp.isinf(largest):
        return largest
    # Nothing is lost by the shift, and no power is far beyond what the precision holds.
    return largest + mp.log(total(exp(t - largest) for t in terms))


REDUCTIONS = {
    "ReduceL1": lambda x: total(abs(t) for t in x),
    "ReduceL2": lambda x: root(total(t * t for t in x)),
    "ReduceLogSum": lambda x: logarithm(total(x)),
    "ReduceLogSumExp": log_sum_exp,
    "ReduceMean": lambda x: divide(total(x), mpf(len(x))),
    "ReduceProd": prod,
    "ReduceSum": total,
    "ReduceSumSquare": lambda x: total(t * t for t in x),
}


def reduction(name):
    def run(node):
        x = node.exact(0)
        if x.size == 0:
            raise Unsupported("the input is empty")
        if "axes" in node.schema.attributes:
            axes = node.ints("axes")
        else:
            axes = [int(a) for a in node.any(1).reshape(-1)] if node.has(1) else None
        if not axes:
            noop = node.optional("noop_with_empty_axes")
            if noop is not None and noop.i:
                if name not in ("ReduceSum", "ReduceMean", "ReduceProd"):
                    raise Unsupported("noop_with_empty_axes is set")
                return [x]
            axes = range(x.ndim)
        axes = sorted({a % x.ndim for a in axes}) if x.ndim else []
        out = along(lanes(x, axes), REDUCTIONS[name])
        if node.int("keepdims"):
            out = out.reshape([1 if a in axes else e for a, e in enumerate(x.shape)])
        return [out]

    return run


def shares(lane):
    """Softmax of a list of numbers."""
    largest = max(lane) if not any(mp.isnan(t) for t in lane) else mp.nan
    if mp.isnan(largest) or mp.isinf(largest):
        return [mp.nan] * len(lane)
    powers = [exp(t - largest) for t in lane]
    whole = total(powers)
    return [p / whole for p in powers]


def log_shares(lane):
    if any(mp.isnan(t) for t in lane) or mp.isinf(max(lane)):
        return [mp.nan] * len(lane)
    whole = log_sum_exp(lane)
    return [t - whole for t in lane]


def softmax(formula):
    def run(node):
        x = node.exact(0)
        axis = node.int("axis")
        if node.since >= 13:
            if x.ndim == 0:
                raise Unsupported("the input is a scalar")
            return [each_along(x, [axis % x.ndim], formula)]
        axis = axis if axis >= 0 else axis + x.ndim
        return [each_along(x, list(range(axis, x.ndim)), formula)]

    return run


def spread(terms):
    """Mean and population variance of numbers."""
    count = mpf(len(terms))
    mean = total(terms) / count
    return mean, total((t - mean) ** 2 for t in terms) / count


def layer_normalization(node):
    x = node.exact(0)
    first = node.int("axis") % x.ndim
    epsilon = node.float("epsilon")
    scale = np.broadcast_to(node.exact(1), x.shape)
    bias = np.broadcast_to(node.exact(2), x.shape) if node.has(2) else None
    shape = x.shape[:first] + (1,) * (x.ndim - first)
    y = np.empty(x.shape, dtype=object)
    means, inverses = np.empty(shape, dtype=object), np.empty(shape, dtype=object)
    if x.size == 0:
        raise Unsupported("the input is empty")
    for index in np.ndindex(*x.shape[:first]):
        mean, variance = spread(list(x[index].reshape(-1)))
        inverse = divide(mpf(1), root(variance + epsilon))
        y[index] = (x[index] - mean) * inverse * scale[index] + (0 if bias is None else bias[index])
        means[index].reshape(-1)[0], inverses[index].reshape(-1)[0] = mean, inverse
    return [y, means, inverses][: node.outputs]


# The largest number of each type that `stash_type` may name, except for double, which holds every element.
LARGEST_OF_STASH = {1: 3.4028234663852886e38, 10: 65504.0, 16: 3.3895313892515355e38}


def rms_normalization(node):
    x = node.exact(0)
    largest = LARGEST_OF_STASH.get(node.int("stash_type"))
    if largest and any(largest < abs(element) < mp.inf for element in x.reshape(-1)):
        raise Unsupported("the text casts to `stash_type`, which makes an element infinite")
    first = node.int("axis") % x.ndim
    epsilon = node.float("epsilon")
    scale = np.broadcast_to(node.exact(1), x.shape)
    y = np.empty(x.shape, dtype=object)
    for index in np.ndindex(*x.shape[:first]):
        terms = list(x[index].reshape(-1))
        if terms:
            y[index] = x[index] * divide(mpf(1), root(total(t * t for t in terms) / len(terms) + epsilon)) * scale[index]
    return [y]


def standardized(x, epsilon):
    """A group of elements less their mean, divided by the root of their variance."""
    mean, variance = spread(list(x.reshape(-1)))
    return (x - mean) * divide(mpf(1), root(variance + epsilon))


def instance_normalization(node):
    if node.since < 6:
        raise Unsupported("version 1 has no formula")
    x, scale, bias = node.exact(0), node.exact(1), node.exact(2)
    epsilon = node.float("epsilon")
    y = np.empty(x.shape, dtype=object)
    if x.size == 0 or x.ndim < 3:
        raise Unsupported("the input is empty or has no spatial axes")
    for n, c in np.ndindex(*x.shape[:2]):
        y[n, c] = scale[c] * standardized(x[n, c], epsilon) + bias[c]
    return [y]


def group_normalization(node):
    x, scale, bias = node.exact(0), node.exact(1), node.exact(2)
    groups, epsilon = node.int("num_groups"), node.float("epsilon")
    y = np.empty(x.shape, dtype=object)
    if x.size == 0:
        raise Unsupported("the input is empty")
    each = x.shape[1] // groups
    for n, g in np.ndindex(x.shape[0], groups):
        part = slice(g * each, (g + 1) * each)
        y[n, part] = standardized(x[n, part], epsilon)
    # Version 18 scales groups, later ones channels.
    by_channel = [c // each if node.since < 21 else c for c in range(x.shape[1])]
    for c, i in enumerate(by_channel):
        y[:, c] = y[:, c] * scale[i] + bias[i]
    return [y]


def mean_variance_normalization(node):
    x = node.exact(0)
    axes = node.ints("axes") if node.since >= 9 else None
    if axes is None:
        axes = [0, 2, 3]
    axes = [a % x.ndim for a in axes]

    def lane(terms):
        mean, variance = spread(terms)
        return [divide(t - mean, root(variance)) for t in terms]

    return [each_along(x, axes, lane)]


def lp_normalization(node):
    x, p = node.exact(0), node.int("p")

    def lane(terms):
        norm = total(abs(t) for t in terms) if p == 1 else root(total(t * t for t in terms))
        return [mpf(0) if norm == 0 else divide(t, norm) for t in terms]

    return [each_along(x, [node.int("axis") % x.ndim], lane)]


def lrn(node):
    x, size = node.exact(0), node.int("size")
    alpha, beta, bias = node.float("alpha"), node.float("beta"), node.float("bias")
    before, after = (size - 1) // 2, size // 2
    channels = x.shape[1]
    y = np.empty(x.shape, dtype=object)
    for index in np.ndindex(*x.shape):
        n, c, *inner = index
        near = range(max(0, c - before), min(channels - 1, c + after) + 1)
        squares = total(x[(n, i, *inner)] ** 2 for i in near)
        y[index] = divide(x[index], power(bias + alpha / size * squares, beta))
    return [y]


def loss(node, logarithms):
    """The loss for logarithms of probabilities. Axis 1 is that of the classes."""
    target = node.any(1).astype(np.int64)
    classes = logarithms.shape[1]
    weights = node.exact(2) if node.has(2) else None
    ignored = node.optional("ignore_index")
    ignored = None if ignored is None else ignored.i
    losses = np.empty(target.shape, dtype=object)
    used = []
    for index in np.ndindex(*target.shape):
        label = int(target[index])
        n, *inner = index
        if label == ignored:
            losses[index] = mpf(0)
            used.append(mpf(0))
            continue
        if not 0 <= label < classes:
            raise Unsupported("a label lies outside of the classes")
        weight = mpf(1) if weights is None else weights[label]
        losses[index] = -logarithms[(n, label, *inner)] * weight
        used.append(weight)
    how = node.string("reduction")
    if how == "none":
        return losses
    whole = total(losses.reshape(-1))
    out = np.empty((), dtype=object)
    out[()] = whole if how == "sum" else divide(whole, total(used))
    return out


def negative_log_likelihood(node):
    return [loss(node, node.exact(0))]


def softmax_cross_entropy(node):
    logarithms = each_along(node.exact(0), [1], log_shares)
    return [loss(node, logarithms), logarithms]


def cumulative(step, start):
    def run(node):
        x = node.exact(0)
        axis = int(node.any(1).reshape(-1)[0]) % x.ndim
        exclusive, reverse = node.int("exclusive"), node.int("reverse")

        def lane(terms):
            order = terms[::-1] if reverse else terms
            sums, so_far = [], []
            for t in order:
                sums.append(step(so_far) if so_far else mpf(start))
                so_far.append(t)
                if not exclusive:
                    sums[-1] = step(so_far)
            return sums[::-1] if reverse else sums

        return [each_along(x, [axis], lane)]

    return run


OPERATORS = {name: reduction(name) for name in REDUCTIONS} | {
    "CumProd": cumulative(prod, 1),
    "CumSum": cumulative(total, 0),
    "GroupNormalization": group_normalization,
    "InstanceNormalization": instance_normalization,
    "LRN": lrn,
    "LayerNormalization": layer_normalization,
    "LogSoftmax": softmax(log_shares),
    "LpNormalization": lp_normalization,
    "MeanVarianceNormalization": mean_variance_normalization,
    "NegativeLogLikelihoodLoss": negative_log_likelihood,
    "RMSNormalization": rms_normalization,
    "Softmax": softmax(shares),
    "SoftmaxCrossEntropyLoss": softmax_cross_entropy,
}

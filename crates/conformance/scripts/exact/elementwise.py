"""Functions of one element, or of elements at the same place."""

import math

import numpy as np
from mpmath import mp, mpf

from values import Unsupported, cosh, divide, erf, erfc, exact, exp, expm1, root, sinh, tanh, total

# Each operator as a function of mpmath, and as one of numpy for zeros, infinities and NaN, where numpy follows Annex F
# of C.
FUNCTIONS = {
    "Acos": (mp.acos, np.arccos),
    "Acosh": (mp.acosh, np.arccosh),
    "Asin": (mp.asin, np.arcsin),
    "Asinh": (mp.asinh, np.arcsinh),
    "Atan": (mp.atan, np.arctan),
    "Atanh": (mp.atanh, np.arctanh),
    "Cos": (mp.cos, np.cos),
    "Cosh": (cosh, np.cosh),
    "Exp": (exp, np.exp),
    "Log": (mp.log, np.log),
    "Reciprocal": (lambda x: 1 / x, lambda x: 1.0 / x),
    "Sin": (mp.sin, np.sin),
    "Sinh": (sinh, np.sinh),
    "Sqrt": (mp.sqrt, np.sqrt),
    "Tan": (mp.tan, np.tan),
    "Tanh": (tanh, np.tanh),
    "Erf": (erf, lambda x: np.float64(math.erf(x))),
}


def special(x):
    return x == 0.0 or not math.isfinite(x)


def function(name):
    exactly, of_special = FUNCTIONS[name]

    def run(node):
        def one(x):
            if special(x):
                with np.errstate(all="ignore"):
                    return float(of_special(np.float64(x)))
            if x in (1.0, -1.0) and name == "Atanh":
                return math.copysign(math.inf, x)
            return exactly(mpf(x))

        return [node.map(0, one)]

    return run


def sigmoid(x):
    # Never subtracts a number close to 1 from 1.
    e = exp(-abs(x))
    return 1 / (1 + e) if x >= 0 else e / (1 + e)


def softplus(x):
    return max(x, mpf(0)) + mp.log1p(exp(-abs(x)))


def activation(formula, limits=None):
    """Applies `formula(x, node)` to finite elements, and `limits(x, node)`, if given, to infinities. NaN stays NaN."""

    def run(node):
        def one(x):
            if math.isnan(x):
                return x
            if math.isinf(x):
                return (limits or formula)(mpf(x), node)
            return formula(mpf(x), node)

        return [node.map(0, one)]

    return run


def elu(x, node):
    return x if x > 0 else node.float("alpha") * expm1(x)


def selu(x, node):
    gamma = node.float("gamma")
    return gamma * x if x > 0 else gamma * node.float("alpha") * expm1(x)


def celu(x, node):
    alpha = node.float("alpha")
    if alpha <= 0:
        raise Unsupported("alpha is not positive")
    return max(mpf(0), x) + min(mpf(0), alpha * expm1(x / alpha))


def hard_sigmoid(x, node):
    return max(mpf(0), min(mpf(1), node.float("alpha") * x + node.float("beta")))


def hard_swish(x, node):
    share = max(mpf(0), min(mpf(1), x / 6 + mpf(0.5)))
    return x * share


def gelu(x, node):
    if node.string("approximate") == "none":
        return x / 2 * erfc(-x / mp.sqrt(2))
    angle = mp.sqrt(2 / mp.pi) * (x + mpf("0.044715") * x**3)
    return x * sigmoid(2 * angle)


def swish(x, node):
    return x * sigmoid(node.float("alpha") * x)


def swish_at_infinity(x, node):
    # Otherwise the sigmoid is 0 or, if alpha is 0, NaN. An infinity times either is NaN.
    return x if node.float("alpha") * x > 0 else mp.nan


def mish(x, node):
    return x * tanh(softplus(x))


def outward(values):
    """The limits of a function at minus infinity and infinity."""

    def limit(x, node):
        below, above = values
        value = above if x > 0 else below
        return x if value is None else mpf(value)

    return limit


def shrink(node):
    bias, least = node.float("bias"), node.float("lambd")

    def one(x):
        if x < -least:
            return mpf(x) + bias
        # NaN is on neither side.
        return mpf(x) - bias if x > least else mpf(0)

    return [node.map(0, one)]


def leaky_relu(x, node):
    return x if x >= 0 else node.float("alpha") * x


def p_relu(node):
    x, slope = node.floats(0), node.floats(1)
    if node.since < 9:
        raise Unsupported("the slope does not broadcast")
    slope = np.broadcast_to(slope, x.shape)
    return [node.zip([x, slope], lambda x, s: x if x >= 0 or math.isnan(x) else product(x, s))]


def ieee(operation):
    """An operation on two float64 numbers. One of them is zero, infinite or NaN, so that nothing is rounded."""

    def run(a, b):
        with np.errstate(all="ignore"):
            return float(operation(np.float64(a), np.float64(b)))

    return run


def product(a, b):
    return ieee(np.multiply)(a, b) if special(a) or special(b) else mpf(a) * mpf(b)


def binary(operation, exactly):
    def run(node):
        a, b = node.floats(0), node.floats(1)
        if node.since < 7:
            b = aligned(node, a, b)

        def one(a, b):
            return ieee(operation)(a, b) if special(a) or special(b) else exactly(mpf(a), mpf(b))

        return [node.zip([a, b], one)]

    return run


def aligned(node, a, b):
    """The second operand as versions up to 6 broadcast it: its dimensions begin at axis `axis` of the first."""
    if a.shape == b.shape:
        return b
    if not node.int("broadcast"):
        raise Unsupported("shapes differ without broadcast")
    axis = node.optional("axis")
    first = a.ndim - b.ndim if axis is None else axis.i
    return b.reshape(b.shape + (1,) * (a.ndim - first - b.ndim))


def power_of_special(x, y):
    """C's pow. That of numpy differs if the exponent is a half."""
    try:
        return math.pow(x, y)
    except ValueError:
        # Zero to a negative power, or a negative base to a fraction.
        return ieee(np.power)(x, y)


def power(node):
    a, b = node.floats(0), node.any(1).astype(np.float64)
    if node.since < 7:
        b = aligned(node, a, b)
    if node.any(1).dtype.kind in "iu" and np.any(np.abs(node.any(1).astype(object)) > 2**53):
        raise Unsupported("float64 cannot hold an exponent")

    def one(x, y):
        if special(x) or special(y) or abs(x) == 1.0:
            return power_of_special(x, y)
        if x < 0 and y != math.floor(y):
            return math.nan
        if abs(y) > 1e6:
            # The result is beyond every type, unless x is next to 1.
            value = exp(mpf(y) * mp.log(abs(mpf(x))))
            return -value if x < 0 and y % 2 else value
        return mp.power(mpf(x), int(y) if y == math.floor(y) else mpf(y))

    return [node.zip([a, b], one)]


def variadic(finish):
    def run(node):
        arrays = [node.floats(i) for i in range(node.inputs)]
        return [node.zip(arrays, lambda *xs: finish(total([mpf(x) for x in xs]), len(xs)))]

    return run


def dequantize(node):
    x, scale = node.any(0), node.floats(1)
    if x.dtype.kind not in "iu" or node.block_size():
        raise Unsupported("the input is not an integer tensor, or is quantized in blocks")
    zero = node.any(2) if node.has(2) else np.zeros(scale.shape, dtype=np.int64)
    if scale.ndim == 1:
        shape = [1] * x.ndim
        shape[node.int("axis")] = scale.size
        scale, zero = scale.reshape(shape), zero.reshape(shape)

    def one(x, scale, zero):
        return product(float(x - zero), scale)

    return [node.zip([x.astype(np.int64), scale, zero.astype(np.int64)], one)]


def batch_normalization(node):
    spatial = node.optional("spatial")
    if spatial is not None and not spatial.i or node.since < 7 or node.outputs != 1 or node.optional("training_mode") and node.int("training_mode"):
        raise Unsupported("only inference has a formula")
    x = exact(node.floats(0))
    shape = [1, -1] + [1] * (x.ndim - 2) if x.ndim > 1 else [-1]
    if x.ndim < 2:
        raise Unsupported("the input has no channels")
    scale, bias, mean, variance = [exact(node.floats(i)).reshape(shape) for i in range(1, 5)]
    epsilon = node.float("epsilon")

    def one(x, scale, bias, mean, variance):
        return scale * divide(x - mean, root(variance + epsilon)) + bias

    return [node.zip([x, scale, bias, mean, variance], one)]


# Operators for which a few hundred bits are enough: no sum in their formulas needs more.
SHORT = set(FUNCTIONS) | {"Celu", "Elu", "Gelu", "HardSigmoid", "HardSwish", "Mish", "Pow", "Selu", "Sigmoid", "Softplus", "Softsign", "Swish"}

OPERATORS = {name: function(name) for name in FUNCTIONS} | {
    "Add": binary(np.add, lambda a, b: a + b),
    "BatchNormalization": batch_normalization,
    "Celu": activation(celu, lambda x, node: x if x > 0 else -node.float("alpha")),
    "DequantizeLinear": dequantize,
    "Div": binary(np.divide, lambda a, b: a / b),
    "Elu": activation(elu),
    "Gelu": activation(gelu, outward((0, None))),
    "HardSigmoid": activation(hard_sigmoid),
    "HardSwish": activation(hard_swish, outward((0, None))),
    "LeakyRelu": activation(leaky_relu),
    "Mean": variadic(lambda sum, count: sum / count),
    "Mish": activation(mish, outward((0, None))),
    "Mul": binary(np.multiply, lambda a, b: a * b),
    "Pow": power,
    "PRelu": p_relu,
    "Selu": activation(selu),
    "Shrink": shrink,
    "Sigmoid": activation(lambda x, node: sigmoid(x), outward((0, 1))),
    "Softplus": activation(lambda x, node: softplus(x), outward((0, None))),
    "Softsign": activation(lambda x, node: x / (1 + abs(x)), outward((-1, 1))),
    "Sub": binary(np.subtract, lambda a, b: a - b),
    "Sum": variadic(lambda sum, count: sum),
    "Swish": activation(swish, swish_at_infinity),
}

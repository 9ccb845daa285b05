"""Tests fused kernels, written in numpy, against the corpus of canonical forms.

    plumbline export --suite canonical --out corpus
    python fused_kernels.py corpus            the kernels: every case has to pass
    python fused_kernels.py corpus --wrong    the same with a mistake in each: every mistake has to be noticed

Put your own kernels in the place of `KERNELS`. A kernel gets the inputs of a case by name, and its constants (scales,
epsilons, the number of experts), and returns the outputs in their order. Here it computes in float64, and the outputs
are rounded to their types at the end, which is what a fused kernel does at best. Needs numpy and onnx, and ml_dtypes,
which comes with onnx.
"""

import importlib.util
import math
import os
import sys

import numpy as np
import onnx


def erf(x):
    return np.vectorize(math.erf, otypes=[np.float64])(x)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def repeated(x, heads, tiled):
    """Returns K or V with a head for each head of Q."""
    times = heads // x.shape[1]
    return np.tile(x, (1, times, 1, 1)) if tiled else np.repeat(x, times, axis=1)


def attention(i, c, wrong, causal=False):
    q, k, v = i["Q"], i["K"], i["V"]
    offset = 0
    if "past_key" in i:
        offset = 0 if wrong == "past-not-counted" else i["past_key"].shape[2]
        past = [i["past_key"], k], [i["past_value"], v]
        k, v = (np.concatenate(x[::-1] if wrong == "new-keys-first" else x, axis=2) for x in past)
    present = k, v
    tiled = wrong == "heads-tiled"
    k, v = repeated(k, q.shape[1], tiled), repeated(v, q.shape[1], tiled)
    scale = {"scale-dropped": 1, "scale-of-values": v.shape[-1] ** -0.5}.get(wrong, c["scale"])
    scores = np.einsum("bhqd,bhkd->bhqk", q, k) * scale
    mask = i.get("attn_mask")
    if mask is not None and mask.dtype == bool:
        kept = ~mask if wrong == "mask-inverted" else mask
        low = -1 if wrong == "excluded-by-a-small-number" else -np.inf
        scores = np.where(kept, scores, low)
        if wrong == "mask-inverted":
            scores = np.where(np.isinf(scores).all(axis=-1, keepdims=True), 0, scores)
    elif mask is not None and wrong == "mask-before-the-scale":
        scores = scores + mask * scale
    elif mask is not None and wrong != "mask-after-softmax":
        scores = scores + mask
    if causal:
        rows, columns = np.indices(scores.shape[-2:])
        seen = columns < rows + offset if wrong == "itself-excluded" else columns <= rows + offset
        seen[:, 0] = True
        scores = scores if wrong == "not-causal" else np.where(seen, scores, -np.inf)
    p = softmax(scores, axis=-2 if wrong == "softmax-of-queries" else -1)
    if mask is not None and wrong == "mask-after-softmax":
        p = p + mask
    y = np.einsum("bhqk,bhkd->bhqd", p, v)
    return [y, *present] if "past_key" in i else [y]


def rotated(x, cos, sin, wrong, interleaved=False):
    cos, sin = (sin, cos) if wrong == "tables-swapped" else (cos, sin)
    cos, sin = cos[:, None], sin[:, None]
    interleaved ^= wrong == "pairs-swapped"
    halves = (x[..., 0::2], x[..., 1::2]) if interleaved else np.split(x, 2, axis=-1)
    first, second = halves
    sign = -1 if wrong == "turned-backwards" else 1
    turned = first * cos - sign * second * sin, sign * first * sin + second * cos
    return np.stack(turned, axis=-1).reshape(x.shape) if interleaved else np.concatenate(turned, axis=-1)


def rotary_attention(i, c, wrong):
    queries, keys = (rotated(i[name], i["cos"], i["sin"], wrong) for name in ("Q", "K"))
    return attention({**i, "Q": queries, "K": i["K"] if wrong == "keys-not-turned" else keys}, c, wrong)


def packed_attention(i, c, wrong):
    packed = i["X"] @ i["W"] + (0 if wrong == "bias-dropped" else i["bias"])
    heads, size = (int(x) for x in c["apart"][2:])
    batch, tokens = packed.shape[:2]
    if wrong == "interleaved-packing":
        q, k, v = (packed.reshape(batch, tokens, heads, size, 3)[..., at].swapaxes(1, 2) for at in range(3))
    else:
        q, k, v = (x.reshape(batch, tokens, heads, size).swapaxes(1, 2) for x in np.split(packed, 3, axis=-1))
    (y,) = attention({"Q": q, "K": k, "V": v}, c, wrong)
    return [y.swapaxes(1, 2).reshape(batch, tokens, -1)]


def normalized(x, c, wrong, centred, axes=-1):
    epsilon = 1e-2 if wrong == "other-epsilon" else c["epsilon"]
    d = x - x.mean(axis=axes, keepdims=True) if centred else x
    d = x if wrong == "not-centred" else d
    count = d.shape[-1] - (wrong == "divided-by-one-less")
    mean = (d * d).sum(axis=axes, keepdims=True) / count
    if wrong == "epsilon-outside-the-root":
        return d / (np.sqrt(mean) + epsilon)
    return d / (mean + epsilon if wrong == "root-dropped" else np.sqrt(mean + epsilon))


def rms_normalization(i, c, wrong):
    x = i["X"] + i["skip"] if "skip" in i else i["X"]
    scale = i["scale"] + 1 if wrong == "scale-and-one" else i["scale"]
    y = normalized(x, c, wrong, False) * scale
    return [y, i["X"] if wrong == "residual-without-skip" else x] if "skip" in i else [y]


def layer_normalization(i, c, wrong):
    x = i["X"] + i["skip"] + i["bias"] if "skip" in i else i["X"]
    x = i["X"] + i["skip"] if wrong == "bias-dropped" else x
    y = normalized(x, c, wrong, True)
    y = (y + i["B"]) * i["scale"] if wrong == "bias-before-scale" else y * i["scale"] + i["B"]
    return [y, i["X"] if wrong == "residual-without-skip" else x] if "skip" in i else [y]


def group_normalization(i, c, wrong):
    x = i["X"]
    groups = int(c["groups"][1])
    grouped = x.reshape(x.shape[0], groups, -1)
    if wrong == "channels-interleaved":
        grouped = x.reshape(x.shape[0], -1, groups, math.prod(x.shape[2:])).swapaxes(1, 2).reshape(grouped.shape)
    y = normalized(grouped, c, wrong, True).reshape(x.shape)
    wide = (-1,) + (1,) * (x.ndim - 2)
    return [y * i["scale"].reshape(wide) + i["bias"].reshape(wide)]


def gelu(i, c, wrong):
    x = i["X"]
    if wrong == "tanh-in-place-of-erf":
        return gelu_tanh(i, {"root": math.sqrt(2 / math.pi), "coefficient": 0.044715}, None)
    return [0.5 * x * (1 + erf(x if wrong == "root-dropped" else x / math.sqrt(2)))]


def gelu_tanh(i, c, wrong):
    x = i["X"]
    if wrong == "erf-in-place-of-tanh":
        return gelu(i, c, None)
    coefficient = 0.044 if wrong == "coefficient-cut-off" else c["coefficient"]
    return [0.5 * x * (1 + np.tanh(c["root"] * (x + coefficient * x**3)))]


def swish(i, c, wrong):
    alpha = {"alpha-dropped": 1 + (c["alpha"] == 1), "alpha-cut-off": 1.7}.get(wrong, c["alpha"])
    return [i["X"] * sigmoid(alpha * i["X"])]


def swiglu(i, c, wrong):
    a, b = (i["B"], i["A"]) if wrong == "operands-swapped" else (i["A"], i["B"])
    return [sigmoid(a) * b if wrong == "sigmoid-in-place-of-swish" else a * sigmoid(a) * b]


def gated_feed_forward(i, c, wrong):
    (h,) = swiglu({"A": i["X"] @ i["W_gate"], "B": i["X"] @ i["W_up"]}, c, wrong)
    return [h @ i["W_down"]]


def mixture_of_experts(i, c, wrong):
    x, k = i["X"], int(c["k"][0])
    scores = x @ i["router"]
    chosen = np.argsort(-scores, axis=-1, kind="stable")[:, :k]
    largest = np.take_along_axis(scores, chosen, axis=-1)
    weights = softmax(scores if wrong == "softmax-of-all-experts" else largest)
    if wrong == "softmax-of-all-experts":
        weights = np.take_along_axis(weights, chosen, axis=-1)
    if wrong == "another-expert":
        chosen = (chosen + 1) % scores.shape[1]
    if wrong == "last-expert-dropped" and k > 1:
        weights[:, -1] = 0
    y = np.zeros_like(x)
    for token, experts in enumerate(chosen):
        for weight, expert in zip(weights[token], experts):
            inner = x[token] @ i["W_up"][expert]
            y[token] += weight * (inner * sigmoid(inner) @ i["W_down"][expert])
    return [y]


def delta_step(state, q, k, v, decay, beta, scale, wrong):
    """Advances the states of all heads by one token, and returns what the query reads and the new states."""
    fade = np.exp(-decay if wrong == "decay-inverted" else decay)[..., None, None]
    faded = state * fade
    known = np.einsum("...d,...de->...e", k, state if wrong == "correction-before-the-decay" else faded)
    value = v if wrong == "correction-dropped" else v - known
    after = faded + k[..., :, None] * (value * beta[..., None])[..., None, :]
    read = np.einsum("...d,...de->...e", q, state if wrong == "read-before-the-update" else after)
    return read * scale, after


def gated_delta_step(i, c, wrong):
    inputs = (i[name] for name in ("past_state", "query", "key", "value", "decay", "beta"))
    return list(delta_step(*inputs, c["scale"], wrong))


def gated_delta_net(i, c, wrong):
    state = i["past_state"]
    batch, heads = state.shape[:2]
    apart = {name: i[name].reshape(batch, i[name].shape[1], heads, -1) for name in ("query", "key", "value")}
    outputs = []
    for t in range(i["decay"].shape[1]):
        now = [apart[name][:, t] for name in ("query", "key", "value")] + [i[name][:, t] for name in ("decay", "beta")]
        read, state = delta_step(state, *now, c["scale"], wrong)
        outputs.append(read.reshape(batch, -1))
    return [state, np.stack(outputs, axis=1)]


def quantized(x, scale, zero, dtype):
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    return np.clip(np.rint(x / scale) + zero, low, high)


def quantized_matmul(i, c, wrong):
    a_zero, b_zero = c["a_zero_point"], 0 if wrong == "zero-point-dropped" else c["b_zero_point"]
    product = (i["A"] - a_zero) @ (i["B"] - b_zero) * (c["a_scale"] * c["b_scale"])
    if wrong == "cut-off-in-place-of-rounded":
        product = np.floor(product / c["y_scale"]) * c["y_scale"]
    return [quantized(product, c["y_scale"], c["y_zero_point"], c["types"]["y_zero_point"])]


def dynamic_quantized_matmul(i, c, wrong):
    x = i["X"].astype(np.float32)
    low, high = min(x.min(), np.float32(0)), max(x.max(), np.float32(0))
    low = x.min() * 0 if wrong == "range-without-negatives" else low
    scale = (high - low) / np.float32(255)
    zero = np.clip(np.rint(-low / scale), 0, 255)
    integers = quantized(x, scale, zero, np.uint8) - zero
    b = i["B"] - (0 if wrong == "zero-point-dropped" else c["b_zero_point"])
    of_b = i["b_scale"].mean() if wrong == "scale-of-one-column" else i["b_scale"]
    return [integers @ b * (float(scale) * of_b) + i["bias"]]


def blocked_weight_matmul(i, c, wrong):
    scale, zero = (np.repeat(i[name], 16, axis=0) for name in ("scale", "zero_point"))
    if wrong == "scales-cycle":
        scale = np.tile(i["scale"], (16, 1))
    return [i["X"] @ ((i["B"] - (0 if wrong == "zero-point-dropped" else zero)) * scale)]


def causal(i, c, wrong):
    return attention(i, c, wrong, causal=True)


def rotary(interleaved):
    return lambda i, c, wrong: [rotated(i["X"], i["cos"], i["sin"], wrong, interleaved)]


_NORMALIZED = ["epsilon-outside-the-root", "root-dropped", "other-epsilon"]
_CENTRED = [*_NORMALIZED, "not-centred", "divided-by-one-less"]
_TURNED = ["pairs-swapped", "tables-swapped", "turned-backwards"]
_DELTA = ["decay-inverted", "correction-before-the-decay", "correction-dropped", "read-before-the-update"]

# For each form: the kernel, and mistakes that it can make.
KERNELS = {
    "attention": (attention, ["scale-dropped", "scale-of-values", "softmax-of-queries"]),
    "attention-additive-mask": (attention, ["scale-dropped", "mask-after-softmax", "mask-before-the-scale"]),
    "attention-boolean-mask": (attention, ["mask-inverted", "excluded-by-a-small-number"]),
    "attention-causal": (causal, ["not-causal", "itself-excluded", "scale-dropped"]),
    "attention-grouped-query": (attention, ["heads-tiled", "scale-dropped"]),
    "attention-past": (causal, ["past-not-counted", "new-keys-first", "not-causal"]),
    "attention-rotary": (rotary_attention, ["keys-not-turned", "scale-dropped", *_TURNED]),
    "attention-packed": (packed_attention, ["bias-dropped", "interleaved-packing", "scale-dropped"]),
    "rotary-embedding": (rotary(False), _TURNED),
    "rotary-embedding-interleaved": (rotary(True), _TURNED),
    "rms-normalization": (rms_normalization, [*_NORMALIZED, "scale-and-one"]),
    "layer-normalization": (layer_normalization, [*_CENTRED, "bias-before-scale"]),
    "group-normalization": (group_normalization, [*_CENTRED, "channels-interleaved"]),
    "skip-layer-normalization": (layer_normalization, [*_CENTRED, "bias-dropped", "residual-without-skip"]),
    "skip-rms-normalization": (rms_normalization, [*_NORMALIZED, "residual-without-skip"]),
    "gelu": (gelu, ["tanh-in-place-of-erf", "root-dropped"]),
    "gelu-tanh": (gelu_tanh, ["erf-in-place-of-tanh", "coefficient-cut-off"]),
    "swish": (swish, ["alpha-dropped", "alpha-cut-off"]),
    "swiglu": (swiglu, ["operands-swapped", "sigmoid-in-place-of-swish"]),
    "gated-feed-forward": (gated_feed_forward, ["operands-swapped", "sigmoid-in-place-of-swish"]),
    "mixture-of-experts": (mixture_of_experts, ["softmax-of-all-experts", "another-expert", "last-expert-dropped"]),
    "gated-delta-step": (gated_delta_step, _DELTA),
    "gated-delta-net": (gated_delta_net, _DELTA),
    "quantized-matmul": (quantized_matmul, ["zero-point-dropped", "cut-off-in-place-of-rounded"]),
    "dynamic-quantized-matmul": (
        dynamic_quantized_matmul,
        ["zero-point-dropped", "range-without-negatives", "scale-of-one-column"],
    ),
    "blocked-weight-matmul": (blocked_weight_matmul, ["zero-point-dropped", "scales-cycle"]),
}


def wide(array):
    """Returns numbers as float64, and bools as they are."""
    array = np.asarray(array)
    return array if array.dtype == bool else array.astype(np.float64)


def prepare(model, wrong=None):
    """Reads a model, and returns a function from its inputs to its outputs, as `judge.py --runner` asks for."""
    graph = onnx.load_from_string(model).graph
    if graph.name not in KERNELS:
        raise NotImplementedError(f"there is no kernel for {graph.name}")
    arrays = {constant.name: onnx.numpy_helper.to_array(constant) for constant in graph.initializer}
    constants = {name: wide(array) for name, array in arrays.items()}
    constants["types"] = {name: array.dtype for name, array in arrays.items()}
    types = [onnx.helper.tensor_dtype_to_np_dtype(output.type.tensor_type.elem_type) for output in graph.output]
    shapes = [[extent.dim_value for extent in output.type.tensor_type.shape.dim] for output in graph.output]
    kernel, _ = KERNELS[graph.name]

    def run(inputs):
        outputs = kernel({name: wide(array) for name, array in inputs.items()}, constants, wrong)
        assert [list(output.shape) for output in outputs] == shapes, graph.name
        return [output.astype(type_) for output, type_ in zip(outputs, types)]

    return run


def verdicts(judge, corpus, lines, wrong=None):
    """Returns the verdicts on the cases of these lines of the manifest."""
    found = []
    for line in lines:
        case = judge.Case(judge.check_case(corpus, line))
        run = prepare(case.model(), wrong)
        runs = range(len(case.runs))
        outcomes = [run({n: judge.plain(value) for n, value in case.inputs(at).items()}) for at in runs]
        found.append((case.id, case.judge_session(outcomes, fresh=lambda at: outcomes[at])))
    return found


def main(corpus, *options):
    spec = importlib.util.spec_from_file_location("judge", os.path.join(corpus, "judge.py"))
    judge = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(judge)
    _, lines = judge.read_corpus(corpus)
    failed = False
    for form, (_, mistakes) in KERNELS.items():
        of_form = [line for line in lines if line["path"].startswith(f"canonical/{form}/")]
        for wrong in mistakes if "--wrong" in options else [None]:
            all_of_form = verdicts(judge, corpus, of_form, wrong)
            bad = [(case, verdict) for case, verdict in all_of_form if not verdict.is_good()]
            print(f"{form}{f' with {wrong}' if wrong else ''}: {len(bad)} of {len(all_of_form)} cases fail")
            for case, verdict in bad if wrong is None else []:
                print(f"    {case}: {verdict.kind}: {verdict.detail}")
            failed |= not all_of_form or (not bad if wrong else bool(bad))
    return int(failed)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("fused_kernels.py CORPUS [--wrong]")
    sys.exit(main(*sys.argv[1:]))

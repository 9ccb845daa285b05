"""`judge`: whether the answers of a model are right, by the command `plumbline judge`."""

import json
import os
import pathlib
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from plumbline._command import PlumblineError, run

# The version of the JSON that the command prints.
FORMAT = 1
# The number of wrong elements that a text lists.
SHOWN = 4


@dataclass(frozen=True)
class ElementJudgement:
    """An element that is wrong, or right only by a rule that leaves it open.

    `verdict` is "fail" or "latitude". `accepted` says in words what is accepted in place of the element, and `low` and `high` are
    the ends of the accepted interval. `rule` is the name of the rule that leaves the element open. `ulp` is the distance from the
    expected value, in units in the last place. Numbers that JSON does not have are texts that `float` reads: "NaN", "Infinity".
    """

    index: Any
    found: Any
    expected: Any
    verdict: str = "fail"
    accepted: str | None = None
    low: Any = None
    high: Any = None
    rule: str | None = None
    rule_text: str | None = None
    ulp: float | None = None
    item: Any = ()

    def __str__(self):
        places = "".join(f"[{place}]" for place in self.item or ())
        index = self.index if isinstance(self.index, (list, tuple)) else [self.index]
        text = f"{places}[{', '.join(map(str, index))}] is {self.found}: {self.accepted or f'{self.expected} is expected'}"
        if self.ulp is not None:
            text += f"; {self.ulp:g} ULP away"
        if self.rule:
            text += f"; {self.rule}" + (f": {self.rule_text}" if self.rule_text else "")
        return text


@dataclass(frozen=True)
class OutputJudgement:
    """An output: its verdict, how many elements are wrong, and the first of them."""

    name: str
    dtype: str | None
    shape: Any
    accepted: bool
    verdict: str
    kind: str | None = None
    detail: str | None = None
    max_ulp: float | None = None
    width_ulp: float | None = None
    wrong: int | None = None
    elements: tuple[ElementJudgement, ...] = ()

    def __str__(self):
        lines = [f"output {self.name}: {self.verdict}" + (f" ({self.kind})" if self.kind else "")]
        if self.wrong:
            lines[0] += f", {self.wrong} wrong element{'s' if self.wrong > 1 else ''}"
        wrong = [element for element in self.elements if element.verdict == "fail"]
        if wrong:
            lines += [f"  {self.name}{element}" for element in wrong[:SHOWN]]
        elif self.detail:
            lines.append(f"  {self.detail}")
        return "\n".join(lines)


@dataclass(frozen=True)
class NodeJudgement:
    """A node, judged with the implementation's own values as its inputs. `accepted` is None if the node was not judged."""

    index: int
    name: str
    operator: str
    outputs: tuple[str, ...]
    accepted: bool | None
    verdict: str | None
    detail: str | None = None
    values: tuple[OutputJudgement, ...] = ()
    together_with: tuple[int, ...] = ()
    after_wrong: tuple[int, ...] = ()

    def __str__(self):
        name = f" {self.name!r}" if self.name else ""
        values = [str(value).replace("output", "value", 1) for value in self.values if not value.accepted]
        return "\n".join([f"node {self.index}{name} ({self.operator}): {self.detail or self.verdict}", *values])


@dataclass(frozen=True, repr=False)
class Judgement:
    """The judgement on the answers of a model. It is true if they are accepted, so `assert judge(...)` is a test.

    With `values`, `nodes` has a judgement on each node, and `first_wrong` is the position of the first one that is wrong.
    """

    accepted: bool
    verdict: str
    detail: str | None = None
    outputs: tuple[OutputJudgement, ...] = ()
    nodes: tuple[NodeJudgement, ...] = ()
    first_wrong: int | None = None

    def __bool__(self):
        return self.accepted

    def __str__(self):
        detail = f": {self.detail}" if self.detail else ""
        if self.accepted:
            return f"accepted ({self.verdict}){detail}"
        lines = [f"not accepted ({self.verdict}){detail}"]
        lines += [str(output) for output in self.outputs if not output.accepted]
        if self.first_wrong is not None and self.first_wrong < len(self.nodes):
            lines.append(f"the first wrong {self.nodes[self.first_wrong]}")
        return "\n".join(lines)

    def __repr__(self):
        return f"<Judgement {self}>"

    def check(self):
        """Raises an AssertionError with the whole text unless the answers are accepted. Returns the judgement."""
        if not self.accepted:
            raise AssertionError(str(self))
        return self


def judge(model, inputs, outputs, values=None, arithmetic=None):
    """Judges the answers of a model: `outputs` for `inputs`.

    `model` is an onnx.ModelProto, its bytes, or a path. `inputs` and `outputs` are values in the order of the graph, or
    dictionaries by name. A value is an array of numpy, a number or a list of numbers, an onnx.TensorProto, a list of values for a
    sequence, or None for an optional without a value. Numbers get the type that the model declares. Inputs that have an
    initializer are left out.

    `values` are intermediate values by their names in the graph, as arrays or protos: with them, each node is judged,
    too. `arithmetic` is what the implementation declares about its arithmetic: the name of a table ("cuda"), or the path
    of a JSON file (docs/judge.md).

    Returns a Judgement. Raises a CommandError if the model or its inputs cannot be judged, for instance because the model is
    invalid or has an operator that Plumbline does not know, and a ValueError or TypeError for values that do not fit the model.
    """
    # plumbline_onnx needs numpy, which the rest of the package does without.
    from plumbline_onnx import Model

    with tempfile.TemporaryDirectory(prefix="plumbline-judge-") as folder:
        folder = pathlib.Path(folder)
        path, content = model_file(model, folder)
        graph = Model(content)
        for name, given, declared in (("input", inputs, graph.inputs), ("output", outputs, graph.outputs)):
            (folder / f"{name}s").mkdir()
            for place, (value, kind) in enumerate(in_order(name, given, declared)):
                (folder / f"{name}s" / f"{name}_{place}.pb").write_bytes(value_content(value, kind))
        words = ["judge", path, folder / "inputs", folder / "outputs", "--format", "json"]
        if values is not None:
            write_values(values, folder / "values")
            words += ["--values", folder / "values"]
        if arithmetic is not None:
            words += ["--arithmetic", arithmetic]
        text, _ = run(words, accepted=(0, 1))
    return judgement(text)


def write_values(values, folder):
    """Writes values by their names: numbered files, and a list of them, because a name may be too long for a file."""
    folder.mkdir()
    files = {}
    for place, (name, value) in enumerate(values.items()):
        if not hasattr(value, "dtype") and not hasattr(value, "SerializeToString"):
            raise TypeError(f"the value {name!r} is a {type(value).__name__}; expected an array, whose type is known")
        files[name] = f"value_{place}.pb"
        (folder / files[name]).write_bytes(value_content(value, None))
    (folder / "index.json").write_text(json.dumps({"format": 1, "values": files}))


def model_file(model, folder):
    """The path and the bytes of a model."""
    if isinstance(model, (str, os.PathLike)):
        path = pathlib.Path(model)
        return path.resolve(), path.read_bytes()
    if hasattr(model, "SerializeToString"):
        model = model.SerializeToString()
    if not isinstance(model, (bytes, bytearray, memoryview)):
        raise TypeError(f"the model is a {type(model).__name__}; expected an onnx.ModelProto, bytes or a path")
    path = folder / "model.onnx"
    path.write_bytes(model)
    return path, bytes(model)


def in_order(what, values, declared):
    """The values in the order of the graph, each with the type that the model declares."""
    names = [name for name, _ in declared]
    if isinstance(values, Mapping):
        unknown, missing = [name for name in values if name not in names], [name for name in names if name not in values]
        if unknown or missing:
            problem = f"there is no {what} {unknown[0]!r}" if unknown else f"the {what} {missing[0]!r} is missing"
            raise ValueError(f"{problem}; the model has {', '.join(map(repr, names)) or 'none'}")
        return [(values[name], kind) for name, kind in declared]
    if not isinstance(values, (list, tuple)):
        raise TypeError(f"the {what}s are a {type(values).__name__}; expected a list of values, or a dictionary by name")
    if len(values) != len(declared):
        raise ValueError(
            f"{len(values)} {what}s are given, and the model has {len(declared)}: {', '.join(map(repr, names)) or 'none'}"
        )
    return [(value, kind) for value, (_, kind) in zip(values, declared)]


def value_content(value, kind):
    """The bytes of a value: of a TensorProto, a SequenceProto or an OptionalProto."""
    import numpy
    from plumbline_onnx import dtype, write_value
    from plumbline_worker import Refusal

    if hasattr(value, "SerializeToString"):
        return value.SerializeToString()
    name = kind[7:-1] if kind and kind.startswith("tensor(") else None
    if name and not hasattr(value, "dtype"):
        to = dtype(name)
        if to is None:
            raise ValueError(f"values of type {name} need the package ml_dtypes, or an onnx.TensorProto")
        value = numpy.asarray(value, dtype=to)
    try:
        return write_value(value, kind)[1]
    except Refusal as error:
        raise ValueError(f"{error}, for a value of type {kind}") from None


def judgement(text):
    """Reads what `plumbline judge --format json` prints."""
    try:
        found = json.loads(text)
    except ValueError:
        raise PlumblineError(f"`plumbline judge` printed something other than JSON: {text[:200]}") from None
    if found.get("format") != FORMAT:
        raise PlumblineError(f"`plumbline judge` printed the format {found.get('format')}, and this package reads {FORMAT}")

    def known(cls, keys, **others):
        return cls(**{key: value for key, value in keys.items() if key in cls.__dataclass_fields__} | others)

    def output(values):
        return known(
            OutputJudgement, values, elements=tuple(known(ElementJudgement, element) for element in values.get("elements") or ())
        )

    def node(values):
        lists = {key: tuple(values.get(key) or ()) for key in ("outputs", "together_with", "after_wrong")}
        return known(NodeJudgement, values, values=tuple(map(output, values.get("values") or ())), **lists)

    outputs, nodes = (tuple(map(make, found.get(key) or ())) for make, key in ((output, "outputs"), (node, "nodes")))
    return known(Judgement, found, outputs=outputs, nodes=nodes)

"""Tests of `rewriter:version-converter,to=all`: which opsets are left out, and that nothing is lost with them."""

import onnx
import pytest
import rewriters
from onnx.version_converter import ConvertError, convert_version

NEWEST = onnx.defs.onnx_opset_version()
MODELS = {
    "add": (7, "(float[2] a) => (float[2] b) { b = Add (a, a) }"),
    "squeeze": (11, "(float[1,2] a) => (float[2] b) { b = Squeeze <axes = [0]> (a) }"),
    "softmax": (11, "(float[1,2,3] a) => (float[1,2,3] b) { b = Softmax (a) }"),
    "sum": (12, "(float[2,3] a) => (float[2,1] b) { b = ReduceSum <axes = [1]> (a) }"),
    "upsample": (9, "(float[1,1,2,2] a) => (float[1,1,4,4] b) <float[4] s = {1, 1, 2, 2}> { b = Upsample (a, s) }"),
    "dropout": (10, "(float[2] a) => (float[2] b) { b = Dropout <ratio = 0.25> (a) }"),
    "batch": (14, "(float[1,1,2] a, float[1] s) => (float[1,1,2] b) { b = BatchNormalization (a, s, s, s, s) }"),
    "cast": (13, "(float[2] a) => (int64[2] b) { b = Cast <to = 7> (a) }"),
    "inner": (
        13,
        "(float[2] a, bool c) => (float[2] b) { b = If (c) <then_branch = t () => (float[2] d) { d = Softmax (a) },"
        " else_branch = e () => (float[2] f) { f = Neg (a) }> }",
    ),
    "many": (8, "(float[2] a) => (float[2] b) { c = Add (a, a) d = Relu (c) e = Clip <max = 1.0> (d) b = Mul (e, c) }"),
}


def parsed(name):
    opset, graph = MODELS[name]
    return opset, onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : {opset}]> g {graph}')


def made_of(model, disable=()):
    """The models that the tool makes of a model by their opset, and the refusals."""
    change = rewriters.version_converter({"to": "all", "disable": list(disable)})
    made, refusals = {}, []
    for content in change(model.SerializeToString()):
        if content[:1] == b"\xff":
            refusals.append(content)
            continue
        made[onnx.load_from_string(content).opset_import[0].version] = onnx.load_from_string(content)
    return made, refusals


def without_opset(model):
    changed = onnx.ModelProto()
    changed.CopyFrom(model)
    changed.opset_import[0].version = 1
    return changed


@pytest.mark.parametrize("name", MODELS)
def test_an_opset_that_is_left_out_has_the_model_of_another_one(name):
    opset, model = parsed(name)
    made, _ = made_of(model)
    for targets in (range(opset + 1, NEWEST + 1), range(opset - 1, 0, -1)):
        before = without_opset(model)
        for target in targets:
            try:
                direct = convert_version(model, target)
            except (RuntimeError, ConvertError):
                break
            if target in made:
                assert made[target] == direct
            elif target != opset + 1 and target != opset - 1:
                assert without_opset(direct) == before, target
            before = without_opset(direct)


def test_only_opsets_with_another_version_of_an_operator_are_made():
    _, model = parsed("add")
    made, refusals = made_of(model)
    assert (list(made), refusals) == ([13, 14, NEWEST, 6, 5, 1], [])
    # Another operator of the model has versions of its own, and so does one inside of a node.
    _, model = parsed("many")
    made, _ = made_of(model)
    assert {11, 12, 13, 14, NEWEST} < set(made) and 10 not in made
    _, model = parsed("inner")
    assert {16, 19, 21, 23, 24, 25, NEWEST} == set(made_of(model)[0])


def test_a_step_that_is_disabled_ends_a_direction():
    _, model = parsed("add")
    assert list(made_of(model, ["16-17", "5-4"])[0]) == [13, 14, 16, 6, 5]
    assert list(made_of(model, ["7-8", "7-6"])[0]) == [7]


def test_refusals_of_values_are_told_from_failures():
    def refusals(opset, graph):
        return made_of(onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : {opset}]> g {graph}'))[1]

    norm = "(float[1,1,2] a, float[1] s) => (float[1,1,2] b) { b = BatchNormalization <is_test = 0> (a, s, s, s, s) }"
    assert [refusal[:2] for refusal in refusals(6, norm)] == [rewriters.KINDS["limit"]]
    rnn = "(float[1,1,2] x, float[1,1,2] w, float[1,1,1] r) => (float[1,1,1,1] y) { y = RNN <layout = 1> (x, w, r) }"
    assert [refusal[:2] for refusal in refusals(14, rnn)] == [rewriters.KINDS["limit"]]
    window = "(float[1,1,2,2] q) => (float[1,1,2,2] y) { y = Attention <left_window_size = 1> (q, q, q) }"
    assert refusals(25, window) == []

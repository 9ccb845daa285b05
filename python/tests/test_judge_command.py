"""Tests of `plumbline.judge` with the command itself."""

import pathlib
import re

import numpy
import onnx
import plumbline
import pytest
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator


def model_of(nodes, inputs, outputs):
    def values(named):
        return [helper.make_tensor_value_info(name, kind, shape) for name, (kind, shape) in named.items()]

    graph = helper.make_graph(nodes, "g", values(inputs), values(outputs))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)


TWO = (TensorProto.FLOAT, [2])
SUM_OF_SQUARES = model_of(
    [
        helper.make_node("Mul", ["a", "a"], ["squared"], "the square"),
        helper.make_node("Add", ["squared", "b"], ["y"]),
    ],
    {"a": TWO, "b": TWO},
    {"y": TWO},
)


def test_right_answers_are_accepted_whatever_form_they_have(tmp_path):
    inputs, y = {"b": [0.5, 1], "a": [2, 3]}, numpy.float32([4.5, 10])
    judgement = plumbline.judge(SUM_OF_SQUARES, inputs, [y])
    assert judgement and judgement.verdict == "pass" and judgement.outputs[0].name == "y"
    assert plumbline.judge(SUM_OF_SQUARES.SerializeToString(), [[2, 3], [0.5, 1]], {"y": y})
    onnx.save(SUM_OF_SQUARES, tmp_path / "model.onnx")
    assert plumbline.judge(tmp_path / "model.onnx", inputs, [onnx.numpy_helper.from_array(y)])


def test_a_wrong_element_is_named():
    judgement = plumbline.judge(SUM_OF_SQUARES, [[2, 3], [0.5, 1]], [[4.5, 11]])
    assert not judgement and judgement.outputs[0].wrong == 1
    (element,) = judgement.outputs[0].elements
    assert element.index == [1] and element.found == 11 and element.expected == 10 and element.low <= 10 <= element.high < 11
    assert "y[1] is 11.0" in str(judgement), judgement
    # Another type is a wrong answer, and not an error.
    assert plumbline.judge(SUM_OF_SQUARES, [[2, 3], [0.5, 1]], [numpy.float64([4.5, 10])]).outputs[0].kind == "wrong-type"


def test_the_first_wrong_node_is_named():
    values = {"squared": numpy.float32([4, 8])}
    judgement = plumbline.judge(SUM_OF_SQUARES, [[2, 3], [0.5, 1]], [[4.5, 9]], values=values, arithmetic="cuda")
    assert not judgement and judgement.first_wrong == 0
    # The second node is right on what it was given.
    assert [node.accepted for node in judgement.nodes] == [False, True] and judgement.nodes[1].after_wrong == (0,)
    assert "the first wrong node 0 'the square' (Mul-14)" in str(judgement), judgement
    with pytest.raises(TypeError, match="the value 'squared' is a list; expected an array"):
        plumbline.judge(SUM_OF_SQUARES, [[2, 3], [0.5, 1]], [[4.5, 9]], values={"squared": [4, 8]})


def test_types_that_numpy_lacks():
    pytest.importorskip("ml_dtypes")
    kind = (TensorProto.BFLOAT16, [2])
    model = model_of([helper.make_node("Abs", ["x"], ["y"])], {"x": kind}, {"y": kind})
    assert plumbline.judge(model, [[-1.5, 2]], [[1.5, 2]])
    assert not plumbline.judge(model, [[-1.5, 2]], [[1.5, 2.5]])


def test_what_cannot_be_judged_says_why():
    unknown = model_of([helper.make_node("Ab", ["a"], ["y"])], {"a": TWO}, {"y": TWO})
    with pytest.raises(plumbline.CommandError, match="Ab") as error:
        plumbline.judge(unknown, [[1, 2]], [[1, 2]])
    assert error.value.exit_code == 2 and not str(error.value).startswith("error")
    with pytest.raises(plumbline.CommandError):
        plumbline.judge(SUM_OF_SQUARES, [numpy.float64([2, 3]), [0.5, 1]], [[4.5, 10]])


def test_the_example_of_the_page():
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    model = model_of([helper.make_node("Floor", ["X"], ["Y"])], {"X": TWO}, {"Y": TWO})
    exec(code, {"model": model, "my_runtime": lambda model, inputs: ReferenceEvaluator(model).run(None, inputs)})
    with pytest.raises(AssertionError):
        exec(code, {"model": model, "my_runtime": lambda model, inputs: [inputs["X"]]})

"""Tests of `plumbline.judge`: what it hands to the command, and what it makes of the command's answer."""

import json
import os
import pathlib
import sys

import numpy
import onnx
import pytest
from onnx import TensorProto, helper

import plumbline

# A stand-in for the command: prints what the test wants, and keeps what it was given.
STAND_IN = """#!{python}
import json, os, pathlib, shutil, sys
folder = pathlib.Path({folder!r})
(folder / "words.json").write_text(json.dumps(sys.argv[1:]))
for name, path in zip(("model.onnx", "inputs", "outputs"), sys.argv[2:5]):
    if os.path.isdir(path):
        shutil.copytree(path, folder / name, dirs_exist_ok=True)
    else:
        shutil.copy(path, folder / name)
print((folder / "answer").read_text())
print("error: the model is invalid: it has no node", file=sys.stderr)
sys.exit(int((folder / "code").read_text()))
"""

ACCEPTED = {"format": 1, "accepted": True, "verdict": "pass", "detail": None, "outputs": []}
WRONG = {
    "format": 1, "accepted": False, "verdict": "fail", "detail": "output `y` differs", "a key of a later version": 1,
    "outputs": [{
        "name": "y", "dtype": "float", "shape": [2], "accepted": False, "verdict": "fail", "kind": "wrong-value", "detail": "...",
        "max_ulp": 8388608.0, "width_ulp": 0.0, "wrong": 1,
        "elements": [{"index": [1], "item": [], "verdict": "fail", "found": 3.0, "expected": 2.0, "low": 2.0, "high": 2.5,
                      "accepted": "[2.0, 2.5] is accepted", "rule": "rounding", "rule_text": "any direction", "ulp": 8388608.0}],
    }],
}  # fmt: skip


def value(name, kind=TensorProto.FLOAT, shape=(2,)):
    return helper.make_tensor_value_info(name, kind, shape)


@pytest.fixture
def model():
    graph = helper.make_graph([helper.make_node("Add", ["a", "b"], ["y"])], "g", [value("a"), value("b")], [value("y")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """Puts a stand-in in the place of the command. Returns a function that sets the JSON and the exit code of its answer."""
    if os.name == "nt":
        pytest.skip("the stand-in is a script")
    program = tmp_path / "stand-in"
    program.write_text(STAND_IN.format(python=sys.executable, folder=str(tmp_path)))
    program.chmod(0o755)
    monkeypatch.setenv("PLUMBLINE_COMMAND", str(program))

    def answer(found, code):
        (tmp_path / "answer").write_text(json.dumps(found))
        (tmp_path / "code").write_text(str(code))
        return tmp_path

    return answer


def test_the_command_gets_the_model_and_the_values_in_the_order_of_the_graph(model, stand_in):
    folder = stand_in(ACCEPTED, 0)
    assert plumbline.judge(model, {"b": [3, 4], "a": numpy.array([1, 2], dtype=numpy.float32)}, [[4, 6]])
    words = json.loads((folder / "words.json").read_text())
    assert words[0] == "judge" and words[4:] == ["--format", "json"]
    assert onnx.load(folder / "model.onnx") == model
    read = lambda path: onnx.numpy_helper.to_array(onnx.load_tensor(folder / path))  # noqa: E731
    assert read("inputs/input_0.pb").tolist() == [1, 2] and read("inputs/input_1.pb").tolist() == [3, 4]
    # A list gets the type that the model declares.
    assert read("outputs/output_0.pb").dtype == numpy.float32 and read("outputs/output_0.pb").tolist() == [4, 6]


def test_a_wrong_answer_is_false_and_says_why(model, stand_in):
    stand_in(WRONG, 1)
    judgement = plumbline.judge(model, [[1, 2], [0, 0]], [[1, 3]])
    assert not judgement and judgement.verdict == "fail" and judgement.outputs[0].elements[0].index == [1]
    expected = (
        "not accepted (fail): output `y` differs\n"
        "output y: fail (wrong-value), 1 wrong element\n"
        "  y[1] is 3.0: [2.0, 2.5] is accepted; 8.38861e+06 ULP away; rounding: any direction"
    )
    assert str(judgement) == expected and repr(judgement) == f"<Judgement {expected}>"
    with pytest.raises(AssertionError, match="y\\[1\\] is 3.0: "):
        judgement.check()


def test_what_cannot_be_judged_is_an_error_with_the_text_of_the_command(model, stand_in):
    stand_in(ACCEPTED, 2)
    with pytest.raises(plumbline.CommandError, match="^the model is invalid: it has no node$") as error:
        plumbline.judge(model.SerializeToString(), [[1, 2], [0, 0]], [[1, 3]])
    assert error.value.exit_code == 2
    stand_in(ACCEPTED | {"format": 2}, 0)
    with pytest.raises(plumbline.PlumblineError, match="printed the format 2, and this package reads 1"):
        plumbline.judge(model, [[1, 2], [0, 0]], [[1, 3]])


def test_values_that_do_not_fit_the_model_are_errors(model, tmp_path):
    with pytest.raises(ValueError, match="there is no input 'c'; the model has 'a', 'b'"):
        plumbline.judge(model, {"a": [1, 2], "c": [1, 2]}, [[1, 2]])
    with pytest.raises(ValueError, match="the input 'b' is missing; the model has 'a', 'b'"):
        plumbline.judge(model, {"a": [1, 2]}, [[1, 2]])
    with pytest.raises(ValueError, match="2 outputs are given, and the model has 1: 'y'"):
        plumbline.judge(model, [[1, 2], [1, 2]], [[1, 2], [1, 2]])
    with pytest.raises(TypeError, match="the inputs are a ndarray; expected a list"):
        plumbline.judge(model, numpy.zeros(2), [[1, 2]])
    with pytest.raises(TypeError, match="the model is a int"):
        plumbline.judge(1, [], [])
    with pytest.raises(FileNotFoundError):
        plumbline.judge(tmp_path / "missing.onnx", [], [])


def test_sequences_and_optionals_are_written_as_onnx_has_them(stand_in):
    kind = helper.make_sequence_type_proto(helper.make_tensor_type_proto(TensorProto.FLOAT, None))
    graph = helper.make_graph(
        [helper.make_node("SequenceLength", ["s"], ["n"])],
        "g",
        [helper.make_value_info("s", kind)],
        [value("n", TensorProto.INT64, ())],
    )
    folder = stand_in(ACCEPTED, 0)
    assert plumbline.judge(helper.make_model(graph), [[numpy.float32([1, 2]), numpy.float32(3)]], [2])
    found = onnx.SequenceProto()
    found.ParseFromString((folder / "inputs" / "input_0.pb").read_bytes())
    assert [onnx.numpy_helper.to_array(tensor).tolist() for tensor in found.tensor_values] == [[1, 2], 3]


def test_the_command_is_found_or_the_error_says_how_to_get_it(monkeypatch, tmp_path):
    assert pathlib.Path(plumbline.command()).is_file()
    monkeypatch.setenv("PLUMBLINE_COMMAND", str(tmp_path / "missing"))
    with pytest.raises(plumbline.CommandNotFound, match="PLUMBLINE_COMMAND is .*missing, which is not a program"):
        plumbline.command()
    monkeypatch.delenv("PLUMBLINE_COMMAND")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sysconfig.get_path", lambda *_, **__: str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(plumbline.CommandNotFound, match="`pip install plumbline` brings it"):
        plumbline.command()

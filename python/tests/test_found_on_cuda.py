"""Tests of the scripts in `examples/found/onnxruntime_cuda`, without a GPU.

The answer that a script expects is that of ONNX's reference evaluator and of ONNX Runtime's CPU provider. The answer
that was seen on CUDA is wrong by the script's own measure.
"""

import importlib.util
import pathlib
import signal
import subprocess
import sys

import ml_dtypes
import numpy
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

FOLDER = pathlib.Path(__file__).parents[2] / "examples/found/onnxruntime_cuda"
SCRIPTS = sorted(path.stem for path in FOLDER.glob("*.py"))
# What ONNX's reference evaluator 1.23.2 does not run, or runs against the text.
NOT_BY_REFERENCE = {
    "batch_normalization_training": "the evaluator gives no training outputs before version 14",
    "dropout_double": "the evaluator takes no absent ratio",
    "dropout_empty": "the evaluator takes no absent ratio",
    "lrn_infinity": "the evaluator takes four dimensions only",
    "p_relu_infinite_slope": "the evaluator multiplies zeros by the slope, against the text and the function of PRelu",
    "random_uniform_like_strings": "the evaluator takes no strings",
    "upsample_scale": "the evaluator takes integer scales only",
}
# What the CPU provider of ONNX Runtime 1.31.1 refuses. It is right everywhere else.
NOT_BY_CPU = {"attention_nan_query", "batch_normalization_training", "lrn_infinity", "mat_mul_empty_shape"}
# Element types that NumPy does not have, of the inputs whose bits a script gives.
TYPES = {onnx.TensorProto.BFLOAT16: ml_dtypes.bfloat16, onnx.TensorProto.FLOAT8E5M2: ml_dtypes.float8_e5m2}
HAS_RUNTIME = importlib.util.find_spec("onnxruntime") is not None
needs_runtime = pytest.mark.skipif(not HAS_RUNTIME, reason="onnxruntime is not installed")


# A stand-in for ONNX Runtime with CUDA, whose kernels do what STAND_IN_DOES says, or return zeros.
STAND_IN = """
import os, signal, time
import numpy, onnx

__version__ = "0"
get_available_providers = lambda: ["CUDAExecutionProvider", "CPUExecutionProvider"]
preload_dlls = lambda: None

class SessionOptions:
    def add_session_config_entry(self, key, value):
        pass

class InferenceSession:
    def __init__(self, model, options, providers):
        if providers[0][0] == "CUDAExecutionProvider" and os.environ["STAND_IN_DOES"] == "refuse":
            raise RuntimeError("no device")
        self.outputs = onnx.load_from_string(model).graph.output
        self.does = os.environ["STAND_IN_DOES"] if providers[0][0] == "CUDAExecutionProvider" else ""

    def run(self, names, feeds):
        if self.does == "timeout":
            time.sleep(60)
        if self.does.startswith("SIG"):
            os.kill(os.getpid(), signal.Signals[self.does])
        return [numpy.zeros([d.dim_value for d in o.type.tensor_type.shape.dim]) for o in self.outputs]
"""


def module(path):
    """Returns what is in a file, as a new module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def load(monkeypatch, tmp_path):
    """Returns a function that imports a script, with a stand-in for ONNX Runtime if that is asked for or not there."""

    def load(name, stand_in=not HAS_RUNTIME):
        if stand_in:
            (tmp_path / "onnxruntime.py").write_text(STAND_IN)
            monkeypatch.setenv("PYTHONPATH", str(tmp_path))
            monkeypatch.setitem(sys.modules, "onnxruntime", module(tmp_path / "onnxruntime.py"))
        return module(FOLDER / f"{name}.py")

    return load


def tail(name):
    """Returns the part of a script that is the same in all scripts of its kind."""
    text = (FOLDER / f"{name}.py").read_text()
    return text[text.index("\ndef report(" if "\ndef report(" in text else "\ndef child(") :]


def test_there_are_scripts_and_the_table_names_each():
    assert len(SCRIPTS) >= 20
    table = (FOLDER / "README.md").read_text()
    assert [name for name in SCRIPTS if f"[{name}]({name}.py)" not in table] == []
    assert len({tail(name) for name in SCRIPTS}) == 2


@pytest.mark.parametrize("name", SCRIPTS)
def test_what_was_seen_is_not_what_is_expected(load, name):
    script = load(name)
    onnx.checker.check_model(script.MODEL, full_check=True)
    if isinstance(script.SEEN, str):
        assert script.SEEN == "timeout" or signal.Signals[script.SEEN] > 0
        return
    assert script.is_right(script.EXPECTED)
    for output, index, seen in script.SEEN:
        found = [numpy.array(value) for value in script.EXPECTED]
        found[output][index] = seen
        assert not script.is_right(found), f"{seen} at {index} of output {output} passes"


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_exit_code_tells_whether_the_bug_is_there(load, monkeypatch, capsys, name):
    script = load(name, stand_in=True)
    monkeypatch.setattr(sys, "argv", [name])
    monkeypatch.setenv("STAND_IN_DOES", "refuse")
    assert script.main() == 2
    if isinstance(script.SEEN, str):
        monkeypatch.setattr(script, "LIMIT_S", 2 if script.SEEN == "timeout" else 60)
        monkeypatch.setenv("STAND_IN_DOES", script.SEEN)
        assert script.main() == 1
        assert f"seen on CUDA: {script.SEEN}" in capsys.readouterr().out
        return
    monkeypatch.setenv("STAND_IN_DOES", "")
    monkeypatch.setattr(script, "run", lambda provider: script.EXPECTED)
    assert script.main() == 0
    found = [numpy.array(value) for value in script.EXPECTED]
    for output, index, seen in script.SEEN:
        found[output][index] = seen
    monkeypatch.setattr(script, "run", lambda provider: found if provider.startswith("CUDA") else script.EXPECTED)
    assert script.main() == 1


@pytest.mark.parametrize("name", [name for name in SCRIPTS if name not in NOT_BY_REFERENCE])
def test_the_reference_evaluator_gives_what_is_expected(load, name):
    script = load(name)
    feeds = script.FEEDS.items()
    feeds = {key: feed[1].view(TYPES[feed[0]]) if isinstance(feed, tuple) else feed for key, feed in feeds}
    with numpy.errstate(all="ignore"):
        found = [numpy.asarray(output) for output in ReferenceEvaluator(script.MODEL).run(None, feeds)]
    if name == "mat_mul_empty_shape":
        found = [numpy.array(found[0].shape)]
    elif found[0].dtype == ml_dtypes.bfloat16:
        found = [found[0].view(numpy.uint16)]
    assert script.is_right(found)


@needs_runtime
@pytest.mark.parametrize("name", [name for name in SCRIPTS if name not in NOT_BY_CPU])
def test_the_cpu_provider_gives_what_is_expected(load, name):
    script = load(name)
    assert script.is_right(script.run("CPUExecutionProvider"))


@needs_runtime
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_without_cuda_says_so(name):
    import onnxruntime

    if "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        pytest.skip("this is the package with CUDA")
    done = subprocess.run([sys.executable, FOLDER / f"{name}.py"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout.endswith("not checked: this onnxruntime has no CUDA provider\n")

"""Makes a test of each case of a corpus: `pytest examples/corpus --corpus corpus`."""

import importlib.util
import os
import sys

import pytest


def pytest_addoption(parser):
    parser.addoption("--corpus", help="the folder that `plumbline export` wrote")


def load(name, path):
    """Loads a Python file as a module of this name."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def pytest_generate_tests(metafunc):
    corpus = metafunc.config.getoption("--corpus")
    if "case" not in metafunc.fixturenames:
        return
    if not corpus:
        pytest.exit("--corpus is missing: it names a folder that `plumbline export --out corpus` wrote", returncode=2)
    judge = load("judge", os.path.join(corpus, "judge.py"))
    _, cases = judge.read_corpus(corpus)
    cases = [pytest.param((corpus, case), id=case["id"]) for case in cases]
    metafunc.parametrize("case", cases)

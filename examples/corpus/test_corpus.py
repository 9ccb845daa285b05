"""Runs each case of a corpus in ONNX Runtime, and asserts that its answer is accepted."""

import os

import pytest
from conftest import load


def test_case(case):
    corpus, line = case
    judge = load("judge", os.path.join(corpus, "judge.py"))
    runner = load("onnxruntime_runner", os.path.join(os.path.dirname(__file__), "onnxruntime_runner.py"))
    case = judge.Case(judge.check_case(corpus, line))

    def run(model, *all_inputs):
        """Returns the outcomes of the runs of one session."""
        try:
            session = runner.prepare(model)
        except Exception as error:
            return [error]
        outcomes = []
        for inputs in all_inputs:
            try:
                outcomes.append(session(inputs))
            except Exception as error:
                outcomes.append(error)
        return outcomes

    verdict = case.judge_session(
        run(case.model(), *(case.inputs(number) for number in range(len(case.runs)))),
        fresh=lambda number: run(case.model(), case.inputs(number))[0],
        twin=lambda: run(*case.twin())[0],
    )
    if verdict.verdict == "unsupported":
        pytest.skip(verdict.detail)
    assert verdict.verdict in ("pass", "latitude"), f"{verdict.verdict} {verdict.kind}: {verdict.detail}"

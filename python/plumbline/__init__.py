"""Plumbline for Python: judges answers of ONNX models, and runs conformance as tests of pytest.

`judge` says whether the answers of a model are right. The plug-in of pytest is in `plumbline.pytest_plugin`, the worker protocol
for backends in `plumbline_worker`, and ONNX's values as arrays in `plumbline_onnx`. The command is `plumbline`, or
`python -m plumbline`.
"""

from plumbline._command import CommandError, CommandNotFound, PlumblineError, command
from plumbline._judge import ElementJudgement, Judgement, NodeJudgement, OutputJudgement, judge

__all__ = [
    "CommandError",
    "CommandNotFound",
    "ElementJudgement",
    "Judgement",
    "NodeJudgement",
    "OutputJudgement",
    "PlumblineError",
    "command",
    "judge",
]

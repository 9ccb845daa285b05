#!/usr/bin/env python3
"""Judges recorded answers by a corpus: `recorded_answers.py CORPUS ANSWERS` prints the verdicts of each backend.

A test records the answers of several backends in the folder ANSWERS. Each line of `steps.jsonl` is one step of a case
on one backend: `run_0`, `fresh_1` or `twin`, with the reason if the backend refused, otherwise with the types of its
outputs and where their bytes are in the file `outputs`. There are so many outputs that writing a file for each would
take most of the time.
"""

import importlib.util
import json
import os
import sys


def load_judge(corpus):
    """Returns the judge that the corpus has."""
    spec = importlib.util.spec_from_file_location("judge", os.path.join(corpus, "judge.py"))
    judge = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(judge)
    return judge


class Answers:
    """What the backends did, by backend, case and step."""

    def __init__(self, judge, folder):
        self.judge = judge
        with open(os.path.join(folder, "outputs"), "rb") as file:
            self.outputs = file.read()
        self.backends = {}
        with open(os.path.join(folder, "steps.jsonl"), encoding="utf-8") as file:
            for line in file:
                step = json.loads(line)
                self.backends.setdefault(step["backend"], {})[step["case"], step["step"]] = step

    def outcome(self, backend, case, step):
        """Returns what a backend did in a step; None if the step was not recorded."""
        recorded = self.backends[backend].get((case, step))
        if recorded is None:
            return None
        if recorded["refused"] is not None:
            kind = self.judge.Unsupported if recorded["unsupported"] else RuntimeError
            return kind(recorded["refused"])
        return [
            self.judge.parse_value(self.outputs[begin:end], type_, step) for type_, begin, end in recorded["outputs"]
        ]


def main():
    corpus, folder = sys.argv[1:]
    judge = load_judge(corpus)
    _, cases = judge.read_corpus(corpus)
    judge.check_corpus(corpus, cases)
    answers = Answers(judge, folder)
    for line in cases:
        path = line["path"]
        case = judge.Case(os.path.join(corpus, path))
        for backend in answers.backends:
            outcomes = [answers.outcome(backend, path, f"run_{run}") for run in range(len(case.runs))]
            verdict = case.judge_session(
                outcomes,
                fresh=lambda run: answers.outcome(backend, path, f"fresh_{run}"),
                twin=lambda: answers.outcome(backend, path, "twin"),
            )
            row = {"backend": backend, "id": case.id, "verdict": verdict.verdict, "kind": verdict.kind}
            print(json.dumps({**row, "detail": verdict.detail}))


if __name__ == "__main__":
    main()

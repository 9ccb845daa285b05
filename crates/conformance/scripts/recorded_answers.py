#!/usr/bin/env python3
"""Judges recorded answers by a corpus: `recorded_answers.py CORPUS ANSWERS` prints the verdict of each case.

A test records the answers of a backend in `ANSWERS/<path of the case>/<step>.json`, where a step is `run_0`, `fresh_1`
or `twin`: the types of the outputs, which are in files beside it, or what the backend refused with.
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


def outcome(judge, folder, step):
    """Returns what a backend did in a step; None if the step was not recorded."""
    path = os.path.join(folder, step + ".json")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        recorded = json.load(file)
    if recorded["refused"] is not None:
        kind = judge.Unsupported if recorded["unsupported"] else RuntimeError
        return kind(recorded["refused"])
    outputs = enumerate(recorded["types"])
    return [judge.read_value(os.path.join(folder, f"{step}_{at}.pb"), type_) for at, type_ in outputs]


def main():
    corpus, answers = sys.argv[1:]
    judge = load_judge(corpus)
    _, cases = judge.read_corpus(corpus)
    judge.check_corpus(corpus, cases)
    for line in cases:
        case = judge.Case(os.path.join(corpus, line["path"]))
        folder = os.path.join(answers, line["path"])
        outcomes = [outcome(judge, folder, f"run_{run}") for run in range(len(case.runs))]
        verdict = case.judge_session(
            outcomes,
            fresh=lambda run: outcome(judge, folder, f"fresh_{run}"),
            twin=lambda: outcome(judge, folder, "twin"),
        )
        print(json.dumps({"id": case.id, "verdict": verdict.verdict, "kind": verdict.kind, "detail": verdict.detail}))


if __name__ == "__main__":
    main()

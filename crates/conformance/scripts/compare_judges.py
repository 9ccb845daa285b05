#!/usr/bin/env python3
"""Compares the verdicts of a corpus's judge with those of `plumbline conformance` on the same cases.

    plumbline export --out corpus --profile smoke --cases 12
    plumbline conformance --profile smoke --cases 12 --backend onnxruntime@1.31.1 --minimize off --out results
    python corpus/judge.py corpus --runner examples/corpus/onnxruntime_runner.py --out verdicts.jsonl
    python crates/conformance/scripts/compare_judges.py results/results.jsonl verdicts.jsonl

One of the two interfaces of a runtime may be unable to pass a value. `--unpassed PATTERN` matches the details that say
so, and these differences are counted apart. The verdicts may be in several files, one for each part of a corpus. Exit
codes: 0 all verdicts are equal, 1 some differ, 2 a file cannot be read, 4 fewer cases than `--floor` are compared.
"""

import argparse
import collections
import json
import re
import sys


def read(path, only=None):
    """Returns the row of each case. With `only`, backends whose name does not begin with it are left out."""
    rows = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if only is None or row["backend"].startswith(only):
                rows[row["case"]] = row
    return rows


def known(row):
    """Returns verdict and kind. The kind `flaky` is left out, because `judge.py` does not have it."""
    return row["verdict"], None if row["kind"] == "flaky" else row["kind"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", help="results.jsonl of a run")
    parser.add_argument("verdicts", nargs="+", help="what judge.py wrote")
    parser.add_argument("--backend", help="only results of backends whose name begins with this")
    parser.add_argument("--unpassed", metavar="PATTERN", help="matches a detail about a value that cannot be passed")
    parser.add_argument("--floor", type=int, default=1, help="fail if fewer cases than this are compared [default: 1]")
    parser.add_argument("--show", type=int, default=3, help="differences of each kind that are shown [default: 3]")
    args = parser.parse_args()
    try:
        ours = read(args.results, args.backend)
        theirs = {}
        for path in args.verdicts:
            theirs.update(read(path))
    except (OSError, ValueError, KeyError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    both = [case for case in ours if case in theirs]
    different = [case for case in both if known(ours[case]) != known(theirs[case])]
    unpassed = []
    if args.unpassed:
        says = re.compile(args.unpassed)
        unpassed = [c for c in different if any(says.search(rows[c]["detail"] or "") for rows in (ours, theirs))]
        apart = set(unpassed)
        different = [case for case in different if case not in apart]
    counts = collections.Counter(ours[case]["verdict"] for case in both)
    words = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    print(f"{len(both)} cases are in both ({words})")
    print(f"only in the results: {len(ours) - len(both)}; only in the verdicts: {len(theirs) - len(both)}")
    print(f"one of the two interfaces could not pass a value: {len(unpassed)}")
    print(f"verdict and kind are equal: {len(both) - len(unpassed) - len(different)}; differ: {len(different)}")
    groups = collections.defaultdict(list)
    for case in different:
        groups[(known(ours[case]), known(theirs[case]))].append(case)
    for (own, other), cases in sorted(groups.items(), key=lambda group: -len(group[1])):
        print(f"\n{len(cases)}: {' '.join(filter(None, own))} in the results, {' '.join(filter(None, other))} in the verdicts")
        for case in cases[: args.show]:
            print(f"  {case}\n    results:  {ours[case]['detail']}\n    verdicts: {theirs[case]['detail']}")
    compared = len(both) - len(unpassed)
    if compared < args.floor:
        print(f"error: {compared} cases are compared, fewer than {args.floor}", file=sys.stderr)
        return 4
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())

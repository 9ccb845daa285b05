"""Runs the exact backend on all its operators, and counts what the oracle says of its answers, by element type.

python3 crates/conformance/scripts/exact/measure.py --cases 100 --seed 1
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TYPES = ["float16", "bfloat16", "float", "double"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--cases", default="100", help="the number of cases per cell")
    arguments.add_argument("--seed", default="0")
    arguments.add_argument("--xtask", default="cargo xtask", help="the command that runs xtask")
    arguments.add_argument("--out", default="target/exact")
    given = arguments.parse_args()
    backend = [sys.executable, str(HERE / "backend.py")]
    operators = subprocess.run([*backend, "--operators"], check=True, capture_output=True, text=True).stdout.split()
    command = [*given.xtask.split(), "conformance", "--suite", "generated", "--out", given.out]
    command += ["--backend", "process:" + " ".join(backend), "--cases", given.cases, "--seed", given.seed]
    command += [word for name in operators for word in ("--op", name)]
    command += [word for name in TYPES for word in ("--dtype", name)]
    # Exit code 1: some answer is not accepted, which the table below says.
    if subprocess.run(command, check=False).returncode not in (0, 1):
        sys.exit("the run ended early")
    verdicts, judged = collections.Counter(), set()
    for line in (pathlib.Path(given.out) / "results.jsonl").read_text().splitlines():
        result = json.loads(line)
        bound = result["case"].split("/")[1].partition("=")[2]
        verdicts[bound, result["verdict"]] += 1
        if result["verdict"] in ("pass", "latitude"):
            judged.add(result["op"])
    names = sorted({verdict for _, verdict in verdicts})
    print(f"{len(judged)} operators judged")
    print("type".ljust(10), *(name.rjust(12) for name in names))
    for dtype in TYPES:
        print(dtype.ljust(10), *(str(verdicts[dtype, name]).rjust(12) for name in names))


if __name__ == "__main__":
    main()

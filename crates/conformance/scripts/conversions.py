"""What ONNX's version converter makes of every cell: right, wrong or refused, for each pair of operator versions.

`rewriter:version-converter,to=each` converts each case to every opset. Most of these conversions only change the number of
the opset. This script asks for one opset for each other version of the operator, the nearest one that has it, and for
the newest opset. It needs the package onnx, and `plumbline backends --fetch rewriter:version-converter`.

    python3 crates/conformance/scripts/conversions.py --command target/release/plumbline --out conversions
"""

import argparse
import collections
import json
import pathlib
import shlex
import subprocess

from onnx import defs


def targets_of(version, versions, newest):
    """The opsets to which cases of an operator version are converted: upward the first with each later version, and the
    newest one; downward the last with each earlier version, and the last without any."""
    later = [other for other in versions if other > version]
    earlier = [other - 1 for other in versions if 1 < other <= version]
    return {*later, *earlier, newest} - {version}


def counted(path, counts, kinds):
    for line in path.read_text().splitlines():
        result = json.loads(line)
        target = int(result["backend"].rsplit("to=", 1)[1])
        way = "upward" if target > result["since"] else "downward"
        name = {"pass": "right", "latitude": "right", "unsupported": "refused"}.get(result["verdict"], "wrong")
        counts[way, name] += 1
        if name == "wrong":
            kinds[result["kind"] or result["verdict"], f"{result['op']}-{result['since']}"] += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--command", default="plumbline", help="the command plumbline or cargo xtask")
    parser.add_argument("--release", default="", help="the release of onnx, such as 1.21.0")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the folder for the runs")
    parser.epilog = "Other options, such as --op Softmax or --form as-drawn, are those of conformance."
    arguments, others = parser.parse_known_args()
    command = [*shlex.split(arguments.command), "conformance", "--suite", "generated", *others]
    listed = subprocess.run([*command, "--list"], check=True, capture_output=True, text=True).stdout.split()
    versions, newest = collections.defaultdict(set), defs.onnx_opset_version()
    for schema in defs.get_all_schemas_with_history():
        if not schema.domain:
            versions[schema.name].add(schema.since_version)
    cells = collections.defaultdict(list)
    for cell in listed:
        name, _, version = cell.split("/")[0].rpartition("-")
        for target in targets_of(int(version), versions[name], newest) if name in versions else ():
            cells[target].append(cell)
    arguments.out.mkdir(parents=True, exist_ok=True)
    counts, kinds = collections.Counter(), collections.Counter()
    release = f"@{arguments.release}" if arguments.release else ""
    for target, chosen in sorted(cells.items()):
        only, run = arguments.out / f"to-{target}.txt", arguments.out / f"to-{target}"
        only.write_text("".join(cell + "\n" for cell in chosen))
        if not (run / "summary.json").exists():
            options = ["--cases", "1", "--minimize", "off", "--only", only, "--out", run]
            backend = f"rewriter:version-converter{release},to={target}"
            subprocess.run([*command, *options, "--backend", backend], stdout=subprocess.DEVNULL)
        counted(run / "results.jsonl", counts, kinds)
    for (way, name), count in sorted(counts.items()):
        print(f"{way} {name}: {count}")
    for (kind, operator), count in sorted(kinds.items()):
        print(f"{kind} {operator}: {count}")


if __name__ == "__main__":
    main()

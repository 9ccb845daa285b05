#!/usr/bin/env python3
"""Runs the DirectML cases of this folder with DxDispatch, and judges the answers.

    python run.py --dxdispatch C:\\dxdispatch\\dxdispatch.exe
    python run.py --dxdispatch dxdispatch --adapter Radeon --op ELEMENT_WISE_MIN --level 5_0 --type FLOAT16

Each case is a folder below models/: a model that DxDispatch reads, its buffers, and what is accepted as its outputs. The
command prints a line for each case, then a summary, and writes results.jsonl, run.json and summary.md to --out.

Exit codes: 0 every verdict is `pass`, `latitude`, `unsupported` or known by --expectations, 1 some verdict is another
one, 2 wrong usage, or a folder that is not whole or has another format, 3 DxDispatch does not start, there is no such
adapter, or the device was removed and does not come back, 4 no case matches. Results of cases that ran before an error
are kept.

This file needs Python 3.9 and numpy, and judge.py beside it.
"""

import argparse
import collections
import concurrent.futures
import datetime
import fnmatch
import hashlib
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy  # noqa: E402

import judge  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))

# HRESULTs that DxDispatch prints or ends with.
_REMOVED = {
    0x887A0005: "DXGI_ERROR_DEVICE_REMOVED",
    0x887A0006: "DXGI_ERROR_DEVICE_HUNG",
    0x887A0007: "DXGI_ERROR_DEVICE_RESET",
    0x887A0020: "DXGI_ERROR_DRIVER_INTERNAL_ERROR",
}
_UNSUPPORTED = {0x887A0004: "DXGI_ERROR_UNSUPPORTED", 0x80004001: "E_NOTIMPL"}
# What DxDispatch says of an operator that is newer than itself.
_UNKNOWN = ("Unknown operator type",)

# After this many cases in a row that lose the device, the run ends.
_LOST_IN_A_ROW = 3


class Stop(Exception):
    """The run cannot go on: DxDispatch does not start, the adapter is missing, or the device does not come back."""


class Wrote(Exception):
    """The operator changed memory that it must not change."""


class Refused(Exception):
    """DxDispatch ended with an error."""


class Case(judge.Case):
    """A case of this folder."""

    MODEL = "run_0/model.json"
    EXTENSION = "npy"


def _npy(path):
    """Returns the bytes of the elements in a file of NumPy."""
    try:
        return numpy.load(path, allow_pickle=False).tobytes()
    except FileNotFoundError:
        raise judge.Garbage(f"DxDispatch wrote no {os.path.basename(path)}") from None
    except (OSError, ValueError) as error:
        raise judge.Garbage(f"{os.path.basename(path)} is not a file of NumPy: {error}") from None


def _elements(output, data):
    """Returns the tensor of an output, which its strides find in the bytes of a buffer."""
    dtype, sizes = output["type"], output["sizes"]
    places = numpy.zeros(1, numpy.int64)
    for size, stride in zip(sizes, output["strides"]):
        places = (places[:, None] + numpy.arange(size, dtype=numpy.int64) * stride).ravel()
    kind = judge._BY_NAME[dtype]
    buffer = numpy.frombuffer(data, numpy.uint8)
    if kind.bits < 8:
        codes = (buffer[places // 2] >> (4 * (places % 2)).astype(numpy.uint8)) & 15
        if dtype.startswith("i"):
            codes = ((codes.astype(numpy.int16) ^ 8) - 8).astype(numpy.int8)
        return judge.Tensor(dtype, sizes, codes)
    width = kind.bits // 8
    dense = buffer[(places[:, None] * width + numpy.arange(width)).ravel()]
    return judge.Tensor.from_bytes(dtype, tuple(sizes), dense.tobytes())


def _sources(dispatched, source):
    """Returns the file that the model in the folder `source` reads a resource from, by the file that it writes it to."""
    with open(os.path.join(source, dispatched["model"]), encoding="utf-8") as file:
        model = json.load(file)
    resources, commands = model["resources"], model["commands"]
    written = {command["targetPath"]: command["resource"] for command in commands if command["type"] == "writeFile"}
    read = {name: resources[resource]["initialValues"]["sourcePath"] for name, resource in written.items()}
    return {name: os.path.join(source, path) for name, path in read.items()}


def read_answer(dispatched, source, target):
    """Returns the outputs that a model wrote to the folder `target`, or raises what is wrong with them."""
    outputs, sources = [], _sources(dispatched, source)
    for output in dispatched["outputs"]:
        after, before = _npy(os.path.join(target, output["file"])), _npy(sources[output["file"]])
        if len(after) < len(before):
            raise judge.Garbage(f"{output['file']} has {len(after)} bytes, {len(before)} are expected")
        total = output["total_bytes"]
        changed = [at for at in range(total, len(before)) if after[at] != before[at]]
        if changed:
            raise Wrote(f"the operator wrote byte {changed[0] - total} behind {output['file']}")
        outputs.append(_elements(output, after))
    for name in dispatched["unchanged"]:
        after, before = _npy(os.path.join(target, name)), _npy(sources[name])
        if after[: len(before)] != before:
            at = next((at for at, (a, b) in enumerate(zip(after, before)) if a != b), len(after))
            raise Wrote(f"the operator wrote byte {at} of the input {name}")
    return outputs


class DxDispatch:
    """The program that runs models."""

    def __init__(self, command, adapter, deadline):
        self.command = _words(command)
        self.wanted, self.deadline = adapter, deadline
        shown = self._call(["-s"])
        self.adapters = _adapters(shown)
        found = [(name, version) for name, version in self.adapters if adapter in name]
        if adapter and not found:
            names = ", ".join(name for name, _ in self.adapters) or "none"
            raise Stop(f"DxDispatch finds no adapter with `{adapter}` in its name; the adapters are: {names}")
        self.adapter, self.driver = found[0] if found else ("unknown adapter", "unknown")
        directml = re.search(r"DirectML\s*:\s*(.+)", self._call(["-S"]))
        self.directml = directml.group(1).strip() if directml else "unknown"

    def _call(self, more):
        try:
            done = subprocess.run(
                self.command + more, stdin=subprocess.DEVNULL, capture_output=True, timeout=self.deadline
            )
        except (OSError, ValueError) as error:
            raise Stop(f"DxDispatch does not start: {error}") from None
        except subprocess.TimeoutExpired:
            raise Stop(f"DxDispatch does not answer `{' '.join(more)}` within {self.deadline} s") from None
        return _text(done)

    @property
    def backend(self):
        return f"dxdispatch {self.adapter}, driver {self.driver}, DirectML {self.directml}"

    def run(self, dispatched, folder):
        """Runs a model in the folder of a run, and returns its outputs, or the exception that stands for its end."""
        model = os.path.join(folder, dispatched["model"])
        words = self.command + [model] + (["-a", self.wanted] if self.wanted else [])
        with tempfile.TemporaryDirectory(prefix="directml-") as target:
            try:
                done = subprocess.run(
                    words, cwd=target, stdin=subprocess.DEVNULL, capture_output=True, timeout=self.deadline
                )
            except subprocess.TimeoutExpired:
                return judge.Timeout(f"no answer within {self.deadline} s")
            except OSError as error:
                raise Stop(f"DxDispatch does not start: {error}") from None
            failure = self._failure(done.returncode, _text(done))
            if failure is not None:
                return failure
            try:
                return read_answer(dispatched, folder, target)
            except (judge.Garbage, Wrote) as error:
                return error

    def _failure(self, code, text):
        """Returns the exception that stands for an end of DxDispatch with an error, or None."""
        if "No adapter found" in text:
            raise Stop(f"DxDispatch finds no adapter with `{self.wanted}` in its name: {_last(text)}")
        running = re.search(r"Running on '(.*)'", text)
        if running and self.adapters and running.group(1) != self.adapter:
            raise Stop(f"DxDispatch runs on {running.group(1)}, and not on {self.adapter}")
        results = {int(found, 16) for found in re.findall(r"0x([0-9a-fA-F]{8})\b", text)} | {code & 0xFFFFFFFF}
        for known, kind in ((_REMOVED, judge.DeviceLost), (_UNSUPPORTED, judge.Unsupported)):
            found = [name for number, name in known.items() if number in results]
            if found and code != 0:
                return kind(f"{found[0]}: {_last(text)}")
        if code == 0:
            return None
        if any(words in text for words in _UNKNOWN):
            return judge.Unsupported(_last(text))
        if code < 0 or 0xC0000000 <= code & 0xFFFFFFFF <= 0xCFFFFFFF:
            return judge.Crash(f"DxDispatch ended with {code if code < 0 else hex(code & 0xFFFFFFFF)}")
        return Refused(_last(text) or f"DxDispatch ended with {code}")


def _words(command):
    if os.path.isfile(command):
        return [os.path.abspath(command)]
    if os.name == "nt":
        return [word.strip('"') for word in shlex.split(command, posix=False)]
    return shlex.split(command)


def _text(done):
    return (done.stdout + b"\n" + done.stderr).decode("utf-8", "replace")


def _last(text):
    """Returns the lines of an error, without those that say what ran."""
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    return " ".join(line for line in lines if not line.startswith(("Running on", "Dispatch '")))[:1500]


def _adapters(text):
    """Returns the names and the driver versions of the adapters that DxDispatch lists."""
    found, name = [], None
    for line in text.splitlines():
        version = re.fullmatch(r"\s*-Version:\s*(\S+)\s*", line)
        if version and name:
            found.append((name, version.group(1)))
            name = None
        elif line.strip() and not line.lstrip().startswith("-"):
            name = line.strip()
    return found


# Judging.


def _distance(dtype, want, got):
    """Returns the absolute error, the relative error and the distance in ULP of a number."""
    if want == got or (math.isnan(want) and math.isnan(got)):
        return 0.0, 0.0, 0.0
    if not (math.isfinite(want) and math.isfinite(got)):
        return math.inf, math.inf, math.inf
    away = abs(got - want)
    form = judge._FORMATS.get(dtype)
    return away, away / abs(want) if want else math.inf, away / judge._ulp(form, want) if form else float(away)


class Compared:
    """How far an answer is from the reference: the element that is farthest, among the wrong ones if there are any."""

    def __init__(self, case, outputs, run=0):
        self.line, self.max_ulp, self.width_ulp = "", None, None
        if case.facts["expects"] != "outputs" or isinstance(outputs, BaseException):
            return
        expected = case._answers(run)[0][1]
        worst = None
        for named, want, got in zip(case.facts["outputs"], expected, outputs):
            leaf = want.leaf
            if leaf is None or leaf.random or want.type != got.type or leaf.tensor.shape != got.shape:
                continue
            judged = leaf.judge(got)
            if leaf.low is not None:
                self._widen(leaf)
            for at in range(len(got)):
                reference, found = (_element(tensor, at) for tensor in (leaf.tensor, got))
                distance = _distance(got.dtype, reference, found)
                rank = (judged[at] == judge.WRONG, distance[2])
                if worst is None or rank > worst[0]:
                    place = [int(x) for x in numpy.unravel_index(at, got.shape)] if got.shape else []
                    worst = rank, named["name"], place, leaf.tensor.element(at), got.element(at), distance
        if worst:
            _, name, place, reference, found, (away, relative, ulp) = worst
            self.max_ulp = ulp if math.isfinite(ulp) else None
            self.line = (
                f"{name}{place}: reference {reference}, DirectML {found}, "
                f"abs {away:.3g}, rel {relative:.3g}, {ulp:.6g} ULP"
            )

    def _widen(self, leaf):
        for at in range(len(leaf.tensor)):
            low, high = (_element(end, at) for end in (leaf.low, leaf.high))
            middle = _element(leaf.tensor, at)
            if math.isfinite(low) and math.isfinite(high) and high >= low:
                form = judge._FORMATS.get(leaf.tensor.dtype)
                width = (high - low) / judge._ulp(form, middle if math.isfinite(middle) else low) if form else high - low
                self.width_ulp = max(self.width_ulp or 0.0, float(width))


def _element(tensor, at):
    return float(tensor.values()[at]) if tensor.kind == "float" else int(tensor.data[at])


def _hash(text):
    """Computes the hash that Plumbline's signatures have."""
    h = 0xCBF29CE484222325
    for byte in text.encode():
        h = ((h ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    h ^= h >> 32
    h = (h * 0xD6E8FEB86659FD93) & 0xFFFFFFFFFFFFFFFF
    return h ^ (h >> 32)


def _signature(facts, verdict):
    """Returns a name that failures share which are alike."""
    what = verdict.kind if verdict.verdict == "fail" else verdict.verdict
    if verdict.verdict not in ("fail", "crash", "timeout", "device-lost"):
        return None
    same = re.sub(r"[0-9.]+(e[+-]?[0-9]+)?", "#", (verdict.detail or "").split(" is ")[0])
    return f"{facts['domain']}.{facts['op']}-{what}-{_hash('dxdispatch' + chr(10) + same) & 0xFFFFFFFF:08x}"


def run_case(dxdispatch, known, line):
    """Runs and judges a case. Returns its row of results.jsonl, and a line of text."""
    folder = judge.check_case(HERE, line)
    case = Case(folder)
    facts = case.facts
    start = time.perf_counter()

    def run(number):
        data = case.runs[number]
        return dxdispatch.run(data["dispatched"], os.path.join(folder, data["data_set"]))

    def twin():
        return dxdispatch.run(facts["twin"]["dispatched"], os.path.join(folder, facts["twin"]["folder"], "run_0"))

    outcomes = []
    for number in range(len(case.runs)):
        outcomes.append(run(number))
        if isinstance(outcomes[-1], BaseException):
            break
    verdict = case.judge_session(outcomes, fresh=run, twin=twin)
    compared = Compared(case, outcomes[0])
    row = {key: facts[key] for key in ("suite", "domain", "op", "since", "types")}
    row = {"case": case.id, **row, "backend": dxdispatch.backend, "verdict": verdict.verdict, "kind": verdict.kind}
    row["adapter"], row["driver"] = dxdispatch.adapter, dxdispatch.driver
    row["signature"] = _signature(facts, verdict)
    row["detail"] = verdict.detail
    if verdict.rule:
        row["rule"] = verdict.rule
    row["max_ulp"], row["width_ulp"] = compared.max_ulp, compared.width_ulp
    row["seconds"] = time.perf_counter() - start
    if "@" in case.id:
        row["seed"] = case.id.rsplit("@", 1)[1]
    entry = known.find(facts, row) if known else None
    if entry:
        row["expected_verdict"] = entry["verdict"]
        row["known"] = {"blame": entry["blame"], "reason": entry["reason"].strip()}
    is_fine = verdict.verdict in ("pass", "latitude") and compared.line
    word = verdict.verdict if verdict.kind is None else f"{verdict.verdict} ({verdict.kind})"
    text = compared.line if is_fine else "; ".join(part for part in (compared.line, verdict.detail) if part)
    text = f"{text} (known: {row['known']['reason']})" if entry else text
    return row, f"{word:<12} {case.id}  {text}".rstrip()


# Known failures.


def _version(text):
    """Returns the numbers of a driver's version, or None."""
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)*", text):
        return None
    numbers = [int(part) for part in text.split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return numbers


def _range(text):
    """Returns the ends of a range of driver versions, `None` for an end that is open."""
    first, dots, last = text.partition("..")
    if not dots:
        first = last = _version(text)
        return (first, last) if first is not None else None
    ends = [_version(first) if first else None, _version(last[1:]) if last.startswith("=") else None]
    is_whole = (not first or ends[0] is not None) and (not last or ends[1] is not None) and (first or last)
    return tuple(ends) if is_whole else None


class Known:
    """The known failures of a file that `plumbline conformance --expectations` reads, too."""

    KEYS = {"op", "case", "suite", "types", "verdict", "kind", "detail", "features", "max_ulp", "share", "versions"}
    KEYS |= {"pass", "adapter", "driver", "blame", "reason", "cases"}

    def __init__(self, path):
        try:
            import tomllib
        except ImportError:
            raise judge.CorpusError("--expectations needs Python 3.11, which has tomllib") from None
        with open(path, "rb") as file:
            text = file.read().decode("utf-8")
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise judge.CorpusError(f"{path}: {error}") from None
        starts = [at for at, line in enumerate(text.splitlines(), 1) if line.strip() == "[[expect]]"]
        self.backend, self.entries = data.get("backend"), data.get("expect", [])
        for line, entry in zip(starts, self.entries):
            wrong = self._wrong(entry)
            if wrong:
                raise judge.CorpusError(f"{path}: line {line}: {wrong}")

    def _wrong(self, entry):
        unknown = sorted(set(entry) - self.KEYS)
        if unknown:
            return f"unknown key `{unknown[0]}`"
        missing = [key for key in ("verdict", "blame", "reason") if not str(entry.get(key, "")).strip()]
        if missing or not ("op" in entry or "case" in entry):
            return f"the entry needs `{missing[0]}`" if missing else "the entry needs `op` or `case`"
        for key in ("detail", "adapter"):
            try:
                re.compile(entry.get(key, ""))
            except re.error as error:
                return f"`{key}` is not a regular expression: {error}"
        if _range(entry.get("driver", "0..")) is None:
            return f"`{entry['driver']}` is not a range of versions"
        return None

    def find(self, facts, row):
        """Returns the entry that describes a row, or None."""
        if self.backend != "dxdispatch":
            return None
        return next((entry for entry in self.entries if self._describes(entry, facts, row)), None)

    def _describes(self, entry, facts, row):
        names = lambda key: [entry[key]] if isinstance(entry.get(key), str) else entry.get(key, [])  # noqa: E731
        first, last = _range(entry.get("driver", "0.."))
        driver = _version(row["driver"])
        return (
            entry["verdict"] == row["verdict"]
            and entry.get("kind", row["kind"]) == row["kind"]
            and (not names("op") or "*" in names("op") or row["op"] in names("op"))
            and (not names("case") or any(row["case"] == c or row["case"].endswith("/" + c) for c in names("case")))
            and entry.get("suite", row["suite"]) == row["suite"]
            and (not entry.get("types") or any(type_ in entry["types"] for type_ in row["types"].values()))
            and all(feature in facts["features"] for feature in entry.get("features", []))
            and re.search(entry.get("detail", ""), row["detail"] or "") is not None
            and ("max_ulp" not in entry or (row["max_ulp"] is not None and row["max_ulp"] <= entry["max_ulp"]))
            and not (entry.get("pass") or entry.get("versions"))
            and re.search(entry.get("adapter", ""), row["adapter"]) is not None
            and ("driver" not in entry or (driver is not None and (first or []) <= driver))
            and ("driver" not in entry or last is None or driver <= last)
        )


# The command.


def _level(text):
    found = re.fullmatch(r"([0-9]+)[_.]([0-9]+)", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text} is not a feature level such as 5_0")
    return int(found.group(1)), int(found.group(2))


def _short(name, prefix):
    return name[len(prefix) :] if name.startswith(prefix) else name


def _selected(args, lines):
    def wanted(line):
        name = _short(line["op"].rsplit("-", 1)[0].rsplit(".", 1)[-1], "DML_OPERATOR_")
        ops = [_short(pattern.upper(), "DML_OPERATOR_") for pattern in args.op]
        types = [_short(type_.upper(), "DML_TENSOR_DATA_TYPE_") for type_ in args.type]
        return (
            (not ops or any(fnmatch.fnmatchcase(name, pattern) for pattern in ops))
            and (args.level is None or _level(line["level"]) <= args.level)
            and (not types or any(type_ in line["element_types"] for type_ in types))
            and (not args.only or any(fnmatch.fnmatchcase(line["id"], pattern) for pattern in args.only))
        )

    return [line for line in lines if wanted(line)][: args.limit]


class Summary:
    """Counts of verdicts by operator, feature level and element type."""

    KEYS = ("operator", "feature level", "element type")

    def __init__(self):
        self.all = collections.Counter()
        self.unexpected = 0
        self.by = {key: collections.defaultdict(collections.Counter) for key in self.KEYS}

    def add(self, line, row):
        verdict = row["verdict"]
        self.all[verdict] += 1
        bad = ("fail", "crash", "timeout", "device-lost", "not-run")
        self.unexpected += verdict in bad and "expected_verdict" not in row
        places = line["op"].rsplit("-", 1)[0].rsplit(".", 1)[-1], line["level"], line["element_types"][0]
        for key, place in zip(self.KEYS, places):
            self.by[key][place][verdict] += 1

    def text(self, dxdispatch):
        verdicts = sorted(self.all)
        lines = [
            f"adapter {dxdispatch.adapter}, driver {dxdispatch.driver}, DirectML {dxdispatch.directml}",
            "",
            f"{sum(self.all.values())} cases: " + ", ".join(f"{self.all[word]} {word}" for word in verdicts),
        ]
        for key, places in self.by.items():
            width = max(len(key), *(len(place) for place in places)) if places else len(key)
            lines += ["", f"| {key:<{width}} | " + " | ".join(verdicts) + " |"]
            lines.append(f"| {'-' * width} | " + " | ".join("-" * (len(word) - 1) + ":" for word in verdicts) + " |")
            for place in sorted(places):
                counts = (f"{places[place][word]:>{len(word)}}" for word in verdicts)
                lines.append(f"| {place:<{width}} | " + " | ".join(counts) + " |")
        return "\n".join(lines) + "\n"


def _parser():
    parser = argparse.ArgumentParser(
        description="Runs DirectML cases with DxDispatch, and judges the answers.",
        epilog="examples:\n"
        "  python run.py --dxdispatch C:\\dxdispatch\\dxdispatch.exe\n"
        "  python run.py --dxdispatch dxdispatch --adapter Radeon --op 'ELEMENT_WISE_*' --level 5_0 --type FLOAT16\n"
        "  python run.py --check\n\n"
        "exit codes: 0 conforms, 1 does not, 2 wrong usage or a folder that is not whole,\n"
        "3 DxDispatch, the adapter or the device is missing, 4 there is no case",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--dxdispatch", metavar="CMD", help="the command that starts DxDispatch [default: dxdispatch]")
    parser.add_argument("--adapter", default="", metavar="NAME", help="a part of the adapter's name [default: the first]")
    parser.add_argument("--op", action="append", default=[], metavar="OP", help="only this operator: 'ELEMENT_WISE_*'")
    parser.add_argument("--level", type=_level, metavar="L", help="only cases up to this feature level: 5_0")
    parser.add_argument("--type", action="append", default=[], metavar="TYPE", help="only with this element type: FLOAT16")
    parser.add_argument("--only", action="append", metavar="PATTERN", help="only cases whose id matches")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N cases")
    parser.add_argument("--out", default="results", metavar="DIR", help="the folder for results [default: results]")
    parser.add_argument("--deadline", type=float, default=60, metavar="S", help="seconds for one model [default: 60]")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="how many models run at once [default: 1]")
    parser.add_argument("--expectations", metavar="FILE", help="a file of known failures (Python 3.11)")
    parser.add_argument("--quiet", action="store_true", help="print only the lines of cases that fail")
    parser.add_argument("--check", action="store_true", help="only check that all files are there and unchanged")
    parser.add_argument("--incomplete", action="store_true", help="run the cases even if parts of the export are missing")
    return parser


def _check_programs(head):
    """Raises an error if a program of this folder is not the one that it was made with."""
    for name, wanted in {**head.get("runners", {}), head["judge"]: head["judge_sha256"]}.items():
        with open(os.path.join(HERE, name), "rb") as file:
            if hashlib.sha256(file.read()).hexdigest() != wanted:
                raise judge.CorpusError(f"{name} has another hash than the manifest says")


def _meta(head, args, dxdispatch, started, incomplete):
    name, version = dxdispatch.backend.split(" ", 1)
    return {
        "title": "DirectML content",
        "command": " ".join(["python run.py", *map(shlex.quote, sys.argv[1:])]),
        "seed": head["seed"],
        "profile": head["profile"],
        "started": started,
        "project_version": head["plumbline"],
        "backends": [{"name": name, "version": version, "accuracy": head["accuracy"], "status": "ran"}],
        "incomplete": incomplete,
        "limits": ["The cases ran with DxDispatch, each in a process of its own."],
    }


def _run(args, head, lines, dxdispatch, known, started):
    """Runs the cases, and writes each result as soon as those before it are there. Returns the summary."""
    summary, lost = Summary(), 0
    os.makedirs(args.out, exist_ok=True)
    incomplete = None
    jobs = max(args.jobs, 1)
    with open(os.path.join(args.out, "results.jsonl"), "w", encoding="utf-8") as out:
        pool = concurrent.futures.ThreadPoolExecutor(jobs)
        try:
            waiting = collections.deque()
            left = iter(lines)
            while True:
                for line in left:
                    waiting.append((line, pool.submit(run_case, dxdispatch, known, line)))
                    if len(waiting) >= 2 * jobs:
                        break
                if not waiting:
                    break
                line, future = waiting.popleft()
                row, text = future.result()
                out.write(json.dumps(row) + "\n")
                out.flush()
                summary.add(line, row)
                is_good = row["verdict"] in ("pass", "latitude", "unsupported")
                if not (args.quiet and is_good):
                    print(text, flush=True)
                lost = lost + 1 if row["verdict"] == "device-lost" else 0
                if lost >= _LOST_IN_A_ROW:
                    raise Stop(f"the device was removed and does not come back: the last {lost} cases lost it")
        except (Stop, judge.CorpusError, KeyboardInterrupt) as error:
            incomplete = str(error) or "interrupted"
            raise
        finally:
            for _, future in waiting:
                future.cancel()
            pool.shutdown()
            with open(os.path.join(args.out, "run.json"), "w", encoding="utf-8") as file:
                json.dump(_meta(head, args, dxdispatch, started, incomplete), file, indent=2)
            with open(os.path.join(args.out, "summary.md"), "w", encoding="utf-8") as file:
                file.write(summary.text(dxdispatch))
            ran = sum(summary.all.values())
            if incomplete:
                print(f"{ran} of {len(lines)} cases ran; their results are in {args.out}", file=sys.stderr)
    return summary


def main(arguments=None):
    """Runs the command, and returns its exit code."""
    args = _parser().parse_args(arguments)
    started = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    try:
        heads, lines = judge.read_corpus(HERE, args.incomplete)
        _check_programs(heads[0])
        if args.check:
            judge.check_corpus(HERE, lines)
            print(f"{len(lines)} cases, all files are as the manifest says")
            return 0
        lines = _selected(args, lines)
        if not lines:
            print("error: no case matches --op, --level, --type and --only", file=sys.stderr)
            return 4
        known = Known(args.expectations) if args.expectations else None
        dxdispatch = DxDispatch(args.dxdispatch or "dxdispatch", args.adapter, args.deadline)
        summary = _run(args, heads[0], lines, dxdispatch, known, started)
    except judge.CorpusError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except Stop as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print()
    print(summary.text(dxdispatch), end="")
    return 1 if summary.unexpected else 0


if __name__ == "__main__":
    sys.exit(main())

"""The plug-in of pytest: conformance of a backend as tests of its own suite, one test for each cell (`Min-13/T=float16`).

    pytest --plumbline                                          the backends of plumbline.toml
    pytest --plumbline-backend "process:python3 backend.py" --plumbline-op Min

Nothing is added to a suite that does not ask for it. The command `plumbline conformance` runs the cases: the cells that are
selected (`-k`, `--lf`, ids) go to a few processes, each with more cells than the one before, so that `-x` stops early. With
pytest-xdist, the first worker that needs a process starts it, and the others read its results.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import uuid

import pytest

from plumbline._command import CommandError, PlumblineError, run

# The number of cells of the first process, and the largest number of any process.
FIRST, MOST = 16, 512
# How many causes of a cell's failures are shown, and how many lines of each part of a cause.
CAUSES, LINES = 3, 12
BAD = ("fail", "crash", "timeout", "device-lost")


def pytest_addoption(parser):
    group = parser.getgroup("plumbline", "conformance of a backend of ONNX operators")
    group.addoption("--plumbline", action="store_true", help="add a test for each cell of the backends in plumbline.toml")
    for name, metavar, text in (
        (
            "backend",
            "NAME",
            "add a test for each cell of this backend: onnxruntime, 'process:python3 backend.py', or one of plumbline.toml",
        ),
        ("op", "OP", "only the cells of this operator or operator version: Min, Min-13"),
        ("dtype", "DTYPE", "only the cells with this element type"),
        ("expectations", "FILE", "a file of known failures, which are xfail"),
    ):
        group.addoption(
            f"--plumbline-{name}", action="append", default=[], metavar=metavar, help=f"{text}; may be given more than once"
        )
    group.addoption("--plumbline-profile", metavar="NAME", help="smoke, ci or nightly [default: that of plumbline.toml, or smoke]")
    group.addoption(
        "--plumbline-cases", type=int, metavar="N", help="the average number of cases of a cell [default: that of the profile]"
    )
    group.addoption(
        "--plumbline-args", default="", metavar="ARGS", help="further options of `plumbline conformance`, quoted for a shell"
    )
    parser.addini("plumbline", "add a test for each cell of the backends in plumbline.toml", type="bool", default=False)


class Session:
    """What the controller of pytest-xdist decides, and its workers have to know."""

    def __init__(self, run, folder, wanted, ids, only):
        # The name of this run, the folder in which the command runs, whether there are cells, the ids of cells that are
        # given, and whether only such ids are given.
        self.run, self.folder, self.wanted, self.ids, self.only = run, folder, wanted, ids, only


SESSION = pytest.StashKey()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    config.addinivalue_line("markers", "plumbline: a cell of the conformance of a backend")
    if hasattr(config, "workerinput"):
        state = config.stash[SESSION] = Session(**config.workerinput["plumbline"])
        if state.only:
            config.args[:] = []
        return
    ids = [arg for arg in config.args if arg.startswith("plumbline::") or arg == "plumbline" and not os.path.exists(arg)]
    only = bool(ids) and len(ids) == len(config.args)
    config.args[:] = [arg for arg in config.args if arg not in ids]
    state = config.stash[SESSION] = Session(uuid.uuid4().hex, str(folder_of(config)), False, ids, only)
    state.wanted = bool(ids) or is_wanted(config)
    if not state.wanted:
        return
    if not config.option.plumbline_backend and not (base(config) / "plumbline.toml").is_file():
        raise pytest.UsageError(
            f"there is no plumbline.toml in {base(config)}: `plumbline init` writes one, or name a backend: "
            '--plumbline-backend "process:python3 backend.py"'
        )
    if not config.option.collectonly:
        for folder in results(config).glob("part-*"):
            shutil.rmtree(folder, ignore_errors=True)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """Tells a worker of pytest-xdist what the controller decided."""
    node.workerinput["plumbline"] = vars(node.config.stash[SESSION])


def is_wanted(config):
    """Whether this run has cells. It has them if `--plumbline` or `--plumbline-backend` is given. It also has them if the
    configuration asks for cells, and one of the given paths is the folder of plumbline.toml or a folder above it."""
    option = config.option
    given = [str(word) for word in config.invocation_params.args]
    if any(word == "--plumbline" or word.startswith("--plumbline-backend") for word in given):
        return True
    if not (option.plumbline or option.plumbline_backend or config.getini("plumbline")):
        return False
    paths = [(config.invocation_params.dir / arg.split("::")[0]).resolve() for arg in config.args]
    return any(path == base(config) or path in base(config).parents for path in paths)


def folder_of(config):
    """The folder in which the command runs: that of plumbline.toml."""
    here = config.invocation_params.dir
    folder = config.rootpath if (config.rootpath / "plumbline.toml").is_file() and not (here / "plumbline.toml").is_file() else here
    return pathlib.Path(folder).resolve()


def base(config):
    return pathlib.Path(config.stash[SESSION].folder)


def results(config):
    return base(config) / "plumbline-results" / "pytest"


def arguments(config):
    """The options of `plumbline conformance` that decide what the cells are and what runs."""
    option = config.option
    words = []
    for name in ("backend", "op", "dtype", "expectations"):
        for value in getattr(option, f"plumbline_{name}"):
            words += [f"--{name}", value]
    profile = option.plumbline_profile
    if profile is None and not names(base(config) / "plumbline.toml", "profile|cases"):
        profile = "smoke"
    words += ["--profile", profile] if profile else []
    words += ["--cases", str(option.plumbline_cases)] if option.plumbline_cases else []
    return words + shlex.split(option.plumbline_args)


def names(path, keys):
    """Whether a plumbline.toml has one of these keys, which come before its first table."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return False
    top = re.split(r"^\s*\[", text, maxsplit=1, flags=re.MULTILINE)[0]
    return re.search(rf"^\s*({keys})\s*=", top, flags=re.MULTILINE) is not None


def is_timed(config):
    """Whether a run ends when its time is over, and not when its cases have run."""
    return "--time" in config.option.plumbline_args or names(base(config) / "plumbline.toml", "time")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session, config, items):
    state = config.stash[SESSION]
    if not state.wanted:
        return
    try:
        text, _ = run(["conformance", "--list", *arguments(config)], cwd=base(config))
    except PlumblineError as error:
        raise pytest.UsageError(f"plumbline: {error}") from None
    listed = text.splitlines()
    wanted = {name.removeprefix("plumbline").removeprefix("::") for name in state.ids} - {""}
    if unknown := sorted(wanted.difference(listed)):
        raise pytest.UsageError(f"not found: plumbline::{unknown[0]}; `plumbline conformance --list` prints the cells")
    parent = Cells.from_parent(session, name="plumbline", nodeid="plumbline")
    items += [Cell.from_parent(parent, name=name) for name in listed if not wanted or name in wanted]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if isinstance(item, Cell) and report.skipped and isinstance(report.longrepr, tuple):
        # Otherwise the place of a skipped cell is a line of this file.
        report.longrepr = ("plumbline", None, report.longrepr[2])
    return report


def pytest_terminal_summary(terminalreporter, config):
    if config.stash[SESSION].wanted and not config.option.collectonly and any(results(config).glob("part-*/index.html")):
        terminalreporter.write_line(f"plumbline: reports and folders of failures are in {shown(config, results(config))}")


def shown(config, path):
    try:
        return path.relative_to(config.invocation_params.dir)
    except ValueError:
        return path


class Cells(pytest.Collector):
    """All cells of a session, and the processes that run them."""

    def __init__(self, **others):
        super().__init__(**others)
        self.parts, self.part_of, self.rows = None, {}, {}

    def collect(self):
        return []

    def rows_of(self, name):
        """The results of a cell, and the folder of failures. Runs its part of the cells if no process has done that yet."""
        if self.parts is None:
            cells = [item.name for item in self.session.items if isinstance(item, Cell)]
            # A time limit applies to all cells together.
            self.parts = [cells] if is_timed(self.config) else divided(cells)
            self.part_of = {cell: number for number, part in enumerate(self.parts) for cell in part}
        number = self.part_of[name]
        if number not in self.rows:
            self.rows[number] = self.run_part(number)
        return self.rows[number].get(name, []), results(self.config) / f"part-{number}" / "repro"

    def run_part(self, number):
        config = self.config
        folder = results(config) / f"part-{number}"
        results(config).mkdir(parents=True, exist_ok=True)
        with Lock(results(config) / f"part-{number}.lock"):
            done = folder / "pytest.json"
            try:
                end = json.loads(done.read_text())
            except (OSError, ValueError):
                end = {}
            if end.get("run") != config.stash[SESSION].run:
                end = {"run": config.stash[SESSION].run, "error": self.run_command(number, folder)}
                folder.mkdir(parents=True, exist_ok=True)
                done.write_text(json.dumps(end))
        if end["error"]:
            # Every other cell would say the same.
            self.session.shouldfail = f"plumbline: {first_line(end['error'])}"
            raise CommandFailed(end["error"])
        return read(folder / "results.jsonl")

    def run_command(self, number, folder):
        """Runs the cells of a part. Returns why that was not possible, or None."""
        lists = results(self.config) / f"part-{number}.txt"
        lists.write_text("\n".join(self.parts[number]) + "\n")
        out = folder.relative_to(base(self.config))
        words = ["conformance", *arguments(self.config), "--only", lists.relative_to(base(self.config)), "--out", out]
        try:
            # Whether a part has enough cases says nothing about the whole.
            run([*words, "--floor", "1", "--annotations", "none"], accepted=(0, 1, 4), cwd=base(self.config))
        except CommandError as error:
            return str(error)
        return None


class Cell(pytest.Item):
    """The test of a cell."""

    def __init__(self, **others):
        super().__init__(**others)
        self.add_marker("plumbline")

    def runtest(self):
        outcome, text = judged(self.name, *self.parent.rows_of(self.name))
        if outcome == "failed":
            raise CellFailed(text)
        if outcome == "skipped":
            pytest.skip(text)
        if outcome == "xfailed":
            pytest.xfail(text)
        if text:
            self.add_report_section("call", "plumbline", text)

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, (CellFailed, PlumblineError)):
            return harmless(str(excinfo.value))
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, None, f"plumbline: {self.name}"


class CellFailed(Exception):
    """A cell has a failure that nobody expects."""


class CommandFailed(PlumblineError):
    """The command could not run the cells."""


class Lock:
    """A lock on a file, which the system releases if its process dies."""

    def __init__(self, path):
        self.path = path

    def __enter__(self):
        self.file = open(self.path, "a+")
        try:
            import fcntl

            fcntl.flock(self.file, fcntl.LOCK_EX)
        except ImportError:
            import msvcrt
            import time

            while True:
                try:
                    self.file.seek(0)
                    msvcrt.locking(self.file.fileno(), msvcrt.LK_NBLCK, 1)
                    break
                except OSError:
                    time.sleep(0.1)

    def __exit__(self, *_):
        self.file.close()


def divided(names):
    """The cells of each process: few at first, so that the first failure comes soon."""
    parts, size = [], FIRST
    while names:
        parts.append(names[:size])
        names, size = names[size:], min(2 * size, MOST)
    return parts


def read(path):
    """The results of each cell, and of each case that belongs to none."""
    found = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            found.setdefault(cell_of(row), []).append(row)
    return found


def cell_of(row):
    """The name of the cell of a result, as `--list` prints it, or the id of a case that belongs to none."""
    if row["suite"] not in ("generated", "negative", "mutated"):
        return row["case"]
    return "/".join(row["case"].removeprefix("mutated/").split("/")[:2])


def judged(name, rows, repros):
    """The outcome of a cell (passed, failed, skipped or xfailed), and what to say about it."""
    unexpected = [row for row in rows if is_unexpected(row)]
    if unexpected or not rows:
        return "failed", failure(name, rows, unexpected, repros)
    known = [row for row in rows if row["verdict"] in BAD or row["verdict"] == "not-run"]
    if known:
        return "xfailed", f"known failure, {len(known)} of {len(rows)} cases: {first_line(reason(known[0]))}"
    unsupported = [row for row in rows if row["verdict"] == "unsupported"]
    if len(unsupported) == len(rows):
        return "skipped", f"unsupported: {first_line(unsupported[0].get('detail') or 'no reason given')}"
    latitude = [row for row in rows if row["verdict"] == "latitude"]
    notes = []
    if latitude:
        notes.append(
            f"{len(latitude)} differ where the specification does not decide: {first_line(latitude[0].get('detail') or '')}"
        )
    if unsupported:
        notes.append(f"{len(unsupported)} are unsupported: {first_line(unsupported[0].get('detail') or '')}")
    return "passed", f"of {len(rows)} cases, " + "\n".join(notes) if notes else ""


def is_unexpected(row):
    bad = row["verdict"] in BAD or row["verdict"] == "not-run"
    return bad and row.get("expected_verdict") != row["verdict"]


def reason(row):
    """Why a result is known: the reason of its expectation, or else what happened."""
    known = row.get("known") or {}
    return known.get("reason") or row.get("detail") or "no reason given"


def failure(name, rows, unexpected, repros):
    """What failed: for each cause the minimized model, the first wrong element with what is accepted, and how to repeat it."""
    if not rows:
        return f"{name}: the run has no result for this cell"
    causes = {}
    for row in unexpected:
        causes.setdefault((row["backend"], row.get("signature") or row["verdict"]), []).append(row)
    passed = sum(row["verdict"] in ("pass", "latitude") for row in rows)
    lines = [f"{name}: {len(unexpected)} of {len(rows)} cases fail and {passed} pass"]
    for (backend, signature), alike in sorted(causes.items(), key=lambda cause: -len(cause[1]))[:CAUSES]:
        first = alike[0]
        kind = f" ({first['kind']})" if first.get("kind") else ""
        lines += ["", f"{len(alike)} of {backend}: {first['verdict']}{kind}: {first['case']}"]
        lines += [f"  {label:9}{line}" for label, line in described(first, repros)]
    if len(causes) > CAUSES:
        lines += ["", f"and {len(causes) - CAUSES} more causes"]
    return "\n".join(lines)


def described(row, repros):
    """The lines about a failure, each with its label."""
    facts, repro = {}, repros / (row.get("signature") or "-")
    if (repro / "case.json").is_file():
        facts = json.loads((repro / "case.json").read_text(encoding="utf-8"))
    # A failure of another cell with the same signature may be the one that is minimized.
    is_own = facts.get("backend") == row["backend"] and same_cell(facts.get("found_as", ""), row["case"])
    parts = [("rule", [facts["rule"]] if facts.get("rule") else [])]
    if is_own:
        parts += [("model", model_lines(repro)), ("inputs", facts.get("inputs") or [])]
        parts += [("because", (facts.get("detail") or "").splitlines()), ("wrong", facts.get("wrong") or [])]
    else:
        parts += [("because", (row.get("detail") or "").splitlines())]
        if facts:
            parts += [("alike", [f"{facts['found_as']} of {facts['backend']}, which is minimized:", *model_lines(repro)])]
    parts += [("repeat", [repeating(facts["replay"], repro)] if facts.get("replay") else [])]
    for label, lines in parts:
        lines = lines if len(lines) <= LINES else [*lines[: LINES - 1], f"... {len(lines) - LINES + 1} more lines"]
        yield from ((label if place == 0 else "", line) for place, line in enumerate(lines))


def repeating(command, repro):
    """The command that repeats a failure, from the folder in which the cells ran."""
    words = shlex.split(command)
    place = words.index("replay") + 1 if "replay" in words else len(words)
    # repro is plumbline-results/pytest/part-0/repro/SIGNATURE.
    words[place : place + 1] = [repro.relative_to(repro.parents[4]).as_posix()]
    return shlex.join(words)


def same_cell(one, other):
    return one.split("/")[:2] == other.split("/")[:2]


def model_lines(repro):
    """The text of the minimized model, without what precedes the graph."""
    if not (repro / "model.txt").is_file():
        return []
    text = (repro / "model.txt").read_text(encoding="utf-8")
    return re.sub(r"\A\s*<.*?^>\s*", "", text, count=1, flags=re.DOTALL | re.MULTILINE).splitlines()


def first_line(text):
    return harmless(text.strip().split("\n")[0][:300])


def harmless(text):
    """Text of a backend without what GitHub's runner would execute: a line that begins with `::`, or has `##[` in it."""
    return re.sub(r"^(\s*):(?=:)", r"\1:\\", text, flags=re.MULTILINE).replace("##[", "#\\#[")

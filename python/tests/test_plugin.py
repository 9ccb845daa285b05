"""Tests of the plug-in of pytest. Most start a pytest of their own, with a built-in backend that is right or wrong on purpose."""

import os
import pathlib
import re
import shlex

import plumbline
import pytest

pytest_plugins = ["pytester"]

WRONG = ["--plumbline-backend", "mock:lie", "--plumbline-op", "Floor-13"]
RIGHT = ["--plumbline-backend", "mock:ok", "--plumbline-op", "Floor-13"]
# The failures that the wrong backend is known to have.
KNOWN = 'backend = "mock:lie"\n\n[[expect]]\nop = "Floor"\nverdict = "fail"\nblame = "backend"\nreason = "it lies"\n'


@pytest.fixture
def run(pytester):
    """Runs pytest with the plug-in, in a folder with a test of its own."""
    pytester.makepyfile(test_own="def test_own():\n    pass\n")
    return lambda *words: pytester.runpytest_subprocess("-p", "plumbline.pytest_plugin", *words)


def test_a_suite_that_does_not_ask_has_no_cells(run):
    run().assert_outcomes(passed=1)


def test_a_right_backend_passes_beside_other_tests(run):
    result = run(*RIGHT, "-v")
    result.assert_outcomes(passed=5)
    result.stdout.fnmatch_lines(["plumbline::Floor-13/T=float16 PASSED*", "plumbline: reports and folders of failures are in *"])


def test_a_failure_says_what_is_wrong_and_how_to_repeat_it(run, pytester):
    result = run(*WRONG, "-k", "T and bfloat16")
    result.assert_outcomes(failed=1, deselected=4)
    result.stdout.fnmatch_lines(
        [
            "Floor-13/T=bfloat16: * of * cases fail and * pass",
            "* of mock:lie: fail (wrong-value): Floor-13/T=bfloat16/*@0",
            "*model*Floor-13*bfloat16*",
            "*Y = Floor (X)",
            "*because*output `Y`* is *, * is expected*",
            "*repeat*plumbline replay plumbline-results/pytest/part-0/repro/Floor-wrong-value-* --backend mock:lie",
        ]
    )
    folder = re.search(r"replay (\S+) --backend", result.stdout.str())[1]
    assert (pytester.path / folder / "model.onnx").is_file()


def test_unsupported_cells_are_skipped_with_the_reason(run):
    result = run("--plumbline-backend", "rten", "--plumbline-op", "Min-13", "--plumbline-dtype", "double", "-rs")
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED [[]1[]] plumbline: unsupported: rten has no storage for tensor(double)"])


def test_known_failures_are_xfail(run, pytester):
    (pytester.path / "known.toml").write_text(KNOWN)
    result = run(*WRONG, "--plumbline-dtype", "double", "--plumbline-expectations", "known.toml", "-rx")
    result.assert_outcomes(passed=1, xfailed=1)
    result.stdout.fnmatch_lines(["XFAIL plumbline::Floor-13/T=double - *known failure, * of * cases: *"])


def test_the_reason_of_an_expectation_is_that_of_xfail(tmp_path):
    from plumbline.pytest_plugin import judged

    row = {"case": "Min-13/T=float/0@0", "suite": "generated", "backend": "mine 1", "verdict": "fail", "detail": "1 for 2"}
    expected = row | {"expected_verdict": "fail"}
    assert judged("Min-13/T=float", [row], tmp_path)[0] == "failed"
    assert judged("Min-13/T=float", [row, expected], tmp_path)[0] == "failed"
    assert judged("Min-13/T=float", [expected], tmp_path) == ("xfailed", "known failure, 1 of 1 cases: 1 for 2")
    known = expected | {"known": {"blame": "backend", "reason": "it lies"}}
    assert judged("Min-13/T=float", [known, expected], tmp_path) == ("xfailed", "known failure, 2 of 2 cases: it lies")
    assert judged("Min-13/T=float", [], tmp_path)[0] == "failed"


def test_a_case_that_did_not_run_is_a_failure_unless_it_is_known(tmp_path):
    from plumbline.pytest_plugin import judged

    row = {"case": "Min-13/T=float/0@0", "suite": "generated", "backend": "mine 1", "verdict": "not-run", "detail": "no time"}
    right = row | {"verdict": "pass", "detail": None}
    outcome, text = judged("Min-13/T=float", [right, row], tmp_path)
    assert outcome == "failed" and text.startswith("Min-13/T=float: 1 of 2 cases fail and 1 pass\n")
    assert judged("Min-13/T=float", [right, row | {"expected_verdict": "not-run"}], tmp_path)[0] == "xfailed"


def test_a_run_removes_the_reports_of_the_last_one(run, pytester):
    old = pytester.path / "plumbline-results" / "pytest" / "part-7"
    old.mkdir(parents=True)
    (old / "index.html").write_text("old")
    run(*RIGHT, "--collect-only")
    assert old.is_dir()
    run(*RIGHT, "--plumbline-dtype", "double").assert_outcomes(passed=2)
    assert [path.name for path in sorted(old.parent.glob("part-?"))] == ["part-0"]


def test_the_command_names_the_folder_of_the_failure():
    from plumbline.pytest_plugin import repeating

    repro = pathlib.Path("/base/plumbline-results/pytest/part-0/repro/Min-crash-1").resolve()
    expected = "plumbline replay plumbline-results/pytest/part-0/repro/Min-crash-1 --backend 'process:python3 b.py'"
    assert repeating("plumbline replay repro/Min-crash-1 --backend 'process:python3 b.py'", repro) == expected
    assert repeating(expected, repro) == expected


def test_failed_cells_run_again(run):
    run(*WRONG).assert_outcomes(passed=1 + 1 - 1, failed=4)
    run(*WRONG, "--lf").assert_outcomes(failed=4)
    run(*WRONG, "-x").assert_outcomes(passed=1, failed=1)


def test_a_cell_is_chosen_by_its_id(run):
    run(*RIGHT, "plumbline::Floor-13/T=double").assert_outcomes(passed=1)
    run(*RIGHT, "plumbline::Floor-13/T=double", "test_own.py").assert_outcomes(passed=2)
    unknown = run(*RIGHT, "plumbline::Floor-13/T=int8")
    assert unknown.ret == pytest.ExitCode.USAGE_ERROR
    unknown.stderr.fnmatch_lines(["*not found: plumbline::Floor-13/T=int8*"])


@pytest.mark.skipif(os.name == "nt", reason="the command in between is a shell script")
def test_workers_of_xdist_share_the_processes(run, pytester, monkeypatch):
    pytest.importorskip("xdist")
    counting, calls = pytester.path / "counting", pytester.path / "calls"
    counting.write_text(f'#!/bin/sh\necho "$@" >> {shlex.quote(str(calls))}\nexec {shlex.quote(plumbline.command())} "$@"\n')
    counting.chmod(0o755)
    monkeypatch.setenv("PLUMBLINE_COMMAND", str(counting))
    run(*WRONG, "-n", "2").assert_outcomes(passed=1, failed=4)
    runs = [call for call in calls.read_text().splitlines() if "--only" in call]
    assert len(runs) == 1, runs
    run(*WRONG, "-n", "2", "plumbline::Floor-13/T=double").assert_outcomes(failed=1)


def test_plumbline_toml_has_the_backend(run, pytester, monkeypatch):
    (pytester.path / "plumbline.toml").write_text(
        'operators = ["Floor-13"]\ncases = 3\n\n[[backend]]\nname = "mine"\nruntime = "mock:ok"\n'
    )
    run("--plumbline").assert_outcomes(passed=5)
    # Workers of xdist start in other folders.
    (pytester.path / "below").mkdir()
    pytester.makeini("[pytest]\n")
    monkeypatch.chdir(pytester.path / "below")
    run("--plumbline", "-n", "2").assert_outcomes(passed=4)
    monkeypatch.chdir(pytester.path)
    # An option of the configuration adds cells to runs of the whole folder only.
    pytester.makeini("[pytest]\nplumbline = true\n")
    run().assert_outcomes(passed=5)
    run("test_own.py").assert_outcomes(passed=1)


def test_names_of_cells_may_have_spaces(run):
    result = run("--plumbline-backend", "mock:ok", "--plumbline-op", "ai.onnx.ml.ZipMap", "-v")
    result.assert_outcomes(passed=1 + 2)
    result.stdout.fnmatch_lines(["plumbline::ai.onnx.ml.ZipMap-1/T=seq(map(int64, float)) PASSED*"])


def test_wrong_usage_is_an_error_before_any_test_runs(run):
    result = run("--plumbline")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*there is no plumbline.toml in *`plumbline init` writes one*"])
    result = run("--plumbline-backend", "mock:ok", "--plumbline-op", "Flor")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*no operator is called `Flor`; nearest: Floor*"])


def test_a_backend_that_does_not_start_fails_once(run):
    result = run("--plumbline-backend", f"process:{shlex.quote('no-such-program-anywhere')}", "--plumbline-op", "Floor-13")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*no-such-program-anywhere*"])


def test_a_crash_of_the_backend_is_a_failure_of_its_cell(run, pytester):
    (pytester.path / "backend.py").write_text(
        "import os\nfrom plumbline_worker import Refusal, serve\n\n"
        "def run(model, inputs):\n"
        "    if b'Abs' in model:\n        os.abort()\n"
        "    raise Refusal('unsupported', 'no operator but Abs')\n\n"
        "serve('aborts', '1', run=run)\n"
    )
    words = ["--plumbline-backend", "process:python3 backend.py", "--plumbline-op", "Abs-13", "--plumbline-op", "Floor-13"]
    result = run(*words, "--plumbline-dtype", "float", "--plumbline-cases", "2")
    # Kept cases of the operators run as well.
    outcomes = result.parseoutcomes()
    assert outcomes["failed"] >= 1 and outcomes["skipped"] >= 1, outcomes
    result.stdout.fnmatch_lines(["*of aborts 1: crash: Abs-13/T=float/*"])


def test_no_text_of_a_backend_is_a_command_of_a_runner(run, pytester):
    (pytester.path / "backend.py").write_text(
        "from plumbline_worker import Refusal, serve\n\n"
        "def run(model, inputs):\n"
        "    text = 'first\\n::add-mask::a\\n  ::error::b\\n##[add-mask]c'\n"
        "    raise Refusal('unsupported' if b'Abs' in model else 'failed', '##[add-mask]' + text)\n\n"
        "serve('hostile', '1', run=run)\n"
    )
    words = ["--plumbline-backend", "process:python3 backend.py", "--plumbline-op", "Abs-13", "--plumbline-op", "Floor-13"]
    result = run(*words, "--plumbline-cases", "1", "--plumbline-args", "--suite generated", "-rs")
    assert result.parseoutcomes()["failed"] and result.parseoutcomes()["skipped"]
    said = result.stdout.str()
    assert "add-mask" in said and not re.search(r"^\s*::|##\[", said, flags=re.MULTILINE), said


def test_commands_of_the_pages_collect_cells(run, pytester):
    root = pathlib.Path(__file__).resolve().parents[2]
    lines = [line for page in ("README.md", "docs/python.md") for line in (root / page).read_text(encoding="utf-8").splitlines()]
    commands = sorted({line for line in lines if re.match(r"pytest .*plumbline", line)})
    assert len(commands) > 4, commands
    (pytester.path / "plumbline.toml").write_text('operators = ["Min"]\n\n[[backend]]\nname = "mine"\nruntime = "mock:ok"\n')
    for command in commands:
        result = run(*shlex.split(command)[1:], "--collect-only", "-q")
        assert result.ret == pytest.ExitCode.OK, command
        result.stdout.fnmatch_lines(["plumbline::Min-13/T=float16"])


def test_the_keys_of_plumbline_toml_are_those_before_its_tables(tmp_path):
    from plumbline.pytest_plugin import names

    path = tmp_path / "plumbline.toml"
    assert not names(path, "time")
    path.write_text('# time = 1\ncases = 3\n\n[limits]\ntime = "10m"\n')
    assert names(path, "profile|cases") and not names(path, "time")


def test_the_parts_grow():
    from plumbline.pytest_plugin import FIRST, MOST, divided

    parts = divided([str(number) for number in range(9000)])
    assert [len(part) for part in parts[:3]] == [FIRST, 2 * FIRST, 4 * FIRST]
    assert max(len(part) for part in parts) == MOST and len(parts) < 25
    assert [name for part in parts for name in part] == [str(number) for number in range(9000)]


def test_the_wheel_has_what_pyproject_names():
    tomllib = pytest.importorskip("tomllib")
    root = pathlib.Path(__file__).resolve().parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    maturin = project["tool"]["maturin"]
    assert all((root / maturin["python-source"] / name).exists() for name in maturin["python-packages"])
    assert (root / maturin["manifest-path"]).is_file()
    module = project["project"]["entry-points"]["pytest11"]["plumbline"]
    assert (root / maturin["python-source"] / (module.replace(".", "/") + ".py")).is_file()

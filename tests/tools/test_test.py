"""How the test runner counts, and what it says last."""

import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import conftest
from tools import environment
from tools import test as runner

RECORD = (
    """<testsuites><testsuite tests="{}" failures="{}" errors="{}" skipped="{}"/></testsuites>"""
)
ALL_CORES = ["-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder"]


@pytest.fixture
def pretend(monkeypatch):
    """Instead of pytest, write its record: release → (counts, exit code) or a problem."""

    def set_up(results):
        def run_pytest(release, arguments, _prefix=""):
            result = results[release.bpy]
            if isinstance(result, Exception):
                raise result
            counts, exit_code = result
            record = next(a for a in arguments if a.startswith("--junitxml=")).partition("=")[2]
            if counts:
                with open(record, "w", encoding="utf-8") as file:
                    file.write(RECORD.format(*counts))
            return exit_code

        monkeypatch.setattr(runner, "run_pytest", run_pytest)

    return set_up


MISSING = environment.PythonMissingError("bpy 5.2 needs Python 3.13")
GOOD = ((5, 0, 0, 1), 0)


def test_all_good(pretend, capsys):
    pretend({"4.2": GOOD, "4.5": GOOD, "5.0": GOOD, "5.2": MISSING})
    assert runner.main(["--bpy", "all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-5:] == [
        "bpy 4.2: 4 passed, 0 failed, 1 skipped",
        "bpy 4.5: 4 passed, 0 failed, 1 skipped",
        "bpy 5.0: 4 passed, 0 failed, 1 skipped",
        "bpy 5.2: not run. bpy 5.2 needs Python 3.13",
        "12 passed, 0 failed, 3 skipped",
    ]
    begun = [line for line in lines if line.startswith("===")]
    assert sorted(begun) == [f"=== bpy {name} ===" for name in environment.NAMES]


def test_tools_and_what_needs_no_blender_run_once(monkeypatch):
    given = {}

    def run_pytest(release, arguments, _prefix=""):
        given[release.bpy] = [each for each in arguments if each.startswith("--ignore=")]
        return 5

    monkeypatch.setattr(runner, "run_pytest", run_pytest)
    runner.main(["--bpy", "all"])
    left_out = [f"--ignore={path}" for path in runner.ONCE]
    assert given == {"4.2": [], "4.5": left_out, "5.0": left_out, "5.2": []}
    assert all((environment.ROOT / path).exists() for path in runner.ONCE)
    runner.main(["--bpy", "all", "tests/codec"])
    assert not any(given.values())


@pytest.mark.parametrize("last", [False, True])
def test_a_crash_fails_one_test_and_the_others_run(tmp_path, last):
    hook = "from tests.conftest import pytest_xdist_make_scheduler\n"
    (tmp_path / "conftest.py").write_text(hook, encoding="utf-8")
    counts = (5, 4, 3, 2, 1)
    for number, count in enumerate(counts):
        crash = "import os; os._exit(9)" if count == (1 if last else 3) else "pass"
        lines = [f"def test_{each}(): {crash if not each else 'pass'}" for each in range(count)]
        (tmp_path / f"test_{number}.py").write_text("\n".join(lines), encoding="utf-8")
    arguments = ["-q", "-p", "no:cacheprovider", "-n2", *ALL_CORES[2:], f"--rootdir={tmp_path}"]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(environment.ROOT)},
        capture_output=True,
        text=True,
        timeout=480,
    )
    assert f"1 failed, {sum(counts) - 1} passed" in ended.stdout, ended.stdout + ended.stderr
    assert "crashed while running" in ended.stdout


def test_no_test_that_needs_no_blender_imports_it():
    for path in runner.PLAIN:
        at = environment.ROOT / path
        for each in at.rglob("*.py") if at.is_dir() else [at]:
            words = each.read_text(encoding="utf-8").split()
            assert not {"bpy", "mathutils"} & set(words) or "project" in path, each


def test_what_needs_no_blender_runs_once():
    """Beside `tests/blender`, whose fixtures open a file in Blender before each test."""
    once = [environment.ROOT / path for path in runner.ONCE]
    for path in (environment.ROOT / "tests").rglob("test_*.py"):
        is_once = any(path.is_relative_to(each) for each in once)
        needs_blender = "blender" in path.parts or "bpy" in path.read_text(encoding="utf-8")
        assert is_once or needs_blender, f"{path}: add it to PLAIN in tools/test.py"


def test_what_opens_a_window_begins_first():
    """It takes minutes; begun last, it would keep one processor busy and the others idle."""
    paths = [*(environment.ROOT / "tests").rglob("test_*.py")]
    for path in paths:
        if "support.screens import" in path.read_text(encoding="utf-8") and path != Path(__file__):
            assert "\nSECONDS = " in path.read_text(encoding="utf-8"), f"{path}: define SECONDS"
    assert {path.stem for path in paths} >= conftest.LONG.keys()

    def item(name, **module):
        return SimpleNamespace(path=Path(name), module=SimpleNamespace(**module))

    long = [item("test_style.py"), item("test_speed.py")]
    order = [item("test_in_window.py", SECONDS=9), *long, *[item("many.py")] * 3]
    items = [item("few.py"), *reversed(order)]
    conftest.pytest_collection_modifyitems(config(None), items)
    assert items == [*order, items[-1]]


def test_what_opens_a_window_ends_before_its_process_is_ended(pytestconfig):
    most = float(pytestconfig.getini("faulthandler_timeout"))
    for path in (environment.ROOT / "tests").rglob("*.py"):
        for seconds in re.findall(r"^SECONDS = (\d+)", path.read_text(encoding="utf-8"), re.M):
            assert int(seconds) < most, path


def config(turn, left_out=()):
    hook = SimpleNamespace(pytest_deselected=lambda items: left_out.extend(items))
    return SimpleNamespace(getoption={"--turn": turn}.get, hook=hook)


def test_what_takes_long_runs_with_one_release_each(monkeypatch):
    given = {}

    def run_pytest(release, arguments, _prefix=""):
        given[release.bpy] = [each for each in arguments if each.startswith("--turn=")]
        return 5

    monkeypatch.setattr(runner, "run_pytest", run_pytest)
    monkeypatch.setattr(environment, "fits", lambda release: release.bpy in {"4.2", "5.0"})
    runner.main(["--bpy", "all"])
    assert given == {"4.2": ["--turn=0/2"], "4.5": [], "5.0": ["--turn=1/2"], "5.2": []}
    for path, _, test in (each.partition("::") for each in runner.BY_TURNS):
        assert (environment.ROOT / path).exists(), path
        assert not test or f"def {test}(" in (environment.ROOT / path).read_text(encoding="utf-8")
    runner.main(["--bpy", "all", "tests/codec"])
    assert not any(given.values())


def test_the_newest_and_another_run_at_the_same_time(monkeypatch, capsys):
    """Each line has its release before it; parts of all run one after the other."""
    both, begun = threading.Barrier(2, timeout=60), []

    def ensure(release):
        begun.append(release.bpy)
        if release.bpy in {"5.0", "4.2"}:
            both.wait()
        return shutil.which("echo")

    monkeypatch.setattr(environment, "ensure", ensure)
    monkeypatch.setattr(environment, "fits", lambda release: release.bpy < "5.1")
    assert runner.main(["--bpy", "all"]) == 0
    assert (sorted(begun[:2]), sorted(begun[2:])) == (["4.2", "5.0"], ["4.5", "5.2"])
    lines = capsys.readouterr().out.splitlines()
    told = [name for line in lines for name, bar, _ in [line.partition(" | -m pytest ")] if bar]
    assert sorted(told) == [*environment.NAMES]
    begun.clear()
    both.wait = lambda: None
    assert runner.main(["--bpy", "all", "tests/codec"]) == 0
    assert begun == [*environment.NAMES]


def test_the_turns_share_the_tests():
    names = [f"{runner.BY_TURNS[0]}/test_all.py::test[{at}]" for at in range(60)]
    items = [SimpleNamespace(nodeid=name) for name in (*names, "tests/test_api.py::test_once")]
    shares = []
    for turn in range(3):
        left, out = items.copy(), []
        conftest.take_turn(config(f"{turn}/3", out), left)
        shares.append({item.nodeid for item in left})
        assert {item.nodeid for item in out} == {item.nodeid for item in items} - shares[-1]
        assert len(shares[-1]) > 10
    assert set.intersection(*shares) == {"tests/test_api.py::test_once"}
    assert sum(len(share) - 1 for share in shares) == len(names)
    left = items.copy()
    conftest.take_turn(config(None), left)
    assert left == items


def test_what_shares_a_fixture_runs_with_one_release_and_windows_with_the_newest():
    def item(name, scope="", baseid=""):
        made = {"played": [SimpleNamespace(scope=scope, baseid=baseid or name.partition("::")[0])]}
        return SimpleNamespace(nodeid=name, _fixtureinfo=SimpleNamespace(name2fixturedefs=made))

    def taken(items):
        for turn in range(3):
            left = items.copy()
            conftest.take_turn(config(f"{turn}/3", []), left)
            yield [each.nodeid for each in left]

    names = [f"{runner.BY_TURNS[0]}::test_{at}" for at in range(30)]
    assert sorted(map(len, taken([item(name, "module") for name in names]))) == [0, 0, 30]
    for scope, baseid in (("function", ""), ("session", "tests/blender")):
        assert all(taken([item(name, scope, baseid) for name in names]))
    windows = [item(f"{name.partition('::')[0]}::test_window") for name in runner.NEWEST]
    windows = [each for each in windows if each.nodeid.startswith(runner.NEWEST)]
    assert [*taken(windows)] == [[], [], [each.nodeid for each in windows]]


def test_what_opens_a_window_runs_with_the_release_that_has_one():
    """Else its turn is with a release that skips it."""
    for path in (environment.ROOT / "tests").rglob("test_*.py"):
        name, text = path.relative_to(environment.ROOT).as_posix(), path.read_text(encoding="utf-8")
        words = ("support.screens import", "support import screens", "windows show the same")
        is_windowed = any(each in text for each in words)
        if path != Path(__file__) and is_windowed and name.startswith(runner.BY_TURNS):
            assert [each for each in runner.NEWEST if each.startswith(name)], name


def test_one_bad_makes_all_bad(pretend, capsys):
    pretend({"4.2": ((5, 1, 1, 0), 1), "4.5": GOOD, "5.0": GOOD, "5.2": MISSING})
    assert runner.main(["--bpy", "all"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "bpy 4.2: 3 passed, 2 failed (pytest's exit code 1)" in lines
    assert lines[-1] == "11 passed, 2 failed, 2 skipped"


@pytest.mark.parametrize(
    ("result", "code"),
    [((None, -11), -11), (((0, 0, 0, 0), 5), 5)],
    ids=["crash", "no tests"],
)
def test_bad_end_without_a_failed_test_counts(pretend, capsys, result, code):
    pretend({"4.2": GOOD, "4.5": GOOD, "5.0": result, "5.2": MISSING})
    assert runner.main(["--bpy", "all"]) == code
    assert capsys.readouterr().out.splitlines()[-1] == "8 passed, 1 failed, 2 skipped"


def test_setup_problem_is_a_failure(pretend, capsys):
    problem = environment.SetupError("no network")
    pretend({"4.2": problem, "4.5": GOOD, "5.0": GOOD, "5.2": MISSING})
    assert runner.main(["--bpy", "all"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "bpy 4.2: not run. error: no network" in lines
    assert lines[-1] == "8 passed, 1 failed, 2 skipped"


def test_no_python_fits(pretend, capsys):
    pretend(dict.fromkeys(environment.NAMES, MISSING))
    assert runner.main(["--bpy", "all"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "0 passed, 0 failed"


@pytest.fixture
def calls(monkeypatch):
    """What pytest would be run with."""
    out = []
    monkeypatch.setattr(
        runner, "run_pytest", lambda release, arguments: out.append((release.bpy, arguments)) or 0
    )
    return out


@pytest.mark.parametrize(
    ("given", "passed"),
    [
        (["tests/codec", "-k", "box"], [*ALL_CORES, "tests/codec", "-k", "box"]),
        ([], ALL_CORES),
        (["-n", "2"], ["-n", "2"]),
        (["-n0", "-x"], ["-n0", "-x"]),
        (["--numprocesses=3"], ["--numprocesses=3"]),
        (["--dist", "worksteal"], [*ALL_CORES, "--dist", "worksteal"]),
        (["--pdb"], ["--pdb"]),
    ],
)
def test_further_arguments_go_to_pytest(calls, given, passed):
    assert runner.main(["--bpy", "4.5", *given]) == 0
    assert calls == [("4.5", passed)]


def test_a_quick_run_is_a_part_of_all(calls):
    assert runner.main(["--bpy", "4.5", "--quick", "-x"]) == 0
    [(_, arguments)] = calls
    assert arguments[:5] == ALL_CORES
    assert arguments[-1] == "-x"
    assert set(runner.QUICK) < set(arguments)
    assert {f"--ignore={path}" for path in runner.SLOW} < set(arguments)


def test_what_a_quick_run_names_is_there():
    file, _, test = runner.SLOW_TEST.partition("::")
    for path in (*runner.QUICK, *runner.SLOW, file):
        assert (environment.ROOT / path).exists(), path
    assert f"def {test}(" in (environment.ROOT / file).read_text(encoding="utf-8")


def test_one_release_reports_setup_problems(pretend, capsys):
    pretend({"5.2": MISSING})
    assert runner.main(["--bpy", "5.2"]) == 1
    assert capsys.readouterr().err == "error: bpy 5.2 needs Python 3.13\n"

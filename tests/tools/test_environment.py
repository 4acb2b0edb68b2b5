"""Which environment is chosen, when it is made again, and what people are told."""

import importlib.metadata
import os
import re
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import environment

OLD = environment.choose("4.2")
NEW = environment.choose("5.2")
FILES = sorted(environment.REQUIREMENTS.glob("*.txt"))


def requirements_in(path: Path) -> list[Requirement]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """Environments live in a new folder, PATH is empty, and this is Python 3.11."""
    monkeypatch.setattr(environment, "ENVIRONMENTS", tmp_path / ".venv")
    monkeypatch.setattr(environment, "RUNNING", (3, 11))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    return tmp_path


@pytest.fixture
def commands(scratch, monkeypatch):
    """What would have been run; making an environment leaves its Python there."""
    done = []

    def run_quietly(command, purpose, advice):
        done.append([str(word) for word in command])
        if "venv" in command:
            scripts = Path(command[-1]) / ("Scripts" if os.name == "nt" else "bin")
            scripts.mkdir(parents=True)
            (scripts / environment.python_of(OLD).name).touch()

    monkeypatch.setattr(environment, "run_quietly", run_quietly)
    return done


def put_python(folder: Path, name: str, version: str, code: int = 0) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\necho {version}\nexit {code}\n")
    path.chmod(0o755)
    return path


def pythons_made(commands) -> list[str]:
    return [command[0] for command in commands if "venv" in command]


@pytest.mark.parametrize(
    ("running", "expected"), [((3, 11), "5.0"), ((3, 13), "5.2")], ids=["3.11", "3.13"]
)
def test_newest_that_fits(scratch, monkeypatch, running, expected):
    monkeypatch.setattr(environment, "RUNNING", running)
    assert environment.choose().bpy == expected


def test_unknown_release():
    with pytest.raises(environment.SetupError, match=r"no bpy 3\.6 here, only 4\.2, 4\.5"):
        environment.choose("3.6")


def test_wrong_python_names_the_ones_that_fit(scratch, monkeypatch):
    monkeypatch.setattr(environment, "RUNNING", (3, 12))
    with pytest.raises(environment.PythonMissingError) as caught:
        environment.choose()
    message = str(caught.value)
    assert "No bpy fits Python 3.12." in message
    assert "Python 3.11 fits bpy 4.2, 4.5, 5.0; Python 3.13 fits bpy 5.2." in message
    assert "python3.11 or python3.13" in message


@pytest.mark.skipif(os.name == "nt", reason="writes shell scripts")
def test_wrong_python_uses_one_on_path_and_says_so(scratch, monkeypatch, capsys):
    monkeypatch.setattr(environment, "RUNNING", (3, 12))
    found = put_python(scratch / "bin", "python3.11", "3.11")
    assert environment.choose().bpy == "5.0"
    assert environment.interpreter_for(OLD) == found
    assert f"needs Python 3.11, this is 3.12: using {found}" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="writes shell scripts")
@pytest.mark.parametrize(("version", "code"), [("3.12", 0), ("3.11", 1)], ids=["other", "broken"])
def test_python_on_path_has_to_work(scratch, version, code):
    put_python(scratch / "bin", "python3.11", version, code)
    assert environment.find_python((3, 11)) is None


@pytest.mark.skipif(os.name == "nt", reason="writes shell scripts")
def test_second_python_on_path_is_tried(scratch, monkeypatch):
    other = scratch / "other"
    other.mkdir()
    put_python(scratch / "bin", "python3.11", "", 127)
    good = put_python(other, "python3.11", "3.11")
    monkeypatch.setenv("PATH", os.pathsep.join([str(scratch / "bin"), str(other)]))
    assert environment.find_python((3, 11)) == good


def test_release_for_another_python(scratch):
    with pytest.raises(environment.PythonMissingError, match=r"bpy 5\.2 needs Python 3\.13"):
        environment.ensure(NEW)
    assert not environment.ENVIRONMENTS.exists()


def test_made_once(commands):
    python = environment.ensure(OLD)
    assert python == environment.python_of(OLD)
    assert pythons_made(commands) == [sys.executable]
    assert environment.is_ready(OLD)
    before = len(commands)
    environment.ensure(OLD)
    assert len(commands) == before


def test_half_made_is_made_again(commands):
    half = environment.folder_of(OLD) / "bin" / "left_over"
    half.parent.mkdir(parents=True)
    half.touch()
    environment.ensure(OLD)
    assert not half.exists()
    assert pythons_made(commands) == [sys.executable]


def test_old_stamp_is_updated_in_place(commands):
    environment.ensure(OLD)
    (environment.folder_of(OLD) / environment.STAMP).write_text("old")
    assert not environment.is_ready(OLD)
    environment.ensure(OLD)
    assert environment.is_ready(OLD)
    assert len(pythons_made(commands)) == 1


def test_failed_update_leaves_no_stamp(commands, monkeypatch):
    environment.ensure(OLD)
    (environment.folder_of(OLD) / environment.STAMP).write_text("old")

    def fail(release):
        raise environment.SetupError("no network")

    monkeypatch.setattr(environment, "install", fail)
    with pytest.raises(environment.SetupError):
        environment.ensure(OLD)
    assert environment.read_stamp(OLD) is None


def test_stamp_follows_every_requirement_file(tmp_path, monkeypatch):
    for path in FILES:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(environment, "REQUIREMENTS", tmp_path)
    stamps = {environment.stamp_of(OLD)}
    for name in OLD.requirements:
        (tmp_path / name).write_text("six==1.0\n")
        stamps.add(environment.stamp_of(OLD))
    assert len(stamps) == 1 + len(OLD.requirements)


def test_failing_command_is_shown_without_noise():
    script = "print('Location x is ignored'); print('No matching distribution'); exit(3)"
    with pytest.raises(environment.SetupError) as caught:
        environment.run_quietly([sys.executable, "-c", script], "Installing", "Try again.")
    message = str(caught.value)
    assert message.startswith("Installing failed with exit code 3:")
    assert "    No matching distribution\nTry again." in message
    assert "is ignored" not in message


def test_missing_command_is_a_setup_error(tmp_path):
    with pytest.raises(environment.SetupError, match="Making failed"):
        environment.run_quietly([tmp_path / "nothing"], "Making", "Install it.")


def test_lock_keeps_a_second_process_waiting(tmp_path):
    lock, log = tmp_path / "some.lock", tmp_path / "log"
    script = textwrap.dedent(f"""
        import sys; sys.path.insert(0, {str(Path(environment.__file__).parent)!r})
        import environment, pathlib
        print("started", flush=True)
        with environment.locked(pathlib.Path({str(lock)!r})):
            pathlib.Path({str(log)!r}).write_text("second")
    """)
    with environment.locked(lock):
        other = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
        assert other.stdout.readline().strip() == b"started"
        time.sleep(0.2)
        assert not log.exists()
    assert other.wait(timeout=20) == 0
    other.stdout.close()
    assert log.read_text() == "second"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_requirement_is_pinned(path):
    for requirement in requirements_in(path):
        assert re.fullmatch(r"==[0-9][^*,]*", str(requirement.specifier)), requirement


def test_releases_and_requirement_files_belong_together():
    named = {name for release in environment.RELEASES for name in release.requirements}
    # What only a comparison needs is not set up for tests, and what the extension brings along is.
    assert named | {"mujoco.txt", "wheels.txt"} == {path.name for path in FILES}
    brought = {str(each) for each in requirements_in(environment.REQUIREMENTS / "wheels.txt")}
    tested = {str(each) for each in requirements_in(environment.REQUIREMENTS / "test.txt")}
    assert brought <= tested
    for release in environment.RELEASES:
        pins = {}
        for name in release.requirements:
            for requirement in requirements_in(environment.REQUIREMENTS / name):
                known = pins.setdefault(requirement.name, requirement.specifier)
                assert known == requirement.specifier, requirement
        assert str(pins["bpy"]).startswith(f"=={release.bpy}.")


def running_release():
    version = importlib.metadata.version("bpy")
    return next(r for r in environment.RELEASES if version.startswith(r.bpy + "."))


@pytest.mark.skipif(
    not any(importlib.metadata.distributions(name="bpy")), reason="bpy is not installed"
)
def test_pins_hold_what_pinned_packages_need():
    names = {
        canonicalize_name(requirement.name)
        for file in running_release().requirements
        for requirement in requirements_in(environment.REQUIREMENTS / file)
        if requirement.marker is None or requirement.marker.evaluate()
    }
    markers = {**default_environment(), "extra": ""}
    for name in names:
        for text in importlib.metadata.requires(name) or ():
            needed = Requirement(text)
            if needed.marker is None or needed.marker.evaluate(markers):
                # setuptools comes with nodeenv only where Python has none of its own.
                assert canonicalize_name(needed.name) in names | {"setuptools"}, (name, text)


def test_command_line_rejects_unknown_release(capsys):
    with pytest.raises(SystemExit, match="2"):
        environment.main(["--bpy", "3.6"])
    assert "invalid choice" in capsys.readouterr().err


def test_command_line_shows_problems_without_traceback(scratch, capsys):
    assert environment.main(["--bpy", "5.2"]) == 1
    assert capsys.readouterr().err.startswith("error: bpy 5.2 needs Python 3.13")


def denied(*_arguments, **_options):
    raise PermissionError(13, "Permission denied", "there")


def test_environments_of_somebody_else(tmp_path, monkeypatch):
    """Whoever may do all may look everywhere, hence stand-ins."""
    release = environment.RELEASES[0]
    monkeypatch.setattr(environment, "ENVIRONMENTS", tmp_path)
    for name in ("exists", "read_text"):
        with monkeypatch.context() as patch:
            patch.setattr(environment.Path, "exists", lambda _path: True)
            patch.setattr(environment.Path, name, denied)
            with pytest.raises(environment.SetupError, match="there cannot be used"):
                environment.is_ready(release)
    monkeypatch.setattr(environment.Path, "open", denied)
    with (
        pytest.raises(environment.SetupError, match="there cannot be used"),
        environment.locked(tmp_path / "a.lock"),
    ):
        pass

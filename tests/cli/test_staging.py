"""Files that are written as a set: the old one or the new one, whatever happens meanwhile."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from omi_physics_addon.cli import staging
from omi_physics_addon.cli.jobs import InputError
from omi_physics_addon.cli.staging import Staging
from tools import environment

NAMES = ("scene.gltf", "scene.bin", "textures/wood.png")
needs_locks = pytest.mark.skipif(os.name == "nt", reason="needs locks on folders")


def write(folder, word, names=NAMES):
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(f"{word} {name}")


def read(folder):
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text() for path in paths}


OLD = {name: f"old {name}" for name in NAMES}
NEW = {name: f"new {name}" for name in NAMES}


def replace(folder, names=NAMES):
    with Staging(folder / "scene.gltf") as place:
        write(place.path.parent, "new", names)
        place.put()


def test_a_set_replaces_another(tmp_path):
    write(tmp_path, "old")
    os.chmod(tmp_path / "scene.bin", 0o640)
    replace(tmp_path)
    assert read(tmp_path) == NEW
    assert (tmp_path / "scene.bin").stat().st_mode & 0o777 == 0o640


def test_a_first_set(tmp_path):
    replace(tmp_path)
    assert read(tmp_path) == NEW
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "scene.bin", "scene.gltf", "textures"
    ]  # fmt: skip


def test_what_is_not_put_in_place_leaves_nothing(tmp_path):
    write(tmp_path, "old")
    with Staging(tmp_path / "scene.gltf") as place:
        write(place.path.parent, "new")
    assert read(tmp_path) == OLD


def test_files_that_are_the_same_are_left_alone(tmp_path):
    write(tmp_path, "new", NAMES[1:])
    before = (tmp_path / "scene.bin").stat().st_mtime_ns
    replace(tmp_path)
    assert read(tmp_path) == NEW
    assert (tmp_path / "scene.bin").stat().st_mtime_ns == before


@pytest.mark.parametrize("there", [(), NAMES, NAMES[1:], NAMES[:1]])
@pytest.mark.parametrize("step", range(5))
def test_a_move_that_fails_is_taken_back(tmp_path, monkeypatch, there, step):
    write(tmp_path, "old", there)
    moved, plain = [], os.replace

    def fail(*paths):
        moved.append(paths)
        if len(moved) == step + 1:
            raise OSError(28, "No space left on device")
        plain(*paths)

    monkeypatch.setattr(staging.os, "replace", fail)
    if step < 4:
        with pytest.raises(OSError, match="No space"):
            replace(tmp_path)
        assert read(tmp_path) == {name: f"old {name}" for name in there}
    else:
        replace(tmp_path)
        assert read(tmp_path) == NEW


KILLED = """
import os, sys
from pathlib import Path
from omi_physics_addon.cli import staging
from tests.cli.test_staging import replace
plain, left = os.replace, [int(sys.argv[2])]

def kill(*paths):
    if not left[0]:
        os.kill(os.getpid(), 9)
    left[0] -= 1
    plain(*paths)

staging.os.replace = kill
replace(Path(sys.argv[1]))
"""


@needs_locks
@pytest.mark.parametrize("step", range(4))
def test_a_move_that_is_killed_is_taken_back_by_the_next(tmp_path, step):
    write(tmp_path, "old")
    command = [sys.executable, "-c", KILLED, tmp_path, str(step)]
    done = subprocess.run([*map(str, command)], cwd=environment.ROOT)
    assert done.returncode == -signal.SIGKILL
    with Staging(tmp_path / "scene.gltf"):
        pass
    assert read(tmp_path) == OLD


@needs_locks
def test_two_at_once(tmp_path):
    write(tmp_path, "old")
    with Staging(tmp_path / "scene.gltf") as one, Staging(tmp_path / "scene.gltf") as other:
        write(one.path.parent, "one")
        write(other.path.parent, "other")
        one.put()
        other.put()
    assert read(tmp_path) == {name: f"other {name}" for name in NAMES}


def test_what_was_killed_as_it_began_or_ended_is_cleared(tmp_path):
    for name in ("empty123", "new_1234", "foreign1"):
        (tmp_path / f".scene.gltf.{name}").mkdir()
    (tmp_path / ".scene.gltf.new_1234" / "new").mkdir()
    (tmp_path / ".scene.gltf.foreign1" / "notes.txt").write_text("mine")
    replace(tmp_path)
    assert [path.name for path in tmp_path.glob(".*")] == [".scene.gltf.foreign1"]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.gltf").write_text("old")
    (tmp_path / "link.gltf").symlink_to(tmp_path / "real" / "a.gltf")
    staging.write(tmp_path / "link.gltf", b"new")
    assert (tmp_path / "link.gltf").is_symlink()
    assert (tmp_path / "real" / "a.gltf").read_text() == "new"


def test_what_must_not_be_written(tmp_path):
    (tmp_path / "a.gltf").write_text("old")
    os.chmod(tmp_path / "a.gltf", 0o444)
    with pytest.raises(InputError, match="is read-only"):
        staging.write(tmp_path / "a.gltf", b"new")
    with pytest.raises(InputError, match="is a folder"):
        staging.write(tmp_path, b"new")
    with pytest.raises(InputError, match="there is no folder"):
        staging.write(tmp_path / "none" / "a.gltf", b"new")
    assert (tmp_path / "a.gltf").read_text() == "old"
    os.chmod(tmp_path / "a.gltf", 0o644)
    (tmp_path / "b.gltf").symlink_to("a.gltf")
    with pytest.raises(InputError, match=r"b.gltf is the file that is read"):
        staging.check_target(tmp_path / "b.gltf", [tmp_path / "none", tmp_path / "a.gltf"])
    (tmp_path / "circle.gltf").symlink_to("circle.gltf")
    with pytest.raises(InputError, match="is a link that leads nowhere"):
        staging.write(tmp_path / "circle.gltf", b"new")
    with pytest.raises(InputError, match="is no file"):
        staging.check_target(Path(os.devnull))
    (tmp_path / "empty.gltf").symlink_to("not_there.gltf")
    staging.write(tmp_path / "empty.gltf", b"new")
    assert (tmp_path / "not_there.gltf").read_text() == "new"


@pytest.mark.skipif(shutil.which("prlimit") is None, reason="needs a limit of the size of files")
def test_a_full_disk(tmp_path):
    """Files cannot grow beyond a limit, as on a disk that is full."""
    script = (
        "import sys, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "from pathlib import Path; from omi_physics_addon.cli import staging;"
        "staging.write(Path(sys.argv[1]), bytes(100_000))"
    )
    (tmp_path / "a.glb").write_text("old")
    command = ["prlimit", "--fsize=50000", sys.executable, "-B", "-c", script, tmp_path / "a.glb"]
    done = subprocess.run([*map(str, command)], cwd=environment.ROOT, capture_output=True)
    assert b"File too large" in done.stderr
    assert read(tmp_path) == {"a.glb": "old"}

"""Locks and moves of files, with the locks of this system and as where it has none."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest

from omi_physics_addon.cli import jobs
from omi_physics_addon.cli.staging import Staging
from omi_physics_addon.files import locks


@pytest.fixture(params=["system", "files"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """By the locks of the system, or without `fcntl`, as on Windows."""
    if request.param == "files":
        monkeypatch.setitem(sys.modules, "fcntl", None)
    return request.param


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("name", ["", "file"])
def test_one_holds_and_others_wait(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name:
        path.touch()
    held = locks.hold(path)
    assert held is not None
    assert locks.hold(path) is None
    assert locks.hold(path, shared=True) is None
    held.close()
    again = locks.hold(path)
    assert again is not None
    again.close()
    assert left(tmp_path) == [name] * bool(name)


def test_some_share_and_keep_others_out(tmp_path: Path) -> None:
    sharing = [locks.hold(tmp_path, shared=True) for _ in range(3)]
    assert None not in sharing
    for held in sharing:
        assert locks.hold(tmp_path) is None
        assert held is not None
        held.close()
    alone = locks.hold(tmp_path)
    assert alone is not None
    alone.close()


def test_one_after_the_other(tmp_path: Path) -> None:
    inside, most = [0], [0]

    def work() -> None:
        for _ in range(20):
            with locks.locked(tmp_path):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]
    assert left(tmp_path) == []


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), locks.locked(tmp_path / "none"):
        pass


def test_two_commands_that_write_the_same_file(tmp_path: Path) -> None:
    output = tmp_path / "out.glb"
    with Staging(output) as first, Staging(output) as second:
        first.path.write_bytes(b"first")
        second.path.write_bytes(b"second")
        first.put()
        assert output.read_bytes() == b"first"
        second.put()
    assert output.read_bytes() == b"second"
    assert left(tmp_path) == ["out.glb"]


def test_a_place_that_somebody_removed_is_told(tmp_path: Path) -> None:
    with Staging(tmp_path / "out.glb") as place:
        place.path.write_bytes(b"new")
        place.path.unlink()
        place.path.parent.rmdir()
        with pytest.raises(FileNotFoundError, match="somebody removed what was written"):
            place.put()


class Busy:
    """Refuses to move files a number of times, as Windows does while a scanner reads them."""

    def __init__(self, times: int) -> None:
        self.left, self._replace = times, os.replace

    def __call__(self, old: Path, new: Path) -> None:
        if self.left:
            self.left -= 1
            raise PermissionError(13, "Access is denied")
        self._replace(old, new)


def test_a_scanner_that_reads_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "out.glb").write_bytes(b"old")
    with Staging(tmp_path / "out.glb") as place:
        place.path.write_bytes(b"new")
        monkeypatch.setattr(os, "replace", Busy(3))
        place.put()
    assert (tmp_path / "out.glb").read_bytes() == b"new"
    monkeypatch.setattr(os, "replace", Busy(1))
    jobs.write_outcome(tmp_path / "outcome.json", jobs.Outcome(exit_code=0))
    assert jobs.read_outcome(tmp_path / "outcome.json").exit_code == 0


def test_a_file_that_stays_in_use_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "out.glb").write_bytes(b"old")
    monkeypatch.setattr(locks, "_WAIT", 0.0)
    with Staging(tmp_path / "out.glb") as place:
        place.path.write_bytes(b"new")
        monkeypatch.setattr(os, "replace", Busy(1000))
        with pytest.raises(PermissionError):
            place.put()
    assert (tmp_path / "out.glb").read_bytes() == b"old"


def test_what_windows_does_not_remove_while_it_is_held(tmp_path: Path) -> None:
    """A place that a killed command left is removed once nobody holds it."""
    lost = tmp_path / ".out.glb.abcdefgh"
    (lost / "new").mkdir(parents=True)
    held = locks.hold(lost)
    assert held is not None
    with Staging(tmp_path / "out.glb"):
        assert lost.exists()
    held.close()
    with Staging(tmp_path / "out.glb"):
        assert not lost.exists()

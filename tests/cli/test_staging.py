"""Files that are written as a set: the old one or the new one, whatever happens meanwhile."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path, PureWindowsPath

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
    return {str(path.relative_to(folder)): path.read_text(errors="replace") for path in paths}


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


# What a folder that came with other files can hold, beside or below what is to be written.
HOSTILE = [
    {"../precious.txt": False},
    {"../precious.txt": True},
    {"precious.txt": False},
    {"precious.txt": True},
    {"a/../../precious.txt": False},
    {"link/precious.txt": False},
    {"link/precious.txt": True},
    {"{tmp}/precious.txt": False},
    {"{tmp}/precious.txt": True},
    {"\0": False},
    {"\ud800": False},
    {"": False},
    {".": False},
    {"..": False},
    {"./precious.txt": False},
    {"n" * 300: False},
    {"scene.bin": 1},
    {"scene.bin": None},
    {"not_kept": True},
    ["precious.txt"],
    "precious.txt",
    None,
    7,
]


def plant(home, was_there, name=".scene.gltf.abcd1234", *, is_marked):
    """A folder as a kill leaves it, with any journal; marked only where we made it ourselves."""
    (home / name / "old").mkdir(parents=True)
    for inner in ("precious.txt", "link/precious.txt"):
        (home / name / "old" / inner).parent.mkdir(exist_ok=True)
        (home / name / "old" / inner).write_text("evil")
        (home / name / inner).parent.mkdir(exist_ok=True)
    (home / name / "link").rmdir()
    if isinstance(was_there, dict):
        was_there = {key.replace("{tmp}", str(home.parent)): v for key, v in was_there.items()}
    said = was_there
    if is_marked:
        said = {"mark": staging.mark_of(home / name / "old"), "was_there": was_there}
    (home / name / "journal.json").write_text(json.dumps(said))
    return home / name


@pytest.fixture
def home(tmp_path):
    """A folder with a set to replace, a link that leads out of it, and files to be lost."""
    folder = tmp_path / "home"
    folder.mkdir()
    write(folder, "old")
    for path in (tmp_path, folder):
        (path / "precious.txt").write_text("mine")
    (folder / "link").symlink_to(tmp_path)
    return folder


WARNING = (
    "warning: {} is left alone, as its journal.json is damaged or came from elsewhere; "
    "look for files that you miss in its folder old, then remove it\n"
)


def assert_left_alone(home, folder, capsys):
    before, held = read(home.parent), sorted(os.listdir(folder))
    staging.write(home / "scene.gltf", b"new scene.gltf")
    after = {**before, "home/scene.gltf": "new scene.gltf"}
    assert read(home.parent) == after
    assert sorted(os.listdir(folder)) == held
    assert capsys.readouterr().err == WARNING.format(folder)


@pytest.mark.parametrize("is_marked", [False, True])
@pytest.mark.parametrize("was_there", HOSTILE, ids=lambda value: ascii(value)[:30])
def test_a_journal_from_elsewhere_changes_nothing(home, capsys, was_there, is_marked):
    ours = is_marked and was_there in ({"precious.txt": False}, {"precious.txt": True})
    folder = plant(home, was_there, is_marked=is_marked)
    if not ours:
        assert_left_alone(home, folder, capsys)
        return
    # The control: with the mark of this very folder, and names in it, it is believed.
    staging.write(home / "scene.gltf", b"new scene.gltf")
    kept = {**OLD, "scene.gltf": "new scene.gltf"}
    assert read(home) == (
        kept if not was_there["precious.txt"] else {**kept, "precious.txt": "evil"}
    )
    assert not folder.exists()


@pytest.mark.parametrize(
    "name", ["C:\\a", "C:a", "\\a", "\\\\host\\share\\a", "a\\..\\..\\b", "nul\0"]
)
def test_names_that_lead_elsewhere_on_windows_are_not_believed(home, monkeypatch, name):
    folder = plant(home, {name: False, "a": False}, is_marked=True)
    monkeypatch.setattr(staging, "Path", PureWindowsPath)
    assert staging.journal_of(folder, home) is None
    said = {"mark": staging.mark_of(folder / "old"), "was_there": {"a": False}}
    (folder / "journal.json").write_text(json.dumps(said))
    assert staging.journal_of(folder, home) == {"a": False}


@pytest.mark.parametrize(
    "text", [b"", b"{", b"\xff", b"[" * 100_000, b"1" * 5000, b'{"was_there": {}}', b"{}"]
)
def test_a_damaged_journal_changes_nothing(home, capsys, text):
    folder = plant(home, {}, is_marked=True)
    (folder / "journal.json").write_bytes(text)
    assert_left_alone(home, folder, capsys)


def test_a_copy_of_a_folder_is_not_believed(home, capsys):
    """Its mark is that of the folder that it was copied from."""
    folder = plant(home, {"precious.txt": True}, is_marked=True)
    shutil.copytree(folder, home / ".scene.gltf.copied12")
    shutil.rmtree(folder)
    assert_left_alone(home, home / ".scene.gltf.copied12", capsys)


@pytest.mark.parametrize("kind", ["folder", "link", *["pipe"] * hasattr(os, "mkfifo")])
def test_a_journal_that_is_no_file_changes_nothing(home, capsys, kind):
    folder = plant(home, {"precious.txt": True}, is_marked=True)
    journal = folder / "journal.json"
    journal.rename(home.parent / "journal.json")
    if kind == "folder":
        journal.mkdir()
    elif kind == "link":
        journal.symlink_to(home.parent / "journal.json")
    else:
        os.mkfifo(journal)
    assert_left_alone(home, folder, capsys)


@pytest.mark.parametrize("inner", ["old", "old/precious.txt"])
def test_what_is_put_back_is_not_fetched_by_a_link(home, capsys, inner):
    folder = plant(home, {"precious.txt": True}, is_marked=True)
    (folder / inner).rename(home.parent / "elsewhere")
    (folder / inner).symlink_to(home.parent / "elsewhere")
    said = {"mark": staging.mark_of(folder / "old"), "was_there": {"precious.txt": True}}
    (folder / "journal.json").write_text(json.dumps(said))
    assert_left_alone(home, folder, capsys)


@pytest.mark.parametrize(
    "name", [".scene.gltf.zz", ".scene.gltf.ABCD1234", ".scene.gltf.a.abcd1234"]
)
def test_folders_of_other_names_are_not_looked_into(home, capsys, name):
    folder = plant(home, {"precious.txt": False}, name, is_marked=True)
    replace(home)
    assert (home / "precious.txt").read_text() == "mine"
    assert (folder / "journal.json").exists()
    assert capsys.readouterr().err == ""


def test_a_link_to_a_folder_is_left_alone(home, capsys):
    folder = plant(home, {"precious.txt": False}, "elsewhere", is_marked=True)
    (home / ".scene.gltf.abcd1234").symlink_to(folder)
    assert_left_alone(home, home / ".scene.gltf.abcd1234", capsys)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs two users")
def test_the_folder_of_another_user_is_left_alone(home, capsys):
    folder = plant(home, {"precious.txt": False}, is_marked=True)
    os.chown(folder, 12345, 12345)
    assert_left_alone(home, folder, capsys)


def test_a_folder_that_must_not_be_read_stops_nothing(home, monkeypatch):
    """As for a user who is not root, whom the system lets read everything."""
    folder = plant(home, {}, is_marked=True)
    plain = os.open

    def refuse(path, *rest, **named):
        if Path(path) == folder:
            raise PermissionError(13, "Permission denied")
        return plain(path, *rest, **named)

    monkeypatch.setattr(staging.os, "open", refuse)
    replace(home)
    assert (home / "scene.bin").read_text() == "new scene.bin"
    assert folder.exists()


def test_a_set_that_cannot_be_put_back_is_kept_for_the_next_command(tmp_path, monkeypatch):
    """As on a disk that is full while the old files are copied back."""
    write(tmp_path, "old")
    plain = os.replace

    def fail(old, new):
        if Path(new).parent == tmp_path and Path(new).name == "scene.gltf":
            raise OSError(28, "No space left on device")
        plain(old, new)

    def full(*_paths):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(staging.os, "replace", fail)
        patch.setattr(staging, "take_back", full)
        with pytest.raises(OSError, match="No space"):
            replace(tmp_path)
    assert (tmp_path / "scene.bin").read_text() == "new scene.bin"
    with Staging(tmp_path / "scene.gltf"):
        pass
    assert read(tmp_path) == OLD


def test_no_link_leads_out_of_the_folder_of_a_set(tmp_path):
    """A folder beside the file that is a link would have its files written elsewhere."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "textures").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match=r"home/textures leads out of .*home: remove the link"):
        replace(tmp_path / "home")
    assert read(tmp_path) == {}
    (tmp_path / "home" / "textures").unlink()
    (tmp_path / "home" / "inside").mkdir()
    (tmp_path / "home" / "textures").symlink_to("inside")
    replace(tmp_path / "home")
    assert (tmp_path / "home" / "inside" / "wood.png").read_text() == NEW["textures/wood.png"]

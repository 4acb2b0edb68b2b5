"""Files that are written as a set: all of the old ones stay, or all of the new ones come.

What is new is written into a hidden folder beside the file, and moved from there when it is
complete: the files beside it first, the file itself last. A move that fails is taken back, and
one that was killed is taken back by the next command that writes this file. What others left
beside the file under the names that we use is left alone.
"""

from __future__ import annotations

import contextlib
import errno
import filecmp
import itertools
import json
import os
import re
import shutil
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..files import locks
from ..files.beside import is_inside
from . import printing
from .jobs import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NEW = "new"  # Folder of what is written.
OLD = "old"  # Folder of what was there before, while files are moved.
JOURNAL = "journal.json"  # Names that are being moved, and whether each was there.
_PART, _BACK = f"{JOURNAL}.part", f"{JOURNAL}.back"
_INSIDE = frozenset((NEW, OLD, JOURNAL, _PART, _BACK))  # All that may be in the folder.
_ENDING = re.compile("[a-z0-9_]{8}")  # What `mkdtemp` puts behind a prefix.


class Staging:
    """A place to write a file and those beside it, before they replace the old ones."""

    def __init__(self, output: Path) -> None:
        """Make the place beside the file, or beside what a symbolic link leads to.

        Raises:
            InputError: the file must not be written.
        """
        check_target(output)
        self.output = output.resolve()
        self._prefix = f".{self.output.name[:64]}."
        with locks.locked(self.output.parent):
            self._folder = Path(tempfile.mkdtemp(prefix=self._prefix, dir=self.output.parent))
            self._held = locks.hold(self._folder)
            try:
                self._clear()
            except BaseException:
                self.__exit__()
                raise
        (self._folder / NEW).mkdir()
        self.path = self._folder / NEW / self.output.name

    def __enter__(self) -> Staging:
        return self

    def __exit__(self, *_error: object) -> None:
        """Remove the place, unless old files are in it that the next command has to put back."""
        if self._held is not None:
            self._held.close()
        if not (self._folder / JOURNAL).exists():
            shutil.rmtree(self._folder, ignore_errors=True)

    def put(self) -> None:
        """Move what was written into place, the file itself last.

        Raises:
            InputError: a link would lead a file out of the folder; nothing was moved.
            OSError: it cannot be moved, or somebody removed it; the old files are there again.
        """
        new = self._folder / NEW
        if not new.is_dir():
            raise FileNotFoundError(
                errno.ENOENT, "somebody removed what was written", str(self.path)
            )
        names = [str(path.relative_to(new)) for path in new.rglob("*") if path.is_file()]
        names.sort(key=lambda name: (name == self.output.name, name))
        home = self.output.parent
        names = [name for name in names if not is_same(new / name, home / name)]
        for name in names:
            check_inside((home / name).parent, home)
            keep_rights(home / name, new / name)
            flush(new / name)
        with locks.locked(home):
            was_there = self._remember(names) if len(names) > 1 else {}
            try:
                for name in names:
                    (home / name).parent.mkdir(parents=True, exist_ok=True)
                    locks.replace(new / name, home / name)
            except BaseException:
                take_back(self._folder, home, was_there)
                raise
            (self._folder / JOURNAL).unlink(missing_ok=True)

    def _remember(self, names: list[str]) -> dict[str, bool]:
        """Keep what a move replaces, so that it can be taken back; returns what was there."""
        home, old = self.output.parent, self._folder / OLD
        old.mkdir()
        was_there: dict[str, bool] = {}
        for name in names:
            was_there[name] = (home / name).exists()
            if was_there[name]:
                (old / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(home / name, old / name)
        journal = self._folder / _PART
        journal.write_text(json.dumps({"mark": mark_of(old), "was_there": was_there}))
        flush(journal)
        locks.replace(journal, self._folder / JOURNAL)
        return was_there

    def _clear(self) -> None:
        """Take back what was killed while it moved, and remove what was left over."""
        for folder in self.output.parent.glob(glob_of(self._prefix) + "*"):
            is_named = _ENDING.fullmatch(folder.name.removeprefix(self._prefix))
            if folder == self._folder or not is_named or not folder.is_dir():
                continue
            held = locks.hold(folder)
            if held is None:
                continue  # Somebody is at work there.
            try:
                is_left_over = self._take_back(folder)
            finally:
                held.close()
            if is_left_over:
                shutil.rmtree(folder, ignore_errors=True)

    def _take_back(self, folder: Path) -> bool:
        """Take back what is in a folder; whether it is ours, and not from elsewhere."""
        found, own = folder.lstat(), self._folder.lstat()
        is_ours = (
            stat.S_ISDIR(found.st_mode)
            and found.st_uid == own.st_uid
            and _INSIDE.issuperset(itertools.filterfalse(locks.is_lock, os.listdir(folder)))
        )
        if os.path.lexists(folder / JOURNAL):
            was_there = journal_of(folder, self.output.parent) if is_ours else None
            if was_there is None:
                printing.say(
                    f"warning: {folder} is left alone, as its {JOURNAL} is damaged or came from "
                    f"elsewhere; look for files that you miss in its folder {OLD}, then remove it"
                )
                return False
            take_back(folder, self.output.parent, was_there)
        return is_ours


def check_target(output: Path, read: Iterable[Path] = ()) -> None:
    """Make sure that a file can be written under a name.

    Args:
        read: files that are not to be replaced, as they are read.

    Raises:
        InputError: it is a folder or a device, has no folder, is protected, leads nowhere as a
            link, or is read.
    """
    if output.is_dir():
        raise InputError(f"{output} is a folder")
    if not output.absolute().parent.is_dir():
        raise InputError(f"there is no folder {output.absolute().parent}")
    try:
        output.resolve(strict=True)
    except FileNotFoundError:
        return
    except (OSError, RuntimeError) as problem:  # RuntimeError before Python 3.13.
        raise InputError(f"{output} is a link that leads nowhere") from problem
    if not output.is_file():  # Else a device such as /dev/null would become a file.
        raise InputError(f"{output} is no file")
    if not output.stat().st_mode & 0o222:
        raise InputError(f"{output} is read-only")
    if any(path.exists() and output.samefile(path) for path in read):
        raise InputError(f"{output} is the file that is read")


def check_inside(path: Path, folder: Path) -> None:
    """Make sure that no link leads a path out of a folder.

    Raises:
        InputError: one does.
    """
    if not is_inside(path, folder / path.name):
        raise InputError(f"{path} leads out of {folder}: remove the link, or write elsewhere")


def glob_of(text: str) -> str:
    """A pattern that is the text itself."""
    return "".join(f"[{letter}]" if letter in "[*?" else letter for letter in text)


def is_same(one: Path, other: Path) -> bool:
    """Whether two files have the same content; not where one is missing."""
    return other.is_file() and filecmp.cmp(one, other, shallow=False)


def keep_rights(old: Path, new: Path) -> None:
    """Give a new file the rights of the one that it replaces."""
    if old.exists():
        os.chmod(new, old.stat().st_mode & 0o777)


def flush(path: Path) -> None:
    """Have the content of a file on the disk before its name changes."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def mark_of(folder: Path) -> list[int]:
    """What tells a folder from one that was unpacked or copied: nobody can choose it before."""
    state = folder.lstat()
    return [state.st_ino, state.st_ctime_ns]


def journal_of(folder: Path, home: Path) -> dict[str, bool] | None:
    """The names that were being moved, and whether each was there; None for what is not ours.

    Args:
        folder: the one with the journal.
        home: where files were moved to, with no link on the way.
    """
    try:
        if not is_plain(folder / JOURNAL):
            return None
        said = json.loads((folder / JOURNAL).read_bytes())
        was_there: dict[str, Any] = said["was_there"]
        fits = said["mark"] == mark_of(folder / OLD) and all(
            _can_go_back(name, there, folder, home) for name, there in was_there.items()
        )
    except (ValueError, KeyError, TypeError, AttributeError, OSError, RecursionError):
        return None  # Whatever is in it, it is not what we write.
    return was_there if fits else None


def _can_go_back(name: str, there: Any, folder: Path, home: Path) -> bool:
    """Whether a name of a journal is one that we wrote: in our folders, also where links lead."""
    path, kept = Path(name), folder / OLD / name
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        (home / path).lstat()  # What can be no name here, as it is too long, raises another error.
    return (
        name == str(path)
        and bool(path.name)
        and not path.anchor
        and ".." not in path.parts
        and is_inside((home / path).parent, home / JOURNAL)
        and (there is False or (there is True and is_plain(kept) and kept.resolve() == kept))
    )


def is_plain(path: Path) -> bool:
    """Whether there is a file, and no link, folder, pipe or device under its name."""
    return os.path.lexists(path) and stat.S_ISREG(path.lstat().st_mode)


def take_back(folder: Path, home: Path, was_there: Mapping[str, bool]) -> None:
    """Put files in place that a move had begun to replace."""
    for name, there in was_there.items():
        if there:
            shutil.copy2(folder / OLD / name, folder / _BACK)
            locks.replace(folder / _BACK, home / name)
        elif not (folder / NEW / name).exists():
            (home / name).unlink(missing_ok=True)
    (folder / JOURNAL).unlink(missing_ok=True)


def write(output: Path, content: bytes) -> None:
    """Write one file so that it is there as a whole, or as it was before.

    Raises:
        InputError: the file must not be written.
        OSError: it cannot be written; the old one is there.
    """
    with Staging(output) as staging:
        staging.path.write_bytes(content)
        staging.put()

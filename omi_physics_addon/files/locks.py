"""Locks between processes, and moves of files, on every system.

Where the system locks folders and files itself, a lock is the system's. On Windows, which does not
lock folders, it is a file beside what is locked that nobody else can make meanwhile. Both end when
the process dies.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Generator

LOCK: Final = ".omi-lock"  # How the names of lock files begin: in a folder, behind a file's name.
_SHARED: Final = 32  # How many can share a lock.
_WAIT: Final = 0.02  # s, between two attempts.
_ATTEMPTS: Final = 25  # To move a file.
# Windows removes such a file when it is closed, and when its process dies.
_GOES: Final = getattr(os, "O_TEMPORARY", 0)


class Held:
    """A lock that is held until it is closed."""

    def __init__(self, handle: int, file: Path | None = None) -> None:
        """Take what is open, and the lock file where there is one."""
        self._handle, self._file = handle, file

    def close(self) -> None:
        """Let others hold it."""
        os.close(self._handle)
        if self._file is not None and not _GOES:
            self._file.unlink(missing_ok=True)


def hold(path: Path, *, shared: bool = False) -> Held | None:
    """Hold a folder or a file; None where somebody else does, or we may not.

    Args:
        path: of the folder, or of a file that is there.
        shared: let others hold it so, too.
    """
    try:
        import fcntl
    except ModuleNotFoundError:
        return _hold_by_file(path, shared=shared)
    try:
        handle = os.open(path, os.O_RDONLY)
    except PermissionError:
        return None
    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return Held(handle)


@contextlib.contextmanager
def locked(path: Path) -> Generator[None, None, None]:
    """Hold a folder or a file once nobody else does.

    Raises:
        OSError: we may not.
    """
    held = hold(path)
    while held is None:
        os.listdir(path)  # Raises where waiting is of no use.
        time.sleep(_WAIT)
        held = hold(path)
    try:
        yield
    finally:
        held.close()


def replace(old: Path, new: Path) -> None:
    """Move a file to the place of another one.

    On Windows that fails while somebody else reads either of them, as scanners, indexers and
    engines do for some milliseconds; so it is tried for half a second.

    Raises:
        OSError: it cannot be moved.
    """
    for _ in range(_ATTEMPTS):
        try:
            os.replace(old, new)
        except PermissionError:
            time.sleep(_WAIT)
        else:
            return
    os.replace(old, new)


def is_lock(name: str) -> bool:
    """Whether a file in a folder is there only while the folder is held."""
    return name.startswith(LOCK)


def _hold_by_file(path: Path, *, shared: bool) -> Held | None:
    os.stat(path)  # Raises where there is nothing to hold.
    base = path / LOCK if path.is_dir() else path.with_name(path.name + LOCK)
    others = [base.with_name(f"{base.name}{number}") for number in range(_SHARED)]
    if shared:
        made = (_make(other) for other in others if not base.exists())
        held = next((one for one in made if one is not None), None)
        blocking = [base]
    else:
        held, blocking = _make(base), others
    if held is not None and any(other.exists() for other in blocking):  # Made at the same time.
        held.close()
        return None
    return held


def _make(file: Path) -> Held | None:
    try:
        return Held(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR | _GOES), file)
    except (FileExistsError, PermissionError):  # The latter while it goes.
        return None

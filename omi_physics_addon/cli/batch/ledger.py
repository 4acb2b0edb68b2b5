"""What is done already, line by line in a file, so that a run that was killed can go on."""

from __future__ import annotations

import contextlib
import json
import os
import stat
import uuid
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from ...files import locks
from ...files.beside import is_inside
from .. import jobs, printing, staging
from . import plan

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

OURS = ".omi-batch"  # How all names begin under which we look for what is done.
LEDGER = OURS + "{part}.jsonl"
LEFT = f"{OURS}-left"  # Folder of what was done for a run, and not yet told to it.
LOCK = OURS + "{part}.lock"
_ATTEMPTS = 10


class Entry(NamedTuple):
    """How one file went.

    Attributes:
        key: the key of its task.
        outcome: what the command said.
        crashed: whether the process died of it, twice.
        outputs: digests of the files written, by their paths below the output folder.
        inputs: digests of other files that Blender read, such as libraries, by absolute path.
    """

    key: str
    outcome: jobs.Outcome
    crashed: bool
    outputs: dict[str, str]
    inputs: Mapping[str, str] = MappingProxyType({})


def data_of(entry: Entry) -> dict[str, Any]:
    """An entry as plain data."""
    plain = {"outcome": entry.outcome._asdict(), "inputs": dict(entry.inputs)}
    return {**entry._asdict(), **plain}


def entry_of(data: Any) -> Entry:
    """The entry that plain data is of, without what a newer release added.

    Raises:
        ValueError: it is of none.
    """
    try:
        outcome = _known(jobs.Outcome, data["outcome"])
        entry = _known(Entry, data)._replace(outcome=outcome)
        texts = (*outcome.lines, *entry.outputs.values(), *entry.inputs.values())
        fits = (
            isinstance(outcome.exit_code, int)
            and isinstance(entry.crashed, bool)
            and all(isinstance(each, str) for each in (entry.key, outcome.error, *texts))
        )
        told(printing.file_as_json("", outcome))  # Raises where pages could not tell it.
    except (AttributeError, KeyError, TypeError) as problem:
        raise ValueError("this is no entry of a batch") from problem
    if not fits:
        raise ValueError("this is no entry of a batch")
    return entry


def _known(kind: Any, data: Any) -> Any:
    fields: tuple[str, ...] = kind._fields
    return kind(**{name: data[name] for name in fields if name in data})


def read(text: bytes) -> Entry | None:
    """The entry that JSON is of; None where it is of none."""
    try:
        return entry_of(json.loads(text))
    except (ValueError, RecursionError):
        return None


def told(file: dict[str, Any]) -> str:
    """What is wrong with a file, in lines."""
    inner: dict[str, Any] = file["report"] or {}
    issues: list[dict[str, Any]] = inner.get("issues") or inner.get("left") or []
    lines = [
        f"{one['severity']} {one['code']} {one['pointer']}: {one['message']}" for one in issues
    ]
    return "\n".join([file["error"], *lines] if file["error"] else lines)


def is_whole(entry: Entry, folder: Path) -> bool:
    """Whether all that a file's task read and wrote is still so; not after a crash."""
    return (
        not entry.crashed
        and all(
            digest
            and is_inside(folder / name, folder / LEFT)
            and plan.state_of(str(folder / name)) == digest
            for name, digest in entry.outputs.items()
        )
        and all(plan.state_of(path) == digest for path, digest in entry.inputs.items())
    )


def check_own(path: Path, is_kind: Callable[[int], bool] = stat.S_ISREG) -> None:
    """Make sure that a name of ours has what we put there: no link, which leads anywhere, no pipe.

    Args:
        is_kind: what a mode is of that counts.

    Raises:
        InputError: it has something else.
    """
    if os.path.lexists(path) and not is_kind(path.lstat().st_mode):
        raise jobs.InputError(f"{path} was not put there by a batch: remove it")


def _tell_unread(what: str | Path) -> None:
    printing.say(f"warning: cannot read {what}: what it tells of is done again")


def leave(entry: Entry, folder: Path) -> None:
    """Put an entry where the run that waits for it, or the next one, finds it."""
    path = folder / LEFT / f"{entry.key}.json"
    new = path.with_suffix(f".{uuid.uuid4().hex}")
    for attempt in range(_ATTEMPTS):
        try:
            path.parent.mkdir(exist_ok=True)
            new.write_text(json.dumps(data_of(entry)), encoding="utf-8")
            break
        except (FileExistsError, FileNotFoundError):  # A run that ended removed the folder.
            if attempt == _ATTEMPTS - 1:
                raise
    locks.replace(new, path)


def left(task: plan.Task, folder: Path) -> Entry | None:
    """What somebody left of a task, if all it wrote is still there."""
    try:
        entry = read((folder / LEFT / f"{task.key}.json").read_bytes())
    except FileNotFoundError:
        return None
    return entry if entry is not None and is_whole(entry, folder) else None


def take(task: plan.Task, folder: Path) -> None:
    """Remove what was left of a task, which is in a ledger now."""
    (folder / LEFT / f"{task.key}.json").unlink(missing_ok=True)


def tidy(folder: Path) -> None:
    """Remove the folder of what was left, where nothing is in it any more."""
    with contextlib.suppress(OSError):  # There is more in it, or it never was.
        (folder / LEFT).rmdir()


class Ledger:
    """The file with what is done; each entry is on the disk when `add` returns."""

    def __init__(self, folder: Path, part: plan.Part | None = None) -> None:
        """Read what is there; what cannot be read is told, and counts for nothing.

        Args:
            folder: where outputs go.
            part: the part that this run is, which writes into a file of its own.

        Raises:
            InputError: there is something else where we keep what is done.
        """
        self.folder = folder
        self._entries: dict[str, Entry] = {}
        own = folder / LEDGER.format(part=part or "")
        files = {own, *folder.glob(LEDGER.format(part="*"))}
        for path in sorted(files, key=lambda path: (path == own, path)):
            check_own(path)
            if path.exists():
                self._read(path, is_own=path == own)
        check_own(folder / LEFT, stat.S_ISDIR)
        left_over = sorted((folder / LEFT).glob("*.json"))
        for path in left_over:
            check_own(path)
        self._file = own.open("ab")
        for path in left_over:
            entry = read(path.read_bytes())
            if entry is None:
                _tell_unread(path)
            else:
                self.add(entry)
            path.unlink(missing_ok=True)

    def _read(self, path: Path, *, is_own: bool) -> None:
        """Take up the lines of a file, and remove those of the own one that cannot be read."""
        text = path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]  # A kill cuts off what is behind it.
        lines = whole.splitlines(keepends=True)
        kept: list[bytes] = []
        for line in lines:
            entry = read(line)
            if entry is None:
                continue
            kept.append(line)
            if is_own or not entry.crashed:
                self._entries[entry.key] = entry
        if len(kept) < len(lines):
            _tell_unread(f"{printing.counted(len(lines) - len(kept), 'line')} of {path}")
        if is_own and sum(map(len, kept)) < len(text):
            staging.write(path, b"".join(kept))

    def close(self) -> None:
        """Close the file, and leave nothing else behind."""
        self._file.close()
        tidy(self.folder)

    def add(self, entry: Entry) -> None:
        """Remember how a file went."""
        self._file.write(json.dumps(data_of(entry)).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._entries[entry.key] = entry

    def done(self, task: plan.Task) -> Entry | None:
        """How a task went, if all it wrote is still there; a crash is tried again."""
        entry = self._entries.get(task.key)
        return None if entry is None or not is_whole(entry, self.folder) else entry


@contextlib.contextmanager
def only_one(folder: Path, part: plan.Part | None = None) -> Generator[None, None, None]:
    """Be the only run that writes into a folder, beside other parts; it ends when we die.

    Raises:
        InputError: another one does, or the lock is none.
    """
    names = [""] if part is None else ["", str(part)]
    with contextlib.ExitStack() as stack:
        for name in names:
            path = folder / LOCK.format(part=name)
            check_own(path)
            path.touch()
            held = locks.hold(path, shared=name != names[-1])
            if held is None:
                raise jobs.InputError(f"another batch is writing into {folder}")
            stack.callback(held.close)
        yield

"""What is done already, line by line in a file, so that a run that was killed can go on."""

from __future__ import annotations

import contextlib
import json
import os
import uuid
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import jobs, staging
from . import plan

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

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


def entry_of(data: dict[str, Any]) -> Entry:
    """The entry that plain data is of."""
    return Entry(**data)._replace(outcome=jobs.Outcome(**data["outcome"]))


def is_whole(entry: Entry, folder: Path) -> bool:
    """Whether all that a file's task read and wrote is still so; not after a crash."""
    return (
        not entry.crashed
        and all(
            (folder / name).is_file() and plan.digest_of(folder / name) == digest
            for name, digest in entry.outputs.items()
        )
        and all(plan.state_of(path) == digest for path, digest in entry.inputs.items())
    )


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
    os.replace(new, path)


def left(task: plan.Task, folder: Path) -> Entry | None:
    """What somebody left of a task, if all it wrote is still there."""
    try:
        entry = entry_of(json.loads((folder / LEFT / f"{task.key}.json").read_bytes()))
    except FileNotFoundError:
        return None
    return entry if is_whole(entry, folder) else None


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
        """Read what is there; a line that was cut off by a kill counts for nothing.

        Args:
            folder: where outputs go.
            part: the part that this run is, which writes into a file of its own.
        """
        self.folder = folder
        self._entries: dict[str, Entry] = {}
        own = folder / LEDGER.format(part=part or "")
        own.touch()
        for path in sorted(folder.glob(LEDGER.format(part="*")), key=lambda path: path == own):
            text = path.read_bytes()
            whole = text[: text.rfind(b"\n") + 1]
            for line in whole.decode("utf-8").splitlines():
                entry = entry_of(json.loads(line))
                if path == own or not entry.crashed:
                    self._entries[entry.key] = entry
            if path == own:
                self._file = own.open("ab")
                self._file.truncate(len(whole))
        for path in sorted((folder / LEFT).glob("*.json")):
            self.add(entry_of(json.loads(path.read_bytes())))
            path.unlink(missing_ok=True)

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
        InputError: another one does.
    """
    names = [""] if part is None else ["", str(part)]
    with contextlib.ExitStack() as stack:
        for name in names:
            path = folder / LOCK.format(part=name)
            path.touch()
            held = staging.hold(path, shared=name != names[-1])
            if held is None:
                raise jobs.InputError(f"another batch is writing into {folder}")
            stack.callback(os.close, held)
        yield

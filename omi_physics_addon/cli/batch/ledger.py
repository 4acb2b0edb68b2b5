"""What is done already, line by line in a file, so that a run that was killed can go on."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .. import jobs, staging
from . import plan

if TYPE_CHECKING:
    from collections.abc import Generator

LEDGER = ".omi-batch.jsonl"
LOCK = ".omi-batch.lock"


class Entry(NamedTuple):
    """How one file went.

    Attributes:
        key: the key of its task.
        outcome: what the command said.
        crashed: whether the process died of it, twice.
        outputs: digests of the files written, by their paths below the output folder.
    """

    key: str
    outcome: jobs.Outcome
    crashed: bool
    outputs: dict[str, str]


class Ledger:
    """The file with what is done; each entry is on the disk when `add` returns."""

    def __init__(self, folder: Path) -> None:
        """Read what is there; a line that was cut off by a kill counts for nothing."""
        self.folder = folder
        self._path = folder / LEDGER
        self._entries: dict[str, Entry] = {}
        text = self._path.read_bytes() if self._path.exists() else b""
        whole = text[: text.rfind(b"\n") + 1]
        for line in whole.decode("utf-8").splitlines():
            data = json.loads(line)
            data["outcome"] = jobs.Outcome(**data["outcome"])
            entry = Entry(**data)
            self._entries[entry.key] = entry
        self._file = self._path.open("ab")
        self._file.truncate(len(whole))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def add(self, entry: Entry) -> None:
        """Remember how a file went."""
        data = {**entry._asdict(), "outcome": entry.outcome._asdict()}
        self._file.write(json.dumps(data).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._entries[entry.key] = entry

    def done(self, task: plan.Task) -> Entry | None:
        """How a task went, if all it wrote is still there; a crash is tried again."""
        entry = self._entries.get(task.key)
        if entry is None or entry.crashed:
            return None
        for name, digest in entry.outputs.items():
            path = self.folder / name
            if not path.is_file() or plan.digest_of(path) != digest:
                return None
        return entry


@contextlib.contextmanager
def only_one(folder: Path) -> Generator[None, None, None]:
    """Be the only run that writes into a folder; the system ends it when we die.

    Raises:
        InputError: another one does.
    """
    (folder / LOCK).touch()
    held = staging.hold(folder / LOCK)
    if held is None:
        raise jobs.InputError(f"another batch is writing into {folder}")
    try:
        yield
    finally:
        os.close(held)

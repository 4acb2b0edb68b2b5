"""Which files there are to do, where each goes, and what its result depends on."""

from __future__ import annotations

import functools
import hashlib
import json
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...files.beside import is_inside, is_there, path_of
from .. import jobs, sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

PACKAGE = Path(__file__).resolve().parents[2]
# Commands of Blender, and how the names of what they write may end.
WRITTEN = {
    "export": (".glb", ".gltf"),
    "import": (".blend",),
    "colliders": (".glb", ".gltf"),
    "simulate": (".json", ".csv"),
}
SUFFIXES = {
    "export": (".blend",),
    "import": (".glb", ".gltf"),
    "colliders": (".blend", ".glb", ".gltf"),
    "simulate": (".blend", ".glb", ".gltf"),
    "convert": (".glb", ".gltf"),
    "check": (".glb", ".gltf"),
    "fix": (".glb", ".gltf"),
}


class Part(NamedTuple):
    """One of several runs that share files: which, from 1 on, and of how many."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"-{self.number}-of-{self.of}"


class Task(NamedTuple):
    """One file to do.

    Attributes:
        name: the path of the source below what the command line named, with slashes.
        command: one of `SUFFIXES`.
        source: absolute path.
        output: absolute path of the file to write; None for check.
        options: further words for the command.
        key: the digest of all that the result depends on.
    """

    name: str
    command: str
    source: str
    output: str | None
    options: tuple[str, ...]
    key: str


@dataclass(frozen=True)
class Tasks:
    """Files to do, each of which is read for its key when its turn comes."""

    sources: dict[str, Path]
    folder: Path
    command: str
    suffix: str
    program: str
    options: tuple[str, ...]

    def __len__(self) -> int:
        """How many there are."""
        return len(self.sources)

    def __iter__(self) -> Iterator[Task]:
        """Each, by name."""
        for name, source in self.sources.items():
            output = None
            if self.command != "check":
                output = str(self.folder / _goal(name, self.command, self.suffix))
            words = [self.command, name, self.suffix, self.program, *self.options]
            key = key_of(source, words)
            yield Task(name, self.command, str(source), output, self.options, key)


def tasks(
    command: str,
    words: Iterable[str],
    folder: Path,
    suffix: str,
    options: Sequence[str],
    program: str,
    part: Part | None = None,
) -> Tasks:
    """What is to be done, by name; files are read as the tasks are gone through.

    Args:
        words: files, folders and globs.
        folder: where outputs go.
        suffix: of what the commands of Blender write.
        program: what tells the programs that do it from others.
        part: only what this part of a run has to do.

    Raises:
        InputError: something is not there, or two sources would write one file.
    """
    found: dict[str, Path] = {}
    owners: dict[str, Path] = {}
    for word in words:
        # What an earlier run wrote is no source, unless it is asked for.
        for path, name in sorted(sources.found(word, SUFFIXES[command], folder)):
            source = path.absolute()
            goal = _goal(name, command, suffix)
            if owners.setdefault(goal, source) != source:
                raise jobs.InputError(f"{owners[goal]} and {source} would both write {goal}")
            found[name] = source
    names = sorted(found)
    names = names if part is None else names[part.number - 1 :: part.of]
    order = command, suffix, program, tuple(options)
    return Tasks({name: found[name] for name in names}, folder, *order)


def part_of(word: str) -> Part:
    """The part that a word such as "2/8" names.

    Raises:
        InputError: it names none.
    """
    try:
        part = Part(*map(int, word.split("/")))
    except (TypeError, ValueError):
        part = Part(0, 0)
    if not 1 <= part.number <= part.of:
        raise jobs.InputError(f"--part must be like 2/8, and not {word}")
    return part


def _goal(name: str, command: str, suffix: str) -> str:
    return str(Path(name).with_suffix(suffix)) if command in WRITTEN else name


def key_of(source: Path, words: Sequence[str]) -> str:
    """The digest of a file, of the files that a glTF has beside it, and of words."""
    digest = hashlib.sha256(json.dumps(words).encode())
    for path in (source, *beside(source)):
        try:
            digest.update(digest_of(path).encode() if is_there(path) else b"missing")
        except OSError:
            digest.update(b"unreadable")  # The command itself will say so.
    return digest.hexdigest()


def digest_of(path: Path) -> str:
    """The digest of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def state_of(path: str) -> str:
    """The digest of a file that several others may need; empty where there is none."""
    try:
        state = Path(path).stat()
        return _digest_in(path, state.st_mtime_ns, state.st_size)
    except (OSError, ValueError):  # There is none, it must not be read, or no file has such names.
        return ""


@functools.lru_cache(maxsize=4096)
def _digest_in(path: str, _time: int, _size: int) -> str:
    return digest_of(Path(path)) if Path(path).is_file() else ""


def beside(source: Path) -> list[Path]:
    """The files in its folder that a glTF names; those of a .blend file take a Blender to know."""
    from ...codec.gltf import containers, limits

    if source.suffix.lower() == ".blend":
        return []
    try:
        limits.check_size(source.stat().st_size)
        uris = containers.side_files(containers.read(source.read_bytes()).json)
    except (OSError, containers.ContainerError, limits.LimitError):
        return []  # The command itself will say what is wrong with it.
    paths = [path_of(uri, source) for uri in uris]
    return [path for path in paths if path is not None and is_inside(path, source)]


def bpy_release() -> str:
    """The release of the `bpy` module of this Python; empty where there is none."""
    try:
        return metadata.version("bpy")
    except metadata.PackageNotFoundError:
        return ""


def version() -> str:
    """The digest of our own code."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()

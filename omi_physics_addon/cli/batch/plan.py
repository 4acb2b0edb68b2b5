"""Which files there are to do, where each goes, and what its result depends on."""

from __future__ import annotations

import glob
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .. import jobs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

PACKAGE = Path(__file__).resolve().parents[2]
SUFFIXES = {
    "export": (".blend",),
    "convert": (".glb", ".gltf"),
    "check": (".glb", ".gltf"),
    "fix": (".glb", ".gltf"),
}


class Task(NamedTuple):
    """One file to do.

    Attributes:
        name: the path of the source below what the command line named, with slashes.
        command: "export", "convert", "check" or "fix".
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


def tasks(
    command: str,
    words: Iterable[str],
    folder: Path,
    suffix: str,
    options: Sequence[str],
    program: str,
) -> list[Task]:
    """What is to be done, by name.

    Args:
        words: files, folders and globs.
        folder: where outputs go.
        suffix: of what export writes.
        program: what tells the programs that do it from others.

    Raises:
        InputError: something is not there, or two sources would write one file.
    """
    found: dict[str, Path] = {}
    owners: dict[str, Path] = {}
    for word in words:
        for source, name in sorted(_sources(word, SUFFIXES[command], folder)):
            goal = str(Path(name).with_suffix(suffix)) if command == "export" else name
            if owners.setdefault(goal, source) != source:
                raise jobs.InputError(f"{owners[goal]} and {source} would both write {goal}")
            found[name] = source
    return [
        Task(
            name=name,
            command=command,
            source=str(source),
            output=None if command == "check" else str(_goal(folder, name, command, suffix)),
            options=tuple(options),
            key=key_of(source, [command, name, suffix, program, *options]),
        )
        for name, source in sorted(found.items())
    ]


def _goal(folder: Path, name: str, command: str, suffix: str) -> Path:
    path = folder / name
    return path.with_suffix(suffix) if command == "export" else path


def _sources(word: str, suffixes: Sequence[str], folder: Path) -> Iterator[tuple[Path, str]]:
    """Files with their names below what the word says."""
    path = Path(word)
    if path.is_file():
        if path.suffix.lower() not in suffixes:
            raise jobs.InputError(f"{path}: the name must end in {' or '.join(suffixes)}")
        yield path.absolute(), path.name
        return
    if path.is_dir():
        base, every = path, path.rglob("*")
    else:
        parts = Path(word).parts
        wild = next((n for n, part in enumerate(parts) if glob.has_magic(part)), None)
        if wild is None:
            raise jobs.InputError(f"there is no file {word}")
        base = Path(*parts[:wild])
        every = map(Path, glob.iglob(word, recursive=True))
    # What an earlier run wrote is no source, unless it is asked for.
    inside = folder.is_relative_to(base.absolute()) and folder != base.absolute()
    for each in every:
        below = each.relative_to(base)
        if inside and each.absolute().is_relative_to(folder):
            continue
        if any(part.startswith(".") for part in below.parts):
            continue
        if each.suffix.lower() in suffixes and each.is_file():
            yield each.absolute(), below.as_posix()


def key_of(source: Path, words: Sequence[str]) -> str:
    """The digest of a file, of the files that a glTF has beside it, and of words."""
    digest = hashlib.sha256(json.dumps(words).encode())
    for path in (source, *beside(source)):
        digest.update(digest_of(path).encode() if path.is_file() else b"missing")
    return digest.hexdigest()


def digest_of(path: Path) -> str:
    """The digest of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def beside(source: Path) -> list[Path]:
    """The files in its folder that a glTF names; those of a .blend file take a Blender to know."""
    from ...codec.gltf import containers, limits
    from ...files.beside import is_inside, path_of

    if source.suffix.lower() == ".blend":
        return []
    try:
        limits.check_size(source.stat().st_size)
        uris = containers.side_files(containers.read(source.read_bytes()).json)
    except (containers.ContainerError, limits.LimitError):
        return []  # The command itself will say what is wrong with it.
    paths = [path_of(uri, source) for uri in uris]
    return [path for path in paths if path is not None and is_inside(path, source)]


def version() -> str:
    """The digest of our own code."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()

"""The files that words of a command line stand for, and the glTF in one."""

from __future__ import annotations

import glob
from pathlib import Path
from typing import TYPE_CHECKING

from . import jobs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..codec.gltf.containers import Container

SUFFIXES = (".blend", ".glb", ".gltf")


def found(
    word: str, suffixes: Sequence[str], besides: Path | None = None
) -> Iterator[tuple[Path, str]]:
    """The files of a word, each with its path below what the word says, with slashes.

    Of a folder, named or found by a glob, these are all files below it. Hidden files and those in
    hidden folders are left out.

    Args:
        suffixes: of the names of files, in lower case.
        besides: a folder that is left out, unless the word is about nothing else.

    Raises:
        InputError: there is no such file or folder, or its name ends otherwise.
    """
    path = Path(word)
    if path.is_file():
        if path.suffix.lower() not in suffixes:
            raise jobs.InputError(f"{path}: the name must end in {' or '.join(suffixes)}")
        yield path, path.name
        return
    if path.is_dir():
        base, every = path, path.rglob("*")
    else:
        parts = Path(word).parts
        wild = next((n for n, part in enumerate(parts) if glob.has_magic(part)), None)
        if wild is None:
            raise jobs.InputError(f"there is no file {word}")
        base = Path(*parts[:wild])
        every = dict.fromkeys(_with_all_below(map(Path, glob.iglob(word, recursive=True))))
    whole = base.absolute()
    if besides is not None and (besides == whole or not besides.is_relative_to(whole)):
        besides = None
    for each in every:
        below = each.relative_to(base)
        if besides is not None and each.absolute().is_relative_to(besides):
            continue
        if any(part.startswith(".") for part in below.parts):
            continue
        if each.suffix.lower() in suffixes and each.is_file():
            yield each, below.as_posix()


def _with_all_below(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from path.rglob("*")
        else:
            yield path


def named(words: Sequence[str], suffixes: Sequence[str] = SUFFIXES) -> list[str]:
    """The files of all words, each once; one that is not there is told in its turn.

    Raises:
        InputError: there are none.
    """
    names = list(dict.fromkeys(name for word in words for name in _of_word(word, suffixes)))
    if not names:
        raise jobs.InputError(f"there is no {' or '.join(suffixes)} file in {' '.join(words)}")
    return names


def is_wide(word: str) -> bool:
    """Whether a word is a folder or a glob."""
    return Path(word).is_dir() or (glob.has_magic(word) and not Path(word).exists())


def _of_word(word: str, suffixes: Sequence[str]) -> Iterator[str]:
    if is_wide(word):
        yield from sorted(str(path) for path, _ in found(word, suffixes))
    else:
        yield word


def read(source: Path) -> Container:
    """The glTF in a file.

    Raises:
        InputError: there is no such file, it is no glTF, or too large.
    """
    from ..codec.gltf import containers, limits

    try:
        limits.check_size(source.stat().st_size)
        return containers.read(source.read_bytes())
    except OSError as problem:
        raise jobs.InputError(f"cannot read {source}: {problem.strerror}") from problem
    except (containers.ContainerError, limits.LimitError) as problem:
        raise jobs.InputError(f"{source}: {problem}") from problem

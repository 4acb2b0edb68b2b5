"""Meshes in files beside a robot's: OBJ and STL, and what trimesh reads where it is installed."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from ..codec.gltf import limits
from ..files.beside import is_inside, is_there
from ..geometry.arrays import Array, Indices
from .xml_source import LARGEST

Triangles = tuple[Array, Indices]

_PACKAGE: Final = "package://"
_FACET: Final = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("flags", "<u2")])
_BY_TRIMESH: Final = (".dae", ".ply", ".glb", ".gltf", ".off", ".3mf")
_STL_HEADER: Final = 80


class MeshFileError(Exception):
    """A mesh cannot be read; the message says why and what helps."""


class MeshFiles:
    """Reads the meshes that a file names, each once, and no file outside of its folder.

    `package://NAME/PATH` is a path in a folder NAME with a `package.xml` above the file, else in a
    folder NAME beside it, else in the file's own folder.
    """

    def __init__(self, source: Path, *, allow_outside: bool) -> None:
        self._source, self._allowed = source.absolute(), allow_outside
        self._known: dict[Path, Triangles | MeshFileError] = {}

    def read(self, name: str) -> Triangles:
        """The corners (n, 3) and triangles (m, 3) of a mesh.

        Raises:
            MeshFileError: it cannot be read.
        """
        path = self.path_of(name)
        if path not in self._known:
            try:
                self._known[path] = checked(*_read(path))
            except MeshFileError as problem:
                self._known[path] = problem
        found = self._known[path]
        if isinstance(found, MeshFileError):
            raise found
        return found

    def path_of(self, name: str) -> Path:
        """The file that a name means.

        Raises:
            MeshFileError: there is none, or it is outside of the folder.
        """
        candidates = [path for path in self._candidates(name) if is_there(path)]
        if not candidates:
            raise MeshFileError(f'the file "{name[:200]}" is missing; put it beside {self._home}')
        for path in candidates:
            if self._allowed or is_inside(path, self._top(name)):
                return path
        why = f'"{name[:200]}" is outside of the folder of {self._home}'
        raise MeshFileError(f"{why}; --allow-outside reads it")

    @property
    def _home(self) -> str:
        return self._source.name

    def _top(self, name: str) -> Path:
        """A file in the folder in which a mesh must be: of a package, the package."""
        if name.startswith(_PACKAGE):
            for folder in self._packages(name.removeprefix(_PACKAGE).partition("/")[0]):
                return folder / self._home
        return self._source

    def _packages(self, name: str) -> list[Path]:
        """The packages of this name that the file is in."""
        above = [folder for folder in self._source.parents if folder.name == name != ""]
        return [folder for folder in above if is_there(folder / "package.xml")]

    def _candidates(self, name: str) -> list[Path]:
        if "\0" in name:
            return []
        if name.startswith(_PACKAGE):
            package, _, rest = name.removeprefix(_PACKAGE).partition("/")
            beside = [self._source.parent / package, self._source.parent]
            return [folder / rest for folder in (*self._packages(package), *beside)]
        name = name.removeprefix("file://")
        return [] if "://" in name else [self._source.parent / name]


def _read(path: Path) -> Triangles:
    suffix = path.suffix.lower()
    try:
        limits.check_size(path.stat().st_size)
        if suffix == ".obj":
            return _obj(path.read_bytes())
        if suffix == ".stl":
            return _stl(path.read_bytes())
    except OSError as problem:
        raise MeshFileError(f"{path.name} cannot be read: {problem.strerror}") from problem
    except (ValueError, OverflowError, limits.LimitError) as problem:
        raise MeshFileError(f"{path.name} is damaged: {problem}") from problem
    if suffix not in _BY_TRIMESH:
        raise MeshFileError(f"{path.name} is of a kind that is not read; save it as OBJ or STL")
    try:
        library: Any = importlib.import_module("trimesh")
    except ModuleNotFoundError as problem:
        raise MeshFileError(
            f"{path.name} is neither OBJ nor STL; save it as one of these, or on the command line "
            'install what reads it: pip install "omi-physics-addon[robots]"'
        ) from problem
    try:
        mesh = library.load(path, force="mesh")
        return np.array(mesh.vertices, dtype=np.float64), np.array(mesh.faces, dtype=np.int64)
    except Exception as problem:
        raise MeshFileError(f"{path.name} cannot be read: {problem}") from problem


def checked(corners: Array, triangles: Indices) -> Triangles:
    """A mesh (n, 3) and (m, 3), m, whose numbers are those that a file can mean.

    Raises:
        MeshFileError: they are not.
    """
    if not len(triangles):
        raise MeshFileError("a mesh has no triangles")
    if not (np.abs(corners) < LARGEST).all():
        raise MeshFileError("a corner of a mesh is not a number that a file can mean")
    if triangles.min() < 0 or triangles.max() >= len(corners):
        raise MeshFileError("a triangle refers to a corner that does not exist")
    return corners, triangles


def _obj(content: bytes) -> Triangles:
    """The triangles of an OBJ, whose faces may have any number of corners.

    Source: Wavefront OBJ, "v" and "f"; negative numbers count from the last corner.
    """
    corners: list[Sequence[float]] = []
    faces: list[tuple[int, int, int]] = []
    for line in content.decode("utf-8", "replace").splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            corners.append(tuple(map(float, words[1:4])))
            if len(corners[-1]) != 3:
                raise ValueError(f'"{line[:60]}" is no corner')
        elif words[:1] == ["f"]:
            at = [int(word.partition("/")[0]) for word in words[1:]]
            at = [number - 1 if number > 0 else len(corners) + number for number in at]
            faces += [(at[0], at[i], at[i + 1]) for i in range(1, len(at) - 1)]
    points = np.array(corners, dtype=np.float64).reshape(-1, 3)
    return points, np.array(faces, dtype=np.int64).reshape(-1, 3)


def _stl(content: bytes) -> Triangles:
    """The triangles of an STL, binary or as text, whose equal corners become one."""
    start = _STL_HEADER + 4
    count = int.from_bytes(content[_STL_HEADER:start], "little")
    if len(content) >= start and len(content) == start + count * _FACET.itemsize:
        facets = np.frombuffer(content, _FACET, count, start)
        points = facets["corners"].reshape(-1, 3).astype(np.float64)
    else:
        found = re.findall(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)", content)
        points = np.array(found).astype(np.float64).reshape(-1, 3)
    if len(points) % 3:
        raise ValueError("a triangle lacks corners")
    corners, order = np.unique(points, axis=0, return_inverse=True)
    return corners, order.reshape(-1, 3).astype(np.int64)


def obj_of(corners: Array, triangles: Indices) -> bytes:
    """The content of an OBJ with the digits that 32-bit numbers have."""
    rows = cast(list[list[float]], corners.astype(np.float32).tolist())
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in rows]
    lines += [f"f {a} {b} {c}" for a, b, c in (triangles + 1).tolist()]
    return ("\n".join(lines) + "\n").encode()

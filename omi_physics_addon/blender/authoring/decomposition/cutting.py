"""Has pieces of meshes cut into convex parts, one after the other, while Blender goes on."""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from ....geometry.fit.mesh_volumes import closed_volume
from ..fit_sources import Cuts, Piece

LIBRARY: Final = "coacd"
MISSING: Final = (
    "Convex decomposition needs CoACD, which is not here: install the add-on's file for this "
    'system, or run "{python} -m pip install coacd"'
)
_CUTTER: Final = Path(__file__).with_name("cutter.py")
_DONE: Final = re.compile(rb"Processing \[([\d.]+)%\]")
_TAIL: Final = 4096  # Bytes of what CoACD said that are looked at.
_ALIKE: Final = 1e-6  # Of two volumes that are the same but for rounding.
_NO_CONSOLE: Final[int] = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # On Windows.
_PAUSE: Final = 0.02  # s between two looks where nobody does anything else.


class CutError(Exception):
    """A mesh cannot be cut; the message says why."""


@functools.cache
def is_here() -> bool:
    """Whether this Blender has the library."""
    return importlib.util.find_spec(LIBRARY) is not None


def missing() -> str:
    """What to do where it has not."""
    return MISSING.format(python=sys.executable)


class Cutting:
    """Pieces that are being cut.

    Attributes:
        parts: those of the pieces that are done, in their order.
    """

    def __init__(self, pieces: Sequence[Piece], cuts: Cuts) -> None:
        """Begin with the first.

        Raises:
            CutError: the library is not here, or no process can be started.
        """
        if not is_here():
            raise CutError(missing())
        self.parts: list[list[Piece]] = []
        self._pieces, self._cuts = [*pieces], cuts
        self._folder = tempfile.TemporaryDirectory(prefix="omi_physics_")
        self._process: subprocess.Popen[bytes] | None = None
        self._start()

    def step(self) -> bool:
        """Take what is done and begin the next; whether all is done.

        Raises:
            CutError: a piece cannot be cut.
        """
        process = self._process
        if process is None:
            return True
        if process.poll() is None:
            return False
        self._process = None
        self.parts.append(self._read(process.returncode))
        self._start()
        return self._process is None

    def wait(self) -> list[list[Piece]]:
        """Do nothing else until all is done; the parts of each piece.

        Raises:
            CutError: a piece cannot be cut.
        """
        while not self.step():
            time.sleep(_PAUSE)
        return self.parts

    @property
    def progress(self) -> float:
        """How much is done, 0 to 1."""
        done = float(len(self.parts))
        if self._process is not None:
            said = _DONE.findall(self._said())
            done += float(said[-1]) / 100.0 if said else 0.0
        return min(done / max(len(self._pieces), 1), 1.0)

    def cancel(self) -> None:
        """End it without a trace."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        self._folder.cleanup()

    def _start(self) -> None:
        """Begin the next piece that is not convex, if there is one."""
        for piece in self._pieces[len(self.parts) :]:
            if not is_convex(piece):
                break
            self.parts.append([piece])
        if len(self.parts) == len(self._pieces):
            self._folder.cleanup()
            return
        piece, cuts = self._pieces[len(self.parts)], self._cuts
        source, output, log = self._paths()
        np.savez(
            source,
            points=piece.points,
            triangles=piece.triangles.astype(np.int32),
            concavity=cuts.concavity,
            hulls=cuts.hulls,
            vertices=cuts.vertices,
            seed=cuts.seed,
        )
        output.unlink(missing_ok=True)
        try:
            with log.open("wb") as said:
                self._process = subprocess.Popen(
                    [sys.executable, "-s", str(_CUTTER), str(source), str(output)],
                    stdin=subprocess.DEVNULL,
                    stdout=said,
                    stderr=subprocess.STDOUT,
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(_places())},
                    creationflags=_NO_CONSOLE,
                )
        except OSError as problem:
            self.cancel()
            raise CutError(f"cannot start {sys.executable}: {problem.strerror}") from problem

    def _read(self, exit_code: int) -> list[Piece]:
        output = self._paths()[1]
        if exit_code or not output.is_file():
            lines = self._said().decode("utf-8", "replace").strip().splitlines() or [""]
            self.cancel()
            raise CutError(f"CoACD stopped with exit code {exit_code}: {lines[-1]}")
        with np.load(output) as found:
            return [
                Piece(
                    found[f"points{number}"].astype(np.float64),
                    found[f"triangles{number}"].astype(np.int64),
                )
                for number in range(int(found["count"]))
            ]

    def _paths(self) -> tuple[Path, Path, Path]:
        folder = Path(self._folder.name)
        return folder / "in.npz", folder / "out.npz", folder / "said.txt"

    def _said(self) -> bytes:
        log = self._paths()[2]
        with log.open("rb") as said:
            said.seek(max(0, log.stat().st_size - _TAIL))
            return said.read()


def is_convex(piece: Piece) -> bool:
    """Whether a piece is its own hull, so that there is nothing to cut."""
    inside = closed_volume(piece.points, piece.triangles)
    return inside is not None and piece.hull_volume <= (1.0 + _ALIKE) * inside


def parts_of(pieces: Sequence[Piece], cuts: Cuts, known: dict[Piece, list[Piece]]) -> list[Piece]:
    """The convex parts of all pieces; those without faces stay as they are.

    Args:
        known: those of pieces that were cut before, to which new ones are added.

    Raises:
        CutError: the library is not here, or a piece cannot be cut.
    """
    new = [piece for piece in pieces if piece not in known and len(piece.triangles)]
    known |= zip(new, Cutting(new, cuts).wait(), strict=True)
    return found_of(pieces, known)


def found_of(pieces: Sequence[Piece], known: Mapping[Piece, Sequence[Piece]]) -> list[Piece]:
    """The convex parts of all pieces, with their surfaces; what has none stays as it is."""
    return [part.painted(piece) for piece in pieces for part in known.get(piece, [piece])]


def _places() -> list[str]:
    """Where a Python that Blender starts finds what it needs."""
    found: list[str] = []
    for name in (LIBRARY, "numpy"):
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            found.append(str(Path(spec.origin).parents[1]))
    return list(dict.fromkeys(found))

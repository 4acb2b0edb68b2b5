"""Where bodies were over time, and how that is written to files.

Places are those of the origins of the bodies' nodes; velocities are those of their centres of
mass, as OMI_physics_body means them. All of it is in the world, in glTF's axes.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from ..geometry.arrays import Array
from ..geometry.rotations import quaternions
from .state import Masses, State

FORMAT: Final = "omi_physics_poses"
_VERSION: Final = 1
_DECIMALS: Final = 9
_COLUMNS: Final = (
    *("time", "name", "type", "x", "y", "z", "qx", "qy", "qz", "qw"),
    *("vx", "vy", "vz", "wx", "wy", "wz"),
)


@dataclass(frozen=True)
class Passage:
    """Somebody has entered or left a trigger.

    Attributes:
        time: s.
        body, trigger: names of objects.
    """

    time: float
    body: str
    trigger: str
    entered: bool


@dataclass(frozen=True)
class PassedBy:
    """Somebody has come through what should have stopped it.

    Attributes:
        time: s.
        body, through: names of objects.
    """

    time: float
    body: str
    through: str


@dataclass
class Recording:
    """The poses of n named bodies at some times.

    Attributes:
        names, types: (n,), of the bodies.
        times: (k,), s.
        places: k times (n, 3), m.
        rotations: k times (n, 4), quaternions x, y, z, w whose signs do not jump.
        velocities: k times (n, 3), m/s.
        spins: k times (n, 3), rad/s.
    """

    names: tuple[str, ...]
    types: tuple[str, ...]
    times: list[float] = field(default_factory=list[float])
    places: list[Array] = field(default_factory=list[Array])
    rotations: list[Array] = field(default_factory=list[Array])
    velocities: list[Array] = field(default_factory=list[Array])
    spins: list[Array] = field(default_factory=list[Array])

    def __len__(self) -> int:
        return len(self.times)

    def add(self, time: float, state: State, masses: Masses) -> None:
        """Record where the bodies are now."""
        turns = quaternions(state.rotation)
        if self.rotations:
            turns[np.einsum("ni,ni->n", turns, self.rotations[-1]) < 0.0] *= -1.0
        self.times.append(time)
        self.places.append(state.origin(masses))
        self.rotations.append(turns)
        self.velocities.append(state.velocity.copy())
        self.spins.append(state.spin.copy())

    def stacked(self) -> tuple[Array, Array, Array, Array]:
        """Places, rotations, velocities and spins as (k, n, 3 or 4), rounded."""
        count = len(self.names)
        columns = ((self.places, 3), (self.rotations, 4), (self.velocities, 3), (self.spins, 3))
        p, r, v, s = (_rounded(rows, (len(self), count, width)) for rows, width in columns)
        return p, r, v, s


def _rounded(rows: Sequence[Array], shape: tuple[int, ...]) -> Array:
    result: Array = np.array(rows, dtype=np.float64).reshape(shape).round(_DECIMALS) + 0.0
    return result  # Adding zero makes zeros of what was a tiny bit below.


def to_json(
    recording: Recording,
    events: Sequence[Passage] = (),
    not_exact: Sequence[tuple[str, Sequence[str]]] = (),
    passed: Sequence[PassedBy] = (),
) -> str:
    """The text of a JSON file.

    Args:
        not_exact: what could not be carried exactly, and the objects it concerns.
        passed: who came through what should have stopped it.

    Raises:
        ValueError: a number is not finite.
    """
    stacked = recording.stacked()
    keys = ("position", "rotation", "linearVelocity", "angularVelocity")
    bodies: list[dict[str, Any]] = [
        {"name": name, "type": kind}
        | {key: rows[:, i].tolist() for key, rows in zip(keys, stacked, strict=True)}
        for i, (name, kind) in enumerate(zip(recording.names, recording.types, strict=True))
    ]
    data = {
        "format": FORMAT,
        "version": _VERSION,
        "times": [round(time, _DECIMALS) for time in recording.times],
        "bodies": bodies,
        "events": [
            {
                "time": round(one.time, _DECIMALS),
                "body": one.body,
                "trigger": one.trigger,
                "entered": one.entered,
            }
            for one in events
        ],
        "passedThrough": [
            {"time": round(one.time, _DECIMALS), "body": one.body, "through": one.through}
            for one in passed
        ],
        "notExact": [{"text": text, "objects": list(names)} for text, names in not_exact],
    }
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def to_csv(recording: Recording) -> str:
    """The text of a CSV file: a line for every body and time; q is the rotation, w the spin."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    rows = np.concatenate(recording.stacked(), axis=2).tolist()
    for time, bodies in zip(recording.times, rows, strict=True):
        shown = round(time, _DECIMALS)
        for name, kind, numbers in zip(recording.names, recording.types, bodies, strict=True):
            writer.writerow([shown, name, kind, *numbers])
    return text.getvalue()

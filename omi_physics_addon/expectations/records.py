"""What a file of expectations says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

Bound = tuple[float, ...]  # One number, or the three of a vector.
# By subject, what can be measured.
MEASURES: Final[dict[str, tuple[str, ...]]] = {
    "body": (
        *("speed_m_per_s", "velocity_m_per_s", "spin_deg_per_s"),
        *("place_m", "moved_m", "turned_deg", "distance_m"),
    ),
    "joint": ("angle_deg", "slide_m", "gap_m"),
    "chain": ("length_m",),
    "scene": ("energy_gain_j",),
}
VECTORS: Final = ("place_m", "velocity_m_per_s")


class ExpectationError(ValueError):
    """A file of expectations cannot be used; the message says where and why."""


@dataclass(frozen=True)
class Place:
    """Where in a file something is said: the table, counted from 1, and the line."""

    file: str
    table: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.table}"


@dataclass(frozen=True)
class Window:
    """When something must hold.

    Attributes:
        start, end: s; both ends count.
        is_once: whether one moment is enough.
    """

    start: float
    end: float
    is_once: bool = False


@dataclass(frozen=True)
class Range:
    """A measure must be within bounds.

    Attributes:
        low, high: one number or three; infinite for none.
        axis: of a joint, 0 to 2; None for the one that is free.
        other: the body that a distance is measured to.
    """

    measure: str
    low: Bound
    high: Bound
    axis: int | None = None
    other: str = ""


@dataclass(frozen=True)
class Rest:
    """A body must be at rest from a time on.

    Attributes:
        after: s.
        speed: m/s, and spin: deg/s, that rest still has.
    """

    after: float
    speed: float
    spin: float


@dataclass(frozen=True)
class Trigger:
    """A body must, or must not, enter or leave a trigger."""

    body: str
    is_entered: bool
    is_wanted: bool


@dataclass(frozen=True)
class Passing:
    """Nothing may come through what should stop it."""


@dataclass(frozen=True)
class Checks:
    """The checks may find nothing worse than this: "none", "info" or "warning"."""

    worst: str


@dataclass(frozen=True)
class Expectation:
    """One table of a file.

    Attributes:
        subject: "body", "joint", "chain", "trigger" or "scene".
        names: of the objects, patterns among them; none for the scene.
        text: what is wanted, in words.
    """

    place: Place
    subject: str
    names: tuple[str, ...]
    want: Range | Rest | Trigger | Passing | Checks
    window: Window
    text: str


@dataclass(frozen=True)
class Input:
    """What a pilot or a joint is told for some time.

    Attributes:
        subject: "vehicle" or "joint".
        values: by key of the file.
    """

    place: Place
    subject: str
    name: str
    window: Window
    values: dict[str, float]
    axis: int | None = None


@dataclass(frozen=True)
class Expectations:
    """All that a file says.

    Attributes:
        is_blender: whether vectors and axes are in Blender's axes, Z up; else in glTF's, Y up.
    """

    file: str
    seconds: float
    fps: int
    substeps: int
    is_blender: bool
    inputs: tuple[Input, ...]
    expectations: tuple[Expectation, ...]

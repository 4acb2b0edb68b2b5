"""World gravity, and volumes that pull or push what is inside them.

Source: OMI_physics_gravity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..issue_codes import Code
from .fields import Carried, Field, Quantity, ShapeIndex, Vector3, described, of

DOWN: Final[Vector3] = (0.0, -1.0, 0.0)
EARTH: Final = 9.80665  # m/s², standard gravity; for files that name no strength.

_USUAL: Final = (9.8, 9.81)  # m/s², of Godot's projects and Babylon.js's scenes.
_TOLERANCE: Final = 0.02  # m/s².

_UNIT_DISTANCE: Final = Field(
    "Distance at which gravity has its full strength; zero for the same strength everywhere",
    "m",
    minimum=0.0,
    rule=Code.UNIT_DISTANCE_NEGATIVE,
)


@dataclass(frozen=True, kw_only=True)
class WorldGravity:
    """Gravity wherever no volume says otherwise. Source: OMI_physics_gravity of the document."""

    gravity: float = described(
        EARTH, "Acceleration of gravity", "m/s²", rule=Code.WORLD_GRAVITY_STRENGTH_MISSING
    )
    direction: Vector3 = described(
        DOWN,
        "Direction in which gravity pulls",
        "",
        Quantity.DIRECTION,
        rule=Code.WORLD_GRAVITY_DIRECTION_NOT_UNIT,
    )
    carried: Carried = ""

    @property
    def is_usual(self) -> bool:
        """Whether it is what engines have that do not read it."""
        near = any(abs(self.gravity - usual) < _TOLERANCE for usual in _USUAL)
        return near and tuple(self.direction) == DOWN


@dataclass(frozen=True, kw_only=True)
class DirectionalGravity:
    """The same pull everywhere. Source: OMI_physics_gravity, `directional`."""

    direction: Vector3 = described(
        DOWN,
        "Direction in which gravity pulls, in local space",
        "",
        Quantity.DIRECTION,
        rule=Code.GRAVITY_DIRECTION_NOT_UNIT,
    )
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class PointGravity:
    """A pull to the origin. Source: OMI_physics_gravity, `point`."""

    unit_distance: float = of(0.0, _UNIT_DISTANCE)
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class DiscGravity:
    """A pull to the nearest place of a disc. Source: OMI_physics_gravity, `disc`."""

    radius: float = described(
        1.0, "Radius of the disc", "m", above=0.0, rule=Code.GRAVITY_RADIUS_NOT_POSITIVE
    )
    unit_distance: float = of(0.0, _UNIT_DISTANCE)
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class TorusGravity:
    """A pull to the nearest place of a circle. Source: OMI_physics_gravity, `torus`."""

    radius: float = described(
        1.0, "Radius of the circle", "m", above=0.0, rule=Code.GRAVITY_RADIUS_NOT_POSITIVE
    )
    unit_distance: float = of(0.0, _UNIT_DISTANCE)
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class LineGravity:
    """A pull to the nearest place of a line of segments. Source: OMI_physics_gravity, `line`."""

    points: tuple[Vector3, ...] = ()
    unit_distance: float = of(0.0, _UNIT_DISTANCE)
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class ShapedGravity:
    """A pull to the surface of a shape. Source: OMI_physics_gravity, `shaped`."""

    shape: ShapeIndex | None = described(
        None, "Shape with the attracting surface", rule=Code.GRAVITY_SHAPE_MISSING
    )
    unit_distance: float = of(0.0, _UNIT_DISTANCE)
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class OtherGravity:
    """A kind of gravity that no specification we read names; it only travels through."""

    type: str = ""
    carried: Carried = ""


GravityField = (
    DirectionalGravity
    | PointGravity
    | DiscGravity
    | TorusGravity
    | LineGravity
    | ShapedGravity
    | OtherGravity
)

TYPES: Final[dict[str, type[GravityField]]] = {
    "directional": DirectionalGravity,
    "point": PointGravity,
    "disc": DiscGravity,
    "torus": TorusGravity,
    "line": LineGravity,
    "shaped": ShapedGravity,
}
WORDS: Final[dict[type, str]] = {record: word for word, record in TYPES.items()}


@dataclass(frozen=True, kw_only=True)
class GravityVolume:
    """Gravity inside the trigger of a node. Source: OMI_physics_gravity on the node."""

    field: GravityField
    gravity: float = described(
        EARTH,
        "Strength of gravity; negative values push away",
        "m/s²",
        rule=Code.GRAVITY_STRENGTH_MISSING,
    )
    priority: int = described(
        0,
        "Volumes of higher priority come first; the world comes last",
        rule=Code.PRIORITY_NOT_WHOLE,
    )
    replace: bool = described(False, "Override the gravity of volumes with higher priority")
    stop: bool = described(False, "Ignore volumes of lower priority and world gravity")
    carried: Carried = ""

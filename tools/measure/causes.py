"""Why loaders do otherwise than the measure expects: a sentence for each cause, and its scenes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple


class Cause(NamedTuple):
    """A reason for which scenes differ.

    Attributes:
        name: in the cells of the table.
        text: a sentence.
        parts: parts of which all scenes that differ do so for it.
        scenes: names of others.
    """

    name: str
    text: str
    parts: tuple[str, ...] = ()
    scenes: tuple[str, ...] = ()


_JOINTS: Final = ("Joints", "Ends of joints", "Drives")
_FILTERS: Final = (
    "collision filter",
    "filter that meets its own system only",
    "filter of no system, on a ground that meets one",
    "more than 32 collision systems",
)
_FRICTION: Final = (
    "friction, average",
    "friction, minimum",
    "friction, maximum",
    "friction, multiply",
    "friction, average and maximum",
    "friction, minimum and maximum",
    "friction, average and multiply",
)
_WORLD_AXES: Final = ("start velocity of a turned body", "start velocity below a turned empty")
_BELOW: Final = ("body below a body", "body below a body, scaled and turned")
_MIRRORED: Final = "body below a turned and mirrored empty"

CAUSES: Final[dict[str, tuple[Cause, ...]]] = {
    "Preview": (
        Cause(
            "landing",
            "A capsule that lands on its side while it is mirrored is thrown aside by friction in "
            "the engines, and is not in Bullet.",
            scenes=(_MIRRORED,),
        ),
    ),
    "Godot": (
        Cause("joints", "Godot has no joints of OMI without an add-on.", _JOINTS),
        Cause("vehicles", "Godot has no vehicles of OMI without an add-on.", ("Vehicles",)),
        Cause("gravity", "Godot does not read gravity of the file.", ("Gravity",)),
        Cause(
            "capsules",
            "Godot takes the height of a capsule for that with both ends, and both ends for alike.",
            scenes=(
                "capsule, standing on its end",
                "capsule, lying",
                "capsule, tapered",
                "capsules, tapered, as legs",
                "capsule scaled evenly",
                _MIRRORED,
            ),
        ),
        Cause(
            "colliders",
            "A collider below a child of a body becomes a static body of its own.",
            scenes=(
                "shape beside the origin of a child",
                "shape on a grandchild",
                "table whose parts are fitted",
            ),
        ),
        Cause(
            "velocities",
            "Velocities at the start are taken along the axes of the world.",
            scenes=_WORLD_AXES,
        ),
        Cause(
            "gravity factors",
            "Godot does not read gravity factors.",
            scenes=("gravity factor of 0", "gravity factor of 0.5"),
        ),
        Cause(
            "kinematic",
            "A kinematic body stands, whatever its velocity.",
            scenes=("kinematic body with a velocity",),
        ),
        Cause("below", "A body below a moving one moves with both.", scenes=_BELOW),
        Cause(
            "materials",
            "Godot does not read physics materials.",
            scenes=(*_FRICTION, "ball that bounces", "bounce, the larger of two"),
        ),
        Cause("filters", "Godot does not read collision filters.", scenes=_FILTERS),
    ),
    "Godot, our importer": (
        Cause(
            "ranges",
            "Jolt takes each axis of a range over several for itself.",
            scenes=("rope that pulls aside", "cone-twist, hanging over"),
        ),
    ),
    "Babylon.js": (
        Cause(
            "tapers",
            "A tapered capsule becomes a hull of few corners, on which it rolls aside.",
            scenes=("capsule, tapered",),
        ),
        Cause(
            "planes",
            "Planes are not read.",
            scenes=("plane without an end", "plane with ends, turned"),
        ),
        Cause(
            "velocities",
            "A velocity at the start is multiplied by the scale of its body.",
            scenes=(
                "start velocity of a scaled body",
                "start velocity of a body scaled unevenly",
            ),
        ),
        Cause(
            "damping",
            "Rotation is damped by 0.1 a second.",
            scenes=("spin, and an arm that shows it",),
        ),
        Cause("mass", "An infinite mass does not fall.", scenes=("infinite mass",)),
        Cause(
            "below",
            "A body below a moving one falls through the ground.",
            scenes=(*_BELOW, "kinematic body below a dynamic one"),
        ),
        Cause(
            "combine modes",
            "Multiply goes before the other combine modes, and maximum before minimum.",
            scenes=("friction, minimum and maximum", "friction, average and multiply"),
        ),
        Cause(
            "filters",
            "What has no filter is part of all systems, and there are 32 of these at most.",
            scenes=_FILTERS[1:],
        ),
        Cause(
            "moments",
            "Moments of inertia are multiplied by the mass, and stay those about the center of the "
            "shapes where a center of mass is given.",
            scenes=(
                "hinge about Y, with moments of inertia",
                "hinge about Y, with a center of mass elsewhere",
                "hinge about Y, with a center of mass elsewhere, scaled",
                "hinge about Y, of a turned hull whose origin is elsewhere",
            ),
        ),
        Cause(
            "gyroscopic torque",
            "The gyroscopic torque is left out.",
            scenes=("ball to a compound",),
        ),
        Cause(
            "cones",
            "Ranges of several angles are taken axis by axis.",
            scenes=("cone-twist", "cone-twist, hanging over"),
        ),
        Cause(
            "ends",
            "Joints of a body below a static one, or below a node without a body, hold that node "
            "instead, and a joint that hangs on no body is refused.",
            scenes=(
                "joint of a body below the static one that it is connected to",
                "joints of bodies below the empty that they are connected to",
                "joint that hangs on no body",
            ),
        ),
        Cause(
            "drives",
            "A maximum force of 0 is no maximum, and acceleration mode is taken for force mode.",
            scenes=("servo without a force", "servo for any mass"),
        ),
        Cause(
            "motors",
            "Motors run about 2.5 times too fast.",
            scenes=(
                *("motor about X", "motor about Y", "motor about Z", "motor about Y that yields"),
                *("motor along X", "motor along Z under load"),
            ),
        ),
    ),
    "three.js, Rapier": (
        Cause("joints", "The importer has no joints.", _JOINTS),
        Cause(
            "tapers",
            "A tapered shape gets one radius.",
            scenes=("capsule, tapered", "capsules, tapered, as legs"),
        ),
        Cause(
            "planes",
            "Planes are not read.",
            scenes=("plane without an end", "plane with ends, turned"),
        ),
        Cause(
            "hulls",
            "A hull is made of the mesh that its own node shows alone.",
            scenes=("hull of another object's mesh",),
        ),
        Cause(
            "velocities",
            "Velocities at the start are taken along the axes of the world.",
            scenes=_WORLD_AXES,
        ),
        Cause(
            "mass",
            "Masses, infinite ones and centers of mass are not read: each body has 1 kg/m³.",
            scenes=("spin, and an arm that shows it", "infinite mass", "impact of two balls"),
        ),
        Cause(
            "kinematic",
            "Kinematic bodies are dynamic ones.",
            scenes=("kinematic body with a velocity", "kinematic body below a dynamic one"),
        ),
        Cause(
            "combine modes",
            "Combine modes are not read: friction and bounce are the mean of both surfaces.",
            scenes=(
                *("friction, minimum", "friction, maximum", "friction, multiply"),
                *("friction, minimum and maximum", "bounce, the larger of two"),
            ),
        ),
        Cause("filters", "Collision filters are not read.", scenes=_FILTERS),
    ),
    "Page": (),
}


def cause_of(column: str, result: Mapping[str, Any]) -> Cause | None:
    """Why a scene is not the same in a column; None where that is not known."""
    for cause in CAUSES[column]:
        if result["name"] in cause.scenes or result["part"] in cause.parts:
            return cause
    return None


def unused(columns: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[str]:
    """Causes, and scenes of causes, that nothing differs for."""
    found: list[str] = []
    for column, results in columns.items():
        wrong = [one for one in results if one["state"] != "same"]
        names, parts = {one["name"] for one in wrong}, {one["part"] for one in wrong}
        for cause in CAUSES[column]:
            stale = [*set(cause.scenes) - names, *set(cause.parts) - parts]
            found += [f"{column}, {cause.name}: {each}" for each in stale]
    return found

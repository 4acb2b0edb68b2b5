"""What of a rigid body of Blender's our records say, and which rigid body they make."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ...model.bodies import ZERO, CollisionFilter, Motion, PhysicsMaterial
from .values import BODY, COLLECTIONS, USUAL, Values

_SYSTEM: Final = "Collision Collection {}"
_NAMED: Final = re.compile(r"Collision Collection (\d{1,2})")
_NOBODY: Final = "Nobody"
_WHAT: Final = {
    "linear_damping": "damping",
    "angular_damping": "damping",
    "use_margin": "collision margin",
    "collision_margin": "collision margin",
    "use_deactivation": "deactivation",
    "use_start_deactivated": "deactivated at the start",
    "deactivate_linear_velocity": "deactivation",
    "deactivate_angular_velocity": "deactivation",
    "mesh_source": "source of the mesh",
    "use_deform": "deforming mesh",
    "use_breaking": "breaking",
    "breaking_threshold": "breaking",
    "use_override_solver_iterations": "iterations of the solver",
    "solver_iterations": "iterations of the solver",
    "spring_type": "damping of older springs",
}


def motion_of(values: Values) -> Motion:
    """How a rigid body moves; only of what the simulation moves the mass says something."""
    if values["type"] == "ACTIVE" and values["enabled"] and not values["kinematic"]:
        return Motion(type="dynamic", mass=values["mass"], center_of_mass=ZERO)
    is_moved = values["kinematic"] or values["type"] == "ACTIVE"
    return Motion(type="kinematic" if is_moved else "static")


def material_of(values: Values) -> PhysicsMaterial:
    """The surface of a rigid body; Blender multiplies those of two."""
    friction, bounce = values["friction"], values["restitution"]
    name = f"Friction {friction:g}" + (f", Bounce {bounce:g}" if bounce else "")
    return PhysicsMaterial(
        static_friction=friction,
        dynamic_friction=friction,
        restitution=bounce,
        friction_combine="multiply",
        restitution_combine="multiply",
        name=name,
    )


def filter_of(collections: Sequence[bool]) -> CollisionFilter:
    """What a rigid body in some of Blender's collision collections collides with."""
    numbers = [at + 1 for at, member in enumerate(collections) if member]
    systems = tuple(_SYSTEM.format(number) for number in numbers)
    name = "Collision " + " ".join(map(str, numbers)) if numbers else f"Collision {_NOBODY}"
    return CollisionFilter(
        collision_systems=systems, collide_with_systems=systems or (_NOBODY,), name=name
    )


def collections_of(record: CollisionFilter) -> list[bool] | None:
    """The collision collections that a filter of `filter_of` stands for; None for other ones."""
    found = [False] * COLLECTIONS
    systems = record.collision_systems
    if record.collide_with_systems != (systems or (_NOBODY,)) or record.not_collide_with_systems:
        return None
    for system in systems:
        named = _NAMED.fullmatch(system)
        if named is None or not 1 <= int(named[1]) <= COLLECTIONS:
            return None
        found[int(named[1]) - 1] = True
    return found


def values_of(
    motion: Motion | None, kind: str, friction: float, bounce: float, collections: Sequence[bool]
) -> Values:
    """The values of a rigid body.

    Args:
        motion: None for a collider without a body, which does not move.
        kind: one of Blender's collision shapes.
    """
    values: Values = {
        **BODY,
        "collision_shape": kind,
        "friction": friction,
        "restitution": bounce,
        "collision_collections": list(collections),
    }
    if motion is None or motion.type != "dynamic":
        values["type"] = "PASSIVE"
        values["kinematic"] = motion is not None and motion.type == "kinematic"
    elif motion.mass:
        values["mass"] = motion.mass
    return values


def losses_of(kept: Values) -> tuple[list[str], list[str]]:
    """What glTF does not say of what was kept, in words: what an artist chose, and the rest."""
    chosen: dict[str, None] = {}
    usual: dict[str, None] = {}
    for name, pair in kept.items():
        if name in _WHAT:
            (usual if pair[1] == USUAL.get(name) else chosen)[_WHAT[name]] = None
    return list(chosen), [text for text in usual if text not in chosen]

"""What Blender stores of a rigid body and of a constraint, by the names of its properties.

Source: RigidBodyObject and RigidBodyConstraint of Blender's Python API.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

Values = dict[str, Any]

COLLECTIONS: Final = 20  # Two rigid bodies collide where they share one of so many.
_AXES: Final = ("x", "y", "z")

# As Blender makes one, but that it moves as glTF says, which knows no damping, and that its shape
# is as large as it is drawn.
BODY: Final[Mapping[str, Any]] = {
    "type": "ACTIVE",
    "kinematic": False,
    "enabled": True,
    "collision_shape": "BOX",
    "mesh_source": "DEFORM",
    "use_deform": False,
    "mass": 1.0,
    "friction": 0.5,
    "restitution": 0.0,
    "linear_damping": 0.0,
    "angular_damping": 0.0,
    "use_margin": True,
    "collision_margin": 0.0,
    "use_deactivation": False,
    "use_start_deactivated": False,
    "deactivate_linear_velocity": 0.4,
    "deactivate_angular_velocity": 0.5,
    "collision_collections": [at == 0 for at in range(COLLECTIONS)],
}
# What Blender makes otherwise than `BODY`: values that no artist chose.
USUAL: Final[Mapping[str, Any]] = {
    "mesh_source": "DEFORM",
    "linear_damping": 0.04,
    "angular_damping": 0.1,
    "use_margin": False,
    "collision_margin": 0.04,
}
# As Blender makes one; newer springs are in N/m and N s/m.
CONSTRAINT: Final[Mapping[str, Any]] = {
    "type": "POINT",
    "enabled": True,
    "disable_collisions": True,
    "use_breaking": False,
    "breaking_threshold": 10.0,
    "use_override_solver_iterations": False,
    "solver_iterations": 10,
    "spring_type": "SPRING2",
    **{f"use_limit_{kind}_{axis}": False for kind in ("lin", "ang") for axis in _AXES},
    **{f"limit_lin_{axis}_lower": -1.0 for axis in _AXES},
    **{f"limit_lin_{axis}_upper": 1.0 for axis in _AXES},
    **{f"limit_ang_{axis}_lower": -0.7853982 for axis in _AXES},
    **{f"limit_ang_{axis}_upper": 0.7853982 for axis in _AXES},
    **{f"use_spring_{kind}{axis}": False for kind in ("", "ang_") for axis in _AXES},
    **{f"spring_stiffness_{kind}{axis}": 10.0 for kind in ("", "ang_") for axis in _AXES},
    **{f"spring_damping_{kind}{axis}": 0.5 for kind in ("", "ang_") for axis in _AXES},
    "use_motor_lin": False,
    "use_motor_ang": False,
    "motor_lin_target_velocity": 1.0,
    "motor_lin_max_impulse": 1.0,
    "motor_ang_target_velocity": 1.0,
    "motor_ang_max_impulse": 1.0,
}


def residue(said: Values, wanted: Values) -> Values:
    """What is to be kept beside our physics so that Blender's values come back.

    Args:
        said: what our physics makes of it.
        wanted: what Blender has.

    Returns:
        By name, both values where they differ; `completed` takes the second where our physics
        still makes the first of it.
    """
    return {name: [said[name], value] for name, value in wanted.items() if said[name] != value}


def completed(said: Values, kept: Values) -> Values:
    """What our physics makes of a rigid body, with what was kept of Blender's where it applies.

    Args:
        kept: as `residue` gives it; anything else, from files of others, is left out.
    """
    found = dict(said)
    for name, pair in kept.items():
        if name not in said or not isinstance(pair, list):
            continue
        both = cast(list[Any], pair)
        if len(both) == len(("said", "wanted")) and both[0] == said[name]:
            found[name] = both[1]
    return found

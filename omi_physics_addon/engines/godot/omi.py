"""The form of OMI's extensions that Godot's add-on reads (seen with its commit e421986)."""

from __future__ import annotations

import math
from typing import Any, Final

from ...codec.omi.omi_form import OmiForm
from ...codec.values.records import Writing, number
from ...issue_codes import Code
from ...model.shapes import Capsule, Cylinder
from . import joints


def _cylinder(
    cylinder: Cylinder, out: dict[str, Any], place: str, writing: Writing
) -> dict[str, Any]:
    if cylinder.radius_bottom != cylinder.radius_top:
        why = "Godot 4 has no tapered cylinders, so the larger radius is used for both ends"
        writing.issues.add(Code.TAPERED_SHAPE_UNSUPPORTED, place, why)
    radius = max(cylinder.radius_bottom, cylinder.radius_top)
    return {**out, "radius": number(radius)} if math.isfinite(radius) else out


def _capsule(capsule: Capsule, out: dict[str, Any], place: str, writing: Writing) -> dict[str, Any]:
    full = capsule.height + 2.0 * capsule.radius_bottom
    if capsule.radius_bottom != capsule.radius_top:
        why = "Godot 4 has no tapered capsules, so the size differs there; use equal radii"
        writing.issues.add(Code.TAPERED_SHAPE_UNSUPPORTED, place, why)
        return out
    if not math.isfinite(full):
        why = (
            "the capsule's total height is too large for a file, so its size in Godot 4 "
            "differs; reduce the height"
        )
        writing.issues.add(Code.TAPERED_SHAPE_UNSUPPORTED, place, why)
        return out
    why = "the capsule is written in Godot's format; other importers may read a different size"
    writing.issues.add(Code.SHAPE_SIZE_AMBIGUOUS, place, why)
    rest = {k: v for k, v in out.items() if k not in ("radiusBottom", "radiusTop")}
    return {**rest, "height": number(full), "radius": number(capsule.radius_top)}


FORM: Final = OmiForm(
    rounds={Capsule: _capsule, Cylinder: _cylinder},
    joint=joints.without_idle_motors,
    # The add-on drops settings that have one of the other keys.
    vehicle_keys={
        "OMI_vehicle_wheel": ("maxForce", "currentForceRatio", "currentSteeringRatio"),
        "OMI_vehicle_thruster": ("currentForceRatio",),
    },
)

# pyright: reportInvalidTypeForm=false
"""What an object knows of physics: `Object.omi_physics`."""

from typing import Any, Final

import bpy

from ..base import groups
from .bodies import OMIPHYSICS_PG_collider, OMIPHYSICS_PG_motion, OMIPHYSICS_PG_trigger
from .declare import OVERRIDABLE, hidden_text, kept, to_object
from .gravity import OMIPHYSICS_PG_gravity
from .joints import OMIPHYSICS_PG_joint
from .vehicles import (
    OMIPHYSICS_PG_hover_thruster,
    OMIPHYSICS_PG_seat,
    OMIPHYSICS_PG_thruster,
    OMIPHYSICS_PG_vehicle_body,
    OMIPHYSICS_PG_wheel,
)

VERSION: Final = 1  # Of the stored data; raised together with a step in scene/migrations.py.


def _stamp(self: Any, _context: Any) -> None:
    """Note which version the data has with the first part that is switched on."""
    groups.note_physics()
    if not self.version:
        self.version = VERSION


def _part(label: str, text: str) -> Any:
    """The flag that says whether a part is there."""
    return bpy.props.BoolProperty(name=label, description=text, update=_stamp)


class OMIPHYSICS_PG_object(bpy.types.PropertyGroup):
    """The physics of an object; each part counts only while its flag is on."""

    use_motion: _part("Body", "The object is a body; its children move along with it")
    motion: bpy.props.PointerProperty(type=OMIPHYSICS_PG_motion)
    use_collider: _part(
        "Collider",
        "The object has a collider, which belongs to the nearest body on or above the object",
    )
    collider: bpy.props.PointerProperty(type=OMIPHYSICS_PG_collider, override=OVERRIDABLE)
    use_trigger: _part("Trigger", "The object detects bodies that enter its shape")
    trigger: bpy.props.PointerProperty(type=OMIPHYSICS_PG_trigger, override=OVERRIDABLE)
    use_joint: _part("Joint", "The object is a joint that connects the body above to another body")
    joint: bpy.props.PointerProperty(type=OMIPHYSICS_PG_joint, override=OVERRIDABLE)
    use_gravity: _part("Gravity", "The trigger of the object is a gravity volume")
    gravity: bpy.props.PointerProperty(type=OMIPHYSICS_PG_gravity, override=OVERRIDABLE)
    use_vehicle_body: _part("Vehicle", "The body is a vehicle; its front is -Y")
    vehicle_body: bpy.props.PointerProperty(type=OMIPHYSICS_PG_vehicle_body, override=OVERRIDABLE)
    use_wheel: _part("Wheel", "The object is a wheel of the vehicle above it")
    wheel: bpy.props.PointerProperty(type=OMIPHYSICS_PG_wheel, override=OVERRIDABLE)
    use_thruster: _part("Thruster", "The object pushes the vehicle above it")
    thruster: bpy.props.PointerProperty(type=OMIPHYSICS_PG_thruster)
    use_hover_thruster: _part("Hover Thruster", "The object lifts the vehicle above it")
    hover_thruster: bpy.props.PointerProperty(type=OMIPHYSICS_PG_hover_thruster)
    use_seat: _part("Seat", "A character can sit here")
    seat: bpy.props.PointerProperty(type=OMIPHYSICS_PG_seat)
    is_bone_stand_in: bpy.props.BoolProperty(
        name="On Bone",
        description="The physics belongs to the bone the object is parented to; "
        "the object itself is not exported",
    )
    is_collision_only: bpy.props.BoolProperty(
        name="Collision Only",
        description="The mesh is not exported for rendering; shapes may still be made of it",
    )
    is_fitted_part: bpy.props.BoolProperty(
        name="Fitted Part",
        description=(
            "Created for a loose part of the parent's mesh; the next fit of loose parts replaces it"
        ),
        options={"HIDDEN"},
    )
    fitted_state: hidden_text(
        "Fitted State", "State of the part after the fit, to detect edits by hand"
    )
    fit_recipe: hidden_text("Fit Recipe", "Options and mesh of the last fit, for refitting")
    counterpart: to_object(
        "Counterpart",
        "Counterpart among Blender's rigid bodies and constraints",
        options={"HIDDEN"},
    )
    hidden_in: hidden_text("Hidden In", "View layer in which Hide by Role hid the object")
    mesh_node_name: hidden_text(
        "Mesh Node Name",
        "Name of the mesh node in an OMI file, if not derived from the object's name",
    )
    imported_faults: hidden_text(
        "Imported Faults", "Codes of the errors in the imported file, which an export keeps"
    )
    ignored_issues: hidden_text("Ignored Issues", "Codes of the issues to ignore on this object")
    version: bpy.props.IntProperty(
        name="Version", description="Version of the data", options={"HIDDEN"}
    )
    kept: kept()

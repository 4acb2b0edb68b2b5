# pyright: reportInvalidTypeForm=false
"""What an object knows of physics: `Object.omi_physics`."""

from typing import Any, Final

import bpy

from .bodies import OMIPHYSICS_PG_collider, OMIPHYSICS_PG_motion, OMIPHYSICS_PG_trigger
from .declare import OVERRIDABLE, kept
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
    if not self.version:
        self.version = VERSION


def _part(label: str, text: str) -> Any:
    """The flag that says whether a part is there."""
    return bpy.props.BoolProperty(name=label, description=text, update=_stamp)


class OMIPHYSICS_PG_object(bpy.types.PropertyGroup):
    """The physics of an object; each part counts only while its flag is on."""

    use_motion: _part("Body", "The object is a body; what is below it moves with it")
    motion: bpy.props.PointerProperty(type=OMIPHYSICS_PG_motion)
    use_collider: _part(
        "Collider", "The object is solid; it belongs to the nearest body at or above it"
    )
    collider: bpy.props.PointerProperty(type=OMIPHYSICS_PG_collider, override=OVERRIDABLE)
    use_trigger: _part("Trigger", "The object notices bodies that enter it")
    trigger: bpy.props.PointerProperty(type=OMIPHYSICS_PG_trigger, override=OVERRIDABLE)
    use_joint: _part("Joint", "The object holds the body above it to another one")
    joint: bpy.props.PointerProperty(type=OMIPHYSICS_PG_joint, override=OVERRIDABLE)
    use_gravity: _part("Gravity", "The trigger of the object is a volume with its own gravity")
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
        description="Made for a loose part of the mesh of the object above; the next fit of loose "
        "parts takes it again",
        options={"HIDDEN"},
    )
    fitted_state: bpy.props.StringProperty(
        name="Fitted State",
        description="What a fitted part was when it was fitted; another state is the artist's work",
        options={"HIDDEN"},
    )
    fit_recipe: bpy.props.StringProperty(
        name="Fit Recipe",
        description="How its shapes were fitted, and to what mesh, to fit them again",
        options={"HIDDEN"},
    )
    counterpart: bpy.props.PointerProperty(
        name="Counterpart",
        description="Object that it stands for among Blender's rigid bodies, or that does there "
        "what its joint does",
        type=bpy.types.Object,
        options={"HIDDEN"},
        override=OVERRIDABLE,
    )
    hidden_in: bpy.props.StringProperty(
        name="Hidden In",
        description="View layer in which it was hidden by its role",
        options={"HIDDEN"},
    )
    mesh_node_name: bpy.props.StringProperty(
        name="Mesh Node Name",
        description="Name of the node that shows the mesh in an OMI file, where it is not the name "
        "of the object and its kind",
        options={"HIDDEN"},
    )
    imported_faults: bpy.props.StringProperty(
        name="Imported Faults",
        description="Codes of the errors with which it was imported; an export keeps them",
        options={"HIDDEN"},
    )
    ignored_issues: bpy.props.StringProperty(
        name="Ignored Issues",
        description="Codes of the issues that are not to be told of this object",
        options={"HIDDEN"},
    )
    version: bpy.props.IntProperty(
        name="Version", description="Version of the data", options={"HIDDEN"}
    )
    kept: kept()


CLASSES = (OMIPHYSICS_PG_object,)

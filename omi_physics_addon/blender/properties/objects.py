# pyright: reportInvalidTypeForm=false
"""What an object knows of physics: `Object.omi_physics`."""

import bpy

from .bodies import OMIPHYSICS_PG_collider, OMIPHYSICS_PG_motion, OMIPHYSICS_PG_trigger
from .declare import kept


class OMIPHYSICS_PG_object(bpy.types.PropertyGroup):
    """The physics of an object; each part counts only while its flag is on."""

    use_motion: bpy.props.BoolProperty(
        name="Body", description="The object is a body; what is below it moves with it"
    )
    motion: bpy.props.PointerProperty(type=OMIPHYSICS_PG_motion)
    use_collider: bpy.props.BoolProperty(
        name="Collider",
        description="The object is solid; it belongs to the nearest body at or above it",
    )
    collider: bpy.props.PointerProperty(type=OMIPHYSICS_PG_collider)
    use_trigger: bpy.props.BoolProperty(
        name="Trigger", description="The object notices bodies that enter it"
    )
    trigger: bpy.props.PointerProperty(type=OMIPHYSICS_PG_trigger)
    is_collision_only: bpy.props.BoolProperty(
        name="Collision Only",
        description="The mesh is not exported for rendering; shapes may still be made of it",
    )
    version: bpy.props.IntProperty(
        name="Version", description="Version of the data", options={"HIDDEN"}
    )
    kept: kept()


CLASSES = (OMIPHYSICS_PG_object,)

# pyright: reportInvalidTypeForm=false
"""What operators ask for that bring physics over, mirror it, or give it known values."""

import bpy


class RigidScope:
    """Which rigid bodies, constraints, bodies and joints."""

    scope: bpy.props.EnumProperty(
        name="Objects",
        description="Which objects",
        items=(
            ("SELECTED", "Selected", "The selection and what belongs to it", 0),
            ("SCENE", "All", "All objects of the scene", 1),
        ),
    )


class LeaveWorld:
    """What becomes of Blender's rigid bodies."""

    leave_world: bpy.props.BoolProperty(
        name="Leave Blender's World",
        description="Take the objects out of Blender's own rigid-body world, so that the timeline "
        "does not play them any more",
    )

# pyright: reportInvalidTypeForm=false
"""What operators of the preview ask for."""

import bpy


class SettledBodies:
    """Which bodies settle, and how long that may take."""

    seconds: bpy.props.FloatProperty(
        name="Time Limit",
        description="How long it plays at most, until everything rests",
        default=10.0,
        min=0.1,
        soft_max=60.0,
        max=600.0,
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
    )
    only_selected: bpy.props.BoolProperty(
        name="Only Selected",
        description="Move selected objects only; all bodies play",
    )

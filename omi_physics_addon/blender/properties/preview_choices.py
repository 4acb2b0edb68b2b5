# pyright: reportInvalidTypeForm=false
"""What operators of the preview ask for."""

import math
from typing import Any

import bpy


class SettledBodies:
    """Which bodies settle, and how long that may take."""

    seconds: bpy.props.FloatProperty(
        name="Time Limit",
        description="Maximum time to simulate until everything rests",
        default=10.0,
        min=0.1,
        soft_max=60.0,
        max=600.0,
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
    )
    only_selected: bpy.props.BoolProperty(
        name="Only Selected", description="Move selected objects only; all bodies are simulated"
    )


def _angle(axis: str) -> Any:
    return bpy.props.FloatProperty(
        name=f"Angle {axis}",
        description=f"Rotation about {axis}",
        min=-math.pi,
        max=math.pi,
        subtype="ANGLE",
        options={"SKIP_SAVE"},
    )


def _distance(axis: str) -> Any:
    return bpy.props.FloatProperty(
        name=f"Distance {axis}",
        description=f"Translation along {axis}",
        subtype="DISTANCE",
        options={"SKIP_SAVE"},
    )


class JointPose:
    """Where a joint is along and about its axes."""

    distance_x: _distance("X")
    distance_y: _distance("Y")
    distance_z: _distance("Z")
    angle_x: _angle("X")
    angle_y: _angle("Y")
    angle_z: _angle("Z")

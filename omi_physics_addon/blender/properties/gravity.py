# pyright: reportInvalidTypeForm=false
"""Property groups of world gravity and of gravity volumes."""

import bpy

from ...model.gravity import (
    DirectionalGravity,
    DiscGravity,
    GravityVolume,
    LineGravity,
    PointGravity,
    ShapedGravity,
    TorusGravity,
    WorldGravity,
)
from .declare import OVERRIDABLE, flag, kept, number, to_object, use_of, vector, whole
from .shapes import OMIPHYSICS_PG_shape

_WEAKENS = "Weaken with the distance; if off, the strength is constant"

TYPES = (
    ("DIRECTIONAL", "Directional", "The same direction everywhere", "EMPTY_SINGLE_ARROW", 0),
    ("POINT", "Point", "Toward the origin of the object", "LIGHT_POINT", 1),
    ("DISC", "Disc", "Toward the nearest point of a disc around Z", "MESH_CIRCLE", 2),
    ("TORUS", "Torus", "Toward the nearest point of a circle around Z", "MESH_TORUS", 3),
    ("LINE", "Line", "Toward the nearest point of a line", "CURVE_PATH", 4),
    ("SHAPED", "Shaped", "Toward the surface of a shape", "MESH_MONKEY", 5),
    ("OTHER", "Other", "An unknown type, kept for export", "QUESTION", 6),
)


class OMIPHYSICS_PG_directional_gravity(bpy.types.PropertyGroup):
    """Shows a `DirectionalGravity`."""

    direction: vector(DirectionalGravity, "direction")
    kept: kept()


class OMIPHYSICS_PG_point_gravity(bpy.types.PropertyGroup):
    """Shows a `PointGravity`."""

    unit_distance: number(PointGravity, "unit_distance")
    use_unit_distance: use_of("unit_distance", _WEAKENS, 1.0)
    kept: kept()


class OMIPHYSICS_PG_disc_gravity(bpy.types.PropertyGroup):
    """Shows a `DiscGravity`."""

    radius: number(DiscGravity, "radius")
    unit_distance: number(DiscGravity, "unit_distance")
    use_unit_distance: use_of("unit_distance", _WEAKENS, 1.0)
    kept: kept()


class OMIPHYSICS_PG_torus_gravity(bpy.types.PropertyGroup):
    """Shows a `TorusGravity`."""

    radius: number(TorusGravity, "radius")
    unit_distance: number(TorusGravity, "unit_distance")
    use_unit_distance: use_of("unit_distance", _WEAKENS, 1.0)
    kept: kept()


class OMIPHYSICS_PG_line_point(bpy.types.PropertyGroup):
    """A point of a line."""

    location: bpy.props.FloatVectorProperty(
        name="Location",
        description="Location of the point in local space",
        subtype="TRANSLATION",
        unit="LENGTH",
    )


def _is_curve(_group: bpy.types.PropertyGroup, candidate: bpy.types.Object) -> bool:
    return candidate.type == "CURVE"


class OMIPHYSICS_PG_line_gravity(bpy.types.PropertyGroup):
    """Shows a `LineGravity`."""

    points: bpy.props.CollectionProperty(
        name="Points", description="Points of the line, in order", type=OMIPHYSICS_PG_line_point
    )
    points_index: bpy.props.IntProperty(name="Active Point", options={"HIDDEN"})
    curve: to_object(
        "Curve", "Curve object to use for the points instead of the list", poll=_is_curve
    )
    unit_distance: number(LineGravity, "unit_distance")
    use_unit_distance: use_of("unit_distance", _WEAKENS, 1.0)
    kept: kept()


class OMIPHYSICS_PG_shaped_gravity(bpy.types.PropertyGroup):
    """Shows a `ShapedGravity`."""

    shape: bpy.props.PointerProperty(type=OMIPHYSICS_PG_shape, override=OVERRIDABLE)
    use_shape: bpy.props.BoolProperty(
        name="Use Shape",
        description="Use a shape; without a shape the gravity has no effect",
        default=True,
    )
    unit_distance: number(ShapedGravity, "unit_distance")
    use_unit_distance: use_of("unit_distance", _WEAKENS, 1.0)
    kept: kept()


class OMIPHYSICS_PG_gravity(bpy.types.PropertyGroup):
    """Shows a `GravityVolume`; the trigger of the object says where it acts."""

    type: bpy.props.EnumProperty(
        name="Type", description="Direction in which gravity pulls", items=TYPES
    )
    other_type: bpy.props.StringProperty(
        name="Other Type", description="Unknown gravity type, kept for export"
    )
    gravity: number(GravityVolume, "gravity")
    priority: whole(GravityVolume, "priority")
    replace: flag(GravityVolume, "replace")
    stop: flag(GravityVolume, "stop")
    directional: bpy.props.PointerProperty(type=OMIPHYSICS_PG_directional_gravity)
    point: bpy.props.PointerProperty(type=OMIPHYSICS_PG_point_gravity)
    disc: bpy.props.PointerProperty(type=OMIPHYSICS_PG_disc_gravity)
    torus: bpy.props.PointerProperty(type=OMIPHYSICS_PG_torus_gravity)
    line: bpy.props.PointerProperty(type=OMIPHYSICS_PG_line_gravity, override=OVERRIDABLE)
    shaped: bpy.props.PointerProperty(type=OMIPHYSICS_PG_shaped_gravity, override=OVERRIDABLE)
    kept: kept()


class OMIPHYSICS_PG_world_gravity(bpy.types.PropertyGroup):
    """Shows a `WorldGravity`."""

    source: bpy.props.EnumProperty(
        name="From",
        description="Source of the exported gravity",
        items=(
            ("SCENE", "Scene", "The gravity of Blender's scene", 0),
            ("VALUE", "Value", "Set the gravity by hand", 1),
        ),
        default="SCENE",
    )
    gravity: number(WorldGravity, "gravity")
    direction: vector(WorldGravity, "direction")
    kept: kept()

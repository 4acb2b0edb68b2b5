# pyright: reportInvalidTypeForm=false
"""Property groups of shapes."""

import bpy

from ...model.shapes import Box, Capsule, Cylinder, Plane, Sphere
from ..base.mesh_arrays import MESHLIKE
from .declare import OVERRIDABLE, RecordGroup, flag, kept, number, optional, to_object, vector

TYPES = (
    ("BOX", "Box", "A box", "MESH_CUBE", 0),
    ("SPHERE", "Sphere", "A sphere", "MESH_UVSPHERE", 1),
    ("CAPSULE", "Capsule", "The convex hull of two spheres, along Z", "MESH_CAPSULE", 2),
    ("CYLINDER", "Cylinder", "A cylinder or cone, along Z", "MESH_CYLINDER", 3),
    ("CONVEX", "Convex", "The convex hull of a mesh", "MESH_ICOSPHERE", 4),
    ("TRIMESH", "Trimesh", "The surface of a mesh, for static bodies", "MESH_GRID", 5),
    ("PLANE", "Plane", "A rectangle across Z, or an infinite plane; KHR only", "MESH_PLANE", 8),
    ("NONE", "None", "No shape; groups the colliders below", "EMPTY_AXIS", 6),
    ("OTHER", "Other", "An unknown type of an imported file, kept for export", "QUESTION", 7),
)

MESH_SOURCES = (
    ("OWN", "Own Mesh", "The mesh of this object", "OBJECT_DATA", 0),
    ("OBJECT", "Object", "The mesh of another object", "OBJECT_DATAMODE", 1),
    ("DATA", "Mesh", "A mesh data-block, which no object has to use", "MESH_DATA", 2),
)


def _is_meshlike(_group: bpy.types.PropertyGroup, candidate: bpy.types.Object) -> bool:
    return candidate.type in MESHLIKE


_LIMITED, _ENDLESS = "Limit the size of the plane", "when off, the plane is infinite"


class OMIPHYSICS_PG_box(bpy.types.PropertyGroup):
    """Shows a `Box`."""

    size: vector(Box, "size")
    kept: kept()


class OMIPHYSICS_PG_sphere(bpy.types.PropertyGroup):
    """Shows a `Sphere`."""

    radius: number(Sphere, "radius")
    kept: kept()


class OMIPHYSICS_PG_capsule(bpy.types.PropertyGroup):
    """Shows a `Capsule`."""

    height: number(Capsule, "height")
    radius_bottom: number(Capsule, "radius_bottom")
    radius_top: number(Capsule, "radius_top")
    kept: kept()


class OMIPHYSICS_PG_cylinder(bpy.types.PropertyGroup):
    """Shows a `Cylinder`."""

    height: number(Cylinder, "height")
    radius_bottom: number(Cylinder, "radius_bottom")
    radius_top: number(Cylinder, "radius_top")
    kept: kept()


class OMIPHYSICS_PG_plane(RecordGroup, bpy.types.PropertyGroup):
    """Shows a `Plane`, which lies across Z in Blender, its glTF Z along Blender's Y."""

    size_x: optional(Plane, "size_x", f"{_LIMITED} along X; {_ENDLESS}", 10.0)
    size_z: optional(Plane, "size_z", f"{_LIMITED} along Y; {_ENDLESS}", 10.0, label="Size Y")
    double_sided: flag(Plane, "double_sided")
    kept: kept()


class OMIPHYSICS_PG_shape(bpy.types.PropertyGroup):
    """Shows a `Shape`, and where it sits on its object."""

    type: bpy.props.EnumProperty(
        name="Type", description="Type of the shape", items=TYPES, default="BOX"
    )
    box: bpy.props.PointerProperty(type=OMIPHYSICS_PG_box)
    sphere: bpy.props.PointerProperty(type=OMIPHYSICS_PG_sphere)
    capsule: bpy.props.PointerProperty(type=OMIPHYSICS_PG_capsule)
    cylinder: bpy.props.PointerProperty(type=OMIPHYSICS_PG_cylinder)
    plane: bpy.props.PointerProperty(type=OMIPHYSICS_PG_plane)
    mesh_source: bpy.props.EnumProperty(
        name="Mesh From",
        description="Source of the collision mesh",
        items=MESH_SOURCES,
        default="OWN",
    )
    mesh_object: to_object(
        "Object", "Object with the collision mesh, used in its local space", poll=_is_meshlike
    )
    use_children: bpy.props.BoolProperty(
        name="With Children", description="Also use the meshes of the object's children"
    )
    mesh: bpy.props.PointerProperty(
        name="Mesh", description="Mesh used as the shape", type=bpy.types.Mesh, override=OVERRIDABLE
    )
    location: bpy.props.FloatVectorProperty(
        name="Location",
        description="Center of the shape, in the space of the object",
        subtype="TRANSLATION",
        unit="LENGTH",
    )
    rotation: bpy.props.FloatVectorProperty(
        name="Rotation",
        description="Rotation of the shape in local space",
        subtype="EULER",
        unit="ROTATION",
    )
    other_type: bpy.props.StringProperty(
        name="Other Type", description="Unknown shape type, kept for export"
    )
    geometry_kept: kept()
    kept: kept()

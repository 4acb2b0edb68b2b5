# pyright: reportInvalidTypeForm=false
"""What operators ask for that bring physics over, mirror it, or give it known values."""

import bpy

from ...model.known_surfaces import KNOWN, KnownSurface


class RigidScope:
    """Which rigid bodies, constraints, bodies and joints."""

    scope: bpy.props.EnumProperty(
        name="Objects",
        description="Which objects",
        items=(
            ("SELECTED", "Selected", "The selected objects, their joints and bodies", 0),
            ("SCENE", "All", "All objects of the scene", 1),
        ),
    )


class LeaveWorld:
    """What becomes of Blender's rigid bodies."""

    leave_world: bpy.props.BoolProperty(
        name="Leave Blender's World",
        description=(
            "Remove the objects from Blender's Rigid Body World, so the timeline no longer "
            "simulates them"
        ),
    )


def _told(known: KnownSurface) -> str:
    """The values of a material, and where its frictions are from."""
    text = f"On {known.on}: {known.static:g} static, {known.dynamic:g} dynamic"
    if known.restitution is not None:
        text += f", bounce {known.restitution:g}"
    if known.density is not None:
        text += f", {known.density:g} kg/m³"
    return f"{text}; {known.friction_source}"


MATERIALS = [(known.name.upper().replace(" ", "_"), known.name, _told(known)) for known in KNOWN]


class KnownMaterial:
    """Which known material."""

    material: bpy.props.EnumProperty(
        name="Material",
        description="Real material with the friction, bounce and density to set",
        items=MATERIALS,
    )
    use_density: bpy.props.BoolProperty(
        name="Density",
        description="Set the mass of dynamic bodies from the density of this material",
        default=True,
    )


class MirrorPlane:
    """Where the mirror stands."""

    axis: bpy.props.EnumProperty(
        name="Across",
        description="Axis to mirror across",
        items=[(axis, axis, f"The {axis} axis", i) for i, axis in enumerate("XYZ")],
    )
    about: bpy.props.EnumProperty(
        name="About",
        description="Origin and axes of the mirror",
        items=(
            ("WORLD", "World", "World origin and axes", 0),
            (
                "ACTIVE",
                "Active Object",
                "Origin and axes of the active object, which is not mirrored",
                1,
            ),
            ("CURSOR", "3D Cursor", "Location and axes of the 3D cursor", 2),
        ),
    )
    with_children: bpy.props.BoolProperty(
        name="With Children", description="Also mirror the children", default=True
    )

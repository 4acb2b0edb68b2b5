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
        description="Material whose friction, bounce and density are set",
        items=MATERIALS,
    )
    use_density: bpy.props.BoolProperty(
        name="Density",
        description="Let dynamic bodies weigh what their shapes weigh of this material",
        default=True,
    )


class MirrorPlane:
    """Where the mirror stands."""

    axis: bpy.props.EnumProperty(
        name="Across",
        description="Axis that the mirror stands across",
        items=[(axis, axis, f"The {axis} axis", i) for i, axis in enumerate("XYZ")],
    )
    about: bpy.props.EnumProperty(
        name="About",
        description="Whose origin and axes the mirror has",
        items=(
            ("WORLD", "World", "Those of the world", 0),
            ("ACTIVE", "Active Object", "Those of the active object, which is not mirrored", 1),
            ("CURSOR", "3D Cursor", "Those of the 3D cursor", 2),
        ),
    )
    with_children: bpy.props.BoolProperty(
        name="With Children", description="Mirror all that is below them, too", default=True
    )
